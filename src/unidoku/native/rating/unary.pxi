# The first of the least cycles and forcing chains of a position, without a search for each start.
#
# What all starts reach gives the least complexity of a forcing chain. Every candidate that a cycle of length n
# removes is also removed by a forcing chain of complexity n + 2 or less with links of the same kinds. So cycles are
# searched only where such a chain is, and only those lengths that are shorter than the best hint so far.

cdef extern from "reach.h" nogil:
    enum:
        REACH_NEVER
    ctypedef struct Links:
        int first_weak
        int first_strong
        int last_strong
    ctypedef struct Reach:
        int n
        int blocks
        int groups
        int size_begin[2][11]
        uint16_t begin[81 + 243 + 1]
        uint16_t source[81 + 243]
        uint16_t member[4 * MOST_CANDIDATES]
        bint complete
        uint8_t cell_matters[81]
        uint8_t house_matters[27][9]
        uint64_t lengths[MOST_CANDIDATES]
        uint8_t layer[2][MOST_CANDIDATES]
    int reach_run(Reach* reach, Links links, int most, const uint8_t* window)
    bint reach_common(const Reach* reach, int group)
    void reach_lengths(Reach* reach, Links links, int least, int longest)

cdef enum:
    MOST_LAYERS = 250

# Filled once by unary_prepare: how far to go on after a first conflict in a layer.
cdef uint8_t SAME_LAYER[MOST_LAYERS + 5]
cdef uint8_t ALL_LAYERS[MOST_LAYERS + 5]
cdef uint8_t NEXT_LAYER[MOST_LAYERS + 5]
cdef uint8_t CYCLE_LAYER[MOST_LAYERS + 5]   # as far as an X-cycle comes before the forcing X-chain


cdef int longest_cycle(int which, double sum, int complexity, int kind, bint tied) noexcept nogil:
    """Return the length of the longest cycle of a pass that comes before a hint; 2 if there is none."""
    cdef int length = 2
    while length < 2 * MOST_LAYERS and key_less(chain_sum(cycle_base(which), length + 2), length + 2,
                                                kind_of_pass(which) - tied, sum, complexity, kind):
        length += 2
    return length


cdef void unary_prepare() noexcept:
    """Fill the tables."""
    cdef int layer, length
    for layer in range(MOST_LAYERS + 5):
        SAME_LAYER[layer] = <uint8_t> min(layer, MOST_LAYERS)
        ALL_LAYERS[layer] = MOST_LAYERS
        NEXT_LAYER[layer] = <uint8_t> min(layer + 1, MOST_LAYERS)
        length = longest_cycle(PASS_X, chain_sum(6.6, 2 * layer + 2), 2 * layer + 2, KIND_X, False)
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
    cdef int kind, k, size, sources, group = 0, first
    cdef uint16_t members = 0
    cdef unsigned int left
    reach.n = position.n
    reach.blocks = (position.n + 255) // 256
    reach.complete = False
    for kind in range(2):
        sources = 243 if kind else 81
        memset(next_of_size, 0, sizeof(next_of_size))
        for k in range(sources):
            sizes[k] = <uint8_t> digits_count(board.places[k // 9][k % 9] if kind else board.cand[k])
            next_of_size[sizes[k]] += 1
        for size in range(2, 10):
            reach.size_begin[kind][size] = group
            at[size] = members
            group += next_of_size[size]
            members += <uint16_t> (size * next_of_size[size])
            next_of_size[size] = reach.size_begin[kind][size]
        reach.size_begin[kind][10] = group
        for k in range(sources):
            size = sizes[k]
            if size < 2:
                continue
            first = next_of_size[size]
            next_of_size[size] += 1
            reach.source[first] = <uint16_t> k
            reach.begin[first] = at[size]
            left = board.places[k // 9][k % 9] if kind else board.cand[k]
            while left:
                reach.member[at[size]] = <uint16_t> position.number[
                    9 * CELL[k // 9][digits_first(left)] + k % 9 if kind else 9 * k + digits_first(left)]
                at[size] += 1
                left &= left - 1
    reach.begin[group] = members
    reach.groups = group


cdef void take_forcing_chain(const Reach* reach, Hints* hints, int layer, int which) noexcept nogil:
    """Take the first forcing chain of a layer if it is the first of the least."""
    cdef uint64_t removed[SET_WORDS]
    cdef int complexity = 2 * layer + 2
    cdef int kind = kind_of_pass(which)
    cdef double sum = chain_sum(forcing_base(which), complexity)
    cdef int start = 0
    cdef bint on
    if not key_less(sum, complexity, kind, hints.sum, hints.complexity, hints.kind):
        return
    while reach.layer[0][start] != layer and reach.layer[1][start] != layer:
        start += 1
    on = reach.layer[1][start] == layer
    conclude(hints.position, hints.grid, start, not on, removed)
    hints_take(hints, removed, start, not on, sum, complexity, kind,
               FORCING_X_CHAIN if which == PASS_X else FORCING_CHAIN)
    hints.tied = start if which == PASS_XY else -1


cdef void cycles_load(Unary* work, Position* position, const Board* board) noexcept nogil:
    """List what the search for cycles needs, unless it is listed."""
    if work.position == NULL:
        position_link(position, board)
        unary_load(work, position, board)


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
    longest = longest_cycle(PASS_X, hints.sum, hints.complexity, hints.kind, False)
    first = longest + 1
    for digit in range(9):
        first = min(first, max(4, least[digit]))
    if first > longest:
        return
    reach_lengths(reach, links_of_pass(PASS_X), first, longest)
    for start in range(position.n):
        digit = position.digit[start]
        if reach.lengths[start] and least[digit] <= longest:
            cycles_load(work, position, board)
            offer_cycles(work, hints, start, PASS_X, max(4, least[digit]), reach.lengths[start])
            longest = longest_cycle(PASS_X, hints.sum, hints.complexity, hints.kind, False)


cdef void best_y(Reach* reach, Position* position, const Board* board, Unary* work, Hints* hints) noexcept nogil:
    """Find the best Y-cycle."""
    cdef int start, longest, least
    longest = longest_cycle(PASS_Y, hints.sum, hints.complexity, hints.kind, False)
    if longest < 4:
        return
    least = max(4, 2 * reach_run(reach, links_of_pass(PASS_Y), min(longest // 2, MOST_LAYERS), ALL_LAYERS))
    if least > longest:
        return
    reach_lengths(reach, links_of_pass(PASS_Y), least, longest)
    for start in range(position.n):
        if reach.lengths[start]:
            cycles_load(work, position, board)
            offer_cycles(work, hints, start, PASS_Y, least, reach.lengths[start])


cdef void best_xy(Reach* reach, Position* position, const Board* board, Unary* work, Hints* hints) noexcept nogil:
    """Find the best cycle or forcing chain with links in cells and houses."""
    cdef int first, start, longest, least = 2 * MOST_LAYERS
    longest = longest_cycle(PASS_XY, hints.sum, hints.complexity, hints.kind, False)
    if longest < 4:
        return
    first = reach_run(reach, links_of_pass(PASS_XY), min(longest // 2, MOST_LAYERS), NEXT_LAYER)
    if first == REACH_NEVER:
        reach.complete = hints.complexity == 0
        return
    take_forcing_chain(reach, hints, first, PASS_XY)
    for start in range(position.n):
        least = min(least, 2 * reach.layer[1][start])
    least = max(4, least)
    longest = longest_cycle(PASS_XY, hints.sum, hints.complexity, hints.kind, hints.tied >= 0)
    if least > longest:
        return
    reach_lengths(reach, links_of_pass(PASS_XY), least, longest)
    for start in range(position.n):
        if reach.lengths[start]:
            cycles_load(work, position, board)
            offer_cycles(work, hints, start, PASS_XY, least, reach.lengths[start])


cdef void best_unary(Reach* reach, Position* position, const Board* board, Unary* work,
                     Hints* hints) noexcept nogil:
    """Find the first of the least cycles and forcing chains of a position."""
    reach_load(reach, position, board)
    work.position = NULL
    best_x(reach, position, board, work, hints)
    best_y(reach, position, board, work, hints)
    best_xy(reach, position, board, work, hints)


cdef bint reach_filter(Reach* reach, const Position* position, const Board* board) noexcept nogil:
    """Find the cells and houses whose chains have a common conclusion; false if there are none.

    "x on turns y off" is symmetric, and an "on" turns others off: so the candidates that all starts of a group turn
    off are those that turn all starts off.
    """
    cdef int group, k
    cdef bint any = False
    if not reach.complete:
        reach_load(reach, position, board)
        reach.complete = reach_run(reach, links_of_pass(PASS_XY), MOST_LAYERS, SAME_LAYER) == REACH_NEVER
    memset(reach.cell_matters, 0, sizeof(reach.cell_matters))
    memset(reach.house_matters, 0, sizeof(reach.house_matters))
    for group in range(reach.groups):
        if digits_count(board.cand[position.cell[reach.member[reach.begin[group]]]]) < 3:
            continue
        if reach.complete and not reach_common(reach, group):
            continue
        any = True
        k = reach.source[group]
        if group < reach.size_begin[0][10]:
            reach.cell_matters[k] = True
        else:
            reach.house_matters[k // 9][k % 9] = True
    return any


unary_prepare()
