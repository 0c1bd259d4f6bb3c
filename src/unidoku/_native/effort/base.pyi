from unidoku._native import _Buffer

def efforts(
    text: _Buffer, starts: _Buffer, out: _Buffer, *, zero: int, stop: _Buffer | None = None
) -> bool: ...
