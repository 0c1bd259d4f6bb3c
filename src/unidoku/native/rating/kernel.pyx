"""The rating engine: the scale se121, Sudoku Explainer's, for many puzzles."""

include "board.pxi"
include "pending.pxi"
include "subsets.pxi"
include "singles.pxi"
include "subsetsteps.pxi"
include "wings.pxi"
include "unique.pxi"
include "bug.pxi"
include "exclusion.pxi"
include "position.pxi"
include "hints.pxi"
include "chains.pxi"
include "runs.pxi"
include "unary.pxi"
include "inner.pxi"
include "trace.pxi"
include "dynamic.pxi"
include "closure.pxi"
include "lanes.pxi"
include "engine.pxi"
include "path.pxi"


def rate_cells(const uint8_t[::1] text, const int64_t[::1] starts, *, int zero, int16_t[::1] er, int16_t[::1] ep,
               int16_t[::1] ed, uint8_t[::1] techniques, uint8_t[::1] outcomes, int below=UNBOUNDED,
               int64_t budget=0, bint lanes=True, const uint8_t[::1] stop=None):
    """Rate puzzles.

    What the lanes rate 4.4 or less is proved to be proper; all other puzzles must be proper, or their ratings mean
    nothing.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte
    an empty cell. `er`, `ep` and `ed` take the ratings in tenths, `techniques` that of the first step with the rating
    `er`, and `outcomes` 0 rated, 1 not a proper puzzle, 2 no technique finds a step, 3 rated `below` or more, 4
    stopped by the budget or by `stop`: the ratings are then those of the steps so far. Ratings from `below` on are not
    told apart, and are written as `below`. `budget` bounds the candidates from which chains are searched for each
    puzzle, 0 does not. `lanes` begins with many puzzles at once, if `below` is above 4.4; the ratings are the same.
    """
    cdef Py_ssize_t n = starts.shape[0], k
    cdef Call call
    check_starts(starts, text.shape[0])
    if not er.shape[0] == ep.shape[0] == ed.shape[0] == techniques.shape[0] == outcomes.shape[0] == n:
        raise ValueError("the outputs must have one item per puzzle")
    if n == 0:
        return
    call.er, call.ep, call.ed = &er[0], &ep[0], &ed[0]
    call.techniques, call.outcomes = &techniques[0], &outcomes[0]
    call.below, call.budget, call.stop = below, budget, NULL if stop is None else &stop[0]
    call.lanes = NULL
    call.scratch = scratch_new()
    if call.scratch == NULL:
        raise MemoryError
    if lanes and below > LEVEL_RATING[LEVELS - 1]:
        call.lanes = lanes_new(n)
        if call.lanes == NULL:
            scratch_free(call.scratch)
            raise MemoryError
    with nogil:
        if call.lanes != NULL:
            call.lanes.text, call.lanes.starts, call.lanes.zero = &text[0], &starts[0], <uint8_t> zero
            rate_in_lanes(&call)
            lanes_free(call.lanes)
        else:
            for k in range(n):
                rate_alone(&call, &text[starts[k]], zero, k)
        scratch_free(call.scratch)


cdef struct Call:
    # What all puzzles of a call share.
    int16_t* er
    int16_t* ep
    int16_t* ed
    uint8_t* techniques
    uint8_t* outcomes
    int below
    int64_t budget
    const uint8_t* stop
    Scratch* scratch
    Lanes* lanes


cdef inline bint stopped(const Call* call) noexcept nogil:
    """Whether the caller has set the stop flag."""
    return call.stop != NULL and (<const volatile uint8_t*> call.stop)[0] != 0


cdef void write_rating(Call* call, Py_ssize_t k, const Progress* progress, int outcome) noexcept nogil:
    """Write the outputs of a puzzle."""
    call.outcomes[k] = <uint8_t> outcome
    call.er[k] = <int16_t> progress.er
    call.ep[k] = <int16_t> progress.ep
    call.ed[k] = <int16_t> progress.ed
    call.techniques[k] = <uint8_t> progress.technique


cdef void rate_alone(Call* call, const uint8_t* text, int zero, Py_ssize_t k) noexcept nogil:
    """Rate a puzzle by the ordered engine."""
    cdef Board board
    cdef Pending pending
    cdef Progress progress
    cdef uint8_t cells[81]
    cdef int outcome = CLASH
    read_cells(text, zero, cells)
    memset(&progress, 0, sizeof(Progress))
    pending_start(&pending)
    scratch_limit(call.scratch, call.budget, call.stop)
    if stopped(call):
        outcome = STOPPED
    elif board_load(&board, cells):
        outcome = rate_board(&board, &pending, &progress, call.below, call.scratch)
    write_rating(call, k, &progress, outcome)


cdef void rate_in_lanes(Call* call) noexcept nogil:
    """Rate up to 4.4 in lanes, and go on from there with the ordered engine."""
    cdef Lanes* lanes = call.lanes
    cdef Frames* left = &lanes.queue[STAGES]
    cdef Board board
    cdef Pending pending
    cdef Progress progress
    cdef Py_ssize_t k
    cdef int i, outcome, state
    cdef bint done = False
    while not done:
        done = run_lanes(lanes, call.stop)
        for i in range(left.count):
            k = left.id[i]
            grade_progress(&lanes.grades[k], &progress)
            board_load_frame(&board, left.word[i])
            scratch_limit(call.scratch, call.budget, call.stop)
            pending_start(&pending)
            pending_closed(&pending, &board)
            outcome = STOPPED
            if not stopped(call):
                outcome = rate_board(&board, &pending, &progress, call.below, call.scratch)
            write_rating(call, k, &progress, outcome)
        left.count = 0
    for k in range(lanes.count):
        state = lanes.grades[k].state
        if state != LEFT:
            grade_progress(&lanes.grades[k], &progress)
            write_rating(call, k, &progress, RATED if state == GRADED else CLASH if state == WRONG else STOPPED)


cdef inline void scratch_limit(Scratch* scratch, int64_t budget, const uint8_t* stop) noexcept nogil:
    """Set what ends the search of one puzzle."""
    scratch.budget = budget if budget else <int64_t> 1 << 62
    scratch.cancel = stop
    scratch.stopped = False


cdef inline void read_cells(const uint8_t* text, int zero, uint8_t* cells) noexcept nogil:
    """Read the 81 cells of a puzzle as digits 0 to 9."""
    cdef int i, digit
    for i in range(81):
        digit = text[i] - zero
        cells[i] = <uint8_t> (digit if 1 <= digit <= 9 else 0)
