"""The capability `steps`: how puzzles are solved, step by step.

`unidoku.steps` is in `unidoku.rating.steps`, `unidoku.steps_many` in `unidoku.rating.paths`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.options import shared
from unidoku.task import Need, Task
from unidoku.tasks.columns import CHAIN_BUDGET, LANG, STEP, scaled, step_columns

if TYPE_CHECKING:
    from unidoku.batch import Batch


@dataclass(frozen=True)
class Steps(Task):
    """Solve each puzzle by steps, as Sudoku Explainer takes them.

    A row per step. A puzzle with several or no solutions has a reason instead. A puzzle that no technique
    solves has a reason in each of its rows.

    Parameters
    ----------
    budget : int, optional
        As for `unidoku.steps`, for each puzzle.
    lang : {"en", "zh"}
        The language of the sentences.
    """

    name: ClassVar[str] = "steps"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "step": ("uint16", "number of the step, from 1"),
        **STEP,
        "text": ("string", "the step as a sentence"),
    }
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku steps puzzles.txt -o steps.parquet",
        "unidoku steps puzzles.txt --columns step,technique,text --to csv",
    )
    # a row takes 350 bytes, and a puzzle has 60; a single one may take seconds, so its rows wait for no other
    batch_size: ClassVar[int] = 256
    budget: int | None = shared(CHAIN_BUDGET)
    lang: str = shared(LANG)

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns that are written by default: those that others do not imply, and that are fast."""
        return tuple(name for name in self.columns if name not in ("candidates", "text"))

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, and the scale."""
        return scaled(super().to_json())

    def work(self, batch: Batch, need: Need) -> dict[str, Any]:
        """Find the steps; make sentences only if they are asked for."""
        from unidoku.rating.paths import ALL
        from unidoku.rating.sentences import Sentences

        return step_columns(batch, need, ALL, self.budget, Sentences(self.lang).line)
