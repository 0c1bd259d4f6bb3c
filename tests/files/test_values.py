"""Values beside the puzzles: encodings, empty records, numbers as they are written, wide rows."""

from __future__ import annotations

import gzip
import json
from itertools import product
from pathlib import Path

import pytest
from cases import in_turn
from command import run
from example_puzzles import UNIQUE
from readback import read_all, rows_of

import unidoku
from unidoku.errors import InputError
from unidoku.files._chunks import NO_COLUMNS, NeededColumns, Reading
from unidoku.files._recognition import open_reader
from unidoku.files._source import open_source

TABLES = ["csv", "jsonl", "parquet"]
CELLS = [int(symbol) if symbol != "." else 0 for symbol in UNIQUE]


@pytest.fixture(params=TABLES)
def output(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the name of a table."""
    return tmp_path / f"out.{request.param}"


def test_lines_that_are_not_utf8_are_windows_1252(tmp_path: Path, output: Path) -> None:
    """In every output; the run says so once for each file, with the line."""
    lines = [
        "name,puzzle,naïve\n".encode(),
        f"数独,{UNIQUE},é\n".encode(),
        f"café,{UNIQUE},€".encode("cp1252") + b"\x81\n",
        f"naïf,{UNIQUE},\n".encode("latin-1"),
    ]
    (tmp_path / "in.csv").write_bytes(b"".join(lines))
    result = run("convert", tmp_path / "in.csv", "-o", output, code=0)
    notes = [line for line in result.stderr.splitlines() if line.startswith("note: ")]
    assert notes == [
        f"note: {tmp_path}/in.csv:3: this line is not UTF-8, and lines like it are read as Windows-1252; "
        "name another encoding with --encoding"
    ]
    rows = [(row["name"], row["naïve"] or "") for row in rows_of(output)]
    assert rows == [("数独", "é"), ("café", "€\x81"), ("naïf", "")]


@pytest.mark.parametrize(
    ("name", "encoding"), [("csv", "GBK"), ("csv.gz", "gb18030"), ("jsonl", "utf-16-le")]
)
def test_texts_in_an_encoding_that_is_named(tmp_path: Path, output: Path, name: str, encoding: str) -> None:
    """As inputs of a Chinese spreadsheet, by a path and standard input; a text that is none has its line."""
    text = f"标题,题目\n数独之美,{UNIQUE}\n"
    if name == "jsonl":
        text = f'{{"标题": "数独之美", "题目": "{UNIQUE}"}}\n'
    data = text.encode(encoding)
    (tmp_path / f"in.{name}").write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    run("convert", tmp_path / f"in.{name}", "--encoding", encoding, "-o", output, code=0)
    assert rows_of(output) == [{"puzzle": UNIQUE, "标题": "数独之美"}]
    run("convert", "-", "--encoding", encoding, "-o", output, stdin=data, code=0)
    assert rows_of(output) == [{"puzzle": UNIQUE, "标题": "数独之美"}]
    (tmp_path / "in.csv").write_bytes("标题,题目\n数独".encode("gbk") + b"\xff\xff\n")
    with pytest.raises(InputError, match=r"in.csv:2: gbk: illegal multibyte sequence"):
        unidoku.check_file(tmp_path / "in.csv", encoding="gbk")


def test_a_line_that_is_not_utf8_leaves_frames_beside_it_whole(tmp_path: Path) -> None:
    rows = [UNIQUE[k : k + 9] for k in range(0, 81, 9)]
    board = "".join(f"│{row[:3]}│{row[3:6]}│{row[6:]}│\n" for row in rows)
    (tmp_path / "in.txt").write_bytes("café\n".encode("cp1252") + board.encode())
    assert run("convert", tmp_path / "in.txt", code=0).stdout == f"{UNIQUE}\n"


def test_a_header_and_json_lines_that_are_not_utf8(tmp_path: Path, output: Path) -> None:
    (tmp_path / "in.csv").write_bytes(f"puzzle,naïve\n{UNIQUE},x\n".encode("latin-1"))
    objects = [{"puzzle": UNIQUE, "naïve": name} for name in ("数独", "café")]
    texts = [f"{json.dumps(value, ensure_ascii=False)}\n" for value in objects]
    (tmp_path / "in.jsonl").write_bytes(texts[0].encode() + texts[1].encode("latin-1"))
    array = f"[\n{texts[0]},\n{texts[1]}]"
    (tmp_path / "in.json").write_bytes(array.replace("数独", "ü").encode("latin-1"))
    for name, line, values in (
        ("in.csv", 1, ["x"]),
        ("in.jsonl", 2, ["数独", "café"]),
        ("in.json", 2, ["ü", "café"]),
    ):
        result = run("convert", tmp_path / name, "-o", output, code=0)
        assert f"note: {tmp_path}/{name}:{line}: this line is not UTF-8" in result.stderr
        assert [row["naïve"] for row in rows_of(output)] == values
        assert run("convert", tmp_path / name, "-o", output, "-q").stderr == ""


NUMBERS = [
    "1.10",
    "1E5",
    "0.1234567890123456789",
    "-0",
    "-0.0",
    "7" * 5000,
    '[1.50, {"a": 2e0}]',
    "1",
    "true",
]


@pytest.mark.parametrize(("puzzle", "form"), [(UNIQUE, "lines"), (CELLS, "array"), (UNIQUE, "indented")])
def test_numbers_stay_as_they_are_written(tmp_path: Path, puzzle: object, form: str) -> None:
    lines = [f'{{"puzzle": {json.dumps(puzzle)}, "n": {number}, "t": "1.50"}}' for number in NUMBERS]
    text = {"lines": "\n".join(lines), "array": f"[{','.join(lines)}]"}.get(
        form, "[\n" + ",\n".join(lines) + "\n]"
    )
    (tmp_path / "in.jsonl").write_text(f"{text}\n")
    run("convert", "in.jsonl", "-o", "out.jsonl", cwd=tmp_path, code=0)
    expected = [f'{{"puzzle": "{UNIQUE}", "n": {number}, "t": "1.50"}}' for number in NUMBERS]
    assert (tmp_path / "out.jsonl").read_text().splitlines() == expected
    run("convert", "in.jsonl", "-o", "out.csv", cwd=tmp_path, code=0)
    assert [row["n"] for row in rows_of(tmp_path / "out.csv")] == NUMBERS
    [batch] = unidoku.read(tmp_path / "in.jsonl")
    assert batch.columns["n"][5:7] == ["7" * 5000, [1.5, {"a": 2.0}]]


@pytest.mark.parametrize("puzzle", [UNIQUE, CELLS], ids=["text", "list"])
def test_values_that_are_too_deep_cost_their_record(tmp_path: Path, puzzle: object) -> None:
    values = ["1", "[" * 20_000 + "]" * 20_000, '{"a":' * 5000 + '"]"' + "}" * 5000, "2"]
    lines = [f'{{"puzzle": {json.dumps(puzzle)}, "n": {value}}}' for value in values]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    result = run("convert", "in.jsonl", "-o", "out.csv", cwd=tmp_path, code=1)
    for line in (2, 3):
        assert f"invalid: in.jsonl:{line}:1: expected at most a few hundred nested lists" in result.stderr
    assert [row["n"] for row in rows_of(tmp_path / "out.csv") if row["puzzle"] == UNIQUE] == ["1", "2"]


def test_a_chunk_of_wide_rows_has_many_of_them(tmp_path: Path) -> None:
    """Each column costs time in each chunk, however few puzzles a chunk is asked for."""
    names = ",".join(f"c{k}" for k in range(2000))
    row = ",".join(map(str, range(2000)))
    (tmp_path / "in.csv").write_text(f"puzzle,{names}\n" + f"{UNIQUE},{row}\n" * 200)
    size = (tmp_path / "in.csv").stat().st_size
    for needed, most in ((NeededColumns(), size // (256 * 2000) + 2), (NO_COLUMNS, size)):
        with open_source(str(tmp_path / "in.csv")) as source:
            reader = open_reader(source, Reading(needed=needed))
            sizes = [sum(len(batch) for batch in chunk()) for chunk in reader.chunks(lambda: 5000)]
        assert sum(sizes) == 200
        assert len(sizes) <= most
    unidoku.run(unidoku.tasks.Convert(), tmp_path / "in.csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "in.csv").read_bytes()


# --- JSON ---


@in_turn
@pytest.mark.parametrize(
    "text", [json.dumps({"puzzle": UNIQUE}), json.dumps(UNIQUE), json.dumps(UNIQUE)[:-1], f"[{UNIQUE}]", ""]
)
def test_json_between_other_characters(text: str) -> None:
    for before, after in product(["", " ", "\t "], ["", "  ", "\t", "x", " }", " ]"]):
        line = before + text + after
        wrong = []
        try:
            json.loads(line)
        except json.JSONDecodeError as error:
            wrong = [(1, error.pos + 1)]
        records = read_all(f"{line}\n{json.dumps(UNIQUE)}\n".encode(), "jsonl")
        assert records.puzzles == ([(2, UNIQUE)] if wrong else [(1, UNIQUE), (2, UNIQUE)])
        assert [reject[:2] for reject in records.rejects] == (wrong if line.strip() else [])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_lacks_are_null_in_json(tmp_path: Path, number: float) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"puzzle": cells, "x": number, "y": [1.5, number], "z": {"a": [number]}} for cells in (UNIQUE, "bad")
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    unidoku.run(unidoku.tasks.Convert(), source, output)
    objects = [json.loads(line, parse_constant=pytest.fail) for line in output.read_text().splitlines()]
    assert objects == [
        {"puzzle": cells, "x": None, "y": [1.5, None], "z": {"a": [None]}} for cells in (UNIQUE, "bad")
    ]
    unidoku.check_file(source, tmp_path / "out.csv")
    unidoku.check_file(source, tmp_path / "out.txt", columns=["x", "y", "z"])
    texts = [json.dumps(number), "[1.5, null]", '{"a": [null]}']
    assert [[row["x"], row["y"], row["z"]] for row in rows_of(tmp_path / "out.csv")] == [texts] * 2
    assert (tmp_path / "out.txt").read_text().count("\t".join(texts)) == 2
