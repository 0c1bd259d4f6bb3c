"""Rows of files: the other columns of a record keep value and place in every format."""

import json

import pyarrow as pa
import pytest
from command import run
from example_puzzles import SOLUTION, UNIQUE
from pyarrow import parquet
from readback import as_text, rows_of

import unidoku
from unidoku import InputError
from unidoku.tasks import Check, Convert


def write_objects(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


# --- types ---


@pytest.mark.parametrize("target", [".csv", ".tsv"])
def test_a_row_of_one_empty_field_is_a_record(tmp_path, target):
    """A blank line would be skipped, and the rows after it would move up."""
    rows = [{"puzzle": text} for text in ("", UNIQUE, " " * 9, "", "no")]
    write_objects(tmp_path / "in.jsonl", rows)
    table, again = tmp_path / f"out{target}", tmp_path / "again.jsonl"
    unidoku.run(Convert(), tmp_path / "in.jsonl", table)
    unidoku.run(Convert(), table, again)
    assert rows_of(table) == rows_of(again) == rows
    unidoku.check_file(tmp_path / "in.jsonl", output=table, columns=["solution"])
    assert [row["solution"] for row in rows_of(table)] == ["", SOLUTION, "", "", ""]


@pytest.mark.parametrize("target", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('"\\ud800"', "\\ud800"),
        ('["\\udfff", "a"]', None),
        ('{"\\ud800": "\\ud800"}', None),
        ('"\\ud83d\\ude00"', "\U0001f600"),
    ],
)
def test_half_a_pair_of_surrogates_is_text(tmp_path, value, text, target):
    """JSON may have it, UTF-8 may not; a name with it is left out."""
    line = f'{{"puzzle": "{UNIQUE}", "\\ud800": 1, "x": {value}}}\n'
    (tmp_path / "in.jsonl").write_text(2 * line)
    unidoku.run(Convert(), tmp_path / "in.jsonl", tmp_path / f"out{target}")
    rows = rows_of(tmp_path / f"out{target}")
    if text is None:  # lists and objects are JSON, as they were
        text = json.loads(value) if target == ".jsonl" else value
    assert rows == 2 * [{"puzzle": UNIQUE, "x": text}]


@pytest.mark.parametrize("target", [".csv", ".jsonl"])
def test_values_of_arrow_do_not_depend_on_their_neighbours(tmp_path, target):
    """Bytes become text, in lists too; encodings of a column leave no trace."""
    n = 3
    columns = {
        "bytes": pa.array([b"ok", b"\xff\x00", None]),
        "lists": pa.array([[b"ok"], [b"\xff"], None]),
        "runs": pa.RunEndEncodedArray.from_arrays([2, n], pa.array(["q", None])),
        "words": pa.array(["a", None, "a"]).dictionary_encode(),
    }
    table = pa.table({"puzzle": [UNIQUE] * n, **columns})
    with pa.ipc.new_file(str(tmp_path / "in.arrow"), table.schema) as writer:
        writer.write_table(table)
    unidoku.run(Convert(), tmp_path / "in.arrow", tmp_path / f"out{target}")
    values = [[*row.values()][1:] for row in rows_of(tmp_path / f"out{target}")]
    rows = [
        ["ok", ["ok"], "q", "a"],
        ["\\xff\0", ["\\xff"], "q", None],
        [None, None, None, "a"],
    ]
    assert values == ([[*map(as_text, row)] for row in rows] if target == ".csv" else rows)


def test_parquet_of_several_row_groups_is_read_at_once_with_dictionaries_in_lists_and_objects(tmp_path):
    """PyArrow cannot read dictionaries in lists and objects, so they are written as plain values."""
    n = 18_000  # more than one row group
    words = pa.array(["a", None, "b"] * (n // 3)).dictionary_encode()
    offsets = pa.array(range(n + 1), pa.int32())
    objects = pa.StructArray.from_arrays([words], ["x"])
    columns = {
        "words": words,
        "lists": pa.ListArray.from_arrays(offsets, words),
        "pairs": pa.FixedSizeListArray.from_arrays(words, 1),
        "objects": objects,
        "both": pa.LargeListArray.from_arrays(offsets.cast(pa.int64()), objects),
        "maps": pa.MapArray.from_arrays(offsets, pa.array(["k"] * n), words),
    }
    table = pa.table({"puzzle": [UNIQUE] * n, **columns})
    with pa.ipc.new_file(str(tmp_path / "in.arrow"), table.schema) as writer:
        writer.write_table(table)
    unidoku.run(Convert(), tmp_path / "in.arrow", tmp_path / "out.parquet")
    with parquet.ParquetFile(tmp_path / "out.parquet") as file:
        assert file.num_row_groups > 1
        output_table = file.read()
        assert sum(len(batch) for batch in file.iter_batches(1000)) == n
    assert output_table.schema.field("words").type == words.type
    assert output_table.to_pydict() == table.to_pydict()


@pytest.mark.parametrize("target", [".jsonl", ".parquet"])
@pytest.mark.parametrize(
    ("name", "empty"), [("b.json", "[]"), ("b.jsonl", "\n \n"), ("b.jsonl", ""), ("b.txt", "\n#\n")]
)
def test_an_input_without_records_does_not_disturb_the_others(tmp_path, name, empty, target):
    """It has no columns, so none is missing or additional."""
    (tmp_path / name).write_text(empty)
    write_objects(tmp_path / "in.jsonl", [{"puzzle": UNIQUE, "id": 1}])
    for order in ([name, "in.jsonl"], ["in.jsonl", name, "in.jsonl"]):
        for option in ([], ["--columns", "id"]):
            run("rate", *order, *option, "-o", f"out{target}", cwd=tmp_path, code=0)
            rows = rows_of(tmp_path / f"out{target}")
            assert [row["id"] for row in rows] == (len(order) - 1) * [1 if target == ".jsonl" else "1"]


@pytest.mark.parametrize("output", [None, "out.csv", "out/"])
@pytest.mark.parametrize(("name", "empty"), [("b.json", "[]"), ("b.txt", "\n#\n")])
def test_inputs_without_any_record_are_an_error(tmp_path, name, empty, output):
    (tmp_path / name).write_text(empty)
    target = output and f"{tmp_path}/{output}"
    message = "no puzzle in the inputs"
    with pytest.raises(InputError, match=f"{name}: {message}"):
        unidoku.run(Check(), tmp_path / name, target, to=output and "csv")
    with pytest.raises(InputError, match=f"^{message}$"):
        unidoku.run(Check(), [tmp_path / name] * 2)
    assert message in run("check", name, cwd=tmp_path, code=2).stderr
    assert not (tmp_path / "out.csv").exists()
    assert unidoku.run(Check(), tmp_path / name, empty=True).puzzles == 0


# --- JSON arrays ---


def indented(rows):
    return json.dumps(rows, indent=2)


def by_lines(rows):
    return "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n"


@pytest.mark.parametrize("form", [json.dumps, indented, by_lines])
def test_a_json_array_is_read_element_by_element(tmp_path, form):
    size = 1000
    rows = [{"puzzle": UNIQUE, "id": k, "note": '],["\\ {'} for k in range(size)]
    rows[1] = {"puzzle": "no", "id": 1}
    (tmp_path / "in.json").write_text(form(rows), newline="\r\n")
    summary = unidoku.check_file(tmp_path / "in.json", output=tmp_path / "out.jsonl")
    assert (summary.puzzles, summary.unique, summary.invalid) == (size, size - 1, 1)
    output_rows = rows_of(tmp_path / "out.jsonl")
    assert [row["id"] for row in output_rows] == [*range(size)]
    lines = form(rows).split("\n")
    starts = [number for number, line in enumerate(lines, 1) if line.lstrip(" [,").startswith("{")]
    assert [row["line"] for row in output_rows] == (starts if len(lines) > 1 else [*range(1, size + 1)])
    assert {row.get("note") for k, row in enumerate(output_rows) if k != 1} == {'],["\\ {'}


# --- puzzles ---


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet", ".arrow"])
def test_names_that_differ_in_blanks_only(suffix, tmp_path):
    names = ["\rx", "puzzle ", " id", "id", "ID", "id_2", "id ", "a\nb", "#a", 'a"b,']
    source, output, copy = tmp_path / "in.jsonl", tmp_path / f"out{suffix}", tmp_path / "back.jsonl"
    record = {"puzzle": UNIQUE} | {name: f"value {k}" for k, name in enumerate(names)}
    source.write_text(json.dumps(record))
    unidoku.run(Convert(), source, output)
    unidoku.run(Convert(), output, copy)
    assert rows_of(copy) == [record]


def test_unique_of_many(tmp_path):
    """More puzzles than the set's first allocation holds, in several chunks."""
    tail = UNIQUE[6:].replace(".", "0")
    rows = [f"{number:06d}{tail}" for number in range(40_000)] * 2
    (tmp_path / "in.txt").write_text("\n".join(rows))
    result = run("convert", "--unique", tmp_path / "in.txt", "-o", tmp_path / "out.txt", code=0)
    assert "40,000 puzzles, 40,000 duplicates" in result.stderr
    assert (tmp_path / "out.txt").read_text().split() == [r.replace("0", ".") for r in rows[:40_000]]
