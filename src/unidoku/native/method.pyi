from unidoku.native import _Buffer

TOTAL_NAMES: tuple[str, ...]

def trace(
    cells: _Buffer,
    order: tuple[bytes, bytes, bool, bool, bool],
    *,
    presets: int = 0,
    stop: _Buffer | None = None,
) -> tuple[int, bytes, bytes, dict[str, int]]: ...
def classify(
    text: _Buffer,
    starts: _Buffer,
    totals: _Buffer,
    order: tuple[bytes, bytes, bool, bool, bool],
    *,
    zero: int = 48,
    presets: int = 0,
    stop: _Buffer | None = None,
) -> None: ...
