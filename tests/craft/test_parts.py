"""Commands that change or generate puzzles: ratings in their outputs."""

import pytest
from command import run

import unidoku
from unidoku.craft._generate import generate

LINES = unidoku.lines(generate(20, seed=12, clues=27))


@pytest.mark.parametrize(
    "command",
    ["generate -n 40 --seed 3", "minimize in.csv --seed 3", "neighbours in.csv --remove 0"],
)
@pytest.mark.parametrize("bare", [False, True])
def test_new_puzzles_have_their_ratings(command, bare, tmp_path):
    """Those of the input have other names, or are left out."""
    rows = "".join(f"9.9,{line},x,80\n" for line in LINES)
    (tmp_path / "in.csv").write_text(f"er,puzzle,id,steps\n{rows}")
    leaves_out = ["--columns", "puzzle"] if command.startswith("generate") else ["--keep", "none"]
    words = [*command.split(), *leaves_out * bare]
    run(*words, "-o", "one.csv", cwd=tmp_path, code=0)
    rows = [line.split(",") for line in (tmp_path / "one.csv").read_text().splitlines()]
    ratings = unidoku.rate_many([row[0] for row in rows[1:]])
    names = [] if bare else ["er", "ep", "ed", "technique", "name", "difficulty"]
    reason = ["reason", "reason_code"]
    if words[0] == "minimize":
        names += reason if bare else ["removed", *reason, "input_er", "id", "input_steps"]
    elif words[0] == "neighbours":
        names += reason if bare else [*reason, "input_er", "id", "input_steps"]
    assert rows[0] == ["puzzle", *names]
    for row, rating in zip(rows[1:], ratings, strict=True):
        names = (rating.er, rating.ep, rating.ed, rating.technique, rating.name, rating.difficulty)
        assert bare or row[1:7] == [*map(str, names)]
