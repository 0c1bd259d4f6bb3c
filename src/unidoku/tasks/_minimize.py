"""Make: Remove redundant clues of proper puzzles.

The task `minimize`: minimal puzzles within puzzles.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import islice
from typing import Any, ClassVar

from unidoku._arguments import seed_of
from unidoku._cli.command import Command
from unidoku._columns import REASON, ColumnSpec
from unidoku._options import option
from unidoku._table.batch import Batch
from unidoku._table.column import Column
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku._verdict import ImproperPuzzleError
from unidoku.craft._minimize import minimal_puzzles, minimal_rows
from unidoku.errors import ArgumentError, Message, Reason
from unidoku.rating._columns import RATINGS
from unidoku.rating._scale import SCALE
from unidoku.tasks._rate import rating_columns
from unidoku.tasks._shared import SEED, SOLUTION_COUNT

_FEW = 16  # puzzles in a batch: each may have many minimal puzzles
_PIECE = 64  # rows that are rated and written together


class Minimize(Task):
    """Remove redundant clues of proper puzzles.

    The seed decides the order in which clues are tried. The result is minimal. With --all, every minimal
    puzzle whose clues are among the given clues is written, in ascending order. Formats with columns also
    have the ratings of each new puzzle. A puzzle that is not proper has a reason there; other formats omit
    it.

    Parameters
    ----------
    seed : int, optional
        With the puzzle it fixes the order in which clues are tried; by default it is a fresh one.
    all : bool
        A row for each minimal puzzle, as for `unidoku.craft.minimal_puzzles`; without a seed.
    count : int, optional
        Largest number of results for each puzzle; by default all.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "puzzle": ColumnSpec("cells", "the minimal puzzle"),
        **RATINGS,
        "removed": ColumnSpec("int64", "the number of clues removed; 0 if the puzzle was minimal"),
    }
    default_columns: ClassVar[tuple[str, ...]] = ("puzzle", *RATINGS, "removed", *REASON)
    summary_counts: ClassVar[tuple[str, ...]] = ("minimal",)
    report_counts: ClassVar[tuple[str, ...]] = summary_counts
    seed: int | None = SEED.field()
    all: bool = option(False, "Write all minimal puzzles within each puzzle.")
    count: int | None = SOLUTION_COUNT.field(help="Write the first N of them.")
    scale: str = field(default=SCALE, init=False)

    def values(self) -> dict[str, Any]:
        """Draw a seed where none is given and one is used."""
        values = super().values()
        if self.all:
            if self.seed is not None:
                raise ArgumentError(Message("--all writes the puzzles in ascending order; omit --seed"))
            return values
        return {**values, "seed": seed_of(values["seed"])}

    @property
    def batch_size(self) -> int:  # type: ignore[override]
        """With `all`, few puzzles at a time."""
        if self.all:
            return _FEW
        return Task.batch_size

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Minimize each puzzle."""
        if self.all:
            yield from self._all_minimal(batch, work, cancel)
            return
        puzzles, reasons = minimal_rows(batch, self.seed or 0, cancel)
        rows = array("q", [row for row in range(len(batch)) if row not in reasons])
        minimal = Batch.of_text(puzzles, array("q", [81 * row for row in rows]), empty_code=0)
        yield self._results(batch, minimal, rows, work=work, reasons=reasons, cancel=cancel)

    def _all_minimal(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Yield all minimal puzzles in pieces: there may be more than memory holds."""
        rows, found, reasons = array("q"), list[bytes](), dict[int, Reason]()

        def piece(end: int) -> ResultBatch:
            """Return the rows so far, which are all rows of the puzzles before `end`."""
            minimal = Batch.of_text(b"".join(found), range(0, 81 * len(found), 81), empty_code=0)
            results = self._results(batch, minimal, rows, work=work, reasons=reasons, cancel=cancel)
            results.done = end
            return results

        for row, puzzle in enumerate(batch.grids()):
            cancel.raise_if_set()
            try:
                puzzles = minimal_puzzles(puzzle, cancel=cancel)
            except ImproperPuzzleError as error:
                reasons[row] = error.reason
                continue
            for minimal in islice(puzzles, self.count):
                if len(rows) == _PIECE:
                    yield piece(row)
                    rows, found, reasons = array("q"), [], {}
                rows.append(row)
                found.append(minimal.cells)
        yield piece(len(batch))

    def _results(
        self,
        batch: Batch,
        minimal: Batch,
        rows: array[int],
        *,
        work: Work,
        reasons: dict[int, Reason],
        cancel: Cancel,
    ) -> ResultBatch:
        """Return rows of minimal puzzles, each with the number of the puzzle that it is from."""
        cells = bytes(batch.values())
        empty = (minimal.text.count(0, start, start + 81) for start in minimal.starts)
        pairs = zip(rows, empty, strict=True)
        removed = array("q", [more - cells.count(0, 81 * row, 81 * row + 81) for row, more in pairs])
        columns = {
            "puzzle": minimal.puzzles(),
            "removed": Column(removed),
            **rating_columns(minimal, work, cancel),
        }
        return ResultBatch(batch, columns, rows, reasons, {"minimal": removed.count(0)})


COMMAND = Command(
    Minimize,
    examples=(
        "unidoku minimize puzzles.txt -o minimal.txt --seed 1",
        "unidoku minimize puzzles.txt --all -n 10 --to csv",
    ),
)
