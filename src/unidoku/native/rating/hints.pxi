# The candidates of a position, numbered, and the weak links between them; hints of chains over them, and their nodes.
#
# A candidate is a number 0 to n - 1 in the order of cells and digits. Inner chains of a longer chain look at grids
# with fewer candidates and keep the numbers of the position.

cdef enum:
    MOST_CANDIDATES = 729
    MOST_LINKS = 28       # weak links of a candidate
    SET_WORDS = 12        # words of a set of candidates

cdef struct Position:
    int n
    bint linked                              # the weak links are listed
    int blocks                               # of a set of ancestors
    int16_t number[81 * 9]                   # of the candidate of a cell and a digit, or -1
    uint8_t cell[MOST_CANDIDATES]
    uint8_t digit[MOST_CANDIDATES]
    uint32_t weak_begin[MOST_CANDIDATES + 1]
    uint32_t weak_houses[MOST_CANDIDATES]    # the links in houses come after those in the cell
    uint16_t weak[MOST_CANDIDATES * MOST_LINKS]


cdef void position_load(Position* position, const Board* board) noexcept nogil:
    """Number the candidates of a board; position_link lists their weak links."""
    cdef int cell, digit, n = 0
    cdef unsigned int digits
    memset(position.number, 255, sizeof(position.number))
    for cell in range(81):
        digits = board.cand[cell]
        while digits:
            digit = digits_first(digits)
            digits &= digits - 1
            position.number[9 * cell + digit] = <int16_t> n
            position.cell[n] = <uint8_t> cell
            position.digit[n] = <uint8_t> digit
            n += 1
    position.n = n
    position.blocks = (2 * n + 511) // 512
    position.linked = False


cdef void position_link(Position* position, const Board* board) noexcept nogil:
    """List the weak links in order, unless they are listed."""
    cdef int cell, digit, k, peer
    cdef unsigned int left
    cdef uint32_t links = 0
    if position.linked:
        return
    position.linked = True
    for k in range(position.n):
        cell = position.cell[k]
        digit = position.digit[k]
        position.weak_begin[k] = links
        left = board.cand[cell] & ~(1u << digit)
        while left:
            position.weak[links] = <uint16_t> position.number[9 * cell + digits_first(left)]
            links += 1
            left &= left - 1
        position.weak_houses[k] = links
        for peer in range(20):
            position.weak[links] = <uint16_t> position.number[9 * PEER[cell][peer] + digit]
            links += position.number[9 * PEER[cell][peer] + digit] >= 0
    position.weak_begin[position.n] = links


cdef inline int other_place(const Board* board, int cell, int digit, int k) noexcept nogil:
    """Return the only other place of a digit in the k-th house of a cell that is one of its places, or -1."""
    cdef int house = HOUSES[cell][k]
    cdef unsigned int places = board.places[house][digit]
    if digits_count(places) != 2:
        return -1
    places &= ~(1u << PLACE[cell][k])
    return CELL[house][digits_first(places)]


cdef inline int other_digit(const Board* board, int cell, int digit) noexcept nogil:
    """Return the only other candidate of a cell that has this one, or -1."""
    cdef unsigned int digits = board.cand[cell]
    if digits_count(digits) != 2:
        return -1
    return digits_first(digits & ~(1u << digit))


cdef inline void set_add(uint64_t* candidates, int number) noexcept nogil:
    """Add a candidate to a set of SET_WORDS words."""
    candidates[number >> 6] |= <uint64_t> 1 << (number & 63)


cdef inline bint set_has(const uint64_t* candidates, int number) noexcept nogil:
    """Whether a candidate is in a set."""
    return candidates[number >> 6] >> (number & 63) & 1


# The hints of one search for chains: the easiest, or of an inner search the easiest that removes each candidate. Ties
# keep the first.

cdef enum:
    MOST_HINTS = 4096  # of an inner search, before hints that are the best for no candidate are dropped

    MOST_HINT_PARENTS = 2 * MOST_CANDIDATES * MOST_CANDIDATES  # twice the parents of the best hints of all candidates

# Candidates that the outer chain removed, without which an inner hint does not hold; each once, in order.
cdef struct Parents:
    int size
    uint16_t item[MOST_CANDIDATES]
    uint64_t has[SET_WORDS]

# The order of hints: the easiest comes first.
cdef struct Key:
    double sum
    int complexity
    int kind

# An inner hint, and its part of the outer chain.
cdef struct Hint:
    Key key
    int technique
    int parents_begin            # in the parents of all hints
    int parents
    uint64_t identity            # equal for hints whose chains are equal lists of nodes

cdef struct Hints:
    const Position* position
    const Board* grid
    const Board* source     # the grid at the start of the outer chain; NULL: not an inner search
    # of the search in the position itself:
    Step* step
    Key key
    int start               # of the cycle that is the step; its last meeting, and why it closes
    int last
    int last_cause
    int tied                # a chain from this start is the step: cycles from starts up to it come before; or -1
    # of an inner search:
    int size
    int16_t best[MOST_CANDIDATES]  # the hint that removes a candidate, or -1
    Hint hint[MOST_HINTS]
    int parents
    uint16_t parent[MOST_HINT_PARENTS]


cdef void hints_start(Hints* hints, const Position* position, const Board* grid, const Board* source,
                      Step* step) noexcept nogil:
    """Set every field for a new search; the list of hints is empty."""
    cdef int k
    hints.position = position
    hints.grid = grid
    hints.source = source
    hints.step = step
    hints.key = Key(1000, 0, 0)
    hints.start = -1
    hints.last = -1
    hints.last_cause = 0
    hints.tied = -1
    hints.size = 0
    hints.parents = 0
    if source != NULL:
        for k in range(position.n):
            hints.best[k] = -1


cdef double length_sum(int complexity) noexcept nogil:
    """Return the sum that the length of a chain adds to its rating, added up as the scale does."""
    cdef int length = complexity - 2
    cdef int most = 4
    cdef bint odd = False
    cdef double added = 0
    while length > most:
        added += 0.1
        most = most * 4 // 3 if odd else most * 3 // 2
        odd = not odd
    return added


cdef enum:
    MOST_SUMS = 1024

cdef double[MOST_SUMS] LENGTH_SUM  # filled once by hints_prepare


cdef void hints_prepare() noexcept:
    """Fill the table."""
    cdef int complexity
    for complexity in range(MOST_SUMS):
        LENGTH_SUM[complexity] = length_sum(complexity)


hints_prepare()


cdef inline double chain_sum(double base, int complexity) noexcept nogil:
    """Return the rating of a chain as a sum of doubles."""
    return base + (LENGTH_SUM[complexity] if complexity < MOST_SUMS else length_sum(complexity))


cdef inline int chain_tenths(double sum) noexcept nogil:
    """Return a rating as it is printed, in tenths."""
    return <int> ((sum + 0.05) * 10)


cdef inline bint precedes(Key key, Key other) noexcept nogil:
    """Whether a hint is easier than one found earlier; a tie keeps the earlier."""
    if key.sum != other.sum:
        return key.sum < other.sum
    if key.complexity != other.complexity:
        return key.complexity < other.complexity
    return key.kind < other.kind


cdef void conclude(const Position* position, const Board* grid, int candidate, bint on,
                   uint64_t* removed) noexcept nogil:
    """Write the set of candidates that a conclusion removes."""
    cdef int cell = position.cell[candidate]
    cdef unsigned int digits
    memset(removed, 0, SET_WORDS * sizeof(uint64_t))
    if not on:
        set_add(removed, candidate)
        return
    digits = grid.cand[cell] & ~(1u << position.digit[candidate])
    while digits:
        set_add(removed, position.number[9 * cell + digits_first(digits)])
        digits &= digits - 1


cdef bint hints_want(const Hints* hints, const uint64_t* removed, Key key) noexcept nogil:
    """Whether a hint with these removals beats the best so far; ties keep the first."""
    cdef int word, candidate
    cdef uint64_t left
    if hints.source == NULL:
        return precedes(key, hints.key)
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            candidate = 64 * word + first_bit(left)
            left &= left - 1
            if hints.best[candidate] < 0:
                return True
            if precedes(key, hints.hint[hints.best[candidate]].key):
                return True
    return False


cdef void hints_compact(Hints* hints) noexcept nogil:
    """Drop the hints that are the best for no candidate."""
    cdef int16_t moved[MOST_HINTS]
    cdef int k, size = 0
    cdef Hint* hint
    hints.parents = 0
    for k in range(hints.size):
        moved[k] = -1
    for k in range(hints.position.n):
        if hints.best[k] >= 0:
            moved[hints.best[k]] = 0
    for k in range(hints.size):
        if moved[k] == 0:
            moved[k] = <int16_t> size
            hint = &hints.hint[size]
            hint[0] = hints.hint[k]
            memmove(&hints.parent[hints.parents], &hints.parent[hint.parents_begin], hint.parents * sizeof(uint16_t))
            hint.parents_begin = hints.parents
            hints.parents += hint.parents
            size += 1
    for k in range(hints.position.n):
        if hints.best[k] >= 0:
            hints.best[k] = moved[hints.best[k]]
    hints.size = size


cdef void hints_take_inner(Hints* hints, const uint64_t* removed, Key key, int technique, const Parents* parents,
                           uint64_t identity) noexcept nogil:
    """Keep an inner hint that hints_want wants."""
    cdef int word, candidate
    cdef uint64_t left
    cdef Hint* hint
    if hints.size == MOST_HINTS or hints.parents + parents.size > MOST_HINT_PARENTS:
        hints_compact(hints)
    hint = &hints.hint[hints.size]
    hint.key = key
    hint.technique = technique
    hint.identity = identity
    hint.parents_begin = hints.parents
    hint.parents = parents.size
    memcpy(&hints.parent[hints.parents], parents.item, parents.size * sizeof(uint16_t))
    hints.parents += parents.size
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            candidate = 64 * word + first_bit(left)
            left &= left - 1
            if hints.best[candidate] < 0 or precedes(key, hints.hint[hints.best[candidate]].key):
                hints.best[candidate] = <int16_t> hints.size
    hints.size += 1


cdef void hints_take(Hints* hints, const uint64_t* removed, int candidate, bint on, Key key,
                     int technique) noexcept nogil:
    """Make a hint in the position itself, which hints_want wants, the step; candidate -1 is a cycle."""
    cdef Step* step = hints.step
    cdef int word, k
    cdef uint64_t left
    hints.key = key
    hints.tied = -1
    step_start(step, technique)
    step.rating = chain_tenths(key.sum)
    step.complexity = key.complexity
    step.kind = key.kind
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            k = 64 * word + first_bit(left)
            left &= left - 1
            step.removed[hints.position.digit[k]] |= ONE[hints.position.cell[k]]
    if on:
        step.cell = hints.position.cell[candidate]
        step.digit = hints.position.digit[candidate]


cdef inline void parents_start(Parents* parents) noexcept nogil:
    """Empty the list."""
    parents.size = 0
    memset(parents.has, 0, sizeof(parents.has))


cdef inline void add_parent(Parents* parents, int candidate) noexcept nogil:
    """Add a candidate unless it is in the list."""
    if not set_has(parents.has, candidate):
        set_add(parents.has, candidate)
        parents.item[parents.size] = <uint16_t> candidate
        parents.size += 1


cdef inline void add_cause_parents(const Hints* hints, int candidate, int cause, Parents* parents) noexcept nogil:
    """Add the candidates that the outer chain removed from the cell (cause 1) or the box, row, column (2 to 4)."""
    cdef const Position* position = hints.position
    cdef int cell = position.cell[candidate], digit = position.digit[candidate], house
    cdef unsigned int gone
    if cause == CAUSE_CELL:
        gone = hints.source.cand[cell] & ~hints.grid.cand[cell]
        while gone:
            add_parent(parents, position.number[9 * cell + digits_first(gone)])
            gone &= gone - 1
    elif cause >= CAUSE_HOUSE:
        house = HOUSES[cell][cause - CAUSE_HOUSE]
        gone = hints.source.places[house][digit] & ~hints.grid.places[house][digit]
        while gone:
            add_parent(parents, position.number[9 * CELL[house][digits_first(gone)] + digit])
            gone &= gone - 1


cdef inline uint64_t node_hash(int candidate, bint on) noexcept nogil:
    """Return a hash of a node of a chain."""
    cdef uint64_t word = <uint64_t> (2 * candidate + on + 1) * <uint64_t> 0x9E3779B97F4A7C15
    word ^= word >> 29
    word *= <uint64_t> 0xBF58476D1CE4E5B9
    return word ^ (word >> 32)


cdef inline uint64_t list_hash(uint64_t before, uint64_t item) noexcept nogil:
    """Return the hash of a list that has one item more; the order of the items counts."""
    return (before ^ before >> 29) * <uint64_t> 0x9E3779B97F4A7C15 + item


# Nodes of chains: collected only for the steps of one position, never while ratings are found.
#
# A chain is a list of nodes from its end to its start: a candidate on or off, why, and the nodes it follows from.

cdef enum Why:
    WHY_LINK = 0       # "off": a candidate that is on excludes it; for the start: no reason
    WHY_CELL = 1       # "on": the last candidate of its cell
    WHY_HOUSE = 2      # the last place in its box; 3: row, 4: column
    WHY_INNER = 5      # "off": an inner technique, whose number is added

# The nodes of all chains of a step, each as: number of the chain, node, why, number of parents, parents; a node is
# twice the number of its candidate (9 * cell + digit), and 1 more if it is on.
cdef struct Trace:
    int size
    int room
    bint failed   # there was no memory
    int32_t* item


cdef void trace_put(Trace* trace, int value) noexcept nogil:
    """Append a number."""
    cdef int32_t* more
    if trace.size == trace.room:
        more = <int32_t*> realloc(trace.item, (2 * trace.room + 1024) * sizeof(int32_t))
        if more == NULL:
            trace.failed = True
            return
        trace.item = more
        trace.room = 2 * trace.room + 1024
    trace.item[trace.size] = value
    trace.size += 1


cdef inline int trace_code(const Position* position, int candidate, bint on) noexcept nogil:
    """Return the number of a node."""
    return 2 * (9 * position.cell[candidate] + position.digit[candidate]) + on


cdef void trace_node(Trace* trace, const Position* position, int chain, int candidate, bint on, int why,
                     int parents) noexcept nogil:
    """Append a node; its parents must follow."""
    trace_put(trace, chain)
    trace_put(trace, trace_code(position, candidate, on))
    trace_put(trace, why)
    trace_put(trace, parents)


cdef void trace_unary(Trace* trace, Unary* work, Hints* hints, const Step* step, int cycle_start) noexcept nogil:
    """Find the nodes of a cycle or forcing chain again; ``hints`` is free for use."""
    cdef const Position* position = work.position
    cdef Step found
    cdef int which = (PASS_X if step.technique == X_CYCLE or step.technique == FORCING_X_CHAIN else
                      PASS_Y if step.technique == Y_CYCLE else PASS_XY)
    cdef int start
    cdef int length = step.complexity
    trace.size = 0
    if step.technique == FORCING_X_CHAIN or step.technique == FORCING_CHAIN:
        for start in range(position.n):
            if step.cell >= 0:
                if position.cell[start] == step.cell and position.digit[start] == step.digit:
                    trace_forcing_chain(trace, work, start, False, which)
            elif cells_has(step.removed[position.digit[start]], position.cell[start]):
                trace_forcing_chain(trace, work, start, True, which)
        return
    hints_start(hints, position, work.grid, NULL, &found)
    offer_cycles(work, hints, cycle_start, which, length, <uint64_t> 1 << min(length // 2, 63))
    trace_cycle(trace, work, cycle_start, hints)


cdef bint trace_forcing_chain(Trace* trace, Unary* work, int start, bint on, int which) noexcept nogil:
    """Search a forcing chain and write its nodes; false if there is none."""
    cdef const Position* position = work.position
    cdef int candidate = start, parent
    cdef bint now_on = not on
    trace.size = 0
    if forcing_chain(work, start, on, which) == 0:
        return False
    while True:
        parent = work.on_parent[candidate] if now_on else work.off_parent[candidate]
        if parent < 0:
            trace_node(trace, position, 0, candidate, now_on, WHY_LINK, 0)
            return True
        trace_node(trace, position, 0, candidate, now_on, work.on_cause[candidate] if now_on else WHY_LINK, 1)
        trace_put(trace, trace_code(position, parent, not now_on))
        candidate = parent
        now_on = not now_on


cdef void trace_cycle(Trace* trace, const Unary* work, int start, const Hints* hints) noexcept nogil:
    """Write the nodes of the cycle that was found last from a start; the start is the end, too."""
    cdef const Position* position = work.position
    cdef int reason = hints.last, candidate = start, cause = hints.last_cause
    trace.size = 0
    while True:
        trace_node(trace, position, 0, candidate, True, cause, 1)
        trace_put(trace, trace_code(position, work.met[reason], False))
        candidate = work.met_parent[reason]
        trace_node(trace, position, 0, work.met[reason], False, WHY_LINK, 1)
        trace_put(trace, trace_code(position, candidate, True))
        if candidate == start:
            return
        cause = work.on_cause[candidate]
        reason = work.on_reason[candidate]
