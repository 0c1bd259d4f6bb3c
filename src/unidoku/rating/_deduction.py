"""Deductions: conclusions from a position, with the pattern that they follow from.

Native code writes steps as rows: buffers, without a Python object for each step.  Those of one puzzle are
read without NumPy, whose import takes longer than to find them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain as joined, pairwise
from operator import itemgetter
from struct import Struct, calcsize
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, Union

from unidoku._compat import np
from unidoku._native.rating import codes
from unidoku._native.rating.codes import ROW_LAYOUT
from unidoku._parse.arrays import form_of
from unidoku._parse.puzzle import marks_of_text
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
from unidoku.errors import InvalidPuzzleError, Message, Reason
from unidoku.grid import Grid
from unidoku.rating._families import FAMILY_ROWS, Family, candidates_of
from unidoku.rating._names import FAMILIES, NAMES, TECHNIQUES

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


_SIZE = ROW_LAYOUT["size"]
_BEFORE = ROW_LAYOUT["before"]
"""Where the digits before the step are in a row."""

_LINKS = {codes.LINK_WEAK: "weak", codes.LINK_STRONG: "strong", codes.LINK_INNER: "inner"}
LINKS = tuple(map(_LINKS.__getitem__, range(len(_LINKS))))
"""The kinds of links by their codes."""

_Type: TypeAlias = Literal["Q", "q", "H", "h", "B", "b"]

_TYPES: dict[str, _Type] = {
    **dict.fromkeys(("cells_low", "cells_high", "others_low", "others_high"), "Q"),
    **dict.fromkeys(("placements_end", "eliminations_end", "links_end", "nodes_end"), "q"),
    "digits": "H",
    "placement": "h",
    **dict.fromkeys(("technique", "rating", "kind", "name"), "B"),
    **dict.fromkeys(("house", "other"), "b"),
}
"""The types of its numbers, as `memoryview` and `struct` name them."""


def _row_format() -> str:
    """Return the numbers of a row for `struct`, by their places, with padding for everything else."""
    parts, at = ["="], 0
    for name in _PLACES:
        parts.append(f"{ROW_LAYOUT[name] - at}x{_TYPES[name]}")
        at = ROW_LAYOUT[name] + calcsize(f"={_TYPES[name]}")
    return "".join([*parts, f"{_SIZE - at}x"])


_PLACES = sorted(_TYPES, key=ROW_LAYOUT.__getitem__)
_ROW = Struct(_row_format())
_IN_ORDER: Callable[[tuple[int, ...]], tuple[int, ...]] = itemgetter(*map(_PLACES.index, _TYPES))
"""The numbers of a row in the order of `_TYPES`."""
_LISTS = (("placements_end", 1, 2), ("eliminations_end", 2, 2), ("links_end", 3, 2), ("nodes_end", 6, 4))
"""Where a row's part of each list ends, the place of the list among the buffers, and the bytes of an item."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StepRows:
    """The rows of steps, and their parts.

    Placements, eliminations, links and nodes are lists of all steps one after the other; a row has the end of
    its own.  ``candidates`` is 81 masks for each row, or empty if they were not requested.
    """

    rows: memoryview
    placements: memoryview
    eliminations: memoryview
    link_starts: memoryview
    link_ends: memoryview
    link_kinds: memoryview
    nodes: memoryview
    candidates: memoryview

    @classmethod
    def of(cls, pieces: Sequence[tuple[bytes, ...]]) -> StepRows:
        """Join the buffers that native code returned for pieces of the puzzles."""
        whole: Iterable[Any] = pieces[0]
        if len(pieces) > 1:
            whole = map(bytearray().join, zip(*pieces, strict=True))
        kinds: tuple[Any, ...] = tuple("BHHHHHiH")
        joined = cls(*(memoryview(part).cast(kind) for part, kind in zip(whole, kinds, strict=True)))
        if len(pieces) > 1:
            sizes = [len(piece[0]) // _SIZE for piece in pieces]
            for name, place, width in _LISTS:
                shifts = np.cumsum([0, *(len(piece[place]) // width for piece in pieces[:-1])])
                ends = np.asarray(joined.field(name))
                ends += np.repeat(shifts, sizes)
        return joined

    def __len__(self) -> int:
        return len(self.rows) // _SIZE

    def field(self, name: str) -> memoryview:
        """Return a number of each row, in the memory of the rows."""
        numbers, place = self.rows.cast(_TYPES[name]), ROW_LAYOUT[name]
        return numbers[place // numbers.itemsize :: _SIZE // numbers.itemsize]

    def numbers(self, name: str, begin: int = 0, end: int | None = None) -> list[int]:
        """Return a number of some rows, by default of all."""
        values: list[int] = self.field(name)[begin:end].tolist()
        return values

    def column(self, name: str, first: bytes = b"") -> memoryview:
        """Return a number of each row one after the other, after the bytes of the first row."""
        return memoryview(first + self.field(name).tobytes()).cast(_TYPES[name])

    @property
    def befores(self) -> range:
        """Where the digits before each step begin in the rows."""
        return range(_BEFORE, len(self.rows), _SIZE)

    def before(self, row: int) -> bytes:
        """Return the digits before a step, 0 for an empty cell."""
        begin = self.befores[row]
        return self.rows[begin : begin + 81].tobytes()

    def positions(self, clues: bytes, begin: int = 0, end: int | None = None) -> Iterator[Position]:
        """Yield the positions before the steps of some rows of one puzzle, by default of all."""
        for row in range(len(self))[begin:end]:
            masks = tuple(self.candidates[81 * row : 81 * row + 81].tolist())
            yield Position(self.before(row), masks, clues)

    def deductions(
        self, positions: Iterable[Position], begin: int = 0, end: int | None = None
    ) -> Iterator[Deduction]:
        """Yield the steps of some rows, by default of all, which are found in these positions.

        A row has codes of `TECHNIQUES`, `KINDS` and `NAMES`, a rating in tenths, cells 0 to 80, and the first
        and the second house of the pattern, 0 to 26 or -1 for none.  A node of a chain is the number of the
        chain, an assertion, why it holds, the number of its parents, and these.  An assertion is twice the
        number of its candidate, 9 * cell + digit - 1, and 1 more if it is on.
        """
        eliminations_begin, nodes_begin = (
            self.numbers(name, begin - 1, begin)[0] if begin else 0
            for name in ("eliminations_end", "nodes_end")
        )
        last = len(self) if end is None else end
        rows = map(_IN_ORDER, _ROW.iter_unpack(self.rows[begin * _SIZE : last * _SIZE]))
        for position, (low, high, other_low, other_high, *row) in zip(positions, rows, strict=False):
            cells, others = _cells(low, high), _cells(other_low, other_high)
            _, eliminations_end, _, nodes_end, digits, placement, *codes = row
            technique, rating, kind, name, house, other = codes
            chains = _chains(self.nodes[nodes_begin:nodes_end].tolist())
            step = Deduction(
                TECHNIQUES[technique],
                rating / 10,
                KINDS[kind],
                placements=(candidate_at(placement),) if placement >= 0 else (),
                eliminations=tuple(
                    map(candidate_at, self.eliminations[eliminations_begin:eliminations_end].tolist())
                ),
                before=position,
                digits=tuple(sorted({chain.start.digit for chain in chains}))
                if chains
                else digits_of(digits),
                chains=chains,
                name=NAMES[name],
            )
            if chains:
                _set_roles_of_chains(step)
            else:
                _set_roles(step, house, other, cells, others)
            yield step
            eliminations_begin, nodes_begin = eliminations_end, nodes_end


def _cells(low: int, high: int) -> tuple[int, ...]:
    """Return the cells of a set, ascending, from the bits of two words."""
    bits, cells = high << 64 | low, []
    while bits:
        lowest = bits & -bits
        cells.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(cells)


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

    @property
    def family(self) -> str:
        """The family of its technique."""
        return FAMILIES[self.technique]

    @property
    def row(self) -> Family:
        """The row of its family."""
        return FAMILY_ROWS[self.family]

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
        keys = FAMILY_ROWS[self.drawn_family].legend
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


def _set_roles(
    step: Deduction, house: int, other: int, cells: tuple[int, ...], further_cells: tuple[int, ...]
) -> None:
    """Set the roles of houses, cells and candidates of a step, for anything but chains."""
    for role, number in (("house", house), ("other", other)):
        if number >= 0:
            step.houses[role] = (number,)
    step.row.roles(step, cells)
    if further_cells:  # they make a subset with the extra candidates
        step.cells["subset"] = further_cells
        step.candidates["subset"] = candidates_of(step, further_cells)


def _set_roles_of_chains(step: Deduction) -> None:
    on: dict[Candidate, None] = {}
    off: dict[Candidate, None] = {}
    for chain in step.chains:
        for node in (chain.start, chain.end):
            (on if node.on else off)[node[:2]] = None
        for start, end, kind, _ in chain.links:
            (on if kind == "weak" else off)[start] = None
            (on if kind == "strong" else off)[end] = None
    step.candidates.update(on=tuple(on), off=tuple(off))
    step.cells["start"] = tuple(dict.fromkeys(chain.start.cell for chain in step.chains))
    if step.kind == "house":  # its places of the digit are the starts
        (digit,) = step.digits
        step.houses["house"] = (step.before.house_of_places(step.cells["start"], digit),)


PARTIAL = {
    TECHNIQUES.index(technique) for technique, family in FAMILIES.items() if FAMILY_ROWS[family].conclusion
}
"""The codes of the techniques whose steps may remove a part of what the pattern rules out."""


def forcing_chain(
    position: Position, kind: tuple[str, str, float], target: Candidate, nodes: Sequence[Candidate]
) -> Deduction:
    """Return the forcing chain of a technique, name and rating that removes a candidate.

    Its nodes are off and on in turn, from end to end.
    """
    technique, name, rating = kind
    links = tuple(
        Link(start, end, "strong" if number % 2 else "weak")
        for number, (start, end) in enumerate(pairwise((target, *nodes, target)))
    )
    step = Deduction(
        technique,
        rating,
        "X" if technique == "forcing X-chain" else "XY",
        placements=(),
        eliminations=(target,),
        before=position,
        digits=(target[1],),
        chains=(Chain(links[0].holds, links[-1].follows, links),),
        name=name,
    )
    _set_roles_of_chains(step)
    return step


_NAKED_SETS = {
    2: ("naked pair", 3.0, "Naked Pair"),
    3: ("naked triplet", 3.6, "Naked Triple"),
    4: ("naked quad", 5.0, "Naked Quadruple"),
}


def naked_set_of(position: Position, house: int, cells: tuple[int, ...]) -> Deduction:
    """Return the naked set of some cells of a house, with what it removes there."""
    technique, rating, name = _NAKED_SETS[len(cells)]
    digits = tuple(sorted({digit for cell in cells for digit in position.candidates(cell)}))
    others = (cell for cell in HOUSES[house] if cell not in cells)
    removed = tuple((cell, digit) for cell in others for digit in digits if position.has(cell, digit))
    step = Deduction(technique, rating, "", (), removed, position, digits=digits, name=name)
    _set_roles(step, house, -1, cells, ())
    return step


def _chains(numbers: list[int]) -> tuple[Chain, ...]:
    """Return the chains of a step by the numbers of its nodes; the last node of a chain is its end."""
    links: dict[int, list[Link]] = {}
    starts, ends, at = dict[int, int](), dict[int, int](), 0
    while at < len(numbers):
        chain, assertion, why, count = numbers[at : at + 4]
        parents = numbers[at + 4 : at + 4 + count]
        at += 4 + count
        ends[chain] = assertion
        if not parents:
            starts[chain] = assertion
        kind: Literal["weak", "strong", "inner"] = "strong" if assertion & 1 else "weak"
        technique = ""
        if why >= codes.WHY_INNER:  # and a technique's code
            kind, technique = "inner", TECHNIQUES[why - codes.WHY_INNER]
        links.setdefault(chain, []).extend(
            Link(candidate_at(parent >> 1), candidate_at(assertion >> 1), kind, technique)
            for parent in parents
        )
    return tuple(
        Chain(_assertion(starts.get(chain, end)), _assertion(end), tuple(links[chain]))
        for chain, end in ends.items()
    )


def _assertion(number: int) -> Assertion:
    return Assertion(*candidate_at(number >> 1), bool(number & 1))
