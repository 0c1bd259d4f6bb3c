"""Columns of an input: solutions move with their puzzles, and nothing is lost or has two meanings."""

import csv
import gzip
import json
import random
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import unidoku

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
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


def rows_of(form: str, rng: random.Random) -> list[tuple[str, str | list[list[int]]]]:
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


def write_csv(path: Path, names: tuple[str, str], rows: list, delimiter: str = ",") -> None:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([names, *rows])


def write_json(path: Path, names: tuple[str, str], rows: list) -> None:
    records = [dict(zip(names, row, strict=True)) for row in rows]
    if path.suffix == ".json":
        path.write_text(json.dumps(records))
    else:
        lines = "".join(json.dumps(record) + "\n" for record in records).encode()
        path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)


def write_arrow(path: Path, names: tuple[str, str], rows: list) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    if path.suffix in (".parquet", ".pq"):
        parquet.write_table(table, path)
        return
    opened = pyarrow.ipc.new_stream if path.suffix == ".arrows" else pyarrow.ipc.new_file
    with opened(path, table.schema) as file:
        file.write_table(table)


def write_npz(path: Path, names: tuple[str, str], rows: list) -> None:
    np.savez(
        path, **{name: np.array(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}
    )


FORMATS = {
    ".csv": write_csv,
    ".tsv": partial(write_csv, delimiter="\t"),
    ".csv.gz": partial(write_csv, delimiter=";"),
    ".jsonl": write_json,
    ".ndjson": write_json,
    ".jsonl.gz": write_json,
    ".json": write_json,
    ".parquet": write_arrow,
    ".pq": write_arrow,
    ".arrow": write_arrow,
    ".arrows": write_arrow,
    ".npz": write_npz,
}


@pytest.mark.parametrize("suffix", FORMATS)
def test_solutions_move(suffix: str, tmp_path: Path) -> None:
    rng = random.Random(suffix)
    for _ in range(17):
        name, form, task = rng.choice(NAMES), rng.choice(["cells", "lines", "lists"]), rng.choice(TASKS)
        puzzles = rng.choice(["puzzle", "quizzes", "question", "sudoku"])
        source = tmp_path / f"in{suffix}"
        image = tmp_path / f"out{'.jsonl' if suffix == '.json' else suffix}"
        FORMATS[suffix](source, (puzzles, name), rows_of(form, rng))
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
    write = FORMATS[suffix]
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
        with source.open("w", newline="") as file:
            csv.writer(file).writerows([("puzzle", "prediction", *names), (PUZZLE, SOLUTION, *values)])
        unidoku.run(task, source, out)
        with out.open(newline="") as file:
            written = next(iter(csv.DictReader(file)))
        found = [name for value in values for name in written if written[name] == value]
        assert sorted(written[name] for name in found) == values
        unidoku.run(task, source, chosen, columns=[*written])
        with chosen.open(newline="") as file:
            assert next(iter(csv.DictReader(file))) == written, names
        unidoku.run(task, source, chosen, keep=[names[0]])
        with chosen.open(newline="") as file:
            kept = next(iter(csv.DictReader(file)))
        assert kept.keys() & {*found} == {found[0]}


@pytest.mark.parametrize(
    "task", [*TASKS, unidoku.tasks.Rate(), unidoku.tasks.Verify(), unidoku.tasks.Solve()]
)
def test_rejects(task: unidoku.task.Task, tmp_path: Path) -> None:
    """They are the invalid records that a check finds, in any format, and appear with the output or not."""
    rng = random.Random(repr(task))
    texts = [rng.choice([PUZZLE, PUZZLE, "no", "", PUZZLE[:-1]]) for _ in range(700)]
    rows = [[text, SOLUTION, f"n{k}"] for k, text in enumerate(texts)]
    for suffix in rng.sample([*FORMATS], 3):
        source, rejects, checked = (tmp_path / name for name in (f"in{suffix}", "rejects.jsonl", "out.jsonl"))
        FORMATS[suffix](source, ("puzzle", "gold", "id"), rows)
        summary = unidoku.run(task, source, checked, rejects=rejects)
        unidoku.check_file(source, checked, only=["invalid"])
        found = [*map(json.loads, rejects.read_text().splitlines())]
        assert [row["id"] for row in found] == [f"n{k}" for k, text in enumerate(texts) if text != PUZZLE]
        assert summary.invalid == len(found)
        wanted = [json.loads(line) for line in checked.read_text().splitlines()]
        assert found == [{name: row[name] for name in found[0]} for row in wanted]
    source = tmp_path / "in.csv"
    write_csv(source, ("puzzle", "gold", "id"), rows)
    before = rejects.read_bytes()
    with pytest.raises(unidoku.UnidokuError):
        unidoku.run(task, [source, tmp_path / "none.csv"], rejects=rejects)
    assert rejects.read_bytes() == before


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_whole_numbers_of_csv(suffix: str, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    source, out, back = tmp_path / "in.csv", tmp_path / f"out{suffix}", tmp_path / "back.csv"
    read = parquet.read_table if suffix == ".parquet" else feather.read_table
    columns = {
        "id": lambda k: k,
        "late": lambda k: k if k < 1000 else "",
        "zeros": lambda k: f"0{k}",
        "blank": lambda k: k or "",
        "large": lambda k: k + 10**18,
        "mixed": lambda k: k if k < 1000 else f"{k}a",
    }

    def write(names: list[str]) -> None:
        rows = ([PUZZLE, *(columns[name](k) for name in names)] for k in range(2000))
        with source.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([["puzzle", *names], *rows])

    write([*columns][:5])
    unidoku.run(unidoku.tasks.Convert(), source, out)
    types = {field.name for field in read(out).schema if field.type == pyarrow.int64()}
    assert types == {"id", "late"}
    unidoku.run(unidoku.tasks.Convert(), out, back)
    assert back.read_text() == source.read_text().replace(PUZZLE, PUZZLE.replace("0", "."))
    write(["mixed"])
    with pytest.raises(unidoku.FormatError, match=r"in\.csv.*'1000a' is no whole number"):
        unidoku.run(unidoku.tasks.Convert(), source, out)
