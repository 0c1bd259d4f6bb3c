"""``unidoku console`` as a process."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from command import UNIDOKU, in_terminal, run
from example_puzzles import QUIZ


def test_the_given_file_is_loaded(tmp_path):
    path = tmp_path / "a quiz.txt"
    path.write_text("\n".join(QUIZ[i : i + 9] for i in range(0, 81, 9)))
    lines = run("console", path, stdin="run\nbye\nrun\n", code=0).stdout.splitlines()
    assert lines[:3] == ["Quiz loaded.", "Order please:", "2) row 2 complete shrunken by group"]
    assert lines[-2:] == ["Biggest level on this run(til): 11", "Order please:"]
    missing = run("console", tmp_path / "nothing").stdout.splitlines()
    assert missing[0].startswith("Fail to open quiz file ")
    assert missing[1:] == ["Order please:"]


def test_filters_that_find_nothing_are_printed_on_request():
    """The author's own proposal, at step 91 of his quiz."""
    orders = "run\nbye\n"
    plain = run("console", "--show", "none", QUIZ, stdin=orders, code=0).stdout
    output = run("console", "--show", "filters", QUIZ, stdin=orders, code=0).stdout
    assert re.sub(r"\d+\) No shrink happened\n", "", output) == plain
    assert "\n91) No shrink happened\n92) Guess [4,2] level 11 at 1 out of 2\n" in output
    text = run("trace", "--show", "filters", QUIZ, code=0).stdout
    assert "\n91) No shrink happened\n92) Guess [4,2] level 11 at 1 out of 2\n" in text
    assert "No shrink" not in run("trace", QUIZ, code=0).stdout


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
def test_a_terminal_has_a_greeting_editing_and_completion():
    """Tab completes an order if Python has readline; a question about a guess lists the candidates."""
    pytest.importorskip("readline")
    keys = b"wh\t\nlevx\x7fels\nguess-mode 1\nruntil 10\n\n\nbye\n"
    text, code = in_terminal("console", QUIZ, keys=keys)
    assert code == 0
    assert text.index(b"Type load-quiz with a file or 81 cells") < text.index(b"Order please:")
    assert b"[6,2]: 5 9  ? " in text
    assert b"[4,3]: 6 7  ? " in text
    assert b"Nothing went wrong so far." in text
    assert b"Unknown order" not in text
    text, _ = in_terminal("console", QUIZ, "--lang", "zh", keys=b"bye\n")
    assert text.decode().index("空行列出 SudokuSolver 2.6 的命令") < text.decode().index("Order please:")


@pytest.mark.skipif(os.name != "posix", reason="a terminal as on POSIX")
def test_a_terminal_completes_file_names(tmp_path):
    """Tab completes the common beginning of all names, here nothing, then the only name left."""
    pytest.importorskip("readline")
    for name, content in (("first.txt", ""), ("fourth.txt", QUIZ), ("fifth.txt", "")):
        (tmp_path / name).write_text(content)
    text, code = in_terminal("console", keys=f"load-quiz {tmp_path}/f\to\t\nbye\n".encode())
    assert code == 0
    assert b"Quiz loaded." in text
