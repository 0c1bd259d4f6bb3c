"""The base of readers that work in Python: text to records (puzzles) and rejects (everything else).

The formats that people write by hand or export from a program hold a few thousand puzzles at most, so
their readers work on ``str`` and make an object per puzzle. The formats of large collections (lines, CSV,
Parquet, Arrow) never do.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import UnidokuError
from unidoku.files.base import Batch, Chunk, Column, PuzzleRecord, Reader, ReadOptions, Reject
from unidoku.files.head import HEAD
from unidoku.files.source import Source
from unidoku.files.text import KEPT, check_text

__all__ = ["LINE_LIMIT", "NumberedLine", "RecordReader", "cells_of", "decoded", "marks_of", "reject_at"]

PIECE = 1 << 16  # bytes read at once
BATCH_RECORDS = 4096  # in a batch; these formats cost more to parse than to solve
BATCH_TEXT = 1 << 20  # characters of the texts in a batch

NumberedLine = tuple[int, str]
"""Physical line number from 1, and the line without its end."""

LINE_LIMIT = 1 << 16
"""Bytes kept of a line; only JSON lines may be longer."""

_CELLS = bytes.maketrans(EMPTY_SYMBOLS.encode(), b"." * len(EMPTY_SYMBOLS))


def reject_at(line: int, column: int, text: str, expected: str, found: str) -> Reject:
    """Return what is yielded where a puzzle was expected, at a line and column from 1, and is not."""
    return Reject(0, line, column, text[:KEPT].encode(errors="replace"), expected=expected, found=found)


def _numbered_lines(pieces: Iterable[bytes]) -> Iterator[NumberedLine]:
    """Cut a stream of bytes into physical lines.

    Lines end in LF, CRLF or a lone CR; a byte-order mark is dropped. Text that is not UTF-8 is read as
    Windows-1252, which older programs write.
    """
    number = 1
    rest = bytearray()
    first = True
    after_cr = False  # the piece before ended in CR: a leading LF belongs to it
    dropping = False  # the line is longer than the limit, and its beginning has been yielded
    for piece in pieces:
        data = piece[1:] if after_cr and piece[:1] == b"\n" else piece
        if not data:
            continue
        after_cr = data.endswith(b"\r")
        # splitlines() of bytes knows exactly these three line ends
        for part in data.splitlines(keepends=True):
            body = part.rstrip(b"\r\n")
            ended = len(body) < len(part)
            if not dropping:
                rest += body
            if ended or (not dropping and len(rest) >= LINE_LIMIT):
                if not dropping:
                    yield number, decoded(bytes(rest[:LINE_LIMIT]), first)
                    first = False
                rest.clear()
                dropping = not ended
            if ended:
                number += 1
    if rest and not dropping:
        yield number, decoded(bytes(rest), first)


def decoded(line: bytes, first: bool = False) -> str:
    """Return a line as text; without a byte-order mark if it is the first."""
    if first and line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def cells_of(text: str) -> str | None:
    """81 symbols as cells (``.`` for empty), or None where `text` is something else."""
    if len(text) != 81 or not text.isascii():
        return None
    cells = text.encode().translate(_CELLS)  # of bytes: several times as fast
    return None if cells.translate(None, b"123456789.") else cells.decode()


def marks_of(text: str) -> str | None:
    """729 pencil marks with ``.`` for what is not a candidate, or None where `text` is something else.

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

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Parse the content."""
        raise NotImplementedError

    def pieces(self) -> Iterator[bytes]:
        """Yield the content in pieces."""
        buffer = bytearray(PIECE)
        while count := self.source.readinto(memoryview(buffer)):
            yield bytes(buffer[:count])

    def lines(self) -> Iterator[NumberedLine]:
        """Return the numbered lines of the content."""
        return _numbered_lines(self.pieces())

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        gathered: list[PuzzleRecord | Reject] = []
        most, size = 0, 0
        failure = None
        try:
            for item in self.records():
                most = most or max(1, min(BATCH_RECORDS, target() // 82))
                gathered.append(item)
                size += len(item.text) if isinstance(item, Reject) else item.size
                if len(gathered) >= most or size >= BATCH_TEXT:
                    yield self._batch(gathered)
                    gathered, most, size = [], 0, 0
        except UnidokuError as error:
            error.file = error.file or self.source.name
            failure = error
        if gathered:
            yield self._batch(gathered)
        if failure is not None:
            raise failure

    def _batch(self, gathered: list[PuzzleRecord | Reject]) -> Batch:
        text = bytearray()
        starts, lines = array("q"), array("q")
        marked: list[int] = []
        rejects: list[Reject] = []
        records: list[PuzzleRecord] = []
        for item in gathered:
            if isinstance(item, Reject):
                item.before = len(starts)
                rejects.append(item)
                continue
            if len(item.cells) != 81:
                marked.append(len(starts))
            starts.append(len(text))
            lines.append(item.line)
            text += item.cells.encode("ascii")
            records.append(item)
        if not self.columns and records:
            self.columns = tuple(records[0].extra)
        columns = [_column(name, records) for name in self.columns] if self.options.carries else []
        return Batch(
            self.source.name, bytes(text), starts, lines, marked=marked, rejects=rejects, columns=columns
        )


def _column(name: str, records: list[PuzzleRecord]) -> Column:
    text = bytearray()
    starts, ends = array("q"), array("q")
    for record in records:
        starts.append(len(text))
        text += record.extra.get(name, "").encode(errors="replace")
        ends.append(len(text))
    return Column(name, bytes(text), starts, ends)
