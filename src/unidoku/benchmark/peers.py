"""Other solvers, all in Python: the textbook backtracker of unidoku, and packages from PyPI if installed.

One puzzle can take them minutes, and they cannot be interrupted.  Therefore each runs in a separate process
that is killed when its time is up.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from threading import Timer
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["PEERS", "Absent", "Peer", "PeerRun", "is_installed", "run_peer", "serve"]

_START = 10.0  # seconds that a process may take to import its solver


class Absent(Exception):
    """A solver is not installed or cannot be started; the message gives the reason."""


class Peer(NamedTuple):
    """A solver.

    Attributes
    ----------
    module : str
        Module to import.
    load : callable
        Imports the solver and returns the function to time.  The function takes a line of 81 cells (``.`` for
        an empty cell).  For the task ``solve`` it returns the first solution as a line, or any other text if
        there is none; for ``count``, the number of solutions, at most 2, as text.
    task : str
        ``count`` or ``solve``.
    """

    module: str
    load: Callable[[], Callable[[str], str]]
    task: Literal["count", "solve"]


class PeerRun(NamedTuple):
    """The results of a solver within its time.

    Attributes
    ----------
    answers : list of str
        One per completed puzzle.
    walls, processors : list of float
        Seconds for each completed puzzle.
    seconds : float
        Total wall time, including an unfinished last puzzle.
    error : str
        Why the solver failed; empty if it did not.
    """

    answers: list[str]
    walls: list[float]
    processors: list[float]
    seconds: float
    error: str


def _naive() -> Callable[[str], str]:
    from unidoku.naive import count_solutions

    return lambda line: str(count_solutions([line[k : k + 9] for k in range(0, 81, 9)], 2))


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
        return "" if found is None else str(found.encode())

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


PEERS = {
    "naive": Peer("unidoku.naive", _naive, "count"),
    "py-sudoku": Peer("sudoku", _py_sudoku, "solve"),
    "sudokutools": Peer("sudokutools", _sudokutools, "solve"),
    "dokusan": Peer("dokusan", _dokusan, "solve"),
}
"""The solvers by name."""


def is_installed(name: str) -> bool:
    """Test whether a solver of `PEERS` can be imported."""
    return find_spec(PEERS[name].module.partition(".")[0]) is not None


def run_peer(name: str, lines: Sequence[str], seconds: float) -> PeerRun:
    """Run a solver on puzzles, one after the other, until its time is up.

    Parameters
    ----------
    name : str
        A key of `PEERS`.
    lines : sequence of str
        Puzzles of 81 cells.
    seconds : float
        Wall time, counted from when the solver is imported.

    Returns
    -------
    PeerRun

    Raises
    ------
    Absent
        It is not installed, or its process cannot be started.
    """
    if not is_installed(name):
        raise Absent("not installed")
    try:
        process = subprocess.Popen(
            # -P: no module is imported from the current folder
            [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({name!r})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise Absent(f"no process: {error}") from error
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    timer = Timer(_START, process.kill)
    timer.start()
    with process:
        try:
            try:
                process.stdin.write("\n".join(lines) + "\n")
                process.stdin.close()
            except OSError:  # it has ended; standard error has the reason
                pass
            ready = process.stdout.readline()
            timer.cancel()
            if ready != "ready\n":
                reason = process.stderr.read().strip().splitlines()
                raise Absent(reason[-1] if reason else f"does not start within {_START:g} seconds")
            begin = perf_counter()
            timer = Timer(seconds, process.kill)
            timer.start()
            rows = [line[:-1].split("\t") for line in process.stdout if line.endswith("\n")]
            walls, processors = ([float(row[column]) for row in rows] for column in (0, 1))
            answers = [row[2] for row in rows]
            done = len(answers) == len(lines)
            spent = sum(walls) if done else perf_counter() - begin
            late = perf_counter() - begin >= seconds
            errors = [] if done or late else process.stderr.read().strip().splitlines()
            failure = "" if done or late else (errors[-1] if errors else "ended early")
            return PeerRun(answers, walls, processors, spent, failure)
        finally:
            timer.cancel()
            process.kill()


def serve(name: str) -> None:
    """Solve the puzzles of standard input; write times and answer of each as a line.

    Parameters
    ----------
    name : str
        A key of `PEERS`.
    """
    output, sys.stdout = sys.stdout, sys.stderr  # a solver may print
    lines = sys.stdin.read().split()
    solve = PEERS[name].load()
    print("ready", file=output, flush=True)
    for line in lines:
        begin, wall = process_time(), perf_counter()
        answer = solve(line)
        end, wall_end = process_time(), perf_counter()
        print(wall_end - wall, end - begin, "".join(answer.split()), sep="\t", file=output, flush=True)
