# The search of SudokuSolver 2.6 as plain C structs and functions; levels.pyx includes this text.
#
# One Engine is one search: the board, the stack of guess levels, the counters. Nothing here needs the
# GIL or raises; what is worth telling goes to the engine's log, where one is attached.

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcpy, memset

from unidoku.native.groups cimport (
    House, Subset, bits, digit_places, digits_t, gather, hidden_singles, lowest, members, missing,
    next_subset, others_with, place_of, places_t, start_subsets,
)
from unidoku.native.houses cimport box_cell, box_of, cell_at, column_cell, column_of, houses_of, row_cell, row_of

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

cdef enum Kind:  # of a record; the order is the one of unidoku.stepper.events.KINDS
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

cdef struct Record:
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
    digits_t sets[9]         # what the listed cells were cut to (COMPLETE) or have lost

cdef struct Log:
    Record* records
    size_t used
    size_t room
    bint lost                # memory ran out: some record is missing

cdef struct Board:
    unsigned char values[81]
    unsigned char left[81]   # number of candidates, FILLED for a filled cell
    digits_t candidates[81]
    unsigned int settled     # houses in which a filter found nothing since they last changed
    int empty                # number of empty cells

cdef struct Guess:
    Board before             # as it was before the guessed value was placed
    unsigned char cell
    unsigned char position   # from 1: which candidate is being tried
    unsigned char count
    unsigned char order[9]   # the candidates in the order in which they are tried

cdef struct Engine:
    Board board
    Log* log                 # NULL: nobody listens
    count_t steps
    count_t solutions
    count_t units            # finished units of work
    int state
    int mode
    int depth                # guess level
    int biggest              # biggest level at which a value was placed since this was last set to 0
    int highest              # the same since the puzzle was loaded
    int waiting              # the cell to be guessed while a unit waits for an answer, else -1
    bint ask                 # guesses wait for an answer
    Guess guesses[81]        # every level fills a cell, so there are never more


cdef Record* note(Engine* engine, int kind) noexcept nogil:
    """A new record of the log, all zero but kind, step and level; only called where there is a log."""
    cdef Log* log = engine.log
    cdef size_t room
    cdef Record* grown
    if log.used == log.room:
        room = 2 * log.room if log.room else 256
        grown = <Record*>realloc(log.records, room * sizeof(Record))
        if grown == NULL:
            log.lost = True
            if log.used == 0:
                return NULL
            log.used -= 1  # overwrite the last: the caller of advance sees "lost"
        else:
            log.records = grown
            log.room = room
    cdef Record* record = &log.records[log.used]
    log.used += 1
    memset(record, 0, sizeof(Record))
    record.kind = <unsigned char>kind
    record.step = engine.steps
    record.level = <unsigned char>engine.depth
    record.house = NO_HOUSE
    return record


cdef void tell(Engine* engine, int kind, int cell, int value, int house) noexcept nogil:
    """Log a record that needs no more than a cell, a value and a house."""
    cdef Record* record
    if engine.log == NULL:
        return
    record = note(engine, kind)
    if record != NULL:
        record.cell = <unsigned char>cell
        record.value = <unsigned char>value
        record.house = <unsigned char>house


cdef bint load(Engine* engine, const unsigned char* text, unsigned char zero) noexcept nogil:
    """Set the engine to a puzzle; false if two equal clues stand in a house."""
    cdef Board* board = &engine.board
    cdef unsigned int taken[27]
    cdef unsigned int bit
    cdef int cell
    cdef unsigned char value
    memset(taken, 0, sizeof(taken))
    memset(board, 0, sizeof(Board))
    engine.steps = engine.solutions = engine.units = 0
    engine.state = LOADED
    engine.depth = engine.biggest = engine.highest = 0
    engine.waiting = -1
    for cell in range(81):
        value = <unsigned char>(text[cell] - zero)
        if value < 1 or value > 9:
            board.empty += 1
            continue
        board.values[cell] = value
        board.left[cell] = FILLED
        bit = <unsigned int>1 << (value - 1)
        if (taken[row_of(cell)] | taken[9 + column_of(cell)] | taken[18 + box_of(cell)]) & bit:
            return False
        taken[row_of(cell)] |= bit
        taken[9 + column_of(cell)] |= bit
        taken[18 + box_of(cell)] |= bit
    return True


cdef inline bint strike(Board* board, int cell, digits_t bit) noexcept nogil:
    """Take a candidate from a cell; false, and nothing done, if it is the last one."""
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
    """Fill a cell and strike its value along row, column and box; false if a cell would lose its last."""
    cdef Board* board = &engine.board
    cdef digits_t bit = <digits_t>(1 << (value - 1))
    cdef int row = row_of(cell), column = column_of(cell), box = box_of(cell)
    cdef int k, other
    fill(board, cell, value)
    for k in range(9):
        other = row_cell(row, k)
        if not strike(board, other, bit):
            tell(engine, FAILED, other, value, row)
            return False
    for k in range(9):
        other = column_cell(column, k)
        if not strike(board, other, bit):
            tell(engine, FAILED, other, value, 9 + column)
            return False
    for k in range(9):
        other = box_cell(box, k)
        if not strike(board, other, bit):
            tell(engine, FAILED, other, value, 18 + box)
            return False
    return True


cdef void next_guess(Engine* engine) noexcept nogil:
    """Go on with the next untried candidate of the newest level that has one, or end the search."""
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
            tell(engine, EXHAUSTED, 0, 0, NO_HOUSE)
            return
        guess = &engine.guesses[engine.depth - 1]
        engine.board = guess.before
        value = guess.order[guess.position]
        guess.position += 1
        if try_guess(engine, guess, value, UPWARD if dropped else FORWARD):
            return


cdef bint try_guess(Engine* engine, const Guess* guess, int value, int kind) noexcept nogil:
    """Log a guess on the current level and place its value."""
    cdef Record* record
    engine.biggest = max(engine.biggest, engine.depth)
    engine.highest = max(engine.highest, engine.depth)
    if engine.log != NULL:
        record = note(engine, kind)
        if record != NULL:
            record.cell = guess.cell
            record.value = <unsigned char>value
            record.position = guess.position
            record.count = guess.count
    return place(engine, guess.cell, value)


cdef void new_guess(Engine* engine, int cell, int value) noexcept nogil:
    """Open a level at an empty cell; value 0 takes its first candidate, another one is moved to the front."""
    cdef Guess* guess = &engine.guesses[engine.depth]
    cdef digits_t rest = engine.board.candidates[cell]
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
    """The first unit: the candidates of all empty cells; nothing is placed."""
    cdef Board* board = &engine.board
    cdef digits_t seen[27]
    cdef digits_t bit
    cdef int cell, count
    cdef bint stuck = False
    memset(seen, 0, sizeof(seen))
    for cell in range(81):
        if board.values[cell]:
            bit = <digits_t>(1 << (board.values[cell] - 1))
            seen[row_of(cell)] |= bit
            seen[9 + column_of(cell)] |= bit
            seen[18 + box_of(cell)] |= bit
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
    tell(engine, STARTED, 0, 0, NO_HOUSE)
    if stuck:
        next_guess(engine)
    elif board.empty == 0:
        solved(engine)


cdef void solved(Engine* engine) noexcept nogil:
    engine.solutions += 1
    engine.state = FINE
    tell(engine, SOLUTION, 0, 0, NO_HOUSE)


cdef void singles_pass(Engine* engine) noexcept nogil:
    """Place every cell that has one candidate when the pass comes to it."""
    cdef Board* board = &engine.board
    cdef Record* record
    cdef int cell, value, placed = 0
    for cell in range(81):
        if board.left[cell] == 1:
            value = lowest(board.candidates[cell]) + 1
            tell(engine, SINGLE, cell, value, NO_HOUSE)
            placed += 1
            if not place(engine, cell, value):
                next_guess(engine)
                return
    engine.steps += 1
    if engine.log != NULL:
        record = note(engine, PASSED)
        if record != NULL:
            record.count = <unsigned char>placed
    if board.empty == 0:
        solved(engine)


cdef void log_house(Engine* engine, int kind, const House* house, int way, places_t chosen, digits_t digits,
                    const digits_t* sets) noexcept nogil:
    """Log what a house did to its empty cells: ``sets`` stands beside ``house.cells``."""
    cdef Record* record
    cdef int i
    if engine.log == NULL:
        return
    record = note(engine, kind)
    if record == NULL:
        return
    record.house = <unsigned char>house.index
    record.way = <unsigned char>way
    record.chosen = chosen
    record.digits = digits
    record.count = <unsigned char>house.size
    for i in range(house.size):
        record.cells[i] = house.cells[i]
        record.sets[i] = sets[i]


cdef int complete_shrink(Engine* engine, const House* house, digits_t alone) noexcept nogil:
    """Cut each cell that is the only place of a digit to that digit (the smallest if there are two)."""
    cdef Board* board = &engine.board
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
    """Take the digits ``gone[i]`` from the house's empty cells; WRONG if one is left with nothing."""
    cdef Board* board = &engine.board
    cdef int i, cell, outcome = SHRUNKEN
    log_house(engine, kind, house, way, chosen, digits, gone)
    for i in range(house.size):
        if gone[i]:
            cell = house.cells[i]
            board.candidates[cell] &= ~gone[i]
            board.left[cell] = <unsigned char>bits(board.candidates[cell])
            board.settled &= ~houses_of(cell)
            if board.left[cell] == 0:
                outcome = WRONG
    return outcome


cdef inline bint losses(const House* house, places_t touched, digits_t digits, digits_t* gone) noexcept nogil:
    """Write what the touched cells lose if they lose ``digits``; false if that is nothing."""
    cdef digits_t any_gone = 0
    cdef int i
    for i in range(house.size):
        gone[i] = house.sets[i] & digits if touched >> i & 1 else 0
        any_gone |= gone[i]
    return any_gone != 0


cdef int incomplete_shrink(Engine* engine, const House* house) noexcept nogil:
    """Apply the first of 1GW, 2GW and 3GW that removes something."""
    cdef places_t places[9]
    cdef digits_t gone[9]
    cdef Subset subset
    cdef int i, j, size, found, smallest = 9
    cdef int sizes[10]
    cdef places_t chosen, everywhere = <places_t>((1 << house.size) - 1)
    cdef digits_t digits
    memset(sizes, 0, sizeof(sizes))
    for i in range(house.size):  # 1GW
        size = bits(house.sets[i])
        sizes[size] += 1
        if size >= house.size:
            continue
        chosen = 0
        found = 0
        for j in range(house.size):
            if house.sets[j] == house.sets[i]:
                chosen |= <places_t>(1 << j)
                found += 1
        if found == size and losses(house, everywhere & ~chosen, house.sets[i], gone):
            return remove(engine, INCOMPLETE, house, 1, chosen, house.sets[i], gone)
    digit_places(house, places)
    for i in range(9):  # 2GW
        size = bits(places[i])
        if size == 0 or size >= house.size:
            continue
        digits = 0
        found = 0
        for j in range(9):
            if places[j] == places[i]:
                digits |= <digits_t>(1 << j)
                found += 1
        if found == size and losses(house, places[i], <digits_t>(511 & ~digits), gone):
            return remove(engine, INCOMPLETE, house, 2, places[i], digits, gone)
    found = sizes[1]
    for size in range(2, house.size):  # 3GW
        found += sizes[size]
        if found < size:
            continue  # too few cells have so few candidates
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
            continue  # nothing has changed since nothing was found here
        gather(&house, index, engine.board.values, engine.board.candidates)
        if house.size:
            alone = hidden_singles(&house)
            if alone:
                return complete_shrink(engine, &house, alone)
            if missing(&house):
                tell(engine, CONTRADICTION, 0, lowest(missing(&house)) + 1, index)
                return WRONG
            outcome = incomplete_shrink(engine, &house)
            if outcome != PENDING:
                return outcome
        engine.board.settled |= <unsigned int>1 << index
    return PENDING


cdef int confine(Engine* engine, int line, int segment, digits_t only, int policy) noexcept nogil:
    """Ply: the digits ``only`` of a line can go into one of its three segments alone."""
    cdef Board* board = &engine.board
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
    if bits(only) > part.size:
        tell(engine, CONTRADICTION, 0, 0, line)
        return WRONG
    if bits(only) < part.size or not lost:
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
    cdef int a, b, c, k, outcome, result = PENDING
    for a in range(3):
        outside[a] = filled[a + 3 * ((step + 1) % 3)] | filled[a + 3 * ((step + 2) % 3)]
        full[a] = bits(filled[3 * step + a]) == 3
    for c in range(3):
        outcome = confine(engine, line, c, outside[(c + 1) % 3] & outside[(c + 2) % 3] & ~own, 1)
        if outcome == OK or outcome == WRONG:
            return outcome
        result = max(result, outcome)
    for c in range(3):
        for k in range(2):
            a = 1 if c == 0 else 0
            b = 1 if c == 2 else 2
            if k:
                a, b = b, a
            if full[a]:
                outcome = confine(engine, line, c, outside[b] & ~own, 2)
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
                tell(engine, AGAIN, 0, 0, NO_HOUSE)
                continue
        if outcome == PENDING:
            tell(engine, FRUITLESS, 0, 0, NO_HOUSE)
        return outcome


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
    cdef int cell, outcome
    if engine.state == LOADED:
        start(engine)
    elif engine.state == FINE:
        engine.state = VALID
        next_guess(engine)
    elif engine.state == VALID:
        cell = engine.waiting
        if cell < 0:
            cell = foremost_cell(&engine.board)
            if engine.board.left[cell] == 1:
                singles_pass(engine)
                engine.units += 1
                return True
            outcome = run_filter(engine)
            if outcome == WRONG or outcome == OK:
                if outcome == WRONG:
                    next_guess(engine)
                engine.units += 1
                return True
        if engine.ask:
            engine.waiting = cell
            return False
        engine.waiting = -1
        new_guess(engine, cell, 0)
    engine.units += 1
    return True
