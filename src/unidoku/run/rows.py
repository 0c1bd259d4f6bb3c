"""The rows that a task makes of a batch: its columns, laid between the records that are no puzzles."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from unidoku.batch import Batch
from unidoku.column import Column
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.text import Rejects
from unidoku.made import done, with_others
from unidoku.run.sink import Sink, Table
from unidoku.task import Made, Need, Task
from unidoku.verdict import VERDICTS, Verdict


@dataclass(slots=True, eq=False, repr=False)
class Rows:
    """The rows of a batch, or a part of them: columns with a value for each of its puzzles."""

    batch: Batch
    """The puzzles of the rows, and the columns that they carry."""
    columns: dict[str, Column] = field(default_factory=dict)
    """All but file, line and puzzle, which every task may have."""
    counts: dict[str, int] = field(default_factory=dict)
    """What is added to the summary."""
    mismatches: list[InvalidPuzzleError] = field(default_factory=list)
    """The first wrong answers."""
    more: bool = False
    """Whether further rows of the same batch follow."""

    def keep_first(self, most: int) -> None:
        """Leave out all but the first rows, of a batch where all records are puzzles."""
        import numpy as np

        chosen = np.arange(most)
        self.batch = self.batch.at(chosen)
        self.columns = {name: column.at(chosen) for name, column in self.columns.items()}

    def table(
        self,
        sink: Sink,
        made: Collection[str],
        own: Collection[str],
        *,
        otherwise: Mapping[str, Any],
        only: Collection[Verdict] | None = None,
    ) -> Table:
        """Lay the columns into the rows of the batch; choose what a sink gets.

        `made` are those of its columns that are of the task, `own` the names that columns of the input
        cannot have. Rows that are no puzzles have the values `otherwise`.
        """
        batch = self.batch
        place, rejects = batch.place, batch.rejects
        columns = {name: column for name, column in self.columns.items() if name in made}
        columns |= _places(batch, made)
        if place is not None:
            others = _rejects(batch, made)
            for name, value in otherwise.items():
                if name in columns:
                    others[name] = columns[name].filled(value, len(rejects))
            columns = {name: column.lay(place, others.get(name)) for name, column in columns.items()}
        given = carried(batch.columns, own)
        names = [*sink.columns, *(given if sink.carries else ()), *sink.more]
        chosen = [self._named(name, columns, given, own) for name in names]
        table = Table(batch, tuple(names), chosen)
        if only is not None:
            wanted = bytes(code in only for code in range(256))
            table.mask = columns["verdict"].codes().translate(wanted)
        return table

    def _named(
        self, name: str, columns: dict[str, Column], given: dict[str, Column], own: Collection[str]
    ) -> Column:
        found = columns.get(name, given.get(name))
        if found is None:
            known = ", ".join([*own, *given])
            raise FormatError(f"no column {name!r}; choose from: {known}", file=self.batch.source)
        return found


def carried(columns: Mapping[str, Column], own: Iterable[str]) -> dict[str, Column]:
    """Return the columns of an input; those with the name of an `own` column are renamed to ``given_…``."""
    names = set(own)
    renamed = {}
    for given, column in columns.items():
        name = given
        while name in names:
            name = f"given_{name}"
        names.add(name)
        renamed[name] = column
    return renamed


def rows_of(task: Task, batch: Batch, need: Need) -> Iterator[Rows | None]:
    """Let a task work on a batch, and yield its rows; a last None says that the run is cancelled."""
    plain: Batch = batch
    places: Any = None
    if len(batch.marked) and not task.marks:
        if task.replaces:
            raise InvalidPuzzleError("a puzzle of 81 cells is needed", row=batch.marked[0])
        import numpy as np

        places = np.setdiff1d(np.arange(len(batch)), batch.marked)
        plain = batch.at(places)
    before: Made | None = None
    begin = 0  # of the rows of the batch that are not written yet
    try:
        for found in done(task, plain, need):
            if found is None:
                yield None
                return
            if before is not None and len(before.of):
                end = int(batch.puzzle_rows[before.of[-1]])
                yield _part(task, batch, before, slice(begin, end), need)
                begin = end
            before = found if places is None else _placed(found, places)
    except InvalidPuzzleError as error:
        if error.row is None or places is None:
            raise
        raise InvalidPuzzleError(error.message, row=int(places[error.row])) from error.__cause__
    if before is not None:
        yield _part(task, batch, before, slice(begin, batch.rows), need)


def _placed(found: Made, places: Any) -> Made:
    """Return what was made of some puzzles of a batch, by their numbers in the batch."""
    reasons = {int(places[k]): why for k, why in found.reasons.items()}
    return found._replace(of=places[found.of], reasons=reasons)


def _part(task: Task, batch: Batch, found: Made, part: slice, need: Need) -> Rows:
    """Return what was made as the rows of this part of the batch; the last part counts the batch."""
    last = part.stop == batch.rows
    rows = (_new_puzzles if task.replaces else _table)(task, batch, found, part, need)
    rows.counts = task.counts(found)
    if "unique" not in rows.counts:
        rows.counts |= {"written": len(rows.batch), "unknown": len(batch) if last else 0}
    rows.more = not last
    for row, what in task.wrong(found).items():
        error = InvalidPuzzleError(f"the given answer is wrong: {what}")
        rows.mismatches.append(error.at(batch.source, int(batch.lines[row])))
    return rows


def _new_puzzles(task: Task, batch: Batch, found: Made, part: slice, need: Need) -> Rows:
    """Return rows whose puzzles are new."""
    for row, reason in found.reasons.items():
        raise InvalidPuzzleError(reason, row=row)
    read = batch if isinstance(found.of, range) else batch.at(found.of, part.start, part.stop)
    own = {
        name: column for name, column in found.columns.items() if name != "puzzle" and name in need.columns
    }
    others = task.carried(read, found.columns)
    if own:
        others = {name: column for name, column in others.items() if name not in own}
    return Rows(read.with_puzzles(found.columns["puzzle"], others), own)


def _table(task: Task, batch: Batch, found: Made, part: slice, need: Need) -> Rows:
    """Return rows of a table; puzzles that the task does not take have a row with the reason."""
    of, columns, reasons = found.of, found.columns, found.reasons
    last = part.stop == batch.rows
    if last and len(batch.marked) and not task.marks:
        from unidoku.parse_many import MARKS

        of, laid = with_others(of, batch.marked)
        columns = {name: column.laid(laid, len(of)) for name, column in columns.items()}
        reasons = reasons | dict.fromkeys(batch.marked, MARKS)
    whole = last and not part.start and len(of) == len(batch) and _is_range(of)
    made = batch if whole else batch.at(of, part.start, part.stop)
    named = {name: _coded(column) if name == "verdict" else column for name, column in columns.items()}
    if "reason" in need.columns:
        # beside a verdict, JSON has a reason only where there is one
        optional = not task.for_invalid.keys().isdisjoint(columns)
        named["reason"] = replace(Column.reasons(reasons, of), optional=optional)
    return Rows(made, named)


def _is_range(of: Any) -> bool:
    """Return whether there is a row for each puzzle."""
    return isinstance(of, range) or bool((of[1:] > of[:-1]).all())


def _coded(column: Column) -> Column:
    """Return verdicts as sinks take them: by their codes."""
    if column.words == VERDICTS and column.type == "words":
        return column
    codes = [VERDICTS.index(each) if each in VERDICTS else Verdict.UNKNOWN for each in column.to_list()]
    return Column(bytes(codes), VERDICTS, type="words")


def _places(batch: Batch, names: Collection[str]) -> dict[str, Column]:
    """Return those columns of file, line and puzzle that are asked for."""
    made: dict[str, Callable[[], Column]] = {
        "file": lambda: Column.same(batch.source, len(batch.starts)),
        "line": lambda: Column(batch.lines, type="int64"),
        "puzzle": lambda: batch.puzzles,
    }
    return {name: column() for name, column in made.items() if name in names}


def _rejects(batch: Batch, names: Collection[str]) -> dict[str, Column]:
    """Return file, line, text and reason of the records that are no puzzles."""
    rejects = batch.rejects
    made: dict[str, Callable[[], Column]] = {
        "file": lambda: Column.same(batch.source, len(rejects)),
        "line": lambda: Column(array("q", [each.line for each in rejects]), type="int64"),
        "puzzle": lambda: Column.values_of(
            None if each.text is None else each.text.decode("utf-8", "backslashreplace") for each in rejects
        ),
        "reason": lambda: Column.values_of(each.reason for each in rejects),
    }
    together = rejects.columns() if isinstance(rejects, Rejects) else {}
    if not together:
        rejects = list(rejects)  # each is described when it is read
    return {name: column() for name, column in (made | together).items() if name in names}
