"""Rate puzzles beside other raters, by classes of ER: ``python bench/rating.py [SET...] [--number N]``.

``python bench/rating.py --distribution --number N`` prints how the ratings of N generated puzzles are
distributed; attempts of seed 1 without a request, so that all are minimal.

Both sides are timed in processor time, from rows to ratings; the number of unequal ratings stands beside each
ratio.  A rater is used if its variable names a program: UNIDOKU_SUKAKU_FORGE (``sukaku-forge-rate``, standard
input and output), UNIDOKU_SUDOKU_EXPLAINER (called with the names of the input and the output).
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import subprocess
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
from puzzle_sets import DATA, FILES

from unidoku.benchmark import lines_of
from unidoku.craft.generate import generate
from unidoku.rating.se121 import rate_many

CLASSES = (0, 1.5, 2.5, 4.4, 6.2, 7.0, 7.5, 8.4, 8.9, 11.9)
Tuples = list[tuple[int, ...]]


def puzzles_named(name: str, number: int) -> list[str]:
    """Return some puzzles of a set, as they are: the rating of an image may differ."""
    if name == "generated":
        return lines_of(generate(number, seed=1, minimal=True))
    path = next(folder / FILES[name] for folder in DATA if (folder / FILES[name]).is_file())
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
    lines = [line[:81] for line in text.splitlines() if line and not line.startswith("#")]
    return lines[:: max(1, len(lines) // number)]


def unidoku(puzzles: list[str]) -> tuple[Tuples, float]:
    """Rate with this package on one thread."""
    begin = time.process_time()
    found = rate_many(puzzles, threads=1)
    seconds = time.process_time() - begin
    return list(zip(found.er.tolist(), found.ep.tolist(), found.ed.tolist(), strict=True)), seconds


def peer(command: list[str], puzzles: list[str], files: bool) -> tuple[Tuples, float]:
    """Rate with another program."""
    text = "".join(f"{puzzle}\n" for puzzle in puzzles)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if files:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "in"), Path(folder, "out")
            source.write_text(text)
            subprocess.run([*command, source, target], check=True, capture_output=True)
            output = target.read_text()
    else:
        output = subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    ratings = [line.split()[-1].removeprefix("ED=") for line in output.splitlines()]
    return [tuple(round(10 * float(x)) for x in each.split("/")) for each in ratings], seconds


def distribution(number: int) -> None:
    """Print the mean, the deviation and the maximum of ER, and the shares of difficulties and techniques."""
    found = rate_many(generate(number, seed=1))
    er = found.er / 10
    print(
        f"{number:,} puzzles: ER mean {er.mean():.3f}, standard deviation {er.std():.3f}, maximum {er.max()}"
    )
    for names in (found.difficulty, found.technique):
        for name, count in Counter(names).most_common():
            print(f"{count / number:8.3%}  {name}")


def main() -> None:
    """Print a table for each set and each rater."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=["generated", *FILES])
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--distribution", action="store_true")
    options = parser.parse_args()
    if options.distribution:
        distribution(options.number)
        return
    raters = []
    if program := os.environ.get("UNIDOKU_SUKAKU_FORGE"):
        raters.append(("sukaku-forge", [program, "--allow-uniqueness"], False))
    if program := os.environ.get("UNIDOKU_SUDOKU_EXPLAINER"):
        raters.append(("Sudoku Explainer", [program], True))
    for name in options.sets:
        puzzles = puzzles_named(name, options.number)
        er = np.array([row[0] for row in unidoku(puzzles)[0]])
        for low, high in [*pairwise(CLASSES), (0, 8.9), (0, 20)]:
            some = [puzzles[k] for k in np.flatnonzero((er > 10 * low) & (er <= 10 * high))]
            if not some:
                continue
            mine, seconds = min((unidoku(some) for _ in range(3)), key=lambda pair: pair[1])
            line = f"{name:10} {low:4} < ER <= {high:4} {len(some):6,} {seconds / len(some) * 1e6:10.1f} us"
            for rater, command, files in raters:
                theirs, other = peer(command, some, files)
                unequal = sum(a != b for a, b in zip(mine, theirs, strict=True))
                line += f"   {rater}: {other / seconds:6.1f} times, {unequal} unequal"
            print(line, flush=True)


if __name__ == "__main__":
    main()
