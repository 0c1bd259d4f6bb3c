from typing import Any

from unidoku._native import _Buffer

REJECT_NULL: int
REJECT_LENGTH: int
REJECT_CELL: int
REJECT_AFTER: int
REJECT_FIELDS: int
REJECT_LONG: int
REJECT_UNCLOSED: int

MISSING: int
TEXT: int
JSON: int
ABSENT: int
AT_LEAST: int

def scan_strings(
    text: _Buffer,
    places: _Buffer,
    size: int,
    first: int,
    count: int,
    validity: _Buffer,
    starts: _Buffer,
    rows: _Buffer,
) -> tuple[int, list[tuple[int, int, int, int]]]: ...
def agree(
    text: _Buffer,
    begins: _Buffer,
    ends: _Buffer,
    verdicts: _Buffer,
    counts: _Buffer,
    complete: _Buffer,
    outcomes: _Buffer,
    limit: int = 0,
) -> None: ...
def gather(text: _Buffer, starts: _Buffer, rows: _Buffer, zero: int = 48) -> None: ...
def are_puzzles(text: _Buffer, starts: _Buffer) -> bool: ...
def usual_cells(puzzle: object, /) -> bytes | None: ...
def line_of(cells: bytes, /) -> str: ...
def read_rows(rows: list[Any], cells: _Buffer, grid: type) -> list[int]: ...
def read_numbers(
    numbers: _Buffer, size: int, cells: _Buffer, is_float: bool = False, is_text: bool = False
) -> list[int]: ...
def read_cells(text: _Buffer, starts: _Buffer, cells: _Buffer) -> list[int]: ...
def pack(text: _Buffer, starts: _Buffer, ends: _Buffer, packed: _Buffer) -> None: ...
def size_of(starts: _Buffer, ends: _Buffer) -> int: ...
def interleave(values: _Buffer, others: _Buffer, size: int, order: _Buffer, fill: int = 0) -> bytearray: ...
def places(count: int, before: _Buffer) -> memoryview[int]: ...
def numbers_of(first: int, step: int, count: int) -> memoryview[int]: ...
