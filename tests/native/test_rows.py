"""Rows of bytes: valid puzzles, and their cells."""

import array

import pytest

from unidoku.cell import VALUES
from unidoku.native.text.columns import read_cells


@pytest.mark.parametrize("place", [0, 31, 40, 79, 80])
def test_every_code_in_text(place):
    start = array.array("q", [0])
    for code in range(256):
        row, cells = bytearray(b".1" * 40 + b"9"), bytearray(b"?" * 81)
        row[place] = code
        if chr(code) in VALUES:
            assert read_cells(row, start, cells) == []
            assert bytes(cells) == bytes(VALUES[chr(symbol)] for symbol in row)
        else:
            assert read_cells(row, start, cells) == [0]
            assert not any(cells)


def test_rows_that_are_no_puzzles_are_reported():
    text, cells = b"x" * 81 + b"!" * 81 + b"1" * 81, bytearray(5 * 81)
    assert read_cells(text, array.array("q", [0, 162, 0, 81, 80]), cells) == [3, 4]
    assert bytes(cells) == bytes(81) + b"\1" * 81 + bytes(3 * 81)
    assert read_cells(text, array.array("q", []), cells) == []


def test_nothing_outside_the_buffers_is_read_or_written():
    text = b"1" * 100
    for outside in (-1, 20):
        with pytest.raises(ValueError, match="outside"):
            read_cells(text, array.array("q", [outside]), bytearray(81))
    with pytest.raises(ValueError, match="too small"):
        read_cells(text, array.array("q", [0]), bytearray(80))
