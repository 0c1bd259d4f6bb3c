from collections.abc import Callable
from typing import Any, final

from unidoku._native import _Buffer
from unidoku._verdict import Verdict

def solve_cells(
    text: _Buffer,
    starts: _Buffer,
    *,
    zero: int = 48,
    limit: int = 2,
    budget: int = 0,
    counts: _Buffer,
    verdicts: _Buffer | None = None,
    complete: _Buffer | None = None,
    solutions: _Buffer | None = None,
    witnesses: _Buffer | None = None,
    guesses: _Buffer | None = None,
    rounds: _Buffer | None = None,
    stop: _Buffer | None = None,
    zero_out: int | None = None,
) -> bool: ...
def remove_clues(
    cells: _Buffer, order: _Buffer, units: _Buffer, fewest: int = 0, *, stop: _Buffer | None = None
) -> bool: ...
def quick_check(puzzle: object, /) -> Verdict | None: ...
def quick_check_many(
    puzzles: object,
    limit: object,
    threads: object,
    solutions: object,
    second_solutions: object,
    allocate: Callable[[int, bool, bool], tuple[Any, ...]],
) -> tuple[Any, ...] | None: ...
def quick_count(puzzle: object, limit: object, /) -> int | None: ...
def quick_solve(puzzle: object, grid: type, /) -> Any: ...

@final
class SolutionSearch:
    def __init__(
        self, text: _Buffer, *, zero: int = 48, budget: int = 0, masks: _Buffer | None = None
    ) -> None: ...
    @property
    def complete(self) -> bool: ...
    def chunk(self, size: int, *, stop: _Buffer | None = None) -> bytes: ...
