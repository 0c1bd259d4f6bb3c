"""The kernel's answers for one batch of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unidoku import counting
from unidoku.files.base import Batch
from unidoku.kernel import Solved
from unidoku.native import cpu
from unidoku.run.buffers import BufferPool, rounded

__all__ = ["Results", "solve_batch"]

_OUTPUTS = ("counts", "verdicts", "complete", "solutions")


@dataclass(slots=True, eq=False)
class Results:
    """The answers for one batch; valid until the same thread solves its next batch."""

    counts: Any
    verdicts: Any
    complete: Any
    solutions: Any
    finished: bool
    _scratch: dict[str, Any]

    def keep(self, pool: BufferPool) -> list[bytearray]:
        """Keep the arrays: the thread's next batch gets other buffers, from the buffer pool."""
        kept = []
        for name in _OUTPUTS:
            buffer = self._scratch.pop(name, None)
            if buffer is not None:
                kept.append(buffer)
                self._scratch[name] = pool.allocate(len(buffer))
        return kept


def solve_batch(
    batch: Batch, scratch: dict[str, Any], *, limit: int, budget: int, solutions: bool, stop: Any
) -> Results:
    """Count the solutions of a batch's puzzles."""
    n = len(batch.starts)
    counts = _buffer(scratch, "counts", 8 * n).cast("Q")
    verdicts, complete = _buffer(scratch, "verdicts", n), _buffer(scratch, "complete", n)
    digits = _buffer(scratch, "solutions", 81 * n) if solutions else None
    out = Solved(counts, verdicts, complete, digits)
    options = {"marked": batch.marked, "zero": batch.zero, "limit": limit, "budget": budget, "stop": stop}
    finished = counting.solve(batch.text, batch.starts, out, **options)
    return Results(counts, verdicts, complete, digits, finished, scratch)


def _buffer(scratch: dict[str, Any], name: str, size: int) -> memoryview:
    """Return the first `size` bytes of a buffer that is kept for the next batch."""
    buffer = scratch.get(name)
    if buffer is None or len(buffer) < size:
        buffer = scratch[name] = bytearray(rounded(size))
    cpu.spoil(buffer)
    return memoryview(buffer)[:size]
