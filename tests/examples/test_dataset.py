"""The example that makes a data set: proper puzzles, no class twice, no leaks, the same for the same seed."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import unidoku
from unidoku.rating import measure_many

pytest.importorskip("pyarrow", reason="the example needs PyArrow")
import pyarrow.parquet as pq

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "dataset.py"


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    if not SCRIPT.is_file():
        pytest.skip("the examples are not beside the tests")
    command = [sys.executable, str(SCRIPT), str(folder), "--count", "80", "--images", "3", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def test_data_set(tmp_path):
    done = run(tmp_path / "one", "--test", "0.25", "--seed", "7")
    assert done.returncode == 0, done.stderr
    tables = {name: pq.read_table(tmp_path / "one" / f"{name}.parquet") for name in ("train", "test")}
    classes = {}
    for name, table in tables.items():
        parameters = json.loads(table.schema.metadata[b"dataset"])
        asked = {"count": 80, "images": 3, "seed": 7, "test": 0.25, "request": {"minimal": True}}
        assert parameters == asked | {"version": unidoku.__version__}
        puzzles, ids = table["puzzle"].to_pylist(), table["id"].to_numpy()
        checked = unidoku.check_many(puzzles)
        assert checked.unique == len(puzzles)
        assert [answer.solution for answer in checked] == table["solution"].to_pylist()
        assert [81 - line.count("0") for line in puzzles] == table["clues"].to_pylist()
        own = table["image"].to_numpy() == 0
        rated = measure_many([line for line, mine in zip(puzzles, own, strict=True) if mine])
        for column, values in (("class", rated.classes), ("steps", rated.steps), ("level", rated.level)):
            assert values.tolist() == table[column].to_numpy()[own].tolist()
        assert np.unique(ids, return_counts=True)[1].tolist() == [4] * (len(puzzles) // 4)
        assert len(set(puzzles)) == len(puzzles)
        forms = [bytes(form) for form in unidoku.canonical_many(puzzles).puzzle]
        classes[name] = set(forms)
        assert len(classes[name]) == len(set(zip(ids.tolist(), forms, strict=True))) == len(puzzles) // 4
    assert not classes["train"] & classes["test"]
    assert len(classes["train"]) + len(classes["test"]) == 80
    assert 10 <= len(classes["test"]) <= 30
    assert not set(tables["train"]["id"].to_pylist()) & set(tables["test"]["id"].to_pylist())
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["test.parquet", "train.parquet"]

    assert run(tmp_path / "two", "--test", "0.25", "--seed", "7").returncode == 0
    for name, table in tables.items():
        assert pq.read_table(tmp_path / "two" / f"{name}.parquet").equals(table)
    again = run(tmp_path / "two", "--seed", "8")
    assert again.returncode
    assert "exists already" in again.stderr


@pytest.mark.parametrize("option", [["--test", "2"], ["--class", "5"], ["--steps", "x"]])
def test_bad_options(tmp_path, monkeypatch, option):
    if not SCRIPT.is_file():
        pytest.skip("the examples are not beside the tests")
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(tmp_path / "bad"), *option])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert ended.value.code == 2
    assert not (tmp_path / "bad").exists()
