"""Folders that grow: --resume adds new files; changed and missing ones are named."""

from __future__ import annotations

import csv
import json
import os

import pytest
from command import run
from example_puzzles import SOLUTION, UNIQUE

COMMAND = ("check", "inbox/", "-o", "out/", "--to", "csv", "--resume", "--empty-ok", "-q")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "m.txt").write_text(f"{UNIQUE}\n")
    return tmp_path


def parts(folder):
    """Return the rows of each part, by the file that they name."""
    found = {}
    for path in sorted((folder / "out").glob("part-*.csv")):
        with path.open(encoding="utf-8") as file:
            rows = [*csv.DictReader(file)]
        found.update({rows[0]["file"]: [row["puzzle"] for row in rows]})
    return found


def test_new_files_are_added_whatever_their_names(folder):
    run(*COMMAND, cwd=folder, code=0)
    first = (folder / "out" / "part-0000-000000.csv").stat()
    (folder / "inbox" / "a.txt").write_text(f"{SOLUTION}\n")
    run(*COMMAND, cwd=folder, code=0)
    assert parts(folder) == {"inbox/m.txt": [UNIQUE], "inbox/a.txt": [SOLUTION]}
    assert (folder / "out" / "part-0000-000000.csv").stat().st_mtime_ns == first.st_mtime_ns
    (folder / "inbox" / "b.txt").write_text(f"{UNIQUE}\n")
    run(*COMMAND, cwd=folder, code=0)
    assert [*parts(folder)] == ["inbox/m.txt", "inbox/a.txt", "inbox/b.txt"]


def test_a_file_that_is_named_twice_is_done_twice(folder):
    twice = ("check", "inbox/m.txt", "inbox/m.txt", *COMMAND[2:])
    run(*twice, cwd=folder, code=0)
    run(*twice[:3], "inbox/m.txt", *COMMAND[2:], cwd=folder, code=0)
    run(*twice, cwd=folder, code=0)
    assert len([*(folder / "out").glob("part-*.csv")]) == 3


def test_without_resume_the_error_says_how_to_add_files(folder):
    run(*COMMAND, cwd=folder, code=0)
    (folder / "inbox" / "a.txt").write_text(f"{UNIQUE}\n")
    result = run("check", "inbox/", "-o", "out/", "--to", "csv", cwd=folder, code=2)
    assert "add new inputs with --resume" in result.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda inbox: (inbox / "m.txt").write_text(f"{UNIQUE}\n{UNIQUE}\n"), "m.txt has changed"),
        (lambda inbox: os.utime(inbox / "m.txt", ns=(0, 0)), "m.txt has changed"),
    ],
)
def test_a_changed_input_is_named_also_in_the_summary(folder, change, words):
    run(*COMMAND, "--json", cwd=folder, code=0)
    change(folder / "inbox")
    result = run(*COMMAND, "--json", cwd=folder, code=2)
    assert f"the input inbox/{words}" in result.stderr
    assert f"the input inbox/{words}" in json.loads(result.stdout)["summary"]["failures"][0]["reason"]


def test_an_input_that_is_gone_keeps_its_parts(folder):
    """The run goes on with what is there, also after further changes."""
    run(*COMMAND, "--json", cwd=folder, code=0)
    before = (folder / "out" / "part-0000-000000.csv").read_bytes()
    (folder / "inbox" / "m.txt").unlink()
    for name in ("o.txt", "p.txt"):
        (folder / "inbox" / name).write_text(f"{UNIQUE}\n")
        summary = summary_of(folder)
        [note] = summary["notes"]
        assert (note["file"], note["code"]) == ("inbox/m.txt", "gone")
        assert note["reason"].startswith("not among the inputs any more;")
        assert summary["puzzles"] == len(summary["files"]) == len(parts(folder))
    assert (folder / "out" / "part-0000-000000.csv").read_bytes() == before
    assert [*parts(folder)] == ["inbox/m.txt", "inbox/o.txt", "inbox/p.txt"]


def summary_of(folder, code=0):
    return json.loads(run(*COMMAND, "--json", cwd=folder, code=code).stdout)["summary"]


def _swap(inbox):
    (inbox / "m.txt").rename(inbox / "other")
    (inbox / "n.txt").rename(inbox / "m.txt")
    (inbox / "other").rename(inbox / "n.txt")


def _rotate(inbox):
    """Put a new file in the place of one that gets another name, as logs are rotated."""
    (inbox / "n.txt").rename(inbox / "o.txt")
    (inbox / "m.txt").rename(inbox / "n.txt")
    (inbox / "m.txt").write_text(f"{UNIQUE}\n" * 4)


def _alike(inbox):
    """Put a file with the size and the time of another one in its place, under a new name."""
    time = (inbox / "m.txt").stat().st_mtime_ns
    (inbox / "m.txt").unlink()
    (inbox / "x.txt").write_text(f"{SOLUTION}\n")
    os.utime(inbox / "x.txt", ns=(time, time))


CHANGES = {
    "a file is renamed": (lambda inbox: (inbox / "m.txt").rename(inbox / "z.txt"), 3, 0),
    "one of two is renamed before the other": (lambda inbox: (inbox / "n.txt").rename(inbox / "a.txt"), 3, 0),
    "two are swapped": (_swap, 3, 0),
    "one takes the name of another": (lambda inbox: (inbox / "n.txt").replace(inbox / "m.txt"), 3, 1),
    "a file is removed": (lambda inbox: (inbox / "n.txt").unlink(), 3, 1),
    "a file is added": (lambda inbox: (inbox / "k.txt").write_text(f"{UNIQUE}\n"), 4, 0),
    "files are rotated": (_rotate, 7, 0),
    "another file of the same size and time": (_alike, 4, 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_lost_or_counted_twice(folder, change):
    """Two inputs of one and two puzzles; the change says how many there are then, and how many are gone."""
    work, puzzles, gone = CHANGES[change]
    (folder / "inbox" / "n.txt").write_text(f"{UNIQUE}\n" * 2)
    assert summary_of(folder)["puzzles"] == 3
    work(folder / "inbox")
    for _ in range(2):
        summary = summary_of(folder)
        assert (summary["puzzles"], len(summary.get("notes", []))) == (puzzles, gone)
        rows = [path.read_text().count("\n") - 1 for path in (folder / "out").glob("part-*.csv")]
        assert (sum(rows), sum(file["puzzles"] for file in summary["files"])) == (puzzles, puzzles)


def test_a_damaged_part_of_an_input_that_is_gone_is_an_error(folder):
    run(*COMMAND, cwd=folder, code=0)
    (folder / "out" / "part-0000-000000.csv").write_text("line\n")
    (folder / "inbox" / "m.txt").rename(folder / "m.txt")
    assert "part-0000-000000 is damaged" in summary_of(folder, code=2)["failures"][0]["reason"]
    (folder / "m.txt").rename(folder / "inbox" / "z.txt")
    assert summary_of(folder)["puzzles"] == 1


def test_a_second_input_is_added(folder):
    (folder / "q.txt").write_text(f"{UNIQUE}\n")
    for names in (["inbox/m.txt"], ["inbox/m.txt", "q.txt"]):
        run("check", *names, *COMMAND[2:], cwd=folder, code=0)
        assert [*parts(folder)] == names


def test_another_command_is_another_run(folder):
    run(*COMMAND, cwd=folder, code=0)
    result = run("rate", *COMMAND[1:], cwd=folder, code=2)
    assert "these are different: command, scale, limit, solutions" in result.stderr
    result = run(*COMMAND, "--keep", "none", "--limit", "3", cwd=folder, code=2)
    assert "these are different: limit, keep; choose another folder" in result.stderr


def test_a_folder_of_an_earlier_version_says_which_one(folder):
    """Its plan has no digest and no partitions."""
    run(*COMMAND, cwd=folder, code=0)
    plan = json.loads((folder / "out" / "plan.json").read_text())
    del plan["sha256"], plan["partitions"]
    (folder / "out" / "plan.json").write_text(json.dumps(plan | {"version": "1.0.0"}))
    for command in (COMMAND, [word for word in COMMAND if word != "--resume"]):
        result = run(*command, cwd=folder, code=2)
        assert "another run (plan.json): it was begun with unidoku 1.0.0; choose another" in result.stderr
    (folder / "out" / "plan.json").write_text(json.dumps(plan))
    assert summary_of(folder)["puzzles"] == 1


def test_an_empty_folder_is_an_error_unless_it_may_be(folder):
    (folder / "inbox" / "m.txt").unlink()
    assert "no file in a known format" in run("check", "inbox/", cwd=folder, code=2).stderr
    run(*COMMAND, cwd=folder, code=0)
    (folder / "inbox" / "m.txt").write_text(f"{UNIQUE}\n")
    run(*COMMAND, cwd=folder, code=0)
    assert parts(folder) == {"inbox/m.txt": [UNIQUE]}
    (folder / "empty.txt").touch()
    run("count", "empty.txt", "--empty-ok", cwd=folder, code=0)
    run("count", "empty.txt", cwd=folder, code=2)
