"""The command line as a whole: the help, the option table, errors that become messages and exit codes."""

import os
import re
import shlex
import sys
from collections import defaultdict
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from command import loaded, on_terminal, run, run_process, summary_of
from example_puzzles import EIGHT, MULTIPLE, QUIZ, SOLUTION, UNIQUE

import unidoku
from unidoku.cli import COMMANDS, GROUPS, LazyGroup
from unidoku.errors import InputError
from unidoku.options import TABLE


@pytest.mark.parametrize("runner", [run, run_process])
def test_version(runner):
    result = runner("--version")
    assert result == (0, f"unidoku {unidoku.__version__}\n", "")


def test_help_lists_each_command_in_one_group():
    text = run("--help").stdout.partition("Check:")[2]
    assert re.findall(r"^  ([a-z]+) ", text, re.MULTILINE) == list(COMMANDS)
    assert "..." not in text  # their descriptions are whole


def test_the_description_of_a_command_is_the_first_sentence_of_its_help():
    for commands in GROUPS.values():
        for name, text in commands.items():
            assert text == loaded(name).get_short_help_str(80)


def test_an_option_has_the_same_flags_in_every_command():
    """No two options share a flag, and every option of the table is used."""
    option_flags = defaultdict(set)
    for name in COMMANDS:
        for option in loaded(name).params:
            if isinstance(option, click.Option):
                option_flags[option.name].add((*option.opts, *option.secondary_opts))
    assert {name: flags for name, flags in option_flags.items() if len(flags) > 1} == {}
    every = [flag for [flags] in option_flags.values() for flag in flags]
    assert len(every) == len(set(every))
    assert set(option_flags) >= set(TABLE)


FILES = {
    **dict.fromkeys(("puzzles.txt", "few.txt", "quiz.txt"), f"{UNIQUE}\n"),
    "solved.txt": f"{SOLUTION}\n",
    "predicted.csv": f"puzzle,prediction\n{UNIQUE},{SOLUTION}\n",
    "train.csv": f"puzzle\n{UNIQUE}\n",
    "test.csv": f"puzzle\n{QUIZ}\n",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_describes_all_and_ends_with_two_examples_that_run(name, tmp_path):
    command = loaded(name)
    assert command.help
    assert [
        option.name for option in command.params if isinstance(option, click.Option) and not option.help
    ] == []
    heading, *examples = map(str.strip, run(name, "--help", code=0).stdout.rstrip().splitlines()[-3:])
    assert heading == "Examples:"
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    for example in examples:
        words = shlex.split(example.partition(" < ")[0])
        assert words[:2] == ["unidoku", name]
        if name == "bench":  # takes seconds
            command.make_context(name, words[2:])
        else:
            assert run(*words[1:], cwd=tmp_path, stdin=f"{UNIQUE}\n").returncode == 0, example


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *(("chekc", "check"), ("solv", "solve"), ("neighbour", "neighbours"), ("tran", "trace or transform")),
        ("version", "--version or verify"),
        *(
            ("create", "generate"),
            ("draw", "print"),
            ("Play", "explain"),
            ("grade", "rate"),
            ("shwo", "print"),
        ),
    ],
)
def test_a_misspelled_command_gets_a_suggestion(word, meant):
    message = run(word, code=2).stderr
    assert f"No such command '{word}'. Did you mean {meant}?" in message


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (f"{UNIQUE}1", "is neither a file nor a puzzle: expected 81 cells, found 82"),
        (UNIQUE[:-1] + "z", "is neither a file nor a puzzle: expected a digit or an empty cell"),
        ("53", "'53' is neither a file nor a puzzle"),
        ("nofile.txt", "There is no command, file or puzzle 'nofile.txt'."),
        ("a\x1b[2J\n", r"There is no command, file or puzzle 'a\x1b[2J\n'."),
    ],
)
def test_a_message_about_an_unknown_first_word(word, message):
    error = run(word, code=2).stderr
    assert message in error
    assert "No such command" not in error


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_pages_and_arrow_are_not_for_a_terminal():
    for words in (["print", "--to", "html"], ["print", "--to", "svg"], ["check", "--to", "arrow"]):
        text, code = on_terminal(*words, UNIQUE)
        assert code == 2
        assert b"is not for a terminal: name a file with --output" in b" ".join(text.split())
    assert run("print", UNIQUE, code=0).stdout.startswith("<!DOCTYPE html>")


def test_words_are_known_in_any_case(tmp_path):
    for words in (
        ["generate", "--seed", 1, "--difficulty", "Easy", "--symmetry", "FULL"],
        ["transform", UNIQUE, "--reflect", "Horizontal"],
        ["link", UNIQUE, "--site", "Sudoku.Coach"],
        ["explain", UNIQUE, "--to", "JSON", "--lang", "ZH"],
        ["convert", UNIQUE, "--to", "CSV", "-q"],
        ["convert", UNIQUE, "--unique", "Canonical"],
        ["print", UNIQUE, "--paper", "A4"],
        ["hint", UNIQUE, "--depth", "Where"],
    ):
        run(*words, code=0)
    assert run("generate", "--seed", 1, "--difficulty", "Easy") == run(
        "generate", "--seed", 1, "--difficulty", "easy"
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("minimize none.txt", 2),
        ("minimize bad.txt", 1),
        ("neighbours none.txt", 2),
        ("transform none.txt -n 2", 2),
        ("generate -o a.xyz", 2),
        ("generate --clues 18 --attempts 1 -o a.txt", 1),
        ("split none.txt -o a.txt -o b.txt", 2),
        ("series --number 1000000000", 2),
        ("print --generate 1 -o none/a.html", 2),
    ],
)
def test_no_seed_is_printed_where_nothing_is_made(tmp_path, monkeypatch, words, code):
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text("bad\n")
    assert "seed: " not in run(*words.split(), code=code).stderr


def test_the_seed_of_rows_that_are_made_is_printed_last(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(UNIQUE + "\n")
    for words, code in (
        (["minimize", path], 0),
        (["minimize", tmp_path / "none.txt", path], 2),
        (["transform", tmp_path / "none.txt", path, "-n", 2], 2),
        (["generate", "-n", 1000, "--clues", "22-23", "--attempts", 300, "-o", tmp_path / "a.txt"], 1),
    ):
        assert run(*words, code=code).stderr.splitlines()[-1].startswith("seed: ")


def test_rows_that_are_no_puzzles_are_called_rows(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("bad\n")
    steps = len(unidoku.steps(UNIQUE))
    result = run("steps", UNIQUE, UNIQUE, bad, "-o", tmp_path / "a.csv", code=1)
    assert result.stderr.splitlines()[-1] == f"2 puzzles, {2 * steps} rows, 1 invalid"
    result = run("transform", UNIQUE, "-n", 2, "--seed", 1, "-o", tmp_path / "a.csv", code=0)
    assert result.stderr == "2 puzzles, 0 invalid\n"


@pytest.mark.parametrize("option", [["--resume"], ["--overwrite"], ["--cluster", "local:2"]])
def test_parts_without_a_folder_name_the_option(option, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n")
    for output in ([], ["-o", tmp_path / "a.csv"]):
        errors = run("rate", path, *output, *option, code=2).stderr
        assert option[0].removeprefix("--") in errors
        assert "need a folder as output: -o" in errors
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize(
    ("words", "completion"),
    [("unidoku gen", "plain,generate\n"), ("unidoku check --thr", "plain,--threads\n")],
)
def test_shell_completion(words, completion):
    names = {"_UNIDOKU_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    assert run_process(code=0, env=os.environ | names) == (0, completion, "")


@pytest.mark.parametrize("puzzle", [UNIQUE, UNIQUE.replace(".", "0"), f"-{UNIQUE[1:]}".replace(".", "-")])
def test_a_puzzle_without_a_command_is_solved(puzzle):
    assert run(puzzle, code=run("solve", puzzle).returncode).stdout == run("solve", puzzle).stdout
    assert run(UNIQUE, "--to", "csv", code=0).stdout == run("solve", UNIQUE, "--to", "csv").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_the_rating_of_one_puzzle_is_a_sentence_on_a_terminal():
    for words, sentence, code in (
        ([UNIQUE], b"ER/EP/ED 1.2/1.2/1.2, hidden single, beginner", 0),
        ([MULTIPLE], b"error: no rating: several solutions; unidoku diagnose shows why", 1),
        ([QUIZ, "--below", "4.5"], b"ER/EP/ED 4.5+/1.2/1.2, at least hard", 0),
    ):
        text, exit_code = on_terminal("rate", *words)
        assert (text.strip(), exit_code) == (sentence, code)
    assert on_terminal("rate", UNIQUE, "--to", "jsonl")[0].startswith(b'{"puzzle":')


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_one_puzzle_is_drawn_on_a_terminal():
    text, code = on_terminal("solve", UNIQUE)
    assert (text.decode().replace("\r\n", "\n"), code) == (f"{unidoku.Grid(SOLUTION)}\n", 0)
    text, code = on_terminal("solve", EIGHT)
    assert b"one of several solutions" in text
    assert b"------+-------+------" in text
    text, code = on_terminal("solve", UNIQUE, "--to", "txt")
    assert (text.decode().strip(), code) == (SOLUTION, 0)
    text, code = on_terminal("solve", "11" + "." * 79)
    note = "note: no solution: r1c1 and r1c2 both hold 1 in row 1; unidoku diagnose shows why"
    assert (text.decode().split("\r\n")[:2], code) == ([note, "none"], 1)


def failing(error):
    """Run a command that raises an error."""

    @click.command()
    def bad():
        raise error

    class Group(LazyGroup):
        def get_command(self, ctx, cmd_name):
            return bad

    return CliRunner().invoke(Group(), ["check"])


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (InputError("cannot be read", file="a.txt", line=7), 2, "error: a.txt:7: cannot be read\n"),
        (FileNotFoundError(2, "No such file", "gone.txt"), 2, "error: gone.txt: No such file\n"),
        (
            OSError(28, "No space left on device"),
            2,
            "output: No space left on device\n",
        ),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (MemoryError("of an array"), 2, "error: not enough memory: of an array\n"),
        (BrokenPipeError(), 0, ""),
        (click.UsageError("no such thing"), 2, "no such thing\n"),
        (click.FileError("x", "broken"), 2, "broken\n"),
        (click.exceptions.Exit(1), 1, ""),
    ],
)
def test_errors_become_messages_and_exit_codes(error, code, words):
    result = failing(error)
    assert result.exit_code == code
    assert result.stderr.endswith(words)
    assert bool(result.stderr) == bool(words)
    assert result.stdout == ""


def test_other_errors_are_bugs_and_keep_their_traceback():
    result = failing(ZeroDivisionError())
    assert isinstance(result.exception, ZeroDivisionError)


@pytest.mark.parametrize("flag", ["--threads", "--jobs", "-j"])
def test_threads_are_set_by_each_name(flag: str) -> None:
    assert summary_of(run("check", UNIQUE, UNIQUE, flag, "3", "--json"))["threads"] == 3


def test_neighbors_is_the_command_neighbours() -> None:
    assert run("neighbors", "--help").stdout == run("neighbours", "--help").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_as_wide_as_a_terminal(name):
    lines = run(name, "--help", code=0).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    columns = {*loaded(name).columns}
    if columns:
        start = next(number for number, line in enumerate(lines) if line.startswith("Columns"))
        assert columns <= {line.split()[0] for line in lines[start:] if line.startswith("  ")}


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if any(option.name == "columns" for option in loaded(name).options)]
)
def test_the_columns_that_the_help_names_can_be_written(name, tmp_path):
    """Of a command whose rows are puzzles, others than of one with rows of its own."""
    columns = next(option for option in loaded(name).options if option.name == "columns")
    names = {*re.findall(r"puzzle|file|line|reason", columns.help), *loaded(name).columns}
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    arguments = {
        **{"transform": ["--rotate", "90", "puzzles.txt"], "verify": ["predicted.csv"]},
        **{"solve": ["--all", "puzzles.txt"], "generate": []},
    }
    inputs = arguments.get(name, ["puzzles.txt"])
    written = run(name, *inputs, "-o", "all.csv", "--columns", ",".join(sorted(names)), cwd=tmp_path)
    assert written.returncode in {0, 1}, written.stderr
    assert (tmp_path / "all.csv").read_text().split("\n")[0].split(",") == sorted(names)


@pytest.mark.parametrize("words", ["--json check", "-o x.csv check", "--threads 2 check", "-q neighbors"])
def test_an_option_before_the_command_is_told_where_it_goes(words):
    option = words.split()[0]
    result = run(*words.split(), UNIQUE, code=2)
    assert f"options follow the command: unidoku COMMAND {option}." in result.stderr
    assert re.search(r"Did you mean '?--version'?\?", run("--verson", code=2).stderr)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("generate -n 0", "Invalid value for '-n' / '--count': 0 is not at least 1."),
        (f"count {UNIQUE} --limit 0", "'--limit': 0 is not at least 1."),
        (f"check {UNIQUE} --threads x", "'x' is not a valid whole number."),
        (f"rate {UNIQUE} --below x", "'x' is not a valid number."),
        (f"hint {UNIQUE} --filled nofile.txt", "error: nofile.txt: No such file or directory"),
        (f"hint {UNIQUE} --pencil-marks nofile.txt", "error: nofile.txt: No such file or directory"),
        (f"hint {UNIQUE} --filled 123", "--filled: expected 81 cells, found 3"),
        (f"split {UNIQUE} -o a.txt -o b.txt --fractions a,b", "'a,b' is not a number for each output, such"),
        (f"series {UNIQUE}", "error: <argument 1>:1: not a full grid"),
        (f"series {SOLUTION} {UNIQUE} --number 1", "error: <argument 2>:1: not a full grid"),
        (f"verify {UNIQUE}", "expected a column prediction, answer, "),
    ],
)
def test_a_refusal_says_what_was_expected(words, message, tmp_path):
    result = run(*words.split(), cwd=tmp_path)
    assert result.returncode in {1, 2}
    assert message in result.stderr
    assert not list(tmp_path.iterdir())


def test_help_is_a_command_too(tmp_path):
    assert run("help", code=0).stdout == run("--help", code=0).stdout
    assert run("help", "rate", code=0).stdout == run("rate", "--help", code=0).stdout
    assert "There is no command" in run("help", "nothing", code=2).stderr
    (tmp_path / "help").write_text(UNIQUE)  # a file has priority
    assert run("help", cwd=tmp_path, code=0).stdout.strip() == SOLUTION


def test_nine_rows_are_a_board():
    rows = [UNIQUE[k : k + 9] for k in range(0, 81, 9)]
    for words in (
        ["solve", *rows],
        rows,
        [*rows[:8], " ".join(rows[8])],
        ["solve", *(f"{row}|" for row in rows)],
    ):
        assert run(*words, code=0).stdout == f"{SOLUTION}\n"
    for words, fault in (
        ([*rows[:4], rows[4][:8], *rows[5:]], "row 5 has 8 cells, expected 9: 4..8.3.."),
        (rows[:8], "expected 9 rows of 9 cells, found 8 rows"),
        ([*rows, rows[0]], "expected 9 rows of 9 cells, found 10 rows"),
    ):
        result = run("solve", *words, code=2)
        assert result.stderr.startswith(f"error: {fault}")
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["generate", "12"], "A number of puzzles needs -n: unidoku generate -n 12"),
        (["generate", "12", "13"], "unidoku generate takes no inputs: 12 13"),
        (["info", "x"], "unidoku info takes no inputs: x"),
        (["hlep"], "Did you mean help?"),
        (["print", UNIQUE, "--answers"], "Did you mean --solutions?"),
        (["hint", UNIQUE, "--language", "zh"], "Did you mean --lang?"),
    ],
)
def test_what_is_meant_by_another_word(words, error):
    found = run(*words, code=2).stderr.translate(dict.fromkeys(map(ord, "('")))  # as some versions of click
    assert error in found.replace("one of: ", "")


def test_an_output_needs_its_option(tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle\n{UNIQUE}\n")
    for command in ("convert", "check", "rate", "explain"):
        result = run(command, "in.csv", "out.csv.gz", cwd=tmp_path, code=2)
        assert f"an output needs -o: unidoku {command} in.csv -o out.csv.gz" in result.stderr
        assert result.stdout == ""
    for command, name in (("print", "out.html"), ("explain", "out.pdf"), ("hint", "out.svg")):
        assert f"-o {name}" in run(command, "in.csv", name, cwd=tmp_path, code=2).stderr
    assert "No such file" in run("convert", "gone.csv", "out.csv", cwd=tmp_path, code=2).stderr
    assert "No such file" in run("convert", "in.csv", "out.csv", "-o", "x.txt", cwd=tmp_path, code=2).stderr


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("generate --difficulty ea", ["easy"]),
        ("generate --difficulty easy=1,me", ["easy=1,medium="]),
        ("generate --where technique=sw", ["technique=swordfish"]),
        ("generate --where er=3-4,technique=sw", ["er=3-4,technique=swordfish"]),
        ("check --where verdict=m", ["verdict=multiple"]),
        ("print --difficulty beg", ["beginner"]),
    ],
)
def test_completion_offers_words(words, found):
    *before, incomplete = words.split()
    complete = ShellComplete(unidoku.cli.cli, {}, "unidoku", "_UNIDOKU_COMPLETE")
    assert [item.value for item in complete.get_completions(before, incomplete)] == found
