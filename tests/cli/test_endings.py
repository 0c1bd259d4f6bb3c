"""Commands whose end is disturbed: by the encoding of standard output, a second signal, or little memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from cases import in_turn
from command import run
from example_puzzles import UNIQUE

import unidoku

CODE = """
import os, signal, sys
import unidoku._cli
from unidoku._cli import terminal

def interrupted(*arguments, **options):
    os.kill(os.getpid(), {number})
    signal.pause()

{patch}
sys.argv = ["unidoku", *{arguments!r}]
from unidoku.__main__ import main
main()
"""


def unidoku_process(*arguments, encoding="utf-8", **options):
    return subprocess.run(
        [sys.executable, "-m", "unidoku", *arguments],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        **options,
    )


@in_turn
@pytest.mark.parametrize(
    ("command", "encodings"),
    [
        ("hint", ("ascii",)),
        ("explain", ("cp1252",)),
        ("diagnose", ("latin-1",)),
    ],
)
def test_chinese_goes_in_utf_8_where_the_encoding_has_none(command, encodings):
    arguments = [*command.split(), UNIQUE, "--lang", "zh"]
    usual = run(*arguments, code=0).stdout.encode()
    assert not usual.isascii()
    for encoding in encodings:
        done = unidoku_process(*arguments, encoding=encoding)
        assert (done.returncode, done.stdout, done.stderr) == (0, usual, b"")


@pytest.mark.parametrize("encoding", ["cp1252"])
def test_a_name_that_the_encoding_does_not_have_is_escaped(encoding, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text(f"puzzle,name\n{UNIQUE},数独\n{UNIQUE},x\n", encoding="utf-8")
    done = unidoku_process("explain", str(path), encoding=encoding)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
@pytest.mark.parametrize(
    ("number", "patch", "arguments"),
    [
        (
            signal.SIGINT,
            "import unidoku._cli.command as it; it.print_error = interrupted",
            ["hint", "." * 81],
        ),
        (signal.SIGTERM, "unidoku._cli.print_error = interrupted", ["diagnose", "12"]),
        (signal.SIGINT, "unidoku._cli.print_usage_error = interrupted", ["check", "--no-such-option"]),
    ],
)
def test_a_signal_while_an_error_is_printed(number, patch, arguments):
    code = CODE.format(patch=patch, arguments=arguments, number=int(number))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=100)
    assert done.returncode in {128 + number, -number}
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_a_signal_while_an_object_is_dropped_is_not_reported():
    patch = """
class Dropped:
    def __del__(self):
        interrupted()
unidoku._cli.encode_all = Dropped
"""
    code = CODE.format(patch=patch, arguments=["check", UNIQUE], number=int(signal.SIGINT))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"unique\n", b"")


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_ctrl_c_after_sigterm_during_a_diagnosis(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text(f"{'.' * 81}\n" * 1000)
    process = subprocess.Popen(
        [sys.executable, "-m", "unidoku", "diagnose", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.read(1)  # it is at work
    process.terminate()
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=100)
    assert process.returncode in {143, 130, -2, -15}
    assert b"Traceback" not in messages


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of the address space")
@pytest.mark.parametrize("kilobytes", [60_000, 90_000])
def test_too_little_memory_for_a_library(kilobytes):
    """OpenBLAS would print a line of its own at 90 MB, and end with the code of a finding."""
    words = f"-m unidoku minimize {UNIQUE} {UNIQUE} --seed 1 --to csv"
    command = f"ulimit -v {kilobytes}; exec {sys.executable} {words}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        pytest.skip("the library needs less")
    if done.returncode == 127 or "Fatal Python error" in done.stderr:
        pytest.skip("the interpreter itself does not start with so little")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "BLAS error" not in done.stderr
    assert "not enough memory" in done.stderr


@in_turn
@pytest.mark.parametrize("digits", ["12", "1", 12, [0], [10], [[1]], None, ["1"]])
def test_marks_that_are_no_digits_are_refused(digits):
    with pytest.raises(unidoku.InvalidPuzzleError, match=r"the marks of r1c3 .* such as \[1, 2\]"):
        unidoku.hint(UNIQUE, marks={"r1c3": digits})
