# The name that people give to a step, recognised in what was found. `unidoku.rating._names` has the words, most of
# them HoDoKu's.


cdef int name_of(const Board* board, const Step* step, const Trace* trace) noexcept nogil:
    """Return the name of a step on a board; of a cycle or forcing chain `trace` has the nodes."""
    cdef int technique = step.technique
    if is_unary(technique):
        return name_of_chain(board, step, trace)
    if technique == UNIQUE_RECTANGLE or technique == BUG:
        return NAME[technique] + step.kind - KIND_TYPE_1
    if technique <= ALIGNED_PAIR_EXCLUSION:
        return NAME_FULL_HOUSE if step.kind == KIND_FULL_HOUSE else NAME[technique]
    if technique == ALIGNED_TRIPLET_EXCLUSION:
        return NAME_ALIGNED_TRIPLET
    if technique == NISHIO:
        return NAME_NISHIO
    if technique == MULTIPLE_FORCING_CHAINS:
        return NAME_CELL_CHAINS if step.kind == KIND_CELL else NAME_HOUSE_CHAINS
    return ((NAME_DYNAMIC_DOUBLE if technique <= DYNAMIC_PLUS else NAME_NESTED_DOUBLE)
            + (0 if step.kind == KIND_DOUBLE else step.kind - KIND_CELL + 1))


cdef inline bint are_conjugate(const Board* board, int one, int two, int k) noexcept nogil:
    """Whether two places of a digit are its only places in their box (k is 0), row (1) or column (2)."""
    cdef int house = HOUSES[one // 9][k]
    return house == HOUSES[two // 9][k] and set_size(board.places[house][one % 9]) == 2


cdef inline bint share(int one, int two, int k) noexcept nogil:
    """Whether two candidates are in one box (k is 0), row (1) or column (2)."""
    return HOUSES[one // 9][k] == HOUSES[two // 9][k]


cdef int name_of_chain(const Board* board, const Step* step, const Trace* trace) noexcept nogil:
    """Return the name of a cycle or forcing chain, from its nodes: the end first, each after what follows from it."""
    cdef bint is_cycle = step.technique != FORCING_X_CHAIN and step.technique != FORCING_CHAIN
    cdef int strong[3][2]           # the first strong links, from a candidate to a candidate
    cdef int at = 0, size = 0, in_cells = 0, weak_only = 0, parent, node, k
    cdef unsigned int digits = 0
    while at < trace.size and trace.item[at + 3]:  # the start of a forcing chain has no parent
        node = trace.item[at + 1] >> 1
        parent = trace.item[at + 4] >> 1
        digits |= 1u << node % 9
        if trace.item[at + 1] & 1:
            if size < 3:
                strong[size][0], strong[size][1] = parent, node
            size += 1
            in_cells += parent // 9 == node // 9
        elif is_cycle or (at and trace.item[at + 8]):  # not to or from the removed candidate
            for k in range(3):
                if are_conjugate(board, parent, node, k):
                    break
            else:
                weak_only += 1
        at += 5
    if step.technique == X_CYCLE or step.technique == FORCING_X_CHAIN:
        if not is_cycle and step.cell < 0 and size == 2:
            return name_of_two(board, strong)
        return NAME_SIMPLE_COLORS if not weak_only else NAME_X_CHAIN_LOOP if is_cycle else NAME_X_CHAIN
    if in_cells == size:
        if set_size(digits) == 2:
            return NAME_REMOTE_PAIR
        return NAME_XY_CHAIN_LOOP if is_cycle else NAME_XY_CHAIN
    if is_cycle:
        return NAME_NICE_LOOP
    if step.cell >= 0:
        return NAME_DISCONTINUOUS_LOOP
    return NAME_W_WING if size == 3 and is_w_wing(board, strong) else NAME_AIC


cdef int name_of_two(const Board* board, const int (*strong)[2]) noexcept nogil:
    """Return the name of two strong links of a digit: the end of the second and the begin of the first are joined."""
    cdef bint rows[2]
    cdef bint columns[2]
    cdef int near = strong[1][1], far = strong[0][0], k
    if strong[1][0] == strong[0][1]:  # one end
        return NAME_X_CHAIN
    for k in range(2):
        rows[k] = are_conjugate(board, strong[k][0], strong[k][1], 1)
        columns[k] = are_conjugate(board, strong[k][0], strong[k][1], 2)
    if (rows[0] and rows[1] and share(near, far, 2)) or (columns[0] and columns[1] and share(near, far, 1)):
        return NAME_SKYSCRAPER
    if ((rows[0] and columns[1]) or (columns[0] and rows[1])) and share(near, far, 0):
        return NAME_KITE
    return NAME_TURBOT_FISH


cdef bint is_w_wing(const Board* board, const int (*strong)[2]) noexcept nogil:
    """Whether three strong links are in a cell, in a house, and in a cell with the same two candidates."""
    cdef int last = strong[0][1], first = strong[2][0]
    return (last != first and strong[0][0] // 9 == last // 9 and strong[1][0] // 9 != strong[1][1] // 9
            and strong[2][1] // 9 == first // 9 and last % 9 == first % 9
            and strong[1][0] % 9 == strong[1][1] % 9 == strong[0][0] % 9 == strong[2][1] % 9
            and board.cand[last // 9] == board.cand[first // 9])
