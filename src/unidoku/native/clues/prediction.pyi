from typing import Any, TypeAlias

import numpy.typing as npt
from typing_extensions import Buffer

# arrays are buffers to the type checkers from Python 3.12 on only
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

def compare(
    puzzles: _Buffer,
    predictions: _Buffer,
    solved: _Buffer,
    changed: _Buffer,
    broken: _Buffer,
    empty: _Buffer,
) -> None: ...
