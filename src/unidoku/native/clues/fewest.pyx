"""Find the fewest clues of a proper puzzle that leave it proper, by branch and bound.

Clues make a proper puzzle if every unavoidable set of the solution contains one of them. The search knows some of
these sets. It chooses a set without a clue and tries each of its cells as a clue; cells already tried are excluded
from the later branches. A branch ends if it needs more clues than allowed: disjoint sets need a clue each. If all
known sets contain a clue, the puzzle is solved; a second solution gives a new set, which is reduced to a minimal one
by solving further puzzles. When the search is exhausted, the number of allowed clues rises by one, so the first
result has the fewest clues, and a search that ends early gives a lower bound.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from unidoku.native.cells cimport cells_any, cells_count, cells_first, cells_has, cells_of, cells_rest, cells_t
from unidoku.native.clues.sets cimport difference
from unidoku.native.garbage cimport spoil
from unidoku.native.memory cimport make_room

cdef enum:
    TURNS = 1 << 16  # branches between two checks of signals

cdef enum Outcome:
    AGAIN    # the turns are used up
    ASK
    DONE

cdef struct Branch:
    cells_t taken  # the clues
    cells_t out  # excluded cells
    cells_t left  # cells to try as the next clue
    bint begun  # `left` is set

cdef struct Search:
    uint8_t solution[81]
    uint8_t ones[81]    # 1 in every cell
    cells_t clues       # of the puzzle
    cells_t best
    cells_t* sets       # unavoidable sets, only their cells with clues of the puzzle; the smallest first
    Py_ssize_t count, capacity
    Branch stack[82]
    int depth           # of the stack, -1 if it is empty
    int allowed         # number of clues
    int64_t budget      # branches left
    cells_t shrinking   # a new set that is being reduced; empty during the search
    cells_t tries       # cells that may be redundant in it
    cells_t asked


cdef bint keep(Search* s, cells_t cells) noexcept nogil:
    """Add a set, in order of size; return false if out of memory."""
    cdef Py_ssize_t k = s.count
    if not make_room(<void**> &s.sets, &s.capacity, s.count + 1, sizeof(cells_t)):
        return False
    while k and cells_count(s.sets[k - 1]) > cells_count(cells):
        s.sets[k] = s.sets[k - 1]
        k -= 1
    s.sets[k] = cells
    s.count += 1
    return True


cdef void open_branch(Branch* b, cells_t taken, cells_t out) noexcept nogil:
    """Set every field of a branch."""
    spoil(b, sizeof(Branch))
    b.taken = taken
    b.out = out
    b.left = 0
    b.begun = False


cdef bint begin_branch(const Search* s, Branch* b) noexcept nogil:
    """Find the cells to try, none if all known sets have a clue; return false if too many clues are needed."""
    cdef int size, smallest = 82, needed = cells_count(b.taken)
    cdef Py_ssize_t k
    cdef cells_t open_cells, used = 0
    b.left = 0
    b.begun = True
    for k in range(s.count):
        if cells_any(s.sets[k] & b.taken):
            continue
        open_cells = s.sets[k] & ~b.out
        size = cells_count(open_cells)
        if size < smallest:
            smallest = size
            b.left = open_cells
            if size == 0:
                return False
        if not cells_any(open_cells & used):
            used |= open_cells
            needed += 1
            if needed > s.allowed:
                return False
    return True


cdef int most_frequent(const Search* s, const Branch* b) noexcept nogil:
    """Return the cell to try next: the one in most sets without a clue."""
    cdef cells_t left = b.left
    cdef int cell, here, best = -1, most = -1
    cdef Py_ssize_t k
    while cells_any(left):
        cell = cells_first(left)
        here = 0
        for k in range(s.count):
            here += cells_has(s.sets[k], cell) and not cells_any(s.sets[k] & b.taken)
        if here > most:
            most = here
            best = cell
        left = cells_rest(left)
    return best


cdef Outcome search(Search* s) noexcept nogil:
    """Continue the search until a puzzle must be solved."""
    cdef Branch* b
    cdef int turns = TURNS, cell
    while turns:
        if s.depth < 0:  # so few clues do not suffice
            s.allowed += 1
            if s.allowed >= cells_count(s.best):
                return DONE
            s.depth = 0
            open_branch(&s.stack[0], 0, 0)
        b = &s.stack[s.depth]
        if not b.begun:
            if s.budget == 0:
                return DONE
            s.budget -= 1
            turns -= 1
            if not begin_branch(s, b):
                s.depth -= 1
                continue
            if not cells_any(b.left):
                b.begun = False
                s.asked = b.taken
                return ASK
        if not cells_any(b.left):
            s.depth -= 1
            continue
        cell = most_frequent(s, b)
        b.left &= ~cells_of(cell)
        s.depth += 1
        open_branch(&s.stack[s.depth], b.taken | cells_of(cell), b.out)
        b.out |= cells_of(cell)
    return AGAIN


cdef Outcome shrink(Search* s) noexcept nogil:
    """Propose the puzzle that tests whether a cell of the new set is redundant; DONE if none is left to test."""
    if not cells_any(s.tries):
        return DONE
    s.asked = s.clues & ~s.shrinking | cells_of(cells_first(s.tries))
    s.tries = cells_rest(s.tries)
    return ASK


cdef bint differs(const Search* s, const uint8_t* grid, cells_t* cells) noexcept nogil:
    """Test whether a grid differs from the solution; find the clues of the puzzle where it does."""
    if grid[0] == 0 or not difference(grid, s.solution, s.ones, cells):
        return False
    cells[0] &= s.clues
    return True


@cython.final
cdef class Fewest:
    """Search for the fewest clues of a puzzle; the caller solves the proposed puzzles.

    All three buffers have 81 cells; `best` is a proper puzzle with some of the clues. `budget` bounds the branches.
    """

    cdef Search s
    cdef bint ended

    def __cinit__(self, const uint8_t[::1] solution, const uint8_t[::1] clues, const uint8_t[::1] best, int64_t budget):
        cdef int k
        if solution.shape[0] != 81 or clues.shape[0] != 81 or best.shape[0] != 81:
            raise ValueError("a grid must have 81 cells")
        for k in range(81):
            if not 1 <= solution[k] <= 9 or clues[k] not in (0, solution[k]) or best[k] not in (0, clues[k]):
                raise ValueError("a clue differs from the solution or the puzzle")
            if clues[k]:
                self.s.clues |= cells_of(k)
            if best[k]:
                self.s.best |= cells_of(k)
            self.s.solution[k] = solution[k]
        memset(self.s.ones, 1, 81)
        self.s.budget = max(budget, 0)
        self.s.depth = -1
        self.s.allowed = -1

    def __dealloc__(self):
        free(self.s.sets)

    @property
    def complete(self):
        """Whether the search has ended: the best puzzle has the fewest clues."""
        return self.ended

    @property
    def at_least(self):
        """Proved lower bound of the number of clues."""
        return cells_count(self.s.best) if self.ended else self.s.allowed

    def best(self, uint8_t[::1] row not None):
        """Write the best puzzle found to a row of 81 bytes."""
        if row.shape[0] != 81:
            raise ValueError("row must have 81 bytes")
        write_clues(&self.s, self.s.best, &row[0])

    def propose(self, uint8_t[::1] rows):
        """Write the puzzle to solve next to a row of 81 bytes; return 1, or 0 if the search has ended."""
        cdef Outcome outcome = DONE
        if rows.shape[0] != 81:
            raise ValueError("rows must have 81 bytes")
        if self.ended:
            return 0
        if cells_any(self.s.shrinking):
            outcome = shrink(&self.s)
            if outcome == DONE:
                if not keep(&self.s, self.s.shrinking):
                    raise MemoryError
                self.s.shrinking = 0
        if outcome == DONE:
            outcome = AGAIN
            while outcome == AGAIN:
                PyErr_CheckSignals()
                with nogil:
                    outcome = search(&self.s)
        if outcome == DONE:
            self.ended = self.s.allowed >= cells_count(self.s.best)
            return 0
        write_clues(&self.s, self.s.asked, &rows[0])
        return 1

    def learn(self, const uint8_t[::1] solutions, const uint8_t[::1] witnesses):
        """Learn from two different solutions of the last proposal; zeros in `witnesses` if there is only one."""
        cdef cells_t cells, other
        cdef bint first, second
        if solutions.shape[0] < 81 or witnesses.shape[0] < 81:
            raise ValueError("a buffer is too small for the solution")
        first = differs(&self.s, &solutions[0], &cells)
        second = differs(&self.s, &witnesses[0], &other)
        if second and (not first or cells_count(other) < cells_count(cells)):
            cells = other
        if not first and not second:
            if not cells_any(self.s.shrinking):
                self.s.best = self.s.asked
                self.ended = True
        elif not cells_any(cells) or cells_any(cells & self.s.asked):
            raise ValueError("the puzzle is not proper, or a solution does not belong to it")
        else:
            if not cells_any(self.s.shrinking):
                self.s.tries = cells
            self.s.shrinking = cells
            self.s.tries &= cells


cdef void write_clues(const Search* s, cells_t cells, uint8_t* row) noexcept:
    cdef int cell
    for cell in range(81):
        row[cell] = s.solution[cell] if cells_has(cells, cell) else 0
