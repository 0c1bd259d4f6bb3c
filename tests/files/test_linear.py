"""Work and memory of every reader on its worst inputs: linear time, constant memory.

Work is counted (lines of Python executed, bytes read), never timed.
"""

from __future__ import annotations

import io
import json
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from cases import in_turn
from example_puzzles import UNIQUE as A

import unidoku
from unidoku.errors import UnidokuError
from unidoku.files import _grids as grids
from unidoku.files._chunks import Reading
from unidoku.files._formats import FORMATS
from unidoku.files._recognition import open_reader
from unidoku.files._source import open_source
from unidoku.tasks import Convert

ROWS = "\n".join(A[i : i + 9] for i in range(0, 81, 9)) + "\n"
STEPS = 6000  # bytes of the smaller input where steps are counted


def repeat(text: str) -> Callable[[int], bytes]:
    """Repeat a text to a number of bytes."""
    return lambda size: (text * (size // len(text) + 1)).encode()[:size]


def after(head: str, text: str, tail: str = "") -> Callable[[int], bytes]:
    """Repeat a text between a beginning and an end."""
    return lambda size: head.encode() + repeat(text)(size) + tail.encode()


def names(size: int) -> bytes:
    """Return a CSV header that repeats one name; readers look for a header in the first 64 KiB."""
    return b"puzzle," + b"a," * (size // 8) + b"b\n"


LINES = {
    "one line": repeat("."),
    "one line of fields": repeat("1 "),
    "blank lines": repeat("\n"),
    "CR only": repeat("1" * 80 + "\r"),
    "comments": repeat("#\n"),
    "bytes that are not text": lambda size: b"\xff\0" * (size // 2),
}
SHAPES: dict[str, dict[str, Callable[[int], bytes]]] = {
    name: dict(LINES) for name in FORMATS if name not in {"parquet", "arrow"}
}
SHAPES["lines"] |= {"a puzzle and a long rest": after(f"{A} ", "y", f"\n{A}")}
SHAPES["csv"] |= {
    "repeated names": names,
    "repeated numbered names": lambda size: (
        b"puzzle" + b"".join(b",a,a_%d" % i for i in range(size // 32)) + b"\n"
    ),
    "quotes": after("id,puzzle\n", '"'),
    "open quote": after('id,puzzle\n"', "x\n"),
    "CR only with puzzles": after("id,puzzle\r", f"1,{A}\r"),
}
SHAPES["jsonl"] |= {
    "brackets": repeat("["),
    "extra values": repeat(json.dumps({"puzzle": A, "remark": "x" * 900}) + "\n"),
    "escapes": after('{"puzzle":"', "\\u0031"),
    "array of objects": after("[", json.dumps({"puzzle": A, "remark": "x" * 90}) + ", ", "{}]"),
    "array of strings": after("[", f'"{A}",', '""]'),
}
SHAPES["grid"] |= {  # one reader reads sdk and ss too
    "sections": repeat("[Puzzle]\n[State]\nx\n"),
    "borders": repeat("---------\n"),
    "a long border": after("", "-", "x"),
    "markup": after("1 ", "*", " 2"),
    "candidates": repeat("12 3 4 5 6 7 8 9 1\n"),
    "the same grid": repeat(ROWS + "\n"),
    "remarks": repeat("1 #"),
    "bars": repeat("| "),
    "rows of eight, apart": repeat("12345678\n\n"),
    "rows of ten cells, apart": repeat("1 2 3 4 5 6 7 8 9 1\n\n"),
    "bands": repeat("Top:\n123456789\n123456789\n12345678.\n"),
    "boards and damaged runs": repeat(f"{ROWS}\n{A[:79]}\n\n"),
    "damaged boards": repeat(f"{ROWS[:-4]}\n\n"),
    "boards below rules, one damaged": after("---\n1\n", f"---\n{ROWS}"),
    "lines of 80 cells": repeat(f"{A[:80]}\n"),
    "names of cells": repeat("r1c1=5, r2c3=4, "),
}
SHAPES["opensudoku"] |= {
    "elements": after("<opensudoku>", "<a/>", "</opensudoku>"),
    "games": after("<opensudoku>", f'<game data="{A}"/>\n'),
}


def read_through(content: bytes, name: str) -> None:
    """Read a content to its end or to the first error."""
    with suppress(UnidokuError), open_source(io.BytesIO(content)) as source:
        for chunk in open_reader(source, Reading(format=name)).chunks(lambda: 1 << 14):
            for _ in chunk():
                pass


def steps_of(work: Callable[[bytes], object], content: bytes) -> int:
    """Count the lines of Python that work executes."""
    steps = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal steps
        steps += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        work(content)
    finally:
        sys.settrace(before)
    return steps


def peak_of(content: bytes, name: str) -> int:
    """Measure the peak of memory of reading, in bytes."""
    tracemalloc.start()
    try:
        read_through(content, name)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


CASES = [
    pytest.param(
        name, shape, marks=[pytest.mark.slow] if number else []
    )  # one shape a reader is for each run
    for name, shapes in SHAPES.items()
    for number, shape in enumerate(shapes)
]


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_work_is_linear(name: str, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "_PIECE", 1000)
    make, work = SHAPES[name][shape], partial(read_through, name=name)
    work(make(3 * STEPS))  # imports and patterns; the lines of the last content are kept
    small, large = (steps_of(work, make(size)) for size in (STEPS, 2 * STEPS))
    assert large <= 2.2 * small + 2000


ANSWERS = {
    "signs": "5 3 . 7\n. 9\n53..7\n\n",
    "frames": "| 5 3 . | . 7 . |\n+---+\n",
    "words": "the cell 5 is 3, row 4: 53.. 7\n",
    "names of cells": "r1c1=5, r2c3=4, ",
    "wrapped boards and rows of another size": "\n".join(
        [*(A[begin : begin + 27] for begin in (0, 27, 54)), "then", *["5 3 . . 7 ."] * 4, "or", ""]
    ),
}


@in_turn
@pytest.mark.parametrize("name", ANSWERS)
def test_work_on_an_answer_is_linear(name: str) -> None:
    make, work = repeat(ANSWERS[name]), partial(unidoku.verify, A)
    work(make(3 * STEPS))  # imports and patterns; the lines of the last content are kept
    small, large = (steps_of(work, make(size)) for size in (3 * STEPS, 6 * STEPS))
    assert large <= 2.1 * small + 2000


TEXTS = {
    "short lines": repeat("x\n"),
    "short lines below a board": after(ROWS, "x\n"),
    "words": repeat("the cell 5 is 3, row 4: 53.. 7\n"),
    "rows": repeat("5 3 . . 7 .\n"),
}


@in_turn
@pytest.mark.parametrize("name", TEXTS)
def test_work_on_a_text_is_linear(name: str) -> None:
    def work(text: bytes) -> None:
        with suppress(UnidokuError):
            unidoku.Grid(text.decode())

    make = TEXTS[name]
    work(make(STEPS // 2))  # imports and patterns
    small, large = (steps_of(work, make(size)) for size in (STEPS, 2 * STEPS))
    assert large <= 2.2 * small + 2000


@in_turn
@pytest.mark.parametrize("caption", ["```" * 300 + "}", "grid=" * 60 + "!", "solution = grid = " * 30 + "!"])
def test_the_words_next_to_a_full_grid_are_read_once(caption: str) -> None:
    """To try each way to read them would never end."""
    with pytest.raises(UnidokuError):
        unidoku.Grid(f"{caption}\n{unidoku.solve(A).line}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "shape", "size"),
    [
        ("jsonl", "extra values", 3 << 20),
        ("lines", "a puzzle and a long rest", 3 << 20),
    ],
)
def test_memory_is_constant(name: str, shape: str, size: int) -> None:
    make = SHAPES[name][shape]
    read_through(make(STEPS), name)  # imports
    small_peak, large_peak = peak_of(make(size), name), peak_of(make(2 * size), name)
    assert large_peak <= 1.2 * small_peak


def test_arrow_has_the_names_of_csv(tmp_path: Path) -> None:
    names = ["puzzle", "a", "a_2", "", *["a"] * 1000]
    table = pa.Table.from_arrays([pa.array([text]) for text in (A, *map(str, range(1003)))], names=names)
    with pa.OSFile(str(tmp_path / "in.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "in.csv").write_text(f"{','.join(names)}\n{A},{','.join(map(str, range(1003)))}\n")
    for name in ("arrow", "csv"):
        unidoku.run(Convert(), tmp_path / f"in.{name}", tmp_path / f"{name}.csv")
    assert (tmp_path / "arrow.csv").read_bytes() == (tmp_path / "csv.csv").read_bytes()
