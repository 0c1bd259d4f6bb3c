"""The commands that generate, transform and verify puzzles."""

import gzip
import json
import re
from functools import partial

import command
import pytest
from example_puzzles import UNIQUE as PUZZLE
from readback import rows_of

import unidoku
from unidoku.craft.generate import generate
from unidoku.craft.minimize import fewest_clues

run = partial(command.run, code=0)


def lines(done):
    return done.stdout.split()


def test_canonical():
    form = unidoku.canonical(PUZZLE).line
    turned = unidoku.Transformation.rotation(90)(PUZZLE).line
    assert lines(run("canonical", PUZZLE)) == [form]
    assert lines(run("canonical", PUZZLE, turned)) == [form, form]
    assert lines(run("canonical", "--form", "solution", turned)) == [
        unidoku.canonical(PUZZLE, form="solution").line
    ]
    assert lines(run("canonical", stdin=PUZZLE + "\n")) == [form]


def test_transform(tmp_path):
    t = unidoku.Transformation
    assert lines(run("transform", PUZZLE, "--index", "5")) == [t.from_index(5)(PUZZLE).line]
    both = t(digits=(9, *range(1, 9))) @ t.reflection("vertical") @ t.rotation(90)
    options = ("--rotate", "90", "--reflect", "vertical", "--digits", "912345678")
    assert lines(run("transform", PUZZLE, *options)) == [both(PUZZLE).line]
    (tmp_path / "in.txt").write_text(PUZZLE + "\n")
    run("transform", tmp_path / "in.txt", "-o", tmp_path / "out.txt", "-n", "3", "--seed", "2")
    images = (tmp_path / "out.txt").read_text().split()
    assert lines(run("transform", PUZZLE, "-n", 3, "--seed", 2)) == images
    assert {unidoku.canonical(image) for image in images} == {unidoku.canonical(PUZZLE)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["transform", PUZZLE], "Give either"),
        (["transform", PUZZLE, "-n", "2", "--rotate", "90"], "Give either"),
        (["transform", PUZZLE, "--digits", "123456788"], "1 to 9 in some order"),
        (["transform", PUZZLE, "--index", "1218998108160"], "0 to 1218998108159"),
        (["minimize", PUZZLE, "--budget", "2"], "Budget needs fewest"),
        (["minimize", PUZZLE, "-n", "all", "--fewest"], "fewest excludes count (-n)"),
        (["generate", "--clues", "many"], "a number or a range"),
        (["generate", "--pattern", "x"], "81 cells"),
        (["generate", "--where", "steps=9-3"], "above the largest"),
        (["generate", "--attempts", "0-9", "-n", "3"], "neither -n nor --budget"),
        (["generate", "--attempts", "9-0"], "is after the last"),
    ],
)
def test_usage_errors(options, message):
    assert message in run(*options, code=2).stderr


def test_minimize(tmp_path):
    (small,) = lines(run("minimize", PUZZLE, "--seed", "3"))
    assert small == unidoku.minimize(PUZZLE, seed=3).line or unidoku.check(small) is unidoku.Verdict.UNIQUE
    some = lines(run("minimize", PUZZLE, "-n", 4))
    every = lines(run("minimize", PUZZLE, "-n", "all"))
    assert len(every) > 4
    assert every[:4] == some
    run("minimize", PUZZLE, "-o", tmp_path / "all.csv", "-n", 4, "--comment", "--keep", "none")
    comment, *written = (tmp_path / "all.csv").read_text().split("\n")
    assert '"count": 4' in comment
    assert written == ["puzzle", *some, ""]
    run("minimize", PUZZLE, "-o", tmp_path / "few.jsonl", "--fewest")
    fewest = fewest_clues(PUZZLE).grid
    found = json.loads((tmp_path / "few.jsonl").read_text())
    assert (found["puzzle"], found["er"]) == (fewest.line, unidoku.rate(fewest).er)
    assert found["clues_at_least"] == fewest.clue_count
    assert len(set(some)) == 4
    assert unidoku.check_many(some).unique == 4


def test_generate(tmp_path):
    wanted = [unidoku.Grid(row).line for row in generate(4, seed=7, clues=(28, 30))]
    assert lines(run("generate", "-n", 4, "--seed", 7, "--clues", "28-30")) == wanted
    done = run(
        *("generate", "-o", tmp_path / "out.csv", "-n", 4, "--seed", 7, "--clues", "28-30", "--solutions"),
        "--keep",
        "none",
    )
    assert done.stderr == "4 puzzles\n"
    assert (tmp_path / "out.csv").read_text().startswith("puzzle,solution\n" + wanted[0])
    done = run("generate", "--clues", 18, "--minimal", "--budget", 64, code=1)
    assert "only 0 of 1 puzzles found in 64 attempts" in done.stderr
    run("generate", "-o", tmp_path / "whole.txt", "--seed", 7, "--attempts", "0-99", "--minimal")
    run("generate", "-o", tmp_path / "a.txt", "--seed", 7, "--attempts", "0-59", "--minimal")
    run("generate", "-o", tmp_path / "b.txt", "--seed", 7, "--attempts", "60-99", "--minimal")
    parts = [(tmp_path / f"{name}.txt").read_text() for name in ("a", "b")]
    assert "".join(parts) == (tmp_path / "whole.txt").read_text()
    assert [part.count("\n") for part in parts] == [60, 40]
    hard = generate(2, seed=7, classes=(3, 4), steps=(30, 90), level=2)
    for wrong in ("ed=3", "er=x", "class", "class=x", "class=3;level=2", ""):
        assert "--where" in run("generate", "--where", wrong, code=2).stderr
    asked = ("--where", "class=3-4, steps=30-90", "--guess-level", "2")
    assert lines(run("generate", "-n", 2, "--seed", 7, *asked)) == [unidoku.Grid(row).line for row in hard]


def test_generate_by_rating():
    hard = generate(3, seed=7, rating=(3.0, 4.4), technique="naked-pair", difficulty="medium")
    asked = ("--where", "er=3.0-4.4,technique=naked-pair", "--difficulty", "medium")
    assert lines(run("generate", "-n", 3, "--seed", 7, *asked)) == [unidoku.Grid(row).line for row in hard]
    first = generate(3, seed=7, difficulty="beginner")
    done = run("generate", "-n", 3, "--seed", 7, "--difficulty", "beginner")
    assert lines(done) == [unidoku.Grid(row).line for row in first]
    assert "did you mean naked-pair" in run("generate", "--where", "technique=naked-pear", code=2).stderr


def test_verify(tmp_path):
    run("generate", "-o", tmp_path / "in.csv", "-n", 5, "--solutions")
    assert "right answers      5\n" in run("verify", tmp_path / "in.csv").stdout
    run("minimize", tmp_path / "in.csv", "-o", tmp_path / "small.txt")
    run("canonical", tmp_path / "in.csv", "-o", tmp_path / "other.txt")
    done = run(
        "verify",
        tmp_path / "in.csv",
        "--predictions",
        tmp_path / "other.txt",
        "--json",
        "--output",
        tmp_path / "bad.csv",
        code=1,
    )
    totals = json.loads(done.stdout)
    assert (totals["puzzles"], totals["verified"]) == (5, {"right": 0, "wrong": 5, "absent": 0})
    rows = (tmp_path / "bad.csv").read_text().splitlines()
    assert rows[0] == (
        "line,puzzle,solved,wrong_cells,broken_houses,changed_clues,empty_cells,reason,"
        "er,ep,ed,technique,difficulty,solution"
    )
    assert len(rows) == 6
    arguments = ["verify", tmp_path / "in.csv", "--predictions", tmp_path / "other.txt"]
    assert "wrong cells" in run(*arguments, code=1).stdout


def test_both_commands_judge_the_same_answers(tmp_path):
    """The rows of verify are those of check --verify without the verdict; no answer ends the run."""
    solution = unidoku.solve(PUZZLE).line
    rows = [solution[k : k + 9] for k in range(0, 81, 9)]
    swapped = solution.translate(str.maketrans("12", "21"))
    malformed, changed = "no grid of 81 cells in the answer", "a clue is changed"
    answers = [
        (solution, None, 0),
        ([int(cell) for cell in solution], None, 0),
        ([[int(cell) for cell in row] for row in rows], None, 0),
        ("Here it is:\n" + "\n".join(" ".join(row) for row in rows) + "\nDone.", None, 0),
        (f"First {PUZZLE}, at the end {solution}.", None, 0),
        ("I could not.", malformed, None),
        (swapped, changed, solution.count("1") + solution.count("2")),
        (PUZZLE, "the grid has empty cells", PUZZLE.count(".")),
        ([1, 2, 3], malformed, None),
        (1, malformed, None),
        ("", "no answer", None),
        ("n/a", "no answer", None),
        (None, "no answer", None),
        ({"rows": rows}, None, 0),
        ({"rows": 9}, malformed, None),
    ]
    objects = [{"puzzle": PUZZLE, "answer": answer} for answer, *_ in answers]
    objects += [{"puzzle": "no", "answer": solution}, {"puzzle": PUZZLE}]
    (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in objects))
    done = run("verify", "in.jsonl", "-o", "one.jsonl", "--json", code=1, cwd=tmp_path)
    counts = json.loads(done.stdout)
    one = rows_of(tmp_path / "one.jsonl")
    assert [row.get("reason") for row in one[:15]] == [reason for _, reason, _ in answers]
    assert [row["wrong_cells"] for row in one[:15]] == [wrong for *_, wrong in answers]
    assert [row["solved"] for row in one] == [not row.get("reason") for row in one]
    assert [row["reason"][:17] for row in one[15:]] == ["expected 81 cells", "no answer"]
    assert counts["verified"] == {"right": 6, "wrong": 6, "absent": 4}
    assert (counts["puzzles"], counts["invalid"]) == (17, 1)
    assert counts["wrong_cells"] == sum(row["wrong_cells"] or 0 for row in one)
    done = run("check", "in.jsonl", "--verify", "-o", "two.jsonl", "--json", code=1, cwd=tmp_path)
    assert json.loads(done.stdout)["verified"] == counts["verified"]
    two = rows_of(tmp_path / "two.jsonl")
    for row in two:
        for name in ("verdict", "count", "complete", "solution"):
            row.pop(name, None)
    assert [*map(list, two)] == [*map(list, one)]  # also the order of the columns
    assert two == one
    shown = run("verify", "in.jsonl", code=1, cwd=tmp_path).stdout.splitlines()
    assert shown[:2] == ["puzzles            17", "invalid            1"]
    assert shown[-3:] == ["right answers      6", "wrong answers      6", "absent answers     4"]
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    lists = [answer for answer, *_ in answers if isinstance(answer, list) and len(answer) == 81]
    parquet.write_table(
        pyarrow.table({"puzzle": [PUZZLE] * 3, "answer": [*lists, None, [1]]}), tmp_path / "in.parquet"
    )
    for words in (["verify"], ["check", "--verify"]):
        done = run(*words, "in.parquet", "--json", code=1, cwd=tmp_path)
        assert json.loads(done.stdout)["verified"] == {"right": 1, "wrong": 1, "absent": 1}


@pytest.mark.parametrize(("answer", "code"), [("right", 0), ("wrong", 1), ("", 1)])
def test_only_a_right_answer_gives_exit_code_0(tmp_path, answer, code):
    solution = unidoku.solve(PUZZLE).line
    text = {"right": solution, "wrong": PUZZLE}.get(answer, answer)
    (tmp_path / "in.csv").write_text(f"puzzle,solution\n{PUZZLE},{solution}\n{PUZZLE},{text}\n")
    run("verify", "in.csv", code=code, cwd=tmp_path)
    done = run("check", "--verify", "in.csv", code=code, cwd=tmp_path)
    assert ("wrong: in.csv:3: " in done.stderr) == (answer == "wrong")


@pytest.mark.parametrize(
    "command",
    [
        ["canonical"],
        ["minimize", "--seed", "1"],
        ["transform", "--index", "0"],
        ["convert"],
        ["dedupe"],
        ["neighbours", "--remove", "0"],
        ["split", "--seed", "1", "-o", "parts.csv"],
        ["series", "--seed", "1", "--number", "1"],
        ["solve"],
        ["count"],
        ["solutions"],
        ["rate"],
        ["link"],
        ["check"],
    ],
    ids=lambda command: command[0],
)
def test_all_arguments_are_inputs(command, tmp_path):
    """As after ``*.txt``, which the shell expands: no file is overwritten."""
    solved = unidoku.solve(PUZZLE).line
    texts = {f"{k}.txt": f"{solved}\n" if command[0] == "series" else f"{PUZZLE}\n" for k in range(3)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    run(*command, *texts, code=0, cwd=tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.glob("*.txt")} == texts


@pytest.mark.parametrize("command", ["solve", "count", "solutions", "link"])
def test_text_goes_to_the_output(command, tmp_path):
    printed = run(command, PUZZLE, code=0).stdout
    assert run(command, PUZZLE, "-o", tmp_path / "out.txt", code=0).stdout == ""
    assert (tmp_path / "out.txt").read_text() == printed


def test_solve_writes_rows_and_compressed_lines(tmp_path):
    solved = unidoku.solve(PUZZLE).line
    run("solve", PUZZLE, "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == f"1,{PUZZLE},unique,1,true,{solved},"
    run("solve", PUZZLE, "-o", tmp_path / "out.txt.gz", code=0)
    assert gzip.decompress((tmp_path / "out.txt.gz").read_bytes()).decode() == f"{solved}\n"


@pytest.mark.parametrize(
    "command",
    [
        ["generate"],
        ["minimize", "." * 81],
        ["transform", PUZZLE, "-n", 1],
        ["series", "--number", 1],
    ],
    ids=lambda command: command[0],
)
def test_without_a_seed_it_is_fresh_and_printed(command):
    if command[0] == "minimize":
        command[1] = unidoku.solve(PUZZLE).line
    first, second = run(*command, code=0), run(*command, code=0)
    assert first.stdout != second.stdout
    (seed,) = re.fullmatch(r"seed: (\d+)\n", first.stderr).groups()
    assert run(*command, "--seed", seed, code=0) == (0, first.stdout, "")


def test_no_seed_is_printed_where_none_is_used():
    assert run("transform", PUZZLE, "--index", 3, code=0).stderr == ""
    assert run("minimize", PUZZLE, "-n", "all", code=0).stderr == ""
    assert run("generate", "--quiet", code=0).stderr == ""


def test_a_run_is_resumed_with_its_seed(tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    for making in (["minimize"], ["transform", "-n", 2]):
        arguments = [*making, tmp_path / "in.txt", "-o", tmp_path / "out.txt", "--resume"]
        assert "--resume needs --seed" in run(*arguments, code=2).stderr
        run(*arguments, "--seed", 1, code=0)


def test_generated_solutions_in_every_format(tmp_path):
    pairs = [
        line.split("\t") for line in run("generate", "-n", 3, "--seed", 4, "--solutions").stdout.splitlines()
    ]
    assert [unidoku.solve(puzzle).line for puzzle, _ in pairs] == [solution for _, solution in pairs]
    for name in ("out.txt", "out.csv", "out.jsonl"):
        run("generate", "-n", 3, "--seed", 4, "--solutions", "-o", tmp_path / name, code=0)
        assert all(solution in (tmp_path / name).read_text() for _, solution in pairs)
        assert lines(run("convert", "--keep", "none", tmp_path / name)) == [puzzle for puzzle, _ in pairs]
    for suffix in ("sdm", "sdk", "opensudoku"):
        done = run("generate", "--solutions", "-o", tmp_path / f"out.{suffix}", code=2)
        assert f".{suffix} holds no solutions; txt, csv," in done.stderr
        assert not (tmp_path / f"out.{suffix}").exists()


def test_requests_that_no_budget_fulfils():
    for clues, words in (
        (["--clues", 17], "No budget is enough for puzzles of 17 clues"),
        (["--clues", 17, "--symmetry", "180"], "No budget is enough"),
        (["--clues", 33, "--minimal"], "No budget is enough for minimal puzzles of 33 clues"),
        (["--clues", "26-27", "--symmetry", "90"], "No pattern with symmetry '90' has 26 to 27 clues"),
    ):
        message = " ".join(run("generate", *clues, code=2).stderr.split())
        assert words in message
        assert "increase" not in message
    done = run("generate", "--clues", 19, "--budget", 64, "--seed", 1, code=1)
    assert "only 0 of 1 puzzles found in 64 attempts; no attempt meets the request" in done.stderr
    done = run("generate", "--clues", 24, "--minimal", "-n", 100, "--budget", 64, "--seed", 1, code=1)
    assert "increase the budget" in done.stderr
