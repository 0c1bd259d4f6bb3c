"""The commands that make, change and verify puzzles: what they write is what the functions return."""

import json
import re
from dataclasses import astuple
from functools import partial

import command
import pytest
from example_puzzles import SOLUTION, UNIQUE as PUZZLE
from readback import rows_of

import unidoku
from unidoku import Transformation
from unidoku.craft.generate import generate
from unidoku.craft.neighbours import neighbours

run = partial(command.run, code=0)
FORM = unidoku.canonical(PUZZLE).line
TURNED = Transformation.rotation(90)(PUZZLE).line
MOVED = Transformation(digits=(9, *range(1, 9))) @ Transformation.reflection("vertical")


def some(count, **options):
    """Generated puzzles as lines."""
    return unidoku.lines(generate(count, seed=7, **options))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("canonical P", [FORM]),
        ("canonical P T", [FORM, FORM]),
        ("canonical --form solution T", [unidoku.canonical(PUZZLE, form="solution").line]),
        ("transform P --index 5", [Transformation.from_index(5)(PUZZLE).line]),
        (
            "transform P --rotate 90 --reflect vertical --digits 912345678",
            [(MOVED @ Transformation.rotation(90))(PUZZLE).line],
        ),
        ("neighbours P", [grid.line for grid in neighbours(PUZZLE)]),
        ("generate -n 4 --clues 28-30 --seed 7", some(4, clues=(28, 30))),
        (
            "generate -n 2 --where class=3-4,steps=30-90,level=2 --seed 7",
            some(2, classes=(3, 4), steps=(30, 90), level=2),
        ),
        (
            "generate -n 3 --where er=3.0-4.4,technique=naked-pair --difficulty medium --seed 7",
            some(3, rating=(3.0, 4.4), technique="naked-pair", difficulty="medium"),
        ),
        ("generate -n 3 --difficulty beginner --seed 7", some(3, difficulty="beginner")),
    ],
)
def test_the_command_prints_what_the_function_returns(words, expected):
    done = run(*({"P": PUZZLE, "T": TURNED}.get(word, word) for word in words.split()))
    assert (done.stdout.split(), done.stderr) == (expected, "")


def test_neighbours_of_a_puzzle_with_too_few_clues(tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    assert "remove must be" in run("neighbours", "in.txt", "--remove", 80, cwd=tmp_path, code=1).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("transform P", "give either"),
        ("transform P -n 2 --rotate 90", "give either"),
        ("transform P --digits 123456788", "1 to 9 in some order"),
        ("transform P --index 1218998108160", "0<=x<=1218998108159"),
        ("generate --clues many", "a number or a range"),
        ("generate --pattern x", "81 cells"),
        ("generate --where steps=9-3", "or a range of these, not (9, 3)"),
        ("generate --where ed=3", "--where"),
        ("generate --where er=x", "--where"),
        ("generate --where class", "--where"),
        ("generate --where class=x", "--where"),
        ("generate --where class=3;level=2", "--where"),
        ("generate --where technique=naked-pear", "choose from: hidden-single"),
        ("generate --clues 17", "no number of attempts is enough for puzzles of 17 clues"),
        ("generate --clues 17 --symmetry 180", "no number of attempts is enough"),
        ("generate --clues 33 --minimal", "no number of attempts is enough for minimal puzzles of 33 clues"),
        ("generate --clues 26-27 --symmetry 90", "no pattern with symmetry '90' has 26 to 27 clues"),
        ("minimize P -o out/ --resume", "--resume needs --seed"),
        ("transform P -n 2 -o out/ --resume", "--resume needs --seed"),
        ("generate --solutions -o out.sdm", ".sdm holds no solutions; txt, csv,"),
        ("generate --solutions -o out.sdk", ".sdk holds no solutions; txt, csv,"),
        ("generate --solutions -o out.opensudoku", ".opensudoku holds no solutions; txt, csv,"),
    ],
)
def test_usage_errors(words, message, tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    arguments = ["in.txt" if word == "P" else word for word in words.split()]
    error = " ".join(run(*arguments, cwd=tmp_path, code=2).stderr.split())
    assert message in error
    assert "increase" not in error
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--clues 18 --minimal --attempts 64", "only 0 of 1 puzzles found in 64 attempts"),
        (
            "--clues 19 --attempts 64",
            "only 0 of 1 puzzles found in 64 attempts; no attempt meets the request",
        ),
        ("--clues 24 --minimal -n 100 --attempts 64", "allow more attempts"),
    ],
)
def test_too_few_attempts(words, message):
    assert message in run("generate", "--seed", 1, *words.split(), code=1).stderr


def test_generated_solutions_in_every_format(tmp_path):
    asked = ("generate", "-n", 3, "--seed", 4, "--solutions", "--keep", "none")
    pairs = [line.split("\t") for line in run(*asked).stdout.splitlines()]
    assert [unidoku.solve(puzzle).line for puzzle, _ in pairs] == [solution for _, solution in pairs]
    for name in ("out.txt", "out.csv", "out.jsonl"):
        assert run(*asked, "-o", tmp_path / name).stderr == "3 puzzles\n"
        assert all(solution in (tmp_path / name).read_text() for _, solution in pairs)
        done = run("convert", "--keep", "none", tmp_path / name)
        assert done.stdout.split() == [puzzle for puzzle, _ in pairs]
    assert (tmp_path / "out.csv").read_text().startswith("puzzle,solution\n" + pairs[0][0])


ROWS = [SOLUTION[k : k + 9] for k in range(0, 81, 9)]
SWAPPED = SOLUTION.translate(str.maketrans("12", "21"))
MALFORMED = "no grid of 81 cells in the answer"
ANSWERS = [  # an answer, why it is not right, and how many cells are wrong
    (SOLUTION, None, 0),
    ([int(cell) for cell in SOLUTION], None, 0),
    ([[int(cell) for cell in row] for row in ROWS], None, 0),
    ("Here it is:\n" + "\n".join(" ".join(row) for row in ROWS) + "\nDone.", None, 0),
    (f"First {PUZZLE}, at the end {SOLUTION}.", None, 0),
    (f"<answer>{SOLUTION}</answer>", None, 0),
    (f"<answer>{SOLUTION[:80]}</answer>", MALFORMED, None),
    ("I could not.", MALFORMED, None),
    ("#" * 81, MALFORMED, None),
    (SWAPPED, "a clue is changed", SOLUTION.count("1") + SOLUTION.count("2")),
    (PUZZLE, "the grid has empty cells", PUZZLE.count(".")),
    ([1, 2, 3], MALFORMED, None),
    (1, MALFORMED, None),
    ("", "no answer", None),
    ("n/a", "no answer", None),
    (None, "no answer", None),
    ({"rows": ROWS}, None, 0),
    ({"rows": 9}, MALFORMED, None),
]
OTHERS = [  # further rows, with the beginning of their reason
    ({"puzzle": "no", "answer": SOLUTION}, "expected 81 cells"),
    ({"puzzle": PUZZLE}, "no answer"),
    ({"puzzle": "no"}, "expected 81 cells"),
]


def test_verify_writes_rows_to_standard_output_if_they_are_asked_for(tmp_path):
    """As check does: an option of rows asks for them."""
    (tmp_path / "in.csv").write_text(f"id,puzzle,answer\n7,{PUZZLE},{SOLUTION}\n8,{PUZZLE},{PUZZLE}\n")
    for options in (["--to", "csv", "--columns", "id,solved"], ["--columns", "id,solved"]):
        done = run("verify", "in.csv", *options, code=1, cwd=tmp_path)
        rows = [re.split("[,\t]", line) for line in done.stdout.splitlines()]
        assert rows == [["id", "solved"], ["7", "true"], ["8", "false"]]
        assert "right answers" in done.stderr
    assert run("verify", "in.csv", "--to", "jsonl", code=1, cwd=tmp_path).stdout.startswith('{"line": 2, ')
    assert "right answers" in run("verify", "in.csv", code=1, cwd=tmp_path).stdout


def test_commands_and_functions_judge_the_same_answers(tmp_path):
    """No answer ends the run."""
    objects = [{"puzzle": PUZZLE, "answer": answer} for answer, *_ in ANSWERS] + [row for row, _ in OTHERS]
    (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in objects))
    done = run("verify", "in.jsonl", "-o", "one.jsonl", "--json", code=1, cwd=tmp_path)
    counts = command.summary_of(done)
    one = rows_of(tmp_path / "one.jsonl")
    assert [row["line"] for row in one] == list(range(1, len(objects) + 1))
    given, others = one[: len(ANSWERS)], one[len(ANSWERS) :]
    assert [(row.get("reason"), row["wrong_cells"]) for row in given] == [each[1:] for each in ANSWERS]
    for row, (_, reason) in zip(others, OTHERS, strict=True):
        assert row.get("reason", "").startswith(reason)
        assert row["wrong_cells"] is row["empty_cells"] is None
    assert [row["solved"] for row in one] == [not row.get("reason") for row in one]
    assert counts["verified"] == {"right": 7, "wrong": 8, "missing": 4}
    assert (counts["puzzles"], counts["invalid"]) == (21, 2)
    assert counts["wrong_cells"] == sum(row["wrong_cells"] or 0 for row in one)
    texts = {k: answer for k, (answer, *_) in enumerate(ANSWERS) if isinstance(answer, str)}
    many = unidoku.verify_many([PUZZLE] * len(texts), list(texts.values()))
    for each, (k, answer) in zip(many, texts.items(), strict=True):
        assert astuple(unidoku.verify(PUZZLE, answer)) == each
        assert each.solved == one[k]["solved"]
        assert each.reason in (None, one[k].get("reason"))
    shown = run("verify", "in.jsonl", code=1, cwd=tmp_path).stdout.splitlines()
    assert shown[:2] == ["puzzles            21", "invalid            2"]
    assert shown[-3:] == ["right answers      7", "wrong answers      8", "missing answers    4"]


def test_answers_that_are_lists_in_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table({"puzzle": [PUZZLE] * 3, "answer": [[int(cell) for cell in SOLUTION], None, [1]]})
    parquet.write_table(table, tmp_path / "in.parquet")
    done = run("verify", "in.parquet", "--json", code=1, cwd=tmp_path)
    assert command.summary_of(done)["verified"] == {"right": 1, "wrong": 1, "missing": 1}


@pytest.mark.parametrize(("answer", "code"), [(SOLUTION, 0), (PUZZLE, 1), ("", 1)])
def test_only_a_right_answer_gives_exit_code_0(tmp_path, answer, code):
    (tmp_path / "in.csv").write_text(f"puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},{answer}\n")
    run("verify", "in.csv", code=code, cwd=tmp_path)


COMMANDS = """
canonical; minimize --seed 1; transform --index 0; convert; neighbours --remove 0;
split --seed 1 -o parts.csv; series --seed 1 --number 1; solve; count; rate; link; check
"""


@pytest.mark.parametrize("command", [each.split() for each in COMMANDS.split(";")], ids=lambda each: each[0])
def test_all_arguments_are_inputs(command, tmp_path):
    """As after ``*.txt``, which the shell expands: no file is overwritten."""
    texts = {f"{k}.txt": f"{SOLUTION if command[0] == 'series' else PUZZLE}\n" for k in range(3)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    run(*command, *texts, cwd=tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.glob("*.txt")} == texts


@pytest.mark.parametrize("command", ["solve", "solve --all", "count", "link"])
def test_text_goes_to_the_output(command, tmp_path):
    printed = run(*command.split(), PUZZLE).stdout
    assert run(*command.split(), PUZZLE, "-o", tmp_path / "out.txt").stdout == ""
    assert (tmp_path / "out.txt").read_text() == printed


@pytest.mark.parametrize(
    "words", ["generate", f"minimize {SOLUTION}", f"transform {PUZZLE} -n 1", "series --number 1"]
)
def test_without_a_seed_it_is_fresh_and_printed(words):
    first, second = run(*words.split()), run(*words.split())
    assert first.stdout != second.stdout
    (seed,) = re.search(r"^seed: (\d+)$", first.stderr, re.MULTILINE).groups()
    assert run(*words.split(), "--seed", seed).stdout == first.stdout


def test_minimize_says_which_puzzles_are_minimal():
    small = run("minimize", SOLUTION, "--seed", 1).stdout.strip()
    assert run("minimize", small, "--seed", 1) == (
        0,
        f"{small}\n",
        "1 puzzle, 1 minimal already, 0 invalid\n",
    )
    done = run("minimize", small, SOLUTION, "--seed", 1, "--to", "csv")
    clues = sum(map(str.isdigit, small))
    assert [row.split(",")[-1] for row in done.stdout.splitlines()] == ["removed", "0", str(81 - clues)]


@pytest.mark.parametrize("words", ["transform P --index 3", "generate --quiet"])
def test_no_seed_is_printed_where_none_is_used(words):
    assert run(*words.replace("P", PUZZLE).split()).stderr == ""


def test_a_run_is_resumed_with_its_seed(tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    for making in (["minimize"], ["transform", "-n", 2]):
        run(*making, tmp_path / "in.txt", "-o", f"{tmp_path}/{making[0]}/", "--resume", "--seed", 1)
