from typing import final

from typing_extensions import Buffer

REJECT_CELL: int
REJECT_FEW: int
REJECT_MANY: int
REJECT_AFTER: int
REJECT_MIXED: int
REJECT_FIELD: int
REJECT_LONG: int
REJECT_MARK: int

@final
class Scanner:
    def __init__(self) -> None: ...
    def scan(
        self,
        text: Buffer,
        begin: int,
        end: int,
        *,
        line: int = 0,
        column: int = 0,
        strict: bool = False,
        keep: bool = False,
        line_max: int = ...,
        separated: bool = False,
    ) -> int: ...
    @property
    def starts(self) -> memoryview[int]: ...
    @property
    def lines(self) -> memoryview[int]: ...
    @property
    def marked(self) -> memoryview[int]: ...
    @property
    def rejects(self) -> memoryview[int]: ...
    @property
    def line_count(self) -> int: ...
    @property
    def before(self) -> tuple[memoryview[int], memoryview[int]] | None: ...
    @property
    def rest(self) -> tuple[memoryview[int], memoryview[int]] | None: ...

def separated_cells(line: Buffer) -> bytes | None: ...
def count_lines(text: Buffer, begin: int, end: int) -> int: ...
def equal_lines(text: Buffer, length: int) -> bool: ...
def last_line_end(text: Buffer, begin: int, end: int) -> int: ...
def first_line_end(text: Buffer, begin: int, end: int) -> int: ...
def find_column(text: Buffer, begin: int, end: int, most: int = 100) -> int: ...
