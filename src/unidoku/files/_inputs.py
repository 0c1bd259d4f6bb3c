"""Inputs as users name them: files, folders, patterns, archives, URLs, standard input.

`Inputs` turns folders and patterns into files, opens one after the other and, in an archive, one member after
the other, and reads it. Archives are recognised by content and never extracted to disk. `read` yields arrays.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice, takewhile
from stat import S_ISREG
from typing import Any, BinaryIO, Literal, NamedTuple, NoReturn, TypeAlias

from unidoku._arguments import callback, wrong_type
from unidoku._compat import NDArray, cached_property, np
from unidoku._guesses import NamedFields
from unidoku._options import Options
from unidoku._table.batch import Batch, PuzzleRecord
from unidoku._threads import Cancel, begun, cancel_of
from unidoku.cell import symbols_of
from unidoku.errors import (
    TYPE,
    ArchiveNote,
    FormatError,
    InputError,
    Message,
    Reason,
    UnidokuError,
    WrongTypeError,
    naming,
    without_frames,
)
from unidoku.files._chunks import NO_COLUMNS, Chunk, Partition, Reader, Reading, chunk_with
from unidoku.files._formats import has_archive_suffix, has_container_suffix, is_readable
from unidoku.files._recognition import open_reader, shows_puzzles
from unidoku.files._roles import NoPuzzlesError
from unidoku.files._source import PUZZLE_BYTES, Source, open_source
from unidoku.files._storage import LOCAL, WEB, filesystem, has_wildcard, is_special, is_stream, reading

Input: TypeAlias = "str | os.PathLike[str] | BinaryIO | Source | NDArray[Any] | MemoryInput | Partition"
"""A file, or puzzles in memory."""

MEMORY = "<memory>"
"""The name of puzzles in memory in messages."""

_BATCH_BYTES = 1 << 20  # of arrays, read at a time
_CHUNK_BYTES = 16 * PUZZLE_BYTES  # small: results appear soon if the input is typed or piped


class InputChunk(NamedTuple):
    """A chunk, and its place in the inputs."""

    file: str
    begin: int
    """Stored bytes of the inputs before it."""
    end: int
    batches: Chunk
    is_first: bool = False
    """Whether its file begins."""
    is_last: bool = False
    """Whether it has no records: its file has none, or ends with an error."""
    note: FormatError | None = None
    """Why the file was skipped."""
    size: int = 0
    """Its lines, or else records."""


class MemoryInput:
    """Puzzles that are made while a run takes them, as an input.

    Parameters
    ----------
    blocks : iterable of buffers
        Puzzles one after the other, 81 cells 0 to 9 of each.
    count : int
        How many there are, or may be.
    """

    blocks: Iterable[Any]
    count: int

    def __init__(self, blocks: Iterable[Any], count: int) -> None:
        self.blocks, self.count = blocks, count

    def chunks(self, begin: int, target: Callable[[], int]) -> Iterator[InputChunk]:
        """Yield chunks of about `target` bytes after `begin` bytes; a puzzle counts as `PUZZLE_BYTES`."""
        line = 1
        for block in self.blocks:
            cells = memoryview(block).cast("B")
            while n := min(len(cells) // 81, max(1, target() // PUZZLE_BYTES)):
                starts = array("q", range(0, 81 * n, 81))
                lines = array("q", range(line, line + n))
                batch = Batch(MEMORY, cells[: 81 * n], starts, lines, empty_code=0)
                yield InputChunk(MEMORY, begin, begin + 81 * n, chunk_with(batch), is_first=line == 1)
                cells, line, begin = cells[81 * n :], line + n, begin + 81 * n
        yield _ended(MEMORY, begin, begin, is_first=line == 1)


class Inputs:
    """The inputs of a run in order: folders and patterns are replaced by their files.

    A folder is replaced by the files in it and in its subfolders, in the order of their names (numbers by
    value). The suffix must be ``.json``, the suffix of a known format, or none. Names that begin with ``.``
    or ``_`` are ignored, and archives are skipped with a note.

    A pattern (``*``, ``?``, ``[…]``, ``**``) that is not the name of a file is replaced by all that it
    matches, without pipes and devices. A name without files is kept: opening it raises the error. If `cancel`
    is set, the inputs end.
    """

    def __init__(self, inputs: Input | Iterable[Input], cancel: Cancel | None = None) -> None:
        self.entries: list[Any] = []  # as they are named
        self._inputs: list[Input] = []
        self._sizes: list[int] = []  # how many of these an entry means
        self.notes: list[ArchiveNote] = []
        self._cancel = cancel_of(cancel)
        is_one = isinstance(inputs, str | bytes | os.PathLike | MemoryInput) or hasattr(inputs, "read")
        entries: Any = [inputs] if is_one or _has_cells(inputs) else inputs
        if not isinstance(entries, Iterable):
            raise wrong_type("inputs", "a path, a binary file or an iterable of these", inputs)
        for entry in takewhile(lambda _: not self._cancel, entries):
            name, listed = _named(entry), list[str | ArchiveNote]()
            if isinstance(name, str) and name != "-":
                with suppress(UnidokuError), reading(name):  # an error is raised again when it is opened
                    listed = [*takewhile(lambda _: not self._cancel, _list_files(name))]
            files = [file for file in listed if isinstance(file, str)] or [name]
            self.entries.append(name)
            self.notes += [note for note in listed if isinstance(note, ArchiveNote)]
            self._inputs += files
            self._sizes.append(len(files))

    @classmethod
    def of(cls, inputs: Input | Iterable[Input], cancel: Cancel | None = None) -> Inputs:
        """Return inputs, as they are if they are listed already."""
        if isinstance(inputs, Inputs):
            return inputs
        return cls(inputs, cancel)

    def __iter__(self) -> Iterator[Input]:
        return takewhile(lambda _: not self._cancel, self._inputs)

    def are_several(self) -> bool:
        """Return whether there are several files, or perhaps, in an archive: rows then have a ``file``."""
        return len(self._inputs) > 1 or any(map(is_archive, self._inputs))

    def skip_empty_folders(self) -> None:
        """Take folders without files as no inputs, not as errors."""
        self._inputs = [
            name
            for name in self._inputs
            if not (isinstance(name, str) and os.path.isdir(name) and os.access(name, os.R_OK))
        ]

    def size(self) -> int:
        """Return the bytes of all inputs, or 0 if one has no known size."""
        total = 0
        for name in self:
            if isinstance(name, MemoryInput):
                total += 81 * name.count
                continue
            try:
                file = os.stat(getattr(name, "path", None) or name)  # type: ignore[arg-type]
            except (OSError, TypeError, ValueError):
                return 0
            if not S_ISREG(file.st_mode):
                return 0
            total += file.st_size
        return total

    def failures(self, settings: Reading) -> list[UnidokuError]:
        """Open all inputs up to their first records; return the errors of the inputs that cannot be read."""
        found = list[UnidokuError]()
        for name in self:
            errors = list[Any]()
            with closing(Inputs([name]).chunks(settings, lambda: _CHUNK_BYTES)) as chunks:
                for chunk in chunks:
                    if not chunk.is_last:
                        break
                    errors += chunk.batches()
                else:  # it has no records
                    found += errors[:1]
        return found

    def chunks(self, settings: Reading, target: Callable[[], int]) -> Generator[InputChunk]:
        """Read the inputs one after the other, archives member by member; `target` as for `Reader.chunks`."""
        begin, files = 0, iter(self)
        for note in self.notes:
            yield _ended(str(note.file), 0, 0, note)
        for size in self._sizes:
            members = Members([*islice(files, size)], settings)
            for name in members.names:
                for chunk in members.chunks(name, begin, target):
                    begin = chunk.end
                    yield chunk
            for skipped in members.failures():
                yield _ended(str(skipped.file), begin, begin, skipped)


def _ended(
    file: str, begin: int, end: int, failure: UnidokuError | None = None, *, is_first: bool = True
) -> InputChunk:
    """Return the end of a file without records, with the error that ends it or a note that it is skipped."""
    if isinstance(failure, ArchiveNote):
        return InputChunk(file, begin, end, chunk_with(), is_last=True, note=failure)
    chunk = chunk_with(*filter(None, [failure]))
    return InputChunk(file, begin, end, chunk, is_first=is_first, is_last=True)


class Members:
    """The files of an entry; files without puzzles or answers are skipped if another file has them."""

    names: Sequence[Input]
    settings: Reading

    def __init__(self, names: Sequence[Input], settings: Reading) -> None:
        self.names, self.settings = names, settings
        self.has_puzzles: bool = False
        self.without_puzzles: list[NoPuzzlesError] = []

    def chunks(self, name: Input, start: int, target: Callable[[], int]) -> Iterator[InputChunk]:
        """Read a file, or an archive member by member, after `start` bytes of the inputs."""
        if isinstance(name, MemoryInput):
            yield from name.chunks(start, target)
            return
        begin, file, partition = start, name, None
        if isinstance(name, Partition):
            file, partition = name.file, name
        for source in _sources(file, self.settings):
            if isinstance(source, UnidokuError):
                yield _ended(str(source.file), begin, begin, source)
                continue
            failure: UnidokuError | None = None
            is_first = True
            try:
                with source, naming(source.name):
                    reader = self.open(source)
                    if partition is not None:
                        reader.limit(partition)
                        start -= source.position
                    line = reader.line
                    for chunk in reader.chunks(target):
                        end = start + source.position
                        size = reader.line - line
                        yield InputChunk(source.name, begin, end, chunk, is_first=is_first, size=size)
                        begin, line, is_first = end, reader.line, False
            except NoPuzzlesError as error:
                self.without_puzzles.append(without_frames(error))
                continue
            except UnidokuError as error:
                failure = without_frames(error)
            end = start + source.position
            if is_first or failure:
                yield _ended(source.name, begin, end, failure, is_first=is_first)
            begin = end

    def open(self, source: Source) -> Reader:
        """Return the reader of a file; of several, one without a suffix has its first puzzle at once.

        Raise a note if the file has no answers, and another file has some.
        """
        is_named = self.settings.format is not None or "." in os.path.basename(source.name)
        if len(self.names) > 1 and not is_named and source.peek(1) and not shows_puzzles(source):
            raise NoPuzzlesError(Message("neither its name nor its first records say that it has puzzles"))
        reader = open_reader(source, self.settings)
        self.has_puzzles = True
        if not self.settings.has_answers(reader.roles) and self.have_answers:
            text = Message("skipped, because this file has no answers and other files do")
            raise ArchiveNote(source.name, text)
        return reader

    @cached_property
    def have_answers(self) -> bool:
        """Whether a file has answers: they are opened again up to their first records."""
        for name in self.names:
            if not isinstance(name, str) or is_stream(name):
                continue
            for source in _sources(name, self.settings):
                if isinstance(source, Source):
                    with suppress(UnidokuError), source, naming(source.name):
                        if self.settings.has_answers(open_reader(source, self.settings).roles):
                            return True
        return False

    def failures(self) -> Iterator[FormatError]:
        """Yield the errors of the files without puzzles; notes if another file has some."""
        text = Message("skipped, because this file has no puzzles")
        for error in self.without_puzzles:
            yield ArchiveNote(str(error.file), text) if self.has_puzzles else error


def _named(entry: Any) -> Any:
    """Return an entry with its name as text, or an array as puzzles in memory."""
    if isinstance(entry, bytes | os.PathLike):
        return os.fsdecode(entry)
    if not _has_cells(entry):
        return entry
    from unidoku._table.forms import read_cells  # not at the top: files need it seldom

    cells, _ = read_cells(entry)
    return MemoryInput([cells] if len(cells) else [], len(cells))


def _has_cells(entry: Any) -> bool:
    """Return whether an input is an array of numbers."""
    return getattr(getattr(entry, "dtype", None), "kind", "") in ("i", "u")


def refuse_empty(records: int, entries: Sequence[Any]) -> None:
    """Refuse inputs, as they are named, without any record."""
    if records or not entries:
        return
    reason = Message("no puzzle in the inputs")
    if len(entries) > 1:
        raise InputError(reason)
    name = entries[0]
    if not isinstance(name, str):
        name = str(getattr(name, "name", "<stream>"))
    advice = Message("write a line of 81 characters for each puzzle: 1-9, and . for an empty cell")
    if name == "-":
        name, advice = "<stdin>", TYPE
    raise InputError(Message("{reason}; {advice}", reason=reason, advice=advice), file=name)


def _sources(name: Any, settings: Reading) -> Iterator[Source | UnidokuError]:
    """Open an input, or the members of an archive; yield errors in their places."""
    try:
        source = open_source(name)
    except UnidokuError as error:
        error.file = error.file or str(name)
        yield without_frames(error)
        return
    kind = source.archive_kind()
    if kind is None and has_container_suffix(source.name):
        source.close()
        yield InputError(
            Message("damaged, or not what its name says; copy or save it again"), file=source.name
        )
    elif kind is None or settings.format == "npz":
        yield source
    else:
        from unidoku.files._archives import members  # not at the top: a check starts faster

        yield from members(source, kind)


def _list_files(name: str) -> Iterator[str | ArchiveNote]:
    """Yield the files of a folder or a pattern in the order of their names, with numbers by value.

    Only readable files of a folder are read, and never a pipe, because it would wait for a writer. Links to
    folders are not followed. Web servers list nothing. The name of an existing file is not a pattern, and a
    pattern does not match a name that begins with a dot, as in a shell.
    """
    if name.startswith(WEB):
        return
    fs, path = filesystem(name)
    matches: list[str] = []
    if fs.isdir(path):
        matches = [path]
    elif has_wildcard(path) and not fs.exists(path):
        matches = sorted(fs.glob(path), key=_natural)
    for match in matches:
        if fs.isdir(match):
            yield from _list_folder(fs, match, len(match.rstrip("/" + os.sep)) + 1)
        elif not (is_special(match) if fs is LOCAL else os.path.basename(match).startswith(".")):
            yield fs.unstrip_protocol(match)


def _list_folder(fs: Any, folder: str, skip: int) -> Iterator[str | ArchiveNote]:
    """Yield the readable files of a folder, then of its subfolders; their names begin at `skip`.

    Of an archive there is a note.  A folder that cannot be listed is yielded itself: opening it raises the
    error.
    """
    try:
        entries = fs.ls(folder, detail=True)
    except Exception:  # each file system has its own
        yield fs.unstrip_protocol(folder)
        return
    places = {entry["name"].rstrip("/"): entry["type"] == "directory" for entry in entries}
    places.pop(folder.rstrip("/"), None)  # some also list the folder
    for path in sorted(places, key=lambda path: (places[path], _natural(path))):
        if places[path]:
            if is_readable(f"{path[skip:]}/a"):
                yield from _list_folder(fs, path, skip)
        elif (is_archive_name := has_archive_suffix(path)) or is_readable(path[skip:]):
            url, (_, dot, _) = fs.unstrip_protocol(path), path.rpartition("/")[2].partition(".")
            if is_archive_name or (not dot and is_archive(url)):
                yield ArchiveNote(url)
            else:
                yield url


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key with the numbers of a name by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]{1,18})", name)]


def is_archive(name: Input) -> bool:
    """Return whether an input is an archive; False for streams and unreadable files."""
    if isinstance(name, Source):
        return name.archive_kind() is not None
    if not isinstance(name, str | os.PathLike):
        return False
    if is_stream(os.fspath(name)):
        return False
    with suppress(UnidokuError), open_source(name) as source:
        return source.archive_kind() is not None
    return False


def read_batches(
    inputs: Input | Iterable[Input], settings: Reading, *, size: int = _CHUNK_BYTES
) -> Iterator[Batch | UnidokuError]:
    """Read batches, each valid until the next one; an error replaces the rest of an input."""
    for chunk in Inputs.of(inputs).chunks(settings, lambda: size):
        yield from chunk.batches()


def read_puzzles(
    inputs: Input | Iterable[Input], *, names: bool | str = False, **options: Any
) -> Generator[PuzzleRecord | UnidokuError, None, None]:
    """Read puzzles one by one, with their titles if requested; an error replaces the rest of an input.

    The titles are in the column that `names` says, if it is in the input.
    """
    column = names if isinstance(names, str) else "title"
    settings = Reading(**options) if names else Reading(**options, needed=NO_COLUMNS)
    for batch in read_batches(inputs, settings):
        if isinstance(batch, UnidokuError):
            yield batch
            continue
        puzzles, columns = [*map(symbols_of, batch.grids())], batch.puzzle_columns()
        nothing, title = [None] * len(puzzles), _title_of(columns, column)
        titles = nothing if title is None else columns[title].as_strings().to_list()
        marks = batch.marks() or nothing
        for k in range(len(batch)) if batch.order is None else map(int, batch.order):
            if k < 0:
                yield batch.rejects[~k].error(batch.source)
                continue
            record = PuzzleRecord(int(batch.lines[k]), puzzles[k], source=batch.source, title=titles[k] or "")
            if marks[k]:
                from unidoku._parse.board import Board  # not at the top: a check of files starts faster

                record.subject = Board(puzzles[k], 0, 1, marks[k])
            yield record


def _title_of(columns: Iterable[str], first: str) -> str | None:
    """Return the column of titles; a name next to a technique belongs to a step, as `rate` writes it."""
    names = {name.lower(): name for name in columns}
    title = names.get(first) or names.get("title")
    if title or "technique" in names:
        return title
    return names.get("name")


@dataclass(frozen=True, eq=False)
class PuzzleBatch(NamedFields):
    """Some records of one file, as `read` returns them.

    Attributes
    ----------
    source : str
        The name of the file.
    cells : uint8[n, 81]
        The puzzles: 0 for an empty cell.
    lines : int64[n]
        The line of each puzzle, or its record, from 1.
    columns : dict of str to list
        Other values of each puzzle, by the name of their column.
    reasons : dict of int to str
        Why a record is not a puzzle, by its line or record; the reasons of a line with several faults are
        joined. These records have no row in the other columns.

    Examples
    --------
    >>> import io
    >>> puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> batch = next(read(io.BytesIO(puzzle)))
    >>> len(batch), batch.cells.shape, batch.lines.tolist()
    (1, (1, 81), [1])
    """

    source: str
    cells: NDArray[np.uint8]
    lines: NDArray[np.int64]
    columns: dict[str, list[Any]]
    reasons: dict[int, Reason]

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.cells)

    def __iter__(self) -> NoReturn:
        """Refuse a loop over the batch: its cells have the puzzles."""
        raise WrongTypeError("a batch of unidoku.read is not iterable; use map(unidoku.Grid, batch.cells)")


def read(
    inputs: Input | Iterable[Input],
    *,
    format: str | None = None,
    column: str | int | None = None,
    encoding: str | None = None,
    keep: Literal["columns", "none"] = "columns",
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Iterator[PuzzleBatch]:
    r"""Read puzzles from files of any format, some thousands at a time.

    Pass the ``cells`` of each batch to `unidoku.check_many`, `unidoku.solve_many` or your own code.

    Parameters
    ----------
    inputs, format, column, encoding, keep, on_failure
        As for `unidoku.run`.
    cancel, timeout
        As for `unidoku.check`.

    Yields
    ------
    PuzzleBatch
        All its records are of one file, in order.

    Raises
    ------
    UnidokuError
        An input cannot be read and there is no ``on_failure``; all that could be read came before.
    SearchStoppedError
        `cancel` ended the work.

    Examples
    --------
    >>> import io
    >>> lines = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n?\n"
    >>> for batch in unidoku.read(io.BytesIO(lines)):
    ...     result = unidoku.check_many(batch.cells)
    ...     print(result.verdict, batch.lines, batch.reasons)
    ['unique'] [1] {2: 'expected 81 cells, found 1'}
    """
    cancel = cancel_of(begun(cancel, timeout))
    callback("on_failure", on_failure)
    options = Options(format=format, column=column, encoding=encoding, keep=keep)  # type: ignore[arg-type]
    settings = Reading(options.format, options.column, encoding=options.encoding)
    if options.keep == "none":
        settings = settings._replace(needed=NO_COLUMNS)
    sources = Inputs(inputs, cancel)
    cancel.raise_if_set()
    for batch in cancel.watch(read_batches(sources, settings, size=_BATCH_BYTES)):
        if isinstance(batch, UnidokuError):
            if on_failure is None:
                raise batch
            on_failure(batch)
            continue
        columns = {name: column.to_list() for name, column in batch.puzzle_columns().items()}
        reasons = dict[int, Reason]()
        for reject in batch.rejects:  # of JSON a line may have several
            first = reasons.get(reject.line)
            reasons[reject.line] = first.with_advice(reject.reason) if first else reject.reason
        yield PuzzleBatch(batch.source, batch.cells, np.array(batch.lines, np.int64), columns, reasons)
