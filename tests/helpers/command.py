"""Run the command line: in this process, as a process of its own, or in a terminal."""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from unittest import mock

import click
import pytest
from click.testing import CliRunner

from unidoku._cli import cli
from unidoku._cli.command import Command
from unidoku.stepper._console import Console

UNIDOKU = (sys.executable, "-m", "unidoku")


class CommandResult(NamedTuple):
    """Exit code and output of a command: bytes if its standard input is bytes, otherwise text."""

    returncode: int
    stdout: Any
    stderr: Any


def loaded(name: str) -> Command:
    """Return the command of this name."""
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, Command)
    return command


def run(
    *arguments: object, stdin: str | bytes = "", code: int | None = None, cwd: str | os.PathLike[str] = "."
) -> CommandResult:
    """Run a command in this process; raise its exception unless it is an exit."""
    with contextlib.chdir(cwd):
        result = CliRunner(env={"COLUMNS": "80"}).invoke(
            cli, [*map(str, arguments)], stdin, prog_name="unidoku"
        )
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
    assert code is None or result.exit_code == code, result.stderr
    if isinstance(stdin, bytes):
        return CommandResult(result.exit_code, result.stdout_bytes, result.stderr_bytes)
    return CommandResult(result.exit_code, result.stdout, result.stderr)


def summary_of(result: CommandResult) -> dict[str, Any]:
    """Parse the summary, the last line of a command with ``--json``."""
    summary: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])["summary"]
    return summary


def run_process(
    *arguments: object, stdin: str | bytes = "", code: int | None = None, **options: Any
) -> CommandResult:
    """Run a command to its end in a process of its own."""
    result = subprocess.run(
        [*UNIDOKU, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=isinstance(stdin, str),
        check=False,
        **{"timeout": 600} | options,
    )
    errors = result.stderr if isinstance(result.stderr, str) else result.stderr.decode("utf-8", "replace")
    assert "Traceback" not in errors, errors
    assert code is None or result.returncode == code, errors
    return CommandResult(result.returncode, result.stdout, result.stderr)


@contextlib.contextmanager
def started(*arguments: object, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command as a context, and kill it at the end of the context."""
    with subprocess.Popen([*UNIDOKU, *map(str, arguments)], **options) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(condition: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Wait until a condition holds; fail if the process ends first."""
    end = time.monotonic() + 300
    while not condition():
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.005)


def end_by(number: int, process: subprocess.Popen[bytes]) -> int:
    """End a process by a signal; return its exit code.

    It is sent again every 60 seconds: a signal just before a blocking system call does not end that call.
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
    """Run a command in a pseudo-terminal; return its text and exit code.

    ``after`` is called once ``until`` accepts the text so far, and again if nothing follows for ten
    seconds: a signal just before a blocking system call does not end that call.
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


def on_terminal(*arguments: object, environment: dict[str, str] | None = None) -> tuple[bytes, int]:
    """Run a command in this process, with a pseudo-terminal as its streams; return its text and exit code.

    For commands that end by themselves: `in_terminal` starts a process, which takes ten times as long.
    """
    import pty  # not on Windows

    ours, theirs = pty.openpty()
    text = bytearray()

    def read() -> None:
        with contextlib.suppress(OSError):  # nobody writes any more
            while piece := os.read(ours, 4096):
                text.extend(piece)

    reader = threading.Thread(target=read)
    reader.start()
    names = {"TERM": "xterm", "COLUMNS": "80"} | (environment or {})
    before = [os.dup(number) for number in range(3)]
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, ours)
        stack.callback(reader.join)
        for number in range(3):
            stack.callback(os.close, before[number])
            stack.callback(os.dup2, before[number], number)
            os.dup2(theirs, number)
        os.close(theirs)
        stack.enter_context(mock.patch.dict(os.environ, names))
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            stream = stack.enter_context(open(number, "rw"[number > 0], encoding="utf-8", closefd=False))
            stack.enter_context(mock.patch.object(sys, name, stream))
        with pytest.raises(SystemExit) as end:
            cli.main([*map(str, arguments)], prog_name="unidoku")
    return bytes(text), end.value.code or 0


def answers(*orders: str, time: bool = False, **options: Any) -> list[list[str]]:
    """Return the console's answer to each order, as lists of lines."""
    sink = io.StringIO()
    show = ("time",) if time else ()
    Console(io.StringIO("".join(f"{order}\n" for order in orders)), sink, show=show, **options).run()
    return [part.splitlines() for part in sink.getvalue().split("Order please:\n")[1:-1]]
