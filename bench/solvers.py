"""Solvers whose speed is measured: unidoku with each instruction set, the textbook backtracker, others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unidoku import kernel
from unidoku._compat import np
from unidoku._table.forms import read_cells
from unidoku.naive import count_solutions, solve_sudoku
from unidoku.tasks._single import check, count, solve
from unidoku.tasks._speed import batch_call

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Answers(NamedTuple):
    """What a solver says about puzzles: the numbers of solutions up to the limit, or solutions, or both.

    A solution is a line of 81 digits, "" where there is none, or a row of an array of values or characters.
    """

    counts: Sequence[int] | NDArray[np.uint64] | None = None
    solutions: Sequence[str] | NDArray[np.uint8] | None = None


Call: TypeAlias = Literal["batch", "single"]

Work: TypeAlias = Callable[[], Answers]
"""A timed call: solves all its puzzles."""


@dataclass(frozen=True)
class Solver:
    """A solver: `prepare` returns its work for puzzles (lines with dots) and a limit.

    `limits` are what it can do: 1 finds a solution, 2 tells whether a puzzle is proper; `remark` says why it
    lacks one. A batch is solved by one call. `isa` is the instruction set of unidoku to compare with, if it
    is not the one in use. `guesses` returns the mean number of them for puzzles and a limit, and of rounds of
    propagation, if they are known.
    """

    name: str
    prepare: Callable[[list[str], int], Work]
    call: Call = "single"
    limits: tuple[int, ...] = (2, 1)
    remark: str = ""
    isa: str = ""
    threads: int = 1
    guesses: Callable[[list[str], int], tuple[float | None, float | None]] = lambda *_: (None, None)


def one_by_one(
    find: Callable[[str], str] | None = None, tell: Callable[[str, int], int] | None = None
) -> Callable[[list[str], int], Work]:
    """Return `prepare` for functions of one line: a solution, and the number of solutions up to a limit."""

    def prepare(puzzles: list[str], limit: int) -> Work:
        solve, count = find, tell
        if limit == 1 and solve is not None:
            return lambda: Answers(None, [solve(line) for line in puzzles])
        assert count is not None
        return lambda: Answers([count(line, limit) for line in puzzles])

    return prepare


def unidoku_solver(isa: str, call: Call = "batch", threads: int = 1) -> Solver:
    """Return unidoku as a solver: of a batch with any instruction set, of one puzzle with that in use."""
    name = f"unidoku {isa}"
    if call == "batch":
        return Solver(
            name,
            lambda text, limit: _batch(batch_call(isa, read_cells(text)[0], limit, threads)),
            "batch",
            threads=threads,
            guesses=lambda text, limit: _guesses(isa, text, limit, "batch"),
        )
    return Solver(name, _single, guesses=lambda text, limit: _guesses(isa, text, limit, "single"))


def _batch(call: Callable[[], tuple[Any, Any]]) -> Work:
    """Return a call of the package as the work of a solver."""
    return lambda: Answers(*call())


def _single(text: list[str], limit: int) -> Work:
    """Return a call that solves the puzzles one by one, as a user of Python does."""
    if limit == 1:
        return lambda: Answers(None, [grid.line if (grid := solve(line)) else "" for line in text])
    if limit == 2:
        return lambda: Answers([int(check(line)) for line in text])
    return lambda: Answers([count(line, limit=limit) for line in text])


def _guesses(isa: str, text: list[str], limit: int, call: Call) -> tuple[float | None, float | None]:
    """Return the mean guesses, and for one puzzle a call the mean rounds of propagation."""
    guesses, rounds = search_effort(read_cells(text)[0], limit, isa, with_rounds=call == "single")
    return float(guesses.mean()), None if rounds is None else float(rounds.mean())


def search_effort(
    rows: NDArray[np.uint8], limit: int, isa: str | None = None, *, with_rounds: bool = True
) -> tuple[NDArray[np.uint64], NDArray[np.uint64] | None]:
    """Return the guesses of each puzzle, and the rounds of propagation."""
    counts, guesses, rounds = np.zeros((3, len(rows)), np.uint64)
    kernel.isa_module(isa).solve_cells(
        *kernel.with_starts(rows),
        zero=0,
        limit=limit,
        counts=counts,
        guesses=guesses,
        rounds=rounds if with_rounds else None,
    )
    return guesses, rounds if with_rounds else None


def _naive_find(line: str) -> str:
    board = [[*line[k : k + 9]] for k in range(0, 81, 9)]
    return "".join(map("".join, board)) if solve_sudoku(board) else ""


NAIVE = Solver("naive", one_by_one(_naive_find, count_solutions))
"""The textbook backtracker."""
