"""Sheets to print: what is on which page, and that nothing of the caller gets out of its place."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from unidoku import Grid, solve
from unidoku.view.sheets import PER_PAGE, Printed, sheets

PUZZLE = Grid("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
SEVERAL = "." * 81


def page_of(count, **options):
    return "".join(sheets([Printed(PUZZLE, f"no. {k}", solve(PUZZLE)) for k in range(count)], **options))


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_puzzles_and_answers_on_their_pages(per_page):
    page = page_of(13, per_page=per_page)
    parts = page.split("<section")[1:]
    puzzles = [part.count("<figure>") for part in parts if "Solutions" not in part]
    assert puzzles == [min(per_page, 13 - k) for k in range(0, 13, per_page)]
    assert [part.count("<figure>") for part in parts if "Solutions" in part] == [9, 4]
    assert re.findall(r"<figcaption>(\d+) <small>", page) == [str(k) for k in range(1, 14)]
    assert page.count('class="found"') == 13 * 51


def test_pencil_marks_and_the_blank_form():
    assert 'class="mark"' not in page_of(1)
    marks = sum(len(PUZZLE.candidates(cell)) for cell in range(81))
    assert page_of(1, candidates=True).count('class="mark"') == marks
    blank = page_of(1, blank=True)
    assert blank.count('class="digit"') == 9 * 51
    assert blank.count('class="number"') == 81
    few = page_of(1, blank=True, few_digits=True, arrangement="456372819")
    assert few.count('class="digit"') == 9 * 3


def test_paper():
    assert "size: A4 portrait" in page_of(1)
    assert "size: Letter portrait" in page_of(1, paper="letter")


@pytest.mark.parametrize(
    "options", [{"per_page": 3}, {"paper": "a5"}, {"blank": True, "arrangement": "12345678"}]
)
def test_unknown_choices(options):
    with pytest.raises(ValueError, match=r"invalid .*; (choose from|give the digits)"):
        page_of(1, **options)


def test_the_page_loads_nothing_and_escapes_everything():
    bad = "</title><script>alert(1)</script>"
    page = "".join(sheets([Printed(PUZZLE, bad)], title=bad))
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)|<link|src=|@import", page) == []


def test_the_command(tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE.line}\n{SEVERAL}\nnonsense\n")
    command = [sys.executable, "-m", "unidoku", "print", "in.txt", "--solutions", "-o", "out.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "in.txt:3" in done.stderr
    page = (tmp_path / "out.html").read_text()
    assert page.count("<figure>") == 3  # two puzzles; only one has a solution to print
