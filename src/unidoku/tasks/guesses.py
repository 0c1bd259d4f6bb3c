"""The capability `guesses`: how many guesses a search needs, ours and tdoku's."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Unpack

from unidoku.options import option, shared
from unidoku.task import Need, Task
from unidoku.tasks.columns import SEED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.files.inputs import Input
    from unidoku.options import OptionFields
    from unidoku.parse_many import PuzzlesLike
    from unidoku.result import Result
    from unidoku.run.summary import Summary
    from unidoku.threads import Cancel

_IMAGES_AT_ONCE = 1 << 16  # rows of cells in memory


@dataclass(frozen=True)
class Guesses(Task):
    """Count the guesses that our search and tdoku's make in each puzzle.

    Well-known data sets for training give tdoku's number, up to the first solution, as the column rating.
    Both numbers depend on the image of a puzzle: --images gives their mean and spread over random images.
    """

    name: ClassVar[str] = "guesses"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "guesses": (
            "uint64",
            "guesses of our search for up to two solutions, as check --budget counts them",
        ),
        "tdoku": ("uint64", "guesses of tdoku to its first solution"),
        "guesses_mean": ("float64", "mean of guesses over the images"),
        "guesses_sd": ("float64", "standard deviation of guesses over the images"),
        "tdoku_mean": ("float64", "mean of tdoku over the images"),
        "tdoku_sd": ("float64", "standard deviation of tdoku over the images"),
    }
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku guesses puzzles.txt -o guesses.csv",
        "unidoku guesses puzzles.txt --images 100 --columns puzzle,tdoku,tdoku_mean,tdoku_sd --to csv",
    )
    at_once: ClassVar[tuple[int, int, int]] = (100, 2000, 2000)
    images: int | None = option(
        None,
        "Also search N random images of each puzzle, the same transformations for all puzzles.",
        least=2,
        most=10_000,
        metavar="N",
    )
    seed: int = shared(SEED, default=0, absent=None)
    budget: int | None = option(
        None,
        "End each search after N guesses; its number is then left out.",
        least=1,
        metavar="N",
        absent="no bound",
    )

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns that are written by default: mean and spread only with images."""
        return tuple(name for name in self.columns if self.images is not None or name in ("guesses", "tdoku"))

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Search the puzzles, and their images if they are asked for."""
        import numpy as np

        from unidoku.column import Column

        found: dict[str, Any] = {}
        if {"guesses", "tdoku"} & need.columns:
            counted = _counted(batch.cells, self.budget or 0, need)
            found = {name: Column(values, valid=known) for name, (values, known) in counted.items()}
        spread = {name for name in self.columns if name not in ("guesses", "tdoku")} & need.columns
        if spread and self.images is None:
            nothing = Column(np.zeros(len(batch)), valid=np.zeros(len(batch), np.bool_))
            found |= dict.fromkeys(spread, nothing)
        elif spread:
            found |= self._spread(batch.cells, need)
        return None if need.cancel else {name: found[name] for name in found if name in need.columns}

    def _spread(self, cells: NDArray[np.uint8], need: Need) -> dict[str, Any]:
        """Return mean and standard deviation over the images of each puzzle."""
        import numpy as np

        from unidoku import kernel
        from unidoku.column import Column
        from unidoku.craft.transform import random_numbers

        assert self.images is not None
        elements = random_numbers(self.images, self.seed)
        means: dict[str, list[NDArray[Any]]] = {}
        native = kernel.form(package="symmetry")
        step = max(1, _IMAGES_AT_ONCE // self.images)
        for begin in range(0, len(cells), step):
            some = np.repeat(cells[begin : begin + step], self.images, axis=0)
            numbers = np.tile(elements, len(some) // self.images)
            made = np.empty_like(some)
            starts = np.arange(0, some.size, 81, dtype=np.int64)
            native.transform(some.reshape(-1), starts, numbers, made.reshape(-1), zero=0)
            for name, (values, known) in _counted(made, self.budget or 0, need).items():
                table = values.reshape(-1, self.images).astype(np.float64)
                whole = known.reshape(-1, self.images).all(axis=1)
                for suffix, each in (("mean", table.mean(axis=1)), ("sd", table.std(axis=1, ddof=1))):
                    means.setdefault(f"{name}_{suffix}", []).append(np.array([each, whole]))
            if need.cancel:
                break
        joined = {name: np.concatenate(parts, axis=1) for name, parts in means.items()}
        return {name: Column(values, valid=whole > 0) for name, (values, whole) in joined.items()}


def _counted(
    cells: NDArray[np.uint8], budget: int, need: Need
) -> dict[str, tuple[NDArray[np.uint64], NDArray[np.bool_]]]:
    """Return the numbers of both searches in the puzzles, and whether these ended by themselves."""
    import numpy as np

    from unidoku import kernel
    from unidoku.native.guesses import count_guesses

    n = len(cells)
    flat = np.ascontiguousarray(cells).reshape(-1)
    ours, tdoku, counts = np.zeros((3, n), np.uint64)
    ended, complete = np.zeros((2, n), np.uint8)
    kernel.lanes().solve_cells(
        flat,
        np.arange(0, 81 * n, 81, dtype=np.int64),
        zero=0,
        budget=budget,
        counts=counts,
        complete=ended,
        guesses=ours,
        stop=need.cancel.flag,
    )
    count_guesses(flat, tdoku, complete, budget, need.cancel.flag)
    return {"guesses": (ours, ended > 0), "tdoku": (tdoku, complete > 0)}


def guesses_many(
    puzzles: PuzzlesLike,
    *,
    images: int | None = None,
    seed: int = 0,
    budget: int | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Result[Any]:
    """Count the guesses that our search and tdoku's make in many puzzles.

    Parameters
    ----------
    puzzles, threads, errors, cancel
        As for `unidoku.check_many`, without pencil marks.
    images : int, optional
        Also search this many random images of each puzzle, 2 to 10,000; the transformations are the same for
        all puzzles.
    seed : int, optional
        Use this seed for the transformations.
    budget : int, optional
        Largest number of guesses of a search; a search that needs more has no number.

    Returns
    -------
    Result
        ``guesses``, ``tdoku``: uint64[n], guesses of our search for up to two solutions, and of tdoku's
        search for the first one; ``guesses_mean``, ``guesses_sd``, ``tdoku_mean``, ``tdoku_sd``: float64[n],
        mean and standard deviation over the images. Where there is no number, ``guesses`` and ``tdoku`` are
        0, the others NaN, and all are None in ``result[i]``. After `cancel`, puzzles without numbers have a
        reason.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``row`` is the number, from 0.
    UnidokuError
        An argument is out of range.

    Notes
    -----
    The number ``tdoku`` is exactly what T. Dillon's solver tdoku counts with limit 1.

    Examples
    --------
    >>> puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> guesses_many([puzzle]).tdoku.tolist()
    [57]
    """
    from unidoku.made import run_many

    task = Guesses(images, seed, budget)
    return run_many(task, puzzles, threads=threads, errors=errors, cancel=cancel)


def guesses_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    images: int | None = None,
    seed: int = 0,
    budget: int | None = None,
    **options: Unpack[OptionFields],
) -> Summary:
    """Count the guesses that our search and tdoku's make in the puzzles of some files.

    Parameters
    ----------
    inputs, output, **options
        As for `check_file`.
    images, seed, budget
        As for `unidoku.guesses_many`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        As for `check_file`; also if an argument is out of range.
    """
    from unidoku.run.task import run_file

    return run_file(Guesses(images, seed, budget), inputs, output, **options)
