"""The rating engine: the scale se121, Sudoku Explainer's, for many puzzles.

The techniques, their order and their ratings are defined by Nicolas Juillerat's Sudoku Explainer 1.2.1; the search for
them is our own.

    text --> lanes, up to 4.4 --> solved: rated
               | open
               v
             close_board, up to 4.4 --> full: rated <-----+
               | open                                     |
               v                                          |
             first_hard_step, from 4.5 on --> board_follow
               | none: rated 20.0

    steps     2.6  1.5  1.2  4.5  1.2 ...     ED 2.6: the first
                                              EP 2.6: the hardest up to the first digit, which 1.5 fills in
                                              ER 4.5: the hardest
"""

from cpython.bytes cimport PyBytes_FromStringAndSize

# One module, for a compiler that sees all of it, in four parts.  The data of each is in its .pxd; its functions use
# the functions of the parts and the files above them, and only dynamic and filter each other.  Modules of their own
# would be twelve instead of three, and calls between them not inlined: 0.8 % more instructions of ratings, 2.5 % of
# steps.
#
# board.pxd: the board and its techniques, in the order of the scale: the first step of a position.
include "board.pxi"
include "basic.pxi"      # singles to wings
include "unique.pxi"     # rectangles, loops, BUGs
include "exclusion.pxi"
# bulk.pxd: only ratings: many techniques at once, in any order.
include "closure.pxi"    # of one puzzle, up to 4.4
include "pack.pxi"       # the same, a puzzle in each lane
# chains.pxd: chains.
include "position.pxi"   # candidates and weak links
include "hints.pxi"      # what a search has found
include "trace.pxi"      # the nodes of a chain, for steps
include "names.pxi"      # what people call a step
include "chains.pxi"     # cycles and forcing chains with one start
include "runs.pxi"       # what one assumption implies
include "dynamic.pxi"    # several starts, and chains within chains
include "filter.pxi"     # which of these may conclude something
# calls.pxd: this file, and rows.pxi, the steps as rows.
from unidoku._native.rating.calls cimport *

# Locked candidates, pairs and X-wings have five forms, because each answers another question:
#
#     basic       the first step in the order of Sudoku Explainer, with its cells, for ratings and steps
#     closure     all conclusions at once; a technique looks only at what has changed since
#     runs        within a chain, on a board with assumptions: which candidates follow, with their ancestors
#     patterns.h  all conclusions in all lanes, without branches
#     groups.pxd  of another program: subsets of any size in lexicographic order, for the step engine and the book
#
# So none is merged: the order of the steps is part of the scale, and the bulk forms have none.

cdef Finder[13] EASY = [
    Finder(DIRECT_POINTING, find_intersection, 1),
    Finder(DIRECT_HIDDEN_PAIR, find_direct_hidden_subset, 2),
    Finder(NAKED_SINGLE, find_naked_single, 1),
    Finder(DIRECT_HIDDEN_TRIPLET, find_direct_hidden_subset, 3),
    Finder(POINTING, find_intersection, 0),
    Finder(NAKED_PAIR, find_naked_subset, 2),
    Finder(X_WING, find_fish, 2),
    Finder(HIDDEN_PAIR, find_hidden_subset, 2),
    Finder(NAKED_TRIPLET, find_naked_subset, 3),
    Finder(SWORDFISH, find_fish, 3),
    Finder(HIDDEN_TRIPLET, find_hidden_subset, 3),
    Finder(XY_WING, find_wing, 0),
    Finder(XYZ_WING, find_wing, 1),
]
cdef Finder[6] HARD = [
    Finder(UNIQUE_RECTANGLE, find_unique_loop, 0),
    Finder(NAKED_QUAD, find_naked_subset, 4),
    Finder(JELLYFISH, find_fish, 4),
    Finder(HIDDEN_QUAD, find_hidden_subset, 4),
    Finder(BUG, find_bug, 0),
    Finder(ALIGNED_PAIR_EXCLUSION, find_aligned_pair, 2),
]


cdef bint first_easy_step(Board* board, Step* step, Pending* pending) noexcept nogil:
    """The first step of the techniques up to XYZ-wing, in order."""
    cdef int k
    if not board.barred >> HIDDEN_SINGLE & 1 and find_hidden_single(board, step, pending, 1):
        return True
    pending_collect(pending, board)
    for k in range(<int> (sizeof(EASY) // sizeof(Finder))):
        if not is_barred(board, &EASY[k]) and EASY[k].find(board, step, pending, EASY[k].size):
            return True
    return False


cdef inline bint is_barred(const Board* board, const Finder* finder) noexcept nogil:
    """Whether no technique of a finder is used."""
    cdef bint has_two = finder.technique in (DIRECT_POINTING, POINTING, UNIQUE_RECTANGLE)
    return (board.barred >> finder.technique & 1) and not (has_two and not board.barred >> (finder.technique + 1) & 1)


cdef int first_hard_step(Board* board, Step* step, int below, Pending* pending, Scratch* scratch) noexcept nogil:
    """The first step of the techniques from unique rectangle on, in order, on a board where those before find none.

    Techniques rated ``below`` or more are skipped. All searches that can be stopped end here, and only here is it
    decided whether their result counts. After `CUT`, ``step`` is not a step, and a technique that was not asked to
    its end did not "find nothing".
    """
    cdef bint found = search_hard_step(board, step, below, pending, scratch)
    if scratch.stopped:
        return CUT
    return FOUND if found else NO_STEP


cdef bint search_hard_step(Board* board, Step* step, int below, Pending* pending, Scratch* scratch) noexcept nogil:
    """Ask the techniques in order; for `first_hard_step`, which says whether the answer counts."""
    cdef int k, technique
    pending_collect(pending, board)
    for k in range(<int> (sizeof(HARD) // sizeof(Finder))):
        if below > rating_of(HARD[k].technique) and not is_barred(board, &HARD[k]):
            if HARD[k].find(board, step, pending, HARD[k].size):
                return True
    if below > rating_of(X_CYCLE) and not board.barred >> FORCING_CHAIN & 1:  # cycles and chains are found together
        if chain_step(board, FORCING_CHAIN, scratch, step):
            return True
        if scratch.stopped:
            return False
    if below > rating_of(ALIGNED_TRIPLET_EXCLUSION) and not board.barred >> ALIGNED_TRIPLET_EXCLUSION & 1:
        if find_aligned_triplet(board, step, pending, 3):
            return True
    for technique in range(NISHIO, TECHNIQUES):
        if scratch.stopped:
            return False
        if below > rating_of(technique) and not board.barred >> technique & 1:
            if chain_step(board, technique, scratch, step):
                return True
    return False

cdef int rate_board(Board* board, Pending* pending, Progress* progress, int below, Scratch* scratch,
                    RatingState* state) noexcept nogil:
    """Go on solving a board by steps; the outcome.  Ratings of ``below`` or more become ``below``.

    ``state``, which may be NULL, is set if a rating is at least ``below``.
    """
    cdef Step step
    cdef Hardest hardest
    cdef int found
    hardest.step.rating = -1
    while True:
        close_board(board, pending, progress)
        if not cells_any(board.empty) and progress.er < below:
            if hardest.step.rating == progress.er:
                progress.name = hardest_name(&hardest, scratch)
            return RATED
        found = NO_STEP
        if progress.er < below:
            found = first_hard_step(board, &step, below, pending, scratch)
        if found == CUT:
            return STOPPED
        if found == FOUND:
            if step.rating > progress.er:
                hardest_set(&hardest, scratch, board, &step)
            note_step(progress, step.rating, step.technique, NO_NAME, step.cell >= 0)
            if not board_follow(board, &step):
                return IMPROPER
            continue
        if below == UNBOUNDED:
            note_step(progress, UNBOUNDED, NO_TECHNIQUE, NO_NAME, True)
            return STUCK
        if progress.er >= below and hardest.step.rating == progress.er:  # it may stay the hardest
            progress.name = hardest_name(&hardest, scratch)
        if state != NULL:
            memset(state, 0, sizeof(RatingState))
            board_store_frame(board, state.frame)
            state.progress = progress[0]
        cap(progress, below)
        return AT_LEAST


cdef inline void cap(Progress* progress, int below) noexcept nogil:
    """Cap the ratings at ``below``, also EP and ED if the next step decides them."""
    note_step(progress, below, NO_TECHNIQUE, NO_NAME, True)
    progress.er = min(progress.er, below)
    progress.ep = min(progress.ep, below)
    progress.ed = min(progress.ed, below)


cdef inline bint board_follow(Board* board, const Step* step) noexcept nogil:
    """Apply a step; false if it leaves a cell without candidates, which a proper puzzle never has."""
    cdef cells_t rest  # only changed cells can have none
    if step.cell >= 0 and not board.cand[step.cell] >> step.digit & 1:
        return False
    step_apply(board, step)
    board_invariant(board_agrees(board), board.value, board.cand)
    rest = board.touched & board.empty
    while cells_any(rest):
        if not board.cand[cells_first(rest)]:
            return False
        rest = cells_rest(rest)
    return True


def rate_cells(const uint8_t[::1] text, const int64_t[::1] starts, *, int zero, uint8_t[::1] er, uint8_t[::1] ep,
               uint8_t[::1] ed, uint8_t[::1] techniques, uint8_t[::1] names, uint8_t[::1] outcomes,
               int below=UNBOUNDED, const int64_t[::1] rows=None, bint keep=False, const uint8_t[::1] stop=None):
    """Rate puzzles.

    The lanes prove that a puzzle rated 4.4 or less is proper. A puzzle with a higher rating must be proper; otherwise
    its rating means nothing.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte
    an empty cell. `er`, `ep` and `ed` take the ratings in tenths, `techniques` and `names` the technique and the name
    of the first step with the rating `er`, and `outcomes` one of codes.pxd. Ratings from `below` on are not told apart,
    and are written as `below`, without a technique; what is `IMPROPER` or `STOPPED` has zeros.

    With `rows`, only the puzzles with these numbers are rated, one by one; otherwise all, and many at once if `below`
    is above 4.4. The ratings are the same.

    With `keep`, return the states of the puzzles with the outcome `AT_LEAST` one after the other, for `rate_further`;
    `below` must be above 4.4 then.
    """
    cdef Py_ssize_t n = starts.shape[0] if rows is None else rows.shape[0], k
    cdef Call call
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    call_start(&call, starts.shape[0], er, ep, ed, techniques, names, outcomes, rows, stop)
    if keep and below <= rating_of(XYZ_WING):
        raise ValueError("states are for ratings above 4.4")
    if n == 0:
        return b""
    call.below = below
    call.scratch = scratch_new()
    call.states = <RatingState*> malloc(n * sizeof(RatingState)) if keep else NULL
    if rows is None and below > rating_of(XYZ_WING):
        call.lanes = lanes_new(n)
        call.failed = call.lanes == NULL
    call.failed |= call.scratch == NULL or (keep and call.states == NULL)
    with nogil:
        if not call.failed:
            if call.lanes != NULL:
                call.lanes.text, call.lanes.starts, call.lanes.zero = &text[0], &starts[0], <uint8_t> zero
                call.lanes.size = text.shape[0]
                rate_in_lanes(&call)
            else:
                for k in range(n):
                    rate_alone(&call, &text[start_of(&starts[place_of(&call, k)], text.shape[0])], zero, k)
    return call_end(&call, n)


def rate_further(const uint8_t[::1] states, const int64_t[::1] rows, *, uint8_t[::1] er, uint8_t[::1] ep,
                 uint8_t[::1] ed, uint8_t[::1] techniques, uint8_t[::1] names, uint8_t[::1] outcomes,
                 int below=UNBOUNDED, bint keep=False, const uint8_t[::1] stop=None):
    """Go on with puzzles that `rate_cells` left with the outcome `AT_LEAST`, with a higher `below`.

    The puzzles have the numbers `rows`, and these states; the outputs are the same as of `rate_cells` with this
    `below`. A state that is not valid is `IMPROPER`.
    """
    cdef Py_ssize_t n = rows.shape[0], k
    cdef Call call
    call_start(&call, er.shape[0], er, ep, ed, techniques, names, outcomes, rows, stop)
    if states.shape[0] != n * <Py_ssize_t> sizeof(RatingState):
        raise ValueError("there must be a state for each puzzle")
    if n == 0:
        return b""
    call.below = below
    call.scratch = scratch_new()
    call.states = <RatingState*> malloc(n * sizeof(RatingState))
    call.failed = call.scratch == NULL or call.states == NULL
    with nogil:
        if not call.failed:
            memcpy(call.states, &states[0], states.shape[0])
            for k in range(n):
                rate_state(&call, k)
    return call_end(&call, n if keep else 0)


cdef void call_start(Call* call, Py_ssize_t n, uint8_t[::1] er, uint8_t[::1] ep, uint8_t[::1] ed,
                     uint8_t[::1] techniques, uint8_t[::1] names, uint8_t[::1] outcomes, const int64_t[::1] rows,
                     const uint8_t[::1] stop) except *:
    """Check the outputs for n puzzles, and set every field; a field without an argument is zero."""
    cdef Py_ssize_t k
    memset(call, 0, sizeof(Call))
    if not (er.shape[0] == ep.shape[0] == ed.shape[0] == techniques.shape[0] == names.shape[0]
            == outcomes.shape[0] == n):
        raise ValueError("the outputs must have one item per puzzle")
    for k in range(0 if rows is None else rows.shape[0]):
        if not 0 <= rows[k] < n:
            raise ValueError("a row is outside the outputs")
    if n == 0:
        return
    call.er, call.ep, call.ed = &er[0], &ep[0], &ed[0]
    call.techniques, call.names, call.outcomes = &techniques[0], &names[0], &outcomes[0]
    if rows is not None and rows.shape[0]:
        call.rows = &rows[0]
    call.stop = flag_of(stop)


cdef bytes call_end(Call* call, Py_ssize_t n):
    """Give the memory back; return the states of the puzzles among the first n that are `AT_LEAST`, if they are
    kept."""
    cdef Py_ssize_t k, kept = 0
    cdef bytes states = b""
    cdef bint failed = call.failed or call.scratch.failed
    if call.scratch != NULL:
        scratch_free(call.scratch)
    if call.lanes != NULL:
        lanes_free(call.lanes)
    if not failed and call.states != NULL:
        for k in range(n):
            if call.outcomes[place_of(call, k)] == AT_LEAST:
                call.states[kept] = call.states[k]
                kept += 1
        states = PyBytes_FromStringAndSize(<char*> call.states, kept * sizeof(RatingState))
    free(call.states)
    if failed:
        raise MemoryError
    return states


cdef inline Py_ssize_t place_of(const Call* call, Py_ssize_t k) noexcept nogil:
    """The number of a puzzle among all."""
    return k if call.rows == NULL else <Py_ssize_t> call.rows[k]


cdef inline RatingState* state_of(const Call* call, Py_ssize_t k) noexcept nogil:
    """Where to write the state of a puzzle, or NULL."""
    return NULL if call.states == NULL else call.states + k


cdef void rate_on(Call* call, Py_ssize_t k, Board* board, Pending* pending, Progress* progress) noexcept nogil:
    """Go on with a board by the ordered engine and write the outputs."""
    cdef int outcome = STOPPED
    if not is_set(call.stop):
        outcome = rate_board(board, pending, progress, call.below, call.scratch, state_of(call, k))
    write_rating(call, k, progress, outcome)


cdef void write_rating(Call* call, Py_ssize_t k, const Progress* progress, int outcome) noexcept nogil:
    """Write the outputs of a puzzle."""
    cdef Py_ssize_t place = place_of(call, k)
    cdef bint is_rated = outcome != IMPROPER and outcome != STOPPED
    cdef bint is_exact = is_rated and outcome != AT_LEAST
    call.outcomes[place] = <uint8_t> outcome
    call.er[place] = <uint8_t> (progress.er if is_rated else 0)
    call.ep[place] = <uint8_t> (progress.ep if is_rated else 0)
    call.ed[place] = <uint8_t> (progress.ed if is_rated else 0)
    call.techniques[place] = <uint8_t> (progress.technique if is_exact else 0)
    call.names[place] = <uint8_t> (progress.name if is_exact else 0)


cdef void rate_alone(Call* call, const uint8_t* text, int zero, Py_ssize_t k) noexcept nogil:
    """Rate a puzzle by the ordered engine."""
    cdef Board board
    cdef Pending pending
    cdef Progress progress
    cdef uint8_t cells[81]
    read_digits(text, zero, cells)
    memset(&progress, 0, sizeof(Progress))
    pending_start(&pending)
    scratch_start(call.scratch, call.stop)
    if board_load(&board, cells):
        rate_on(call, k, &board, &pending, &progress)
    else:
        write_rating(call, k, &progress, STOPPED if is_set(call.stop) else IMPROPER)


cdef void rate_frame(Call* call, Py_ssize_t k, const uint16_t* frame, Progress* progress) noexcept nogil:
    """Go on with a puzzle from what the techniques up to 4.4 leave."""
    cdef Board board
    cdef Pending pending
    board_load_frame(&board, frame)
    pending_start(&pending)
    pending_closed(&pending, &board)
    rate_on(call, k, &board, &pending, progress)


cdef void rate_state(Call* call, Py_ssize_t k) noexcept nogil:
    """Go on with a puzzle from its state."""
    cdef RatingState state = call.states[k]
    cdef Progress progress
    if is_state(&state):
        scratch_start(call.scratch, call.stop)
        rate_frame(call, k, state.frame, &state.progress)
    else:
        memset(&progress, 0, sizeof(Progress))
        write_rating(call, k, &progress, IMPROPER)


cdef bint is_state(const RatingState* state) noexcept nogil:
    """Whether this is a board whose digits do not clash, and numbers in their ranges: then the search ends."""
    cdef const Progress* progress = &state.progress
    cdef const uint16_t* words
    cdef unsigned int rows[9]     # the digits of filled cells
    cdef unsigned int columns[9]
    cdef unsigned int boxes[9]
    cdef unsigned int word, digits, wrong = 0
    cdef int row, column, box
    if not 0 <= progress.er <= UNBOUNDED or not 0 <= progress.ep <= UNBOUNDED or not 0 <= progress.ed <= UNBOUNDED:
        return False
    if not NO_TECHNIQUE <= progress.technique < TECHNIQUES or not NO_NAME <= progress.name < NAMES:
        return False
    memset(rows, 0, sizeof(rows))
    memset(columns, 0, sizeof(columns))
    memset(boxes, 0, sizeof(boxes))
    for row in range(9):  # without branches: a state is checked each time that its puzzle goes on
        words = &state.frame[cell_place(9 * row)]
        for column in range(9):
            box = row // 3 * 3 + column // 3
            word = words[column]
            digits = word & ALL_DIGITS if word & FILLED else 0
            wrong |= word & ~<unsigned int> (FILLED | ALL_DIGITS) | digits & (digits - 1) | (word == FILLED)
            wrong |= digits & (rows[row] | columns[column] | boxes[box])
            rows[row] |= digits
            columns[column] |= digits
            boxes[box] |= digits
    for row in range(9):
        words = &state.frame[cell_place(9 * row)]
        for column in range(9):
            digits = 0 if words[column] & FILLED else words[column]
            wrong |= digits & (rows[row] | columns[column] | boxes[row // 3 * 3 + column // 3])
    return wrong == 0


cdef void rate_in_lanes(Call* call) noexcept nogil:
    """Rate up to 4.4 in lanes, and go on from there with the ordered engine."""
    cdef Lanes* lanes = call.lanes
    cdef Frames* left = &lanes.queue[STAGES]
    cdef Progress progress
    cdef Py_ssize_t k
    cdef int i, state
    cdef bint done = False
    while not done:
        done = run_lanes(lanes, call.stop)
        for i in range(left.count):
            k = left.id[i]
            grade_progress(&lanes.grades[k], &progress)
            scratch_start(call.scratch, call.stop)
            rate_frame(call, k, left.word[i], &progress)
        left.count = 0
    for k in range(lanes.count):
        state = lanes.grades[k].state
        if state != LEFT:
            grade_progress(&lanes.grades[k], &progress)
            write_rating(call, k, &progress, RATED if state == GRADED else IMPROPER if state == WRONG else STOPPED)


cdef inline void scratch_start(Scratch* scratch, const uint8_t* stop) noexcept nogil:
    """Set what stops the search of a puzzle, and forget the closures of another one."""
    cdef int k
    scratch.cancel = stop
    scratch.stopped = False
    for k in range(MOST_ASSUMED):
        memset(scratch.assumed[k].state, 0, sizeof(scratch.assumed[k].state))


cdef inline void read_digits(const uint8_t* text, int zero, uint8_t* cells) noexcept nogil:
    """Read the 81 cells of a puzzle as digits 0 to 9."""
    cdef int i, digit
    for i in range(81):
        digit = text[i] - zero
        cells[i] = <uint8_t> (digit if 1 <= digit <= 9 else 0)


include "rows.pxi"
