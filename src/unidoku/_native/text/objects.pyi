from collections.abc import Sequence
from typing import Self, final

from typing_extensions import Buffer

from unidoku._native import _Buffer

MOST_KEYS: int

@final
class ObjectScanner:
    def __new__(
        cls,
        names: Sequence[bytes],
        puzzle: int,
        longest: int,
        *,
        lists: bool = False,
        is_only: bool = False,
        rows: bool = False,
        keeps_items: bool = True,
        inner: bytes = b"",
    ) -> Self: ...
    def scan(self, text: Buffer, begin: int, end: int, line: int = 0, *, wide: bool = True) -> int: ...
    def column(self, name: int) -> tuple[memoryview[int], memoryview[int], memoryview[int]]: ...
    @property
    def added(self) -> bytes: ...
    @property
    def width(self) -> int: ...
    @property
    def others(self) -> list[tuple[int, int]]: ...
    @property
    def starts(self) -> memoryview[int]: ...
    @property
    def lines(self) -> memoryview[int]: ...
    @property
    def rejects(self) -> memoryview[int]: ...

def element_places(text: _Buffer, begin: int, end: int) -> memoryview[int] | None: ...
def split_elements(text: _Buffer, places: _Buffer) -> int: ...
def member_places(text: _Buffer, begin: int, end: int) -> memoryview[int] | None: ...
