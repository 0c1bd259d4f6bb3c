"""Rewards as GRPO trainers call them: prompts, completions, the columns of the data set as keywords.

    trainer = GRPOTrainer(model=..., reward_funcs=[sudoku_reward, solved_reward], train_dataset=data, ...)

The data set has a column ``puzzle``.  A completion is a text, or a list of messages of which the last one is
the answer.  Any answer is judged, and none raises.  Thoughts are no answer, and of a text with the tag
``<answer>`` only what stands in the last one is, as `unidoku.verify` reads it with ``answer="tag"``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from unidoku.compat import np
from unidoku.craft.verification import verify_many
from unidoku.table.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

Completion: TypeAlias = "str | Sequence[dict[str, Any]] | None"

_PARTS = ("score", "solved", "grid", "clues", "cells")


def reward(puzzle: str, answer: Completion) -> dict[str, float]:
    """Return all rewards of one answer, each from 0 to 1.

    Parameters
    ----------
    puzzle : str
    answer : str, or sequence of messages
        As a completion of `sudoku_reward`.

    Returns
    -------
    dict of str to float
        ``score``, ``solved``, ``grid``, ``clues`` and ``cells``: those of `sudoku_reward`, `solved_reward`,
        `grid_reward`, `clues_reward` and `cells_reward`.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> reward(puzzle, "I cannot.")
    {'score': 0.0, 'solved': 0.0, 'grid': 0.0, 'clues': 0.0, 'cells': 0.0}
    >>> reward(puzzle, puzzle)
    {'score': 0.0, 'solved': 0.0, 'grid': 1.0, 'clues': 1.0, 'cells': 0.0}
    """
    result = _verified([puzzle], [answer])
    return {part: _part(result, part)[0] for part in _PARTS}


def sudoku_reward(
    prompts: Sequence[object], completions: Sequence[Completion], *, puzzle: Sequence[str], **columns: object
) -> list[float]:
    """Return the score of `unidoku.verify`: 1 for a solution, 0 without a grid and for a copy of the puzzle.

    Parameters
    ----------
    prompts : sequence
        Not looked at.
    completions : sequence of str, or of sequences of messages
    puzzle : sequence of str
        The puzzle of each completion.
    **columns
        Not looked at.

    Returns
    -------
    list of float

    Raises
    ------
    InvalidPuzzleError
        A text of `puzzle` is not a puzzle.
    """
    return _part(_verified(puzzle, completions), "score")


def solved_reward(
    prompts: Sequence[object], completions: Sequence[Completion], *, puzzle: Sequence[str], **columns: object
) -> list[float]:
    """Return 1 for a solution of the puzzle and 0 for anything else; as `sudoku_reward`."""
    return _part(_verified(puzzle, completions), "solved")


def grid_reward(
    prompts: Sequence[object], completions: Sequence[Completion], *, puzzle: Sequence[str], **columns: object
) -> list[float]:
    """Return 1 for an answer with a grid, right or wrong, and 0 without one; as `sudoku_reward`."""
    return _part(_verified(puzzle, completions), "grid")


def clues_reward(
    prompts: Sequence[object], completions: Sequence[Completion], *, puzzle: Sequence[str], **columns: object
) -> list[float]:
    """Return the share of the clues that the answer keeps; as `sudoku_reward`."""
    return _part(_verified(puzzle, completions), "clues")


def cells_reward(
    prompts: Sequence[object], completions: Sequence[Completion], *, puzzle: Sequence[str], **columns: object
) -> list[float]:
    """Return the share of the open cells that are correct; as `sudoku_reward`."""
    return _part(_verified(puzzle, completions), "cells")


def _verified(puzzles: Sequence[str], completions: Sequence[Completion]) -> Result:
    return verify_many([*puzzles], [_text_of(completion) for completion in completions], answer="tag")


def _text_of(completion: Completion) -> str | None:
    """Return the text of a completion, or that of the last one of its messages."""
    if completion is None or isinstance(completion, str):
        return completion
    return str(completion[-1].get("content") or "") if completion else ""


def _part(result: Result, part: str) -> list[float]:
    """Return a reward of each answer."""
    clues = result.kept_clues.astype(np.int64) + result.changed_clues
    values: NDArray[Any] = np.ones(len(result))
    if part in ("score", "solved"):
        values = getattr(result, part)
    elif part != "grid":
        amounts, totals = (result.kept_clues, clues) if part == "clues" else (result.correct, 81 - clues)
        values = np.where(totals > 0, amounts.clip(0) / np.maximum(totals, 1), 1.0)
    return [0.0 if row in result.reasons else float(value) for row, value in enumerate(values)]
