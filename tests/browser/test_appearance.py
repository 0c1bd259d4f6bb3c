"""The look of every page: two widths, two color schemes, no overflow; the pictures of docs/.

``UNIDOKU_IMAGES=docs/images pytest tests/browser/test_appearance.py`` rewrites the pictures.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from example_puzzles import CHAINS, NOTHING, QUIZ, SEVERAL, UNIQUE as EASY

from unidoku import Grid, generate, hint, method, rate, solve
from unidoku.craft.diagnosis import diagnose
from unidoku.stepper import Session
from unidoku.view.diagnose import diagnose_page
from unidoku.view.explain import explain, play_record
from unidoku.view.sheets import PrintedPuzzle, sheets
from unidoku.view.step import picture
from unidoku.view.svg import COLORS, INKS
from unidoku.view.trace import play_trace

LARGEST = 200_000  # bytes of a picture


def luminance(color) -> float:
    parts = [part / 255 for part in color]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(ink, paper) -> float:
    low, high = sorted((luminance(ink), luminance(paper)))
    return (high + 0.05) / (low + 0.05)


def rgb(code: str) -> list[int]:
    return [int(code[k : k + 2], 16) for k in (1, 3, 5)]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """Every kind of page, with the keys that show the most of it."""
    grids = [Grid(row) for row in generate(4, seed=3)]
    return {
        "trace": play_trace(Session(QUIZ)).page(),
        "explain": explain(CHAINS).page(),
        "explain-asks": explain(EASY).page(),
        "explain-zh": explain(CHAINS, lang="zh").page(),
        "book": play_record(method.explain(QUIZ)).page(),
        "book-zh": play_record(method.explain(EASY), lang="zh").page(),
        "diagnose": diagnose_page(diagnose(SEVERAL)),
        "diagnose-none": diagnose_page(diagnose(NOTHING)),
        "diagnose-unique": diagnose_page(diagnose(EASY)),
        "print": "".join(
            sheets([PrintedPuzzle(grid, "", rate(grid), solve(grid)) for grid in grids], per_page=4)
        ),
        "print-blank": "".join(sheets([PrintedPuzzle(Grid(EASY))], per_page=1, blank=True)),
    }


KINDS = [
    *(
        "trace",
        "explain",
        "explain-asks",
        "explain-zh",
        "book",
        "book-zh",
        "diagnose",
        "diagnose-none",
        "diagnose-unique",
    ),
    *("print", "print-blank"),
]
TITLES = {"book": "Numerical-analysis", "book-zh": "九宫格"}
#: The pictures in docs/: page, width, dark.
PICTURES = {
    ("trace", 1280, False): "trace",
    ("trace", 390, True): "trace-phone",
    ("explain-asks", 1280, False): "explain-asks",
    ("explain", 1280, False): "explain",
    ("explain", 390, True): "explain-phone",
    ("diagnose", 1280, False): "diagnose",
    ("print", 1280, False): "print",
}


SIZES = sorted({(kind, 390) for kind in KINDS} | {(kind, width) for kind, width, _ in PICTURES})


@pytest.mark.parametrize(("kind", "width"), SIZES)
def test_every_page(open_page, pages, kind, width):
    page = open_page(pages[kind], width=width, height=900, fragment="" if kind == "explain-asks" else "#read")
    if kind == "trace":
        for _ in range(12):
            page.keyboard.press("ArrowLeft")
    elif kind == "explain-asks":
        for stage in (1, 2, 3):
            page.click(f"#ask [data-stage='{stage}']")
            check(page, kind, width, dark=False)
    elif kind.startswith("explain"):
        name = {"explain": "AIC", "explain-zh": "X翼"}[kind]
        page.locator("#all b", has_text=name).first.click()
    elif kind.startswith("book"):
        page.locator("#all b").nth(9).click()
        page.locator("#board .cell:has(.mark)").first.click()
    check(page, kind, width, dark=False)
    page.emulate_media(color_scheme="dark")
    check(page, kind, width, dark=True)


def check(page, kind, width, *, dark):
    """Look at the page as it is; draw it where it is a picture of the documentation."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.title().startswith(TITLES.get(kind, ""))
    if not kind.startswith("print"):
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(23, 27, 32)" if dark else "rgb(255, 255, 255)")
    folder = os.environ.get("UNIDOKU_IMAGES")
    name = PICTURES.get((kind, width, dark))
    if folder and name:
        path = Path(folder) / f"{name}.png"
        page.evaluate("scrollTo(0, 0)")  # a click on a phone is below the board
        bottom = page.evaluate("document.body.getBoundingClientRect().bottom") + 16
        height = min(bottom, 780 if width > 400 else 844)
        page.screenshot(path=path, clip={"x": 0, "y": 0, "width": width, "height": height})
        assert path.stat().st_size < LARGEST


def test_the_colors_of_boards():
    """Digits and marks on every fill, by day and by night."""
    for night in (0, 1):
        papers = [INKS["paper"][night], *(pair[night] for pair in COLORS.values())]
        for ink, paper in itertools.product(("ink", "found", "faint", "gone"), papers):
            assert contrast(rgb(INKS[ink][night]), rgb(paper)) >= 4.5, (ink, paper)


def test_the_pictures_in_the_documentation():
    """Each picture is small, and a page has it."""
    root = Path(__file__).resolve().parents[2]
    if not (root / "docs" / "images").is_dir():
        pytest.skip("the documentation is not beside the tests")
    if folder := os.environ.get("UNIDOKU_IMAGES"):
        (Path(folder) / "hint.svg").write_text(f"{picture(hint(EASY))}\n", encoding="utf-8")
    documentation = "".join(
        path.read_text(encoding="utf-8") for path in [root / "README.md", *(root / "docs").glob("*.md")]
    )
    images = sorted((root / "docs" / "images").iterdir())
    assert {f"{name}.png" for name in PICTURES.values()} <= {image.name for image in images}
    for image in images:
        assert image.stat().st_size < LARGEST
        assert f"images/{image.name}" in documentation, image.name
