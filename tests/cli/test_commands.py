"""Objects and pictures against the functions of Python, and facts of all commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import asdict

import click
import pytest
from cases import in_turn
from click.testing import CliRunner
from command import loaded, run, summary_of
from example_puzzles import CHAIN, QUIZ, SEVERAL, SOLUTION, UNIQUE as PUZZLE

import unidoku
from unidoku import Grid, view
from unidoku._cli import LazyGroup, command_names
from unidoku.errors import InputError
from unidoku.view._step import picture


@in_turn
@pytest.mark.parametrize(
    ("name", "function"),
    [
        *(("check", unidoku.examine), ("solve", unidoku.examine), ("count", unidoku.examine)),
        *(("rate", unidoku.rate), ("hint", unidoku.hint), ("steps", unidoku.steps)),
        *(("explain", unidoku.steps), ("diagnose", unidoku.diagnose)),
    ],
)
def test_the_object_has_the_fields_of_the_python_result_in_each_language(name, function):
    [line] = run(name, PUZZLE, "--json", code=0).stdout.splitlines()
    result = function(PUZZLE)
    more = {"effort": result.effort} if name == "rate" else {}
    assert json.loads(line) == json.loads(json.dumps(asdict(result))) | more
    chinese = json.loads(run(name, PUZZLE, "--json", "--lang", "zh", code=0).stdout)
    assert chinese.keys() == json.loads(line).keys()


@pytest.mark.parametrize("name", ["print", "hint", "solve"])
def test_a_picture_is_that_of_the_library(name, tmp_path):
    run(name, PUZZLE, "-o", tmp_path / "board.svg", code=0)
    pictures = {
        "print": lambda: view.svg(PUZZLE, labels="rc"),
        "hint": lambda: picture(unidoku.hint(PUZZLE), with_legend=True),
        "solve": lambda: view.svg(SOLUTION, givens=PUZZLE, labels="rc"),
    }
    assert (tmp_path / "board.svg").read_text() == pictures[name]()


def test_the_steps_of_explain_and_hint_are_those_of_the_functions():
    path, several = unidoku.steps(CHAIN), unidoku.all_steps(CHAIN)
    _, *sentences, _, _ = run("explain", CHAIN, "--short", code=0).stdout.splitlines()
    assert sentences == [step.sentence for step in path]
    listed = [f"{step.rating:4.1f}  {step.sentence}" for step in several]
    assert run("hint", CHAIN, "--all", code=0).stdout.splitlines() == listed
    step = next(step for step in path if step.links)
    place = ("--filled", step.before, "--pencil-marks", step.marks)
    assert run("hint", CHAIN, *place, code=0).stdout.startswith(step.sentence)


DRAWN = "\n".join(PUZZLE[i : i + 9] for i in range(0, 81, 9))
FILES = {"one.txt": f"{PUZZLE}\n", "board.txt": DRAWN}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", "check solve count trace explain diagnose rate hint canonical".split())
def test_one_puzzle_of_a_file_or_of_standard_input_is_as_if_typed(command, name, tmp_path):
    (tmp_path / name).write_text(FILES[name])
    result = run(command, PUZZLE, code=0)
    assert run(command, name, cwd=tmp_path) == result
    assert run(command, stdin=FILES[name]) == run(command, "-", stdin=FILES[name]) == result


@pytest.mark.parametrize(
    ("words", "to"),
    [
        *(("check", "csv"), ("minimize --seed 1", "jsonl")),
        ("steps --columns step,rating,technique,placements", "jsonl"),
        ("rate --columns puzzle,er,technique,difficulty,reason,book_class", "csv"),
        ("hint --columns technique,reason", "csv"),
    ],
)
def test_values_in_columns_are_the_same_words_in_each_language(words, to, tmp_path):
    """Techniques, difficulties, verdicts and reasons: files in two languages can be joined."""
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n{QUIZ}\n{SEVERAL}\nx\n")
    english, chinese = (
        run(*words.split(), "in.txt", "--to", to, "--lang", lang, cwd=tmp_path).stdout
        for lang in ("en", "zh")
    )
    assert english == chinese != ""


@in_turn
@pytest.mark.parametrize("words", ["generate", f"minimize {SOLUTION}", f"transform {PUZZLE} -n 1"])
def test_without_a_seed_it_is_fresh_and_printed(words):
    first, second = run(*words.split(), code=0), run(*words.split(), code=0)
    assert first.stdout != second.stdout
    [seed] = re.findall(r"^seed: (\d+)$", first.stderr, re.MULTILINE)
    assert run(*words.split(), "--seed", seed).stdout == first.stdout


def test_a_booklet_has_new_puzzles_of_the_difficulty_and_their_solutions():
    booklet = ("print", "--generate", 7, "--difficulty", "easy", "--seed", 1)
    page = run(*booklet, code=0).stdout
    boards = re.findall("<desc>(.*?)</desc>", page)
    grids = [Grid("".join(re.findall(r"(\d|empty)(?= |\.)", text)).replace("empty", ".")) for text in boards]
    assert all(unidoku.check(grid) and unidoku.rate(grid).difficulty == "easy" for grid in grids[:7])
    assert [unidoku.solve(grid) for grid in grids[:7]] == grids[7:]
    assert all([*map(bool, grid)] == [*map(bool, grid)][::-1] for grid in grids[:7])  # as in newspapers
    assert all(28 <= grid.clues <= 34 for grid in grids[:7])
    assert run(*booklet, code=0).stdout == page


@pytest.mark.parametrize(
    "words", ["canonical", "minimize --seed 1", "convert", "split --seed 1 -o a.csv -o b.csv", "solve"]
)
def test_all_arguments_are_inputs(words, tmp_path):
    """No file of an expanded ``*.txt`` is overwritten."""
    texts = {f"{k}.txt": f"{PUZZLE}\n" for k in range(3)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    run(*words.split(), *texts, cwd=tmp_path, code=0)
    assert {path.name: path.read_text() for path in tmp_path.glob("*.txt")} == texts


@pytest.mark.skipif(sys.platform == "win32", reason="such names are not allowed")
def test_no_name_reaches_the_terminal_raw(tmp_path):
    """Names of files, members and columns, and arguments, may have any character."""
    name = "a\x1b[2J\x07\nb"
    lines, table = f"{name}.txt", f"{name}.csv"
    (tmp_path / lines).write_text(f"{PUZZLE}\nbad\n{PUZZLE}\n")
    (tmp_path / table).write_text('"x\x1b[31m","y"\n1,2\n')
    for words in (
        *(["check", lines], ["check", f"{name}none"], ["check", PUZZLE, "--column", name], ["check", table]),
        *(["check", lines, "--columns", name], ["check", lines, "-o", lines], ["explain", lines]),
        *(["trace", lines, "--steps", 1], ["hint", lines], ["print", lines, "-o", f"{name}.html"]),
        ["split", lines, "-o", f"{name}1.txt", "-o", f"{name}2.txt"],
        *(["convert", lines, "-o", f"{name}.xyz"], ["check", f"--{name}"], ["diagnose", lines, "--to", name]),
        [name],
    ):
        result = run(*words, cwd=tmp_path)
        assert not {*result.stdout, *result.stderr} & {"\x1b", "\x07"}, words
        assert "\nb.txt" not in result.stdout + result.stderr, words


def failing(error):
    """Run a command that raises an error."""

    @click.command()
    def bad():
        raise error

    class Group(LazyGroup):
        def get_command(self, ctx, cmd_name):
            return bad

    return CliRunner().invoke(Group(), ["check"])


@in_turn
@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (InputError("cannot be read", file="a.txt", line=7), 2, "error: a.txt:7: cannot be read\n"),
        (FileNotFoundError(2, "No such file", "gone.txt"), 2, "error: gone.txt: No such file\n"),
        (OSError(28, "No space left on device"), 2, "output: No space left on device\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (MemoryError("of an array"), 2, "error: not enough memory: of an array\n"),
        (BrokenPipeError(), 0, ""),
        (click.UsageError("no such thing"), 2, "error: no such thing; see root check --help\n"),
        (click.exceptions.Exit(1), 1, ""),
    ],
)
def test_errors_become_messages_and_exit_codes(error, code, words):
    result = failing(error)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.endswith(words)
    assert bool(result.stderr) == bool(words)


def test_other_errors_are_bugs_and_keep_their_traceback():
    assert isinstance(failing(ZeroDivisionError()).exception, ZeroDivisionError)


@in_turn
@pytest.mark.parametrize("flag", ["--threads", "--jobs", "-j"])
def test_threads_are_set_by_each_name(flag):
    assert summary_of(run("check", PUZZLE, PUZZLE, flag, "3", "--json"))["threads"] == 3


@in_turn
@pytest.mark.parametrize("name", command_names())
def test_each_command_has_the_language_and_refuses_an_unknown_option(name):
    assert "lang" in {option.name for option in loaded(name).options}
    run(name, "--no-such-option", code=2)


def test_all_commands_are_listed_without_docstrings():
    words = [sys.executable, "-OO", "-m", "unidoku", "--help"]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert {*command_names()} <= {*re.findall(r"(?m)^  (\w+)  ", listed)}
