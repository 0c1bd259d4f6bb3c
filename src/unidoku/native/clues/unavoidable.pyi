from typing import Any, TypeAlias

import numpy.typing as npt
from typing_extensions import Buffer

# arrays are buffers to the type checkers from Python 3.12 on only
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

def find(grid: _Buffer, changeable: _Buffer, size: int) -> bytearray: ...
