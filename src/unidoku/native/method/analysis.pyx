"""The native engine of the numerical-analysis method.

`trace` solves one puzzle with a record of all events, `classify` many puzzles with totals only; both run the
same code. `unidoku.method` describes the rules, their order and the terms. Here cells are 0..80 and units
0..26 (``houses``); in the rows of a record they are 1..81 and 1..27.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from unidoku.native.garbage cimport spoil
from unidoku.native.groups cimport (
    House, Subset, bits, confining_houses, digit_places, digits_t, gather, lowest, members, next_subset,
    others_with, places_t, start_subsets,
)
from unidoku.native.houses cimport box_of, cell_at, column_of, houses_of, peers_of, row_of
from unidoku.native.memory cimport check_starts, make_room

TOTAL_NAMES = (
    "status", "theorem2", "theorem3", "theorem4", "own", "theorem1", "extended", "subset", "presets_made",
    "presets_taken_back", "presets", "deepest_level", "rounds", "presets_in_force", "saved",
)
"""The totals of a puzzle, in the order of the native array."""

include "elimination.pxi"


cdef bint prepare(Run* run, bint recording, tuple order) except False:
    """Set the options and allocate memory."""
    cdef int i
    theorems, kinds, run.order.sweep, run.order.extended, run.order.subsets = order
    if sorted(theorems) != [2, 3, 4] or sorted(kinds) != [0, 1, 2]:
        raise ValueError("theorems are 2, 3, 4 and kinds of units 0, 1, 2, each once, in any order")
    for i in range(3):
        run.order.theorems[i] = theorems[i]
        run.order.kinds[i] = kinds[i]
    run.recording = recording
    run.events = NULL
    run.capacity = run.count = 0
    run.frames = <Frame*>malloc(81 * sizeof(Frame))
    if run.frames is NULL:
        raise MemoryError
    return True


cdef check_values(const unsigned char* cells, Py_ssize_t count):
    """Raise an error for values that are not digits, because they index tables."""
    cdef Py_ssize_t i
    for i in range(count):
        if cells[i] > 9:
            raise ValueError(f"a cell is 0..9, element {i} is {cells[i]}")


def trace(const unsigned char[::1] cells, tuple order not None, *, long long presets=0):
    """Solve one puzzle of 81 numbers with up to `presets` presets, and keep a record of all events.

    `order` has the order of theorems 2, 3, 4, and that of rows 0, columns 1, boxes 2; whether to continue at the
    place of the last conversion, not from the beginning; whether to use extended zeroing, and subsets. Return the
    status (0 solved, 1 stuck with no presets left, 2 contradiction), the 81 values at the end, the events as rows of
    eight native 16-bit integers (kind, cell, digit, rule, unit, cause, positions, level), and the totals by name.
    """
    cdef Run run
    cdef int status
    if cells.shape[0] != 81:
        raise ValueError(f"a puzzle has 81 cells, not {cells.shape[0]}")
    check_values(&cells[0], 81)
    prepare(&run, True, order)
    try:
        with nogil:
            status = solve(&run, &cells[0], presets)
        if status == FAILED:
            raise MemoryError
        return (status, (<char*>run.now.values)[:81], (<char*>run.events)[:run.count * sizeof(Event)],
                {name: run.totals[i] for i, name in enumerate(TOTAL_NAMES)})
    finally:
        free(run.events)
        free(run.frames)


def classify(const unsigned char[::1] text, const int64_t[::1] starts, int[::1] totals,
             tuple order not None, *, int zero=48, long long presets=0):
    """Solve many puzzles and keep the totals only; one thread, the GIL is released.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte
    an empty cell. `totals` takes 15 numbers for each puzzle, in the order of `TOTAL_NAMES`.
    """
    cdef Py_ssize_t n = starts.shape[0], i
    cdef int cell, digit
    cdef unsigned char cells[81]
    cdef Run run
    if totals.shape[0] != TOTALS * n:
        raise ValueError(f"{n} puzzles have {TOTALS * n} totals, not {totals.shape[0]}")
    check_starts(starts, text.shape[0])
    if n == 0:
        return
    prepare(&run, False, order)
    try:
        with nogil:
            for i in range(n):
                for cell in range(81):
                    digit = text[starts[i] + cell] - zero
                    cells[cell] = <unsigned char>digit if 1 <= digit <= 9 else 0
                solve(&run, cells, presets)
                memcpy(&totals[TOTALS * i], run.totals, sizeof(run.totals))
    finally:
        free(run.frames)
