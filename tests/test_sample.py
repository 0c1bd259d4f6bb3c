"""The sample in the package: right counts of solutions, and a reproducible file."""

import importlib.util
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from command import run
from counting import count_by_masks
from example_puzzles import sample

MAKER = Path(__file__).resolve().parents[1] / "tools" / "make_sample.py"
LIMIT = 50


def test_all_three_verdicts_are_there():
    assert Counter(min(count, 2) for _, count in sample()) == {1: 2400, 2: 1000, 0: 600}


@pytest.mark.parametrize("stride", [40, pytest.param(4, marks=pytest.mark.slow)])
def test_an_independent_counter_agrees(stride):
    for puzzle, count in sample()[::stride]:
        assert count_by_masks(puzzle, LIMIT) == min(count, LIMIT), puzzle


@pytest.mark.slow
@pytest.mark.weekly
def test_the_sample_is_reproducible(capsys):
    if not MAKER.exists():
        pytest.skip(f"no {MAKER}: not run from the source tree")
    spec = importlib.util.spec_from_file_location("make_sample", MAKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main()
    text = capsys.readouterr().out
    assert text == files("unidoku").joinpath("data/sample.txt").read_text(encoding="ascii")


@pytest.mark.parametrize("limit", ["2", "all"])
def test_the_command_compares_with_the_recorded_counts(limit):
    assert "right answers      4,000\n" in run("check", "--sample", "--limit", limit, code=0).stdout
