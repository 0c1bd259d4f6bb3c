"""`unidoku steps`: the steps of the puzzles of files as rows: columns on request, and their types."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from command import run
from example_puzzles import CHAIN, MULTIPLE, SOLUTION, UNIQUE

import unidoku
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import path_of, steps_of
from unidoku.tasks import StepsTask

NAMES = ["puzzle", "step", "technique", "name", "kind", "rating", "placements", "eliminations", "before"]
NAMES += ["reason", "reason_code"]


def model_rows(puzzle: str, lang: str = "en") -> list[dict[str, object]]:
    """The rows of a puzzle, by `unidoku.steps`."""
    rows = []
    for number, deduction in enumerate(path_of(puzzle).deductions, 1):
        (step,) = steps_of([deduction])
        fields = {name: getattr(step, name) for name in NAMES[2:9]}
        fields["sentence"] = Sentences(lang).line(deduction)
        candidates = {"candidates": list(deduction.before.masks)}
        rows.append({"puzzle": puzzle, "step": number, **fields, **candidates, **dict.fromkeys(NAMES[9:])})
    return rows


@pytest.fixture
def path(tmp_path):
    """Two puzzles with steps, and records without."""
    file = tmp_path / "in.txt"
    file.write_text(f"{UNIQUE}\nnonsense\n{MULTIPLE}\n{CHAIN}\n{SOLUTION}\n")
    return file


def test_sentences_and_candidates_are_columns_on_request(path):
    columns = "technique,candidates,sentence"
    process = run("steps", path, "--columns", columns, "--lang", "zh", "--to", "jsonl", code=1)
    rows = [json.loads(line) for line in process.stdout.splitlines()]
    expected_rows = model_rows(UNIQUE, "zh") + model_rows(CHAIN, "zh")
    assert [row for row in rows if row["sentence"]] == [
        {name: row[name] for name in columns.split(",")} for row in expected_rows
    ]


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_a_compact_schema(path, tmp_path, suffix):
    from pyarrow import feather, parquet

    output = tmp_path / f"o.{suffix}"
    names = [*NAMES, "candidates", "sentence"]
    unidoku.run(StepsTask(), path, output, columns=names)
    table = parquet.read_table(output) if suffix == "parquet" else feather.read_table(output)
    kinds = {name: table.schema.field(name).type for name in names}
    assert kinds["technique"] == kinds["name"] == kinds["kind"] == pa.dictionary(pa.int8(), pa.string())
    lists = [kinds[name] for name in NAMES[6:8]]
    item = pa.dictionary(pa.int16(), pa.string()) if suffix == "arrow" else pa.string()
    assert {kind.value_type for kind in lists} == {item}
    # PyArrow before 26 cannot read Parquet files with missing lists of a fixed length
    assert kinds["candidates"] == (pa.list_(pa.uint16(), 81) if suffix == "arrow" else pa.list_(pa.uint16()))
    assert (kinds["step"], kinds["before"], kinds["sentence"]) == (pa.uint16(), pa.string(), pa.string())
    rows = [row for row in table.to_pylist() if row["step"]]
    assert rows == model_rows(UNIQUE) + model_rows(CHAIN)
    assert [row["candidates"] for row in table.to_pylist() if not row["step"]] == [None] * 3
