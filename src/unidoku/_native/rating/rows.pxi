# The steps of puzzles and positions as rows (codes.pxd): no Python object is made for a step.


cdef void rows_start(Rows* rows, bint with_candidates, const uint8_t* stop) noexcept:
    """Set every field: no rows."""
    memset(rows, 0, sizeof(Rows))
    rows.with_candidates = with_candidates
    rows.stop = stop


cdef Scratch* rows_scratch(Rows* rows) noexcept nogil:
    """Return the memory of the search for chains, which most steps do not need; NULL if there is none."""
    if rows.scratch == NULL:
        rows.scratch = scratch_new()
        if rows.scratch == NULL:
            rows.failed = True
            return NULL
        rows.scratch.trace = &rows.found
        scratch_start(rows.scratch, rows.stop)
    return rows.scratch


cdef bint rows_failed(const Rows* rows) noexcept nogil:
    """Whether there was too little memory."""
    return rows.failed or (rows.scratch != NULL and rows.scratch.failed)


cdef bytes short_numbers(const Trace* trace, int first, int step):
    """Return some numbers of a list as uint16."""
    cdef Py_ssize_t n = trace.size // step, k
    cdef bytes numbers = PyBytes_FromStringAndSize(NULL, n * sizeof(uint16_t))
    cdef uint16_t* number = <uint16_t*> <char*> numbers
    for k in range(n):
        number[k] = <uint16_t> trace.item[first + k * step]
    return numbers


cdef tuple rows_buffers(const Rows* rows):
    """Return the buffers that `find_paths` describes."""
    if rows_failed(rows):
        raise MemoryError
    return (
        PyBytes_FromStringAndSize(<char*> rows.row, rows.size * sizeof(StepRow)),
        short_numbers(&rows.placements, 0, 1),
        short_numbers(&rows.eliminations, 0, 1),
        short_numbers(&rows.links, 0, 3),
        short_numbers(&rows.links, 1, 3),
        short_numbers(&rows.links, 2, 3),
        PyBytes_FromStringAndSize(<char*> rows.nodes.item, rows.nodes.size * sizeof(int32_t)),
        PyBytes_FromStringAndSize(<char*> rows.candidates, rows.size * sizeof(rows.candidates[0])
                                  if rows.with_candidates else 0),
    )


cdef void rows_free(Rows* rows) noexcept nogil:
    """Give the memory back."""
    if rows.scratch != NULL:
        scratch_free(rows.scratch)
    free(rows.row)
    free(rows.candidates)
    free(rows.placements.item)
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
    row.name = <uint8_t> name_of(board, step, &rows.found)
    row.digits = <uint16_t> step.digits
    row.house = <int8_t> step.house
    row.other = <int8_t> step.other
    row.placement = <int16_t> (9 * step.cell + step.digit if step.cell >= 0 else -1)
    if step.cell >= 0:
        trace_put(&rows.placements, row.placement)
    else:
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
    row.placements_end = rows.placements.size
    row.eliminations_end = rows.eliminations.size
    row.links_end = rows.links.size // 3
    row.nodes_end = rows.nodes.size
    rows.failed |= rows.placements.failed or rows.eliminations.failed or rows.links.failed
    return not rows.failed


cdef void rows_cut(Rows* rows, Py_ssize_t size) noexcept nogil:
    """Leave the first rows and their parts."""
    cdef const StepRow* last
    rows.size = size
    rows.placements.size = rows.eliminations.size = rows.links.size = rows.nodes.size = 0
    if size:
        last = &rows.row[size - 1]
        rows.placements.size = <int> last.placements_end
        rows.eliminations.size = <int> last.eliminations_end
        rows.links.size = <int> (3 * last.links_end)
        rows.nodes.size = <int> last.nodes_end


cdef int find_path(Rows* rows, Board* board, Py_ssize_t most, bint easy) noexcept nogil:
    """Append the steps from a board on, at most so many, or the `easy` steps before the first other step; return the
    outcome."""
    cdef Pending pending
    cdef Step step
    cdef Py_ssize_t begin = rows.size
    cdef int found
    pending_start(&pending)
    while cells_any(board.empty) and rows.size - begin < most:
        if not first_easy_step(board, &step, &pending):
            if easy:
                return AT_LEAST
            if rows_scratch(rows) == NULL:
                return STOPPED
            found = first_hard_step(board, &step, UNBOUNDED, &pending, rows.scratch)
            if found != FOUND:
                return STOPPED if found == CUT else STUCK
        if not rows_add(rows, board, &step):
            return STOPPED
        if not board_follow(board, &step):
            return IMPROPER
    return RATED


def find_paths(const uint8_t[::1] text, const int64_t[::1] starts, *, int zero, uint8_t[::1] outcomes,
               int64_t[::1] ends, bint candidates=True, int most=81 * 9, bint easy=False, uint64_t barred=0,
               const uint8_t[::1] stop=None):
    """Find the steps of proper puzzles, the first `most` of each; 729 are all, as each takes a candidate away.

    Puzzles, `outcomes` and `stop` are as for `rate_cells`. With `easy`, for which Ctrl-C can wait, the steps end before
    the first that is rated above 4.4, and the outcome is `AT_LEAST`. Techniques whose bit is in `barred`, bit t for
    technique t, are not used; cycles and forcing chains are barred together, as `FORCING_CHAIN`. ``ends[i]`` receives
    the number of steps of the puzzles up to and including puzzle i; a puzzle that was stopped has none.

    Return buffers. The first has the rows of the steps, each a `StepRow`. Then come the lists that the rows refer to:
    as uint16 the placements, the eliminations, and the starts, the ends and the kinds of the links; as int32 the nodes
    of the chains. The last has as uint16 the candidates before each step, 81 a row, unless `candidates` is false.
    """
    cdef Py_ssize_t n = starts.shape[0], k
    cdef Board board
    cdef Rows rows
    cdef uint8_t cells[81]
    cdef int outcome
    cdef Py_ssize_t before  # rows of the puzzles before
    cdef const uint8_t* end = flag_of(stop)
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    if not outcomes.shape[0] == ends.shape[0] == n:
        raise ValueError("the outputs must have one item per puzzle")
    rows_start(&rows, candidates, end)
    try:
        with nogil:
            for k in range(n):
                outcome = STOPPED
                before = rows.size
                if not is_set(end):
                    read_digits(&text[start_of(&starts[k], text.shape[0])], zero, cells)
                    if rows.scratch != NULL:
                        scratch_start(rows.scratch, end)
                    outcome = IMPROPER
                    if board_load(&board, cells):
                        board.barred = barred
                        outcome = find_path(&rows, &board, most, easy)
                if rows_failed(&rows):
                    break
                if outcome == STOPPED:
                    rows_cut(&rows, before)
                outcomes[k] = <uint8_t> outcome
                ends[k] = rows.size
        return rows_buffers(&rows)
    finally:
        rows_free(&rows)


def find_step(const uint8_t[::1] values, const uint16_t[::1] candidates, *, bint easy=False, uint64_t barred=0,
              const uint8_t[::1] stop=None):
    """Find the next step of a position of 81 cells and their candidates, bit d - 1 for digit d.

    With `easy` only if it is rated 4.4 or less; `barred` is as of `find_paths`. Return the buffers of `find_paths`,
    with one row or none; False if `stop` ended the search.
    """
    cdef Board board
    cdef Rows rows
    cdef int outcome
    cdef const uint8_t* end = flag_of(stop)
    position_board(&board, values, candidates)
    board.barred = barred
    rows_start(&rows, False, end)
    try:
        with nogil:
            outcome = find_path(&rows, &board, 1, easy)
        if outcome == STOPPED and not rows_failed(&rows):
            return False
        return rows_buffers(&rows)
    finally:
        rows_free(&rows)


def find_steps(const uint8_t[::1] values, const uint16_t[::1] candidates, *, const uint8_t[::1] stop=None):
    """Find all steps of a position up to forcing chains: of cycles and chains the first from each candidate.

    They are as from `find_step`, in the order of the techniques, some more than once. False if `stop` ended the search.
    """
    cdef Board board
    cdef Step step
    cdef Steps steps
    cdef Pending pending
    cdef Rows rows
    cdef const uint8_t* end = flag_of(stop)
    cdef int k
    position_board(&board, values, candidates)
    pending_start(&pending)
    memset(&steps, 0, sizeof(Steps))
    rows_start(&rows, False, end)
    if rows_scratch(&rows) == NULL:
        raise MemoryError
    board.all = &steps
    try:
        with nogil:
            first_easy_step(&board, &step, &pending)
            first_hard_step(&board, &step, rating_of(X_CYCLE), &pending, rows.scratch)
            find_aligned_triplet(&board, &step, &pending, 3)
            board.all = NULL
            for k in range(steps.size):
                rows_add(&rows, &board, &steps.step[k])
            add_chains(&rows, &board)
            rows.failed |= steps.failed
        if rows.scratch.stopped and not rows_failed(&rows):
            return False
        return rows_buffers(&rows)
    finally:
        free(steps.step)
        rows_free(&rows)


cdef void add_chains(Rows* rows, const Board* board) noexcept nogil:
    """Append the first cycle through each candidate, and the forcing chains that begin with it."""
    cdef Scratch* scratch = rows.scratch
    cdef const Position* position = &scratch.position
    cdef Unary* work = &scratch.level[0].unary
    cdef Hints* hints = &scratch.level[0].hints
    cdef Step step
    cdef int which, start, on, digits
    position_load(&scratch.position, board)
    position_link(&scratch.position, board, ALL_DIGITS)
    unary_load(work, position, board, ALL_DIGITS)
    for which in range(3):
        for start in range(position.n):
            if not goes_on(scratch):
                return
            digits = set_size(board.cand[position.cell[start]])
            if digits < 2 or (which == PASS_Y and digits > 2):
                continue
            hints_start(hints, position, board, NULL, &step)
            offer_cycles(work, hints, start, which, 4, ALL_LENGTHS)
            if hints.key.complexity:
                trace_cycle(&rows.found, work, start, hints)
                rows_add(rows, board, &step)
            if which != PASS_Y:
                for on in range(2):
                    add_forcing_chain(rows, board, start, on, which)


cdef void add_forcing_chain(Rows* rows, const Board* board, int start, bint on, int which) noexcept nogil:
    """Append the forcing chain from an assumption, if there is one."""
    cdef const Position* position = &rows.scratch.position
    cdef Unary* work = &rows.scratch.level[0].unary
    cdef Hints* hints = &rows.scratch.level[0].hints
    cdef Step step
    cdef uint64_t removed[SET_WORDS]
    cdef int complexity = forcing_chain(work, start, on, which)
    if complexity == 0:
        return
    hints_start(hints, position, board, NULL, &step)
    conclude(position, board, start, not on, removed)
    hints_take(hints, removed, start, not on, forcing_key(which, complexity),
               FORCING_X_CHAIN if which == PASS_X else FORCING_CHAIN)
    trace_forcing_chain(&rows.found, work, start, on, which)
    rows_add(rows, board, &step)


cdef void position_board(Board* board, const uint8_t[::1] values, const uint16_t[::1] candidates) except *:
    """Load a position."""
    cdef int cell
    if values.shape[0] != 81 or candidates.shape[0] != 81:
        raise ValueError("a position has 81 cells")
    memset(board, 0, sizeof(Board))
    for cell in range(81):
        board.value[cell] = values[cell]
        if board.value[cell] > 9:
            raise ValueError(f"cell {cell} has the value {board.value[cell]}, not 0 to 9")
        board.cand[cell] = 0 if board.value[cell] else candidates[cell] & ALL_DIGITS
    board_index(board)
