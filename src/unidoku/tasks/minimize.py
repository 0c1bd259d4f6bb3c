"""The task `minimize`: minimal puzzles within puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from unidoku.arguments import seed_of
from unidoku.cli.command import Command
from unidoku.craft.minimize import minimize_puzzles
from unidoku.craft.seeds import row_words
from unidoku.options import shared
from unidoku.rating.scale import SCALE
from unidoku.table.batch import Batch
from unidoku.table.images import without_ratings
from unidoku.table.puzzles import Puzzles
from unidoku.task import ResultBatch, Task
from unidoku.tasks.options import SEED
from unidoku.tasks.ratings import RATING_WORDS, RATINGS, rating_columns
from unidoku.threads import Cancel


@dataclass(frozen=True)
class Minimize(Task):
    """Remove redundant clues of proper puzzles.

    The seed decides the order in which clues are tried. No clue of a written puzzle can be removed. Formats
    with columns also have the ratings of each new puzzle. A puzzle that is not proper has a reason there;
    other formats leave it out.

    Parameters
    ----------
    seed : int, optional
        With the puzzle it fixes the order in which clues are tried; by default it is a fresh one.
    """

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "puzzle": ("cells", "the minimal puzzle"),
        **RATINGS,
        "removed": ("int64", "the number of clues removed; 0 if the puzzle was minimal"),
    }
    column_words: ClassVar[Mapping[str, Mapping[str, str]]] = RATING_WORDS
    default_columns: ClassVar[tuple[str, ...]] = (*RATINGS, "removed")
    report_counts: ClassVar[tuple[str, ...]] = ("minimal",)
    has_reasons: ClassVar[bool] = True
    seed: int | None = shared(SEED)
    scale: str = field(default=SCALE, init=False)

    def __post_init__(self) -> None:
        """Draw a seed where none is given."""
        super().__post_init__()
        object.__setattr__(self, "seed", seed_of(self.seed))

    def work(self, batch: Batch, cancel: Cancel) -> Iterator[ResultBatch]:
        """Minimize each puzzle."""
        cells = batch.cells
        seeds = row_words(cells, self.seed or 0)[:, 0]
        puzzles = Puzzles.of_cells(cells, errors="invalid")
        minimal = minimize_puzzles(puzzles, seeds, threads=1, cancel=cancel)
        removed = (cells > 0).sum(axis=1) - (minimal.puzzle > 0).sum(axis=1)
        ratings = rating_columns(minimal.puzzle, batch, cancel)
        columns = {"puzzle": minimal.puzzle, "removed": removed, **ratings}
        counts = {"minimal": len(np.setdiff1d(np.flatnonzero(removed == 0), [*minimal.reasons]))}
        yield ResultBatch(
            batch,
            columns,
            reasons=dict(minimal.reasons),
            counts=counts,
            passthrough=without_ratings(batch.columns),
        )


COMMAND = Command(
    Minimize,
    examples=(
        "unidoku minimize puzzles.txt -o minimal.txt --seed 1",
        "unidoku minimize puzzles.txt --to csv",
    ),
)
