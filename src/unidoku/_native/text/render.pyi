from collections.abc import Callable, Sequence

from unidoku._native import _Buffer

FORMS: dict[str, int]
KINDS: dict[str, int]

def render(
    form: str,
    n: int,
    columns: Sequence[tuple[str, tuple[object, ...]]],
    *,
    optional: int = 0,
    allocate: Callable[[int], _Buffer] = ...,
) -> memoryview[int]: ...
def tally(verdicts: _Buffer, count: int) -> tuple[int, int, int, int]: ...
