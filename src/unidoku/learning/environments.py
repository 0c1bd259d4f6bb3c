"""Gymnasium environments: place a digit or take a hint, on one board or on many boards at once.

An observation has the clues and the grid, uint8[2, 81].  Action ``9 * cell + digit - 1`` places a digit,
action `HINT` takes the next step of `unidoku.hint` that places one.  ``info["legal"]`` has a 1 for each
action that is legal: a digit in an empty cell of which no house has that digit yet.

The reward of a digit is what it adds to the score of `unidoku.verify`; of a digit after which the puzzle
cannot be solved any more, or that is not legal, it is -1, and the episode ends.  A hint adds what its digit
does, less `HINT_COSTS`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces, vector
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from unidoku.arguments import whole
from unidoku.cell import PEERS, candidate_of
from unidoku.craft.generate import generate
from unidoku.craft.verification import verify_many
from unidoku.grid import Grid
from unidoku.rating.steps import steps
from unidoku.tasks.check_many import check_many

HINT = 729
"""The action that takes the next step."""

HINT_COSTS = 0.05
"""What is taken from the reward of a hint."""

Cells = NDArray[np.uint8]

_CELLS = range(81)
_SHARE_HOUSE = np.array([[a == b or a in PEERS[b] for a in _CELLS] for b in _CELLS], np.int32)


def legal_moves(grids: Cells) -> NDArray[np.int8]:
    """Return the legal actions of n grids, uint8[n, 81]: int8[n, 730]."""
    digits = grids[:, :, None] == np.arange(1, 10)  # n, cell, digit
    taken = np.einsum("pc,ncd->npd", _SHARE_HOUSE, digits.astype(np.int32)) > 0
    open_cells = grids == 0
    moves = (open_cells[:, :, None] & ~taken).reshape(len(grids), 729)
    return np.column_stack([moves, open_cells.any(axis=1)]).astype(np.int8)


def placed_by_hint(grid: Cells) -> tuple[int, int]:
    """Return the cell and the digit that the next steps place."""
    return next(candidate_of(step.placements[0]) for step in steps(grid) if step.placements)


class Boards:
    """The state of n boards, which both environments step."""

    def __init__(self, puzzles: Cells) -> None:
        self.puzzles, self.grids = puzzles, puzzles.copy()

    def observation(self) -> Cells:
        """Return clues and grids: uint8[n, 2, 81]."""
        return np.stack([self.puzzles, self.grids], axis=1)

    def step(
        self, actions: NDArray[np.int64], boards: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Do an action on each of some boards; return the rewards and which episodes have ended."""
        puzzles, grids = self.puzzles[boards], self.grids[boards]
        rows = np.arange(len(boards))
        legal = legal_moves(grids)[rows, actions] > 0
        hints = (actions == HINT) & legal
        cells, digits = actions // 9 % 81, actions % 9 + 1
        for row in np.flatnonzero(hints).tolist():
            cells[row], digits[row] = placed_by_hint(grids[row])
        before = verify_many(puzzles, grids).score
        grids[rows[legal], cells[legal]] = digits[legal]
        alive = legal & (check_many(grids, limit=1).count > 0)
        gained = verify_many(puzzles, grids).score - before - HINT_COSTS * hints
        self.grids[boards] = grids
        return np.where(alive, gained, -1.0), ~alive | (grids > 0).all(axis=1)


class SudokuEnv(gymnasium.Env[Cells, np.int64]):
    """One board; ``**request`` is what is asked of new puzzles, as for `unidoku.generate`."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None, **request: Any) -> None:
        self.render_mode, self.request = render_mode, request
        self.observation_space = spaces.Box(0, 9, (2, 81), np.uint8)
        self.action_space = spaces.Discrete(HINT + 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cells, dict[str, Any]]:
        """Begin with a new puzzle."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(1 << 31))
        self.boards = Boards(generate(1, seed=chosen, **self.request))
        return self.boards.observation()[0], self._info()

    def step(self, action: np.int64) -> tuple[Cells, float, bool, bool, dict[str, Any]]:
        """Place a digit, or take a hint."""
        rewards, ended = self.boards.step(np.array([action]), np.array([0]))
        return self.boards.observation()[0], float(rewards[0]), bool(ended[0]), False, self._info()

    def render(self) -> str:
        """Return the grid as text."""
        return str(Grid(self.boards.grids[0]))

    def _info(self) -> dict[str, Any]:
        return {"legal": legal_moves(self.boards.grids)[0]}


class SudokuVectorEnv(vector.VectorEnv[Cells, NDArray[np.int64], NDArray[Any]]):
    """`count` boards; an episode that has ended begins anew at the next step, with another puzzle."""

    metadata: dict[str, Any] = {"autoreset_mode": vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, count: int, **request: Any) -> None:
        self.num_envs, self.request = whole("count", count), request
        self.single_observation_space = spaces.Box(0, 9, (2, 81), np.uint8)
        self.single_action_space = spaces.Discrete(HINT + 1)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cells, dict[str, Any]]:
        """Begin with a new puzzle on every board."""
        self.random = np.random.default_rng(seed)
        self.boards = Boards(self._new(self.num_envs))
        self.ended = np.zeros(self.num_envs, np.bool_)
        return self.boards.observation(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Cells, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do an action on each board; a board whose episode has ended gets a new puzzle instead."""
        boards = self.boards
        begun, going = np.flatnonzero(self.ended), np.flatnonzero(~self.ended)
        rewards, self.ended = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        rewards[going], self.ended[going] = boards.step(np.asarray(actions)[going], going)
        if len(begun):
            boards.puzzles[begun] = boards.grids[begun] = self._new(len(begun))
        never = np.zeros(self.num_envs, np.bool_)
        return boards.observation(), rewards, self.ended.copy(), never, self._info()

    def _new(self, count: int) -> Cells:
        return generate(count, seed=int(self.random.integers(1 << 31)), **self.request)

    def _info(self) -> dict[str, Any]:
        return {"legal": legal_moves(self.boards.grids)}
