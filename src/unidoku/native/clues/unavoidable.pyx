"""Find all minimal unavoidable sets of a full grid up to a size.

An unavoidable set is a set of cells in which a full grid differs from some other full grid. It is minimal if no
proper subset of it is unavoidable.

The search changes the grid cell by cell. If a cell changes to digit e, the cells of its row, column and box that
hold e must change too. These three rules are complete: once every cell that must change has a new digit, and no
digit is new twice in a house, the new grid is full and correct. So the search takes the cell with the fewest
possible new digits and tries each of them. A branch ends if it needs too many cells:

- A house with a single cell that must change needs another one, and so does a digit with a single cell. A cell is in
  one row, one column and one box, and holds one digit, so the largest of the four numbers of single cells is a lower
  bound of the further cells.
- The cells before the first one of the set are fixed: each set is found from its first cell.

Every minimal set is found, because each path towards its other grid changes cells of the set only, and ends when all
of them are changed. A set that is not minimal contains a minimal one, which is also found; so each set found is
compared with its subsets.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, qsort, realloc
from libc.string cimport memset

from unidoku.native.clues.sets cimport Set, add, bits, contains, lowest_bit, number, take_first, within
from unidoku.native.houses cimport box_of, column_of, row_of

__all__ = ["find"]

cdef enum:
    CAPACITY = 1024  # initial number of sets with memory
    NINE = 511

cdef struct Search:
    Set needs[81][10]   # cells that must change if a cell changes to a digit
    Set fixed           # cells that must not change
    uint64_t kinds[81]  # the row, column, box and digit of a cell, as bits 0 to 35
    uint8_t grid[81]
    int size
    Set* sets
    int count, capacity
    bint failed         # out of memory

cdef struct State:
    Set changed         # cells that must change
    Set open            # those without a new digit
    uint64_t once, twice  # kinds with one and with two changed cells or more
    uint16_t rows[9]    # new digits, as bits 1 to 9
    uint16_t columns[9]
    uint16_t boxes[9]
    int cells           # number of cells that must change


cdef void prepare(Search* s, const uint8_t[::1] grid, const uint8_t[::1] changeable) noexcept nogil:
    cdef int cell, other
    for cell in range(81):
        s.grid[cell] = grid[cell]
        if not changeable[cell]:
            add(&s.fixed, cell)
        s.kinds[cell] = (
            <uint64_t> 1 << row_of(cell) | <uint64_t> 1 << (9 + column_of(cell))
            | <uint64_t> 1 << (18 + box_of(cell)) | <uint64_t> 1 << (26 + grid[cell])
        )
        for other in range(81):
            if other != cell and (row_of(other) == row_of(cell) or column_of(other) == column_of(cell)
                                  or box_of(other) == box_of(cell)):
                add(&s.needs[cell][grid[other]], other)


cdef void keep(Search* s, const Set* cells) noexcept nogil:
    cdef int capacity
    cdef Set* grown
    if s.count == s.capacity:
        capacity = 2 * s.capacity if s.capacity else CAPACITY
        grown = <Set*> realloc(s.sets, capacity * sizeof(Set))
        if grown == NULL:
            s.failed = True
            return
        s.sets = grown
        s.capacity = capacity
    s.sets[s.count] = cells[0]
    s.count += 1


cdef inline void must_change(Search* s, State* state, Set cells) noexcept nogil:
    """Add cells that do not yet have to change."""
    cdef uint64_t kinds
    state.changed.low |= cells.low
    state.changed.high |= cells.high
    state.open.low |= cells.low
    state.open.high |= cells.high
    while cells.low or cells.high:
        kinds = s.kinds[take_first(&cells)]
        state.twice |= state.once & kinds
        state.once |= kinds
        state.cells += 1


cdef inline int least_further(const State* state) noexcept nogil:
    """Return a lower bound of the further cells that must change."""
    cdef uint64_t single = state.once & ~state.twice
    cdef int shift, least = 0
    for shift in range(0, 36, 9):
        least = max(least, bits(single >> shift & NINE))
    return least


cdef bint extend(Search* s, const State* state) noexcept nogil:
    """Find the sets that contain the cells of a state; return false if out of memory."""
    cdef Set left = state.open, needed
    cdef State next_state
    cdef uint16_t options, digits, best_digits = 0
    cdef int cell, digit, best = 0, fewest = 10, allowed = s.size - state.cells
    if not left.low and not left.high:
        keep(s, &state.changed)
        return not s.failed
    while left.low or left.high:
        cell = take_first(&left)
        digits = 1022 & ~(state.rows[row_of(cell)] | state.columns[column_of(cell)] | state.boxes[box_of(cell)]
                          | <uint16_t> 1 << s.grid[cell])
        options = 0
        while digits:
            digit = lowest_bit(digits)
            digits &= digits - 1
            needed = s.needs[cell][digit]
            if needed.low & s.fixed.low or needed.high & s.fixed.high:
                continue
            needed.low &= ~state.changed.low
            needed.high &= ~state.changed.high
            if number(&needed) <= allowed:
                options |= <uint16_t> 1 << digit
        if bits(options) < fewest:
            fewest = bits(options)
            best = cell
            best_digits = options
            if fewest <= 1:
                break
    while best_digits:
        digit = lowest_bit(best_digits)
        best_digits &= best_digits - 1
        next_state = state[0]
        if best < 64:
            next_state.open.low &= ~(<uint64_t> 1 << best)
        else:
            next_state.open.high &= ~(<uint64_t> 1 << (best - 64))
        next_state.rows[row_of(best)] |= <uint16_t> 1 << digit
        next_state.columns[column_of(best)] |= <uint16_t> 1 << digit
        next_state.boxes[box_of(best)] |= <uint16_t> 1 << digit
        needed = s.needs[best][digit]
        needed.low &= ~state.changed.low
        needed.high &= ~state.changed.high
        must_change(s, &next_state, needed)
        if next_state.cells + least_further(&next_state) <= s.size and not extend(s, &next_state):
            return False
    return True


cdef int smaller_first(const void* a, const void* b) noexcept nogil:
    """Compare two sets by size, then by cells."""
    cdef const Set* first = <const Set*> a
    cdef const Set* second = <const Set*> b
    cdef Set only_first, only_second
    cdef uint64_t either
    cdef int difference = number(first) - number(second)
    if difference:
        return difference
    only_first.low = first.low & ~second.low
    only_second.low = second.low & ~first.low
    only_first.high = first.high & ~second.high
    only_second.high = second.high & ~first.high
    either = only_first.low | only_second.low
    if either:
        return -1 if only_first.low & (either & -either) else 1
    either = only_first.high | only_second.high
    if either:
        return -1 if only_first.high & (either & -either) else 1
    return 0


cdef void remove_larger(Search* s, int begin) noexcept nogil:
    """Keep only the minimal sets; those before `begin` are minimal, and none of them contains a later one."""
    cdef int k, other, count = begin
    cdef bint minimal
    qsort(s.sets + begin, s.count - begin, sizeof(Set), smaller_first)
    for k in range(begin, s.count):
        minimal = True
        for other in range(count):
            if within(&s.sets[other], &s.sets[k]):
                minimal = False
                break
        if minimal:
            s.sets[count] = s.sets[k]
            count += 1
    s.count = count


cdef bint search(Search* s) noexcept nogil:
    """Find the minimal sets, by their first cell from the last to the first; return false if out of memory."""
    cdef int cell, k, begin
    cdef State state
    cdef Set first
    cdef Set fixed = s.fixed
    # fixed are the cells that are not changeable, and all cells before the first one of the set
    for cell in range(80, -1, -1):
        if contains(&fixed, cell):
            continue
        s.fixed = fixed
        for k in range(cell):
            add(&s.fixed, k)
        memset(&state, 0, sizeof(State))
        memset(&first, 0, sizeof(Set))
        add(&first, cell)
        must_change(s, &state, first)
        begin = s.count
        if not extend(s, &state):
            return False
        if s.count > begin:
            remove_larger(s, begin)
    if s.count:
        qsort(s.sets, s.count, sizeof(Set), smaller_first)
    return True


def find(const uint8_t[::1] grid not None, const uint8_t[::1] changeable not None, int size):
    """Find the minimal unavoidable sets of up to `size` changeable cells of a correct full grid.

    Return a row of 81 bytes for each set, 1 for its cells, in order of size, then of cells.
    """
    cdef Search s
    cdef bint done
    cdef int k, cell
    cdef bytearray rows
    cdef uint8_t[::1] out
    if grid.shape[0] != 81 or changeable.shape[0] != 81:
        raise ValueError("a grid and its changeable cells must have 81 items each")
    for cell in range(81):
        if not 1 <= grid[cell] <= 9:
            raise ValueError("the digits of a full grid must be 1 to 9")
    memset(&s, 0, sizeof(Search))
    s.size = size
    try:
        with nogil:
            prepare(&s, grid, changeable)
            done = search(&s)
        if not done:
            raise MemoryError
        rows = bytearray(81 * s.count)
        if s.count:
            out = rows
            for k in range(s.count):
                for cell in range(81):
                    out[81 * k + cell] = contains(&s.sets[k], cell)
        return rows
    finally:
        free(s.sets)
