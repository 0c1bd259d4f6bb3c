"""Rate the puzzles of files for the index of a folder of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.files.formats import open_reader
from unidoku.files.inputs import Input, entries, expand
from unidoku.files.options import InputOptions
from unidoku.kernel import MAX_THREADS, Cancel, ordered, positive, whole
from unidoku.native.steps.levels import STEP_LIMIT
from unidoku.run.progress import Progress, ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from unidoku.files.base import Batch, Chunk
    from unidoku.files.options import InputFields

__all__ = ["Rating", "rate_files"]

_BELOW = 9.0  # harder steps take too long
_CHUNK = 64 * 82  # bytes per chunk; small, because single puzzles may be slow


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of one puzzle.

    Attributes
    ----------
    source : str
        Name of the input.
    line : int
        Physical line (or record) number, from 1.
    puzzle : str
        81 cells, ``.`` for an empty one.
    er : str
        Rating of the hardest step, ``9.0+`` for 9.0 or more; empty for a puzzle that is not proper.
    steps, solutions, level, book_class, complete : int
        As for `unidoku.rating.Measures`.
    """

    source: str
    line: int
    puzzle: str
    er: str
    steps: int
    solutions: int
    level: int
    book_class: int
    complete: bool


def rate_files(
    inputs: Input | Iterable[Input],
    *,
    step_limit: int | None = STEP_LIMIT,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancel | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Iterator[Rating | UnidokuError]:
    """Rate every puzzle of some inputs, in order.

    Parameters
    ----------
    inputs : path or binary file, or several
        ``-`` is standard input; folders, patterns and archives are replaced by their files.
    step_limit : int, optional
        Largest number of steps for each puzzle, by default ten million; None or 0 for no limit.
    threads : int, optional
        Worker threads; by default one per available core.
    progress : callable, optional
        Called with a `Progress` about ten times a second, and at the end.
    cancel : Cancel, optional
        Set it to stop.
    options, **fields
        How to read; as for `unidoku.convert_file`.

    Yields
    ------
    Rating or UnidokuError
        An error for each record that is not a puzzle, for a puzzle with pencil marks, and for an input that
        cannot be read further; the next record or input follows.
    """
    step_limit = whole("step_limit", step_limit)
    threads = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
    reading = InputOptions.of(options, fields)
    for_reader = reading.for_reader(keep=False)
    inputs = expand(inputs)
    meter = ProgressMeter(progress, inputs)

    def chunks() -> Iterator[Chunk | UnidokuError]:
        for entry in entries(inputs, reading.bounds):
            try:
                with entry.open() as source:
                    meter.opened(source)
                    yield from open_reader(source, reading.format, for_reader).chunks(lambda: _CHUNK)
            except UnidokuError as error:
                yield error

    def work(item: Chunk | UnidokuError, scratch: dict[str, Any]) -> list[Rating | UnidokuError]:
        if isinstance(item, UnidokuError):
            return [item]
        try:
            return [rating for batch in item.batches(scratch) for rating in _rate(batch, step_limit)]
        finally:
            item.release()

    cancel = Cancel() if cancel is None else cancel
    for found in ordered(chunks(), work, threads, cancel=cancel, tick=meter.report):
        meter.count(len(found))
        yield from found
    meter.report()


def _rate(batch: Batch, step_limit: int) -> list[Rating | UnidokuError]:
    import numpy as np

    from unidoku.many import cells_of_text, flat
    from unidoku.rating.measure import measure
    from unidoku.rating.se121 import rate_many

    starts = np.asarray(batch.starts, dtype=np.int64)
    n = len(starts)
    plain = np.setdiff1d(np.arange(n), batch.marked)
    mine = np.ascontiguousarray(starts[plain])
    cells = cells_of_text(batch.text, mine, batch.zero)
    measured = measure(*flat(cells), 0, step_limit)
    rated = rate_many(cells, below=_BELOW, threads=1, errors="invalid")
    texts = list(batch.texts())
    found: list[tuple[int, Rating | UnidokuError]] = []
    for k, (index, one) in enumerate(zip(plain.tolist(), rated, strict=True)):
        rating = Rating(
            batch.source,
            int(batch.lines[index]),
            texts[index],
            "" if one is None else f"{one.er}{'+' if one.at_least else ''}",
            int(measured.steps[k]),
            int(measured.solutions[k]),
            int(measured.level[k]),
            int(measured.classes[k]),
            bool(measured.complete[k]),
        )
        found.append((index, rating))
    for index in batch.marked:
        message = "a puzzle with pencil marks cannot be rated"
        found.append((index, UnidokuError(message, file=batch.source, line=int(batch.lines[index]))))
    # A rejected record comes before the puzzle that follows it.
    found += [(reject.before - 1, reject.error(batch.source)) for reject in batch.rejects]
    found.sort(key=lambda pair: (pair[0], isinstance(pair[1], UnidokuError)))
    return [one for _, one in found]
