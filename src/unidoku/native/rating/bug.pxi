# Technique 19: BUG, types 1 to 4: without a few candidates every cell and every digit of a house has two ways.

cdef struct Bug:
    int count             # BUG cells
    int cells[81]         # in the order in which they are found
    unsigned int own[81]  # the BUG digits of a cell
    unsigned int digits   # all BUG digits
    cells_t common        # the cells that see all BUG cells


cdef bint find_bug(const Board* board, Step* step) noexcept nogil:
    """The hint of a BUG, if the board is one."""
    cdef Bug bug
    cdef bint found
    cdef int k
    if not is_bug(board, &bug):
        return False
    step_start(step, BUG, 56 if bug.count == 1 else 57)
    step.digits = bug.digits
    for k in range(bug.count):
        step.cells |= ONE[bug.cells[k]]
    if bug.count == 1:
        keep_only(board, step, bug.cells[0], bug.own[bug.cells[0]])
        step.kind = 1
        found = step_removes(step)
    elif digits_count(bug.digits) == 1:
        step.removed[digits_first(bug.digits)] = bug.common & board.digit[digits_first(bug.digits)]
        step.kind = 2
        found = step_removes(step) or bug_with_link(board, &bug, step)
    else:
        found = cells_any(bug.common) and (bug_with_link(board, &bug, step) or bug_with_subset(board, &bug, step))
    return found and ends_search(board, step)


cdef bint is_bug(const Board* board, Bug* bug) noexcept nogil:
    """Whether the board without some digits of some cells has two candidates a cell and two places a digit."""
    cdef int i, house, digit, place, cell, count, with_more, left
    cdef unsigned int places
    cdef cells_t rest
    memset(bug, 0, sizeof(Bug))
    for i in range(27):
        house = BOXES + i if i < 9 else i - 9  # boxes, rows, columns
        for digit in range(9):
            places = board.places[house][digit]
            if not places or digits_count(places) == 2:
                continue
            count = 0
            with_more = -1
            while places:
                cell = CELL[house][digits_first(places)]
                places &= places - 1
                if digits_count(board.cand[cell]) > 2:
                    count += 1
                    with_more = cell
            if count == 0:
                return False
            if count > 1:
                continue
            if not bug.own[with_more]:
                bug.common = (bug.common if bug.count else board.empty | ~board.empty) & PEERS[with_more]
                bug.cells[bug.count] = with_more
                bug.count += 1
            bug.own[with_more] |= 1 << digit
            bug.digits |= 1 << digit
            if bug.count > 1 and digits_count(bug.digits) > 1 and not cells_any(bug.common):
                return False
    if not bug.count:
        return False
    rest = board.empty
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        if digits_count(board.cand[cell] & ~bug.own[cell]) != 2:
            return False
    for house in range(27):
        for digit in range(9):
            left = 0
            places = board.places[house][digit]
            while places:
                place = digits_first(places)
                left += not bug.own[CELL[house][place]] >> digit & 1
                places &= places - 1
            if left != 0 and left != 2:
                return False
    return True


cdef inline void keep_only(const Board* board, Step* step, int cell, unsigned int digits) noexcept nogil:
    """The step removes all other candidates of a cell."""
    cdef int digit
    for digit in range(9):
        if board.cand[cell] & ~digits & 1 << digit:
            step.removed[digit] |= ONE[cell]


cdef bint bug_with_link(const Board* board, const Bug* bug, Step* step) noexcept nogil:
    """Type 4: two cells of a house with one common digit: they keep it and their BUG digits."""
    cdef int one = bug.cells[0], two = bug.cells[1]
    cdef unsigned int common
    if bug.count != 2 or not HOUSES_MASK[one] & HOUSES_MASK[two]:
        return False
    common = board.cand[one] & board.cand[two] & ~bug.digits
    if digits_count(common) != 1:
        return False
    memset(step.removed, 0, sizeof(step.removed))
    keep_only(board, step, one, bug.own[one] | common)
    keep_only(board, step, two, bug.own[two] | common)
    step.kind = 4
    return step_removes(step)


cdef bint bug_with_subset(const Board* board, const Bug* bug, Step* step) noexcept nogil:
    """Type 3: the BUG cells are one cell with the BUG digits in a naked subset of their house."""
    cdef int k, i, house, size, count, digit
    cdef int cells[20]
    cdef unsigned int shared = 0x7FFFFFF, chosen, digits
    cdef cells_t members
    cdef bint fits
    for i in range(bug.count):
        shared &= HOUSES_MASK[bug.cells[i]]
    for k in range(3):
        house = HOUSES[bug.cells[0]][k]
        if not shared >> house & 1:
            continue
        count = 0
        for i in range(20):
            if cells_has(HOUSE[house] & bug.common, PEER[bug.cells[0]][i]):
                cells[count] = PEER[bug.cells[0]][i]
                count += 1
        for size in range(2, min(count, 6) + 1):
            chosen = (1 << (size - 1)) - 1
            while chosen < <unsigned int> 1 << count:
                digits = 0
                members = 0
                fits = True
                for i in range(count):
                    if chosen >> i & 1:
                        digits |= board.cand[cells[i]]
                        members |= ONE[cells[i]]
                        fits = fits and digits_count(board.cand[cells[i]]) > 1
                if fits and digits_count(digits) == size and not bug.digits & ~digits:
                    for i in range(bug.count):
                        members |= ONE[bug.cells[i]]
                    for digit in range(9):
                        step.removed[digit] = 0
                        if digits >> digit & 1:
                            step.removed[digit] = HOUSE[house] & board.digit[digit] & ~members
                    if step_removes(step):
                        step.rating = 57 + size - 1
                        step.sum = step.rating / 10.0
                        step.house = house
                        step.others = members & ~step.cells
                        step.kind = 3
                        return True
                chosen = next_subset_mask(chosen)
    return False
