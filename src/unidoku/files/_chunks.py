"""Chunks of inputs: the base class of the readers that cut them, and how inputs are read.

A *reader* cuts an open `Source` into *chunks*; a chunk is parsed into *batches* by the thread that also
solves them, so that reading, parsing and solving run side by side.

Text is UTF-8, or else Windows-1252, line by line; binary data is refused.

The memory of texts is used again. `TextReader.chunks` allocates a chunk in the calling thread. Its batches
release the chunk when a worker requests the batch after the last; a batch and columns in its text are valid
until then.

The renderer allocates rows in a worker, and `TextWriter.write` releases them when they are in the file. After
an error or a cancelled run nothing is released, and Python frees the memory. Each input and each output has
its own pool.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from unidoku._native import cpu
from unidoku._parse.text import decode_line
from unidoku._table.batch import Batch, PuzzleRecord, Reject, Roles
from unidoku.errors import FormatError, Message, UnidokuError
from unidoku.files._records import batch_of
from unidoku.files._source import PIECE, PUZZLE_BYTES, Source

Chunk: TypeAlias = Callable[[], Iterator[Batch | UnidokuError]]
"""A piece of an input: a call parses it into batches, each valid until the next one.

An error replaces the rest of the input.
"""


Spans: TypeAlias = tuple[Any, ...]
"""Buffers of the beginnings and ends of texts in a chunk, perhaps with their states."""

Field: TypeAlias = tuple[str, Spans, "Spans | list[Any] | None"]
"""A field next to the puzzles: its name, the spans of puzzles, and the spans or values of rejects, if any."""


def chunk_with(*batches: Batch | UnidokuError) -> Chunk:
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


_SAMPLE = 4096  # bytes that show whether a file is text
_SAMPLE_MIN = 64  # bytes: a few wrong bytes are a wrong line of a text
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\f\r")
_WIDE = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")  # marks of UTF-32

LINE_LIMIT = 1 << 16
"""Largest number of bytes that are kept of a line; only JSON lines may be longer."""


def shows_text(head: bytes) -> bool:
    """Return whether it is not UTF-32 with its mark, nor binary.

    In binary data, a third of the bytes, if these are many, are control characters or no UTF-8.
    """
    sample = head[:_SAMPLE]
    printable = sample.decode("utf-8", "ignore").encode().translate(None, _CONTROLS)
    is_binary = len(sample) >= _SAMPLE_MIN and 3 * len(printable) < 2 * len(sample)
    return not (is_binary or head.startswith(_WIDE))


def check_text(head: bytes) -> None:
    """Refuse UTF-32 and binary data."""
    if not shows_text(head):
        text = (
            "expected UTF-8 text, found binary data or another encoding; name one with --encoding, "
            "such as gb18030"
        )
        raise FormatError(Message(text))


def with_usual_ends(text: str) -> str:
    """Return a text whose lines end in LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def utf8_of(content: bytes | bytearray, *, is_cut: bool = False) -> tuple[bytes | bytearray, int | None]:
    """Return whole lines as UTF-8, each decoded by `decode_line`, and the index of the first that was not.

    If they are cut, the last one may end within a character.
    """
    if content.isascii() or _is_utf8(content, is_cut):
        return content, None
    lines, first = [], None
    for number, line in enumerate(bytes(content).splitlines(keepends=True)):
        text = decode_line(line).encode()
        if first is None and text != line:
            first = number
        lines.append(text)
    return b"".join(lines), first


def _is_utf8(content: bytes | bytearray, is_cut: bool) -> bool:
    """Return whether some bytes are UTF-8; as a text they can take four times the memory, so by pieces."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        for at in range(0, len(content), PIECE):
            decode(content[at : at + PIECE], not is_cut and at + PIECE >= len(content))
    except UnicodeDecodeError:
        return False
    return True


class BufferPool:
    """Free buffers, shared by threads."""

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
        return bytearray(size + size // 16)  # so that similar sizes can share it

    def release(self, buffer: object) -> None:
        """Put a buffer of `allocate` back into the pool; ignore objects other than bytearrays."""
        if isinstance(buffer, bytearray):
            self._free.append(buffer)


def _all(names: Sequence[str]) -> Sequence[str]:
    """Return all of some names."""
    return names


def _none(_: Sequence[str]) -> Sequence[str]:
    """Return none of some names."""
    return ()


class NeededColumns(NamedTuple):
    """The columns of an input that are needed, as `unidoku._schema.Schema.needed` returns them for a run."""

    has_any: bool = True
    """Whether a column may be needed."""
    has_rest: bool = False
    """Whether the text after the puzzle of a plain line is needed, as a column."""
    among: Callable[[Sequence[str]], Sequence[str]] = _all
    """Return which of some columns are needed, by their names in the input."""


NO_COLUMNS = NeededColumns(has_any=False, among=_none)


class Reading(NamedTuple):
    """How inputs are read."""

    format: str | None = None
    """Its name, instead of recognising it."""
    column: str | None = None
    """The column of the puzzles, by name or number, instead of finding it."""
    needed: NeededColumns = NeededColumns()
    """The columns of the input that are yielded."""
    solution: str | None = None
    """The column of the solutions, by name or number, instead of finding it."""
    has_answers: Callable[[Roles], bool] = bool
    """Whether an input has answers: inputs without them are skipped next to inputs that have some.

    By default each one has: roles are never an empty tuple.
    """
    encoding: str | None = None
    """That of texts, instead of UTF-8, or else Windows-1252."""
    has_positions: bool = False
    """Whether lines of HoDoKu's library are positions: digits, and a column of candidates."""


class Partition(NamedTuple):
    """Records of a large file that one worker reads: lines, or row groups of Parquet."""

    file: str
    begin: int
    """The first byte, or row group."""
    end: int
    size: int
    """How many bytes of the file it is."""
    line: int | None = None
    """How many lines, or else records, are before it; None until they are counted."""


class Reader:
    """Base of the readers of formats: a subclass overrides `records` or `chunks`."""

    roles: Roles
    line: int

    roles = Roles()
    """The roles of the columns of the input."""
    line = 0
    """How many lines, or else records, have been cut into chunks."""

    def __init__(self, source: Source, settings: Reading) -> None:
        self.source = source
        self.settings = settings
        self._extra_names: Sequence[str] | None = None
        """The columns next to the puzzles whose names are in the first records."""

    def partitions(self, size: int) -> list[Partition]:
        """Return partitions of about `size` bytes; none if the input can only be read as a whole."""
        return []

    def lines_in(self, partition: Partition) -> int | None:
        """Return how many lines a partition has; None if one of its ends is within a record."""
        raise NotImplementedError

    def limit(self, partition: Partition) -> None:
        """Read only a partition, with the columns that the whole input has."""
        raise NotImplementedError

    def records(self) -> Iterator[PuzzleRecord | Reject | Batch]:
        """Parse the content, in the calling thread; puzzles that are read together are a batch."""
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
                if isinstance(record, Batch):
                    above = [self._batch_of(records)] if records else []
                    self.line += len(records) + len(record)
                    yield chunk_with(*above, record)
                    records = []
                    continue
                records.append(record)
                if len(records) >= min(_RECORDS, target() // PUZZLE_BYTES):
                    self.line += len(records)
                    yield chunk_with(self._batch_of(records))
                    records = []
        except UnidokuError as error:
            failure = error
        if records:
            yield chunk_with(self._batch_of(records))
        if failure is not None:
            raise failure

    def _batch_of(self, records: list[PuzzleRecord | Reject]) -> Batch:
        """Return records as a batch, with the columns of the first one; other names are late."""
        batch = batch_of(records, self.source.name, self._extra_names or ())
        if self._extra_names is None:
            self._extra_names = (*batch.columns,)
        batch.late = tuple(name for name in batch.columns if name not in self._extra_names)
        return batch
