# The hints of one producer of chains: the first of the least, or of an inner producer for each candidate the first
# of the least that removes it.

from libc.stdlib cimport free, malloc, realloc

cdef enum:
    KIND_DOUBLE = 1
    KIND_X = 2
    KIND_Y = 3
    KIND_XY = 4
    KIND_CELL = 5
    KIND_HOUSE = 6
    KIND_CONTRADICTION = 7

    MOST_HINTS = 4096  # of an inner producer, before those that are the best for no candidate are dropped

# An inner hint: a key to compare with, and what the outer chain needs.
cdef struct Hint:
    double sum
    int complexity
    int kind
    int technique
    int index                    # in the order of discovery
    uint64_t identity            # equal for hints with equal chains
    uint64_t parents[SET_WORDS]  # candidates that the outer chain removed, without which the hint does not hold

cdef struct Hints:
    const Position* position
    const Board* grid
    const Board* source     # the grid at the start of the outer chain; NULL: not an inner producer
    # of the position's own producer:
    Step* step
    double sum
    int complexity
    int kind
    int last                # the last meeting of the cycle that is the step, and why it closes
    int last_cause
    int tied                # a chain from this start is the step: cycles from starts up to it come before; or -1
    # of an inner producer:
    int found
    int size
    int16_t best[MOST_CANDIDATES]  # the hint that removes a candidate, or -1
    Hint hint[MOST_HINTS]


cdef void hints_start(Hints* hints, const Position* position, const Board* grid, const Board* source,
                      Step* step) noexcept nogil:
    """Set every field for a new producer; the list of hints is empty."""
    cdef int k
    hints.position = position
    hints.grid = grid
    hints.source = source
    hints.step = step
    hints.sum = 1000
    hints.complexity = 0
    hints.kind = 0
    hints.last = -1
    hints.last_cause = 0
    hints.tied = -1
    hints.found = 0
    hints.size = 0
    if source != NULL:
        for k in range(position.n):
            hints.best[k] = -1


cdef double length_sum(int complexity) noexcept nogil:
    """Return what the length of a chain adds to its rating, summed up as the scale does."""
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


cdef inline bint key_less(double sum, int complexity, int kind,
                          double other_sum, int other_complexity, int other_kind) noexcept nogil:
    """Whether a hint comes before another one that was found earlier."""
    if sum != other_sum:
        return sum < other_sum
    if complexity != other_complexity:
        return complexity < other_complexity
    return kind < other_kind


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


cdef bint hints_want(const Hints* hints, const uint64_t* removed, double sum, int complexity, int kind) noexcept nogil:
    """Whether a hint with these removals would be the first of the least."""
    cdef int word, candidate
    cdef uint64_t left
    cdef const Hint* hint
    if hints.source == NULL:
        return key_less(sum, complexity, kind, hints.sum, hints.complexity, hints.kind)
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            candidate = 64 * word + first_bit(left)
            left &= left - 1
            if hints.best[candidate] < 0:
                return True
            hint = &hints.hint[hints.best[candidate]]
            if key_less(sum, complexity, kind, hint.sum, hint.complexity, hint.kind):
                return True
    return False


cdef void hints_compact(Hints* hints) noexcept nogil:
    """Drop the hints that are the best for no candidate."""
    cdef int16_t moved[MOST_HINTS]
    cdef int k, size = 0
    for k in range(hints.size):
        moved[k] = -1
    for k in range(hints.position.n):
        if hints.best[k] >= 0:
            moved[hints.best[k]] = 0
    for k in range(hints.size):
        if moved[k] == 0:
            moved[k] = <int16_t> size
            if size != k:
                hints.hint[size] = hints.hint[k]
            size += 1
    for k in range(hints.position.n):
        if hints.best[k] >= 0:
            hints.best[k] = moved[hints.best[k]]
    hints.size = size


cdef void hints_take_inner(Hints* hints, const uint64_t* removed, double sum, int complexity, int kind, int technique,
                           const uint64_t* parents, uint64_t identity) noexcept nogil:
    """Keep an inner hint that hints_want wants."""
    cdef int word, candidate
    cdef uint64_t left
    cdef Hint* hint
    if hints.size == MOST_HINTS:
        hints_compact(hints)
    hint = &hints.hint[hints.size]
    hint.sum = sum
    hint.complexity = complexity
    hint.kind = kind
    hint.technique = technique
    hint.index = hints.found
    hint.identity = identity
    memcpy(hint.parents, parents, SET_WORDS * sizeof(uint64_t))
    hints.found += 1
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            candidate = 64 * word + first_bit(left)
            left &= left - 1
            if hints.best[candidate] < 0 or key_less(
                    sum, complexity, kind, hints.hint[hints.best[candidate]].sum,
                    hints.hint[hints.best[candidate]].complexity, hints.hint[hints.best[candidate]].kind):
                hints.best[candidate] = <int16_t> hints.size
    hints.size += 1


cdef void hints_take(Hints* hints, const uint64_t* removed, int candidate, bint on, double sum, int complexity,
                     int kind, int technique) noexcept nogil:
    """Make a hint of the position's own producer, which hints_want wants, the step; candidate -1 is a cycle."""
    cdef Step* step = hints.step
    cdef int word, k
    cdef uint64_t left
    hints.sum = sum
    hints.complexity = complexity
    hints.kind = kind
    hints.tied = -1
    step_start(step, technique, chain_tenths(sum))
    step.sum = sum
    step.complexity = complexity
    step.kind = kind
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            k = 64 * word + first_bit(left)
            left &= left - 1
            step.removed[hints.position.digit[k]] |= ONE[hints.position.cell[k]]
    if on:
        step.cell = hints.position.cell[candidate]
        step.digit = hints.position.digit[candidate]


cdef void add_cell_parents(const Hints* hints, int cell, uint64_t* parents) noexcept nogil:
    """Add the candidates of a cell that the outer chain removed."""
    cdef unsigned int digits = hints.source.cand[cell] & ~hints.grid.cand[cell]
    while digits:
        set_add(parents, hints.position.number[9 * cell + digits_first(digits)])
        digits &= digits - 1


cdef void add_house_parents(const Hints* hints, int house, int digit, uint64_t* parents) noexcept nogil:
    """Add the places of a digit in a house that the outer chain removed."""
    cdef unsigned int places = hints.source.places[house][digit] & ~hints.grid.places[house][digit]
    while places:
        set_add(parents, hints.position.number[9 * CELL[house][digits_first(places)] + digit])
        places &= places - 1


cdef inline void add_cause_parents(const Hints* hints, int candidate, int cause, uint64_t* parents) noexcept nogil:
    """Add what made the strong link to an "on" candidate strong; cause 1 is its cell, 2 to 4 its box, row, column."""
    cdef int cell = hints.position.cell[candidate]
    if cause == 1:
        add_cell_parents(hints, cell, parents)
    elif cause > 1:
        add_house_parents(hints, HOUSES[cell][cause - 2], hints.position.digit[candidate], parents)


cdef inline uint64_t node_hash(int candidate, bint on) noexcept nogil:
    """Return a hash of a node of a chain."""
    cdef uint64_t word = <uint64_t> (2 * candidate + on + 1) * <uint64_t> 0x9E3779B97F4A7C15
    word ^= word >> 29
    word *= <uint64_t> 0xBF58476D1CE4E5B9
    return word ^ (word >> 32)
