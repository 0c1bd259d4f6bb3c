"""Run the command line as a process."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

UNIDOKU = (sys.executable, "-m", "unidoku")


def run(*arguments: object, stdin: str | bytes = "", code: int | None = None, **more: Any) -> Any:
    """Run a command to its end; the streams are bytes when ``stdin`` is, else text."""
    done = subprocess.run(
        [*UNIDOKU, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=isinstance(stdin, str),
        check=False,
        timeout=120,
        **more,
    )
    errors = done.stderr if isinstance(done.stderr, str) else done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in errors, errors
    assert code is None or done.returncode == code, errors
    return done


def in_terminal(
    *arguments: object,
    keys: bytes = b"",
    stdout: int | None = None,
    environment: dict[str, str] | None = None,
    until: Callable[[bytes], bool] | None = None,
    after: Callable[[subprocess.Popen[bytes]], object] | None = None,
) -> tuple[bytes, int]:
    """Run a command in a pseudo-terminal: what it shows, and its exit code.

    ``after`` is called once the terminal shows what ``until`` accepts.
    """
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*UNIDOKU, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs if stdout is None else stdout,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"} | (environment or {}),
        start_new_session=True,
    ) as process:
        os.close(theirs)
        os.write(ours, keys)
        text = b""
        end = time.monotonic() + 60
        try:
            while True:
                ready, _, _ = select.select([ours], [], [], max(0.0, end - time.monotonic()))
                assert ready, f"nothing more after {text!r}"
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
            code = process.wait(60)
        finally:
            process.kill()
    os.close(ours)
    return text, code
