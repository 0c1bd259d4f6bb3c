# Counts of the solutions with each digit in each cell of band 0.
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

cdef extern from "count.h" nogil:
    enum:
        WIDE_STEP
    # to[k] += from[k]; n is a multiple of WIDE_STEP, both are aligned
    void wide_add(uint64_t* to, const uint64_t* source, size_t n)

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
