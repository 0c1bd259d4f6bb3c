"""Formats, commands and forms in memory: cells of the matrix give the stored rows of their command.

The records of `helpers/matrix.py` are written in one format and the rows are read in another, both by other
libraries. Each pair of formats and each pair of a format and a command has a test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest
from cases import in_turn
from matrix import COMMANDS, FORMS, RECORDS, STORED, Row, line_of
from readback import as_text

import unidoku

SOURCES = [name for name, form in FORMS.items() if form.write]
TARGETS = [name for name, form in FORMS.items() if form.read]
REJECTS = {2, 6, 11, 12, 15, 18}
REASON = ("reason", "reason_code")


CELLS = [
    (source, TARGETS[(number + place) % len(TARGETS)], command)
    for number, source in enumerate(SOURCES)
    for place, command in enumerate(COMMANDS)
    if command != "verify" or FORMS[source].kind != "puzzles"  # which have no answers
]
"""Each pair of formats, and each pair of a format and a command."""


def rows_of(command: str) -> list[Row]:
    """The stored rows of a command."""
    return [*map(json.loads, (STORED / f"{command}.jsonl").read_text(encoding="utf-8").splitlines())]


def records(kind: str, source: str) -> dict[int, Row]:
    """The records that a format can hold, by their numbers; few rows are those of puzzles alone."""
    rows = {row["id"]: row for row in RECORDS if source != "-few.jsonl" or row["id"] not in REJECTS}
    if kind == "text":
        return {k: {name: as_text(value) for name, value in row.items()} for k, row in rows.items()}
    if kind == "arrays":  # a column has one type
        names = ("puzzle", "reply", "text")
        texts = {k: {name: as_text(row[name]) for name in names} for k, row in rows.items()}
        return {k: {"id": k, **row} for k, row in texts.items()}
    if kind == "puzzles":
        return {k: row for k, row in rows.items() if row["puzzle"] and (source == ".txt" or k not in REJECTS)}
    return rows


def held(value: Any, source: str, target: str) -> Any:
    """A value of the input as it is in the output."""
    if target == "text" or (target == "arrays" and not (source == "arrays" and isinstance(value, int))):
        return as_text(value)
    return as_text(value) if target == "typed" and source == "JSON" and value is not None else value


def result(value: Any, target: str) -> Any:
    """A value of the command as it is in the output."""
    if target == "arrays" and isinstance(value, list):
        return json.dumps(value)
    if target != "text":
        return value
    return " ".join(value) if isinstance(value, list) else as_text(value)


def expected(
    command: str, source: str, target: str, records: dict[int, Row], lines: dict[int, int]
) -> list[Row]:
    """The rows of an output."""
    found = []
    for stored in rows_of(command):
        number = stored.pop("id")
        if number in records:
            others = {
                name: stored.pop(name, value) for name, value in records[number].items() if name != "puzzle"
            }
            row = {name: result(value, target) for name, value in stored.items()}
            if "line" in row:
                row["line"] = result(lines[number], target)
            if source != "puzzles":
                row |= {name: held(value, source, target) for name, value in others.items()}
            if number == 18:  # null, or nothing
                row["puzzle"] = held(records[number]["puzzle"], source, target)
            found.append(row)
    return found


@in_turn
@pytest.mark.parametrize(("source", "target", "command"), CELLS)
def test_rows(tmp_path: Path, source: str, target: str, command: str) -> None:
    written, read = FORMS[source], FORMS[target]
    rows = records(written.kind, source)
    assert written.write
    assert read.read
    numbers = written.write(tmp_path / f"in{source}", [*rows.values()])
    lines = dict(zip(rows, numbers, strict=True))
    unidoku.run(COMMANDS[command], tmp_path / f"in{source}", tmp_path / f"out{target}")
    found = read.read(tmp_path / f"out{target}")
    wanted = expected(command, written.kind, read.kind, rows, lines)
    if read.kind == "arrays":
        wanted = [without_missing(row, found[0]) for row in wanted if is_puzzle(row["puzzle"])]
    assert [*map(plain, found)] == [*map(plain, wanted)]
    assert [*map(kinds, found)] == [*map(kinds, wanted)]
    assert names_of(found) == names_of(wanted)


def is_puzzle(value: Any) -> bool:
    """Whether a value of the column of puzzles is one."""
    return isinstance(value, str) and len(value) == 81 and set(value) <= set(".123456789")


def without_missing(row: Row, first: Row) -> Row:
    """A row as in arrays, where each value has a type; they have no reasons."""

    def nothing(value: Any) -> Any:
        return "." * 81 if is_puzzle(value) else float("nan") if isinstance(value, float) else type(value)()

    return {
        name: nothing(first[name]) if value is None else value
        for name, value in row.items()
        if name not in REASON
    }


def plain(row: Row) -> Row:
    """A row with the first word of the reason of a record without a puzzle, whose rest is of its reader."""
    row = {name: "NaN" if str(value) == "nan" else value for name, value in row.items()}
    row |= {name: row.get(name) or "" for name in REASON}
    row["reason"] = re.sub("^expected (81|a digit|0).*", "expected", row["reason"])
    if row["reason"] == "expected":
        row["reason_code"] = bool(row["reason_code"])
    return row


def kinds(row: Row) -> dict[str, type]:
    """The types of a row, which are equal as 1, 1.0 and True are not."""
    return {name: type(value) for name, value in row.items() if name not in REASON}


def names_of(rows: list[Row]) -> list[str]:
    """The columns of the first row, without those of a reason, which JSON lines have where there is one."""
    return [name for name in rows[0] if name not in REASON]


# --- lines ---


@in_turn
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("source", [".jsonl", ".parquet"])
def test_lines(tmp_path: Path, source: str, command: str) -> None:
    write = FORMS[source].write
    assert write
    write(tmp_path / f"in{source}", RECORDS)
    unidoku.run(COMMANDS[command], tmp_path / f"in{source}", tmp_path / "out.txt")
    stored = (STORED / f"{command}.txt").read_text(encoding="utf-8")
    reason = re.compile("expected (81|a digit).*")
    assert reason.sub("-", (tmp_path / "out.txt").read_text(encoding="utf-8")) == reason.sub("-", stored)


PUZZLES: dict[str, Callable[[Path], list[str]]] = {
    ".npy": lambda path: [*map(line_of, np.load(path))],
    ".sdm": lambda path: path.read_text().split(),
    ".txt": lambda path: path.read_text().split(),
    ".sdk": lambda path: re.findall("[1-9.]{81}", re.sub(r"(?m)^\[.*|\n", "", path.read_text())),
    ".opensudoku": lambda path: [
        game.attrib["data"].replace(".", "!").replace("0", ".")
        for game in ElementTree.parse(path).iter("game")
    ],
}
"""Formats of puzzles alone, read by other libraries."""


@in_turn
@pytest.mark.parametrize("target", PUZZLES)
@pytest.mark.parametrize("command", ["convert", "unique", "transform", "canonical", "minimize"])
def test_puzzles_alone(tmp_path: Path, command: str, target: str) -> None:
    wanted = [row["puzzle"] for row in rows_of(command) if is_puzzle(row["puzzle"])]
    source = tmp_path / "in.csv"
    write = FORMS[".csv"].write
    assert write
    write(source, [*records("text", ".csv").values()])
    unidoku.run(COMMANDS[command], source, tmp_path / f"out{target}")
    assert PUZZLES[target](tmp_path / f"out{target}") == wanted
    if target != ".sdk":  # where a second board may be the state of the first
        unidoku.run(COMMANDS["convert"], tmp_path / f"out{target}", tmp_path / "back.txt")
        assert (tmp_path / "back.txt").read_text().split() == wanted


# --- memory ---

LINES = [row["puzzle"] for row in RECORDS]


def cells(kind: type | str = np.uint8) -> np.ndarray:
    """The records as numbers, with a 10 in one that is no puzzle."""
    rows = [
        [10] * 81 if number in REJECTS else [int(cell) if cell.isdigit() else 0 for cell in line]
        for number, line in enumerate(LINES, 1)
    ]
    return np.array(rows).astype(kind)


MEMORY: dict[str, Callable[[], Any]] = {
    "list": lambda: LINES,
    "tuple": lambda: (*LINES,),
    "generator": lambda: (line for line in LINES),
    "bytes in a list": lambda: [line and line.encode() for line in LINES],
    "grids": lambda: [unidoku.Grid(line) if k not in REJECTS else line for k, line in enumerate(LINES, 1)],
    "lists of numbers": lambda: cells(int).tolist(),
    "boards": lambda: cells(int).reshape(-1, 9, 9).tolist(),
    "lists of characters": lambda: [line and [*line] for line in LINES],
    "lines of bytes": lambda: "".join(f"{line or ''}\n" for line in LINES).encode(),
    "lines of Windows": lambda: bytearray("".join(f"{line or ''}\r\n" for line in LINES), "ascii"),
    "U": lambda: np.array([line or "" for line in LINES]),
    "S": lambda: np.array([line or "" for line in LINES], "S"),
    "O": lambda: np.array(LINES, object),
    "T": lambda: np.array([line or "" for line in LINES], np.dtypes.StringDType()),
    **{kind: partial(cells, kind) for kind in ("u1", "i1", "i2", ">i4", "u8", "f4", "f8")},
    "boards of numbers": lambda: cells().reshape(-1, 9, 9),
    "columns first": lambda: np.asfortranarray(cells()),
    "codes": lambda: np.where(cells() == 10, 33, cells() + 48),
    "Arrow": lambda: pa.array(LINES),
    "Arrow large": lambda: pa.array(LINES, pa.large_string()),
    "Arrow views": lambda: pa.array(LINES, pa.string_view()),
    "Arrow bytes": lambda: pa.array([line and line.encode() for line in LINES]),
    "Arrow words": lambda: pa.array(LINES).dictionary_encode(),
    "Arrow numbers": lambda: pa.array(cells(int).tolist()),
    "Arrow chunks": lambda: pa.chunked_array([LINES[:5], LINES[5:]]),
    "pandas": lambda: pandas.Series(LINES, dtype=object),
    "pandas text": lambda: pandas.Series(LINES, dtype="string"),
    "pandas words": lambda: pandas.Series(LINES, dtype="category"),
    "pandas table": lambda: pandas.DataFrame({"puzzle": LINES}),
    "Polars": lambda: polars.Series(LINES),
    "Polars words": lambda: polars.Series(LINES, dtype=polars.Categorical),
    "Polars numbers": lambda: polars.Series(cells(int).tolist()),
}
"""Forms of many puzzles."""
MANY = ["check", "count", "solve", "solutions", "rate", "hint", "canonical", "minimize", "transform"]
IN_MEMORY = [
    (form, command) for form, command in product(MEMORY, MANY) if form == "list" or command == "check"
]


@in_turn
@pytest.mark.parametrize(("form", "command"), IN_MEMORY)
def test_forms(form: str, command: str) -> None:
    result = unidoku.run_many(COMMANDS[command], MEMORY[form](), errors="invalid")
    table, stored = pa.table(result), rows_of(command)
    table.validate(full=True)
    rows = table.to_pylist()
    assert [int(row) + 1 for row in result.source_rows] == [row["id"] for row in stored]
    names = {*rows[0]} & {*stored[0]}
    assert names >= {*stored[0]} - {"id", "line", "puzzle", "reply", "reason_code"}  # reasons have theirs
    for row, wanted in zip(map(plain, rows), map(plain, stored), strict=True):
        if wanted["id"] in REJECTS and "puzzle" in names:
            wanted["puzzle"] = None
        assert {name: row[name] for name in names} == {name: wanted[name] for name in names}
