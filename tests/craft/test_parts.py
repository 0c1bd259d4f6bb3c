"""Commands that change or generate puzzles: errors in their inputs, and ratings in their outputs."""

import pytest
from command import run

import unidoku
from unidoku.craft.generate import generate
from unidoku.errors import InvalidPuzzleError
from unidoku.tasks import Canonical, Minimize, Neighbours

LINES = unidoku.lines(generate(101, seed=12, clues=27))


@pytest.mark.parametrize(
    ("task", "rows", "message"),
    [
        (Canonical(), [LINES[0], "", "11" + "." * 79], r"in\.txt:3: .*clash"),
        (Minimize(), [*LINES[:100], "." * 81, *LINES[100:]], r"in\.txt:101: not a proper puzzle"),
        (Neighbours(remove=60), LINES, r"in\.txt:1: remove must be 0"),
    ],
)
def test_a_puzzle_that_cannot_be_changed_ends_the_run(task, rows, message, tmp_path):
    (tmp_path / "in.txt").write_text("\n".join(rows) + "\n")
    with pytest.raises(InvalidPuzzleError, match=message):
        unidoku.run(task, tmp_path / "in.txt", tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(
    "command",
    ["generate -n 40 --seed 3", "minimize in.csv --seed 3", "neighbours in.csv --remove 0"],
)
@pytest.mark.parametrize("bare", [False, True])
def test_new_puzzles_have_their_ratings(command, bare, tmp_path):
    """The ratings of the input are replaced."""
    rows = "".join(f"9.9,{line},x,80\n" for line in LINES[:20])
    (tmp_path / "in.csv").write_text(f"er,puzzle,id,steps\n{rows}")
    words = [*command.split(), *["--keep", "none"] * bare]
    run(*words, "-o", "one.csv", cwd=tmp_path, code=0)
    rows = [line.split(",") for line in (tmp_path / "one.csv").read_text().splitlines()]
    ratings = unidoku.rate_many([row[0] for row in rows[1:]])
    extra_columns = ["removed", "id"] if words[0] == "minimize" else []
    assert rows[0] == ["puzzle"] + (
        [] if bare else ["er", "ep", "ed", "technique", "difficulty", *extra_columns]
    )
    for row, rating in zip(rows[1:], ratings, strict=True):
        names = (rating.er, rating.ep, rating.ed, rating.technique, rating.difficulty)
        assert row[1:6] == ([] if bare else [*map(str, names)])
