"""Assembly of a single-file output from its parts."""

from __future__ import annotations

import os
from contextlib import suppress

from unidoku.files.storage import LocalFolder, atomic_write, is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, BinaryIO

    from unidoku.files.storage import Folder

__all__ = ["assemble", "assemble_arrow"]

_BLOCK = 1 << 20


def assemble(
    parts: Folder, names: Iterable[str], output: str, head: bytes = b"", *, spare: bool = False
) -> None:
    """Write the parts one after the other into the output, which appears complete or not at all.

    Members of gzip, bz2, xz and zstd can be joined like plain text.

    Parameters
    ----------
    parts : Folder
    names : iterable of str
        In order.
    output : str
        Path or URL.
    head : bytes
        Written before the first part.
    spare : bool
        Whether the parts are not needed afterwards; if there is only one, it may then become the output.
    """
    names = list(names)
    if spare and not head and len(names) == 1 and parts.move(names[0], output):
        return
    with atomic_write(output) as stream:
        stream.write(head)
        for name in names:
            with parts.open(name) as part:
                _copy(part, stream, local=isinstance(parts, LocalFolder) and not is_remote(output))


def assemble_arrow(parts: Folder, names: Sequence[str], output: str) -> None:
    """Write the record batches of Arrow IPC files (or streams) one after the other into one such file.

    Raises
    ------
    MissingExtraError
        Without PyArrow.
    """
    from unidoku.arrow import pyarrow

    ipc = pyarrow().ipc
    stream = output.lower().endswith(".arrows")
    read = ipc.open_stream if stream else ipc.open_file
    schema = None
    for name in names:
        with parts.open(name) as part, read(part) as opened:
            schema = opened.schema
            if next(_record_batches(opened), None) is not None:
                break  # a part without rows has no carried columns
    with atomic_write(output) as file:
        if schema is None:
            return
        with (ipc.new_stream if stream else ipc.new_file)(file, schema) as writer:
            for name in names:
                with parts.open(name) as part, read(part) as opened:
                    for batch in _record_batches(opened):
                        writer.write_batch(batch)


def _record_batches(opened: Any) -> Iterator[Any]:
    """The record batches of an Arrow IPC file or stream."""
    if hasattr(opened, "num_record_batches"):
        return (opened.get_batch(number) for number in range(opened.num_record_batches))
    return iter(opened)


def _copy(part: BinaryIO, stream: BinaryIO, *, local: bool) -> None:
    if local and hasattr(os, "copy_file_range"):
        # Within one file system the kernel copies.
        stream.flush()
        with suppress(OSError):
            while os.copy_file_range(part.fileno(), stream.fileno(), 1 << 30):
                pass
        # The position of each descriptor has moved; the loop below copies what is left.
        part.seek(os.lseek(part.fileno(), 0, os.SEEK_CUR))
        stream.seek(0, os.SEEK_END)
    while block := part.read(_BLOCK):
        stream.write(block)
