"""Arrays that other libraries take without a copy."""

import numpy as np
import pytest

import unidoku
from unidoku.craft.generate import generate


def arrays(rows):
    """The arrays that the functions over many puzzles return, by name."""
    found = {
        "transform_many": unidoku.transform_many(rows, unidoku.Transformation.rotation(90)),
        "canonical_many": unidoku.canonical_many(rows),
        "minimize_many": unidoku.minimize_many(rows),
        "generate": unidoku.generate(len(rows)),
    }
    checked = unidoku.check_many(rows, second_solutions=True)
    for result in (checked, unidoku.verify_many(rows, checked.solution)):
        found |= {name: getattr(result, name) for name in result[0]._fields if name != "reason"}
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
