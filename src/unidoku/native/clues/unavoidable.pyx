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
from libc.stdlib cimport free, qsort
from libc.string cimport memset

from unidoku.native.cells cimport (
    box_of, cells_any, cells_count, cells_first, cells_has, cells_of, cells_rest, cells_t, column_of,
    houses_of, row_of,
)
from unidoku.native.clues.sets cimport bit_count, lowest_bit
from unidoku.native.memory cimport make_room
from unidoku.native.stop cimport is_set

cdef enum:
    NINE = 511

cdef struct Search:
    cells_t needs[81][10]  # cells that must change if a cell changes to a digit
    cells_t fixed       # cells that must not change
    uint64_t kinds[81]  # the row, column, box and digit of a cell, as bits 0 to 35
    uint8_t grid[81]
    int size
    cells_t* sets
    Py_ssize_t count, capacity
    const uint8_t* stop  # not 0: end the search; may be NULL

cdef struct State:
    cells_t changed     # cells that must change
    cells_t open        # those without a new digit
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
            s.fixed |= cells_of(cell)
        s.kinds[cell] = houses_of(cell) | <uint64_t> 1 << (26 + grid[cell])
        for other in range(81):
            if other != cell and houses_of(other) & houses_of(cell):
                s.needs[cell][grid[other]] |= cells_of(other)


cdef inline void must_change(Search* s, State* state, cells_t cells) noexcept nogil:
    """Add cells that do not yet have to change."""
    cdef uint64_t kinds
    state.changed |= cells
    state.open |= cells
    while cells_any(cells):
        kinds = s.kinds[cells_first(cells)]
        cells = cells_rest(cells)
        state.twice |= state.once & kinds
        state.once |= kinds
        state.cells += 1


cdef inline int least_further(const State* state) noexcept nogil:
    """Return a lower bound of the further cells that must change."""
    cdef uint64_t single = state.once & ~state.twice
    cdef int shift, least = 0
    for shift in range(0, 36, 9):
        least = max(least, bit_count(single >> shift & NINE))
    return least


cdef bint extend(Search* s, const State* state) noexcept nogil:
    """Find the sets that contain the cells of a state; return false if out of memory or stopped."""
    cdef cells_t left = state.open, needed
    cdef State next_state
    cdef uint16_t options, digits, best_digits = 0
    cdef int cell, digit, best = 0, fewest = 10, allowed = s.size - state.cells
    if is_set(s.stop):
        return False
    if not cells_any(left):
        if not make_room(<void**> &s.sets, &s.capacity, s.count + 1, sizeof(cells_t)):
            return False
        s.sets[s.count] = state.changed
        s.count += 1
        return True
    while cells_any(left):
        cell = cells_first(left)
        left = cells_rest(left)
        digits = 1022 & ~(state.rows[row_of(cell)] | state.columns[column_of(cell)] | state.boxes[box_of(cell)]
                          | <uint16_t> 1 << s.grid[cell])
        options = 0
        while digits:
            digit = lowest_bit(digits)
            digits &= digits - 1
            needed = s.needs[cell][digit]
            if cells_any(needed & s.fixed):
                continue
            if cells_count(needed & ~state.changed) <= allowed:
                options |= <uint16_t> 1 << digit
        if bit_count(options) < fewest:
            fewest = bit_count(options)
            best = cell
            best_digits = options
            if fewest <= 1:
                break
    while best_digits:
        digit = lowest_bit(best_digits)
        best_digits &= best_digits - 1
        next_state = state[0]
        next_state.open &= ~cells_of(best)
        next_state.rows[row_of(best)] |= <uint16_t> 1 << digit
        next_state.columns[column_of(best)] |= <uint16_t> 1 << digit
        next_state.boxes[box_of(best)] |= <uint16_t> 1 << digit
        must_change(s, &next_state, s.needs[best][digit] & ~state.changed)
        if next_state.cells + least_further(&next_state) <= s.size and not extend(s, &next_state):
            return False
    return True


cdef int smaller_first(const void* a, const void* b) noexcept nogil:
    """Compare two sets by size, then by cells."""
    cdef cells_t first = (<const cells_t*> a)[0]
    cdef cells_t second = (<const cells_t*> b)[0]
    cdef cells_t either = first ^ second
    cdef int more = cells_count(first) - cells_count(second)
    if more or not cells_any(either):
        return more
    return -1 if cells_has(first, cells_first(either)) else 1


cdef bint remove_larger(Search* s, Py_ssize_t begin) noexcept nogil:
    """Keep only the minimal sets; those before `begin` are minimal, and none of them contains a later one.

    Return false if stopped.
    """
    cdef Py_ssize_t k, other, count = begin
    cdef bint minimal
    qsort(s.sets + begin, s.count - begin, sizeof(cells_t), smaller_first)
    for k in range(begin, s.count):
        if is_set(s.stop):
            return False
        minimal = True
        for other in range(count):
            if not cells_any(s.sets[other] & ~s.sets[k]):
                minimal = False
                break
        if minimal:
            s.sets[count] = s.sets[k]
            count += 1
    s.count = count
    return True


cdef bint search(Search* s) noexcept nogil:
    """Find the minimal sets, by their first cell from the last to the first; false if out of memory or stopped."""
    cdef int cell
    cdef Py_ssize_t begin
    cdef State state
    cdef cells_t fixed = s.fixed
    # fixed are the cells that are not changeable, and all cells before the first one of the set
    for cell in range(80, -1, -1):
        if cells_has(fixed, cell):
            continue
        s.fixed = fixed | cells_of(cell) - 1
        memset(&state, 0, sizeof(State))
        must_change(s, &state, cells_of(cell))
        begin = s.count
        if not extend(s, &state):
            return False
        if s.count > begin and not remove_larger(s, begin):
            return False
    if s.count:
        qsort(s.sets, s.count, sizeof(cells_t), smaller_first)
    return True


def find(const uint8_t[::1] grid not None, const uint8_t[::1] changeable not None, int size, *,
         const uint8_t[::1] stop=None):
    """Find the minimal unavoidable sets of up to `size` changeable cells of a correct full grid.

    Return a row of 81 bytes for each set, 1 for its cells, in order of size, then of cells; None if a byte at `stop`
    that is not zero ended the search.
    """
    cdef Search s
    cdef bint done
    cdef Py_ssize_t k
    cdef int cell
    cdef bytearray rows
    cdef uint8_t[::1] out
    if grid.shape[0] != 81 or changeable.shape[0] != 81:
        raise ValueError("a grid and its changeable cells must have 81 items each")
    for cell in range(81):
        if not 1 <= grid[cell] <= 9:
            raise ValueError("the digits of a full grid must be 1 to 9")
    memset(&s, 0, sizeof(Search))
    s.size = size
    s.stop = NULL if stop is None else &stop[0]
    try:
        with nogil:
            prepare(&s, grid, changeable)
            done = search(&s)
        if not done and is_set(s.stop):
            return None
        if not done:
            raise MemoryError
        rows = bytearray(81 * s.count)
        if s.count:
            out = rows
            for k in range(s.count):
                for cell in range(81):
                    out[81 * k + cell] = cells_has(s.sets[k], cell)
        return rows
    finally:
        free(s.sets)
