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

sys.path.insert(0, str(Path(__file__).parent))

from peers import Absent, qqwing, tdoku
from peers.minlex import Prototype
from puzzle_sets import puzzle_set

import unidoku
from unidoku import kernel
from unidoku.craft.canonical import canonical_many
from unidoku.craft.fewest import fewest_clues
from unidoku.craft.generate import generate, random_grids
from unidoku.craft.minimize import are_minimal, minimize_many, reduce_clues
from unidoku.craft.neighbours import neighbours_many
from unidoku.craft.seeds import words
from unidoku.craft.transform import random_numbers, transform_many
from unidoku.craft.unavoidable import unavoidable_sets

pytestmark = pytest.mark.benchmark(timer=process_time)


@pytest.fixture(scope="module")
def puzzles():
    lines = puzzle_set("17clue")
    if lines is None:
        pytest.skip("no puzzle file for 17clue beside the repository")
    return np.array([list(unidoku.Grid(line).cells) for line in lines], np.uint8)


@pytest.fixture(scope="module")
def solutions(puzzles):
    return unidoku.check_many(puzzles).solutions


def force(monkeypatch, isa):
    """Make `unidoku.kernel` use an instruction set, although it may have used another one before."""
    if isa not in kernel.usable():
        pytest.skip(f"no {isa} on this machine")
    monkeypatch.setenv("UNIDOKU_ISA", isa)
    for name in kernel._FROM_FORM:
        monkeypatch.setattr(kernel, name, getattr(kernel.form(isa), name))


@pytest.fixture(params=[*kernel.NAMES, "prototype"])
def form(request, monkeypatch):
    if request.param in kernel.NAMES:
        force(monkeypatch, request.param)
    return request.param


def measure(benchmark, form, ours, name, *inputs):
    if form == "prototype":
        try:
            run, answers = Prototype().work(name, *inputs)
        except Absent as reason:
            pytest.skip(str(reason))
        run()
        assert (answers() == ours()).all()
        benchmark(run)
    else:
        benchmark(ours)


def test_canonical_grids(benchmark, form, solutions):
    measure(benchmark, form, lambda: canonical_many(solutions, threads=1), "grids", solutions)


def test_canonical_puzzles(benchmark, form, puzzles):
    measure(benchmark, form, lambda: canonical_many(puzzles, threads=1), "puzzles", puzzles)


def test_canonical_through_known_solutions(benchmark, form, puzzles, solutions):
    def ours():
        return canonical_many(puzzles, "solution", solutions=solutions, threads=1)

    measure(benchmark, form, ours, "solutions", puzzles, solutions)


def test_canonical_through_solutions(benchmark, form, puzzles):
    if form == "prototype":
        pytest.skip("the prototype does not solve")
    benchmark(lambda: canonical_many(puzzles, "solution", threads=1))


def test_transform_many(benchmark, form, puzzles):
    if form == "prototype":
        pytest.skip("the prototype has no transformations of its own")
    numbers = random_numbers(len(puzzles), 1)
    benchmark(lambda: transform_many(puzzles, numbers, threads=1))


def processor_time():
    """Seconds of this process and of its children, to a hundredth."""
    return sum(os.times()[:4])


@pytest.fixture(params=[*kernel.NAMES, "tdoku", "qqwing"])
def maker(request, monkeypatch):
    """An instruction set of ours, or the function of another program."""
    if request.param in kernel.NAMES:
        force(monkeypatch, request.param)
        return None
    try:
        return tdoku.minimizer() if request.param == "tdoku" else qqwing.load()
    except Absent as reason:
        pytest.skip(str(reason))


def check_minimal(lines):
    rows = np.array([list(unidoku.Grid(line).cells) for line in lines], np.uint8)
    assert unidoku.check_many(rows).unique == len(rows)
    assert are_minimal(rows).all()


@pytest.mark.benchmark(timer=processor_time, group="generate 10,000 minimal puzzles, QQWing 100")
def test_generate_minimal(benchmark, maker, request):
    if request.node.callspec.params["maker"] == "tdoku":
        pytest.skip("tdoku does not generate from nothing")
    if maker:
        check_minimal(maker(50))
        benchmark.pedantic(lambda: maker(100), rounds=5)
    else:
        benchmark.pedantic(lambda: generate(10_000, 1, threads=1), rounds=10, warmup_rounds=1)


@pytest.mark.benchmark(group="minimize 2000 full grids")
def test_minimize(benchmark, maker, request):
    if request.node.callspec.params["maker"] == "qqwing":
        pytest.skip("QQWing does not minimize puzzles that it is given")
    grids = random_grids(2000, 3)
    if maker:
        lines = [unidoku.Grid(row).line for row in grids]
        check_minimal(maker(lines[:50]))
        benchmark(lambda: maker(lines))
    else:
        benchmark(lambda: minimize_many(grids, threads=1))


@pytest.mark.parametrize(("remove", "add", "count"), [(1, 1, 500), (2, 2, 1)])
def test_neighbours(benchmark, puzzles, remove, add, count):
    """Of puzzles with 17 clues."""
    some = puzzles[:count]
    benchmark.pedantic(lambda: list(neighbours_many(some, remove, add, threads=1)), rounds=3)


@pytest.mark.parametrize("clues", [35, 40, 45])
def test_fewest_clues(benchmark, clues):
    """Of ten puzzles made from minimal ones by adding clues."""
    grids = random_grids(10, 3)
    whole = reduce_clues(grids, grids, words(1, 0, 10), np.full(10, clues))
    benchmark.pedantic(lambda: [fewest_clues(row) for row in whole], rounds=3)


@pytest.mark.parametrize("size", [12, 14, 16, 18])
def test_unavoidable_sets(benchmark, size):
    """Of five grids."""
    grids = random_grids(5, 3)
    benchmark.pedantic(lambda: [unavoidable_sets(grid, size) for grid in grids], rounds=1 if size > 14 else 5)
