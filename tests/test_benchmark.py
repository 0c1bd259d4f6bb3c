"""The benchmark of ``unidoku bench``: its rows, and the check of every answer. No speed is asserted."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.tasks.speed import SAMPLE, benchmark_set, compare, run, timed

MIXED = [PUZZLE, PUZZLE[:77] + "." * 4, "55" + PUZZLE[2:]]  # one, several and no solutions
SHORT = 0.5  # seconds


@pytest.mark.parametrize(
    ("isa", "call", "output"),
    [(kernel.usable()[0], "batch", "counts"), ("base", "batch", "solutions"), ("base", "single", None)],
)
def test_a_wrong_kernel_is_detected(isa, call, output):
    """Spoil an output of one kernel, or its verdicts, and expect an error that names it and a puzzle."""
    unidoku.solve_many([PUZZLE])  # loads the kernel in use, whose answers are the reference
    isa_module = kernel.isa_module

    def spoiled(name=None, package="lanes"):
        good = isa_module(name, package)
        if (name, package) != (isa, "lanes"):
            return good

        def solve(*arguments, **options):
            finished = good.solve_cells(*arguments, **options)
            if output is not None:
                options[output].reshape(-1)[-1] ^= 1
            return finished

        def check(line):
            return int(good.quick_check(line)) + (output is None)

        return SimpleNamespace(solve_cells=solve, quick_check=check, quick_count=good.quick_count)

    wrong = rf"kernel {isa}, {call}.*: wrong answer to the puzzle"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "isa_module", spoiled)
        with pytest.raises(UnidokuError, match=wrong) as caught:
            run(MIXED, seconds=20, threads=2)
    assert unidoku.Grid(str(caught.value).rpartition(" ")[2])


def test_the_recorded_numbers_of_the_sample_are_compared(tmp_path, monkeypatch):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(Path(SAMPLE).read_text().replace("\t1\n", "\t0\n"))
    monkeypatch.setattr("unidoku.tasks.speed.SAMPLE", str(wrong))
    with pytest.raises(UnidokuError, match="wrong answer"):
        run(seconds=SHORT)


def test_a_puzzle_is_cut_off_at_its_limit():
    timings = timed(lambda line: all(iter(lambda: 1, 0)), [PUZZLE] * 1000, 0.3, 0.1)
    assert 1 <= len(timings) <= 4
    assert {answer for answer, _ in timings} == {None}
    assert all(seconds > 0 for _, seconds in timings)


HOURS = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


def test_the_time_of_a_cut_off_puzzle_counts():
    *_, naive = compare("hours", unidoku.cells([HOURS]), 0.3)
    assert (naive.puzzles, naive.cut_off) == (1, 1)
    assert naive.processor_seconds > 0


def test_a_wrong_count_is_an_error(monkeypatch):
    monkeypatch.setattr("unidoku.tasks.speed.timed", lambda *_: [(1, 0.001), (2, 0.001)])
    with pytest.raises(UnidokuError, match=f"backtracker: wrong answer to the puzzle {PUZZLE}"):
        compare("easy", unidoku.cells([PUZZLE, PUZZLE]), 1)


def test_the_middle_set_is_proper_and_minimal():
    rows = benchmark_set("middle", 20)
    assert unidoku.check_many(rows).unique == 20
    assert all(22 <= clues <= 28 for clues in (rows > 0).sum(axis=1))
    assert len({unidoku.canonical(line) for line in unidoku.lines(rows)}) == 20
