"""Pages in a browser: steps, slider, tree, candidates, keyboard, shapes and arrows, print, their look.

In one file, for which one browser is started. Their pictures are in the gallery, from where docs/ has some.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import gallery
import numpy as np
import pytest
from example_puzzles import CHAINS, QUIZ, SEVERAL, UNIQUE as EASY

from unidoku import Grid, generate, hint, method, rate, solve, steps
from unidoku.craft._diagnosis import diagnose
from unidoku.rating._steps import deduction_from
from unidoku.stepper import Session
from unidoku.view._diagnose import diagnose_page
from unidoku.view._explain import explain, play_record
from unidoku.view._sheets import PrintedPuzzle, Sheets
from unidoku.view._step import look, picture
from unidoku.view._svg import COLORS, INKS
from unidoku.view._trace import play_trace

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
