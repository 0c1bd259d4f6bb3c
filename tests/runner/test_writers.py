"""Output files read back: forms, compression, invalid lines in their place."""

import io
import sys
from typing import ClassVar

import numpy as np
import pytest
from example_puzzles import NONE, UNIQUE, sample, spread
from packing import UNPACK
from readback import decompress, rows_of

import unidoku
from unidoku import check_file, run
from unidoku._columns import ColumnSpec
from unidoku._task import ResultBatch, Task

ODD = 'say "hé", \\ \x01\ttab'
TEXT = f"# top\n{UNIQUE}\n\n{ODD}\n{NONE},x\n{UNIQUE.replace('.', '0')} 1.5\n".encode()


def output(tmp_path, name, text=TEXT, **options):
    path = tmp_path / name
    check_file(io.BytesIO(text), output=path, empty=not text, **options)
    return path.read_bytes()


@pytest.mark.parametrize("packing", ["", ".GZ", *UNPACK])
@pytest.mark.parametrize(
    ("form", "empty"), [("txt", ""), ("jsonl", ""), ("csv", "line,puzzle,verdict,count,")]
)
def test_compressed_outputs_hold_the_same(tmp_path, packing, form, empty):
    path = tmp_path / f"o.{form}{packing}"
    output(tmp_path, path.name)
    assert decompress(path) == output(tmp_path, f"p.{form}")
    content = output(tmp_path, path.name, b"")
    text = decompress(path).decode() if content else ""
    assert text.startswith(empty)
    assert text.count("\n") == bool(empty)


@pytest.mark.parametrize("name", ["o.parquet", "o.arrow"])
def test_rows_that_wait_for_others_keep_their_solutions(tmp_path, name):
    """Each file is a batch; a batch does not reuse the buffers of unwritten ones."""
    puzzles = [puzzle for puzzle, _ in spread(sample(), 24)]
    check_file([io.BytesIO(puzzle.encode()) for puzzle in puzzles], output=tmp_path / name, threads=1)
    rows = [
        (row["puzzle"], row["verdict"], row["count"], row["solution"]) for row in rows_of(tmp_path / name)
    ]
    answers = map(unidoku.examine, puzzles)
    assert rows == [
        (puzzle, a.verdict, a.count, a.solution) for puzzle, a in zip(puzzles, answers, strict=True)
    ]


def test_compressed_output_is_the_same_on_every_run(tmp_path):
    text = "".join(f"{UNIQUE} {i}\n" for i in range(30_000)).encode()
    for packing in (".gz", ".zst"):
        contents = {output(tmp_path, f"o.txt{packing}", text, threads=threads) for threads in (1, 2, 3, 3)}
        assert len(contents) == 1


def test_writes_that_take_only_a_part(tmp_path, monkeypatch):
    class Slow(io.RawIOBase):
        content = b""

        def writable(self):
            return True

        def write(self, view):
            self.content += bytes(view[:10])
            return min(10, len(view))

    slow = Slow()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(slow))
    check_file(io.BytesIO(TEXT), output="-")
    assert slow.content == output(tmp_path, "p.txt")


class AllButFirst(Task):
    """Write the puzzles of a batch without the first one."""

    columns: ClassVar[dict[str, ColumnSpec]] = {"puzzle": ColumnSpec("cells", "the puzzle")}

    def work(self, batch, work, cancel):
        """Leave out the first puzzle."""
        yield ResultBatch(batch, {"puzzle": batch.cells[1:]}, np.arange(1, len(batch)))


def test_puzzles_that_are_left_out_beside_records_that_are_none(tmp_path):
    run(AllButFirst(), io.BytesIO(f"{UNIQUE}\nnonsense\n{NONE}\n".encode()), tmp_path / "o.csv")
    assert [row["puzzle"] for row in rows_of(tmp_path / "o.csv")] == ["nonsense", NONE]


def test_a_puzzle_without_results_has_no_text_of_another_record(tmp_path):
    lines = [f"{NONE[:40]}{k:02}{NONE[42:]}" if k % 2 else f"no puzzle {k}" for k in range(10, 40)]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle", *lines, ""]))
    unidoku.run(unidoku.tasks.Neighbours(1, 0), tmp_path / "in.csv", tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert [row["puzzle"] for row in rows] == ["" if k % 2 else f"no puzzle {k}" for k in range(10, 40)]
    assert all("both hold" in row["reason"] for row in rows[1::2])
