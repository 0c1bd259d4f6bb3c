from collections.abc import Callable
from typing import final

from typing_extensions import Buffer

@final
class Scanner:
    def __init__(self) -> None: ...
    def scan(
        self,
        text: Buffer,
        begin: int,
        end: int,
        *,
        line: int = 0,
        column: int = 0,
        keep: bool = False,
        line_max: int = ...,
        separated: bool = False,
    ) -> int: ...
    @property
    def starts(self) -> memoryview[int]: ...
    @property
    def lines(self) -> memoryview[int]: ...
    @property
    def rejects(self) -> memoryview[int]: ...
    @property
    def before(self) -> tuple[memoryview[int], memoryview[int]] | None: ...
    @property
    def rest(self) -> tuple[memoryview[int], memoryview[int]] | None: ...

def separated_cells(line: Buffer) -> bytes | None: ...
def count_lines(text: Buffer, begin: int, end: int) -> int: ...
def last_line_end(text: Buffer, begin: int, end: int) -> int: ...
def first_line_end(text: Buffer, begin: int, end: int) -> int: ...
def boards_alike(
    text: Buffer,
    form: Buffer,
    signs: bytes,
    gap: list[bytes],
    is_title: Callable[[bytes], bool],
    *,
    least: int,
    in_rows: bool,
) -> tuple[bytes, list[int]]: ...
