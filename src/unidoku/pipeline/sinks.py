"""Where result rows go.

A sink has two sides: :meth:`Sink.render` runs in the worker threads, several at a time, and turns the
results of one batch into a piece of output; :meth:`Sink.write` takes the pieces in input order, in the
calling thread. A new output format is a class with these two and one row in ``SINKS``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from unidoku.errors import FormatError, InputError, cannot_write
from unidoku.files.base import Batch, Column, Reject
from unidoku.native.text.render import render
from unidoku.pipeline.memory import Memory
from unidoku.pipeline.packing import PACKS, split
from unidoku.pipeline.results import Results
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.pipeline.packing import Pack

__all__ = [
    "OUTPUT_COLUMNS",
    "SINKS",
    "Sink",
    "SolutionSink",
    "TextSink",
    "carried",
    "header_of",
    "no_sink",
    "open_sink",
    "refuse_own_input",
]

EVERY = (1 << len(Verdict)) - 1
_WRITTEN = 1 << 19  # bytes written at once
OUTPUT_COLUMNS = ("line", "puzzle", "verdict", "count", "complete", "solution", "reason")

# Suffix -> "module:class"; the class is called with path and wanted.
SINKS = {
    ".txt": "unidoku.pipeline.sinks:TextSink",
    ".csv": "unidoku.pipeline.sinks:TextSink",
    ".jsonl": "unidoku.pipeline.sinks:TextSink",
    ".parquet": "unidoku.pipeline.arrowsink:ArrowSink",
    ".arrow": "unidoku.pipeline.arrowsink:ArrowSink",
    ".feather": "unidoku.pipeline.arrowsink:ArrowSink",
}


def wanted_mask(verdicts: Iterable[Verdict] | None) -> int:
    """Which rows to write, a bit per verdict; all where nothing is said."""
    return EVERY if verdicts is None else sum(1 << code for code in set(verdicts))


class Sink:
    """Takes result rows; this one drops them.

    Attributes
    ----------
    solutions : bool
        Whether the kernel shall give solutions.
    steady : bool
        Whether batches must be cut at the same places on every run, because the output shows them.
    carries : bool
        Whether the named columns of the input go to the output without being asked for.
    header : bool
        Whether to write what stands before the first row; not in a part that will follow another.
    columns : tuple of str or None
        The carried columns of the rows so far.
    memory : Memory
        Where buffers come from; sinks that follow one another may share one.
    """

    solutions = False
    steady = False
    carries = False
    header = True
    columns: tuple[str, ...] | None = None

    @cached_property
    def memory(self) -> Memory:
        """Its own, unless another is set."""
        return Memory()

    def render(self, batch: Batch, results: Results) -> Any:
        """One batch as a piece of output; called by the workers, must not change the sink."""

    def write(self, piece: Any) -> None:
        """Take the next piece, in input order."""

    def close(self) -> None:
        """Finish the output; what has been written is whole rows, also after an error."""

    def __enter__(self) -> Sink:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TextSink(Sink):
    """Rows as text: tab-separated lines, CSV or JSON lines, perhaps compressed, by the path's suffix.

    Parameters
    ----------
    path : str
        ``-`` is standard output, tab-separated.
    wanted : int
        Bit v is set when rows with verdict code v are wanted.

    Raises
    ------
    FormatError
        When the suffix is none of those.
    UnidokuError
        When the file cannot be written.
    """

    solutions = True

    def __init__(self, path: str, wanted: int = EVERY) -> None:
        self.path = path
        self.wanted = wanted
        self.form, self._pack = self._form(path)
        self.steady = self._pack is not None
        self.carries = self.form != "txt"
        self._file: Any = None
        if path == "-":
            self._file = sys.stdout.buffer
            # What was printed before comes first.
            sys.stdout.flush()
        else:
            try:
                self._file = open(path, "wb", buffering=0)  # noqa: SIM115
            except OSError as error:
                raise cannot_write(error, path) from error

    @staticmethod
    def _form(path: str) -> tuple[str, Pack | None]:
        """What rows look like, and how they are compressed."""
        return split(path)

    def render(self, batch: Batch, results: Results) -> tuple[tuple[str, ...], list[Any]]:
        """Rows and rejected lines in their order."""
        columns = carried(batch)
        names = tuple(column.name for column in columns)
        pieces: list[Any] = []
        for first, last, width, reject in _segments(batch, bool(self.wanted >> Verdict.INVALID & 1)):
            if first < last:
                pieces.append(
                    render(
                        self.form,
                        batch.text,
                        batch.starts,
                        batch.lines,
                        results.counts,
                        results.verdicts,
                        results.complete,
                        results.solutions,
                        first=first,
                        last=last,
                        width=width,
                        zero=batch.zero,
                        wanted=self.wanted,
                        columns=columns,
                        take=self.memory.take,
                    )
                )
            if reject is not None:
                pieces.append(_REJECTED[self.form](reject, names))
        if len(pieces) > 1:
            pieces = self._used(pieces, [b"".join(pieces)])
        if self._pack is not None:
            pieces = self._used(pieces, [self._pack(piece) for piece in pieces if len(piece)])
        return names, pieces

    def write(self, piece: tuple[tuple[str, ...], list[Any]]) -> None:
        """Append the rows."""
        names, pieces = piece
        if self.columns != names:
            self._begin(names)
        for text in pieces:
            self._put(text)
        self._used(pieces)

    def _used(self, pieces: list[Any], made: Sequence[Any] = ()) -> list[Any]:
        """Hand back the buffers of some pieces, from which others may have been made."""
        for piece in pieces:
            if isinstance(piece, memoryview):
                self.memory.give(piece.obj)
        return list(made)

    def close(self) -> None:
        """Finish the file; an empty CSV file has its header."""
        if self.columns is None:
            self._begin(())
        try:
            if self.path == "-":
                self._file.flush()
            else:
                self._file.close()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(error, self.path) from error

    def _begin(self, names: tuple[str, ...]) -> None:
        """Write what stands before the first row."""
        first = self.columns is None
        if not first and self.form == "csv":
            had, has = (", ".join(each) or "none" for each in (self.columns or (), names))
            raise FormatError(
                f"expected the carried columns of the inputs before ({had}), found {has}; "
                "one CSV file takes one kind of rows",
                file=self.path,
            )
        self.columns = names
        if first and self.header:
            self._put(header_of(self.path, names))

    def _put(self, text: Any) -> None:
        view = memoryview(text)
        try:
            while view:
                # A raw file may take less than it is given. Larger pieces ask the system for larger pages,
                # which it may have to make first.
                view = view[self._file.write(view[:_WRITTEN]) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(error, self.path) from error


class SolutionSink(TextSink):
    """Solution lines on standard output, the verdict's word where there is no solution."""

    def __init__(self) -> None:
        super().__init__("-")

    @staticmethod
    def _form(path: str) -> tuple[str, Pack | None]:
        return "solution", None


def carried(batch: Batch) -> list[Column]:
    """The carried columns; one with the name of an output column is called ``given_…``."""
    taken: set[str] = set(OUTPUT_COLUMNS)
    columns = []
    for column in batch.columns:
        name = column.name
        while name in taken:
            name = f"given_{name}"
        taken.add(name)
        columns.append(column if name == column.name else column.renamed(name))
    return columns


def header_of(path: str, names: tuple[str, ...]) -> bytes:
    """What a text output has before its first row, with these carried columns."""
    form, pack = split(path)
    if form != "csv":
        return b""
    header = [*OUTPUT_COLUMNS, *names]
    text = (",".join(_quote(name) for name in header) + "\n").encode()
    return text if pack is None else pack(text)


def open_sink(path: str | os.PathLike[str] | None, wanted: int = EVERY) -> Sink:
    """The sink for an output path, chosen by suffix; without a path the one that drops everything.

    Raises
    ------
    FormatError
        When no sink writes such a suffix.
    UnidokuError
        When the output cannot be opened.
    """
    if path is None:
        return Sink()
    path = os.fspath(path)
    name = path.lower()
    for ending in PACKS:
        name = name.removesuffix(ending)
    for suffix, home in SINKS.items():
        if name.endswith(suffix) or path == "-":
            module, _, kind = home.partition(":")
            sink = getattr(import_module(module), kind)(path, wanted)
            assert isinstance(sink, Sink)
            return sink
    raise no_sink(path)


def no_sink(path: str) -> FormatError:
    """The error for an output name that no sink writes."""
    return FormatError(
        f"expected an output name ending in {', '.join(SINKS)}, perhaps with {', '.join(PACKS)} behind it",
        file=path,
    )


def refuse_own_input(output: object, inputs: Iterable[object]) -> None:
    """Refuse an output that is one of the inputs, by whatever name.

    Raises
    ------
    InputError
    """
    if not isinstance(output, str | os.PathLike):
        return
    for each in inputs:
        if isinstance(each, str | os.PathLike):
            try:
                same = os.path.samefile(output, each)
            except OSError:
                continue
            if same:
                raise InputError("is an input; it cannot be the output too", file=os.fspath(output))


def _segments(batch: Batch, rejects: bool) -> Iterator[tuple[int, int, int, Reject | None]]:
    """Runs of puzzles of one width, and the rejected line that follows each, if any."""
    n = len(batch.starts)
    stops: list[tuple[int, Reject | None]] = [(n, None)]
    if rejects and len(batch.rejects):
        stops = [*((reject.before, reject) for reject in batch.rejects), *stops]
    wide = iter(batch.wide)
    mark = next(wide, n)
    at = 0
    for stop, reject in stops:
        while mark < stop:
            yield at, mark, 81, None
            yield mark, mark + 1, 729, None
            at = mark + 1
            mark = next(wide, n)
        yield at, stop, 81, reject
        at = stop


def _quote(text: str) -> str:
    """A CSV field."""
    if any(c in text for c in '",\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _decode(reject: Reject) -> str:
    return reject.text.decode("utf-8", "backslashreplace")


def _rejected_txt(reject: Reject, names: tuple[str, ...]) -> bytes:
    from unidoku.files.readers.text import escape

    fields = [escape(_decode(reject)), "invalid", "0", "", reject.reason]
    return ("\t".join(fields) + "\n").encode()


def _rejected_csv(reject: Reject, names: tuple[str, ...]) -> bytes:
    fields = [str(reject.line), _decode(reject), "invalid", "0", "", "", reject.reason, *("" for _ in names)]
    return (",".join(_quote(field) for field in fields) + "\n").encode()


def _rejected_jsonl(reject: Reject, names: tuple[str, ...]) -> bytes:
    from json import dumps

    row = {
        "line": reject.line,
        "puzzle": _decode(reject),
        "verdict": "invalid",
        "count": 0,
        "complete": None,
        "solution": None,
        "reason": reject.reason,
    }
    return (dumps(row, ensure_ascii=False) + "\n").encode()


def _rejected_solution(reject: Reject, names: tuple[str, ...]) -> bytes:
    return b"invalid\n"


_REJECTED = {
    "txt": _rejected_txt,
    "csv": _rejected_csv,
    "jsonl": _rejected_jsonl,
    "solution": _rejected_solution,
}
