# The minlex form of a puzzle.
#
# The image is built row by row, breadth first.  A state is a partial transformation: transposed or not, the rows
# used, the known part of the order of stacks and columns, the labels assigned.  Each state is tried with each
# possible next row, and only the states with the least row are kept.  Columns of a stack are tied while they are
# empty in all rows used, and stacks while all their columns are tied; tied columns and stacks are sorted when a row
# distinguishes them, and each order of new digits in tied columns makes a state.  Empty rows keep their order,
# because exchanging them changes nothing.
#
#     row of the puzzle      . . 8 | . 1 . | . . .
#     least image            . . . | . . 1 | . . 2      the empty stack first, clues at the ends of their stacks
#     states                 8 is 1, 1 is 2; and 1 is 1, 8 is 2
#     still tied             the columns of stack 1; columns 1 and 2 of stacks 2 and 3

cdef enum:
    NEW = 0xF0        # stands for the label of a digit without one; label l is 16 * l
    VALUES = 0xF0F0F000  # of a stack, in a state's columns
    MEMORY = -1       # no memory for more states
    TOGETHER = 32     # states in which rows are tried before the least states are refined

# Columns of a state: four bytes for each stack, the first column in the highest byte, so the values of a stack
# compare like a number. The lowest byte of each is 15, the index of a zero in a row.
cdef struct ImageState:
    bytes16 column
    bytes16 label
    uint64_t rows     # used so far, four bits each, the last one lowest
    uint16_t used
    uint8_t tied01    # bit s: the first two columns of stack s are tied
    uint8_t tied12    # the last two
    uint8_t stacks    # 1: the first two stacks are tied, 2: the last two
    uint8_t transposed

cdef struct Trial:
    bytes16 row       # values and columns in the order of the state
    uint64_t key
    Py_ssize_t state
    int order         # of the stacks
    int line

# Sets of stacks, as in a state: what a row leaves tied, and tied columns and stacks to which it gives different new
# digits. Each order of these digits makes a state.
cdef struct Ties:
    uint32_t tied01
    uint32_t tied12
    uint32_t stacks
    uint32_t free01
    uint32_t free12
    uint32_t free_stacks

cdef struct Work:
    ImageState* states[2]
    Py_ssize_t capacity[2]

cdef struct Lines:
    bytes16 line[2][9]      # rows, then columns
    uint16_t before[2][9]   # lines that precede an empty one
    uint16_t first[2]       # lines that may come first
    uint64_t equal[2]       # orders of empty lines that give the same image

# Masks of the places of the lesser and the greater of two tied columns, by tied01 or tied12.
cdef uint8_t lesser[2][8][16]
cdef uint8_t greater[2][8][16]
cdef uint8_t column_orders[6][16]   # every stack's columns in an order
cdef uint8_t stack_orders[6][16]
cdef uint8_t stack_bytes[8][16]     # all bytes of the stacks of a set
cdef uint8_t first_columns[16]
cdef uint8_t in_place[16]           # the nine columns from left to right
cdef uint8_t row_ranks[512]         # by the cells of a line that have clues
cdef uint8_t whole_line[16]
cdef uint8_t counted[16]            # 0 to 15
cdef uint8_t place_byte[9]          # where a state has the column of a place


cdef void prepare_puzzles() noexcept:
    cdef int pair, tied, stack, k, order
    for k in range(9):
        place_byte[k] = 4 * (k // 3) + 3 - k % 3
    memset(first_columns, 15, 16)
    memset(in_place, 0, 16)
    memset(whole_line, 0, 16)
    for k in range(16):
        counted[k] = k
    for k in range(512):
        row_ranks[k] = row_rank(bit_count(k & 7), bit_count(k & 56), bit_count(k & 448))
    for k in range(9):
        first_columns[place_byte[k]] = k
        in_place[k] = place_byte[k]
        whole_line[k] = 255
    for pair in range(2):
        for tied in range(8):
            memset(lesser[pair][tied], 0, 16)
            memset(greater[pair][tied], 0, 16)
            for stack in range(3):
                if tied >> stack & 1:
                    lesser[pair][tied][4 * stack + 3 - pair] = 255
                    greater[pair][tied][4 * stack + 2 - pair] = 255
    for tied in range(8):
        for k in range(16):
            stack_bytes[tied][k] = 255 if k < 12 and tied >> (k // 4) & 1 else 0
    for order in range(6):
        for k in range(16):
            column_orders[order][k] = stack_orders[order][k] = k
        for k in range(9):
            column_orders[order][place_byte[k]] = place_byte[k // 3 * 3 + order3[order][k % 3]]
        for k in range(12):
            stack_orders[order][k] = 4 * order3[order][k // 4] + k % 4


cdef int row_rank(int a, int b, int c) noexcept nogil:
    """Rank first rows by their numbers of clues in each stack: the least rank has the least image."""
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return a << 4 | b << 2 | c


cdef inline bint reserve_states(Work* work, int side, Py_ssize_t needed) noexcept nogil:
    """Provide memory for so many states; return false if out of memory."""
    return make_room(<void**> &work.states[side], &work.capacity[side], needed, sizeof(ImageState))


cdef bint read_lines(const uint8_t* text, int zero, Lines* lines) noexcept nogil:
    """Read a puzzle; return false if two clues clash."""
    cdef uint8_t last[16]
    cdef uint8_t columns[9][16]
    cdef uint16_t row[9]
    cdef uint16_t column[9]
    cdef uint16_t box[9]
    cdef uint16_t clues[2][9]
    cdef uint16_t empty[2]
    cdef uint16_t bit, clash = 0
    cdef uint32_t left
    cdef bytes16 line
    cdef uint8_t rank[2][16]  # of first rows, by the clues in each third
    cdef uint8_t least = 255
    cdef int band, i, j, k, way
    spoil(lines, sizeof(Lines))
    memset(rank, 255, sizeof(rank))
    memcpy(last, text + 72, 9)
    memset(columns, 0, sizeof(columns))
    memset(row, 0, sizeof(row))
    memset(column, 0, sizeof(column))
    memset(box, 0, sizeof(box))
    memset(clues, 0, sizeof(clues))
    for band in range(3):
        left = 0
        for k in range(3):
            i = 3 * band + k
            # the vector also has cells of the next row; empty cells of any code become 0
            line = bytes_load(text + 9 * i if i < 8 else last) - bytes_fill(zero)
            line &= bytes_equal(bytes_min(line, bytes_fill(9)), line) & bytes_load(whole_line)
            lines.line[0][i] = line
            clues[0][i] = ~bytes_bits(bytes_equal(line, bytes_fill(0))) & 511
            left |= <uint32_t> clues[0][i] << (9 * k)
        while left:  # one loop a band: where it ends cannot be predicted
            k = lowest_bit(left)
            left &= left - 1
            i = 3 * band + k // 9
            j = k % 9
            columns[j][i] = (<const uint8_t*> &lines.line[0][i])[j]
            clues[1][j] |= <uint16_t> 1 << i
            bit = <uint16_t> 1 << columns[j][i]
            k = 3 * band + j // 3
            clash |= (row[i] | column[j] | box[k]) & bit
            row[i] |= bit
            column[j] |= bit
            box[k] |= bit
    empty[0] = empty[1] = 0
    for i in range(9):
        lines.line[1][i] = bytes_load(columns[i])
        for way in range(2):
            rank[way][i] = row_ranks[clues[way][i]]
            least = rank[way][i] if rank[way][i] < least else least
            empty[way] |= (clues[way][i] == 0) << i
    for way in range(2):
        lines.first[way] = bytes_bits(bytes_equal(bytes_load(rank[way]), bytes_fill(least))) & 511
        order_empty(empty[way], lines.before[way], &lines.equal[way])
    return clash == 0


cdef inline void order_empty(uint32_t empty, uint16_t* before, uint64_t* equal) noexcept nogil:
    """Fix the order of empty lines within a band, and of empty bands."""
    cdef uint32_t of_band, bands = 0, below
    cdef int band, k, count
    memset(before, 0, 9 * sizeof(uint16_t))
    equal[0] = 1
    if not empty:
        return
    for band in range(3):
        of_band = empty & <uint32_t> 7 << (3 * band)
        equal[0] *= factorial(bit_count(of_band))
        for k in range(3 * band, 3 * band + 3):
            below = (<uint32_t> 1 << k) - 1
            if empty >> k & 1:
                before[k] = of_band & below
                if bit_count(of_band) == 3:
                    before[k] |= bands
        if bit_count(of_band) == 3:
            bands |= of_band
    equal[0] *= factorial(bit_count(bands) // 3)


cdef inline bytes16 sort_tied(bytes16 x, int pair, int tied) noexcept nogil:
    """Sort pairs of tied columns."""
    cdef bytes16 y = bytes_exchange(x, pair)
    return bytes_choose(bytes_load(lesser[pair][tied]), bytes_min(x, y),
                        bytes_choose(bytes_load(greater[pair][tied]), bytes_max(x, y), x))


cdef inline bytes16 arrange_row(const ImageState* s, const bytes16* row) noexcept nogil:
    """Return values and columns of a row in the order of a state, with tied columns sorted."""
    cdef bytes16 x = bytes_lookup(<const uint8_t*> &s.label, <const uint8_t*> row, <const uint8_t*> &s.column)
    x |= s.column
    if s.tied01 | s.tied12:
        x = sort_tied(x, 0, s.tied01)
        x = sort_tied(x, 1, s.tied12)
        x = sort_tied(x, 0, s.tied01)
    return x


cdef inline int sort_stacks(bytes16 x, int tied) noexcept nogil:
    """Return the number of the order that sorts tied stacks by their values."""
    cdef uint32_t one = bytes_word(x, 0) & VALUES
    cdef uint32_t two = bytes_word(x, 1) & VALUES
    cdef uint32_t three = bytes_word(x, 2) & VALUES
    cdef int a = 0, b = 1, c = 2
    if tied & 1 and one > two:
        one, two = two, one
        a, b = b, a
    if tied & 2 and two > three:
        two, three = three, two
        b, c = c, b
    if tied & 1 and one > two:
        a, b = b, a
    return rank3(a, b)


cdef inline uint32_t stacks_moved(uint32_t stacks, int order) noexcept nogil:
    cdef int k
    cdef uint32_t moved = 0
    for k in range(3):
        moved |= (stacks >> order3[order][k] & 1) << k
    return moved


cdef inline Ties ties_after(const ImageState* s, int order, bytes16 values, uint32_t new) noexcept nogil:
    """Return what a row leaves tied. Its values are in the order of the state's stacks; bits of ``new`` are new
    bytes."""
    cdef uint32_t zero = bytes_bits(bytes_equal(values, bytes_fill(0)))
    cdef uint32_t one, two, three
    cdef int k, stack
    cdef Ties ties
    ties.tied01, ties.tied12, ties.stacks = s.tied01, s.tied12, s.stacks
    if order:
        ties.tied01 = stacks_moved(ties.tied01, order)
        ties.tied12 = stacks_moved(ties.tied12, order)
    ties.free01 = ties.free12 = ties.free_stacks = 0
    if ties.tied01 | ties.tied12:
        for stack in range(3):
            k = 4 * stack
            ties.free01 |= (ties.tied01 >> stack & new >> (k + 3) & new >> (k + 2) & 1) << stack
            ties.free12 |= (ties.tied12 >> stack & new >> (k + 2) & new >> (k + 1) & 1) << stack
            ties.tied01 &= ~((~(zero >> (k + 3) & zero >> (k + 2)) & 1) << stack)
            ties.tied12 &= ~((~(zero >> (k + 2) & zero >> (k + 1)) & 1) << stack)
    if ties.stacks:
        one = bytes_word(values, 0)  # the lowest byte is 0
        two = bytes_word(values, 1)
        three = bytes_word(values, 2)
        if ties.stacks & 1 and one == two:
            ties.free_stacks |= 1
        if ties.stacks & 2 and two == three:
            ties.free_stacks |= 2
        ties.stacks = (ties.free_stacks & 1 if one == 0 else 0) | (ties.free_stacks & 2 if two == 0 else 0)
        ties.free_stacks &= ~ties.stacks
    return ties


cdef Py_ssize_t refine(const ImageState* s, const bytes16* row, const Trial* trial, int labels, Work* work, int side,
                       Py_ssize_t count) noexcept nogil:
    """Append the states that follow from a row that was tried; return the new number of states, or MEMORY."""
    cdef bytes16 v = trial.row & bytes_fill(NEW)
    cdef uint32_t new = bytes_bits(bytes_equal(v, bytes_fill(NEW))), several
    cdef Ties ties = ties_after(s, trial.order, v, new)
    cdef int k, n = 1, stack
    cdef uint64_t rows = s.rows << 4 | trial.line
    cdef uint16_t used = s.used | <uint16_t> 1 << trial.line
    cdef uint8_t transposed = s.transposed
    cdef bytes16 label = s.label
    cdef ImageState* to
    if not reserve_states(work, side, count + 1):
        return MEMORY
    work.states[side][count].column = trial.row
    for stack in range(3):
        several = (ties.free01 >> stack & 1) | (ties.free12 >> stack & 1) << 1
        if several:
            n = all_orders(work, side, count, n, several, bytes_load(stack_bytes[1 << stack]), &column_orders[0])
    if ties.free_stacks:
        n = all_orders(work, side, count, n, ties.free_stacks, bytes_fill(255), &stack_orders[0])
    if n == 0:
        return MEMORY
    to = work.states[side] + count
    for k in range(n):
        # field by field: loading a wide value that was stored in smaller pieces is slow
        v = to[k].column
        to[k].column = v & bytes_fill(15)
        to[k].label = give_labels(label, row[0], v, labels) if new else label
        to[k].rows = rows
        to[k].used = used
        to[k].tied01 = ties.tied01
        to[k].tied12 = ties.tied12
        to[k].stacks = ties.stacks
        to[k].transposed = transposed
    invariant(n <= 1296 and count + n <= work.capacity[side])
    return count + n


cdef inline int all_orders(Work* work, int side, Py_ssize_t begin, int n, uint32_t pairs, bytes16 where,
                           const uint8_t (*orders)[16]) noexcept nogil:
    """Make every order of the free column pairs of n states; return the new number of states, 0 without memory."""
    cdef int order, k, count = n
    cdef ImageState* to
    cdef bytes16 v
    if not reserve_states(work, side, begin + 6 * n):
        return 0
    to = work.states[side] + begin
    for order in range(1, 6):
        # 1 exchanges the last two, 2 the first two
        if pairs == 3 or (pairs == 1 and order == 2) or (pairs == 2 and order == 1):
            for k in range(n):
                v = to[k].column
                to[count].column = bytes_choose(where, bytes_shuffle(v, bytes_load(orders[order])), v)
                count += 1
    return count


cdef inline bytes16 give_labels(bytes16 label, bytes16 row, bytes16 x, int labels) noexcept nogil:
    """Assign the next labels to the new digits of a row, from left to right."""
    cdef uint8_t digit[16]
    cdef uint32_t new
    cdef bytes16 mask
    x = bytes_shuffle(x, bytes_load(in_place))
    new = bytes_bits(bytes_equal(x & bytes_fill(NEW), bytes_fill(NEW))) & 511
    bytes_store(digit, bytes_shuffle(row, x & bytes_fill(15)))
    while new:
        labels += 1
        mask = bytes_equal(bytes_load(counted), bytes_fill(digit[lowest_bit(new)]))
        label = bytes_choose(mask, bytes_fill(labels << 4), label)
        new &= new - 1
    return label


cdef inline uint64_t row_key(bytes16 x) noexcept nogil:
    """The values of a row as one number: eight in the high halves of its bytes, the ninth in the lowest."""
    cdef uint64_t one = bytes_word(x, 0) & VALUES
    cdef uint64_t two = bytes_word(x, 1) & VALUES
    cdef uint64_t three = bytes_word(x, 2) & VALUES
    return one << 32 | two << 8 | three >> 16 | (three >> 12 & 15)


cdef inline int try_rows(const ImageState* s, const Lines* lines, int number, Trial* trials, int count,
                         Py_ssize_t state, uint64_t* least) noexcept nogil:
    """Append the possible next rows of a state; return the new number of trials."""
    cdef int way = s.transposed, line
    cdef uint32_t left = 511
    cdef bytes16 x
    cdef Trial* trial
    if number % 3:
        left = <uint32_t> 7 << (3 * (<int> (s.rows & 15) // 3))
    elif number == 0:
        left = lines.first[way]
    left &= ~s.used
    while left:
        line = lowest_bit(left)
        left &= left - 1
        if lines.before[way][line] & ~s.used:
            continue
        x = arrange_row(s, &lines.line[way][line])
        trial = &trials[count]
        count += 1
        trial.order = 0
        if s.stacks:
            trial.order = sort_stacks(x, s.stacks)
            if trial.order:
                x = bytes_regroup(x, stack_orders[trial.order])
        trial.row = x
        trial.line = line
        trial.state = state
        trial.key = row_key(x)
        least[0] = trial.key if trial.key < least[0] else least[0]
    return count


cdef Py_ssize_t next_row(Work* work, const Lines* lines, int number, Py_ssize_t count, int labels,
                         uint64_t* least) noexcept nogil:
    """Make the states of the next row from the states of a row; return their number, or MEMORY.

    Rows are tried in many states before any state is refined: the branch on whether a row is the least cannot be
    predicted, and one branch per row costs less than one per trial.
    """
    cdef Trial trials[9 * TOGETHER]
    cdef int side = number & 1, way, line, k, size
    cdef Py_ssize_t begin, end, state, found = 0
    cdef uint64_t here
    cdef const ImageState* states = work.states[1 - side]
    least[0] = ~<uint64_t> 0
    begin = 0
    while begin < count:
        end = begin + TOGETHER if begin + TOGETHER < count else count
        size = 0
        here = ~<uint64_t> 0
        for state in range(begin, end):
            size = try_rows(&states[state], lines, number, trials, size, state, &here)
            invariant(size <= 9 * TOGETHER)
        begin = end
        if here < least[0]:
            least[0] = here
            found = 0
        for k in range(size):
            if trials[k].key == least[0]:
                way = states[trials[k].state].transposed
                found = refine(&states[trials[k].state], &lines.line[way][trials[k].line], &trials[k], labels, work,
                               side, found)
                if found < 0:
                    return found
    return found


cdef inline int orders_of_pairs(uint32_t pairs) noexcept nogil:
    return 6 if pairs == 3 else 2 if pairs else 1


cdef void state_move(const ImageState* s, Move* move) noexcept nogil:
    """Write the element of a complete state; digits that do not occur get the remaining labels in order."""
    cdef uint8_t column[16]
    cdef uint8_t label[16]
    cdef uint32_t given = 0
    cdef int k, free_label = 1
    spoil(move, sizeof(Move))
    bytes_store(column, s.column)
    bytes_store(label, s.label)
    memset(move.row, 0, 16)
    memset(move.column, 0, 16)
    memset(move.digit, 0, 16)
    move.transposed = s.transposed
    for k in range(9):
        move.row[k] = s.rows >> (4 * (8 - k)) & 15
        move.column[k] = column[place_byte[k]]
        if label[k + 1] != NEW:
            given |= <uint32_t> 1 << (label[k + 1] >> 4)
    for k in range(1, 10):
        if label[k] != NEW:
            move.digit[k] = label[k] >> 4
            continue
        while given >> free_label & 1:
            free_label += 1
        move.digit[k] = free_label
        free_label += 1


cdef inline bint new_digits(uint64_t key) noexcept nogil:
    """Test whether a row has a digit without a label: all bits of a value are set."""
    key = key & (key >> 2)
    key = key & (key >> 1)
    return key & <uint64_t> 0x1010101010101011 != 0


cdef int64_t least_puzzle(const Lines* lines, Work* work, uint8_t* image, Move* move) noexcept nogil:
    """Find the least image of a puzzle without clashing clues.

    Write its 81 cells to `image`, and an element that leads to it to `move` (if not NULL).  Return the number of
    automorphisms, including relabellings of digits that do not occur, or MEMORY.
    """
    cdef Py_ssize_t count, k
    cdef ImageState* s
    cdef uint8_t start[16]
    cdef uint64_t least
    cdef int row, way, labels = 0, place, value
    cdef int64_t automorphisms = 0, equal
    if not reserve_states(work, 0, 2) or not reserve_states(work, 1, 2):
        return MEMORY
    for way in range(2):
        spoil(work.states[way], work.capacity[way] * sizeof(ImageState))
    memset(start, 0, 16)
    for k in range(1, 10):
        start[k] = NEW
    for way in range(2):
        s = &work.states[1][way]
        s.column = bytes_load(first_columns)
        s.label = bytes_load(start)
        s.rows = 0
        s.used = 0
        s.tied01 = s.tied12 = 7
        s.stacks = 3
        s.transposed = way
    count = 2
    for row in range(9):
        count = next_row(work, lines, row, count, labels, &least)
        if count < 0:
            return MEMORY
        for place in range(8):
            image[9 * row + place] = least >> (60 - 8 * place) & 15
        image[9 * row + 8] = least & 15
        if new_digits(least):
            for place in range(9):
                value = image[9 * row + place]
                labels += value == 15
                image[9 * row + place] = labels if value == 15 else value
    for k in range(count):
        s = &work.states[0][k]
        equal = lines.equal[s.transposed] * orders_of_pairs(s.stacks)
        for place in range(3):
            equal *= orders_of_pairs((s.tied01 >> place & 1) | (s.tied12 >> place & 1) << 1)
        automorphisms += equal
    if move != NULL:
        state_move(&work.states[0][0], move)
    return automorphisms * factorial(9 - labels)
