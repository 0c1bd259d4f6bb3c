"""Find puzzles in the records of CSV.

Like ``scan`` this makes no Python object per record: a puzzle is an offset into the text, and so are the
begin and end of every other field. Doubled quotes inside a quoted field are replaced in place, so
the text must be writable.
"""

cimport cython
from libc.stdlib cimport malloc

from unidoku._native.text.columns cimport REJECT_AFTER, REJECT_CELL, REJECT_FIELDS, REJECT_LENGTH, REJECT_UNCLOSED

include "cells.pxi"
include "found.pxi"
include "boards.pxi"
include "lists.pxi"

cdef enum:
    QUOTE = 34
    LONGEST_LIST = 4096  # bytes of a field that is a list, as Python keeps of a text
    WIDE = 64  # more fields take so much memory for each record that the line ends are counted first
    SHORT = 16  # bytes of a field that are looked at one by one
    RECORDS = 16  # that are split by searches after one with a longer field

cdef struct SplitRecord:
    Py_ssize_t lf       # the next LF after the beginning of the record, -1 if not known
    int searches        # records to split by searches before the next is taken for a plain one
    Py_ssize_t end      # where its content ends, before the line end
    Py_ssize_t next     # where the next record begins
    Py_ssize_t fields
    Py_ssize_t grid     # where the puzzle begins if it is known to be one, else -1
    Py_ssize_t breaks   # line ends inside quoted fields
    int fault
    Py_ssize_t place    # of the error


cdef inline bint _is_end(byte c) noexcept nogil:
    return c == LF or c == CR


cdef inline Py_ssize_t _line_end(const byte *t, Py_ssize_t s, Py_ssize_t end) noexcept nogil:
    """Where the line of s ends."""
    while s < end and not _is_end(t[s]):
        s += 1
    return s


cdef Py_ssize_t _close(const byte *t, Py_ssize_t s, Py_ssize_t end, byte separator, bint is_lone,
                       Py_ssize_t *behind) noexcept nogil:
    """The quote that closes the field whose content begins at s; if none does, the end of its lines, or of the text.

    `behind` is the next byte that is not a blank. If it is not the end of the field, the quote closes no field of
    several lines: it opens another one. If there are several fields (not `is_lone`), lines without a separator are
    not records.
    """
    cdef Py_ssize_t p = _find(t, s, end, QUOTE), begin = s, e, line
    while p + 1 < end and t[p + 1] == QUOTE:
        p = _find(t, p + 2, end, QUOTE)
    s = min(p + 1, end)
    while s < end and (t[s] == 32 or t[s] == 9) and t[s] != separator:
        s += 1
    behind[0] = s
    if p < end and (s == end or t[s] == separator or _is_end(t[s])):
        return p
    e = _line_end(t, begin, p)
    if p < end and e == p:
        return p
    while e < p and not is_lone:
        s = _next_line(t, e, p)
        line = _line_end(t, s, p)
        if line == p or _find(t, s, line, separator) < line:
            break
        e = line
    return e


cdef Py_ssize_t _characters(const byte *t, Py_ssize_t size) noexcept nogil:
    """The number of characters in UTF-8."""
    cdef Py_ssize_t i, count = 0
    for i in range(size):
        count += t[i] & 0xC0 != 0x80
    return count


@cython.final
cdef class FieldScanner(_Found):
    """Finds the puzzles and fields of records.

    `separator` is the byte between fields. A record has `width` fields; the puzzle is in field `puzzle`, from 0. A
    field that begins with ``"`` ends at the next ``"`` that is not doubled; `keep` keeps the positions of the other
    fields. With `lists` a puzzle can be a list of cells, which replace its beginning in the text.
    """

    cdef int _separator, _width, _puzzle
    cdef bint _columns          # keep the positions of the other fields
    cdef bint _lists
    cdef Py_ssize_t *_begin     # of the fields of the current record
    cdef Py_ssize_t *_end

    def __cinit__(self, int separator, int width, int puzzle, *, bint keep=True, bint lists=False):
        if not (0 <= puzzle < width <= 100000 and 0 < separator < 256) or is_cell(separator):
            raise ValueError("the puzzle must be one of the fields of a record")
        self._separator, self._width, self._puzzle, self._columns = separator, width, puzzle, keep
        self._lists = lists
        self._begin = <Py_ssize_t *>malloc(2 * width * sizeof(Py_ssize_t))
        if self._begin == NULL:
            raise MemoryError
        self._end = self._begin + width

    def __dealloc__(self):
        free(self._begin)

    def scan(self, byte[::1] text, Py_ssize_t begin, Py_ssize_t end, long long line=0):
        """Find the puzzles of ``text[begin:end]``, whole records after `line` physical lines; return their number."""
        _check_part(begin, end, text.shape[0])
        # A record has at least a puzzle, its separators and, except for the last, a line end.
        cdef Py_ssize_t count = (end - begin) // (81 + self._width) + 1, lines = 1, i
        cdef byte *t = &text[0] if begin < end else NULL
        if self._columns and self._width > WIDE:
            for i in range(begin, end):
                lines += _is_end(t[i])
            count = min(count, lines)
        self._begin_anew(count, 2 * self._width if self._columns else 0)
        if begin == end:
            return 0
        cdef bint done
        with nogil:
            done = self._scan(t, begin, end, line)
        if not done:
            raise MemoryError
        return self._count

    cdef bint _scan(self, byte *t, Py_ssize_t p, Py_ssize_t end, long long line) noexcept nogil:
        cdef SplitRecord record
        cdef Py_ssize_t s
        record.lf = -1
        record.searches = 0
        while p < end:
            line += 1
            s = p if self._separator == 9 else _skip_blanks(t, p, end)
            while s < end and t[s] == 32:
                s += 1
            if s == end or _is_end(t[s]):
                p = _next_line(t, s, end)
                continue
            self._split(t, p, end, &record)
            if not self._judge(t, p, &record, line):
                return False
            line += record.breaks
            p = record.next
        return True

    cdef void _split(self, byte *t, Py_ssize_t p, Py_ssize_t end, SplitRecord *record) noexcept nogil:
        """Find the fields of the record that begins at p."""
        cdef Py_ssize_t e
        spoil(self._begin, 2 * self._width * sizeof(Py_ssize_t))
        if record.searches > 0:
            record.searches -= 1
        elif self._split_plain(t, p, end, record):
            return
        else:
            record.searches = RECORDS
        record.grid = -1
        if record.lf < p:
            # Cached: if lines end in CR, each search for LF would scan the whole text.
            record.lf = _find(t, p, end, LF)
        e = _find(t, p, record.lf, CR)
        record.breaks = record.fault = 0
        record.end = e
        if _find(t, p, e, QUOTE) < e:
            self._split_quoted(t, p, end, record)
            return
        record.next = _next_line(t, e, end)
        cdef Py_ssize_t k = 0, s = p, at
        while True:
            at = _find(t, s, e, self._separator)
            if k < self._width:
                self._begin[k], self._end[k] = s, at
            k += 1
            if at == e:
                break
            s = at + 1
        record.fields = k

    cdef bint _split_plain(self, const byte *t, Py_ssize_t p, Py_ssize_t end, SplitRecord *record) noexcept nogil:
        """The same for a record of grids and short fields without quotes, in one pass; False if it is none."""
        cdef Py_ssize_t k = 0, s = p, at, stop
        record.grid = -1
        while True:
            at = s
            if (
                end - s > 81
                and self._is_field_end(t[s + 81])
                and (regular_cells(t + s, 46) or regular_cells(t + s, 48))
            ):
                at += 81
                if k == self._puzzle:
                    record.grid = s
            else:
                stop = min(end, s + SHORT)
                while at < stop and not self._is_field_end(t[at]):
                    if t[at] == QUOTE:
                        return False
                    at += 1
                if at == stop:
                    return False
            if k < self._width:
                self._begin[k], self._end[k] = s, at
            k += 1
            if t[at] != self._separator:
                break
            s = at + 1
        record.breaks = record.fault = 0
        record.fields = k
        record.end = at
        record.next = _next_line(t, at, end)
        return True

    cdef inline bint _is_field_end(self, byte c) noexcept nogil:
        return c == self._separator or _is_end(c)

    cdef void _split_quoted(self, byte *t, Py_ssize_t p, Py_ssize_t end, SplitRecord *record) noexcept nogil:
        """The same for records with quotes; `record.end` is the end of the first line."""
        cdef Py_ssize_t i = p, k = 0, s, w, at, close
        while True:
            s = i
            if i < end and t[i] == QUOTE:
                s = w = at = i + 1
                close = _close(t, s, end, self._separator, self._width == 1, &i)
                if close == end or t[close] != QUOTE:
                    i = close
                    for at in range(s, close):
                        record.breaks += t[at] == LF or (t[at] == CR and t[at + 1] != LF)
                    if record.fault == 0:
                        record.fault, record.place = REJECT_UNCLOSED, s - 1
                else:
                    if close <= record.end and _find(t, s, close, QUOTE) == close:
                        w = at = close  # nothing in it is replaced or counted
                    while at < close:
                        at += t[at] == QUOTE
                        record.breaks += t[at] == LF or (t[at] == CR and t[at + 1] != LF)
                        t[w] = t[at]
                        w += 1
                        at += 1
                if i < end and not self._is_field_end(t[i]) and record.fault == 0:
                    record.fault, record.place = REJECT_AFTER, i
                while i < end and not self._is_field_end(t[i]):
                    i += 1
            else:
                while i < end and not self._is_field_end(t[i]):
                    i += 1
                w = i
            if k < self._width:
                self._begin[k], self._end[k] = s, w
            k += 1
            if i == end or t[i] != self._separator:
                break
            i += 1
        record.fields = k
        record.end = i
        record.next = _next_line(t, i, end)

    cdef bint _judge(self, byte *t, Py_ssize_t p, SplitRecord *record, long long line) noexcept nogil:
        """Store the record as a puzzle or as a reject; False if out of memory."""
        cdef Py_ssize_t k, s, e, count, wrong, n = self._count
        if record.fault:
            record.fields = 0
            return self._put_aside(line, record.place, p, record, record.fault, 0)
        # A separator at the very end of a record begins no field.
        if record.fields == self._width + 1 and t[record.end - 1] == self._separator:
            record.fields -= 1
        if record.fields != self._width:
            return self._put_aside(line, p, p, record, REJECT_FIELDS, record.fields)
        s, e = self._begin[self._puzzle], self._end[self._puzzle]
        if s != record.grid:
            while s < e and (t[s] == 32 or t[s] == 9):
                s += 1
            while s < e and (t[e - 1] == 32 or t[e - 1] == 9):
                e -= 1
            if s < e and t[s] == OPENING and self._lists and self._write_list(t, s, e):
                e = s + 81
            wrong = first_wrong(t + s) if e - s >= 81 else 81
            if e - s != 81:
                count = _characters(t + s, e - s)
                if wrong == 81 or count != 81:
                    return self._put_aside(line, s, p, record, REJECT_LENGTH, count)
            if wrong < 81:
                return self._put_aside(line, s + wrong, p, record, REJECT_CELL, wrong)
        invariant(n < self._capacity)
        self._starts[n] = s
        self._lines[n] = line
        if self._keep:
            for k in range(self._width):
                self._beside[2 * k * self._capacity + n] = self._begin[k]
                self._beside[(2 * k + 1) * self._capacity + n] = self._end[k]
        self._count = n + 1
        return True

    cdef bint _write_list(self, byte *t, Py_ssize_t s, Py_ssize_t e) noexcept nogil:
        """Write the cells of the list from s to e over its beginning; False if it is read in Python."""
        cdef byte cells[81]
        if self._end[self._puzzle] - self._begin[self._puzzle] >= LONGEST_LIST:
            return False
        if list_cells(t, s, e, False, cells) != e:
            return False
        memcpy(t + s, cells, 81)
        return True

    cdef bint _put_aside(self, long long line, Py_ssize_t at, Py_ssize_t p, SplitRecord *record, int code,
                         Py_ssize_t extra) noexcept nogil:
        """Store a record that is not a puzzle, and its fields; False if out of memory."""
        cdef Py_ssize_t k, needed = 2 * self._width * (self._n_rejects + 1)
        cdef long long *row
        if self._keep:
            if not make_room(<void **>&self._aside, &self._capacity_aside, needed, sizeof(long long)):
                return False
            row = self._aside + needed - 2 * self._width
            for k in range(self._width):
                row[2 * k] = self._begin[k] if k < record.fields else 0
                row[2 * k + 1] = self._end[k] if k < record.fields else 0
        if not self._reject(line, at, p, record.end, code, extra):
            return False
        if code == REJECT_LENGTH or code == REJECT_CELL or (code == REJECT_FIELDS and not extra):
            row = self._rejects + NUMBERS * (self._n_rejects - 1)
            row[7], row[8] = self._begin[self._puzzle], self._end[self._puzzle]
        return True

    def column(self, int field):
        """Begins and ends of a field, from 0, in the records of the puzzles."""
        if not self._keep or not 0 <= field < self._width:
            raise IndexError("the scanner does not keep this field")
        return self._beside_view(2 * field)

    def column_aside(self, int field):
        """Begins and ends of a field, from 0, in the other records; both are the same where there is none."""
        if not self._keep or not 0 <= field < self._width:
            raise IndexError("the scanner does not keep this field")
        cdef Py_ssize_t k
        made = memoryview(bytearray(16 * self._n_rejects)).cast("q")
        cdef long long[::1] out = made
        for k in range(self._n_rejects):
            out[k] = self._aside[2 * (self._width * k + field)]
            out[self._n_rejects + k] = self._aside[2 * (self._width * k + field) + 1]
        return made[:self._n_rejects], made[self._n_rejects:]


def record_end(const byte[::1] text, Py_ssize_t begin, Py_ssize_t end, int separator, *, bint last=True,
               bint final=False, bint lone=True):
    """The end of the last complete record in ``text[begin:end]``, or of its first one; `begin` if no record ends.

    It includes the line end. A line end inside a quoted field does not end a record; with `final`, a CR at the end of
    the text is a complete line end. `lone`: whether a record has one field.
    """
    _check_part(begin, end, text.shape[0])
    if begin == end:
        return begin
    cdef const byte *t = &text[0]
    cdef Py_ssize_t i = begin, found = begin, close, behind
    cdef bint fresh = True
    with nogil:
        if last and _find(t, begin, end, QUOTE) == end:
            found = _last_end(t, begin, end, final)
            i = end
        while i < end:
            if fresh and t[i] == QUOTE:
                close = _close(t, i + 1, end, separator, lone, &behind)
                if behind == end and not final:
                    break  # what follows says where the field ends
                i = behind if close < end and t[close] == QUOTE else close
                fresh = False
                continue
            if _is_end(t[i]) and (t[i] == LF or i + 1 < end or final):
                found = _next_line(t, i, end)
                if not last:
                    break
            fresh = t[i] == separator or _is_end(t[i])
            i += 1
    return found
