"""Duplicates found by an index on disk: the same as in memory, exact, without traces."""

import gzip
import tempfile

import numpy as np
import pytest
from command import run

import unidoku
from unidoku import dedupe_file
from unidoku.errors import InputError, InvalidPuzzleError
from unidoku.pipeline.distinct import DiskIndex

GRIDS = [unidoku.Grid(row).line for row in unidoku.generate(400, 21)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for temporary files, which must be empty at the end."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield tmp_path
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("waiting", [1, 1 << 16])  # every piece to its file; all pieces in memory
def test_the_first_of_equal_rows(folder, waiting):
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 10, (3000, 81), np.uint8)
    rows = rows[rng.integers(0, 3000, 7001)]
    rows[::7, 80] ^= 1  # pairs that differ in the last cell only
    with DiskIndex(waiting) as index:
        for begin in range(0, len(rows), 1234):
            index.add(rows[begin : begin + 1234])
        assert index.count == 7001
        bits = np.unpackbits(index.first(), bitorder="little")[:7001]
    _, first = np.unique(rows, axis=0, return_index=True)
    assert np.flatnonzero(bits).tolist() == sorted(first.tolist())


def test_an_empty_index(folder):
    with DiskIndex() as index:
        assert index.first().size == 0


@pytest.mark.parametrize("symmetry", [False, True])
def test_files_are_deduplicated_as_in_memory(folder, symmetry):
    rng = np.random.default_rng(6)
    chosen = [GRIDS[k] for k in rng.integers(0, 400, 3000)]
    moved = unidoku.transform_many(chosen, rng.integers(0, 1_218_998_108_160, 3000))
    lines = [
        *chosen,
        *(unidoku.Grid(row).line for row in moved),
        "11" + "." * 79,
        *chosen[:5],
        "11" + "." * 79,
    ]
    rows = [f"{k},{line}" for k, line in enumerate(lines)]
    rows.insert(50, "x,no puzzle")
    (folder / "a.csv").write_text("\n".join(["id,puzzle", *rows]) + "\n")
    again = f"puzzle,id\n{GRIDS[0].replace('.', '0')},z\n"
    (folder / "b.csv.gz").write_bytes(gzip.compress(again.encode()))
    inputs = [folder / "a.csv", folder / "b.csv.gz"]
    one = dedupe_file(inputs, folder / "one.csv", symmetry=symmetry)
    other = dedupe_file(inputs, folder / "other.csv", symmetry=symmetry, on_disk=True)
    assert (folder / "other.csv").read_bytes() == (folder / "one.csv").read_bytes()
    assert (other.puzzles, other.duplicates, other.invalid) == (one.puzzles, one.duplicates, one.invalid)
    assert other.memory < one.memory
    if symmetry:
        assert other.puzzles <= 401


def test_the_command(folder):
    (folder / "in.txt").write_text("\n".join([*GRIDS[:9], *GRIDS[3:12]]) + "\n")
    done = run("dedupe", folder / "in.txt", "-o", folder / "out.txt", "--on-disk", code=0)
    assert done.stderr == "12 puzzles, 6 duplicates, 0 invalid\n"
    assert (folder / "out.txt").read_text().split() == GRIDS[:12]
    done = run("dedupe", "-", "--to", "txt", "--on-disk", stdin=GRIDS[0], code=2)
    assert "can be read twice" in done.stderr


def test_what_cannot_be_indexed(folder):
    (folder / "in.txt").write_text(f"{GRIDS[0]}\n{'123456789' * 81}\n")
    with pytest.raises(InvalidPuzzleError, match=r"in\.txt:2: an index on disk needs puzzles of 81 cells"):
        dedupe_file(folder / "in.txt", folder / "out.txt", on_disk=True)
    with (folder / "in.txt").open("rb") as file, pytest.raises(InputError, match="read twice"):
        dedupe_file(file, folder / "out.txt", on_disk=True)
    assert not (folder / "out.txt").exists()


def test_a_damaged_input_keeps_what_comes_before(folder):
    data = gzip.compress("\n".join([*GRIDS, *GRIDS] * 40).encode(), 1)
    (folder / "in.txt.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"in\.txt\.gz"):
        dedupe_file(folder / "in.txt.gz", folder / "out.txt", on_disk=True)
    assert (folder / "out.txt").read_text().split() == GRIDS
