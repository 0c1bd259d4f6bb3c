from typing import Any

def solve_cells(
    text: Any,
    starts: Any,
    *,
    zero: int = 48,
    limit: int = 2,
    budget: int = 0,
    counts: Any,
    verdicts: Any = None,
    solutions: Any = None,
    witnesses: Any = None,
    guesses: Any = None,
    stop: Any = None,
) -> bool: ...
def solve_masks(
    masks: Any,
    *,
    zero: int = 48,
    limit: int = 2,
    budget: int = 0,
    counts: Any,
    verdicts: Any = None,
    solutions: Any = None,
    witnesses: Any = None,
    guesses: Any = None,
    stop: Any = None,
) -> bool: ...

class Search:
    def __init__(self, text: Any, *, zero: int = 48) -> None: ...
    def chunk(self, size: int) -> bytes: ...
