"""A step-by-step search that can be run, inspected and copied."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from copy import copy
from typing import TypeAlias

from unidoku.arguments import MAX_COUNT, positive, whole_number
from unidoku.cell import cell_name, cell_number, digits_of
from unidoku.errors import ImproperPuzzleError, Message, SearchStoppedError, UnidokuError
from unidoku.grid import Grid, PuzzleLike, clash_message
from unidoku.native import steps as native
from unidoku.native.steps import StepSearch
from unidoku.stepper.events import (
    CellCandidates,
    Event,
    GuessAsked,
    GuessLevel,
    LevelsShown,
    Peak,
    RunEnded,
    StateShown,
    WhyShown,
    read_events,
)
from unidoku.stepper.why import ASKED, UNITS_AT_ONCE, Decisions, chain_of
from unidoku.threads import Cancel, cancel_of, within
from unidoku.views import view

Guesser: TypeAlias = "Callable[[Session, int, int], tuple[int | str, int] | None]"
"""Called with the session, the default cell 0 to 80 and its digit; returns ``(cell, digit)`` or None."""

_STATES = {native.LOADED: "loaded", native.VALID: "valid", native.FINE: "fine", native.INVALID: "invalid"}


class GuessError(UnidokuError):
    """The answer to a guess is not a candidate; the search still waits for an answer."""


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

    def __init__(
        self, puzzle: PuzzleLike, *, mode: int = 0, guess: Guesser | None = None, listening: bool = True
    ) -> None:
        grid = Grid(puzzle)
        for clash in grid.clashes():
            raise ImproperPuzzleError(clash_message(clash))
        self.puzzle = grid
        """The puzzle at the start of the search."""
        self._search = StepSearch(grid.cells)
        self._search.listen(listening)
        self._listening = listening
        self._decisions = Decisions()
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
        return self._search.foremost() if self.state == "valid" else None

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

        It is called as ``guess(session, cell, digit)`` with the guess the search would make.  It returns
        ``(cell, digit)``, the cell as 0 to 80 or ``"r1c1"`` to ``"r9c9"``, for a different guess, or None to
        accept.  ``step`` and ``run`` propagate its exceptions; the search then waits in the middle of the
        unit and calls it again when it is resumed.
        """
        return self._guess

    @guess.setter
    def guess(self, guess: Guesser | None) -> None:
        self._guess = guess
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
            Whether to show the state at the end and at every solution, and that a guess is asked for.
        timed : bool, default True
            Whether to add an event with the time and levels of the run.
        cancel : Cancel, optional
            Set it to stop.
        timeout : float, optional
            Cancel it after this number of seconds.

        Raises
        ------
        SearchStoppedError
            `cancel` ended the run; the search stays in the state it has reached.
        """
        cancel = within(cancel, timeout)
        begin = time.perf_counter()
        search, stop = self._search, cancel_of(cancel)
        search.new_run()
        last_solution = (
            MAX_COUNT if solutions is None else search.solutions + whole_number("solutions", solutions)
        )
        last_unit = (
            MAX_COUNT if units is None else min(search.units + whole_number("units", units), MAX_COUNT)
        )
        last_step = MAX_COUNT if until is None else whole_number("steps", until)
        displayed = -1  # the unit after which the state was displayed last
        resuming = self.state == "fine"
        while (
            self.state != "invalid"
            and search.units < last_unit
            and search.solutions < last_solution
            and (search.steps < last_step or resuming)
        ):
            if stop:
                raise SearchStoppedError(search.steps, "steps")
            solution_sum = search.solutions
            # after a solution, the next guess is made first, whatever the limit
            limit, units_left = (MAX_COUNT, 1) if resuming else (last_step, last_unit - search.units)
            yield from self._advance(limit, units_left, prompt=display)
            resuming = False
            if display and search.solutions > solution_sum:
                displayed = search.units
                if self._listening:
                    yield self.show()
        if not self._listening:
            return
        if display and displayed != search.units:
            yield self.show()
        if display and timed:
            took = round(1000 * (time.perf_counter() - begin))
            peak = self.peak
            yield RunEnded(self.steps, self.level, took, self.solution_sum, peak.level, peak)

    def _advance(self, limit: int, units: int, *, prompt: bool) -> Iterator[Event]:
        """Run the engine until it returns to Python."""
        search = self._search
        reason = search.advance(limit, min(units, UNITS_AT_ONCE), True)
        yield from read_events(search)
        if reason == ASKED:
            cell = search.waiting
            digit = self.candidates[cell][0]
            if self._listening and prompt:
                yield GuessAsked(self.steps, self.level, cell, digit)
            self._answer(cell, digit)
            yield from read_events(search)

    def _answer(self, cell: int, digit: int) -> None:
        """Call `guess` and make the guess it returns."""
        answer = self._guess(self, cell, digit) if self._guess else None
        if answer is not None:
            cell, digit = cell_number(answer[0]), answer[1]
        candidates = self.candidates.get(cell, ())
        if digit not in candidates:
            has = f" (candidates: {' '.join(map(str, candidates))})" if candidates else ""
            raise GuessError(
                Message(
                    "{digit} is not a candidate of {cell}{has}",
                    digit=digit,
                    cell=cell_name(cell),
                    has=has,
                )
            )
        self._decisions.guesses[self._search.units] = (cell, digit)
        self._search.answer(cell, digit)

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
        """Return an independent session with the same state and settings."""
        twin = copy(self)
        twin._search = self._search.copy()
        twin._decisions = Decisions(self._decisions.modes.copy(), self._decisions.guesses.copy())
        return twin


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
    cancel : Cancel, optional
        Set it to stop.
    timeout : float, optional
        Cancel it after this number of seconds.

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
    for name, value in (("steps", steps), ("limit", limit)):
        positive(name, value)
    session = Session(puzzle, mode=mode, guess=guess)
    return session.stream(until=steps, solutions=limit, display=False, cancel=cancel)
