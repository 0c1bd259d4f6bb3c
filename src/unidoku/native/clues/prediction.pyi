from unidoku.native import _Buffer

def compare(
    puzzles: _Buffer,
    predictions: _Buffer,
    solved: _Buffer,
    changed: _Buffer,
    broken: _Buffer,
    empty: _Buffer,
    filled: _Buffer,
) -> None: ...
def compare_one(puzzle: bytes, prediction: bytes) -> tuple[bool, int, int, int, int]: ...
def agree_one(puzzle: bytes, prediction: bytes, solution: bytes) -> tuple[int, int]: ...
