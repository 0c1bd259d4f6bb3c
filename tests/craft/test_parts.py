"""What the commands that change and make puzzles write."""

import pytest
from command import run
from readback import rows_of, unpacked

import unidoku
from unidoku.craft.generate import generate
from unidoku.errors import InvalidPuzzleError
from unidoku.tasks import Canonical, Minimize, Neighbours

LINES = unidoku.lines(generate(1200, seed=12, clues=27))
SOLUTIONS = unidoku.lines(unidoku.check_many(LINES).solutions)
IMAGES = "transform -n 2 --seed 7 --original"
RANDOM = {"command": "transform", "count": 2, "seed": 7, "original": True}
PART = 20_000  # bytes: about 120 rows; the first part of a CSV file has 64 KiB and more
COUNTS = ("puzzles", "invalid", "written", "verified", "wrong_cells")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    rows = [f"{k},{p},{s}" for k, (p, s) in enumerate(zip(LINES, SOLUTIONS, strict=True))]
    rows.insert(100, "100b,no puzzle,")
    path.write_text("\n".join(["id,puzzle,solution", *rows]) + "\n")
    return path


def content(path):
    """The bytes of an output, or its rows where the bytes depend on the parts."""
    return rows_of(path) if path.suffix in {".parquet", ".arrow"} else unpacked(path)


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
    """Instead of those of the puzzles that they were made of."""
    rows = "".join(f"9.9,{line},x,80\n" for line in LINES[:20])
    (tmp_path / "in.csv").write_text(f"er,puzzle,id,steps\n{rows}")
    words = [*command.split(), *["--keep", "none"] * bare]
    run(*words, "-o", "one.csv", cwd=tmp_path, code=0)
    rows = [line.split(",") for line in (tmp_path / "one.csv").read_text().splitlines()]
    found = unidoku.rate_many([row[0] for row in rows[1:]])
    rest = ["removed", "id"] if words[0] == "minimize" else []
    assert rows[0] == ["puzzle"] + ([] if bare else ["er", "ep", "ed", "technique", "difficulty", *rest])
    for row, rating in zip(rows[1:], found, strict=True):
        names = (rating.er, rating.ep, rating.ed, rating.technique, rating.difficulty)
        assert row[1:6] == ([] if bare else [*map(str, names)])
