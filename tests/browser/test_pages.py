"""Pages in a browser: steps, slider, tree, candidates, keyboard, phone, print."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from example_puzzles import NOTHING, QUIZ, SEVERAL, UNIQUE as EASY

from unidoku import method
from unidoku.craft.diagnose import diagnose
from unidoku.stepper import Session
from unidoku.view import explain
from unidoku.view.diagnose import diagnose_page
from unidoku.view.explain import play_record
from unidoku.view.sheets import PER_PAGE, PrintedPuzzle, sheets
from unidoku.view.trace import play_trace


@pytest.fixture(scope="module")
def trace() -> str:
    return play_trace(Session(QUIZ)).page()


def board(page) -> list[list[str]]:
    """For each cell its value, or its candidates that stand."""
    return page.evaluate("""() => [...document.querySelectorAll('#board .cell')].map((cell) =>
        [...cell.querySelectorAll('text:not(.removed)')].map((text) => text.textContent))""")


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


def test_the_page_opens_at_the_solution(open_page, trace):
    page = open_page(trace)
    assert re.fullmatch("Step 131 of [0-9]+: level 6, solutions 1, fine.*", page.inner_text("#status"))
    assert all(len(cell) == 1 for cell in board(page))
    assert page.locator("#levels li").count() == 6


def test_a_step_of_a_search_has_the_number_of_its_text(open_page, trace):
    """Status, slider and list have the same number."""
    page = open_page(trace)
    heading = page.locator("#all .contradiction b").first
    heading.click()
    number = heading.get_attribute("data-number")
    assert f"{number}) " in page.inner_text("#lines")
    assert page.inner_text("#status").startswith(f"Step {number} of ")
    assert page.get_attribute("#place", "aria-valuetext") == number


# press the key so many times, in one call
PRESS_RIGHT = """(times) => {
    const key = {key: 'ArrowRight', bubbles: true};
    while (times--) document.body.dispatchEvent(new KeyboardEvent('keydown', key));
}"""


def test_every_frame_shows_the_session(open_page, trace):
    page = open_page(trace)
    page.keyboard.press("Home")
    session = Session(QUIZ)
    number = position = 0
    while session.state != "invalid":
        session.step()
        number += 1
        if number % 61 and session.steps != 90 and session.state != "invalid":
            continue
        page.evaluate(PRESS_RIGHT, number - position)
        position = number
        cells = board(page)
        candidates = session.candidates
        for cell, value in enumerate(session.grid):
            texts = [str(value)] if value else [str(digit) for digit in candidates.get(cell, ())]
            assert cells[cell] == texts, (number, cell)
        if session.steps == 90:
            assert len(candidates) == 21  # as the transcript prints them
    assert place(page) == number
    for target in (0, 70, 64, 63, 200, 128, 1):  # any order gives the same states
        page.locator("#place").evaluate(
            f"(s) => {{ s.value = {target}; s.dispatchEvent(new Event('input')); }}"
        )
        assert place(page) == target


def test_buttons_keys_and_tree(open_page, trace):
    page = open_page(trace)
    page.click("#first")
    assert place(page) == 0
    page.click("#next")
    page.click("#next")
    page.click("#back")
    assert place(page) == 1
    page.keyboard.press("End")
    end = place(page)
    assert page.locator("#tree .solution").count() == 1
    assert page.locator("#tree .contradiction").count() > 5
    box = page.locator("#tree").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 5)
    assert abs(place(page) - end / 2) <= 1
    assert page.locator("#all .run b").first.inner_text() == "r2c5\xa0=\xa05"  # not broken over two lines
    line = page.locator("#tree path:first-child").get_attribute("d")
    assert line.startswith("M8.0 90.0L")  # no guess yet: at the bottom, with room for dots
    page.locator("#all .step b").first.click()
    assert "level 1" in page.inner_text("#status")
    assert page.locator("#all [aria-current]").inner_text() == "r6c2 = 5, level 1"


def test_play(open_page, trace):
    """Play goes on, at the selected speed, until a key is pressed; from the end it begins anew."""
    page = open_page(trace)
    page.keyboard.press("End")
    page.select_option("#speed", "10")
    page.click("#play")
    assert page.get_attribute("#play", "aria-label") == "pause"
    page.locator("#back:enabled").wait_for()
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#play", "aria-label") == "play"
    stopped = place(page)
    page.evaluate("new Promise((done) => setTimeout(done, 250))")
    assert place(page) == stopped
    page.locator("#last").click()
    page.evaluate("go(frames.length - 2)")
    page.locator("#play").blur()
    page.keyboard.press(" ")
    page.locator("#next:disabled").wait_for()
    assert page.get_attribute("#play", "aria-label") == "play"


def test_the_keys_of_the_board(open_page):
    """The board is one stop of the Tab key; on it, arrow keys move from cell to cell."""
    page = open_page(explain.explain(EASY).page())
    assert page.locator("#board .cell[tabindex='0']").count() == 1
    page.locator("#board .cell").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "r2c2: candidates 2 4 7"
    assert place(page) == 1
    page.keyboard.press("Enter")
    assert "Candidate 1 of r2c2 was never possible." in page.inner_text("#why")


def test_the_list_of_all_steps(open_page):
    """Beside the board on a wide screen, below it on a phone; runs of singles stand beside each other."""
    page = open_page(explain.explain(EASY).page(), width=1280)
    assert page.locator("#all b").count() == 51
    assert page.locator("#all .title:visible").all_inner_texts() == ["Singles"]
    heading, next_heading = (page.locator("#all b").nth(k) for k in range(2))
    assert heading.inner_text() == "r1c6 = 8"
    assert heading.bounding_box()["y"] == next_heading.bounding_box()["y"]
    assert page.locator("#all [aria-current]").count() == 1
    boxes = [page.locator(f"#{name}").bounding_box() for name in ("board", "side", "list")]
    assert all(box["x"] + box["width"] <= next_box["x"] for box, next_box in pairwise(boxes))
    page.keyboard.press("End")
    current_row, frame = (
        page.locator("#all [aria-current]").bounding_box(),
        page.locator("#all").bounding_box(),
    )
    assert frame["y"] <= current_row["y"] <= frame["y"] + frame["height"] - current_row["height"] + 1
    page.set_viewport_size({"width": 390, "height": 800})
    boxes = [page.locator(f"#{name}").bounding_box()["y"] for name in ("board", "side", "list")]
    assert boxes == sorted(boxes)


def test_without_javascript(browser, tmp_path, trace):
    """The puzzle, and the steps as a list with their numbers."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    file = tmp_path / "page.html"
    book = play_record(method.explain(EASY)).page()
    for text, lines in (
        (explain.explain(EASY).page(), "Hidden single: in box 2 the digit 8 fits only in r1c6."),
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


def test_matrices(open_page):
    record = method.explain(EASY)
    page = open_page(play_record(record).page())
    page.click("#matrices summary")
    page.keyboard.press("End")
    text = page.inner_text("#matrices pre")
    state = record.state()
    for name, values in (("NA", state.NA), ("KH", state.KH), ("MMK", state.MMK)):
        numbers = [int(word) for word in text.split(f"{name}\n")[1].split()[:81]]
        assert numbers == values.tolist(), name
    row_numbers = [int(word) for word in text.split("NAK, row 1\n")[1].split()[:81]]
    assert row_numbers == [int(state.NAK[digit, cell]) for cell in range(9) for digit in range(9)]


def test_the_names_of_cells_in_a_diagnosis(open_page):
    page = open_page(diagnose_page(diagnose("11" + 79 * ".")))
    assert "Cells r1c1 and r1c2 both hold 1 in row 1." in page.inner_text("body")
    page.keyboard.press("Tab")
    page.keyboard.press(" ")
    assert "Cells 1 and 2 both hold 1 in row 1." in page.inner_text("body")
    assert not page.locator("text.side").first.is_visible()
    assert page.locator("text.label:not(.side)").first.is_visible()


def test_a_diagnosis(open_page):
    page = open_page(diagnose_page(diagnose(SEVERAL)))
    figure_1, figure_2, figure_3 = (page.locator("figure").nth(k).bounding_box() for k in range(3))
    assert figure_1["y"] == figure_2["y"] < figure_3["y"]  # side by side
    assert figure_1["x"] + figure_1["width"] <= figure_2["x"]
    page = open_page(diagnose_page(diagnose(NOTHING), lang="zh"), width=390)
    assert page.locator("li.contradiction").is_visible()


CONTROLS = "nav, button, input, label, summary, #tree, .key, .help"


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
        for control in page.locator(CONTROLS).all():
            assert not control.is_visible(), control
        assert page.locator(paper).first.is_visible()
        check_pdf(page, tmp_path / "page.pdf")


def test_sheets_on_paper(open_page, tmp_path):
    from unidoku import Grid, solve

    grid = Grid(EASY)
    path = tmp_path / "sheets.pdf"
    for per_page in PER_PAGE:
        puzzles = [PrintedPuzzle(grid, "a long name " * 20, solution=solve(grid))] * (2 * per_page)
        page = open_page("".join(sheets(puzzles, per_page=per_page)))
        data = check_pdf(page, path, prefer_css_page_size=True)
        answers = -(-2 * per_page // 20)
        assert data.count(b"/Type /Page\n") == 2 + answers, per_page
    for paper, size in (("a4", (594, 841)), ("letter", (612, 792))):  # the blank form of the book
        page = open_page("".join(sheets([PrintedPuzzle(grid)], per_page=1, blank=True, paper=paper)))
        data = check_pdf(page, path, prefer_css_page_size=True)
        assert data.count(b"/Type /Page\n") == 1
        wide, high = map(float, re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data).groups())
        assert abs(wide - size[0]) < 2
        assert abs(high - size[1]) < 2


def test_long_titles_and_names_are_whole_on_paper(open_page):
    from unidoku import Grid, rate

    title = "A rather long title of a booklet of puzzles for the summer holidays of all our colleagues"
    name = "A long title of a puzzle that was made for the birthday of my grandmother"
    for per_page in PER_PAGE:
        puzzles = [
            PrintedPuzzle(Grid(EASY), puzzle_name, rate(EASY)) for puzzle_name in (name, "short", "数独" * 15)
        ]
        page = open_page("".join(sheets(puzzles, per_page=per_page, title=title)))
        page.emulate_media(media="print")
        clipped_texts = page.evaluate("""() => [...document.querySelectorAll('h1, .name')]
            .filter((e) => e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 1)
            .map((e) => e.textContent)""")
        assert clipped_texts == [], per_page


def test_a_screen_reader_reads_the_names_of_cells(open_page):
    """The numbers beside the board are not read."""
    page = open_page(explain.explain(EASY).page())
    assert 'button "r1c1: ' in page.locator("#board").aria_snapshot().splitlines()[1]
