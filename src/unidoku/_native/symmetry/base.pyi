from unidoku._native import _Buffer

def transform(
    text: _Buffer, starts: _Buffer, numbers: _Buffer, images: _Buffer, *, zero: int = 48
) -> None: ...
def least_through_solutions(
    text: _Buffer,
    starts: _Buffer,
    solutions: _Buffer,
    images: _Buffer,
    *,
    forms: _Buffer | None = None,
    numbers: _Buffer | None = None,
    automorphisms: _Buffer | None = None,
    zero: int = 48,
    stop: _Buffer | None = None,
) -> bool: ...
def least_images(
    text: _Buffer,
    starts: _Buffer,
    images: _Buffer,
    *,
    numbers: _Buffer | None = None,
    automorphisms: _Buffer | None = None,
    zero: int = 48,
    stop: _Buffer | None = None,
) -> bool: ...
