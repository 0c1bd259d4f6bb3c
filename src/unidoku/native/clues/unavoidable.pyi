from unidoku.native import _Buffer

def find(
    grid: _Buffer, changeable: _Buffer, size: int, *, stop: _Buffer | None = None
) -> bytearray | None: ...
