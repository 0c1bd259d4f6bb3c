# The sum, and tables of a band: the number of its fillings for given column partitions of its boxes.
#
# A *row* of a table belongs to one partition in stack 1, and has one vector for each partition in stack 2.  The
# lanes of a vector are configurations of stack 0.  A filling is a configuration of the band whose row partitions
# cross the three column partitions.

cdef extern from "count.h" nogil:
    enum:
        LANES
        PAIRS

    # Vector types of GCC and Clang, declared as integers so that Cython accepts +; nothing else of an integer holds.
    ctypedef unsigned short vec "lanes_vec"
    ctypedef unsigned int vec_sum "pairs_vec"
    ctypedef struct count_total:
        pass

    vec_sum sum_products(vec_sum sum, vec a, vec b)
    void total_add(count_total* total, vec_sum sum, vec first, uint32_t weight)
    uint64_t total_of_pair(const count_total* total, int pair)
    vec vec_zero()
    vec_sum sum_zero()
    vec vec_max(vec a, vec b)
    bint vec_some(vec v)


cdef void mark_lanes(const Band* band, const uint16_t* column, vec* crossing) noexcept nogil:
    """Set for each row partition in stack 0: 1 in the lanes whose column partition it crosses, else 0.

    column[lane]: number of the lane's column partition, NOWHERE for an empty lane.
    """
    cdef int lane, k
    memset(crossing, 0, band.partitions[0] * sizeof(vec))
    for lane in range(LANES):
        if column[lane] != NOWHERE:
            for k in range(band.cross_start[0][column[lane]], band.cross_start[0][column[lane] + 1]):
                (<uint16_t*> &crossing[band.crossing[0][k]])[lane] = 1


cdef void make_row(const Band* band, int columns, int first, const vec* crossing, vec* ways, vec* row,
                   vec* most) noexcept nogil:
    """Count the fillings for column partition `first` in stack 1 and each of `columns` partitions in stack 2.

    `ways` is a buffer of one vector for each row partition in stack 2; `most` is raised to the largest numbers.
    """
    cdef int k, t, b
    cdef vec sum
    cdef vec other
    cdef vec top = most[0]
    cdef const uint16_t* here
    cdef const uint16_t* end
    memset(ways, 0, band.partitions[2] * sizeof(vec))
    for k in range(band.cross_start[1][first], band.cross_start[1][first + 1]):
        t = band.crossing[1][k]
        here = band.pair[band.start[t]]
        end = band.pair[band.start[t + 1]]
        while here < end:
            ways[here[0]] = ways[here[0]] + crossing[here[1]]
            here += 2
    for b in range(columns):
        here = &band.crossing[2][band.cross_start[2][b]]
        end = &band.crossing[2][band.cross_start[2][b + 1]]
        sum = other = vec_zero()
        while here + 1 < end:
            sum = sum + ways[here[0]]
            other = other + ways[here[1]]
            here += 2
        if here < end:
            sum = sum + ways[here[0]]
        sum = sum + other
        row[b] = sum
        top = vec_max(top, sum)
    most[0] = top


# The sum.  With M0, M1, M2 the tables of the bands, the number of solutions is the number of orders of the lines
# times the sum, over a configuration (c0, c1, c2), (a0, a1, a2), (b0, b1, b2) of each stack, of
#     M0(c0, a0, b0) * M1(c1, a1, b1) * M2(c2, a2, b2).
# The lanes hold configurations of stack 0; c0 and a0 are the outer loops; for each b0 with a filling of band 0 the
# products of M1 and M2 are summed over all configurations with a0 and b0.
#
# Bounds.  M is at most 288, which each unit checks.  A lane pair's sum for one a0 and b0 has at most
# 2 * 56 * 56 products, so it is below 2^31.  The whole sum is at most the sum of the empty grid,
# 6670903752021072936960 / 6^6 < 2^57, because clues only remove terms.

cdef enum:
    MOST_WAYS = 288
    UNIT_MIXED = -1
    SAMPLES = 4  # at most 8, the lanes of the smallest vector


cdef struct LanePair:
    uint16_t state  # of stack 0
    int configuration[2]  # indices in its list; below 0: none


cdef struct Unit:
    # Lane pairs that are summed together.  All have the state `state`, or states that no exchange fixes.
    int begin
    int end
    int state
    int next_state  # of stack 1, for the workers that share the unit


cdef struct Plan:
    int pairs
    LanePair* pair
    int units
    Unit* unit


cdef struct Worker:
    # The tables of one thread.
    Problem* problem
    Symmetry* symmetry
    Plan* plan
    int unit  # current unit; below 0: none
    count_total total
    uint32_t* weight  # of the pairs of states of stacks 1 and 2; NULL: all 1
    PairOrbits orbits
    int weighed  # the state of stack 0 of the weights
    vec most
    vec* crossing[3]
    vec* ways
    vec* first  # M0 for one a0, by number in stack 2
    vec* table[3]  # of bands 1 and 2
    uint8_t made[3][PARTITIONS]  # whether a row is computed
    uint16_t* active  # states of stack 2 with a filling of band 0
    vec_sum* sum  # for each of them
    int actives
    void* memory


cdef inline void add_products(const vec* y0, const vec* z0, const vec* y1, const vec* z1, const Stack* stack,
                              const uint16_t* active, int actives, vec_sum* sum) noexcept nogil:
    """Add the products of two pairs of rows for all configurations of stack 2 with an active state."""
    cdef int k
    cdef const uint16_t* here
    cdef const uint16_t* end
    cdef vec_sum s0
    cdef vec_sum s1
    for k in range(actives):
        here = stack.pair[stack.start[active[k]]]
        end = stack.pair[stack.start[active[k] + 1]]
        s0 = sum[k]
        s1 = sum_zero()
        while here < end:
            s0 = sum_products(s0, y0[here[0]], z0[here[1]])
            s1 = sum_products(s1, y1[here[0]], z1[here[1]])
            here += 2
        sum[k] = s0 + s1


cdef inline void add_single(const vec* y, const vec* z, const Stack* stack, const uint16_t* active, int actives,
                            vec_sum* sum) noexcept nogil:
    """Add the products of one pair of rows."""
    cdef int k
    cdef const uint16_t* here
    cdef const uint16_t* end
    cdef vec_sum s
    for k in range(actives):
        here = stack.pair[stack.start[active[k]]]
        end = stack.pair[stack.start[active[k] + 1]]
        s = sum[k]
        while here < end:
            s = sum_products(s, y[here[0]], z[here[1]])
            here += 2
        sum[k] = s


cdef inline const vec* table_row(Worker* w, int i, int number) noexcept nogil:
    """Return a row of the table of band i; compute it at first use."""
    cdef int columns = w.problem.stack[2].partitions[i]
    cdef vec* row = w.table[i] + <size_t> number * columns
    invariant(0 <= number < PARTITIONS)
    if not w.made[i][number]:
        make_row(&w.problem.band[i], columns, number, w.crossing[i], w.ways, row, &w.most)
        w.made[i][number] = True
    return row


cdef uint64_t sum_state(Worker* w, int state) noexcept nogil:
    """Compute the sums for one state of stack 1, into `sum` for the states in `active`.

    Return the approximate number of vector operations.
    """
    cdef Problem* p = w.problem
    cdef Stack* stack = &p.stack[1]
    cdef Stack* last = &p.stack[2]
    cdef int number = stack.state_number[state]
    cdef uint64_t steps = 0
    cdef int b, k, end
    cdef const uint16_t* pair
    cdef const uint32_t* weight = NULL
    if w.weight != NULL:
        weight = w.weight + <size_t> state * last.states
    make_row(&p.band[0], last.partitions[0], number, w.crossing[0], w.ways, w.first, &w.most)
    w.actives = 0
    for b in range(last.states):
        if (weight == NULL or weight[b]) and vec_some(w.first[last.state_number[b]]):
            w.active[w.actives] = b
            w.sum[w.actives] = sum_zero()
            w.actives += 1
            steps += last.start[b + 1] - last.start[b]
    if w.actives == 0:
        return 1
    k = stack.start[state]
    end = stack.start[state + 1]
    steps *= end - k
    while k + 1 < end:
        pair = stack.pair[k]
        add_products(table_row(w, 1, pair[0]), table_row(w, 2, pair[1]), table_row(w, 1, pair[2]),
                     table_row(w, 2, pair[3]), last, w.active, w.actives, w.sum)
        k += 2
    if k < end:
        pair = stack.pair[k]
        add_single(table_row(w, 1, pair[0]), table_row(w, 2, pair[1]), last, w.active, w.actives, w.sum)
    return steps + 1


cdef void add_state(Worker* w, int state) noexcept nogil:
    """Add the sums of one state of stack 1 to the total."""
    cdef Stack* last = &w.problem.stack[2]
    cdef const uint32_t* weight = NULL
    cdef int k, b
    if w.weight != NULL:
        weight = w.weight + <size_t> state * last.states
    for k in range(w.actives):
        b = w.active[k]
        total_add(&w.total, w.sum[k], w.first[last.state_number[b]], weight[b] if weight != NULL else 1)


cdef void begin_unit(Worker* w, int number) noexcept nogil:
    """Prepare a worker for a unit: only the orbits of the last weights and the bound `most` are kept."""
    cdef Problem* p = w.problem
    cdef Stack* stack = &p.stack[0]
    cdef Unit* unit = &w.plan.unit[number]
    cdef LanePair* pair
    cdef uint16_t column[3][LANES]
    cdef int k, side, lane, i
    spoil_tables(w)
    w.unit = number
    w.actives = 0
    memset(&w.total, 0, sizeof(w.total))
    memset(w.made, 0, sizeof(w.made))
    for lane in range(LANES):
        column[0][lane] = column[1][lane] = column[2][lane] = NOWHERE
    for k in range(unit.begin, unit.end):
        pair = &w.plan.pair[k]
        for side in range(2):
            lane = 2 * (k - unit.begin) + side
            column[0][lane] = stack.state_number[pair.state]
            if pair.configuration[side] >= 0:
                column[1][lane] = stack.pair[pair.configuration[side]][0]
                column[2][lane] = stack.pair[pair.configuration[side]][1]
    for i in range(3):
        mark_lanes(&p.band[i], column[i], w.crossing[i])
    w.weight = NULL
    if unit.state != UNIT_MIXED:
        if w.weighed != unit.state:
            spoil_orbits(w)
            weigh_pairs(p, w.symmetry, unit.state, &w.orbits)
            w.weighed = unit.state
        w.weight = w.orbits.weight


cdef void spoil_tables(Worker* w) noexcept nogil:
    """Spoil the arrays that a unit writes before it reads them."""
    cdef Problem* p = w.problem
    cdef Stack* last = &p.stack[2]
    cdef int i
    for i in range(3):
        spoil(w.crossing[i], p.band[i].partitions[0] * sizeof(vec))
    spoil(w.ways, max(p.band[0].partitions[2], p.band[1].partitions[2], p.band[2].partitions[2]) * sizeof(vec))
    spoil(w.first, last.partitions[0] * sizeof(vec))
    spoil(w.active, last.states * sizeof(uint16_t))
    spoil(w.sum, last.states * sizeof(vec_sum))
    for i in range(1, 3):
        spoil(w.table[i], <size_t> p.stack[1].partitions[i] * last.partitions[i] * sizeof(vec))


cdef void spoil_orbits(Worker* w) noexcept nogil:
    """Spoil the orbits, which `weigh_pairs` writes."""
    cdef int states_1 = w.problem.stack[1].states
    cdef int states_2 = w.problem.stack[2].states
    cdef size_t pairs = <size_t> states_1 * states_2
    spoil(w.orbits.weight, pairs * sizeof(uint32_t))
    spoil(w.orbits.member, pairs * sizeof(uint32_t))
    spoil(w.orbits.place, pairs * sizeof(uint32_t))
    spoil(w.orbits.parent, pairs * sizeof(uint32_t))
    spoil(w.orbits.step, pairs)
    spoil(w.orbits.image, FIXING * sizeof(uint16_t) * (states_1 + states_2))


cdef bint ways_in_bounds(Worker* w) noexcept nogil:
    cdef int lane
    for lane in range(LANES):
        if (<uint16_t*> &w.most)[lane] > MOST_WAYS:
            return False
    return True


cdef void make_units(Problem* p, Symmetry* symmetry, Plan* plan) noexcept nogil:
    """Distribute the configurations of stack 0 to units.

    Configurations of a state that an exchange fixes have units of their own; all other configurations share units.
    """
    cdef Stack* stack = &p.stack[0]
    cdef int state, k, end, turn
    cdef bint alone
    cdef Unit* unit
    plan.pairs = 0
    plan.units = 0
    for turn in range(2):
        unit = NULL
        for state in range(stack.states):
            if symmetry != NULL and symmetry.weight[state] == 0:
                continue
            alone = symmetry != NULL and symmetry.fixing_size[state] > 0
            if alone != (turn == 0):
                continue
            if alone:
                unit = NULL
            k = stack.start[state]
            end = stack.start[state + 1]
            while k < end:
                if unit == NULL or plan.pairs == unit.begin + PAIRS:
                    unit = &plan.unit[plan.units]
                    plan.units += 1
                    unit.begin = plan.pairs
                    unit.state = state if alone else UNIT_MIXED
                invariant(plan.pairs - unit.begin < PAIRS)
                plan.pair[plan.pairs].state = state
                plan.pair[plan.pairs].configuration[0] = k
                plan.pair[plan.pairs].configuration[1] = k + 1 if k + 1 < end else -1
                plan.pairs += 1
                unit.end = plan.pairs
                k += 2


cdef double estimate_steps(Worker* w, uint8_t* filled) noexcept nogil:
    """Estimate the number of vector operations of the sum from a sample of the states of stack 0.

    `filled` is a buffer of a byte for each pair of states of stacks 1 and 2: the set of samples with a filling.
    """
    cdef Problem* p = w.problem
    cdef Stack* stack = &p.stack[0]
    cdef Stack* middle = &p.stack[1]
    cdef Stack* last = &p.stack[2]
    cdef uint16_t column[LANES]
    cdef int sample[SAMPLES]
    cdef int samples = 0
    cdef int states = 0
    cdef double steps = 0
    cdef double pairs, vectors
    cdef int a, b, k, state
    cdef size_t at
    for state in range(stack.states):
        states += w.symmetry == NULL or w.symmetry.weight[state] > 0
    for k in range(LANES):
        column[k] = NOWHERE
    k = 0
    for state in range(stack.states):
        if w.symmetry == NULL or w.symmetry.weight[state] > 0:
            if samples < SAMPLES and k == (2 * samples + 1) * states // (2 * SAMPLES):
                column[samples] = stack.state_number[state]
                sample[samples] = state
                samples += 1
            k += 1
    if samples == 0:
        return 0
    mark_lanes(&p.band[0], column, w.crossing[0])
    at = 0
    for a in range(middle.states):
        make_row(&p.band[0], last.partitions[0], middle.state_number[a], w.crossing[0], w.ways, w.first, &w.most)
        for b in range(last.states):
            filled[at] = 0
            for k in range(samples):
                filled[at] |= <uint8_t> (((<uint16_t*> &w.first[last.state_number[b]])[k] != 0) << k)
            at += 1
    for k in range(samples):
        state = sample[k]
        vectors = (stack.start[state + 1] - stack.start[state]) / <double> MODEL_LANES
        w.weight = NULL
        if w.symmetry != NULL and w.symmetry.fixing_size[state]:
            weigh_pairs(p, w.symmetry, state, &w.orbits)
            w.weighed = state
            w.weight = w.orbits.weight
            vectors = (stack.start[state + 1] - stack.start[state] + MODEL_LANES - 1) // MODEL_LANES
        pairs = 0
        at = 0
        for a in range(middle.states):
            for b in range(last.states):
                if filled[at] >> k & 1 and (w.weight == NULL or w.weight[at]):
                    pairs += <double> (middle.start[a + 1] - middle.start[a]) * (last.start[b + 1] - last.start[b])
                at += 1
        steps += pairs * vectors
    return steps * states / samples
