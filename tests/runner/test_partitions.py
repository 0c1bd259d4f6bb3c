"""Large inputs that are divided: the rows and counts of workers are those of one machine."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from readback import rows_of

import unidoku
from unidoku import check_file
from unidoku.craft._generate import generate
from unidoku.runner import _parts as parts
from unidoku.tasks._check import Check

pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs PyArrow")
from pyarrow import parquet  # noqa: E402

LINES = unidoku.lines(generate(200, seed=9))
COUNTS = ("puzzles", "invalid", "unique", "multiple", "none", "failed", "written")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make parts of 4,100 bytes of input, or 50 records."""
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    monkeypatch.setattr(parts, "MEGABYTE", 4100 // 64 + 1)
    monkeypatch.setattr(Check, "batch_size", 16)
    monkeypatch.setattr("unidoku.runner._cluster.PATIENCE", 300.0)


def lines(folder: Path) -> Path:
    """Write lines with comments, blank lines and invalid records."""
    path = folder / "lines.txt"
    text = "".join(
        f"{line}\n" + "# comment\n" * (k % 30 == 0) + "bad\n\n" * (k % 41 == 0)
        for k, line in enumerate(LINES)
    )
    path.write_text(text)
    return path


def lines_with_cr_lf(folder: Path) -> Path:
    path = folder / "dos.txt"
    path.write_bytes(b"\xef\xbb\xbf" + "".join(f"{line} {k}\r\n" for k, line in enumerate(LINES)).encode())
    return path


def csv(folder: Path) -> Path:
    """Write a CSV with a title, and fields in quotes with separators and quotes."""
    path = folder / "table.csv"
    rows = "".join(f'{k},"a ""{k}"", b",{line}\n' for k, line in enumerate(LINES))
    path.write_text(f"# title\n\nid,name,puzzle\n{rows}")
    return path


def json_lines(folder: Path) -> Path:
    """Write objects; the later ones have one more member."""
    path = folder / "records.jsonl"
    rows = ({"id": k, "puzzle": line, **({"late": k} if k > 300 else {})} for k, line in enumerate(LINES))
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def table(folder: Path) -> Path:
    path = folder / "table.parquet"
    columns = {"id": range(len(LINES)), "puzzle": LINES}
    parquet.write_table(pyarrow.table(columns), path, row_group_size=40, compression="none")
    return path


def rows_in(folder: Path, to: str) -> list[dict[str, Any]]:
    """Return the rows of all parts, in the order of their names."""
    return [row for part in sorted(folder.glob(f"part-*.{to}")) for row in rows_of(part)]


def test_rows_and_counts_of_workers_are_those_of_one_machine(tmp_path):
    """What cannot be divided is read as a whole, with a note."""
    divided = [write(tmp_path) for write in (lines, lines_with_cr_lf, csv, json_lines, table)]
    quoted, compressed = tmp_path / "quoted.csv", tmp_path / "lines.txt.gz"
    quoted.write_text("id,puzzle,name\n" + "".join(f'{k},{line},"a\n{k}"\n' for k, line in enumerate(LINES)))
    compressed.write_bytes(gzip.compress(divided[0].read_bytes()))
    document = tmp_path / "document.json"
    document.write_text(json.dumps([{"puzzle": line} for line in LINES]))
    whole = [quoted, compressed, document]
    inputs = divided + whole
    here = check_file(inputs, f"{tmp_path}/here/", to="jsonl")
    there = check_file(inputs, f"{tmp_path}/there/", to="jsonl", cluster="local:1")
    assert rows_in(tmp_path / "there", "jsonl") == rows_in(tmp_path / "here", "jsonl")
    for one, other in zip([here, *here.files], [there, *there.files], strict=True):
        assert [getattr(one, name) for name in COUNTS] == [getattr(other, name) for name in COUNTS]
    assert [tally.file for tally in there.files] == [str(path) for path in inputs]
    plan = json.loads((tmp_path / "there" / parts.PLAN).read_text())
    assert {*plan["partitions"]} == {*map(str, range(len(divided)))}
    assert all(len(found) > 2 for found in plan["partitions"].values())
    assert [note.file for note in there.notes] == [str(path) for path in whole]
    assert all("unidoku split" in str(note) for note in there.notes)


def test_a_divided_input_that_is_renamed_or_gone_keeps_its_partitions(tmp_path):
    """Also without a cluster, if some parts have to be made again, and next to an input that is new."""
    inbox, folder = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    path = lines(inbox)
    whole = check_file(inbox, f"{folder}/", to="csv", columns=["line", "verdict"], cluster="local:1")
    before = {part.name: part.read_bytes() for part in folder.glob("part-*.csv")}
    assert len(before) > 3
    path = path.rename(inbox / "renamed.txt")
    for name in [*before][1::3]:
        (folder / name).unlink()
    (inbox / "new.csv").write_text(f"puzzle\n{LINES[0]}\n")
    options = {"to": "csv", "columns": ["line", "verdict"], "resume": True}
    again = check_file(inbox, f"{folder}/", **options)
    assert (again.puzzles, again.unique, again.invalid) == (whole.puzzles + 1, len(LINES) + 1, whole.invalid)
    assert [file.puzzles for file in again.files] == [whole.puzzles, 1]
    assert 0 < again.earlier < whole.puzzles
    path.unlink()
    gone = check_file(inbox, f"{folder}/", **options)
    assert (gone.puzzles, gone.unique, gone.earlier) == (again.puzzles, again.unique, again.puzzles)
    assert [note.file for note in gone.notes] == [str(path)]
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_a_stop_while_lines_are_counted_writes_nothing(tmp_path):
    cancel = unidoku.Cancel()
    cancel.set()
    summary = check_file(lines(tmp_path), f"{tmp_path}/out/", to="csv", cluster="local:1", cancel=cancel)
    assert not summary.is_finished
    assert not (tmp_path / "out").exists()
