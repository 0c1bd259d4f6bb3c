# Calls for one puzzle at native speed.
#
# Each `native_...` function takes the complete function, written in Python, and returns a compiled one with the
# same signature and documentation.  The compiled function reads a puzzle of 81 characters where it is and searches
# it with the one-puzzle kernel.  Whatever else it is given, and puzzles that need many guesses, it leaves to the
# complete function.  A search is so short that the GIL is kept.

from cpython.bytes cimport PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_GET_LENGTH

from functools import update_wrapper

from unidoku.verdict import Verdict

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    const uint8_t* PyUnicode_1BYTE_DATA(object text)

cdef extern from "lanes.h" nogil:
    bint text_is_puzzle(const uint8_t* text)

cdef enum:
    QUICK = 512  # guesses, less than 0.1 ms on AVX-512

cdef tuple VERDICTS = tuple(Verdict)  # by code: so many solutions, up to two


cdef inline bint quick_search(object puzzle, Request* request, One* s) noexcept:
    """Whether a puzzle was searched to the end; the outcome is in `s` and where `request` says."""
    cdef const uint8_t* text
    if PyUnicode_CheckExact(puzzle) and PyUnicode_IS_COMPACT_ASCII(puzzle) and PyUnicode_GET_LENGTH(puzzle) == 81:
        text = PyUnicode_1BYTE_DATA(puzzle)
    elif PyBytes_CheckExact(puzzle) and PyBytes_GET_SIZE(puzzle) == 81:
        text = <const uint8_t*> PyBytes_AS_STRING(puzzle)
    else:
        return False
    if not text_is_puzzle(text):
        return False
    frame_read(text, 48, s.frame.word)
    s.request = request
    s.puzzle = 0
    s.turns = QUICK
    one_start(s)
    return one_search(s) == ENDED


def native_check(complete):
    """`unidoku.check` at native speed.

    Parameters
    ----------
    complete : callable
        The function that does everything.

    Returns
    -------
    callable
        Like `complete`, and faster where the puzzle is 81 characters and easy to search.
    """

    def check(puzzle, **options):
        cdef One s
        cdef Request request
        if not options:
            memset(&request, 0, sizeof(request))
            request.limit = 2
            if quick_search(puzzle, &request, &s):
                return VERDICTS[s.found]
        return complete(puzzle, **options)

    return update_wrapper(check, complete)


def native_count(complete):
    """`unidoku.count` at native speed; see `native_check`."""

    def count(puzzle, limit=None, **options):
        cdef One s
        cdef Request request
        if not options and (limit is None or (type(limit) is int and 0 < limit <= UINT64_MAX)):
            memset(&request, 0, sizeof(request))
            request.limit = UINT64_MAX if limit is None else limit
            if quick_search(puzzle, &request, &s):
                return s.found
        return complete(puzzle, limit, **options)

    return update_wrapper(count, complete)


def native_solve(grid):
    """`unidoku.solve` at native speed: a decorator; see `native_check`.

    Parameters
    ----------
    grid : type
        `unidoku.Grid`, the type of a solution.
    """
    new = grid.__new__

    def decorate(complete):
        def solve(puzzle, **options):
            cdef One s
            cdef Request request
            cdef bytes cells
            if not options:
                memset(&request, 0, sizeof(request))
                request.limit = 1
                cells = PyBytes_FromStringAndSize(NULL, 81)
                request.solutions = <uint8_t*> PyBytes_AS_STRING(cells)
                if quick_search(puzzle, &request, &s):
                    if s.found == 0:
                        return None
                    solution = new(grid)
                    solution._cells = cells
                    return solution
            return complete(puzzle, **options)

        return update_wrapper(solve, complete)

    return decorate
