"""The solvers in Python: the textbook backtracker of unidoku, and packages of PyPI.

A package can take minutes for a puzzle: `puzzles_per_second` cuts it off.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzle_sets import fits

from peers import Absent, Solver, one_by_one
from unidoku import count
from unidoku.tasks.speed import count_naive, timed


def load(name: str) -> Solver:
    if name == "naive":
        return Solver(name, one_by_one(lambda line: str(count_naive(line))), most=10, is_right=counts_right)
    return Solver(name, one_by_one(solver(name)), most=10)


def counts_right(puzzle: str, answer: str) -> bool:
    """Test whether an answer is the number of solutions, up to 2."""
    return answer == str(count(puzzle, limit=2))


def solver(name: str) -> Callable[[str], str]:
    """Return the function of a package that finds a first solution, "" if there is none."""
    try:
        return LOADERS[name]()
    except ImportError as error:
        raise Absent(f"{name} is not installed: {error}") from None


def puzzles_per_second(name: str, lines: list[str], seconds: float) -> float:
    """Measure a package; a puzzle that it began and did not solve counts.  Its answers are checked."""
    done = timed(solver(name), lines, seconds, seconds)
    solved = 0
    for puzzle, (answer, _) in zip(lines, done, strict=False):
        if answer is not None and not fits(puzzle, str(answer)):
            raise Absent(f"wrong answer to the puzzle {puzzle}")
        solved += answer is not None
    if not solved:
        raise Absent(f"no puzzle solved in {seconds:g} seconds")
    return solved / sum(spent for _, spent in done)


def _py_sudoku() -> Callable[[str], str]:
    from sudoku import Sudoku

    def solve(line: str) -> str:
        rows = [[int(c) if c != "." else None for c in line[k : k + 9]] for k in range(0, 81, 9)]
        board = Sudoku(3, 3, board=rows).solve().board
        return "".join(str(value or ".") for row in board for value in row)

    return solve


def _sudokutools() -> Callable[[str], str]:
    from sudokutools.solve import dlx
    from sudokutools.sudoku import Sudoku

    def solve(line: str) -> str:
        found = next(dlx(Sudoku.decode(line.replace(".", "0"))), None)
        return "" if found is None else "".join(str(found.encode()).split())

    return solve


def _dokusan() -> Callable[[str], str]:
    from dokusan.boards import BoxSize, Sudoku
    from dokusan.exceptions import Unsolvable
    from dokusan.solvers import backtrack

    def solve(line: str) -> str:
        try:
            return str(backtrack(Sudoku.from_string(line.replace(".", "0"), box_size=BoxSize(3, 3))))
        except Unsolvable:
            return ""

    return solve


LOADERS = {"py-sudoku": _py_sudoku, "sudokutools": _sudokutools, "dokusan": _dokusan}
