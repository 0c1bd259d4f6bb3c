"""The stages that rate, a row for each puzzle, and that solve by steps, a row for each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.arguments import positive
from unidoku.batch import flat
from unidoku.column import Column
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.files.base import Batch, Need
from unidoku.native.steps import STEP_LIMIT
from unidoku.parse_many import MARKS
from unidoku.rating.measure import measure
from unidoku.rating.path import steps
from unidoku.rating.report import Sentences
from unidoku.rating.se121 import DIFFICULTIES, FULL, SCALE, STOPPED, TECHNIQUES, Ratings, rate_many
from unidoku.rating.step import Language
from unidoku.run.stage import Rows, Stage
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OF_PROPER = {
    **dict.fromkeys(("er", "ep", "ed"), "double"),
    **dict.fromkeys(("technique", "difficulty"), "string"),
}
_SCALE = {**_OF_PROPER, "at_least": "bool", "reason": "string"}
_SEARCH = {
    **dict.fromkeys(("steps", "solutions", "level", "first_steps", "first_level", "class"), "int64"),
    "complete": "bool",
}
_TENTHS = ("", *(str(tenths / 10) for tenths in range(1, 201)))
_WORDS = ("", *DIFFICULTIES)


_STEP = {
    "step": "int64",
    "technique": "string",
    "kind": "string",
    "rating": "double",
    **dict.fromkeys(("placements", "eliminations", "links", "before", "marks", "text", "reason"), "string"),
}


class _Scaled(Stage):
    """A stage whose rows depend on the scale of ratings."""

    header: ClassVar[bool] = True

    def to_json(self) -> dict[str, Any]:
        """Return the name, the scale, and the parameters that are given, as a JSON object."""
        given = {name: value for name, value in Stage.to_json(self).items() if value is not None}
        return {**given, "scale": SCALE}


@dataclass(frozen=True, slots=True)
class Rate(_Scaled):
    """How hard each puzzle is; see `unidoku.rate_file`."""

    name: ClassVar[str] = "rate"
    columns: ClassVar[Mapping[str, str]] = {
        "puzzle": "string",
        "file": "string",
        "line": "int64",
        **_SCALE,
        **_SEARCH,
    }
    chunk_bytes = (64 * 82, 1 << 19)  # a single puzzle may be slow, but lanes need thousands of easy ones
    steady_bytes = 1 << 16
    below: float | None = None
    budget: int | None = None

    def __post_init__(self) -> None:
        rate_many([], below=self.below, budget=self.budget)

    def shown(self, text: bool, several: bool) -> tuple[str, ...]:
        """Return the columns that are written by default."""
        left_out = {"line", *_SEARCH, *(() if self.below else ("at_least",))}
        return tuple(name for name in Stage.shown(self, text, several) if name not in left_out)

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Rate the puzzles of a batch; one with pencil marks has a reason instead."""
        n = len(batch.starts)
        rows = Rows(batch, counts={"unknown": n, "written": n})
        plain = np.setdiff1d(np.arange(n), batch.marked)
        cells = batch.cells[plain]
        if not need.columns.isdisjoint(_SCALE):
            settings: dict[str, Any] = {"below": self.below, "budget": self.budget, "threads": 1}
            rated = rate_many(cells, errors="invalid", cancel=need.cancel, **settings)
            rows.columns |= _scale_columns(rated, plain, n)
        if not need.columns.isdisjoint(_SEARCH) and not need.cancel:
            rows.columns |= _search_columns(cells, plain, n, self.budget, need.cancel)
        return None if need.cancel else rows


def with_ratings(batch: Batch, threads: int, cancel: Cancel) -> Batch:
    """Return a batch of new puzzles with their ratings, instead of those of the puzzles they were made of."""
    n = len(batch.starts)
    rated = rate_many(batch.cells, errors="invalid", threads=threads, cancel=cancel)
    columns = _scale_columns(rated, np.arange(n), n)
    ratings = {name: columns[name].lay(batch.place) for name in _OF_PROPER}
    others = {name: column for name, column in batch.columns.items() if name not in _SCALE}
    return replace(batch, columns=ratings | others)


def _scale_columns(rated: Ratings, rows: NDArray[np.int64], n: int) -> dict[str, Column]:
    """Return ratings as columns of n rows, of which `rows` were rated; the others have pencil marks."""
    reasons: list[str | None] = [MARKS] * n
    for at, row in enumerate(rows.tolist()):
        reasons[row] = rated.reasons.get(at)

    known = ~np.isnan(rated.er)

    def tenths(ratings: NDArray[np.float64]) -> NDArray[Any]:
        found: NDArray[Any] = np.rint(10 * np.where(known, ratings, 0))
        return found

    def spread(values: NDArray[Any]) -> NDArray[Any]:
        every = np.zeros(n, values.dtype)
        every[rows] = values
        return every

    def words(codes: NDArray[Any], texts: tuple[str, ...], kind: str = "string") -> Column:
        codes = spread(codes.astype(np.uint8))
        return Column.words(codes, texts, codes > 0, type=kind)

    return {
        **{name: words(tenths(getattr(rated, name)), _TENTHS, "double") for name in ("er", "ep", "ed")},
        "technique": words(rated.technique_codes, TECHNIQUES),
        "difficulty": words(rated.difficulty_codes, _WORDS),
        "at_least": Column.numbers(spread(rated.at_least), "bool", spread(known)),
        "reason": Column.values_of(reasons),
    }


def _search_columns(
    cells: NDArray[np.uint8], rows: NDArray[np.int64], n: int, budget: int | None, cancel: Cancel
) -> dict[str, Column]:
    """Return what the step engine measures, and the class, as columns of n rows."""
    measured = measure(*flat(cells), 0, STEP_LIMIT if budget is None else budget, cancel=cancel)
    columns = {}
    for name, kind in _SEARCH.items():
        values = measured.classes if name == "class" else getattr(measured, name)
        known = np.zeros(n, np.uint8)
        known[rows] = values > 0 if name == "class" else True
        every = np.zeros(n, np.int64)
        every[rows] = values
        columns[name] = Column.numbers(every, kind, known)
    return columns


@dataclass(frozen=True, slots=True)
class Steps(_Scaled):
    """The steps of each puzzle, as `unidoku.steps` finds them."""

    name: ClassVar[str] = "hint"
    columns: ClassVar[Mapping[str, str]] = {"puzzle": "string", "file": "string", "line": "int64", **_STEP}
    chunk_bytes = (16 * 82, 1 << 13)
    steady_bytes = 1 << 13
    budget: int | None = None
    lang: Language = "en"

    def __post_init__(self) -> None:
        positive("budget", self.budget)
        Sentences(self.lang)

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Find the steps of the puzzles of a batch; a puzzle without steps has one row with the reason."""
        owners: list[int] = []
        found: list[dict[str, Any]] = []
        marked = set(batch.marked)
        for number, puzzle in enumerate(batch.texts()):
            rows = [{"reason": MARKS}] if number in marked else list(self._rows(puzzle, need.cancel))
            if need.cancel:
                return None
            owners += [number] * len(rows)
            found += rows
        made = batch.at(owners)
        columns = {
            name: Column.values_of(row.get(name) for row in found) for name in _STEP if name in need.columns
        }
        return Rows(made, columns, counts={"unknown": len(batch.starts), "written": len(found)})

    def _rows(self, puzzle: str, cancel: Cancel) -> Iterator[dict[str, Any]]:
        try:
            path = steps(puzzle, budget=self.budget, cancel=cancel)
        except InvalidPuzzleError as error:
            yield {"reason": error.reason}
            return
        except SearchStoppedError:
            yield {"reason": STOPPED}
            return
        if not path and path.solved:
            yield {"reason": FULL}
        for number, step in enumerate(path, 1):
            values = step.as_dict(self.lang)
            yield {
                "step": number,
                "rating": step.rating,
                **{name: values[name] for name in ("technique", "kind", "before", "marks", "text")},
                "placements": " ".join(values["placements"]),
                "eliminations": " ".join(values["eliminations"]),
                "links": "; ".join(" ".join(link) for link in values["links"]),
            }
        if not path.solved:
            yield {"reason": "no technique finds a further step"}
