"""Redundant clues of many puzzles removed at once, with as few questions to a solver as possible.

Clues come in units (single cells, or cells that stay or go together), and each puzzle has a random order of its
units.  The result is what the plain method gives: go through the units in that order, and drop each one
without which the puzzle still has one solution.

The plain method asks a solver about every unit.  Here a clue set is proposed first, and the solver is asked
about all of it.  An unavoidable set is a set of cells of which at least one must be a clue, because their
digits can be exchanged for others.  If all units of an unavoidable set but the last one in the order are
dropped, the last one must be kept.  From all sets known so far a proposal follows; a second solution of
the proposal differs from the first one in an unavoidable set that is new, and when there is none the
proposal is the result.
"""

cimport cython
from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memset

__all__ = ["Reduction", "random_boxes"]

cdef enum:
    LAST = 255      # instead of a further cell
    NOTHING = -1
    FIRST_STEP = 36  # cells dropped before the solver is asked
    STEP = 2
    SMALLEST = 160  # unavoidable sets that a puzzle has room for at first

cdef struct Set:
    uint64_t low    # units by their position in the order
    uint64_t high
    int16_t next    # another set with the same last unit

cdef struct Puzzle:
    uint8_t solution[81]
    uint8_t row[81]         # the clues, less what is dropped for good
    uint8_t proposal[81]
    uint8_t size[81]        # cells of the unit at a position
    uint8_t cell[81]        # one of these cells
    uint8_t next[81]        # another cell of a cell's unit
    uint64_t low[81]        # bit of each cell's unit, 0 where there is no clue
    uint64_t high[81]
    int16_t first[81]       # sets by the position of their last unit
    Set* sets
    int count, room
    int units, fewest
    int settled             # units before this position are dropped or kept for good
    int reach               # the proposal drops units before this position
    int clues, left         # after what is settled; in the proposal
    uint64_t kept_low, kept_high          # after what is settled
    uint64_t proposed_low, proposed_high
    bint done


cdef extern from *:
    """
    static inline int top_bit(uint64_t word) { return 63 - __builtin_clzll(word); }
    static inline uint64_t eight_bytes(const uint8_t *from) { /* the first byte is the lowest */
      uint64_t word;
      memcpy(&word, from, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      word = __builtin_bswap64(word);
    #endif
      return word;
    }
    static inline int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }
    """
    int top_bit(uint64_t word) nogil
    int lowest_bit(uint64_t word) nogil
    uint64_t eight_bytes(const uint8_t*) nogil


cdef inline uint64_t mix(uint64_t* state) noexcept nogil:
    """The next word of SplitMix64."""
    cdef uint64_t word
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    word = state[0]
    word = (word ^ (word >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <uint64_t> 0x94D049BB133111EB
    return word ^ (word >> 31)


cdef inline int below(uint64_t* state, int bound) noexcept nogil:
    """A random number from 0 to bound - 1; the bias is below 2**-25."""
    return <int> ((mix(state) >> 32) * bound >> 32)


cdef bint add_set(Puzzle* p, uint64_t low, uint64_t high) noexcept nogil:
    """Keeps an unavoidable set; false without memory."""
    cdef int last, room
    cdef Set* grown
    if not low and not high:
        return True
    if p.count == p.room:
        room = 2 * p.room if p.room else SMALLEST
        grown = <Set*> realloc(p.sets, room * sizeof(Set))
        if grown == NULL:
            return False
        p.sets = grown
        p.room = room
    last = 64 + top_bit(high) if high else top_bit(low)
    p.sets[p.count].low = low
    p.sets[p.count].high = high
    p.sets[p.count].next = p.first[last]
    p.first[last] = p.count
    p.count += 1
    return True


cdef inline void put_cell(const Puzzle* p, int cell, uint64_t* low, uint64_t* high) noexcept nogil:
    low[0] |= p.low[cell]
    high[0] |= p.high[cell]


cdef bint digit_pairs(Puzzle* p) noexcept nogil:
    """Sets of two digits: rows in which they can be exchanged, as long as that is not all of them."""
    cdef uint8_t column[9][9]   # of each digit in each row
    cdef uint16_t row_at[9][9]  # bit of the row of each digit in each column
    cdef uint16_t rows_of[9][9]  # bit of the row of each digit in each box
    cdef uint16_t link[9]        # rows that must be exchanged with each row
    cdef uint16_t rows, todo, left
    cdef uint64_t low, high
    cdef int a, b, row, cell, box
    for cell in range(81):
        a = p.solution[cell] - 1
        row = cell // 9
        column[a][row] = cell % 9
        row_at[a][cell % 9] = <uint16_t> 1 << row
        rows_of[a][row // 3 * 3 + cell % 9 // 3] = <uint16_t> 1 << row
    for a in range(8):
        for b in range(a + 1, 9):
            for row in range(9):
                box = row // 3 * 3
                link[row] = (row_at[b][column[a][row]] | row_at[a][column[b][row]]
                             | rows_of[b][box + column[a][row] // 3] | rows_of[a][box + column[b][row] // 3])
            left = 511
            while left:
                todo = rows = left & -left
                while todo:
                    row = lowest_bit(todo)
                    todo &= todo - 1
                    todo |= link[row] & ~rows
                    rows |= link[row]
                left &= ~rows
                if rows == 511:
                    break
                low = high = 0
                todo = rows
                while todo:
                    row = lowest_bit(todo)
                    todo &= todo - 1
                    put_cell(p, 9 * row + column[a][row], &low, &high)
                    put_cell(p, 9 * row + column[b][row], &low, &high)
                if not add_set(p, low, high):
                    return False
    return True


cdef bint line_pairs(Puzzle* p) noexcept nogil:
    """Sets of two rows of a band, or two columns of a stack: places where they can be exchanged."""
    cdef uint8_t place[10]
    cdef int way, band, k, first, second, start, at, step, other
    cdef int seen
    cdef uint64_t low, high
    for way in range(2):
        step = 9 if way else 1    # from place to place of a line
        other = 1 if way else 9   # from line to line
        for band in range(3):
            for k in range(3):
                first = (3 * band + k) * other
                second = (3 * band + (k + 1) % 3) * other
                for at in range(9):
                    place[p.solution[first + at * step]] = at
                seen = 0
                for start in range(9):
                    if seen >> start & 1:
                        continue
                    low = high = 0
                    at = start
                    while not seen >> at & 1:
                        seen |= 1 << at
                        put_cell(p, first + at * step, &low, &high)
                        put_cell(p, second + at * step, &low, &high)
                        at = place[p.solution[second + at * step]]
                    if not add_set(p, low, high):
                        return False
    return True


cdef bint prepare(Puzzle* p, const uint8_t* solution, const uint8_t* clues, const uint8_t* units,
                  uint64_t state, int fewest) noexcept nogil:
    """Draws the order of a puzzle's units and finds the sets that are quickly found."""
    cdef uint8_t order[81]
    cdef uint8_t position[81]
    cdef bint used[81]
    cdef int cell, k, other, count = 0
    cdef Set* sets = p.sets
    cdef int room = p.room
    memset(p, 0, sizeof(Puzzle))
    p.sets = sets
    p.room = room
    memset(used, 0, sizeof(used))
    p.fewest = fewest
    for cell in range(81):
        p.solution[cell] = solution[cell]
        p.row[cell] = clues[cell]
        p.first[cell] = NOTHING
        if clues[cell] and not used[units[cell]]:
            used[units[cell]] = True
            order[count] = units[cell]
            count += 1
    p.units = count
    for k in range(count - 1, 0, -1):
        other = below(&state, k + 1)
        order[k], order[other] = order[other], order[k]
    for k in range(count):
        position[order[k]] = k
    for cell in range(81):
        if clues[cell]:
            k = position[units[cell]]
            p.next[cell] = p.cell[k] if p.size[k] else LAST
            p.cell[k] = cell
            p.size[k] += 1
            p.clues += 1
            if k < 64:
                p.low[cell] = <uint64_t> 1 << k
            else:
                p.high[cell] = <uint64_t> 1 << (k - 64)
            p.kept_low |= p.low[cell]
            p.kept_high |= p.high[cell]
    return digit_pairs(p) and line_pairs(p)


cdef inline bint needed(const Puzzle* p, int position) noexcept nogil:
    """Whether a set is left with the unit at a position alone."""
    cdef int k = p.first[position]
    cdef const Set* s
    cdef uint64_t low = p.proposed_low, high = p.proposed_high
    if position < 64:
        low &= ~(<uint64_t> 1 << position)
    else:
        high &= ~(<uint64_t> 1 << (position - 64))
    while k != NOTHING:
        s = &p.sets[k]
        if not (s.low & low) and not (s.high & high):
            return True
        k = s.next
    return False


cdef void propose_clues(Puzzle* p) noexcept nogil:
    """Drops units, in order, that no known set needs; as many as are likely to have no other set."""
    cdef int k, cell, dropped = 0
    cdef int most = STEP if p.settled else FIRST_STEP
    p.left = p.clues
    memcpy(p.proposal, p.row, 81)
    p.proposed_low = p.kept_low
    p.proposed_high = p.kept_high
    p.reach = p.units
    for k in range(p.settled, p.units):
        if p.left - p.size[k] < p.fewest or needed(p, k):
            continue
        if dropped >= most:
            p.reach = k
            break
        dropped += p.size[k]
        p.left -= p.size[k]
        if k < 64:
            p.proposed_low &= ~(<uint64_t> 1 << k)
        else:
            p.proposed_high &= ~(<uint64_t> 1 << (k - 64))
        cell = p.cell[k]
        while cell != LAST:
            p.proposal[cell] = 0
            cell = p.next[cell]


cdef inline void settle(Puzzle* p) noexcept nogil:
    """The proposal has one solution: what it drops is dropped for good."""
    memcpy(p.row, p.proposal, 81)
    p.clues = p.left
    p.kept_low = p.proposed_low
    p.kept_high = p.proposed_high
    p.settled = p.reach
    p.done = p.reach == p.units


cdef enum Learned:
    SAME       # the grid is the solution
    MORE       # a new set
    WRONG      # the puzzle is not proper, or the grid does not keep the proposed clues
    NO_MEMORY


cdef inline Learned learn_difference(Puzzle* p, const uint8_t* grid) noexcept nogil:
    """Keeps the set where a grid differs from the solution."""
    cdef uint64_t low = 0, high = 0, one
    cdef int cell, k
    if memcmp(grid, p.solution, 81) == 0:
        return SAME
    for k in range(10):
        one = eight_bytes(grid + 8 * k) ^ eight_bytes(p.solution + 8 * k)
        while one:
            cell = lowest_bit(one) >> 3
            one &= ~(<uint64_t> 255 << (8 * cell))
            put_cell(p, 8 * k + cell, &low, &high)
    if grid[80] != p.solution[80]:
        put_cell(p, 80, &low, &high)
    if not low | high or low & p.proposed_low or high & p.proposed_high:
        return WRONG
    return MORE if add_set(p, low, high) else NO_MEMORY


@cython.final
@cython.auto_pickle(False)
cdef class Reduction:
    """The reduction of batches of proper puzzles; a solver is asked between two steps.

    Parameters
    ----------
    room : int
        The most puzzles of a batch; their memory is used again for the next batch.
    """

    cdef Puzzle* puzzles
    cdef int64_t* asked
    cdef Py_ssize_t room, n, asks

    def __cinit__(self, Py_ssize_t room):
        if room < 1:
            raise ValueError("room must be at least 1")
        self.puzzles = <Puzzle*> calloc(room, sizeof(Puzzle))
        self.asked = <int64_t*> calloc(room, sizeof(int64_t))
        if self.puzzles == NULL or self.asked == NULL:
            raise MemoryError
        self.room = room

    def __dealloc__(self):
        cdef Py_ssize_t k
        if self.puzzles != NULL:
            for k in range(self.room):
                free(self.puzzles[k].sets)
        free(self.puzzles)
        free(self.asked)

    def load(self, const uint8_t[::1] solutions, const uint8_t[::1] clues, const uint8_t[::1] units,
             const uint64_t[::1] seeds, const int64_t[::1] fewest):
        """Begin a batch.

        Parameters
        ----------
        solutions : buffer of 81 n bytes
            The solutions, cells 1 to 9.
        clues : buffer of 81 n bytes
            The puzzles, cells 0 to 9, each with its solution only.
        units : buffer of 81 bytes
            The unit of each cell, 0 to 80; cells of one unit stay or go together.
        seeds : buffer of uint64, n items
            The order of each puzzle's units.
        fewest : buffer of int64, n items
            No unit is dropped if fewer clues than this would be left.

        Raises
        ------
        ValueError
            A buffer of the wrong size, or with a value out of range.
        """
        cdef Py_ssize_t n = seeds.shape[0], k
        cdef uint8_t wrong = 0
        self.n = self.asks = 0
        if (n > self.room or solutions.shape[0] != 81 * n or clues.shape[0] != 81 * n or units.shape[0] != 81
                or fewest.shape[0] != n):
            raise ValueError("buffers have the wrong size")
        for k in range(81 * n):
            wrong |= (<uint8_t> (solutions[k] - 1) > 8) | ((clues[k] != 0) & (clues[k] != solutions[k]))
        for k in range(81):
            wrong |= units[k] > 80
        if wrong:
            raise ValueError("a value is out of range, or a clue is not that of the solution")
        with nogil:
            for k in range(n):
                if not prepare(&self.puzzles[k], &solutions[81 * k], &clues[81 * k], &units[0], seeds[k], fewest[k]):
                    break
            else:
                self.n = n
        if self.n != n:
            raise MemoryError

    def propose(self, uint8_t[::1] rows):
        """The clues that all known sets leave, of each puzzle that is not finished.

        Parameters
        ----------
        rows : writable buffer of 81 n bytes
            Takes them one after the other, cells 0 to 9.

        Returns
        -------
        int
            How many there are; with none, all puzzles are finished.

        Raises
        ------
        ValueError
            `rows` has the wrong size.
        """
        cdef Py_ssize_t k
        if rows.shape[0] != 81 * self.n:
            raise ValueError("rows has not 81 bytes a puzzle")
        self.asks = 0
        with nogil:
            for k in range(self.n):
                if not self.puzzles[k].done:
                    propose_clues(&self.puzzles[k])
                    memcpy(&rows[81 * self.asks], self.puzzles[k].proposal, 81)
                    self.asked[self.asks] = k
                    self.asks += 1
        return self.asks

    def learn(self, const uint8_t[::1] solutions, const uint8_t[::1] witnesses):
        """Take the answers for the rows of the last `propose`.

        Parameters
        ----------
        solutions, witnesses : buffers of 81 bytes a row
            Two different solutions of each row, cells 1 to 9; zeros in `witnesses` where there is one only.

        Raises
        ------
        ValueError
            A buffer is too small, or a row has no solution or one that the puzzle has too.
        """
        cdef Py_ssize_t k
        cdef bint memory = True, right = True
        cdef Learned first, second
        cdef Puzzle* p
        if solutions.shape[0] < 81 * self.asks or witnesses.shape[0] < 81 * self.asks:
            raise ValueError("a buffer is too small for the answers")
        with nogil:
            for k in range(self.asks):
                p = &self.puzzles[self.asked[k]]
                first = learn_difference(p, &solutions[81 * k])
                second = SAME if witnesses[81 * k] == 0 else learn_difference(p, &witnesses[81 * k])
                if first == WRONG or second == WRONG:
                    p.done = True
                elif first == SAME and second == SAME:
                    settle(p)
                right = right and first != WRONG and second != WRONG
                memory = memory and first != NO_MEMORY and second != NO_MEMORY
        if not memory:
            raise MemoryError
        if not right:
            raise ValueError("a puzzle is not proper, or an answer does not belong to it")

    def result(self, uint8_t[::1] rows):
        """Write what is left of each puzzle.

        Parameters
        ----------
        rows : writable buffer of 81 n bytes

        Raises
        ------
        ValueError
            `rows` has the wrong size.
        """
        cdef Py_ssize_t k
        if rows.shape[0] != 81 * self.n:
            raise ValueError("rows has not 81 bytes a puzzle")
        for k in range(self.n):
            memcpy(&rows[81 * k], self.puzzles[k].row, 81)


def random_boxes(const uint64_t[::1] seeds, uint8_t[::1] rows):
    """Grids whose three diagonal boxes are filled at random, the rest empty.

    Parameters
    ----------
    seeds : buffer of uint64, n items
    rows : writable buffer of 81 n bytes
        Takes the grids, cells 0 to 9.

    Raises
    ------
    ValueError
        `rows` has the wrong size.
    """
    cdef Py_ssize_t n = seeds.shape[0], i
    cdef uint64_t state
    cdef uint8_t digit[9]
    cdef int box, k, other
    if rows.shape[0] != 81 * n:
        raise ValueError("rows has not 81 bytes a seed")
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
