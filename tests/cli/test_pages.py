"""Pages that a command writes: in the browser, as PDF."""

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
from command import run, run_process
from example_puzzles import MULTIPLE, UNIQUE

MEDIUM = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


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


@pytest.fixture
def page_library(monkeypatch):
    """Put a library in the place of WeasyPrint whose PDF is the page that it gets."""

    def read(string):
        return types.SimpleNamespace(render=lambda: types.SimpleNamespace(pages=[], write_pdf=string.encode))

    monkeypatch.setitem(sys.modules, "weasyprint", types.SimpleNamespace(HTML=read))


@pytest.mark.usefixtures("page_library")
def test_a_booklet_as_pdf_draws_each_digit_once_in_chapters(tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{MEDIUM}\n{UNIQUE}\n")
    run("print", tmp_path / "in.txt", "--solutions", "--chapters", "-o", tmp_path / "x.pdf", code=0)
    page = (tmp_path / "x.pdf").read_text("utf-8")
    drawn = [path.count("M") for path in re.findall(r'<path fill="none"[^>]* d="([^"]*)"', page)]
    clues = [81 - puzzle.count(".") for puzzle in (UNIQUE, UNIQUE, MEDIUM)]
    assert drawn == [*clues, *(number for some in clues for number in (some, 81 - some))]
    assert re.findall("<h1>(.*)</h1>", page) == [
        f"Sudoku: {prefix}{word}" for prefix in ("", "solutions, ") for word in ("Beginner", "Medium")
    ]


@pytest.mark.usefixtures("page_library")
@pytest.mark.parametrize("words", ["trace", "explain", "explain --method book"])
def test_a_pdf_has_one_name_of_a_cell(tmp_path, words):
    """The library gives a drawing none of the styles of the page, so the drawing hides the other names."""
    run(*words.split(), UNIQUE, "-o", tmp_path / "x.pdf", code=0)
    page = (tmp_path / "x.pdf").read_text("utf-8")
    drawing = re.search('<svg[^>]*unidoku-board" role.*?</svg>', page, re.DOTALL)
    hidden = re.findall(r"\.unidoku-board (\S+?)\{display:none\}", drawing[0])
    assert hidden == [".side" if "book" in words else ".label:not(.side)"]
