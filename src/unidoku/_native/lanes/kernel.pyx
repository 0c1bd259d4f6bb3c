"""The lanes kernel: 8 puzzles at once on any processor, 16 with AVX2, 32 with AVX-512.

The functions of Python: one over many puzzles, the search for one puzzle's solutions in turn, and single calls at
native speed.  round.pxi holds the propagation of the lanes kernel,
search.pxi its search; one.pxi is the kernel for one puzzle.
"""

include "round.pxi"
include "search.pxi"
include "one.pxi"

from _thread import allocate_lock

from unidoku._native.memory cimport check_starts, start_of
from unidoku._native.pool cimport Pool, pool_keep, pool_take
from unidoku._native.stop cimport flag_at, is_set

cdef tuple BY_CODE
from unidoku._verdict import BY_CODE

cimport cython

from cpython.buffer cimport (
    PyBUF_FORMAT, PyBUF_ND, PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.number cimport PyNumber_Index
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport UINT64_MAX
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_GET_LENGTH

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    const uint8_t* PyUnicode_1BYTE_DATA(object text)

cdef enum:
    TURNS = 1 << 13  # turns between two checks of signals and the stop flag: 2 to 15 ms
    LARGEST_CHUNK = 1 << 24  # solutions
    MOST_VIEWS = 10  # buffers of a call of solve_cells

cdef extern from "Python.h":
    ctypedef struct PyTypeObject
    object PyType_GenericAlloc(PyTypeObject* kind, Py_ssize_t items)

cdef Pool solvers

frames_prepare()
cells_prepare()
choice_prepare()
one_prepare()


cdef Solver* take_solver() except NULL:
    """A solver that only the caller uses, in the state after its last use: `begin` prepares it."""
    cdef Solver* s = <Solver*> pool_take(&solvers)
    cdef Room* room
    cdef void* memory
    if s != NULL:
        return s
    memory = PyMem_RawMalloc(sizeof(Room) + sizeof(Solver) + 64)
    if memory == NULL:
        raise MemoryError
    room = <Room*> ((<size_t> memory + 63) & ~<size_t> 63)
    s = <Solver*> (room + 1)
    s.room, s.memory = room, memory
    return s


cdef void give_solver(Solver* s) noexcept:
    if not pool_keep(&solvers, s):
        PyMem_RawFree(s.memory)


@cython.internal
cdef class Views:
    """The caller's buffers, held during a call."""

    cdef Py_buffer view[MOST_VIEWS]
    cdef int held

    def __dealloc__(self):
        while self.held:
            self.held -= 1
            PyBuffer_Release(&self.view[self.held])

    cdef void* pointer(self, object thing, str name, Py_ssize_t item, Py_ssize_t size, bint writable) except? NULL:
        """Address of a buffer of `size` bytes (any, if negative) in items of `item` bytes; NULL for None."""
        if thing is None:
            return NULL
        if self.held == MOST_VIEWS:
            raise SystemError("too many buffers")
        cdef Py_buffer* view = &self.view[self.held]
        PyObject_GetBuffer(thing, view, PyBUF_WRITABLE if writable else PyBUF_SIMPLE)
        self.held += 1
        if size >= 0 and view.len != size:
            raise ValueError(f"{name} has {view.len} bytes, {size} are needed")
        if view.len and <size_t> view.buf % <size_t> item:
            raise ValueError(f"{name} is not aligned to {item} bytes")
        return view.buf

    cdef const uint8_t* flag(self, object stop) except? NULL:
        """The stop flag in a buffer; NULL for None."""
        if stop is None:
            return NULL
        cdef const uint8_t* flag = <const uint8_t*> self.pointer(stop, "stop", 1, -1, False)
        return flag_at(flag, self.last_size())

    cdef Py_ssize_t last_size(self) noexcept:
        return self.view[self.held - 1].len


cdef bint work(Request* request, One* one, const uint8_t* stop) except -1:
    """Run a request on all lanes, or the rest of one puzzle; false if the stop flag ended it early."""
    cdef Solver* s = take_solver()
    cdef bint done = False
    try:
        if one != NULL:
            hand_over(one, s)
        else:
            begin(s, request)
        while True:
            with nogil:
                done = search(s, TURNS)
            if done:
                break
            PyErr_CheckSignals()
            if is_set(stop):
                abandon_all(s)
                break
    finally:
        give_solver(s)
    return done


cdef struct Few:
    # Puzzles that are searched one after the other.
    One one
    size_t puzzle  # the present one
    bint fresh  # whether it is not begun
    bint share  # lanes may share branches, so hard puzzles are left to them
    size_t hard[FEW]
    size_t left  # how many


cdef void search_some(Few* few, Request* request) noexcept nogil:
    """Search puzzles for some milliseconds, or until only hard puzzles are left."""
    cdef One* one = &few.one
    cdef int64_t turns = TURNS
    cdef int outcome
    while few.puzzle < request.count and turns > 0:
        if few.fresh:
            one_start(one, request, few.puzzle)
        one.turns = HARD if few.share else turns
        turns -= one.turns + 1
        outcome = one_search(one)
        turns += one.turns
        request.counts[few.puzzle] = one.found
        if outcome != UNFINISHED:
            write_answer(request, few.puzzle, one.guesses, outcome == CUT_OFF)
            if request.rounds != NULL:
                request.rounds[few.puzzle] = one.rounds
        elif few.share:
            few.hard[few.left] = few.puzzle
            few.left += 1
        few.fresh = few.share or outcome != UNFINISHED
        few.puzzle += few.fresh


cdef bint continue_hard(Few* few, Request* request, const uint8_t* stop) except -1:
    """Let the lanes search the hard puzzles."""
    if few.left == 0:
        return True
    if few.left == 1 and few.hard[0] == few.one.puzzle:  # this solver still has its branches
        return work(request, &few.one, stop)
    request.chosen = few.hard
    request.count = few.left
    return work(request, NULL, stop)


cdef bint work_one_by_one(Request* request, const uint8_t* stop) except -1:
    """Like `work`, one puzzle after the other; if lanes may share branches, they continue hard puzzles."""
    cdef Few few
    cdef size_t p
    few.puzzle = few.left = 0
    few.fresh = True
    few.share = not request.budget and request.guesses == NULL and request.rounds == NULL
    while few.puzzle < request.count:
        with nogil:
            search_some(&few, request)
        if few.puzzle == request.count:
            break
        PyErr_CheckSignals()
        if is_set(stop):
            if few.fresh:
                request.counts[few.puzzle] = 0
            abandon(request, few.puzzle)
            for p in range(few.puzzle + 1, request.count):
                request.counts[p] = 0
                abandon(request, p)
            return False  # none is left for the lanes: if they share, all of the few puzzles take less than TURNS
    return continue_hard(&few, request, stop)


cdef bint run(Request* request, const uint8_t* stop) except -1:
    """Run a request with the kernel that is faster for its number of puzzles; false if the stop flag ended it."""
    spoil_outputs(request)
    if request.count <= FEW or request.rounds != NULL:
        return work_one_by_one(request, stop)
    return work(request, NULL, stop)


cdef uint64_t whole(value, str name) except? 0:
    """An unsigned number of 64 bits."""
    value = PyNumber_Index(value)
    if not 0 <= value <= UINT64_MAX:
        raise ValueError(f"{name} must be from 0 to 2**64 - 1, not {value}")
    return <uint64_t> value


cdef void spoil_outputs(Request* request) noexcept nogil:
    """Spoil what the caller has asked for: every item is written."""
    cdef size_t n = request.count
    spoil(request.counts, 8 * n)
    if request.verdicts != NULL:
        spoil(request.verdicts, n)
    if request.complete != NULL:
        spoil(request.complete, n)
    if request.solutions != NULL:
        spoil(request.solutions, 81 * n)
    if request.witnesses != NULL:
        spoil(request.witnesses, 81 * n)
    if request.guesses != NULL:
        spoil(request.guesses, 8 * n)
    if request.rounds != NULL:
        spoil(request.rounds, 8 * n)


cdef int set_outputs(Request* request, Views views, Py_ssize_t n, counts, verdicts, complete, solutions,
                     witnesses) except -1:
    """Set the buffers for n puzzles; all but the first may be None."""
    if counts is None:
        raise ValueError("counts must be a buffer")
    request.count = n
    request.counts = <uint64_t*> views.pointer(counts, "counts", 8, 8 * n, True)
    request.verdicts = <uint8_t*> views.pointer(verdicts, "verdicts", 1, n, True)
    request.complete = <uint8_t*> views.pointer(complete, "complete", 1, n, True)
    request.solutions = <uint8_t*> views.pointer(solutions, "solutions", 1, 81 * n, True)
    request.witnesses = <uint8_t*> views.pointer(witnesses, "witnesses", 1, 81 * n, True)
    return 0


cdef bint solve(Request* request, Views views, Py_ssize_t n, limit, budget, counts, verdicts, complete, solutions,
                witnesses, guesses, rounds, stop) except -1:
    request.limit = whole(limit, "limit") or UINT64_MAX
    request.budget = whole(budget, "budget")
    set_outputs(request, views, n, counts, verdicts, complete, solutions, witnesses)
    request.guesses = <uint64_t*> views.pointer(guesses, "guesses", 8, 8 * n, True)
    request.rounds = <uint64_t*> views.pointer(rounds, "rounds", 8, 8 * n, True)
    cdef const uint8_t* flag = views.flag(stop)
    return run(request, flag)


def solve_cells(text, starts, *, int zero=48, limit=2, budget=0, counts, verdicts=None, complete=None,
                solutions=None, witnesses=None, guesses=None, rounds=None, stop=None, zero_out=None):
    """Count the solutions of many puzzles, each up to a limit; false if `stop` ended the call.

    ``starts`` (int64[n]) is the offset of the 81 cells of each puzzle, where `zero` is the code of digit 0. A `limit`
    or `budget` of 0 means none. `unidoku.kernel.SearchOutputs` describes the buffers. `guesses` and `rounds` receive
    the guesses and the rounds of propagation of each puzzle; with `rounds`, the puzzles are solved one by one. In the
    solutions, digit d is ``zero_out + d``, by default ``zero + d``.

    A puzzle that was not finished has the number of solutions counted so far, has no solution, and is not complete.

    The call uses one thread and releases the GIL. All outputs are the same on every run, in any batch and on any
    instruction set.
    """
    cdef Request request
    cdef Views views = Views()
    cdef Py_ssize_t n
    memset(&request, 0, sizeof(request))
    cdef int zero_written = zero if zero_out is None else zero_out
    if not (0 <= zero <= 246 and 0 <= zero_written <= 246):
        raise ValueError("zero is not the code of a byte")
    if text is None or starts is None:
        raise ValueError("text and starts must be buffers")
    request.zero, request.zero_out = zero, zero_written
    request.text = <const uint8_t*> views.pointer(text, "text", 1, -1, False)
    request.size = views.last_size()
    request.starts = <const int64_t*> views.pointer(starts, "starts", 8, -1, False)
    if views.last_size() % 8:
        raise ValueError("starts is not a buffer of 8-byte items")
    n = views.last_size() // 8
    check_starts(request.starts, n, request.size)
    return solve(&request, views, n, limit, budget, counts, verdicts, complete, solutions, witnesses, guesses,
                 rounds, stop)


@cython.final
cdef class SolutionSearch:
    """The solutions of one puzzle of 81 bytes one after the other, in search order.

    `zero` is the code of digit 0. A `budget` bounds the guesses of the whole search; 0 means no bound. `masks`, 81
    sets of digits, restricts the cells to these digits.
    """

    cdef void* memory
    cdef One* search
    cdef Request request
    cdef object lock
    cdef bint done
    cdef bint all_found

    def __cinit__(self):
        self.memory = PyMem_RawMalloc(sizeof(One) + 64)
        if self.memory == NULL:
            raise MemoryError
        self.search = <One*> ((<size_t> self.memory + 63) & ~<size_t> 63)
        self.done = True
        self.lock = allocate_lock()
        memset(&self.request, 0, sizeof(self.request))

    def __init__(self, text, *, int zero=48, budget=0, masks=None):
        cdef Views views = Views()
        cdef const uint8_t* cells = <const uint8_t*> views.pointer(text, "text", 1, 81, False)
        cdef const uint16_t* sets = <const uint16_t*> views.pointer(masks, "masks", 2, 162, False)
        if cells == NULL:
            raise ValueError("text must be a buffer")
        if not 0 <= zero <= 246:
            raise ValueError("zero is not the code of a byte")
        if self.request.limit:
            raise RuntimeError("a search cannot be started twice")
        self.request.budget = whole(budget, "budget")
        self.request.text = cells
        self.request.zero = self.request.zero_out = zero
        self.request.limit = UINT64_MAX
        one_start(self.search, &self.request, 0)
        if sets != NULL:
            one_restrict(self.search, sets)
        self.request.text = NULL  # it is read; the buffer is the caller's
        self.done = False

    def __dealloc__(self):
        PyMem_RawFree(self.memory)

    @property
    def complete(self):
        """Whether all solutions have been found."""
        return self.all_found

    def chunk(self, size, *, stop=None):
        """The next `size` solutions, 81 bytes each; fewer at the end, if the budget is used up, or by `stop`."""
        size = PyNumber_Index(size)
        if not 1 <= size <= LARGEST_CHUNK:
            raise ValueError(f"a chunk has from 1 to {LARGEST_CHUNK} solutions, not {size}")
        cdef size_t capacity = size
        cdef Views views = Views()
        cdef const uint8_t* flag = views.flag(stop)
        cdef bytes grids = PyBytes_FromStringAndSize(NULL, 81 * capacity)
        cdef int outcome
        with self.lock:
            self.request.stream = <uint8_t*> PyBytes_AS_STRING(grids)
            self.request.space = capacity
            while not self.done and self.request.space:
                if is_set(flag):
                    break
                self.search.turns = TURNS
                with nogil:
                    outcome = one_search(self.search)
                self.done = outcome != UNFINISHED
                self.all_found = outcome == ENDED
                PyErr_CheckSignals()
            return grids[:81 * (capacity - self.request.space)] if self.request.space else grids


# The usual calls of the public functions, without their Python code; None for all other arguments.
#
# A puzzle of 81 characters is read in place.  The GIL is kept as long as the kernel for one puzzle searches it,
# and released if the lanes continue.

cdef enum:
    QUICK_COUNT = 1000  # larger counts are left to the Python function


include "../text/few_rows.pxi"


cdef bint search_puzzle(object puzzle, Request* request, One* s) except -1:
    """Search 81 characters or the 81 bytes of a grid; store the number of solutions in `s.found`. False for others."""
    cdef const uint8_t* text = text_of(puzzle)
    request.zero = 48
    if text == NULL:
        if not PyBytes_CheckExact(puzzle) or PyBytes_GET_SIZE(puzzle) != 81:
            return False
        text, request.zero = <const uint8_t*> PyBytes_AS_STRING(puzzle), 0
        if not numbers_are_puzzle(text):
            return False
    request.text, request.count = text, 1
    return search_one(request, s, NULL)


cdef bint search_one(Request* request, One* s, const uint8_t* stop) except -1:
    """Search the only puzzle of a request and store its number of solutions; false if the stop flag ended it."""
    one_start(s, request, 0)
    s.turns = HARD
    if one_search(s) == UNFINISHED:
        request.counts = &s.found
        return work(request, s, stop)
    return True


def remove_clues(uint8_t[::1] cells, const uint8_t[::1] order, const uint8_t[::1] units, Py_ssize_t fewest=0, *,
                 stop=None):
    """Remove clues of a proper puzzle, 81 values 0 to 9, as long as it stays proper; false if `stop` ended the call.

    The clues of the cells with the same number in `units` are removed together, in the `order` of these numbers; at
    least `fewest` clues stay.
    """
    cdef One s
    cdef Request request
    cdef Views views = Views()
    cdef const uint8_t* flag
    cdef uint8_t before[81]
    cdef Py_ssize_t left = 0
    cdef Py_ssize_t size, k
    cdef int cell
    if cells.shape[0] != 81 or units.shape[0] != 81:
        raise ValueError("cells and units must have 81 bytes")
    flag = views.flag(stop)
    memset(&request, 0, sizeof(request))
    request.text, request.count, request.limit = &cells[0], 1, 2
    for cell in range(81):
        left += cells[cell] != 0
    for k in range(order.shape[0]):
        if is_set(flag):
            return False
        memcpy(before, &cells[0], 81)
        size = 0
        for cell in range(81):
            if units[cell] == order[k]:
                size += before[cell] != 0
                cells[cell] = 0
        if left - size >= fewest:
            if not search_one(&request, &s, flag):
                return False
            if s.found == 1:
                left -= size
                continue
        memcpy(&cells[0], before, 81)
    return True


@cython.binding(False)
@cython.always_allow_keywords(False)
def quick_check(puzzle):
    """The verdict on a puzzle of 81 characters; None for any other object."""
    cdef One s
    cdef Request request
    memset(&request, 0, sizeof(request))
    request.limit = 2
    return BY_CODE[s.found] if search_puzzle(puzzle, &request, &s) else None


@cython.binding(False)
@cython.always_allow_keywords(False)
def quick_count(puzzle, limit):
    """The number of solutions of a puzzle of 81 characters, if it is small; None for other arguments."""
    cdef One s
    cdef Request request
    if is_limit(limit):
        memset(&request, 0, sizeof(request))
        request.limit = QUICK_COUNT if limit is None else min(<uint64_t> limit, <uint64_t> QUICK_COUNT)
        if search_puzzle(puzzle, &request, &s) and (s.found < request.limit or s.found == limit):
            return s.found
    return None


@cython.binding(False)
@cython.always_allow_keywords(False)
def quick_solve(puzzle, type grid not None):
    """A solution of a puzzle of 81 characters, as an object of the class `grid` with its ``_cells``.

    False if the puzzle has none; None for any other object.
    """
    cdef One s
    cdef Request request
    cdef bytes cells = PyBytes_FromStringAndSize(NULL, 81)
    cdef object made
    memset(&request, 0, sizeof(request))
    request.limit = 1
    request.solutions = <uint8_t*> PyBytes_AS_STRING(cells)
    if not search_puzzle(puzzle, &request, &s):
        return None
    if not s.found:
        return False
    made = PyType_GenericAlloc(<PyTypeObject*> grid, 0)
    made._cells = cells
    return made


cdef bint is_limit(object limit) noexcept:
    """Whether a limit is an integer that needs no error message, or None for no limit."""
    return limit is None or (type(limit) is int and 0 < limit <= UINT64_MAX)


cdef enum:
    MOST_QUICK_THREADS = 64  # more are checked by the Python function


def quick_check_many(puzzles, limit, threads, solutions, second_solutions, allocate):
    """The answers for at most 4,096 puzzles in a usual form; None for other arguments.

    ``allocate(n, solutions, second_solutions)`` returns a tuple to fill, as `unidoku.kernel.SearchOutputs`.
    """
    cdef Request request
    cdef FewRows few
    cdef Views views
    cdef object held
    memset(&request, 0, sizeof(request))
    memset(&few, 0, sizeof(few))
    # Larger limits are for the Python function, which does not count many solutions one by one; it also refuses
    # absurd numbers of threads, and values that are not truth values.
    if not (is_limit(limit) and limit is not None and limit <= QUICK_COUNT
            and is_limit(threads) and (threads is None or threads <= MOST_QUICK_THREADS)
            and isinstance(solutions, bool) and isinstance(second_solutions, bool)):
        return None
    held = few_rows(puzzles, &few)
    if held is None:
        return None
    request.text, request.stride, request.count, request.zero = few.text, few.stride, few.count, few.zero
    outputs = allocate(request.count, solutions, second_solutions)
    views = Views()
    request.limit = limit
    counts, verdicts, complete, grids, witnesses = outputs
    set_outputs(&request, views, request.count, counts, verdicts, complete, grids, witnesses)
    run(&request, NULL)
    return outputs
