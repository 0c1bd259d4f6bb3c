"""Tables in files; damaged Arrow data, made by replacing bytes of good streams."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from example_puzzles import SOLUTION, UNIQUE
from pyarrow import parquet


def write_table(path: Path, table: Any, rows: int = 4, compression: str | None = None) -> None:
    """Write a Parquet file, an Arrow file or a stream, in groups of this many rows."""
    if path.suffix == ".parquet":
        packing = compression or "none"
        parquet.write_table(table, path, row_group_size=rows, compression=packing, use_dictionary=False)
        return
    new = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
    with new(str(path), table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table, max_chunksize=rows)


FAR = 1_000_000_000
ROWS = 12
WORDS = [UNIQUE, "." * 81, SOLUTION, "9" + "." * 80]
PUZZLES = (WORDS * ROWS)[:ROWS]


class Label(pa.ExtensionType):  # type: ignore[misc]
    """An extension type over strings in a dictionary."""

    def __init__(self) -> None:
        super().__init__(pa.dictionary(pa.int32(), pa.string()), "unidoku.test_label")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: Any, serialized: bytes) -> Label:
        return cls()


def _bytes(kind: str, *numbers: int) -> bytes:
    return np.array(numbers, kind).tobytes()


def _words(kind: str) -> tuple[bytes, bytes]:
    """Return the offsets of `WORDS`, and the same with one far outside."""
    return _bytes(kind, 0, 81, 162, 243, 324), _bytes(kind, 0, 81, FAR, 243, 324)


INDICES = ([0, 1, 2, 3] * ROWS)[:ROWS]
"""The indices of `PUZZLES` in `WORDS`."""


def _indices(index: int) -> tuple[bytes, bytes]:
    """Return the indices, and the same with another first index."""
    return _bytes("<i4", *INDICES), _bytes("<i4", index, *INDICES[1:])


def dictionary(kind: Any) -> Any:
    """Return `PUZZLES` as indices of four bytes in a dictionary of this type."""
    return pa.DictionaryArray.from_arrays(pa.array(INDICES, pa.int32()), pa.array(WORDS, kind))


def _view() -> tuple[bytes, bytes]:
    """Return the view of the second of `PUZZLES`, and the same in an absent buffer."""
    return struct.pack("<i4sii", 81, b"....", 0, 81), struct.pack("<i4sii", 81, b"....", 7, 81)


def _null_views() -> Any:
    """Return views, one of them null with a negative length, which PyArrow's own validation accepts."""
    good = pa.array(["x" * 13] * (ROWS - 1) + [None], pa.string_view())
    validity, views, text = good.buffers()
    content = views.to_pybytes()[: 16 * (ROWS - 1)] + struct.pack("<4i", -FAR, 0, 0, 0)
    return pa.Array.from_buffers(good.type, ROWS, [validity, pa.py_buffer(content), text])


_GOOD = pa.array([puzzle.encode() for puzzle in PUZZLES], pa.binary(81))  # has no offsets
_NULL_VIEWS = pa.ListArray.from_arrays(range(ROWS + 1), _null_views())
_RUNS = pa.RunEndEncodedArray.from_arrays(pa.array([5, 7, ROWS], pa.int32()), ["x", "y", "z"])

DAMAGED: dict[str, tuple[list[Any], tuple[bytes, bytes]]] = {
    "dictionary": ([dictionary(pa.string())], _words("<i4")),
    "large dictionary": ([dictionary(pa.large_string())], _words("<i8")),
    "dictionary of bytes": ([dictionary(pa.binary())], _words("<i4")),
    "index": ([dictionary(pa.string())], _indices(FAR)),
    "negative index": ([dictionary(pa.string())], _indices(-5)),
    "extension": ([pa.ExtensionArray.from_storage(Label(), dictionary(pa.string()))], _words("<i4")),
    "views": ([pa.array(PUZZLES, pa.string_view())], _view()),
    "text": ([pa.array(PUZZLES)], (UNIQUE[:40].encode(), b"\xff" + UNIQUE[1:40].encode())),
    "other dictionary": ([_GOOD, dictionary(pa.string())], _words("<i4")),
    "other structs": ([_GOOD, pa.StructArray.from_arrays([dictionary(pa.string())], ["x"])], _indices(FAR)),
    "other run ends": ([_GOOD, _RUNS], (_bytes("<i4", 5, 7, ROWS), _bytes("<i4", 5, FAR, ROWS))),
    "other null views in lists": ([_GOOD, _NULL_VIEWS], (b"", b"")),
}
"""A column of puzzles, perhaps with another one, and the bytes to replace."""


def damaged(name: str, *, file: bool = False) -> bytes:
    """Return an Arrow IPC stream (or file) of these columns with the bytes replaced."""
    columns, (old, new) = DAMAGED[name]
    table = pa.table(columns, names=["puzzle", "more"][: len(columns)])
    content = io.BytesIO()
    with (pa.ipc.new_file if file else pa.ipc.new_stream)(content, table.schema) as writer:
        writer.write_table(table)
    assert old in content.getvalue()
    return content.getvalue().replace(old, new)
