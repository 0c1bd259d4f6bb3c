"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku.craft._neighbours import hard_puzzles_near as hard_puzzles_near
from unidoku.learning._dataset import (
    LAYOUTS as LAYOUTS,
    SudokuTasks as SudokuTasks,
    drawn as drawn,
    grid_of as grid_of,
    prompt as prompt,
)
from unidoku.learning._rewards import reward as reward, reward_function as reward_function
from unidoku.learning.environments import (
    HINT as HINT,
    HINT_COSTS as HINT_COSTS,
    SudokuEnv as SudokuEnv,
    SudokuVectorEnv as SudokuVectorEnv,
    legal_moves as legal_moves,
)
from unidoku.tasks._audit import (
    Audit as Audit,
    Example as Example,
    Finding as Finding,
    audit_files as audit_files,
)
from unidoku.tasks._split import split_file as split_file
