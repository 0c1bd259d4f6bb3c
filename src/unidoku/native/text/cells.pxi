# The characters of a cell, for every module that reads or writes text: 1 to 9, or one of 0 . * _ - x X ? for
# an empty cell. The loops over 81 bytes have no branches, so that the compiler vectorises them.

ctypedef unsigned char byte

cdef inline bint regular_cells(const unsigned char *t, unsigned char empty) noexcept nogil:
    """Whether the 81 bytes are digits and this empty symbol."""
    cdef unsigned char bad = 0
    cdef int i
    for i in range(81):
        bad |= <unsigned char>((<unsigned char>(t[i] - 49) > 8) & (t[i] != empty))
    return bad == 0


cdef inline bint all_cells(const unsigned char *t) noexcept nogil:
    """Whether the 81 bytes are digits and empty symbols of any kind."""
    cdef unsigned char good = 255, c, ok
    cdef int i
    for i in range(81):
        c = t[i]
        ok = -<unsigned char>(<unsigned char>(c - 48) < 10)
        ok |= -<unsigned char>(c == 46)
        ok |= -<unsigned char>(c == 42)
        ok |= -<unsigned char>(c == 95)
        ok |= -<unsigned char>(c == 45)
        ok |= -<unsigned char>(c == 63)
        ok |= -<unsigned char>(<unsigned char>(c | 32) == 120)
        good &= ok
    return good != 0


cdef inline bint is_puzzle(const unsigned char *t, int zero) noexcept nogil:
    """Whether the 81 bytes are digits and empty symbols (zero 48), or the numbers 0 to 9 (zero 0)."""
    cdef unsigned char wrong = 0
    cdef int i
    if zero == 0:
        for i in range(81):
            wrong |= t[i] > 9
        return wrong == 0
    # the usual case, digits and dots: minus 46, a dot is 0 and digits are 2 to 11; the last bit turned over and one
    # less, these are 0 to 10 and anything else is more
    for i in range(81):
        wrong |= <unsigned char>((<unsigned char>(t[i] - 46) ^ 1) - 1) > 10
    return wrong == 0 or all_cells(t)


cdef inline bint is_cell(unsigned char c) noexcept nogil:
    """Whether the byte is a digit or an empty symbol."""
    return <unsigned char>(c - 48) < 10 or c == 46 or c == 42 or c == 95 or c == 45 or c == 63 or (c | 32) == 120


cdef inline Py_ssize_t first_wrong(const unsigned char *t) noexcept nogil:
    """The first of 81 bytes that is no cell; 81 if there is none."""
    cdef Py_ssize_t i = 0
    if regular_cells(t, 46) or all_cells(t):
        return 81
    while is_cell(t[i]):
        i += 1
    return i


cdef inline void write_cells(unsigned char *out, const unsigned char *cells, unsigned char zero) noexcept nogil:
    """The 81 cells with a dot for each empty one."""
    cdef int i
    cdef unsigned char d
    for i in range(81):
        d = cells[i] - zero - 1
        out[i] = d + 49 if d < 9 else 46
