"""Commands that change or generate puzzles: puzzles without a result, and ratings in their outputs."""

import pytest
from command import run
from readback import rows_of

import unidoku
from unidoku.craft.generate import generate

LINES = unidoku.lines(generate(101, seed=12, clues=27))


CLASH = "11" + "." * 79
CASES = [
    ("canonical", CLASH, "no canonical form: two clues clash"),
    ("canonical --form solution", "." * 81, "the form 'solution' needs a proper puzzle"),
    ("minimize --seed 1", "." * 81, "not a proper puzzle, so it cannot be minimized"),
    ("minimize --seed 1", CLASH, "not a proper puzzle, so it cannot be minimized"),
    ("neighbours --remove 1 --add 0", CLASH, "r1c1 and r1c2 both hold 1 in row 1"),
    ("neighbours --remove 1 --add 0", "." * 81, "remove must be 0 to 0, the number of clues, not 1"),
]
"""A command, a puzzle that it cannot work on, and why."""


@pytest.fixture
def table(tmp_path):
    """Write 100 puzzles and a place for a bad one on line 52 to a table."""

    def write(bad):
        rows = [*LINES[:50], bad, *LINES[50:100]]
        content = "".join(f"{k},{row}\n" for k, row in enumerate(rows))
        (tmp_path / "in.csv").write_text(f"id,puzzle\n{content}")
        return tmp_path / "in.csv"

    return write


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("suffix", ["txt", "sdk", "npy", "npz"])
def test_a_format_of_puzzles_leaves_out_one_without_a_result(table, tmp_path, case, suffix):
    command, bad, reason = case
    result = run(*command.split(), table(bad), "-o", f"out.{suffix}", cwd=tmp_path, code=1)
    assert f"left out: {tmp_path}/in.csv:52: {reason}\n" in result.stderr
    run(*command.split(), table(LINES[100]), "-o", f"whole.{suffix}", cwd=tmp_path, code=0)
    run(*command.split(), LINES[100], "-o", f"one.{suffix}", cwd=tmp_path, code=0)
    out, whole, one = (
        [line for batch in unidoku.read(tmp_path / f"{name}.{suffix}") for line in unidoku.lines(batch.cells)]
        for name in ("out", "whole", "one")
    )
    assert len(out) == len(whole) - len(one) > 0
    begin = next(k for k in range(len(whole)) if whole[k : k + len(one)] == one)
    assert out == whole[:begin] + whole[begin + len(one) :]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_a_table_has_the_reason_in_the_place_of_a_result(table, tmp_path, case, suffix):
    command, bad, reason = case
    result = run(*command.split(), table(bad), "-o", f"out.{suffix}", cwd=tmp_path, code=1)
    assert "left out" not in result.stderr
    rows = rows_of(tmp_path / f"out.{suffix}")
    if "neighbours" not in command:
        assert [int(row["id"]) for row in rows] == [*range(101)]
    [failure] = [row for row in rows if not row["puzzle"]]
    assert failure["reason"] == reason
    assert not any(failure[name] for name in failure.keys() - {"id", "reason"})
    assert not any(row.get("reason") for row in rows if row is not failure)


@pytest.mark.parametrize(
    "command",
    ["generate -n 40 --seed 3", "minimize in.csv --seed 3", "neighbours in.csv --remove 0"],
)
@pytest.mark.parametrize("bare", [False, True])
def test_new_puzzles_have_their_ratings(command, bare, tmp_path):
    """Those of the input have other names, or are left out."""
    rows = "".join(f"9.9,{line},x,80\n" for line in LINES[:20])
    (tmp_path / "in.csv").write_text(f"er,puzzle,id,steps\n{rows}")
    leaves_out = ["--columns", "puzzle"] if command.startswith("generate") else ["--keep", "none"]
    words = [*command.split(), *leaves_out * bare]
    run(*words, "-o", "one.csv", cwd=tmp_path, code=0)
    rows = [line.split(",") for line in (tmp_path / "one.csv").read_text().splitlines()]
    ratings = unidoku.rate_many([row[0] for row in rows[1:]])
    names = [] if bare else ["er", "ep", "ed", "technique", "name", "difficulty"]
    if words[0] == "minimize":
        names += ["reason"] if bare else ["removed", "reason", "input_er", "id", "input_steps"]
    elif words[0] == "neighbours":
        names += ["reason"] if bare else ["reason", "input_er", "id", "input_steps"]
    assert rows[0] == ["puzzle", *names]
    for row, rating in zip(rows[1:], ratings, strict=True):
        names = (rating.er, rating.ep, rating.ed, rating.technique, rating.name, rating.difficulty)
        assert bare or row[1:7] == [*map(str, names)]
