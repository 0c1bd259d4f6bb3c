from collections.abc import Callable, Collection, Sequence
from typing import Any

from typing_extensions import Buffer

FORMS: dict[str, int]
KINDS: dict[str, int]

def render(
    form: str,
    n: int,
    columns: Sequence[tuple[Any, ...]],
    *,
    rejected: tuple[Buffer, Sequence[tuple[Any, ...]]] | None = None,
    mask: Buffer | None = None,
    allocate: Callable[[int], Any] = ...,
) -> memoryview[int]: ...
def candidates(text: Buffer, starts: Buffer, marked: Collection[int], *, zero: int = 48) -> bytes: ...
def tally(verdicts: Buffer, count: int) -> tuple[int, int, int, int]: ...
