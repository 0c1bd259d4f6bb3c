"""Batches of the puzzles in Arrow arrays."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku.cell import MISSING, SYMBOL_OF, wrong_cell, wrong_size
from unidoku.errors import FormatError
from unidoku.native.text.columns import REJECT_LENGTH, REJECT_NULL, places, scan_strings
from unidoku.table import arrow
from unidoku.table.batch import KEPT, Batch, Reject
from unidoku.table.json_values import items_of, json_text, text_of_lists

_NUMBERS = r"^[\x00-\x09]{81}$"  # cells as bytes, which are no text
_EXPECTED = "expected a column of strings or lists"


def batch_of_arrow(array: Any, first: int = 0) -> Batch:
    """Find the puzzles of a validated Arrow array; there are `first` rows before them."""
    strings = _strings(array)
    validity, offsets, text = _buffers(strings)
    starts, rows = np.empty((2, len(array)), np.int64)
    limits = strings.offset, len(array), validity
    count, rejected = scan_strings(text, offsets, _width(strings), *limits, starts, rows)
    rejects = []
    for _, row, code, extra in rejected:
        value, reason = (None, MISSING) if code == REJECT_NULL else _fault(value_of(array, row), code, extra)
        kept = None if value is None else value[:KEPT].encode("utf-8", "backslashreplace")
        rejects.append(Reject(first + row + 1, 1, kept, reason))
    before = np.array([puzzles for puzzles, *_ in rejected], np.int64)
    order = places(count, before) if rejects else None
    return Batch("", text, starts[:count], rows[:count] + (first + 1), rejects=rejects, order=order)


def strings_of(array: Any) -> tuple[Any, NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of a validated Arrow array as text, and where each begins and ends; a null is empty."""
    strings = _strings(array)
    _, offsets, text = _buffers(strings)
    bounds = np.zeros(1, np.int64)
    if len(array):  # otherwise perhaps without buffers
        bounds = np.frombuffer(offsets, f"i{_width(strings)}").astype(np.int64)
        bounds = bounds[strings.offset : strings.offset + len(array) + 1]
    starts, ends = bounds[:-1], bounds[1:]
    return text, starts, np.where(np.asarray(strings.is_null()), starts, ends) if strings.null_count else ends


def value_of(array: Any, row: int) -> Any:
    """Return the value of a row of an Arrow array."""
    return array[row].as_py()


def _strings(array: Any) -> Any:
    """Return an Arrow array as one of strings or bytes with text; strings are not copied.

    Lists are read as in JSON.  Bytes may be text or numbers.
    """
    pa = arrow.pyarrow()
    types = pa.types
    array = arrow.plain(array.storage if isinstance(array, pa.ExtensionArray) else array)
    if types.is_dictionary(array.type):
        words = array.dictionary
        if types.is_string(words.type) and len(words) < len(array):
            words = words.cast(pa.large_string())  # offsets of four bytes may be too small for all rows
        array = words.take(array.indices)
    kind = array.type
    if types.is_string(kind) or types.is_large_string(kind):
        return array
    if arrow.is_list(kind) and not types.is_floating(arrow.innermost(kind)):
        texts = (None if each is None else text_of_lists(each) for each in (item.as_py() for item in array))
        return pa.array(texts, pa.large_string())
    if arrow.is_bytes(kind):
        return _as_text(array.cast(pa.large_binary()) if types.is_fixed_size_binary(kind) else array)
    if types.is_null(kind):
        return array.cast(pa.string())
    raise FormatError(f"{_EXPECTED}, found {arrow.shown(kind)}")


def _width(strings: Any) -> int:
    """Return the bytes of an offset."""
    types = arrow.pyarrow().types
    return 4 if types.is_string(strings.type) or types.is_binary(strings.type) else 8


def _as_text(values: Any) -> Any:
    """Return Arrow's bytes with text in place of numbers 0 to 9; the same array where none are numbers."""
    pa, compute = arrow.pyarrow(), import_module("pyarrow.compute")
    are_numbers = compute.match_substring_regex(values.cast(pa.large_binary()), _NUMBERS)
    if not compute.any(are_numbers).as_py():
        return values
    pairs = zip(values.to_pylist(), are_numbers.to_pylist(), strict=True)
    texts = [value.translate(SYMBOL_OF) if is_number else value for value, is_number in pairs]
    return pa.array(texts, pa.large_binary())


def _buffers(array: Any) -> list[Any]:
    """Return the buffers of an Arrow array as bytes; the first one is empty if no value is null."""
    buffers = [
        b"" if each is None or not each.size else memoryview(each).cast("B") for each in array.buffers()
    ]
    return [buffers[0] if array.null_count else b"", *buffers[1:]]


def _fault(value: Any, code: int, extra: int) -> tuple[str, str]:
    """Return the text of a value that is no puzzle, and the reason; `extra` is a length or a place."""
    cells: Sequence[Any]
    if isinstance(value, list):
        text, cells = json_text(value), items_of(value)
    else:
        text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
        cells = text
    if code == REJECT_LENGTH:
        return text, wrong_size(extra)
    cell = cells[extra] if extra < len(cells) else ""
    return text, wrong_cell(cell if isinstance(cell, int | float) else str(cell), extra)
