"""What a reader of a small format makes of a text: one record a puzzle, one fault a place that is none.

The formats people write by hand or export from a program hold a few thousand puzzles at most, so their
readers work on ``str`` and on records. The formats of large collections (lines, CSV, Arrow) never do.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unidoku.errors import FormatError
from unidoku.files.base import HEAD, Batch, Chunk, Column, Reader, ReadOptions, Reject
from unidoku.files.readers.text import check_text
from unidoku.grid import EMPTY_SYMBOLS

if TYPE_CHECKING:
    from unidoku.files.source import Source

__all__ = ["Fault", "NumberedLine", "Record", "RecordReader", "cells_of", "marks_of", "numbered_lines"]

_PIECE = 1 << 16
_BATCH_LIMIT = 4096  # puzzles; these formats cost more to parse than to solve

NumberedLine = tuple[int, str]
"""Physical line number from 1, and the line without its end."""

LINE_LIMIT = 1 << 16
"""Bytes kept of a line; no format here has a longer one."""

_CELLS = str.maketrans(dict.fromkeys(EMPTY_SYMBOLS, "."))
_DIGITS = frozenset("123456789")


@dataclass(slots=True)
class Record:
    """One puzzle and what came with it.

    Parameters
    ----------
    line : int
        Physical line it begins on, from 1.
    cells : str
        81 characters, ``1`` to ``9`` or ``.``; or 729 pencil marks, nine a cell, the digit or ``.``.
    extra : dict of str to str
        Title, author, given solution and so on, by column name.
    """

    line: int
    cells: str
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where a puzzle was expected and something else stands.

    Parameters
    ----------
    line, column : int
        Where, both from 1.
    text : str
        What stands there.
    expected, found : str
        What should have stood there, and what did.
    """

    line: int
    column: int
    text: str
    expected: str
    found: str


def numbered_lines(chunks: Iterable[bytes]) -> Iterator[NumberedLine]:
    """Cut a stream of bytes into physical lines.

    Lines end in LF, CRLF or a lone CR; a byte-order mark is dropped. Text that is not UTF-8 is read as
    Windows-1252, which older programs write. Of a line only the first 65,536 bytes are kept.
    """
    number = 1
    rest = b""
    first = True
    after_cr = False  # the chunk before ended in CR: a leading LF belongs to it
    dropping = False  # the line is longer than the limit, and its beginning is out already
    for chunk in chunks:
        data = bytes(chunk)
        if after_cr and data[:1] == b"\n":
            data = data[1:]
        if not data:
            continue
        after_cr = data.endswith(b"\r")
        # splitlines() of bytes knows exactly these three line ends
        for piece in data.splitlines(keepends=True):
            body = piece.rstrip(b"\r\n")
            ended = len(body) < len(piece)
            if not dropping:
                rest += body
            if ended or (not dropping and len(rest) >= LINE_LIMIT):
                if not dropping:
                    yield number, _decoded(rest[:LINE_LIMIT], first)
                    first = False
                rest = b""
                dropping = not ended
            if ended:
                number += 1
    if rest and not dropping:
        yield number, _decoded(rest, first)


def _decoded(line: bytes, first: bool) -> str:
    if first and line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def cells_of(text: str) -> str | None:
    """81 symbols as cells (``.`` for empty), or None where `text` is something else.

    >>> cells_of("1" + 80 * "0") == "1" + 80 * "."
    True
    """
    if len(text) != 81:
        return None
    cells = text.translate(_CELLS)
    return cells if _DIGITS.issuperset(cells.replace(".", "")) else None


def marks_of(text: str) -> str | None:
    """729 pencil marks with ``.`` for what is no candidate, or None where `text` is something else.

    Of each cell's nine characters the k-th is the digit k, ``.`` or ``0``.
    """
    if len(text) != 729:
        return None
    marks = text.replace("0", ".")
    if any(mark not in (".", "123456789"[i % 9]) for i, mark in enumerate(marks)):
        return None
    return marks


class RecordReader(Reader):
    """Batches of the records that `records` makes of the source."""

    columns: tuple[str, ...] = ()
    """What may come with a puzzle; empty: what comes with the first one."""

    bytewise = True
    """Whether the format's text is ASCII or UTF-8, never UTF-16."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        if self.bytewise:
            check_text(source.peek(HEAD), source.name)

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        raise NotImplementedError

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        gathered: list[Record | Fault] = []
        limit = max(1, min(_BATCH_LIMIT, target() // 82))
        try:
            for record in self.records(_pieces(self.source)):
                gathered.append(record)
                if len(gathered) >= limit:
                    yield self._batch(gathered)
                    gathered = []
                    limit = max(1, min(_BATCH_LIMIT, target() // 82))
        except FormatError as error:
            if gathered:
                yield self._batch(gathered)
            error.file = error.file or self.source.name
            raise
        if gathered:
            yield self._batch(gathered)

    def _batch(self, gathered: list[Record | Fault]) -> Batch:
        text = bytearray()
        starts, lines = array("q"), array("q")
        wide: list[int] = []
        rejects: list[Reject] = []
        records: list[Record] = []
        for item in gathered:
            if isinstance(item, Fault):
                raw = item.text[:_PIECE].encode(errors="replace")
                rejects.append(
                    Reject(len(starts), item.line, item.column, raw, expected=item.expected, found=item.found)
                )
                continue
            if len(item.cells) != 81:
                wide.append(len(starts))
            starts.append(len(text))
            lines.append(item.line)
            text += item.cells.encode("ascii")
            records.append(item)
        if not self.columns and records:
            self.columns = tuple(records[0].extra)
        columns = [_column(name, records) for name in self.columns] if self.options.carries else []
        return Batch(
            self.source.name, bytes(text), starts, lines, wide=wide, rejects=rejects, columns=columns
        )


def _column(name: str, records: list[Record]) -> Column:
    text = bytearray()
    starts, ends = array("q"), array("q")
    for record in records:
        starts.append(len(text))
        text += record.extra.get(name, "").encode(errors="replace")
        ends.append(len(text))
    return Column(name, bytes(text), starts, ends)


def _pieces(source: Source) -> Iterator[bytes]:
    buffer = bytearray(_PIECE)
    while count := source.readinto(memoryview(buffer)):
        yield bytes(buffer[:count])
