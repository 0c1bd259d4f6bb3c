"""Which rows of bytes are puzzles."""

import array

import pytest

from unidoku.cell import EMPTY_SYMBOLS, VALUES
from unidoku.native.text.columns import first_bad


def test_the_symbols():
    assert set(VALUES) == {*EMPTY_SYMBOLS, *"123456789"} == {*"0123456789.*_-xX?"}


@pytest.mark.parametrize("place", [0, 31, 40, 79, 80])
def test_every_code_in_text_and_in_numbers(place):
    start = array.array("q", [0])
    for code in range(256):
        row = bytearray(b".1" * 40 + b"9")
        row[place] = code
        assert (first_bad(row, start) == -1) == (chr(code) in VALUES)
        row = bytearray(81)
        row[place] = code
        assert (first_bad(row, start, 0) == -1) == (code <= 9)
