"""Instructions of the native kernels against a stored baseline, under valgrind.

    python bench/regression.py             compare with regression.json
    python bench/regression.py --update    store what is measured

Guesses and rounds are exact and tested in `tests/native/test_one.py`; the remaining factor is the work of a
round, of a guess and of a term of the sum.  Instructions do not depend on the machine or on other work on it,
but on the compiler: the baseline has a row for each compiler and its major version.  Valgrind does not know
AVX-512.  Engines without instruction sets have one row.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from array import array
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from unidoku import Grid, IsaError, kernel, minimize_many, solve_many
from unidoku.native import cpu
from unidoku.native.steps import search_cells
from unidoku.native.text import columns
from unidoku.native.text.fields import FieldScanner
from unidoku.native.text.render import render
from unidoku.native.text.scan import Scanner

BASELINE = Path(__file__).with_suffix(".json")
TOLERANCE = 0.03  # compilers of one major version, and two builds with one compiler, differ a little
DRIFT = 0.01  # from here on a change is named: several small ones add up
FORMS = ("avx2", "base")
# work -> the compiled functions whose instructions are counted, with all that they call
WORKS = {
    "lanes": ["solve_cells"],
    "one": ["solve_cells"],
    "count": ["work"],
    "rating": ["rate_cells"],
    "symmetry": ["least_images"],
    "solutions": ["least_through_solutions"],
    "effort": ["efforts"],
    "steps": ["search_cells"],
    "text": ["scan", "render"],
    "columns": ["read_cells", "read_rows"],
    "fields": ["scan"],
    "clues": ["propose", "learn"],
}
WITHOUT_FORMS = ("steps", "text", "columns", "fields", "clues")
SPARSE = "...2..9....1.....6.....8....6..........4.7....3.......8......5..2.....9.....3...."
PUZZLES = 500
PROPER = ("rating", "steps", "clues", "solutions", "effort")  # their puzzles have one solution
SOME = {"rating": 100, "symmetry": 100, "steps": 30, "clues": 10}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="store the numbers as the baseline")
    parser.add_argument("--run", nargs=2, metavar=("WORK", "FORM"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run(*arguments.run)
        return
    if shutil.which("valgrind") is None:
        print("skipped: no valgrind on this machine")
        return
    stored = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    worse, drift = False, list[str]()
    built_by = cpu.compiler().partition(".")[0]
    row = stored.setdefault(built_by, {})
    for work, name in [*product(WORKS, FORMS)]:
        if work in WITHOUT_FORMS and name != FORMS[-1]:
            continue
        try:
            kernel.isa_module(name)
        except IsaError as error:
            print(f"{name} skipped: {error}")
            continue
        key = work if work in WITHOUT_FORMS else f"{work} {name}"
        number = instructions(work, name)
        before = row.get(key)
        if arguments.update:
            row[key] = number
        if before is None:
            verdict = f"no baseline for {built_by}"
        else:
            change = f"{number / before - 1:+.2%}"
            verdict = f"{change}, {built_by}"
            worse |= number > before * (1 + TOLERANCE)
            drift += [f"{key} {change}"] * (abs(number / before - 1) > DRIFT)
        print(f"{key:14} {number:14,} instructions  {verdict}")
    if drift:
        print(f"more than {DRIFT:.0%} from the baseline, to be explained or stored: {', '.join(drift)}")
    if arguments.update:
        BASELINE.write_text(json.dumps(stored, indent=4, sort_keys=True) + "\n")
    elif worse:
        raise SystemExit(f"more than {TOLERANCE:.0%} above the baseline")


def instructions(work: str, name: str) -> int:
    """Instructions of a work, as callgrind counts them."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]
    command += [f"--toggle-collect=__pyx_pw_*{function}" for function in WORKS[work]]
    done = subprocess.run(
        [*command, sys.executable, __file__, "--run", work, name], capture_output=True, text=True, check=False
    )
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or collected is None or collected[1] == "0":
        raise SystemExit(f"valgrind failed:\n{done.stderr}")
    return int(collected[1])


def run(work: str, name: str) -> None:
    """The work itself, in the process that valgrind watches."""
    if work == "count":
        cells = bytes(int(cell) if cell != "." else 0 for cell in SPARSE)
        kernel.isa_module(name, "count").Sum(cells).work()
        return
    text = files("unidoku").joinpath("data/sample.txt").read_text(encoding="ascii")
    lines = [line[:81] for line in text.splitlines()[2:] if work not in PROPER or line.endswith("\t1")]
    lines = lines[: SOME.get(work, PUZZLES)]
    n = len(lines)
    puzzles, starts = "".join(lines).encode(), array("q", range(0, 81 * n, 81))
    if work == "rating":
        outputs = {output: bytearray(n) for output in ("er", "ep", "ed", "techniques", "names", "outcomes")}
        kernel.isa_module(name, "rating").rate_cells(puzzles, starts, zero=48, **outputs)
        return
    if work == "symmetry":
        kernel.isa_module(name, "symmetry").least_images(puzzles, starts, bytearray(81 * n))
        return
    if work == "solutions":
        grids = solve_many(lines).solution.reshape(-1)
        symmetry = kernel.isa_module(name, "symmetry")
        symmetry.least_through_solutions(puzzles, starts, grids, bytearray(81 * n))
        return
    if work == "effort":
        kernel.isa_module(name, "effort").efforts(puzzles, starts, array("h", bytes(2 * n)), zero=48)
        return
    if work == "columns":
        columns.read_cells(puzzles, starts, bytearray(81 * n))
        columns.read_rows([[*grid] for grid in map(Grid, lines)], bytearray(81 * n), Grid)
        return
    if work == "fields":
        table = "".join(f"{number},{line},medium\n" for number, line in enumerate(lines)).encode()
        FieldScanner(ord(","), 3, 1).scan(bytearray(table), 0, len(table))
        return
    if work == "steps":
        wide = ("steps", "solutions", "level_step", "first_steps", "first_level_step")
        narrow = ("biggest_level", "first_level", "outcomes")
        outputs: dict[str, Any] = {output: memoryview(bytearray(8 * n)).cast("Q") for output in wide}
        outputs |= {output: bytearray(n) for output in narrow}
        search_cells(puzzles, starts, **outputs)
        return
    if work == "text":
        scanner = Scanner()
        scanner.scan(text.encode(), 0, len(text))
        count = len(scanner.starts)
        render("csv", count, [("puzzle", ("cells", count, (text.encode(), scanner.starts, 48), None))])
        return
    if work == "clues":
        minimize_many(solve_many(lines).solution, seed=1, threads=1)
        return
    kernel.isa_module(name).solve_cells(
        puzzles,
        starts,
        counts=bytearray(8 * n),
        solutions=bytearray(81 * n),
        rounds=bytearray(8 * n) if work == "one" else None,  # what only the kernel for one puzzle reports
    )


if __name__ == "__main__":
    main()
