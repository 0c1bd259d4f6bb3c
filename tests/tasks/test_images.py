"""Columns of an image: values that may differ from the puzzle's are dropped."""

import json

import pytest
from command import run
from example_puzzles import UNIQUE
from readback import rows_of

import unidoku
from unidoku.rating._columns import RATINGS
from unidoku.tasks import Canonical, Convert
from unidoku.tasks._rate import Rate
from unidoku.tasks._transform import Transform

# er 10.6; an image of it may have another rating, its solution moves with it
PUZZLES = [UNIQUE, *unidoku.lines(unidoku.generate(5, seed=3))]


@pytest.fixture
def rated_table(tmp_path):
    """Puzzles with an id, all columns of rate, and the solution."""
    path = tmp_path / "rated.csv"
    (tmp_path / "in.csv").write_text(
        "id,puzzle,solution\n"
        + "".join(f"n{k},{puzzle},{unidoku.solve(puzzle).line}\n" for k, puzzle in enumerate(PUZZLES))
    )
    names = ["puzzle", *Rate.columns, "id", "solution"]
    unidoku.run(Rate(), tmp_path / "in.csv", path, columns=names)
    return path


def test_images_are_the_same_beside_the_original():
    """Also of so many that they come in pieces."""
    beside, alone = (
        unidoku.run_many(Transform(count=33_000, seed=1, original=original), PUZZLES[:1]).puzzle
        for original in (True, False)
    )
    assert (beside[1:] == alone).all()


def test_ratings_are_not_copied_to_images(rated_table, tmp_path):
    unidoku.run(Transform(count=3, seed=1, original=True), rated_table, tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    unidoku.run(Transform(count=3, seed=1, original=True), rated_table, tmp_path / "bare.csv", keep="none")
    assert rows_of(tmp_path / "bare.csv") == [{"puzzle": row["puzzle"]} for row in rows]
    assert len(rows) == 4 * len(PUZZLES)
    others = {name for name in rows[0] if not name.startswith("input_")}
    assert others == {"puzzle", "image_of", "id", "solution", "search_complete"}
    assert [row["image_of"] for row in rows] == [puzzle for puzzle in PUZZLES for _ in range(4)]
    assert [row["puzzle"] for row in rows[::4]] == PUZZLES
    for row in rows:
        assert unidoku.solve(row["puzzle"]).line == row["solution"]
        assert unidoku.canonical(row["puzzle"]) == unidoku.canonical(row["image_of"])


def test_named_columns_are_kept(rated_table, tmp_path):
    """Ratings too; nothing else of the input is written then."""
    for task, images in ((Transform(count=3, seed=1), 3), (Canonical(), 1)):
        unidoku.run(task, rated_table, tmp_path / "out.csv", keep=["er", "id"])
        rows, before = rows_of(tmp_path / "out.csv"), rows_of(rated_table)
        assert {*rows[0]} - {"image_of", "reason", "reason_code"} == {"puzzle", "input_er", "id"}
        assert [(row["id"], row["input_er"]) for row in rows[::images]] == [
            (row["id"], row["er"]) for row in before
        ]
    with pytest.raises(unidoku.UnidokuError, match="no column 'err'; did you mean er"):
        unidoku.run(Canonical(), rated_table, tmp_path / "new.csv", keep=["err"])
    assert not (tmp_path / "new.csv").exists()
    run("canonical", rated_table, "--keep", "er", "--where", "id=n1", "-o", tmp_path / "out.csv", code=0)
    assert [{*row} - {"reason", "reason_code"} for row in rows_of(tmp_path / "out.csv")] == [
        {"puzzle", "input_er"}
    ]


@pytest.mark.parametrize("command", ["transform -n 2 --seed 1", "canonical"])
def test_columns_of_images(command, rated_table, tmp_path):
    """The symmetry maps the original to the image; as many as are said map the image to itself."""
    names = "puzzle,original,symmetry,automorphisms,id"
    run(*command.split(), rated_table, "--columns", names, "-o", tmp_path / "out.csv", code=0)
    rows = rows_of(tmp_path / "out.csv")
    assert [*rows[0]] == names.split(",")
    for row in rows:
        symmetry = unidoku.Transformation.from_index(int(row["symmetry"]))
        assert symmetry(row["original"]).line == row["puzzle"]
        forms = unidoku.craft.canonical_many([row["original"]], symmetries=True)
        assert forms.automorphisms.tolist() == [int(row["automorphisms"])]
    assert {row["automorphisms"] for row in rows} == {"1"}
    run("canonical", "1" + "." * 80, "--columns", "automorphisms", "-o", tmp_path / "out.csv", code=0)
    # those that keep one cell and one digit
    assert rows_of(tmp_path / "out.csv") == [{"automorphisms": str(2 * 6**8 // 81 * 40320)}]
    error = run(*command.split(), rated_table, "--columns", names, code=2).stderr
    assert (
        error == f"error: <stdout>: .txt holds only puzzles, not {names.replace(',', ', ')}; "
        "use a format with columns, such as csv\n"
    )


def test_canonical_forms_have_no_ratings_either(rated_table, tmp_path):
    unidoku.run(Canonical(), rated_table, tmp_path / "out.csv")
    assert not set(rows_of(tmp_path / "out.csv")[0]) & {*RATINGS, "steps", "search_first_level", "book_class"}


def test_an_image_in_memory_names_its_element():
    images = unidoku.run_many(Transform(count=2, seed=1), PUZZLES, columns=Transform.columns)
    assert images.source_rows.tolist() == [k for k in range(len(PUZZLES)) for _ in range(2)]
    for row in images:
        assert unidoku.Transformation.from_index(row.symmetry)(row.image_of).line == row.puzzle


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_samples_move_one_by_one(tmp_path, suffix):
    """A column with several answers keeps all of them, in their form."""
    grid = unidoku.solve(UNIQUE).line
    wrong = grid[:-1] + ("1" if grid[-1] != "1" else "2")
    image, wrong_image = (unidoku.Transformation.rotation(90)(one).line for one in (grid, wrong))
    rows, moved_rows = ([[*map(int, one[k : k + 9])] for k in range(0, 81, 9)] for one in (grid, image))
    for answers, moved in [
        ([grid, wrong, "none"], [image, wrong_image, "none"]),
        ({"a": wrong, "b": f"It is {grid}."}, {"a": wrong_image, "b": f"It is {image}."}),
        ({"text": f"It is {grid}.", "n": 7}, {"text": f"It is {image}.", "n": 7}),
        ({"rows": rows, "said": json.dumps({"grid": rows})}, {"rows": moved_rows}),
    ]:
        (tmp_path / "in.jsonl").write_text(
            "".join(json.dumps({"puzzle": one, "responses": answers}) + "\n" for one in [UNIQUE, UNIQUE])
        )
        log, out = tmp_path / f"log.{suffix}", tmp_path / f"image.{suffix}"
        unidoku.run(Convert(), tmp_path / "in.jsonl", log)
        if suffix == "parquet":  # as another library writes it
            parquet = pytest.importorskip("pyarrow.parquet")
            table = pytest.importorskip("pyarrow").Table
            parquet.write_table(table.from_pylist([{"puzzle": UNIQUE, "responses": answers}] * 2), log)
        unidoku.run(Transform(rotate=90), log, out)
        for row in rows_of(out):
            found = json.loads(row["responses"]) if suffix == "csv" else row["responses"]
            if "said" in found:
                assert json.loads(found.pop("said")) == {"grid": moved_rows}
            assert found == moved


@pytest.mark.parametrize("around", ["```json\n{}\n```", "<answer>{}</answer>", "Here it is: {}"])
def test_an_object_moves_in_its_fence_or_tag(tmp_path, around):
    """The column of an unknown name moves with the puzzle if its only grid has all clues."""
    grid = unidoku.solve(UNIQUE).line
    said = around.format(json.dumps({"solution": [grid[k : k + 9] for k in range(0, 81, 9)]}, indent=1))
    record = {"puzzle": UNIQUE, "response": said, "mine": f"The grid: {grid}"}
    (tmp_path / "in.jsonl").write_text(json.dumps(record) + "\n")
    unidoku.run(Transform(rotate=90), tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    [row] = rows_of(tmp_path / "out.jsonl")
    image = unidoku.solve(row["puzzle"]).line
    assert row["mine"] == f"The grid: {image}"
    assert unidoku.verify(row["puzzle"], row["response"]).solved
    assert row["response"].split("[")[0] == said.split("[")[0]


def drawn(cells, before="", separator=" "):
    """Return nine rows of cells, each behind a text in which a # is its number."""
    rows = ((before.replace("#", str(k + 1)), cells[9 * k : 9 * k + 9]) for k in range(9))
    return "\n".join(name + separator.join(row) for name, row in rows)


TURN = unidoku.Transformation.rotation(90)
FULL = unidoku.solve(UNIQUE).line


@pytest.mark.parametrize(
    "form",
    [
        "I looked at r1c3 for 20 minutes. The answer: {grid}. 100 % sure!",
        "<think>Of {clues} I draft {grid}.</think>\n**Answer**\n```\n{rows}\n```\nDone in 2 steps.",
        "{clues}\n\nis solved by\n\n{boxed}\n",
        "Here:\n{named}\nThat is all.",
    ],
)
@pytest.mark.parametrize("task", [Transform(rotate=90), Canonical()])
def test_an_answer_among_words_keeps_its_words(form, task, tmp_path):
    """As a reader of logs wants it: only the cells of the grid, and of the puzzle, are others."""

    def text(full, clues):
        forms = {"rows": drawn(full), "boxed": drawn(full, "| "), "named": drawn(full, "Row #: ")}
        return form.format(grid=full, clues=clues, **forms)

    rows = [{"puzzle": UNIQUE, "response": text(FULL, UNIQUE)}]
    (tmp_path / "in.jsonl").write_text(json.dumps(rows[0]))
    summary = unidoku.run(task, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    [row] = rows_of(tmp_path / "out.jsonl")
    assert row["response"] == text(unidoku.solve(row["puzzle"]).line, row["puzzle"])
    assert summary.task_counts["unmoved"] == 0
    assert unidoku.verify(row["puzzle"], row["response"]).solved


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_every_grid_of_an_answer_moves_or_is_counted(form, tmp_path):
    """Also a wrong one; one with a check of its columns stays, and a text without a grid is not counted."""
    wrong = FULL.translate(str.maketrans("12", "21"))
    columns = drawn("".join(FULL[k::9] for k in range(9)), "Column #: ")
    checked = f"{drawn(FULL)}\n\nCheck:\n{columns}"
    answers = [f"It is {FULL}.", f"It is {wrong}.", checked, "I give up after 81 cells" + "!" * 60]
    rows = [{"puzzle": UNIQUE, "response": answer, "other": answer} for answer in answers]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    unidoku.run(Convert(), tmp_path / "in.jsonl", tmp_path / f"log.{form}")
    words = ("--rotate", "90", tmp_path / f"log.{form}", "-o", tmp_path / "out.csv")
    assert "2 answers inside text not transformed" in run("transform", *words, code=0).stderr
    images = [f"It is {TURN(one).line}." for one in (FULL, wrong)]
    assert [row["response"] for row in rows_of(tmp_path / "out.csv")] == [*images, *answers[2:]]
    assert [row["other"] for row in rows_of(tmp_path / "out.csv")] == [images[0], *answers[1:]]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("write", [str, list, drawn, lambda full: {"a": [drawn(full)]}])
def test_a_grid_under_an_unknown_name_moves_if_it_has_all_clues(write, form, tmp_path):
    wrong = FULL.translate(str.maketrans("12", "21"))
    rows = [{"puzzle": UNIQUE, "other": write(full)} for full in (FULL, wrong, FULL)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    unidoku.run(Convert(), tmp_path / "in.jsonl", tmp_path / f"log.{form}")
    unidoku.run(Transform(rotate=90), tmp_path / f"log.{form}", tmp_path / "out.jsonl")
    image = write(TURN(FULL).line)
    found = [row["other"] for row in rows_of(tmp_path / "out.jsonl")]
    if form != "jsonl" and not isinstance(image, str):  # its text
        found = [*map(json.loads, found)]
    assert found == [image, write(wrong), image]


def test_cells_by_number_move_in_the_order_of_their_numbers(tmp_path):
    """A program may have sorted the names as texts: 0, 1, 10, 11 and so on."""
    cells, image = ({str(k): cell for k, cell in enumerate(grid)} for grid in (FULL, TURN(FULL).line))
    record = {"puzzle": UNIQUE, "response": dict(sorted(cells.items()))}
    (tmp_path / "in.jsonl").write_text(json.dumps(record))
    unidoku.run(Transform(rotate=90), tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    [row] = rows_of(tmp_path / "out.jsonl")
    assert row["response"] == image
