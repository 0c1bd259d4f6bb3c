"""Steps of many puzzles, as arrays and as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from unidoku.cell import candidate_names, digits_of
from unidoku.grid import Grid
from unidoku.kernel import flat
from unidoku.rating.deduction import KINDS, Deduction, deduction_of, kind_code, position_of
from unidoku.rating.scale import FAMILIES, FULL, TECHNIQUES, Outcome, engine, improper
from unidoku.table.column import Column
from unidoku.table.puzzles import PuzzlesLike, read_cells, with_reason
from unidoku.table.result import Result
from unidoku.threads import CANCELLED, Cancel, cancel_of, map_parts, thread_count

LINKS = ("weak", "strong", "inner")
"""The kinds of links by their codes."""

STUCK = "no technique finds a further step"
"""Why the steps of a puzzle end before its grid is full."""

# A step, as the native struct StepRow has it.
_ROW = np.dtype(
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
        ("house", "i1"),
        ("other", "i1"),
    ],
    align=True,
)
_NATIVE = (
    *("technique", "rating", "kind", "placement", "cells", "others", "digits", "house", "other"),
    *("eliminations_end", "nodes_end"),
)
_AT_ONCE = 256  # puzzles in a call of native code
ALL = 9 * 81
"""The most steps that a puzzle can have: each takes a candidate away."""
_IS_CHAIN = np.array([FAMILIES.get(name) in ("cycle", "chain", "") for name in TECHNIQUES])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Paths:
    """The steps of many puzzles, as native code writes them.

    The steps of puzzle i are rows ``offsets[i]`` up to ``offsets[i + 1]``. Eliminations, links and nodes are
    lists of all steps one after the other; a row has the end of its own. ``candidates`` is uint16[m, 81], or
    empty if they were not requested. ``reasons`` says by the number of the puzzle why it has no steps, or why
    they end before the grid is full.
    """

    puzzles: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    rows: NDArray[Any]
    eliminations: NDArray[np.int16]
    links: NDArray[np.int16]
    nodes: NDArray[np.int32]
    candidates: NDArray[np.uint16]
    reasons: Mapping[int, str]

    @property
    def source_rows(self) -> NDArray[np.int64]:
        """The puzzle of each step, from 0: int64[m]."""
        return np.repeat(np.arange(len(self.puzzles)), np.diff(self.offsets))

    def columns(self) -> dict[str, Column]:
        """Return the columns of `steps_many`."""
        rows, sources = self.rows, self.source_rows
        names = ("technique", "kind", "rating", "placement", "eliminations_end", "links_end")
        technique, kind, rating, placements, elimination_ends, link_ends = (
            np.ascontiguousarray(rows[name]) for name in names
        )
        kinds = kind_code(_IS_CHAIN[technique], kind, rating).astype(np.uint8)
        placed = placements >= 0

        def lists(items: Column, ends: NDArray[np.int64]) -> Column:
            return Column.of_lists(items, np.concatenate([[0], ends]))

        def candidates(values: NDArray[np.int16], ends: NDArray[np.int64]) -> Column:
            return lists(Column(values, candidate_names(), is_dictionary=True), ends)

        starts, ends, kinds_of_links = self.links.T
        columns = {
            "step": Column((np.arange(len(rows)) - self.offsets[sources] + 1).astype(np.uint16)),
            "technique": Column(technique, TECHNIQUES),
            "kind": Column(kinds, KINDS),
            "rating": Column(rating / 10),
            "placements": candidates(placements[placed], np.cumsum(placed, dtype=np.int64)),
            "eliminations": candidates(self.eliminations, elimination_ends),
            "before": Column(rows["before"]),
            "candidates": Column(self.candidates),
            "link_starts": candidates(starts, link_ends),
            "link_ends": candidates(ends, link_ends),
            "link_kinds": lists(Column(kinds_of_links, LINKS, is_dictionary=True), link_ends),
        }
        if len(self.candidates) < len(rows):
            del columns["candidates"]
        return columns

    def deductions(self) -> Iterator[Deduction]:
        """Yield the deductions of all puzzles."""
        for number in range(len(self.puzzles)):
            yield from self.path(number)

    def path(self, number: int) -> Iterator[Deduction]:
        """Yield the deductions of a puzzle."""
        position = position_of(Grid(self.puzzles[number]))
        begin, end = self.offsets[number : number + 2].tolist()
        for step in self._native_steps(begin, end):
            deduction = deduction_of(position, step)
            yield deduction
            position = deduction.after

    def _native_steps(self, begin: int, end: int) -> Iterator[tuple[Any, ...]]:
        """Yield the steps of some rows as native code returns a single one."""
        removed_begin, nodes_begin = (
            int(self.rows[name][begin - 1]) if begin else 0 for name in ("eliminations_end", "nodes_end")
        )
        for row in zip(*(self.rows[name][begin:end].tolist() for name in _NATIVE), strict=True):
            technique, rating, kind, placement, cells, others, digits, *houses, removed_end, nodes_end = row
            cell, digit = divmod(placement, 9)
            removed = self.eliminations[removed_begin:removed_end].tolist()
            yield (
                technique,
                rating,
                kind,
                cell,
                digit + 1,
                [(candidate // 9, candidate % 9 + 1) for candidate in removed],
                _cells(*cells),
                _cells(*others),
                digits_of(digits),
                *houses,
                list(_nodes(self.nodes[nodes_begin:nodes_end].tolist())),
            )
            removed_begin, nodes_begin = removed_end, nodes_end


def _cells(low: int, high: int) -> list[int]:
    """Return the cells of a set, ascending, from the bits of two words."""
    bits, cells = high << 64 | low, []
    while bits:
        lowest = bits & -bits
        cells.append(lowest.bit_length() - 1)
        bits ^= lowest
    return cells


def _nodes(numbers: list[int]) -> Iterator[tuple[int, int, int, list[int]]]:
    """Yield the nodes of chains: number of the chain, code of the node, why it holds, its parents."""
    at = 0
    while at < len(numbers):
        chain, node, why, count = numbers[at : at + 4]
        yield chain, node, why, numbers[at + 4 : at + 4 + count]
        at += 4 + count


def steps_many(
    puzzles: PuzzlesLike,
    *,
    candidates: bool = True,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Result:
    """Find the steps that solve many puzzles, as Sudoku Explainer 1.2.1 takes them.

    The steps are the same as by `unidoku.steps`; as columns they need no Python object each.

    Parameters
    ----------
    puzzles, threads, errors
        As for `unidoku.check_many`.
    candidates : bool, optional
        Whether to keep the candidates before each step.
    cancel : Cancel, optional
        Set it to stop; puzzles that are not done then have a reason.

    Returns
    -------
    Result
        A row for each step, with the columns step (from 1), technique, kind, rating, placements,
        eliminations, before, candidates, link_starts, link_ends and link_kinds, as of `unidoku.Step`;
        candidates is uint16[m, 81], bit d - 1 for digit d. ``source_rows`` has the puzzle of each row; a
        puzzle that no technique solves has steps and a reason. A step takes about 350 bytes, half of them for
        the candidates, so pass at most about 100,000 puzzles in a call.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle of 81 cells; the message names the row, from 0.
    ValueError
        A number or `errors` is not allowed.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> steps = steps_many([puzzle, "." * 81])
    >>> len(steps), steps.reasons
    (51, {1: 'several solutions'})
    >>> steps[0].technique, steps[0].rating, steps[0].placements
    ('hidden single', 1.2, ['r1c6=8'])
    """
    paths = first_steps(puzzles, ALL, candidates=candidates, threads=threads, errors=errors, cancel=cancel)
    return Result(paths.columns(), paths.reasons, paths.source_rows)


def first_steps(
    puzzles: PuzzlesLike,
    limit: int,
    *,
    candidates: bool = True,
    threads: int | None = None,
    errors: str = "raise",
    cancel: Cancel | None = None,
) -> Paths:
    """Find the first steps of each puzzle, at most `limit`, as `steps_many` finds them."""
    count = thread_count(threads)
    cells, reasons = read_cells(puzzles, errors=errors, cancel=cancel)
    n = len(cells)
    outcomes, lengths = np.full(n, Outcome.STOPPED, np.uint8), np.zeros(n, np.int64)
    flag = cancel_of(cancel)
    rows = np.delete(np.arange(n), list(reasons))
    for reason, indices in improper(cells[rows] if reasons else cells, count, flag).items():
        if reason != CANCELLED:  # after which no other row has steps either
            reasons |= dict.fromkeys(rows[indices].tolist(), reason)
    rows = np.delete(np.arange(n), list(reasons))
    size = _AT_ONCE if count == 1 else max(1, min(_AT_ONCE, len(rows) // (4 * count)))
    parts = [rows[begin : begin + size] for begin in range(0, len(rows), size)]

    def work(part: NDArray[np.int64], stop: Cancel) -> tuple[bytes, ...]:
        results, ends = np.zeros(len(part), np.uint8), np.zeros(len(part), np.int64)
        buffers: tuple[bytes, ...] = engine().find_paths(
            *flat(cells[part]),
            zero=0,
            outcomes=results,
            ends=ends,
            candidates=candidates,
            most=limit,
            stop=stop.flag,
        )
        outcomes[part], lengths[part] = results, np.diff(ends, prepend=0)
        return buffers

    pieces = [buffers for _, buffers in map_parts(work, parts, count, flag, cancellable=True)]
    is_stopped = outcomes[rows] == Outcome.STOPPED
    full = rows[~is_stopped & cells[rows].all(axis=1)]
    reasons |= dict.fromkeys(rows[outcomes[rows] == Outcome.STUCK].tolist(), STUCK)
    reasons |= dict.fromkeys(full.tolist(), FULL)
    reasons = with_reason(reasons, rows[is_stopped], CANCELLED)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return _join(np.array(cells), offsets, pieces, reasons)  # the caller may change the puzzles


def _join(
    puzzles: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    pieces: list[tuple[bytes, ...]],
    reasons: dict[int, str],
) -> Paths:
    """Join the buffers that native code returned for pieces of the puzzles."""

    def joined(place: int, type_: DTypeLike) -> NDArray[Any]:
        return np.frombuffer(bytearray().join(piece[place] for piece in pieces), type_)

    sizes = [len(piece[0]) // _ROW.itemsize for piece in pieces]
    rows = joined(0, _ROW)
    for name, place, width in (("eliminations_end", 1, 4), ("links_end", 2, 12), ("nodes_end", 3, 4)):
        ends = np.cumsum([0, *(len(piece[place]) // width for piece in pieces)])
        rows[name] += np.repeat(ends[:-1], sizes)
    return Paths(
        puzzles,
        offsets,
        rows,
        eliminations=joined(1, np.int32).astype(np.int16),
        links=joined(2, np.int32).astype(np.int16).reshape(-1, 3),
        nodes=joined(3, np.int32),
        candidates=joined(4, np.uint16).reshape(-1, 81),
        reasons=reasons,
    )
