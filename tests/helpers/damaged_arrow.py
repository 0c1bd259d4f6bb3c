"""Tables in files; damaged Arrow data, made by replacing bytes of good streams."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import pytest
from example_puzzles import SOLUTION, UNIQUE

pa = pytest.importorskip("pyarrow")


def write_table(path: Path, table: Any, rows: int = 4, compression: str | None = None) -> None:
    """Write a Parquet file, an Arrow file or a stream, in groups of this many rows."""
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
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


def _words(numbers: str) -> tuple[bytes, bytes]:
    """Return the offsets of `WORDS`, and the same with one far outside."""
    places = [0, 81, 162, 243, 324]
    return struct.pack(f"<5{numbers}", *places), struct.pack(f"<5{numbers}", 0, 81, FAR, 243, 324)


def _indices(index: int) -> tuple[bytes, bytes]:
    """Return the indices of `PUZZLES` in `WORDS`, and the same with another first index."""
    places = ([0, 1, 2, 3] * ROWS)[:ROWS]
    return struct.pack(f"<{ROWS}i", *places), struct.pack(f"<{ROWS}i", index, *places[1:])


def _ends(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def dictionary(kind: Any) -> Any:
    """Return `PUZZLES` as indices of four bytes in a dictionary of this type."""
    numbers = pa.array(([0, 1, 2, 3] * ROWS)[:ROWS], pa.int32())
    return pa.DictionaryArray.from_arrays(numbers, pa.array(WORDS, kind))


def _view() -> tuple[bytes, bytes]:
    """Return the view of the second of `PUZZLES`, and the same in an absent buffer."""
    return struct.pack("<i4sii", 81, b"....", 0, 81), struct.pack("<i4sii", 81, b"....", 7, 81)


def _null_views() -> Any:
    """Return views, one of them null with a negative length, which PyArrow's own validation accepts."""
    good = pa.array(["x" * 13] * (ROWS - 1) + [None], pa.string_view())
    validity, views, text = good.buffers()
    content = views.to_pybytes()[: 16 * (ROWS - 1)] + struct.pack("<4i", -FAR, 0, 0, 0)
    return pa.Array.from_buffers(good.type, ROWS, [validity, pa.py_buffer(content), text])


TABLES: dict[str, tuple[dict[str, Any], tuple[bytes, bytes]]] = {
    "dictionary": ({"puzzle": dictionary(pa.string())}, _words("i")),
    "large dictionary": ({"puzzle": dictionary(pa.large_string())}, _words("q")),
    "dictionary of bytes": ({"puzzle": dictionary(pa.binary())}, _words("i")),
    "index": ({"puzzle": dictionary(pa.string())}, _indices(FAR)),
    "negative index": ({"puzzle": dictionary(pa.string())}, _indices(-5)),
    "extension": ({"puzzle": pa.ExtensionArray.from_storage(Label(), dictionary(pa.string()))}, _words("i")),
    "views": ({"puzzle": pa.array(PUZZLES, pa.string_view())}, _view()),
    "text": ({"puzzle": pa.array(PUZZLES)}, (UNIQUE[:40].encode(), b"\xff" + UNIQUE[1:40].encode())),
}
"""Tables with a column of puzzles to damage, and the bytes to replace."""

OTHERS: dict[str, tuple[Any, tuple[bytes, bytes]]] = {
    "dictionary": (dictionary(pa.string()), _words("i")),
    "null views in lists": (pa.ListArray.from_arrays(range(ROWS + 1), _null_views()), (b"", b"")),
    "structs": (pa.StructArray.from_arrays([dictionary(pa.string())], ["word"]), _indices(FAR)),
    "run ends": (
        pa.RunEndEncodedArray.from_arrays(pa.array([5, 7, ROWS], pa.int32()), ["x", "y", "z"]),
        (_ends(5, 7, ROWS), _ends(5, FAR, ROWS)),
    ),
}
"""Columns beside the puzzles to damage, and the bytes to replace."""


def stream(columns: dict[str, Any], change: tuple[bytes, bytes], *, file: bool = False) -> bytes:
    """Return an Arrow IPC stream (or file) of these columns with some bytes replaced."""
    table = pa.table(columns)
    content = io.BytesIO()
    with (pa.ipc.new_file if file else pa.ipc.new_stream)(content, table.schema) as writer:
        writer.write_table(table)
    old, new = change
    assert old in content.getvalue()
    return content.getvalue().replace(old, new)


def damaged(name: str, *, file: bool = False) -> bytes:
    """Return a stream of `TABLES`, or of `OTHERS` beside good puzzles."""
    if name in TABLES:
        return stream(*TABLES[name], file=file)
    array, change = OTHERS[name.removeprefix("other ")]
    puzzles = pa.array([puzzle.encode() for puzzle in PUZZLES], pa.binary(81))  # has no offsets
    return stream({"puzzle": puzzles, "more": array}, change, file=file)


DAMAGED = [*TABLES, *(f"other {name}" for name in OTHERS)]
