"""Rate puzzles beside other raters, by classes of ER: ``python bench/rating.py [SET...] [--number N]``.

``python bench/rating.py [SET...] --steps`` prints the speed of ``steps_many`` and of ``Steps`` on files (to
Parquet, with the columns of the default, and with the candidates too) beside ``rate_many`` and ``Rate``.

The sets are ``generated``, and those in the folders of `puzzle_sets`: public lists, the list of hard puzzles
(``hardest``), and the same with one or two clues added (``added``).

Both sides are timed in processor time, from rows to ratings; the number of unequal ratings stands beside each
ratio. A program is used if its variable names it: UNIDOKU_SUKAKU_FORGE (``sukaku-forge-rate``, standard input
and output), UNIDOKU_SKFR, UNIDOKU_SUDOKU_EXPLAINER and UNIDOKU_HODOKU (scripts called with the names of input
and output, whose lines end with ``ED=ER/EP/ED``, except those of HoDoKu, which has another scale); the
packages pencilmark and hodoku-py are used if they are installed. ``--raters`` chooses among these.
Java is timed warm: what the puzzles take when they come a second time.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from match import alternate
from puzzle_sets import DATA, FILES, puzzle_lines

from unidoku import lines, rate_many, run, solve, tasks
from unidoku.craft._generate import generate
from unidoku.rating._paths import steps_many

CLASSES = (0, 1.5, 2.5, 4.4, 6.2, 7.0, 7.5, 8.4, 8.9, 10.8, 11.4, 11.9)
HARDEST = ("hardest", "added")
Tuples = list[tuple[int, ...]]
Rate = Callable[[list[str]], tuple[Tuples, float]]


def puzzles_named(name: str, number: int) -> list[str]:
    """Return some puzzles of a set, as they are: the rating of an image may differ; none if it is absent."""
    if name == "generated":
        return lines(generate(number, seed=1, minimal=True))
    if name in HARDEST:
        paths = [path for folder in DATA if (path := folder / "se121-ratings.txt").is_file()]
        text = paths[0].read_text() if paths else ""
        puzzles = [line[:81] for line in text.partition("# hardest list\n")[2].splitlines()]
    else:
        puzzles = puzzle_lines(name) or []
    puzzles = puzzles[:: max(1, len(puzzles) // number)]
    return list(map(with_more_clues, puzzles)) if name == "added" else puzzles


def with_more_clues(puzzle: str) -> str:
    """Return a puzzle with one or two clues added, the same each time."""
    solved = solve(puzzle)
    assert solved is not None
    rng = np.random.default_rng(list(puzzle.encode()))
    empty = rng.permutation([cell for cell in range(81) if puzzle[cell] == "."])[: rng.integers(1, 3)]
    return "".join(solved.line[cell] if cell in empty else puzzle[cell] for cell in range(81))


def unidoku(puzzles: list[str]) -> tuple[Tuples, float]:
    """Rate with this package on one thread."""
    begin = time.process_time()
    found = rate_many(puzzles, threads=1)
    seconds = time.process_time() - begin
    tenths = ([round(10 * each) for each in column] for column in (found.er, found.ep, found.ed))
    return list(zip(*tenths, strict=True)), seconds


@dataclass(frozen=True)
class Program:
    """Another rater, its variable in the environment and its options."""

    name: str
    variable: str
    options: tuple[str, ...] = ()
    files: bool = True
    warm: bool = False

    def __call__(self, puzzles: list[str]) -> tuple[Tuples, float]:
        """Rate; no ratings are returned of another scale."""
        ratings, seconds = self._run(puzzles)
        return ratings, self._run([*puzzles, *puzzles])[1] - seconds if self.warm else seconds

    def _run(self, puzzles: list[str]) -> tuple[Tuples, float]:
        output, seconds = self.output(puzzles)
        ratings = [line.split()[-1].removeprefix("ED=").split("/") for line in output.splitlines() if line]
        return [tuple(round(10 * float(x)) for x in each) for each in ratings if len(each) == 3], seconds

    def output(self, puzzles: list[str]) -> tuple[str, float]:
        """Run the program; return what it writes, and its processor time."""
        command = [os.environ[self.variable], *self.options]
        text = "".join(f"{puzzle}\n" for puzzle in puzzles)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if self.files:
            with tempfile.TemporaryDirectory() as folder:
                source, target = Path(folder, "in"), Path(folder, "out")
                source.write_text(text)
                subprocess.run([*command, source, target], check=True, capture_output=True)
                output = target.read_text()
        else:
            output = subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


PROGRAMS = (
    Program("sukaku-forge", "UNIDOKU_SUKAKU_FORGE", ("--allow-uniqueness",), files=False),
    Program("skfr", "UNIDOKU_SKFR"),
    Program("Sudoku Explainer", "UNIDOKU_SUDOKU_EXPLAINER", warm=True),
    Program("HoDoKu", "UNIDOKU_HODOKU", warm=True),
)


def pencilmark(puzzles: list[str]) -> tuple[Tuples, float]:
    """Rate with the package pencilmark."""
    rate_with = importlib.import_module("pencilmark").rate
    begin = time.process_time()
    cards = [rate_with(puzzle, fields=["se_diuf"])["se_diuf"] for puzzle in puzzles]
    seconds = time.process_time() - begin
    return [tuple(round(10 * card[name]) for name in ("er", "ep", "ed")) for card in cards], seconds


def hodoku_py(puzzles: list[str]) -> tuple[Tuples, float]:
    """Rate with the package hodoku-py, which has another scale."""
    solver = importlib.import_module("hodoku.api").Solver()
    begin = time.process_time()
    for puzzle in puzzles:
        solver.rate(puzzle)
    return [], time.process_time() - begin


PACKAGES: dict[str, tuple[str, Rate]] = {
    "pencilmark": ("pencilmark", pencilmark),
    "hodoku-py": ("hodoku", hodoku_py),
}


def raters_here() -> dict[str, Rate]:
    """Return the other raters of this machine."""
    found: dict[str, Rate] = {program.name: program for program in PROGRAMS if program.variable in os.environ}
    return found | {
        name: rate for name, (module, rate) in PACKAGES.items() if importlib.util.find_spec(module)
    }


def steps(name: str, puzzles: list[str]) -> None:
    """Print how fast all steps are found and written, beside the ratings alone."""
    with tempfile.TemporaryDirectory() as folder:
        source, rated, walked = (Path(folder, name) for name in ("in.txt", "rated.parquet", "steps.parquet"))
        source.write_text("".join(f"{puzzle}\n" for puzzle in puzzles))
        columns = [*tasks.StepsTask.default_columns, "candidates"]
        works: list[Callable[[], object]] = [
            lambda: rate_many(puzzles, threads=1),
            lambda: steps_many(puzzles, threads=1),
            lambda: run(tasks.Rate(), source, rated, threads=1),
            lambda: run(tasks.StepsTask(), source, walked, threads=1),
            lambda: run(tasks.StepsTask(), source, walked, threads=1, columns=columns),
        ]
        seconds = alternate(works, 0, least=5)[:, :, 0].min(axis=0)
    for what, rate, walk in (("arrays", 0, 1), ("Parquet", 2, 3), ("Parquet with candidates", 2, 4)):
        print(
            f"{name:10} {what:24} ratings {len(puzzles) / seconds[rate]:8,.0f} a second, steps "
            f"{len(puzzles) / seconds[walk]:8,.0f}: {seconds[rate] / seconds[walk]:.2f} of the speed",
            flush=True,
        )


def main() -> None:
    """Print a table for each set and each rater."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=["generated", *FILES, "added"])
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--steps", action="store_true")
    here = raters_here()
    parser.add_argument("--raters", nargs="*", default=list(here), choices=list(here))
    options = parser.parse_args()
    raters = {name: rate for name, rate in here.items() if name in options.raters}
    for name in options.sets:
        puzzles = puzzles_named(name, options.number)
        if not puzzles:
            print(f"{name}: its list is not here (UNIDOKU_TEST_DATA)")
            continue
        if options.steps:
            steps(name, puzzles)
            continue
        er = np.array([row[0] for row in unidoku(puzzles)[0]])
        for low, high in [*pairwise(CLASSES), (0, 4.4), (0, 8.9), (0, 20)]:
            some = [puzzles[k] for k in np.flatnonzero((er > 10 * low) & (er <= 10 * high))]
            if not some:
                continue
            mine, seconds = min((unidoku(some) for _ in range(3)), key=lambda pair: pair[1])
            line = f"{name:10} {low:4} < ER <= {high:4} {len(some):6,} {seconds / len(some) * 1e6:10.1f} us"
            for rater, rate in raters.items():
                theirs, other = rate(some)
                line += f"   {rater}: {other / seconds:6.1f} times"
                if theirs:
                    line += f", {sum(a != b for a, b in zip(mine, theirs, strict=True))} unequal"
            print(line, flush=True)


if __name__ == "__main__":
    main()
