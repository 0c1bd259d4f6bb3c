"""Splits of a file: puzzles of a class stay in one part."""

import os

import pytest
from readback import rows_of

import unidoku
from unidoku.craft._generate import generate
from unidoku.tasks import Transform
from unidoku.tasks._split import split_file

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


def test_classes_stay_together(table, tmp_path):
    outputs = [tmp_path / f"{k}.csv" for k in range(3)]
    summary = split_file(table, outputs, fractions=[0.6, 0.3, 0.1], seed=1)
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
    assert split_file(table, second_outputs, fractions=[0.6, 0.3, 0.1], seed=1, threads=1).outputs == counts
    assert [ids(path) for path in second_outputs] == ids_of_parts
    assert split_file(table, second_outputs, fractions=[0.6, 0.3, 0.1], seed=2).outputs != counts


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


def test_strata_keep_their_shares(tmp_path):
    """Also of a rare value, in each output; classes stay whole, and nothing depends on the threads."""
    lines = unidoku.lines(unidoku.generate(300, seed=2))
    words = ["common" if k % 10 else "rare" for k in range(300)]
    images = unidoku.lines(
        unidoku.craft.transform_many(lines, [unidoku.Transformation.rotation(90)] * 300).puzzle
    )
    rows = [f"{line},{word}" for line, word in zip(lines + images, words * 2, strict=True)]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle,kind", *rows]) + "\n")
    parts = [tmp_path / f"{name}.csv" for name in "abc"]
    for threads, keep in ((1, "columns"), (2, "columns"), (2, "none")):
        options = {"seed": 1, "stratify": "kind", "threads": threads, "keep": keep}
        summary = unidoku.learning.split_file(
            tmp_path / "in.csv", parts, fractions=[0.8, 0.1, 0.1], **options
        )
        assert summary.outputs == [480, 60, 60]
        if keep == "columns":
            for part, numbers in zip(parts, [(432, 48), (54, 6), (54, 6)], strict=True):
                kinds = [row["kind"] for row in rows_of(part)]
                assert (kinds.count("common"), kinds.count("rare")) == numbers
    forms = [
        {form.tobytes() for form in unidoku.craft.canonical_many(lines_of(part)).puzzle} for part in parts
    ]
    assert sum(map(len, forms)) == len(set.union(*forms)) == 300
    with pytest.raises(unidoku.UnidokuError, match="no column 'sort'; choose from: kind"):
        unidoku.learning.split_file(tmp_path / "in.csv", parts, stratify="sort")


def lines_of(path):
    return [row["puzzle"] for row in rows_of(path)]
