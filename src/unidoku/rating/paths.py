"""Steps of many puzzles, as arrays and as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unidoku.cell import candidate_names, digits_of
from unidoku.grid import Grid
from unidoku.kernel import flat
from unidoku.rating.deduction import KINDS, Deduction, Position, deduction_of, kind_code, position_of
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
_PATTERN = ["cells", "others", "nodes_end", "digits", "kind", "house", "other"]
_AT_ONCE = 256  # puzzles in a call of native code
ALL = 9 * 81
"""The most steps that a puzzle can have: each takes a candidate away."""
_IS_CHAIN = np.array([FAMILIES.get(name) in ("cycle", "chain", "") for name in TECHNIQUES])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Paths:
    """The steps of n puzzles, m in all, as arrays.

    A candidate is a number: 9 times its cell (0 to 80) plus its digit minus 1.  The lists of all steps are in
    one array: step k has ``eliminations[elimination_offsets[k] : elimination_offsets[k + 1]]``.

    Attributes
    ----------
    puzzles : uint8[n, 81]
        0 for an empty cell.
    offsets : int64[n + 1]
        The steps of puzzle i are ``offsets[i]`` up to ``offsets[i + 1]``.
    technique_codes, kind_codes : uint8[m]
        Places in `unidoku.rating.scale.TECHNIQUES` and in `unidoku.rating.deduction.KINDS`.
    ratings : float64[m]
    placements : int16[m]
        The candidate that is placed, or -1.
    eliminations : int16[e], elimination_offsets : int64[m + 1]
        The candidates that are removed; none by a step that places one.
    before : uint8[m, 81]
        The digits before the step, 0 for an empty cell.
    candidates : uint16[m, 81]
        The candidates before the step, bit d - 1 for digit d; an empty array if they were not requested.
    links : int16[l, 3], link_offsets : int64[m + 1]
        The links of chains: from a candidate, to a candidate, and a place in `LINKS`.
    reasons : dict of int to str
        By the number of the puzzle, why it has no steps, or why they end before the grid is full.
    """

    puzzles: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    technique_codes: NDArray[np.uint8]
    kind_codes: NDArray[np.uint8]
    ratings: NDArray[np.float64]
    placements: NDArray[np.int16]
    elimination_offsets: NDArray[np.int64]
    eliminations: NDArray[np.int16]
    before: NDArray[np.uint8]
    candidates: NDArray[np.uint16]
    link_offsets: NDArray[np.int64]
    links: NDArray[np.int16]
    reasons: Mapping[int, str]
    _pattern: NDArray[Any]
    _nodes: NDArray[np.int32]

    @property
    def source_rows(self) -> NDArray[np.int64]:
        """The puzzle of each step, from 0: int64[m]."""
        return np.repeat(np.arange(len(self.puzzles)), np.diff(self.offsets))

    def columns(self) -> dict[str, Column]:
        """Return the columns of `steps_many`."""
        rows, placed = self.source_rows, self.placements >= 0

        def candidates(values: NDArray[np.int16], offsets: NDArray[np.int64]) -> Column:
            return Column.of_lists(Column(values, candidate_names(), is_dictionary=True), offsets)

        columns = {
            "step": Column((np.arange(len(rows)) - self.offsets[rows] + 1).astype(np.uint16)),
            "technique": Column(self.technique_codes, TECHNIQUES),
            "kind": Column(self.kind_codes, KINDS),
            "rating": Column(self.ratings),
            "placements": candidates(self.placements[placed], np.concatenate([[0], np.cumsum(placed)])),
            "eliminations": candidates(self.eliminations, self.elimination_offsets),
            "before": Column(self.before),
            "candidates": Column(self.candidates),
            "link_starts": candidates(self.links[:, 0], self.link_offsets),
            "link_ends": candidates(self.links[:, 1], self.link_offsets),
            "link_kinds": Column.of_lists(
                Column(self.links[:, 2], LINKS, is_dictionary=True), self.link_offsets
            ),
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
        for row in range(int(self.offsets[number]), int(self.offsets[number + 1])):
            step = self._step(row, position)
            yield step
            position = step.after

    def _step(self, row: int, position: Position) -> Deduction:
        pattern = self._pattern[row]
        cell, digit = divmod(int(self.placements[row]), 9)
        removed = self.eliminations[self.elimination_offsets[row] : self.elimination_offsets[row + 1]]
        begin = int(self._pattern["nodes_end"][row - 1]) if row else 0
        raw = (
            int(self.technique_codes[row]),
            round(10 * self.ratings[row]),
            int(pattern["kind"]),
            cell,
            digit + 1,
            [(candidate // 9, candidate % 9 + 1) for candidate in removed.tolist()],
            _cells(pattern["cells"]),
            _cells(pattern["others"]),
            digits_of(int(pattern["digits"])),
            int(pattern["house"]),
            int(pattern["other"]),
            list(_nodes(self._nodes[begin : int(pattern["nodes_end"])].tolist())),
        )
        return deduction_of(position, raw)


def _cells(words: NDArray[np.uint64]) -> list[int]:
    """Return the cells of a set."""
    bits = int(words[0]) | int(words[1]) << 64
    return [cell for cell in range(81) if bits >> cell & 1]


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
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`.
    candidates : bool, optional
        Whether to keep the candidates before each step.
    threads : int, optional
        Worker threads; by default one per available core.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle of 81 cells: raise, or give a reason for it.
    cancel : Cancel, optional
        Set it to stop; puzzles that are not done then have a reason.

    Returns
    -------
    Result
        A row for each step, with the columns step (from 1), technique, kind, rating, placements,
        eliminations, before, candidates, link_starts, link_ends and link_kinds, as of `unidoku.Step`;
        candidates is uint16[m, 81], bit d - 1 for digit d. ``of`` has the puzzle of each row; a puzzle that
        no technique solves has steps and a reason. A step takes about 350 bytes, half of them for the
        candidates, so pass at most about 100,000 puzzles in a call.

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
    paths = first_steps(
        puzzles,
        ALL,
        candidates=candidates,
        threads=threads,
        errors=errors,
        cancel=cancel,
    )
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
    work = partial(_find_part, cells, {"candidates": candidates, "most": limit})
    pieces = []
    for part, (piece, part_outcomes, part_lengths) in map_parts(work, parts, count, flag, cancellable=True):
        outcomes[part], lengths[part] = part_outcomes, part_lengths
        pieces.append(piece)
    is_stopped = outcomes[rows] == Outcome.STOPPED
    full = rows[~is_stopped & cells[rows].all(axis=1)]
    reasons |= dict.fromkeys(rows[outcomes[rows] == Outcome.STUCK].tolist(), STUCK)
    reasons |= dict.fromkeys(full.tolist(), FULL)
    reasons = with_reason(reasons, rows[is_stopped], CANCELLED)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return _join(np.array(cells), offsets, pieces, reasons)  # the caller may change the puzzles


def _find_part(
    cells: NDArray[np.uint8], limits: dict[str, Any], rows: NDArray[np.int64], stop: Cancel
) -> tuple[tuple[bytes, ...], NDArray[np.uint8], NDArray[np.int64]]:
    """Find the steps of some rows; return the buffers of native code, and the outcome and length of each."""
    outcomes, ends = np.zeros(len(rows), np.uint8), np.zeros(len(rows), np.int64)
    buffers = engine().find_paths(
        *flat(cells[rows]), zero=0, outcomes=outcomes, ends=ends, stop=stop.flag, **limits
    )
    return buffers, outcomes, np.diff(ends, prepend=0)


def _join(
    puzzles: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    pieces: list[tuple[bytes, ...]],
    reasons: dict[int, str],
) -> Paths:
    """Join the buffers that native code returned for pieces of the puzzles."""
    rows = [np.frombuffer(piece[0], _ROW) for piece in pieces]
    lists = [[np.frombuffer(piece[k], np.int32) for piece in pieces] for k in (1, 2, 3)]
    joined: list[NDArray[Any]] = [
        np.concatenate([np.empty(0, np.int32), *arrays], dtype=type_, casting="same_kind")
        for arrays, type_ in zip(lists, (np.int16, np.int16, np.int32), strict=True)
    ]
    eliminations, links, nodes = joined

    def column(name: str) -> NDArray[Any]:
        return np.concatenate([np.empty(0, _ROW)[name], *(piece[name] for piece in rows)])

    def ends(name: str, sizes: list[int]) -> NDArray[np.int64]:
        begins = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).tolist()
        shifted = [piece[name] + begin for piece, begin in zip(rows, begins, strict=False)]
        return np.concatenate([np.empty(0, np.int64), *shifted])

    pattern = np.concatenate([np.empty(0, _ROW)[_PATTERN], *(piece[_PATTERN] for piece in rows)])
    pattern["nodes_end"] = ends("nodes_end", list(map(len, lists[2])))
    elimination_ends = ends("eliminations_end", list(map(len, lists[0])))
    link_ends = ends("links_end", [len(numbers) // 3 for numbers in lists[1]])
    masks = [np.empty(0, np.uint16), *(np.frombuffer(piece[4], np.uint16) for piece in pieces)]
    technique, rating = column("technique"), column("rating")
    return Paths(
        puzzles=puzzles,
        offsets=offsets,
        technique_codes=technique,
        kind_codes=kind_code(_IS_CHAIN[technique], pattern["kind"], rating).astype(np.uint8),
        ratings=rating / 10,
        placements=column("placement"),
        elimination_offsets=np.concatenate([[0], elimination_ends]),
        eliminations=eliminations,
        before=column("before"),
        candidates=np.concatenate(masks).reshape(-1, 81),
        link_offsets=np.concatenate([[0], link_ends]),
        links=links.reshape(-1, 3),
        reasons=reasons,
        _pattern=pattern,
        _nodes=nodes,
    )
