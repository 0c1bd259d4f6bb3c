"""Chosen techniques: each step is one of them and sound, and they end where they find nothing more."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from cases import in_turn
from command import run
from effort_model import Model
from example_puzzles import CHAINS, UNIQUE, spread

import unidoku
from unidoku._native.rating import codes
from unidoku._table.puzzles import Puzzles
from unidoku.craft._request import Request
from unidoku.errors import UnidokuError
from unidoku.rating._names import NAMES, TECHNIQUES, WORDS, barred_by, step_ranges
from unidoku.rating._paths import ALL, first_steps

SINGLES = ["hidden-single", "naked-single"]
PARTS = WORDS[: WORDS.index("multiple-forcing-chains") + 1]


def chosen_by(words):
    """The names of the techniques that some words choose."""
    barred = barred_by(words, None)
    return {TECHNIQUES[code] for code in range(1, codes.TECHNIQUES) if not barred >> code & 1}


@pytest.mark.parametrize(("share", "choices"), [(50, 5), pytest.param(4, 10, marks=pytest.mark.slow)])
def test_the_steps_of_many_puzzles_are_chosen_and_sound(share, choices, puzzles17, top1465):
    """Of a share of 2,000 puzzles, with some random choices."""
    random = Random(74)
    new = [unidoku.Grid(row).line for row in unidoku.generate(600, seed=7)]
    puzzles = [*spread(puzzles17, 800)[:800], *spread(top1465, 600)[:600], *new][::share]
    solutions = unidoku.solve_many(puzzles).solution
    for _ in range(choices):
        words = random.sample(PARTS, random.randrange(1, len(PARTS)))
        paths = first_steps(Puzzles.of(puzzles).batch, ALL, barred=barred_by(words, None), candidates=False)
        rows, rights = paths.rows, solutions[np.asarray(paths.source_rows)]
        assert {TECHNIQUES[code] for code in {*rows.numbers("technique")}} <= chosen_by(words)
        fills = np.array(rows.numbers("placement")) >= 0
        cells, digits = np.divmod(np.asarray(rows.placements), 9)
        assert (rights[fills, cells] == digits + 1).all()
        removals = np.diff(rows.numbers("eliminations_end"), prepend=0)
        cells, digits = np.divmod(np.asarray(rows.eliminations), 9)
        assert (rights[np.repeat(np.arange(len(removals)), removals), cells] != digits + 1).all()
        assert (fills | (removals > 0)).all()
        solved, left = paths.ends()
        assert [*solved] == [number == 0 for number in left]
        assert {number for number, is_solved in enumerate(solved) if not is_solved} == {*paths.reasons}


def test_all_techniques_take_the_usual_steps(top1465):
    for puzzle in [UNIQUE, CHAINS, *top1465[5:60:11]]:
        usual = unidoku.steps(puzzle)
        assert unidoku.steps(puzzle, techniques="all") == usual
        assert unidoku.steps(puzzle, techniques=PARTS, without=()).steps[:20] == usual.steps[:20]
        assert barred_by("all", None) == 0
    without = unidoku.steps(CHAINS, without="x-wing, swordfish")
    assert without == unidoku.steps(CHAINS, techniques="all", without=["fish"]) if without.solved else True
    assert not {step.technique for step in without} & {"X-wing", "swordfish"}


@pytest.mark.parametrize(
    "words",
    [
        ["hidden-single"],
        SINGLES,
        [*SINGLES, "locked-candidates"],
        [*SINGLES, "locked-candidates", "pairs"],
        ["pairs", "hidden-single"],
    ],
)
def test_they_end_where_they_find_nothing_more(words, puzzles17, top1465):
    """In any order these techniques come to the same end: that of the plain model."""
    new = [unidoku.Grid(row).line for row in unidoku.generate(3, seed=9)]
    for puzzle in [*spread(puzzles17, 3)[:3], *spread(top1465, 2)[:2], *new]:
        model = Model.of(puzzle)
        model.close([*words])
        path = unidoku.steps(puzzle, techniques=words)
        assert path.grid == model.line()
        assert path.marks == model.marks()


def test_pointing_without_claiming(puzzles17):
    """They are found together, and chosen one by one."""
    found = {"pointing": 0, "claiming": 0}
    for puzzle in spread(puzzles17, 60)[:60]:
        for word in found:
            path = unidoku.steps(puzzle, techniques=["naked-single", word])
            assert {step.technique for step in path} <= {"naked single", word}
            found[word] += any(step.technique == word for step in path)
    assert min(found.values()) > 0


def test_a_position_with_candidates():
    """The steps begin from the candidates of the text."""
    start = unidoku.steps(CHAINS, techniques="singles")
    marks = [start.marks[9 * cell : 9 * cell + 9].replace(".", "") for cell in range(81)]
    rows = "\n".join(" ".join(marks[9 * row : 9 * row + 9]) for row in range(9))
    path = unidoku.steps(rows, techniques="singles")
    assert (len(path), path.complete, path.marks) == (0, False, start.marks)


@in_turn
@pytest.mark.parametrize("word", WORDS)
def test_new_puzzles_need_a_technique_that_fills_cells(word, top1465):
    """Those that are refused alone fill no cell of any puzzle, nor with the basic ones but singles."""
    try:
        Request(techniques=word)
    except UnidokuError as error:
        assert str(error).endswith(f"none of them fills a cell; write techniques=singles,{word}")  # noqa: PT017
        Request(techniques=["singles", word])
        basic = barred_by([word, "locked-candidates", "subsets"], None)
        puzzles = [*top1465[::50], *map(str, unidoku.lines(unidoku.generate(100, seed=3)))]
        paths = first_steps(Puzzles.of(puzzles).batch, ALL, barred=basic, candidates=False)
        assert not len(paths.rows.placements)


def test_new_puzzles_that_chosen_techniques_solve():
    where = "techniques=hidden-single,naked-single,uses=naked single"
    lines = run("generate", "-n", 5, "--seed", 2, "--where", where, code=0).stdout.split()
    assert lines == [
        unidoku.Grid(row).line for row in unidoku.generate(5, seed=2, techniques=SINGLES, uses="naked single")
    ]
    for line in lines:
        path = unidoku.steps(line, techniques=SINGLES)
        assert path.complete
        assert "naked single" in {step.technique for step in path}
    paths = unidoku.steps_many(lines, techniques=SINGLES)
    assert not paths.reasons
    assert np.bincount(paths.source_rows).tolist() == [line.count(".") for line in lines]


@in_turn
@pytest.mark.parametrize("step", [step for step in step_ranges() if step.name != codes.NAME_REMOTE_PAIR])
def test_the_words_choose_each_step_by_its_name(step):
    """What people call a step is a word, or the error about it says the word."""
    name = NAMES[step.name]
    try:
        barred = barred_by(name, None)
    except UnidokuError as error:
        barred = barred_by(str(error).rpartition("choose ")[2], None)
    needs_singles = TECHNIQUES[step.technique].startswith("direct")
    assert needs_singles or not barred >> step.technique & 1
