"""What a stage makes of a batch: named columns, a row per puzzle, and perhaps a row per invalid record."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from unidoku.errors import FormatError
from unidoku.files.base import Batch, Column, carried
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from unidoku.errors import InvalidPuzzleError


@dataclass(slots=True, eq=False)
class Made:
    """A column that a stage makes.

    ``kind`` and ``buffers`` are as `unidoku.native.text.render` takes them; ``type`` is the Arrow type,
    ``null`` for a column that has values in text only.
    """

    name: str
    type: str
    kind: str
    buffers: tuple[Any, ...] = ()

    def native(self, as_json: bool = False) -> tuple[Any, ...]:
        """Return the column as `unidoku.native.text.render` takes it."""
        return self.name, self.kind, *self.buffers


@dataclass(slots=True, eq=False)
class Rows:
    """What a stage returns: columns, each `Made` or `Column`, for the puzzles of a batch."""

    batch: Batch
    """The puzzles of the rows, and the columns that they carry."""
    columns: dict[str, Any] = field(default_factory=dict)
    """All but file, line and puzzle, which every stage may have."""
    rejected: dict[str, Any] | None = None
    """Those of the same columns that have values for the invalid records; None if these are no rows."""
    counts: dict[str, int] = field(default_factory=dict)
    """What is added to the summary."""
    mismatches: list[InvalidPuzzleError] = field(default_factory=list)
    """The first wrong answers."""

    def table(
        self,
        names: Sequence[str],
        more: Sequence[str],
        made: Collection[str],
        own: Collection[str],
        *,
        carries: bool,
        only: Collection[Verdict] | None = None,
    ) -> Table:
        """Choose the columns, and by verdict the rows, that a sink gets.

        `names` are columns of the stage or of the input, `more` those that only invalid records have; with
        `carries`, all columns of the input follow. `made` are those of the stage, `own` the names that
        columns of the input cannot have.
        """
        batch = self.batch
        self.columns |= _place(batch, made, batch.lines)
        others = {column.name: column for column in carried(batch, own)}
        chosen = [self._named(name, others, own) for name in names]
        if carries:
            chosen += others.values()
        table = Table(batch, chosen, len(names))
        if self.rejected is not None and len(batch.rejects):
            values = _rejects(batch, made) | self.rejected
            table.rejected = [
                (values.get(name) or Made(name, "null", "nothing"))
                if name in made
                else Made(name, "null", "absent")
                for name in (*(column.name for column in chosen), *more)
                if name in made or not more
            ]
        if only is not None:
            n = len(batch.starts)
            wanted = bytes(code in only for code in range(256))
            table.mask = bytes(self.columns["verdict"].buffers[0][:n]).translate(wanted)
            if Verdict.INVALID not in only:
                table.rejected = None
        return table

    def _named(self, name: str, others: dict[str, Column], own: Collection[str]) -> Any:
        found = self.columns.get(name) or others.get(name)
        if found is None:
            if len(self.batch.starts):
                known = ", ".join([*own, *others])
                raise FormatError(f"no column {name!r}; choose from: {known}", file=self.batch.source)
            found = Column(name, b"", array("q"), array("q"))
        return found


@dataclass(slots=True, eq=False)
class Table:
    """The rows that a sink gets: columns, each `Made` or `Column`, for the puzzles of a batch."""

    batch: Batch
    columns: list[Any]
    own: int
    """The number of columns that were named; those after them come from the input."""
    rejected: list[Any] | None = None
    """The same for the invalid records of the batch; each stands before the row ``reject.before``."""
    mask: bytes | None = None
    """Rows where it is 0 are left out."""
    scratch: dict[str, Any] = field(default_factory=dict)
    """That of the worker; a sink that needs a buffer for longer takes it, and leaves another one."""

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.batch.starts)


def _place(batch: Batch, names: Collection[str], lines: Any) -> dict[str, Made | Column]:
    """Return those columns of file, line and puzzle that are asked for."""
    source = batch.source.encode("utf-8", "backslashreplace")
    made: tuple[Made, ...] = (
        Made("file", "string", "same", (source,)),
        Made("line", "int64", "signed", (lines,)),
        Made("puzzle", "string", "cells", batch.puzzles()[2:]),
    )
    return {column.name: column for column in made if column.name in names}


def _rejects(batch: Batch, names: Collection[str]) -> dict[str, Made | Column]:
    """Return file, line, text and reason of the invalid records."""
    texts = (each.text.decode("utf-8", "backslashreplace") for each in batch.rejects)
    lines = array("q", [each.line for each in batch.rejects])
    return _place(batch, names, lines) | {
        "puzzle": text_column("puzzle", texts),
        "reason": text_column("reason", (each.reason for each in batch.rejects)),
    }


def text_column(name: str, texts: Iterable[str], kind: str = "string") -> Column:
    """Return texts, one per puzzle, as a column."""
    parts = [text.encode("utf-8", "backslashreplace") for text in texts]
    ends = array("q", accumulate(map(len, parts)))
    return Column(name, b"".join(parts), array("q", [0, *ends])[: len(parts)], ends, kind=kind)


def numbers(name: str, kind: str, values: Any, known: Any = None) -> Made:
    """Return an array of numbers or truth values as a column of an Arrow type; without those not `known`."""
    import numpy as np

    form = "flags" if kind == "bool" else "unsigned" if kind.startswith("u") else "signed"
    whole = {"flags": np.uint8, "unsigned": np.uint64, "signed": np.int64}[form]
    valid = () if known is None else (np.ascontiguousarray(known, np.uint8),)
    return Made(name, kind, form, (np.ascontiguousarray(values, whole), *valid))
