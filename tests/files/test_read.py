"""`unidoku.read`: puzzles in batches."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_puzzles import QUIZ, UNIQUE

import unidoku
from unidoku.errors import InputError, UnidokuError


def test_batches_have_cells_lines_columns_and_reasons(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"id,puzzle\na,{UNIQUE}\nb,bad\nc,{QUIZ}\n")
    [batch] = unidoku.read(path)
    assert (batch.source, len(batch)) == (str(path), 2)
    assert unidoku.lines(batch.cells) == [UNIQUE, unidoku.Grid(QUIZ).line]
    assert batch.lines.tolist() == [2, 4]
    assert batch.columns == {"id": ["a", "c"]}
    assert list(batch.reasons) == [3]
    assert "expected 81 cells" in batch.reasons[3]


def test_batches_stay_valid_and_lines_are_counted_through_the_file(tmp_path: Path) -> None:
    path, count = tmp_path / "in.txt", 50_000
    path.write_text(f"{UNIQUE}\n" * count + "bad\n")
    batches = list(unidoku.read([path, path]))
    assert len(batches) > 4
    assert sum(map(len, batches)) == 2 * count
    assert all(set(unidoku.lines(batch.cells)) <= {UNIQUE} for batch in batches)
    lines = [line for batch in batches for line in batch.lines.tolist()]
    assert lines == [*range(1, count + 1)] * 2
    assert [line for batch in batches for line in batch.reasons] == [count + 1] * 2


def test_options_of_reading(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"a,b\n{UNIQUE},{QUIZ}\n")
    [batch] = unidoku.read(path, column="b", keep="none")
    assert (unidoku.lines(batch.cells), batch.columns) == ([unidoku.Grid(QUIZ).line], {})


def test_an_input_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(UNIQUE)
    with pytest.raises(InputError, match=r"no\.txt: No such file"):
        list(unidoku.read([tmp_path / "no.txt", path]))
    failures: list[UnidokuError] = []
    [batch] = unidoku.read([tmp_path / "no.txt", path], on_failure=failures.append)
    assert (len(batch), len(failures)) == (1, 1)
