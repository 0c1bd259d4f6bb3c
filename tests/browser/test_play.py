"""The game on the page of a path: digits, pencil marks, undo, check and hints, by mouse, touch and keys."""

from __future__ import annotations

import random

import pytest
from example_puzzles import CHAINS, UNIQUE as EASY

import unidoku
from unidoku import solve
from unidoku.cell import HOUSES
from unidoku.rating._steps import hint_of, path_of
from unidoku.view._explain import explain

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


def shaded(page) -> list[int]:
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
    assert shaded(page) == []
    page.click("#check")
    assert (page.inner_text("#why"), shaded(page)) == ("Wrong: r1c4 r1c8.", wrong)
    page.keyboard.press("u")
    assert shaded(page) == []
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
        assert (ask(page, "where"), {*shaded(page)}) == (text.where, house)
        assert (ask(page, "what"), {*shaded(page)}) == (text.what, house)
        assert (ask(page, "pattern"), {*shaded(page)}) == (text.pattern, pattern)
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
