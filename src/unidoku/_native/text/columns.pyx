"""String columns in Arrow's layout: find puzzles, compare given solutions.

The buffers are not copied; no Python object is made per row. Offsets into the text have four or eight bytes.
"""

from cpython.bytes cimport (
    PyBytes_AS_STRING, PyBytes_Check, PyBytes_FromStringAndSize, PyBytes_GET_SIZE,
)
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_CheckExact
from cpython.long cimport PyLong_AsLongAndOverflow, PyLong_CheckExact
from cpython.object cimport Py_EQ, Py_NE
from cpython.tuple cimport PyTuple_CheckExact
from cpython.unicode cimport PyUnicode_Check, PyUnicode_CheckExact, PyUnicode_GET_LENGTH
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset, strchr, strlen

cimport cython

from unidoku._native.memory cimport check_starts, start_of

include "cells.pxi"

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        pass
    PyTypeObject* type_of "Py_TYPE"(object value)
    Py_ssize_t integer_of "PyNumber_AsSsize_t"(object value, void* error) except? -1
    bint PyUnicode_IS_ASCII(object text)
    byte* PyUnicode_1BYTE_DATA(object text)
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 largest)
    object PyUnicode_RichCompare(object text, object other, int how)

cdef enum:
    OUTSIDE = -1


cdef inline int _judge(const byte *t, int64_t length, int64_t *extra) noexcept nogil:
    """0: a puzzle; else the error code, with its position or the length."""
    extra[0] = length
    if length != 81:
        return REJECT_LENGTH
    extra[0] = first_wrong(t)
    return REJECT_CELL if extra[0] < 81 else 0


cdef inline bint _valid(const byte *bits, Py_ssize_t i) noexcept nogil:
    return bits == NULL or (bits[i >> 3] >> (i & 7)) & 1


def scan_strings(const byte[::1] text, const byte[::1] places, int size, Py_ssize_t first, Py_ssize_t count,
                 const byte[::1] validity, int64_t[::1] starts, int64_t[::1] rows):
    """Find the puzzles among `count` rows of a column of strings, from row `first` on.

    `places` has an offset of `size` bytes, 4 or 8, for each row. `validity` has Arrow's bits, 0 for null; it is empty
    if no row is null. `starts` and `rows` receive the offset of each puzzle in the text and its row, from 0.

    Return the number of puzzles, and a list with a tuple for each other row: number of puzzles before it, row, error
    code, and the length or the position of the error. The codes are in columns.pxd.
    """
    if size not in (4, 8):
        raise ValueError("an offset has 4 or 8 bytes")
    # `count` is bounded by the rows; `first` may be any number, so nothing is added to it
    if first < 0 or count < 0 or starts.shape[0] < count or rows.shape[0] < count:
        raise ValueError("the buffers of the rows are too small")
    if validity.shape[0] and first > validity.shape[0] * 8 - count:
        raise ValueError("too few validity bits")
    if count and first > places.shape[0] // size - 1 - count:
        raise ValueError("too few rows")
    cdef int64_t limit = text.shape[0], begin, end, extra = 0
    cdef byte nothing = 0
    cdef const byte *t = &text[0] if limit else &nothing
    cdef const byte *bits = &validity[0] if validity.shape[0] else NULL
    cdef const byte *at = &places[0] if places.shape[0] else NULL
    cdef Py_ssize_t i = 0, row, n = 0
    cdef int code = 0
    rejects = []
    while i < count:
        # Run without the GIL up to the next row that is not an ordinary puzzle.
        with nogil:
            while i < count:
                row = first + i
                code = REJECT_NULL
                if not _valid(bits, row):
                    break
                if size == 4:
                    begin, end = (<const int32_t *>at)[row], (<const int32_t *>at)[row + 1]
                else:
                    begin, end = (<const int64_t *>at)[row], (<const int64_t *>at)[row + 1]
                if not 0 <= begin <= end <= limit:
                    code = OUTSIDE
                    break
                code = _judge(t + begin, end - begin, &extra)
                if code > 0:
                    break
                starts[n] = begin
                rows[n] = i
                n += 1
                i += 1
            else:
                code = 0
        if code == OUTSIDE:
            raise ValueError("a string is outside its text")
        elif code > 0:
            rejects.append((n, i, code, extra if code != REJECT_NULL else 0))
            i += 1
    return n, rejects


def agree(const byte[::1] text, const int64_t[::1] begins, const int64_t[::1] ends, const byte[::1] verdicts,
          const unsigned long long[::1] counts, const byte[::1] complete, byte[::1] outcomes,
          unsigned long long limit=0):
    """Compare given numbers of solutions, from ``begins[i]`` to ``ends[i]``, with the numbers found.

    A number is right when it equals the count, or is above the limit that ended the count (0: none). Not compared are
    an empty text, a text of 81 characters, which is a solution, and a number that is not below an incomplete count.
    `outcomes` takes 0 not compared, 1 right, 2 wrong; a value is only increased, so that several columns can be
    compared one after the other.
    """
    cdef Py_ssize_t n = begins.shape[0], i, k
    cdef int64_t begin, end, number
    cdef bint right
    if (ends.shape[0] < n or verdicts.shape[0] < n or counts.shape[0] < n or complete.shape[0] < n
            or outcomes.shape[0] < n):
        raise ValueError("the buffers are too small")
    with nogil:
        for i in range(n):
            begin, end = begins[i], ends[i]
            if not 0 <= begin <= end <= text.shape[0]:
                with gil:
                    raise ValueError("an offset is outside the text")
            while begin < end and (text[begin] == 32 or text[begin] == 9):
                begin += 1
            while begin < end and (text[end - 1] == 32 or text[end - 1] == 9):
                end -= 1
            if begin == end or end - begin == 81:
                continue
            right = end - begin < 19
            number = 0
            for k in range(begin, end):
                right = right and 48 <= text[k] <= 57
                if not right:
                    break
                number = 10 * number + text[k] - 48
            if (right and (verdicts[i] == 3 or not complete[i])
                    and <unsigned long long>number >= counts[i]):
                continue
            right = right and (<unsigned long long>number == counts[i]
                               or (limit == counts[i] and limit != 0 and <unsigned long long>number > limit))
            outcomes[i] = max(outcomes[i], <byte>(1 if right else 2))


def gather(const byte[::1] text, const int64_t[::1] starts, byte[::1] rows, int zero=48):
    """Copy puzzles to `rows`, 81 bytes each, with a dot for each empty cell."""
    cdef Py_ssize_t i
    if rows.shape[0] < 81 * starts.shape[0]:
        raise ValueError("the buffers of the rows are too small")
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    with nogil:
        for i in range(starts.shape[0]):
            write_cells(&rows[81 * i], &text[start_of(&starts[i], text.shape[0])], <byte>zero)


cdef inline void _cells_of_text(const byte *t, byte *row) noexcept nogil:
    cdef Py_ssize_t k
    cdef byte value
    for k in range(81):
        value = t[k] - 48
        row[k] = value if value < 10 else 0


def are_puzzles(const byte[::1] text, const int64_t[::1] starts):
    """Whether the 81 bytes from each start on are digits and empty symbols."""
    cdef Py_ssize_t i
    cdef bint are_right = True
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    with nogil:
        for i in range(starts.shape[0]):
            if not is_puzzle(&text[start_of(&starts[i], text.shape[0])], 48):
                are_right = False
                break
            if i % 65536 == 65535:
                with gil:
                    PyErr_CheckSignals()
    return are_right


cdef enum:
    NOTHING = 1  # the code of None, NaN, and a string that is empty or a blank
    NUMBER = 1
    CHARACTER = 2
    FLOAT = 4


ctypedef fused number:
    uint16_t
    uint32_t
    uint64_t
    float
    double


cdef inline void _codes_of(const number *numbers, byte *codes) noexcept nogil:
    """Write 81 numbers as codes, 255 for what is none: a negative integer is a large one; NaN is 0 without zeros."""
    cdef int k, code, zeros = 0, nothings = 0
    cdef number value, seen = 0
    if number is float or number is double:
        for k in range(81):
            value = 0 if numbers[k] != numbers[k] else numbers[k]
            nothings += numbers[k] != numbers[k]
            zeros += value == 0
            code = <int>min(max(value, <number>-1), <number>255)
            codes[k] = <byte>code if code == value and code >= 0 else 255
        if 0 < nothings < zeros:  # two signs for empty cells
            codes[0] = 255
    else:
        for k in range(81):
            seen |= numbers[k]
            codes[k] = <byte>numbers[k]
        if seen > 255:
            for k in range(81):
                codes[k] = <byte>min(numbers[k], <number>255)


cdef bint _codes_at(const void *numbers, Py_ssize_t size, bint is_float, byte *codes) noexcept nogil:
    """Write 81 numbers of `size` bytes, at any place, as codes; false for a size that no number has."""
    cdef uint64_t aligned[81]
    if size <= 8 and <size_t>numbers % <size_t>size:
        numbers = memcpy(aligned, numbers, 81 * size)
    if is_float:
        if size == 4:
            _codes_of(<const float *>numbers, codes)
        elif size == 8:
            _codes_of(<const double *>numbers, codes)
        return size == 4 or size == 8
    if size == 1:
        memcpy(codes, numbers, 81)
    elif size == 2:
        _codes_of(<const uint16_t *>numbers, codes)
    elif size == 4:
        _codes_of(<const uint32_t *>numbers, codes)
    elif size == 8:
        _codes_of(<const uint64_t *>numbers, codes)
    return size == 1 or size == 2 or size == 4 or size == 8


cdef bint _cells_of_codes(const byte *codes, byte *row, bint numbers) noexcept nogil:
    """Write the cells of 81 codes: 0 to 9, or ASCII codes, an empty cell also 0 or a blank; false for other codes."""
    cdef int first
    if numbers and is_puzzle(codes, 0):
        memcpy(row, codes, 81)
        return True
    if not is_puzzle(codes, 48):
        first = first_empty(codes)
        if first == 81 or (codes[first] != 0 and codes[first] != 32) or not regular_cells(codes, codes[first]):
            return False
    _cells_of_text(codes, row)
    return True


cdef bint _cells_of_array(object array, byte *row) except -1:
    """Write the cells of an array of 81 numbers; false for any other one."""
    cdef Py_buffer view
    cdef byte codes[81]
    cdef bint is_float, is_read = False
    try:
        PyObject_GetBuffer(array, &view, PyBUF_ND | PyBUF_FORMAT)
    except (BufferError, TypeError, ValueError):
        return False
    if (view.ndim > 0 and view.len == 81 * view.itemsize and not (view.ndim == 2 and view.shape[1] == 3)
            and view.format != NULL and strlen(view.format) == 1):
        is_float = strchr(b"fd", view.format[0]) != NULL
        if is_float or strchr(b"bBhHiIlLqQ", view.format[0]) != NULL:
            is_read = _codes_at(view.buf, view.itemsize, is_float, codes) and _cells_of_codes(codes, row, True)
    PyBuffer_Release(&view)
    return is_read


cdef struct Kinds:
    int seen  # of NUMBER, CHARACTER, FLOAT
    int empty  # the sign of empty cells: a character (for the number, also 0), or NOTHING; 0 for no such cell
    PyTypeObject *integer  # a type of NumPy's integers


cdef extern from *:
    """
    #include <string.h>
    // The name of a type of NumPy, which need not be loaded; NULL for another type. A class of Python has such a name
    // only to deceive: its code could change the list that is read.
    static const char *name_in_numpy(PyTypeObject *type) {
      int is_class = PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE);
      return is_class || strncmp(type->tp_name, "numpy.", 6) ? NULL : type->tp_name + 6;
    }

    static int is_array(PyTypeObject *type) {
      const char *name = name_in_numpy(type);
      return name && strcmp(name, "ndarray") == 0;
    }

    // Not inline: what is done for each cell stays small.
    static __attribute__((noinline)) int is_integer(PyTypeObject *type) {
      const char *name = name_in_numpy(type);
      if (name && name[0] == 'u') name++;
      return name && (strncmp(name, "int", 3) == 0 || strcmp(name, "longlong") == 0);
    }
    """
    bint is_array(PyTypeObject *type) noexcept
    bint is_integer(PyTypeObject *type) noexcept


cdef inline int _digit_or(int sign, int digit, Kinds *kinds) noexcept:
    """A digit, or 0 for an empty cell if all of them have the same sign; -1 for a second sign."""
    if 1 <= digit <= 9:
        return digit
    if kinds.empty == 0:
        kinds.empty = sign
    return 0 if digit == 0 and kinds.empty == sign else -1


cdef inline int _cell_of(object value, Kinds *kinds) except -2:
    """The value 0 to 9 of a Python object, and its kind; -1 for one that is not a usual cell."""
    cdef Py_ssize_t size
    cdef long number
    cdef int overflow = 0
    cdef double real
    cdef byte code
    if value is None:
        return _digit_or(NOTHING, 0, kinds)
    if PyLong_CheckExact(value):
        kinds.seen |= NUMBER
        number = PyLong_AsLongAndOverflow(value, &overflow)
        return _digit_or(48, <int>number if overflow == 0 and 0 <= number <= 9 else -1, kinds)
    if PyUnicode_CheckExact(value):
        kinds.seen |= CHARACTER
        size = PyUnicode_GET_LENGTH(value)
        if size > 1 or not PyUnicode_IS_ASCII(value):
            return -1
        code = PyUnicode_1BYTE_DATA(value)[0] if size else NOTHING
        if 49 <= code < 58:
            return code - 48
        code = NOTHING if code == 32 else code
        return _digit_or(code, 0 if code == NOTHING or is_cell(code) else -1, kinds)
    if PyFloat_CheckExact(value):
        kinds.seen |= FLOAT
        real = PyFloat_AS_DOUBLE(value)
        if real != real:
            return _digit_or(NOTHING, 0, kinds)
        return _digit_or(48, <int>real if 0 <= real <= 9 and real == <int>real else -1, kinds)
    if type_of(value) != kinds.integer:
        if not is_integer(type_of(value)):
            return -1
        kinds.integer = type_of(value)
    kinds.seen |= NUMBER
    size = integer_of(value, NULL)
    return _digit_or(48, <int>size if 0 <= size <= 9 else -1, kinds)


cdef bint _cells_of_items(object values, Py_ssize_t count, byte *row, Kinds *kinds) except -1:
    """Write the cells of a list or tuple of so many usual cells; false for any other one."""
    cdef Py_ssize_t k
    cdef int cell
    cdef list items = <list>values if PyList_CheckExact(values) else list(values)
    for k in range(count):
        cell = _cell_of(items[k], kinds)
        if cell < 0:
            return False
        row[k] = <byte>cell
    return True


cdef bint _has_row_twice(const byte *cells) noexcept nogil:
    """Whether a puzzle has a row with digits twice: one of the two may replace another row."""
    cdef int r, other
    cdef uint64_t rows[9]  # 8 cells at 4 bits and a ninth
    for r in range(9):
        memcpy(&rows[r], cells + 9 * r, 8)
        rows[r] = rows[r] << 4 | cells[9 * r + 8]
    for r in range(1, 9):
        for other in range(r):
            if rows[r] == rows[other] and rows[r] != 0:
                return memchr(cells, 0, 81) != NULL
    return False


cdef bint _cells_of_list(object values, byte *row) except -1:
    """Write the cells of a list or tuple of 81 usual cells, or of nine such lists; false for any other one."""
    cdef Py_ssize_t r
    cdef Kinds kinds
    cdef object part
    memset(&kinds, 0, sizeof(kinds))
    if len(values) == 81:
        if not _cells_of_items(values, 81, row, &kinds):
            return False
    elif len(values) == 9:
        for r in range(9):
            part = values[r]
            if not (PyList_CheckExact(part) or PyTuple_CheckExact(part)) or len(part) != 9:
                return False
            if not _cells_of_items(part, 9, row + 9 * r, &kinds):
                return False
        if _has_row_twice(row):
            return False
    else:
        return False
    return not (kinds.seen & FLOAT and kinds.seen & CHARACTER)  # NumPy makes the text '5.0' of such a number


cdef bint _cells_of_bytes(const byte *t, byte *row, bint numbers) noexcept:
    """Write the cells of 81 characters, or perhaps of the numbers 0 to 9; false for other characters."""
    if is_puzzle(t, 48):
        _cells_of_text(t, row)
    elif numbers and is_puzzle(t, 0):
        memcpy(row, t, 81)
    else:
        return False
    return True


cdef bint _cells_of_row(object row, byte *out) except -1:
    """Write the cells of a puzzle in a usual form; false for any other object.

    These are text of 81 symbols as a string or bytes, 81 bytes 0 to 9, an array of numbers, and a list of usual cells:
    numbers, also NumPy's integers, characters, None.
    """
    if PyUnicode_Check(row):
        return (PyUnicode_IS_ASCII(row) and PyUnicode_GET_LENGTH(row) == 81
                and _cells_of_bytes(PyUnicode_1BYTE_DATA(row), out, False))
    if PyBytes_Check(row):
        return PyBytes_GET_SIZE(row) == 81 and _cells_of_bytes(<const byte *>PyBytes_AS_STRING(row), out, True)
    if PyList_CheckExact(row) or PyTuple_CheckExact(row):
        return _cells_of_list(row, out)
    return is_array(type_of(row)) and _cells_of_array(row, out)


@cython.binding(False)
def usual_cells(puzzle, /):
    """The 81 values 0 to 9 of a puzzle in a usual form, as `_cells_of_row` has them; None for any other object."""
    cells = PyBytes_FromStringAndSize(NULL, 81)
    return cells if _cells_of_row(puzzle, <byte *>PyBytes_AS_STRING(cells)) else None


@cython.binding(False)
def line_of(bytes cells not None, /):
    """Values 0 to 9 as a text, with a dot for 0: the reverse of `usual_cells`."""
    cdef Py_ssize_t i, n = PyBytes_GET_SIZE(cells)
    cdef const byte *values = <const byte *>PyBytes_AS_STRING(cells)
    cdef byte wrong = 0
    text = PyUnicode_New(n, 127)
    cdef byte *out = PyUnicode_1BYTE_DATA(text)
    for i in range(n):
        out[i] = 48 + values[i] - 2 * (values[i] == 0)
        wrong |= values[i] > 9
    if wrong:
        raise ValueError("a value is not 0 to 9")
    return text


def grid_hash(self):
    """The hash of the line of a grid: `Grid.__hash__`, which sets and merges call for every row."""
    return hash(line_of(self._cells))


def word_equals(word, other, /):
    """`word == other` for a subclass of text that refuses some other objects: `Verdict.__eq__`."""
    if PyUnicode_Check(other):
        return PyUnicode_RichCompare(word, other, Py_EQ)
    word._refuse_truth(other)
    return NotImplemented


def word_differs(word, other, /):
    """`word != other`."""
    if PyUnicode_Check(other):
        return PyUnicode_RichCompare(word, other, Py_NE)
    word._refuse_truth(other)
    return NotImplemented


def read_rows(list rows, byte[::1] cells, type grid):
    """Write the cells of rows to `cells`, 81 bytes each, each row by itself.

    They are objects of the class `grid`, or puzzles in a usual form. Return the numbers of the other rows: these get
    zeros.
    """
    cdef Py_ssize_t i
    cdef byte *out
    cdef object row
    unusual_rows = []
    if cells.shape[0] // 81 < len(rows):
        raise ValueError("the buffer of the cells is too small")
    for i in range(len(rows)):
        row = rows[i]
        out = &cells[81 * i]
        if type(row) is grid:
            row = row._cells
        if not _cells_of_row(row, out):
            memset(out, 0, 81)
            unusual_rows.append(i)
    return unusual_rows


cdef inline int _end_row(bint is_right, byte *row, Py_ssize_t i, list wrong) except -1 nogil:
    """Give a row that is wrong zeros and name it; look at signals now and then."""
    if not is_right:
        memset(row, 0, 81)
        with gil:
            wrong.append(i)
    if i % 65536 == 65535:
        with gil:
            PyErr_CheckSignals()
    return 0


def read_numbers(const byte[::1] numbers, Py_ssize_t size, byte[::1] cells, bint is_float=False, bint is_text=False):
    """Write the cells of rows of 81 numbers of `size` bytes to `cells`, each row by itself.

    They are 0 to 9, unless they `is_text`; or ASCII codes, an empty cell also 0 or a blank. Return the rows that are
    neither: these get zeros.
    """
    cdef Py_ssize_t i, n
    cdef byte codes[81]
    cdef byte *row
    cdef list wrong = []
    if size not in (1, 2, 4, 8) or (is_float and size < 4):
        raise ValueError("no number has this size")
    n = numbers.shape[0] // (81 * size)
    if cells.shape[0] // 81 < n:
        raise ValueError("the buffer of the cells is too small")
    with nogil:
        for i in range(n):
            row = &cells[81 * i]
            _codes_at(&numbers[81 * size * i], size, is_float, codes)
            _end_row(_cells_of_codes(codes, row, not is_text), row, i, wrong)
    return wrong


def read_cells(const byte[::1] text, const int64_t[::1] starts, byte[::1] cells):
    """Write the values 0 to 9 of puzzles of 81 characters to `cells`, one puzzle after the other.

    Return the numbers of the rows that are not puzzles; their cells are zeros.
    """
    cdef Py_ssize_t i
    cdef const byte *t
    cdef byte *row
    cdef bint is_right
    cdef list wrong = []
    if cells.shape[0] // 81 < starts.shape[0]:
        raise ValueError("the buffer of the cells is too small")
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    with nogil:
        for i in range(starts.shape[0]):
            t, row = &text[start_of(&starts[i], text.shape[0])], &cells[81 * i]
            is_right = is_puzzle(t, 48)
            if is_right:
                _cells_of_text(t, row)
            _end_row(is_right, row, i, wrong)
    return wrong


def pack(const byte[::1] text, const int64_t[::1] starts, const int64_t[::1] ends, byte[::1] packed):
    """Copy the texts from ``starts[i]`` to ``ends[i]`` to `packed`, one after the other."""
    cdef Py_ssize_t i
    cdef int64_t at = 0, begin, size
    cdef const byte *source = &text[0] if text.shape[0] else NULL
    cdef byte *target = &packed[0] if packed.shape[0] else NULL
    if ends.shape[0] < starts.shape[0]:
        raise ValueError("the buffers of the rows are too small")
    with nogil:
        for i in range(starts.shape[0]):
            begin = (<const volatile int64_t*> &starts[i])[0]  # read once: `packed` may lie over it
            size = (<const volatile int64_t*> &ends[i])[0] - begin
            if not 0 <= begin <= text.shape[0] or not 0 <= size <= min(text.shape[0] - begin, packed.shape[0] - at):
                with gil:
                    raise ValueError("a text is outside its buffer")
            if size:
                memcpy(target + at, source + begin, size)
            at += size


def size_of(const int64_t[::1] starts, const int64_t[::1] ends):
    """The bytes of the texts from ``starts[i]`` to ``ends[i]`` together."""
    cdef Py_ssize_t i
    cdef int64_t total = 0
    if ends.shape[0] < starts.shape[0]:
        raise ValueError("the buffers of the rows are too small")
    for i in range(starts.shape[0]):
        total += ends[i] - starts[i]
    return total


def interleave(const byte[::1] values, const byte[::1] others, int size, const int64_t[::1] order, byte fill=0):
    """Copy values of `size` bytes in an order: k is value k, and ~k is value k of `others`.

    If `others` is empty, ~k is `size` bytes `fill`.

    Return them as a bytearray.
    """
    if size < 1:
        raise ValueError("a value has no bytes")
    cdef Py_ssize_t i, count = values.shape[0] // size, other_count = others.shape[0] // size
    cdef int64_t k
    cdef bint has_others = others.shape[0] > 0
    made = bytearray(size * order.shape[0])
    if not order.shape[0]:
        return made
    cdef byte[::1] view = made
    cdef byte *out = &view[0]
    cdef const byte *own = &values[0] if values.shape[0] else NULL
    cdef const byte *aside = &others[0] if has_others else NULL
    cdef const byte *source
    for i in range(order.shape[0]):
        k = order[i]
        source = own if k >= 0 else aside
        if k < 0:
            k = ~k
            if has_others and k >= other_count:
                raise ValueError("a row is outside its column")
        elif k >= count:
            raise ValueError("a row is outside its column")
        if source == NULL:
            memset(out, fill, size)
        elif size == 8:  # not a call for each value
            memcpy(out, source + 8 * k, 8)
        elif size == 1:
            out[0] = source[k]
        else:
            memcpy(out, source + k * size, size)
        out += size
    return made


def places(Py_ssize_t count, const int64_t[::1] before):
    """Where each row of a batch is: k for puzzle k, ~k for the record k that is none.

    There are `count` puzzles; ``before[k]``, ascending, is how many of them are before record k.
    """
    cdef Py_ssize_t others = before.shape[0], i, k = 0
    made = bytearray(8 * (count + others))
    cdef int64_t[::1] out = memoryview(made).cast("q")
    for i in range(count + others):
        if k < others and before[k] <= i - k:
            out[i] = ~k
            k += 1
        elif i - k < count:
            out[i] = i - k
        else:
            raise ValueError("more puzzles are before a record than there are")
    return memoryview(made).cast("q")


def numbers_of(Py_ssize_t first, Py_ssize_t step, Py_ssize_t count):
    """The numbers of ``range(first, first + step * count, step)`` as a buffer of int64."""
    if count < 0:
        raise ValueError("a range has no negative length")
    made = bytearray(8 * count)
    cdef int64_t[::1] out = memoryview(made).cast("q")
    cdef Py_ssize_t k
    for k in range(count):
        out[k] = first + step * k
    return memoryview(made).cast("q")
