# Techniques up to 4.4 in bulk: what they conclude together does not depend on their order.
#
# The rating of a puzzle that they solve is the least rating whose techniques, repeated until nothing changes,
# solve it.  So the techniques are applied from the lowest on, and each to the whole board at once.

cdef struct Progress:
    int er          # hardest step so far, in tenths
    int ep          # hardest step up to the first that fills a cell; 0 before it
    int ed          # first step
    int technique   # of the first step with the rating er
    bint placed     # whether a cell was filled


cdef inline void note(Progress* progress, int rating, int technique, bint places) noexcept nogil:
    """Take note of a step that was applied."""
    if not progress.ed:
        progress.ed = rating
    if rating > progress.er:
        progress.er = rating
        progress.technique = technique
    if places and not progress.placed:
        progress.placed = True
        progress.ep = progress.er


cdef inline bint fill_last_cells(Board* board) noexcept nogil:
    """Fill the houses with one empty cell."""
    cdef int house, cell
    cdef cells_t left
    cdef bint any = False
    for house in range(27):
        if board.empties[house] == 1:
            left = board.empty & HOUSE[house]
            cell = cells_first(left)
            if not board.cand[cell]:
                continue
            board_place(board, cell, digits_first(board.cand[cell]))
            any = True
    return any


cdef inline bint fill_hidden_singles(Board* board, int first, int last) noexcept nogil:
    """Fill the hidden singles of some houses."""
    cdef int house, digit
    cdef unsigned int places
    cdef bint any = False
    for house in range(first, last):
        for digit in range(9):
            places = board.places[house][digit]
            if places and not places & (places - 1):
                board_place(board, CELL[house][digits_first(places)], digit)
                any = True
    return any


cdef inline bint fill_naked_singles(Board* board) noexcept nogil:
    """Fill the cells with one candidate."""
    cdef cells_t rest = board.empty
    cdef int cell
    cdef unsigned int digits
    cdef bint any = False
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        digits = board.cand[cell]
        if digits and not digits & (digits - 1):
            board_place(board, cell, digits_first(digits))
            any = True
    return any


cdef inline bint point(Board* board) noexcept nogil:
    """Remove what digits confined to a line inside a box exclude from the rest of the line."""
    cdef int box, digit, k, row, column
    cdef unsigned int places
    cdef bint any = False
    for box in range(9):
        row = ROWS + box // 3 * 3
        column = COLUMNS + box % 3 * 3
        for digit in range(9):
            places = board.places[BOXES + box][digit]
            if not places:
                continue
            for k in range(3):
                if not places & ~(<unsigned int> 7 << 3 * k):
                    any |= board_remove_from(board, HOUSE[row + k] & ~HOUSE[BOXES + box], digit)
                if not places & ~(<unsigned int> 73 << k):
                    any |= board_remove_from(board, HOUSE[column + k] & ~HOUSE[BOXES + box], digit)
    return any


cdef inline bint claim(Board* board) noexcept nogil:
    """Remove what digits confined to a box inside a line exclude from the rest of the box."""
    cdef int line, digit, k, box
    cdef unsigned int places
    cdef bint any = False
    for line in range(18):
        for digit in range(9):
            places = board.places[line][digit]
            if not places:
                continue
            for k in range(3):
                if not places & ~(<unsigned int> 7 << 3 * k):
                    box = BOXES + (line // 3 * 3 + k if line < COLUMNS else k * 3 + (line - COLUMNS) // 3)
                    any |= board_remove_from(board, HOUSE[box] & ~HOUSE[line], digit)
    return any


cdef inline bint remove_naked_subsets(Board* board, int size) noexcept nogil:
    """Remove what naked subsets exclude from the rest of their houses."""
    cdef uint16_t found[126]
    cdef uint16_t masks[9]
    cdef int house, place, j
    cdef unsigned int joint, rest
    cdef bint any = False
    for house in range(27):
        if board.empties[house] <= size:
            continue
        for place in range(9):
            masks[place] = board.cand[CELL[house][place]]
        for j in range(find_subsets(masks, size, found)):
            joint = union_of(masks, found[j])
            rest = 511 & ~found[j]
            while rest:
                any |= board_remove(board, CELL[house][digits_first(rest)], joint)
                rest &= rest - 1
    return any


cdef inline bint remove_hidden_subsets(Board* board, int size) noexcept nogil:
    """Remove other candidates from the cells of hidden subsets."""
    cdef uint16_t found[126]
    cdef int house, j
    cdef unsigned int joint
    cdef bint any = False
    for house in range(27):
        if board.empties[house] <= size:
            continue
        for j in range(find_subsets(board.places[house], size, found)):
            joint = union_of(board.places[house], found[j])
            while joint:
                any |= board_remove(board, CELL[house][digits_first(joint)], ALL_DIGITS & ~found[j])
                joint &= joint - 1
    return any


cdef inline bint remove_fish(Board* board, int size) noexcept nogil:
    """Remove what fish exclude from the lines across."""
    cdef uint16_t found[126]
    cdef uint16_t masks[9]
    cdef int base, digit, line, j
    cdef unsigned int joint, rest
    cdef bint any = False
    for base in range(0, 18, 9):
        for digit in range(9):
            for line in range(9):
                masks[line] = board.places[base + line][digit]
            for j in range(find_subsets(masks, size, found)):
                joint = union_of(masks, found[j])
                rest = 511 & ~found[j]
                while rest:
                    line = digits_first(rest)
                    rest &= rest - 1
                    if masks[line] & joint:
                        any |= board_remove_from(board, HOUSE[base + line] & house_lines(9 - base, joint), digit)
    return any


cdef inline cells_t house_lines(int base, unsigned int lines) noexcept nogil:
    """The cells of some rows or columns."""
    cdef cells_t cells = 0
    while lines:
        cells |= HOUSE[base + digits_first(lines)]
        lines &= lines - 1
    return cells


cdef inline int apply_lowest(Board* board, int reached, int* technique, bint* places) noexcept nogil:
    """Apply the technique with the lowest rating up to 4.4 that changes the board; its rating, or 0.

    ``reached`` is the highest rating so far: below it no technique needs to be told from another.
    """
    cdef Step step
    places[0] = True
    technique[0] = HIDDEN_SINGLE
    if reached < 15:
        if fill_last_cells(board):
            return 10
        if fill_hidden_singles(board, BOXES, 27):
            return 12
    if fill_hidden_singles(board, 0, 27):
        return 15
    if reached < 26 and find_intersection(board, &step, True):
        technique[0] = step.technique
        board_place(board, step.cell, step.digit)
        return step.rating
    if reached < 34 and find_direct_hidden_subset(board, &step, 2):
        technique[0] = step.technique
        board_place(board, step.cell, step.digit)
        return 20
    technique[0] = NAKED_SINGLE
    if fill_naked_singles(board):
        return 23
    if reached < 40 and find_direct_hidden_subset(board, &step, 3):
        technique[0] = step.technique
        board_place(board, step.cell, step.digit)
        return 25
    places[0] = False
    technique[0] = POINTING
    if point(board):
        return 26
    technique[0] = CLAIMING
    if claim(board):
        return 28
    technique[0] = NAKED_PAIR
    if remove_naked_subsets(board, 2):
        return 30
    technique[0] = X_WING
    if remove_fish(board, 2):
        return 32
    technique[0] = HIDDEN_PAIR
    if remove_hidden_subsets(board, 2):
        return 34
    technique[0] = NAKED_TRIPLET
    if remove_naked_subsets(board, 3):
        return 36
    technique[0] = SWORDFISH
    if remove_fish(board, 3):
        return 38
    technique[0] = HIDDEN_TRIPLET
    if remove_hidden_subsets(board, 3):
        return 40
    technique[0] = XY_WING
    if find_wing(board, &step, False):
        step_apply(board, &step)
        return 42
    technique[0] = XYZ_WING
    if find_wing(board, &step, True):
        step_apply(board, &step)
        return 44
    return 0


cdef void close_board(Board* board, Progress* progress) noexcept nogil:
    """Apply the techniques up to 4.4 until nothing changes."""
    cdef int rating, technique
    cdef bint places
    while cells_any(board.empty):
        rating = apply_lowest(board, progress.er, &technique, &places)
        if not rating:
            return
        note(progress, rating, technique, places)
