"""What every formatter of puzzles does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from unidoku.errors import FormatError
from unidoku.files.base import Batch, Column
from unidoku.files.readers.records import PuzzleRecord

__all__ = ["Writer", "one_line", "plain_cells", "records"]


class Writer:
    """Turns batches of puzzles into text.

    Parameters
    ----------
    suffix : str
        The suffix of the output's name, for formats that have several.

    Attributes
    ----------
    own_columns : tuple of str
        The names of the format's own columns; a carried column with one of these is renamed.
    carries : bool
        Whether carried columns are written.
    in_order : bool
        Whether batches must be formatted one after the other, because the text of one depends on those
        before it.
    one_header : bool
        Whether a header names the carried columns, so that all batches must carry the same ones.
    """

    own_columns: ClassVar[tuple[str, ...]] = ("puzzle",)
    carries = True
    in_order = False
    one_header = False

    def __init__(self, suffix: str = "") -> None:
        self.suffix = suffix

    def begin(self, names: tuple[str, ...]) -> bytes:
        """Return the text before the first puzzle; `names` are those of the carried columns."""
        return b""

    def pieces(
        self, batch: Batch, columns: Sequence[Column], results: Any, allocate: Callable[[int], Any]
    ) -> list[Any]:
        """Return the puzzles of a batch with the carried columns.

        Raises
        ------
        FormatError
            When the format cannot hold one of them.
        """
        return [self.puzzles(batch, columns)]

    def puzzles(self, batch: Batch, columns: Sequence[Column]) -> bytes:
        """Return the puzzles of a batch as one text."""
        return "".join(self.puzzle(record) for record in records(batch, columns)).encode(errors="replace")

    def puzzle(self, record: PuzzleRecord) -> str:
        """One puzzle."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return the text after the last puzzle."""
        return b""


def records(batch: Batch, columns: Sequence[Column]) -> Iterator[PuzzleRecord]:
    """Yield the puzzles of a batch one by one, with the values of their columns that are not empty."""
    values = [(column.name, column.text, column.starts, column.ends) for column in columns]
    for i, (line, cells) in enumerate(zip(batch.lines, batch.texts(), strict=True)):
        extra = {
            name: bytes(text[starts[i] : ends[i]]).decode("utf-8", "replace")
            for name, text, starts, ends in values
            if ends[i] > starts[i]
        }
        yield PuzzleRecord(int(line), cells, extra)


def plain_cells(record: PuzzleRecord, format_name: str) -> str:
    """Return the 81 cells of a puzzle.

    Raises
    ------
    FormatError
        For a puzzle with pencil marks.
    """
    if len(record.cells) != 81:
        raise FormatError(f"line {record.line}: {format_name} has no pencil marks; .txt, .csv and .jsonl do")
    return record.cells


def one_line(text: str) -> str:
    """Return a text with every run of whitespace, line ends included, as one blank."""
    return " ".join(text.split())
