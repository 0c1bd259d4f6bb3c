"""The benchmark of ``unidoku bench``: its rows, and the check of every answer.  No speed is asserted."""

import json
import time
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.tasks.speed import (
    PUZZLES,
    SAMPLE,
    alternate,
    compare,
    count_naive,
    lines_of,
    made_set,
    random_images,
    run,
    timed,
)

MIXED = [PUZZLE, PUZZLE[:77] + "." * 4, "55" + PUZZLE[2:]]  # one, several and no solutions
SHORT = 1  # seconds


def test_rows_for_every_instruction_set():
    report = run(seconds=SHORT, threads=2)
    assert [(row.isa, row.call, row.threads) for row in report.rows] == [
        (isa, *way) for isa in kernel.usable() for way in (("batch", 1), ("batch", 2), ("single", 1))
    ]
    assert [each.set for each in report.comparisons] == ["easy", "middle"]
    for row in report.rows:
        assert row.per_second > 0
        assert row.processor_seconds > 0
    assert report.different == 4000
    assert 0 < report.puzzles <= 30_000
    assert json.loads(json.dumps(asdict(report)))["rows"][0] == asdict(report.rows[0])


@pytest.mark.parametrize("limit", [1, 3])
def test_limit(limit):
    report = run(MIXED, seconds=SHORT, limit=limit, threads=1)
    assert (report.limit, report.different) == (limit, 3)
    assert [each.set for each in report.comparisons] == ["puzzles"]
    assert {row.threads for row in report.rows} == {1}


def test_bad_puzzles():
    with pytest.raises(UnidokuError, match="no puzzle of 81 cells"):
        run([], seconds=SHORT)
    with pytest.raises(unidoku.InvalidPuzzleError, match="row 1"):
        run([PUZZLE, "no puzzle"], seconds=SHORT)


@pytest.mark.parametrize(
    "numbers", [{"seconds": 0}, {"seconds": float("inf")}, {"limit": 0}, {"limit": 1001}, {"threads": 0}]
)
def test_numbers_out_of_range(numbers):
    with pytest.raises(ValueError, match=next(iter(numbers))):
        run(**numbers)


def wrong_counts(solve):
    def work(*arguments, counts, **options):
        done = solve(*arguments, counts=counts, **options)
        counts[-1] += 1
        return done

    return work


def wrong_solutions(solve):
    def work(*arguments, solutions, **options):
        done = solve(*arguments, solutions=solutions, **options)
        solutions.reshape(-1, 81)[-1, [0, 80]] = 1
        return done

    return work


def wrong_check(native):
    return lambda complete: lambda line: int(native(complete)(line)) + 1


def right(function):
    return function


@pytest.mark.parametrize("isa", kernel.usable())
@pytest.mark.parametrize(
    ("call", "solve", "check"),
    [("batch", wrong_counts, right), ("batch", wrong_solutions, right), ("single", right, wrong_check)],
)
def test_a_wrong_kernel_is_detected(isa, call, solve, check):
    """Replace functions of one kernel, and expect an error that names it and a puzzle."""
    unidoku.solve_many([PUZZLE])  # loads the kernel in use, which says what is right
    form = kernel.form

    def forms(name=None, package="lanes"):
        good = form(name, package)
        if (name, package) != (isa, "lanes"):
            return good
        return SimpleNamespace(
            solve_cells=solve(good.solve_cells),
            native_check=check(good.native_check),
            native_count=good.native_count,
        )

    wrong = rf"kernel {isa}, {call}.*: wrong answer to the puzzle"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "form", forms)
        with pytest.raises(UnidokuError, match=wrong) as caught:
            run(MIXED, seconds=20, threads=2)
    assert unidoku.Grid(str(caught.value).rpartition(" ")[2])


def test_the_recorded_numbers_of_the_sample_are_compared(tmp_path, monkeypatch):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(Path(SAMPLE).read_text().replace("\t1\n", "\t0\n"))
    monkeypatch.setattr("unidoku.tasks.speed.SAMPLE", str(wrong))
    with pytest.raises(UnidokuError, match="wrong answer"):
        run(seconds=SHORT)


def test_the_backtracker_counts_to_two():
    assert [count_naive(line) for line in (PUZZLE, "55" + PUZZLE[2:], PUZZLE[:60] + "." * 21)] == [1, 0, 2]


def test_no_puzzle_is_begun_after_the_time_is_up():
    done = timed(lambda line: time.sleep(0.2) or len(line), [PUZZLE] * 1000, 0.3, 60)
    assert 1 <= len(done) <= 2
    assert {answer for answer, _ in done} == {81}


def test_a_puzzle_is_cut_off_at_its_limit():
    done = timed(lambda line: all(iter(lambda: 1, 0)), [PUZZLE] * 1000, 0.3, 0.1)
    assert 1 <= len(done) <= 4
    assert {answer for answer, _ in done} == {None}
    assert all(seconds > 0 for _, seconds in done)


def test_the_error_of_a_solver_is_raised():
    with pytest.raises(ZeroDivisionError):
        timed(lambda line: 1 // 0, [PUZZLE], 60, 60)


HOURS = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


def test_the_finished_puzzles_are_those_of_both(monkeypatch):
    """A puzzle that takes hours is cut off: it is in no mean, and the ratio with it is a lower bound."""
    rows, beside = unidoku.cells([PUZZLE, HOURS, PUZZLE]), []

    def alternate(works, *_, **__):
        beside.append({*unidoku.lines(works[0]()[1])})
        return np.array([[[0.5], [2.0]]]) * PUZZLES  # seconds of many puzzles a call, and of one

    monkeypatch.setattr("unidoku.tasks.speed.alternate", alternate)
    monkeypatch.setattr("unidoku.tasks.speed.timed", lambda *_: [(1, 1.5), (None, 3.0), (1, 0.5)])
    found = compare("mixed", rows, 9)
    assert (found.set, found.puzzles, found.cut_off, found.limit) == ("mixed", 2, 1, 3)
    solutions = [unidoku.solve(line).line for line in (PUZZLE, HOURS)]
    assert beside == [{*solutions[:1]}, {*solutions}]
    assert (found.seconds, found.ratio, found.single_ratio) == (1.0, 2.0, 0.5)
    assert found.at_least == 5 / 3 / 0.5


def test_only_cut_off_puzzles_give_a_lower_bound_only():
    found = compare("hours", unidoku.cells([HOURS]), 0.3)
    assert (found.puzzles, found.cut_off) == (0, 1)
    assert found.seconds is found.ratio is found.single_ratio is None
    assert found.at_least > 0


def test_nothing_cut_off_is_exact():
    found = compare("easy", made_set("easy", 3), 60)
    assert found.ratio > 1
    assert (found.puzzles, found.cut_off, found.at_least) == (3, 0, None)


def test_a_wrong_count_is_an_error(monkeypatch):
    monkeypatch.setattr("unidoku.tasks.speed.timed", lambda *_: [(1, 0.001), (2, 0.001)])
    with pytest.raises(UnidokuError, match=f"backtracker: wrong answer to the puzzle {PUZZLE}"):
        compare("easy", unidoku.cells([PUZZLE, PUZZLE]), 1)


def test_the_middle_set_is_proper_and_minimal():
    rows = made_set("middle", 20)
    assert unidoku.check_many(rows).unique == 20
    assert all(22 <= clues <= 28 for clues in (rows > 0).sum(axis=1))
    assert len({unidoku.canonical(line) for line in lines_of(rows)}) == 20


def test_moved_puzzles_are_equivalent():
    rows = random_images([PUZZLE] * 50)
    lines = lines_of(rows)
    assert len(set(lines)) == 50
    assert {unidoku.canonical(line) for line in lines} == {unidoku.canonical(PUZZLE)}
    assert lines == lines_of(random_images([PUZZLE] * 50))
    assert lines != lines_of(random_images([PUZZLE] * 50, seed=2))


def test_works_run_in_turn():
    order = []
    times = alternate([lambda: order.append(1), lambda: order.append(2)], 0, least=3)
    assert order == [1, 2] * 3
    assert times.shape == (3, 2, 2)
