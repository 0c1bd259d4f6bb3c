"""The option --timeout: a puzzle that takes longer has a reason, and the rest of the file is done."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Container
from itertools import count

import pytest
from cases import in_turn
from command import loaded, run
from example_puzzles import UNIQUE

from unidoku import Cancel, SearchStoppedError, _threads as threads, generate, run as run_task
from unidoku._cli import command_names
from unidoku.craft._generate import make_attempts
from unidoku.tasks import Check, Rate

EMPTY = "." * 81
HARD = "12.3.....4.....3....3.5......42..5......8...9.6...5.7...15..2......9..6......7..8"
"""ER 11.9, which takes two seconds."""
REASON = "not done within 0.001 seconds"
SEARCHING = ["check", "count", "diagnose", "rate", "solve", "hint", "steps", "explain", "trace"]
SEARCHING += ["generate", "minimize", "neighbours"]


def rows(command, *arguments, stdin):
    text = run(command, "-", *arguments, "--to", "csv", stdin=stdin, code=1).stdout
    return [*csv.DictReader(io.StringIO(text))]


ALL = range(10**6)


def end(monkeypatch: pytest.MonkeyPatch, numbers: Container[int], seconds: float = 0) -> None:
    """End only the limits with these numbers: 0 is of the batch, and its puzzles have 1, 2 and so on.

    How long an easy puzzle takes depends on what else the machine does.
    """
    clock, limits = threads._CLOCK, count()

    class Clock:
        @staticmethod
        def set_after(flag: Cancel, _: float) -> None:
            if next(limits) not in numbers:
                return
            if seconds:
                clock.set_after(flag, seconds)
            else:
                flag.set()

    monkeypatch.setattr(threads, "_CLOCK", Clock)


def test_every_command_that_searches_has_the_option():
    found = [
        name
        for name in command_names()
        if any(option.name == "puzzle_timeout" for option in loaded(name).params)
    ]
    assert sorted(found) == sorted(SEARCHING)


@in_turn
@pytest.mark.parametrize("command", ["rate", "steps", "neighbours"])
def test_a_puzzle_that_takes_longer_has_the_reason_and_the_rest_goes_on(command):
    plain = rows(command, stdin=f"{UNIQUE}\nbad\n{UNIQUE}\n{UNIQUE}\n")
    found = rows(command, "--timeout", "0.001", stdin=f"{UNIQUE}\nbad\n{HARD}\n{UNIQUE}\n")
    late = [row for row in found if row["reason"] == REASON]
    assert late
    assert sum(row["reason"].startswith("expected") for row in found) == 1
    assert all(row in plain for row in found if row not in late)
    if command == "rate":
        assert [row["puzzle"] for row in found] == [UNIQUE, "bad", HARD, UNIQUE]
        assert found[2] in late


def test_rows_of_puzzles_that_are_all_late_have_a_reason_and_no_steps(monkeypatch):
    end(monkeypatch, ALL)
    found = rows("steps", "--timeout", "0.001", stdin=f"{UNIQUE}\nbad\n{HARD}\n")
    assert [row["reason"] for row in found if row["puzzle"] != "bad"] == [REASON, REASON]
    assert {row["technique"] for row in found} == {""}


def test_a_limit_that_no_puzzle_reaches_changes_nothing():
    stdin = f"{UNIQUE}\nbad\n{EMPTY}\n{UNIQUE}\n"
    assert rows("steps", stdin=stdin) == rows("steps", "--timeout", "100", stdin=stdin)


def test_a_count_is_a_lower_bound_when_its_time_is_over(monkeypatch):
    stdin = f"{UNIQUE}\n{EMPTY}\n{UNIQUE}\n"
    end(monkeypatch, {0, 2}, 0.01)
    found = rows("check", "--limit", "all", "--timeout", "0.001", stdin=stdin)
    assert [row["verdict"] for row in found] == ["unique", "multiple", "unique"]
    assert (found[1]["complete"], found[1]["reason"]) == ("false", REASON)
    end(monkeypatch, {0, 2})
    lines = run("count", "-", "--timeout", "0.001", stdin=stdin, code=1).stdout.splitlines()
    assert (lines[0], lines[2]) == ("1", "1")
    assert lines[1].endswith("+")


def test_solutions_that_are_found_in_time_are_written_before_the_reason(monkeypatch):
    end(monkeypatch, {0, 2}, 0.02)
    found = rows("solve", "--all", "--timeout", "0.02", stdin=f"{UNIQUE}\n{EMPTY}\n{UNIQUE}\n")
    numbers = [row["number"] for row in found]
    assert numbers[0] == numbers[-1] == "1"
    assert numbers[1:-2] == [str(number) for number in range(1, len(numbers) - 2)]
    assert found[-2]["reason"] == "not done within 0.02 seconds"


@pytest.mark.parametrize("command", ["count", "rate", "steps", "explain", "diagnose", "trace"])
def test_one_puzzle_that_takes_longer_is_an_error_that_says_so(command, monkeypatch):
    end(monkeypatch, ALL)
    puzzle = EMPTY if command in {"count", "diagnose"} else HARD
    result = run(command, puzzle, "--timeout", "0.001", code=1)
    assert REASON in result.stdout + result.stderr  # a row has its reason


@pytest.mark.parametrize("command", ["diagnose", "explain", "trace"])
def test_codes_of_puzzles_that_are_reported_one_by_one_are_counted(command, monkeypatch, tmp_path):
    """As in a run over files: of records that are not puzzles, and of puzzles that take longer."""
    path = tmp_path / "in.txt"
    path.write_text(f"{UNIQUE}\n{UNIQUE[1:]}\n{EMPTY}\n{UNIQUE[:-1]}?\n{UNIQUE[1:]}\n")
    end(monkeypatch, {1})
    result = run(command, path, "--timeout", "0.001", "--json", code=1)
    summary = json.loads(result.stdout.splitlines()[-1])["summary"]
    codes = {"wrong_length": 2, "wrong_symbol": 1, "timeout": 1}
    assert summary["reasons"] == codes
    assert sum(codes.values()) == summary["invalid"] + summary["without_result"]


def test_generate_gives_up_and_says_how_far_it_came():
    result = run("generate", "--where", "er=12.5", "--seed", "1", "--timeout", "0.5", code=1)
    assert "only 0 of 1 puzzles found" in result.stderr
    assert "relax the rarest condition" in result.stderr


def test_generate_writes_what_it_made_in_time():
    result = run("generate", "-n", "1000000", "--seed", "1", "--timeout", "0.8", code=1)
    made = result.stdout.splitlines()
    assert f"only {len(made):,} of 1,000,000 puzzles found; not done within 0.8 seconds" in result.stderr
    same = min(100, max(1, len(made)))  # on a busy machine none may be made
    assert made[:100] == run("generate", "-n", same, "--seed", "1").stdout.splitlines()[: len(made)]


def test_a_mixture_writes_what_its_attempts_gave():
    arguments = ["generate", "-n", "50", "--seed", "1", "--difficulty", "easy=1,extreme=1"]
    result = run(*arguments, "--attempts", "300", code=1)
    assert len(result.stdout.splitlines()) >= 25
    assert "of 25 puzzles found in 300 attempts; allow more attempts" in result.stderr


def test_puzzles_before_a_stop_are_kept_in_order(monkeypatch):
    flag, begins = Cancel(), []

    def make_until_stopped(request, seed, begin, count, stop):
        begins.append(begin)
        if len(begins) > 3:
            flag.set()
            raise SearchStoppedError(0)
        return make_attempts(request, seed, begin, count, stop)

    monkeypatch.setattr("unidoku.craft._generate.make_attempts", make_until_stopped)
    with pytest.raises(SearchStoppedError) as caught:
        generate(5000, seed=1, threads=1, cancel=flag)
    monkeypatch.undo()
    found = caught.value.puzzles
    assert len(found) >= 256
    assert (found == generate(len(found), seed=1)).all()


def test_python_has_the_same_limit(monkeypatch):
    end(monkeypatch, {0, 1}, 0.001)
    text = io.BytesIO(f"{EMPTY}\n{UNIQUE}\n".encode())
    summary = run_task(Check(limit=None), text, puzzle_timeout=0.001)
    assert (summary.puzzles, summary.unique, summary.without_result) == (2, 1, 1)
    end(monkeypatch, {0, 1})
    summary = run_task(Rate(), io.BytesIO(f"{HARD}\n{UNIQUE}\n".encode()), puzzle_timeout=0.001)
    assert summary.complete
    assert summary.without_result == 1
