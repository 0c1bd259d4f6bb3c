# The data of the first part: the board, a step, the work that is pending, rectangles and loops, BUGs, exclusions.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from unidoku._native.cells cimport cells_t

cdef extern from "board.h" nogil:
    ctypedef struct Step:
        cells_t removed[9]
        cells_t cells
        cells_t others
        int rating
        int technique
        int complexity
        int kind
        int cell
        int digit
        int house
        int other
        unsigned int digits

    ctypedef struct Steps:
        int size
        int room
        bint failed
        Step* step

    ctypedef struct Board:
        cells_t digit[9]
        cells_t empty
        cells_t touched
        uint16_t cand[81]
        uint16_t places[27][9]
        uint8_t value[81]
        uint8_t empties[27]
        uint32_t houses_touched
        uint16_t digits_touched
        Steps* all
        uint64_t barred

    bint ends_search(const Board* board, const Step* step) noexcept
    bint new_pair(const Board* board, const Board* other) noexcept
    int find_single_places(const Board* board, uint8_t* found) noexcept
    int scan_single_places(const Board* board, uint8_t* found) noexcept

cdef enum:
    ALL_DIGITS = 511
    ALL_HOUSES = 0x7FFFFFF
    ROWS = 0  # first row, column and box among the 27 houses
    COLUMNS = 9
    BOXES = 18

cdef enum:  # the ratings of hidden singles
    RATING_OF_LAST_CELL = 10
    RATING_IN_BOX = 12
    RATING_IN_LINE = 15

# Work that is pending for each technique: it can find something new only where the board has changed since its last
# search.
cdef struct Pending:
    uint32_t pointing       # boxes, in bulk
    uint32_t claiming       # houses, in bulk
    uint32_t intersections[2]  # digits, one step after the other; 1: direct ones
    uint32_t direct[4]      # houses, for direct hidden subsets of 2 and 3
    uint32_t naked[5]       # houses, for subsets of 2 to 4
    uint32_t hidden[5]
    uint32_t fish[5]        # digits, for fish of 2 to 4
    cells_t singles         # cells
    cells_t wings[2]
    cells_t pairs
    cells_t triplets
    cells_t no_loop[9][9]   # not empty: all cells on which it depends that loops of two digits give no hint

cdef enum:
    LONGEST_LOOP = 18  # a house holds one cell of each parity
    KNOWN_LOOPS = 32

cdef struct Loops:
    const Board* board
    Step* best          # the hint with the least rating, then type, found so far
    int best_kind       # NO_KIND: none
    unsigned int pair   # the two digits
    cells_t both        # cells that have them
    cells_t bare        # cells that have no other candidates
    cells_t in_path
    bint few            # no loop from this start has more than two cells with other candidates
    bint offered        # whether a hint was found
    cells_t looked_at   # cells on which the hints of the valid loops depend
    int count           # loops whose hints are known
    cells_t known[KNOWN_LOOPS]
    int path[LONGEST_LOOP + 1]

cdef struct Bug:
    int count             # BUG cells
    int cells[81]         # in the order in which they are found
    unsigned int own[81]  # the BUG digits of a cell
    unsigned int digits   # all BUG digits
    cells_t common        # the cells that see all BUG cells

cdef extern from "exclusion.h" nogil:
    ctypedef struct Forbidden:
        uint16_t pairs[9]
        uint16_t triplets[9][9]
    ctypedef struct Hopes:
        int count
        unsigned int within[18]
        unsigned int meets
    void hope_for_thirds(const Forbidden* forbidden, unsigned int one, unsigned int two, unsigned int see, Hopes* hopes)
    void combine(const Forbidden* forbidden, const unsigned int* cells, const unsigned int* see, unsigned int* kept)

cdef struct Exclusion:
    cells_t excluders           # cells with few candidates
    cells_t near[81]            # the excluders that a base cell sees
    cells_t bases               # base cells that see two or more
    Forbidden forbidden
