"""Deductions: conclusions from a position, with the pattern that they follow from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, Union

from unidoku.cell import (
    HOUSES,
    HOUSES_OF,
    PEERS,
    candidate_at,
    cell_name,
    cell_number,
    digits_of,
    fault,
    symbols_of,
)
from unidoku.compat import np
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.grid import Grid
from unidoku.native.rating import codes
from unidoku.parse.arrays import form_of
from unidoku.parse.puzzle import marks_of_text
from unidoku.rating.names import FAMILIES, NAMES, TECHNIQUES
from unidoku.rating.rows import NativeStep, Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

Marks: TypeAlias = Union[str, "NDArray[Any]", Mapping[int, Collection[int]], Mapping[str, Collection[int]]]

Candidate: TypeAlias = tuple[int, int]

_KINDS = {
    codes.NO_KIND: "",
    codes.KIND_FULL_HOUSE: "full house",
    codes.KIND_TYPE_1: "type 1",
    codes.KIND_TYPE_2: "type 2",
    codes.KIND_TYPE_3: "type 3",
    codes.KIND_TYPE_4: "type 4",
    codes.KIND_DOUBLE: "double",
    codes.KIND_X: "X",
    codes.KIND_Y: "Y",
    codes.KIND_XY: "XY",
    codes.KIND_CELL: "cell",
    codes.KIND_HOUSE: "house",
    codes.KIND_CONTRADICTION: "contradiction",
}
KINDS = tuple(map(_KINDS.__getitem__, range(codes.KINDS)))
"""The kinds of steps by their codes."""

_MARKS = [
    "".join(str(digit) if mask >> digit - 1 & 1 else "." for digit in range(1, 10)) for mask in range(512)
]
"""The pencil marks of a cell by its mask."""
_MARKS_OF = [_MARKS[1 << value >> 1] for value in range(10)]
"""The pencil marks of a filled cell by its digit."""

_BITS = {digit: 1 << digit - 1 for digit in range(1, 10)}
_ALL = 0b111_111_111
SINGLES = {"hidden single", "naked single"}
"""The techniques whose cells are no pattern: what excludes the digit is around them."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a puzzle, as a player sees it.

    Attributes
    ----------
    values : bytes
        81 values 0 to 9, row by row, 0 for an empty cell.
    masks : tuple of int
        The candidates of the 81 cells, bit d - 1 for digit d; 0 for a filled cell.
    clues : bytes
        The 81 values of the puzzle.
    """

    values: bytes
    masks: tuple[int, ...]
    clues: bytes

    @property
    def line(self) -> str:
        """The digits as 81 characters, ``.`` for an empty cell."""
        return symbols_of(self.values)

    @property
    def marks(self) -> str:
        """The candidates as 729 characters, nine a cell; a filled cell has its digit."""
        if 0 not in self.values:
            return "".join(map(_MARKS_OF.__getitem__, self.values))
        return "".join(
            [_MARKS[mask or 1 << value >> 1] for value, mask in zip(self.values, self.masks, strict=True)]
        )

    def candidates(self, cell: int) -> tuple[int, ...]:
        """Return the candidates of a cell, ascending; none for a filled cell."""
        return digits_of(self.masks[cell])

    def places(self, house: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a house that have a candidate, ascending."""
        return tuple(cell for cell in HOUSES[house] if self.masks[cell] >> digit - 1 & 1)

    def house_of_places(self, cells: Iterable[int], digit: int) -> int:
        """Return the house in which a digit has exactly these places."""
        places = tuple(sorted(cells))
        return next(house for house in HOUSES_OF[places[0]] if self.places(house, digit) == places)

    def drawn_state(self) -> tuple[bytes, bytes, dict[int, tuple[int, ...]]]:
        """Return the values, clues and candidates, as `unidoku.view.svg` draws them."""
        candidates = {cell: self.candidates(cell) for cell in range(81) if self.masks[cell]}
        return self.values, self.clues, candidates

    def after(self, placements: Iterable[Candidate], eliminations: Iterable[Candidate]) -> Position:
        """Return the position after some cells are filled and some candidates are removed."""
        values, masks = bytearray(self.values), list(self.masks)
        for cell, digit in eliminations:
            masks[cell] &= ~(1 << digit - 1)
        for cell, digit in placements:
            values[cell] = digit
            masks[cell] = 0
            mask = ~(1 << digit - 1)
            for peer in PEERS[cell]:
                masks[peer] &= mask
        return Position(bytes(values), tuple(masks), self.clues)


def position_of(grid: Grid, marks: Marks | None = None, clues: Grid | None = None) -> Position:
    """Return the position of the digits of a grid.

    An empty cell keeps its marks except the digits of its peers; without marks, it has all other digits.
    """
    values = grid.cells
    digits = [0] * 27  # of each house
    for value, houses in zip(values, HOUSES_OF, strict=True):
        if value:
            for house in houses:
                digits[house] |= 1 << value >> 1
    masks = [
        0 if value else ~(digits[row] | digits[column] | digits[box]) & _ALL
        for value, (row, column, box) in zip(values, HOUSES_OF, strict=True)
    ]
    if marks is not None:
        masks = [mask & (own or _ALL) for mask, own in zip(masks, masks_of(marks), strict=True)]
    return Position(values, tuple(masks), (clues or grid).cells)


def masks_of(marks: Marks) -> list[int]:
    """Return the masks of pencil marks in any form."""
    if isinstance(marks, Mapping):
        masks = [0] * 81
        for cell, digits in marks.items():
            try:
                masks[cell_number(cell)] |= sum({_BITS[digit] for digit in digits})
            except (KeyError, TypeError):  # another digit, or no collection of digits
                advice = Message("give its digits as numbers, such as [1, 2]")
                raise InvalidPuzzleError(
                    Message(
                        "the marks of {cell} are {digits}; {advice}",
                        cell=cell,
                        digits=repr(digits),
                        advice=advice,
                    )
                ) from None
        return masks
    if isinstance(marks, str):
        symbols = marks_of_text(marks)
        if symbols is None:
            raise InvalidPuzzleError(fault(Message("729 pencil marks"), len("".join(marks.split()))))
        return [
            sum(_BITS[digit] for digit in symbols[begin : begin + 9] if digit) for begin in range(0, 729, 9)
        ]

    requirement = Message("729 pencil marks as numbers or truth values")
    try:
        array = np.asarray(marks)
    except ValueError:
        raise InvalidPuzzleError(fault(requirement, Message("rows of different lengths"))) from None
    if array.size != 729 or array.dtype.kind not in "biuf":
        raise InvalidPuzzleError(fault(requirement, form_of(marks, array)))
    masks_of_cells: list[int] = ((array.reshape(81, 9) != 0) @ (1 << np.arange(9))).tolist()
    return masks_of_cells


class Assertion(NamedTuple):
    """A cell has a digit, or does not have it."""

    cell: int
    digit: int
    on: bool

    def __str__(self) -> str:
        return f"{cell_name(self.cell)}{'=' if self.on else '≠'}{self.digit}"


class Link(NamedTuple):
    """An implication between two assertions of a chain; the candidates are pairs (cell, digit).

    ``weak``: the first is on, so the second is off. ``strong``: the first is off, so the second is on, as the
    last candidate of its cell or the last place in a house; all strong links to it together are the reason.
    ``inner``: the first are off, so a technique of a lower rating, ``technique``, removes the second.
    """

    start: Candidate
    end: Candidate
    kind: Literal["weak", "strong", "inner"]
    technique: str = ""

    @property
    def holds(self) -> Assertion:
        """The premise."""
        return Assertion(*self.start, self.kind == "weak")

    @property
    def follows(self) -> Assertion:
        """The conclusion."""
        return Assertion(*self.end, self.kind == "strong")


class Chain(NamedTuple):
    """Links from an assertion to its consequence; a cycle ends where it starts."""

    start: Assertion
    end: Assertion
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Deduction:
    """A step that the engine found, with its position and pattern.

    The fields are those of `unidoku.Step`, with cells as numbers 0 to 80, houses as numbers 0 to 26 (rows,
    columns, boxes) and candidates as pairs (cell, digit); ``before`` is the position that it is found in,
    ``digits`` the digits of the pattern.  Several chains are for both states of a candidate, for all
    candidates of a cell or for all places in a house; for a contradiction, they are two from the same start.
    """

    technique: str
    rating: float
    kind: str
    placements: tuple[Candidate, ...]
    eliminations: tuple[Candidate, ...]
    before: Position
    cells: dict[str, tuple[int, ...]] = field(default_factory=dict, hash=False)
    candidates: dict[str, tuple[Candidate, ...]] = field(default_factory=dict, hash=False)
    houses: dict[str, tuple[int, ...]] = field(default_factory=dict, hash=False)
    digits: tuple[int, ...] = ()
    chains: tuple[Chain, ...] = ()
    name: str = ""

    @property
    def links(self) -> tuple[Link, ...]:
        """The links of all chains, each once."""
        return tuple({link[:3]: link for chain in self.chains for link in chain.links}.values())

    @property
    def after(self) -> Position:
        """The position after the step."""
        return self.before.after(self.placements, self.eliminations)

    @property
    def area(self) -> int:
        """The house 0 to 26 to look at first: one of the pattern, or the box where the pattern begins."""
        houses = self.houses.get("house") or self.houses.get("base")
        if houses:
            return houses[0]
        begin = next((cells[0] for cells in self.cells.values() if cells), None)
        return HOUSES_OF[self.placements[0][0] if begin is None else begin][2]

    @property
    def pattern(self) -> tuple[int, ...]:
        """The cells of the pattern: none for a single; for chains, no cell that the step concludes about.

        For chains, they are the cells of the starts and ends; for a cycle, or if there are none, all cells.
        """
        if not self.chains:
            cells = (cell for cells in self.cells.values() for cell in cells)
            return tuple(dict.fromkeys(cells)) if FAMILIES[self.technique] not in SINGLES else ()
        targets = {cell for cell, _ in self.placements + self.eliminations}
        nodes = [link.follows.cell for chain in self.chains for link in chain.links]
        ends = [end.cell for chain in self.chains for end in (chain.start, chain.end)]
        if FAMILIES[self.technique] == "cycle" or targets.issuperset(ends):
            ends = nodes
        return tuple(dict.fromkeys(cell for cell in ends if cell not in targets))


def deduction_of(position: Position, native: NativeStep) -> Deduction:
    """Convert a step of native code."""
    chains = tuple(_chain(list(nodes)) for _, nodes in groupby(native.nodes, key=attrgetter("chain")))
    step = Deduction(
        TECHNIQUES[native.technique],
        native.rating / 10,
        KINDS[native.kind],
        native.placements,
        native.eliminations,
        position,
        digits=tuple(sorted({chain.start.digit for chain in chains})) if chains else native.digits,
        chains=chains,
        name=NAMES[native.name],
    )
    if chains:
        _set_roles_of_chains(step)
    else:
        _set_houses(step, native)
        _set_roles(step, native.cells, native.others)
    return step


def _candidates_of(
    step: Deduction, cells: Iterable[int], digits: Collection[int] = range(1, 10)
) -> tuple[Candidate, ...]:
    """Return the candidates of the cells with these digits that the step does not remove."""
    candidates = [
        (cell, digit) for cell in cells for digit in step.before.candidates(cell) if digit in digits
    ]
    return tuple(candidate for candidate in candidates if candidate not in step.eliminations)


def _set_houses(step: Deduction, native: NativeStep) -> None:
    family, house = FAMILIES[step.technique], native.house
    if family == "fish":
        rows, columns = range(9), range(9, 18)
        base, cover = (rows, columns) if house == 0 else (columns, rows)
        for role, lines in (("base", base), ("cover", cover)):
            step.houses[role] = tuple(line for line in lines if set(HOUSES[line]) & set(native.cells))
    elif house >= 0:
        step.houses["house"] = (house,)
    if native.other >= 0:
        step.houses["other"] = (native.other,)
    if family == "direct intersection":
        step.houses["single"] = (HOUSES_OF[step.placements[0][0]][house // 9],)


def _set_roles(step: Deduction, cells: tuple[int, ...], further_cells: tuple[int, ...]) -> None:
    """Set the roles of the cells, of the other cells and of their candidates, for anything but chains."""
    candidates, family = step.before.candidates, FAMILIES[step.technique]
    if family in {"XY-wing", "XYZ-wing"}:
        pivot = next(cell for cell in cells if _is_pivot(step, cell, cells))
        step.cells.update(pivot=(pivot,), wings=tuple(cell for cell in cells if cell != pivot))
        step.candidates["pattern"] = _candidates_of(step, cells, set(range(1, 10)) - set(step.digits))
        step.candidates["extra"] = _candidates_of(step, cells, step.digits)
    elif family == "loop":
        pair = set(step.digits)
        extra = tuple(cell for cell in cells if set(candidates(cell)) != pair)
        step.cells.update(loop=tuple(_around(cells)), extra=extra)
        step.candidates["pattern"] = _candidates_of(step, cells, pair)
        step.candidates["extra"] = _candidates_of(step, extra, set(range(1, 10)) - pair)
    elif family == "BUG":
        step.cells["extra"] = cells
        both_digits = _candidates_of(step, cells, step.digits)
        step.candidates["extra"] = tuple(
            candidate for candidate in both_digits if _is_extra(step, *candidate)
        )
        if step.kind == "type 4":
            common_digits = set.intersection(*(set(candidates(cell)) for cell in cells))
            (digit,) = common_digits - set(step.digits)
            step.candidates["pattern"] = _candidates_of(step, cells, {digit})
            step.houses["house"] = (step.before.house_of_places(cells, digit),)
    elif family == "exclusion":
        # cells that all base cells see, with few candidates, all of them candidates of the base
        common = frozenset.intersection(*(PEERS[cell] for cell in cells))
        few = [cell for cell in sorted(common) if 2 <= len(candidates(cell)) <= len(cells)]
        base_digits = {digit for cell in cells for digit in candidates(cell)}
        excluders = tuple(cell for cell in few if set(candidates(cell)) <= base_digits)
        step.cells.update(base=cells, excluders=excluders)
        step.candidates["pattern"] = _candidates_of(step, cells)
        step.candidates["extra"] = _candidates_of(step, excluders)
    else:
        step.cells["pattern"] = cells
        step.candidates["pattern"] = _candidates_of(step, cells, step.digits)
    if further_cells:  # they make a subset with the extra candidates
        step.cells["subset"] = further_cells
        step.candidates["subset"] = _candidates_of(step, further_cells)


def _is_extra(step: Deduction, cell: int, digit: int) -> bool:
    """Test whether a digit of a BUG is above two in a house where only this cell has more than two."""
    for house in HOUSES_OF[cell]:
        places = step.before.places(house, digit)
        many = [place for place in places if len(step.before.candidates(place)) > 2]
        if len(places) != 2 and many == [cell]:
            return True
    return False


def _is_pivot(step: Deduction, cell: int, cells: tuple[int, ...]) -> bool:
    if step.technique == "XYZ-wing":
        return len(step.before.candidates(cell)) == 3
    return step.digits[0] not in step.before.candidates(cell) and set(cells) - {cell} <= PEERS[cell]


def _set_roles_of_chains(step: Deduction) -> None:
    on: dict[Candidate, None] = {}
    off: dict[Candidate, None] = {}
    for chain in step.chains:
        ends = (end for link in chain.links for end in (link.holds, link.follows))
        for node in (chain.start, chain.end, *ends):
            (on if node.on else off)[node[:2]] = None
    step.candidates.update(on=tuple(on), off=tuple(off))
    step.cells["start"] = tuple(dict.fromkeys(chain.start.cell for chain in step.chains))
    if step.kind == "house":  # its places of the digit are the starts
        (digit,) = step.digits
        step.houses["house"] = (step.before.house_of_places(step.cells["start"], digit),)


def _around(cells: tuple[int, ...]) -> list[int]:
    """Return the cells of a loop in their order around it, from the first."""
    path = [cells[0]]

    def extend() -> bool:
        if len(path) == len(cells):
            return bool(set(HOUSES_OF[path[0]]) & set(HOUSES_OF[path[-1]]))
        for cell in cells:
            if cell not in path and cell in PEERS[path[-1]]:
                path.append(cell)
                if extend():
                    return True
                path.pop()
        return False

    extend()
    return path


def _chain(nodes: list[Node]) -> Chain:
    """Return the chain of some nodes; the last is the end."""
    start = end = nodes[-1].assertion
    links = []
    for _, assertion, why, parents in nodes:
        if not parents:
            start = assertion
        kind: Literal["weak", "strong", "inner"] = "strong" if assertion & 1 else "weak"
        technique = ""
        if why >= codes.WHY_INNER:  # and a technique's code
            kind, technique = "inner", TECHNIQUES[why - codes.WHY_INNER]
        links += [
            Link(candidate_at(parent >> 1), candidate_at(assertion >> 1), kind, technique)
            for parent in parents
        ]
    return Chain(_assertion(start), _assertion(end), tuple(links))


def _assertion(number: int) -> Assertion:
    return Assertion(*candidate_at(number >> 1), bool(number & 1))
