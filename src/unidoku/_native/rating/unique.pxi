# Unique rectangles, unique loops and BUGs: patterns that a puzzle with one solution cannot have.
#
# Unique rectangles and loops, types 1 to 4.
#
# A loop is a closed path of cells that hold the same two digits; consecutive cells share a house.  The search
# allows few other candidates, and also counts candidates of cells that it tried before on the same path: some loops
# are missed.  This is part of the scale.


cdef bint find_unique_loop(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """The hint of a unique rectangle or loop with the least rating, then type, then the first."""
    cdef Loops loops
    cdef int start, one, two
    cdef cells_t both, starts = 0
    cdef cells_t kept[9][9]
    cdef cells_t searched[9][9]
    cdef unsigned int offered[9]
    cdef cells_t bivalue = cells_with(board, 2)
    cdef cells_t three = cells_with(board, 3)
    cdef cells_t some
    loops.board = board
    loops.best = step
    loops.best_kind = NO_KIND
    loops.in_path = 0
    loops.count = 0
    memset(offered, 0, sizeof(offered))
    for one in range(8):
        for two in range(one + 1, 9):
            both = board.digit[one] & board.digit[two]
            if cells_any(both & bivalue) and not cells_any(pending.no_loop[one][two]):
                kept[one][two] = loop_cells(both)
                starts |= kept[one][two] & bivalue
                searched[one][two] = both
            else:
                searched[one][two] = 0
    while cells_any(starts):
        start = cells_first(starts)
        starts = cells_rest(starts)
        loops.pair = board.cand[start]
        one = lowest_bit(loops.pair)
        two = lowest_bit(loops.pair & (loops.pair - 1))
        loops.both = board.digit[one] & board.digit[two]
        loops.bare = loops.both & bivalue
        loops.looked_at = 0
        loops.offered = False
        some = loop_cells_with(&loops, start, kept[one][two], three)
        if cells_any(some & ~loops.bare):  # without other candidates there is no hint
            extend_loop(&loops, 0, start, -1, 2, 0, 0, 0, some, some)
        if loops.few:  # all loops through this cell are known
            kept[one][two] = loop_cells(kept[one][two] & ~ONE[start])
        searched[one][two] |= loops.looked_at
        offered[one] |= <unsigned int> loops.offered << two
    for one in range(8):
        for two in range(one + 1, 9):
            if not offered[one] >> two & 1:
                pending.no_loop[one][two] |= searched[one][two]
    return loops.best_kind != NO_KIND


cdef inline cells_t cells_with(const Board* board, int count) noexcept nogil:
    """The cells with two or three candidates."""
    cdef cells_t once = 0, twice = 0, thrice = 0, more = 0
    cdef int digit
    for digit in range(9):
        more |= thrice & board.digit[digit]
        thrice |= twice & board.digit[digit]
        twice |= once & board.digit[digit]
        once |= board.digit[digit]
    return thrice & ~more if count == 3 else twice & ~thrice


cdef cells_t loop_cells(cells_t kept) noexcept nogil:
    """The cells that have another one in each of their houses, repeated until none is left out."""
    cdef cells_t rest, last = 0
    cdef int cell
    while kept != last:
        last = kept
        rest = kept
        while cells_any(rest):
            cell = cells_first(rest)
            rest = cells_rest(rest)
            if not (cells_any(kept & HOUSE[HOUSES[cell][0]] & ~ONE[cell])
                    and cells_any(kept & HOUSE[HOUSES[cell][1]] & ~ONE[cell])
                    and cells_any(kept & HOUSE[HOUSES[cell][2]] & ~ONE[cell])):
                kept &= ~ONE[cell]
    return kept


cdef cells_t loop_cells_with(Loops* loops, int start, cells_t kept, cells_t three) noexcept nogil:
    """Those of the cells ``kept`` that may be in a loop with the start; ``three``: cells with three candidates.

    In a loop at most two cells have other candidates than the pair (set ``few`` if this is so for all), or all have
    the same other candidate. Then there is a hint only if a cell that sees them all can lose it.
    """
    cdef const Board* board = loops.board
    cdef cells_t bare = kept & loops.bare, found = 0, some, same, losers, across, along
    cdef unsigned int digits = ALL_DIGITS & ~loops.pair
    cdef int corner, other, digit
    loops.few = True
    if not cells_has(kept, start):
        return found
    while digits:
        digit = lowest_bit(digits)
        digits &= digits - 1
        same = kept & three & board.digit[digit]
        if cells_count(same) < 3:
            continue
        some = loop_cells(bare | same)
        same = some & ~bare
        if not cells_has(some, start) or cells_count(same) < 3:
            continue
        losers = board.digit[digit]
        while cells_any(losers):
            some = same & PEERS[cells_first(losers)]
            losers = cells_rest(losers)
            if cells_count(some) < 3:
                continue
            some = loop_cells(bare | some)
            if cells_has(some, start) and cells_count(some & ~bare) > 2:
                found |= some
                loops.few = False
    if cells_count(bare) > 3:
        return kept
    # at most two other candidates: a rectangle
    along = kept & HOUSE[HOUSES[start][1]] & ~ONE[start]
    while cells_any(along):
        other = cells_first(along)
        along = cells_rest(along)
        across = kept & HOUSE[HOUSES[start][2]] & ~ONE[start]
        while cells_any(across):
            corner = cells_first(across)
            across = cells_rest(across)
            some = ONE[other] | ONE[corner] | ONE[9 * row_of(corner) + column_of(other)]
            if some & kept == some and cells_any(some & bare):
                found |= some | ONE[start]
    return found


cdef inline cells_t common_cells(unsigned int houses, cells_t cells, cells_t bare) noexcept nogil:
    """The cells that are in each of these houses that has none of the cells ``bare``; all 128 bits if each has one."""
    cdef cells_t common = ~<cells_t> 0
    cdef cells_t inside
    while houses:
        inside = HOUSE[lowest_bit(houses)] & cells
        if not cells_any(inside & bare):
            common &= inside
            if not cells_any(common):
                break
        houses &= houses - 1
    return common


cdef inline bint can_close(unsigned int one, cells_t free_one, unsigned int two, cells_t free_two, cells_t bare,
                           int most) noexcept nogil:
    """Whether houses that still need a cell of one or of the other parity can get it from the cells free for it.

    At most ``most`` of the cells that follow may have other candidates, that is, not be among ``bare``.
    """
    cdef cells_t everywhere = ~<cells_t> 0
    if most > 1:
        return cells_any(common_cells(one, free_one, everywhere)) and cells_any(
            common_cells(two, free_two, everywhere))
    cdef cells_t first = common_cells(one, free_one, bare)
    cdef cells_t second = common_cells(two, free_two, bare)
    if most == 0:
        return first == everywhere and second == everywhere
    return cells_any(first) and cells_any(second) and (first == everywhere or second == everywhere)


cdef void extend_loop(Loops* loops, int length, int cell, int entered, int allowance, unsigned int extra,
                      unsigned int own, unsigned int others, cells_t free_own, cells_t free_others) noexcept nogil:
    """Add a cell to the path and go on from it.

    ``entered``: which of its houses led here; ``extra``: other candidates seen; ``own``, ``others``: houses of the
    path's cells of the cell's parity and of the other one; ``free_own``, ``free_others``: cells that can still follow
    with that parity.  A house with a cell of one parity must get one of the other; once there are two other
    candidates, the allowance says how many cells may have some.
    """
    cdef const Board* board = loops.board
    cdef int k, after, count
    cdef cells_t next_cells, wanted = loops.both
    own |= HOUSES_MASK[cell]
    free_own &= ~(PEERS[cell] | ONE[cell])
    free_others &= ~ONE[cell]
    if not can_close(own & ~others, free_others, others & ~own, free_own, loops.bare,
                     allowance if loops.few or set_size(extra) > 1 else 2):
        return
    loops.path[length] = cell
    length += 1
    loops.in_path |= ONE[cell]
    if loops.few or set_size(extra) > 1:  # further cells change nothing
        wanted = (free_others if allowance > 0 else free_others & loops.bare) | ONE[loops.path[0]]
    for k in range(3):
        if k == entered:
            continue
        next_cells = wanted & HOUSE[HOUSES[cell][k]]
        while cells_any(next_cells):
            after = cells_first(next_cells)
            next_cells = cells_rest(next_cells)
            if cells_has(loops.in_path, after):
                if after == loops.path[0] and length >= 4 and own == others:
                    judge_loop(loops, length)
                continue
            extra |= board.cand[after] & ~loops.pair
            count = set_size(board.cand[after])
            if cells_has(free_others, after) and (loops.few or count == 2 or set_size(extra) == 1
                                                  or allowance > 0):
                extend_loop(loops, length, after, k, allowance - (count > 2), extra, others, own, free_others, free_own)
    loops.in_path &= ~ONE[cell]


cdef void judge_loop(Loops* loops, int length) noexcept nogil:
    """Look for the hints of a valid loop; they depend on its cells only, and the first counts."""
    cdef const Board* board = loops.board
    cdef int more[LONGEST_LOOP]
    cdef int count = 0, i, digit
    cdef unsigned int extra = 0
    cdef cells_t gone
    cdef Step step
    for i in range(length):
        loops.looked_at |= PEERS[loops.path[i]]
    for i in range(loops.count):
        if loops.known[i] == loops.in_path:
            return
    if loops.count < KNOWN_LOOPS:
        loops.known[loops.count] = loops.in_path
        loops.count += 1
    for i in range(length):
        if board.cand[loops.path[i]] != loops.pair:
            more[count] = loops.path[i]
            count += 1
            extra |= board.cand[loops.path[i]] & ~loops.pair
    if count == 0:
        return
    step_start(&step, UNIQUE_RECTANGLE if length == 4 else UNIQUE_LOOP)
    if length > 6:
        step.rating = rating_of(UNIQUE_LOOP) + (1 if length == 8 else 4)
    step.digits = loops.pair
    for i in range(length):
        step.cells |= ONE[loops.path[i]]
    if count == 1:
        for digit in range(9):
            if loops.pair >> digit & 1:
                step.removed[digit] = ONE[more[0]]
        offer(loops, &step, KIND_TYPE_1)
        return
    if count > 2 or set_size(extra) == 1:
        gone = PEERS[more[0]]
        for i in range(1, count):
            gone &= PEERS[more[i]]
        digit = lowest_bit(extra)
        step.removed[digit] = gone & board.digit[digit]
        if step_removes(&step):
            offer(loops, &step, KIND_TYPE_2)
            step.removed[digit] = 0
    else:
        loop_with_subset(loops, &step, more[0], more[1], extra)
    if count == 2 and loop_with_link(loops, &step, more[0], more[1]):
        offer(loops, &step, KIND_TYPE_4)


cdef inline void offer(Loops* loops, Step* step, int kind) noexcept nogil:
    """Keep a hint if it comes before the best one."""
    loops.offered = True
    step.kind = kind
    if not ends_search(loops.board, step):
        return
    if loops.best_kind == NO_KIND or step.rating < loops.best.rating or (
            step.rating == loops.best.rating and kind < loops.best_kind):
        loops.best[0] = step[0]
        loops.best_kind = kind


cdef bint loop_with_link(Loops* loops, Step* step, int one, int two) noexcept nogil:
    """Type 4: a digit of the pair has no other place in a house of both cells: remove the other digit."""
    cdef const Board* board = loops.board
    cdef int first = lowest_bit(loops.pair), second = lowest_bit(loops.pair & (loops.pair - 1)), k, house
    cdef cells_t both = ONE[one] | ONE[two]
    cdef bint first_locked = False, second_locked = False
    cdef int first_house = -1, second_house = -1
    for k in range(3):
        house = HOUSES[one][k]
        if cells_has(HOUSE[house], two):
            if (board.digit[first] & HOUSE[house]) == both:
                first_locked = True
                first_house = house
            if (board.digit[second] & HOUSE[house]) == both:
                second_locked = True
                second_house = house
    if first_locked:
        step.removed[second] = both
        step.house = first_house
    elif second_locked:
        step.removed[first] = both
        step.house = second_house
    return first_locked or second_locked


cdef void loop_with_subset(Loops* loops, Step* step, int one, int two, unsigned int extra) noexcept nogil:
    """Type 3: subsets of a house of both cells, with the two cells as one cell that has the extra digits."""
    cdef const Board* board = loops.board
    cdef int size, k, house
    cdef int base = step.rating
    cdef unsigned int pair
    for size in range(set_size(extra), 5):
        for k in range(3):
            house = HOUSES[one][k]
            if not cells_has(HOUSE[house], two):
                continue
            pair = 1 << PLACE[one][k] | 1 << place_in_house(two, house)
            if 2 * size <= board.empties[house]:
                if loop_naked_subset(loops, step, house, size, one, two, extra, pair):
                    step.rating = base + size - 1
                    offer(loops, step, KIND_TYPE_3)
            if 2 * size < board.empties[house]:
                if loop_hidden_subset(loops, step, house, size, extra, pair):
                    step.rating = base + size - 2
                    offer(loops, step, KIND_TYPE_3)
    memset(step.removed, 0, sizeof(step.removed))
    step.rating = base
    step.others = 0


cdef inline int place_in_house(int cell, int house) noexcept nogil:
    """The place of a cell in one of its houses."""
    return PLACE[cell][0 if house >= BOXES else 1 if house < COLUMNS else 2]


cdef bint loop_naked_subset(Loops* loops, Step* step, int house, int size, int one, int two, unsigned int extra,
                            unsigned int pair) noexcept nogil:
    """``size - 1`` cells of the house that have with the extra digits ``size`` candidates; ``pair``: the two cells."""
    cdef const Board* board = loops.board
    cdef unsigned int members, digits, chosen, rest
    cdef unsigned int certain = extra & board.cand[one] & board.cand[two]
    cdef unsigned int place[9]
    cdef unsigned int cand[9]
    cdef int digit, i, count = 0
    for i in range(9):
        digits = board.cand[CELL[house][i]]
        if not pair >> i & 1 and set_size(digits) >= 2 and set_size(digits | extra) <= size:
            place[count] = 1 << i
            cand[count] = digits
            count += 1
    chosen = (1 << (size - 1)) - 1
    while chosen < <unsigned int> 1 << count:
        digits = 0
        members = pair
        for i in range(count):
            if chosen >> i & 1:
                digits |= cand[i]
                members |= place[i]
        if set_size(digits | certain) == size and set_size(digits | extra) == size:
            digits |= extra
            for digit in range(9):
                rest = board.places[house][digit] & ~members
                step.removed[digit] = house_cells(house, rest if digits >> digit & 1 else 0)
            if step_removes(step):
                step.house = house
                step.others = house_cells(house, members & ~pair)
                return True
        chosen = next_subset_mask(chosen)
    return False


cdef bint loop_hidden_subset(Loops* loops, Step* step, int house, int size, unsigned int extra,
                             unsigned int pair) noexcept nogil:
    """The loop's digits and ``size - 2`` other digits that have ``size - 1`` places in addition to the two cells
    ``pair``."""
    cdef const Board* board = loops.board
    cdef unsigned int free = ALL_DIGITS & ~(loops.pair | extra), chosen, digits, joint, places
    cdef unsigned int common = 0
    cdef unsigned int bit[9]
    cdef unsigned int place[9]
    cdef int digit, i, count = 0
    for digit in range(9):
        places = board.places[house][digit] & ~pair
        if loops.pair >> digit & 1:
            common |= places
        elif free >> digit & 1 and places:
            bit[count] = 1 << digit
            place[count] = places
            count += 1
    if set_size(common) > size - 1:
        return False
    chosen = (1 << (size - 2)) - 1
    while chosen < <unsigned int> 1 << count:
        digits = loops.pair
        joint = common
        for i in range(count):
            if chosen >> i & 1:
                digits |= bit[i]
                joint |= place[i]
        if set_size(joint) == size - 1:
            for digit in range(9):
                places = board.places[house][digit] & joint
                step.removed[digit] = house_cells(house, 0 if digits >> digit & 1 else places)
            if step_removes(step):
                step.house = house
                step.others = house_cells(house, joint)
                return True
        if not chosen:
            break
        chosen = next_subset_mask(chosen)
    return False


cdef inline unsigned int next_subset_mask(unsigned int mask) noexcept nogil:
    """The next larger number with as many bits."""
    cdef unsigned int low = mask & (~mask + 1)
    cdef unsigned int ripple = mask + low
    return ripple | ((mask ^ ripple) >> 2) // low


# BUG, types 1 to 4: without a few candidates every cell and every digit of a house has two ways.


cdef bint find_bug(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """The hint of a BUG, if the board is one."""
    cdef Bug bug
    cdef bint found
    cdef int k
    cdef cells_t more = board.empty & ~cells_with(board, 2), common = board.empty | ~board.empty
    while cells_any(more):
        common &= PEERS[cells_first(more)]
        if not cells_any(common):  # no cell sees all BUG cells, which are those with three candidates or more
            return False
        more = cells_rest(more)
    if not is_bug(board, &bug):
        return False
    step_start(step, BUG)
    step.rating += bug.count > 1
    step.digits = bug.digits
    for k in range(bug.count):
        step.cells |= ONE[bug.cells[k]]
    if bug.count == 1:
        keep_only(board, step, bug.cells[0], bug.own[bug.cells[0]])
        step.kind = KIND_TYPE_1
        found = step_removes(step)
    elif set_size(bug.digits) == 1:
        step.removed[lowest_bit(bug.digits)] = bug.common & board.digit[lowest_bit(bug.digits)]
        step.kind = KIND_TYPE_2
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
            if not places or set_size(places) == 2:
                continue
            count = 0
            with_more = -1
            while places:
                cell = CELL[house][lowest_bit(places)]
                places &= places - 1
                if set_size(board.cand[cell]) > 2:
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
            if bug.count > 1 and set_size(bug.digits) > 1 and not cells_any(bug.common):
                return False
    if not bug.count:
        return False
    rest = board.empty
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        if set_size(board.cand[cell] & ~bug.own[cell]) != 2:
            return False
    for house in range(27):
        for digit in range(9):
            left = 0
            places = board.places[house][digit]
            while places:
                place = lowest_bit(places)
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
    if set_size(common) != 1:
        return False
    memset(step.removed, 0, sizeof(step.removed))
    keep_only(board, step, one, bug.own[one] | common)
    keep_only(board, step, two, bug.own[two] | common)
    step.kind = KIND_TYPE_4
    return step_removes(step)


cdef bint bug_with_subset(const Board* board, const Bug* bug, Step* step) noexcept nogil:
    """Type 3: the BUG cells are one cell with the BUG digits in a naked subset of their house."""
    cdef int k, i
    cdef unsigned int shared = ALL_HOUSES
    for i in range(bug.count):
        shared &= HOUSES_MASK[bug.cells[i]]
    for k in range(3):
        if shared >> HOUSES[bug.cells[0]][k] & 1 and bug_subset_in(board, bug, step, HOUSES[bug.cells[0]][k]):
            return True
    return False


cdef bint bug_subset_in(const Board* board, const Bug* bug, Step* step, int house) noexcept nogil:
    """Type 3 in a house of all BUG cells."""
    cdef int i, cell, size, count = 0
    cdef int cells[20]
    cdef unsigned int chosen, digits
    cdef cells_t members
    cdef bint fits
    for i in range(20):
        cell = PEER[bug.cells[0]][i]
        if cells_has(HOUSE[house] & bug.common, cell):
            cells[count] = cell
            count += 1
    for size in range(2, min(count, 6) + 1):
        chosen = (1 << (size - 1)) - 1
        while chosen < <unsigned int> 1 << count:
            digits = 0
            members = step.cells
            fits = True
            for i in range(count):
                if chosen >> i & 1:
                    digits |= board.cand[cells[i]]
                    members |= ONE[cells[i]]
                    fits = fits and set_size(board.cand[cells[i]]) > 1
            if fits and set_size(digits) == size and not bug.digits & ~digits:
                remove_beside(board, step, house, members, digits)
                if step_removes(step):
                    step.rating = rating_of(BUG) + size
                    step.house = house
                    step.others = members & ~step.cells
                    step.kind = KIND_TYPE_3
                    return True
            chosen = next_subset_mask(chosen)
    return False


cdef inline void remove_beside(const Board* board, Step* step, int house, cells_t members,
                               unsigned int digits) noexcept nogil:
    """The step removes digits from all other cells of a house."""
    cdef int digit
    for digit in range(9):
        step.removed[digit] = 0
        if digits >> digit & 1:
            step.removed[digit] = HOUSE[house] & board.digit[digit] & ~members
