"""Transformations, canonical forms, generating and minimizing, with other programs beside them.

pytest bench/test_craft.py
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from unidoku import canonical_many

sys.path.insert(0, str(Path(__file__).parent))

from peers import Absent, qqwing, rust_sudoku, tdoku
from puzzle_sets import few_clues

import unidoku
from unidoku import kernel
from unidoku.craft.generate import generate, random_grids
from unidoku.craft.minimize import are_minimal, minimize_many
from unidoku.craft.neighbours import neighbours_of
from unidoku.craft.transform import random_numbers, transform_many

pytestmark = pytest.mark.benchmark(timer=process_time)


@pytest.fixture(scope="module")
def puzzles():
    return np.array([list(unidoku.Grid(line).cells) for line in few_clues()], np.uint8)


@pytest.fixture(scope="module")
def solutions(puzzles):
    return unidoku.check_many(puzzles).solution


def force(monkeypatch, isa):
    """Make `unidoku.kernel` use an instruction set, although it may have used another one before."""
    if isa not in kernel.usable():
        pytest.skip(f"no {isa} on this machine")
    monkeypatch.setenv("UNIDOKU_ISA", isa)
    for name in ("_lanes", "quick_check", "quick_count", "quick_solve"):  # that `use` sets
        monkeypatch.setattr(kernel, name, getattr(kernel, name))
    kernel.use(isa)


@pytest.fixture(params=[*kernel.NAMES, "rust-sudoku"])
def form(request, monkeypatch):
    if request.param in kernel.NAMES:
        force(monkeypatch, request.param)
    return request.param


def measure(benchmark, form, ours, *inputs):
    """Time `ours`, or the crate's work on every 16th of the inputs."""
    benchmark.extra_info["puzzles"] = len(inputs[0])
    if form in kernel.NAMES:
        benchmark(ours)
        return
    some = slice(None, None, 16)
    try:
        run, answers = rust_sudoku.canonical_forms(*(rows[some] for rows in inputs))
    except Absent as reason:
        pytest.skip(str(reason))
    run()
    assert (answers() == ours().puzzle[some]).all()
    benchmark.extra_info["puzzles"] = len(inputs[0][some])
    benchmark(run)


def test_canonical_grids(benchmark, form, solutions):
    measure(benchmark, form, lambda: canonical_many(solutions, threads=1), solutions)


def test_canonical_puzzles(benchmark, form, puzzles):
    if form == "rust-sudoku":
        pytest.skip("the crate's form of a puzzle is the one through its solution")
    measure(benchmark, form, lambda: canonical_many(puzzles, threads=1), puzzles)


def test_canonical_through_known_solutions(benchmark, form, puzzles, solutions):
    if form == "rust-sudoku":
        pytest.skip("the crate takes no solutions")

    def ours():
        return canonical_many(puzzles, form="solution", solutions=solutions, threads=1)

    measure(benchmark, form, ours, puzzles, solutions)


def test_canonical_through_solutions(benchmark, form, puzzles):
    measure(benchmark, form, lambda: canonical_many(puzzles, form="solution", threads=1), puzzles)


def test_transform_many(benchmark, form, puzzles):
    if form not in kernel.NAMES:
        pytest.skip("other programs have no transformations by number")
    numbers = random_numbers(len(puzzles), 1)
    benchmark(lambda: transform_many(puzzles, numbers, threads=1))


def processor_time():
    """Seconds of this process and of its children, to a hundredth."""
    return sum(os.times()[:4])


def maker(monkeypatch, name, load):
    """Return the function of another program; for an instruction set of ours, force it."""
    if name in kernel.NAMES:
        force(monkeypatch, name)
        return None
    try:
        return load()
    except Absent as reason:
        pytest.skip(str(reason))


def check_minimal(lines):
    rows = np.array([list(unidoku.Grid(line).cells) for line in lines], np.uint8)
    assert unidoku.check_many(rows).unique == len(rows)
    assert are_minimal(rows).all()


@pytest.mark.parametrize("name", [*kernel.NAMES, "rust-sudoku", "qqwing"])
@pytest.mark.benchmark(timer=processor_time, group="generate 10,000 minimal puzzles, crate 1000, QQWing 100")
def test_generate_minimal(benchmark, monkeypatch, name):
    make = maker(monkeypatch, name, qqwing.load if name == "qqwing" else rust_sudoku.generator)
    if make:
        check_minimal(make(50))
        benchmark.pedantic(lambda: make(100 if name == "qqwing" else 1000), rounds=10)
    else:
        benchmark.pedantic(lambda: generate(10_000, seed=1, threads=1), rounds=10, warmup_rounds=1)


@pytest.mark.parametrize("name", [*kernel.NAMES, "rust-sudoku"])
@pytest.mark.benchmark(group="generate 10,000 puzzles with half-turn symmetry, crate 1000")
def test_generate_symmetric(benchmark, monkeypatch, name):
    """Minimal in this sense: without a clue and its image, they are not proper."""
    make = maker(monkeypatch, name, rust_sudoku.generator)
    if make:
        benchmark.pedantic(lambda: make(1000, half_turn=True), rounds=10)
    else:
        benchmark.pedantic(
            lambda: generate(10_000, seed=1, symmetry="180", threads=1), rounds=10, warmup_rounds=1
        )


@pytest.mark.parametrize("name", [*kernel.NAMES, "tdoku"])
@pytest.mark.benchmark(group="minimize 2000 full grids")
def test_minimize(benchmark, monkeypatch, name):
    make = maker(monkeypatch, name, tdoku.minimizer)
    grids = random_grids(2000, 3)
    if make:
        lines = [unidoku.Grid(row).line for row in grids]
        check_minimal(make(lines[:50]))
        benchmark(lambda: make(lines))
    else:
        benchmark(lambda: minimize_many(grids, threads=1))


@pytest.mark.parametrize(("remove", "add", "count"), [(1, 1, 500), (2, 2, 1)])
def test_neighbours(benchmark, puzzles, remove, add, count):
    """Of puzzles with few clues."""
    cells = unidoku.cells(puzzles[:count])
    benchmark.pedantic(lambda: neighbours_of(cells, remove, add, 1, unidoku.Cancel()), rounds=3)
