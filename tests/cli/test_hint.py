"""``unidoku hint`` and ``unidoku explain``: hints in words and as rows, the two methods."""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict

import pytest
from command import on_terminal, run, run_process
from example_puzzles import CHAIN, MULTIPLE, UNIQUE

import unidoku
from unidoku.rating.sentences import Sentences
from unidoku.rating.steps import path_of
from unidoku.tasks.hint import Hint

FIRST = UNIQUE.index(".")
SOLUTION = unidoku.solve(UNIQUE).line
BEGINS_WITH_A_CHAIN = "4..6..3...1..2..6...8..7..19..8..5...4..5..1......2..75.....6...3..8..4......9..5"


@pytest.mark.parametrize(
    ("depth", "hint"),
    [
        ("where", "Look at box 2.\n"),
        ("what", "Hidden single (rated 1.2): look at box 2.\n"),
        ("pattern", "Hidden single (rated 1.2): where does 8 fit in box 2?\n"),
        ("step", "Hidden single: in box 2 the digit 8 fits only in r1c6.\n"),
    ],
)
def test_a_hint_at_each_depth(depth, hint):
    assert run("hint", UNIQUE, "--depth", depth, code=0).stdout == hint


def test_mistakes():
    wrong = str(int(SOLUTION[FIRST]) % 9 + 1)
    board = UNIQUE[:FIRST] + wrong + UNIQUE[FIRST + 1 :]
    assert run("hint", UNIQUE, "--filled", board, code=0).stdout == f"These digits are wrong: r1c3={wrong}.\n"
    marks = ["........."] * 81
    marks[FIRST] = f"{wrong:>{wrong}}".replace(" ", ".").ljust(9, ".")
    result = run("hint", UNIQUE, "--pencil-marks", "".join(marks), code=0)
    assert result.stdout == "These cells lack the pencil mark of their digit: r1c3.\n"
    assert run("hint", UNIQUE, "--filled", SOLUTION, code=0).stdout == "The grid is full and right.\n"


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        ([UNIQUE, "--pencil-marks", "12"], "--pencil-marks: expected 729 pencil marks, found 2", 2),
        ([UNIQUE, "--filled", "1"], "--filled: expected 81 cells, found 1", 2),
        ([UNIQUE, "--filled", SOLUTION, "--to", "csv"], "--filled is for one PUZZLE", 2),
    ],
)
def test_bad_input(arguments, message, code):
    assert message in run("hint", *arguments, code=code).stderr


def test_the_rows_of_a_file_are_the_first_steps(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{UNIQUE}\nnonsense\n{MULTIPLE}\n{CHAIN}\n{SOLUTION}\n")
    result = run("hint", path, "--columns", "line,rating,placements,sentence,reason", "--to", "jsonl", code=1)
    rows = [tuple(json.loads(line).values()) for line in result.stdout.splitlines()]
    steps = [unidoku.steps(puzzle)[0] for puzzle in (UNIQUE, CHAIN)]
    assert [rows[0], rows[3]] == [
        (line, step.rating, step.placements, step.sentence, None)
        for line, step in zip((1, 4), steps, strict=True)
    ]
    assert [row[-1] for row in (rows[2], rows[4])] == ["several solutions", "no cell is empty"]
    assert f"{path}:2" in result.stderr


@pytest.mark.parametrize("depth", ["where", "what", "pattern"])
def test_the_text_of_rows_has_the_same_depths(depth):
    text = unidoku.run_many(Hint(depth=depth, lang="zh"), [CHAIN]).sentence
    assert list(text) == [getattr(unidoku.hint(CHAIN, lang="zh"), depth)]


def in_ascii(*arguments: str) -> str:
    """Run a command whose standard output is ASCII; return its text."""
    only_ascii = {**os.environ, "PYTHONIOENCODING": "ascii"}
    text: str = run_process(*arguments, code=0, env=only_ascii).stdout
    assert text.isascii()
    return text


def test_the_signs_of_a_hint_in_ascii():
    chain = next(step for step in unidoku.steps(CHAIN) if step.links)
    position = "--filled", chain.before, "--pencil-marks", chain.marks
    assert not run("hint", CHAIN, *position, code=0).stdout.isascii()
    assert "≠" not in in_ascii("hint", CHAIN, *position)


def test_explain_shows_the_steps():
    path = unidoku.steps(CHAIN)
    result = run("explain", CHAIN, "--short", code=0)
    names, *sentences, note, ratings = result.stdout.splitlines()
    assert names == Sentences().reading(path_of(CHAIN).deductions)
    assert sentences == [step.sentence for step in path]
    assert note == f"Expert: {len(path)} steps, the hardest a Continuous Nice Loop ({path.er})."
    assert f"ER {path.er} for the hardest step, EP {path.ep} for" in ratings
    assert len(run("explain", CHAIN, code=0).stdout.splitlines()) >= len(sentences)
    assert "<>" in in_ascii("explain", CHAIN)
    chinese = run("explain", CHAIN, "--lang", "zh", "--short", code=0).stdout.splitlines()
    assert chinese[1:-2] == [step.sentence for step in unidoku.steps(CHAIN, lang="zh")]


def test_the_suffix_selects_the_form_of_a_report(tmp_path):
    run("explain", CHAIN, "-o", tmp_path / "a.json", code=0)
    assert json.loads((tmp_path / "a.json").read_text()) == json.loads(
        json.dumps(asdict(unidoku.steps(CHAIN)))
    )
    run("diagnose", MULTIPLE, "-o", tmp_path / "a.html", code=1)
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")


def test_explain_in_python():
    explanation = unidoku.explain(CHAIN)
    assert str(explanation).splitlines()[1] == unidoku.steps(CHAIN)[0].sentence
    assert 'sandbox="allow-scripts"' in explanation._repr_html_()
    assert "Numerical-analysis" in unidoku.explain(UNIQUE, method="book").title
    with pytest.raises(ValueError, match="invalid method 'x'; choose from: steps, book"):
        unidoku.explain(UNIQUE, method="x")


KITE = ".28.1..4...1.........53..8.59......7...6..1....2...3...79..2...28...75..........9"
KITE_STEP = next(step for step in unidoku.steps(KITE) if step.name == "2-String Kite")


def drawn(*arguments, columns=80):
    """The lines of a hint on a terminal without colors."""
    environment = {"COLUMNS": str(columns), "TERM": "dumb"}
    text, code = on_terminal("hint", *arguments, environment=environment)
    assert code == 0
    return [line.rstrip() for line in text.decode().replace("\r", "").split("\n")]


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal")
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
        "in r1c6.",
        "> < placed",
        "[ ] the reason",
    ):
        assert part in " ".join(text.split())


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal")
def test_the_marks_on_a_terminal_keep_to_the_depth():
    place = ("--filled", KITE_STEP.before, "--pencil-marks", KITE_STEP.marks)
    (name,) = KITE_STEP.eliminations
    row, digit = name[1], name[-1]
    whole = drawn(KITE, *place)
    assert f"/{digit}/" in next(line for line in whole if line.startswith(f"{row} "))
    assert sum(line[:31].count("[") for line in whole) == 4
    pattern = drawn(KITE, *place, "--depth", "pattern")
    assert not any("/" in line[:31] for line in pattern)
    where = drawn(KITE, *place, "--depth", "where")
    assert not any(sign in line[:31] for line in where for sign in "[/>:")  # the sentence says it
    assert where[0][31:].strip().startswith("Look at ")
    wrong = drawn(UNIQUE, "--filled", UNIQUE[:2] + "9" + UNIQUE[3:])
    assert "!9!" in wrong[1]


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal")
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


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal")
def test_colors_say_where_to_look_the_reason_and_what_goes(monkeypatch):
    """A background for each, and no signs; NO_COLOR brings the signs back."""
    place = ("--filled", KITE_STEP.before, "--pencil-marks", KITE_STEP.marks)
    monkeypatch.delenv("NO_COLOR", raising=False)  # an older Rich takes an empty one for a wish
    colors = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    text = on_terminal("hint", KITE, *place, environment=colors)[0].decode()
    assert len(re.findall(r"\x1b\[30;48;2;135;175;255m +4 +\x1b", text)) == 4
    assert len(re.findall(r"\x1b\[38;2;255;255;255;48;2;192;0;0m +4 +\x1b", text)) == 1
    assert not re.search(r"[\[/]\d[\]/]", re.sub(r"\x1b\[[\d;]*m", "", text))
    where = on_terminal("hint", KITE, *place, "--depth", "where", environment=colors)[0].decode()
    cells = "".join(re.findall(r"\x1b\[30;48;2;135;135;135m(.*?)\x1b", where)).replace(" where to look ", "")
    assert len(cells) == 27
    plain = on_terminal("hint", KITE, *place, environment=colors | {"NO_COLOR": "1"})[0].decode()
    assert "/4/" in plain
    assert "[4]" in plain


def test_pictures_and_pages_of_a_hint(tmp_path):
    run("hint", UNIQUE, "-o", tmp_path / "h.svg", code=0)
    assert (tmp_path / "h.svg").read_text() == unidoku.hint(UNIQUE)._repr_svg_()
    run("hint", CHAIN, "--lang", "zh", "-o", tmp_path / "h.html", code=0)
    page = (tmp_path / "h.html").read_text()
    assert unidoku.hint(CHAIN, lang="zh").sentence in page
    assert "<svg" in page
    run("solve", UNIQUE, "-o", tmp_path / "s.svg", code=0)
    assert (tmp_path / "s.svg").read_text().count('class="found"') == UNIQUE.count(".")
    (tmp_path / "two.txt").write_text(f"{UNIQUE}\n{CHAIN}\n")
    result = run("hint", tmp_path / "two.txt", "-o", tmp_path / "two.svg", code=2)
    assert "A picture shows one puzzle" in result.stderr
    assert not (tmp_path / "two.svg").exists()
    for command, suffix, message in (
        ("hint", ".png", "hint or solve one PUZZLE to .svg; a browser makes a .png of it"),
        ("print", ".png", "hint or solve one PUZZLE to .svg; a browser makes a .png of it"),
        ("solve", ".pdf", "print, explain, hint, trace and diagnose write a .pdf"),
    ):
        result = run(command, UNIQUE, "-o", tmp_path / f"x{suffix}", code=2)
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
    assert "several solutions" in run("hint", MULTIPLE, "-o", tmp_path / "m.svg", code=1).stderr


def test_filled_digits_and_marks_are_named_as_a_puzzle_is(tmp_path):
    (tmp_path / "filled.txt").write_text(unidoku.view.text(KITE_STEP.before))
    (tmp_path / "marks.txt").write_text(KITE_STEP.marks)
    expected = f"{KITE_STEP.sentence}\n"
    for filled in (KITE_STEP.before, tmp_path / "filled.txt"):
        for marks in (KITE_STEP.marks, tmp_path / "marks.txt"):
            arguments = ("--filled", filled, "--pencil-marks", marks)
            assert run("hint", KITE, *arguments, code=0).stdout == expected
    marks = ("--pencil-marks", tmp_path / "marks.txt")
    assert run("hint", KITE, "--filled", "-", *marks, stdin=KITE_STEP.before, code=0).stdout == expected
    place = ("--filled", KITE_STEP.before, "--pencil-marks", "-")
    assert run("hint", KITE, *place, stdin=KITE_STEP.marks, code=0).stdout == expected


def test_all_steps_of_a_position():
    listed = [f"{step.rating:4.1f}  {step.sentence}" for step in unidoku.all_steps(KITE)]
    for command in ("hint", "steps"):
        assert run(command, KITE, "--all", code=0).stdout.splitlines() == listed
        values = json.loads(run(command, KITE, "--all", "--json", code=0).stdout)
        assert [value["name"] for value in values] == [step.name for step in unidoku.all_steps(KITE)]
        assert "--all is for one PUZZLE" in run(command, KITE, "--all", "--to", "csv", code=2).stderr
    place = ("--filled", KITE_STEP.before, "--pencil-marks", KITE_STEP.marks)
    assert f" 6.6  {KITE_STEP.sentence}" in run("hint", KITE, "--all", *place, code=0).stdout.splitlines()
    wrong = UNIQUE[:2] + "9" + UNIQUE[3:]
    assert "filled digits exclude" in run("hint", UNIQUE, "--all", "--filled", wrong, code=1).stderr


def test_explain_begins_from_a_position_as_hint_does(tmp_path):
    filled = SOLUTION[:45] + UNIQUE[45:]
    rows = ["[Puzzle]", *(UNIQUE[begin : begin + 9] for begin in range(0, 81, 9))]
    rows += ["[State]", *(filled[begin : begin + 9] for begin in range(0, 81, 9))]
    (tmp_path / "a.sdk").write_text("\n".join(rows) + "\n")
    steps = run("explain", tmp_path / "a.sdk", code=0).stdout
    assert run("hint", tmp_path / "a.sdk", code=0).stdout.strip() in steps
    answer = json.loads(run("explain", tmp_path / "a.sdk", "--to", "json", code=0).stdout)
    assert len(answer["steps"]) == filled.count(".")


@pytest.mark.parametrize("command", ["explain", "check", "count", "solve"])
def test_a_game_with_a_wrong_digit_is_refused_except_for_hint(command, tmp_path):
    wrong = str(int(SOLUTION[FIRST]) % 9 + 1)
    cells = "".join(
        f"{wrong if cell == FIRST else sign.replace('.', '0')}|-|{int(sign == '.')}|"
        for cell, sign in enumerate(UNIQUE)
    )
    game = (
        f'<opensudoku version="2"><folder name="a"><game data="version: 1\n{cells}"/></folder></opensudoku>'
    )
    (tmp_path / "a.opensudoku").write_text(game)
    assert run("hint", tmp_path / "a.opensudoku", code=0).stdout == f"These digits are wrong: r1c3={wrong}.\n"
    assert "hint" in run(command, tmp_path / "a.opensudoku", code=1).stderr


@pytest.mark.parametrize("command", ["hint --all", "steps --all", "hint", "explain"])
def test_a_full_grid_is_said_in_a_sentence(command):
    output = run(*command.split(), unidoku.solve(UNIQUE).line, code=0).stdout
    assert output in {"The grid is full and right.\n", "The grid is full.\n"}
