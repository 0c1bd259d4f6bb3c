# The propagation round: naked and hidden singles inside each box, and between boxes the matching of rows
# and columns, on LANES puzzles at once.  Nothing branches; a lane costs the same whatever its puzzle.
#
# Rows and columns need no rules of their own: what a full set of single and locked-candidate rules finds,
# these find too once they come to rest.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "lanes.h" nogil:
    enum:
        LANES
        FRAME
        ALL_LANES

    # GCC's and Clang's vector type; to Cython any integer, so that & | ~ + - may be written out.
    ctypedef unsigned short vec "lanes_vec"

    int lane_lowest(uint32_t lanes)
    int lane_count(uint32_t lanes)

    vec vec_fill(uint16_t word)
    vec vec_differ(vec a, vec b)
    vec vec_any(vec a, vec b, vec c)
    vec vec_two(vec a, vec b, vec c)
    vec vec_one(vec a, vec b, vec c)
    vec vec_all(vec a, vec b, vec c)
    vec vec_or_both(vec a, vec b, vec c)
    vec vec_without(vec cell, vec taken, vec own)
    vec vec_prefer(vec first, vec second)
    vec vec_single(vec cell)
    vec vec_min(vec a, vec b)
    uint32_t vec_lanes(vec v)


cdef enum:
    ALL_DIGITS = 0x1FF
    SOLVED_SUM = 9 * 0x1FF  # each digit once in every box
    NEW_STATE = 0xFFFF  # no sum of 81 cells is as high


cdef struct Board:
    # One vector a cell: in each lane the set of candidates of that cell of that lane's puzzle.
    vec cell[81]
    # Per box: digits with one place left, to be placed by the next round; digits of naked singles.
    vec hidden[9]
    vec naked[9]
    # Digits that may stay in the three cells of a row in a box, row by box.
    vec row_part[27]
    # Sum of the cells after the round before.
    vec total


cdef struct Rest:
    # Lanes that came to rest: contradictory; or at a fixpoint; and those whose sum is not a solution's.
    uint32_t bad
    uint32_t idle
    uint32_t open


cdef inline void place_singles(Board* board) noexcept nogil:
    """Settles singles in each box, then finds which digits may stay in each row of each box."""
    cdef int band, box, i, j, k
    cdef vec v, naked, hidden
    cdef vec y[9]
    cdef vec single[9]
    cdef vec part[9]
    cdef vec* corner
    cdef vec* allowed
    for band in range(3):
        for box in range(3):
            corner = board.cell + 27 * band + 3 * box
            hidden = board.hidden[3 * band + box]
            for k in range(9):
                v = corner[k // 3 * 9 + k % 3]
                v = vec_prefer(v & hidden, v)
                y[k] = v
                single[k] = vec_single(v)
            naked = vec_any(vec_any(single[0], single[1], single[2]), vec_any(single[3], single[4], single[5]),
                            vec_any(single[6], single[7], single[8]))
            board.naked[3 * band + box] = naked
            for k in range(9):
                v = vec_without(y[k], naked, single[k])
                y[k] = v
                corner[k // 3 * 9 + k % 3] = v
            for i in range(3):
                part[3 * i + box] = vec_any(y[3 * i], y[3 * i + 1], y[3 * i + 2])
        allowed = board.row_part + 9 * band
        for i in range(3):
            for j in range(3):
                allowed[3 * i + j] = matched(part, i, j)


cdef inline vec matched(vec* part, int i, int j) noexcept nogil:
    """Digits that may stay in part (i, j) of a 3 x 3 matrix: the other two lines still match the others."""
    cdef int i1 = (i + 1) % 3 * 3
    cdef int i2 = (i + 2) % 3 * 3
    cdef int j1 = (j + 1) % 3
    cdef int j2 = (j + 2) % 3
    return vec_or_both(part[i1 + j1] & part[i2 + j2], part[i1 + j2], part[i2 + j1])


cdef inline vec match_stacks(Board* board, vec* contradiction) noexcept nogil:
    """Applies that, and the same by columns; finds hidden singles.  Returns the sum of all cells.

    `contradiction` is not zero where a box lacks a digit, a cell is empty, or a digit was a naked single
    and is not now the only one of its box.
    """
    cdef int band, stack, i, j
    cdef vec total = vec_fill(0)
    cdef vec least = vec_fill(ALL_DIGITS)
    cdef vec full = vec_fill(ALL_DIGITS)
    cdef vec v, rows, hidden, some
    cdef vec part[9]
    cdef vec columns[9]
    cdef vec y[3]
    cdef vec any_[3]
    cdef vec two[3]
    cdef vec* top
    cdef vec* p
    cdef vec* allowed
    for stack in range(3):
        top = board.cell + 3 * stack
        allowed = board.row_part + stack
        for band in range(3):
            for j in range(3):
                p = top + 27 * band + j
                v = p[0] & allowed[9 * band]
                v = vec_or_both(v, p[9], allowed[9 * band + 3])
                part[3 * band + j] = vec_or_both(v, p[18], allowed[9 * band + 6])
        for band in range(3):
            for j in range(3):
                columns[3 * band + j] = matched(part, band, j)
        for band in range(3):
            for i in range(3):
                p = top + 27 * band + 9 * i
                rows = allowed[9 * band + 3 * i]
                for j in range(3):
                    v = vec_all(p[j], rows, columns[3 * band + j])
                    p[j] = v
                    y[j] = v
                    total = total + v
                    least = vec_min(least, v)
                any_[i] = vec_any(y[0], y[1], y[2])
                two[i] = vec_two(y[0], y[1], y[2])
            hidden = vec_one(any_[0], any_[1], any_[2]) & ~vec_any(two[0], two[1], two[2])
            board.hidden[3 * band + stack] = hidden
            some = vec_any(any_[0], any_[1], any_[2])
            full = full & some & ~(board.naked[3 * band + stack] & ~hidden)
    contradiction[0] = vec_differ(full, vec_fill(ALL_DIGITS)) | ~vec_differ(least, vec_fill(0))
    return total


cdef Rest propagate(Board* board, uint32_t active, int enough) noexcept nogil:
    """Rounds until `enough` of the active lanes are at rest.

    A contradiction seen once is remembered, so that a lane's fate does not depend on how many more rounds
    its neighbours ask for.
    """
    cdef Rest rest
    cdef vec total, contradiction
    cdef vec bad = vec_fill(0)
    cdef vec old = vec_differ(board.total, vec_fill(NEW_STATE))  # a new state has no singles waiting
    cdef int k
    for k in range(9):
        board.hidden[k] = board.hidden[k] & old
    while True:
        place_singles(board)
        total = match_stacks(board, &contradiction)
        bad = bad | contradiction
        rest.bad = vec_lanes(bad) & active
        rest.idle = (rest.bad | ~vec_lanes(total - board.total)) & active
        board.total = total
        if lane_count(rest.idle) >= enough:
            break
    rest.open = vec_lanes(total - vec_fill(SOLVED_SUM))
    return rest
