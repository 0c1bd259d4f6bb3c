"""Splits of a file: puzzles of a class stay in one part."""

import os

import pytest
from command import run
from readback import rows_of

import unidoku
from unidoku.craft.generate import generate
from unidoku.errors import InvalidPuzzleError
from unidoku.tasks import Transform
from unidoku.tasks.split import split_file

LINES = [unidoku.Grid(row).line for row in generate(300, seed=5)]


@pytest.fixture
def table(tmp_path):
    path, many = tmp_path / "in.csv", tmp_path / "many.csv"
    rows = [f"{k},{line}" for k, line in enumerate(LINES)]
    path.write_text("\n".join(["id,puzzle", *rows]) + "\n")
    unidoku.run(Transform(count=3, original=True), path, many)
    return many


def ids(path):
    return [row["id"] for row in rows_of(path)]


@pytest.mark.parametrize("by", ["canonical", "solution"])
def test_classes_stay_together(table, tmp_path, by):
    outputs = [tmp_path / f"{k}.csv" for k in range(3)]
    summary = split_file(table, outputs, fractions=[0.6, 0.3, 0.1], by=by, seed=1)
    counts = summary.outputs
    assert summary.puzzles == summary.written == sum(counts)
    assert sum(counts) == 1200
    ids_of_parts = [ids(path) for path in outputs]
    assert [len(part_ids) for part_ids in ids_of_parts] == counts
    sets = [set(part_ids) for part_ids in ids_of_parts]
    assert sum(map(len, sets)) == len(set.union(*sets))
    assert 0.5 < counts[0] / 1200 < 0.7
    assert 0.04 < counts[2] / 1200 < 0.16
    second_outputs = [tmp_path / f"again{k}.csv" for k in range(3)]
    assert (
        split_file(table, second_outputs, fractions=[0.6, 0.3, 0.1], by=by, seed=1, threads=1).outputs
        == counts
    )
    assert [ids(path) for path in second_outputs] == ids_of_parts
    assert split_file(table, second_outputs, fractions=[0.6, 0.3, 0.1], by=by, seed=2).outputs != counts


def test_errors(tmp_path, table):
    outputs = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for fractions in ([1], [0.5, 0.6], [2, -1]):
        with pytest.raises(ValueError, match="2 outputs need 2 fractions of at least 0 with the sum 1, not"):
            split_file(table, outputs, fractions=fractions)
    with pytest.raises(ValueError, match="by: "):
        split_file(table, outputs, by="name")
    bad = tmp_path / "bad.txt"
    bad.write_text(f"{LINES[0]}\n{'.' * 81}\n")
    with pytest.raises(InvalidPuzzleError, match=r"bad\.txt:2: not a proper"):
        split_file(bad, outputs, by="solution")
    assert not outputs[0].exists()


def test_the_next_input_after_one_that_cannot_be_read(table, tmp_path):
    outputs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    failures = []
    inputs = [tmp_path / "absent.csv", table]
    summary = split_file(inputs, outputs, by="puzzle", on_failure=failures.append)
    assert summary.failures == failures
    assert "absent.csv: No such file" in str(failures[0])
    assert summary.partial == [f"{path}.partial" for path in outputs]
    for path in outputs:
        os.rename(f"{path}.partial", path)
    assert [len(ids(path)) for path in outputs] == summary.outputs
    assert sum(summary.outputs) == 1200
    assert {*ids(outputs[0])} & {*ids(outputs[1])}  # by puzzle, images of a puzzle are separated


def test_command(table, tmp_path):
    outputs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    arguments = ["split", table, "-o", outputs[0], "-o", outputs[1], "--fractions"]
    *count_lines, seed = run(*arguments, "0.9,0.1", code=0).stderr.splitlines()
    assert seed.startswith("seed: ")
    assert [line.endswith("puzzles") for line in count_lines] == [True, True]
    assert not {*ids(outputs[0])} & {*ids(outputs[1])}
    assert "much" in run(*arguments, "much", code=2).stderr
