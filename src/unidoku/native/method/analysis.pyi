from typing_extensions import Buffer

__all__ = ["TOTAL_NAMES", "classify", "trace"]

TOTAL_NAMES: tuple[str, ...]

def trace(
    cells: Buffer,
    *,
    theorems: Buffer = b"\x04\x03\x02",
    kinds: Buffer = b"\x00\x01\x02",
    early: bool = False,
    sweep: bool = False,
    extended: bool = True,
    subsets: bool = True,
    presets: int = 0,
) -> tuple[int, bytes, bytes, dict[str, int]]: ...
def classify(
    text: Buffer,
    starts: Buffer,
    totals: Buffer,
    *,
    zero: int = 48,
    theorems: Buffer = b"\x04\x03\x02",
    kinds: Buffer = b"\x00\x01\x02",
    early: bool = False,
    sweep: bool = False,
    extended: bool = True,
    subsets: bool = True,
    presets: int = 0,
) -> None: ...
