"""The benchmark of ``unidoku bench`` and ``pytest bench/``: rows, checks, views. No speed is asserted."""

import json
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from example_puzzles import SOLUTION, UNIQUE as PUZZLE

import unidoku
from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.tasks.speed import run
from unidoku.tasks.speed_match import Pair, rows_of, time_works
from unidoku.tasks.speed_report import VIEWS, BenchmarkReport, Row
from unidoku.tasks.speed_sets import SAMPLE_SET, SETS, image_set
from unidoku.tasks.speed_solvers import NAIVE, Solver, one_by_one

MIXED = [PUZZLE, PUZZLE[:77] + "." * 4, "55" + PUZZLE[2:]]  # one, several and no solutions
SHORT = 0.5  # seconds
HOURS = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


def few(*lines, solutions=1):
    return image_set("few", "", lambda: unidoku.cells(list(lines)), solutions=solutions)


def row(solver="unidoku avx512", seconds: float | None = 1e-6, **values):
    shown = {"set": "easy", "call": "single", "puzzles": 10, "spread": 0.1, "ratio": 1.0, "runs": 3} | values
    return Row(solver=solver, seconds=seconds, **shown)


def report(*rows):
    machine = dict.fromkeys(("processor", "isa", "compiler", "python", "version"), "x")
    return BenchmarkReport(machine, "2026-11-26", {"easy": "a source"}, rows, "abc", "a command")


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
            run(MIXED, seconds=20, threads=2)
    assert unidoku.Grid(str(caught.value).rpartition(" ")[2])


@pytest.mark.parametrize(
    ("find", "tell", "limit"),
    [(lambda line: SOLUTION[::-1], None, 1), (lambda line: "", None, 1), (None, lambda line, limit: 2, 2)],
)
def test_a_wrong_answer_of_a_peer_is_in_its_row(find, tell, limit):
    """A row that has no figure says why, and does not vanish."""
    found = rows_of(few(PUZZLE), Solver("peer", one_by_one(find, tell)), limit, 3, seconds=SHORT)
    assert "peer, single: wrong answer to the puzzle" in found.remark
    assert found.seconds is None


def test_a_work_is_cut_off_at_its_limit():
    timings = time_works([lambda: all(iter(lambda: 1, 0))] * 1000, 0.3, 0.1)
    assert 1 <= len(timings) <= 4
    assert {answer for answer, _ in timings} == {None}
    assert all(seconds > 0 for _, seconds in timings)


def test_the_time_of_a_cut_off_puzzle_counts():
    found = rows_of(few(HOURS), NAIVE, 2, 10, seconds=0.2, stop=0.1)
    assert (found.puzzles, found.cut_off, found.stop, found.spread) == (1, 1, 0.1, None)
    assert found.seconds is not None
    assert found.ratio is not None
    assert (
        "stopped after 0.1 s: 1 of 1 puzzles; a lower bound" in report(replace(found, set="easy")).markdown()
    )


def test_each_side_is_measured_by_processor_time_a_puzzle(monkeypatch):
    """A work that waits takes none, whatever the clock on the wall says."""
    waiting = Pair(Row("few", "peer", "single", puzzles=10), lambda: time.sleep(0.05))
    waiting.round()
    assert waiting.times[0] < 0.05 / 10


@pytest.mark.parametrize("name", [*SETS, "sample"])
def test_a_set_has_the_solutions_that_it_says(name):
    chosen = SAMPLE_SET if name == "sample" else SETS[name]
    rows, counts = chosen.rows(200), chosen.counts(200)
    assert counts is not None
    assert rows.shape == (200, 81)
    assert (unidoku.count_many(rows, limit=2).count == np.minimum(counts, 2)).all()
    clues = (rows > 0).sum(axis=1)
    expected = {"easy": {30}, "middle": {*range(22, 29)}, "17clue": {17}, "several": {16}}
    assert {*clues.tolist()} <= expected.get(name, {*range(82)})


def test_the_puzzles_of_the_caller():
    lines = [PUZZLE, HOURS, PUZZLE[:77] + "." * 4]
    found = run(lines, seconds=0.2)
    efforts = {each.number: (each.guesses, each.rounds) for each in found.slowest}
    guesses = [each.guesses for each in found.slowest]
    assert guesses == sorted(guesses, reverse=True)
    assert {lines[each.number - 1] for each in found.slowest} == {*lines}
    assert all(unidoku.examine(lines[number - 1]).guesses == efforts[number][0] for number in efforts)
    assert found.typical["guesses"]["most"] == max(guesses for guesses, _ in efforts.values())
    assert {each.set for each in found.rows} == {"inputs"}
    text = str(found)
    assert HOURS in text
    assert "a core solves" in text


def test_json_is_read_again():
    found = replace(run([PUZZLE], seconds=0.05), commit="abc")
    assert BenchmarkReport.from_json(found.json()) == found
    assert BenchmarkReport.from_json(json.dumps({"report": json.loads(found.json())})) == found


def test_every_view_names_each_solver():
    for suffix in VIEWS:
        for lang in ["en", "zh"]:
            text = VIEWS[suffix](report(row(), row("naive", 20e-3), row("peer", None, remark="reason")), lang)
            assert "unidoku avx512" in text
            assert "peer" in text
            assert "reason" in text
