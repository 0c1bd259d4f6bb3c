"""The sample that ships with the package: its verdicts are true, and its maker still makes it."""

from __future__ import annotations

import importlib.util
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from command import run
from exact_cover import count_solutions

import unidoku
from unidoku.run import check as check_module

MAKER = Path(__file__).resolve().parents[1] / "tools" / "make_sample.py"
WORDS = ("none", "unique", "multiple")


def sample() -> list[list[str]]:
    text = files("unidoku").joinpath("data/sample.txt").read_text(encoding="ascii")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def test_all_three_verdicts_are_there():
    assert Counter(verdict for _, verdict in sample()) == {"unique": 2400, "multiple": 1000, "none": 600}


def test_the_kernel_agrees():
    rows = sample()
    verdicts = unidoku.check_many([puzzle for puzzle, _ in rows]).verdicts
    assert [WORDS[verdict] for verdict in verdicts] == [verdict for _, verdict in rows]


def test_an_exact_cover_search_agrees_on_some():
    for puzzle, verdict in sample()[::40]:
        assert WORDS[count_solutions(puzzle)] == verdict, puzzle


@pytest.mark.slow
def test_an_exact_cover_search_agrees_on_all():
    for puzzle, verdict in sample():
        assert WORDS[count_solutions(puzzle)] == verdict, puzzle


@pytest.mark.slow
def test_the_sample_is_reproducible(capsys):
    if not MAKER.exists():
        pytest.skip(f"no {MAKER}: not run from the source tree")
    spec = importlib.util.spec_from_file_location("make_sample", MAKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main()
    made = capsys.readouterr().out
    assert made == files("unidoku").joinpath("data/sample.txt").read_text(encoding="ascii")


def test_the_command_compares_with_what_is_known(tmp_path, monkeypatch):
    assert "all verdicts match" in run("check", "--sample", code=0).stdout
    text = Path(check_module.SAMPLE).read_text(encoding="ascii")
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(text.replace("unique", "none", 1), encoding="ascii")
    monkeypatch.setattr(check_module, "SAMPLE", str(wrong))
    done = run("check", "--sample", code=1)
    first = next(k for k, (_, verdict) in enumerate(sample(), 1) if verdict == "unique")
    assert f"verdicts that differ from the recorded ones: 1, of puzzles {first}\n" in done.stderr
