from collections.abc import Sequence
from typing import Any

from typing_extensions import Buffer

REJECT_NULL: int
REJECT_LENGTH: int
REJECT_CELL: int
REJECT_MARK: int
REJECT_MIXED: int
REJECT_AFTER: int
REJECT_FIELDS: int
REJECT_LONG: int
REJECT_UNCLOSED: int

def scan_strings(
    texts: Sequence[Buffer],
    places: Buffer,
    size: int,
    first: int,
    count: int,
    validity: Buffer,
    starts: Any,
    rows: Any,
) -> tuple[int, int, int, list[int], list[tuple[int, int, int, int]]]: ...
def agree(
    text: Buffer,
    begins: Any,
    ends: Any,
    verdicts: Any,
    counts: Any,
    complete: Any,
    outcomes: Buffer,
    limit: int = 0,
) -> None: ...
def gather(text: Buffer, starts: Any, rows: Any, zero: int = 48, lines: bool = False) -> None: ...
def first_bad(text: Any, starts: Any, zero: int = 48) -> int: ...
