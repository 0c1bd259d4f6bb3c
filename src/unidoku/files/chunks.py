"""Chunks of inputs: the base class of the readers that cut them, and how inputs are read.

A *reader* cuts an open `Source` into *chunks*; a chunk is parsed into *batches* by the thread that also
solves them, so that reading, parsing and solving run side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from unidoku.errors import UnidokuError
from unidoku.files.records import batch_of
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.table.batch import Batch, PuzzleRecord, Reject, Roles

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


BOM = b"\xef\xbb\xbf"
HEAD = 1 << 16  # bytes that choose a format by its content
LINES = 100  # significant lines looked at
COLUMN_BYTES = 256
"""Bytes of a chunk for each column of the input, at least."""
WIDEST = 1 << 21
"""Bytes of such a chunk, at most."""
_RECORDS = 4096  # in a batch of records; their formats cost more to parse than to solve


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
    solution: str | None = None
    """The column of the solutions, by name or number, instead of finding it."""
    prediction: str | None = None
    """The column of the answers to compare, likewise."""


class Reader:
    """Base of the readers of formats: a subclass overrides `records` or `chunks`."""

    roles = Roles()
    """What the columns of the input are."""

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
