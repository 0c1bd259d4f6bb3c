"""Puzzles to files, strictly as each format has them.

A writer turns a batch into text by itself, so that batches can be formatted side by side; what stands
before the first and after the last puzzle it says when it is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import ClassVar
from xml.sax.saxutils import escape, quoteattr

from unidoku.errors import FormatError
from unidoku.files.base import Batch
from unidoku.files.readers.library import LibraryLine, format_line
from unidoku.files.readers.records import Record
from unidoku.grid import EMPTY_SYMBOLS
from unidoku.native.text.columns import gather_lines

__all__ = ["WRITERS", "Writer", "records", "writer_for"]


class Writer:
    """Formats batches of puzzles."""

    in_order = False
    """Whether batches have to be formatted one after the other."""

    def begin(self, names: tuple[str, ...]) -> str:
        """What stands before the first puzzle; `names` are the carried columns."""
        return ""

    def puzzles(self, batch: Batch) -> bytes:
        """The puzzles of a batch.

        Raises
        ------
        FormatError
            When the format cannot hold one of them.
        """
        return "".join(self.puzzle(record) for record in records(batch)).encode(errors="replace")

    def puzzle(self, record: Record) -> str:
        """One puzzle."""
        raise NotImplementedError

    def end(self) -> str:
        """What stands after the last puzzle."""
        return ""


def records(batch: Batch) -> Iterator[Record]:
    """The puzzles of a batch one by one, with what came with them."""
    wide = set(batch.wide)
    text = bytes(batch.text) if batch.zero == 0 else batch.text
    if batch.zero == 0:
        text = bytes(value + 48 for value in text)
    columns = [
        (name, column.text, column.starts, column.ends)
        for name, column in zip(_names(batch), batch.columns, strict=True)
    ]
    cells = str.maketrans(dict.fromkeys(EMPTY_SYMBOLS, "."))
    for i, start in enumerate(batch.starts):
        width = 729 if i in wide else 81
        puzzle = bytes(text[start : start + width]).decode("ascii").translate(cells)
        extra = {}
        for name, source, starts, ends in columns:
            if ends[i] > starts[i]:
                extra[name] = bytes(source[starts[i] : ends[i]]).decode("utf-8", "replace")
        yield Record(int(batch.lines[i]), puzzle, extra)


def _names(batch: Batch) -> list[str]:
    """The carried columns; one called puzzle has to make room."""
    return ["given_puzzle" if column.name == "puzzle" else column.name for column in batch.columns]


def _only_plain(record: Record, kind: str) -> str:
    """The 81 cells; pencil marks are refused."""
    if len(record.cells) != 81:
        raise FormatError(f"line {record.line}: {kind} has no pencil marks; .txt, .csv and .jsonl do")
    return record.cells


def _one_line(text: str) -> str:
    return " ".join(text.split())


class LinesWriter(Writer):
    """81 characters a line, ``.`` for an empty cell; pencil-mark puzzles have 729."""

    marks: ClassVar[bool] = True

    def puzzles(self, batch: Batch) -> bytes:
        """All puzzles at once, natively."""
        if not len(batch.wide):
            return gather_lines(batch.text, batch.starts, batch.zero)
        return super().puzzles(batch)

    def puzzle(self, record: Record) -> str:
        """One line."""
        return (record.cells if self.marks else _only_plain(record, ".sdm")) + "\n"


class SdmWriter(LinesWriter):
    """SudoCue's collections: nothing but lines."""

    marks = False


class CsvWriter(Writer):
    """A header, then a record a puzzle."""

    def begin(self, names: tuple[str, ...]) -> str:
        """The header."""
        return _csv_record(["puzzle", *("given_puzzle" if name == "puzzle" else name for name in names)])

    def puzzles(self, batch: Batch) -> bytes:
        """The records."""
        names = _names(batch)
        return "".join(
            _csv_record([record.cells, *(record.extra.get(name, "") for name in names)])
            for record in records(batch)
        ).encode(errors="replace")


def _csv_record(fields: list[str]) -> str:
    quoted = (
        '"' + field.replace('"', '""') + '"' if any(c in field for c in ',"\r\n') else field
        for field in fields
    )
    return ",".join(quoted) + "\n"


class JsonlWriter(Writer):
    """An object a line: ``puzzle`` and what came with it."""

    def puzzles(self, batch: Batch) -> bytes:
        """The objects; all have the same names."""
        blank = dict.fromkeys(_names(batch), "")
        return "".join(
            json.dumps({"puzzle": record.cells, **blank, **record.extra}, ensure_ascii=False) + "\n"
            for record in records(batch)
        ).encode(errors="replace")


class SdkWriter(Writer):
    """SudoCue's .sdk: lines of metadata, nine rows, a blank line."""

    _LETTERS = (
        *(("A", "author"), ("D", "description"), ("C", "comment"), ("B", "created")),
        *(("S", "source"), ("L", "level"), ("U", "url")),
    )

    def puzzle(self, record: Record) -> str:
        """One grid."""
        cells = _only_plain(record, ".sdk")
        meta = [
            f"#{letter}{_one_line(line)}\n"
            for letter, name in self._LETTERS
            for line in record.extra.get(name, "").splitlines()
            if line.strip()
        ]
        return "".join(meta) + "".join(cells[i : i + 9] + "\n" for i in range(0, 81, 9)) + "\n"


class SsWriter(Writer):
    """Simple Sudoku's .ss: a framed grid."""

    in_order = True

    def __init__(self) -> None:
        self._last = ""

    def puzzle(self, record: Record) -> str:
        """One grid."""
        cells = _only_plain(record, ".ss")
        if (
            self._last
            and cells != self._last
            and all(a in (".", b) for a, b in zip(self._last, cells, strict=True))
        ):
            raise FormatError(
                f"line {record.line}: in .ss this puzzle would be read as the state of the one before it"
            )
        self._last = cells
        rows = [
            f"|{cells[i : i + 3]}|{cells[i + 3 : i + 6]}|{cells[i + 6 : i + 9]}|\n" for i in range(0, 81, 9)
        ]
        bands = ["".join(rows[i : i + 3]) for i in (0, 3, 6)]
        frame = "*-----------*\n"
        return frame + "|---+---+---|\n".join(bands) + frame + "\n"


class OpenSudokuWriter(Writer):
    """OpenSudoku's XML, version 1; version 2 where the puzzles come with folders.

    The name, author and so on of a version 1 collection are those of the first puzzle.
    """

    in_order = True  # where a game stands depends on the ones before it

    _INFO = (
        *(("title", "name"), ("author", "author"), ("description", "description"), ("comment", "comment")),
        *(("created", "created"), ("source", "source"), ("level", "level"), ("url", "sourceURL")),
    )
    _GAME = (
        *(("created", "created"), ("game_state", "state"), ("time", "time")),
        *(("last_played", "last_played"), ("note", "note")),
    )

    def __init__(self) -> None:
        self._folders = False
        self._folder: str | None = None
        self._begun = False

    def begin(self, names: tuple[str, ...]) -> str:
        """The declaration; the root's version depends on the columns."""
        self._folders = "folder" in names
        version = ' version="2"' if self._folders else ""
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku{version}>\n'

    def puzzle(self, record: Record) -> str:
        """One game."""
        data = _only_plain(record, ".opensudoku").replace(".", "0")
        if self._folders:
            return self._in_folder(record.extra) + self._game(record.extra, data)
        info = ""
        if not self._begun:
            info = "".join(
                f"  <{tag}>{escape(_legal(record.extra[name]))}</{tag}>\n"
                for name, tag in self._INFO
                if name in record.extra
            )
            self._begun = True
        return f'{info}  <game data="{data}"/>\n'

    def _in_folder(self, extra: dict[str, str]) -> str:
        folder = extra.get("folder", "")
        if folder == self._folder:
            return ""
        closing = "" if self._folder is None else "  </folder>\n"
        self._folder = folder
        return f"{closing}  <folder name={quoteattr(_legal(folder))}>\n"

    def _game(self, extra: dict[str, str], data: str) -> str:
        attributes = "".join(
            f" {attribute}={quoteattr(_legal(extra[name]))}"
            for name, attribute in self._GAME
            if name in extra
        )
        return f'    <game{attributes} data="{data}"/>\n'

    def end(self) -> str:
        """What is still open."""
        return ("  </folder>\n" if self._folder is not None else "") + "</opensudoku>\n"


def _legal(text: str) -> str:
    """Without the control characters XML cannot hold."""
    return "".join(c if c >= " " or c in "\t\n\r" else " " for c in text if c not in "\ufffe\uffff")


class LibraryWriter(Writer):
    """HoDoKu's library lines; the puzzles must come with the steps."""

    def puzzle(self, record: Record) -> str:
        """One line."""
        extra = record.extra
        if "technique" not in extra:
            raise FormatError(
                f"line {record.line}: a library line is one step; expected the columns technique, digits, "
                f"state and so on, found {', '.join(extra) or 'none'}"
            )
        cells = _only_plain(record, "a library line")
        line = LibraryLine(
            extra["technique"],
            cells,
            extra.get("state", cells),
            extra.get("digits", ""),
            tuple(extra.get("deleted", "").split()),
            tuple(extra.get("eliminations", "").split()),
            tuple(extra.get("placements", "").split()),
            extra.get("extra", ""),
        )
        return format_line(line) + "\n"


WRITERS: dict[str, type[Writer]] = {
    ".txt": LinesWriter,
    ".sdm": SdmWriter,
    ".csv": CsvWriter,
    ".jsonl": JsonlWriter,
    ".sdk": SdkWriter,
    ".ss": SsWriter,
    ".opensudoku": OpenSudokuWriter,
    ".library": LibraryWriter,
}
"""Suffix to writer; Parquet and Arrow are written elsewhere."""


def writer_for(name: str) -> Writer:
    """The writer for a file name, without the suffix of its compression.

    Raises
    ------
    FormatError
        When the suffix is none of them.
    """
    for suffix, kind in WRITERS.items():
        if name.lower().endswith(suffix):
            return kind()
    raise FormatError(
        f"expected an output name ending in {', '.join(WRITERS)}, .parquet or .arrow", file=name
    )
