"""Inputs as users name them: files, folders, patterns, archives, URLs, standard input.

`expand` turns folders and patterns into files; `chunks_of` opens one after the other and, in an archive, one
member after the other, and reads it. Archives are recognised by content and never extracted to disk.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, BinaryIO, TypeAlias, Unpack, cast

from unidoku.arguments import quote
from unidoku.batch import Batch, PuzzleRecord
from unidoku.errors import UnidokuError, naming, without_frames
from unidoku.files.base import Chunk, ready
from unidoku.files.formats import SUFFIXES, open_reader, without_compression
from unidoku.files.source import PUZZLE_BYTES, Source, open_source
from unidoku.options import OptionFields, Options

Input: TypeAlias = "str | os.PathLike[str] | BinaryIO | Source | range"
"""A file; or numbers in place of one: a task makes a puzzle of each of them, or none."""

NUMBERS = "<numbers>"
"""What messages call an input of numbers."""

_NAMES = (".zip", ".tar", ".tgz", ".tbz2", ".txz")  # suffixes that belong to no single format
_TITLES = ("name", "title")  # of columns
_LITTLE = 16 * PUZZLE_BYTES  # bytes read at a time: results appear soon if the input is typed or piped


def expand(inputs: Input | Iterable[Input]) -> list[Input]:
    """Replace folders and patterns by their files.

    A folder is replaced by the files in it and in its subfolders, in the order of their names (numbers by
    value), if they have a suffix of a known format or none.  Names that begin with ``.`` or ``_`` are
    ignored.  A pattern (``*``, ``?``, ``[…]``, ``**``) that is not the name of a file is replaced by all that
    it matches. A name without files is kept: opening it raises the error.
    """
    alone = isinstance(inputs, str | bytes | os.PathLike) or hasattr(inputs, "read")
    try:
        several: list[Any] = [inputs] if alone else [*cast("Iterable[Input]", inputs)]
    except TypeError:
        several = [inputs]
    found: list[Input] = []
    for each in several:
        if isinstance(each, str | os.PathLike):
            found += _files(os.fspath(each)) or [each]
        elif isinstance(each, range) or hasattr(each, "read"):
            found.append(each)
        else:
            raise UnidokuError(f"an input is a path, a URL or an open binary file, not {quote(each)}")
    return found


def _files(name: str) -> list[str]:
    """Return the files of a folder or pattern; none if the name is that of a file."""
    if name in {"-", ""} or os.path.isfile(name):
        return []
    from unidoku.files.storage import is_pattern, is_remote, list_files, local_path

    if not is_remote(name):
        path = local_path(name)
        if not path.is_dir() and (path.exists() or not is_pattern(name)):
            return []
    try:
        return [file for file, inside in list_files(name) if not inside or is_readable(inside)]
    except UnidokuError:
        return []  # opening it raises the error


def is_readable(file: str) -> bool:
    """Return whether a file inside a folder or an archive is read, by its path there."""
    # tar archives often have "./" before each name
    parts = file.replace(os.sep, "/").lower().removeprefix("./").split("/")
    if any(part.startswith((".", "_")) for part in parts):
        return False
    name, _ = without_compression(parts[-1])
    return "." not in name or name.endswith((*_NAMES, *SUFFIXES))


def is_archive(name: Input) -> bool:
    """Return whether an input is an archive; False for streams, which are read once, and unreadable ones."""
    if not isinstance(name, str | os.PathLike):
        return False
    path = os.fspath(name)
    if path == "-" or not (os.path.isfile(path) or "://" in path):
        return False
    try:
        with open_source(name) as source:
            return source.archive_kind() is not None
    except UnidokuError:
        return False


def are_several(inputs: Sequence[Input]) -> bool:
    """Return whether expanded inputs are several files, or may be: rows then need the name of their file."""
    return len(inputs) > 1 or any(map(is_archive, inputs))


def chunks_of(
    inputs: Iterable[Input],
    options: Options,
    target: Callable[[], int],
    begin: Callable[[str, Source | None], object],
) -> Iterator[Chunk]:
    """Read inputs as `expand` returns them, one after the other, archives member by member.

    `target` is as for a reader.  `begin` is called before each file is read, with its name, and with its
    source if there is one.
    """
    for each in inputs:
        if isinstance(each, range):
            begin(NUMBERS, None)
            yield from map(ready, _batches_of_numbers(each, target))
            continue
        sources: Iterable[Source | UnidokuError]
        try:
            opened = open_source(each, options.max_size)
            if opened.archive_kind() is None:
                sources = [opened]
            else:
                from unidoku.files.archives import members

                sources = members(opened, is_readable)
        except UnidokuError as error:
            error.file = error.file or str(each)
            sources = [without_frames(error)]
        for source in sources:
            if isinstance(source, UnidokuError):
                begin(str(source.file), None)
                yield ready(source)
                continue
            begin(source.name, source)
            failure: UnidokuError | None = None
            with source:
                try:
                    with naming(source.name):
                        yield from open_reader(source, options).chunks(target)
                except UnidokuError as error:
                    failure = without_frames(error)
                failure = source.changed() or failure
                if failure is not None:
                    yield ready(failure)


def _batches_of_numbers(numbers: range, target: Callable[[], int]) -> Iterator[Batch]:
    """Yield batches without puzzles; the lines, which are counted from 1, are the numbers."""
    while numbers:
        some = numbers[: max(1, target() // PUZZLE_BYTES)]
        lines = array("q", range(some.start + 1, some.stop + 1))
        yield Batch(NUMBERS, b"", array("q", bytes(8 * len(lines))), lines)
        numbers = numbers[len(some) :]


def read_batches(
    inputs: Input | Iterable[Input], options: Options, *, size: int = _LITTLE
) -> Iterator[Batch | UnidokuError]:
    """Read puzzles in batches, valid until the next one, with an error in place of what cannot be read."""
    scratch: dict[str, Any] = {}
    for chunk in chunks_of(expand(inputs), options, lambda: size, lambda name, source: None):
        yield from chunk(scratch)


def read_puzzles(
    inputs: Input | Iterable[Input], *, names: bool = False, **options: Unpack[OptionFields]
) -> Generator[PuzzleRecord | UnidokuError, None, None]:
    """Read puzzles one by one, perhaps with their names, with an error in place of what cannot be read."""
    options["keep"] = "columns" if names else "none"
    for batch in read_batches(inputs, Options.of(options)):
        if isinstance(batch, UnidokuError):
            yield batch
            continue
        named = [name for name in batch.columns if name.lower() in _TITLES][:1]
        records = replace(batch, columns={name: batch.columns[name] for name in named}).records()
        for k in range(batch.rows) if batch.place is None else map(int, batch.place):
            yield batch.rejects[~k].error(batch.source) if k < 0 else next(records)
