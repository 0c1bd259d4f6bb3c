"""The adapters of bench/peers: our own programs answer right, and what is absent says so."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest
from example_puzzles import NONE, SEVERAL, SOLUTION, UNIQUE

import unidoku
from unidoku.tasks.speed_solvers import NAIVE

BENCH = Path(__file__).resolve().parents[1] / "bench"
pytestmark = pytest.mark.skipif(not BENCH.is_dir(), reason="the folder bench is not here")


@pytest.fixture
def peers(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    yield import_module("peers")
    for name in [name for name in sys.modules if name.partition(".")[0] == "peers"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", ["Norvig", "DLX", "naive"])
def test_our_own_programs_count_and_solve(peers, name):
    solver = peers.load(name)
    lines = [UNIQUE, SEVERAL, NONE, "11" + UNIQUE[2:]]
    for limit in (2, 3):
        found = solver.prepare(lines, limit)().counts
        assert found == [unidoku.count(line, limit=limit) for line in lines]
    first = solver.prepare([UNIQUE, SEVERAL], 1)().solutions
    assert first[0] == SOLUTION
    assert unidoku.verify(SEVERAL, first[1]).solved


def test_a_solver_that_is_absent_says_what_it_needs(peers, monkeypatch):
    for name, variable in peers.NATIVE.items():
        monkeypatch.delenv(variable, raising=False)
        with pytest.raises(peers.Absent, match=f"{variable} names no shared library"):
            peers.load(name)
    for name, module in peers.PACKAGES.items():
        monkeypatch.setitem(sys.modules, f"peers.{module}", None)
        with pytest.raises(peers.Absent, match=r"pip install '\.\[peers\]'"):
            peers.load(name)
    assert peers.load("naive") is NAIVE


def test_adapters_are_short(peers):
    """Under 60 lines each; the programs of our own are no adapters."""
    for module in ("native", *peers.PACKAGES.values()):
        text = (BENCH / "peers" / f"{module}.py").read_text()
        assert len(text.splitlines()) < 60, module
