"""Prompts, rewards, tasks, environments and the search for hard puzzles of `unidoku.learning`."""

import multiprocessing
import random
import subprocess
import sys
from functools import partial
from itertools import islice

import gymnasium
import numpy as np
import pandas as pd
import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE as PUZZLE

import unidoku
from unidoku import learning
from unidoku.cell import PEERS, cell_name
from unidoku.learning import environments

SHARES = {"easy": 1, "medium": 1}


@in_turn
@pytest.mark.parametrize("layout", ["line", "rows", "boxes"])
def test_a_layout_is_read_back(layout):
    for line in (PUZZLE, SOLUTION):
        text = learning.drawn(unidoku.Grid(line), layout)
        assert learning.grid_of(text) == line
        assert learning.grid_of(f"I think:\n<answer>\n{text}\n</answer> is it") == line
    assert learning.grid_of("nothing here") is None
    assert PUZZLE[:9] in learning.prompt(unidoku.Grid(PUZZLE), "line")


def test_rewards():
    message = {"role": "assistant", "content": f"<answer>{SOLUTION}</answer>"}
    completions = [SOLUTION, "no", [message], [], PUZZLE]
    columns = {"puzzle": [PUZZLE] * 5, "other": [1] * 5}
    for part in ("score", "solved"):
        function = learning.reward_function(part)
        assert function(["?"] * 5, completions, **columns) == [1.0, 0.0, 1.0, 0.0, 0.0]
        assert function(prompts=["?"] * 5, completions=completions, **columns)[2] == 1.0


@in_turn
@pytest.mark.parametrize("name", ["puzzle", "quizzes", "question", "Sudoku", "other"])
def test_a_reward_takes_the_columns_that_files_may_have(name):
    function = learning.reward_function("solved")
    rest = {"trainer_state": object(), "id": [3, 4], "text": "xx", "solution": [SOLUTION] * 2}
    assert function(None, [SOLUTION, PUZZLE], **rest, **{name: [PUZZLE] * 2}) == [1.0, 0.0]


@in_turn
@pytest.mark.parametrize("missing", [None, "", " ", float("nan"), pd.NA])
@pytest.mark.parametrize("name", ["puzzle", "quizzes", "question"])
def test_a_row_of_another_task_has_no_reward(name, missing):
    """As trainers expect it of a mixed data set; the other rows have theirs, whichever comes first."""
    function = learning.reward_function("solved")
    answers = ["4", SOLUTION, "4", "no", "4"]
    columns = {
        name: [missing, PUZZLE, missing, PUZZLE, missing],
        "solution": [missing, SOLUTION, missing] * 2,
    }
    columns["solution"].pop()
    assert function(None, answers, **columns) == [None, 1.0, None, 0.0, None]
    assert function(None, ["4"], **{name: [missing]}) == [None]
    with pytest.raises(unidoku.InvalidPuzzleError):
        function(None, answers, **{name: [PUZZLE, "2 + 2?", missing, PUZZLE, missing]})


def test_a_reward_says_which_column_it_lacks():
    with pytest.raises(unidoku.FormatError, match="no puzzle in the columns"):
        learning.reward_function()(None, ["no"], id=[3])
    with pytest.raises(unidoku.UnidokuError, match="invalid part 'sells'; choose from: score, solved"):
        learning.reward_function("sells")


def test_tasks_are_as_asked_and_the_same_in_any_order():
    data = learning.SudokuTasks(12, seed=5, clues=26, difficulty="easy")
    items = list(data)
    order = random.Random(1).sample(range(12), 12)
    assert {index: data[index] for index in order} == dict(enumerate(items))
    assert len({item["metadata"]["puzzle"] for item in items}) == 12
    for item in items:
        facts = item["metadata"]
        assert unidoku.check(facts["puzzle"]) is unidoku.Verdict.UNIQUE
        assert (facts["clues"], facts["difficulty"]) == (26, "easy")
        assert facts["er"] == unidoku.rate(facts["puzzle"]).er
        assert data.score_answer(item["answer"], item) == 1.0
        assert data.score_answer(None, item) == 0.0
    assert data[-1] == items[-1]
    with pytest.raises(IndexError):
        data[12]
    assert learning.SudokuTasks(1, seed=6, clues=26, difficulty="easy")[0] != items[0]


def test_the_environment_is_one_of_gymnasium():
    from gymnasium.utils.env_checker import check_env

    check_env(learning.SudokuEnv(difficulty="easy"), skip_render_check=True)


def test_hints_solve_a_puzzle():
    env = learning.SudokuEnv(difficulty="easy")
    observation, info = env.reset(seed=3)
    total, ended, moves = 0.0, False, 0
    while not ended:
        reward, ended = env.step(np.int64(learning.HINT))[1:3]
        total, moves = total + reward, moves + 1
    assert moves == (observation[1] == 0).sum()
    assert total == pytest.approx(1 - learning.HINT_COSTS * moves)
    assert info["legal"][learning.HINT]


@pytest.mark.slow
def test_hints_of_many_boards_are_the_next_digits_of_their_steps():
    boards = learning.SudokuVectorEnv(12, difficulty="hard")
    observation, _ = boards.reset(seed=1)
    ended, ratings = np.zeros(12, np.bool_), set()
    while not ended.any():
        before = observation[:, 1]
        observation, _, ended, *_ = boards.step(np.full(12, learning.HINT))
        for old, new in zip(before, observation[:, 1], strict=True):
            path = unidoku.steps(old)
            [cell] = np.flatnonzero(old != new)
            assert f"{cell_name(int(cell))}={new[cell]}" == next(
                step.placements[0] for step in path if step.placements
            )
            ratings |= {path[0].rating} if not path[0].placements else set()
    assert min(ratings) < 4.4 < max(ratings)


def test_a_board_with_a_wrong_digit_has_no_hint():
    env = learning.SudokuEnv()
    observation, info = env.reset(seed=1)
    solution = unidoku.solve(observation[1])
    wrong = next(
        action for action in np.flatnonzero(info["legal"]) if solution[action // 9] != action % 9 + 1
    )
    assert env.step(wrong)[2]
    with pytest.raises(unidoku.ImproperPuzzleError):
        env.step(np.int64(learning.HINT))


def test_legal_moves_of_many_grids_are_those_of_each():
    """Of puzzles, full grids, empty ones and grids in which digits clash, by a count of the houses."""
    random = np.random.default_rng(1)
    grids = random.integers(0, 10, (60, 81)).astype(np.uint8) * (random.random((60, 81)) < 0.3)
    grids = np.concatenate([grids, unidoku.generate(20, seed=1), np.zeros((1, 81), np.uint8)]).astype(
        np.uint8
    )
    moves = learning.legal_moves(grids)
    for grid, legal in zip(grids, moves, strict=True):
        expected = [
            grid[cell] == 0 and all(grid[peer] != digit for peer in PEERS[cell])
            for cell in range(81)
            for digit in range(1, 10)
        ]
        assert legal[:729].tolist() == expected
        assert legal[729] == (grid == 0).any()


def test_boards_have_names_in_gymnasium():
    env = gymnasium.make(environments.NAME, difficulty="easy")
    assert isinstance(env.unwrapped, learning.SudokuEnv)
    many = gymnasium.make_vec(environments.NAME, num_envs=3, difficulty="easy")
    start, _ = many.reset(seed=2)
    assert (start == learning.SudokuVectorEnv(3, difficulty="easy").reset(seed=2)[0]).all()


def after_step(puzzle, grid, action: int):
    """Return the reward of an action, whether the episode ends, and the grid, by verify and solve."""
    if not learning.legal_moves(grid[None])[0, action]:
        return -1, True, grid
    cell, digit = divmod(action, 9)
    if action == learning.HINT:
        [placement] = next(step.placements for step in unidoku.steps(grid) if step.placements)
        cell, digit = 9 * int(placement[1]) + int(placement[3]) - 10, int(placement[5]) - 1
    after = grid.copy()
    after[cell] = digit + 1
    if not unidoku.count(after):
        return -1, True, after
    scores = [unidoku.verify(puzzle, cells).score for cells in (grid, after)]
    return scores[1] - scores[0] - learning.HINT_COSTS * (action == learning.HINT), after.all(), after


def test_a_long_episode_of_many_boards_is_that_of_single_ones():
    """Rewards and ends, with correct digits, wrong ones and illegal ones, and new puzzles from the pool."""
    random = np.random.default_rng(5)
    many = learning.SudokuVectorEnv(5, clues=60)
    observation, info = many.reset(seed=4)
    seen = {row.tobytes() for row in observation[:, 0]}
    ended = np.zeros(5, bool)
    for _ in range(60):
        actions = random.integers(0, 730, 5)
        for board in range(5):
            solution = unidoku.solve(observation[board, 0]).cells
            open_cells = np.flatnonzero(observation[board, 1] == 0)
            if open_cells.size and random.random() < 0.9:
                cell = random.choice(open_cells)
                actions[board] = 9 * cell + solution[cell] - 1
            elif open_cells.size and random.random() < 0.3:
                actions[board] = learning.HINT
        before, was_ended = observation, ended
        observation, rewards, ended, _, info = many.step(actions)
        seen |= {row.tobytes() for row in observation[:, 0]}
        for board in range(5):
            if was_ended[board]:
                assert (rewards[board], ended[board]) == (0, False)
                continue
            reward, end, grid = after_step(*before[board], int(actions[board]))
            assert (rewards[board], ended[board]) == (pytest.approx(reward), end)
            assert (observation[board, 1] == grid).all()
        assert (info["legal"] == learning.legal_moves(observation[:, 1])).all()
    assert len(seen) > 10


@pytest.mark.slow
def test_items_of_a_batch_are_those_by_index():
    for options in (
        {"difficulty": {"easy": 2, "hard": 1}},
        {"er": (3.0, 4.0)},
        {"technique": "x-wing"},
        {},
    ):
        data = learning.SudokuTasks(40, seed=3, **options)
        order = [7, 0, 39, 7, -1, 12]
        assert data.__getitems__(order) == [data[index] for index in order]
        word = data[12]["metadata"]["difficulty"] if "difficulty" in options else None
        [state] = np.random.SeedSequence([3, 12]).generate_state(1, np.uint64)
        puzzle = unidoku.generate(seed=int(state), **{**options, "difficulty": word})
        assert data[12]["metadata"]["puzzle"] == puzzle.line, "as generate makes it of the seed"


def test_parts_of_rewards_are_counted_by_hand():
    """Each from 0 to 1; a refusal has none, a wrong grid has those for what is right in it."""
    one_clue_changed = "1" + SOLUTION[1:]
    one_cell_wrong = SOLUTION[:2] + "9" + SOLUTION[3:]
    rows = {
        SOLUTION: (1, 1, 1, 1, 1),
        one_clue_changed: (29 / 30, 0, 1, 29 / 30, 1),
        one_cell_wrong: (50 / 51, 0, 1, 1, 50 / 51),
        PUZZLE: (0, 0, 0, 0, 0),
        "." * 81: (0, 0, 1, 0, 0),
        "I cannot solve it.": (0, 0, 0, 0, 0),
        "": (0, 0, 0, 0, 0),
        None: (0, 0, 0, 0, 0),
    }
    for number, part in enumerate(("score", "solved", "grid", "clues", "cells")):
        function = learning.reward_function(part)
        assert function.__name__ == f"{part}_reward"
        values = function(None, [*rows], puzzle=[PUZZLE] * len(rows))
        assert values == pytest.approx([row[number] for row in rows.values()])
        assert values == [learning.reward(PUZZLE, answer)[part] for answer in rows]
    with pytest.raises(unidoku.FormatError, match="no puzzle in the columns"):  # the gold is none
        learning.reward_function("cells")([], [SOLUTION], gold=[SOLUTION])
    with pytest.raises(unidoku.InvalidPuzzleError):
        learning.reward("no puzzle", SOLUTION)


def _puzzles(share):
    """The puzzles of every second or third item, as a worker of a loader makes them."""
    tasks, worker, workers = share
    return {index: tasks[index]["metadata"]["puzzle"] for index in range(worker, len(tasks), workers)}


@pytest.mark.slow
@pytest.mark.parametrize(("way", "workers"), [("fork", 3), ("spawn", 2)])
def test_workers_make_the_same_puzzles_and_none_twice(way, workers):
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {way} here")
    tasks = learning.SudokuTasks(60, seed=9, difficulty={"easy": 2, "medium": 1})
    whole = _puzzles((tasks, 0, 1))
    with multiprocessing.get_context(way).Pool(workers) as pool:
        parts = pool.map(_puzzles, [(tasks, worker, workers) for worker in range(workers)])
    assert {index: puzzle for part in parts for index, puzzle in part.items()} == whole
    assert len({*whole.values()}) == 60
    assert not {*whole.values()} & {*_puzzles((learning.SudokuTasks(60, seed=8), 0, 1)).values()}


def test_a_mix_of_difficulties_keeps_its_shares():
    """In each cycle in turn, so also in the part that a worker or a slice of the indices gets."""
    tasks = learning.SudokuTasks(20, seed=3, difficulty={"easy": 0.5, "medium": 0.3, "hard": 0.2})
    words = [item["metadata"]["difficulty"] for item in tasks]
    for part in (words[:10], words[10:]):
        assert {word: part.count(word) for word in {*part}} == {"easy": 5, "medium": 3, "hard": 2}
    assert words[:10] != ["easy"] * 5 + ["medium"] * 3 + ["hard"] * 2
    for mixture in ({"brutal": 1}, {}, {"easy": 0}, {"easy": 1, "hard": -1}, {"easy": 1.2345678, "hard": 1}):
        with pytest.raises(unidoku.UnidokuError):
            learning.SudokuTasks(20, difficulty=mixture)


SEED = "12.3.....4.....3....3.5......42..5......8...9.6...5.7...15..2......9..6......7..8"


def test_hunted_puzzles_are_hard_and_different():
    puzzles = [*islice(learning.hard_puzzles_near([SEED], 9.5), 2)]
    assert puzzles == [*islice(learning.hard_puzzles_near([SEED], 9.5, threads=1), 2)]
    assert min(unidoku.rate(puzzle).er for puzzle in puzzles) >= 9.5
    assert unidoku.check_many(puzzles).unique == 2
    forms = {unidoku.canonical(puzzle).line for puzzle in puzzles}
    assert len(forms) == 2
    assert unidoku.canonical(SEED).line not in forms


def test_a_hunt_ends_and_refuses():
    assert [*learning.hard_puzzles_near([PUZZLE], 19.9)] == []
    easy = [*learning.hard_puzzles_near([PUZZLE], 19.9, remove=0, add=0)]
    assert easy == []
    for arguments, error in ((([SEED], 1.0), "er must be above 1"), ((["x"],), "expected 81 cells")):
        with pytest.raises(unidoku.UnidokuError, match=error):
            learning.hard_puzzles_near(*arguments)
    cancel = unidoku.Cancel()
    cancel.set()
    with pytest.raises(unidoku.SearchStoppedError):
        next(learning.hard_puzzles_near([SEED], cancel=cancel))


def test_gymnasium_is_imported_when_it_is_used():
    names = "reward, unidoku.learning.SudokuTasks, unidoku.learning.hard_puzzles_near"
    code = f"import sys, unidoku.learning; unidoku.learning.{names}; print('gymnasium' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
    assert {*dir(learning)} == {*learning.__all__}
    with pytest.raises(AttributeError, match="has no 'nothing'"):
        learning.nothing  # noqa: B018


@in_turn
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"difficulty": "esay"}, "invalid difficulty 'esay'"),
        ({"difficulty": {"easy": 1, "hrad": 1}}, "invalid difficulty 'hrad'"),
        ({"clues": 5}, "clues must be a number or a range from 17 to 81, not 5"),
    ],
)
def test_environments_refuse_a_request_at_once(values, message):
    for make in (learning.SudokuEnv, partial(learning.SudokuVectorEnv, 2)):
        with pytest.raises(unidoku.UnidokuError, match=message):
            make(**values)
    with pytest.raises(unidoku.UnidokuError, match=r"render_mode must be .ansi.; for one puzzle, call reset"):
        learning.SudokuEnv(render_mode="human")


def test_an_episode_can_be_one_puzzle():
    observation, _ = learning.SudokuEnv().reset(options={"puzzle": PUZZLE})
    assert observation.tolist() == [[*unidoku.Grid(PUZZLE)]] * 2
    with pytest.raises(unidoku.ImproperPuzzleError, match="several solutions"):
        learning.SudokuEnv().reset(options={"puzzle": "." * 81})


def test_environments_refuse_what_is_no_action():
    one, many = learning.SudokuEnv(), learning.SudokuVectorEnv(2)
    one.reset(seed=1)
    many.reset(seed=1)
    for number in (-1, 730):
        with pytest.raises(unidoku.UnidokuError, match=f"action must be 0 to 729, not {number}"):
            one.step(number)
        with pytest.raises(unidoku.UnidokuError, match=f"action must be 0 to 729, not {number}"):
            many.step(np.array([3, number]))
    with pytest.raises(TypeError, match="action must be an integer, not 'r1c1=3'"):
        one.step("r1c1=3")
    for actions in ([3], [1.5, 2.5], "ab"):
        with pytest.raises(TypeError, match="actions must be 2 integers"):
            many.step(actions)


def test_tasks_refuse_a_layout_and_an_index():
    with pytest.raises(unidoku.UnidokuError, match="invalid layout 'foo'"):
        learning.SudokuTasks(3, layout="foo")
    with pytest.raises(IndexError, match="there are 3 tasks"):
        learning.SudokuTasks(3)[3]
    with pytest.raises(TypeError, match="slice"):
        learning.SudokuTasks(3)[0:2]


def test_another_seed_has_another_order_of_difficulties():
    orders = {
        tuple(
            item["metadata"]["difficulty"] for item in learning.SudokuTasks(8, seed=seed, difficulty=SHARES)
        )
        for seed in range(4)
    }
    assert len(orders) > 1
