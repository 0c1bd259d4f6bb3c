"""Find the clues that can be added to many puzzles: which leave a solution, and which leave exactly one.

A candidate is a digit in an empty cell that no clue excludes. As a clue it leaves the solutions that contain it.
Each puzzle is solved with one candidate at a time. The two solutions found contain a candidate for every empty cell,
and a candidate in two different solutions needs no test.

The candidates in no known solution are tested first: their solutions are all new, so that solutions can be counted
without storing them. Then come the candidates in one known solution.

    candidates of an empty cell    1          4          7          9
    solutions known to have it     none       one        two        one
    as a clue                      not yet    not yet    leaves two or more, without a test
    tested                         first      then       never      then
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from unidoku._native.cells cimport cells_any, cells_first, cells_of, cells_rest, cells_t, houses_of
from unidoku._native.checks cimport invariant
from unidoku._native.clues.sets cimport same_bytes
from unidoku._native.garbage cimport spoil

include "proposals.pxi"

cdef enum:
    NOTHING = -1

cdef struct AdditionPuzzle:
    uint8_t row[81]
    cells_t possible[9]  # of each digit: cells for which it is a candidate
    cells_t once[9]     # cells that have it in a known solution
    cells_t twice[9]    # in two known solutions or more
    cells_t single[9]   # in exactly one solution
    int digit, cell     # the candidate in test; NOTHING: the puzzle itself
    bint counted        # whether the candidates in no known solution have been tested
    Py_ssize_t index    # of the puzzle; VACANT without one

cdef cells_t PEERS[81]  # and the cell itself; written when the module is imported


cdef void write_tables() noexcept:
    cdef int cell, other
    for cell in range(81):
        for other in range(81):
            if houses_of(cell) & houses_of(other):
                PEERS[cell] |= cells_of(other)


write_tables()


cdef void start_additions(AdditionPuzzle* p, Py_ssize_t index, const uint8_t* row, int first) noexcept nogil:
    """Find the candidates of cells from `first` on; set every field."""
    cdef cells_t open_cells = 0
    cdef int cell, digit
    spoil(p, sizeof(AdditionPuzzle))
    memset(p, 0, sizeof(AdditionPuzzle))
    p.index = index
    p.digit = p.cell = NOTHING
    memcpy(p.row, row, 81)
    for cell in range(first, 81):
        if not row[cell]:
            open_cells |= cells_of(cell)
    for digit in range(9):
        p.possible[digit] = open_cells
    for cell in range(81):
        if row[cell]:
            p.possible[row[cell] - 1] &= ~PEERS[cell]


cdef bint choose(AdditionPuzzle* p, bint proper) noexcept nogil:
    """Choose the next candidate to test; return false if there is none."""
    cdef cells_t left
    cdef int digit
    while True:
        for digit in range(9):
            if p.counted:
                left = p.possible[digit] & p.once[digit] & ~(p.twice[digit] | p.single[digit])
            else:
                left = p.possible[digit] & ~p.once[digit]
            if cells_any(left):
                p.digit = digit
                p.cell = cells_first(left)
                return True
        if p.counted or not proper:
            return False
        p.counted = True


cdef inline void count(AdditionPuzzle* p, const uint8_t* solution) noexcept nogil:
    """Count a new solution."""
    cdef cells_t cells
    cdef int digit
    for digit in range(9):
        cells = same_bytes(solution, digit + 1)
        p.twice[digit] |= p.once[digit] & cells
        p.once[digit] |= cells


cdef inline void count_shared(AdditionPuzzle* p, const uint8_t* one, const uint8_t* other) noexcept nogil:
    """Count the candidates that two different solutions share."""
    cdef int digit
    for digit in range(9):
        p.twice[digit] |= same_bytes(one, digit + 1) & same_bytes(other, digit + 1)


cdef void learn_answer(AdditionPuzzle* p, const uint8_t* one, const uint8_t* other) noexcept nogil:
    """Learn from up to two solutions with the candidate; the first byte of a missing one is 0."""
    cdef int digit
    if p.counted:
        if other[0]:
            count_shared(p, one, other)
        else:
            p.single[p.digit] |= cells_of(p.cell)
    elif not one[0]:
        if p.cell == NOTHING:
            memset(p.possible, 0, sizeof(p.possible))
        else:
            p.possible[p.digit] &= ~cells_of(p.cell)
    else:
        count(p, one)
        if other[0]:
            count(p, other)
        elif p.cell != NOTHING:
            p.single[p.digit] |= cells_of(p.cell)
        else:  # the remaining candidates are the only solution
            for digit in range(9):
                p.possible[digit] &= p.once[digit]
                p.single[digit] = p.possible[digit]


cdef void write_masks(const AdditionPuzzle* p, bint proper, uint16_t* masks) noexcept nogil:
    cdef cells_t cells
    cdef int digit
    memset(masks, 0, 81 * sizeof(uint16_t))
    for digit in range(9):
        cells = p.single[digit] if proper else p.possible[digit]
        while cells_any(cells):
            masks[cells_first(cells)] |= <uint16_t> 1 << digit
            cells = cells_rest(cells)


@cython.final
cdef class Additions(_Proposals):
    """Find the clues that can be added to n puzzles, rows of 81 cells; the caller solves the proposed puzzles.

    Clues are added to puzzle k in cells from `first[k]` on: those that leave a solution, or exactly one if `proper`.
    """

    cdef AdditionPuzzle* in_progress
    cdef uint16_t* masks  # of each cell of each puzzle the digits that were found: bit d - 1 for digit d
    cdef Py_ssize_t n
    cdef const uint8_t[::1] rows
    cdef const int64_t[::1] first
    cdef bint proper

    def __cinit__(self, Py_ssize_t capacity, const uint8_t[::1] rows, const int64_t[::1] first, bint proper):
        cdef Py_ssize_t n = first.shape[0], k
        cdef bint wrong = False
        rows = bytes(rows)  # nobody can change what is checked
        if rows.shape[0] != 81 * n:
            raise ValueError("buffers have the wrong size")
        for k in range(81 * n):
            wrong |= rows[k] > 9
        for k in range(n):
            wrong |= not 0 <= first[k] <= 81
        if wrong:
            raise ValueError("a value is out of range")
        self.in_progress = <AdditionPuzzle*> calloc(capacity, sizeof(AdditionPuzzle))
        self.masks = <uint16_t*> calloc(max(n, 1), 81 * sizeof(uint16_t))
        if self.in_progress == NULL or self.masks == NULL:
            raise MemoryError
        for k in range(capacity):
            self.in_progress[k].index = VACANT
        self.n, self.proper = n, proper
        self.rows, self.first = rows, first

    def __dealloc__(self):
        free(self.in_progress)
        free(self.masks)

    cdef bint propose_next(self, Py_ssize_t k, uint8_t* row) noexcept nogil:
        cdef AdditionPuzzle* p = &self.in_progress[k]
        if p.index != VACANT and not choose(p, self.proper):
            write_masks(p, self.proper, &self.masks[81 * p.index])
            p.index = VACANT
        if p.index == VACANT:
            if self.taken == self.n:
                return False
            start_additions(p, self.taken, &self.rows[81 * self.taken], <int> max(0, min(81, self.first[self.taken])))
            self.taken += 1
        memcpy(row, p.row, 81)
        if p.cell != NOTHING:
            invariant(0 <= p.cell < 81 and 0 <= p.digit < 9 and not row[p.cell])
            row[p.cell] = p.digit + 1
        return True

    cdef int learn_from(self, Py_ssize_t k, const uint8_t* solution, const uint8_t* witness) noexcept nogil:
        learn_answer(&self.in_progress[k], solution, witness)
        return 0

    def puzzles(self):
        """Return the puzzles with one clue more, 81 cells each, by puzzle, cell and digit.

        First comes a buffer with the number of the puzzle that each is made of, then one with the cell after the clue.
        """
        cdef Py_ssize_t count = 0, made = 0, i
        cdef int digit
        for i in range(81 * self.n):
            for digit in range(9):
                count += (self.masks[i] >> digit) & 1
        parents, cells, puzzles = bytearray(8 * count), bytearray(8 * count), bytearray(81 * count)
        cdef int64_t[::1] parent_of = memoryview(parents).cast("q")
        cdef int64_t[::1] cell_after = memoryview(cells).cast("q")
        cdef uint8_t[::1] rows = puzzles
        for i in range(81 * self.n):
            for digit in range(9):
                if (self.masks[i] >> digit) & 1 and made < count:  # another thread may add some
                    parent_of[made] = i // 81
                    cell_after[made] = i % 81 + 1
                    memcpy(&rows[81 * made], &self.rows[81 * (i // 81)], 81)
                    rows[81 * made + i % 81] = digit + 1
                    made += 1
        return memoryview(parents).cast("q"), memoryview(cells).cast("q"), puzzles
