# Work on many puzzles that proposes puzzles to a solver in batches and learns from their solutions.

cdef enum:
    VACANT = -1     # the index of a puzzle in progress, where there is none
    WRONG = 1       # what `learn_from` returns, as bits
    NO_MEMORY = 2


cdef class _Proposals:
    """The batches of proposals: at most one for each puzzle in progress."""

    cdef Py_ssize_t* asked  # of each proposal: number of the puzzle in progress
    cdef Py_ssize_t capacity, asks, taken  # puzzles in progress at most, proposals, puzzles begun

    def __cinit__(self, Py_ssize_t capacity, *_):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.asked = <Py_ssize_t*> calloc(capacity, sizeof(Py_ssize_t))
        if self.asked == NULL:
            raise MemoryError
        self.capacity = capacity

    def __dealloc__(self):
        free(self.asked)

    cdef bint propose_next(self, Py_ssize_t k, uint8_t* row) noexcept nogil:
        """Write the next proposal of puzzle k in progress, or of one that takes its place; return false if none."""
        return False

    cdef int learn_from(self, Py_ssize_t k, const uint8_t* solution, const uint8_t* witness) noexcept nogil:
        """Learn from the solutions of the last proposal of puzzle k in progress."""
        return 0

    def propose(self, uint8_t[::1] rows):
        """Write the next proposal of each puzzle in progress, 81 bytes each; return their number, 0 at the end."""
        cdef Py_ssize_t k
        if rows.shape[0] != 81 * self.capacity:
            raise ValueError("rows must have 81 bytes per puzzle")
        self.asks = 0
        with nogil:
            for k in range(self.capacity):
                if self.propose_next(k, &rows[81 * self.asks]):
                    self.asked[self.asks] = k
                    self.asks += 1
        return self.asks

    def learn(self, const uint8_t[::1] solutions, const uint8_t[::1] witnesses):
        """Learn from two different solutions of each of the last proposals; zeros stand for a missing one."""
        cdef Py_ssize_t k
        cdef int failed = 0
        if solutions.shape[0] < 81 * self.asks or witnesses.shape[0] < 81 * self.asks:
            raise ValueError("a buffer is too small for the solutions")
        with nogil:
            for k in range(self.asks):
                failed |= self.learn_from(self.asked[k], &solutions[81 * k], &witnesses[81 * k])
        self.asks = 0
        if failed & NO_MEMORY:
            raise MemoryError
        if failed:
            raise ValueError("a puzzle is not proper, or a solution does not belong to it")
