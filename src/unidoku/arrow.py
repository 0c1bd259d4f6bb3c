"""Import and export Arrow columns through the PyCapsule interface, without copying the puzzles.

PyArrow (the extra ``arrow``) imports and exports; the kernel reads the column's own buffers.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.errors import FormatError, InputError, UnidokuError, needs_extra

if TYPE_CHECKING:
    import numpy.typing as npt


def pyarrow() -> Any:
    """Import PyArrow."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:  # not around it all: it is asked for each column of each batch
        with needs_extra("arrow", "Arrow and Parquet need PyArrow"):
            raise
    return pa


def has_interface(data: object) -> bool:
    """Return whether the object has the Arrow PyCapsule interface."""
    return hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__")


def installed() -> bool:
    """Return whether PyArrow is installed."""
    return find_spec("pyarrow") is not None


def numpy_takes(data: Any) -> bool:
    """Whether NumPy may convert it: PyArrow ends the process for some types where pandas is not installed."""
    if not type(data).__module__.startswith("pyarrow"):
        return True
    kinds = data.schema.types if hasattr(data, "schema") else [getattr(data, "type", None)]
    return all(kind is not None and pyarrow().types.is_integer(kind) for kind in kinds)


def validated(data: Any) -> Any:
    """Validate Arrow data from elsewhere, and return them; an `InputError` says where they are damaged.

    PyArrow trusts offsets, indices and run ends: computing on wrong ones, even exporting them, reads or
    writes outside the buffers. Other data than PyArrow's are returned unchanged: import them first.
    """
    pa = pyarrow()
    if isinstance(data, pa.RecordBatchReader):
        data = data.read_all()
    try:
        if isinstance(data, pa.Array | pa.ChunkedArray | pa.RecordBatch | pa.Table):
            data.validate(full=True)
            if not all(map(_has_good_nulls, _arrays(pa, data))):
                raise InputError("damaged Arrow data: the view of a null is outside its text")
    except pa.ArrowException as error:
        raise InputError(f"damaged Arrow data: {shown(error)}") from error
    return data


def shown(what: object) -> str:
    """Return PyArrow's text for a type or an error in one line; names of columns may be anything."""
    return ascii(str(what).partition("\n")[0][:1000])[1:-1]


def _arrays(pa: Any, data: Any) -> Iterator[Any]:
    """Yield all arrays that some data consist of, nested ones too."""
    if isinstance(data, pa.Table):
        inner = data.to_batches()
    elif isinstance(data, pa.RecordBatch):
        inner = [data.column(k) for k in range(data.num_columns)]
    elif isinstance(data, pa.ChunkedArray):
        inner = data.chunks
    else:
        yield data
        kind = data.type
        if isinstance(data, pa.ExtensionArray):
            inner = [data.storage]
        elif pa.types.is_dictionary(kind):
            inner = [data.dictionary]
        elif pa.types.is_struct(kind) or pa.types.is_union(kind):
            inner = [data.field(k) for k in range(kind.num_fields)]
        else:  # maps, lists of every kind, run ends
            inner = [data.values] if pa.types.is_nested(kind) or pa.types.is_run_end_encoded(kind) else []
    for each in inner:
        yield from _arrays(pa, each)


def _has_good_nulls(array: Any) -> bool:
    """Return whether views of nulls are inside their texts: PyArrow uses them, but does not validate them."""
    types = pyarrow().types
    if not (types.is_string_view(array.type) or types.is_binary_view(array.type)) or not array.null_count:
        return True
    _, views, *texts = array.buffers()
    null = np.asarray(array.is_null())
    found = np.frombuffer(views, np.int32).reshape(-1, 4)[array.offset : array.offset + len(array)][null]
    size, _, which, begin = found[(found[:, 0] < 0) | (found[:, 0] > 12)].T.astype(np.int64)
    lengths = np.array([each.size for each in texts] + [-1])
    known = (which >= 0) & (which < len(texts))
    inside = begin + size <= lengths[np.where(known, which, -1)]
    return bool(np.all((size >= 0) & (begin >= 0) & inside))


def longest_repeated(data: Any) -> int:
    """Return the size in bytes, at least 1, of the longest value that validated data have for many rows."""
    pa = pyarrow()
    longest = 1
    for array in _arrays(pa, data):
        kind = array.type
        if pa.types.is_dictionary(kind):
            values = array.dictionary
        elif pa.types.is_run_end_encoded(kind):
            values = array.values
        else:
            values = array if _is_view(array) else None
        if values is not None and len(values):
            longest = max(longest, _longest(values))
    return longest


def _longest(values: Any) -> int:
    """Return the bytes of the longest of some values; of nested ones, those of all."""
    types = pyarrow().types
    if isinstance(values, pyarrow().ExtensionArray):
        values = values.storage
    kind, offset = values.type, values.offset
    if _is_view(values):
        views = np.frombuffer(values.buffers()[1], np.int32).reshape(-1, 4)[offset : offset + len(values)]
        return int(views[:, 0].max())
    if types.is_nested(kind):
        return int(values.nbytes)
    small = types.is_string(kind) or types.is_binary(kind)
    if small or types.is_large_string(kind) or types.is_large_binary(kind):
        places = np.frombuffer(values.buffers()[1], np.int32 if small else np.int64)
        return int(np.diff(places[offset : offset + len(values) + 1]).max())
    return int(kind.byte_width) if types.is_fixed_size_binary(kind) else 16


def _is_view(array: Any) -> bool:
    types = pyarrow().types
    return bool(types.is_string_view(array.type) or types.is_binary_view(array.type))


def without_views(array: Any) -> Any:
    """Return an Arrow array with strings in place of string views, which PyArrow cannot take."""
    pa = pyarrow()
    kind = array.type
    if pa.types.is_dictionary(kind):
        words = without_views(array.dictionary)
        if words is array.dictionary:
            return array
        return pa.DictionaryArray.from_arrays(array.indices, words, ordered=kind.ordered)
    if pa.types.is_string_view(kind):
        return array.cast(pa.large_string())
    return array.cast(pa.large_binary()) if pa.types.is_binary_view(kind) else array


def with_indices(array: Any) -> Any:
    """Return a run-end encoded array as a dictionary array of the same values."""
    begin, count = array.find_physical_offset(), array.find_physical_length()
    ends = array.run_ends[begin : begin + count].to_numpy().astype(np.int64) - array.offset
    lengths = np.diff(ends.clip(max=len(array)), prepend=0)
    indices = number_array(np.repeat(np.arange(count, dtype=np.int32), lengths))
    return pyarrow().DictionaryArray.from_arrays(indices, array.values[begin : begin + count])


def is_list(kind: Any) -> bool:
    """Return whether a type has lists of any kind."""
    types = pyarrow().types
    tests = types.is_list, types.is_large_list, types.is_fixed_size_list, types.is_list_view
    return any(test(kind) for test in (*tests, types.is_large_list_view))


def is_bytes(kind: Any) -> bool:
    """Return whether a type has bytes of any kind."""
    types = pyarrow().types
    tests = types.is_binary, types.is_large_binary, types.is_fixed_size_binary, types.is_binary_view
    return any(test(kind) for test in tests)


def innermost(kind: Any) -> Any:
    """Return the type of the values of lists, of lists within these, and so on."""
    while hasattr(kind, "value_type"):
        kind = kind.value_type
    return kind


def chunked(data: Any) -> Any:
    """Convert a column of any kind to a PyArrow chunked array, validated."""
    pa = pyarrow()
    try:
        if isinstance(data, pa.Array):
            data = pa.chunked_array([data])
        data = validated(data)
        if isinstance(data, pa.ChunkedArray):
            return data
        if hasattr(data, "__arrow_c_stream__"):
            return validated(pa.chunked_array(data))
        return validated(pa.chunked_array([pa.array(data)]))
    except UnidokuError:
        raise
    except (TypeError, ValueError, pa.ArrowException) as error:
        reason = "; ".join(map(str, error.args))  # pandas has the column in a second one
        raise FormatError(f"PyArrow cannot read it: {shown(reason)}") from error


def number_array(values: npt.NDArray[Any], valid: npt.NDArray[np.bool_] | None = None) -> Any:
    """Convert numbers or truth values; numbers share the memory."""
    pa = pyarrow()
    data = np.packbits(values, bitorder="little") if values.dtype == np.bool_ else values
    buffers = [bits(valid), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def grid_array(grids: npt.NDArray[np.uint8], valid: npt.NDArray[np.bool_] | None = None) -> Any:
    """Convert texts of 81 characters each, which share the memory."""
    pa = pyarrow()
    n, small = grids.size // 81, grids.size < 1 << 31
    offsets = pa.py_buffer(np.arange(0, 81 * n + 1, 81, dtype=np.int32 if small else np.int64))
    return pa.Array.from_buffers(
        pa.string() if small else pa.large_string(), n, [bits(valid), offsets, pa.py_buffer(grids)]
    )


def list_array(
    items: Any, offsets: npt.NDArray[np.int64], width: int, valid: npt.NDArray[np.bool_] | None = None
) -> Any:
    """Convert lists; with a `width`, each has so many items."""
    pa = pyarrow()
    if width:
        kind, buffers = pa.list_(items.type, width), [bits(valid)]
    elif offsets[-1] < 1 << 31:
        kind, buffers = pa.list_(items.type), [bits(valid), pa.py_buffer(offsets.astype(np.int32))]
    else:
        kind, buffers = pa.large_list(items.type), [bits(valid), pa.py_buffer(offsets)]
    return pa.Array.from_buffers(kind, len(offsets) - 1, buffers, children=[items])


def for_parquet(array: Any) -> Any:
    """Return an array as values that each PyArrow reads back from a Parquet file."""
    types = pyarrow().types
    if types.is_fixed_size_list(array.type):
        # PyArrow before 26 writes Parquet files that it cannot read if one of these is missing.
        valid = np.asarray(array.is_valid())
        offsets = np.append(0, np.cumsum(valid)) * array.type.list_size
        array = list_array(array.flatten(), offsets, 0, valid)
    kind = array.type if types.is_dictionary(array.type) else _with_values(array.type)
    return array if kind == array.type else array.cast(kind)


def _with_values(kind: Any) -> Any:
    """Return a type with values in place of dictionaries.

    PyArrow cannot read those of lists and objects where a file has several row groups.
    """
    pa = pyarrow()
    types = pa.types
    if types.is_dictionary(kind):
        return kind.value_type
    inner = [field.with_type(_with_values(field.type)) for field in map(kind.field, range(kind.num_fields))]
    if types.is_struct(kind):
        return pa.struct(inner)
    if types.is_map(kind):
        key, item = (_with_values(each) for each in (kind.key_type, kind.item_type))
        return pa.map_(kind.key_field.with_type(key), kind.item_field.with_type(item), kind.keys_sorted)
    if types.is_fixed_size_list(kind):
        return pa.list_(inner[0], kind.list_size)
    if types.is_list(kind):
        return pa.list_(inner[0])
    return pa.large_list(inner[0]) if types.is_large_list(kind) else kind


def bits(valid: npt.NDArray[np.bool_] | None) -> Any:
    """Return Arrow's buffer that says which rows have a value; None if all have one."""
    if valid is None or valid.all():
        return None
    return pyarrow().py_buffer(np.packbits(valid, bitorder="little"))
