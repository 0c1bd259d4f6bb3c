# The filter of SudokuSolver 2.6: candidates shrunk by groups, then by ply; levels.pyx includes this text
# after search.pxi, whose structs it works on.

cdef void log_house(Engine* engine, int kind, const House* house, int way, places_t chosen, digits_t digits,
                    const digits_t* sets) noexcept nogil:
    """Log a change of the empty cells of a house: ``sets[i]`` belongs to ``house.cells[i]``."""
    cdef LogEntry* record = note(engine, kind)
    cdef int i
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
    """Reduce each cell that is the only place of a digit to that digit (the smallest if there are two)."""
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
    """Remove the digits ``gone[i]`` from the house's empty cells; WRONG if a cell has no candidate left."""
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
    return same if bits(same) == bits(sets[index]) else 0


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
        size = bits(house.sets[i])
        sizes[size] += 1
        chosen = alike(house.sets, house.size, i) if size < house.size else 0
        if chosen and losses(house, everywhere & ~chosen, house.sets[i], gone):
            return remove(engine, INCOMPLETE, house, 1, chosen, house.sets[i], gone)
    digit_places(house, places)
    for i in range(9):  # 2GW
        digits = alike(places, 9, i) if bits(places[i]) < house.size else 0
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
        gather(&house, index, engine.board.values, engine.board.candidates)
        if house.size:
            alone = hidden_singles(&house)
            if alone:
                return complete_shrink(engine, &house, alone)
            if missing(&house):
                log_event(engine, CONTRADICTION, 0, lowest(missing(&house)) + 1, index)
                return WRONG
            outcome = incomplete_shrink(engine, &house)
            if outcome != PENDING:
                return outcome
        engine.board.settled |= <unsigned int>1 << index
    return PENDING


cdef int confine(Engine* engine, int line, int segment, digits_t only, int policy) noexcept nogil:
    """Ply: the digits ``only`` of a line can be placed only in one of its three segments."""
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
        log_event(engine, CONTRADICTION, 0, 0, line)
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
    cdef int a, c, outcome, result = PENDING
    for a in range(3):
        outside[a] = filled[a + 3 * ((step + 1) % 3)] | filled[a + 3 * ((step + 2) % 3)]
        full[a] = bits(filled[3 * step + a]) == 3
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
                note(engine, AGAIN)
                continue
        if outcome == PENDING:
            note(engine, FRUITLESS)
        return outcome
