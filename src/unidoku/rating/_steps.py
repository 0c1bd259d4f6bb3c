"""The steps that solve a puzzle, in the order of the scale; hints: the next step, or all possible steps.

Steps and hints are plain values: text, numbers, lists and dictionaries of lists.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

from unidoku._compat import cached_property, view
from unidoku._guesses import NamedFields, no_attribute
from unidoku._native.rating import codes
from unidoku._table.json_values import json_schema
from unidoku._threads import Cancel, begun, call_to_end, cancel_of, run_in_worker, within
from unidoku._verdict import ImproperPuzzleError, Verdict
from unidoku._words import Language, table
from unidoku.cell import (
    HOUSE_NAMES,
    HOUSES_OF,
    candidate_name,
    candidate_of,
    cell_name,
    cell_number,
    symbols_of,
)
from unidoku.errors import InvalidPuzzleError, Reason, SearchStoppedError
from unidoku.grid import Grid, PuzzleLike, grid_or_position
from unidoku.kernel import solution_of, solution_search, verdict_of
from unidoku.rating._deduction import (
    Chain,
    Deduction,
    Link,
    Marks,
    Position,
    position_of,
)
from unidoku.rating._families import FAMILY_ROWS
from unidoku.rating._names import FAMILIES, TechniquesLike, barred_by
from unidoku.rating._patterns import NAMED_CHAINS, named_chains, repeats_locked_candidates, singles_after
from unidoku.rating._scale import REASONS, Difficulty, difficulty_of, effort_of, engine, improper_error
from unidoku.rating._sentences import Sentences, sentences_in
from unidoku.rating._step_rows import StepRows

if TYPE_CHECKING:
    from unidoku._parse.board import Board


class _Explained(NamedFields):
    """Base of `Step` and `Hint`: they print their text, and a notebook draws them.

    Their fields are made when they are read: ``_source`` has a function for the deduction, and the sentences.
    """

    __slots__ = ("_source",)
    __get_pydantic_json_schema__ = json_schema

    if TYPE_CHECKING:
        sentence: str
        details: list[str]
        _source: tuple[Callable[[], Deduction], Sentences]
    else:

        def __getattr__(self, name: str) -> Any:
            """Make a field that has not been read."""
            if name not in _FIELDS:
                raise no_attribute(self, name)
            deduction, say = self._source
            value = _FIELDS[name](deduction(), say)
            object.__setattr__(self, name, value)
            return value

    @classmethod
    def _later(cls, deductions: Iterable[Callable[[], Deduction]], say: Sentences) -> list[Self]:
        """Return objects without fields, which have them when they are read."""
        new, set_source, made = object.__new__, vars(_Explained)["_source"].__set__, list[Self]()
        for deduction in deductions:
            one = new(cls)
            set_source(one, (deduction, say))
            made.append(one)
        return made

    def __str__(self) -> str:
        return "\n".join([self.sentence, *self.details])

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook."""
        return view("step.picture", self)


@dataclass(frozen=True, slots=True)
class Step(_Explained):
    """A step that solves a part of a puzzle.

    Cells are named as ``"r4c2"``, candidates as ``"r4c2=7"``, houses as ``"box 3"``.

    Attributes
    ----------
    technique : str
        One of `unidoku.rating.TECHNIQUES`.
    name : str
        The usual name of the step, such as ``"Skyscraper"``: one of `unidoku.rating.NAMES`.
    kind : str
        The kind of step, or an empty text. It is ``full house``, or ``type 1`` to ``type 4`` of a unique
        rectangle, unique loop or BUG. Chains have ``double``, ``X``, ``Y``, ``XY``, ``cell``, ``house`` or
        ``contradiction``.
    rating : float
        Its rating on the scale se121, such as 7.2.
    sentence : str
        The step in words.
    details : list of str
        Its chains, or the combinations that it excludes, line by line.
    placements, eliminations : list of str
        The candidate that is placed, or the candidates that are removed.
    further_eliminations : list of str
        The candidates that the sentence also rules out. A chain of Sudoku Explainer removes one candidate,
        and a naked set removes candidates of one house, so the path leaves these to later steps.
        `unidoku.hint` and `unidoku.all_steps` remove them at once; there the list is empty.
    puzzle, before : str
        The clues, and the digits before the step: 81 characters, ``.`` for an empty cell.
    marks : str
        The candidates before the step: 729 characters, nine a cell; a filled cell has its digit.
    cells : dict of str to list of str
        The cells by their role: ``pattern``, ``pivot``, ``wings``, ``loop``, ``extra``, ``subset``, ``base``,
        ``excluders``, ``start``.
    candidates : dict of str to list of str
        The candidates by their role: ``pattern``, ``extra``, ``subset``, of chains ``on`` and ``off``.
    houses : dict of str to list of str
        The houses by their role: ``house``, ``other``, ``single``, of fish ``base`` and ``cover``.
    links : list of (str, str, str)
        The links of chains: from a candidate, to a candidate, and the kind:

        - ``weak``: if the first holds, the second does not
        - ``strong``: if the first does not hold, the second does
        - ``inner``: a technique removes the second if the first does not hold

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> step = steps(puzzle)[0]
    >>> step.name, step.rating, step.placements
    ('Hidden Single', 1.2, ['r1c6=8'])
    """

    technique: str
    name: str
    kind: str
    rating: float
    sentence: str
    details: list[str]
    placements: list[str]
    eliminations: list[str]
    further_eliminations: list[str]
    puzzle: str
    before: str
    marks: str
    cells: dict[str, list[str]]
    candidates: dict[str, list[str]]
    houses: dict[str, list[str]]
    links: list[tuple[str, str, str]]

    def _repr_html_(self) -> str:
        """Return the picture with the sentence for a notebook."""
        from html import escape  # not at the top: only a notebook needs it

        return f"<figure>{self._repr_svg_()}<figcaption>{escape(self.sentence)}</figcaption></figure>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint(_Explained):
    """Help for a player: a mistake, or the next step.

    Attributes
    ----------
    technique : str or None
        None for a mistake, and if no technique finds a step.
    name : str or None
        None where there is no technique.
    kind : str
    rating : float or None
        None where there is no technique.
    sentence : str
        The step in words, all mistakes, or that no technique finds a step.
    where, which, what, pattern : str
        The same in stages: a house to look at, the technique, the technique in its house, and the cells and
        digits that it follows from. The first three name no cell.
    wrong_digits : list of str
        The digits that differ from the solution, such as ``"r1c3=2"``.
    wrong_marks : list of str
        The cells whose pencil marks lack the digit of the solution.
    eliminations : list of str
        All candidates that the pattern rules out; a step of `unidoku.steps` may remove only one of them.
    details, placements, puzzle, before, marks, cells, candidates, houses, links
        As in `Step`; empty if there is no technique.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> hint(puzzle).where, hint(puzzle).placements
    ('Look at box 2.', ['r1c6=8'])
    """

    technique: str | None = None
    name: str | None = None
    kind: str = ""
    rating: float | None = None
    sentence: str
    details: list[str] = field(default_factory=list)
    where: str
    which: str
    what: str
    pattern: str
    placements: list[str] = field(default_factory=list)
    eliminations: list[str] = field(default_factory=list)
    wrong_digits: list[str] = field(default_factory=list)
    wrong_marks: list[str] = field(default_factory=list)
    puzzle: str
    before: str
    marks: str
    cells: dict[str, list[str]] = field(default_factory=dict)
    candidates: dict[str, list[str]] = field(default_factory=dict)
    houses: dict[str, list[str]] = field(default_factory=dict)
    links: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Steps(NamedFields):
    """The steps that solve a puzzle.

    Attributes
    ----------
    puzzle : str
    er, ep, ed : float
        As in `unidoku.Rating`: 20.0 if no technique finds the step that decides it, 0.0 without steps. With
        chosen techniques, only their steps count.
    difficulty : str or None
        The word for the difficulty, as in `unidoku.Rating`; None without steps.
    solved : bool
        Whether the steps fill the grid: the techniques of the scale solve nearly every puzzle.
    steps : list of Step
    complete : bool
        The same as `solved`, as other results have it: whether the work came to its end.
    cells_left : int
        How many cells are empty after the last step.
    grid, marks : str
        The position after the last step: 81 digits, ``.`` for an empty cell, and 729 pencil marks, nine a
        cell; a filled cell has its digit.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> found = steps(puzzle)
    >>> found.solved, len(found), found.difficulty
    (True, 51, 'easy')
    """

    __get_pydantic_json_schema__ = json_schema

    puzzle: str
    er: float
    ep: float
    ed: float
    difficulty: Difficulty | None
    solved: bool
    steps: list[Step]
    complete: bool
    cells_left: int
    grid: str
    marks: str

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __getitem__(self, number: int) -> Step:
        """Return a step by its number, from 0."""
        return self.steps[number]

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))

    def to_json(self) -> dict[str, Any]:
        """Return the fields as a JSON object, as ``explain --json`` prints them."""
        return asdict(self)


@dataclass(frozen=True)
class SolutionPath:
    """The steps that solve a puzzle, as native code writes them.

    Attributes
    ----------
    puzzle : Grid
    rows : StepRows
        Its steps, with the candidates before each.
    solved : bool
        Whether the grid is full at the end.
    is_chosen : bool
        Whether techniques were excluded.
    start : Position or None
        Where the steps begin; None for the puzzle.
    """

    puzzle: Grid
    rows: StepRows
    solved: bool
    is_chosen: bool = False
    start: Position | None = None

    @cached_property
    def deductions(self) -> tuple[Deduction, ...]:
        """The steps with their cells, links and chains, which pictures and sentences need."""
        return tuple(self.rows.deductions(self.rows.positions(self.puzzle.cells)))

    @cached_property
    def rating(self) -> tuple[float, float, float]:
        """ER, EP and ED."""
        ratings = [tenths / 10 for tenths in self.rows.numbers("rating")]
        if not (self.solved or self.is_chosen):
            ratings.append(20.0)
        placements = self.rows.numbers("placement")
        index = next((number for number, cell in enumerate(placements) if cell >= 0), len(ratings) - 1)
        return max(ratings, default=0.0), max(ratings[: index + 1], default=0.0), (ratings or [0.0])[0]

    @property
    def difficulty(self) -> Difficulty | None:
        """The word for the difficulty; None without steps."""
        return difficulty_of(self.rating[0]) if len(self.rows) else None

    @property
    def effort(self) -> int | None:
        """How much looking the puzzle needs; None if the passes do not solve it."""
        return effort_of(self.puzzle.cells)

    def steps(self, lang: Language = "en") -> Steps:
        """Return the same as plain values."""
        er, ep, ed = self.rating
        say, count = sentences_in(lang), len(self.rows)
        steps = Step._later(map(partial, repeat(self._deduction), range(count)), say)
        end = self.end
        solved = self.solved, steps, self.solved, end.values.count(0)
        return Steps(self.puzzle.line, er, ep, ed, self.difficulty, *solved, end.line, end.marks)

    def step(self, number: int, lang: Language = "en") -> Step:
        """Return one step, from 1, as plain values."""
        return steps_of([self.deductions[number - 1]], lang)[0]

    @property
    def first(self) -> Position:
        """The position before the first step."""
        return self.start or position_of(self.puzzle)

    @cached_property
    def end(self) -> Position:
        """The position after the last step."""
        rows, last = self.rows, len(self.rows) - 1
        if last < 0:
            return self.first
        if self.solved:  # with the last digit the grid is full
            (fill,), values = rows.numbers("placement", last), bytearray(rows.before(last))
            values[fill // 9] = fill % 9 + 1
            return Position(bytes(values), (0,) * 81, self.puzzle.cells)
        (step,) = rows.deductions(rows.positions(self.puzzle.cells, last), last)
        return step.after

    def _deduction(self, number: int) -> Deduction:
        return self.deductions[number]


def steps_of(deductions: Sequence[Deduction], lang: Language = "en") -> list[Step]:
    """Convert deductions to plain values, with sentences in a language."""
    say = sentences_in(lang)
    return Step._later(map(partial, repeat(_same), deductions), say)


def hint_of(position: Position, deduction: Deduction | None, lang: Language = "en") -> Hint:
    """Return a step as a hint; None if no technique finds one."""
    say = sentences_in(lang)
    if deduction is None:
        texts: dict[str, Any] = dict.fromkeys(
            ("where", "which", "what", "pattern", "sentence"), say.say("none")
        )
        return Hint(**texts, **_position_values(position))
    (hint,) = Hint._later([partial(_same, deduction.whole())], say)
    return hint


def mistakes_of(
    position: Position, digits: Sequence[tuple[int, int]], cells: Sequence[int], lang: Language = "en"
) -> Hint:
    """Return wrong digits, or cells with wrong marks, as a hint."""
    wrong_digits, wrong_marks = list(map(candidate_name, digits)), list(map(cell_name, cells))
    box = HOUSES_OF[digits[0][0] if digits else cells[0]][2]
    texts: dict[str, Any] = sentences_in(lang).mistakes(box, wrong_digits, wrong_marks)
    mistakes: dict[str, Any] = {"wrong_digits": wrong_digits, "wrong_marks": wrong_marks}
    return Hint(**texts, **mistakes, **_position_values(position))


def _by_role(groups: Mapping[str, Iterable[Any]], convert: Callable[[Any], Any], kind: Any = list) -> Any:
    """Return the cells, candidates or houses of each role in another form."""
    return {role: kind(map(convert, group)) for role, group in groups.items()}


def _same(deduction: Deduction) -> Deduction:
    return deduction


_FIELDS: dict[str, Callable[[Deduction, Sentences], Any]] = {
    "technique": lambda step, _: step.technique,
    "name": lambda step, _: step.name,
    "kind": lambda step, _: step.kind,
    "rating": lambda step, _: step.rating,
    "sentence": lambda step, say: say.sentence(step),
    "details": lambda step, say: say.detail_lines(step),
    "placements": lambda step, _: list(map(candidate_name, step.placements)),
    "eliminations": lambda step, _: list(map(candidate_name, step.eliminations)),
    "further_eliminations": lambda step, _: list(map(candidate_name, step.further_eliminations)),
    "cells": lambda step, _: _by_role(step.cells, cell_name),
    "candidates": lambda step, _: _by_role(step.candidates, candidate_name),
    "houses": lambda step, _: _by_role(step.houses, HOUSE_NAMES.__getitem__),
    "links": lambda step, _: [
        (candidate_name(link.start), candidate_name(link.end), link.kind) for link in step.links
    ],
    "puzzle": lambda step, _: symbols_of(step.before.clues),
    "before": lambda step, _: step.before.line,
    "marks": lambda step, _: step.before.marks,
    # of a hint
    "where": lambda step, say: say.stages(step)["where"],
    "which": lambda step, say: say.stages(step)["which"],
    "what": lambda step, say: say.stages(step)["what"],
    "pattern": lambda step, say: say.stages(step)["pattern"],
    "wrong_digits": lambda *_: [],
    "wrong_marks": lambda *_: [],
}
"""How the fields of `Step` and `Hint` are made of a deduction."""


def _position_values(position: Position) -> dict[str, Any]:
    """Return the fields for a position."""
    return {"puzzle": symbols_of(position.clues), "before": position.line, "marks": position.marks}


def position_before(step: Step | Hint) -> Position:
    """Return the position of a step or hint."""
    return position_of(Grid(step.before), step.marks, Grid(step.puzzle))


def deduction_from(step: Step | Hint) -> Deduction:
    """Read the names of a step or of a hint that has one; all links are in one chain."""
    links = tuple(Link(candidate_of(start), candidate_of(end), kind) for start, end, kind in step.links)  # type: ignore[arg-type]
    chains = (Chain(links[0].holds, links[-1].follows, links),) if links else ()
    technique = str(step.technique)
    return Deduction(
        technique=technique,
        rating=step.rating or 0.0,
        kind=step.kind,
        name=step.name or "",
        placements=tuple(map(candidate_of, step.placements)),
        eliminations=tuple(map(candidate_of, step.eliminations)),
        before=position_before(step),
        cells=_by_role(step.cells, cell_number, tuple),
        candidates=_by_role(step.candidates, candidate_of, tuple),
        houses=_by_role(step.houses, HOUSE_NAMES.index, tuple),
        chains=chains,
        row=FAMILY_ROWS[FAMILIES[technique]],
    )


def steps(
    puzzle: PuzzleLike,
    *,
    techniques: TechniquesLike | None = None,
    without: TechniquesLike | None = None,
    lang: Language = "en",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Steps:
    """Find the steps that solve a puzzle, as Sudoku Explainer 1.2.1 takes them.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `Grid` accepts it. With a text that draws candidates the steps begin from these.
    techniques : str or iterable of str, optional
        Use only these techniques: words or groups such as ``"singles, locked-candidates, x-wing"``
        (docs/rating.md). By default all techniques of the scale are used. The list ends when these find no
        further step.
    without : str or iterable of str, optional
        Do not use these.
    lang : {"en", "zh"}
        The language of the sentences.
    cancel : Cancel, optional
        Set it in another thread to stop.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Steps
        They end before the grid is full if no technique finds a further step.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle, or has no or several solutions.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        The language or a technique is unknown.

    Examples
    --------
    >>> solution = steps("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> solution.er, len(solution)
    (1.2, 51)
    >>> step = solution[0]
    >>> step.sentence
    'Hidden single: in box 2 the digit 8 fits only in r1c6: the other empty cells see the 8 in r3c3 or r5c4.'
    >>> step.placements
    ['r1c6=8']
    >>> hard = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
    >>> partial = steps(hard, techniques="singles, locked-candidates, pairs")
    >>> partial.complete, partial.cells_left, len(partial)
    (False, 56, 3)
    """
    cancel = begun(cancel, timeout)
    table(lang)
    return path_of(puzzle, barred=barred_by(techniques, without), cancel=cancel).steps(lang)


def path_of(
    puzzle: PuzzleLike,
    marks: Marks | None = None,
    *,
    filled: PuzzleLike | None = None,
    barred: int = 0,
    cancel: Cancel | None = None,
) -> SolutionPath:
    """Find the deductions that solve a puzzle or a position; without the techniques of `barred_by`."""
    cancel = within(cancel, None)
    start, flag = grid_or_position(puzzle), cancel_of(cancel)
    if not isinstance(start, Grid) or marks is not None or filled is not None:
        position = right_position(start, marks, filled, cancel)
        clues = Grid(position.clues if 0 in position.values else position.values)
        pieces, end = steps_from(position, flag, barred=barred)
        is_full = 0 not in end.values
        return SolutionPath(clues, StepRows.of(pieces), is_full, is_chosen=barred > 0, start=position)
    grid = require_proper(start, cancel)
    outcome, ends = bytearray(1), array("q", [0])
    find = partial(
        engine().find_paths, grid.cells, array("q", [0]), zero=0, outcomes=outcome, ends=ends, barred=barred
    )
    # in the calling thread, as far as the steps are easy
    buffers = find(easy=True, stop=flag.flag)
    if outcome[0] == codes.AT_LEAST:
        buffers = run_in_worker(lambda stop: find(stop=stop.flag), flag)
    if outcome[0] == codes.STOPPED:
        raise SearchStoppedError(0, "steps")
    return SolutionPath(grid, StepRows.of([buffers]), outcome[0] == codes.RATED, is_chosen=barred > 0)


def require_proper(puzzle: PuzzleLike, cancel: Cancel | None = None) -> Grid:
    """Return a puzzle that has exactly one solution; refuse any other, and an unfinished search."""
    grid = Grid(puzzle)
    verdict = verdict_of(grid.cells, cancel=cancel)
    if verdict is Verdict.UNKNOWN:
        raise SearchStoppedError(0, "steps")
    if verdict in REASONS:
        raise improper_error(grid, verdict)
    return grid


def next_step(position: Position, *, cancel: Cancel | None = None) -> Deduction | None:
    """Find the next step from a position; None if no technique finds one."""
    rows = StepRows.of([_find_step(position, cancel_of(cancel))])
    return next(rows.deductions([position]), None)


def _find_step(position: Position, cancel: Cancel, barred: int = 0) -> tuple[bytes, ...]:
    """Return the row of the next step from a position, with its candidates; none if none is found."""
    masks = array("H", position.masks)
    find = partial(engine().find_step, position.values, masks, barred=barred)
    parts: tuple[bytes, ...] = call_to_end(find, easy=True, cancel=cancel)
    if not parts[0]:
        parts = run_in_worker(lambda stop: call_to_end(find, cancel=stop), cancel)
    return (*parts[:-1], masks.tobytes()[: len(parts[0]) * 2 * 81])


def steps_from(
    position: Position, cancel: Cancel, *, barred: int = 0, limit: int | None = None
) -> tuple[list[tuple[bytes, ...]], Position]:
    """Find the steps from a position, at most `limit`: their rows, and the position after them.

    The last row is empty if no technique finds a further step.
    """
    pieces = [_find_step(position, cancel, barred)]
    while step := next(StepRows.of(pieces[-1:]).deductions([position]), None):
        position = step.after
        if len(pieces) == limit:
            break
        pieces.append(_find_step(position, cancel, barred))
    return pieces, position


def hint(
    puzzle: PuzzleLike,
    marks: Marks | None = None,
    *,
    filled: PuzzleLike | None = None,
    lang: Language = "en",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Hint | None:
    """Find the next step for a player, or a mistake in the position that the player sees.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        The puzzle, as `Grid` accepts it. It may also have digits filled in since, if they are right. A text
        that draws candidates has its own marks and filled digits.
    marks : str, array or mapping, optional
        The player's pencil marks, in one of these forms:

        - 729 characters or numbers, nine a cell
        - the 81 numbers of the column ``candidates`` of `unidoku.steps_many`
        - a mapping from cells to digits

        An empty cell without marks has every digit that its houses do not have yet.
    filled : Grid, str, bytes, array or nested list, optional
        The clues and the digits filled in since, right or wrong; by default the digits of `puzzle`.
    lang, cancel, timeout
        As for `unidoku.steps`.

    Returns
    -------
    Hint or None
        A mistake comes before any step. None if the grid is full and right.

    Raises
    ------
    InvalidPuzzleError
        The puzzle, the marks or the filled digits cannot be read, the puzzle has no or several solutions, or
        a clue of the puzzle is not among the filled digits.
    SearchStoppedError, ValueError
        As for `unidoku.steps`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> next_step = hint(puzzle)
    >>> next_step.where
    'Look at box 2.'
    >>> next_step.which
    'Hidden single (rated 1.2).'
    >>> next_step.pattern
    'Hidden single (rated 1.2): where does 8 fit in box 2?'
    >>> next_step.sentence
    'Hidden single: in box 2 the digit 8 fits only in r1c6: the other empty cells see the 8 in r3c3 or r5c4.'
    >>> print(hint(puzzle, filled=puzzle.replace("53.", "532", 1)))
    These digits are wrong: r1c3=2.
    """
    cancel = begun(cancel, timeout)
    table(lang)
    position, solution = _position(puzzle, marks, filled, cancel)
    is_puzzle = isinstance(puzzle, str | bytes | Grid) and len(puzzle) == 81  # with nothing but clues
    if not is_puzzle or marks is not None or filled is not None:
        digits, cells = _mistakes(position, solution)
        if digits or cells:
            return mistakes_of(position, digits, cells, lang)
    if 0 not in position.values:
        return None
    return hint_of(position, next_step(position, cancel=cancel), lang)


def all_steps(
    puzzle: PuzzleLike,
    marks: Marks | None = None,
    *,
    filled: PuzzleLike | None = None,
    lang: Language = "en",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> list[Step]:
    """Find every step that is possible in a position, the easiest first.

    Techniques up to forcing chains and aligned triplet exclusion are searched to the end, except that only
    the first cycle through each candidate, and the first chain to each candidate, is found. Every Skyscraper,
    2-String Kite, Turbot Fish and W-Wing is found. If these techniques find nothing, the list is the one step
    that Sudoku Explainer 1.2.1 takes, if any.

    Parameters
    ----------
    puzzle, marks, filled, lang, cancel, timeout
        As for `unidoku.hint`.

    Returns
    -------
    list of Step
        Ordered by rating, then in the order of the scale. Each step removes all that its pattern rules out; a
        step of `unidoku.steps` may remove only one of them. If several steps of one technique have
        the same conclusion, only the first is listed.

        Each of the four names above counts as a technique. All other cycles and forcing chains are one
        technique, and a conclusion is listed under one of the four names first. A naked set can be missing if
        the hidden set of the other cells of its house, or their hidden singles, are listed. An X-chain that
        only repeats locked candidates is omitted.

    Raises
    ------
    InvalidPuzzleError
        As for `unidoku.hint`; also if filled digits or pencil marks exclude the solution.
    SearchStoppedError, ValueError
        As for `unidoku.steps`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> step = all_steps(puzzle)[1]
    >>> step.name, step.placements
    ('Hidden Single', ['r3c7=5'])
    """
    cancel = begun(cancel, timeout)
    table(lang)
    position = right_position(puzzle, marks, filled, cancel)
    return steps_of(deductions_in(position, cancel=cancel), lang)


def deductions_in(position: Position, *, cancel: Cancel | None = None) -> list[Deduction]:
    """Find the steps that `all_steps` lists."""
    flag = cancel_of(cancel)
    masks = array("H", position.masks)
    rows = StepRows.of([call_to_end(engine().find_steps, position.values, masks, cancel=flag)])
    found = [step.whole() for step in rows.deductions(repeat(position))]
    if not found:
        hardest = next_step(position, cancel=cancel)
        return [] if hardest is None else [hardest.whole()]
    # the easiest first: of several steps with one conclusion the first of each technique
    every = [*found, *named_chains(position)]
    named = {step.conclusion: step.rating for step in every if step.name in NAMED_CHAINS}
    first: dict[tuple[object, ...], Deduction] = {}
    for step in sorted(every, key=attrgetter("rating")):
        if step.name in NAMED_CHAINS:
            first.setdefault((step.name, step.conclusion), step)
        elif not step.chains:
            first.setdefault((step.technique, step.conclusion), step)
        elif step.rating < named.get(step.conclusion, 20):  # no named chain is as easy
            first.setdefault(("chain", step.conclusion), step)
    each = [*first.values()]
    listed = [step for step in each if not repeats_locked_candidates(step)]
    repeated = (step for step in each if step.name in NAMED_CHAINS and repeats_locked_candidates(step))
    return sorted([*listed, *singles_after(repeated, listed)], key=attrgetter("rating"))


def _position(
    puzzle: PuzzleLike | Board, marks: Marks | None, filled: PuzzleLike | None, cancel: Cancel | None
) -> tuple[Position, bytes]:
    """Return the position and the solution."""
    start = grid_or_position(puzzle)
    if isinstance(start, Grid):
        clues = require_proper(start, cancel)
        solution = solution_of(clues.cells, cancel=cancel)
        if filled is None:
            return position_of(clues, marks), solution
    else:
        clues = Grid(start.cells)
        if verdict_of(clues.cells) is Verdict.UNIQUE:
            solution = solution_of(clues.cells)
        else:  # the one within the candidates
            solution = solution_search(bytes(81), masks=start.marks).chunk(2)
        if len(solution) != 81:
            verdict = Verdict.MULTIPLE if solution else Verdict.NONE
            text, reason = "{reason} with the candidates of the text", REASONS[verdict]
            raise ImproperPuzzleError(Reason(reason.code, text, reason=reason), verdict)
        filled = Grid(start.digits) if filled is None else filled
        marks = start.symbols if marks is None else marks
    grid = clues if filled is None else Grid(filled)
    for cell, value in enumerate(clues.cells):
        if value and grid.cells[cell] != value:
            text = "the clue {value} in {cell} is not among the filled digits"
            raise InvalidPuzzleError(Reason("wrong_position", text, value=value, cell=cell_name(cell)))
    return position_of(grid, marks, clues), solution


def right_position(
    puzzle: PuzzleLike | Board, marks: Marks | None, filled: PuzzleLike | None, cancel: Cancel | None
) -> Position:
    """Return the position, which must have the solution."""
    position, solution = _position(puzzle, marks, filled, cancel)
    digits, cells = _mistakes(position, solution)
    if digits:
        raise InvalidPuzzleError(
            Reason("wrong_position", "the filled digits exclude the solution; unidoku.hint shows which do")
        )
    if cells:
        raise InvalidPuzzleError(
            Reason("wrong_position", "the pencil marks exclude the solution; unidoku.hint shows which do")
        )
    return position


def _mistakes(position: Position, solution: bytes) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the wrong digits, or if there are none the empty cells whose marks lack the right digit."""
    values = enumerate(position.values)
    digits = [(cell, value) for cell, value in values if value not in (0, solution[cell])]
    if digits:  # they also make marks wrong
        return digits, []
    cells = enumerate(zip(position.values, solution, strict=True))
    return [], [cell for cell, (value, right) in cells if not value and not position.has(cell, right)]
