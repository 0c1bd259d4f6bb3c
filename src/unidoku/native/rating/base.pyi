from typing import Any, TypeAlias

import numpy.typing as npt
from typing_extensions import Buffer

__all__ = ["path_cells", "rate_cells"]

# type checkers know arrays as buffers only from Python 3.12 on
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

def rate_cells(
    text: _Buffer,
    starts: _Buffer,
    *,
    zero: int,
    er: _Buffer,
    ep: _Buffer,
    ed: _Buffer,
    techniques: _Buffer,
    outcomes: _Buffer,
    below: int = 200,
    budget: int = 0,
    lanes: bool = True,
    stop: _Buffer | None = None,
) -> None: ...
def path_cells(cells: _Buffer) -> list[tuple[int, int, int, int, list[tuple[int, int]]]]: ...
