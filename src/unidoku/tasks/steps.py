"""The capability `steps`: how puzzles are solved, step by step."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from unidoku.options import LANG, option, shared
from unidoku.task import Task
from unidoku.tasks.columns import scaled

if TYPE_CHECKING:
    from unidoku.files.base import Need
    from unidoku.files.inputs import Input
    from unidoku.options import OptionFields
    from unidoku.puzzles import Batch
    from unidoku.rating.paths import Paths
    from unidoku.run.summary import Summary
    from unidoku.words import Language


@dataclass(frozen=True)
class StepsTask(Task):
    """Solve each puzzle by steps, as Sudoku Explainer takes them.

    A row per step. A puzzle with several or no solutions has a reason instead. A puzzle that no technique
    solves has a reason in each of its rows.
    """

    name: ClassVar[str] = "steps"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "step": ("uint16", "number of the step, from 1"),
        "technique": ("words", "technique of the step"),
        "kind": ("words", "last cell; type 1 to 4; of chains double, X, Y, XY, cell, house, contradiction"),
        "rating": ("float64", "rating of the step"),
        "placements": ("words[]", "what is filled in, such as r4c2=7"),
        "eliminations": ("words[]", "the candidates that are removed, such as r4c2=7"),
        "before": ("cells", "the digits before the step"),
        "candidates": ("uint16[81]", "candidates of each cell before the step: bit d - 1 for digit d"),
        "link_starts": ("words[]", "the candidates from which the links of chains go"),
        "link_ends": ("words[]", "the candidates to which these links go"),
        "link_kinds": ("words[]", "weak, strong or inner"),
        "text": ("string", "the step as a sentence"),
    }
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku steps puzzles.txt -o steps.parquet",
        "unidoku steps puzzles.txt --columns step,technique,text --to csv",
    )
    # a row takes 350 bytes, and a puzzle has 60; a single one may take seconds, so its rows wait for no other
    at_once: ClassVar[tuple[int, int, int]] = (1, 512, 256)
    budget: int | None = option(
        None,
        "Bound on the work: for a puzzle, N candidates from which chains are followed.",
        least=1,
        absent="none",
    )
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
        import numpy as np

        from unidoku.rating.paths import steps_many

        found = steps_many(
            batch.cells,
            budget=self.budget,
            candidates="candidates" in need.columns,
            threads=1,
            errors="invalid",
            cancel=need.cancel,
        )
        sizes = np.diff(found.offsets)
        columns = {name: column for name, column in _columns(found, sizes).items() if name in need.columns}
        if "text" in need.columns:
            columns["text"] = self._texts(found)
        return {**columns, "of": np.repeat(np.arange(len(sizes)), sizes), "reason": found.reasons}

    def _texts(self, found: Paths) -> Any:
        import numpy as np

        language: Any = self.lang
        return np.array([step.text(language) for step in found.steps()], np.object_)


def _columns(found: Paths, sizes: Any) -> dict[str, Any]:
    """Return steps as columns, all but the sentences."""
    import numpy as np

    from unidoku.cell import CANDIDATE_NAMES
    from unidoku.column import Column
    from unidoku.rating.paths import LINKS
    from unidoku.rating.se121 import TECHNIQUES
    from unidoku.rating.step import KINDS

    placed = found.placements >= 0
    number = np.arange(len(placed)) - np.repeat(found.offsets[:-1], sizes) + 1
    once = np.concatenate([[0], np.cumsum(placed)])

    def candidates(values: Any, offsets: Any) -> Column:
        return Column(values, CANDIDATE_NAMES, offsets=offsets)

    return {
        "step": number,
        "technique": Column(found.technique_codes, TECHNIQUES),
        "kind": Column(found.kind_codes, KINDS),
        "rating": found.ratings,
        "placements": candidates(found.placements[placed], once),
        "eliminations": candidates(found.eliminations, found.elimination_offsets),
        "before": found.before,
        "candidates": found.candidates,
        "link_starts": candidates(found.links[:, 0], found.link_offsets),
        "link_ends": candidates(found.links[:, 1], found.link_offsets),
        "link_kinds": Column(found.links[:, 2], LINKS, offsets=found.link_offsets),
    }


def steps_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    budget: int | None = None,
    lang: Language = "en",
    **options: Unpack[OptionFields],
) -> Summary:
    """Solve the puzzles of some files by steps, and write a table with a row for each step.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; a ``.txt`` output is a table with tabs, as ``.tsv``.  `StepsTask.columns` says
        what the columns are; by default ``text``, the sentences, is left out.
    budget : int, optional
        As for `unidoku.steps`, for each puzzle.
    lang : {"en", "zh"}
        The language of the sentences.

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if no column has this name, or `lang` is invalid. A puzzle with several or
        no solutions is no error: it has one row, with a ``reason`` and no step.
    """
    from unidoku.run.task import run_file

    return run_file(StepsTask(budget, lang), inputs, output, **options)
