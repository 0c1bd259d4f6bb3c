"""Names that people try first, and what to type instead: the ends of errors about unknown names."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module

from unidoku.arguments import BATCH, SEVERAL, any_of, near
from unidoku.errors import InvalidPuzzleError, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self

_CHECK, _GRID, _RATE = 'check(puzzle) == "unique"', "Grid(puzzle)", "rate(puzzle)"
_VERIFY, _TRANSFORMED = "verify(puzzle, answer)", "Transformation.{}(puzzle)"
_VERIFY_MANY, _STEPPER = "verify_many(puzzles, answers)", "stepper.Session(puzzle)"
_PDF = "the command: unidoku print {}"
_GENERATE, _RUN = "generate()", "run(tasks.{}(), path, output)"
_READ = "read(path), which yields batches: the puzzles of each are batch.cells"

_NAMES = {
    "is_unique, has_unique_solution, is_proper, unique, uniqueness, is_solvable, verdict": _CHECK,
    "is_valid, validate, valid": f"{_CHECK}, or {_GRID}.is_valid() to look for clashes only",
    "verify_answer, verify_solution, check_answer, check_solution, is_correct": _VERIFY,
    "verify_answers, verify_solutions, check_answers, score_answers": _VERIFY_MANY,
    "judge, judge_answer, grade_answer, compare, pass_at_k": _VERIFY,
    "grade_many, judge_many, score_many, evaluate_many, grade_answers": _VERIFY_MANY,
    "grade, score, evaluate": f"{_VERIFY} for an answer, {_RATE} for a puzzle",
    "extract_answer, extract, extract_grid, parse_answer": "learning.grid_of(answer)",
    "rewards, get_reward": "learning.reward(puzzle, answer)",
    "stepper, step_controller, controller, step, runtil, sudoku_solver_2_6": _STEPPER,
    "find_mistakes, mistakes, find_errors, wrong_digits": "hint(puzzle, filled=digits).wrong_digits",
    "repair, repairs, fix, make_unique": "diagnose(puzzle), or neighbours(puzzle, remove=0, add=1)",
    "symmetry, symmetries, symmetric": f'{_GRID}.clue_symmetry, or generate(symmetry="180")',
    "clue_symmetry, is_symmetric": f"{_GRID}.clue_symmetry",
    "find_typos": "diagnose(puzzle)",
    "print_sheet, sheet, print_puzzles": _PDF.format("FILE -o sheets.pdf"),
    "is_solved, is_complete, solved": f"{_GRID}.is_solved()",
    "sudoku, puzzle, board, grid, sudoku_grid, sudoku_board, sudoku_puzzle": "Grid",
    "solver, sudoku_solver, solve_sudoku, solution": "solve(puzzle)",
    "backtrack, backtracking, brute_force": "naive.solve_sudoku(rows)",
    "solve_all, all_solutions, find_all, find_solutions, get_solutions": "solutions(puzzle)",
    "solve_batch, solve_list": "solve_many(puzzles)",
    "count_solutions, num_solutions, number_of_solutions, n_solutions": "count(puzzle)",
    "candidates, pencil_marks, possibilities": f"{_GRID}.candidates()",
    "show, display, draw, pprint, print_board, print": f"print({_GRID})",
    "to_html, to_svg, render, plot, svg, picture, view, draw_svg, save_svg": "view.svg(puzzle)",
    "to_string, to_str, dumps, to_line": f"{_GRID}.line",
    "to_array, to_numpy, to_list": f"{_GRID}.to_array()",
    "from_string, from_str, loads, parse, parse_string, parse_board, parse_puzzle, parse_sudoku": _GRID,
    "shuffle, scramble, permute, isomorph, random_transform, augment": _TRANSFORMED.format("random()"),
    "rotate, rot90, rotation": _TRANSFORMED.format("rotation(90)"),
    "reflect, mirror, flip, reflection": _TRANSFORMED.format('reflection("vertical")'),
    "transpose, transposed": _TRANSFORMED.format('reflection("diagonal")'),
    "relabel, relabel_digits, permute_digits": "Transformation(digits=(2, 1, 3, 4, 5, 6, 7, 8, 9))(puzzle)",
    "is_minimal, minimal": "diagnose(puzzle).minimal, or minimize(puzzle)",
    "canonicalize, canonical_form, normalize, minlex": "canonical(puzzle)",
    "equivalent, is_equivalent, isomorphic, is_isomorphic": "canonical(a) == canonical(b)",
    "difficulty, get_difficulty, classify": f"{_RATE}.difficulty",
    "rating, er, rank, rate_puzzle": _RATE,
    "techniques, strategies, human_solve, solve_steps, solve_path, logic, path": "steps(puzzle)",
    "next_step, next_move, get_hint, hints, next_hint": "hint(puzzle)",
    "create, make, make_puzzle, new, new_puzzle, random, random_puzzle, random_sudoku": _GENERATE,
    "generate_puzzle, generate_sudoku, generator, create_puzzle, puzzles, generate_one": _GENERATE,
    "generate_many, generate_batch, generate_n": "generate(count)",
    "difficulties, levels": 'generate(difficulty="hard")',
    "solve_file": _RUN.format("Solve"),
    "rate_file": _RUN.format("Rate"),
    "count_file": _RUN.format("Count"),
    "hint_file": _RUN.format("HintTask"),
    "steps_file": _RUN.format("StepsTask"),
    "verify_file": _RUN.format("Verify"),
    "convert, convert_file": _RUN.format("Convert"),
    "load, read_file, read_csv, read_text, read_puzzles, load_file, open, load_puzzles": _READ,
    "read_parquet, read_json, read_jsonl, read_table, load_csv, scan_csv, scan_parquet": _READ,
    "save, write, dump, write_csv, to_csv, to_file, save_puzzles": "run(tasks.Convert(), puzzles, output)",
    "format": f"{_GRID}.line, or formats() for the formats of files",
    "bench, benchmark, stats": "the command: unidoku bench",
    "version": "__version__",
    "env, gym, gymnasium": "unidoku.learning, such as learning.SudokuEnv",
    "list_techniques, technique_names, all_techniques": "steps(puzzle); docs/rating.md lists the techniques",
    "visualize, visualise, print_grid, print_sudoku, draw_board": f"print({_GRID})",
    "pdf, to_pdf, save_pdf, write_pdf, print_pdf": _PDF.format("PUZZLE -o board.pdf"),
    "png, to_png, save_png, image": _PDF.format("PUZZLE -o board.png"),
    "book, make_book, booklet, worksheet, worksheets, print_book, create_book": _PDF.format(
        "FILE -o book.pdf"
    ),
    "error, sudoku_error, exceptions": "UnidokuError",
}
_GRID_NAMES = {
    "solve, solution": "unidoku.solve(grid), which returns a Grid",
    "check, is_unique, unique, verdict, has_unique_solution": 'unidoku.check(grid) == "unique"',
    "count, count_solutions, solutions": "unidoku.solutions(grid), or unidoku.count(grid)",
    "rate, difficulty, rating, grade": "unidoku.rate(grid)",
    "hint, next_step": "unidoku.hint(grid)",
    "show, display, print, draw, render, pprint, pretty, pretty_print": "print(grid)",
    "to_string, to_str, to_line, string, text, str": "grid.line, or str(grid) for a drawing",
    "to_list, tolist, to_lists, values, data, row": "grid.rows",
    "board, grid, puzzle": "the grid itself, or grid.rows",
    "to_numpy, numpy, array, as_array": "grid.to_array()",
    "from_string, from_str, from_list, parse, from_array, from_text, from_numpy": "Grid(puzzle)",
    "columns, cols, boxes, blocks, column, col, box": "grid.to_array(), such as grid.to_array()[:, 0]",
    "copy, clone": "the grid itself: it never changes",
    "set, fill, place, put, assign": "a list: rows = grid.rows, then Grid(rows)",
    "empty, empty_cells, blanks, is_empty": "81 - grid.clues for their number",
    "givens, hints, n_clues, num_clues": "grid.clues",
    "valid, validate": "grid.is_valid()",
    "solved, is_complete, complete, is_full": "grid.is_solved()",
    "conflicts, errors": "grid.clashes()",
    "possibilities, pencil_marks, options": "grid.candidates()",
    "svg, to_svg, to_html, html": "unidoku.view.svg(grid)",
    "transform, rotate, shuffle": "unidoku.transform(grid, transformation)",
}
_RESULT_NAMES = {
    "to_pandas, df, to_frame, dataframe, to_df": "pandas.DataFrame(result)",
    "to_polars": "polars.DataFrame(result)",
    "to_arrow, table": "pyarrow.table(result)",
    "to_dict, to_dicts, to_list, rows, tolist, to_records": "list(result), or pandas.DataFrame(result)",
    "to_csv, save, write": "pandas.DataFrame(result).to_csv(path), or unidoku.run for files",
    "grids, grid, texts": "result.solution, or result.solutions for texts",
    "verdicts, status": "result.verdict",
    "counts": "result.count",
    "errors, error, reason": "result.reasons",
    "shape, size": "len(result)",
    "ratings, rating, difficulty_score": "result.er",
}
_SESSION_NAMES = {
    "load_quiz, load, reload": "Session(puzzle)",
    "run_mode, set_mode, working_mode": "mode",
    "guess_mode, interactive, ask": "guess = function",
    "solve, solve_all, search": "run()",
    "next, next_step, forward, step_forward": "step()",
    "run_to, goto, seek": "run_until(steps) or back(steps)",
    "undo, go_back, step_back, reset, restart": "back(steps)",
    "is_unique, check, unique, verdict": 'unidoku.check(puzzle) == "unique"',
    "solution, solutions, result": "grid after run()",
    "solved, is_solved, done": 'state == "fine"',
    "solution_count, count": "solution_sum",
    "board, cells, values, line": "grid",
    "pencil_marks, options": "candidates",
    "guesses, guess_levels, stack": "levels",
    "biggest_level, max_level": "peak.level, or peak_so_far.level",
    "explain, reason, hint": "why()",
    "print, display, lines, filters, level_step": "report.lines(event) for each event",
    "trace, events": "stream(), or unidoku.stepper.trace(puzzle)",
}
_ARGUMENTS = {
    "n, number, size, num, n_puzzles, amount, quantity": "count",
    "random_state, rng, random_seed": "seed",
    "num_clues, n_clues, givens, clue_count, hints": "clues",
    "level": "difficulty",
    "rating, er_range, rating_range, score": "er",
    "min_rating, max_rating, min_er, max_er": "er=(3.0, 4.0)",
    "min_clues, max_clues": "clues=(24, 26)",
    "classes, class": "book_class",
    "first_steps": "search_first_steps",
    "first_level": "search_first_level",
    "symmetric": "symmetry",
    "n_jobs, jobs, workers, num_threads, processes": "threads",
    "max_solutions, max": "limit",
    "fields, cols, select": "columns",
    "filter, query": "where",
    "fmt, output_format": "to",
    "technique_name": "name",
    "solution, answers, completion": "prediction",
    "solutions, predicted, completions": "predictions",
    "techniques, strategies": "technique",
    "max_seconds, time_limit, seconds": "timeout",
    "max_guesses": "budget",
    "board, grid, sudoku, quiz": "puzzle",
    "boards, grids, quizzes": "puzzles",
    "kind": "form",
}
_CALLS = {
    "limit, max, max_solutions": "count(puzzle, limit=…) or examine(puzzle, limit=…)",
    "solutions.limit, solutions.max, solutions.n, solutions.count": "itertools.islice(solutions(puzzle), …)",
    "method, algorithm, naive, engine, backend": "unidoku.naive for the backtracker",
    "trace, verbose, show_steps, steps": "steps(puzzle), or stepper.trace(puzzle)",
    "stats, statistics, guesses, info": "examine(puzzle), which has guesses",
    "hint.technique, hint.techniques, hint.without": "steps(puzzle, techniques=…), or all_steps(puzzle)",
    "minimize.symmetric, minimize.symmetry, minimize.clues": 'generate(symmetry="180", minimal=True)',
    "symmetric, symmetry": 'generate(symmetry="180")',
    "threads, n_jobs, workers, processes": "the _many function, which has threads",
    "errors": 'the _many function, which has errors="invalid"',
    "output, out, path": "run(task, inputs, output)",
    "solution, answer": _VERIFY,
    "unique, count, count_solutions": _CHECK,
    "as_string, as_text, as_list, string": "the attributes of the Grid: grid.line, grid.rows",
    "lang, language": "steps(puzzle, lang=…), hint(puzzle, lang=…) or explain(puzzle, lang=…)",
}
_NAIVE_NAMES = {
    "solve, backtrack, solver": "naive.solve_sudoku(rows)",
    "check, is_unique": "naive.has_unique_solution(puzzle)",
    "count, count_all": "naive.count_solutions(puzzle)",
}

_FIELDS = {
    "cell, digit, value, move, placement": "placements",
    "removed, eliminated": "eliminations",
    "text, message, description, explanation": "sentence",
    "score, level, rating, se, grade": "er",
    "correct, is_correct, valid, is_valid, right, ok": "solved",
    "n_solutions, num_solutions": "count",
    "puzzles, puzzle, grids, grid, boards, rows": "cells",
}


def _key(name: str) -> str:
    """Return a name without its case and underscores."""
    return name.lower().replace("_", "")


_OWNERS = {
    "unidoku": _NAMES,
    "unidoku.tasks": {"hint": "HintTask", "steps": "StepsTask", "solutions": "SolutionsTask"},
    "unidoku.naive": _NAIVE_NAMES,
    "Grid": _GRID_NAMES,
    "Result": _RESULT_NAMES,
    "Session": _SESSION_NAMES,
    "argument": _ARGUMENTS,
    "call": _CALLS,
    "field": _FIELDS,
}
"""The right name for wrong names: of a package, an object, an argument or a field; and for an argument
that a function does not have, or only this function, the call that does what it says."""
_ONLY_THERE = ("argument", "field")
"""Tables for several owners, each with some of the names."""


@cache  # made for the first error, because most runs have none
def guesses_of(owner: str) -> dict[str, str]:
    """Return the right name by each wrong name of an owner."""
    names = _OWNERS.get(owner, {})
    return {_key(name): instead for several, instead in names.items() for name in several.split(", ")}


_NEAR = 0.75  # likeness of a mistyped name
_VARKEYWORDS = 8  # the flag of code that has ``**options``


def instead_of(name: str, owner: str, names: Iterable[str]) -> str:
    """Return the end of an error about a name that its owner does not have: what to type, or nothing."""
    guess = guesses_of(owner).get(_key(name))
    if guess and (owner not in _ONLY_THERE or guess.partition("=")[0] in names):
        return f"; use {guess}"
    nearest = near(name, names, _NEAR) if names else []
    return f"; did you mean {any_of(nearest)}?" if nearest else ""


def instead_of_name(name: str, package: str) -> str:
    """Return the end of an error about a name that a package does not have: what to type, or nothing.

    A name of another public module is right there; a mistyped one can be of any public module.
    """
    if guess := guesses_of(package).get(_key(name)):
        return f"; use {guess}"
    own, elsewhere = dir(sys.modules[package]), dict[str, str]()
    for module in (*(f"unidoku.{name}" for name in sys.modules["unidoku"]._MODULES), "unidoku"):
        if module != package:
            names = getattr(import_module(module), "__all__", ())
            elsewhere |= {_key(name): f"{module}.{name}" for name in names}
    if path := elsewhere.get(_key(name)):
        return f"; use {path}"
    nearest = near(name, own, _NEAR) or [elsewhere[key] for key in near(name, elsewhere, _NEAR)]
    return f"; did you mean {any_of(nearest)}?" if nearest else ""


def is_module(name: str) -> TypeError:
    """Return the error about the call of a module: the function to call instead, if one is meant."""
    package, _, word = name.rpartition(".")
    if word in sys.modules["unidoku"].__all__:
        return TypeError(f"{name} is a module; use unidoku.{word}")
    return TypeError(f"{name} is a module{instead_of(word, package, ())}")


def no_attribute(owner: object, name: str) -> AttributeError:
    """Return the error about an attribute that is not there: what to type instead, if one is meant."""
    kind, names = type(owner).__name__, [word for word in dir(type(owner)) if not word.startswith("_")]
    end = "" if name.startswith("_") else instead_of(name, kind, names)
    if end:
        return AttributeError(f"{kind} has no {name!r}{end}", name=name)
    return AttributeError(f"{kind!r} object has no attribute {name!r}")


def no_field(owner: object, name: str) -> AttributeError:
    """Return the error about a field that a result does not have: what to type instead, or its fields."""
    kind, names = type(owner).__name__, [*getattr(owner, "__dataclass_fields__", ())]
    if name.startswith("_"):
        return AttributeError(f"{kind!r} object has no attribute {name!r}")
    end = instead_of(name, "field", names) or f"; it has {', '.join(names)}"
    return AttributeError(f"{kind} has no {name!r}{end}", name=name)


class NamedFields:
    """Base of dataclasses of results: an unknown field is refused with what to type instead."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, as `dataclasses.asdict` does."""
        from dataclasses import asdict  # not at the top: a first check starts without it

        return asdict(self)  # type: ignore[call-overload, no-any-return]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Refuse a field that is not there."""
            raise no_field(self, name)


def explain_call(error: Exception, function: Any, given: Iterable[str]) -> None:
    """Put a public function, and what to type instead, into an error that ends its call."""
    code, name = function.__code__, function.__name__
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    has_more = code.co_flags & _VARKEYWORDS
    if "unknown" in vars(error):
        argument, names = error.unknown  # type: ignore[attr-defined]
        error.args = unknown_argument(name, [argument], [*names, *own]).args
    elif isinstance(error, TypeError) and not has_more and not {*own}.issuperset(given):
        error.args = unknown_argument(name, given, own).args
    elif isinstance(error, InvalidPuzzleError) and error.advice is SEVERAL:
        error.advice = _for_several(name)
    elif isinstance(error, InvalidPuzzleError) and error.message is BATCH:
        error.message = _for_batch(name)
        error.args = (error.message,)


def _many(function: str) -> str:
    """Return the function for many puzzles with the name of one for a single puzzle, if there is one."""
    for package in ("unidoku", "unidoku.craft"):
        if f"{function}_many" in import_module(package).__all__:
            return f"{package}.{function}_many".removeprefix("unidoku.")
    return ""


def _for_several(function: str) -> Message:
    """Return the function that accepts several puzzles, for one that expects a single puzzle."""
    if many := _many(function):
        return Message("for several puzzles, call {many}", many=many)
    return Message("call {function} once for each puzzle", function=function)


def _for_batch(function: str) -> Message:
    """Return the error about a batch of `unidoku.read` in the place of its puzzles."""
    function = _many(function) or function
    if function.endswith("_many"):
        text = "expected puzzles, found a batch of unidoku.read; pass its batch.cells to {function}"
        return Message(text, function=function)
    text = "expected a puzzle, found a batch of unidoku.read; pass a row of batch.cells to {function}"
    return Message(text, function=function)


def unknown_argument(function: str, given: Iterable[str], names: Iterable[str]) -> TypeError:
    """Return the error about the first argument that a function does not have: which one is meant."""
    names = [*names]
    name = next(name for name in given if name not in names)
    guess = guesses_of("call").get(_key(f"{function}.{name}")) or guesses_of("call").get(_key(name))
    end = instead_of(name, "argument", names)
    if not end and guess:
        end = f"; use {guess}"
    error = TypeError(f"{function} has no argument {name!r}{end or f'; it has {_listed(names)}'}")
    vars(error)["unknown"] = name, names
    return error


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


class Keywords:
    """Base of dataclasses whose unknown keyword arguments are refused with what to type instead."""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuse unknown keywords before Python's own error, which names a class that nobody typed."""
        fields: dict[str, Any] = getattr(cls, "__dataclass_fields__", {})
        if not given.keys() <= fields.keys():
            names = [name for name, field in fields.items() if field.init]
            raise unknown_argument(cls.__name__, given, names)
        return super().__new__(cls)
