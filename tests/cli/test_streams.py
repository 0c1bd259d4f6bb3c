"""Closed standard streams, full disks and closed pipes."""

from __future__ import annotations

import os
import subprocess

import pytest
from command import UNIDOKU, run, run_process, started
from example_puzzles import UNIQUE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams are closed by a POSIX shell")

READERS = ["check", "solve", "count", "trace", "explain", "diagnose", "rate"]
COMMANDS = {name: [UNIQUE] for name in (*READERS, "convert")} | {"info": []}
QUICK = ["check", "solve", "trace"]  # in the quick suite; each writes in another way


def shell(redirection, *arguments, **more):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *UNIDOKU, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        **more,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


def slow(*values):
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def some(commands):
    return [*QUICK, *slow(*(command for command in commands if command not in QUICK))]


@pytest.mark.parametrize("redirection", [">&-", *slow(">&- 2>&-")])
@pytest.mark.parametrize("command", some(COMMANDS))
def test_closed_standard_output(command, redirection):
    done = shell(redirection, command, *COMMANDS[command])
    assert done.returncode == 2
    if "2>&-" not in redirection:
        first, *more = done.stderr.splitlines()
        assert first.endswith("Bad file descriptor")
        assert "error: -:" not in first
        assert not [line for line in more if "is counted and written" in line]


def test_an_output_that_fails_late_is_not_called_complete(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text(f"{UNIQUE}\n" * 100_000)
    done = shell(f"> {tmp_path}/out.txt", "check", "--output", "-", str(path), preexec_fn=limit_file_size)
    assert done.returncode == 2
    assert "the output is not complete" in done.stderr
    assert "and written" not in done.stderr


def limit_file_size():
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_FSIZE, (15_000_000, 15_000_000))


@pytest.mark.parametrize("redirection", ["<&- 2>&-", *slow("<&-", "2>&-")])
@pytest.mark.parametrize("command", some(COMMANDS))
def test_closed_streams_that_are_not_needed(command, redirection):
    done = shell(redirection, command, *COMMANDS[command])
    assert done.returncode == 0
    assert done.stdout == run(command, *COMMANDS[command]).stdout or command in {"check", "info"}


@pytest.mark.parametrize("redirection", ["<&-", *slow("<&- >&- 2>&-")])
@pytest.mark.parametrize("command", some(READERS))
def test_closed_standard_input(command, redirection):
    done = shell(redirection, command)
    assert done.returncode == 2
    if "2>&-" not in redirection:
        assert "<stdin>: Bad file descriptor" in done.stderr


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_standard_output_by_a_name(name):
    wanted = run("solve", stdin=UNIQUE).stdout
    assert run_process("solve", "--output", name, "--to", "txt", stdin=UNIQUE, code=0).stdout == wanted != ""


def test_what_writes_nothing_needs_no_standard_output(tmp_path):
    path, out = tmp_path / "a.txt", tmp_path / "o.csv"
    path.write_text(f"{UNIQUE}\n")
    for redirection in (">&-", "<&- >&- 2>&-"):
        assert shell(redirection, "check", "--quiet", "--output", str(out), str(path)).returncode == 0
        assert UNIQUE in out.read_text()
        out.unlink()
    assert shell(">&-", "console").returncode == 2
    assert shell("<&-", "console").returncode == 2


@pytest.mark.parametrize("command", some(COMMANDS))
def test_a_full_disk(command):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    done = shell(">/dev/full", command, *COMMANDS[command])
    assert done.returncode == 2
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize(
    "command",
    ["explain", *some(["solve", "check", "count", "trace", "rate", "convert"])],
)
def test_a_closed_pipe_is_not_an_error(command, tmp_path):
    path = tmp_path / "a.txt"
    count = 3000 if command in {"explain", "trace", "rate"} else 50_000
    path.write_text("".join(f"{UNIQUE} {number}\n" for number in range(count)))
    arguments = {
        "solve": ["--all", "." * 81],
        "check": ["-o", "-", str(path)],
        "convert": ["--to", "csv", str(path)],
    }.get(command, [str(path)])
    with started(command, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(300) == 0
        errors = process.stderr.read()
    assert errors == b""
