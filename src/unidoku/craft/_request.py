"""Properties that generated puzzles must have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from math import lcm
from typing import Any, TypeAlias, TypedDict, Unpack

from unidoku._arguments import callback, integer, one_of, real, whole_number, wrong_type
from unidoku._clue_symmetry import SYMMETRIES
from unidoku._columns import ColumnSpec
from unidoku._compat import NDArray, np
from unidoku._conditions import Range
from unidoku._guesses import unknown_argument
from unidoku.cell import FEWEST_CLUES
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, Reason
from unidoku.grid import Grid, PuzzleLike
from unidoku.rating._columns import EFFORT, RATINGS, STEPS
from unidoku.rating._paths import ALL
from unidoku.rating._requested import RequestedSteps
from unidoku.rating._scale import BEGINNER, BEGINNER_CLUES

_EFFORTS = {
    1: 80,
    11: 70,
    23: 60,
    36: 52,
    56: 45,
    82: 40,
    118: 36,
    146: 34,
    186: 32,
    253: 30,
    370: 28,
    466: 27,
}
"""The number of clues of puzzles whose median effort is the key, of 1,000 puzzles each."""
_MINIMAL_EFFORT = 330
"""Of minimal puzzles, one in twenty has less."""


def aim_of(clues: Range | None, effort: Range | None) -> range:
    """Return the numbers of clues from which an attempt draws how many to keep; none if it removes all.

    These are the requested clues. If minimal puzzles hardly ever have the requested effort, they are the
    clues of most puzzles with that effort. Puzzles may have more.
    """
    fewest, most = clues[:2] if clues else (0, -1)
    if not clues and effort and effort.high < _MINIMAL_EFFORT:
        most, fewest = np.interp([effort.low, effort.high], [*_EFFORTS], [*_EFFORTS.values()]).round()
    return range(int(fewest), int(most) + 1)


def range_of(name: str, value: Any, whole: Range) -> Range:
    """Return the range that a number, or a pair of the lowest and the highest, stands for.

    It has some of the `whole`, and ends with it; if the ends of the range are floats, they are ratings.
    """
    ends = value if isinstance(value, tuple) else (value, value)
    if len(ends) != 2:
        raise wrong_type(name, "a number, or the lowest and the highest", value)
    kind = integer if isinstance(whole.low, int) else (lambda name, end: round(real(name, end), 1))
    low, high = kind(name, ends[0]), whole.high if ends[1] is None else kind(name, ends[1])
    numbers = Message("{low} to {high}", low=f"{low:,}", high=f"{high:,}")
    Range(low, high).refuse_reversed(name, numbers)
    if high < whole.low or low > whole.high:
        text = "{name} must be a number or a range from {lowest} to {highest}, not {numbers}"
        given = {"numbers": f"{low:,}" if low == high else numbers, "highest": f"{whole.high:,}"}
        raise ArgumentError(Message(text, name=name, lowest=whole.low, **given))
    return Range(max(low, 0), min(high, whole.high))


_FEWEST_AT_RANDOM = 18  # clues that removing them at random leaves
_MOST_MINIMAL = 32  # clues of a minimal puzzle without symmetry
UNIFORM = "uniform"
_CLUES: Mapping[str | None, tuple[Range, Range | None]] = {
    BEGINNER: (Range(BEGINNER_CLUES, 81), Range(BEGINNER_CLUES, 36))
}
"""The clues that puzzles of a difficulty can have, and those that they have if the request does not say."""

REQUEST_COLUMNS: dict[str, ColumnSpec] = {
    "er": RATINGS["er"],
    **EFFORT,
    "steps": STEPS["steps"]._replace(bounds=(0, ALL)),
    **{name: RATINGS[name] for name in ("technique", "name")},
    "uses": ColumnSpec("string[]", "names of steps of the path"),
    "techniques": ColumnSpec("string[]", "techniques of the path"),
    "difficulty": RATINGS["difficulty"],
    "clues": ColumnSpec("int64", "number of clues", bounds=(FEWEST_CLUES, 81)),
}
"""Columns by which puzzles can be requested: by numbers if they have bounds, otherwise by words."""
_MEASURED = {name: Range(*spec.bounds) for name, spec in REQUEST_COLUMNS.items() if spec.bounds}
del _MEASURED["clues"]


class RequestFields(TypedDict, total=False):
    """The parameters of `Request` and `unidoku.generate`."""

    clues: int | tuple[int, int] | None
    symmetry: str
    pattern: str | Iterable[int] | None
    minimal: bool
    solution: PuzzleLike | None
    er: float | tuple[float, float] | None
    difficulty: str | Mapping[str, float] | None
    technique: str | None
    name: str | None
    uses: str | Iterable[str] | None
    techniques: str | Iterable[str] | None
    accept: Callable[[NDArray[np.uint8]], NDArray[np.bool_]] | None
    effort: int | tuple[int, int] | None
    steps: int | tuple[int, int] | None


def _given(fields: Any) -> dict[str, Any]:
    """Return the parameters that are given, with lists in place of iterators, which can be read only once."""
    return {
        name: [*value] if isinstance(value, Iterator) else value
        for name, value in fields.items()
        if value is not None
    }


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
        are not given, nor an `effort` below 330.
    solution : Grid, str, bytes or array, optional
        The solution of all puzzles; by default each has its own. ``"uniform"``: draw the solutions uniformly
        from all full grids, which takes three times as long.
    er : float or (float, float), optional
        ER on the scale of `unidoku.rate`, or the lowest and the highest: ``(3.0, 4.4)``.
    difficulty : str, optional
        The word of `unidoku.rate` for the puzzles: easy, medium, hard, expert or extreme.  A
        beginner puzzle needs only the last empty cells of houses and hidden singles in boxes, and has 30
        clues or more, 30 to 36 if `clues` is not given; `unidoku.rate` calls it easy.  Letter case does not
        matter.
    technique : str, optional
        The technique of the hardest step of `unidoku.rate`, such as ``"X-wing"`` or ``"x-wing"``; of several
        such steps the first one counts.
    name : str, optional
        A name of that step, such as ``"Skyscraper"``, with or without hyphens, in any case.
    uses : str or iterable of str, optional
        The name of any step of the path, such as ``"X-Wing"``; of several names the path has a step of each.
        With `techniques` it is the path with these.
    techniques : str or iterable of str, optional
        Only these techniques are needed to solve the puzzle: words and groups of `unidoku.steps`.
    accept : callable, optional
        Called with puzzles that meet the rest of the request, uint8[n, 81], cells 0 to 9; returns whether to
        accept each: bool[n]. Its answer for a puzzle must not depend on other puzzles; it is called in
        several threads.
    effort : int or (int, int), optional
        The effort of `unidoku.rate`, or the smallest and the largest: how long a person takes. Minimal
        puzzles seldom have less than 330. If that is requested without `clues`, `pattern` and `minimal`,
        puzzles keep as many clues as most with this effort have, each number equally often.
    steps : int or (int, int), optional
        The number of steps that `unidoku.steps` needs, or the smallest and the largest.

    Raises
    ------
    InvalidPuzzleError
        `solution` is not a full grid.
    ValueError
        A value is out of range, or the request contradicts itself.
    """

    units: bytes

    def __init__(self, **fields: Unpack[RequestFields]) -> None:
        if not fields.keys() <= RequestFields.__annotations__.keys():
            raise unknown_argument("Request", fields, RequestFields.__annotations__)
        self.fields = values = _given(fields)
        self.minimal: bool = values.get("minimal", False)
        self.accept: Callable[[NDArray[np.uint8]], NDArray[np.bool_]] | None = callback(
            "accept", values.get("accept")
        )
        self.symmetry: str = one_of("symmetry", values.get("symmetry", "none"), SYMMETRIES)
        self.ranges: dict[str, Range] = {
            name: range_of(name, values[name], whole) for name, whole in _MEASURED.items() if name in values
        }
        """The requested measures of a puzzle, by column."""
        self.steps: RequestedSteps = RequestedSteps(values, self.ranges.get("er", _MEASURED["er"]))
        self.wanted: dict[str, Range] = {**self.ranges, **self.steps.wanted}
        """In which ranges measures of puzzles must be, by column: see `unidoku.craft._generate.fits`."""
        if self.accept is not None:
            self.wanted["accept"] = Range(True, True)
        self._set_cells(values)
        solution = values.get("solution")
        self.uniform: bool = str(solution).strip().lower() == UNIFORM
        self.solution: Grid | None = None
        if solution is not None and not self.uniform:
            self.solution = Grid(solution)
            if not self.solution.is_solved():
                raise InvalidPuzzleError(Reason("not_full", "the solution is not a full grid"))

    def _set_cells(self, values: Mapping[str, Any]) -> None:
        """Set which cells, and how many, can have clues; refuse an impossible request.

        Attempts hardly ever reach some numbers of clues: they would take a minute in vain.
        """
        whole, usual = _CLUES.get(self.steps.difficulty, (Range(FEWEST_CLUES, 81), None))
        self.cells: tuple[int, ...] | None = None
        if "pattern" in values:
            self.cells, usual = _pattern_cells(values["pattern"]), None
        self.clues: Range | None = usual
        if "clues" in values:
            self.clues = range_of("clues", values["clues"], whole)
            if self.steps.difficulty in _CLUES:
                self.clues = self.clues._replace(low=max(self.clues.low, whole.low))
        self.sizes: Range = self.clues or whole
        """The requested numbers of clues, or otherwise every number of clues that a puzzle can have."""
        self.units, unit_sums = _units_of(self.symmetry)
        """The smallest cell that the symmetry maps to each cell: 81 bytes."""
        self.aim: range = range(0)
        if self.cells is not None:
            if self.symmetry != "none":
                raise ArgumentError(Message("give either a pattern or a symmetry, not both"))
            if not self.sizes.has(len(self.cells)):
                text = "the pattern has {n} cells, but puzzles have {bounds} clues; change one of them"
                raise ArgumentError(Message(text, n=len(self.cells), bounds=self.sizes))
            return
        low, high = map(int, self.sizes[:2])
        if high < _FEWEST_AT_RANDOM:
            text = (
                "puzzles with {clues} clues need too many attempts, because removing clues at random "
                "leaves {fewest} about once in a billion attempts; begin with a published list of "
                "puzzles with {least} clues, and find more with neighbours"
            )
            numbers = {"fewest": _FEWEST_AT_RANDOM, "least": FEWEST_CLUES}
            raise ArgumentError(Message(text, clues=self.sizes.high, **numbers))
        if self.minimal and self.symmetry == "none" and low > _MOST_MINIMAL:
            text = "minimal puzzles with {clues} clues need too many attempts; choose fewer clues"
            raise ArgumentError(Message(text, clues=self.sizes.low))
        if not unit_sums >> low & (2 << high - low) - 1:
            text = "no pattern with symmetry {symmetry} has {bounds} clues; change one of them"
            raise ArgumentError(Message(text, symmetry=repr(self.symmetry), bounds=self.sizes))
        if not self.minimal:
            self.aim = aim_of(self.clues, self.ranges.get("effort"))

    def __repr__(self) -> str:
        return f"Request({', '.join(f'{name}={value!r}' for name, value in self.to_json().items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Request) and (self.to_json(), self.accept) == (other.to_json(), other.accept)

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def is_long(self) -> bool:
        """Whether a single attempt may take longer than some milliseconds."""
        return self.uniform or bool(self.wanted)

    def to_json(self) -> dict[str, Any]:
        """Return the parameters that are set as a JSON object; a function is represented by its name."""
        accept: Any = self.accept
        values: dict[str, Any] = {
            "clues": self.clues and self.clues[:2],
            "symmetry": self.symmetry,
            "pattern": self.cells,
            "minimal": self.minimal,
            "solution": UNIFORM if self.uniform else self.solution and self.solution.line,
            **self.steps.to_json(),
            "accept": accept and getattr(accept, "__qualname__", type(accept).__name__),
            **{name: each[:2] for name, each in self.ranges.items()},
        }
        return {
            name: [*value] if isinstance(value, tuple) else value
            for name, value in values.items()
            if value not in (None, False, "none", "", (), [])
        }

    def measured(self) -> Iterator[tuple[str, Request]]:
        """Yield each parameter about measures of a finished puzzle, with a request for only this one."""
        shape = ("clues", "symmetry", "pattern", "minimal", "solution")  # decided before
        for name, value in self.fields.items():
            if name not in shape:
                alone: Any = {name: value}
                yield name, Request(**alone)

    def attempts_of(self, begin: int, count: int) -> int:
        """Return how many attempts of a range are needed: only attempt 0 if all give the same puzzle."""
        if self.cells is None or self.solution is None:
            return count
        return len(range(begin, min(begin + count, 1)))


@cache
def _units_of(symmetry: str) -> tuple[bytes, int]:
    """Return the smallest cell that a symmetry maps to each cell; and the numbers of cells of patterns.

    Bit n of these is set if some of the sets of cells that are mapped to each other have n cells.
    """
    elements = SYMMETRIES[symmetry]
    units = bytes(min([k, *(moved[k] for moved in elements)]) for k in range(81))
    sums = 1
    for unit in {*units}:
        sums |= sums << units.count(unit)
    return units, sums


def _pattern_cells(pattern: str | Iterable[int]) -> tuple[int, ...]:
    if isinstance(pattern, str):
        symbols = "".join(pattern.split())
        if len(symbols) != 81:
            raise ArgumentError(Message("a pattern has 81 cells, not {n}", n=len(symbols)))
        return tuple(k for k, symbol in enumerate(symbols) if symbol not in ".0")
    if not isinstance(pattern, Iterable):
        raise wrong_type("pattern", "a text or an iterable of cells", pattern)
    return tuple(sorted({whole_number("pattern", cell, 0, 80) for cell in pattern}))


Shares: TypeAlias = tuple[tuple[str, int], ...]
"""Words with whole numbers."""

_MOST = 10_000  # of a cycle


def shares_of(mixture: Mapping[str, float]) -> Shares:
    """Return the words of a mixture with whole numbers in the ratio of their shares."""
    from fractions import Fraction  # not at the top: it is needed seldom

    shares = dict[str, Fraction]()
    with suppress(ValueError, ZeroDivisionError):  # NaN, infinity, a text other than a number
        shares = {word: Fraction(str(share)) for word, share in mixture.items()}
    if not shares or min(shares.values()) <= 0:
        raise ArgumentError(
            Message("a mixture needs words with shares above 0, not {given}", given=dict(mixture))
        )
    total = sum(shares.values())
    parts = {word: share / total for word, share in shares.items()}
    size = lcm(*(part.denominator for part in parts.values()))
    if size > _MOST:
        text = "the shares of a mixture must be simple, such as 1:2 or 40%, not {given}"
        raise ArgumentError(Message(text, given=dict(mixture)))
    return tuple((word, int(part * size)) for word, part in parts.items())


def word_at(shares: Shares, index: int, seed: int) -> str:
    """Return the word of one of infinitely many items: in each cycle in turn, every word has its share."""
    words = _cycle(shares, seed)
    return words[index % len(words)]


@lru_cache(maxsize=64)
def _cycle(shares: Shares, seed: int) -> tuple[str, ...]:
    """Return the words of a cycle in a random order of the seed."""
    words = [word for word, count in shares for _ in range(count)]
    order = np.random.default_rng(seed).permutation(len(words))
    return tuple(words[place] for place in order)


def counts_by_word(shares: Shares, count: int) -> dict[str, int]:
    """Return how many of `count` puzzles each word has: the largest remainders get one more."""
    total = sum(share for _, share in shares)
    counts = {word: count * share // total for word, share in shares}
    rest = sorted(shares, key=lambda item: -(count * item[1] % total))
    for word, _ in rest[: count - sum(counts.values())]:
        counts[word] += 1
    return counts


def requests_of(fields: RequestFields, count: int) -> list[tuple[Request, int]]:
    """Return the request of the fields with its number of puzzles; of a mixture one for each word."""
    mixture = fields.get("difficulty")
    if isinstance(mixture, Mapping):
        given = _given(fields)
        numbers = counts_by_word(shares_of(mixture), count)
        wanted: dict[str, Any] = {word: {**given, "difficulty": word} for word in numbers}
        return [(Request(**wanted[word]), number) for word, number in numbers.items()]
    return [(Request(**fields), count)]
