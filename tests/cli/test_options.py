"""Options and helps of all commands: flags, defaults, requirements, columns, and examples that run."""

from __future__ import annotations

import inspect
import re
import shlex
from collections import defaultdict
from dataclasses import fields
from typing import Any

import click
import pytest
from cases import in_turn
from command import loaded, run
from example_puzzles import QUIZ, SOLUTION, UNIQUE
from public import FUNCTIONS
from readback import rows_of

import unidoku
from unidoku import method, view
from unidoku._arguments import any_of
from unidoku._cli import command_names
from unidoku._cli.terminal import SECTIONS
from unidoku._options import TABLE, Options, Show
from unidoku.files._formats import FORMATS, output_format
from unidoku.tasks import _speed as speed
from unidoku.view._sheets import Sheets

FILES = {
    **dict.fromkeys(("puzzles.txt", "few.txt", "quiz.txt"), f"{UNIQUE}\n"),
    "solved.txt": f"{SOLUTION}\n",
    "predicted.csv": f"puzzle,prediction\n{UNIQUE},{SOLUTION}\n",
    "train.csv": f"puzzle\n{UNIQUE}\n",
    "test.csv": f"puzzle\n{QUIZ}\n",
}
"""The files of the examples."""


@pytest.fixture
def folder(tmp_path):
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    return tmp_path


def test_an_option_has_the_same_flags_in_every_command():
    """No two options share a flag, and every option of the table is used."""
    option_flags = defaultdict(set)
    for name in command_names():
        for option in loaded(name).params:
            if isinstance(option, click.Option):
                option_flags[option.name].add((*option.opts, *option.secondary_opts))
    assert {name: flags for name, flags in option_flags.items() if len(flags) > 1} == {}
    every = [flag for [flags] in option_flags.values() for flag in flags]
    assert len(every) == len(set(every))
    assert set(option_flags) >= set(TABLE)


@pytest.mark.parametrize("name", command_names())
def test_a_help_is_short_names_all_words_and_ends_with_two_examples_that_run(name, folder):
    """80 lines of 80 characters; choices that are not next to the option are in its text."""
    lines = run(name, "--help", code=0).stdout.splitlines()
    assert len(lines) <= 80
    assert max(map(len, lines)) <= 80
    names = {option.name for option in loaded(name).options}
    titles = [title for title, shared in SECTIONS.items() if names.intersection(shared)]
    assert [line for line in lines if line in {f"{title}:" for title in ("Options", *SECTIONS)}] == [
        f"{title}:" for title in ("Options", *titles)
    ]
    for option in loaded(name).options:
        assert option.help
        if isinstance(option.type, click.Choice) and option.metavar == "WORD":
            assert {*map(str, option.type.choices)} <= {*re.findall(r"[\w.-]*\w", option.help)}
    assert lines[-3] == "  Examples:"
    for example in lines[-2:]:
        before, _, command = example.rpartition(" | ")
        words = shlex.split(command.partition(" < ")[0])
        assert words[:2] == ["unidoku", name]
        if name == "bench":  # takes seconds
            loaded(name).make_context(name, words[2:])
        else:
            given = f"{UNIQUE},{SOLUTION}\n" if "PUZZLE,ANSWER" in before else f"{UNIQUE}\n"
            run(*words[1:], cwd=folder, stdin=given, code=0)


@pytest.mark.parametrize(
    "name",
    [name for name in command_names() if "columns" in {option.name for option in loaded(name).options}],
)
def test_the_columns_that_the_help_names_can_be_written(name, folder):
    """Of a command whose rows are puzzles, others than of one with rows of its own."""
    columns = next(option for option in loaded(name).options if option.name == "columns")
    names = {*re.findall(r"puzzle|file|line|reason", columns.help), *loaded(name).columns}
    arguments = {
        **{"transform": ["--rotate", "90", "puzzles.txt"], "verify": ["predicted.csv"]},
        "generate": [],
    }
    inputs = arguments.get(name, ["puzzles.txt"])
    for output in ("all.csv", "all.parquet"):
        run(name, *inputs, "-o", output, "--columns", ",".join(sorted(names)), cwd=folder)
        assert [*rows_of(folder / output)[0]] == sorted(names)


def test_the_options_of_a_run_are_those_that_it_documents():
    text = unidoku.run.__doc__.partition("Other Parameters")[2].partition("Returns")[0]
    assert {field.name for field in fields(Options)} == {*re.findall(r"^    (\w+) :", text, re.MULTILINE)}


def test_the_help_names_the_formats_of_outputs():
    for command, rows in (("check", True), ("rate", True), ("convert", False), ("generate", False)):
        (option,) = [param for param in loaded(command).params if param.name == "to"]
        names = option.help.removeprefix("Write this format: ").removesuffix(".").split(", ")
        for name in names:
            assert output_format("out", name, rows=rows).suffix == f".{name}"
        formats = {output_format("out", name, rows=rows).format.name for name in names}
        assert formats == {row.name for row in FORMATS.values() if (row.rows if rows else row.write)}


def test_options_have_the_defaults_of_the_functions():
    """The help is made without compiled modules, so the options repeat the defaults of functions."""
    elsewhere: dict[str, list[Any]] = {
        "explain": [method.explain],
        "print": [Sheets, view.svg],
        "bench": [speed.measure_speed],
    }
    count = 0
    for name in command_names():
        names = [attribute for attribute in (name, f"{name}_file") if attribute in FUNCTIONS]
        functions = elsewhere.get(name) or [FUNCTIONS[attribute] for attribute in names]
        options = {param.name: param for param in loaded(name).params if isinstance(param, click.Option)}
        for parameter in (
            parameter
            for function in functions
            for parameter in inspect.signature(function).parameters.values()
        ):
            option = options.get(parameter.name)
            if option is None or parameter.default is parameter.empty or parameter.name in {"count", "lang"}:
                continue  # the default language is that of the environment
            count += 1
            default = option.to_info_dict()["default"]
            assert (default or None) == (parameter.default or None), (name, option.name)
    assert count > 35


@in_turn
@pytest.mark.parametrize("name", command_names())
def test_an_option_is_said_once(name):
    """It is a field of the task, or an option that only the command has, or one that many share."""
    names = [param.name for param in loaded(name).params]
    assert len(names) == len(set(names))


def test_an_option_without_the_one_that_it_needs_is_refused():
    """Even with the default as its value."""
    count, texts = 0, {"--difficulty": "easy", "--where": "er=2"}
    for name in command_names():
        for option in (option for option in loaded(name).options if option.needs):
            flag = option.opts[0]
            choices = getattr(option.type, "choices", None)
            value = option.default or (choices[0] if choices else texts.get(flag, 1))
            arguments = [] if option.is_flag else [",".join(value) if isinstance(value, tuple) else value]
            needed = any_of(option.needs)
            format_option = ["--to", "text"] if name == "print" and "--to html" in option.needs else []
            result = run(name, flag, *arguments, *format_option, code=2)
            assert f"{flag} works only with {needed}; add it" in result.stderr
            count += 1
    assert count > 25


def test_an_option_of_the_screen_is_a_field_of_show_and_not_of_a_run():
    defaults = {"json": False, "quiet": False, "empty_ok": False, "exit_zero": False}
    assert vars(Show()) == defaults
    assert vars(Show(quiet=True)) == {**defaults, "quiet": True}
    assert not {*defaults}.intersection(field.name for field in fields(Options))
    assert [Show().for_people, Show(quiet=True).for_people, Show(json=True).for_people] == [
        True,
        False,
        False,
    ]
