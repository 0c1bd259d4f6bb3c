"""What commands show on a terminal in place of rows: boards, sentences, the cells of a hint."""

from __future__ import annotations

import re

import pytest
from cases import in_turn
from example_puzzles import EIGHT, MULTIPLE, QUIZ, SOLUTION, UNIQUE
from gallery import keep

import unidoku
from unidoku import view

pytest.importorskip("pty", reason="no pseudo-terminals here")
from command import on_terminal, run

KITE = ".28.1..4...1.........53..8.59......7...6..1....2...3...79..2...28...75..........9"
KITE_STEP = next(step for step in unidoku.steps(KITE) if step.name == "2-String Kite")


def drawn(*arguments, columns=80):
    """The lines of a hint on a terminal without colors."""
    environment = {"COLUMNS": str(columns), "TERM": "dumb"}
    text, code = on_terminal("hint", *arguments, environment=environment)
    assert code == 0
    return [line.rstrip() for line in text.decode().replace("\r", "").split("\n")]


@pytest.mark.parametrize("columns", [80, 40])
def test_a_terminal_shows_the_board_with_the_cells_of_the_hint(columns):
    lines = drawn(UNIQUE, columns=columns)
    assert max(map(len, lines)) <= columns
    board = [line[:31] for line in lines if line[:2].strip().isdigit()]
    assert [row[2:].replace("|", "")[1::3] for row in board] == [
        UNIQUE[9 * row : 9 * row + 9].replace("57....", "57...8") if row else "53..78..." for row in range(9)
    ]
    marked = {
        (row, place) for row, line in enumerate(board) for place, sign in enumerate(line) if sign == "["
    }
    assert len(marked) == 2  # the two 8 that leave box 2 one cell
    assert [row.count(">8<") for row in board] == [1, *[0] * 8]
    text = " ".join(line if columns == 40 else line[34:] for line in lines)
    for part in (
        "Hidden single: in box 2 the digit 8",
        "fits only",
        "in r1c6:",
        "> < placed",
        "[ ] the reason",
    ):
        assert part in " ".join(text.split())


def test_the_marks_on_a_terminal_have_signs():
    place = ("--filled", KITE_STEP.before, "--pencil-marks", KITE_STEP.marks)
    (name,) = KITE_STEP.eliminations
    row, digit = name[1], name[-1]
    whole = drawn(KITE, *place)
    assert f"/{digit}/" in next(line for line in whole if line.startswith(f"{row} "))
    assert sum(line[:31].count("[") for line in whole) == 4
    wrong = drawn(UNIQUE, "--filled", UNIQUE[:2] + "9" + UNIQUE[3:])
    assert "!9!" in wrong[1]


@in_turn
@pytest.mark.parametrize("name", ["2-String Kite", "Naked Pair"])
@pytest.mark.parametrize("columns", [80, 40])
def test_the_reason_has_the_digits_in_question(name, columns):
    """On 40 columns too, with as many digits as a cell has room for."""
    step = next(step for step in unidoku.steps(KITE) if step.name == name)
    lines = drawn(KITE, "--filled", step.before, "--pencil-marks", step.marks, columns=columns)
    assert max(map(len, lines)) <= columns
    shown: dict[str, set[str]] = {}
    for place in {place for places in step.candidates.values() for place in places}.difference(
        step.eliminations
    ):
        shown.setdefault(place[:4], set()).add(place[-1])
    texts = re.findall(r"\[(\d+)\]", "".join(line for line in lines if line[:2].strip().isdigit()))
    assert sorted(texts) == sorted("".join(sorted(digits)) for digits in shown.values())
    gone = re.findall(r"/(\d+)/", "".join(lines))
    assert gone == [place[-1] for place in step.eliminations]


def test_colors_say_where_to_look_the_reason_and_what_goes(monkeypatch):
    """A background for each, and no signs; NO_COLOR brings the signs back."""
    place = ("--filled", KITE_STEP.before, "--pencil-marks", KITE_STEP.marks)
    monkeypatch.delenv("NO_COLOR", raising=False)  # an older Rich takes an empty one for a wish
    colors = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    text = on_terminal("hint", KITE, *place, environment=colors)[0].decode()
    keep("hint-terminal.ansi", text)
    assert len(re.findall(r"\x1b\[30;48;2;135;175;255m +4 +\x1b", text)) == 4
    assert len(re.findall(r"\x1b\[38;2;255;255;255;48;2;192;0;0m +4 +\x1b", text)) == 1
    assert not re.search(r"[\[/]\d[\]/]", re.sub(r"\x1b\[[\d;]*m", "", text))
    plain = on_terminal("hint", KITE, *place, environment=colors | {"NO_COLOR": "1"})[0].decode()
    keep("hint-terminal.txt", plain)
    assert "/4/" in plain
    assert "[4]" in plain


def test_pages_and_arrow_are_not_for_a_terminal():
    for words in (["print", "--to", "html"], ["print", "--to", "svg"], ["check", "--to", "arrow"]):
        text, code = on_terminal(*words, UNIQUE)
        assert code == 2
        assert b"cannot be shown on a terminal; name a file with --output" in b" ".join(text.split())
    assert run("print", UNIQUE, code=0).stdout.startswith("<!DOCTYPE html>")


def test_the_rating_of_one_puzzle_is_a_sentence_on_a_terminal():
    for words, sentence, code in (
        ([UNIQUE], b"ER/EP/ED 1.2/1.2/1.2, hidden single, beginner, effort 123", 0),
        ([MULTIPLE], b"error: no rating: several solutions; unidoku diagnose shows why", 1),
        ([QUIZ, "--below", "4.5"], b"ER/EP/ED 4.5+/1.2/1.2, at least hard", 0),
    ):
        text, exit_code = on_terminal("rate", *words)
        assert (text.strip(), exit_code) == (sentence, code)
    assert on_terminal("rate", UNIQUE, "--to", "jsonl")[0].startswith(b'{"puzzle":')


def test_one_puzzle_is_drawn_on_a_terminal():
    text, code = on_terminal("solve", UNIQUE)
    assert (text.decode().replace("\r\n", "\n"), code) == (f"{unidoku.Grid(SOLUTION)}\n", 0)
    text, code = on_terminal("solve", EIGHT)
    assert b"one of several solutions" in text
    assert b"------+-------+------" in text
    text, code = on_terminal("solve", UNIQUE, "--to", "txt")
    assert (text.decode().strip(), code) == (SOLUTION, 0)
    text, code = on_terminal("solve", "11" + "." * 79)
    note = "note: no solution: r1c1 and r1c2 both hold 1 in row 1; unidoku diagnose shows why"
    assert (text.decode().split("\r\n")[:2], code) == ([note, "none"], 1)


def test_the_rating_of_one_puzzle_in_words():
    text, code = on_terminal("rate", UNIQUE, environment={"LC_ALL": "zh_CN.UTF-8"})
    assert (text.decode().strip(), code) == ("ER/EP/ED 1.2/1.2/1.2，摒除法，入门，用时指数123", 0)
    text, _ = on_terminal("rate", UNIQUE, "--below", "1.1", "--lang", "zh")
    assert text.decode().strip().endswith(" 1.1+/1.1+/1.1+，至少简单，用时指数123")
    text, code = on_terminal("rate", MULTIPLE, "--lang", "zh")
    assert (text.decode().strip(), code) == ("错误：没有评分：有多个解；用 unidoku diagnose 查看原因", 1)


def test_text_on_a_terminal():
    text, code = on_terminal("print", UNIQUE, "--candidates")
    assert (text.decode().replace("\r\n", "\n"), code) == (f"{view.text(UNIQUE, candidates=True)}\n", 0)
