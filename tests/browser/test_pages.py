"""What a browser shows: pages with steps, slider, tree, keyboard, shapes and print, the game on them, and
pictures next to PDFs. In one file, for which one browser is started; the gallery is given pictures of all.
"""

from __future__ import annotations

import io
import itertools
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import gallery
import numpy as np
import pytest
from command import run
from example_puzzles import CHAINS, QUIZ, SEVERAL, UNIQUE as EASY

import unidoku
from unidoku import Grid, generate, hint, method, rate, solve, steps
from unidoku.cell import HOUSES
from unidoku.craft._diagnosis import diagnose
from unidoku.rating._steps import deduction_from, hint_of, path_of
from unidoku.stepper import Session
from unidoku.view._diagnose import diagnose_page
from unidoku.view._explain import explain, play_record
from unidoku.view._sheets import PrintedPuzzle, Sheets
from unidoku.view._step import look, picture
from unidoku.view._svg import COLORS, INKS
from unidoku.view._trace import play_trace

try:
    import pypdfium2 as pdfium
    from PIL import Image
except ImportError:  # then `libraries` skips the tests that need them
    pdfium = Image = None

SKYSCRAPER = "697.....2..1972.63..3..679.912...6.737426.95.8657.9.241486932757.9.24..6..68.7..9"


@pytest.fixture(scope="module")
def trace() -> str:
    return play_trace(Session(QUIZ)).page()


def board(page) -> list[list[int]]:
    """For each cell its value, or its candidates that stand."""
    return page.evaluate("""() => [...document.querySelectorAll('#board .cell')].map((cell) =>
        [...cell.querySelectorAll('text:not(.removed)')].map((text) => +text.textContent))""")


def click(page, cell: int, digit: int) -> None:
    """Click where a candidate is, or was."""
    box = page.locator("#board .cell").nth(cell).locator("rect").bounding_box()
    row, column = divmod(digit - 1, 3)
    page.mouse.click(box["x"] + box["width"] * (column + 0.5) / 3, box["y"] + box["height"] * (row + 0.5) / 3)


def place(page) -> int:
    return int(page.locator("#place").input_value())


def check_pdf(page, path, **options) -> bytes:
    """The page as it is printed."""
    page.pdf(path=path, **options)
    data = path.read_bytes()
    assert data[:4] == b"%PDF"
    return data


@pytest.mark.slow
def test_the_states_of_a_page_are_those_of_the_session(open_page, trace):
    """It opens at the solution; forward from the beginning, and in any order, each step shows its state."""
    page = open_page(trace)
    assert re.fullmatch("Step 131 of [0-9]+: level 6, solutions 1, fine.*", page.inner_text("#status"))
    assert page.locator("#levels li").count() == 6
    states = []
    session = Session(QUIZ)
    while session.state != "invalid":
        cells = enumerate(session.grid)
        states.append([[value] if value else [*session.candidates.get(cell, ())] for cell, value in cells])
        session.step()
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert board(page) == states[3]
    for number in (*range(61, len(states), 61), 70, 64, 63, 200, 128, 1):
        page.locator("#place").evaluate(
            f"(s) => {{ s.value = {number}; s.dispatchEvent(new Event('input')); }}"
        )
        assert place(page) == number
        assert board(page) == states[number]


@pytest.mark.slow
def test_without_javascript(browser, tmp_path, trace):
    """The puzzle, and the steps as a list with their numbers."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    file = tmp_path / "page.html"
    book = play_record(method.explain(EASY)).page()
    for text, lines in (
        (
            explain(EASY).page(),
            "Hidden single: in box 2 the digit 8 fits only in r1c6: the other empty cells see the 8 in r3c3",
        ),
        (book, "Cell 41 (II=5 JJ=5 KG=5) takes 5"),
        (trace, "shrinking 6 from r2c4 went wrong"),
    ):
        file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri())
        assert lines in page.inner_text("#all")
        assert page.locator("#board > svg").is_visible()
        assert not page.locator("nav").is_visible()
        assert not page.locator("#side").is_visible()
        assert page.locator("#tree").count() == 0 or not page.locator("#tree").is_visible()
        assert "\ue000" not in page.content().partition('id="data"')[0]
    page.goto(file.as_uri())
    context.close()


def test_a_click_shows_what_removed_a_candidate(open_page):
    page = open_page(play_record(method.explain(EASY)).page())
    page.keyboard.press("End")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    click(page, 2, 5)
    assert "Candidate 5 of 3 was removed at 1 (I1).\ncell 1 = 5 zeroes 5 in 3, 4" in page.inner_text("#why")
    page.uncheck("#numbers")
    assert page.locator("#board .side:visible").count() == 18
    assert page.locator("#board .label:not(.side):visible").count() == 0
    assert "cell r1c5 = 7 zeroes 7 in r1c3, r1c4" in page.inner_text("#lines")
    click(page, 2, 5)
    assert "Candidate 5 of r1c3 was removed at 1 (I1).\ncell r1c1 = 5" in page.inner_text("#why")
    page.check("#numbers")
    assert "cell 5 = 7 zeroes 7 in 3, 4" in page.inner_text("#lines")
    click(page, 2, 1)
    assert "Candidate 1 of 3 is possible." in page.inner_text("#why")
    page.locator("#board .cell").nth(2).focus()
    page.keyboard.press("Enter")
    assert "Candidate 3 of 3 was removed at 2 (I2)." in page.inner_text("#why")
    assert page.locator("#board .label:not(.side):visible").count() == 81


CONTROLS = "nav, #ask, #game, #mode, #chain, button, input, label, summary, #tree, .key, .help"


def test_print(open_page, trace, tmp_path):
    """On paper there are the grid and the words, and nothing to press."""
    explained = play_record(method.explain(EASY)).page()
    for text, paper in (
        (trace, "#board > svg, #all"),
        (explained, "#board > svg, #all"),
        (diagnose_page(diagnose(SEVERAL)), "figure"),
    ):
        page = open_page(text)
        page.emulate_media(media="print")
        assert page.locator(f":is({CONTROLS}):visible").evaluate_all("(all) => all.map((e) => e.id)") == []
        assert page.locator(paper).first.is_visible()
        check_pdf(page, tmp_path / "page.pdf")


@pytest.mark.slow
def test_sheets_on_paper(open_page, tmp_path):
    grid = Grid(EASY)
    path = tmp_path / "sheets.pdf"
    for per_page in (1, 2, 4, 5, 6, 12):
        puzzles = [PrintedPuzzle(grid, "a long name " * 20, solution=solve(grid))] * (2 * per_page)
        page = open_page("".join(Sheets(puzzles, per_page=per_page)))
        data = check_pdf(page, path, prefer_css_page_size=True)
        answers = -(-2 * per_page // 20)
        assert data.count(b"/Type /Page\n") == 2 + answers, per_page
    for paper, size in (("a4", (594, 841)), ("letter", (612, 792))):  # the blank form of the book
        page = open_page("".join(Sheets([PrintedPuzzle(grid)], per_page=1, blank=True, paper=paper)))
        data = check_pdf(page, path, prefer_css_page_size=True)
        assert data.count(b"/Type /Page\n") == 1
        wide, high = map(float, re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data).groups())
        assert abs(wide - size[0]) < 2
        assert abs(high - size[1]) < 2


WIDTH_OF_CELL = 55

# The points of the arrows, the boxes of all visible small digits, and the centers of the shapes.
DRAWN = """() => {
    const matrix = document.querySelector('#board > svg').getScreenCTM();
    const at = (point) => { const p = point.matrixTransform(matrix); return [p.x, p.y]; };
    const along = (path) => Array.from({ length: 81 },
        (_, k) => at(path.getPointAtLength(path.getTotalLength() * k / 80)));
    const groups = [...document.querySelectorAll('.arrows g')];
    const lines = (arrow) => [...arrow.children].filter((path) => path.getTotalLength());
    const arrows = groups.map((arrow) => lines(arrow).flatMap(along));
    const digits = [...document.querySelectorAll('#board .mark, #board .removed')].map((mark) => {
        const size = mark.getBBox(), middle = size.x + size.width / 2, base = +mark.getAttribute('y');
        const a = at(new DOMPoint(middle - size.width / 2, base - 7.6));
        return [...a, ...at(new DOMPoint(middle + size.width / 2, base))];
    });
    const shapes = [...document.querySelectorAll('.shapes > *')].map((shape) => {
        const box = shape.getBoundingClientRect();
        return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    });
    return { arrows, digits, shapes };
}"""


def ends(points, box):
    """Whether an arrow, or a line without a head, begins or ends at a digit: near its center."""
    x, y, reach = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, 0.27 * WIDTH_OF_CELL
    return any(
        abs(px - x) < reach and abs(py - y) < reach
        for px, py in (points[0], points[min(81, len(points) - 1)])
    )


@pytest.mark.slow
def test_arrows_and_shapes_are_where_the_digits_are(open_page):
    path = steps(CHAINS)
    page = open_page(explain(CHAINS).page(), width=1280)
    patterns = {"hidden single", "naked single", "pointing", "claiming"}
    for number, step in enumerate(path, 1):
        if f"{step.technique} {step.kind}" in patterns or step.technique in patterns:
            continue
        page.evaluate(f"go({number})")
        page.locator("#links:visible").evaluate_all("(buttons) => buttons.map((button) => button.click())")
        drawing = page.evaluate(DRAWN)
        *_, links = look(deduction_from(step))  # a line to the removed candidate is not drawn
        assert len(drawing["arrows"]) == len(links)
        boxes = np.array(drawing["digits"])
        low, high = boxes[:, :2], boxes[:, 2:]
        for place in drawing["shapes"]:
            assert (np.abs(place - (low + high) / 2) < 1.5).all(axis=1).any(), step
        for points in drawing["arrows"]:
            assert sum(ends(points, box) for box in boxes) >= 2
        patterns.add(f"{step.technique} {step.kind}")
    assert len(patterns) > 6


LONG = "4.....7.3.5.....4.87.....1.....8.9.159..1..6......2.....7..1.24...9...7.18.2.45.."
"""A puzzle with a chain of 18 links."""


def shaded(page) -> set[int]:
    """The cells that have a color."""
    cells = """(boxes) => boxes.map((box) =>
        Math.floor(box.getAttribute("y") / 40) * 9 + Math.floor(box.getAttribute("x") / 40))"""
    return {*page.locator("#board .fills rect").evaluate_all(cells)}


def legend(page) -> dict[str, str]:
    """The roles of colors and shapes that the legend has now, and its words for them."""
    words = "(keys) => keys.map((key) => [key.dataset.role, key.innerText])"
    return dict(page.locator("[data-role]:visible").evaluate_all(words))


def drawn_links(step) -> list:
    """The links that a page draws: of a chain that removes candidates those from end to end."""
    joined = step.technique in {"forcing chain", "forcing X-chain"} and not step.placements
    return step.links[1:-1] if joined else step.links


def test_a_long_chain_is_shown_link_by_link(open_page):
    page = open_page(explain(LONG).page())
    number, step = next((k, step) for k, step in enumerate(steps(LONG), 1) if len(drawn_links(step)) > 8)
    page.evaluate(f"go({number})")
    names = [f"{a}{'=' if kind == 'weak' else '≠'}" for a, _, kind in drawn_links(step)]
    for count in range(1, len(names) + 1):
        assert page.locator(".arrows g").count() == count
        assert page.inner_text("#link").startswith(f"link {count} of {len(names)}: {names[count - 1][:4]}")
        page.locator("#link-next").evaluate("(button) => button.click()")  # a pointer waits for two frames
    assert page.locator(".arrows g").count() == len(names)
    page.click("#link-back")
    assert page.inner_text("#link").startswith(f"link {len(names)} of ")
    page.click("#link-next")
    assert page.locator("#link-next").is_disabled()
    page.click("#link-back")
    page.click("#links")
    assert page.locator("#links").is_disabled()
    page.evaluate("go(1)")
    assert not page.locator("#chain").is_visible()
    number, step = next((k, step) for k, step in enumerate(steps(LONG), 1) if 8 < len(step.links) <= 10)
    page.evaluate(f"go({number})")
    assert page.locator(".arrows g").count() == len(drawn_links(step)) == len(step.links) - 2
    assert not page.locator("#chain").is_visible()


def test_the_legend_has_the_roles_of_the_step(open_page):
    path = steps(CHAINS)
    page = open_page(explain(CHAINS).page())
    number = next(k for k, step in enumerate(path, 1) if step.technique == "forcing chain")
    page.evaluate(f"go({number})")
    arrows = {"on", "off", "strong", "weak", "placed", "blue"}
    lines = {"blue", "end", "pattern", "bond", "clash", "gone"}
    assert legend(page).keys() == (arrows if path[number - 1].placements else lines)
    wing = next(k for k, step in enumerate(path, 1) if step.technique == "X-wing")
    page.evaluate(f"go({wing})")
    assert legend(page).keys() == {"blue", "gray", "pattern", "gone"}
    removed = page.locator("#board .removed").count()
    assert removed == len(path[wing - 1].eliminations)


def test_a_step_strikes_all_that_its_reason_rules_out(open_page):
    page = open_page(explain(SKYSCRAPER).page())
    page.evaluate("go(1)")
    struck = page.locator("#board .removed").count()
    step = steps(SKYSCRAPER)[0]
    assert struck == len(step.eliminations) + len(step.further_eliminations) == 4
    page.evaluate("go(2)")
    assert page.locator("#board .removed").count() < struck


# The look of every page: two widths, two color schemes, no overflow; the pictures of docs/.

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
def pages(trace) -> dict[str, str]:
    """Every kind of page, with the keys that show the most of it."""
    grids = [Grid(row) for row in generate(4, seed=3)]
    return {
        "trace": trace,
        "explain": explain(CHAINS).page(),
        "explain-play": explain(EASY).page(),
        "explain-zh": explain(CHAINS, lang="zh").page(),
        "book": play_record(method.explain(QUIZ)).page(),
        "diagnose": diagnose_page(diagnose(SEVERAL)),
        "print": "".join(
            Sheets([PrintedPuzzle(grid, "", rate(grid), solve(grid)) for grid in grids], per_page=4)
        ),
        "print-blank": "".join(Sheets([PrintedPuzzle(Grid(EASY))], per_page=1, blank=True)),
    }


KINDS = ["trace", "explain", "explain-play", "explain-zh", "book", "diagnose", "print", "print-blank"]
TITLES = {"book": "Numerical-analysis"}
#: The pictures in docs/: page, width, dark.
PICTURES = {
    ("trace", 1280, False): "trace",
    ("trace", 390, True): "trace-phone",
    ("explain-play", 1280, False): "explain-play",
    ("explain-play", 390, True): "explain-play-phone",
    ("explain", 1280, False): "explain",
    ("explain", 390, True): "explain-phone",
    ("diagnose", 1280, False): "diagnose",
    ("print", 1280, False): "print",
}


SIZES = sorted({(kind, 390) for kind in KINDS} | {(kind, width) for kind, width, _ in PICTURES})


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "width"), SIZES)
def test_every_page(open_page, pages, kind, width):
    page = open_page(pages[kind], width=width, height=900, fragment="" if kind == "explain-play" else "#read")
    if kind == "trace":
        for _ in range(12):
            page.keyboard.press("ArrowLeft")
    elif kind == "explain-play":
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
    """Look at the page as it is, and draw it for the gallery."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.title().startswith(TITLES.get(kind, ""))
    assert "<built-in" not in page.inner_text("body")
    if not kind.startswith("print"):
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(23, 27, 32)" if dark else "rgb(255, 255, 255)")
    if gallery.FOLDER:
        name = PICTURES.get((kind, width, dark), f"{kind}-{width}-{'dark' if dark else 'light'}")
        page.evaluate("scrollTo(0, 0)")  # a click on a phone is below the board
        bottom = page.evaluate("document.body.getBoundingClientRect().bottom") + 16
        height = min(bottom, 780 if width > 400 else 844)
        clip = {"x": 0, "y": 0, "width": width, "height": height}
        gallery.keep(f"{name}.png", page.screenshot(clip=clip))


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
    gallery.keep("hint.svg", f"{picture(hint(EASY))}\n")
    documentation = "".join(
        path.read_text(encoding="utf-8") for path in [root / "README.md", *(root / "docs").glob("*.md")]
    )
    images = sorted((root / "docs" / "images").iterdir())
    assert {f"{name}.png" for name in PICTURES.values()} <= {image.name for image in images}
    for image in images:
        assert image.stat().st_size < LARGEST
        assert f"images/{image.name}" in documentation, image.name


# --- the game on the page of a path: by mouse, touch and keys ---

STAGES = ("where", "what", "pattern", "sentence")


@pytest.fixture
def open_game(open_page):
    """Opens the page of a puzzle for a new game."""

    def opened(puzzle, **look):
        page = open_page(explain(puzzle, lang=look.pop("lang", "en")).page(), fragment="", **look)
        page.evaluate("restart()")
        return page

    return opened


def cell_at(page, cell: int) -> tuple[float, float]:
    box = page.locator("#board .cell").nth(cell).locator("rect").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def fill(page, cell: int, digit: int) -> None:
    """Click a cell, and type a digit."""
    page.mouse.click(*cell_at(page, cell))
    page.keyboard.press(str(digit))


def shown(page, cell: int) -> list[int]:
    """What stands in a cell, without what is struck out."""
    texts = page.locator("#board .cell").nth(cell).locator("text:not(.removed)").all_text_contents()
    return [*map(int, texts)]


def label(page, cell: int) -> str:
    return page.locator("#board .cell").nth(cell).get_attribute("aria-label")


def backgrounds(page) -> list[int]:
    """The cells with a background."""
    return page.evaluate("""() => [...document.querySelectorAll('.fills rect')].map((rect) =>
        9 * rect.getAttribute('y') / 40 + rect.getAttribute('x') / 40)""")


def ask(page, name: str) -> str:
    page.click(f"#ask [data-stage='{1 + STAGES.index(name)}']")
    return page.inner_text("#lines").split("\n")[0]


@pytest.mark.slow
def test_digits_by_mouse_and_by_keys(open_game):
    page = open_game(EASY)
    page.mouse.click(*cell_at(page, 2))
    page.click("#pad [data-digit='4']")
    assert (shown(page, 2), label(page, 2)) == ([4], "r1c3: 4")
    assert page.inner_text("#status") == "50 cells to fill"
    for key in ("ArrowRight", "6"):
        page.keyboard.press(key)
    assert label(page, 3) == "r1c4: 6"
    page.keyboard.press("6")  # again: it goes
    assert (label(page, 3), page.evaluate("document.activeElement.getAttribute('aria-label')")) == (
        *("r1c4: empty",) * 2,
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")  # a clue stays
    assert (shown(page, 4), label(page, 4)) == ([7], "r1c5: 7, given")
    page.mouse.click(*cell_at(page, 2))
    page.click("#erase")
    assert shown(page, 2) == []
    for _ in range(9):
        page.keyboard.press("u")
    assert page.locator("#undo:disabled").count() == 1
    assert page.inner_text("#status") == "51 cells to fill"


def test_pencil_marks(open_game):
    """Hidden at first; own ones by a switch or with Shift; all candidates, which become own ones."""
    page = open_game(EASY)
    assert page.locator("#board .mark").count() == 0
    page.mouse.click(*cell_at(page, 3))
    page.keyboard.press("p")
    page.keyboard.press("2")
    page.click("#pad [data-digit='6']")
    assert (shown(page, 3), label(page, 3)) == ([2, 6], "r1c4: pencil marks 2 6")
    page.keyboard.press("p")
    page.keyboard.press("Shift+Digit2")
    assert shown(page, 3) == [6]
    fill(page, 5, 6)  # a digit takes it from the marks that see it
    assert shown(page, 3) == []
    page.keyboard.press("Control+z")
    assert shown(page, 3) == [6]
    page.select_option("#marks", "hidden")
    assert page.locator("#board .mark").count() == 0
    page.select_option("#marks", "shown")
    grid = unidoku.Grid(EASY)
    for cell in range(81):
        assert shown(page, cell) == ([grid[cell]] if grid[cell] else [*grid.candidates(cell)])
    assert label(page, 3) == "r1c4: candidates 2 6"
    page.mouse.click(*cell_at(page, 3))
    page.keyboard.press("Shift+Digit2")
    assert page.locator("#marks").input_value() == "own"
    assert (shown(page, 3), shown(page, 2)) == ([6], [*grid.candidates(2)])


def test_check_says_how_many_and_then_where(open_game):
    page = open_game(EASY)
    solution = solve(EASY)
    fill(page, 2, solution[2])
    page.click("#check")
    assert page.inner_text("#why") == "No digit is wrong."
    wrong = [3, 7]
    for cell in wrong:
        fill(page, cell, solution[cell] % 9 + 1)
    assert page.inner_text("#why") == ""
    page.keyboard.press("c")
    assert page.inner_text("#why").startswith("2 digits are wrong.")
    assert backgrounds(page) == []
    page.click("#check")
    assert (page.inner_text("#why"), backgrounds(page)) == ("Wrong: r1c4 r1c8.", wrong)
    page.keyboard.press("u")
    assert backgrounds(page) == []
    page.keyboard.press("h")  # a hint is about the mistake first
    assert page.inner_text("#why").startswith("1 digit is wrong.")


@pytest.mark.slow
def test_a_hint_has_four_stages(open_game):
    """They say what `hint` says of the step, and mark its house, its pattern and its digits."""
    lang = "zh"
    page = open_game(CHAINS, lang=lang)
    path = path_of(CHAINS)
    chain = next(number for number, step in enumerate(path.deductions, 1) if step.chains)
    for number in (1, chain):
        step = path.deductions[number - 1]
        text = hint_of(step.before, step, lang=lang)
        page.evaluate("(values) => put(values.map((value, cell) => [cell, value, 0]))", [*step.before.values])
        page.evaluate(f"game.told = steps.keys().filter((k) => k && k < {number}).toArray()")
        house, pattern = set(HOUSES[step.area]), set(step.pattern) or set(HOUSES[step.area])
        assert (ask(page, "where"), {*backgrounds(page)}) == (text.where, house)
        assert (ask(page, "what"), {*backgrounds(page)}) == (text.what, house)
        assert (ask(page, "pattern"), {*backgrounds(page)}) == (text.pattern, pattern)
        assert ask(page, "sentence") == text.sentence
        for cell, digit in step.eliminations:
            struck = page.locator("#board .cell").nth(cell).locator(".removed").all_text_contents()
            assert str(digit) in struck
        assert page.locator("#take").is_visible() == bool(step.placements)
    page.evaluate("restart()")
    for text in (
        *(
            getattr(hint_of(path.deductions[0].before, path.deductions[0], lang=lang), name)
            for name in STAGES
        ),
    ):
        page.keyboard.press("h")
        assert page.inner_text("#lines").split("\n")[0] == text


def test_a_game_survives_a_reload(open_game):
    page = open_game(EASY)
    fill(page, 2, 4)
    page.mouse.click(*cell_at(page, 3))
    page.keyboard.press("Shift+Digit2")
    page.reload()
    assert (label(page, 2), page.inner_text("#status")) == ("r1c3: 4", "50 cells to fill")
    page.select_option("#marks", "own")
    assert label(page, 3) == "r1c4: pencil marks 2"
    page.click("#undo")
    page.click("#undo")
    page.reload()
    assert label(page, 2) == "r1c3: empty"
    page.evaluate("localStorage.setItem(KEY, '{\"digits\": [1]}')")  # of another version
    page.reload()
    assert page.inner_text("#status") == "51 cells to fill"


def played(page, puzzle: str, seed: int, share: float) -> int:
    """Play a puzzle to its end: cells in random order, hints in between; return how many hints there were.

    Each hint is true, and not of what the board has already.
    """
    rng, solution = random.Random(seed), [*solve(puzzle)]
    path = path_of(puzzle)
    texts = [hint_of(step.before, step).sentence for step in path.deductions]
    board = [*unidoku.Grid(puzzle)]
    peers = [{other for house in HOUSES if cell in house for other in house} for cell in range(81)]
    page.select_option("#marks", rng.choice(["hidden", "own", "shown"]))
    hints, told = 0, set()
    while 0 in board:
        if rng.random() < share:
            if rng.random() < 0.5:
                page.keyboard.press("h")
            sentence = ask(page, "sentence")
            number = page.evaluate("asked") - 1
            step = path.deductions[number]
            assert sentence == texts[number]
            assert all(solution[cell] == digit and not board[cell] for cell, digit in step.placements)
            assert all(solution[cell] != digit for cell, digit in step.eliminations)
            stands = [
                not board[cell] and all(board[other] != digit for other in peers[cell])
                for cell, digit in step.eliminations
            ]
            assert step.placements or (any(stands) and number not in told)
            told.add(number)
            hints += 1
            if step.placements and rng.random() < 0.5:
                page.click("#take")
                board = [*map(int, page.evaluate("game.digits"))]
                continue
        cell = rng.choice([cell for cell in range(81) if not board[cell]])
        board[cell] = solution[cell]
        fill(page, cell, solution[cell])
    assert page.inner_text("#lines") == "Solved: every digit is right."
    assert page.evaluate("game.digits") == solution
    return hints


@pytest.mark.slow
def test_puzzles_are_played_to_their_end(open_game):
    for seed, puzzle in enumerate((EASY, CHAINS)):
        assert played(open_game(puzzle), puzzle, seed, 0.2) > 5


# --- pictures and PDFs: PDFium and Ghostscript draw the PDF of the command that wrote the SVG ---

THINGS = {
    "print-board": ["print", EASY],
    "print-candidates": ["print", EASY, "--candidates"],
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


@pytest.fixture(scope="module")
def libraries() -> None:
    for name in ("typst", "pypdfium2", "PIL.Image"):
        pytest.importorskip(name)


@pytest.fixture(scope="module", params=THINGS)
def thing(request, libraries, tmp_path_factory) -> Thing:
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    words = THINGS[name]
    paged = ["--per-page", "1"] if words[0] == "print" else []
    made = Thing(name, folder / "x.svg", folder / "x.pdf")
    run(*words, "-o", made.svg, code=0)
    run(*words, *paged, "-o", made.pdf, code=0)
    for path in made[1:]:
        gallery.keep(f"{name}{path.suffix}", path.read_bytes())
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
    left, top, size = gallery.corner_of(page)
    down, right, extent = (round(SCALE * length) for length in (page.get_height() - top, left, size))
    return board_of(np.asarray(image)[down - 9 : down + extent + 9, right - 9 : right + extent + 9])


def lines_of(board: np.ndarray) -> Iterator[float]:
    """The share of dark pixels on each border and in each middle of a row and of a column of cells."""
    for dark in (board < 215, (board < 215).T):
        for k in range(1, 18):
            middle = len(dark) * k / 18
            yield dark[round(middle) - 3 : round(middle) + 4].mean(axis=1).max()


@pytest.mark.parametrize("renderer", ["pdfium", pytest.param("gs", marks=pytest.mark.slow)])
def test_the_picture_of_a_pdf_is_that_of_the_svg(thing, drawn, renderer):
    """In a square of an eighth of a cell and along lines: Ghostscript draws what has no area."""
    board = printed(thing.pdf, renderer)
    for pixels, name in ((board, renderer), (drawn, "chromium")):
        content = io.BytesIO()
        Image.fromarray(pixels).save(content, "png")
        gallery.keep(f"{thing.name}-{name}.png", content.getvalue())
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
    assert digits_of(page, *gallery.corner_of(page)) == {
        cell: sorted(signs) for cell, signs in sorted(found.items())
    }
    if thing.name == "print-board":
        assert "".join(found.get(cell, ["."])[0] for cell in range(81)) == EASY
    if thing.name == "print-candidates":
        grid = unidoku.Grid(EASY)
        marks = {cell: [*map(str, grid.candidates(cell))] for cell in range(81) if not grid[cell]}
        assert {cell: signs for cell, signs in found.items() if not grid[cell]} == marks


def test_the_digits_of_a_book_are_text(libraries, tmp_path):
    puzzles = [*unidoku.lines(unidoku.generate(3, seed=1))]
    (tmp_path / "in.txt").write_text("\n".join(puzzles))
    options = "--paper 6x9in --book --per-page 1".split()
    run("print", tmp_path / "in.txt", *options, "-o", tmp_path / "x.pdf", code=0)
    document = pdfium.PdfDocument(tmp_path / "x.pdf")
    pages = [page for page in document if page.get_textpage().count_chars() > 20][-3:]
    found = [digits_of(page, *gallery.corner_of(page)) for page in pages]
    assert ["".join(digits.get(cell, ["."])[0] for cell in range(81)) for digits in found] == puzzles
