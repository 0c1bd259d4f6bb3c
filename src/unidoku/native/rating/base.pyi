from typing import TypeAlias

from unidoku.native import _Buffer

# technique, rating, kind, cell, digit, removed, cells, other cells, digits, house, other house, nodes
_Step: TypeAlias = tuple[
    int,
    int,
    int,
    int,
    int,
    list[tuple[int, int]],
    list[int],
    list[int],
    list[int],
    int,
    int,
    list[tuple[int, int, int, list[int]]],
]

STATE_SIZE: int

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
    lanes: bool = True,
    states: _Buffer | None = None,
    stop: _Buffer | None = None,
) -> None: ...
def rate_further(
    states: _Buffer,
    *,
    er: _Buffer,
    ep: _Buffer,
    ed: _Buffer,
    techniques: _Buffer,
    outcomes: _Buffer,
    below: int = 200,
    stop: _Buffer | None = None,
) -> None: ...
def find_step(values: _Buffer, candidates: _Buffer, *, stop: _Buffer | None = None) -> _Step | None: ...
def find_steps(values: _Buffer, candidates: _Buffer) -> list[_Step]: ...
def find_paths(
    text: _Buffer,
    starts: _Buffer,
    *,
    zero: int,
    outcomes: _Buffer,
    ends: _Buffer,
    candidates: bool = True,
    most: int = 729,
    stop: _Buffer | None = None,
) -> tuple[bytes, bytes, bytes, bytes, bytes]: ...
