"""Steps as native code writes them, as rows of numbers, and the deductions of these rows.

Buffers have no Python object for each step.  Those of one puzzle are read without NumPy, whose import takes
longer than to find them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from operator import itemgetter
from struct import Struct, calcsize
from typing import Any, Literal, TypeAlias

from unidoku._compat import np
from unidoku._native.rating import codes
from unidoku._native.rating.codes import ROW_LAYOUT
from unidoku.cell import HOUSES, candidate_at, digits_of
from unidoku.rating._deduction import Assertion, Chain, Deduction, Link, Position
from unidoku.rating._families import FAMILY_ROWS, candidates_of
from unidoku.rating._names import FAMILIES, NAMES, TECHNIQUES
from unidoku.rating._texts import Candidate

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
                row=FAMILY_ROWS[FAMILIES[TECHNIQUES[technique]]],
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
    groups: dict[bool, dict[Candidate, None]] = {True: {}, False: {}}  # on and off
    for chain in step.chains:
        for node in (chain.start, chain.end):
            groups[node.on][node[:2]] = None
        for start, end, kind, _ in chain.links:
            groups[kind == "weak"][start] = groups[kind == "strong"][end] = None
    step.candidates.update(on=tuple(groups[True]), off=tuple(groups[False]))
    step.cells["start"] = tuple(dict.fromkeys(chain.start.cell for chain in step.chains))
    if step.kind == "house":  # its places of the digit are the starts
        (digit,) = step.digits
        step.houses["house"] = (step.before.house_of_places(step.cells["start"], digit),)


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
        row=FAMILY_ROWS["chain"],
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
    digits = tuple(sorted(set().union(*map(position.candidates, cells))))
    others = (cell for cell in HOUSES[house] if cell not in cells)
    removed = tuple(place for place in product(others, digits) if position.has(*place))
    step = Deduction(
        technique, rating, "", (), removed, position, digits=digits, name=name, row=FAMILY_ROWS["naked"]
    )
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
