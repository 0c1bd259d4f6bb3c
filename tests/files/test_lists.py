"""Lists of cells in CSV and JSON: native code reads the same as Python, which reads all others."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import pytest
from cases import in_turn
from example_puzzles import QUIZ as ZEROS, SOLUTION, UNIQUE
from fuzzing import examples
from hypothesis import given, strategies as st

import unidoku
from unidoku._native.text.fields import FieldScanner
from unidoku._native.text.objects import ObjectScanner, element_places, member_places, split_elements
from unidoku._parse import contents
from unidoku.errors import FormatError
from unidoku.files import _csv as csv, _jsonl as jsonl
from unidoku.files._chunks import Reading
from unidoku.files._csv import CsvReader
from unidoku.files._jsonl import JsonlReader
from unidoku.files._records import reading_of
from unidoku.files._source import Source

ROWS = [slice(k, k + 9) for k in range(0, 81, 9)]
DENSE = SOLUTION[:40] + "." + SOLUTION[41:]
LABELLED = "".join(str(k // 9 + 1) if k % 9 == 0 else sign for k, sign in enumerate(UNIQUE))
TWICE = UNIQUE[:72] + UNIQUE[:9]
HEADING = "12345678." + UNIQUE[9:]
BLANK_ROWS = "." * 9 + UNIQUE[9:72] + "." * 9
OPEN = "".join("." if k % 9 == 8 else sign for k, sign in enumerate(SOLUTION))
QUIZ = ZEROS.replace("0", ".")
PUZZLES = [UNIQUE, QUIZ, SOLUTION, DENSE, LABELLED, TWICE, HEADING, BLANK_ROWS, OPEN, "." * 81]
EMPTY = ["0", "0", "null", "None", '""', "''", '"0"', "'.'", '"."', '" "', '"_"', "-1", "0.0", "NaN", "."]
BITS = [*",[]\"' 05.\\-e", "null", "{", "}", "(", "\t", ", 3", "[5]", "12345678", "\u00e9", "x"]


@st.composite
def lists(draw: st.DrawFn, is_json: bool) -> str:
    """Draw a list of cells as text, perhaps damaged."""
    puzzle, empty = draw(st.sampled_from(PUZZLES)), draw(st.sampled_from(EMPTY))
    quote = draw(st.sampled_from(["", "", '"', "'"]))
    items = [f"{quote}{sign}{quote}" if sign != "." else empty for sign in puzzle]
    comma = draw(st.sampled_from([", ", ",", " , ", " ", ",\n"]))
    comma = comma.replace("\n", " ") if is_json else comma
    form = draw(st.sampled_from(["flat", "rows", "texts"]))
    if form == "texts":
        rows = [f'"{puzzle[row]}"' for row in ROWS]
        text = "[" + comma.join(rows).replace(".", draw(st.sampled_from(".0_"))) + "]"
    elif form == "rows":
        text = "[" + comma.join(f"[{comma.join(items[row])}]" for row in ROWS) + "]"
    else:
        text = f"[{comma.join(items)}]"
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2]))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(BITS)) + text[at + draw(st.integers(0, 2)) :]
    return text


def rows_of(reader: Any) -> list[tuple[object, ...]]:
    """Return what a reader finds: puzzles, why records are none, and columns, in batches of any size."""
    rows, columns = list[tuple[object, ...]](), dict[str, list[object]]()
    for chunk in reader.chunks(lambda: 10_000):
        for batch in chunk():
            rows += zip(map(int, batch.lines), batch.puzzles().to_list(), strict=True)
            rows += [(reject.line, reject.column, reject.text, reject.reason) for reject in batch.rejects]
            for name, column in batch.columns.items():
                columns.setdefault(name, []).extend(column.to_list())
    rows.sort(key=itemgetter(0))
    return [*rows, *((name, *values) for name, values in columns.items())]


def check(content: str, reader: Any, module: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a content is read the same with and without lists in native code."""

    def read() -> Any:
        try:
            return rows_of(reader(Source(io.BytesIO(content.encode()), "a"), Reading()))
        except FormatError as error:
            return str(error)

    found, scanner = read(), getattr(module, name)
    with monkeypatch.context() as patch:
        patch.setattr(module, name, lambda *args, **options: scanner(*args, **options | {"lists": False}))
        assert read() == found


@given(
    st.lists(lists(is_json=False), min_size=1, max_size=6), st.sampled_from(["id,puzzle", "puzzle,solution"])
)
@examples(20)
def test_lists_in_csv(fields: list[str], header: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        quoted = ['"' + field.replace('"', '""') + '"' for field in fields]
        rows = [
            f"{k},{field}" if header[0] == "i" else f"{field},{SOLUTION}" for k, field in enumerate(quoted)
        ]
        first = f"1,{UNIQUE}" if header[0] == "i" else f"{UNIQUE},{SOLUTION}"
        content = "\n".join([header, first, *rows, *fields])
        check(content, CsvReader, csv.fields, "FieldScanner", monkeypatch)


@given(st.lists(lists(is_json=True), min_size=1, max_size=6), st.sampled_from(["", "id", "solution"]))
@examples(20)
def test_lists_in_json(values: list[str], beside: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        other = f', "{beside}": "{SOLUTION}"' if beside else ""
        objects = [f'{{"puzzle": {value}{other}}}' for value in values]
        lines = [f'{{"puzzle": "{UNIQUE}"{other}}}', *objects, *values] if beside else values
        check("\n".join(lines), JsonlReader, jsonl, "ObjectScanner", monkeypatch)


def usual(puzzle: str, dump: Callable[[Any], str]) -> list[str]:
    """Return the usual lists of a puzzle: of numbers and of texts, flat and in rows."""
    numbers = [int(sign) for sign in puzzle.replace(".", "0")]
    cells: list[list[Any]] = [numbers, [*puzzle], [*puzzle.replace(".", "0")]]
    return [dump(form) for each in cells for form in (each, [each[row] for row in ROWS])]


@in_turn
@pytest.mark.parametrize("puzzle", [UNIQUE, QUIZ, DENSE, BLANK_ROWS])
def test_usual_lists_need_no_python(puzzle: str) -> None:
    """It takes a hundred times as long."""
    texts = [
        json.dumps([puzzle[row] for row in ROWS]),
        json.dumps([int(s) if s > "." else None for s in puzzle]),
    ]
    values = [*usual(puzzle, json.dumps), *texts]
    text = bytearray("".join(f'{{"puzzle": {value}}}\n{value}\n' for value in values).encode())
    objects = ObjectScanner([b"puzzle"], 0, 1 << 16, lists=True)
    assert objects.scan(text, 0, len(text)) == 2 * len(values)
    assert {text[at : at + 81].decode() for at in objects.starts} == {puzzle}
    numpy = "[" + "\n ".join(f"[{' '.join(puzzle.replace('.', '0')[row])}]" for row in ROWS) + "]"
    words = [[int(s) if s > "." else None for s in puzzle], [s if s > "." else "" for s in puzzle]]
    values = [*usual(puzzle, str), *usual(puzzle, json.dumps), numpy, *map(str, words)]
    values += [numpy_texts(puzzle), str(words[0]).replace("None", "nan")]
    quoted = ['"' + value.replace('"', '""') + '"' for value in values]
    text = bytearray("".join(f"1,{field}\n" for field in quoted).encode())
    fields = FieldScanner(ord(","), 2, 1, lists=True)
    assert fields.scan(text, 0, len(text)) == len(values)
    assert {text[at : at + 81].decode() for at in fields.starts} == {puzzle}


def numpy_texts(puzzle: str) -> str:
    """Return nine rows of strings as NumPy prints them."""
    rows = (" ".join(f"'{sign}'" for sign in puzzle[row]) for row in ROWS)
    return "[" + "\n ".join(f"[{row}]" for row in rows) + "]"


@in_turn
@pytest.mark.parametrize("empty", [*dict.fromkeys(EMPTY), "NA", "<NA>", "' '"])
@pytest.mark.parametrize("gap", [", ", ","])
def test_python_reads_a_field_as_a_grid(empty: str, gap: str) -> None:
    """Cells without a sign count as cells, whatever word is written for them."""
    items = [sign if sign > "." else empty for sign in UNIQUE]
    rows = f"[{gap.join(f'[{gap.join(items[row])}]' for row in ROWS)}]"
    fields = ",".join(UNIQUE).replace(".", "")
    for text in (f"[{gap.join(items)}]", rows, fields):
        assert unidoku.Grid(text).line == UNIQUE
        assert reading_of(text) == (UNIQUE, None)


@in_turn
@pytest.mark.parametrize("sign", [".", " ", "0", "X"])
def test_strings_of_numpy(sign: str) -> None:
    text = numpy_texts(UNIQUE).replace(".", sign)
    assert unidoku.Grid(text).line == UNIQUE
    assert reading_of(text) == (UNIQUE, None)


GAPS = st.sampled_from(["", " ", "\n", "\r\n  ", "\r", "\t"])
VALUES = [
    "7",
    '"a"',
    "null",
    "[1, [2]]",
    '{"a": "\\u00e9\\n"}',
    "-1.5E+3",
    "NaN",
    "-",
    '"\\x"',
    "01",
    "[1,]",
    "{}",
    "",
]


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a list of records as text, perhaps damaged."""
    puzzle = st.sampled_from([json.dumps(each) for each in PUZZLES]) | lists(is_json=True)
    gap, texts = draw(GAPS), list[str]()
    for number in range(draw(st.integers(1, 5))):
        items = [
            f'"id": {number}',
            f'"puzzle":{gap}{draw(puzzle)}',
            f'"note": {draw(st.sampled_from(VALUES))}',
        ]
        is_lone = draw(st.booleans())
        texts.append(draw(puzzle) if is_lone else "{" + gap + f",{gap}".join(items) + gap + "}")
    texts *= draw(st.sampled_from([1, 1, 150]))
    content = f"{gap}[{gap}" + f"{gap},{gap}".join(texts) + f"{gap}]{gap}"
    if draw(st.booleans()):
        others = [f'"{name}": {draw(st.sampled_from(AROUND))}' for name in draw(st.sampled_from(NAMES))]
        content = f"{{{gap}" + ",".join([*others[:1], f'"data":{content}', *others[1:]]) + gap + "}"
    return content + draw(st.sampled_from(["", "", "", "", "]", "[]", "x"]))


def test_records_around_a_long_list_keep_their_order_and_lines() -> None:
    """They are few and invalid."""
    items = ",\r\n".join(json.dumps({"id": k, "puzzle": UNIQUE}) for k in range(200))
    around = ['"of": {"m": 1},\r\n"by": ["x"]', '"n": 7,\r\n"last": {"id": [1]}']
    rows = read(f'{{{around[0]},\r\n"data": [\r\n{items}],\r\n{around[1]}}}')
    numbers = [row[0] for row in rows if isinstance(row[0], int)]
    assert numbers == [1, 2, *range(4, 204), 205]
    columns = {row[0]: row[1:] for row in rows[len(numbers) :]}
    assert columns["n"] == (7,) * 203
    assert columns["id"] == (None, None, *range(200), [1])


def test_the_last_of_two_members_with_a_name_counts() -> None:
    items = json.dumps([UNIQUE] * 200)
    assert len(read(f'{{"data": {items}, "data": {{"puzzle": "{UNIQUE}"}}}}')) == 1


AROUND = [
    *map(json.dumps, (3, None, UNIQUE, [1, 2], [UNIQUE] * 150, [*range(150)], {"a": [UNIQUE]}, {"data": 1}))
]
NAMES: list[list[str]] = [[], [], ["total"], ["id", "rows"], ["data"], ["puzzle", "x"], ["role"]]


@given(documents())
@examples(8)
def test_documents(content: str) -> None:
    """A list of records becomes lines in one pass; Python splits other documents."""
    found = read(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "long_list", lambda *_: None)
        assert read(content) == found


def read(content: str) -> Any:
    """Return what the reader of JSON finds, or its error."""
    try:
        return rows_of(JsonlReader(Source(io.BytesIO(content.encode()), "a"), Reading()))
    except FormatError as error:
        return str(error)


def test_a_list_of_records_is_split_in_native_code() -> None:
    content = bytearray(b'[{"id": 1, "a": [1, {}]},\r\n\n {"id":\n2, "b": [ 1 , 2,\n 3,4 ]}, "x" ]\n')
    places = element_places(content, 0, len(content))
    assert places is not None
    assert [*places[:2], content[places[-1]]] == [1, content.index(b'{"id":\n'), ord("]")]
    size = split_elements(content, places)
    assert content[:size] == b'{"id": 1, "a": [1, {}]}\n{"id": 2, "b": [1, 2, 3,4]}\n"x"\n'
    assert [*places[:-1]] == [1, 3, 5]
    for other in (
        b"",
        b"[]",
        b"{}",
        b"[1",
        b"[1] 2",
        b"[1,]",
        b"[NaN]",
        b"[01]",
        b'["\n"]',
        b"[" * 99 + b"]" * 99,
    ):
        assert element_places(other, 0, len(other)) is None


def test_members_of_an_object_are_found_in_native_code() -> None:
    content = b' {"a": [1, {}],\n"\\"": "x" }\n'
    places = member_places(content, 0, len(content))
    assert places is not None
    values = [content[begin:end] for begin, end in zip(places[::2], places[1::2], strict=True)]
    assert values == [b'"a"', b"[1, {}]", b'"\\""', b'"x"']
    for other in (b"", b"{}", b"[]", b'{"a"}', b'{"a": 1', b'{"a": 1} 2', b'{"a": 1,}', b"{1: 2}"):
        assert member_places(other, 0, len(other)) is None


@pytest.mark.parametrize("head", [b"[", b'{"features": [1], "data": {"next": null, "rows": ['])
def test_documents_need_no_python(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents are decoded as a whole only if their records are elsewhere."""
    monkeypatch.setattr(jsonl, "records_of_document", pytest.fail)
    monkeypatch.setattr(JsonlReader, "item", pytest.fail)
    numbers = [*map(int, SOLUTION)]
    records = [{"id": k, "puzzle": UNIQUE, "solution": numbers, "rows": [["a", None]]} for k in range(200)]
    content = head + json.dumps(records, separators=(",", ":"))[1:].encode()
    content += b'}, "n": 200}' if head != b"[" else b""
    found = rows_of(JsonlReader(Source(io.BytesIO(content), "a"), Reading()))
    assert sum(row[1] == UNIQUE for row in found) == 200
    for name, value in ("solution", numbers), ("rows", [["a", None]]):
        assert [one for column, *values in found if column == name for one in values] == [value] * 200


@in_turn
@pytest.mark.parametrize(
    "text",
    ["[1,2]", "[ 1, 2]", "[1 ,2]", "[1, 2 ]", "[1,  2]", "[1,\t2]", "[[1],[]]", '["a,b"," [x ]"]', "[ ]"],
)
def test_lists_beside_a_puzzle_are_written_as_python_writes_them(text: str) -> None:
    content = bytearray(f'{{"puzzle": "{UNIQUE}", "a": {text}}}\n'.encode())
    scanner, size = ObjectScanner([b"puzzle", b"a"], 0, 1 << 16), len(content)
    assert scanner.scan(content, 0, size) == 1
    begins, ends, _ = scanner.column(1)
    assert (content + scanner.added)[begins[0] : ends[0]] == json.dumps(json.loads(text)).encode()


@in_turn
@pytest.mark.parametrize(
    "text", ["[1.5,2]", "[1e5,2]", "[-0,2]", f"[{'1' * 4300},2]", '["1.5" ,2]', "[{},2]", "[1,]"]
)
def test_numbers_that_python_writes_otherwise_are_left_to_it(text: str) -> None:
    content = bytearray(f'{{"puzzle": "{UNIQUE}", "a": {text}}}\n'.encode())
    scanner = ObjectScanner([b"puzzle", b"a"], 0, 1 << 16)
    assert scanner.scan(content, 0, len(content)) == 0
    assert scanner.added == b""


def parts_of(cells: str, ends: list[int]) -> list[str]:
    return [cells[begin:end] for begin, end in zip([0, *ends], [*ends, len(cells)], strict=True)]


ENDS = [*range(9, 81, 9)]
DAMAGED = {
    "a cell in the next row": [8, *ENDS[1:]],
    "a cell in the row before": [*ENDS[:3], 37, *ENDS[4:]],
    "two cells in the next row": [*ENDS[:-1], 70],
    "rows of 18": [*range(18, 81, 18)],
    "two texts": [40],
    "threes": [*range(3, 81, 3)],
}
WRITTEN: dict[str, Callable[[list[str]], Any]] = {
    "texts": lambda rows: rows,
    "texts with blanks": lambda rows: [" ".join(row) for row in rows],
    "lists": lambda rows: [[*row] for row in rows],
    "lists of a text": lambda rows: [[row] for row in rows],
}


@in_turn
@pytest.mark.parametrize("ends", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv"])
def test_rows_without_nine_cells_are_never_joined(
    ends: list[int], written: Callable[[list[str]], Any], name: str
) -> None:
    damaged = written(parts_of(UNIQUE, ends))
    text = json.dumps(damaged)
    with pytest.raises(unidoku.InvalidPuzzleError):
        unidoku.Grid(text)
    contents = [text, json.dumps(damaged, indent=1)]
    if name != "a.csv":
        contents += [json.dumps({"puzzle": one}) for one in (damaged, text)]
        contents += [f"{one}\n{json.dumps({'puzzle': QUIZ})}\n" for one in contents[2:]]
    else:
        field = text.replace('"', '""')
        contents = [f'puzzle,n\n"{field}",1\n{QUIZ},2\n']
    for content in contents:
        stream = io.BytesIO(content.encode())
        stream.name = name
        try:
            read = [unidoku.Grid(cells).line for batch in unidoku.read(stream) for cells in batch.cells]
        except unidoku.UnidokuError:
            continue
        assert read in ([], [QUIZ]), content


def test_a_text_that_is_no_puzzle_is_read_once(monkeypatch):
    """The search for a record in an object reads the text that the record is refused for."""
    texts = [f"{UNIQUE}{number:02}" for number in range(20)]
    seen, read = [], contents.only_board

    def counted(text):
        seen.append(text)
        return read(text)

    monkeypatch.setattr(contents, "only_board", counted)
    lines = "".join(f"{json.dumps({'puzzle': text})}\n" for text in (UNIQUE, *texts))
    assert unidoku.check_file(io.BytesIO(lines.encode()), format="jsonl").invalid == 20
    assert sorted(seen) == texts
