"""The chain of fills from a guess to the contradiction that refutes it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from unidoku.arguments import MAX_COUNT
from unidoku.cell import HOUSE_NAMES, HOUSES, HOUSES_OF, PEERS, digits_of
from unidoku.native.steps import StepSearch
from unidoku.stepper import events
from unidoku.stepper.events import GuessLevel, Link, Loss, WhyShown, read_events
from unidoku.threads import Cancel

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
        begin = start.guessed if start.depth else 1
        if begin != unit:
            start = StepSearch(cells)
            self._repeat(start, begin, cancel)
        failure = start.copy()
        failure.listen(True)
        self._repeat(failure, unit + 1, cancel)
        return start, failure

    def _repeat(self, search: StepSearch, unit: int, cancel: Cancel) -> None:
        """Advance a search to the state after so many units of work."""
        changes = sorted(self.modes)
        stops = sorted({*self.guesses, *changes, unit})
        while search.units < unit:
            cancel.raise_if_set()
            search.mode = self.modes[changes[bisect_right(changes, search.units) - 1]]
            search.ask = search.units in self.guesses
            stop = min(unit, stops[bisect_right(stops, search.units)], search.units + UNITS_AT_ONCE)
            if search.advance(MAX_COUNT, stop - search.units, True) == ASKED:
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
    guess = chain[0] if isinstance(chain[0], _GUESSES) else None
    deduction = _Deduction(failure.before(guess.level) if guess else start.candidates())
    for event in chain:
        deduction.follow(event)
    level = GuessLevel(guess.level, guess.cell, guess.digit, guess.position, guess.count) if guess else None
    return deduction.conclude(chain[-1], level)


class _Deduction:
    """Consequences of a guess as links with their reasons; link 0 is the guess."""

    def __init__(self, candidates: tuple[int, ...]) -> None:
        self._candidates = {cell: set(digits_of(bits)) for cell, bits in enumerate(candidates) if bits}
        self._causes: dict[tuple[int, int], int] = {}  # a lost candidate -> the link that took it
        self._links: list[Link] = []
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
        else:
            losses = self._losses(_CELLS[end.house], {digit}) if digit else self._fills_at(end.house)
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
        self._links.append(Link(1 + max(rounds, default=0), kind, house, cells, digits, losses))
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
