"""The counting kernel: 8 configurations per vector on any processor, 16 with AVX2, 32 with AVX-512."""

include "partitions.pxi"
include "problem.pxi"
include "exchanges.pxi"
include "sum.pxi"
include "answers.pxi"

cimport cython

from unidoku._native.atomics cimport shared_add, shared_done, shared_next, shared_read
from unidoku._native.checks cimport invariant
from unidoku._native.garbage cimport spoil
from unidoku._native.stop cimport flag_of, is_set

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc

cdef enum:
    SLICE = 1 << 24  # vector operations between two checks of signals and calls of `progress`: about 10 ms
    # Estimated vector operations from which the search for exchanges of digits, and of lines, saves time.
    WORTH_DIGITS = 1 << 20
    WORTH_LINES = 1 << 23
    # States of stack 1 left in a unit from which a second worker saves time, although it makes the tables again.
    WORTH_SHARING = 16


cdef void* block_part(void* memory, size_t* used, size_t size) noexcept:
    """Return the next `size` bytes of a block, aligned to 64; without a block, only add up the size."""
    cdef size_t begin = (used[0] + 63) & ~<size_t> 63
    used[0] = begin + size
    return <char*> memory + begin if memory != NULL else NULL


cdef Problem* new_problem() except NULL:
    cdef size_t each = CONFIGURATIONS * sizeof(Configuration)
    cdef Problem* problem = <Problem*> PyMem_RawCalloc(1, sizeof(Problem) + 6 * each)
    cdef Configuration* begin
    cdef int k
    if problem == NULL:
        raise MemoryError
    begin = <Configuration*> (problem + 1)
    for k in range(6):
        problem.group[k // 3][k % 3].configuration = begin + k * CONFIGURATIONS
    return problem


cdef size_t place_worker(Worker* w, void* memory) noexcept:
    """Place the arrays of a worker in a block of memory; return the size of the block."""
    cdef Problem* p = w.problem
    cdef Stack* last = &p.stack[2]
    cdef size_t used = 0
    cdef size_t pairs = 0
    cdef int i
    cdef int most = 0
    for i in range(3):
        w.crossing[i] = <vec*> block_part(memory, &used, p.band[i].partitions[0] * sizeof(vec))
        most = max(most, p.band[i].partitions[2])
    w.ways = <vec*> block_part(memory, &used, most * sizeof(vec))
    w.first = <vec*> block_part(memory, &used, last.partitions[0] * sizeof(vec))
    w.active = <uint16_t*> block_part(memory, &used, last.states * sizeof(uint16_t))
    w.sum = <vec_sum*> block_part(memory, &used, last.states * sizeof(vec_sum))
    for i in range(1, 3):
        w.table[i] = <vec*> block_part(memory, &used,
                                       <size_t> p.stack[1].partitions[i] * last.partitions[i] * sizeof(vec))
    if w.symmetry != NULL:
        pairs = <size_t> p.stack[1].states * last.states
    w.orbits.weight = <uint32_t*> block_part(memory, &used, pairs * sizeof(uint32_t))
    w.orbits.member = <uint32_t*> block_part(memory, &used, pairs * sizeof(uint32_t))
    w.orbits.place = <uint32_t*> block_part(memory, &used, pairs * sizeof(uint32_t))
    w.orbits.parent = <uint32_t*> block_part(memory, &used, pairs * sizeof(uint32_t))
    w.orbits.step = <uint8_t*> block_part(memory, &used, pairs)
    w.orbits.image = <uint16_t*> block_part(memory, &used,
                                            FIXING * sizeof(uint16_t) * (p.stack[1].states + last.states))
    return used


cdef size_t worker_size(Problem* problem, Symmetry* symmetry) noexcept:
    """The bytes of a worker and its arrays, with room to begin both at a line of the cache."""
    cdef Worker layout
    memset(&layout, 0, sizeof(layout))
    layout.problem = problem
    layout.symmetry = symmetry
    return place_worker(&layout, NULL) + sizeof(Worker) + 192


cdef Worker* new_worker(Problem* problem, Symmetry* symmetry, Plan* plan) except NULL:
    cdef Worker* w
    cdef void* memory
    # The tables are written before they are read, and clearing them takes long.
    memory = PyMem_RawMalloc(worker_size(problem, symmetry))
    if memory == NULL:
        raise MemoryError
    w = <Worker*> ((<size_t> memory + 63) & ~<size_t> 63)
    memset(w, 0, sizeof(Worker))
    w.problem = problem
    w.symmetry = symmetry
    w.plan = plan
    w.memory = memory
    w.unit = -1
    w.weighed = -1
    place_worker(w, <void*> ((<size_t> (w + 1) + 127) & ~<size_t> 63))
    return w


@cython.final
cdef class Sum:
    """Count all solutions of one puzzle of 81 numbers as a sum, without a search.

    Several threads can call `work` at the same time; each takes parts of the sum, and shares the last parts. `role`, 0
    to 35, sets the orientation, the first band and the order of the stacks; below 0, the cheapest is used. By default,
    `exchanges`, the symmetries of the puzzle, are used if this saves time. `keep` keeps the data that `solutions`
    needs.
    """

    cdef Problem* problem
    cdef Symmetry* symmetry
    cdef Plan plan
    cdef uint64_t sum
    cdef uint64_t* part  # by state of stack 0, then of stack 1; NULL if not kept
    cdef int next_unit
    cdef int states_done  # of stack 1, over all units
    cdef int calls  # of `work`
    cdef int calls_done  # without the calls that ended early
    cdef bint begun

    def __cinit__(self):
        self.problem = new_problem()

    def __init__(self, cells, *, int role=-1, exchanges=None, bint keep=False):
        cdef bytes text = bytes(cells)
        cdef const uint8_t* clues = text
        if len(text) != 81 or max(text) > 9:
            raise ValueError("cells must be 81 numbers 0 to 9")
        if role >= ROLES:
            raise ValueError(f"a role must be below {ROLES}, not {role}")
        if self.begun:
            raise RuntimeError("the sum is already initialized")
        self.begun = True
        with nogil:
            prepare_problem(self.problem, clues, role)
        if self.problem.possible:
            if exchanges is None:
                if self.problem.cost[self.problem.number] > WORTH_DIGITS:
                    self.find_symmetry(self.problem.cost[self.problem.number] > WORTH_LINES)
            elif exchanges:
                self.find_symmetry(True)
            self.make_plan()
            if keep:
                self.part = <uint64_t*> PyMem_RawCalloc(
                    <size_t> self.problem.stack[0].states * self.problem.stack[1].states, sizeof(uint64_t))
                if self.part == NULL:
                    raise MemoryError

    def __dealloc__(self):
        if self.symmetry != NULL:
            PyMem_RawFree(self.symmetry.memory)
        PyMem_RawFree(self.symmetry)
        PyMem_RawFree(self.problem)
        PyMem_RawFree(self.part)
        PyMem_RawFree(self.plan.pair)
        PyMem_RawFree(self.plan.unit)

    cdef int find_symmetry(self, bint lines) except -1:
        cdef int states = self.problem.stack[0].states
        cdef int state
        cdef uint64_t random = 1
        cdef Exchange* fixing
        self.symmetry = <Symmetry*> PyMem_RawCalloc(1, sizeof(Symmetry))
        if self.symmetry == NULL:
            raise MemoryError
        fixing = <Exchange*> PyMem_RawCalloc(states * FIXING, sizeof(Exchange))
        if fixing == NULL:
            raise MemoryError
        self.symmetry.memory = fixing
        with nogil:
            exchange_free_digits(self.problem, self.symmetry)
            if lines:
                exchange_lines(self.problem, self.symmetry)
            find_orbits(self.problem, self.symmetry)
            for state in range(states):
                self.symmetry.fixing[state] = fixing + state * FIXING
                if self.symmetry.size and self.symmetry.weight[state]:
                    find_fixing(self.symmetry, state, &random)
        return 0

    cdef int make_plan(self) except -1:
        cdef Stack* stack = &self.problem.stack[0]
        cdef size_t pairs = stack.size // 2 + stack.states + 1
        self.plan.pair = <LanePair*> PyMem_RawCalloc(pairs, sizeof(LanePair))
        self.plan.unit = <Unit*> PyMem_RawCalloc(pairs, sizeof(Unit))
        if self.plan.pair == NULL or self.plan.unit == NULL:
            raise MemoryError
        with nogil:
            make_units(self.problem, self.symmetry, &self.plan)
        return 0

    @property
    def parts(self):
        """Number of parts of the sum, each with tables of its own."""
        return self.plan.units

    @property
    def done(self):
        """Completed fraction of the work, 0 to 1."""
        cdef int states = self.plan.units * self.problem.stack[1].states
        return shared_read(&self.states_done) / <double> states if states else 1.0

    @property
    def cost(self):
        """Estimated number of vector operations, with 32 configurations per vector."""
        cdef double summed = 0
        cdef int k
        if not self.problem.possible:
            return 0.0
        for k in range(self.plan.pairs):
            summed += 1 + (self.plan.pair[k].configuration[1] >= 0)
        return self.problem.cost[self.problem.number] * summed / self.problem.stack[0].size

    def roles(self):
        """List all roles, the cheapest one by the cost model first; none if the puzzle has no solution."""
        cdef int k
        costs = [self.problem.cost[k] for k in range(ROLES)]
        return sorted(range(ROLES), key=costs.__getitem__) if self.problem.possible else []

    def estimate(self):
        """Estimate the number of vector operations from a sample: more exact than `cost`, within milliseconds."""
        cdef Worker* w
        cdef uint8_t* filled
        cdef double steps
        if not self.problem.possible:
            return 0.0
        filled = <uint8_t*> PyMem_RawCalloc(self.problem.stack[1].states * self.problem.stack[2].states, 1)
        if filled == NULL:
            raise MemoryError
        try:
            w = new_worker(self.problem, self.symmetry, &self.plan)
            with nogil:
                steps = estimate_steps(w, filled)
            PyMem_RawFree(w.memory)
        finally:
            PyMem_RawFree(filled)
        return steps

    @property
    def memory(self):
        """Bytes that a call of `work` allocates."""
        if not self.problem.possible:
            return 0
        return worker_size(self.problem, self.symmetry)

    def total(self):
        """Return the number of solutions after all parts are done."""
        cdef int states = self.plan.units * self.problem.stack[1].states
        if shared_read(&self.states_done) < states or shared_read(&self.calls_done) < shared_read(&self.calls):
            raise RuntimeError("the sum is not complete")
        return int(self.sum) * self.problem.orders

    def work(self, *, stop=None, progress=None):
        """Work until no part is left, and return true; false if another thread set `stop`, a bytearray of one item.

        `progress` is called every few milliseconds.
        """
        cdef const uint8_t[::1] flag = stop
        cdef const uint8_t* stopped = flag_of(flag)
        cdef bint more = self.problem.possible
        cdef Worker* w
        if not more:
            return True
        w = new_worker(self.problem, self.symmetry, &self.plan)
        shared_next(&self.calls)
        try:
            while more:
                with nogil:
                    more = self.slice(w, stopped)
                PyErr_CheckSignals()
                if not ways_in_bounds(w):
                    raise OverflowError("a band has more fillings than possible")
                if progress is not None:
                    progress()
                if more and is_set(stopped):
                    return False
            shared_done(&self.calls_done)
            return True
        finally:
            PyMem_RawFree(w.memory)

    cdef bint slice(self, Worker* w, const uint8_t* stopped) noexcept nogil:
        """Work for some milliseconds; return false when no part is left."""
        cdef uint64_t steps = 0
        cdef int state
        while steps < SLICE and not is_set(stopped):
            state = self.take_state(w)
            if state < 0:
                return False
            steps += sum_state(w, state)
            add_state(w, state)
            self.finish_state(w, state)
            shared_done(&self.states_done)
        return True

    cdef int take_state(self, Worker* w) noexcept nogil:
        """Take the next state of stack 1 in the worker's unit, or in another unit; return -1 if none is left."""
        cdef int state, unit
        while True:
            if w.unit >= 0:
                state = shared_next(&self.plan.unit[w.unit].next_state)
                if state < self.problem.stack[1].states:
                    return state
                w.unit = -1
            unit = shared_next(&self.next_unit)
            if unit >= self.plan.units:
                unit = self.longest_unit()
                if unit < 0:
                    return -1
            begin_unit(w, unit)

    cdef int longest_unit(self) noexcept nogil:
        """Return the unit with the most states left, for a worker to share it; -1 if that is not worth its tables."""
        cdef int most = self.problem.stack[1].states - WORTH_SHARING
        cdef int unit
        cdef int longest = -1
        cdef int next_state
        for unit in range(self.plan.units):
            next_state = shared_read(&self.plan.unit[unit].next_state)
            if next_state < most:
                most = next_state
                longest = unit
        return longest

    cdef void finish_state(self, Worker* w, int stack_1) noexcept nogil:
        """Add a worker's total for one state of stack 1 to the sum."""
        cdef Unit* unit = &self.plan.unit[w.unit]
        cdef uint64_t total = 0
        cdef uint64_t here
        cdef int k, state
        if w.actives == 0:
            return
        for k in range(unit.begin, unit.end):
            here = total_of_pair(&w.total, k - unit.begin)
            state = self.plan.pair[k].state
            if w.symmetry != NULL:
                here *= w.symmetry.weight[state]
            if self.part != NULL:
                shared_add(&self.part[<size_t> state * self.problem.stack[1].states + stack_1], here)
            total += here
        memset(&w.total, 0, sizeof(w.total))
        shared_add(&self.sum, total)

    def solutions(self, ranks, *, stop=None):
        """Return the solutions with these ranks, 0 to ``total() - 1``, as 81 numbers 1 to 9 each.

        Their order is the same on every instruction set. One call with many ranks is faster than many calls.
        False if another thread set `stop`, a bytearray of one item.
        """
        cdef int orders = self.problem.orders
        cdef Py_ssize_t n = len(ranks)
        cdef Py_ssize_t k
        cdef Search search
        cdef const uint8_t[::1] flag = stop
        cdef const uint8_t* stopped = flag_of(flag)
        total = self.total()
        if self.part == NULL and total:
            raise RuntimeError("the sum was made without keep=True")
        for rank in ranks:
            if not 0 <= rank < total:
                raise IndexError(f"a rank must be 0 to {total - 1}, not {rank}")
        cdef bytes grids = PyBytes_FromStringAndSize(NULL, 81 * n)
        cdef uint8_t* out = <uint8_t*> PyBytes_AS_STRING(grids)
        in_order = sorted(range(n), key=ranks.__getitem__)
        memset(&search, 0, sizeof(search))
        search.stack_0 = search.stack_1 = NOWHERE
        try:
            for place in in_order:
                if is_set(stopped):
                    return False
                k = place
                whole, order = divmod(ranks[place], orders)
                search.rest = whole
                search.order = order
                self.find(&search)
                with nogil:
                    descend(&search, out + 81 * k)
                PyErr_CheckSignals()
        finally:
            for k in range(search.workers):
                PyMem_RawFree(search.worker[k].memory)
        return grids

    cdef int find(self, Search* search) except -1:
        """Find the states of stacks 0 and 1 of a rank, and make their tables if necessary."""
        cdef int states = self.problem.stack[1].states
        cdef size_t at = search.at
        cdef int unit
        while search.rest - search.before >= self.part[at]:
            search.before += self.part[at]
            at += 1
        search.at = at
        search.rest -= search.before
        if search.problem == NULL:
            search.problem = self.problem
            search.symmetry = self.symmetry
            search.plan = &self.plan
        if search.stack_0 != <int> (at // states):
            search.stack_0 = <int> (at // states)
            search.stack_1 = NOWHERE
            search.units = 0
            for unit in range(self.plan.units):
                if unit_has(&self.plan, unit, search.stack_0):
                    if search.workers == search.units:
                        search.worker[search.units] = new_worker(self.problem, self.symmetry, &self.plan)
                        search.workers += 1
                    begin_unit(search.worker[search.units], unit)
                    search.units += 1
        if search.stack_1 != <int> (at % states):
            search.stack_1 = <int> (at % states)
            with nogil:
                for unit in range(search.units):
                    sum_state(search.worker[unit], search.stack_1)
        return 0
