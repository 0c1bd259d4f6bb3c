"""Check that rows of 81 bytes are puzzles."""

from libc.stdint cimport int64_t, uint8_t

include "cells.pxi"

__all__ = ["first_bad"]


def first_bad(const uint8_t[::1] text, const int64_t[::1] starts, int zero=48):
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
    cdef Py_ssize_t k = -1
    with nogil:
        for k in range(starts.shape[0]):
            if starts[k] < 0 or starts[k] > text.shape[0] - 81:
                with gil:
                    raise ValueError("a start is outside the text")
            if not is_puzzle(&text[starts[k]], zero):
                break
        else:
            k = -1
    return k
