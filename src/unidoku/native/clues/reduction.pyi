from typing import Any, TypeAlias, final

import numpy.typing as npt
from typing_extensions import Buffer

# arrays are buffers to the type checkers from Python 3.12 on only
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

@final
class Reduction:
    def __new__(
        cls,
        capacity: int,
        solutions: _Buffer,
        clues: _Buffer,
        units: _Buffer,
        seeds: _Buffer,
        fewest: _Buffer,
        results: _Buffer,
    ) -> Reduction: ...
    def propose(self, rows: _Buffer) -> int: ...
    def learn(self, solutions: _Buffer, witnesses: _Buffer) -> None: ...

def random_boxes(seeds: _Buffer, rows: _Buffer) -> None: ...
