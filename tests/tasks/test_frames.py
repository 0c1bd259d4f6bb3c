"""Results in pandas and Polars: the same columns, and one unit of `er`."""

import numpy as np
import pandas
import polars
import pytest
from cases import in_turn
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku.tasks import Rate
from unidoku.tasks._check import Check

ROWS = [PUZZLE, "." * 81, PUZZLE[:80]]

RESULTS = {
    "rate_many": lambda rows: unidoku.rate_many(rows, errors="invalid"),
    "check_many": lambda rows: unidoku.check_many(rows, errors="invalid"),
    "check_many without solutions": lambda rows: unidoku.check_many(rows, solutions=False, errors="invalid"),
    "check_many with second solutions": lambda rows: unidoku.check_many(
        rows, second_solutions=True, errors="invalid"
    ),
    "verify_many": lambda rows: unidoku.verify_many(rows, rows, errors="invalid"),
    "run_many": lambda rows: unidoku.run_many(Check(), rows, errors="invalid"),
}


@in_turn
@pytest.mark.parametrize("name", RESULTS)
def test_one_object_has_one_set_of_columns(name):
    result = RESULTS[name](ROWS)
    assert list(pandas.DataFrame(result).columns) == polars.DataFrame(result).columns


def test_er_is_the_same_number_everywhere(tmp_path):
    ratings = unidoku.rate_many(ROWS, errors="invalid")
    rating = unidoku.rate(PUZZLE)
    assert rating.er == ratings.er[0] == ratings[0].er == 1.2
    assert ratings.er.dtype == np.float64
    assert np.isnan(ratings.er).tolist() == [False, True, True]
    assert [*ratings] == [*unidoku.rate_many(ROWS, errors="invalid")]
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    unidoku.run(Rate(), tmp_path / "in.txt", tmp_path / "out.csv", columns=["er"])
    assert (tmp_path / "out.csv").read_text() == "er\n1.2\n"
    assert polars.DataFrame(ratings)["er"].to_list() == [1.2, None, None]
