"""Columns as text, read back with the csv and json modules."""

import csv
import io
import json
from array import array
from dataclasses import replace

import numpy as np
import pytest
from cases import in_turn
from fuzzing import examples
from hypothesis import given, strategies as st

from unidoku._native.text import columns, render
from unidoku._native.text.columns import ABSENT, AT_LEAST, JSON, MISSING, TEXT
from unidoku._table.column import CellValues, Column, ListValues, StringValues
from unidoku._verdict import Verdict

WORDS = tuple(map(str, Verdict))
DIGITS = "123456789"
TEXTS = st.text(max_size=6) | st.text('\r\n\t",;#\\ a', max_size=2)
NOTHING = object()
"""The value of a row that lacks the column."""


def rendered(form, n, named_columns, **options):
    native_columns = [(name, column.native()) for name, column in named_columns]
    return bytes(render.render(form, n, native_columns, **options)).decode()


def of_texts(values):
    """Make a column of texts, which stand one after another."""
    ends = np.cumsum([0, *map(len, values)])
    return Column(
        StringValues(b"".join(values), array("q", ends[:-1].tolist()), array("q", ends[1:].tolist()))
    )


# Each draws a column of n rows; its values, and their texts in lines where these are others.


def numbers(draw, n):
    values = several(draw, st.none() | st.integers(-(2**63), 2**63 - 1), n)
    has_value = np.array([value is not None for value in values], bool)
    return Column(np.array([value or 0 for value in values], np.int64), states=has_value), values


def counts(draw, n):
    """Draw numbers of solutions, of which some are lower bounds."""
    values = several(draw, st.none() | st.integers(0, 2**64 - 1), n)
    complete = several(draw, st.booleans(), n)
    states = [
        MISSING if value is None else TEXT if whole else AT_LEAST
        for value, whole in zip(values, complete, strict=True)
    ]
    texts = [as_text(value) + "+" * (state == AT_LEAST) for value, state in zip(values, states, strict=True)]
    column = Column(np.array([value or 0 for value in values], np.uint64), states=np.array(states, np.uint8))
    return column, values, texts


def flags(draw, n):
    values = several(draw, st.sampled_from([True, False, None]), n)
    has_value = np.array([value is not None for value in values], bool)
    return Column(np.array([value is True for value in values], bool), states=has_value), values


def words(draw, n):
    codes = several(draw, st.integers(0, len(WORDS) - 1), n)
    return Column(np.array(codes, np.uint8), WORDS), [WORDS[code] for code in codes]


def grids(draw, n):
    """Draw puzzles at any places of a text, or as numbers."""
    zero = draw(st.sampled_from([48, 0]))
    symbols = DIGITS + 3 * (".0*_-xX" if zero else ".")
    values = several(draw, st.none() | st.text(st.sampled_from(symbols), min_size=81, max_size=81), n)
    text, starts = bytearray(b"//"), []
    for value in values:
        starts.append(len(text))
        text += (value or "." * 81).encode() if zero else bytes(map(int, (value or "").replace(".", "0")))
        text += bytes(starts[-1] + 81 + draw(st.integers(0, 2)) - len(text))
    has_value = np.array([value is not None for value in values], bool)
    column = Column(CellValues(bytes(text), array("q", starts), ord("0")), states=has_value)
    if not zero:
        cells = [[*text[start : start + 81]] for start in starts]
        column = Column(np.array(cells, np.uint8).reshape(-1, 81), states=has_value)
    lines = ["".join(c if c in DIGITS else "." for c in value or "") for value in values]
    return column, [line or None for line in lines]


def texts(draw, n):
    values = several(draw, TEXTS, n)
    return of_texts([value.encode() for value in values]), values


def json_values(draw, n):
    values = several(draw, st.sampled_from([None, 1.5, [1], {"a": "b"}, True]), n)
    column = of_texts([b"" if value is None else json.dumps(value).encode() for value in values])
    states = np.array([MISSING if value is None else JSON for value in values], np.uint8)
    return replace(column, states=states), values


def constant(draw, n):
    text = draw(TEXTS)
    return Column.constant(text, n), [text] * n


def nothing(draw, n):
    return Column.sparse({}, n, ABSENT), [NOTHING] * n


KINDS = [numbers, counts, flags, words, grids, texts, json_values, constant, nothing]


def several(draw, values, n):
    return draw(st.lists(values, min_size=n, max_size=n))


@st.composite
def tables(draw):
    """Draw a number of rows, and columns by their names."""
    n = draw(st.integers(0, 5))
    names = draw(st.lists(st.text('abcä"\\,;\n', min_size=1, max_size=4), max_size=6, unique=True))
    return n, {name: draw(st.sampled_from(KINDS))(draw, n) for name in names}


def as_text(value):
    return "" if value in (None, NOTHING) else value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("form_of", [lambda column: column, Column.as_strings], ids=["itself", "strings"])
@given(table=tables())
@examples(8)
def test_rows_are_read_back(form_of, table):
    n, table_columns = table
    named_columns = [(name, form_of(column)) for name, (column, *_) in table_columns.items()]
    rows = [{name: entry[1][k] for name, entry in table_columns.items()} for k in range(n)]
    objects = [{name: value for name, value in row.items() if value is not NOTHING} for row in rows]
    text = rendered("jsonl", n, named_columns)
    assert repr([*map(json.loads, text.split("\n")[:-1])]) == repr(objects)  # and True is not 1
    for form, delimiter in (("csv", ","), ("tsv", "\t")):
        text = rendered(form, n, named_columns)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        assert [*reader] == [[*map(as_text, row.values())] for row in rows]
    fields = [[as_text(entry[-1][k]) for entry in table_columns.values()] for k in range(n)]
    lines = ["\t".join(row).replace("\n", "\\n").replace("\r", "\\r") for row in fields]
    assert rendered("txt", n, named_columns).split("\n")[:-1] == lines


@given(st.lists(st.binary(max_size=8), max_size=5))
@examples(25)
def test_json_lines_of_any_bytes_are_utf8(values):
    for value, line in zip(
        values, rendered("jsonl", len(values), [("a", of_texts(values))]).split("\n")[:-1], strict=True
    ):
        text = json.loads(line)["a"]
        # Each bad byte is one replacement character here; Python joins some of them.
        assert text.replace("\ufffd", "") == value.decode("utf-8", "replace").replace("\ufffd", "")
        assert ("\ufffd" in text) == ("\ufffd" in value.decode("utf-8", "replace"))


def test_an_optional_column_without_a_value_ends_the_line_before_it():
    named_columns = [("a", Column(np.array([1]))), ("b", Column.sparse({}, 1))]
    assert rendered("txt", 1, named_columns) == "1\t\n"
    assert rendered("txt", 1, named_columns, optional=1) == "1\n"


@pytest.mark.parametrize(("form", "comma"), [("csv", ","), ("tsv", "\t")])
def test_a_field_of_any_length_is_in_quotes_where_it_must_be(form, comma):
    """One byte at any place of it is the reason, or none is."""
    signs = [b'"', b",", b"\t", b"\n", b"\r", b"#", b" ", b"-", b"\0", b"\x7f", b"\x80", b"\xff"]
    texts = [
        b"z" * place + sign + b"z" * (size - place - 1)
        for size in range(1, 36)
        for place in range(size)
        for sign in signs
    ]
    quoted = {b'"', comma.encode(), b"\n", b"\r"}
    lines = [
        b'"%b"' % text.replace(b'"', b'""') if text[:1] == b"#" or quoted & {*map(bytes, zip(text))} else text
        for text in texts
    ]
    column = of_texts(texts).native()
    actual = bytes(render.render(form, len(texts), [("a", column), ("b", column)]))
    assert actual == b"".join(line + comma.encode() + line + b"\n" for line in lines)


@given(st.lists(st.integers(0, 3), max_size=700), st.integers(0, 20))
@examples(15)
def test_tally(codes, beyond):
    count = max(0, len(codes) - beyond)
    assert render.tally(bytes(codes), count) == tuple(codes[:count].count(code) for code in range(4))
    with pytest.raises(ValueError, match="must not exceed"):
        render.tally(bytes(codes), len(codes) + 1)


@in_turn
@pytest.mark.parametrize("start", [10, 2**63 - 1, 2**63 - 81, -1, -(2**63)])
def test_starts_outside_the_text_are_refused(start):
    text, starts = b"1" * 90, np.array([start], np.int64)
    with pytest.raises(ValueError, match="outside"):
        rendered("txt", 1, [("a", Column(CellValues(text, starts, ord("0"))))])
    with pytest.raises(ValueError, match="outside"):
        columns.gather(text, starts, bytearray(81))


@given(st.lists(st.none() | st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4), max_size=5), st.data())
@examples(25)
def test_lists(lists, data):
    """Lists of numbers and of words, some rows without one, in any order, with another column's rows."""
    sizes = [len(row or ()) for row in lists]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    valid = np.array([row is not None for row in lists], bool)
    flat = [number for row in lists for number in row or ()]
    names = tuple(f"n{k}" for k in range(300))
    codes = np.array([abs(number) % 300 for number in flat], np.int16)
    elements = Column(np.array(flat, np.int64)), Column(codes, names, is_dictionary=True)
    columns = [replace(Column(ListValues(column, offsets)), states=valid) for column in elements]
    rows = [(row, None if row is None else [f"n{abs(number) % 300}" for number in row]) for row in lists]
    assert [*zip(*(column.to_list() for column in columns), strict=True)] == rows
    assert [*zip(*(column.to_arrow().to_pylist() for column in columns), strict=True)] == rows
    indices = data.draw(st.lists(st.integers(-1, len(lists) - 1), max_size=6))
    selection = [column.take(np.array(indices, np.int64)) for column in columns]
    selected = [(None, None) if index < 0 else rows[index] for index in indices]
    for pair, pairs in ((columns, rows), (selection, selected)):
        text = rendered("jsonl", len(pairs), [*zip("ab", pair, strict=True)])
        assert [(row["a"], row["b"]) for row in map(json.loads, text.splitlines())] == pairs
        text = rendered("csv", len(pairs), [*zip("ab", pair, strict=True)])
        fields = [[" ".join(map(str, numbers or ())) for numbers in row] for row in pairs]
        assert list(csv.reader(io.StringIO(text))) == fields


def test_lists_must_be_inside_their_values():
    items = Column(np.arange(3)).native()
    for offsets in ([0, 4], [2, 1], [-1, 2]):
        column = ("lists", 1, (np.array(offsets, np.int64), items), None)
        with pytest.raises(ValueError, match="a list of a column is outside its values"):
            render.render("csv", 1, [("a", column)])
    inner = Column(ListValues(Column(np.arange(3)), np.array([0, 3]))).native()
    column = ("lists", 1, (np.array([0, 1]), inner), None)
    with pytest.raises(ValueError, match="the values of lists must be plain"):
        render.render("csv", 1, [("a", column)])
