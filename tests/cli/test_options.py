"""Numbers on the command line: bounds, and errors that name them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from command import run
from example_puzzles import UNIQUE

from unidoku import InputOptions, Transformation
from unidoku.cli.options import TABLE
from unidoku.craft.request import SYMMETRIES
from unidoku.method import Order
from unidoku.native.steps import STEP_LIMIT
from unidoku.task import options_of
from unidoku.tasks.transform import Transform
from unidoku.view.sheets import PAPERS, PER_PAGE

HUGE = "99999999999999999999"
OPTIONS = {
    "--limit": ["check", "count", "diagnose", "bench"],
    "-n": ["solutions", "generate", "transform", "minimize"],
    "--budget": ["check", "count", "trace", "rate", "minimize", "generate"],
    "--threads": ["check", "solve", "count", "rate", "convert"],
    "--part-bytes": ["check"],
    "--max-size": ["check", "solve", "count", "solutions", "trace", "explain", "diagnose", "rate", "convert"],
    "--presets": ["explain"],
}
ZERO_IS_ALLOWED = {("explain", "--presets")}


def refused(command, option, value):
    done = run(command, option, value, UNIQUE, code=2)
    assert done.stdout == ""
    assert f"Invalid value for '{option}'" in done.stderr
    return done.stderr


@pytest.mark.parametrize(("option", "commands"), OPTIONS.items())
def test_numbers_out_of_range(option, commands):
    for command in commands:
        message = refused(command, option, HUGE)
        assert f"'{HUGE}' is not a whole number from " in " ".join(message.split())
        refused(command, option, "-1")
        if (command, option) not in ZERO_IS_ALLOWED:
            refused(command, option, "0")
        for value in ("ten", "", "1.5", "nan", "1e3", "9" * 5000):
            assert len(refused(command, option, value)) < 500


@pytest.mark.parametrize("value", ["nan", "0", "-1", "-inf", "many", ""])
@pytest.mark.parametrize("command", ["check", "solve", "convert", "dedupe", "rate", "explain"])
def test_ratios(command, value):
    assert "is not a number above 0 (inf: no bound)" in " ".join(
        refused(command, "--max-ratio", value).split()
    )


@pytest.mark.parametrize("value", ["inf", "1e9", "0.5"])
def test_ratios_that_are_allowed(value):
    run("check", "--max-ratio", value, UNIQUE, code=0)


def test_too_many_threads():
    message = refused("check", "--threads", "999999999")
    assert "'999999999' is not a whole number from 1 to 4096" in " ".join(message.split())


def test_help_names_the_bounds():
    text = " ".join(run("check", "--help").stdout.split())
    assert "1 to 4096" in text
    assert "all: count them all. [default: 2]" in text
    text = " ".join(run("rate", "--help").stdout.split())
    assert f"[default: none; {STEP_LIMIT:,} steps]" in text


def test_the_table_of_options_repeats_the_api():
    """What is slow to import is written there again."""
    known: dict[str, Iterable[object]] = {"symmetry": SYMMETRIES, "per_page": PER_PAGE}
    with pytest.raises(ValueError, match="choose from: ") as caught:
        Transformation.reflection("none")
    axes = next(each.about.choices for each in options_of(Transform) if each.name == "reflect")
    assert list(axes) == str(caught.value).partition("choose from: ")[2].split(", ")
    known["paper"] = PAPERS
    for option, values in known.items():
        assert [str(each) for each in values] == list(TABLE[option].settings["type"].choices)
    assert TABLE["max_ratio"].settings["default"] == InputOptions().max_ratio
    assert TABLE["theorems"].settings["default"] == "".join(map(str, Order().theorems))
