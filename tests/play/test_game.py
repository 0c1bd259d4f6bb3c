"""The game: moves, undo and redo, the file, and hints that lead to the solution."""

from __future__ import annotations

import json
import re

import pytest
from example_puzzles import QUIZ, UNIQUE as EASY
from fuzzing import examples
from hypothesis import given, strategies as st

from unidoku import Grid, InvalidPuzzleError, generate, method
from unidoku.errors import InputError, OutputError, UnidokuError
from unidoku.method.report import untag
from unidoku.play import Game, load_game, next_step, save_game
from unidoku.play.app import begin
from unidoku.view.player import VALUE

SEVERAL = "5...7....6...95....98....6.8...6...34..8....17...2...6.6....2.....4.9..5....8..7."
CLASS2 = ".................1.....2.3...2...4....3.5......41....6.5.6......7.....2..8.91...."


def marks(game, cell):
    return [digit for digit in range(1, 10) if game.codes[cell] >> digit - 1 & 1]


def test_digits_and_marks():
    game = Game(EASY)
    assert (game.left, game.solved, game.values) == (51, False, Grid(EASY).cells)
    assert game.mark(2, 4)
    assert game.mark(2, 1)
    assert game.mark(3, 4)
    assert marks(game, 2) == [1, 4]
    assert not game.set(0, 4)  # a clue
    assert not game.clear(0)
    assert not game.mark(0, 4)
    assert game.set(5, 4)  # removes the marks of its row
    assert (marks(game, 2), marks(game, 3), game.values[5]) == ([1], [], 4)
    assert game.wrong() == [5]
    assert game.set(5, 4)  # once more clears it
    assert (game.values[5], game.wrong()) == (0, [])
    assert game.undo()
    assert game.undo()
    assert (marks(game, 2), marks(game, 3), game.values[5]) == ([1, 4], [4], 0)
    assert game.redo()
    assert game.values[5] == 4
    assert game.undo()
    assert game.mark(2, 9)  # a new move ends what can be redone
    assert not game.redo()


def test_all_pencil_marks():
    game = Game(EASY)
    game.mark(2, 9)
    game.fill_marks()
    grid = Grid(EASY)
    assert marks(game, 2) == [9]
    assert all(
        marks(game, cell) == list(grid.candidates(cell)) for cell in range(81) if not grid[cell] and cell != 2
    )


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (SEVERAL, "the puzzle has several solutions"),
        ("11" + 79 * ".", "the puzzle has no solution"),
        ("12", "81"),
        (
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
            "no empty cell",
        ),
    ],
)
def test_what_cannot_be_played(puzzle, message):
    with pytest.raises(InvalidPuzzleError, match=message):
        Game(puzzle)


def puzzles_of_every_class():
    return [EASY, QUIZ, CLASS2, *(generate(1, 7, difficulty=k)[0].tobytes() for k in (1, 2, 3, 4))]


@pytest.mark.parametrize("puzzle", puzzles_of_every_class())
@pytest.mark.parametrize("filled", [False, True])
def test_hints_lead_to_the_solution(puzzle, filled):
    """Each is sound, changes something, and is a step of the method from there."""
    game = Game(bytes(puzzle) if isinstance(puzzle, bytes) else puzzle)
    if filled:
        game.fill_marks()
    kinds = set()
    while not game.solved:
        hint = next_step(game)
        kinds.add(hint.kind)
        before = list(game.codes)
        assert game.change(hint.changes)
        assert hint.kind != "wrong"
        assert game.wrong() == []
        for cell, code in enumerate(game.codes):
            assert code == 0 or code >= VALUE or code >> game.solution[cell] - 1 & 1
            assert code == before[cell] or cell in hint.changes
        assert not untag(hint.text, str).startswith(tuple("0123456789"))
    assert next_step(game) is None
    difficulty = method.explain(game.puzzle).difficulty
    assert ("preset" in kinds) == (difficulty == 4)
    assert "subset" not in kinds or difficulty >= 3
    assert "extended" not in kinds or difficulty >= 2


def test_the_first_hint_is_the_first_conversion():
    record = method.explain(EASY)
    first = next(event for event in record.events if event.kind == "convert")
    hint = next_step(Game(EASY))
    assert hint.changes[first.cell - 1] == VALUE + first.digit
    assert first.rule == "theorem2"
    assert hint.causes == frozenset()
    assert "by theorem 2, self-cell conversion" in hint.text


def test_the_hint_of_a_unit_has_its_other_cells_as_causes():
    hint = next_step(Game(method.WORKED_PUZZLE))
    assert "by theorem 3, unit-cell conversion" in hint.text
    assert hint.causes == set(range(9)) - {1}  # the only place for 6 in row 1 is cell 2


def test_mistakes_come_first():
    game = Game(EASY)
    game.set(2, 9)
    hint = next_step(game)
    assert untag(hint.text, str) == "Cell 3 is wrong: 9 is not its digit. Clear it."
    game.change(hint.changes)
    assert game.values[2] == 0
    game.mark(2, 1)
    hint = next_step(game)
    assert "The pencil marks of cell 3 lack its digit" in untag(hint.text, str)
    game.change(hint.changes)
    assert marks(game, 2) == list(Grid(EASY).candidates(2))


ACTIONS = st.one_of(
    st.tuples(st.sampled_from(["set", "mark"]), st.integers(0, 80), st.integers(1, 9)),
    st.tuples(st.just("clear"), st.integers(0, 80)),
    st.tuples(st.sampled_from(["undo", "redo", "fill_marks"])),
)


@examples(30)
@given(st.lists(ACTIONS, max_size=30))
def test_a_saved_game_is_the_game(tmp_path_factory, actions):
    path = str(tmp_path_factory.mktemp("game") / "game.json")
    game = Game(EASY)
    states = [list(game.codes)]
    for name, *values in actions:
        getattr(game, name)(*values)
    game.seconds = 12.5
    save_game(game, path)
    again = load_game(path)
    assert (again.puzzle, again.codes, again.moves, again.position, again.seconds) == (
        game.puzzle, game.codes, [tuple(map(tuple, move)) for move in game.moves], game.position, 12.5
    )  # fmt: skip
    while game.undo():
        again.undo()
        assert again.codes == game.codes
    assert game.codes == states[0]


def test_a_missing_file_is_not_a_game(tmp_path):
    assert load_game(str(tmp_path / "none")) is None


GOOD = {"form": "unidoku game 1", "puzzle": EASY, "seconds": 1, "position": 0, "moves": []}
CHANGES = [
    {"form": "x"},
    {"puzzle": SEVERAL},
    {"puzzle": 1},
    {"seconds": -1},
    {"seconds": "x"},
    {"position": 1},
    {"position": None},
    {"moves": 1},
    {"moves": [[]]},
    {"moves": [[[0, 517, 0]]]},
    {"moves": [[[2, 1, 3]]]},
    {"moves": [[[2, 0, 512]]]},
    {"moves": [[[2, 0, 600]]]},
    {"moves": [[[81, 0, 1]]]},
    {"moves": [[[2, 0, True]]]},
    {"moves": [[["2", 0, 1]]]},
    {"moves": [[[2, 0]]]},
]
BAD = [b"", b"[]", b"null", b"{", b"\xff", *(json.dumps(GOOD | change).encode() for change in CHANGES)]


@pytest.mark.parametrize("data", BAD)
def test_a_file_that_is_not_a_game_is_kept(tmp_path, data):
    path = tmp_path / "mine.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=re.escape(f"{path}: not a saved game of unidoku")):
        begin(EASY, str(path), new=True)
    assert path.read_bytes() == data


def test_good_is_good(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOOD | {"moves": [[[2, 0, 3]]], "position": 1}))
    assert marks(load_game(str(path)), 2) == [1, 2]


def test_a_game_that_cannot_be_saved(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        save_game(Game(EASY), str(tmp_path / "file" / "game.json"))


def test_beginning(tmp_path):
    path = str(tmp_path / "game.json")
    game, found = begin(EASY, path)
    assert (game.puzzle, found) == (Grid(EASY), path)
    game.mark(2, 1)
    save_game(game, path)
    for puzzle in (None, EASY):  # both resume it
        assert begin(puzzle, path)[0].moves == game.moves
    for options in ({"puzzle": QUIZ}, {"difficulty": 2}, {"seed": 1}):
        with pytest.raises(UnidokuError, match="an unfinished game; resume it"):
            begin(save=path, **options)
    assert begin(QUIZ, path, new=True)[0].puzzle == Grid(QUIZ)
    for cell, digit in enumerate(game.solution):
        if game.codes[cell] < VALUE:
            game.set(cell, digit)
    assert game.solved
    save_game(game, path)
    assert begin(QUIZ, path)[0].puzzle == Grid(QUIZ)  # a finished game is replaced
    new = [begin(None, path, seed=5, difficulty=k)[0].puzzle for k in (1, 3)]
    assert [method.explain(puzzle).difficulty for puzzle in new] == [1, 3]
    with pytest.raises(UnidokuError, match="kept in a file of this machine"):
        begin(EASY, "memory://game.json")
