"""The step engine: SudokuSolver 2.6's search, one unit of work at a time or whole searches in batch.

`StepSearch` is one search that can be advanced, inspected and copied; `search_cells` runs the complete search of
many puzzles and keeps only the counters. Both release the GIL while they work.

Cells are 0..80 row by row, houses 0..26 (rows, columns, boxes), sets of digits are bits (bit d-1 for
digit d); steps.pxd has the codes.
"""

cimport cython
from libc.stdint cimport int64_t

from collections import namedtuple
from threading import Lock

include "steps.pxi"

from unidoku._native.stop cimport flag_of, is_set

Entry = namedtuple(
    "Entry", "kind step level cell value position total house way chosen digits cells sets", module=__name__
)
Entry.__doc__ = """An entry of the log; the fields that a kind does not use are 0 or empty.

``kind`` is a code of steps.pxd; the event class that ``NATIVE`` in `unidoku.stepper.events` has for it documents its
fields. ``cells`` and ``sets`` have equal length.
"""

STEP_LIMIT = 10_000_000
"""Default step limit of `search_cells`."""

cdef enum:
    CHUNK = 4096  # records after which advance returns, so that a long run needs little memory


@cython.final
cdef class StepSearch:
    """One search; `unidoku.stepper.Session` is the public interface to it."""

    cdef Engine engine
    cdef Log log
    cdef object lock  # only one thread at a time uses the engine

    def __cinit__(self, cells=None):  # the structs are zero here
        self.lock = Lock()
        self.engine.waiting = -1

    def __init__(self, const unsigned char[::1] cells not None):
        if cells.shape[0] != 81:
            raise ValueError(f"81 cells are needed, not {cells.shape[0]}")
        with self.lock:
            if not load_engine(&self.engine, &cells[0], 0):
                raise ValueError("two equal values in a house")

    def __dealloc__(self):
        free(self.log.records)

    def copy(self):
        """An independent search in the same state; records not yet drained are not copied."""
        cdef StepSearch other = StepSearch.__new__(StepSearch)
        with self.lock:
            other.engine = self.engine  # also levels that were left: `before` looks at them
            if self.engine.log != NULL:
                other.engine.log = &other.log
        return other

    def advance(self, count_t until, count_t units, bint resume):
        """Do up to this number of units of work, while the step counter is below `until` and the search not ended.

        `resume` starts with the next guess if a solution has just been found. Return 0 if nothing is left to do, 1 if
        records should be drained before the next call, 2 if the unit waits for the answer to a guess.
        """
        cdef Engine* engine = &self.engine
        cdef int reason = 0
        cdef count_t last
        with self.lock:
            with nogil:
                last = engine.units + units
                if last < units:
                    last = <count_t>-1
                while engine.units < last and engine.steps < until:
                    if engine.state == INVALID or (engine.state == FINE and not resume):
                        break
                    resume = False
                    if not run_unit(engine):
                        reason = 2
                        break
                    if engine.log != NULL and engine.log.used >= CHUNK:
                        reason = 1
                        break
            if self.log.lost:
                self.log.lost = False
                raise MemoryError("no memory for the events of the search")
        return reason

    def answer(self, int cell, int value):
        """Finish the unit that waits for a guess with a candidate of this cell."""
        with self.lock:
            if self.engine.waiting < 0:
                raise ValueError("the search is not waiting for a guess")
            if not (0 <= cell < 81 and 1 <= value <= 9 and self.engine.board.candidates[cell] >> (value - 1) & 1):
                raise ValueError(f"{value} is not a candidate of cell {cell}")
            self.engine.waiting = -1
            new_guess(&self.engine, cell, value)
            self.engine.units += 1

    def listen(self, bint on):
        """Start or stop recording events."""
        with self.lock:
            self.engine.log = &self.log if on else NULL

    def drain(self):
        """The entries of the log since the last call, oldest first."""
        cdef Py_ssize_t i
        cdef int k, listed
        cdef LogEntry* record
        cdef list records = []
        with self.lock:
            for i in range(self.log.used):
                record = &self.log.records[i]
                listed = record.count if record.kind in (COMPLETE, INCOMPLETE, LINE) else 0
                records.append(Entry(
                    record.kind, record.step, record.level, record.cell, record.value, record.position,
                    record.count, record.house, record.way, record.chosen, record.digits,
                    tuple([record.cells[k] for k in range(listed)]),
                    tuple([record.sets[k] for k in range(listed)]),
                ))
            self.log.used = 0
        return records

    def new_run(self):
        """Clear `biggest`."""
        with self.lock:
            self.engine.biggest = no_peak()

    def cells(self):
        """The 81 values as bytes, 0 for an empty cell."""
        with self.lock:
            return (<const char*>self.engine.board.values)[:81]

    def candidates(self):
        """For each of the 81 cells the set of its candidates as bits; 0 for a filled cell."""
        with self.lock:
            return tuple([self.engine.board.candidates[cell] for cell in range(81)])

    def foremost(self):
        """The first of the empty cells with fewest candidates, or -1 if no cell is empty."""
        with self.lock:
            return foremost_cell(&self.engine.board)

    def guesses(self):
        """The stack of guess levels, level 1 first: ``(cell, position from 1, order of values)`` each."""
        cdef int i
        cdef Guess* guess
        cdef list levels = []
        with self.lock:
            for i in range(self.engine.depth):
                guess = &self.engine.guesses[i]
                levels.append((guess.cell, guess.position, tuple(guess.order[:guess.count])))
        return levels

    def before(self, int level):
        """As `candidates`, before the guess of a level, which may have been left in the last unit of work."""
        if not 1 <= level <= 81:
            raise ValueError(f"levels are 1 to 81, not {level}")
        with self.lock:
            return tuple([self.engine.guesses[level - 1].before.candidates[cell] for cell in range(81)])

    @property
    def guessed(self):
        """The unit of work in which a value was last guessed, from 0."""
        return self.engine.guessed

    @property
    def opened(self):
        """The unit of work in which the present guess level was opened, from 0; None without a guess."""
        with self.lock:
            return self.engine.guesses[self.engine.depth - 1].unit if self.engine.depth else None

    @property
    def failed(self):
        """The unit of work in which a contradiction was last met, from 0; None before."""
        return self.engine.failed if self.engine.has_failed else None

    @property
    def steps(self):
        """Steps counted so far."""
        return self.engine.steps

    @property
    def solutions(self):
        """Solutions found so far."""
        return self.engine.solutions

    @property
    def units(self):
        """Finished units of work."""
        return self.engine.units

    @property
    def state(self):
        """0 loaded, 1 valid, 2 fine, 3 invalid."""
        return self.engine.state

    @property
    def depth(self):
        """The guess level."""
        return self.engine.depth

    @property
    def biggest(self):
        """The biggest level at which a value was placed since `new_run`, its first step, how often it was reached."""
        return peak_of(&self.engine.biggest)

    @property
    def highest(self):
        """As `biggest`, since the puzzle was loaded."""
        return peak_of(&self.engine.highest)

    @property
    def waiting(self):
        """The cell to be guessed while a unit waits for `answer`, else -1."""
        return self.engine.waiting

    @property
    def mode(self):
        """Working mode: 0 groups and ply, 1 groups only, 2 ply only."""
        return self.engine.mode

    @mode.setter
    def mode(self, int mode):
        if not 0 <= mode <= 2:
            raise ValueError(f"the working mode is 0, 1 or 2, not {mode}")
        with self.lock:
            self.engine.mode = mode

    @property
    def ask(self):
        """Whether guesses wait for `answer`."""
        return self.engine.ask

    @ask.setter
    def ask(self, bint ask):
        with self.lock:
            self.engine.ask = ask


cdef tuple peak_of(const Peak* peak):
    return peak.level, peak.step, peak.times


cdef struct First:  # the run to the first solution
    count_t steps
    Peak highest


def search_cells(
    const unsigned char[::1] text not None,
    const int64_t[::1] starts not None,
    *,
    unsigned char zero=48,
    unsigned long long[::1] steps not None,
    unsigned long long[::1] solutions not None,
    unsigned char[::1] biggest_level not None,
    unsigned long long[::1] level_step not None,
    unsigned long long[::1] first_steps not None,
    unsigned char[::1] first_level not None,
    unsigned long long[::1] first_level_step not None,
    unsigned char[::1] outcomes not None,
    count_t step_limit=STEP_LIMIT,
    const unsigned char[::1] stop=None,
):
    """Run the complete search of many puzzles on this thread, without the GIL.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte
    an empty cell. The outputs have one item per puzzle:

    - at the end: the step counter, the number of solutions, the biggest guess level, and the step at which it was first
      reached
    - when the first solution was found, or at the end: the step counter, the biggest level and its step
    - the outcome: `ENDED`; `CUT_OFF` at the step limit; or `CLASH` if a house has two equal clues: it is not searched

    A step limit of 0 means none. A unit of work is never split, so the step counter can exceed the limit slightly.
    False if `stop` ended the call.
    """
    cdef const unsigned char* flag = flag_of(stop)
    cdef Py_ssize_t count = starts.shape[0], i
    cdef First first
    cdef StepSearch search = StepSearch.__new__(StepSearch)
    cdef Engine* engine = &search.engine
    if (not steps.shape[0] == solutions.shape[0] == biggest_level.shape[0] == count
            or not level_step.shape[0] == first_level_step.shape[0] == count
            or not first_steps.shape[0] == first_level.shape[0] == outcomes.shape[0] == count):
        raise ValueError("starts and outputs need the same length")
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    with nogil:
        for i in range(count):
            outcomes[i] = whole_search(
                engine, &text[start_of(&starts[i], text.shape[0])], zero, step_limit, &first, flag
            )
            steps[i] = engine.steps
            solutions[i] = engine.solutions
            biggest_level[i] = <unsigned char>engine.highest.level
            level_step[i] = engine.highest.step
            first_steps[i] = first.steps
            first_level[i] = <unsigned char>first.highest.level
            first_level_step[i] = first.highest.step
            if outcomes[i] == STOPPED:
                count = i
                break
    return count == starts.shape[0]


cdef unsigned char whole_search(Engine* engine, const unsigned char* puzzle, unsigned char zero,
                                count_t step_limit, First* first, const unsigned char* stop) noexcept nogil:
    first.steps = 0
    first.highest = no_peak()
    if not load_engine(engine, puzzle, zero):
        return CLASH
    while engine.state != INVALID:
        if step_limit and engine.steps >= step_limit:
            return CUT_OFF
        if is_set(stop):
            return STOPPED
        run_unit(engine)
        if engine.solutions == 0 or (engine.solutions == 1 and engine.state == FINE):
            first.steps = engine.steps
            first.highest = engine.highest
    return ENDED
