from typing import final

from unidoku.native import _Buffer

@final
class Additions:
    def __new__(
        cls, capacity: int, rows: _Buffer, first: _Buffer, proper: bool, masks: _Buffer
    ) -> Additions: ...
    def propose(self, rows: _Buffer) -> int: ...
    def learn(self, solutions: _Buffer, witnesses: _Buffer) -> None: ...
