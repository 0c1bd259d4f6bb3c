"""Chinese words by ``--lang zh`` or the environment; columns and JSON have equal values in each language."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys

import pytest
from command import loaded, on_terminal, run, run_process
from example_puzzles import MULTIPLE, QUIZ, SEVERAL, SOLUTION, UNIQUE

import unidoku
from unidoku.cli import COMMANDS
from unidoku.view.trace import play_trace

CJK = re.compile("[\u4e00-\u9fff]")


def rows(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["rate", "--columns", "puzzle,er,technique,difficulty,reason,class,complete"],
        ["generate", "-n", "3", "--seed", "4"],
        ["minimize", "--seed", "1"],
        ["neighbours", "--keep", "none"],
        ["steps", "--columns", "step,rating,technique,placements"],
        ["hint", "--columns", "technique,rating,reason"],
    ],
)
@pytest.mark.parametrize("to", ["csv", "jsonl"])
def test_values_in_columns_are_the_same_words_everywhere(tmp_path, command, to):
    """Techniques, difficulties, verdicts and reasons: files in two languages can be joined."""
    puzzles = tmp_path / "in.txt"
    puzzles.write_text(f"{UNIQUE}\n{QUIZ}\n" + (f"{SEVERAL}\nx\n" if command[0] in {"check", "rate"} else ""))
    inputs = [] if command[0] == "generate" else [UNIQUE] if command[0] == "neighbours" else [puzzles]
    english, chinese = (
        run(*command, *inputs, "--to", to, "-o", "-", "--lang", lang).stdout for lang in ("en", "zh")
    )
    assert english == chinese != ""
    assert not CJK.search(english)


COLUMNS = ("--columns", "technique,rating,sentence")


def test_sentences_in_columns_follow_the_language(tmp_path):
    puzzles = tmp_path / "in.txt"
    puzzles.write_text(f"{UNIQUE}\n")
    for command in ("steps", "hint"):
        english, chinese = (
            rows(run(command, puzzles, "--to", "csv", *COLUMNS, "--lang", lang, code=0).stdout)
            for lang in ("en", "zh")
        )
        for english_row, chinese_row in zip(english, chinese, strict=True):
            assert not CJK.search(english_row.pop("sentence"))
            assert CJK.search(chinese_row.pop("sentence"))
            assert english_row == chinese_row


@pytest.mark.parametrize("command", ["check", "count", "solve", "rate", "diagnose"])
def test_json_is_the_same_in_each_language(command):
    english, chinese = (run(command, UNIQUE, "--json", "--lang", lang).stdout for lang in ("en", "zh"))
    assert english == chinese
    assert json.loads(english)


ENVIRONMENTS = [
    ({"LANG": "zh_CN.UTF-8"}, "zh"),
    ({"LANG": "zh_TW"}, "zh"),
    ({"LANG": "zh"}, "zh"),
    ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"}, "en"),
    ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
    ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
    ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_SG"}, "zh"),
    ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
    ({}, "en"),
]


@pytest.mark.parametrize(("environment", "lang"), ENVIRONMENTS)
def test_the_environment_says_the_language(environment, lang, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert bool(CJK.search(run("check", UNIQUE, code=0).stdout)) == (lang == "zh")
    assert bool(CJK.search(run("check", UNIQUE, "--lang", "zh", code=0).stdout))
    assert not CJK.search(run("check", UNIQUE, "--lang", "en", code=0).stdout)


SILENT = {"console", "link"}
"""What the console says in a pipe are the words of SudokuSolver, links have none."""
PREDICTED = f"puzzle,prediction\n{UNIQUE},{SOLUTION}\n{UNIQUE},{UNIQUE}\n"
COMMANDS_WITH_WORDS = {
    **{name: (name, UNIQUE, "-o", "{out}.txt") for name in COMMANDS if name not in SILENT},
    "check": ("check", "{puzzles}"),
    "check one": ("check", UNIQUE),
    "check invalid": ("check", "{invalid}"),
    "check sample": ("check", "--sample"),
    "verify": ("verify", "{predicted}"),
    "audit": ("audit", "{puzzles}"),
    "audit two": ("audit", "{puzzles}", "{predicted}"),
    "count": ("count", "{invalid}"),
    "solve": ("solve", SEVERAL),
    "solve all": ("solve", "{puzzles}", "--all", "-n", "2", "-o", "{out}.txt"),
    "diagnose": ("diagnose", SEVERAL),
    "rate": ("rate", "{puzzles}", "-o", "{out}.csv"),
    "hint": ("hint", UNIQUE),
    "steps": ("steps", "{puzzles}", "-o", "{out}.csv"),
    "explain": ("explain", UNIQUE),
    "explain book": ("explain", UNIQUE, "--method", "book"),
    "trace": ("trace", QUIZ),
    "print": ("print", UNIQUE),
    "generate": ("generate", "-o", "{out}.txt"),
    "transform": ("transform", UNIQUE, "-n", "1", "-o", "{out}.txt"),
    "series": ("series", "--seed", "1", "--find", UNIQUE),
    "convert": ("convert", "{puzzles}", "-o", "{out}.csv"),
    "split": ("split", "{puzzles}", "-o", "{out}1.txt", "-o", "{out}2.txt"),
    "info": ("info",),
    "bench": ("bench", "--seconds", "0.02"),
}


@pytest.mark.parametrize("case", COMMANDS_WITH_WORDS)
def test_the_words_of_every_command_follow_the_environment(case, tmp_path, monkeypatch):
    """Each line that has English words in English is Chinese in Chinese, but for errors and names."""
    texts = {
        "puzzles.txt": f"{UNIQUE}\n{MULTIPLE}\n",
        "invalid.txt": f"{UNIQUE}\n" + 30 * "x\n",
        "predicted.csv": PREDICTED,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    names = {name.partition(".")[0]: tmp_path / name for name in texts}
    outputs = []
    for lang in ("en_US.UTF-8", "zh_CN.UTF-8"):
        monkeypatch.setenv("LC_ALL", lang)
        words = [word.format(**names, out=tmp_path / lang) for word in COMMANDS_WITH_WORDS[case]]
        result = run(*words)
        assert result.returncode in {0, 1}
        outputs.append(result.stdout + result.stderr)
    english, chinese = outputs
    assert not CJK.search(english)
    assert CJK.search(chinese)
    # Sentences of hints and pages have other lengths; bench has a line more where its time cut a puzzle off.
    assert len(english.splitlines()) == len(chinese.splitlines()) or case in {"hint", "print", "bench"}


def test_each_command_has_the_option():
    for name in COMMANDS:
        assert "lang" in {option.name for option in loaded(name).options}


@pytest.mark.slow
def test_the_option_is_for_errors_of_commands_without_words():
    for name in SILENT:
        for lang in ("en", "zh"):
            error = run_process(name, UNIQUE, "--lang", lang, "--jsn", code=2).stderr
            assert bool(CJK.search(error)) == (lang == "zh")
    error = run_process("generate", "--where", "er=9-3", "--lang", "zh", code=2).stderr
    assert "或其中的一段，不能是9.0至3.0" in error


def test_the_console_is_the_same_in_each_language(monkeypatch):
    orders = "\nrun\nlevels\nwhy\nrun\nbye\n"
    outputs = set()
    for lang in ("C", "zh_CN.UTF-8"):
        monkeypatch.setenv("LC_ALL", lang)
        outputs.add(run("console", QUIZ, "--show", "none", stdin=orders, code=0).stdout)
    assert len(outputs) == 1


def test_standard_output_without_chinese_characters():
    environment = os.environ | {"LC_ALL": "zh_CN.UTF-8", "PYTHONIOENCODING": "ascii"}
    assert run_process("check", UNIQUE, env=environment, code=0).stdout == "unique\n"
    assert "Hidden single" in run_process("hint", UNIQUE, env=environment, code=0).stdout


@pytest.mark.skipif(os.name != "posix", reason="a terminal as on POSIX")
def test_the_rating_of_one_puzzle_in_words():
    text, code = on_terminal("rate", UNIQUE, environment={"LC_ALL": "zh_CN.UTF-8"})
    assert (text.decode().strip(), code) == ("ER/EP/ED 1.2/1.2/1.2，摒除法，入门", 0)
    text, _ = on_terminal("rate", UNIQUE, "--below", "1.1", "--lang", "zh")
    assert text.decode().strip().endswith(" 1.1+/1.1+/1.1+，至少简单")
    text, code = on_terminal("rate", MULTIPLE, "--lang", "zh")
    assert (text.decode().strip(), code) == ("error: 没有评分：有多个解；用 unidoku diagnose 查看原因", 1)


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
    assert "<h1>数独：各题的解</h1>" in page
    assert "<small>入门 · ER 1.2</small>" in page
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


@pytest.mark.parametrize("command", ["print", "solve", "hint"])
def test_pictures_in_chinese_are_read_out_in_chinese(command, tmp_path):
    run(command, UNIQUE, "-o", "x.svg", "--lang", "zh", cwd=tmp_path, code=0)
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    for tag in ("title", "desc"):
        assert CJK.search(re.search(f"<{tag}>(.*?)</{tag}>", text)[1])


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


THREE_WORDS = re.compile(r"[A-Za-z]{2,}( [A-Za-z]{2,}){2,}")
"""Three words of English one after the other."""


def english_in(text):
    """The lines with English words; not how a command is used."""
    lines = [line for line in text.splitlines() if not line.startswith(("用法", "说明"))]
    return [line for line in lines if THREE_WORDS.search(re.sub(r"unidoku [a-z-]+|--[a-z-]+", "", line))]


PREDICTIONS = (
    *(SOLUTION[:80] + ".", SOLUTION[1:] + SOLUTION[0], SOLUTION[:80] + "5"),
    *("no idea at all", "", "3"),
)
WRONG_FILES = {
    "fake.parquet": b"hello",
    "fake.npy": b"hello",
    "fake.npz": b"PK hello",
    "bad.json": b"{",
    "bad.jsonl": b'{"a":\n',
    "gb.txt": ("今天的数独题目请大家认真做完" * 9).encode("gb18030"),
    "nul.txt": UNIQUE.encode()[:80] + b"\0\n",
    "signs.txt": UNIQUE.replace(".", "。").encode(),
    "page.html": b"<!doctype html><p>hi</p>",
    "a.csv": ("puzzle,prediction\n" + "".join(f"{UNIQUE},{text}\n" for text in PREDICTIONS)).encode(),
}


@pytest.mark.parametrize("name", WRONG_FILES)
@pytest.mark.parametrize("command", ["check", "verify", "audit", "rate", "solve", "hint", "print --to text"])
def test_what_is_said_of_a_wrong_file_is_chinese(tmp_path, monkeypatch, command, name):
    (tmp_path / name).write_bytes(WRONG_FILES[name])
    monkeypatch.setattr(sys, "argv", ["unidoku", "--lang", "zh"])  # for errors after the command
    result = run(*command.split(), name, "--lang", "zh", cwd=tmp_path)
    assert not result.returncode or CJK.search(result.stderr + result.stdout)
    assert english_in(result.stderr) == []


@pytest.mark.parametrize(
    "words",
    [
        "check --only foo",
        "check -sample",
        "check in.tx",
        "in.tx",
        "rate in.txt --threads x",
        "rate in.txt --threads 0",
        "rate in.txt --where difficulty=beginner,hard",
        "rate in.txt --where technique=foo",
        "verify in.txt",
        "split two.txt --by solution -o a.txt -o b.txt --fractions 0.5,0.5",
        "hint in.txt --depth foo",
        "transform in.txt --rotate 45",
        "print in.txt --per-page 5",
        "print --generate 2 --order er --to text",
        "generate --attempts 1 --difficulty extreme --seed 3",
        "generate --attempts 9 --clues 18 --seed 3",
        "generate --attempts 9 --clues 60 --symmetry 180 --minimal --seed 3",
    ],
)
def test_what_is_said_of_a_wrong_word_is_chinese(tmp_path, monkeypatch, words):
    """And says which word it was, where the command line has it."""
    (tmp_path / "in.txt").write_text(UNIQUE)
    (tmp_path / "two.txt").write_text(f"{UNIQUE}\n{SEVERAL}\n")
    monkeypatch.setattr(sys, "argv", ["unidoku", "--lang", "zh"])  # for errors after the command
    result = run(*words.split(), "--lang", "zh", cwd=tmp_path)
    assert result.returncode != 0
    assert CJK.search(result.stderr)
    assert english_in(result.stderr) == []
    for word in ("foo", "45", "'0'", "'x'"):
        assert word.strip("'") not in words.split() or word in result.stderr
