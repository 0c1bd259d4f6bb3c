"""Sudoku at full speed: check, count, solve step by step, explain.

Names are imported on first use, so that ``import unidoku`` costs next to nothing.
"""

from unidoku.lazy import lazy

__version__ = "2.0.0.dev0"

_HOMES = {
    "Answer": "unidoku.tasks.examine",
    "ArgumentError": "unidoku.errors",
    "Cancel": "unidoku.threads",
    "Diagnosis": "unidoku.craft.diagnosis",
    "FormatError": "unidoku.errors",
    "Grid": "unidoku.grid",
    "Hint": "unidoku.rating.steps",
    "ImproperPuzzleError": "unidoku.verdict",
    "InputError": "unidoku.errors",
    "InvalidPuzzleError": "unidoku.errors",
    "MissingExtraError": "unidoku.errors",
    "OutputError": "unidoku.errors",
    "Rating": "unidoku.rating.scale",
    "Result": "unidoku.table.puzzles",
    "ResumeError": "unidoku.errors",
    "SearchStoppedError": "unidoku.errors",
    "Step": "unidoku.rating.steps",
    "Steps": "unidoku.rating.steps",
    "Summary": "unidoku.runner.summary",
    "Transformation": "unidoku.craft.transform",
    "UnidokuError": "unidoku.errors",
    "Verdict": "unidoku.verdict",
    "Verification": "unidoku.craft.verification",
    "all_steps": "unidoku.rating.steps",
    "canonical": "unidoku.craft.canonical",
    "cells": "unidoku.table.puzzles",
    "check": "unidoku.tasks.single",
    "check_file": "unidoku.tasks.check",
    "check_many": "unidoku.tasks.check_many",
    "count": "unidoku.tasks.single",
    "count_many": "unidoku.tasks.check_many",
    "diagnose": "unidoku.craft.diagnosis",
    "examine": "unidoku.tasks.examine",
    "explain": "unidoku.view.explain",
    "formats": "unidoku.files.formats",
    "generate": "unidoku.craft.generate",
    "hint": "unidoku.rating.steps",
    "lines": "unidoku.table.puzzles",
    "minimize": "unidoku.craft.minimize",
    "neighbours": "unidoku.craft.neighbours",
    "rate": "unidoku.rating.scale",
    "rate_many": "unidoku.rating.ratings",
    "read": "unidoku.files.inputs",
    "run": "unidoku.runner.run",
    "run_many": "unidoku.many",
    "solutions": "unidoku.tasks.single",
    "solve": "unidoku.tasks.single",
    "solve_many": "unidoku.tasks.check_many",
    "steps": "unidoku.rating.steps",
    "steps_many": "unidoku.rating.paths",
    "transform": "unidoku.craft.transform",
    "verify": "unidoku.craft.verification",
    "verify_many": "unidoku.craft.verification",
}
"""The public names, and the module that each comes from; ``__init__.pyi`` has them for type checkers."""

_MODULES = (
    *("aio", "cell", "counting", "craft", "errors", "files", "grid", "kernel", "learning"),
    *("method", "naive", "rating", "runner", "stepper", "tasks", "view"),
)
"""The public modules: what they have in ``__all__`` is public."""

_INNER = ("native", "parse", "table", "task", "threads", "verdict")
"""Further modules, which can change with every version."""

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

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES, modules=_MODULES, inner=_INNER, moved=_MOVED)
__all__ += ["__version__"]
