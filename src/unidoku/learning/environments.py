"""Gymnasium environments: place a digit or take a hint, on one board or on many boards at once.

An observation has the clues and the grid, uint8[2, 81]. Action ``9 * cell + digit - 1`` places a digit, and
action `HINT` takes the next step of `unidoku.hint` that places a digit. ``info["legal"]`` has a 1 for each
legal action: a digit in an empty cell that no house of the cell has yet.

The reward of a digit is what it adds to the score of `unidoku.verify`; of a digit after which the puzzle
cannot be solved any more, or that is not legal, it is -1, and the episode ends.  A hint adds what its digit
does, less `HINT_COSTS`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku._arguments import whole_number, wrong_type
from unidoku.cell import PEERS
from unidoku.craft._generate import generate
from unidoku.craft._request import requests_of
from unidoku.errors import Message, WrongTypeError, needs_extra
from unidoku.grid import Grid
from unidoku.kernel import solve_rows
from unidoku.rating._paths import next_placements
from unidoku.rating._steps import require_proper

with needs_extra("learning", Message("the environments need Gymnasium")):
    import gymnasium
    from gymnasium import spaces, vector
    from gymnasium.vector.utils import batch_space

__all__ = ["HINT", "HINT_COSTS", "NAME", "SudokuEnv", "SudokuVectorEnv"]

HINT = 729
"""The action that takes the next step."""

HINT_COSTS = 0.05
"""The amount that a hint subtracts from the reward."""

CellArray = NDArray[np.uint8]

_POOL = 256  # puzzles that are made at once, then ever more: each call takes longer than a puzzle
_MOST = 16  # puzzles that are made at once for each board
_OF_A_RUN = {"attempts", "threads", "cancel", "timeout"}  # arguments of `generate` that ask for no puzzle
_BITS = np.array([0, *(1 << digit for digit in range(9))], np.uint16)
_MOVES = (np.arange(512)[:, None] >> np.arange(9) & 1 == 0).astype(np.int8)  # by the digits that are taken
_MOVE_ROWS: Any = _MOVES.view("V9").reshape(512)
_ENDS = np.array(
    [
        [*(9 * peer + digit for peer in PEERS[cell]), *range(9 * cell, 9 * cell + 9)]
        for cell in range(81)
        for digit in range(9)
    ]
)
"""The actions that are no more legal after each digit."""


def taken_digits(grids: CellArray) -> NDArray[np.uint16]:
    """Return a bit for each digit that no cell may have, of n grids, uint8[n, 81]: uint16[n, 81]."""
    # boards come last: to reduce over nine neighbours in memory takes five times as long
    bits = _BITS.take(grids.T).reshape(9, 9, -1)
    rows, columns = (np.bitwise_or.reduce(bits, axis=axis) for axis in (1, 0))
    boxes = np.bitwise_or.reduce(bits.reshape(3, 3, 3, 3, -1), axis=(1, 3), keepdims=True)
    taken = np.bitwise_or(rows[:, None], columns).reshape(3, 3, 3, 3, -1) | boxes
    taken = np.ascontiguousarray(taken.reshape(81, -1).T)
    np.putmask(taken, grids > 0, 511)
    return taken


def legal_moves(grids: CellArray) -> NDArray[np.int8]:
    """Find the legal actions of many grids, as ``info["legal"]`` has them.

    Parameters
    ----------
    grids : uint8[n, 81]
        Cells 0 to 9, with 0 for an empty cell.

    Returns
    -------
    int8[n, 730]
        1 for a legal action: 729 digits in cells, and the hint.

    Examples
    --------
    >>> import numpy as np
    >>> legal_moves(np.zeros((1, 81), np.uint8)).sum().item()
    730
    """
    moves = np.empty((len(grids), HINT + 1), np.int8)
    moves[:, :HINT] = _MOVE_ROWS.take(taken_digits(grids)).view(np.int8).reshape(-1, HINT)
    moves[:, HINT] = (grids == 0).any(axis=1)
    return moves


class Boards:
    """The state of n boards, which both environments step.

    Puzzles are proper, so a digit is right if the solution has it in this cell. The score of a grid that
    keeps the clues is the share of correct digits in the open cells (`unidoku.verify`).
    """

    puzzles: CellArray
    grids: CellArray
    solutions: CellArray
    open_cells: NDArray[np.int64]
    empty_cells: NDArray[np.int64]
    correct: NDArray[np.int64]

    def __init__(self, puzzles: CellArray) -> None:
        self.puzzles, self.grids, self.solutions = (np.empty((len(puzzles), 81), np.uint8) for _ in range(3))
        self.moves: NDArray[np.int8] = np.empty((len(puzzles), HINT + 1), np.int8)
        self.open_cells, self.empty_cells, self.correct = np.empty((3, len(puzzles)), np.int64)
        self.wrong: NDArray[np.bool_] = np.empty(len(puzzles), np.bool_)
        self.begin(np.arange(len(puzzles)), puzzles)

    def begin(self, boards: NDArray[np.int64], puzzles: CellArray) -> None:
        """Give some boards new puzzles."""
        self.puzzles[boards] = self.grids[boards] = puzzles
        self.solutions[boards] = solve_rows(puzzles, grids=1).solutions
        self.moves[boards] = legal_moves(puzzles)
        self.open_cells[boards] = self.empty_cells[boards] = 81 - np.count_nonzero(puzzles, axis=1)
        self.correct[boards], self.wrong[boards] = 0, False

    def observation(self) -> CellArray:
        """Return clues and grids: uint8[n, 2, 81]."""
        return np.stack([self.puzzles, self.grids], axis=1)

    def legal(self) -> NDArray[np.int8]:
        """Return the legal actions: int8[n, 730]."""
        return self.moves.copy()

    def step(
        self, actions: NDArray[np.int64], boards: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Do an action on each of some boards; return the rewards and which episodes have ended."""
        legal = self.moves[boards, actions] != 0
        hints = legal & (actions == HINT)
        cells, digits = actions // 9 % 81, actions % 9 + 1
        if hints.any():
            placed = next_placements(self.grids[boards[hints]])
            cells[hints], digits[hints] = placed // 9, placed % 9 + 1
        rows, places, values = boards[legal], cells[legal], digits[legal]
        self.grids[rows, places] = values
        self.moves[rows[:, None], _ENDS[9 * places + values - 1]] = 0
        self.empty_cells[rows] -= 1
        self.moves[rows, HINT] = self.empty_cells[rows] > 0
        right = legal & (self.solutions[boards, cells] == digits)
        before, whole = self.correct[boards], self.open_cells[boards]
        self.correct[boards] += right
        self.wrong[boards] |= legal & ~right
        alive = legal & ~self.wrong[boards]
        gained = self.correct[boards] / whole - before / whole - HINT_COSTS * hints
        return np.where(alive, gained, -1.0), ~alive | (self.empty_cells[boards] == 0)


def _refuse(request: dict[str, Any]) -> None:
    """Refuse a request that no puzzle can meet, before the first puzzle is made."""
    fields: Any = {name: value for name, value in request.items() if name not in _OF_A_RUN}
    requests_of(fields, 0)


class SudokuEnv(gymnasium.Env[CellArray, np.int64]):
    """A Gymnasium environment with one board; each episode is one puzzle.

    An action is an integer, 0 to 729.  A request that is not allowed is refused at once.

    Parameters
    ----------
    render_mode : {"ansi"}, optional
        Without it, nothing is rendered.
    **request
        The request for new puzzles, as for `unidoku.generate`.

    Examples
    --------
    >>> environment = SudokuEnv(clues=30)
    >>> observation, info = environment.reset(seed=1)
    >>> observation.shape, info["legal"].shape
    ((2, 81), (730,))
    """

    render_mode: str | None
    request: dict[str, Any]

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None, **request: Any) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            text = 'render_mode must be "ansi"; for one puzzle, call reset(options={"puzzle": puzzle})'
            raise WrongTypeError(text)
        _refuse(request)
        self.render_mode, self.request = render_mode, request
        self.observation_space: spaces.Space[CellArray] = spaces.Box(0, 9, (2, 81), np.uint8)
        self.action_space: spaces.Space[np.int64] = spaces.Discrete(HINT + 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[CellArray, dict[str, Any]]:
        """Begin with a new puzzle, or with the one of ``options={"puzzle": puzzle}``."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(1 << 31))
        puzzle = (options or {}).get("puzzle")
        if puzzle is None:
            puzzles = generate(1, seed=chosen, **self.request)
        else:
            puzzles = Grid(puzzle).to_array().reshape(1, 81)
            require_proper(Grid(puzzle))
        self.boards: Boards = Boards(puzzles)
        return self.boards.observation()[0], self._info()

    def step(self, action: np.int64) -> tuple[CellArray, float, bool, bool, dict[str, Any]]:
        """Place a digit, or take a hint."""
        number = whole_number("action", action, 0, HINT)
        rewards, ended = self.boards.step(np.array([number]), np.array([0]))
        return self.boards.observation()[0], float(rewards[0]), bool(ended[0]), False, self._info()

    def render(self) -> str:
        """Return the grid as text."""
        return str(Grid(self.boards.grids[0]))

    def _info(self) -> dict[str, Any]:
        return {"legal": self.boards.legal()[0]}


class SudokuVectorEnv(vector.VectorEnv[CellArray, NDArray[np.int64], NDArray[Any]]):
    """A Gymnasium vector environment with several boards.

    A board whose episode has ended begins again at the next step, with another puzzle. Gymnasium's own
    ``SyncVectorEnv`` of 64 `SudokuEnv` takes 14 to 24 times as long for a step.

    Parameters
    ----------
    count : int
        Number of boards.
    **request
        The request for new puzzles, as for `unidoku.generate`.

    Examples
    --------
    >>> environment = SudokuVectorEnv(4, clues=30)
    >>> observation, info = environment.reset(seed=1)
    >>> observation.shape, info["legal"].shape
    ((4, 2, 81), (4, 730))
    """

    num_envs: int
    request: dict[str, Any]
    ended: NDArray[np.bool_]

    metadata: dict[str, Any] = {"autoreset_mode": vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, count: int, **request: Any) -> None:
        _refuse(request)
        self.num_envs, self.request = whole_number("count", count), request
        self.single_observation_space: spaces.Space[CellArray] = spaces.Box(0, 9, (2, 81), np.uint8)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(HINT + 1)
        self.observation_space: spaces.Space[CellArray] = batch_space(
            self.single_observation_space, self.num_envs
        )
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[CellArray, dict[str, Any]]:
        """Begin with a new puzzle on every board."""
        self.random: np.random.Generator = np.random.default_rng(seed)
        self._pool, self._more = np.empty((0, 81), np.uint8), max(_POOL, self.num_envs)
        self.boards: Boards = Boards(self._new(self.num_envs))
        self.ended = np.zeros(self.num_envs, np.bool_)
        return self.boards.observation(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[CellArray, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do an action on each board; a board whose episode has ended gets a new puzzle instead."""
        boards, actions = self.boards, np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise wrong_type("actions", f"{self.num_envs} integers", actions.tolist())
        for action in (actions.min(initial=0), actions.max(initial=0)):
            whole_number("action", action, 0, HINT)
        begun, going = np.flatnonzero(self.ended), np.flatnonzero(~self.ended)
        rewards, self.ended = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        rewards[going], self.ended[going] = boards.step(actions[going], going)
        if len(begun):
            boards.begin(begun, self._new(len(begun)))
        never = np.zeros(self.num_envs, np.bool_)
        return boards.observation(), rewards, self.ended.copy(), never, self._info()

    def _new(self, count: int) -> CellArray:
        """Take puzzles from the pool; make more, many at a time, when it has too few."""
        if len(self._pool) < count:
            seed = int(self.random.integers(1 << 31))
            self._pool = np.concatenate([self._pool, generate(self._more, seed=seed, **self.request)])
            self._more = max(self._more, min(2 * self._more, _MOST * self.num_envs))
        puzzles, self._pool = self._pool[:count].copy(), self._pool[count:]
        return puzzles

    def _info(self) -> dict[str, Any]:
        return {"legal": self.boards.legal()}


def make_many(num_envs: int, **request: Any) -> SudokuVectorEnv:
    """Return the boards, as Gymnasium's ``make_vec`` asks for them."""
    return SudokuVectorEnv(num_envs, **request)


NAME = "unidoku/Sudoku-v0"
"""The name for Gymnasium's ``make`` and ``make_vec``, after an import of this module."""

gymnasium.register(
    NAME, f"{__name__}:{SudokuEnv.__name__}", vector_entry_point=f"{__name__}:{make_many.__name__}"
)
