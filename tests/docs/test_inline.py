"""Commands and figures in sentences of the pages about the seeds; `test_examples` runs those in blocks."""

import os
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from cases import in_turn
from command import answers, run
from example_puzzles import BOOK, QUIZ, TWO, UNIQUE

import unidoku

DOCS = Path(__file__).resolve().parents[2] / "docs"
BY_THE_BOOK = ("explain", "--method", "book", BOOK)
# What a sentence has, and a command with it.
COMMANDS = [
    ("zh", "`--to html -o jieshuo.html`", (*BY_THE_BOOK, "--to", "html", "-o", "jieshuo.html")),
    ("zh", "`--show matrices,every-step`", (*BY_THE_BOOK, "--show", "matrices,every-step")),
    ("method", "`--worked STEP`", ("print", BOOK, "--worked", "20")),
    ("method", "`--per-page`", ("print", BOOK, UNIQUE, "--blank", "--per-page", "2")),
    ("method", "`--show marks`", (*BY_THE_BOOK, "--show", "marks")),
    ("method", "puzzle,book_class`", ("rate", BOOK, "--columns", "puzzle,book_class")),
    ("method", "`--where book_class=3`", ("rate", BOOK, "--where", "book_class=3")),
    ("console", "`--to jsonl`", ("trace", QUIZ, "--steps", "9", "--to", "jsonl")),
    ("console", "`--to html`", ("trace", QUIZ, "--steps", "9", "--to", "html")),
    ("console", "`unidoku console FILE`", ("console", "quiz.txt", "--show", "none")),
]

# A program of a checkout, what makes it quick, and what it prints then.
PROGRAMS = [
    ("../bench/figures", "python bench/waiting.py", "hint 'form S' 'command h' --turns 1", "command hint P"),
    ("../bench/figures", "python bench/columns.py", "steps 'check p' --rows 500 --turns 1", "duckdb"),
    ("runs", "pytest bench/test_formats.py", "-k '17clue and in.txt.zst-out'", "2 passed"),
    ("../bench/effort", "python bench/rating.py", "generated --number 20", "ER <=   20     20"),
    ("../bench/kernel-details", "pytest bench/test_count.py", "-k random --seconds 0.01", "1 passed"),
]


def text_of(page):
    if not DOCS.is_dir():
        pytest.skip("the folder docs is not here")
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def test_links_have_a_text():
    """Sphinx fills an empty one in; on GitHub nothing is seen."""
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md"]
    assert not [page for page in pages if page.is_file() and "[](" in page.read_text(encoding="utf-8")]


@cache
def results() -> str:
    return "".join(f"{unidoku.solve(puzzle).line}\n" for puzzle in unidoku.generate(36, seed=1))


@pytest.mark.parametrize(("page", "phrase", "command"), COMMANDS, ids=lambda value: str(value)[:40])
def test_commands_within_sentences(page, phrase, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quiz.txt").write_text(QUIZ)
    (tmp_path / "results.txt").write_text(results())
    assert phrase in text_of(page)
    run(*command, stdin="", code=0)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "program", "words", "shown"), PROGRAMS)
def test_programs_within_sentences(page, program, words, shown):
    assert f"`{program}`" in text_of(page)
    command = f"{program} {words}".removeprefix("python ").replace("pytest", "-m pytest", 1)
    command = [sys.executable, *shlex.split(command)]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    alone["UNIDOKU_BENCH_LINES"] = "40000"
    done = subprocess.run(command, cwd=DOCS.parent, env=alone, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


@in_turn
@pytest.mark.parametrize(
    ("phrase", "orders", "line"),
    [
        (
            "`runtil 200` in this quiz | it ends at step 131",
            ["runtil 200"],
            "Fine [steps:131, solution sum:1].",
        ),
        ("`runtil 91` | it ends at step 92", ["runtil 91"], "Steps:92"),
        (
            "`run-mode 2`, only ply | `incomplete shrink met, filter again`",
            ["run-mode 2", "run"],
            "incomplete shrink met, filter again",
        ),
        ("`A quiz loaded before.`", [f"load-quiz {TWO}"], "A quiz loaded before."),
        (
            "`Level 11 at step [92], reached once`",
            ["level-step 1", "run"],
            "Level 11 at step [92], reached once",
        ),
        ("`91) No shrink happened`", ["filters 1", "runtil 91"], "91) No shrink happened"),
        (
            "step 7 of the transcript is [6,2]",
            ["runtil 7"],
            "7) Guess [6,2] level 1 at 1 out of 2",
        ),
    ],
)
def test_figures_of_the_console(phrase, orders, line):
    assert phrase in " ".join(text_of("console").split())
    assert line in answers(f"load-quiz {QUIZ}", *orders)[-1]
