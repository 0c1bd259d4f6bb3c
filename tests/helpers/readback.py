"""Records of an input, rows of an output, for comparison."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from packing import UNPACK
from pyarrow import parquet

from unidoku._table.batch import Batch
from unidoku.errors import UnidokuError, naming
from unidoku.files._chunks import NeededColumns, Reading
from unidoku.files._recognition import open_reader
from unidoku.files._source import open_source


class Records(NamedTuple):
    """Puzzles, other columns and rejects of an input."""

    puzzles: list[tuple[int, str]]
    extra: list[dict[str, str]]
    rejects: list[tuple[int, int, str]]


def read_all(
    content: bytes | Path | io.RawIOBase,
    name: str | None = None,
    options: Reading | None = None,
    target: int | Callable[[], int] = 1 << 16,
    line_max: int | None = None,
) -> Records:
    """Read bytes, a stream or a file, in the format `name` or a detected one, `target` bytes at a time."""
    records = Records([], [], [])
    options = (options or Reading(needed=NeededColumns(has_rest=True)))._replace(format=name)
    stream = io.BytesIO(content) if isinstance(content, bytes) else content
    with open_source(stream) as source, naming(source.name):
        reader = open_reader(source, options)
        if line_max is not None:
            reader.line_max = line_max  # type: ignore[attr-defined]
        for chunk in reader.chunks(target if callable(target) else lambda: target):
            for batch in chunk():
                if isinstance(batch, UnidokuError):
                    raise batch
                take(batch, records)
    return records


def take(batch: Batch, records: Records) -> None:
    """Add the records of a batch."""
    text = bytes(batch.text)
    for i, start in enumerate(batch.starts):
        cells = text[start : start + 81].decode("ascii")
        if not batch.empty_code:  # numbers
            cells = batch.puzzles().to_list()[i]
        assert len(cells) == 81
        records.puzzles.append((batch.lines[i], cells))
    columns = {name: column.as_strings().values for name, column in batch.puzzle_columns().items()}
    for i in range(len(batch)):
        texts = {
            name: bytes(text[starts[i] : ends[i]]).decode("utf-8", "replace")
            for name, (text, starts, ends) in columns.items()
        }
        records.extra.append({name: text for name, text in texts.items() if text})
    for reject in batch.rejects:
        records.rejects.append((reject.line, reject.column, reject.reason))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries, read by other libraries."""
    if path.suffix == ".parquet":
        return parquet.read_table(path).to_pylist()
    if path.suffix == ".arrow":
        return pa.ipc.open_file(path).read_all().to_pylist()
    if path.suffix == ".json":
        return json.loads(path.read_text())
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t"))


def as_text(value: Any) -> str:
    """Return a value as text of CSV."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return the files below a folder with their bytes, and its folders with None."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def decompress(path: Path) -> bytes:
    """Return the bytes of a file, decompressed by other libraries."""
    return UNPACK.get(path.suffix.lower(), bytes)(path.read_bytes())
