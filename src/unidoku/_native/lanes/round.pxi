# The propagation round of the lanes kernel: naked and hidden singles inside each box, and between boxes the
# matching of columns and rows, on LANES puzzles at once.  The code has no branches: a lane costs the same for every
# puzzle.
#
# The board is one vector per cell.  Lane l of a vector belongs to puzzle l, so a rule for a house is unions
# and intersections of whole vectors, and no word moves to another lane:
#
#                     lane 0    lane 1    lane 2        lane 31        cells of band 0:
#     cell[0]      [ 1.3...... .2....7.. ...4.....  ... 1.3..6... ]    |  0  1  2 |  3  4  5 |  6  7  8 |
#     cell[1]      [ .2....7.. ........9 1........  ... .2..5.... ]    |  9 10 11 | 12 13 14 | 15 16 17 |
#     ...              one bit for each candidate                      | 18 19 20 | 21 22 23 | 24 25 26 |
#     cell[80]     [ ...4.6... 123...... .....6...  ... .......8. ]       stack 0    stack 1    stack 2
#
# Rows and columns need no rules of their own.  In a stack, the digits of the three cells that a column has in
# a box form a 3 x 3 matrix of digit sets, by box and column.  A digit may stay in an entry only if the other
# two boxes can still be matched with the other two columns.  The same holds for the rows of a band.  With the
# singles of the boxes, this finds all that single and locked-candidate rules for every house find.
#
# The three cells of a line in a box as the unit of locked candidates are tdoku's (its triads) and jczsolve's (which
# shrinks a band to nine bits of them). A puzzle in each lane, and the matching instead of tables, are our own.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from unidoku._native.bits cimport bit_count, lowest_bit
from unidoku._native.lanes.frames cimport (
    ALL_LANES, FRAME, LANES, THIRD, cell_place, frame_read, frame_write, frames_prepare,
)

cdef extern from "lanes.h" nogil:
    enum:
        FEW
        HARD
        AT_REST
        SIMPLE_FIRST
        GRIDS_FROM_LANES
        IN_STEPS

    # GCC's and Clang's vector type.  Cython sees an integer, so that it accepts & | ~ + -.  It would compile a
    # comparison, or a number next to a vector, as one of integers: the functions below have them.
    ctypedef unsigned short vec "lanes_vec"

    bint text_is_puzzle(const uint8_t* text)
    bint numbers_are_puzzle(const uint8_t* numbers)

    void vec_step()
    vec vec_now(vec v)
    vec vec_fill(uint16_t word)
    vec vec_load(const uint16_t* words)
    vec vec_equal(vec a, vec b)
    vec vec_any(vec a, vec b, vec c)
    vec vec_two(vec a, vec b, vec c)
    vec vec_odd(vec a, vec b, vec c)
    vec vec_all(vec a, vec b, vec c)
    vec vec_or_both(vec a, vec b, vec c)
    vec vec_without(vec a, vec b, vec c)
    vec vec_neither(vec a, vec b, vec c)
    vec vec_after_singles(vec cell, vec hidden, vec naked, vec single)
    vec vec_single(vec cell)
    vec vec_min(vec a, vec b)
    vec vec_minus(vec a, vec b)
    uint32_t vec_lanes(vec v)
    vec vec_of_lanes(uint32_t lanes)

cdef enum:
    ALL_DIGITS = 0x1FF
    SOLVED_SUM = 9 * 0x1FF  # each digit once in every box
    NEW_STATE = 0xFFFF  # larger than every sum of 81 cells


cdef struct LanesBoard:
    # One vector a cell: in each lane the set of candidates of that cell of that lane's puzzle.
    vec cell[81]
    # Per box, 3 * band + stack: digits with one place left, which the next round places; digits of naked singles.
    vec hidden[9]
    vec naked[9]
    # Digits that may stay in the three cells of a column in a box: 9 * stack + 3 * band + column.
    vec column_part[27]
    # Sum of the cells after the previous round.
    vec total


cdef struct Rest:
    # Lanes at rest: all of them, those with a contradiction, and those whose cells are not all single.
    uint32_t idle
    uint32_t bad
    uint32_t open


cdef inline vec matched(vec* part, int i, int j) noexcept nogil:
    """Digits possible in entry (i, j) of a 3 x 3 matrix: the other two rows can be matched."""
    cdef int i1 = (i + 1) % 3 * 3
    cdef int i2 = (i + 2) % 3 * 3
    cdef int j1 = (j + 1) % 3
    cdef int j2 = (j + 2) % 3
    return vec_or_both(part[i1 + j1] & part[i2 + j2], part[i1 + j2], part[i2 + j1])


cdef inline void place_singles(LanesBoard* board) noexcept nogil:
    """Apply the singles in each box, then find the digits possible in each column of each box."""
    cdef int band, stack, i, j, k
    cdef vec naked, hidden
    cdef vec y[3]
    cdef vec single[9]
    cdef vec part[9]
    cdef vec* corner
    cdef vec* allowed
    for stack in range(3):
        for band in range(3):
            corner = board.cell + 27 * band + 3 * stack
            hidden = board.hidden[3 * band + stack]
            for k in range(9):
                single[k] = vec_single(corner[k // 3 * 9 + k % 3])
            naked = vec_any(vec_any(single[0], single[1], single[2]), vec_any(single[3], single[4], single[5]),
                            vec_any(single[6], single[7], single[8]))
            board.naked[3 * band + stack] = naked
            vec_step()
            for j in range(3):
                for i in range(3):
                    y[i] = vec_after_singles(corner[9 * i + j], hidden, naked, single[3 * i + j])
                    corner[9 * i + j] = y[i]
                part[3 * band + j] = vec_now(vec_any(y[0], y[1], y[2]))
            vec_step()
        allowed = board.column_part + 9 * stack
        for i in range(3):
            for j in range(3):
                allowed[3 * i + j] = matched(part, i, j)


cdef inline vec match_rows(LanesBoard* board, vec* contradiction) noexcept nogil:
    """Apply these digits, and the same by rows; find hidden singles.  Return the sum of all cells.

    The nine cells of a box are added like bits: `odd` are digits in an odd number of cells, `pairs` counts
    the carries.  The same sums give the digits with exactly one place.

    `contradiction` is not zero where a box lacks a digit, a cell is empty, or a digit was a naked single
    and is not now the only one of its box.
    """
    cdef int band, stack, i, j
    cdef vec total = vec_fill(0)
    cdef vec pairs = vec_fill(0)
    cdef vec least = vec_fill(ALL_DIGITS)
    cdef vec full = vec_fill(ALL_DIGITS)
    cdef vec v, row, hidden, odd, carry, several
    cdef vec part[9]
    cdef vec rows[9]
    cdef vec y[3]
    cdef vec odd_in[3]
    cdef vec two_in[3]
    cdef vec* left
    cdef vec* p
    cdef vec* allowed
    for band in range(3):
        left = board.cell + 27 * band
        for stack in range(3):
            allowed = board.column_part + 9 * stack + 3 * band
            for i in range(3):
                p = left + 9 * i + 3 * stack
                if IN_STEPS:  # stored: an operation a cell less in the next step
                    for j in range(3):
                        p[j] = p[j] & allowed[j]
                    part[3 * i + stack] = vec_any(p[0], p[1], p[2])
                else:
                    v = p[0] & allowed[0]
                    v = vec_or_both(v, p[1], allowed[1])
                    part[3 * i + stack] = vec_or_both(v, p[2], allowed[2])
            vec_step()
        for i in range(3):
            for stack in range(3):
                rows[3 * i + stack] = matched(part, i, stack)
        vec_step()
        for stack in range(3):
            allowed = board.column_part + 9 * stack + 3 * band
            for i in range(3):
                p = left + 9 * i + 3 * stack
                row = rows[3 * i + stack]
                for j in range(3):
                    if IN_STEPS:
                        v = p[j] & row
                    else:
                        v = vec_all(p[j], allowed[j], row)
                    p[j] = v
                    y[j] = v
                    least = vec_min(least, v)
                odd_in[i] = vec_odd(y[0], y[1], y[2])
                two_in[i] = vec_two(y[0], y[1], y[2])
            odd = vec_odd(odd_in[0], odd_in[1], odd_in[2])
            carry = vec_two(odd_in[0], odd_in[1], odd_in[2])
            several = vec_any(two_in[0], two_in[1], two_in[2])
            hidden = vec_neither(odd, carry, several)
            board.hidden[3 * band + stack] = hidden
            full = full & vec_without(vec_any(odd, carry, several), board.naked[3 * band + stack], hidden)
            total = total + odd
            pairs = vec_now(pairs + carry + two_in[0] + two_in[1] + two_in[2])
            vec_step()
    contradiction[0] = (full ^ vec_fill(ALL_DIGITS)) | vec_equal(least, vec_fill(0))
    return total + pairs + pairs


cdef Rest propagate(LanesBoard* board, uint32_t active, uint32_t wanted, int enough) noexcept nogil:
    """Make rounds until `enough` of the active lanes are at rest: contradictory, or unchanged by a round.

    Candidates are only ever removed, so a lane whose sum is the same as before is unchanged.  A
    contradiction is stored, so that the result of a lane does not depend on the number of rounds that other
    lanes need.

    If each digit is once in every box, the rows are also right, because a round ends with them.  The `wanted` lanes
    are at rest then without another round; the caller checks their columns.
    """
    cdef Rest rest
    cdef vec total, contradiction
    cdef vec bad = vec_fill(0)
    cdef vec old = ~vec_equal(board.total, vec_fill(NEW_STATE))  # a new state has no hidden singles yet
    cdef int k
    for k in range(9):
        board.hidden[k] = board.hidden[k] & old
    while True:
        place_singles(board)
        total = match_rows(board, &contradiction)
        bad = bad | contradiction
        rest.bad = vec_lanes(bad) & active
        rest.open = vec_lanes(total ^ vec_fill(SOLVED_SUM))
        rest.idle = (rest.bad | ~vec_lanes(total ^ board.total) | (wanted & ~rest.open)) & active
        board.total = total
        if bit_count(rest.idle) >= enough:
            break
    return rest
