"""From a batch to verdicts: the kernel's side of the pipeline."""

from __future__ import annotations

from typing import Any

from unidoku import kernel
from unidoku.files.base import Batch
from unidoku.pipeline.memory import Memory, rounded

__all__ = ["Results", "solve_batch"]


class Results:
    """The kernel's answers for one batch; good until its thread solves the next.

    Attributes
    ----------
    counts : memoryview of uint64
    verdicts : memoryview of uint8
        Codes of :class:`unidoku.Verdict`.
    solutions : memoryview of uint8, or None
        81 bytes a puzzle, digits coded as the batch's ``zero`` says, zero bytes where there is none.
    complete : bool
        False when the work was cancelled; the arrays mean nothing then.
    """

    __slots__ = ("_scratch", "complete", "counts", "solutions", "verdicts")

    def __init__(
        self, counts: Any, verdicts: Any, solutions: Any, complete: bool, scratch: dict[str, Any]
    ) -> None:
        self.counts = counts
        self.verdicts = verdicts
        self.solutions = solutions
        self.complete = complete
        self._scratch = scratch

    def keep(self, memory: Memory) -> list[bytearray]:
        """Make the arrays last: the thread's next batch gets other buffers, from the memory.

        Returns
        -------
        list of bytearray
            The buffers that are kept, to be given to the memory when they have served.
        """
        kept = []
        for name in ("counts", "verdicts", "solutions"):
            buffer = self._scratch.pop(name, None)
            if buffer is not None:
                kept.append(buffer)
                self._scratch[name] = memory.take(len(buffer))
        return kept


def solve_batch(
    batch: Batch, scratch: dict[str, Any], *, limit: int, budget: int, solutions: bool, stop: Any
) -> Results:
    """Count the solutions of a batch's puzzles.

    Parameters
    ----------
    batch : Batch
    scratch : dict
        Of the thread this runs in.
    limit, budget : int
        As for the kernel: 0 is none.
    solutions : bool
        Whether the solutions are wanted.
    stop : buffer of one byte
        Set to stop early.
    """
    n = len(batch.starts)
    counts = _room(scratch, "counts", 8 * n).cast("Q")
    verdicts = _room(scratch, "verdicts", n)
    digits = _room(scratch, "solutions", 81 * n) if solutions else None
    settings: dict[str, Any] = {"zero": batch.zero, "limit": limit, "budget": budget, "stop": stop}
    if not len(batch.wide):
        done = kernel.solve_cells(
            batch.text, batch.starts, counts=counts, verdicts=verdicts, solutions=digits, **settings
        )
        return Results(counts, verdicts, digits, done, scratch)
    # Two kinds of puzzles: each is solved by itself and put in its place.
    wide = list(batch.wide)
    marks = set(wide)
    plain = [i for i in range(n) if i not in marks]
    done = True
    for places in (plain, wide):
        if not places or not done:
            continue
        m = len(places)
        some = memoryview(bytearray(8 * m)).cast("Q")
        codes = bytearray(m)
        found = bytearray(81 * m) if solutions else None
        answers: dict[str, Any] = {"counts": some, "verdicts": codes, "solutions": found}
        if places is plain:
            starts = memoryview(bytearray(8 * m)).cast("q")
            for k, i in enumerate(places):
                starts[k] = batch.starts[i]
            done = kernel.solve_cells(batch.text, starts, **settings, **answers)
        else:
            from unidoku.native.text.render import candidates

            masks = candidates(batch.text, batch.starts, places, zero=batch.zero)
            done = kernel.solve_masks(masks, **settings, **answers)
        for k, i in enumerate(places):
            counts[i] = some[k]
            verdicts[i] = codes[k]
            if digits is not None and found is not None:
                digits[81 * i : 81 * i + 81] = found[81 * k : 81 * k + 81]
    return Results(counts, verdicts, digits, done, scratch)


def _room(scratch: dict[str, Any], name: str, size: int) -> memoryview:
    """So many bytes of a buffer that is kept for the next batch."""
    buffer = scratch.get(name)
    if buffer is None or len(buffer) < size:
        buffer = scratch[name] = bytearray(rounded(size))
    return memoryview(buffer)[:size]
