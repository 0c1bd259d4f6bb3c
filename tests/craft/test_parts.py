"""What the commands that change, make and judge puzzles write, in one run and in parts."""

import json

import pytest
from command import run
from readback import rows_of, unpacked

import unidoku
from unidoku import Cancel, canonical_file, minimize_file, transform_file
from unidoku.craft.generate import attempts, generate
from unidoku.craft.request import Request
from unidoku.errors import InvalidPuzzleError, OutputError, ResumeError
from unidoku.run.task import run_file
from unidoku.tasks.generate import Generate

LINES = unidoku.lines(generate(1200, seed=12, clues=27))
SOLUTIONS = unidoku.lines(unidoku.check_many(LINES).solutions)
IMAGES = "transform -n 2 --seed 7 --original"
RANDOM = {"command": "transform", "count": 2, "seed": 7, "original": True}
PART = 20_000  # bytes: about 120 rows; the first part of a CSV file has 64 KiB and more
COUNTS = ("puzzles", "invalid", "written", "verified", "wrong_cells")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    rows = [f"{k},{p},{s}" for k, (p, s) in enumerate(zip(LINES, SOLUTIONS, strict=True))]
    rows.insert(100, "100b,no puzzle,")
    path.write_text("\n".join(["id,puzzle,solution", *rows]) + "\n")
    return path


def content(path):
    """The bytes of an output, or its rows where the bytes depend on the parts."""
    return rows_of(path) if path.suffix in {".parquet", ".arrow"} else unpacked(path)


@pytest.mark.parametrize(
    ("words", "suffix"),
    [
        *((IMAGES, suffix) for suffix in ("txt", "csv", "jsonl", "csv.gz", "arrow")),
        ("canonical", "jsonl"),
        ("minimize --seed 7", "csv"),
        ("convert", "csv"),
        ("rate", "jsonl"),
        ("rate", "parquet"),
        ("rate --columns er,id", "csv"),
        ("rate --budget 1000 --columns puzzle,class,steps,line", "csv"),
        ("verify", "parquet"),
        ("verify --columns id,puzzle,solved", "jsonl"),
        ("neighbours --remove 1 --add 0", "csv"),
        ("neighbours --remove 0 --keep none", "csv"),
    ],
)
def test_parts_are_the_whole(words, suffix, table, tmp_path):
    if suffix in {"arrow", "parquet"}:
        pytest.importorskip("pyarrow")
    one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
    arguments = [*words.split(), table, "--json"]
    whole = run(*arguments, "-o", one, code=1)  # a record is not a puzzle
    parts = run(*arguments, "-o", other, "--part-bytes", PART, "--threads", 3, code=1)
    counts, again = ({name: json.loads(done.stdout).get(name) for name in COUNTS} for done in (whole, parts))
    assert again == counts
    assert counts["invalid"] == 1
    assert (f"{table}:102" in whole.stderr) == (not words.startswith("verify"))  # whose rows have reasons
    assert parts.stderr == whole.stderr
    assert content(other) == content(one)
    assert list(tmp_path.glob("*parts*")) == []


@pytest.mark.parametrize("parts", [{}, {"part_bytes": 500}])
@pytest.mark.parametrize(
    ("work", "rows", "message"),
    [
        (canonical_file, [LINES[0], "", "11" + "." * 79], r"in\.txt:3: .*clash"),
        (minimize_file, [*LINES[:100], "." * 81, *LINES[100:]], r"in\.txt:101: not a proper puzzle"),
        (lambda *a, **o: unidoku.neighbours_file(*a, remove=60, **o), LINES, r"in\.txt:1: remove must be 0"),
    ],
)
def test_a_puzzle_that_cannot_be_changed_ends_the_run(work, rows, message, parts, tmp_path):
    (tmp_path / "in.txt").write_text("\n".join(rows) + "\n")
    with pytest.raises(InvalidPuzzleError, match=message):
        work(tmp_path / "in.txt", tmp_path / "out.txt", **parts)
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("canonical in.csv -o o.sdk --resume", "sdk cannot be made in parts"),
        ("canonical in.csv -o o.jsonl --comment", "jsonl has no comments"),
        ("canonical in.csv -o o.jsonl --comment --resume", "jsonl has no comments"),
    ],
)
def test_what_cannot_be_made_in_parts(words, message, table, tmp_path):
    assert message in run(*words.split(), cwd=tmp_path, code=2).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


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
    assert rows == [list(pair) for pair in zip(unidoku.lines(puzzles), unidoku.lines(grids), strict=True)]
    assert (done.written, done.complete) == (len(rows), True)
    with pytest.raises(OutputError, match="generate cannot write its output in parts"):
        unidoku.generate_file(tmp_path / "out.csv", **asked)


@pytest.mark.parametrize(("to", "column"), [((), "solution"), (("--to", "txt"), "rest")])
def test_solutions_of_generated_puzzles_go_to_a_folder_too(to, column, tmp_path):
    pytest.importorskip("pyarrow")
    run("generate", "--attempts", "0-3", "--seed", 1, "--solutions", *to, "-o", f"{tmp_path}/parts/", code=0)
    run("convert", tmp_path / "parts", "--keep", "all", "-o", tmp_path / "out.csv", code=0)
    header, *rows = (tmp_path / "out.csv").read_text().splitlines()
    assert len(rows) == 4
    for row in rows:
        values = dict(zip(header.split(","), row.split(","), strict=True))
        assert values[column] == unidoku.solve(values["puzzle"]).line


@pytest.mark.parametrize(
    "command",
    ["generate --attempts 0-99 --seed 3", "minimize in.csv --seed 3", "neighbours in.csv --remove 0"],
)
@pytest.mark.parametrize("bare", [False, True])
def test_new_puzzles_have_their_ratings(command, bare, tmp_path):
    """Also in parts, and instead of those of the puzzles that they were made of."""
    rows = "".join(f"9.9,{line},x,80\n" for line in LINES[:20])
    (tmp_path / "in.csv").write_text(f"er,puzzle,id,steps\n{rows}")
    words = [*command.split(), *["--keep", "none"] * bare]
    run(*words, "-o", "one.csv", cwd=tmp_path, code=0)
    run(*words, "-o", "other.csv", "--part-bytes", PART, cwd=tmp_path, code=0)
    rows = [line.split(",") for line in (tmp_path / "one.csv").read_text().splitlines()]
    found = unidoku.rate_many([row[0] for row in rows[1:]])
    rest = ["id"] if words[0] == "minimize" else []
    assert rows[0] == ["puzzle"] + ([] if bare else ["er", "ep", "ed", "technique", "difficulty", *rest])
    for row, rating in zip(rows[1:], found, strict=True):
        names = (rating.er, rating.ep, rating.ed, rating.technique, rating.difficulty)
        assert row[1:6] == ([] if bare else [*map(str, names)])
    assert (tmp_path / "other.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


def about(path):
    """The parameters in the comment of an output."""
    return json.loads(content(path).decode().splitlines()[0].removeprefix("# unidoku: "))["options"]


def test_the_command_generates_in_parts(tmp_path):
    options = ["--attempts", "50-1049", "--seed", "3", "--comment", "--clues", "24"]
    run("generate", "-o", tmp_path / "one.txt", *options, code=0)
    done = run("generate", "-o", tmp_path / "other.txt", *options, "--part-bytes", PART, code=0)
    assert content(tmp_path / "other.txt") == content(tmp_path / "one.txt")
    written = content(tmp_path / "one.txt").splitlines()[1:]
    assert done.stderr == f"{len(written)} puzzles\n"
    wanted = {"command": "generate", "seed": 3, "first": 50, "clues": [24, 24], "count": None, "budget": 1000}
    assert about(tmp_path / "one.txt") == wanted


def test_stopped_generating_is_resumed(tmp_path, monkeypatch):
    request, output, attempts = Request(clues=(24, 25)), tmp_path / "out.txt", [range(2000)]
    settings = {"part_bytes": PART, "threads": 1}
    cancel, calls, work = Cancel(), [], Generate.work

    def stops(task, batch, need):
        """Generate until the run is cancelled, in the second part."""
        calls.append(len(batch))
        if sum(calls) > 300:
            cancel.set()
        return work(task, batch, need)

    with monkeypatch.context() as patched:
        patched.setattr(Generate, "work", stops)
        first = run_file(Generate(request, 8), attempts, output, cancel=cancel, **settings)
    assert not first.complete
    with pytest.raises(ResumeError, match=r"the number of attempts was 2000, now it is 3000"):
        run_file(Generate(request, 8), [range(3000)], output, resume=True, **settings)
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
    for path, more in ((one, {}), (other, {"part_bytes": PART})):
        transform_file(table, path, count=2, seed=7, original=True, comment=True, **more)
    assert content(one) == content(other)
    assert about(one) == RANDOM
    second = content(one).decode().splitlines()[1]
    assert second == (LINES[0] if suffix == "txt" else "puzzle,image_of,id,solution")
    assert unidoku.check_file(one).unique == 3 * len(LINES)


def test_results_of_a_check_may_have_a_comment(table, tmp_path):
    unidoku.check_file(table, output=tmp_path / "parts.csv", comment=True, part_bytes=PART, limit=3)
    found = about(tmp_path / "parts.csv")
    assert (found["limit"], found["command"]) == (3, "check")


@pytest.mark.slow
def test_worker_processes(table, tmp_path):
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    arguments = [*IMAGES.split(), table]
    run(*arguments, "-o", tmp_path / "one.csv", code=1)
    run(*arguments, "-o", tmp_path / "other.csv", "--cluster", "local:2", "--part-bytes", PART, code=1)
    assert (tmp_path / "other.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
