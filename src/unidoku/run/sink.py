"""What every sink has: where the rows of a run go.

A sink has two sides: :meth:`Sink.render` runs in the worker threads, several at a time, and turns one table
into a piece of output; :meth:`Sink.write` takes the pieces in input order, in the calling thread.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from unidoku.run.buffers import BufferPool

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from unidoku.files.output import OutputFile
    from unidoku.run.rows import Table


class Sink:
    """Takes the rows of a run; this one drops them.

    As a context manager it is closed at the end. After an error, an atomic output is discarded; any other
    output keeps what has been written, in whole rows.

    Attributes
    ----------
    file : OutputFile or None
    columns : tuple of str
        The columns that it gets, of the stage or of the input.
    more : tuple of str
        Further columns of invalid records.
    carries : bool
        Whether it gets all columns of the input after these.
    in_order : bool
        Whether `render` must be called in input order, by one thread.
    shows_batches : bool
        Whether the bytes of the output depend on where the input is cut into batches.
    header : bool
        Whether to write a header; not in a part that will follow another one.
    carried : tuple of str or None
        The columns of the input in the rows so far.
    pool : BufferPool
        The pool that buffers come from; several sinks may share one.
    """

    file: OutputFile | None = None
    columns: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    carries = False
    in_order = False
    shows_batches = False
    header = True
    carried: tuple[str, ...] | None = None

    @cached_property
    def pool(self) -> BufferPool:
        """The buffer pool of this sink, unless another one is set."""
        return BufferPool()

    def render(self, table: Table) -> Any:
        """One table as a piece of output; called by the workers, must not change the sink."""

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
