from unidoku.native import _Buffer

def compare(
    puzzles: _Buffer,
    predictions: _Buffer,
    solved: _Buffer,
    changed: _Buffer,
    broken: _Buffer,
    empty: _Buffer,
) -> None: ...
