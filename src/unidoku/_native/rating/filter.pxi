# Filters: the chains that may conclude something, found for all assumptions without order, before any ordered run.
#
# A closure has all nodes of a run, whatever the order of its rules, and perhaps more. So a candidate matters
# only if it comes to a conflict here, and a cell or house only if all its candidates turn the same one off.


cdef inline void matters_start(Reach* reach) noexcept nogil:
    """No cell and no house matters."""
    memset(reach.cell_matters, 0, sizeof(reach.cell_matters))
    memset(reach.house_matters, 0, sizeof(reach.house_matters))


cdef inline void group_matters(Reach* reach, int group) noexcept nogil:
    """The cell or house of a group matters."""
    cdef int k = reach.source[group]
    if group < reach.size_begin[0][10]:
        reach.cell_matters[k] = True
    else:
        reach.house_matters[k // 9][k % 9] = True


cdef inline bint static_common(const Reach* reach, int group) noexcept nogil:
    """Whether all candidates of a group turn the same one off.

    "x on turns y off" is symmetric: so these are the candidates that turn all of the group off.
    """
    cdef int word
    for word in range((reach.n + 63) // 64):
        if reach_common(reach, group, word):
            return True
    return False


cdef bint static_filter(Reach* reach, const Position* position, const Board* board) noexcept nogil:
    """Find the cells and houses whose static chains have a common conclusion; false if there are none.

    An "on" turns other candidates off, so it is enough to look for common candidates that are off.
    """
    cdef int group
    cdef bint any = False
    if not reach.complete:
        reach_load(reach, position, board)
        reach.complete = reach_run(reach, links_of_pass(PASS_XY), MOST_LAYERS, SAME_LAYER) == REACH_NEVER
    matters_start(reach)
    for group in range(reach.groups):
        if set_size(board.cand[position.cell[reach.member[reach.begin[group]]]]) < 3:
            continue
        if not reach.complete or static_common(reach, group):
            group_matters(reach, group)
            any = True
    return any


cdef bint dynamic_filter(Reach* reach, const Position* position, const Board* board) noexcept nogil:
    """Find the candidates, cells and houses whose dynamic chains may conclude something; false if there are none."""
    cdef int group, start, word, words = (position.n + 63) // 64
    cdef bint any
    reach_load(reach, position, board)
    any = reach_singles(reach)
    matters_start(reach)
    for group in range(reach.groups):
        for word in range(words):
            if reach_rows_common(reach, group, word):
                group_matters(reach, group)
                any = True
                break
    for start in range(position.n):
        reach.both_matter[start] = False
        for word in range(words):
            reach.both_matter[start] |= (reach.row[0][start][word] & reach.row[1][start][word]) != 0
        any |= reach.both_matter[start]
    return any


cdef bint remove_numbers(Board* board, const Position* position, int word, uint64_t numbers) noexcept nogil:
    """Remove candidates by their numbers, 64 to a word; whether any was there."""
    cdef bint any = False
    cdef int k
    while numbers:
        k = 64 * word + lowest_bit(numbers)
        numbers &= numbers - 1
        any |= board_remove(board, position.cell[k], 1u << position.digit[k])
    return any


cdef bint apply_conflicts(Board* board, const Position* position, const Reach* reach) noexcept nogil:
    """Remove candidates that cannot be on, and place candidates that cannot be off; whether there are any."""
    cdef int k, cell, digit
    cdef bint any = False
    for k in range(position.n):
        cell = position.cell[k]
        digit = position.digit[k]
        if reach.layer[1][k] != REACH_NEVER:
            any |= board_remove(board, cell, 1u << digit)
        if reach.layer[0][k] != REACH_NEVER:
            if board.cand[cell] >> digit & 1:
                board_place(board, cell, digit)
                any = True
            elif board.value[cell] != digit + 1:
                any |= board_remove(board, cell, ALL_DIGITS)
    return any


cdef bint apply_chains(Reach* reach, const Position* position, Board* board, int nesting) noexcept nogil:
    """Apply the conclusions of the inner chains of a nesting; whether there are any."""
    cdef int group, start, word, words = (position.n + 63) // 64
    cdef bint any = False
    reach_load(reach, position, board)
    if nesting <= NEST_STATIC:
        if reach_run(reach, links_of_pass(PASS_XY), MOST_LAYERS, ALL_LAYERS) != REACH_NEVER:
            return apply_conflicts(board, position, reach)
        if nesting == NEST_STATIC:
            for group in range(reach.groups):
                for word in range(words):
                    any |= remove_numbers(board, position, word, reach_common(reach, group, word))
        return any
    if reach_singles(reach):
        return apply_conflicts(board, position, reach)
    for group in range(reach.groups):
        for word in range(words):
            any |= remove_numbers(board, position, word, reach_rows_common(reach, group, word))
    for start in range(position.n):
        for word in range(words):
            any |= remove_numbers(board, position, word, reach.row[0][start][word] & reach.row[1][start][word])
    return any


cdef bint consistent(const Board* board) noexcept nogil:
    """Whether each empty cell has a candidate and each missing digit of a house a place."""
    cdef cells_t open_cells = board.digit[0]
    cdef int digit, house, missing
    for digit in range(1, 9):
        open_cells |= board.digit[digit]
    if cells_any(board.empty & ~open_cells):
        return False
    for house in range(27):
        missing = board.empties[house]
        for digit in range(9):
            missing -= board.places[house][digit] != 0
        if missing:
            return False
    return True


cdef bint close_assumed(Reach* reach, const Position* position, Board* board, Pending* pending, int nesting,
                        const Board* closed) noexcept nogil:
    """Apply singles and the inner rules of a nesting until nothing changes; false at a conflict.

    ``closed`` is a board with more candidates on which the inner rules find nothing, or NULL.  Chains with one start
    are then found only if there is a new strong link.
    """
    while True:
        if fill_hidden_singles(board, False):
            continue
        pending_collect(pending, board)
        if fill_naked_singles(board, pending, 1):
            continue
        if not consistent(board):
            return False
        if (remove_by_pointing(board, pending, 1) or remove_by_claiming(board, pending, 1)
                or remove_naked_subsets(board, pending, 2) or remove_hidden_subsets(board, pending, 2)
                or remove_fish(board, pending, 2)):
            continue
        if nesting == NEST_SIMPLE or (nesting == NEST_UNARY and closed != NULL and not new_pair(board, closed)):
            return True
        if not apply_chains(reach, position, board, nesting):
            return True


cdef inline uint16_t cell_bits(const Board* board, int cell) noexcept nogil:
    """Return the candidates of a cell, or its digit, as bits."""
    return <uint16_t> (1 << (board.value[cell] - 1)) if board.value[cell] else board.cand[cell]


cdef void board_left(Board* board, const uint16_t* left) noexcept nogil:
    """Set every field of the board on which an assumption was closed: a cell with one candidate is filled."""
    cdef int cell
    memset(board, 0, sizeof(Board))
    for cell in range(81):
        if left[cell] & (left[cell] - 1):
            board.cand[cell] = left[cell]
        else:
            board.value[cell] = <uint8_t> (lowest_bit(left[cell]) + 1)
    board_index(board)


cdef bint assume(Assumed* nestings, Reach* reach, const Position* position, const Board* grid, const block_t* bits,
                 int candidate, bint on, int nesting) noexcept nogil:
    """Close an assumption in a position at a nesting; false at a conflict.

    The search starts from the closure in an earlier position of the puzzle, or at the nesting before. ``bits`` are
    the candidates or the digit of each cell.
    """
    cdef int code = 9 * position.cell[candidate] + position.digit[candidate], k
    cdef Assumed* assumed = &nestings[nesting - 1]
    cdef Assumed* before = assumed
    cdef uint16_t* left = <uint16_t*> assumed.left[on][code]
    cdef Board board
    cdef Board closed
    cdef Pending pending
    cdef bint same = assumed.state[on][code] != 0, good = True
    if not same and nesting > NEST_SIMPLE:
        before = &nestings[nesting - 2]
    if before.state[on][code] == CONFLICT:
        assumed.state[on][code] = CONFLICT
    if assumed.state[on][code] == CONFLICT:
        memset(left, 0, LEFT_BLOCKS * sizeof(block_t))
        return False
    pending_start(&pending)
    if before.state[on][code] == 0:
        memcpy(&board, grid, sizeof(Board))
        pending_closed(&pending, &board)
        if on:
            board_place(&board, position.cell[candidate], position.digit[candidate])
        else:
            board_drop(&board, position.cell[candidate], position.digit[candidate])
    else:
        if same and left_within(bits, assumed.left[on][code]):
            return True
        board_left(&board, <const uint16_t*> before.left[on][code])
        pending_closed(&pending, &board)
        memcpy(&closed, &board, sizeof(Board))
        for k in range(81):
            if board.value[k]:
                good = good and cell_bits(&board, k) & (<const uint16_t*> bits)[k]
            else:
                board_remove(&board, k, ~(<const uint16_t*> bits)[k])
    if not good or not close_assumed(reach, position, &board, &pending, nesting, &closed if same else NULL):
        assumed.state[on][code] = CONFLICT
        memset(left, 0, LEFT_BLOCKS * sizeof(block_t))
        return False
    assumed.state[on][code] = CLOSED
    memset(left, 0, LEFT_BLOCKS * sizeof(block_t))
    for k in range(81):
        left[k] = cell_bits(&board, k)
    return True


cdef bint run_is_closed(const Scratch* scratch, const Run* run, int candidate, bint on, int nesting) noexcept nogil:
    """Whether a run has reached the closure of its assumption: then no inner rule finds more."""
    cdef const Assumed* assumed
    cdef int code = 9 * scratch.position.cell[candidate] + scratch.position.digit[candidate]
    if nesting > MOST_ASSUMED:
        return False
    assumed = &scratch.assumed[nesting - 1]
    return assumed.state[on][code] == CLOSED and left_equal(assumed.left[on][code], run.board.cand, run.board.value)


cdef bint nested_filter(Scratch* scratch, const Board* grid, int nesting) noexcept nogil:
    """Find the candidates, cells and houses whose chains of a nesting may conclude something.

    False if there are none, or if the search must stop.
    """
    cdef Reach* reach = scratch.reach
    cdef const Position* position = &scratch.position
    cdef Assumed* assumed = &scratch.assumed[nesting - 1]
    cdef block_t all[LEFT_BLOCKS]
    cdef block_t bits[LEFT_BLOCKS]
    cdef const block_t* left[9]
    cdef int group, k, size, code, on
    cdef bint any = False
    reach_load(reach, position, grid)
    matters_start(reach)
    memset(all, 0, sizeof(all))
    memset(bits, 0, sizeof(bits))
    memcpy(all, grid.cand, sizeof(grid.cand))
    for k in range(81):
        (<uint16_t*> bits)[k] = cell_bits(grid, k)
    for k in range(position.n):
        code = 9 * position.cell[k] + position.digit[k]
        for on in range(2):
            if not goes_on(scratch):
                return False
            reach.layer[on][k] = REACH_NEVER
            if not assume(scratch.assumed, scratch.inner_reach, position, grid, bits, k, on, nesting):
                reach.layer[on][k] = 0
                any = True
            left[on] = assumed.left[on][code]
        reach.both_matter[k] = assumed_meet(all, left, 2)
        any |= reach.both_matter[k]
    for group in range(reach.groups):
        size = reach.begin[group + 1] - reach.begin[group]
        for k in range(size):
            code = reach.member[reach.begin[group] + k]
            left[k] = assumed.left[1][9 * position.cell[code] + position.digit[code]]
        if assumed_meet(all, left, size):
            group_matters(reach, group)
            any = True
    return any
