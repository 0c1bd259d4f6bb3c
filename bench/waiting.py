"""What a person waits for: one puzzle a call, `check_many` in each form, small commands; checks and ratings.

    python bench/waiting.py [word …] [--turns N]      only the rows whose names begin with one of the words

Each row and its yardstick run in processes of their own, because memory that an earlier call left hides what
a form costs, and in turn with another installation of unidoku if UNIDOKU_BEFORE names its Python: of the
version before a change, or built by another compiler. UNIDOKU_ISA chooses the instruction set of both.
Figures are microseconds of processor time (a call; of several puzzles, a puzzle; of a command, the process),
the least of several. Beside them stand the ratio to the yardstick, and how many times as fast the row is as
the other installation.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PASS = "python -c pass"
FILES = {"in": [PUZZLE] * 50}
SETS = {"17clue": 49_158, "generated": 1000, "top1465": 1465, "several": 10_000}
"""The puzzles of files that the statements read: those of `puzzle_sets` that are there."""
MEASURE = """
import sys, time, timeit
timer = timeit.Timer(*sys.argv[1:], timer=time.process_time)
once = [timer.timeit(1) for _ in range(2)][1] or 1e-6
number = min(int(0.02 / once) + 1, 1000)
print(min(timer.repeat(min(int(0.3 / once / number) + 1, 30), number)) / number)
"""
SETUP = f"""
import itertools, unidoku
puzzle, seeds = {PUZZLE!r}, itertools.count()
def lines(name, number=10**6): return open(name + ".txt").read().split()[:number]
"""
NUMBERS = "; import numpy as np; codes = np.array(few, 'S81').view(np.uint8).reshape(-1, 81)"


@dataclass(frozen=True)
class Row:
    """A statement, or the words of a command; what it needs; its puzzles; the name of its yardstick."""

    work: str | list[str]
    setup: str = ""
    number: int = 1
    beside: str = ""

    def seconds(self, python: str) -> float:
        """Return the processor time of a puzzle, in a process of its own in this folder."""
        if isinstance(self.work, str):
            command = [python, "-c", MEASURE, self.work, SETUP + self.setup]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            return float(done.stdout) / self.number
        times = []
        for _ in range(3):
            process = subprocess.Popen(
                [python, *self.work],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},  # the first run compiles the modules
            )
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            times.append(usage.ru_utime + usage.ru_stime)
        return min(times)


def many(call: str, name: str, number: int, beside: str = "") -> Row:
    """Return a call for the first puzzles of a file, on one thread."""
    setup = f"few = lines({name!r}, {number})"
    return Row(f"unidoku.{call}(few, threads=1)", setup, number, beside)


def form(text: str) -> Row:
    """Return a check of the puzzles in a form."""
    setup = f"few = lines('17clue'){NUMBERS}; form = {text}"
    return Row("unidoku.check_many(form, threads=1)", setup, SETS["17clue"], "form numbers")


def command(*words: str) -> Row:
    return Row(["-m", "unidoku", *words], beside=PASS)


ROWS = {
    "generate(1)": Row("unidoku.generate(1, seed=next(seeds))", beside="one of 10,000 new"),
    "minimize": Row("unidoku.minimize(puzzle, seed=next(seeds))", beside="one of 10,000"),
    "hint": Row("unidoku.hint(puzzle)", beside="check"),
    "steps": Row("unidoku.steps(puzzle)", beside="check"),
    "run_many(Rate())": Row(
        "unidoku.run_many(unidoku.tasks.Rate(), few, threads=1)",
        "few = lines('17clue', 500)",
        beside="rate_many of 500",
    ),
    "check_many of 1": Row("unidoku.check_many([puzzle])", beside="check"),
    "check_many of 20": Row("unidoku.check_many(few)", "few = lines('17clue', 20)", beside="check of each"),
    "steps_many of 1,000": many("steps_many", "17clue", 1000, "check of each"),
    "form ASCII": form("np.where(codes == ord('0'), ord('.'), codes)"),
    "form lines of bytes": form("'\\n'.join([*few, '']).encode()"),
    "form Arrow": form("__import__('pyarrow').array(few)"),
    "form texts": form("few"),
    "form S81": form("np.array(few, 'S81')"),
    "form U81": form("np.array(few, 'U81')"),
    "command check P": command("check", PUZZLE),
    "command solve P": command("solve", PUZZLE),
    "command hint P": command("hint", PUZZLE),
    "command check -o x.csv": command("check", "-q", "in.txt", "-o", "x.csv"),
    "command solve -o x.csv": command("solve", "-q", "in.txt", "-o", "x.csv"),
    **{f"check {name}": many("check_many", name, SETS[name]) for name in ("17clue", "top1465", "several")},
    **{f"rate {name}": many("rate_many", name, 1000) for name in ("generated", "top1465")},
}
YARDSTICKS = {
    "one of 10,000 new": Row("unidoku.generate(10_000, seed=1, threads=1)", number=10_000),
    "one of 10,000": Row("unidoku.craft.minimize_many([puzzle] * 10_000, seed=1, threads=1)", number=10_000),
    "check": Row("unidoku.check(puzzle)"),
    "check of each": Row("for each in few: unidoku.check(each)", "few = lines('17clue', 2000)", 2000),
    "rate_many of 500": Row("unidoku.rate_many(few, threads=1)", "few = lines('17clue', 500)"),
    "form numbers": form("np.where(codes > ord('.'), codes - ord('0'), 0).astype(np.uint8)"),
    PASS: Row(["-c", "pass"]),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="word")
    parser.add_argument("--turns", type=int, default=4)
    arguments = parser.parse_args()
    pythons = list(dict.fromkeys([sys.executable, os.environ.get("UNIDOKU_BEFORE", sys.executable)]))
    print(f"{'':24}{'us':>9}  {'yardstick':20}{'ratio':>7}{'before, us':>12}{'times as fast':>15}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        missing = write_files()
        for name, row in ROWS.items():
            if arguments.words and not name.startswith(tuple(arguments.words)):
                continue
            if name.partition(" ")[2] in missing:
                print(f"{name:24} its list is not here (UNIDOKU_TEST_DATA)")
            else:
                print(line_of(name, row, pythons, arguments.turns), flush=True)


def write_files() -> set[str]:
    """Write the puzzles into files of this folder; return the names of the sets that are not here."""
    from puzzle_sets import few_clues, named_set

    import unidoku

    puzzles: dict[str, list[str] | None] = {name: named_set(name, number) for name, number in SETS.items()}
    puzzles |= FILES | {"17clue": (few_clues() * 99)[: SETS["17clue"]]}
    puzzles["generated"] = unidoku.lines(unidoku.generate(SETS["generated"], seed=1, minimal=True))
    for name, lines in puzzles.items():
        Path(f"{name}.txt").write_text("\n".join([*(lines or []), ""]), encoding="ascii")
    return {name for name, lines in puzzles.items() if lines is None}


def line_of(name: str, row: Row, pythons: list[str], turns: int) -> str:
    """Measure a row in turn with each Python, and its yardstick with the first."""
    yardstick = YARDSTICKS.get(row.beside)
    turns_of: dict[str, list[float]] = {python: [] for python in pythons}
    others: list[float] = []
    for python in chain.from_iterable(repeat(pythons, turns)):
        turns_of[python].append(row.seconds(python))
        if yardstick and python == pythons[0]:
            others.append(yardstick.seconds(python))
    own, *before = (min(times) for times in turns_of.values())
    ratio = f"{own / min(others):7.2f}" if others else f"{'':7}"
    compared = "".join(f"{figure(other):>12}{other / own:15.2f}" for other in before)
    return f"{name:24}{figure(own)}  {row.beside:20}{ratio}{compared}"


def figure(seconds: float) -> str:
    """Return microseconds, with three digits if they are few."""
    microseconds = 1e6 * seconds
    return f"{microseconds:9,.0f}" if microseconds >= 1000 else f"{microseconds:9.3g}"


if __name__ == "__main__":
    main()
