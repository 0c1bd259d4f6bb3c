"""Sudoku at full speed: check, count, solve step by step, explain.

Names are imported on first use, so that ``import unidoku`` costs next to nothing.
"""

from unidoku._lazy import lazy

__version__ = "2.0.0.dev0"

_HOMES = {
    "Answer": "unidoku.tasks._examine",
    "ArgumentError": "unidoku.errors",
    "Cancel": "unidoku._threads",
    "Diagnosis": "unidoku.craft._diagnosis",
    "FormatError": "unidoku.errors",
    "Grid": "unidoku.grid",
    "Hint": "unidoku.rating._steps",
    "ImproperPuzzleError": "unidoku._verdict",
    "InputError": "unidoku.errors",
    "InvalidPuzzleError": "unidoku.errors",
    "MissingExtraError": "unidoku.errors",
    "OutputError": "unidoku.errors",
    "Rating": "unidoku.rating._scale",
    "Result": "unidoku._table.puzzles",
    "ResumeError": "unidoku.errors",
    "SearchStoppedError": "unidoku.errors",
    "Step": "unidoku.rating._steps",
    "Steps": "unidoku.rating._steps",
    "Summary": "unidoku.runner._summary",
    "Transformation": "unidoku.craft._transform",
    "UnidokuError": "unidoku.errors",
    "Verdict": "unidoku._verdict",
    "Verification": "unidoku.craft._verification",
    "all_steps": "unidoku.rating._steps",
    "canonical": "unidoku.craft._canonical",
    "cells": "unidoku._table.puzzles",
    "check": "unidoku.tasks._single",
    "check_file": "unidoku.tasks._check",
    "check_many": "unidoku.tasks._check_many",
    "count": "unidoku.tasks._single",
    "count_many": "unidoku.tasks._check_many",
    "diagnose": "unidoku.craft._diagnosis",
    "examine": "unidoku.tasks._examine",
    "explain": "unidoku.view._explain",
    "formats": "unidoku.files._formats",
    "generate": "unidoku.craft._generate",
    "hint": "unidoku.rating._steps",
    "lines": "unidoku._table.puzzles",
    "minimize": "unidoku.craft._minimize",
    "neighbours": "unidoku.craft._neighbours",
    "rate": "unidoku.rating._scale",
    "rate_many": "unidoku.rating._ratings",
    "read": "unidoku.files._inputs",
    "run": "unidoku.runner._run",
    "run_many": "unidoku.runner._many",
    "solutions": "unidoku.tasks._single",
    "solve": "unidoku.tasks._single",
    "solve_many": "unidoku.tasks._check_many",
    "steps": "unidoku.rating._steps",
    "steps_many": "unidoku.rating._paths",
    "transform": "unidoku.craft._transform",
    "verify": "unidoku.craft._verification",
    "verify_many": "unidoku.craft._verification",
}
"""The public names, and the module that each comes from; ``__init__.pyi`` has them for type checkers."""

_MODULES = (
    *("aio", "cell", "counting", "craft", "errors", "files", "grid", "kernel", "learning"),
    *("method", "naive", "rating", "runner", "stepper", "tasks", "view"),
)
"""The public modules: what they have in ``__all__`` is public."""

_MOVED = {
    "AttemptsError": "unidoku.craft",
    "Audit": "unidoku.learning",
    "Clash": "unidoku.grid",
    "Column": "unidoku.files",
    "Finding": "unidoku.learning",
    "IsaError": "unidoku.errors",
    "Progress": "unidoku.runner",
    "PuzzleBatch": "unidoku.files",
    "Session": "unidoku.stepper",
    "Writer": "unidoku.runner",
    "audit_files": "unidoku.learning",
    "canonical_many": "unidoku.craft",
    "link": "unidoku.view",
    "minimal_puzzles": "unidoku.craft",
    "minimize_many": "unidoku.craft",
    "split_file": "unidoku.learning",
    "trace": "unidoku.stepper",
    "transform_many": "unidoku.craft",
}
"""Names that are elsewhere now; they work until version 3."""

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES, modules=_MODULES, moved=_MOVED)
__all__ += ["__version__"]
