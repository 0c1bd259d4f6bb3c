"""The chain from a guess to a contradiction: the author's example, and every link against the plain model."""

import json

import pytest
from command import answers
from example_puzzles import COUNTED, QUIZ, ROW_WITHOUT_9
from step_model import HOUSES, Model

from unidoku.stepper import Session, report

CELLS = dict(HOUSES)

# What the author fills in, round by round, after the guess [4,2]=2 at step 92; he lists cells that the
# contradiction does not need, and leaves out [6,9]=4.
ARTICLE = [
    {"[4,9]=1", "[5,3]=8", "[9,2]=8"},
    {"[4,4]=8", "[5,4]=4", "[9,3]=2"},
    {"[5,7]=2", "[6,5]=6", "[9,4]=1"},
    {"[8,5]=8", "[8,7]=8"},
]


def test_the_example_of_the_author():
    got = answers("why", f"load-quiz {QUIZ}", "why", "runtil 92", "step", "why", "step", "why")
    assert got[0] == ["No quiz loaded."]
    assert got[2] == ["Nothing went wrong so far."]
    assert got[4][0] == "92) shrinking 8 from [8,7] went wrong"
    assert got[5] == [
        "Guess [4,2]=2 level 11",
        "1) [5,3]=8: not 2 because of [4,2]",
        "2) [5,4]=4: not 8 because of [5,3]",
        "3) [5,7]=2: not 4 because of [5,4]",
        "3) [6,5]=6: not 4 because of [5,4]",
        "4) [8,5]=8: not 6 because of [6,5]",
        "[8,7] has only 8: not 2 because of [5,7]",
        "92) went wrong: [8,5] and [8,7] cannot both be 8 in row 8",
    ]
    for line in got[5][1:6]:
        number, fill = line.split(":")[0].split(") ")
        assert fill in ARTICLE[int(number) - 1]
    assert got[7][-1] == "93) went wrong: [8,9] and [8,1] cannot both be 5 in row 8"


class Recorder(Model):
    """A model that keeps what the candidates were before the guess that failed last."""

    base = failed = guess_of = None

    def load(self):
        super().load()
        self.base = [list(found) for found in self.candidates]

    def try_top(self, kind):
        level = self.stack[-1]
        self.base, self.guess_of = level.candidates, (level.cell, level.order[level.k - 1])
        super().try_top(kind)

    def next_guess(self):
        if self.state == "valid":
            self.failed = ([list(found) for found in self.base], self.guess_of)
        super().next_guess()

    def unit(self):
        if self.state == "fine":  # the guess after a solution is no contradiction
            kept, self.failed = self.failed, None
            super().unit()
            if self.events[-1]["kind"] in ("forward_guess", "upward_guess", "no_more_solution"):
                self.failed = kept
        else:
            super().unit()


def seen_by(cell, other):
    return cell != other and any(cell in cells and other in cells for cells in CELLS.values())


def check(why, base, guess):
    """Every link follows from the guess, the links before it and the candidates before the guess."""
    links = [None, *why.links]
    fills = {0: guess} if guess else {}
    gone = {}

    def reasons(losses):
        lost = set()
        for cell, digit, by in losses:
            assert by < len(links)
            filled = fills.get(by)
            if filled and filled[0] == cell:
                lost |= {(cell, other) for other in base[cell] if other != filled[1]} | {(cell, digit)}
                continue
            assert digit in base[cell]
            taken = (filled and filled[1] == digit and seen_by(cell, filled[0])) or (cell, digit) in gone[by]
            assert taken, (cell, digit, by)
            lost.add((cell, digit))
        return lost

    for number, link in enumerate(why.links, 1):
        assert all(loss.by < number for loss in link.losses)
        assert link.round == 1 + max((links[loss.by].round for loss in link.losses if loss.by), default=0)
        lost = reasons(link.losses)
        house, gone[number] = CELLS.get(link.house), set()
        if link.kind == "single":
            (cell,), (digit,) = link.cells, link.digits
            assert {(cell, other) for other in base[cell]} == lost | {(cell, digit)}
            fills[number] = (cell, digit)
        elif link.kind == "complete_shrink":
            (cell,), (digit,) = link.cells, link.digits
            assert {(other, digit) for other in house if digit in base[other]} <= lost | {(cell, digit)}
            fills[number] = (cell, digit)
        elif link.kind == "incomplete_shrink":
            naked = {other for cell in link.cells for other in base[cell] if (cell, other) not in lost}
            places = {
                cell for cell in house for digit in link.digits
                if digit in base[cell] and (cell, digit) not in lost
            }  # fmt: skip
            assert naked <= {*link.digits} or places <= {*link.cells}
            rest = [cell for cell in house if cell not in link.cells]
            gone[number] = {(cell, digit) for cell in rest for digit in link.digits}
            gone[number] |= {
                (cell, digit) for cell in link.cells for digit in {*range(1, 10)} - {*link.digits}
            }
        else:
            filled = [(cell, digit) for cell, digit, _ in link.losses]
            for cell in {*house} - {*link.cells} - {cell for cell, _ in filled}:
                for digit in {*link.digits} & {*base[cell]}:
                    assert any(digit == other and seen_by(cell, place) for place, other in filled)
            gone[number] = {
                (cell, digit) for cell in link.cells for digit in {*range(1, 10)} - {*link.digits}
            }
    lost = reasons(why.losses)
    if len(why.cells) == 2:
        first, last = why.cells
        assert {(last, digit) for digit in base[last]} == lost | {(last, why.digit)}
        assert {first, last} <= {*CELLS[why.house]}
        assert (first, why.digit) in fills.values()
    elif why.cells:
        assert {(why.cells[0], digit) for digit in base[why.cells[0]]} == lost
    elif why.digit:
        assert {(cell, why.digit) for cell in CELLS[why.house] if why.digit in base[cell]} <= lost


HARD = "5..7..6....38...........2..62.4............917............35.8.4.....1......9...."
"""A puzzle with every kind of link; the others are easy without the real files."""


def explained(puzzle, mode_at, most):
    """Yield the chain to each contradiction of a search, each link of it checked; the mode may change."""
    model, session = Recorder(puzzle, mode_at(0)), Session(puzzle, mode=mode_at(0))
    while model.state != "invalid" and model.steps < most:
        model.mode = session.mode = mode_at(model.steps)
        before = model.failed
        model.unit()
        session.step()
        if model.failed is not before:
            why = session.why()
            base, guess = model.failed
            assert ((why.guess.cell, why.guess.digit) if why.guess else None) == guess
            check(why, base, guess)
            yield why


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_every_link_follows(top1465, puzzles17, mode):
    kinds, ends, shown = set(), set(), 0
    for puzzle in [QUIZ, HARD, *top1465[mode:40:6], *puzzles17[mode :: 1 + len(puzzles17) // 9]]:
        for why in explained(puzzle, lambda _: mode, 200 if mode else 400):
            assert json.loads(json.dumps(why.as_dict()))["kind"] == "why"
            assert report.lines(why)[-1].startswith(f"{why.step}) went wrong: ")
            kinds |= {link.kind for link in why.links}
            ends.add((len(why.cells), why.digit is None))
            shown += 1
    assert shown > 60  # more than 150 with the real files
    assert {"single", {0: "complete_shrink", 1: "incomplete_shrink", 2: "line_shrink"}[mode]} <= kinds
    assert (2, False) in ends
    assert len(ends) > 1


def test_the_search_is_repeated_with_every_change_of_the_mode():
    assert len([*explained(HARD, lambda steps: steps // 10 % 3, 200)]) > 10


def test_a_quiz_that_is_contradictory_without_a_guess():
    session = Session(next(puzzle for puzzle, number in COUNTED.items() if number == 0))
    session.run()
    assert session.state == "invalid"
    assert session.why() is not None
    full = Session(ROW_WITHOUT_9)
    full.run()
    assert full.why() is None  # a cell without a candidate at the start; nothing led to it
