"""JSON lines: native code, with Python for the rest, reads the same as Python alone."""

import io
import json
from itertools import repeat

import pytest
from cases import in_turn
from example_puzzles import QUIZ, SOLUTION, UNIQUE
from fuzzing import examples
from hypothesis import example, given, strategies as st

from unidoku._native.text.objects import ObjectScanner
from unidoku._native.text.render import render
from unidoku.files._chunks import LINE_LIMIT, NO_COLUMNS, NeededColumns, Reading
from unidoku.files._jsonl import JsonlReader
from unidoku.files._source import Source

WORDS = ["", "a", "é", '"', "\\", "/", "\n", "\t", "\u2028", "\x7f", "日本", "\U0001f600", "null"]
NUMBERS = "0 -1 12 1.5 0.25 -0 -0.0 1.50 1e3 1E400 01 1. 0.00001 123456789012345678".split()
LISTS = [
    "[]",
    "[1, 2]",
    "[1,2]",
    '[[1.5, "a"], [true], []]',
    '["\u00e9"]',
    '["\\n"]',
    "[1.50, -0]",
    "[null, {}]",
]
OTHERS = [
    *LISTS,
    "true",
    "false",
    "null",
    "[1]",
    '{"a": 1}',
    "nul",
    '"\\x"',
    '"\t"',
    '"open',
    r'"\"\\\/\b\f\n\r\t"',
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=3).map("".join)
VALUES = st.builds(json.dumps, TEXTS, ensure_ascii=st.booleans()) | st.sampled_from([*NUMBERS, *OTHERS])
PUZZLES = st.sampled_from(
    [
        *map(json.dumps, (UNIQUE, QUIZ, SOLUTION, "." * 729, "1" * 80, "x" * 81, None, 7, "")),
        '"\\u0031' + "." * 80 + '"',
        json.dumps([int(cell) for cell in SOLUTION]),
        json.dumps([SOLUTION[k : k + 9] for k in range(0, 81, 9)]),
    ]
)
KEYS = st.sampled_from(["id", "note", "other", "puzzle", "\u00e9", 'a"b'])
BLANKS = st.sampled_from(["", " ", "\t", "  "])


@st.composite
def objects(draw):
    pairs = [(json.dumps(draw(KEYS)), draw(VALUES)) for _ in range(draw(st.integers(0, 3)))]
    pairs.insert(draw(st.integers(0, len(pairs))), ('"puzzle"', draw(PUZZLES)))
    space = draw(BLANKS)
    inside = f"{space},{space}".join(f"{key}{space}:{space}{value}" for key, value in pairs)
    return f"{space}{{{space}{inside}{space}}}{space}"


FORMS = st.sampled_from(
    ["", "  ", "no", "[]", "{}", "{", UNIQUE, '{"puzzle"', json.dumps([0] * 81), "{} {}", "\x0c"]
)
LINES = st.lists(objects() | FORMS, max_size=6)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def read_rows(content, carry, native, size=10_000):
    """Read a content; return the names of its columns and its rows."""
    reader = JsonlReader(
        Source(io.BytesIO(content), "a.jsonl"), Reading(needed=NeededColumns() if carry else NO_COLUMNS)
    )
    if not native:
        keys = [b"", *(b"\0%d" % number for number in range(len(reader._names)))]  # which no object has
        reader.scanner = lambda: ObjectScanner(keys, 0, LINE_LIMIT - 1)
    rows, names = [], None
    for chunk in reader.chunks(lambda: size):
        for batch in chunk():
            names = names or [*batch.columns]
            puzzles = list(zip(map(int, batch.lines), batch.puzzles().to_list(), strict=True))
            rejects = [(reject.line, reject.column, reject.text, reject.reason) for reject in batch.rejects]
            place = range(batch.size) if batch.order is None else batch.order
            values = zip(*map(as_json, batch.columns.values()), strict=True) if batch.columns else repeat(())
            for k, fields in zip(map(int, place), values, strict=bool(batch.columns)):
                rows.append((*(puzzles[k] if k >= 0 else rejects[~k]), *fields))
    return names, rows


def as_json(column):
    """Return the values of a column in JSON; an empty text where an object lacks the name."""
    lines = bytes(render("jsonl", len(column), [("a", column.native())])).decode().split("\n")[:-1]
    return [line.removeprefix("{").removesuffix("}").removeprefix('"a": ') for line in lines]


FIRST = f'{{"id": 1, "puzzle": "{UNIQUE}", "note": "n", "\u00e9": null}}'


@given(LINES, ENDS, st.booleans(), st.sampled_from([1, 300, 10_000]))
@example([FIRST.replace('"n"', r'"\"\\\/\b\f\n\r\t"')], "\n", True, 300)
@example([f'{{"id": 1.5, "puzzle": "{UNIQUE}", "id": 0}}'], "\n", True, 300)
@example([json.dumps(UNIQUE), f'"{UNIQUE}" 7'], "\n", True, 300)
@example(["\x0c"], "\n", True, 1)  # a line of its own, and no document of one value
@examples(20)
def test_native_code_reads_the_same_as_python(lines, end, carry, size):
    content = end.join([FIRST, *lines]).encode("utf-8", "surrogatepass")
    for variant in (content, content.replace(b"\xc3", b"\xff"), b"\xef\xbb\xbf" + content):
        assert read_rows(variant, carry, native=True, size=size) == read_rows(variant, carry, native=False)


INNER_FIRST = f'{{"id": 1, "inner": {{"puzzle": "{UNIQUE}", "note": "n"}}, "list": [[1]]}}'


@st.composite
def nested(draw):
    """An object with an inner one, mostly under the key of the first line."""
    values = VALUES | PUZZLES | st.sampled_from([json.dumps("x" * 40), json.dumps([[UNIQUE]])])
    pairs = [(json.dumps(draw(KEYS)), draw(values)) for _ in range(draw(st.integers(0, 2)))]
    key = draw(st.sampled_from(["inner", "inner", "inner", "id", "puzzle"]))
    pairs.insert(draw(st.integers(0, len(pairs))), (json.dumps(key), draw(objects())))
    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"


@given(
    st.lists(nested() | objects() | FORMS, max_size=6),
    st.sampled_from([INNER_FIRST, INNER_FIRST.replace("puzzle", "x")]),
    st.booleans(),
    st.sampled_from([1, 300, 10_000]),
)
@example([f'{{"inner": {{"puzzle": "{SOLUTION}"}}, "board": null}}'], INNER_FIRST, True, 300)
@example([f'{{"inner": {{"puzzle": "{UNIQUE}"}}, "puzzle": null}}'], INNER_FIRST, True, 300)
@example([f'{{"inner": {{"puzzle": "{UNIQUE}"}}, "inner": {{"id": 1}}}}'], INNER_FIRST, True, 300)
@example([f'{{"inner": {{"inner": 1, "puzzle": "{UNIQUE}"}}, "id": 2}}'], INNER_FIRST, True, 300)
@example([f'{{"inner": {{"id": 1}}, "puzzle": "{UNIQUE}"}}'], INNER_FIRST, True, 300)
@examples(30)
def test_native_code_reads_inner_objects_the_same_as_python(lines, first, carry, size):
    content = "\n".join([first, *lines]).encode("utf-8", "surrogatepass")
    assert read_rows(content, carry, native=True, size=size) == read_rows(content, carry, native=False)


def test_inner_objects_are_read_natively():
    scanner = ObjectScanner([b"puzzle", b"note"], 0, LINE_LIMIT - 1, inner=b"inner")
    assert scanner.scan(bytearray(INNER_FIRST.encode()), 0, len(INNER_FIRST)) == 1
    assert scanner.others == [(2, 4), (INNER_FIRST.index("list"), INNER_FIRST.index("list") + 4)]


ITEMS = st.sampled_from(
    [UNIQUE, UNIQUE, SOLUTION, QUIZ, UNIQUE[:80], f"Solve {UNIQUE}", SOLUTION[:39], "n", "", 3, None]
).map(json.dumps) | st.sampled_from(
    ["2.50", "-0", "true", "[1]", "[]", '{"a": 1}', r'"\n"', r'"\u0000"', "x"]
)


@given(
    st.lists(st.lists(ITEMS, max_size=4), max_size=6), st.permutations([UNIQUE, SOLUTION, "n"]), st.booleans()
)
@example(
    [[json.dumps(UNIQUE)] * 2, [json.dumps(UNIQUE), '""'], [json.dumps(UNIQUE), "1", "1"]], (UNIQUE, 1), True
)
@examples(30)
def test_native_code_reads_rows_the_same_as_python(rows, first, carry):
    """A list that is a row of a table: with one puzzle and other single values."""
    lines = [json.dumps(first), *(f"[ {' ,'.join(items)}]" for items in rows)]
    content = "\n".join(lines).encode()
    assert read_rows(content, carry, native=True) == read_rows(content, carry, native=False)


def test_only_blanks_follow_a_lone_string():
    """Both ways of the test above read a lone string natively."""
    content = f'"{UNIQUE}"\n"{UNIQUE}" \n"{UNIQUE}" 7\n'.encode()
    _, rows = read_rows(content, carry=False, native=True)
    assert [row[:2] for row in rows[:2]] == [(1, UNIQUE), (2, UNIQUE)]
    assert rows[2][0] == 3
    assert rows[2][3].startswith("expected a JSON object")


@in_turn
@pytest.mark.parametrize("size", [65_535 - 100, 65_536, 70_000, 200_000])
def test_long_lines(size):
    line = f'{{"puzzle": "{QUIZ}", "note": "{"x" * size}"}}'
    content = "\n".join([FIRST, line, FIRST, line[:-2], FIRST]).encode()
    assert read_rows(content, carry=True, native=True, size=100) == read_rows(
        content, carry=True, native=False
    )


@pytest.mark.parametrize("size", [1, 10_000])
def test_columns_do_not_depend_on_the_size_of_a_batch(size):
    content = (f"{json.dumps([0] * 81)}\n" * 3 + f"{FIRST}\n").encode()
    names, rows = read_rows(content, carry=True, native=True, size=size)
    assert (names, rows[-1]) == (["id", "note", "\u00e9"], (4, UNIQUE, "1", '"n"', "null"))
    assert {len(row) for row in rows} == {5}
