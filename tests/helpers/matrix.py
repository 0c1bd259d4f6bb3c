"""Records of every kind, the commands over them, and the formats that hold them, by other libraries.

`stored` has the rows of each command, as JSON lines beside the tests: what stands in them was compared by
hand with the records. `PYTHONPATH=tests/helpers python -m matrix` writes them anew.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from example_puzzles import CHAIN, CLASH, EIGHT, MULTIPLE, NOTHING, SOLUTION, TEN, TWO, UNIQUE
from pyarrow import parquet
from readback import as_text, rows_of

import unidoku
from unidoku import tasks

Row = dict[str, Any]
STORED = Path(__file__).parents[1] / "matrix"
LINKS = "...8.7.6...6...2.1..5.6....641....9292.....53...9.21.6..2.94.3........1..6435.927"
"""Its next step is an XY-cycle, with links."""

# puzzle, answer, whole number, fraction, truth, text, list and object
_RECORDS: list[tuple[Any, ...]] = [
    (UNIQUE, SOLUTION, 1, 1.5, True, "a", ["a"], {"k": [1]}),
    ('say "no", \\ \x01\ttab', "x", -(2**53), 2.0, False, "", [], {"k": []}),
    (TEN, SOLUTION, None, None, None, None, None, None),
    (EIGHT, None, 3, 1e300, True, 'a,"b";c', ["b", "c"], None),
    (MULTIPLE, "", 0, -0.25, False, "1", ["1"], {"k": None}),
    (UNIQUE[:80], SOLUTION, 5, 0.1, True, "two\nlines é", [""], {"k": [5]}),
    (CLASH, SOLUTION, 6, 1e-7, False, "tab\tand\\", ["数独"], {"k": [1, 2]}),
    (NOTHING, "534", 7, 7.0, True, " blanks ", None, {"k": [3]}),
    (SOLUTION, SOLUTION, 8, 8.125, None, "数独 é \U0001f600", [], None),
    (UNIQUE.replace(".", "0"), SOLUTION[:80] + "8", 2**62, None, False, "# no remark", ["x y"], {"k": [-1]}),
    ("", SOLUTION, 10, 10.5, True, "null", ["null"], {"k": [0]}),
    (f"{UNIQUE[:80]}!", UNIQUE, 11, 11.5, False, "'", ["'"], {"k": [11]}),
    (TWO, SOLUTION, 12, 12.5, True, "a", ["a"], {"k": [1]}),
    (UNIQUE, UNIQUE, 13, 13.5, None, "true", [None], {"k": [None]}),
    (f"{UNIQUE}1", None, None, 14.5, True, "-", ["-"], {"k": [14]}),
    (LINKS, CHAIN, 15, 15.5, False, "a\r\nb\r", ['"'], {"k": [15]}),
    (UNIQUE.replace(".", "*"), f" {SOLUTION}", 16, 16.5, True, "=1+1", ["="], {"k": [16]}),
    (None, SOLUTION, 17, 17.5, False, "puzzle", ["p"], {"k": [17]}),
]
NAMES = ("puzzle", "reply", "whole", "part", "truth", "text", "list", "object")
RECORDS: list[Row] = [
    {"id": number, **dict(zip(NAMES, values, strict=True))} for number, values in enumerate(_RECORDS, 1)
]

COMMANDS: dict[str, Any] = {
    "check": tasks.Check(),
    "check-all": tasks.Check(limit=1000, budget=1),
    "count": tasks.Count(),
    "solve": tasks.Solve(),
    "solutions": tasks.SolutionsTask(2),
    "rate": tasks.Rate(),
    "hint": tasks.HintTask(),
    "verify": tasks.Verify(prediction="reply"),
    "canonical": tasks.Canonical(),
    "minimize": tasks.Minimize(seed=1),
    "transform": tasks.Transform(count=2, seed=1),
    "convert": tasks.Convert(),
    "unique": tasks.Convert(unique="text"),
}


# --- formats ---


def _arrow(rows: list[Row]) -> Any:
    return pa.Table.from_pylist(rows)


def _write_csv(path: Path, rows: list[Row]) -> list[int]:
    lines, separator = [], "," if path.suffix == ".csv" else "\t"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0]], delimiter=separator)
        writer.writeheader()
        for row in rows:
            file.flush()
            lines.append(_lines(path.read_bytes().decode()) + 1)
            writer.writerow({name: as_text(value) for name, value in row.items()})
    return lines


def _lines(text: str) -> int:
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n")


def _write_jsonl(path: Path, rows: list[Row]) -> list[int]:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [*range(1, len(rows) + 1)]


def _write_json(path: Path, rows: list[Row]) -> list[int]:
    text = json.dumps(rows, indent=1)
    path.write_text(text, encoding="utf-8")
    return [number for number, line in enumerate(text.split("\n"), 1) if line == " {"]


def _write_parquet(path: Path, rows: list[Row]) -> list[int]:
    parquet.write_table(_arrow(rows), path)
    return [*range(1, len(rows) + 1)]


def _write_arrow(path: Path, rows: list[Row]) -> list[int]:
    table, ipc = _arrow(rows), pa.ipc
    with (ipc.new_stream if path.suffix == ".arrows" else ipc.new_file)(path, table.schema) as writer:
        writer.write_table(table, 5)
    return [*range(1, len(rows) + 1)]


def _write_npz(path: Path, rows: list[Row]) -> list[int]:
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    np.savez(path, **columns)
    return [*range(1, len(rows) + 1)]


def _write_npy(path: Path, rows: list[Row]) -> list[int]:
    np.save(path, [[int(cell) if cell.isdigit() else 0 for cell in row["puzzle"]] for row in rows])
    return [*range(1, len(rows) + 1)]


def _write_lines(path: Path, rows: list[Row]) -> list[int]:
    path.write_text("# first\n" + "".join(f"{row['puzzle']}\n" for row in rows), encoding="utf-8")
    return [*range(2, len(rows) + 2)]


def line_of(cells: Any) -> str:
    """Return 81 numbers as a line."""
    return "".join(map(str, cells)).replace("0", ".")


def _read_npz(path: Path) -> list[Row]:
    names = {"puzzles": "puzzle", "solutions": "solution"}
    with np.load(path) as arrays:
        columns = {
            names.get(name, name): (
                [*map(line_of, arrays[name])] if arrays[name].ndim == 2 else arrays[name].tolist()
            )
            for name in arrays
        }
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


class Form(NamedTuple):
    """How a format is written and read by other libraries."""

    kind: str  # what values become: text, JSON, typed, arrays, puzzles
    write: Callable[[Path, list[Row]], list[int]] | None = None  # the lines of the records
    read: Callable[[Path], list[Row]] | None = None


def _read_stream(path: Path) -> list[Row]:
    rows: list[Row] = pa.ipc.open_stream(path).read_all().to_pylist()
    return rows


FORMS = {
    ".csv": Form("text", _write_csv, rows_of),
    ".tsv": Form("text", _write_csv, rows_of),
    ".jsonl": Form("JSON", _write_jsonl, rows_of),
    ".json": Form("JSON", _write_json),
    "-few.jsonl": Form("JSON", _write_jsonl),  # puzzles alone, whose rows are made without NumPy
    ".parquet": Form("typed", _write_parquet, rows_of),
    ".arrow": Form("typed", _write_arrow, rows_of),
    ".arrows": Form("typed", _write_arrow, _read_stream),
    ".npz": Form("arrays", _write_npz, _read_npz),
    ".npy": Form("puzzles", _write_npy),
    ".txt": Form("puzzles", _write_lines),
}


def make(name: str, folder: Path) -> None:
    """Store the rows of a command."""
    source, output = folder / "in.jsonl", folder / "out.jsonl"
    _write_jsonl(source, RECORDS)
    unidoku.run(COMMANDS[name], source, output)
    rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    records = {record["id"]: record for record in RECORDS}
    for row in rows:  # without what it has of the input
        record = records[row["id"]]
        for column in NAMES[1:]:
            if row[column] == record[column]:
                del row[column]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (STORED / f"{name}.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    unidoku.run(COMMANDS[name], source, STORED / f"{name}.txt")


if __name__ == "__main__":
    STORED.mkdir(exist_ok=True)
    for command in sys.argv[1:] or COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            make(command, Path(folder))
