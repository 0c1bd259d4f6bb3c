# A position: its candidates, numbered, and the weak links between them.
#
# A candidate is a number 0 to n - 1 in the order of cells and digits. Inner chains of a longer chain look at grids
# with fewer candidates and keep the numbers of the position.

from unidoku._native.rating.chains cimport *


cdef void position_load(Position* position, const Board* board) noexcept nogil:
    """Number the candidates of a board; position_link lists their weak links."""
    cdef int cell, digit, n = 0
    cdef unsigned int digits
    memset(position.number, 255, sizeof(position.number))
    for cell in range(81):
        digits = board.cand[cell]
        while digits:
            digit = lowest_bit(digits)
            digits &= digits - 1
            position.number[9 * cell + digit] = <int16_t> n
            position.cell[n] = <uint8_t> cell
            position.digit[n] = <uint8_t> digit
            n += 1
    invariant(n <= MOST_CANDIDATES)
    position.n = n
    position.blocks = reach_blocks(n)
    position.linked = False


cdef void position_link(Position* position, const Board* board, unsigned int listed) noexcept nogil:
    """List the weak links of some digits in order, unless all are listed."""
    cdef int cell, digit, k, peer
    cdef unsigned int left
    cdef uint32_t links = 0
    if position.linked:
        return
    position.linked = listed == ALL_DIGITS
    for k in range(position.n):
        cell = position.cell[k]
        digit = position.digit[k]
        position.weak_begin[k] = position.weak_houses[k] = links
        if not listed >> digit & 1:
            continue
        left = board.cand[cell] & ~(1u << digit)
        while left:
            position.weak[links] = <uint16_t> position.number[9 * cell + lowest_bit(left)]
            links += 1
            left &= left - 1
        position.weak_houses[k] = links
        for peer in range(20):
            position.weak[links] = <uint16_t> position.number[9 * PEER[cell][peer] + digit]
            links += position.number[9 * PEER[cell][peer] + digit] >= 0
    position.weak_begin[position.n] = links
    invariant(links <= <uint32_t> (MOST_LINKS * position.n))


cdef inline int other_place(const Board* board, int cell, int digit, int k) noexcept nogil:
    """Return the only other place of a digit in the k-th house of a cell that is one of its places, or -1."""
    cdef int house = HOUSES[cell][k]
    cdef unsigned int places = board.places[house][digit]
    if set_size(places) != 2:
        return -1
    places &= ~(1u << PLACE[cell][k])
    return CELL[house][lowest_bit(places)]


cdef inline int other_digit(const Board* board, int cell, int digit) noexcept nogil:
    """Return the only other candidate of a cell that has this one, or -1."""
    cdef unsigned int digits = board.cand[cell]
    if set_size(digits) != 2:
        return -1
    return lowest_bit(digits & ~(1u << digit))


cdef inline void set_add(uint64_t* candidates, int number) noexcept nogil:
    """Add a candidate to a set of SET_WORDS words."""
    candidates[number >> 6] |= <uint64_t> 1 << (number & 63)


cdef inline bint set_has(const uint64_t* candidates, int number) noexcept nogil:
    """Whether a candidate is in a set."""
    return candidates[number >> 6] >> (number & 63) & 1
