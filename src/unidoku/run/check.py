"""The stages that solve: verdicts, numbers of solutions, solutions; and the bundled sample."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from unidoku import counting
from unidoku.arguments import MAX_COUNT
from unidoku.column import Column
from unidoku.files.base import Batch, Need, rounded
from unidoku.kernel import Solved
from unidoku.native import cpu
from unidoku.native.text.render import tally
from unidoku.run.stage import CELL_ERRORS, Rows, Stage
from unidoku.verdict import Verdict

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the bundled sample: puzzles with none, one and several solutions, each followed by their number."""

_WORDS = tuple(map(str, Verdict))


def solve_batch(
    batch: Batch, scratch: dict[str, Any], need: Need, *, limit: int | None, budget: int | None, grids: bool
) -> Solved | None:
    """Count the solutions of a batch's puzzles; None if the run was cancelled.

    The answers are valid until the same thread solves its next batch.
    """
    n = len(batch.starts)
    counts = _buffer(scratch, "counts", 8 * n).cast("Q")
    verdicts, complete = _buffer(scratch, "verdicts", n), _buffer(scratch, "complete", n)
    out = Solved(counts, verdicts, complete, _buffer(scratch, "solutions", 81 * n) if grids else None)
    bounds: dict[str, Any] = {"limit": limit or 0, "budget": budget or 0, "stop": need.cancel.flag}
    solved = counting.solve(batch.text, batch.starts, out, marked=batch.marked, zero=batch.zero, **bounds)
    return out if solved else None


def _buffer(scratch: dict[str, Any], name: str, size: int) -> memoryview:
    """Return the first `size` bytes of a buffer that is kept for the next batch."""
    buffer = scratch.get(name)
    if buffer is None or len(buffer) < size:
        buffer = scratch[name] = bytearray(rounded(size))
    cpu.spoil(buffer)
    return memoryview(buffer)[:size]


def verdict_counts(batch: Batch, found: Solved) -> dict[str, int]:
    """Return the numbers of puzzles by verdict."""
    n = len(batch.starts)
    none, unique, multiple, unknown = tally(found.verdicts, n)
    cut_off = bytes(found.complete[:n]).count(0)
    return {"unique": unique, "multiple": multiple, "none": none, "unknown": unknown, "cut_off": cut_off}


_ANSWER = {
    "line": "int64",
    "puzzle": "string",
    "verdict": "words",
    "count": "uint64",
    "complete": "bool",
    "solution": "string",
}


@dataclass(eq=False, repr=False)  # a check starts faster without what nobody uses
class Check(Stage):
    """The verdict, the number of solutions and the first solution; see `unidoku.check_file`."""

    name: ClassVar[str] = "check"
    otherwise = MappingProxyType({"verdict": str(Verdict.INVALID), "solved": False})
    limit: int | None = 2
    budget: int | None = None
    verify: bool = False

    def __post_init__(self) -> None:
        self.reads_columns = self.numbered = self.verify  # answers are compared, wrong ones are reported
        if self.verify:
            import unidoku.run.verify  # noqa: F401  # not while the run is timed

    @property
    def columns(self) -> Mapping[str, str]:  # type: ignore[override]
        """Those of the answer; with `verify`, those of the given answer before the reason."""
        given = CELL_ERRORS if self.verify else {}
        return {**_ANSWER, **given, "reason": "string", "file": "string"}

    def shown(self, text: bool, several: bool) -> tuple[str, ...]:
        """Return the columns that are written by default."""
        names = Stage.shown(self, text, several)
        left_out = ("line", "complete", *(() if self.verify else ("reason",)))
        return tuple(name for name in names if name not in left_out) if text else names

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        grids = self.verify or "solution" in need.columns
        found = solve_batch(batch, scratch, need, limit=self.limit, budget=self.budget, grids=grids)
        if found is None:
            return None
        n = len(batch.starts)
        columns = {
            "verdict": Column.coded(found.verdicts, _WORDS),
            "count": Column.numbers(found.counts, "uint64", complete=found.complete),
            "complete": Column.numbers(found.complete, "bool"),
            "reason": Column.nothing(n, optional=True),
        }
        if found.solutions is not None:
            columns["solution"] = Column.grids(found.solutions, n, batch.zero)
        rows = Rows(batch, columns, verdict_counts(batch, found))
        if self.verify:
            from unidoku.run.verify import compare, given

            compare(rows, need, given(batch), found, self.limit or 0)
        return rows


class _Line(Stage):
    """A stage that writes a line of text per puzzle, or the word ``invalid``."""

    numbered = False
    carries: ClassVar[bool] = False
    otherwise = MappingProxyType(dict.fromkeys(("solution", "count"), str(Verdict.INVALID)))


@dataclass(eq=False, repr=False)
class Solve(_Line):
    """The first solution of each puzzle; the verdict where there is none."""

    name: ClassVar[str] = "solve"
    columns: ClassVar[Mapping[str, str]] = {"solution": "string"}

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        found = solve_batch(batch, scratch, need, limit=1, budget=None, grids=True)
        if found is None:
            return None
        solutions = Column.grids(found.solutions, len(batch.starts), batch.zero, (found.verdicts, _WORDS))
        return Rows(batch, {"solution": solutions}, verdict_counts(batch, found))


@dataclass(eq=False, repr=False)
class Count(_Line):
    """The number of solutions."""

    name: ClassVar[str] = "count"
    columns: ClassVar[Mapping[str, str]] = {"count": "uint64"}
    limit: int | None = None
    budget: int | None = None

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        found = solve_batch(batch, scratch, need, limit=self.limit, budget=self.budget, grids=False)
        if found is None:
            return None
        count = Column.numbers(found.counts, "uint64", complete=found.complete)
        if MAX_COUNT in found.counts:  # all that fits in 64 bits: or more
            from unidoku import single

            texts = []
            for puzzle, number, complete in zip(batch.texts(), found.counts, found.complete, strict=True):
                fits = number < MAX_COUNT
                text = (
                    f"{number}{'' if complete else '+'}"
                    if fits
                    else str(single.count(puzzle, cancel=need.cancel))
                )
                texts.append(text)
            count = Column.values_of(texts)
        return Rows(batch, {"count": count}, verdict_counts(batch, found))
