"""Readers of formats: base classes, names of columns, quotes in messages.

A *reader* cuts an open `Source` into *chunks*; a chunk is parsed into *batches* by the thread that also
solves them, so that reading, parsing and solving run side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from unidoku.errors import FormatError, UnidokuError
from unidoku.files.records import batch_of, puzzle_in
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.table.batch import Batch, PuzzleRecord, Reject

Chunk: TypeAlias = Callable[[], Iterator[Batch | UnidokuError]]
"""A piece of an input: a call parses it into batches, each valid until the next one.

An error replaces the rest of the input.
"""


Spans: TypeAlias = tuple[Any, ...]
"""Buffers of the beginnings and ends of texts in a chunk, perhaps with their states."""

Field: TypeAlias = tuple[str, Spans, "Spans | list[Any] | None"]
"""A field beside the puzzles: its name, the spans of puzzles, and the spans or values of rejects, if any."""


def chunk_of(*batches: Batch | UnidokuError) -> Chunk:
    """Return a chunk of batches, or of an error."""
    return partial(iter, batches)


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
COLUMN_BYTES = 256
"""Bytes of a chunk for each column of the input, at least."""
WIDEST = 1 << 21
"""Bytes of such a chunk, at most."""
_RECORDS = 4096  # in a batch of records; their formats cost more to parse than to solve


def puzzle_column(
    names: list[str],
    column: str | None,
    *,
    lone: bool = False,
    line: int | None = None,
    rows: Callable[[], Sequence[Sequence[object]]] = tuple,
) -> int:
    """Find the column of the puzzles: the one that the user named or numbered, or the one with a known name.

    With `lone`, the only column may have any name.  If no name is known, or several are, it is the one with
    puzzles in the first `rows`, which are read then; of several, the one with empty cells.  An error has the
    line.
    """
    listed = ", ".join(map(quote, names[:20])) or "none"
    if column is not None:
        if column in names:
            return names.index(column)
        if column.isascii() and column.isdigit() and 1 <= int(column) <= len(names):
            return int(column) - 1
        raise FormatError(f"expected a column {quote(column)}, found {listed}", line=line)
    any_name = lone and len(names) == 1
    candidates = [i for i, name in enumerate(names) if any_name or name.lower() in PUZZLE_NAMES]
    if len(candidates) != 1:
        candidates = columns_with_puzzles(candidates or range(len(names)), rows()) or candidates
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        several = ", ".join(quote(names[i]) for i in candidates[:20])
        message = f"the puzzle could be in any of the columns {several}; say which with --column (or column)"
    else:
        choices = ", ".join(PUZZLE_NAMES)
        message = f"expected a column {choices} or one named with --column (or column), found {listed}"
    raise FormatError(message, line=line)


def columns_with_puzzles(columns: Iterable[int], rows: Sequence[Sequence[object]]) -> list[int]:
    """Return the columns with a puzzle in most rows; those with empty cells, if some have any."""
    texts = {i: [puzzle_in(str(row[i]).strip()) for row in rows if i < len(row)] for i in columns}
    puzzles = {
        i: cells for i, texts_of in texts.items() if 2 * len(cells := [*filter(None, texts_of)]) > len(rows)
    }
    return [i for i, cells in puzzles.items() if "." in "".join(cells)] or [*puzzles]


def unique_names(names: list[str]) -> tuple[str, ...]:
    """Name columns without a name by their number, and append a number to repeated names."""
    last_numbers: dict[str, int] = {}  # appended to a name
    result = []
    for number, name in enumerate(names, 1):
        base = choice = name or f"column{number}"
        while choice in last_numbers:
            last_numbers[base] += 1
            choice = f"{base}_{last_numbers[base]}"
        last_numbers[choice] = 1
        result.append(choice)
    return tuple(result)


QUOTE_MAX = 40
"""Longest quote of a text in a message, in characters."""


def quote(text: str) -> str:
    """Quote a text in a message: shorten it, escape control characters."""
    short = text if len(text) <= QUOTE_MAX else text[: QUOTE_MAX - 1] + "…"
    return ascii(short) if not short.isprintable() else repr(short)


class Reading(NamedTuple):
    """How inputs are read."""

    format: str | None = None
    """Its name, instead of recognising it."""
    column: str | None = None
    """The column of the puzzles, by name or number, instead of finding it."""
    keeps: bool = True
    """Whether to yield the columns of the input."""
    rest: bool = False
    """Whether the text beside the puzzle of a plain line is a column."""
    needed: Callable[[Sequence[str]], Sequence[str]] | None = None
    """Which of some columns of the input are needed; None for all."""


class Reader:
    """Base of the readers of formats: a subclass overrides `records` or `chunks`."""

    def __init__(self, source: Source, settings: Reading) -> None:
        self.source = source
        self.settings = settings

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Parse the content, in the calling thread."""
        raise NotImplementedError

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read to the end, in chunks of about ``target()`` bytes.

        A puzzle that is not text counts as `PUZZLE_BYTES`. An `InputError` or `FormatError` comes after
        everything readable; the caller adds the name of the input.
        """
        records = list[PuzzleRecord | Reject]()
        failure: UnidokuError | None = None
        try:
            for record in self.records():
                records.append(record)
                if len(records) >= min(_RECORDS, target() // PUZZLE_BYTES):
                    yield chunk_of(batch_of(records, self.source.name))
                    records = []
        except UnidokuError as error:
            failure = error
        if records:
            yield chunk_of(batch_of(records, self.source.name))
        if failure is not None:
            raise failure
