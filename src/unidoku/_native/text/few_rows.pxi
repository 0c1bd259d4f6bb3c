# Few puzzles in a usual form, found at native speed: a list of strings, lines of bytes, an array of uint8. The caller
# has `text_is_puzzle` and `numbers_are_puzzle` of its instruction set, and `Views`.

cdef enum:
    QUICK_ROWS = 4096  # in larger batches the time of the call itself does not matter


cdef struct FewRows:
    # As in a request: texts of 81 bytes, each `stride` bytes after the last, with the code of the digit 0.
    const uint8_t* text
    size_t stride
    size_t count
    uint8_t zero


cdef inline const uint8_t* text_of(object puzzle) noexcept:
    """The 81 characters of a string, in place; NULL for any other object."""
    cdef const uint8_t* text
    if PyUnicode_CheckExact(puzzle) and PyUnicode_IS_COMPACT_ASCII(puzzle) and PyUnicode_GET_LENGTH(puzzle) == 81:
        text = PyUnicode_1BYTE_DATA(puzzle)
    elif PyBytes_CheckExact(puzzle) and PyBytes_GET_SIZE(puzzle) == 81:
        text = <const uint8_t*> PyBytes_AS_STRING(puzzle)
    else:
        return NULL
    return text if text_is_puzzle(text) else NULL


cdef object few_rows(object rows, FewRows* few):
    """Find the puzzles in rows; return the object that owns their cells, or None for unusual arguments."""
    cdef const uint8_t* text
    cdef uint8_t* cells
    cdef bytes joined
    cdef Py_ssize_t n, k
    cdef Views views
    cdef Py_buffer* view
    cdef object row
    if type(rows) is list:
        n = len(rows)
        if not 0 < n <= QUICK_ROWS:
            return None
        joined = PyBytes_FromStringAndSize(NULL, 81 * n)
        cells = <uint8_t*> PyBytes_AS_STRING(joined)
        for k in range(n):
            row = rows[k]  # held: another thread may replace it in the list
            text = text_of(row)
            if text == NULL:
                return None
            memcpy(cells + 81 * k, text, 81)
        few.text, few.stride, few.count, few.zero = cells, 81, n, 48
        return joined
    if PyBytes_CheckExact(rows):  # lines
        n = (PyBytes_GET_SIZE(rows) + 1) // 82
        text = <const uint8_t*> PyBytes_AS_STRING(rows)
        if not 0 < n <= QUICK_ROWS or PyBytes_GET_SIZE(rows) < 82 * n - 1 or PyBytes_GET_SIZE(rows) > 82 * n:
            return None
        for k in range(n):
            if not text_is_puzzle(text + 82 * k) or (82 * k + 81 < PyBytes_GET_SIZE(rows) and text[82 * k + 81] != 10):
                return None
        few.text, few.stride, few.count, few.zero = text, 82, n, 48
        return rows
    if not PyObject_CheckBuffer(rows) or hasattr(rows, "mask"):  # the buffer of a masked array has no mask
        return None
    views = Views()
    view = &views.view[0]
    try:
        PyObject_GetBuffer(rows, view, PyBUF_ND | PyBUF_FORMAT)
    except (BufferError, TypeError, ValueError):
        return None
    views.held = 1
    if view.ndim != 2 or view.shape[1] != 81 or view.format == NULL or view.format[0] != c"B" or view.format[1] != 0:
        return None
    n = view.shape[0]
    if not 0 < n <= QUICK_ROWS:
        return None
    text = <const uint8_t*> view.buf
    few.zero = 48 if text[0] > 9 else 0
    for k in range(n):
        if not (text_is_puzzle(text + 81 * k) if few.zero else numbers_are_puzzle(text + 81 * k)):
            return None
    few.text, few.stride, few.count = text, 81, n
    return views
