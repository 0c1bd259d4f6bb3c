"""The steps of many puzzles as arrays: those that `steps` finds one by one, and which puzzles have none."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest
from example_puzzles import MULTIPLE, NONE, SOLUTION, UNIQUE
from known_ratings import ONE_OF_EACH, TABLE

import unidoku
from unidoku import InvalidPuzzleError, SearchStoppedError
from unidoku.rating.deduction import KINDS
from unidoku.rating.paths import LINKS
from unidoku.rating.scale import TECHNIQUES
from unidoku.rating.step import deduction_from

HARD = max(TABLE, key=TABLE.__getitem__)


def puzzles_of_all_classes(number: int) -> list[str]:
    """New puzzles, and one of every rating up to 9.0, in any order."""
    new = unidoku.lines(unidoku.generate(number, seed=11))
    every = [*new, *(puzzle for puzzle, (er, _, _) in ONE_OF_EACH.items() if er <= 90)]
    random.Random(1).shuffle(every)
    return every


@pytest.fixture(scope="module")
def puzzles() -> list[str]:
    return puzzles_of_all_classes(100)


@pytest.fixture(scope="module")
def paths(puzzles) -> unidoku.Paths:
    return unidoku.steps_many(puzzles)


def test_every_step_is_that_of_the_puzzle_alone(puzzles, paths):
    """`steps` looks for each step anew; many puzzles go on from what was found before."""
    for path, puzzle in zip(paths, puzzles, strict=True):
        assert path == unidoku.steps(puzzle)
    assert len({*paths.technique_codes.tolist()}) > 27


@pytest.mark.slow
def test_every_step_of_a_thousand_puzzles():
    puzzles = puzzles_of_all_classes(1000)
    for path, puzzle in zip(unidoku.steps_many(puzzles), puzzles, strict=True):
        assert path == unidoku.steps(puzzle)


def test_the_steps_do_not_depend_on_other_puzzles(puzzles, paths):
    order = np.random.default_rng(2).permutation(len(puzzles))
    mixed = [puzzles[k] for k in order]
    assert [*unidoku.steps_many(mixed, threads=1)] == [*unidoku.steps_many(mixed, threads=3)]
    for number in order[:20].tolist():
        assert unidoku.steps_many([puzzles[number]])[0] == paths[number]


def test_the_arrays_are_the_steps(paths):
    """Each array, by itself, against the attributes of the steps."""
    every = [deduction_from(step) for path in paths for step in path]
    assert len(every) == len(paths.ratings)
    assert paths.offsets.tolist() == np.cumsum([0, *map(len, paths)]).tolist()
    for k, step in islice(enumerate(every), 0, None, 3):
        assert TECHNIQUES[paths.technique_codes[k]] == step.technique
        assert KINDS[paths.kind_codes[k]] == step.kind
        assert paths.ratings[k] == step.rating
        placed = int(paths.placements[k])
        assert ((divmod(placed, 9),) if placed >= 0 else ()) == tuple((c, d - 1) for c, d in step.placements)
        removed = paths.eliminations[paths.elimination_offsets[k] : paths.elimination_offsets[k + 1]]
        assert [(each // 9, each % 9 + 1) for each in removed.tolist()] == list(step.eliminations)
        assert paths.before[k].tobytes() == step.before.values
        assert tuple(paths.candidates[k].tolist()) == step.before.masks
        links = paths.links[paths.link_offsets[k] : paths.link_offsets[k + 1]].tolist()
        assert [
            ((start // 9, start % 9 + 1), (end // 9, end % 9 + 1), LINKS[kind]) for start, end, kind in links
        ] == [tuple(link[:3]) for link in step.links]
    types = {name: getattr(paths, name).dtype for name in ("placements", "eliminations", "candidates")}
    assert types == {"placements": np.int16, "eliminations": np.int16, "candidates": np.uint16}


def test_candidates_are_kept_unless_they_are_not_asked_for(puzzles, paths):
    found = unidoku.steps_many(puzzles[:20], candidates=False)
    assert found.candidates.shape == (0, 81)
    assert list(found) == [paths[k] for k in range(20)]


def test_puzzles_without_steps_have_a_reason():
    found = unidoku.steps_many(
        [UNIQUE, MULTIPLE, "?" * 81, NONE, SOLUTION, "1" * 81, UNIQUE], errors="invalid"
    )
    assert found.reasons == {
        1: "several solutions",
        2: "several solutions",
        3: "no solution",
        4: "no cell is empty",
        5: "no solution",
    }
    assert np.diff(found.offsets).tolist() == [51, 0, 0, 0, 0, 0, 51]
    assert (len(found[4]), found[4].solved, found[-1] == unidoku.steps(UNIQUE)) == (0, True, True)
    with pytest.raises(InvalidPuzzleError, match="no solution"):
        found[3]
    with pytest.raises(InvalidPuzzleError, match="expected 81 cells") as caught:
        unidoku.steps_many([UNIQUE, "12"])
    assert caught.value.row == 1
    assert unidoku.steps_many([UNIQUE, "12"], errors="invalid").reasons == {1: "expected 81 cells, found 2"}
    assert len(unidoku.steps_many([])) == 0


def test_a_puzzle_that_is_stopped_has_no_steps():
    found = unidoku.steps_many([UNIQUE, HARD, UNIQUE], budget=3, threads=1)
    assert found.reasons == {1: "the budget ended the search"}
    assert np.diff(found.offsets).tolist() == [51, 0, 51]
    assert found[2] == unidoku.steps(UNIQUE)
    with pytest.raises(SearchStoppedError):
        found[1]


def test_in_a_table_only_a_row_that_is_no_puzzle_has_none():
    pa = pytest.importorskip("pyarrow")
    found = unidoku.steps_many([UNIQUE, "." * 81, "12"], errors="invalid")
    assert pa.table(found)["puzzle"].to_pylist() == [UNIQUE, "." * 81, None]
    assert found._repr_html_().count("." * 81) == 1
