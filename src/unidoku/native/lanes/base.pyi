from collections.abc import Callable
from typing import TypeVar, final

from unidoku.native import _Buffer

_Function = TypeVar("_Function", bound=Callable[..., object])

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
def native_check(complete: _Function) -> _Function: ...
def native_check_many(
    allocate: Callable[[int, bool, bool], object],
    result_of: Callable[[object], object],
) -> Callable[[_Function], _Function]: ...
def native_count(complete: _Function) -> _Function: ...
def native_solve(grid: type) -> Callable[[_Function], _Function]: ...

@final
class SolutionSearch:
    def __init__(
        self, text: _Buffer, *, zero: int = 48, budget: int = 0, masks: _Buffer | None = None
    ) -> None: ...
    @property
    def complete(self) -> bool: ...
    def chunk(self, size: int, *, stop: _Buffer | None = None) -> bytes: ...
