from typing import Any, TypeAlias, final

import numpy.typing as npt
from typing_extensions import Buffer

# arrays are buffers to the type checkers from Python 3.12 on only
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

@final
class Additions:
    def __new__(
        cls, capacity: int, rows: _Buffer, first: _Buffer, proper: bool, masks: _Buffer
    ) -> Additions: ...
    def propose(self, rows: _Buffer) -> int: ...
    def learn(self, solutions: _Buffer, witnesses: _Buffer) -> None: ...
