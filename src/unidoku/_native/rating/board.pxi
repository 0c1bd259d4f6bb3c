# The board of candidates: tables of houses and peers, loading, placing and removing.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from unidoku._native.bits cimport bit_count, lowest_bit, set_size
from unidoku._native.cells cimport (
    box_of, cell_at, cells_any, cells_count, cells_first, cells_has, cells_of, cells_rest, cells_t, column_of, row_of,
)
from unidoku._native.checks cimport board_invariant, invariant
from unidoku._native.garbage cimport spoil
from unidoku._native.memory cimport make_room
from unidoku._native.pool cimport Pool, pool_keep, pool_take
from unidoku._native.memory cimport check_starts, start_of
from unidoku._native.rating.board cimport *
from unidoku._native.rating.codes cimport *
from unidoku._native.stop cimport flag_of, is_set

# Ratings in tenths by technique; of a technique whose steps have several, the lowest.
cdef uint8_t[TECHNIQUES] RATING = [
    0,                               # no technique
    10, 17, 19, 20, 23, 25,          # hidden single to direct hidden triplet: a step fills a cell
    26, 28, 30, 32, 34, 36, 38, 40,  # pointing to hidden triplet
    42, 44, 45, 46, 50, 52, 54, 56,  # XY-wing to BUG
    62, 65, 65, 66, 70, 70, 75,      # aligned pair exclusion to aligned triplet exclusion
    75, 80, 85, 90, 95, 100, 105, 110,
]

# The names of the steps of the techniques up to aligned pair exclusion; the first where one has several.
cdef uint8_t[ALIGNED_PAIR_EXCLUSION + 1] NAME = [
    NO_NAME, NAME_HIDDEN_SINGLE, NAME_DIRECT_POINTING, NAME_DIRECT_CLAIMING, NAME_DIRECT_HIDDEN_PAIR, NAME_NAKED_SINGLE,
    NAME_DIRECT_HIDDEN_TRIPLE, NAME_POINTING, NAME_CLAIMING, NAME_NAKED_PAIR, NAME_X_WING, NAME_HIDDEN_PAIR,
    NAME_NAKED_TRIPLE, NAME_SWORDFISH, NAME_HIDDEN_TRIPLE, NAME_XY_WING, NAME_XYZ_WING, NAME_RECTANGLE_1,
    NAME_UNIQUE_LOOP, NAME_NAKED_QUADRUPLE, NAME_JELLYFISH, NAME_HIDDEN_QUADRUPLE, NAME_BUG_1, NAME_ALIGNED_PAIR,
]

# Filled once by board_prepare and never written again.
cdef cells_t ONE[81]                # the set of one cell
cdef cells_t PEERS[81]              # the 20 peers of a cell
cdef cells_t HOUSE[27]              # the cells of a house
cdef uint8_t CELL[27][9]            # the cell at a place of a house
cdef uint8_t HOUSES[81][3]          # the houses of a cell in house order: box, row, column
cdef uint32_t HOUSES_MASK[81]       # the same as bits
cdef uint8_t PLACE[81][3]           # the cell's place in each of them
cdef uint8_t PEER[81][20]           # the peers in order: in the box, the row, the column
cdef uint8_t SCAN[27]               # the houses in the order of scans: boxes, columns, rows
cdef uint8_t THIRD[512]             # the third of a house that has all places: bits 0 to 2, or 3 to 5 for box columns


cdef inline int rating_of(int technique) noexcept nogil:
    """The rating of a technique in tenths, the lowest if its steps have several."""
    return RATING[technique]


cdef inline int name_of_easy(int technique, int rating) noexcept nogil:
    """Return the name of a step of the techniques up to 4.4."""
    return NAME_FULL_HOUSE if rating == RATING_OF_LAST_CELL else NAME[technique]


cdef inline bint is_unary(int technique) noexcept nogil:
    """Whether the steps of a technique are cycles or forcing chains."""
    return X_CYCLE <= technique <= FORCING_CHAIN


cdef void board_prepare() noexcept:
    """Fill the tables."""
    cdef int cell, house, place, k, peer, found
    for k in range(1, 512):
        for place in range(3):
            if not k & ~(7 << 3 * place):
                THIRD[k] |= <uint8_t> (1 << place)
            if not k & ~(73 << place):
                THIRD[k] |= <uint8_t> (8 << place)
    for cell in range(81):
        ONE[cell] = cells_of(cell)
    for house in range(27):
        HOUSE[house] = ONE[0] & ~ONE[0]
        for place in range(9):
            CELL[house][place] = <uint8_t> cell_at(house, place)
            HOUSE[house] |= ONE[CELL[house][place]]
    for place in range(9):
        SCAN[place] = <uint8_t> (BOXES + place)
        SCAN[9 + place] = <uint8_t> (COLUMNS + place)
        SCAN[18 + place] = <uint8_t> (ROWS + place)
    for cell in range(81):
        HOUSES[cell][0] = <uint8_t> (BOXES + box_of(cell))
        HOUSES[cell][1] = <uint8_t> (ROWS + row_of(cell))
        HOUSES[cell][2] = <uint8_t> (COLUMNS + column_of(cell))
        PEERS[cell] = HOUSE[HOUSES[cell][0]] | HOUSE[HOUSES[cell][1]] | HOUSE[HOUSES[cell][2]]
        PEERS[cell] &= ~ONE[cell]
        HOUSES_MASK[cell] = 1 << HOUSES[cell][0] | 1 << HOUSES[cell][1] | 1 << HOUSES[cell][2]
        found = 0
        for k in range(3):
            house = HOUSES[cell][k]
            for place in range(9):
                peer = CELL[house][place]
                if peer == cell:
                    PLACE[cell][k] = <uint8_t> place
                elif k == 0 or not cells_has(HOUSE[HOUSES[cell][0]], peer):
                    PEER[cell][found] = <uint8_t> peer
                    found += 1


cdef inline void board_drop(Board* board, int cell, int digit) noexcept nogil:
    """Remove a candidate that the cell has."""
    cdef int k
    board_invariant(board.cand[cell] >> digit & 1, board.value, board.cand)
    board.touched |= ONE[cell]
    board.houses_touched |= HOUSES_MASK[cell]
    board.digits_touched |= <uint16_t> (1 << digit)
    board.cand[cell] &= <uint16_t> ~(1 << digit)
    board.digit[digit] &= ~ONE[cell]
    for k in range(3):
        board.places[HOUSES[cell][k]][digit] &= <uint16_t> ~(1 << PLACE[cell][k])


cdef inline bint board_remove(Board* board, int cell, unsigned int digits) noexcept nogil:
    """Remove digits from a cell; whether any was a candidate."""
    cdef unsigned int left = board.cand[cell] & digits
    cdef bint any = left != 0
    while left:
        board_drop(board, cell, lowest_bit(left))
        left &= left - 1
    return any


cdef inline bint board_remove_from(Board* board, cells_t cells, int digit) noexcept nogil:
    """Remove a digit from cells; whether any had it as a candidate."""
    cdef cells_t left = cells & board.digit[digit]
    cdef uint16_t keep = <uint16_t> ~(1 << digit)
    cdef int cell, k
    if not cells_any(left):
        return False
    board.touched |= left
    board.digits_touched |= <uint16_t> (1 << digit)
    board.digit[digit] &= ~left
    while cells_any(left):
        cell = cells_first(left)
        left = cells_rest(left)
        board.houses_touched |= HOUSES_MASK[cell]
        board.cand[cell] &= keep
        for k in range(3):
            board.places[HOUSES[cell][k]][digit] &= <uint16_t> ~(1 << PLACE[cell][k])
    return True


cdef inline void board_place(Board* board, int cell, int digit) noexcept nogil:
    """Fill an empty cell and remove the digit from its peers."""
    cdef int k
    board_invariant(0 <= digit < 9 and not board.value[cell] and board.cand[cell] >> digit & 1, board.value, board.cand)
    board_remove(board, cell, ALL_DIGITS)
    board_remove_from(board, PEERS[cell], digit)
    board.value[cell] = <uint8_t> (digit + 1)
    board.empty &= ~ONE[cell]
    for k in range(3):
        board.empties[HOUSES[cell][k]] -= 1


cdef inline bint board_load(Board* board, const uint8_t* cells) noexcept nogil:
    """Load a puzzle of 81 cells 0 to 9; false if two clues clash."""
    cdef unsigned int used[27]
    cdef unsigned int bit, digits
    cdef int cell, k
    memset(board, 0, sizeof(Board))
    memset(used, 0, sizeof(used))
    for cell in range(81):
        board.value[cell] = cells[cell]
        if cells[cell]:
            bit = 1 << (cells[cell] - 1)
            for k in range(3):
                if used[HOUSES[cell][k]] & bit:
                    return False
                used[HOUSES[cell][k]] |= bit
    for cell in range(81):
        if not cells[cell]:
            digits = used[HOUSES[cell][0]] | used[HOUSES[cell][1]] | used[HOUSES[cell][2]]
            board.cand[cell] = <uint16_t> (ALL_DIGITS & ~digits)
    board_index(board)
    return True


cdef inline void board_index(Board* board) noexcept nogil:
    """Set the other fields of a new board from the cells' digits and candidates; all cells count as touched."""
    cdef unsigned int digits
    cdef int cell, digit, k
    for cell in range(81):
        if board.value[cell]:
            continue
        board.empty |= ONE[cell]
        for k in range(3):
            board.empties[HOUSES[cell][k]] += 1
        digits = board.cand[cell]
        while digits:
            digit = lowest_bit(digits)
            digits &= digits - 1
            board.digit[digit] |= ONE[cell]
            for k in range(3):
                board.places[HOUSES[cell][k]][digit] |= <uint16_t> (1 << PLACE[cell][k])
    board.touched = board.empty
    board.houses_touched = ALL_HOUSES
    board.digits_touched = ALL_DIGITS


cdef inline void step_start(Step* step, int technique) noexcept nogil:
    """Set every field of a step: a technique that concludes nothing yet."""
    memset(step, 0, sizeof(Step))
    step.technique = technique
    step.rating = rating_of(technique)
    step.cell = step.digit = step.house = step.other = -1


cdef inline bint step_removes(const Step* step) noexcept nogil:
    """Whether the step removes a candidate."""
    cdef int digit
    cdef cells_t any = step.removed[0]
    for digit in range(1, 9):
        any |= step.removed[digit]
    return cells_any(any)


cdef inline void step_apply(Board* board, const Step* step) noexcept nogil:
    """Remove the step's candidates, then fill its cell."""
    cdef int digit
    for digit in range(9):
        if cells_any(step.removed[digit]):
            board_remove_from(board, step.removed[digit], digit)
    if step.cell >= 0:
        board_place(board, step.cell, step.digit)


cdef inline bint board_agrees(const Board* board) noexcept nogil:
    """Whether all fields of a board say the same; for `board_invariant`."""
    cdef int cell, digit, k, empties
    for cell in range(81):
        if (board.value[cell] != 0) == cells_has(board.empty, cell) or (board.value[cell] and board.cand[cell]):
            return False
        for digit in range(9):
            if (board.cand[cell] >> digit & 1) != cells_has(board.digit[digit], cell):
                return False
            for k in range(3):
                if (board.places[HOUSES[cell][k]][digit] >> PLACE[cell][k] & 1) != (board.cand[cell] >> digit & 1):
                    return False
    for k in range(27):
        empties = 0
        for cell in range(9):
            empties += not board.value[CELL[k][cell]]
        if empties != board.empties[k]:
            return False
    return True


board_prepare()


cdef inline void pending_start(Pending* pending) noexcept nogil:
    """Set every field: nothing is pending until changes of the board are collected."""
    memset(pending, 0, sizeof(Pending))


cdef inline void pending_collect(Pending* pending, Board* board) noexcept nogil:
    """Add the changes of the board since the last call."""
    cdef uint32_t houses = board.houses_touched
    cdef int size
    if not houses:
        return
    pending.pointing |= houses >> BOXES
    pending.claiming |= houses
    pending.intersections[0] |= board.digits_touched
    pending.intersections[1] |= board.digits_touched
    pending.direct[2] |= houses
    pending.direct[3] |= houses
    for size in range(2, 5):
        pending.naked[size] |= houses
        pending.hidden[size] |= houses
        pending.fish[size] |= board.digits_touched
    pending.singles |= board.touched
    pending.wings[0] |= board.touched
    pending.wings[1] |= board.touched
    forget_loops(pending, board.touched)
    pending.pairs |= board.touched
    pending.triplets |= board.touched
    board.touched = 0
    board.houses_touched = 0
    board.digits_touched = 0


cdef inline void pending_closed(Pending* pending, Board* board) noexcept nogil:
    """The techniques up to 4.4 find nothing on the board."""
    pending_collect(pending, board)
    pending.pointing = pending.claiming = 0
    pending.direct[2] = pending.direct[3] = 0
    pending.naked[2] = pending.naked[3] = pending.hidden[2] = pending.hidden[3] = 0
    pending.fish[2] = pending.fish[3] = 0
    pending.singles = pending.wings[0] = pending.wings[1] = 0


cdef void forget_loops(Pending* pending, cells_t cells) noexcept nogil:
    """Loops of two digits must be looked for again if one of their cells has changed."""
    cdef int one, two
    for one in range(8):
        for two in range(one + 1, 9):
            if cells_any(pending.no_loop[one][two] & cells):
                pending.no_loop[one][two] = 0
