"""Parquet and Arrow IPC: files in, files out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import run
from damaged_arrow import DAMAGED, damaged, write_table
from example_puzzles import SOLUTION as SA, UNIQUE as A
from pyarrow import parquet as pq
from readback import read_all, rows_of

import unidoku
from unidoku.errors import FormatError, InputError, UnidokuError

ROWS = [A, None, "." * 81, "12", "55" + A[2:], A.replace(".", "0")]


def table(kind: object | None = None) -> object:
    return pa.table({"id": range(6), "puzzle": pa.array(ROWS, kind or pa.string()), "solution": [SA] * 6})


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are UTF-8")
@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_a_name_need_not_be_utf8(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / (os.fsdecode(b"\xff") + suffix)
    write_table(tmp_path / f"in{suffix}", table())
    unidoku.check_file(tmp_path / f"in{suffix}", path)
    summary = unidoku.check_file(path, tmp_path / f"{path.stem}-again{suffix}")
    assert (summary.puzzles, summary.failed) == (len(ROWS), 0)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("kind", ["cells", "rows"])
def test_lists_are_read_as_in_json(tmp_path: Path, suffix: str, kind: str) -> None:
    cells = [int(cell) for cell in A.replace(".", "0")]
    lists = [cells, None, cells[:80], [10, *cells[1:]], [None if cell == 0 else cell for cell in cells]]
    list_type = pa.list_(pa.int64())
    if kind == "rows":
        lists = [puzzle and [puzzle[k : k + 9] for k in range(0, 81, 9)] for puzzle in lists]
        list_type = pa.list_(list_type)
    write_table(tmp_path / f"in{suffix}", pa.table({"puzzle": pa.array(lists, list_type)}))
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"puzzle": puzzle}) + "\n" for puzzle in lists))
    records, json_records = read_all(tmp_path / f"in{suffix}"), read_all(tmp_path / "in.jsonl")
    assert [line for line, _ in records.puzzles] == [line for line, _ in json_records.puzzles] == [1, 5]
    assert {cells.replace("0", ".") for _, cells in records.puzzles} == {A}
    assert (
        [line for line, _, _ in records.rejects] == [line for line, _, _ in json_records.rejects] == [2, 3, 4]
    )


def test_no_rows_at_all(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("")
    for name in ("out.parquet", "out.arrow"):
        unidoku.check_file(tmp_path / "in.txt", output=tmp_path / name, empty=True)
        assert rows_of(tmp_path / name) == []


def test_inputs_with_other_columns_need_files_of_their_own(tmp_path: Path) -> None:
    write_table(tmp_path / "a.parquet", table())
    (tmp_path / "b.txt").write_text(A)
    inputs, output = [tmp_path / "a.parquet", tmp_path / "b.txt"], tmp_path / "out.parquet"
    with pytest.raises(FormatError, match="all rows of this output need the same"):
        unidoku.check_file(inputs, output=output)
    names = ["a.parquet", "b.txt", "out.parquet.partial"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert pq.read_table(tmp_path / names[2]).num_rows == table().num_rows


def test_many_row_groups_keep_their_order(tmp_path: Path) -> None:
    count = 24_000
    names = pa.array(range(count))
    source = pa.table({"n": names, "puzzle": pa.array([A, "." * 81, "5" + "." * 80] * (count // 3))})
    for size in (1000, 20_000):
        pq.write_table(source, tmp_path / "in.parquet", row_group_size=size)
        output = tmp_path / f"out{size}.parquet"
        unidoku.check_file(tmp_path / "in.parquet", output=output, threads=3)
        output_table = pq.read_table(output)
        assert output_table["n"].to_pylist() == list(range(count))
        assert output_table["line"].to_pylist() == list(range(1, count + 1))


@pytest.mark.parametrize(
    "content",
    [b"PAR1", b"PAR1" + b"x" * 100 + b"PAR1", b"ARROW1\0\0rest", b"FEA1....FEA1", b"\xff\xff\xff\xff\x10"],
)
def test_broken_files_are_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(UnidokuError) as caught:
        read_all(path)
    assert caught.value.file == str(path)


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("suffix", ["arrow", "arrows"])
def test_damaged_buffers_are_refused(tmp_path: Path, name: str, suffix: str) -> None:
    """Offsets, indices, views and run ends are checked before their first use.

    With several outputs, because a write outside a buffer often shows only later.
    """
    path = tmp_path / f"in.{suffix}"
    path.write_bytes(damaged(name, file=suffix == "arrow"))
    for output in (None, *(tmp_path / f"out.{target}" for target in ("csv", "jsonl", "parquet"))):
        with pytest.raises(InputError, match="damaged Arrow data: ") as caught:
            unidoku.check_file(path, output=output)
        assert caught.value.file == str(path)
        assert caught.value.summary.puzzles == 0


def test_the_good_part_of_a_damaged_file_is_read(tmp_path: Path) -> None:
    good = pa.table({"puzzle": pa.array([A] * 5)})
    path = tmp_path / "in.arrow"
    write_table(path, pa.concat_tables([good, pa.table({"puzzle": ["2" + A[1:]] * 5})]), 5)
    path.write_bytes(path.read_bytes().replace(b"2" + A[1:].encode(), b"\xff" + A[1:].encode()))
    with pytest.raises(InputError, match="Invalid UTF8") as caught:
        unidoku.check_file(path)
    assert caught.value.summary.unique == 5


@pytest.mark.parametrize(
    ("name", "packing"),
    [
        ("out.parquet", "ZSTD"),
        ("out.zstd.parquet", "ZSTD"),
        ("out.snappy.parquet", "SNAPPY"),
        ("OUT.LZ4.Parquet", "LZ4"),
        ("out.none.parquet", "UNCOMPRESSED"),
    ],
)
def test_compression_by_name(tmp_path: Path, name: str, packing: str) -> None:
    (tmp_path / "in.txt").write_text(A)
    out = tmp_path / name
    unidoku.check_file(tmp_path / "in.txt", output=out)
    group = pq.ParquetFile(out).metadata.row_group(0)
    assert {group.column(k).compression for k in range(group.num_columns)} == {packing}
    assert pq.read_table(out)["solution"].to_pylist() == [SA]


def layouts() -> dict[str, object]:
    """Return columns of six rows, by name, in layouts from which PyArrow cannot select rows."""
    texts = ["a", None, "long enough for a view", "", "b", "c"]
    views = pa.array(texts, pa.string_view())
    return {
        "view": views,
        "bytes": pa.array([text and text.encode() for text in texts], pa.binary_view()),
        "words": pa.DictionaryArray.from_arrays([0, 1, 2, 0, None, 1], views[2:5]),
        "lists": pa.array([["a", None], None, [], ["b"], ["c"], [texts[2]]], pa.large_list(pa.string_view())),
        "fixed": pa.array([["a", "b"]] * 6, pa.list_(pa.string_view(), 2)),
        "structs": pa.StructArray.from_arrays([views], ["x"]),
        "maps": pa.array([[("k", "v")]] * 6, pa.map_(pa.string(), pa.string_view())),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 4, 6], pa.int32()), ["x", None, "y"]),
        "numbers": pa.RunEndEncodedArray.from_arrays(pa.array([3, 6], pa.int32()), pa.array([1, 2])),
    }


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "jsonl"])
def test_columns_of_any_layout_come_along(tmp_path: Path, suffix: str) -> None:
    """Beside invalid records, with a selection of rows, and with several images of a row."""
    columns = layouts()
    write_table(tmp_path / "in.arrow", pa.table({"puzzle": ROWS, **columns}), 6)
    out, unique, images = (tmp_path / f"{name}.{suffix}" for name in ("out", "unique", "images"))
    unidoku.check_file(tmp_path / "in.arrow", out)
    unidoku.check_file(tmp_path / "in.arrow", unique, only=["unique"])
    write_table(tmp_path / "good.arrow", pa.table({"puzzle": [A] * 6, **columns}), 6)
    run("transform", tmp_path / "good.arrow", "-n", "2", "--seed", "1", "-o", images)
    all_rows, rows = rows_of(out), rows_of(unique)
    assert [row["line"] for row in rows] == [row["line"] for row in all_rows if row["verdict"] == "unique"]
    assert len(rows_of(images)) == 12
    if suffix in ("parquet", "arrow"):
        for name, column in columns.items():
            values = column.to_pylist()
            assert [row[name] for row in rows_of(images)] == [value for value in values for _ in range(2)]
            assert [row[name] for row in all_rows] == values
            assert [row[name] for row in rows] == [values[0], values[5]]


@pytest.mark.parametrize(
    ("task", "options", "needed"),
    [
        (unidoku.tasks.Check(), {}, ["solution", "note"]),
        (unidoku.tasks.Check(), {"columns": ("puzzle", "verdict", "id")}, []),
        (unidoku.tasks.Check(), {"columns": ("puzzle", "solution", "note")}, ["note"]),
        (unidoku.tasks.Check(), {"keep": "none"}, []),
        (unidoku.tasks.Convert(), {}, ["solution", "note"]),
        (unidoku.tasks.Convert(), {"columns": ("puzzle", "solution")}, ["solution"]),
        (unidoku.tasks.Verify(), {}, ["solution", "note"]),
    ],
)
@pytest.mark.parametrize("name", ["solution", "note"])
def test_columns_that_nothing_needs_are_not_decoded(
    tmp_path: Path, name: str, task: Any, options: dict[str, Any], needed: list[str]
) -> None:
    """A damaged page is an error only where its column is needed."""
    notes = [f"note {k}" for k in range(200)]
    columns = {"id": range(200), "puzzle": [A] * 200, "solution": [SA] * 200, "note": notes}
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table(columns), source, use_dictionary=False, compression="zstd")
    column = pq.ParquetFile(source).metadata.row_group(0).column([*columns].index(name))
    content, size = bytearray(source.read_bytes()), column.total_compressed_size
    content[column.data_page_offset + size // 2 : column.data_page_offset + size] = bytes(size - size // 2)
    source.write_bytes(content)
    if name in needed:
        with pytest.raises(InputError):
            unidoku.run(task, source, tmp_path / "out.csv", **options)
    else:
        assert unidoku.run(task, source, tmp_path / "out.csv", **options).puzzles == 200


def test_numbers_are_written_as_text_without_pandas(tmp_path: Path) -> None:
    """PyArrow's own conversions import pandas where it is installed, which takes half a second."""
    (tmp_path / "pandas.py").write_text("print('imported')\nraise ImportError\n")
    numbers = pa.chunked_array([pa.array([1, None, 3], pa.int64()), pa.array([4, 5, 6], pa.int64())])
    halves = pa.array([np.float16(0.5), None, *np.arange(1.5, 5, dtype=np.float16)], pa.float16())
    columns = {"puzzle": [A] * 6, "id": numbers, "half": halves}
    for suffix in ("parquet", "arrow"):
        write_table(tmp_path / f"in.{suffix}", pa.table(columns))
    code = "import unidoku; [unidoku.check_file(f'in.{end}', f'{end}.csv') for end in ('parquet', 'arrow')]"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == ""
    for suffix in ("parquet", "arrow"):
        rows = [line.split(",")[-2:] for line in (tmp_path / f"{suffix}.csv").read_text().splitlines()]
        assert rows[:4] == [["id", "half"], ["1", "0.5"], ["", ""], ["3", "1.5"]]
