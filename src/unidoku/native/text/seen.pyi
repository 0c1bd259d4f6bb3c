from typing import Self, final

from unidoku.native import _Buffer

@final
class Seen:
    def __new__(cls, seed_a: int = 0, seed_b: int = 0) -> Self: ...
    def __len__(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def add(self, text: _Buffer, starts: _Buffer, new: _Buffer, zero: int = 48) -> None: ...

def keys(
    text: _Buffer,
    starts: _Buffer,
    out: _Buffer,
    seed_a: int = 0,
    seed_b: int = 0,
    zero: int = 48,
) -> None: ...
