"""Base of the readers with native scanners: lines, CSV and JSON lines."""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from unidoku._native.text import scan
from unidoku._native.text.columns import REJECT_CELL, REJECT_FIELDS, REJECT_LENGTH, places
from unidoku._table.batch import KEPT, Batch, PuzzleRecord, Reject
from unidoku.cell import with_lost_zeros, wrong_signs
from unidoku.errors import Message, Reason, UnidokuError, escape, without_frames
from unidoku.files._chunks import (
    BOM,
    HEAD,
    LINE_LIMIT,
    BufferPool,
    Chunk,
    Field,
    Partition,
    Reader,
    Reading,
    Spans,
    check_text,
    utf8_of,
)
from unidoku.files._records import merged, read_again
from unidoku.files._source import PIECE, MemoryFile, Section, Source

if TYPE_CHECKING:
    from unidoku._table.column import Column

Item: TypeAlias = tuple[int, PuzzleRecord | Reject]
"""A record that Python reads, after a number of records that a scanner has found."""

_COUNTED_BYTES = 1 << 20  # at a time, if only lines are counted
_FEWEST = 2  # cells of a line that has none at its beginning, or one before a separator
_MOST_LINES = 1 << 14
"""Lines of a batch, as some 600 bytes are kept of each one that is not a puzzle."""


class TextReader(Reader):
    """Base of readers whose chunks are whole lines (or records) in reused buffers."""

    line: int

    least_bytes = 1
    """The least bytes of a chunk: if a row has thousands of columns, each costs time in each chunk."""
    line_max = LINE_LIMIT
    """Largest line or record in bytes; the rest of a longer line is skipped."""

    counts_line = False
    """Whether a line without a puzzle has as many cells as there are in it, in quotes or with separators."""

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        self.stream: Source | MemoryFile | Section = source
        """The lines or records after the first `skip` bytes of the source, `line` lines at first."""
        self.pool: BufferPool = BufferPool()
        self.legacy_line: int | None = None  # of a header or a text that is read as a whole
        self.scanners: list[Any] = []  # that no thread uses now
        self.keeps_text: bool = (
            settings.needed.has_any
        )  # of other columns than the puzzle's, which must be UTF-8
        self.head: bytes = source.peek(HEAD)
        if not self.head and source.failure is not None:
            raise source.failure
        check_text(self.head)
        self.skip: int = len(BOM) * self.head.startswith(BOM)  # bytes before the first line or record

    def partitions(self, size: int) -> list[Partition]:
        """Return partitions of whole lines, if the reader sees the lines of an uncompressed file."""
        source = self.source
        if self.stream is not source or not source.seekable():
            return []
        found, begin, total = list[Partition](), self.skip, source.seek(0, os.SEEK_END)
        line: int | None = self.line
        while begin < total:
            end = total if total - begin < 3 * size // 2 else self._after_line(begin + size)
            found.append(Partition(source.name, begin, end, end - begin, line))
            begin, line = end, None
        return found

    def _after_line(self, place: int) -> int:
        """Return where the line ends that has a byte at this place."""
        end = self.source.seek(place)
        while piece := self.source.read(PIECE):
            if at := piece.find(b"\n") + 1:
                return end + at
            end += len(piece)
        return end

    def lines_in(self, partition: Partition) -> int | None:
        """Count the lines of a partition; None if a record may have several."""
        self.limit(partition)
        count, rest = 0, b""
        while piece := self.stream.read(_COUNTED_BYTES):
            text = rest + piece
            end = text.rfind(b"\n") + 1
            if not self.are_records(text[:end]):
                return None
            count += scan.count_lines(text, 0, end)
            rest = text[end:]
        return count if self.are_records(rest) else None

    def are_records(self, lines: bytes) -> bool:
        """Return whether each of some lines is a record."""
        return True

    def limit(self, partition: Partition) -> None:
        """Read only the lines of a partition."""
        self.stream = Section(self.source, partition.begin, partition.end)
        self.skip, self.line = 0, partition.line or 0

    def scanner(self) -> Any:
        """Return a native scanner of chunks."""
        raise NotImplementedError

    def free_scanner(self) -> Any:
        """Return a scanner that no thread uses."""
        if self.scanners:
            return self.scanners.pop()
        return self.scanner()

    def parse(self, scanner: Any, text: bytearray, end: int, line: int) -> Batch:
        """Return the batch of a chunk: the first `end` bytes of a text, after `line` lines."""
        raise NotImplementedError

    def items(self, scanner: Any, text: bytearray) -> list[Item]:
        """Return what a scanner has rejected, records in another form among it."""
        numbers = scanner.rejects.tolist()
        rows = (numbers[k : k + 9] for k in range(0, len(numbers), 9))
        items = ((before, self.item(text, row)) for before, *row in rows)
        return [(before, item) for before, item in items if item is not None]

    def batch(self, scanner: Any, text: bytearray, fields: list[Field], items: list[Item]) -> Batch:
        """Gather the puzzles in a text, their fields, and further items."""
        order = None
        if items:
            order = places(len(scanner.starts), array("q", (before for before, _ in items)))
        columns = _columns_of(text, fields, order) if fields else {}
        batch = Batch(self.source.name, text, scanner.starts, scanner.lines, order=order, columns=columns)
        return merged(batch, [item for _, item in items])

    texts: frozenset[int] = frozenset()
    """The codes of rejects that are looked at again: they may be texts with a puzzle in another form."""

    def reason(self, code: int, count: int, here: bytes) -> Reason:
        """Describe a fault by its code, its count, and the bytes there."""
        raise NotImplementedError

    def item(self, text: bytearray, numbers: list[int]) -> PuzzleRecord | Reject | None:
        """Return a reject of a scanner from its numbers, or the puzzle that it is in another form."""
        line, at, begin, end, code, count, text_begin, text_end = numbers
        is_text = code in self.texts and text_end - text_begin > 81 - (code == REJECT_FIELDS)
        place = begin + at
        column = len(bytes(text[begin:place]).decode("utf-8", "replace")) + 1
        here = bytes(text[place : min(place + 4, end)])
        reason: Reason | None = None
        if code == REJECT_CELL:
            cells = bytes(text[place - count : min(place - count + 81, end)])
            reason = wrong_signs(cells.decode("latin-1"))
        # the line may have more cells than the scanner has counted
        is_list = code == REJECT_CELL and here[:1] in (b"[", b"(")
        if self.counts_line and count < _FEWEST and (is_list or code == REJECT_LENGTH):
            from unidoku._parse.errors import cells_on  # not at the top: a check of lines starts faster

            size = cells_on(bytes(text[begin : min(end, begin + KEPT)]).decode("utf-8", "replace"))
            if size >= _FEWEST and size != 81:
                reason = self.reason(REJECT_LENGTH, size, here)
        reason = reason or self.reason(code, count, here)
        whole = bytes(text[text_begin:text_end])  # a link can be long
        reject = Reject(line, column, whole, with_lost_zeros(reason, whole))
        if is_text:
            return read_again(reject)
        reject.text = whole[:KEPT]
        return reject

    def last_end(self, buffer: bytearray, end: int) -> int:
        """Return the end of the last complete line or record in the first `end` bytes, or 0."""
        return scan.last_line_end(buffer, 0, end)

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read whole lines or records, about ``target()`` bytes."""
        self.source.read(self.skip)
        remainder = b""  # a line or record that has begun
        min_size, size_max = 1, sys.maxsize
        is_small = self.stream is self.source and len(self.head) < HEAD
        if is_small:
            size_max = len(self.head) + 1  # one more shows the end
        while True:
            size = len(remainder) + min(max(target(), min_size, self.least_bytes), size_max)
            buffer = self.pool.allocate(size)
            with memoryview(buffer) as view:
                view[: len(remainder)] = remainder
                end = len(remainder) + self.stream.readinto(view[len(remainder) : size])
            is_at_end = end < size
            failure = self.source.failure if is_at_end else None
            final = is_at_end and failure is None
            cut = end if final else self.last_end(buffer, end)
            skipping = not is_at_end and not cut and end > self.line_max
            if skipping:
                cut = end
            remainder = bytes(memoryview(buffer)[cut:end])
            min_size = 1 if cut else end  # without a line end: read twice as much
            if cut:
                last_byte = bytes(buffer[cut - 1 : cut])
                line = self.line
                self.line += scan.count_lines(buffer, 0, cut)
                parts = 1 + (self.line - line) // _MOST_LINES
                yield partial(self._batches, buffer, cut, line, parts=parts, is_cut=skipping)
                if skipping:
                    remainder = self._skip_line(last_byte)
            else:
                self.pool.release(buffer)
            if failure is not None:
                raise failure
            if final:
                return

    def _batches(
        self, text: bytearray, end: int, line: int, *, parts: int, is_cut: bool
    ) -> Iterator[Batch | UnidokuError]:
        """Scan a chunk, in parts if it has many lines; then free its buffer and the scanner."""
        scanner = self.free_scanner()
        try:
            if parts == 1:
                yield self._batch(scanner, text, end, line, is_cut=is_cut)
                return
            for part in self._parts(text, end, end // parts):
                yield self._batch(scanner, part, len(part), line, is_cut=is_cut)
                line += scan.count_lines(part, 0, len(part))
        except UnidokuError as error:
            yield without_frames(error)
        finally:
            self.scanners.append(scanner)
            self.pool.release(text)

    def _parts(self, text: bytearray, end: int, size: int) -> Iterator[bytearray]:
        """Yield copies of whole lines or records of about this size."""
        begin = 0
        while begin < end:
            part = text[begin : min(begin + size, end)]
            if cut := self.last_end(part, len(part)):
                del part[cut:]
            else:
                part = text[begin:end]
            yield part
            begin += len(part)

    def _batch(self, scanner: Any, text: bytearray, end: int, line: int, *, is_cut: bool) -> Batch:
        """Scan the first bytes of a text, as UTF-8 if need be."""
        utf8, size, legacy_line = text, end, self.legacy_line
        if self.keeps_text:
            decoded, first = utf8_of(bytes(memoryview(text)[:end]), is_cut=is_cut)
            if first is not None:
                utf8, size, legacy_line = bytearray(decoded), len(decoded), legacy_line or line + first + 1
        batch = self.parse(scanner, utf8, size, line)
        batch.text_bytes, batch.legacy_line = end, legacy_line
        batch.roles = self.roles._replace(names=(*self.roles.names, *batch.late))
        return batch

    def _skip_line(self, piece: bytes) -> bytes:
        """Skip the rest of a line that begins with a piece; return the bytes read after it."""
        while (at := scan.first_line_end(piece, 0, len(piece))) == len(piece):
            piece = self.stream.read(PIECE)
            if not piece:
                return b""
        remainder = piece[at:]
        if remainder == b"\r":
            remainder += self.stream.read(1)  # perhaps its LF
        return remainder[1 + remainder.startswith(b"\r\n") :]


def _columns_of(text: bytearray, fields: list[Field], order: Any) -> dict[str, Column]:
    """Return a column for each field, with the values of all records where `order` interleaves them."""
    from unidoku._table.column import (  # not at the top: a check starts faster
        Column,
        StringValues,
        in_one_text,
    )

    def column(values: Spans | list[Any]) -> Column:
        if isinstance(values, list):
            return Column.of(values)
        begins, ends, *states = values
        return Column(StringValues(text, begins, ends), None, *states)

    puzzles = {name: column(spans) for name, spans, _ in fields}
    if order is None:
        return puzzles
    rejects = {name: column(spans) for name, _, spans in fields if spans is not None}
    strings = in_one_text(*puzzles.values(), *rejects.values())
    rejects = dict(zip(rejects, strings[len(puzzles) :], strict=True))
    return {name: one.merge(rejects.get(name), order) for name, one in zip(puzzles, strings, strict=False)}


@lru_cache(256)
def quote_character(here: bytes) -> str:
    """Quote the first character of some bytes."""
    if not here:
        return Message("the end of the line")
    if here[0] == 0:
        return Message("a NUL byte")
    text = here.decode("utf-8", "ignore")
    if text and here.startswith(text[0].encode()):
        return f"'{escape(text[0])}'"
    return Message("the byte {code}", code=f"0x{here[0]:02x}")
