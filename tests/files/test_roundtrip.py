"""Puzzles written and read back in every format."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from command import run
from example_puzzles import SOLUTION as SA, UNIQUE as A
from fuzzing import examples
from hypothesis import given, strategies as st
from readback import read_all

import unidoku
from unidoku.errors import FormatError
from unidoku.tasks import Convert

PUZZLE = st.text("123456789" + "." * 20, min_size=81, max_size=81)


@pytest.mark.parametrize(
    "suffix", [".txt", ".sdm", ".csv", ".jsonl", ".sdk", ".ss", ".opensudoku", ".parquet", ".arrow"]
)
@given(puzzles=st.lists(PUZZLE, min_size=1, max_size=5))
@examples(8)
def test_puzzles(suffix: str, puzzles: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "in.txt", Path(folder) / f"out{suffix}"
        source.write_text("\n".join(puzzles))
        assert unidoku.run(Convert(), source, output).written == len(puzzles)
        records = read_all(output)
        assert [cells.replace("0", ".") for _, cells in records.puzzles] == puzzles
        assert records.rejects == []


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet", ".arrow"])
@pytest.mark.parametrize(
    "names", [["puzzle "], [" id", "id"], ["id", "ID", "id_2", "id "], ["a\nb", "#a", 'a"b,']]
)
def test_names_that_differ_in_blanks_only(suffix: str, names: list[str], tmp_path: Path) -> None:
    source, output, copy = tmp_path / "in.jsonl", tmp_path / f"out{suffix}", tmp_path / "back.jsonl"
    record = {"puzzle": A} | {name: f"value {k}" for k, name in enumerate(names)}
    source.write_text(json.dumps(record))
    unidoku.run(Convert(), source, output)
    unidoku.run(Convert(), output, copy)
    assert json.loads(copy.read_text()) == record


def test_puzzles_that_a_format_cannot_hold(tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text(f"{A}\n{SA}\n")
    with pytest.raises(FormatError, match=r"in\.txt:2: in \.ss this puzzle would be read as the state"):
        unidoku.run(Convert(), source, tmp_path / "out.ss")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_unique_keeps_the_first_record(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "in.csv").write_text(f"id,puzzle\n1,{A}\n2,{SA}\n3,{A}\n4,bad\n5,{'.' * 81}\n")
    unidoku.run(Convert(), tmp_path / "in.csv", tmp_path / f"in{suffix}") if suffix != ".csv" else None
    summary = unidoku.run(Convert(unique="text"), tmp_path / f"in{suffix}", tmp_path / f"out{suffix}")
    assert summary.duplicates == 1
    assert [extra["id"] for extra in read_all(tmp_path / f"out{suffix}").extra] == ["1", "2", "5"]


def test_unique_needs_no_value(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{A}\n{A}\n{A[::-1]}\n")
    for words, count in (
        (["--unique", "in.txt"], 2),
        (["in.txt", "--unique"], 2),
        (["--unique", "-q", "in.txt"], 2),
        (["--unique", "text", "in.txt"], 2),
        (["--unique", "Canonical", "in.txt"], 1),
        (["--unique=canonical", "in.txt"], 1),
    ):
        assert len(run("convert", *words, cwd=tmp_path, code=0).stdout.split()) == count


def test_unique_of_many(tmp_path: Path) -> None:
    """More puzzles than the set's first allocation holds, in several chunks."""
    tail = A[6:]
    rows = [f"{number:06d}{tail}" for number in range(40_000)] * 2
    (tmp_path / "in.txt").write_text("\n".join(rows))
    result = run("convert", "--unique", tmp_path / "in.txt", "-o", tmp_path / "out.txt", code=0)
    assert "40,000 puzzles, 40,000 duplicates" in result.stderr
    assert (tmp_path / "out.txt").read_text().split() == [r.replace("0", ".") for r in rows[:40_000]]
