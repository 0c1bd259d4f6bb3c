"""The commands of tests/cli/*.txt print what these transcripts show, each in a folder of its own.

``UNIDOKU_TRANSCRIPTS=write`` rewrites those that differ: the difference is read before it is committed.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from transcripts import ANY_TEXT, ENVIRONMENT, agrees, examples, run_command

from unidoku._cli import command_names

TRANSCRIPTS = sorted(Path(__file__).parent.glob("*.txt"))


VARIES = re.compile(
    r'("(?:seconds|puzzles_per_second|threads|isa)": "?|^(?:! )?(?:seconds|puzzles per second|isa|threads) +'
    r"|^(?:秒|每秒题数|指令集|线程) +|seed: |种子：)[\w.+-]+(?:,[0-9]+)*"
)
"""Times, this machine and fresh seeds, which a transcript that is written anew does not have."""


def anew(shown: str, printed: str) -> str:
    """Return what was printed, with the lines of the transcript that still stand for some of it."""
    kept = [line for line in shown.splitlines() if ANY_TEXT.search(line)]
    lines = [
        next((k for k in kept if agrees(k, line)), VARIES.sub(r"\1...", line))
        for line in printed.splitlines()
    ]
    return "".join(f"{line}\n" for line in lines) + ("\n" if f"\n{shown}".endswith("\n\n") else "")


@pytest.mark.skipif(sys.platform != "linux", reason="the shell and the tools of Linux")
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript(path, tmp_path):
    text, written, differences = path.read_text(encoding="utf-8"), "", []
    for command, shown in examples(text):
        printed = str(run_command(command, tmp_path, ENVIRONMENT | {"COLUMNS": "80"}))
        if not agrees(shown, printed):
            differences.append(f"$ {command}{printed}\nin place of\n{shown}")
        written += f"$ {command}{shown if agrees(shown, printed) else anew(shown, printed)}"
    if os.environ.get("UNIDOKU_TRANSCRIPTS") == "write":
        path.write_text(written, encoding="utf-8")
    else:
        assert not differences, "\n".join(differences)


def test_each_command_has_its_help_and_other_lines_in_the_transcripts():
    text = "".join(path.read_text(encoding="utf-8") for path in TRANSCRIPTS)
    for name in command_names():
        assert f"$ unidoku {name} --help\n" in text
        assert text.count(f"unidoku {name} ") > 2


def test_errors_in_chinese_have_no_sentence_of_english():
    text = (Path(__file__).parent / "chinese.txt").read_text(encoding="utf-8")
    errors = [line for line in text.splitlines() if line.startswith("! ")]
    assert len(errors) > 50
    words = (re.sub(r"unidoku [a-z-]+|--[a-z-]+", "", line) for line in errors)
    assert [line for line in words if re.search(r"[A-Za-z]{2,}( [A-Za-z]{2,}){2,}", line)] == []
