"""What ``check`` writes, ``check`` reads: every format and compression, files and folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_puzzles import UNIQUE as A

import unidoku
from unidoku.files.formats import COMPRESSIONS, FORMATS

LINES = [A, "." * 81, "# remark", "11" + A[2:], A.replace(".", "?"), "no puzzle", A]

NAMES = [
    f"out{suffix}" for row in FORMATS.values() if row.rows for suffix in row.suffixes if suffix != ".sdm"
]
NAMES += [f"out{suffix}{end}" for suffix in (".txt", ".csv", ".jsonl") for end in COMPRESSIONS]
NAMES += ["out.zstd.parquet", "folder.parquet/"]


@pytest.mark.parametrize("name", NAMES)
def test_check_reads_what_check_wrote(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    source = tmp_path / "in.txt"
    source.write_text("\n".join(LINES * 20) + "\n")
    first = unidoku.check_file(source, output=str(tmp_path / name), part_bytes=2000)
    out = tmp_path / name
    if out.is_dir():
        assert (
            sum(
                1
                for part in out.iterdir()
                if part.name.startswith("part-") and part.suffix in {".parquet", ".pq"}
            )
            > 1
        )
    again = unidoku.check_file(out)
    counts = (first.puzzles, first.unique, first.multiple, first.none, first.invalid)
    assert counts == (120, 60, 20, 20, 20)
    assert (again.unique, again.multiple, again.none) == counts[1:4]
    # a line without a puzzle has a row in tables and none in text
    assert again.invalid in {0, 20}
    # and what a check wrote of that, a conversion reads
    back = unidoku.convert_file(out, tmp_path / "back.txt")
    assert back.written == 100
    assert (tmp_path / "back.txt").read_text().split()[:2] == [A, "." * 81]
