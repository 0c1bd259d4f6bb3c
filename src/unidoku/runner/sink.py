"""Outputs of a run.

A sink has two sides: :meth:`Sink.render` runs in the worker threads, several at a time, and turns the rows of
a batch into content of the output; :meth:`Sink.write` takes it in input order, in the calling thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from functools import cached_property
from types import TracebackType
from typing import Any, Self

from unidoku import __version__
from unidoku.errors import FormatError
from unidoku.threads import MAX_PENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.files.base import BufferPool
    from unidoku.files.formats import OutputFormat
    from unidoku.files.output import OutputFile
    from unidoku.options import Options
    from unidoku.table.column import Column
    from unidoku.table.rows import Rows
    from unidoku.task import Task


class StoppedError(Exception):
    """Raised to end the sinks of a run that stops early: it is cancelled, or has bad inputs."""


class Sink:
    """Takes the rows of a run; this one drops them.

    As a context manager it makes its file, and is closed at the end, also after an error.  A file appears
    only without an error; what an unfinished run has written is kept under another name.  Where an error
    comes before the first rows, nothing is written, no header either.

    Attributes
    ----------
    file : OutputFile or None
    columns : tuple of str
        The columns that it gets, of the task or of the input.
    optional_columns : tuple of str
        Columns after all others, which only rows with a value have.
    has_passthrough : bool
        Whether it gets all columns of the input after these.
    in_order : bool
        Whether `render` must be called in input order, by one thread.
    max_pending : int
        How many results may wait for `write`, so that the workers do not.
    depends_on_batches : bool
        Whether the bytes of the output depend on where the input is cut into batches.
    passthrough_names : tuple of str or None
        The columns of the input in the rows so far.
    pool : BufferPool
        The pool that buffers come from.
    """

    file: OutputFile | None = None
    columns: tuple[str, ...] = ()
    optional_columns: tuple[str, ...] = ()
    has_passthrough = False
    in_order = False
    max_pending = MAX_PENDING
    depends_on_batches = False
    passthrough_names: tuple[str, ...] | None = None

    @cached_property
    def pool(self) -> BufferPool:
        """The buffer pool of this sink."""
        from unidoku.files.base import BufferPool  # compiled: the help of a command is made without it

        return BufferPool()

    def render(self, rows: Rows) -> Any:
        """Render the rows of a batch, in a worker thread.

        ``rows.named(names)`` are columns with a value for each row.  It must not change the sink, unless that
        is `in_order`.
        """

    def passthrough_of(self, rows: Rows) -> tuple[str, ...]:
        """Return the names of the columns of the input that are written: those of the rows replace them."""
        if not self.has_passthrough:
            return ()
        return tuple(name for name in rows.passthrough if name not in self.columns)

    def columns_of(self, rows: Rows) -> dict[str, Column]:
        """Return the columns of rows that are written, by name: the named ones, then those of the input."""
        named = dict(zip(self.columns, rows.named(self.columns), strict=True))
        return named | {name: rows.passthrough[name] for name in self.passthrough_of(rows)}

    def write(self, content: Any) -> None:
        """Write what `render` returned for the next rows, in input order."""

    def close(self) -> None:
        """Write what comes after the last row."""

    def partial_paths(self) -> list[str]:
        """Return the names of the files that keep the rows of an unfinished run."""
        return [] if self.file is None or self.file.partial_path is None else [self.file.partial_path]

    def __enter__(self) -> Self:
        if self.file is not None:
            self.file.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        has_cause = not (error is None or isinstance(error, StoppedError))  # which is what is reported
        with ExitStack() as stack:
            if self.file is not None:
                stack.push(self.file)
            try:
                if error is None or self.file is None or self.passthrough_names is not None:
                    self.close()  # a header alone would say that there are no rows
                if self.file is not None:
                    self.file.flush()
            except BaseException as failure:
                if not has_cause or not isinstance(failure, Exception):
                    raise
            if error is not None:
                raise error  # which the file gets too


def different_columns(kinds: Iterable[Iterable[str]], file: str) -> FormatError:
    """Return the error of an output whose inputs carry these kinds of columns."""
    names = " and ".join(", ".join(kind) or "none" for kind in kinds)
    message = (
        f"the inputs carry different columns ({names}); all rows of an output must have the same: "
        "choose columns, or write .jsonl"
    )
    return FormatError(message, file=file)


def columns_to_write(task: Task, options: Options, output: OutputFormat) -> tuple[tuple[str, ...], bool]:
    """Return the columns that an output gets, and whether all those of the input are written after them."""
    is_text, has_passthrough = output.suffix == ".txt", options.keep != "none"
    if options.columns is not None:
        return options.columns, False
    if is_text and task.lines is not None:
        return tuple(name for name in task.lines if options.file or name != "file"), False
    if task.replaces:
        shown = task.columns if task.default_columns is None else task.default_columns
        named = shown if has_passthrough and output.has_columns else ()
        own = [name for name in task.columns if name in named and name != "puzzle"]
        return ("puzzle", *own), has_passthrough
    return task.table_columns(several=options.file), has_passthrough and not is_text


def record(task: Task, options: Options) -> str:
    """Return the metadata of an output, as JSON: the version and the parameters of the task.

    Where there are verdicts, which choose the rows, the options of the run are there too.
    """
    from json import dumps  # not at the top: a check without output starts faster

    about = task.to_json()
    if "verdict" in task.columns:
        about = {**options.to_json(), **about}
    return dumps({"version": __version__, "options": about}, sort_keys=True)
