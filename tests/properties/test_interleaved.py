"""Right answers after any other calls, which use the same solvers, buffers and threads."""

import os
import subprocess
import sys
from pathlib import Path

import calls
import pytest
from forms import FORMS
from fuzzing import FACTOR, SEED

import unidoku


@pytest.mark.hypothesis  # .ci/fuzz runs it with more seeds
@pytest.mark.parametrize("isa", FORMS)
def test_random_sequences_of_calls(isa):
    """All public functions mixed at random, in one thread and in three, in a process of its own."""
    program = Path(calls.__file__)
    environment = {**os.environ, "UNIDOKU_ISA": isa, "PYTHONPATH": str(Path(unidoku.__file__).parents[1])}
    for seed in range(SEED + 1, SEED + FACTOR + 1):
        process = subprocess.run(
            [sys.executable, "-W", "error", program, str(seed), "500"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, f"{seed=}\n{process.stderr}"
