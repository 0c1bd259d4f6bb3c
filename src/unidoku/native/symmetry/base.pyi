from typing import Any, TypeAlias

import numpy.typing as npt
from typing_extensions import Buffer

# type checkers know arrays as buffers only from Python 3.12 on
_Buffer: TypeAlias = Buffer | npt.NDArray[Any]

def transform(
    text: _Buffer, starts: _Buffer, numbers: _Buffer, images: _Buffer, *, zero: int = 48
) -> None: ...
def least_through_solutions(
    text: _Buffer,
    starts: _Buffer,
    solutions: _Buffer,
    images: _Buffer,
    *,
    numbers: _Buffer | None = None,
    automorphisms: _Buffer | None = None,
    zero: int = 48,
) -> None: ...
def least_images(
    text: _Buffer,
    starts: _Buffer,
    images: _Buffer,
    *,
    numbers: _Buffer | None = None,
    automorphisms: _Buffer | None = None,
    zero: int = 48,
) -> None: ...
