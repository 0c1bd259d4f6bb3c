"""``unidoku console`` as a process."""

from __future__ import annotations

import os
import subprocess

import pytest
from command import UNIDOKU, in_terminal
from example_puzzles import QUIZ


def test_any_bytes_are_handled():
    result = subprocess.run(
        [*UNIDOKU, "console"],
        input=b"\xff\xfe\x00\nload-quiz \xc3\x28\nguess-mode \xf0\n\x1b[A\n",
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    )
    assert result.returncode == 0
    assert result.stderr == b""
    assert result.stdout.count(b"Order please:") == 5


@pytest.mark.skipif(os.name != "posix", reason="a terminal as on POSIX")
def test_a_terminal_has_a_greeting_and_editing():
    """If Python has readline, lines can be edited; a question about a guess lists the candidates."""
    pytest.importorskip("readline")
    keys = b"why\nlevx\x7fels\nguess-mode 1\nruntil 10\n\n\nbye\n"
    text, code = in_terminal("console", QUIZ, keys=keys)
    assert code == 0
    assert text.index(b"Type load-quiz with a file or 81 cells") < text.index(b"Order please:")
    assert b"[6,2]: 5 9  ? " in text
    assert b"[4,3]: 6 7  ? " in text
    assert b"Nothing went wrong so far." in text
    assert b"Unknown order" not in text
    text, _ = in_terminal("console", QUIZ, "--lang", "zh", keys=b"bye\n")
    assert text.decode().index("空行列出 SudokuSolver 2.6 的命令") < text.decode().index("Order please:")
