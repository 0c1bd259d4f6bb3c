"""Rows of steps, as native code writes them: buffers, without a Python object for each step.

The steps of one puzzle are read without NumPy, whose import takes longer than to find them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unidoku.cell import candidate_at, digits_of
from unidoku.compat import np
from unidoku.native.rating import codes
from unidoku.native.rating.codes import ROW_LAYOUT

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIZE = ROW_LAYOUT["size"]
_BEFORE = ROW_LAYOUT["before"]
"""Where the digits before the step are in a row."""

_LINKS = {codes.LINK_WEAK: "weak", codes.LINK_STRONG: "strong", codes.LINK_INNER: "inner"}
LINKS = tuple(map(_LINKS.__getitem__, range(len(_LINKS))))
"""The kinds of links by their codes."""

_Type: TypeAlias = Literal["Q", "q", "H", "h", "B", "b"]

_TYPES: dict[str, _Type] = {
    **dict.fromkeys(("cells_low", "cells_high", "others_low", "others_high"), "Q"),
    **dict.fromkeys(("eliminations_end", "links_end", "nodes_end"), "q"),
    "digits": "H",
    "placement": "h",
    **dict.fromkeys(("technique", "rating", "kind", "name"), "B"),
    **dict.fromkeys(("house", "other"), "b"),
}
"""The types of its numbers, as `memoryview` names them."""


class Node(NamedTuple):
    """A node of a chain: the number of the chain, an assertion, why it holds, and its parents.

    An assertion is twice the number of its candidate, 9 * cell + digit - 1, and 1 more if it is on.
    """

    chain: int
    assertion: int
    why: int
    parents: list[int]


class NativeStep(NamedTuple):
    """A step as numbers: codes of `TECHNIQUES`, `KINDS` and `NAMES`, a rating in tenths, cells 0 to 80.

    The houses, 0 to 26 or -1 for none, are the first and the second of the pattern; candidates are pairs
    (cell, digit).
    """

    technique: int
    rating: int
    kind: int
    name: int
    placements: tuple[tuple[int, int], ...]
    eliminations: tuple[tuple[int, int], ...]
    cells: tuple[int, ...]
    others: tuple[int, ...]
    digits: tuple[int, ...]
    house: int
    other: int
    nodes: list[Node]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StepRows:
    """The rows of steps, and their parts.

    Eliminations, links and nodes are lists of all steps one after the other; a row has the end of its own.
    ``candidates`` is 81 masks for each row, or empty if they were not requested.
    """

    rows: memoryview
    eliminations: memoryview
    links: memoryview
    nodes: memoryview
    candidates: memoryview

    @classmethod
    def of(cls, pieces: Sequence[tuple[bytes, ...]]) -> StepRows:
        """Join the buffers that native code returned for pieces of the puzzles."""
        if len(pieces) == 1:
            rows, eliminations, links, nodes, candidates = (memoryview(part) for part in pieces[0])
            return cls(rows, eliminations.cast("i"), links.cast("i"), nodes.cast("i"), candidates.cast("H"))

        def join(place: int, kind: str) -> NDArray[Any]:
            return np.frombuffer(bytearray().join(piece[place] for piece in pieces), kind)

        data = join(0, "B")
        sizes = [len(piece[0]) // _SIZE for piece in pieces]
        for name, place, width in (("eliminations_end", 1, 4), ("links_end", 2, 12), ("nodes_end", 3, 4)):
            ends = np.cumsum([0, *(len(piece[place]) // width for piece in pieces)])
            numbers_of(data)[name] += np.repeat(ends[:-1], sizes)
        parts = (join(1, "i").astype(np.int16), join(2, "i").astype(np.int16), join(3, "i"), join(4, "H"))
        return cls(*map(memoryview, (data, *parts)))  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.rows) // _SIZE

    def numbers(self, name: str, begin: int = 0, end: int | None = None) -> list[int]:
        """Return a number of some rows, by default of all."""
        numbers, place = self.rows.cast(_TYPES[name]), ROW_LAYOUT[name]
        width = numbers.itemsize
        values: list[int] = numbers[place // width :: _SIZE // width][begin:end].tolist()
        return values

    def before(self, row: int) -> bytes:
        """Return the digits before a step, 0 for an empty cell."""
        begin = _SIZE * row + _BEFORE
        return self.rows[begin : begin + 81].tobytes()

    def links_of(self, row: int) -> list[tuple[int, int, int]]:
        """Return the links of a step: from and to which candidate, and the code of the kind."""
        begin = self.numbers("links_end", row - 1, row)[0] if row else 0
        numbers = iter(self.links[3 * begin : 3 * self.numbers("links_end", row, row + 1)[0]].tolist())
        return [*zip(numbers, numbers, numbers, strict=True)]

    def masks(self, row: int) -> tuple[int, ...]:
        """Return the candidates before a step, as `Position` has them."""
        return tuple(self.candidates[81 * row : 81 * row + 81].tolist())

    def steps(self, begin: int = 0, end: int | None = None) -> Iterator[NativeStep]:
        """Yield the steps of some rows, by default of all."""
        eliminations_begin, nodes_begin = (
            self.numbers(name, begin - 1, begin)[0] if begin else 0
            for name in ("eliminations_end", "nodes_end")
        )
        for row in zip(*(self.numbers(name, begin, end) for name in _TYPES), strict=True):
            cells, others, (eliminations_end, _, nodes_end, digits, placement, *codes) = (
                row[:2],
                row[2:4],
                row[4:],
            )
            technique, rating, kind, name, house, other = codes
            eliminations = self.eliminations[eliminations_begin:eliminations_end].tolist()
            nodes = self.nodes[nodes_begin:nodes_end].tolist()
            yield NativeStep(
                technique,
                rating,
                kind,
                name,
                placements=(candidate_at(placement),) if placement >= 0 else (),
                eliminations=tuple(map(candidate_at, eliminations)),
                cells=_cells(*cells),
                others=_cells(*others),
                digits=digits_of(digits),
                house=house,
                other=other,
                nodes=list(_nodes(nodes)),
            )
            eliminations_begin, nodes_begin = eliminations_end, nodes_end


def numbers_of(rows: Any) -> NDArray[Any]:
    """Return the bytes of rows as an array with a field for each number, and ``before``: uint8[81]."""
    names = [*_TYPES, "before"]
    fields = {
        "names": names,
        "formats": [*_TYPES.values(), ("B", 81)],
        "offsets": [ROW_LAYOUT[name] for name in names],
        "itemsize": _SIZE,
    }
    return np.asarray(rows).view(np.dtype(fields))  # type: ignore[call-overload]


def _cells(low: int, high: int) -> tuple[int, ...]:
    """Return the cells of a set, ascending, from the bits of two words."""
    bits, cells = high << 64 | low, []
    while bits:
        lowest = bits & -bits
        cells.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(cells)


def _nodes(numbers: list[int]) -> Iterator[Node]:
    """Yield the nodes of chains."""
    at = 0
    while at < len(numbers):
        chain, assertion, why, count = numbers[at : at + 4]
        yield Node(chain, assertion, why, numbers[at + 4 : at + 4 + count])
        at += 4 + count
