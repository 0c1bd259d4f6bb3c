"""Run the command line: in this process, as a process of its own, or in a terminal."""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import click
from click.testing import CliRunner

from unidoku.cli import cli
from unidoku.cli.options import Command
from unidoku.stepper.console import Console

UNIDOKU = (sys.executable, "-m", "unidoku")


class Done(NamedTuple):
    """How a command ended; the streams are bytes if its standard input is, otherwise text."""

    returncode: int
    stdout: Any
    stderr: Any


def loaded(name: str) -> Command:
    """The command with a name."""
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, Command)
    return command


def run(
    *arguments: object, stdin: str | bytes = "", code: int | None = None, cwd: str | os.PathLike[str] = "."
) -> Done:
    """Run a command to its end in this process; an exception that is no exit is raised."""
    with contextlib.chdir(cwd):
        done = CliRunner(env={"COLUMNS": "80"}).invoke(
            cli, [*map(str, arguments)], stdin, prog_name="unidoku"
        )
    if not isinstance(done.exception, SystemExit | None):
        raise done.exception
    assert code is None or done.exit_code == code, done.stderr
    if isinstance(stdin, bytes):
        return Done(done.exit_code, done.stdout_bytes, done.stderr_bytes)
    return Done(done.exit_code, done.stdout, done.stderr)


def summary_of(done: Done) -> dict[str, Any]:
    """The summary of a command with ``--json``: it is in the last line."""
    summary: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])["summary"]
    return summary


def run_process(*arguments: object, stdin: str | bytes = "", code: int | None = None, **more: Any) -> Done:
    """Run a command to its end in a process of its own."""
    done = subprocess.run(
        [*UNIDOKU, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=isinstance(stdin, str),
        check=False,
        timeout=600,
        **more,
    )
    errors = done.stderr if isinstance(done.stderr, str) else done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in errors, errors
    assert code is None or done.returncode == code, errors
    return Done(done.returncode, done.stdout, done.stderr)


@contextlib.contextmanager
def started(*arguments: object, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command, as a context; at the end of the context the command has ended, whatever failed."""
    with subprocess.Popen([*UNIDOKU, *map(str, arguments)], **more) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(condition: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Wait until something is true; fail if the process ends before."""
    end = time.monotonic() + 300
    while not condition():
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.005)


def end_by(number: int, process: subprocess.Popen[bytes]) -> int:
    """End a process by a signal; return its exit code.

    Every 60 seconds it is sent again: one just before a system call that waits does not end the wait.
    """
    for _ in range(4):
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(60)
    raise AssertionError(f"still at work after four times signal {number}")


def in_terminal(
    *arguments: object,
    keys: bytes = b"",
    stdout: int | None = None,
    environment: dict[str, str] | None = None,
    until: Callable[[bytes], bool] | None = None,
    after: Callable[[subprocess.Popen[bytes]], object] | None = None,
) -> tuple[bytes, int]:
    """Run a command in a pseudo-terminal: what it shows, and its exit code.

    ``after`` is called once the terminal shows what ``until`` accepts, and again if nothing follows for ten
    seconds: a signal just before a system call that waits does not end this wait.
    """
    import pty  # not on Windows

    ours, theirs = pty.openpty()
    with started(
        *arguments,
        stdin=theirs,
        stdout=theirs if stdout is None else stdout,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"} | (environment or {}),
        start_new_session=True,
    ) as process:
        os.close(theirs)
        os.write(ours, keys)
        text = b""
        end = time.monotonic() + 300
        while True:
            ready, _, _ = select.select([ours], [], [], 10)
            if not ready:
                assert time.monotonic() < end, f"nothing more after {text!r}"
                if until is None and after is not None:
                    after(process)
                continue
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the program has ended
                break
            if not piece:
                break
            text += piece
            if until is not None and until(text):
                until = None
                if after is not None:
                    after(process)
        code = process.wait(300)
    os.close(ours)
    return text, code


def answers(*orders: str, time: bool = False, **options: Any) -> list[list[str]]:
    """Return the console's answer to each order, as lists of lines."""
    sink = io.StringIO()
    Console(io.StringIO("".join(f"{order}\n" for order in orders)), sink, time=time, **options).run()
    return [part.splitlines() for part in sink.getvalue().split("Order please:\n")[1:-1]]
