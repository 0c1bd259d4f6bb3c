"""Audits of files, against a model of dictionaries."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from example_puzzles import MULTIPLE, NONE, SOLUTION, UNIQUE
from packing import zip_of

import unidoku
from unidoku.craft._transform import GROUP_ORDER
from unidoku.errors import FormatError
from unidoku.tasks._audit import WAYS, audit_files
from unidoku.tasks._search import SAMPLE

SINGLE = ("invalid", "none", "multiple", "wrong", "missing")


def image(puzzle, draw):
    """Return a random image of a puzzle."""
    return unidoku.Transformation.from_index(draw.randrange(GROUP_ORDER))(unidoku.Grid(puzzle)).line


def mixture(draw, puzzles, lines):
    """Return random pairs of puzzle and answer, some of them equal or equivalent to others."""
    rows = []
    for _ in range(lines):
        kind = draw.randrange(10)
        puzzle = draw.choice(puzzles)
        if kind == 0:
            puzzle = draw.choice(["no puzzle", NONE, MULTIPLE, UNIQUE.replace("5", ".")])
        elif kind < 4:
            puzzle = image(puzzle, draw)
        elif kind < 6:  # another puzzle with the same solution
            solution = unidoku.solve(puzzle).line
            cells = [*puzzle]
            for cell in draw.sample([k for k in range(81) if puzzle[k] == "."], 2):
                cells[cell] = solution[cell]
            puzzle = image("".join(cells), draw)
        grid = puzzle != "no puzzle" and unidoku.solve(puzzle)
        answer = draw.choice([grid.line, grid.line, SOLUTION, ""]) if grid else ""
        rows.append((puzzle, answer))
    return rows


def model(files):
    """Count the findings by kind, file and other file; return the first examples too."""
    counts, examples = Counter(), defaultdict(list)
    classes = {way: defaultdict(list) for way in WAYS}
    for name, rows in files.items():
        for line, (puzzle, answer) in enumerate(rows, 2):
            kinds = []
            if puzzle == "no puzzle":
                kinds = ["invalid"]
            else:
                verdict = str(unidoku.check(puzzle))
                kinds += [verdict] if verdict != "unique" else []
                if not answer:
                    kinds.append("missing")
                elif not unidoku.verify(puzzle, answer):
                    kinds.append("wrong")
                clash = unidoku.Grid(puzzle).clashes()
                form = puzzle if clash else unidoku.canonical(puzzle).line
                classes["equal"][puzzle].append((name, line))
                classes["equivalent"][form].append((name, line))
                if verdict == "unique":
                    solution = unidoku.canonical(unidoku.solve(puzzle)).line
                    classes["same_solution"][solution].append((name, line))
            for kind in kinds:
                counts[kind, name, None] += 1
                examples[kind, name, None].append((line, None))
    for way, groups in classes.items():
        for places in groups.values():
            by_file = defaultdict(list)
            for name, line in places:
                by_file[name].append(line)
            for file, own_lines in by_file.items():
                if len(own_lines) > 1:
                    counts[way, file, file] += len(own_lines) - 1
                    examples[way, file, file].append((own_lines[1], own_lines[0]))
                for other_file, other_lines in by_file.items():
                    if file != other_file:
                        counts[way, file, other_file] += len(own_lines)
                        examples[way, file, other_file].append((own_lines[0], other_lines[0]))
    return dict(counts), {key: tuple(sorted(pairs)[:3]) for key, pairs in examples.items()}


def write_files(files, folder):
    """Write the files, and return their paths."""
    paths = []
    for name, rows in files.items():
        path = folder / name
        path.write_text("puzzle,answer\n" + "".join(f"{puzzle},{answer}\n" for puzzle, answer in rows))
        paths.append(path)
    return paths


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_mixtures_are_found_as_by_the_model(seed, tmp_path):
    draw = random.Random(seed)
    puzzles = unidoku.lines(unidoku.generate(25, seed=seed))
    files = {f"{name}.csv": mixture(draw, puzzles, lines) for name, lines in (("a", 60), ("b", 25), ("c", 7))}
    report = unidoku.learning.audit_files(write_files(files, tmp_path), threads=2)
    names = {str(tmp_path / name): name for name in files} | {None: None}
    keys = [(finding.kind, names[finding.file], names[finding.other]) for finding in report.findings]
    counts, examples = model(files)
    assert dict(zip(keys, (finding.count for finding in report.findings), strict=True)) == counts
    assert {
        key: tuple((place.line, place.other_line) for place in finding.examples)
        for key, finding in zip(keys, report.findings, strict=True)
    } == examples
    for row in report.files:
        name = names[row["file"]]
        assert row["puzzles"] == len(files[name])
        assert [row[kind] for kind in SINGLE] == [counts.get((kind, name, None), 0) for kind in SINGLE]
        assert [row[way] for way in WAYS] == [counts.get((way, name, name), 0) for way in WAYS]


def test_well_known_lists(puzzles17, top1465, tmp_path):
    """Against the forms in minlex order, which an audit of proper puzzles does not make."""
    lists = {"17.txt": puzzles17, "top.txt": top1465}
    for name, lines in lists.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    report = unidoku.learning.audit_files([tmp_path / name for name in lists])
    forms17, top_forms = (
        Counter(map(bytes, unidoku.craft.canonical_many(lines).puzzle)) for lines in lists.values()
    )
    own = [counts["equivalent"] for counts in report.files]
    assert own == [forms.total() - len(forms) for forms in (forms17, top_forms)]
    pair_counts = [
        sum(count for form, count in a.items() if form in b)
        for a, b in ((forms17, top_forms), (top_forms, forms17))
    ]
    assert [counts["equivalent"] for counts in report.pairs] == pair_counts
    if len(puzzles17) == 49158:
        assert own[0] == 0  # no two of them are equivalent, as their collectors say


def test_members_of_an_archive_are_files(tmp_path):
    (tmp_path / "all.zip").write_bytes(zip_of(dict.fromkeys(["a.txt", "b.txt"], f"{UNIQUE}\n")))
    report = unidoku.learning.audit_files(tmp_path / "all.zip")
    assert {(finding.kind, finding.count) for finding in report.findings} == {(way, 1) for way in WAYS}
    assert {finding.file for finding in report.findings} == {row["file"] for row in report.files}
    assert len(report.pairs) == 2


def test_answers_of_a_column(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"puzzle,answer,model,other\n{UNIQUE},{SOLUTION},{UNIQUE},no idea\n")
    assert not unidoku.learning.audit_files(path)
    for name in ("model", "other"):
        assert [finding.kind for finding in unidoku.learning.audit_files(path, prediction=name).findings] == [
            "wrong"
        ]
    with pytest.raises(FormatError, match="expected a column third"):
        unidoku.learning.audit_files(path, prediction="third")


def test_inputs_that_cannot_be_audited(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n")
    with pytest.raises(unidoku.UnidokuError, match="need a folder"):
        unidoku.learning.audit_files(path, resume=True)
    assert str(unidoku.learning.audit_files([])) == "nothing found"


def test_a_run_that_is_cancelled_compares_nothing(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n" * 2)
    cancel = unidoku.Cancel()
    report = unidoku.learning.audit_files(path, progress=lambda _: cancel.set(), cancel=cancel)
    assert not report.complete
    assert report.files[0]["equal"] is None
    assert str(unidoku.learning.audit_files(path, cancel=cancel)) == ""  # before any record


def test_audit_of_many_puzzles(tmp_path):
    """Keys that are sorted in parts give what a dictionary gives, in little memory."""
    puzzles = [line[:81] for line in Path(SAMPLE).read_text().splitlines()[2:]]
    number = len(puzzles)

    def write(name, count, step):
        digits = ["123456789", "987654321", "246813579", "192837465", "531978642"]
        tables = [str.maketrans("123456789", order) for order in digits]
        made = [puzzles[step * k % number].translate(tables[k // number % 5]) for k in range(count)]
        (tmp_path / name).write_text("".join(f"{puzzle}\n" for puzzle in made))
        return made

    peaks = []
    for count in (30_000, 60_000):
        made = write("a.txt", count, 1), write("b.txt", 2 * number, 3)
        tracemalloc.start()
        audit = audit_files([tmp_path / "a.txt", tmp_path / "b.txt"], threads=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        found = {
            (Path(each.file).name, Path(each.other or "").name, each.kind): each for each in audit.findings
        }
        one, two = map(set, made)
        assert found["a.txt", "a.txt", "equal"].count == count - len(one)
        assert found["a.txt", "b.txt", "equal"].count == sum(puzzle in two for puzzle in made[0])
        assert found["b.txt", "a.txt", "equal"].count == sum(puzzle in one for puzzle in made[1])
        example = found["a.txt", "a.txt", "equal"].examples[0]
        assert (example.line, example.other_line) == (5 * number + 1, 1)
    assert (peaks[1] - peaks[0]) / 30_000 < 120  # bytes: 50 to 60, and up to 91 on a busy machine


@pytest.mark.parametrize("answer", ["", "response"])
def test_faults_of_puzzles_and_their_solutions(answer, tmp_path):
    puzzle, other = UNIQUE, unidoku.Transformation.from_index(7)(SOLUTION).line
    rows = [
        *((puzzle, SOLUTION), (SOLUTION, puzzle), (SOLUTION, ""), (SOLUTION, SOLUTION), (puzzle, other)),
        *((puzzle, ""), (puzzle, "no"), (MULTIPLE, unidoku.solve(MULTIPLE).line), (puzzle, puzzle)),
    ]
    path, lines = tmp_path / "a.csv", tmp_path / "a.txt"
    names = ("puzzle", "solution", answer) if answer else ("puzzle", "solution")
    path.write_text("\n".join(",".join([*row, "x y"][: len(names)]) for row in [names, *rows]))
    lines.write_text("\n".join(row[0] for row in rows))
    found = {
        (finding.kind, Path(finding.file).name): (
            finding.count,
            [example.line for example in finding.examples],
        )
        for finding in unidoku.learning.audit_files([path, lines]).findings
    }
    assert found["full_grid", "a.csv"] == (2, [4, 5])
    assert found["swapped", "a.csv"] == (1, [3])
    assert 6 in found["wrong_solution" if answer else "wrong", "a.csv"][1]
    assert ("wrong_solution", "a.csv") not in found or answer
    assert not {("full_grid", "a.txt"), ("swapped", "a.txt"), ("wrong_solution", "a.txt")} & found.keys()
