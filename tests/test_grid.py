"""`Grid`: forms of one puzzle, cells, candidates, clashes and drawings."""

import json
import pickle
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from example_puzzles import SOLUTION as SOLVED, UNIQUE as LINE
from fuzzing import examples
from hypothesis import given, strategies as st

import unidoku
from unidoku import Grid, InvalidPuzzleError

grids = st.lists(st.integers(0, 9), min_size=81, max_size=81).map(bytes)


@given(grids)
@examples(25)
def test_every_form_reads_back(cells):
    grid = Grid(cells)
    assert grid.cells == cells
    for form in (
        grid.line,
        str(grid),
        grid.line.encode(),
        bytearray(cells),
        grid,
        grid.to_array(),
        grid.to_array().astype(np.int64),
        grid.to_array().astype(">i4"),
        np.asfortranarray(grid.to_array()),
    ):
        assert Grid(form) == grid
    assert pickle.loads(pickle.dumps(grid)) == grid
    assert hash(Grid(grid.line)) == hash(grid)
    assert list(grid) == list(cells)


def test_an_invalid_puzzle_has_a_reason():
    for puzzle, words in [
        ("", "81 cells, found 0"),
        (LINE[:80], "cells, found 80"),
        (LINE + "1", "cells, found 82"),
        (LINE[:80] + "a", "^expected a digit or an empty cell .*, found 'a' in r9c9"),
        (b"\xff" * 81, "found '\xff' in r1c1"),
        (np.zeros((9, 8), int), "^expected 81 cells, found 72$"),
        (np.full(81, 0.5), "found 0.5 in r1c1"),
        (np.full(81, 10), "found 10 in r1c1"),
        (np.full(81, -2), "found -2 in r1c1"),
        (np.array([0] * 40 + [-1] * 41), "the same mark for all empty cells, -1, found 0 in r1c1"),
        (range(5 * 10**7), "found 50000000 characters or values$"),
        ([[0] * 10**6] * 9, "found 9000000 characters or values$"),
        (7, "found int 7$"),
        (7.5, "found float 7.5$"),
        (True, "found bool True$"),
        ({}, "found dict$"),
        (np.zeros((3, 3, 3)), r"found ndarray of shape \(3, 3, 3\) and type float64$"),
        ("paper.txt", "found 0; to read a file, call unidoku.read: "),
        (b"puzzles/paper.csv", "to read a file, call unidoku.read: "),
        (Path("paper.txt"), r"found \w*Path; to read a file, call unidoku.read: "),
    ]:
        with pytest.raises(InvalidPuzzleError, match=words):
            Grid(puzzle)


def test_places_and_clues():
    grid = Grid(LINE)
    assert (grid["r1c1"], grid["r1c2"], grid["R9C9"], grid[80], grid[2]) == (5, 3, 9, 9, 0)
    assert grid.clues == 30
    assert len(grid) == 81
    assert grid.candidates(2) == (1, 2, 4)
    assert grid.candidates(0) == ()
    with pytest.raises(IndexError):
        grid["r0c1"]


def test_a_valid_grid_has_no_clash_and_no_empty_cell_without_a_candidate():
    assert Grid(LINE).is_valid()
    assert not Grid(LINE).is_solved()
    assert Grid(SOLVED).is_solved()
    row = Grid("1.......1" + "." * 72)
    assert not row.is_valid()
    assert row.clashes() == [(0, 8, 1, "row 1")]
    column_and_box = Grid("1........" + "1" + "." * 71)
    assert [clash.house for clash in column_and_box.clashes()] == ["column 1", "box 1"]
    stuck = Grid("12345678." + "." * 17 + "9" + "." * 54)
    assert not stuck.clashes()
    assert not stuck.is_valid()


def test_pictures():
    assert str(Grid(LINE)).splitlines()[0] == "5 3 . | . 7 . | . . ."
    assert str(Grid(LINE)).splitlines()[3] == "------+-------+------"
    assert Grid(LINE)._repr_svg_().count("<text") == 30


def test_nine_strings_are_as_long_each() -> None:
    rows = [LINE[k : k + 9].replace(".", " ") for k in range(0, 81, 9)]
    assert Grid(rows).line == LINE
    rows[3] = rows[3][:8]  # a text may have cut ends, a list not
    with pytest.raises(InvalidPuzzleError, match="rows of different lengths"):
        Grid(rows)


NOTHING = (None, float("nan"), np.float32("nan"), "", " ", b"")
SIGNS = (NOTHING, (0, 0.0, np.int8(0), "0", b"0"), (-1, np.int64(-1)), (".", b"."), ("x",), ("_",))


def test_a_list_has_one_sign_for_empty_cells() -> None:
    """Of two signs one may be a lost digit; what stands for nothing is one, however it is written."""
    cells, places = [*map(int, LINE.replace(".", "0"))], [k for k, cell in enumerate(LINE) if cell == "."]
    for (number, one), (other, two) in product(
        [(k, sign) for k, kind in enumerate(SIGNS) for sign in kind], repeat=2
    ):
        values: list[Any] = [*cells]
        for place in places:
            values[place] = one if place % 2 else two
        for form in (values, [values[k : k + 9] for k in range(0, 81, 9)], np.array(values, np.object_)):
            if number == other:
                assert Grid(form).line == LINE
            else:
                with pytest.raises(InvalidPuzzleError, match="the same mark"):
                    Grid(form)
    mixed = np.array([*map(float, cells)])
    mixed[places[0]] = np.nan
    with pytest.raises(InvalidPuzzleError, match="the same mark for all empty cells, 0, found nan"):
        Grid(mixed)


def test_a_row_that_is_there_twice_is_no_puzzle_in_any_form_with_rows() -> None:
    """It may stand in the place of another; 81 cells on a line have no rows to look at."""
    rows = [LINE[k : k + 9] for k in range(0, 81, 9)]
    rows[4] = rows[0]
    values = [[*map(int, row.replace(".", "0"))] for row in rows]
    forms = (
        "\n".join(rows),
        rows,
        values,
        tuple(map(tuple, values)),
        json.dumps(values),
        [*map(np.array, values)],
    )
    for form in forms:
        with pytest.raises(InvalidPuzzleError, match=r"^row 5 repeats row 1; correct one of them$"):
            Grid(form)
    assert {*unidoku.check_many([values, LINE, forms[-1]], errors="invalid").reasons} == {0, 2}


def test_a_grid_equals_its_line_and_no_other_text() -> None:
    grid = Grid(SOLVED)
    assert grid == SOLVED
    assert (grid != SOLVED) is False
    assert grid != SOLVED[:80] + "1"
    open_grid = Grid(LINE)
    assert hash(open_grid) == hash(LINE)
    assert open_grid == LINE
    for other in (LINE.replace(".", "0"), f"{LINE}\n", LINE.replace(".", "_"), LINE.encode(), str(open_grid)):
        assert open_grid != other
        assert open_grid not in {other}
        assert Grid(other) in {LINE}
    assert grid not in ("", "no grid", 5, None)
    assert {grid, SOLVED} == {SOLVED} == {Grid(SOLVED)}
    assert grid in {SOLVED: 1}


def test_grids_are_compared_with_a_column_of_texts() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"quizzes": [LINE.replace(".", "0")] * 2, "solutions": [SOLVED, SOLVED[::-1]]})
    solved = frame.quizzes.map(unidoku.solve)
    assert (solved == frame.solutions).tolist() == [True, False]
    assert (frame.solutions == solved).tolist() == [True, False]
    assert solved.isin(frame.solutions).tolist() == [True, True]
    texts = pandas.Series([LINE, SOLVED])
    grids = pandas.Series([Grid(LINE), Grid(SOLVED)], dtype=object)
    for column in (texts, texts.astype(object)):
        assert grids.isin(column).tolist() == (grids == column).tolist() == [True, True]
        assert len(pandas.DataFrame({"p": grids}).merge(pandas.DataFrame({"p": column}))) == 2
        assert pandas.concat([grids, column]).duplicated().tolist() == [False, False, True, True]
    assert texts.astype(object).isin([Grid(LINE)]).tolist() == [True, False]
