"""The comparisons of bench/: adapters of peers, wrong answers, rows and views. No speed is asserted."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import NONE, SEVERAL, SOLUTION, UNIQUE

import unidoku

pytest.importorskip("peers", reason="the folder bench is not here")
import peers
from match import Pair, in_time, rows_of
from peers.build import COMMITS
from report import VIEWS, BenchmarkReport, Row
from solvers import NAIVE, Solver, one_by_one
from speed_sets import SETS, image_set

BENCH = Path(__file__).resolve().parents[1] / "bench"


@in_turn
@pytest.mark.parametrize("name", ["Norvig", "DLX", "naive"])
def test_our_own_programs_count_and_solve(name):
    solver = peers.load(name)
    lines = [UNIQUE, SEVERAL, NONE, "11" + UNIQUE[2:]]
    found = solver.prepare(lines, 3)().counts
    assert found == [unidoku.count(line, limit=3) for line in lines]
    first = solver.prepare([UNIQUE, SEVERAL], 1)().solutions
    assert first[0] == SOLUTION
    assert unidoku.verify(SEVERAL, first[1]).solved


def test_a_work_is_cut_off_at_its_limit():
    answer, seconds = in_time(lambda: all(iter(lambda: 1, 0)), 0.05)
    assert answer is None
    assert seconds > 0
    assert in_time(lambda: 1, 1000)[0] == 1


def test_a_solver_that_is_absent_says_what_it_needs(monkeypatch):
    for name, variable in peers.NATIVE.items():
        monkeypatch.delenv(variable, raising=False)
        with pytest.raises(peers.Absent, match=f"{variable} names no shared library"):
            peers.load(name)
    for name, module in peers.PACKAGES.items():
        monkeypatch.setitem(sys.modules, f"peers.{module}", None)
        with pytest.raises(peers.Absent, match=r"pip install 'unidoku\[peers\]'"):
            peers.load(name)
    assert peers.load("naive") is NAIVE


def test_libraries_are_built_at_the_commits_of_the_page(tmp_path):
    page = (BENCH.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert [commit for commit in COMMITS.values() if commit not in page] == []
    command = [sys.executable, BENCH / "peers" / "build.py", "-o", tmp_path, "--tdoku", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"git checkout {COMMITS['tdoku']}" in done.stderr


@in_turn
@pytest.mark.parametrize(
    ("find", "tell", "limit"),
    [(lambda line: SOLUTION[::-1], None, 1), (lambda line: "", None, 1), (None, lambda line, limit: 2, 2)],
)
def test_a_wrong_answer_of_a_peer_is_in_its_row(find, tell, limit):
    """A row that has no figure says why, and does not vanish."""
    few = image_set("few", "", lambda: unidoku.cells([UNIQUE]), solutions=1)
    found = rows_of(few, Solver("peer", one_by_one(find, tell)), limit, 3, seconds=0.5)
    assert "peer, single: wrong answer to the puzzle" in found.remark
    assert found.seconds is None


def test_each_side_is_measured_by_processor_time_a_puzzle():
    """A work that waits takes none, whatever the clock on the wall says."""
    waiting = Pair(Row("few", "peer", "single", puzzles=10), lambda: time.sleep(0.05))
    waiting.round()
    assert waiting.times[0] < 0.05 / 10


@in_turn
@pytest.mark.parametrize("name", SETS)
def test_a_set_has_the_solutions_that_it_says(name):
    rows, counts = SETS[name].rows(200), SETS[name].counts(200)
    assert rows.shape == (200, 81)
    assert (unidoku.count_many(rows, limit=2).count == np.minimum(counts, 2)).all()


def test_every_view_of_a_comparison_names_each_solver():
    rows = [Row("easy", name, "single", seconds=1e-6, puzzles=10) for name in ("unidoku avx512", "naive")]
    rows.append(Row("easy", "peer", "single", cut_off=1, remark="reason"))
    machine = dict.fromkeys(("processor", "isa", "compiler", "python", "version"), "x")
    report = BenchmarkReport(machine, "2026-11-26", {"easy": "a source"}, tuple(rows), "abc", "a command")
    assert BenchmarkReport.from_json(json.dumps({"report": json.loads(report.json())})) == report
    for suffix, view in VIEWS.items():
        others = () if suffix == ".svg" else ("peer", "reason")  # a picture has figures alone
        assert all(word in view(report) for word in ("unidoku avx512", "naive", *others))
