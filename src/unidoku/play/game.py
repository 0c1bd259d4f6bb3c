"""A game: a puzzle, the digits and pencil marks of the player, undo and redo, the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from unidoku.errors import InvalidPuzzleError
from unidoku.geometry import PEERS
from unidoku.grid import Grid
from unidoku.single import check, solve
from unidoku.verdict import Verdict
from unidoku.view.player import VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unidoku.grid import PuzzleLike

    Move: TypeAlias = tuple[tuple[int, int, int], ...]

__all__ = ["Game"]


class Game:
    """A puzzle that is being solved by hand; cells are 0 to 80.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        With exactly one solution.

    Attributes
    ----------
    puzzle, solution : Grid
    codes : list of int
        For each cell its pencil marks (bit d - 1 for digit d), or `VALUE` plus its digit.
    moves : list of tuple of (cell, code before, code after)
        All moves, including undone ones.
    position : int
        Number of moves in effect.
    seconds : float
        Time played.

    Raises
    ------
    InvalidPuzzleError
        The puzzle does not have exactly one solution, or has no empty cell.
    """

    def __init__(self, puzzle: PuzzleLike) -> None:
        self.puzzle = Grid(puzzle)
        verdict = check(self.puzzle)
        solution = solve(self.puzzle) if verdict is Verdict.UNIQUE else None
        if solution is None:
            count = "no solution" if verdict is Verdict.NONE else "several solutions"
            raise InvalidPuzzleError(f"the puzzle has {count}; a game needs exactly one")
        if solution == self.puzzle:
            raise InvalidPuzzleError("the puzzle has no empty cell")
        self.solution = solution
        self.codes = [VALUE + digit if digit else 0 for digit in self.puzzle]
        self.moves: list[Move] = []
        self.position = 0
        self.seconds = 0.0

    @property
    def values(self) -> bytes:
        """The 81 digits, 0 for an empty cell."""
        return bytes(max(0, code - VALUE) for code in self.codes)

    @property
    def solved(self) -> bool:
        """Whether every cell has its digit."""
        return self.values == self.solution.cells

    @property
    def left(self) -> int:
        """Number of empty cells."""
        return self.values.count(0)

    def wrong(self) -> list[int]:
        """Return the cells whose digit differs from the solution."""
        pairs = zip(self.values, self.solution, strict=True)
        return [cell for cell, (value, right) in enumerate(pairs) if value not in {0, right}]

    def set(self, cell: int, digit: int) -> bool:
        """Fill in a digit and remove it from the pencil marks of the peers; the same digit clears the cell.

        Parameters
        ----------
        cell : int
            0 to 80.
        digit : int
            1 to 9.

        Returns
        -------
        bool
            Whether this changed anything; clues cannot change.
        """
        if self.puzzle[cell]:
            return False
        if self.codes[cell] == VALUE + digit:
            return self.clear(cell)
        return self.change(self.placement(cell, digit))

    def placement(self, cell: int, digit: int) -> dict[int, int]:
        """Return the codes that fill in a digit and remove it from the pencil marks of the peers."""
        peers = (peer for peer in PEERS[cell] if self.codes[peer] < VALUE)
        return {cell: VALUE + digit, **{peer: self.codes[peer] & ~(1 << digit - 1) for peer in peers}}

    def mark(self, cell: int, digit: int) -> bool:
        """Add or remove a pencil mark of an empty cell; return whether this changed anything."""
        code = self.codes[cell]
        return code < VALUE and self.change({cell: code ^ 1 << digit - 1})

    def clear(self, cell: int) -> bool:
        """Remove the digit or the pencil marks of a cell; return whether this changed anything."""
        return self.change({cell: 0})

    def fill_marks(self) -> bool:
        """Give every empty cell without pencil marks the digits that none of its peers has."""
        grid = Grid(self.values)
        return self.change(
            {cell: mask_of(grid.candidates(cell)) for cell, code in enumerate(self.codes) if not code}
        )

    def undo(self) -> bool:
        """Undo the last move; return whether there was one."""
        if not self.position:
            return False
        self.position -= 1
        for cell, before, _ in self.moves[self.position]:
            self.codes[cell] = before
        return True

    def redo(self) -> bool:
        """Redo the last undone move; return whether there was one."""
        if self.position == len(self.moves):
            return False
        self._apply(self.moves[self.position])
        return True

    def change(self, codes: Mapping[int, int]) -> bool:
        """Give cells new codes as one move.

        Parameters
        ----------
        codes : mapping of cell 0 to 80 to int
            As in `Game.codes`.

        Returns
        -------
        bool
            Whether this changed anything; clues cannot change.
        """
        move = tuple(
            (cell, self.codes[cell], code)
            for cell, code in codes.items()
            if code != self.codes[cell] and not self.puzzle[cell]
        )
        if not move:
            return False
        del self.moves[self.position :]
        self.moves.append(move)
        self._apply(move)
        return True

    def _apply(self, move: Move) -> None:
        for cell, _, after in move:
            self.codes[cell] = after
        self.position += 1

    def __repr__(self) -> str:
        return f"<Game of {self.puzzle.line}: {self.left} cells left>"


def mask_of(digits: Iterable[int]) -> int:
    """Digits as a set of bits."""
    return sum(1 << digit - 1 for digit in digits)
