from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import Buffer

FORMS: dict[str, int]

def render(
    form: str,
    text: Buffer,
    starts: Buffer,
    lines: Buffer,
    counts: Buffer,
    verdicts: Buffer,
    complete: Buffer,
    solutions: Buffer,
    *,
    first: int = 0,
    last: int | None = None,
    width: int = 81,
    zero: int = 48,
    verdict_mask: int = 31,
    columns: Sequence[Any] = (),
    allocate: Callable[[int], Buffer] = ...,
) -> memoryview: ...
def candidates(text: Buffer, starts: Buffer, which: Sequence[int], *, zero: int = 48) -> bytes: ...
def tally(verdicts: Buffer, count: int) -> tuple[int, int, int, int]: ...
