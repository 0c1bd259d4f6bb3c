"""Folders as inputs: a folder stands for the files in it."""

from __future__ import annotations

import os
import re

from unidoku.errors import InputError, UnidokuError
from unidoku.files.storage import is_remote, local_path, open_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

__all__ = ["expand", "expanded"]

# What a run writes beside its parts, and what other programs hide.
_NO_PART = re.compile(r"[._].*|part-\d{6,}-[0-9a-f]{12}\.(json|invalid)|.*\.manifest\.json", re.DOTALL)


def expand(inputs: Iterable[Any]) -> list[Any]:
    """Replace each folder among some inputs by the files in it, in the order of their names.

    Numbers in names are ordered by value. Hidden files (names that begin with ``.`` or ``_``), commit marks
    and manifests of a check are left out, and so are folders in the folder.

    Parameters
    ----------
    inputs : iterable
        Paths, URLs, or anything else, which stays as it is. A URL is a folder when it ends in ``/``, or when
        it ends in the suffix of a format that is written as a folder and there is no such file.

    Raises
    ------
    InputError
        When a folder has no such files, or cannot be read.
    MissingExtraError
        When the scheme of a URL needs a library that is not installed.
    """
    found: list[Any] = []
    for each in inputs:
        if isinstance(each, str | os.PathLike) and _is_folder(os.fspath(each)):
            found += _parts(os.fspath(each))
        else:
            found.append(each)
    return found


def expanded(inputs: Iterable[Any]) -> Iterator[Any]:
    """The same one by one; what is wrong with a folder is an error in its place, not raised."""
    for each in inputs:
        try:
            yield from expand([each])
        except UnidokuError as error:
            yield error


def _is_folder(url: str) -> bool:
    if not is_remote(url):
        return url != "-" and local_path(url).is_dir()
    if url.endswith("/"):
        return True
    from unidoku.files.formats import FORMATS

    suffixes = tuple(suffix for row in FORMATS.values() if row.folder for suffix in row.suffixes)
    if not url.lower().endswith(suffixes):
        return False
    parent, _, name = url.rpartition("/")
    return open_folder(parent).size(name) <= 0


def _parts(url: str) -> list[str]:
    try:
        names = [name for name in open_folder(url).names() if not _NO_PART.fullmatch(name)]
    except OSError as error:
        raise InputError(error.strerror or str(error), file=url) from error
    base = url.rstrip("/")
    paths = [f"{base}/{name}" for name in sorted(names, key=_natural)]
    if not is_remote(url):
        paths = [path for path in paths if local_path(path).is_file()]
    if not paths:
        raise InputError("the folder has no files to read", file=url)
    return paths


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that orders the numbers in names by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
