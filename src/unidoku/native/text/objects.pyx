"""Find puzzles in JSON lines: on each an object with the puzzle as a string or a list of 81 cells, or only that.

Like ``scan`` this makes no Python object per line. A line of another form (other lists, nested values, text that is
no JSON) is left to the caller, in place of a reject.
"""

cimport cython
from unidoku.native.text.columns cimport ABSENT, JSON, MISSING, TEXT

include "cells.pxi"
include "found.pxi"
include "boards.pxi"
include "lists.pxi"

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


cdef Py_ssize_t _plain_list(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The end of the list at p; -1 if there is none, or one with objects, escapes, or what Python writes otherwise."""
    cdef int depth = 0
    while p < e:
        if t[p] == OPENING and depth < DEEPEST:
            depth += 1
            p += 1
            if p < e and t[p] != CLOSING:
                continue
        elif t[p] == QUOTE:
            p += 1
            while p < e and t[p] != QUOTE and 32 <= t[p] < 127 and t[p] != BACKSLASH:
                p += 1
            if p >= e or t[p] != QUOTE:
                return -1
            p += 1
        elif _word(t, p, e, "null", 4) or _word(t, p, e, "true", 4):
            p += 4
        elif _word(t, p, e, "false", 5):
            p += 5
        else:
            p = _number(t, p, e)
            if p < 0:
                return -1
        while p < e and t[p] == CLOSING:
            depth -= 1
            p += 1
            if depth == 0:
                return p
        if e - p < 2 or t[p] != COMMA or t[p + 1] != 32:
            return -1
        p += 2
    return -1


cdef inline bint _word(const byte *t, Py_ssize_t p, Py_ssize_t e, const char *word, Py_ssize_t size) noexcept nogil:
    return e - p >= size and memcmp(t + p, word, size) == 0


@cython.final
cdef class ObjectScanner(_Found):
    """Finds the puzzle and the other values of objects by their keys; `puzzle` is the number of its key, from 0.

    Lines longer than `longest`, and all others that are left to the caller, are rejects with the code 0. With `pairs`
    a full grid is left to it, too, as its puzzle is missing. With `lists` a puzzle can be a list of cells: they replace
    its beginning in the text.
    """

    cdef int _width, _puzzle
    cdef bint _pairs, _lists
    cdef bint _is_list  # whether the puzzle of the object is one
    cdef byte _cells[81]  # of such a puzzle
    cdef Py_ssize_t _longest
    cdef tuple _names
    cdef const char *_name[MOST_NAMES]
    cdef Py_ssize_t _size[MOST_NAMES]
    cdef Py_ssize_t _begin[MOST_NAMES]
    cdef Py_ssize_t _end[MOST_NAMES]
    cdef bint _escaped[MOST_NAMES]
    cdef byte _state[MOST_NAMES]
    cdef object _kept  # a bytearray behind the states of the values
    cdef byte *_states

    def __cinit__(self, names, int puzzle, Py_ssize_t longest, *, bint pairs=False, bint lists=False):
        cdef int k
        self._pairs, self._lists = pairs, lists
        self._names = tuple(names)
        self._width, self._puzzle, self._longest = len(self._names), puzzle, longest
        self._kept = bytearray()
        if not 0 <= puzzle < self._width <= MOST_NAMES:
            raise ValueError("the puzzle must be one of the names")
        for k in range(self._width):
            self._name[k] = self._names[k]
            self._size[k] = len(self._names[k])

    def scan(self, byte[::1] text, Py_ssize_t begin, Py_ssize_t end, long long line=0, *, bint wide=True):
        """Find the puzzles of ``text[begin:end]``, whole lines after `line` others; return their number.

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
        if begin == end:
            return 0
        cdef byte *t = &text[0]
        cdef bint done = True
        cdef Py_ssize_t p = begin, e, s, lf = -1
        with nogil:
            while p < end and done:
                line += 1
                if lf < p:
                    # Cached: if lines end in CR, each search for LF would scan the whole text.
                    lf = _find(t, p, end, LF)
                e = _find(t, p, lf, CR)
                s = _skip_blanks(t, p, e)
                if s < e:
                    if e - p <= self._longest and self._object(t, s, e, wide):
                        self._keep_it(t, line)
                    else:
                        done = self._reject(line, p, p, e, 0, 0)
                p = _next_line(t, e, end)
        if not done:
            raise MemoryError
        return self._count

    cdef bint _object(self, byte *t, Py_ssize_t p, Py_ssize_t e, bint wide) noexcept nogil:
        """Find the values of the object at p; False if it is not one with a puzzle, or of another form."""
        cdef int k, last = -1
        self._is_list = False
        for k in range(self._width):
            self._begin[k] = self._end[k] = 0
            self._escaped[k] = False
            self._state[k] = ABSENT
        if t[p] == QUOTE:
            return self._lone_puzzle(t, p + 1, e)
        if t[p] == OPENING:
            p = self._list(t, p, e)
            return p > 0 and _skip_blanks(t, p, e) == e
        if t[p] != 123:
            return False
        p = _skip_blanks(t, p + 1, e)
        while True:
            p = self._key(t, p, e, wide, last + 1, &k)
            if p < 0:
                return False
            if k >= 0:
                last = k
            p = self._text(t, p + 1, e, wide, k) if t[p] == QUOTE else self._other(t, p, e, k)
            if p < 0:
                return False
            p = _skip_blanks(t, p, e)
            if p >= e:
                return False
            if t[p] == 125:
                return self._end[self._puzzle] > 0 and _skip_blanks(t, p + 1, e) == e
            if t[p] != 44:
                return False
            p = _skip_blanks(t, p + 1, e)

    cdef inline bint _is_puzzle(self, const byte *t) noexcept nogil:
        return is_puzzle(t, 48) and not (self._pairs and is_full(t))

    cdef bint _lone_puzzle(self, const byte *t, Py_ssize_t s, Py_ssize_t e) noexcept nogil:
        """Take the string from s on, which is all of the line; False if it is no puzzle."""
        self._begin[self._puzzle], self._end[self._puzzle] = s, s + 81
        self._state[self._puzzle] = TEXT
        return s + 81 < e and t[s + 81] == QUOTE and self._is_puzzle(t + s) and _skip_blanks(t, s + 82, e) == e

    cdef inline Py_ssize_t _key(self, const byte *t, Py_ssize_t p, Py_ssize_t e, bint wide, int first,
                                int *k) noexcept nogil:
        """Find the number of the key at p, from `first` on, -1 for another one; the place of its value, or -1."""
        cdef Py_ssize_t s = p + 1
        cdef bint escaped
        if p >= e or t[p] != QUOTE:
            return -1
        p = self._string(t, s, e, wide, &escaped)
        if p < 0 or escaped:
            return -1
        k[0] = self._which(t + s, p - s, first)
        p = _skip_blanks(t, p + 1, e)
        if p >= e or t[p] != 58:
            return -1
        p = _skip_blanks(t, p + 1, e)
        return p if p < e else -1

    cdef inline Py_ssize_t _text(self, const byte *t, Py_ssize_t s, Py_ssize_t e, bint wide, int k) noexcept nogil:
        """Take the string from s on as the value of name k; the place behind it, or -1."""
        cdef Py_ssize_t p = s + 81
        cdef bint escaped = False
        if k == self._puzzle:
            if p >= e or t[p] != QUOTE or not self._is_puzzle(t + s):
                return -1
            self._is_list = False
        else:
            p = self._string(t, s, e, wide, &escaped)
            if p < 0:
                return -1
        if k >= 0:
            self._begin[k], self._end[k], self._escaped[k] = s, p, escaped
            self._state[k] = TEXT
        return p + 1

    cdef inline Py_ssize_t _other(self, const byte *t, Py_ssize_t p, Py_ssize_t e, int k) noexcept nogil:
        """Take the null, truth value, number or list at p as the value of name k; the place behind it, or -1."""
        cdef Py_ssize_t s = p
        if k == self._puzzle:
            return self._list(t, p, e)
        if _word(t, p, e, "null", 4):
            s = p = p + 4
        elif _word(t, p, e, "true", 4):
            p += 4
        elif _word(t, p, e, "false", 5):
            p += 5
        else:
            p = _plain_list(t, p, e) if t[p] == OPENING else _number(t, p, e)
            if p < 0:
                return -1
        if k >= 0:
            self._begin[k], self._end[k], self._escaped[k] = s, p, False
            self._state[k] = MISSING if s == p else JSON
        return p

    cdef Py_ssize_t _list(self, const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
        """Take the list of cells at p as the puzzle; the place behind it, or -1."""
        cdef Py_ssize_t s = p
        if not self._lists:
            return -1
        p = list_cells(t, s, e, True, self._cells)
        if p < 0 or (self._pairs and is_full(self._cells)):
            return -1
        self._begin[self._puzzle], self._end[self._puzzle] = s, s + 81
        self._state[self._puzzle] = TEXT
        self._is_list = True
        return p

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

    def column(self, int name):
        """Begins, ends and states of the value of a name, from 0, in the objects."""
        if not 0 <= name < self._width:
            raise IndexError("no such name")
        first = name * self._capacity
        return *self._beside_view(2 * name), memoryview(self._kept)[first:first + self._count]


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


cdef Py_ssize_t _copy_line(const byte *t, Py_ssize_t p, Py_ssize_t e, byte *out, long long *line) noexcept nogil:
    """Copy a value of JSON with a blank for each line end in it, and a line end behind it; count these lines."""
    cdef Py_ssize_t w = e - p
    if _find(t, p, e, LF) == e and _find(t, p, e, CR) == e:
        memcpy(out, t + p, w)
        out[w] = LF
        return w + 1
    w = 0
    while p < e:
        out[w] = t[p]
        if t[p] == LF or t[p] == CR:
            out[w] = 32
            line[0] += 1
            p = _next_line(t, p, e) - 1
        p += 1
        w += 1
    out[w] = LF
    return w + 1


cdef Py_ssize_t _count_lines(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The number of line ends in blanks."""
    cdef Py_ssize_t count = 0
    while p < e:
        if t[p] == LF or t[p] == CR:
            count += 1
            p = _next_line(t, p, e) - 1
        p += 1
    return count


def split_list(const byte[::1] text):
    """Put each value of a JSON list on a line; return the lines, and the line of the text that each begins on.

    None if the text is not one list that is not empty, or has what JSON lacks.
    """
    cdef Py_ssize_t e = text.shape[0], p, s, w = 0, n = 0
    cdef long long line = 1
    cdef long long *numbers = NULL
    cdef Py_ssize_t capacity = 0
    if not e:
        return None
    cdef const byte *t = &text[0]
    made = bytearray(e + 1)
    cdef byte[::1] out = made
    cdef bint is_whole = False, has_room = True
    with nogil:
        s = _after_blanks(t, 0, e)
        p = s + 1 if s < e and t[s] == OPENING else -1
        line += _count_lines(t, 0, s)
        while p > 0:
            s = p
            p = _after_blanks(t, s, e)
            line += _count_lines(t, s, p)
            s = p
            p = _value_end(t, s, e, 0)
            has_room = make_room(<void **>&numbers, &capacity, n + 1, sizeof(long long))
            if p < 0 or not has_room:
                break
            numbers[n] = line
            n += 1
            w += _copy_line(t, s, p, &out[w], &line)
            s = p
            p = _after_blanks(t, s, e)
            line += _count_lines(t, s, p)
            if p >= e or t[p] != COMMA:
                is_whole = p < e and t[p] == CLOSING and _after_blanks(t, p + 1, e) == e
                break
            p += 1
    try:
        if not has_room:
            raise MemoryError
        return (memoryview(made)[:w], _copied(numbers, n)) if is_whole else None
    finally:
        free(numbers)
