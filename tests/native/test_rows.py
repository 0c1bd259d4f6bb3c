"""Rows of bytes: valid puzzles, and their cells."""

import array

import pytest
from cases import in_turn

from unidoku import Grid, InvalidPuzzleError
from unidoku._native.text.columns import are_puzzles, read_cells, read_rows
from unidoku.cell import EMPTY_SYMBOLS, VALUES


def test_every_code_in_text():
    for empty in EMPTY_SYMBOLS:
        for place in [0, 31, 40, 79, 80]:
            start = array.array("q", [0])
            for code in range(256):
                row, cells = bytearray(f"2{empty}1{empty}" * 20 + empty, "ascii"), bytearray(b"?" * 81)
                row[place] = code
                if chr(code) in {*"123456789", empty}:
                    assert read_cells(row, start, cells) == []
                    assert are_puzzles(row, start)
                    assert read_rows([bytes(row), row.decode("latin-1")], bytearray(2 * 81), Grid) == []
                    assert bytes(cells) == bytes(VALUES[chr(symbol)] for symbol in row)
                else:
                    assert read_cells(row, start, cells) == [0]
                    assert not are_puzzles(row, start)
                    rows = [row.decode("latin-1"), b"1" * 81, bytes(row)]
                    assert read_rows(rows, bytearray(3 * 81), Grid) == [0, 2]
                    assert not any(cells)


def test_rows_that_are_no_puzzles_are_reported():
    text, cells = b"0" * 81 + b"!" * 81 + b"1" * 81, bytearray(5 * 81)
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
    with pytest.raises(ValueError, match="too small"):
        read_rows(["1" * 81, "1" * 81], bytearray(2 * 81 - 1), Grid)
    with pytest.raises(ValueError, match="outside"):
        are_puzzles(text, array.array("q", [0, 20]))


def test_texts_of_81_ascii_characters_are_read_and_others_reported():
    full_width = "１" + "1" * 80
    rows = ["1" * 81, "1" * 80, b"2" * 81, full_width, None, bytearray(b"3" * 81), "4" * 82, "." * 80 + "9"]
    cells = bytearray(b"?" * 81 * len(rows))
    assert read_rows(rows, cells, Grid) == [1, 3, 4, 5, 6]
    assert [cells[81 * k + 80] for k in range(len(rows))] == [1, 0, 2, 0, 0, 0, 0, 9]
    assert set(cells) == {0, 1, 2, 9}


@in_turn
@pytest.mark.parametrize("name", ["numpy.int64", "numpy.longlong", "numpy.ndarray"])
def test_a_class_with_a_name_of_numpy_is_none_of_its_types(name):
    values = [0] * 80

    def change(_):
        values.clear()
        return 1

    value = type(name, (), {"__index__": change})()
    values.append(value)
    for puzzle in (values, [values[9 * row : 9 * row + 9] for row in range(9)], value):
        with pytest.raises(InvalidPuzzleError):
            Grid(puzzle)
    assert len(values) == 81
