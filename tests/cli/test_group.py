"""The command line as a whole: errors become messages and exit codes."""

import click
import pytest
from click.testing import CliRunner
from command import run, run_process

import unidoku
from unidoku import cli as cli_package
from unidoku.cli import COMMANDS, LazyGroup, cli
from unidoku.errors import InputError


@pytest.mark.parametrize("how", [run, run_process])
def test_version(how):
    done = how("--version")
    assert done == (0, f"unidoku {unidoku.__version__}\n", "")


def test_help_imports_every_command():
    done = run("--help", code=0)
    for name in COMMANDS:
        assert name in done.stdout


def test_help_shows_whole_descriptions():
    assert "..." not in run("--help").stdout.partition("Commands:")[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_description(name):
    command = cli.get_command(click.Context(cli), name)
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
    run(name, "--help", code=0)


def test_unknown_command_is_a_usage_error():
    done = run("nonsense")
    assert done.returncode == 2
    assert "nonsense" in done.stderr
    assert done.stdout == ""


@pytest.fixture
def failing(monkeypatch):
    """A group with one command that raises a given error."""

    def build(error):
        @click.group(cls=LazyGroup)
        def group():
            pass

        @click.command()
        def bad():
            raise error

        monkeypatch.setattr(cli_package, "COMMANDS", {"bad": "bad:bad"})
        monkeypatch.setattr(cli_package, "import_module", lambda name: type("module", (), {"bad": bad}))
        return CliRunner().invoke(group, ["bad"])

    return build


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (InputError("cannot be read", file="a.txt", line=7), 2, "error: a.txt:7: cannot be read\n"),
        (FileNotFoundError(2, "No such file", "gone.txt"), 2, "error: gone.txt: No such file\n"),
        (OSError(28, "No space left on device"), 2, "error: standard output: No space left on device\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (BrokenPipeError(), 0, ""),
        (click.UsageError("no such thing"), 2, "no such thing\n"),
        (click.FileError("x", "broken"), 2, "broken\n"),
        (click.exceptions.Exit(1), 1, ""),
    ],
)
def test_errors_become_messages_and_exit_codes(failing, error, code, words):
    done = failing(error)
    assert done.exit_code == code
    assert done.stderr.endswith(words)
    assert bool(done.stderr) == bool(words)
    assert done.stdout == ""


def test_other_errors_are_bugs_and_keep_their_traceback(failing):
    done = failing(ZeroDivisionError())
    assert isinstance(done.exception, ZeroDivisionError)
