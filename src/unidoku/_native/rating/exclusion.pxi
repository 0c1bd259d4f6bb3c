# Aligned pair exclusion and aligned triplet exclusion.
#
# Base cells take no combination of digits that leaves an excluder, a cell that sees them all, without candidates.


cdef void prepare_exclusion(const Board* board, Exclusion* exclusion, int most) noexcept nogil:
    """Find the excluders, with 2 to ``most`` candidates, and the base cells."""
    cdef cells_t rest = board.empty
    cdef int cell
    exclusion.excluders = exclusion.bases = 0
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        if 2 <= set_size(board.cand[cell]) <= most:
            exclusion.excluders |= ONE[cell]
    rest = board.empty
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        exclusion.near[cell] = PEERS[cell] & exclusion.excluders
        if board.cand[cell] & (board.cand[cell] - 1) and several(exclusion.near[cell]):
            exclusion.bases |= ONE[cell]


cdef inline cells_t beside_changes(const Exclusion* exclusion, int cell, cells_t changed) noexcept nogil:
    """The cells that form a changed pair with a base cell, or a pair with a changed common excluder."""
    cdef cells_t near = exclusion.near[cell] & changed
    if cells_has(changed, cell):
        return exclusion.bases
    while cells_any(near):
        changed |= PEERS[cells_first(near)]
        near = cells_rest(near)
    return changed


cdef inline bint several(cells_t cells) noexcept nogil:
    """Whether there are two cells or more."""
    return cells_any(cells_rest(cells))


cdef inline cells_t see_several(cells_t cells) noexcept nogil:
    """The cells that see two or more of some cells."""
    cdef cells_t one = 0, two = 0, peers
    while cells_any(cells):
        peers = PEERS[cells_first(cells)]
        cells = cells_rest(cells)
        two |= one & peers
        one |= peers
    return two


cdef void exclude_common(const Board* board, Exclusion* exclusion, cells_t common) noexcept nogil:
    """Note which combinations the common excluders forbid."""
    cdef int cell, first, second, third
    cdef unsigned int digits
    cdef Forbidden* forbidden = &exclusion.forbidden
    memset(forbidden, 0, sizeof(Forbidden))
    while cells_any(common):
        cell = cells_first(common)
        common = cells_rest(common)
        digits = board.cand[cell]
        first = lowest_bit(digits)
        second = lowest_bit(digits & (digits - 1))
        if set_size(digits) == 2:
            forbidden.pairs[first] |= <uint16_t> (1 << second)
            forbidden.pairs[second] |= <uint16_t> (1 << first)
        else:
            digits &= digits - 1
            third = lowest_bit(digits & (digits - 1))
            forbidden.triplets[first][second] |= <uint16_t> (1 << third)
            forbidden.triplets[second][first] |= <uint16_t> (1 << third)
            forbidden.triplets[first][third] |= <uint16_t> (1 << second)
            forbidden.triplets[third][first] |= <uint16_t> (1 << second)
            forbidden.triplets[second][third] |= <uint16_t> (1 << first)
            forbidden.triplets[third][second] |= <uint16_t> (1 << first)


cdef inline void exclusion_step(const Board* board, Step* step, int cell, unsigned int kept) noexcept nogil:
    """The step removes the candidates of a base cell that are in no combination."""
    cdef unsigned int gone = board.cand[cell] & ~kept
    while gone:
        step.removed[lowest_bit(gone)] |= ONE[cell]
        gone &= gone - 1
    step.cells |= ONE[cell]


cdef bint find_aligned_pair(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """The first two base cells that lose a candidate; pairs where nothing changed are not looked at."""
    cdef cells_t changed = pending.pairs
    cdef Exclusion exclusion
    cdef uint16_t out[81][9]
    cdef int one, two
    cdef cells_t ones, twos, common
    if not cells_any(changed):
        return False
    prepare_exclusion(board, &exclusion, 2)
    twos = exclusion.bases
    while cells_any(twos):
        two = cells_first(twos)
        twos = cells_rest(twos)
        digits_out(board, exclusion.near[two], out[two])
        ones = beside_changes(&exclusion, two, changed) & exclusion.bases & (ONE[two] - 1)
        ones &= see_several(exclusion.near[two])
        while cells_any(ones):
            one = cells_first(ones)
            ones = cells_rest(ones)
            common = exclusion.near[one] & exclusion.near[two]
            if may_exclude(board, one, two, out[one]) or may_exclude(board, two, one, out[two]):
                exclude_common(board, &exclusion, common)
                if exclude_pair(board, &exclusion, one, two, step):
                    return True
    pending.pairs = 0
    return False


cdef inline void digits_out(const Board* board, cells_t near, uint16_t* out) noexcept nogil:
    """Write for each digit itself and the digits that with it are all candidates of a cell of ``near``."""
    cdef int digit
    cdef unsigned int digits
    for digit in range(9):
        out[digit] = <uint16_t> (1 << digit)
    while cells_any(near):
        digits = board.cand[cells_first(near)]
        near = cells_rest(near)
        out[lowest_bit(digits)] |= <uint16_t> digits
        out[lowest_bit(digits & (digits - 1))] |= <uint16_t> digits


cdef inline bint may_exclude(const Board* board, int one, int two, const uint16_t* out) noexcept nogil:
    """Whether the excluders of a cell, if the other cell sees them all, exclude one of its candidates."""
    cdef unsigned int digits = board.cand[one]
    while digits:
        if not board.cand[two] & ~out[lowest_bit(digits)]:
            return True
        digits &= digits - 1
    return False


cdef bint exclude_pair(const Board* board, const Exclusion* exclusion, int one, int two, Step* step) noexcept nogil:
    """Try all combinations of two base cells; whether a candidate is in none."""
    cdef unsigned int first = 0, second = 0, digits = board.cand[one], allowed
    cdef bint see = cells_has(PEERS[one], two)
    cdef int x
    while digits:
        x = lowest_bit(digits)
        digits &= digits - 1
        allowed = board.cand[two] & ~exclusion.forbidden.pairs[x] & ~(<unsigned int> see << x)
        if allowed:
            first |= 1 << x
            second |= allowed
    if first == board.cand[one] and second == board.cand[two]:
        return False
    step_start(step, ALIGNED_PAIR_EXCLUSION)
    exclusion_step(board, step, one, first)
    exclusion_step(board, step, two, second)
    return ends_search(board, step)


cdef bint find_aligned_triplet(const Board* board, Step* step, Pending* pending, int size) noexcept nogil:
    """The first three base cells that lose a candidate; triplets where nothing changed are not looked at."""
    cdef cells_t changed = pending.triplets
    cdef Exclusion exclusion
    cdef int one, two
    cdef cells_t ones, twos, thirds
    cdef cells_t beside[81]
    cdef cells_t seen[81]  # for a base cell, the base cells that see several of its excluders
    if not cells_any(changed):
        return False
    prepare_exclusion(board, &exclusion, 3)
    twos = exclusion.bases
    while cells_any(twos):
        two = cells_first(twos)
        twos = cells_rest(twos)
        beside[two] = beside_changes(&exclusion, two, changed)
        seen[two] = see_several(exclusion.near[two]) & exclusion.bases
        ones = seen[two] & (ONE[two] - 1)
        if not third_changed(&exclusion, two, changed):
            ones &= beside[two]
        while cells_any(ones):
            one = cells_first(ones)
            ones = cells_rest(ones)
            thirds = (exclusion.near[one] | exclusion.near[two]) & seen[one] & seen[two] & ~ONE[one] & ~ONE[two]
            thirds &= ~thirds_before(&exclusion, two, one) & ~thirds_before(&exclusion, one, two)
            if not cells_any((ONE[one] | ONE[two]) & changed):
                thirds &= beside[one] & beside[two]
            if cells_any(thirds):
                thirds &= see_several(exclusion.near[one] & exclusion.near[two])
            if cells_any(thirds) and find_third(board, &exclusion, one, two, thirds, step):
                return True
    pending.triplets = 0
    return False


cdef inline cells_t thirds_before(const Exclusion* exclusion, int third, int other) noexcept nogil:
    """The cells that were looked at as a pair with ``other``, with this cell as the third.

    A triplet comes up for each of its pairs whose third cell is an excluder, pairs in the order of their later cell.
    """
    cdef cells_t before = ONE[third] - 1
    if not cells_has(exclusion.excluders, third):
        before = 0
    elif not cells_has(PEERS[third], other):
        before &= PEERS[third]
    return before


cdef inline bint third_changed(const Exclusion* exclusion, int cell, cells_t changed) noexcept nogil:
    """Whether a cell that has changed can be the third with a base cell."""
    changed &= exclusion.excluders & exclusion.bases
    while cells_any(changed):
        if several(exclusion.near[cell] & exclusion.near[cells_first(changed)]):
            return True
        changed = cells_rest(changed)
    return False


cdef bint find_third(const Board* board, Exclusion* exclusion, int one, int two, cells_t thirds,
                     Step* step) noexcept nogil:
    """The first third cell for two base cells: the first's peers in order, then the second's."""
    cdef Hopes hopes
    cdef int k, third
    cdef cells_t some
    cdef cells_t pair = exclusion.near[one] & exclusion.near[two]
    if several(cells_rest(thirds)):
        exclude_common(board, exclusion, pair)
        hope_for_thirds(&exclusion.forbidden, board.cand[one], board.cand[two], cells_has(PEERS[one], two), &hopes)
        thirds = hopeful_thirds(board, &hopes, thirds)
    for k in range(6):
        some = thirds & HOUSE[HOUSES[one][k] if k < 3 else HOUSES[two][k - 3]]
        thirds &= ~some
        while cells_any(some):
            third = cells_first(some)
            some = cells_rest(some)
            exclude_common(board, exclusion, pair & PEERS[third])
            if exclude_triplet(board, exclusion, one, two, third, step):
                return True
    return False


cdef inline cells_t hopeful_thirds(const Board* board, const Hopes* hopes, cells_t thirds) noexcept nogil:
    """Those of the cells that may exclude something."""
    cdef cells_t rest = thirds
    cdef int cell, k
    cdef unsigned int digits
    while cells_any(rest):
        cell = cells_first(rest)
        rest = cells_rest(rest)
        digits = board.cand[cell]
        if digits & hopes.meets:
            continue
        for k in range(hopes.count):
            if not digits & ~hopes.within[k]:
                break
        else:
            thirds &= ~ONE[cell]
    return thirds


cdef bint exclude_triplet(const Board* board, const Exclusion* exclusion, int one, int two, int third,
                          Step* step) noexcept nogil:
    """Try all combinations of three base cells; whether a candidate is in none."""
    cdef unsigned int cells[3]
    cdef unsigned int see[3]
    cdef unsigned int kept[3]
    cells[0], cells[1], cells[2] = board.cand[one], board.cand[two], board.cand[third]
    see[0] = cells_has(PEERS[one], two)
    see[1] = cells_has(PEERS[one], third)
    see[2] = cells_has(PEERS[two], third)
    combine(&exclusion.forbidden, cells, see, kept)
    if kept[0] == cells[0] and kept[1] == cells[1] and kept[2] == cells[2]:
        return False
    step_start(step, ALIGNED_TRIPLET_EXCLUSION)
    exclusion_step(board, step, one, kept[0])
    exclusion_step(board, step, two, kept[1])
    exclusion_step(board, step, third, kept[2])
    return ends_search(board, step)
