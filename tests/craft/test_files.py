"""Solutions, classes and metadata of transformed, minimal and generated puzzles in files."""

import json

import pytest
from pyarrow import parquet
from readback import rows_of

import unidoku
from unidoku.craft._generate import generate
from unidoku.craft._request import Request
from unidoku.tasks import Convert, Generate, Minimize, Transform
from unidoku.tasks._split import split_file

LINES = unidoku.lines(generate(30, seed=11))
SOLUTIONS = [unidoku.solve(line).line for line in LINES]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    rows = [f"{k},{p},{s}" for k, (p, s) in enumerate(zip(LINES, SOLUTIONS, strict=True))]
    path.write_text("\n".join(["id,puzzle,Solution", *rows]) + "\n")
    return path


def test_other_texts_in_a_solution_column_stay(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(f"puzzle,solution\n{LINES[0]},unknown\n{LINES[1]},{SOLUTIONS[1]}\n{LINES[2]},\n")
    unidoku.run(Transform(count=1), path, tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert [rows[0]["solution"], rows[2]["solution"]] == ["unknown", ""]
    assert unidoku.solve(rows[1]["puzzle"]).line == rows[1]["solution"]


def test_unique_up_to_symmetry(table, tmp_path):
    unidoku.run(Transform(count=4, original=True), table, tmp_path / "many.csv")
    clash = tmp_path / "clash.txt"
    clash.write_text(f"11{'.' * 79}\n22{'.' * 79}\n11{'.' * 79}\n")
    summary = unidoku.run(Convert(unique="canonical"), [tmp_path / "many.csv", clash], tmp_path / "out.txt")
    assert (summary.written, summary.duplicates) == (32, 121)
    assert (tmp_path / "out.txt").read_text().split()[:30] == LINES


@pytest.mark.parametrize("suffix", ["txt", "arrow"])
@pytest.mark.parametrize("count", [0, 63, 300])
def test_exactly_so_many_puzzles_are_written(count, suffix, tmp_path):
    request, puzzles = Request(clues=(22, 24)), generate(count, seed=3, clues=(22, 24))
    task = Generate(request, seed=3, count=count)
    contents, cancel, calls = [], unidoku.Cancel(), []
    for threads in (1, 4):
        path = tmp_path / f"out{threads}.{suffix}"
        running = {"cancel": cancel, "progress": calls.append}
        summary = unidoku.run(task, task.puzzles(threads=threads), path, threads=threads, **running)
        assert (summary.written, summary.complete, bool(cancel)) == (count, True, False)
        assert (calls[-1].done, calls[-1].total, calls[-1].puzzles) == (81 * count, 81 * count, count)
        contents.append(path.read_bytes())
        unidoku.run(Convert(), path, tmp_path / "read.txt", empty=True)
        assert (tmp_path / "read.txt").read_text().split() == unidoku.lines(puzzles)
    assert contents[0] == contents[1]


def test_arrow_and_parquet_record_the_seed_and_the_parameters(table, tmp_path):

    def options_of(name):
        return json.loads(parquet.read_schema(tmp_path / name).metadata[b"unidoku"])["options"]

    request = Request(clues=(24, 30), symmetry="180", solution=SOLUTIONS[0], steps=(0, 400))
    task = Generate(request, seed=8, count=3, ratings=True)
    unidoku.run(task, task.puzzles(), tmp_path / "new.parquet")
    assert options_of("new.parquet") == {
        **{"command": "generate", "seed": 8, "count": 3, "scale": "se121"},
        **{"ratings": True, "solutions": False},
        **{"clues": [24, 30], "symmetry": "180", "solution": SOLUTIONS[0], "steps": [0, 400]},
    }
    split_file(table, [tmp_path / "a.parquet", tmp_path / "b.parquet"], fractions=[0.75, 0.25], seed=3)
    options = {"command": "split", "by": "canonical", "seed": 3, "fractions": [0.75, 0.25]}
    assert [options_of(f"{name}.parquet") for name in "ab"] == [{**options, "part": k} for k in (1, 2)]
    unidoku.run(Minimize(seed=4), table, tmp_path / "small.parquet")
    options = {"command": "minimize", "seed": 4, "all": False, "scale": "se121"}
    assert options_of("small.parquet") == options
    unidoku.run(Transform(rotate=90), table, tmp_path / "one.parquet")
    options = {"command": "transform", "rotate": 90, "original": False}
    assert options_of("one.parquet") == options
