# The hints of one search for chains: the easiest, or of an inner search the easiest that removes each candidate. Ties
# keep the first.


cdef void hints_start(Hints* hints, const Position* position, const Board* grid, const Board* source,
                      Step* step) noexcept nogil:
    """Set every field for a new search; the list of hints is empty."""
    cdef int k
    hints.position = position
    hints.grid = grid
    hints.source = source
    hints.step = step
    hints.key = HintKey(1000, 0, 0)
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


cdef inline bint precedes(HintKey key, HintKey other) noexcept nogil:
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
        set_add(removed, position.number[9 * cell + lowest_bit(digits)])
        digits &= digits - 1


cdef bint hints_want(const Hints* hints, const uint64_t* removed, HintKey key) noexcept nogil:
    """Whether a hint with these removals beats the best so far; ties keep the first."""
    cdef int word, candidate
    cdef uint64_t left
    if hints.source == NULL:
        return precedes(key, hints.key)
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            candidate = 64 * word + lowest_bit(left)
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


cdef void hints_take_inner(Hints* hints, const uint64_t* removed, HintKey key, int technique, const Parents* parents,
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
            candidate = 64 * word + lowest_bit(left)
            left &= left - 1
            if hints.best[candidate] < 0 or precedes(key, hints.hint[hints.best[candidate]].key):
                hints.best[candidate] = <int16_t> hints.size
    hints.size += 1


cdef void hints_take(Hints* hints, const uint64_t* removed, int candidate, bint on, HintKey key,
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
            k = 64 * word + lowest_bit(left)
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
            add_parent(parents, position.number[9 * cell + lowest_bit(gone)])
            gone &= gone - 1
    elif cause >= CAUSE_HOUSE:
        house = HOUSES[cell][cause - CAUSE_HOUSE]
        gone = hints.source.places[house][digit] & ~hints.grid.places[house][digit]
        while gone:
            add_parent(parents, position.number[9 * CELL[house][lowest_bit(gone)] + digit])
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
