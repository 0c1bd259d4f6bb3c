"""Check that rows of 81 bytes are puzzles."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint8_t

include "cells.pxi"

__all__ = ["first_bad"]


cdef inline bint row_is_text(const uint8_t* row) noexcept nogil:
    """Digits, or one of the signs . * _ - x X ? for an empty cell."""
    cdef uint8_t wrong = 0
    cdef int k
    # the usual case, digits and dots, in a form that is vectorised: minus 46, a dot is 0 and digits are 2 to
    # 11; the last bit turned over and one less, these are 0 to 10 and anything else is more
    for k in range(81):
        wrong |= <uint8_t> ((<uint8_t> (row[k] - 46) ^ 1) - 1) > 10
    if not wrong:
        return True
    return all_cells(row)


cdef inline bint row_is_numbers(const uint8_t* row) noexcept nogil:
    cdef uint8_t wrong = 0
    cdef int k
    for k in range(81):
        wrong |= row[k] > 9
    return wrong == 0


def first_bad(text, const int64_t[::1] starts, int zero=48):
    """Find the first row that is not a puzzle.

    Parameters
    ----------
    text : bytes-like
        Contains the rows, 81 bytes each.
    starts : buffer of int64, n items
        Where each row begins.
    zero : int, optional
        48 for ASCII text (``1`` to ``9``, or one of ``. 0 * _ - x X ?``), 0 for the numbers 0 to 9.

    Returns
    -------
    int
        Its index, or -1 if all rows are puzzles.  The GIL is released during the call.

    Raises
    ------
    ValueError
        A start outside `text`.
    """
    cdef Py_buffer view
    cdef const uint8_t* cells
    cdef Py_ssize_t k
    cdef Py_ssize_t found = -1
    cdef Py_ssize_t count = starts.shape[0]
    cdef bint outside = False
    cdef bint fits
    PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
    try:
        cells = <const uint8_t*> view.buf
        with nogil:
            for k in range(count):
                if starts[k] < 0 or starts[k] > view.len - 81:
                    outside = True
                    break
                fits = row_is_numbers(cells + starts[k]) if zero == 0 else row_is_text(cells + starts[k])
                if not fits:
                    found = k
                    break
    finally:
        PyBuffer_Release(&view)
    if outside:
        raise ValueError("a start is outside the text")
    return found
