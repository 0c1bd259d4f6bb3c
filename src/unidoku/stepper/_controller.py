"""A step-by-step search that can be run, inspected and copied."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from unidoku._arguments import MAX_COUNT, callback, positive, whole_number
from unidoku._compat import view
from unidoku._guesses import no_attribute
from unidoku._lazy import public
from unidoku._native import steps as native
from unidoku._native.steps import StepSearch
from unidoku._threads import Cancel, cancel_of, within
from unidoku.cell import HOUSE_NAMES, HOUSES, HOUSES_OF, PEERS, cell_name, digits_of
from unidoku.errors import ArgumentError, Message, SearchStoppedError, UnidokuError
from unidoku.grid import Grid, PuzzleLike, refuse_clashes
from unidoku.stepper import events
from unidoku.stepper.events import (
    CellCandidates,
    Consequence,
    Event,
    GuessAsked,
    GuessLevel,
    LevelsShown,
    Loss,
    Peak,
    RunEnded,
    StateShown,
    WhyShown,
    read_events,
)

UNITS_AT_ONCE = 1 << 12
"""Units of work between two returns to Python without events, so that Ctrl-C works."""

ASKED = 2
"""The code of a search that waits for the answer to a guess."""

_CELLS = dict(zip(HOUSE_NAMES, HOUSES, strict=True))
_ALL = frozenset(range(1, 10))
_GUESSES = (events.GuessMade, events.ForwardGuess, events.UpwardGuess)
_ENDS = (events.ForwardGuess, events.UpwardGuess, events.NoMoreSolution)


@dataclass
class Decisions:
    """Changes of the working mode and answers to guesses, by unit of work.

    The search itself is deterministic, so this repeats it up to any unit.
    """

    modes: dict[int, int] = field(default_factory=dict)
    guesses: dict[int, tuple[int, int]] = field(default_factory=dict)

    def last_failure(self, cells: bytes, unit: int, cancel: Cancel) -> tuple[StepSearch, StepSearch]:
        """Return the search of a puzzle before and after the guess that failed in a unit of work.

        The first is in the state before the unit of that guess, or after the very first unit if nothing was
        guessed; the second is in the state after the failure, and its log has what happened in between.
        """
        start = StepSearch(cells)
        self._repeat(start, unit, cancel)
        begin = 1
        if start.depth:
            begin = start.guessed
        if begin != unit:
            start = StepSearch(cells)
            self._repeat(start, begin, cancel)
        failure = start.copy()
        failure.listen(True)
        self._repeat(failure, unit + 1, cancel)
        return start, failure

    def unit_at(self, cells: bytes, steps: int) -> int:
        """Return the last unit of work at whose beginning there were at most so many steps."""
        search = StepSearch(cells)
        self._repeat(search, MAX_COUNT, Cancel(), until=steps)
        return search.units - (search.steps > steps)

    def search_at(self, cells: bytes, begun: int, unit: int, *, waiting: bool) -> StepSearch:
        """Return the search of a puzzle after so many units, or in the next unit if that waits for a guess.

        The last run began after `begun` units.
        """
        search = StepSearch(cells)
        self._repeat(search, begun, Cancel())
        search.new_run()
        self._repeat(search, unit, Cancel())
        if waiting:
            search.mode, search.ask = self._mode_at(unit), True
            search.advance(MAX_COUNT, 1, True)
        return search

    def _mode_at(self, unit: int) -> int:
        """Return the working mode of a unit of work."""
        return self.modes[max(change for change in self.modes if change <= unit)]

    def _repeat(self, search: StepSearch, unit: int, cancel: Cancel, until: int = MAX_COUNT) -> None:
        """Advance a search to the state after so many units of work, or after the first one at `until`."""
        stops = sorted({*self.guesses, *self.modes, unit})
        while search.units < unit and search.steps < until:
            cancel.raise_if_set()
            search.mode = self._mode_at(search.units)
            search.ask = search.units in self.guesses
            stop = min(unit, stops[bisect_right(stops, search.units)], search.units + UNITS_AT_ONCE)
            if search.advance(until, stop - search.units, True) == ASKED:
                search.answer(*self.guesses[search.units])
        search.ask = False


def chain_of(start: StepSearch, failure: StepSearch) -> WhyShown:
    """Return the chain to the last contradiction; the searches are as from `Decisions.last_failure`."""
    since: list[events.Event] = []
    chain = since
    for event in read_events(failure):
        if isinstance(event, _ENDS):
            chain = since
        since = [event] if isinstance(event, _GUESSES) else [*since, event]
    level, candidates, guess = None, start.candidates(), chain[0]
    if isinstance(guess, _GUESSES):
        level = GuessLevel(guess.level, guess.cell, guess.digit, guess.position, guess.count)
        candidates = failure.before(guess.level)
    deduction = _Consequences(candidates)
    for event in chain:
        deduction.follow(event)
    return deduction.conclude(chain[-1], level)


class _Consequences:
    """Consequences of a guess as links with their reasons; link 0 is the guess."""

    def __init__(self, candidates: tuple[int, ...]) -> None:
        self._candidates = {cell: set(digits_of(bits)) for cell, bits in enumerate(candidates) if bits}
        self._causes: dict[tuple[int, int], int] = {}  # a lost candidate -> the link that took it
        self._links: list[Consequence] = []
        self._cuts: dict[int, int] = {}  # a cell that a shrink leaves one digit -> its link
        self._fills: list[Loss] = []  # each filled cell with its digit and its link

    def follow(self, event: Any) -> None:
        """Take in an event."""
        match event:
            case events.GuessMade() | events.ForwardGuess() | events.UpwardGuess():
                self._fill(event.cell, event.digit, 0)
            case events.SinglePlaced(cell=cell, digit=digit):
                number = self._cuts.get(cell)
                if number is None:
                    number = self._add(event.kind, None, (cell,), (digit,), self._losses((cell,), _ALL))
                self._fill(cell, digit, number)
            case events.CompleteShrink(house=house):
                cuts = [(cut, self._losses(_CELLS[house], {cut.digit})) for cut in event.cuts]
                for (cell, digit), losses in cuts:
                    self._cuts[cell] = self._add(event.kind, house, (cell,), (digit,), losses)
                    self._take(
                        ((cell, candidate) for candidate in self._candidates[cell] - {digit}),
                        self._cuts[cell],
                    )
            case events.IncompleteShrink(house=house) | events.LineShrink(house=house):
                if isinstance(event, events.LineShrink):
                    losses = self._fills_at(house)
                elif event.way == "2GW":
                    losses = self._losses(set(_CELLS[house]) - {*event.cells}, set(event.digits))
                else:
                    losses = self._losses(event.cells, _ALL - {*event.digits})
                self._take(event.removed, self._add(event.kind, house, event.cells, event.digits, losses))

    def conclude(self, end: Any, guess: GuessLevel | None) -> WhyShown:
        """Return the chain to the contradiction of the last event, without the links it does not need."""
        cells: tuple[int, ...] = ()
        house, digit, fill_number = getattr(end, "house", None), getattr(end, "digit", None), 0
        if isinstance(end, events.WentWrong):
            filled, _, fill_number = self._fills[-1]
            cells = (filled, end.cell)
            losses = self._losses((end.cell,), _ALL - {end.digit})
        elif not isinstance(end, events.Contradiction):  # a shrink took the last candidates of a cell
            cells, house = tuple(cell for cell, digits in self._candidates.items() if not digits)[:1], None
            losses = self._losses(cells, _ALL)
        elif digit:
            losses = self._losses(_CELLS[end.house], {digit})
        else:
            losses = self._fills_at(end.house)
        numbers = {fill_number, *(loss.by for loss in losses)}
        for number in range(len(self._links), 0, -1):
            if number in numbers:
                numbers |= {loss.by for loss in self._links[number - 1].losses}
        order = sorted(numbers - {0}, key=lambda number: (self._links[number - 1].round, number))
        place = {0: 0} | {number: at for at, number in enumerate(order, 1)}

        def numbered(losses: Iterable[Loss]) -> tuple[Loss, ...]:
            return tuple(loss._replace(by=place[loss.by]) for loss in losses)

        chain = (self._links[number - 1] for number in order)
        links = tuple(link._replace(losses=numbered(link.losses)) for link in chain)
        return WhyShown(end.step, end.level, guess, links, cells, digit, house, numbered(losses))

    def _add(
        self,
        kind: str,
        house: str | None,
        cells: tuple[int, ...],
        digits: tuple[int, ...],
        losses: tuple[Loss, ...],
    ) -> int:
        """Add a link and return its number."""
        rounds = (self._links[loss.by - 1].round for loss in losses if loss.by)
        self._links.append(Consequence(1 + max(rounds, default=0), kind, house, cells, digits, losses))
        return len(self._links)

    def _fill(self, cell: int, digit: int, number: int) -> None:
        self._fills.append(Loss(cell, digit, number))
        self._take(((cell, candidate) for candidate in self._candidates[cell] - {digit}), number)
        self._take(((peer, digit) for peer in PEERS[cell]), number)

    def _take(self, marks: Iterable[tuple[int, int]], number: int) -> None:
        for cell, digit in marks:
            if digit in self._candidates.get(cell, ()):
                self._candidates[cell].remove(digit)
                self._causes[cell, digit] = number

    def _losses(self, cells: Iterable[int], digits: Iterable[int]) -> tuple[Loss, ...]:
        """Return which of these candidates are lost since the guess."""
        marks = ((cell, digit) for cell in sorted(cells) for digit in sorted(digits))
        return tuple(Loss(*mark, self._causes[mark]) for mark in marks if mark in self._causes)

    def _fills_at(self, line: str) -> tuple[Loss, ...]:
        """Return the cells filled in the boxes that a line crosses."""
        boxes = {HOUSES_OF[cell][2] for cell in _CELLS[line]}
        return tuple(fill for fill in self._fills if HOUSES_OF[fill.cell][2] in boxes)


Guesser: TypeAlias = "Callable[[Session, int, int], tuple[int | str, int | str] | str | None]"
"""Called with the session, the default cell 0 to 80 and its digit; see `Session.guess`."""

SIGNS = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},  # Unicode, Halfwidth and Fullwidth Forms
    **str.maketrans("【】。\u3000", "[]. "),  # the keys [ ] . and the blank of a Chinese keyboard
}
"""The signs of ASCII by those that a Chinese keyboard types in their place."""
_GUESS = re.compile(r"(?:\[([1-9]),([1-9])\]|([1-9]),([1-9])|r([1-9])c([1-9]))=([1-9])")

_STATES = {native.LOADED: "loaded", native.VALID: "valid", native.FINE: "fine", native.INVALID: "invalid"}


def guess_of(answer: Any) -> tuple[int, int] | None:
    """Return the cell 0 to 80 and the digit of an answer to a guess; None for any other answer.

    Examples
    --------
    >>> guess_of("[6,2]=9"), guess_of("r6c2 = 9"), guess_of((46, 9)), guess_of(("r6c2", "9")), guess_of(9)
    ((46, 9), (46, 9), (46, 9), (46, 9), None)
    """
    match answer:
        case (cell, digit):
            is_number = hasattr(cell, "__index__") and not isinstance(cell, bool)
            answer = f"{cell_name(int(cell)) if is_number and cell in range(81) else cell}={digit}"
    guess = _GUESS.fullmatch("".join(str(answer).translate(SIGNS).lower().split()))
    if guess is None:
        return None
    row, column, value = map(int, filter(None, guess.groups()))
    return 9 * row + column - 10, value


class GuessError(UnidokuError):
    """The answer to a guess is not a candidate; the search still waits for an answer.

    Examples
    --------
    >>> quiz = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
    >>> session = Session(quiz, guess=lambda session, cell, digit: (cell, 0))
    >>> try:
    ...     session.run()
    ... except GuessError as error:
    ...     session.state
    'valid'
    """

    __module__ = "unidoku.stepper"

    code = "wrong_guess"


class Session:
    """SudokuSolver 2.6's search over one puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        As `unidoku.Grid` accepts it.
    mode : {0, 1, 2}, default 0
        Working mode, see `mode`.
    guess : callable, optional
        Decides guesses; see `guess`.
    listening : bool, default True
        Whether events are recorded. Without them ``step`` and the runs return empty lists, at full speed.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle; or, as an `ImproperPuzzleError`, a house has two equal clues.

    Notes
    -----
    A unit of work is never split: it fills all cells that have one candidate, or filters candidates, or
    guesses; it may count more than one step.  Use a session from one thread at a time.

    Examples
    --------
    >>> session = Session("005300000800000020070010500400005300010070006003200080060500009004000030000009700")
    >>> early = session.copy()
    >>> events = session.run()
    >>> session.steps, session.peak.level, session.state
    (131, 11, 'fine')
    >>> session.peak
    Peak(level=11, step=92, times=1)
    >>> events = early.run_until(90)
    >>> early.steps, early.foremost, early.candidates[28]
    (90, 28, (2, 8))
    >>> [event.kind for event in early.step()]
    ['no_shrink', 'guess', 'state']
    """

    __module__ = "unidoku.stepper"

    @public
    def __init__(
        self, puzzle: PuzzleLike, *, mode: int = 0, guess: Guesser | None = None, listening: bool = True
    ) -> None:
        grid = Grid(puzzle)
        refuse_clashes(grid)
        self.puzzle = grid
        """The puzzle at the start of the search."""
        self._search = StepSearch(grid.cells)
        self._search.listen(listening)
        self._listening = listening
        self._decisions = Decisions()
        self._begun = 0  # the unit at which the last run began, for its peak
        self.mode = mode
        self.guess = guess

    # State

    @property
    def grid(self) -> Grid:
        """The current grid."""
        return Grid(self._search.cells())

    @property
    def state(self) -> str:
        """``"loaded"``, ``"valid"``, ``"fine"`` (a solution was just found) or ``"invalid"`` (exhausted)."""
        return _STATES[self._search.state]

    @property
    def steps(self) -> int:
        """Steps counted since the puzzle was loaded."""
        return self._search.steps

    @property
    def solution_sum(self) -> int:
        """Solutions found so far."""
        return self._search.solutions

    @property
    def level(self) -> int:
        """The guess level: the number of current guesses."""
        return self._search.depth

    @property
    def peak(self) -> Peak:
        """The biggest guess level at which the last step or run placed a value, and when it was reached."""
        return Peak(*self._search.biggest)

    @property
    def peak_so_far(self) -> Peak:
        """The biggest guess level at which a value was placed since the puzzle was loaded."""
        return Peak(*self._search.highest)

    @property
    def levels(self) -> tuple[GuessLevel, ...]:
        """The stack of guesses, the oldest (level 1) first."""
        return tuple(
            GuessLevel(level, cell, order[position - 1], position, len(order))
            for level, (cell, position, order) in enumerate(self._search.guesses(), 1)
        )

    @property
    def candidates(self) -> dict[int, tuple[int, ...]]:
        """The candidates of every empty cell 0 to 80, in order; empty before the first step."""
        return {cell: digits_of(bits) for cell, bits in enumerate(self._search.candidates()) if bits}

    def drawn_state(self) -> tuple[bytes, bytes, dict[int, tuple[int, ...]]]:
        """Values, clues and candidates by cell 0 to 80, as `unidoku.view.svg` draws them."""
        return self.grid.cells, self.puzzle.cells, self.candidates

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return view("svg.svg", self, size=360)

    @property
    def foremost(self) -> int | None:
        """The first of the empty cells 0 to 80 with the fewest candidates; None unless the state is valid."""
        if self.state == "valid":
            return self._search.foremost()
        return None

    @property
    def waiting(self) -> bool:
        """Whether a unit of work is unfinished because it waits for the answer to a guess."""
        return self._search.waiting >= 0

    # Settings

    @property
    def mode(self) -> int:
        """Working mode: 0 groups and ply, 1 groups only, 2 ply only; it may be changed at any time."""
        return self._search.mode

    @mode.setter
    def mode(self, mode: int) -> None:
        self._search.mode = whole_number("mode", mode, maximum=2)
        # a waiting unit has already used its mode
        self._decisions.modes[self._search.units + self.waiting] = self._search.mode

    @property
    def guess(self) -> Guesser | None:
        """The callable that decides guesses; None to let the search decide.

        It is called as ``guess(session, cell, digit)`` with the guess the search would make.  It returns None
        to accept, or another guess: ``(cell, digit)``, the cell as 0 to 80 or ``"r1c1"`` to ``"r9c9"``, or a
        text as in the console, such as ``"[6,2]=9"`` or ``"r6c2=9"``.  ``step`` and ``run`` propagate its
        exceptions; the search then waits in the middle of the unit and calls it again when it is resumed.
        """
        return self._guess

    @guess.setter
    def guess(self, guess: Guesser | None) -> None:
        self._guess = callback("guess", guess)
        self._search.ask = guess is not None

    # Running

    def step(self) -> list[Event]:
        """Do one unit of work; return its events, and the state at the end."""
        return list(self.stream(units=1, timed=False))

    def run(self, *, cancel: Cancel | None = None, timeout: float | None = None) -> list[Event]:
        """Run to the next solution or the end of the search; return the events as `stream` yields them.

        `cancel`, and `timeout` in seconds, end it as they end `stream`.
        """
        cancel = within(cancel, timeout)
        return list(self.stream(cancel=cancel))

    def run_until(
        self, steps: int, *, cancel: Cancel | None = None, timeout: float | None = None
    ) -> list[Event]:
        """Run until the step counter has reached ``steps``, a solution is found, or the search ends.

        As a unit of work is never split, it may end one or two steps later.  After a solution, the next
        guess is always made first, whatever the limit.  `cancel`, and `timeout` in seconds, end it as they
        end `stream`.
        """
        cancel = within(cancel, timeout)
        return list(self.stream(until=steps, cancel=cancel))

    runtil = run_until
    """The name of the order."""

    def runrun(
        self, solutions: int, *, cancel: Cancel | None = None, timeout: float | None = None
    ) -> list[Event]:
        """Run until this number of further solutions is found, or the search ends.

        `cancel`, and `timeout` in seconds, end it as they end `stream`.
        """
        cancel = within(cancel, timeout)
        return list(self.stream(solutions=solutions, cancel=cancel))

    def back(self, steps: int | None = None) -> list[Event]:
        """Go back to the last state with at most `steps` steps; return the state as an event.

        By default, it is the state before the last guess, which is the last of `levels`.  The search is
        repeated up to there with the same answers to guesses.  Later answers are forgotten; the working mode
        stays as it is now.

        Raises
        ------
        ArgumentError
            `steps` is more than the step counter, or there is no guess to go back to.
        """
        cells, mode, guesses = self.puzzle.cells, self.mode, self._decisions.guesses
        unit = self._search.opened
        if steps is not None:
            unit = self._decisions.unit_at(cells, whole_number("steps", steps, maximum=self.steps))
        if unit is None:
            raise ArgumentError(Message("there is no guess to go back to; give a step"))
        self._decisions.guesses = {at: guess for at, guess in guesses.items() if at < unit}
        self._decisions.modes = {at: mode for at, mode in self._decisions.modes.items() if at <= unit}
        self._begun = unit
        self._search = self._decisions.search_at(cells, unit, unit, waiting=False)
        self._set_up(mode)
        return [self.show()]

    def stream(
        self,
        *,
        until: int | None = None,
        solutions: int | None = 1,
        units: int | None = None,
        display: bool = True,
        timed: bool = True,
        cancel: Cancel | None = None,
        timeout: float | None = None,
    ) -> Iterator[Event]:
        """Run and yield the events one by one.

        The search is at most a few thousand events ahead of the caller.  If the caller leaves the loop early,
        the search stays in the state it has reached.

        Parameters
        ----------
        until, solutions, units : int, optional
            Stop when the step counter has reached `until`, after `solutions` more solutions (None: all), or
            after `units` units of work.
        display : bool, default True
            Whether to show the state at the end and at every solution, and each question for a guess.
        timed : bool, default True
            Whether to add an event with the time and levels of the run.
        cancel, timeout
            As for `unidoku.check`.

        Raises
        ------
        SearchStoppedError
            `cancel` ended the run; the search stays in the state it has reached.
        """
        cancel = within(cancel, timeout)
        begin = time.perf_counter()
        stop, display = cancel_of(cancel), display and self._listening
        self._search.new_run()
        self._begun = self._search.units
        last_solution = _last("solutions", solutions, self.solution_sum)
        last_unit, last_step = _last("units", units, self._begun), _last("steps", until)
        displayed = -1  # the unit after which the state was displayed last
        resuming = self.state == "fine"
        while (
            self.state != "invalid"
            and self._search.units < last_unit
            and self.solution_sum < last_solution
            and (self.steps < last_step or resuming)
        ):
            if stop:
                raise SearchStoppedError(self.steps, "steps")
            solution_sum = self.solution_sum
            # after a solution, the next guess is made first, whatever the limit
            limit, units_left = (MAX_COUNT, 1) if resuming else (last_step, last_unit - self._search.units)
            yield from self._advance(limit, units_left, prompt=display)
            resuming = False
            if display and self.solution_sum > solution_sum:
                displayed = self._search.units
                yield self.show()
        if not display:
            return
        if displayed != self._search.units:
            yield self.show()
        if timed:
            took = round(1000 * (time.perf_counter() - begin))
            peak = self.peak
            yield RunEnded(self.steps, self.level, took, self.solution_sum, peak.level, peak)

    def _advance(self, limit: int, units: int, *, prompt: bool) -> Iterator[Event]:
        """Run the engine until it returns to Python; call `guess` if it asks, and make the guess."""
        search = self._search
        reason = search.advance(limit, min(units, UNITS_AT_ONCE), True)
        yield from read_events(search)
        if reason == ASKED:
            cell = search.waiting
            digit = self.candidates[cell][0]
            if prompt:
                yield GuessAsked(self.steps, self.level, cell, digit)
            answer = self._guess(self, cell, digit) if self._guess else None
            if answer is not None:
                guess = guess_of(answer)
                if guess is None:
                    text = "{answer} is not a guess; return (cell, digit), a text such as r6c2=9, or None"
                    raise GuessError(Message(text, answer=repr(answer)))
                cell, digit = guess
            self.refuse_guess(cell, digit)
            # `guess` may have gone back, to another search
            self._decisions.guesses[self._search.units] = (cell, digit)
            self._search.answer(cell, digit)
            yield from read_events(search)

    def refuse_guess(self, cell: int, digit: int) -> None:
        """Refuse a digit that is not a candidate of its cell 0 to 80."""
        value, candidates = self.grid[cell], self.candidates.get(cell, ())
        if value:
            raise GuessError(Message("{cell} already holds {value}", cell=cell_name(cell), value=value))
        if digit not in candidates:
            text = "{digit} is not a candidate of {cell} (candidates: {candidates})"
            fields = {"digit": digit, "cell": cell_name(cell), "candidates": " ".join(map(str, candidates))}
            raise GuessError(Message(text, **fields))

    # Display

    def show(self) -> StateShown:
        """Return the state as an event."""
        levels = self.levels
        return StateShown(
            self.steps,
            self.level,
            self.state,
            self.grid.line,
            tuple(CellCandidates(cell, digits) for cell, digits in self.candidates.items()),
            self.foremost,
            levels[-1] if levels else None,
            self.solution_sum,
        )

    def show_levels(self) -> LevelsShown:
        """Return the guess stack as an event."""
        return LevelsShown(self.steps, self.level, self.levels, self.peak_so_far)

    def why(self, *, cancel: Cancel | None = None, timeout: float | None = None) -> WhyShown | None:
        """Return the chain of fills that led to the last contradiction, or None if none was met so far.

        The search is repeated up to it; if `cancel` ends that, or `timeout` seconds do, it is a
        `SearchStoppedError`.
        """
        cancel = within(cancel, timeout)
        unit = self._search.failed
        if unit is None:
            return None
        return chain_of(*self._decisions.last_failure(self.puzzle.cells, unit, cancel_of(cancel)))

    def copy(self) -> Session:
        """Return an independent session with the same state and settings, as pickle and `copy` do."""
        twin = Session.__new__(type(self))
        vars(twin).update(vars(self))
        twin._search = self._search.copy()
        twin._decisions = Decisions(self._decisions.modes.copy(), self._decisions.guesses.copy())
        return twin

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        """Return the puzzle and the orders, from which the search is repeated."""
        return {**vars(self), "_search": (self._search.units, self.waiting, self.mode)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        units, waiting, mode = state["_search"]
        self._search = self._decisions.search_at(self.puzzle.cells, self._begun, units, waiting=waiting)
        self._set_up(mode)

    def _set_up(self, mode: int) -> None:
        """Set up a search that was repeated as this session runs it."""
        self.mode = mode
        self._search.ask = self._guess is not None
        self._search.listen(self._listening)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Refuse a name that is not there: say what to type instead."""
            raise no_attribute(self, name)


def _last(name: str, number: int | None, begin: int = 0) -> int:
    """Return where a run ends that does so many more from the beginning; None means no limit."""
    if number is None:
        return MAX_COUNT
    return min(begin + whole_number(name, number), MAX_COUNT)


@public
def trace(
    puzzle: PuzzleLike,
    *,
    mode: int = 0,
    guess: Guesser | None = None,
    steps: int | None = None,
    limit: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Iterator[Event]:
    """Search a puzzle as SudokuSolver 2.6 does and yield the events of the search.

    Parameters
    ----------
    puzzle, mode, guess
        As for `Session`.
    steps : int, optional
        Largest number of steps; by default no limit.
    limit : int, optional
        Stop after this many solutions; by default the search goes on to its end.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    iterator of Event
        ``event.kind`` says what happened, `unidoku.stepper.report.lines` how the program prints it.  The
        search is at most a few thousand events ahead.

    Raises
    ------
    InvalidPuzzleError
        As for `Session`; raised by the call.
    SearchStoppedError
        `cancel` ended the search; raised by the iterator.
    ValueError
        `mode`, `steps` or `limit` is out of range.

    Examples
    --------
    >>> quiz = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
    >>> [event.kind for event in trace(quiz, steps=2)][:2]
    ['started', 'complete_shrink']
    """
    cancel = within(cancel, timeout)
    positive("steps", steps)
    positive("limit", limit)
    session = Session(puzzle, mode=mode, guess=guess)
    return session.stream(until=steps, solutions=limit, display=False, cancel=cancel)
