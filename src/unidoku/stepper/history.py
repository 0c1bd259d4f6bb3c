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
    """The input of one search, and copies of the search at some of its states."""

    def __init__(self, search: StepSearch, spacing: int = SPACING, most: int = COPIES) -> None:
        self._copies = [search.copy()]
        self._spacing = spacing
        self._most = most
        self._answers: dict[int, tuple[int, int]] = {}
        self._modes = [(0, search.mode)]
        self._orders: list[int] = []  # the number of units done when each order began

    def copy(self) -> History:
        """Return an independent history with the same content."""
        other = copy(self)
        other._copies = self._copies.copy()  # the copies themselves are never changed
        other._answers = self._answers.copy()
        other._modes = self._modes.copy()
        other._orders = self._orders.copy()
        return other

    def told(self) -> tuple[dict[int, tuple[int, int]], list[tuple[int, int]], list[int]]:
        """Return the input of the search: answers by unit, modes with their first units, orders."""
        return self._answers, self._modes, self._orders

    def be_told(
        self, answers: dict[int, tuple[int, int]], modes: list[tuple[int, int]], orders: list[int]
    ) -> None:
        """Take the input of another search of the same puzzle."""
        self._answers, self._modes, self._orders = answers.copy(), modes.copy(), orders.copy()

    def before_work(self, search: StepSearch) -> None:
        """Record the mode and, when one is due, a copy; call this before the search advances."""
        unit = search.units + (search.waiting >= 0)  # a waiting unit has already used its mode
        if search.mode != self._modes[-1][1]:
            self._modes.append((unit, search.mode))
        if search.waiting < 0 and search.units >= self._copies[-1].units + self._spacing:
            self._copies.append(search.copy())
            if len(self._copies) > self._most:
                del self._copies[1::2]
                self._spacing *= 2

    def answered(self, search: StepSearch, cell: int, value: int) -> None:
        """Record the answer to a guess; call this before passing it to the search."""
        self._answers[search.units] = (cell, value)

    def order_began(self, units: int) -> None:
        """Record the unit of work at which an order (a step or a run) began."""
        self._orders.append(units)

    def last_order(self) -> int | None:
        """Return the unit at which the last order that was not undone began; None if there is none."""
        return self._orders[-1] if self._orders else None

    def at_unit(self, unit: int) -> StepSearch:
        """Return a search in the state after `unit` units of work, without log; later input is dropped."""
        search = [kept for kept in self._copies if kept.units <= unit][-1].copy()
        search.listen(False)
        for _ in self._replay(search, unit, FOREVER):
            pass
        self._answers = {key: value for key, value in self._answers.items() if key < unit}
        self._modes = [entry for entry in self._modes if entry[0] <= unit] or self._modes[:1]
        self._copies = [kept for kept in self._copies if kept.units <= unit]
        self._orders = [order for order in self._orders if order < unit]
        return search

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
        return self._modes[bisect_right(self._modes, unit, key=lambda entry: entry[0]) - 1][1]

    def _replay(self, search: StepSearch, unit: int, until: int) -> Iterator[StepSearch]:
        stops = sorted({*self._answers, *(key for key, _ in self._modes), unit})
        while search.units < unit and search.steps < until:
            search.mode = self._mode(search.units)
            search.ask = search.units in self._answers
            stop = min(unit, stops[bisect_right(stops, search.units)])
            if search.advance(until, stop - search.units, True) == 2:
                search.answer(*self._answers[search.units])
            yield search
        search.ask = False
