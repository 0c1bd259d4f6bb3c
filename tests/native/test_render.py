"""Result rows as text, read back with the csv and json modules."""

import csv
import io
import json
from array import array
from dataclasses import replace

import numpy as np
import pytest
from fuzzing import examples
from hypothesis import given, strategies as st

from unidoku.native.text import columns, render
from unidoku.table.column import ABSENT, AT_LEAST, JSON, MISSING, TEXT, Cells, Column
from unidoku.verdict import Verdict

try:
    import pyarrow as pa
except ImportError:
    pa = None

WORDS = tuple(map(str, Verdict))


def result_rows(form, *arrays, zero=48, columns=()):
    """Rows of a check, as the sinks ask for them."""
    text, starts, lines, counts, verdicts, complete, solutions = arrays
    n = len(starts)
    verdict = Column(np.frombuffer(verdicts, np.uint8), WORDS)
    digits = np.frombuffer(solutions, np.uint8)
    grids = Column(Cells(digits, np.arange(0, 81 * n, 81), zero), states=digits[::81][:n] > 0)
    states = np.array([TEXT if is_complete else AT_LEAST for is_complete in complete], np.uint8)
    row_columns = [
        ("line", Column(np.array(lines))),
        ("puzzle", Column(Cells(text, np.array(starts, np.int64), zero))),
        ("verdict", verdict),
        ("count", Column(np.array(counts), states=states)),
        ("complete", Column(np.frombuffer(complete, np.bool_))),
        ("solution", grids),
        ("reason", Column.sparse({}, n, ABSENT)),
    ]
    if form == "solution":
        form, row_columns, columns = "txt", [("solution", grids.fallback(verdict))], ()
    elif form == "txt":
        row_columns = [row_columns[k] for k in (1, 2, 3, 5)]
    return bytes(rendered(form, n, [*row_columns, *columns]))


def rendered(form, n, named_columns, **options):
    return render.render(form, n, [(name, column.native()) for name, column in named_columns], **options)


DIGITS = "123456789"


TEXTS = st.text(max_size=6).map(lambda text: text.encode("utf-8", "replace"))


@st.composite
def batches(draw, texts=TEXTS):
    """The arguments of render, and the same rows as Python objects."""
    zero = draw(st.sampled_from([48, 0]))
    rows, text, starts = [], bytearray(b"//"), []
    empties = "0.*_-xX" if zero else "\0"
    for _ in range(draw(st.integers(0, 5))):
        cells = draw(st.text(st.sampled_from(DIGITS + empties * 3), min_size=81, max_size=81))
        starts.append(len(text))
        text += bytes(ord(c) - 48 if c in DIGITS else 0 for c in cells) if zero == 0 else cells.encode()
        text += b"!" * draw(st.integers(0, 2))
        solution = draw(st.none() | st.text(st.sampled_from(DIGITS), min_size=81, max_size=81))
        rows.append(
            {
                "line": draw(st.integers(1, 2**62)),
                "puzzle": "".join(c if c in DIGITS else "." for c in cells),
                "verdict": str(draw(st.sampled_from(Verdict))),
                "count": draw(st.integers(0, 2**64 - 1)),
                "complete": draw(st.booleans()),
                "solution": solution,
            }
        )
    names = draw(st.lists(st.text('abcä"\\,;\n', min_size=1, max_size=4), max_size=3, unique=True))
    columns = []
    for name in names:
        values = [draw(texts) for _ in rows]
        ends = [sum(map(len, values[: i + 1])) for i in range(len(values))]
        begins = [end - len(value) for end, value in zip(ends, values, strict=True)]
        columns.append((name, Column.of_text(b"".join(values), array("q", begins), array("q", ends))))
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    solutions = b"".join(
        bytes(81) if row["solution"] is None else bytes(ord(c) - 48 + zero for c in row["solution"])
        for row in rows
    )
    arguments = (
        bytes(text),
        array("q", starts),
        array("q", [row["line"] for row in rows]),
        array("Q", [row["count"] for row in rows]),
        bytes(Verdict[row["verdict"].upper()] for row in rows),
        bytes(row["complete"] for row in rows),
        solutions,
    )
    return arguments, {"zero": zero, "columns": columns}, rows


def passthrough(row):
    """The texts beside the columns of a check."""
    return [value.decode() for value in row.values() if isinstance(value, bytes)]


def as_object(row):
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in row.items()}


def as_fields(row):
    fields = [str(row[name]) for name in ("line", "puzzle", "verdict", "count")]
    return [*fields, str(row["complete"]).lower(), row["solution"] or "", "", *passthrough(row)]


def as_line(row):
    count = f"{row['count']}{'' if row['complete'] else '+'}"
    escaped_texts = [value.replace("\n", "\\n").replace("\r", "\\r") for value in passthrough(row)]
    return "\t".join([row["puzzle"], row["verdict"], count, row["solution"] or "", *escaped_texts])


FORMS = {
    "jsonl": (as_object, lambda text: [json.loads(line) for line in text.split("\n")[:-1]]),
    "csv": (as_fields, lambda text: list(csv.reader(io.StringIO(text, newline="")))),
    "txt": (as_line, lambda text: text.split("\n")[:-1]),
    "solution": (lambda row: row["solution"] or row["verdict"], str.splitlines),
}
"""The row as each form shows it, and a parser of the form."""


@pytest.mark.parametrize("form", FORMS)
@given(batches())
@examples(25)
def test_rows_are_read_back(form, batch):
    arguments, options, rows = batch
    text = result_rows(form, *arguments, **options).decode()
    as_form, parse = FORMS[form]
    records = parse(text)
    assert records == [as_form(row) for row in rows]
    if form == "jsonl":
        assert all([*row][:6] == "line puzzle verdict count complete solution".split() for row in records)


@given(batches(st.binary(max_size=8)))
@examples(25)
def test_json_lines_of_any_bytes_are_utf8(batch):
    arguments, options, rows = batch
    lines = result_rows("jsonl", *arguments, **options).decode().split("\n")[:-1]
    for row, line in zip(rows, lines, strict=True):
        for name, value in row.items():
            if isinstance(value, bytes):
                text = json.loads(line)[name]
                # Each bad byte is one replacement character here; Python joins some of them.
                assert text.replace("\ufffd", "") == value.decode("utf-8", "replace").replace("\ufffd", "")
                assert ("\ufffd" in text) == ("\ufffd" in value.decode("utf-8", "replace"))


ROW = (bytes(range(48, 58)) * 9, array("q", [9]), array("q", [1]), array("Q", [1]), b"\1", b"\1", bytes(81))


@pytest.mark.parametrize("form", ["txt", "csv", "tsv", "jsonl"])
def test_every_kind_of_column(form):
    """Numbers, flags and JSON values with gaps, one text for all rows, nothing."""
    names, values = (
        ["i", "u", "f", "v", "s", "n"],
        [
            [-(2**63), 7, None],
            [2**64 - 1, None, 0],
            [True, False, None],
            [1.5, None, [1]],
            ['a"b', 'a"b', 'a"b'],
            [None, None, None],
        ],
    )
    data = [
        Column(np.array([-(2**63), 7, 1]), states=np.array([True, True, False])),
        Column(np.array([2**64 - 1, 1, 0], np.uint64), states=np.array([True, False, True])),
        Column(np.array([True, False, True]), states=np.array([True, True, False])),
        Column.of_text(b"1.5[1]", [0, 3, 3], [3, 3, 6], [JSON, MISSING, JSON]),
        Column.constant('a"b', 3),
        Column.sparse({}, 3),
    ]
    assert [column.to_list() for column in data] == values
    named_columns = [*zip(names, data, strict=True), ("x", Column.sparse({}, 3, ABSENT))]
    output = bytes(rendered(form, 3, named_columns, optional=form == "txt")).decode()
    rows = [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]
    if form == "jsonl":
        assert [json.loads(line) for line in output.splitlines()] == rows
        return
    fields = [
        ["" if v is None else v if isinstance(v, str) else json.dumps(v) for v in row.values()]
        for row in rows
    ]
    if form == "txt":
        assert [line.split("\t") for line in output.splitlines()] == fields
        fields = bytes(rendered(form, 3, named_columns)).decode().splitlines()
        assert [*map(str.rstrip, fields)] == [*map(str.rstrip, output.splitlines())] != fields
    else:
        reader = csv.reader(io.StringIO(output), delimiter="," if form == "csv" else "\t")
        assert [*reader] == [[*row, ""] for row in fields]


@given(st.lists(st.integers(0, 3), max_size=700), st.integers(0, 20))
@examples(30)
def test_tally(codes, beyond):
    count = max(0, len(codes) - beyond)
    assert render.tally(bytes(codes), count) == tuple(codes[:count].count(code) for code in range(4))
    with pytest.raises(ValueError, match="must not exceed"):
        render.tally(bytes(codes), len(codes) + 1)


@pytest.mark.parametrize("start", [10, 2**63 - 1, 2**63 - 81, -1, -(2**63)])
def test_starts_outside_the_text_are_refused(start):
    starts = array("q", [start])
    with pytest.raises(ValueError, match="outside"):
        result_rows("txt", ROW[0], starts, *ROW[2:])
    with pytest.raises(ValueError, match="outside"):
        columns.gather(ROW[0], starts, bytearray(81))


@given(st.lists(st.none() | st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4), max_size=5), st.data())
@examples(50)
def test_lists(lists, data):
    """Lists of numbers and of words, some rows without one, in any order, with another column's rows."""
    sizes = [len(row or ()) for row in lists]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    valid = np.array([row is not None for row in lists], bool)
    flat = [number for row in lists for number in row or ()]
    names = tuple(f"n{k}" for k in range(300))
    codes = np.array([abs(number) % 300 for number in flat], np.int16)
    elements = Column(np.array(flat, np.int64)), Column(codes, names, is_dictionary=True)
    columns = [replace(Column.of_lists(column, offsets), states=valid) for column in elements]
    rows = [(row, None if row is None else [f"n{abs(number) % 300}" for number in row]) for row in lists]
    assert [*zip(*(column.to_list() for column in columns), strict=True)] == rows
    if pa is not None:
        assert [*zip(*(column.to_arrow().to_pylist() for column in columns), strict=True)] == rows
    indices = data.draw(st.lists(st.integers(-1, len(lists) - 1), max_size=6))
    selection = [column.take(np.array(indices, np.int64)) for column in columns]
    selected = [(None, None) if index < 0 else rows[index] for index in indices]
    for pair, pairs in ((columns, rows), (selection, selected)):
        text = rendered("jsonl", len(pairs), [*zip("ab", pair, strict=True)]).tobytes().decode()
        assert [(row["a"], row["b"]) for row in map(json.loads, text.splitlines())] == pairs
        text = rendered("csv", len(pairs), [*zip("ab", pair, strict=True)]).tobytes().decode()
        fields = [[" ".join(map(str, numbers or ())) for numbers in row] for row in pairs]
        assert list(csv.reader(io.StringIO(text))) == fields


def test_lists_must_be_inside_their_values():
    items = Column(np.arange(3)).native()
    for offsets in ([0, 4], [2, 1], [-1, 2]):
        column = ("lists", 1, (np.array(offsets, np.int64), items), None)
        with pytest.raises(ValueError, match="a list of a column is outside its values"):
            render.render("csv", 1, [("a", column)])
    inner = Column.of_lists(Column(np.arange(3)), np.array([0, 3])).native()
    column = ("lists", 1, (np.array([0, 1]), inner), None)
    with pytest.raises(ValueError, match="the values of lists must be plain"):
        render.render("csv", 1, [("a", column)])
