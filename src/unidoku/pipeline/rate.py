"""Steps, guess level, class and solutions for every puzzle of some inputs."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from unidoku import kernel
from unidoku.arguments import MAX_THREADS, positive
from unidoku.errors import UnidokuError
from unidoku.files.base import ReadOptions
from unidoku.files.formats import open_reader
from unidoku.files.inputs import Input, entries, expand
from unidoku.native.steps.levels import STEP_LIMIT, rate_cells
from unidoku.parallel import Cancel, ordered

if TYPE_CHECKING:
    from unidoku.files.base import Batch, Chunk

__all__ = ["Rating", "rate_files"]

_CHUNK = 64 * 82  # bytes read at a time: single puzzles may be slow
_CLASHING = 3  # outcome of the step engine for two equal clues in a house


class Rating(NamedTuple):
    """What is known of one puzzle.

    Attributes
    ----------
    source : str
        Name of the input.
    line : int
        Physical line (or record) number, from 1.
    steps : int
        Steps of the step engine to the end of the whole search, mode 0.
    solutions : int
        Solutions found on the way.
    biggest_level : int
        Biggest guess level.
    difficulty : int or None
        The numerical-analysis method's class 1..4; None for a puzzle with no or several solutions.
    complete : bool
        False where the step limit ended the search: then there may be more steps, solutions and levels.
    """

    source: str
    line: int
    steps: int
    solutions: int
    biggest_level: int
    difficulty: int | None
    complete: bool

    def as_dict(self) -> dict[str, Any]:
        """The rating as a JSON object; ``complete`` only where it is false."""
        out: dict[str, Any] = {
            "line": self.line,
            "steps": self.steps,
            "solutions": self.solutions,
            "biggest_level": self.biggest_level,
            "class": self.difficulty,
        }
        return out if self.complete else {**out, "complete": False}


def rate_files(
    inputs: Input | Iterable[Input],
    *,
    threads: int | None = None,
    step_limit: int = STEP_LIMIT,
    format_name: str | None = None,
    options: ReadOptions | None = None,
) -> Iterator[Rating | UnidokuError]:
    """Rate every puzzle of the inputs, in order.

    Parameters
    ----------
    inputs : path or binary file, or several
        ``-`` is standard input; folders, patterns and archives stand for the files in them.
    threads : int, optional
        Default: the cores this process may use.
    step_limit : int
        Steps after which the search of a puzzle is given up; 0 for none.
    format_name, options
        As for `unidoku.check_file`.

    Yields
    ------
    Rating or UnidokuError
        An error for each record that is no puzzle and for an input that cannot be read on; the run goes on
        after it.
    """
    step_limit = positive("step_limit", step_limit or None)
    threads = positive("threads", threads, MAX_THREADS) or kernel.default_threads()

    def chunks() -> Iterator[Chunk | UnidokuError]:
        for entry in entries(expand(inputs)):
            try:
                with entry.open() as source:
                    reader = open_reader(source, format_name, options or ReadOptions())
                    yield from reader.chunks(lambda: _CHUNK)
            except UnidokuError as error:
                yield error

    def work(item: Chunk | UnidokuError, scratch: dict[str, Any]) -> list[Rating | UnidokuError]:
        if isinstance(item, UnidokuError):
            return [item]
        try:
            return _rate(item.parse(scratch), step_limit)
        finally:
            item.release()

    for found in ordered(chunks(), work, threads, cancel=Cancel()):
        yield from found


def _rate(batch: Batch, step_limit: int) -> list[Rating | UnidokuError]:
    import numpy as np

    from unidoku.method.classes import TOTALS, classes_of, run_classify

    starts = np.frombuffer(batch.starts, dtype=np.int64)
    n = len(starts)
    wide = set(batch.wide)
    narrow = np.array([k for k in range(n) if k not in wide], dtype=np.int64) if wide else np.arange(n)
    mine = np.ascontiguousarray(starts[narrow])
    steps, solutions = array("Q", bytes(8 * len(mine))), array("Q", bytes(8 * len(mine)))
    levels, outcomes = bytearray(len(mine)), bytearray(len(mine))
    rate_cells(
        batch.text,
        mine.data,
        zero=batch.zero,
        steps=steps,
        solutions=solutions,
        biggest_level=levels,
        outcomes=outcomes,
        step_limit=step_limit,
    )
    totals = np.zeros(len(mine), dtype=TOTALS)
    run_classify(batch.text, mine, totals, zero=batch.zero, presets=0)
    classes = classes_of(totals)
    found: list[tuple[int, Rating | UnidokuError]] = []
    for k, place in enumerate(narrow.tolist()):
        complete = outcomes[k] in {0, _CLASHING}
        proper = complete and solutions[k] == 1
        rating = Rating(
            batch.source,
            int(batch.lines[place]),
            steps[k],
            solutions[k],
            levels[k],
            int(classes[k]) if proper else None,
            complete,
        )
        found.append((place, rating))
    for place in wide:
        message = "a puzzle of 729 characters is not rated"
        found.append((place, UnidokuError(message, file=batch.source, line=int(batch.lines[place]))))
    # rejected records stand before the puzzle that came after them
    found += [(reject.before - 1, reject.error(batch.source)) for reject in batch.rejects]
    found.sort(key=lambda pair: (pair[0], isinstance(pair[1], UnidokuError)))
    return [one for _, one in found]
