"""The native engine of the numerical-analysis method.

`trace` solves one puzzle with a record of all events, `classify` many puzzles with totals only; both run the
same code. `unidoku.method` describes the rules, their order and the terms; method.pxd has the codes. Here cells are
0..80 and units 0..26 (``houses``); in the rows of a record they are 1..81 and 1..27.

    queue, in KH order     given  given  given  value  value
                                         ^head         ^tail      zeroed by those before head; a conversion appends one

    head < tail: zero the components that queue[head] excludes
    else the first that applies: a conversion by the theorems, extended zeroing, subsets, a preset (saves the state)
    a digit without a place: take the newest preset back and zero its component, or end
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from unidoku._native.bits cimport lowest_bit, set_size
from unidoku._native.cells cimport box_of, cell_at, column_of, houses_of, peers_of, row_of
from unidoku._native.checks cimport board_invariant, invariant
from unidoku._native.garbage cimport spoil
from unidoku._native.groups cimport (
    House, Subset, confining_houses, digit_places, digits_t, gather_house, members, next_subset, others_with,
    places_t, start_subsets,
)
from unidoku._native.memory cimport check_starts, make_room, start_of
from unidoku._native.stop cimport flag_of, is_set

TOTAL_NAMES = (
    "status", "theorem2", "theorem3", "theorem4", "own", "theorem1", "extended", "subset", "presets_made",
    "presets_taken_back", "presets", "deepest_level", "rounds", "presets_in_force", "saved",
)
"""The totals of a puzzle, in the order of the native array."""

# The queue holds valued cells in KH order; zeroing takes them from its head. The number of places of each digit in
# each unit is counted as components are removed, so that theorem 3 and contradictions need no search.

cdef enum:
    FAILED = STATUSES  # out of memory
    STOPPED            # by the flag

# Columns of the totals, as in TOTAL_NAMES.
cdef enum:
    T_STATUS = 0
    T_CONVERSIONS = 1  # three columns: theorems 2, 3, 4
    T_OWN = 4          # components of its own cell that a conversion or preset zeroes, but for theorem 4
    T_ZEROINGS = 5     # three columns: theorem 1, extended, subset
    T_PRESETS = 8
    T_RETRACTED = 9
    T_CHAIN = 10       # presets on the way to the result
    T_DEEPEST = 11
    T_ROUNDS = 12      # how often steps 2 and 3 ran until nothing converted
    T_LEVEL = 13       # presets in force at the end
    T_SAVED = 14       # zeroings that theorem 4 saved
    TOTALS = 15

cdef struct Event:
    short kind, cell, digit, rule, unit, cause, positions, level

cdef struct Order:
    unsigned char theorems[3]  # 2, 3, 4 in the order in which they are tried
    unsigned char kinds[3]     # 0 rows, 1 columns, 2 boxes in the order of visit
    bint sweep                 # continue at the place of the last conversion
    bint extended
    bint subsets

cdef struct MethodState:
    unsigned char values[81]
    digits_t components[81]
    unsigned char places[27][9]  # undetermined cells of a unit that have the digit
    digits_t placed[27]        # digits that are values in the unit
    digits_t hidden[27]        # digits with one place left
    digits_t nowhere[27]       # digits with no place and no value
    unsigned char valued[27]   # cells with a value in each unit
    unsigned char queue[81]    # cells with a value in KH order
    unsigned short lone[9]     # per row: undetermined cells with one component
    bint lost                  # some unit has a digit in `nowhere`
    unsigned int eights        # units with eight valued cells
    int head, tail             # of the queue: zeroed cells end at head, valued cells at tail
    int chain                  # presets on the way to this state, including those retracted on it

cdef struct Assumption:
    MethodState state
    int cell, digit

cdef struct MethodRun:
    MethodState now
    Order order
    int level
    int position[3]            # where a sweep continues, per theorem
    int turn                   # theorem of the sweep
    Assumption* frames
    Event* events              # NULL: totals only
    Py_ssize_t count, capacity
    bint recording, failed, refuted
    const unsigned char* stop  # not 0: end the work; may be NULL
    int totals[TOTALS]


cdef void record_event(MethodRun* run, int kind, int cell, int digit, int rule, int unit, int cause,
                       int positions) noexcept nogil:
    """Record an event; cells, digits and units are from 0 here, -1 for none."""
    if not run.recording:
        return
    if not make_room(<void**>&run.events, &run.capacity, run.count + 1, sizeof(Event)):
        run.failed = True
        return
    run.events[run.count] = Event(
        <short>kind, <short>(cell + 1), <short>(digit + 1), <short>rule, <short>(unit + 1), <short>(cause + 1),
        <short>positions, <short>run.level)
    run.count += 1


cdef inline void leave(MethodState* now, int unit, int digit) noexcept nogil:
    """Decrement the number of places of a digit in a unit."""
    cdef unsigned char left = now.places[unit][digit] - 1
    cdef digits_t bit = <digits_t>(1 << digit)
    now.places[unit][digit] = left
    if left <= 1 and not now.placed[unit] & bit:
        if left:
            now.hidden[unit] |= bit
        else:
            now.hidden[unit] &= <digits_t>~bit
            now.nowhere[unit] |= bit
            now.lost = True


cdef inline void lose(MethodRun* run, int cell, int digit) noexcept nogil:
    """Remove a component from a cell; note a contradiction. A cell with a value has no other component."""
    cdef MethodState* now = &run.now
    cdef digits_t rest = now.components[cell] & <digits_t>~(1 << digit)
    now.components[cell] = rest
    if not rest:
        run.refuted = True
        record_event(run, CONTRADICTED, cell, -1, NO_RULE, -1, -1, 0)
    else:
        leave(now, row_of(cell), digit)
        leave(now, 9 + column_of(cell), digit)
        leave(now, 18 + box_of(cell), digit)
        if not rest & (rest - 1):
            now.lone[row_of(cell)] |= <unsigned short>(1 << column_of(cell))


cdef inline void zero(MethodRun* run, int cell, int digit, int rule, int unit, int cause, int positions) noexcept nogil:
    """Zero a component that is not 0, and record the cause."""
    if run.recording:
        record_event(run, ZERO, cell, digit, rule, unit, cause, positions)
    run.totals[T_ZEROINGS + (0 if rule == THEOREM1 else 1 if rule == EXTENDED else 2)] += 1
    lose(run, cell, digit)


cdef int take(MethodRun* run, int cell, int digit) noexcept nogil:
    """Set the value of a cell, zero its other components, append it to the queue; return how many it zeroed."""
    cdef MethodState* now = &run.now
    cdef digits_t rest, bit = <digits_t>(1 << digit)
    cdef int units[3]
    cdef int i
    units[0] = row_of(cell)
    units[1] = 9 + column_of(cell)
    units[2] = 18 + box_of(cell)
    now.values[cell] = <unsigned char>(digit + 1)
    now.lone[row_of(cell)] &= <unsigned short>~(1 << column_of(cell))
    now.queue[now.tail] = <unsigned char>cell
    now.tail += 1
    for i in range(3):
        now.placed[units[i]] |= bit
        now.hidden[units[i]] &= <digits_t>~bit
        now.nowhere[units[i]] &= <digits_t>~bit
        rest = now.components[cell]
        while rest:
            leave(now, units[i], lowest_bit(rest))
            rest &= rest - 1
        now.valued[units[i]] += 1
        if now.valued[units[i]] == 8:
            now.eights |= <unsigned int>1 << units[i]
        else:
            now.eights &= ~(<unsigned int>1 << units[i])
    rest = now.components[cell] & <digits_t>~bit
    now.components[cell] = bit
    return set_size(rest)


cdef void convert(MethodRun* run, int cell, int digit, int rule, int unit) noexcept nogil:
    """Value conversion by theorem 2, 3 or 4; theorem 4 saves the zeroing of the cell's other components."""
    record_event(run, CONVERT, cell, digit, rule, unit, -1, 0)
    run.totals[T_CONVERSIONS + rule - THEOREM2] += 1
    run.totals[T_SAVED if rule == THEOREM4 else T_OWN] += take(run, cell, digit)


cdef void zero_out(MethodRun* run, int cell) noexcept nogil:
    """Theorem 1 for one valued cell: its row, its column, its box."""
    cdef MethodState* now = &run.now
    cdef int value = now.values[cell] - 1
    cdef unsigned char peers[20]
    cdef int i, peer, unit
    peers_of(cell, peers)
    for i in range(20):
        peer = peers[i]
        if now.components[peer] >> value & 1 and not run.refuted:
            unit = row_of(cell) if i < 8 else 9 + column_of(cell) if i < 16 else 18 + box_of(cell)
            zero(run, peer, value, THEOREM1, unit, cell, 0)


cdef void search_nowhere(MethodRun* run) noexcept nogil:
    """Whether a unit has no place for a digit."""
    cdef MethodState* now = &run.now
    cdef int unit, at
    if not now.lost:
        return
    for at in range(27):
        unit = 9 * run.order.kinds[at // 9] + at % 9
        if now.nowhere[unit]:
            run.refuted = True
            record_event(run, CONTRADICTED, -1, lowest_bit(now.nowhere[unit]), NO_RULE, unit, -1, 0)
            return
    now.lost = False


cdef bint theorem4(MethodRun* run, int* start) noexcept nogil:
    """Convert the last cell of the next unit with eight valued cells of different values."""
    cdef MethodState* now = &run.now
    cdef House house
    cdef int at, unit, cell
    cdef digits_t left
    if not now.eights:
        return False
    for at in range(start[0], 27):
        unit = 9 * run.order.kinds[at // 9] + at % 9
        if not now.eights >> unit & 1:
            continue
        gather_house(&house, unit, now.values, now.components)
        left = 511 & <digits_t>~house.filled
        if set_size(left) != 1:  # two of the eight are equal: their zeroing finds the contradiction
            continue
        cell = house.cells[0]
        if not now.components[cell] & left:
            run.refuted = True
            record_event(run, CONTRADICTED, -1, lowest_bit(left), NO_RULE, unit, -1, 0)
            return False
        # a value of another unit of the cell, which has not zeroed the component yet: it will, a contradiction
        if (now.placed[row_of(cell)] | now.placed[9 + column_of(cell)] | now.placed[18 + box_of(cell)]) & left:
            continue
        convert(run, cell, lowest_bit(left), THEOREM4, unit)
        start[0] = at + 1
        return True
    return False


cdef bint theorem3(MethodRun* run, int* start) noexcept nogil:
    """Convert the next component that is the only one of its digit in a unit."""
    cdef MethodState* now = &run.now
    cdef int at, unit, digit, place, cell
    for at in range(start[0], 27):
        unit = 9 * run.order.kinds[at // 9] + at % 9
        if not now.hidden[unit]:
            continue
        digit = lowest_bit(now.hidden[unit])
        for place in range(9):
            cell = cell_at(unit, place)
            if now.components[cell] >> digit & 1 and not now.values[cell]:
                convert(run, cell, digit, THEOREM3, unit)
                start[0] = at
                return True
    return False


cdef bint theorem2(MethodRun* run, int* start) noexcept nogil:
    """Convert the next undetermined cell that has one component."""
    cdef MethodState* now = &run.now
    cdef int row, cell
    cdef unsigned short lone
    for row in range(start[0] // 9, 9):
        lone = now.lone[row]
        if row == start[0] // 9:
            lone &= <unsigned short>(511 << start[0] % 9)
        if lone:
            cell = 9 * row + lowest_bit(lone)
            convert(run, cell, lowest_bit(now.components[cell]), THEOREM2, -1)
            start[0] = cell + 1
            return True
    return False


cdef bint look(MethodRun* run) noexcept nogil:
    """Find one conversion in the order of the options."""
    cdef int step, turn, theorem, first = run.turn if run.order.sweep else 0
    cdef int* start
    # a sweep that began in the middle wraps around to the earlier places
    for step in range(6 if run.order.sweep else 3):
        turn = (first + step) % 3
        if step or not run.order.sweep:
            run.position[turn] = 0
        theorem = run.order.theorems[turn]
        start = &run.position[turn]
        if theorem4(run, start) if theorem == 4 else theorem3(run, start) if theorem == 3 else theorem2(run, start):
            run.turn = turn
            return True
        if run.refuted:
            return False
    run.turn = 0
    run.position[0] = 0
    return False


cdef bint extended(MethodRun* run) noexcept nogil:
    """Zero a digit outside an intersection to which one unit confines it (the first case that zeroes something)."""
    cdef MethodState* now = &run.now
    cdef House house
    cdef int at, unit, other, digit, place, cell, positions
    cdef unsigned int others
    cdef bint found = False
    for at in range(27):
        unit = 9 * run.order.kinds[at // 9] + at % 9
        gather_house(&house, unit, now.values, now.components)
        for digit in range(9):
            if not house.open >> digit & 1:
                continue
            others = confining_houses(&house, digit)
            if not others:
                continue
            positions = 0
            for place in range(9):
                cell = cell_at(unit, place)
                if now.components[cell] >> digit & 1 and not now.values[cell]:
                    positions |= 1 << place
            for other in range(27):
                if not others >> other & 1:
                    continue
                for place in range(9):
                    cell = cell_at(other, place)
                    if now.components[cell] >> digit & 1 and not houses_of(cell) >> unit & 1 and not run.refuted:
                        zero(run, cell, digit, EXTENDED, unit, -1, positions)
                        found = True
            if found:
                return True
    return False


cdef int house_positions(const House* house, places_t chosen) noexcept nogil:
    """The places 0..8 in the unit of some of its empty cells, as bits."""
    cdef int positions = 0, place, i
    for i in range(house.size):
        if chosen >> i & 1:
            for place in range(9):
                if cell_at(house.index, place) == house.cells[i]:
                    positions |= 1 << place
    return positions


cdef bint zero_cells(MethodRun* run, const House* house, places_t cells, digits_t digits, int positions) noexcept nogil:
    """Zero these digits in these empty cells of a unit; return whether any was not 0."""
    cdef int i, cell
    cdef digits_t out
    cdef bint found = False
    for i in range(house.size):
        if not cells >> i & 1:
            continue
        cell = house.cells[i]
        out = run.now.components[cell] & digits
        while out and not run.refuted:
            zero(run, cell, lowest_bit(out), SUBSET, house.index, -1, positions)
            out &= out - 1
            found = True
    return found


cdef bint subset(MethodRun* run, int size, bint naked) noexcept nogil:
    """Zero what the first naked or hidden subset of this size excludes (the first case that zeroes something)."""
    cdef MethodState* now = &run.now
    cdef House house
    cdef Subset search
    cdef places_t places[9]
    cdef places_t cells
    cdef digits_t digits
    cdef int at
    for at in range(27):
        gather_house(&house, 9 * run.order.kinds[at // 9] + at % 9, now.values, now.components)
        if house.size <= size:
            continue
        start_subsets(&search, size)
        if naked:
            while next_subset(&search, house.sets, house.size):
                cells = members(&search)
                digits = search.joint[size]
                if zero_cells(run, &house, others_with(&house, cells, digits), digits,
                              house_positions(&house, cells)):
                    return True
        else:
            digit_places(&house, places)
            while next_subset(&search, places, 9):
                cells = search.joint[size]
                digits = members(&search)
                if zero_cells(run, &house, cells, 511 & <digits_t>~digits, house_positions(&house, cells)):
                    return True
    return False


cdef bint beyond(MethodRun* run) noexcept nogil:
    """The rules used when nothing converts: extended zeroing, then subsets from small to large."""
    cdef int size
    if run.order.extended and extended(run):
        return True
    if run.order.subsets:
        for size in range(2, 5):
            if subset(run, size, True) or subset(run, size, False):
                return True
    return False


cdef void preset(MethodRun* run) noexcept nogil:
    """Assume the smallest component of the first cell with fewest components."""
    cdef MethodState* now = &run.now
    cdef Assumption* frame = &run.frames[run.level]
    cdef int cell, count, best = 10
    invariant(run.level < 81)
    for cell in range(81):
        if not now.values[cell]:
            count = set_size(now.components[cell])
            if count < best:
                best = count
                frame.cell = cell
    board_invariant(best > 1 and best < 10, now.values, now.components)
    frame.digit = lowest_bit(now.components[frame.cell])
    memcpy(&frame.state, now, sizeof(MethodState))  # with cell and digit, all of the frame
    run.level += 1
    now.chain += 1
    run.totals[T_PRESETS] += 1
    if run.level > run.totals[T_DEEPEST]:
        run.totals[T_DEEPEST] = run.level
    record_event(run, PRESET, frame.cell, frame.digit, NO_RULE, -1, -1, 0)
    run.totals[T_OWN] += take(run, frame.cell, frame.digit)


cdef void take_back(MethodRun* run) noexcept nogil:
    """Retract a refuted preset: restore the state before it and zero its component there."""
    cdef Assumption* frame = &run.frames[run.level - 1]
    invariant(run.level > 0)
    record_event(run, RETRACT, frame.cell, frame.digit, NO_RULE, -1, -1, 0)
    memcpy(&run.now, &frame.state, sizeof(MethodState))
    run.level -= 1
    run.now.chain += 1
    run.totals[T_RETRACTED] += 1
    run.refuted = False
    run.turn = 0
    run.position[0] = 0
    lose(run, frame.cell, frame.digit)


cdef int run_rules(MethodRun* run, long long presets) noexcept nogil:
    """Steps 2 and 3 until nothing converts, then the further rules, then presets; return the status."""
    cdef MethodState* now = &run.now
    cdef int start
    while not run.failed:
        if is_set(run.stop):
            return STOPPED
        if run.refuted:
            if not run.level:
                return CONTRADICTION
            take_back(run)
            continue
        if now.head < now.tail:
            start = 0
            # where theorem 4 is first, it comes before the zeroing of the eighth value of a unit, and saves it
            if run.order.theorems[0] == 4 and (theorem4(run, &start) or run.refuted):
                continue
            zero_out(run, now.queue[now.head])
            now.head += 1
            continue
        search_nowhere(run)
        if run.refuted:
            continue
        if now.tail == 81:
            return SOLVED
        if look(run) or run.refuted:
            continue
        run.totals[T_ROUNDS] += 1
        if beyond(run):
            continue
        if run.totals[T_PRESETS] >= presets:
            return STUCK
        preset(run)
    return FAILED


cdef int run_method(MethodRun* run, const unsigned char* cells, long long presets) noexcept nogil:
    """Solve one puzzle from its givens (0..9 each); ``run`` holds the totals and the events.

    Every field of ``run`` is set but the order, `recording` and the memory of frames and events.
    """
    cdef MethodState* now = &run.now
    cdef int cell
    spoil(now, sizeof(MethodState))
    spoil(run.totals, sizeof(run.totals))
    spoil(run.frames, 81 * sizeof(Assumption))
    memset(now, 0, sizeof(MethodState))
    memset(run.totals, 0, sizeof(run.totals))
    memset(run.position, 0, sizeof(run.position))
    run.level = run.turn = 0
    run.count = 0
    run.failed = run.refuted = False
    memset(now.places, 9, sizeof(now.places))
    for cell in range(81):
        now.components[cell] = 511
    for cell in range(81):
        if cells[cell]:
            take(run, cell, cells[cell] - 1)
    run.totals[T_STATUS] = run_rules(run, presets)
    run.totals[T_CHAIN] = now.chain
    run.totals[T_LEVEL] = run.level
    return run.totals[T_STATUS]


cdef bint start_run(MethodRun* run, bint recording, tuple order, const unsigned char[::1] stop) except False:
    """Set the options and allocate memory."""
    cdef int i
    theorems, kinds, run.order.sweep, run.order.extended, run.order.subsets = order
    if sorted(theorems) != [2, 3, 4] or sorted(kinds) != [0, 1, 2]:
        raise ValueError("theorems are 2, 3, 4 and kinds of units 0, 1, 2, each once, in any order")
    for i in range(3):
        run.order.theorems[i] = theorems[i]
        run.order.kinds[i] = kinds[i]
    run.recording = recording
    run.stop = flag_of(stop)
    run.events = NULL
    run.capacity = run.count = 0
    run.frames = <Assumption*>malloc(81 * sizeof(Assumption))
    if run.frames is NULL:
        raise MemoryError
    return True


cdef check_values(const unsigned char* cells, Py_ssize_t count):
    """Raise an error for values that are not digits, because they index tables."""
    cdef Py_ssize_t i
    for i in range(count):
        if cells[i] > 9:
            raise ValueError(f"a cell is 0..9, element {i} is {cells[i]}")


def trace(const unsigned char[::1] cells, tuple order not None, *, long long presets=0,
          const unsigned char[::1] stop=None):
    """Solve one puzzle of 81 numbers with up to `presets` presets, and keep a record of all events.

    `order` has five items: the order of theorems 2, 3 and 4; the order of rows 0, columns 1 and boxes 2; whether to
    continue at the place of the last conversion, not from the beginning; whether to use extended zeroing; whether to
    use subsets.

    Return the status, the 81 values at the end, the events as rows of eight native 16-bit integers (kind, cell, digit,
    rule, unit, cause, positions, level), and the totals by name. False if `stop` ended the call.
    """
    cdef MethodRun run
    cdef int status
    if cells.shape[0] != 81:
        raise ValueError(f"a puzzle has 81 cells, not {cells.shape[0]}")
    check_values(&cells[0], 81)
    start_run(&run, True, order, stop)
    try:
        with nogil:
            status = run_method(&run, &cells[0], presets)
        if status == FAILED:
            raise MemoryError
        if status == STOPPED:
            return False
        return (status, (<char*>run.now.values)[:81], (<char*>run.events)[:run.count * sizeof(Event)],
                {name: run.totals[i] for i, name in enumerate(TOTAL_NAMES)})
    finally:
        free(run.events)
        free(run.frames)


def classify(const unsigned char[::1] text, const int64_t[::1] starts, int[::1] totals,
             tuple order not None, *, int zero=48, long long presets=0, const unsigned char[::1] stop=None):
    """Solve many puzzles and keep the totals only; one thread, the GIL is released.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte
    an empty cell. `totals` takes 15 numbers for each puzzle, in the order of `TOTAL_NAMES`. False if `stop` ended the
    call.
    """
    cdef Py_ssize_t n = starts.shape[0], i
    cdef int cell, digit
    cdef const unsigned char* puzzle
    cdef unsigned char cells[81]
    cdef MethodRun run
    if totals.shape[0] != TOTALS * n:
        raise ValueError(f"{n} puzzles have {TOTALS * n} totals, not {totals.shape[0]}")
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    if n == 0:
        return True
    start_run(&run, False, order, stop)
    try:
        with nogil:
            for i in range(n):
                puzzle = &text[start_of(&starts[i], text.shape[0])]
                for cell in range(81):
                    digit = puzzle[cell] - zero
                    cells[cell] = <unsigned char>digit if 1 <= digit <= 9 else 0
                if run_method(&run, cells, presets) == STOPPED:
                    break
                memcpy(&totals[TOTALS * i], run.totals, sizeof(run.totals))
        return run.totals[T_STATUS] != STOPPED
    finally:
        free(run.frames)
