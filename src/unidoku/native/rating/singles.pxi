# Techniques 1 to 5: singles, and patterns that lead to a hidden single at once.

cdef inline void fills(Step* step, int technique, int rating, int cell, int digit, int house) noexcept nogil:
    """Set a step that fills a cell."""
    step_start(step, technique, rating)
    step.cell = cell
    step.digit = digit
    step.house = house
    step.cells = ONE[cell]
    step.digits = 1 << digit


cdef bint find_hidden_single(const Board* board, Step* step) noexcept nogil:
    """The last cell of a house; else a digit with one place in a box, a column or a row."""
    cdef int i, house, digit, cell
    cdef unsigned int places
    for i in range(27):
        house = SCAN[i]
        if board.empties[house] == 1:
            for digit in range(9):
                places = board.places[house][digit]
                if places:
                    fills(step, HIDDEN_SINGLE, 10, CELL[house][digits_first(places)], digit, house)
                    if ends_search(board, step):
                        return True
    for i in range(27):
        house = SCAN[i]
        for digit in range(9):
            places = board.places[house][digit]
            if places and not places & (places - 1):
                cell = CELL[house][digits_first(places)]
                fills(step, HIDDEN_SINGLE, 12 if house >= BOXES else 15, cell, digit, house)
                if ends_search(board, step):
                    return True
    return False


cdef bint find_naked_single(const Board* board, Step* step) noexcept nogil:
    """A cell with one candidate."""
    cdef int cell
    cdef unsigned int digits
    for cell in range(81):
        digits = board.cand[cell]
        if digits and not digits & (digits - 1):
            fills(step, NAKED_SINGLE, 23, cell, digits_first(digits), -1)
            if ends_search(board, step):
                return True
    return False


cdef inline bint single_beside(const Board* board, Step* step, int house, int other, int digit,
                               bint direct) noexcept nogil:
    """All places of the digit in ``house`` are in ``other``: what follows in the other houses of the first kind.

    ``direct``: a hidden single in one of them; else the removals. Pointing if ``house`` is a box, else claiming.
    """
    cdef bint box = house >= BOXES
    cdef cells_t gone = HOUSE[other] & ~HOUSE[house] & board.digit[digit]
    cdef cells_t left
    cdef int first, third, cell
    if not cells_any(gone):
        return False
    if not direct:
        step_start(step, POINTING if box else CLAIMING, 26 if box else 28)
        step.removed[digit] = gone
    else:
        first = house // 9 * 9
        for third in range(first, first + 9):
            if third != house and cells_any(HOUSE[third] & gone):
                left = HOUSE[third] & board.digit[digit] & ~HOUSE[other]
                if cells_any(left) and not cells_any(cells_rest(left)):
                    cell = cells_first(left)
                    fills(step, DIRECT_POINTING if box else DIRECT_CLAIMING, 17 if box else 19, cell, digit, third)
                    break
        else:
            return False
        step.house = third
    step.other = other
    step.house = house
    step.digits = 1 << digit
    step.cells = HOUSE[house] & board.digit[digit]
    return ends_search(board, step)


cdef bint find_intersection(const Board* board, Step* step, bint direct) noexcept nogil:
    """Pointing, then claiming; ``direct``: only if a hidden single follows at once."""
    cdef int kind, i, house, other, digit
    cdef cells_t places
    for kind in range(4):  # (box, column), (box, row), (column, box), (row, box)
        for i in range(9):
            house = (BOXES if kind < 2 else COLUMNS if kind == 2 else ROWS) + i
            for other in range(COLUMNS if kind == 0 else ROWS if kind == 1 else BOXES,
                               BOXES if kind == 0 else COLUMNS if kind == 1 else 27):
                if not cells_any(HOUSE[house] & HOUSE[other]):
                    continue
                for digit in range(9):
                    places = HOUSE[house] & board.digit[digit]
                    if cells_any(cells_rest(places)) and not cells_any(places & ~HOUSE[other]):
                        if single_beside(board, step, house, other, digit, direct):
                            return True
    return False


cdef bint find_direct_hidden_subset(const Board* board, Step* step, int size) noexcept nogil:
    """A hidden subset that leaves one place for another digit of the same house."""
    cdef uint16_t found[126]
    cdef int i, j, house, digit, cell
    cdef unsigned int joint, places
    for i in range(27):
        house = SCAN[i]
        if board.empties[house] <= size:
            continue
        for j in range(find_subsets(board.places[house], size, found)):
            joint = union_of(board.places[house], found[j])
            for digit in range(9):
                places = board.places[house][digit] & ~joint
                if not found[j] >> digit & 1 and places and not places & (places - 1):
                    cell = CELL[house][digits_first(places)]
                    fills(step, DIRECT_HIDDEN_PAIR if size == 2 else DIRECT_HIDDEN_TRIPLET,
                          20 if size == 2 else 25, cell, digit, house)
                    step.digits = found[j]
                    step.cells = house_cells(house, joint)
                    if ends_search(board, step):
                        return True
    return False


cdef inline cells_t house_cells(int house, unsigned int places) noexcept nogil:
    """The cells at some places of a house."""
    cdef cells_t cells = 0
    while places:
        cells |= ONE[CELL[house][digits_first(places)]]
        places &= places - 1
    return cells
