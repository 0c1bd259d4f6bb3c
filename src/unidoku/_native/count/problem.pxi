# A puzzle prepared for the sum: its role, and the lists that the sum iterates over.
#
# A *role* assigns the bands and stacks of the puzzle to the parts of the sum. Stack 0 is in the lanes of the vectors,
# stacks 1 and 2 are loops. Band 0 is the outer loop, bands 1 and 2 are tables.  A puzzle has 36 roles: two
# orientations, three first bands, six orders of the stacks.  A cost model chooses the cheapest.
#
#                stack 0               stack 1               stack 2
#     band 0     partition p0          partition p1          partition p2          outer loops over p0, p1, p2
#     band 1     q0                    q1                    q2                    table by q1 and q2
#     band 2     r0                    r1                    r2                    table by r1 and r2
#                in the lanes          loop                  loop
#
#     sum over the configurations (p, q, r) of the three stacks: ways(p0, p1, p2) * ways(q0, q1, q2) * ways(r0, r1, r2)
#
# `ways` counts the fillings of a band whose boxes have these column partitions.

cdef enum:
    ROLES = 36
    NOWHERE = 0xFFFF
    MODEL_LANES = 32  # the same on every instruction set, so the role is the same


cdef struct Role:
    int transposed  # rows and columns are exchanged
    int band[3]
    int stack[3]


cdef struct Stack:
    # Possible partitions of its boxes in bands 0, 1, 2: how many there are, which, and the number of each.
    int partitions[3]
    uint16_t partition[3][PARTITIONS]
    uint16_t number[3][PARTITIONS]
    # Configurations by their *state* in band 0: the partition, if there are any.
    int states
    uint16_t state_of[PARTITIONS]  # by partition
    uint16_t state_number[PARTITIONS]  # number of its partition
    int start[PARTITIONS + 1]
    uint16_t pair[CONFIGURATIONS][2]  # numbers in bands 1 and 2
    uint8_t fit[CONFIGURATIONS]  # number among the fits of the partition in band 0
    int size


cdef struct Band:
    # Row partitions of its boxes, as in Stack.
    int partitions[3]
    uint16_t number[3][PARTITIONS]
    uint16_t partition[3][PARTITIONS]
    # Configurations by the number in stack 1: numbers in stacks 2 and 0.
    int start[PARTITIONS + 1]
    uint16_t pair[CONFIGURATIONS][2]
    uint8_t fit[CONFIGURATIONS]
    int size
    # For each number of a column partition in stack j: the row partitions that cross it.
    int cross_start[3][PARTITIONS + 1]
    uint16_t crossing[3][PARTITIONS * CROSSINGS]


cdef struct Problem:
    bint possible
    uint8_t grid[81]  # the clues, arranged by the role
    uint8_t cell_of[81]  # cell of the puzzle for each cell of `grid`
    Role role
    double cost[ROLES]  # estimated number of vector operations of each role
    int number  # of the role
    int orders  # product of the orders of the lines of all bands and stacks
    Group group[2][3]
    Stack stack[3]
    Band band[3]


cdef Role role_with(int number) noexcept nogil:
    cdef Role role
    cdef int rest = number % 18
    role.transposed = number // 18
    role.band[0] = rest // 6
    role.band[1] = (role.band[0] + 1) % 3
    role.band[2] = (role.band[0] + 2) % 3
    role.stack[0] = rest % 6 // 2
    role.stack[1] = (role.stack[0] + 1 + rest % 2) % 3
    role.stack[2] = 3 - role.stack[0] - role.stack[1]
    return role


cdef double share_of_ways(Group* band, int[3][PARTITIONS] columns, const double* boxes) noexcept nogil:
    """Estimate the fraction of the triples of column partitions of a band that have a filling.

    columns[b][p]: column partitions of box b that cross its row partition p; boxes[b]: all of them.
    """
    cdef double ways = 0
    cdef int lead = band.leading
    cdef int k
    cdef const Configuration* here
    for k in range(band.size):
        here = &band.configuration[k]
        ways += (<double> columns[lead][here.partition[0]] * columns[(lead + 1) % 3][here.partition[1]]
                 * columns[(lead + 2) % 3][here.partition[2]])
    ways /= boxes[0] * boxes[1] * boxes[2]
    return ways / (1 + ways)


cdef double role_cost(Group[2][3] groups, const Role* role, const double* share,
                      double[3][3] crossings) noexcept nogil:
    """Estimate the vector operations of a role; crossings[i][j]: pairs of partitions that cross in a box."""
    cdef Group* stack_1
    cdef Group* stack_2
    cdef Group* band
    cdef int rows = STACKS if role.transposed else BANDS
    cdef double batches = <double> groups[1 - rows][role.stack[0]].size / MODEL_LANES
    cdef double cost = 0
    cdef int i, k
    stack_1 = &groups[1 - rows][role.stack[1]]
    stack_2 = &groups[1 - rows][role.stack[2]]
    for k in range(3):  # making the table of a band
        i = role.band[k]
        band = &groups[rows][i]
        cost += crossings[i][role.stack[1]] * band.size / band.allowed_count[role.stack[1]]
        cost += stack_1.allowed_count[i] * (crossings[i][role.stack[2]] + 1.0 * band.allowed_count[role.stack[2]])
    i = role.band[0]
    cost += share[i] * (<double> stack_1.size * stack_2.size + 3.0 * stack_1.size * stack_2.allowed_count[i]
                        + 8.0 * stack_1.allowed_count[i] * stack_2.allowed_count[i])
    return cost * (batches if batches > 1 else 1)


cdef int cheapest_role(Group[2][3] groups, double* cost) noexcept nogil:
    """Find the cheapest role, and the cost of each."""
    cdef int columns[3][PARTITIONS]
    cdef double crossings[3][3]
    cdef double share[3]
    cdef double boxes[3]
    cdef int best = -1
    cdef int transposed, i, j, p, k, number, rows
    cdef Role role
    for transposed in range(2):
        rows = STACKS if transposed else BANDS
        for i in range(3):
            memset(columns, 0, sizeof(columns))
            for j in range(3):
                crossings[i][j] = 0
                boxes[j] = groups[1 - rows][j].allowed_count[i]
                for p in range(PARTITIONS):
                    if groups[rows][i].allowed[j][p]:
                        for k in range(CROSSINGS):
                            columns[j][p] += groups[1 - rows][j].allowed[i][tables.crossing[p][k]]
                        crossings[i][j] += columns[j][p]
            share[i] = share_of_ways(&groups[rows][i], columns, boxes)
        for k in range(18):
            number = 18 * transposed + k
            role = role_with(number)
            cost[number] = role_cost(groups, &role, share, crossings)
            if best < 0 or cost[number] < cost[best]:
                best = number
    return best


cdef inline int number_allowed(const uint8_t* allowed, uint16_t* partition, uint16_t* number) noexcept nogil:
    cdef int n = 0
    cdef int p
    for p in range(PARTITIONS):
        number[p] = NOWHERE
        if allowed[p]:
            number[p] = n
            partition[n] = p
            n += 1
    return n


cdef void fill_stack(Stack* stack, Group* group) noexcept nogil:
    cdef int count[PARTITIONS]
    cdef int b, k, p, state
    cdef const Configuration* here
    for b in range(3):
        stack.partitions[b] = number_allowed(group.allowed[b], stack.partition[b], stack.number[b])
    list_configurations(group, 0)
    stack.size = group.size
    memset(count, 0, sizeof(count))
    for k in range(group.size):
        count[group.configuration[k].partition[0]] += 1
    state = 0
    stack.start[0] = 0
    for p in range(PARTITIONS):
        stack.state_of[p] = NOWHERE
        if count[p]:
            stack.state_of[p] = state
            stack.state_number[state] = stack.number[0][p]
            stack.start[state + 1] = stack.start[state] + count[p]
            count[p] = stack.start[state]
            state += 1
    stack.states = state
    for k in range(group.size):
        here = &group.configuration[k]
        p = here.partition[0]
        stack.pair[count[p]][0] = stack.number[1][here.partition[1]]
        stack.pair[count[p]][1] = stack.number[2][here.partition[2]]
        stack.fit[count[p]] = here.fit
        count[p] += 1


cdef void fill_band(Band* band, Group* group, Stack* stacks, int i) noexcept nogil:
    cdef int b, k, n, p, first
    cdef const Configuration* here
    for b in range(3):
        band.partitions[b] = number_allowed(group.allowed[b], band.partition[b], band.number[b])
    list_configurations(group, 1)
    band.size = group.size
    p = 0
    band.start[0] = 0
    for k in range(group.size):
        here = &group.configuration[k]
        first = band.number[1][here.partition[0]]
        while p < first:
            p += 1
            band.start[p] = k
        band.pair[k][0] = band.number[2][here.partition[1]]
        band.pair[k][1] = band.number[0][here.partition[2]]
        band.fit[k] = here.fit
    while p < band.partitions[1]:
        p += 1
        band.start[p] = group.size
    for b in range(3):
        n = 0
        for p in range(stacks[b].partitions[i]):
            band.cross_start[b][p] = n
            for k in range(CROSSINGS):
                first = band.number[b][tables.crossing[stacks[b].partition[i][p]][k]]
                if first != NOWHERE:
                    band.crossing[b][n] = first
                    n += 1
        band.cross_start[b][stacks[b].partitions[i]] = n


cdef void collect_clues(const uint8_t* grid, uint16_t[2][3][3][3] clues) noexcept nogil:
    """Collect the digits of the clues in each line of each box of each band and stack."""
    cdef int row, column
    cdef uint16_t digit
    memset(clues, 0, 2 * sizeof(clues[0]))
    for row in range(9):
        for column in range(9):
            if grid[9 * row + column]:
                digit = <uint16_t> (1 << (grid[9 * row + column] - 1))
                clues[BANDS][row // 3][column // 3][row % 3] |= digit
                clues[STACKS][column // 3][row // 3][column % 3] |= digit


cdef void arrange(Problem* problem, const uint8_t* cells, const Role* role) noexcept nogil:
    """Arrange the clues by the role."""
    cdef int row, column, y, x, cell
    for row in range(9):
        for column in range(9):
            y = 3 * role.band[row // 3] + row % 3
            x = 3 * role.stack[column // 3] + column % 3
            cell = 9 * x + y if role.transposed else 9 * y + x
            problem.cell_of[9 * row + column] = cell
            problem.grid[9 * row + column] = cells[cell]


cdef void arrange_allowed(Problem* problem, Group[2][3] groups, const Role* role) noexcept nogil:
    """Arrange the possible partitions by the role."""
    cdef int rows = STACKS if role.transposed else BANDS
    cdef int g, b
    cdef Group* band
    cdef Group* stack
    for g in range(3):
        for b in range(3):
            band = &groups[rows][role.band[g]]
            stack = &groups[1 - rows][role.stack[g]]
            memcpy(problem.group[BANDS][g].allowed[b], band.allowed[role.stack[b]], PARTITIONS)
            memcpy(problem.group[STACKS][g].allowed[b], stack.allowed[role.band[b]], PARTITIONS)


cdef void prepare_problem(Problem* problem, const uint8_t* cells, int role_number) noexcept nogil:
    """Prepare a puzzle; `problem` is zeroed, and its groups have memory for their configurations.

    A role below 0 stands for the cheapest.
    """
    cdef uint16_t clues[2][3][3][3]
    cdef Group groups[2][3]
    cdef int kind, g, cheapest, lines
    cdef int* factorial = [1, 1, 2, 6]
    memcpy(groups, problem.group, sizeof(groups))
    collect_clues(cells, clues)
    problem.orders = 1
    for kind in range(2):
        for g in range(3):
            set_clues(&groups[kind][g], clues[kind][g])
            problem.orders *= factorial[groups[kind][g].free_lines]
    problem.possible = make_consistent(groups)
    if not problem.possible:
        return
    cheapest = cheapest_role(groups, problem.cost)
    problem.number = cheapest if role_number < 0 else role_number
    problem.role = role_with(problem.number)
    arrange(problem, cells, &problem.role)
    collect_clues(problem.grid, clues)
    for kind in range(2):
        for g in range(3):
            set_clues(&problem.group[kind][g], clues[kind][g])
    arrange_allowed(problem, groups, &problem.role)
    for g in range(3):
        fill_stack(&problem.stack[g], &problem.group[STACKS][g])
    for g in range(3):
        fill_band(&problem.band[g], &problem.group[BANDS][g], problem.stack, g)
