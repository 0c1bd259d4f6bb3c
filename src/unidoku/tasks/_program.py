"""Another solver, as a program: it reads puzzles as lines, and prints a number or a solution of each."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from time import perf_counter

from unidoku._arguments import MAX_COUNT
from unidoku._compat import NDArray, np
from unidoku.errors import Message, UnidokuError


class SolverProgram:
    """A program to measure.

    Parameters
    ----------
    command : str
        As a shell has it, such as ``./mysolver --fast``.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UnidokuError(Message("{command}: {error}", command=command, error=error)) from error
        if not self._words:
            raise UnidokuError(Message("--with needs a command, such as --with ./mysolver"))

    def run(self, puzzles: Sequence[str], seconds: float) -> tuple[list[str] | None, float]:
        """Return the line that it prints for each puzzle, and its processor time; None if it is cut off."""
        text, before = "".join(f"{puzzle}\n" for puzzle in puzzles), _time_of_children()
        try:
            done = subprocess.run(
                self._words, input=text, capture_output=True, text=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return None, _time_of_children() - before
        except OSError as error:
            reason = Message(error.strerror or type(error).__name__)
            raise UnidokuError(Message("{command}: {reason}", command=self.command, reason=reason)) from error
        spent, lines = _time_of_children() - before, [*map(str.strip, done.stdout.splitlines())]
        if done.returncode:
            said = done.stderr.strip().rpartition("\n")[2]
            message = Message("exit code {code} {said}", code=done.returncode, said=said)
            raise UnidokuError(Message("{command}: {message}", command=self.command, message=message))
        if len(lines) != len(puzzles):
            text = "{command}: {n} lines for {puzzles} puzzles; print one line for each"
            raise UnidokuError(Message(text, command=self.command, n=len(lines), puzzles=len(puzzles)))
        return lines, spent


def counts_and_solutions(
    lines: Sequence[str], known: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint8] | None]:
    """Return the numbers of solutions, and the solutions if the lines are these: 81 digits, or none.

    A solution says no number: it is the known one of a puzzle that has some.
    """
    if not any(len(line) == 81 for line in lines):
        numbers = [min(int(line), MAX_COUNT) if line.isdecimal() else 0 for line in lines]
        return np.array(numbers, np.uint64), None
    grids = [line if len(line) == 81 and line.isdecimal() else "0" * 81 for line in lines]
    solutions = np.frombuffer("".join(grids).encode(), np.uint8).reshape(-1, 81) - 48
    return np.where(solutions.any(axis=1), np.maximum(known[: len(lines)], np.uint64(1)), 0), solutions


def _time_of_children() -> float:
    """Return the processor time of the programs that have ended; the time of day if that is unknown."""
    try:
        import resource  # not at the top: Windows has none
    except ImportError:
        return perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
