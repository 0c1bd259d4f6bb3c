"""Our kernel, one form of it: arrays in, verdicts and first solutions out, one thread."""

from __future__ import annotations

import numpy as np

from peers import Absent, Solver, Work
from unidoku import IsaError, kernel


def load(isa: str) -> Solver:
    try:
        native = kernel.isa_module(isa)
    except IsaError as error:
        raise Absent(str(error)) from None

    def prepare(lines: list[str], limit: int = 2) -> Work:
        text = "".join(lines).encode()
        n = len(lines)
        starts = np.arange(0, 81 * n, 81, dtype=np.int64)
        counts, guesses = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
        verdicts, solutions = np.zeros(n, np.uint8), np.zeros(81 * n, np.uint8)

        def run() -> None:
            native.solve_cells(
                text, starts, limit=limit, counts=counts, verdicts=verdicts, solutions=solutions
            )

        def answers() -> list[str]:
            whole = solutions.tobytes().decode()
            return [whole[81 * k : 81 * k + 81] for k in range(n)]

        def number_of_guesses() -> int:
            native.solve_cells(text, starts, counts=counts, guesses=guesses)
            return int(guesses.sum())

        return Work(run, answers, number_of_guesses)

    return Solver(f"kernel {isa}", prepare)
