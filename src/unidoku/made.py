"""What a task makes of a batch: what it returns is checked; its run on puzzles in memory.

NumPy is imported only for what needs it, so that a check of text starts fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from unidoku.arguments import quote
from unidoku.column import BUFFERS, MOST_WORDS, TYPES, Column, type_of_items
from unidoku.errors import InvalidPuzzleError, SearchStoppedError, UnidokuError
from unidoku.task import Need, Rows, Task, failure, task_of
from unidoku.threads import CANCELLED, Cancel, thread_count
from unidoku.verdict import VERDICTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.parse_many import Places, PuzzlesLike
    from unidoku.result import Result

_APART = frozenset(' ,"\t\r\n')  # no word of lists has them, which text has between the words


def made_of(task: Task, found: Mapping[str, Any] | None, batch: Batch, need: Need) -> Rows:
    """Check what a task returned for a batch; each puzzle with a reason and without a row gets one.

    Raises
    ------
    UnidokuError
        The task returned a wrong length, an unknown column or a wrong type: the message names the column.
    """
    if found is None:
        raise UnidokuError(f"task {task.name}: work returned None, and the run is not cancelled")
    if not hasattr(found, "keys"):
        raise UnidokuError(f"task {task.name}: work must return a dict of columns, not {quote(found)}")
    n, columns = len(batch), dict(found)
    given, of = columns.pop("reason", None), columns.pop("of", None)
    if unknown := [name for name in columns if name not in task.columns]:
        declared = ", ".join(task.columns)
        raise _fault(task, unknown[0], f"is not declared; these are: {declared}")
    if missing := [name for name in task.columns if name in need.columns and name not in columns]:
        raise _fault(task, missing[0], "is declared, but was not returned")
    made: dict[str, Column] = {}
    name = "reason"  # of the column that is checked
    try:
        reasons = {} if given is None else _reasons(task, given, n)
        name = "of"
        rows = range(n) if of is None else _owners(task, of, n)
        what = "puzzles" if of is None else "rows"
        for name, column in columns.items():
            made[name] = _checked(task, name, task.columns[name][0], column, n=len(rows), rows=what)
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        fault = f"has other values than are expected: {type(error).__name__}: {error}"
        raise _fault(task, name, fault) from error
    if "verdict" in made:
        _check_verdicts(task, made["verdict"])
    if "puzzle" in made:
        _check_puzzles(task, made["puzzle"], rows, reasons)
    if reasons and of is not None:
        rows, place = with_others(rows, reasons)
        made = {name: column.lay(place).in_rows() for name, column in made.items()}
    elif reasons:
        import numpy as np

        own = Column, np.ma.MaskedArray  # these already say which rows have a value
        without = [name for name in made if not isinstance(columns[name], own)]
        made |= {name: _without(made[name], reasons) for name in without}
    return Rows(batch, rows, made, reasons)


def with_others(of: Any, others: Iterable[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Add a row for each of `others` that has none.

    Return the owners of all rows, in ascending order, and the place of the rows that were there: -1 is a new
    one.
    """
    import numpy as np

    rest = np.sort(np.fromiter(others, np.int64))
    alone = rest[~np.isin(rest, of)]
    every = np.concatenate([np.asarray(of, np.int64), alone])
    order = np.argsort(every, kind="stable")
    return every[order], np.where(order < len(of), order, -1)


def _reasons(task: Task, given: Any, n: int) -> dict[int, str]:
    """Return the reasons that a task returned, by puzzle."""
    if isinstance(given, Mapping):
        if any(row not in range(n) for row in given):
            raise _fault(task, "reason", f"has the number of a puzzle that is not 0 to {n - 1}")
        return {int(row): str(text) for row, text in given.items() if text}
    import numpy as np

    texts = given.array() if isinstance(given, Column) else np.asarray(given, np.object_)
    if texts.ndim != 1:
        raise _fault(task, "reason", f"has the shape {texts.shape}, not {(n,)}")
    if len(texts) != n:
        raise _fault(task, "reason", f"has {len(texts)} values for {n} puzzles")
    return {row: str(texts[row]) for row in np.flatnonzero(texts).tolist()}


def _owners(task: Task, of: Any, n: int) -> NDArray[np.int64]:
    """Return the puzzle of each row."""
    import numpy as np

    rows = np.asarray(of.values if isinstance(of, Column) else of)
    right = rows.ndim == 1 and (rows.dtype.kind in "iu" or not rows.size)
    rows = rows.astype(np.int64) if right else rows
    if not right or (rows.size and (rows.min() < 0 or rows.max() >= n or (np.diff(rows) < 0).any())):
        raise _fault(task, "of", f"must be numbers of puzzles, 0 to {n - 1}, in ascending order")
    return rows


def _without(column: Column, reasons: Mapping[int, str]) -> Column:
    valid = column.known()
    valid[list(reasons)] = False
    return replace(column, valid=valid)


def _check_verdicts(task: Task, column: Column) -> None:
    """Refuse words that are no verdicts."""
    if column.words == VERDICTS:
        return
    if others := {*column.to_list()} - {*VERDICTS, None}:
        raise _fault(task, "verdict", f"has the value {min(others)!r}; verdicts are {', '.join(VERDICTS)}")


def _check_puzzles(task: Task, column: Column, rows: Any, reasons: Mapping[int, str]) -> None:
    """Refuse rows without a new puzzle, and without a reason for that."""
    if column.valid is not None and any(
        rows[k] not in reasons for k, known in enumerate(column.known()) if not known
    ):
        raise _fault(task, "puzzle", "has no value in a row without a reason")


def _fault(task: Task, column: str, what: str) -> UnidokuError:
    return UnidokuError(f"task {task.name}: column {column!r} {what}")


def _checked(task: Task, name: str, declared: str, given: Any, *, n: int, rows: str) -> Column:
    """Return a returned column as one of the declared type; only arrays are changed and looked at."""
    kind, width = type_of_items(declared)
    if width == 0:
        return _checked_lists(task, name, kind, given, n=n, rows=rows)
    column = given if isinstance(given, Column) else Column(given)
    if column.type == "arrow":
        listed = column.to_list()
        empty = TYPES[kind].empty
        there = [value is not None for value in listed]
        column = Column([empty if value is None else value for value in listed], valid=there)
    is_unknown = not column.type and isinstance(column.values, BUFFERS)
    if not column.is_array and not is_unknown:
        if len(column) != n:
            raise _fault(task, name, f"has {len(column)} values for {n} {rows}")
        return column
    import numpy as np

    values, words, valid = column.values, column.words, column.valid
    if is_unknown:
        values = memoryview(values)
    if isinstance(values, np.ma.MaskedArray):
        values, valid = values.data, ~np.ma.getmaskarray(values)
    values = np.asarray(values)
    shape = (n, 81) if kind == "cells" else (n, width) if width else (n,)
    if not values.size and not n:
        values = values.reshape(shape)  # of an empty list
    if values.shape != shape:
        if values.ndim == len(shape) and values.shape[1:] == shape[1:]:
            raise _fault(task, name, f"has {len(values)} values for {n} {rows}")
        raise _fault(task, name, f"has the shape {values.shape}, not {shape}")
    valid = _checked_valid(task, name, valid, n=n, rows=rows)
    if words is not None:
        right = kind in ("string", "words") and values.dtype.kind in "iu"
        if right and n and not 0 <= values.min() <= values.max() < len(words):
            raise _fault(task, name, f"has a code that is not 0 to {len(words) - 1}")
        if kind == "words" and len(words) > MOST_WORDS:
            raise _fault(task, name, f"has more than {MOST_WORDS} words")
        if not all(isinstance(word, str) for word in words):
            raise _fault(task, name, "has words that are no texts")
    else:
        right = kind != "words" and (values.dtype.kind in TYPES[kind].taken or not n)
        if values.dtype.kind == "O":
            known = np.array([value is not None for value in values], np.bool_)
            right = right and all(isinstance(value, str) for value in values[known])
            valid = known if valid is None else valid & known
    if not right:
        raise _fault(task, name, f"is {kind}, but the values are {values.dtype}")
    if kind != "string":
        values = _of_type(task, name, kind, values, valid)
    if kind == "cells" and name != "puzzle":  # which may be empty
        known = np.asarray(values.any(axis=1), np.bool_)
        valid = known if valid is None else valid & known
    valid = None if valid is None or valid.all() else valid
    words = None if words is None else tuple(words)
    return replace(column, values=values, words=words, valid=valid, type=kind)


def _checked_valid(task: Task, name: str, valid: Any, *, n: int, rows: str) -> NDArray[np.bool_] | None:
    """Return which rows have a value; None if all have one."""
    if valid is None:
        return None
    import numpy as np

    known = np.asarray(valid, np.bool_)
    if known.shape != (n,):
        raise _fault(task, name, f"has a mask or `valid` of the shape {known.shape}, not {(n,)}")
    return None if known.all() else known


@lru_cache(maxsize=64)
def _are_single(words: tuple[str, ...]) -> bool:
    """Whether no word has a character that stands between words."""
    return not any(set(word) & _APART for word in words)


def _checked_lists(task: Task, name: str, kind: str, given: Any, *, n: int, rows: str) -> Column:
    """Return a returned column of lists as one of the declared type."""
    import numpy as np

    if not isinstance(given, Column) or given.offsets is None:
        raise _fault(task, name, "has lists: return Column(values, offsets=…)")
    offsets = np.asarray(given.offsets)
    if offsets.shape != (n + 1,):
        raise _fault(task, name, f"has {len(offsets) - 1} lists for {n} {rows}")
    items = len(given.values)
    if (
        offsets.dtype.kind not in "iu"
        or offsets[0] != 0
        or offsets[-1] != items
        or (np.diff(offsets) < 0).any()
    ):
        raise _fault(task, name, f"has offsets that do not ascend from 0 to {items}, the number of values")
    if not _are_single(tuple(given.words or ())):
        raise _fault(
            task, name, "has a word with a space, a comma or a quotation mark, which stand between words"
        )
    if kind == "words" and given.words is None:
        raise _fault(task, name, "is words: return Column(codes, words, offsets=…)")
    kind = "string" if kind == "words" else kind  # of which there may be more than of a column without lists
    each = _checked(task, name, kind, Column(given.values, given.words), n=items, rows="values")
    valid = _checked_valid(task, name, given.valid, n=n, rows=rows)
    return replace(each, valid=valid, offsets=offsets.astype(np.int64, copy=False))


def _of_type(
    task: Task, name: str, kind: str, values: NDArray[Any], valid: NDArray[np.bool_] | None
) -> NDArray[Any]:
    """Return values in the declared type; a number that does not fit is an error."""
    import numpy as np

    type_ = np.dtype(TYPES[kind].numpy)
    made = values.astype(type_, copy=False)
    if type_.kind in "iu" and values.dtype != type_:
        same = made == values if valid is None else (made == values)[valid]
        if not np.all(same):
            raise _fault(task, name, f"is {kind}, which cannot hold all of the values")
    if kind == "cells" and made.size and made.max() > 9:
        raise _fault(task, name, f"has a cell {made.max()}; cells are 0 to 9")
    return np.ascontiguousarray(made)


def done(task: Task, batch: Batch, need: Need) -> Iterator[Rows | None]:
    """Let a task work on a batch, and check what it returns; None if it was cancelled.

    An error that is no `UnidokuError` becomes one that names the task and, if it is found, the puzzle.
    """
    last = -1  # the last puzzle with a row; -1 before the first piece
    try:
        for found in task.pieces(batch, need):
            if need.cancel:
                yield None
                return
            made = made_of(task, found, batch, need)
            last = _end_of(task, made, last)
            yield made
        if last < 0:  # there was no piece
            nothing = {name: _joined(task.columns[name][0], []) for name in task.gives()}
            yield None if need.cancel else made_of(task, {**nothing, "of": []}, batch, need)
    except SearchStoppedError:
        if not need.cancel:
            raise
        yield None
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        row = _failing(task, batch, need)
        named = failure(task, error)
        raise (named if row is None else InvalidPuzzleError(named.message, row=row)) from error


def _end_of(task: Task, made: Rows, last: int) -> int:
    """Return the last puzzle with a row in the pieces up to this one, which are in order."""
    if not len(made):
        return max(last, 0)
    if made.of[0] < last:
        raise _fault(task, "of", f"goes back from puzzle {last} to {made.of[0]} in another piece")
    return int(made.of[-1])


def _failing(task: Task, batch: Batch, need: Need) -> int | None:
    """Return the first puzzle on which a task also fails if it is the only one."""
    from unidoku.batch import Batch

    cells = batch.cells
    for row in range(len(batch)):
        try:
            for _ in task.pieces(Batch.of_cells(cells[row : row + 1]), need):
                pass
        except UnidokuError:
            continue
        except Exception:
            return row
    return None


def run_many(
    task: Task,
    puzzles: PuzzlesLike,
    *,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Result[Any]:
    """Let a task work on many puzzles.

    Parameters
    ----------
    task : Task
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`; a row of pencil marks has a reason.
    threads : int, optional
        Worker threads; by default one per available core.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle: raise an error, or give it a reason in place of a result.
    cancel : Cancel, optional
        Set it to end the call; puzzles that are not done then have a reason.

    Returns
    -------
    Result
        A column for each that the task gives.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle and `errors` is ``"raise"``, or the task fails on it; its attribute ``row`` is
        the number, from 0.
    UnidokuError
        The task returns a wrong length, an unknown column or a wrong type, or a number is not allowed.

    Examples
    --------
    >>> import unidoku
    >>> from unidoku.tasks.canonical import Canonical
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> unidoku.run_many(Canonical(), [puzzle, puzzle[:80]], errors="invalid").reasons
    {1: 'expected 81 cells, found 80'}
    """
    import numpy as np

    from unidoku.parse_many import Puzzles, numbers_of, with_reason
    from unidoku.result import Result

    task = task_of(task).begin()
    count = thread_count(threads)
    if task.in_order:
        count = 1
    given = Puzzles.of(puzzles, cancel)
    n, many = len(given), sum(map(len, given.batches))
    least, most, _ = task.at_once
    size = max(least, min(most, -(-many // count)))
    parts = sum(-(-len(batch) // size) for batch in given.batches)
    found: dict[int, tuple[NDArray[np.int64], list[Rows]]] = {}

    def work(part: Batch, places: Places, stop: Cancel) -> None:
        need = Need(frozenset(task.gives()), stop, lambda: max(1, count // max(1, parts)), None)
        rows = numbers_of(places)
        pieces: list[Rows] = []
        try:
            for piece in [] if stop else done(task, part, need):
                if piece is None:
                    return
                pieces.append(piece)
        except InvalidPuzzleError as error:
            if error.row is None:
                raise
            raise InvalidPuzzleError(error.message, row=int(rows[error.row])) from error.__cause__
        if pieces:
            found[int(rows[0])] = rows, pieces

    limits: dict[str, Any] = {"errors": errors, "threads": count, "cancel": cancel}
    reasons = given.each_part(work, size=size, polls=True, whole=False, **limits)
    left = np.ones(n, np.bool_)
    left[list(reasons)] = False
    for rows, pieces in found.values():
        left[rows] = False
        reasons |= {int(rows[k]): reason for piece in pieces for k, reason in piece.reasons.items()}
    reasons = with_reason(reasons, np.flatnonzero(left), CANCELLED)
    if errors == "raise" and task.replaces:
        for row, reason in reasons.items():
            if reason != CANCELLED:
                raise InvalidPuzzleError(reason, row=row)
    made = [(*found[first][:1], piece) for first in sorted(found) for piece in found[first][1]]
    owners = [rows[np.asarray(piece.of, np.int64)] for rows, piece in made]
    of = np.concatenate([np.empty(0, np.int64), *owners])
    owner, place = with_others(of, reasons)
    columns = {}
    for name in task.gives():
        kind = task.columns[name][0]
        column = _joined(kind, [_in_memory(piece.columns[name], kind) for _, piece in made])
        columns[name] = column if len(of) == len(owner) else column.lay(place).in_rows()
    return Result(task.name, columns, owner, reasons)


def _in_memory(column: Column, kind: str) -> Column:
    """Return a column of a declared type as results in memory have it: an array, in its rows."""
    column = column.in_rows()
    if column.is_array:
        return column if column.words is None else replace(column, type="string")
    import numpy as np

    values = column.to_list()
    valid = np.array([value is not None for value in values], np.bool_)
    known = None if valid.all() else valid
    if kind == "cells":
        rows = (value or "." * 81 for value in values)
        digits = np.frombuffer("".join(rows).replace(".", "0").encode(), np.uint8)
        return Column(digits.reshape(-1, 81) - np.uint8(48), valid=known)
    row = TYPES["string" if kind == "words" else kind]
    made = np.empty(len(values), row.numpy)
    made[:] = [row.empty if value is None else value for value in values]
    return Column(made, valid=known)


def _joined(kind: str, columns: list[Column]) -> Column:
    """Return arrays of a declared type, one after the other."""
    import numpy as np

    if not columns:
        item, size = type_of_items(kind)
        shape = (0, 81) if kind == "cells" else (0, size) if size else 0
        none = np.zeros(1, np.int64) if size == 0 else None
        return Column(np.empty(shape, TYPES[item].numpy), () if item == "words" else None, offsets=none)
    first = columns[0]
    if len(columns) == 1:
        return first
    same = all(column.words == first.words for column in columns)
    values = np.concatenate([column.values if same else column.array() for column in columns])
    known = np.concatenate([column.known() for column in columns])
    offsets = None
    if first.offsets is not None:
        sizes = np.concatenate([np.diff(column.offsets) for column in columns])
        offsets = np.concatenate([[0], np.cumsum(sizes)])
    words, type_ = (first.words, first.type) if same else (None, "string")
    return Column(values, words, None if known.all() else known, offsets, type=type_)
