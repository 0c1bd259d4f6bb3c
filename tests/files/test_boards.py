"""Files of boards: many of one form and at one distance are read at once, and as each by itself."""

from __future__ import annotations

import io
from itertools import cycle, islice

import pytest
from cases import in_turn
from example_puzzles import QUIZ, SOLUTION, UNIQUE
from fuzzing import examples
from hypothesis import given, strategies as st

import unidoku
from unidoku._parse import forms
from unidoku._parse.board import NO_PUZZLE
from unidoku._table.batch import Batch, PuzzleRecord
from unidoku.errors import FormatError
from unidoku.files import _grids as grids
from unidoku.files._chunks import Reading
from unidoku.files._grids import GridReader, SsReader
from unidoku.files._source import Source

ZEROS = UNIQUE.replace(".", "0")
ODD = [
    SOLUTION,
    UNIQUE[:72] + UNIQUE[:9],  # a row twice
    "12345678." + UNIQUE[9:],  # a heading
    "".join(str(k // 9 + 1) if k % 9 == 0 else sign for k, sign in enumerate(UNIQUE)),  # labels
    "".join("." if k % 9 == 8 else sign for k, sign in enumerate(SOLUTION)),
    UNIQUE[:80],
    UNIQUE[:40] + "x" + UNIQUE[41:],
    ZEROS[:80] + ".",
    "." * 81,
]
FORMS = {
    "tight": ("", "{1}", "."),
    "spaced": (" ", "{1}", "."),
    "commas": (",", "{1}", "."),
    "labels": (" ", "{0} | {1}", "."),
    "names": (" ", "Row {0}: {1}", "."),
    "letters": ("", "{1}", "x"),
    "stars": (" ", "{1}", "*"),
    "frame": ("|", "|{1}|", " "),
}
GAPS = [
    "\n",
    "\n\n",
    "  \n",
    "\nPuzzle {}\n",
    "Grid {:02d}\n",
    "\nBook 1\nNo {}\n\n",
    "\nSolution {}\n",
    "---\n",
]
GAPS += ["\ngrid = [\n", "\nColumns {}\n", "\n\n\n\n\n\n"]


def board(puzzle: str, form: str) -> str:
    """Draw a puzzle in nine lines."""
    between, line, empty = FORMS[form]
    rows = [puzzle.replace(".", empty)[k : k + 9] for k in range(0, 81, 9)]
    return "".join(f"{line.format(number, between.join(row))}\n" for number, row in enumerate(rows, 1))


@st.composite
def files(draw: st.DrawFn) -> str:
    """Draw a file of boards, most of them of one form."""
    form, gap, usual = draw(st.sampled_from([*FORMS])), draw(st.sampled_from(GAPS)), draw(st.booleans())
    puzzles = [
        *islice(cycle([UNIQUE, QUIZ.replace("0", ".")] if usual else [ZEROS, QUIZ]), draw(st.integers(2, 40)))
    ]
    parts = [gap.format(number) + board(puzzle, form) for number, puzzle in enumerate(puzzles)]
    for _ in range(draw(st.integers(0, 3))):
        place, puzzle = draw(st.integers(0, len(parts) - 1)), draw(st.sampled_from([UNIQUE, *ODD]))
        other, between = draw(st.sampled_from([form, form, *FORMS])), draw(st.sampled_from([gap, gap, *GAPS]))
        parts[place] = between.format(place) + board(puzzle, other)
    return "".join(parts) + draw(st.sampled_from(["", "\n", "The end\n", "5"]))


def read(content: str, reader: type[GridReader]) -> list[tuple[object, ...]]:
    """Return the puzzles of a text, and why boards are none."""
    found = list[tuple[object, ...]]()
    for one in reader(Source(io.BytesIO(content.encode()), "a"), Reading()).records():
        if isinstance(one, Batch):
            found += zip(one.lines, unidoku.lines(one.cells), strict=True)
        elif isinstance(one, PuzzleRecord):
            found.append((one.line, one.cells))
        else:
            found.append((one.line, one.text, one.reason))
    return found


@given(files(), st.sampled_from([GridReader, SsReader]), st.sampled_from([500, 3000, 1 << 17]))
@examples(12)
def test_boards_are_read_as_each_by_itself(content: str, reader: type[GridReader], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grids, "_PIECE", size)
        found = read(content, reader)
        patch.setattr(forms._Layout, "boards_in", lambda *_: ([], []))
        assert read(content, reader) == found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("gap", ["\n", "\nPuzzle {}\n"])
def test_boards_of_one_form_are_read_many_at_a_time(
    monkeypatch: pytest.MonkeyPatch, form: str, gap: str
) -> None:
    """One by one they take five times as long."""
    looked_at = list[int]()
    of_block = grids._records_of
    monkeypatch.setattr(grids, "_records_of", lambda *args: looked_at.append(1) or of_block(*args))
    content = "".join(gap.format(number) + board(UNIQUE, form) for number in range(100))
    assert [cells for _, cells in read(content, GridReader)] == [UNIQUE] * 100
    assert len(looked_at) <= 5


def test_a_full_grid_above_a_time_is_no_puzzle() -> None:
    """As `Grid` says it, however many digits the time has."""
    [(_, _, reason)] = read(f"{board(SOLUTION, 'spaced')}time to solve: 0.0011472702\n", GridReader)
    assert reason == NO_PUZZLE


def test_boards_below_titles_whose_bytes_differ_in_number() -> None:
    """A middle dot is two bytes: where the next board ends is not where one like the last would."""
    puzzles = [UNIQUE, UNIQUE.replace("7", "."), UNIQUE.replace("7", ".")]
    content = "".join(f"Grid\n{board(puzzle, 'tight')}" for puzzle in puzzles)
    found = read(content.replace(".", "·"), GridReader)
    assert found == [(10 * k + 2, puzzle) for k, puzzle in enumerate(puzzles)]


@in_turn
@pytest.mark.parametrize("empty", ["0", "None", "nil", "null"])
@pytest.mark.parametrize("end", [",\n]", "\n]"])
@pytest.mark.parametrize("name", ["board.txt", "board.json", ""])
def test_a_list_that_json_lacks_is_a_board(empty: str, end: str, name: str) -> None:
    """Formatters of Python end a list with a comma; its text is what people copy."""
    rows = [", ".join(UNIQUE[k : k + 9].replace(".", "~")) for k in range(0, 81, 9)]
    text = "[\n" + ",\n".join(f"    [{row}]" for row in rows).replace("~", empty) + end
    file = io.BytesIO(text.encode())
    file.name = name
    [batch] = unidoku.read(file)
    assert [unidoku.Grid(cells).line for cells in batch.cells] == [UNIQUE] == [unidoku.Grid(text).line]


LINES = f'{{"puzzle": "{UNIQUE}"}}\n{{"puzzle": nil}}'


@in_turn
@pytest.mark.parametrize("name", ["board.txt", "board.json", "board.jsonl", ""])
@pytest.mark.parametrize("text", ["{'puzzle': '%s'}", '{"puzzle": "%s",}\n', "tuple"])
def test_one_object_that_json_lacks_is_a_board(text: str, name: str) -> None:
    """As Python writes it, or with a last comma."""
    rows = tuple(tuple(map(int, UNIQUE.replace(".", "0")[k : k + 9])) for k in range(0, 81, 9))
    content = text % UNIQUE if text[0] == "{" else repr(rows)
    file = io.BytesIO(content.encode())
    file.name = name
    [batch] = unidoku.read(file)
    assert [unidoku.Grid(cells).line for cells in batch.cells] == [UNIQUE] == [unidoku.Grid(content).line]


@pytest.mark.parametrize("text", [f"[{{'a': '{UNIQUE}'}}, {{'a': None}}]", LINES])
def test_objects_that_json_lacks_are_no_board(text: str) -> None:
    """One of them might have no puzzle."""
    file = io.BytesIO(text.encode())
    file.name = "a.json"
    assert [(len(batch), len(batch.reasons)) for batch in unidoku.read(file)] == [(1, 1)]


@in_turn
@pytest.mark.parametrize("record", ['{"puzzle": "%s"}', '"%s"'])
@pytest.mark.parametrize("end", ["", ",", ",\nnope]"])
def test_a_damaged_list_of_one_puzzle_is_not_a_board(record: str, end: str) -> None:
    text = "[" + ",\n".join([record % UNIQUE] * 3)
    with pytest.raises(FormatError, match="expected a JSON array or object"):
        [*unidoku.read(io.BytesIO((text + end).encode()), format=None)]
    assert [len(batch) for batch in unidoku.read(io.BytesIO(f"{text},]".encode()), format=None)] == [3]


def test_rules_between_puzzles_are_no_board() -> None:
    rules = "---------\n" * 12
    text = f"{UNIQUE}\n\n{rules}\n{UNIQUE}\n"
    [batch] = unidoku.read(io.BytesIO(text.encode()), format="grid")
    assert [unidoku.Grid(cells).line for cells in batch.cells] == [UNIQUE] * 2
