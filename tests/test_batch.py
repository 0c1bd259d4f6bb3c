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
    assert result.counts.dtype == np.uint32
    assert (result.unique, result.multiple, result.none, result.unknown) == (1, 2, 1, 0)
    assert Grid(result.solutions[0]) == Grid(SOLUTION)
    assert not result.solutions[2].any()
    assert result.witnesses.any(axis=1).tolist() == [False, True, False, True]
    assert Grid(result.solutions[3]).is_solved()


def test_bad_rows_are_named():
    bad = ASCII.copy()
    bad[2, 5] = ord("?")
    with pytest.raises(InvalidPuzzleError, match=r"row 2: '\?' in cell 6"):
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
