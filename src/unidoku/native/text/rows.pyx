"""Check that rows of 81 bytes are puzzles."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint8_t

include "cells.pxi"

__all__ = ["first_bad"]


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
    PyObject_GetBuffer(text, &view, PyBUF_SIMPLE)
    try:
        cells = <const uint8_t*> view.buf
        with nogil:
            for k in range(count):
                if starts[k] < 0 or starts[k] > view.len - 81:
                    outside = True
                    break
                if not is_puzzle(cells + starts[k], zero):
                    found = k
                    break
    finally:
        PyBuffer_Release(&view)
    if outside:
        raise ValueError("a start is outside the text")
    return found
