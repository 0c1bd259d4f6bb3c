"""The scale se121: how hard a puzzle is for a person, as Sudoku Explainer 1.2.1 rates it.

A puzzle is solved by steps; each is the first that the techniques find, in a fixed order.  ER is the rating
of the hardest step, EP of the hardest up to the first that fills a cell, ED of the first step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unidoku import kernel
from unidoku.arguments import MAX_THREADS, positive
from unidoku.batch import check_puzzles
from unidoku.craft.rows import cells_of_text, flat
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.parallel import Cancel, run_tasks
from unidoku.rows import invalid_row, puzzles_of
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.rows import Rows

__all__ = ["DIFFICULTIES", "SCALE", "TECHNIQUES", "Rating", "Ratings", "rate", "rate_many"]

SCALE = "se121"
"""The name of the scale."""

TECHNIQUES = (
    "",
    *("hidden single", "direct pointing", "direct claiming", "direct hidden pair", "naked single"),
    *(
        "direct hidden triplet",
        "pointing",
        "claiming",
        "naked pair",
        "X-wing",
        "hidden pair",
        "naked triplet",
    ),
    *("swordfish", "hidden triplet", "XY-wing", "XYZ-wing", "unique rectangle", "unique loop", "naked quad"),
    *("jellyfish", "hidden quad", "BUG", "aligned pair exclusion", "X-cycle", "Y-cycle", "forcing X-chain"),
    *("XY-cycle", "forcing chain", "aligned triplet exclusion", "Nishio", "multiple forcing chains"),
    *("dynamic forcing chains", "dynamic forcing chains (+)", "dynamic forcing chains (+ forcing chains)"),
    "dynamic forcing chains (+ multiple forcing chains)",
    "dynamic forcing chains (+ dynamic forcing chains)",
    "dynamic forcing chains (+ dynamic forcing chains (+ forcing chains))",
)
"""The techniques by their codes, from the easiest on; code 0 is none."""

DIFFICULTIES = {"easy": 1.5, "medium": 2.5, "hard": 4.4, "expert": 7.5, "extreme": 20.0}
"""The words for a difficulty, and the highest ER of each."""

_UNBOUNDED = 200  # the highest rating in tenths: of a puzzle that no technique solves
_IMPROPER, _AT_LEAST, _STOPPED = 1, 3, 4  # outcomes of the engine
_FEW = 8  # so many puzzles are rated faster one by one than in lanes
_COLUMNS = {"er": np.int16, "ep": np.int16, "ed": np.int16, "techniques": np.uint8, "outcomes": np.uint8}
_CANCELLED = "cancelled"
_MARKS = "a puzzle of 81 cells is needed, not pencil marks"
_REASONS = {
    Verdict.NONE: "no solution",
    Verdict.MULTIPLE: "several solutions",
    Verdict.UNKNOWN: _CANCELLED,
}
# Puzzles are rated in rounds, the hardest last: up to this rating in tenths, so many puzzles a task.
_ROUNDS = ((45, 16384), (90, 64), (_UNBOUNDED, 1))


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a puzzle."""

    er: float
    ep: float
    ed: float
    technique: str | None = None
    at_least: bool = False
    scale: str = SCALE

    @property
    def difficulty(self) -> str:
        """The word of `DIFFICULTIES` for `er`."""
        return next(word for word, most in DIFFICULTIES.items() if self.er <= most)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ratings:
    """The ratings of many puzzles, in the order of the puzzles; ``ratings[i]`` is the `Rating` of one."""

    er: NDArray[np.int16]
    ep: NDArray[np.int16]
    ed: NDArray[np.int16]
    techniques: NDArray[np.uint8]
    at_least: NDArray[np.bool_]
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.er)

    def __getitem__(self, row: int) -> Rating | None:
        """Return the rating of a row, or None if it has none."""
        if not self.er[row]:
            return None
        er, ep, ed = (int(column[row]) / 10 for column in (self.er, self.ep, self.ed))
        return Rating(er, ep, ed, TECHNIQUES[self.techniques[row]] or None, bool(self.at_least[row]))

    def __iter__(self) -> Iterator[Rating | None]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        return f"<Ratings of {len(self)} puzzles: {len(self.reasons)} without a rating>"

    @property
    def technique(self) -> list[str | None]:
        """The names of the techniques; None for rows without one."""
        return [TECHNIQUES[code] or None for code in self.techniques.tolist()]

    @property
    def difficulty(self) -> list[str | None]:
        """The words for the difficulty; None for rows without a rating."""
        words = [*DIFFICULTIES, None]
        bounds = [round(10 * most) for most in DIFFICULTIES.values()]
        codes = np.where(self.er > 0, np.searchsorted(bounds, self.er), len(bounds))
        return [words[code] for code in codes.tolist()]


def rate(puzzle: PuzzleLike, *, below: float | None = None) -> Rating:
    """Rate a puzzle as Sudoku Explainer 1.2.1 does."""
    found = rate_many([Grid(puzzle)], below=below, threads=1, errors="invalid")
    rating = found[0]
    if rating is None:
        raise InvalidPuzzleError(found.reasons[0])
    return rating


def rate_many(
    puzzles: Rows,
    *,
    below: float | None = None,
    budget: int | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Ratings:
    """Rate many puzzles as Sudoku Explainer 1.2.1 does."""
    highest = _tenths(below)
    most = positive("budget", budget)
    count = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
    if errors not in {"raise", "invalid"}:
        raise ValueError(f"errors must be 'raise' or 'invalid', not {errors!r}")
    with (Cancel() if cancel is None else cancel).child() as stop:
        rows, cells, n, reasons = _puzzles(puzzles, errors)
        columns: dict[str, NDArray[Any]] = {name: np.zeros(n, type_) for name, type_ in _COLUMNS.items()}
        outcomes = columns.pop("outcomes")
        outcomes[rows] = _AT_LEAST
        bound = 0

        def work(some: NDArray[np.int64]) -> None:
            outputs = {name: np.zeros(len(some), type_) for name, type_ in _COLUMNS.items()}
            limits = {"below": min(bound, highest), "budget": most, "stop": stop.flag}
            lanes = len(some) > _FEW or not proved
            _engine().rate_cells(*flat(cells[some]), zero=0, lanes=lanes, **outputs, **limits)
            outcomes[rows[some]] = outputs.pop("outcomes")
            for name, output in outputs.items():
                columns[name][rows[some]] = output

        def prove() -> None:
            """Take out what is not a proper puzzle, of the rows that the lanes did not rate."""
            left = np.flatnonzero((outcomes[rows] == _AT_LEAST) | (outcomes[rows] == _IMPROPER))
            for k, reason in _improper(cells[left], count, stop).items():
                row = int(rows[left[k]])
                reasons[row] = reason
                outcomes[row] = _IMPROPER
                for column in columns.values():
                    column[row] = 0

        proved = highest < _ROUNDS[0][0] or len(rows) <= _FEW
        if proved:
            prove()
        for bound, size in _ROUNDS:
            left = np.flatnonzero(outcomes[rows] == _AT_LEAST)
            tasks = [left[begin : begin + size] for begin in range(0, len(left), size)]
            outcomes[rows[left]] = _STOPPED  # unless a task rates them
            run_tasks(work, tasks, count, stop)
            if not proved:
                prove()
                proved = True
            if bound >= highest or stop:
                break
        if stop and bound < highest:
            outcomes[outcomes == _AT_LEAST] = _STOPPED
        ended = _CANCELLED if stop else "the budget ended the search"
    unrated = np.flatnonzero(outcomes == _STOPPED)
    for column in columns.values():
        column[unrated] = 0
    reasons.update(dict.fromkeys(unrated.tolist(), ended))
    return Ratings(**columns, at_least=outcomes == _AT_LEAST, reasons=dict(sorted(reasons.items())))


def _engine() -> ModuleType:
    """Return the rating engine for the instruction set in use."""
    return import_module(f"unidoku.native.rating.{kernel.isa()}")


def _tenths(below: float | None) -> int:
    """Check ``below`` and convert it to tenths."""
    if below is None:
        return _UNBOUNDED
    if isinstance(below, bool) or not isinstance(below, int | float) or not 1 < below <= _UNBOUNDED / 10:
        raise ValueError(f"below must be a number above 1 and at most {_UNBOUNDED // 10}, not {below!r}")
    return round(10 * below)


def _puzzles(puzzles: Rows, errors: str) -> tuple[NDArray[np.int64], NDArray[np.uint8], int, dict[int, str]]:
    """Find the rows that are puzzles of 81 cells, proper or not.

    Returns the rows, their cells 0 to 9, the number of all rows, and why others are not puzzles.
    """
    given = puzzles_of(puzzles)
    if errors == "raise":
        given.raise_first()
    reasons = dict(given.reasons)
    rows, cells = [np.empty(0, np.int64)], [np.empty((0, 81), np.uint8)]
    for part in given.parts:
        numbers = np.arange(part.first, part.first + len(part)) if part.rows is None else part.rows
        wrong = {part.row(k): _MARKS for k in part.marked}
        wrong |= {part.row(k): part.reason(k) for k in part.bad(0, len(part)) if part.row(k) not in wrong}
        if wrong and errors == "raise":
            raise invalid_row(*min(wrong.items()))
        reasons |= wrong
        plain = ~np.isin(numbers, list(wrong)) if wrong else slice(None)
        rows.append(numbers[plain])
        cells.append(cells_of_text(part.text, part.starts[plain], part.zero))
    return np.concatenate(rows), np.concatenate(cells), given.count, reasons


def _improper(cells: NDArray[np.uint8], threads: int, cancel: Cancel) -> dict[int, str]:
    """Find the puzzles that have no or several solutions, and why they have no rating."""
    settings: dict[str, Any] = {"threads": threads, "budget": 0, "errors": "invalid", "cancel": cancel}
    checked = check_puzzles(puzzles_of(cells), limit=2, solutions=False, witnesses=False, **settings)
    return {
        k: reason
        for verdict, reason in _REASONS.items()
        for k in np.flatnonzero(checked.verdicts == verdict).tolist()
    }
