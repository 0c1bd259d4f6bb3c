"""``--lang zh``: messages, pages and words of ratings in Chinese; names of columns stay English."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from command import run
from example_puzzles import MULTIPLE, QUIZ, UNIQUE

import unidoku
from unidoku.errors import InvalidPuzzleError
from unidoku.rating.scale import DIFFICULTIES, TECHNIQUES
from unidoku.view.trace import play_trace
from unidoku.words import table

CHINESE = table("zh")
CJK = re.compile("[\u4e00-\u9fff]")


def rows(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["rate"], ""),
        (["generate", "-n", "3", "--seed", "4"], ""),
        (["steps", "--columns", "step,rating,placements,sentence"], "sentence"),
    ],
)
def test_the_rows_have_the_words_of_the_language(tmp_path, command, name):
    puzzles = tmp_path / "in.txt"
    puzzles.write_text(f"{UNIQUE}\n{QUIZ}\n")
    inputs = [] if command[0] == "generate" else [puzzles]
    english, chinese = (
        rows(run(*command, *inputs, "--to", "csv", "--lang", lang, code=0).stdout) for lang in ("en", "zh")
    )
    assert [row.keys() for row in english] == [row.keys() for row in chinese]
    for english_row, chinese_row in zip(english, chinese, strict=True):
        for key, value in english_row.items():
            if key in {"technique", "difficulty"} and not name:
                group = "techniques" if key == "technique" else "difficulties"
                assert value in {*TECHNIQUES, *DIFFICULTIES}
                assert chinese_row[key] == CHINESE[group][value]
            elif key == name:
                assert CJK.search(chinese_row[key])
            else:
                assert chinese_row[key] == value


def test_the_rating_of_one_puzzle_in_words(tmp_path):
    from unidoku.tasks.rate import COMMAND, Rate

    assert COMMAND.text(Rate(lang="zh"), UNIQUE.encode()) == "ER/EP/ED 1.2/1.2/1.2，摒除法，简单"
    assert COMMAND.text(Rate(below=1.1, lang="zh"), UNIQUE.encode()).endswith(" 1.1+/1.1+/1.1+，至少简单")
    with pytest.raises(InvalidPuzzleError, match=r"^没有评分：有多个解；用 unidoku diagnose 查看原因$"):
        COMMAND.text(Rate(lang="zh"), MULTIPLE.encode())
    path = tmp_path / "in.txt"
    path.write_text(f"{UNIQUE}\n")
    unidoku.run(Rate(lang="zh"), path, tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text())["technique"] == "摒除法"


def test_the_messages(tmp_path):
    out = tmp_path / "out.csv"
    result = run("generate", "-n", "2", "--lang", "zh", "-o", out, code=0)
    count_line, seed_line = result.stderr.splitlines()
    assert count_line == "2题"
    assert re.fullmatch("种子：[0-9]+", seed_line)
    result = run("rate", out, "--lang", "zh", "-o", tmp_path / "rated.csv", code=0)
    assert result.stderr == "2题，无效0行\n"
    result = run("series", "--seed", "1", "--find", UNIQUE, "--lang", "zh", code=1)
    assert result.stderr == "不在该题系列中\n"
    puzzle = run("series", "--seed", "1", "--number", "37", code=0).stdout.split()[0]
    for lang, text in (("en", "number 37, group 2, place 1\n"), ("zh", "第37题，第2组，组内第1题\n")):
        assert run("series", "--seed", "1", "--find", puzzle, "--lang", lang, code=0).stdout == text
    page = run("series", "--seed", "1", "--number", "37", "--to", "html", "--lang", "zh", code=0).stdout
    assert "<h1>数独：第2组</h1>" in page
    assert "<h1>数独：作业结果，第2组</h1>" in page
    assert "第2组第1题</small>" in page


def test_printed_sheets():
    page = run("print", UNIQUE, "--solutions", "--lang", "zh", code=0).stdout
    assert '<html lang="zh">' in page
    assert "<h1>数独</h1>" in page
    assert "<h1>数独：答案</h1>" in page
    assert "<small>简单 · ER 1.2</small>" in page
    assert "第1题的解" in page
    assert not re.search("Puzzle|Solution|easy|Sudoku", page)
    assert "<h1>Sudoku: solutions</h1>" in run("print", UNIQUE, "--solutions", code=0).stdout
    assert "<h1>雨天</h1>" in run("print", UNIQUE, "--lang", "zh", "--title", "雨天", code=0).stdout


@pytest.mark.parametrize("command", ["explain", "explain --method book", "trace", "diagnose", "print"])
def test_pages_in_chinese_are_read_out_in_chinese(command):
    kind = [] if command == "print" else ["--to", "html"]
    page = run(*command.split(), UNIQUE, *kind, "--lang", "zh").stdout
    assert "第1行：" in page
    assert "Row 1" not in page


def test_a_search():
    english = run("trace", QUIZ, code=0).stdout.splitlines()
    chinese = run("trace", QUIZ, "--lang", "zh", code=0).stdout.splitlines()
    assert len(english) == len(chinese)
    for english_line, chinese_line in zip(english, chinese, strict=True):
        assert bool(CJK.search(chinese_line)) == (not re.fullmatch("[0-9 ]+", english_line)), chinese_line
        # equal cells, and equal numbers in any order
        assert re.findall(r"\[\d,\d\]", english_line) == re.findall(r"\[\d,\d\]", chinese_line)
        assert sorted(re.findall(r"\d+", english_line)) == sorted(re.findall(r"\d+", chinese_line))
    assert not CJK.search("".join(english))
    session = unidoku.Session(QUIZ)
    playback = play_trace(session, lang="zh")
    page = playback.page()
    assert '<html lang="zh">' in page
    assert CJK.search(playback.note)
    lines = [line for frame in playback.frames for line in [*frame.lines, frame.heading] if line]
    assert all(CJK.search(line) or re.fullmatch("[\ue0000-9\ue001\xa0=、]+", line) for line in lines)
    events = [run("trace", QUIZ, "--lang", lang, "--to", "jsonl", code=0).stdout for lang in ("en", "zh")]
    assert events[0] == events[1]
