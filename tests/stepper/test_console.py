"""Quiz files of the console, its words and signs, and random orders; ``sessions`` has its answers."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from cases import in_turn
from command import answers
from example_puzzles import NOTHING, QUIZ, TWO
from fuzzing import examples
from hypothesis import given, strategies as st

import unidoku
from unidoku.grid import Grid
from unidoku.stepper import Session
from unidoku.stepper._console import Console


@pytest.mark.parametrize("further_input", ["", "bye\nshow\n"])
def test_bye_or_the_end_of_the_input_at_the_prompt_ends_the_console(further_input):
    sink = io.StringIO()
    Console(io.StringIO(f"guess-mode 1\nload-quiz {QUIZ}\nrun\n{further_input}"), sink).run()
    assert sink.getvalue().endswith("\nTake a guess please, by default it will be [6,2]=5:\n")


WORDS = {
    "undo": "back",
    "reset": "back 0",
    "next": "step",
    "solve": "run",
    "load": "load-quiz",
    "guess": "guess-mode 1",
    "explain": "why",
    "?": "help",
    "stop": "bye",
}


@in_turn
@pytest.mark.parametrize(("word", "order"), WORDS.items())
def test_a_word_that_is_no_order_says_which_one(word, order):
    assert answers(word) == [[f"Unknown order: {word} (did you mean {order}?)."]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


ROWS = [QUIZ[i : i + 9] for i in range(0, 81, 9)]


def with_row(row, number=4):
    """The quiz with another row in the place of one."""
    return "\n".join([*ROWS[: number - 1], row, *ROWS[number:]])


def full_width(text):
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def test_quiz_files(folder):
    for text in [
        "\n".join(ROWS),
        "# a quiz\n\n" + "\n\n".join(ROWS) + "\n\n# left over\n",
        "\r\n".join(f"|{row[:3]} {row[3:6]}|{row[6:]}|" for row in ROWS),
        "\ufeff" + QUIZ.replace("0", "."),
        "\n".join(ROWS).replace("0", "."),
        "\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS).replace("0", "."),
        " ".join(QUIZ[i : i + 3] for i in range(0, 81, 3)),
        "# seed\n" + " ".join(QUIZ.replace("0", ".")) + " \n",
        full_width("\n".join(ROWS)),
        full_width(QUIZ.replace("0", ".")),
        "\n".join(f"{row[:3]}\u3000{row[3:6]}｜{row[6:]}" for row in ROWS).replace("0", "。"),
        "\n".join(["Quiz 1", *ROWS, "", "end"]),
        "\n".join(ROWS).replace("0", "*"),
        str(Grid(QUIZ)).replace(".", "_"),
        *("\n".join(answers(f"load-quiz {QUIZ}", *orders, "show")[-1]) for orders in ([], ["step"])),
    ]:
        (folder / "q").write_text(text, encoding="utf-8", newline="")
        assert answers("load-quiz q", "show") == answers(f"load-quiz {QUIZ}", "show")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (with_row("00.00....1"), ["Invalid line 4: 00.00....1.", "It has 10 cells, not 9."]),
        (with_row("005 300 0001"), ["Invalid line 4: 005 300 0001.", "It has 10 cells, not 9."]),
        (with_row("00 00"), ["Invalid line 4: 00 00.", "It has 4 cells, not 9."]),
        (with_row("0000 0000 .."), ["Invalid line 4: 0000 0000 ...", "It has 10 cells, not 9."]),
        (with_row("1.2345678 9"), ["Invalid line 4: 1.2345678 9.", "It has 10 cells, not 9."]),
        (with_row("12.4.6   "), ["Invalid line 4: 12.4.6   .", "It has 6 cells, not 9."]),
        (
            with_row("００５３０００００１"),
            ["Invalid line 4: ００５３０００００１.", "It has 10 cells, not 9."],
        ),
        (
            with_row("0000x00000"),
            ["Invalid line 4: 0000x00000.", "'x' is neither a digit nor an empty cell, which is 0 or a dot."],
        ),
        ("\n".join([*ROWS, "000000001"]), ["Invalid line 10: 000000001.", "The quiz is complete before it."]),
        (
            f"{QUIZ}\n{TWO}",
            [
                "q has several puzzles, and a console has one quiz.",
                "Load one of them by its 81 cells: load-quiz CELLS.",
            ],
        ),
        (QUIZ[:80], [f"Invalid line 1: {QUIZ[:80]}.", "It has 80 cells, not 9 or 81."]),
        (QUIZ + "0", [f"Invalid line 1: {QUIZ}0.", "It has 82 cells, not 9 or 81."]),
        ("\n".join([ROWS[0], QUIZ]), [f"Invalid line 2: {QUIZ}.", "It has 81 cells, not 9."]),
        ("\n".join(ROWS[:8]), ["A quiz has nine rows, not 8."]),
        ("", ["A quiz has nine rows, not 0."]),
        (with_row("550300000", 1), ["[1,1] and [1,2] both hold 5 in row 1."]),
        (
            "\xff\xfe\x00garbage",
            [
                "Invalid line 1: ÿþ\\x00garbage.",
                "'ÿ' is neither a digit nor an empty cell, which is 0 or a dot.",
            ],
        ),
    ],
)
def test_files_that_are_no_quiz(folder, text, refusal):
    """The line, as the original says it; then what is wrong with it."""
    (folder / "q").write_text(text, encoding="utf-8", newline="")
    assert answers("load-quiz q", "show") == [refusal, ["No quiz loaded."]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.txt.gz", gzip.compress(QUIZ.encode(), mtime=0)),
        ("q.csv", f"id,puzzle\n1,{QUIZ}\n".encode()),
        ("q.json", json.dumps({"level": 3, "puzzle": QUIZ}).encode()),
    ],
)
def test_a_file_with_one_puzzle_is_read_as_other_commands_read_it(folder, name, content):
    (folder / name).write_bytes(content)
    assert answers(f"load-quiz {name}", "show") == answers(f"load-quiz {QUIZ}", "show")


def test_the_signs_of_a_chinese_keyboard():
    """Full-width signs, and those of the keys [ ] and the blank; the name of a file stays as it is.

    A guess has both brackets or none.
    """
    plain = answers(
        "run-mode 2", f"load-quiz {QUIZ}", "guess-mode 1", "run-mode 0", "runtil 6", "[6,2]=9", "levels"
    )
    for orders in (
        (
            *("run-mode ２", f"load-quiz {full_width(QUIZ)}", "guess-mode １", "run-mode ０", "runtil ６"),
            "［6,2］＝9",
        ),
        (
            *(
                "ｒｕｎ－ｍｏｄｅ　２",
                f"load-quiz　{QUIZ.replace('0', '。')}",
                "guess-mode １",
                "run-mode ０",
            ),
            *("runtil　６", "【６，２】＝９"),
        ),
    ):
        assert answers(*orders, "levels") == plain
    assert plain[-1] == ["At guess level 1:", "Level 1 [6,2]=9 (1 out of 2)"]
    for guess, is_one in (("6,2=9", True), ("r6c2=9", True), ("6,2]=9", False), ("[6,2=9", False)):
        orders = (f"load-quiz {QUIZ}", "guess-mode 1", "runtil 6", guess, "levels")
        assert (answers(*orders)[-1] == plain[-1]) is is_one
    assert answers("load-quiz ｑ１.txt")[0] == [
        "Fail to open quiz file ｑ１.txt with err 2:No such file or directory."
    ]


def test_the_foremost_cell_has_a_line_unless_it_is_the_first():
    """As in the author's code, whose cell 0 is [1,1]."""
    for quiz, shown in (("." * 81, []), ("1" + "." * 80, ["The foremost cell with 8 candidate(s) at [1,2]"])):
        lines = answers(f"load-quiz {quiz}", "step")[1]
        assert [line for line in lines if line.startswith("The foremost")] == shown


def test_the_bundled_quiz_is_loaded_by_its_name(folder):
    bundled = answers("load-quiz sample", "run", "run", "levels")
    assert bundled == answers(f"load-quiz {QUIZ}", "run", "run", "levels")
    assert bundled[0] == ["Quiz loaded."]
    (folder / "sample").write_text(TWO)  # a file of that name is this file
    assert answers("load-quiz sample", "show")[1] != answers(f"load-quiz {QUIZ}", "show")[1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (QUIZ[:80], "it has 80 cells, not 81"),
        (QUIZ + "0", "it has 82 cells, not 81"),
        (f"{QUIZ[:40]} {QUIZ[40:77]}", "it has 77 cells, not 81"),
        ("O" + QUIZ[1:], "it has 80 cells, not 81"),
    ],
)
def test_what_is_neither_a_file_nor_a_quiz(folder, text, fault):
    replies = answers(f"load-quiz {text}", "show")
    assert replies[0] == [
        f"Fail to open quiz file {text} with err 2:No such file or directory.",
        f"Nor is it a quiz: {fault}.",
    ]
    assert replies[1] == ["No quiz loaded."]
    assert len(answers("load-quiz quiz2021.txt")[0]) == 1


LATE = "000095006000160000000003240008007000015020000009000408000000709042900005000250800"
"""A guess that is refuted at once is replaced in the same unit of work."""


@pytest.mark.parametrize("share", [10, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_a_run_to_a_step_ends_at_it_or_one_or_two_steps_later(share, mode):
    """A unit of work counts one, two or three steps."""
    steps_of_units = set()
    for puzzle in [LATE, *unidoku.generate(2_000, seed=69)[::share]]:
        session, before = Session(puzzle, mode=mode, listening=False), 0
        while session.state in {"loaded", "valid"} and before < 1000:
            session.step()
            steps_of_units.add(session.steps - before)
            before = session.steps
    assert steps_of_units == {1, 2, 3}


def test_quiz_files_that_cannot_be_opened(folder):
    (folder / "with blank.txt").write_text("\n".join(ROWS))
    (folder / "'q").write_text("\n".join(ROWS))
    replies = answers("load-quiz nothing.txt", "load-quiz .", 'load-quiz "with blank.txt"')
    assert replies[0] == ["Fail to open quiz file nothing.txt with err 2:No such file or directory."]
    assert replies[1][0].startswith("Fail to open quiz file . with err ")
    for order in ("load-quiz 'q", "load-quiz 'with blank.txt'"):
        assert replies[2] == answers(order)[0] == ["Quiz loaded."]


def test_zeros_before_a_number_do_not_change_it():
    assert answers(f"load-quiz {QUIZ}", f"runtil {'0' * 30}5") == answers(f"load-quiz {QUIZ}", "runtil 5")


ORDERS = """step; run; show; levels; why; step 5; bye; load-quiz; load-quiz nowhere; runtil 40; runtil 400
runtil x; runrun 1; runrun -3; run-mode 1; run-mode 2; guess-mode 1; guess-mode 0; filters 1; filters 0
nonsense; [6,2]=9; [9,9]=1; what; back; back 0; back 12; back 60; help; undo"""


@given(
    st.sampled_from([QUIZ, TWO, NOTHING]),
    st.lists(st.sampled_from(ORDERS.replace("\n", "; ").split("; ")), max_size=30),
)
@examples(20)
def test_any_order_at_any_time(quiz, orders):
    """Lines after ``guess-mode 1`` may be answers to a guess; `levels` lists the stack of guesses."""
    sink = io.StringIO()
    console = Console(io.StringIO("".join(f"{order}\n" for order in orders)), sink)
    console.obey(f"load-quiz {quiz}")
    console.run()
    session = console.session
    assert session.solution_sum <= {QUIZ: 1, TWO: 2, NOTHING: 0}[quiz]
    begin = sink.tell()
    console.obey("levels")
    sink.seek(begin)
    lines = sink.read().splitlines()
    assert lines[0] == f"At guess level {session.level}:"
    assert len(lines) == session.level + 1 == len(session.levels) + 1
