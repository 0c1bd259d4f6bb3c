# What the sum gives besides the number of solutions: counts of cells, and solutions by rank.
#
# Counts are those of the solutions with each digit in each cell of band 0.
#
# G(c0, a0, b0), the sum of the products of bands 1 and 2, is the number of times that the column partitions of
# band 0 are c0, a0, b0.  Each row configuration (r, s, t) of band 0 that crosses them fills the three boxes, so with
#     K(a0, t) = sum of G over the b0 that t crosses,    L(s, b0) = sum of G over the a0 that s crosses,
#     H(s, t) = sum of K(a0, t) over the a0 that s crosses
# the box in stack 0 is (r, c0) in H(s, t) solutions, the box in stack 1 is (s, a0) in K(a0, t) and the box in
# stack 2 is (t, b0) in L(s, b0).  States include the order of the columns here.
#
# An orbit is counted at its first member, with the weight of the orbit, and lines without clues have one order
# only.  The average over all images under exchanges corrects both.

cdef enum:
    MOST_SLOTS = 4  # states of stack 0 in a unit


cdef struct Tally:
    # Sizes of rows, padded.
    size_t rows_1  # row partitions in stack 1
    size_t rows_2
    size_t states_1
    size_t states_2
    uint64_t* g  # for one a0, by state of stack 2
    uint64_t* k[MOST_SLOTS]  # by a0, then t
    uint64_t* l[MOST_SLOTS]  # by s, then b0
    uint64_t* by_number  # K by the number of a0's partition, then t
    uint64_t* transposed  # K by t, then a0
    uint64_t* h  # by s, then t
    uint64_t* box_1  # by 6 * s + order, then a0
    uint64_t* box_2  # by 6 * t + order, then b0
    uint64_t candidate[27][9]  # the result, by cell of band 0 and digit


cdef inline size_t padded(size_t n) noexcept nogil:
    return (n + WIDE_STEP - 1) // WIDE_STEP * WIDE_STEP


cdef inline int state_number_of_slot(Worker* w, int slot, int* begin, int* end) noexcept nogil:
    """Return the state of stack 0 of a unit's slot, and its lane pairs; -1 after the last slot."""
    cdef Unit* unit = &w.plan.unit[w.unit]
    cdef int k = unit.begin
    cdef int state = -1
    while k < unit.end:
        state = w.plan.pair[k].state
        begin[0] = k - unit.begin
        while k < unit.end and w.plan.pair[k].state == state:
            k += 1
        end[0] = k - unit.begin
        if slot == 0:
            return state
        slot -= 1
    return -1


cdef void begin_tally(Worker* w) noexcept nogil:
    """Prepare a worker for the tally of a unit."""
    cdef Tally* t = w.tally
    cdef int slot, begin, end
    spoil_tally(w)
    for slot in range(MOST_SLOTS):
        spoil(t.k[slot], t.states_1 * t.rows_2 * sizeof(uint64_t))
        spoil(t.l[slot], t.rows_1 * t.states_2 * sizeof(uint64_t))
        if state_number_of_slot(w, slot, &begin, &end) >= 0:
            memset(t.k[slot], 0, w.problem.stack[1].states * t.rows_2 * sizeof(uint64_t))
            memset(t.l[slot], 0, t.rows_1 * t.states_2 * sizeof(uint64_t))


cdef void spoil_tally(Worker* w) noexcept nogil:
    """Spoil the arrays that the end of a unit writes before it reads them."""
    cdef Tally* t = w.tally
    spoil(t.g, t.states_2 * sizeof(uint64_t))
    spoil(t.by_number, w.problem.stack[1].partitions[0] * t.rows_2 * sizeof(uint64_t))
    spoil(t.transposed, t.rows_2 * t.states_1 * sizeof(uint64_t))
    spoil(t.h, t.rows_1 * t.rows_2 * sizeof(uint64_t))


cdef void tally_state(Worker* w, int state) noexcept nogil:
    """Add the sums of one state of stack 1."""
    cdef Problem* p = w.problem
    cdef Band* band = &p.band[0]
    cdef Stack* last = &p.stack[2]
    cdef Tally* t = w.tally
    cdef int number = p.stack[1].state_number[state]
    cdef int slot, begin, end, first, k, m, b
    cdef uint64_t sum
    cdef uint64_t weight
    cdef uint64_t* row
    for slot in range(MOST_SLOTS):
        first = state_number_of_slot(w, slot, &begin, &end)
        if first < 0:
            return
        weight = w.symmetry.weight[first] if w.symmetry != NULL else 1
        memset(t.g, 0, t.states_2 * sizeof(uint64_t))
        row = t.k[slot] + state * t.rows_2
        for k in range(w.actives):
            b = w.active[k]
            sum = 0
            for m in range(begin, end):
                sum += (<uint32_t*> &w.sum[k])[m]
            sum *= weight
            if w.weight != NULL:
                sum *= w.weight[<size_t> state * last.states + b]
            t.g[b] = sum
            b = last.state_number[b]
            for m in range(band.cross_start[2][b], band.cross_start[2][b + 1]):
                row[band.crossing[2][m]] += sum
        for m in range(band.cross_start[1][number], band.cross_start[1][number + 1]):
            wide_add(t.l[slot] + band.crossing[1][m] * t.states_2, t.g, t.states_2)


cdef void add_to_cells(Tally* t, int j, const uint16_t* row, const uint16_t* column, uint64_t number) noexcept nogil:
    """Count a filling of the box in stack j, given by the digits of its lines."""
    cdef int y, x
    for y in range(3):
        for x in range(3):
            t.candidate[9 * y + 3 * j + x][digit_count((row[y] & column[x]) - 1)] += number


cdef void lines_of(int partition, const uint8_t* order, uint16_t* digits) noexcept nogil:
    cdef int k
    for k in range(3):
        digits[k] = tables.digits[tables.triple[partition][order[k]]]


cdef void order_with(int number, uint8_t* order) noexcept nogil:
    """Set the order with a number."""
    order[0] = number // 2
    if number % 2:
        order[1] = 1 if order[0] == 2 else 2
    else:
        order[1] = 1 if order[0] == 0 else 0
    order[2] = 3 - order[0] - order[1]


cdef void end_tally(Worker* w) noexcept nogil:
    """Tally the row configurations of band 0 for each state of stack 0 of a finished unit."""
    cdef Problem* p = w.problem
    cdef Band* band = &p.band[0]
    cdef Stack* stack = &p.stack[1]
    cdef Tally* t = w.tally
    cdef int slot, first, begin, end, a, k, m, s, number
    cdef uint16_t rows[3]
    cdef uint16_t columns[3]
    cdef uint8_t order[3]
    cdef uint8_t crossing[PARTITIONS]
    cdef const uint16_t* pair
    spoil_tally(w)
    for slot in range(MOST_SLOTS):
        first = state_number_of_slot(w, slot, &begin, &end)
        if first < 0:
            return
        memset(t.by_number, 0, stack.partitions[0] * t.rows_2 * sizeof(uint64_t))
        memset(t.h, 0, t.rows_1 * t.rows_2 * sizeof(uint64_t))
        for a in range(stack.states):
            wide_add(t.by_number + stack.state_number[a] * t.rows_2, t.k[slot] + a * t.rows_2, t.rows_2)
            for k in range(band.partitions[2]):
                t.transposed[k * t.states_1 + a] = t.k[slot][a * t.rows_2 + k]
        for a in range(stack.partitions[0]):
            for m in range(band.cross_start[1][a], band.cross_start[1][a + 1]):
                wide_add(t.h + band.crossing[1][m] * t.rows_2, t.by_number + a * t.rows_2, t.rows_2)
        number = p.stack[0].state_number[first]
        lines_of(p.stack[0].partition[0][number], p.stack[0].state_order[first], columns)
        memset(crossing, 0, sizeof(crossing))
        for m in range(band.cross_start[0][number], band.cross_start[0][number + 1]):
            crossing[band.crossing[0][m]] = 1
        for s in range(band.partitions[1]):
            for k in range(band.start[s], band.start[s + 1]):
                pair = band.pair[k]
                if not crossing[pair[1]]:
                    continue
                order_with(band.order[k][0], order)
                lines_of(band.partition[0][pair[1]], order, rows)
                add_to_cells(t, 0, rows, columns, t.h[s * t.rows_2 + pair[0]])
                wide_add(t.box_1 + (6 * s + band.order[k][1]) * t.states_1, t.transposed + pair[0] * t.states_1,
                         t.states_1)
                wide_add(t.box_2 + (6 * pair[0] + band.order[k][2]) * t.states_2, t.l[slot] + s * t.states_2,
                         t.states_2)


cdef void tally_boxes(Worker* w, int j) noexcept nogil:
    """Count the fillings of the boxes in stack 1 or 2, after all units."""
    cdef Problem* p = w.problem
    cdef Band* band = &p.band[0]
    cdef Stack* stack = &p.stack[j]
    cdef Tally* t = w.tally
    cdef uint64_t* box = t.box_1 if j == 1 else t.box_2
    cdef size_t size = t.states_1 if j == 1 else t.states_2
    cdef int state, number, key, k, m
    cdef uint16_t rows[3]
    cdef uint16_t columns[3]
    cdef uint8_t order[3]
    for state in range(stack.states):
        number = stack.state_number[state]
        lines_of(stack.partition[0][number], stack.state_order[state], columns)
        for m in range(band.cross_start[j][number], band.cross_start[j][number + 1]):
            for k in range(6):
                key = 6 * band.crossing[j][m] + k
                if box[key * size + state]:
                    order_with(k, order)
                    lines_of(band.partition[j][band.crossing[j][m]], order, rows)
                    add_to_cells(t, j, rows, columns, box[key * size + state])


# Solutions by rank: the sum is evaluated in a fixed order until it reaches the rank.
#
# A rank is decomposed from the outer to the inner parts of the sum: states of stacks 0 and 1, one of their images
# under exchanges, state of stack 2, filling of band 0, configurations of the three stacks, fillings of bands 1 and
# 2, orders of the lines.  The order is that of the lists, which is the same on every instruction set.

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


cdef struct Choice:
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


cdef bint choose_in_lane(Search* search, Worker* w, int lane, int b, Choice* choice, uint64_t* ways) noexcept nogil:
    """Choose configurations of stacks 1 and 2 for one of stack 0; if the rank is behind them, reduce it, return false.

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


cdef void choose_configurations(Search* search, const int* place, int b, Choice* choice, uint64_t* ways) noexcept nogil:
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
    """Put the lines of a configuration into one of their orders; triple[b][m] is that of box b in line m."""
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
    for k in range(6):  # line k // 2 first, then one of the others
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


cdef void fill_grid(Problem* problem, const Choice* choice, uint32_t order, uint8_t* grid) noexcept nogil:
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
                    grid[27 * i + 9 * y + 3 * j + x] = digit_count(digit - 1)


cdef void descend(Search* search, uint8_t* out) noexcept nogil:
    """Write the solution with a rank."""
    cdef Problem* p = search.problem
    cdef Symmetry* symmetry = search.symmetry
    cdef Worker* w = search.worker[0]
    cdef int place[MOST_UNITS]
    cdef Choice choice
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
