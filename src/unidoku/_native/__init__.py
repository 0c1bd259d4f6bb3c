"""Compiled modules: the private layer under the API, without file I/O or Python objects in hot loops.

Functions take and return buffers and codes, check only what memory safety requires, and print nothing. If an
output overlaps the offsets of an input, or another thread changes them, the results are meaningless, but no
memory outside the buffers is read. `lanes`, `count`, `symmetry`, `rating` and `effort` have a module for each
instruction set, with the same results.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    # arrays are buffers to the type checkers from Python 3.12 on only
    _Buffer: TypeAlias = Buffer | npt.NDArray[np.generic]
