"""Rewards as GRPO trainers call them: prompts, completions, the columns of the data set as keywords.

    rewards = [reward_function("solved"), reward_function("cells")]
    trainer = GRPOTrainer(model=..., reward_funcs=rewards, train_dataset=data, ...)

The data set has a column of puzzles. A completion is a text, a message, or a list of messages, and the last
message is the answer. Every answer gets a score, and none raises an error. Thoughts are not read. If a text
has the tag ``<answer>``, only the content of the last one is read, as `unidoku.verify` does with
``answer="tag"``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unidoku._arguments import one_of
from unidoku._compat import np
from unidoku._parse.arrays import is_missing
from unidoku.craft._verification import share, verify_many
from unidoku.files._paths import puzzle_in
from unidoku.files._roles import first_record, puzzle_column

if TYPE_CHECKING:
    pass

Completion: TypeAlias = "str | dict[str, Any] | Sequence[dict[str, Any]] | None"

Part: TypeAlias = Literal["score", "solved", "grid", "clues", "cells"]

_PARTS = ("score", "solved", "grid", "clues", "cells")


def reward(puzzle: str, answer: Completion) -> dict[str, float]:
    """Return all rewards of one answer, each from 0 to 1.

    Parameters
    ----------
    puzzle : str
    answer : str, message, or sequence of messages
        As a completion of `reward_function`.

    Returns
    -------
    dict of str to float
        ``score``, ``solved``, ``grid``, ``clues`` and ``cells``: the parts of `reward_function`.

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
    {'score': 0.0, 'solved': 0.0, 'grid': 0.0, 'clues': 0.0, 'cells': 0.0}
    """
    return {part: values[0] for part, values in _rewards([puzzle], [answer]).items()}


def reward_function(part: Part = "score") -> Callable[..., list[float | None]]:
    """Return a reward as trainers call it: ``function(prompts, completions, **columns)``, a number for each.

    Parameters
    ----------
    part : {"score", "solved", "grid", "clues", "cells"}
        The kind of score:

        - ``score``: the score of `unidoku.verify`: 1 for a solution, 0 without a grid and for a copy of the
          puzzle
        - ``solved``: 1 for a solution, 0 for anything else
        - ``grid``: 1 for an answer with a grid, right or wrong, 0 without a grid
        - ``clues``: the share of the clues that the answer keeps
        - ``cells``: the share of the open cells that are correct

    Returns
    -------
    callable
        A function of prompts, completions and further columns that returns a list of float. It ignores the
        prompts. Completions are a sequence of texts, messages (dict) or sequences of messages. One column has
        the puzzle of each completion: ``puzzle``, or another name by which files are read, such as
        ``question``.

        If the puzzle of a row is None, NaN or an empty text, the row belongs to another task: its score is
        None, and trainers skip it. The function raises `InvalidPuzzleError` for a text that is not a puzzle,
        and `FormatError` without a column of puzzles. Trainers log its name: ``score_reward`` and so on.

    Raises
    ------
    ValueError
        `part` is none of these.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> reward_function("clues")(["?", "?"], ["7".join(puzzle.rsplit(".", 1)), "4"], quizzes=[puzzle, None])
    [1.0, None]
    """
    return _Reward(one_of("part", part, _PARTS))


class _Reward:
    """A reward function; an object, so that it can be pickled."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.__name__ = self.__qualname__ = f"{part}_reward"

    def __call__(
        self, prompts: object, completions: Sequence[Completion], **columns: Any
    ) -> list[float | None]:
        """Return the reward of each completion, None without a puzzle."""
        puzzles = _puzzles(columns, len(completions))
        has_puzzle = [not _is_missing(puzzle) for puzzle in puzzles]
        rewards = _rewards([*compress(puzzles, has_puzzle)], [*compress(completions, has_puzzle)])
        values = iter(rewards[self.part])
        return [next(values) if is_one else None for is_one in has_puzzle]

    def __repr__(self) -> str:
        return f"<reward function {self.__name__}>"


def _puzzles(columns: Mapping[str, Any], count: int) -> Sequence[str]:
    """Return the column with the puzzles of completions; trainers also pass values that are not columns.

    The first record with a puzzle says which of several columns, or of unknown names, has the puzzles.
    """
    columns = {name: column for name, column in columns.items() if _is_column(column, count)}
    first = first_record(zip(*columns.values(), strict=True))
    names = [*columns]
    puzzles = columns[names[puzzle_column(names, None, row=lambda: first)]]
    return [puzzle_in(puzzle).cells or puzzle for puzzle in puzzles]


def _is_missing(puzzle: object) -> bool:
    """Return whether a row has no puzzle: None, NaN, pandas' ``NA`` or a blank text."""
    return is_missing(puzzle) or not str(puzzle).strip()


def _is_column(column: object, count: int) -> bool:
    return isinstance(column, Sequence) and not isinstance(column, str | bytes) and len(column) == count


def _rewards(puzzles: Sequence[str], completions: Sequence[Completion]) -> dict[str, list[float]]:
    """Return each reward of answers; without a grid it is 0."""
    result = verify_many([*puzzles], [*completions], answer="tag")
    clues = result.kept_clues.astype(np.int64) + result.changed_clues
    rewards = {
        "score": result.score,
        "solved": result.solved,
        "grid": np.ones(len(result)),
        "clues": share(result.kept_clues, clues),
        "cells": share(result.correct.clip(0), 81 - clues),
    }
    has_grid = np.ones(len(result))
    has_grid[[*result.reasons]] = 0
    return {part: (has_grid * values).tolist() for part, values in rewards.items()}
