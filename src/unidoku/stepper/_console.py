"""The console of SudokuSolver 2.6, and its files of quizzes."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from typing import TextIO

from unidoku._arguments import MAX_COUNT, near
from unidoku._table.batch import PuzzleRecord
from unidoku._words import language, renamed
from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import UnidokuError
from unidoku.files._inputs import read_puzzles
from unidoku.grid import Grid
from unidoku.stepper import report
from unidoku.stepper._controller import SIGNS, GuessError, Session, guess_of
from unidoku.stepper.events import Event, GuessAsked, QuizLoaded, cell_text

_WITHOUT_ARGUMENT = {"show", "levels", "step", "run", "why", "help", "bye"}
_MODES = {
    "run-mode": "Working mode:{} (1:grp-only; 2:ply-only; other:both grp and ply)",
    "guess-mode": "In interactive guessing mode:{} (0:no; other:yes)",
    "filters": "Printing filters that find nothing:{} (0:no; other:yes)",
    "level-step": "Printing the step of the biggest level:{} (0:no; other:yes)",
}
"""Orders that query or change a number, with their answers; the last two are not in the original."""
_AT_GUESS = {"levels", "show", "why", "back", "guess-mode", "filters", "level-step", "help"}
"""Orders that can be given in place of a guess."""
_ALSO = {"quit": "bye", "exit": "bye"}
"""Words that people type, with the order of the original."""
_MEANT = {
    **dict.fromkeys(("undo", "goto", "previous"), "back"),
    **dict.fromkeys(("reset", "restart", "redo", "reload"), "back 0"),
    **dict.fromkeys(("load", "open", "file"), "load-quiz"),
    **dict.fromkeys(("solve", "continue", "go", "all"), "run"),
    **dict.fromkeys(("next", "forward"), "step"),
    **dict.fromkeys(("guess", "interactive", "ask"), "guess-mode 1"),
    **dict.fromkeys(("state", "print", "grid", "candidates"), "show"),
    **dict.fromkeys(("explain", "hint", "reason"), "why"),
    **dict.fromkeys(("stop", "end", "q", "close"), "bye"),
    **dict.fromkeys(("?", "orders", "commands"), "help"),
}
"""Words that people type in place of an order."""
_CELL = re.compile(f"[1-9{re.escape(EMPTY_SYMBOLS)}]")
_ONE_LINE = re.compile(f"{_CELL.pattern}{{81}}")
SAMPLE = "sample"
"""The name of the bundled quiz, from the author's transcript."""
_LONGEST_QUIZ = 1 << 20  # bytes read from a quiz file, which may be an endless device


class _EndError(Exception):
    """``bye``, or the end of standard input, where an answer to a guess was expected."""


class _LeftError(Exception):
    """``back``, where an answer to a guess was expected: the run ends here."""


class Console:
    """Reads orders, runs them in a session and prints the answers."""

    def __init__(
        self,
        source: TextIO | None = None,
        sink: TextIO | None = None,
        *,
        show: Collection[str] = ("time",),
        as_json: bool = False,
        greeting: str = "",
    ) -> None:
        """Read orders; print the greeting on a terminal only: the original has none."""
        self.session: Session | None = None
        self._source = source or sys.stdin
        self._sink = sink or sys.stdout
        self._time = "time" in show
        self._as_json = as_json
        self._modes = {name: int(name in show) for name in _MODES}
        terminal = self._terminal()
        self._greeting = f"{greeting}\n" if terminal and greeting else ""
        self._read_line = terminal or (lambda _: self._source.readline())
        self._orders: dict[str, Callable[[str], object]] = {
            "load-quiz": self._load_quiz,
            "show": lambda _: self._print([self._loaded_session().show()]),
            "levels": lambda _: self._print([self._loaded_session().show_levels()]),
            **{name: partial(self._set_mode, name) for name in _MODES},
            "step": lambda _: self._print(self._loaded_session().stream(units=1, timed=False)),
            "run": lambda _: self._print(self._loaded_session().stream()),
            "runtil": self._run_until,
            "runrun": lambda text: self._print(self._loaded_session().stream(solutions=_number(text, "sum"))),
            "back": lambda text: self._print(self._loaded_session().back(_number(text) if text else None)),
            "why": self._why,
            "help": lambda _: self._say(f"{report.ORDERS}\n{report.FURTHER_ORDERS}"),
            "bye": lambda _: None,
        }

    def run(self) -> None:
        """Execute orders until ``bye`` or the end of input."""
        self._sink.write(self._greeting)
        while True:
            try:
                if not self._as_json:
                    self._say(report.PROMPT)
                self._sink.flush()
                line = self._read_line("")
                if not line or not self.obey(line):
                    break
            except _EndError:
                break
            except KeyboardInterrupt:
                self._say("")
        self._sink.flush()

    def obey(self, line: str) -> bool:
        """Execute one order."""
        name, arguments = [*line.split(None, 1), "", ""][:2]
        name = _ALSO.get(_plain(name), _plain(name))
        if name != "load-quiz":  # names of files are as they are
            arguments = _plain(arguments)
        if not name:
            self._say(report.ORDERS)
        elif name not in self._orders:
            like = [_MEANT[name]] if name in _MEANT else near(name, self._orders, 0.7)
            hint = f"did you mean {like[0]}?" if like else "help lists the orders"
            self._say(f"Unknown order: {name} ({hint}).")
        elif arguments and name in _WITHOUT_ARGUMENT:
            self._say(f"{name} takes no argument: {arguments.strip()}.")
            return True
        else:
            try:
                self._orders[name](arguments.strip())
            except UnidokuError as error:
                self._say("\n".join([f"{error}.", *getattr(error, "__notes__", [])]))
            except _LeftError:
                pass
        return name != "bye"

    # Orders

    def _load_quiz(self, name: str) -> None:
        """Load a quiz from a file, the bundled one by its name, or the argument if that is 81 cells."""
        if self.session is not None:
            error = UnidokuError("A quiz loaded before")
            error.add_note("Another quiz needs another console: bye ends this one.")
            raise error
        if not name:
            error = UnidokuError("No quiz file specified")
            error.add_note(f"The quiz of the article is {SAMPLE}: load-quiz {SAMPLE}.")
            raise error
        name = re.sub(r"""^(["'])(.*)\1$""", r"\2", name)
        quiz = _one_line(name)
        if quiz is None:
            path = os.path.expanduser(name)
            if name == SAMPLE and not os.path.lexists(path):
                path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "quiz.txt")
            try:
                with open(path, "rb") as file:
                    data = file.read(_LONGEST_QUIZ)
            except (OSError, ValueError) as error:  # no name of a file is a ValueError
                reason = f"{getattr(error, 'errno', 0)}:{getattr(error, 'strerror', error)}"
                refusal = UnidokuError(f"Fail to open quiz file {name} with err {reason}")
                number = len(_CELL.findall(_plain(name)))
                if number >= 0.9 * len("".join(name.split())) >= 9:
                    refusal.add_note(f"Nor is it a quiz: it has {number} cells, not 81.")
                raise refusal from error
            quiz = _quiz_of(path, data)
        for clash in Grid(quiz).clashes():
            cells = f"{cell_text(clash.first)} and {cell_text(clash.second)}"
            raise UnidokuError(f"{cells} both hold {clash.digit} in {clash.house}")
        self.session = Session(quiz)
        self._set_modes()
        self._print([QuizLoaded(0, 0, self.session.puzzle.line)])

    def _set_mode(self, name: str, text: str) -> None:
        if text:
            self._modes[name] = _number(text)
            self._set_modes()
        self._say(_MODES[name].format(self._modes[name]))

    def _run_until(self, text: str) -> None:
        steps, session = _number(text, "steps"), self._loaded_session()
        is_past = steps < session.steps
        self._print(session.stream(until=steps))
        if is_past:
            self._say(f"Step {steps} is past: back {steps} goes back to it.")

    def _why(self, _: str) -> None:
        chain = self._loaded_session().why()
        if chain is None:
            raise UnidokuError("Nothing went wrong so far")
        self._print([chain], language())

    # Guesses

    def _ask(self, session: Session, cell: int, digit: int) -> tuple[int, int] | None:
        """Read the answer to a guess; the prompt is already printed.

        On a terminal, the prompt shows the candidates of the cell before the cursor. Some orders can be given
        here.
        """
        while True:
            self._sink.flush()
            line = self._read_line(f"{cell_text(cell)}: {' '.join(map(str, session.candidates[cell]))}  ? ")
            words = _plain(line).split()
            order = "".join(words[:1])
            if not line or [_ALSO.get(word, word) for word in words] == ["bye"]:
                raise _EndError
            if not order:
                return None
            answer = guess_of("".join(words))
            if answer is not None:
                try:
                    session.refuse_guess(*answer)
                except GuessError as error:
                    self._say(f"{renamed(str(error), cell_text)}.")
                else:
                    return answer
            elif order in _AT_GUESS:
                self.obey(line)
                if not session.waiting:
                    raise _LeftError
                if session.guess is None:
                    return None
            else:
                self._say(
                    f"Not understood: {line.strip()} (a guess is like {cell_text(cell)}={digit}; "
                    "or levels, show, why, back, guess-mode 0, bye)."
                )
            self._print([GuessAsked(session.steps, session.level, cell, digit)])

    # Helpers

    def _loaded_session(self) -> Session:
        """Return the session; without a quiz there is none."""
        if self.session is None:
            raise UnidokuError("No quiz loaded")
        return self.session

    def _set_modes(self) -> None:
        if self.session is not None:
            mode = self._modes["run-mode"]
            self.session.mode = mode if mode in {1, 2} else 0
            self.session.guess = self._ask if self._modes["guess-mode"] else None

    def _print(self, events: Iterable[Event], lang: str = "en") -> None:
        for event in events:
            if self._as_json:
                lines = [event.json_line()]
            else:  # the modes may change at a guess
                filters, level_step = (self._modes[name] != 0 for name in ("filters", "level-step"))
                lines = report.lines(
                    event, time=self._time, filters=filters, level_step=level_step, lang=lang
                )
            self._sink.writelines(f"{line}\n" for line in lines)

    def _say(self, text: str) -> None:
        self._sink.write(f"{json.dumps({'message': text}) if self._as_json else text}\n")

    def _terminal(self) -> Callable[[str], str] | None:
        """Return a function that reads a line with editing and history, or None without a terminal."""
        if self._source is not sys.stdin or self._sink is not sys.stdout:
            return None
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return None
        with suppress(ImportError):  # Windows provides line editing itself
            import readline  # noqa: F401

        def ask(prompt: str) -> str:
            try:
                return input(prompt) + "\n"
            except EOFError:
                self._say("")
                return ""

        return ask


def _number(text: str, name: str = "") -> int:
    """Return the number in an order; ``name`` is what the message calls a missing one."""
    if not text:
        raise UnidokuError(f"No {name} specified")
    number = re.fullmatch("0*([0-9]+)", text)
    if number is None:
        raise UnidokuError(f"Not a number: {text}")
    return min(int(number[1][:20]), MAX_COUNT)


def _plain(text: str) -> str:
    """Return a text with the signs of ASCII for those that a Chinese keyboard types."""
    return text.translate(SIGNS)


def _one_line(text: str) -> str | None:
    """Return the cells if the text is a complete quiz of 81 cells, with or without blanks, otherwise None."""
    cells = "".join(_plain(text).split())
    if _ONE_LINE.fullmatch(cells):
        return cells
    return None


def _quiz_of(path: str, data: bytes) -> str:
    """Return the quiz of a file: as the original reads it, or else its one puzzle as other commands do.

    The lines that ``show`` writes below the cells are skipped.
    """
    data = re.split(rb"(?m)^(?:Steps:|Fine \[|Invalid quiz \[)", data)[0]
    try:
        return _read_rows(data)
    except UnidokuError as refusal:
        if not os.path.isfile(path):  # an endless device
            raise
        with closing(read_puzzles(path)) as records:
            first_two = [*islice(records, 2)]
        puzzles = [record.cells for record in first_two if isinstance(record, PuzzleRecord)]
        if not puzzles or len(puzzles) < len(first_two):
            raise
        if len(puzzles) > 1:
            error = UnidokuError(f"{path} has several puzzles, and a console has one quiz")
            error.add_note("Load one of them by its 81 cells: load-quiz CELLS.")
            raise error from refusal
        return puzzles[0]


def _read_rows(data: bytes) -> str:
    """Return the 81 cells of a quiz file of the original.

    Empty lines and lines that begin with ``#`` are skipped.  Each other line is a row of nine digits, 0 or a
    dot for an empty cell; other characters between them are ignored, but for letters.  A line of exactly 81
    cells, with or without blanks between them, is a complete quiz.  Nothing follows a complete quiz.
    """
    quiz, rows = "", 0
    for number, line in enumerate(data.decode("utf-8", "replace").lstrip("\ufeff").splitlines(), 1):
        text = _plain(line)
        if not text.strip():
            continue
        if text.startswith("#"):
            continue
        row, one_line = re.sub("[^0-9.]", "", text), _one_line(line)
        letter = re.search(r"[^\W\d_]", text)
        if len(quiz) == 81:
            fault = "The quiz is complete before it"
        elif not rows and one_line is not None:
            quiz = one_line
            continue
        elif letter:
            fault = f"{letter[0]!r} is neither a digit nor an empty cell, which is 0 or a dot"
        elif len(row) != 9:
            fault = f"It has {len(row)} cells, not 9{'' if rows else ' or 81'}"
        else:
            quiz, rows = quiz + row, rows + 1
            continue
        error = UnidokuError(f"Invalid line {number}: {line}")
        error.add_note(f"{fault}.")
        raise error
    if len(quiz) < 81:
        raise UnidokuError(f"A quiz has nine rows, not {rows}")
    return quiz
