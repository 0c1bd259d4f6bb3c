"""What a stranger types first: it works, or the error says what to type instead."""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import json
import pickle
import re
import subprocess
import sys
import traceback
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku import (
    Grid,
    InvalidPuzzleError,
    MissingExtraError,
    UnidokuError,
    _guesses as guesses,
    learning,
    tasks,
)

DOCS = Path(__file__).parents[1] / "docs"

NAMES = {
    "is_unique": 'check(puzzle) == "unique"',
    "isUnique": 'check(puzzle) == "unique"',
    "is_valid": 'check(puzzle) == "unique", or Grid(puzzle).is_valid() to look for clashes only',
    "isunique": 'check(puzzle) == "unique"',
    "Sudoku": "solve(puzzle), check(puzzle) or generate(), or Grid(puzzle) for its rows and candidates",
    "SudokuBoard": "solve(puzzle), check(puzzle) or generate(), or Grid(puzzle) for its rows and candidates",
    "check_dataframe": 'check_many(frame["puzzle"]), or verify_many(frame["puzzle"], frame["solution"])',
    "check_df": 'check_many(frame["puzzle"]), or verify_many(frame["puzzle"], frame["solution"])',
    "solve_async": "await aio.call(solve, puzzle)",
    "solve_human": "steps(puzzle)",
    "enumerate_solutions": "solutions(puzzle), or solve_many(puzzles)",
    "random_solution": "solve(generate())",
    "generate_sudoku": "generate()",
    "save_puzzles": 'open(path, "w").write("\\n".join(lines(puzzles)))',
    "score_answer": "verify(puzzle, prediction).solved for an answer, rate(puzzle) for a puzzle",
    "export_pdf": "the command: unidoku print FILE -o board.pdf, or unidoku print PUZZLE PUZZLE -o board.pdf",
    "candidates": 'Grid(puzzle).candidates(), or Grid(puzzle).candidates("r1c3") for one cell',
    "show": 'print(Grid(puzzle)), or Path("board.svg").write_text(view.svg(puzzle))',
    "to_html": "view.svg(puzzle)",
    "shuffle": "Transformation.random(seed=1)(puzzle)",
    "rotate": "Transformation.rotation(90)(puzzle)",
    "transpose": 'Transformation.reflection("diagonal")(puzzle)',
    "relabel_digits": "Transformation(digits=(2, 1, 3, 4, 5, 6, 7, 8, 9))(puzzle)",
    "make_book": "the command: unidoku print FILE -o book.pdf",
    "read_parquet": "read(path), which yields batches: the puzzles of each are batch.cells",
    "verify_answer": "verify(puzzle, prediction).solved",
    "score": "verify(puzzle, prediction).solved for an answer, rate(puzzle) for a puzzle",
    "grade": "verify(puzzle, prediction).solved for an answer, rate(puzzle) for a puzzle",
    "grade_many": "verify_many(puzzles, predictions).solved",
    "judge": "verify(puzzle, prediction).solved",
    "reward": "unidoku.learning.reward",
    "reward_function": "unidoku.learning.reward_function",
    "extract_answer": "learning.grid_of(answer)",
    "prompt": "unidoku.learning.prompt",
    "hard_puzzles_near": "unidoku.learning.hard_puzzles_near",
    "SudokuTasks": "unidoku.learning.SudokuTasks",
    "Check": "unidoku.tasks.Check",
    "Sheets": "unidoku.view.Sheets",
    "Playback": "unidoku.view.Playback",
    "Stepper": "stepper.Session(puzzle)",
    "StepController": "stepper.Session(puzzle)",
    "solve_path": "steps(puzzle)",
    "find_mistakes": "hint(puzzle, filled=digits).wrong_digits",
    "repair": "diagnose(puzzle), or neighbours(puzzle, remove=0, add=1)",
    "symmetry": 'Grid(puzzle).clue_symmetry, or generate(symmetry="180")',
    "print_sheet": "the command: unidoku print FILE -o sheets.pdf",
    "is_minimal": "diagnose(puzzle).minimal, or minimize(puzzle)",
    "difficulty": "rate(puzzle).difficulty",
    "techniques": "steps(puzzle), or rating.TECHNIQUES for all of them",
    "solve_file": "run(tasks.Solve(), path, output)",
    "count_solutions": "count(puzzle), or count(puzzle, limit=…)",
    "next_step": "hint(puzzle)",
    "read_csv": "read(path), which yields batches: the puzzles of each are batch.cells",
    "create": "generate()",
}


@in_turn
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_name_leads_to_the_right_one(name: str) -> None:
    text = f"unidoku has no {name!r}; use {NAMES[name]}"
    with pytest.raises(AttributeError) as caught:
        getattr(unidoku, name)
    assert shown(caught.value) == f"AttributeError: {text}"
    with pytest.raises(ImportError) as caught_import:
        exec(f"from unidoku import {name}")
    assert shown(caught_import.value) == f"ImportError: {text}"


def shown(error: BaseException) -> str:
    """An error as Python prints it, with its own suggestion if there is one."""
    return "".join(traceback.format_exception_only(error)).strip()


def test_a_mistyped_name_leads_to_the_near_one() -> None:
    for code in ("unidoku.chek", "from unidoku import chek"):
        with pytest.raises((AttributeError, ImportError)) as caught:
            exec(code)
        assert shown(caught.value).endswith("unidoku has no 'chek'; use check")
    with pytest.raises(AttributeError) as caught:
        unidoku.something  # noqa: B018
    assert shown(caught.value) == "AttributeError: unidoku has no 'something'"
    exec("from unidoku import _lazy, _guesses")  # modules without a public name
    assert not hasattr(unidoku, "__wrapped__")


@in_turn
@pytest.mark.parametrize("puzzle", [[{"puzzle": UNIQUE}], ["x" * 70], [{}] * 2])
def test_what_is_no_list_of_puzzles_leads_to_no_function_for_many(puzzle: object) -> None:
    with pytest.raises(InvalidPuzzleError) as caught:
        unidoku.check(puzzle)
    assert "check_many" not in str(caught.value)


def test_a_program_may_ask_for_a_module_that_is_missing() -> None:
    assert importlib.util.find_spec("unidoku.something") is None
    assert __import__("unidoku.craft", fromlist=["something", ""]) is unidoku.craft
    with pytest.raises(ModuleNotFoundError):
        exec("import unidoku.something")


def test_what_is_advised_is_there() -> None:
    modules = "|".join(set(dir(unidoku)) - {*unidoku.__all__})
    of_others = "Path write_text reset print open write join clashes is_valid is_solved to_array".split()
    of_others += "candidates random".split()
    for advice in guesses.guesses_of("unidoku").values():
        if advice.startswith("Transformation"):
            assert eval(advice, {"Transformation": unidoku.Transformation, "puzzle": UNIQUE}).clues == 30
            continue
        for name in re.findall(rf"\b((?:{modules})\.\w+|[a-zA-Z_]+)\(|^(\w+)$", advice):
            value: object = unidoku
            word = name[0] or name[1]
            for part in word.split("."):
                if part not in of_others:
                    value = getattr(value, part)
    grid = Grid(UNIQUE)
    for advice in guesses.guesses_of("Grid").values():
        for name in re.findall(r"\bgrid\.(\w+)", advice):
            assert hasattr(grid, name)
        for name in re.findall(r"\bunidoku\.([\w.]+)", advice):
            assert callable(attrgetter(name)(unidoku))
    assert len(guesses.guesses_of("unidoku")) > 100


def test_dir_lists_the_modules_of_the_pages() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in [*DOCS.glob("*.md"), DOCS / "../README.md"])
    uses = r"(?m)(?:\bfrom unidoku import |\bunidoku\.)([a-z]\w*)(?=\.\w|$| as )"
    used = {*re.findall(uses, text)}
    modules = {name for name in used if f"unidoku.{name}" in sys.modules and name not in unidoku.__all__}
    assert {"aio", "tasks", "learning", "view", "counting", "method", "stepper", "naive"} <= {*dir(unidoku)}
    assert modules <= {*dir(unidoku)}


WRONG_CALLS = {
    "unidoku.run(tasks.Rate(), [UNIQUE], colums=['er'])": "run has no argument 'colums'; use columns",
    "unidoku.check_file('x.txt', outptu='x')": "check_file has no argument 'outptu'; use output",
    "unidoku.generate(n=5)": "generate has no argument 'n'; use count",
    "unidoku.generate(random_state=5)": "generate has no argument 'random_state'; use seed",
    "unidoku.generate(rating=5)": "generate has no argument 'rating'; use er",
    "unidoku.generate(symmetry=180)": "symmetry must be the text '180', not 180",
    "unidoku.generate(min_rating=3.0)": "generate has no argument 'min_rating'; use er=(3.0, 4.0)",
    "unidoku.generate(max_clues=26)": "generate has no argument 'max_clues'; use clues=(24, 28)",
    "learning.SudokuTasks(5, rating=3)": "SudokuTasks has no argument 'rating'; use er",
    "tasks.Rate(bellow=3)": "Rate has no argument 'bellow'; use below",
    "unidoku.solve([UNIQUE, UNIQUE])": "expected 81 cells, found 2; for several puzzles, call solve_many",
    "unidoku.rate([UNIQUE])": "expected 81 cells, found 1; for several puzzles, call rate_many",
    "unidoku.hint([UNIQUE])": "expected 81 cells, found 1; call hint once for each puzzle",
    "unidoku.count(np.zeros((5, 81), int))": "found 405; for several puzzles, call count_many",
    "unidoku.solve(pd.Series([UNIQUE, UNIQUE]))": "found 2; for several puzzles, call solve_many",
    "unidoku.solve(pl.Series([UNIQUE, UNIQUE]))": "found 2; for several puzzles, call solve_many",
    "unidoku.solve(pd.Series([int('1' * 81), int('2' * 70)]))": "found 2; for several puzzles, call",
    "unidoku.transform(UNIQUE, 'rotate')": "a Transformation, such as Transformation.rotation(90), not 'ro",
    "unidoku.check_many(BATCH)": "found a batch of unidoku.read; its puzzles are batch.cells",
    "unidoku.solve_many([BATCH])": "row 0: expected puzzles, found a batch of unidoku.read; its puzzles are",
    "unidoku.hint(BATCH)": "found a batch of unidoku.read; its puzzles are batch.cells",
    "[unidoku.check(puzzle) for puzzle in BATCH]": "is not iterable; use map(unidoku.Grid, batch.cells)",
    "BATCH.puzzles": "PuzzleBatch has no 'puzzles'; use cells",
    "unidoku.parse(UNIQUE)": "unidoku has no 'parse'; use Grid(puzzle)",
    "unidoku.rating(UNIQUE)": "unidoku.rating is a module; use rate(puzzle)",
    "unidoku.view(UNIQUE)": "unidoku.view is a module; use view.svg(puzzle)",
    "unidoku.generate(technique='skyskraper')": "unknown 'skyskraper'; did you mean name=Skyscraper?",
    "unidoku.generate(technique='x-wimg')": "unknown 'x-wimg'; did you mean X-wing?",
    "unidoku.steps(UNIQUE, without='skyskraper')": "technique 'skyskraper'; did you mean Skyscraper?",
    "unidoku.run(tasks.Rate(), [UNIQUE])": "no such file; for puzzles, call run_many or check_many",
    "unidoku.check_many({'a': UNIQUE})": "dict is not a list of puzzles; pass list(puzzles.values())",
    "unidoku.check_many({'puzzle': [UNIQUE]})": "dict is not a list of puzzles; pass puzzles['puzzle']",
    "unidoku.check_many([UNIQUE])['verdict']": "must be an integer, not 'verdict'; use result.verdict",
    "unidoku.check_many([UNIQUE]).to_pandas()": "Result has no 'to_pandas'; use pandas.DataFrame(result)",
    "unidoku.rate(UNIQUE).score": "Rating has no 'score'; use er",
    "unidoku.rate(UNIQUE).as_dict()": "Rating has no 'as_dict'; it has er, ep, ed, technique",
    "unidoku.hint(UNIQUE).cell": "Hint has no 'cell'; use placements",
    "unidoku.steps(UNIQUE)[0].eliminatons": "Step has no 'eliminatons'; use eliminations",
    "unidoku.verify(UNIQUE, UNIQUE).is_correct": "Verification has no 'is_correct'; use solved",
    "unidoku.examine(UNIQUE).n_solutions": "Answer has no 'n_solutions'; use count",
    "tasks.Hint": "unidoku.tasks has no 'Hint'; use HintTask",
    "Grid(UNIQUE).solve()": "Grid has no 'solve'; use unidoku.solve(grid)",
    "unidoku.solve(UNIQUE).grid": "Grid has no 'grid'; use the grid itself, or grid.rows",
    "unidoku.solve(UNIQUE).solution": "use unidoku.solve(grid), which returns a Grid",
    "Grid(UNIQUE).clashs()": "Grid has no 'clashs'; use clashes",
    "Grid(UNIQUE, size=9)": "Grid() got an unexpected keyword argument 'size'",
    "Grid.from_string(UNIQUE)": "Grid has no 'from_string'; use Grid(puzzle)",
    "Grid.from_numpy(UNIQUE)": "Grid has no 'from_numpy'; use Grid(puzzle)",
    "unidoku.rate(UNIQUE).hardest_technique": "Rating has no 'hardest_technique'; use technique",
    "tasks.Rate(what=3)": "Rate has no argument 'what'; it has below",
    "Grid(UNIQUE).pretty()": "Grid has no 'pretty'; use print(grid)",
    "unidoku.save_pdf": "use the command: unidoku print FILE -o board.pdf",
    "unidoku.list_techniques()": "use steps(puzzle), or rating.TECHNIQUES for all",
    "unidoku.check(UNIQUE, limit=3)": "check has no argument 'limit'; use count(puzzle, limit=…)",
    "unidoku.count(UNIQUE, max=3)": "count has no argument 'max'; use limit",
    "unidoku.solutions(UNIQUE, limit=3)": "no argument 'limit'; use itertools.islice(solutions(puzzle), …)",
    "unidoku.verify(UNIQUE, solution=UNIQUE)": "verify has no argument 'solution'; use prediction",
    "unidoku.minimize(UNIQUE, symmetric=True)": 'use generate(symmetry="180", minimal=True)',
    "unidoku.check_many([UNIQUE], workers=2)": "check_many has no argument 'workers'; use threads",
    "unidoku.check_many([UNIQUE], n_jobs=2)": "check_many has no argument 'n_jobs'; use threads",
    "unidoku.hint(UNIQUE, techniques='x')": "hint has no argument 'techniques'; use steps(puzzle, ",
    "unidoku.hint(UNIQUE, technique='x')": "hint has no argument 'technique'; use steps(puzzle, techniques=",
    "unidoku.solve(UNIQUE, stats=True)": "solve has no argument 'stats'; use examine(puzzle), which has",
    "unidoku.solve(UNIQUE, method='naive')": "solve has no argument 'method'; use naive.solve_sudoku(",
    "unidoku.solve(UNIQUE, trace=True)": "solve has no argument 'trace'; use steps(puzzle), or stepper.trace",
    "unidoku.rate(UNIQUE, timeot=1)": "rate has no argument 'timeot'; use timeout",
    "unidoku.rate(UNIQUE, foo=1)": "rate has no argument 'foo'; it has puzzle, below, cancel, timeout",
    "learning.prompt(UNIQUE, style='rows')": "prompt has no argument 'style'; it has puzzle, layout",
    "unidoku.canonical([UNIQUE] * 3)": "found 3; for several puzzles, call craft.canonical_many",
    "unidoku.naive.solve": "unidoku.naive has no 'solve'; use naive.solve_sudoku(rows)",
    "learning.verify": "unidoku.learning has no 'verify'; use unidoku.verify",
    "unidoku.env.SudokuEnv()": "unidoku has no 'env'; use learning.SudokuEnv(), and reset(options=",
    "unidoku.Cancel(seconds=3)": "Cancel has no argument 'seconds'; use timeout",
    "unidoku.Cancel(limit=3)": "Cancel has no argument 'limit'; it has timeout",
    "unidoku.Transformation(digit=3)": "Transformation has no argument 'digit'; use digits",
    "unidoku.counting.Solutions(UNIQUE, jobs=3)": "Solutions has no argument 'jobs'; use threads",
    "unidoku.stepper.Session(UNIQUE, modus=3)": "Session has no argument 'modus'; it has puzzle, mode, guess",
    "unidoku.view.Sheets([], titel=3)": "Sheets has no argument 'titel'; ",
    "unidoku.stepper.trace(UNIQUE, step=3)": "trace has no argument 'step'; use steps",
    "unidoku.craft.Series([UNIQUE], number=3)": "Series has no argument 'number'; it has results, seed",
    "unidoku.view.svg(UNIQUE, width=3)": "svg has no argument 'width'; it has grid, givens",
    "unidoku.method.explain(UNIQUE, verdit=3)": "explain has no argument 'verdit'; use verdict",
    "unidoku.naive.count_solutions(UNIQUE, max=3)": "count_solutions has no argument 'max'; use limit",
    "unidoku.make_env()": "unidoku has no 'make_env'; use learning.SudokuEnv(), and reset(options=",
    "unidoku.check(UNIQUE).valid": "Verdict has no 'valid'; use verdict == \"unique\"",
    "unidoku.check(UNIQUE).errors": "Verdict has no 'errors'; use diagnose(puzzle)",
    "unidoku.check_file(io.BytesIO(UNIQUE.encode())).total": "Summary has no 'total'; use puzzles",
    "unidoku.rate(UNIQUE).level": "Rating has no 'level'; use difficulty",
    "unidoku.hint(UNIQUE).value": "Hint has no 'value'; use placements",
    "unidoku.generate(symmetric=True)": "generate has no argument 'symmetric'; use symmetry=\"180\"",
    "unidoku.generate(return_solution=True)": "use solve(puzzle) for its solution",
    "unidoku.read('x', puzzle_column='q')": "read has no argument 'puzzle_column'; use column",
    "unidoku.check_many([UNIQUE], puzzle_col='q')": "use the column itself, such as check_many(",
    "unidoku.stepper.Session(UNIQUE).undo()": "Session has no 'undo'; use back(session.steps - 1)",
    "unidoku.solve(UNIQUE, n_jobs=2)": "solve has no argument 'n_jobs'; use solve_many(puzzles, threads=…)",
    "unidoku.solve(UNIQUE, explain=True)": "solve has no argument 'explain'; use explain(puzzle)",
    "unidoku.check(pd.DataFrame({'q': [UNIQUE] * 2}))": "this is a table; pass a column, such as check_many(",
    "unidoku.check_many([UNIQUE], n_jobs=2, size=1)": "no arguments 'n_jobs', 'size'; use threads",
    "unidoku.generate(level='easy', n=3)": "'level', 'n'; use difficulty, count",
    "unidoku.hint(UNIQUE).row": "Hint has no 'row'; use placements, such as placements[0][:4]",
    "unidoku.hints(UNIQUE)": "use all_steps(puzzle), or hint(puzzle) for the next step",
    "unidoku.solve_array(UNIQUE)": "use solve_many(puzzles, threads=…).solution",
    "unidoku.learning.SudokuEnv(puzzle=UNIQUE)": 'use reset(options={"puzzle": puzzle})',
    "unidoku.generate(min_clues=24, max_clues=28, n=2)": "use clues=(24, 28), count",
    "unidoku.verify(UNIQUE, UNIQUE).ok": "Verification has no 'ok'; use solved",
    "unidoku.steps(UNIQUE).solution": "Steps has no 'solution'; use grid",
    "unidoku.steps(UNIQUE)[0].er": "Step has no 'er'; use rating",
    "unidoku.verify_many([UNIQUE], answers=[UNIQUE])": "has no argument 'answers'; use predictions",
    "unidoku.view.show(UNIQUE)": "unidoku.view has no 'show'; use print(Grid(puzzle))",
    "unidoku.InvalidPuzzle": "use InvalidPuzzleError",
    "unidoku.check(pd.Series([UNIQUE] * 3))": "for several puzzles, call check_many",
    "unidoku.check_many([UNIQUE]).n_solutions": "Result has no 'n_solutions'; use result.count",
    "Grid(UNIQUE) + UNIQUE": "a grid is not a text; use grid.line",
    "unidoku.verify(UNIQUE, response=UNIQUE)": "verify has no argument 'response'; use prediction",
    "Grid(UNIQUE).boxes": "Grid has no 'boxes'; use grid.to_array(), such as grid.to_array()[:, 0]",
}


@in_turn
@pytest.mark.parametrize("call", WRONG_CALLS)
def test_a_wrong_call_names_the_right_argument_or_function(call: str) -> None:
    names = {"unidoku": unidoku, "tasks": tasks, "learning": learning, "UNIQUE": UNIQUE, "Grid": Grid}
    names["BATCH"] = next(unidoku.read(io.BytesIO(f"{UNIQUE}\n{UNIQUE}\n".encode())))
    with pytest.raises((TypeError, AttributeError, UnidokuError)) as caught:
        eval(call, names | {"io": io, "np": np, "pd": pd, "pl": pl})
    assert WRONG_CALLS[call] in shown(caught.value)


def test_a_grid_is_an_array_of_rows_and_columns() -> None:
    grid = Grid(SOLUTION)
    array = np.asarray(grid)
    assert (array.shape, array.dtype) == ((9, 9), np.uint8)
    assert np.array([grid, grid]).shape == (2, 9, 9)
    assert np.asarray(grid, np.int64).dtype == np.int64
    assert grid.rows == array.tolist() == grid.to_array().tolist()
    assert all(grid[row, column] == array[row, column] for row in range(9) for column in range(9))
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(grid, copy=False)
    for cell in ((0, 9), (-1, 0), (0,), (0, 0, 0), ("a", 1)):
        with pytest.raises(IndexError, match="write a row and a column, each 0 to 8"):
            grid[cell]  # type: ignore[index]
    open_grid = Grid(UNIQUE)
    assert open_grid.candidates() == [open_grid.candidates(cell) for cell in range(81)]
    assert open_grid.candidates((0, 2)) == open_grid.candidates("r1c3") == open_grid.candidates(2)
    assert open_grid.candidates(0, 2) == open_grid.candidates(2)
    assert pickle.loads(pickle.dumps(grid)) == grid


@in_turn
@pytest.mark.parametrize("end", ["[EOS]", " [EOS]", "\n[/INST]", "</s> [end]"])
def test_a_full_grid_is_read_before_the_end_of_a_generation(end: str) -> None:
    assert Grid(f"{SOLUTION}{end}").line == SOLUTION
    with pytest.raises(InvalidPuzzleError, match="a full grid next to text"):
        Grid(f"{SOLUTION} and more")


def test_functions_take_grids_in_every_place_of_a_puzzle() -> None:
    grid, solution = Grid(UNIQUE), Grid(SOLUTION)
    assert unidoku.lines([grid, solution]) == [UNIQUE, SOLUTION]
    assert unidoku.verify_many([grid], [solution]).solved.tolist() == [True]
    assert unidoku.verify(grid, solution).solved
    with pytest.raises(InvalidPuzzleError, match="this is one puzzle"):
        unidoku.check_many(grid)  # type: ignore[arg-type]


def test_modules_that_people_call_are_pickled_by_name() -> None:
    from unidoku import rating, view

    assert [pickle.loads(pickle.dumps(module)) for module in (rating, view)] == [rating, view]


def test_answers_that_pandas_read_as_numbers_are_verified(tmp_path: Path) -> None:
    path = tmp_path / "quizzes.csv"
    path.write_text(f"puzzle,solution\n{UNIQUE.replace('.', '0')},{SOLUTION}\n")
    table = pd.read_csv(path)
    assert isinstance(table.solution[0], int)
    assert unidoku.verify_many(table.puzzle, table.solution).solved.tolist() == [True]
    assert unidoku.verify(UNIQUE, table.solution[0]).solved
    assert "no grid of 81 cells" in str(unidoku.verify(UNIQUE, 5).reason)  # as in files


def test_results_of_one_puzzle_are_dicts() -> None:
    results = [function(UNIQUE) for function in (unidoku.examine, unidoku.rate, unidoku.diagnose)]
    results += [unidoku.hint(UNIQUE), unidoku.steps(UNIQUE), unidoku.verify(UNIQUE, SOLUTION)]
    for result in results:
        assert result.to_dict() == dataclasses.asdict(result)
        assert json.loads(json.dumps(result.to_dict()))
    assert unidoku.check(UNIQUE).to_dict() == {"verdict": "unique"}


def test_steps_have_their_json() -> None:
    path = unidoku.steps(UNIQUE)
    data = path.to_json()
    assert (data["er"], len(data["steps"]), data["steps"][0]["technique"]) == (1.2, 51, "hidden single")


def test_reward_functions_are_pickled() -> None:
    function = learning.reward_function("cells")
    copy = pickle.loads(pickle.dumps(function))
    assert copy.__name__ == function.__name__ == "cells_reward"
    assert copy([""], [SOLUTION], puzzle=[UNIQUE]) == [1.0]


def test_numbers_of_transformations_are_a_list() -> None:
    puzzles = [UNIQUE, UNIQUE]
    images = unidoku.craft.transform_many(puzzles, [1, 2]).puzzle
    assert (images == unidoku.craft.transform_many(puzzles, np.array([1, 2])).puzzle).all()
    with pytest.raises(TypeError, match="several, or their numbers"):
        unidoku.craft.transform_many(puzzles, [1, "2"])  # type: ignore[list-item]


WITHOUT = "import sys; sys.modules[{library!r}] = None; import unidoku; {code}"


def test_environments_without_gymnasium_name_the_extra() -> None:
    code = "unidoku.learning.SudokuEnv"
    assert error_without("gymnasium", code).endswith(
        "MissingExtraError: the environments need Gymnasium; run pip install 'unidoku[learning]'"
    )
    assert issubclass(MissingExtraError, UnidokuError)


@pytest.mark.parametrize("arguments", ["['check', 'P', '-o', 'x.parquet']", "['rate', 'P', '-o', 'x.npz']"])
def test_a_command_without_numpy_says_so(arguments: str) -> None:
    code = f"from unidoku._cli import main; sys.argv = ['unidoku', *{arguments}]; main()".replace("P", UNIQUE)
    assert error_without("numpy", code).endswith("numpy is not installed; run pip install numpy")


def error_without(library: str, code: str) -> str:
    """The last line of the errors of a program where a library is not installed."""
    program = WITHOUT.format(library=library, code=code)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1]
