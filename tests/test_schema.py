"""The columns of a run: their names, their origin, and which of an input are decoded for them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE

from unidoku._columns import REASON, ColumnSpec
from unidoku._conditions import conditions_of
from unidoku._options import Options
from unidoku._schema import Schema
from unidoku._table.batch import Batch, Roles
from unidoku._table.column import Column
from unidoku._task import Task
from unidoku.errors import FormatError, UnidokuError
from unidoku.files._formats import output_format
from unidoku.tasks import Check, Convert, Count, Minimize, Neighbours, Rate, Solve, Transform

FIRST = {"puzzle": UNIQUE, "prompt": f"Solve {UNIQUE}, please.", "solution": SOLUTION}
ROLES = Roles("puzzle", ("solution",), names=("puzzle", "prompt", "solution"), first=FIRST)


def batch_with(*names, roles=ROLES):
    """Return a batch of a puzzle whose input has these columns."""
    columns = {name: Column.of(["x"]) for name in names}
    cells = np.array([[int(cell) for cell in UNIQUE.replace(".", "0")]], np.uint8)
    batch = Batch.of_cells(cells)
    batch.columns, batch.roles = columns, roles._replace(names=("puzzle", *names))
    return batch


@in_turn
@pytest.mark.parametrize(
    ("task", "path", "options", "expected"),
    [
        (Check(), "o.csv", {}, ("line", "puzzle", "verdict", "count", "complete", "solution", *REASON)),
        (Check(), "o.txt", {}, ("puzzle", "verdict", "count", "solution")),
        (Check(), "o.txt", {"columns": ["count"]}, ("count",)),
        (Count(), "o.txt", {}, ("count",)),
        (Solve(), "o.txt", {"keep": "none"}, ("solution",)),
        (Convert(), "o.csv", {}, ("puzzle",)),
        (Convert(), "o.sdk", {}, ("puzzle",)),
        (Transform(rotate=90), "o.csv", {}, ("puzzle", "image_of")),
        (Transform(rotate=90), "o.txt", {}, ("puzzle",)),
        (Minimize(seed=1), "o.csv", {"keep": "none"}, ("puzzle", *REASON)),
        (Minimize(seed=1), "o.csv", {"columns": ["removed", "id"]}, ("removed", "id")),
    ],
)
def test_an_output_names_its_columns(task, path, options, expected):
    output = output_format(path, None, rows=not task.replaces)
    columns = Schema(task).in_output(output, Options(**options), several=False)
    assert columns.names == expected
    assert columns.has_input == (options == {} and path.endswith(".csv"))


def test_a_file_of_puzzles_has_no_other_column():
    output, options = output_format("o.sdk", None, rows=False), Options(columns=["puzzle", "id"])
    with pytest.raises(FormatError, match="holds only puzzles, not puzzle, id"):
        Schema(Convert()).in_output(output, options, several=False)


@in_turn
@pytest.mark.parametrize(
    ("task", "selected", "expected"),
    [
        (
            Check(),
            ["verdict"],
            {"line": "input_line", "er": "er", "verdict": "input_verdict", "clues": "input_clues"},
        ),
        (
            Convert(),
            [],
            {"line": "line", "clues": "clues", "er": "er", "prompt": "prompt", "solution": "solution"},
        ),
        (Convert(), ["clues"], {"line": "line", "clues": "input_clues"}),
        (Minimize(seed=1), [], {"er": "input_er", "card": "input_card", "solution": "solution"}),
        (Minimize(seed=1), [], {"prompt": "input_prompt", "line": "line"}),
        (Neighbours(), [], {"solution": "input_input_solution", "input_solution": "input_solution"}),
        (Check(), [], {"count": "input_input_count", "input_count": "input_count"}),
    ],
)
def test_a_name_that_means_another_thing_gets_a_prefix(task, selected, expected):
    schema = Schema(task, selected, keep=None)
    assert schema.of_input(batch_with(*expected))[:2] == (expected, {})


def test_columns_of_the_input_are_carried_or_selected():
    batch = batch_with("id", "src", "er", "note")
    conditions = conditions_of("src=b,er=2-")
    schema = Schema(Rate(), ["puzzle", "ep"], keep=["id", "er"], conditions=conditions)
    assert schema.from_input == ["src"]
    assert schema.computed == {"puzzle", "ep", "er"}
    assert schema.of_input(batch)[:2] == ({"id": "id", "er": "input_er"}, {"src": "src"})
    assert schema.needed.among(["id", "src", "er", "note"]) == ["id", "src", "er"]
    assert Schema(Rate(), ["er"]).needed.among(["id", "src"]) == []
    assert not Schema(Rate(), ["er"]).needed.has_any


def test_a_symmetry_moves_all_grids_of_results_and_none_of_prompts():
    columns = Schema(Transform(rotate=90), ["note"], keep=["solution", "prompt"])
    moved = columns.of_input(batch_with("note", "solution", "prompt", "id")).moved
    assert moved == {"note": False, "solution": True}


@in_turn
@pytest.mark.parametrize("options", [{"selected": ["foo"]}, {"keep": ["foo"]}, {"conditions": "foo=1"}])
def test_a_name_that_an_input_lacks_is_refused(options):
    conditions = conditions_of(options.pop("conditions", ()))
    schema = Schema(Rate(), **options, conditions=conditions)
    with pytest.raises(FormatError, match="no column 'foo'"):
        schema.of_input(batch_with("id"))


def test_conditions_choose_records_where_the_task_selects_puzzles():
    conditions = conditions_of("src=b,clues=20-")
    in_order, other = (Schema(Convert(unique=one), conditions=conditions) for one in ("text", None))
    assert (in_order.record_conditions, in_order.row_conditions) == (conditions, ())
    assert (other.record_conditions, other.row_conditions) == ((), conditions)


def test_columns_in_memory():
    assert Schema(Convert()).in_memory(None) == {"puzzle"}
    assert Schema(Check()).in_memory(None) == {"verdict", "count", "complete", "solution", "reason"}
    assert Schema(Rate()).in_memory(["er", "reason"]) == {"er", "reason"}
    for columns in (["line"], ["reason"]):
        with pytest.raises(UnidokuError):
            Schema(Rate()).in_memory(columns)


class Numbered(Task):
    """Number the puzzles, so that a result depends on those before it."""

    columns: ClassVar = {"number": ColumnSpec("int64", "the number of the puzzle, from 1")}
    in_order = True


@pytest.mark.parametrize("name", ["number", "reason"])
def test_a_condition_on_what_depends_on_the_conditions_is_refused(name):
    assert Schema(Numbered(), conditions=conditions_of("clues=20,line=3,src=b")).row_conditions == ()
    text = f"{name}: not known yet when conditions are applied; choose from: puzzle, file, line"
    with pytest.raises(UnidokuError, match=text):
        Schema(Numbered(), conditions=conditions_of(f"src=b,{name}=1"))
