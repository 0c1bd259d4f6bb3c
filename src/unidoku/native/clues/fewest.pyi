from typing import Any, TypeAlias, final

import numpy.typing as npt
from typing_extensions import Buffer

__all__ = ["Fewest"]

# arrays are buffers to the type checkers from Python 3.12 on only
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

@final
class Fewest:
    def __new__(cls, solution: _Buffer, clues: _Buffer, best: _Buffer, budget: int) -> Fewest: ...
    @property
    def complete(self) -> bool: ...
    @property
    def at_least(self) -> int: ...
    def best(self, row: _Buffer) -> None: ...
    def propose(self, rows: _Buffer) -> int: ...
    def learn(self, solutions: _Buffer, witnesses: _Buffer) -> None: ...
