"""Deductions: conclusions from a position, with the pattern that they follow from.

Native code writes steps as rows: buffers, without a Python object for each step.  Those of one puzzle are
read without NumPy, whose import takes longer than to find them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain as joined
from typing import Any, Literal, NamedTuple, TypeAlias, Union

from unidoku._compat import NDArray, np
from unidoku._parse.arrays import form_of
from unidoku._parse.puzzle import marks_of_text
from unidoku.cell import (
    HOUSES,
    HOUSES_OF,
    PEERS,
    cell_name,
    cell_number,
    digits_of,
    fault,
    symbols_of,
)
from unidoku.errors import InvalidPuzzleError, Message, Reason
from unidoku.grid import Grid
from unidoku.rating._names import FAMILIES
from unidoku.rating._texts import Candidate, StepTexts

Marks: TypeAlias = Union[str, "NDArray[Any]", Mapping[int, Collection[int]], Mapping[str, Collection[int]]]

_MARKS = [
    "".join(str(digit) if mask >> digit - 1 & 1 else "." for digit in range(1, 10)) for mask in range(512)
]
"""The pencil marks of a cell by its mask."""

_BITS = {digit: 1 << digit - 1 for digit in range(1, 10)}
_ALL = 0b111_111_111
SINGLES = {"hidden single", "naked single"}
"""The techniques without a pattern of cells: the reasons for the digit are around the cell."""


_ALTERNATING = {"Simple Colors", "Remote Pair"}
"""The names of chains whose candidates alternate: one group holds, or the other."""


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
        return "".join(
            [_MARKS[mask or 1 << value >> 1] for value, mask in zip(self.values, self.masks, strict=True)]
        )

    def has(self, cell: int, digit: int) -> bool:
        """Test whether a cell has a candidate."""
        return bool(self.masks[cell] >> digit - 1 & 1)

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
    left = [_ALL] * 27  # the digits that each house does not have yet
    for value, (row, column, box) in zip(values, HOUSES_OF, strict=True):
        if value:
            other = ~(1 << value - 1)
            left[row] &= other
            left[column] &= other
            left[box] &= other
    masks = [
        0 if value else left[row] & left[column] & left[box]
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
                advice = Message("write its digits as a list of numbers, such as [1, 2]")
                text = "the marks of {cell} are {digits}; {advice}"
                raise InvalidPuzzleError(
                    Reason("wrong_type", text, cell=cell, digits=repr(digits), advice=advice)
                ) from None
        return masks
    if isinstance(marks, str):
        symbols = marks_of_text(marks)
        if symbols is not None:
            cells = (symbols[begin : begin + 9] for begin in range(0, 729, 9))
            return [sum(_BITS[digit] for digit in cell if digit) for cell in cells]
        numbers = [*map(int, re.findall(r"\b\d{1,3}\b", marks))]
        if len(numbers) != 81:
            raise InvalidPuzzleError(
                fault("wrong_length", Message("729 pencil marks"), len("".join(marks.split())))
            )
        return masks_of(np.array(numbers))

    requirement = Message("729 pencil marks as numbers or truth values")
    try:
        array = np.asarray(marks)
    except ValueError:
        raise InvalidPuzzleError(
            fault("wrong_length", requirement, Message("rows of different lengths"))
        ) from None
    # numbers of the column `candidates` of `steps`; up to 9 they are digits
    if array.size == 81 and array.dtype.kind in "iu" and array.min() >= 0 and 9 < array.max() <= _ALL:
        return array.ravel().tolist()
    if array.size != 729 or array.dtype.kind not in "biuf":
        raise InvalidPuzzleError(fault("wrong_type", requirement, form_of(marks, array)))
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


class Family(NamedTuple):
    """The rules for the steps of a family of techniques, in addition to their sentence.

    Attributes
    ----------
    pattern : str
        The text that says its pattern, and the role of the cells in it; without a role all cells.
    roles : callable
        Sets the roles of the cells, candidates and further houses of a step.
    conclusion : callable or None
        Returns the candidates that the pattern rules out, if a step may remove only a part of them.
    fields : dict
        How the fields of its texts are made, if no role has the name of the field.
    colors : dict
        The colors of the cells of each role in its pictures.
    around : callable or None
        Returns the cells of the houses that exclude, and among them those with the excluding digits.
    legend : dict
        The keys of texts for the colors and shapes of its pictures, in place of the usual texts.
    drawn_as : dict
        The same for its steps that are drawn as steps of another family.
    """

    pattern: tuple[str, str]
    roles: Callable[[Deduction, tuple[int, ...]], None]
    conclusion: Callable[[Deduction], Iterable[Candidate]] | None = None
    fields: Mapping[str, Callable[[StepTexts, Deduction], object]] = {}
    colors: Mapping[str, str] = {"pattern": "blue"}
    around: Callable[[Deduction], tuple[set[int], set[int]]] | None = None
    legend: Mapping[str, str] = {}
    drawn_as: Mapping[str, Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True, repr=False)
class Deduction:
    """A step that the engine found, with its position and pattern.

    The fields are as in `unidoku.Step`, with cells as numbers 0 to 80, houses as numbers 0 to 26 (rows,
    columns, boxes) and candidates as pairs (cell, digit). ``before`` is the position that contains the step,
    and ``digits`` are the digits of the pattern.

    Several chains are for both states of a candidate, for all candidates of a cell or for all places in a
    house; a contradiction has two from the same start.
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
    row: Family = field(kw_only=True, compare=False)
    """The row of its family."""

    @property
    def family(self) -> str:
        """The family of its technique."""
        return FAMILIES[self.technique]

    @property
    def drawn_family(self) -> str:
        """The family whose pictures it has: a chain of two groups is drawn as a cycle."""
        if self.family != "chain":
            return self.family
        if self.placements:
            return "chains"
        return "cycle" if self.name in _ALTERNATING else "chain"

    @property
    def is_single(self) -> bool:
        """Whether it fills the only place or the only digit."""
        return self.technique in SINGLES

    @property
    def drawn_links(self) -> list[Link]:
        """The links that a picture shows: of a chain with two ends not those to what it removes."""
        links = [link for link in self.links if link.start != link.end]
        is_between = self.family == "chain" and not self.placements
        return links[1:-1] if is_between else links

    def legend(self, words: Mapping[str, str]) -> dict[str, str]:
        """Return the meaning of colors and shapes in its picture, if it is not the usual text."""
        _, digit = (*self.placements, *self.eliminations)[0]
        keys = self.row.drawn_as.get(self.drawn_family, self.row.legend)
        return {sign: words[key].format(digit=digit) for sign, key in keys.items()}

    @property
    def further_eliminations(self) -> tuple[Candidate, ...]:
        """The candidates that the pattern rules out in addition to those the step removes.

        A chain of Sudoku Explainer has one target, and a cycle leaves its own cells unchanged. A naked set
        has one house, even in a unique loop or BUG.
        """
        find = self.row.conclusion
        if find is None or self.placements:
            return ()
        further = {*find(self)}.difference(self.eliminations)
        return tuple(sorted(place for place in further if self.before.has(*place)))

    def whole(self) -> Deduction:
        """Return the step with all that its pattern rules out."""
        further = self.further_eliminations
        return replace(self, eliminations=(*sorted(self.eliminations + further),)) if further else self

    @property
    def conclusion(self) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
        """The placed and the removed candidates of the step."""
        return self.placements, self.eliminations

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
        begin, *_ = next(iter(self.cells.values()))
        return HOUSES_OF[begin][2]

    @property
    def pattern(self) -> tuple[int, ...]:
        """The cells of the pattern: none for a single; for chains, no cell that the step concludes about.

        For chains, they are the cells of the starts and ends; for a cycle, or if there are none, all cells.
        """
        if not self.chains:
            cells = joined.from_iterable(self.cells.values())
            return () if self.family in SINGLES else tuple(dict.fromkeys(cells))
        targets = {cell for cell, _ in self.placements + self.eliminations}
        nodes = [link.follows.cell for chain in self.chains for link in chain.links]
        ends = [end.cell for chain in self.chains for end in (chain.start, chain.end)]
        if self.family == "cycle" or targets.issuperset(ends):
            ends = nodes
        return tuple(dict.fromkeys(cell for cell in ends if cell not in targets))
