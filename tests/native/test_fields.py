"""Fields of CSV records: found in one pass or by searches, they are those of Python's csv module."""

import csv
import io

from example_puzzles import SOLUTION, UNIQUE
from fuzzing import examples
from hypothesis import given, strategies as st

from unidoku._native.text.fields import FieldScanner

PUZZLES = [UNIQUE, UNIQUE.replace(".", "0"), UNIQUE.replace(".", "-"), SOLUTION, f" {UNIQUE} "]
OTHERS = [
    "",
    "7",
    "a b",
    "x" * 15,
    "x" * 16,
    "x" * 17,
    "x" * 40,
    UNIQUE[1:],
    f"{UNIQUE}1",
    f"{UNIQUE}x{UNIQUE}",
]
FIELDS = st.sampled_from([*PUZZLES, *PUZZLES, *OTHERS])
QUOTED = st.sampled_from(["", 'say "7"', UNIQUE, "a\nb", "1,2;3\t4"])


@st.composite
def records(draw):
    """Return CSV text and the fields of its records."""
    separator = draw(st.sampled_from(",;\t"))
    lines, rows = list[str](), list[list[str]]()
    for _ in range(draw(st.integers(1, 40))):
        row, parts = list[str](), list[str]()
        for _ in range(draw(st.sampled_from([3, 3, 3, 3, 2, 4]))):
            quoted = draw(st.integers(0, 9)) == 0
            row.append(draw(QUOTED if quoted else FIELDS))
            parts.append('"' + row[-1].replace('"', '""') + '"' if quoted else row[-1])
        line = separator.join(parts)
        if not line.strip() or line.endswith(separator):
            continue  # no record, or a separator that begins no field
        rows.append(row)
        lines.append(line + draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])))
    return "".join(lines), separator, rows


@examples(15)
@given(records(), st.integers(0, 2))
def test_the_csv_module_finds_the_same(case, puzzle):
    text, separator, rows = case
    assert [*csv.reader(io.StringIO(text, newline=""), delimiter=separator)] == rows
    data = bytearray(text.encode())
    scanner = FieldScanner(ord(separator), 3, puzzle)
    scanner.scan(data, 0, len(data))
    grids = {grid.strip() for grid in PUZZLES}
    good = [row for row in rows if len(row) == 3 and row[puzzle].strip() in grids]
    assert [data[at : at + 81].decode() for at in scanner.starts] == [row[puzzle].strip() for row in good]
    assert len(scanner.rejects) // 9 == len(rows) - len(good)
    for number in range(3):
        begins, ends = scanner.column(number)
        assert [data[b:e].decode() for b, e in zip(begins, ends, strict=True)] == [r[number] for r in good]
