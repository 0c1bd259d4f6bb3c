# The characters of a cell, for every module that reads or writes text: 1 to 9, or one of 0 . * _ - x X ? for
# an empty cell, the same in all of a puzzle. The loops over 81 bytes have no branches, so that the compiler
# vectorises them.

ctypedef unsigned char byte

cdef inline bint regular_cells(const unsigned char *t, unsigned char empty) noexcept nogil:
    """Whether the 81 bytes are digits and this empty symbol."""
    cdef unsigned char bad = 0
    cdef int i
    for i in range(81):
        bad |= t[i] ^ empty if <unsigned char>(t[i] - 49) > 8 else 0
    return bad == 0


cdef inline bint is_cell(unsigned char c) noexcept nogil:
    """Whether the byte is a digit or an empty symbol."""
    return <unsigned char>(c - 48) < 10 or c == 46 or c == 42 or c == 95 or c == 45 or c == 63 or (c | 32) == 120


cdef inline int first_empty(const unsigned char *t) noexcept nogil:
    """The first of 81 bytes that is not a digit; 81 if all are."""
    cdef int i = 0
    while i < 81 and <unsigned char>(t[i] - 49) < 9:
        i += 1
    return i


cdef inline bint is_rule(const unsigned char *t) noexcept nogil:
    """Whether 81 cells have no digit, and no symbol of an empty puzzle: a rule across a page."""
    cdef int i
    if t[0] == 46 or t[0] == 48:
        return False
    for i in range(81):
        if t[i] != t[0]:
            return False
    return True


cdef inline bint has_one_symbol(const unsigned char *t) noexcept nogil:
    """Whether the 81 bytes are digits and one empty symbol, neither a dot nor 0."""
    cdef int i = first_empty(t)
    return i < 81 and is_cell(t[i]) and regular_cells(t, t[i]) and not is_rule(t)


cdef inline bint is_puzzle(const unsigned char *t, int zero) noexcept nogil:
    """Whether the 81 bytes are digits and one empty symbol (zero 48), or the numbers 0 to 9 (zero 0)."""
    cdef unsigned char wrong = 0
    cdef int i
    if zero == 0:
        for i in range(81):
            wrong |= t[i] > 9
        return wrong == 0
    return regular_cells(t, 46) or regular_cells(t, 48) or has_one_symbol(t)


cdef inline Py_ssize_t first_wrong(const unsigned char *t) noexcept nogil:
    """The first of 81 bytes that is not a cell, or else a second empty symbol, or 0 of a rule; 81 if there is
    none."""
    cdef Py_ssize_t i = 0
    cdef int first
    if is_puzzle(t, 48):
        return 81
    while i < 81 and is_cell(t[i]):
        i += 1
    if i < 81:
        return i
    i = first = first_empty(t)
    while i < 81 and (t[i] == t[first] or <unsigned char>(t[i] - 49) < 9):
        i += 1
    return i if i < 81 else 0


cdef inline void write_cells(unsigned char *out, const unsigned char *cells, unsigned char zero) noexcept nogil:
    """The 81 cells with a dot for each empty one."""
    cdef int i
    cdef unsigned char d
    for i in range(81):
        d = cells[i] - zero - 1
        out[i] = d + 49 if d < 9 else 46
