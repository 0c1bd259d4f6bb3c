from typing import final

from unidoku.native import _Buffer

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

def order_of(clues: _Buffer, units: _Buffer, seed: int) -> bytes: ...
def row_keys(rows: _Buffer, seed: int, keys: _Buffer) -> None: ...
def random_boxes(seeds: _Buffer, rows: _Buffer) -> None: ...
