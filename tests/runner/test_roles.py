"""Columns of an input: solutions move with their puzzles, and nothing is lost or has two meanings."""

import csv
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from example_puzzles import SOLUTION, UNIQUE
from matrix import FORMS
from readback import rows_of

import unidoku

PUZZLE = UNIQUE.replace(".", "0")
NAMES = (
    *("solutions", "solution", "sol", "solved", "expected", "gold", "target", "label", "solution_grid"),
    *("response", "completion", "output", "prediction", "answer", "column2", "my notes", "x", "grid2"),
    *("generated_text", "Answers"),
)
TASKS = (
    unidoku.tasks.Transform(count=2, seed=3),
    unidoku.tasks.Transform(rotate=90, digits="912345678"),
    unidoku.tasks.Canonical(),
    unidoku.tasks.Canonical(form="solution"),
    unidoku.tasks.Minimize(seed=1),
    unidoku.tasks.Convert(),
)


def drawn(form: str, rng: random.Random) -> list[tuple[str, str | list[list[int]]]]:
    """Draw puzzles with their solutions in a form."""
    rows = []
    for number in rng.sample(range(10**9), 4):
        image = unidoku.Transformation.from_index(number)
        grid = image(SOLUTION).line
        nine = [grid[k : k + 9] for k in range(0, 81, 9)]
        solution = {
            "cells": grid,
            "lines": "\n".join(nine),
            "lists": [[*map(int, row)] for row in nine],
        }[form]
        rows.append((image(PUZZLE).line, solution))
    return rows


def write(path: Path, names: Sequence[str], rows: list[Any]) -> None:
    """Write rows by another library."""
    writer = FORMS[path.suffix].write
    assert writer
    writer(path, [dict(zip(names, row, strict=True)) for row in rows])


FORMATS = [name for name, form in FORMS.items() if form.write and form.kind != "puzzles" and name[0] == "."]


@pytest.mark.parametrize("suffix", FORMATS)
def test_solutions_move(suffix: str, tmp_path: Path) -> None:
    rng = random.Random(suffix)
    for _ in range(17):
        name, form, task = rng.choice(NAMES), rng.choice(["cells", "lines", "lists"]), rng.choice(TASKS)
        puzzles = rng.choice(["puzzle", "quizzes", "question", "sudoku"])
        source = tmp_path / f"in{suffix}"
        image = tmp_path / f"out{'.jsonl' if suffix == '.json' else suffix}"
        write(source, (puzzles, name), drawn(form, rng))
        assert unidoku.run(unidoku.tasks.Verify(), source).all_right, (name, form)
        assert unidoku.run(task, source, image).written
        assert unidoku.run(unidoku.tasks.Verify(), image).all_right, (name, form, task)


@pytest.mark.parametrize(
    ("names", "values", "taken"),
    [
        (["quizzes", "solutions"], [PUZZLE, SOLUTION], {"puzzles": ["quizzes"], "answers": ["solutions"]}),
        (["a", "q"], [SOLUTION, PUZZLE], {"puzzles": ["q"], "answers": ["a"]}),
        (["grid", "y"], [PUZZLE, f"So: {SOLUTION}"], {"puzzles": ["grid"], "answers": ["y"]}),
        (["question", "answer", "response"], [PUZZLE, SOLUTION, "no"], {"answers": ["response"]}),
        (["puzzle", "answer", "text"], [PUZZLE, SOLUTION, "I do not know. " * 6], ["'answer', 'text'"]),
        (["puzzle", "output", "response"], [PUZZLE, SOLUTION, SOLUTION], ["'output', 'response'"]),
        (["puzzle", "gold", "guess"], [PUZZLE, SOLUTION, SOLUTION[::-1]], ["'gold', 'guess'"]),
        (
            ["puzzle", "gold", "technique"],
            [PUZZLE, SOLUTION, "dynamic forcing chains"],
            {"answers": ["gold"]},
        ),
        (["puzzle", "gold", "original"], [PUZZLE, SOLUTION, PUZZLE[::-1]], {"answers": ["gold"]}),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".npz"])
def test_the_columns_that_are_compared(names, values, taken, suffix, tmp_path) -> None:
    path = tmp_path / f"in{suffix}"
    write(path, names, [values])
    if isinstance(taken, list):
        with pytest.raises(unidoku.FormatError, match=f"any of the columns {taken[0]}; say which"):
            unidoku.run(unidoku.tasks.Verify(), path)
        for column in (names[1], "2"):
            summary = unidoku.run(unidoku.tasks.Verify(column), path)
            assert summary.all_right
            assert summary.files[0].columns["answers"] == [names[1]]
        return
    columns = unidoku.run(unidoku.tasks.Verify(), path).files[0].columns
    assert columns == columns | taken


OWN = ("line", "file", "reason", "clues", "er", "rating", "name", "title", "id", "note")


@pytest.mark.parametrize(
    "task",
    [*TASKS, unidoku.tasks.Check(), unidoku.tasks.Rate(), unidoku.tasks.Verify(), unidoku.tasks.Neighbours()],
)
def test_a_column_of_the_input_is_written_with_one_meaning(task: unidoku.task.Task, tmp_path: Path) -> None:
    rng = random.Random(repr(task))
    for _ in range(4):
        own = OWN[4:] if isinstance(task, unidoku.tasks.Convert) else OWN
        names = rng.sample([*{*own, *task.columns, "solution", "input_clues"} - {"puzzle", "prediction"}], 5)
        values = [f"value {number}" for number in range(5)]
        source, out, chosen = (tmp_path / name for name in ("in.csv", "out.csv", "chosen.csv"))
        write(source, ("puzzle", "prediction", *names), [(PUZZLE, SOLUTION, *values)])
        unidoku.run(task, source, out)
        written = rows_of(out)[0]
        found = [name for value in values for name in written if written[name] == value]
        assert sorted(written[name] for name in found) == values
        unidoku.run(task, source, chosen, columns=[*written])
        assert rows_of(chosen)[0] == written, names
        unidoku.run(task, source, chosen, keep=[names[0]])
        assert rows_of(chosen)[0].keys() & {*found} == {found[0]}


@pytest.mark.parametrize(
    "task", [*TASKS, unidoku.tasks.Rate(), unidoku.tasks.Verify(), unidoku.tasks.Solve()]
)
def test_rejects(task: unidoku.task.Task, tmp_path: Path) -> None:
    """They are the invalid records that a check finds, in any format, and appear with the output or not."""
    rng = random.Random(repr(task))
    texts = [rng.choice([PUZZLE, PUZZLE, "no", "", PUZZLE[:-1]]) for _ in range(700)]
    rows = [[text, SOLUTION, f"n{k}"] for k, text in enumerate(texts)]
    for suffix in rng.sample(FORMATS, 3):
        source, rejects, checked = (tmp_path / name for name in (f"in{suffix}", "rejects.jsonl", "out.jsonl"))
        write(source, ("puzzle", "gold", "id"), rows)
        summary = unidoku.run(task, source, checked, rejects=rejects)
        unidoku.check_file(source, checked, only=["invalid"])
        found = rows_of(rejects)
        assert [row["id"] for row in found] == [f"n{k}" for k, text in enumerate(texts) if text != PUZZLE]
        assert summary.invalid == len(found)
        assert found == [{name: row[name] for name in found[0]} for row in rows_of(checked)]
    source = tmp_path / "in.csv"
    write(source, ("puzzle", "gold", "id"), rows)
    before = rejects.read_bytes()
    with pytest.raises(unidoku.UnidokuError):
        unidoku.run(task, [source, tmp_path / "none.csv"], rejects=rejects)
    assert rejects.read_bytes() == before


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_whole_numbers_of_csv(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    source, out, back = tmp_path / "in.csv", tmp_path / f"out{suffix}", tmp_path / "back.csv"
    columns = {
        "id": lambda k: k,
        "late": lambda k: k if k < 1000 else "",
        "zeros": lambda k: f"0{k}",
        "blank": lambda k: k or "",
        "large": lambda k: k + 10**18,
        "mixed": lambda k: k if k < 1000 else f"{k}a",
    }

    def write_lines(names: list[str]) -> None:
        rows = ([PUZZLE, *(columns[name](k) for name in names)] for k in range(2000))
        with source.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([["puzzle", *names], *rows])

    write_lines([*columns][:5])
    unidoku.run(unidoku.tasks.Convert(), source, out)
    assert {name for name, value in rows_of(out)[0].items() if type(value) is int} == {"id", "late"}
    unidoku.run(unidoku.tasks.Convert(), out, back)
    assert back.read_text() == source.read_text().replace(PUZZLE, PUZZLE.replace("0", "."))
    write_lines(["mixed"])
    with pytest.raises(unidoku.FormatError, match=r"in\.csv:1002: '1000a' is no whole number"):
        unidoku.run(unidoku.tasks.Convert(), source, out)
