"""What every sink has: where the rows of a run go.

A sink has two sides: :meth:`Sink.render` runs in the worker threads, several at a time, and turns one table
into a piece of output; :meth:`Sink.write` takes the pieces in input order, in the calling thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unidoku.errors import FormatError
from unidoku.files.base import BufferPool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import Self

    from unidoku.files.base import Batch
    from unidoku.files.output import OutputFile


@dataclass(slots=True, eq=False, repr=False)
class Table:
    """The rows that a sink gets: columns, each `Made` or `Column`, for the puzzles of a batch."""

    batch: Batch
    columns: list[Any]
    """Those of the sink, and after them those of the input that it carries."""
    rejected: list[Any] | None = None
    """The same for the invalid records of the batch; each stands before the row ``reject.before``."""
    mask: bytes | None = None
    """Rows where it is 0 are left out."""
    scratch: dict[str, Any] = field(default_factory=dict)
    """That of the worker; a sink that needs a buffer for longer takes it, and leaves another one."""

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.batch.starts)


def different_columns(kinds: Iterable[Iterable[str]], file: str) -> FormatError:
    """Return the error of an output whose inputs carry these kinds of columns."""
    shown = " and ".join(", ".join(kind) or "none" for kind in kinds)
    message = f"the inputs carry different columns ({shown}); all rows of an output must have the same"
    return FormatError(message, file=file)


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
        """One table as a piece of output; called by the workers.

        It must not change the sink, unless that is `in_order`.
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
