"""All solutions as labels, and arrays that other libraries take without a copy."""

import numpy as np
import pytest

import unidoku
from unidoku import solutions_many
from unidoku.craft.generate import generate


@pytest.fixture(scope="module")
def puzzles():
    """Proper puzzles, without two or four of their clues, and one that has no solution."""
    rows = np.repeat(generate(40, seed=3), 3, axis=0)
    for k, row in enumerate(rows):
        row[np.flatnonzero(row)[: 2 * (k % 3)]] = 0
    clash = np.zeros((1, 81), np.uint8)
    clash[0, :2] = 5
    return np.concatenate([rows, clash])


@pytest.mark.parametrize("most", [1, 2, 3, 50, 5000])
def test_as_the_iterator(puzzles, most):
    result = solutions_many(puzzles, limit=most)
    assert len(result) == len(puzzles)
    assert result.offsets[0] == 0
    assert result.offsets[-1] == len(result.solutions)
    for k, row in enumerate(puzzles):
        every = []
        for grid in unidoku.solutions(row):
            every.append(grid.cells)
            if len(every) > most:
                break
        assert [bytes(found) for found in result[k]] == every[:most]
        assert result.complete[k] == (len(every) <= most)
    assert len(result[-1]) == 0
    with pytest.raises(IndexError):
        result[len(puzzles)]


def test_threads_and_forms(puzzles):
    many = np.tile(puzzles, (150, 1))
    assert solutions_many(many, limit=4, threads=1) == solutions_many(many, limit=4, threads=2)
    assert solutions_many(unidoku.lines(puzzles), limit=4) == solutions_many(puzzles, limit=4)
    assert len(solutions_many([])) == 0


def test_errors():
    for most in (None, 1 << 24):
        with pytest.raises(ValueError, match="limit"):
            solutions_many(["." * 81], limit=most)


def arrays(rows):
    """The arrays that the functions over many puzzles return, by name."""
    found = {
        "transform_many": unidoku.transform_many(rows, unidoku.Transformation.rotation(90)),
        "canonical_many": unidoku.canonical_many(rows),
        "minimize_many": unidoku.minimize_many(rows),
        "generate": unidoku.generate(len(rows)),
    }
    checked = unidoku.check_many(rows, witnesses=True)
    for result in (checked, unidoku.verify_many(rows, checked.solutions), solutions_many(rows, limit=3)):
        names = [name for name in result.__slots__ if name != "reasons"]
        found |= {f"{type(result).__name__}.{name}": getattr(result, name) for name in names}
    return found


@pytest.mark.parametrize("count", [1, 10, 5000])  # compiled calls, and slices for threads
def test_arrays_are_exported_without_a_copy(count):
    rows = np.tile(generate(10, seed=1), (-(-count // 10), 1))[:count]
    for name, array in arrays(rows).items():
        assert array.flags.c_contiguous, name
        assert array.flags.writeable, name
        taken = np.from_dlpack(array)
        assert np.shares_memory(taken, array), name
        assert (taken.dtype, taken.shape) == (array.dtype, array.shape)


def test_torch_imports_arrays_without_a_copy():
    torch = pytest.importorskip("torch")
    for name, array in arrays(generate(10, seed=1)).items():
        tensor = torch.from_dlpack(array)
        assert tensor.data_ptr() == array.ctypes.data, name
        assert tensor.is_contiguous(), name


@pytest.mark.parametrize("bad", [1, 2048, 3000])
def test_slices_without_a_puzzle(bad, puzzles):
    """Rows that are not puzzles have no solutions, even if a slice has only such rows."""
    good = ["".join(map(str, row)) for row in puzzles[:2]]
    found = solutions_many([*good, *["!" + good[0][1:]] * bad, good[0]], errors="invalid", limit=4)
    counts = np.diff(found.offsets)
    assert not counts[2:-1].any()
    assert len(found.reasons) == bad
    assert counts[-1] == counts[0] > 0
