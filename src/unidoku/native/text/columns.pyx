# cython: autotestdict=False
"""String columns in Arrow's layout: find puzzles, compare given solutions.

The buffers are not copied; no Python object is made per row. There are three layouts: offsets of four or
eight bytes into one text, and views (sixteen bytes per row: length, beginning, number of the text, offset).
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t

include "cells.pxi"

ctypedef unsigned char byte

cdef enum:
    MARKS = 729

# Why a row is not a puzzle; see scan_strings.
cpdef enum:
    REJECT_NULL = 1
    REJECT_LENGTH = 2
    REJECT_CELL = 3


cdef inline int _judge(const byte *t, int64_t length, int64_t *extra) noexcept nogil:
    """0: a puzzle; -1: one of 729 characters; else the error code, with its position or the length."""
    cdef int i
    if length == 81:
        if regular_cells(t, 46) or all_cells(t):
            return 0
        i = 0
        while is_cell(t[i]):
            i += 1
        extra[0] = i
        return REJECT_CELL
    if length == MARKS:
        for i in range(MARKS):
            if not is_mark(t[i], i):
                extra[0] = i
                return REJECT_CELL
        return -1
    extra[0] = length
    return REJECT_LENGTH


cdef inline bint _valid(const byte *bits, Py_ssize_t i) noexcept nogil:
    return bits == NULL or (bits[i >> 3] >> (i & 7)) & 1


cdef _check_rows(Py_ssize_t first, Py_ssize_t count, const byte[::1] validity, int64_t[::1] starts,
                 int64_t[::1] rows):
    if first < 0 or count < 0 or starts.shape[0] < count or rows.shape[0] < count:
        raise ValueError("the buffers of the rows are too small")
    if validity.shape[0] and first > validity.shape[0] * 8 - count:
        raise ValueError("too few validity bits")


def scan_strings(const byte[::1] text, const byte[::1] offsets, int size, Py_ssize_t first, Py_ssize_t count,
                 const byte[::1] validity, int64_t[::1] starts, int64_t[::1] rows):
    """Find the puzzles among `count` rows of a column of strings, from row `first` on.

    An offset has `size` bytes, 4 or 8; or all strings have the length ``-size``, and there are no offsets. `validity`
    has Arrow's bits, 0 for null; it is empty where no row is null. `starts` and `rows` take the offset of each puzzle
    in the text and its row, from 0. Return the number of puzzles, a list of those that have 729 characters, and a
    tuple for each other row: number of puzzles before it, row, error code, and the length or the position of the
    error.
    """
    if size not in (4, 8) and size >= 0:
        raise ValueError("an offset has 4 or 8 bytes")
    _check_rows(first, count, validity, starts, rows)
    # `count` is bounded by the rows; `first` may be any number, so nothing is added to it
    if size > 0 and count and first > offsets.shape[0] // size - 1 - count:
        raise ValueError("too few offsets")
    if size < 0 and count and first > text.shape[0] // -<Py_ssize_t>size - count:
        raise ValueError("an offset is outside the text")
    marked = []
    rejects = []
    if count == 0:
        return 0, marked, rejects
    cdef byte nothing = 0
    cdef const byte *t = &text[0] if text.shape[0] else &nothing
    cdef const byte *bits = &validity[0] if validity.shape[0] else NULL
    cdef const int32_t *small = <const int32_t *>&offsets[0] if size == 4 else NULL
    cdef const int64_t *large = <const int64_t *>&offsets[0] if size == 8 else NULL
    cdef int64_t begin, end, extra = 0, limit = text.shape[0]
    cdef Py_ssize_t i = 0, row, n = 0
    cdef int code = 0
    while i < count:
        # Run without the GIL up to the next row that is not an ordinary puzzle.
        with nogil:
            while i < count:
                row = first + i
                if small != NULL:
                    begin, end = small[row], small[row + 1]
                elif large != NULL:
                    begin, end = large[row], large[row + 1]
                else:
                    begin, end = -size * <int64_t>row, -size * <int64_t>(row + 1)
                if not 0 <= begin <= end <= limit:
                    code = -2
                    break
                code = REJECT_NULL
                if not _valid(bits, row):
                    break
                code = _judge(t + begin, end - begin, &extra)
                if code > 0:
                    break
                starts[n] = begin
                rows[n] = i
                n += 1
                i += 1
                if code < 0:
                    break
            else:
                code = 0
        if code == -2:
            raise ValueError("an offset is outside the text")
        if code == -1:
            marked.append(n - 1)
        elif code > 0:
            rejects.append((n, i, code, extra if code != REJECT_NULL else 0))
            i += 1
    return n, marked, rejects


def scan_views(const byte[::1] views, texts, Py_ssize_t first, Py_ssize_t count, const byte[::1] validity,
               int64_t[::1] starts, int64_t[::1] rows):
    """Find the puzzles of a column of string views like `scan_strings`, up to the first puzzle in another text.

    Return first the number of rows read, and the number of the text that all puzzles found are in, -1 without one.
    """
    _check_rows(first, count, validity, starts, rows)
    if count and first > views.shape[0] // 16 - count:
        raise ValueError("too few views")
    marked = []
    rejects = []
    if count == 0:
        return 0, -1, 0, marked, rejects
    cdef const byte *bits = &validity[0] if validity.shape[0] else NULL
    cdef const int32_t *view
    cdef const byte[::1] text
    cdef const byte *t = NULL
    cdef int64_t length, extra = 0, limit = 0
    cdef Py_ssize_t i = 0, n = 0
    cdef int code = 0, which = -1
    while i < count:
        with nogil:
            while i < count:
                view = <const int32_t *>&views[16 * (first + i)]
                code = REJECT_NULL
                if not _valid(bits, first + i):
                    break
                length = view[0]
                if length < 13:
                    code, extra = REJECT_LENGTH, length
                    break
                if view[2] != which:
                    code = -3
                    break
                if view[3] < 0 or view[3] + length > limit:
                    code = -2
                    break
                code = _judge(t + view[3], length, &extra)
                if code > 0:
                    break
                starts[n] = view[3]
                rows[n] = i
                n += 1
                i += 1
                if code < 0:
                    break
            else:
                code = 0
        if code == -3:
            if which >= 0:
                break
            which = view[2]
            if not 0 <= which < len(texts):
                raise ValueError("a view points to no text")
            text = texts[which]
            limit = text.shape[0]
            t = &text[0] if limit else NULL
        elif code == -2:
            raise ValueError("a view is outside its text")
        elif code == -1:
            marked.append(n - 1)
        elif code > 0:
            rejects.append((n, i, code, extra if code != REJECT_NULL else 0))
            i += 1
    return i, which, n, marked, rejects


def agree(const byte[::1] text, const int64_t[::1] begins, const int64_t[::1] ends, const byte[::1] verdicts,
          const unsigned long long[::1] counts, const byte[::1] complete, byte[::1] outcomes,
          unsigned long long limit=0):
    """Compare given numbers of solutions, from ``begins[i]`` to ``ends[i]``, with the ones found.

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


cdef bint _gather(const byte[::1] text, const int64_t[::1] starts, byte *out, int width, int zero) noexcept nogil:
    """Copy the puzzles, each followed by a line end if width is 82; False if one is outside the text."""
    cdef Py_ssize_t i, k
    cdef const byte *t
    cdef byte d
    for i in range(starts.shape[0]):
        if starts[i] < 0 or starts[i] > text.shape[0] - 81:
            return False
        t = &text[starts[i]]
        for k in range(81):
            d = t[k] - <byte>zero - 1
            out[k] = d + 49 if d < 9 else 46
        if width == 82:
            out[81] = 10
        out += width
    return True


def gather(const byte[::1] text, const int64_t[::1] starts, byte[::1] rows, int zero=48):
    """Copy puzzles to `rows`, 81 bytes each, with a dot for each empty cell; the code of digit 0 is `zero`."""
    cdef bint good
    if rows.shape[0] < 81 * starts.shape[0]:
        raise ValueError("the buffers of the rows are too small")
    if starts.shape[0] == 0:
        return
    with nogil:
        good = _gather(text, starts, &rows[0], 81, zero)
    if not good:
        raise ValueError("a puzzle is outside the text")


def gather_lines(const byte[::1] text, const int64_t[::1] starts, int zero=48):
    """The puzzles as lines of 81 characters, with a dot for each empty cell; the code of digit 0 is `zero`."""
    cdef bytes lines = PyBytes_FromStringAndSize(NULL, 82 * starts.shape[0])
    cdef byte *out = <byte *>PyBytes_AS_STRING(lines)
    cdef bint good
    with nogil:
        good = _gather(text, starts, out, 82, zero)
    if not good:
        raise ValueError("a puzzle is outside the text")
    return lines


def first_bad(const byte[::1] text, const int64_t[::1] starts, int zero=48):
    """The index of the first row of 81 bytes that is not a puzzle, or -1; `zero` is 48 for text, 0 for numbers."""
    cdef Py_ssize_t k = -1
    with nogil:
        for k in range(starts.shape[0]):
            if starts[k] < 0 or starts[k] > text.shape[0] - 81:
                with gil:
                    raise ValueError("a start is outside the text")
            if not is_puzzle(&text[starts[k]], zero):
                break
        else:
            k = -1
    return k
