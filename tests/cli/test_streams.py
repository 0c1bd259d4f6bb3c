"""Closed standard streams, full disks and closed pipes."""

from __future__ import annotations

import os
import subprocess

import pytest
from cases import in_turn
from command import UNIDOKU, run, run_process, started
from example_puzzles import UNIQUE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams are closed by a POSIX shell")

COMMANDS = ["check", "solve", "trace"]  # each writes in another way


def shell(redirection, *arguments, **options):
    result = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *UNIDOKU, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        **options,
    )
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr
    return result


@in_turn
@pytest.mark.parametrize("command", COMMANDS)
def test_closed_standard_output(command):
    result = shell(">&-", command, UNIQUE)
    assert result.returncode == 2
    assert "Bad file descriptor" in result.stderr
    assert "is counted and written" not in result.stderr


def test_an_output_that_fails_late_is_not_called_complete(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text(f"{UNIQUE}\n" * 100_000)
    result = shell(
        f"> {tmp_path}/out.txt",
        "check",
        "--solutions",
        "--output",
        "-",
        str(path),
        preexec_fn=limit_file_size,
    )
    assert result.returncode == 2
    assert "the output is incomplete" in result.stderr
    assert "and written" not in result.stderr


def limit_file_size():
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_FSIZE, (15_000_000, 15_000_000))


@pytest.mark.parametrize("command", ["check", "trace"])
def test_closed_streams_that_are_not_needed(command):
    result = shell("<&- 2>&-", command, UNIQUE)
    assert (result.returncode, result.stdout) == (0, run(command, UNIQUE).stdout)


@pytest.mark.parametrize("command", ["check", "trace"])
def test_closed_standard_input(command):
    result = shell("<&-", command)
    assert result.returncode == 2
    assert "<stdin>: Bad file descriptor" in result.stderr


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_standard_output_by_a_name(name):
    stdout = run("solve", stdin=UNIQUE).stdout
    assert run_process("solve", "--output", name, "--to", "txt", stdin=UNIQUE, code=0).stdout == stdout != ""


def test_a_silent_command_needs_no_standard_output(tmp_path):
    path, out = tmp_path / "a.txt", tmp_path / "o.csv"
    path.write_text(f"{UNIQUE}\n")
    for redirection in (">&-", "<&- >&- 2>&-"):
        assert shell(redirection, "check", "--quiet", "--output", str(out), str(path)).returncode == 0
        assert UNIQUE in out.read_text()
        out.unlink()
    assert shell(">&-", "console").returncode == 2
    assert shell("<&-", "console").returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk(command):
    result = shell(">/dev/full", command, UNIQUE)
    assert result.returncode == 2
    assert "No space left on device" in result.stderr


@pytest.mark.parametrize("words", ["explain", "trace", "solve --all", "check -o -"])
def test_a_closed_pipe_is_not_an_error(words, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{UNIQUE} {number}\n" for number in range(20_000 if "-" in words else 3000)))
    with started(*words.split(), path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(300) == 0
        errors = process.stderr.read()
    assert errors == b""
