"""Properties that generated puzzles must have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from unidoku.arguments import callback, integer, one_of, real, text, whole, wrong_type
from unidoku.cell import FEWEST_CLUES
from unidoku.compat import np
from unidoku.conditions import Condition
from unidoku.craft.transform import Transformation
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid, PuzzleLike
from unidoku.method.rules import classes_of, run_classify
from unidoku.native.steps import STEP_LIMIT
from unidoku.rating.choice import TechniquesLike, barred_by
from unidoku.rating.effort import MOST_EFFORT, efforts_of
from unidoku.rating.measure import measure
from unidoku.rating.names import NAMES, codes_of
from unidoku.rating.paths import ALL, first_steps
from unidoku.rating.ratings import rate_columns
from unidoku.rating.scale import DIFFICULTIES, STEP_RANGES, TECHNIQUES, technique_of
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TURNS = tuple(Transformation.rotation(degrees) for degrees in (90, 180, 270))
_HORIZONTAL = Transformation.reflection("horizontal")
_VERTICAL = Transformation.reflection("vertical")
_DIAGONAL = Transformation.reflection("diagonal")
_ANTIDIAGONAL = Transformation.reflection("antidiagonal")
SYMMETRIES = {
    "none": (),
    "180": _TURNS[1:2],
    "90": _TURNS,
    "horizontal": (_HORIZONTAL,),
    "vertical": (_VERTICAL,),
    "diagonal": (_DIAGONAL,),
    "full": (*_TURNS, _HORIZONTAL, _VERTICAL, _DIAGONAL, _ANTIDIAGONAL),
}
"""Symmetries of the clue pattern: none, half turn, quarter turn, three reflections, all of these."""

_FEWEST_AT_RANDOM = 18  # clues that removing them at random leaves
_MOST_MINIMAL = 32  # clues of a minimal puzzle without symmetry
_HIGHEST = 20.0  # rating
BEGINNER = "beginner"
"""The word for the easiest puzzles; `unidoku.rate` calls them easy."""
_UNIFORM = "uniform"
_BUG_1 = "bug+1"  # the one name with this sign
_BEGINNER_CLUES = (30, 36)  # the fewest, and the default maximum
_RATINGS = {BEGINNER: (1.0, 1.2), **DIFFICULTIES}
"""The lowest and the highest ER by difficulty; up to 1.2 no step is harder than a hidden single in a box."""
_CAPS = ((TECHNIQUES.index("XYZ-wing"), 4.5), (TECHNIQUES.index("aligned pair exclusion"), 6.3))
"""Techniques, and a rating that no step of them or of those before them has."""

_SEARCH = {"steps": (0, STEP_LIMIT), "level": (0, 81), "first_steps": (0, STEP_LIMIT), "first_level": (0, 81)}
_MEASURES = {"classes": (1, 4), "effort": (1, MOST_EFFORT), **_SEARCH}
"""The class of the method, the effort, and the measures of the step engine, with their ranges."""

_WORDS = ("technique", "name", "uses", "techniques", "difficulty")
_FIELDS = {
    "er": "rating",
    "class": "classes",
    **{name: name for name in ("ep", "ed", "clues", "effort", *_SEARCH, *_WORDS)},
}
REQUEST_COLUMNS = ("er", "ep", "ed", "effort", *_WORDS, "class", "clues", *_SEARCH)
"""Columns by which puzzles can be requested."""

SHAPE = ("clues", "symmetry", "pattern", "minimal", "solution")
"""Fields of a request for what is decided before a puzzle is rated."""

_Number = TypeVar("_Number", int, float)


class RequestFields(TypedDict, total=False):
    """The parameters of `Request` and `unidoku.generate`."""

    clues: int | tuple[int, int] | None
    symmetry: str
    pattern: str | Iterable[int] | None
    minimal: bool
    solution: PuzzleLike | None
    rating: float | tuple[float, float] | None
    ep: float | tuple[float, float] | None
    ed: float | tuple[float, float] | None
    difficulty: str | Mapping[str, float] | None
    technique: str | None
    name: str | None
    uses: str | Iterable[str] | None
    techniques: TechniquesLike | None
    accept: Callable[[NDArray[np.uint8]], NDArray[np.bool_]] | None
    classes: int | tuple[int, int] | None
    effort: int | tuple[int, int] | None
    steps: int | tuple[int, int] | None
    level: int | tuple[int, int] | None
    first_steps: int | tuple[int, int] | None
    first_level: int | tuple[int, int] | None


def fields_of(conditions: Iterable[Condition]) -> dict[str, Any]:
    """Return the parameters of a `Request` for conditions on `REQUEST_COLUMNS`."""
    fields: dict[str, Any] = {}
    for condition in conditions:
        name = condition.column
        if name not in REQUEST_COLUMNS:
            choices = ", ".join(REQUEST_COLUMNS)
            raise UnidokuError(f"{str(condition)!r} is not one of {choices} with = and a value")
        if name not in _WORDS:
            low, high = condition.number_range()
            fields[_FIELDS[name]] = low, None if high == inf else high
        elif name == "uses":
            fields[name] = [*condition.words]
        elif name == "techniques":
            fields[name] = condition.value
        elif len(condition.words) > 1:
            raise UnidokuError(f"{name}: expected one word, not {condition.value!r}")
        else:
            fields[name] = "".join(condition.words)
    return fields


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
        The solution of all puzzles; by default each has its own. ``"uniform"``: draw the solutions uniformly
        from all full grids, which takes three times as long.
    rating : float or (float, float), optional
        ER on the scale of `unidoku.rate`, or the lowest and the highest: ``(3.0, 4.4)``.
    ep, ed : float or (float, float), optional
        The same of the hardest step up to the first digit, and of the first step.
    difficulty : str, optional
        The word of `unidoku.rate` for the puzzles: easy, medium, hard, expert or extreme.  A
        beginner puzzle needs only the last empty cells of houses and hidden singles in boxes, and has 30
        clues or more, 30 to 36 if `clues` is not given; `unidoku.rate` calls it easy.  Letter case does not
        matter.
    technique : str, optional
        The technique of the hardest step of `unidoku.rate`, such as ``"X-wing"`` or ``"x-wing"``; of several
        such steps the first one counts.
    name : str, optional
        What people call that step, such as ``"Skyscraper"``, with or without hyphens, in any case.
    uses : str or iterable of str, optional
        The name of any step of the path, such as ``"X-Wing"``; of several names the path has a step of each.
        With `techniques` it is the path with these.
    techniques : str or iterable of str, optional
        These techniques alone solve the puzzle: words and groups of `unidoku.steps`.
    accept : callable, optional
        Called with puzzles that meet the rest of the request, uint8[n, 81], cells 0 to 9; returns which of
        them to take: bool[n].  Its answer for a puzzle must not depend on other puzzles; it is called in
        several threads.
    classes : int or (int, int), optional
        Class of the numerical-analysis method, 1 to 4, or the smallest and the largest class.
    effort : int or (int, int), optional
        The effort of `unidoku.rate`, or the smallest and the largest: how long a person takes.
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
        A value is out of range, or the request contradicts itself.
    """

    def __init__(self, **fields: Unpack[RequestFields]) -> None:
        if unknown := fields.keys() - RequestFields.__annotations__.keys():
            raise TypeError(f"generate and Request take no keyword argument {min(unknown)!r}")
        self.fields = fields
        self.minimal = fields.get("minimal", False)
        self.accept = callback("accept", fields.get("accept"))
        self.symmetry = one_of("symmetry", fields.get("symmetry", "none"), SYMMETRIES)
        self.units, self._unit_sums = _units_of(self.symmetry)
        """The smallest cell that the symmetry maps to each cell: 81 bytes."""
        difficulty = fields.get("difficulty")
        if isinstance(difficulty, Mapping):
            raise UnidokuError("a mixture of difficulties is several requests: generate takes it")
        self._set_rating(fields.get("rating"), difficulty, fields.get("technique"))
        self._set_names(fields.get("name"), fields.get("uses"))
        techniques = fields.get("techniques")
        self.barred = 0 if techniques is None else barred_by(techniques, None)
        for group in self.uses:
            if all(self.barred >> step.technique & 1 for step in STEP_RANGES if step.name in group):
                name = [*NAMES][group[0]]
                raise UnidokuError(f"uses: {name} is not among the techniques; name it there too")
        self._set_clues(fields.get("clues"), fields.get("pattern"))
        values: dict[str, Any] = {**fields}
        self.measures = {
            name: _range_of(name, values[name], *bounds, integer)
            for name, bounds in _MEASURES.items()
            if values.get(name) is not None
        }
        solution = fields.get("solution")
        self.uniform = isinstance(solution, str) and solution.strip().lower() == _UNIFORM
        self.solution = None if solution is None or self.uniform else Grid(solution)
        if self.solution is not None and not self.solution.is_solved():
            raise InvalidPuzzleError("the solution is not a full grid")

    def __repr__(self) -> str:
        return f"Request({', '.join(f'{name}={value!r}' for name, value in self.to_json().items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Request) and (self.to_json(), self.accept) == (other.to_json(), other.accept)

    def __hash__(self) -> int:
        return hash(repr(self))

    def _set_rating(
        self, rating: float | tuple[float, float] | None, difficulty: str | None, technique: str | None
    ) -> None:
        self.rating = None if rating is None else _range_of("rating (er)", rating, 1.0, _HIGHEST, _rounded)
        self.difficulty = None if difficulty is None else text("difficulty", difficulty).lower()
        given = {name: self.fields.get(name) for name in ("ep", "ed")}
        self.parts = {
            name: _range_of(name, value, 1.0, _HIGHEST, _rounded)
            for name, value in given.items()
            if value is not None
        }
        """The lowest and the highest EP and ED, where they are asked for."""
        low, high = self.rating or (1.0, _HIGHEST)
        low = max([low, *(least for least, _ in self.parts.values())])  # no part is above the whole
        if low > high:
            raise UnidokuError("no puzzle has such ratings: ep and ed are at most er")
        if self.difficulty is not None:
            lowest, highest = _RATINGS[one_of("difficulty", self.difficulty, _RATINGS)]
            low, high = max(low, lowest), min(high, highest)
            if low > high:
                raise UnidokuError(f"no puzzle with difficulty {self.difficulty!r} has such a rating")
        self.tenths = round(10 * low), round(10 * high)
        """The lowest and the highest rating, in tenths."""
        self.technique = 0
        if technique is not None:
            [word] = technique_of(text("technique", technique))
            self.technique = TECHNIQUES.index(word)

    def _set_names(self, name: str | None, uses: str | Iterable[str] | None) -> None:
        """Set the codes of names; bound the rating by what the table of steps has of the request.

        Of `uses` there is a group of codes for each word.
        """
        self.name = () if name is None else codes_of(text("name", name))
        if not isinstance(uses, str | Iterable | None):
            raise wrong_type("uses", "a text or texts", uses)
        words = [] if uses is None else [uses] if isinstance(uses, str) else [*uses]
        if any("+" in word and word.strip().lower() != _BUG_1 for word in words if isinstance(word, str)):
            several = ",".join(word.strip() for word in "+".join(words).split("+"))
            raise UnidokuError(f"uses: several names are separated by commas: uses={several}")
        self.uses = tuple(codes_of(text("uses", word)) for word in words)
        lowest = max(
            (min(step.lowest for step in STEP_RANGES if step.name in group) for group in self.uses), default=0
        )
        low, high = max(self.tenths[0], lowest), self.tenths[1]
        fits = [
            step
            for step in STEP_RANGES
            if self.technique in {0, step.technique} and (not self.name or step.name in self.name)
        ]
        ranges = [(max(low, step.lowest), min(high, step.highest)) for step in fits]
        ranges = [bounds for bounds in ranges if bounds[0] <= bounds[1]]
        if not (self.technique or self.name) and high == round(10 * _HIGHEST):
            ranges.append((high, high))  # of puzzles that no technique solves
        if not ranges:
            given = {"technique": self.fields.get("technique"), "name": name}
            texts = [f"{field} {word!r}" for field, word in given.items() if word is not None]
            texts += [f"uses {word!r}" for word in words]
            if not fits:
                raise UnidokuError(f"no step has {' and '.join(texts)}")
            if not texts:
                raise UnidokuError("no step has such a rating")
            least, most = min(step.lowest for step in fits) / 10, max(step.highest for step in fits) / 10
            is_one = self.technique or self.name
            has = f": such steps have {least}{f' to {most}' if least < most else ''}" if is_one else ""
            raise UnidokuError(f"no puzzle with {' and '.join(texts)} has such a rating{has}")
        self.tenths = min(low for low, _ in ranges), max(high for _, high in ranges)

    def _set_clues(self, clues: int | tuple[int, int] | None, pattern: str | Iterable[int] | None) -> None:
        is_beginner = self.difficulty == BEGINNER
        if is_beginner and clues is None and pattern is None:
            clues = _BEGINNER_CLUES
        fewest = _BEGINNER_CLUES[0] if is_beginner else FEWEST_CLUES
        self.clues = None if clues is None else _range_of("clues", clues, fewest, 81, integer)
        minimum, self.max_clues = self.clues or (fewest, 81)
        self.min_clues = max(minimum, fewest) if is_beginner else minimum
        self.cells = None if pattern is None else _pattern_cells(pattern)
        if self.cells is None:
            self._check_reach()
        elif self.symmetry != "none":
            raise UnidokuError("give either a pattern or a symmetry, not both")
        elif not self.min_clues <= len(self.cells) <= self.max_clues:
            bounds = f"{self.min_clues} to {self.max_clues}"
            raise UnidokuError(f"the pattern has {len(self.cells)} cells; puzzles have {bounds} clues")

    def _check_reach(self) -> None:
        """Refuse numbers of clues that no number of attempts reaches: they would take a minute in vain."""
        if self.max_clues < _FEWEST_AT_RANDOM:
            raise UnidokuError(
                f"no number of attempts is enough for puzzles of {self.max_clues} clues: removing clues at "
                f"random leaves {_FEWEST_AT_RANDOM} in one attempt of about a billion; lists of puzzles with "
                f"{FEWEST_CLUES} clues are published, and neighbours finds others near them"
            )
        if self.minimal and self.symmetry == "none" and self.min_clues > _MOST_MINIMAL:
            raise UnidokuError(
                f"no number of attempts is enough for minimal puzzles of {self.min_clues} clues"
            )
        if not any(self._unit_sums >> count & 1 for count in range(self.min_clues, self.max_clues + 1)):
            bounds = f"{self.min_clues} to {self.max_clues}"
            raise UnidokuError(f"no pattern with symmetry {self.symmetry!r} has {bounds} clues")

    @property
    def is_long(self) -> bool:
        """Whether a single attempt may take longer than some milliseconds."""
        tests = (value for name, value in self.fields.items() if name not in SHAPE)
        return self.uniform or any(value is not None for value in tests)

    @property
    def is_plain(self) -> bool:
        """Whether only clues and a symmetry are requested: then most attempts give a puzzle."""
        return not (self.is_long or self.solution or self.cells or self.minimal)

    def to_json(self) -> dict[str, Any]:
        """Return the parameters that are set as a JSON object; a function is represented by its name."""
        uses = [[[*NAMES][code] for code in group] for group in self.uses]
        techniques = self.fields.get("techniques")
        values: dict[str, Any] = {
            "clues": self.clues and list(self.clues),
            "symmetry": self.symmetry,
            "pattern": self.cells and list(self.cells),
            "minimal": self.minimal,
            "solution": _UNIFORM if self.uniform else self.solution and self.solution.line,
            "rating": self.rating and list(self.rating),
            **{name: list(bounds) for name, bounds in self.parts.items()},
            "difficulty": self.difficulty,
            "technique": TECHNIQUES[self.technique] if self.technique else None,
            "name": self.name and [[*NAMES][code] for code in self.name],
            "uses": uses[0] if len(uses) == 1 else uses or None,
            "techniques": techniques if isinstance(techniques, str | None) else [*techniques],
            "accept": self.accept and str(getattr(self.accept, "__qualname__", type(self.accept).__name__)),
            **{name: list(bounds) for name, bounds in self.measures.items()},
        }
        return {name: value for name, value in values.items() if value not in (None, False, "none", ())}

    def attempts_of(self, begin: int, count: int) -> int:
        """Return how many attempts of a range are needed: only attempt 0 where all give the same puzzle."""
        if self.cells is None or self.solution is None:
            return count
        return min(count, 1) if begin == 0 else 0

    def fits(self, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
        """Test which proper puzzles have the requested rating and measures: bool[n]."""
        tests: list[Callable[[NDArray[np.uint8], Cancel], NDArray[np.bool_]]] = []
        if "classes" in self.measures:
            tests.append(self._fits_class)
        if "effort" in self.measures:
            tests.append(self._fits_effort)
        if self.measures.keys() & _SEARCH.keys():
            tests.append(self._fits_search)
        if self.tenths != (10, round(10 * _HIGHEST)) or self.technique or self.parts:
            tests.append(self._fits_rating)
        if self.uses or self.barred:
            tests.append(self._fits_path)
        if accept := self.accept:
            tests.append(lambda puzzles, _: _answers(accept(puzzles), len(puzzles)))
        good = np.ones(len(puzzles), np.bool_)
        for test in tests:
            indices = np.flatnonzero(good)
            if indices.size:
                good[indices] = test(puzzles[indices], cancel)
        return good

    def _fits_class(self, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
        totals = run_classify(puzzles, presets=0, cancel=cancel)
        return _inside(classes_of(totals), self.measures["classes"])

    def _fits_effort(self, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
        efforts = efforts_of(puzzles, cancel=cancel)
        cancel.raise_if_set()
        return _inside(efforts, self.measures["effort"])

    def _fits_search(self, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
        limit = self.measures["steps"][1] + 1 if "steps" in self.measures else STEP_LIMIT
        measures = measure(puzzles, limit, cancel=cancel)
        good: NDArray[np.bool_] = measures["complete"]
        for name in self.measures.keys() & _SEARCH.keys():
            good &= _inside(measures[name], self.measures[name])
        return good

    def _fits_rating(self, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
        """Rate no further than the request needs."""
        low, high = self.tenths
        is_whole = bool(self.technique or self.name or self.parts)
        if is_lower_bound := high == round(10 * _HIGHEST) and not is_whole:
            below = low / 10
        else:
            caps = [cap for code, cap in _CAPS if 0 < self.technique <= code]
            below = min([(high + 1) / 10, *caps])
        ratings, _ = rate_columns(puzzles, below=min(below, _HIGHEST), threads=1, cancel=cancel)
        cancel.raise_if_set()
        at_least: NDArray[np.bool_] = ratings["at_least"].values
        if is_lower_bound:
            return at_least
        good = ~at_least
        good &= _inside(np.rint(10 * ratings["er"].values), self.tenths)
        for name, (least, most) in self.parts.items():
            good &= _inside(np.rint(10 * ratings[name].values), (round(10 * least), round(10 * most)))
        if self.technique:
            good &= ratings["technique"].values == self.technique
        if self.name:
            good &= np.isin(ratings["name"].values, self.name)
        return good

    def _fits_path(self, puzzles: NDArray[np.uint8], cancel: Cancel) -> NDArray[np.bool_]:
        paths = first_steps(puzzles, ALL, barred=self.barred, candidates=False, threads=1, cancel=cancel)
        cancel.raise_if_set()
        good, names = np.ones(len(puzzles), np.bool_), paths.rows.numbers("name")
        for group in self.uses:
            has_step = np.zeros(len(puzzles), np.bool_)
            has_step[paths.source_rows[np.isin(names, group)]] = True
            good &= has_step
        if self.barred:
            solved, _ = paths.ends()
            good &= solved
        return good


def fits_beginner(er: float, clues: int) -> bool:
    """Return whether a puzzle with this rating and number of clues is one for beginners."""
    return er <= _RATINGS[BEGINNER][1] and clues >= _BEGINNER_CLUES[0]


@cache
def _units_of(symmetry: str) -> tuple[bytes, int]:
    """Return the smallest cell that a symmetry maps to each cell; and the numbers of cells of patterns.

    Bit n of these is set if some of the sets of cells that are mapped to each other have n cells.
    """
    elements = SYMMETRIES[symmetry]
    units = bytes(min([k, *(t.source(k) for t in elements)]) for k in range(81))
    sums = 1
    for unit in {*units}:
        sums |= sums << units.count(unit)
    return units, sums


def _range_of(
    name: str, value: Any, lowest: _Number, highest: _Number, kind: Callable[[str, Any], _Number]
) -> tuple[_Number, _Number]:
    """Return the smallest and the largest value; a single number is both."""
    ends = value if isinstance(value, tuple) else (value, value)
    if len(ends) != 2:
        raise wrong_type(name, "a number, or the lowest and the highest", value)
    low, high = kind(name, ends[0]), highest if ends[1] is None else kind(name, ends[1])
    if not low <= high >= lowest or low > highest:
        numbers = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        raise UnidokuError(f"{name} must be {lowest} to {highest:,}, or a range of these, not {numbers}")
    return low, high


def _rounded(name: str, rating: float) -> float:
    return round(real(name, rating), 1)


def _answers(accepted: Any, count: int) -> NDArray[np.bool_]:
    """Check what `accept` returned."""
    answers = np.asarray(accepted)
    if answers.dtype != np.bool_ or answers.shape != (count,):
        raise wrong_type("what accept returns", f"bool[{count}], one for each puzzle", accepted)
    return answers


def _inside(values: NDArray[Any], bounds: tuple[int, int]) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = (bounds[0] <= values) & (values <= bounds[1])
    return inside


def _pattern_cells(pattern: str | Iterable[int]) -> tuple[int, ...]:
    if isinstance(pattern, str):
        symbols = "".join(pattern.split())
        if len(symbols) != 81:
            raise UnidokuError(f"a pattern has 81 cells, not {len(symbols)}")
        return tuple(k for k, symbol in enumerate(symbols) if symbol not in ".0")
    if not isinstance(pattern, Iterable):
        raise wrong_type("pattern", "a text or an iterable of cells", pattern)
    return tuple(sorted({whole("pattern", cell, 0, 80) for cell in pattern}))
