"""Transformations, canonical forms, generating and minimizing, with other programs beside them.

pytest bench/test_craft.py
"""

from __future__ import annotations

import os
from ctypes import c_size_t, c_void_p, create_string_buffer
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from match import Pair
from peers import NATIVE, Absent
from peers.native import function as function_of
from puzzle_sets import few_clues
from report import Row

import unidoku
from unidoku import kernel
from unidoku.craft._canonical import canonical_many
from unidoku.craft._generate import generate, random_grids
from unidoku.craft._minimize import are_minimal, minimize_many
from unidoku.craft._neighbours import neighbours_of
from unidoku.craft._transform import random_numbers, transform_many


@pytest.fixture(scope="module")
def puzzles():
    return np.array([list(unidoku.Grid(line).cells) for line in few_clues()], np.uint8)


@pytest.fixture(scope="module")
def solutions(puzzles):
    return unidoku.check_many(puzzles).solution


def force(isa):
    """Make `unidoku.kernel` use an instruction set, although it may have used another one before."""
    if isa not in kernel.usable():
        pytest.skip(f"no {isa} on this machine")
    select(isa)


@pytest.fixture(params=[*kernel.NAMES, "sudoku (Rust)"])
def form(request):
    if request.param in kernel.NAMES:
        force(request.param)
    yield request.param
    os.environ.pop("UNIDOKU_ISA", None)
    kernel.use()


RUST = NATIVE["sudoku (Rust)"]


def compare(measure, options, name, form, ours, *, number, theirs=None):
    """Measure our work with an instruction set, or that of another program, beside ours with the best one.

    `theirs` is a work and how many puzzles it solves.
    """
    solver = f"unidoku {form}" if form in kernel.NAMES else form
    row = Row(name, solver, "batch", limit=0, puzzles=number)
    if form not in kernel.NAMES and theirs is None:
        measure(replace(row, puzzles=0, remark="it has none"))
    work, count = (ours, number) if theirs is None else theirs
    beside = None if form == kernel.usable()[0] else with_best(ours)
    measure(Pair(replace(row, puzzles=count), work, beside, number, seconds=options["seconds"]))


def with_best(work):
    """Return a work that is done with the best instruction set, whatever is forced."""
    best = kernel.usable()[0]

    def run():
        forced = os.environ.get("UNIDOKU_ISA", best)
        select(best)
        try:
            return work()
        finally:
            select(forced)

    return run


def select(isa):
    os.environ["UNIDOKU_ISA"] = isa
    kernel.use(isa)


def native(measure, name, solver, variable, function):
    """Return a function of a shared library; skip if it is absent."""
    try:
        return function_of(variable, function)
    except Absent as reason:
        measure(Row(name, solver, "batch", limit=0, remark=str(reason)), absent=True)


def lines_of(rows):
    lines = np.full((len(rows), 82), ord("\n"), np.uint8)
    lines[:, :81] = np.where(rows, rows + ord("0"), ord("."))
    return lines


def of_crate(measure, name, form, rows, ours):
    """Return the crate's forms of every 16th puzzle as a work, after they are compared with ours."""
    if form in kernel.NAMES:
        return None
    canonical = native(measure, name, form, RUST, "peer_canonical")
    lines = lines_of(rows[::16])
    forms = np.zeros_like(lines)

    def run():
        canonical(lines.ctypes.data_as(c_void_p), c_size_t(len(lines)), forms.ctypes.data_as(c_void_p))

    run()
    found = np.where(forms == ord("."), 0, forms - ord("0"))[:, :81]
    assert (found == ours().puzzle[::16]).all()
    return run, len(lines)


def test_canonical_grids(measure, options, form, solutions):
    def ours():
        return canonical_many(solutions, threads=1)

    name = "canonical forms of grids"
    theirs = of_crate(measure, name, form, solutions, ours)
    compare(measure, options, name, form, ours, number=len(solutions), theirs=theirs)


def test_canonical_puzzles(measure, options, form, puzzles):
    """The crate's form of a puzzle is another one: the smallest image whose solution is in minlex form."""
    name = "canonical forms of puzzles"
    compare(measure, options, name, form, lambda: canonical_many(puzzles, threads=1), number=len(puzzles))


def test_transform_many(measure, options, form, puzzles):
    numbers = random_numbers(len(puzzles), 1)
    work = partial(transform_many, puzzles, numbers, threads=1)
    compare(measure, options, "transformations", form, work, number=len(puzzles))


def check_minimal(lines):
    rows = np.array([list(unidoku.Grid(line).cells) for line in lines], np.uint8)
    assert unidoku.check_many(rows).unique == len(rows)
    assert are_minimal(rows).all()


@pytest.mark.parametrize("symmetry", ["none", "180"])
@pytest.mark.parametrize("form", [*kernel.NAMES, "sudoku (Rust)", "QQWing"], indirect=True)
def test_generate(measure, options, form, symmetry):
    """Minimal puzzles; with a symmetry in this sense: without a clue and its image, they are not proper."""
    name = "new minimal puzzles" if symmetry == "none" else "new puzzles with half-turn symmetry"
    theirs, number = None, 100 if form == "QQWing" else 1000
    if form not in kernel.NAMES:
        generate_lines = native(measure, name, form, NATIVE[form], "peer_generate")

        def work(count=number):
            lines = create_string_buffer(82 * count)
            generate_lines(c_size_t(count), symmetry != "none", lines)
            return lines.raw.decode().split()

        theirs = work, number
        if symmetry == "none":
            check_minimal(work(50))
    ours = partial(generate, 10_000, seed=1, symmetry=symmetry, threads=1)
    compare(measure, options, name, form, ours, number=10_000, theirs=theirs)


@pytest.mark.parametrize("form", [*kernel.NAMES, "tdoku"], indirect=True)
def test_minimize(measure, options, form):
    name, grids, theirs = "full grids minimized", random_grids(2000, 3), None
    if form == "tdoku":
        minimize = native(measure, name, form, NATIVE[form], "peer_minimize")
        text = b"".join(unidoku.Grid(row).line.encode() + b"\0" for row in grids)

        def work():
            lines = create_string_buffer(text)
            minimize(lines, c_size_t(len(grids)))
            return lines.raw.decode().split("\0")[: len(grids)]

        theirs = work, len(grids)
        check_minimal(work()[:50])
    ours = partial(minimize_many, grids, threads=1)
    compare(measure, options, name, form, ours, number=len(grids), theirs=theirs)


@pytest.mark.parametrize(("change", "count"), [(1, 500), (2, 1)])
def test_neighbours(measure, options, puzzles, change, count):
    """Of puzzles with few clues: some clues removed, and as many added."""
    cells = unidoku.cells(puzzles[:count])
    row = Row(f"neighbours -{change} +{change}", "unidoku", "batch", limit=0, puzzles=count)
    work = partial(neighbours_of, cells, (change, change, "none"), 1, unidoku.Cancel())
    measure(Pair(row, work, seconds=options["seconds"]))
