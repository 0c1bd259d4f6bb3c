from unidoku._native import _Buffer

TOTAL_NAMES: tuple[str, ...]

SOLVED: int
STUCK: int
CONTRADICTION: int
STATUSES: int

ZERO: int
CONVERT: int
PRESET: int
CONTRADICTED: int
RETRACT: int
KINDS: int

NO_RULE: int
THEOREM1: int
THEOREM2: int
THEOREM3: int
THEOREM4: int
EXTENDED: int
SUBSET: int
RULES: int

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
