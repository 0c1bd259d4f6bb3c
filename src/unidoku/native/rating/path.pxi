# The Python interface of steps: the next step of a position, or all of them up to forcing chains.


def find_step(const uint8_t[::1] values, const uint16_t[::1] candidates, *, int64_t budget=0,
              const uint8_t[::1] stop=None):
    """Find the next step of a position of 81 cells and their candidates, bit d - 1 for digit d.

    `budget` bounds the candidates from which chains are searched, 0 does not; a byte at `stop` that is not zero ends
    the search. Return the step, or None, and what is left of the budget, negative if it ended the search. A step is a
    tuple of the technique, the rating in tenths, the kind (type of a loop or BUG, kind of a chain), the cell that it
    fills or -1, its digit 1 to 9 or 0, the removed candidates as pairs of a cell and a digit, the cells, other cells,
    digits, house and other house (or -1) of the pattern, and the nodes of its chains.
    """
    cdef Board board
    cdef Step step
    cdef Pending pending
    cdef Trace trace
    cdef Scratch* scratch
    cdef bint found
    position_board(&board, values, candidates)
    memset(&trace, 0, sizeof(Trace))
    if first_easy_step(&board, &step):
        return step_tuple(&step, &trace), budget
    scratch = scratch_new()
    if scratch == NULL:
        raise MemoryError
    scratch_limit(scratch, budget, NULL if stop is None else &stop[0])
    pending_start(&pending)
    scratch.trace = &trace
    try:
        with nogil:
            found = first_hard_step(&board, &step, UNBOUNDED, &pending, scratch)
        if trace.failed or (scratch.stopped and scratch.budget >= 0 and (stop is None or not stop[0])):
            raise MemoryError
        return step_tuple(&step, &trace) if found else None, scratch.budget
    finally:
        free(trace.item)
        scratch_free(scratch)


def find_steps(const uint8_t[::1] values, const uint16_t[::1] candidates):
    """Find all steps of a position up to forcing chains: of cycles and chains the first from each candidate.

    They are as from `find_step`, in the order of the techniques, some more than once.
    """
    cdef Board board
    cdef Step step
    cdef Steps steps
    cdef Pending pending
    cdef Trace trace
    cdef Scratch* scratch
    cdef int k
    position_board(&board, values, candidates)
    scratch = scratch_new()
    if scratch == NULL:
        raise MemoryError
    scratch_limit(scratch, 0, NULL)
    pending_start(&pending)
    memset(&trace, 0, sizeof(Trace))
    memset(&steps, 0, sizeof(Steps))
    board.all = &steps
    try:
        with nogil:
            first_easy_step(&board, &step)
            first_hard_step(&board, &step, FIRST_CHAIN, &pending, scratch)
            find_aligned_triplet(&board, &step, board.empty)
        board.all = NULL
        found = [step_tuple(&steps.step[k], &trace) for k in range(steps.size)]
        list_chains(&board, scratch, &trace, found)
        if trace.failed or steps.failed:
            raise MemoryError
        return found
    finally:
        free(trace.item)
        free(steps.step)
        scratch_free(scratch)


cdef enum:
    FIRST_CHAIN = 65  # the rating in tenths of the easiest chains


cdef void list_chains(const Board* board, Scratch* scratch, Trace* trace, list found):
    """Append the first cycle through each candidate, and the forcing chains that begin with it."""
    cdef Unary* work = &scratch.level[0].unary
    cdef Hints* hints = &scratch.level[0].hints
    cdef Step step
    cdef int which, start, on, digits
    cdef uint64_t removed[SET_WORDS]
    cdef int complexity
    position_load(&scratch.position, board)
    position_link(&scratch.position, board)
    unary_load(work, &scratch.position, board)
    for which in range(3):
        for start in range(scratch.position.n):
            digits = digits_count(board.cand[scratch.position.cell[start]])
            if digits < 2 or (which == PASS_Y and digits > 2):
                continue
            hints_start(hints, &scratch.position, board, NULL, &step)
            offer_cycles(work, hints, start, which, 4, ALL_LENGTHS)
            if hints.complexity:
                trace_cycle(trace, work, start, hints)
                found.append(step_tuple(&step, trace))
            if which == PASS_Y:
                continue
            for on in range(2):
                complexity = forcing_chain(work, start, on, which)
                if complexity == 0:
                    continue
                hints_start(hints, &scratch.position, board, NULL, &step)
                conclude(&scratch.position, board, start, not on, removed)
                hints_take(hints, removed, start, not on, chain_sum(forcing_base(which), complexity), complexity,
                           kind_of_pass(which), FORCING_X_CHAIN if which == PASS_X else FORCING_CHAIN)
                trace_forcing_chain(trace, work, start, on, which)
                found.append(step_tuple(&step, trace))


cdef void position_board(Board* board, const uint8_t[::1] values, const uint16_t[::1] candidates) except *:
    """Load a position."""
    cdef int cell
    if values.shape[0] != 81 or candidates.shape[0] != 81:
        raise ValueError("a position has 81 cells")
    memset(board, 0, sizeof(Board))
    for cell in range(81):
        board.value[cell] = values[cell]
        board.cand[cell] = 0 if values[cell] else candidates[cell] & ALL_DIGITS
    board_index(board)


cdef tuple step_tuple(const Step* step, const Trace* trace):
    """Return a step with the nodes of its chains."""
    cdef int cell, digit, k = 0, many
    removed = [(cell, digit + 1) for cell in range(81) for digit in range(9) if cells_has(step.removed[digit], cell)]
    nodes = []
    if step.complexity:
        while k < trace.size:
            many = trace.item[k + 3]
            parents = [trace.item[k + 4 + digit] for digit in range(many)]
            nodes.append((trace.item[k], trace.item[k + 1], trace.item[k + 2], parents))
            k += 4 + many
    return (step.technique, step.rating, step.kind, step.cell, step.digit + 1, removed,
            [cell for cell in range(81) if cells_has(step.cells, cell)],
            [cell for cell in range(81) if cells_has(step.others, cell)],
            [digit + 1 for digit in range(9) if step.digits >> digit & 1], step.house, step.other, nodes)
