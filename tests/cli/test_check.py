"""``unidoku check``: summary, exit codes, streams, signals."""

import gzip
from functools import partial

import command
import pytest
from example_puzzles import MULTIPLE, NONE, SOLUTION, UNIQUE

from unidoku import kernel
from unidoku.threads import default_threads

KEYS = "puzzles unique multiple none invalid unknown seconds puzzles_per_second isa threads".split()

run = partial(command.run, "check", stdin=b"")


@pytest.fixture
def file(tmp_path):
    """Return a function that writes lines to a file."""

    def write(*lines, name="in.txt"):
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("lines", "code", "counts"),
    [
        ([UNIQUE, UNIQUE], 0, (2, 2, 0, 0, 0, 0)),
        ([UNIQUE, NONE], 1, (2, 1, 0, 1, 0, 0)),
        ([MULTIPLE, UNIQUE], 1, (2, 1, 1, 0, 0, 0)),
        ([UNIQUE, "bad", "# no"], 1, (2, 1, 0, 0, 1, 0)),
    ],
)
def test_summary_and_exit_code(file, lines, code, counts):
    path = file(*lines)
    result = run("--json", path)
    summary = command.summary_of(result)
    rows = {"without_result": 0, "written": counts[0] - counts[4], "cut_off": 0}
    numbers = {**dict(zip(KEYS[:6], counts, strict=True)), **rows}
    assert summary["files"] == [{"file": str(path), **numbers}]
    assert {name: summary[name] for name in numbers} == numbers
    assert tuple(summary[key] for key in KEYS[:6]) == counts
    assert summary["isa"] == kernel.isa()
    assert summary["threads"] == default_threads()
    assert result.returncode == code
    result = run("--threads", 3, path)
    assert result.returncode == code
    text = result.stdout.decode().splitlines()
    assert [line.rsplit(None, 1)[0].replace(" ", "_") for line in text] == KEYS
    assert text[-1].split() == ["threads", "3"]


def test_standard_input_may_be_compressed_and_is_one_of_several_inputs(file):
    content = gzip.compress(f"{UNIQUE}\n".encode())
    result = run(stdin=content)
    assert (result.returncode, result.stderr) == (0, b"")
    assert command.summary_of(run("--json", file(NONE), "-", stdin=content))["puzzles"] == 2


def test_the_first_twenty_invalid_lines_are_shown(file, tmp_path):
    path = file(*(f"bad {i}" for i in range(25)), UNIQUE)
    result = run(path)
    lines = result.stderr.decode().splitlines()
    assert result.returncode == 1
    assert len(lines) == 21
    assert lines[19].startswith(f"invalid: {path}:20:1: expected a digit or an empty cell")
    assert lines[20] == "invalid: 5 more lines (--only invalid -o PATH writes all of them)"
    result = run(path, "--only", "invalid", "--columns", "file,line,reason", "-o", tmp_path / "all.csv")
    rows = (tmp_path / "all.csv").read_text().splitlines()
    assert rows[0] == "file,line,reason"
    assert [row.split(',"')[0] for row in rows[1:]] == [f"{path},{line}" for line in range(1, 26)]
    result = run("--quiet", path)
    assert (result.stdout, result.stderr, result.returncode) == (b"", b"", 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--only", "some", "IN"],
            "'some' is not one of 'none', 'unique', 'multiple', 'unknown', 'invalid'",
        ),
        (["--from", "nonsense", "IN"], "unknown format 'nonsense'"),
        (["--column", "x", "--from", "lines", "IN"], "a field number from 1"),
        (["--sample", "IN"], "--sample takes no inputs"),
    ],
)
def test_usage_and_file_errors_exit_with_two(file, arguments, words):
    path = str(file(UNIQUE))
    result = run(*(path if argument == "IN" else argument for argument in arguments))
    assert result.returncode == 2
    assert words in result.stderr.decode().replace("\n", " ")
    assert b"Traceback" not in result.stderr


def test_rows_on_standard_output(file):
    path = file(UNIQUE, NONE)
    result = run("--output", "-", path)
    assert result.stdout.decode() == f"{UNIQUE}\tunique\t1\n{NONE}\tnone\t0\n"
    assert b"puzzles per second" in result.stderr
    assert run("--only", "none", path).stdout.decode() == f"{NONE}\tnone\t0\n"
    assert run("--output", "-", "--quiet", path).stdout == result.stdout


UNKNOWN_COLUMN = "no column 'verdct'; "


@pytest.mark.parametrize(
    ("name", "to"),
    [("check", "csv"), ("rate", "tsv"), ("hint", "txt"), ("check", "arrows")],
)
@pytest.mark.parametrize(
    "content", ["id,puzzle\n7,{}\n", "id,puzzle\n7,none\n", "id,puzzle\n7,none\n8,{}\n", "{}\n"]
)
def test_nothing_is_written_where_a_column_is_unknown(name, to, content, tmp_path):
    source = "in.csv" if content.startswith("id") else "in.txt"
    (tmp_path / source).write_text(content.format(UNIQUE))
    arguments = name, source, "--columns", "puzzle,verdct", "--to", to
    result = command.run(*arguments, "-o", "-", stdin=b"", code=2, cwd=tmp_path)
    assert result.stdout == b""
    assert UNKNOWN_COLUMN in result.stderr.decode()
    (tmp_path / "o").write_text("before")
    command.run(*arguments, "-o", "o", code=2, cwd=tmp_path)
    assert (tmp_path / "o").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source, "o"])


@pytest.mark.parametrize("output", [None, "o.csv"])
def test_counts_that_the_budget_cut_off(file, tmp_path, output):
    path = file(UNIQUE, MULTIPLE)
    arguments = ["--limit", 100_000, "--budget", 50, path]
    arguments += [] if output is None else ["--output", tmp_path / output]
    assert command.summary_of(run("--json", *arguments))["cut_off"] == 1
    text = dict(line.rsplit(None, 1) for line in run(*arguments).stdout.decode().splitlines())
    assert text["counts cut off"] == "1"
    assert command.summary_of(run("--json", "--limit", 2, path))["cut_off"] == 0


def test_chosen_columns(file, tmp_path):
    path = file("id,puzzle,solution", f"a,{UNIQUE},{SOLUTION}", f"b,{NONE},", name="in.csv")
    result = run("--columns", "verdict, puzzle", path)
    assert result.stdout.decode() == f"unique\t{UNIQUE}\nnone\t{NONE}\n"
    assert b"puzzles per second" in result.stderr
    run("--columns", "id,count", "--only", "none", "-o", tmp_path / "o.csv", path)
    assert (tmp_path / "o.csv").read_text() == "id,count\nb,0\n"
    for options in (["--columns", "id"], ["-o", tmp_path / "o.txt"]):
        assert b"--sample takes no inputs and writes no rows" in run("--sample", *options, code=2).stderr


def test_solutions_are_written_when_they_are_asked_for(tmp_path):
    """JSON has them as before, and so has solve."""
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{UNIQUE}\n")
    for name in ("out.csv", "out.txt", "out.jsonl"):
        for options, count in (((), 0), (("--solutions",), 2), (("--columns", "puzzle,solution"), 2)):
            run("in.txt", "-o", name, *options, cwd=tmp_path, code=0)
            assert (tmp_path / name).read_text().count(SOLUTION) == count
    assert run(tmp_path / "in.txt", "--json", code=0).stdout.count(SOLUTION.encode()) == 2
    assert command.run("solve", tmp_path / "in.txt", "--to", "csv", code=0).stdout.count(SOLUTION) == 2
