"""Texts of random shapes, around and within files: tests/test_texts.py has texts that people wrote.

A board is read as itself or refused, damage is never another board, all ways agree.

Damage that nobody sees is no fault: then the damaged text is an intact one of the same shape, for the board
that is read, or a digit is lost where nothing, or a blank, stands for an empty cell.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import cycle
from pathlib import Path

import pytest
from command import run
from example_puzzles import SOLUTION, UNIQUE
from moving import moved
from text_shapes import AROUND, DAMAGES, ENDS, FORMS, LABELS, Shape, damages, rows_of, samples
from text_table import Row

import unidoku
from unidoku import FormatError, InvalidPuzzleError

COUNTS = [pytest.param(150, 1), pytest.param(500, 2, marks=pytest.mark.slow)]
"""Texts of a test, and its seed."""


def reading(text: str) -> str | None:
    """Return the board of a text; None if it is refused."""
    try:
        return unidoku.Grid(text).line
    except InvalidPuzzleError:
        return None


def file_reading(path: Path, text: str) -> tuple[list[str], list[str]]:
    """Return the boards of a file with a text, and why others are none."""
    path.write_bytes(text.encode())
    boards, reasons = list[str](), list[str]()
    for batch in unidoku.read(path):
        boards += [unidoku.Grid(cells).line for cells in batch.cells]
        reasons += batch.reasons.values()
    return boards, reasons


def printed(*arguments: str, stdin: str = "") -> list[str]:
    """Return the boards that a command reads in an argument or in its standard input."""
    return run("convert", *arguments, stdin=stdin).stdout.split()


@pytest.mark.parametrize(("count", "seed"), COUNTS)
def test_a_board_is_read_as_itself_whatever_its_shape(count: int, seed: int) -> None:
    refused = Counter[Shape | Row]()
    for shape, (before, after), pick in samples(count, seed):
        for puzzle in (UNIQUE, SOLUTION):
            cells = moved(puzzle, pick)
            read = reading(before + shape.draw(cells) + after)
            assert read in (cells, None), before + shape.draw(cells) + after
            refused[shape] += read is None and puzzle == UNIQUE  # a full grid beside words is none
    assert refused.total() * 12 < count, refused.most_common(9)


@pytest.mark.parametrize(("count", "seed"), COUNTS)
def test_damage_is_never_another_board(count: int, seed: int) -> None:
    refused, wrong = 0, list[tuple[str, str, str]]()
    for shape, (before, after), pick in samples(count, seed):
        cells = moved(UNIQUE, pick)
        kind = pick.choice(DAMAGES)
        text = damages(shape.draw(cells), pick)[kind]
        read = reading(before + text + after)
        refused += read is None
        if read not in (cells, None):
            bare = "".join(text.split()) == "".join(shape.draw(read).split())
            unseen = text.rstrip() == shape.draw(read).rstrip() or (
                shape.blank and bare and kind in {"digit lost", "sign lost", "sign another"}
            )
            wrong += [] if unseen else [(kind, before + text + after, read)]
    assert refused * 2 > count
    assert len(wrong) * 1000 <= count, wrong


@pytest.mark.parametrize(("count", "seed"), COUNTS)
def test_the_last_grid_of_an_answer_counts(count: int, seed: int) -> None:
    """Whether the draft before it is right, and how it is damaged."""
    drafts, found = list[str](), 0
    for shape, (before, after), pick in samples(count, seed):
        right, other = shape.draw(SOLUTION), shape.draw(moved(SOLUTION, pick))
        damaged = damages(other, pick)[pick.choice(DAMAGES)]
        answer = f"{SOLUTION}\n\nNo, again:\n\n{before}{pick.choice([damaged, other])}{after}"
        drafts += [answer] if unidoku.verify(UNIQUE, answer).solved else []
        found += unidoku.verify(UNIQUE, f"{damaged}\n\nNo, again:\n\n{before}{right}{after}").solved
    assert len(drafts) * 100 <= count, drafts
    assert found * 10 >= 9 * count


@pytest.mark.parametrize(("count", "seed"), COUNTS)
def test_all_ways_agree(count: int, seed: int, tmp_path: Path) -> None:
    texts, answers, several, missed = [], [], 0, 0
    for shape, (before, after), pick in samples(count // 4, seed):
        for cells, has_empty in ((UNIQUE, True), (SOLUTION, False)):
            kind = pick.choice([*DAMAGES, "none"])
            drawn = shape.draw(cells)
            text = before + (drawn if kind == "none" else damages(drawn, pick)[kind]) + after
            read = reading(text)
            if has_empty:
                boards, reasons = file_reading(tmp_path / "a.txt", text)
                assert printed("--", text) == [read] * (read is not None), text
                assert printed("-", stdin=text) == boards, text
                is_apart = read is None and boards == [cells] and reasons != {}  # few cells above a heading
                assert boards == [read] * (read is not None) or is_apart, text
                several += is_apart or len(reasons) > 1  # or what is left is like lines of records
            else:
                answer = unidoku.verify(UNIQUE, text)
                if read is None and answer.reason is None:  # an answer has no puzzle beside it
                    continue
                if read is not None and answer.reason:
                    missed += 1  # an answer has words around, with which a row may be one of them
                    continue
                assert (answer.reason is None) == (read is not None), text
                assert answer.solved == (read == SOLUTION), text
                texts.append(text)
                answers.append(answer)
    assert several * 30 < count
    assert missed * 100 <= count
    many = unidoku.verify_many([UNIQUE] * len(texts), texts)
    assert many.solved.tolist() == [answer.solved for answer in answers]
    assert many.wrong_cells.tolist() == [answer.wrong_cells for answer in answers]
    assert [*many.reasons] == [k for k, answer in enumerate(answers) if answer.reason]


DAMAGED_PUZZLES = {
    "a cell less": UNIQUE[:80],
    "a digit twice": "5" + UNIQUE,
    "a letter": "S" + UNIQUE[1:],
    "nothing": "",
    "ten cells": UNIQUE[:10],
    "a mark of omission": UNIQUE[:4] + "…",
}
PAIRS = {  # the name of a file, its first line, a record
    "blank": ("a.txt", "", "{p} {s}"),
    "comma": ("a.txt", "", "{p},{s}"),
    "semicolon": ("a.txt", "", "{p};{s}"),
    "tab": ("a.txt", "", "{p}\t{s}"),
    "bar": ("a.txt", "", "{p}|{s}"),
    "arrow": ("a.txt", "", "{p} -> {s}"),
    "number": ("a.txt", "", "{k},{p},{s}"),
    "solution first": ("a.txt", "", "{s},{p}"),
    "words": ("a.txt", "", "Puzzle: {p} Solution: {s}"),
    "CSV": ("a.csv", "puzzle,solution\n", "{p},{s}"),
    "CSV, other names": ("a.csv", "input,output\n", "{p},{s}"),
    "CSV without a header": ("a.csv", "", "{p},{s}"),
    "CSV, solution first": ("a.csv", "", "{s},{p}"),
    "CSV, semicolons": ("a.csv", "quizzes;solutions\n", "{p};{s}"),
    "CSV, semicolons, no header": ("a.csv", "", "{p};{s}"),
    "CSV, tabs": ("a.tsv", "id\tpuzzle\tsolution\n", "{k}\t{p}\t{s}"),
    "objects": ("a.jsonl", "", '{{"puzzle": "{p}", "solution": "{s}"}}'),
    "objects, other names": ("a.jsonl", "", '{{"id": {k}, "in": "{p}", "out": "{s}"}}'),
    "objects, solution first": ("a.jsonl", "", '{{"solution": "{s}", "puzzle": "{p}"}}'),
    "objects without a suffix": ("a.txt", "", '{{"puzzle": "{p}", "solution": "{s}"}}'),
}


INDENTED = {"blank", "tab", "bar", "arrow", "solution first"}
"""Forms in which a record without its puzzle is like a line that is indented, quoted or ended by a comma."""


@pytest.mark.parametrize(("form", "damage"), [*zip(PAIRS, cycle(DAMAGED_PUZZLES))])
def test_the_solution_beside_a_damaged_puzzle_is_never_read(form: str, damage: str, tmp_path: Path) -> None:
    name, head, record = PAIRS[form]
    if damage == "nothing" and form in INDENTED:
        pytest.skip("nobody sees that a puzzle is missing")
    if (form, damage) == ("objects, other names", "a mark of omission"):
        pytest.skip("the only grid of an object is its puzzle, if no name tells")
    pick = random.Random(form)
    for place, size in ((0, 1), (0, 4), (2, 4), (3, 4)):
        state = pick.getrandbits(32)
        images = [random.Random(state + k) for k in range(size)]
        puzzles = [moved(UNIQUE, generator) for generator in images]
        solutions = [unidoku.solve(puzzle).line for puzzle in puzzles]
        lines = [record.format(k=k, p=puzzles[k], s=solutions[k]) for k in range(size)]
        assert file_reading(tmp_path / name, head + "\n".join(lines) + "\n") == (puzzles, []), lines
        lines[place] = record.format(k=place, p=DAMAGED_PUZZLES[damage], s=solutions[place])
        try:
            boards, reasons = file_reading(tmp_path / name, head + "\n".join(lines) + "\n")
        except FormatError:  # no record has a puzzle by which its column is known
            assert place == 0
            continue
        assert boards == puzzles[:place] + puzzles[place + 1 :], lines
        if size > 1:
            assert len(reasons) == 1, reasons
        elif not head:
            assert reading(lines[0]) is None


@pytest.mark.slow
def test_no_text_raises_another_exception(tmp_path: Path) -> None:
    pick = random.Random(1)
    pool = "0123456789.|,;:- \n\t\r\"'[](){}<>/\\*_#&%=xA·０□⬜\u200b\x1b\ufeff\x00é第"
    texts = [before + shape.draw(UNIQUE) + after for shape in FORMS for before, after in AROUND]
    texts += [json.dumps({"puzzle": UNIQUE, "rows": [[*map(int, row)] for row in rows_of(SOLUTION)]})]
    texts += [Shape(label, " ", " ", end, ".").draw(UNIQUE) for label in LABELS for end in ENDS]
    for _ in range(250):
        text = pick.choice(texts)
        for _ in range(pick.choice([1, 2, 8, 40])):
            place = pick.randrange(len(text) + 1)
            text = (
                text[:place]
                + pick.choice([*pool, "", text[place : place + 30]])
                + text[place + pick.choice([0, 1, 9]) :]
            )
        reading(text)
        unidoku.verify(UNIQUE, text)
        (tmp_path / "a.txt").write_bytes(text.encode())
        for batch in unidoku.read(tmp_path / "a.txt", on_failure=lambda error: None):
            assert len(batch) >= 0
