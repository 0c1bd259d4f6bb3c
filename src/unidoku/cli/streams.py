"""Streams of a command: text outputs, closed standard streams (``>&-``), readers that close their pipe."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from unidoku.cli.inputs import Input


class ClosedStream(io.RawIOBase):
    """Replaces a closed standard stream: reading or writing raises an error that names it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def readable(self) -> bool:
        """Let a buffer be put around it."""
        return True

    def writable(self) -> bool:
        """Let a buffer be put around it."""
        return True

    def readinto(self, data: Any) -> int:
        """Raise the error; only nothing at all can be read or written."""
        if len(data):
            raise OSError(errno.EBADF, f"{self.name} is closed")
        return 0

    write = readinto


def replace_closed() -> None:
    """Replace the standard streams that are closed.

    Their descriptors are taken by the null device, so that no file that is opened later gets the number of
    a standard stream. Messages to a closed standard error are lost.
    """
    if sys.stdin is None:
        _occupy(0)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(ClosedStream("standard input")))
    if sys.stdout is None:
        _occupy(1)
        # Without a buffer in between nothing is left that the interpreter would try to write at its end.
        sys.stdout = io.TextIOWrapper(ClosedStream("standard output"), write_through=True)
    if sys.stderr is None:
        _occupy(2)
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _occupy(descriptor: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)


def is_closed_pipe(error: OSError) -> bool:
    """Return whether the program that reads our output has closed the pipe."""
    # Windows reports EINVAL for a closed pipe.
    return isinstance(error, BrokenPipeError) or (
        os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    )


def discard_output() -> None:
    """Flush standard output; discard what cannot be written, or it would raise again at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)


@contextmanager
def open_text(path: str, inputs: Sequence[Input]) -> Iterator[TextIO]:
    """Open a text output, standard output for ``-``; an error if it is one of the inputs.

    A file appears when it is complete, and not at all after an error or Ctrl-C.
    """
    from unidoku.files.overlap import refuse_overlap

    refuse_overlap(inputs, [path])
    if path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    from unidoku.errors import writing
    from unidoku.files.output import atomic_write

    with writing(path), atomic_write(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n", write_through=True)
        yield text
        text.detach()
