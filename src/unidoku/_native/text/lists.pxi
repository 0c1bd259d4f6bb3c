# Lists of 81 cells, or of nine rows of nine, as JSON and programs write them: numbers 0 to 9 or strings of one
# character. Anything else is left to Python, which reads all forms and says what is wrong. Include
# cells.pxi and boards.pxi first.

from libc.string cimport memcmp, memcpy

cdef enum:
    OPENING = 91   # [
    CLOSING = 93   # ]
    COMMA = 44
    DOUBLE = 34    # quotes
    SINGLE = 39
    NOTHING = 1    # the sign of null and None; in JSON also of an empty string, and of one blank


cdef unsigned int FOUR_BLANKS = 0x20202020


cdef inline Py_ssize_t _after_blanks(const byte *t, Py_ssize_t p, Py_ssize_t e) noexcept nogil:
    """The place of the first byte from p on that is neither a blank nor a line end, or e."""
    cdef unsigned int four
    while p < e and (t[p] == 32 or t[p] == 10 or t[p] == 13 or t[p] == 9):
        p += 1
        while e - p >= 4:
            memcpy(&four, t + p, 4)
            if four != FOUR_BLANKS:
                break
            p += 4
    return p


cdef inline Py_ssize_t _item(const byte *t, Py_ssize_t p, Py_ssize_t e, bint is_json, byte *sign) noexcept nogil:
    """Read the item at p as a digit, or as the sign of an empty cell; the place after it, or -1 for another item."""
    cdef byte quote = t[p]
    if <byte>(quote - 48) < 10:
        sign[0] = quote
        return p + 1 if p + 1 < e else -1
    if quote == DOUBLE or (quote == SINGLE and not is_json):
        if p + 2 < e and t[p + 1] == quote:
            sign[0] = NOTHING if is_json else DOUBLE
            return p + 2
        if p + 2 >= e or t[p + 2] != quote:
            return -1
        sign[0] = t[p + 1]
        if sign[0] == 32:
            sign[0] = NOTHING if is_json else SINGLE
            return p + 3
        if is_json:
            return p + 3 if is_cell(sign[0]) else -1
        return p + 3 if sign[0] == DOT or <byte>(sign[0] - 48) < 10 else -1
    sign[0] = NOTHING
    if e - p > 4 and memcmp(t + p, b"null", 4) == 0:
        return p + 4
    if is_json:
        return -1
    if e - p > 4 and memcmp(t + p, b"None", 4) == 0:
        return p + 4
    return p + 3 if e - p > 3 and (memcmp(t + p, b"nan", 3) == 0 or memcmp(t + p, b"NaN", 3) == 0) else -1


cdef Py_ssize_t _items(const byte *t, Py_ssize_t p, Py_ssize_t e, bint is_json, bint has_commas, int count,
                       byte *cells, byte *empty) noexcept nogil:
    """Read so many items of the list whose content begins at p; the place after its bracket, or -1 for another list.

    An empty cell becomes a dot; `empty` is the sign that all of them have, 0 before the first one.
    """
    cdef int k
    cdef Py_ssize_t s
    cdef byte sign = 0
    p = _after_blanks(t, p, e)
    for k in range(count):
        if k > 0:
            s = p
            p = _after_blanks(t, p, e)
            if has_commas:
                if p >= e or t[p] != COMMA:
                    return -1
                p = _after_blanks(t, p + 1, e)
            elif p == s:
                return -1
        if p >= e:
            return -1
        p = _item(t, p, e, is_json, &sign)
        if p < 0:
            return -1
        if <byte>(sign - 49) > 8:
            if empty[0] == 0:
                empty[0] = sign
            if sign != empty[0]:
                return -1
            sign = DOT
        cells[k] = sign
    p = _after_blanks(t, p, e)
    return p + 1 if p < e and t[p] == CLOSING else -1


cdef Py_ssize_t _text_row(const byte *t, Py_ssize_t p, Py_ssize_t e, byte *cells, byte *empty) noexcept nogil:
    """Read a row that is a string of nine digits, dots or zeros; the place after it, or -1 for another one."""
    cdef int k
    cdef byte sign
    if e - p < 11 or t[p] != DOUBLE or t[p + 10] != DOUBLE:
        return -1
    for k in range(9):
        sign = t[p + 1 + k]
        if <byte>(sign - 49) > 8:
            if sign != DOT and sign != 48:
                return -1
            if empty[0] == 0:
                empty[0] = sign
            if sign != empty[0]:
                return -1
            sign = DOT
        cells[k] = sign
    return p + 11


cdef Py_ssize_t list_cells(const byte *t, Py_ssize_t p, Py_ssize_t e, bint is_json, byte *cells) noexcept nogil:
    """Read the list at p as 81 cells, with a dot for each empty one; the place after it, or -1 for another list.

    A null or a string without a digit can be an empty cell. In JSON, rows can be strings. Elsewhere None and nan can
    be empty cells, strings can have single quotes, and rows of NumPy have no commas.
    """
    cdef byte empty = 0
    cdef Py_ssize_t s
    cdef int r
    cdef bint has_commas = True, are_texts
    if p >= e or t[p] != OPENING:
        return -1
    p = _after_blanks(t, p + 1, e)
    if p >= e:
        return -1
    are_texts = is_json and e - p > 10 and t[p] == DOUBLE and t[p + 1] != DOUBLE and t[p + 2] != DOUBLE
    if t[p] != OPENING and not are_texts:
        p = _items(t, p, e, is_json, True, 81, cells, &empty)
        return p if p > 0 and (is_json or _is_clear(cells)) else -1
    if not is_json:
        s = p + 1
        while s < e and t[s] != COMMA and t[s] != CLOSING:
            s += 1
        has_commas = s < e and t[s] == COMMA
    for r in range(9):
        if r > 0:
            s = p
            p = _after_blanks(t, p, e)
            if has_commas:
                if p >= e or t[p] != COMMA:
                    return -1
                p = _after_blanks(t, p + 1, e)
            elif p == s:
                return -1
        if are_texts:
            p = _text_row(t, p, e, cells + 9 * r, &empty)
        elif p < e and t[p] == OPENING:
            p = _items(t, p + 1, e, is_json, has_commas, 9, cells + 9 * r, &empty)
        else:
            return -1
        if p < 0:
            return -1
    p = _after_blanks(t, p, e)
    if p >= e or t[p] != CLOSING:
        return -1
    if is_json and not are_texts:
        return -1 if _has_row_twice(cells) else p + 1
    return p + 1 if _is_clear(cells) else -1
