"""Puzzles in Arrow arrays: one layout for all kinds of arrays, and batches of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from unidoku.cell import MISSING, SYMBOL_OF, with_lost_zeros, wrong_cell, wrong_signs, wrong_size
from unidoku.compat import np, pyarrow
from unidoku.errors import FormatError, Message
from unidoku.native.text.columns import REJECT_LENGTH, REJECT_NULL, places, scan_strings
from unidoku.table import arrow
from unidoku.table.batch import KEPT, Batch, Reject
from unidoku.table.json_values import as_text, items_of, json_text, text_of_lists
from unidoku.threads import Cancel


def batch_of_arrow(array: Any, begin: int = 0) -> Batch:
    """Find the puzzles of a validated Arrow array; there are `begin` rows before them."""
    strings = strings_of(array)
    validity, offsets, text = map(arrow.content, strings.buffers())
    starts, rows = np.empty((2, len(array)), np.int64)
    limits = strings.offset, len(array), validity if strings.null_count else b""
    count, rejected = scan_strings(text, offsets, arrow.offset_size(strings), *limits, starts, rows)
    rejects = []
    for _, row, code, extra in rejected:
        value, reason = (None, MISSING) if code == REJECT_NULL else _fault(array[row].as_py(), code, extra)
        excerpt = None if value is None else value[:KEPT].encode("utf-8", "backslashreplace")
        rejects.append(Reject(begin + row + 1, 1, excerpt, reason))
    before = np.array([puzzles for puzzles, *_ in rejected], np.int64)
    order = places(count, before) if rejects else None
    return Batch("", text, starts[:count], rows[:count] + (begin + 1), rejects=rejects, order=order)


def string_slices(array: Any, size: int, cancel: Cancel) -> Iterator[tuple[Any, Any]]:
    """Yield some rows of an Arrow array at a time, and their `strings_of`; raise if `cancel` is set."""
    if isinstance(array, pyarrow().ExtensionArray):
        array = array.storage
    words = None
    if pyarrow().types.is_dictionary(array.type):
        slices = string_slices(array.dictionary, size, cancel)
        words = _words(pyarrow().concat_arrays(strings for _, strings in slices))
    for part in cancel.watch(arrow.slices(array, size)):
        yield part, strings_of(part) if words is None else words.take(part.indices)


def strings_of(array: Any) -> Any:
    """Cast an Arrow array to strings, large strings, or large bytes with text, without a copy of their text.

    Strings stay as they are: a cast imports ``pyarrow.compute``.  Lists are read as in JSON.  Bytes may be
    text or numbers.
    """
    pa = pyarrow()
    if isinstance(array, pa.ExtensionArray):
        return strings_of(array.storage)
    array = arrow.plain(array)
    types, kind = pa.types, array.type
    if types.is_dictionary(kind):
        return _words(strings_of(array.dictionary)).take(array.indices)
    if arrow.is_text(kind):
        return array
    if types.is_null(kind):
        return array.cast(pa.large_string())
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return _as_text(array.cast(pa.large_binary()))
    is_list = types.is_nested(kind) and hasattr(kind, "value_type")
    if is_list and not types.is_floating(arrow.innermost(kind)):
        texts = (None if puzzle is None else text_of_lists(puzzle) for puzzle in array.to_pylist())
        return pa.array(texts, pa.large_string())
    raise FormatError(
        Message("expected a column of strings or lists, found {kind}", kind=arrow.one_line(kind))
    )


def _words(strings: Any) -> Any:
    """Return strings with offsets of eight bytes: those of four may be too small for all rows."""
    pa = pyarrow()
    return strings.cast(pa.large_string()) if pa.types.is_string(strings.type) else strings


def _as_text(values: Any) -> Any:
    """Return Arrow's bytes with text in place of 81 numbers 0 to 9; the same array where none are numbers."""
    rows = values.to_pylist()
    are_numbers = [row is not None and len(row) == 81 and max(row) <= 9 for row in rows]
    if not any(are_numbers):
        return values
    texts = [
        row.translate(SYMBOL_OF) if is_number else row
        for row, is_number in zip(rows, are_numbers, strict=True)
    ]
    return pyarrow().array(texts, values.type)


def _fault(value: Any, code: int, extra: int) -> tuple[str, str]:
    """Return the text of a value that is no puzzle, and the reason; `extra` is a length or a place."""
    cells: Sequence[Any]
    if isinstance(value, list):
        text, cells = json_text(value), items_of(value)
    else:
        text = cells = as_text(value)
    if code == REJECT_LENGTH:
        return text, with_lost_zeros(wrong_size(extra), text)
    if wrong := wrong_signs(text_of_lists(value) if isinstance(value, list) else text):
        return text, wrong
    cell = cells[extra] if extra < len(cells) else ""
    return text, wrong_cell(cell if isinstance(cell, int | float) else str(cell), extra)
