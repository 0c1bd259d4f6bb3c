from typing import final

from unidoku._native import _Buffer

@final
class KeySet:
    def add(self, keys: _Buffer, new: _Buffer) -> None: ...

def keys(
    text: _Buffer,
    starts: _Buffer,
    out: _Buffer,
    seed_a: int = 0,
    seed_b: int = 0,
    zero: int = 48,
) -> None: ...
def in_parts(keys: _Buffer, count: int) -> tuple[memoryview[int], list[int]]: ...
def repeated(keys: _Buffer, rows: _Buffer, order: _Buffer) -> int: ...
