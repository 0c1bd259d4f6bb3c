"""Many puzzles in memory: forms of rows, order, budgets, reasons and results."""

import copy
import pickle
import threading
import time
from dataclasses import astuple

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import NOTHING, SOLUTION, TEN, UNIQUE

import unidoku
from unidoku import Cancel, Grid, InvalidPuzzleError, Verdict
from unidoku.tasks import Rate

LINES = [UNIQUE, TEN, NOTHING, "0" * 81]


def board_of(line, empty=0):
    """Nine lists of nine cells."""
    cells = [int(c) if c in "123456789" else empty for c in line]
    return [cells[9 * row : 9 * row + 9] for row in range(9)]


ASCII = np.frombuffer("".join(LINES).encode(), np.uint8).reshape(-1, 81)
NUMBERS = np.array([list(Grid(line).cells) for line in LINES], np.uint8)


@in_turn
@pytest.mark.parametrize(
    "rows",
    [
        np.zeros((3, 80), np.uint8),
        np.zeros(81, np.uint8),
        np.full((2, 81), 0.5),
        np.full((2, 81), -2),
        np.full((2, 81), 300),
        np.full((1, 81), 138, np.uint8),
        np.array([[9] * 81, [10] * 81], np.uint8),
        np.array([[48] * 81, [7] * 80 + [48]], np.uint8),
        [UNIQUE, UNIQUE[1:]],
        [UNIQUE, UNIQUE[:80] + "/"],
        [UNIQUE, 5],
        [UNIQUE, None],
        UNIQUE,
        f"{UNIQUE},{TEN}".encode(),
        f"{UNIQUE}\n{UNIQUE[:80]}".encode(),
        *(board_of(UNIQUE), NUMBERS[0], NUMBERS[0].reshape(9, 9), list(UNIQUE), Grid(TEN)),  # one puzzle
        b"..\n",
        None,
    ],
)
def test_arguments_that_are_not_a_batch_are_refused(rows):
    with pytest.raises(InvalidPuzzleError):
        unidoku.check_many(rows)


@in_turn
@pytest.mark.parametrize("rows", [np.zeros((0, 81), np.uint8), np.array([]), [], b""])
def test_no_rows(rows):
    result = unidoku.check_many(rows, second_solutions=True)
    assert len(result) == 0
    assert result.solution.shape == result.second_solution.shape == (0, 81)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_input_order_on_any_thread_count(threads, top1465):
    """Easy puzzles, hard puzzles and an empty grid, enough for many slices."""
    hard = np.frombuffer("".join(top1465).encode(), np.uint8).reshape(-1, 81)
    rows = np.concatenate([ASCII] * 9000 + [hard] + [ASCII] * 9000)
    result = unidoku.check_many(rows, threads=threads, second_solutions=True)
    easy_result = unidoku.check_many(ASCII, second_solutions=True)
    hard_result = unidoku.check_many(hard, threads=1, second_solutions=True)
    for name in ("count", "verdict", "solution", "second_solution"):
        column, easy_column, hard_column = (
            getattr(table, name) for table in (result, easy_result, hard_result)
        )
        assert (column[:36000].reshape(9000, *easy_column.shape) == easy_column).all()
        assert (column[36000:-36000] == hard_column).all()
        assert (column[-36000:].reshape(9000, *easy_column.shape) == easy_column).all()


def test_outputs_not_requested_are_not_returned():
    assert unidoku.check_many(LINES, solutions=False)[0]._fields == ("verdict", "count", "complete", "reason")
    result = unidoku.check_many(LINES, solutions=False, second_solutions=True)
    with pytest.raises(AttributeError, match=r"no .solution.; it has verdict, count, complete, s"):
        _ = result.solution
    full_result = unidoku.check_many(LINES, second_solutions=True)
    assert np.array_equal(result.second_solution, full_result.second_solution)


def test_budget_and_limits():
    result = unidoku.check_many(["." * 81, UNIQUE], budget=1)
    assert result.verdict.tolist() == ["unknown", "unique"]
    assert result.complete.tolist() == [False, True]
    assert unidoku.check_many(LINES[:3], limit=None).count.tolist() == [1, 10, 0]
    assert unidoku.check_many(LINES, limit=5).count.tolist() == [1, 5, 0, 5]


def test_a_result_prints_its_columns_and_verdicts():
    assert repr(unidoku.check_many(LINES)) == (
        "<Result of 4 rows: verdict, count, complete, solution, 1 none, 1 unique, 2 multiple>"
    )


def test_verdicts_are_words_and_codes():
    result = unidoku.check_many([*LINES, "bad"], errors="invalid")
    words = ["unique", "multiple", "none", "multiple", "invalid"]
    assert result.verdict.tolist() == [row.verdict for row in result] == words
    assert all(type(word) is str for word in result.verdict)
    assert (result.verdict == "unique").tolist() == [True, False, False, False, False]
    assert result.verdict_codes.dtype == np.uint8
    assert list(map(Verdict, result.verdict_codes)) == words
    for verdict in Verdict:  # words and codes are compared with a verdict
        expected = [word == verdict for word in words]
        assert (result.verdict == verdict).tolist() == (verdict == result.verdict).tolist() == expected
        assert (result.verdict != verdict).tolist() == [not is_same for is_same in expected]
        assert (result.verdict_codes == verdict).tolist() == expected
        assert getattr(result, verdict) == sum(expected)
    assert {"verdict_codes", "none", "unique", "multiple", "unknown", "invalid"} <= {*dir(result)}


def test_a_result_without_verdicts_has_no_numbers_of_them():
    result = unidoku.craft.canonical_many(LINES[:1])
    for name in ("unique", "verdict_codes"):
        with pytest.raises(AttributeError, match=rf"no '{name}'; it has puzzle"):
            getattr(result, name)


def test_solve_many_says_which_are_solved():
    result = unidoku.solve_many([*LINES, "bad"], errors="invalid", budget=20)
    assert repr(result) == "<Result of 5 rows: solved, complete, solution, 2 solved, 1 without a result>"
    assert result[0] == (True, True, SOLUTION, None)
    assert result[4] == (None, None, None, result.reasons[4])
    assert result.solved.tolist() == [True, True, False, False, False]
    assert result.complete.tolist() == [True, True, True, False, False]
    assert not result.solution[2:].any()


def test_rows_are_pickled():
    rows = list(unidoku.check_many([*LINES, "bad"], errors="invalid"))
    rows += [*unidoku.solve_many(LINES), *unidoku.run_many(Rate(), LINES[:1])]
    copies = pickle.loads(pickle.dumps(rows))
    assert copies == rows == copy.deepcopy(rows)
    assert [row._fields for row in copies] == [row._fields for row in rows]


def test_a_notebook_shows_the_first_answers():
    bad = "<" + "." * 80
    result = unidoku.check_many([*LINES, bad], solutions=True, errors="invalid")
    page = result._repr_html_()
    assert repr(result)[1:-1] in page
    assert page.count("<tr>") == 1 + min(len(result), 10)
    assert "found &#x27;&lt;&#x27; in r1c1" in page
    assert all(answer.solution in page for answer in list(result)[:10] if answer.solution)
    assert "<th>solution</th>" not in unidoku.check_many(LINES, solutions=False)._repr_html_()
    assert "<p>… 5 more</p>" in unidoku.check_many(["." * 81] * 15)._repr_html_()
    assert "more</p>" not in unidoku.check_many(["." * 81] * 10)._repr_html_()


def test_a_result_is_a_sequence_of_rows():
    result = unidoku.check_many([*LINES, "bad"], second_solutions=True, errors="invalid", limit=5)
    unique_row, invalid_row = result[0], result[-1]
    assert unique_row == ("unique", 1, True, SOLUTION, None, None)
    assert invalid_row == ("invalid", None, None, None, None, result.reasons[4])
    assert result[1][:-1] == astuple(unidoku.examine(TEN, limit=5))[:5]  # and the guesses
    assert result[2].solution is None
    assert list(result) == [result[row] for row in range(5)]
    assert result[np.int64(1)] == result[1]
    for index in (5, -6):
        with pytest.raises(IndexError):
            result[index]
    with pytest.raises(TypeError):
        result["0"]


def test_a_bad_row_ends_the_work_on_all_others():
    """Counting the first slices would take very long."""
    rows = ["." * 81] * 40_000
    rows[20_000] = "!" * 81
    with pytest.raises(InvalidPuzzleError, match="row 20000"):
        unidoku.check_many(rows, limit=None, threads=3)


@pytest.mark.parametrize("threads", [1, 2])
def test_cancel_ends_a_batch(threads):
    cancel = Cancel()
    rows = [*LINES, *["." * 81] * 20_000, "bad"]
    begin = time.process_time()

    def after_some_work():
        while time.process_time() < begin + 0.1:
            time.sleep(0.01)
        cancel.set()

    threading.Thread(target=after_some_work).start()
    result = unidoku.check_many(rows, limit=None, threads=threads, cancel=cancel, errors="invalid")
    assert not result.complete[4:].any()
    assert set(result.verdict[4:-1]) <= {"unknown", "multiple"}
    assert result.verdict[-1] == "invalid"
    assert result.count[4:].any()
    assert not result.solution[~result.complete].any()


def test_solutions_are_texts_for_a_data_frame():
    pandas = pytest.importorskip("pandas")
    result = unidoku.solve_many([UNIQUE, "55" + "." * 79])
    assert result.solutions == [SOLUTION, None]
    assert "solutions" in dir(result)
    frame = pandas.DataFrame({"quizzes": [UNIQUE] * 2})
    frame["solved"] = unidoku.solve_many(frame.quizzes).solutions
    assert (frame.solved == SOLUTION).all()
    assert SOLUTION in frame.to_csv()
    with pytest.raises(AttributeError, match="solutions"):
        _ = unidoku.count_many([UNIQUE]).solutions
