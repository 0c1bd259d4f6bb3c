from typing_extensions import Buffer

TOTAL_NAMES: tuple[str, ...]

def trace(
    cells: Buffer,
    order: tuple[bytes, bytes, bool, bool, bool],
    *,
    presets: int = 0,
    stop: Buffer | None = None,
) -> tuple[int, bytes, bytes, dict[str, int]]: ...
def classify(
    text: Buffer,
    starts: Buffer,
    totals: Buffer,
    order: tuple[bytes, bytes, bool, bool, bool],
    *,
    zero: int = 48,
    presets: int = 0,
    stop: Buffer | None = None,
) -> None: ...
