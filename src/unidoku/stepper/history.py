"""Return to an earlier state of a search.

A search is deterministic.  The history keeps its input (answers to guesses, changes of the working mode) and
copies of some states, and computes the state after any unit of work from the last copy before that unit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unidoku.native.steps import StepSearch

FOREVER = 2**64 - 1
"""No limit: more steps or units than any search has."""

SPACING = 1 << 18  # units of work between two copies
COPIES = 64


class History:
    """The input of one search, and copies of the search at some of its states.

    `answers` are by unit of work, `modes` have their first units; `orders` are the units at which steps and
    runs began.
    """

    def __init__(self, search: StepSearch) -> None:
        self._copies = [search.copy()]
        self._spacing = SPACING
        self.answers: dict[int, tuple[int, int]] = {}
        self.modes = [(0, search.mode)]
        self.orders: list[int] = []

    def copy(self) -> History:
        """Return an independent history with the same content."""
        other = copy(self)
        other._copies = self._copies.copy()  # the copies themselves are never changed
        other.answers = self.answers.copy()
        other.modes = self.modes.copy()
        other.orders = self.orders.copy()
        return other

    def before_work(self, search: StepSearch) -> None:
        """Record the mode and, when one is due, a copy; call this before the search advances."""
        unit = search.units + (search.waiting >= 0)  # a waiting unit has already used its mode
        if search.mode != self.modes[-1][1]:
            self.modes.append((unit, search.mode))
        if search.waiting < 0 and search.units >= self._copies[-1].units + self._spacing:
            self._copies.append(search.copy())
            if len(self._copies) > COPIES:
                del self._copies[1::2]
                self._spacing *= 2

    def at_unit(self, unit: int) -> StepSearch:
        """Return a search in the state after `unit` units of work, without log; later input is dropped."""
        search = self._state_at(unit)
        self.answers = {key: value for key, value in self.answers.items() if key < unit}
        self.modes = [entry for entry in self.modes if entry[0] <= unit] or self.modes[:1]
        self._copies = [kept for kept in self._copies if kept.units <= unit]
        self.orders = [order for order in self.orders if order < unit]
        return search

    def _state_at(self, unit: int) -> StepSearch:
        search = [kept for kept in self._copies if kept.units <= unit][-1].copy()
        search.listen(False)
        for _ in self._replay(search, unit, FOREVER):
            pass
        return search

    def last_failure(self, unit: int) -> tuple[StepSearch, StepSearch]:
        """Return the search before and after the guess that failed in a unit of work.

        The first is in the state before the unit of that guess, or after the very first unit if nothing was
        guessed; the second is in the state after the failure, and its log has what happened in between.
        """
        before = self._state_at(unit)
        begin = before.guessed if before.depth else 1
        if begin != unit:
            before = self._state_at(begin)
        after = before.copy()
        after.listen(True)
        for _ in self._replay(after, unit + 1, FOREVER):
            pass
        return before, after

    def unit_of_step(self, step: int, last: int) -> int:
        """Return the largest number of units up to `last` with a step counter of at most `step`."""
        search = [kept for kept in self._copies if kept.steps <= step][-1].copy()
        search.listen(False)
        for _ in self._replay(search, last, step + 1):
            pass
        return search.units if search.steps <= step else search.units - 1

    def replay(self, unit: int, waiting: bool) -> Iterator[StepSearch]:
        """Repeat the search from the start with a log; yield it whenever its log should be drained."""
        search = self._copies[0].copy()
        search.listen(True)
        yield from self._replay(search, unit, FOREVER)
        if waiting:
            search.mode = self._mode(unit)
            search.ask = True
            search.advance(FOREVER, 1, True)
            yield search

    def _mode(self, unit: int) -> int:
        """Return the working mode of a unit."""
        return self.modes[bisect_right(self.modes, unit, key=lambda entry: entry[0]) - 1][1]

    def _replay(self, search: StepSearch, unit: int, until: int) -> Iterator[StepSearch]:
        stops = sorted({*self.answers, *(key for key, _ in self.modes), unit})
        while search.units < unit and search.steps < until:
            search.mode = self._mode(search.units)
            search.ask = search.units in self.answers
            stop = min(unit, stops[bisect_right(stops, search.units)])
            if search.advance(until, stop - search.units, True) == 2:
                search.answer(*self.answers[search.units])
            yield search
        search.ask = False
