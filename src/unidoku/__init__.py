"""Sudoku at full speed: check, count, solve step by step, explain.

Names are imported on first use, so that ``import unidoku`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; an import of typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

    from unidoku import (
        cell as cell,
        counting as counting,
        craft as craft,
        errors as errors,
        files as files,
        grid as grid,
        kernel as kernel,
        method as method,
        naive as naive,
        native as native,
        rating as rating,
        runner as runner,
        stepper as stepper,
        tasks as tasks,
        threads as threads,
        verdict as verdict,
        view as view,
    )
    from unidoku.craft.canonical import (
        canonical as canonical,
        canonical_many as canonical_many,
    )
    from unidoku.craft.diagnose import Diagnosis as Diagnosis, diagnose as diagnose
    from unidoku.craft.generate import AttemptsError as AttemptsError, generate as generate
    from unidoku.craft.minimize import minimize as minimize, minimize_many as minimize_many
    from unidoku.craft.neighbours import neighbours as neighbours
    from unidoku.craft.transform import (
        Transformation as Transformation,
        transform as transform,
        transform_many as transform_many,
    )
    from unidoku.craft.verify import (
        Verification as Verification,
        verify as verify,
        verify_many as verify_many,
    )
    from unidoku.errors import (
        FormatError as FormatError,
        ImproperPuzzleError as ImproperPuzzleError,
        InputError as InputError,
        InvalidPuzzleError as InvalidPuzzleError,
        IsaError as IsaError,
        MissingExtraError as MissingExtraError,
        OutputError as OutputError,
        ResumeError as ResumeError,
        SearchStoppedError as SearchStoppedError,
        UnidokuError as UnidokuError,
    )
    from unidoku.files.read import PuzzleBatch as PuzzleBatch, read as read
    from unidoku.grid import Clash as Clash, Grid as Grid
    from unidoku.many import run_many as run_many
    from unidoku.options import Progress as Progress
    from unidoku.rating.paths import steps_many as steps_many
    from unidoku.rating.scale import (
        Rating as Rating,
        rate as rate,
        rate_many as rate_many,
    )
    from unidoku.rating.step import Hint as Hint, Step as Step, Steps as Steps
    from unidoku.rating.steps import (
        all_steps as all_steps,
        hint as hint,
        steps as steps,
    )
    from unidoku.runner.run import run as run
    from unidoku.runner.sink import Sink as Sink
    from unidoku.runner.summary import Summary as Summary
    from unidoku.stepper.controller import Session as Session, trace as trace
    from unidoku.table.column import Column as Column
    from unidoku.table.puzzles import cells as cells, lines as lines
    from unidoku.table.result import Result as Result
    from unidoku.tasks.audit import Audit as Audit, Finding as Finding, audit_files as audit_files
    from unidoku.tasks.check import check_file as check_file
    from unidoku.tasks.check_many import (
        check_many as check_many,
        count_many as count_many,
        solve_many as solve_many,
    )
    from unidoku.tasks.examine import Answer as Answer, examine as examine
    from unidoku.tasks.link import link as link
    from unidoku.tasks.single import (
        check as check,
        count as count,
        solutions as solutions,
        solve as solve,
    )
    from unidoku.tasks.split import split_file as split_file
    from unidoku.threads import Cancel as Cancel
    from unidoku.verdict import Verdict as Verdict
    from unidoku.view.explain import explain as explain

__version__ = "1.0.0"

# The public names by module.
_NAMES = {
    "craft.canonical": "canonical canonical_many",
    "craft.diagnose": "Diagnosis diagnose",
    "craft.generate": "AttemptsError generate",
    "craft.minimize": "minimize minimize_many",
    "craft.neighbours": "neighbours",
    "craft.transform": "Transformation transform transform_many",
    "craft.verify": "Verification verify verify_many",
    "errors": (
        "FormatError ImproperPuzzleError InputError InvalidPuzzleError IsaError MissingExtraError "
        "OutputError ResumeError SearchStoppedError UnidokuError"
    ),
    "files.read": "PuzzleBatch read",
    "grid": "Clash Grid",
    "table.puzzles": "cells lines",
    "rating.steps": "all_steps hint steps",
    "rating.paths": "steps_many",
    "rating.scale": "Rating rate rate_many",
    "rating.step": "Hint Step Steps",
    "table.column": "Column",
    "many": "run_many",
    "table.result": "Result",
    "runner.sink": "Sink",
    "options": "Progress",
    "runner.summary": "Summary",
    "runner.run": "run",
    "stepper.controller": "Session trace",
    "tasks.audit": "Audit Finding audit_files",
    "tasks.check": "check_file",
    "tasks.check_many": "check_many count_many solve_many",
    "tasks.examine": "Answer examine",
    "tasks.link": "link",
    "tasks.single": "check count solutions solve",
    "tasks.split": "split_file",
    "threads": "Cancel",
    "verdict": "Verdict",
    "view.explain": "explain",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
_SUBMODULES = frozenset(
    "cell counting craft errors files grid kernel method naive native "
    "parse rating runner stepper table task tasks threads verdict view".split()
)

__all__ = ["__version__", *_HOME]  # noqa: PLE0604


if not TYPE_CHECKING:  # type checkers know every name; with this function they would accept any

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            value = getattr(import_module(f"unidoku.{_HOME[name]}"), name)
            if hasattr(value, "compiled"):  # see `kernel.with_native`
                value = value.compiled()
            globals()[name] = value
            return value
        if name in _SUBMODULES:
            return import_module(f"unidoku.{name}")
        raise AttributeError(f"module 'unidoku' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
