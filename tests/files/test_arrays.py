"""NumPy's files as outputs and inputs."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from command import run
from example_puzzles import UNIQUE as A
from packing import zip_of
from readback import rows_of

import unidoku
from unidoku.errors import FormatError, UnidokuError
from unidoku.tasks import Convert, HintTask, Rate

CELLS = np.array([[int(digit) for digit in A.replace(".", "0")]], np.uint8)


def test_generate_writes_arrays_for_training(tmp_path: Path) -> None:
    run("generate", "-n", "3", "--seed", "1", "-o", tmp_path / "x.npz", code=0)
    with np.load(tmp_path / "x.npz") as arrays:
        puzzles, solutions, er = (arrays[name] for name in ("puzzles", "solutions", "er"))
    assert (puzzles.dtype, puzzles.shape, solutions.shape) == (np.uint8, (3, 81), (3, 81))
    assert er.tolist() == unidoku.rate_many(puzzles).er.tolist()
    assert unidoku.solve_many(puzzles).solution.tolist() == solutions.tolist()


def test_rows_of_several_inputs_have_their_files(tmp_path: Path) -> None:
    inputs = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in inputs:
        path.write_text(f"{A}\n")
    run("solve", *inputs, "--to", "npz", "-o", tmp_path / "x.npz", code=0)
    with np.load(tmp_path / "x.npz") as arrays:
        assert arrays["files"].tolist() == [str(path) for path in inputs]


def test_lists_are_json_and_arrays_have_a_row_for_each_puzzle(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{A}\n")
    columns = ["placements", "eliminations", "candidates"]
    unidoku.run(HintTask(), tmp_path / "in.txt", tmp_path / "x.npz", columns=columns)
    placements = unidoku.steps(A)[0].placements
    with np.load(tmp_path / "x.npz") as arrays:
        assert json.loads(arrays["placements"][0]) == placements
        assert (arrays["eliminations"].tolist(), arrays["candidates"].shape) == (["[]"], (1, 81))


def test_an_array_that_is_not_asked_for_is_not_loaded(tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", puzzles=CELLS, id=[7], other=np.array([None]))  # objects are refused
    unidoku.run(Rate(), tmp_path / "in.npz", tmp_path / "out.csv", columns=["er", "id"])
    assert (tmp_path / "out.csv").read_text().splitlines()[1:] == ["1.2,7"]


def test_numbers_in_the_byte_order_of_another_machine(tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", puzzles=CELLS, id=np.array([7], ">i4"))
    unidoku.run(Convert(), tmp_path / "in.npz", tmp_path / "out.parquet")
    assert rows_of(tmp_path / "out.parquet")[0]["id"] == 7


@pytest.mark.parametrize("numbers", [[1, 2], [1.5, 2.0], [1.5, None]])
def test_several_numbers_beside_a_puzzle_are_a_list(tmp_path: Path, numbers: list[float | None]) -> None:
    np.savez(tmp_path / "in.npz", puzzles=CELLS, x=np.array([numbers], float if None in numbers else None))
    unidoku.run(Convert(), tmp_path / "in.npz", tmp_path / "out.jsonl")
    assert rows_of(tmp_path / "out.jsonl")[0]["x"] == numbers


def test_rows_of_wrong_cells_have_a_reason(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.concatenate([CELLS, CELLS + 9]))
    summary = unidoku.check_file(tmp_path / "in.npy")
    assert (summary.unique, summary.invalid, summary.rejects[0].line) == (1, 1, 2)


@pytest.mark.parametrize(
    "arrays", [{"puzzles": CELLS[:, :80]}, {"puzzles": CELLS, "id": [1, 2]}, {"x": [1], "y": [2]}]
)
def test_other_arrays_are_refused(tmp_path: Path, arrays: dict[str, object]) -> None:
    np.savez(tmp_path / "in.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match=r"expected|no puzzle in the columns"):
        unidoku.run(Convert(), tmp_path / "in.npz", tmp_path / "out.csv")


def test_an_archive_without_arrays_is_refused() -> None:
    content = io.BytesIO(zip_of({"puzzle": A}))
    with pytest.raises(FormatError, match=r"no puzzle in the columns none"):
        unidoku.check_file(content, format="npz")


def test_a_header_that_asks_for_too_much_is_an_error(tmp_path: Path) -> None:
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (100000000000000, 81), }"
    (tmp_path / "in.npy").write_bytes(b"\x93NUMPY\1\0\x76\0" + header.ljust(117).encode() + b"\n")
    with pytest.raises(UnidokuError, match=r"in\.npy: "):
        unidoku.check_file(tmp_path / "in.npy")


def test_a_damaged_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", puzzles=np.repeat(CELLS, 99, axis=0))
    content = (tmp_path / "in.npz").read_bytes()
    for damaged in (content[:500], content[:200] + b"!!" + content[202:], b"\x93NUMPY\1\0"):
        (tmp_path / "in.npz").write_bytes(damaged)
        with pytest.raises(UnidokuError, match=r"in\.npz"):
            unidoku.check_file(tmp_path / "in.npz")


def test_the_first_bytes_of_an_npz_are_judged_before_the_rest_is_read() -> None:
    class Zeros(io.BytesIO):
        count = 0

        def readinto(self, view: object) -> int:
            self.count += 1
            return memoryview(view).nbytes if self.count < 1000 else 0  # type: ignore[arg-type]

    file = Zeros()
    with pytest.raises(FormatError, match="expected arrays of NumPy, found other content"):
        unidoku.check_file(file, format="npz")
    assert file.count < 10
