# Techniques up to 4.4 in bulk: their joint conclusions do not depend on the order.
#
# The rating of a puzzle that they solve is the least rating whose techniques, repeated until nothing changes,
# solve it.  So the techniques are applied from the lowest on, and each to the whole board at once.  A technique
# looks only where something has changed since it looked last.

from unidoku._native.rating.bulk cimport *


cdef inline void note_step(Progress* progress, int rating, int technique, int name, bint places) noexcept nogil:
    """Record a step that was applied."""
    if not progress.ed:
        progress.ed = rating
    if rating > progress.er:
        progress.er = rating
        progress.technique = technique
        progress.name = name
    if places and not progress.placed:
        progress.placed = True
        progress.ep = progress.er


cdef bint fill_last_cells(Board* board) noexcept nogil:
    """Fill the houses with one empty cell."""
    cdef int house, cell
    cdef bint any = False
    for house in range(27):
        if board.empties[house] == 1:
            cell = cells_first(board.empty & HOUSE[house])
            if board.cand[cell]:
                board_place(board, cell, lowest_bit(board.cand[cell]))
                any = True
    return any


cdef bint fill_hidden_singles(Board* board, bint boxes) noexcept nogil:
    """Fill the hidden singles; ``boxes``: only in boxes, and full houses."""
    cdef uint8_t found[243]
    cdef int count = find_single_places(board, found), k, house, digit
    cdef unsigned int places
    cdef bint any = False
    for k in range(count):
        house = found[k] // 9
        digit = found[k] % 9
        places = board.places[house][digit]
        if not places or (boxes and house < BOXES and board.empties[house] > 1):
            continue
        board_place(board, CELL[house][lowest_bit(places)], digit)
        any = True
    return any


cdef bint fill_naked_singles(Board* board, Pending* pending, int size) noexcept nogil:
    """Fill the cells with one candidate."""
    cdef cells_t rest = pending.singles & board.empty
    cdef int cell
    cdef unsigned int digits
    cdef bint any = False
    pending.singles = 0
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        digits = board.cand[cell]
        if digits and not digits & (digits - 1):
            board_place(board, cell, lowest_bit(digits))
            any = True
    return any


cdef inline bint fill_left(Board* board, int house, int digit, unsigned int gone) noexcept nogil:
    """Fill the cell of a digit if ``gone`` leaves one of its several places in a house."""
    cdef unsigned int left = board.places[house][digit] & ~gone
    if not board.places[house][digit] & gone or not left or left & (left - 1):
        return False
    board_place(board, CELL[house][lowest_bit(left)], digit)
    return True


cdef bint fill_direct_pointing(Board* board, Pending* pending, int size) noexcept nogil:
    """Fill the cells that a digit confined to a line inside a box leaves in another box."""
    cdef int box, digit, k, other
    cdef unsigned int third
    cdef bint any = False
    for box in range(9):
        for digit in range(9):
            third = THIRD[board.places[BOXES + box][digit]]
            if not third:
                continue
            for k in range(1, 3):
                if third & 7:
                    other = BOXES + box // 3 * 3 + (box + k) % 3
                    any |= fill_left(board, other, digit, <unsigned int> 7 << 3 * lowest_bit(third))
                else:
                    other = BOXES + (box + 3 * k) % 9
                    any |= fill_left(board, other, digit, <unsigned int> 73 << (lowest_bit(third) - 3))
    return any


cdef bint fill_direct_claiming(Board* board, Pending* pending, int size) noexcept nogil:
    """Fill the cells that a digit confined to a box inside a line leaves in another line."""
    cdef int line, digit, k, other
    cdef unsigned int third
    cdef bint any = False
    for line in range(18):
        for digit in range(9):
            third = THIRD[board.places[line][digit]] & 7
            if not third:
                continue
            for k in range(1, 3):
                other = line // 3 * 3 + (line + k) % 3
                any |= fill_left(board, other, digit, <unsigned int> 7 << 3 * lowest_bit(third))
    return any


cdef bint fill_direct_subset(Board* board, Pending* pending, int size) noexcept nogil:
    """Fill the cell that a hidden subset leaves to another digit of its house."""
    cdef uint16_t found[126]
    cdef int house, j, digit
    cdef unsigned int joint
    while pending.direct[size]:
        house = lowest_bit(pending.direct[size])
        for j in range(find_subsets(board.places[house], size, found)):
            joint = union_of(board.places[house], found[j])
            for digit in range(9):
                if not found[j] >> digit & 1 and fill_left(board, house, digit, joint):
                    return True
        pending.direct[size] &= pending.direct[size] - 1
    return False


cdef bint remove_by_pointing(Board* board, Pending* pending, int size) noexcept nogil:
    """Pointing: remove digits confined to a line inside a box from the rest of the line."""
    cdef uint32_t boxes = pending.pointing
    cdef int box, digit, line
    cdef unsigned int third
    cdef bint any = False
    pending.pointing = 0
    while boxes:
        box = lowest_bit(boxes)
        boxes &= boxes - 1
        for digit in range(9):
            third = THIRD[board.places[BOXES + box][digit]]
            while third:
                line = lowest_bit(third)
                line = ROWS + box // 3 * 3 + line if line < 3 else COLUMNS + box % 3 * 3 + line - 3
                any |= board_remove_from(board, HOUSE[line] & ~HOUSE[BOXES + box], digit)
                third &= third - 1
    return any


cdef bint remove_by_claiming(Board* board, Pending* pending, int size) noexcept nogil:
    """Claiming: remove digits confined to a box inside a line from the rest of the box."""
    cdef uint32_t lines = pending.claiming & 0x3FFFF
    cdef int line, digit, k, box
    cdef unsigned int third
    cdef bint any = False
    pending.claiming = 0
    while lines:
        line = lowest_bit(lines)
        lines &= lines - 1
        for digit in range(9):
            third = THIRD[board.places[line][digit]] & 7
            if third:
                k = lowest_bit(third)
                box = BOXES + (line // 3 * 3 + k if line < COLUMNS else k * 3 + (line - COLUMNS) // 3)
                any |= board_remove_from(board, HOUSE[box] & ~HOUSE[line], digit)
    return any


cdef bint remove_naked_subsets(Board* board, Pending* pending, int size) noexcept nogil:
    """Remove the digits of naked subsets from the rest of their houses."""
    cdef uint16_t found[126]
    cdef uint16_t masks[9]
    cdef uint32_t houses = pending.naked[size]
    cdef int house, place, j
    cdef unsigned int joint, rest
    cdef bint any = False
    pending.naked[size] = 0
    while houses:
        house = lowest_bit(houses)
        houses &= houses - 1
        if board.empties[house] <= size:
            continue
        for place in range(9):
            masks[place] = board.cand[CELL[house][place]]
        for j in range(find_subsets(masks, size, found)):
            joint = union_of(masks, found[j])
            rest = 511 & ~found[j]
            while rest:
                any |= board_remove(board, CELL[house][lowest_bit(rest)], joint)
                rest &= rest - 1
    return any


cdef bint remove_hidden_subsets(Board* board, Pending* pending, int size) noexcept nogil:
    """Remove other candidates from the cells of hidden subsets."""
    cdef uint16_t found[126]
    cdef uint32_t houses = pending.hidden[size]
    cdef int house, j
    cdef unsigned int joint
    cdef bint any = False
    pending.hidden[size] = 0
    while houses:
        house = lowest_bit(houses)
        houses &= houses - 1
        if board.empties[house] <= size:
            continue
        for j in range(find_subsets(board.places[house], size, found)):
            joint = union_of(board.places[house], found[j])
            while joint:
                any |= board_remove(board, CELL[house][lowest_bit(joint)], ALL_DIGITS & ~found[j])
                joint &= joint - 1
    return any


cdef bint remove_fish(Board* board, Pending* pending, int size) noexcept nogil:
    """Remove the digits of fish from the lines across."""
    cdef uint16_t found[126]
    cdef uint16_t masks[9]
    cdef uint32_t digits = pending.fish[size]
    cdef int base, digit, line, j
    cdef unsigned int joint, rest
    cdef bint any = False
    pending.fish[size] = 0
    while digits:
        digit = lowest_bit(digits)
        digits &= digits - 1
        for base in range(0, 18, 9):
            for line in range(9):
                masks[line] = board.places[base + line][digit]
            for j in range(find_subsets(masks, size, found)):
                joint = union_of(masks, found[j])
                rest = 511 & ~found[j]
                while rest:
                    line = lowest_bit(rest)
                    rest &= rest - 1
                    if masks[line] & joint:
                        any |= board_remove_from(board, HOUSE[base + line] & lines_of(9 - base, joint), digit)
    return any


cdef inline cells_t lines_of(int base, unsigned int lines) noexcept nogil:
    """The cells of some rows or columns."""
    cdef cells_t cells = 0
    while lines:
        cells |= HOUSE[base + lowest_bit(lines)]
        lines &= lines - 1
    return cells


cdef bint remove_by_wings(Board* board, Pending* pending, int three) noexcept nogil:
    """Remove the candidates that XY-wings (``three``: XYZ-wings) exclude."""
    cdef cells_t two = 0, pivots = 0, near = 0, rest = board.empty, ones, others
    cdef int pivot, one, other, x, y, z
    cdef unsigned int digits, third
    cdef bint any = False
    while cells_any(rest):
        pivot = cells_first(rest)
        rest = cells_rest(rest)
        if set_size(board.cand[pivot]) == 2:
            two |= ONE[pivot]
            if cells_has(pending.wings[three], pivot):
                near |= PEERS[pivot]
        elif set_size(board.cand[pivot]) == 3 and three:
            pivots |= ONE[pivot]
    pivots = (pivots if three else two) & (near | pending.wings[three])
    pending.wings[three] = 0
    while cells_any(pivots):
        pivot = cells_first(pivots)
        pivots = cells_rest(pivots)
        digits = board.cand[pivot]
        if set_size(digits) != 2 + three:
            continue
        for third in range(3 if three else 1):  # the digit of an XYZ-wing's removals; x and y: the rest
            x = lowest_bit(digits)
            y = lowest_bit(digits & (digits - 1))
            z = lowest_bit(digits & (digits - 1) & ((digits & (digits - 1)) - 1)) if three else -1
            if third == 1:
                x, z = z, x
            elif third == 2:
                y, z = z, y
            ones = PEERS[pivot] & two & board.digit[x] & ~board.digit[y]
            if three:
                ones &= board.digit[z]
            while cells_any(ones):
                one = cells_first(ones)
                ones = cells_rest(ones)
                if not three:
                    if not board.cand[one] & ~(1 << x):
                        continue
                    z = lowest_bit(board.cand[one] & ~(1 << x))
                others = PEERS[pivot] & two & board.digit[y] & board.digit[z] & ~board.digit[x]
                while cells_any(others):
                    other = cells_first(others)
                    others = cells_rest(others)
                    rest = PEERS[one] & PEERS[other]
                    any |= board_remove_from(board, rest & PEERS[pivot] if three else rest, z)
    return any


cdef int fill_hidden(Board* board, int reached) noexcept nogil:
    """Fill the hidden singles of the lowest rating above ``reached``, or all; return their rating, or 0."""
    if reached < RATING_IN_LINE:
        if fill_last_cells(board):
            return RATING_OF_LAST_CELL
        if fill_hidden_singles(board, True):
            return RATING_IN_BOX
    return RATING_IN_LINE if fill_hidden_singles(board, False) else 0

cdef Rule[15] RULES = [
    Rule(DIRECT_POINTING, POINTING, fill_direct_pointing, 1),
    Rule(DIRECT_CLAIMING, CLAIMING, fill_direct_claiming, 1),
    Rule(DIRECT_HIDDEN_PAIR, HIDDEN_PAIR, fill_direct_subset, 2),
    Rule(NAKED_SINGLE, NO_TECHNIQUE, fill_naked_singles, 1),
    Rule(DIRECT_HIDDEN_TRIPLET, HIDDEN_TRIPLET, fill_direct_subset, 3),
    Rule(POINTING, NO_TECHNIQUE, remove_by_pointing, 1),
    Rule(CLAIMING, NO_TECHNIQUE, remove_by_claiming, 1),
    Rule(NAKED_PAIR, NO_TECHNIQUE, remove_naked_subsets, 2),
    Rule(X_WING, NO_TECHNIQUE, remove_fish, 2),
    Rule(HIDDEN_PAIR, NO_TECHNIQUE, remove_hidden_subsets, 2),
    Rule(NAKED_TRIPLET, NO_TECHNIQUE, remove_naked_subsets, 3),
    Rule(SWORDFISH, NO_TECHNIQUE, remove_fish, 3),
    Rule(HIDDEN_TRIPLET, NO_TECHNIQUE, remove_hidden_subsets, 3),
    Rule(XY_WING, NO_TECHNIQUE, remove_by_wings, 0),
    Rule(XYZ_WING, NO_TECHNIQUE, remove_by_wings, 1),
]


cdef int apply_lowest(Board* board, Pending* pending, int reached) noexcept nogil:
    """Apply the technique with the lowest rating from 1.7 to 4.4 that changes the board; return it, or NO_TECHNIQUE.

    ``reached`` is the highest rating so far: techniques up to it need not be told from each other.
    """
    cdef int k
    pending_collect(pending, board)
    for k in range(<int> (sizeof(RULES) // sizeof(Rule))):
        if ((not RULES[k].same or reached < rating_of(RULES[k].same))
                and RULES[k].apply(board, pending, RULES[k].size)):
            return RULES[k].technique
    return NO_TECHNIQUE


cdef void close_board(Board* board, Pending* pending, Progress* progress) noexcept nogil:
    """Apply the techniques up to 4.4 until nothing changes."""
    cdef int rating, technique
    while cells_any(board.empty):
        rating = fill_hidden(board, progress.er)
        if rating:
            note_step(progress, rating, HIDDEN_SINGLE, name_of_easy(HIDDEN_SINGLE, rating), True)
            continue
        technique = apply_lowest(board, pending, progress.er)
        if technique == NO_TECHNIQUE:
            return
        note_step(progress, rating_of(technique), technique, NAME[technique], technique <= DIRECT_HIDDEN_TRIPLET)
