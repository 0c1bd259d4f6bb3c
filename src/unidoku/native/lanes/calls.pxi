# Calls at native speed.
#
# Each `native_...` decorator takes the complete function, written in Python, and returns a compiled one with the
# same signature and documentation.  The compiled function handles the usual arguments and leaves all others to the
# complete function.
#
# A puzzle of 81 characters is read in place.  The GIL is kept as long as the kernel for one puzzle searches it,
# and released if the lanes continue.

from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyObject_CheckBuffer
from cpython.bytes cimport PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_GET_LENGTH

from functools import update_wrapper

from unidoku.verdict import Verdict

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    const uint8_t* PyUnicode_1BYTE_DATA(object text)

cdef extern from "lanes.h" nogil:
    bint text_is_puzzle(const uint8_t* text)
    bint numbers_are_puzzle(const uint8_t* numbers)

cdef enum:
    QUICK_COUNT = 1000  # larger counts are left to the complete function
    QUICK_ROWS = 4096  # in larger batches the time of the call itself does not matter

cdef tuple VERDICTS = tuple(Verdict)  # by code


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


cdef bint search_puzzle(object puzzle, Request* request, One* s) except -1:
    """Search a puzzle and store its number of solutions in `s.found`; false if it is not 81 characters."""
    cdef const uint8_t* text = text_of(puzzle)
    if text == NULL:
        return False
    request.text, request.zero, request.count = text, 48, 1
    one_start(s, request, 0)
    s.turns = HARD
    if one_search(s) == UNFINISHED:
        request.counts = &s.found
        work(request, s, NULL)
    return True


def native_check(complete):
    """`unidoku.check` at native speed, if the puzzle is 81 characters; `complete` handles all other arguments."""

    def check(puzzle, **options):
        cdef One s
        cdef Request request
        if not options:
            memset(&request, 0, sizeof(request))
            request.limit = 2
            if search_puzzle(puzzle, &request, &s):
                return VERDICTS[s.found]
        return complete(puzzle, **options)

    return update_wrapper(check, complete)


def native_count(complete):
    """`unidoku.count` at native speed; see `native_check`."""

    def count(puzzle, *, limit=None, **options):
        cdef One s
        cdef Request request
        if not options and is_limit(limit):
            memset(&request, 0, sizeof(request))
            request.limit = QUICK_COUNT if limit is None else min(<uint64_t> limit, <uint64_t> QUICK_COUNT)
            if search_puzzle(puzzle, &request, &s) and (s.found < request.limit or s.found == limit):
                return s.found
        return complete(puzzle, limit=limit, **options)

    return update_wrapper(count, complete)


def native_solve(grid):
    """`unidoku.solve` at native speed: a decorator, like `native_check`; `grid` is the type of a solution."""
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
                if search_puzzle(puzzle, &request, &s):
                    if s.found == 0:
                        return None
                    solution = new(grid)
                    solution._cells = cells
                    return solution
            return complete(puzzle, **options)

        return update_wrapper(solve, complete)

    return decorate


cdef bint is_limit(object limit) noexcept:
    """Whether a limit is an integer that needs no error message, or None for no limit."""
    return limit is None or (type(limit) is int and 0 < limit <= UINT64_MAX)


cdef object few_rows(object rows, Request* request):
    """Set the puzzles of a request; return the object that owns their cells, or None for unusual arguments."""
    cdef const uint8_t* text
    cdef uint8_t* cells
    cdef bytes joined
    cdef Py_ssize_t n, k
    cdef Views views
    cdef Py_buffer* view
    if type(rows) is list:
        n = len(rows)
        if not 0 < n <= QUICK_ROWS:
            return None
        joined = PyBytes_FromStringAndSize(NULL, 81 * n)
        cells = <uint8_t*> PyBytes_AS_STRING(joined)
        for k in range(n):
            text = text_of(rows[k])
            if text == NULL:
                return None
            memcpy(cells + 81 * k, text, 81)
        request.text, request.stride, request.count, request.zero = cells, 81, n, 48
        return joined
    if PyBytes_CheckExact(rows):  # lines
        n = (PyBytes_GET_SIZE(rows) + 1) // 82
        text = <const uint8_t*> PyBytes_AS_STRING(rows)
        if not 0 < n <= QUICK_ROWS or PyBytes_GET_SIZE(rows) < 82 * n - 1 or PyBytes_GET_SIZE(rows) > 82 * n:
            return None
        for k in range(n):
            if not text_is_puzzle(text + 82 * k) or (82 * k + 81 < PyBytes_GET_SIZE(rows) and text[82 * k + 81] != 10):
                return None
        request.text, request.stride, request.count, request.zero = text, 82, n, 48
        return rows
    if not PyObject_CheckBuffer(rows):
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
    request.zero = 48 if text[0] > 9 else 0
    for k in range(n):
        if not (text_is_puzzle(text + 81 * k) if request.zero else numbers_are_puzzle(text + 81 * k)):
            return None
    request.text, request.stride, request.count = text, 81, n
    return views


cdef enum:
    MOST_QUICK_THREADS = 64  # more are checked by the Python function


def native_check_many(allocate):
    """`unidoku.check_many` at native speed: a decorator, like `native_check`.

    ``allocate(n, solutions, witnesses)`` returns a `CheckResult` with arrays to fill.
    """

    def decorate(complete):
        def check_many(puzzles, *, limit=2, threads=None, solutions=True, witnesses=False, **options):
            cdef Request request
            cdef Views views
            cdef Py_ssize_t n
            cdef object held
            memset(&request, 0, sizeof(request))
            held = None
            # Larger limits are for `complete`, which does not count many solutions one by one; it also refuses
            # absurd numbers of threads.
            if (not options and is_limit(limit) and limit is not None and limit <= QUICK_COUNT
                    and is_limit(threads) and (threads is None or threads <= MOST_QUICK_THREADS)):
                held = few_rows(puzzles, &request)
            if held is None:
                return complete(
                    puzzles, limit=limit, threads=threads, solutions=solutions, witnesses=witnesses, **options
                )
            n = request.count
            result = allocate(n, solutions, witnesses)
            views = Views()
            request.limit = limit
            set_outputs(&request, views, n, result.counts, result.verdicts, result.complete, result.solutions,
                        result.witnesses)
            run(&request, NULL)
            return result

        return update_wrapper(check_many, complete)

    return decorate
