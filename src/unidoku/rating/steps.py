"""The steps that solve a puzzle, in the order of the scale; hints: the next step, or all possible ones."""

from __future__ import annotations

from array import array
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from unidoku.cell import cell_name
from unidoku.errors import ImproperPuzzleError, InvalidPuzzleError, Message, SearchStoppedError
from unidoku.grid import Grid, PuzzleLike, grid_or_position
from unidoku.kernel import solution_of, solution_search, verdict_of
from unidoku.native.rating import codes
from unidoku.rating.deduction import Deduction, Marks, Position, deduction_of, position_of
from unidoku.rating.names import TechniquesLike, barred_by
from unidoku.rating.rows import StepRows
from unidoku.rating.scale import REASONS, engine, improper_error
from unidoku.rating.step import Hint, Path, Step, Steps, hint_of, mistakes_of, steps_of
from unidoku.threads import Cancel, cancel_of, run_in_worker, within
from unidoku.verdict import Verdict
from unidoku.words import Language, table

if TYPE_CHECKING:
    from unidoku.parse.board import Board


def steps(
    puzzle: PuzzleLike,
    *,
    techniques: TechniquesLike | None = None,
    without: TechniquesLike | None = None,
    lang: Language = "en",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Steps:
    """Find the steps that solve a puzzle, as Sudoku Explainer 1.2.1 takes them.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `Grid` accepts it. With a text that draws candidates the steps begin from these.
    techniques : str or iterable of str, optional
        Use these techniques alone: words or groups such as ``"singles, locked-candidates, x-wing"``
        (docs/rating.md); by default all of the scale. The steps end where these find no further one.
    without : str or iterable of str, optional
        Do not use these.
    lang : {"en", "zh"}
        The language of the sentences.
    cancel : Cancel, optional
        Set it in another thread to stop.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Steps
        They end before the grid is full if no technique finds a further step.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle, or has no or several solutions.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        There is no such language or technique.

    Examples
    --------
    >>> solution = steps("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> solution.er, len(solution)
    (1.2, 51)
    >>> step = solution[0]
    >>> step.sentence, step.placements
    ('Hidden single: in box 2 the digit 8 fits only in r1c6.', ['r1c6=8'])
    >>> hard = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
    >>> partial = steps(hard, techniques="singles, locked-candidates, pairs")
    >>> partial.complete, partial.cells_left, len(partial)
    (False, 56, 3)
    """
    cancel = within(cancel, timeout)
    table(lang)
    return path_of(puzzle, barred=barred_by(techniques, without), cancel=cancel).steps(lang)


def path_of(puzzle: PuzzleLike, *, barred: int = 0, cancel: Cancel | None = None) -> Path:
    """Find the deductions that solve a puzzle; without the techniques of `barred_by`."""
    start, flag = grid_or_position(puzzle), cancel_of(cancel)
    if not isinstance(start, Grid):
        return _path_from(_right_position(start, None, None, cancel), flag, barred)
    grid = proper(start, cancel)
    outcome, end = bytearray(1), array("q", [0])
    find = partial(
        engine().find_paths, grid.cells, array("q", [0]), zero=0, outcomes=outcome, ends=end, barred=barred
    )
    # in the calling thread, as far as the steps are easy
    buffers = find(easy=True, stop=flag.flag)
    if outcome[0] == codes.AT_LEAST:
        buffers = run_in_worker(lambda stop: find(stop=stop.flag), flag)
    if outcome[0] == codes.STOPPED:
        raise SearchStoppedError(0, "steps")
    return Path(grid, StepRows.of([buffers]), outcome[0] == codes.RATED, is_chosen=barred > 0)


def _path_from(position: Position, cancel: Cancel, barred: int) -> Path:
    """Find the steps from a position to the end."""
    clues = Grid(position.clues if 0 in position.values else position.values)
    pieces, deductions = [_find_step(position, cancel, barred)], list[Deduction]()
    start = position
    while steps := [*StepRows.of(pieces[-1:]).steps()]:
        deductions.append(deduction_of(position, steps[0]))
        position = deductions[-1].after
        pieces.append(_find_step(position, cancel, barred))
    path = Path(clues, StepRows.of(pieces), 0 not in position.values, is_chosen=barred > 0, start=start)
    vars(path)["deductions"] = tuple(deductions)  # from their positions, which the rows do not have
    return path


def proper(puzzle: PuzzleLike, cancel: Cancel | None = None) -> Grid:
    """Return a puzzle that has exactly one solution; refuse others, also if `cancel` ends the search."""
    grid = Grid(puzzle)
    verdict = verdict_of(grid.cells, cancel=cancel)
    if cancel:
        raise SearchStoppedError(0, "steps")
    if verdict in REASONS:
        raise improper_error(grid, verdict)
    return grid


def next_step(position: Position, *, cancel: Cancel | None = None) -> Deduction | None:
    """Find the next step from a position; None if no technique finds one."""
    steps = StepRows.of([_find_step(position, cancel_of(cancel))]).steps()
    return next((deduction_of(position, step) for step in steps), None)


def _find_step(position: Position, cancel: Cancel, barred: int = 0) -> tuple[bytes, ...]:
    """Return the row of the next step from a position; none if no technique finds one."""
    find = partial(engine().find_step, *_native(position), barred=barred)
    buffers: tuple[bytes, ...] = find(easy=True)
    if not buffers[0]:
        buffers = run_in_worker(lambda stop: find(stop=stop.flag), cancel)
    if cancel:
        raise SearchStoppedError(0, "steps")
    return buffers


def _native(position: Position) -> tuple[bytes, array[int]]:
    """Return a position as native code has it."""
    return position.values, array("H", position.masks)


def hint(
    puzzle: PuzzleLike,
    marks: Marks | None = None,
    *,
    filled: PuzzleLike | None = None,
    lang: Language = "en",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Hint | None:
    """Give a hint for the position that a player sees.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        The puzzle, as `Grid` accepts it. It may also have digits filled in since, if they are right. A text
        that draws candidates has its own marks and filled digits.
    marks : str, array or mapping, optional
        The player's pencil marks: 729 characters or numbers, nine a cell, or a mapping from cells to digits.
        An empty cell without marks has every digit that its houses do not have yet.
    filled : Grid, str, bytes, array or nested list, optional
        The clues and the digits filled in since, right or wrong; by default the digits of `puzzle`.
    lang, cancel, timeout
        As for `unidoku.steps`.

    Returns
    -------
    Hint or None
        A mistake comes before any step. None if the grid is full and right.

    Raises
    ------
    InvalidPuzzleError
        The puzzle, the marks or the filled digits cannot be read, the puzzle has no or several solutions, or
        a clue of the puzzle is not among the filled digits.
    SearchStoppedError, ValueError
        As for `unidoku.steps`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> next_step = hint(puzzle)
    >>> next_step.where
    'Look at box 2.'
    >>> next_step.pattern
    'Hidden single (rated 1.2): where does 8 fit in box 2?'
    >>> next_step.sentence
    'Hidden single: in box 2 the digit 8 fits only in r1c6.'
    >>> print(hint(puzzle, filled=puzzle.replace("53.", "532", 1)))
    These digits are wrong: r1c3=2.
    """
    cancel = within(cancel, timeout)
    table(lang)
    position, solution = _position(puzzle, marks, filled, cancel)
    is_plain = isinstance(puzzle, Grid) or (isinstance(puzzle, str | bytes) and len(puzzle) == 81)
    if marks is not None or filled is not None or not is_plain:
        values = enumerate(position.values)
        digits = [(cell, value) for cell, value in values if value not in (0, solution[cell])]
        # wrong digits make marks wrong, too
        cells = [] if digits else _cells_without_solution(position, solution)
        if digits or cells:
            return mistakes_of(position, digits, cells, lang)
    if 0 not in position.values:
        return None
    return hint_of(position, next_step(position, cancel=cancel), lang)


def all_steps(
    puzzle: PuzzleLike,
    marks: Marks | None = None,
    *,
    filled: PuzzleLike | None = None,
    lang: Language = "en",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> list[Step]:
    """Find every step that is possible in a position, the easiest first.

    Techniques up to forcing chains and aligned triplet exclusion are searched to the end, except that only
    the first cycle through each candidate is found. If they find nothing, the list is the one step that
    Sudoku Explainer 1.2.1 takes, if any.

    Parameters
    ----------
    puzzle, marks, filled, lang, cancel, timeout
        As for `unidoku.hint`.

    Returns
    -------
    list of Step
        Ordered by rating, then in the order of the scale. If several steps of one technique have the same
        conclusion, only the first is listed; cycles and forcing chains count as one technique here. A naked
        set may be left out where the hidden set of the other cells of its house is listed.

    Raises
    ------
    InvalidPuzzleError
        As for `unidoku.hint`; also if filled digits or pencil marks exclude the solution.
    SearchStoppedError, ValueError
        As for `unidoku.steps`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(all_steps(puzzle)[1])
    Hidden single: in box 3 the digit 5 fits only in r3c7.
    """
    cancel = within(cancel, timeout)
    table(lang)
    position = _right_position(puzzle, marks, filled, cancel)
    return steps_of(deductions_in(position, cancel=cancel), lang)


def deductions_in(position: Position, *, cancel: Cancel | None = None) -> list[Deduction]:
    """Find the steps that `all_steps` lists."""
    deductions: dict[tuple[object, ...], Deduction] = {}
    flag = cancel_of(cancel)
    rows = StepRows.of([engine().find_steps(*_native(position), stop=flag.flag)])
    if flag:
        raise SearchStoppedError(0, "steps")
    for native in sorted(rows.steps(), key=attrgetter("rating")):
        step = deduction_of(position, native)
        name = "chain" if step.chains else step.technique
        deductions.setdefault((name, step.placements, step.eliminations), step)
    if deductions:
        return list(deductions.values())
    hardest = next_step(position, cancel=cancel)
    return [] if hardest is None else [hardest]


def _position(
    puzzle: PuzzleLike | Board, marks: Marks | None, filled: PuzzleLike | None, cancel: Cancel | None
) -> tuple[Position, bytes]:
    """Return the position and the solution."""
    start = grid_or_position(puzzle)
    if isinstance(start, Grid):
        clues = proper(start, cancel)
        solution = solution_of(clues.cells, cancel=cancel) or clues.cells
        if filled is None:
            return position_of(clues, marks), solution
    else:
        clues, solution = _solution_of(start)
        filled = Grid(start.digits) if filled is None else filled
        marks = start.symbols if marks is None else marks
    grid = clues if filled is None else Grid(filled)
    for cell, value in enumerate(clues.cells):
        if value and grid.cells[cell] != value:
            raise InvalidPuzzleError(
                Message(
                    "the clue {value} in {cell} is not among the filled digits",
                    value=value,
                    cell=cell_name(cell),
                )
            )
    return position_of(grid, marks, clues), solution


def _right_position(
    puzzle: PuzzleLike | Board, marks: Marks | None, filled: PuzzleLike | None, cancel: Cancel | None
) -> Position:
    """Return the position, which must have the solution."""
    position, solution = _position(puzzle, marks, filled, cancel)
    if any(value not in (0, right) for value, right in zip(position.values, solution, strict=True)):
        raise InvalidPuzzleError(Message("filled digits exclude the solution; unidoku.hint says which"))
    if _cells_without_solution(position, solution):
        raise InvalidPuzzleError(Message("the pencil marks exclude the solution; unidoku.hint says which"))
    return position


def _solution_of(board: Board) -> tuple[Grid, bytes]:
    """Return the clues of a position, and their solution, or else the one within its candidates."""
    clues = Grid(board.cells)
    if not clues.clashes() and verdict_of(clues.cells) == Verdict.UNIQUE:
        return clues, solution_of(clues.cells) or clues.cells
    solutions = solution_search(bytes(81), masks=board.marks).chunk(2)
    if len(solutions) != 81:
        verdict = Verdict.MULTIPLE if solutions else Verdict.NONE
        raise ImproperPuzzleError(
            Message("{reason} with the candidates of the text", reason=REASONS[verdict]),
            verdict,
        )
    return clues, solutions


def _cells_without_solution(position: Position, solution: bytes) -> list[int]:
    """Return the empty cells whose pencil marks lack the digit of the solution."""
    return [
        cell
        for cell, mask in enumerate(position.masks)
        if not position.values[cell] and not mask >> solution[cell] - 1 & 1
    ]
