"""Counting all solutions of one puzzle from Python."""

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import GRIDS, MANY, SOLUTION as SOLVED

import unidoku
from unidoku import Grid, SearchStoppedError, kernel
from unidoku._threads import Cancel
from unidoku.counting import Solutions

EMPTY = "." * 81
# few digits are without clues, so that the sum takes some tenths of a second
LONG = "...............9...4.................6...7................8.4...................."
# few configurations for each state of the first stack
SPARSE = "4......................6...2..9.....9................4......69..94.1............7"


def test_limits():
    for limit in [None, 1, 2, 512, 513, 148_357_267, 148_357_268, 148_357_269, 10**22]:
        assert unidoku.count(MANY, limit=limit) == min(148_357_268, limit or 10**22)


@in_turn
@pytest.mark.parametrize("limit", [None, 512, GRIDS - 1, GRIDS, GRIDS + 1])
def test_limits_of_the_empty_grid(limit):
    assert unidoku.count(EMPTY, limit=limit) == min(GRIDS, limit or GRIDS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        ("..2....3....1....8.8......682.3..1.............4.9....2.8.7.......52..1...7......", 3_422_944),
    ],
)
def test_a_search_agrees_on_millions_of_solutions(puzzle, number):
    assert unidoku.count(puzzle) == number
    assert unidoku.count(puzzle, budget=10**9) == number  # with a budget only the search counts


def test_a_search_that_ends_before_it_has_found_many_solutions():
    # after 1,024 guesses, the search before the sum has found 495
    puzzle = "..3.5.7..4....9....8.2...4.2.........9.........1.6.5.......16......7...3..6....57"
    assert kernel.search(Grid(puzzle).cells, 512, 1024)[1:] == (495, False)
    assert [unidoku.count(puzzle, limit=limit) for limit in (None, 500, 5000)] == [4162, 500, 4162]


@pytest.mark.parametrize(("puzzle", "threads"), [("123456789" + "." * 72, 1), ("." * 72 + "123456789", 2)])
def test_progress(puzzle, threads):
    shares = []
    unidoku.count(puzzle, threads=threads, progress=shares.append)
    assert shares
    assert all(0 <= part <= 1 for part in shares)
    assert max(shares) > 0.5


@pytest.mark.parametrize("threads", [1, 2])
def test_cancel(threads):
    cancel = Cancel()
    with pytest.raises(SearchStoppedError):
        unidoku.count(LONG, threads=threads, cancel=cancel, progress=lambda _: cancel.set())
    with pytest.raises(SearchStoppedError):
        unidoku.count(LONG, threads=threads, cancel=cancel)


def test_an_exception_of_the_callback_is_raised():
    def fail(_):
        raise LookupError("from the callback")

    with pytest.raises(LookupError, match="from the callback"):
        unidoku.count(LONG, progress=fail, threads=2)


def chi_square(observed, expectations):
    return sum((n - e) ** 2 / e for n, e in zip(observed, expectations, strict=True) if e)


def test_orders_of_lines_without_clues_are_all_there():
    rows = [SOLVED[begin : begin + 9] for begin in range(0, 81, 9)]
    every = Solutions("".join("." * 9 if number in (0, 1, 3, 4) else row for number, row in enumerate(rows)))
    assert len(np.unique(every.take([*range(every.count)]), axis=0)) == every.count == 580


def test_samples_of_few_solutions_are_uniform():
    """99.9 % of uniform samples have a lower chi-square; the seed is fixed."""
    solutions = Solutions("590000048608000307000201000000040000075306980000090000000803000206000709340000065")
    assert solutions.count == 10
    grids = solutions.sample(count=5000, seed=1)
    numbers = np.unique(grids, axis=0, return_counts=True)[1]
    assert len(numbers) == 10
    assert chi_square(numbers, [500] * 10) < 27.9


@pytest.mark.slow
@pytest.mark.parametrize("clues", ["", SPARSE, "123456789"])
def test_digits_in_samples_have_the_frequency_of_their_counts(clues):
    puzzle = clues.ljust(81, ".")
    solutions = Solutions(puzzle)
    grids = solutions.sample(count=3000, seed=5).reshape(-1, 9, 9)
    for row, column in ((0, 4), (8, 0)):
        cell = 9 * row + column
        counts = [unidoku.count(f"{puzzle[:cell]}{digit}{puzzle[cell + 1 :]}") for digit in range(1, 10)]
        expectations = [3000 * number / solutions.count for number in counts]
        observed = np.bincount(grids[:, row, column], minlength=10)[1:]
        assert all((n == 0) == (e == 0) for n, e in zip(observed, expectations, strict=True))
        assert chi_square(observed, expectations) < 26.1


def test_solutions_by_number():
    solutions = Solutions(MANY)
    assert solutions.count == 148_357_268
    assert repr(solutions) == "<Solutions: 148357268>"
    grids = solutions.take([5, 148_357_267, 0, 5])
    assert grids.shape == (4, 81)
    assert (grids[0] == grids[3]).all()
    assert all(Grid(grid).is_solved() for grid in grids)
    for rank in (-1, 148_357_268):
        with pytest.raises(IndexError):
            solutions.take([rank])
    with pytest.raises(ValueError, match="count must be"):
        solutions.sample(count=0)
    cancel = Cancel()
    cancel.set()
    with pytest.raises(SearchStoppedError):
        solutions.sample(count=1000, cancel=cancel)


def test_no_solution():
    impossible = "11" + "." * 79
    assert Solutions(impossible).count == 0
    assert Solutions(impossible).take([]).shape == (0, 81)
    with pytest.raises(ValueError, match="no solution"):
        Solutions(impossible).sample(count=1)


def test_cancel_and_progress_of_solutions():
    shares = []
    cancel = Cancel()

    def progress(part):
        shares.append(part)
        cancel.set()

    with pytest.raises(SearchStoppedError):
        Solutions(LONG, cancel=cancel, progress=progress)
    assert shares


def test_many_puzzles_with_many_solutions():
    rows = [EMPTY, MANY, "11" + "." * 79, SOLVED, "." + SOLVED[1:], ROW, SIX]
    numbers = [2**64 - 1, 148_357_268, 0, 1, 1, GRIDS // 362_880, unidoku.count(SIX)]
    result = unidoku.check_many(rows, limit=None)
    assert result.count.tolist() == numbers
    assert result.complete.tolist() == [number < 2**64 - 1 for number in numbers]
    assert result.solution[0].tobytes() == unidoku.solve(EMPTY).cells
    for limit in (1024, 10**9):
        answers = unidoku.check_many(rows, limit=limit)
        assert answers.count.tolist() == [min(number, limit) for number in numbers]
        assert answers.complete.all()
        assert (answers.solution == result.solution).all()
    answers = unidoku.check_many(np.array([Grid(row).to_array().ravel() for row in rows]), limit=None)
    assert answers.count.tolist() == numbers


ROW = "123456789" + "." * 72
SIX = SOLVED.replace("1", ".").replace("2", ".").replace("3", ".").replace("4", ".")
