# A run: everything that one assumption (a candidate on or off) implies, breadth first; simple inner rules.
#
# All pending "on" come before the next "off"; the first contradiction ends the run. In a dynamic run each "off" is
# removed from the grid once its consequences are computed. Every node keeps its first reason, and the number of
# different nodes among its ancestors, itself included.
#
#     r1c1 has 1 2, r1c2 has 2 3, r1c9 has 2 3 4; the run of "1 in r1c1 off":
#
#     on: r1c1=2     off:                            the last candidate of its cell: 2 nodes
#     on:            off: r1c2=2, r1c9=2, ...        weak links of r1c1=2: 3 nodes each
#     on: r1c2=3     off: r1c9=2, ...                r1c2=2 left the grid, one candidate is left: 4 nodes
#     on:            off: r1c9=2, ..., r1c9=3        weak links of r1c2=3: 5 nodes


cdef void run_attach(Run* run) noexcept nogil:
    """Point the result of a run to its own memory."""
    cdef Found* found = &run.found
    found.on = run.on
    found.off = run.off
    found.count_on = run.count_on
    found.count_off = run.count_off
    found.cause = run.cause
    found.on_parents = run.on_parents
    found.on_many = run.on_many
    found.off_parents = run.off_parents
    found.off_many = run.off_many
    found.off_nested = run.off_nested
    found.off_technique = run.off_technique
    found.parents = run.parents
    found.nested_identity = run.nested_identity
    found.nested_complexity = run.nested_complexity


cdef inline block_t* slot_at(Run* run, int slot) noexcept nogil:
    """Return a set of ancestors."""
    return run.slot + slot * run.position.blocks


cdef void run_start(Run* run, const Position* position, const Board* grid, const uint8_t* gone, int candidate, bint on,
                    bint dynamic, bint one_digit) noexcept nogil:
    """Set every field for the run of an assumption; ``gone`` are the states of the candidates of the grid."""
    cdef Found* found = &run.found
    cdef int n = position.n
    run.position = position
    run.source = grid
    if dynamic:
        memcpy(&run.board, grid, sizeof(Board))
    run.dynamic = dynamic
    run.one_digit = one_digit
    run.next_on = run.next_off = 0
    run.slots = 1
    run.bound = MOST_NODES
    run.useful = 1
    run_attach(run)
    found.n_on = found.n_off = found.n_nested = found.n_parents = 0
    found.end = -1
    found.end_on = False
    found.end_complexity = found.end_cause = found.end_many = 0
    found.end_parents = 0
    memset(run.count_on, 0, n * sizeof(uint16_t))
    memset(run.count_off, 0, n * sizeof(uint16_t))
    memcpy(run.state, gone, n * sizeof(uint8_t))
    ancestors_clear(slot_at(run, 0), position.blocks)
    if on:
        ancestors_add(slot_at(run, 0), candidate)
        run.state[candidate] |= STATE_ON
        run.slot_on[candidate] = 0
        run.count_on[candidate] = 1
        run.cause[candidate] = CAUSE_NONE
        run.on_parents[candidate] = 0
        run.on_many[candidate] = 0
        run.on[0] = <uint16_t> candidate
        found.n_on = 1
    else:
        run.state[candidate] |= STATE_OFF
        run.slot_off[candidate] = 0
        run.count_off[candidate] = 1
        run.off_parents[candidate] = 0
        run.off_many[candidate] = NO_PARENTS
        run.off_nested[candidate] = -1
        run.off[0] = <uint16_t> candidate
        found.n_off = 1


cdef inline void join_off(Run* run, block_t* ancestors, int candidate) noexcept nogil:
    """Add an "off" and its ancestors to a set."""
    cdef Found* found = &run.found
    cdef int slot = run.slot_off[candidate]
    if found.off_many[candidate] == 0:
        slot = run.slot_on[found.off_parents[candidate]]
    ancestors_join(ancestors, slot_at(run, slot), run.position.blocks)
    ancestors_add(ancestors, run.position.n + candidate)


cdef bint run_on(Run* run, int p) noexcept nogil:
    """Take an "on" from the queue: turn its weak links off. True at a contradiction."""
    cdef const Position* position = run.position
    cdef Found* found = &run.found
    cdef uint32_t link = position.weak_houses[p] if run.one_digit else position.weak_begin[p]
    cdef uint32_t end = position.weak_begin[p + 1]
    cdef int count = found.count_on[p] + 1, k, q
    k = found.n_off
    while link < end:  # without branches that cannot be predicted
        q = position.weak[link]
        link += 1
        if run.state[q] & STATE_ON:
            found.end = q
            found.end_on = False
            found.end_parents = p
            found.end_many = 0
            found.end_complexity = found.count_on[q] + count
            break
        run.off[found.n_off] = <uint16_t> q
        found.n_off += run.state[q] == 0
    run.useful += (found.n_off - k) * (count < run.bound)
    while k < found.n_off:
        q = run.off[k]
        k += 1
        run.state[q] = STATE_OFF
        found.count_off[q] = <uint16_t> count
        found.off_parents[q] = p
        found.off_many[q] = 0
        found.off_nested[q] = -1
    return found.end >= 0


cdef int off_count(Run* run, uint32_t begin, int many) noexcept nogil:
    """Unite the ancestors of some "off" parents in a new slot; return it."""
    cdef int slot = run.slots, k
    cdef block_t* ancestors = slot_at(run, slot)
    run.slots += 1
    ancestors_clear(ancestors, run.position.blocks)
    for k in range(many):
        join_off(run, ancestors, run.parents[begin + k])
    return slot


cdef void list_parents(Run* run, int q, int cause) noexcept nogil:
    """List the parents of the "on" that candidate q implies when it is turned off: q, then earlier "off" nodes."""
    cdef const Position* position = run.position
    cdef Found* found = &run.found
    cdef int cell = position.cell[q], digit = position.digit[q], house
    cdef unsigned int removed
    cdef uint16_t* parents = run.parents
    parents[found.n_parents] = <uint16_t> q
    found.n_parents += 1
    if not run.dynamic:
        return
    if cause == CAUSE_CELL:
        removed = run.source.cand[cell] & ~run.board.cand[cell] & ~(1u << digit)
        while removed:
            parents[found.n_parents] = <uint16_t> position.number[9 * cell + lowest_bit(removed)]
            found.n_parents += 1
            removed &= removed - 1
    else:
        house = HOUSES[cell][cause - CAUSE_HOUSE]
        removed = run.source.places[house][digit] & ~run.board.places[house][digit]
        removed &= ~(1u << PLACE[cell][cause - CAUSE_HOUSE])
        while removed:
            cell = CELL[house][lowest_bit(removed)]
            parents[found.n_parents] = <uint16_t> position.number[9 * cell + digit]
            found.n_parents += 1
            removed &= removed - 1


cdef bint run_off(Run* run, int q) noexcept nogil:
    """Take an "off" from the queue: turn its strong links on, then remove it. True at a contradiction."""
    cdef const Position* position = run.position
    cdef Found* found = &run.found
    cdef const Board* board = run.source
    cdef int cell = position.cell[q], digit = position.digit[q]
    cdef int partner[4]
    cdef int causes[4]
    cdef int size = 0, k, other, p, slot, count
    cdef uint32_t begin
    if run.dynamic:
        board = &run.board
    if not run.one_digit:
        other = other_digit(board, cell, digit)
        if other >= 0:
            partner[0] = position.number[9 * cell + other]
            causes[0] = CAUSE_CELL
            size = 1
    for k in range(3):
        other = other_place(board, cell, digit, k)
        if other >= 0:
            partner[size] = position.number[9 * other + digit]
            causes[size] = CAUSE_HOUSE + k
            size += 1
    if run.dynamic:
        board_drop(&run.board, cell, digit)
    for k in range(size):
        p = partner[k]
        if run.state[p] & STATE_ON:
            continue
        begin = found.n_parents
        list_parents(run, q, causes[k])
        slot = 0
        if run.dynamic:
            slot = off_count(run, begin, found.n_parents - begin)
            ancestors_add(slot_at(run, slot), p)
            count = ancestors_count(slot_at(run, slot), position.blocks)
        else:
            count = found.count_off[q] + 1
        if run.state[p] & STATE_OFF:
            found.end = p
            found.end_on = True
            found.end_parents = begin
            found.end_many = found.n_parents - begin
            found.end_cause = causes[k]
            found.end_complexity = count + found.count_off[p]
            return True
        run.state[p] = STATE_ON
        run.slot_on[p] = <uint16_t> slot
        found.count_on[p] = <uint16_t> count
        found.cause[p] = <uint8_t> causes[k]
        found.on_parents[p] = begin
        found.on_many[p] = <uint16_t> (found.n_parents - begin)
        found.on[found.n_on] = <uint16_t> p
        found.n_on += 1
        run.useful += count < run.bound
    return False


cdef bint run_queues(Run* run) noexcept nogil:
    """Work until nothing useful is in the queues. True at a contradiction."""
    cdef Found* found = &run.found
    while run.useful:
        if run.next_on < found.n_on:
            run.useful -= found.count_on[found.on[run.next_on]] < run.bound
            run.next_on += 1
            if run_on(run, found.on[run.next_on - 1]):
                return True
        else:
            run.useful -= found.count_off[found.off[run.next_off]] < run.bound
            run.next_off += 1
            if run_off(run, found.off[run.next_off - 1]):
                return True
    return False


cdef bint run_turn_off(Run* run, const uint64_t* removed, const uint16_t* parents, int many, int technique,
                       int nested) noexcept nogil:
    """Queue the conclusions of an inner rule; false if all were queued before."""
    cdef Found* found = &run.found
    cdef uint32_t begin = found.n_parents
    cdef int slot = -1, word, candidate, count
    cdef uint64_t left
    memcpy(&run.parents[begin], parents, many * sizeof(uint16_t))
    found.n_parents += many
    for word in range(SET_WORDS):
        left = removed[word]
        while left:
            candidate = 64 * word + lowest_bit(left)
            left &= left - 1
            if run.state[candidate] & STATE_OFF:
                continue
            if slot < 0:
                slot = off_count(run, begin, many)
                count = ancestors_count(slot_at(run, slot), run.position.blocks) + 1
            run.state[candidate] |= STATE_OFF
            run.slot_off[candidate] = <uint16_t> slot
            found.count_off[candidate] = <uint16_t> count
            found.off_parents[candidate] = begin
            found.off_many[candidate] = <uint16_t> many
            found.off_nested[candidate] = <int16_t> nested
            found.off_technique[candidate] = <uint8_t> technique
            found.off[found.n_off] = <uint16_t> candidate
            found.n_off += 1
            run.useful += 1
    if slot < 0:
        found.n_parents = begin
    return slot >= 0


# The simple inner rules of the chains of 9.0 and more: intersections, hidden pairs, naked pairs, X-wings.
#
# They look at the grid of a run. A hint without a parent, that is, without a candidate that the run removed from its
# pattern, says nothing new and is left out.


cdef void removed_places(const Run* run, cells_t among, int digit, Parents* parents) noexcept nogil:
    """Add the places of a digit among some cells that the run removed."""
    cdef cells_t places = run.source.digit[digit] & ~run.board.digit[digit] & among
    while cells_any(places):
        add_parent(parents, run.position.number[9 * cells_first(places) + digit])
        places = cells_rest(places)


cdef bint inner_hint(Run* run, const cells_t* removed, const Parents* parents, int technique) noexcept nogil:
    """Queue the conclusions of a simple rule, cells row by row."""
    cdef uint64_t numbers[SET_WORDS]
    cdef cells_t left
    cdef int digit
    if not parents.size:
        return False
    memset(numbers, 0, sizeof(numbers))
    for digit in range(9):
        left = removed[digit]
        while cells_any(left):
            set_add(numbers, run.position.number[9 * cells_first(left) + digit])
            left = cells_rest(left)
    return run_turn_off(run, numbers, parents.item, parents.size, technique, -1)


cdef bint inner_intersections(Run* run) noexcept nogil:
    """Pointing and claiming: (box, column), (box, row), (column, box), (row, box).

    The parents are the removed places outside the second house: those in both houses would change nothing.
    """
    cdef const Board* board = &run.board
    cdef Parents parents
    cdef cells_t removed[9]
    cdef cells_t outside
    cdef int kind, i, j, digit, first, second
    cdef bint any = False
    for kind in range(4):
        for i in range(9):
            first = (COLUMNS if kind == 2 else ROWS if kind == 3 else BOXES) + i
            for j in range(9):
                second = (COLUMNS if kind == 0 else ROWS if kind == 1 else BOXES) + j
                if not cells_any(HOUSE[first] & HOUSE[second]):
                    continue
                for digit in range(9):
                    if set_size(board.places[first][digit]) < 2:
                        continue
                    if cells_any(board.digit[digit] & HOUSE[first] & ~HOUSE[second]):
                        continue
                    outside = board.digit[digit] & HOUSE[second] & ~HOUSE[first]
                    if not cells_any(outside):
                        continue
                    memset(removed, 0, sizeof(removed))
                    parents_start(&parents)
                    removed[digit] = outside
                    removed_places(run, HOUSE[first] & ~HOUSE[second], digit, &parents)
                    any |= inner_hint(run, removed, &parents, POINTING if kind < 2 else CLAIMING)
    return any


cdef bint inner_hidden_pairs(Run* run) noexcept nogil:
    """Hidden pairs in boxes, columns and rows, digit pairs in Gosper's order."""
    cdef const Board* board = &run.board
    cdef Parents parents
    cdef cells_t removed[9]
    cdef cells_t cells
    cdef unsigned int places
    cdef int scan, house, i, j, digit, place
    cdef bint any = False, found
    for scan in range(27):
        house = SCAN[scan]
        if board.empties[house] <= 4:
            continue
        for j in range(1, 9):
            places = board.places[house][j]
            if set_size(places) != 2:
                continue
            for i in range(j):
                if board.places[house][i] != places:
                    continue
                cells = ONE[CELL[house][lowest_bit(places)]] | ONE[CELL[house][lowest_bit(places & (places - 1))]]
                found = False
                for digit in range(9):
                    removed[digit] = cells & board.digit[digit]
                    if digit == i or digit == j:
                        removed[digit] = cells & ~cells
                    found |= cells_any(removed[digit])
                if not found:
                    continue
                parents_start(&parents)
                for place in range(9):
                    removed_places(run, ONE[CELL[house][place]], i, &parents)
                    removed_places(run, ONE[CELL[house][place]], j, &parents)
                any |= inner_hint(run, removed, &parents, HIDDEN_PAIR)
    return any


cdef bint inner_naked_pairs(Run* run) noexcept nogil:
    """Naked pairs in boxes, columns and rows, cell pairs in Gosper's order."""
    cdef const Board* board = &run.board
    cdef Parents parents
    cdef cells_t removed[9]
    cdef cells_t others
    cdef unsigned int digits, left
    cdef int scan, house, i, j, k, digit, cell
    cdef bint any = False, found
    for scan in range(27):
        house = SCAN[scan]
        if board.empties[house] < 4:
            continue
        for j in range(1, 9):
            digits = board.cand[CELL[house][j]]
            if set_size(digits) != 2:
                continue
            for i in range(j):
                if board.cand[CELL[house][i]] != digits:
                    continue
                others = HOUSE[house] & ~ONE[CELL[house][i]] & ~ONE[CELL[house][j]]
                found = False
                for digit in range(9):
                    removed[digit] = others & board.digit[digit]
                    if not digits >> digit & 1:
                        removed[digit] = others & ~others
                    found |= cells_any(removed[digit])
                if not found:
                    continue
                parents_start(&parents)
                for k in range(2):
                    cell = CELL[house][j if k else i]
                    left = run.source.cand[cell] & ~board.cand[cell]
                    while left:
                        add_parent(&parents, run.position.number[9 * cell + lowest_bit(left)])
                        left &= left - 1
                any |= inner_hint(run, removed, &parents, NAKED_PAIR)
    return any


cdef bint inner_x_wings(Run* run) noexcept nogil:
    """X-wings, base columns first, then base rows; line pairs in Gosper's order, then digits."""
    cdef const Board* board = &run.board
    cdef Parents parents
    cdef cells_t removed[9]
    cdef cells_t outside
    cdef unsigned int places
    cdef int unsolved[9]
    cdef int k, lines, covers, i, j, digit, house
    cdef bint any = False
    for digit in range(9):
        unsolved[digit] = 9
    for i in range(81):
        if board.value[i]:
            unsolved[board.value[i] - 1] -= 1
    for k in range(2):
        lines = ROWS if k else COLUMNS
        covers = COLUMNS if k else ROWS
        for j in range(1, 9):
            for i in range(j):
                for digit in range(9):
                    places = board.places[lines + j][digit]
                    if set_size(places) != 2 or board.places[lines + i][digit] != places:
                        continue
                    if unsolved[digit] < 4:
                        continue
                    house = covers + lowest_bit(places)
                    outside = HOUSE[house] | HOUSE[covers + lowest_bit(places & (places - 1))]
                    outside &= board.digit[digit] & ~HOUSE[lines + i] & ~HOUSE[lines + j]
                    if not cells_any(outside):
                        continue
                    memset(removed, 0, sizeof(removed))
                    parents_start(&parents)
                    removed[digit] = outside
                    removed_places(run, HOUSE[lines + i], digit, &parents)
                    removed_places(run, HOUSE[lines + j], digit, &parents)
                    any |= inner_hint(run, removed, &parents, X_WING)
    return any


cdef bint inner_simple(Run* run) noexcept nogil:
    """Ask the simple rules in order until one queues something."""
    return (inner_intersections(run) or inner_hidden_pairs(run) or inner_naked_pairs(run) or inner_x_wings(run))
