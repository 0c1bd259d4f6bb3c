"""Read an input to the end and lay it out for comparison; the rows of an output."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from unidoku.batch import Batch
from unidoku.files.formats import open_reader
from unidoku.files.source import open_source
from unidoku.options import Options


class Seen(NamedTuple):
    """Everything that a reader found in an input."""

    puzzles: list[tuple[int, str]]
    extra: list[dict[str, str]]
    rejects: list[tuple[int, int, str]]


def read_all(
    content: bytes | Path, name: str | None = None, options: Options | None = None, target: int = 1 << 16
) -> Seen:
    """Read bytes or a file, in the format called `name` or found out."""
    seen = Seen([], [], [])
    options = replace(options or Options(keep="all"), format=name)
    with open_source(str(content) if isinstance(content, Path) else io.BytesIO(content)) as source:
        scratch: dict[str, object] = {}
        for chunk in open_reader(source, options).chunks(lambda: target):
            for batch in chunk.batches(scratch):
                take(batch, seen)
            chunk.release()
    return seen


def take(batch: Batch, seen: Seen) -> None:
    """Add a batch to what was seen."""
    marked = set(batch.marked)
    text = bytes(batch.text)
    for i, start in enumerate(batch.starts):
        cells = text[start : start + (729 if i in marked else 81)].decode("ascii")
        assert len(cells) in (81, 729)
        seen.puzzles.append((batch.lines[i], cells))
    seen.extra.extend(record.extra for record in batch.records())
    for reject in batch.rejects:
        seen.rejects.append((reject.line, reject.column, reject.reason))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries, read without the help of the package."""
    if path.suffix == ".parquet":
        return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    if path.suffix == ".arrow":
        return pytest.importorskip("pyarrow").ipc.open_file(path).read_all().to_pylist()
    if path.suffix == ".json":
        return json.loads(path.read_text())
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t"))
