"""What a reader yields.

A *reader* turns one open :class:`~unidoku.files.source.Source` into *chunks*; a chunk is parsed into a
*batch* by the thread that will also solve it, so that reading, parsing and solving run side by side.
A format whose parsing is cheap or already done yields batches straight away: a batch is a chunk.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any

from unidoku.cell import fault
from unidoku.errors import InvalidPuzzleError

if TYPE_CHECKING:
    from unidoku.files.source import Source

__all__ = ["HEAD", "Batch", "Chunk", "Column", "ReadOptions", "Reader", "Reject", "carried", "file_column"]

HEAD = 1 << 16  # bytes that choose a format by its content


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of readers; each reader uses those that apply to its format.

    Attributes
    ----------
    column : str or None
        Where the puzzle is: a field number from 1 in line files, a column's name elsewhere.
    strict : bool
        One empty symbol per line.
    keep : bool
        Yield the rest of each line or record as :class:`Column` objects.
    carry : bool
        Yield the other columns of formats that have named ones.
    numbered : bool
        Line numbers count from the beginning of the input. Without, a reader may count them from the
        beginning of each batch; the reading thread then need not count lines.
    """

    column: str | None = None
    strict: bool = False
    keep: bool = False
    carry: bool = False
    numbered: bool = True

    @property
    def carries(self) -> bool:
        """Whether to yield named columns."""
        return self.keep or self.carry


@dataclass(slots=True, eq=False)
class Column:
    """One text per puzzle, carried from the input to the output: an id, a rating, the rest of a line.

    Row ``i`` is ``text[starts[i]:ends[i]]``, UTF-8.

    Attributes
    ----------
    name : str
    text : bytes-like
    starts, ends : memoryview of int64
    constant : str or None
        The value, where it is the same in all rows, also in those that are no puzzles.
    kind : str
        The Arrow type of the values that are not empty; text outputs other than JSON do without.
    """

    name: str
    text: Any
    starts: Any
    ends: Any
    _: KW_ONLY
    kind: str = "string"
    constant: str | None = None

    def renamed(self, name: str) -> Column:
        """Return the same column under another name."""
        return replace(self, name=name)

    def at(self, places: Any) -> Column:
        """Return the values of some puzzles, given as an array of numbers."""
        import numpy as np

        return replace(self, starts=np.asarray(self.starts)[places], ends=np.asarray(self.ends)[places])


def file_column(batch: Batch) -> Column:
    """Return the column that names the input of each puzzle of a batch."""
    n = len(batch.starts)
    text = batch.source.encode("utf-8", "backslashreplace")
    ends = array("q", [len(text)]) * n
    return Column("file", text, array("q", bytes(8 * n)), ends, constant=batch.source)


def carried(batch: Batch, own: Sequence[str]) -> list[Column]:
    """Return the columns of a batch; those with the name of an `own` column are renamed to ``given_…``."""
    names = set(own)
    columns = []
    for column in batch.columns:
        name = column.name
        while name in names:
            name = f"given_{name}"
        names.add(name)
        columns.append(column if name == column.name else column.renamed(name))
    return columns


@dataclass(slots=True, eq=False)
class Reject:
    """A record that is not a puzzle.

    Attributes
    ----------
    before : int
        How many puzzles of the batch come before it.
    line, column : int
        Physical line (or record) and character, from 1.
    text : bytes
        The record as read; only its beginning where it is very long.
    expected, found : str
        What is expected, and what is found.
    """

    before: int
    line: int
    column: int
    text: bytes
    expected: str
    found: str

    @property
    def reason(self) -> str:
        """The error as one sentence."""
        return fault(self.expected, self.found)

    def error(self, source: str) -> InvalidPuzzleError:
        """Return the same as an exception with file, line and column."""
        return InvalidPuzzleError(self.reason, file=source, line=self.line, column=self.column)


class Chunk:
    """A piece of input, to be parsed by a worker."""

    __slots__ = ()

    def parse(self, scratch: dict[str, Any]) -> Batch:
        """Find the puzzles; runs in a worker thread.

        ``scratch`` belongs to one thread and keeps buffers and a scanner between calls. The batch
        is valid until the next call with it.
        """
        raise NotImplementedError

    def batches(self, scratch: dict[str, Any]) -> Iterator[Batch]:
        """Yield the same puzzles, in several batches if they are many; each is valid until the next one."""
        yield self.parse(scratch)

    def release(self) -> None:
        """Return the text's buffer; called once, when the results of the batch have been used."""


@dataclass(slots=True, eq=False)
class Batch(Chunk):
    """Puzzles ready for the kernel, in the buffer that they were read into.

    Puzzle ``i`` is ``text[starts[i]:starts[i] + 81]``: a byte ``zero + 1`` to ``zero + 9`` is a clue, any
    other is an empty cell; the reader has checked that there is nothing else. The puzzles numbered
    in ``marked`` have 729 characters instead, nine per cell.

    Attributes
    ----------
    source : str
        Name of the input, for messages.
    text : bytes-like
    starts : memoryview or array of int64
        Offset of each puzzle.
    lines : memoryview or array of int64
        Physical line (or record) number of each puzzle, from 1.
    zero : int
        48 for text, 0 for arrays of 0..9.
    marked : sequence of int
        Which puzzles have 729 characters, in rising order; empty as a rule.
    rejects : sequence of Reject
        The records that are not puzzles, in order of ``before``.
    columns : sequence of Column
        Other columns for the output.
    line_count : int or None
        The number of lines of the batch if lines are numbered from its beginning; None if they are numbered
        from the beginning of the input.
    """

    source: str
    text: Any
    starts: Any
    lines: Any
    _: KW_ONLY
    zero: int = 48
    marked: Sequence[int] = ()
    rejects: Sequence[Reject] = ()
    columns: Sequence[Column] = ()
    line_count: int | None = None

    def parse(self, scratch: dict[str, Any]) -> Batch:
        """Return the batch itself."""
        return self

    def texts(self) -> Iterator[str]:
        """Yield each puzzle: 81 or 729 characters, ``.`` for what is not a digit."""
        text, marked = memoryview(self.text), frozenset(self.marked)
        symbols = bytes(byte - self.zero + 48 if 0 < byte - self.zero < 10 else 46 for byte in range(256))
        for number, start in enumerate(self.starts):
            width = 729 if number in marked else 81
            yield bytes(text[start : start + width]).translate(symbols).decode("ascii")


class Reader:
    """One input in one format.

    Parameters
    ----------
    source : Source
        The open input; the reader reads from its :meth:`~Source.readinto` or, for a format
        that wants a seekable file, from its ``path``.
    options : ReadOptions
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source = source
        self.options = options

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read the input in order, to its end.

        Parameters
        ----------
        target : callable
            Returns how many bytes (about 82 a puzzle) the next chunk should have; called before each chunk.

        Raises
        ------
        InputError, FormatError
            After everything readable has been yielded.
        """
        raise NotImplementedError
