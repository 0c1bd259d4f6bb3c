"""Instructions of the native kernels against a stored baseline, under valgrind.

    python bench/regression.py              compare with regression.json
    python bench/regression.py --update     store what the kernels take
    python bench/regression.py --release    store what the calls take, of a release

Guesses and rounds are exact and tested in `tests/native/test_one.py`; the remaining factor is the work of a
round, of a guess and of a term of the sum.  Instructions do not depend on the machine or on other work on it,
but on the compiler: the baseline has a row for each compiler and its major version.  Valgrind does not know
AVX-512.  Engines without instruction sets have one row.

The rows of calls are public functions with their Python code: an array of 50,000 puzzles, and what one puzzle
costs in each function for one and for many.  They depend on the version of Python, too, and are compared with
the last release; what takes 5 % more is printed, and no error.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from array import array
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import unidoku
from unidoku import Grid, kernel, solve_many
from unidoku._native import cpu
from unidoku._native.steps import search_cells
from unidoku._native.text import columns
from unidoku._native.text.fields import FieldScanner
from unidoku._native.text.render import render
from unidoku._native.text.scan import Scanner
from unidoku.craft._minimize import minimize_many
from unidoku.errors import IsaError

BASELINE = Path(__file__).with_suffix(".json")
TOLERANCE = 0.03  # compilers of one major version, and two builds with one compiler, differ a little
SLOWER = 0.05  # from here on a call is named that takes more than in the last release
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
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BEGIN, END = "getppid", "getpgrp"  # system calls that mark a call, which nothing else makes
_MANY = ("check_many", "solve_many", "count_many", "rate_many", "steps_many")
_NOTHING = "(nothing)"
CALLS = {
    _NOTHING: "None",
    "check_many of 50,000": "unidoku.check_many(array, threads=1)",
    "solve_many of 50,000": "unidoku.solve_many(array, threads=1)",
    **{f"{name} of 1": f"unidoku.{name}([puzzle])" for name in _MANY},
    "canonical_many of 1": "unidoku.craft.canonical_many([puzzle])",
    "minimize_many of 1": "unidoku.craft.minimize_many([puzzle], seed=1)",
    "transform_many of 1": "unidoku.craft.transform_many([puzzle], unidoku.Transformation.rotation())",
    "verify_many of 1": "unidoku.verify_many([puzzle], [puzzle])",
    "run_many of 1": "unidoku.run_many(unidoku.tasks.Check(), [puzzle])",
    **{
        name: f"unidoku.{name}(puzzle)"
        for name in (
            *("Grid", "check", "solve", "count", "examine", "rate", "steps", "hint", "all_steps"),
            *("canonical", "diagnose", "explain"),
        )
    },
    "minimize": "unidoku.minimize(puzzle, seed=1)",
    "generate": "unidoku.generate(seed=1)",
    "transform": "unidoku.transform(puzzle, unidoku.Transformation.rotation())",
    "verify": "unidoku.verify(puzzle, puzzle)",
}
"""Public calls; of several puzzles, or of one.  The first is none: it has what a process does once."""
SPARSE = "...2..9....1.....6.....8....6..........4.7....3.......8......5..2.....9.....3...."
PUZZLES = 500
PROPER = ("rating", "steps", "clues", "solutions", "effort")  # their puzzles have one solution
SOME = {"rating": 100, "symmetry": 100, "steps": 30, "clues": 10}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="store the numbers as the baseline")
    parser.add_argument(
        "--release", action="store_true", help="store the numbers of the calls as those of a release"
    )
    parser.add_argument("--run-calls", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--run", nargs=2, metavar=("WORK", "FORM"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run(*arguments.run)
        return
    if arguments.run_calls:
        run_calls()
        return
    if shutil.which("valgrind") is None:
        print("skipped: no valgrind on this machine")
        return
    stored = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    built_by = cpu.compiler().partition(".")[0]
    row = stored.setdefault(built_by, {})
    compare_calls(row, is_release=arguments.release)
    if arguments.release:
        BASELINE.write_text(json.dumps(stored, indent=4, sort_keys=True) + "\n")
        return
    worse, drift = False, list[str]()
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


def compare_calls(row: dict[str, Any], *, is_release: bool) -> None:
    """Print what each call takes, and what takes more than in the last release; or store the numbers."""
    version = ".".join(platform.python_version_tuple()[:2])
    before: dict[str, int] = row.setdefault("calls", {}).setdefault(f"Python {version}", {})
    slower = list[str]()
    for name, number in instructions_of_calls().items():
        change = ""
        if name in before:
            change = f"{number / before[name] - 1:+.2%}"
            slower += [f"{name} {change}"] * (number > before[name] * (1 + SLOWER))
        print(f"{name:24} {number:14,} instructions  {change or f'no release for Python {version}'}")
        if is_release:
            before[name] = number
    if slower:
        print(f"more than {SLOWER:.0%} above the last release: {', '.join(slower)}")


def instructions_of_calls() -> dict[str, int]:
    """Instructions of each call: callgrind counts from one system call to another one of the process."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--dump-line=no"]
        command += [f"--zero-before={BEGIN}", f"--dump-before={END}"]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "UNIDOKU_ISA": calls_isa()}
        done = subprocess.run(
            [*command, sys.executable, __file__, "--run-calls"],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        totals = [
            re.search(r"^(?:totals|summary): (\d+)", Path(folder, f"out.{k}").read_text(), re.MULTILINE)
            for k in range(1, len(CALLS) + 1)
            if Path(folder, f"out.{k}").exists()
        ]
    if done.returncode or len(totals) < len(CALLS) or None in totals:
        raise SystemExit(f"valgrind failed:\n{done.stderr}")
    numbers = {name: int(total[1]) for name, total in zip(CALLS, totals, strict=True) if total is not None}
    return {name: number for name, number in numbers.items() if name != _NOTHING}


def calls_isa() -> str:
    """The instruction set of the calls: valgrind does not know AVX-512."""
    return next(name for name in FORMS if name in kernel.usable())


def run_calls() -> None:
    """Each call, once all that it imports and keeps is there, in the process that valgrind watches."""
    values = {
        "unidoku": unidoku,
        "puzzle": PUZZLE,
        "array": np.tile(Grid(PUZZLE).to_array().reshape(81), (50_000, 1)),
    }
    gc.disable()
    for statement in CALLS.values():
        code = compile(statement, "call", "exec")
        for _ in range(3):
            exec(code, values)
        getattr(os, BEGIN)()
        exec(code, values)
        getattr(os, END)()


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
