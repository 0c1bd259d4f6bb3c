"""Schoku, as the program that UNIDOKU_SCHOKU names, in a process of its own: it reads and writes files.

It counts to two with ``-rM`` and finds one solution with ``-rO``.  Its time is the processor time of the
process minus that of a process that solves one puzzle.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from peers import Absent, Solver, Work


def load() -> Solver:
    program = os.environ.get("UNIDOKU_SCHOKU", "")
    if not program:
        raise Absent("UNIDOKU_SCHOKU names no program")
    if not os.access(program, os.X_OK):
        raise Absent(f"UNIDOKU_SCHOKU: {program} cannot be run")
    from resource import RUSAGE_CHILDREN, getrusage  # not on Windows

    def prepare(lines: list[str], limit: int = 2) -> Work:
        folder = tempfile.TemporaryDirectory(prefix="unidoku-bench-")  # the work keeps it
        puzzles, solutions = Path(folder.name, "puzzles.txt"), Path(folder.name, "solutions.txt")
        puzzles.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        first = Path(folder.name, "first.txt")
        first.write_text(f"{lines[0]}\n", encoding="ascii")
        spent = [0.0]

        def used(file: Path) -> float:
            before = getrusage(RUSAGE_CHILDREN)
            command = [program, "-t1", "-rM" if limit > 1 else "-rO", str(file), str(solutions)]
            subprocess.run(command, capture_output=True, check=True)
            after = getrusage(RUSAGE_CHILDREN)
            return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

        start = min(used(first) for _ in range(5))

        def run() -> None:
            spent[0] = used(puzzles) - start

        def answers() -> list[str]:
            rows = solutions.read_text(encoding="ascii", errors="replace").splitlines()
            return [row[82:163] for row in rows]

        def seconds() -> float:
            assert folder.name
            return spent[0]

        return Work(run, answers, seconds=seconds)

    return Solver("Schoku", prepare)
