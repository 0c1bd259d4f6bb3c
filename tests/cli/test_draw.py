"""Pictures and booklets from the command line."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import types
import zlib
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from command import on_terminal, run, run_process
from example_puzzles import MULTIPLE, QUIZ, SOLUTION, UNIQUE

from unidoku import Grid, Session, check, rate, solve, view


def test_the_picture_equals_the_library(tmp_path):
    run("print", UNIQUE, "-o", tmp_path / "board.SVG", code=0)
    assert (tmp_path / "board.SVG").read_text() == view.svg(UNIQUE, labels="rc")
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n")
    options = ("--candidates", "--cells", "none", "--size", 200)
    svg = run("print", tmp_path / "in.txt", *options, "--to", "svg", code=0).stdout
    assert svg == view.svg(UNIQUE, candidates=True, size=200)
    assert run("print", "--to", "svg", stdin=UNIQUE, code=0).stdout == view.svg(UNIQUE, labels="rc")


def test_a_board_as_text(tmp_path):
    """The board, or each cell with its candidates; every command reads the clues of either."""
    result = run("print", UNIQUE, "--candidates", "-o", tmp_path / "board.txt", code=0)
    assert result.stdout == ""
    board = (tmp_path / "board.txt").read_text()
    assert board == f"{view.text(UNIQUE, candidates=True)}\n"
    assert len(board.splitlines()) == 11
    groups = board.replace("|", "").replace("+", "").replace("-", "").split()
    grid = Grid(UNIQUE)
    cell_digits = [grid.candidates(cell) or (grid[cell],) for cell in range(81)]
    assert groups == ["".join(map(str, digits)) for digits in cell_digits]
    assert run("solve", tmp_path / "board.txt", code=0).stdout == f"{SOLUTION}\n"
    assert solve(view.text(QUIZ, candidates=True)) == solve(QUIZ)
    for word in ("text", "txt", ".TXT"):  # a suffix is a word for its format, as in commands that write rows
        assert run("print", UNIQUE, "--to", word, code=0).stdout == f"{Grid(UNIQUE)}\n"
    assert "'zz' is not one of html, svg, text" in run("print", UNIQUE, "--to", "zz", code=2).stderr
    assert view.text(UNIQUE) == str(Grid(UNIQUE))
    assert view.text(Session(QUIZ)) == str(Grid(QUIZ))


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_text_on_a_terminal():
    text, code = on_terminal("print", UNIQUE, "--candidates")
    assert (text.decode().replace("\r\n", "\n"), code) == (f"{view.text(UNIQUE, candidates=True)}\n", 0)


def test_a_picture_shows_one_puzzle(tmp_path):
    error = run("print", "-o", tmp_path / "x.svg", stdin=f"{UNIQUE}\n" * 2, code=2).stderr
    assert "A picture shows one puzzle; the inputs have several: give one of them as PUZZLE, its 81" in error
    error = run("explain", "-o", tmp_path / "x.html", stdin=f"{UNIQUE}\n" * 2, code=2).stderr
    assert "A page shows one puzzle; the inputs have several: give one of them as PUZZLE, its 81" in error
    for words in (["print", "-o", tmp_path / "x.svg"], ["explain", "-o", tmp_path / "x.html"]):
        assert "expected" in run(*words, stdin=UNIQUE.replace("5", "%"), code=1).stderr
    assert list(tmp_path.iterdir()) == []


def test_a_puzzle_is_printed_with_its_own_name(tmp_path):
    (tmp_path / "in.csv").write_text(f"Title,puzzle\nAda,no\nBea,{UNIQUE}\n")
    page = run("print", tmp_path / "in.csv", "--to", "html", code=1).stdout
    assert ("Ada" in page, "Bea" in page) == (False, True)


def test_several_puzzles_as_text():
    result = run("print", "--to", "text", stdin=f"{UNIQUE}\nno\n{QUIZ}\n", code=1)
    first_board, _, second_board = result.stdout.partition(f"# <stdin>:3 {Grid(QUIZ).line}\n")
    assert first_board == f"# <stdin>:1 {UNIQUE}\n{Grid(UNIQUE)}\n"
    assert second_board == f"{Grid(QUIZ)}\n"
    assert "<stdin>:2:1: " in result.stderr


def test_a_booklet_in_one_command(tmp_path):
    """New puzzles of the difficulty, then their solutions; the same seed gives the same page."""
    booklet = ("print", "--generate", 7, "--difficulty", "easy", "--seed", 1, "--title", "Rain")
    run(*booklet, "--heading", "difficulty", "-o", tmp_path / "booklet.html", code=0)
    page = (tmp_path / "booklet.html").read_text()
    captions = re.findall("<figcaption>(.*?)</figcaption>", page)
    assert captions[:7] == [f"<b>{number}</b><small>easy</small>" for number in range(1, 8)]
    assert captions[7:] == [str(number) for number in range(1, 8)]
    assert page.count("<h1>Rain</h1>") == 2  # six on a page
    assert page.count("<h1>Rain: solutions</h1>") == 1
    boards = re.findall("<desc>(.*?)</desc>", page)
    grids = [Grid("".join(re.findall(r"(\d|empty)(?= |\.)", text)).replace("empty", ".")) for text in boards]
    assert all(check(grid) and rate(grid).difficulty == "easy" for grid in grids[:7])
    assert all(grid.clues == 81 for grid in grids[7:])
    assert "easy · ER 1." in run(*booklet, code=0).stdout
    again = run(*booklet, "--heading", "difficulty", code=0).stdout
    assert again == page


def test_options_of_pages_and_of_pictures(tmp_path):
    picture = ("print", UNIQUE, "-o", tmp_path / "board.svg")
    assert "--title needs --to html" in run(*picture, "--title", "A", code=2).stderr
    assert "--generate needs --to html" in run("print", "--generate", 2, "--to", "text", code=2).stderr
    assert "--size needs --to svg" in run("print", UNIQUE, "--size", 9, code=2).stderr
    assert list(tmp_path.iterdir()) == []


def test_a_booklet_takes_no_inputs():
    assert "--generate takes no inputs" in run("print", UNIQUE, "--generate", 2, code=2).stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a browser as on POSIX")
def test_explain_opens_its_page_in_the_browser(tmp_path):
    """The page is a file of its own, or that of --output; where no browser is, the error names it."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    environment = os.environ | {"BROWSER": f"{browser} %s", "TMPDIR": str(tmp_path)}
    for output in ((), ("-o", tmp_path / "own.html")):
        result = run_process("explain", UNIQUE, "--open", *output, env=environment, code=0)
        page = Path(url2pathname(urlparse((tmp_path / "opened").read_text().strip()).path))
        assert result.stdout == ""
        assert result.stderr == f"the page is {page}\n"
        assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert page == tmp_path / "own.html"
    folders = {*tmp_path.glob("unidoku-*")}
    run_process("explain", MULTIPLE, "--open", env=environment, code=1)
    assert {*tmp_path.glob("unidoku-*")} == folders
    result = run_process("explain", UNIQUE, "--open", env=environment | {"BROWSER": "false %s", "PATH": ""})
    assert (result.returncode, "no browser was found; open this file" in result.stderr) == (2, True)


def count_pages(pdf: bytes) -> int:
    """The number of pages of a PDF, whose objects are compressed."""
    parts = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    texts = [pdf]
    for part in parts:
        with contextlib.suppress(zlib.error):
            texts.append(zlib.decompress(part))
    return sum(len(re.findall(rb"/Type */Page\b", text)) for text in texts)


@pytest.mark.slow
def test_pages_as_pdf(tmp_path):
    """As many pages as the sheets have; a board and its steps; one hint."""
    pytest.importorskip("weasyprint", reason="no WeasyPrint", exc_type=(ImportError, OSError))
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n" * 13)
    for words, count in (
        (["print", tmp_path / "in.txt", "--solutions"], 4),
        (["print", tmp_path / "in.txt", "--per-page", "1"], 13),
        (["explain", UNIQUE], 2),
        (["hint", UNIQUE, "--lang", "zh"], 1),
        (["diagnose", UNIQUE], 1),
    ):
        run(*words, "-o", tmp_path / "x.pdf", code=0)
        content = (tmp_path / "x.pdf").read_bytes()
        assert content.startswith(b"%PDF-")
        assert count_pages(content) == count, words


def test_a_pdf_without_its_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    for command in ("print", "explain", "hint"):
        result = run(command, UNIQUE, "-o", tmp_path / "x.pdf", code=2)
        message = "a PDF needs WeasyPrint; let a browser print the .html, or: pip install 'unidoku[pdf]'"
        assert result.stderr == f"error: {message}\n"
        assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("words", ["trace", "explain", "explain --method book"])
def test_a_pdf_has_one_name_of_a_cell(tmp_path, monkeypatch, words):
    """The library gives a drawing none of the styles of the page, so the drawing hides the other names."""
    library = types.SimpleNamespace(HTML=lambda string: types.SimpleNamespace(write_pdf=string.encode))
    monkeypatch.setitem(sys.modules, "weasyprint", library)
    run(*words.split(), UNIQUE, "-o", tmp_path / "x.pdf", code=0)
    page = (tmp_path / "x.pdf").read_text("utf-8")
    drawing = re.search('<svg[^>]*unidoku-board" role.*?</svg>', page, re.DOTALL)
    hidden = re.findall(r"\.unidoku-board (\S+?)\{display:none\}", drawing[0])
    assert hidden == [".side" if "book" in words else ".label:not(.side)"]
