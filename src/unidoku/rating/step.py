"""Steps and hints as plain values: text, numbers, lists and dictionaries of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from itertools import repeat
from typing import TYPE_CHECKING, Any, Self

from unidoku.cell import (
    HOUSE_NAMES,
    HOUSES_OF,
    candidate_name,
    candidate_of,
    cell_name,
    cell_number,
    symbols_of,
)
from unidoku.grid import Grid
from unidoku.rating.deduction import Chain, Deduction, Link, Position, deduction_of, position_of
from unidoku.rating.rows import StepRows
from unidoku.rating.scale import Difficulty, difficulty_of
from unidoku.rating.sentences import Sentences
from unidoku.views import view
from unidoku.words import Language


class _Explained:
    """Base of `Step` and `Hint`: they print their text, and a notebook draws them.

    Their fields are made when they are read: ``_source`` has a function for the deduction, and the sentences.
    """

    __slots__ = ("_source",)

    if TYPE_CHECKING:
        sentence: str
        details: list[str]
        _source: tuple[Callable[[], Deduction], Sentences]
    else:

        def __getattr__(self, name: str) -> Any:
            """Make a field that has not been read."""
            if name not in _FIELDS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
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
        One of `unidoku.rating.names.TECHNIQUES`.
    name : str
        What people call the step, such as ``"Skyscraper"``: one of `unidoku.rating.names.NAMES`.
    kind : str
        ``full house``; ``type 1`` to ``type 4`` of a unique rectangle, unique loop or BUG; of chains
        ``double``, ``X``, ``Y``, ``XY``, ``cell``, ``house`` or ``contradiction``; otherwise empty.
    rating : float
        Its rating on the scale se121, such as 7.2.
    sentence : str
        The step in words.
    details : list of str
        Its chains, or the combinations that it excludes, line by line.
    placements, eliminations : list of str
        The candidate that is placed, or the candidates that are removed.
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
        The links of chains: from a candidate, to a candidate, and ``weak`` (if the first holds, the second
        does not), ``strong`` (if the first does not hold, the second does) or ``inner`` (a technique
        removes the second where the first does not hold).
    """

    technique: str
    name: str
    kind: str
    rating: float
    sentence: str
    details: list[str]
    placements: list[str]
    eliminations: list[str]
    puzzle: str
    before: str
    marks: str
    cells: dict[str, list[str]]
    candidates: dict[str, list[str]]
    houses: dict[str, list[str]]
    links: list[tuple[str, str, str]]

    def _repr_html_(self) -> str:
        """Return the picture with the sentence for a notebook."""
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
    where, what, pattern : str
        The same in stages: a house to look at, the technique there, and the cells and digits that it follows
        from. The first two name no cell.
    wrong_digits : list of str
        The digits that differ from the solution, such as ``"r1c3=2"``.
    wrong_marks : list of str
        The cells whose pencil marks lack the digit of the solution.
    details, placements, eliminations, puzzle, before, marks, cells, candidates, houses, links
        As of `Step`; empty where there is no technique.
    """

    technique: str | None = None
    name: str | None = None
    kind: str = ""
    rating: float | None = None
    sentence: str
    details: list[str] = field(default_factory=list)
    where: str
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
class Steps:
    """The steps that solve a puzzle.

    Attributes
    ----------
    puzzle : str
    er, ep, ed : float
        As of `unidoku.Rating`: 20.0 if no technique finds the step that decides it, 0.0 without steps. With
        chosen techniques, of their steps alone.
    difficulty : str or None
        The word for the difficulty, as of `unidoku.Rating`; None without steps.
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
    """

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


_NO_MASKS = (0,) * 81


@dataclass(frozen=True)
class Path:
    """The steps that solve a puzzle, as native code writes them.

    Attributes
    ----------
    puzzle : Grid
    rows : StepRows
        Its steps, with the candidates before each.
    solved : bool
        Whether the grid is full at the end.
    is_chosen : bool
        Whether techniques were left out.
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
        """The deductions."""
        rows, clues = self.rows, self.puzzle.cells
        positions = (Position(rows.before(row), rows.masks(row), clues) for row in range(len(rows)))
        return tuple(map(deduction_of, positions, rows.steps()))

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

    def steps(self, lang: Language = "en") -> Steps:
        """Return the same as plain values."""
        er, ep, ed = self.rating
        say, count = Sentences(lang), len(self.rows)
        steps = Step._later(map(partial, repeat(self._deduction), range(count)), say)
        end = self.end
        solved = self.solved, steps, self.solved, end.values.count(0)
        return Steps(self.puzzle.line, er, ep, ed, self.difficulty, *solved, end.line, end.marks)

    @cached_property
    def end(self) -> Position:
        """The position after the last step."""
        rows, last = self.rows, len(self.rows) - 1
        if last < 0:
            return position_of(self.puzzle) if self.start is None else self.start
        if "deductions" in vars(self):
            return self.deductions[last].after
        if self.solved:  # with the last digit the grid is full
            (fill,), values = rows.numbers("placement", last), bytearray(rows.before(last))
            values[fill // 9] = fill % 9 + 1
            return Position(bytes(values), _NO_MASKS, self.puzzle.cells)
        position = Position(rows.before(last), rows.masks(last), self.puzzle.cells)
        (step,) = rows.steps(last, last + 1)
        return deduction_of(position, step).after

    def _deduction(self, number: int) -> Deduction:
        return self.deductions[number]


def steps_of(deductions: Sequence[Deduction], lang: Language = "en") -> list[Step]:
    """Convert deductions to plain values, with sentences in a language."""
    say = Sentences(lang)
    return Step._later((partial(_identity, step) for step in deductions), say)


def hint_of(position: Position, deduction: Deduction | None, lang: Language = "en") -> Hint:
    """Return a step as a hint; None if no technique finds one."""
    say = Sentences(lang)
    if deduction is None:
        texts: dict[str, Any] = dict.fromkeys(("where", "what", "pattern", "sentence"), say.say("none"))
        return Hint(**texts, **_position_values(position))
    (hint,) = Hint._later([partial(_identity, deduction)], say)
    return hint


def mistakes_of(
    position: Position, digits: Sequence[tuple[int, int]], cells: Sequence[int], lang: Language = "en"
) -> Hint:
    """Return wrong digits, or cells with wrong marks, as a hint."""
    wrong_digits, wrong_marks = list(map(candidate_name, digits)), list(map(cell_name, cells))
    box = HOUSES_OF[digits[0][0] if digits else cells[0]][2]
    texts: dict[str, Any] = Sentences(lang).mistakes(box, wrong_digits, wrong_marks)
    mistakes: dict[str, Any] = {"wrong_digits": wrong_digits, "wrong_marks": wrong_marks}
    return Hint(**texts, **mistakes, **_position_values(position))


def _identity(deduction: Deduction) -> Deduction:
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
    "cells": lambda step, _: {role: list(map(cell_name, cells)) for role, cells in step.cells.items()},
    "candidates": lambda step, _: {
        role: list(map(candidate_name, pairs)) for role, pairs in step.candidates.items()
    },
    "houses": lambda step, _: {
        role: [HOUSE_NAMES[house] for house in houses] for role, houses in step.houses.items()
    },
    "links": lambda step, _: [
        (candidate_name(link.start), candidate_name(link.end), link.kind) for link in step.links
    ],
    "puzzle": lambda step, _: symbols_of(step.before.clues),
    "before": lambda step, _: step.before.line,
    "marks": lambda step, _: step.before.marks,
    # of a hint
    "where": lambda step, say: say.stages(step)["where"],
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
    return Deduction(
        technique=step.technique or "",
        rating=step.rating or 0.0,
        kind=step.kind,
        name=step.name or "",
        placements=tuple(map(candidate_of, step.placements)),
        eliminations=tuple(map(candidate_of, step.eliminations)),
        before=position_before(step),
        cells={role: tuple(map(cell_number, cells)) for role, cells in step.cells.items()},
        candidates={role: tuple(map(candidate_of, pairs)) for role, pairs in step.candidates.items()},
        houses={role: tuple(map(HOUSE_NAMES.index, houses)) for role, houses in step.houses.items()},
        chains=chains,
    )
