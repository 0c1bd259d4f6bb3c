# The nodes of chains: collected only for steps, never while ratings are found.
#
# A chain is a list of nodes from its end to its start: a candidate on or off, why, and the nodes it follows from.


cdef void trace_put(Trace* trace, int value) noexcept nogil:
    """Append a number."""
    cdef int32_t* more
    if trace.size == trace.room:
        more = <int32_t*> realloc(trace.item, (2 * trace.room + 1024) * sizeof(int32_t))
        if more == NULL:
            trace.failed = True
            return
        trace.item = more
        trace.room = 2 * trace.room + 1024
    trace.item[trace.size] = value
    trace.size += 1


cdef inline int trace_code(const Position* position, int candidate, bint on) noexcept nogil:
    """Return the number of a node."""
    return 2 * (9 * position.cell[candidate] + position.digit[candidate]) + on


cdef void trace_node(Trace* trace, const Position* position, int chain, int candidate, bint on, int why,
                     int parents) noexcept nogil:
    """Append a node; its parents must follow."""
    trace_put(trace, chain)
    trace_put(trace, trace_code(position, candidate, on))
    trace_put(trace, why)
    trace_put(trace, parents)


cdef void trace_unary(Trace* trace, Unary* work, Hints* hints, const Step* step, int cycle_start) noexcept nogil:
    """Find the nodes of a cycle or forcing chain again; ``hints`` is free for use."""
    cdef const Position* position = work.position
    cdef Step found
    cdef int which = (PASS_X if step.technique == X_CYCLE or step.technique == FORCING_X_CHAIN else
                      PASS_Y if step.technique == Y_CYCLE else PASS_XY)
    cdef int start
    cdef int length = step.complexity
    trace.size = 0
    if step.technique == FORCING_X_CHAIN or step.technique == FORCING_CHAIN:
        for start in range(position.n):
            if step.cell >= 0:
                if position.cell[start] == step.cell and position.digit[start] == step.digit:
                    trace_forcing_chain(trace, work, start, False, which)
            elif cells_has(step.removed[position.digit[start]], position.cell[start]):
                trace_forcing_chain(trace, work, start, True, which)
        return
    hints_start(hints, position, work.grid, NULL, &found)
    offer_cycles(work, hints, cycle_start, which, length, <uint64_t> 1 << min(length // 2, 63))
    trace_cycle(trace, work, cycle_start, hints)


cdef bint trace_forcing_chain(Trace* trace, Unary* work, int start, bint on, int which) noexcept nogil:
    """Search a forcing chain and write its nodes; false if there is none."""
    cdef const Position* position = work.position
    cdef int candidate = start, parent
    cdef bint now_on = not on
    trace.size = 0
    if forcing_chain(work, start, on, which) == 0:
        return False
    while True:
        parent = work.on_parent[candidate] if now_on else work.off_parent[candidate]
        if parent < 0:
            trace_node(trace, position, 0, candidate, now_on, WHY_LINK, 0)
            return True
        trace_node(trace, position, 0, candidate, now_on, work.on_cause[candidate] if now_on else WHY_LINK, 1)
        trace_put(trace, trace_code(position, parent, not now_on))
        candidate = parent
        now_on = not now_on


cdef void trace_cycle(Trace* trace, const Unary* work, int start, const Hints* hints) noexcept nogil:
    """Write the nodes of the cycle that was found last from a start, which is also the end."""
    cdef const Position* position = work.position
    cdef int reason = hints.last, candidate = start, cause = hints.last_cause
    trace.size = 0
    while True:
        trace_node(trace, position, 0, candidate, True, cause, 1)
        trace_put(trace, trace_code(position, work.met[reason], False))
        candidate = work.met_parent[reason]
        trace_node(trace, position, 0, work.met[reason], False, WHY_LINK, 1)
        trace_put(trace, trace_code(position, candidate, True))
        if candidate == start:
            return
        cause = work.on_cause[candidate]
        reason = work.on_reason[candidate]
