"""The examples for training: layouts, rewards, tasks, environments."""

import random
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import run
from example_puzzles import SOLUTION, UNIQUE as PUZZLE

import unidoku

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "learning"


@pytest.fixture(autouse=True)
def examples(monkeypatch):
    if not FOLDER.is_dir():
        pytest.skip("the examples are not beside the tests")
    monkeypatch.syspath_prepend(FOLDER)
    yield
    for name in ("layouts", "reward", "tasks", "environment", "many", "export"):
        sys.modules.pop(name, None)


@pytest.fixture
def environment(examples):
    pytest.importorskip("gymnasium")
    import environment

    return environment


@pytest.mark.parametrize("layout", ["line", "rows", "boxes"])
def test_a_layout_is_read_back(layout):
    import layouts

    for line in (PUZZLE, SOLUTION):
        text = layouts.drawn(unidoku.Grid(line), layout)
        assert layouts.grid_of(text) == line
        assert layouts.grid_of(f"I think:\n<answer>\n{text}\n</answer> is it") == line
        assert unidoku.verify(PUZZLE, f"So:\n{text}\n").kept_clues == 30
    assert layouts.grid_of("nothing here") is None
    assert PUZZLE[:9] in layouts.prompt(unidoku.Grid(PUZZLE), "line")


def test_rewards():
    import reward

    message = {"role": "assistant", "content": f"<answer>{SOLUTION}</answer>"}
    completions = [SOLUTION, "no", [message], [], PUZZLE]
    columns = {"puzzle": [PUZZLE] * 5, "other": [1] * 5}
    assert reward.sudoku_reward(["?"] * 5, completions, **columns) == [1.0, 0.0, 1.0, 0.0, 0.0]
    assert reward.solved_reward(["?"] * 5, completions, **columns) == [1.0, 0.0, 1.0, 0.0, 0.0]


def test_tasks_are_as_asked_and_the_same_in_any_order():
    import tasks

    data = tasks.SudokuTasks(12, seed=5, clues=26, difficulty="easy")
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
    assert tasks.SudokuTasks(1, seed=6, clues=26, difficulty="easy")[0] != items[0]


def test_the_environment_is_one_of_gymnasium(environment):
    from gymnasium.utils.env_checker import check_env

    check_env(environment.SudokuEnv(difficulty="easy"), skip_render_check=True)


def test_hints_solve_a_puzzle(environment):
    env = environment.SudokuEnv(difficulty="easy")
    observation, info = env.reset(seed=3)
    total, ended, moves = 0.0, False, 0
    while not ended:
        reward, ended = env.step(np.int64(environment.HINT))[1:3]
        total, moves = total + reward, moves + 1
    assert moves == (observation[1] == 0).sum()
    assert total == pytest.approx(1 - environment.HINT_COSTS * moves)
    assert info["legal"][environment.HINT]


def test_legal_moves_follow_the_rules(environment):
    grid = unidoku.Grid(PUZZLE)
    [moves] = environment.legal_moves(np.frombuffer(grid.cells, np.uint8)[None])
    candidates = {(cell, digit) for cell in range(81) if not grid[cell] for digit in grid.candidates(cell)}
    assert {(action // 9, action % 9 + 1) for action in np.flatnonzero(moves[:729]).tolist()} == candidates


def test_a_wrong_or_illegal_digit_ends_the_episode(environment):
    env = environment.SudokuEnv()
    for legal in (True, False):
        observation, info = env.reset(seed=1)
        solution = unidoku.solve(observation[1])
        wrong = [
            action
            for action in range(729)
            if bool(info["legal"][action]) == legal and solution[action // 9] != action % 9 + 1
        ]
        _, reward, ended, truncated, _ = env.step(np.int64(wrong[0]))
        assert (reward, ended, truncated) == (-1.0, True, False)


def test_many_boards_go_on_with_new_puzzles(environment):
    import many

    env = many.SudokuVectorEnv(8, difficulty="easy")
    start, info = env.reset(seed=2)
    again, _ = many.SudokuVectorEnv(8, difficulty="easy").reset(seed=2)
    assert (start == again).all()
    assert start.shape == (8, 2, 81)
    actions = np.full(8, environment.HINT)
    actions[0] = np.flatnonzero(start[0, 1])[0] * 9  # a clue
    _, rewards, ended, _, _ = env.step(actions)
    assert ended.tolist() == [True, *[False] * 7]
    assert rewards[0] == -1
    assert (rewards[1:] > -0.05).all()
    observation, rewards, ended, _, info = env.step(actions)
    assert (rewards[0], ended.any()) == (0, False)
    assert (observation[0] != start[0]).any()
    assert (observation[0, 0] == observation[0, 1]).all()
    assert info["legal"].shape == (8, 730)


def test_the_data_set_of_the_page_is_the_same_for_any_number_of_threads(tmp_path):
    """Every file of its commands is equal byte for byte."""
    pytest.importorskip("pyarrow")
    page = (FOLDER.parents[1] / "docs" / "learning.md").read_text()
    block = page.partition("## Data sets")[2].partition("```console")[2].partition("```")[0]
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    folders = []
    for threads in (1, 3):
        place = tmp_path / str(threads)
        place.mkdir()
        for command in commands:
            name, *arguments = shlex.split(command.replace("1000", "60"))
            if name == "unidoku":
                run(*arguments, "--threads", threads, "-q", cwd=place, code=0)
            else:
                script = [sys.executable, FOLDER / Path(arguments[0]).name, *arguments[1:]]
                subprocess.run(script, cwd=place, check=True)
        folders.append({path.relative_to(place): path.read_bytes() for path in place.rglob("*.*")})
    assert len(folders[0]) > 15
    assert folders[0] == folders[1]
    [header, *rows] = (tmp_path / "1" / "train.csv").read_text().splitlines()
    assert header == "source,question,answer,rating"
    for row in rows:
        source, question, answer, rating = row.split(",")
        assert (source, answer) == ("unidoku", unidoku.solve(question).line)
        assert float(rating) == unidoku.rate(question).er
    folder = tmp_path / "1" / "data" / "images"
    inputs, labels = (np.load(folder / f"all__{name}.npy") for name in ("inputs", "labels"))
    assert unidoku.verify_many(inputs - 1, labels - 1).solved.all()
    assert len(inputs) == 4 * len(rows)
