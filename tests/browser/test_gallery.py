"""Pictures and PDFs that commands write: what is drawn is the same everywhere, and its digits are text.

The browser draws an SVG; PDFium, Ghostscript and Poppler draw the PDF of the same command.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from command import run
from example_puzzles import CHAINS, UNIQUE
from gallery import corner_of, keep

import unidoku

pytest.importorskip("typst", reason="no Typst")
pdfium = pytest.importorskip("pypdfium2", reason="no PDFium")
Image = pytest.importorskip("PIL.Image", reason="no Pillow")

THINGS = {
    "print-board": ["print", UNIQUE],
    "print-candidates": ["print", UNIQUE, "--candidates"],
    "hint-wing": ["hint", CHAINS, "--technique", "x-wing"],
    "hint-chain-zh": ["hint", CHAINS, "--technique", "AIC", "--lang", "zh"],
}
RENDERERS = {
    "pdfium": "",
    "gs": "-q -dNOPAUSE -dBATCH -sDEVICE=png16m -r144 -o -",  # no gray at borders: a printer has none
    "pdftoppm": "-png -r 144",
}
SCALE = 2  # pixels a point


class Thing(NamedTuple):
    """A board in its two files."""

    name: str
    svg: Path
    pdf: Path


@pytest.fixture(scope="module", params=THINGS)
def thing(request, tmp_path_factory) -> Thing:
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    words = THINGS[name]
    paged = ["--per-page", "1"] if words[0] == "print" else []
    made = Thing(name, folder / "x.svg", folder / "x.pdf")
    run(*words, "-o", made.svg, code=0)
    run(*words, *paged, "-o", made.pdf, code=0)
    for path in made[1:]:
        keep(f"{name}{path.suffix}", path.read_bytes())
    return made


@pytest.fixture(scope="module")
def drawn(thing, page) -> np.ndarray:
    """The board of the SVG, as the browser draws it at the size of a sheet."""
    page.set_viewport_size({"width": 1200, "height": 1200})
    page.emulate_media(color_scheme="light")
    page.goto(thing.svg.as_uri())
    page.evaluate("['width', 'height'].map((name) => document.documentElement.setAttribute(name, 1100))")
    return board_of(np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("L")))


def board_of(picture: np.ndarray) -> np.ndarray:
    """The part of a picture within the frame of its board: the outermost dark lines."""
    for _ in range(2):
        lines = np.flatnonzero((picture < 128).mean(axis=1) > 0.6)
        picture = picture[lines[0] : lines[-1] + 1].T
    return picture


def printed(path: Path, renderer: str) -> np.ndarray:
    """The board of the first page of a PDF, as a program draws it."""
    page = pdfium.PdfDocument(path)[0]
    if renderer == "pdfium":
        image = page.render(scale=SCALE, grayscale=True).to_pil()
    else:
        if shutil.which(renderer) is None:
            pytest.skip(f"no {renderer}")
        command = [renderer, *RENDERERS[renderer].split(), path]
        content = subprocess.run(command, capture_output=True, check=True).stdout
        image = Image.open(io.BytesIO(content)).convert("L")
    left, top, size = corner_of(page)
    down, right, extent = (round(SCALE * length) for length in (page.get_height() - top, left, size))
    return board_of(np.asarray(image)[down - 9 : down + extent + 9, right - 9 : right + extent + 9])


def lines_of(board: np.ndarray) -> Iterator[float]:
    """The share of dark pixels on each border and in each middle of a row and of a column of cells."""
    for dark in (board < 215, (board < 215).T):
        for k in range(1, 18):
            middle = len(dark) * k / 18
            yield dark[round(middle) - 3 : round(middle) + 4].mean(axis=1).max()


@pytest.mark.parametrize("renderer", ["pdfium", "gs"])
def test_the_picture_of_a_pdf_is_that_of_the_svg(thing, drawn, renderer):
    """In a square of an eighth of a cell and along lines: Ghostscript draws what has no area."""
    board = printed(thing.pdf, renderer)
    for picture, name in ((board, renderer), (drawn, "chromium")):
        content = io.BytesIO()
        Image.fromarray(picture).save(content, "png")
        keep(f"{thing.name}-{name}.png", content.getvalue())
    assert np.allclose([*lines_of(board)], [*lines_of(drawn)], atol=0.2)
    gray = (np.asarray(Image.fromarray(each).resize((72, 72), Image.BOX), int) for each in (board, drawn))
    assert (np.abs(np.subtract(*gray)) > 64).mean() < 0.001


def digits_of(page, left: float, top: float, size: float) -> dict[int, list[str]]:
    """The digits of a page by their cells, on a board whose corner and size are in points."""
    text, found = page.get_textpage(), {}
    for k in range(text.count_chars()):
        x0, y0, x1, y1 = text.get_charbox(k)
        row, column = int((top - (y0 + y1) / 2) * 9 // size), int(((x0 + x1) / 2 - left) * 9 // size)
        if 0 <= row < 9 and 0 <= column < 9 and (sign := text.get_text_range(k, 1)).isdigit():
            found.setdefault(9 * row + column, []).append(sign)
    return {cell: sorted(signs) for cell, signs in sorted(found.items())}


def test_the_digits_of_a_pdf_are_text_in_their_cells(thing):
    page = pdfium.PdfDocument(thing.pdf)[0]
    found: dict[int, list[str]] = {}
    drawing = ElementTree.parse(thing.svg).getroot()
    below = (sign for sign in drawing.findall(".//{*}svg") if float(sign.get("y", 0)) > 360)
    signs_of_legend = {each for sign in below for each in sign.iter()}
    for element in drawing.findall(".//{*}text"):
        if element not in signs_of_legend and element.get("class") not in ("label side", "key"):
            cell = int((float(element.get("y")) - 1) // 40 * 9 + float(element.get("x")) // 40)
            found.setdefault(cell, []).append(element.text)
    assert digits_of(page, *corner_of(page)) == {cell: sorted(signs) for cell, signs in sorted(found.items())}
    if thing.name == "print-board":
        assert "".join(found.get(cell, ["."])[0] for cell in range(81)) == UNIQUE
    if thing.name == "print-candidates":
        grid = unidoku.Grid(UNIQUE)
        marks = {cell: [*map(str, grid.candidates(cell))] for cell in range(81) if not grid[cell]}
        assert {cell: signs for cell, signs in found.items() if not grid[cell]} == marks


def test_the_digits_of_a_book_are_text(tmp_path):
    puzzles = [*unidoku.lines(unidoku.generate(3, seed=1))]
    (tmp_path / "in.txt").write_text("\n".join(puzzles))
    options = "--paper 6x9in --book --per-page 1".split()
    run("print", tmp_path / "in.txt", *options, "-o", tmp_path / "x.pdf", code=0)
    document = pdfium.PdfDocument(tmp_path / "x.pdf")
    pages = [page for page in document if page.get_textpage().count_chars() > 20][-3:]
    found = [digits_of(page, *corner_of(page)) for page in pages]
    assert ["".join(digits.get(cell, ["."])[0] for cell in range(81)) for digits in found] == puzzles
