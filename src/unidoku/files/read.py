"""Puzzles of files as arrays, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from unidoku.arguments import callback
from unidoku.compat import np
from unidoku.errors import UnidokuError
from unidoku.files.chunks import Reading
from unidoku.files.inputs import Input, Inputs, read_batches
from unidoku.options import Options
from unidoku.threads import Cancel, cancel_of, raise_if_set, within

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH_BYTES = 1 << 20  # read at a time


@dataclass(frozen=True, eq=False)
class PuzzleBatch:
    """Some records of one file, as `read` returns them.

    Attributes
    ----------
    source : str
        The name of the file.
    cells : uint8[n, 81]
        The puzzles: 0 for an empty cell.
    lines : int64[n]
        The line of each puzzle, or its record, from 1.
    columns : dict of str to list
        Other values of each puzzle, by the name of their column.
    reasons : dict of int to str
        Why a record is not a puzzle, by its line or record; a line with several has all their reasons.  These
        records have no row in the others.
    """

    source: str
    cells: NDArray[np.uint8]
    lines: NDArray[np.int64]
    columns: dict[str, list[Any]]
    reasons: dict[int, str]

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.cells)


def read(
    inputs: Input | Iterable[Input],
    *,
    format: str | None = None,
    column: str | int | None = None,
    keep: Literal["columns", "none"] = "columns",
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Iterator[PuzzleBatch]:
    r"""Read puzzles from files of any format, some thousands at a time.

    Parameters
    ----------
    inputs, format, column, keep, on_failure
        As for `unidoku.run`.
    cancel : Cancel, optional
        Set it to stop.
    timeout : float, optional
        Cancel it after this number of seconds.

    Yields
    ------
    PuzzleBatch
        All its records are of one file, in order.

    Raises
    ------
    UnidokuError
        An input cannot be read and there is no ``on_failure``; all that could be read came before.
    SearchStoppedError
        `cancel` ended the work.

    Examples
    --------
    >>> import io
    >>> lines = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n?\n"
    >>> for batch in unidoku.read(io.BytesIO(lines)):
    ...     print((batch.cells > 0).sum(axis=1), batch.lines, batch.reasons)
    [30] [1] {2: 'expected 81 cells, found 1'}
    """
    cancel = within(cancel, timeout)
    callback("on_failure", on_failure)
    options = Options(format=format, column=column, keep=keep)  # type: ignore[arg-type]
    settings = Reading(options.format, options.column, options.keep != "none")
    sources = Inputs(inputs, cancel)
    raise_if_set(cancel)
    for batch in cancel_of(cancel).watch(read_batches(sources, settings, size=_BATCH_BYTES)):
        if isinstance(batch, UnidokuError):
            if on_failure is None:
                raise batch
            on_failure(batch)
            continue
        columns = {name: column.to_list() for name, column in batch.puzzle_columns().items()}
        reasons = dict[int, str]()
        for reject in batch.rejects:  # of JSON a line may have several
            first = reasons.get(reject.line)
            reasons[reject.line] = f"{first}; {reject.reason}" if first else reject.reason
        yield PuzzleBatch(batch.source, batch.cells, np.array(batch.lines, np.int64), columns, reasons)
