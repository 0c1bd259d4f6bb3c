"""The terminal programs, driven by keys through a pseudo-terminal of 80 x 24."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import run
from example_puzzles import QUIZ, UNIQUE as EASY

from unidoku import Grid, method, solve
from unidoku.method.report import untag
from unidoku.play import load_game, next_step
from unidoku.stepper import Session

pytest.importorskip("pty", reason="no pseudo-terminals on this system")
pytest.importorskip("pyte", reason="no pyte")
from screen import Terminal  # after the tests of what it needs

CLASS2 = ".................1.....2.3...2...4....3.5......41....6.5.6......7.....2..8.91...."


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "game.json")


def cells_of(puzzle):
    return [c if c in "123456789" else "" for c in puzzle]


def test_playing(path):
    with Terminal("play", EASY, "--save", path) as terminal:
        terminal.wait("? lists the keys")
        terminal.wait(lambda: terminal.board() == cells_of(EASY))
        assert "DIGIT    0:0" in terminal.text
        assert "30 clues   51 cells left" in terminal.text
        terminal.press("4", until=lambda: terminal.board()[2] == "4")  # the first empty cell, r1c3
        terminal.wait("50 cells left")
        terminal.press("right", "space", until="PENCIL")
        terminal.press("6", "2", until=lambda: terminal.board()[3] == "26")
        terminal.press("space", "left", "1", until=lambda: terminal.board()[2] == "1")
        terminal.press("c", until="Wrong: r1c3")
        terminal.press("n", "c", until="Wrong: 3")
        terminal.press("u", "ctrl-z", until=lambda: terminal.board()[2:4] == ["4", "6"])
        terminal.press("r", until=lambda: terminal.board()[3] == "26")
        terminal.press("up", "7", until=lambda: terminal.board()[74] == "7")  # round the edge: r9c3
        terminal.press("delete", until=lambda: terminal.board()[74] == "")
        grid = Grid(load_game(path).values)
        expected = ["".join(map(str, grid.candidates(cell))) or str(grid[cell]) for cell in range(81)]
        expected[3] = "26"  # the marks of the player stay
        terminal.press("m", until=lambda: terminal.board() == expected)
        terminal.press("?", until="pencil marks of all")
        terminal.press("s", until="Saved to")
        terminal.press("q")
        assert terminal.finish() == 0
    saved = load_game(path)
    assert saved.values[2] == 4
    assert saved.seconds > 0


def test_hints_solve_the_puzzle(path):
    """First the step with its reason, then the change; the texts and the digits are those of the API."""
    with Terminal("play", EASY, "--save", path, "--cells", "numbers") as terminal:
        terminal.wait("? lists the keys")
        terminal.press("enter", until="h gives a hint first")
        for number in range(51):
            game = load_game(path)
            hint = next_step(game)
            (cell,) = (cell for cell, code in hint.changes.items() if code > 512)
            terminal.press("h", until="Enter does it")
            sentence = " ".join(untag(hint.text, str).split())
            terminal.wait(sentence[:150])
            terminal.wait(f"{cell + 1} Cell {cell + 1} ")
            terminal.press("enter", until="Done." if number < 50 else "Solved!")
            digit = str(game.solution[cell])
            terminal.wait(lambda cell=cell, digit=digit: terminal.board()[cell] == digit)
        terminal.wait(lambda: terminal.board() == list(solve(EASY).line))
        terminal.press("q")
        assert terminal.finish() == 0
    assert load_game(path).solved


def test_a_hint_removes_candidates(path):
    with Terminal("play", CLASS2, "--save", path) as terminal:
        terminal.wait("? lists the keys")
        seen = []
        while "extended" not in seen:
            hint = next_step(load_game(path))
            seen.append(hint.kind)
            terminal.press("h", until="Enter does it")
            terminal.press("enter", until="Done.")
            terminal.wait(lambda: load_game(path).position == len(seen))  # it is saved
        saved = load_game(path)
        for cell, code in hint.changes.items():
            digits = "".join(str(digit) for digit in range(1, 10) if code >> digit - 1 & 1)
            terminal.wait(lambda cell=cell, digits=digits: terminal.board()[cell] == digits)
            assert saved.codes[cell] == code


def test_resuming(path):
    for digit, left in (("4", 50), ("u", 51), ("r", 50)):
        arguments = ("play", EASY) if digit == "4" else ("play",)
        with Terminal(*arguments, "--save", path) as terminal:
            terminal.wait("cells left")
            terminal.press(digit, until=f"{left} cells left")  # then the terminal goes away
    done = run("play", QUIZ, "--save", path, code=2)
    assert "an unfinished game" in done.stderr


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_saves_the_game(path, name):
    with Terminal("play", EASY, "--save", path) as terminal:
        terminal.wait("? lists the keys")
        terminal.wait("   0:01   ")
        terminal.signal(getattr(signal, name))
        assert terminal.finish() == 128 + getattr(signal, name)
    assert load_game(path).seconds >= 1


def test_a_new_puzzle(path):
    with Terminal("play", "--class", "2", "--seed", "3", "--save", path) as terminal:
        terminal.wait("? lists the keys")
        terminal.press("ctrl-c")
        assert terminal.finish() == 0
    assert method.explain(load_game(path).puzzle).difficulty == 2


def test_the_default_place_of_the_game(tmp_path):
    with Terminal("play", EASY, XDG_STATE_HOME=str(tmp_path), HOME=str(tmp_path)) as terminal:
        terminal.press("4", until="50 cells left")
    (saved,) = tmp_path.rglob("game.json")
    assert load_game(str(saved)).left == 50


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_color(path, environment):
    """What color shows has a sign too."""
    with Terminal("play", EASY, "--save", path, **environment) as terminal:
        terminal.wait("? lists the keys")
        terminal.press("1", "c", until="Wrong: r1c3")
        colors = {(cell.fg, cell.bg) for line in terminal.screen.buffer.values() for cell in line.values()}
        assert colors == {("default", "default")}
        assert terminal.style(2, 2 + 2 * 6 - 1).data == "!"
        assert terminal.style(2, 2 + 2 * 6).reverse  # the cursor
        assert terminal.style(2, 4).bold  # a clue
        terminal.press("h", until="is wrong")


@pytest.mark.parametrize("columns", [79, 60])
def test_a_small_window(path, columns):
    with Terminal("play", EASY, "--save", path, columns=columns) as terminal:
        terminal.wait("at least 80 x 24")
        terminal.press("q")
        assert terminal.finish() == 0


def test_ascii(path):
    with Terminal(
        "play", EASY, "--save", path, PYTHONUTF8="0", PYTHONIOENCODING="ascii", LC_ALL="C"
    ) as terminal:
        terminal.wait("? lists the keys")
        assert terminal.text.isascii()
        terminal.wait(lambda: terminal.board() == cells_of(EASY))


def test_stepping_through_a_search():
    """The frames are the states of the session, at every key."""
    session = Session(QUIZ)
    with Terminal("trace", QUIZ, "--play") as terminal:
        terminal.wait("step 131, level 6")  # it opens at the solution
        terminal.wait(lambda: all(len(cell) == 1 for cell in terminal.board()))
        terminal.press("home", until=" 0 of ")
        for number in range(1, 81):
            session.step()
            terminal.press("right", until=f"  {number} of ")
            if number % 20 == 0:
                terminal.wait(f"step {session.steps}, level {session.level}".split(",")[0])
                candidates = {cell.number - 1: digits for cell, digits in session.candidates.items()}
                expected = [
                    str(value) if value else "".join(map(str, candidates.get(cell, ())))
                    for cell, value in enumerate(session.grid)
                ]
                terminal.wait(lambda expected=expected: plain(terminal) == expected)
        terminal.press("left", until="  79 of ")
        terminal.press("pagedown", "pagedown", "pageup", until="  89 of ")
        terminal.press("end", until=lambda: "256 of 256" in terminal.text)
        terminal.press("[", until=lambda: "256 of 256" not in terminal.text)
        terminal.press("q")
        assert terminal.finish() == 0


def plain(terminal):
    """The cells without the candidates that were just removed, which are struck out."""
    found = []
    for row in range(9):
        for column in range(9):
            y, x = 2 + 2 * row + row // 3, 2 + 6 * column + column // 3
            cells = [terminal.style(y + k, x + j) for k in (0, 1) for j in range(5)]
            found.append("".join(cell.data for cell in cells if not cell.strikethrough).replace(" ", ""))
    return found


def test_stepping_through_a_record():
    with Terminal("explain", EASY, "--play", "--lang", "zh") as terminal:
        terminal.wait("0 / ")
        terminal.press("right", "right", "right", until=lambda: "3 / " in terminal.text)
        terminal.wait(lambda: "格5=7归0处置" in terminal.text.replace(" ", ""))
        terminal.press("n", until=lambda: "格r1c5=7" in terminal.text.replace(" ", ""))
        terminal.press("q")
        assert terminal.finish() == 0


@pytest.mark.parametrize("command", ["trace", "explain"])
def test_what_play_refuses(command, tmp_path):
    for other in (["--format", "html"], ["-o", tmp_path / "x"], ["--rating", "score"]):
        assert "--play takes none of" in run(command, EASY, "--play", *other, code=2).stderr
    assert "--play reads keys" in run(command, "--play", code=2).stderr
    assert "--play takes one puzzle" in run(command, EASY, EASY, "--play", code=2).stderr
    assert "must be a terminal" in run(command, EASY, "--play", code=2).stderr


@pytest.mark.parametrize("name", ["terminal-play", "terminal-trace"])
def test_the_pictures_in_the_documentation(name, path, tmp_path):
    """Drawn from the screen; ``UNIDOKU_IMAGES=docs/images`` writes them there."""
    if name == "terminal-play":
        with Terminal("play", CLASS2, "--save", path) as terminal:
            terminal.wait("? lists the keys")
            for _ in range(13):
                terminal.press("h", until="Enter does it")
                terminal.press("enter", until="Done.")
            terminal.press("m", "h", until="Enter does it")
            terminal.wait(lambda: all(terminal.board()))
            terminal.settle()
            svg = terminal.svg(dark=False)
    else:
        with Terminal("trace", QUIZ, "--play") as terminal:
            terminal.wait("step 131")
            terminal.press("home", *12 * ["right"], until=" 12 of 256")
            terminal.wait(lambda: all(terminal.board()))
            terminal.settle()
            svg = terminal.svg(dark=True)
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert len(svg) < 60_000
    if folder := os.environ.get("UNIDOKU_IMAGES"):
        (Path(folder) / f"{name}.svg").write_text(svg, encoding="utf-8")


def test_moves_that_the_game_refuses(path, tmp_path):
    assert "must be a terminal" in run("play", EASY, "--save", path, code=2).stderr
    assert not (tmp_path / "game.json").exists()
    assert "the puzzle has no solution" in run("play", "11" + 79 * ".", "--save", path, code=2).stderr
    assert "standard input has the keys" in run("play", "-", "--save", path, code=2).stderr
    (tmp_path / "empty.txt").write_text("# nothing\n")
    assert "no puzzle in it" in run("play", tmp_path / "empty.txt", "--save", path, code=2).stderr


def test_the_extra_is_named(path, tmp_path):
    """Without prompt_toolkit and platformdirs everything else works, and the error says what to install."""
    code = (
        "import sys; sys.modules['prompt_toolkit'] = sys.modules['prompt_toolkit.application'] = None; "
        "sys.modules['platformdirs'] = None; from unidoku.cli import main; main()"
    )
    import subprocess

    for arguments in (["play", EASY], ["play", EASY, "--save", path], ["trace", EASY, "--play"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert "pip install 'unidoku[play]'" in done.stderr
