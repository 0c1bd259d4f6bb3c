# Chains with several starts: Nishio, multiple and dynamic forcing chains, with inner chains.


cdef enum:
    IDLE_BLOCKS = 1  # of kept runs, that an idle scratch has for each depth

cdef Pool idle_scratches


cdef void scratch_destroy(Scratch* scratch) noexcept nogil:
    """Free the memory of the chains of a thread."""
    cdef int depth
    free_lines(scratch.reach)
    free_lines(scratch.inner_reach)
    free_lines(scratch.assumed)
    free_lines(scratch.depths)
    free(scratch.nodes.item)
    for depth in range(MOST_DEPTH):
        blocks_free(&scratch.blocks[depth], 0)
        if scratch.level[depth] != NULL:
            free_lines(scratch.level[depth].run.slot)
            free(scratch.level[depth])
    free(scratch)


cdef void blocks_free(Blocks* blocks, int left) noexcept nogil:
    """Free all blocks except the first."""
    while blocks.count > left:
        blocks.count -= 1
        free(blocks.item[blocks.count])


cdef void scratch_free(Scratch* scratch) noexcept nogil:
    """Give the memory of the chains of a thread back, to the pool if there is a place."""
    cdef int depth
    for depth in range(MOST_DEPTH):
        blocks_free(&scratch.blocks[depth], IDLE_BLOCKS)
    if not pool_keep(&idle_scratches, scratch):
        scratch_destroy(scratch)


cdef Scratch* scratch_new() noexcept nogil:
    """The memory of the chains of a thread, without a puzzle yet; NULL if there is none."""
    cdef Scratch* scratch = <Scratch*> pool_take(&idle_scratches)
    if scratch == NULL:
        scratch = scratch_make()
    if scratch != NULL:
        scratch_reset(scratch)
    return scratch


cdef inline size_t slots_size() noexcept nogil:
    """Bytes of the slots of a run, for the most candidates."""
    return MOST_SLOTS * reach_blocks(MOST_CANDIDATES) * sizeof(block_t)


cdef void scratch_reset(Scratch* scratch) noexcept nogil:
    """Set every field as for a new thread; what is spoiled is written before it is read."""
    cdef block_t* slot
    cdef int depth, k
    spoil(&scratch.position, sizeof(Position))
    spoil(scratch.reach, sizeof(Reach))
    spoil(scratch.inner_reach, sizeof(Reach))
    spoil(scratch.depths, sizeof(Depths))
    spoil(scratch.assumed, MOST_ASSUMED * sizeof(Assumed))
    for depth in range(MOST_DEPTH):
        slot = scratch.level[depth].run.slot
        spoil(slot, slots_size())
        spoil(scratch.level[depth], sizeof(Level))
        scratch.level[depth].run.slot = slot
        for k in range(scratch.blocks[depth].count):
            spoil(scratch.blocks[depth].item[k], KEPT_BLOCK)
        scratch.blocks[depth].now = 0
        scratch.blocks[depth].used = 0
    memset(&scratch.last, 0, sizeof(Board))
    memset(scratch.free, 0, sizeof(scratch.free))
    scratch.cancel = NULL
    scratch.trace = NULL
    scratch.nodes.size = 0
    scratch.nodes.failed = scratch.stopped = scratch.failed = False


cdef Scratch* scratch_make() noexcept nogil:
    """Allocate the memory of the chains of a thread; NULL if there is none."""
    cdef Scratch* scratch = <Scratch*> malloc(sizeof(Scratch))
    cdef int depth
    cdef Level* level
    if scratch == NULL:
        return NULL
    memset(scratch, 0, sizeof(Scratch))
    scratch.reach = <Reach*> allocate_lines(sizeof(Reach))
    scratch.inner_reach = <Reach*> allocate_lines(sizeof(Reach))
    scratch.assumed = <Assumed*> allocate_lines(MOST_ASSUMED * sizeof(Assumed))
    scratch.depths = <Depths*> allocate_lines(sizeof(Depths))
    if (scratch.reach == NULL or scratch.inner_reach == NULL or scratch.assumed == NULL
            or scratch.depths == NULL):
        scratch_destroy(scratch)
        return NULL
    for depth in range(MOST_DEPTH):
        level = <Level*> malloc(sizeof(Level))
        scratch.level[depth] = level
        if level == NULL:
            scratch_destroy(scratch)
            return NULL
        level.run.slot = <block_t*> allocate_lines(slots_size())
        if level.run.slot == NULL:
            scratch_destroy(scratch)
            return NULL
    return scratch


cdef bint goes_on(Scratch* scratch) noexcept nogil:
    """Whether the search need not stop."""
    if is_set(scratch.cancel):
        scratch.stopped = True
    return not scratch.stopped


cdef char* keep_memory(Scratch* scratch, Blocks* blocks, size_t size) noexcept nogil:
    """Return memory for a kept run, or NULL."""
    cdef char* memory
    size = (size + 15) & ~<size_t> 15
    invariant(size <= KEPT_BLOCK)
    if blocks.now < blocks.count and blocks.used + size > KEPT_BLOCK:
        blocks.now += 1
        blocks.used = 0
    if blocks.now == blocks.count:
        memory = <char*> malloc(KEPT_BLOCK) if blocks.count < KEPT_BLOCKS else NULL
        if memory == NULL:
            scratch.stopped = scratch.failed = True
            return NULL
        blocks.item[blocks.count] = memory
        blocks.count += 1
        blocks.used = 0
    memory = blocks.item[blocks.now] + blocks.used
    blocks.used += size
    return memory


cdef inline void* keep_part(char* memory, size_t* used, const void* part, size_t size) noexcept nogil:
    """Copy a part of a run after the parts before it; without memory, count its bytes."""
    cdef size_t begin = used[0]
    used[0] += (size + 7) & ~<size_t> 7
    return NULL if memory == NULL else memcpy(memory + begin, part, size)


cdef size_t keep_parts(char* memory, Found* kept, const Found* found, size_t n, bint whole) noexcept nogil:
    """Copy the parts of a run, with `whole` also those that only ``walk`` reads; the bytes that they take."""
    cdef size_t used = 0
    kept[0] = found[0]
    kept.count_on = <uint16_t*> keep_part(memory, &used, found.count_on, 2 * n)
    kept.count_off = <uint16_t*> keep_part(memory, &used, found.count_off, 2 * n)
    kept.on = <uint16_t*> keep_part(memory, &used, found.on, 2 * <size_t> found.n_on)
    kept.off = <uint16_t*> keep_part(memory, &used, found.off, 2 * <size_t> found.n_off)
    if not whole:
        return used
    kept.nested_identity = <uint64_t*> keep_part(memory, &used, found.nested_identity, 8 * <size_t> found.n_nested)
    kept.nested_complexity = <int32_t*> keep_part(memory, &used, found.nested_complexity, 4 * <size_t> found.n_nested)
    kept.on_parents = <uint32_t*> keep_part(memory, &used, found.on_parents, 4 * n)
    kept.off_parents = <uint32_t*> keep_part(memory, &used, found.off_parents, 4 * n)
    kept.on_many = <uint16_t*> keep_part(memory, &used, found.on_many, 2 * n)
    kept.off_many = <uint16_t*> keep_part(memory, &used, found.off_many, 2 * n)
    kept.off_nested = <int16_t*> keep_part(memory, &used, found.off_nested, 2 * n)
    kept.cause = <uint8_t*> keep_part(memory, &used, found.cause, n)
    kept.off_technique = <uint8_t*> keep_part(memory, &used, found.off_technique, n)
    kept.parents = <uint16_t*> keep_part(memory, &used, found.parents, 2 * <size_t> found.n_parents)
    return used


cdef bint keep_run(Scratch* scratch, int depth, Found* kept, bint whole) noexcept nogil:
    """Copy the result of the present run, whole or without the parts that only ``walk`` reads."""
    cdef const Found* found = &scratch.level[depth].run.found
    cdef size_t n = scratch.position.n
    cdef char* memory = keep_memory(scratch, &scratch.blocks[depth], keep_parts(NULL, kept, found, n, whole))
    if memory == NULL:
        return False
    keep_parts(memory, kept, found, n, whole)
    return True


cdef void queue_hints(Run* run, Hints* hints) noexcept nogil:
    """Queue the conclusions of inner chains, the least hint first."""
    cdef uint64_t removed[SET_WORDS]
    cdef bint done[MOST_HINTS]
    cdef Hint* hint
    cdef int k, first, chosen
    for k in range(hints.size):
        done[k] = True
    for k in range(hints.position.n):
        if hints.best[k] >= 0:
            done[hints.best[k]] = False
    while True:
        chosen = -1
        for k in range(hints.size):
            if not done[k]:
                hint = &hints.hint[k]
                if chosen < 0 or precedes(hint.key, hints.hint[chosen].key):
                    chosen = k
        if chosen < 0:
            return
        done[chosen] = True
        memset(removed, 0, sizeof(removed))
        for k in range(hints.position.n):
            if hints.best[k] == chosen:
                set_add(removed, k)
        first = run.found.n_nested
        run.nested_identity[first] = hints.hint[chosen].identity
        run.nested_complexity[first] = hints.hint[chosen].key.complexity
        if run_turn_off(run, removed, &hints.parent[hints.hint[chosen].parents_begin], hints.hint[chosen].parents,
                        hints.hint[chosen].technique, first):
            run.found.n_nested += 1


cdef bint chains_matter(Reach* reach, const Position* position, const Board* board, int chain_kind) noexcept nogil:
    """Find the starts that matter to static or dynamic chains without inner rules; false if there are none."""
    return static_filter(reach, position, board) if chain_kind == STATIC else dynamic_filter(reach, position, board)


cdef bint inner_chains(Scratch* scratch, int depth, int chain_kind, int nesting) noexcept nogil:
    """Queue the conclusions of inner chains; false if there are none.

    Static chains require that unary chains have found nothing.
    """
    cdef Run* run = &scratch.level[depth].run
    cdef Reach* reach = NULL
    cdef Level* inner = scratch.level[depth + 1]
    cdef int before = run.found.n_off
    if chain_kind == UNARY and not goes_on(scratch):
        return False
    hints_start(&inner.hints, run.position, &run.board, run.source, NULL)
    if chain_kind == UNARY:
        offer_unary(scratch.inner_reach, &inner.unary, &run.board, &inner.hints)
    else:
        if nesting == NEST_NOTHING:
            reach = scratch.inner_reach
            if not chains_matter(reach, run.position, &run.board, chain_kind):
                return False
        offer_chains(scratch, depth + 1, &run.board, chain_kind, nesting, ALL_DIGITS, reach, &inner.hints)
    if not scratch.stopped:
        queue_hints(run, &inner.hints)
    return run.found.n_off > before


cdef bint inner_rules(Scratch* scratch, int depth, int nesting) noexcept nogil:
    """Ask the inner rules of a nesting in order until one queues something."""
    if inner_simple(&scratch.level[depth].run):
        return True
    if nesting >= NEST_DYNAMIC:
        return (inner_chains(scratch, depth, DYNAMIC, NEST_NOTHING)
                or (nesting == NEST_DYNAMIC_UNARY and inner_chains(scratch, depth, DYNAMIC, NEST_UNARY)))
    if nesting >= NEST_UNARY and inner_chains(scratch, depth, UNARY, NEST_NOTHING):
        return True
    return nesting == NEST_STATIC and inner_chains(scratch, depth, STATIC, NEST_NOTHING)


cdef void make_run(const ChainSearch* search, int candidate, bint on) noexcept nogil:
    """Find the implications of an assumption, up to its first contradiction.

    Nodes that cannot be part of a hint better than the best one so far may be missing.
    """
    cdef Scratch* scratch = search.scratch
    cdef Run* run = &scratch.level[search.depth].run
    run_start(run, &scratch.position, search.grid, scratch.level[search.depth].gone, candidate, on,
              search.chain_kind != STATIC, search.chain_kind == NISHIO_CHAINS)
    if search.depths != NULL:
        if search.most < DEPTH_NEVER:
            run.bound = depths_bound(search.depths, 2 * candidate + on, search.most)
    elif search.nesting == NEST_NOTHING and search.hints.source == NULL and search.hints.key.complexity > 0:
        run.bound = search.hints.key.complexity - 1
    while (goes_on(scratch) and not run_queues(run) and search.nesting > NEST_NOTHING
           and not (search.depth == 0 and run_is_closed(scratch, run, candidate, on, search.nesting))
           and inner_rules(scratch, search.depth, search.nesting)):
        pass


cdef inline bint walks(const ChainSearch* search) noexcept nogil:
    """Whether a hint needs more of its chains than the numbers of their nodes."""
    return search.nesting >= NEST_UNARY or search.hints.source != NULL or search.scratch.trace != NULL


cdef const Found* kept_run(const ChainSearch* search, int candidate, bint on) noexcept nogil:
    """Return the run of an assumption, which is kept; NULL if the search must stop."""
    cdef Scratch* scratch = search.scratch
    cdef Level* work = scratch.level[search.depth]
    if not work.has[on][candidate]:
        make_run(search, candidate, on)
        if scratch.stopped or not keep_run(scratch, search.depth, &work.kept[on][candidate], walks(search)):
            return NULL
        work.has[on][candidate] = True
    return &work.kept[on][candidate]


cdef inline int queue_node(Level* work, int size, int candidate, bint on) noexcept nogil:
    """Append a node to the queue of a walk if it is met for the first time; return the size of the queue."""
    if set_has(work.seen[on], candidate):
        return size
    set_add(work.seen[on], candidate)
    work.queue[size] = <uint16_t> (2 * candidate + on)
    return size + 1


cdef uint64_t walk(Scratch* scratch, int depth, const Target* target, const Hints* hints, int source_cause,
                   Trace* trace, int chain) noexcept nogil:
    """Walk through the ancestors of a target, breadth first; the hash of the list of nodes.

    It collects inner chains, and for an inner hint the parents.  ``source_cause``: why one of the starts is on.
    ``trace``: write the nodes of the chain there, or NULL.
    """
    cdef Level* work = scratch.level[depth]
    cdef const Found* found = target.found
    cdef int size, next_node = 0, candidate, many, cause, k
    cdef bint on, end = target.end
    cdef uint32_t node, begin
    cdef uint64_t nodes = 0
    memset(work.seen, 0, sizeof(work.seen))
    size = queue_node(work, 0, target.candidate, target.on)
    while next_node < size:
        node = work.queue[next_node]
        next_node += 1
        candidate = node >> 1
        on = node & 1
        nodes = list_hash(nodes, node_hash(candidate, on))
        if on:
            begin = found.end_parents if end else found.on_parents[candidate]
            many = found.end_many if end else found.on_many[candidate]
            cause = found.end_cause if end else found.cause[candidate]
            if hints.source != NULL:
                add_cause_parents(hints, candidate, source_cause if cause == CAUSE_NONE else cause, &work.parents)
        else:
            begin = found.end_parents if end else found.off_parents[candidate]
            many = 0 if end else found.off_many[candidate]
            if many == NO_PARENTS:
                many = 0
            elif many == 0:
                size = queue_node(work, size, begin, True)
            elif found.off_nested[candidate] >= 0:
                add_nested(work, found.nested_identity[found.off_nested[candidate]],
                           found.nested_complexity[found.off_nested[candidate]])
        if trace != NULL:
            trace_walked(trace, &scratch.position, found, chain, node, cause if on else WHY_LINK, begin, many, end)
        for k in range(many):
            size = queue_node(work, size, found.parents[begin + k], False)
        end = False
    return nodes


cdef void trace_walked(Trace* trace, const Position* position, const Found* found, int chain, int node, int why,
                       uint32_t begin, int many, bint end) noexcept nogil:
    """Write a node that the walk passes."""
    cdef int candidate = node >> 1, k
    cdef bint on = node & 1
    if on or many:
        if many and not on:
            why = WHY_INNER + found.off_technique[candidate]
        trace_node(trace, position, chain, candidate, on, why, many)
        for k in range(many):
            trace_put(trace, trace_code(position, found.parents[begin + k], False))
    elif not end and found.off_many[candidate] == NO_PARENTS:
        trace_node(trace, position, chain, candidate, False, WHY_LINK, 0)
    else:
        trace_node(trace, position, chain, candidate, False, WHY_LINK, 1)
        trace_put(trace, trace_code(position, begin, True))


cdef void add_nested(Level* work, uint64_t identity, int complexity) noexcept nogil:
    """Count an inner chain if it is different from those counted before."""
    cdef int k
    for k in range(work.n_nested):
        if work.nested_identity[k] == identity:
            return
    work.nested_identity[work.n_nested] = identity
    work.n_nested += 1
    work.nested_complexity += complexity


cdef void offer_targets(const ChainSearch* search, int kind, int complexity, int candidate, bint on,
                        const Target* targets, int size, int source_cause) noexcept nogil:
    """Take a hint if it beats the best so far; ``source_cause``: why one of its starts is on."""
    cdef Scratch* scratch = search.scratch
    cdef Level* work = scratch.level[search.depth]
    cdef Hints* hints = search.hints
    cdef uint64_t removed[SET_WORDS]
    cdef uint64_t identity = 0
    cdef int k
    cdef HintKey key = HintKey(chain_sum(search.base, complexity), complexity, kind)
    if hints.source == NULL and hints.key.complexity > 0 and complexity > hints.key.complexity:
        return
    conclude(&scratch.position, hints.grid, candidate, on, removed)
    if not hints_want(hints, removed, key):
        return
    if walks(search):
        parents_start(&work.parents)
        work.n_nested = 0
        work.nested_complexity = 0
        for k in range(size):
            identity = list_hash(identity, walk(scratch, search.depth, &targets[k], hints, source_cause, NULL, 0))
        key.complexity += work.nested_complexity
        key.sum = chain_sum(search.base, key.complexity)
        if work.nested_complexity and not hints_want(hints, removed, key):
            return
    if hints.source == NULL:
        hints_take(hints, removed, candidate, on, key, search.technique)
        if scratch.trace != NULL:
            scratch.trace.size = 0
            for k in range(size):
                walk(scratch, search.depth, &targets[k], hints, source_cause, scratch.trace, k)
        return
    if work.parents.size:
        hints_take_inner(hints, removed, key, search.technique, &work.parents, identity)


cdef void offer_contradiction(const ChainSearch* search, const Found* found, int start, bint on) noexcept nogil:
    """Offer the conclusion of the contradiction of a run, if it has one."""
    cdef Target targets[2]
    cdef int k
    if found.end < 0:
        return
    for k in range(2):
        targets[k].found = found
        targets[k].candidate = found.end
        targets[k].on = k == 0
        targets[k].end = targets[k].on == found.end_on
    offer_targets(search, KIND_CONTRADICTION, found.end_complexity, start, not on, targets, 2, CAUSE_NONE)


cdef void offer_common(const ChainSearch* search, const Found** runs, int size, int kind,
                       int source_cause) noexcept nogil:
    """Offer the nodes that all runs have in common, "on" before "off", in the order of the first run."""
    cdef Target targets[MOST_TARGETS]
    cdef const Found* first = runs[0]
    cdef const uint16_t* order
    cdef const uint16_t* count
    cdef int on, i, k, n, candidate, complexity
    for on in range(1, -1, -1):
        order = first.on if on else first.off
        n = first.n_on if on else first.n_off
        for i in range(n):
            candidate = order[i]
            complexity = 0
            for k in range(size):
                count = runs[k].count_on if on else runs[k].count_off
                if count[candidate] == 0:
                    break
                complexity += count[candidate]
                targets[k].found = runs[k]
                targets[k].candidate = candidate
                targets[k].on = on
                targets[k].end = False
            else:
                offer_targets(search, kind, complexity, candidate, on, targets, size, source_cause)


cdef bint offer_house(const ChainSearch* search, int candidate, int k) noexcept nogil:
    """Offer the common nodes of all places of a digit in the k-th house of a candidate, if it is the first place."""
    cdef const Position* position = &search.scratch.position
    cdef const Found* runs[MOST_TARGETS]
    cdef int cell = position.cell[candidate], digit = position.digit[candidate]
    cdef int house = HOUSES[cell][k], size = 0
    cdef unsigned int places = search.grid.places[house][digit]
    if set_size(places) < 2 or CELL[house][lowest_bit(places)] != cell:
        return True
    if search.filter != NULL and not search.filter.house_matters[house][digit]:
        return True
    while places:
        runs[size] = kept_run(search, position.number[9 * CELL[house][lowest_bit(places)] + digit], True)
        if runs[size] == NULL:
            return False
        size += 1
        places &= places - 1
    offer_common(search, runs, size, KIND_HOUSE, CAUSE_HOUSE + k)
    return True


cdef bint offer_both_states(const ChainSearch* search, int candidate, bint doubles) noexcept nogil:
    """Offer the contradictions of a candidate on and off, and their common nodes; false: stop."""
    cdef const Found* both[2]
    cdef const Reach* filter = search.filter
    doubles = doubles and (filter == NULL or filter.both_matter[candidate])
    if doubles or filter == NULL or filter.layer[1][candidate] != REACH_NEVER:
        both[0] = kept_run(search, candidate, True)
        if both[0] == NULL:
            return False
        offer_contradiction(search, both[0], candidate, True)
    if doubles or filter == NULL or filter.layer[0][candidate] != REACH_NEVER:
        both[1] = kept_run(search, candidate, False)
        if both[1] == NULL:
            return False
        offer_contradiction(search, both[1], candidate, False)
    if doubles:
        offer_common(search, both, 2, KIND_DOUBLE, CAUSE_NONE)
    return True


cdef bint offer_cell(const ChainSearch* search, int cell) noexcept nogil:
    """Offer the hints of all runs that start in a cell; false if the search must stop."""
    cdef const Position* position = &search.scratch.position
    cdef const Found* runs[MOST_TARGETS]
    cdef unsigned int digits = search.grid.cand[cell] & search.digits
    cdef int size = 0, many = set_size(digits), k
    cdef int candidates[MOST_TARGETS]
    while digits:
        candidates[size] = position.number[9 * cell + lowest_bit(digits)]
        digits &= digits - 1
        if search.chain_kind != STATIC and not offer_both_states(
                search, candidates[size], search.chain_kind == DYNAMIC and many >= 3):
            return False
        if search.chain_kind != NISHIO_CHAINS:
            for k in range(3):
                if not offer_house(search, candidates[size], k):
                    return False
        size += 1
    if search.chain_kind != NISHIO_CHAINS and (search.filter == NULL or search.filter.cell_matters[cell]):
        for k in range(size):
            runs[k] = kept_run(search, candidates[k], True)
            if runs[k] == NULL:
                return False
        offer_common(search, runs, size, KIND_CELL, CAUSE_CELL)
    return True


cdef const Found* learn_run(ChainSearch* search, int start) noexcept nogil:
    """Make the run of an assumption, unless it is kept; NULL if the search must stop."""
    cdef Level* work = search.scratch.level[search.depth]
    cdef const Found* run
    if work.has[start & 1][start >> 1]:
        return &work.kept[start & 1][start >> 1]
    run = kept_run(search, start >> 1, start & 1)
    if run != NULL:
        depths_learn(search.depths, start, False, run.off, run.n_off, run.count_off)
        depths_learn(search.depths, start, True, run.on, run.n_on, run.count_on)
        if run.end >= 0:
            search.most = min(search.most, run.end_complexity)
    return run


cdef bint learn_group(ChainSearch* search, int group) noexcept nogil:
    """Make the runs of a group while it may conclude more simply than the best so far; false: stop."""
    cdef Depths* depths = search.depths
    cdef const Found* runs[MOST_TARGETS]
    cdef const Found* first
    cdef const uint16_t* order
    cdef const uint16_t* count
    cdef int k, on, i, sum, size = depths.begin[group + 1] - depths.begin[group]
    for k in range(size):
        depths_group(depths, group)
        if depths.least[group] >= search.most:
            return True
        runs[k] = learn_run(search, depths.member[depths.begin[group] + k])
        if runs[k] == NULL:
            return False
    first = runs[0]
    for on in range(2):
        order = first.on if on else first.off
        for i in range(first.n_on if on else first.n_off):
            sum = 0
            for k in range(size):
                count = runs[k].count_on if on else runs[k].count_off
                if count[order[i]] == 0:
                    break
                sum += count[order[i]]
            else:
                search.most = min(search.most, sum)
    depths_group(depths, group)
    return True


cdef bint find_most(ChainSearch* search) noexcept nogil:
    """Find the least complexity of a hint; runs that need the fewest nodes come first. False: stop."""
    cdef Depths* depths = search.depths
    cdef int least = 0, start, group, starts = 2 * search.scratch.position.n
    while least < min(search.most, DEPTH_NEVER):
        start = depths_next(depths.conflict, 0, starts, least)
        while start < starts:
            if learn_run(search, start) == NULL:
                return False
            start = depths_next(depths.conflict, start + 1, starts, least)
        group = depths_next(depths.least, 0, depths.groups, least)
        while group < depths.groups:
            if not learn_group(search, group):
                return False
            group = depths_next(depths.least, group + 1, depths.groups, least)
        least += 1
    return True


cdef bint depths_filter(ChainSearch* search, Reach* reach) noexcept nogil:
    """Find the starts of the best hint of dynamic chains; false if there is none, or if the search must stop."""
    cdef Depths* depths = search.scratch.depths
    cdef const Position* position = &search.scratch.position
    cdef int k, on, group
    reach_load(reach, position, search.grid)
    spoil(depths, sizeof(Depths))
    find_depths(depths, reach, links_of_pass(PASS_XY))
    for k in range(position.n):
        if set_size(search.grid.cand[position.cell[k]]) < 3:
            depths.least[reach.groups + k] = DEPTH_NEVER
    search.depths = depths
    if not find_most(search) or search.most == MOST_NODES:
        return False
    if search.most >= DEPTH_NEVER:  # the numbers are too small to tell
        search.filter = NULL
        return True
    matters_start(reach)
    for group in range(reach.groups):
        if depths.least[group] <= search.most:
            group_matters(reach, group)
    for k in range(position.n):
        reach.both_matter[k] = depths.least[reach.groups + k] <= search.most
        for on in range(2):
            reach.layer[on][k] = 0 if depths.conflict[2 * k + on] <= search.most else REACH_NEVER
    return True


cdef void offer_chains(Scratch* scratch, int depth, const Board* grid, int chain_kind, int nesting, unsigned int digits,
                       const Reach* filter, Hints* hints) noexcept nogil:
    """Offer all chains of a kind and a nesting."""
    cdef Level* work = scratch.level[depth]
    cdef ChainSearch search
    cdef int k, cell, least = 3 if chain_kind == STATIC else 2
    search.scratch = scratch
    search.hints = hints
    search.grid = grid
    search.depth = depth
    search.chain_kind = chain_kind
    search.nesting = nesting
    search.technique = (NISHIO if chain_kind == NISHIO_CHAINS else MULTIPLE_FORCING_CHAINS if chain_kind == STATIC
                        else DYNAMIC_FORCING_CHAINS + nesting)
    search.base = rating_of(search.technique) / 10.0
    search.digits = digits
    search.filter = filter
    search.depths = NULL
    search.most = MOST_NODES
    if depth == 0:
        position_link(&scratch.position, grid, ALL_DIGITS)
    scratch.blocks[depth].now = 0
    scratch.blocks[depth].used = 0
    memset(work.has, 0, sizeof(work.has))
    for k in range(scratch.position.n):
        work.gone[k] = 0 if grid.cand[scratch.position.cell[k]] >> scratch.position.digit[k] & 1 else STATE_GONE
    if depth == 0 and nesting == NEST_NOTHING and chain_kind == DYNAMIC and not depths_filter(&search, scratch.reach):
        return
    for cell in range(81):
        if set_size(grid.cand[cell]) >= least and not offer_cell(&search, cell):
            return


cdef unsigned int nishio_digits(Scratch* scratch, const Board* board) noexcept nogil:
    """Return the digits with an assumption that leads to a contradiction; only the digit's own places matter."""
    cdef unsigned int digits = 0
    cdef int digit
    for digit in range(9):
        if not cells_any(scratch.free[digit] ^ board.digit[digit]):
            continue
        if nishio_contradiction(board.places, CELL, digit):
            digits |= 1u << digit
        else:
            scratch.free[digit] = board.digit[digit]
    return digits


cdef void load_board(Scratch* scratch, const Board* board) noexcept nogil:
    """Number the candidates of a board, if it is another one than before."""
    if memcmp(&scratch.last, board, sizeof(Board)) == 0:
        return
    memcpy(&scratch.last, board, sizeof(Board))
    position_load(&scratch.position, board)
    scratch.reach.complete = False


cdef unsigned int digits_of_links(const Scratch* scratch, const Step* step) noexcept nogil:
    """Return the digits that the links of the cycle or forcing chain that was found last may have."""
    cdef int digit
    if step.technique == X_CYCLE:
        return 1u << scratch.position.digit[scratch.level[0].hints.start]
    if step.technique != FORCING_X_CHAIN:
        return ALL_DIGITS
    if step.cell >= 0:
        return 1u << step.digit
    for digit in range(9):
        if cells_any(step.removed[digit]):
            return 1u << digit
    return ALL_DIGITS


cdef void trace_found(Scratch* scratch, const Board* board, const Step* step, Trace* trace) noexcept nogil:
    """Write the nodes of the cycle or forcing chain that was found last."""
    cdef Level* work = scratch.level[0]
    cycles_load(&work.unary, &scratch.position, board, digits_of_links(scratch, step))
    trace_unary(trace, &work.unary, &scratch.level[1].hints, step, work.hints.start)


cdef void hardest_set(Hardest* hardest, const Scratch* scratch, const Board* board, const Step* step) noexcept nogil:
    """Keep a step that was found on a board; of a cycle or forcing chain, what its nodes are found from."""
    hardest.step = step[0]
    if is_unary(step.technique):
        hardest.board = board[0]
        hardest.start = scratch.level[0].hints.start


cdef int hardest_name(Hardest* hardest, Scratch* scratch) noexcept nogil:
    """Return the name of the step; the search is free for use."""
    cdef Level* work = scratch.level[0]
    if is_unary(hardest.step.technique):
        load_board(scratch, &hardest.board)
        work.unary.position = NULL
        work.hints.start = hardest.start
        trace_found(scratch, &hardest.board, &hardest.step, &scratch.nodes)
        scratch.failed |= scratch.nodes.failed
    return name_of(&hardest.board, &hardest.step, &scratch.nodes)


cdef bint chain_step(const Board* board, int technique, Scratch* scratch, Step* step) noexcept nogil:
    """Find the easiest hint of a technique of chains; FORCING_CHAIN stands for all cycles and forcing chains."""
    cdef Level* work = scratch.level[0]
    cdef Hints* hints = &work.hints
    cdef const Reach* filter = scratch.reach
    cdef unsigned int digits
    cdef int nesting = technique - DYNAMIC_FORCING_CHAINS
    load_board(scratch, board)
    if not goes_on(scratch):
        return False
    hints_start(hints, &scratch.position, board, NULL, step)
    if technique == FORCING_CHAIN:
        best_unary(scratch.reach, &scratch.position, board, &work.unary, hints)
        if scratch.trace != NULL and hints.key.complexity > 0:
            trace_found(scratch, board, step, scratch.trace)
    elif technique == NISHIO:
        digits = nishio_digits(scratch, board)
        if digits:
            offer_chains(scratch, 0, board, NISHIO_CHAINS, NEST_NOTHING, digits, NULL, hints)
    elif technique == MULTIPLE_FORCING_CHAINS:
        if static_filter(scratch.reach, &scratch.position, board):
            offer_chains(scratch, 0, board, STATIC, NEST_NOTHING, ALL_DIGITS, filter, hints)
    elif technique == DYNAMIC_FORCING_CHAINS:
        offer_chains(scratch, 0, board, DYNAMIC, NEST_NOTHING, ALL_DIGITS, filter, hints)
    elif nesting > MOST_ASSUMED:
        offer_chains(scratch, 0, board, DYNAMIC, nesting, ALL_DIGITS, NULL, hints)
    elif nested_filter(scratch, board, nesting):
        offer_chains(scratch, 0, board, DYNAMIC, nesting, ALL_DIGITS, filter, hints)
    return not scratch.stopped and hints.key.complexity > 0
