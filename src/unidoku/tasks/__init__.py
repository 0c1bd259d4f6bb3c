"""The tasks of `unidoku.run` and `unidoku.run_many`: ``unidoku.tasks.Rate(below=9.0)`` and so on.

Each capability is a module with its task, its work, its public functions, and its command, if it has one.
Functions in memory that engines need too are in an engine, which the docstring of the module names.
"""

from unidoku.lazy import lazy

_HOMES = {
    "Canonical": "unidoku.tasks.canonical",
    "Check": "unidoku.tasks.check",
    "Convert": "unidoku.tasks.convert",
    "Count": "unidoku.tasks.count",
    "Generate": "unidoku.tasks.generate",
    "HintTask": "unidoku.tasks.hint",
    "Minimize": "unidoku.tasks.minimize",
    "Neighbours": "unidoku.tasks.neighbours",
    "Rate": "unidoku.tasks.rate",
    "SolutionsTask": "unidoku.tasks.solve",
    "Solve": "unidoku.tasks.solve",
    "StepsTask": "unidoku.tasks.steps",
    "Transform": "unidoku.tasks.transform",
    "Verify": "unidoku.tasks.verify",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
