"""The guesses of our search and of tdoku, by function, files and command; their spread over images."""

import statistics

import pytest
from command import run
from example_puzzles import CLASH, HARD, UNIQUE
from readback import rows_of

import unidoku
from unidoku import Transformation
from unidoku.craft.transform import random_numbers

KNOWN = {  # of tdoku itself, with limit 1
    "." * 81: 36,
    UNIQUE: 0,
    HARD: 57,
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....": 48,
    CLASH: 0,
    "2..6.34..17.....9............64....59...................53..6...8..7..1.....1....": 172,
    "........1.......23..4..5........46......78...12..........3...1...7......6....98..": 289,
}
PUBLISHED = {  # the column rating of a well-known data set for training
    ".9...12...3..284.6.6.....8..7....14..2..5.7....3.....2.1.9........7.5....872.6..4": 1,
    ".....8..1.6.9..2...4.52.9..4..6......9..45..6....924..9......7........3.35.2..6..": 60,
    "5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..": 18,
}


def test_the_numbers_of_tdoku():
    assert unidoku.guesses_many(list(KNOWN)).tdoku.tolist() == list(KNOWN.values())
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


def test_a_number_that_a_budget_ends_is_left_out():
    found = unidoku.guesses_many(list(KNOWN), budget=40)
    wanted = [number if number <= 40 else None for number in KNOWN.values()]
    assert [row.tdoku for row in found] == wanted
    for more in ({"images": 3, "budget": 5}, {}):  # without images there is no spread
        assert unidoku.guesses_many([HARD], **more)[0].tdoku_mean is None


@pytest.mark.parametrize(
    "options", [{"images": 1}, {"images": 10_001}, {"seed": -1}, {"seed": 2**64}, {"budget": 0}]
)
def test_arguments_out_of_range(options):
    with pytest.raises(unidoku.UnidokuError, match=next(iter(options))):
        unidoku.guesses_many([HARD], **options)


def test_a_cancelled_call_ends():
    cancel = unidoku.Cancel()
    cancel.set()
    assert unidoku.guesses_many([HARD] * 1000, images=1000, cancel=cancel).reasons


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
