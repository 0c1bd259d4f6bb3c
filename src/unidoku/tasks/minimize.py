"""The capability `minimize`: minimal puzzles within puzzles.

The functions in memory are in `unidoku.craft.minimize`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from unidoku.errors import UnidokuError
from unidoku.options import option, shared
from unidoku.task import Need, Rows, Task
from unidoku.tasks.columns import RATINGS, SEED, ratings_of, scaled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.column import Column
    from unidoku.files.inputs import Input
    from unidoku.options import OptionFields
    from unidoku.run.summary import Summary

_PIECE = 64  # minimal puzzles that are written at once
_PROVED = {
    "clues_at_least": ("int64", "a lower bound on the number of clues that suffice, with --fewest"),
    "complete": ("bool", "whether the fewest clues are proved, with --fewest"),
}


@dataclass(frozen=True)
class Minimize(Task):
    """Remove redundant clues of proper puzzles.

    The seed decides the order in which clues are tried. No clue of a written puzzle can be removed. Formats
    with columns also have the ratings of each new puzzle; with -n or --fewest, no columns of the input are
    written.

    --fewest searches for the fewest clues that suffice. If the budget is used up, the best puzzle found is
    written.
    """

    name: ClassVar[str] = "minimize"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "puzzle": ("cells", "the minimal puzzle"),
        **RATINGS,
        **_PROVED,
    }
    shown: ClassVar[tuple[str, ...]] = (*RATINGS, "clues_at_least")
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku minimize puzzles.txt -o minimal.txt --seed 1",
        "unidoku minimize puzzles.txt -n 2",
    )
    seed: int | None = shared(SEED)
    count: int | None = option(
        1,
        "Write up to N minimal puzzles within each puzzle, or all, in an order that depends on the puzzle "
        "alone.",
        least=1,
        absent="one, found by the seed",
        unbounded="all",
        flags=("-n", "--count"),
    )
    fewest: bool = option(False, "Write a minimal puzzle with the fewest clues for each puzzle.")
    budget: int | None = option(
        None,
        "With --fewest: end the search of a puzzle after this many branches.",
        least=1,
        absent="1,000,000",
        metavar="BRANCHES",
    )

    def __post_init__(self) -> None:
        """Refuse options that exclude each other; draw a seed where one is used."""
        super().__post_init__()
        if (self._lists and self.fewest) or (self.budget is not None and not self.fewest):
            raise UnidokuError("budget needs fewest, and fewest excludes count (-n)")
        from unidoku.craft.seeds import seed_of

        object.__setattr__(self, "seed", None if self._lists else seed_of(self.seed))

    @property
    def _lists(self) -> bool:
        """Whether the minimal puzzles are listed; otherwise the seed finds one."""
        return self.count != 1

    @property
    def at_once(self) -> tuple[int, int, int]:  # type: ignore[override]
        """How many puzzles are worked on at once: few if each takes long."""
        if self._lists:
            return 1, 100, 25
        if self.fewest:
            return 1, 100, 1
        return Task.at_once

    def gives(self) -> tuple[str, ...]:
        """Return its columns: the proved bound only for the fewest clues."""
        return tuple(each for each in self.columns if self.fewest or each not in _PROVED)

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, and the scale of the ratings."""
        return scaled(super().to_json())

    def work(self, batch: Batch, need: Need) -> dict[str, Any]:
        """Minimize each puzzle, or search for the fewest clues."""
        import numpy as np

        from unidoku.batch import Batch
        from unidoku.craft.minimize import fewest_clues, minimized
        from unidoku.craft.seeds import row_words
        from unidoku.parse_many import Puzzles

        cells = batch.cells
        if not self.fewest:
            seeds = row_words(cells, self.seed or 0)[:, 0]
            puzzles = Puzzles([Batch.of_cells(cells)])
            minimal = minimized(puzzles, seeds, errors="invalid", threads=1, cancel=need.cancel)
            return {"puzzle": minimal.cells, "reason": minimal.reasons, **ratings_of(minimal.cells, need)}
        reasons = _improper(cells, need)
        small = np.zeros((len(cells), 81), np.uint8)
        bound, complete = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.bool_)
        for row in np.delete(np.arange(len(cells)), list(reasons)).tolist():
            found = fewest_clues(cells[row], budget=self.budget, seed=self.seed, cancel=need.cancel)
            small[row] = np.frombuffer(found.grid.cells, np.uint8)
            bound[row], complete[row] = found.at_least, found.complete
        made = {"puzzle": small, "clues_at_least": bound, "complete": complete}
        return {**made, "reason": reasons, **ratings_of(small, need)}

    def pieces(self, batch: Batch, need: Need) -> Iterator[Mapping[str, Any]]:
        """Yield the minimal puzzles as they are found, or what `work` returns."""
        if not self._lists:
            yield self.work(batch, need)
            return
        import numpy as np

        from unidoku.craft.minimize import every_minimal

        reasons = _improper(batch.cells, need)
        found = (
            (row, grid.cells)
            for row, cells in enumerate(batch.cells)
            if row not in reasons
            for grid in islice(every_minimal(cells), self.count)
        )
        more, begin = True, 0
        while more:
            some = list(islice(takewhile(lambda _: not need.cancel, found), _PIECE))
            more = len(some) == _PIECE
            of = np.array([row for row, _ in some], np.int64)
            puzzles = np.frombuffer(b"".join(cells for _, cells in some), np.uint8).reshape(-1, 81)
            end = int(of[-1]) if more else len(batch)
            why = {row: reason for row, reason in reasons.items() if begin <= row < end}
            yield {"of": of, "puzzle": puzzles, "reason": why, **ratings_of(puzzles, need)}
            begin = end

    def carried(self, batch: Batch, found: Mapping[str, Any]) -> dict[str, Column]:
        """Return the columns of the input but ratings; none with `count` and `fewest`."""
        from unidoku.craft.images import without_ratings

        return {} if self._lists or self.fewest else without_ratings(batch.columns)

    def counts(self, found: Rows) -> dict[str, int]:
        """Count the puzzles whose search was ended."""
        return {"cut_off": int((~found.columns["complete"].values).sum())} if self.fewest else {}

    def note(self, counts: Mapping[str, int]) -> str | None:
        """Say for how many puzzles the budget was used up."""
        number = counts["cut_off"]
        if not number:
            return None
        puzzles = "1 puzzle" if number == 1 else f"{number:,} puzzles"
        return f"the budget is used up: {puzzles} may have fewer clues"


def minimize_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    seed: int | None = None,
    count: int | None = 1,
    fewest: bool = False,
    budget: int | None = None,
    **options: Unpack[OptionFields],
) -> Summary:
    """Write one or several minimal puzzles within each proper puzzle of some files.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; unless ``keep`` is ``"none"``, the ratings of the new puzzles are written too
        if the format has columns, and those of the input are left out. Unless `count` is 1, and with
        `fewest`, no column of the input is written.
    seed : int or None, optional
        With the puzzle it fixes the order in which clues are tried; by default it is a fresh one.
    count : int or None, optional
        1: the one that the seed finds. Otherwise the largest number of minimal puzzles to write within each
        puzzle, in an order that depends on the puzzle only; None for all of them.
    fewest : bool
        Write a minimal puzzle with the fewest clues, as `unidoku.craft.minimize.fewest_clues` finds it. The
        column ``clues_at_least`` is the proved bound: no puzzle within the puzzle has fewer clues.
    budget : int, optional
        With `fewest`: the largest number of branches to search for each puzzle, by default a million.

    Returns
    -------
    Summary
        With `fewest`, ``cut_off`` is the number of puzzles for which the budget was used up.

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if a puzzle is not proper, or an option is given without the option that
        it needs.
    """
    from unidoku.run.task import run_file

    task = Minimize(seed=seed, count=count, fewest=fewest, budget=budget)
    return run_file(task, inputs, output, **options)


def _improper(cells: NDArray[Any], need: Need) -> dict[int, str]:
    import numpy as np

    from unidoku.craft.minimize import IMPROPER
    from unidoku.kernel import are_proper

    return dict.fromkeys(np.flatnonzero(~are_proper(cells, need.cancel)).tolist(), IMPROPER)
