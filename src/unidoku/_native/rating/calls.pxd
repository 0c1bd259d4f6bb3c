# The data of the last part: the order of the techniques, and what Python calls with.

from libc.stdint cimport int64_t, uint8_t, uint16_t

from unidoku._native.rating.board cimport Board, Pending, Step
from unidoku._native.rating.bulk cimport Lanes, Progress
from unidoku._native.rating.chains cimport Scratch, Trace
from unidoku._native.rating.codes cimport StepRow

# The techniques without chains in the order of the scale, and how the first step of each is found: those up to
# XYZ-wing, and those from unique rectangle on. Some of the latter are skipped for their rating.
cdef struct Finder:
    int technique  # or the easier of two
    bint (*find)(const Board* board, Step* step, Pending* pending, int size) noexcept nogil
    int size       # of a subset or fish; 1: direct intersections, XYZ-wings

cdef enum:  # how a search for a step ends
    NO_STEP
    FOUND
    CUT     # by the stop flag, or for want of memory: nothing that it has written may be used

cdef struct RatingState:
    # The state of the work on a puzzle that has a rating of ``below`` or more.
    uint16_t frame[96]  # candidates, or FILLED and the digit, as the lanes have them
    Progress progress

cdef struct Call:
    # Shared by all puzzles of a call.
    uint8_t* er
    uint8_t* ep
    uint8_t* ed
    uint8_t* techniques
    uint8_t* names
    uint8_t* outcomes
    int below
    const uint8_t* stop
    Scratch* scratch
    Lanes* lanes
    bint failed           # there was no memory
    const int64_t* rows   # the puzzles, by their places in the outputs; NULL: all
    RatingState* states   # one for each of them, or NULL

cdef struct Rows:
    StepRow* row
    uint16_t (*candidates)[81]  # before the step: bit d - 1 for digit d
    bint with_candidates
    Py_ssize_t size
    Py_ssize_t room
    Trace placements      # 9 * cell + digit - 1
    Trace eliminations    # the same
    Trace links           # in threes: two candidates, each 9 * cell + digit - 1, and a Link
    Trace nodes           # of the chains, in the order of order_nodes
    Trace found           # the nodes of the present step, in any order
    Scratch* scratch      # of the search for chains, which writes those nodes; NULL before there is one
    const uint8_t* stop
    bint failed
