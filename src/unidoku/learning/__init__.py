"""For training and testing models: prompts, rewards, tasks by index, environments, and very hard puzzles.

Names are imported on first use; the environments need Gymnasium.
"""

from unidoku._lazy import lazy

_HOMES = {
    "Audit": "unidoku.tasks._audit",
    "Example": "unidoku.tasks._audit",
    "Finding": "unidoku.tasks._audit",
    "HINT": "unidoku.learning.environments",
    "HINT_COSTS": "unidoku.learning.environments",
    "LAYOUTS": "unidoku.learning._dataset",
    "SudokuEnv": "unidoku.learning.environments",
    "SudokuTasks": "unidoku.learning._dataset",
    "SudokuVectorEnv": "unidoku.learning.environments",
    "audit_files": "unidoku.tasks._audit",
    "drawn": "unidoku.learning._dataset",
    "grid_of": "unidoku.learning._dataset",
    "hard_puzzles_near": "unidoku.craft._neighbours",
    "legal_moves": "unidoku.learning.environments",
    "prompt": "unidoku.learning._dataset",
    "reward": "unidoku.learning._rewards",
    "reward_function": "unidoku.learning._rewards",
    "split_file": "unidoku.tasks._split",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
