# Ratings up to 4.4, one puzzle in each lane of the vectors.
#
# The techniques up to 4.4 are monotone (closure.pxi), so a lane has a level: the least rating that it needs. At a
# level all techniques up to it are applied in any order and many at once; a lane that they leave unchanged climbs.
# ER is the level at which the grid becomes full, EP the level at which the first cell is filled, ED the level of the
# first change. A stage is a few levels with a register of lanes of its own. A puzzle that its techniques cannot solve
# goes through a queue to the next stage, so that registers stay full; one with a wing goes back from the last stage
# to the one before it. A puzzle that the last stage leaves is open: the ordered engine goes on from there.
#
#     text -> hidden singles -> direct steps -> naked singles -> intersections -> subsets, fish <-> wings -> open

from unidoku._native.lanes.frames cimport (
    ALL_LANES, LANES, cell_place, frame_read, frames_prepare,
)

cdef uint8_t[LEVELS] LEVEL_RATING = [12, 15, 17, 19, 20, 23, 25, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44]
cdef uint8_t[LEVELS] LEVEL_TECHNIQUE = [
    HIDDEN_SINGLE, HIDDEN_SINGLE, DIRECT_POINTING, DIRECT_CLAIMING, DIRECT_HIDDEN_PAIR, NAKED_SINGLE,
    DIRECT_HIDDEN_TRIPLET, POINTING, CLAIMING, NAKED_PAIR, X_WING, HIDDEN_PAIR, NAKED_TRIPLET, SWORDFISH,
    HIDDEN_TRIPLET, XY_WING, XYZ_WING,
]
cdef uint8_t[STAGES] FIRST_LEVEL = [L12, L17, L23, L26, L30, L42]
# A stage makes rounds until so many per cent of its lanes are at rest, then looks for the other techniques.
cdef int[STAGES] REST_SHARE = [0, 55, 80, 80, 85, 0]

frames_prepare()


cdef Pool idle_lanes


cdef Lanes* lanes_new(Py_ssize_t count) noexcept nogil:
    """The lanes of a call with so many puzzles, without a text yet; NULL if there is no memory."""
    cdef Lanes* lanes = <Lanes*> pool_take(&idle_lanes)
    if lanes == NULL:
        lanes = <Lanes*> allocate_lines(sizeof(Lanes))
        if lanes == NULL:
            return NULL
        lanes.grades = NULL
        lanes.room = 0
    if not make_room(<void**> &lanes.grades, &lanes.room, count, sizeof(Grade)):
        lanes_free(lanes)
        return NULL
    lanes_start(lanes, count)
    return lanes


cdef void lanes_start(Lanes* lanes, Py_ssize_t count) noexcept nogil:
    """Set every field for so many puzzles; of a queue the memory after its count is written before it is read."""
    cdef int stage
    spoil(lanes.pack, sizeof(lanes.pack))
    spoil(lanes.queue, sizeof(lanes.queue))
    memset(lanes.pack, 0, sizeof(lanes.pack))
    memset(lanes.grades, 0, count * sizeof(Grade))
    for stage in range(STAGES):
        lanes.pack[stage].board.house = CELL
    for stage in range(STAGES + 1):
        lanes.queue[stage].count = 0
    lanes.text = NULL
    lanes.starts = NULL
    lanes.size = 0
    lanes.zero = 0
    lanes.count = count
    lanes.following = 0


cdef void lanes_free(Lanes* lanes) noexcept nogil:
    """Give the memory back, to the pool if there is a place."""
    if not pool_keep(&idle_lanes, lanes):
        free(lanes.grades)
        free_lines(lanes)


cdef void grade_progress(const Grade* grade, Progress* progress) noexcept nogil:
    """Set where the ordered engine begins: after the lanes, at 4.4 if they left the puzzle open."""
    cdef int level
    memset(progress, 0, sizeof(Progress))
    progress.er = grade.er
    progress.ep = grade.ep
    progress.ed = grade.ed
    progress.placed = grade.ep != 0
    if not grade.er and grade.ed:
        progress.er = rating_of(XYZ_WING)
    progress.technique = HIDDEN_SINGLE if progress.er else NO_TECHNIQUE
    for level in range(LEVELS):
        if LEVEL_RATING[level] == progress.er:
            progress.technique = LEVEL_TECHNIQUE[level]
    progress.name = name_of_easy(progress.technique, progress.er)


cdef inline void board_load_frame(Board* board, const uint16_t* frame) noexcept nogil:
    """Load a puzzle as the lanes left it: per cell the candidates, or FILLED and the digit."""
    cdef int cell
    cdef unsigned int word
    memset(board, 0, sizeof(Board))
    for cell in range(81):
        word = frame[cell_place(cell)]
        if word & FILLED:
            board.value[cell] = <uint8_t> (lowest_bit(word) + 1)
        else:
            board.cand[cell] = <uint16_t> word
    board_index(board)


cdef inline void board_store_frame(const Board* board, uint16_t* frame) noexcept nogil:
    """The same backwards."""
    cdef int cell
    for cell in range(81):
        frame[cell_place(cell)] = board.cand[cell]
        if board.value[cell]:
            frame[cell_place(cell)] = <uint16_t> (FILLED | 1 << (board.value[cell] - 1))


cdef inline int level_of(const Pack* pack, int lane, int stage) noexcept nogil:
    """The level of a lane."""
    cdef int level = FIRST_LEVEL[stage]
    while level + 1 < LEVELS and pack.at_least[level + 1] >> lane & 1:
        level += 1
    return level


cdef inline uint32_t lanes_at(const Pack* pack, int level) noexcept nogil:
    """The lanes at a level."""
    return pack.at_least[level] & ~pack.at_least[level + 1]


cdef inline void climb(Pack* pack, uint32_t rest, int level) noexcept nogil:
    """Lanes at rest leave a level."""
    pack.at_least[level + 1] |= rest & lanes_at(pack, level)


cdef inline void note_lanes(Lanes* lanes, int stage, uint32_t changed, uint32_t filled) noexcept nogil:
    """Record the lanes that changed and those in which a cell was filled."""
    cdef Pack* pack = &lanes.pack[stage]
    cdef uint32_t now = pack.no_ed & changed
    cdef int lane
    pack.dirty |= changed
    while now:
        lane = lowest_bit(now)
        lanes.grades[pack.id[lane]].ed = LEVEL_RATING[level_of(pack, lane, stage)]
        now &= now - 1
    now = pack.no_ep & filled
    while now:
        lane = lowest_bit(now)
        lanes.grades[pack.id[lane]].ep = LEVEL_RATING[level_of(pack, lane, stage)]
        now &= now - 1
    pack.no_ed &= ~changed
    pack.no_ep &= ~filled


cdef inline bint last_cells_solve(const uint16_t* frame) noexcept nogil:
    """Whether the last cells of houses fill a puzzle; it is a frame of clues."""
    cdef uint8_t empty[81]
    cdef uint8_t empties[27]
    cdef int house, place, cell, left = 0
    cdef bint more = True
    for cell in range(81):
        empty[cell] = frame[cell_place(cell)] == ALL_DIGITS
        left += empty[cell]
    while more and left:
        more = False
        for house in range(27):
            empties[house] = 0
            for place in range(9):
                empties[house] += empty[CELL[house][place]]
            if empties[house] == 1:
                for place in range(9):
                    empty[CELL[house][place]] = 0
                left -= 1
                more = True
    return left == 0


cdef inline void check_full(Lanes* lanes, Pack* pack) noexcept nogil:
    """Check the full grids: a correct one shows that the puzzle is proper."""
    cdef uint32_t right
    cdef int lane
    if not pack.full:
        return
    right = solved_lanes(&pack.board)
    while pack.full:
        lane = lowest_bit(pack.full)
        lanes.grades[pack.id[lane]].state = GRADED if right >> lane & 1 else WRONG
        pack.full &= pack.full - 1


cdef void take_lanes(Lanes* lanes, int stage, uint32_t idle) noexcept nogil:
    """Fill idle lanes: from the text or from the stage's queue."""
    cdef Pack* pack = &lanes.pack[stage]
    cdef Frames* queue = &lanes.queue[stage]
    cdef uint16_t* frames[32]
    cdef uint32_t back[LEVELS + 1]  # lanes that keep a higher level than the stage's first
    cdef uint32_t taken = 0, now
    cdef int lane, level
    memset(back, 0, sizeof(back))
    check_full(lanes, pack)
    if stage == HIDDEN_STAGE:  # its queue is only a place for the frames
        queue.count = 0
        while queue.count < bit_count(idle) and lanes.following < lanes.count:
            frame_read(lanes.text + start_of(lanes.starts + lanes.following, lanes.size), lanes.zero,
                       queue.word[queue.count])
            queue.id[queue.count] = <int> lanes.following
            queue.level[queue.count] = L12
            queue.count += 1
            lanes.following += 1
    while idle and queue.count:
        queue.count -= 1
        lane = lowest_bit(idle)
        idle &= idle - 1
        taken |= <uint32_t> 1 << lane
        frames[lane] = queue.word[queue.count]
        pack.id[lane] = queue.id[queue.count]
        for level in range(FIRST_LEVEL[stage] + 1, queue.level[queue.count] + 1):
            back[level] |= <uint32_t> 1 << lane
    if not taken:
        return
    for level in range(LEVELS + 1):
        if level <= FIRST_LEVEL[stage]:
            pack.at_least[level] |= taken
        else:
            pack.at_least[level] = pack.at_least[level] & ~taken | back[level]
    board_in(&pack.board, taken, frames, stage == HIDDEN_STAGE)
    pack.active |= taken
    pack.no_ed &= ~taken
    pack.no_ep &= ~taken
    pack.dirty &= ~taken
    if stage == HIDDEN_STAGE:
        now = strike_clues(&pack.board, taken)
        pack.no_ed |= taken & ~now
        pack.no_ep |= taken & ~now
        while now:
            lane = lowest_bit(now)
            lanes.grades[pack.id[lane]].ed = lanes.grades[pack.id[lane]].ep = RATING_OF_LAST_CELL
            if last_cells_solve(frames[lane]):
                lanes.grades[pack.id[lane]].er = RATING_OF_LAST_CELL
            now &= now - 1
        return
    now = taken
    while now:
        lane = lowest_bit(now)
        if not lanes.grades[pack.id[lane]].ed:
            pack.no_ed |= <uint32_t> 1 << lane
        if not lanes.grades[pack.id[lane]].ep:
            pack.no_ep |= <uint32_t> 1 << lane
        now &= now - 1


cdef void send_lanes(Lanes* lanes, int stage, uint32_t which, int to) noexcept nogil:
    """Move lanes to a queue."""
    cdef Pack* pack = &lanes.pack[stage]
    cdef Frames* queue = &lanes.queue[to]
    cdef uint16_t* frames[32]
    cdef uint32_t now = which
    cdef int lane
    if not which:
        return
    while now:
        lane = lowest_bit(now)
        frames[lane] = queue.word[queue.count]
        queue.id[queue.count] = pack.id[lane]
        if to == STAGES:
            lanes.grades[pack.id[lane]].state = LEFT
            lanes.grades[pack.id[lane]].er = 0
        queue.level[queue.count] = <uint8_t> level_of(pack, lane, stage)
        queue.count += 1
        now &= now - 1
    board_out(&pack.board, which, frames)
    pack.active &= ~which


cdef inline uint32_t still(Lanes* lanes, int stage, uint32_t rest, uint32_t seen, bint fills) noexcept nogil:
    """Record the lanes that a technique changed; return the lanes still at rest."""
    seen &= lanes.pack[stage].active
    note_lanes(lanes, stage, seen, seen if fills else 0)
    return rest & ~seen


cdef inline uint32_t look_for_direct(Lanes* lanes, int stage, uint32_t rest) noexcept nogil:
    """Look for direct hidden pairs and triplets; the lanes still at rest."""
    cdef Pack* pack = &lanes.pack[stage]
    cdef uint32_t twos, threes = 0, seen
    if stage == DIRECT_STAGE:
        twos = pack.at_least[L20]
    else:
        twos = pack.dirty & ~pack.at_least[L34]
        threes = pack.at_least[L25] if stage == NAKED_STAGE else pack.dirty & ~pack.at_least[L40]
    twos &= pack.active
    if twos & rest:
        seen = direct_pairs(&pack.board, twos)
        pack.pending |= seen
        rest = still(lanes, stage, rest, seen, True)
    if stage == NAKED_STAGE:
        threes |= rest & lanes_at(pack, L23)
        climb(pack, rest, L23)
    threes &= pack.active
    if threes & rest:
        seen = direct_triplets(&pack.board, threes)
        pack.pending |= seen
        rest = still(lanes, stage, rest, seen, True)
    pack.dirty &= ~rest
    return rest


cdef uint32_t look_for_subsets(Lanes* lanes, uint32_t rest) noexcept nogil:
    """The techniques from 3.0 to 4.0; the lanes that none of them changes."""
    cdef Pack* pack = &lanes.pack[SUBSET_STAGE]
    cdef PackBoard* board = &pack.board
    cdef uint32_t active = pack.active
    cdef int few = bit_count(active) // 4
    rest = still(lanes, SUBSET_STAGE, rest, naked_pairs(board, active), False)
    if bit_count(rest) < few:
        return 0
    find_places(board)
    rest = look_for_direct(lanes, SUBSET_STAGE, rest)
    climb(pack, rest, L30)
    rest = still(lanes, SUBSET_STAGE, rest, x_wings(board, active & pack.at_least[L32]), False)
    climb(pack, rest, L32)
    rest = still(lanes, SUBSET_STAGE, rest, hidden_pairs(board, active & pack.at_least[L34]), False)
    climb(pack, rest, L34)
    if bit_count(rest) < few:
        return 0
    rest = still(lanes, SUBSET_STAGE, rest, naked_triplets(board, active & pack.at_least[L36]), False)
    climb(pack, rest, L36)
    if bit_count(rest) < few:
        return 0
    rest = still(lanes, SUBSET_STAGE, rest, swordfish(board, active & pack.at_least[L38]), False)
    climb(pack, rest, L38)
    if bit_count(rest) < few:
        return 0
    rest = still(lanes, SUBSET_STAGE, rest, hidden_triplets(board, active & pack.at_least[L40]), False)
    return rest & pack.at_least[L40]


cdef void look_for_wings(Lanes* lanes) noexcept nogil:
    """The techniques 4.2 and 4.4; all lanes leave the stage."""
    cdef Pack* pack = &lanes.pack[WING_STAGE]
    cdef uint32_t all_lanes = pack.active
    cdef uint32_t rest = still(lanes, WING_STAGE, all_lanes, xy_wings(&pack.board, all_lanes), False)
    climb(pack, rest, L42)
    if rest:
        rest = still(lanes, WING_STAGE, rest, xyz_wings(&pack.board, rest & pack.at_least[L44]), False)
    send_lanes(lanes, WING_STAGE, rest, STAGES)
    send_lanes(lanes, WING_STAGE, all_lanes & ~rest, SUBSET_STAGE)


cdef inline LanesSeen make_round(Pack* pack, int stage) noexcept nogil:
    """One round of a stage."""
    cdef bint found = pack.pending != 0
    pack.pending = 0
    if stage == HIDDEN_STAGE:
        return round_hidden(&pack.board, pack.at_least[L15])
    if stage == DIRECT_STAGE:
        return round_direct(&pack.board, pack.at_least[L19], found)
    if stage == NAKED_STAGE:
        return round_naked(&pack.board, ALL_LANES, found)
    return round_locked(&pack.board, pack.at_least[L28], found)


cdef inline int enough_at_rest(int stage, int active) noexcept nogil:
    """How many lanes must be at rest before rounds end."""
    if stage != HIDDEN_STAGE:
        return (active * REST_SHARE[stage] + 99) // 100
    return max(min(active, 1), active - LANES * 3 // 4)


cdef uint32_t make_rounds(Lanes* lanes, int stage) noexcept nogil:
    """Make rounds until enough lanes are at rest; those lanes.  Full grids are graded and leave."""
    cdef Pack* pack = &lanes.pack[stage]
    cdef LanesSeen seen
    cdef uint32_t rest, up, solved
    cdef Grade* grade
    cdef int lane, enough = enough_at_rest(stage, bit_count(pack.active))
    while True:
        seen = make_round(pack, stage)
        note_lanes(lanes, stage, seen.changed & pack.active, seen.filled & pack.active)
        rest = pack.active & ~seen.changed
        if stage == HIDDEN_STAGE:
            up = rest & lanes_at(pack, L12)
            climb(pack, up, L12)
            rest &= ~up
        elif stage == DIRECT_STAGE:
            up = rest & ~pack.at_least[L20]
            pack.at_least[L20] |= up & pack.at_least[L19]
            pack.at_least[L19] |= up
            rest &= ~up
        solved = pack.active & ~seen.open
        if solved:
            pack.full |= solved
            pack.active &= ~solved
            rest &= ~solved
            while solved:
                lane = lowest_bit(solved)
                grade = &lanes.grades[pack.id[lane]]
                if grade.ed and not grade.er:  # not yet rated 1.0, nor given as a full grid
                    grade.er = LEVEL_RATING[level_of(pack, lane, stage)]
                solved &= solved - 1
            enough = enough_at_rest(stage, bit_count(pack.active))
        if bit_count(rest) >= enough:
            return rest


cdef void run_stage(Lanes* lanes, int stage, bint flush) noexcept nogil:
    """Work until the stage runs short of puzzles (with `flush`: has none), or the next queue is full."""
    cdef Pack* pack = &lanes.pack[stage]
    cdef uint32_t rest, up
    cdef int active
    while True:
        active = bit_count(pack.active)
        if active <= LANES * 3 // 4:
            take_lanes(lanes, stage, ALL_LANES & ~pack.active)
            active = bit_count(pack.active)
        if not active or (not flush and active < LANES * 5 // 8) or lanes.queue[stage + 1].count > QUEUE_FULL:
            return
        if stage == WING_STAGE:
            look_for_wings(lanes)
            continue
        rest = make_rounds(lanes, stage)
        if rest and stage == SUBSET_STAGE:
            rest = look_for_subsets(lanes, rest)
        elif rest and stage != HIDDEN_STAGE:
            find_places(&pack.board)
            rest = look_for_direct(lanes, stage, rest)
            if stage == LOCKED_STAGE:
                up = rest & lanes_at(pack, L26)
                climb(pack, up, L26)
                rest &= ~up
        send_lanes(lanes, stage, rest, stage + 1)


cdef bint run_lanes(Lanes* lanes, const uint8_t* stop) noexcept nogil:
    """Rate puzzles until there are no more or the stop flag is set, or until many are open: false then."""
    cdef int stage
    while lanes.queue[STAGES].count <= QUEUE_FULL:
        if is_set(stop):
            return True
        stage = WING_STAGE  # the last stage that can fill its lanes
        while stage and lanes.queue[stage].count < LANES:
            stage -= 1
        if stage or lanes.following < lanes.count:
            run_stage(lanes, stage, False)
            continue
        while stage < STAGES and not lanes.pack[stage].active and not lanes.queue[stage].count:
            stage += 1
        if stage == STAGES:
            return True
        run_stage(lanes, stage, True)
    return False
