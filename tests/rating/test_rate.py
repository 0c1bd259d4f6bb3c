"""Ratings of files against the step engine, the method and the kernel asked one by one."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from command import run
from example_puzzles import QUIZ
from readback import read_all

from unidoku import FormatError, InvalidPuzzleError, UnidokuError, method, single
from unidoku.rating import rate_files, rate_many, write_ratings
from unidoku.stepper import Session

SEVERAL = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....4.9..5....8...."
CLASH = "11" + "." * 79
NONE = "12345678." + "." * 9 + "........9" + "." * 54


def test_ratings_agree_with_single_answers(top1465, puzzles17, tmp_path):
    puzzles = [*top1465[:40], *puzzles17[:40], SEVERAL, CLASH]
    path = tmp_path / "some.txt.gz"
    path.write_bytes(gzip.compress("\n".join(["# heading", "", *puzzles]).encode()))
    ratings = list(rate_files([path], threads=2))
    assert [rating.line for rating in ratings] == list(range(3, 3 + len(puzzles)))
    for puzzle, rating in zip(puzzles[:-1], ratings, strict=False):
        first = Session(puzzle)
        first.run()
        assert (rating.first_steps, rating.first_level) == (first.steps, first.biggest_level)
        session = Session(puzzle)
        biggest = max(
            (getattr(event, "level", 0) or 0 for event in session.stream(solutions=None)), default=0
        )
        assert (rating.steps, rating.solutions) == (session.steps, session.solution_sum)
        assert rating.biggest_level == biggest
        assert rating.solutions == single.count(puzzle)
        proper = rating.solutions == 1
        assert rating.difficulty == (method.explain(puzzle).difficulty if proper else None)
        assert rating.complete
    found = rate_many(puzzles, threads=2)
    assert len(found) == len(puzzles)
    assert found.steps.tolist() == [rating.steps for rating in ratings]
    assert found.solutions.tolist() == [rating.solutions for rating in ratings]
    assert found.biggest_level.tolist() == [rating.biggest_level for rating in ratings]
    assert found.first_steps.tolist() == [rating.first_steps for rating in ratings]
    assert found.first_level.tolist() == [rating.first_level for rating in ratings]
    assert [number or None for number in found.classes.tolist()] == [rating.difficulty for rating in ratings]
    assert found.complete.all()
    last = ratings[-1]
    assert (last.steps, last.solutions, last.biggest_level, last.difficulty) == (0, 0, 0, None)
    assert last.complete


def test_json_and_text(top1465):
    lines = "\n".join([top1465[0], "no puzzle", SEVERAL, "." * 81])
    result = run("rate", "--to", "jsonl", "--budget", "1000", stdin=lines, code=1)
    assert "<stdin>:2" in result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["line"] for each in found] == [1, 3, 4]
    assert list(found[1]) == [
        "line",
        "steps",
        "solutions",
        "biggest_level",
        "first_steps",
        "first_level",
        "class",
    ]
    assert found[1]["class"] is None
    assert found[1]["solutions"] == single.count(SEVERAL) > 1
    assert found[2]["complete"] is False
    text = run("rate", "--budget", "1000", stdin=lines).stdout.splitlines()
    assert text[0].split("\t") == [
        "line",
        "steps",
        "solutions",
        "biggest_level",
        "first_steps",
        "first_level",
        "class",
    ]
    assert text[2].split("\t")[-1] == "-"
    assert "+" in text[3]


def test_the_published_difficulty():
    """The author's own measure: steps and biggest level of the run to the first solution."""
    found = rate_many([QUIZ, NONE])
    assert (found.first_steps.tolist()[0], found.first_level.tolist()[0]) == (131, 11)
    assert (found.steps.tolist()[0], found.biggest_level.tolist()[0]) == (284, 11)
    assert found.solutions[1] == 0 < found.steps[1] == found.first_steps[1]
    assert found.biggest_level[1] == found.first_level[1]


def test_the_first_solution_is_exact_where_the_whole_search_is_not():
    line = run("rate", "--columns", "first_steps,first_level", "--to", "csv", stdin=QUIZ, code=0).stdout
    assert line.splitlines() == ["first_steps,first_level", "131,11"]
    shown = run("rate", "--budget", "200", stdin=QUIZ, code=0).stdout.splitlines()[1].split("\t")
    assert (shown[2], shown[4], shown[5]) == ("1+", "131", "11")
    shown = run("rate", "--budget", "100", stdin=QUIZ, code=0).stdout.splitlines()[1].split("\t")
    assert (shown[2], shown[4], shown[5]) == ("0+", "100+", "11+")


def test_pencil_marks_and_missing_files_are_named(top1465, tmp_path):
    found = list(rate_files([tmp_path / "none.txt", io.BytesIO(top1465[0].encode())]))
    assert isinstance(found[0], UnidokuError)
    assert "none.txt" in str(found[0])
    assert found[1].line == 1
    marked = "".join(
        "123456789" if s == "." else "." * (int(s) - 1) + s + "." * (9 - int(s)) for s in top1465[0]
    )
    found = list(rate_files([io.BytesIO(f"{top1465[0]}\n{marked}\n{top1465[1]}\n".encode())]))
    assert [getattr(each, "line", 0) for each in found] == [1, 2, 3]
    assert isinstance(found[1], UnidokuError)


@pytest.mark.parametrize("name", ["r.csv", "r.tsv.gz", "r.jsonl", "r.parquet", "r.arrow", "r.txt"])
def test_ratings_in_every_format(top1465, tmp_path, name):
    source, output = tmp_path / "in.csv", tmp_path / name
    rows = [*top1465[:5], SEVERAL]
    source.write_text("id,puzzle\n" + "".join(f"n{i},{puzzle}\n" for i, puzzle in enumerate(rows)))
    columns = ["id", "puzzle", "line", "steps", "class", "complete"]
    done = write_ratings([source], output, columns=columns, step_limit=10_000)
    assert (done.puzzles, done.invalid, done.failures) == (6, 0, [])
    seen = read_all(output)
    assert [cells for _, cells in seen.puzzles] == [puzzle.replace("0", ".") for puzzle in rows]
    expected = list(rate_files([source], step_limit=10_000))
    if name == "r.txt":
        fields = [line.split("\t") for line in output.read_text().splitlines()]
        assert fields[0] == columns
        assert [row[0] for row in fields[1:]] == [f"n{i}" for i in range(6)]
        return
    assert list(seen.extra[0]) == [name for name in columns if name != "puzzle"]
    assert [extra["id"] for extra in seen.extra] == [f"n{i}" for i in range(6)]
    assert [int(extra["steps"]) for extra in seen.extra] == [rating.steps for rating in expected]
    assert [extra.get("class") for extra in seen.extra][-1] in (None, "None", "null", "")


def test_a_missing_column(top1465):
    with pytest.raises(FormatError, match="no column 'hardness'; choose from: file, line, puzzle, steps"):
        write_ratings([io.BytesIO(top1465[0].encode())], columns=["hardness"])


def test_columns_and_formats_of_the_command(top1465, tmp_path):
    text = f"{top1465[0]}\n{top1465[1]}\n"
    result = run("rate", "--columns", "puzzle,class", "--to", "csv", stdin=text, code=0)
    assert result.stdout.splitlines()[0] == "puzzle,class"
    assert result.stdout.splitlines()[1].startswith(top1465[0].replace("0", "."))
    (tmp_path / "a.txt").write_text(text)
    result = run("rate", tmp_path / "a.txt", tmp_path / "a.txt")
    assert result.stdout.splitlines()[0].split("\t")[:2] == ["file", "line"]
    result = run("rate", tmp_path / "a.txt", "-o", tmp_path / "o.nonsense", code=2)
    assert "expected an output name ending in" in result.stderr


def test_many_ratings_report_the_step_limit_and_wrong_rows():
    found = rate_many(["." * 81], step_limit=1000)
    assert (found.steps.tolist(), found.complete.tolist(), found.classes.tolist()) == ([1000], [False], [0])
    assert len(rate_many([])) == 0
    with pytest.raises(InvalidPuzzleError, match="row 1"):
        rate_many(["." * 81, "x"])
    with pytest.raises(ValueError, match="step_limit"):
        rate_many([], step_limit=-1)


def test_a_search_that_the_limit_ends_has_as_many_steps(tmp_path):
    """A unit of work is never split, so that the search takes a few more steps."""
    for limit in range(95, 106):
        found = rate_many(["." * 81], step_limit=limit)
        assert (found.steps.tolist(), found.complete.tolist()) == ([limit], [False])
        # the first solution of the quiz needs 131 steps
        assert rate_many([QUIZ], step_limit=limit).first_steps.tolist() == [limit]
    done = run("rate", "." * 81, "--budget", 100, code=0)
    assert done.stdout.splitlines()[1].split("\t")[1] == "100+"
