from unidoku.native import _Buffer

def count_guesses(
    cells: _Buffer, guesses: _Buffer, complete: _Buffer, budget: int = 0, stop: _Buffer | None = None
) -> None: ...
