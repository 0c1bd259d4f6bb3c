"""The stages that rate, a row for each puzzle, and that solve by steps, a row for each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.arguments import positive
from unidoku.column import Column
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.files.base import Batch, Need
from unidoku.parse_many import MARKS
from unidoku.rating.path import steps
from unidoku.rating.report import Sentences
from unidoku.rating.se121 import DIFFICULTIES, FULL, SCALE, STOPPED, TECHNIQUES, Ratings, rate_many
from unidoku.run.stage import Rows, Stage
from unidoku.threads import Cancel
from unidoku.words import Language

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
        return Column.coded(codes, texts, codes > 0, type=kind)

    return {
        **{name: words(tenths(getattr(rated, name)), _TENTHS, "double") for name in ("er", "ep", "ed")},
        "technique": words(rated.technique_codes, TECHNIQUES),
        "difficulty": words(rated.difficulty_codes, _WORDS),
        "at_least": Column.numbers(spread(rated.at_least), "bool", spread(known)),
        "reason": Column.values_of(reasons),
    }


@dataclass(frozen=True, slots=True)
class Steps(_Scaled):
    """The steps of each puzzle, as `unidoku.steps` finds them."""

    name: ClassVar[str] = "hint"
    columns: ClassVar[Mapping[str, str]] = {"puzzle": "string", "file": "string", "line": "int64", **_STEP}
    chunk_bytes = (82, 1 << 13)
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
