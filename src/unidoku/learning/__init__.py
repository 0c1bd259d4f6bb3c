"""For training and testing models: prompts, rewards, tasks by index, environments, and very hard puzzles.

Names are imported on first use; the environments need Gymnasium.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.craft.neighbours import hard_puzzles_near as hard_puzzles_near
    from unidoku.learning.dataset import (
        LAYOUTS as LAYOUTS,
        SudokuTasks as SudokuTasks,
        drawn as drawn,
        grid_of as grid_of,
        prompt as prompt,
    )
    from unidoku.learning.environments import (
        HINT as HINT,
        HINT_COSTS as HINT_COSTS,
        SudokuEnv as SudokuEnv,
        SudokuVectorEnv as SudokuVectorEnv,
        legal_moves as legal_moves,
    )
    from unidoku.learning.rewards import reward as reward, reward_function as reward_function
else:
    from unidoku.lazy import lazy

    __all__, __getattr__, __dir__ = lazy(__name__)
