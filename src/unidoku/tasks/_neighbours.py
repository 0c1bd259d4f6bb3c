"""Make: Write proper puzzles close to a given puzzle.

The task `neighbours`: proper puzzles near a puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import ClassVar

from unidoku._cli.command import Command
from unidoku._clue_symmetry import SYMMETRIES
from unidoku._columns import REASON, ColumnSpec
from unidoku._options import Whole, option
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku.craft._neighbours import neighbours_of
from unidoku.rating._columns import RATINGS
from unidoku.rating._scale import SCALE
from unidoku.tasks._generate import SYMMETRY
from unidoku.tasks._rate import rating_columns


class Neighbours(Task):
    """Write proper puzzles close to a given puzzle.

    A neighbour is the puzzle with N clues removed and M added. No two neighbours of one puzzle are symmetric
    copies. Neighbours of different puzzles can be; convert --unique canonical keeps one of each class.

    Formats with columns also have the ratings of a neighbour. Without --keep none they have the input
    columns, with a solution as input_solution. If two clues clash, the row has a reason.

    Parameters
    ----------
    remove, add, symmetry : optional
        As for `unidoku.neighbours`.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {"puzzle": ColumnSpec("cells", "the neighbour"), **RATINGS}
    remove: int = option(1, "Remove N clues.", Whole(0, 81))
    add: int = option(1, "Add M clues.", Whole(0, 81), metavar="M")
    symmetry: str = SYMMETRY.field(
        help=f"Write only neighbours with symmetric clues: {', '.join(SYMMETRIES)}."
    )

    default_columns: ClassVar[tuple[str, ...]] = ("puzzle", *RATINGS, *REASON)
    changes_solutions: ClassVar[bool] = True
    batch_size: ClassVar[int] = 50  # one may have thousands of neighbours
    scale: str = field(default=SCALE, init=False)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Find the neighbours of each puzzle."""
        changes = self.remove, self.add, self.symmetry
        rows, puzzles, reasons = neighbours_of(batch.grids(), changes, work.threads, cancel)
        columns = {"puzzle": puzzles.puzzles(), **rating_columns(puzzles, work, cancel)}
        yield ResultBatch(batch, columns, rows, reasons)


COMMAND = Command(
    Neighbours,
    examples=(
        "unidoku neighbours few.txt -o near.txt",
        "unidoku neighbours few.txt --remove 2 --add 1 --to csv",
    ),
)
