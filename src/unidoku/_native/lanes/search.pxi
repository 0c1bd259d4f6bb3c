# The search: a depth-first tree per puzzle with its own stack of guess levels per lane, lanes fed from a
# list of puzzles, and branches of one lane taken over by other lanes after the list is used up.
#
# The tree of a puzzle depends only on the puzzle: the cell of a guess follows from the candidates and the path
# to them, never from other lanes.  Every lane works on one *segment* of a puzzle's tree, a run of branches that
# are consecutive in search order.  A lane without work takes the oldest untried branch of another lane, which is
# the last one of that lane's segment.  So the segments of a puzzle form a list in search order, and the first
# grids of a puzzle are the first grids of its first segments, independent of the lane and the time.
#
#                      root                      stack of lane 0: b at `low`, d, f at `top` - 1; its state: e
#                    /      \
#                   a        b                   then lane 1 has no puzzle left and takes b, the oldest:
#                 /   \
#                c     d                             lane 0: e f d      lane 1: b      order of grids: e f d b
#              /   \
#             e     f                            then lane 2 takes d:
#
#                                                    lane 0: e f    lane 2: d    lane 1: b    the order stays
#
# To guess in a cell with two candidates first is jczsolve's.

cdef extern from "lanes.h" nogil:
    bint grid_write(const vec* cells, int lane, const uint16_t* frame, uint8_t zero, uint8_t* text)
    void frames_in(vec* cells, uint32_t lanes, uint16_t** frame)
    void frames_out(vec* cells, uint32_t lanes, uint16_t** frame)
    void cells_prepare()
    void choice_prepare()
    const uint8_t* cell_of_place
    void prefetch(const void* address)
    void choose_best(uint16_t** frame, int count, uint8_t* choices)
    int choose_first(const uint16_t* frame, bint two)
    uint16_t guessed_digit(uint16_t candidates, int choice)

from libc.string cimport memcpy, memset

from unidoku._native.checks cimport invariant
from unidoku._native.garbage cimport spoil

cdef enum:
    LEVELS = 82  # every guess fills a cell, so 81 levels are enough; one more for a copy that may not be needed
    # The careful choice of a cell pays off if guesses fail.  From level STRAIGHT on a path of first branches,
    # and from level DEEP on any path, most puzzles have many solutions.
    STRAIGHT = 3
    DEEP = 8
    # After this number of guesses without a solution, a state is tested for contradictions that propagation misses.
    PATIENCE = 256
    NO_LANE = -1

cdef enum:  # verdicts, as in unidoku._verdict
    NONE_
    UNIQUE
    MULTIPLE
    UNKNOWN


cdef struct Request:
    # The puzzles: texts of 81 bytes each; and the output buffers (NULL: not requested).
    const uint8_t* text
    Py_ssize_t size  # of the memory at `text`, if there are starts
    const int64_t* starts  # of each text; NULL: every `stride` bytes
    size_t stride
    size_t count  # of puzzles, or of chosen ones
    uint8_t zero  # code of digit 0 in texts
    uint8_t zero_out  # and in solutions
    uint64_t limit  # at least 1
    uint64_t budget  # 0: none
    uint64_t* counts
    uint8_t* verdicts
    uint8_t* complete  # whether the search is exact: not ended by the budget or the stop flag
    uint8_t* solutions
    uint8_t* witnesses
    uint64_t* guesses
    uint64_t* rounds
    # The puzzles to solve, as indices of everything above; NULL: all of them.
    const size_t* chosen
    # Instead, the grids of one puzzle one after the other: `stream` has space for `space` more grids (one.pxi).
    uint8_t* stream
    size_t space


cdef struct Room:
    # Memory that is written before it is read, for each lane if not for all: their state and their stacks; grids found,
    # and grids found in finished segments between this one and the next.
    LanesBoard board
    uint16_t stack[LANES][LEVELS][FRAME]
    uint8_t grid[LANES][2][96]
    uint8_t grid_after[LANES][2][96]


cdef struct Solver:
    # `begin` sets every field, and `begin_lane` the fields of a lane.
    Room* room
    void* memory  # the allocation; room and solver are aligned inside it
    # For each lane, the frame to which or from which its state is copied: stack[lane][top].
    uint16_t* frame[LANES]
    Request request
    size_t next  # first puzzle that no lane has taken
    uint32_t vacant  # lanes without a segment
    uint32_t freed  # lanes whose state is finished
    uint32_t straight  # lanes that reached their state by first branches only
    uint32_t doubtful  # lanes whose last state was hopeless; perhaps the previous one is also
    uint32_t sharing  # lanes that gave away or took over a branch of their puzzle
    uint32_t supplied  # lanes whose segment needs no more grids
    int kept  # solutions written for each puzzle: 0, 1 or 2
    bint share  # lanes take over branches
    # For each lane: its puzzle, its untried branches stack[lane][low .. top - 1], and the guesses made.
    size_t puzzle[LANES]
    int low[LANES]
    uint16_t top[LANES]
    uint16_t depth[LANES]  # level of the branch the lane took over
    uint64_t guesses[LANES]
    # Per lane, its segment: neighbours in the puzzle's list; numbers of grids found, and of grids found in finished
    # segments between this one and the next.  The first segment's grids are in the puzzle's output.
    int before[LANES]
    int after[LANES]
    int found[LANES]
    int found_after[LANES]


cdef inline uint32_t bit(int lane) noexcept nogil:
    return <uint32_t> 1 << lane


cdef inline uint8_t* kept_grid(Solver* s, int lane, int k) noexcept nogil:
    """Where grid k of a lane's segment is written; NULL if it is not written."""
    cdef uint8_t* row
    if s.before[lane] != NO_LANE:
        return s.room.grid[lane][k]
    row = s.request.solutions if k == 0 else s.request.witnesses
    return row + 81 * s.puzzle[lane] if row != NULL else NULL


# --- segments ---------------------------------------------------------------------------------------------

cdef inline uint8_t verdict_of(uint64_t count, uint64_t limit, bint cut_off) noexcept nogil:
    if count > 1:
        return MULTIPLE
    if cut_off or (count == 1 and limit == 1):
        return UNKNOWN
    return UNIQUE if count else NONE_


cdef inline void write_answer(Request* request, size_t p, uint64_t guesses, bint cut_off) noexcept nogil:
    """Write the result of a puzzle whose solutions are counted."""
    cdef uint64_t count = request.counts[p]
    if request.verdicts != NULL:
        request.verdicts[p] = verdict_of(count, request.limit, cut_off)
    if request.complete != NULL:
        request.complete[p] = not cut_off
    if request.solutions != NULL and count < 1:
        memset(request.solutions + 81 * p, 0, 81)
    if request.witnesses != NULL and count < 2:
        memset(request.witnesses + 81 * p, 0, 81)
    if request.guesses != NULL:
        request.guesses[p] = guesses


cdef void abandon(Request* request, size_t p) noexcept nogil:
    """Write the result of an unfinished puzzle: the solutions counted so far, no grids, incomplete."""
    if request.verdicts != NULL:
        request.verdicts[p] = MULTIPLE if request.counts[p] > 1 else UNKNOWN
    if request.complete != NULL:
        request.complete[p] = False
    if request.solutions != NULL:
        memset(request.solutions + 81 * p, 0, 81)
    if request.witnesses != NULL:
        memset(request.witnesses + 81 * p, 0, 81)
    if request.guesses != NULL:
        request.guesses[p] = 0
    if request.rounds != NULL:
        request.rounds[p] = 0


cdef void fold(Solver* s, int lane) noexcept nogil:
    """Remove the finished segment of a lane from its puzzle's list; its grids move to the neighbours."""
    cdef int before = s.before[lane]
    cdef int after = s.after[lane]
    cdef int k
    cdef uint8_t* row
    if before == NO_LANE:  # the next one, if any, becomes the first
        for k in range(s.found_after[lane]):
            if s.found[lane] < s.kept:
                row = kept_grid(s, lane, s.found[lane])
                if row != NULL:
                    memcpy(row, s.room.grid_after[lane][k], 81)
                s.found[lane] += 1
        if after == NO_LANE:
            write_answer(&s.request, s.puzzle[lane], s.guesses[lane], False)
            return
        for k in range(s.found[after]):
            if s.found[lane] < s.kept:
                row = kept_grid(s, lane, s.found[lane])
                if row != NULL:
                    memcpy(row, s.room.grid[after][k], 81)
                s.found[lane] += 1
        s.found[after] = s.found[lane]
        s.before[after] = NO_LANE
        return
    for k in range(s.found[lane]):
        if s.found_after[before] < s.kept:
            memcpy(s.room.grid_after[before][s.found_after[before]], s.room.grid[lane][k], 81)
            s.found_after[before] += 1
    for k in range(s.found_after[lane]):
        if s.found_after[before] < s.kept:
            memcpy(s.room.grid_after[before][s.found_after[before]], s.room.grid_after[lane][k], 81)
            s.found_after[before] += 1
    s.after[before] = after
    if after != NO_LANE:
        s.before[after] = before


cdef uint32_t settle(Solver* s, int lane) noexcept nogil:
    """End the unneeded segments of a puzzle that has reached the limit; return the lanes that are vacant now.

    The count is known, but the first grids may not be: segments after those that hold enough grids are dropped,
    and the segment that completes the number is finished.  Grids found after it move with its own to the segment before
    it, where enough other grids come first.
    """
    cdef uint32_t ended = 0
    cdef int found = 0
    cdef int last = lane
    cdef int drop
    cdef bint finished = False
    if not s.sharing & bit(lane):  # the puzzle has no other segment
        write_answer(&s.request, s.puzzle[lane], s.guesses[lane], False)
        return bit(lane)
    while s.before[last] != NO_LANE:
        last = s.before[last]
    while True:
        found += s.found[last]
        if found >= s.kept:
            finished = True
            break
        found += s.found_after[last]
        if found >= s.kept or s.after[last] == NO_LANE:
            break
        last = s.after[last]
    drop = s.after[last]
    while drop != NO_LANE:
        ended |= bit(drop)
        drop = s.after[drop]
    s.after[last] = NO_LANE
    if finished:
        fold(s, last)
        ended |= bit(last)
    return ended


cdef inline uint32_t finish(Solver* s, int lane) noexcept nogil:
    """Finish the segment of a lane; return the lanes that are vacant now."""
    cdef int after = s.after[lane]
    cdef bint first = s.before[lane] == NO_LANE
    cdef uint32_t ended = bit(lane)
    if not s.sharing & ended:  # the puzzle has no other segment
        write_answer(&s.request, s.puzzle[lane], s.guesses[lane], False)
        return ended
    fold(s, lane)
    if first and after != NO_LANE and s.request.counts[s.puzzle[after]] >= s.request.limit:
        ended |= settle(s, after)
    return ended


# --- feeding ----------------------------------------------------------------------------------------------

cdef inline size_t next_puzzle(Solver* s) noexcept nogil:
    invariant(s.next < s.request.count)
    s.next += 1
    return s.next - 1 if s.request.chosen == NULL else s.request.chosen[s.next - 1]


cdef inline const uint8_t* puzzle_text(Request* request, size_t p) noexcept nogil:
    if request.starts == NULL:
        return request.text + request.stride * p
    return request.text + start_of(request.starts + p, request.size)


cdef inline void read_frame(Request* request, size_t p, uint16_t* frame) noexcept nogil:
    frame_read(puzzle_text(request, p), request.zero, frame)


cdef inline void begin_lane(Solver* s, int lane, size_t p) noexcept nogil:
    """Set every field of a lane, as at the root of a puzzle's tree; the caller writes the frame."""
    spoil(s.room.stack[lane], sizeof(s.room.stack[lane]))
    spoil(s.room.grid[lane], sizeof(s.room.grid[lane]))
    spoil(s.room.grid_after[lane], sizeof(s.room.grid_after[lane]))
    s.frame[lane] = s.room.stack[lane][0]
    s.puzzle[lane] = p
    s.low[lane] = s.top[lane] = s.depth[lane] = 0
    s.guesses[lane] = 0
    s.before[lane] = s.after[lane] = NO_LANE
    s.found[lane] = s.found_after[lane] = 0
    s.vacant &= ~bit(lane)
    s.straight |= bit(lane)
    s.doubtful &= ~bit(lane)
    s.sharing &= ~bit(lane)
    s.supplied &= ~bit(lane)


cdef inline void load_puzzle(Solver* s, int lane) noexcept nogil:
    """The next puzzle of the list for a lane."""
    cdef Request* request = &s.request
    cdef size_t p = next_puzzle(s)
    begin_lane(s, lane, p)
    request.counts[p] = 0
    read_frame(request, p, s.frame[lane])
    if p + LANES < request.count:  # needed after every lane has taken another puzzle
        prefetch(puzzle_text(request, p + LANES))
        prefetch(puzzle_text(request, p + LANES) + 64)


cdef inline bint take_over(Solver* s, int lane, uint32_t busy) noexcept nogil:
    """Give a lane without work the oldest untried branch of the lane that has most; false if there is none."""
    cdef int donor = NO_LANE
    cdef int most = 0
    cdef int other
    while busy:
        other = lowest_bit(busy)
        busy &= busy - 1
        if s.top[other] - s.low[other] > most:
            most = s.top[other] - s.low[other]
            donor = other
    if donor == NO_LANE:
        return False
    begin_lane(s, lane, s.puzzle[donor])
    s.sharing |= bit(lane) | bit(donor)
    s.straight &= ~bit(lane)
    memcpy(s.frame[lane], s.room.stack[donor][s.low[donor]], sizeof(s.room.stack[0][0]))
    s.depth[lane] = s.depth[donor] + s.low[donor]
    s.guesses[lane] = s.guesses[donor]
    s.low[donor] += 1
    s.before[lane] = donor
    s.after[lane] = s.after[donor]
    if s.after[lane] != NO_LANE:
        s.before[s.after[lane]] = lane
    s.after[donor] = lane
    # grids found after the donor's segment are now after the new segment
    s.found_after[lane] = s.found_after[donor]
    if s.found_after[lane]:
        memcpy(s.room.grid_after[lane], s.room.grid_after[donor], sizeof(s.room.grid_after[lane]))
        s.found_after[donor] = 0
    return True


cdef inline void feed(Solver* s) noexcept nogil:
    """Give each free lane its newest untried branch, or the next puzzle, or a branch of another lane."""
    cdef uint32_t left = s.freed & ~s.vacant
    cdef uint32_t filled = 0
    cdef uint32_t ended
    cdef int lane
    while left:
        lane = lowest_bit(left)
        left &= left - 1
        if s.top[lane] > s.low[lane]:
            s.top[lane] -= 1
            invariant(s.top[lane] < LEVELS)
            s.frame[lane] = s.room.stack[lane][s.top[lane]]
            s.straight &= ~bit(lane)
            filled |= bit(lane)
            continue
        ended = finish(s, lane)
        s.vacant |= ended
        filled &= ~ended
        left &= ~ended
        if s.next < s.request.count:
            load_puzzle(s, lane)
            filled |= bit(lane)
    left = s.vacant
    while left and s.next < s.request.count:
        lane = lowest_bit(left)
        left &= left - 1
        load_puzzle(s, lane)
        filled |= bit(lane)
    if s.share:
        while left:
            lane = lowest_bit(left)
            left &= left - 1
            if not take_over(s, lane, ALL_LANES & ~s.vacant):
                break
            filled |= bit(lane)
    s.freed = 0
    s.room.board.total = s.room.board.total | vec_of_lanes(filled)  # NEW_STATE
    frames_in(s.room.board.cell, filled, s.frame)


# --- the loop ---------------------------------------------------------------------------------------------

cdef inline uint16_t guess(Solver* s, int lane, int choice) noexcept nogil:
    """Continue with a digit in a cell, and return it; the branch without it stays on the stack.

    The top of the stack is raised already.
    """
    cdef int place = choice >> 1
    cdef uint16_t candidates = s.frame[lane][place]
    cdef uint16_t digit = guessed_digit(candidates, choice)
    s.frame[lane][place] = candidates ^ digit
    (<uint16_t*> &s.room.board.cell[cell_of_place[place]])[lane] = digit
    s.frame[lane] = s.room.stack[lane][s.top[lane]]
    return digit


cdef inline void cut_off(Solver* s, int lane) noexcept nogil:
    """End a puzzle whose budget is used up; lanes do not share then, so the lane has all of it."""
    write_answer(&s.request, s.puzzle[lane], s.guesses[lane], True)
    s.vacant |= bit(lane)


cdef inline void guess_two(Solver* s, int lane, int choice) noexcept nogil:
    """Make two guesses without a round between them: `choice` is the first one plus 256 times the second one."""
    cdef uint16_t* second = s.room.stack[lane][s.top[lane]]
    memcpy(second, s.frame[lane], sizeof(s.room.stack[0][0]))  # before its change: wide loads wait for narrow stores
    second[(choice & 255) >> 1] = guess(s, lane, choice & 255)
    if s.request.budget and s.guesses[lane] >= s.request.budget:
        cut_off(s, lane)
        return
    s.guesses[lane] += 1
    s.top[lane] += 1
    invariant(s.top[lane] < LEVELS)
    guess(s, lane, choice >> 8)


cdef bint short_of_cells(const uint16_t* places) noexcept nogil:
    """Whether some of nine digits have fewer places together than there are digits."""
    cdef uint16_t joint[512]
    cdef int some
    joint[0] = 0
    for some in range(1, 512):
        joint[some] = joint[some & (some - 1)] | places[lowest_bit(some)]
        if bit_count(joint[some]) < bit_count(some):
            return True
    return False


cdef bint hopeless(const uint16_t* frame) noexcept nogil:
    """Whether a house has too few cells for some of its digits, or a box and a line have in common.

    Propagation handles one digit at a time and cannot find this.  A grid with only such a contradiction costs a
    very long search, so the test pays off in long searches.  Such a state has no solution, so the test does not
    change the solutions found or their order.
    """
    cdef uint16_t places[27][9]  # of each digit in each row, column and box
    cdef uint16_t part[2][9][3]  # digits of three cells: of each row in each stack, of each column in each band
    cdef uint16_t here, confined
    cdef int way, line, k, c, digit, row, column
    memset(places, 0, sizeof(places))
    memset(part, 0, sizeof(part))
    for row in range(9):
        for column in range(9):
            here = frame[cell_place(9 * row + column)]
            part[0][row][column // 3] |= here
            part[1][column][row // 3] |= here
            while here:
                digit = lowest_bit(here)
                here &= here - 1
                places[row][digit] |= <uint16_t> 1 << column
                places[9 + column][digit] |= <uint16_t> 1 << row
                places[18 + row // 3 * 3 + column // 3][digit] |= <uint16_t> 1 << (row % 3 * 3 + column % 3)
    for way in range(2):
        for line in range(9):
            c = line - line % 3
            for k in range(3):
                here = part[way][line][k]
                confined = here & ~(part[way][line][(k + 1) % 3] | part[way][line][(k + 2) % 3])
                confined |= here & ~(part[way][c + (line + 1) % 3][k] | part[way][c + (line + 2) % 3][k])
                if bit_count(confined) > 3:
                    return True
    for line in range(27):
        if short_of_cells(places[line]):
            return True
    return False


cdef inline bint given_up(Solver* s, int lane) noexcept nogil:
    """Whether a lane that has not found a solution for long is in a hopeless state."""
    # & and |, not `and` and `or`: the first guess would often be mispredicted
    if not (s.guesses[lane] != 0) & (s.guesses[lane] % PATIENCE == 0) | ((s.doubtful & bit(lane)) != 0):
        return False
    if s.request.counts[s.puzzle[lane]] or not hopeless(s.frame[lane]):
        s.doubtful &= ~bit(lane)
        return False
    s.doubtful |= bit(lane)
    return True


cdef inline int simple_choice(int level, bint straight, const uint16_t* frame) noexcept nogil:
    """The simple choice where it is good enough, and a second guess on straight paths (choose_first); or -1."""
    if level < (STRAIGHT if straight else DEEP):
        return -1
    return choose_first(frame, straight)


cdef inline uint32_t simple_lanes(Solver* s) noexcept nogil:
    """The lanes whose next guess has a level at which the simple choice is tried."""
    cdef vec level = vec_load(s.depth) + vec_load(s.top) + vec_fill(1)
    cdef uint32_t straight = s.straight & vec_lanes(vec_minus(level, vec_fill(STRAIGHT - 1)))
    return straight | vec_lanes(vec_minus(level, vec_fill(DEEP - 1)))


cdef inline bint simple_guess(Solver* s, int lane) noexcept nogil:
    """Guess by the simple choice; false if the choice has to be careful."""
    cdef int choice = simple_choice(s.depth[lane] + s.top[lane] + 1, (s.straight & bit(lane)) != 0, s.frame[lane])
    if choice < 0:
        return False
    s.guesses[lane] += 1
    s.top[lane] += 1
    invariant(s.top[lane] < LEVELS)
    if choice < 512:
        guess(s, lane, choice)
    else:
        guess_two(s, lane, choice)
    return True


cdef inline void branch(Solver* s, uint32_t stuck) noexcept nogil:
    """Make a guess in each stuck lane, whose frames are at the top of their stacks.

    Careful choice: one of the first 16 cells with two candidates (or else three, or else more).  A digit scores
    a point for each peer that has it, two for a peer with three candidates and six for one with two.  The cell
    whose lowest and highest candidate have most points together is chosen, of equals the last; that one of the
    two candidates that has more points is tried first, of equals the lower one.
    Simple choice: the first cell with two candidates, the lower one first.  On a path of first branches also the
    first such cell that is not its peer: most of these guesses succeed, and a turn of the lane is saved.
    The choice depends only on the path from the root.  With SIMPLE_FIRST the lanes of the simple choice
    come first: a branch in each lane would often be mispredicted.
    """
    cdef uint16_t* frames[LANES]
    cdef uint8_t lanes[LANES]
    cdef uint8_t choices[LANES]
    cdef int count = 0
    cdef int lane, k
    cdef uint32_t simple = stuck & simple_lanes(s) if SIMPLE_FIRST else 0
    stuck ^= simple
    while simple:
        lane = lowest_bit(simple)
        simple &= simple - 1
        if given_up(s, lane):
            s.freed |= bit(lane)
        elif not simple_guess(s, lane):
            stuck |= bit(lane)
    while stuck:
        lane = lowest_bit(stuck)
        stuck &= stuck - 1
        if given_up(s, lane):
            s.freed |= bit(lane)
            continue
        if not SIMPLE_FIRST and simple_guess(s, lane):
            continue
        s.guesses[lane] += 1
        s.top[lane] += 1
        invariant(s.top[lane] < LEVELS and count < LANES)
        lanes[count] = lane
        frames[count] = s.frame[lane]
        count += 1
    if count == 0:
        return
    choose_best(frames, count, choices)
    for k in range(count):
        guess(s, lanes[k], choices[k])


cdef inline bint keep_grid(Solver* s, int lane) noexcept nogil:
    """Write the full grid of a lane as the next one of its segment, if it needs one; false if it is not a solution.

    A grid that is not a solution is overwritten by the next one, or never read.
    """
    cdef uint8_t[96] nowhere
    cdef bint needed = s.found[lane] < s.kept  # not if its grids came from a finished segment
    cdef uint8_t* row = kept_grid(s, lane, s.found[lane]) if needed else NULL
    if not grid_write(s.room.board.cell, lane, s.frame[lane], s.request.zero_out, row if row != NULL else nowhere):
        return False
    s.found[lane] += needed
    if s.found[lane] >= s.kept:
        s.supplied |= bit(lane)
    return True


cdef bint search(Solver* s, int64_t turns) noexcept nogil:
    """Work for at most `turns` turns; true if all puzzles are finished."""
    cdef Rest rest
    cdef uint32_t active, wanted, solved, stuck, left, ended
    cdef int lane, enough
    cdef size_t p
    while turns > 0:
        turns -= 1
        feed(s)
        active = ALL_LANES & ~s.vacant
        if not active:
            return True
        enough = (AT_REST * bit_count(active) + LANES - 1) // LANES
        wanted = ~s.supplied if s.kept else 0  # lanes whose next grid is copied
        rest = propagate(&s.room.board, active, wanted, enough)
        solved = rest.idle & ~rest.bad & ~rest.open
        stuck = rest.idle & ~rest.bad & rest.open
        s.room.board.total = s.room.board.total | vec_of_lanes(stuck)  # NEW_STATE
        frames_out(s.room.board.cell, stuck if GRIDS_FROM_LANES else stuck | (solved & wanted), s.frame)
        ended = 0
        while solved:
            lane = lowest_bit(solved)
            solved &= solved - 1
            if wanted & bit(lane) and not keep_grid(s, lane):
                continue
            p = s.puzzle[lane]
            if s.request.counts[p] < s.request.limit:
                s.request.counts[p] += 1
            if s.request.counts[p] >= s.request.limit:
                ended |= settle(s, lane)
                solved &= ~ended
        if s.request.budget:
            left = stuck
            while left:
                lane = lowest_bit(left)
                left &= left - 1
                if s.guesses[lane] >= s.request.budget:
                    cut_off(s, lane)
        s.vacant |= ended
        s.freed = rest.idle & ~stuck
        branch(s, stuck & ~s.vacant)
    return False


cdef void begin(Solver* s, const Request* request) noexcept nogil:
    """Prepare a solver, new or used before, for a request: set every field, to zero if nothing else."""
    cdef Room* room = s.room
    cdef void* memory = s.memory
    spoil(room, sizeof(Room))
    spoil(s, sizeof(Solver))
    memset(s, 0, sizeof(Solver))
    s.room, s.memory = room, memory
    s.request = request[0]
    s.vacant = ALL_LANES
    s.share = s.request.budget == 0 and s.request.guesses == NULL
    if s.request.solutions != NULL:
        s.kept = 1
    if s.request.witnesses != NULL:
        s.kept = 2
    if s.kept and s.request.limit < 2:
        s.kept = 1


cdef void abandon_all(Solver* s) noexcept nogil:
    """End all unfinished puzzles without an exact result."""
    cdef uint32_t left = ALL_LANES & ~s.vacant
    cdef size_t p
    while left:
        abandon(&s.request, s.puzzle[lowest_bit(left)])
        left &= left - 1
    while s.next < s.request.count:
        p = next_puzzle(s)
        s.request.counts[p] = 0
        abandon(&s.request, p)
