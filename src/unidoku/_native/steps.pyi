from typing import Final, NamedTuple, final

from unidoku._native import _Buffer

STEP_LIMIT: Final[int]

LOADED: int
VALID: int
FINE: int
INVALID: int

STARTED: int
SINGLE: int
PASSED: int
COMPLETE: int
INCOMPLETE: int
LINE: int
AGAIN: int
CONTRADICTION: int
FRUITLESS: int
FAILED: int
GUESS: int
FORWARD: int
UPWARD: int
SOLUTION: int
EXHAUSTED: int
ENTRIES: int

ENDED: int
CUT_OFF: int
CLASH: int
STOPPED: int

class Entry(NamedTuple):
    kind: int
    step: int
    level: int
    cell: int
    value: int
    position: int
    total: int
    house: int
    way: int
    chosen: int
    digits: int
    cells: tuple[int, ...]
    sets: tuple[int, ...]

@final
class StepSearch:
    def __init__(self, cells: _Buffer) -> None: ...
    def copy(self) -> StepSearch: ...
    def advance(self, until: int, units: int, resume: bool) -> int: ...
    def answer(self, cell: int, value: int) -> None: ...
    def listen(self, on: bool) -> None: ...
    def drain(self) -> list[Entry]: ...
    def new_run(self) -> None: ...
    def cells(self) -> bytes: ...
    def candidates(self) -> tuple[int, ...]: ...
    def foremost(self) -> int: ...
    def guesses(self) -> list[tuple[int, int, tuple[int, ...]]]: ...
    def before(self, level: int) -> tuple[int, ...]: ...
    @property
    def guessed(self) -> int: ...
    @property
    def opened(self) -> int | None: ...
    @property
    def failed(self) -> int | None: ...
    @property
    def steps(self) -> int: ...
    @property
    def solutions(self) -> int: ...
    @property
    def units(self) -> int: ...
    @property
    def state(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def biggest(self) -> tuple[int, int, int]: ...
    @property
    def highest(self) -> tuple[int, int, int]: ...
    @property
    def waiting(self) -> int: ...
    @property
    def mode(self) -> int: ...
    @mode.setter
    def mode(self, mode: int) -> None: ...
    @property
    def ask(self) -> bool: ...
    @ask.setter
    def ask(self, ask: bool) -> None: ...

def search_cells(
    text: _Buffer,
    starts: _Buffer,
    *,
    zero: int = 48,
    steps: _Buffer,
    solutions: _Buffer,
    biggest_level: _Buffer,
    level_step: _Buffer,
    first_steps: _Buffer,
    first_level: _Buffer,
    first_level_step: _Buffer,
    outcomes: _Buffer,
    step_limit: int = ...,
    stop: _Buffer | None = None,
) -> None: ...
