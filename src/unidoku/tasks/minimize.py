"""The task `minimize`: minimal puzzles within puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.arguments import seed_of
from unidoku.cell import symbols_of
from unidoku.cli.command import Command
from unidoku.compat import np
from unidoku.craft.minimize import IMPROPER, minimal_cells, minimize_many, reduce_clues
from unidoku.craft.seeds import row_bits
from unidoku.errors import InvalidPuzzleError, Message, UnidokuError
from unidoku.kernel import are_proper, verdict_of
from unidoku.options import option, shared_option
from unidoku.rating.scale import SCALE
from unidoku.table.batch import Batch
from unidoku.task import ColumnWords, ResultBatch, Task, Work
from unidoku.tasks.rate import RATING_REQUESTS, RATING_WORDS, RATINGS, rating_columns, rating_row
from unidoku.tasks.shared import SEED, SOLUTION_COUNT
from unidoku.threads import Cancel
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FEW = 16  # puzzles in a batch, each of which may have many minimal ones
_PIECE = 64  # rows that are rated and written together


class Minimize(Task):
    """Remove redundant clues of proper puzzles.

    The seed decides the order in which clues are tried. No clue of a written puzzle can be removed. With
    --all, every minimal puzzle that has no other clues is written, in ascending order. Formats with columns
    also have the ratings of each new puzzle. A puzzle that is not proper has a reason there; other formats
    leave it out.

    Parameters
    ----------
    seed : int, optional
        With the puzzle it fixes the order in which clues are tried; by default it is a fresh one.
    all : bool
        A row for each minimal puzzle, as for `unidoku.minimal_puzzles`; without a seed.
    count : int, optional
        Largest number of these for each puzzle; by default all.
    """

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "puzzle": ("cells", "the minimal puzzle"),
        **RATINGS,
        "removed": ("int64", "the number of clues removed; 0 if the puzzle was minimal"),
    }
    column_words: ClassVar[Mapping[str, ColumnWords]] = RATING_WORDS
    requests: ClassVar[Mapping[str, str]] = RATING_REQUESTS
    default_columns: ClassVar[tuple[str, ...]] = (*RATINGS, "removed")
    summary_counts: ClassVar[tuple[str, ...]] = ("minimal",)
    report_counts: ClassVar[tuple[str, ...]] = summary_counts
    has_reasons: ClassVar[bool] = True
    seed: int | None = shared_option(SEED)
    all: bool = option(False, "Write all minimal puzzles within each puzzle.")
    count: int | None = shared_option(SOLUTION_COUNT, help="Write the first N of them.")
    scale: str = field(default=SCALE, init=False)

    def values(self) -> dict[str, Any]:
        """Draw a seed where none is given and one is used."""
        values = super().values()
        if self.all and self.seed is not None:
            raise UnidokuError(Message("--all writes the puzzles in ascending order: leave out --seed"))
        return values if self.all else {**values, "seed": seed_of(values["seed"])}

    @property
    def batch_size(self) -> int:  # type: ignore[override]
        """With `all`, few puzzles at a time."""
        return _FEW if self.all else Task.batch_size

    @property
    def few_columns(self) -> frozenset[str]:  # type: ignore[override]
        """All; with `all` there may be many rows."""
        return frozenset(() if self.all else self.columns)

    def rows_of(self, record: Any, columns: frozenset[str], cancel: Cancel) -> list[dict[str, Any]]:
        """Minimize one puzzle."""
        if verdict_of(record, cancel=cancel) != Verdict.UNIQUE:
            raise InvalidPuzzleError(IMPROPER)
        puzzle = bytes(reduce_clues(record, row_bits(record, self.seed or 0), cancel=cancel))
        row: dict[str, Any] = {"puzzle": symbols_of(puzzle), "removed": puzzle.count(0) - record.count(0)}
        return [row | rating_row(puzzle, columns, cancel)]

    def counts_of_rows(self, rows: list[dict[str, Any]]) -> dict[str, int]:
        """Count the puzzles that were minimal."""
        return {"minimal": sum(not row.get("removed", True) for row in rows)}

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Minimize each puzzle."""
        if self.all:
            yield from self._all_minimal(batch, work, cancel)
            return
        minimal = minimize_many(batch.cells, seed=self.seed, threads=1, errors="invalid", cancel=cancel)
        rows = np.delete(np.arange(len(batch)), [*minimal.reasons])
        yield self._results(
            batch, work, minimal.puzzle[rows], rows, reasons=dict(minimal.reasons), cancel=cancel
        )

    def _all_minimal(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Yield all minimal puzzles in pieces: there may be more than memory holds."""
        proper = are_proper(batch.cells, cancel)
        begin, rows, found = 0, list[int](), list[bytes]()

        def piece(end: int) -> ResultBatch:
            """Return the rows so far; the others of the puzzles before `end` have none."""
            reasons = {row: IMPROPER for row in range(begin, end) if not proper[row]}
            puzzles = np.frombuffer(b"".join(found), np.uint8).reshape(-1, 81)
            results = self._results(
                batch, work, puzzles, np.array(rows, np.intp), reasons=reasons, cancel=cancel
            )
            results.done = end
            return results

        for row in np.flatnonzero(proper).tolist():
            for cells in islice(minimal_cells(batch.cells[row].tobytes(), cancel), self.count):
                if len(rows) == _PIECE:
                    yield piece(rows[-1])
                    begin, rows, found = rows[-1], [], []
                rows.append(row)
                found.append(cells)
        yield piece(len(batch))

    def _results(
        self,
        batch: Batch,
        work: Work,
        puzzles: NDArray[np.uint8],
        rows: NDArray[np.intp],
        *,
        reasons: dict[int, str],
        cancel: Cancel,
    ) -> ResultBatch:
        """Return rows of minimal puzzles, each with the puzzle that it is from."""
        removed = (batch.cells[rows] > 0).sum(axis=1) - (puzzles > 0).sum(axis=1)
        columns = {"puzzle": puzzles, "removed": removed, **rating_columns(puzzles, work, cancel)}
        counts = {"minimal": int((removed == 0).sum())}
        return ResultBatch(batch, columns, rows, reasons, counts)


COMMAND = Command(
    Minimize,
    examples=(
        "unidoku minimize puzzles.txt -o minimal.txt --seed 1",
        "unidoku minimize puzzles.txt --all -n 10 --to csv",
    ),
)
