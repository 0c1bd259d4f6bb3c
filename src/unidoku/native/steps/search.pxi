# The search of SudokuSolver 2.6 as plain C structs and functions; levels.pyx includes this text.
#
# One Engine is one search: the board, the stack of guess levels, the counters. Nothing here needs the
# GIL or raises; events are written to the engine's log if one is attached.

from libc.stdlib cimport free
from libc.string cimport memchr, memcpy, memset

from unidoku.native.garbage cimport spoil
from unidoku.native.groups cimport (
    House, Subset, bits, digit_places, digits_t, gather, hidden_singles, lowest, members, missing,
    next_subset, others_with, places_t, start_subsets,
)
from unidoku.native.houses cimport box_of, cell_at, column_of, houses_of, row_of
from unidoku.native.memory cimport check_starts, make_room

ctypedef unsigned long long count_t

cdef enum State:
    LOADED
    VALID
    FINE
    INVALID

cdef enum Outcome:  # of a filter
    PENDING
    OK
    SHRUNKEN
    WRONG

cdef enum Kind:  # of a record; the order is that of NATIVE in unidoku.stepper.events
    STARTED
    SINGLE
    PASSED
    COMPLETE
    INCOMPLETE
    LINE
    AGAIN
    CONTRADICTION
    FRUITLESS
    FAILED
    GUESS
    FORWARD
    UPWARD
    SOLUTION
    EXHAUSTED

cdef enum:
    FILLED = 255  # in Board.left, above every number of candidates
    NO_HOUSE = 255

cdef struct LogEntry:
    count_t step
    unsigned char kind
    unsigned char level
    unsigned char cell
    unsigned char value
    unsigned char position   # of the value among the candidates of a guess, from 1
    unsigned char count      # candidates of the cell of a guess; cells placed by a pass; cells listed below
    unsigned char house
    unsigned char way        # 1GW, 2GW, 3GW; policy of ply
    places_t chosen          # which of the listed cells form the set
    digits_t digits          # the digits of the set
    unsigned char cells[9]
    digits_t sets[9]         # candidates that the listed cells keep (COMPLETE) or lose

cdef struct Log:
    LogEntry* records
    Py_ssize_t used
    Py_ssize_t capacity
    bint lost                # out of memory: some record is missing

cdef struct Board:
    unsigned char values[81]
    unsigned char left[81]   # number of candidates, FILLED for a filled cell
    digits_t candidates[81]
    unsigned int settled     # houses unchanged since a filter found nothing in them
    int empty                # number of empty cells

cdef struct Guess:
    Board before             # the board before the guessed value was placed
    unsigned char cell
    unsigned char position   # of the candidate under trial, from 1
    unsigned char count
    unsigned char order[9]   # the candidates in trial order

cdef struct Engine:
    Board board
    Log* log                 # NULL: no log
    count_t steps
    count_t solutions
    count_t units            # finished units of work
    int state
    int mode
    int depth                # guess level
    int biggest              # biggest level at which a value was placed since this was last set to 0
    int highest              # biggest level since the puzzle was loaded
    int waiting              # the cell of the guess while a unit waits for an answer, else -1
    bint ask                 # whether guesses wait for an answer
    Guess guesses[81]        # every level fills a cell, so 81 levels are enough


cdef LogEntry* note(Engine* engine, int kind) noexcept nogil:
    """A new record of the log, all zero but kind, step and level; NULL if there is no log."""
    cdef Log* log = engine.log
    if log == NULL:
        return NULL
    if not make_room(<void**>&log.records, &log.capacity, log.used + 1, sizeof(LogEntry)):
        log.lost = True
        if log.used == 0:
            return NULL
        log.used -= 1  # overwrite the last record; `lost` makes advance raise
    cdef LogEntry* record = &log.records[log.used]
    log.used += 1
    memset(record, 0, sizeof(LogEntry))
    record.kind = <unsigned char>kind
    record.step = engine.steps
    record.level = <unsigned char>engine.depth
    record.house = NO_HOUSE
    return record


cdef void log_event(Engine* engine, int kind, int cell, int value, int house) noexcept nogil:
    """Log a record that has only a cell, a value and a house."""
    cdef LogEntry* record = note(engine, kind)
    if record != NULL:
        record.cell = <unsigned char>cell
        record.value = <unsigned char>value
        record.house = <unsigned char>house


cdef bint load(Engine* engine, const unsigned char* text, unsigned char zero) noexcept nogil:
    """Load a puzzle into the engine; false if a house has two equal clues.

    Every field is set but the settings: log, mode and ask.  The guesses are written when they are made.
    """
    cdef Board* board = &engine.board
    cdef digits_t placed[27]
    cdef int cell
    cdef unsigned char value
    spoil(board, sizeof(Board))
    spoil(engine.guesses, sizeof(engine.guesses))
    memset(board, 0, sizeof(Board))
    engine.steps = engine.solutions = engine.units = 0
    engine.state = LOADED
    engine.depth = engine.biggest = engine.highest = 0
    engine.waiting = -1
    for cell in range(81):
        value = <unsigned char>(text[cell] - zero)
        if 1 <= value <= 9:
            board.values[cell] = value
            board.left[cell] = FILLED
        else:
            board.empty += 1
    return digits_of_houses(board, placed)


cdef bint digits_of_houses(const Board* board, digits_t* placed) noexcept nogil:
    """Write the digits that the 27 houses have; false if a house has one twice."""
    cdef int cell, row, column, box
    cdef digits_t bit
    memset(placed, 0, 27 * sizeof(digits_t))
    for cell in range(81):
        if board.values[cell]:
            row, column, box = row_of(cell), 9 + column_of(cell), 18 + box_of(cell)
            bit = <digits_t>(1 << (board.values[cell] - 1))
            if (placed[row] | placed[column] | placed[box]) & bit:
                return False
            placed[row] |= bit
            placed[column] |= bit
            placed[box] |= bit
    return True


cdef inline bint strike(Board* board, int cell, digits_t bit) noexcept nogil:
    """Remove a candidate from a cell; false, with no change, if it is the last one."""
    if not board.candidates[cell] & bit:
        return True
    if board.left[cell] == 1:
        return False
    board.candidates[cell] ^= bit
    board.left[cell] -= 1
    board.settled &= ~houses_of(cell)
    return True


cdef inline void fill(Board* board, int cell, int value) noexcept nogil:
    board.values[cell] = <unsigned char>value
    board.candidates[cell] = 0
    board.left[cell] = FILLED
    board.settled &= ~houses_of(cell)
    board.empty -= 1


cdef bint place(Engine* engine, int cell, int value) noexcept nogil:
    """Fill a cell and remove its value from its peers; false if a peer would lose its last candidate."""
    cdef Board* board = &engine.board
    cdef digits_t bit = <digits_t>(1 << (value - 1))
    cdef int[3] houses = [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)]
    cdef int i, k, other
    fill(board, cell, value)
    for i in range(3):
        for k in range(9):
            other = cell_at(houses[i], k)
            if not strike(board, other, bit):
                log_event(engine, FAILED, other, value, houses[i])
                return False
    return True


cdef void next_guess(Engine* engine) noexcept nogil:
    """Try the next candidate of the newest level that has one, or end the search."""
    cdef Guess* guess
    cdef int dropped, value
    while True:
        dropped = 0
        while engine.depth and engine.guesses[engine.depth - 1].position == engine.guesses[engine.depth - 1].count:
            engine.depth -= 1
            dropped += 1
        engine.steps += 1
        if engine.depth == 0:
            engine.state = INVALID
            note(engine, EXHAUSTED)
            return
        guess = &engine.guesses[engine.depth - 1]
        engine.board = guess.before
        value = guess.order[guess.position]
        guess.position += 1
        if try_guess(engine, guess, value, UPWARD if dropped else FORWARD):
            return


cdef bint try_guess(Engine* engine, const Guess* guess, int value, int kind) noexcept nogil:
    """Log a guess on the current level and place its value."""
    cdef LogEntry* record = note(engine, kind)
    engine.biggest = max(engine.biggest, engine.depth)
    engine.highest = max(engine.highest, engine.depth)
    if record != NULL:
        record.cell = guess.cell
        record.value = <unsigned char>value
        record.position = guess.position
        record.count = guess.count
    return place(engine, guess.cell, value)


cdef void new_guess(Engine* engine, int cell, int value) noexcept nogil:
    """Open a level at an empty cell; value 0 selects the first candidate, another value is tried first."""
    cdef Guess* guess = &engine.guesses[engine.depth]
    cdef digits_t rest = engine.board.candidates[cell]
    spoil(guess, sizeof(Guess))
    guess.before = engine.board
    guess.cell = <unsigned char>cell
    guess.position = 1
    guess.count = 0
    if value:
        guess.order[0] = <unsigned char>value
        guess.count = 1
        rest &= ~<digits_t>(1 << (value - 1))
    while rest:
        guess.order[guess.count] = <unsigned char>(lowest(rest) + 1)
        guess.count += 1
        rest &= rest - 1
    engine.steps += 1
    engine.depth += 1
    if not try_guess(engine, guess, guess.order[0], GUESS):
        next_guess(engine)


cdef void start(Engine* engine) noexcept nogil:
    """The first unit: compute the candidates of all empty cells."""
    cdef Board* board = &engine.board
    cdef digits_t seen[27]
    cdef int cell, count
    cdef bint stuck = False
    digits_of_houses(board, seen)
    for cell in range(81):
        if not board.values[cell]:
            board.candidates[cell] = 511 & ~(seen[row_of(cell)] | seen[9 + column_of(cell)] | seen[18 + box_of(cell)])
            count = bits(board.candidates[cell])
            board.left[cell] = <unsigned char>count
            if count == 0:
                stuck = True
    board.settled = 0
    engine.steps += 1
    engine.state = VALID
    note(engine, STARTED)
    if stuck:
        next_guess(engine)
    elif board.empty == 0:
        solved(engine)


cdef void solved(Engine* engine) noexcept nogil:
    engine.solutions += 1
    engine.state = FINE
    note(engine, SOLUTION)


cdef void singles_pass(Engine* engine) noexcept nogil:
    """Fill every cell that has one candidate when the pass reaches it."""
    cdef Board* board = &engine.board
    cdef LogEntry* record
    cdef int cell, value, placed = 0
    for cell in range(81):
        if board.left[cell] == 1:
            value = lowest(board.candidates[cell]) + 1
            log_event(engine, SINGLE, cell, value, NO_HOUSE)
            placed += 1
            if not place(engine, cell, value):
                next_guess(engine)
                return
    engine.steps += 1
    record = note(engine, PASSED)
    if record != NULL:
        record.count = <unsigned char>placed
    if board.empty == 0:
        solved(engine)


cdef int foremost_cell(const Board* board) noexcept nogil:
    """The first of the empty cells with fewest candidates; -1 if no cell is empty."""
    cdef unsigned char least = FILLED
    cdef int cell
    for cell in range(81):
        if board.left[cell] < least:
            least = board.left[cell]
    if least == FILLED:
        return -1
    return <int>(<const unsigned char*>memchr(board.left, least, 81) - board.left)


cdef bint run_unit(Engine* engine) noexcept nogil:
    """Do one unit of work; false if it waits for the answer to a guess."""
    cdef int cell = engine.waiting, outcome = PENDING
    if engine.state == LOADED:
        start(engine)
    elif engine.state == FINE:
        engine.state = VALID
        next_guess(engine)
    elif engine.state == VALID:
        if cell < 0:
            cell = foremost_cell(&engine.board)
            if engine.board.left[cell] == 1:
                singles_pass(engine)
                outcome = OK
            else:
                outcome = run_filter(engine)
        if outcome == WRONG:
            next_guess(engine)
        elif outcome != OK:
            if engine.ask:
                engine.waiting = cell
                return False
            engine.waiting = -1
            new_guess(engine, cell, 0)
    engine.units += 1
    return True
