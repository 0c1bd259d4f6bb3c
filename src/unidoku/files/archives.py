"""Members of zip and tar archives as sources: streamed, never extracted to disk."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Self

from unidoku.errors import FormatError, InputError, UnidokuError, escape, without_frames
from unidoku.files.source import Source, decompress
from unidoku.files.storage import reading


def members(archive: Source, accepts: Callable[[str], bool]) -> Iterator[Source | UnidokuError]:
    """Open the regular files of a zip or tar archive that `accepts` takes; yield errors in their places.

    Close a member before you take the next one. The archive is closed at the end.
    """
    kind, is_empty = archive.archive_kind(), True
    with archive:
        try:
            for name, open_member in (_zip_members if kind == "zip" else _tar_members)(archive):
                if accepts(name):
                    is_empty = False
                    yield _member(archive, name, open_member)
            if is_empty:
                raise InputError(f"the {kind} archive has no file of a known format")
        except UnidokuError as error:
            error.file = error.file or archive.name
            yield without_frames(error)


def _member(archive: Source, name: str, open_member: Callable[[], Any]) -> Source | UnidokuError:
    """Open a member, or return the error."""
    full = f"{archive.name}!{name}"
    try:
        with reading(full, "cannot be read"):  # encrypted, an unknown method, a damaged header
            stream = open_member()
        source = decompress(Source(stream, full, origin=archive, kind="archive"))
        if source.archive_kind() is not None:
            raise FormatError("an archive inside an archive is not read", file=full)
    except UnidokuError as error:
        return without_frames(error)
    return source


def _zip_members(archive: Source) -> Iterator[tuple[str, Callable[[], Any]]]:
    if not archive.seekable():
        raise InputError("a zip archive is read from a file only, not from a stream")
    with reading(archive.name, "corrupt zip archive"):
        zip_file = zipfile.ZipFile(io.BufferedReader(archive))
    with zip_file:
        for info in zip_file.infolist():
            if info.filename and not info.filename.endswith("/"):
                yield escape(info.filename), partial(zip_file.open, info)


def _tar_members(archive: Source) -> Iterator[tuple[str, Callable[[], Any]]]:
    with reading(archive.name, "corrupt tar archive"):
        # not a tarfile stream, which loses up to a block before damage
        tar_file = tarfile.TarFile(fileobj=archive, tarinfo=_TarHeader)
    while True:
        with reading(archive.name, "corrupt tar archive"):
            info = tar_file.next()
        if info is None:
            return
        if info.isreg():
            yield escape(info.name), partial(tar_file.extractfile, info)
        tar_file.members = []  # type: ignore[attr-defined]  # it would keep all


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
            raise InputError(f"corrupt tar archive ({error})") from error
