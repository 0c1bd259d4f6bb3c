# Short patterns that players know by name and the scale does not: it rates them as chains, up to 7.4.
#
# Of one digit in two houses: skyscraper, two-string kite, turbot fish, empty rectangle, finned and sashimi X-wing.
# Of two digits: W-wing and hidden rectangle. A difficulty needs only to know whether they are enough for a puzzle.

cdef extern from "places.h" nogil:
    ctypedef struct places_t:
        pass
    void places_take(places_t* out, const uint16_t* all, int digit) noexcept
    bint places_lack(const places_t* all, const places_t* one, const places_t* other) noexcept

cdef places_t UNSEEN[81]  # the places that a digit in a cell leaves to itself; filled once


cdef void named_prepare() noexcept:
    """Fill the table."""
    cdef int cell, house, place
    cdef uint16_t* kept
    memset(UNSEEN, 0, sizeof(UNSEEN))
    for cell in range(81):
        kept = <uint16_t*> &UNSEEN[cell]
        for house in range(27):
            for place in range(9):
                if not cells_has(PEERS[cell], CELL[house][place]):
                    kept[house] |= <uint16_t> (1 << place)


named_prepare()


cdef void mark_two_houses(const Board* board, const places_t* places, cells_t* gone) noexcept nogil:
    """Mark candidates that leave their digit one of its two places in a house, and then none in another house."""
    cdef cells_t rest
    cdef unsigned int two
    cdef int digit, house, one, other, cell, swap
    for digit in range(9):
        for house in range(27):
            two = board.places[house][digit]
            if digits_count(two) != 2:
                continue
            one = CELL[house][digits_first(two)]
            other = CELL[house][digits_first(two & (two - 1))]
            for swap in range(2):
                rest = PEERS[one] & board.digit[digit] & ~PEERS[other] & ~ONE[other]
                while cells_any(rest):
                    cell = cells_first(rest)
                    rest = cells_rest(rest)
                    if places_lack(&places[digit], &UNSEEN[other], &UNSEEN[cell]):
                        gone[digit] |= ONE[cell]
                one, other = other, one


cdef void mark_w_wings(const Board* board, const places_t* places, cells_t* gone) noexcept nogil:
    """Mark W-wings: without the marked digit, two equal cells of two candidates would take a house its places."""
    cdef cells_t two = cells_with(board, 2), rest, seen
    cdef int one, other, x, y
    while cells_any(two):
        one = cells_first(two)
        two = cells_rest(two)
        x = digits_first(board.cand[one])
        y = digits_first(board.cand[one] & (board.cand[one] - 1))
        rest = two & ~PEERS[one] & board.digit[x] & board.digit[y]
        while cells_any(rest):
            other = cells_first(rest)
            rest = cells_rest(rest)
            seen = PEERS[one] & PEERS[other]
            if cells_any(seen & board.digit[y]) and places_lack(&places[x], &UNSEEN[one], &UNSEEN[other]):
                gone[y] |= seen
            if cells_any(seen & board.digit[x]) and places_lack(&places[y], &UNSEEN[one], &UNSEEN[other]):
                gone[x] |= seen


cdef void mark_hidden_rectangles(const Board* board, cells_t* gone) noexcept nogil:
    """Mark a digit that would complete a rectangle of two digits, and so give the puzzle a second solution.

    A corner has only these digits, and the row and the column of the opposite corner have one of them only in the
    rectangle: the other one goes from there.
    """
    cdef cells_t two = cells_with(board, 2), both, across, down
    cdef int corner, one, other, last, x, y
    while cells_any(two):
        corner = cells_first(two)
        two = cells_rest(two)
        x = digits_first(board.cand[corner])
        y = digits_first(board.cand[corner] & (board.cand[corner] - 1))
        both = board.digit[x] & board.digit[y] & ~ONE[corner]
        down = both & HOUSE[COLUMNS + column_of(corner)]
        while cells_any(down):
            one = cells_first(down)
            down = cells_rest(down)
            across = both & HOUSE[ROWS + row_of(corner)]
            while cells_any(across):
                other = cells_first(across)
                across = cells_rest(across)
                last = 9 * row_of(one) + column_of(other)
                if not cells_has(both, last) or (box_of(one) == box_of(corner)) == (box_of(other) == box_of(corner)):
                    continue
                if only_at(board, x, last, one, other):
                    gone[y] |= ONE[last]
                if only_at(board, y, last, one, other):
                    gone[x] |= ONE[last]


cdef inline bint only_at(const Board* board, int digit, int cell, int across, int down) noexcept nogil:
    """Whether the row of a cell has a digit only there and at ``across``, its column only there and at ``down``."""
    return (board.digit[digit] & HOUSE[ROWS + row_of(cell)] == ONE[cell] | ONE[across]
            and board.digit[digit] & HOUSE[COLUMNS + column_of(cell)] == ONE[cell] | ONE[down])


cdef bint remove_by_named(Board* board) noexcept nogil:
    """Remove what the patterns exclude, all at once, so that none takes the candidates of another."""
    cdef places_t places[9]
    cdef cells_t gone[9]
    cdef int digit
    cdef bint any = False
    memset(gone, 0, sizeof(gone))
    for digit in range(9):
        places_take(&places[digit], board.places[0], digit)
    mark_two_houses(board, places, gone)
    mark_w_wings(board, places, gone)
    mark_hidden_rectangles(board, gone)
    for digit in range(9):
        any |= board_remove_from(board, gone[digit], digit)
    return any


cdef bint patterns_fill(Board* board, Pending* pending) noexcept nogil:
    """Whether the named patterns, BUG and the techniques up to 4.4, repeated until nothing changes, fill the board."""
    cdef Progress progress
    cdef Step step
    memset(&progress, 0, sizeof(Progress))
    while cells_any(board.empty):
        if not remove_by_named(board) and not (find_bug(board, &step) and board_follow(board, &step)):
            return False
        close_board(board, pending, &progress)
    return True
