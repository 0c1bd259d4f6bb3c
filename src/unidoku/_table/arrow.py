"""Import and export Arrow columns through the PyCapsule interface.

PyArrow (the extra ``arrow``) imports and exports; the kernel reads buffers of strings, and casts the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from unidoku._compat import np, pyarrow
from unidoku.cell import SYMBOL_OF
from unidoku.errors import FormatError, InputError, Message, UnidokuError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._threads import Cancel

_SLICE = 1 << 17  # texts that are validated at a time: 5 milliseconds


def has_interface(data: object) -> bool:
    """Return whether the object has the Arrow PyCapsule interface."""
    return hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__")


def validate(data: Any, cancel: object = None) -> Any:
    """Validate Arrow data from elsewhere, and return them; an `InputError` says where they are damaged.

    PyArrow trusts offsets, indices and run ends. Computing on wrong offsets, or even exporting them, reads or
    writes outside the buffers. If `cancel` becomes true, the rest is not validated, and must not be read.
    """
    try:
        for piece in takewhile(lambda _: not cancel, _pieces(data)):
            piece.validate(full=True)
            if not all(map(_has_good_nulls, _arrays(pyarrow(), piece))):
                raise InputError(Message("damaged Arrow data: the view of a null is outside its text"))
    except pyarrow().ArrowException as error:
        raise InputError(Message("damaged Arrow data: {reason}", reason=one_line(error))) from error
    return data


def _pieces(data: Any) -> Iterator[Any]:
    """Yield the arrays of columns and chunks; yield texts, which are slow to validate, in slices."""
    for column in getattr(data, "columns", [data]):
        for chunk in getattr(column, "chunks", [column]):
            chunk.validate()
            yield from slices(chunk, _SLICE) if is_text(chunk.type) else [chunk]


def without_extension(values: Any) -> Any:
    """Return an Arrow array without a type of an extension, and its dictionary as values."""
    values = getattr(values, "storage", values)
    if pyarrow().types.is_dictionary(values.type):
        return values.dictionary_decode()
    return values


def one_line(value: object) -> str:
    """Return PyArrow's text for a type or an error in one line; names of columns may be anything."""
    return ascii(str(value).partition("\n")[0][:1000])[1:-1]


def slices(array: Any, size: int) -> Iterator[Any]:
    """Cut an array into slices of `size` rows, at least one."""
    for begin in range(0, len(array) or 1, size):
        yield array.slice(begin, size)


def _arrays(pa: Any, array: Any) -> Iterator[Any]:
    """Yield an array and all those that it consists of."""
    yield array
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        inner = [array.storage]
    elif pa.types.is_dictionary(kind):
        inner = [array.dictionary]
    elif _is_one_of(kind, "struct", "union"):
        inner = [*map(array.field, range(kind.num_fields))]
    else:  # maps, lists of every kind, run ends
        inner = []
        if _is_one_of(kind, "nested", "run_end_encoded"):
            inner = [array.values]
    for part in inner:
        yield from _arrays(pa, part)


def _has_good_nulls(array: Any) -> bool:
    """Return whether views of nulls are inside their texts.

    PyArrow (26) does not validate them, and a cast of them ends the process.
    """
    if not array.null_count:
        return True
    if not _is_one_of(array.type, "string_view", "binary_view"):
        return True
    _, views, *texts = array.buffers()
    null = truths(array.is_null())
    null_views = np.frombuffer(views, np.int32).reshape(-1, 4)[array.offset : array.offset + len(array)][null]
    size, _, which, begin = null_views[(null_views[:, 0] < 0) | (null_views[:, 0] > 12)].T.astype(np.int64)
    lengths = np.array([text.size for text in texts] + [-1])
    has_text = (which >= 0) & (which < len(texts))
    inside = begin + size <= lengths[np.where(has_text, which, -1)]
    return bool(np.all((size >= 0) & (begin >= 0) & inside))


def flat(array: Any) -> Any:
    """Return an Arrow array in a layout that PyArrow can take and filter: without views and runs."""
    pa = pyarrow()
    if pa.types.is_run_end_encoded(array.type):
        array = import_module("pyarrow.compute").run_end_decode(array)
    return _as_type(array, _replace_types(array.type, _without_view))


def _as_type(array: Any, kind: Any) -> Any:
    """Return an array of a type; the same array if it has this type."""
    return array if array.type == kind else array.cast(kind)


def _without_view(kind: Any) -> Any:
    """Return the type of texts or bytes with offsets in place of views; any other type as it is."""
    pa = pyarrow()
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _without_view(kind.value_type), kind.ordered)
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    return kind


def stored_type(kind: Any) -> Any:
    """Return the type of the values of an extension, of words, or of runs; any other type as it is."""
    while hasattr(kind, "storage_type"):
        kind = kind.storage_type
    if _is_one_of(kind, "dictionary", "run_end_encoded"):
        return stored_type(kind.value_type)
    return kind


def content(buffer: Any) -> Any:
    """Return an Arrow buffer, which may be missing, as bytes."""
    if buffer is not None and buffer.size:
        return memoryview(buffer).cast("B")
    return b""


def is_text(kind: Any) -> bool:
    """Return whether a type is strings or large strings."""
    return _is_one_of(kind, "string", "large_string")


def _is_one_of(kind: Any, *names: str) -> bool:
    """Return whether a type has one of these names."""
    types = pyarrow().types
    return any(getattr(types, f"is_{name}")(kind) for name in names)


def is_list(kind: Any) -> bool:
    """Return whether a type is one of lists."""
    return bool(pyarrow().types.is_nested(kind)) and hasattr(kind, "value_type")


def offset_size(strings: Any) -> int:
    """Return the bytes of an offset of strings, or of large strings or bytes."""
    if pyarrow().types.is_string(strings.type):
        return 4
    return 8


def spans(strings: Any) -> tuple[Any, NDArray[np.int64], NDArray[np.int64]]:
    """Return the text of strings or of large bytes, and where each begins and ends; a null is empty."""
    _, offsets, text = strings.buffers()
    places = np.zeros(len(strings) + 1, np.int64)
    if len(strings):  # otherwise perhaps without buffers
        all_places = np.frombuffer(offsets, f"i{offset_size(strings)}")
        places = all_places[strings.offset : strings.offset + len(strings) + 1].astype(np.int64, copy=False)
    starts, ends = places[:-1], places[1:]
    if strings.null_count:
        ends = np.where(truths(strings.is_null()), starts, ends)
    return content(text), starts, ends


def numbers_of_lists(lists: Any) -> NDArray[np.uint8] | None:
    """Return the cells of lists that are all 81 integers 0 to 9, without a Python object; or None."""
    lists = getattr(lists, "storage", lists)
    if lists.null_count or not _is_one_of(lists.type, "list", "large_list", "fixed_size_list"):
        return None
    items = lists.flatten()
    if not len(items) or len(items) != 81 * len(lists):
        return None
    if items.null_count or not pyarrow().types.is_integer(items.type):
        return None
    if hasattr(lists, "offsets") and (np.diff(_unsigned(lists.offsets)) != 81).any():
        return None
    numbers = _unsigned(items)
    if numbers.max() > 9:
        return None
    return numbers.astype(np.uint8, copy=False).reshape(-1, 81)


def _unsigned(integers: Any) -> NDArray[Any]:
    """Return Arrow's integers, none of them null, in place; a negative one is large."""
    numbers = np.frombuffer(content(integers.buffers()[1]), f"u{integers.type.bit_width // 8}")
    return numbers[integers.offset : integers.offset + len(integers)]


def string_slices(array: Any, size: int, cancel: Cancel) -> Iterator[tuple[Any, Any]]:
    """Yield some rows of an Arrow array at a time, and their `strings_of`; raise if `cancel` is set."""
    if isinstance(array, pyarrow().ExtensionArray):
        array = array.storage
    words = None
    if pyarrow().types.is_dictionary(array.type):
        parts = string_slices(array.dictionary, size, cancel)
        words = _words(pyarrow().concat_arrays(strings for _, strings in parts))
    for part in cancel.watch(slices(array, size)):
        yield part, strings_of(part) if words is None else words.take(part.indices)


def strings_of(array: Any) -> Any:
    """Cast an Arrow array to strings, large strings, or large bytes with text, without a copy of their text.

    Strings stay as they are: a cast imports ``pyarrow.compute``.  Bytes may be text or numbers.
    """
    pa = pyarrow()
    if isinstance(array, pa.ExtensionArray):
        return strings_of(array.storage)
    array = flat(array)
    types, kind = pa.types, array.type
    if types.is_dictionary(kind):
        return _words(strings_of(array.dictionary)).take(array.indices)
    if is_text(kind):
        return array
    if types.is_null(kind):
        return array.cast(pa.large_string())
    if _is_one_of(kind, "binary", "large_binary", "fixed_size_binary"):
        return _as_text(array.cast(pa.large_binary()))
    raise FormatError(Message("expected a column of strings or lists, found {kind}", kind=one_line(kind)))


def _words(strings: Any) -> Any:
    """Return strings with offsets of eight bytes: offsets of four may be too small for all rows."""
    pa = pyarrow()
    if pa.types.is_string(strings.type):
        return strings.cast(pa.large_string())
    return strings


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


def chunked_array(data: Any) -> Any:
    """Convert a column of any kind to a chunked array of PyArrow, whose values `validate` has not seen."""
    pa = pyarrow()
    try:
        if isinstance(data, pa.Array):
            return pa.chunked_array([data])
        if isinstance(data, pa.ChunkedArray):
            return data
        if isinstance(data, pa.RecordBatch | pa.Table):
            validate(data)  # it is exported
        is_stream = hasattr(data, "__arrow_c_stream__")
        return pa.chunked_array(data if is_stream else [pa.array(data)])
    except UnidokuError:
        raise
    except (TypeError, ValueError, pa.ArrowException) as error:
        reason = "; ".join(map(str, error.args))  # pandas has the column in a second one
        raise FormatError(Message("PyArrow cannot read it: {reason}", reason=one_line(reason))) from error


def number_array(values: NDArray[Any], valid: NDArray[np.bool_]) -> Any:
    """Convert numbers or truth values; numbers share the memory."""
    pa = pyarrow()
    if values.dtype == np.bool_:
        data = np.packbits(values, bitorder="little")
    else:
        data = values
    buffers = [bits(valid), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def truths(values: Any) -> NDArray[np.bool_]:
    """Return Arrow's truth values, none of them null; with NumPy's conversion, PyArrow imports pandas."""
    bits = np.frombuffer(content(values.buffers()[1]), np.uint8)
    return np.unpackbits(bits, bitorder="little")[values.offset : values.offset + len(values)].view(np.bool_)


def list_array(items: Any, offsets: NDArray[np.int64], width: int, valid: NDArray[np.bool_]) -> Any:
    """Convert lists; with a `width`, each has so many items."""
    pa = pyarrow()
    if width:
        kind, buffers = pa.list_(items.type, width), [bits(valid)]
    else:
        kind, buffers = pa.list_(items.type), [bits(valid), pa.py_buffer(offsets.astype(np.int32))]
    return pa.Array.from_buffers(kind, len(offsets) - 1, buffers, children=[items])


def for_parquet(array: Any) -> Any:
    """Return an array as values that each PyArrow reads back from a Parquet file."""
    types = pyarrow().types
    if types.is_fixed_size_list(array.type):
        # PyArrow before 26 cannot read columns with a missing value, nor write them as lists with its items
        valid = truths(array.is_valid())
        array = list_array(array.flatten(), np.append(0, np.cumsum(valid)) * array.type.list_size, 0, valid)
    if types.is_dictionary(array.type):
        return array
    return _as_type(array, _replace_types(array.type, _with_values))


def _with_values(kind: Any) -> Any:
    """Return the type of the values of a dictionary; any other type as it is.

    PyArrow cannot read lists and objects of a file with several row groups.
    """
    if pyarrow().types.is_dictionary(kind):
        return kind.value_type
    return kind


def _replace_types(kind: Any, change: Callable[[Any], Any]) -> Any:
    """Return a type in which the types of values that are not nested are changed."""
    pa = pyarrow()
    types = pa.types
    inner = [
        field.with_type(_replace_types(field.type, change))
        for field in map(kind.field, range(kind.num_fields))
    ]
    if types.is_struct(kind):
        return pa.struct(inner)
    if types.is_map(kind):
        key, item = (_replace_types(part, change) for part in (kind.key_type, kind.item_type))
        return pa.map_(kind.key_field.with_type(key), kind.item_field.with_type(item), kind.keys_sorted)
    if types.is_fixed_size_list(kind):
        return pa.list_(inner[0], kind.list_size)
    if types.is_list(kind):
        return pa.list_(inner[0])
    if types.is_large_list(kind):
        return pa.large_list(inner[0])
    return change(kind)


def bits(valid: NDArray[np.bool_]) -> Any:
    """Return Arrow's buffer that says which rows have a value; None if all have one."""
    if valid.all():
        return None
    return pyarrow().py_buffer(np.packbits(valid, bitorder="little"))
