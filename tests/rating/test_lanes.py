"""Many puzzles in lanes, one puzzle by the ordered engine: both ways agree, on every instruction set."""

from __future__ import annotations

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import MULTIPLE, QUIZ, SOLUTION, UNIQUE
from known_ratings import ONE_OF_EACH
from rating_engine import NAMES, engine, rated, rated_with_states, ratings_of

import unidoku
from unidoku import kernel

RATED, AT_LEAST, STOPPED = 0, 3, 4


def equal_outputs(outputs: dict[str, np.ndarray], reference: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(outputs[name], reference[name]) for name in NAMES)


@pytest.mark.parametrize("isa", kernel.usable())
@pytest.mark.parametrize("below", [45, 62])
def test_lanes_and_the_ordered_engine_agree(isa, below, top1465, puzzles17):
    puzzles = top1465[::6] + puzzles17[:700]
    together = rated(engine(isa), puzzles, below=below)
    alone = rated(engine(isa), puzzles, below=below, lanes=False)
    assert equal_outputs(together, alone)
    assert set(together["outcomes"].tolist()) == {RATED, AT_LEAST}
    assert len(set(together["er"].tolist())) > 8


@pytest.mark.parametrize("isa", kernel.usable())
@pytest.mark.parametrize("lanes", [True, False])
def test_a_round_goes_on_where_the_last_one_ended(isa, lanes, top1465, puzzles17):
    module = engine(isa)
    puzzles = [*ONE_OF_EACH, *top1465[::240], *puzzles17[:15]]
    together, states = rated_with_states(module, puzzles, below=45, lanes=lanes, keep=True)
    for below in (62, 75, 90, 200):
        rows = np.flatnonzero(together["outcomes"] == AT_LEAST)
        states = module.rate_further(states, rows, below=below, keep=True, **together)
        assert equal_outputs(together, rated(module, puzzles, below=below))


@pytest.mark.parametrize("count", [1, 33, 200])
def test_a_rating_does_not_depend_on_the_other_puzzles(count, puzzles17):
    module = engine(kernel.isa())
    alone = rated(module, puzzles17[:count], below=45, lanes=False)
    assert equal_outputs(rated(module, puzzles17[:count], below=45), alone)
    backwards = rated(module, puzzles17[count - 1 :: -1], below=45)
    assert equal_outputs({name: output[::-1] for name, output in backwards.items()}, alone)


def test_the_last_empty_cell_of_a_house_is_rated_1_0():
    easy = [puzzle for puzzle, row in ONE_OF_EACH.items() if row[0] <= 30]
    full = [unidoku.solve(puzzle).line for puzzle in easy]
    gaps = [puzzle[:9].index(".") for puzzle in easy]
    alone = [line[:gap] + "." + line[gap + 1 :] for line, gap in zip(full, gaps, strict=True)]
    rows = [line[:9] + puzzle[9:] for line, puzzle in zip(alone, easy, strict=True)]
    assert {*ratings_of(rated(engine(kernel.isa()), alone))} == {(10, 10, 10)}
    ratings = ratings_of(rated(engine(kernel.isa()), rows))
    assert {(ep, ed) for _, ep, ed in ratings} == {(10, 10)}
    assert max(er for er, _, _ in ratings) > 10


def test_improper_puzzles_are_not_rated():
    broken = [puzzle[:k] + "5" + puzzle[k + 1 :] for k, puzzle in enumerate(ONE_OF_EACH)]
    full = [SOLUTION[:k] + "5" + SOLUTION[k + 1 :] for k in range(81)]
    puzzles = [81 * ".", "11" + 79 * ".", *broken, *full]
    counts = unidoku.check_many(puzzles).count
    outputs = rated(engine(kernel.isa()), puzzles * 3, below=45)
    assert not ((outputs["outcomes"] == RATED) & np.tile(counts != 1, 3)).any()


def test_the_stop_flag(puzzles17):
    outputs = rated(engine(kernel.isa()), puzzles17[:100], stop=np.ones(1, np.uint8))
    assert set(outputs["outcomes"].tolist()) == {STOPPED}
    assert not outputs["er"].any()


@in_turn
@pytest.mark.parametrize("below", [None, 2.0, 4.5, 7.0])
def test_one_puzzle_has_the_row_that_it_has_among_many(below):
    puzzles = [UNIQUE, QUIZ, MULTIPLE, SOLUTION, "55" + "." * 79]
    many = unidoku.rate_many(puzzles * 2, below=below)
    for number, puzzle in enumerate(puzzles):
        [row] = unidoku.rate_many([puzzle], below=below)
        assert (row, row.effort) == (many[number], many[number].effort)


def test_a_flag_that_is_set_leaves_one_puzzle_without_a_rating():
    for puzzles in ([QUIZ], [QUIZ, UNIQUE]):
        result = unidoku.rate_many(puzzles, timeout=0)
        assert result.reasons == dict.fromkeys(range(len(puzzles)), "cancelled")
