"""The commands that generate, transform and verify puzzles."""

import json
from functools import partial

import command
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku.craft.fewest import fewest_clues
from unidoku.craft.generate import generate

run = partial(command.run, code=0)


def lines(done):
    return done.stdout.split()


def test_canonical():
    form = unidoku.canonical(PUZZLE).line
    turned = unidoku.Transformation.rotation(1)(PUZZLE).line
    assert lines(run("canonical", PUZZLE)) == [form]
    assert lines(run("canonical", PUZZLE, turned)) == [form, form]
    assert lines(run("canonical", "--form", "solution", turned)) == [
        unidoku.canonical(PUZZLE, "solution").line
    ]
    assert lines(run("canonical", stdin=PUZZLE + "\n")) == [form]


def test_transform(tmp_path):
    t = unidoku.Transformation
    assert lines(run("transform", PUZZLE, "--index", "5")) == [t.from_index(5)(PUZZLE).line]
    both = t.relabelling([9, *range(1, 9)]) @ t.reflection("vertical") @ t.rotation(1)
    options = ("--rotate", "90", "--reflect", "vertical", "--digits", "912345678")
    assert lines(run("transform", PUZZLE, *options)) == [both(PUZZLE).line]
    (tmp_path / "in.txt").write_text(PUZZLE + "\n")
    run("transform", tmp_path / "in.txt", tmp_path / "out.txt", "--random", "3", "--seed", "2")
    images = (tmp_path / "out.txt").read_text().split()
    assert lines(run("transform", PUZZLE, "--random", 3, "--seed", 2)) == images
    assert {unidoku.canonical(image) for image in images} == {unidoku.canonical(PUZZLE)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["transform", PUZZLE], "Give either"),
        (["transform", PUZZLE, "--random", "2", "--rotate", "90"], "Give either"),
        (["transform", PUZZLE, "--digits", "123456788"], "1 to 9 in some order"),
        (["transform", PUZZLE, "--index", "1218998108160"], "range"),
        (["minimize", PUZZLE, "--limit", "2"], "--all"),
        (["minimize", PUZZLE, "--all", "--bare"], "none of"),
        (["generate", "--clues", "16"], "at least 17 clues, not 16"),
        (["generate", "--clues", "many"], "a number or a range"),
        (["generate", "--pattern", "x"], "81 cells"),
        (["generate", "--class", "5"], "difficulty must be 1 to 4"),
        (["generate", "--steps", "9-3"], "above the largest"),
        (["generate", "--attempts", "0-9", "--count", "3"], "neither --count nor --budget"),
        (["generate", "--attempts", "9-0"], "is after the last"),
    ],
)
def test_usage_errors(options, message):
    assert message in run(*options, code=2).stderr


def test_minimize(tmp_path):
    (small,) = lines(run("minimize", PUZZLE, "--seed", "3"))
    assert small == unidoku.minimize(PUZZLE, 3).line or unidoku.check(small) is unidoku.Verdict.UNIQUE
    some = lines(run("minimize", PUZZLE, "--all", "--limit", 4))
    run("minimize", PUZZLE, tmp_path / "all.csv", "--all", "--limit", 4, "--comment")
    comment, *written = (tmp_path / "all.csv").read_text().split("\n")
    assert '"limit": 4' in comment
    assert written == ["puzzle", *some, ""]
    run("minimize", PUZZLE, tmp_path / "few.jsonl", "--fewest")
    assert json.loads((tmp_path / "few.jsonl").read_text()) == {"puzzle": fewest_clues(PUZZLE).grid.line}
    assert len(set(some)) == 4
    assert unidoku.check_many(some).unique == 4


def test_generate(tmp_path):
    wanted = [unidoku.Grid(row).line for row in generate(4, 7, clues=(28, 30))]
    assert lines(run("generate", "--count", 4, "--seed", 7, "--clues", "28-30")) == wanted
    done = run("generate", tmp_path / "out.csv", "--count", 4, "--seed", 7, "--clues", "28-30", "--solutions")
    assert done.stderr == "4 puzzles\n"
    assert (tmp_path / "out.csv").read_text().startswith("puzzle,solution\n" + wanted[0])
    done = run("generate", "--clues", 18, "--minimal", "--budget", 64, code=1)
    assert "only 0 of 1 puzzles found in 64 attempts" in done.stderr
    run("generate", tmp_path / "whole.txt", "--seed", 7, "--attempts", "0-99", "--minimal")
    run("generate", tmp_path / "a.txt", "--seed", 7, "--attempts", "0-59", "--minimal")
    run("generate", tmp_path / "b.txt", "--seed", 7, "--attempts", "60-99", "--minimal")
    parts = [(tmp_path / f"{name}.txt").read_text() for name in ("a", "b")]
    assert "".join(parts) == (tmp_path / "whole.txt").read_text()
    assert [part.count("\n") for part in parts] == [60, 40]
    hard = generate(2, 7, difficulty=(3, 4), steps=(30, 90), biggest_level=2)
    asked = ("--class", "3-4", "--steps", "30-90", "--level", 2)
    assert lines(run("generate", "--count", 2, "--seed", 7, *asked)) == [
        unidoku.Grid(row).line for row in hard
    ]


def test_verify(tmp_path):
    run("generate", tmp_path / "in.csv", "--count", 5, "--solutions")
    assert run("verify", tmp_path / "in.csv").stdout == "5 predictions, 5 right\n"
    run("minimize", tmp_path / "in.csv", tmp_path / "small.txt")
    run("canonical", tmp_path / "in.csv", tmp_path / "other.txt")
    done = run(
        "verify",
        tmp_path / "in.csv",
        tmp_path / "other.txt",
        "--json",
        "--output",
        tmp_path / "bad.csv",
        code=1,
    )
    totals = json.loads(done.stdout)
    assert (totals["predictions"], totals["solved"]) == (5, 0)
    rows = (tmp_path / "bad.csv").read_text().splitlines()
    assert rows[0] == "line,solved,wrong_cells,broken_houses,changed_clues,empty_cells"
    assert len(rows) == 6
    assert "wrong cells" in run("verify", tmp_path / "in.csv", tmp_path / "other.txt", code=1).stdout


def test_dedupe_up_to_symmetry(tmp_path):
    (tmp_path / "in.txt").write_text(PUZZLE + "\n")
    run("transform", tmp_path / "in.txt", tmp_path / "many.txt", "--random", 5, "--keep")
    run("dedupe", tmp_path / "many.txt", tmp_path / "one.txt", "--symmetry")
    assert (tmp_path / "one.txt").read_text().split() == [PUZZLE]
