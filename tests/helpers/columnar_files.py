"""Damaged Arrow and Parquet files by number; as a script, reads some of them and ends with the first fault.

``python columnar_files.py FIRST COUNT`` prints kind and number of each file before it is read, so that the
parent knows which one ended the process.
"""

from __future__ import annotations

import io
import os
import random
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku.errors import UnidokuError
from unidoku.tasks import Convert

PUZZLES = [PUZZLE, "." * 81, PUZZLE[:40], None, "9" + "." * 80, PUZZLE] * 4
ROWS = len(PUZZLES)
SUFFIXES = [".csv", ".jsonl", ".parquet", ".arrow", ".txt"]
NUMBERS = [0, 1, 2, 3, 7, 8, 80, 81, 82, 127, 128, 255, 256, 1 << 15, 1 << 16, (1 << 31) - 1, 1 << 31, 10**9]
NUMBERS += [10**12, 1 << 40, 1 << 62, 0xFFFFFF80]
NUMBERS += [(1 << 32) - 1, (1 << 63) - 1, (1 << 64) - 1, (1 << 64) - 5]


def dictionary(kind: Any = None, index: Any = None) -> Any:
    """The puzzles in a dictionary."""
    words = sorted({each for each in PUZZLES if each})
    numbers = [None if each is None else words.index(each) for each in PUZZLES]
    texts = [word.encode() for word in words]
    return pa.DictionaryArray.from_arrays(
        pa.array(numbers, index or pa.int32()), pa.array(texts, pa.binary()).cast(kind or pa.string())
    )


def run_ends(kind: Any) -> Any:
    """Three values in runs."""
    ends = pa.array([5, 7, ROWS], kind)
    return pa.RunEndEncodedArray.from_arrays(ends, pa.array(["x", None, "long enough for a view"]))


def union(dense: bool) -> Any:
    """Return numbers and texts alternately."""
    types = pa.array([0, 1] * (ROWS // 2), pa.int8())
    if dense:
        places = pa.array(np.arange(ROWS) // 2, pa.int32())
        return pa.UnionArray.from_dense(types, places, [pa.array(range(ROWS)), pa.array(["u"] * ROWS)])
    return pa.UnionArray.from_sparse(types, [pa.array(range(ROWS)), pa.array(["u"] * ROWS)])


@cache
def columns() -> dict[str, Any]:
    """A column of every type, by its name; those of puzzles first."""
    texts = [None if each is None else each.encode() for each in PUZZLES]
    fixed = [None if each is None else each.ljust(81, b".") for each in texts]
    lists = [[1, 2], None, [], [3]] * (ROWS // 4)
    found = {
        "string": pa.array(PUZZLES),
        "large_string": pa.array(PUZZLES, pa.large_string()),
        "binary": pa.array(texts, pa.binary()),
        "large_binary": pa.array(texts, pa.large_binary()),
        "fixed": pa.array(fixed, pa.binary(81)),
        "string_view": pa.array(PUZZLES, pa.string_view()),
        "binary_view": pa.array(texts, pa.binary_view()),
        "dictionary": dictionary(),
        "dictionary8": dictionary(pa.large_string(), pa.int8()),
        "dictionary64": dictionary(pa.binary(), pa.uint64()),
        "dictionary of views": dictionary(pa.string_view()),
        "extension": pa.ExtensionArray.from_storage(pa.json_(pa.string()), pa.array(PUZZLES)),
        "opaque": pa.ExtensionArray.from_storage(pa.opaque(pa.string(), "t", "v"), pa.array(PUZZLES)),
    }
    words = pa.array(["a", "b", None, "cc"] * (ROWS // 4)).dictionary_encode()
    found |= {
        "run ends": run_ends(pa.int32()),
        "run ends 16": run_ends(pa.int16()),
        "run ends 64": run_ends(pa.int64()),
        "list": pa.array(lists, pa.list_(pa.int64())),
        "large list": pa.array(lists, pa.large_list(pa.int16())),
        "list view": pa.array(lists, pa.list_view(pa.int64())),
        "large list view": pa.array(lists, pa.large_list_view(pa.int64())),
        "dense union": union(True),
        "sparse union": union(False),
        "fixed list": pa.array([[1, 2], None] * (ROWS // 2), pa.list_(pa.int32(), 2)),
        "list of words": pa.ListArray.from_arrays(pa.array([*range(ROWS), ROWS], pa.int32()), words),
        "nested": pa.array([[[["x"], []], None], []] * (ROWS // 2)),
        "map": pa.array([[("k", 1)], []] * (ROWS // 2), pa.map_(pa.string(), pa.int32())),
        "struct": pa.StructArray.from_arrays([words, pa.array(range(ROWS))], ["word", "n"]),
        "numbers": pa.array([*range(ROWS - 1), None]),
        "floats": pa.array([float("nan"), 1.5, -0.0, None] * (ROWS // 4)),
        "halves": pa.array(np.arange(ROWS, dtype=np.float16)),
        "truth": pa.array([True, None, False] * (ROWS // 3)),
        "decimal": pa.array([Decimal("1.50"), None] * (ROWS // 2), pa.decimal128(9, 2)),
        "decimal256": pa.array([Decimal("1.50"), None] * (ROWS // 2), pa.decimal256(40, 2)),
        "date": pa.array([date(2020, 1, 1), None] * (ROWS // 2)),
        "date64": pa.array([date(2020, 1, 1), None] * (ROWS // 2), pa.date64()),
        "moment": pa.array([datetime(2020, 1, 1), None] * (ROWS // 2), pa.timestamp("ns", "Europe/Berlin")),
        "time": pa.array([1, None] * (ROWS // 2), pa.time64("ns")),
        "duration": pa.array([timedelta(1), None] * (ROWS // 2)),
        "interval": pa.array([(1, 2, 3), None] * (ROWS // 2), pa.month_day_nano_interval()),
        "null": pa.nulls(ROWS),
        "uuid": pa.ExtensionArray.from_storage(
            pa.uuid(), pa.array([b"0123456789abcdef"] * ROWS, pa.binary(16))
        ),
        "bool8": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0] * (ROWS // 2), pa.int8())),
        "tensor": pa.ExtensionArray.from_storage(
            pa.fixed_shape_tensor(pa.int32(), [2]), pa.array([[1, 2]] * ROWS, pa.list_(pa.int32(), 2))
        ),
        "words": words,
    }
    return found


def ipc(new: str, **options: Any) -> Callable[[Any], bytes]:
    """What writes a table as an Arrow IPC file or stream."""

    def write(table: Any) -> bytes:
        content = io.BytesIO()
        made = getattr(pa.ipc, new)(content, table.schema, options=pa.ipc.IpcWriteOptions(**options))
        with made as writer:
            writer.write_table(table, max_chunksize=10)
        return content.getvalue()

    return write


def parquet(**options: Any) -> Callable[[Any], bytes]:
    """What writes a table as Parquet."""

    def write(table: Any) -> bytes:
        content = io.BytesIO()
        pq.write_table(table, content, row_group_size=15, data_page_size=64, **options)
        return content.getvalue()

    return write


def encoded(text: str, number: str) -> dict[str, object]:
    """Options of Parquet for columns of texts and numbers."""
    names = {"string": text, "binary": text, "numbers": number, "floats": "BYTE_STREAM_SPLIT"}
    return {"use_dictionary": False, "column_encoding": names, "compression": "none"}


KINDS: dict[str, Callable[[Any], bytes]] = {
    "file": ipc("new_file"),
    "stream": ipc("new_stream", emit_dictionary_deltas=True),
    "compressed file": ipc("new_file", compression="lz4"),
    "compressed stream": ipc("new_stream", compression="zstd"),
    "parquet": parquet(),
    "plain parquet": parquet(use_dictionary=False, compression="none"),
    "dictionary parquet": parquet(compression="none", data_page_version="2.0"),
    "delta parquet": parquet(**encoded("DELTA_BYTE_ARRAY", "DELTA_BINARY_PACKED")),
    "lengths parquet": parquet(**encoded("DELTA_LENGTH_BYTE_ARRAY", "DELTA_BINARY_PACKED")),
}


@cache
def seeds(kind: str) -> list[bytes]:
    """Good files: each column with puzzles or beside puzzles, and all together."""
    found = []
    puzzles = columns()["string"]
    tables = [{"puzzle": array} for array in list(columns().values())[:13]]
    tables += [{"puzzle": puzzles, name: array} for name, array in columns().items()]
    tables += [
        {"puzzle": puzzles, "string": puzzles, "binary": columns()["binary"], "numbers": columns()["numbers"]}
    ]
    for each in tables:
        try:
            found.append(KINDS[kind](pa.table(each)))
        except (pa.ArrowException, OSError):  # Parquet has no such type
            continue
    return found


def damaged(kind: str, number: int) -> bytes:
    """A file with a few numbers, bits or pieces changed; the same for the same number."""
    draw = random.Random(f"{kind} {number}")
    data = bytearray(draw.choice(seeds(kind)))
    for _ in range(draw.choice([1, 1, 2, 4])):
        at = draw.randrange(len(data))
        how = draw.random()
        if how < 0.5:  # where a number is likely to be
            width = draw.choice([4, 8])
            at -= at % width
            old = int.from_bytes(data[at : at + width], "little")
            value = draw.choice([draw.choice(NUMBERS), old + draw.choice([-2, -1, 1, 2, 81]), old << 1])
            data[at : at + width] = struct.pack("<Q", value % (1 << 64))[: min(width, len(data) - at)]
        elif how < 0.8:
            data[at] = draw.choice([0, 1, 0x7F, 0x80, 0xFF, data[at] ^ 1 << draw.randrange(8)])
        elif how < 0.9:
            other = draw.randrange(len(data))
            size = min(draw.choice([4, 8, 16, 64]), len(data) - max(at, other))
            data[at : at + size] = data[other : other + size]
        elif how < 0.95:
            del data[at : at + draw.choice([1, 4, 8, 64])]
        else:
            del data[at:]
    return bytes(data)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Pass our own errors, if they can be printed; all others end the script."""
    try:
        yield
    except UnidokuError as error:
        if not str(error).isprintable():
            raise ValueError("the message has control characters") from error


def read(content: bytes, number: int, folder: Path) -> None:
    """Read a file as the commands do, and its columns as the functions do."""
    suffix = SUFFIXES[number % len(SUFFIXES)]
    path = folder / "in"
    path.write_bytes(content)
    given: Any = path if number % 3 else io.BytesIO(content)
    for output in (None, folder / f"out{suffix}"):
        with clear_errors():
            if suffix == ".txt" and output is not None:
                unidoku.run(Convert(), given, output)
            else:
                unidoku.check_file(given, output=output, limit=2, budget=1000, threads=1)
        if not isinstance(given, Path):
            given.seek(0)
    if content[:4] == b"PAR1":
        return
    opening = pa.ipc.open_file if content[:6] == b"ARROW1" else pa.ipc.open_stream
    try:
        with opening(content) as opened:
            table = opened.read_all()
            columns = table.columns
    except (pa.ArrowException, OSError, ValueError, MemoryError, KeyError):
        return
    for each in columns:
        with clear_errors():
            unidoku.check_many(each, errors="invalid", limit=2, budget=1000, threads=1)


MEMORY = 2 << 30  # bytes that a process may have beside what it has; in .ci/sanitize too


@contextmanager
def limited(extra: int) -> Iterator[None]:
    """Let the process have so many bytes more than it has."""
    import resource

    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + extra, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def main(first: int, count: int) -> None:
    """Read some damaged files of each kind."""
    # A damaged file may ask PyArrow for any amount of memory.
    bounded = sys.platform == "linux" and "UNIDOKU_SANITIZED" not in os.environ
    with limited(MEMORY) if bounded else nullcontext(), tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for number in range(first, first + count):
                print(f"{kind} {number}", flush=True)
                read(damaged(kind, number), number, Path(folder))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
