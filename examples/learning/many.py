"""Many boards at once: a vector environment of Gymnasium, in which one call checks all boards."""

from __future__ import annotations

from typing import Any

import numpy as np
from environment import HINT, Boards, Cells, legal_moves
from gymnasium import spaces, vector
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import unidoku


class SudokuVectorEnv(vector.VectorEnv[Cells, NDArray[np.int64], NDArray[Any]]):
    """`count` boards; an episode that has ended begins anew at the next step, with another puzzle."""

    metadata: dict[str, Any] = {"autoreset_mode": vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, count: int, **request: Any) -> None:
        self.num_envs, self.request = count, request
        self.single_observation_space = spaces.Box(0, 9, (2, 81), np.uint8)
        self.single_action_space = spaces.Discrete(HINT + 1)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)

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
        return unidoku.generate(count, seed=int(self.random.integers(1 << 31)), **self.request)

    def _info(self) -> dict[str, Any]:
        return {"legal": legal_moves(self.boards.grids)}
