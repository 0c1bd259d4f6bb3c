"""``unidoku bench``."""

from __future__ import annotations

import csv
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
from unidoku.tasks.speed_report import BenchmarkReport

ROOT = Path(__file__).resolve().parents[2]


def test_table():
    result = run("bench", "--seconds", 0.05, "--threads", 2, code=0)
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 140
    assert cpu.compiler() in lines[1]
    titles = [line for line in lines if re.match("(sample|easy|middle): ", line)]
    assert [line.partition(":")[0] for line in titles] == ["sample", "easy", "middle"]
    assert titles[0] == "sample: images of the bundled 4,000 puzzles with no, one and several solutions"
    rows = [re.split("  +", line) for line in lines if line.startswith(("unidoku ", "naive "))]
    ways = [[f"unidoku {isa}", call] for isa in kernel.usable() for call in ("many", "many, 2 threads")]
    best = [[f"unidoku {kernel.isa()}", call] for call in ("many", "one")]
    compared = [*best, ["naive", "one"]]
    assert [row[:2] for row in rows] == [*ways, best[1], *compared, *compared]
    assert all(row[2].replace(",", "").isdecimal() for row in rows)
    assert result.stderr == ""


def test_json():
    report = json.loads(run("bench", PUZZLE, "--seconds", 0.05, "--limit", 1, "--json", code=0).stdout)
    assert {*report["sources"]} == {row["set"] for row in report["rows"]} == {"inputs"}
    assert {row["limit"] for row in report["rows"]} == {1}
    assert report["machine"]["isa"] == kernel.isa()
    batches = [row for row in report["rows"] if row["call"] == "batch" and row["threads"] == 1]
    assert [row["solver"] for row in batches] == [f"unidoku {isa}" for isa in kernel.usable()]
    assert report["rows"][-1]["solver"] == "naive"
    assert report["slowest"] == [{"number": 1, "puzzle": PUZZLE, "guesses": 0, "rounds": 5}]


@pytest.mark.parametrize(
    ("suffix", "begin"),
    [("svg", "<svg "), ("html", "<!DOCTYPE html>"), ("csv", "set,solver,"), ("json", "{"), ("md", "")],
)
def test_an_output_is_written_by_its_suffix(suffix, begin, tmp_path):
    path = tmp_path / f"out.{suffix}"
    result = run("bench", PUZZLE, "--seconds", 0.02, "-o", path, code=0)
    assert result.stdout == ""
    text = path.read_text()
    assert text.startswith(begin)
    assert "naive" in text
    if suffix == "json":
        assert BenchmarkReport.from_json(text).rows[-1].solver == "naive"
    if suffix == "csv":
        assert [row["solver"] for row in csv.DictReader(text.splitlines())][-1] == "naive"


def test_a_suffix_that_is_unknown_is_refused_before_anything_is_measured(tmp_path):
    result = run("bench", "--seconds", 1000, "-o", tmp_path / "out.png", code=2)
    assert ".svg" in result.stderr


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


def program(*words: object) -> subprocess.CompletedProcess[str]:
    if not (ROOT / "bench").is_dir():
        pytest.skip("the folder bench is not here")
    command = [sys.executable, "-m", "bench", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_comparisons_of_a_checkout_have_a_help():
    text = program("--help").stdout
    assert text.startswith("usage: python -m bench")
    assert "--output" in text


def test_the_program_of_a_checkout_draws_what_bench_writes(tmp_path):
    run("bench", PUZZLE, "--seconds", 0.02, "-o", tmp_path / "in.json", code=0)
    done = program(tmp_path / "in.json", "-o", tmp_path / "out.svg", "-o", tmp_path / "out.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out.svg").read_text().startswith("<svg ")
    assert program(tmp_path / "in.json").stdout.splitlines()[5].startswith("inputs: ")
    (tmp_path / "wrong.json").write_text('{"rows": 5}')
    assert "wrong.json is no report" in program(tmp_path / "wrong.json").stderr
    assert "out.png: the suffix is none of" in program(tmp_path / "in.json", "-o", "out.png").stderr
