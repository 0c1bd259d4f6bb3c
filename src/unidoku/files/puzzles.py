"""The puzzles of inputs, batch by batch or one by one, for work outside a run."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from unidoku.errors import UnidokuError
from unidoku.files.formats import open_reader
from unidoku.files.inputs import Input, entries, expand
from unidoku.files.options import InputOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Unpack

    from unidoku.files.base import Batch
    from unidoku.files.options import InputFields

_NAMES = ("name", "title")  # of columns
_CHUNK = 16 * 82  # bytes read at a time: results appear soon where the input is typed or piped


class Puzzle(NamedTuple):
    """A puzzle and its position: 81 cells (``.`` for an empty one) or 729 pencil marks.

    ``name`` is the text in a column of the input that is called ``name`` or ``title``, if names are read.
    """

    source: str
    line: int
    cells: str
    name: str = ""


def read_puzzles(
    inputs: Input | Iterable[Input],
    options: InputOptions | None = None,
    *,
    names: bool = False,
    **fields: Unpack[InputFields],
) -> Iterator[Puzzle | UnidokuError]:
    """Read puzzles of inputs in any format, with an error in place of what cannot be read."""
    options = InputOptions.of(options, fields)
    for each in read_batches(inputs, options, carry=names):
        if isinstance(each, UnidokuError):
            yield each
        else:
            yield from _puzzles(each)


def read_batches(
    inputs: Input | Iterable[Input], options: InputOptions, *, size: int = _CHUNK, carry: bool = False
) -> Iterator[Batch | UnidokuError]:
    """Read puzzles in batches, valid until the next one, with an error in place of what cannot be read."""
    scratch: dict[str, Any] = {}
    for entry in entries(expand(inputs), options.bounds):
        try:
            with entry.open() as source:
                reader = open_reader(source, options.format, options.for_reader(carry=carry))
                for chunk in reader.chunks(lambda: size):
                    try:
                        yield from chunk.batches(scratch)
                    finally:
                        chunk.release()
        except UnidokuError as error:
            yield error


def _puzzles(batch: Batch) -> Iterator[Puzzle | UnidokuError]:
    """Yield the puzzles and the errors of a batch, in input order."""
    rejects = deque(batch.rejects)
    named = [column for column in batch.columns if column.name.lower() in _NAMES][:1]
    for index, record in enumerate(batch.records(named)):
        while rejects and rejects[0].before <= index:
            yield rejects.popleft().error(batch.source)
        yield Puzzle(batch.source, record.line, record.cells, "".join(record.extra.values()))
    yield from (reject.error(batch.source) for reject in rejects)
