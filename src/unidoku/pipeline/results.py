"""The kernel's answers for one batch of the pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unidoku import counting
from unidoku.files.base import Batch
from unidoku.native import cpu
from unidoku.pipeline.buffers import BufferPool, rounded

__all__ = ["Results", "solve_batch"]

_OUTPUTS = ("counts", "verdicts", "complete", "solutions")


@dataclass(slots=True, eq=False)
class Results:
    """The answers for one batch; valid until the same thread solves its next batch.

    Attributes
    ----------
    counts : memoryview of uint64
    verdicts : memoryview of uint8
        Codes of :class:`unidoku.Verdict`.
    complete : memoryview of uint8
        1 where the count is exact up to the limit, 0 where the budget cut the search off.
    solutions : memoryview of uint8, or None
        81 bytes per puzzle, digits coded as the batch's ``zero`` says, zero bytes where there is none.
    finished : bool
        False when the work was cancelled; the arrays are not valid then.
    """

    counts: Any
    verdicts: Any
    complete: Any
    solutions: Any
    finished: bool
    _scratch: dict[str, Any]

    def keep(self, pool: BufferPool) -> list[bytearray]:
        """Keep the arrays: the thread's next batch gets other buffers, from the buffer pool.

        Returns
        -------
        list of bytearray
            The buffers to give back to the pool when they are no longer used.
        """
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
    """Count the solutions of a batch's puzzles.

    Parameters
    ----------
    batch : Batch
    scratch : dict
        The dictionary of the calling thread; keeps the buffers from one batch to the next.
    limit, budget : int
        As for the kernel: 0 is no limit.
    solutions : bool
        Whether to return the first solution of each puzzle.
    stop : buffer of one byte
        Set by another thread to stop early.
    """
    n = len(batch.starts)
    counts = _buffer(scratch, "counts", 8 * n).cast("Q")
    verdicts, complete = _buffer(scratch, "verdicts", n), _buffer(scratch, "complete", n)
    digits = _buffer(scratch, "solutions", 81 * n) if solutions else None
    finished = counting.solve_rows(
        batch.text,
        batch.starts,
        batch.marked,
        zero=batch.zero,
        limit=limit,
        budget=budget,
        counts=counts,
        verdicts=verdicts,
        complete=complete,
        solutions=digits,
        stop=stop,
    )
    return Results(counts, verdicts, complete, digits, finished, scratch)


def _buffer(scratch: dict[str, Any], name: str, size: int) -> memoryview:
    """Return the first `size` bytes of a buffer that is kept for the next batch."""
    buffer = scratch.get(name)
    if buffer is None or len(buffer) < size:
        buffer = scratch[name] = bytearray(rounded(size))
    cpu.spoil(buffer)
    return memoryview(buffer)[:size]
