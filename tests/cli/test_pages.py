"""Pages that a command writes: in the browser, as PDF."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import numpy as np
import pytest
from command import run, run_process
from example_puzzles import MULTIPLE, UNIQUE

import unidoku

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


PUZZLES = f"{UNIQUE}\n{MEDIUM}\n{UNIQUE}\n"


def read_pdf(path):
    """The pages of a PDF, as another library reads them."""
    return pytest.importorskip("pypdfium2", reason="no PDFium").PdfDocument(path)


def digits_of(page, left, top, size):
    """The digits of a page by their cells, on a board whose corner and size are in points."""
    text, found = page.get_textpage(), {}
    for k in range(text.count_chars()):
        x0, y0, x1, y1 = text.get_charbox(k)
        row, column = (
            int((top - (y0 + y1) / 2) * 9 // size),
            int(((x0 + x1) / 2 - left) * 9 // size),
        )
        if 0 <= row < 9 and 0 <= column < 9 and (sign := text.get_text_range(k, 1)).isdigit():
            found.setdefault(9 * row + column, []).append(sign)
    return found


def ink_of(path, renderer):
    """Whether each pixel of the first page is dark, at two a point."""
    if renderer == "pdfium":
        image = read_pdf(path)[0].render(scale=2, grayscale=True).to_numpy().squeeze()
    else:
        if (program := shutil.which(renderer)) is None:
            pytest.skip(f"no {renderer}")
        options = {
            "gs": "-q -dNOPAUSE -dBATCH -sDEVICE=pgmraw -r144 -o -".split(),
            "pdftoppm": "-gray -r 144".split(),
        }
        content = subprocess.run([program, *options[renderer], path], capture_output=True, check=True).stdout
        header = re.match(rb"P5\s(?:#.*\s)?(\d+) (\d+)\s255\s", content)
        size = int(header[2]), int(header[1])
        image = np.frombuffer(content, np.uint8, size[0] * size[1], header.end()).reshape(size)
    return image < 215


def corner_of(page):
    """The left and top of the board of a page and its size, by the paths of its lines."""
    boxes = [each.get_bounds() for each in page.get_objects() if each.type == 2]
    left, _, right, top = min(boxes, key=lambda box: box[2] - box[0] if box[2] - box[0] > 100 else 1e9)
    return left, top, right - left


@pytest.fixture
def needs_typst():
    pytest.importorskip("typst", reason="no Typst")


@pytest.mark.usefixtures("needs_typst")
@pytest.mark.parametrize("words", ["", "--candidates", "--paper 6x9in --book"])
def test_the_digits_of_a_pdf_are_text_in_their_cells(tmp_path, words):
    options = words.split()
    (tmp_path / "in.txt").write_text(PUZZLES)
    run("print", tmp_path / "in.txt", "--per-page", "1", *options, "-o", tmp_path / "x.pdf", code=0)
    document = read_pdf(tmp_path / "x.pdf")
    pages = [page for page in document if page.get_textpage().count_chars() > 20][-3:]
    for page, puzzle in zip(pages, (UNIQUE, MEDIUM, UNIQUE), strict=True):
        found = digits_of(page, *corner_of(page))
        grid = unidoku.Grid(puzzle)
        clues = {cell: [sign] for cell, sign in enumerate(puzzle) if sign not in ".0"}
        if "--candidates" in options:
            marks = {
                cell: [*map(str, sorted(grid.candidates(cell)))] for cell in range(81) if cell not in clues
            }
            clues |= marks
        assert {cell: sorted(signs) for cell, signs in found.items()} == clues


@pytest.mark.usefixtures("needs_typst")
@pytest.mark.parametrize("renderer", ["pdfium", "gs", "pdftoppm"])
def test_a_board_of_a_pdf_has_the_lines_of_its_cells_alone(tmp_path, renderer):
    """What is filled without an area is a line for Ghostscript and Poppler."""
    run("print", UNIQUE, "--per-page", "1", "-o", tmp_path / "x.pdf", code=0)
    page = read_pdf(tmp_path / "x.pdf")[0]
    (left, top, size), dark = corner_of(page), ink_of(tmp_path / "x.pdf", renderer)
    down, right, extent = round(2 * (page.get_height() - top)), round(2 * left), round(2 * size)
    board = dark[down : down + extent, right : right + extent]
    for k in range(1, 18):  # a middle of cells, or a border
        near = slice(round(extent * k / 18) - 2, round(extent * k / 18) + 3)
        for line in (board[near].mean(axis=1).max(), board[:, near].mean(axis=0).max()):
            assert line > 0.95 if k % 2 == 0 else line < 0.4, k


@pytest.mark.usefixtures("needs_typst")
def test_a_book(tmp_path):
    """Inner margins alternate, pages have numbers, chapters are in the contents and are bookmarks."""
    (tmp_path / "in.txt").write_text(PUZZLES)
    options = "--solutions --chapters --book --paper 6x9in --per-page 1 --answers-per-page 6".split()
    run("print", tmp_path / "in.txt", *options, "--title", "Rain", "-o", tmp_path / "x.pdf", code=0)
    document = read_pdf(tmp_path / "x.pdf")
    texts = [page.get_textpage().get_text_range().split("\n") for page in document]
    assert {tuple(map(round, page.get_size())) for page in document} == {(432, 648)}
    assert [lines[-1].strip() for lines in texts[2:]] == ["3", "4", "5", "6", "7"]
    parts = ["Easy", "Medium", "Solutions: Easy", "Solutions: Medium"]
    assert [entry.get_title() for entry in document.get_toc()] == parts
    assert [line.split(" .")[0] for line in texts[0][2:]] == parts
    lefts = [round(corner_of(page)[0], 1) for page in (document[2], document[3], document[4])]
    assert lefts[0] == lefts[2]
    assert 1 < lefts[0] - lefts[1] < 3  # 12.6 mm inside, 12 mm outside
    assert b"/FontFile2" in (content := (tmp_path / "x.pdf").read_bytes()) or b"/FontFile3" in content


@pytest.mark.slow
@pytest.mark.usefixtures("needs_typst")
def test_pages_as_pdf(tmp_path):
    """As many pages as the sheets have; a board and its steps; one hint."""
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n" * 13)
    for words, count in (
        (["print", tmp_path / "in.txt", "--solutions"], 4),
        (["print", tmp_path / "in.txt", "--per-page", "1"], 13),
        (["explain", UNIQUE], 3),
        (["explain", UNIQUE, "--method", "book"], 6),
        (["trace", UNIQUE], 1),
        (["hint", UNIQUE, "--lang", "zh"], 1),
        (["diagnose", UNIQUE], 1),
    ):
        run(*words, "-o", tmp_path / "x.pdf", code=0)
        assert len(read_pdf(tmp_path / "x.pdf")) == count, words


def test_a_pdf_without_its_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    for command in ("print", "explain", "hint", "diagnose", "trace"):
        result = run(command, UNIQUE, "-o", tmp_path / "x.pdf", code=2)
        message = "a PDF needs Typst; let a browser print the .html, or: pip install 'unidoku[pdf]'"
        assert result.stderr == f"error: {message}\n"
        assert [*tmp_path.iterdir()] == []
