"""Remove redundant clues of many puzzles together, with as few calls of a solver as possible.

A unit is a cell, or a set of cells whose clues are kept or removed together; each puzzle has a random order of its
units.  The result is as by the simple method: for each unit in that order, remove it if the puzzle still has one
solution without it.

The simple method solves a puzzle for every unit.  Here a set of clues is proposed and solved as a whole.

An unavoidable set is a set of cells that must contain a clue, because its digits can be exchanged.  If all units of
an unavoidable set except the last in the order are removed, the last must be kept.  The known sets determine a
proposal.  A second solution of the proposal differs from the first in a new unavoidable set.  If there is no second
solution, the proposal is the result.

    the solution has     r1c1 3   r1c4 5      3 and 5 may be exchanged: one of these four cells must keep its clue
                         r2c1 5   r2c4 3
    order of the units   r1c4   r9c9   r2c1   r1c1   r5c5   r2c4   ...
    proposal             drop   drop   drop   drop   drop   keep: the last of the set

The checker of McGuire, Tugemann and Civario (There is no 16-clue sudoku, 2012) also uses unavoidable sets, and
enumerates all sets of clues that hit them. Here they only decide what to try.
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from unidoku._native.bits cimport lowest_bit
from unidoku._native.cells cimport box_of, cells_any, cells_first, cells_of, cells_rest, cells_t
from unidoku._native.checks cimport invariant
from unidoku._native.clues.sets cimport bytes_greatest, bytes_load, bytes_max, difference
from unidoku._native.garbage cimport spoil
from unidoku._native.memory cimport make_room

include "proposals.pxi"

cdef enum:
    LINK = 96       # first bit of the number of the next set in a learned set, above its cells
    QUICK = 216     # largest number of sets found without a solver: four of each pair

cdef struct ReductionPuzzle:
    uint8_t solution[81]
    uint8_t row[81]         # the clues without those finally removed
    uint8_t place[81]       # of each clue in the order, from 1; 0 where there is no clue
    uint8_t order[81]       # units
    uint8_t size[81]        # clues of each unit, in the order
    uint8_t start[83]       # in `quick`: the sets by the place of their last clue
    uint16_t first[82]      # in `sets`: likewise, numbered from 1, continued by LINK
    cells_t kept            # the clues without those finally removed
    cells_t proposed
    cells_t* sets           # learned
    Py_ssize_t count, capacity
    int clues, left         # kept, proposed
    int units, fewest
    int settled             # units before this position are finally removed or kept
    int reach               # the proposal removes units before this position
    Py_ssize_t index        # in the batch; VACANT without a puzzle
    cells_t quick[QUICK]

cdef struct FoundSets:
    int count
    cells_t cells[QUICK]
    uint8_t last[QUICK]     # place of the last clue


cdef uint64_t GOLDEN = 0x9E3779B97F4A7C15  # the step of SplitMix64


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    """Apply the finalizer of SplitMix64, a hash of 64-bit numbers."""
    word = (word ^ (word >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <uint64_t> 0x94D049BB133111EB
    return word ^ (word >> 31)


cdef inline uint64_t mix(uint64_t* state) noexcept nogil:
    """Return the next word of SplitMix64."""
    state[0] += GOLDEN
    return mixed(state[0])


cdef inline int below(uint64_t* state, int bound) noexcept nogil:
    """Return a random number from 0 to bound - 1; the bias is below 2**-25."""
    return <int> ((mix(state) >> 32) * bound >> 32)


cdef bint is_full(const uint8_t* grid) noexcept nogil:
    """Whether 81 cells 1 to 9 have each digit once in every house: the sets found without a solver rely on it."""
    cdef uint16_t row, bit, all_digits = 511
    cdef uint16_t column[9]
    cdef uint16_t box[9]
    cdef int j, k
    memset(column, 0, sizeof(column))
    memset(box, 0, sizeof(box))
    for j in range(9):
        row = 0
        for k in range(9):
            bit = <uint16_t> 1 << (grid[9 * j + k] - 1)
            row |= bit
            column[k] |= bit
            box[j // 3 * 3 + k // 3] |= bit
        all_digits &= row
    for k in range(9):
        all_digits &= column[k] & box[k]
    return all_digits == 511


cdef bint add_set(ReductionPuzzle* p, cells_t cells, int last) noexcept nogil:
    """Add an unavoidable set by the place of its last clue; return false if out of memory."""
    if not make_room(<void**> &p.sets, &p.capacity, p.count + 1, sizeof(cells_t)):
        return False
    p.sets[p.count] = cells | <cells_t> p.first[last] << LINK
    p.count += 1
    p.first[last] = p.count
    return True


cdef inline void found_set(FoundSets* found, cells_t cells, int last) noexcept nogil:
    invariant(found.count < QUICK and cells_any(cells) and 0 <= last <= 81)
    found.cells[found.count] = cells
    found.last[found.count] = last
    found.count += 1


cdef void digit_pairs(const ReductionPuzzle* p, FoundSets* found) noexcept nogil:
    """Find sets of two digits: rows in which they can be exchanged, unless these are all rows."""
    cdef uint8_t column[9][16]   # of each digit in each row
    cdef uint8_t place[9][16]    # of each digit in each row
    cdef uint16_t row_at[9][9]   # bit of the row of each digit in each column
    cdef uint16_t rows_of[9][9]  # bit of the row of each digit in each box
    cdef cells_t digit_cells[9]  # all cells of each digit
    cdef uint16_t link[9]        # rows that must be exchanged with each row
    cdef uint16_t rows, todo, left
    cdef int a, b, row, cell, k, last
    memset(digit_cells, 0, sizeof(digit_cells))
    memset(place, 0, sizeof(place))
    cell = 0
    for row in range(9):
        for k in range(9):
            a = p.solution[cell] - 1
            column[a][row] = k
            place[a][row] = p.place[cell]
            row_at[a][k] = <uint16_t> 1 << row
            rows_of[a][BOX[cell]] = <uint16_t> 1 << row
            digit_cells[a] |= cells_of(cell)
            cell += 1
    for a in range(8):
        for b in range(a + 1, 9):
            for row in range(9):
                link[row] = row_at[b][column[a][row]] | rows_of[b][BOX[9 * row + column[a][row]]]
            left = 511
            while left:
                todo = rows = left & -left
                while todo:
                    row = lowest_bit(todo)
                    todo = (todo & (todo - 1)) | (link[row] & ~rows)
                    rows |= link[row]
                left &= ~rows
                if rows == 511:
                    break
                last = bytes_greatest(
                    bytes_max(bytes_load(place[a]), bytes_load(place[b])) & bytes_load(ROW_BYTES[rows])
                )
                found_set(found, (digit_cells[a] | digit_cells[b]) & ROWS[rows], last)


cdef void line_pairs(const ReductionPuzzle* p, FoundSets* found) noexcept nogil:
    """Find sets of two rows of a band, or two columns of a stack: places where their digits can be exchanged."""
    cdef uint8_t at[10]     # of each digit in the first line
    cdef uint8_t next_place[9]
    cdef int way, band, k, first, second, place, step, other, last
    cdef uint16_t left
    cdef cells_t cells
    for way in range(2):
        step = 9 if way else 1    # from place to place of a line
        other = 1 if way else 9   # from line to line
        for band in range(3):
            for k in range(3):
                first = (3 * band + k) * other
                second = (3 * band + (k + 1) % 3) * other
                for place in range(9):
                    at[p.solution[first + place * step]] = place
                for place in range(9):
                    next_place[place] = at[p.solution[second + place * step]]
                left = 511
                while left:
                    cells = 0
                    last = 0
                    place = lowest_bit(left)
                    while left >> place & 1:
                        left ^= <uint16_t> 1 << place
                        cells |= cells_of(first + place * step) | cells_of(second + place * step)
                        last = max(last, p.place[first + place * step], p.place[second + place * step])
                        place = next_place[place]
                    found_set(found, cells, last)


cdef int draw_order(const uint8_t* clues, const uint8_t* units, uint64_t state, uint8_t* order) noexcept nogil:
    """Draw a random order of the units that have clues; return their number."""
    cdef bint used[81]
    cdef int cell, k, other, count = 0
    memset(used, 0, sizeof(used))
    for cell in range(81):
        if clues[cell] and not used[units[cell]]:
            used[units[cell]] = True
            order[count] = units[cell]
            count += 1
    for k in range(count - 1, 0, -1):
        other = below(&state, k + 1)
        order[k], order[other] = order[other], order[k]
    return count


cdef void start_reduction(ReductionPuzzle* p, Py_ssize_t index, const uint8_t* solution, const uint8_t* clues,
                          const uint8_t* units, uint64_t state, int fewest) noexcept nogil:
    """Draw the order of the units of a puzzle, and find the sets that need no solver; set every field.

    The memory of the learned sets is kept.
    """
    cdef cells_t* sets = p.sets
    cdef Py_ssize_t capacity = p.capacity
    cdef uint8_t position[81]
    cdef FoundSets found
    cdef int cell, k, count
    spoil(p, sizeof(ReductionPuzzle))
    spoil(sets, capacity * sizeof(cells_t))
    memset(p, 0, sizeof(ReductionPuzzle))
    p.sets, p.capacity = sets, capacity
    p.index = index
    p.fewest = fewest
    memcpy(p.solution, solution, 81)
    memcpy(p.row, clues, 81)
    p.units = count = draw_order(clues, units, state, p.order)
    for k in range(count):
        position[p.order[k]] = k + 1
    for cell in range(81):
        if clues[cell]:
            p.kept |= cells_of(cell)
            p.place[cell] = position[units[cell]]
            p.size[p.place[cell] - 1] += 1
            p.clues += 1
    found.count = 0
    digit_pairs(p, &found)
    line_pairs(p, &found)
    # sort them by the place of their last clue
    for k in range(found.count):
        p.start[found.last[k]] += 1
    count = 0
    for k in range(83):
        count += p.start[k]
        p.start[k] = count
    for k in range(found.count):
        p.start[found.last[k]] -= 1
        invariant(p.start[found.last[k]] < QUICK)
        p.quick[p.start[found.last[k]]] = found.cells[k]


cdef inline bint needed(const ReductionPuzzle* p, int place, cells_t without) noexcept nogil:
    """Test whether a set with this last place has no clue left without a unit."""
    cdef uint64_t k
    for k in range(p.start[place], p.start[place + 1]):
        if not cells_any(p.quick[k] & without):
            return True
    k = p.first[place]
    while k:
        if not cells_any(p.sets[k - 1] & without):
            return True
        k = <uint64_t> (p.sets[k - 1] >> LINK)
    return False


cdef inline void clear_cells(uint8_t* row, cells_t cells) noexcept nogil:
    while cells_any(cells):
        row[cells_first(cells)] = 0
        cells = cells_rest(cells)


cdef bint propose_clues(ReductionPuzzle* p, const cells_t* unit_cells, uint8_t* row) noexcept nogil:
    """Remove units, in order, that no known set needs, as many as probably have no unknown set.

    Return false if there is none: the puzzle is finished.
    """
    cdef int k, dropped = 0
    cdef int most = STEP[p.clues]
    cdef cells_t without
    p.proposed = p.kept
    p.left = p.clues
    p.reach = p.units
    for k in range(p.settled, p.units):
        without = p.proposed & ~unit_cells[p.order[k]]
        if p.left - p.size[k] < p.fewest or needed(p, k + 1, without):
            p.settled += dropped == 0
            continue
        if dropped >= most:
            p.reach = k
            break
        dropped += p.size[k]
        p.left -= p.size[k]
        p.proposed = without
    if not dropped:
        return False
    memcpy(row, p.row, 81)
    clear_cells(row, p.kept & ~p.proposed)
    return True


cdef enum:
    SAME = 4  # what `learn_difference` returns besides: the grid is the solution


cdef inline int learn_difference(ReductionPuzzle* p, const uint8_t* grid) noexcept nogil:
    """Add the set of cells where a grid differs from the solution; return SAME, WRONG, NO_MEMORY or 0."""
    cdef cells_t cells
    cdef int last = difference(grid, p.solution, p.place, &cells)
    if not cells_any(cells):
        return SAME
    if last == 0 or cells_any(cells & p.proposed):
        return WRONG
    invariant(last <= p.units)
    return 0 if add_set(p, cells, last) else NO_MEMORY


cdef inline void settle_proposals(ReductionPuzzle* p) noexcept nogil:
    """Remove the clues of a proposal finally, because it has one solution."""
    clear_cells(p.row, p.kept & ~p.proposed)
    p.kept = p.proposed
    p.clues = p.left
    p.settled = p.reach


# Tables; written when the module is imported.
cdef cells_t ROWS[512]        # all cells of a set of rows
cdef uint8_t ROW_BYTES[512][16]
cdef uint8_t BOX[81]
cdef uint8_t STEP[82]         # clues dropped before the solver is asked, by the clues left


cdef void write_tables() noexcept:
    cdef int rows, row, k
    for k in range(81):
        BOX[k] = box_of(k)
    for rows in range(512):
        ROWS[rows] = 0
        memset(ROW_BYTES[rows], 0, 16)
        for row in range(9):
            if rows >> row & 1:
                ROW_BYTES[rows][row] = 255
                for k in range(9):
                    ROWS[rows] |= cells_of(9 * row + k)
    for k in range(82):
        # measured: fewest calls of the solver for puzzles made from full grids
        STEP[k] = k - 34 if k > 45 else 1 + (k - 24) * (k - 24) // 40 if k > 24 else 1


write_tables()


@cython.final
cdef class Reduction(_Proposals):
    """Reduce n proper puzzles, rows of 81 cells like their solutions; the caller solves the proposals.

    `units` has the unit of each of 81 cells, 0 to 80. For each puzzle, `seeds` has the seed of the order of its
    units, and `fewest` the smallest number of clues to leave; `results` takes the reduced puzzles.
    """

    cdef ReductionPuzzle* puzzles
    cdef Py_ssize_t n
    cdef const uint8_t[::1] solutions
    cdef const uint8_t[::1] clues
    cdef const uint8_t[::1] units
    cdef const uint64_t[::1] seeds
    cdef const int64_t[::1] fewest
    cdef uint8_t[::1] results
    cdef cells_t unit_cells[81]

    def __cinit__(self, Py_ssize_t capacity, const uint8_t[::1] solutions, const uint8_t[::1] clues,
                  const uint8_t[::1] units, const uint64_t[::1] seeds, const int64_t[::1] fewest,
                  uint8_t[::1] results):
        cdef Py_ssize_t n = seeds.shape[0], k
        cdef uint8_t wrong = 0
        solutions, clues, units = bytes(solutions), bytes(clues), bytes(units)  # nobody can change what is checked
        if (solutions.shape[0] != 81 * n or clues.shape[0] != 81 * n or units.shape[0] != 81
                or fewest.shape[0] != n or results.shape[0] != 81 * n):
            raise ValueError("buffers have the wrong size")
        with nogil:
            for k in range(81 * n):
                wrong |= (<uint8_t> (solutions[k] - 1) > 8) | ((clues[k] != 0) & (clues[k] != solutions[k]))
            for k in range(0 if wrong else n):
                wrong |= not is_full(&solutions[81 * k])
        for k in range(81):
            wrong |= units[k] > 80
            if not wrong:
                self.unit_cells[units[k]] |= cells_of(k)
        if wrong:
            raise ValueError("a value is out of range, a clue differs from the solution, or that is no full grid")
        self.puzzles = <ReductionPuzzle*> calloc(capacity, sizeof(ReductionPuzzle))
        if self.puzzles == NULL:
            raise MemoryError
        for k in range(capacity):
            self.puzzles[k].index = VACANT
        self.n = n
        self.solutions, self.clues, self.units, self.seeds = solutions, clues, units, seeds
        self.fewest, self.results = fewest, results

    def __dealloc__(self):
        cdef Py_ssize_t k
        if self.puzzles != NULL:
            for k in range(self.capacity):
                free(self.puzzles[k].sets)
        free(self.puzzles)

    cdef bint propose_next(self, Py_ssize_t k, uint8_t* row) noexcept nogil:
        cdef ReductionPuzzle* p = &self.puzzles[k]
        cdef Py_ssize_t i
        while p.index != VACANT or self.taken < self.n:
            if p.index == VACANT:
                i = self.taken
                start_reduction(p, i, &self.solutions[81 * i], &self.clues[81 * i], &self.units[0], self.seeds[i],
                                self.fewest[i])
                self.taken += 1
            if propose_clues(p, self.unit_cells, row):
                return True
            memcpy(&self.results[81 * p.index], p.row, 81)
            p.index = VACANT
        return False

    cdef int learn_from(self, Py_ssize_t k, const uint8_t* solution, const uint8_t* witness) noexcept nogil:
        cdef ReductionPuzzle* p = &self.puzzles[k]
        cdef int first = learn_difference(p, solution)
        cdef int second = SAME if witness[0] == 0 else learn_difference(p, witness)
        if first == SAME and second == SAME:
            settle_proposals(p)
        return (first | second) & ~SAME


def order_of(const uint8_t[::1] clues, const uint8_t[::1] units, uint64_t seed):
    """The units of a puzzle, 81 values 0 to 9, in the order of a seed."""
    cdef uint8_t order[81]
    cdef int cell
    if clues.shape[0] != 81 or units.shape[0] != 81:
        raise ValueError("clues and units must have 81 bytes")
    for cell in range(81):
        if units[cell] > 80:
            raise ValueError("a value is out of range")
    return order[:draw_order(&clues[0], &units[0], seed, order)]


def random_numbers(uint64_t seed, uint64_t position, uint64_t stream, uint64_t[::1] numbers):
    """Write the numbers from a position on, of the sequence of a seed and a stream."""
    cdef uint64_t state = mixed(seed + stream * <uint64_t> 0xD1342543DE82EF95) + position * GOLDEN
    cdef Py_ssize_t i
    with nogil:
        for i in range(numbers.shape[0]):
            numbers[i] = mix(&state)


def random_choices(uint64_t seed, uint64_t position, uint64_t stream, int64_t first, uint64_t count,
                   int64_t[::1] numbers):
    """Write `first` and the remainder by `count` of the numbers that `random_numbers` writes."""
    cdef uint64_t state = mixed(seed + stream * <uint64_t> 0xD1342543DE82EF95) + position * GOLDEN
    cdef Py_ssize_t i
    if not count:
        raise ValueError("there is nothing to choose from")
    with nogil:
        for i in range(numbers.shape[0]):
            numbers[i] = first + <int64_t> (mix(&state) % count)


def row_numbers(const uint8_t[::1] rows, uint64_t seed, uint64_t position, uint64_t[::1] numbers):
    """Write as many numbers for each row of 81 bytes, of the sequence of its bytes and the seed.

    A hash of the words of the row, whose first byte is the lowest, determines the sequence.
    """
    cdef Py_ssize_t n = rows.shape[0] // 81, i, k, count
    cdef uint64_t key, word
    if rows.shape[0] != 81 * n or n and numbers.shape[0] % n or not n and numbers.shape[0]:
        raise ValueError("rows must have 81 bytes, and as many numbers each")
    with nogil:
        count = numbers.shape[0] // n if n else 0
        for i in range(n):
            key, word = seed, 0
            for k in range(81):
                word |= <uint64_t> rows[81 * i + k] << (8 * (k % 8))
                if k % 8 == 7 or k == 80:
                    key, word = mixed(key ^ word) + k // 8, 0
            for k in range(count):
                numbers[count * i + k] = mixed(key + (position + k) * GOLDEN)


def keep_clues(uint8_t[::1] cells, int fewest, int most):
    """Move the rows of 81 cells that have so many clues to the begin; return their number."""
    cdef Py_ssize_t i, n = 0
    cdef int k, clues
    if cells.shape[0] % 81:
        raise ValueError("rows must have 81 bytes")
    with nogil:
        for i in range(cells.shape[0] // 81):
            clues = 0
            for k in range(81):
                clues += cells[81 * i + k] != 0
            if fewest <= clues <= most:
                if n < i:
                    memcpy(&cells[81 * n], &cells[81 * i], 81)
                n += 1
    return n


def random_boxes(const uint64_t[::1] seeds, uint8_t[::1] rows):
    """Make a grid of 81 cells for each seed, with three random diagonal boxes and otherwise empty."""
    cdef Py_ssize_t n = seeds.shape[0], i
    cdef uint64_t state
    cdef uint8_t digit[9]
    cdef int box, k, other
    if rows.shape[0] != 81 * n:
        raise ValueError("rows must have 81 bytes per seed")
    with nogil:
        for i in range(n):
            state = seeds[i]
            memset(&rows[81 * i], 0, 81)
            for box in range(3):
                for k in range(9):
                    digit[k] = k + 1
                for k in range(8, 0, -1):
                    other = below(&state, k + 1)
                    digit[k], digit[other] = digit[other], digit[k]
                for k in range(9):
                    rows[81 * i + 30 * box + k // 3 * 9 + k % 3] = digit[k]
