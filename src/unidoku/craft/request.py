"""What is asked of generated puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from unidoku.craft.transform import Transformation
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.many import flat
from unidoku.method.classes import classes_of, run_classify
from unidoku.native.steps.levels import STEP_LIMIT
from unidoku.rating.measure import measure
from unidoku.rating.se121 import DIFFICULTIES, TECHNIQUES, rate_many

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike

__all__ = ["SYMMETRIES", "Request", "RequestFields", "technique_code"]

_TURNS = tuple(Transformation.rotation(degrees) for degrees in (90, 180, 270))
_FLIP = Transformation.reflection

SYMMETRIES = {
    "none": (),
    "180": _TURNS[1:2],
    "90": _TURNS,
    "horizontal": (_FLIP("horizontal"),),
    "vertical": (_FLIP("vertical"),),
    "diagonal": (_FLIP("diagonal"),),
    "full": (*_TURNS, _FLIP("horizontal"), _FLIP("vertical"), _FLIP("diagonal"), _FLIP("antidiagonal")),
}
"""Symmetries of the clue pattern: none, half turn, quarter turn, three reflections, all of these."""

_FEWEST = 18  # clues
_MOST_MINIMAL = 32  # clues of a minimal puzzle without symmetry
_HIGHEST = 20.0  # rating
_CAPS = ((TECHNIQUES.index("XYZ-wing"), 4.5), (TECHNIQUES.index("aligned pair exclusion"), 6.3))
"""Techniques, and a rating that no step of them or of those before them has."""

_SEARCH = {"steps": (0, STEP_LIMIT), "level": (0, 81), "first_steps": (0, STEP_LIMIT), "first_level": (0, 81)}
"""The measures of the step engine, and their ranges."""


class RequestFields(TypedDict, total=False):
    """The parameters of `Request`, as `unidoku.generate` takes them."""

    clues: int | tuple[int, int] | None
    symmetry: str
    pattern: str | Iterable[int] | None
    minimal: bool
    solution: PuzzleLike | None
    uniform: bool
    rating: float | tuple[float, float] | None
    difficulty: str | None
    technique: str | None
    accept: Callable[[NDArray[np.uint8]], NDArray[np.bool_]] | None
    classes: int | tuple[int, int] | None
    steps: int | tuple[int, int] | None
    level: int | tuple[int, int] | None
    first_steps: int | tuple[int, int] | None
    first_level: int | tuple[int, int] | None


@dataclass(frozen=True)
class Request:
    """The properties of generated puzzles.

    Parameters
    ----------
    clues : int or (int, int), optional
        Number of clues, or the smallest and the largest number.
    symmetry : str, optional
        One of `SYMMETRIES`: which rotations and reflections map the set of clue cells to itself.
    pattern : str or iterable of int, optional
        Exactly these cells have clues: 81 characters, ``.`` or ``0`` for an empty cell, or cells 0 to 80.
    minimal : bool, optional
        Require minimal puzzles.  Without this, puzzles are minimal only if `clues`, `symmetry` and `pattern`
        are not given.
    solution : Grid, str, bytes or array, optional
        The solution of all puzzles; by default each has its own.
    uniform : bool, optional
        Draw the solutions uniformly from all full grids; this takes three times as long.
    rating : float or (float, float), optional
        ER on the scale of `unidoku.rate`, or the lowest and the highest: ``(3.0, 4.4)``.
    difficulty : str, optional
        A word for the same: easy, medium, hard, expert or extreme.
    technique : str, optional
        The technique of the hardest step of `unidoku.rate`, as ``"X-wing"`` or ``"x-wing"``; of several such
        steps the first one counts.
    accept : callable, optional
        Called with puzzles that meet the rest of the request, uint8[n, 81], cells 0 to 9; returns which of
        them to take: bool[n].  It must answer for each puzzle by itself, and is called in several threads.
    classes : int or (int, int), optional
        Class of the numerical-analysis method, 1 to 4, or the smallest and the largest class.
    steps : int or (int, int), optional
        Steps of the step engine to the end of the whole search, or the smallest and the largest number.
    level : int or (int, int), optional
        Highest guess level of the step engine, or the smallest and the largest.
    first_steps, first_level : int or (int, int), optional
        The same up to the first solution.  `unidoku.rating.measure_many` measures class, steps and levels.

    Raises
    ------
    InvalidPuzzleError
        `solution` is not a full grid.
    ValueError
        A value is out of range, or no puzzle can meet the request.
    """

    clues: int | tuple[int, int] | None = None
    symmetry: str = "none"
    pattern: str | Iterable[int] | None = None
    minimal: bool = False
    solution: PuzzleLike | None = None
    uniform: bool = False
    rating: float | tuple[float, float] | None = None
    difficulty: str | None = None
    technique: str | None = None
    accept: Callable[[NDArray[np.uint8]], NDArray[np.bool_]] | None = None
    classes: int | tuple[int, int] | None = None
    steps: int | tuple[int, int] | None = None
    level: int | tuple[int, int] | None = None
    first_steps: int | tuple[int, int] | None = None
    first_level: int | tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.symmetry not in tuple(SYMMETRIES):
            raise ValueError(f"invalid symmetry {self.symmetry!r}; choose from: {', '.join(SYMMETRIES)}")
        if self.clues is not None:
            least, most = _range_of("the number of clues", self.clues)
            if most < 17:
                raise ValueError(f"a proper puzzle has at least 17 clues, not {most}")
            if most > 81:
                raise ValueError(f"a puzzle has at most 81 clues, not {most}")
            if self.pattern is None:
                self._check_reach(least, most)
            object.__setattr__(self, "clues", (least, most))
        for name, (lowest, highest) in {"classes": (1, 4), **_SEARCH}.items():
            value = getattr(self, name)
            if value is not None:
                least, most = _range_of(name, value)
                if most < lowest or least > highest:
                    raise ValueError(f"{name} must be {lowest} to {highest:,}, not {_shown(least, most)}")
                object.__setattr__(self, name, (least, most))
        self._check_rating()
        if self.pattern is not None:
            object.__setattr__(self, "pattern", _pattern_cells(self.pattern))
            self._check_pattern()
        if self.solution is not None:
            grid = Grid(self.solution)
            if not grid.is_solved():
                raise InvalidPuzzleError("the solution is not a full grid")
            object.__setattr__(self, "solution", grid)

    def _check_rating(self) -> None:
        if self.rating is not None:
            given = self.rating if isinstance(self.rating, tuple) else (self.rating, self.rating)
            least, most = (round(float(each), 1) for each in given)
            if not 1 <= least <= most <= _HIGHEST:
                raise ValueError(
                    f"rating must be 1.0 to {_HIGHEST}, or the lowest and the highest, not {self.rating}"
                )
            object.__setattr__(self, "rating", (least, most))
        if self.difficulty is not None and self.difficulty not in DIFFICULTIES:
            raise ValueError(
                f"invalid difficulty {self.difficulty!r}; choose from: {', '.join(DIFFICULTIES)}"
            )
        if self.technique is not None:
            object.__setattr__(self, "technique", TECHNIQUES[technique_code(self.technique)])
        least, most = self._tenths()
        if least > most:
            raise ValueError(f"no puzzle with difficulty {self.difficulty!r} has such a rating")

    def _tenths(self) -> tuple[int, int]:
        """Return the lowest and the highest rating, in tenths."""
        bounds = [(10, round(10 * _HIGHEST))]
        if isinstance(self.rating, tuple):
            bounds.append((round(10 * self.rating[0]), round(10 * self.rating[1])))
        if self.difficulty is not None:
            highest = [9, *(round(10 * most) for most in DIFFICULTIES.values())]
            place = [*DIFFICULTIES].index(self.difficulty)
            bounds.append((highest[place] + 1, highest[place + 1]))
        return max(least for least, _ in bounds), min(most for _, most in bounds)

    def _check_reach(self, least: int, most: int) -> None:
        """Refuse numbers of clues that attempts do not reach, however many they are."""
        if most < _FEWEST:
            raise ValueError(
                f"no budget is enough for puzzles of {most} clues: removing clues at random leaves {_FEWEST} "
                "in one attempt of about a billion; lists of puzzles with 17 clues are published, and "
                "neighbours finds others near them"
            )
        if self.minimal and self.symmetry == "none" and least > _MOST_MINIMAL:
            raise ValueError(
                f"no budget is enough for minimal puzzles of {least} clues: removing clues at random leaves "
                f"a minimal puzzle of {_MOST_MINIMAL} in one attempt of about a billion"
            )
        sums = 1  # bit n is set if some of the sets of cells that are mapped to each other have n cells
        for size in np.unique(self.units(), return_counts=True)[1].tolist():
            sums |= sums << size
        if not any(sums >> count & 1 for count in range(least, most + 1)):
            raise ValueError(f"no pattern with symmetry {self.symmetry!r} has {_shown(least, most)} clues")

    def _check_pattern(self) -> None:
        cells = self.cells
        assert cells is not None
        if self.symmetry != "none":
            raise ValueError("give either a pattern or a symmetry, not both")
        if not self.least <= len(cells) <= self.most:
            raise ValueError(f"the pattern has {len(cells)} cells, which is not the number of clues")
        if len(cells) < 17:
            raise ValueError(f"the pattern has {len(cells)} cells; a proper puzzle has at least 17 clues")
        for name, lines in (("rows", [k // 9 for k in cells]), ("columns", [k % 9 for k in cells])):
            empty = sorted(set(range(9)) - set(lines))
            for one, two in pairwise(empty):
                if one // 3 == two // 3:
                    raise ValueError(
                        f"the pattern has no clue in {name} {one + 1} and {two + 1}; exchanging them "
                        "gives a second solution"
                    )

    def to_json(self) -> dict[str, Any]:
        """Return what is requested as a JSON object, without what is not."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        if isinstance(self.solution, Grid):
            fields["solution"] = self.solution.line
        if self.accept is not None:
            fields["accept"] = getattr(self.accept, "__qualname__", type(self.accept).__name__)
        given = {name: value for name, value in fields.items() if value not in (None, False, "none")}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}

    @property
    def least(self) -> int:
        """The smallest number of clues."""
        return self.clues[0] if isinstance(self.clues, tuple) else 0

    @property
    def most(self) -> int:
        """The largest number of clues."""
        return self.clues[1] if isinstance(self.clues, tuple) else 81

    @property
    def cells(self) -> tuple[int, ...] | None:
        """The cells of the pattern."""
        return self.pattern if isinstance(self.pattern, tuple) else None

    def made(self, first: int, count: int) -> int:
        """Return how many of some attempts are made: only attempt 0 where all give the same puzzle."""
        if self.cells is None or self.solution is None:
            return count
        return min(count, 1) if first == 0 else 0

    def fits(self, puzzles: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Test which proper puzzles have the requested rating and measures: bool[n]."""
        good = np.ones(len(puzzles), np.bool_)
        for test in (self._fits_class, self._fits_search, self._fits_rating, self._accepts):
            places = np.flatnonzero(good)
            if places.size:
                good[places] = test(puzzles[places])
        return good

    def _fits_class(self, puzzles: NDArray[np.uint8]) -> NDArray[np.bool_] | bool:
        if self.classes is None:
            return True
        return _inside(classes_of(run_classify(*flat(puzzles), zero=0, presets=0)), self.classes)

    def _fits_search(self, puzzles: NDArray[np.uint8]) -> NDArray[np.bool_] | bool:
        wanted = {name: value for name in _SEARCH if (value := getattr(self, name)) is not None}
        if not wanted:
            return True
        limit = self.steps[1] + 1 if isinstance(self.steps, tuple) else STEP_LIMIT
        measured = measure(*flat(puzzles), 0, limit)
        good = measured.complete
        for name, value in wanted.items():
            good &= _inside(getattr(measured, name), value)
        return good

    def _fits_rating(self, puzzles: NDArray[np.uint8]) -> NDArray[np.bool_] | bool:
        """Rate no further than the request needs."""
        least, most = self._tenths()
        code = 0 if self.technique is None else technique_code(self.technique)
        if self.rating is None and self.difficulty is None and not code:
            return True
        caps = [(most + 1) / 10, *(cap for last, cap in _CAPS if 0 < code <= last)]
        below = min(caps)
        rated = rate_many(puzzles, below=below if below < _HIGHEST else None, threads=1)
        good = _inside(rated.er, (least, most)) & ~rated.at_least
        return good & (rated.techniques == code) if code else good

    def _accepts(self, puzzles: NDArray[np.uint8]) -> NDArray[np.bool_] | bool:
        if self.accept is None:
            return True
        accepted = np.asarray(self.accept(puzzles))
        if accepted.shape != (len(puzzles),) or accepted.dtype != np.bool_:
            raise ValueError(
                f"accept must return bool[{len(puzzles)}], not {accepted.dtype}{list(accepted.shape)}"
            )
        return accepted

    def units(self) -> NDArray[np.uint8]:
        """Return for each cell the smallest cell that the symmetry maps to it: uint8[81]."""
        elements = SYMMETRIES[self.symmetry]
        return np.array([min([k, *(t.source(k) for t in elements)]) for k in range(81)], np.uint8)


def technique_code(name: str) -> int:
    """Return the code of a technique; blanks may be hyphens, and letter case does not matter."""
    codes = {technique.lower().replace(" ", "-"): code for code, technique in enumerate(TECHNIQUES) if code}
    key = name.lower().replace(" ", "-")
    if key not in codes:
        near = get_close_matches(key, codes)
        hint = f"did you mean {' or '.join(near)}?" if near else f"choose from: {', '.join(codes)}"
        raise ValueError(f"unknown technique {name!r}; {hint}")
    return codes[key]


def _range_of(name: str, value: Any) -> tuple[int, int]:
    """Return the smallest and the largest value; a single number is both."""
    least, most = (index(each) for each in (value if isinstance(value, tuple) else (value, value)))
    if least > most:
        raise ValueError(f"{name}: the smallest, {least}, is above the largest, {most}")
    return least, most


def _shown(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _inside(values: NDArray[Any], bounds: int | tuple[int, int] | None) -> NDArray[np.bool_]:
    """Test which values are in a range; without a range, all are."""
    least, most = bounds if isinstance(bounds, tuple) else (0, STEP_LIMIT)
    inside: NDArray[np.bool_] = (least <= values) & (values <= most)
    return inside


def _pattern_cells(pattern: str | Iterable[int]) -> tuple[int, ...]:
    if isinstance(pattern, str):
        symbols = "".join(pattern.split())
        if len(symbols) != 81:
            raise ValueError(f"a pattern has 81 cells, not {len(symbols)}")
        return tuple(k for k, symbol in enumerate(symbols) if symbol not in ".0")
    cells = sorted({index(k) for k in pattern})
    if cells and not 0 <= cells[0] <= cells[-1] <= 80:
        raise ValueError("the cells of a pattern must be numbers 0 to 80")
    return tuple(cells)
