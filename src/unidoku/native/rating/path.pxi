# The steps of puzzles as rows: no Python object is made for a step.

cdef enum Link:
    LINK_WEAK
    LINK_STRONG
    LINK_INNER

# A step, and the position before it. Lists are in one array for all steps; each begins where that before it ends.
cdef struct StepRow:
    uint64_t cells[2]         # cells of the pattern: bit c of 128
    uint64_t others[2]
    int64_t eliminations_end
    int64_t links_end
    int64_t nodes_end
    uint16_t digits
    int16_t placement         # 9 * cell + digit - 1, or -1
    uint8_t before[81]        # the digits before the step
    uint8_t technique
    uint8_t rating            # in tenths
    uint8_t kind
    int8_t house
    int8_t other

cdef struct Rows:
    StepRow* row
    uint16_t (*candidates)[81]  # before the step: bit d - 1 for digit d
    bint with_candidates
    Py_ssize_t size
    Py_ssize_t room
    Trace eliminations    # 9 * cell + digit - 1
    Trace links           # in threes: two candidates, each 9 * cell + digit - 1, and a Link
    Trace nodes           # of the chains, as step_tuple has them
    Trace found           # the nodes of the present step, in any order
    bint failed


cdef void rows_free(Rows* rows) noexcept nogil:
    """Give the memory back."""
    free(rows.row)
    free(rows.candidates)
    free(rows.eliminations.item)
    free(rows.links.item)
    free(rows.nodes.item)
    free(rows.found.item)


cdef void order_nodes(const Trace* found, Trace* nodes) noexcept nogil:
    """Append the nodes of each chain so that parents come before their consequences, the end last."""
    cdef int32_t at[2 * MOST_CANDIDATES]       # of a node in `found`, or -1 if it is done or begun
    cdef int32_t stack[2 * MOST_CANDIDATES]
    cdef int16_t following[2 * MOST_CANDIDATES]  # the parent to look at next
    cdef int begin = 0, end, k, depth, place, parent
    if found.failed:  # numbers are missing
        nodes.failed = True
        return
    while begin < found.size:
        memset(at, 255, sizeof(at))
        end = begin
        while end < found.size and found.item[end] == found.item[begin]:
            at[found.item[end + 1]] = end
            end += 4 + found.item[end + 3]
        stack[0] = begin
        following[0] = 0
        at[found.item[begin + 1]] = -1
        depth = 1
        while depth:
            place = stack[depth - 1]
            if following[depth - 1] < found.item[place + 3]:
                parent = at[found.item[place + 4 + following[depth - 1]]]
                following[depth - 1] += 1
                if parent >= 0:
                    at[found.item[parent + 1]] = -1
                    stack[depth] = parent
                    following[depth] = 0
                    depth += 1
                continue
            for k in range(4 + found.item[place + 3]):
                trace_put(nodes, found.item[place + k])
            depth -= 1
        begin = end


cdef void add_links(const Trace* nodes, int begin, Trace* links) noexcept nogil:
    """Append the links of the chains from a node on, each once."""
    cdef int first = links.size, k, i, node, parent, kind, parents
    while begin < nodes.size:
        node = nodes.item[begin + 1]
        parents = nodes.item[begin + 3]
        kind = LINK_INNER if nodes.item[begin + 2] >= WHY_INNER else LINK_STRONG if node & 1 else LINK_WEAK
        for k in range(parents):
            parent = nodes.item[begin + 4 + k] >> 1
            for i in range(first, links.size, 3):
                if links.item[i] == parent and links.item[i + 1] == node >> 1 and links.item[i + 2] == kind:
                    break
            else:
                trace_put(links, parent)
                trace_put(links, node >> 1)
                trace_put(links, kind)
        begin += 4 + parents


cdef bint rows_add(Rows* rows, const Board* board, const Step* step) noexcept nogil:
    """Append a step that was found on a board; false if there is no memory."""
    cdef Py_ssize_t room = 2 * rows.room + 256
    cdef StepRow* row
    cdef uint16_t (*candidates)[81]
    cdef int cell, digit, nodes = rows.nodes.size
    cdef cells_t left
    if rows.size == rows.room:
        row = <StepRow*> realloc(rows.row, room * sizeof(StepRow))
        if row == NULL:
            rows.failed = True
            return False
        rows.row = row
        if rows.with_candidates:
            candidates = <uint16_t (*)[81]> realloc(rows.candidates, room * sizeof(board.cand))
            if candidates == NULL:
                rows.failed = True
                return False
            rows.candidates = candidates
        rows.room = room
    row = &rows.row[rows.size]
    rows.size += 1
    memset(row, 0, sizeof(StepRow))
    memcpy(row.cells, &step.cells, sizeof(row.cells))
    memcpy(row.others, &step.others, sizeof(row.others))
    if rows.with_candidates:
        memcpy(rows.candidates[rows.size - 1], board.cand, sizeof(board.cand))
    memcpy(row.before, board.value, sizeof(row.before))
    row.technique = <uint8_t> step.technique
    row.rating = <uint8_t> step.rating
    row.kind = <uint8_t> step.kind
    row.digits = <uint16_t> step.digits
    row.house = <int8_t> step.house
    row.other = <int8_t> step.other
    row.placement = <int16_t> (9 * step.cell + step.digit if step.cell >= 0 else -1)
    if step.cell < 0:
        left = step.removed[0]
        for digit in range(1, 9):
            left |= step.removed[digit]
        while cells_any(left):
            cell = cells_first(left)
            left = cells_rest(left)
            for digit in range(9):
                if cells_has(step.removed[digit], cell):
                    trace_put(&rows.eliminations, 9 * cell + digit)
    if step.complexity:
        order_nodes(&rows.found, &rows.nodes)
        if rows.nodes.failed:
            rows.failed = True
            return False
        add_links(&rows.nodes, nodes, &rows.links)
    row.eliminations_end = rows.eliminations.size
    row.links_end = rows.links.size // 3
    row.nodes_end = rows.nodes.size
    rows.failed |= rows.eliminations.failed or rows.links.failed
    return not rows.failed


cdef int find_path(Rows* rows, Board* board, Scratch* scratch, Py_ssize_t most) noexcept nogil:
    """Append the steps of a puzzle, at most so many; the outcome."""
    cdef Pending pending
    cdef Step step
    cdef Py_ssize_t begin = rows.size
    pending_start(&pending)
    while cells_any(board.empty) and rows.size - begin < most:
        if (not first_easy_step(board, &step, &pending)
                and not first_hard_step(board, &step, UNBOUNDED, &pending, scratch)):
            return STOPPED if scratch.stopped else STUCK
        if not rows_add(rows, board, &step):
            return STOPPED
        if not board_follow(board, &step):
            return CLASH
    return RATED


def find_paths(const uint8_t[::1] text, const int64_t[::1] starts, *, int zero, uint8_t[::1] outcomes,
               int64_t[::1] ends, bint candidates=True, int most=81 * 9,
               const uint8_t[::1] stop=None):
    """Find the steps of proper puzzles, the first `most` of each; 729 are all, as each takes a candidate away.

    Puzzles, `outcomes` (but for 3) and `stop` are as for `rate_cells`. ``ends[i]`` takes the number of steps
    of the puzzles up to and including puzzle i; one that was stopped has none. Return buffers: the rows of the steps,
    each a `StepRow` (the type that `unidoku.rating.paths` has for it), and as int32 the eliminations, the links, in
    threes, and the nodes of the chains, from which the rows have their parts; as uint16 the candidates before each
    step, 81 a row, unless `candidates` is false.
    """
    cdef Py_ssize_t n = starts.shape[0], k
    cdef Board board
    cdef Scratch* scratch
    cdef Rows rows
    cdef uint8_t cells[81]
    cdef int outcome
    cdef StepRow* last
    cdef const uint8_t* end = NULL if stop is None else &stop[0]
    check_starts(starts, text.shape[0])
    if not outcomes.shape[0] == ends.shape[0] == n:
        raise ValueError("the outputs must have one item per puzzle")
    memset(&rows, 0, sizeof(Rows))
    rows.with_candidates = candidates
    scratch = scratch_new()
    if scratch == NULL:
        raise MemoryError
    scratch.trace = &rows.found
    try:
        with nogil:
            for k in range(n):
                outcome = STOPPED
                if end == NULL or not (<const volatile uint8_t*> end)[0]:
                    read_cells(&text[starts[k]], zero, cells)
                    scratch_start(scratch, end)
                    outcome = find_path(&rows, &board, scratch, most) if board_load(&board, cells) else CLASH
                if rows.failed or scratch.failed:
                    break
                if outcome == STOPPED:
                    rows.size = ends[k - 1] if k else 0
                    last = &rows.row[rows.size - 1]
                    rows.eliminations.size = <int> last.eliminations_end if rows.size else 0
                    rows.links.size = <int> (3 * last.links_end) if rows.size else 0
                    rows.nodes.size = <int> last.nodes_end if rows.size else 0
                outcomes[k] = <uint8_t> outcome
                ends[k] = rows.size
        if rows.failed or scratch.failed:
            raise MemoryError
        return (
            PyBytes_FromStringAndSize(<char*> rows.row, rows.size * sizeof(StepRow)),
            PyBytes_FromStringAndSize(<char*> rows.eliminations.item, rows.eliminations.size * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<char*> rows.links.item, rows.links.size * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<char*> rows.nodes.item, rows.nodes.size * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<char*> rows.candidates, rows.size * sizeof(board.cand) if candidates else 0),
        )
    finally:
        rows_free(&rows)
        scratch_free(scratch)
