"""What a row gets does not depend on the rows beside it: it is what it gets alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE
from row_forms import NUMBERS, OBJECTS

import unidoku
from unidoku import Grid
from unidoku._table.forms import read_cells

TYPES = "i1 u1 i2 >i2 u2 i4 >i4 u4 i8 >i8 u8 >u8 f2 f4 >f4 f8 >f8 g O".split()
"""The types of arrays of numbers."""


def alone(row: Any) -> str:
    """Return the cells of a puzzle, or why it is none."""
    try:
        return Grid(row).line
    except unidoku.UnidokuError as error:
        return error.message


def rows_of(puzzles: Any) -> list[str]:
    """Return the same of many puzzles."""
    cells, reasons = read_cells(puzzles, errors="invalid")
    return [reasons.get(row) or Grid(bytes(own)).line for row, own in enumerate(cells)]


ROWS = [make() for make in OBJECTS.values()]
ALONE = [alone(row) for row in ROWS]


OTHERS = """
solution, bytes with NUL, bytes of a dash, bytes of 82, bytes of 80,
numbers in bytes and 10, no bytes, text with NUL, text of 80, text of 82, wrong text, no text,
words, digits cut, None, NaN, integer, integer of 65 digits, small integer, huge integer, float,
bool, characters of codes, only None, numbers and bool, only bool, complex, NumPy bool, uneven rows,
80 numbers, 82 numbers, empty list, dict, lists as cells, objects as cells, masked, masked constant,
dates, records, array of bool, array of complex, foreign, list of solution, list of codes of few
clues, list of codes and digits, list of codes and a sign, list of digits and a code, list of digits
and 10, list of digits and 255, list of digits and 256, list of digits and -1, list of digits and
1.5, list of digits and NaN, list of codes and NaN, list of codes and -1, list of codes and 1.5,
list of infinity, list of only NaN, list of only 0, list of only blanks, list of only tabs, list of
large, Arrow null, NA, NaT
"""
"""The names of rows that are no puzzle, or another one than `UNIQUE`."""


def test_the_other_rows_are_one_puzzle() -> None:
    others = " ".join(OTHERS.split()).split(", ")
    rows = zip(OBJECTS, ALONE, strict=True)
    assert {name for name, cells in rows if cells != UNIQUE} == {*others} & {*OBJECTS}


@in_turn
@pytest.mark.parametrize("name", OBJECTS)
def test_a_row_of_a_list(name: str) -> None:
    first = OBJECTS[name]()
    assert rows_of([first]) == rows_of((first,)) == [alone(first)]
    others = [*zip(ROWS, ALONE, strict=True)]
    for other, expected in random.Random(name).sample(others, 5):
        assert rows_of([first, other]) == [alone(first), expected]


def test_all_rows_together() -> None:
    column = np.empty(len(ROWS), object)
    for number, row in enumerate(ROWS):
        column[number] = row
    for rows in (ROWS, ROWS[::-1], tuple(ROWS), column):
        assert rows_of(rows) == [alone(row) for row in rows]
    assert rows_of(iter(ROWS)) == rows_of([ROWS[0]] * 4095 + ROWS)[4095:] == ALONE


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [4095, 4096, 4097])
@pytest.mark.parametrize("name", ["bytes with blanks", "bytes with NUL", "list of codes with 0", "codes f2"])
def test_a_row_in_a_long_list(name: str, blocks: int) -> None:
    row = OBJECTS[name]()
    found = rows_of([UNIQUE] + [row] * blocks)
    assert {*found[1:]} == {alone(row)}


def array_of(rows: list[list[Any]], type_: str) -> np.ndarray:
    """Return rows as an array of a type; a number that it lacks is another one."""
    if type_ == "O":
        return np.array(rows, object)
    numbers = np.array(rows, np.longdouble)
    if np.dtype(type_).kind in "iu":
        limits = np.iinfo(type_)
        numbers = np.where(np.isnan(numbers), 77, numbers.clip(limits.min, limits.max))
    with np.errstate(over="ignore"):
        return numbers.astype(type_)


@in_turn
@pytest.mark.parametrize("type_", TYPES)
def test_a_row_of_an_array_of_numbers(type_: str) -> None:
    every = array_of([*NUMBERS.values()], type_)
    expected = [alone(row) for row in every]
    for shape in ((9, 9), (1, 81)):
        assert rows_of(every.reshape(-1, *shape)) == expected
    assert rows_of(np.asfortranarray(every)) == rows_of([*every]) == expected
    pick = random.Random(type_)
    for pair in pick.sample([*permutations(range(len(every)), 2)], 3):
        assert rows_of(every[[*pair]]) == [expected[row] for row in pair]
    long = np.repeat(every, 8, axis=0)
    assert rows_of(long) == np.repeat(expected, 8).tolist()
    for row in every[pick.sample(range(len(every)), 3)]:
        one, many = unidoku.verify(UNIQUE, row), unidoku.verify_many([UNIQUE] * 2, np.array([row, every[1]]))
        assert (many.score[0], many.reasons.get(0)) == (one.score, one.reason)


@pytest.mark.skipif(np.finfo("g").eps == np.finfo("f8").eps, reason="long doubles are doubles here")
def test_a_long_double_next_to_a_digit_is_none() -> None:
    cells = np.array([[*map(int, UNIQUE.replace(".", "0"))]], "g")
    assert rows_of(cells) == [UNIQUE]
    cells[0, UNIQUE.index("5")] += np.finfo("g").eps * 4
    assert rows_of(cells) == [alone(cells[0])] != [UNIQUE]


@in_turn
@pytest.mark.parametrize("type_", ["U1", ">U1", "S1", "U2", "S3", "O", "T"])
def test_a_row_of_an_array_of_characters(type_: str) -> None:
    texts = [UNIQUE, SOLUTION, UNIQUE.replace(".", " "), UNIQUE.replace(".", "\0"), "!" + UNIQUE[1:]]
    texts += ["\5" + UNIQUE[1:], "\5" * 81, UNIQUE.replace(".", "-")]
    if type_ == "T" and not hasattr(np.dtypes, "StringDType"):
        pytest.skip("NumPy 1 has no strings of any length")
    kind = np.dtypes.StringDType() if type_ == "T" else type_
    every = np.array([[*text] for text in texts], kind)
    expected = [alone(row) for row in every]
    assert rows_of(every) == rows_of(every.reshape(-1, 9, 9)) == rows_of([*every]) == expected
    for first in range(len(every)):
        for second in range(len(every)):
            pair = [first, second]
            assert rows_of(every[pair]) == [expected[row] for row in pair]


def arrow_columns() -> dict[str, tuple[Any, list[Any]]]:
    """Return columns of Arrow, and their rows in Python."""
    texts = [make() for make in OBJECTS.values()]
    texts = [text for text in texts if type(text) is str or text is None]
    data = [make() for make in OBJECTS.values()]
    data = [row for row in data if type(row) is bytes or row is None]
    whole = [row for name, row in NUMBERS.items() if all(type(cell) is int for cell in row)]
    small = [row for row in whole if max(row) < 2**31]
    columns = {str(kind): (pa.array(texts, kind), texts) for kind in (pa.string(), pa.string_view())}
    columns |= {str(kind): (pa.array(data, kind), data) for kind in (pa.binary(), pa.large_binary())}
    columns["words"] = pa.array(texts).dictionary_encode(), texts
    columns["words of bytes"] = pa.array(data).dictionary_encode(), data
    columns["integers"] = pa.array(whole), whole
    columns["small integers"] = pa.array(small, pa.list_(pa.int32())), small
    floats = [[float(cell) for cell in row] for row in NUMBERS.values()]
    columns["floats"] = pa.array(floats), floats
    some = [*floats, None, [None] * 81, [5.0], []]
    columns["floats and nulls"] = pa.array(some, pa.large_list(pa.float64())), some
    boards = [[row[k : k + 9] for k in range(0, 81, 9)] for row in whole]
    columns["boards"] = pa.array(boards), boards
    lists = [[*text] for text in texts if text]
    columns["characters"] = pa.array(lists), lists
    bools = [[True] * 81]
    columns["bools"] = pa.array(bools), bools
    return columns


def test_a_row_of_a_column_of_arrow() -> None:
    for column, rows in arrow_columns().values():
        expected = [alone(row) for row in rows]
        assert rows_of(column) == expected
        pairs = [*product(range(len(rows)), repeat=2)]
        for first, second in random.Random(str(column.type)).sample(pairs, min(len(pairs), 15)):
            pair = pa.chunked_array([column[first : first + 1], column[second : second + 1]])
            assert rows_of(pair) == [expected[first], expected[second]]
            if column.type != pa.string_view():  # PyArrow does not take these
                assert rows_of(column.take([first, second])) == [expected[first], expected[second]]


def test_a_row_of_a_series() -> None:
    # An older pandas asks an object for its array while it makes a column.
    pytest.importorskip("pandas", "2.3")
    rows = [make() for name, make in OBJECTS.items() if name != "Series"]
    texts = [row for row in rows if type(row) is str]
    lists = [row for name, row in NUMBERS.items() if all(type(cell) is int for cell in row)]
    forms: list[tuple[Callable[[list[Any]], Any], list[Any]]] = [
        (lambda own: pandas.Series(own, dtype=object), rows),
        (pandas.Series, [*texts, None]),
        (lambda own: pandas.Series(own, dtype="category"), texts),
        (pandas.Series, lists),
        (lambda own: polars.Series(own, dtype=polars.Object), rows),
        (polars.Series, [*texts, None]),
        (lambda own: polars.Series(own, dtype=polars.List(polars.Int64)), lists),
    ]
    for make, own in forms:
        expected = [alone(row) for row in own]
        assert rows_of(make(own)) == expected
        for number, row in enumerate(own):
            assert rows_of(make([row, own[0]]))[0] == expected[number]
            assert rows_of(make([own[0], row]))[1] == expected[number]


ERRORS = [
    *(ValueError, TypeError, OverflowError, KeyError, IndexError, RuntimeError, OSError, AttributeError),
    *(NotImplementedError, StopIteration, RecursionError, ZeroDivisionError, Exception),
]


def failing(method: str, error: type[BaseException]) -> Any:
    """Return an object of another program, one of whose methods fails; the others have a puzzle."""

    class Failing:
        def __init__(self) -> None:
            self.rows = [UNIQUE, SOLUTION]

    def fails(*_: object, **__: object) -> Any:
        raise error("of another program")

    methods: dict[str, Callable[..., Any]] = {
        "__len__": lambda self: 2,
        "__iter__": lambda self: iter(self.rows),
        "__getitem__": lambda self, k: self.rows[k],
    }
    names = {method} if method in methods else {method, *methods}
    if method == "only":
        names, methods = {"__arrow_c_stream__", "__array__", "__iter__"}, {}
    for name in names | {*methods}:
        setattr(Failing, name, fails if method in {name, "only"} else methods[name])
    return Failing()


METHODS = ["__arrow_c_stream__", "__arrow_c_array__", "__array__", "__iter__", "__len__", "as_py", "only"]


@in_turn
@pytest.mark.parametrize(("method", "error"), [*zip(METHODS * 2, ERRORS, strict=False)])
def test_what_another_program_raises(method: str, error: type[Exception]) -> None:
    """It is an error with its cause, or its rows are taken one by one."""
    puzzles = failing(method, error)
    for call in (unidoku.check_many, unidoku.cells, lambda rows: unidoku.verify_many([UNIQUE] * 2, rows)):
        try:
            assert len(call(puzzles)) == 2
        except (unidoku.InvalidPuzzleError, TypeError) as raised:
            assert isinstance(raised.__cause__, Exception)  # noqa: PT017 - or it is read
    with pytest.raises(unidoku.InvalidPuzzleError):
        Grid(puzzles)
    result = unidoku.check_many([UNIQUE, puzzles], errors="invalid")
    assert [*result.reasons] == [1]
    assert unidoku.verify(UNIQUE, puzzles).score == 0


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_what_ends_the_program_ends_it(error: type[BaseException]) -> None:
    for puzzles in (failing("only", error), [UNIQUE, failing("only", error)]):
        with pytest.raises(error):
            unidoku.check_many(puzzles, errors="invalid")
    with pytest.raises(error):
        Grid(failing("only", error))


@in_turn
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_bytes_are_read_as_each_of_them(end: str) -> None:
    lines = [UNIQUE, UNIQUE.replace(".", "·"), UNIQUE.replace("5", "５"), UNIQUE.replace(".", "–"), "x", ""]
    data = [line.encode() for line in lines]
    data += [UNIQUE.replace(".", chr(code)).encode("latin-1") for code in (0x95, 0x96, 0x97, 0xB7)]
    expected = [alone(line) for line in data]
    assert len({*expected[:4], *expected[6:]}) == 1
    text = end.encode().join(data)
    assert rows_of(text) == rows_of(bytearray(text)) == rows_of(memoryview(text + end.encode())) == expected
    wide = end.join(lines[:4]).encode("utf-16")
    assert rows_of(wide) == rows_of(("\ufeff" + end.join(lines[:4])).encode()) == expected[:4]
    answers = unidoku.verify_many([UNIQUE] * len(data), text)
    assert answers.kept_clues.tolist() == [unidoku.verify(UNIQUE, line).kept_clues for line in data]


def test_integers_of_pandas() -> None:
    """A CSV without quotes has them; those of more than 64 bits stay Python's."""
    zeros = UNIQUE.replace(".", "0")
    rows = [int(zeros), int("1" + "0" * 64), int("1" * 64), 5, int("9" * 82)]
    assert rows_of(rows)[:2] == [UNIQUE, "." * 16 + "1" + "." * 64]
    assert not [text for text in rows_of(rows)[2:] if len(text) == 81]
    for column in (pandas.Series(rows, dtype=object), pandas.Series(rows[:2])):
        assert rows_of(column) == [alone(row) for row in column]
        assert rows_of(pandas.DataFrame({"quizzes": column})) == rows_of(column)
    for count in (60, 65, 80):
        assert "leading zeros were lost" in alone("1" * count)
        assert "leading zeros" not in alone("1" * (count - 1) + "!")
