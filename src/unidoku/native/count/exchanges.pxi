# Exchanges: ways to change any solution of a puzzle into another one.
#
# Rows of a band, columns of a stack, bands 1 and 2, and stacks 1 and 2 change places, and digits are
# renamed, so that the clues are again what they were.  Band 0 and stack 0 stay.  The sum has equal terms
# for partitions that exchanges carry into each other, so one term of each orbit is enough, times the
# orbit's size.  Any set of exchanges gives right results; the more there are, the shorter is the sum.

cdef enum:
    EXCHANGES = 64  # of a puzzle
    FIXING = 20  # that leave one partition as it is
    WORDS = 8  # random products of exchanges tried for each partition
    LETTERS = 10  # exchanges in such a product
    NO_DIGIT = 9


cdef struct Exchange:
    # What stands in a cell goes to cell[...], renamed.
    uint8_t cell[81]
    uint8_t digit[9]
    bint swap  # of stacks 1 and 2


cdef struct Symmetry:
    # Exchanges of a problem, and what they do to the states of its stacks in band 0.
    int size
    Exchange exchange[EXCHANGES]
    uint16_t image[EXCHANGES][STATES]  # of the states of stack 0
    # Per state of stack 0: size of its orbit if it is the first of it, else 0; the first one; the exchange and
    # the state it came from on the way there.
    uint32_t weight[STATES]
    uint16_t root[STATES]
    uint16_t parent[STATES]
    uint8_t step[STATES]
    # Per state with a weight: exchanges that leave it as it is.
    int fixing_size[STATES]
    Exchange* fixing[STATES]
    void* memory


cdef inline void follow(Exchange* first, const Exchange* second) noexcept nogil:
    """first := first one, then the other."""
    cdef int k
    for k in range(81):
        first.cell[k] = second.cell[first.cell[k]]
    for k in range(9):
        first.digit[k] = second.digit[first.digit[k]]
    first.swap ^= second.swap


cdef inline void make_identity(Exchange* here) noexcept nogil:
    cdef int k
    for k in range(81):
        here.cell[k] = k
    for k in range(9):
        here.digit[k] = k
    here.swap = False


cdef inline void invert(const Exchange* other, Exchange* here) noexcept nogil:
    cdef int k
    for k in range(81):
        here.cell[other.cell[k]] = k
    for k in range(9):
        here.digit[other.digit[k]] = k
    here.swap = other.swap


cdef inline bint does_the_same(const Exchange* a, const Exchange* b) noexcept nogil:
    cdef int k
    for k in range(9):
        if a.digit[k] != b.digit[k]:
            return False
    return a.swap == b.swap


cdef inline uint16_t rename(const Exchange* exchange, uint16_t digits) noexcept nogil:
    cdef uint16_t renamed = 0
    cdef int d
    for d in range(9):
        renamed |= <uint16_t> ((digits >> d & 1) << exchange.digit[d])
    return renamed


cdef uint16_t image_of(Problem* problem, const Exchange* exchange, int j, int state) noexcept nogil:
    """The state that an exchange makes of a state of stack j, in the stack it goes to."""
    cdef Stack* stack = &problem.stack[j]
    cdef int to = 3 - j if exchange.swap and j else j
    cdef const uint8_t* triple = tables.triple[stack.partition[0][stack.state_number[state]]]
    cdef uint16_t digits[3]  # by column
    cdef uint8_t order[3]
    cdef uint16_t p
    cdef int k, m, column
    for k in range(3):
        column = exchange.cell[3 * j + k] % 9 - 3 * to if problem.ordered else k
        digits[column] = rename(exchange, tables.digits[triple[stack.state_order[state][k] if problem.ordered else k]])
    p = partition_with(digits[0], digits[1])
    if not problem.ordered:
        return problem.stack[to].state_of[6 * p]
    for k in range(3):
        for m in range(3):
            if tables.triple[p][m] == tables.triple_of[digits[k]]:
                order[k] = m
    settle_free_columns(&problem.group[STACKS][to], order)
    return problem.stack[to].state_of[6 * p + order_number(order)]


cdef void settle_free_columns(Group* stack, uint8_t* order) noexcept nogil:
    """Puts the triples in columns without clues into the order in which configurations have them."""
    cdef int a, b
    cdef uint8_t swapped
    for a in range(3):
        for b in range(a + 1, 3):
            if not stack.has_clues[a] and not stack.has_clues[b] and order[a] > order[b]:
                swapped = order[a]
                order[a] = order[b]
                order[b] = swapped


cdef void add_exchange(Problem* problem, Symmetry* symmetry, const Exchange* exchange) noexcept nogil:
    """Takes an exchange up, unless it is known."""
    cdef Exchange nothing
    cdef int j, k
    cdef uint16_t image
    make_identity(&nothing)
    if symmetry.size == EXCHANGES or does_the_same(exchange, &nothing):
        return
    for k in range(symmetry.size):
        if does_the_same(exchange, &symmetry.exchange[k]):
            return
    for j in range(3):
        for k in range(problem.stack[j].states):
            image = image_of(problem, exchange, j, k)
            if image == NOWHERE:
                return
            if j == 0:
                symmetry.image[symmetry.size][k] = image
    symmetry.exchange[symmetry.size] = exchange[0]
    symmetry.size += 1


cdef void exchange_free_digits(Problem* problem, Symmetry* symmetry) noexcept nogil:
    """Two digits without clues change places."""
    cdef Exchange exchange
    cdef bint given[10]
    cdef int a, b, cell
    memset(given, 0, sizeof(given))
    for cell in range(81):
        given[problem.grid[cell]] = True
    for a in range(9):
        for b in range(a + 1, 9):
            if not given[a + 1] and not given[b + 1]:
                make_identity(&exchange)
                exchange.digit[a] = b
                exchange.digit[b] = a
                add_exchange(problem, symmetry, &exchange)


cdef bint carries_clues(Problem* problem, Exchange* exchange, const uint8_t* clue, int clues) noexcept nogil:
    """Whether moving the cells leaves the clues where they are but for a renaming, which is then noted.

    Digits without clues keep their names.
    """
    cdef const uint8_t* grid = problem.grid
    cdef uint8_t old_name[9]
    cdef int k, here, there
    memset(exchange.digit, NO_DIGIT, 9)
    memset(old_name, NO_DIGIT, 9)
    for k in range(clues):
        here = grid[clue[k]] - 1
        there = grid[exchange.cell[clue[k]]] - 1
        if there < 0:
            return False
        if exchange.digit[here] == NO_DIGIT and old_name[there] == NO_DIGIT:
            exchange.digit[here] = there
            old_name[there] = here
        elif exchange.digit[here] != there:
            return False
    for k in range(9):
        if exchange.digit[k] == NO_DIGIT:
            exchange.digit[k] = k
    return True


cdef void exchange_lines(Problem* problem, Symmetry* symmetry) noexcept nogil:
    """Rows, columns, bands and stacks change places, digits are renamed."""
    cdef uint8_t[6][3] three = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    cdef uint8_t clue[81]
    cdef uint8_t row[9]
    cdef uint8_t column[9]
    cdef Exchange exchange
    cdef int clues = 0
    cdef int cell, rows, columns, bands, k
    for cell in range(81):
        if problem.grid[cell]:
            clue[clues] = cell
            clues += 1
    for bands in range(4):
        exchange.swap = bands >> 1
        for rows in range(216):
            for k in range(3):
                row[k] = three[rows % 6][k]
                row[3 + k] = 3 * (2 if bands & 1 else 1) + three[rows // 6 % 6][k]
                row[6 + k] = 3 * (1 if bands & 1 else 2) + three[rows // 36][k]
            for columns in range(216):
                for k in range(3):
                    column[k] = three[columns % 6][k]
                    column[3 + k] = 3 * (2 if exchange.swap else 1) + three[columns // 6 % 6][k]
                    column[6 + k] = 3 * (1 if exchange.swap else 2) + three[columns // 36][k]
                for k in range(clues):
                    cell = clue[k]
                    exchange.cell[cell] = 9 * row[cell // 9] + column[cell % 9]
                    if not problem.grid[exchange.cell[cell]]:
                        break
                else:
                    if carries_clues(problem, &exchange, clue, clues):
                        for cell in range(81):
                            exchange.cell[cell] = 9 * row[cell // 9] + column[cell % 9]
                        add_exchange(problem, symmetry, &exchange)
                        if symmetry.size == EXCHANGES:
                            return


cdef void find_orbits(Problem* problem, Symmetry* symmetry) noexcept nogil:
    """The orbits of the states of stack 0."""
    cdef int states = problem.stack[0].states
    cdef int state, k, other, done, size
    cdef uint16_t queue[STATES]
    memset(symmetry.weight, 0, sizeof(symmetry.weight))
    for state in range(states):
        symmetry.root[state] = NOWHERE
    for state in range(states):
        if symmetry.root[state] != NOWHERE:
            continue
        symmetry.root[state] = state
        queue[0] = state
        size = 1
        done = 0
        while done < size:
            for k in range(symmetry.size):
                other = symmetry.image[k][queue[done]]
                if symmetry.root[other] == NOWHERE:
                    symmetry.root[other] = state
                    symmetry.parent[other] = queue[done]
                    symmetry.step[other] = k
                    queue[size] = other
                    size += 1
            done += 1
        symmetry.weight[state] = size


cdef void way_to(Symmetry* symmetry, int state, Exchange* way) noexcept nogil:
    """The exchange that carries the first state of an orbit to another one."""
    cdef uint8_t step[STATES]
    cdef int n = 0
    while state != symmetry.root[state]:
        step[n] = symmetry.step[state]
        n += 1
        state = symmetry.parent[state]
    make_identity(way)
    while n:
        n -= 1
        follow(way, &symmetry.exchange[step[n]])


cdef void add_fixing(Symmetry* symmetry, int state, const Exchange* exchange) noexcept nogil:
    cdef Exchange nothing
    cdef int n = symmetry.fixing_size[state]
    cdef int k
    make_identity(&nothing)
    if n == FIXING or does_the_same(exchange, &nothing):
        return
    for k in range(n):
        if does_the_same(exchange, &symmetry.fixing[state][k]):
            return
    symmetry.fixing[state][n] = exchange[0]
    symmetry.fixing_size[state] = n + 1


cdef void find_fixing(Symmetry* symmetry, int state, uint64_t* random) noexcept nogil:
    """Exchanges that leave a state as it is: known ones, and random ones by Schreier's lemma."""
    cdef Exchange word, back, way
    cdef int k, there, letter
    for k in range(symmetry.size):
        if symmetry.image[k][state] == state:
            add_fixing(symmetry, state, &symmetry.exchange[k])
    for k in range(WORDS):
        make_identity(&word)
        there = state
        for _ in range(LETTERS):
            random[0] ^= random[0] << 13
            random[0] ^= random[0] >> 7
            random[0] ^= random[0] << 17
            letter = <int> (random[0] % <uint64_t> symmetry.size)
            follow(&word, &symmetry.exchange[letter])
            there = symmetry.image[letter][there]
        way_to(symmetry, there, &way)
        invert(&way, &back)
        follow(&word, &back)
        add_fixing(symmetry, state, &word)


cdef struct PairRoom:
    # Room for the orbits of pairs of states of stacks 1 and 2.
    uint32_t* weight
    uint32_t* member  # the pairs, those of an orbit side by side, the first one in front
    uint32_t* place  # of each pair in `member`
    uint32_t* parent  # pair from which a pair was reached, and the exchange that leads to it
    uint8_t* step
    uint16_t* image  # of the states of stack 1, then of stack 2, for each exchange


cdef void weigh_pairs(Problem* problem, Symmetry* symmetry, int first, PairRoom* room) noexcept nogil:
    """Orbits of the pairs of states of stacks 1 and 2, under the exchanges that fix a state of stack 0.

    Pair number k is state of stack 1 times the number of states of stack 2 plus state of stack 2.  The first pair of an
    orbit weighs as much as the orbit has pairs, the others 0.
    """
    cdef int a_states = problem.stack[1].states
    cdef int b_states = problem.stack[2].states
    cdef uint32_t pairs = <uint32_t> a_states * b_states
    cdef uint16_t* image
    cdef Exchange* exchange
    cdef int n = symmetry.fixing_size[first]
    cdef int k, state
    cdef uint32_t pair, here, other, begin
    cdef uint32_t size = 0
    cdef uint32_t done = 0
    cdef uint16_t a, b
    for k in range(n):
        exchange = &symmetry.fixing[first][k]
        image = room.image + k * (a_states + b_states)
        for state in range(a_states):
            image[state] = image_of(problem, exchange, 1, state)
        for state in range(b_states):
            image[a_states + state] = image_of(problem, exchange, 2, state)
    memset(room.weight, 0, pairs * sizeof(uint32_t))
    for pair in range(pairs):
        room.place[pair] = pairs
    for pair in range(pairs):
        if room.place[pair] != pairs:
            continue
        begin = size
        room.place[pair] = size
        room.member[size] = pair
        size += 1
        while done < size:
            here = room.member[done]
            for k in range(n):
                image = room.image + k * (a_states + b_states)
                a = image[here // b_states]
                b = image[a_states + here % b_states]
                if symmetry.fixing[first][k].swap:
                    other = <uint32_t> b * b_states + a
                else:
                    other = <uint32_t> a * b_states + b
                if room.place[other] == pairs:
                    room.place[other] = size
                    room.parent[other] = here
                    room.step[other] = k
                    room.member[size] = other
                    size += 1
            done += 1
        room.weight[pair] = size - begin


cdef void way_to_pair(Symmetry* symmetry, int first, const PairRoom* room, uint32_t pair, Exchange* way) noexcept nogil:
    """The exchange that fixes a state of stack 0 and carries the first pair of an orbit to another one."""
    cdef Exchange step
    make_identity(way)
    while room.weight[pair] == 0:
        step = symmetry.fixing[first][room.step[pair]]
        follow(&step, way)
        way[0] = step
        pair = room.parent[pair]
