"""Convert files to another format, with or without the puzzles that have occurred before."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unidoku import kernel
from unidoku.errors import InputError, InvalidPuzzleError
from unidoku.files.base import Batch, Chunk, Reject
from unidoku.files.inputs import Input, expand, read_chunks
from unidoku.files.options import InputOptions
from unidoku.files.overlap import refuse_overlap
from unidoku.kernel import Cancel, default_threads, ordered
from unidoku.native.text.seen import Seen
from unidoku.run.progress import Progress, ProgressMeter
from unidoku.run.sinks import open_sink
from unidoku.run.summary import SHOWN

if TYPE_CHECKING:
    from typing import Unpack

    from unidoku.files.options import InputFields

__all__ = ["Converted", "batch_at", "convert_file", "dedupe_file"]


@dataclass(slots=True)
class Converted:
    """What a conversion did."""

    puzzles: int = 0
    duplicates: int = 0
    invalid: int = 0
    rejects: list[InvalidPuzzleError] = field(default_factory=list)
    memory: int = 0
    complete: bool = True
    resume: str | None = None


def convert_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    to: str | None = None,
    carry: bool = True,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Converted:
    """Write the puzzles of some files in another format.

    Parameters
    ----------
    path : path, binary file, or a sequence of these
        ``-`` is standard input; a folder stands for the files in it.
    output : path or URL
        The suffix names the format (see docs/files.md), perhaps followed by ``.gz``, ``.bz2``, ``.xz`` or
        ``.zst``; ``-`` is standard output. The file appears when it is complete: after an error there is what
        was there before, but of a damaged input the puzzles before the damage are kept.
    to : str, optional
        Name of the output's format, instead of its suffix; for ``-`` the default is ``lines``.
    carry : bool
        Whether to write the other columns of the input too, if the format can hold them.
    threads : int, optional
        Worker threads; by default one per available core.
    progress : callable, optional
        Called with a `Progress` about ten times a second, and at the end.
    options : InputOptions, optional
        How to read.
    **fields
        Attributes of :class:`InputOptions` (``column="grid"``); they replace those of `options`.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        When an input cannot be read or the output cannot be written, or the format cannot hold a puzzle.
    """
    run = _Run(output, InputOptions.of(options, fields), to, carry, progress)
    return run(expand(path), threads=threads or default_threads())


def dedupe_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    symmetry: bool = False,
    to: str | None = None,
    carry: bool = True,
    progress: Callable[[Progress], None] | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Converted:
    """Write the puzzles of some files, each only where it occurs first.

    Puzzles are equal if all their cells are equal (the symbol for an empty cell does not matter), puzzles
    with pencil marks if all 729 characters are equal. The memory holds 128-bit hashes of all puzzles seen:
    21 to 43 bytes per puzzle.

    Parameters
    ----------
    path, output, to, carry, progress, options, **fields
        As for `convert_file`.
    symmetry : bool, optional
        Whether puzzles are equal too that a symmetry of the grid maps to each other: rows, columns, bands,
        stacks and digits exchanged, rows and columns swapped. Puzzles with two equal clues in a house and
        puzzles with pencil marks are compared cell by cell.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        As for `convert_file`.
    """
    run = _Run(output, InputOptions.of(options, fields), to, carry, progress)
    seen = Seen(*(int.from_bytes(os.urandom(8), "little") for _ in range(2)))
    done = run(expand(path), lambda batch: _unseen(batch, seen, symmetry))
    done.memory = seen.memory
    return done


@dataclass(frozen=True, slots=True)
class _Run:
    """Reads, writes and counts; of damaged inputs, what could be read."""

    output: str | os.PathLike[str]
    options: InputOptions
    to: str | None
    carry: bool
    progress: Callable[[Progress], None] | None

    def __call__(
        self, inputs: list[Input], change: Callable[[Batch], Batch] | None = None, *, threads: int = 1
    ) -> Converted:
        output = os.fspath(self.output)
        refuse_overlap(inputs, [output])
        meter = ProgressMeter(self.progress, inputs)
        done = Converted()
        damage = None
        cancel = Cancel()
        with open_sink(output, to=self.to, puzzles=True, atomic=True) as sink:

            def work(chunk: Chunk, scratch: dict[str, Any]) -> tuple[str, int, int, list[Reject], Any]:
                try:
                    batch = chunk.parse(scratch)
                    count, rejects = len(batch.starts), list(batch.rejects)
                    kept = batch if change is None else change(batch)
                    return batch.source, count, len(kept.starts), rejects, sink.render(kept, None)
                finally:
                    chunk.release()

            try:
                chunks = read_chunks(inputs, self.options, carry=self.carry, opened=meter.opened)
                workers = 1 if sink.in_order else threads
                for source, count, kept, rejects, piece in ordered(
                    chunks, work, workers, cancel=cancel, tick=meter.report, pool=sink.pool
                ):
                    sink.write(piece)
                    meter.count(count + len(rejects))
                    done.puzzles += kept
                    done.duplicates += count - kept
                    done.invalid += len(rejects)
                    done.rejects += [each.error(source) for each in rejects[: SHOWN - len(done.rejects)]]
                meter.report()
            except InputError as error:
                if not done.puzzles:
                    raise
                damage = error
            if cancel:
                raise KeyboardInterrupt
        if damage is not None:
            raise damage
        return done


def _unseen(batch: Batch, seen: Seen, symmetry: bool) -> Batch:
    """Return the puzzles of a batch that are not in the set, and add them to it."""
    import numpy as np

    starts = np.array(batch.starts, np.int64)
    new = np.zeros(len(starts), np.uint8)
    marked = list(batch.marked)
    text, zero, at = batch.text, batch.zero, starts
    if symmetry and not marked:
        text, zero, at = _least_images(batch, starts).reshape(-1), 0, np.arange(0, 81 * len(starts), 81)
    # In input order also where the widths differ: runs of one width.
    begin = 0
    for mark in [*marked, len(starts)]:
        seen.add(text, at[begin:mark], new[begin:mark], 81, zero)
        if mark < len(starts):
            seen.add(batch.text, starts[mark : mark + 1], new[mark : mark + 1], 729, batch.zero)
        begin = mark + 1
    return batch if new.all() else batch_at(batch, np.flatnonzero(new))


def _least_images(batch: Batch, starts: Any) -> Any:
    """Return the smallest image of each puzzle, or the puzzle itself if clues clash: uint8[n, 81]."""
    import numpy as np

    images = np.empty((len(starts), 81), np.uint8)
    native = kernel.form(package="symmetry")
    native.least_images(batch.text, starts, images.reshape(-1), zero=batch.zero, keep_clashing=True)
    return images


def batch_at(batch: Batch, places: Any) -> Batch:
    """Return some puzzles of a batch, with their columns."""
    import numpy as np

    marked = np.isin(places, batch.marked) if len(batch.marked) else ()
    return Batch(
        batch.source,
        batch.text,
        np.asarray(batch.starts)[places],
        np.asarray(batch.lines)[places],
        zero=batch.zero,
        marked=np.flatnonzero(marked).tolist(),
        columns=[column.at(places) for column in batch.columns],
    )
