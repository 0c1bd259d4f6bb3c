from typing import Any, TypeAlias

import numpy.typing as npt
from typing_extensions import Buffer

__all__ = ["first_bad"]

# arrays are buffers to the type checkers from Python 3.12 on only
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

def first_bad(text: _Buffer, starts: _Buffer, zero: int = 48) -> int: ...
