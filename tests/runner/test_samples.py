"""The option --samples of `verify`: pass@k of records, and their means."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import combinations
from pathlib import Path

import pytest
from cases import in_turn
from command import run
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku.runner._summary import chances_of_pass
from unidoku.tasks import Verify

WRONG = SOLUTION[:80] + str(int(SOLUTION[80]) % 9 + 1)
ANSWERS = ([SOLUTION, WRONG, WRONG, WRONG], [SOLUTION, SOLUTION, WRONG, "no"], [WRONG, SOLUTION])
CHANCES = [[0.25, 0.5, 0.75, 1], [0.5, 5 / 6, 1, 1], [0.5, 1]]


@in_turn
@pytest.mark.parametrize(("right", "count"), [(0, 3), (1, 1), (2, 5), (5, 5), (3, 7)])
def test_pass_at_is_the_share_of_draws_with_a_right_answer(right, count):
    answers = [True] * right + [False] * (count - right)
    expected = []
    for k in range(1, count + 1):
        draws = [*combinations(answers, k)]
        expected.append(sum(map(any, draws)) / len(draws))
    assert chances_of_pass(right, count) == pytest.approx(expected)


@pytest.fixture
def folder(tmp_path):
    lines = [json.dumps({"puzzle": UNIQUE, "responses": answers}) for answers in ANSWERS]
    lines.append(json.dumps({"puzzle": "bad", "responses": ["x"]}))
    (tmp_path / "said.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_the_summary_has_the_means(folder):
    means = [(0.25 + 0.5 + 0.5) / 3, (0.5 + 5 / 6 + 1) / 3, 1.75 / 2, 1.0]
    text = run("verify", "said.jsonl", "--samples", cwd=folder, code=1).stdout
    assert [float(number) for number in re.findall(r"pass@\d +([\d.]+)", text)] == pytest.approx(
        means, abs=1e-4
    )
    output = run("verify", "said.jsonl", "--samples", "--json", cwd=folder, code=1).stdout
    summary = json.loads(output.splitlines()[-1])["summary"]
    assert summary["pass_at"] == pytest.approx(means)
    assert summary["pass_at_records"] == [3, 3, 2, 2]
    assert all(name.isidentifier() for name in summary)
    assert re.findall(r"pass@\d +[\d.]+ (.*)", text) == [
        f"over {n} records; 1 could not be read" for n in (3, 3, 2, 2)
    ]
    found = unidoku.run(Verify(samples=True), folder / "said.jsonl")
    assert (found.pass_at, found.pass_at_records) == (pytest.approx(means), [3, 3, 2, 2])
    assert found.samples == [[0], [0, 0], [0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0, 0]]


def test_the_rows_have_pass_at_of_their_record(folder):
    text = run("verify", "said.jsonl", "--samples", "--to", "csv", cwd=folder, code=1).stdout
    rows = [*csv.DictReader(io.StringIO(text))]
    expected = [chances for chances, answers in zip(CHANCES, ANSWERS, strict=True) for _ in answers]
    assert [json.loads(row["pass_at"]) for row in rows[:-1]] == [pytest.approx(each) for each in expected]
    assert rows[-1]["outcome"] == "invalid"


def test_answers_with_a_record_each_have_pass_at_by_group(tmp_path):
    """The groups may be anywhere in several files, and their outcomes are counted by another column."""
    rows = [(k, text) for k, texts in enumerate(ANSWERS) for text in texts]
    for number in range(2):
        lines = [
            json.dumps(
                {"puzzle": UNIQUE, "response": text, "id": k, "about": {"level": "easy" if k else "hard"}}
            )
            for k, text in rows[number::2]
        ]
        (tmp_path / f"{number}.jsonl").write_text("\n".join(lines))
    summary = unidoku.run(Verify(group="id", by="about.level"), tmp_path)
    assert summary.groups == {"0": [1, 4], "1": [2, 4], "2": [1, 2]}
    assert summary.by == {"hard": [1, 3, 0, 0], "easy": [3, 2, 1, 0]}
    result = run("verify", ".", "--group", "id", "--by", "about.level", cwd=tmp_path, code=1).stdout
    chances = [(0.25 + 0.5 + 0.5) / 3, (0.5 + 5 / 6 + 1) / 3, 1.75 / 2, 1.0]
    assert re.findall(r"pass@\d +([\d.]+) over (\d) groups", result) == [
        (f"{chance:.4f}", str(n)) for chance, n in zip(chances, (3, 3, 2, 2), strict=True)
    ]
    assert [line.split() for line in result.splitlines()[-3:]] == [
        ["about.level", "right", "wrong", "no", "grid", "missing"],
        ["hard", "1", "3", "0", "0"],
        ["easy", "3", "2", "1", "0"],
    ]
    with pytest.raises(
        unidoku.FormatError, match="expected a column 'idd', found 'puzzle', 'response', 'id'"
    ):
        unidoku.run(Verify(group="idd"), tmp_path)


def test_parts_of_a_folder_give_the_same_means(folder):
    arguments = ("verify", "said.jsonl", "--samples", "-o", "out/", "--to", "csv")
    first = run(*arguments, cwd=folder, code=1).stdout
    again = run(*arguments, "--resume", cwd=folder, code=1).stdout
    assert re.findall(r"pass@.*", first) == re.findall(r"pass@.*", again) != []


def test_the_recipe_of_the_page_joins_outputs_of_a_batch(tmp_path, monkeypatch):
    page = Path(__file__).resolve().parents[2] / "docs" / "learning.md"
    recipe = next(
        block
        for block in re.findall(r"```py\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        if "custom_id" in block
    )
    (tmp_path / "puzzles.csv").write_text(f"id,puzzle\na,{UNIQUE}\nb,{UNIQUE}\nc,{UNIQUE}\n")

    def said(key, *texts):
        choices = [
            {"index": k, "message": {"role": "assistant", "content": text}} for k, text in enumerate(texts)
        ]
        body = {"object": "chat.completion", "choices": choices}
        return {
            "id": f"x{key}",
            "custom_id": key,
            "response": {"status_code": 200, "body": body},
            "error": None,
        }

    failed = {"id": "xc", "custom_id": "c", "response": None, "error": {"message": "no"}}
    lines = [said("b", WRONG, SOLUTION), said("a", SOLUTION, SOLUTION), failed]
    (tmp_path / "output.jsonl").write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.chdir(tmp_path)
    exec(compile(recipe, str(page), "exec"), {})
    text = run("verify", "joined.jsonl", "--samples", code=1).stdout
    assert re.search(r"right answers +3\b", text)
    assert re.search(r"missing answers +1\b", text)
    assert re.search(r"pass@2 +1.0000", text)


@pytest.mark.parametrize("task", [Verify(group="id"), Verify(by="level"), Verify(samples=True)])
def test_the_tables_of_a_folder_survive_a_resumed_run(task, tmp_path):
    said = [(name, answer) for name in "ab" for answer in (SOLUTION, "no", ["no", WRONG][: 1 + task.samples])]
    for name in "ab":
        rows = ({"puzzle": UNIQUE, "id": "x", "level": one, "response": r} for one, r in said if one == name)
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    inputs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    whole = unidoku.run(task, inputs)
    first = unidoku.run(task, inputs[:1], f"{tmp_path}/out/")
    for resume in (inputs, inputs):
        found = unidoku.run(task, resume, f"{tmp_path}/out/", resume=True)
        assert found.earlier >= first.puzzles > 0
        assert (found.groups, found.by, found.samples) == (whole.groups, whole.by, whole.samples)
    assert whole.groups or whole.by or whole.samples


def test_a_folder_as_output_also_ends_with_the_question(tmp_path):
    row = {"puzzle": UNIQUE, "prediction": "", "said": SOLUTION}
    (tmp_path / "log.jsonl").write_text(json.dumps(row) + "\n")
    for words in ((), ("--resume",)):  # also if the parts are there
        said = run("verify", tmp_path / "log.jsonl", "-o", f"{tmp_path}/out/", *words, code=2).stderr
        assert "no record has an answer at 'prediction'" in said
