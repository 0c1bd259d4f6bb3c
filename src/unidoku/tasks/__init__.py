"""The tasks of `unidoku.run` and `unidoku.run_many`: ``unidoku.tasks.Rate(below=9.0)`` and so on.

Each capability is a module with its task, its work, its public functions, and its command, if it has one.
Functions in memory that engines need too are in an engine, which the docstring of the module names.

Tasks are imported on first use, as the names of `unidoku` are; ``__init__.pyi`` has them for type checkers.
"""

from importlib import import_module

__all__ = (  # noqa: PLE0604
    *("Canonical", "Check", "Convert", "Count", "Generate", "Hint", "Minimize", "Neighbours", "Rate"),
    *("Solutions", "Solve", "Steps", "Transform", "Verify"),
)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'unidoku.tasks' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"unidoku.tasks.{name.lower()}"), name)
    return value
