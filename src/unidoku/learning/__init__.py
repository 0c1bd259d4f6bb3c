"""For training and testing models: prompts, rewards, tasks by index, environments, and very hard puzzles.

Names are imported on first use; the environments need Gymnasium.
"""

from importlib import import_module

_NAMES = {
    "layouts": "LAYOUTS drawn grid_of prompt",
    "rewards": "cells_reward clues_reward grid_reward reward solved_reward sudoku_reward",
    "dataset": "SudokuTasks",
    "environments": "HINT HINT_COSTS SudokuEnv SudokuVectorEnv legal_moves",
    "hunting": "hunt",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = (*_HOME,)  # noqa: PLE0604


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'unidoku.learning' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"unidoku.learning.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
