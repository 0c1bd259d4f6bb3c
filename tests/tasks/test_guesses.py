"""The guesses of our search and of tdoku, by function, files and command; their spread over images."""

import statistics

import numpy as np
import pytest
from command import run
from example_puzzles import CLASH, HARD, SOLUTION, UNIQUE
from readback import rows_of

import unidoku
from unidoku import Transformation
from unidoku.craft.transform import random_numbers
from unidoku.native.guesses import count_guesses

KNOWN = {  # of tdoku itself, with limit 1
    "." * 81: 36,
    UNIQUE: 0,
    HARD: 57,
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9": 0,
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....": 48,
    CLASH: 0,
    "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..": 12,
    SOLUTION: 0,
    "..3.5.7..4....9....8.2.....2......4..9.8.......1.6.5.....5.16......7...3..6....57": 29,
    "........1.....2.......3..45.16.23...27.8.61..3.871.6...32.68..718..7....6.7......": 12,
    "2..6.34..17.....9............64....59...................53..6...8..7..1.....1....": 172,
    "........1.......23..4..5........46......78...12..........3...1...7......6....98..": 289,
}
PUBLISHED = {  # the column rating of a well-known data set for training
    ".9...12...3..284.6.6.....8..7....14..2..5.7....3.....2.1.9........7.5....872.6..4": 1,
    ".....8..1.6.9..2...4.52.9..4..6......9..45..6....924..9......7........3.35.2..6..": 60,
    "5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..": 18,
}


def test_the_numbers_of_tdoku():
    """In any order: each search begins anew."""
    lines = [*KNOWN, *reversed(KNOWN), *KNOWN]
    assert unidoku.guesses_many(lines).tdoku.tolist() == [KNOWN[line] for line in lines]
    assert unidoku.guesses_many(list(PUBLISHED)).tdoku.tolist() == list(PUBLISHED.values())


def test_our_guesses_are_what_a_budget_bounds():
    """A budget of as many guesses is enough, one less is not."""
    found = unidoku.guesses_many(list(KNOWN)).guesses.tolist()
    for line, number in zip(KNOWN, found, strict=True):
        if number:
            assert unidoku.check_many([line], budget=number).complete.all()
        if number > 1:
            assert not unidoku.check_many([line], budget=number - 1).complete.any()


def test_mean_and_spread_are_those_of_the_images():
    found = unidoku.guesses_many([HARD, *KNOWN], images=7, seed=3)
    images = [Transformation.from_index(number)(HARD) for number in random_numbers(7, 3).tolist()]
    each = unidoku.guesses_many(images)
    for name in ("guesses", "tdoku"):
        numbers = getattr(each, name).tolist()
        assert getattr(found, f"{name}_mean")[0] == pytest.approx(statistics.mean(numbers))
        assert getattr(found, f"{name}_sd")[0] == pytest.approx(statistics.stdev(numbers))
    assert found == unidoku.guesses_many([HARD, *KNOWN], images=7, seed=3, threads=3)
    assert unidoku.guesses_many([HARD], images=7, seed=3).tdoku_mean[0] == found.tdoku_mean[0]
    assert unidoku.guesses_many([HARD], images=7, seed=4).tdoku_mean[0] != found.tdoku_mean[0]


@pytest.mark.parametrize("budget", [1, 12, 35, 36, 57, 58])
def test_a_number_that_a_budget_ends_is_left_out(budget):
    found = unidoku.guesses_many(list(KNOWN), budget=budget)
    wanted = [number if number <= budget else None for number in KNOWN.values()]
    assert [row.tdoku for row in found] == wanted
    for more in ({"images": 3, "budget": 5}, {}):  # without images there is no spread
        assert unidoku.guesses_many([HARD], **more)[0].tdoku_mean is None


def test_the_command(tmp_path):
    (tmp_path / "in.txt").write_text("\n".join([*KNOWN, "no puzzle", HARD]) + "\n")
    run("guesses", tmp_path / "in.txt", "-o", tmp_path / "out.jsonl", code=1)
    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["tdoku"] for row in rows] == [*KNOWN.values(), None, 57]
    assert rows[-2]["reason"]
    run("guesses", tmp_path / "in.txt", "--images", 4, "-o", tmp_path / "out.csv", code=1)
    kept = [row for row in rows_of(tmp_path / "out.csv") if not row["reason"]]
    expected = unidoku.guesses_many([*KNOWN, HARD], images=4)
    assert [float(row["tdoku_mean"]) for row in kept] == pytest.approx(expected.tdoku_mean.tolist())


@pytest.mark.parametrize(
    ("cells", "message"), [(bytes(80), "81 bytes"), (bytes([10] * 81), "0 to 9"), (bytes(162), "81 bytes")]
)
def test_native_code_refuses_what_does_not_fit(cells, message):
    with pytest.raises(ValueError, match=message):
        count_guesses(cells, np.zeros(1, np.uint64), bytearray(1))
