"""Puzzles as texts for a prompt, tasks by index and seed as in procedural data sets, and their scores."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from unidoku._arguments import one_of, seed_of, whole_number
from unidoku._compat import np
from unidoku._guesses import Keywords
from unidoku.cell import rows_of, symbols_of
from unidoku.craft._generate import generate_each
from unidoku.craft._request import requests_of, shares_of, word_at
from unidoku.craft._verification import read_answer, verify
from unidoku.grid import Grid, PuzzleLike
from unidoku.kernel import solution_of
from unidoku.rating._scale import rate

Layout: TypeAlias = Literal["line", "rows", "boxes"]

LAYOUTS: tuple[Layout, ...] = ("line", "rows", "boxes")
"""The layouts: 81 cells in one line, nine rows with blanks, nine rows with lines between the boxes."""

RULES = "Fill the empty cells (.) so that every row, every column and every 3x3 box has the digits 1 to 9."


def drawn(puzzle: PuzzleLike, layout: Layout = "rows") -> str:
    """Draw a puzzle as text for a prompt.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `unidoku.Grid` accepts it.
    layout : {"line", "rows", "boxes"}, optional
        81 cells on a line, nine rows of nine cells (by default), or a drawing with boxes.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    ValueError
        `layout` is not one of these.

    Examples
    --------
    >>> print(drawn("." * 80 + "7", "rows").splitlines()[-1])
    . . . . . . . . 7
    """
    grid = Grid(puzzle)
    one_of("layout", layout, LAYOUTS)
    if layout == "line":
        return grid.line
    if layout == "boxes":
        return str(grid)
    return "\n".join(map(" ".join, rows_of(grid.line)))


def prompt(puzzle: PuzzleLike, layout: Layout = "rows") -> str:
    """Write a prompt: the rules, the puzzle, and how to answer, in the same layout between two tags.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `unidoku.Grid` accepts it.
    layout : {"line", "rows", "boxes"}, optional
        How the puzzle is drawn; by default nine rows of nine cells.

    Examples
    --------
    >>> prompt("." * 81, "line").splitlines()[-1]
    'Give the full grid in the same layout between <answer> and </answer>.'
    """
    answer = "Give the full grid in the same layout between <answer> and </answer>."
    return f"{RULES}\n\n{drawn(puzzle, layout)}\n\n{answer}"


def grid_of(answer: object) -> str | None:
    """Find the grid in an answer: 81 cells with ``.`` for an empty cell, or None without a grid.

    It is the grid that `unidoku.verify` judges.

    Parameters
    ----------
    answer : str, dict or list
        As `unidoku.verify` accepts a prediction.

    Examples
    --------
    >>> grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> grid_of("My grid: " + grid) == grid, grid_of("I do not know")
    (True, None)
    """
    cells, reason = read_answer(answer)
    if reason:
        return None
    return Grid(bytes(cells)).line


@dataclass(frozen=True)
class SudokuTasks(Keywords):
    """A data set of `size` tasks, each made when it is read.

    Item k depends only on the seed, k and the request. It is the same on every machine, in any order and in
    any process, so the workers of a loader share no state. Items of different indices have different puzzles.
    Every puzzle has exactly one solution.

    Parameters
    ----------
    size : int
    seed : int, optional
    clues : int, optional
        The number of clues of every puzzle.
    difficulty : str or mapping of str to number, optional
        As `unidoku.generate` takes it: a word, or words with their shares; of five items in turn with
        ``{"easy": 4, "hard": 1}``, four are easy.
    effort : int or (int, int), optional
        As `unidoku.generate` takes it, such as ``(150, 250)``: how long a person takes.
    er, technique : optional
        As `unidoku.generate` takes them.
    layout : {"line", "rows", "boxes"}
        How the question shows the puzzle.

    Raises
    ------
    ValueError
        A value is not allowed.

    Examples
    --------
    >>> tasks = SudokuTasks(1000, seed=7, difficulty={"easy": 4, "medium": 1})
    >>> [tasks[index]["metadata"]["difficulty"] for index in range(5)].count("easy")
    4
    >>> tasks.score_answer(tasks[3]["answer"], tasks[3])
    1.0
    """

    size: int
    seed: int = 0
    clues: int | None = None
    difficulty: str | Mapping[str, float] | None = None
    layout: Layout = "rows"
    effort: int | tuple[int, int] | None = None
    er: float | tuple[float, float] | None = None
    technique: str | None = None

    def __post_init__(self) -> None:
        """Check the values."""
        whole_number("size", self.size)
        seed_of(self.seed)
        one_of("layout", self.layout, LAYOUTS)
        requests_of(self._request(self.difficulty), 0)

    def _request(self, difficulty: str | Mapping[str, float] | None) -> Any:
        """Return what is asked of a puzzle of this difficulty."""
        values = {name: getattr(self, name) for name in ("clues", "effort", "er", "technique")}
        return {**values, "difficulty": difficulty}

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[index] for index in range(self.size))

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.__getitems__([index])[0]

    def __getitems__(self, indices: Sequence[int]) -> list[dict[str, Any]]:
        """Return the items of a batch, as PyTorch's loader requests them; puzzles are made together."""
        try:
            indices = [range(self.size)[operator.index(index)] for index in indices]  # a slice is an error
        except IndexError:
            raise IndexError(f"an index is out of range; there are {self.size} tasks") from None
        by_word: dict[str | None, list[int]] = {}
        for index in indices:
            word = self.difficulty
            if isinstance(word, Mapping):
                word = word_at(shares_of(word), index, self.seed)
            by_word.setdefault(word, []).append(index)
        items: dict[int, dict[str, Any]] = {}
        for word, group in by_word.items():
            # 64 bits of their own: with fewer, two of a million items would be equal
            states = [
                np.random.SeedSequence([self.seed, index]).generate_state(1, np.uint64) for index in group
            ]
            puzzles = generate_each([int(state) for [state] in states], **self._request(word))
            for index, puzzle in zip(group, map(Grid, puzzles), strict=True):
                rating = rate(puzzle)
                items[index] = {  # as reasoning-gym has them
                    "question": prompt(puzzle, self.layout),
                    "answer": symbols_of(solution_of(puzzle.cells)),
                    "metadata": {
                        "source_dataset": "unidoku",
                        "source_index": index,
                        "puzzle": puzzle.line,
                        "clues": puzzle.clues,
                        "er": rating.er,
                        "technique": rating.technique,
                        "difficulty": rating.difficulty,
                        "effort": rating.effort,
                    },
                }
        return [items[index] for index in indices]

    def score_answer(self, answer: object, entry: Mapping[str, Any]) -> float:
        """Return the score of an answer to an item, 0 to 1: 1 for a solution; see `unidoku.verify`."""
        return verify(entry["metadata"]["puzzle"], answer).score
