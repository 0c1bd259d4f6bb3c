"""Puzzles in memory as the input of a run: arrays, beside files, and blocks made while it takes them."""

import io

import numpy as np
import pytest
from example_puzzles import TEN, UNIQUE

import unidoku
from unidoku.files._inputs import MemoryInput
from unidoku.tasks import Check, Rate
from unidoku.tasks._split import split_file

CELLS = unidoku.generate(300, seed=3)


def test_an_array_is_read_as_a_file_of_its_puzzles(tmp_path):
    (tmp_path / "in.txt").write_text("\n".join(unidoku.lines(CELLS)))
    for task in (Check(), Rate()):
        for columns in (None, ("line", "clues", "puzzle")):
            unidoku.run(task, tmp_path / "in.txt", tmp_path / "file.csv", columns=columns)
            for cells in (CELLS, CELLS.reshape(-1, 9, 9), CELLS.astype(np.int64)[:, ::-1][:, ::-1]):
                unidoku.run(task, cells, tmp_path / "array.csv", columns=columns)
                assert (tmp_path / "array.csv").read_text() == (tmp_path / "file.csv").read_text()


def test_arrays_stand_beside_files_and_in_other_runs_over_files(tmp_path):
    summary = unidoku.run(Check(), [CELLS, io.BytesIO(TEN.encode())])
    assert (summary.puzzles, summary.unique, summary.multiple) == (301, 300, 1)
    assert sum(split_file(CELLS, [tmp_path / "a.npz", tmp_path / "b.txt"], seed=1).outputs) == 300
    assert not unidoku.learning.audit_files(CELLS)
    calls = []
    unidoku.run(Check(), CELLS, progress=calls.append)
    assert (calls[-1].done, calls[-1].total, calls[-1].puzzles) == (81 * 300, 81 * 300, 300)


def test_other_arrays():
    assert unidoku.run(Check(), CELLS[:0], empty=True).puzzles == 0
    for wrong in (np.zeros((3, 80), int), np.full((2, 81), 12)):
        with pytest.raises(unidoku.InvalidPuzzleError):
            unidoku.run(Check(), wrong)


def test_blocks_are_made_while_a_run_takes_them():
    taken = []

    def blocks():
        for begin in range(0, 300, 100):
            taken.append(begin)
            yield CELLS[begin : begin + 100]
        yield bytes(unidoku.Grid(UNIQUE).cells)

    made = blocks()
    assert not taken
    assert unidoku.run(Check(), MemoryInput(made, 301), threads=1).unique == 301
    assert taken == [0, 100, 200]
