# The search of SudokuSolver 2.6 as plain C structs and functions; steps.pyx includes this text.
#
# One Engine is one search: the board, the stack of guess levels, the counters. Nothing here needs the
# GIL or raises; events are written to the engine's log if one is attached.
#
#     LOADED --start--> VALID --a cell has one candidate: a pass of singles--> VALID; FINE, a solution; or wrong
#                         |
#                         +--else the filter: shrink by groups, then by ply--> VALID; or wrong
#                              | nothing is found
#                              +--> a guess, one level more
#
#     wrong, and after FINE: the next candidate of the newest level that has one; INVALID if none has

from libc.stdlib cimport free
from libc.string cimport memchr, memcpy, memset

from unidoku._native.bits cimport lowest_bit, set_size
from unidoku._native.cells cimport box_of, cell_at, column_of, houses_of, row_of
from unidoku._native.garbage cimport spoil
from unidoku._native.groups cimport (
    House, Subset, digit_places, digits_t, gather_house, hidden_singles, members, missing, next_subset,
    others_with, places_t, start_subsets,
)
from unidoku._native.checks cimport invariant
from unidoku._native.memory cimport check_starts, make_room, start_of

ctypedef unsigned long long count_t

cdef enum FilterOutcome:
    PENDING
    OK
    SHRUNKEN
    WRONG

cdef enum:
    FILLED = 255  # in StepBoard.left, above every number of candidates
    NO_HOUSE = 255

cdef struct LogEntry:
    count_t step
    unsigned char kind
    unsigned char level
    unsigned char cell
    unsigned char value
    unsigned char position   # of the value among the candidates of a guess, from 1
    unsigned char count      # candidates of the cell of a guess, cells placed by a pass, cells listed below
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

cdef struct StepBoard:
    unsigned char values[81]
    unsigned char left[81]   # number of candidates, FILLED for a filled cell
    digits_t candidates[81]
    unsigned int settled     # houses unchanged since a filter found nothing in them
    int empty                # number of empty cells

cdef struct Guess:
    StepBoard before         # the board before the guessed value was placed
    unsigned char cell
    unsigned char position   # of the candidate under trial, from 1
    unsigned char count
    unsigned char order[9]   # the candidates in trial order
    count_t unit             # the unit in which the level was opened

cdef struct Peak:            # the biggest level at which a value was placed; all 0 without a guess
    count_t step             # of the first value placed at this level
    count_t times            # how often the search came to this level from below
    int level

cdef struct Engine:
    StepBoard board
    Log* log                 # NULL: no log
    count_t steps
    count_t solutions
    count_t units            # finished units of work
    count_t guessed          # the unit in which a value was last guessed
    count_t failed           # the unit in which a contradiction was last met
    bint has_failed
    int state
    int mode
    int depth                # guess level
    Peak biggest             # since this was last cleared
    Peak highest             # since the puzzle was loaded
    int waiting              # the cell of the guess while a unit waits for an answer, else -1
    bint ask                 # whether guesses wait for an answer
    Guess guesses[81]        # every level fills a cell, so 81 levels are enough


cdef inline Peak no_peak() noexcept nogil:
    cdef Peak peak
    peak.level = 0
    peak.step = peak.times = 0
    return peak


cdef void raise_peak(Peak* peak, const Engine* engine, bint opened) noexcept nogil:
    """Count a value that is placed at the present level, which may just have been opened."""
    if engine.depth > peak.level:
        peak.level = engine.depth
        peak.step = engine.steps
        peak.times = 1
    elif opened and engine.depth == peak.level:
        peak.times += 1


cdef LogEntry* log_entry(Engine* engine, int kind) noexcept nogil:
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
    cdef LogEntry* record = log_entry(engine, kind)
    if record != NULL:
        record.cell = <unsigned char>cell
        record.value = <unsigned char>value
        record.house = <unsigned char>house


cdef bint load_engine(Engine* engine, const unsigned char* text, unsigned char zero) noexcept nogil:
    """Load a puzzle into the engine; false if a house has two equal clues.

    Every field is set but the settings: log, mode and ask.  The guesses are written when they are made.
    """
    cdef StepBoard* board = &engine.board
    cdef digits_t placed[27]
    cdef int cell
    cdef unsigned char value
    spoil(board, sizeof(StepBoard))
    spoil(engine.guesses, sizeof(engine.guesses))
    memset(board, 0, sizeof(StepBoard))
    engine.steps = engine.solutions = engine.units = engine.guessed = engine.failed = 0
    engine.has_failed = False
    engine.state = LOADED
    engine.depth = 0
    engine.biggest = engine.highest = no_peak()
    engine.waiting = -1
    for cell in range(81):
        value = <unsigned char>(text[cell] - zero)
        if 1 <= value <= 9:
            board.values[cell] = value
            board.left[cell] = FILLED
        else:
            board.empty += 1
    return digits_of_houses(board, placed)


cdef bint digits_of_houses(const StepBoard* board, digits_t* placed) noexcept nogil:
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


cdef inline bint drop_candidate(StepBoard* board, int cell, digits_t bit) noexcept nogil:
    """Remove a candidate from a cell; false, with no change, if it is the last one."""
    if not board.candidates[cell] & bit:
        return True
    if board.left[cell] == 1:
        return False
    board.candidates[cell] ^= bit
    board.left[cell] -= 1
    board.settled &= ~houses_of(cell)
    return True


cdef inline void fill(StepBoard* board, int cell, int value) noexcept nogil:
    board.values[cell] = <unsigned char>value
    board.candidates[cell] = 0
    board.left[cell] = FILLED
    board.settled &= ~houses_of(cell)
    board.empty -= 1


cdef inline void fail(Engine* engine) noexcept nogil:
    engine.failed = engine.units
    engine.has_failed = True


cdef bint place(Engine* engine, int cell, int value) noexcept nogil:
    """Fill a cell and remove its value from its peers; false if a peer would lose its last candidate."""
    cdef StepBoard* board = &engine.board
    cdef digits_t bit = <digits_t>(1 << (value - 1))
    cdef int[3] houses = [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)]
    cdef int i, k, other
    fill(board, cell, value)
    for i in range(3):
        for k in range(9):
            other = cell_at(houses[i], k)
            if not drop_candidate(board, other, bit):
                log_event(engine, FAILED, other, value, houses[i])
                fail(engine)
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
            log_entry(engine, EXHAUSTED)
            return
        guess = &engine.guesses[engine.depth - 1]
        engine.board = guess.before
        invariant(guess.position < guess.count and guess.count <= 9)
        value = guess.order[guess.position]
        guess.position += 1
        if try_guess(engine, guess, value, UPWARD if dropped else FORWARD):
            return


cdef bint try_guess(Engine* engine, const Guess* guess, int value, int kind) noexcept nogil:
    """Log a guess on the current level and place its value."""
    cdef LogEntry* record = log_entry(engine, kind)
    engine.guessed = engine.units
    raise_peak(&engine.biggest, engine, kind == GUESS)
    raise_peak(&engine.highest, engine, kind == GUESS)
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
    invariant(engine.depth < 81 and not engine.board.values[cell] and rest)
    spoil(guess, sizeof(Guess))
    guess.before = engine.board
    guess.unit = engine.units
    guess.cell = <unsigned char>cell
    guess.position = 1
    guess.count = 0
    if value:
        guess.order[0] = <unsigned char>value
        guess.count = 1
        rest &= ~<digits_t>(1 << (value - 1))
    while rest:
        guess.order[guess.count] = <unsigned char>(lowest_bit(rest) + 1)
        guess.count += 1
        rest &= rest - 1
    engine.steps += 1
    engine.depth += 1
    if not try_guess(engine, guess, guess.order[0], GUESS):
        next_guess(engine)


cdef void start(Engine* engine) noexcept nogil:
    """The first unit: compute the candidates of all empty cells."""
    cdef StepBoard* board = &engine.board
    cdef digits_t seen[27]
    cdef int cell, count
    cdef bint stuck = False
    digits_of_houses(board, seen)
    for cell in range(81):
        if not board.values[cell]:
            board.candidates[cell] = 511 & ~(seen[row_of(cell)] | seen[9 + column_of(cell)] | seen[18 + box_of(cell)])
            count = set_size(board.candidates[cell])
            board.left[cell] = <unsigned char>count
            if count == 0:
                stuck = True
    board.settled = 0
    engine.steps += 1
    engine.state = VALID
    log_entry(engine, STARTED)
    if stuck:
        next_guess(engine)
    elif board.empty == 0:
        solved(engine)


cdef void solved(Engine* engine) noexcept nogil:
    engine.solutions += 1
    engine.state = FINE
    log_entry(engine, SOLUTION)


cdef void singles_pass(Engine* engine) noexcept nogil:
    """Fill every cell that has one candidate when the pass reaches it."""
    cdef StepBoard* board = &engine.board
    cdef LogEntry* record
    cdef int cell, value, placed = 0
    for cell in range(81):
        if board.left[cell] == 1:
            value = lowest_bit(board.candidates[cell]) + 1
            log_event(engine, SINGLE, cell, value, NO_HOUSE)
            placed += 1
            if not place(engine, cell, value):
                next_guess(engine)
                return
    engine.steps += 1
    record = log_entry(engine, PASSED)
    if record != NULL:
        record.count = <unsigned char>placed
    if board.empty == 0:
        solved(engine)


cdef int foremost_cell(const StepBoard* board) noexcept nogil:
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
            fail(engine)
            next_guess(engine)
        elif outcome != OK:
            if engine.ask:
                engine.waiting = cell
                return False
            engine.waiting = -1
            new_guess(engine, cell, 0)
    engine.units += 1
    return True


# The filter: candidates shrunk by groups, then by ply.

cdef void log_house(Engine* engine, int kind, const House* house, int way, places_t chosen, digits_t digits,
                    const digits_t* sets) noexcept nogil:
    """Log a change of the empty cells of a house: ``sets[i]`` belongs to ``house.cells[i]``."""
    cdef LogEntry* record = log_entry(engine, kind)
    cdef int i
    if record == NULL:
        return
    record.house = <unsigned char>house.index
    record.way = <unsigned char>way
    record.chosen = chosen
    record.digits = digits
    record.count = <unsigned char>house.size
    invariant(house.size <= 9)
    for i in range(house.size):
        record.cells[i] = house.cells[i]
        record.sets[i] = sets[i]


cdef int complete_shrink(Engine* engine, const House* house, digits_t alone) noexcept nogil:
    """Reduce each cell that is the only place of a digit to that digit (the smallest if there are two)."""
    cdef StepBoard* board = &engine.board
    cdef digits_t sets[9]
    cdef digits_t here
    cdef int i, cell
    for i in range(house.size):
        here = house.sets[i] & alone
        sets[i] = here & (~here + 1)
        if here:
            cell = house.cells[i]
            board.candidates[cell] = sets[i]
            board.left[cell] = 1
            board.settled &= ~houses_of(cell)
    log_house(engine, COMPLETE, house, 0, 0, alone, sets)
    return OK


cdef int remove(Engine* engine, int kind, const House* house, int way, places_t chosen, digits_t digits,
                const digits_t* gone) noexcept nogil:
    """Remove the digits ``gone[i]`` from the house's empty cells; WRONG if a cell has no candidate left."""
    cdef StepBoard* board = &engine.board
    cdef int i, cell, outcome = SHRUNKEN
    log_house(engine, kind, house, way, chosen, digits, gone)
    for i in range(house.size):
        if gone[i]:
            cell = house.cells[i]
            board.candidates[cell] &= ~gone[i]
            board.left[cell] = <unsigned char>set_size(board.candidates[cell])
            board.settled &= ~houses_of(cell)
            if board.left[cell] == 0:
                outcome = WRONG
    return outcome


cdef inline bint losses(const House* house, places_t touched, digits_t digits, digits_t* gone) noexcept nogil:
    """Write to ``gone`` the candidates among ``digits`` of the touched cells; false if there are none."""
    cdef digits_t any_gone = 0
    cdef int i
    for i in range(house.size):
        gone[i] = house.sets[i] & digits if touched >> i & 1 else 0
        any_gone |= gone[i]
    return any_gone != 0


cdef inline places_t alike(const unsigned short* sets, int count, int index) noexcept nogil:
    """The sets that are equal to one of them, as bits, if they are as many as it has elements; else 0."""
    cdef places_t same = 0
    cdef int i
    for i in range(count):
        same |= <places_t>((sets[i] == sets[index]) << i)
    return same if set_size(same) == set_size(sets[index]) else 0


cdef int incomplete_shrink(Engine* engine, const House* house) noexcept nogil:
    """Apply the first of 1GW, 2GW and 3GW that removes something."""
    cdef places_t places[9]
    cdef digits_t gone[9]
    cdef Subset subset
    cdef int i, size, found
    cdef int sizes[10]
    cdef places_t chosen, everywhere = <places_t>((1 << house.size) - 1)
    cdef digits_t digits
    memset(sizes, 0, sizeof(sizes))
    for i in range(house.size):  # 1GW
        size = set_size(house.sets[i])
        sizes[size] += 1
        chosen = alike(house.sets, house.size, i) if size < house.size else 0
        if chosen and losses(house, everywhere & ~chosen, house.sets[i], gone):
            return remove(engine, INCOMPLETE, house, 1, chosen, house.sets[i], gone)
    digit_places(house, places)
    for i in range(9):  # 2GW
        digits = alike(places, 9, i) if set_size(places[i]) < house.size else 0
        if digits and losses(house, places[i], <digits_t>(511 & ~digits), gone):
            return remove(engine, INCOMPLETE, house, 2, places[i], digits, gone)
    found = sizes[1]
    for size in range(2, house.size):  # 3GW
        found += sizes[size]
        if found < size:
            continue  # fewer than `size` cells have at most `size` candidates
        start_subsets(&subset, size)
        while next_subset(&subset, house.sets, house.size):
            digits = subset.joint[size]
            chosen = members(&subset)
            if others_with(house, chosen, digits):
                losses(house, everywhere & ~chosen, digits, gone)
                return remove(engine, INCOMPLETE, house, 3, chosen, digits, gone)
    return PENDING


cdef int shrink_groups(Engine* engine) noexcept nogil:
    """The group phase of a filter over rows, columns and boxes."""
    cdef House house
    cdef digits_t alone
    cdef int index, outcome
    for index in range(27):
        if engine.board.settled >> index & 1:
            continue  # unchanged since the filter found nothing here
        gather_house(&house, index, engine.board.values, engine.board.candidates)
        if house.size:
            alone = hidden_singles(&house)
            if alone:
                return complete_shrink(engine, &house, alone)
            if missing(&house):
                log_event(engine, CONTRADICTION, 0, lowest_bit(missing(&house)) + 1, index)
                return WRONG
            outcome = incomplete_shrink(engine, &house)
            if outcome != PENDING:
                return outcome
        engine.board.settled |= <unsigned int>1 << index
    return PENDING


cdef int confine(Engine* engine, int line, int segment, digits_t only, int policy) noexcept nogil:
    """Ply: the digits ``only`` of a line can be placed only in one of its three segments."""
    cdef StepBoard* board = &engine.board
    cdef House part
    cdef digits_t gone[9]
    cdef digits_t lost = 0
    cdef int k, cell, outcome
    part.index = line
    part.size = 0
    for k in range(3 * segment, 3 * segment + 3):
        cell = cell_at(line, k)
        if not board.values[cell]:
            part.cells[part.size] = <unsigned char>cell
            part.sets[part.size] = board.candidates[cell]
            gone[part.size] = board.candidates[cell] & ~only
            lost |= gone[part.size]
            part.size += 1
    if set_size(only) > part.size:
        log_event(engine, CONTRADICTION, 0, 0, line)
        return WRONG
    if set_size(only) < part.size or not lost:
        return PENDING
    outcome = remove(engine, LINE, &part, policy, <places_t>((1 << part.size) - 1), only, gone)
    if outcome == SHRUNKEN:
        for k in range(part.size):
            if gone[k] and board.left[part.cells[k]] == 1:
                return OK
    return outcome


cdef int shrink_line(Engine* engine, int line, const digits_t* filled, int step) noexcept nogil:
    """Ply for one line; ``filled[k]`` are the digits of the line's k-th piece of its band or stack.

    ``filled`` holds nine pieces: three parallel lines of three segments; ``step`` is the line's number
    within its band or stack.
    """
    cdef digits_t outside[3]
    cdef digits_t own = filled[3 * step] | filled[3 * step + 1] | filled[3 * step + 2]
    cdef bint full[3]
    cdef int a, c, outcome, result = PENDING
    for a in range(3):
        outside[a] = filled[a + 3 * ((step + 1) % 3)] | filled[a + 3 * ((step + 2) % 3)]
        full[a] = set_size(filled[3 * step + a]) == 3
    for c in range(3):
        outcome = confine(engine, line, c, outside[(c + 1) % 3] & outside[(c + 2) % 3] & ~own, 1)
        if outcome == OK or outcome == WRONG:
            return outcome
        result = max(result, outcome)
    for c in range(3):
        for a in range(3):
            if a != c and full[a]:
                outcome = confine(engine, line, c, outside[3 - a - c] & ~own, 2)
                if outcome == OK or outcome == WRONG:
                    return outcome
                result = max(result, outcome)
    return result


cdef int shrink_lines(Engine* engine) noexcept nogil:
    """The ply phase of a filter over all rows, then all columns."""
    cdef digits_t filled[9]
    cdef int line, first, k, place, value, outcome, result = PENDING
    for first in range(0, 18, 3):
        for k in range(9):
            filled[k] = 0
            for place in range(3 * (k % 3), 3 * (k % 3) + 3):
                value = engine.board.values[cell_at(first + k // 3, place)]
                if value:
                    filled[k] |= <digits_t>(1 << (value - 1))
        for line in range(3):
            outcome = shrink_line(engine, first + line, filled, line)
            if outcome == OK or outcome == WRONG:
                return outcome
            result = max(result, outcome)
    return result


cdef int run_filter(Engine* engine) noexcept nogil:
    """Shrink candidates by groups, then by ply; every pass over the grid is a step."""
    cdef int outcome
    while True:
        engine.steps += 1
        outcome = PENDING
        if engine.mode != 2:
            outcome = shrink_groups(engine)
        if outcome == PENDING and engine.mode != 1:
            outcome = shrink_lines(engine)
            if outcome == SHRUNKEN:
                log_entry(engine, AGAIN)
                continue
        if outcome == PENDING:
            log_entry(engine, FRUITLESS)
        return outcome
