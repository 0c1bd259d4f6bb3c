"""The scanner against a plain model of the line rules."""

import random

import line_model
import pytest
from cases import in_turn
from example_puzzles import UNIQUE
from fuzzing import examples
from hypothesis import given, strategies as st
from line_model import Bad, Puzzle
from line_texts import texts

from unidoku._native.text import scan

PUZZLE = UNIQUE.encode()


def scanned(text, begin=0, end=None, scanner=None, **options):
    """The output of the scanner, in the model's terms."""
    scanner = scanner or scan.Scanner()
    count = scanner.scan(text, begin, len(text) if end is None else end, **options)
    assert count == len(scanner.starts) == len(scanner.lines)
    puzzles = []
    for i, (start, line) in enumerate(zip(scanner.starts, scanner.lines, strict=True)):
        cells = bytes(text[start : start + 81])
        before = after = b""
        if options.get("keep"):
            before = bytes(text[scanner.before[0][i] : scanner.before[1][i]])
            after = bytes(text[scanner.rest[0][i] : scanner.rest[1][i]])
        else:
            assert scanner.before is None
            assert scanner.rest is None
        puzzles.append((line, cells, before, after))
    bad = []
    numbers = list(scanner.rejects)
    for k in range(0, len(numbers), 9):
        before, line, position, begin_of_line, end_of_line, code, *_ = numbers[k : k + 9]
        assert 0 <= begin_of_line <= begin_of_line + position <= end_of_line <= len(text)
        bad.append((before, line, code, position))
    return puzzles, bad


def modelled(text, **options):
    """The model's answer in the same shape."""
    puzzles, bad = [], []
    for entry in line_model.entries(text, **options):
        if isinstance(entry, Puzzle):
            around = (entry.before, entry.rest) if options.get("keep") else (b"", b"")
            puzzles.append((entry.line, entry.cells, *around))
        else:
            assert isinstance(entry, Bad)
            bad.append((len(puzzles), entry.line, entry.code, entry.at))
    return puzzles, bad


def agree(text, **options):
    ours, ours_bad = scanned(text, **options)
    theirs, theirs_bad = modelled(text, **options)
    assert ours == theirs
    assert [row[:3] for row in ours_bad] == [row[:3] for row in theirs_bad]
    for mine, model in zip(ours_bad, theirs_bad, strict=True):
        assert model[3] in {mine[3], -1}


@given(
    texts(),
    st.sampled_from([0, 0, 0, 1, 2, 3]),
    st.booleans(),
    st.sampled_from([1 << 20, 1 << 20, 1, 50, 81, 82, 90, 800]),
)
@examples(30)
def test_like_the_model(text, column, keep, line_max):
    agree(text, column=column, keep=keep, line_max=line_max)


@given(st.binary(max_size=400))
@examples(25)
def test_like_the_model_on_any_bytes(text):
    agree(text)


@in_turn
@pytest.mark.parametrize("symbol", ".0*_-xX?")
def test_many_regular_lines(symbol):
    for end in [b"\n", b"\r\n", b"\r"]:
        signs = f"123456789{symbol * 9}".encode()
        cells = random.Random(symbol).randbytes(81 * 3000).translate(bytes(signs[k % 18] for k in range(256)))
        rows = [cells[begin : begin + 81] for begin in range(0, len(cells), 81)]
        for text in (end.join(rows) + end, end.join(rows)):
            ours, bad = scanned(text)
            assert [row[1] for row in ours] == rows
            assert [row[0] for row in ours] == list(range(1, 3001))
            assert bad == []


def test_each_cell_is_checked():
    for wrong in [b"\0", b"/", b":", b"a", b"Y", b"\xff", b"\x80", b"+", b"w", b"^"]:
        for place in range(81):
            text = PUZZLE[:place] + wrong + PUZZLE[place + 1 :] + b"\n"
            ours, bad = scanned(text * 3)
            assert ours == []
            assert [(row[1], row[3]) for row in bad] == [(1, place), (2, place), (3, place)]
