"""Options of the command line: bounds, defaults, requirements, and messages about them."""

from __future__ import annotations

import inspect
import re
from contextlib import nullcontext
from dataclasses import fields
from typing import Any

import click
import pytest
from command import loaded, run
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku import Transformation, UnidokuError, check_file, method, view
from unidoku.cli import COMMANDS
from unidoku.files.formats import FORMATS, output_format
from unidoku.options import Options, options_of
from unidoku.tasks import Check, Verify, speed
from unidoku.tasks.transform import Transform
from unidoku.view.sheets import sheets

HUGE = "99999999999999999999"
OPTIONS = {
    "--limit": ["check", "count", "diagnose", "bench"],
    "-n": ["solve", "generate", "transform"],
    "--budget": ["check", "count"],
    "--presets": ["explain"],
    "--steps": ["trace"],
    "--attempts": ["generate"],
    "--threads": ["check", "solve", "count", "rate", "convert"],
}
ZERO_IS_ALLOWED = {("explain", "--presets")}


def refusal(command, option, value):
    result = run(command, option, value, UNIQUE, code=2)
    assert result.stdout == ""
    assert f"Invalid value for '{option}'" in result.stderr
    return " ".join(result.stderr.split())


@pytest.mark.parametrize(("option", "commands"), OPTIONS.items())
def test_numbers_out_of_range(option, commands):
    for command in commands:
        assert f"{HUGE} is not in the range " in refusal(command, option, HUGE)
        refusal(command, option, "-1")
        if (command, option) not in ZERO_IS_ALLOWED:
            refusal(command, option, "0")
        for value in ("ten", "", "1.5", "nan", "1e3"):
            refusal(command, option, value)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("threads", 5000, "threads: 5000 is not in the range 1<=x<=4096."),
        ("keep", [], "keep: at least one word is needed."),
        ("columns", [], "columns: at least one word is needed."),
        ("columns", ["a", "b", "a"], "columns: ['a', 'b', 'a'] names a word twice."),
        ("only", ["all"], "only: 'all' is not one of 'none', 'unique', 'multiple', 'unknown', 'invalid'."),
    ],
)
def test_every_function_checks_the_options(name, value, reason):
    with pytest.raises(UnidokuError, match=re.escape(reason)):
        Options(**{name: value})
    with pytest.raises(UnidokuError, match=re.escape(reason)):
        check_file("no-such-file", **{name: value})


def test_the_options_of_a_run_are_those_that_it_documents():
    text = unidoku.run.__doc__.partition("Other Parameters")[2].partition("Returns")[0]
    assert {field.name for field in fields(Options)} == {*re.findall(r"^    (\w+) :", text, re.MULTILINE)}


@pytest.mark.parametrize("empty", [True, False])
def test_an_output_of_no_records_may_appear(empty, tmp_path):
    (tmp_path / "in.txt").write_text("# nothing\n")
    with nullcontext() if empty else pytest.raises(unidoku.InputError, match="no puzzle in the inputs"):
        unidoku.run(Check(), tmp_path / "in.txt", tmp_path / "out.csv", empty=empty)
    assert (tmp_path / "out.csv").exists() is empty


@pytest.mark.parametrize(("keep", "rows"), [("columns", "1,x"), ("none", "")])
def test_keep_selects_columns_of_the_input(keep, rows, tmp_path):
    """Columns with names by default, or nothing."""
    (tmp_path / "in.csv").write_text(f"puzzle,id,note\n{UNIQUE},1,x\n")
    (tmp_path / "in.txt").write_text(f"{UNIQUE} # easy\n")
    run("convert", "--keep", keep, tmp_path / "in.csv", "-o", tmp_path / "out.csv", code=0)
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == f"{UNIQUE},{rows}".removesuffix(",")
    run("check", "--keep", keep, tmp_path / "in.txt", "-o", tmp_path / "out.jsonl", code=0)
    assert "# easy" not in (tmp_path / "out.jsonl").read_text()
    run("check", "--keep", keep, tmp_path / "in.csv", "-o", tmp_path / "out.jsonl", code=0)
    assert ('"note": "x"' in (tmp_path / "out.jsonl").read_text()) is (keep != "none")
    (tmp_path / "in.csv").write_text(f"puzzle,solution,id\n{UNIQUE},{SOLUTION},1\n")
    result = unidoku.run(Verify(), tmp_path / "in.csv", tmp_path / "out.csv", keep=keep)
    assert result.right == 1  # answers are read in any case
    run("convert", "--keep", keep, tmp_path / "in.txt", "-o", tmp_path / "out.txt", code=0)
    assert (tmp_path / "out.txt").read_text() == f"{UNIQUE}\n"


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
        "print": [sheets, view.svg],
        "bench": [speed.run],
    }
    count = 0
    for name in COMMANDS:
        names = [attribute for attribute in (name, f"{name}_file") if hasattr(unidoku, attribute)]
        functions = elsewhere.get(name) or [getattr(unidoku, attribute) for attribute in names]
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


def test_an_option_without_the_one_that_it_needs_is_refused():
    """Even with the default as its value."""
    count, texts = 0, {"--difficulty": "easy", "--where": "er=2"}
    for name in COMMANDS:
        for option in (option for option in loaded(name).options if option.needs):
            flag = option.opts[0]
            choices = getattr(option.type, "choices", None)
            value = option.default or (choices[0] if choices else texts.get(flag, 1))
            arguments = [] if option.is_flag else [",".join(value) if isinstance(value, tuple) else value]
            needed = " or ".join(option.needs)
            format_option = ["--to", "text"] if (name, needed) == ("print", "--to html or --to pdf") else []
            assert f"{flag} needs {needed}." in run(name, flag, *arguments, *format_option, code=2).stderr
            count += 1
    assert count > 25


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_fits_a_screen_and_names_all_words(name):
    """66 lines of 80 characters; choices that do not stand beside the option are in its text."""
    text = run(name, "--help", code=0).stdout
    assert len(text.splitlines()) <= 66
    for option in loaded(name).options:
        if isinstance(option.type, click.Choice) and option.metavar == "WORD":
            assert {*map(str, option.type.choices)} <= {*re.findall(r"[\w.]*\w", option.help)}


@pytest.mark.parametrize("words", ["-o x.HTML", "-o x.Htm", "--to HTML -o x.htm", "--to .htm -o x.txt"])
@pytest.mark.parametrize("command", [f"diagnose {UNIQUE}", "series --seed 1 --number 1 --title A"])
def test_the_name_of_a_page_is_known_in_any_case(command, words, tmp_path):
    run(*command.split(), *words.split(), cwd=tmp_path, code=0)
    assert (tmp_path / words.split()[-1]).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_number_of_python_is_not_truncated():
    with pytest.raises(TypeError):
        Check(limit=2.5)


def test_the_command_has_the_axes_of_the_function():
    reflect = next(option for option in options_of(Transform) if option.name == "reflect")
    axes = [Transformation.reflection(axis) for axis in reflect.type.choices]
    assert len(set(axes)) == 4
