"""The report of a record: sentences, marks and drawings."""

import json
import re

import pytest
from command import run
from example_puzzles import BOOK, HARD, OVERFULL as NONE, SEVERAL, UNIQUE as CLASS1
from method_checker import check

from unidoku import Verdict, method
from unidoku._cli.terminal import TO_ASCII
from unidoku._words import LANGUAGES
from unidoku.method._report import marks_picture, pencil_picture, report_lines

CLASS2 = ".................1.....2.3...2...4....3.5......41....6.5.6......7.....2..8.91...."
KEYS = set("kind cell digit rule unit big_unit cause mark level".split())
"""The keys of an event in JSON."""


@pytest.mark.parametrize(
    ("rule", "mark"), [("theorem 2", r"\d:[IJG]\d+"), ("theorem 3", r"\d+:(?:[IJG]\d+|holds \d|\*)")]
)
def test_conversion_names_the_marks_that_allow_it(rule, mark):
    lines = [line.text for line in report_lines(method.explain(BOOK)) if line.kind == "convert"]
    assert len(lines) == BOOK.count(".")
    assert lines[0].startswith("1. Cell ")
    assert {len(re.findall(mark, line)) for line in lines if rule in line} == {8}
    assert {line.count(":") for line in lines if rule in line} == {10}  # two before the reasons


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("short", [False, True])
def test_cells_by_row_and_column(lang, short, top1465):
    """With names r1c1 to r9c9 for the cells, the report is otherwise the same."""

    def with_numbers(text):
        return re.sub(r"r([1-9])c([1-9])", lambda m: str(9 * int(m[1]) + int(m[2]) - 9), text)

    for puzzle in (CLASS1, CLASS2, SEVERAL, NONE, top1465[0]):
        record = method.explain(puzzle)
        plain = [line.text for line in report_lines(record, lang=lang, short=short)]
        rc_texts = [line.text for line in report_lines(record, lang=lang, short=short, names="rc")]
        assert [with_numbers(text) for text in rc_texts] == plain
        for text in rc_texts:  # only marks, digits and counts are numbers
            assert not re.search(r"(cells?|(?<!本)格) [0-9]", text), text
        assert any("r" in text and with_numbers(text) != text for text in rc_texts)


def test_ascii_report_is_ascii(top1465):
    record = method.explain(top1465[30], verdict=Verdict.UNIQUE)
    text = "\n".join(line.text for line in report_lines(record, show=("matrices", "marks", "numbering")))
    assert not text.isascii()
    assert text.translate(TO_ASCII).isascii()


def test_grids_are_drawn_before_the_first_preset_and_no_other():
    kinds = [line.kind for line in report_lines(method.explain(HARD))]
    assert (kinds[kinds.index("preset") - 1], kinds.count("picture")) == ("picture", 3 * 37)


def test_pencil_picture_shows_the_state():
    record = method.explain(CLASS1)
    replay = record.replay()
    replay.seek(60)
    drawn = pencil_picture(replay.state)
    assert len({len(line) for line in drawn}) == 1
    rows = [line for line in drawn if line.startswith("┃")]
    assert len(rows) == 27
    cells = [re.split(r"[┃│]", line)[1:-1] for line in rows]
    for cell in range(81):
        text = "".join(cells[3 * (cell // 9) + k][cell % 9].strip(" ") for k in range(3))
        value = int(replay.state.NA[cell])
        standing = {int(ch) for ch in text if ch.isdigit()}
        assert standing == ({value} if value else set(replay.state.components(cell + 1)))


def test_marks_picture_holds_a_mark_for_every_zero():
    record = method.explain(CLASS1)
    replay = record.replay()
    replay.seek(len(record.events))
    drawn = "\n".join(marks_picture(replay))
    assert drawn.count("(") == 30
    small = [
        part for line in drawn.splitlines() if line[0] == "┃" for part in re.split(r"[ │┃]+", line) if part
    ]
    assert len(small) == 729
    assert sum(part.startswith(("I", "J", "G", "*")) for part in small) == 648


def test_json_replayed_by_an_independent_reader(puzzles17, top1465):
    for puzzle in [*puzzles17[::5000], *top1465[::150], CLASS1]:
        data = json.loads(run("explain", "--method", "book", "--to", "json", puzzle).stdout)
        assert list(data) == ["puzzle", "solution", "book_class", "presets", "events"]
        assert check(data["puzzle"], data["events"]) == data["solution"]
        assert (data["book_class"] == 4) == (data["presets"] > 0)
        for event in data["events"]:
            assert set(event) <= KEYS


def test_a_retraction_is_indented_as_its_preset():
    depths = list[int]()
    for line in report_lines(method.explain(HARD)):
        depth = len(line.text) - len(line.text.lstrip())
        if line.kind == "preset":
            depths.append(depth)
        elif line.kind == "retract":
            assert depth == depths.pop()
    assert depths


def test_short_form(top1465):
    """One line per event that is no zeroing, in the same order and at the same depth as in full."""
    kinds = {"convert", "extended", "subset", "preset", "contradiction", "retract", "end", "title"}
    for puzzle in (CLASS1, CLASS2, top1465[0], SEVERAL, NONE):
        record = method.explain(puzzle)
        full = [line for line in report_lines(record) if line.kind in kinds]
        short = list(report_lines(record, short=True, show=("matrices", "marks")))
        assert [line.kind for line in short] == [line.kind for line in full]
        for short_line, full_line in zip(short, full, strict=True):
            assert len(short_line.text) - len(short_line.text.lstrip()) == len(full_line.text) - len(
                full_line.text.lstrip()
            )
            if short_line.kind not in {"convert", "contradiction"}:
                assert short_line == full_line
