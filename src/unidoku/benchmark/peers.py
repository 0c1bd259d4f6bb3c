"""Other solvers, all in Python: the textbook backtracker of unidoku, and packages from PyPI if installed.

One puzzle can take them minutes.  Therefore each runs in a separate process, which interrupts a puzzle at its
limit and begins none after the time is up; a process that does not end then is killed.
"""

from __future__ import annotations

import subprocess
import sys
from _thread import interrupt_main
from importlib.util import find_spec
from threading import Timer
from time import perf_counter, process_time, sleep
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["PEERS", "Absent", "Peer", "PeerRun", "is_installed", "run_peer", "serve"]

_START = 10.0  # seconds that a process may take to import its solver
_GRACE = 1.0  # seconds after the last limit until a process is killed


class Absent(Exception):
    """A solver is not installed or cannot be started; the message gives the reason."""


class Peer(NamedTuple):
    """A solver."""

    module: str
    load: Callable[[], Callable[[str], str]]
    task: Literal["count", "solve"]


class PeerRun(NamedTuple):
    """The results of a solver for the puzzles that it began."""

    answers: list[str | None]
    seconds: list[float]
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


def run_peer(name: str, lines: Sequence[str], seconds: float, limit: float) -> PeerRun:
    """Run a solver on puzzles, one after the other, until its time is up."""
    if not is_installed(name):
        raise Absent("not installed")
    try:
        process = subprocess.Popen(
            # -P: no module is imported from the current folder
            [
                sys.executable,
                "-P",
                "-c",
                f"from {__name__} import serve; serve({name!r}, {seconds}, {limit})",
            ],
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
            end = perf_counter() + seconds + limit + _GRACE
            timer = Timer(end - perf_counter(), process.kill)
            timer.start()
            rows = [line[:-1].split("\t") for line in process.stdout if line.endswith("\n")]
            errors = process.stderr.read().strip().splitlines()
            failure = ""
            if perf_counter() >= end:
                failure = f"does not stop at its limit of {limit:g} seconds"
            elif process.wait() != 0:
                failure = errors[-1] if errors else "ended early"
            return PeerRun(
                [row[1] if len(row) > 1 else None for row in rows], [float(row[0]) for row in rows], failure
            )
        finally:
            timer.cancel()
            process.kill()


def serve(name: str, seconds: float, limit: float) -> None:
    """Solve the puzzles of standard input; write processor time and answer of each as a line.

    A puzzle that was cut off has no answer.
    """
    output, sys.stdout = sys.stdout, sys.stderr  # a solver may print
    lines = sys.stdin.read().split()
    solve = PEERS[name].load()
    print("ready", file=output, flush=True)
    end = perf_counter() + seconds
    for line in lines:
        begin = process_time()
        try:
            timer = Timer(limit, interrupt_main)
            timer.start()
            try:
                answer = solve(line)
                spent = process_time() - begin
            finally:
                timer.cancel()
            timer.join()
            sleep(0)  # an interrupt that came just now is raised here
        except KeyboardInterrupt:
            print(process_time() - begin, file=output, flush=True)
        else:
            print(spent, "".join(answer.split()), sep="\t", file=output, flush=True)
        if perf_counter() >= end:
            break
