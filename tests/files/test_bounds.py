"""Bounds on compressed inputs and on memory, and CSV as the standard library reads it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from example_puzzles import SOLUTION, UNIQUE as A
from fuzzing import examples
from hypothesis import given, strategies as st
from packing import PACK
from readback import read_all

import unidoku
from unidoku.errors import FormatError, InputError
from unidoku.files._chunks import Reading
from unidoku.files._csv import CsvReader
from unidoku.files._records import remember_short


def work(content: bytes) -> int:
    """Check a content; return its number of puzzles."""
    return unidoku.check_file(io.BytesIO(content), empty=True).puzzles


@pytest.mark.parametrize("kind", PACK)
def test_decompressed_bytes_are_bounded(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = PACK[kind]((b" " * 200 + b"\n") * (1 << 14))
    monkeypatch.setattr("unidoku.files._source.RATIO", 50)
    assert work(content) == 0  # 3 MB are free
    monkeypatch.setattr("unidoku.files._source.FREE", 1 << 20)
    with pytest.raises(InputError, match=r"decompressed to more than 50 times its size"):
        work(content)


FIELD = st.text(st.sampled_from('ab ,;"\r\n\t1.é'), max_size=6)


@given(
    rows=st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=8),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    separator=st.sampled_from(",;\t"),
    mark=st.sampled_from(["", "\ufeff"]),
    target=st.integers(1, 500),
)
@examples(15)
def test_csv_like_the_standard_library(
    rows: list[tuple[str, str]], end: str, quoting: int, *, separator: str, mark: str, target: int
) -> None:
    if quoting == csv.QUOTE_MINIMAL:
        # Python's writer then does not quote line ends other than its own.
        rows = [("".join(a.splitlines()), "".join(b.splitlines())) for a, b in rows]
    text = io.StringIO(newline="")
    text.write(mark)
    writer = csv.writer(text, lineterminator=end, quoting=quoting, delimiter=separator)
    writer.writerow(["first", "puzzle", "second"])
    for before, after in rows:
        writer.writerow([before, A, after])
    records = read_all(text.getvalue().encode(), "csv", target=target)
    assert records.rejects == []
    assert [(extra.get("first", ""), extra.get("second", "")) for extra in records.extra] == rows
    # the line numbers are physical
    lines = text.getvalue().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for line, _ in records.puzzles:
        assert lines[line - 1]


@pytest.mark.parametrize("gap", ["", f"0,{A}\n" * 50, f'0,"{A}"\n\n', "..3\r\n\n4\n"])
@pytest.mark.parametrize("most", [400, CsvReader.line_max])
@pytest.mark.parametrize("target", [100, 1 << 20])
def test_a_quote_that_is_not_closed_ends_with_its_line(
    gap: str, most: int, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CsvReader, "line_max", most)
    text = f'0,{A}\n"X,{A}\n{gap}X,"{A}\n0,"{A}"\n"X"" ,{A}\n"0\n0",{A}\n"X,{A}\n{gap}X,"8'
    lines = [*enumerate(text.split("\n"), 2)]
    records = read_all(f"id,puzzle\n{text}".encode(), target=target)
    assert [line for line, _ in records.puzzles] == [k for k, line in lines if line[:2] in {"0,", '"0'}]
    reason = "expected a closing quote, found none"
    assert records.rejects == [(k, line.index('"') + 1, reason) for k, line in lines if "X" in line]
    records = read_all(f'puzzle\n"{A}\n{A}\n"{A}"'.encode(), "csv", target=target)
    assert ([line for line, _ in records.puzzles], records.rejects) == ([3, 4], [(2, 1, reason)])


def test_a_name_that_no_column_has() -> None:
    with pytest.raises(FormatError, match=r"1: .*expected a column 'sudoku', found 'id', 'position'"):
        read_all(f"id,position\n{A},{A}\n".encode(), "csv", Reading(column="sudoku"))


def test_csv_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"# a remark\n7;{A};x\n8;{A};y\n")
    records = read_all(path)
    assert records.puzzles == [(2, A), (3, A)]
    assert records.extra == [{"column1": "7", "column3": "x"}, {"column1": "8", "column3": "y"}]
    for name, row, rest in (
        ("in.txt", f'"{A}","{SOLUTION}"', {"column2": SOLUTION}),  # no texts of JSON
        ("in.tsv", f',{A},"a, b"', {"column3": "a, b"}),
    ):
        (tmp_path / name).write_text(f"{row}\n{row}\n")
        assert read_all(tmp_path / name).extra == [rest] * 2


def wide(count: int, size: int = 0) -> bytes:
    """Return a CSV file with this many columns beside the puzzle and a header of at least this size."""
    names = ",".join(["puzzle", *(f"c{k}" for k in range(count))])
    names += "x" * (size - len(names) - 1)
    values = [A, *map(str, range(count))]
    return f"{names}\n{','.join(values)}\n{','.join(values)}\n".encode()


@pytest.mark.parametrize("count", [1023, 1024])
def test_number_of_keys(tmp_path: Path, count: int) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.csv"
    path.write_text(json.dumps({"puzzle": A} | {f"c{k}": k for k in range(count)}) + "\n")
    assert unidoku.check_file(path).unique == 1  # reads the puzzle alone
    if count <= 1023:
        assert unidoku.check_file(path, output=out).unique == 1
        assert read_all(out).extra[0][f"c{count - 1}"] == str(count - 1)
        return
    with pytest.raises(FormatError, match="at most 1023 keys besides the puzzle's, found 1024") as caught:
        unidoku.check_file(path, output=out)
    assert (caught.value.file, caught.value.line) == (str(path), 1)


@pytest.mark.parametrize("size", [65_536, 65_537])
def test_size_of_a_header(tmp_path: Path, size: int) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_bytes(wide(20, size))
    assert path.read_bytes().index(b"\n") == size - 1
    if size <= 65_536:
        assert unidoku.check_file(path, output=out).unique == 2
        return
    with pytest.raises(FormatError, match="a header that ends within the first 65,536 bytes") as caught:
        unidoku.check_file(path, output=out)
    assert (caught.value.file, caught.value.line) == (str(path), 1)
    assert not out.exists()


COMMANDS = """
import re, sys
from contextlib import suppress
from unidoku._cli import main
output, *inputs = sys.argv[1:]
for path in inputs:
    sys.argv = ["unidoku", "check", path, "-o", output, "--threads", "2", "--quiet"]
    with suppress(SystemExit):
        main()
    # not getrusage, whose peak begins with the parent process
    print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize(
    ("suffix", "limit"),
    [
        pytest.param("txt", 38, marks=pytest.mark.slow),
        ("parquet", 42),
    ],  # in MiB: they are 28, for lines of check are a table, and 34
)
def test_memory_of_a_parquet_output(tmp_path: Path, suffix: str, limit: int) -> None:
    """Two batches wait, others are in progress; PyArrow's own allocator would hold more."""
    small, many, large = tmp_path / "small.txt", tmp_path / "many.txt", tmp_path / f"large.{suffix}"
    small.write_text(f"{A}\n")
    many.write_text(f"{A}\n" * 150_000)
    unidoku.check_file(many, large)
    environment = {name: value for name, value in os.environ.items() if name != "ARROW_DEFAULT_MEMORY_POOL"}
    command = [sys.executable, "-c", COMMANDS, tmp_path / "out.parquet", small, large]
    process = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    small_peak, large_peak = map(int, process.stdout.split())
    assert large_peak - small_peak < 1024 * limit


@pytest.mark.parametrize("line", ["a", '{"puzzle":"a"}'])
def test_a_batch_has_few_of_many_short_lines(line: str) -> None:
    """Each line that is not a puzzle takes some 600 bytes."""
    content = "\n".join([f"{A}", *[line] * 50_000, A])
    sizes, puzzles = list[int](), 0
    for batch in unidoku.read(io.BytesIO(content.encode())):
        sizes.append(len(batch.reasons))
        puzzles += len(batch.cells)
    assert (sum(sizes), puzzles) == (50_000, 2)
    assert max(sizes) < 40_000


def test_long_texts_are_not_remembered() -> None:
    """Records of JSON have up to 16 MiB, and some hundred would stay in memory."""
    asked = list[str]()
    function = remember_short(8)(asked.append)
    for text in ("a", "a", "b" * 5000, "b" * 5000):
        function(text)
    assert [*map(len, asked)] == [1, 5000, 5000]
