"""Changed puzzles in parts: the same bytes as in one run, restart, clusters, errors."""

import gzip
import json
from dataclasses import dataclass, field

import pytest
from command import run
from readback import rows_of

import unidoku
from unidoku import Cancel, canonical_file, minimize_file, transform_file
from unidoku.craft.generate import attempts, generate
from unidoku.craft.minimize import fewest_clues, minimal_puzzles
from unidoku.craft.neighbours import neighbours
from unidoku.craft.request import Request
from unidoku.errors import FormatError, InvalidPuzzleError, OutputError, ResumeError
from unidoku.files.base import Attempts
from unidoku.run.summary import COUNTS
from unidoku.run.task import run_file
from unidoku.tasks.canonical import Canonical
from unidoku.tasks.generate import Generate
from unidoku.tasks.neighbours import Neighbours
from unidoku.tasks.rate import Rate
from unidoku.tasks.verify import Verify

LINES = [unidoku.Grid(row).line for row in generate(1200, seed=12, clues=27)]
SOLUTIONS = [unidoku.Grid(row).line for row in unidoku.check_many(LINES).solutions]
RANDOM = {"command": "transform", "count": 2, "seed": 7, "original": True, "rate": False}
PART = 20_000  # bytes: about 120 rows; the first part of a CSV file has 64 KiB and more


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    rows = [f"{k},{p},{s}" for k, (p, s) in enumerate(zip(LINES, SOLUTIONS, strict=True))]
    rows.insert(100, "100b,no puzzle,")
    path.write_text("\n".join(["id,puzzle,solution", *rows]) + "\n")
    return path


def random_images(path, output, **options):
    return transform_file(path, output, count=2, seed=7, original=True, **options)


def minimized_file(path, output, **options):
    return minimize_file(path, output, seed=7, **options)


@pytest.mark.parametrize(
    ("work", "suffix"),
    [(random_images, suffix) for suffix in ("txt", "csv", "jsonl", "csv.gz", "arrow")]
    + [(canonical_file, "jsonl"), (minimized_file, "csv"), (unidoku.convert_file, "csv")],
)
def test_parts_are_the_whole(work, suffix, table, tmp_path):
    if suffix == "arrow":
        pytest.importorskip("pyarrow")
    one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
    whole = work(table, one)
    parts = work(table, other, part_bytes=PART, threads=3)
    assert (parts.written, parts.invalid) == (whole.written, whole.invalid) == (len(LINES) * copies(work), 1)
    assert str(parts.rejects[0]) == str(whole.rejects[0])
    assert puzzles(other, tmp_path) == puzzles(one, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if "parts" in path.name) == []


def copies(work):
    return 3 if work is random_images else 1


def puzzles(path, folder):
    """The content as lines of JSON."""
    unidoku.convert_file(path, folder / "read.jsonl")
    return (folder / "read.jsonl").read_text()


def test_a_parquet_output_is_a_folder_of_parts_with_the_parameters(table, tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    random_images(table, tmp_path / "one.parquet")
    random_images(table, tmp_path / "other.parquet", part_bytes=PART)
    assert len(list((tmp_path / "other.parquet").iterdir())) > 1
    whole, parts = (parquet.read_table(tmp_path / f"{name}.parquet") for name in ("one", "other"))
    assert parts.equals(whole)
    assert whole.schema.field("solution").type == pa.string()
    for each in (whole, parts):
        about = json.loads(each.schema.metadata[b"unidoku"])
        assert about["version"] == unidoku.__version__
        assert about["options"] == RANDOM


def content(path):
    """The rows of an output."""
    if path.suffix != ".parquet":
        return path.read_bytes()
    return rows_of(path)


@pytest.mark.parametrize(
    ("task", "columns", "suffix"),
    [
        (Rate(), None, "parquet"),
        (Rate(), None, "jsonl"),
        (Rate(budget=1000), ["puzzle", "class", "steps", "line"], "csv"),
        (Verify(), None, "parquet"),
        (Verify(), ["id", "puzzle", "solved"], "jsonl"),
        (Neighbours(1, 0), None, "csv"),
    ],
)
def test_other_tasks_in_parts(task, columns, suffix, table, tmp_path):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
    whole = run_file(task, table, one, columns=columns)
    parts = run_file(task, table, other, columns=columns, part_bytes=PART)
    names = [name for name in COUNTS if getattr(whole, name)]
    assert [getattr(parts, name) for name in names] == [getattr(whole, name) for name in names]
    assert content(other) == content(one)


def test_neighbours_of_each_puzzle(table, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("\n".join(LINES[:20]))
    every = [grid.line for line in LINES[:20] for grid in neighbours(line)]
    for options in ({}, {"part_bytes": 500}):
        unidoku.neighbours_file(path, tmp_path / "out.txt", **options)
        assert (tmp_path / "out.txt").read_text().split() == every
    with pytest.raises(InvalidPuzzleError, match=r"in\.txt:1: remove must be 0 to"):
        unidoku.neighbours_file(path, tmp_path / "other.txt", remove=60)
    with pytest.raises(InvalidPuzzleError, match=r"in\.txt:1: remove must be 0 to"):
        unidoku.neighbours_file(path, tmp_path / "other.txt", remove=60, part_bytes=500)


def test_searches_within_each_puzzle(tmp_path):
    """The rows are those of the API, in one piece and in parts; --fewest has the proved bound."""
    path, out, other = (tmp_path / name for name in ("in.txt", "out.csv", "other.csv"))
    path.write_text("\n".join([*LINES[:6], "no puzzle"]) + "\n")
    parts = {"part_bytes": 200, "threads": 2}
    done = minimize_file(path, out, count=3, keep="none")
    every = [grid.line for line in LINES[:6] for grid in minimal_puzzles(line, count=3)]
    assert (done.written, done.invalid) == (len(every), 1)
    assert out.read_text().splitlines() == ["puzzle", *every, "no puzzle"]
    minimize_file(path, other, count=3, keep="none", **parts)
    assert other.read_bytes() == out.read_bytes()
    asked = {"fewest": True, "budget": 40, "seed": 3}
    done = minimize_file(path, out, **asked)
    found = [fewest_clues(line, budget=40, seed=3) for line in LINES[:6]]
    wanted = [[each.grid.line, str(each.at_least)] for each in found]
    rows = rows_of(out)
    assert [[row["puzzle"], row["clues_at_least"]] for row in rows] == [*wanted, ["no puzzle", ""]]
    assert all(float(row["er"]) >= 1 for row in rows[:-1])
    assert done.cut_off == sum(not each.complete for each in found) > 0
    minimize_file(path, other, **asked, **parts)
    assert other.read_bytes() == out.read_bytes()
    path.write_text(f"{LINES[0]}\n{'.' * 81}\n")
    for options in ({"count": None}, {"fewest": True}):
        with pytest.raises(InvalidPuzzleError, match=r"in\.txt:2: not a proper puzzle"):
            minimize_file(path, out, **options)
    for options in ({"count": None, "fewest": True}, {"count": 2, "fewest": True}, {"budget": 2}):
        with pytest.raises(ValueError, match="fewest excludes count"):
            minimize_file(path, out, **options)


@pytest.mark.parametrize(
    ("command", "output", "message"),
    [
        (["rate", "IN", "-o", "OUT", "--part-bytes", "20000"], Rate(), None),
        (
            ["neighbours", "IN", "--remove", "0", "-o", "OUT", "--resume", "--keep", "none"],
            Neighbours(0, 1),
            None,
        ),
        (["verify", "IN", "-o", "OUT", "--resume", "--quiet"], Verify(), None),
        (["rate", "IN", "-o", "OUT", "--columns", "er,id", "--resume"], Rate(), None),
        (["verify", "IN", "--resume"], None, "needs --output"),
        (
            ["verify", "IN", "--predictions", "IN", "-o", "OUT", "--cluster", "local:2"],
            None,
            "without --predictions",
        ),
    ],
)
def test_commands(command, output, message, table, tmp_path):
    places = {"IN": str(table), "OUT": str(tmp_path / "out.csv")}
    arguments = [places.get(word, word) for word in command]
    if message is not None:
        assert message in run(*arguments, code=2).stderr
        return
    run(*arguments, code=1)  # a record is not a puzzle
    columns = ["er", "id"] if "--columns" in command else None
    run_file(
        output, table, tmp_path / "one.csv", columns=columns, keep="none" if "none" in command else "columns"
    )
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


@dataclass(frozen=True)
class Interrupted(Canonical):
    """Canonical forms until the run is cancelled, in the first batch after more than `after` puzzles."""

    after: int = field(default=0, compare=False)
    cancel: Cancel = field(default_factory=Cancel, compare=False)
    calls: list[int] = field(default_factory=list, compare=False)

    def work(self, batch, need):
        if sum(self.calls) > self.after:
            self.cancel.set()
        self.calls.append(len(batch))
        return super().work(batch, need)


def test_a_cancelled_run_is_resumed(table, tmp_path):
    canonical_file(table, tmp_path / "one.csv")
    output = tmp_path / "other.csv"
    change = Interrupted(after=600)  # the first part has about 400
    first = run_file(change, table, output, part_bytes=PART, threads=1, cancel=change.cancel)
    assert not first.complete
    assert first.written < len(LINES)
    assert "--resume" in first.resume
    assert not output.exists()
    with pytest.raises(ResumeError, match=r'the form was "minlex", now it is "solution"'):
        canonical_file(table, output, form="solution", part_bytes=PART, resume=True)
    done = canonical_file(table, output, part_bytes=PART, resume=True)
    assert (done.complete, done.written) == (True, len(LINES))
    assert output.read_bytes() == (tmp_path / "one.csv").read_bytes()


REQUESTS = [
    Request(),
    Request(clues=(26, 28), symmetry="180"),
    Request(classes=(2, 4), solution="uniform"),
    Request(rating=(2.0, 4.4), technique="naked-pair"),
    Request(classes=1, steps=(5000, 6000)),  # which no puzzle has
    Request(pattern="1" * 81, solution=SOLUTIONS[0]),  # only attempt 0
]


@pytest.mark.parametrize("first", [0, 1234])
@pytest.mark.parametrize("request_", REQUESTS)
def test_generated_puzzles(request_, first, tmp_path):
    asked = {"request": request_, "seed": 5, "first": first, "budget": 600, "part_bytes": PART, "threads": 2}
    made = {"solutions": True, "keep": "none", "count": None}
    done = unidoku.generate_file(tmp_path / "out.csv", **asked, **made)
    rows = [line.split(",") for line in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    _, puzzles, grids = attempts(request_, 5, first, 600, Cancel())
    assert rows == [[unidoku.Grid(row).line for row in pair] for pair in zip(puzzles, grids, strict=True)]
    assert done.written == len(rows)
    assert done.complete
    with pytest.raises(OutputError, match="generate cannot write its output in parts"):
        unidoku.generate_file(tmp_path / "out.csv", **asked)


@pytest.mark.parametrize(
    "command", [["generate", "--attempts", "0-99"], ["minimize", "IN"], ["neighbours", "IN", "--remove", "0"]]
)
@pytest.mark.parametrize("bare", [False, True])
def test_new_puzzles_have_their_ratings(command, bare, tmp_path):
    """Also in parts, and instead of those of the puzzles that they were made of."""
    (tmp_path / "in.csv").write_text("er,puzzle,id\n" + "".join(f"9.9,{line},x\n" for line in LINES[:20]))
    command = [str(tmp_path / "in.csv") if word == "IN" else word for word in command]
    command += ["--seed", "3"] * (command[0] != "neighbours") + ["--keep", "none"] * bare
    run(*command, "-o", tmp_path / "one.csv", code=0)
    run(*command, "-o", tmp_path / "other.csv", "--part-bytes", PART, code=0)
    rows = [line.split(",") for line in (tmp_path / "one.csv").read_text().splitlines()]
    found = unidoku.rate_many([row[0] for row in rows[1:]])
    rest = ["id"] if command[0] == "minimize" else []
    assert rows[0] == ["puzzle"] + ([] if bare else ["er", "ep", "ed", "technique", "difficulty", *rest])
    for row, rating in zip(rows[1:], found, strict=True):
        names = (rating.er, rating.ep, rating.ed, rating.technique, rating.difficulty)
        assert row[1:6] == ([] if bare else [*map(str, names)])
    assert (tmp_path / "other.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


def test_the_command_generates_in_parts(tmp_path):
    options = ["--attempts", "50-1049", "--seed", "3", "--comment", "--clues", "24"]
    run("generate", "-o", tmp_path / "one.txt", *options, code=0)
    done = run("generate", "-o", tmp_path / "other.txt", *options, "--part-bytes", PART, code=0)
    one, other = ((tmp_path / f"{name}.txt").read_text().splitlines() for name in ("one", "other"))
    assert done.stderr == f"{len(other) - 1} puzzles\n"
    assert other == one
    about = {"command": "generate", "seed": 3, "first": 50, "clues": [24, 24], "count": None, "budget": 1000}
    assert json.loads(other[0].removeprefix("# unidoku: "))["options"] == about
    assert "--resume needs --attempts" in run("generate", "--resume", code=2).stderr


@dataclass(frozen=True)
class StoppedGenerate(Generate):
    """Generates until the run is cancelled, in the second part."""

    cancel: Cancel = field(default_factory=Cancel, compare=False)
    calls: list[int] = field(default_factory=list, compare=False)

    def work(self, batch, need):
        self.calls.append(len(batch.starts))
        if sum(self.calls) > 300:
            self.cancel.set()
        return super().work(batch, need)


def test_stopped_generating_is_resumed(tmp_path):
    request, output, attempts = Request(clues=(24, 25)), tmp_path / "out.txt", Attempts(0, 2000)
    change = StoppedGenerate(request, 8)
    settings = {"part_bytes": PART, "threads": 1}
    first = run_file(change, attempts, output, cancel=change.cancel, **settings)
    assert not first.complete
    with pytest.raises(ResumeError, match=r"the number of attempts was 2000, now it is 3000"):
        run_file(Generate(request, 8), Attempts(0, 3000), output, resume=True, **settings)
    with pytest.raises(ResumeError, match=r"clues was \[24, 25\], now it is \[26, 26\]"):
        run_file(Generate(Request(clues=26), 8), attempts, output, resume=True, **settings)
    done = run_file(Generate(request, 8), attempts, output, resume=True, **settings)
    run_file(Generate(request, 8), attempts, tmp_path / "one.txt")
    assert done.complete
    assert first.written < done.written == output.read_text().count("\n")
    assert output.read_bytes() == (tmp_path / "one.txt").read_bytes()


@pytest.mark.parametrize("suffix", ["txt", "csv", "csv.gz"])
def test_a_comment_has_the_parameters(suffix, table, tmp_path):
    one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
    random_images(table, one, comment=True)
    random_images(table, other, comment=True, part_bytes=PART)
    texts = [
        gzip.decompress(path.read_bytes()) if suffix == "csv.gz" else path.read_bytes()
        for path in (one, other)
    ]
    assert texts[0] == texts[1]
    first, second = texts[0].decode().splitlines()[:2]
    about = json.loads(first.removeprefix("# unidoku: "))
    assert about["options"] == RANDOM
    assert second == (LINES[0] if suffix == "txt" else "puzzle,image_of,id,solution")
    assert unidoku.check_file(one).unique == 3 * len(LINES)


def test_formats_without_comments_refuse_one(table, tmp_path):
    for options in ({}, {"resume": True}):
        with pytest.raises(FormatError, match="jsonl has no comments"):
            canonical_file(table, tmp_path / "out.jsonl", comment=True, **options)
    assert list(tmp_path.glob("out*")) == []


def test_results_of_a_check_may_have_a_comment(table, tmp_path):
    unidoku.check_file(table, output=tmp_path / "parts.csv", comment=True, part_bytes=PART, limit=3)
    about = json.loads((tmp_path / "parts.csv").read_text().splitlines()[0].removeprefix("# unidoku: "))
    assert (about["options"]["limit"], about["options"]["command"]) == (3, "check")


def test_a_cancelled_run_without_parts_keeps_what_is_done(table, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("\n".join([*LINES] * 40) + "\n")
    canonical_file(path, tmp_path / "one.txt")
    change = Interrupted()
    done = run_file(change, path, tmp_path / "out.txt", threads=1, cancel=change.cancel)
    written = (tmp_path / "out.txt.partial").read_text()
    assert done.partial == [f"{tmp_path}/out.txt.partial"]
    assert not (tmp_path / "out.txt").exists()
    assert not done.complete
    assert 0 < done.written == written.count("\n") < 40 * len(LINES)
    assert (tmp_path / "one.txt").read_text().startswith(written)


@pytest.mark.slow
def test_worker_processes(table, tmp_path):
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    random_images(table, tmp_path / "one.csv")
    random_images(table, tmp_path / "other.csv", cluster="local:2", part_bytes=20_000)
    assert (tmp_path / "other.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


def test_a_puzzle_that_cannot_be_changed_ends_the_run(table, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("\n".join([*LINES[:700], "." * 81, *LINES[700:]]) + "\n")
    with pytest.raises(InvalidPuzzleError, match=r"in\.txt:701: not a proper puzzle"):
        minimized_file(path, tmp_path / "out.txt", part_bytes=PART)
    assert not (tmp_path / "out.txt").exists()


def test_what_cannot_be_made_in_parts(table, tmp_path):
    with pytest.raises(FormatError, match="sdk cannot be made in parts"):
        canonical_file(table, tmp_path / "out.sdk", resume=True)
