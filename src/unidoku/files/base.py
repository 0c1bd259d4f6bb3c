"""What a reader yields and a writer writes.

A *reader* turns one open `Source` into *chunks*; a chunk is parsed into a *batch* by the thread that will
also solve it, so that reading, parsing and solving run side by side.  A format whose parsing is cheap or
already done yields batches straight away: a batch is a chunk.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from unidoku.cell import EMPTY_SYMBOLS, OTHER_SIZE, VALUES
from unidoku.column import Column
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.source import ReadOptions, Source
from unidoku.native import cpu
from unidoku.native.text.scan import separated_cells
from unidoku.threads import Cancel

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PUZZLE_NAMES = (
    "puzzle",
    "quizzes",
    "question",
    "sudoku",
    "initial_board",
    "grid",
    "quiz",
    "puzzles",
    "board",
    "q",
)
"""Names of the puzzle's column in well-known data sets."""

BOM = b"\xef\xbb\xbf"
HEAD = 1 << 16  # bytes that choose a format by its content
LINES = 100  # significant lines looked at
_SYMBOLS = frozenset("".join(VALUES).encode())
_SEPARATORS = frozenset(b' \t,;:#|"')
_GRAIN = 1 << 12  # bytes


def puzzle_column(names: list[str], column: str | None, found: list[int] | None = None) -> int:
    """Return the column that the user named or numbered, or the only one `found`: by default by its name."""
    there = ", ".join(map(shown, names[:20]))
    if column is not None:
        if column in names:
            return names.index(column)
        if column.isascii() and column.isdigit() and 1 <= int(column) <= len(names):
            return int(column) - 1
        raise FormatError(f"expected a column {shown(column)}, found {there}")
    if found is None:
        found = [i for i, name in enumerate(names) if name.lower() in PUZZLE_NAMES or len(names) == 1]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(shown(names[i]) for i in found[:20])
        raise FormatError(
            f"the puzzle could be in any of the columns {several}; say which with --column (or column)"
        )
    known = ", ".join(PUZZLE_NAMES)
    raise FormatError(f"expected a column {known} or one named with --column (or column), found {there}")


@dataclass(slots=True, eq=False, repr=False)
class Reject:
    """A record that is not a puzzle; the text is None where it is null."""

    line: int
    column: int
    text: bytes | None
    reason: str
    extra: dict[str, Any] = field(default_factory=dict)
    """Its other values by the names of columns, where the reader has them as Python has them."""

    def error(self, source: str) -> InvalidPuzzleError:
        """Return the same as an exception with file, line and column."""
        return InvalidPuzzleError(self.reason, file=source, line=self.line, column=self.column)


class Chunk:
    """A piece of input, to be parsed by a worker."""

    __slots__ = ()

    def batches(self, scratch: dict[str, Any]) -> Iterator[Batch]:
        """Find the puzzles; runs in a worker thread.

        ``scratch`` belongs to one thread and keeps buffers and a scanner between calls. A batch is valid
        until the next one.
        """
        raise NotImplementedError

    def release(self) -> None:
        """Return the text's buffer; called once, when the results of the batch have been used."""


@dataclass(slots=True, eq=False, repr=False)
class Batch(Chunk):
    """Rows in order: puzzles ready for the kernel, in the buffer that they were read into, and other records.

    Puzzle ``i`` is ``text[starts[i]:starts[i] + 81]``: a byte ``zero + 1`` to ``zero + 9`` is a clue, any
    other is an empty cell; the reader has checked that there is nothing else. The puzzles numbered
    in ``marked`` have 729 characters instead, nine per cell.
    """

    source: str
    text: Any
    starts: Any
    lines: Any
    """Physical line (or record) number of each puzzle, from 1."""
    _: KW_ONLY
    zero: int = 48
    """48 for text, 0 for arrays of 0..9."""
    marked: Sequence[int] = ()
    rejects: Sequence[Reject] = ()
    """The rows that are no puzzles."""
    place: Any = None
    """What each row is, int64[n]: k is puzzle k, ~k is reject k; None where all rows are puzzles."""
    columns: dict[str, Column] = field(default_factory=dict)
    """What came with the rows, puzzles or not, by name."""
    line_count: int | None = None
    """The number of lines of the batch if lines are numbered from its beginning."""

    @classmethod
    def of_cells(cls, cells: Any) -> Batch:
        """Return puzzles given as uint8[n, 81], cells 0 to 9; they are not copied."""
        import numpy as np

        text = np.ascontiguousarray(cells, np.uint8).reshape(-1)
        return cls("", text, np.arange(0, text.size, 81), np.arange(1, len(cells) + 1), zero=0)

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.starts)

    @property
    def rows(self) -> int:
        """How many rows there are: puzzles and other records."""
        return len(self.starts) + len(self.rejects)

    def batches(self, scratch: dict[str, Any]) -> Iterator[Batch]:
        """Yield the batch itself."""
        yield self

    @property
    def cells(self) -> NDArray[np.uint8]:
        """The cells of the puzzles, 0 to 9: uint8[m, 81]; zeros for a puzzle with pencil marks."""
        import numpy as np

        from unidoku.parse_many import cells_of_text

        starts = np.asarray(self.starts, np.int64)
        if self.zero == 0 and not len(self.marked) and len(self.text) == 81 * len(starts):
            return np.frombuffer(self.text, np.uint8).reshape(-1, 81)
        cells = cells_of_text(self.text, starts, self.zero)
        cells[list(self.marked)] = 0
        return cells

    @property
    def puzzle_rows(self) -> NDArray[np.int64]:
        """The rows that are puzzles, from 0: int64[m]."""
        import numpy as np

        if self.place is None:
            return np.arange(len(self))
        return np.flatnonzero(np.asarray(self.place) >= 0)

    @property
    def puzzles(self) -> Column:
        """The puzzles as a column."""
        wide = None
        if len(self.marked):
            wide = bytearray(len(self.starts))
            for k in self.marked:
                wide[k] = 1
        return Column.cells(self.text, self.starts, self.zero, wide)

    def puzzle_columns(self) -> dict[str, Column]:
        """Return what came with the puzzles alone."""
        if self.place is None:
            return self.columns
        rows = self.puzzle_rows
        return {name: column.at(rows) for name, column in self.columns.items()}

    def at(self, puzzles: Any, begin: int = 0, end: int | None = None) -> Batch:
        """Return some puzzles, perhaps several times, with their columns, in place of all.

        The other records stay in their places; those before row `begin` and from row `end` on are left out.
        """
        import numpy as np

        puzzles = np.asarray(puzzles, np.int64)
        rows, place, rejects = puzzles, None, self.rejects
        if len(self.rejects):
            before = np.asarray(self.place)
            others = np.flatnonzero(before < 0)
            chosen = slice(*np.searchsorted(others, (begin, len(before) if end is None else end)).tolist())
            rejects = self.rejects[chosen]
            rows = np.concatenate([self.puzzle_rows[puzzles], others[chosen]])
            order = np.argsort(rows, kind="stable")
            rows = rows[order]
            place = np.where(order < len(puzzles), order, len(puzzles) - 1 - order)
        marked = np.flatnonzero(np.isin(puzzles, self.marked)).tolist() if len(self.marked) else ()
        return Batch(
            self.source,
            self.text,
            np.asarray(self.starts, np.int64)[puzzles],
            np.asarray(self.lines, np.int64)[puzzles],
            zero=self.zero,
            marked=marked,
            rejects=rejects,
            place=place if len(rejects) else None,
            columns={name: column.at(rows) for name, column in self.columns.items()},
        )

    def part(self, begin: int, end: int) -> Batch:
        """Return the rows from `begin` to before `end`; the lines are counted with the last of all."""
        import numpy as np

        first, last = np.searchsorted(self.puzzle_rows, (begin, end))
        some = self.at(np.arange(first, last), begin, end)
        if self.line_count is not None:
            some.line_count = self.line_count if end == self.rows else 0
        return some

    def with_puzzles(self, puzzles: Column, columns: dict[str, Column]) -> Batch:
        """Return the batch with other puzzles in the same places, not copied, and other columns."""
        text, starts, zero, wide = puzzles.puzzles()
        if text is self.text and starts is self.starts and columns is self.columns:
            return self
        marked = [k for k, is_wide in enumerate(wide) if is_wide] if wide is not None else ()
        return replace(self, text=text, starts=starts, zero=zero, marked=marked, columns=columns)

    def records(self) -> Iterator[PuzzleRecord]:
        """Yield the puzzles one by one, with their values that are not empty."""
        columns = [(name, column.as_texts()) for name, column in self.puzzle_columns().items()]
        for i, (line, cells) in enumerate(zip(self.lines, self.texts(), strict=True)):
            extra = {
                name: bytes(text[starts[i] : ends[i]]).decode("utf-8", "replace")
                for name, (text, starts, ends, _) in columns
                if ends[i] > starts[i]
            }
            yield PuzzleRecord(int(line), cells, extra, self.source)

    def texts(self) -> Iterator[str]:
        """Yield each puzzle: 81 or 729 characters, ``.`` for what is not a digit."""
        return iter(self.puzzles.to_list())


class Need(NamedTuple):
    """What is asked of the work on a batch.

    Attributes
    ----------
    columns : frozenset of str
        The columns that are written; others need not be made.
    cancel : Cancel
        Set once the work is to end: the run is cancelled, or rows wait for it too long, so that it is called
        again with fewer puzzles.  Work that takes long tests it, and may then return None.
    threads : callable
        Returns how many threads the work may use now: more than one where there are not enough batches.
    scratch : dict or None
        Buffers of this thread that are used again for its next batch, if there are any.
    """

    columns: frozenset[str]
    cancel: Cancel
    threads: Callable[[], int]
    scratch: dict[str, Any] | None = None

    def buffer(self, name: str, size: int) -> memoryview:
        """Return a buffer with undefined content; it is valid until the thread asks for it again."""
        buffer = None if self.scratch is None else self.scratch.get(name)
        if buffer is None or len(buffer) < size:
            buffer = bytearray(rounded(size))
            if self.scratch is not None:
                self.scratch[name] = buffer
        cpu.spoil(buffer)
        return memoryview(buffer)[:size]


class Fit(Enum):
    """Whether a content is of a format."""

    NO = auto()
    MAYBE = auto()
    """It could also be of another format."""
    YES = auto()


class Head:
    """The first bytes of a content, decompressed, and their lines."""

    def __init__(self, content: bytes) -> None:
        self.content = content.removeprefix(BOM)

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines that are neither blank nor comments; never one that is cut off."""
        found: list[bytes] = []
        pieces = self.content.splitlines(keepends=True)
        if len(pieces) > 1 and not pieces[-1].endswith((b"\n", b"\r")):
            pieces.pop()
        for piece in pieces:
            line = piece.strip()
            if line and line[:1] not in (b"#", b";") and not line.startswith(b"//"):
                found.append(line)
                if len(found) == LINES:
                    break
        return found

    @property
    def first(self) -> bytes:
        """The first such line; empty if there is none."""
        return self.lines[0] if self.lines else b""


def is_puzzle(field: bytes) -> bool:
    """Return whether these are 81 cells."""
    return len(field) == 81 and _SYMBOLS.issuperset(field)


def is_puzzle_line(line: bytes) -> bool:
    """Return whether a line begins with the cells or pencil marks of a puzzle."""
    for width in (81, 729):
        ends = len(line) == width or (len(line) > width and line[width] in _SEPARATORS)
        if ends and _SYMBOLS.issuperset(line[:width]):
            return True
    return separated_cells(line) is not None


def holds_puzzle(line: bytes) -> bool:
    """Return whether some field of a line is a puzzle."""
    fields = line.replace(b",", b" ").replace(b";", b" ").split()
    return any(is_puzzle(field.strip(b'"')) for field in fields)


SHOWN = 40
"""How much of a wrong text a message shows."""


def shown(text: str, width: int = SHOWN) -> str:
    """`text` for a message: shortened, control characters escaped."""
    short = text if len(text) <= width else text[: width - 1] + "…"
    return ascii(short) if not short.isprintable() else repr(short)


OTHER_LENGTHS = (256, 16)
"""How many cells a puzzle of the other size that users try has, and a row of it."""


def other_size(text: str) -> str:
    """Return a remark for messages if a text is a 16 x 16 puzzle or a row of one, else an empty text."""
    size, row_size = OTHER_LENGTHS
    whole = len(text) == size and all(symbol.isalnum() or symbol in EMPTY_SYMBOLS for symbol in text)
    row = len(text) == row_size and all(
        symbol in "123456789ABCDEFGabcdefg" + EMPTY_SYMBOLS for symbol in text
    )
    return f" ({OTHER_SIZE})" if whole or row else ""


def rounded(size: int) -> int:
    """Round the size of a buffer up, by at most an eighth, so that it can be reused for similar sizes."""
    step = max(_GRAIN, 1 << max(0, size.bit_length() - 4))
    return max(step, -(-size // step) * step)


class BufferPool:
    """Free buffers that threads may share: at most as many as were once in use at the same time."""

    def __init__(self) -> None:
        self._free: list[bytearray] = []

    def allocate(self, size: int) -> bytearray:
        """Return a buffer of at least `size` bytes with undefined content."""
        with suppress(IndexError):
            while True:
                buffer = self._free.pop()
                if len(buffer) >= size:  # a smaller one is dropped
                    cpu.spoil(buffer)
                    return buffer
        return bytearray(rounded(size))

    def release(self, buffer: object) -> None:
        """Return a buffer of `allocate` to the pool; an object that is no bytearray is ignored."""
        if isinstance(buffer, bytearray):
            self._free.append(buffer)


class Reader:
    """One input in one format."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source = source
        self.options = options

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether the beginning of a content is of this format."""
        return Fit.NO

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read to the end; ``target()`` is how many bytes (82 a puzzle) the next chunk should have.

        An `InputError` or `FormatError` comes after everything readable.
        """
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class Attempts(Reader):
    """Numbers in place of a file: a task makes a puzzle, or none, of each, as `generate` does.

    A batch has them as its line numbers, from `start` + 1 to `stop`, and no puzzles.
    """

    BYTES: ClassVar[int] = 82
    """A number counts as so many bytes, where work is measured in bytes."""
    start: int
    stop: int
    name: ClassVar[str] = "<attempts>"
    position: ClassVar[int] = 0

    @property
    def size(self) -> int:
        """How many bytes they count as."""
        return self.BYTES * (self.stop - self.start)

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Yield batches of numbers."""
        at = self.start
        while at < self.stop:
            end = min(self.stop, at + max(1, target() // self.BYTES))
            lines = array("q", range(at + 1, end + 1))
            yield Batch(self.name, b"", array("q", bytes(8 * len(lines))), lines)
            at = end

    def __enter__(self) -> Attempts:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@dataclass(slots=True)
class PuzzleRecord:
    """One puzzle as text, the physical line it begins on, and what came with it, by column name.

    Cells are 81 characters, ``1`` to ``9`` or ``.``; or 729 pencil marks, nine a cell, the digit or ``.``.
    """

    line: int
    cells: str
    extra: dict[str, Any] = field(default_factory=dict)
    source: str = ""


class Writer:
    """Turns batches of puzzles into text; formats with several suffixes are told which one is written."""

    in_order = False
    """Whether batches must be written one after the other, as the text of one depends on those before."""

    def __init__(self, suffix: str = "") -> None:
        self.suffix = suffix

    def begin(self, names: tuple[str, ...]) -> bytes:
        """Return the text before the first puzzle; `names` are those of the carried columns."""
        return b""

    def puzzles(
        self, batch: Batch, columns: Mapping[str, Column], allocate: Callable[[int], Any]
    ) -> bytes | memoryview:
        """Return the puzzles of a batch with some columns as one text, without the records that are none.

        It may be in a buffer from ``allocate(size)``.
        """
        records = replace(batch, columns=dict(columns)).records()
        return "".join(map(self.puzzle, records)).encode(errors="replace")

    def puzzle(self, record: PuzzleRecord) -> str:
        """One puzzle; a `FormatError` says that the format cannot hold it."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return the text after the last puzzle."""
        return b""


def plain_cells(record: PuzzleRecord, format_name: str) -> str:
    """Return the 81 cells of a puzzle; a `FormatError` refuses one with pencil marks."""
    if len(record.cells) != 81:
        raise FormatError(f"line {record.line}: {format_name} has no pencil marks; .txt, .csv and .jsonl do")
    return record.cells
