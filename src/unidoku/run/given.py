"""Puzzles that are made one after the other, written while they are made."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.errors import FormatError
from unidoku.files.formats import output_format
from unidoku.rating.se121 import SCALE
from unidoku.run.change import batch_of
from unidoku.run.loop import RunOptions
from unidoku.run.rate import with_ratings
from unidoku.run.sinks import open_sink
from unidoku.run.stage import PuzzleStage
from unidoku.threads import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from unidoku.files.base import Column
    from unidoku.run.loop import FileFields


@dataclass(frozen=True, slots=True)
class Given(PuzzleStage):
    """Puzzles that are made elsewhere, and what is recorded about them."""

    name: ClassVar[str] = "given"
    about: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return what is recorded."""
        return self.about


@contextmanager
def puzzle_writer(
    output: str | os.PathLike[str],
    about: dict[str, Any],
    **options: Unpack[FileFields],
) -> Iterator[Callable[..., int]]:
    """Open an output as a context; what is written stays if it ends with an error.

    Of the options, it uses ``to``, ``comment``, ``threads`` and, for ratings, ``carry``.

    The function that it gives writes puzzles, uint8[n, 81], perhaps with columns; it returns how many puzzles
    are written so far.
    """
    to, workers, written = options.get("to"), thread_count(options.get("threads")), 0
    rated = has_ratings(output, options)
    stage = Given(about | {"scale": SCALE} if rated else about)
    sink = open_sink(output, RunOptions(stage=stage, comment=options.get("comment", False)), to=to)

    def write(puzzles: NDArray[np.uint8], columns: Sequence[Column] = ()) -> int:
        nonlocal written
        lines = np.arange(written + 1, written + len(puzzles) + 1, dtype=np.int64)
        batch = batch_of("<puzzles>", puzzles, lines, columns)
        sink.write(sink.render(stage.table(with_ratings(batch, workers) if rated else batch, sink)))
        written += len(puzzles)
        return written

    with sink:
        yield write


def solution_column(output: str | os.PathLike[str], to: str | None = None) -> str:
    """Return the name of the column for solutions: ``rest`` for lines, which have them behind a tab."""
    name = os.fspath(output)
    form = output_format(name, to, rows=False)
    if form.suffix == ".txt":
        return "rest"
    if not _has_columns(output, to):
        message = f"{form.suffix} holds no solutions; txt, csv, tsv, jsonl, parquet and arrow do"
        raise FormatError(message, file="<stdout>" if name == "-" else name)
    return "solution"


def has_ratings(output: str | os.PathLike[str], options: FileFields) -> bool:
    """Return whether new puzzles are written with their ratings."""
    return options.get("carry", True) and _has_columns(output, options.get("to"))


def _has_columns(output: str | os.PathLike[str], to: str | None) -> bool:
    """Return whether the format of an output for puzzles has columns with names."""
    form = output_format(os.fspath(output), to, rows=False, default=".parquet")
    return form.format.rows and form.suffix not in (".txt", ".sdm")
