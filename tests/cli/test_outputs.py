"""Outputs of every command: a complete file replaces the earlier one, an incomplete one does not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command import loaded, run
from example_puzzles import SOLUTION, UNIQUE

from unidoku._cli import command_names
from unidoku.errors import OutputError
from unidoku.files._output import OutputFile

CSV = f"puzzle,solution\n{UNIQUE},{SOLUTION}\n"


class Writer(NamedTuple):
    """A command that writes a file."""

    options: str = ""
    output: str = "o.txt"
    text: str = f"{UNIQUE}\n"
    """Input of one puzzle; empty for a command without inputs."""
    keeps: bool = True
    """False where a part of the output is useless: a page."""
    extra_outputs: str = ""
    """Further outputs."""
    repeats: bool = True
    """False where each run has other figures."""


WRITERS = {
    name: Writer() for name in command_names() if "output" in {option.name for option in loaded(name).params}
} | {
    "check": Writer("", "o.csv"),
    "verify": Writer("", "o.csv", CSV),
    "rate": Writer("", "o.csv"),
    "hint": Writer("", "o.jsonl"),
    "steps": Writer("", "o.csv"),
    "trace": Writer("--steps 20", "o.jsonl"),
    "print": Writer("", "o.html", keeps=False),
    "generate": Writer("-n 1 --seed 1", text=""),
    "minimize": Writer("--seed 1"),
    "transform": Writer("-n 3 --seed 1"),
    "neighbours": Writer("--remove 1 --add 1"),
    "convert": Writer("", "o.csv"),
    "split": Writer("--seed 1 -o p.txt", extra_outputs="p.txt"),
    "bench": Writer("--seconds 0.02", "o.json", keeps=False, repeats=False),
}
"""Every command with an output."""

BEFORE = "what was there before\n"


def writers(*, reading: bool = False) -> list[str]:
    """Return the commands, or only the readers of puzzles."""
    return [name for name, writer in WRITERS.items() if writer.text or not reading]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with earlier outputs of all names."""
    for writer in WRITERS.values():
        for name in (writer.output, *writer.extra_outputs.split()):
            (tmp_path / name).write_text(BEFORE)
    return tmp_path


def call(name: str, *inputs: object, **options: Any) -> Any:
    writer = WRITERS[name]
    return run(name, *inputs, *writer.options.split(), "-o", writer.output, **options)


def check_unchanged(place: Path, *, partial: set[str] | None = None) -> None:
    """Check that all earlier outputs are unchanged and no temporary file is left."""
    names = {file.name for file in place.iterdir()}
    assert not [name for name in names if name.startswith(".unidoku")]
    partials = {name for name in names if name.endswith(".partial")}
    assert partial is None or partials == partial
    for writer in WRITERS.values():
        for name in (writer.output, *writer.extra_outputs.split()):
            assert (place / name).read_text() == BEFORE, name


@pytest.mark.parametrize("name", writers(reading=True))
def test_without_a_puzzle_or_with_a_name_of_no_format_the_earlier_output_stays(place, name):
    for text in (None, b"", b"# a comment\n", b"\x1f\x8b\x08\x00nonsense"):
        if text is not None:
            (place / "in.txt").write_bytes(text)
        result = call(name, "in.txt", cwd=place)
        assert result.returncode == 2
        assert result.stderr.startswith("error: in.txt: ")
    (place / "in.csv").write_text(WRITERS[name].text)
    run(name, "in.csv", *WRITERS[name].options.split(), "-o", "x.docx", cwd=place, code=2)
    check_unchanged(place, partial=set())
    assert not list(place.glob("x*"))


@pytest.mark.parametrize("name", writers(reading=True))
def test_without_one_of_the_inputs_the_rows_are_beside_the_output(place, name):
    writer = WRITERS[name]
    (place / "in.csv").write_text(writer.text)
    call(name, "in.csv", cwd=place)
    complete = (place / writer.output).read_text()
    (place / writer.output).write_text(BEFORE)
    for output in writer.extra_outputs.split():
        (place / output).write_text(BEFORE)
    result = call(name, "nosuch.csv", "in.csv", cwd=place)
    assert result.returncode == 2
    assert "error: nosuch.csv: No such file or directory" in result.stderr
    assert "Traceback" not in result.stderr
    check_unchanged(place)
    partial = place / f"{writer.output}.partial"
    assert partial.exists() == writer.keeps
    if writer.keeps:
        assert f"the output is unchanged; the finished rows are in {partial.name}" in result.stderr
        # with two inputs, the rows or a line of their own name the file
        rows = partial.read_text()
        assert rows == complete or "in.csv" in rows or "quiz_loaded" in rows


@pytest.mark.parametrize("name", writers(reading=True))
def test_every_command_refuses_its_input_as_output(place, name):
    writer = WRITERS[name]
    source, link = f"in{Path(writer.output).suffix}", f"link{Path(writer.output).suffix}"
    (place / source).write_text(writer.text)
    (place / link).hardlink_to(place / source)
    for output in (source, f"./{source}", link):
        result = run(name, source, *writer.options.split(), "-o", output, cwd=place, code=2)
        assert f"{output}: this output is also an input; choose another file" in result.stderr
        assert (place / source).read_text() == writer.text
    check_unchanged(place, partial=set())


@pytest.mark.parametrize("name", writers(reading=True))
def test_an_output_that_a_pattern_or_a_folder_names_is_an_input(tmp_path, name):
    writer = WRITERS[name]
    (tmp_path / writer.output).write_text(writer.text)
    for source in ("*", "."):
        result = run(name, source, *writer.options.split(), "-o", writer.output, cwd=tmp_path)
        if source == "*" or writer.output.endswith((".txt", ".csv", ".jsonl")):  # a page is in no folder
            assert result.returncode == 2
            assert f"{writer.output}: this output is also an input; choose another file" in result.stderr
            assert (tmp_path / writer.output).read_text() == writer.text


@pytest.mark.parametrize(("name", "count"), [("explain", 30), ("trace --steps 30", 500)])
def test_a_pattern_is_listed_before_the_output_is_there(tmp_path, name, count):
    """What a run has written already was read by it, and made it longer without an end."""
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n" * count)
    run(*name.split(), "in.txt", "-o", "right.txt", cwd=tmp_path, code=0)
    expected = (tmp_path / "right.txt").read_text()
    (tmp_path / "right.txt").unlink()
    assert len(expected) > 70_000  # more than is written at a time
    run(*name.split(), "*", "-o", "out.txt", cwd=tmp_path, code=0)
    assert (tmp_path / "out.txt").read_text() == expected


def stop_within(
    monkeypatch: pytest.MonkeyPatch, error: Callable[[OutputFile], BaseException], writes: int
) -> None:
    """Interrupt the write of this number to an output file in its middle."""
    real, count = OutputFile.write, [0]

    def write(self: OutputFile, data: Any) -> None:
        count[0] += self.path != "-" and len(data) > 0
        if count[0] < writes:
            return real(self, data)
        if count[0] == writes:
            real(self, bytes(data)[: len(bytes(data)) // 2])
        raise error(self)

    monkeypatch.setattr(OutputFile, "write", write)


ERRORS = {
    "Ctrl-C": (130, lambda file: KeyboardInterrupt()),
    "a full disk": (2, lambda file: OutputError("cannot write: No space left on device", file=file.path)),
}


@pytest.mark.parametrize(("name", "reason", "writes"), [*zip(writers(), cycle(ERRORS), cycle((1, 1, 2, 2)))])
def test_an_early_end_leaves_the_earlier_output(place, monkeypatch, name, reason, writes):
    """Within the first write to the output, and within the second if there is one."""
    writer = WRITERS[name]
    (place / "in.csv").write_text(writer.text)
    inputs = ["in.csv"] * bool(writer.text)
    call(name, *inputs, cwd=place)
    texts = {
        output: (place / output).read_text() for output in (writer.output, *writer.extra_outputs.split())
    }
    for output in texts:
        (place / output).write_text(BEFORE)
    code, error = ERRORS[reason]
    stop_within(monkeypatch, error, writes)
    result = call(name, *inputs, cwd=place)
    if result.returncode in (0, 1):  # it has written all at once
        assert writes > 1
        return
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    check_unchanged(place)
    for partial in place.glob("*.partial"):
        assert texts[partial.stem].startswith(partial.read_text()) or not writer.repeats
        assert f"the finished rows are in {partial.name}" in result.stderr
