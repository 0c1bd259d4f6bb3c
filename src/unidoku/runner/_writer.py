"""Writers of formats: the rows of a run as the bytes of an output, and the choice of one by name."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from unidoku._columns import REASON, ColumnSpec
from unidoku._compat import np
from unidoku._native.text.columns import ABSENT, MISSING
from unidoku._native.text.render import render
from unidoku._options import Options
from unidoku._schema import Schema
from unidoku._task import Task
from unidoku._threads import MAX_PENDING
from unidoku.cell import rows_of
from unidoku.errors import FormatError, Message, StoppedError, escape, naming
from unidoku.files._chunks import BufferPool
from unidoku.files._formats import OutputFormat, output_format
from unidoku.files._output import OutputFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._table.batch import Batch
    from unidoku._table.column import Column, Rows


class Writer(AbstractContextManager[Any]):
    """Takes the rows of a run; this one drops them.

    It has two sides: `render` runs in the worker threads, several at a time, and turns the rows of a batch
    into content of the output; `write` takes it in input order, in the calling thread.  As a context manager
    it is closed at the end, also after an error.

    Attributes
    ----------
    columns : tuple of str
        The columns that it gets, of the task or of the input.
    optional_columns : tuple of str
        Columns after all other columns, which only rows with a value have.
    has_passthrough : bool
        Whether it gets all columns of the input after these.
    takes_late : bool
        Whether some rows may have further columns of the input that other rows lack.
    for_people : bool
        Whether its rows are lines for people, in which words replace values.
    max_pending : int
        How many results may wait for `write`, so that the workers do not.

    Examples
    --------
    >>> import io, unidoku
    >>> class NumberOfClues(Writer):
    ...     columns = ("clues",)
    ...
    ...     def render(self, rows):
    ...         return rows.select(self.columns)[0].to_list()
    ...
    ...     def write(self, content):
    ...         print(content)
    >>> puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> unidoku.check_file(io.BytesIO(puzzle), NumberOfClues()).puzzles
    [30]
    1
    """

    columns: tuple[str, ...] = ()
    optional_columns: tuple[str, ...] = ()
    has_passthrough = False
    takes_late = False
    for_people = False
    max_pending = MAX_PENDING

    def wanted(self, batch: Batch) -> Batch:
        """Return a batch with the columns that it can take."""
        return batch if self.takes_late else batch.without_late()

    def render(self, rows: Rows) -> Any:
        """Render the rows of a batch, in a worker thread; it must not change the writer.

        ``rows.select(names)`` are columns with a value for each row.
        """

    def write(self, content: Any) -> None:
        """Write what `render` returned for the next rows, in input order."""

    def close(self) -> None:
        """Write what comes after the last row."""

    def partial_paths(self) -> list[str]:
        """Return the names of the files that keep the rows of an unfinished run."""
        return []

    def lacks_end(self) -> bool:
        """Return whether the output was cut, and cannot be read to its end."""
        return False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class FileWriter(Writer):
    """Base of the writers of formats.

    Its file appears only without an error; the rows of an unfinished run are kept under another name. If an
    error comes before the first rows, nothing is written, not even a header. With `several` inputs the rows
    have a column ``file``.
    """

    file: OutputFile
    output: OutputFormat
    columns: tuple[str, ...]
    optional_columns: tuple[str, ...]
    has_passthrough: bool

    has_begun = False
    """Whether rows or a header have been written."""
    needs_end: ClassVar[bool] = False
    """Whether the format cannot be read without its end."""
    is_part = False
    """Whether other outputs have the same columns: JSON then has null for a missing value."""

    def __init__(
        self, file: OutputFile, output: OutputFormat, task: Task, options: Options, *, several: bool
    ) -> None:
        self.file, self.output = file, output
        file.needs_end |= self.needs_end
        self.schema: Schema = Schema(task)
        with naming("<stdout>" if file.path == "-" else file.path):
            written = self.schema.in_output(output, options, several=several)
        self.columns, self.optional_columns, self.has_passthrough = written

    def columns_of(self, rows: Rows) -> dict[str, Column]:
        """Return the columns of rows that are written, by name: they replace columns of the input."""
        columns = dict(zip(self.columns, rows.select(self.columns), strict=True))
        return columns | {name: rows.passthrough[name] for name in self.passthrough_of(rows)}

    def passthrough_of(self, rows: Rows) -> tuple[str, ...]:
        """Return the names of the columns of the input that are written after the columns of the task."""
        if self.has_passthrough:
            return tuple(rows.passthrough)
        return ()

    def partial_paths(self) -> list[str]:
        """Return the name of the file that keeps the rows of an unfinished run."""
        return [*filter(None, [self.file.partial_path])]

    def lacks_end(self) -> bool:
        """Return whether the file was cut, and cannot be read to its end."""
        return self.file.is_cut and self.file.needs_end

    def __enter__(self) -> Self:
        self.file.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as stack:
            stack.push(self.file)
            try:
                if error is None or self.has_begun:  # only a header would say that there are no rows
                    self.close()
            except Exception:
                if error is None or isinstance(error, StoppedError):
                    raise  # otherwise the error before it is reported
            if error is not None:
                raise error  # which the file also gets


def different_columns(kinds: Iterable[Iterable[str]], file: str) -> FormatError:
    """Return the error of an output whose inputs carry these kinds of columns."""
    names = " and ".join(", ".join(kind) or "none" for kind in kinds)
    message = Message(
        "the inputs have different columns ({names}), but all rows of this output need the same; "
        "choose columns, or write .jsonl",
        names=names,
    )
    return FormatError(message, file=file)


def open_writer(path: str, task: Task, options: Options, *, several: bool = False) -> FileWriter:
    """Return the writer of an output, chosen by its suffix or `Options.to`, for one input or for several."""
    output = output_format(path, options.to, rows=not task.replaces)
    module, _, name = output.format.write.partition(":")
    kind: type[FileWriter] = getattr(import_module(f"unidoku.runner._{module}"), name)
    return kind(OutputFile(path), output, task, options, several=several)


class RecordsTask(Task):
    """Write the records of an input as they are."""

    columns: ClassVar[Mapping[str, ColumnSpec]] = {}
    default_columns: ClassVar[tuple[str, ...]] = ("file", "line", "puzzle", *REASON)


def open_rejects(path: str, options: Options) -> FileWriter:
    """Return the writer of the records that are not puzzles, with the columns of the input."""
    own = Options(quote_formulas=options.quote_formulas)
    return open_writer(path, RecordsTask(), own, several=True)


class TextWriter(FileWriter):
    """Lines, lines with tabs, CSV and JSON lines; lines of puzzles omit records that are not puzzles."""

    has_begun: bool

    def __init__(
        self, file: OutputFile, output: OutputFormat, task: Task, options: Options, *, several: bool
    ) -> None:
        super().__init__(file, output, task, options, several=several)
        self.form: str = output.format.name
        if self.form == "lines":
            self.form = "txt" if task.replaces or task.line_columns is not None else "tsv"
        elif output.suffix == ".tsv":
            self.form = "tsv"
        self.has_header: bool = self.form in ("csv", "tsv")
        self.takes_late: bool = self.form == "jsonl"
        self.quotes_formulas: bool = self.has_header and options.quote_formulas
        self.for_people: bool = self.form == "txt" and not task.replaces
        self.only_puzzles: bool = self.form == "txt" and task.replaces
        # a line with a verdict or a puzzle says something of every record
        says_all = any((options.columns is not None, "verdict" in task.columns, "puzzle" in self.columns))
        self.skips_empty_rows: bool = self.for_people and not says_all
        self.pool: BufferPool = BufferPool()
        self.passthrough: tuple[str, ...] = ()
        """The columns of the input in the rows so far."""

    def render(self, rows: Rows) -> tuple[tuple[str, ...], memoryview]:
        """Return the rows as text, and the columns of the input in them."""
        if self.only_puzzles:
            rows = rows.puzzles()
        elif self.form == "txt" and rows.puzzle_count < len(rows) and "puzzle" in rows.columns:
            rows = _escape_texts(rows, np.asarray(rows.is_puzzle))
        if self.skips_empty_rows and not any(column.is_whole for column in rows.select(self.columns)):
            has_value = np.any([column.has_value() for column in rows.select(self.columns)], axis=0)
            rows = rows.take(np.flatnonzero(has_value))
        columns = self.columns_of(rows)
        columns |= dict(zip(self.optional_columns, rows.select(self.optional_columns), strict=True))
        if self.is_part:
            columns = {name: _without_absent(column) for name, column in columns.items()}
        text = render(
            self.form,
            len(rows),
            [
                (name, (_quote_formulas(column) if self.quotes_formulas else column).native())
                for name, column in columns.items()
            ],
            optional=len(self.optional_columns),
            allocate=self.pool.allocate,
        )
        return self.passthrough_of(rows), text

    def write(self, content: tuple[tuple[str, ...], memoryview]) -> None:
        """Append the rows; on standard output they appear at once."""
        names, text = content
        self._begin(names)
        if self.has_header and names != self.passthrough:
            raise different_columns((self.passthrough, names), self.file.path)
        if len(text):
            self.file.write(text)
            self.file.flush()
        self.pool.release(text.obj)

    def _begin(self, names: tuple[str, ...]) -> None:
        """Write the header before the first rows."""
        if self.has_begun:
            return
        self.has_begun, self.passthrough = True, names
        if self.has_header:
            quoted = _quoted if self.quotes_formulas else str
            texts = (
                (name, quoted(name).encode("utf-8", "backslashreplace")) for name in (*self.columns, *names)
            )
            start = array("q", [0])
            header = [
                (name, ("texts", 1, (text, start, array("q", [len(text)])), None)) for name, text in texts
            ]
            self.file.write(render(self.form, 1, header))

    def close(self) -> None:
        """End the rows; without any, there is only a header."""
        self._begin(())


def _without_absent(column: Column) -> Column:
    """Return a column with null for each value that a row lacks."""
    if column.states is None:
        return column
    return replace(column, states=bytes(column.states).replace(bytes([ABSENT]), bytes([MISSING])))


def _quoted(text: str) -> str:
    """Return a text with an apostrophe before it, if it begins as a formula does."""
    if text.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{text}"
    return text


def _quote_formulas(column: Column) -> Column:
    """Return a column with an apostrophe before each text that is a formula for a spreadsheet."""
    texts = ((row, text) for row, text in enumerate(column.to_list()) if isinstance(text, str))
    formulas = {row: quoted for row, text in texts if (quoted := _quoted(text)) != text}
    if formulas:
        return type(column).sparse(formulas, len(column)).fallback(column)
    return column


def _escape_texts(rows: Rows, is_puzzle: NDArray[np.bool_]) -> Rows:
    """Escape characters that are not printable in the texts of records that are not puzzles."""
    from unidoku._table.column import Column

    rejects, puzzles = np.flatnonzero(~is_puzzle), rows.columns["puzzle"]
    texts = zip(rejects.tolist(), puzzles.take(rejects).to_list(), strict=True)
    escaped = Column.sparse({row: escape(text) for row, text in texts if text is not None}, len(puzzles))
    puzzles = puzzles.take(np.where(is_puzzle, np.arange(len(puzzles)), -1)).fallback(escaped)
    return replace(rows, columns=rows.columns | {"puzzle": puzzles})


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
_END = "</opensudoku>\n"


class GridWriter(FileWriter):
    """Nine rows and a blank line."""

    def render(self, rows: Rows) -> str:
        """Return the puzzles as text."""
        puzzles = rows.puzzles().columns["puzzle"].to_list()
        return "".join("\n".join([*rows_of(cells), "\n"]) for cells in puzzles)

    def write(self, content: Any) -> None:
        """Append the puzzles."""
        self.file.write(content.encode())
        self.file.flush()
        self.has_begun = True


class OpenSudokuWriter(FileWriter):
    """A file of the app OpenSudoku, version 1: a ``game`` for each puzzle, with 0 for an empty cell."""

    needs_end: ClassVar[bool] = True

    def render(self, rows: Rows) -> str:
        """Return the puzzles as elements."""
        puzzles = rows.puzzles().columns["puzzle"].to_list()
        return "".join(f'<game data="{cells.replace(".", "0")}"/>\n' for cells in puzzles)

    def write(self, content: Any) -> None:
        """Append puzzles; write the beginning of the document before the first puzzles."""
        self.file.write(("" if self.has_begun else _HEAD).encode() + content.encode())
        self.file.flush()
        self.has_begun = True

    def close(self) -> None:
        """Write the end of the document."""
        self.write("")
        self.file.write(_END.encode())
