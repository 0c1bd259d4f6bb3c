"""Files from one format to another, on the way perhaps without the puzzles that came before."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from unidoku.errors import InputError, InvalidPuzzleError, UnidokuError, cannot_write
from unidoku.files.base import Batch, Chunk, Column, ReadOptions, Reject, open_reader
from unidoku.files.compression import Bounds
from unidoku.files.source import open_source
from unidoku.files.writers import Writer, writer_for
from unidoku.native.text.seen import Seen
from unidoku.parallel import Cancel, ordered
from unidoku.pipeline.packing import split
from unidoku.pipeline.sinks import refuse_own_input

__all__ = ["Converted", "convert_file", "dedupe_file"]

_TARGET = 1 << 20  # bytes of a chunk
_TOLD = 20  # invalid records kept


@dataclass(slots=True)
class Converted:
    """What a conversion did.

    Attributes
    ----------
    puzzles : int
        Written.
    duplicates : int
        Left out because they had come before.
    invalid : int
        Records that are no puzzles, left out.
    rejects : list of InvalidPuzzleError
        The first of these.
    memory : int
        Bytes of the set of puzzles seen (0 without deduplication).
    """

    puzzles: int = 0
    duplicates: int = 0
    invalid: int = 0
    rejects: list[InvalidPuzzleError] = field(default_factory=list)
    memory: int = 0


def convert_file(
    path: str | os.PathLike[str] | BinaryIO,
    output: str | os.PathLike[str],
    *,
    format: str | None = None,
    column: str | int | None = None,
    strict: bool = False,
    carry: bool = True,
    max_ratio: float | None = 1000.0,
    max_size: int | None = None,
    threads: int | None = None,
) -> Converted:
    """Write the puzzles of a file in another format.

    Parameters
    ----------
    path : path or binary file
        ``-`` is standard input.
    output : path or URL
        The suffix names the format: ``.txt``, ``.sdm``, ``.csv``, ``.jsonl``, ``.sdk``, ``.ss``,
        ``.opensudoku``, ``.library`` (each also with ``.gz``, ``.bz2``, ``.xz``, ``.zst``), ``.parquet``,
        ``.arrow``; ``-`` is standard output, as lines. A file appears whole: when the input is damaged,
        with what could be read; after any other error there is what was there before.
    format, column, strict, max_ratio, max_size
        How to read; as for `check_file`.
    carry : bool
        Whether what came with the puzzles goes along, as far as the format has a place for it.
    threads : int, optional
        Worker threads; default the cores this process may use.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        When the input cannot be read or the output not be written, or the format cannot hold a puzzle.
    """
    return _run(
        path, output, _options(column, strict, carry), format, Bounds(max_ratio, max_size), threads=threads
    )


def dedupe_file(
    path: str | os.PathLike[str] | BinaryIO,
    output: str | os.PathLike[str],
    *,
    format: str | None = None,
    column: str | int | None = None,
    strict: bool = False,
    carry: bool = True,
    max_ratio: float | None = 1000.0,
    max_size: int | None = None,
) -> Converted:
    """Write the puzzles of a file, each only the first time it comes.

    Puzzles are equal when all their cells are, whatever the symbol for an empty cell. Remembered are
    128-bit hashes: 21 to 43 bytes a puzzle, 43 MB a million at most, nothing on disk.

    Parameters
    ----------
    path, output, format, column, strict, carry, max_ratio, max_size
        As for `convert_file`.

    Returns
    -------
    Converted
    """
    seen = Seen(*(int.from_bytes(os.urandom(8), "little") for _ in range(2)))
    return _run(path, output, _options(column, strict, carry), format, Bounds(max_ratio, max_size), seen=seen)


def _options(column: str | int | None, strict: bool, carry: bool) -> ReadOptions:
    return ReadOptions(column=None if column is None else str(column), strict=strict, carry=carry)


def _run(
    path: str | os.PathLike[str] | BinaryIO,
    output: str | os.PathLike[str],
    options: ReadOptions,
    format_name: str | None,
    bounds: Bounds,
    *,
    threads: int | None = None,
    seen: Seen | None = None,
) -> Converted:
    output = os.fspath(output)
    refuse_own_input(output, [path])
    done = Converted()
    convert = partial(
        _convert,
        path,
        options=options,
        format_name=format_name,
        bounds=bounds,
        threads=threads,
        seen=seen,
        done=done,
    )
    if output == "-" or (os.path.exists(output) and not os.path.isfile(output)):
        convert(output)
        return done
    damage = None
    with _draft(output) as draft:
        try:
            convert(str(draft))
        except InputError as error:
            if error.file == str(draft) or not done.puzzles:
                raise
            damage = error  # what could be read is kept
    if damage is not None:
        raise damage
    return done


@contextmanager
def _draft(output: str) -> Iterator[Path]:
    """A file that becomes the output when it is whole."""
    from unidoku.files.storage import atomic_path

    try:
        with atomic_path(output) as draft:
            try:
                yield draft
            except UnidokuError as error:
                error.file = output if error.file == str(draft) else error.file
                raise
    except OSError as error:
        raise cannot_write(error, output) from error


def _convert(
    path: str | os.PathLike[str] | BinaryIO,
    output: str,
    *,
    options: ReadOptions,
    format_name: str | None,
    bounds: Bounds,
    threads: int | None,
    seen: Seen | None,
    done: Converted,
) -> None:
    """Read, write and count, as far as it goes."""
    from unidoku.kernel import default_threads

    with open_source(path, bounds) as source:
        reader = open_reader(source, format_name, options)
        with _open(output) as target:
            if target.in_order or seen is not None:
                for piece in _in_order(reader.chunks(lambda: _TARGET), target, seen, done):
                    target.write(piece)
            else:
                pieces = ordered(
                    reader.chunks(lambda: _TARGET),
                    lambda chunk, scratch: _format(chunk, scratch, target),
                    threads or default_threads(),
                    cancel=Cancel(),
                )
                for count, rejects, piece in pieces:
                    _count(done, count, rejects, source.name)
                    target.write(piece)


def _format(chunk: Chunk, scratch: dict[str, Any], target: _Target) -> tuple[int, list[Reject], Any]:
    try:
        batch = chunk.parse(scratch)
        return len(batch.starts), list(batch.rejects), target.render(batch)
    finally:
        chunk.release()


def _in_order(chunks: Iterator[Chunk], target: _Target, seen: Seen | None, done: Converted) -> Iterator[Any]:
    scratch: dict[str, Any] = {}
    for chunk in chunks:
        try:
            batch = chunk.parse(scratch)
            rejects = list(batch.rejects)
            if seen is not None:
                count = len(batch.starts)
                batch = _unseen(batch, seen)
                done.duplicates += count - len(batch.starts)
                done.memory = seen.memory
            _count(done, len(batch.starts), rejects, batch.source)
            yield target.render(batch)
        finally:
            chunk.release()


def _count(done: Converted, puzzles: int, rejects: list[Reject], source: str) -> None:
    done.puzzles += puzzles
    done.invalid += len(rejects)
    done.rejects += [reject.error(source) for reject in rejects[: _TOLD - len(done.rejects)]]


def _unseen(batch: Batch, seen: Seen) -> Batch:
    """The puzzles of a batch that have not come before."""
    import numpy as np

    starts = np.array(batch.starts, np.int64)
    new = np.zeros(len(starts), np.uint8)
    wide = list(batch.wide)
    # In input order also where the widths differ: runs of one width.
    begin = 0
    for mark in [*wide, len(starts)]:
        seen.add(batch.text, starts[begin:mark], new[begin:mark], 81, batch.zero)
        if mark < len(starts):
            seen.add(batch.text, starts[mark : mark + 1], new[mark : mark + 1], 729, batch.zero)
        begin = mark + 1
    keep = new != 0
    if keep.all():
        return batch
    places = np.cumsum(keep) - 1
    return Batch(
        batch.source,
        batch.text,
        starts[keep],
        np.asarray(batch.lines)[keep],
        zero=batch.zero,
        wide=[int(places[i]) for i in wide if keep[i]],
        columns=[_kept(column, keep) for column in batch.columns],
    )


def _kept(column: Column, keep: Any) -> Column:
    import numpy as np

    array = getattr(column, "array", None)
    if array is not None:
        from unidoku.arrow import pyarrow
        from unidoku.files.readers.arrowdata import ArrowColumn

        return ArrowColumn(column.name, array.filter(pyarrow().array(keep)))
    return Column(column.name, column.text, np.asarray(column.starts)[keep], np.asarray(column.ends)[keep])


class _Target:
    """An output of puzzles."""

    in_order = False

    def render(self, batch: Batch) -> Any:
        """Format a batch; several at a time unless ``in_order``."""
        raise NotImplementedError

    def write(self, piece: Any) -> None:
        """Append a formatted batch."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish the output."""

    def __enter__(self) -> _Target:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.close()


class _TextTarget(_Target):
    def __init__(self, path: str) -> None:
        self.path = path
        suffix, self._pack = split(path)
        self._writer: Writer = writer_for(f".{suffix}")
        self.in_order = self._writer.in_order
        self._names: tuple[str, ...] | None = None
        try:
            self._file: Any = sys.stdout.buffer if path == "-" else open(path, "wb")  # noqa: SIM115
        except OSError as error:
            raise cannot_write(error, path) from error

    def render(self, batch: Batch) -> tuple[tuple[str, ...], bytes]:
        names = tuple(column.name for column in batch.columns)
        if self.in_order:
            self._begin(names)
        text = self._writer.puzzles(batch)
        return names, self._packed(text)

    def write(self, piece: tuple[tuple[str, ...], bytes]) -> None:
        names, text = piece
        self._begin(names)
        self._put(text)

    def _begin(self, names: tuple[str, ...]) -> None:
        if self._names is None:
            self._names = names
            self._put(self._packed(self._writer.begin(names).encode()))

    def _packed(self, text: bytes) -> bytes:
        return self._pack(text) if self._pack is not None and text else text

    def _put(self, text: bytes) -> None:
        try:
            self._file.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(error, self.path) from error

    def close(self) -> None:
        self._begin(())
        self._put(self._packed(self._writer.end().encode()))
        if self.path == "-":
            self._file.flush()
        else:
            self._file.close()


class _ArrowTarget(_Target):
    """Parquet or Arrow: the puzzles and what came with them."""

    def __init__(self, path: str) -> None:
        from unidoku.pipeline.arrowsink import PuzzleSink

        self._sink = PuzzleSink(path)

    def render(self, batch: Batch) -> Any:
        return self._sink.render(batch, None)

    def write(self, piece: Any) -> None:
        self._sink.write(piece)

    def close(self) -> None:
        self._sink.close()


def _open(path: str) -> _Target:
    if path.lower().endswith((".parquet", ".arrow", ".feather")):
        return _ArrowTarget(path)
    return _TextTarget(path)
