"""The form as text: a right form is right, and a wrong mark is named with the right one."""

import random
import re

import pytest
from command import run
from example_puzzles import BOOK as PUZZLE, NAMED as PRESET, SUBSETS as SUBSET, UNIQUE

from unidoku import Grid, InvalidPuzzleError, count, method
from unidoku.errors import FormatError
from unidoku.method import check_form, text_form
from unidoku.words import TO_ASCII

EXTENDED = ".46..3...29..8.76......9..3....3..9..856..........5..76..4..58.5.......9..7......"


def worked(puzzle, step=-1):
    return text_form(method.explain(puzzle).after(step))


def place_of(cell, digit):
    """The line (from 0) and the piece of a line where a component stands, and its place in that piece."""
    row, column = divmod(cell - 1, 9)
    return 4 * row + 1 + (digit - 1) // 3, column, (digit - 1) % 3


def entries(lines):
    """The entries by cell and digit."""
    found = {}
    for cell in range(1, 82):
        for digit in range(1, 10):
            line, column, place = place_of(cell, digit)
            found[cell, digit] = re.split("[┃│]", lines[line])[1:-1][column].split()[place]
    return found


def changed(lines, cell, digit, mark):
    """The form with another mark in a small cell."""
    line, column, place = place_of(cell, digit)
    pieces = re.split("([┃│])", lines[line])
    words = pieces[2 * column + 2].split()
    words[place] = mark
    pieces[2 * column + 2] = f" {' '.join(words)} "
    return [*lines[:line], "".join(pieces), *lines[line + 1 :]]


def test_the_marks_of_the_book():
    """Tables 2.2: J39 and I7 in cell 3, which takes 6; G12 in cell 2, which takes 5 in row 1."""
    form = worked(PUZZLE)
    marks = entries(form)
    assert (marks[3, 1], marks[3, 3], marks[3, 6], marks[2, 4], marks[2, 5]) == (
        "J39",
        "I7",
        "6⊙",
        "G12",
        "5⊙I",
    )
    assert (marks[1, 8], marks[9, 7], marks[6, 9]) == ("8⊙G", "7⊙G", "(9)")
    assert check_form(form) is None
    wrong = check_form(changed(form, 3, 1, "J30"))
    assert wrong[:4] == (place_of(3, 1)[0] + 1, 3, 1, "J30")
    assert re.fullmatch("cell 30 has the value [2-9]", wrong.reason)
    assert "J39" in wrong.expected.split(", ")
    assert check_form(changed(form, 3, 3, "J7")).reason == "cell 7 is not another cell of column 3"
    wrong = check_form(changed(form, 2, 4, "G11"), lang="zh", names="rc")
    assert re.fullmatch("格 r2c2 的格值是 [1-9]", wrong.reason)


def test_the_first_wrong_mark_of_a_form_at_the_beginning():
    form = worked(PUZZLE, 0)
    assert check_form(form) is None
    blank = text_form(PUZZLE)
    assert check_form(blank) is None
    wrong = check_form(changed(changed(blank, 80, 2, "I81"), 3, 3, "I9"))
    assert (wrong.cell, wrong.digit, wrong.reason, wrong.expected) == (3, 3, "cell 9 has no value", "3")
    assert check_form(changed(blank, 3, 9, "I6")) is None
    assert check_form(changed(blank, 3, 9, ".")) is None


@pytest.mark.parametrize(("puzzle", "marks"), [
    (UNIQUE, {"I", "J", "G", "*"}),
    (EXTENDED, {"I", "J", "G", "*", "X"}),
    (SUBSET, {"I", "J", "G", "*", "S"}),
    (PRESET, {"I", "J", "G", "*", "R"}),
])  # fmt: skip
def test_forms_worked_by_the_engine_are_right(puzzle, marks):
    record = method.explain(puzzle)
    replay, seen = record.replay(), set()
    for end in [*record.step_ends[:: max(1, len(record.step_ends) // 5)], len(record.events)]:
        replay.seek(end)
        form = text_form(replay)
        assert check_form(form) is None
        seen |= {mark[0] for mark in entries(form).values() if not mark[0].isdigit()}
    assert marks <= seen


@pytest.mark.parametrize("seed", range(12))
def test_one_false_mark_is_named(seed):
    """A zero that names a cell without this digit, or one where the digit belongs."""
    pick = random.Random(seed)
    record = method.explain([UNIQUE, PUZZLE, EXTENDED][seed % 3])
    form = text_form(record.after(pick.randrange(len(record.step_ends))))
    marks = entries(form)
    solution = record.solution
    zeros = [at for at, mark in marks.items() if re.fullmatch(r"[IJG]\d+", mark)]
    opens = [
        (cell, digit)
        for (cell, digit), mark in marks.items()
        if mark == str(digit) == str(solution[cell - 1])
    ]
    cell, digit = pick.choice(opens if seed % 2 and opens else zeros)
    others = [other for other in range(1, 82) if solution[other - 1] != digit]
    mark = f"{pick.choice('IJG')}{pick.choice(others)}"
    wrong = check_form(changed(form, cell, digit, mark))
    assert (wrong.cell, wrong.digit, wrong.mark) == (cell, digit, mark)
    right = marks[cell, digit]
    assert right in wrong.expected.split(", ")
    for expected in wrong.expected.split(", "):
        assert check_form(changed(form, cell, digit, expected)) is None


@pytest.mark.parametrize(("cell", "digit", "mark", "reason"), [
    (1, 5, "4", "this small cell belongs to component 5"),
    (1, 4, "4⊙", "its components .* are not zero"),
    (4, 6, "6⊙I", "component 6 is not zero in cells .* of row 1"),
    (4, 6, "6④J", "cells 22, 31, .* of column 4 have no value"),
    (3, 4, "*", "the cell has no value"),
    (3, 4, "I3", "cell 3 is not another cell of row 1"),
    (3, 4, "I9", "cell 9 has no value"),
    (3, 4, "S", "no subset takes 4 from the cell"),
    (3, 4, "XJ5", "column 5 does not confine 4 to another unit of the cell"),
    (3, 4, "R1", "there is a solution with 4 in the cell"),
    (2, 5, "5⊙", "the cell has the value 3"),
])  # fmt: skip
def test_reasons(cell, digit, mark, reason):
    puzzle = UNIQUE
    if "R" in mark:  # with fewer givens, other digits are possible
        puzzle = puzzle[:60] + "." * 21
    form = text_form(puzzle)
    wrong = check_form(changed(form, cell, digit, mark))
    assert (wrong.cell, wrong.digit, wrong.mark) == (cell, digit, mark)
    assert re.fullmatch(reason, wrong.reason), wrong.reason


def test_marks_that_rest_on_each_other():
    """A given is written as a conversion; all others hold only because of it."""
    form = worked(UNIQUE)
    fewer = {cell: UNIQUE[: cell - 1] + "." + UNIQUE[cell:] for cell in range(1, 82)}
    cell = next(cell for cell, puzzle in fewer.items() if UNIQUE[cell - 1] != "." and count(puzzle) > 1)
    digit = int(UNIQUE[cell - 1])
    wrong = check_form(changed(form, cell, digit, f"{digit}④I"))
    assert wrong.reason == "its reasons rest on the mark itself"
    assert check_form(changed(form, cell, digit, f"({digit})")) is None


def test_two_equal_values():
    """A preset is accepted, unless it contradicts another value."""
    form = changed(text_form(UNIQUE), 4, 5, "5P1")
    wrong = check_form(form)
    assert (wrong.cell, wrong.reason) == (4, "cell 1 of row 1 has this value too")
    assert check_form(changed(text_form(UNIQUE), 4, 6, "6P1")) is None


def test_what_is_no_form():
    form = text_form(UNIQUE)
    with pytest.raises(FormatError, match="a form has 27 lines of cells, not 26"):
        check_form(form[:-2])
    with pytest.raises(FormatError, match="a form has 27 lines of cells"):
        check_form([*form, form[1]])
    with pytest.raises(FormatError, match="cell 3 needs three entries in a line") as raised:
        check_form([*form[:1], form[1].replace("│  1   2   3  ┃", "│  1       3  ┃", 1), *form[2:]])
    assert raised.value.line == 2
    with pytest.raises(FormatError, match="'K7' in cell 3 is not a mark") as raised:
        check_form(changed(form, 3, 4, "K7"))
    assert raised.value.line == 3
    with pytest.raises(FormatError, match="nine cells, not 8"):
        check_form([form[0], form[1].rpartition("│")[0] + "│", *form[2:]])
    with pytest.raises(InvalidPuzzleError):
        text_form("11" + "." * 79)


def test_the_command(tmp_path):
    path = tmp_path / "form.txt"
    run("form", PUZZLE, "-o", path, code=0)
    assert path.read_text(encoding="utf-8").splitlines() == text_form(PUZZLE)
    assert run("form", "--check", path, code=0).stdout == "All marks are right.\n"
    plain = run("form", PUZZLE, "--worked", "end", code=0).stdout.translate(TO_ASCII)
    assert plain.isascii()
    assert run("form", "--check", "-", stdin=plain, code=0).stdout == "All marks are right.\n"
    spoiled = plain.replace("J39", "J40", 1)
    done = run("form", "--check", "-", "--cells", "rc", stdin=spoiled, code=1)
    assert re.fullmatch(
        r"<stdin>:2: cell r1c3, component 1: J40 is wrong, because cell .*; right: J39.*\n", done.stdout
    )
    done = run("form", "--check", "-", stdin="nothing\n", code=2)
    assert "<stdin>: a form has 27 lines of cells, not 0" in done.stderr
    assert "--check takes a form" in run("form", PUZZLE, "--check", path, code=2).stderr
    two = run("form", PUZZLE, str(Grid(UNIQUE).line), code=0).stdout.splitlines()
    assert len(two) == 2 * 38
