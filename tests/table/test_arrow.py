"""Arrow columns and tables of any kind and origin."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas
import polars as pl
import pyarrow as pa
import pytest
from cases import in_turn
from damaged_arrow import DAMAGED, damaged
from example_puzzles import SOLUTION as SA, UNIQUE as A
from pyarrow import parquet

import unidoku
from unidoku._native.text import columns
from unidoku.errors import InputError, InvalidPuzzleError, MissingExtraError
from unidoku.tasks import Convert

TWO = SA.replace("1", "0").replace("2", "0")  # two digits can change places
NONE = "55" + A[2:]
EMPTY = "." * 81
PUZZLES = [A, TWO, NONE, EMPTY]
NUMBERS = [unidoku.Grid(puzzle).cells for puzzle in PUZZLES]
CELLS = [[*unidoku.Grid(puzzle).cells] for puzzle in PUZZLES]
VERDICTS = ["unique", "multiple", "none", "multiple"]


def runs(values: pa.Array, length: int = 1) -> pa.Array:
    """A run-end encoded array with ``length`` copies of each value."""
    ends = pa.array(range(length, length * len(values) + 1, length), pa.int32())
    return pa.RunEndEncodedArray.from_arrays(ends, values)


COLUMNS = {
    "string": lambda: pa.array(PUZZLES),
    "large string": lambda: pa.array(PUZZLES, pa.large_string()),
    "view": lambda: pa.array(PUZZLES, pa.string_view()),
    "binary": lambda: pa.array([p.encode() for p in PUZZLES]),
    "binary view": lambda: pa.array([p.encode() for p in PUZZLES], pa.binary_view()),
    "fixed": lambda: pa.array([p.encode() for p in PUZZLES], pa.binary(81)),
    "numbers": lambda: pa.array(NUMBERS),
    "view of numbers": lambda: pa.array(NUMBERS, pa.binary_view()),
    "slice of numbers": lambda: pa.array([b"x" * 81, *NUMBERS, b"y" * 81], pa.binary(81))[1:5],
    "numbers and text": lambda: pa.array([*NUMBERS[:1], *(p.encode() for p in PUZZLES[1:3]), NUMBERS[3]]),
    "dictionary of numbers": lambda: pa.array(NUMBERS).dictionary_encode(),
    "runs of numbers": lambda: runs(pa.array(NUMBERS, pa.binary(81))),
    "dictionary": lambda: pa.array(PUZZLES).dictionary_encode(),
    "dictionary slice": lambda: pa.array([None, *"abcdefgh", *PUZZLES, None]).dictionary_encode()[9:13],
    "dictionary with offset": lambda: pa.DictionaryArray.from_arrays(
        pa.array([2, 1, 0, 3], pa.uint8()), pa.array(["x", NONE, TWO, A, EMPTY])[1:]
    ),
    "dictionary with null": lambda: pa.DictionaryArray.from_arrays([0, 1, 2, 4], [*PUZZLES[:3], None, EMPTY]),
    "runs slice": lambda: runs(pa.array(["x", *PUZZLES, "y"]))[1:5],
    "lists": lambda: pa.array(CELLS),
    "fixed lists": lambda: pa.array(CELLS, pa.list_(pa.uint8(), 81)),
    "view of lists": lambda: pa.array(CELLS, pa.list_view(pa.int8())),
    "slice of lists": lambda: pa.array([[7], *CELLS, None], pa.large_list(pa.int64()))[1:5],
    "slice of fixed lists": lambda: pa.array([[7] * 81, *CELLS, None], pa.list_(pa.int16(), 81))[1:5],
    "lists in chunks": lambda: pa.chunked_array([CELLS[:1], CELLS[1:]], pa.list_(pa.uint64())),
    "boards of lists": lambda: pa.array([np.reshape(cells, (9, 9)).tolist() for cells in CELLS]),
    "chunks": lambda: pa.chunked_array([PUZZLES[:1], [], PUZZLES[1:]]),
    "slice": lambda: pa.array(["x", *PUZZLES, "y"])[1:5],
    "view slice": lambda: pa.array(["x", *PUZZLES, "y"], pa.string_view())[1:5],
    "with null before": lambda: pa.array([None, *PUZZLES])[1:],
}


@in_turn
@pytest.mark.parametrize("kind", COLUMNS)
def test_every_kind_of_column(kind: str) -> None:
    column = COLUMNS[kind]()
    assert [*unidoku.check_many(column)] == [*unidoku.check_many(PUZZLES)]
    table = pa.table(unidoku.check_many(column, limit=3))
    assert table["verdict"].to_pylist() == VERDICTS
    assert table["count"].to_pylist() == [1, 2, 0, 3]
    assert table["solution"].to_pylist()[0] == SA
    assert table["solution"].to_pylist()[2] is None
    table.validate(full=True)


def test_runs_of_equal_puzzles(tmp_path: Path) -> None:
    rows = runs(pa.array([A, None, "x", EMPTY]), 3)
    for begin, end in [(0, 12), (0, 4), (2, 7), (4, 5), (5, 12), (11, 12), (3, 3)]:
        column = rows[begin:end]
        answers = unidoku.check_many(column.to_pylist(), errors="invalid")
        assert [*unidoku.check_many(column, errors="invalid")] == [*answers]
    table = pa.table({"puzzle": runs(pa.array([A, EMPTY]), 5000)})
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as file:
        file.write_table(table)
    summary = unidoku.check_file(tmp_path / "in.arrow")
    assert (summary.unique, summary.multiple) == (5000, 5000)


@in_turn
@pytest.mark.parametrize("name", [name for name in DAMAGED if name != "other null views in lists"])
def test_damaged_columns_are_refused(name: str) -> None:
    """A damaged column of any type is an error before any computation."""
    column = pa.ipc.open_stream(damaged(name)).read_all().column(-1)
    # nothing else is tried with a damaged column of another library
    stream = SimpleNamespace(__arrow_c_stream__=column.__arrow_c_stream__, __array__=pytest.fail)
    for data in (column, column.chunk(0), stream):
        for call in (unidoku.check_many, unidoku.rate_many):
            with pytest.raises(InputError, match="damaged Arrow data: "):
                call(data)


@in_turn
@pytest.mark.parametrize("first", [-81, -1, 1, 81, 2**31 - 100, 2**63 - 100])
def test_puzzles_outside_their_text_are_refused(first: int) -> None:
    """Offsets that are 81 apart, as those of puzzles, of a text that begins or ends elsewhere."""
    for kind, type_of_offsets in ((pa.string(), np.int32), (pa.large_string(), np.int64)):
        numbers = np.arange(0, 244, 81, type_of_offsets)
        buffers = [None, pa.py_buffer(numbers), pa.py_buffer("".join(PUZZLES[:3]).encode())]
        column = pa.Array.from_buffers(kind, 3, buffers, null_count=0)
        assert len(unidoku.check_many(column)) == 3
        numbers += np.int64(first).astype(type_of_offsets)  # PyArrow has looked at the first ones only
        with pytest.raises(InputError, match="damaged Arrow data: "):
            unidoku.check_many(column)


@in_turn
@pytest.mark.parametrize("start", [1, 2**57, 2**59, 2**60, 2**62, 2**63 - 2, 2**63 - 1])
def test_rows_outside_the_buffers_are_refused(start: int) -> None:
    """Offsets whose sums exceed 64 bits."""
    rows = np.zeros(1, np.int64), np.zeros(1, np.int64)
    text = A.encode()
    for size in (4, 8):
        offsets = np.array([0, 81], f"i{size}").tobytes()
        assert columns.scan_strings(text, offsets, size, 0, 1, b"", *rows) == (1, [])
        with pytest.raises(ValueError, match="too few"):
            columns.scan_strings(text, offsets, size, start, 1, b"", *rows)
        if start > 8:
            with pytest.raises(ValueError, match="too few"):
                columns.scan_strings(text, offsets, size, start, 1, b"\1", *rows)


def test_rows_that_are_not_puzzles() -> None:
    rows = [None, "", A[:-1], A[:-1] + "!", A, "1" * 12, "1" * 13, EMPTY + "."]
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        table = pa.table(unidoku.check_many(pa.array(rows, kind), errors="invalid"))
        assert table["verdict"].to_pylist() == ["invalid"] * 4 + ["unique"] + ["invalid"] * 3
        assert table["count"].to_pylist() == [None] * 4 + [1] + [None] * 3
        assert table["solution"].to_pylist() == [None] * 4 + [SA] + [None] * 3
    reasons = unidoku.check_many(pa.nulls(2), errors="invalid").reasons
    assert reasons == dict.fromkeys([0, 1], "expected 81 cells, found nothing")


@pytest.mark.parametrize(("kind", "times"), [(pa.binary(), 800), (pa.binary_view(), 2)], ids=str)
def test_each_row_of_bytes_has_its_own_form(kind: pa.DataType, times: int, tmp_path: Path) -> None:
    """Bytes are numbers only if all 81 are 0 to 9; a string is always text."""
    good = NUMBERS[0]
    rows = [A.encode(), good[:80] + b"\n", good[:80], good[:80] + b".", None, good]
    column = pa.array(rows * times, kind)  # more than one block of rows
    answers = unidoku.check_many(column, errors="invalid")
    assert (answers.verdict.reshape(-1, 6) == unidoku.check_many(rows, errors="invalid").verdict).all()
    assert [row for row in range(6 * times) if row % 6 not in {0, 5}] == list(answers.reasons)
    parquet.write_table(pa.table({"puzzle": column}), tmp_path / "in.parquet")
    summary = unidoku.check_file(tmp_path / "in.parquet")
    assert (summary.unique, summary.invalid) == (2 * times, 4 * times)
    assert list(unidoku.check_many(pa.array([good.decode()]), errors="invalid").reasons) == [0]


def test_rows_of_lists_that_are_not_puzzles(tmp_path: Path) -> None:
    """The reason has the invalid value, and outputs have the list."""
    rows = [CELLS[0], [10, *CELLS[0][1:]], [*CELLS[0][:80], -1], [1, 2], None, [0] * 729]
    reasons = {
        1: "expected 0 (empty) or 1 to 9, found 10 in r1c1",
        2: "expected the same mark for all empty cells, 0, found -1 in r9c9",
        3: "expected 81 cells, found 2",
        4: "expected 81 cells, found nothing",
        5: "expected 81 cells, found 729",
    }
    table = pa.table({"puzzle": rows})
    assert unidoku.check_many(table["puzzle"], errors="invalid").reasons == reasons
    boards = pa.array(
        [[row[k : k + 9] for k in range(0, 81, 9)] for row in rows[:3]], pa.list_(pa.list_(pa.int16()))
    )
    assert unidoku.check_many(boards, errors="invalid").reasons == {k: reasons[k] for k in (1, 2)}
    negative = pa.array([[-1, *row[1:]] for row in rows[:1]], pa.list_(pa.int8()))
    assert unidoku.check_many(negative, errors="invalid").reasons == {
        0: "expected the same mark for all empty cells, 0, found -1 in r1c1"
    }
    words = pa.array([["x" * 1000, *A[1:]]])
    assert unidoku.check_many(words, errors="invalid").reasons[0].endswith(f", found '{'x' * 20}' in r1c1")
    parquet.write_table(table, tmp_path / "in.parquet")
    unidoku.check_file(tmp_path / "in.parquet", tmp_path / "out.jsonl")
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["reason"] for row in records[1:]] == [*reasons.values()]
    assert [row["puzzle"] and json.loads(row["puzzle"]) for row in records[1:]] == rows[1:]


def test_columns_that_are_not_strings() -> None:
    with pytest.raises(InvalidPuzzleError, match="pass the column of the puzzles"):
        unidoku.check_many(pa.table({"puzzle": [A], "solution": [A]}))
    numbers = pa.table({"puzzle": [1, 2]})
    for stream in (numbers.to_reader(), SimpleNamespace(__arrow_c_stream__=numbers.__arrow_c_stream__)):
        with pytest.raises(InvalidPuzzleError, match="expected a column of strings or lists, found struct"):
            unidoku.check_many(stream)


def test_a_table_with_one_column_of_text_is_that_column() -> None:
    numbers = {"id": [*range(4)], "er": [1.5] * 4}
    expected = unidoku.check_many(PUZZLES).verdict.tolist()
    for data in ({"puzzle": PUZZLES}, {**numbers, "puzzle": PUZZLES}):
        for table in (pa.table(data), pandas.DataFrame(data), pl.DataFrame(data)):
            assert unidoku.check_many(table).verdict.tolist() == expected
    objects = pl.DataFrame({"puzzle": pl.Series(PUZZLES, dtype=pl.Object)})
    for table in (objects, objects["puzzle"], pandas.DataFrame({"puzzle": PUZZLES}, dtype=object)):
        assert unidoku.check_many(table).verdict.tolist() == expected


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        relation = connection.sql(f"select '{A}' as puzzle from range(5000)")
        assert unidoku.check_many(pa.table(relation)["puzzle"]).unique == 5000
        assert unidoku.check_many(relation).unique == 5000
        answers = unidoku.check_many(PUZZLES)  # noqa: F841 - DuckDB finds it by its name
        back = connection.sql("select verdict, count(*) from answers group by 1 order by 1")
        assert back.fetchall() == [("multiple", 2), ("none", 1), ("unique", 1)]


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    column = SimpleNamespace(__arrow_c_array__=pa.array(PUZZLES).__arrow_c_array__)
    assert unidoku.check_many(column).unique == 1
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"unidoku\[arrow\]"):
        unidoku.check_many(column)


@pytest.mark.parametrize("kind", ["Categorical", "Enum"])
def test_polars_words(kind: str, tmp_path: Path) -> None:
    """Polars stores the words of these columns as string views, and PyArrow's `take` refuses string views."""
    rows = [A, "." * 81, A, "no", None]
    dtype = pl.Categorical if kind == "Categorical" else pl.Enum(["." * 81, "no", A])
    frame = pl.DataFrame({"puzzle": pl.Series(rows, dtype=dtype), "id": ["a", "b", "c", "d", "e"]})
    words = ["unique", "multiple", "unique", "invalid", "invalid"]
    result = unidoku.check_many(frame["puzzle"], errors="invalid")
    assert result.verdict.tolist() == words
    assert unidoku.craft.canonical_many(frame["puzzle"][:3]).puzzle.shape == (3, 81)
    frame.write_ipc(tmp_path / "in.arrow")
    frame.write_parquet(tmp_path / "in.parquet")
    for name in ("in.arrow", "in.parquet"):
        for output in ("out.csv", "out.arrow"):
            unidoku.check_file(tmp_path / name, output=tmp_path / output)
            unidoku.run(Convert(), tmp_path / name, tmp_path / f"puzzles-{output}")
        text = (tmp_path / "out.csv").read_text().splitlines()
        assert [line.split(",")[2] for line in text[1:]] == words
        assert (tmp_path / "puzzles-out.csv").read_text().splitlines()[1:] == [
            f"{A},a", f"{'.' * 81},b", f"{A},c", "no,d", ",e"
        ]  # fmt: skip


@in_turn
@pytest.mark.parametrize(
    "kind", ["timestamp", "duration", "date", "time", "decimal", "interval", "dictionary"]
)
def test_a_column_of_another_type_is_an_error(kind):
    """PyArrow cannot convert some of these types without pandas; the error is the same."""
    columns = {
        "timestamp": pa.array([1], pa.timestamp("ns", tz="Europe/Berlin")),
        "duration": pa.array([1], pa.duration("s")),
        "date": pa.array([1], pa.date32()),
        "time": pa.array([1], pa.time64("ns")),
        "decimal": pa.array([None], pa.decimal128(5, 2)),
        "interval": pa.array([None], pa.month_day_nano_interval()),
        "dictionary": pa.array([1]).dictionary_encode(),
    }
    for column in (columns[kind], pa.chunked_array([columns[kind]]), pa.table({"a": columns[kind]})):
        with pytest.raises(InvalidPuzzleError):
            unidoku.check_many(column)
