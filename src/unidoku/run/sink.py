"""What every sink has: where the rows of a run go.

A sink has two sides: :meth:`Sink.render` runs in the worker threads, several at a time, and turns one batch
into a piece of output; :meth:`Sink.write` takes the pieces in input order, in the calling thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unidoku.files.base import Batch
from unidoku.run.buffers import BufferPool
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from unidoku.files.output import OutputFile

__all__ = ["EVERY", "RESULT_COLUMNS", "Sink", "verdict_mask"]

EVERY = (1 << len(Verdict)) - 1
RESULT_COLUMNS = ("line", "puzzle", "verdict", "count", "complete", "solution", "reason")


def verdict_mask(verdicts: Iterable[Verdict] | None) -> int:
    """Return the set of verdicts of the rows to write, a bit per verdict; None stands for all."""
    return EVERY if verdicts is None else sum(1 << code for code in set(verdicts))


class Sink:
    """Takes the rows of a run; this one drops them.

    As a context manager it is closed at the end. After an error, an atomic output is discarded; any other
    output keeps what has been written, in whole rows.

    Attributes
    ----------
    file : OutputFile or None
    solutions : bool
        Whether rows have solutions, so that the kernel must give them.
    carries : bool
        Whether the named columns of the input are written without ``keep``.
    in_order : bool
        Whether `render` must be called in input order, by one thread.
    shows_lines : bool
        Whether rows have line numbers, so that the reader must count lines.
    shows_batches : bool
        Whether the bytes of the output depend on where the input is cut into batches.
    steady : bool
        Whether the input must be cut at the same places on every run.
    header : bool
        Whether to write a header; not in a part that will follow another one.
    columns : tuple of str or None
        The carried columns of the rows so far.
    pool : BufferPool
        The pool that buffers come from; several sinks may share one.
    """

    file: OutputFile | None = None
    solutions = False
    carries = False
    in_order = False
    shows_lines = False
    shows_batches = False
    steady = False
    header = True
    columns: tuple[str, ...] | None = None

    @cached_property
    def pool(self) -> BufferPool:
        """The buffer pool of this sink, unless another one is set."""
        return BufferPool()

    def render(self, batch: Batch, results: Any) -> Any:
        """One batch as a piece of output; called by the workers, must not change the sink.

        Parameters
        ----------
        batch : Batch
        results : Results or None
            None where puzzles are written.
        """

    def write(self, piece: Any) -> None:
        """Take the next piece, in input order."""

    def close(self) -> None:
        """Finish the output."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and self.file is not None and self.file.atomic:
            self.file.__exit__(kind, error, trace)
        else:
            self.close()
