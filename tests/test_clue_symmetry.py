"""The symmetry of the pattern of clues, against NumPy's turns and reflections of the board."""

import numpy as np
import pytest
from cases import in_turn
from command import run

import unidoku
from unidoku import Grid
from unidoku._clue_symmetry import GROUPS

TURNED = {
    "180": [lambda board: np.rot90(board, 2)],
    "90": [np.rot90],
    "horizontal": [np.flipud],
    "vertical": [np.fliplr],
    "diagonal": [np.transpose],
    "antidiagonal": [lambda board: np.rot90(board, 2).T],
    "full": [np.rot90, np.transpose],
}
SQUARE = {  # the seven ways in which a square is mapped to itself
    **{f"turn {n}": lambda board, n=n: np.rot90(board, n) for n in (1, 2, 3)},
    **{f"mirror {n}": lambda board, n=n: np.rot90(board, n).T for n in range(4)},
}


def patterns(count: int):
    """Boards that are the same after some of the moves, and the words which are true of them."""
    rng = np.random.default_rng(1)
    moves = [*SQUARE.values()]
    for number in range(count):
        board = rng.random((9, 9)) < 0.1
        chosen = [moves[move] for move in rng.permutation(len(moves))[: number % 3]]
        for move in chosen * 4:
            board = board | move(board) | move(move(move(board)))
        yield (
            board,
            {word for word, own in TURNED.items() if all((move(board) == board).all() for move in own)},
        )


def test_a_word_for_each_set_of_symmetries():
    """Each set of moves that a pattern can keep has one word, and no two sets have the same."""
    words = {}
    for board, _ in patterns(600):
        kept = frozenset(name for name, move in SQUARE.items() if (move(board) == board).all())
        line = "".join(map(str, board.reshape(-1).astype(int).tolist()))
        words.setdefault(kept, set()).add(Grid(line).clue_symmetry)
    assert len(words) == 10  # the subgroups of the symmetries of a square
    assert {len(found) for found in words.values()} == {1}
    assert {word for found in words.values() for word in found} == {*GROUPS}


def test_words_of_patterns(tmp_path):
    """A word in --where finds a pattern with this symmetry, whatever else it has."""
    boards = [*patterns(300)]
    lines = ["".join(map(str, (7 * board.reshape(-1)).tolist())).replace("0", ".") for board, _ in boards]
    found = {Grid(line).clue_symmetry for line in lines}
    assert len(found) > 6
    assert found <= GROUPS.keys()
    (tmp_path / "in.txt").write_text("\n".join([*lines, "no puzzle"]) + "\n")
    rows = run("convert", tmp_path / "in.txt", "--columns", "clue_symmetry", "--to", "jsonl").stdout
    assert rows.count("\n") == len(lines) + 1
    assert [*map(eval, rows.split("\n")[:-2])] == [
        {"clue_symmetry": Grid(line).clue_symmetry} for line in lines
    ]
    for word in TURNED:
        chosen = run("convert", tmp_path / "in.txt", "--where", f"clue_symmetry={word}").stdout.split()
        assert chosen == [line for line, (_, words) in zip(lines, boards, strict=True) if word in words]
    others = run("convert", tmp_path / "in.txt", "--where", "clue_symmetry=none").stdout.split()
    assert others == [line for line, (_, words) in zip(lines, boards, strict=True) if not words]


@in_turn
@pytest.mark.parametrize("symmetry", TURNED)
def test_generated_puzzles_have_the_symmetry(symmetry):
    for puzzle in unidoku.generate(3, symmetry=symmetry, seed=1):
        board = puzzle.reshape(9, 9) > 0
        assert all((move(board) == board).all() for move in TURNED[symmetry])


def test_an_unknown_symmetry():
    result = run("check", "." * 81, "--where", "clue_symmetry=270", code=2)
    assert "invalid clue_symmetry '270'; choose from: none, 180, 90, horizontal" in result.stderr
