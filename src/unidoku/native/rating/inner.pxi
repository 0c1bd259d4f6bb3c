# The simple inner rules of the chains of 9.0 and more: intersections, hidden pairs, naked pairs, X-wings.
#
# They look at the grid of a run. A hint without a parent, that is, without a candidate that the run removed from its
# pattern, says nothing new and is left out.


cdef void removed_places(const Run* run, cells_t among, int digit, uint64_t* parents) noexcept nogil:
    """Add the places of a digit among some cells that the run removed."""
    cdef cells_t places = run.source.digit[digit] & ~run.board.digit[digit] & among
    while cells_any(places):
        set_add(parents, run.position.number[9 * cells_first(places) + digit])
        places = cells_rest(places)


cdef bint inner_hint(Run* run, const cells_t* removed, const uint64_t* parents, int technique) noexcept nogil:
    """Queue the conclusions of a simple rule, cells row by row."""
    cdef uint64_t numbers[SET_WORDS]
    cdef cells_t left
    cdef int digit
    if not set_any(parents):
        return False
    memset(numbers, 0, sizeof(numbers))
    for digit in range(9):
        left = removed[digit]
        while cells_any(left):
            set_add(numbers, run.position.number[9 * cells_first(left) + digit])
            left = cells_rest(left)
    return run_turn_off(run, numbers, parents, technique, -1)


cdef bint inner_intersections(Run* run) noexcept nogil:
    """Pointing and claiming: (box, column), (box, row), (column, box), (row, box).

    The parents are the removed places outside the second house: those in both houses would change nothing.
    """
    cdef const Board* board = &run.board
    cdef uint64_t parents[SET_WORDS]
    cdef cells_t removed[9]
    cdef cells_t outside
    cdef int kind, i, j, digit, first, second
    cdef bint any = False
    for kind in range(4):
        for i in range(9):
            first = (COLUMNS if kind == 2 else ROWS if kind == 3 else BOXES) + i
            for j in range(9):
                second = (COLUMNS if kind == 0 else ROWS if kind == 1 else BOXES) + j
                if not cells_any(HOUSE[first] & HOUSE[second]):
                    continue
                for digit in range(9):
                    if digits_count(board.places[first][digit]) < 2:
                        continue
                    if cells_any(board.digit[digit] & HOUSE[first] & ~HOUSE[second]):
                        continue
                    outside = board.digit[digit] & HOUSE[second] & ~HOUSE[first]
                    if not cells_any(outside):
                        continue
                    memset(removed, 0, sizeof(removed))
                    memset(parents, 0, sizeof(parents))
                    removed[digit] = outside
                    removed_places(run, HOUSE[first] & ~HOUSE[second], digit, parents)
                    any |= inner_hint(run, removed, parents, POINTING if kind < 2 else CLAIMING)
    return any


cdef bint inner_hidden_pairs(Run* run) noexcept nogil:
    """Hidden pairs in boxes, columns and rows, digit pairs in Gosper's order."""
    cdef const Board* board = &run.board
    cdef uint64_t parents[SET_WORDS]
    cdef cells_t removed[9]
    cdef cells_t cells
    cdef unsigned int places
    cdef int scan, house, i, j, digit
    cdef bint any = False, found
    for scan in range(27):
        house = SCAN[scan]
        if board.empties[house] <= 4:
            continue
        for j in range(1, 9):
            places = board.places[house][j]
            if digits_count(places) != 2:
                continue
            for i in range(j):
                if board.places[house][i] != places:
                    continue
                cells = ONE[CELL[house][digits_first(places)]] | ONE[CELL[house][digits_first(places & (places - 1))]]
                found = False
                for digit in range(9):
                    removed[digit] = cells & board.digit[digit]
                    if digit == i or digit == j:
                        removed[digit] = cells & ~cells
                    found |= cells_any(removed[digit])
                if not found:
                    continue
                memset(parents, 0, sizeof(parents))
                removed_places(run, HOUSE[house], i, parents)
                removed_places(run, HOUSE[house], j, parents)
                any |= inner_hint(run, removed, parents, HIDDEN_PAIR)
    return any


cdef bint inner_naked_pairs(Run* run) noexcept nogil:
    """Naked pairs in boxes, columns and rows, cell pairs in Gosper's order."""
    cdef const Board* board = &run.board
    cdef uint64_t parents[SET_WORDS]
    cdef cells_t removed[9]
    cdef cells_t others
    cdef unsigned int digits, left
    cdef int scan, house, i, j, k, digit, cell
    cdef bint any = False, found
    for scan in range(27):
        house = SCAN[scan]
        if board.empties[house] < 4:
            continue
        for j in range(1, 9):
            digits = board.cand[CELL[house][j]]
            if digits_count(digits) != 2:
                continue
            for i in range(j):
                if board.cand[CELL[house][i]] != digits:
                    continue
                others = HOUSE[house] & ~ONE[CELL[house][i]] & ~ONE[CELL[house][j]]
                found = False
                for digit in range(9):
                    removed[digit] = others & board.digit[digit]
                    if not digits >> digit & 1:
                        removed[digit] = others & ~others
                    found |= cells_any(removed[digit])
                if not found:
                    continue
                memset(parents, 0, sizeof(parents))
                for k in range(2):
                    cell = CELL[house][j if k else i]
                    left = run.source.cand[cell] & ~board.cand[cell]
                    while left:
                        set_add(parents, run.position.number[9 * cell + digits_first(left)])
                        left &= left - 1
                any |= inner_hint(run, removed, parents, NAKED_PAIR)
    return any


cdef bint inner_x_wings(Run* run) noexcept nogil:
    """X-wings, base columns first, then base rows; line pairs in Gosper's order, then digits."""
    cdef const Board* board = &run.board
    cdef uint64_t parents[SET_WORDS]
    cdef cells_t removed[9]
    cdef cells_t outside
    cdef unsigned int places
    cdef int unsolved[9]
    cdef int k, lines, covers, i, j, digit, house
    cdef bint any = False
    for digit in range(9):
        unsolved[digit] = 9
    for i in range(81):
        if board.value[i]:
            unsolved[board.value[i] - 1] -= 1
    for k in range(2):
        lines = ROWS if k else COLUMNS
        covers = COLUMNS if k else ROWS
        for j in range(1, 9):
            for i in range(j):
                for digit in range(9):
                    places = board.places[lines + j][digit]
                    if digits_count(places) != 2 or board.places[lines + i][digit] != places:
                        continue
                    if unsolved[digit] < 4:
                        continue
                    house = covers + digits_first(places)
                    outside = HOUSE[house] | HOUSE[covers + digits_first(places & (places - 1))]
                    outside &= board.digit[digit] & ~HOUSE[lines + i] & ~HOUSE[lines + j]
                    if not cells_any(outside):
                        continue
                    memset(removed, 0, sizeof(removed))
                    memset(parents, 0, sizeof(parents))
                    removed[digit] = outside
                    removed_places(run, HOUSE[lines + i], digit, parents)
                    removed_places(run, HOUSE[lines + j], digit, parents)
                    any |= inner_hint(run, removed, parents, X_WING)
    return any


cdef bint inner_simple(Run* run) noexcept nogil:
    """Ask the simple rules in order until one queues something."""
    return (inner_intersections(run) or inner_hidden_pairs(run) or inner_naked_pairs(run) or inner_x_wings(run))
