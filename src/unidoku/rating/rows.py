"""Rows of steps, as native code writes them: arrays, without a Python object for each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from unidoku.cell import candidate_at, digits_of

# A step, as the native struct StepRow has it.
_STEP = np.dtype(
    [
        ("cells", "<u8", 2),
        ("others", "<u8", 2),
        ("eliminations_end", "<i8"),
        ("links_end", "<i8"),
        ("nodes_end", "<i8"),
        ("digits", "<u2"),
        ("placement", "<i2"),
        ("before", "u1", 81),
        ("technique", "u1"),
        ("rating", "u1"),
        ("kind", "u1"),
        ("name", "u1"),
        ("house", "i1"),
        ("other", "i1"),
    ],
    align=True,
)
_NAMES = (
    *("technique", "rating", "kind", "name", "placement", "cells", "others", "digits", "house", "other"),
    *("eliminations_end", "nodes_end"),
)


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
    ``candidates`` is uint16[m, 81], or empty if they were not requested.
    """

    rows: NDArray[Any]
    eliminations: NDArray[np.int16]
    links: NDArray[np.int16]
    nodes: NDArray[np.int32]
    candidates: NDArray[np.uint16]

    @classmethod
    def of(cls, pieces: Sequence[tuple[bytes, ...]]) -> StepRows:
        """Join the buffers that native code returned for pieces of the puzzles."""

        def join(place: int, type_: DTypeLike) -> NDArray[Any]:
            return np.frombuffer(bytearray().join(piece[place] for piece in pieces), type_)

        rows = join(0, _STEP)
        if len(pieces) > 1:
            sizes = [len(piece[0]) // _STEP.itemsize for piece in pieces]
            for name, place, width in (("eliminations_end", 1, 4), ("links_end", 2, 12), ("nodes_end", 3, 4)):
                ends = np.cumsum([0, *(len(piece[place]) // width for piece in pieces)])
                rows[name] += np.repeat(ends[:-1], sizes)
        return cls(
            rows,
            eliminations=join(1, np.int32).astype(np.int16),
            links=join(2, np.int32).astype(np.int16).reshape(-1, 3),
            nodes=join(3, np.int32),
            candidates=join(4, np.uint16).reshape(-1, 81),
        )

    def steps(self, begin: int = 0, end: int | None = None) -> Iterator[NativeStep]:
        """Yield the steps of some rows, by default of all."""
        eliminations_begin, nodes_begin = (
            int(self.rows[name][begin - 1]) if begin else 0 for name in ("eliminations_end", "nodes_end")
        )
        for row in zip(*(self.rows[name][begin:end].tolist() for name in _NAMES), strict=True):
            technique, rating, kind, name, placement, cells, others, digits, house, other, *ends = row
            eliminations = self.eliminations[eliminations_begin : ends[0]].tolist()
            nodes = self.nodes[nodes_begin : ends[1]].tolist()
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
            eliminations_begin, nodes_begin = ends


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
