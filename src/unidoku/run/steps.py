"""The stage that solves by steps: a row for each step of each puzzle, for example as training data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.arguments import positive
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.parse_many import MARKS
from unidoku.rating.path import steps
from unidoku.rating.report import Sentences
from unidoku.rating.se121 import SCALE, STOPPED
from unidoku.run.convert import batch_at
from unidoku.run.stage import Rows, Stage, text_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unidoku.files.base import Batch
    from unidoku.rating.step import Language
    from unidoku.run.stage import Need
    from unidoku.threads import Cancel

_OWN = {
    "step": "int64",
    "technique": "string",
    "kind": "string",
    "rating": "double",
    **dict.fromkeys(("placements", "eliminations", "links", "before", "marks", "text", "reason"), "string"),
}


@dataclass(frozen=True, slots=True)
class Steps(Stage):
    """The steps of each puzzle, as `unidoku.steps` finds them."""

    name: ClassVar[str] = "hint"
    columns: ClassVar[Mapping[str, str]] = {"puzzle": "string", "file": "string", "line": "int64", **_OWN}
    carries: ClassVar[bool] = True
    header: ClassVar[bool] = True
    chunk_bytes = (16 * 82, 1 << 13)
    steady_bytes = 1 << 13
    budget: int | None = None
    lang: Language = "en"

    def __post_init__(self) -> None:
        positive("budget", self.budget)
        Sentences(self.lang)

    def to_json(self) -> dict[str, Any]:
        """Return the scale and the parameters as a JSON object."""
        budget = {} if self.budget is None else {"budget": self.budget}
        return {"command": self.name, "scale": SCALE, "lang": self.lang, **budget}

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Find the steps of the puzzles of a batch; a puzzle without steps has one row with the reason."""
        owners: list[int] = []
        found: list[dict[str, str]] = []
        marked = set(batch.marked)
        for number, puzzle in enumerate(batch.texts()):
            rows = [{"reason": MARKS}] if number in marked else list(self._rows(puzzle, need.cancel))
            if need.cancel:
                return None
            owners += [number] * len(rows)
            found += rows
        made = batch_at(batch, np.array(owners, np.int64))
        columns = {
            name: text_column(name, (row.get(name, "") for row in found), kind=kind)
            for name, kind in _OWN.items()
            if name in need.columns
        }
        return Rows(made, columns, counts={"unknown": len(batch.starts), "written": len(found)})

    def _rows(self, puzzle: str, cancel: Cancel) -> Iterator[dict[str, str]]:
        try:
            path = steps(puzzle, budget=self.budget, cancel=cancel)
        except InvalidPuzzleError as error:
            yield {"reason": error.reason}
            return
        except SearchStoppedError:
            yield {"reason": STOPPED}
            return
        for number, step in enumerate(path, 1):
            values = step.as_dict(self.lang)
            yield {
                "step": str(number),
                "rating": str(step.rating),
                **{name: values[name] for name in ("technique", "kind", "before", "marks", "text")},
                "placements": " ".join(values["placements"]),
                "eliminations": " ".join(values["eliminations"]),
                "links": "; ".join(" ".join(link) for link in values["links"]),
            }
        if not path.solved:
            yield {"reason": "no technique finds a further step"}
