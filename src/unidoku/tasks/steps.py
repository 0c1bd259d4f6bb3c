"""The capability `hint`: the steps that solve puzzles, a row for each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from unidoku.task import Task, option
from unidoku.tasks.columns import scaled
from unidoku.words import LANG_HELP, LANGUAGES

if TYPE_CHECKING:
    from unidoku.files.base import Batch, Need
    from unidoku.files.inputs import Input
    from unidoku.run.loop import FileFields
    from unidoku.run.summary import Summary
    from unidoku.threads import Cancel
    from unidoku.words import Language


@dataclass(frozen=True)
class StepsTask(Task):
    """The steps of each puzzle, as `unidoku.steps` finds them."""

    name: ClassVar[str] = "hint"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "step": ("int64", "its number, from 1"),
        "technique": ("string", "the technique"),
        "kind": ("string", "single, elimination or chain"),
        "rating": ("float64", "the rating of the step"),
        "placements": ("string", "such as r4c2=7, with spaces between"),
        "eliminations": ("string", "such as r4c2=7, with spaces between"),
        "links": ("string", "such as r4c2=7 r4c5=7 weak, with semicolons between"),
        "before": ("string", "the position before the step, 81 cells"),
        "marks": ("string", "the candidates of the position, 729 characters"),
        "text": ("string", "the sentence"),
    }
    shown: ClassVar[tuple[str, ...]] = ("puzzle", "file", "line", *columns, "reason")
    at_once: ClassVar[tuple[int, int, int]] = (1, 100, 100)
    budget: int | None = option(
        None, "Bound on the work: for a puzzle, N candidates from which chains are followed.", least=1
    )
    lang: str = option("en", LANG_HELP, choices=LANGUAGES)

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, and the scale of the ratings."""
        return scaled(super().to_json())

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Find the steps of each puzzle; one without steps has a reason."""
        of: list[int] = []
        found: list[dict[str, Any]] = []
        reasons: dict[int, str] = {}
        for number, puzzle in enumerate(batch.texts()):
            rows, reason = self._rows(puzzle, need.cancel)
            if need.cancel:
                return None
            if reason is not None:
                reasons[number] = reason
            of += [number] * len(rows)
            found += rows
        from unidoku.column import Column

        columns = {name: Column.values_of(row[name] for row in found) for name in self.columns}
        return {"of": of, "reason": reasons, **columns}

    def _rows(self, puzzle: str, cancel: Cancel) -> tuple[list[dict[str, Any]], str | None]:
        """Return the steps of a puzzle, and why there are none or not all."""
        from unidoku.errors import InvalidPuzzleError, SearchStoppedError
        from unidoku.rating.path import steps
        from unidoku.rating.se121 import FULL, STOPPED

        try:
            path = steps(puzzle, budget=self.budget, cancel=cancel)
        except InvalidPuzzleError as error:
            return [], error.reason
        except SearchStoppedError:
            return [], STOPPED
        language: Any = self.lang
        rows = []
        for number, step in enumerate(path, 1):
            values = step.as_dict(language)
            rows.append(
                {
                    "step": number,
                    "rating": step.rating,
                    **{name: values[name] for name in ("technique", "kind", "before", "marks", "text")},
                    "placements": " ".join(values["placements"]),
                    "eliminations": " ".join(values["eliminations"]),
                    "links": "; ".join(" ".join(link) for link in values["links"]),
                }
            )
        if path.solved:
            return rows, None if rows else FULL
        return rows, "no technique finds a further step"


def steps_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    budget: int | None = None,
    lang: Language = "en",
    **options: Unpack[FileFields],
) -> Summary:
    """Solve the puzzles of some files by steps, and write a table with a row for each step.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; a ``.txt`` output is a table with tabs, as ``.tsv``. The columns: ``puzzle``,
        ``file`` (by default only if there are several inputs), ``line``; ``step``, its number from 1;
        ``technique``, ``kind``, ``rating``, as for `unidoku.Step`; ``placements`` and ``eliminations``, such
        as ``r4c2=7``, with spaces between; ``links``, as ``r4c2=7 r4c5=7 weak``, with semicolons between; the
        position ``before`` the step, 81 cells, and its candidates ``marks``, 729 characters; ``text``, the
        sentence; ``reason``; and those of the inputs.
    budget : int, optional
        As for `unidoku.steps`.
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
