"""Right answers after any other calls, which use the same solvers, buffers and threads."""

import os
import subprocess
import sys
from pathlib import Path

import calls
import pytest
from forms import FORMS
from fuzzing import FACTOR, SEED
from judging import SHARED, pool, text_of

import unidoku
from unidoku import kernel


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


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_hard_puzzle_after_another(isa, limit):
    """Several lanes of one solver search each puzzle; the next puzzle uses the same solver."""
    puzzles = [puzzle for puzzle in pool(0, 24) if puzzle.line in SHARED]
    for puzzle in [*puzzles, *reversed(puzzles), *puzzles]:
        counts, grids = bytearray(8), (bytearray(81), bytearray(81))
        verdict = bytearray(1)
        assert kernel.form(isa).solve_cells(
            puzzle.line.encode(),
            bytes(8),
            limit=limit,
            counts=counts,
            verdicts=verdict,
            solutions=grids[0],
            witnesses=grids[1],
        )
        texts = {place: text_of(bytes(cells)) for place, cells in enumerate(grids)}
        puzzle.judge(limit, int.from_bytes(counts, sys.byteorder), verdict[0], True, texts)
