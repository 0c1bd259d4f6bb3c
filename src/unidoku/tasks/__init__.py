"""The tasks of `unidoku.run` and `unidoku.run_many`: ``unidoku.tasks.Rate(below=9.0)`` and so on.

Each capability is a module with its declaration, its work and its public functions.  Functions in memory that
engines need too are in an engine, which the docstring of the module names.  A command that is more than a run
of its task has a function `command` in its declaration.

Tasks are imported on first use, as the names of `unidoku` are.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from typing import Any

    from unidoku.tasks.canonical import Canonical as Canonical
    from unidoku.tasks.check import Check as Check
    from unidoku.tasks.convert import Convert as Convert
    from unidoku.tasks.count import Count as Count
    from unidoku.tasks.generate import Generate as Generate
    from unidoku.tasks.hint import Hint as Hint
    from unidoku.tasks.minimize import Minimize as Minimize
    from unidoku.tasks.neighbours import Neighbours as Neighbours
    from unidoku.tasks.rate import Rate as Rate
    from unidoku.tasks.solutions import Solutions as Solutions
    from unidoku.tasks.solve import Solve as Solve
    from unidoku.tasks.steps import Steps as Steps
    from unidoku.tasks.transform import Transform as Transform
    from unidoku.tasks.verify import Verify as Verify

__all__ = [
    "Canonical",
    "Check",
    "Convert",
    "Count",
    "Generate",
    "Hint",
    "Minimize",
    "Neighbours",
    "Rate",
    "Solutions",
    "Solve",
    "Steps",
    "Transform",
    "Verify",
]


if not TYPE_CHECKING:  # type checkers know every name; with this function they would accept any

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'unidoku.tasks' has no attribute {name!r}")
        value = getattr(import_module(f"unidoku.tasks.{name.lower()}"), name)
        globals()[name] = value
        return value
