"""``unidoku bench``, and the comparisons of a checkout, which draw what it writes."""

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

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_has_each_instruction_set_and_the_sets_of_puzzles():
    lines = run("bench", "--seconds", 0.05, "--threads", 2, code=0).stdout.splitlines()
    titles = [line for line in lines if re.match("(sample|easy|middle): ", line)]
    assert [line.partition(":")[0] for line in titles] == ["sample", "easy", "middle"]
    rows = [re.split("  +", line) for line in lines if line.startswith(("unidoku ", "naive "))]
    ways = [[f"unidoku {isa}", call] for isa in kernel.usable() for call in ("many", "many, 2 threads")]
    best = [[f"unidoku {kernel.isa()}", call] for call in ("many", "one")]
    compared = [*best, ["naive", "one"]]
    assert [row[:2] for row in rows] == [*ways, best[1], *compared, *compared]
    assert all(row[2].replace(",", "").isdecimal() for row in rows)


def test_a_report_as_json():
    report = json.loads(run("bench", PUZZLE, "--seconds", 0.02, "--limit", 1, "--json", code=0).stdout)
    assert {row["limit"] for row in report["rows"]} == {1}
    batches = [row for row in report["rows"] if row["call"] == "batch" and row["threads"] == 1]
    assert [row["solver"] for row in batches] == [f"unidoku {isa}" for isa in kernel.usable()]
    assert report["slowest"] == [{"number": 1, "puzzle": PUZZLE, "guesses": 0, "rounds": 5}]
    assert report["rows"][-1]["solver"] == "naive"


@pytest.mark.skipif(not (ROOT / "bench").is_dir(), reason="the folder bench is not here")
def test_the_program_of_a_checkout_draws_what_bench_writes(tmp_path):
    def program(*words: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bench", *map(str, words)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    run("bench", PUZZLE, "--seconds", 0.02, "-o", tmp_path / "in.json", code=0)
    done = program(tmp_path / "in.json", "-o", tmp_path / "out.svg", "-o", tmp_path / "out.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out.svg").read_text().startswith("<svg ")
    (tmp_path / "wrong.json").write_text('{"rows": 5}')
    assert "wrong.json is no report" in program(tmp_path / "wrong.json").stderr
    piped = f"{sys.executable} -m bench bench/results/zen4-gcc.json | head -1"
    done = subprocess.run(piped, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
