from collections.abc import Sequence
from typing import Self, final

from typing_extensions import Buffer

from unidoku.native import _Buffer

MOST_KEYS: int

@final
class ObjectScanner:
    def __new__(
        cls, names: Sequence[bytes], puzzle: int, longest: int, *, pairs: bool = False, lists: bool = False
    ) -> Self: ...
    def scan(self, text: Buffer, begin: int, end: int, line: int = 0, *, wide: bool = True) -> int: ...
    def column(self, name: int) -> tuple[memoryview[int], memoryview[int], memoryview[int]]: ...
    @property
    def starts(self) -> memoryview[int]: ...
    @property
    def lines(self) -> memoryview[int]: ...
    @property
    def rejects(self) -> memoryview[int]: ...

def split_list(text: _Buffer) -> tuple[memoryview[int], memoryview[int]] | None: ...
