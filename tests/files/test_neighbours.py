"""A record of a file without a header has the puzzle of its line alone, or is refused."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from example_puzzles import SOLUTION, UNIQUE
from readback import read_all

import unidoku
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.chunks import Reading

DIGITS = "123456789"
NAMES = [str.maketrans(DIGITS, DIGITS[n:] + DIGITS[:n]) for n in range(4)]
PAIRS = [(UNIQUE.translate(names), SOLUTION.translate(names)) for names in NAMES]
FORMS = {
    "puzzle": "{p}",
    "zeros": "{z}",
    "pair": "{p},{s}",
    "pair of blanks": "{p} {s}",
    "solution first": "{s},{p}",
    "solution behind an arrow": "{s} <- {p}",
    "solution before a bar": "{s} | {p}",
    "number": "{n},{p}",
    "number and solution": "{n}\t{p}\t{s}",
    "hash": "hash{n:04} {z} 1.5",
    "title": "title,{p}",
    "label": "Puzzle: {p}",
    "labels": "puzzle={p} solution={s}",
    "solution": "{s}",
    "id beside a solution": "{n},{s}",
    "cut": "{cut},{s}",
    "damaged": "{damaged},{s}",
    "empty place": ",{s}",
    "empty place behind": "{s},",
    "no answer": "N/A,{s}",
    "question": "?;{s}",
    "hyphen": "-\t{s}",
    "named place": "puzzle=lost solution={s}",
    "solution with a hole": "{hole},{p}",
    "two puzzles": "{p},{other}",
    "three puzzles": "{p} {other} {third}",
}


def line(form: str, number: int) -> str:
    puzzle, solution = PAIRS[number]
    return FORMS[form].format(
        n=number,
        p=puzzle,
        s=solution,
        z=puzzle.replace(".", "0"),
        cut=puzzle[:40],
        damaged=f"{puzzle[:80]}!",
        hole=f"{solution[:40]}.{solution[41:]}",
        other=PAIRS[number - 1][0],
        third=PAIRS[number - 2][0],
    )


def alone(text: str) -> str | None:
    try:
        return unidoku.Grid(text).line
    except InvalidPuzzleError:
        return None


def of_line(path: Path, number: int) -> list[str]:
    """Return the puzzles of a line, and an empty text where it is refused."""
    found = list[str]()
    try:
        for batch in unidoku.read(path):
            cells = ["".join(map(str, row)).replace("0", ".") for row in batch.cells.tolist()]
            found += [puzzle for puzzle, line in zip(cells, batch.lines, strict=True) if line == number]
            found += [""] * (number in batch.reasons)
    except FormatError:  # the file is refused as a whole
        return [""]
    return found


@pytest.mark.parametrize("form", FORMS)
def test_a_record_is_read_as_alone_or_refused(form: str, tmp_path: Path) -> None:
    for neighbour, place, suffix in product(FORMS, (0, 1, 3), ("txt", "csv")):
        lines = [line(neighbour, number) for number in range(3)]
        lines.insert(place, line(form, 3))
        path = tmp_path / f"puzzles.{suffix}"
        path.write_text("\n".join(lines) + "\n")
        every = re.findall(r"[1-9.]{81}", lines[place])  # boards in a text of any kind
        expected = [[alone(lines[place])], [""], *([every] if len(every) > 1 else [])]
        assert of_line(path, place + 1) in expected, (neighbour, place, suffix)


REFUSED = [
    "cut",
    "damaged",
    "empty place",
    "empty place behind",
    "no answer",
    "question",
    "hyphen",
    "named place",
]


@pytest.mark.parametrize("form", [*REFUSED, "two puzzles", "three puzzles", "solution with a hole"])
def test_no_puzzle_alone(form: str) -> None:
    assert alone(line(form, 0)) is None


@pytest.mark.parametrize(
    "beside", ["7,{}", "100 {}", "id7,{}", "easy {}", "{},easy", "{} 12 1.5", "Board: {}", "{} # no. 7"]
)
def test_names_and_numbers_beside_a_full_grid(beside: str) -> None:
    assert alone(beside.format(SOLUTION)) == SOLUTION
    lines = "".join(f"{beside.format(solution)}\n" for _, solution in PAIRS)
    assert [cells for _, cells in read_all(lines.encode(), "lines").puzzles] == [
        solution for _, solution in PAIRS
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t", " ", " <- ", " | "])
@pytest.mark.parametrize("sign", [".", "*", "0", "?", ""])
@pytest.mark.parametrize("at", [0, 1, 25, 49])
def test_column_of_solutions_with_one_hole(separator: str, sign: str, at: int) -> None:
    records = [f"{SOLUTION}{separator}{UNIQUE}"] * 50
    solution = f"{SOLUTION[:40]}{sign}{SOLUTION[41:]}" if sign else ""
    records[at] = f"{solution}{separator}{UNIQUE}"
    found = read_all("\n".join(records).encode(), None)
    assert {cells.replace("0", ".") for _, cells in found.puzzles} == {UNIQUE}
    assert len(found.puzzles) + len(found.rejects) == 50
    assert len(found.puzzles) >= 49


def test_two_puzzles_on_a_line_are_named() -> None:
    first, second = PAIRS[0][0], PAIRS[1][0]
    for separator in (" ", ",", ";", "\t", " | "):
        found = read_all(f"{second}\n{first}{separator}{second}\n{first}\n".encode())
        assert [number for number, _ in found.puzzles] == [1, 3]
        assert "two different puzzles" in found.rejects[0][2]


def test_a_column_that_is_named_is_taken() -> None:
    text = f"{PAIRS[0][0]},{PAIRS[1][0]}\n{PAIRS[1][0]},{PAIRS[2][0]}\n".encode()
    found = read_all(text, "lines", Reading(column="2"))
    assert [cells for _, cells in found.puzzles] == [PAIRS[1][0], PAIRS[2][0]]


@pytest.mark.parametrize("puzzle", ["N/A", "53..7..."])
def test_first_row_of_a_table_without_a_puzzle(puzzle: str) -> None:
    rows = [f"| {n} | {p} | {s} |" for n, (p, s) in enumerate([(puzzle, PAIRS[0][1]), *PAIRS[1:]])]
    found = read_all("\n".join(["| id | puzzle | solution |", "|---|---|---|", *rows]).encode(), None)
    assert [cells for _, cells in found.puzzles] == [puzzle for puzzle, _ in PAIRS[1:]]
    assert [reject[0] for reject in found.rejects] == [3]


@pytest.mark.parametrize("separators", [None, (",", ":")])
@pytest.mark.parametrize("values", [0, 1])
def test_objects_of_several_puzzles(separators: tuple[str, str] | None, values: int) -> None:
    puzzles = [puzzle for puzzle, _ in PAIRS]
    value = [{f"p{n}": puzzle for n, puzzle in enumerate(puzzles)}, {"a": puzzles[:2], "b": puzzles[2:]}][
        values
    ]
    found = read_all(json.dumps(value, separators=separators).encode(), None)
    assert [cells for _, cells in found.puzzles] == puzzles


@pytest.mark.parametrize("place", ["(image)", "see below", "lost", "N/A", UNIQUE[:80], f"{UNIQUE[:40]}…"])
def test_solution_below_a_place_without_its_puzzle(place: str) -> None:
    text = f"Puzzle: {place}\nSolution: {SOLUTION}\n"
    assert alone(text) is None
    assert read_all(text.encode(), None).puzzles == []


WORDS = ["broken", "lost", "error", "see below", "(image)", "bad puzzle", "n.a.", "TODO", "id7", "puzzle 7"]


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
@pytest.mark.parametrize("place", [0, 2, 150])
def test_words_in_the_place_of_a_puzzle_among_pairs(separator: str, place: int, tmp_path: Path) -> None:
    for word, suffix in product(WORDS, ("txt", "csv")):
        records = [f"{puzzle}{separator}{solution}" for puzzle, solution in PAIRS * 40]
        records.insert(place, f"{word}{separator}{SOLUTION}")
        path = tmp_path / f"puzzles.{suffix}"
        path.write_text("\n".join(records) + "\n")
        assert of_line(path, place + 1) in ([""], [])  # a header of CSV is none
        assert len(of_line(path, place + 2)) == 1


@pytest.mark.parametrize("sign", [".", "0"])
@pytest.mark.parametrize(
    "beside", ["{},title", "{} 4.5", "7,{}", f"{{}},{SOLUTION}", "{},2,false", "Puzzle: {}"]
)
def test_an_empty_puzzle_beside_other_text(sign: str, beside: str, tmp_path: Path) -> None:
    line = beside.format(sign * 81)
    assert alone(line) == "." * 81
    for lines in ([line], [line] * 3, [UNIQUE, line]):
        path = tmp_path / "puzzles.txt"
        path.write_text("\n".join(lines) + "\n")
        assert of_line(path, len(lines)) == ["." * 81]


CUT = [
    f"{UNIQUE[:40]}",
    f"{UNIQUE[:30]}\u2026",
    f"{UNIQUE[:20]} {UNIQUE[20:79]}",
    f"{SOLUTION[:40]}~{SOLUTION[41:]}",
]


@pytest.mark.parametrize("damaged", [*CUT, " ".join(UNIQUE[:80]), f"{SOLUTION[:50]}|{UNIQUE[:20]}"])
@pytest.mark.parametrize("suffix", ["txt", "csv"])
def test_damaged_records_are_rejects_each(damaged: str, suffix: str, tmp_path: Path) -> None:
    for lines in (
        [damaged, UNIQUE],
        [damaged] * 3 + [f'"{UNIQUE}"', damaged],
        [f"'{UNIQUE}'", damaged, damaged],
    ):
        path = tmp_path / f"puzzles.{suffix}"
        path.write_text("\n".join(lines) + "\n")
        expected = ["" if line == damaged else UNIQUE for line in lines]
        found = [of_line(path, number) for number in range(1, len(lines) + 1)]
        assert found == [[cells] for cells in expected], lines


LISTS = {"list": "[{}]", "commas": "{}", "blanks": "{}"}


def cell_list(form: str, cells: str) -> str:
    signs = {"list": ", ", "commas": ",", "blanks": " "}[form].join(cells)
    return LISTS[form].format(signs)


@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize("joint", [" -> ", " = ", " Solution: ", " <- "])
def test_two_lists_of_cells_on_a_line(form: str, joint: str) -> None:
    puzzle, solution, other = (cell_list(form, cells) for cells in (UNIQUE, SOLUTION, PAIRS[1][0]))
    damaged, cut = (cell_list(form, UNIQUE[:end]) for end in (80, 30))
    for first, second, expected in (
        (puzzle, solution, UNIQUE),
        (solution, puzzle, UNIQUE),
        (puzzle, other, None),
        (damaged, solution, None),
        (solution, damaged, None),
        (cut, solution, None),
    ):
        line = f"{first}{joint}{second}"
        assert alone(line) == expected, line
        found = [cells for _, cells in read_all(f"{line}\n{line}\n".encode()).puzzles]
        assert found == [expected] * 2 or (not expected and SOLUTION not in found)


@pytest.mark.parametrize("line", ["None; [{}]", "[{}]; None", "None | [{}]", "[{}], null", "[{}] | None"])
def test_an_empty_place_beside_a_list(line: str) -> None:
    assert alone(line.format(", ".join(SOLUTION))) is None


@pytest.mark.parametrize("rows", [7, 8])
@pytest.mark.parametrize("whole", [(), (0,), (2,), (0, 4)])
def test_damaged_boards_between_blank_lines_are_rejects_each(rows: int, whole: tuple[int, ...]) -> None:
    puzzles = [puzzle for puzzle, _ in PAIRS] + [UNIQUE[::-1]]
    sizes = [9 if number in whole else rows for number in range(5)]
    boards = ["\n".join(re.findall(".{9}", cells)[:size]) for cells, size in zip(puzzles, sizes, strict=True)]
    found = read_all("\n\n".join(boards).encode())
    assert [cells for _, cells in found.puzzles] == [puzzles[number] for number in whole]
    assert len(found.rejects) == 5 - len(whole)


@pytest.mark.parametrize("form", ["{}", '"{}"', "commas", "blanks", "empty fields", "list"])
@pytest.mark.parametrize("size", [79, 80, 82])
@pytest.mark.parametrize("place", [0, 2])
def test_the_cells_of_a_line_that_is_no_puzzle_are_counted(form: str, size: int, place: int) -> None:
    signs = {"commas": ",", "blanks": " ", "empty fields": ",", "list": ", "}.get(form)

    def drawn(cells: str) -> str:
        fields = ["" if cell == "." and form == "empty fields" else cell for cell in cells]
        text = cells if signs is None else signs.join(fields)
        return f"[{text}]" if form == "list" else text if signs else form.format(text)

    lines = [UNIQUE] * 4
    lines[place] = drawn(f"{UNIQUE}{UNIQUE}"[:size])
    found = read_all("\n".join(lines).encode(), "lines")
    assert [reject[2] for reject in found.rejects] == [f"expected 81 cells, found {size}"]


@pytest.mark.parametrize("size", [10, 11, 13, 17])
def test_short_lines_are_records_each(size: int) -> None:
    found = read_all(f"{UNIQUE[:size]}\n".encode() * 40)
    assert [reject[0] for reject in found.rejects] == [*range(1, 41)]
    assert {reject[2] for reject in found.rejects} == {f"expected 81 cells, found {size}"}


def test_two_rejects_of_a_line_have_their_reasons(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{"puzzle": UNIQUE[:80]}, {"puzzle": UNIQUE[:70]}]))
    batches = [*unidoku.read(tmp_path / "a.json")]
    reasons = [reason for batch in batches for reason in batch.reasons.values()]
    assert [text for reason in reasons for text in reason.split("; ")] == [
        "expected 81 cells, found 80",
        "expected 81 cells, found 70",
    ]


def test_puzzles_between_nul_bytes_are_not_lost() -> None:
    assert alone("\0".join(puzzle for puzzle, _ in PAIRS)) is None


VALUES = [
    UNIQUE,
    f" {UNIQUE}",
    f'"{UNIQUE}"',
    f"{UNIQUE}, {SOLUTION}",
    f"{SOLUTION} -> {UNIQUE}",
    UNIQUE.replace(".", "\u00b7"),
    "\n".join(re.findall(".{9}", UNIQUE)),
    SOLUTION,
    f"N/A,{SOLUTION}",
    f"{UNIQUE[:80]},{SOLUTION}",
    f"{UNIQUE},{PAIRS[1][0]}",
    UNIQUE[:80],
    f"{UNIQUE}5",
    "",
    "lost",
]


@pytest.mark.parametrize("suffix", ["jsonl", "json", "parquet", "arrow", "npy"])
@pytest.mark.parametrize("shift", [0, 4, 9])
def test_a_text_in_a_column_is_read_as_alone(suffix: str, shift: int, tmp_path: Path) -> None:
    values = [*VALUES[shift:], *VALUES[:shift]] * 11
    path = tmp_path / f"puzzles.{suffix}"
    if suffix == "jsonl":
        path.write_text("".join(f"{json.dumps({'puzzle': value})}\n" for value in values))
    elif suffix == "json":
        path.write_text(json.dumps([{"puzzle": value} for value in values]))
    elif suffix == "npy":
        np.save(path, np.array(values))
    else:
        table = pytest.importorskip("pyarrow").table({"puzzle": values})
        if suffix == "parquet":
            pytest.importorskip("pyarrow.parquet").write_table(table, path)
        else:
            pytest.importorskip("pyarrow.feather").write_feather(table, path)
    found = dict[int, str | None]()
    for batch in unidoku.read(path):
        cells = ["".join(map(str, row)).replace("0", ".") for row in batch.cells.tolist()]
        found |= zip(batch.lines.tolist(), cells, strict=True)
        found |= dict.fromkeys(batch.reasons)
    assert [found[number] for number in sorted(found)] == [*map(alone, values)]


def rows_of(cells: str, sign: str) -> str:
    return sign.join(cells[at : at + 9] for at in range(0, 81, 9))


APART = {
    "blanks": lambda cells: " ".join(cells.replace(".", "0")),
    "blanks and dots": " ".join,
    "rows": lambda cells: rows_of(cells, "/"),
    "address": lambda cells: f"https://example.org/?board={cells}",
}


@pytest.mark.parametrize("suffix", ["txt", "csv"])
@pytest.mark.parametrize("apart", APART)
@pytest.mark.parametrize("form", ["{0},{1}", "{1},{0}", "7,{1},{0}", "{0}\t{1}"])
def test_a_puzzle_in_other_signs_than_its_solution(
    form: str, apart: str, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"puzzles.{suffix}"
    for count in (1, 3):
        text = form.format(APART[apart](UNIQUE), SOLUTION)
        path.write_text(f"{text}\n" * count)
        assert alone(text) == UNIQUE
        assert [of_line(path, number + 1) for number in range(count)] == [[UNIQUE]] * count


@pytest.mark.parametrize("apart", ["blanks", "rows"])
@pytest.mark.parametrize("beside", ["{}", "7,{}", "{0},{1}"])
def test_a_second_puzzle_in_other_signs(beside: str, apart: str, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    (first, solution), (second, _) = PAIRS[:2]
    good = beside.format(first, solution)
    path.write_text(f"{good}\n{good},{APART[apart](second)}\n{good}\n")
    assert [of_line(path, number) for number in (1, 2, 3)] == [[first], [""], [first]]


@pytest.mark.parametrize(
    "first", ["NULL,2", "None,2", "n/a,1", ",2", f"{UNIQUE[:40]},2", f"{UNIQUE[:40]}", f"{UNIQUE},2,easy"]
)
def test_a_first_record_without_a_puzzle_decides_nothing(first: str) -> None:
    lines = [first, *(f"{puzzle},{number}" for number, (puzzle, _) in enumerate(PAIRS[:3]))]
    for place in range(4):
        lines.insert(place, lines.pop(lines.index(first)))
        found = read_all("\n".join(lines).encode(), "csv")
        assert [cells for _, cells in found.puzzles] == [puzzle for puzzle, _ in PAIRS[:3]]
        assert [number for number, *_ in found.rejects] == [place + 1]


@pytest.mark.parametrize("header", ["feladvany,megoldas", "0,1", ",0", "a,2b", "given;solved"])
def test_headers_with_unknown_names(header: str) -> None:
    sign = ";" if ";" in header else ","
    rows = [f"0{sign}{UNIQUE}" if header.startswith(",") else f"{UNIQUE}{sign}{SOLUTION}"] * 3
    found = read_all("\n".join([header, *rows]).encode(), "csv")
    assert [number for number, _ in found.puzzles] == [2, 3, 4]
    assert not found.rejects


@pytest.mark.parametrize("first", [{"solution": SOLUTION}, {"id": 1, "solution": SOLUTION}, {"id": 1}])
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_first_object_without_a_puzzle_decides_nothing(first: dict[str, object], place: int) -> None:
    values: list[object] = [{"puzzle": puzzle, "solution": solution} for puzzle, solution in PAIRS[:3]]
    values.insert(place, first)
    for text in ("\n".join(map(json.dumps, values)), json.dumps(values)):
        found = read_all(text.encode(), "jsonl")
        assert [cells for _, cells in found.puzzles] == [puzzle for puzzle, _ in PAIRS[:3]]
        assert [number for number, *_ in found.rejects] == [place + 1]


@pytest.mark.parametrize("shift", range(4))
def test_signs_of_several_bytes_at_the_end_of_the_head(shift: int, tmp_path: Path) -> None:
    wide = str.maketrans("123456789", "１２３４５６７８９")
    board = "\n".join(UNIQUE[at : at + 9].translate(wide).replace(".", "·") for at in range(0, 81, 9))
    path = tmp_path / "boards.txt"
    path.write_text(" " * shift + "\n" + f"{board}\n\n" * 400, encoding="utf-8")
    assert path.stat().st_size > 1 << 16
    assert sum(len(batch.cells) for batch in unidoku.read(path)) == 400


@pytest.mark.parametrize("sign", "|:;,\t")
@pytest.mark.parametrize(
    "damaged", ["{id}{sign}", "{id}{sign}N/A", "{id}{sign}{part}", "{id}{sign}{part}{sign}hard"]
)
@pytest.mark.parametrize("place", [0, 1, 3])
def test_damaged_records_with_any_sign_between(sign: str, damaged: str, place: int) -> None:
    lines = [f"{number}{sign}{puzzle}" for number, (puzzle, _) in enumerate(PAIRS[:3])]
    lines.insert(place, damaged.format(id=7, sign=sign, part=UNIQUE[:20]))
    found = read_all("\n".join(lines).encode())
    assert [cells for _, cells in found.puzzles] == [puzzle for puzzle, _ in PAIRS[:3]]
    assert [number for number, *_ in found.rejects] == [place + 1]


PAIR_FORMS = {
    "comma": "{p},{s}",
    "blank": "{n} {p} {s} hard",
    "colon": "{n}:{p}:{s}:easy",
    "bar": "{n}|{s}|{p}",
    "tab and words": "{n}\t{s}\tsee page {n}, or no. 12\t{p}",
    "tab and other words": "{n}\tfine\t{p}\t{s}",
    "blanks between cells": "{b};{s}",
}


@pytest.mark.parametrize("form", PAIR_FORMS)
@pytest.mark.parametrize("suffix", ["txt", "csv", "sdm"])
@pytest.mark.parametrize("at", [0, 2, 4])
def test_among_pairs_a_full_grid_alone_has_lost_its_puzzle(
    form: str, suffix: str, at: int, tmp_path: Path
) -> None:
    lines = [
        PAIR_FORMS[form].format(n=number, p=puzzle, s=solution, b=" ".join(puzzle))
        for number, (puzzle, solution) in enumerate(PAIRS * 2, 1)
    ]
    solution = (PAIRS * 2)[at][1]
    for lost in (solution, f"{at} {solution}", f"{at},{solution},hard", f"{solution}|easy"):
        (tmp_path / f"a.{suffix}").write_text("\n".join([*lines[:at], lost, *lines[at + 1 :]]))
        records = read_all(tmp_path / f"a.{suffix}")
        assert [line for line, _, _ in records.rejects] == [at + 1]
        assert len(records.puzzles) == len(lines) - 1


def test_a_list_of_full_grids_is_read() -> None:
    for lines in ([s for _, s in PAIRS], [UNIQUE] * 9 + [SOLUTION]):
        assert len(read_all("\n".join(lines).encode()).puzzles) == len(lines)


@pytest.mark.parametrize("keep", ["columns", "none"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_columns_that_are_exchanged_in_one_record(suffix: str, keep: str, tmp_path: Path) -> None:
    """Below a header a full grid whose puzzle is in another column is none; nor is it in an object."""
    rows = [[str(number), *pair] for number, pair in enumerate(PAIRS, 1)]
    rows[2][1:] = rows[2][:0:-1]
    names = ["id", "puzzle", "solution"]
    lines = [",".join(names), *map(",".join, rows)]
    if suffix == "jsonl":
        lines = ["", *(json.dumps(dict(zip(names, row, strict=True))) for row in rows)]
    (tmp_path / f"a.{suffix}").write_text("\n".join(lines))
    [batch] = unidoku.read(tmp_path / f"a.{suffix}", keep=keep)
    assert (batch.lines.tolist(), [*batch.reasons]) == ([2, 3, 5], [4])
    [batch] = unidoku.read(tmp_path / f"a.{suffix}", column="puzzle", keep=keep)  # as the user says
    assert (batch.lines.tolist(), batch.reasons) == ([2, 3, 4, 5], {})


@pytest.mark.parametrize("indent", [None, 1])
def test_elements_of_an_array_have_the_lines_of_its_text(indent: int | None, tmp_path: Path) -> None:
    values = [UNIQUE, "x", {"puzzle": UNIQUE}, [[0] * 9] * 9, SOLUTION]
    text = f"\n{json.dumps(values, indent=indent)}"
    (tmp_path / "a.json").write_text(text)
    expected = [1 + text.count("\n", 0, place) for place in _places(text, values, indent)]
    if indent is None:
        expected = [1, 2, 3, 4, 5]  # of one line the numbers of the elements say more
    records = read_all(tmp_path / "a.json")
    found = sorted([line for line, _ in records.puzzles] + [line for line, _, _ in records.rejects])
    assert found == expected


def _places(text: str, values: list[object], indent: int | None) -> list[int]:
    """Return where each value begins in the text of an array."""
    places, at = [], text.index("[") + 1
    for value in values:
        written = json.dumps([value], indent=indent)[1:-1].strip()
        places.append(text.index(written, at))
        at = places[-1] + len(written)
    return places
