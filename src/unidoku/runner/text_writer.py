"""Writers of rows as text, perhaps compressed, and of puzzles: in nine rows, and for an app."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unidoku.compat import np
from unidoku.errors import escape
from unidoku.files.buffers import BufferPool
from unidoku.files.formats import OutputFormat
from unidoku.files.output import OutputFile
from unidoku.native.text.render import render
from unidoku.options import Options
from unidoku.runner.writer import FileWriter, different_columns
from unidoku.task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.table.column import Column
    from unidoku.table.rows import Rows


class TextWriter(FileWriter):
    """Lines, lines with tabs, CSV and JSON lines; lines of puzzles leave out the records that are none."""

    def __init__(
        self, file: OutputFile, output: OutputFormat, task: Task, options: Options, *, several: bool
    ) -> None:
        super().__init__(file, output, task, options, several=several)
        self.form = output.format.name
        if self.form == "lines":
            self.form = "txt" if task.replaces or task.line_columns is not None else "tsv"
        elif output.suffix == ".tsv":
            self.form = "tsv"
        self.has_header = self.form in ("csv", "tsv")
        self.quotes_formulas = self.has_header and options.quote_formulas
        self.for_people = self.form == "txt" and not task.replaces
        self.only_puzzles = self.form == "txt" and task.replaces
        self.skips_empty_rows = False
        if self.form == "txt" and not task.replaces and options.columns is None:
            if "puzzle" in self.columns:
                self.optional_columns = ("reason",)
            # otherwise a line says something of every record
            self.skips_empty_rows = "verdict" not in task.columns and "puzzle" not in self.columns
        self.pool = BufferPool()
        self.passthrough: tuple[str, ...] = ()
        """The columns of the input in the rows so far."""

    def render(self, rows: Rows) -> tuple[tuple[str, ...], memoryview]:
        """Return the rows as text, and the columns of the input in them."""
        if self.only_puzzles:
            rows = rows.puzzles()
        elif self.form == "txt" and rows.is_puzzle is not None and "puzzle" in rows.columns:
            rows = _escape_texts(rows, rows.is_puzzle)
        if self.skips_empty_rows:
            has_value = np.any([column.has_value() for column in rows.select(self.columns)], axis=0)
            rows = rows if has_value.all() else rows.take(np.flatnonzero(has_value))
        columns = self.columns_of(rows)
        columns |= dict(zip(self.optional_columns, rows.select(self.optional_columns), strict=True))
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

    @property
    def takes_few_rows(self) -> bool:  # type: ignore[override]
        """Whether rows may come without arrays: it leaves none of them out."""
        return not (self.skips_empty_rows or self.quotes_formulas)

    def render_few(
        self, n: int, columns: dict[str, Any], passthrough: dict[str, Column]
    ) -> tuple[tuple[str, ...], memoryview]:
        """Return n rows as text, and the columns of the input in them."""
        names = tuple(name for name in passthrough if self.takes(name))
        columns = columns | {name: passthrough[name].native() for name in names}
        own = [(name, columns[name]) for name in (*self.columns, *names, *self.optional_columns)]
        optional = len(self.optional_columns)
        return names, render(self.form, n, own, optional=optional, allocate=self.pool.allocate)

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
            self.file.flush()

    def close(self) -> None:
        """End the rows; without any, there is only a header."""
        self._begin(())


def _quoted(text: str) -> str:
    """Return a text with an apostrophe before it, if it begins as a formula does."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _quote_formulas(column: Column) -> Column:
    """Return a column with an apostrophe before each text that is a formula for a spreadsheet."""
    texts = ((row, text) for row, text in enumerate(column.to_list()) if isinstance(text, str))
    formulas = {row: quoted for row, text in texts if (quoted := _quoted(text)) != text}
    return type(column).sparse(formulas, len(column)).fallback(column) if formulas else column


def _escape_texts(rows: Rows, is_puzzle: NDArray[np.bool_]) -> Rows:
    """Escape characters that are not printable in the texts of records that are no puzzles."""
    from unidoku.table.column import Column

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
        return "".join(_nine_rows(cells) for cells in puzzles)

    def write(self, content: Any) -> None:
        """Append the puzzles."""
        self.file.write(content.encode())
        self.file.flush()
        self.has_begun = True


def _nine_rows(cells: str) -> str:
    return "".join(cells[i : i + 9] + "\n" for i in range(0, 81, 9)) + "\n"


class OpenSudokuWriter(FileWriter):
    """A file of the app OpenSudoku, version 1: a ``game`` for each puzzle, with 0 for an empty cell."""

    def render(self, rows: Rows) -> str:
        """Return the puzzles as elements."""
        puzzles = rows.puzzles().columns["puzzle"].to_list()
        return "".join(f'<game data="{cells.replace(".", "0")}"/>\n' for cells in puzzles)

    def write(self, content: Any) -> None:
        """Append the puzzles, the first ones behind the beginning of the document."""
        self.file.write(("" if self.has_begun else _HEAD).encode() + content.encode())
        self.file.flush()
        self.has_begun = True

    def close(self) -> None:
        """Write the end of the document."""
        if not self.has_begun:
            self.write("")
        self.file.write(_END.encode())
