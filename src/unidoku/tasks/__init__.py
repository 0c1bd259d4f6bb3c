"""The tasks of `unidoku.run` and `unidoku.run_many`: ``unidoku.tasks.Rate(below=9.0)`` and so on.

Each capability is a module with its task, its work, its public functions, and its command, if it has one.
Functions in memory that engines need too are in an engine, which the docstring of the module names.
"""

from unidoku._lazy import lazy

_HOMES = {
    "Canonical": "unidoku.tasks._canonical",
    "Check": "unidoku.tasks._check",
    "Convert": "unidoku.tasks._convert",
    "Count": "unidoku.tasks._count",
    "Generate": "unidoku.tasks._generate",
    "HintTask": "unidoku.tasks._hint",
    "Minimize": "unidoku.tasks._minimize",
    "Neighbours": "unidoku.tasks._neighbours",
    "Rate": "unidoku.tasks._rate",
    "SolutionsTask": "unidoku.tasks._solve",
    "Solve": "unidoku.tasks._solve",
    "StepsTask": "unidoku.tasks._steps",
    "Transform": "unidoku.tasks._transform",
    "Verify": "unidoku.tasks._verify",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
