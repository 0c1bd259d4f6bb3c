"""Find puzzles in JSON lines: on each an object with the puzzle as a string or a list of 81 cells, or only that.

Like ``scan`` this makes no Python object per line. A line of another form (other lists, nested values, text that is
not JSON) is left to the caller, as a reject.
"""

cimport cython
from unidoku._native.text.columns cimport ABSENT, JSON, MISSING, TEXT

include "cells.pxi"
include "found.pxi"
include "boards.pxi"
include "lists.pxi"

from libc.string cimport memmove

cdef extern from *:
    """
    #include "bits.h"

    /* The first of eight bytes that is a quote, a backslash, a control or, unless wide, beyond ASCII; 8 for none. */
    static inline int first_special(const unsigned char *t, int wide) {
        const uint64_t ones = UINT64_C(0x0101010101010101);
        uint64_t x, quote, backslash, found;
        memcpy(&x, t, 8);
        if (HIGH_BYTE_FIRST) x = __builtin_bswap64(x);
        quote = x ^ ones * 34;
        backslash = x ^ ones * 92;
        found = ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((x - ones * 32) & ~x);
        found = (found | (wide ? 0 : x)) & ones << 7;  /* the lowest bit is exact, others may be carries */
        return found ? __builtin_ctzll(found) >> 3 : 8;
    }
    """
    int first_special(const byte *t, bint wide) noexcept nogil


cdef enum:
    QUOTE = 34
    BACKSLASH = 92
    MOST_NAMES = 1024
    DEEPEST = 50  # of lists and objects in each other
    LONGEST_NUMBER = 4299  # digits of a number that Python reads
    MOST_OTHERS = 16  # keys without a name that a scan finds
    DAMAGED = 40  # the least cells of a damaged puzzle
    MOST_MEMBERS = 1000  # of an object around the records of a document
    INNER = -2  # in place of the number of a name

MOST_KEYS = MOST_NAMES  # for Python


cdef inline Py_ssize_t _digits(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The end of the digits at p; -1 if there is none."""
    cdef Py_ssize_t s = p
    while p < e and <byte>(t[p] - 48) < 10:
        p += 1
    return p if p > s else -1


cdef Py_ssize_t _number(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The end of the number at p; -1 if there is none, or one that Python would write in another way."""
    cdef Py_ssize_t s, point
    cdef bint negative = t[p] == 45
    p += negative
    s = p
    p = _digits(t, p, e)
    if p < 0 or (t[s] == 48 and p > s + 1):
        return -1
    if p == e or t[p] != 46:
        return -1 if negative and t[s] == 48 else _no_exponent(t, p, e)
    point = p
    p = _digits(t, p + 1, e)
    if p < 0 or p - s > 16 or (t[p - 1] == 48 and p > point + 2):
        return -1
    if t[s] == 48 and p > point + 4 and memcmp(t + point, b".0000", 5) == 0:
        return -1
    return _no_exponent(t, p, e)


cdef inline Py_ssize_t _no_exponent(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    return -1 if p < e and (t[p] | 32) == 101 else p


cdef Py_ssize_t _plain_list(const byte *t, Py_ssize_t p, Py_ssize_t e, bint *is_as_python) noexcept nogil:
    """The end of the list at p; -1 if there is none, or one with objects, escapes, or what Python writes otherwise.

    `is_as_python`: whether only one blank after each comma is between its values, as Python writes lists.
    """
    cdef int depth = 0
    cdef Py_ssize_t begin = p, s
    cdef bint are_digits = True
    is_as_python[0] = True
    while p < e:
        if t[p] == OPENING and depth < DEEPEST:
            depth += 1
            s = p + 1
            p = _after_blanks(t, s, e)
            is_as_python[0] &= p == s
            if p < e and t[p] != CLOSING:
                continue
        elif _is_digit(t, p, e):  # as cells are
            p += 1
        else:
            are_digits = False
            p = _plain_value(t, p, e)
            if p < 0:
                return -1
        while True:
            s = p
            p = _after_blanks(t, s, e)
            is_as_python[0] &= p == s
            if p >= e or t[p] != CLOSING:
                break
            depth -= 1
            p += 1
            if depth == 0:
                return p if is_as_python[0] or are_digits or not _is_kept(t, begin, p) else -1
        if p >= e or t[p] != COMMA:
            return -1
        s = p + 1
        p = _after_blanks(t, s, e)
        is_as_python[0] &= p == s + 1 and t[s] == 32
    return -1


cdef inline bint _is_digit(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """Whether the value at p in a list is one digit."""
    if p + 1 >= e or <byte>(t[p] - 48) > 9:
        return False
    return t[p + 1] == COMMA or t[p + 1] == CLOSING or t[p + 1] == 32 or t[p + 1] == LF or t[p + 1] == CR


cdef inline Py_ssize_t _plain_value(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The end of the text, number or word at p; -1 for another value, or one with escapes."""
    if t[p] == QUOTE:
        p += 1
        while p < e and t[p] != QUOTE and 32 <= t[p] < 127 and t[p] != BACKSLASH:
            p += 1
        return p + 1 if p < e and t[p] == QUOTE else -1
    if _word(t, p, e, "null", 4) or _word(t, p, e, "true", 4):
        return p + 4
    return p + 5 if _word(t, p, e, "false", 5) else _number(t, p, e)


cdef bint _is_kept(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """Whether a list may have a number that is kept as it is written, with the blanks around it."""
    cdef Py_ssize_t k
    for k in range(p + 1, e):
        if <byte>(t[k - 1] - 48) < 10 and (t[k] == DOT or (t[k] | 32) == 101):
            return True
        if t[k - 1] == 45 and t[k] == 48:
            return True
    return e - p > LONGEST_NUMBER


cdef Py_ssize_t _write_list(const byte *t, Py_ssize_t p, Py_ssize_t e, byte *out) noexcept nogil:
    """Write a plain list as Python does, which has no blanks but one after each comma; the number of bytes."""
    cdef Py_ssize_t w = 0
    cdef bint in_text = False
    for p in range(p, e):
        in_text ^= t[p] == QUOTE
        if in_text or not (t[p] == 32 or t[p] == 9):
            out[w] = t[p]
            w += 1
        if t[p] == COMMA and not in_text:
            out[w] = 32
            w += 1
    return w


cdef inline bint _word(const byte *t, Py_ssize_t p, Py_ssize_t e, const char *word, Py_ssize_t size) noexcept nogil:
    return e - p >= size and memcmp(t + p, word, size) == 0


@cython.final
cdef class ObjectScanner(_Found):
    """Finds the puzzle and the other values of objects by their keys; `puzzle` is the number of its key, from 0.

    Lines longer than `longest`, and all other lines that are left to the caller, are rejects with the code 0. With
    `lists` a puzzle can be a list of cells: they replace its beginning in the text. Other lists are texts as Python
    writes them. Lists that are written otherwise are in `added`, whose places count on from the end of the text. The
    scan finds `others`, the first keys of the objects that are not among the names. With `is_only` the puzzle must be
    the only one of its object: one with a second puzzle, which has empty cells, is a reject. With `rows` a list can be
    an object with the keys column1, column2 and so on; with `keeps_items` all of them must be names.

    The members of an object under the key `inner` are read as members of the object around it. It has the puzzle, which
    has empty cells then. Each name is in one of the two, and around it is no value as long as a damaged puzzle.
    """

    cdef int _width, _puzzle
    cdef bint _lists, _is_only, _keeps_items
    cdef int _item[MOST_NAMES]  # the number of the name of each item of a row; -1 for none
    cdef Py_ssize_t _others[2 * MOST_OTHERS]  # where keys without a name begin and end
    cdef int _n_others
    cdef bint _is_list  # whether the puzzle of the object is one
    cdef byte _cells[81]  # of such a puzzle
    cdef Py_ssize_t _longest
    cdef tuple _names
    cdef bytes _inner
    cdef const char *_inner_key
    cdef Py_ssize_t _inner_size  # 0 without one
    cdef bint _is_inside  # whether the members of the inner object are read
    cdef const char *_name[MOST_NAMES]
    cdef Py_ssize_t _size[MOST_NAMES]
    cdef Py_ssize_t _begin[MOST_NAMES]
    cdef Py_ssize_t _end[MOST_NAMES]
    cdef bint _escaped[MOST_NAMES]
    cdef byte _state[MOST_NAMES]
    cdef object _kept  # the bytearray that holds the states of the values
    cdef byte *_states
    cdef byte *_added  # lists as Python writes them
    cdef Py_ssize_t _size_added, _capacity_added
    cdef Py_ssize_t _text_end

    def __cinit__(self, names, int puzzle, Py_ssize_t longest, *, bint lists=False,
                  bint is_only=False, bint rows=False, bint keeps_items=True,
                  bytes inner=b""):
        cdef int k
        self._lists, self._is_only = lists, is_only
        self._n_others = 0
        self._names = tuple(names)
        self._width, self._puzzle, self._longest = len(self._names), puzzle, longest
        self._inner, self._inner_key, self._inner_size = inner, inner, len(inner)
        self._kept = bytearray()
        if not 0 <= puzzle < self._width <= MOST_NAMES:
            raise ValueError("the puzzle must be one of the names")
        for k in range(self._width):
            self._name[k] = self._names[k]
            self._size[k] = len(self._names[k])
        numbers = {name: number for number, name in enumerate(self._names) if rows}
        self._keeps_items = keeps_items
        for k in range(self._width):
            self._item[k] = numbers.get(b"column%d" % (k + 1), -1)

    def __dealloc__(self):
        free(self._added)

    def scan(self, byte[::1] text, Py_ssize_t begin, Py_ssize_t end, long long line=0, *, bint wide=True):
        """Find the puzzles of ``text[begin:end]``, whole lines after `line` earlier lines; return their number.

        Escapes in the strings that are found are replaced in place. If the text is not `wide`, UTF-8, then lines that
        are not ASCII are left to the caller.
        """
        _check_part(begin, end, text.shape[0])
        self._begin_anew((end - begin) // 81 + 1, 2 * self._width)
        if len(self._kept) < self._width * self._capacity:
            self._kept = bytearray(self._width * self._capacity)
        cdef byte[::1] kept = self._kept
        self._states = &kept[0]
        spoil(self._states, len(self._kept))
        self._size_added, self._text_end, self._n_others = 0, end, 0
        spoil(self._added, self._capacity_added)
        if begin == end:
            return 0
        cdef byte *t = &text[0]
        cdef bint done = True
        cdef Py_ssize_t p = begin, e, s, added, lf = -1
        cdef int others
        with nogil:
            while p < end and done:
                line += 1
                if lf < p:
                    # Cached: if lines end in CR, each search for LF would scan the whole text.
                    lf = _find(t, p, end, LF)
                e = _find(t, p, lf, CR)
                s = _skip_blanks(t, p, e)
                if s < e:
                    added, others = self._size_added, self._n_others
                    if e - p <= self._longest and self._object(t, s, e, wide):
                        self._keep_it(t, line)
                    else:
                        self._size_added, self._n_others = added, others
                        done = self._reject(line, p, p, e, 0, 0)
                p = _next_line(t, e, end)
        if not done:
            raise MemoryError
        return self._count

    cdef bint _object(self, byte *t, Py_ssize_t p, Py_ssize_t e, bint wide) noexcept nogil:
        """Find the values of the object at p; False if it is not one with a puzzle, or of another form."""
        cdef int k, last = -1
        cdef Py_ssize_t after, s
        cdef const byte *cells
        self._is_inside = False
        self._is_list = False
        for k in range(self._width):
            self._begin[k] = self._end[k] = 0
            self._escaped[k] = False
            self._state[k] = ABSENT
        if t[p] == QUOTE:
            return self._lone_puzzle(t, p + 1, e)
        if t[p] == OPENING:
            after = self._list(t, p, e)
            return self._row(t, p, e, wide) if after < 0 else _skip_blanks(t, after, e) == e
        if t[p] != 123:
            return False
        p = _skip_blanks(t, p + 1, e)
        while True:
            p = self._key(t, p, e, wide, last + 1, &k)
            if p < 0:
                return False
            if k == INNER:
                if t[p] != 123 or self._end[self._puzzle] > 0:
                    return False
                self._is_inside, p = True, _skip_blanks(t, p + 1, e)
                continue
            if k >= 0:
                if self._inner_size and self._state[k] != ABSENT:
                    return False
                last = k
            s = p
            p = self._text(t, p + 1, e, wide, k) if t[p] == QUOTE else self._other(t, p, e, k)
            if p < 0 or (self._inner_size and not self._is_inside and p - s >= DAMAGED):
                return False
            p = _skip_blanks(t, p, e)
            if self._is_inside and p < e and t[p] == 125:
                cells = &t[self._begin[self._puzzle]]
                if self._is_list:
                    cells = self._cells
                if not self._end[self._puzzle] or not _has_empty(cells):
                    return False
                self._is_inside, p = False, _skip_blanks(t, p + 1, e)
            if p >= e:
                return False
            if t[p] == 125:
                return self._end[self._puzzle] > 0 and _skip_blanks(t, p + 1, e) == e
            if t[p] != 44:
                return False
            p = _skip_blanks(t, p + 1, e)

    cdef inline bint _is_puzzle(self, const byte *t) noexcept nogil:
        return is_puzzle(t, 48)

    cdef bint _lone_puzzle(self, const byte *t, Py_ssize_t s, Py_ssize_t e) noexcept nogil:
        """Take the string from s on, which is all of the line; False if it is not a puzzle."""
        self._begin[self._puzzle], self._end[self._puzzle] = s, s + 81
        self._state[self._puzzle] = TEXT
        return s + 81 < e and t[s + 81] == QUOTE and self._is_puzzle(t + s) and _skip_blanks(t, s + 82, e) == e

    cdef bint _row(self, const byte *t, Py_ssize_t p, Py_ssize_t e, bint wide) noexcept nogil:
        """Find the values of the list at p; False if it is not a puzzle with an empty cell and other single values.

        A text that is long enough for a damaged puzzle is left to Python, unless it is a full grid.
        """
        cdef int k, number = 0, filled = 0
        cdef Py_ssize_t s, size
        cdef byte first
        while True:
            p = _skip_blanks(t, p + 1, e)
            k = self._item[number] if number < self._width else -1
            if p >= e or number > MOST_NAMES - 2 or t[p] == OPENING or (k < 0 and self._keeps_items):
                return False
            first, s = t[p], p + 1
            p = self._text(t, s, e, wide, k) if first == QUOTE else self._other(t, p, e, k)
            if p < 0:
                return False
            size = p - 1 - s
            if first == QUOTE and size >= DAMAGED:
                if size != 81 or not self._is_puzzle(t + s) or _has_empty(t + s) != (k == self._puzzle):
                    return False
            filled += size > 0 if first == QUOTE else first != 110
            number += 1
            p = _skip_blanks(t, p, e)
            if p >= e or t[p] != COMMA:
                break
        if p >= e or t[p] != CLOSING or _skip_blanks(t, p + 1, e) != e:
            return False
        return self._end[self._puzzle] > 0 and filled > 1

    cdef inline Py_ssize_t _key(self, const byte *t, Py_ssize_t p, Py_ssize_t e, bint wide, int first,
                                int *k) noexcept nogil:
        """Find the number of the key at p, from `first` on, or INNER, -1 for another; the place of its value, or -1."""
        cdef Py_ssize_t s = p + 1
        cdef bint escaped
        if p >= e or t[p] != QUOTE:
            return -1
        p = self._string(t, s, e, wide, &escaped)
        if p < 0 or escaped:
            return -1
        if self._inner_size == p - s > 0 and not self._is_inside and memcmp(self._inner_key, t + s, p - s) == 0:
            k[0] = INNER
        else:
            k[0] = self._which(t + s, p - s, first)
            if k[0] < 0:
                self._keep_other(t, s, p)
        p = _skip_blanks(t, p + 1, e)
        if p >= e or t[p] != 58:
            return -1
        p = _skip_blanks(t, p + 1, e)
        return p if p < e else -1

    cdef inline Py_ssize_t _text(self, const byte *t, Py_ssize_t s, Py_ssize_t e, bint wide, int k) noexcept nogil:
        """Take the string from s on as the value of name k; the place after it, or -1."""
        cdef Py_ssize_t p = s + 81
        cdef bint escaped = False
        if k == self._puzzle:
            if p >= e or t[p] != QUOTE or not self._is_puzzle(t + s):
                return -1
            self._is_list = False
        else:
            p = self._string(t, s, e, wide, &escaped)
            if p < 0 or (self._is_only and p - s == 81 and self._is_puzzle(t + s) and _has_empty(t + s)):
                return -1
        if k >= 0:
            self._begin[k], self._end[k], self._escaped[k] = s, p, escaped
            self._state[k] = TEXT
        return p + 1

    cdef inline Py_ssize_t _other(self, const byte *t, Py_ssize_t p, Py_ssize_t e, int k) noexcept nogil:
        """Take the null, truth value, number or list at p as the value of name k; the place after it, or -1."""
        cdef Py_ssize_t s = p
        if k == self._puzzle:
            return self._list(t, p, e)
        if t[p] == OPENING:
            return self._other_list(t, p, e, k)
        if _word(t, p, e, "null", 4):
            s = p = p + 4
        elif _word(t, p, e, "true", 4):
            p += 4
        elif _word(t, p, e, "false", 5):
            p += 5
        else:
            p = _number(t, p, e)
            if p < 0:
                return -1
        if k >= 0:
            self._begin[k], self._end[k], self._escaped[k] = s, p, False
            self._state[k] = MISSING if s == p else JSON
        return p

    cdef Py_ssize_t _other_list(self, const byte *t, Py_ssize_t s, Py_ssize_t e, int k) noexcept nogil:
        """Take the list at s as the value of name k, as Python writes it; the place after it, or -1."""
        cdef bint is_as_python
        cdef Py_ssize_t p = _plain_list(t, s, e, &is_as_python), begin = s, end = p, needed
        cdef byte cells[81]
        if self._is_only and p > 0 and list_cells(t, s, e, True, cells) > 0 and _has_empty(cells):
            return -1
        if p < 0 or k < 0:
            return p
        if not is_as_python:
            needed = self._size_added + 2 * (p - s)
            if not make_room(<void **>&self._added, &self._capacity_added, needed, 1):
                return -1  # Python reads it, or has no memory either
            begin = self._text_end + self._size_added
            self._size_added += _write_list(t, s, p, self._added + self._size_added)
            end = self._text_end + self._size_added
        self._begin[k], self._end[k], self._escaped[k] = begin, end, False
        self._state[k] = JSON
        return p

    cdef Py_ssize_t _list(self, const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
        """Take the list of cells at p as the puzzle; the place after it, or -1."""
        cdef Py_ssize_t s = p
        if not self._lists:
            return -1
        p = list_cells(t, s, e, True, self._cells)
        if p < 0:
            return -1
        self._begin[self._puzzle], self._end[self._puzzle] = s, s + 81
        self._state[self._puzzle] = TEXT
        self._is_list = True
        return p

    cdef void _keep_other(self, const byte *t, Py_ssize_t s, Py_ssize_t e) noexcept nogil:
        """Keep where a key without a name is, unless there are many or it is kept already."""
        cdef int k
        cdef Py_ssize_t begin
        for k in range(self._n_others):
            begin = self._others[2 * k]
            if self._others[2 * k + 1] - begin == e - s and memcmp(t + begin, t + s, e - s) == 0:
                return
        if self._n_others < MOST_OTHERS:
            self._others[2 * self._n_others], self._others[2 * self._n_others + 1] = s, e
            self._n_others += 1

    @property
    def width(self):
        """The number of names."""
        return self._width

    @property
    def others(self):
        """Where the first keys that are none of the names begin and end in the text."""
        return [(self._others[2 * k], self._others[2 * k + 1]) for k in range(self._n_others)]

    cdef inline int _which(self, const byte *name, Py_ssize_t size, int first) noexcept nogil:
        """The number of a name, -1 for another one; objects mostly have them in the same order."""
        cdef int i, k
        for i in range(self._width):
            k = first + i
            k = k if k < self._width else k - self._width
            if self._size[k] == size and memcmp(self._name[k], name, size) == 0:
                return k
        return -1

    cdef Py_ssize_t _string(self, const byte *t, Py_ssize_t p, Py_ssize_t e, bint wide, bint *escaped) noexcept nogil:
        """The place of the quote that ends the string at p; -1 if it is malformed, or has an escape by number."""
        cdef byte c
        escaped[0] = False
        while p < e:
            if p + 8 <= e:
                c = first_special(t + p, wide)
                p += c
                if c == 8:
                    continue
            c = t[p]
            if c == QUOTE:
                return p
            if c < 32 or (c >= 128 and not wide):
                return -1
            if c == BACKSLASH:
                p += 1
                if p >= e or _plain(t[p]) == 0:
                    return -1
                escaped[0] = True
            p += 1
        return -1

    cdef void _keep_it(self, byte *t, long long line) noexcept nogil:
        """Store the puzzle and the values of the object, without their escapes."""
        cdef Py_ssize_t n = self._count, p, w
        cdef int k
        if self._is_list:
            memcpy(t + self._begin[self._puzzle], self._cells, 81)
        for k in range(self._width):
            if self._escaped[k]:
                w = self._begin[k]
                p = w
                while p < self._end[k]:
                    if t[p] == BACKSLASH:
                        p += 1
                        t[w] = _plain(t[p])
                    else:
                        t[w] = t[p]
                    p += 1
                    w += 1
                self._end[k] = w
            self._beside[2 * k * self._capacity + n] = self._begin[k]
            self._beside[(2 * k + 1) * self._capacity + n] = self._end[k]
            self._states[k * self._capacity + n] = self._state[k]
        invariant(n < self._capacity)
        self._starts[n] = self._begin[self._puzzle]
        self._lines[n] = line
        self._count = n + 1

    @property
    def added(self):
        """Lists that are written in another way than in the text, whose places count on from its end."""
        return PyBytes_FromStringAndSize(<const char *>self._added, self._size_added)

    def column(self, int name):
        """Begins, ends and states of the value of a name, from 0, in the objects."""
        if not 0 <= name < self._width:
            raise IndexError("no such name")
        first = name * self._capacity
        return *self._beside_view(2 * name), memoryview(self._kept)[first:first + self._count]


cdef inline bint _has_empty(const byte *cells) noexcept nogil:
    """Whether one of 81 cells is empty."""
    cdef int k
    for k in range(81):
        if <byte>(cells[k] - 49) > 8:
            return True
    return False


cdef inline byte _plain(byte c) noexcept nogil:
    """The character that an escape stands for, 0 if there is none."""
    if c == QUOTE or c == BACKSLASH or c == 47:
        return c
    if c == 110:
        return 10
    if c == 116:
        return 9
    if c == 114:
        return 13
    if c == 98:
        return 8
    return 12 if c == 102 else 0


cdef Py_ssize_t _string_end(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The end of the string whose content begins at p; -1 if it is malformed."""
    cdef int k
    while p < e:
        if p + 8 <= e:
            k = first_special(t + p, True)
            p += k
            if k == 8:
                continue
        if t[p] == QUOTE:
            return p + 1
        if t[p] < 32:
            return -1
        if t[p] == BACKSLASH:
            p += 1
            if p < e and t[p] == 117:
                for k in range(1, 5):
                    if p + k >= e or not (<byte>(t[p + k] - 48) < 10 or <byte>((t[p + k] | 32) - 97) < 6):
                        return -1
                p += 4
            elif p >= e or _plain(t[p]) == 0:
                return -1
        p += 1
    return -1


cdef Py_ssize_t _number_end(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The end of the number at p, in any way that JSON has; -1 if there is none."""
    cdef Py_ssize_t s
    p += t[p] == 45
    s = p
    p = _digits(t, p, e)
    if p < 0 or (t[s] == 48 and p > s + 1):
        return -1
    if p < e and t[p] == DOT:
        p = _digits(t, p + 1, e)
    if 0 < p < e and (t[p] | 32) == 101:
        p += 1
        if p < e and (t[p] == 43 or t[p] == 45):
            p += 1
        p = _digits(t, p, e)
    return p


cdef Py_ssize_t _value_end(const byte *t, Py_ssize_t p, Py_ssize_t e, int depth) noexcept nogil:
    """The end of the JSON value at p; -1 if it is malformed or too deep, or has a number that JSON lacks."""
    cdef byte opens, closes
    if p >= e or depth > DEEPEST:
        return -1
    opens = t[p]
    if opens == QUOTE:
        return _string_end(t, p + 1, e)
    if opens != OPENING and opens != 123:
        if _word(t, p, e, "null", 4) or _word(t, p, e, "true", 4):
            return p + 4
        return p + 5 if _word(t, p, e, "false", 5) else _number_end(t, p, e)
    closes = opens + 2
    p = _after_blanks(t, p + 1, e)
    if p < e and t[p] == closes:
        return p + 1
    while True:
        if opens == 123:
            if p >= e or t[p] != QUOTE:
                return -1
            p = _string_end(t, p + 1, e)
            if p < 0:
                return -1
            p = _after_blanks(t, p, e)
            if p >= e or t[p] != 58:
                return -1
            p = _after_blanks(t, p + 1, e)
        if p + 1 < e and <byte>(t[p] - 48) < 10 and (t[p + 1] == COMMA or t[p + 1] == closes):  # as cells are
            p += 1
        else:
            p = _value_end(t, p, e, depth + 1)
            if p < 0:
                return -1
            p = _after_blanks(t, p, e)
        if p >= e or (t[p] != COMMA and t[p] != closes):
            return -1
        if t[p] == closes:
            return p + 1
        p = _after_blanks(t, p + 1, e)


cdef Py_ssize_t _copy_line(byte *t, Py_ssize_t p, Py_ssize_t e, Py_ssize_t w, long long *line) noexcept nogil:
    """Move a value of JSON back to w, with a blank for each line end in it, and a line end after it.

    Blanks in a plain list, which is all of a record or one of its members, are left out, but for one after each comma.
    The line ends are counted; the place after the copy.
    """
    cdef int depth = 0
    cdef Py_ssize_t s
    cdef bint is_as_python
    if _find(t, p, e, LF) == e and _find(t, p, e, CR) == e:
        memmove(t + w, t + p, e - p)
        w += e - p
        p = e
    while p < e:
        s = -1
        if t[p] == QUOTE:
            s = _string_end(t, p + 1, e)
        elif t[p] == OPENING and depth <= 1:
            s = _plain_list(t, p, e, &is_as_python)
            if s > 0:
                w = _squeeze(t, p, s, w, line)
                p = s
                continue
        if s > 0:
            memmove(t + w, t + p, s - p)
            w += s - p
            p = s
            continue
        depth += (t[p] == OPENING or t[p] == 123) - (t[p] == CLOSING or t[p] == 125)
        t[w] = t[p]
        if t[p] == LF or t[p] == CR:
            t[w] = 32
            line[0] += 1
            p = _next_line(t, p, e) - 1
        p += 1
        w += 1
    t[w] = LF
    return w + 1


cdef Py_ssize_t _squeeze(byte *t, Py_ssize_t p, Py_ssize_t e, Py_ssize_t w, long long *line) noexcept nogil:
    """Move a plain list back to w, without blanks but one after a comma that has some; the place after the copy.

    The line ends are counted.
    """
    cdef byte c
    cdef Py_ssize_t s
    cdef bint in_text = False
    while p < e:
        c = t[p]
        in_text ^= c == QUOTE
        t[w] = c
        w += 1
        p += 1
        if in_text or t[p] > 32:  # outside texts, only blanks are below; a list ends with its bracket
            continue
        s = p
        p = _after_blanks(t, p, e)
        line[0] += _count_lines(t, s, p)
        if c == COMMA:
            t[w] = 32
            w += 1
    return w


cdef Py_ssize_t _count_lines(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The number of line ends."""
    cdef Py_ssize_t count = 0
    for p in range(p, e):
        count += t[p] == LF or (t[p] == CR and (p + 1 == e or t[p + 1] != LF))
    return count


cdef _taken(long long *numbers, Py_ssize_t count):
    """Numbers in a view that can be changed; their memory is freed."""
    try:
        made = bytearray(8 * count)
        memcpy(<unsigned char *>made, numbers, 8 * count)
        return memoryview(made).cast("q")
    finally:
        free(numbers)


def element_places(const byte[::1] text, Py_ssize_t begin, Py_ssize_t end):
    """Return where the values of the JSON list from `begin` to `end` begin, and where it closes.

    None if the text there is not one list that is not empty, or has what JSON lacks.
    """
    _check_part(begin, end, text.shape[0])
    cdef Py_ssize_t p, n = 0, capacity = 0
    cdef long long *places = NULL
    if begin == end:
        return None
    cdef const byte *t = &text[0]
    cdef bint is_whole = False, has_room = True
    with nogil:
        p = _after_blanks(t, begin, end)
        p = p + 1 if p < end and t[p] == OPENING else -1
        while p > 0:
            p = _after_blanks(t, p, end)
            has_room = make_room(<void **>&places, &capacity, n + 2, sizeof(long long))
            if not has_room:
                break
            places[n] = p
            n += 1
            p = _value_end(t, p, end, 0)
            if p < 0:
                break
            p = _after_blanks(t, p, end)
            if p >= end or t[p] != COMMA:
                is_whole = p < end and t[p] == CLOSING and _after_blanks(t, p + 1, end) == end
                places[n] = p
                break
            p += 1
    if is_whole:
        return _taken(places, n + 1)
    free(places)
    if not has_room:
        raise MemoryError
    return None


def split_elements(byte[::1] text, long long[::1] places):
    """Move the values at these places of a list to the front of the text, each on a line; return the size of the lines.

    The places become the numbers of the lines on which the values began. The last place is where the list closes.
    """
    cdef Py_ssize_t n = places.shape[0] - 1, k, p = 0, e, w = 0, size = text.shape[0]
    cdef long long line = 1
    if n <= 0:
        return 0
    for k in range(n):
        if not 0 <= p < places[k] < places[k + 1] < size:
            raise ValueError("places must be those of a list in the text")
        p = places[k]
    cdef byte *t = &text[0]
    p = 0
    with nogil:
        for k in range(n):
            line += _count_lines(t, p, places[k])
            p = places[k]
            e = places[k + 1]
            if k < n - 1:
                e -= 1
                while e > p and t[e] != COMMA:
                    e -= 1
            while e > p and (t[e - 1] == 32 or t[e - 1] == 10 or t[e - 1] == 13 or t[e - 1] == 9):
                e -= 1
            places[k] = line
            w = _copy_line(t, p, e, w, &line)
            p = e
    return w


def member_places(const byte[::1] text, Py_ssize_t begin, Py_ssize_t end):
    """Return four numbers for each member of the JSON object from `begin` to `end`: of its name and of its value.

    None if the text there is not one object, has what JSON lacks or very many members.
    """
    _check_part(begin, end, text.shape[0])
    cdef Py_ssize_t p, n = 0, capacity = 0
    cdef long long *places = NULL
    if begin == end:
        return None
    cdef const byte *t = &text[0]
    cdef bint is_whole = False, has_room = True
    with nogil:
        p = _after_blanks(t, begin, end)
        p = _after_blanks(t, p + 1, end) if p < end and t[p] == 123 else -1
        while 0 < p < end and t[p] == QUOTE and n < 4 * MOST_MEMBERS:
            has_room = make_room(<void **>&places, &capacity, n + 4, sizeof(long long))
            if not has_room:
                break
            places[n] = p
            p = _string_end(t, p + 1, end)
            if p < 0:
                break
            places[n + 1] = p
            p = _after_blanks(t, p, end)
            if p >= end or t[p] != 58:
                break
            p = _after_blanks(t, p + 1, end)
            places[n + 2] = p
            p = _value_end(t, p, end, 0)
            if p < 0:
                break
            places[n + 3] = p
            n += 4
            p = _after_blanks(t, p, end)
            if p >= end or t[p] != COMMA:
                is_whole = p < end and t[p] == 125 and _after_blanks(t, p + 1, end) == end
                break
            p = _after_blanks(t, p + 1, end)
    if is_whole:
        return _taken(places, n)
    free(places)
    if not has_room:
        raise MemoryError
    return None
