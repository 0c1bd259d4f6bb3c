"""A full grid is no puzzle beside an empty place for one, whatever the form of the grid and of the place."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku


def rows_of(cells: str) -> list[str]:
    return [cells[k : k + 9] for k in range(0, 81, 9)]


def lists(cells: str, joint: str = ", ", edges: str = "[]") -> str:
    rows = (f"{edges[0]}{', '.join(row)}{edges[1]}" for row in rows_of(cells))
    return f"{edges[0]}{joint.join(rows)}{edges[1]}"


LINES = {
    "81 cells": str,
    "blanks": " ".join,
    "commas": ",".join,
    "a list": lambda cells: f"[{', '.join(cells)}]",
    "lists": lists,
    "tuples": lambda cells: lists(cells, edges="()"),
    "braces": lambda cells: lists(cells, edges="{}"),
    "texts": lambda cells: json.dumps(rows_of(cells)),
    "rows": lambda cells: " ".join(rows_of(cells)),
    "MATLAB": lambda cells: f"[{'; '.join(map(' '.join, rows_of(cells)))}]",
}
"""Forms of a grid on one line."""
BLOCKS = {
    "lists that hang": lambda cells: lists(cells, ",\n "),
    "lists in lines": lambda cells: "[\n" + lists(cells, ",\n  ")[1:-1] + "\n]",
    "JSON": lambda cells: json.dumps([[int(cell) for cell in row] for row in rows_of(cells)], indent=1),
    "nine lines": lambda cells: "\n" + "\n".join(rows_of(cells)),
    "labels": lambda cells: "\n" + "\n".join(f"Row {k}: {row}" for k, row in enumerate(rows_of(cells), 1)),
    "a frame": lambda cells: "\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows_of(cells)),
}
"""Forms on several lines."""
FORMS = LINES | BLOCKS
NOTHING = ["[]", "{}", "()", "[[]]", "[[], [], []]", "None", "null", "NaN", "N/A", "array([])"]
NOTHING += ["[None]", "**None**", "(empty)", "undefined", "pd.NA", 'float("nan")']
PLACES = ["{e} Solution: {s}", "Puzzle: {e} Solution: {s}", "{e}; {s}", "{e}, {s}", "{e} | {s}", "{e} -> {s}"]
PLACES += ["{s} = {e}", "{s}, {e}", "{s}; {e}", "({e}, {s})", '{{"in": {e}, "out": {s}}}', "17, {e}, {s}"]
PLACES += ["puzzle = {e}\nsolution = {s}", "{e}\n{s}", "{e}\nSolution:\n{s}", "solution = {s}\npuzzle = {e}"]
PLACES += ["## Puzzle\n\n{e}\n\n## Solution\n\n{s}", "play(puzzle={e}, solution={s})"]


def reads(text: str) -> str:
    try:
        return unidoku.Grid(text).line
    except unidoku.InvalidPuzzleError:
        return ""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("place", PLACES)
def test_a_full_grid_is_no_puzzle_beside_nothing(form: str, place: str) -> None:
    drawn = FORMS[form](SOLUTION)
    for nothing in NOTHING:
        text = place.format(e=nothing, s=drawn)
        assert reads(text) == "", text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("suffix", ["txt", "md", "py"])
def test_nothing_beside_a_full_grid_in_a_file(form: str, suffix: str, tmp_path: Path) -> None:
    drawn, path = FORMS[form](SOLUTION), tmp_path / f"puzzles.{suffix}"
    for place, nothing in product(PLACES, ["[]", "None", "N/A"]):
        if "\n" in place and form in LINES:
            continue  # in a file of lines each is a record
        path.write_text(place.format(e=nothing, s=drawn) + "\n")
        cells = [row for batch in unidoku.read(path) for row in batch.cells.tolist()]
        assert cells == [], path.read_text()


@pytest.mark.parametrize("form", FORMS)
def test_a_full_grid_is_read_beside_words_and_code(form: str) -> None:
    """So is a puzzle beside its solution in the same form."""
    drawn = FORMS[form](SOLUTION)
    texts = ["{}", "Solution: {}", "The solution is:\n{}", "solution = {}", "return {}", "print({})"]
    texts += ["def f():\n    return {}", "print_board() -> {}", "solve() = {}", "```\n{}\n```"]
    texts += ["None of the techniques was needed.\n{}", "Here it is (all rows checked): {}", "{} easy"]
    for text in texts:
        assert reads(text.format(drawn)) == SOLUTION, text.format(drawn)
    puzzle = FORMS[form](UNIQUE.replace(".", "0"))
    for text in ("{}\n{}", "puzzle = {}\nsolution = {}", "{}\n\nSolution:\n{}"):
        assert reads(text.format(puzzle, drawn)) == UNIQUE, text


@pytest.mark.parametrize("form", ["a list", "lists", "tuples", "braces"])
@pytest.mark.parametrize("text", ["int grid[9][9] = {};", "grid := {};", "{},", "solve({}, show=True)"])
def test_the_end_of_code_is_no_empty_field(form: str, text: str) -> None:
    assert reads(text.replace("{}", FORMS[form](SOLUTION))) == SOLUTION


@pytest.mark.parametrize("pair", ["[{e}, {s}]", "[{s}, {e}]"])
def test_an_array_of_nothing_and_a_full_grid_is_one_record(pair: str, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.json"
    for nothing, grid in product(["[]", "[null]", "[[], []]"], [lists(SOLUTION), f"[{', '.join(SOLUTION)}]"]):
        path.write_text(pair.format(e=nothing, s=grid))
        batches = [*unidoku.read(path)]
        assert sum(map(len, batches)) == 0, path.read_text()
        assert sum(len(batch.reasons) for batch in batches) == 1
    path.write_text(pair.format(e=lists(UNIQUE.replace(".", "0")), s=lists(SOLUTION)))
    assert [unidoku.Grid(row).line for batch in unidoku.read(path) for row in batch.cells] == [UNIQUE]


def test_two_json_values_on_a_line_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.json"
    path.write_text(f"[] {lists(SOLUTION)}\n")
    assert sum(map(len, unidoku.read(path))) == 0
