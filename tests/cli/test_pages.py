"""Pages that a command writes: in the browser, as PDF."""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from command import run, run_process
from example_puzzles import MULTIPLE, UNIQUE
from gallery import corner_of, keep

from unidoku.errors import FormatError
from unidoku.view._pdf import png

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
    assert (result.returncode, "no browser was found; open this file yourself" in result.stderr) == (2, True)


PUZZLES = f"{UNIQUE}\n{MEDIUM}\n{UNIQUE}\n"


def read_pdf(path):
    """The pages of a PDF, as another library reads them."""
    return pytest.importorskip("pypdfium2", reason="no PDFium").PdfDocument(path)


@pytest.fixture
def needs_typst():
    pytest.importorskip("typst", reason="no Typst")


@pytest.mark.usefixtures("needs_typst")
def test_a_book(tmp_path):
    """Inner margins alternate, pages have numbers, chapters are in the contents and are bookmarks."""
    (tmp_path / "in.txt").write_text(PUZZLES)
    options = "--solutions --chapters --book --paper 6x9in --per-page 1 --answers-per-page 6".split()
    run("print", tmp_path / "in.txt", *options, "--title", "Rain", "-o", tmp_path / "x.pdf", code=0)
    keep("print-book.pdf", (tmp_path / "x.pdf").read_bytes())
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


@pytest.mark.usefixtures("needs_typst")
def test_a_book_with_rules_an_author_and_answers_at_the_foot(tmp_path):
    (tmp_path / "in.txt").write_text(PUZZLES)
    words = (
        "print",
        tmp_path / "in.txt",
        "-o",
        tmp_path / "x.pdf",
        "--book",
        "--rules",
        "--author",
        "Ada L.",
    )
    run(*words, "--title", "Rain", "--answers-at-foot", "--name-line", code=0)
    keep("print-book-rules.pdf", (tmp_path / "x.pdf").read_bytes())
    document = read_pdf(tmp_path / "x.pdf")
    texts = [page.get_textpage().get_text_range() for page in document]
    assert [line.strip() for line in texts[0].split("\n")[:2]] == ["Rain", "Ada L."]
    assert document.get_metadata_dict()["Author"] == "Ada L."
    assert [entry.get_title() for entry in document.get_toc()] == ["Rules", "Puzzles"]
    assert "every row, every column and every box" in texts[2]
    assert "Name:" in texts[3]
    assert sum(map(str.isdigit, texts[3])) > 81 * PUZZLES.count("\n")
    result = run(*words, "--solutions", "--answers-at-foot", code=2)
    assert "--answers-at-foot replaces the pages of solutions" in result.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("needs_typst")
def test_pages_as_pdf(tmp_path):
    """As many pages as the sheets have; a board and its steps; a form a page; a lesson, positions and key."""
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n" * 13)
    for words, count in (
        (["print", tmp_path / "in.txt", "--solutions"], 4),
        (["print", tmp_path / "in.txt", "--per-page", "1"], 13),
        (["explain", UNIQUE], 2),
        (["explain", UNIQUE, "--method", "book"], 6),
        (["explain", UNIQUE, "--step", "3"], 1),
        (["trace", UNIQUE], 1),
        (["hint", UNIQUE, "--lang", "zh"], 1),
        (["hint", tmp_path / "in.txt", "--technique", "hidden single"], 6),
        (["diagnose", UNIQUE], 1),
    ):
        run(*words, "-o", tmp_path / "x.pdf", code=0)
        keep(f"{words[0]}-{count}-pages.pdf", (tmp_path / "x.pdf").read_bytes())
        texts = [page.get_textpage().get_text_range() for page in read_pdf(tmp_path / "x.pdf")]
        assert len(texts) == count, words
        assert not re.search(r"\d\.\s+\d+\) ", "".join(texts)), words


@pytest.mark.parametrize(
    ("command", "options", "width"),
    [
        ("print", [], 800),
        ("print", ["--size", 90], 180),
        ("hint", [], 800),
        ("solve", [], 800),
        ("explain", ["--step", 3], 800),
    ],
)
def test_a_picture_of_dots(tmp_path, command, options, width):
    """It has two dots for each pixel of the picture of shapes."""
    pytest.importorskip("typst", reason="no Typst")
    image = pytest.importorskip("PIL.Image", reason="no Pillow")
    run(command, UNIQUE, *options, "-o", tmp_path / "x.PNG", code=0)
    with image.open(tmp_path / "x.PNG") as picture:
        assert (picture.format, picture.width) == ("PNG", width)
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 20


def test_a_folder_of_pictures_of_dots(tmp_path):
    pytest.importorskip("typst", reason="no Typst")
    run("print", UNIQUE, "." * 81, "--to", "png", "-o", f"{tmp_path}/", code=0)
    assert {file.name: file.read_bytes()[1:4] for file in tmp_path.iterdir()} == {
        "0001.png": b"PNG",
        "0002.png": b"PNG",
    }


def test_a_sheet_as_a_picture_of_dots(tmp_path):
    """Its pages, of 297 mm, are one below the other; 192 dots are an inch."""
    pytest.importorskip("typst", reason="no Typst")
    image = pytest.importorskip("PIL.Image", reason="no Pillow")
    for puzzles, options, pages in (
        ([UNIQUE] * 7, [], 2),
        ([UNIQUE], ["--title", "A"], 1),
    ):
        run("print", *puzzles, *options, "-o", tmp_path / "x.png", code=0)
        with image.open(tmp_path / "x.png") as picture:
            assert picture.width == round(210 / 25.4 * 192)
            assert picture.height == pytest.approx(pages * 297 / 25.4 * 192, abs=pages)
            rows = picture.convert("L").reduce((picture.width, 1)).tobytes()
            height = picture.height // pages
            assert all(min(rows[page * height : (page + 1) * height]) < 250 for page in range(pages))
    error = run("print", UNIQUE, UNIQUE, "--size", 300, "-o", tmp_path / "y.png", code=2).stderr
    assert error.startswith("error: --size is for a picture of one board; omit it")
    with pytest.raises(FormatError, match="at most 50 pages, not 51; write a PDF"):
        png(b"<< /Type /Pages /Count 51 >>")


def test_a_pdf_without_fonts_of_the_system(tmp_path, monkeypatch):
    """Typst has one; signs that it does not have are noted."""
    typst = pytest.importorskip("typst", reason="no Typst")
    monkeypatch.setattr(typst, "Fonts", partial(typst.Fonts, include_system_fonts=False))
    note = "note: no installed font has the character 下; install a font that has it, or print the .html\n"
    for title, stderr in (("Rain", ""), ("Rain, 下雨。", note)):
        result = run("print", UNIQUE, "--title", title, "-o", tmp_path / "x.pdf", code=0)
        assert (result.stderr, b"+Libertinus" in (tmp_path / "x.pdf").read_bytes()) == (stderr, True)


def test_a_pdf_without_its_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    names = {**dict.fromkeys(("print", "explain", "hint", "diagnose", "trace"), "x.pdf"), "solve": "x.png"}
    for command, name in names.items():
        result = run(command, UNIQUE, "-o", tmp_path / name, code=2)
        message = "PDF and PNG need Typst (or write .html or .svg); run pip install 'unidoku[pdf]'"
        assert result.stderr == f"error: {message}\n"
        assert [*tmp_path.iterdir()] == []
