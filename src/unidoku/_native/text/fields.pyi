from typing import Self, final

from typing_extensions import Buffer

@final
class FieldScanner:
    def __new__(
        cls,
        separator: int,
        width: int,
        puzzle: int,
        *,
        keep: bool = True,
        lists: bool = False,
    ) -> Self: ...
    def scan(self, text: Buffer, begin: int, end: int, line: int = 0) -> int: ...
    def column(self, field: int) -> tuple[memoryview[int], memoryview[int]]: ...
    def column_aside(self, field: int) -> tuple[memoryview[int], memoryview[int]]: ...
    @property
    def starts(self) -> memoryview[int]: ...
    @property
    def lines(self) -> memoryview[int]: ...
    @property
    def rejects(self) -> memoryview[int]: ...

def record_end(
    text: Buffer,
    begin: int,
    end: int,
    separator: int,
    *,
    last: bool = True,
    final: bool = False,
    lone: bool = True,
) -> int: ...
