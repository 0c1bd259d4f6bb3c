"""The scale se121 up to 4.4 in plain Python, slow and obvious: what the lanes are checked against.

It is written from the description of the scale and shares nothing with unidoku. A producer is a function that
yields the steps of one technique; of the first technique that has a step, the first step is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from counting import BOXES, COLUMNS, HOUSES, PEERS, ROWS

DIGITS = range(1, 10)


@dataclass
class Step:
    """One step: what it is called, how hard it is, what it places or removes."""

    technique: str
    rating: int  # in tenths
    place: tuple[int, int] | None = None  # cell, digit
    removed: dict[int, set[int]] = field(default_factory=dict)  # by cell


class Board:
    """Digits of filled cells (0: empty) and the candidates of the empty ones."""

    def __init__(self, puzzle: str) -> None:
        self.value = [0] * 81
        self.candidates = [set(range(1, 10)) for _ in range(81)]
        for cell, symbol in enumerate(puzzle):
            if symbol in "123456789":
                self.place(cell, int(symbol))

    def place(self, cell: int, digit: int) -> None:
        self.value[cell] = digit
        self.candidates[cell] = set()
        for peer in PEERS[cell]:
            self.candidates[peer].discard(digit)

    def apply(self, step: Step) -> None:
        for cell, digits in step.removed.items():
            self.candidates[cell] -= digits
        if step.place:
            self.place(*step.place)

    def empty(self, house: list[int]) -> list[int]:
        return [cell for cell in house if not self.value[cell]]

    def places(self, house: list[int], digit: int) -> list[int]:
        return [cell for cell in house if digit in self.candidates[cell]]

    def holding(self, cells: list[int] | set[int], digits: set[int]) -> dict[int, set[int]]:
        """Those of the candidates that the cells have: what a step removes."""
        return {cell: hit for cell in sorted(cells) if (hit := self.candidates[cell] & digits)}

    @property
    def filled(self) -> bool:
        return all(self.value)


Steps = Iterator[Step]
Producer = Callable[[Board], Steps]


def hidden_singles(board: Board) -> Steps:
    """The last cells of houses, then hidden singles, those of boxes first."""
    found = [
        (house, digit, cells[0])
        for house in (*BOXES, *COLUMNS, *ROWS)
        for digit in DIGITS
        if len(cells := board.places(house, digit)) == 1
    ]
    for house, digit, cell in found:
        if len(board.empty(house)) == 1:
            yield Step("last cell", 10, (cell, digit))
    for house, digit, cell in found:
        yield Step("hidden single", 12 if house in BOXES else 15, (cell, digit))


def crossings(board: Board) -> Iterator[tuple[bool, list[int], list[int], int]]:
    """Houses that cross and a digit that the first has only in the crossing; True for pointing."""
    for firsts, seconds in ((BOXES, COLUMNS), (BOXES, ROWS), (COLUMNS, BOXES), (ROWS, BOXES)):
        for first in firsts:
            for second in seconds:
                crossing = set(first) & set(second)
                for digit in DIGITS if len(crossing) > 1 else ():
                    places = board.places(first, digit)
                    if len(places) > 1 and set(places) <= crossing:
                        yield firsts is BOXES, first, second, digit


def direct_intersections(board: Board) -> Steps:
    """Pointing and claiming that leave one place in another house of the first kind."""
    for pointing, first, second, digit in crossings(board):
        kind = BOXES if pointing else ROWS if first in ROWS else COLUMNS
        for house in kind:
            if house is not first and set(house) & set(second):
                left = [cell for cell in board.places(house, digit) if cell not in second]
                if len(left) == 1 and len(board.places(house, digit)) > 1:
                    name, rating = ("direct pointing", 17) if pointing else ("direct claiming", 19)
                    yield Step(name, rating, (left[0], digit))


def intersections(board: Board) -> Steps:
    """Pointing and claiming."""
    for pointing, first, second, digit in crossings(board):
        removed = board.holding(set(second) - set(first), {digit})
        if removed:
            name, rating = ("pointing", 26) if pointing else ("claiming", 28)
            yield Step(name, rating, removed=removed)


def naked_singles(board: Board) -> Steps:
    """Cells with one candidate."""
    for cell in range(81):
        if len(board.candidates[cell]) == 1:
            yield Step("naked single", 23, (cell, min(board.candidates[cell])))


def hidden_groups(board: Board, size: int) -> Iterator[tuple[list[int], tuple[int, ...], set[int]]]:
    """Houses with a set of digits that have as many places as digits, two or more each."""
    for house in HOUSES:
        if len(board.empty(house)) > 2 * size:
            yield from hidden_groups_of(board, house, size)


def hidden_groups_of(
    board: Board, house: list[int], size: int
) -> Iterator[tuple[list[int], tuple[int, ...], set[int]]]:
    for digits in combinations(DIGITS, size):
        places = [board.places(house, digit) for digit in digits]
        union = set().union(*places)
        if len(union) == size and all(len(cells) > 1 for cells in places):
            yield house, digits, union


def direct_hidden_sets(name: str, rating: int, size: int) -> Producer:
    """A hidden pair or triplet that leaves one place for another digit."""

    def find(board: Board) -> Steps:
        # The condition is more than 2 (3) empty cells, not twice as many.
        for house in HOUSES:
            if len(board.empty(house)) > size:
                for _, digits, union in hidden_groups_of(board, house, size):
                    for digit in DIGITS:
                        places = board.places(house, digit)
                        left = [cell for cell in places if cell not in union]
                        if digit not in digits and len(places) > 1 and len(left) == 1:
                            yield Step(name, rating, (left[0], digit))

    return find


def hidden_sets(name: str, rating: int, size: int) -> Producer:
    """Hidden pairs and triplets."""

    def find(board: Board) -> Steps:
        for _, digits, union in hidden_groups(board, size):
            removed = board.holding(union, set(DIGITS) - set(digits))
            if removed:
                yield Step(name, rating, removed=removed)

    return find


def naked_sets(name: str, rating: int, size: int) -> Producer:
    """Naked pairs and triplets."""

    def find(board: Board) -> Steps:
        for house in HOUSES:
            if len(board.empty(house)) < 2 * size:
                continue
            for cells in combinations(house, size):
                digits = set().union(*(board.candidates[cell] for cell in cells))
                if len(digits) == size and all(len(board.candidates[cell]) > 1 for cell in cells):
                    removed = board.holding(set(house) - set(cells), digits)
                    if removed:
                        yield Step(name, rating, removed=removed)

    return find


def fish(name: str, rating: int, size: int) -> Producer:
    """X-wings and swordfish: base columns first, then base rows."""

    def find(board: Board) -> Steps:
        for lines, crossing in ((COLUMNS, ROWS), (ROWS, COLUMNS)):
            for base in combinations(lines, size):
                for digit in DIGITS:
                    if 9 - board.value.count(digit) < 2 * size:
                        continue
                    places = [board.places(line, digit) for line in base]
                    cover = [line for line in crossing if {*line} & set().union(*places)]
                    if len(cover) == size and all(len(cells) > 1 for cells in places):
                        removed = board.holding(set().union(*cover) - set().union(*base), {digit})
                        if removed:
                            yield Step(name, rating, removed=removed)

    return find


def wings(name: str, rating: int, size: int) -> Producer:
    """XY-wings and XYZ-wings: a pivot with two candidates, or with the third that the wings share."""

    def find(board: Board) -> Steps:
        for pivot in range(81):
            own = board.candidates[pivot]
            near = [cell for cell in PEERS[pivot] if len(board.candidates[cell]) == 2]
            for first, second in combinations(near, 2) if len(own) == size else ():
                either = board.candidates[first] | board.candidates[second]
                shared = board.candidates[first] & board.candidates[second]
                if len(shared) == 1 and own == (either - shared if size == 2 else either):
                    seen = PEERS[first] & PEERS[second] - {pivot}
                    removed = board.holding(seen if size == 2 else seen & PEERS[pivot], shared)
                    if removed:
                        yield Step(name, rating, removed=removed)

    return find


PRODUCERS: list[Producer] = [
    hidden_singles,
    direct_intersections,
    direct_hidden_sets("direct hidden pair", 20, 2),
    naked_singles,
    direct_hidden_sets("direct hidden triplet", 25, 3),
    intersections,
    naked_sets("naked pair", 30, 2),
    fish("X-wing", 32, 2),
    hidden_sets("hidden pair", 34, 2),
    naked_sets("naked triplet", 36, 3),
    fish("swordfish", 38, 3),
    hidden_sets("hidden triplet", 40, 3),
    wings("XY-wing", 42, 2),
    wings("XYZ-wing", 44, 3),
]


def next_step(board: Board) -> Step | None:
    """The next step, or none if no technique up to 4.4 finds one."""
    for producer in PRODUCERS:
        for step in producer(board):
            return step
    return None


def path(puzzle: str) -> tuple[Board, list[Step]]:
    """The steps of a puzzle as far as techniques up to 4.4 go, and the board that they reach."""
    board = Board(puzzle)
    steps = []
    while not board.filled and (step := next_step(board)):
        steps.append(step)
        board.apply(step)
    return board, steps


def ratings(puzzle: str) -> tuple[int, int, int] | None:
    """ER, EP, ED in tenths; none if the puzzle needs a technique above 4.4."""
    board, steps = path(puzzle)
    if not board.filled:
        return None
    first_place = next(i for i, step in enumerate(steps) if step.place)
    return (
        max(step.rating for step in steps),
        max(step.rating for step in steps[: first_place + 1]),
        steps[0].rating,
    )
