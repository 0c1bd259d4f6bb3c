# The least and the most guess level over all choices of guesses; steps.pyx includes this text after steps.pxi.
#
# A choice is a cell and a digit, where a guess is due. What happens up to the next guess depends on the board
# alone, so boards that were met before are kept in a table.

from libc.stdlib cimport calloc, malloc

cdef enum:
    CHOICES = 729            # at most: nine digits in 81 cells
    SEEN = 1 << 18           # entries of the table
    FRONT = 64               # boards kept of each number of guesses

cdef struct Choice:
    Board board              # when the next guess is due
    int outcome              # PENDING: a guess is due, OK: solved, WRONG: a contradiction
    int left                 # candidates of the board
    unsigned char cell
    unsigned char value

cdef struct Seen:
    unsigned long long first  # hash of the board
    unsigned long long second
    int levels               # how many further levels are known to be too few, or are the most; 0: no entry

cdef struct Path:
    int levels
    unsigned char cells[81]
    unsigned char values[81]

cdef struct Front:           # a board that is kept while all lengths of guesses are looked through at once
    Choice reached
    unsigned long long hash
    Path path

cdef struct LevelSearch:
    Engine engine
    Choice* choices[81]      # by the number of guesses made
    Front* fronts[2]         # of this number of guesses and of the next
    Seen* seen
    const unsigned char* solution
    const unsigned char* stop
    count_t tried
    count_t budget
    bint ended               # by the budget, by the flag, or because there is no memory
    bint lost                # there is no memory
    Path path                # to where the search is
    Path best


cdef Seen board_hash(const Board* board) noexcept nogil:
    """A new entry for a board: 128 bits of its values and candidates."""
    cdef Seen entry
    cdef unsigned long long word
    cdef int cell
    entry.first = 0x9E3779B97F4A7C15ULL
    entry.second = 0xC2B2AE3D27D4EB4FULL
    entry.levels = 0
    for cell in range(81):
        word = board.candidates[cell] | <unsigned int>board.values[cell] << 9
        entry.first = (entry.first ^ word) * 0xFF51AFD7ED558CCDULL
        entry.first ^= entry.first >> 29
        entry.second = (entry.second + word) * 0x9FB21C651E98DF25ULL
        entry.second ^= entry.second >> 32
    return entry


cdef Seen* seen_at(LevelSearch* search, const Board* board) noexcept nogil:
    """The entry of a board in the table; if another board has it, it is taken over."""
    cdef Seen new = board_hash(board)
    cdef Seen* entry = &search.seen[new.first & (SEEN - 1)]
    if entry.first != new.first or entry.second != new.second:
        entry[0] = new
    return entry


cdef int to_next_guess(Engine* engine) noexcept nogil:
    """Run to the next guess; PENDING if one is due, OK if the board is solved, WRONG for a contradiction."""
    while run_unit(engine):
        if engine.state == FINE:
            return OK
        if engine.state == INVALID:
            return WRONG
    engine.waiting = -1
    return PENDING


cdef bint choose(LevelSearch* search, const Board* board, int depth, int cell, int value,
                 Choice* choice) noexcept nogil:
    """Make a guess; false if the search is to end."""
    cdef Engine* engine = &search.engine
    cdef int other
    if search.tried == search.budget or (
            search.stop != NULL and (<const volatile unsigned char*> search.stop)[0]):
        search.ended = True
        return False
    search.tried += 1
    engine.board = board[0]
    engine.state = VALID
    choice.outcome = to_next_guess(engine) if place(engine, cell, value) else WRONG
    choice.board = engine.board
    choice.cell = search.path.cells[depth] = <unsigned char>cell
    choice.value = search.path.values[depth] = <unsigned char>value
    choice.left = 0
    for other in range(81):
        choice.left += bits(choice.board.candidates[other])
    return True


cdef void keep_path(LevelSearch* search, int levels) noexcept nogil:
    search.best = search.path
    search.best.levels = levels


cdef Choice* choices_at(LevelSearch* search, int depth) noexcept nogil:
    """Room for the choices after so many guesses; NULL if there is no memory."""
    if search.choices[depth] == NULL:
        search.choices[depth] = <Choice*>malloc(CHOICES * sizeof(Choice))
        if search.choices[depth] == NULL:
            search.ended = search.lost = True
    return search.choices[depth]


cdef void sort_choices(const Choice* choices, int count, bint fewest_first, short* order) noexcept nogil:
    """Compare choices by the number of candidates that they leave."""
    cdef int i, k, left
    for i in range(count):
        left = choices[i].left
        k = i
        while k and (choices[order[k - 1]].left > left if fewest_first else choices[order[k - 1]].left < left):
            order[k] = order[k - 1]
            k -= 1
        order[k] = <short>i


cdef bint solves_within(LevelSearch* search, const Board* board, int depth, int levels) noexcept nogil:
    """Whether so many further guesses solve the board; only digits of the solution can."""
    cdef Choice* choices = choices_at(search, depth)
    cdef Choice* choice
    cdef short order[CHOICES]
    cdef int cell, i, count = 0
    if choices == NULL:
        return False
    for cell in range(81):
        if board.values[cell] == 0:
            if not choose(search, board, depth, cell, search.solution[cell], &choices[count]):
                return False
            if choices[count].outcome == OK:
                keep_path(search, depth + 1)
                return True
            count += choices[count].outcome == PENDING
    if levels == 1:
        return False
    sort_choices(choices, count, True, order)
    for i in range(count):
        choice = &choices[order[i]]
        if seen_at(search, &choice.board).levels >= levels - 1:
            continue
        search.path.cells[depth] = choice.cell
        search.path.values[depth] = choice.value
        if solves_within(search, &choice.board, depth + 1, levels - 1):
            return True
        if search.ended:
            return False
        seen_at(search, &choice.board).levels = levels - 1
    return False


cdef int most_levels(LevelSearch* search, const Board* board, int depth) noexcept nogil:
    """The largest number of further guesses, of any digits; that to a contradiction counts too."""
    cdef Choice* choices
    cdef Choice* choice
    cdef short order[CHOICES]
    cdef int cell, value, i, count = 0, most = 0
    most = seen_at(search, board).levels
    if most and depth + most <= search.best.levels:
        return most
    choices = choices_at(search, depth)
    if choices == NULL:
        return 0
    most = 0
    for cell in range(81):
        for value in range(1, 10):
            if board.candidates[cell] >> (value - 1) & 1:
                if not choose(search, board, depth, cell, value, &choices[count]):
                    return most
                most = 1
                if depth + 1 > search.best.levels:
                    keep_path(search, depth + 1)
                count += choices[count].outcome == PENDING
    sort_choices(choices, count, False, order)
    for i in range(count):
        choice = &choices[order[i]]
        search.path.cells[depth] = choice.cell
        search.path.values[depth] = choice.value
        most = max(most, 1 + most_levels(search, &choice.board, depth + 1))
        if search.ended:
            return most
    seen_at(search, board).levels = most
    return most


cdef void look_ahead(LevelSearch* search, const Board* first) noexcept nogil:
    """Find many guesses quickly: of each number of guesses, go on from the boards that have the most candidates left.

    It takes up to half of the budget; the rest is for the search of all choices.
    """
    cdef Front* here
    cdef Choice tried
    cdef int depth = 0, count = 1, i, cell, value, used
    search.fronts[0][0].reached.board = first[0]
    while count:
        used = 0
        for i in range(count):
            here = &search.fronts[depth % 2][i]
            search.path = here.path
            for cell in range(81):
                for value in range(1, 10):
                    if not here.reached.board.candidates[cell] >> (value - 1) & 1:
                        continue
                    if search.tried >= search.budget / 2 or not choose(
                            search, &here.reached.board, depth, cell, value, &tried):
                        return
                    if depth + 1 > search.best.levels:
                        keep_path(search, depth + 1)
                    if tried.outcome == PENDING:
                        used = keep_front(search, search.fronts[1 - depth % 2], used, &tried)
        count = used
        depth += 1


cdef int keep_front(LevelSearch* search, Front* fronts, int used, const Choice* tried) noexcept nogil:
    """Take a board among those kept, most candidates first, unless it is there; return how many there are."""
    cdef unsigned long long hash = board_hash(&tried.board).first
    cdef int k
    if used == FRONT and fronts[used - 1].reached.left >= tried.left:
        return used
    for k in range(used):
        if fronts[k].hash == hash:
            return used
    k = used if used < FRONT else FRONT - 1
    used = k + 1
    while k and fronts[k - 1].reached.left < tried.left:
        fronts[k] = fronts[k - 1]
        k -= 1
    fronts[k].reached = tried[0]
    fronts[k].hash = hash
    fronts[k].path = search.path
    return used


cdef int begin(LevelSearch* search, const unsigned char* cells, int mode) noexcept nogil:
    """Load a puzzle and run it to its first guess; see `to_next_guess`."""
    search.engine.log = NULL
    search.engine.mode = mode
    search.engine.ask = True
    if not load(&search.engine, cells, 0):
        return WRONG
    return to_next_guess(&search.engine)


cdef void find_least(LevelSearch* search, int* low, int* high) noexcept nogil:
    """The bounds of the least number of guesses that solve the puzzle, and the guesses of the upper bound."""
    cdef Board first = search.engine.board
    cdef Board board = first
    cdef short order[CHOICES]
    cdef Choice* choices
    cdef int cell, count, depth = 0
    low[0] = 1
    high[0] = 81
    while search.best.levels == 0:  # the guess that leaves the fewest candidates, until the puzzle is solved
        choices = choices_at(search, 0)
        if choices == NULL:
            return
        count = 0
        for cell in range(81):
            if board.values[cell] == 0:
                if not choose(search, &board, depth, cell, search.solution[cell], &choices[count]):
                    return
                count += 1
                if choices[count - 1].outcome == OK:
                    keep_path(search, depth + 1)
                    break
        sort_choices(choices, count, True, order)
        search.path.cells[depth] = choices[order[0]].cell
        search.path.values[depth] = choices[order[0]].value
        board = choices[order[0]].board
        depth += 1
    high[0] = search.best.levels
    while low[0] < high[0]:
        if solves_within(search, &first, 0, low[0]):
            high[0] = low[0]
        elif search.ended:
            return
        else:
            low[0] += 1


cdef void find_most(LevelSearch* search, int* low, int* high) noexcept nogil:
    """The bounds of the largest number of guesses before a solution, and the guesses of the lower bound."""
    cdef Board first = search.engine.board
    high[0] = first.empty  # every guess fills a cell
    look_ahead(search, &first)
    most_levels(search, &first, 0)
    low[0] = search.best.levels
    if not search.ended:
        high[0] = low[0]
