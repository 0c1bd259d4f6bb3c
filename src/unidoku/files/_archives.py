"""Members of zip and tar archives as sources: streamed, never extracted to disk."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Self

from unidoku import _compat as compat
from unidoku.errors import ArchiveNote, InputError, Message, UnidokuError, escape, without_frames
from unidoku.files._formats import has_archive_suffix, is_readable
from unidoku.files._source import Source, decompress
from unidoku.files._storage import reading

_ZSTD = 93  # the number of Zstandard in zip archives


def members(archive: Source, kind: str) -> Iterator[Source | UnidokuError]:
    """Open the readable files of a zip or tar archive; yield errors, and notes of archives, in their places.

    Close a member before you take the next one. The archive is closed at the end.
    """
    is_empty = True
    members_of, advice = _KINDS[kind]
    try:
        with (
            archive,
            reading(archive.name, Message("damaged {kind} archive; copy or save it again", kind=kind)),
        ):
            for name, open_member in members_of(archive):
                full = f"{archive.name}!{escape(name)}"
                if ".." in re.split(r"[/\\]", name):
                    yield ArchiveNote(
                        full,
                        Message("a member with .. in its path is skipped; unpack the archive to read it"),
                    )
                elif has_archive_suffix(name):
                    yield ArchiveNote(full)
                elif is_readable(name):
                    is_empty = False
                    yield _member(archive, kind, full, open_member)
            if is_empty:
                text = "the {kind} archive has no file in a known format{advice}"
                raise InputError(Message(text, kind=kind, advice=advice))
    except UnidokuError as error:
        yield without_frames(archive.failure or error)


def _member(archive: Source, kind: str, name: str, open_member: Callable[[], Any]) -> Source | UnidokuError:
    """Open a member, or return the error."""
    try:
        with reading(name, Message("cannot be read")):  # encrypted, an unknown method, a damaged header
            file = open_member()
            source = decompress(Source(file, name, kind=kind, stored=archive, owned=(file,)))
            if source.archive_kind() is not None:
                source.close()
                return ArchiveNote(name)
    except UnidokuError as error:
        return without_frames(error)
    return source


def _zip_members(archive: Source) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the names of members, and a function that opens each."""
    if not archive.seekable():
        raise InputError(Message("a zip archive cannot be read from a stream; save it as a file"))
    with zipfile.ZipFile(archive) as file:
        has_zstd = any(info.compress_type == _ZSTD for info in file.infolist())
    with (compat.zipfile_with_zstd() if has_zstd else zipfile).ZipFile(archive) as file:
        for info in file.infolist():
            if not info.is_dir():
                yield info.filename, partial(file.open, info)


def _tar_members(archive: Source) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the names of members, and a function that opens each."""
    with tarfile.open(fileobj=archive, mode="r|", tarinfo=_TarHeader) as file:
        while (info := file.next()) is not None:
            if info.isreg():
                yield info.name, partial(file.extractfile, info)
            file.members = []  # type: ignore[attr-defined]  # it would keep all


class _TarHeader(tarfile.TarInfo):
    """A header of a member; a damaged one is an error and not the end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Read the next header."""
        try:
            return super().fromtarfile(archive)
        except (tarfile.EOFHeaderError, tarfile.EmptyHeaderError):  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise InputError(
                Message("damaged tar archive ({error}); copy or save it again", error=error)
            ) from error


_KINDS: dict[str, tuple[Callable[[Source], Iterator[tuple[str, Callable[[], Any]]]], str]] = {
    "zip": (_zip_members, Message("; save a spreadsheet as CSV")),
    "tar": (_tar_members, ""),
}
"""How the members of a kind of archive are found, and what to do if none can be read."""
