"""Assembly of a single-file output from its parts."""

from __future__ import annotations

from unidoku.files.output import OutputFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unidoku.files.atomic import Folder

__all__ = ["assemble", "assemble_arrow"]


def assemble(
    parts: Folder, names: Iterable[str], output: str, head: bytes = b"", *, keep_parts: bool = True
) -> None:
    """Write the parts one after the other into the output, which appears complete or not at all.

    Members of gzip, bz2, xz and zstd can be joined like plain text.
    """
    names = list(names)
    if not keep_parts and not head and len(names) == 1 and parts.move(names[0], output):
        return
    with OutputFile(output, atomic=True, draft=False).open() as file:
        file.write(head)
        for name in names:
            with parts.open(name) as part:
                file.append(part)


def assemble_arrow(parts: Folder, names: Sequence[str], output: str, *, stream: bool = False) -> None:
    """Write the record batches of Arrow IPC files, or streams, one after the other into one such file."""
    from unidoku.arrow import pyarrow
    from unidoku.files.formats.arrow import record_batches

    ipc = pyarrow().ipc
    read = ipc.open_stream if stream else ipc.open_file
    schema = None
    for name in names:
        with parts.open(name) as part, read(part) as opened:
            schema = opened.schema
            if next(record_batches(opened), None) is not None:
                break  # a part without rows has no carried columns
    with OutputFile(output, atomic=True, draft=False).open() as file:
        if schema is None:
            return
        with (ipc.new_stream if stream else ipc.new_file)(file.arrow(), schema) as writer:
            for name in names:
                with parts.open(name) as part, read(part) as opened:
                    for batch in record_batches(opened):
                        writer.write_batch(batch)
