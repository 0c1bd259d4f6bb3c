# The counting kernel's Python side.

include "partitions.pxi"
include "lines.pxi"
include "problem.pxi"
include "rows.pxi"
include "exchanges.pxi"
include "sum.pxi"

cimport cython

from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree

cdef extern from "count.h" nogil:
    int shared_next(int* number)  # the number before it is raised by one
    int shared_read(int* number)
    void shared_add(uint64_t* number, uint64_t more)

cdef enum:
    SLICE = 1 << 24  # vector operations between two looks at signals and progress: some 10 ms
    # Estimated vector operations from which it pays to look for exchanges of digits, and of lines too.
    WORTH_DIGITS = 1 << 20
    WORTH_LINES = 1 << 23

__all__ = ["Sum"]


cdef void* room(void* memory, size_t* used, size_t size) noexcept:
    """The next `size` bytes of a block, aligned to 64; only counted while there is no block."""
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
    """Gives a worker its arrays inside a block of memory; returns the block's size."""
    cdef Problem* p = w.problem
    cdef Stack* last = &p.stack[2]
    cdef size_t used = 0
    cdef size_t pairs = 0
    cdef int i
    cdef int most = 0
    for i in range(3):
        w.crossing[i] = <vec*> room(memory, &used, p.band[i].partitions[0] * sizeof(vec))
        most = max(most, p.band[i].partitions[2])
    w.ways = <vec*> room(memory, &used, most * sizeof(vec))
    w.first = <vec*> room(memory, &used, last.partitions[0] * sizeof(vec))
    w.active = <uint16_t*> room(memory, &used, last.states * sizeof(uint16_t))
    w.sum = <vec_sum*> room(memory, &used, last.states * sizeof(vec_sum))
    for i in range(1, 3):
        w.table[i] = <vec*> room(memory, &used,
                                 <size_t> p.stack[1].partitions[i] * last.partitions[i] * sizeof(vec))
    if w.symmetry != NULL:
        pairs = <size_t> p.stack[1].states * last.states
    w.room.weight = <uint32_t*> room(memory, &used, pairs * sizeof(uint32_t))
    w.room.root = <uint32_t*> room(memory, &used, pairs * sizeof(uint32_t))
    w.room.queue = <uint32_t*> room(memory, &used, pairs * sizeof(uint32_t))
    w.room.image = <uint16_t*> room(memory, &used,
                                    FIXING * sizeof(uint16_t) * (p.stack[1].states + last.states))
    return used


cdef Worker* new_worker(Problem* problem, Symmetry* symmetry, Plan* plan) except NULL:
    cdef Worker layout
    cdef Worker* w
    cdef void* memory
    cdef size_t size
    memset(&layout, 0, sizeof(layout))
    layout.problem = problem
    layout.symmetry = symmetry
    size = place_worker(&layout, NULL)
    memory = PyMem_RawCalloc(1, sizeof(Worker) + size + 128)
    if memory == NULL:
        raise MemoryError
    w = <Worker*> ((<size_t> memory + 63) & ~<size_t> 63)
    w.problem = problem
    w.symmetry = symmetry
    w.plan = plan
    w.memory = memory
    w.unit = -1
    w.weighed = -1
    place_worker(w, <void*> ((<size_t> (w + 1) + 63) & ~<size_t> 63))
    return w


@cython.final
@cython.auto_pickle(False)
cdef class Sum:
    """The number of all solutions of one puzzle, as a sum without a search.

    Several threads may call `work` at once; each takes parts of the sum until there are none left.

    Parameters
    ----------
    cells : bytes-like
        81 numbers 0 to 9 in row order, 0 for an empty cell.
    role : int, optional
        0 to 35 forces the orientation, the first band and the order of the stacks; below 0, the cheapest one.
    exchanges : bool, optional
        Whether to use the symmetries of the puzzle.

    Attributes
    ----------
    parts : int
        Parts of the sum; more threads than parts are of no use.
    done : float
        The part of the work that is done, 0 to 1.
    cost : float
        Estimated number of vector operations, 32 configurations side by side.
    memory : int
        Bytes that a call of `work` takes.

    Raises
    ------
    ValueError
        `cells` are not 81 numbers 0 to 9, or there is no such role.
    """

    cdef Problem* problem
    cdef Symmetry* symmetry
    cdef Plan plan
    cdef uint64_t sum
    cdef int next_unit
    cdef int units_done
    cdef int states_done
    cdef bint begun

    def __cinit__(self):
        self.problem = new_problem()

    def __init__(self, cells, *, int role=-1, bint exchanges=True):
        cdef bytes text = bytes(cells)
        cdef const uint8_t* first = text
        if len(text) != 81 or max(text) > 9:
            raise ValueError("cells are 81 numbers 0 to 9")
        if role >= ROLES:
            raise ValueError(f"a role is below {ROLES}, not {role}")
        if self.begun:
            raise RuntimeError("a sum begins once")
        self.begun = True
        with nogil:
            prepare_problem(self.problem, first, role, False)
        if self.problem.possible:
            if exchanges and self.problem.cost > WORTH_DIGITS:
                self.find_symmetry()
            self.make_plan()

    def __dealloc__(self):
        if self.symmetry != NULL:
            PyMem_RawFree(self.symmetry.memory)
        PyMem_RawFree(self.symmetry)
        PyMem_RawFree(self.problem)
        PyMem_RawFree(self.plan.pair)
        PyMem_RawFree(self.plan.unit)

    cdef int find_symmetry(self) except -1:
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
            if self.problem.cost > WORTH_LINES:
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
        return self.plan.units

    @property
    def done(self):
        cdef int states = self.plan.units * self.problem.stack[1].states
        return shared_read(&self.states_done) / <double> states if states else 1.0

    @property
    def cost(self):
        cdef double all = <double> self.problem.stack[0].size / COUNT_LANES
        return self.problem.cost * min(self.plan.units / all, 1.0) if self.problem.possible else 0.0

    @property
    def memory(self):
        cdef Worker layout
        if not self.problem.possible:
            return 0
        layout.problem = self.problem
        layout.symmetry = self.symmetry
        return place_worker(&layout, NULL) + sizeof(Worker) + 128

    def total(self):
        """The number of solutions, once all parts are done.

        Returns
        -------
        int

        Raises
        ------
        RuntimeError
            Some parts are not done.
        """
        if shared_read(&self.units_done) < self.plan.units:
            raise RuntimeError("the sum is not complete")
        return int(self.sum) * self.problem.orders

    def work(self, *, stop=None, progress=None):
        """Work on the sum until no part is left.

        Parameters
        ----------
        stop : bytearray of one item, optional
            Ends the call within milliseconds when another thread sets it.
        progress : callable, optional
            Called with no arguments every few milliseconds.

        Returns
        -------
        bool
            False if `stop` ended the call; the sum is never complete then.
        """
        cdef const uint8_t[::1] flag = stop if stop is not None else b"\0"
        cdef const uint8_t* stopped = &flag[0]
        cdef bint more = self.problem.possible
        cdef Worker* w
        if not more:
            return True
        w = new_worker(self.problem, self.symmetry, &self.plan)
        try:
            while more:
                with nogil:
                    more = self.slice(w, stopped)
                PyErr_CheckSignals()
                if not ways_in_bounds(w):
                    raise OverflowError("a band has more fillings than there can be")
                if progress is not None:
                    progress()
                if (<const volatile uint8_t*> stopped)[0]:
                    return False
            return True
        finally:
            PyMem_RawFree(w.memory)

    cdef bint slice(self, Worker* w, const uint8_t* stopped) noexcept nogil:
        """Works for some milliseconds; false when no part is left."""
        cdef uint64_t steps = 0
        cdef int unit
        while steps < SLICE and not (<const volatile uint8_t*> stopped)[0]:
            if w.unit < 0:
                unit = shared_next(&self.next_unit)
                if unit >= self.plan.units:
                    return False
                begin_unit(w, unit)
            steps += sum_state(w, w.state)
            add_state(w, w.state)
            w.state += 1
            shared_next(&self.states_done)
            if w.state == self.problem.stack[1].states:
                shared_add(&self.sum, unit_total(w))
                w.unit = -1
                shared_next(&self.units_done)
        return True
