# The loop: the first step that the techniques find, in order of the table, until all cells are filled.

cdef enum:
    UNBOUNDED = 200  # no rating is higher: that of a puzzle that no technique solves

cdef enum Outcome:
    RATED
    CLASH        # two equal clues in a house, or a cell without candidates
    STUCK        # no technique finds a step
    AT_LEAST     # the rating is ``below`` or more
    STOPPED      # the budget or the stop flag ended the work


cdef bint first_easy_step(const Board* board, Step* step) noexcept nogil:
    """The first step of techniques 1 to 14, in order."""
    return (find_hidden_single(board, step)
            or find_intersection(board, step, True)
            or find_direct_hidden_subset(board, step, 2)
            or find_naked_single(board, step)
            or find_direct_hidden_subset(board, step, 3)
            or find_intersection(board, step, False)
            or find_naked_subset(board, step, 2, ALL_HOUSES)
            or find_fish(board, step, 2, ALL_DIGITS)
            or find_hidden_subset(board, step, 2, ALL_HOUSES)
            or find_naked_subset(board, step, 3, ALL_HOUSES)
            or find_fish(board, step, 3, ALL_DIGITS)
            or find_hidden_subset(board, step, 3, ALL_HOUSES)
            or find_wing(board, step, False)
            or find_wing(board, step, True))


cdef bint first_hard_step(Board* board, Step* step, int below, Pending* pending, Scratch* scratch) noexcept nogil:
    """The first step of techniques 15 to 30, in order, on a board where 1 to 14 find none.

    Techniques that are rated ``below`` or more are not asked.
    """
    cdef int producer
    pending_collect(pending, board)
    if below > 45 and find_unique_loop(board, step, pending):
        return True
    if below > 50 and find_naked_subset(board, step, 4, pending.naked[4]):
        return True
    pending.naked[4] = 0
    if below > 52 and find_fish(board, step, 4, pending.fish[4]):
        return True
    pending.fish[4] = 0
    if below > 54 and find_hidden_subset(board, step, 4, pending.hidden[4]):
        return True
    pending.hidden[4] = 0
    if below > 56 and find_bug(board, step):
        return True
    if below > 62 and find_aligned_pair(board, step, pending.pairs):
        return True
    pending.pairs = 0
    if below > 65 and chain_step(board, 21, scratch, step):
        return True
    if below > 75 and find_aligned_triplet(board, step, pending.triplets):
        return True
    pending.triplets = 0
    for producer in range(23, 31):
        if scratch.stopped:
            return False
        if below > 75 + 5 * (producer - 23) and chain_step(board, producer, scratch, step):
            return True
    return False


cdef int rate_board(Board* board, Pending* pending, Progress* progress, int below, Scratch* scratch) noexcept nogil:
    """Go on solving a board by steps; the outcome.  Ratings of ``below`` or more become ``below``."""
    cdef Step step
    while True:
        close_board(board, pending, progress)
        if not cells_any(board.empty) and progress.er < below:
            return RATED
        if progress.er < below and first_hard_step(board, &step, below, pending, scratch):
            note(progress, step.rating, step.technique, step.cell >= 0)
            if not board_follow(board, &step):
                return CLASH
            continue
        if scratch.stopped:
            return STOPPED
        if below == UNBOUNDED:
            note(progress, UNBOUNDED, NO_TECHNIQUE, True)
            return STUCK
        cap(progress, below)
        return AT_LEAST


cdef inline void cap(Progress* progress, int below) noexcept nogil:
    """The rating is at least ``below``, and so are those that the next step decides."""
    note(progress, below, NO_TECHNIQUE, True)
    progress.er = min(progress.er, below)
    progress.ep = min(progress.ep, below)
    progress.ed = min(progress.ed, below)


cdef inline bint board_follow(Board* board, const Step* step) noexcept nogil:
    """Apply a step; false if it leaves a cell without candidates, which a proper puzzle never has."""
    cdef cells_t rest
    if step.cell >= 0 and not board.cand[step.cell] >> step.digit & 1:
        return False
    step_apply(board, step)
    rest = board.empty
    while cells_any(rest):
        if not board.cand[cells_first(rest)]:
            return False
        rest = cells_rest(rest)
    return True
