"""The commands that make, change and verify puzzles: the same results as from Python."""

import json
import re
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


def puzzle_lines(count, **options):
    """Generate puzzles, as lines."""
    return unidoku.lines(generate(count, seed=7, **options))


@pytest.mark.parametrize(
    ("words", "lines"),
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
        ("generate -n 4 --clues 28-30 --seed 7", puzzle_lines(4, clues=(28, 30))),
        (
            "generate -n 2 --where class=3-4,steps=30-90,level=2 --seed 7",
            puzzle_lines(2, classes=(3, 4), steps=(30, 90), level=2),
        ),
        (
            "generate -n 3 --where er=3.0-4.4,technique=naked-pair --difficulty medium --seed 7",
            puzzle_lines(3, rating=(3.0, 4.4), technique="naked-pair", difficulty="medium"),
        ),
        ("generate -n 3 --difficulty beginner --seed 7", puzzle_lines(3, difficulty="beginner")),
    ],
)
def test_the_command_prints_the_result_of_the_function(words, lines):
    result = run(*({"P": PUZZLE, "T": TURNED}.get(word, word) for word in words.split()))
    assert (result.stdout.split(), result.stderr) == (lines, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("transform P", "give either"),
        ("transform P -n 2 --rotate 90", "give either"),
        ("transform P --digits 123456788", "1 to 9 in some order"),
        ("transform P --index 1218998108160", "0<=x<=1218998108159"),
        ("generate --clues many", "a number or a range"),
        ("generate --pattern x", "81 cells"),
        ("generate --where steps=9-3", "or a range of these, not 9 to 3"),
        ("generate --to pdf", "print, explain, hint, trace and diagnose write a .pdf"),
        ("generate --where at_least=true", "--where"),
        ("generate --where class=3;level=2", "--where"),
        (
            "generate --where name=ER",
            "scale has no step for Empty Rectangle; it finds Turbot Fish, X-Chain or",
        ),
        ("generate --where technique=naked-pear", "did you mean naked pair, "),
        ("generate --clues 17", "no number of attempts is enough for puzzles of 17 clues"),
        ("generate --clues 33 --minimal", "no number of attempts is enough for minimal puzzles of 33 clues"),
        ("generate --clues 26-27 --symmetry 90", "no pattern with symmetry '90' has 26 to 27 clues"),
        ("minimize P -o out/ --resume", "--resume needs --seed"),
        ("transform P -n 2 -o out/ --resume", "--resume needs --seed"),
        ("generate --solutions -o out.sdm", ".sdm holds no solutions; txt, csv,"),
    ],
)
def test_usage_errors(words, message, tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    arguments = ["in.txt" if word == "P" else word for word in words.split()]
    error = " ".join(run(*arguments, cwd=tmp_path, code=2).stderr.split())
    assert message in error
    assert "increase" not in error
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


@pytest.mark.parametrize(("option", "board"), [("--pattern", PUZZLE), ("--solution", SOLUTION)])
def test_a_board_of_an_option_may_be_in_a_file(option, board, tmp_path):
    (tmp_path / "board.txt").write_text("\n".join(re.findall(".{9}", board)))
    arguments = ("--seed", 3, "--attempts", 2000)
    given = command.run("generate", option, board, *arguments, cwd=tmp_path)
    named = command.run("generate", option, "board.txt", *arguments, cwd=tmp_path)
    assert (named.stdout, named.stderr) == (given.stdout, given.stderr)
    error = run("generate", option, "bord.txt", cwd=tmp_path, code=2).stderr
    assert "bord.txt: No such file or directory; did you mean board.txt?" in error


def test_generated_solutions_in_every_format(tmp_path):
    arguments = ("generate", "-n", 3, "--seed", 4, "--solutions")
    pairs = [line.split("\t") for line in run(*arguments).stdout.splitlines()]
    assert [unidoku.solve(puzzle).line for puzzle, _ in pairs] == [solution for _, solution in pairs]
    for name in ("out.txt", "out.csv", "out.jsonl"):
        assert run(*arguments, "-o", tmp_path / name).stderr == "3 puzzles\n"
        assert all(solution in (tmp_path / name).read_text() for _, solution in pairs)
        result = run("convert", "--keep", "none", tmp_path / name)
        assert result.stdout.split() == [puzzle for puzzle, _ in pairs]
    names, *_ = (tmp_path / "out.csv").read_text().split("\n")
    assert names == "puzzle,er,ep,ed,technique,name,difficulty,solution"


def test_verify_writes_rows_to_standard_output_if_they_are_asked_for(tmp_path):
    """As with check: an option of rows is enough."""
    (tmp_path / "in.csv").write_text(f"id,puzzle,answer\n7,{PUZZLE},{SOLUTION}\n8,{PUZZLE},{PUZZLE}\n")
    for options in (["--to", "csv", "--columns", "id,solved"], ["--columns", "id,solved"]):
        result = run("verify", "in.csv", *options, code=1, cwd=tmp_path)
        rows = [re.split("[,\t]", line) for line in result.stdout.splitlines()]
        assert rows == [["id", "solved"], ["7", "true"], ["8", "false"]]
        assert "right answers" in result.stderr
    assert run("verify", "in.csv", "--to", "jsonl", code=1, cwd=tmp_path).stdout.startswith('{"line": 2, ')
    assert "right answers" in run("verify", "in.csv", code=1, cwd=tmp_path).stdout


ANSWERS = [  # answer, reason, number of wrong cells
    (SOLUTION, None, 0),
    ([int(cell) for cell in SOLUTION], None, 0),
    (f"<answer>{SOLUTION[:80]}</answer>", "no grid of 81 cells in the answer", None),
    (SOLUTION[80] + SOLUTION[1:80] + SOLUTION[0], "a clue is changed", 2),
    (PUZZLE, "the grid has empty cells", PUZZLE.count(".")),
    (None, "no answer", None),
]


def test_verify_judges_each_answer(tmp_path):
    objects = [{"puzzle": PUZZLE, "answer": answer} for answer, *_ in ANSWERS] + [{"puzzle": "no"}]
    (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in objects))
    counts = command.summary_of(run("verify", "in.jsonl", "-o", "out.jsonl", "--json", code=1, cwd=tmp_path))
    *rows, invalid = rows_of(tmp_path / "out.jsonl")
    assert [(row.get("reason"), row["wrong_cells"]) for row in rows] == [case[1:] for case in ANSWERS]
    assert invalid["reason"].startswith("expected 81 cells")
    answers = {"right": 2, "wrong": 2, "no_grid": 1, "missing": 1}
    assert {name: counts[name] for name in answers} == answers
    assert (counts["puzzles"], counts["invalid"]) == (7, 1)
    lines = run("verify", "in.jsonl", code=1, cwd=tmp_path).stdout.splitlines()
    numbers = {"right": 2, "wrong": 2, "no grid": 1, "missing": 1}
    assert lines[-4:] == [f"{f'{name} answers':18} {number}" for name, number in numbers.items()]


def test_answers_that_are_lists_in_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table({"puzzle": [PUZZLE] * 3, "answer": [[int(cell) for cell in SOLUTION], None, [1]]})
    parquet.write_table(table, tmp_path / "in.parquet")
    result = run("verify", "in.parquet", "--json", code=1, cwd=tmp_path)
    answers = {"right": 1, "wrong": 0, "no_grid": 1, "missing": 1}
    assert {name: command.summary_of(result)[name] for name in answers} == answers


COMMANDS = """
canonical; minimize --seed 1; transform --index 0; convert; neighbours --remove 0;
split --seed 1 -o parts.csv; series --seed 1 --number 1; solve; count; rate; link; check
"""


@pytest.mark.parametrize(
    "command", [words.split() for words in COMMANDS.split(";")], ids=lambda words: words[0]
)
def test_all_arguments_are_inputs(command, tmp_path):
    """No file of an expanded ``*.txt`` is overwritten."""
    texts = {f"{k}.txt": f"{SOLUTION if command[0] == 'series' else PUZZLE}\n" for k in range(3)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    run(*command, *texts, cwd=tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.glob("*.txt")} == texts


@pytest.mark.parametrize("command", ["solve", "solve --all", "count", "link"])
def test_text_goes_to_the_output(command, tmp_path):
    text = run(*command.split(), PUZZLE).stdout
    assert run(*command.split(), PUZZLE, "-o", tmp_path / "out.txt").stdout == ""
    assert (tmp_path / "out.txt").read_text() == text


@pytest.mark.parametrize(
    "words", ["generate", f"minimize {SOLUTION}", f"transform {PUZZLE} -n 1", "series --number 1"]
)
def test_without_a_seed_it_is_fresh_and_printed(words):
    first_run, second_run = run(*words.split()), run(*words.split())
    assert first_run.stdout != second_run.stdout
    (seed,) = re.search(r"^seed: (\d+)$", first_run.stderr, re.MULTILINE).groups()
    assert run(*words.split(), "--seed", seed).stdout == first_run.stdout


def test_minimize_says_which_puzzles_are_minimal():
    small = run("minimize", SOLUTION, "--seed", 1).stdout.strip()
    assert run("minimize", small, "--seed", 1) == (
        0,
        f"{small}\n",
        "1 puzzle, 1 minimal already, 0 invalid\n",
    )
    result = run("minimize", small, SOLUTION, "--seed", 1, "--to", "csv")
    clues = sum(map(str.isdigit, small))
    assert [row.split(",")[-2] for row in result.stdout.splitlines()] == ["removed", "0", str(81 - clues)]


@pytest.mark.parametrize("words", ["transform P --index 3", "generate --quiet"])
def test_no_seed_is_printed_where_none_is_used(words):
    assert run(*words.replace("P", PUZZLE).split()).stderr == ""


def test_the_columns_of_new_puzzles(tmp_path):
    arguments = ("generate", "-n", 3, "--seed", 4, "--to", "csv")
    whole = run(*arguments, "--solutions", code=0).stdout.splitlines()
    names = whole[0].split(",")
    for columns in ("puzzle", "solution,er", "name,puzzle"):
        lines = run(*arguments, "--columns", columns, code=0).stdout.splitlines()
        places = [names.index(name) for name in columns.split(",")]
        assert lines == [",".join(line.split(",")[place] for place in places) for line in whole]
    assert "no column 'x'" in run(*arguments, "--columns", "x", code=2).stderr
    assert "No such option" in run(*arguments, "--keep", "none", code=2).stderr


def test_unknown_words_are_answered_by_the_nearest():
    for where, near in (
        ("technique=xwyng", "did you mean X-wing, XY-wing or XYZ-wing?"),
        ("name=x-wyng", "did you mean X-Wing, XY-Wing or XYZ-Wing?"),
    ):
        assert near in run("generate", "--where", where, code=2).stderr
    assert run("rate", PUZZLE, "--where", "technique=nothing", code=2).stderr.count(",") < 4
    message = run("generate", "--difficulty", "easy,medium", code=2).stderr
    assert "with their shares: easy=1,medium=1" in message
    run("generate", "-n", 2, "--difficulty", "easy=1,medium=1", code=0)
