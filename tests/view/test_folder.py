"""Folders of pages: what is in them, what belongs to them, and what is never touched."""

from __future__ import annotations

import json
import re
import tracemalloc

import pytest
from command import run
from example_puzzles import CLASH, QUIZ, SEVERAL, UNIQUE as EASY

from unidoku import Cancel, Grid, rate_many
from unidoku.errors import OutputError
from unidoku.files.output import lock_folder
from unidoku.files.storage import may_be_folder
from unidoku.rating import measure_many
from unidoku.view import folder
from unidoku.view.folder import MANIFEST, write_pages

COMMANDS = ["trace", "explain", "diagnose"]


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(f"puzzle,score\n{EASY},7\n{QUIZ},<b>\n{SEVERAL},0.5\n")
    return path


def rows_of(page):
    """The rows of an index as texts."""
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    rows = body.split("<tr>")[1:]
    return [[re.sub("<.*?>", "", cell) for cell in re.findall("<t[hd].*?</t[hd]>", row)] for row in rows]


def contents(path):
    return {each.name: each.read_text(encoding="utf-8") for each in path.iterdir()}


@pytest.mark.parametrize("command", COMMANDS)
def test_pages_end_with_one_newline(tmp_path, command):
    run(command, EASY, "--to", "html", "-o", tmp_path / "out", code=0)
    (tmp_path / "out" / MANIFEST).unlink()
    pages = [run(command, EASY, "--to", "html", code=0).stdout, *contents(tmp_path / "out").values()]
    assert all(page.endswith("</html>\n") for page in pages)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_per_puzzle_and_an_index(puzzles, tmp_path, command):
    book = ["--method", "book"] if command == "explain" else []  # the steps are those of proper puzzles
    done = run(command, *book, puzzles, "--to", "html", "--output", tmp_path / "out")
    assert done.returncode == (command == "diagnose")  # one of them is not proper
    made = contents(tmp_path / "out")
    assert set(made) == {MANIFEST, "index.html", "puzzle-1.html", "puzzle-2.html", "puzzle-3.html"}
    for number, puzzle in enumerate((EASY, QUIZ, SEVERAL), 1):
        page = made[f"puzzle-{number}.html"]
        assert Grid(puzzle).line in page
        assert '<a href="index.html">' in page
        assert len(page) < 1_000_000
    rated = rate_many([EASY, QUIZ, SEVERAL], below=9.0, errors="invalid")
    measured = measure_many([EASY, QUIZ, SEVERAL])
    shown = ["–" if not one else f"{one.er}{'+' * one.at_least} {one.difficulty}" for one in rated]
    assert rows_of(made["index.html"]) == [
        [
            str(number),
            shown[number - 1],
            *(str(getattr(measured, name)[number - 1]) for name in ("steps", "level")),
            str(measured.classes[number - 1] or "–"),
            str(measured.solutions[number - 1]),
            str(Grid(puzzle).clue_count),
            f"{puzzles}:{number + 1}",
            Grid(puzzle).line,
        ]
        for number, puzzle in enumerate((EASY, QUIZ, SEVERAL), 1)
    ]
    assert (shown, measured.steps[1]) == (["1.2 easy", "9.0+ extreme", "–"], 284)


def test_an_empty_input_leaves_the_pages(puzzles, tmp_path):
    run("diagnose", puzzles, "--to", "html", "-o", f"{tmp_path}/pages/")
    before = {path.name: path.read_bytes() for path in (tmp_path / "pages").iterdir()}
    (tmp_path / "empty.txt").touch()
    empty = ("diagnose", "empty.txt", "--to", "html", "-o", "pages/")
    assert "no puzzle in the inputs" in run(*empty, code=2, cwd=tmp_path).stderr
    assert {path.name: path.read_bytes() for path in (tmp_path / "pages").iterdir()} == before
    run(*empty, "--allow-empty", cwd=tmp_path)
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["index.html", MANIFEST]


def test_a_smaller_run_replaces_the_pages_of_a_larger_one(puzzles, tmp_path):
    out = tmp_path / "out"
    run("trace", puzzles, "--to", "html", "-o", out, code=0)
    run("diagnose", EASY, "--to", "html", "-o", f"{out}/", code=0)
    made = contents(out)
    assert set(made) == {MANIFEST, "index.html", "puzzle-1.html"}
    assert json.loads(made[MANIFEST]) == {"pages": 1, "indexes": 1}
    assert "<svg" in made["puzzle-1.html"]


FOREIGN = ["notes.txt", "puzzle-4.html", "index-2.html", "puzzle-01.html", ".unidoku-1-x"]
DAMAGED = ["", "[]", "{}", '{"pages": "1", "indexes": 1}', '{"pages": -1, "indexes": 1}']


def write(inputs, out, page=lambda *_: "page", **options):
    return write_pages(str(inputs), str(out), page, title="x", **options)


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_are_refused_and_kept(puzzles, tmp_path, name):
    out = tmp_path / "out"
    write(puzzles, out)
    before = contents(out)
    (out / name).write_text("mine")
    message = f"the folder holds files that are not pages of an earlier run ('{name}')"
    with pytest.raises(OutputError, match=re.escape(message)):
        write(puzzles, out)
    assert contents(out) == before | {name: "mine"}


def test_a_folder_without_manifest_is_refused(tmp_path):
    (tmp_path / "puzzle-1.html").write_text("mine")
    done = run("trace", EASY, "--to", "html", "-o", tmp_path, code=2)
    assert "('puzzle-1.html')" in done.stderr
    assert contents(tmp_path) == {"puzzle-1.html": "mine"}


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_manifest_names_nothing(puzzles, tmp_path, text):
    out = tmp_path / "out"
    out.mkdir()
    (out / MANIFEST).write_text(text)
    (out / "puzzle-1.html").write_text("mine")
    with pytest.raises(OutputError, match="the manifest of the pages is damaged"):
        write(puzzles, out)
    assert contents(out) == {MANIFEST: text, "puzzle-1.html": "mine"}


def test_files_of_a_killed_run_are_reused(tmp_path):
    """A crash at any page leaves a folder that the next run takes over."""

    class KilledError(Exception):
        pass

    def page(cells, index):
        if cells == QUIZ.replace("0", "."):
            raise KilledError
        return "page"

    out = tmp_path / "out"
    (tmp_path / "in.txt").write_text(f"{EASY}\n{EASY}\n{QUIZ}\n")
    with pytest.raises(KilledError):
        write(tmp_path / "in.txt", out, page)
    assert {"puzzle-1.html", "puzzle-2.html", MANIFEST} == {each.name for each in out.iterdir()}
    (out / ".unidoku-0123456789ab-puzzle-3.html").write_text("half")
    write(tmp_path / "in.txt", out)
    pages = {f"puzzle-{number}.html" for number in (1, 2, 3)}
    assert {each.name for each in out.iterdir()} == {MANIFEST, "index.html"} | pages


def test_an_input_in_the_folder_or_a_run_at_the_same_time(puzzles, tmp_path):
    done = run("trace", puzzles, "--to", "html", "-o", tmp_path, code=2)
    assert "which the run writes" in done.stderr
    assert puzzles.exists()
    out = str(tmp_path / "out")
    with lock_folder(out), pytest.raises(OutputError, match="another run is writing it"):
        write(puzzles, out)


def test_records_without_a_page(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{EASY}\nnonsense\n{CLASH}\n{EASY}\n")
    done = run("explain", path, "--to", "html", "-o", tmp_path / "out", code=1)
    assert f"{path}:2" in done.stderr
    assert f"{path}:3: no solution: r1c1 and r1c2 both hold 1 in row 1" in done.stderr
    rows = rows_of((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))
    assert [[row[0], row[-2]] for row in rows] == [["1", f"{path}:1"], ["2", f"{path}:4"]]


def test_names_from_outside_stay_text(tmp_path):
    path = tmp_path / "<script>alert(1)<"
    path.write_text(f"{EASY} # <script>alert(2)</script>\n")
    run("trace", path, "--to", "html", "-o", tmp_path / "out", code=0)
    made = contents(tmp_path / "out")
    assert made["index.html"].count("<script") == 1
    assert "&lt;script&gt;alert(1)&lt;:1" in made["index.html"]
    assert "alert" not in made["puzzle-1.html"]


def test_a_long_list_continues_in_another_index(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "PAGE_SIZE", 2000)
    path = tmp_path / "in.txt"
    path.write_text(f"{EASY}\n" * 30)
    out = tmp_path / "out"
    done = write(path, out, lambda cells, index: index)
    made = contents(out)
    indexes = sorted(name for name in made if name.startswith("index"))
    assert len(indexes) > 2
    assert (done.puzzles, done.written) == (30, 30)
    listed = {}
    for name in indexes:
        assert len(made[name]) < 10_000
        for row in rows_of(made[name]):
            listed[f"puzzle-{row[0]}.html"] = name
    assert listed == {name: text for name, text in made.items() if name.startswith("puzzle")}
    assert 'href="index-2.html">Later' in made["index.html"]
    assert 'href="index.html">Earlier' in made["index-2.html"]


def test_memory_does_not_grow_with_the_input(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "PAGE_SIZE", 5000)
    peaks = []
    for count in (1, 400, 700):  # the first imports; the others are more than are in progress at once
        path = tmp_path / f"{count}.txt"
        path.write_text(f"{EASY}\n" * count)
        tracemalloc.start()
        write(path, tmp_path / f"out{count}", lambda *_: "x" * 60_000, threads=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # The pages have 18,000,000 characters more; tables of Python itself that grow now and then take 2 MB.
    assert peaks[2] < peaks[1] + 9_000_000


def test_a_cancelled_run_lists_its_pages(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{EASY}\n" * 2000)
    cancel = Cancel()

    def page(cells, index):
        cancel.set()
        return "page"

    done = write(path, tmp_path / "out", page, cancel=cancel, threads=1)
    assert 0 < done.written < 2000
    index = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "stopped before its end" in index
    assert len(rows_of(index)) == done.written


def test_names_of_folders(tmp_path):
    (tmp_path / "dir.d").mkdir()
    (tmp_path / "file").write_text("")
    names = ["new", "new/", "a.html", "-", "dir.d", "file", "s3://bucket/pages/", "s3://bucket/page.html"]
    found = [may_be_folder(name if "://" in name or name == "-" else f"{tmp_path}/{name}") for name in names]
    assert found == [True, True, False, False, True, False, True, False]


def test_a_long_search_is_cut_off_below_a_megabyte(tmp_path):
    run("trace", "." * 81, "--to", "html", "-o", tmp_path / "out", "--budget", 1500, code=0)
    page = (tmp_path / "out" / "puzzle-1.html").read_text(encoding="utf-8")
    assert 800_000 < len(page) < 1_000_000
    assert "the search continues" in page
