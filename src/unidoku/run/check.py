"""The stage that solves: verdicts, numbers of solutions, solutions; and, if asked to, a comparison."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku import counting
from unidoku.kernel import Solved
from unidoku.native import cpu
from unidoku.native.text.render import tally
from unidoku.run.buffers import rounded
from unidoku.run.rows import Made, Rows, place, rejected_place, verdict_words
from unidoku.run.stage import CELL_ERRORS, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unidoku.files.base import Batch
    from unidoku.run.stage import Need

__all__ = ["WORDS", "Check", "counts_of", "solve_batch"]

WORDS = verdict_words()


def solve_batch(
    batch: Batch, scratch: dict[str, Any], *, limit: int, budget: int, solutions: bool, stop: Any
) -> Solved | None:
    """Count the solutions of a batch's puzzles; None if the run was cancelled.

    The answers are valid until the same thread solves its next batch.
    """
    n = len(batch.starts)
    counts = _buffer(scratch, "counts", 8 * n).cast("Q")
    verdicts, complete = _buffer(scratch, "verdicts", n), _buffer(scratch, "complete", n)
    digits = _buffer(scratch, "solutions", 81 * n) if solutions else None
    out = Solved(counts, verdicts, complete, digits)
    options = {"marked": batch.marked, "zero": batch.zero, "limit": limit, "budget": budget, "stop": stop}
    return out if counting.solve(batch.text, batch.starts, out, **options) else None


def _buffer(scratch: dict[str, Any], name: str, size: int) -> memoryview:
    """Return the first `size` bytes of a buffer that is kept for the next batch."""
    buffer = scratch.get(name)
    if buffer is None or len(buffer) < size:
        buffer = scratch[name] = bytearray(rounded(size))
    cpu.spoil(buffer)
    return memoryview(buffer)[:size]


def counts_of(batch: Batch, found: Solved) -> dict[str, int]:
    """Return the numbers of puzzles by verdict."""
    n = len(batch.starts)
    none, unique, multiple, unknown = tally(found.verdicts, n)
    cut_off = bytes(found.complete[:n]).count(0)
    return {"unique": unique, "multiple": multiple, "none": none, "unknown": unknown, "cut_off": cut_off}


_ANSWER = {
    "line": "int64",
    "puzzle": "string",
    "verdict": "verdict",
    "count": "uint64",
    "complete": "bool",
    "solution": "string",
}


@dataclass(frozen=True, slots=True)
class Check(Stage):
    """The verdict, the number of solutions and the first solution; see `unidoku.CheckOptions`."""

    name: ClassVar[str] = "check"
    carries: ClassVar[bool] = True
    more: ClassVar[tuple[str, ...]] = ("reason",)
    limit: int | None = 2
    budget: int | None = None
    verify: bool = False

    @property
    def columns(self) -> Mapping[str, str]:  # type: ignore[override]
        """Those of the answer; with `verify`, those of the given answer before the reason."""
        given = CELL_ERRORS if self.verify else {}
        return {**_ANSWER, **given, "reason": "string", "file": "string"}

    @property
    def reads_columns(self) -> bool:  # type: ignore[override]
        """Whether answers are compared."""
        return self.verify

    @property
    def numbered(self) -> bool:  # type: ignore[override]
        """Whether wrong answers are reported."""
        return self.verify

    def shown(self, text: bool, several: bool) -> tuple[str, ...]:
        """Return the columns that are written by default."""
        names = Stage.shown(self, text, several)
        left_out = ("line", "complete", *(() if self.verify else ("reason",)))
        return tuple(name for name in names if name not in left_out) if text else names

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Solve; see `Stage`."""
        names = need.columns
        found = solve_batch(
            batch,
            scratch,
            limit=self.limit or 0,
            budget=self.budget or 0,
            solutions=self.verify or "solution" in names,
            stop=need.cancel.flag,
        )
        if found is None:
            return None
        rows = Rows(batch, counts=counts_of(batch, found))
        if names:
            rows.columns = place(batch, names) | {
                "verdict": Made("verdict", "verdict", "words", (found.verdicts, *WORDS)),
                "count": Made("count", "uint64", "counts", (found.counts, found.complete)),
                "complete": Made("complete", "bool", "flags", (found.complete,)),
                "solution": Made("solution", "string", "grids", (found.solutions, batch.zero)),
                "reason": Made("reason", "string", "absent"),
            }
        if self.verify:
            from unidoku.run.verify import compare

            compare(batch, found, self.limit or 0, rows)
        if names and batch.rejects:
            zeros = bytes(len(batch.rejects))
            rows.rejected = rejected_place(batch, names, need.more) | {
                "verdict": Made("verdict", "verdict", "words", (zeros.replace(b"\0", b"\4"), *WORDS)),
                "count": Made("count", "null", "unsigned", (array("Q", 8 * zeros),)),
                "complete": Made("complete", "null", "nothing"),
                "solution": Made("solution", "null", "nothing"),
                **{name: Made(name, "null", "nothing") for name in CELL_ERRORS},
            }
        return rows
