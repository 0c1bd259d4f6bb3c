"""The command of a report: help, formats, titles of puzzles and exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import click
import pytest
from click.testing import CliRunner
from example_puzzles import MULTIPLE, UNIQUE

from unidoku import FormatError, Grid, UnidokuError
from unidoku.cli.command import Command
from unidoku.options import Words, option
from unidoku.task import Report


@dataclass(frozen=True)
class Clues(Report):
    """Say how many clues each puzzle has."""

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "html")
    bound: int = option(17, "Be content with N clues.", click.IntRange(0, 81))
    digits: tuple[str, ...] | None = option(None, "Name these too.", Words(["one", "two"], empty="none"))

    def subject(self, cells: str) -> int:
        return sum(cell > 0 for cell in Grid(cells).cells)

    def is_right(self, clue_count: int) -> bool:
        return clue_count >= self.bound

    def text(self, clue_count: int, title: str) -> Iterator[str]:
        if title:
            yield title
        yield f"{clue_count} clues {' '.join(self.digits or ())}".rstrip()

    def json(self, clue_count: int, title: str) -> Iterator[dict[str, Any]]:
        yield {"clues": clue_count}

    def html(self, clue_count: int) -> str:
        return f"<p>{clue_count}</p>"


def run(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(
        Command(Clues, examples=("unidoku clues puzzles.txt",)),
        [*map(str, words)],
        standalone_mode=False,
    )
    if isinstance(result.exception, click.ClickException):
        return result.exception.format_message()
    if result.exception is not None:
        raise result.exception
    assert result.return_value == code, result.output
    return result.stdout


def test_the_help_is_the_docstring():
    text = " ".join(run("--help").split())
    assert "Say how many clues each puzzle has." in text
    assert "--bound N Be content with N clues. [default: 17; 0<=x<=81]" in text
    assert "text, json, html" in text
    assert text.endswith("Examples: unidoku clues puzzles.txt")


def test_each_format(tmp_path):
    n = sum(symbol != "." for symbol in Grid(UNIQUE).line)
    assert run(UNIQUE) == f"{n} clues\n"
    assert run(UNIQUE, "--to", "JSON") == f'{{"clues": {n}}}\n'
    run(UNIQUE, "-o", tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text()) == {"clues": n}
    run(UNIQUE, "-o", tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == f"<p>{n}</p>"
    with pytest.raises(FormatError, match=re.escape("ending in .txt, .json, .jsonl, .html, .htm, or")):
        run(UNIQUE, "-o", tmp_path / "a.csv")


def test_several_puzzles_are_named(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(f"{UNIQUE}\nno puzzle\n{MULTIPLE}\n")
    rows = run(path, code=1).splitlines()
    assert [row.split()[1].rpartition(":")[2] for row in rows[::2]] == ["1", "3"]
    error = run(path, "--to", "html", "-o", tmp_path / "two.html")
    assert "A page shows one puzzle; the inputs have several." in error
    assert [file.name for file in tmp_path.iterdir()] == ["some.txt"]


def test_a_puzzle_that_is_not_right_sets_the_exit_code(tmp_path):
    run(UNIQUE, "--bound", 81, code=1)
    run(UNIQUE, "--bound", 81, "-o", tmp_path / "a.html", code=1)
    assert "0<=x<=81" in run(UNIQUE, "--bound", 82)


def test_words_are_an_option(tmp_path):
    assert run(UNIQUE, "--digits", "Two,one").endswith(" clues two one\n")
    assert run(UNIQUE, "--digits", "none").endswith(" clues\n")
    assert "'three' is not one of 'one', 'two'" in run(UNIQUE, "--digits", "three")
    with pytest.raises(UnidokuError, match="digits: 'three' is not one of 'one', 'two'"):
        Clues(digits=("three",))
