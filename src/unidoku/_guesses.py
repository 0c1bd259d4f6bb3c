"""Names that people try first, and what to type instead: the ends of errors about unknown names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from unidoku._arguments import SEVERAL, near
from unidoku.errors import InvalidPuzzleError, Message, WrongTypeError

_CHECK, _GRID, _RATE = 'check(puzzle) == "unique"', "Grid(puzzle)", "rate(puzzle)"
_VERIFY, _VERIFY_MANY = "verify(puzzle, prediction).solved", "verify_many(puzzles, predictions).solved"
_PDF, _RUN = "the command: unidoku print {}", "run(tasks.{}(), path, output)"
_PRINT = f'print({_GRID}), or Path("board.svg").write_text(view.svg(puzzle))'
_READ = "read(path), which yields batches: the puzzles of each are batch.cells"
_FRAME = 'check_many(frame["puzzle"]), or verify_many(frame["puzzle"], frame["solution"])'
_CLASS = "solve(puzzle), check(puzzle) or generate(), or Grid(puzzle) for its rows and candidates"

_NAMES = {
    "async, asyncio, asolve, acheck": "await aio.call(solve, puzzle)",
    "invalid_puzzle, invalid_sudoku, invalid_grid, parse_error": "InvalidPuzzleError",
    "no_solution, unsolvable, not_solvable": "solve(puzzle) is None, or ImproperPuzzleError",
    "frame, dataframe, pandas, polars, df": _FRAME,
    "set_threads": "check_many(puzzles, threads=…)",
    "split": "learning.split_file(path, outputs)",
    "convert": _RUN.format("Convert"),
    "minimal": "diagnose(puzzle).minimal, or minimize(puzzle)",
    "equivalent, isomorphic": "canonical(a) == canonical(b)",
    "solvable": 'check(puzzle) != "none"',
    "is_solved, solved, complete": f"{_GRID}.is_solved()",
    "is_valid, valid": f"{_CHECK}, or {_GRID}.is_valid() to look for clashes only",
    "verify, correct, judge, check_answer, check_solution, is_solution, valid_solution": _VERIFY,
    "grade_many, score_many": _VERIFY_MANY,
    "grade, score, evaluate": f"{_VERIFY} for an answer, {_RATE} for a puzzle",
    "extract, grid_from": "learning.grid_of(answer)",
    "env, gym, gymnasium": 'learning.SudokuEnv(), and reset(options={"puzzle": puzzle}) for one puzzle',
    "has_unique_solution, unique, is_proper": _CHECK,
    "logical, logically, naked, hidden, x_wing": "steps(puzzle)",
    "stepper, step_controller, step, play": "stepper.Session(puzzle)",
    "redundant": "diagnose(puzzle).redundant",
    "conflict, clash, find_errors": f"{_GRID}.clashes()",
    "mistake": "hint(puzzle, filled=digits).wrong_digits",
    "repair, fix": "diagnose(puzzle), or neighbours(puzzle, remove=0, add=1)",
    "symmetr": f'{_GRID}.clue_symmetry, or generate(symmetry="180")',
    "encode, one_hot, tokenize": f"{_GRID}.to_array()",
    "parse_file": _READ,
    "from_string, parse, to_grid": f"{_GRID}, which has line, rows and to_array()",
    "solve_file": _RUN.format("Solve"),
    "rate_file": _RUN.format("Rate"),
    "count_file": _RUN.format("Count"),
    "verify_file": _RUN.format("Verify"),
    "solve_path, solve_steps, solution_steps, solve_human, human": "steps(puzzle)",
    "count_solutions, number_of_solutions, num_solutions, count": "count(puzzle), or count(puzzle, limit=…)",
    "solve_all, find_all, all_solutions, solutions": "solutions(puzzle), or solve_many(puzzles)",
    "generate_solution, random_solution, random_grid, full_grid, solved_grid": "solve(generate())",
    "generate_many, generate_batch": "generate(count)",
    "batch, array, parallel": "solve_many(puzzles, threads=…).solution, or check_many(puzzles).verdict",
    "backtrack, brute_force": "naive.solve_sudoku(rows)",
    "load, read_file, read_csv, read_txt, read_json, read_parquet, read_puzzles, read, open": _READ,
    "book, pages": _PDF.format("FILE -o book.pdf"),
    "png": _PDF.format("PUZZLE -o board.png"),
    "pdf": f"{_PDF.format('FILE -o board.pdf')}, or unidoku print PUZZLE PUZZLE -o board.pdf",
    "sheet": _PDF.format("FILE -o sheets.pdf"),
    "save, to_csv, write, export, dump": 'open(path, "w").write("\\n".join(lines(puzzles)))',
    "bench": "the command: unidoku bench",
    "to_html, to_svg, view": "view.svg(puzzle)",
    "format_grid, render, show, display, draw, plot, pprint, print, visualize, pretty": _PRINT,
    "to_string, to_str": f"{_GRID}.line",
    "to_array, to_numpy": f"{_GRID}.to_array()",
    "to_list, to_rows": f"{_GRID}.rows",
    "candidates, pencil_marks": f'{_GRID}.candidates(), or {_GRID}.candidates("r1c3") for one cell',
    "shuffle, augment, scramble": "Transformation.random(seed=1)(puzzle)",
    "rotate": "Transformation.rotation(90)(puzzle)",
    "reflect, mirror, flip": 'Transformation.reflection("vertical")(puzzle)',
    "transpose": 'Transformation.reflection("diagonal")(puzzle)',
    "relabel": "Transformation(digits=(2, 1, 3, 4, 5, 6, 7, 8, 9))(puzzle)",
    "normalize, min_lex": "canonical(puzzle)",
    "reduce": "minimize(puzzle)",
    "dig": "generate(clues=30), or minimize(solution)",
    "difficult": f"{_RATE}.difficulty",
    "create, new_puzzle, random, generat, make_puzzle": "generate()",
    "rating, classify": _RATE,
    "rate": "rate(puzzle), or rate_many(puzzles)",
    "technique, techniques, strateg": "steps(puzzle), or rating.TECHNIQUES for all of them",
    "hints": "all_steps(puzzle), or hint(puzzle) for the next step",
    "next_step, next_move, hint": "hint(puzzle)",
    "solve_sudoku, solve, solution": "solve(puzzle)",
    "check_puzzle, check_grid, check_board, check_sudoku": "check(puzzle), or check_many(puzzles)",
    "stats, statistics, info": "examine(puzzle), or check_file(path) for a file",
    "clue, givens": f"{_GRID}.clues",
    "puzzle, sudoku, board": _CLASS,
}
_GRID_NAMES = {
    "unique, is_unique, check": f"unidoku.{_CHECK.replace('puzzle', 'grid')}",
    "count, solutions": "unidoku.solutions(grid), or unidoku.count(grid)",
    "solve, solution": "unidoku.solve(grid), which returns a Grid",
    "rate, difficulty, rating, grade": "unidoku.rate(grid)",
    "hint, next_step": "unidoku.hint(grid)",
    "show, display, print, draw, pretty": "print(grid)",
    "from_string, from_str, from_numpy, from_array, from_list, parse": _GRID,
    "to_string, to_str, text, string": "grid.line, or str(grid) for a drawing",
    "to_numpy, numpy": "grid.to_array()",
    "to_list, tolist, values, data, matrix": "grid.rows",
    "columns, cols, col, boxes, box, column, block, shape": "grid.to_array(), such as grid.to_array()[:, 0]",
    "copy": "the grid itself: it never changes",
    "set, place": "a list: rows = grid.rows, then Grid(rows)",
    "empty, blanks, zeros": "81 - grid.clues for their number",
    "givens, clue_count, hints": "grid.clues",
    "valid": "grid.is_valid()",
    "complete, full, filled": "grid.is_solved()",
    "conflicts, errors": "grid.clashes()",
    "get_candidates, pencil_marks, possib": "grid.candidates()",
    "svg, html": "unidoku.view.svg(grid)",
    "transform, rotate, transpose, flip, mirror, shuffle": "unidoku.transform(grid, transformation)",
    "get, value_at, cell": "grid[row, column], each 0 to 8",
    "hash": "hash(grid)",
    "board, grid, puzzle": "the grid itself, or grid.rows",
}
_VERDICT_NAMES = {
    "count, n_solutions, num_solutions": "count(puzzle)",
    "valid, unique, proper, solvable, ok": 'verdict == "unique"',
    "status, result, verdict, word": "str(verdict)",
    "error, reason, message, conflict, clash": "diagnose(puzzle), which says what is wrong",
    "solution, grid, solved": "solve(puzzle)",
}
_RESULT_NAMES = {
    "pandas, to_frame, frame": "pandas.DataFrame(result)",
    "polars": "polars.DataFrame(result)",
    "arrow, table": "pyarrow.table(result)",
    "to_dict, to_list, rows": "list(result), or pandas.DataFrame(result)",
    "to_csv, save": "pandas.DataFrame(result).to_csv(path), or unidoku.run for files",
    "grids": "result.solution, or result.solutions for texts",
    "verdicts, status": "result.verdict",
    "valid": 'result.verdict == "unique"',
    "counts, n_solutions, num_solutions, solution_count": "result.count, or result.unique, …",
    "error, reason, message": "result.reasons",
    "shape": "len(result)",
    "summary": "print(result), or result.unique, result.multiple, …",
    "to_numpy, array": "result.solution",
    "level": "result.difficulty",
    "accuracy, mean": "result.solved.mean(), or result.score.mean()",
    "rating": "result.er",
}
_SESSION_NAMES = {
    "load_quiz, load": "Session(puzzle)",
    "run_mode, set_mode, working_mode": "mode",
    "guess_mode, interactive": "guess = function",
    "solved, done, finished": 'state == "fine"',
    "solve, search": "run()",
    "next, next_step, forward": "step()",
    "undo, step_back, previous": "back(session.steps - 1)",
    "run_to, goto": "run_until(steps) or back(steps)",
    "reset, restart": "back(0)",
    "unique, check": f"unidoku.{_CHECK}",
    "solution, result": "grid after run()",
    "count": "solution_sum",
    "board, cells, line": "grid",
    "pencil_marks": "candidates",
    "guess_levels, guesses, stack": "levels",
    "max_level, biggest_level": "peak.level, or peak_so_far.level",
    "explain, reason, hint": "why()",
    "print, display, lines": "report.lines(event) for each event",
    "trace, event, history": "stream(), or unidoku.stepper.trace(puzzle)",
    "filters, level_step": "report.lines(event, filters=True, level_step=True)",
    "place, set, fill": "Session(rows) of changed rows: a session fills the cells itself",
    "help": "help(Session)",
}
_ARGUMENTS = {
    "puzzle_column, puzzle_col, puzzle_field, column, col, key": "column",
    "n, number, size, num": "count",
    "random_state, random_seed": "seed",
    "min_clues, max_clues": "clues=(24, 28)",
    "min_rating, max_rating, min_er, max_er": "er=(3.0, 4.0)",
    "num_clues, n_clues, givens": "clues",
    "level": "difficulty",
    "rating, score": "er",
    "classes": "book_class",
    "symmetric": 'symmetry="180"',
    "jobs, n_jobs, workers, threads, processes": "threads",
    "max_solutions, max": "limit",
    "fields, cols": "columns",
    "filter": "where",
    "output_format": "to",
    "solutions, answers": "predictions",
    "language": "lang",
    "solution, answer": "prediction",
    "techniques, strategies": "technique",
    "time_limit, seconds": "timeout",
    "max_guesses": "budget",
    "boards, grids": "puzzles",
    "board, grid, sudoku, text": "puzzle",
}
_CALLS = {
    "limit, max, max_solutions": "count(puzzle, limit=…) or examine(puzzle, limit=…)",
    "return_solution": "solve(puzzle)",
    "trace, steps": "steps(puzzle), or stepper.trace(puzzle)",
    "stats, statistics": "examine(puzzle), which has guesses",
    "explain, explanation": "explain(puzzle), or steps(puzzle)",
    "symmetric, symmetry": 'generate(symmetry="180")',
    "threads, n_jobs, workers": "MANY(puzzles, threads=…)",
    "errors": 'MANY(puzzles, errors="invalid")',
    "output": "run(task, inputs, output)",
    "column, puzzle_column, puzzle_col, col": 'the column itself, such as check_many(frame["puzzle"])',
    "solution, answer": _VERIFY,
    "unique, count": _CHECK,
    "as_string": "the attributes of the Grid: grid.line, grid.rows",
    "lang, language": "steps(puzzle, lang=…), hint(puzzle, lang=…) or explain(puzzle, lang=…)",
}
_FIELDS = {
    "cell, row, column, col": "placements, such as placements[0][:4], or eliminations",
    "value, digit": "placements, such as int(placements[0][-1]), or eliminations",
    "placement, apply": "placements",
    "eliminated": "eliminations",
    "explanation, text, message, description": "sentence",
    "level, label": "difficulty",
    "score, rating, se": "er",
    "difficulty, er": "rating",
    "steps": "technique; unidoku.steps(puzzle) has the steps",
    "unique": 'verdict == "unique"',
    "problem, reason": "verdict, conflict or typos",
    "fix, fixes, repair": "typos",
    "backtracks, nodes": "guesses",
    "hardest": "technique",
    "techniques, strategies": "technique for the hardest; unidoku.steps(puzzle) has all",
    "solution": "grid",
    "is_correct, valid, ok, status": "solved",
    "accuracy": "score",
    "errors, mistakes": "wrong_cells",
    "n_solutions": "count",
    "total, checked": "puzzles",
    "error": "reasons",
    "elapsed, time": "seconds",
    "summary": "task_counts",
    "puzzles, puzzle, grids, boards, rows": "cells",
}
_OWNERS = {
    "unidoku": _NAMES,
    "unidoku.tasks": {"hint": "HintTask", "steps": "StepsTask", "solutions": "SolutionsTask"},
    "unidoku.aio": {"solve, check, count, rate": "await aio.call(solve, puzzle)"},
    "unidoku.naive": {"solve": "naive.solve_sudoku(rows)", "check": "naive.has_unique_solution(puzzle)"},
    "Grid": _GRID_NAMES,
    "Verdict": _VERDICT_NAMES,
    "Result": _RESULT_NAMES,
    "PuzzleResult": _RESULT_NAMES,
    "Session": _SESSION_NAMES,
    "argument": _ARGUMENTS,
    "call": _CALLS,
    "field": _FIELDS,
    "solutions()": {"limit, max, n, count": "itertools.islice(solutions(puzzle), …)"},
    "solve()": {"method, algorithm, solver": "naive.solve_sudoku(rows) for the backtracker"},
    "verify()": {"response, output, completion, text": "prediction"},
    "check_file()": {"solution_column, solution_col": "run(tasks.Verify(prediction=…), path)"},
    "read()": {"solution_column, solution_col": "read(path), where batch.columns has all columns"},
    "transform()": {"rotate": "transform(puzzle, Transformation.rotation(90))"},
    "hint()": {"technique, techniques, without": "steps(puzzle, techniques=…), or all_steps(puzzle)"},
    "minimize()": {"symmetric, symmetry, clues": 'generate(symmetry="180", minimal=True)'},
    "generate()": {"return_solution, with_solution, solutions": "solve(puzzle) for its solution"},
    "check_many()": {"solutions, answers": _VERIFY_MANY},
    "Request()": {"puzzle, puzzles": 'reset(options={"puzzle": puzzle})'},
}
"""Owners of names, which are packages, classes and functions; each has what to type by wrong names.

A row of "argument" or "field" is for each function or class that has its first word. A row of "call" names
another call for an argument. Each row is also for longer names that have one of its words. Mistyped names,
and names of another module, need no row."""


def _key(name: str) -> str:
    """Return a name without its case and underscores."""
    return name.lower().replace("_", "")


@cache  # made for the first error, because most runs have none
def guesses_of(owner: str) -> dict[str, str]:
    """Return the right name by each wrong name of an owner."""
    names = _OWNERS.get(owner, {})
    return {_key(name): instead for several, instead in names.items() for name in several.split(", ")}


def _fitting(table: str, names: Iterable[str]) -> dict[str, str]:
    """Return the rows of a table for several owners that begin with a name of this owner."""
    return {word: row for word, row in guesses_of(table).items() if re.split(r"\W", row)[0] in names}


_NEAR, _NEARER = 0.75, 0.85  # likeness of a mistyped name; of one that may have a word of a row
_VARKEYWORDS = 8  # the flag of code that has ``**options``


def _meant(name: str, rows: Mapping[str, str], names: Iterable[str]) -> str:
    """Return what to type for a wrong name: its row, a name like it, or the first row with a word of it."""
    key, words = _key(name), name.lower().split("_")
    if key in rows:
        return rows[key]
    with_word = next((row for word, row in rows.items() if word in (key if len(word) > 3 else words)), "")
    likely = near(name, names, _NEARER if with_word else _NEAR)  # 0.1 ms, and programs ask for many names
    return [*likely, with_word][0]


def instead_of(name: str, rows: Mapping[str, str], names: Iterable[str] = ()) -> str:
    """Return the end of an error about a wrong name: what to type, or nothing."""
    meant = _meant(name, rows, names)
    return f"; use {meant}" if meant else ""


def instead_of_name(name: str, package: str) -> str:
    """Return the end of an error about a name that a package does not have: another module may have it."""
    modules = (*(f"unidoku.{module}" for module in sys.modules["unidoku"]._MODULES), "unidoku")
    there = dict[str, str]()
    for module in modules:
        if module != package:
            there |= {_key(each): f"{module}.{each}" for each in import_module(module).__all__}
    return instead_of(name, guesses_of("unidoku") | there | guesses_of(package), dir(sys.modules[package]))


def no_attribute(owner: object, name: str, listed: Iterable[str] = ()) -> AttributeError:
    """Return the error about what an object or a class does not have: what to type instead, or its fields."""
    kind = owner if isinstance(owner, type) else type(owner)
    if name.startswith("_"):
        return AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
    names = [word for word in dir(owner) if not word.startswith("_")]
    rows = guesses_of(kind.__name__) or _fitting("field", names)
    has = ", ".join(listed or getattr(owner, "__dataclass_fields__", ()))
    end = instead_of(name, rows, names) or (f"; it has {has}" if has else "")
    return AttributeError(f"{kind.__name__} has no {name!r}{end}", name=name)


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
            raise no_attribute(self, name)


def explain_call(error: Exception, function: Any, given: Iterable[str]) -> None:
    """Put a public function, and what to type instead, into an error that ends its call.

    `function` can be the ``__init__`` of a class, which people call by the name of the class.
    """
    code, name = function.__code__, function.__qualname__.removesuffix(".__init__")
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    # the names that an inner call has: all that are given, unless it says which
    inner = vars(error).get("names", given if code.co_flags & _VARKEYWORDS else ())
    if isinstance(error, TypeError) and {*given} - {*inner, *own}:
        raise unknown_argument(name, given, [*inner, *own]) from None
    if isinstance(error, InvalidPuzzleError) and error.advice is SEVERAL:
        many = _many(name)
        text = "for several puzzles, call {many}" if many else "call {function} once for each puzzle"
        error.advice = Message(text, many=many, function=name)


def _many(function: str) -> str:
    """Return the function for many puzzles with the name of one for a single puzzle, if there is one."""
    for package in ("unidoku", "unidoku.craft"):
        if f"{function}_many" in import_module(package).__all__:
            return f"{package}.{function}_many".removeprefix("unidoku.")
    return ""


def unknown_argument(function: str, given: Iterable[str], names: Iterable[str]) -> WrongTypeError:
    """Return the error about all arguments that a function does not have, with what to type for each."""
    names = [name for name in dict.fromkeys(names) if name != "self"]
    unknown = [name for name in given if name not in names]
    calls = guesses_of("call") if function.islower() else {}  # a class is not a call of a puzzle
    rows = calls | _fitting("argument", names) | guesses_of(f"{function}()")
    instead = ", ".join(filter(None, dict.fromkeys(_meant(name, rows, names) for name in unknown)))
    end = f"use {instead}" if instead else f"it has {', '.join(names) or 'none'}"
    are = "argument" if len(unknown) == 1 else "arguments"
    text = f"{function} has no {are} {', '.join(map(repr, unknown))}; {end}"
    error = WrongTypeError(text.replace("MANY", _many(function) or "check_many"))
    vars(error)["names"] = names
    return error


class Keywords:
    """Base of dataclasses whose unknown keyword arguments are refused with what to type instead."""

    __slots__ = ()

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuse unknown keywords before Python's own error, which names a class that nobody typed."""
        if not given.keys() <= getattr(cls, "__dataclass_fields__", {}).keys():
            from dataclasses import fields  # not at the top: a first check starts without it

            names = [field.name for field in fields(cls) if field.init]  # type: ignore[arg-type]
            raise unknown_argument(cls.__name__, given, names)
        return super().__new__(cls)
