# Results of a text scanner: puzzles and rejected records.  Each module with a scanner includes this file
# and derives its class from _Found.

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport free
from libc.string cimport memchr

from unidoku._native.checks cimport invariant
from unidoku._native.garbage cimport spoil
from unidoku._native.memory cimport make_room

cdef enum:
    LF = 10
    CR = 13
    NUMBERS = 9  # kept of each rejected record


cdef _check_part(Py_ssize_t begin, Py_ssize_t end, Py_ssize_t size):
    if not 0 <= begin <= end <= size:
        raise ValueError("begin and end must be inside the text")


cdef inline Py_ssize_t _find(const byte *t, Py_ssize_t p, Py_ssize_t end, int c) noexcept nogil:
    """The place of the first byte c from p on, or end."""
    cdef const void *at = memchr(t + p, c, end - p)
    return end if at == NULL else <const byte *>at - t


cdef inline Py_ssize_t _next_line(const byte *t, Py_ssize_t e, Py_ssize_t end) noexcept nogil:
    """The beginning of the next line, if the content of this one ends at e."""
    if e + 1 < end and t[e] == CR and t[e + 1] == LF:
        return e + 2
    return e + 1 if e < end else end


cdef inline Py_ssize_t _skip_blanks(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    while p < e and (t[p] == 32 or t[p] == 9):
        p += 1
    return p


cdef inline Py_ssize_t _last_end(const byte *t, Py_ssize_t begin, Py_ssize_t end, bint final) noexcept nogil:
    """The place after the last complete line end, or begin; a CR at the very end is complete if `final`."""
    cdef Py_ssize_t i = end - 1
    while i >= begin and not (t[i] == LF or (t[i] == CR and (final or i + 1 < end))):
        i -= 1
    return i + 1


cdef class _Found:
    """Arrays that grow with the text and are reused for the next piece; they belong to one thread at a time."""

    cdef object _space  # bytearrays that hold starts, lines, and the scanner's values for each puzzle
    cdef Py_ssize_t _capacity
    cdef Py_ssize_t _count
    cdef bint _keep
    cdef long long *_starts
    cdef long long *_lines
    cdef long long *_beside
    cdef long long *_rejects
    cdef Py_ssize_t _n_rejects
    cdef Py_ssize_t _capacity_rejects
    cdef long long *_aside  # the scanner's values for rejected records, in rows
    cdef Py_ssize_t _capacity_aside

    def __cinit__(self):
        self._capacity = -1
        self._space = (bytearray(), bytearray(), bytearray())

    def __dealloc__(self):
        free(self._rejects)
        free(self._aside)

    cdef void _begin_anew(self, Py_ssize_t count, Py_ssize_t beside):
        """Clear the results; allocate arrays for this number of puzzles and of values per puzzle.

        Old views keep the old arrays alive.
        """
        cdef unsigned char[::1] view
        if count > self._capacity or 8 * beside * self._capacity + 8 > len(self._space[2]):
            count = max(count, self._capacity)
            self._space = (bytearray(8 * count + 8), bytearray(8 * count + 8), bytearray(8 * beside * count + 8))
            self._capacity = count
        view = self._space[0]
        self._starts = <long long *>&view[0]
        view = self._space[1]
        self._lines = <long long *>&view[0]
        view = self._space[2]
        self._beside = <long long *>&view[0]
        spoil(self._starts, len(self._space[0]))
        spoil(self._lines, len(self._space[1]))
        spoil(self._beside, len(self._space[2]))
        spoil(self._rejects, self._capacity_rejects * NUMBERS * sizeof(long long))
        spoil(self._aside, self._capacity_aside * sizeof(long long))
        self._keep = beside > 0
        self._count = self._n_rejects = 0

    cdef bint _reject(self, long long line, Py_ssize_t at, Py_ssize_t p, Py_ssize_t e, int code,
                      Py_ssize_t extra) noexcept nogil:
        """Store a rejected record: from p to e, wrong at `at`; False if out of memory."""
        cdef Py_ssize_t needed = self._n_rejects + 1
        if not make_room(<void **>&self._rejects, &self._capacity_rejects, needed, NUMBERS * sizeof(long long)):
            return False
        cdef long long *row = self._rejects + NUMBERS * self._n_rejects
        row[0] = self._count
        row[1] = line
        row[2] = at - p
        row[3] = p
        row[4] = e
        row[5] = code
        row[6] = extra
        row[7] = p
        row[8] = e
        self._n_rejects += 1
        return True

    cdef _beside_view(self, Py_ssize_t which):
        """Views of values `which` and `which + 1` of each puzzle."""
        whole = memoryview(self._space[2]).cast("q")
        first = which * self._capacity
        second = first + self._capacity
        return whole[first:first + self._count], whole[second:second + self._count]

    @property
    def starts(self):
        """Offset of each puzzle in the text. All views hold the results of the latest `scan`, until the next call."""
        return memoryview(self._space[0]).cast("q")[:self._count]

    @property
    def lines(self):
        """The physical line each puzzle begins on, from 1."""
        return memoryview(self._space[1]).cast("q")[:self._count]

    @property
    def rejects(self):
        """Nine numbers for each record that is not a puzzle.

        They are the number of puzzles before it, its line, the offset of the error in it, and the offsets of its begin
        and end. Then follow the error code, the number of cells, fields or characters found, and the offsets of the
        text where a puzzle is expected.
        """
        return _copied(self._rejects, self._n_rejects * NUMBERS)


cdef _copied(const long long *numbers, Py_ssize_t count):
    if not count:
        return memoryview(b"").cast("q")
    return memoryview(PyBytes_FromStringAndSize(<const char *>numbers, 8 * count)).cast("q")
