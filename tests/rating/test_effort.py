"""Effort: a model of its definition, images, the times of people; where it is read, written, asked for."""

from __future__ import annotations

import csv
import json
from array import array
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random

import numpy as np
import pytest
from effort_model import effort as model
from example_puzzles import CHAINS as HARD, CLASH, MULTIPLE, NOTHING, QUIZ, SOLUTION, UNIQUE, spread
from moving import moved

import unidoku
from unidoku import kernel
from unidoku._schema import Schema
from unidoku._table.puzzles import Puzzles
from unidoku.craft._request import REQUEST_COLUMNS
from unidoku.rating._ratings import effort_column
from unidoku.rating._scale import minutes_of
from unidoku.tasks import Rate

HARDEST = "1.......2.9.4...5...6...7...5.3.4......96.........8.4...2...6...3...9.8.7.......1"
"""ER 11.7: the passes do not fill it."""


@pytest.fixture(scope="module")
def people():
    """Puzzles and the mean seconds of people."""
    lines = (Path(__file__).parent / "people.csv").read_text().splitlines()
    rows = [*csv.DictReader(line for line in lines if not line.startswith("#"))]
    return [row["puzzle"] for row in rows], np.array([float(row["seconds"]) for row in rows])


def by_native(isa, puzzles):
    """Efforts by the engine of an instruction set; None for no effort."""
    native, out = import_module(f"unidoku._native.effort.{isa}"), array("h", [0]) * len(puzzles)
    text, starts = "".join(puzzles).encode(), array("q", range(0, 81 * len(puzzles), 81))
    native.efforts(text, starts, out, zero=48)
    return [effort if effort >= 0 else None for effort in out]


def new_puzzles(count, **request):
    return [unidoku.Grid(row).line for row in unidoku.generate(count, seed=73, **request)]


@pytest.fixture(scope="module")
def puzzles(people, puzzles17, top1465):
    """Of people, with 17 clues, new and minimal, symmetric, hard ones."""
    lists = (people[0], puzzles17, new_puzzles(400), new_puzzles(400, symmetry="180"), top1465)
    return [
        puzzle
        for numbers in zip(*(spread(puzzles, 400) for puzzles in lists), strict=False)
        for puzzle in numbers
    ]


@pytest.mark.parametrize("share", [100, pytest.param(20, marks=pytest.mark.slow)])
def test_effort_is_that_of_the_model(share, puzzles):
    few = [*puzzles[:4], *puzzles[5 :: 2 * share], UNIQUE, HARDEST]
    assert by_native(kernel.isa(), few) == [model(puzzle) for puzzle in few]


def test_each_instruction_set_has_the_same_effort(puzzles):
    base, *others = (by_native(isa, puzzles) for isa in kernel.usable())
    assert all(efforts == base for efforts in others)


@pytest.mark.parametrize("isa", kernel.usable())
def test_what_is_no_proper_puzzle_has_no_effort(isa):
    puzzles = [MULTIPLE, CLASH, NOTHING, QUIZ.replace("3", "0"), HARDEST]
    assert by_native(isa, puzzles) == [None] * 5
    assert by_native(isa, [SOLUTION[:80] + "."]) == [1]


def test_images_have_the_same_effort(people):
    """No order of cells enters."""
    random = Random(73)
    puzzles = spread(people[0], 100)[:100] + new_puzzles(100)
    images = [moved(puzzle, random) for puzzle in puzzles]
    assert by_native(kernel.isa(), images) == by_native(kernel.isa(), puzzles)


def test_effort_follows_the_times_of_people(people):
    """The rank correlation of docs/rating.md; that of ER is 0.570."""
    puzzles, seconds = people
    ranks = [
        np.unique(values, return_inverse=True)[1] for values in (unidoku.rate_many(puzzles).effort, seconds)
    ]
    # equal values share their mean rank
    means = [
        np.array([np.flatnonzero(np.sort(rank) == k).mean() for k in range(rank.max() + 1)])[rank]
        for rank in ranks
    ]
    assert np.corrcoef(*means)[0, 1] >= 0.68
    minutes = np.array([(effort + 150) / 77 for effort in unidoku.rate_many(puzzles).effort])
    assert np.mean(np.abs(np.log(60 * minutes / seconds)) <= np.log(1.35)) >= 0.79


def test_one_and_many_have_the_same_effort():
    puzzles = [UNIQUE, MULTIPLE, QUIZ, SOLUTION, HARDEST, HARD]
    many = unidoku.rate_many(puzzles, below=2.0, threads=2)
    for puzzle, row, effort in zip(puzzles, many, many.effort, strict=True):
        if row.reason is None:
            assert (
                row.effort == unidoku.rate(puzzle, below=2.0).effort == (int(effort) or None) == model(puzzle)
            )
        else:
            assert row.effort is None
    assert many[2].effort is None
    efforts = effort_column(Puzzles.of([UNIQUE, QUIZ]).batch, threads=2)
    assert efforts.to_list() == [model(UNIQUE), None]


def test_effort_of_many_is_found_when_it_is_read(monkeypatch):
    """Who reads the other columns does not wait for it."""
    calls = []
    monkeypatch.setattr(kernel.isa_module(package="effort"), "efforts", lambda *_, **__: calls.append(1))
    many = unidoku.rate_many([UNIQUE, QUIZ, MULTIPLE])
    assert (many.er.tolist()[0], len(many), many.reasons) == (1.2, 3, {2: "several solutions"})
    assert calls == []


def test_a_rating_made_of_its_json_is_equal():
    """Also that of a puzzle without an effort."""
    for rating in map(unidoku.rate, (UNIQUE, QUIZ)):
        assert unidoku.Rating(**json.loads(json.dumps(rating.to_json()))) == rating == replace(rating)


def test_minutes_of_an_effort():
    """(effort + 150) / 77, as docs/rating.md has it."""
    assert [minutes_of(effort, 1.2) for effort in (1, 123, 312, 1390)] == [2, 4, 6, 20]


def test_new_puzzles_are_chosen_by_columns_of_rate():
    """Beside the steps of a path, which no column of a puzzle has."""
    assert {*REQUEST_COLUMNS} - {"uses", "techniques"} <= {*Schema(Rate()).columns}
