# Solutions by rank: the sum is evaluated in a fixed order until it reaches the rank.
#
# A rank is decomposed from the outer to the inner parts of the sum: the states of stacks 0 and 1, one of their images
# under exchanges, and the state of stack 2. Then the filling of band 0, the configurations of the three stacks, the
# fillings of bands 1 and 2, and the orders of the lines. Every instruction set has the same lists, so the order is
# the same.

cdef enum:
    MOST_UNITS = 64  # with configurations of one state of stack 0


cdef struct Search:
    Problem* problem
    Symmetry* symmetry
    Plan* plan
    # `at` is the pair of states of stacks 0 and 1; `before` is the sum of all parts before it.
    size_t at
    uint64_t before
    int stack_0
    int stack_1
    # One worker for each unit with configurations of the state of stack 0.
    Worker* worker[MOST_UNITS]
    int workers
    int units
    # The remaining rank, and the number of the order of the lines.
    uint64_t rest
    uint32_t order


cdef struct BoxChoice:
    # A filled grid except for the order of the lines: a configuration of each stack and each band.
    int state[3]  # of the stacks
    int configuration[3]
    int first[3]  # of the bands: row partition in stack 1
    int filling[3]


cdef inline bint unit_has(const Plan* plan, int unit, int state) noexcept nogil:
    cdef int k
    for k in range(plan.unit[unit].begin, plan.unit[unit].end):
        if plan.pair[k].state == state:
            return True
    return False


cdef inline uint32_t lane_sum(const Worker* w, int place, int pair) noexcept nogil:
    return (<uint32_t*> &w.sum[place])[pair]


cdef inline uint16_t lane_of(const vec* v, int lane) noexcept nogil:
    return (<const uint16_t*> v)[lane]


cdef void choose_state(Search* search, int* place, int* chosen, uint32_t* member, uint64_t* way) noexcept nogil:
    """Choose the state of stack 2, the pair of its orbit, and the filling of band 0.

    place[u] is set to the index of the state among the active states of unit u, or to -1.
    """
    cdef Stack* last = &search.problem.stack[2]
    cdef Worker* w
    cdef Unit* unit
    cdef int next[MOST_UNITS]
    cdef int b, u, k
    cdef uint64_t sum
    cdef uint64_t ways
    cdef uint64_t weight
    memset(next, 0, sizeof(next))
    for b in range(last.states):
        sum = ways = 0
        for u in range(search.units):
            w = search.worker[u]
            unit = &w.plan.unit[w.unit]
            place[u] = -1
            if next[u] == w.actives or w.active[next[u]] != b:
                continue
            place[u] = next[u]
            next[u] += 1
            for k in range(unit.begin, unit.end):
                if w.plan.pair[k].state == search.stack_0:
                    sum += lane_sum(w, place[u], k - unit.begin)
                    ways = lane_of(&w.first[last.state_number[b]], 2 * (k - unit.begin))
        w = search.worker[0]
        weight = 1
        if w.weight != NULL:
            weight = w.weight[<size_t> search.stack_1 * last.states + b]
        if search.rest < sum * ways * weight:
            chosen[0] = b
            member[0] = <uint32_t> (search.rest % weight)
            search.rest //= weight
            way[0] = search.rest % ways
            search.rest //= ways
            return
        search.rest -= sum * ways * weight


cdef bint choose_in_lane(Search* search, Worker* w, int lane, int b, BoxChoice* choice, uint64_t* ways) noexcept nogil:
    """Choose configurations of stacks 1 and 2 for one of stack 0; if the rank is after them, reduce it, return false.

    ways[i] is set to the number of fillings of band i.
    """
    cdef Stack* stack = &search.problem.stack[1]
    cdef Stack* last = &search.problem.stack[2]
    cdef int k, m
    cdef const vec* y
    cdef const vec* z
    for k in range(stack.start[search.stack_1], stack.start[search.stack_1 + 1]):
        y = table_row(w, 1, stack.pair[k][0])
        z = table_row(w, 2, stack.pair[k][1])
        for m in range(last.start[b], last.start[b + 1]):
            ways[1] = lane_of(&y[last.pair[m][0]], lane)
            ways[2] = lane_of(&z[last.pair[m][1]], lane)
            if search.rest < ways[1] * ways[2]:
                choice.configuration[1] = k
                choice.configuration[2] = m
                return True
            search.rest -= ways[1] * ways[2]
    return False


cdef void choose_configurations(Search* search, const int* place, int b, BoxChoice* choice,
                                uint64_t* ways) noexcept nogil:
    """Choose the configurations of all stacks."""
    cdef Worker* w
    cdef Unit* unit
    cdef int u, k, side
    for u in range(search.units):
        w = search.worker[u]
        unit = &w.plan.unit[w.unit]
        if place[u] < 0:
            continue
        for k in range(unit.begin, unit.end):
            if w.plan.pair[k].state != search.stack_0:
                continue
            if search.rest >= lane_sum(w, place[u], k - unit.begin):
                search.rest -= lane_sum(w, place[u], k - unit.begin)
                continue
            for side in range(2):
                choice.configuration[0] = w.plan.pair[k].configuration[side]
                if choose_in_lane(search, w, 2 * (k - unit.begin) + side, b, choice, ways):
                    return


cdef void choose_filling(const Band* band, const int* column, uint64_t way, int* first, int* filling) noexcept nogil:
    """Find the filling of a band with a number, for the column partitions of its boxes."""
    cdef uint8_t crossing[2][PARTITIONS]  # of stacks 0 and 2
    cdef int k, m, s
    memset(crossing, 0, sizeof(crossing))
    for k in range(band.cross_start[0][column[0]], band.cross_start[0][column[0] + 1]):
        crossing[0][band.crossing[0][k]] = 1
    for k in range(band.cross_start[2][column[2]], band.cross_start[2][column[2] + 1]):
        crossing[1][band.crossing[2][k]] = 1
    for k in range(band.cross_start[1][column[1]], band.cross_start[1][column[1] + 1]):
        s = band.crossing[1][k]
        for m in range(band.start[s], band.start[s + 1]):
            if crossing[1][band.pair[m][0]] and crossing[0][band.pair[m][1]]:
                if way == 0:
                    first[0] = s
                    filling[0] = m
                    return
                way -= 1


cdef void take_order(const Group* group, uint8_t (*triple)[3], uint32_t* order) noexcept nogil:
    """Put the lines of a configuration into one of their orders; triple[b][m] is the triple of box b in line m."""
    cdef uint8_t line[3][3]
    cdef int places[3]
    cdef int b, k, m, n
    cdef uint32_t orders
    for m in range(3):
        places[m] = (group.places[0][triple[0][m]] & group.places[1][triple[1][m]]
                     & group.places[2][triple[2][m]])
    orders = tables.orders[places[0] | places[1] << 3 | places[2] << 6]
    n = <int> (order[0] % orders)
    order[0] //= orders
    memcpy(line, triple, sizeof(line))
    for k in range(6):  # line k // 2 first, then one of the other two
        m = (k // 2 + 1 + k % 2) % 3
        b = 3 - k // 2 - m
        if places[k // 2] & 1 and places[m] & 2 and places[b] & 4:
            if n == 0:
                places[0] = k // 2
                places[1] = m
                places[2] = b
                break
            n -= 1
    for b in range(3):
        for k in range(3):
            triple[b][k] = line[b][places[k]]


cdef void fill_grid(Problem* problem, const BoxChoice* choice, uint32_t order, uint8_t* grid) noexcept nogil:
    cdef uint8_t row[3][3][3]  # triples by band, stack, line
    cdef uint8_t column[3][3][3]  # by stack, band, line
    cdef const Fit* fit
    cdef const uint8_t* triple
    cdef int i, j, y, x, p
    cdef uint16_t digit
    for j in range(3):
        p = problem.stack[j].partition[0][problem.stack[j].state_number[choice.state[j]]]
        fit = &tables.fit[p][problem.stack[j].fit[choice.configuration[j]]]
        memcpy(column[j][0], tables.triple[p], 3)
        memcpy(column[j][1], fit.second_triple, 3)
        memcpy(column[j][2], fit.third_triple, 3)
        take_order(&problem.group[STACKS][j], column[j], &order)
    for i in range(3):
        p = problem.band[i].partition[1][choice.first[i]]
        fit = &tables.fit[p][problem.band[i].fit[choice.filling[i]]]
        memcpy(row[i][1], tables.triple[p], 3)
        memcpy(row[i][2], fit.second_triple, 3)
        memcpy(row[i][0], fit.third_triple, 3)
        take_order(&problem.group[BANDS][i], row[i], &order)
    for i in range(3):
        for j in range(3):
            for y in range(3):
                for x in range(3):
                    digit = tables.digits[row[i][j][y]] & tables.digits[column[j][i][x]]
                    grid[27 * i + 9 * y + 3 * j + x] = bit_count(digit - 1)


cdef void descend(Search* search, uint8_t* out) noexcept nogil:
    """Write the solution with a rank."""
    cdef Problem* p = search.problem
    cdef Symmetry* symmetry = search.symmetry
    cdef Worker* w = search.worker[0]
    cdef int place[MOST_UNITS]
    cdef BoxChoice choice
    cdef uint64_t ways[3]
    cdef uint64_t way[3]
    cdef uint8_t grid[81]
    cdef int column[3]
    cdef Exchange exchange
    cdef Exchange outer
    cdef uint32_t pair
    cdef uint32_t member = 0
    cdef int i, j, k
    cdef int orbit_member = 0
    memset(&choice, 0, sizeof(choice))
    ways[1] = ways[2] = 1
    way[0] = 0
    if symmetry != NULL:
        orbit_member = <int> (search.rest % symmetry.weight[search.stack_0])
        search.rest //= symmetry.weight[search.stack_0]
    choice.state[0] = search.stack_0
    choice.state[1] = search.stack_1
    choose_state(search, place, &choice.state[2], &member, &way[0])
    choose_configurations(search, place, choice.state[2], &choice, ways)
    way[1] = search.rest % ways[1]
    way[2] = search.rest // ways[1]
    for i in range(3):
        for j in range(3):
            if i == 0:
                column[j] = p.stack[j].state_number[choice.state[j]]
            else:
                column[j] = p.stack[j].pair[choice.configuration[j]][i - 1]
        choose_filling(&p.band[i], column, way[i], &choice.first[i], &choice.filling[i])
    fill_grid(p, &choice, search.order, grid)
    make_identity(&exchange)
    if w.weight != NULL:
        pair = <uint32_t> search.stack_1 * p.stack[2].states + choice.state[2]
        path_to_pair(symmetry, search.stack_0, &w.orbits, w.orbits.member[w.orbits.place[pair] + member], &exchange)
    if symmetry != NULL:
        k = search.stack_0
        while orbit_member:
            k += 1
            orbit_member -= symmetry.root[k] == search.stack_0
        path_to(symmetry, k, &outer)
        follow(&exchange, &outer)
    for k in range(81):
        out[p.cell_of[exchange.cell[k]]] = exchange.digit[grid[k]] + 1
