"""The base of readers that work in Python: text to records (puzzles) and rejects (everything else).

The formats that people write by hand or export from a program hold a few thousand puzzles at most, so
their readers work on ``str`` and make an object per puzzle. The formats of large collections (lines, CSV,
Parquet, Arrow) never do.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Callable, Iterable, Iterator

from unidoku.cell import EMPTY_SYMBOLS, fault
from unidoku.errors import UnidokuError
from unidoku.files.base import Batch, Chunk, Column, PuzzleRecord, Reader, Reject
from unidoku.files.text import BOM, HEAD, KEPT, check_text

PIECE = 1 << 16  # bytes read at once
BATCH_RECORDS = 4096  # in a batch; these formats cost more to parse than to solve
BATCH_TEXT = 1 << 20  # characters of the texts in a batch

LINE_LIMIT = 1 << 16
"""Bytes kept of a line; only JSON lines may be longer."""

_CELLS = bytes.maketrans(EMPTY_SYMBOLS.encode(), b"." * len(EMPTY_SYMBOLS))


def reject_at(line: int, column: int, text: str, expected: str, found: str) -> Reject:
    """Return what is yielded where a puzzle was expected, at a line and column from 1, and is not."""
    return Reject(0, line, column, text[:KEPT].encode(errors="replace"), fault(expected, found))


def numbered_lines(stream: io.RawIOBase | io.BytesIO) -> Iterator[tuple[int, str]]:
    """Yield the physical lines of a text, numbered from 1, without their ends (LF, CRLF or a lone CR)."""
    # a character for each byte: every line is decoded by itself
    text = io.TextIOWrapper(io.BufferedReader(stream, PIECE), "latin-1")
    number = 0
    while piece := text.readline(LINE_LIMIT):
        number += 1
        yield number, decoded(piece.removesuffix("\n").encode("latin-1"))
        while piece and not piece.endswith("\n"):
            piece = text.readline(LINE_LIMIT)


def decoded(line: bytes) -> str:
    """Return a line as text; what is not UTF-8 is read as Windows-1252, which older programs write."""
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
    """729 pencil marks, with ``.`` for what is no candidate, or None where `text` is something else."""
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

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Parse the content."""
        raise NotImplementedError

    def lines(self) -> Iterator[tuple[int, str]]:
        """Return the numbered lines of the content, which is ASCII or UTF-8."""
        check_text(self.source.peek(HEAD), self.source.name)
        self.source.read(len(BOM) * self.source.peek(len(BOM)).startswith(BOM))
        return numbered_lines(self.source)

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        columns = (self.columns or None) if self.options.carry else ()
        return batches(self.records(), self.source.name, columns, target)


def batches(
    items: Iterable[PuzzleRecord | Reject],
    source: str,
    columns: tuple[str, ...] | None,
    target: Callable[[], int],
) -> Iterator[Batch]:
    """Gather records and rejects to batches; without `columns` they are what comes with the first record."""
    gathered: list[PuzzleRecord | Reject] = []
    most, size = 0, 0
    failure = None
    try:
        for item in items:
            most = most or max(1, min(BATCH_RECORDS, target() // 82))
            gathered.append(item)
            if isinstance(item, PuzzleRecord):
                size += len(item.cells) + sum(map(len, item.extra.values()))
                if columns is None and item.extra:
                    columns = tuple(item.extra)
            else:
                size += len(item.text)
            if len(gathered) >= most or size >= BATCH_TEXT:
                yield _batch(gathered, source, columns or ())
                gathered, most, size = [], 0, 0
    except UnidokuError as error:
        error.file = error.file or source
        failure = error
    if gathered:
        yield _batch(gathered, source, columns or ())
    if failure is not None:
        raise failure


def _batch(gathered: list[PuzzleRecord | Reject], source: str, names: tuple[str, ...]) -> Batch:
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
    columns = [_column(name, records) for name in names]
    return Batch(source, bytes(text), starts, lines, marked=marked, rejects=rejects, columns=columns)


def _column(name: str, records: list[PuzzleRecord]) -> Column:
    text = bytearray()
    starts, ends = array("q"), array("q")
    for record in records:
        starts.append(len(text))
        text += record.extra.get(name, "").encode(errors="replace")
        ends.append(len(text))
    return Column(name, bytes(text), starts, ends)
