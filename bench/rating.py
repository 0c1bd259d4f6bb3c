"""Rate puzzles beside other raters, by classes of ER: ``python bench/rating.py [SET...] [--number N]``.

``python bench/rating.py --distribution --number N`` prints how the ratings of N generated puzzles are
distributed; attempts of seed 1 without a request, so that all are minimal.

``python bench/rating.py [SET...] --symmetries`` prints for each rater for how many of N puzzles one of eight
random images has another rating, and how many of all ratings are unequal to ours.

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
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from puzzle_sets import DATA, FILES

from unidoku.benchmark import lines_of, random_images
from unidoku.craft.generate import generate
from unidoku.rating.se121 import rate_many

CLASSES = (0, 1.5, 2.5, 4.4, 6.2, 7.0, 7.5, 8.4, 8.9, 11.9)
IMAGES = 8
Tuples = list[tuple[int, ...]]
Rater = tuple[str, Callable[[list[str]], tuple[Tuples, float]]]


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


def peer(command: list[str], puzzles: list[str], *, files: bool) -> tuple[Tuples, float]:
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


def symmetries(puzzles: list[str], raters: list[Rater]) -> None:
    """Print for each rater how many puzzles have an image with another rating, and the unequal ratings."""
    images = [*puzzles, *(line for seed in range(IMAGES) for line in lines_of(random_images(puzzles, seed)))]
    mine: Tuples = []
    for rater, rate in raters:
        rows, _ = rate(images)
        mine = mine or rows
        unequal = sum(a != b for a, b in zip(mine, rows, strict=True))
        table = np.array(rows).reshape(IMAGES + 1, len(puzzles), 3)
        changed = (table != table[0]).any(0)
        print(
            f"  {rater:16} ER changes for {changed[:, 0].sum()} of {len(puzzles)}, ER, EP or ED for "
            f"{changed.any(1).sum()}; {unequal} of {len(rows):,} unequal",
            flush=True,
        )


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
    parser.add_argument("--symmetries", action="store_true")
    options = parser.parse_args()
    if options.distribution:
        distribution(options.number)
        return
    raters: list[Rater] = []
    if program := os.environ.get("UNIDOKU_SUKAKU_FORGE"):
        raters.append(("sukaku-forge", partial(peer, [program, "--allow-uniqueness"], files=False)))
    if program := os.environ.get("UNIDOKU_SUDOKU_EXPLAINER"):
        raters.append(("Sudoku Explainer", partial(peer, [program], files=True)))
    for name in options.sets:
        puzzles = puzzles_named(name, options.number)
        if options.symmetries:
            print(name)
            symmetries(puzzles, [("unidoku", unidoku), *raters])
            continue
        er = np.array([row[0] for row in unidoku(puzzles)[0]])
        for low, high in [*pairwise(CLASSES), (0, 8.9), (0, 20)]:
            some = [puzzles[k] for k in np.flatnonzero((er > 10 * low) & (er <= 10 * high))]
            if not some:
                continue
            mine, seconds = min((unidoku(some) for _ in range(3)), key=lambda pair: pair[1])
            line = f"{name:10} {low:4} < ER <= {high:4} {len(some):6,} {seconds / len(some) * 1e6:10.1f} us"
            for rater, rate in raters:
                theirs, other = rate(some)
                unequal = sum(a != b for a, b in zip(mine, theirs, strict=True))
                line += f"   {rater}: {other / seconds:6.1f} times, {unequal} unequal"
            print(line, flush=True)


if __name__ == "__main__":
    main()
