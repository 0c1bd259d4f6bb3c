"""One puzzle: check, solve, count, solutions."""

import itertools

import numpy as np
import pytest

import unidoku
from unidoku import Grid, InvalidPuzzleError, Verdict

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TEN = "590000048608000307000201000000040000075306980000090000000803000206000709340000065"
NOTHING = "009028700806004005003000004600000000020713450000000002300000500900400807001250300"


@pytest.mark.parametrize(
    ("puzzle", "verdict", "number"),
    [
        (UNIQUE, Verdict.UNIQUE, 1),
        (SOLUTION, Verdict.UNIQUE, 1),
        (TEN, Verdict.MULTIPLE, 10),
        (NOTHING, Verdict.NONE, 0),
        ("11" + 79 * ".", Verdict.NONE, 0),
    ],
)
def test_check_and_count(puzzle, verdict, number):
    assert unidoku.check(puzzle) is verdict
    assert unidoku.count(puzzle) == number
    assert len(list(unidoku.solutions(puzzle))) == number
    assert (unidoku.solve(puzzle) is None) == (number == 0)


@pytest.mark.parametrize(
    "form",
    [
        str,
        str.encode,
        Grid,
        lambda p: Grid(p).cells,
        lambda p: Grid(p).to_array(),
        lambda p: Grid(p).to_array().astype(np.int64),
        lambda p: str(Grid(p)),
        lambda p: p.replace(".", "x"),
    ],
)
def test_every_form_of_a_puzzle_is_taken(form):
    assert unidoku.check(form(UNIQUE)) is Verdict.UNIQUE
    assert unidoku.solve(form(UNIQUE)) == Grid(SOLUTION)


@pytest.mark.parametrize("function", [unidoku.check, unidoku.solve, unidoku.count, unidoku.solutions])
@pytest.mark.parametrize("wrong", ["", "1" * 80, "!" + "." * 80, "é" + "." * 80, np.zeros(81)])
def test_what_is_no_puzzle_is_refused_at_once(function, wrong):
    with pytest.raises(InvalidPuzzleError):
        function(wrong)


def test_limits():
    assert [unidoku.count(TEN, limit) for limit in (1, 2, 9, 10, 11)] == [1, 2, 9, 10, 10]
    assert unidoku.count("." * 81, limit=10) == 10
    with pytest.raises(ValueError, match="limit"):
        unidoku.count(TEN, limit=0)
    with pytest.raises(ValueError, match="budget"):
        unidoku.check(TEN, budget=0)


def test_budget():
    assert unidoku.check("." * 81, budget=1) is Verdict.UNKNOWN
    assert unidoku.check(UNIQUE, budget=1) is Verdict.UNIQUE


def test_solutions_come_lazily_and_in_the_order_of_solve():
    first = list(itertools.islice(unidoku.solutions("." * 81), 1000))
    assert first[0] == unidoku.solve("." * 81)
    assert len(set(first)) == 1000
    assert all(grid.is_solved() for grid in first)
