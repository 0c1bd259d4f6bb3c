# The search of one puzzle, or of a few one after the other: the same rounds, guesses and tree as the lanes kernel,
# with the whole state of a puzzle in a few registers.
#
# In the lanes kernel a lane is a puzzle; here a vector is a third of one grid (one.h).  Unions over the rows i of a
# box are plain operations on the three thirds, and unions over columns, stacks and bands are permutations of one
# register.  A call costs no allocation: the stack of untried branches is on the C stack or in the caller's object.
#
#     third 0                                  third 1                  third 2
#     r1 . . . . . . . . .                     r2 . . . . . . . . .     r3 . . . . . . . . .
#     r4 . . . . . . . . .                     r5                       r6
#     r7 . . . . . . . . .                     r8                       r9
#
#     unions of the columns of boxes: third 0 | third 1 | third 2
#     unions of the rows of boxes:    third | its words turned by one in each stack | turned by two
#
# A grid as a few registers whose words move by permutations is tdoku's; its boards hold boxes, here they hold thirds.

cdef extern from "one.h" nogil:
    ctypedef struct third:
        pass
    ctypedef struct Frame:
        uint16_t word[FRAME]

    third third_and(third a, third b)
    third third_xor(third a, third b)
    third third_min(third a, third b)
    third third_after_singles(third cell, third hidden, third naked, third single)
    third third_single(third a)
    third third_several(third a)
    third third_any(third a, third b, third c)
    third third_one(third a, third b, third c)
    third third_or_both(third a, third b, third c)
    third third_without(third a, third b, third c)
    third third_neither(third a, third b, third c)
    bint third_some(third a)
    bint third_lacks(third digits, third least)
    third third_columns(third a, int k)
    third third_stacks(third a, int k)
    third third_match_columns(third a)
    third third_none()
    third third_load(const uint16_t* words)
    void third_store(third a, uint16_t* words)
    third third_replace(third a, int i, int place, uint16_t value)
    void one_prepare()
    int choose_one(const uint16_t* frame)


cdef extern from "one.h":
    enum:
        PARTS  # registers of a third

cdef enum:  # outcomes of a search
    ENDED  # all solutions are found, or as many as the limit asks for
    CUT_OFF  # the budget is used up
    UNFINISHED  # the turns are used up, or the stream is full


cdef struct Node:
    # The state of a puzzle: row[i] is row i of each band.  `hidden` has, at each column of each box, the digits
    # with one place left in the box, if it is in this column; the next round places them.
    third row[3]
    third hidden


cdef struct One:
    third level[LEVELS][3]  # untried branches, the newest last
    Frame frame  # the state at the last guess or solution
    Request* request
    size_t puzzle
    int top  # untried branches
    bint doubtful  # the last state was hopeless
    int64_t turns  # branches to take from the stack until the search returns
    uint64_t found
    uint64_t guesses
    uint64_t rounds


cdef inline bint one_round(Node* n) noexcept nogil:
    """One round, as in round.pxi; false if there is a contradiction."""
    cdef third y0, y1, y2, single0, single1, single2, naked, taken, allowed, row0, row1, row2
    cdef third p0, p1, p2, q0, q1, q2, some, left, right, hidden, full
    # in each box: hidden singles found by the round before, then naked singles
    single0 = third_single(n.row[0])
    single1 = third_single(n.row[1])
    single2 = third_single(n.row[2])
    naked = third_any(single0, single1, single2)
    taken = third_any(naked, third_columns(naked, 1), third_columns(naked, 2))
    y0 = third_after_singles(n.row[0], n.hidden, taken, single0)
    y1 = third_after_singles(n.row[1], n.hidden, taken, single1)
    y2 = third_after_singles(n.row[2], n.hidden, taken, single2)
    # in each stack: boxes against columns
    allowed = third_match_columns(third_any(y0, y1, y2))
    y0 = third_and(y0, allowed)
    y1 = third_and(y1, allowed)
    y2 = third_and(y2, allowed)
    # in each band: boxes against rows
    row0 = third_any(y0, third_columns(y0, 1), third_columns(y0, 2))
    row1 = third_any(y1, third_columns(y1, 1), third_columns(y1, 2))
    row2 = third_any(y2, third_columns(y2, 1), third_columns(y2, 2))
    p0 = third_stacks(row0, 1)
    p1 = third_stacks(row1, 1)
    p2 = third_stacks(row2, 1)
    q0 = third_stacks(row0, 2)
    q1 = third_stacks(row1, 2)
    q2 = third_stacks(row2, 2)
    y0 = third_and(y0, third_or_both(third_and(p1, q2), q1, p2))
    y1 = third_and(y1, third_or_both(third_and(p2, q0), q2, p0))
    y2 = third_and(y2, third_or_both(third_and(p0, q1), q0, p1))
    n.row[0] = y0
    n.row[1] = y1
    n.row[2] = y2
    # hidden singles: digits in one cell of a column of the box and in no cell of its other two columns
    some = third_any(y0, y1, y2)
    left = third_columns(some, 1)
    right = third_columns(some, 2)
    hidden = third_neither(third_one(y0, y1, y2), left, right)
    n.hidden = hidden
    full = third_without(third_any(some, left, right), naked, hidden)
    return not third_lacks(full, third_min(third_min(y0, y1), y2))


cdef inline bint node_done(Node* n) noexcept nogil:
    """Whether a round has left a full and right grid, which another one would not change.

    Then each digit has one place in each box. A round ends with the rows, so only the columns may be wrong.
    """
    cdef third columns = third_any(n.row[0], n.row[1], n.row[2])
    if third_some(third_xor(n.hidden, columns)):
        return False
    return not third_some(third_xor(columns, third_and(columns, third_match_columns(columns))))


cdef inline bint settle_node(Node* n, uint64_t* rounds) noexcept nogil:
    """Rounds until one changes nothing; false if there is a contradiction."""
    cdef third a, b, c
    n.hidden = third_none()
    rounds[0] += 1
    if not one_round(n):
        return False
    while True:
        rounds[0] += 1
        if PARTS == 1 and node_done(n):  # of more registers the test costs more than the round that it saves
            return True
        a = n.row[0]
        b = n.row[1]
        c = n.row[2]
        if not one_round(n):
            return False
        a = third_any(third_xor(a, n.row[0]), third_xor(b, n.row[1]), third_xor(c, n.row[2]))
        if not third_some(a):
            return True


cdef inline bint node_open(Node* n) noexcept nogil:
    """Whether some cell has several candidates."""
    return third_some(third_any(third_several(n.row[0]), third_several(n.row[1]), third_several(n.row[2])))


cdef inline void one_start(One* s, Request* request, size_t p) noexcept nogil:
    """Prepares the search of a puzzle of a request: sets every field, except for levels, which a guess writes."""
    cdef int i
    spoil(s, sizeof(One))
    read_frame(request, p, s.frame.word)
    for i in range(3):
        s.level[0][i] = third_load(s.frame.word + THIRD * i)
    s.request = request
    s.puzzle = p
    s.top = 1
    s.doubtful = False
    s.turns = 0
    s.found = s.guesses = s.rounds = 0


cdef void one_restrict(One* s, const uint16_t* masks) noexcept nogil:
    """Keeps only the candidates of 81 masks in a search that has been prepared."""
    cdef int cell, place
    for cell in range(81):
        place = cell_place(cell)
        s.frame.word[place] &= masks[cell]
        s.level[0][cell // 9 % 3] = third_replace(s.level[0][cell // 9 % 3], cell // 9 % 3, place, s.frame.word[place])


cdef inline void one_keep(One* s) noexcept nogil:
    """Writes the solution in the frame to its output."""
    cdef Request* request = s.request
    if request.stream != NULL:
        frame_write(s.frame.word, request.zero_out, request.stream)
        request.stream += 81
        request.space -= 1
    elif s.found == 0 and request.solutions != NULL:
        frame_write(s.frame.word, request.zero_out, request.solutions + 81 * s.puzzle)
    elif s.found == 1 and request.witnesses != NULL:
        frame_write(s.frame.word, request.zero_out, request.witnesses + 81 * s.puzzle)


cdef inline bint one_hopeless(One* s) noexcept nogil:
    """given_up() of the lanes kernel."""
    if s.guesses % PATIENCE and not s.doubtful:
        return False
    s.doubtful = s.guesses != 0 and s.found == 0 and hopeless(s.frame.word)
    return s.doubtful


cdef inline void one_guess(One* s, Node* n, int choice) noexcept nogil:
    """guess() of the lanes kernel."""
    cdef int place = choice >> 1
    cdef uint16_t candidates = s.frame.word[place]
    cdef uint16_t digit = guessed_digit(candidates, choice)
    cdef third* waiting = s.level[s.top]
    invariant(s.top < LEVELS and s.frame.word[place] & digit and candidates != digit)
    s.guesses += 1
    s.top += 1
    waiting[0] = third_replace(n.row[0], 0, place, candidates ^ digit)
    waiting[1] = third_replace(n.row[1], 1, place, candidates ^ digit)
    waiting[2] = third_replace(n.row[2], 2, place, candidates ^ digit)
    n.row[0] = third_replace(n.row[0], 0, place, digit)
    n.row[1] = third_replace(n.row[1], 1, place, digit)
    n.row[2] = third_replace(n.row[2], 2, place, digit)


cdef int one_search(One* s) noexcept nogil:
    """Searches until the end, the budget, or the end of the turns."""
    cdef Node n
    cdef uint64_t limit = s.request.limit
    cdef uint64_t budget = s.request.budget
    cdef uint64_t rounds = s.rounds
    cdef int outcome = ENDED
    cdef bint straight
    cdef int choice
    while s.top:
        if s.turns <= 0:
            outcome = UNFINISHED
            break
        s.turns -= 1
        s.top -= 1
        n.row[0] = s.level[s.top][0]
        n.row[1] = s.level[s.top][1]
        n.row[2] = s.level[s.top][2]
        straight = s.guesses == 0
        while settle_node(&n, &rounds):
            third_store(n.row[0], s.frame.word)
            third_store(n.row[1], s.frame.word + THIRD)
            third_store(n.row[2], s.frame.word + 2 * THIRD)
            if not node_open(&n):
                one_keep(s)
                s.found += 1
                if s.found >= limit:
                    s.top = 0
                elif s.request.stream != NULL and s.request.space == 0:
                    s.turns = 0
                break
            if budget and s.guesses >= budget:
                s.rounds = rounds
                return CUT_OFF
            if one_hopeless(s):
                break
            choice = simple_choice(s.top + 1, straight, s.frame.word)
            if choice < 0:
                choice = choose_one(s.frame.word)
            one_guess(s, &n, choice & 255)
            if choice >= 512:
                if budget and s.guesses >= budget:
                    s.rounds = rounds
                    return CUT_OFF
                one_guess(s, &n, choice >> 8)
    s.rounds = rounds
    return outcome


cdef void hand_over(One* s, Solver* lanes) noexcept nogil:
    """Prepares the lanes to finish a puzzle: lane 0 gets all untried branches, other lanes take theirs from it."""
    cdef int k, i
    begin(lanes, s.request)
    lanes.next = lanes.request.count
    lanes.request.counts[s.puzzle] = s.found
    begin_lane(lanes, 0, s.puzzle)
    lanes.straight = 0
    lanes.doubtful = s.doubtful
    lanes.freed = bit(0)
    lanes.guesses[0] = s.guesses
    lanes.top[0] = s.top
    lanes.found[0] = <int> min(s.found, <uint64_t> lanes.kept)
    for k in range(s.top):
        for i in range(3):
            third_store(s.level[k][i], lanes.room.stack[0][k] + THIRD * i)
