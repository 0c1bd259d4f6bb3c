"""Find puzzles in lines of text.

A puzzle is an offset into its text; nothing is copied (except separated cells) and no Python object is made
per line. docs/files.md has the rules of a puzzle line. An error in a line is reported as a code
of columns.pxd; the layer above describes it.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy, memset

from unidoku._native.text.columns cimport (
    REJECT_AFTER,
    REJECT_CELL,
    REJECT_FIELDS,
    REJECT_LENGTH,
    REJECT_LONG,
)

include "cells.pxi"
include "found.pxi"
include "boards.pxi"

cdef enum:
    # Classes of bytes; all other bytes have 0.
    DIGIT = 1
    EMPTY = 2
    SEPARATOR = 3
    COUNTED = 730  # cells of a line that are counted

cdef byte CLASS[256]
cdef void _classify() noexcept:
    """Fill the table of classes; done once, at import."""
    cdef int i
    cdef byte c
    for i in range(256):
        if is_cell(<byte>i):
            CLASS[i] = DIGIT if 49 <= i <= 57 else EMPTY
    for c in b" \t,;:#|\"":
        CLASS[c] = SEPARATOR

_classify()

# The next line feed and the next carriage return. Each is searched again only after the previous one is passed,
# so that a text with one kind of line end is not searched to its end for the other at every line.
cdef struct Ends:
    Py_ssize_t lf
    Py_ssize_t cr

cdef inline Py_ssize_t _line_end(const byte *t, Py_ssize_t p, Py_ssize_t end, Ends *ends) noexcept nogil:
    """The end of the line's content: its line end or the end of the text."""
    if ends.lf < p:
        ends.lf = _find(t, p, end, LF)
    if ends.cr < p:
        ends.cr = _find(t, p, end, CR)
    return ends.lf if ends.lf < ends.cr else ends.cr

cdef inline Py_ssize_t _run(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The end of the run of cells that begins at p, at most `COUNTED` long."""
    if e > p + COUNTED:
        e = p + COUNTED
    while p < e and (CLASS[t[p]] == DIGIT or CLASS[t[p]] == EMPTY):
        p += 1
    return p

cdef inline bint _over(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """Whether a puzzle may end at p: at the end of the line or before a separator."""
    return p == e or CLASS[t[p]] == SEPARATOR

cdef inline bint _separates(byte c) noexcept nogil:
    return c == 44 or c == 59 or c == 9

cdef inline Py_ssize_t _next_field(const byte *t, Py_ssize_t p, Py_ssize_t e, int *fields) noexcept nogil:
    """The beginning of the next text between separators, or e.

    Two of ``, ;`` and tab have an empty field between them, and one at the beginning has one before it. `fields` is
    how many there are up to here.
    """
    cdef int before = fields[0] == 0, n = 0  # the first separator ends a text, if there is one
    cdef Py_ssize_t s = p + 1 - before
    if s < e and CLASS[t[s]] != SEPARATOR and (before or _separates(t[p])):  # nearly always
        fields[0] += 1
        return s
    while p < e and CLASS[t[p]] == SEPARATOR:
        n += _separates(t[p])
        p += 1
    fields[0] += (p < e) + (n - 1 + before if n > 1 - before else 0)
    return p

cdef inline Py_ssize_t _field(const byte *t, Py_ssize_t p, Py_ssize_t e, int column, int *found) noexcept nogil:
    """The beginning of field number `column`, or e if it is empty or missing; `found` is the number of fields seen."""
    found[0] = 0
    while True:
        p = _next_field(t, p, e, found)
        if p == e or found[0] > column:
            return e
        if found[0] == column:
            return p
        while p < e and CLASS[t[p]] != SEPARATOR:
            p += 1

cdef inline Py_ssize_t _field_behind_short_ones(const byte *t, Py_ssize_t p, Py_ssize_t end, int column) noexcept nogil:
    """The beginning of field number `column` if one separator is between fields and it is near, else `end`."""
    cdef Py_ssize_t stop = p + 24 if end - p > 24 else end
    if CLASS[t[p]] == SEPARATOR or t[p] == 47:
        return end
    if column == 1:
        return p
    while p < stop and t[p] != LF and t[p] != CR:
        p += 1
        if CLASS[t[p - 1]] == SEPARATOR:
            column -= 1
            if p == stop or CLASS[t[p]] == SEPARATOR:
                return end
            if column == 1:
                return p
    return end

cdef inline bint _comment(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """Whether the text at p begins with ``#``, ``;`` or ``//``.

    ``;`` right before 81 cells is an empty field, and ``#`` with a number a count, if 81 cells follow.
    """
    cdef Py_ssize_t s = p + 1
    if t[p] == 59 or t[p] == 35:
        while t[p] == 35 and s < e and <byte>(t[s] - 48) < 10:
            s += 1
        if s > p + 1:
            while s < e and CLASS[t[s]] == SEPARATOR:
                s += 1
        return (t[p] == 35 and s < p + 3) or not _is_puzzle(t, s, _run(t, s, e), e)
    return t[p] == 47 and s < e and t[s] == 47

cdef Py_ssize_t _separated(const byte *t, Py_ssize_t p, Py_ssize_t e, byte *cells) noexcept nogil:
    """Read 81 single cells separated by blanks, or by one of ``, ;`` and tab, with which the line ends.

    Write a dot where there is nothing between two separators: then all empty cells are so. Return the end of the last
    cell, 0 if there are none.
    """
    cdef byte separator = 0
    cdef Py_ssize_t last
    cdef int n = 0
    while True:
        while p < e and t[p] == 32:
            p += 1
        if p < e and (CLASS[t[p]] == DIGIT or CLASS[t[p]] == EMPTY):
            cells[n] = t[p]
            p += 1
        elif separator != 32 and (p == e or _separates(t[p])):
            cells[n] = 32
        else:
            return 0
        n += 1
        last = p
        while p < e and t[p] == 32:
            p += 1
        if n == 81:
            if p < e and t[p] == separator:  # a separator at the end of a line begins no field
                for n in range(81):
                    if cells[n] == 32:
                        return 0  # 82 fields: one may be too many
                p = _skip_blanks(t, p + 1, e)
            if p < e and t[p] != 35:
                return 0
            if cells[first_empty(cells) % 81] == 32 and regular_cells(cells, 32):
                for n in range(81):
                    cells[n] = cells[n] if cells[n] != 32 else 46
            return last if is_puzzle(cells, 48) else 0
        if p == e:
            return 0
        if separator == 0:
            separator = t[p] if _separates(t[p]) else 32
        if separator == 32:
            if p == last:
                return 0
        elif t[p] == separator:
            p += 1
        else:
            return 0


def separated_cells(const byte[::1] line):
    """The 81 cells of a line of separated cells, or None; see :meth:`Scanner.scan`."""
    cdef byte cells[81]
    if line.shape[0] == 0 or _separated(&line[0], 0, line.shape[0], cells) == 0:
        return None
    return PyBytes_FromStringAndSize(<const char *>cells, 81)


cdef class Scanner(_Found):
    """Finds the puzzles of lines of text.

    With `keep`, ``before`` and ``rest`` have the begins and ends of the text before each puzzle and of the text after
    its separator.
    """

    cdef byte *_writable

    def scan(self, text, Py_ssize_t begin, Py_ssize_t end, *, long long line=0, int column=0,
             bint keep=False, Py_ssize_t line_max=1 << 20, bint separated=False):
        """Find the puzzles of ``text[begin:end]``, whole lines after `line` earlier lines; return their number.

        In `column` 0 a puzzle begins with the first non-blank character; from 1 on it is that field, fields being the
        text between separators. `line_max` bytes of a line are searched; with `keep`, longer lines are rejected.
        `separated` also reads lines of 81 cells with blanks, commas, semicolons or tabs between them, and moves
        the cells together in place: the text must be writable then.
        """
        cdef const byte[::1] view = text
        _check_part(begin, end, view.shape[0])
        if column < 0 or line_max < 1:
            raise ValueError("column and line_max must not be negative")
        # A puzzle has at least 81 bytes and, but for the last, a line end.
        self._begin_anew((end - begin) // 82 + 1, 4 if keep else 0)
        self._writable = NULL
        if begin == end:
            return 0
        cdef const byte *t = &view[0]
        cdef byte[::1] writable
        if separated:
            writable = text
            self._writable = &writable[0]
        cdef bint done
        with nogil:
            done = self._scan(t, begin, end, line, column, keep, line_max)
        if not done:
            raise MemoryError
        return self._count

    cdef bint _scan(self, const byte *t, Py_ssize_t p, Py_ssize_t end, long long line, int column, bint keep,
                    Py_ssize_t line_max) noexcept nogil:
        cdef byte empty = 46  # the empty symbol of the latest line, for the fast test
        cdef bint plain = True  # whether it may be 81 times without a digit
        cdef Py_ssize_t e, s, run, other
        cdef Ends ends
        cdef bint cut
        cdef byte cells[81]
        cdef int code, fields
        ends.lf = ends.cr = p - 1
        while p < end:
            line += 1
            s = p if column == 0 else _field_behind_short_ones(t, p, end, column)
            if end - s > 81 and regular_cells(t + s, empty) and (plain or not is_rule(t + s)):
                e = s + 81
                if CLASS[t[e]] == SEPARATOR:
                    e = _line_end(t, e, end, &ends)
                if (e == end or t[e] == LF or t[e] == CR) and e - p <= line_max:
                    if not self._take(t, line, p, s, s + 81, e):
                        return False
                    p = _next_line(t, e, end)
                    continue
            if t[p] == LF or t[p] == CR:  # a compressed file may have billions of empty lines
                p = _next_line(t, p, end)
                while p < end and (t[p] == LF or t[p] == CR):
                    line += 1
                    p = _next_line(t, p, end)
                continue
            e = _line_end(t, p, end, &ends)
            cut = e - p > line_max
            if cut:
                e = p + line_max
            s = _skip_blanks(t, p, e)
            if s == e:
                if cut and not self._reject(line, s, p, e, REJECT_LONG, 0):
                    return False
            elif not _comment(t, s, e):
                fields = 0
                if column:
                    s = _field(t, s, e, column, &fields)
                code = 0
                if cut and keep:
                    code = REJECT_LONG
                    run = s
                elif s == e:
                    code = REJECT_LONG if cut else REJECT_FIELDS
                    run = e
                elif e - s >= 81 and is_puzzle(t + s, 48) and _over(t, s + 81, e) and not (cut and s + 81 == e):
                    run = s + 81
                    if first_empty(t + s) < 81:
                        empty = t[s + first_empty(t + s)]
                        plain = empty == 46 or empty == 48
                else:
                    run = _run(t, s, e)
                    code = _judge(t, s, e, cut, &run)
                    if (code == REJECT_LENGTH and self._writable != NULL and column == 0 and run <= s + 1
                            and e - p >= 81):
                        other = _separated(t, p, e, cells)
                        if other != 0 and not cut:
                            memcpy(self._writable + p, cells, 81)
                            memset(self._writable + p + 81, 32, other - p - 81)
                            s, run, code = p, other, 0
                if code:
                    if not self._reject(line, run, p, e, code, fields if code == REJECT_FIELDS else run - s):
                        return False
                elif not self._take(t, line, p, s, run, e):
                    return False
            p = _next_line(t, e if not cut else _line_end(t, p, end, &ends), end)
        return True

    cdef inline bint _take(self, const byte *t, long long line, Py_ssize_t p, Py_ssize_t s, Py_ssize_t run,
                           Py_ssize_t e) noexcept nogil:
        """Store the puzzle from s to run on a line from p to e."""
        cdef Py_ssize_t n = self._count
        invariant(n < self._capacity)
        self._starts[n] = s
        self._lines[n] = line
        if self._keep:
            self._beside[n] = p
            self._beside[self._capacity + n] = s
            self._beside[2 * self._capacity + n] = run if run == e else run + 1
            self._beside[3 * self._capacity + n] = e
        self._count += 1
        return True

    @property
    def before(self):
        return self._beside_view(0) if self._keep else None

    @property
    def rest(self):
        return self._beside_view(2) if self._keep else None


cdef int _judge(const byte *t, Py_ssize_t s, Py_ssize_t e, bint cut, Py_ssize_t *run) noexcept nogil:
    """The error code of the cells from s to run, which are not a puzzle; run is moved to the error."""
    cdef Py_ssize_t r = run[0]
    if cut and r == e:
        return REJECT_LONG
    if r - s != 81:
        return REJECT_LENGTH if r - s > 81 or _over(t, r, e) else REJECT_CELL
    if not _over(t, r, e):
        return REJECT_AFTER
    run[0] = s + first_wrong(t + s)
    return REJECT_CELL


def count_lines(const byte[::1] text, Py_ssize_t begin, Py_ssize_t end):
    """The number of physical lines in ``text[begin:end]``; a last one without line end counts.

    LF, CRLF and a lone CR end a line.
    """
    _check_part(begin, end, text.shape[0])
    if begin == end:
        return 0
    cdef const byte *t = &text[0]
    cdef Py_ssize_t i = begin, total = 0
    cdef int j
    cdef byte some
    with nogil:
        while i + 128 < end:
            # One byte counts to 128 at most; the compiler vectorises this form.
            some = 0
            for j in range(128):
                some = some + <byte>((t[i + j] == LF) | ((t[i + j] == CR) & (t[i + j + 1] != LF)))
            total += some
            i += 128
        while i < end:
            total += t[i] == LF or (t[i] == CR and (i + 1 == end or t[i + 1] != LF))
            i += 1
        if t[end - 1] != LF and t[end - 1] != CR:
            total += 1
    return total


def last_line_end(const byte[::1] text, Py_ssize_t begin, Py_ssize_t end):
    """The offset after the last complete line end of ``text[begin:end]``, or ``begin``.

    A CR at the very end is not complete: an LF may follow.
    """
    _check_part(begin, end, text.shape[0])
    if begin == end:
        return begin
    with nogil:
        end = _last_end(&text[0], begin, end, False)
    return end


def first_line_end(const byte[::1] text, Py_ssize_t begin, Py_ssize_t end):
    """The offset of the first byte of ``text[begin:end]`` that ends a line (LF or CR), or ``end``."""
    _check_part(begin, end, text.shape[0])
    if begin == end:
        return end
    cdef const byte *t = &text[0]
    with nogil:
        end = _find(t, begin, _find(t, begin, end, LF), CR)
    return end


cdef inline bint _is_puzzle(const byte *t, Py_ssize_t s, Py_ssize_t run, Py_ssize_t e) noexcept nogil:
    return run - s == 81 and _over(t, run, e) and is_puzzle(t + s, 48)


cdef inline int _board_alike(const byte *t, const byte *form, Py_ssize_t size, const Py_ssize_t *places,
                             const byte *shown, byte *cells) noexcept nogil:
    """Write the 81 cells of a text, with dots for its one sign of an empty cell; False if it has another form."""
    cdef Py_ssize_t k
    cdef byte c, mask, wrong = 0, some = 0, every = 255
    for k in range(size):
        wrong |= (t[k] ^ form[k]) & <byte>(-(form[k] != 0))
    for k in range(81):
        c = t[places[k]]
        cells[k] = shown[c]
        wrong |= shown[c] == 0
        mask = <byte>(-(shown[c] == DOT))
        some |= c & mask
        every &= c | ~mask
    return not wrong and (some == every or not some)


cdef inline bint _has_empty_row(const byte *cells) noexcept nogil:
    """Whether a row has no digit."""
    cdef int r, k
    cdef byte most
    for r in range(0, 81, 9):
        most = 0
        for k in range(r, r + 9):
            most |= cells[k] ^ DOT
        if not most:
            return True
    return False


def boards_alike(const byte[::1] text, const byte[::1] form, bytes signs, list gap, is_title, *,
                 int least, bint in_rows):
    """Return the cells of the first boards of a text that have one form, and are surely boards; and their ends.

    A form has 0 in the place of a cell; the signs are those for an empty cell. Above each board are the lines of a
    gap; a title may be in the place of another one. A board has at least so many empty cells, and `in_rows` a digit
    in each row.
    """
    cdef Py_ssize_t size = form.shape[0], count = text.shape[0], at = 0, k, n = 0
    cdef bytes same = b"".join(gap)
    cdef const byte *above = same
    cdef Py_ssize_t above_size = len(same)
    cdef Py_ssize_t places[81]
    cdef byte shown[256]
    cdef byte sign
    cdef bint is_board = True, is_below
    for k in range(size):
        if not form[k]:
            places[min(n, 80)] = k
            n += 1
    if n != 81:
        return b"", []
    for k in range(256):
        shown[k] = k if 49 <= k <= 57 else 0
    for sign in signs:
        shown[sign] = DOT
    boards = PyBytes_FromStringAndSize(NULL, 81 * (1 + count // size))
    places_below = PyBytes_FromStringAndSize(NULL, sizeof(int64_t) * (1 + count // size))
    cdef byte *first = <byte *> PyBytes_AS_STRING(boards)
    cdef byte *cells = first
    cdef int64_t *ends = <int64_t *> PyBytes_AS_STRING(places_below)
    while is_board:
        at = _below_gap(text, at, gap, is_title)
        if at < 0:
            break
        with nogil:
            is_below = True
            while is_below:
                is_board = count - at >= size and _board_alike(&text[at], &form[0], size, places, shown, cells)
                is_board = is_board and _is_sure(cells, least, in_rows)
                if not is_board:
                    break
                at += size
                ends[(cells - first) // 81] = at
                cells += 81
                is_below = count - at >= above_size and not memcmp(&text[at], above, above_size)
                at += above_size if is_below else 0
    found = memoryview(places_below).cast("q").tolist()[:(cells - first) // 81]
    return boards[:cells - first], found


cdef inline bint _is_sure(const byte *cells, int least, bint in_rows) noexcept nogil:
    """Whether cells are surely a board: so many are empty, and with `in_rows` each row has a digit."""
    cdef int k, empty = 0
    for k in range(81):
        empty += cells[k] == DOT
    return empty >= least and not (in_rows and _has_empty_row(cells)) and _is_clear(cells)


cdef Py_ssize_t _below_gap(const byte[::1] text, Py_ssize_t at, list gap, is_title) except -2:
    """The place below the lines of a gap, or -1; a title may be in the place of another one."""
    cdef bytes line, other
    cdef Py_ssize_t size, end, count = text.shape[0]
    for line in gap:
        size = len(line)
        if count - at >= size and not memcmp(&text[at], PyBytes_AS_STRING(line), size):
            at += size
            continue
        if at >= count:
            return -1
        end = _find(&text[0], at, count, LF) + 1
        other = bytes(text[at:min(end, count)])
        if not (line.strip() and is_title(other)):
            return -1
        at = end
    return at
