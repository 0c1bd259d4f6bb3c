"""The columns of the rows of a run: which there are, under which names, and where each comes from.

A column comes from the record (its puzzle, its file and line), from the task, or from the input. A `Schema`
knows the columns of a run before an input is opened; `Schema.of_input` adds the columns of an input. This
module imports no NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from unidoku._arguments import no_column, wrong_type
from unidoku._columns import REASON, ColumnSpec
from unidoku._options import OF_PUZZLES, Options
from unidoku._table.batch import Batch, Roles
from unidoku._task import Task
from unidoku.errors import ArgumentError, FormatError, Message
from unidoku.files._chunks import NeededColumns
from unidoku.files._column_names import BEFORE, ratings_in, role_of
from unidoku.files._inputs import MEMORY
from unidoku.files._roles import prompts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku._conditions import Condition
    from unidoku.files._formats import OutputFormat


def _names_with(word: str) -> tuple[str, ...]:
    """Return the names of the symmetries that a word means."""
    from unidoku._clue_symmetry import names_with  # not at the top: a check starts faster

    return names_with(word)


_TEXT, _NUMBER = ColumnSpec("string", ""), ColumnSpec("int64", "")
_OF_PUZZLES = dict(zip(OF_PUZZLES, (_NUMBER, _TEXT._replace(words=_names_with)), strict=True))
COLUMNS_OF_RECORDS = {
    "puzzle": _TEXT,
    "file": _TEXT,
    "line": _NUMBER,
    **_OF_PUZZLES,
    **dict.fromkeys(REASON, _TEXT),
}
"""The columns that any output can have, whatever its task computes."""
_OF_COLUMN = {**dict.fromkeys(OF_PUZZLES, "puzzle"), "reason_code": "reason"}
"""Columns that are made of another one, with its name."""


class OutputColumns(NamedTuple):
    """The columns that an output writes."""

    names: tuple[str, ...]
    """The columns that it names, of the record, the task or the input."""
    optional: tuple[str, ...] = ()
    """Columns after all other columns, which only rows with a value have."""
    has_input: bool = False
    """Whether the columns of the input follow `names`."""


class InputColumns(NamedTuple):
    """The columns of an input that rows have: their names in rows, by their names in the input."""

    carried: dict[str, str]
    """The columns that are written after those that the output names."""
    selected: dict[str, str]
    """The other columns that the output or a condition names."""
    moved: Mapping[str, bool] = MappingProxyType({})
    """Columns with grids that a symmetry moves with the puzzle; True for all grids, False for those with the
    puzzle's clues."""


class Schema:
    """The columns of the rows of a run.

    Parameters
    ----------
    task : Task
    selected : iterable of str
        The columns that the output names.
    keep : sequence of str or None
        The columns of the input that follow these; None for all.
    conditions : iterable of Condition
        Conditions on columns of the record, the task or the input.
    needs_all : bool
        Whether the run needs all columns of the input for another output.

    Attributes
    ----------
    columns : dict of str to ColumnSpec
        All columns of the record and the task, in the order of an output.
    only_selects : bool
        Whether the task computes no column for users, and only selects puzzles.
    default_columns : tuple of str
        The columns of a table for which none are chosen.
    computed : frozenset of str
        The columns of the record and the task that the run needs.
    from_input : list of str
        The columns of the input that the output or a condition names, by their names in rows.
    record_conditions, row_conditions : tuple of Condition
        The conditions that select the records for the task, and those that select its rows.
    """

    task: Task
    keep: Sequence[str] | None

    def __init__(
        self,
        task: Task,
        selected: Iterable[str] = (),
        *,
        keep: Sequence[str] | None = (),
        conditions: Iterable[Condition] = (),
        needs_all: bool = False,
    ) -> None:
        self.task, self.keep = task, keep
        self.only_selects: bool = not described_columns(task)
        every = ("puzzle", *task.columns) if task.replaces else ("puzzle", "file", *task.columns, *REASON)
        self.default_columns: tuple[str, ...] = task.default_columns or (*dict.fromkeys(every),)
        self.needs_all: bool = any((needs_all, keep is None, task.columns_read is None))
        of_record = OF_PUZZLES if task.replaces else COLUMNS_OF_RECORDS
        specs = {**COLUMNS_OF_RECORDS, **task.columns}
        order = dict.fromkeys((*self.default_columns, *task.columns, *of_record))
        self.columns: dict[str, ColumnSpec] = {name: specs[name] for name in order}
        checked = self.checked(conditions)
        names = dict.fromkeys((*selected, *(condition.column for condition in checked)))
        self.from_input: list[str] = [name for name in names if name not in self.columns]
        computed = {*names}.difference(self.from_input)
        needed = {_OF_COLUMN[name] for name in computed & _OF_COLUMN.keys()}
        own = {"puzzle"} if task.replaces else set()
        self.computed: frozenset[str] = frozenset(computed | needed | own)
        self.record_conditions: tuple[Condition, ...] = ()
        self.row_conditions: tuple[Condition, ...] = checked
        if task.in_order:  # its results depend on the conditions, so a condition cannot name them
            results = {*task.columns, *REASON} - {"puzzle"}  # it does not change the puzzles
            for condition in checked:
                if condition.column in results:
                    text = "{column}: not known yet when conditions are applied; choose from: {choices}"
                    choices = ", ".join(name for name in self._public if name not in results)
                    raise ArgumentError(Message(text, column=condition.column, choices=choices))
            self.record_conditions, self.row_conditions = checked, ()

    def types(self, puzzle: str) -> dict[str, str]:
        """Return the types of the columns of the record and the task, with `puzzle` as the puzzle's type."""
        return {name: column.type for name, column in self.columns.items()} | {"puzzle": puzzle}

    def checked(self, conditions: Iterable[Condition]) -> tuple[Condition, ...]:
        """Check conditions; `of_input` checks the names of columns of the input."""
        if not (conditions := tuple(conditions)):
            return ()
        from unidoku._conditions import spelled_out  # not at the top: it is needed seldom

        spelled, known = spelled_out(conditions, self.columns), self.columns
        return tuple(each.check(known[each.column]) if each.column in known else each for each in spelled)

    @property
    def _public(self) -> list[str]:
        """The columns of the record and the task that a user may name."""
        private = {name for name, column in self.task.columns.items() if not column.about} - {"puzzle"}
        return [name for name in self.columns if name not in private]

    def in_output(self, output: OutputFormat, options: Options, *, several: bool) -> OutputColumns:
        """Return the columns that an output writes; with `several` inputs a row has its file."""
        task, chosen = self.task, options.columns
        only_puzzles = task.replaces and not output.has_columns
        if chosen is not None:
            if only_puzzles and chosen != ("puzzle",):
                text = "{suffix} holds only puzzles, not {wanted}; use a format with columns, such as csv"
                raise FormatError(Message(text, suffix=output.suffix, wanted=", ".join(chosen)))
            return OutputColumns(chosen)

        has_input = options.keep != "none" and output.has_columns
        names, optional = self.default_columns, tuple[str, ...]()
        if output.suffix == ".txt" and task.line_columns is not None:
            names = task.line_columns
            if "verdict" in names:  # a line of a record that has none has a reason instead
                optional = ("reason",)
        elif only_puzzles:
            names = ("puzzle",)
        elif task.replaces and not has_input:  # next to no column of the input, new puzzles keep only reasons
            names = tuple(name for name in names if name in {"puzzle", *REASON})
        if not several:
            names = tuple(name for name in names if name != "file")
        return OutputColumns(names, optional, has_input=has_input)

    def in_memory(self, chosen: Iterable[str] | None) -> frozenset[str]:
        """Return the columns of a result in memory: of the task, and perhaps ``reason``."""
        own = self.task.columns
        known = (*own, "reason")
        if chosen is None:
            return frozenset(self.default_columns).intersection(known)
        if isinstance(chosen, str) or not isinstance(chosen, Iterable):
            raise wrong_type("columns", "an iterable of names", chosen)
        names = frozenset(chosen)
        for name in sorted(names.difference(known), key=str):
            raise ArgumentError(no_column(name, known))
        if names.isdisjoint(own):
            text = "none of the columns belongs to the task; choose from: {choices}"
            raise ArgumentError(Message(text, choices=", ".join(own)))
        return names

    @property
    def needed(self) -> NeededColumns:
        """The columns of an input that the run needs; the rest of a plain line only by its name."""
        has_names = bool(self.from_input or self.keep)
        has_any = any((has_names, self.needs_all, self.task.columns_read))
        return NeededColumns(has_any, has_names, self._decoded)

    def _decoded(self, names: Sequence[str]) -> Sequence[str]:
        """Return which columns of an input must be decoded, before it is known what they are."""
        if self.needs_all:
            return names
        written, read = self._names(names, Roles()), self.task.columns_read or ()
        wanted = {*self.from_input, *self._kept(written)}
        if not wanted.issubset(written.values()):  # what they are may change a name; the error lists them all
            return names
        return [name for name in names if written[name] in wanted or name in read]

    def of_input(self, batch: Batch) -> InputColumns:
        """Return the columns that rows have of the input of a batch; refuse names that it lacks."""
        written = self._names(batch.names, batch.roles)
        found, kept = {name: written[name] for name in batch.columns}, self._kept(written)
        _refuse_absent(self.from_input, found, (*self._public, *found.values()), batch)
        _refuse_absent(kept, found, batch.names, batch)
        carried = {name: new for name, new in found.items() if self.keep is None or new in kept}
        others = {name: new for name, new in found.items() if name not in carried}
        selected = {name: new for name, new in others.items() if new in self.from_input}
        moved = dict[str, bool]()
        if "symmetry" in self.task.columns:
            results, prompts = _results(batch.roles), prompts_of(batch.roles)
            moved = {name: name in results for name in carried | selected if name not in prompts}
        return InputColumns(carried, selected, moved)

    def _kept(self, written: dict[str, str]) -> list[str]:
        """Return the names in rows of the columns to keep, which have their name in the input or in rows."""
        return [written.get(name, name) for name in self.keep or ()]

    def _names(self, names: Sequence[str], roles: Roles) -> dict[str, str]:
        """Return the names in rows of columns of an input: ``input_NAME`` if NAME is reserved.

        Reserved are the columns of the record and the task, needed or not. If a task only selects puzzles,
        they are the columns of the record that are needed, or whose namesake in the input is requested.
        Reserved are also the names of values that are not true of a new puzzle.
        """
        if self.only_selects:
            namesakes = {name.removeprefix(BEFORE) for name in self.from_input if name.startswith(BEFORE)}
            reserved = {"puzzle", *(COLUMNS_OF_RECORDS.keys() & (self.computed | namesakes))}
        else:
            reserved = {"puzzle", *self.columns}
            if self.task.replaces:
                reserved.update(ratings_in(names), prompts_of(roles))
            if self.task.changes_solutions:
                reserved.update(_results(roles))
        given, written = {*names}, dict[str, str]()
        for name in names:
            new = name
            while new in reserved or (new != name and new in given):
                new = BEFORE + new
            written[name] = new
        return written


def _refuse_absent(
    wanted: Iterable[str], found: Mapping[str, str], known: Iterable[str], batch: Batch
) -> None:
    """Refuse names that no column has in rows."""
    for name in wanted:
        if name not in found.values():
            source = None if batch.source == MEMORY else batch.source  # nobody knows its name
            raise FormatError(no_column(name, known), file=source)


def _results(roles: Roles) -> list[str]:
    """Return the columns of solutions and answers, by their names or by the user."""
    return [name for name in roles.names if name in roles.solutions or role_of(name)]


def described_columns(task: Task | type[Task]) -> dict[str, str]:
    """Return the descriptions of the columns that a task computes, for its help."""
    return {name: column.about for name, column in task.columns.items() if name != "puzzle" and column.about}
