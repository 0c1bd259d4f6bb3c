"""The symmetry kernel: copies of many puzzles under given symmetries, and minlex forms.

grids.pxi has the minlex forms of full grids, puzzles.pxi the minlex forms of puzzles.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from unidoku._native.atomics cimport slot_read, slot_set
from unidoku._native.bits cimport bit_count, lowest_bit
from unidoku._native.checks cimport invariant
from unidoku._native.garbage cimport spoil
from unidoku._native.memory cimport check_starts, make_room, start_of
from unidoku._native.stop cimport flag_of, is_set

include "../text/cells.pxi"

cdef extern from "grids.h" nogil:
    ctypedef uint64_t bytes16  # a vector of 16 bytes, no integer: Cython only passes it on, and takes & | ~
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
    ctypedef struct Move:
        uint8_t row[16]
        uint8_t column[16]
        uint8_t digit[16]
        bint transposed
    void moves_prepare()
    void move_cells(const uint8_t* text, int zero, const Move* move, uint8_t* image)
    uint32_t PATTERN_OF[256]
    uint16_t ARRANGEMENT_OF[2][512]
    uint8_t COLUMN_ORDER[64][16]
    uint8_t SORTED[8][4]
    const uint8_t OTHER_LINE[3][6]
    ctypedef struct Bands:
        uint32_t index[6]
        uint8_t order[6]
    ctypedef struct Turned:
        uint8_t line[6][16]
        bytes16 column
        bytes16 name
    void bands_prepare()
    bint bands_read(const uint8_t* text, int zero, Bands*)
    uint32_t band_index(const uint8_t*, const uint8_t*, const uint8_t*, uint8_t* order)
    void band_turn(const Bands*, int band, int first, bytes16 column, Turned*)
    void line_order(const uint8_t (*line)[16], uint8_t* order)
    void lines_put(const uint8_t (*line)[16], const uint8_t* order, uint8_t* image)
    void lines_turn(const Turned*, bytes16 column, bytes16 digit, uint8_t (*line)[16])
    uint64_t fourth_line(const Turned*, int front, uint8_t two, bytes16 rest, bytes16 digit)

# Elements of the symmetry group, and their numbers.
#
# An element consists of an optional transposition, an order of the rows, an order of the columns (1,296 each) and a
# relabelling (362,880).  Its number is ((transposed * 1296 + rows) * 1296 + columns) * 362880 + relabelling; orders
# of lines are numbered by the order of the bands, then by the order within each band of the image, relabellings
# lexicographically.

cdef enum:
    ORDERS = 1296      # of nine lines
    LABELS = 362880    # orders of nine digits
    HEADS = 504        # orders of three digits of nine
    TAILS = 720        # orders of the six other digits

# Orders of 0, 1, 2, lexicographic; written when the module is imported, like all tables here.
cdef uint8_t order3[6][3]
cdef uint8_t line_orders[ORDERS][16]
cdef uint8_t label_heads[HEADS][16]
cdef uint8_t label_tails[TAILS][16]


cdef void prepare_labels() noexcept:
    """Write the tables of relabellings: three digits and the other six ascending; the orders of the last six
    bytes."""
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


include "grids.pxi"
include "puzzles.pxi"

moves_prepare()
bands_prepare()
prepare_group()
prepare_bands()
prepare_puzzles()


cdef enum:
    MOST_MOVES = 648  # automorphisms of a full grid


cdef Py_ssize_t check_buffers(const uint8_t[::1] text, const int64_t[::1] starts, const uint8_t[::1] images,
                              const int64_t[::1] numbers, const int64_t[::1] automorphisms) except -1:
    """Check the sizes of buffers; return the number of puzzles."""
    cdef Py_ssize_t n = starts.shape[0]
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    if images.shape[0] != 81 * n:
        raise ValueError("images must have 81 bytes per puzzle")
    if numbers is not None and numbers.shape[0] != n or automorphisms is not None and automorphisms.shape[0] != n:
        raise ValueError("numbers and automorphisms must have one item per puzzle")
    return n


cdef const BandTables* needed_tables() except NULL:
    cdef const BandTables* t
    with nogil:
        t = tables()
    if t == NULL:
        raise MemoryError
    return t


cdef inline int64_t elements() noexcept nogil:
    """How many elements the group has."""
    return <int64_t> 2 * ORDERS * ORDERS * LABELS


cdef inline int64_t number_of(const int64_t* number) noexcept nogil:
    """A number that was checked, read once, of an element whatever was written there since (as `start_of`)."""
    cdef uint64_t read = <uint64_t> (<const volatile int64_t*> number)[0]
    return <int64_t> min(read, <uint64_t> elements() - 1)


def transform(const uint8_t[::1] text, const int64_t[::1] starts, const int64_t[::1] numbers, uint8_t[::1] images, *,
              int zero=48):
    """Apply elements of the symmetry group to puzzles: one element to all of them, or one to each.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte
    an empty cell. `images` takes 81 cells 0 to 9 per puzzle.
    """
    cdef Py_ssize_t n = check_buffers(text, starts, images, None, None), k
    cdef bint one = numbers.shape[0] == 1
    cdef bint inside = True
    cdef Move move
    memset(&move, 0, sizeof(move))
    if not one and numbers.shape[0] != n:
        raise ValueError("numbers must have one item, or one per puzzle")
    for k in range(numbers.shape[0]):
        inside = inside & (numbers[k] >= 0) & (numbers[k] < elements())
    if not inside:
        raise ValueError("a number has no element of the group")
    with nogil:
        if one:
            unrank_move(number_of(&numbers[0]), &move)
        for k in range(n):
            if not one:
                unrank_move(number_of(&numbers[k]), &move)
            move_cells(&text[start_of(&starts[k], text.shape[0])], zero, &move, &images[81 * k])


def least_through_solutions(const uint8_t[::1] text, const int64_t[::1] starts, const uint8_t[::1] solutions,
                            uint8_t[::1] images, *, uint8_t[::1] forms=None, int64_t[::1] numbers=None,
                            int64_t[::1] automorphisms=None, int zero=48, const uint8_t[::1] stop=None):
    """Find the least images of puzzles under the elements that map their solutions (81 cells each) to minlex form.

    `forms` takes these minlex forms. The rest is as for `least_images`, but a row that is not a puzzle, or whose
    solution is not a full grid, has no image and no form.
    """
    cdef Py_ssize_t n = check_buffers(text, starts, images, numbers, automorphisms), k, begin = 0
    cdef const BandTables* t = needed_tables()
    cdef FullGrid grids[BLOCK]
    cdef uint8_t order[BLOCK]
    cdef int64_t places[BLOCK]
    cdef Move moves[MOST_MOVES]
    cdef uint8_t grid[96]
    cdef uint8_t image[81]
    cdef const uint8_t* puzzle
    cdef int size, count, best, i, j, way, same
    cdef const uint8_t* flag = flag_of(stop)
    if solutions.shape[0] != 81 * n or (forms is not None and forms.shape[0] != 81 * n):
        raise ValueError("solutions and forms must have 81 bytes per puzzle")
    for i in range(BLOCK):
        places[i] = 81 * i
    with nogil:
        while begin < n and not is_set(flag):
            size = min(BLOCK, n - begin)
            read_block(t, &solutions[81 * begin], 81 * size, places, 0, size, grids, order)
            for j in range(size):
                k = begin + order[j]
                puzzle = &text[start_of(&starts[k], text.shape[0])]
                if not grids[order[j]].whole or not is_puzzle(puzzle, zero):
                    if automorphisms is not None:
                        automorphisms[k] = 0
                    continue
                count = least_grid(t, &grids[order[j]], grid, moves, MOST_MOVES)
                best = 0
                same = 1
                if forms is not None:
                    memcpy(&forms[81 * k], grid, 81)
                move_cells(puzzle, zero, &moves[0], &images[81 * k])
                for i in range(1, count):
                    move_cells(puzzle, zero, &moves[i], image)
                    way = memcmp(image, &images[81 * k], 81)
                    if way < 0:
                        memcpy(&images[81 * k], image, 81)
                        best = i
                        same = 0
                    same += way <= 0
                if numbers is not None:
                    numbers[k] = rank_move(&moves[best])
                if automorphisms is not None:
                    automorphisms[k] = same
            begin += BLOCK
    return begin >= n


def least_images(const uint8_t[::1] text, const int64_t[::1] starts, uint8_t[::1] images, *,
                 int64_t[::1] numbers=None, int64_t[::1] automorphisms=None, int zero=48,
                 const uint8_t[::1] stop=None):
    """Find the minlex forms of puzzles and of full grids; puzzles and images are as for `transform`.

    `numbers` takes an element that leads to each image, `automorphisms` how many do. A row that is not a puzzle, or
    has two equal clues in a house, is copied, with 0 automorphisms. False if `stop` ended the call.
    """
    cdef Py_ssize_t n = check_buffers(text, starts, images, numbers, automorphisms), k, begin = 0
    cdef const BandTables* t = needed_tables()
    cdef FullGrid grids[BLOCK]
    cdef uint8_t order[BLOCK]
    cdef Lines lines
    cdef Work work
    cdef Move move
    cdef const uint8_t* puzzle
    cdef int size, j
    cdef int64_t count = 0
    cdef int wants_move = numbers is not None
    cdef bint counted = automorphisms is not None
    cdef const uint8_t* flag = flag_of(stop)
    memset(&work, 0, sizeof(work))
    memset(&move, 0, sizeof(move))
    with nogil:
        while begin < n and count != MEMORY and not is_set(flag):
            size = min(BLOCK, n - begin)
            read_block(t, &text[0], text.shape[0], &starts[begin], zero, size, grids, order)
            for j in range(size):
                k = begin + order[j]
                puzzle = &text[start_of(&starts[k], text.shape[0])]
                if grids[order[j]].whole:
                    count = least_grid(t, &grids[order[j]], &images[81 * k], &move, wants_move)
                elif is_puzzle(puzzle, zero) and read_lines(puzzle, zero, &lines):
                    count = least_puzzle(&lines, &work, &images[81 * k], &move if wants_move else NULL)
                    if count == MEMORY:
                        break
                else:
                    count = 0
                    unrank_move(0, &move)
                    move_cells(puzzle, zero, &move, &images[81 * k])
                if wants_move:
                    numbers[k] = rank_move(&move)
                if counted:
                    automorphisms[k] = count
            begin += BLOCK
        free(work.states[0])
        free(work.states[1])
    if count == MEMORY:
        raise MemoryError
    return begin >= n
