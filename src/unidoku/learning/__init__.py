"""For training and testing models: prompts, rewards, tasks by index, environments, and very hard puzzles.

Names are imported on first use; the environments need Gymnasium.
"""

from unidoku.lazy import lazy

_HOMES = {
    "Audit": "unidoku.tasks.audit",
    "Example": "unidoku.tasks.audit",
    "Finding": "unidoku.tasks.audit",
    "HINT": "unidoku.learning.environments",
    "HINT_COSTS": "unidoku.learning.environments",
    "LAYOUTS": "unidoku.learning.dataset",
    "SudokuEnv": "unidoku.learning.environments",
    "SudokuTasks": "unidoku.learning.dataset",
    "SudokuVectorEnv": "unidoku.learning.environments",
    "audit_files": "unidoku.tasks.audit",
    "drawn": "unidoku.learning.dataset",
    "grid_of": "unidoku.learning.dataset",
    "hard_puzzles_near": "unidoku.craft.neighbours",
    "legal_moves": "unidoku.learning.environments",
    "prompt": "unidoku.learning.dataset",
    "reward": "unidoku.learning.rewards",
    "reward_function": "unidoku.learning.rewards",
    "split_file": "unidoku.tasks.split",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
