"""The benchmark of ``unidoku bench``: its sets, checks and views. No speed is asserted."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.tasks import _speed as speed
from unidoku.tasks._speed import Row, measure_speed, run_in_turn

MIXED = [PUZZLE, PUZZLE[:77] + "." * 4, "55" + PUZZLE[2:]]  # one, several and no solutions
HOURS = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("isa", "output"),
    [(kernel.usable()[0], "counts"), ("base", "solutions")],
)
def test_a_wrong_kernel_is_detected(isa, output):
    """Spoil an output of one kernel and expect an error that names it and a puzzle."""
    unidoku.solve_many([PUZZLE])  # loads the kernel in use, whose answers are the reference
    isa_module = kernel.isa_module

    def spoiled(name=None, package="lanes"):
        good = isa_module(name, package)
        if (name, package) != (isa, "lanes"):
            return good

        def solve(*arguments, **options):
            finished = good.solve_cells(*arguments, **options)
            if options.get(output) is not None:
                options[output].reshape(-1)[-1] ^= 1
            return finished

        return SimpleNamespace(solve_cells=solve)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "isa_module", spoiled)
        with pytest.raises(UnidokuError, match=f"unidoku {isa}, batch: wrong answer to the puzzle") as caught:
            measure_speed(MIXED, seconds=20, threads=2)
    assert unidoku.Grid(str(caught.value).rpartition(" ")[2])


def test_a_wrong_backtracker_is_detected(monkeypatch):
    monkeypatch.setattr(speed, "count_in_time", lambda line, limit, seconds: (2, 0.0))
    with pytest.raises(UnidokuError, match="naive, single: wrong answer to the puzzle"):
        measure_speed([PUZZLE], seconds=0.1)


def test_the_time_of_a_cut_off_puzzle_counts():
    report = measure_speed([HOURS], seconds=0.2)
    row = report.rows[-1]
    assert (row.solver, row.puzzles, row.cut_off, row.spread) == ("naive", 1, 1, None)
    assert row.seconds is not None
    assert row.ratio is None  # one puzzle says too little
    assert f"> stopped after {row.stop:.3g} s: 1 of 1 puzzles; a lower bound" in str(report)


def test_a_work_that_waits_takes_no_time():
    """It is that of the processor, whatever the clock on the wall says."""
    waits = speed.TimedCall(
        Row("few", f"unidoku {kernel.isa()}", "single", puzzles=10), lambda: time.sleep(0.05)
    )
    (row,) = run_in_turn([waits], 0)
    assert row.runs == 2
    assert row.seconds < 0.05 / 10


def test_the_sets_have_the_solutions_that_they_say():
    clues = {"sample": {*range(82)}, "easy": {30}, "middle": {*range(20, 31)}}
    for name, _, rows, counts in speed._sets(None):
        found = unidoku.count_many(rows[:500], limit=2).count
        assert (found == np.minimum(counts[: len(found)], 2)).all()
        assert {*(rows > 0).sum(axis=1).tolist()} <= clues.pop(name)
    assert not clues


def test_the_puzzles_of_the_caller():
    lines = [PUZZLE, HOURS, PUZZLE[:77] + "." * 4]
    found = measure_speed(lines, seconds=0.2)
    efforts = {each.number: (each.guesses, each.rounds) for each in found.slowest}
    guesses = [each.guesses for each in found.slowest]
    assert guesses == sorted(guesses, reverse=True)
    assert {lines[each.number - 1] for each in found.slowest} == {*lines}
    assert all(unidoku.examine(lines[number - 1]).guesses == efforts[number][0] for number in efforts)
    assert found.typical["guesses"]["most"] == max(guesses for guesses, _ in efforts.values())
    assert {each.set for each in found.rows} == {"inputs"}
    assert HOURS in str(found)


@pytest.mark.parametrize(("lang", "many", "naive"), [("en", "many", "naive"), ("zh", "多题", "回溯")])
def test_every_view_names_each_solver(lang, many, naive):
    rows = (Row("easy", "unidoku avx2", "batch", 1, 2, 10, 1e-6, 0.1, 1.0), Row("easy", "naive", "single"))
    machine = dict.fromkeys(("processor", "isa", "compiler", "python", "version"), "x")
    report = speed.BenchmarkReport(machine, "2026-11-26", {"easy": "1"}, rows)
    for text in (report.svg(lang), "\n".join(report.lines(lang))):
        assert all(word in text for word in ("unidoku avx2", many, naive, "2026-11-26"))
