"""Transformations and canonical forms, and the bare prototype of the latter beside them.

pytest bench/test_craft.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from peers import Absent
from peers.minlex import Prototype
from puzzle_sets import puzzle_set

import unidoku
from unidoku import kernel
from unidoku.craft.canonical import canonical_many
from unidoku.craft.generate import generate, random_grids
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


@pytest.fixture(params=[*kernel.NAMES, "prototype"])
def form(request, monkeypatch):
    if request.param in kernel.NAMES:
        if request.param not in kernel.usable():
            pytest.skip(f"no {request.param} on this machine")
        monkeypatch.setenv("UNIDOKU_ISA", request.param)
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


def test_generate_minimal(benchmark, form):
    if form == "prototype":
        pytest.skip("the prototype does not generate")
    benchmark(lambda: generate(5000, 1, threads=1))


@pytest.mark.parametrize("size", [12, 14, 16, 18])
def test_unavoidable_sets(benchmark, size):
    """Of five grids."""
    grids = random_grids(5, 3)
    benchmark.pedantic(lambda: [unavoidable_sets(grid, size) for grid in grids], rounds=1 if size > 14 else 5)
