"""The table of formats: every output can be read again; bad names are errors before the run."""

import io
import json
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from example_puzzles import UNIQUE as A
from readback import read_all

import unidoku
from unidoku._table.batch import PuzzleRecord, Reject
from unidoku.errors import MissingExtraError
from unidoku.files._chunks import Reader
from unidoku.files._formats import FORMATS, format_named
from unidoku.files._grids import GridReader
from unidoku.tasks import Check, Convert

B = A[::-1]
PUZZLE_SUFFIXES = [suffix for row in FORMATS.values() for suffix in row.suffixes if row.write]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{A}\n{B}\n{A}\n")
    return path


@pytest.mark.parametrize("suffix", PUZZLE_SUFFIXES)
def test_an_output_of_many_batches_is_an_input(tmp_path, monkeypatch, suffix):
    """What stands at the beginning or between puzzles is not repeated, nor is it missing."""
    monkeypatch.setattr(Convert, "batch_size", 64)
    sample, source, output = (
        files("unidoku") / "data/sample.txt",
        tmp_path / "in.txt",
        tmp_path / f"out{suffix}",
    )
    puzzles = [line[:81] for line in sample.read_text().splitlines()[2:602]]
    source.write_text("".join(f"{puzzle}\n" for puzzle in puzzles))
    assert unidoku.run(Convert(), source, output, threads=2).written == len(puzzles)
    records = read_all(output)
    assert records.rejects == []
    assert [cells.replace("0", ".") for _, cells in records.puzzles] == puzzles


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow"])
def test_a_missing_library_is_found_before_anything_is_created(tmp_path, source, name, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for task in (Convert(), Convert(unique="text"), Check()):
        with pytest.raises(MissingExtraError, match=r"out\..*PyArrow; run pip install "):
            unidoku.run(task, source, tmp_path / name)
    with pytest.raises(MissingExtraError, match=r"PyArrow .or write another format.*; run pip"):
        unidoku.run(Check(), source, f"{tmp_path}/parts/")
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


@pytest.mark.parametrize("to", ["csv", "tsv", "ndjson", "parquet", "arrow", "arrows", "txt"])
@pytest.mark.parametrize("name", ["out/", "out.txt"])
def test_the_format_can_be_named(tmp_path, source, name, to):
    output = f"{tmp_path}/{name}"
    unidoku.check_file(source, output=output, to=to)
    name = format_named(to)[0].name
    assert unidoku.check_file(output, format=name).unique == 3
    assert unidoku.run(Convert(), source, tmp_path / "again", to=to).written == 3
    assert unidoku.check_file(tmp_path / "again", format=name).unique == 3


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.arrows"])
def test_the_schema_has_the_options(tmp_path, source, name):
    from pyarrow import ipc, parquet

    output = tmp_path / name
    unidoku.check_file(source, output=output, limit=7, only=["unique"])
    if name == "out.parquet":
        schema = parquet.read_schema(output)
    else:
        schema = (ipc.open_stream if name == "out.arrows" else ipc.open_file)(output.read_bytes()).schema
    about = json.loads(schema.metadata[b"unidoku"])
    assert about["version"] == unidoku.__version__
    assert (about["options"]["limit"], about["options"]["only"]) == (7, ["unique"])


def test_the_list_of_formats(tmp_path):
    """What it says can be written is written and read again, what cannot is refused."""
    for form in unidoku.formats():
        for suffix in form["suffixes"]:
            for kind, task in (("puzzles", Convert()), ("rows", Check())):
                path = tmp_path / f"{kind}{suffix}"
                if kind in form["writes"] and (kind, suffix) != ("rows", ".sdm"):
                    unidoku.run(task, io.BytesIO(A.encode()), path)
                    assert [len(batch.cells) for batch in unidoku.read(path)] == [1]
                else:
                    with pytest.raises(unidoku.UnidokuError):
                        unidoku.run(task, io.BytesIO(A.encode()), path)
    assert {form["name"] for form in unidoku.formats() if not form["suffixes"]} == {"grid"}
    assert all(form["reads"] for form in unidoku.formats())


def test_the_documentation_has_the_same_table():
    page = Path(__file__).parents[2] / "docs/inputs.md"
    section = page.read_text(encoding="utf-8").partition("\n## Formats\n")[2].partition("\n## ")[0]
    table = []
    for row in re.findall(r"^\| `.*\|$", section, re.MULTILINE):
        name, suffixes, _, written = (cell.strip() for cell in row.strip("|").split("|"))
        writes = [word for word in written.partition(";")[0].split(", ") if word]
        table.append((name.strip("`"), re.findall(r"`(\.\w+)`", suffixes), writes))
    assert table == [(form["name"], form["suffixes"], form["writes"]) for form in unidoku.formats()]


def test_utf16_has_the_order_that_its_mark_says():
    for encoding in ("utf-16-le", "utf-16-be"):
        assert read_all(f"\ufeff{A}\n{B}\n".encode(encoding)).puzzles == [(1, A), (2, B)]


def test_what_came_with_a_puzzle_is_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that writes `records` needs nothing else; names that come late are no columns of a table."""

    def records(self: Reader) -> Iterator[PuzzleRecord | Reject]:
        yield PuzzleRecord(1, A, {"id": 7})
        yield Reject(2, None, b"x", "no puzzle", {"id": 8, "note": "y"})

    monkeypatch.setattr(GridReader, "records", records)
    [batch] = unidoku.read(io.BytesIO(b"x"), format="grid")
    assert (batch.columns, batch.reasons) == ({"id": [7], "note": [None]}, {2: "no puzzle"})
