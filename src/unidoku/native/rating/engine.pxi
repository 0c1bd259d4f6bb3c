# The loop: the first step that the techniques find, in order of the table, until all cells are filled.

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
            or find_naked_subset(board, step, 2)
            or find_fish(board, step, 2)
            or find_hidden_subset(board, step, 2)
            or find_naked_subset(board, step, 3)
            or find_fish(board, step, 3)
            or find_hidden_subset(board, step, 3)
            or find_wing(board, step, False)
            or find_wing(board, step, True))


cdef bint first_hard_step(const Board* board, Step* step, int below) noexcept nogil:
    """The first step of techniques 15 to 30, in order, on a board where 1 to 14 find none.

    Techniques that are rated ``below`` or more are not asked.
    """
    return ((below > 45 and find_unique_loop(board, step))
            or (below > 50 and find_naked_subset(board, step, 4))
            or (below > 52 and find_fish(board, step, 4))
            or (below > 54 and find_hidden_subset(board, step, 4))
            or (below > 56 and find_bug(board, step))
            or (below > 62 and find_aligned_pair(board, step))
            or (below > 75 and find_aligned_triplet(board, step)))


cdef int rate_board(Board* board, Progress* progress, int below) noexcept nogil:
    """Solve a board by steps; the outcome.  A rating of ``below`` or more is not found out: it becomes ``below``."""
    cdef Step step
    memset(progress, 0, sizeof(Progress))
    while True:
        close_board(board, progress)
        if progress.er >= below:
            note(progress, below, NO_TECHNIQUE, True)
            return AT_LEAST
        if not cells_any(board.empty):
            return RATED
        if not first_hard_step(board, &step, below):
            return STUCK
        note(progress, step.rating, step.technique, step.cell >= 0)
        if not board_follow(board, &step):
            return CLASH


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
