"""The readers of small formats: records gathered to batches."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from unidoku.errors import FormatError
from unidoku.files.base import HEAD, Batch, Chunk, Column, Reader, ReadOptions, Reject
from unidoku.files.lines import check_text
from unidoku.files.record import Fault, Record, numbered_lines

if TYPE_CHECKING:
    from unidoku.files.source import Source

__all__ = [
    "GridReader",
    "JsonlReader",
    "LibraryReader",
    "OpenSudokuReader",
    "SdkReader",
    "SdxReader",
    "SsReader",
]

_PIECE = 1 << 16
_BATCH_LIMIT = 4096  # puzzles; these formats cost more to parse than to solve


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


_GRID_COLUMNS = ("title", "comment", "state", "candidates")
_SDK_COLUMNS = ("title", "author", "description", "comment", "created", "source", "level", "url", "state")


class GridReader(RecordReader):
    """Grids over several lines, in any frame."""

    columns = _GRID_COLUMNS

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        from unidoku.files.grids import read

        return read(numbered_lines(pieces))


class SdkReader(RecordReader):
    """SudoCue's and SadMan's .sdk."""

    columns = _SDK_COLUMNS

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        from unidoku.files.grids import read

        return read(numbered_lines(pieces), meta=True)


class SsReader(RecordReader):
    """Simple Sudoku's .ss, and pastes from it and from HoDoKu."""

    columns = _GRID_COLUMNS

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        from unidoku.files.grids import read

        return read(numbered_lines(pieces), pastes=True)


class SdxReader(RecordReader):
    """SudoCue's .sdx."""

    columns = ("state", "candidates")

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        from unidoku.files.sdx import read_sdx

        return read_sdx(numbered_lines(pieces))


class LibraryReader(RecordReader):
    """HoDoKu's library lines."""

    columns = ("technique", "digits", "state", "deleted", "eliminations", "placements", "extra")

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        from unidoku.files.library import read_library

        return read_library(numbered_lines(pieces))


class OpenSudokuReader(RecordReader):
    """OpenSudoku's XML."""

    bytewise = False
    columns = (
        *("title", "author", "description", "comment", "created", "source", "level", "url"),
        *("folder", "game_state", "time", "last_played", "note", "state"),
    )

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        from unidoku.files.opensudoku import read_opensudoku

        return read_opensudoku(pieces)


class JsonlReader(RecordReader):
    """JSON lines."""

    def records(self, pieces: Iterable[bytes]) -> Iterator[Record | Fault]:
        """Parse the content."""
        from unidoku.files.jsonl import read_jsonl

        return read_jsonl(numbered_lines(pieces), self.options.column)
