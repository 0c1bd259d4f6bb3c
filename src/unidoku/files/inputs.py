"""Inputs as users name them: files, folders, patterns, archives, URLs, standard input.

`expand` turns folders and patterns into files; `entries` opens one input after the other and, in an
archive, one member after the other. Archives are recognised by content and never extracted to disk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, TypeAlias, cast

from unidoku.errors import InputError, UnidokuError
from unidoku.files.base import Attempts
from unidoku.files.codecs import Bounds
from unidoku.files.formats import FORMATS, without_compression
from unidoku.files.source import Source, open_source

Input: TypeAlias = "str | os.PathLike[str] | BinaryIO | Source | Attempts"

_NAMES = (".zip", ".tar", ".tgz", ".tbz2", ".txz")  # suffixes that belong to no single format


class NamedInput(NamedTuple):
    """One input that can be opened: a file, or a member of an archive."""

    name: str
    """For messages; a member is called ``archive.zip!member``."""
    open: Callable[[], Source | Attempts]
    """Returns the source, once, before the next input is asked for; or raises an error."""


def expand(names: Input | Iterable[Input]) -> list[Input]:
    """Replace folders and patterns by their files.

    A folder is replaced by the files in it and in its subfolders, in the order of their names (numbers by
    value), if they have a suffix of a known format or none.  Names that begin with ``.`` or ``_`` are
    ignored.  A pattern (``*``, ``?``, ``[…]``, ``**``) that is not the name of a file is replaced by all that
    it matches. A name without files is kept: opening it raises the error.
    """
    alone = isinstance(names, str | os.PathLike | Source | Attempts) or hasattr(names, "read")
    found: list[Input] = []
    for name in cast("Iterable[Input]", [names] if alone else names):
        if isinstance(name, str | os.PathLike) and os.fspath(name) != "-":
            found += _files(os.fspath(name)) or [name]
        else:
            found.append(name)
    return found


def _files(name: str) -> list[str]:
    """Return the files of a folder or pattern; none if the name is that of a file."""
    if os.path.isfile(name):
        return []
    from unidoku.files.storage import is_remote, list_files, local_path

    if not is_remote(name):
        path = local_path(name)
        if not path.is_dir() and (path.exists() or not _is_pattern(name)):
            return []
    try:
        return [file for file, inside in list_files(name) if not inside or is_readable(inside)]
    except UnidokuError:
        return []  # opening it raises the error


def _is_pattern(name: str) -> bool:
    return any(sign in name for sign in "*?[")


def is_readable(file: str) -> bool:
    """Return whether a file inside a folder or an archive is read, by its path there."""
    # tar archives often have "./" before each name
    parts = file.replace(os.sep, "/").lower().removeprefix("./").split("/")
    if any(part.startswith((".", "_")) for part in parts):
        return False
    name, _ = without_compression(parts[-1])
    return "." not in name or name.endswith(
        (*_NAMES, *(end for row in FORMATS.values() for end in row.suffixes))
    )


def is_archive(name: Input) -> bool:
    """Return whether an input is an archive; False for standard input, open files and what cannot be read."""
    if not isinstance(name, str | os.PathLike) or os.fspath(name) == "-":
        return False
    try:
        with open_source(name) as source:
            return source.archive_kind() is not None
    except UnidokuError:
        return False


def are_several(inputs: Sequence[Input]) -> bool:
    """Return whether expanded inputs are several files, or may be: rows then need the name of their file."""
    return len(inputs) > 1 or any(map(is_archive, inputs))


def entries(inputs: Iterable[Input], bounds: Bounds | None = None) -> Iterator[NamedInput]:
    """Yield inputs as `expand` returns them, archives member by member; errors come when they are opened."""
    for each in inputs:
        if isinstance(each, Attempts):
            yield NamedInput(each.name, each.__enter__)
            continue
        try:
            source = _open(each, bounds)
        except UnidokuError as error:
            yield _entry(error.file or str(each), error)
            continue
        kind = source.archive_kind()
        if kind is None:
            yield _entry(source.name, source)
            continue
        from unidoku.files.archives import members

        with source:
            found = False
            try:
                for name, opened in members(source, kind):
                    if is_readable(name):
                        found = True
                        yield NamedInput(f"{source.name}!{name}", opened)
                if not found:
                    raise InputError(f"the {kind} archive has no file of a known format")
            except UnidokuError as error:
                error.file = error.file or source.name
                yield _entry(source.name, error)


def _open(name: str | os.PathLike[str] | BinaryIO | Source, bounds: Bounds | None) -> Source:
    if isinstance(name, str | os.PathLike) and not os.path.isfile(name):
        path = os.fspath(name)
        if os.path.isdir(path):
            raise InputError("the folder has no file of a known format", file=path)
        if _is_pattern(path) and "://" not in path and not os.path.exists(path):
            raise InputError("no file matches the pattern", file=path)
    return open_source(name, bounds)


def _entry(name: str, found: Source | UnidokuError) -> NamedInput:
    def opened() -> Source:
        if isinstance(found, UnidokuError):
            raise found
        return found

    return NamedInput(name, opened)
