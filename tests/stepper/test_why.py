"""The chain from a guess to a contradiction: the author's example, and every link against the plain model."""

import json

import pytest
from command import answers
from counting import NAMED_HOUSES as CELLS
from example_puzzles import COUNTED, QUIZ, ROW_WITHOUT_9
from step_model import Model

from unidoku._words import speaking
from unidoku.stepper import Session, report

# The fills of the author, round by round, after the guess [4,2]=2 at step 92; he lists cells that the
# contradiction does not need, and leaves out [6,9]=4.
ARTICLE = [
    {"[4,9]=1", "[5,3]=8", "[9,2]=8"},
    {"[4,4]=8", "[5,4]=4", "[9,3]=2"},
    {"[5,7]=2", "[6,5]=6", "[9,4]=1"},
    {"[8,5]=8", "[8,7]=8"},
]


def test_the_example_of_the_author():
    replies = answers("why", f"load-quiz {QUIZ}", "why", "runtil 92", "step", "why", "step", "why")
    assert replies[0] == ["No quiz loaded."]
    assert replies[2] == ["Nothing went wrong so far."]
    assert replies[4][0] == "92) shrinking 8 from [8,7] went wrong"
    assert replies[5] == [
        "Guess [4,2]=2 level 11",
        "1) [5,3]=8: not 2 because of [4,2]",
        "2) [5,4]=4: not 8 because of [5,3]",
        "3) [5,7]=2: not 4 because of [5,4]",
        "3) [6,5]=6: not 4 because of [5,4]",
        "4) [8,5]=8: not 6 because of [6,5]",
        "[8,7] has only 8: not 2 because of [5,7]",
        "92) went wrong: [8,5] and [8,7] cannot both be 8 in row 8",
    ]
    for line in replies[5][1:6]:
        number, fill = line.split(":")[0].split(") ")
        assert fill in ARTICLE[int(number) - 1]
    assert replies[7][-1] == "93) went wrong: [8,9] and [8,1] cannot both be 5 in row 8"


def test_the_chain_in_chinese():
    """Only the order that the original does not have has the words of the language."""
    with speaking("zh"):
        *_, state, why = answers(f"load-quiz {QUIZ}", "runtil 92", "step", "why")
    assert state[0] == "92) shrinking 8 from [8,7] went wrong"
    assert why[0] == "猜测[4,2]=2，第11级"
    assert why[1] == "1） [5,3]=8：因[4,2]不能填2"
    assert why[-2:] == ["[8,7]只剩8：因[5,7]不能填2", "92） 矛盾：第8行的[8,5]和[8,7]不能都填8"]


class Recorder(Model):
    """A model that records the candidates before the last guess that failed."""

    base = failed = guess_of = None

    def load(self):
        super().load()
        self.base = [list(digits) for digits in self.candidates]

    def try_top(self, kind):
        level = self.stack[-1]
        self.base, self.guess_of = level.candidates, (level.cell, level.order[level.k - 1])
        super().try_top(kind)

    def next_guess(self):
        if self.state == "valid":
            self.failed = ([list(digits) for digits in self.base], self.guess_of)
        super().next_guess()

    def unit(self):
        if self.state == "fine":  # the guess after a solution is no contradiction
            failed_guess, self.failed = self.failed, None
            super().unit()
            if self.events[-1]["kind"] in ("forward_guess", "upward_guess", "no_more_solution"):
                self.failed = failed_guess
        else:
            super().unit()


def share_a_house(cell_1, cell_2):
    return cell_1 != cell_2 and any(cell_1 in cells and cell_2 in cells for cells in CELLS.values())


def check(why, base, guess):
    """Every link follows from the guess, the links before it and the candidates before the guess."""
    links = [None, *why.links]
    fills = {0: guess} if guess else {}
    removals = {}

    def reasons(losses):
        eliminations = set()
        for cell, digit, by in losses:
            assert by < len(links)
            fill = fills.get(by)
            if fill and fill[0] == cell:
                eliminations |= {(cell, value) for value in base[cell] if value != fill[1]} | {(cell, digit)}
                continue
            assert digit in base[cell]
            removed = (fill and fill[1] == digit and share_a_house(cell, fill[0])) or (
                cell,
                digit,
            ) in removals[by]
            assert removed, (cell, digit, by)
            eliminations.add((cell, digit))
        return eliminations

    for number, link in enumerate(why.links, 1):
        assert all(loss.by < number for loss in link.losses)
        assert link.round == 1 + max((links[loss.by].round for loss in link.losses if loss.by), default=0)
        eliminations = reasons(link.losses)
        house, removals[number] = CELLS.get(link.house), set()
        if link.kind == "single":
            (cell,), (digit,) = link.cells, link.digits
            assert {(cell, value) for value in base[cell]} == eliminations | {(cell, digit)}
            fills[number] = (cell, digit)
        elif link.kind == "complete_shrink":
            (cell,), (digit,) = link.cells, link.digits
            assert {(place, digit) for place in house if digit in base[place]} <= eliminations | {
                (cell, digit)
            }
            fills[number] = (cell, digit)
        elif link.kind == "incomplete_shrink":
            naked = {
                value for cell in link.cells for value in base[cell] if (cell, value) not in eliminations
            }
            places = {
                cell for cell in house for digit in link.digits
                if digit in base[cell] and (cell, digit) not in eliminations
            }  # fmt: skip
            assert naked <= {*link.digits} or places <= {*link.cells}
            outside = [cell for cell in house if cell not in link.cells]
            removals[number] = {(cell, digit) for cell in outside for digit in link.digits}
            removals[number] |= {
                (cell, digit) for cell in link.cells for digit in {*range(1, 10)} - {*link.digits}
            }
        else:
            placements = [(cell, digit) for cell, digit, _ in link.losses]
            for cell in {*house} - {*link.cells} - {cell for cell, _ in placements}:
                for digit in {*link.digits} & {*base[cell]}:
                    assert any(digit == value and share_a_house(cell, place) for place, value in placements)
            removals[number] = {
                (cell, digit) for cell in link.cells for digit in {*range(1, 10)} - {*link.digits}
            }
    eliminations = reasons(why.losses)
    if len(why.cells) == 2:
        cell_1, cell_2 = why.cells
        assert {(cell_2, digit) for digit in base[cell_2]} == eliminations | {(cell_2, why.digit)}
        assert {cell_1, cell_2} <= {*CELLS[why.house]}
        assert (cell_1, why.digit) in fills.values()
    elif why.cells:
        assert why.house is None
        assert {(why.cells[0], digit) for digit in base[why.cells[0]]} == eliminations
    elif why.digit:
        assert {(cell, why.digit) for cell in CELLS[why.house] if why.digit in base[cell]} <= eliminations


HARD = "5..7..6....38...........2..62.4............917............35.8.4.....1......9...."
"""A puzzle with every kind of link; the others are easy without the real files."""


def checked_chains(puzzle, mode_at, max_steps):
    """Yield the chain to each contradiction of a search, each link of it checked; the mode may change."""
    model, session = Recorder(puzzle, mode_at(0)), Session(puzzle, mode=mode_at(0))
    while model.state != "invalid" and model.steps < max_steps:
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
    kinds, ends, chain_count = set(), set(), 0
    for puzzle in [QUIZ, HARD, *top1465[mode:40:20], *puzzles17[mode :: 1 + len(puzzles17) // 5]]:
        for why in checked_chains(puzzle, lambda _: mode, 120 if mode else 240):
            values = json.loads(json.dumps(why.as_dict()))
            assert values["kind"] == "why"
            assert all({*loss} == {"cell", "digit", "by"} for loss in values["losses"])
            assert report.lines(why)[-1].startswith(f"{why.step}) went wrong: ")
            kinds |= {link.kind for link in why.links}
            ends.add((len(why.cells), why.digit is None))
            chain_count += 1
    assert chain_count > 40
    assert {"single", {0: "complete_shrink", 1: "incomplete_shrink", 2: "line_shrink"}[mode]} <= kinds
    assert (2, False) in ends
    assert len(ends) > 1


def test_the_search_is_repeated_with_every_change_of_the_mode():
    assert len([*checked_chains(HARD, lambda steps: steps // 10 % 3, 200)]) > 10


def test_the_mode_may_change_while_a_guess_waits():
    """As on the console after Ctrl-C at the prompt."""

    def interrupt(*_):
        raise KeyboardInterrupt

    waiting, guessed = Session(QUIZ, mode=2, guess=interrupt), Session(QUIZ, mode=2)
    with pytest.raises(KeyboardInterrupt):
        waiting.run()
    waiting.guess = None
    while not guessed.level:
        guessed.step()
    for session in (waiting, guessed):
        session.mode = 0
        session.run_until(100)
    assert waiting.why() == guessed.why()


def test_a_copy_keeps_guesses_of_its_own():
    session = Session(QUIZ, guess=lambda session, cell, digit: (46, 9) if session.steps == 6 else None)
    copy, fresh = session.copy(), Session(QUIZ)
    session.run()
    copy.guess = None
    for search in (copy, fresh):
        search.run_until(100)
    assert copy.why() == fresh.why()


def test_a_quiz_that_is_contradictory_without_a_guess():
    session = Session(next(puzzle for puzzle, number in COUNTED.items() if number == 0))
    session.run()
    assert session.state == "invalid"
    assert session.why() is not None
    full = Session(ROW_WITHOUT_9)
    full.run()
    assert full.why() is None  # a cell without a candidate at the start; nothing led to it
