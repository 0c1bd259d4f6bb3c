# The data of the second part: the state of ratings, and the lanes of each stage.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from unidoku._native.rating.board cimport Board, Pending

cdef struct Progress:
    int er          # hardest step so far, in tenths
    int ep          # hardest step up to the first that fills a cell; 0 before it
    int ed          # first step
    int technique   # of the first step with the rating er
    int name        # the same
    bint placed     # whether a cell was filled

# The techniques from 1.7 to 4.4 in the order of their ratings, and what applies each to the whole board.
cdef struct Rule:
    int technique
    int same      # concludes the same without a single, so this one is not looked for once that has been needed; or 0
    bint (*apply)(Board* board, Pending* pending, int size) noexcept nogil
    int size      # of a subset or fish; 1: XYZ-wings

cdef extern from "pack.h" nogil:
    enum:
        FILLED
    ctypedef struct Frames:
        uint16_t word[512][96]
        int id[512]
        uint8_t level[512]
        int count
    ctypedef struct PackBoard:
        uint8_t (*house)[9]
    ctypedef struct LanesSeen:
        uint32_t changed
        uint32_t filled
        uint32_t open
    void board_in(PackBoard* board, uint32_t lanes, uint16_t** frames, bint clues)
    void board_out(PackBoard* board, uint32_t lanes, uint16_t** frames)
    uint32_t solved_lanes(const PackBoard* board)
    uint32_t strike_clues(PackBoard* board, uint32_t lanes)
    LanesSeen round_hidden(PackBoard* board, uint32_t lines)
    LanesSeen round_direct(PackBoard* board, uint32_t claim, bint found)
    LanesSeen round_naked(PackBoard* board, uint32_t claim, bint found)
    LanesSeen round_locked(PackBoard* board, uint32_t claim, bint found)

cdef extern from "patterns.h" nogil:
    void find_places(PackBoard* board)
    uint32_t naked_pairs(PackBoard* board, uint32_t lanes)
    uint32_t naked_triplets(PackBoard* board, uint32_t lanes)
    uint32_t hidden_pairs(PackBoard* board, uint32_t lanes)
    uint32_t hidden_triplets(PackBoard* board, uint32_t lanes)
    uint32_t direct_pairs(PackBoard* board, uint32_t lanes)
    uint32_t direct_triplets(PackBoard* board, uint32_t lanes)
    uint32_t x_wings(PackBoard* board, uint32_t lanes)
    uint32_t swordfish(PackBoard* board, uint32_t lanes)

    uint32_t xy_wings(PackBoard* board, uint32_t lanes)
    uint32_t xyz_wings(PackBoard* board, uint32_t lanes)

cdef enum:  # levels
    L12
    L15
    L17
    L19
    L20
    L23
    L25
    L26
    L28
    L30
    L32
    L34
    L36
    L38
    L40
    L42
    L44
    LEVELS

cdef enum:  # stages
    HIDDEN_STAGE
    DIRECT_STAGE
    NAKED_STAGE
    LOCKED_STAGE
    SUBSET_STAGE
    WING_STAGE
    STAGES

cdef enum:
    QUEUE_FULL = 160  # at most one register more comes from the stage before, the rest of the queue is for the way back

cdef struct Pack:
    # A register of lanes of one stage.
    PackBoard board
    uint32_t active
    uint32_t full                  # lanes with a full grid that has not been checked
    uint32_t at_least[LEVELS + 1]  # lanes at this level or a higher one
    uint32_t no_ed                 # lanes whose ED, EP is not known yet
    uint32_t no_ep
    uint32_t pending               # lanes in which direct subsets found digits
    uint32_t dirty                 # lanes that changed since direct subsets were last looked for
    int id[32]

cdef struct Grade:
    # In tenths; 0: not known, at the end above 4.4.
    uint8_t er
    uint8_t ep
    uint8_t ed
    uint8_t state

cdef enum:  # states
    UNFINISHED
    GRADED   # only by techniques up to 4.4, so the puzzle is proper
    WRONG    # full, but not correctly
    LEFT     # open

cdef struct Lanes:
    Pack pack[STAGES]
    Frames queue[STAGES + 1]  # the last one holds the open puzzles
    const uint8_t* text
    const int64_t* starts
    Py_ssize_t size           # of the text
    uint8_t zero
    Py_ssize_t count
    Py_ssize_t following      # the next puzzle to take
    Grade* grades             # with room for more than `count`
    Py_ssize_t room
