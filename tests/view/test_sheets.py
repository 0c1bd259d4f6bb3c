"""Sheets to print: the contents of the pages, and escaped texts."""

from __future__ import annotations

import re

import pytest
from cases import in_turn
from command import run
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku import Grid, rate, solve
from unidoku.view._sheets import PrintedPuzzle, Sheets

PUZZLE = Grid(UNIQUE)


def page_of(count, **options):
    return "".join(
        Sheets(
            [PrintedPuzzle(PUZZLE, f"no. {k}", rate(PUZZLE), solve(PUZZLE)) for k in range(count)], **options
        )
    )


@in_turn
@pytest.mark.parametrize("per_page", [1, 2, 4, 5, 6, 12])
def test_puzzles_and_answers_on_their_pages(per_page):
    page = page_of(13, per_page=per_page, title="Rain & sun", heading="rating")
    parts = page.split("<section")[1:]
    puzzles = [part.count("<figure>") for part in parts if "Solutions" not in part]
    assert puzzles == [min(per_page, 13 - k) for k in range(0, 13, per_page)]
    assert [part.count("<figure>") for part in parts if "Solutions" in part] == [13]
    assert len(re.findall("<h1>Rain &amp; sun</h1>|<h1>Rain &amp; sun – Solutions</h1>", page)) == len(parts)
    captions = re.findall("<figcaption>(.*?)</figcaption>", page)[:13]
    assert captions[11] == '<b>12</b><small class="name">no. 11</small><small>easy · ER 1.2</small>'
    assert page.count('class="found"') == 13 * 51


def test_lines_for_a_name_and_a_date():
    """On pages of puzzles; a board on a page with them is smaller."""
    page = page_of(3, per_page=1, name_line=True)
    assert page.count('<p class="blanks"><span>Name:</span><span>Date:</span></p>') == 3
    assert page.count("<section") == 4
    widths = [
        float(re.search(r"figure { margin: 0; width: ([\d.]+)mm", page_of(12, name_line=has_line))[1])
        for has_line in (True, False)
    ]
    assert widths[0] < widths[1]


def test_answers_at_the_foot_of_each_page():
    """The solutions of the puzzles of a page, and no pages of solutions; the boards make room for them."""
    parts = page_of(8, answers_at_foot=True).split("<section")[1:]
    numbers = [re.findall("<figcaption>([0-9]+)</figcaption>", part.split("<aside>")[1]) for part in parts]
    assert numbers == [["1", "2", "3", "4", "5", "6"], ["7", "8"]]
    assert [part.count('class="found"') for part in parts] == [6 * 51, 2 * 51]
    assert not any("Solutions" in part for part in parts)
    widths = [
        float(re.search(r"figure { margin: 0; width: ([\d.]+)mm", page_of(6, answers_at_foot=at_foot))[1])
        for at_foot in (True, False)
    ]
    assert widths[0] < widths[1]
    assert "<aside>" not in "".join(Sheets([PrintedPuzzle(PUZZLE)], answers_at_foot=True))


def test_pencil_marks_and_the_blank_form():
    assert 'class="mark"' not in page_of(1)
    marks = sum(len(PUZZLE.candidates(cell)) for cell in range(81))
    assert page_of(1, candidates=True).count('class="mark"') == marks
    blank = page_of(1, blank=True)
    assert blank.count('class="digit"') == 9 * 51
    assert blank.count('class="number"') == 81
    assert page_of(2, blank=True).count("<section>") == 2


def test_the_page_loads_nothing_and_escapes_everything():
    bad = "</title><script>alert(1)</script>"
    page = "".join(Sheets([PrintedPuzzle(PUZZLE, bad)], title=bad))
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)|<link|src=|@import", page) == []


def test_numbers_and_groups():
    """A group begins on another page, and so do its solutions; a puzzle without a number has its position."""
    puzzles = [
        PrintedPuzzle(PUZZLE, solution=solve(PUZZLE), number=k, group=f"set {k // 5}") for k in range(3, 12)
    ]
    page = "".join(Sheets(puzzles, per_page=4, title="Rain"))
    sections = [
        (re.search("<h1.*?>(.*?)</h1>", part)[1], re.findall("<figcaption>(?:<b>)?([0-9]+)", part))
        for part in page.split("<section")[1:]
    ]
    assert sections == [
        ("Rain – set 0", ["3", "4"]),
        ("Rain – set 1", ["5", "6", "7", "8"]),
        ("Rain – set 1", ["9"]),
        ("Rain – set 2", ["10", "11"]),
        ("Rain – Solutions: set 0", ["3", "4"]),
        ("Rain – Solutions: set 1", ["5", "6", "7", "8", "9"]),
        ("Rain – Solutions: set 2", ["10", "11"]),
    ]


@pytest.mark.parametrize("words", ["print --solutions", "explain", "solve", "hint"])
def test_pages_and_pictures_are_no_input(tmp_path, words):
    """Of their boards some are answers, of which none is a record; a page is no puzzle as a text."""
    suffix = "svg" if words in {"solve", "print"} else "html"
    run(*words.split(), UNIQUE, "-o", tmp_path / f"x.{suffix}", code=0)
    assert SOLUTION not in run("convert", f"x.{suffix}", cwd=tmp_path, code=1).stdout
    with pytest.raises(unidoku.InvalidPuzzleError):
        unidoku.Grid((tmp_path / f"x.{suffix}").read_text(encoding="utf-8")[:65_000])
