"""The lines reader: chunks of any size give the same result as the whole text; messages for bad lines."""

import gzip
import io
from unittest import mock

import line_model
import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE
from fuzzing import examples
from hypothesis import given, strategies as st
from line_model import Puzzle
from line_texts import texts
from readback import read_all, rows_of

import unidoku
from unidoku.errors import FormatError, InputError
from unidoku.files._chunks import NeededColumns, Reading
from unidoku.files._lines import LinesReader

PUZZLE = UNIQUE.encode()


def read_lines(data, target=1 << 16, *, line_max=1 << 20, rest=False, **options):
    """Return the puzzles, rejects and carried columns of all chunks."""
    options["needed"] = NeededColumns(has_rest=rest)
    puzzles, columns, rejects = read_all(data, "lines", Reading(**options), target, line_max)
    return [(line, cells.encode()) for line, cells in puzzles], rejects, columns


def model(data, **options):
    entries = line_model.entries(data, **options)
    puzzles = [(entry.line, entry.cells) for entry in entries if isinstance(entry, Puzzle)]
    return puzzles, [entry.line for entry in entries if not isinstance(entry, Puzzle)]


@given(
    texts(),
    st.lists(st.integers(1, 200), min_size=1, max_size=5),
    st.sampled_from([1 << 20, 85, 100, 1000]),
    st.sampled_from([None, None, "1", "2"]),
)
@examples(30)
def test_chunks_of_any_size(text, sizes, line_max, column):
    text = b"#\n" + text  # no byte-order mark, no UTF-16
    turn = iter(range(1 << 30))
    options = {"column": column, "line_max": line_max}
    with mock.patch.object(LinesReader, "texts", frozenset()):  # the scanner, without texts among the lines
        read = read_lines(text, lambda: sizes[next(turn) % len(sizes)], **options)
        assert read == read_lines(text, **options)
    if column is not None:  # else a line is a puzzle only if it is one alone
        puzzles, lines = model(text, column=int(column), line_max=line_max)
        assert read[0] == puzzles
        assert {row[0] for row in read[1]} <= set(lines), "brackets around records are none"


@in_turn
@pytest.mark.parametrize("last", [b" \1\0011", b" x", b",,", b"", b" " + PUZZLE[:40]])
@pytest.mark.parametrize("cells", [SOLUTION.encode(), PUZZLE])
def test_a_last_line_without_its_end_is_alone(cells, last):
    """Chunks take turns in their buffers, in which longer lines were before."""
    text = (SOLUTION.encode() + b" 12345678\n") * 20 + cells + last
    assert read_lines(text, 1) == read_lines(text)


@in_turn
@pytest.mark.parametrize("text", [b"", PUZZLE, PUZZLE + b"\r\n" + PUZZLE, b"bad"])
@pytest.mark.parametrize("target", [1, 2, 100])
def test_byte_order_mark(text, target):
    assert read_lines(b"\xef\xbb\xbf" + text, target) == read_lines(text)


def test_reasons_that_depend_on_options():
    def reasons(text, **options):
        return read_lines(text, **options)[1]

    assert reasons("éé,bad".encode(), column="2")[0][1] == 4, "characters, not bytes"
    assert reasons(b"a b\n", column="3") == [(1, 4, "expected a puzzle in field 3, found 2 fields")]
    assert reasons(b"a\n", column="2") == [(1, 2, "expected a puzzle in field 2, found 1 field")]
    [(_, _, reason)] = reasons(b" " * 300, line_max=100)
    assert reason == "expected at most 100 bytes in a line, found more"
    [(_, _, reason)] = reasons(PUZZLE + b" " * 300, line_max=100, rest=True)
    assert reason == "expected at most 100 bytes in a line, found more"


def test_only_the_beginning_of_long_bad_lines_is_shown(tmp_path):
    unidoku.check_file(io.BytesIO(b"y" * 100_000), tmp_path / "out.jsonl")
    [row] = rows_of(tmp_path / "out.jsonl")
    assert row["puzzle"] == "y" * 4096
    assert len(row["reason"]) < 150


def test_column_is_found_automatically():
    rows = b"".join(b"%012x %s  %d.2\n" % (i, PUZZLE, i) for i in range(150))
    puzzles, rejects, columns = read_lines(rows, 1000, rest=True)
    assert len(puzzles) == 150
    assert rejects == []
    assert columns[7] == {"before": "000000000007 ", "rest": " 7.2"}
    # But the column can be given.
    assert len(read_lines(PUZZLE + b"\n" + rows, column="2")[0]) == 150


@in_turn
@pytest.mark.parametrize("column", ["0", "-1", "puzzle", "1.5", ""])
def test_column_must_be_a_field_number(column):
    with pytest.raises(FormatError, match="a field number from 1"):
        read_lines(PUZZLE, column=column)


def test_keep_carries_the_rest():
    text = b"\n".join([PUZZLE, PUZZLE + b',a,"b"', PUZZLE + b"\t", PUZZLE + b" # x \xff"])
    assert [row.get("rest", "") for row in read_lines(text, rest=True)[2]] == ["", 'a,"b"', "", "# x ÿ"]


@in_turn
@pytest.mark.parametrize("kind", ["comment", "rest", "junk", "blanks"])
@pytest.mark.parametrize("length", [1, 65_535, 65_536, 65_537, 300_000])
def test_lines_longer_than_any_buffer(kind, length):
    begin = {"comment": b"#", "rest": PUZZLE + b" ", "junk": b"y", "blanks": b" "}[kind]
    filler = b" " if kind == "blanks" else b"z"
    for tail in (b"", b"\n", b"\r", b"\r\n"):
        text = PUZZLE + b"\n" + begin + filler * (900 + length) + tail + PUZZLE * (tail != b"")
        puzzles, rejects, _ = read_lines(text, 500, line_max=1000)
        assert (puzzles, [row[0] for row in rejects]) == model(text, line_max=1000)


@in_turn
@pytest.mark.parametrize("size", [100_000, 100_020, 100_040, 100_060])
def test_a_line_that_a_failure_cuts_in_two_is_not_read(size):
    packed = gzip.compress((PUZZLE + b"\n") * 20_000, 0)[:size]
    with pytest.raises(InputError, match="Compressed file ended before") as caught:
        unidoku.check_file(io.BytesIO(packed))
    summary = caught.value.summary
    assert (summary.invalid, summary.line) == (0, summary.unique)
    assert 1000 < summary.unique <= size // 82
