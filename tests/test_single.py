"""One puzzle: check, solve, count, solutions."""

import collections
import csv
import inspect
import itertools
import pickle
import sys
from array import array

import pytest
from cases import in_turn
from command import run
from example_puzzles import GRIDS, MARKS, NOTHING, SOLUTION, TEN, UNIQUE

import unidoku
from unidoku import Answer, Cancel, Grid, InvalidPuzzleError, SearchStoppedError, Verdict, kernel

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def drawing_of(marks: str) -> str:
    """Pencil marks as HoDoKu draws them."""
    cells = [marks[begin : begin + 9].replace(".", "") for begin in range(0, 729, 9)]
    rows = [" ".join(f"{cell:9}" for cell in cells[begin : begin + 3]) for begin in range(0, 81, 3)]
    lines = [f"| {' | '.join(rows[begin : begin + 3])} |" for begin in range(0, 27, 3)]
    border = "+".join(["-" * 31] * 3)
    bands = ["\n".join(lines[begin : begin + 3]) for begin in (0, 3, 6)]
    return f".{border}.\n" + f"\n:{border}:\n".join(bands) + f"\n'{border}'\n"


def test_a_drawing_with_candidates_is_read_for_its_single_digits():
    path = unidoku.steps(UNIQUE)
    for marks in (MARKS, path[0].marks):
        assert Grid(drawing_of(marks)) == Grid(UNIQUE)
        assert unidoku.rate(drawing_of(marks)) == unidoku.rate(UNIQUE)
    assert Grid(drawing_of(path[20].marks)).line == path[20].before
    with pytest.raises(InvalidPuzzleError, match="candidates that do not follow from its clues"):
        Grid(drawing_of("123456789" * 80 + "12......."))


def test_a_line_of_the_library_of_hodoku_is_a_position(tmp_path):
    """A plus is before a digit that is no clue; the next field has candidates that are removed."""
    steps = [step for step in unidoku.steps(HARD) if step.eliminations and step.before != HARD][:8]
    for step in steps:
        grid, removed = Grid(step.before), []
        for cell in (cell for cell in range(81) if step.before[cell] == "."):
            gone = {*map(str, grid.candidates(cell))} - {*step.marks[9 * cell : 9 * cell + 9]}
            removed += [f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for digit in sorted(gone)]
        cells = "".join(
            f"+{digit}" if clue == "." != digit else digit
            for digit, clue in zip(step.before, step.puzzle, strict=True)
        )
        line = f":0402-1:5:{cells}:{' '.join(removed)}:123 456::"
        found = unidoku.hint(line)
        assert (found.before, found.marks, found.puzzle) == (step.before, step.marks, HARD)
        assert found.sentence == step.sentence
        assert Grid(line).line == HARD
        (tmp_path / "one.txt").write_text(f"{line}\n")
        (tmp_path / "in.txt").write_text(f"{line}\n" * 2)
    for source in (line, tmp_path / "one.txt"):
        assert run("hint", source, code=0).stdout.splitlines() == str(found).splitlines()
    assert run("convert", tmp_path / "in.txt", code=0).stdout == f"{HARD}\n" * 2
    (tmp_path / "in.txt").write_text("\n".join([line, UNIQUE, "?", line]))
    rows = run("hint", tmp_path / "in.txt", "--to", "csv", "--columns", "before,sentence", code=1).stdout
    one, other = (text.partition(".")[0] for text in (found.sentence, unidoku.hint(UNIQUE).sentence))
    assert [(digits, text.partition(".")[0]) for digits, text in [*csv.reader(rows.splitlines())][1:]] == [
        (step.before, one),
        (UNIQUE, other),
        ("", ""),
        (step.before, one),
    ]
    assert removed
    assert "+" in line
    (tmp_path / "in.txt").write_text(f"{line}\n".replace("0402-1:5", "0000:x") * 2)
    columns = ("--to", "csv", "--columns", "step,before,technique")
    path = [(str(k), one.before, one.technique) for k, one in enumerate(unidoku.steps(line), 1)]
    rows = run("steps", tmp_path / "in.txt", *columns, code=0).stdout.splitlines()
    assert [*map(tuple, csv.reader(rows))][1:] == path * 2
    shown = run("explain", tmp_path / "in.txt", "--short", code=0).stdout
    assert shown.count(f"\n{unidoku.steps(line)[0].sentence}\n") == 2
    run("hint", tmp_path / "in.txt", "--technique", found.name, "-o", tmp_path / "sheet.html", code=0)
    with pytest.raises(InvalidPuzzleError):
        Grid(f":0402:5:{HARD[1:]}+:::")


def test_examine_returns_everything():
    assert unidoku.examine(UNIQUE) == Answer("unique", 1, True, SOLUTION)
    answer = unidoku.examine(TEN, limit=None)
    solution, second_solution, *_ = unidoku.solutions(TEN)
    assert answer == Answer("multiple", 10, True, solution.line, second_solution.line, answer.guesses)
    assert unidoku.examine(TEN).count == 2
    assert unidoku.examine(NOTHING) == Answer("none", 0, True)


@in_turn
@pytest.mark.parametrize(("puzzle", "limit"), [(UNIQUE, 2), (HARD, 2), (HARD, 1), (TEN, 2), (TEN, None)])
def test_the_guesses_of_a_puzzle_are_those_of_each_instruction_set(puzzle, limit):
    """A budget of as many guesses is enough, one guess less is not."""
    guesses = unidoku.examine(puzzle, limit=limit).guesses
    counts, found = array("Q", [0]), array("Q", [0])
    for isa in kernel.usable():
        cells = unidoku.Grid(puzzle).cells
        options = {"zero": 0, "limit": limit or 2, "counts": counts, "guesses": found}
        kernel.isa_module(isa).solve_cells(cells, array("q", [0]), **options)
        assert found[0] == guesses
    if guesses and limit:
        assert unidoku.examine(puzzle, limit=limit, budget=guesses).complete
        assert guesses == 1 or not unidoku.examine(puzzle, limit=limit, budget=guesses - 1).complete


def test_a_limit_of_one_does_not_search_for_a_second_solution():
    for puzzle in (UNIQUE, TEN):
        answer = unidoku.examine(puzzle, limit=1)
        assert (answer.verdict, answer.count, answer.complete) == ("unknown", 1, True)
        assert answer.solution == unidoku.solve(puzzle).line
    assert unidoku.examine(NOTHING, limit=1).verdict == "none"


def test_a_budget_that_ends_a_search_is_reported():
    """The answer of a stopped search does not look exact."""
    empty = "." * 81
    answer = unidoku.examine(empty, limit=None, budget=1000)
    assert (answer.verdict, answer.complete) == ("multiple", False)
    assert answer.count > 2
    with pytest.raises(SearchStoppedError, match=f"{answer.count} solutions were found") as error:
        unidoku.count(empty, budget=1000)
    assert error.value.count == answer.count
    assert pickle.loads(pickle.dumps(error.value)).count == answer.count
    assert unidoku.check(empty, budget=1) is Verdict.UNKNOWN
    with pytest.raises(SearchStoppedError):
        unidoku.solve(empty, budget=1)
    iterator = unidoku.solutions(empty, budget=1000)
    grids = list(itertools.islice(iterator, answer.count))
    assert len(set(grids)) == answer.count
    with pytest.raises(SearchStoppedError, match=f"{answer.count} solutions"):
        next(iterator)
    # where the budget is enough nothing changes
    assert unidoku.count(TEN, budget=1000) == 10
    assert unidoku.solve(UNIQUE, budget=1000) == Grid(SOLUTION)
    assert len(list(unidoku.solutions(TEN, budget=1000))) == 10


def test_examine_counts_like_count():
    answer = unidoku.examine("." * 81, limit=None)
    assert (answer.count, answer.complete) == (GRIDS, True)
    assert answer.second_solution == next(itertools.islice(unidoku.solutions("." * 81), 1, None)).line
    assert unidoku.examine("." * 81, limit=10**21).count == 10**21
    assert unidoku.examine("." * 81, limit=1000).count == 1000


def test_cancel_ends_every_single_call():
    """A flag that is set before ends a call at once; listing the solutions of the empty grid never ends."""
    empty = "." * 81
    cancel = Cancel()
    cancel.set()
    answer = unidoku.examine(empty, limit=None, cancel=cancel)
    assert (answer.verdict, answer.complete, answer.count) == ("unknown", False, 0)
    with pytest.raises(SearchStoppedError):
        unidoku.count(empty, cancel=cancel)
    answer = unidoku.examine(empty, limit=None, cancel=cancel, budget=10**9)
    assert (answer.verdict, answer.complete, answer.solution) == ("unknown", False, None)
    cancel = Cancel()
    assert repr(cancel) == "<Cancel: not set>"
    with pytest.raises(SearchStoppedError):
        collections.deque((cancel.set() for _ in unidoku.solutions(empty, cancel=cancel)), maxlen=1)
    assert repr(cancel) == "<Cancel: set>"


@in_turn
@pytest.mark.parametrize("function", [unidoku.check, unidoku.solve, unidoku.examine])
def test_a_flag_does_not_change_the_answer_of_a_search_that_ends_before(function):
    assert function(UNIQUE, cancel=Cancel()) == function(UNIQUE)


def test_solutions_come_lazily_and_in_the_order_of_solve():
    grids = list(itertools.islice(unidoku.solutions("." * 81), 1000))
    assert grids[0] == unidoku.solve("." * 81)
    assert len(set(grids)) == 1000
    assert all(grid.is_solved() for grid in grids)


@in_turn
@pytest.mark.parametrize(
    "make",
    [
        lambda size: UNIQUE + "\n" * (size - 81),
        lambda size: (UNIQUE + "\n" * (size - 81)).encode(),
        f"https://sudoku.coach/en/play/{UNIQUE.replace('.', '0')}".ljust,
    ],
)
def test_a_long_text_is_refused_before_it_is_read(make):
    longest = 65_536
    for size in (longest - 1, longest):
        assert unidoku.check(make(size)) is Verdict.UNIQUE
    for call in (unidoku.check, unidoku.Grid, unidoku.rate, unidoku.hint, unidoku.canonical):
        with pytest.raises(InvalidPuzzleError, match="found 65537 characters"):
            call(make(longest + 1))


@in_turn
@pytest.mark.parametrize("name", ["check", "solve", "count", "check_many"])
def test_a_compiled_function_belongs_to_its_module(name):
    function = getattr(unidoku, name)
    home = sys.modules[function.__module__]
    assert home is unidoku
    assert function is getattr(home, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__name__ == name
    assert "Parameters" in function.__doc__
    assert next(iter(inspect.signature(function).parameters)) in {"puzzle", "puzzles"}
    with pytest.raises(InvalidPuzzleError):
        function("no puzzle")
    with pytest.raises(TypeError):
        function()
    with pytest.raises(TypeError):
        function(UNIQUE, no_such_option=1)
