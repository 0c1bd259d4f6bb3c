"""A full grid is a puzzle beside what is its own alone, whatever its form and that of its neighbours."""

from __future__ import annotations

import json
import random
from array import array
from itertools import product
from pathlib import Path

import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku.native.text import scan


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


IN_THE_PLACE = """\
error|timeout|lost|unknown|missing|none|nil|void|TBD|TODO|pending|failed|invalid|deleted|hidden
empty|blank|nothing|undefined|skipped|placeholder|false|true|no|yes|not found|see below
no puzzle|to do|timed out|(image)|[image]|(empty)|(none)|[deleted]|[]|{}|()|[[]]|""|''|``|[None]
array([])|dict()|Optional.empty|#REF!|#N/A|-1|00|000|..|...|…|?|??|__|xx|~|^|@|&|53..7|5??7
53..7....|530070000|53__7|5 3 . . 7|5,3,0,0,7|[5, 3, 0, 0, 7, 0]|53..7…|"53..7"|![puzzle](p.png)
p.png|http://example.org/p.png|puzzle=None|quiz = None|"puzzle": null|"puzzle": "lost"|givens=?
input: N/A|clues: ?|KeyError|Exception: timeout|HTTP|{puzzle}|%s|${p}|inf|1::
53..7..../6..195...|puzzle missing|(see page 4)|**missing**|`lost`|.|abc|unclear"""
"""What stood in the place of a puzzle: words, values, signs, errors, parts, links; it has no end."""
JOINED = ["{e},{s}", "{e};{s}", "{e}\t{s}", "{e} | {s}", "{e} -> {s}", "{e}: {s}", "{e} = {s}", "{e} {s}"]
JOINED += ["{e} Solution: {s}", "{e}, Solution: {s}", "{e}; solution = {s}", "{s},{e}", "{s};{e}", "{s}\t{e}"]
JOINED += ["{s} | {e}", "{s} {e}", "{s} <- {e}", "{s}, puzzle: {e}", "{e}\n{s}", "{e}\n\n{s}", "{s}\n{e}"]
JOINED += ["{e}\nSolution:\n{s}", "Puzzle:\n{e}\nSolution:\n{s}", "Puzzle: {e}\nSolution: {s}", "{s}\n\n{e}"]
JOINED += ["## Puzzle\n\n{e}\n\n## Solution\n\n{s}", "Solution:\n{s}\nPuzzle:\n{e}"]


def items(text: str) -> list[str]:
    return text.replace("\n", "|").split("|")


@pytest.mark.parametrize("form", FORMS)
def test_a_full_grid_is_no_puzzle_beside_what_may_be_in_its_place(form: str) -> None:
    pick, drawn = random.Random(form), FORMS[form](SOLUTION)
    for place, joined in pick.sample([*product(items(IN_THE_PLACE), JOINED)], 500):
        text = joined.replace("{e}", place).replace("{s}", drawn)
        assert reads(text) == "", text


OWN = """\
{s}|  {s}|Grid: {s}|board = {s}|Solution: {s}|Answer: {s}|solution = {s}|The solution is: {s}
sudoku = {s}|puzzle = {s}|Puzzle 12 (hard): {s}|return {s}|s = {s}|BOARD={s}|let grid = {s}
solve() = {s}|$ ./sudoku {s}|>>> {s}|> {s}|# {s}|// {s}|Input: board = {s}|grid: {s}|result: {s}
Final grid: {s}|**Solution:** {s}|- Solution: {s}|Here it is (all rows checked): {s}
My final answer: {s}|解答：{s}"""
ABOVE = """\
Solution:|The solution is:|Answer:|solution =|```|Grid 01|Puzzle #7|No. 4|# 4
Sudoku of 2024-01-15|---|None of the techniques was needed.|Here is the finished grid.
Row 1 needs 4, 6 and 8.|(step 51)|Attempt 2:|Result:|I can't find the next step here:|Lösung:
[Puzzle]|#L easy|grid:"""
BELOW = ["This took 3 steps.", "\nAll rows and columns are right.", "----------", "\nDone.", "level = 3"]


@pytest.mark.parametrize("form", FORMS)
def test_a_full_grid_is_a_puzzle_beside_what_is_of_its_own(form: str) -> None:
    drawn = FORMS[form](SOLUTION)
    texts = [f"{line}{gap}{{s}}" for line in items(ABOVE) for gap in ("\n", "\n\n")]
    texts += [*items(OWN), *(f"{{s}}\n{line}" for line in BELOW)]
    for text in texts:
        assert reads(text.replace("{s}", drawn)) == SOLUTION, text


NOTES = """\
1|0|12|007|00|000|4.5|1.2.3|12:30|easy|Hard|error|id7|hash0001|x1|NA1|None2|row4|nan1|None|n1|5.
.5|123456789|12345678|50|ab|quiz7|sudoku1|12345.6|12.34567|-1|1-2|#3|difficult|hard7"""
GAPS = [",", ";", "\t", "|", " ", "  ", ", ", " | ", ",,", "\t\t", ", ,"]


def test_what_a_scanner_takes_beside_a_full_grid_is_read_alone() -> None:
    pick, count = random.Random(7), 0
    for _ in range(12_000):
        before = "".join(
            pick.choice(items(NOTES)) + pick.choice(GAPS) for _ in range(pick.choice([0, 1, 1, 2, 3]))
        )
        behind = "".join(
            pick.choice(GAPS) + pick.choice(items(NOTES)) for _ in range(pick.choice([0, 1, 2, 4]))
        )
        line = f"{before}{SOLUTION}{behind}".encode()
        if not scan.suspects(line, array("q", [len(before)]), len(line)):
            count += 1
            assert reads(line.decode()) == SOLUTION, line
    assert count > 1000


@pytest.mark.parametrize("record", ["{p},{s}", "{n} {p} {s} hard", "{n}:{p}:{s}:easy", "{s}\t{p}"])
@pytest.mark.parametrize("lost", ["{s}", "{n}  {s} hard", "{n},{s}", "{n}::{s}"])
def test_a_full_grid_among_pairs_has_lost_its_puzzle(record: str, lost: str, tmp_path: Path) -> None:
    """Among puzzles alone it is one of them."""
    lines = [record.format(n=n, p=UNIQUE, s=SOLUTION) for n in range(1, 4)]
    path, grid = tmp_path / "puzzles.txt", SOLUTION[9:] + SOLUTION[:9]
    path.write_text("\n".join([*lines, lost.format(n=4, s=grid)]) + "\n")
    cells = [unidoku.Grid(row).line for batch in unidoku.read(path) for row in batch.cells]
    assert grid not in cells
    assert sum(len(batch.reasons) for batch in unidoku.read(path)) == 1
    path.write_text(f"{UNIQUE}\n{UNIQUE}\n{grid}\n")
    assert sum(map(len, unidoku.read(path))) == 3


@pytest.mark.parametrize("place", ["", "-", "TBD", UNIQUE[:40]])
@pytest.mark.parametrize(
    "page",
    [
        "<sudoku><puzzle>{e}</puzzle><solution>{s}</solution></sudoku>",
        "<dt>Puzzle</dt><dd>{e}</dd><dt>Solution</dt><dd>{s}</dd>",
        "https://example.org/?p={e}&s={s}",
    ],
)
def test_a_full_grid_is_no_puzzle_beside_another_element_or_parameter(page: str, place: str) -> None:
    assert reads(page.format(e=place, s=SOLUTION)) == ""
    assert reads(f"<solution>{SOLUTION}</solution>") == SOLUTION
    assert reads(f"https://example.org/?bd={SOLUTION}") == SOLUTION


@pytest.mark.parametrize("name", ["Solution", "## Answer", "Solution:\n"])
def test_a_wrong_solution_below_a_puzzle_is_an_invalid_record(name: str, tmp_path: Path) -> None:
    wrong = SOLUTION.translate(str.maketrans("12", "21"))
    boards = ["\n".join(rows_of(cells)) for cells in (UNIQUE, wrong)]
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{boards[0]}\n\n{name}\n{boards[1]}\n")
    [batch] = unidoku.read(path)
    assert [unidoku.Grid(row).line for row in batch.cells] == [UNIQUE]
    assert len(batch.reasons) == 1
