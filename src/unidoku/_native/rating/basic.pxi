# Singles, locked candidates, subsets, fish and wings.

# Sets of k among nine masks whose union has exactly k bits: naked and hidden subsets, fish.

cdef inline int find_subsets(const uint16_t* masks, int size, uint16_t* found) noexcept nogil:
    """Write the sets of ``size`` (2 to 4) masks of 2 bits or more whose union has ``size`` bits; return their number.

    They come in ascending order as binary numbers; ``found`` has room for 126.
    """
    cdef int fit[9]
    cdef int count = 0, last = 0, i, j, k, m, bits
    cdef unsigned int two, three
    for i in range(9):
        bits = set_size(masks[i])
        if 2 <= bits <= size:
            fit[last] = i
            last += 1
    for m in range(size - 1, last):  # the highest member comes first: this gives the ascending order
        for k in range(size - 2, m):
            two = masks[fit[m]] | masks[fit[k]]
            if set_size(two) > size:
                continue
            if size == 2:
                found[count] = <uint16_t> (1 << fit[m] | 1 << fit[k])
                count += 1
                continue
            for j in range(size - 3, k):
                three = two | masks[fit[j]]
                if set_size(three) > size:
                    continue
                if size == 3:
                    found[count] = <uint16_t> (1 << fit[m] | 1 << fit[k] | 1 << fit[j])
                    count += 1
                    continue
                for i in range(j):
                    if set_size(three | masks[fit[i]]) == size:
                        found[count] = <uint16_t> (1 << fit[m] | 1 << fit[k] | 1 << fit[j] | 1 << fit[i])
                        count += 1
    return count


cdef inline unsigned int union_of(const uint16_t* masks, unsigned int members) noexcept nogil:
    """The union of some of the masks."""
    cdef unsigned int joint = 0
    while members:
        joint |= masks[lowest_bit(members)]
        members &= members - 1
    return joint


# Singles, and patterns that lead to a hidden single at once.

cdef inline void fills(Step* step, int technique, int cell, int digit, int house) noexcept nogil:
    """Set a step that fills a cell."""
    step_start(step, technique)
    step.cell = cell
    step.digit = digit
    step.house = house
    step.cells = ONE[cell]
    step.digits = 1 << digit


cdef bint find_hidden_single(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """The last cell of a house; otherwise a digit with one place in a box, a column or a row."""
    cdef uint8_t found[243]
    cdef int count = scan_single_places(board, found), k, house, digit, last
    for last in range(1, -1, -1):
        for k in range(count):
            house = found[k] // 9
            digit = found[k] % 9
            if not last or board.empties[house] == 1:
                fills(step, HIDDEN_SINGLE, CELL[house][lowest_bit(board.places[house][digit])], digit, house)
                step.rating = (RATING_OF_LAST_CELL if last else
                               RATING_IN_BOX if house >= BOXES else RATING_IN_LINE)
                step.kind = KIND_FULL_HOUSE if last else NO_KIND
                if ends_search(board, step):
                    return True
    return False


cdef bint find_naked_single(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """A cell with one candidate."""
    cdef cells_t rest = pending.singles & board.empty
    cdef int cell
    cdef unsigned int digits
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        digits = board.cand[cell]
        if digits and not digits & (digits - 1):
            fills(step, NAKED_SINGLE, cell, lowest_bit(digits), -1)
            if ends_search(board, step):
                return True
    pending.singles = 0
    return False


cdef inline bint single_beside(const Board* board, Step* step, int house, int other, int digit,
                               bint direct) noexcept nogil:
    """All places of the digit in ``house`` are in ``other``: find the consequences in parallel houses.

    ``direct``: a hidden single in one of them; otherwise removals. Pointing if ``house`` is a box, otherwise claiming.
    """
    cdef bint box = house >= BOXES
    cdef cells_t gone = HOUSE[other] & ~HOUSE[house] & board.digit[digit]
    cdef cells_t left
    cdef int first, third, cell
    if not cells_any(gone):
        return False
    if not direct:
        step_start(step, POINTING if box else CLAIMING)
        step.removed[digit] = gone
    else:
        first = house // 9 * 9
        for third in range(first, first + 9):
            if third != house and cells_any(HOUSE[third] & gone):
                left = HOUSE[third] & board.digit[digit] & ~HOUSE[other]
                if cells_any(left) and not cells_any(cells_rest(left)):
                    cell = cells_first(left)
                    fills(step, DIRECT_POINTING if box else DIRECT_CLAIMING, cell, digit, third)
                    break
        else:
            return False
    step.other = other
    step.house = house
    step.digits = 1 << digit
    step.cells = HOUSE[house] & board.digit[digit]
    return ends_search(board, step)


cdef bint find_intersection(const Board* board, Step* step, Pending* pending, int direct) noexcept nogil:
    """Pointing, then claiming; ``direct``: only if a hidden single follows at once."""
    cdef uint32_t digits = pending.intersections[direct]
    cdef unsigned int inside[3]  # the digits whose places are all in a third of the house
    cdef unsigned int places, third, left
    cdef int kind, i, k, house, other, digit
    for kind in range(4):  # (box, column), (box, row), (column, box), (row, box)
        for i in range(9):
            house = (BOXES if kind < 2 else COLUMNS if kind == 2 else ROWS) + i
            inside[0] = inside[1] = inside[2] = 0
            left = digits
            while left:
                digit = lowest_bit(left)
                left &= left - 1
                places = board.places[house][digit]
                third = THIRD[places] >> 3 if kind == 0 else THIRD[places] & 7
                if third and places & (places - 1):
                    inside[lowest_bit(third)] |= 1u << digit
            for k in range(3):
                other = (COLUMNS + i % 3 * 3 + k if kind == 0 else ROWS + i // 3 * 3 + k if kind == 1
                         else BOXES + 3 * k + i // 3 if kind == 2 else BOXES + i // 3 * 3 + k)
                while inside[k]:
                    digit = lowest_bit(inside[k])
                    inside[k] &= inside[k] - 1
                    if single_beside(board, step, house, other, digit, direct):
                        return True
    pending.intersections[direct] = 0
    return False


cdef bint find_direct_hidden_subset(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """A hidden subset that leaves one place for another digit of the same house."""
    cdef uint32_t houses = pending.direct[size]
    cdef uint16_t found[126]
    cdef int i, j, house, digit, cell
    cdef unsigned int joint, places
    for i in range(27):
        house = SCAN[i]
        if not houses >> house & 1 or board.empties[house] <= size:
            continue
        for j in range(find_subsets(board.places[house], size, found)):
            joint = union_of(board.places[house], found[j])
            for digit in range(9):
                places = board.places[house][digit] & ~joint
                if not found[j] >> digit & 1 and places and not places & (places - 1):
                    cell = CELL[house][lowest_bit(places)]
                    fills(step, DIRECT_HIDDEN_PAIR if size == 2 else DIRECT_HIDDEN_TRIPLET, cell, digit, house)
                    step.digits = found[j]
                    step.cells = house_cells(house, joint)
                    if ends_search(board, step):
                        return True
    pending.direct[size] = 0
    return False


cdef inline cells_t house_cells(int house, unsigned int places) noexcept nogil:
    """The cells at some places of a house."""
    cdef cells_t cells = 0
    while places:
        cells |= ONE[CELL[house][lowest_bit(places)]]
        places &= places - 1
    return cells


# Naked subsets, hidden subsets, fish.

cdef bint find_naked_subset(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """Cells of a house that have together as many candidates as they are."""
    cdef uint32_t houses = pending.naked[size]
    cdef uint16_t found[126]
    cdef uint16_t masks[9]
    cdef int i, j, house, place, digit
    cdef unsigned int joint
    cdef cells_t cells, others
    for i in range(27):
        house = SCAN[i]
        if not houses >> house & 1 or board.empties[house] < 2 * size:
            continue
        for place in range(9):
            masks[place] = board.cand[CELL[house][place]]
        for j in range(find_subsets(masks, size, found)):
            joint = union_of(masks, found[j])
            cells = house_cells(house, found[j])
            others = HOUSE[house] & ~cells
            step_start(step, NAKED_PAIR if size == 2 else NAKED_TRIPLET if size == 3 else NAKED_QUAD)
            for digit in range(9):
                if joint >> digit & 1:
                    step.removed[digit] = others & board.digit[digit]
            if step_removes(step):
                step.house = house
                step.cells = cells
                step.digits = joint
                if ends_search(board, step):
                    return True
    pending.naked[size] = 0
    return False


cdef bint find_hidden_subset(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """Digits that have together as many places in a house as they are."""
    cdef uint32_t houses = pending.hidden[size]
    cdef uint16_t found[126]
    cdef int i, j, house, digit
    cdef cells_t cells
    for i in range(27):
        house = SCAN[i]
        if not houses >> house & 1 or board.empties[house] <= 2 * size:
            continue
        for j in range(find_subsets(board.places[house], size, found)):
            cells = house_cells(house, union_of(board.places[house], found[j]))
            step_start(step, HIDDEN_PAIR if size == 2 else HIDDEN_TRIPLET if size == 3 else HIDDEN_QUAD)
            for digit in range(9):
                if not found[j] >> digit & 1:
                    step.removed[digit] = cells & board.digit[digit]
            if step_removes(step):
                step.house = house
                step.cells = cells
                step.digits = found[j]
                if ends_search(board, step):
                    return True
    pending.hidden[size] = 0
    return False


cdef bint find_fish(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """Lines in which a digit has together as many places across as they are; columns, then rows."""
    cdef uint32_t digits = pending.fish[size]
    cdef uint16_t found[9][127]
    cdef uint16_t masks[9]
    cdef int count[9]
    cdef int at[9]
    cdef int base, digit, line, best
    cdef cells_t lines, across
    cdef unsigned int joint
    for base in range(COLUMNS, -1, -9):
        for digit in range(9):
            for line in range(9):
                masks[line] = board.places[base + line][digit]
            count[digit] = find_subsets(masks, size, found[digit]) if digits >> digit & 1 else 0
            found[digit][count[digit]] = 512  # beyond all
            at[digit] = 0
        while True:  # sets of lines ascending, then digits
            best = 0
            for digit in range(1, 9):
                if found[digit][at[digit]] < found[best][at[best]]:
                    best = digit
            if found[best][at[best]] == 512:
                break
            joint = 0
            lines = 0
            for line in range(9):
                if found[best][at[best]] >> line & 1:
                    joint |= board.places[base + line][best]
                    lines |= HOUSE[base + line]
            at[best] += 1
            across = 0
            for line in range(9):
                if joint >> line & 1:
                    across |= HOUSE[9 - base + line]
            if cells_any(across & ~lines & board.digit[best]):
                step_start(step, X_WING if size == 2 else SWORDFISH if size == 3 else JELLYFISH)
                step.removed[best] = across & ~lines & board.digit[best]
                step.cells = lines & board.digit[best]
                step.digits = 1 << best
                step.house = base
                if ends_search(board, step):
                    return True
    pending.fish[size] = 0
    return False


# XY-wing and XYZ-wing.

cdef bint find_wing(const Board* board, Step* step, Pending* pending, int three) noexcept nogil:
    """A pivot of two (``three``: three) candidates and two cells of two that leave a digit no other way."""
    cdef cells_t cells = pending.wings[three]
    cdef uint8_t wing[20]
    cdef int pivot, i, j, one, two, digit, many
    cdef unsigned int digits, first, second
    cdef cells_t gone, pivots = cells, left = cells & board.empty
    while cells_any(left):
        if set_size(board.cand[cells_first(left)]) == 2:
            pivots |= PEERS[cells_first(left)]
        left = cells_rest(left)
    pivots &= board.empty
    while cells_any(pivots):
        pivot = cells_first(pivots)
        pivots = cells_rest(pivots)
        digits = board.cand[pivot]
        if set_size(digits) != 2 + three:
            continue
        many = 0
        for i in range(20):
            first = board.cand[PEER[pivot][i]]
            if set_size(first) == 2 and set_size(first & digits) == 1 + three:
                wing[many] = PEER[pivot][i]
                many += 1
        for i in range(many - 1):
            one = wing[i]
            first = board.cand[one]
            for j in range(i + 1, many):
                two = wing[j]
                second = board.cand[two]
                if (set_size(first & second) != 1
                        or (first | second) & digits != digits or set_size(first | second | digits) != 3
                        or (not three and first & second & digits)):
                    continue
                digit = lowest_bit(first & second)
                gone = PEERS[one] & PEERS[two] & board.digit[digit]
                gone &= PEERS[pivot] if three else ~ONE[pivot]
                if cells_any(gone):
                    step_start(step, XYZ_WING if three else XY_WING)
                    step.removed[digit] = gone
                    step.cells = ONE[pivot] | ONE[one] | ONE[two]
                    step.digits = 1 << digit
                    if ends_search(board, step):
                        return True
    pending.wings[three] = 0
    return False
