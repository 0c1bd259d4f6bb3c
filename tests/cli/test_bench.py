"""``unidoku bench``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import run
from example_puzzles import UNIQUE as PUZZLE

from unidoku import kernel
from unidoku.arguments import MAX_TIMED
from unidoku.native import cpu


def test_table():
    result = run("bench", "--seconds", 0.05, "--threads", 2, code=0)
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert cpu.compiler() in lines[1]
    assert lines[2] == "sample: random images of 4,000 puzzles, solutions up to 2"
    rows = [line.split() for line in lines if line.partition(" ")[0] in {"sample", "easy", "middle"}]
    ways = [("batch", "1"), ("batch", "2"), ("single", "1")]
    assert [row[2:5] for row in rows if row[0] == "sample"] == [
        [isa, *way] for isa in kernel.usable() for way in ways
    ]
    for name in ("easy", "middle"):
        expected_ways = [[kernel.isa(), "batch"], [kernel.isa(), "single"], ["naive", "single"]]
        assert [row[2:4] for row in rows if row[0] == name] == expected_ways
    ratios = [
        re.fullmatch(rf"{name}: naive takes ([\d,]+) times as long as batch, ([\d,]+) as single", line)
        for name in ("easy", "middle")
        for line in lines
        if line.startswith(f"{name}: naive takes")
    ]
    assert len(ratios) == 2
    for name, ratio in zip(("easy", "middle"), ratios, strict=True):
        assert ratio
        batch, single, naive = (float(row[6].replace(",", "")) for row in rows if row[0] == name)
        many, one = (float(figure.replace(",", "")) for figure in ratio.groups())
        assert 0.98 < many / (naive / batch) < 1.02
        assert 0.98 < one / (naive / single) < 1.02
    assert all(float(figure.replace(",", "")) > 0 for row in rows for figure in (row[1], *row[5:]))
    assert result.stderr == ""


def test_json():
    report = json.loads(run("bench", PUZZLE, "--seconds", 0.05, "--limit", 1, "--json", code=0).stdout)
    assert set(report) == {"machine", "different", "limit", "rows"}
    assert report["different"] == report["limit"] == 1
    assert report["machine"]["isa"] == kernel.isa()
    batches = [row for row in report["rows"] if row["call"] == "batch" and row["threads"] == 1]
    assert [row["solver"] for row in batches if row["set"] == "inputs"] == list(kernel.usable())
    assert [row["solver"] for row in report["rows"] if row["set"] == "first"][-1] == "naive"


def test_a_record_that_is_not_a_puzzle(tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\nno puzzle\n")
    result = run("bench", tmp_path / "in.txt", "--seconds", 0.05, code=1)
    assert "in.txt:2" in result.stderr
    assert result.stdout == ""


def test_errors(tmp_path):
    assert "absent.txt" in run("bench", tmp_path / "absent.txt", code=2).stderr
    for seconds in ("0", "inf", "nan", "x"):
        assert "seconds" in run("bench", "--seconds", seconds, code=2).stderr
    assert "--limit" in run("bench", "--limit", MAX_TIMED + 1, code=2).stderr
    assert f"1<=x<={MAX_TIMED}" in run("bench", "--help", code=0).stdout


def test_the_comparisons_of_a_checkout_have_a_help():
    root = Path(__file__).resolve().parents[2]
    if not (root / "bench").is_dir():
        pytest.skip("the folder bench is not here")
    command = [sys.executable, "-m", "bench", "--help"]
    text = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert text.startswith("usage: python -m bench")
    assert "--page" in text
