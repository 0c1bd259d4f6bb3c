# Elements of the symmetry group, and their numbers.
#
# An element consists of an optional transposition, an order of the rows, an order of the columns (1,296 each) and a
# relabelling (362,880).  Its number is ((transposed * 1296 + rows) * 1296 + columns) * 362880 + relabelling; orders
# of lines are numbered by the order of the bands, then by the order within each band of the image, relabellings
# lexicographically.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

cdef extern from "moves.h" nogil:
    ctypedef uint64_t bytes16  # a vector of 16 bytes; Cython only passes it on
    bytes16 bytes_load(const uint8_t*)
    void bytes_store(uint8_t*, bytes16)
    bytes16 bytes_fill(uint8_t)
    bytes16 bytes_shuffle(bytes16 table, bytes16 index)
    bytes16 bytes_lookup(const uint8_t* outer, const uint8_t* inner, const uint8_t* index)
    bytes16 bytes_regroup(bytes16, const uint8_t* index)
    bytes16 bytes_exchange(bytes16, int pair)
    bytes16 bytes_choose(bytes16 mask, bytes16 a, bytes16 b)
    bytes16 bytes_min(bytes16, bytes16)
    bytes16 bytes_max(bytes16, bytes16)
    bytes16 bytes_equal(bytes16, bytes16)
    uint32_t bytes_bits(bytes16)
    uint32_t bytes_word(bytes16, int)
    int lowest_bit(uint32_t)
    int bit_count(uint32_t)
    void* slot_read(void** slot)
    void* slot_set(void** slot, void* value)
    ctypedef struct Move:
        uint8_t row[16]
        uint8_t column[16]
        uint8_t digit[16]
        bint transposed
    void moves_prepare()
    void move_cells(const uint8_t* text, int zero, const Move* move, uint8_t* image)

cdef enum:
    ORDERS = 1296      # of nine lines
    LABELS = 362880    # orders of nine digits
    HEADS = 504        # orders of three digits of nine
    TAILS = 720        # orders of the six others

# Orders of 0, 1, 2, lexicographic; written when the module is imported, like all tables here.
cdef uint8_t order3[6][3]
cdef uint8_t line_orders[ORDERS][16]
cdef uint8_t label_heads[HEADS][16]
cdef uint8_t label_tails[TAILS][16]


cdef void prepare_labels() noexcept:
    """Write the tables of relabellings: three digits and the others ascending; the orders of the last six bytes."""
    cdef int a, b, c, d, k, head = 0, tail
    cdef int left
    cdef uint32_t used
    for a in range(1, 10):
        for b in range(1, 10):
            for c in range(1, 10):
                if a == b or a == c or b == c:
                    continue
                memset(label_heads[head], 0, 16)
                label_heads[head][1] = a
                label_heads[head][2] = b
                label_heads[head][3] = c
                k = 4
                for d in range(1, 10):
                    if d != a and d != b and d != c:
                        label_heads[head][k] = d
                        k += 1
                head += 1
    for tail in range(TAILS):
        memset(label_tails[tail], 0, 16)
        for k in range(4):
            label_tails[tail][k] = k
        left = tail
        used = 0
        for k in range(6):
            a = left // factorial(5 - k)
            left = left % factorial(5 - k)
            d = 0
            while used >> d & 1 or a > 0:
                if not used >> d & 1:
                    a -= 1
                d += 1
            used |= <uint32_t> 1 << d
            label_tails[tail][4 + k] = 4 + d


cdef inline int factorial(int n) noexcept nogil:
    cdef int k, product = 1
    for k in range(2, n + 1):
        product *= k
    return product


cdef void prepare_group() noexcept:
    cdef int a, b, k, band, order
    cdef int part[4]
    k = 0
    for a in range(3):
        for b in range(3):
            if a != b:
                order3[k][0] = a
                order3[k][1] = b
                order3[k][2] = 3 - a - b
                k += 1
    for order in range(ORDERS):
        memset(line_orders[order], 0, 16)
        part[0] = order // 216
        part[1] = order // 36 % 6
        part[2] = order // 6 % 6
        part[3] = order % 6
        for band in range(3):
            for k in range(3):
                line_orders[order][3 * band + k] = 3 * order3[part[0]][band] + order3[part[1 + band]][k]
    prepare_labels()


cdef inline int rank3(int first, int second) noexcept nogil:
    """Return the number of an order of 0, 1, 2 from its first two."""
    return 2 * first + (2 * second > 3 - first)


cdef inline int rank_lines(const uint8_t* line) noexcept nogil:
    cdef int rank = rank3(line[0] // 3, line[3] // 3)
    cdef int band
    for band in range(3):
        rank = 6 * rank + rank3(line[3 * band] % 3, line[3 * band + 1] % 3)
    return rank


cdef inline int64_t rank_move(const Move* move) noexcept nogil:
    """Return the number of an element."""
    cdef uint32_t left = 511
    cdef int64_t labels = 0
    cdef int k
    cdef uint32_t below
    for k in range(1, 9):
        below = (<uint32_t> 1 << (move.digit[k] - 1)) - 1
        labels = (labels + bit_count(left & below)) * (9 - k)
        left &= ~(below + 1)
    return ((<int64_t> move.transposed * ORDERS + rank_lines(move.row)) * ORDERS
            + rank_lines(move.column)) * LABELS + labels


cdef inline void unrank_move(int64_t number, Move* move) noexcept nogil:
    """Write the element with a number."""
    cdef int labels = number % LABELS
    cdef int64_t geometry = number // LABELS
    spoil(move, sizeof(Move))
    move.transposed = geometry >= ORDERS * ORDERS
    memcpy(move.row, line_orders[geometry // ORDERS % ORDERS], 16)
    memcpy(move.column, line_orders[geometry % ORDERS], 16)
    bytes_store(move.digit, bytes_shuffle(bytes_load(label_heads[labels // TAILS]),
                                          bytes_load(label_tails[labels % TAILS])))
