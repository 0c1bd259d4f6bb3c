"""Many puzzles: arrays, lines and strings."""

import numpy as np
import pytest

import unidoku
from unidoku import CheckResult, Grid, InvalidPuzzleError

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TEN = "590000048608000307000201000000040000075306980000090000000803000206000709340000065"
NOTHING = "009028700806004005003000004600000000020713450000000002300000500900400807001250300"
LINES = [UNIQUE, TEN, NOTHING, "x" * 81]
ASCII = np.frombuffer("".join(LINES).encode(), np.uint8).reshape(-1, 81)
NUMBERS = np.array([list(Grid(line).cells) for line in LINES], np.uint8)


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(NUMBERS, id="numbers"),
        pytest.param(NUMBERS.astype(np.int64), id="wide numbers"),
        pytest.param(np.asfortranarray(NUMBERS), id="columns first"),
        pytest.param(ASCII, id="codes"),
        pytest.param(LINES, id="strings"),
        pytest.param(tuple(LINES), id="tuple"),
        pytest.param(np.array(LINES), id="array of strings"),
        pytest.param([Grid(line) for line in LINES], id="grids"),
        pytest.param("\n".join(LINES).encode(), id="lines"),
        pytest.param("\r\n".join([*LINES, ""]).encode(), id="lines of Windows"),
        pytest.param(bytearray("\n".join(LINES), "ascii"), id="bytearray"),
    ],
)
def test_every_form_of_rows(rows):
    result = unidoku.check_many(rows, witnesses=True)
    assert isinstance(result, CheckResult)
    assert len(result) == 4
    assert result.verdicts.tolist() == [1, 2, 0, 2]
    assert result.counts.tolist() == [1, 2, 0, 2]
    assert result.counts.dtype == np.uint64
    assert result.complete.tolist() == [True] * 4
    assert (result.unique, result.multiple, result.none, result.unknown) == (1, 2, 1, 0)
    assert Grid(result.solutions[0]) == Grid(SOLUTION)
    assert not result.solutions[2].any()
    assert result.witnesses.any(axis=1).tolist() == [False, True, False, True]
    assert Grid(result.solutions[3]).is_solved()


def test_bad_rows_are_named():
    bad = ASCII.copy()
    bad[2, 5] = ord("!")
    with pytest.raises(InvalidPuzzleError, match=r"row 2: '!' in cell 6"):
        unidoku.check_many(bad)
    bad = NUMBERS.copy()
    bad[3, 0] = 10
    with pytest.raises(InvalidPuzzleError, match="row 3: cell 1 holds 10"):
        unidoku.check_many(bad)


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros((3, 80), np.uint8),
        np.zeros(81, np.uint8),
        np.zeros((2, 81)),
        np.full((2, 81), -1),
        np.full((2, 81), 300),
        [UNIQUE, UNIQUE[1:]],
        [UNIQUE, 5],
        UNIQUE,
        b"..\n",
        None,
    ],
)
def test_what_is_no_batch_is_refused(rows):
    with pytest.raises(InvalidPuzzleError):
        unidoku.check_many(rows)


def test_the_first_bad_row_of_many_is_named():
    rows = np.tile(NUMBERS, (10_000, 1))
    rows[[9_000, 12_345, 39_000], 7] = 99
    for threads in (1, 2):
        with pytest.raises(InvalidPuzzleError, match="row 9000"):
            unidoku.check_many(rows, threads=threads)


@pytest.mark.parametrize("rows", [np.zeros((0, 81), np.uint8), [], b""])
def test_no_rows(rows):
    result = unidoku.check_many(rows, witnesses=True)
    assert len(result) == 0
    assert result.solutions.shape == result.witnesses.shape == (0, 81)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_input_order_on_any_thread_count(threads, top1465):
    """Easy puzzles, hard ones and an empty grid, enough for many slices."""
    hard = np.frombuffer("".join(top1465).encode(), np.uint8).reshape(-1, 81)
    rows = np.concatenate([ASCII] * 9000 + [hard] + [ASCII] * 9000)
    result = unidoku.check_many(rows, threads=threads, witnesses=True)
    few = unidoku.check_many(ASCII, witnesses=True)
    one = unidoku.check_many(hard, threads=1, witnesses=True)
    for name in ("counts", "verdicts", "solutions", "witnesses"):
        ours, easy, mid = (getattr(each, name) for each in (result, few, one))
        assert (ours[:36000].reshape(9000, *easy.shape) == easy).all()
        assert (ours[36000:-36000] == mid).all()
        assert (ours[-36000:].reshape(9000, *easy.shape) == easy).all()


def test_what_is_not_asked_for_is_not_returned():
    result = unidoku.check_many(LINES, solutions=False)
    assert result.solutions is None
    assert result.witnesses is None
    result = unidoku.check_many(LINES, solutions=False, witnesses=True)
    assert result.solutions is None
    assert np.array_equal(result.witnesses, unidoku.check_many(LINES, witnesses=True).witnesses)


def test_budget_and_limits():
    result = unidoku.check_many(["." * 81, UNIQUE], budget=1)
    assert result.verdicts.tolist() == [3, 1]
    assert result.complete.tolist() == [False, True]
    assert unidoku.check_many(LINES[:3], limit=None).counts.tolist() == [1, 10, 0]
    assert unidoku.check_many(LINES, limit=5).counts.tolist() == [1, 5, 0, 5]
    for wrong in ({"limit": 0}, {"threads": 0}, {"budget": 0}):
        with pytest.raises(ValueError, match="at least 1"):
            unidoku.check_many(LINES, **wrong)


def test_summary_is_printed():
    assert repr(unidoku.check_many(LINES)) == (
        "<CheckResult of 4 puzzles: 1 unique, 2 multiple, 1 none, 0 unknown>"
    )
