# Cycles and forcing chains with one start: ordered searches.
#
#     5 in r2c3 on --> r2c8 off ------> r6c8 on --> r6c1 off ------> r3c1 on --> r2c3 off       so r2c3 is not 5
#           weak: row 2    strong: column 8   weak: row 6    strong: column 1   weak: box 1
#
# A weak link turns off what sees a candidate; a strong one turns on the only other candidate of a cell, or the only
# other place in a house. The complexity is the number of nodes, here 6.

cdef uint64_t ALL_LENGTHS = <uint64_t> 0xFFFFFFFFFFFFFFFF


cdef void unary_load(Unary* work, const Position* position, const Board* grid,
                     unsigned int listed) noexcept nogil:
    """List the strong links of some digits of a grid."""
    cdef int k, house, cell, digit, other, size, before
    work.position = position
    work.grid = grid
    for k in range(position.n):
        cell = position.cell[k]
        digit = position.digit[k]
        work.here[k] = grid.cand[cell] >> digit & listed >> digit & 1
        size = 0
        if work.here[k]:
            other = other_digit(grid, cell, digit)
            if other >= 0:
                work.strong[k][0] = position.number[9 * cell + other]
                work.cause[k][0] = CAUSE_CELL
                size = 1
            for house in range(3):
                other = other_place(grid, cell, digit, house)
                if other >= 0:
                    other = position.number[9 * other + digit]
                    before = 0
                    while before < size and work.strong[k][before] != other:
                        before += 1
                    if before == size:
                        work.strong[k][size] = <int16_t> other
                        work.cause[k][size] = <uint8_t> (CAUSE_HOUSE + house)
                        size += 1
        work.strong_size[k] = <uint8_t> size


cdef inline bint cause_in_pass(int cause, int which) noexcept nogil:
    """Whether a strong link counts in a pass."""
    return which == PASS_XY or (cause == CAUSE_CELL) == (which == PASS_Y)


cdef int forcing_chain(Unary* work, int start, bint on, int which) noexcept nogil:
    """Search the chain from a start to its negation; return its complexity, or 0 if there is none."""
    cdef const Position* position = work.position
    cdef uint16_t* ons = work.queue[0]
    cdef uint16_t* offs = work.queue[1]
    cdef int on_head = 0, on_tail = 0, off_head = 0, off_tail = 0, length = 0, k, p, q
    cdef uint32_t link
    for k in range(position.n):
        work.on_parent[k] = work.off_parent[k] = -2
    if on:
        work.on_parent[start] = -1
        ons[0] = <uint16_t> start
        on_tail = 1
    else:
        work.off_parent[start] = -1
        offs[0] = <uint16_t> start
        off_tail = 1
    while on_head < on_tail or off_head < off_tail:
        length += on_head < on_tail
        while on_head < on_tail:
            p = ons[on_head]
            on_head += 1
            link = position.weak_houses[p] if which == PASS_X else position.weak_begin[p]
            while link < position.weak_begin[p + 1]:
                q = position.weak[link]
                link += 1
                if work.off_parent[q] == -2 and work.here[q]:
                    work.off_parent[q] = <int16_t> p
                    if on and q == start:
                        return length + 1
                    offs[off_tail] = <uint16_t> q
                    off_tail += 1
        length += off_head < off_tail
        while off_head < off_tail:
            q = offs[off_head]
            off_head += 1
            for k in range(work.strong_size[q]):
                p = work.strong[q][k]
                if work.on_parent[p] == -2 and cause_in_pass(work.cause[q][k], which):
                    work.on_parent[p] = <int16_t> q
                    work.on_cause[p] = work.cause[q][k]
                    if not on and p == start:
                        return length + 1
                    ons[on_tail] = <uint16_t> p
                    on_tail += 1
    return 0


cdef void offer_forcing_chain(Unary* work, Hints* hints, int start, bint on, int which,
                              int complexity) noexcept nogil:
    """Take an inner forcing chain of a known complexity if it beats the best so far."""
    cdef int candidate, technique
    cdef HintKey key = forcing_key(which, complexity)
    cdef uint64_t nodes = 0
    cdef uint64_t removed[SET_WORDS]
    cdef Parents parents
    cdef bint now_on
    conclude(work.position, work.grid, start, not on, removed)
    if not hints_want(hints, removed, key):
        return
    technique = FORCING_X_CHAIN if which == PASS_X else FORCING_CHAIN
    forcing_chain(work, start, on, which)
    parents_start(&parents)
    candidate = start
    now_on = not on
    while True:
        nodes = list_hash(nodes, node_hash(candidate, now_on))
        if now_on:
            if work.on_parent[candidate] < 0:
                break
            add_cause_parents(hints, candidate, work.on_cause[candidate], &parents)
            candidate = work.on_parent[candidate]
        else:
            if work.off_parent[candidate] < 0:
                break
            candidate = work.off_parent[candidate]
        now_on = not now_on
    if parents.size:
        hints_take_inner(hints, removed, key, technique, &parents, list_hash(0, nodes))


cdef inline bint among_ancestors(const Unary* work, int on, int off) noexcept nogil:
    """Whether an "off" is before an "on" in the cycle search."""
    cdef int reason = work.on_reason[on]
    while reason >= 0:
        if work.met[reason] == off:
            return True
        reason = work.on_reason[work.met_parent[reason]]
    return False


cdef inline int weak_cause(const Position* position, int on, int off) noexcept nogil:
    """Return why a candidate turns another one off: the cell that both are in, or the first such house."""
    cdef int house = 0
    if position.cell[on] == position.cell[off]:
        return CAUSE_CELL
    while HOUSES[position.cell[on]][house] != HOUSES[position.cell[off]][house]:
        house += 1
    return CAUSE_HOUSE + house


cdef inline bint cycle_first(const Hints* hints, int start, HintKey key) noexcept nogil:
    """Whether a cycle from a start beats the best hint in the position itself; ties keep the first."""
    key.kind -= start <= hints.tied
    return precedes(key, hints.key)


cdef inline int kind_of_pass(int which) noexcept nogil:
    """Return the kind of the cycles and chains of a pass."""
    return KIND_X if which == PASS_X else KIND_Y if which == PASS_Y else KIND_XY


cdef inline HintKey cycle_key(int which, int length) noexcept nogil:
    """Return the key of a cycle of a pass."""
    return HintKey(chain_sum(7.0 if which == PASS_XY else 6.5, length), length, kind_of_pass(which))


cdef inline HintKey forcing_key(int which, int complexity) noexcept nogil:
    """Return the key of a forcing chain of a pass."""
    return HintKey(chain_sum(6.6 if which == PASS_X else 7.0, complexity), complexity, kind_of_pass(which))


cdef void offer_cycle(Unary* work, Hints* hints, int start, int last, int cause, int length,
                      int which) noexcept nogil:
    """Take a cycle, given by its last meeting, if it removes something and beats the best so far."""
    cdef int technique = X_CYCLE if which == PASS_X else Y_CYCLE if which == PASS_Y else XY_CYCLE
    cdef HintKey key = cycle_key(which, length)
    cdef uint64_t removed[SET_WORDS]
    if hints.source == NULL and not cycle_first(hints, start, key):
        return
    if not cycle_removes(work, start, last, removed):
        return
    if hints.source == NULL:
        hints_take(hints, removed, -1, False, key, technique)
        hints.start = start
        hints.last = last
        hints.last_cause = cause
    elif hints_want(hints, removed, key):
        take_inner_cycle(work, hints, start, last, cause, length, removed, technique, key)


cdef bint cycle_removes(const Unary* work, int start, int last, uint64_t* removed) noexcept nogil:
    """Write the candidates that a cycle removes: they see both an on and an off of their digit; whether any."""
    cdef const Position* position = work.position
    cdef cells_t near_on[9]
    cdef cells_t near_off[9]
    cdef cells_t gone, cells = ONE[position.cell[start]]
    cdef int reason = last, digit, p, q
    cdef bint any = False
    memset(near_on, 0, sizeof(near_on))
    memset(near_off, 0, sizeof(near_off))
    near_on[position.digit[start]] = PEERS[position.cell[start]]
    while True:
        q = work.met[reason]
        p = work.met_parent[reason]
        cells |= ONE[position.cell[q]] | ONE[position.cell[p]]
        near_off[position.digit[q]] |= PEERS[position.cell[q]]
        near_on[position.digit[p]] |= PEERS[position.cell[p]]
        if p == start:
            break
        reason = work.on_reason[p]
    memset(removed, 0, SET_WORDS * sizeof(uint64_t))
    for digit in range(9):
        gone = near_on[digit] & near_off[digit] & work.grid.digit[digit] & ~cells
        while cells_any(gone):
            set_add(removed, position.number[9 * cells_first(gone) + digit])
            gone = cells_rest(gone)
            any = True
    return any


cdef void take_inner_cycle(Unary* work, Hints* hints, int start, int last, int cause, int length,
                           const uint64_t* removed, int technique, HintKey key) noexcept nogil:
    """Keep an inner cycle that rests on candidates which the outer chain removed.

    It rests on its chain and on the reversed one, in which the "off" are on by their weak links.
    """
    cdef Parents parents
    cdef int reason = last, p, q, k
    cdef uint64_t nodes = list_hash(0, node_hash(start, True)), reversed_nodes = 0
    parents_start(&parents)
    add_cause_parents(hints, start, cause, &parents)
    for k in range(length // 2 - 1, -1, -1):
        work.round[k] = reason
        q = work.met[reason]
        p = work.met_parent[reason]
        nodes = list_hash(nodes, node_hash(q, False))
        if k:
            nodes = list_hash(nodes, node_hash(p, True))
            add_cause_parents(hints, p, work.on_cause[p], &parents)
            reason = work.on_reason[p]
    for k in range(length // 2):
        q = work.met[work.round[k]]
        p = work.met_parent[work.round[k]]
        reversed_nodes = list_hash(list_hash(reversed_nodes, node_hash(p, False)), node_hash(q, True))
        add_cause_parents(hints, q, weak_cause(work.position, p, q), &parents)
    if parents.size:
        hints_take_inner(hints, removed, key, technique, &parents,
                         list_hash(list_hash(0, nodes), reversed_nodes))


cdef void offer_cycles(Unary* work, Hints* hints, int start, int which, int least,
                       uint64_t lengths) noexcept nogil:
    """Search all cycles through a start that have one of some lengths (bit n / 2); none is shorter than ``least``."""
    cdef const Position* position = work.position
    cdef uint16_t* ons = work.queue[0]
    cdef int on_head = 0, on_tail = 1, met_head = 0, met_tail = 0, length = 0, k, p, q
    cdef uint32_t link
    for k in range(position.n):
        work.on_reason[k] = -2
    work.on_reason[start] = -1
    ons[0] = <uint16_t> start
    while on_head < on_tail:
        if lengths >> min((length + 2) // 2, 63) == 0:
            return
        if hints.source == NULL and not cycle_first(hints, start, cycle_key(which, length + 2)):
            return
        while on_head < on_tail:
            p = ons[on_head]
            on_head += 1
            link = position.weak_houses[p] if which == PASS_X else position.weak_begin[p]
            while link < position.weak_begin[p + 1]:
                q = position.weak[link]
                link += 1
                if (work.strong_size[q] and (which != PASS_Y or work.cause[q][0] == CAUSE_CELL)
                        and not among_ancestors(work, p, q)):
                    work.met[met_tail] = <uint16_t> q
                    work.met_parent[met_tail] = <uint16_t> p
                    met_tail += 1
                    invariant(met_tail <= MOST_OFFS)
        length += 2
        while met_head < met_tail:
            q = work.met[met_head]
            for k in range(work.strong_size[q]):
                if not cause_in_pass(work.cause[q][k], which):
                    continue
                p = work.strong[q][k]
                if p == start and length >= least:
                    offer_cycle(work, hints, start, met_head, work.cause[q][k], length, which)
                if work.on_reason[p] == -2:
                    work.on_reason[p] = met_head
                    work.on_cause[p] = work.cause[q][k]
                    ons[on_tail] = <uint16_t> p
                    on_tail += 1
            met_head += 1


# The easiest cycle or forcing chain of a position (ties keep the first), without a search for each start.
#
# The layers reached from all starts give the least complexity of a forcing chain. Any candidate that a cycle of length
# n removes is also removed by a forcing chain of complexity n + 2 or less with links of the same kinds. So cycles are
# searched only where such a chain is, and only in lengths shorter than the best hint so far.

# Filled once by unary_prepare: how far to go on after a first conflict in a layer.
cdef uint8_t SAME_LAYER[MOST_LAYERS + 5]
cdef uint8_t ALL_LAYERS[MOST_LAYERS + 5]
cdef uint8_t NEXT_LAYER[MOST_LAYERS + 5]
cdef uint8_t CYCLE_LAYER[MOST_LAYERS + 5]   # as far as an X-cycle comes before the forcing X-chain


cdef int longest_cycle(int which, HintKey key, bint tied) noexcept nogil:
    """Return the length of the longest cycle of a pass that comes before a hint; 2 if there is none."""
    cdef int length = 2
    key.kind += tied
    while length < 2 * MOST_LAYERS and precedes(cycle_key(which, length + 2), key):
        length += 2
    return length


cdef void unary_prepare() noexcept:
    """Fill the tables."""
    cdef int layer, length
    for layer in range(MOST_LAYERS + 5):
        SAME_LAYER[layer] = <uint8_t> min(layer, MOST_LAYERS)
        ALL_LAYERS[layer] = MOST_LAYERS
        NEXT_LAYER[layer] = <uint8_t> min(layer + 1, MOST_LAYERS)
        length = longest_cycle(PASS_X, forcing_key(PASS_X, 2 * layer + 2), False)
        CYCLE_LAYER[layer] = <uint8_t> max(min(length // 2, MOST_LAYERS), layer)


cdef inline Links links_of_pass(int which) noexcept nogil:
    """Return the links of a pass: X in houses, Y strong in cells only, XY all."""
    cdef Links links
    links.first_weak = links.first_strong = which == PASS_X
    links.last_strong = 1 if which == PASS_Y else 2
    return links


cdef void reach_load(Reach* reach, const Position* position, const Board* board) noexcept nogil:
    """List the cells, and the houses of a digit, with two candidates or more, by their number of candidates."""
    cdef int next_of_size[10]
    cdef uint16_t at[10]
    cdef uint8_t sizes[243]
    cdef uint8_t chosen[243]
    cdef uint64_t few, many      # how many groups of each size, 8 bits for each
    cdef int kind, k, size, sources, count, i, group = 0, first
    cdef uint16_t members = 0
    cdef unsigned int left
    reach.n = position.n
    reach.blocks = reach_blocks(position.n)
    reach.complete = False
    for kind in range(2):
        sources = 243 if kind else 81
        few = many = 0
        count = 0
        for k in range(sources):
            size = set_size(board.places[k // 9][k % 9] if kind else board.cand[k])
            sizes[k] = <uint8_t> size
            chosen[count] = <uint8_t> k
            count += size > 1
            if size < 8:
                few += <uint64_t> 1 << 8 * size
            else:
                many += <uint64_t> 1 << 8 * (size - 8)
        for size in range(2, 10):
            reach.size_begin[kind][size] = next_of_size[size] = group
            at[size] = members
            first = <int> ((few >> 8 * size if size < 8 else many >> 8 * (size - 8)) & 255)
            group += first
            members += <uint16_t> (size * first)
        reach.size_begin[kind][10] = group
        for i in range(count):
            k = chosen[i]
            size = sizes[k]
            first = next_of_size[size]
            next_of_size[size] += 1
            reach.source[first] = <uint16_t> k
            reach.begin[first] = at[size]
            left = board.places[k // 9][k % 9] if kind else board.cand[k]
            while left:
                reach.member[at[size]] = <uint16_t> position.number[
                    9 * CELL[k // 9][lowest_bit(left)] + k % 9 if kind else 9 * k + lowest_bit(left)]
                at[size] += 1
                left &= left - 1
    reach.begin[group] = members
    reach.groups = group
    invariant(group <= 81 + 243)


cdef void take_forcing_chain(const Reach* reach, Hints* hints, int layer, int which) noexcept nogil:
    """Take the first forcing chain of a layer if it beats the best so far."""
    cdef uint64_t removed[SET_WORDS]
    cdef HintKey key = forcing_key(which, 2 * layer + 2)
    cdef int start = 0
    cdef bint on
    if not precedes(key, hints.key):
        return
    while reach.layer[0][start] != layer and reach.layer[1][start] != layer:
        start += 1
    on = reach.layer[1][start] == layer
    conclude(hints.position, hints.grid, start, not on, removed)
    hints_take(hints, removed, start, not on, key,
               FORCING_X_CHAIN if which == PASS_X else FORCING_CHAIN)
    hints.tied = start if which == PASS_XY else -1


cdef void cycles_load(Unary* work, Position* position, const Board* board,
                      unsigned int listed) noexcept nogil:
    """List the links of some digits for the search for cycles, unless they are listed."""
    if work.position == NULL:
        position_link(position, board, listed)
        unary_load(work, position, board, listed)


cdef void best_x(Reach* reach, Position* position, const Board* board, Unary* work, Hints* hints) noexcept nogil:
    """Find the best X-cycle or forcing X-chain."""
    cdef int least[9]
    cdef int first, start, digit, longest
    first = reach_run(reach, links_of_pass(PASS_X), MOST_LAYERS, CYCLE_LAYER)
    if first == REACH_NEVER:
        return
    take_forcing_chain(reach, hints, first, PASS_X)
    for digit in range(9):
        least[digit] = 2 * MOST_LAYERS
    for start in range(position.n):
        if 2 * reach.layer[1][start] < least[position.digit[start]]:
            least[position.digit[start]] = 2 * reach.layer[1][start]
    longest = longest_cycle(PASS_X, hints.key, False)
    first = longest + 1
    for digit in range(9):
        first = min(first, max(4, least[digit]))
    if first > longest:
        return
    reach_lengths(reach, links_of_pass(PASS_X), first, longest)
    for start in range(position.n):
        digit = position.digit[start]
        if reach.lengths[start] and least[digit] <= longest:
            cycles_load(work, position, board, ALL_DIGITS)
            offer_cycles(work, hints, start, PASS_X, max(4, least[digit]), reach.lengths[start])
            longest = longest_cycle(PASS_X, hints.key, False)


cdef cells_t cycle_cells(const Board* board) noexcept nogil:
    """The cells with two candidates that may be in a Y-cycle: both candidates see another one in such a cell."""
    cdef cells_t kept = cells_with(board, 2), rest, last = 0
    cdef int cell
    cdef unsigned int digits
    while kept != last:
        last = rest = kept
        while cells_any(rest):
            cell = cells_first(rest)
            rest = cells_rest(rest)
            digits = board.cand[cell]
            if not (cells_any(kept & PEERS[cell] & board.digit[lowest_bit(digits)])
                    and cells_any(kept & PEERS[cell] & board.digit[lowest_bit(digits & (digits - 1))])):
                kept &= ~ONE[cell]
    return kept


cdef inline uint64_t other_ports(uint64_t ports) noexcept nogil:
    """The other candidates of the cells of some ports."""
    return (ports & <uint64_t> 0x5555555555555555) << 1 | (ports >> 1 & <uint64_t> 0x5555555555555555)


cdef bint ports_load(Ports* ports, const Board* board) noexcept nogil:
    """Number the ports; false if there are too many."""
    cdef uint8_t first_port[81]
    cdef cells_t core = cycle_cells(board), rest = core, near
    cdef int n = 0, cell, port, k
    while cells_any(rest):
        if n == MOST_PORTS:
            return False
        cell = cells_first(rest)
        rest = cells_rest(rest)
        first_port[cell] = <uint8_t> n
        ports.cell[n] = ports.cell[n + 1] = <uint8_t> cell
        ports.digit[n] = <uint8_t> lowest_bit(board.cand[cell])
        ports.digit[n + 1] = <uint8_t> lowest_bit(board.cand[cell] & (board.cand[cell] - 1))
        n += 2
    for port in range(n):
        near = PEERS[ports.cell[port]] & core & board.digit[ports.digit[port]]
        ports.after[port] = 0
        while cells_any(near):
            k = first_port[cells_first(near)]
            near = cells_rest(near)
            ports.after[port] |= <uint64_t> 1 << (k + (ports.digit[k] == ports.digit[port]))
    ports.n = n
    return True


cdef void ports_follow(Ports* ports, int port, int most) noexcept nogil:
    """Find the ports that a port reaches over at most so many strong links, and the cycles that close at it."""
    cdef uint64_t* within = ports.within[port]
    cdef uint64_t front = <uint64_t> 1 << port, following
    cdef int links = 0
    within[0] = front
    ports.closed[port] = 0
    while front and links < most:
        following = 0
        while front:
            following |= ports.after[lowest_bit(front)]
            front &= front - 1
        links += 1
        ports.closed[port] |= (following >> port & 1) << links
        front = following & ~within[links - 1]
        within[links] = within[links - 1] | following
    ports.depth[port] = links


cdef uint64_t ports_on_cycles(const Ports* ports, int port, int links) noexcept nogil:
    """Return the ports on the cycles of so many strong links that close at a port.

    A way back from a port is a way from the other port of the start's cell to the other one of the port's.
    """
    cdef const uint64_t* within = ports.within[port]
    cdef const uint64_t* back = ports.within[port ^ 1]
    cdef uint64_t found = <uint64_t> 1 << port
    cdef int i
    for i in range(1, links):
        found |= within[i] & ~within[i - 1] & other_ports(back[min(links - i, ports.depth[port ^ 1])])
    return found


cdef bint ports_remove(const Ports* ports, uint64_t cycle, int port, int links, const Board* board) noexcept nogil:
    """Whether a cycle over some ports, which has so many strong links and closes at a port, may remove something."""
    cdef cells_t sees_on[9]
    cdef cells_t sees_off[9]
    cdef cells_t inside = 0
    cdef uint64_t left = cycle
    cdef int k, digit
    memset(sees_on, 0, sizeof(sees_on))
    memset(sees_off, 0, sizeof(sees_off))
    while left:
        k = lowest_bit(left)
        left &= left - 1
        inside |= ONE[ports.cell[k]]
        sees_on[ports.digit[k]] |= PEERS[ports.cell[k]]
        sees_off[ports.digit[k ^ 1]] |= PEERS[ports.cell[k]]
    if cells_count(cycle) > links:  # several ways
        inside = ONE[ports.cell[port]]
    for digit in range(9):
        if cells_any(sees_on[digit] & sees_off[digit] & board.digit[digit] & ~inside):
            return True
    return False


cdef bint y_lengths(uint64_t* lengths, Ports* ports, const Position* position, const Board* board,
                    int longest) noexcept nogil:
    """Find which lengths Y-cycles from each start may have that remove something; whether there are any."""
    cdef uint64_t closed
    cdef int port, links
    cdef bint any = False
    if not ports_load(ports, board):  # rare: any length
        memset(lengths, 255, position.n * sizeof(uint64_t))
        return True
    memset(lengths, 0, position.n * sizeof(uint64_t))
    for port in range(ports.n):
        ports_follow(ports, port, min(longest // 2, MOST_PORTS))
    for port in range(ports.n):
        closed = ports.closed[port]
        while closed:
            links = lowest_bit(closed)
            closed &= closed - 1
            if ports_remove(ports, ports_on_cycles(ports, port, links), port, links, board):
                lengths[position.number[9 * ports.cell[port] + ports.digit[port]]] |= <uint64_t> 1 << links
                any = True
    return any


cdef void best_y(Reach* reach, Position* position, const Board* board, Unary* work, Hints* hints) noexcept nogil:
    """Find the best Y-cycle."""
    cdef int start, longest
    longest = longest_cycle(PASS_Y, hints.key, False)
    if longest < 4 or not y_lengths(reach.lengths, &work.ports, position, board, longest):
        return
    for start in range(position.n):
        if reach.lengths[start]:
            cycles_load(work, position, board, ALL_DIGITS)
            offer_cycles(work, hints, start, PASS_Y, 4, reach.lengths[start])


cdef void best_xy(Reach* reach, Position* position, const Board* board, Unary* work, Hints* hints) noexcept nogil:
    """Find the best cycle or forcing chain with links in cells and houses."""
    cdef int first, start, longest, least = 2 * MOST_LAYERS
    longest = longest_cycle(PASS_XY, hints.key, False)
    if longest < 4:
        return
    first = reach_run(reach, links_of_pass(PASS_XY), min(longest // 2, MOST_LAYERS), NEXT_LAYER)
    if first == REACH_NEVER:
        reach.complete = hints.key.complexity == 0
        return
    take_forcing_chain(reach, hints, first, PASS_XY)
    for start in range(position.n):
        least = min(least, 2 * reach.layer[1][start])
    least = max(4, least)
    longest = longest_cycle(PASS_XY, hints.key, hints.tied >= 0)
    if least > longest:
        return
    reach_lengths(reach, links_of_pass(PASS_XY), least, longest)
    for start in range(position.n):
        if reach.lengths[start]:
            cycles_load(work, position, board, ALL_DIGITS)
            offer_cycles(work, hints, start, PASS_XY, least, reach.lengths[start])


cdef void best_unary(Reach* reach, Position* position, const Board* board, Unary* work,
                     Hints* hints) noexcept nogil:
    """Find the easiest cycle or forcing chain of a position; ties keep the first."""
    reach_load(reach, position, board)
    work.position = NULL
    best_x(reach, position, board, work, hints)
    best_y(reach, position, board, work, hints)
    best_xy(reach, position, board, work, hints)


cdef void offer_unary(Reach* reach, Unary* work, const Board* board, Hints* hints) noexcept nogil:
    """Offer all inner cycles and forcing chains; ``reach.complete`` says that there are none."""
    cdef const Position* position = hints.position
    cdef uint8_t layer[2][MOST_CANDIDATES]
    cdef int which, start, least, on
    reach_load(reach, position, board)
    reach.complete = reach_run(reach, links_of_pass(PASS_XY), MOST_LAYERS, ALL_LAYERS) == REACH_NEVER
    if reach.complete:
        return
    memcpy(layer, reach.layer, sizeof(layer))
    unary_load(work, position, board, ALL_DIGITS)
    for which in range(3):
        if which == PASS_XY:
            memcpy(reach.layer, layer, sizeof(layer))
        elif reach_run(reach, links_of_pass(which), MOST_LAYERS, ALL_LAYERS) == REACH_NEVER:
            continue
        least = MOST_LAYERS
        for start in range(position.n):
            least = min(least, reach.layer[1][start])
        least = max(4, 2 * least)
        reach_lengths(reach, links_of_pass(which), least, 2 * MOST_LAYERS)
        for start in range(position.n):
            if reach.lengths[start]:
                offer_cycles(work, hints, start, which, least, reach.lengths[start])
            if which == PASS_Y:
                continue
            for on in range(1, -1, -1):
                if reach.layer[on][start] != REACH_NEVER:
                    offer_forcing_chain(work, hints, start, on, which, 2 * reach.layer[on][start] + 2)


unary_prepare()
