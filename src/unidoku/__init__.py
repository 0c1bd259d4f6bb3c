"""Sudoku at full speed: check, count, solve step by step, explain.

Names are imported on first use, so that ``import unidoku`` costs next to nothing; ``__init__.pyi`` has them
for type checkers.
"""

from importlib import import_module

__version__ = "1.0.0"

# The public names by module.
_NAMES = {
    "craft.canonical": "canonical canonical_many",
    "craft.diagnosis": "Diagnosis diagnose",
    "craft.generate": "AttemptsError generate",
    "craft.minimize": "minimal_puzzles minimize minimize_many",
    "craft.neighbours": "neighbours",
    "craft.transform": "Transformation transform transform_many",
    "craft.verification": "Verification verify verify_many",
    "errors": (
        "FormatError ImproperPuzzleError InputError InvalidPuzzleError IsaError MissingExtraError "
        "OutputError ResumeError SearchStoppedError UnidokuError"
    ),
    "files.formats": "formats",
    "files.read": "PuzzleBatch read",
    "grid": "Clash Grid",
    "table.puzzles": "cells lines",
    "rating.steps": "all_steps hint steps",
    "rating.paths": "steps_many",
    "rating.ratings": "rate_many",
    "rating.scale": "Rating rate",
    "rating.step": "Hint Step Steps",
    "table.column": "Column",
    "many": "run_many",
    "table.result": "Result",
    "runner.writer": "Writer",
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
    "aio cell counting craft errors files grid kernel learning method naive native "
    "parse rating runner stepper table task tasks threads verdict view".split()
)

__all__ = ["__version__", *_HOME]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    if name in _HOME:
        value = getattr(import_module(f"unidoku.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    if name in _SUBMODULES:
        return import_module(f"unidoku.{name}")
    raise AttributeError(f"module 'unidoku' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
