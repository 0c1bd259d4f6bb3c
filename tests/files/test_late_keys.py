"""Keys of JSON that the first 64 KiB lack: JSON lines keep them, other outputs name them in one note."""

from __future__ import annotations

import json
import random

import pytest
from command import run
from example_puzzles import UNIQUE
from readback import rows_of

import unidoku
from unidoku.tasks import Convert, Rate

LATE = ((1500, "late", "x\ty"), (2000, "späť", [1, 2]), (2500, "deep", {"a": [None]}), (2600, "null", None))
"""The number of a record, and a key that those after it may have, with its value."""
CELLS = [0 if cell == "." else int(cell) for cell in UNIQUE]


def records(count: int = 3000) -> list[dict[str, object]]:
    """Return records whose keys come one after the other, in any form that native code or Python reads."""
    choice = random.Random(4)
    rows: list[dict[str, object]] = []
    for number in range(count):
        row: dict[str, object] = {"puzzle": choice.choice([UNIQUE, CELLS]), "id": number, "text": 'a "b" \n'}
        late = {key: value for begin, key, value in LATE if number > begin and choice.random() < 0.3}
        rows.append(row | late)
    rows[2700]["puzzle"] = "no puzzle"
    return rows


@pytest.fixture(scope="module")
def rows():
    return records()


@pytest.fixture(scope="module", params=["jsonl", "json", "ascii"])
def source(request, rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("late") / ("in.json" if request.param == "json" else "in.jsonl")
    lines = [json.dumps(row, ensure_ascii=request.param == "ascii") for row in rows]
    path.write_text(f"[{','.join(lines)}]" if request.param == "json" else "\n".join(lines), "utf-8")
    return path


def with_text(row):
    """Return a record as an output has it: the puzzle is a text."""
    return row | {"puzzle": UNIQUE if row["puzzle"] == CELLS else row["puzzle"]}


@pytest.mark.parametrize("threads", [1, 3])
def test_json_lines_keep_them(source, rows, threads, tmp_path):
    summary = unidoku.run(Convert(), source, tmp_path / "o.jsonl", threads=threads)
    written = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text("utf-8").splitlines()]
    for row, expected in zip(written, map(with_text, rows), strict=True):
        assert row == expected | ({"reason": row["reason"]} if "reason" in row else {})
    assert not summary.notes


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
def test_an_output_whose_columns_are_known_before_says_which_it_lacks(source, suffix, tmp_path):
    summary = unidoku.run(Convert(), source, tmp_path / f"o.{suffix}", threads=1)
    [note] = summary.notes
    head, _, keys = str(note).removesuffix("; write .jsonl to keep all keys").rpartition(": ")
    assert head == f"{source}: not copied, because the first 64 KiB lack these keys"
    assert {*keys.split(", ")} == {"late", "späť", "deep", "null"}
    assert set(rows_of(tmp_path / f"o.{suffix}")[0]) == {"puzzle", "id", "text"}
    options = {"csv": {"keep": "id"}, "tsv": {"keep": "none"}}.get(suffix, {"columns": ["puzzle"]})
    assert not unidoku.run(Convert(), source, tmp_path / f"o.{suffix}", **options).notes


def test_the_command_prints_one_note(source, tmp_path):
    done = run("convert", source, "-o", tmp_path / "o.csv", code=1)
    assert done.stderr.count("note: ") == done.stderr.count("64 KiB") == 1


def test_rejects_have_them_where_they_can(source, rows, tmp_path):
    for suffix in ("jsonl", "csv"):
        options = {"columns": ["puzzle", "er"], "rejects": tmp_path / f"r.{suffix}"}
        unidoku.run(Rate(), source, tmp_path / "o.csv", **options)
        [reject] = rows_of(tmp_path / f"r.{suffix}")
        kept = {"id", "text"} | ({*rows[2700]} - {"puzzle"} if suffix == "jsonl" else set())
        assert {*reject} == {"file", "line", "puzzle", "reason", "reason_code", *kept}


def test_read_has_them(source, rows):
    columns = [name for batch in unidoku.read(source) for name in batch.columns]
    assert {*columns} == {"id", "text", "late", "späť", "deep", "null"}


def test_many_keys_are_refused_wherever_they_come(tmp_path):
    wide = {"puzzle": UNIQUE} | {f"k{number}": 1 for number in range(1030)}
    lines = [json.dumps({"puzzle": UNIQUE, "id": 1})] * 1000 + [json.dumps(wide)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    with pytest.raises(unidoku.FormatError, match="expected at most 1023 keys besides the puzzle's"):
        unidoku.run(Convert(), tmp_path / "in.jsonl", tmp_path / "o.jsonl")
