# Exchanges: symmetries of a puzzle.
#
# An exchange permutes rows within bands, columns within stacks, bands 1 and 2, stacks 1 and 2, and digits, and
# maps the clues to themselves.  Band 0 and stack 0 are fixed.  The sum has equal terms for partitions that
# exchanges map to each other, so it computes one term per orbit and multiplies it by the size of the orbit.
# Any set of exchanges gives correct results; more exchanges make the sum shorter.

cdef enum:
    EXCHANGES = 64  # largest number for a puzzle
    FIXING = 20  # largest number that fix one partition
    WORDS = 8  # random products of exchanges tried for each partition
    LETTERS = 10  # exchanges in such a product
    NO_DIGIT = 9


cdef struct Exchange:
    # The digit of a cell is renamed and moved to the cell in cell[...].
    uint8_t cell[81]
    uint8_t digit[9]
    bint swap  # whether stacks 1 and 2 are exchanged


cdef struct Symmetry:
    # Exchanges of a problem, and their action on the states of its stacks in band 0.
    int size
    Exchange exchange[EXCHANGES]
    uint16_t image[EXCHANGES][PARTITIONS]  # of the states of stack 0
    # For each state of stack 0: the size of its orbit if it is the first state in it, else 0. The first state, the
    # last exchange on a path from the first state, and the state before it on the path.
    uint32_t weight[PARTITIONS]
    uint16_t root[PARTITIONS]
    uint16_t parent[PARTITIONS]
    uint8_t step[PARTITIONS]
    # Per state with a weight: exchanges that fix it.
    int fixing_size[PARTITIONS]
    Exchange* fixing[PARTITIONS]
    void* memory


cdef inline void follow(Exchange* first, const Exchange* second) noexcept nogil:
    """first := the product: first, then second."""
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


cdef inline bint is_equal(const Exchange* a, const Exchange* b) noexcept nogil:
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
    """Return the image of a state of stack j, a state of the stack to which the exchange maps stack j."""
    cdef Stack* stack = &problem.stack[j]
    cdef int to = 3 - j if exchange.swap and j else j
    cdef const uint8_t* triple = tables.triple[stack.partition[0][stack.state_number[state]]]
    return problem.stack[to].state_of[partition_with(
        rename(exchange, tables.digits[triple[0]]), rename(exchange, tables.digits[triple[1]]))]


cdef void add_exchange(Problem* problem, Symmetry* symmetry, const Exchange* exchange) noexcept nogil:
    """Add an exchange unless it is known."""
    cdef Exchange nothing
    cdef int j, k
    cdef uint16_t image
    make_identity(&nothing)
    if symmetry.size == EXCHANGES or is_equal(exchange, &nothing):
        return
    for k in range(symmetry.size):
        if is_equal(exchange, &symmetry.exchange[k]):
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
    """Add the exchanges of two digits without clues."""
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


cdef bint maps_clues(Problem* problem, Exchange* exchange, const uint8_t* clue, int clues) noexcept nogil:
    """Test whether a permutation of the cells and a renaming map the clues to themselves; store the renaming.

    Digits without clues are not renamed.
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
    """Add the exchanges of rows, columns, bands and stacks."""
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
                    if maps_clues(problem, &exchange, clue, clues):
                        for cell in range(81):
                            exchange.cell[cell] = 9 * row[cell // 9] + column[cell % 9]
                        add_exchange(problem, symmetry, &exchange)
                        if symmetry.size == EXCHANGES:
                            return


cdef void find_orbits(Problem* problem, Symmetry* symmetry) noexcept nogil:
    """Find the orbits of the states of stack 0."""
    cdef int states = problem.stack[0].states
    cdef int state, k, other, done, size
    cdef uint16_t queue[PARTITIONS]
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


cdef void path_to(Symmetry* symmetry, int state, Exchange* way) noexcept nogil:
    """Compute an exchange that maps the first state of an orbit to another state."""
    cdef uint8_t step[PARTITIONS]
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
    if n == FIXING or is_equal(exchange, &nothing):
        return
    for k in range(n):
        if is_equal(exchange, &symmetry.fixing[state][k]):
            return
    symmetry.fixing[state][n] = exchange[0]
    symmetry.fixing_size[state] = n + 1


cdef void find_fixing(Symmetry* symmetry, int state, uint64_t* random) noexcept nogil:
    """Find exchanges that fix a state: known exchanges, and random exchanges by Schreier's lemma."""
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
        path_to(symmetry, there, &way)
        invert(&way, &back)
        follow(&word, &back)
        add_fixing(symmetry, state, &word)


cdef struct PairOrbits:
    # Orbits of the pairs of states of stacks 1 and 2.
    uint32_t* weight
    uint32_t* member  # the pairs, orbit by orbit, the first pair of each orbit first
    uint32_t* place  # index of each pair in `member`
    uint32_t* parent  # pair from which a pair was reached, and the exchange used
    uint8_t* step
    uint16_t* image  # of the states of stack 1, then of stack 2, for each exchange


cdef void weigh_pairs(Problem* problem, Symmetry* symmetry, int first, PairOrbits* orbits) noexcept nogil:
    """Find the orbits of the pairs of states of stacks 1 and 2 under the exchanges that fix a state of stack 0.

    The number of a pair is the state of stack 1 times the number of states of stack 2, plus the state of stack 2.  The
    weight of the first pair of an orbit is the size of the orbit; the weight of the other pairs is 0.
    """
    cdef int a_states = problem.stack[1].states
    cdef int b_states = problem.stack[2].states
    cdef uint32_t pairs = <uint32_t> a_states * b_states
    cdef uint16_t* image
    cdef Exchange* exchange
    cdef int n = symmetry.fixing_size[first]
    cdef int k, state
    cdef uint32_t pair, here, a_here, b_here, other, begin
    cdef uint32_t size = 0
    cdef uint32_t done = 0
    cdef uint16_t a, b
    for k in range(n):
        exchange = &symmetry.fixing[first][k]
        image = orbits.image + k * (a_states + b_states)
        for state in range(a_states):
            image[state] = image_of(problem, exchange, 1, state)
        for state in range(b_states):
            image[a_states + state] = image_of(problem, exchange, 2, state)
    memset(orbits.weight, 0, pairs * sizeof(uint32_t))
    for pair in range(pairs):
        orbits.place[pair] = pairs
    for pair in range(pairs):
        if orbits.place[pair] != pairs:
            continue
        begin = size
        orbits.place[pair] = size
        orbits.member[size] = pair
        size += 1
        while done < size:
            here = orbits.member[done]
            a_here = here // b_states
            b_here = here % b_states
            for k in range(n):
                image = orbits.image + k * (a_states + b_states)
                a = image[a_here]
                b = image[a_states + b_here]
                if symmetry.fixing[first][k].swap:
                    other = <uint32_t> b * b_states + a
                else:
                    other = <uint32_t> a * b_states + b
                if orbits.place[other] == pairs:
                    orbits.place[other] = size
                    orbits.parent[other] = here
                    orbits.step[other] = k
                    orbits.member[size] = other
                    size += 1
            done += 1
        orbits.weight[pair] = size - begin


cdef void path_to_pair(Symmetry* symmetry, int first, const PairOrbits* orbits, uint32_t pair,
                       Exchange* way) noexcept nogil:
    """Compute an exchange that fixes a state of stack 0 and maps the first pair of an orbit to another pair."""
    cdef Exchange step
    make_identity(way)
    while orbits.weight[pair] == 0:
        step = symmetry.fixing[first][orbits.step[pair]]
        follow(&step, way)
        way[0] = step
        pair = orbits.parent[pair]
