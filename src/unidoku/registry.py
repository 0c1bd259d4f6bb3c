"""The commands and the public names, before a module is imported; ``just registry`` writes both tables.

A new command is the last one of its group; its line may be moved, and a group with its lines.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def lazy(package: str, *more: str) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package whose names are imported on first use.

    The imports for type checkers in its ``__init__.py`` say which names it has, and where they are; `more`
    are in the package itself.
    """
    homes = {name: module for module, names in NAMES[package].items() for name in names.split()}

    def get(name: str) -> object:
        from importlib import import_module  # not at the top: ``import unidoku`` costs next to nothing

        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    every = [*more, *(name for name, home in homes.items() if home != package)]
    return every, get, lambda: sorted(every)


GROUPS = {
    "Check": {
        "check": "Check which puzzles have exactly one solution.",
        "verify": "Compare predicted solutions with their puzzles.",
        "audit": "Find faults in files of puzzles, and the puzzles that they share.",
        "count": "Print the number of solutions of each puzzle.",
        "diagnose": "Explain why a puzzle does not have exactly one solution.",
        "rate": "Rate the difficulty of each puzzle.",
    },
    "Solve and explain": {
        "solve": "Print the first solution of each puzzle, or all.",
        "hint": "Give the next step of each puzzle.",
        "steps": "Solve each puzzle by steps, as Sudoku Explainer takes them.",
        "explain": "Explain each puzzle step by step, or play it on a page.",
        "trace": "Print every step of the search in each puzzle.",
        "console": "Run the SudokuSolver 2.6 shell.",
    },
    "Show": {
        "link": "For each puzzle, print a link that opens it on a web site.",
        "print": "Write puzzles as pages to print, or one as a picture or text.",
    },
    "Make": {
        "generate": "Write new proper puzzles.",
        "minimize": "Remove redundant clues of proper puzzles.",
        "transform": "Write symmetric images of puzzles.",
        "canonical": "Write the canonical forms of puzzles.",
        "neighbours": "Write the proper puzzles near a puzzle.",
        "series": "Write a series of puzzles made from full grids.",
    },
    "Files": {
        "convert": "Write puzzles in another format, all or each only once.",
        "split": "Split puzzles into several files.",
    },
    "This machine": {
        "info": "Show version, processor, instruction sets, compiler and threads.",
        "bench": "Measure the speed of this machine, in processor time of a puzzle.",
    },
}
"""The commands by group, each with the first sentence of its help."""

NAMES = {
    "unidoku": {
        "unidoku": (
            "aio cell counting craft errors files grid kernel learning method naive native parse rating "
            "runner stepper table task tasks threads verdict view"
        ),
        "unidoku.craft.canonical": "canonical canonical_many",
        "unidoku.craft.diagnosis": "Diagnosis diagnose",
        "unidoku.craft.generate": "AttemptsError generate",
        "unidoku.craft.minimize": "minimal_puzzles minimize minimize_many",
        "unidoku.craft.neighbours": "neighbours",
        "unidoku.craft.transform": "Transformation transform transform_many",
        "unidoku.craft.verification": "Verification verify verify_many",
        "unidoku.errors": (
            "FormatError ImproperPuzzleError InputError InvalidPuzzleError IsaError MissingExtraError "
            "OutputError ResumeError SearchStoppedError UnidokuError"
        ),
        "unidoku.files.formats": "formats",
        "unidoku.files.inputs": "PuzzleBatch read",
        "unidoku.grid": "Clash Grid",
        "unidoku.many": "run_many",
        "unidoku.options": "Progress",
        "unidoku.rating.paths": "steps_many",
        "unidoku.rating.ratings": "rate_many",
        "unidoku.rating.scale": "Rating rate",
        "unidoku.rating.steps": "Hint Step Steps all_steps hint steps",
        "unidoku.runner.run": "run",
        "unidoku.runner.summary": "Summary",
        "unidoku.runner.writer": "Writer",
        "unidoku.stepper.controller": "Session trace",
        "unidoku.table.column": "Column",
        "unidoku.table.puzzles": "Result cells lines",
        "unidoku.tasks.audit": "Audit Finding audit_files",
        "unidoku.tasks.check": "check_file",
        "unidoku.tasks.check_many": "check_many count_many solve_many",
        "unidoku.tasks.examine": "Answer examine",
        "unidoku.tasks.link": "link",
        "unidoku.tasks.single": "check count solutions solve",
        "unidoku.tasks.split": "split_file",
        "unidoku.threads": "Cancel",
        "unidoku.verdict": "Verdict",
        "unidoku.view.explain": "explain",
    },
    "unidoku.learning": {
        "unidoku.craft.neighbours": "hunt",
        "unidoku.learning.dataset": "LAYOUTS SudokuTasks drawn grid_of prompt",
        "unidoku.learning.environments": "HINT HINT_COSTS SudokuEnv SudokuVectorEnv legal_moves",
        "unidoku.learning.rewards": "reward reward_function",
    },
    "unidoku.rating": {
        "unidoku.rating.measure": "measure_many",
    },
    "unidoku.tasks": {
        "unidoku.tasks.canonical": "Canonical",
        "unidoku.tasks.check": "Check",
        "unidoku.tasks.convert": "Convert",
        "unidoku.tasks.count": "Count",
        "unidoku.tasks.generate": "Generate",
        "unidoku.tasks.hint": "Hint",
        "unidoku.tasks.minimize": "Minimize",
        "unidoku.tasks.neighbours": "Neighbours",
        "unidoku.tasks.rate": "Rate",
        "unidoku.tasks.solve": "Solutions Solve",
        "unidoku.tasks.steps": "Steps",
        "unidoku.tasks.transform": "Transform",
        "unidoku.tasks.verify": "Verify",
    },
}
"""The public names by package and module; the modules of a package are its own."""
