"""A reward function as GRPO trainers call it: prompts, completions, the columns of the data set as keywords.

    trainer = GRPOTrainer(model=..., reward_funcs=sudoku_reward, train_dataset=data, ...)

The data set has a column ``puzzle``: 81 cells. A completion is a text, or a list of messages of which the
last one is the answer. Any text is judged, and none raises: without a grid in it the reward is 0, for a
solution of the puzzle it is 1. A puzzle with several solutions accepts each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import unidoku

Completion: TypeAlias = str | Sequence[dict[str, Any]]


def text_of(completion: Completion) -> str:
    """Return the text of a completion, or that of the last one of its messages."""
    if isinstance(completion, str):
        return completion
    return str(completion[-1].get("content") or "") if completion else ""


def sudoku_reward(
    prompts: Sequence[object], completions: Sequence[Completion], *, puzzle: Sequence[str], **columns: object
) -> list[float]:
    """Return the score of each completion, 0 to 1; see `unidoku.verify_many`."""
    answers = [text_of(completion) for completion in completions]
    return [float(score) for score in unidoku.verify_many(list(puzzle), answers).score]


def solved_reward(
    prompts: Sequence[object], completions: Sequence[Completion], *, puzzle: Sequence[str], **columns: object
) -> list[float]:
    """Return 1 for each right answer and 0 for any other."""
    answers = [text_of(completion) for completion in completions]
    return [float(right) for right in unidoku.verify_many(list(puzzle), answers).solved]
