"""Compiled modules without file I/O, printing or Python objects in hot loops."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    # arrays are buffers to the type checkers from Python 3.12 on only
    _Buffer: TypeAlias = Buffer | npt.NDArray[np.generic]
