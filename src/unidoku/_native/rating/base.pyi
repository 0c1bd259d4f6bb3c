from typing import TypeAlias

from unidoku._native import _Buffer

# rows of steps, and their placements, eliminations, starts, ends and kinds of links, nodes and candidates
_Rows: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]

def rate_cells(
    text: _Buffer,
    starts: _Buffer,
    *,
    zero: int,
    er: _Buffer,
    ep: _Buffer,
    ed: _Buffer,
    techniques: _Buffer,
    names: _Buffer,
    outcomes: _Buffer,
    below: int = 200,
    rows: _Buffer | None = None,
    keep: bool = False,
    stop: _Buffer | None = None,
) -> bytes: ...
def rate_further(
    states: _Buffer,
    rows: _Buffer,
    *,
    er: _Buffer,
    ep: _Buffer,
    ed: _Buffer,
    techniques: _Buffer,
    names: _Buffer,
    outcomes: _Buffer,
    below: int = 200,
    keep: bool = False,
    stop: _Buffer | None = None,
) -> bytes: ...
def find_step(
    values: _Buffer,
    candidates: _Buffer,
    *,
    easy: bool = False,
    barred: int = 0,
    stop: _Buffer | None = None,
) -> _Rows: ...
def find_steps(values: _Buffer, candidates: _Buffer, *, stop: _Buffer | None = None) -> _Rows: ...
def find_paths(
    text: _Buffer,
    starts: _Buffer,
    *,
    zero: int,
    outcomes: _Buffer,
    ends: _Buffer,
    candidates: bool = True,
    most: int = 729,
    easy: bool = False,
    barred: int = 0,
    stop: _Buffer | None = None,
) -> _Rows: ...
