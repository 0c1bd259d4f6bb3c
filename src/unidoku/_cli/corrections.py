"""Command lines as other programs take them: the whole line to type instead."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from unidoku._arguments import near
from unidoku._cli.commands import command_names, command_of
from unidoku._cli.run import report_format
from unidoku.files._formats import PAGES, SUFFIXES

_OPTIONS = {
    "csv tsv txt parquet arrow": "--to {}",
    "json jsonl ndjson": "--to jsonl; --json",
    "pdf html svg png": "-o [board.{}]; print -o [board.{}]",
    "image picture": "-o [board.png]; print -o [board.png]",
    "text pretty grid board draw ascii unicode": "--to text; | unidoku print --to text",
    "format output-format fmt as": "--to [FORMAT]",
    "f": "[FILE]; --to [FORMAT]",
    "input file infile i puzzle puzzles quiz sudoku": "[FILE]; --column [COLUMN]",
    "column columns col field key c": "--column [COLUMN]",
    "prediction pred predictions response answers": "--prediction [COLUMN]; --solutions",
    "solution with-solution with-solutions answer-key": "--solutions",
    "answer-column answer-col answer-field answer-key solution-column solution-col solution-field "
    "prediction-column prediction-col pred-col response-column response-field response-key": (
        "--prediction [COLUMN]; verify --prediction [COLUMN]"
    ),
    "verify": "verify --prediction [COLUMN]",
    "page-size": "--paper [A4]",
    "print/columns print/cols print/rows": "--per-page 6",
    "no-color no-colour": "| cat",
    "v version": "info",
    "max-solutions max limit": "--limit [N]; --all -n [N]; -n [N]; | head -n [N]",
    "head max-puzzles first max-steps": "| head -n [10]",
    "n count number num amount times": "-n [N]; --generate [N]; --limit [N]; --seconds [S]",
    "time-limit max-time": "--timeout [SECONDS]",
    "workers processes cores cpus parallel n-jobs jobs": "--threads [N]",
    "silent s": "--quiet",
    "outfile output-file out save": "--output [PATH]",
    "repeat repeats runs iterations": "--seconds [S]",
    "test": "--fractions 0.8,0.2",
    "train ratio": "--fractions 0.8,0.2 -o train.txt -o test.txt",
    "symmetric symmetrical rotational": "--symmetry 180",
    "filter select": "--where [COLUMN=VALUES]",
    "level hardness difficulty": "--difficulty [WORD]; --degree [N]; rate --where difficulty=[WORD]",
    "generate/rating generate/er": "--where er=[3.0-4.0]",
    "rating er": "rate --where er=[3.0-4.0]",
    "clues num-clues n-clues givens": "--clues [24-26]; --where clues=[24-26]",
    "sort sort-by order order-by": "--order [er]; rate --columns [er],puzzle | sort -n",
    "desc descending reverse": "| sort -rn",
    "canonical/unique canonical/dedupe canonical/dedup": "| unidoku convert - --unique",
    "convert/unique dedupe dedup deduplicate distinct": "--unique; convert --unique",
    "unique valid": "--only unique; check --only unique",
    "multiple none": "--only {}; check --only {}",
    "invalid": "--only none,multiple,invalid; check --only none,multiple,invalid",
    "random-seed random-state": "--seed [S]",
    "easy medium hard expert extreme": "--difficulty {}; rate --where difficulty={}",
    "generate/technique generate/techniques": "--where technique=[X-Wing]",
    "hint/steps hint/count hint/n explain/n explain/count explain/steps": "explain | head -n [4]",
    "technique techniques": "--technique [NAME]; --techniques [NAMES]; steps",
    "show-steps steps explain explanation": "explain",
    "rate/statistics rate/stats rate/histogram rate/summary": "rate --columns difficulty | sort | uniq -c",
    "report": "> [report.txt]",
    "pencilmarks pencil-marks candidates marks": "--candidates; print --candidates",
    "random shuffle": "transform -n 1",
    "transpose": "transform --reflect diagonal",
    "mirror flip": "transform --reflect vertical",
    "relabel": "transform --digits 912345678",
    "language": "--lang [en]",
}
"""Options of other programs, by what to type: the first alternative whose options the command has.

An alternative is options, only the value, another command with options, or what follows the line.  Brackets
are around the value of the line, or a usual one.  A row with ``/`` is for one command.  A row is also for
longer options with its word, such as ``--puzzle-col``; the first such row counts.
"""
_ROWS = {word: instead.replace("{}", word) for words, instead in _OPTIONS.items() for word in words.split()}
_AFTER = ("|", ">")
_FORMATS = {".FORMAT", *SUFFIXES}
"""The suffixes of formats of rows, and the word for one that is not known."""

_COMMANDS = {
    "verify": "grade score evaluate eval compare",
    "generate": "gen create make new random quiz puzzle daily",
    "solve": "answer solution finish solver",
    "solve --all": "solutions all-solutions",
    "rate --where difficulty=easy": "filter select",
    "check --only unique": "filter unique",
    "check": "validate valid test proper is-unique",
    "rate --columns difficulty | sort | uniq -c": "stats statistics describe summary",
    "rate --columns er,puzzle | sort -n": "sort",
    "rate": "grade level score difficulty rating hardness analyze analyse classify",
    "console": "shell repl play interactive",
    "explain": "teach walkthrough human",
    "explain --open": "play game gui",
    "hint": "tip next",
    "hint --all": "hints",
    "print --candidates --to text": "candidates pencil-marks pencilmarks",
    "print": "draw show view display plot",
    "print -o board.pdf": "pdf book booklet sheet worksheet",
    "print -o board.png": "png image picture",
    "print -o board.svg": "svg html render",
    "diagnose": "why repair fix typo",
    "convert": "export import merge concat parse",
    "convert --unique": "dedupe dedup deduplicate distinct unique-puzzles unique",
    "canonical | unidoku convert - --unique": "dedupe dedup deduplicate distinct",
    "convert | head": "head",
    "transform -n 1": "shuffle permute scramble augment",
    "transform --rotate 90": "rotate",
    "transform --reflect vertical": "mirror flip reflect",
    "count": "enumerate count-solutions n-solutions",
    "neighbours": "similar near nearby",
    "canonical": "normalize normalise minlex canonicalize canonicalise",
    "minimize": "minimal reduce minimise",
    "bench": "benchmark speed",
    "info": "version about cpu formats",
    "audit": "lint leakage",
}
"""Words of other programs, by the command, perhaps with options, to type for them."""

_PUZZLES = {*"--puzzle --puzzles --quiz --quizzes --gold --truth --reference --references".split()}
_ANSWERS = {*"--answer --answers --solution --solutions --prediction --predictions --responses".split()}


def commands_for(word: str) -> list[str]:
    """Return the commands, perhaps with options, to type for a word of another program."""
    return [instead for instead, words in _COMMANDS.items() if word.lower() in words.split()]


_BOUND = re.compile(r"(?:^|(?<=\0))(--(min|max)[-_](clues|er|rating))[=\0]([\d.]+)(?:\0|$)")
"""An option for the lowest or the highest number, in words that NUL joins."""


def _with_ranges(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options of bounds, such as --min-clues, and words with ranges instead."""
    line, ranges = "\0".join(words), dict[str, dict[str, str]]()
    bounds = _BOUND.findall(line)
    for _, which, of, number in bounds:
        ranges.setdefault(of, {})[which] = number
    rest = [word for word in _BOUND.sub("", line).split("\0") if word]
    for of, ends in ranges.items():
        rest += [f"--{of}", f"{ends['min']}-{ends.get('max', '')}" if "min" in ends else f"<={ends['max']}"]
    return [flag for flag, *_ in bounds], rest


def instead_of_line(name: str, words: Sequence[str]) -> tuple[list[str], str, bool]:
    """Return the wrong words of a command line, the line to type instead, and whether it leaves some out."""
    if name == "verify" and (line := _line_of_pair(words)):
        return [word for word in words if word[:1] == "-"], line, False
    command = command_of(name)
    has_inputs = any(param.name == "inputs" for param in command.params)
    right, tail, is_short = list[str](), list[str](), False
    seen: list[Any] = []
    wrong, left = _with_ranges(words)
    typed = {*words}
    while left:
        word = left.pop(0)
        option = _option(command, word)
        if word in _AFTER:
            tail = [word, *left, *tail]
            break
        if option:
            value = left[: word in option.opts and not option.is_flag]
            del left[: len(value)]
            if option.multiple or option not in seen:
                right += [word, *value]
            seen.append(option)
            continue
        if has_inputs and (word[:1] != "-" or word == "-"):
            right.append(word)
            continue
        if word in typed:
            wrong.append(word.partition("=")[0])
        asked = f"count={word}" if word.isdecimal() and not _is_input(word) else word
        instead = _instead_of(command, name, asked, left)
        if not instead:
            is_short = True
        elif instead[0] in _AFTER:
            tail += instead
        elif instead[0] in command_names():
            more, line, has_less = instead_of_line(instead[0], [*right, *left, *instead[1:]])
            more = [other for other in more if other not in right and not _option(command, other)]
            return [*wrong, *more], " ".join([line, *tail]), is_short or has_less
        else:
            left = [*instead, *left]
    return wrong, " ".join(["unidoku", name, *map(shlex.quote, right), *tail]), is_short


def _option(command: Any, word: str) -> Any:
    """Return the option of a command that a word names, perhaps with its value: --to, --to=csv, -n5."""
    flag = word.partition("=")[0]
    if f"-{flag}" in command.option_of:  # a long name after one dash
        return None
    return command.option_of.get(flag) or command.option_of.get(word[:2])


def _is_input(word: str) -> bool:
    """Return whether a word can only be an input: a file or folder, a puzzle or a link."""
    return word == "-" or os.path.lexists(word) or "://" in word or len(word) > 60


def _instead_of(command: Any, name: str, word: str, left: list[str]) -> list[str]:
    """Return what to type for a word that a command lacks; take its value from the words that are left.

    The next word is its value, unless that is another option, or an input and no file is asked for.
    """
    flag, *given = word.split("=", 1)
    left[:0] = given
    if f"-{flag}" in command.option_of:
        return [f"-{flag}"]
    asked, value = flag.strip("-").lower().replace("_", "-"), [*left, ""][0]
    if value[:1] == "-":
        value = ""
    has_value, is_input = value != "", _is_input(value)
    if _ROWS.get(asked) == "--to [FORMAT]" and value.lower() in _ROWS:
        asked, value = value.lower(), ""
    flags = {
        flag.strip("-"): flag + " [VALUE]" * (not option.is_flag)
        for flag, option in command.option_of.items()
    }
    rows = [_ROWS.get(f"{name}/{asked}", ""), _ROWS.get(asked, "")]
    rows += [flags[close] for close in near(asked, flags, 0.75)]
    rows += [_ROWS[part] for part in _ROWS if part in asked.split("-")]
    for instead in "; ".join(filter(None, rows)).split("; "):
        takes = not is_input or "[FILE]" in instead
        typed = value.replace("\\", r"\\") * takes
        words = re.sub(r"\[(.*?)\]", typed or r"\1", instead).split()
        if words and _fits(command, name, words):
            del left[: has_value and takes]
            return words
    del left[: has_value and not is_input]
    return []


def _fits(command: Any, name: str, words: list[str]) -> bool:
    """Return whether words are an input, or what a command has: its options, with a format that it writes."""
    first, last = words[0], words[-1]
    if first[0] != "-":
        return first in {*_AFTER, *command_names()} or _is_input(first) or "." in first
    if first == "-o" and name not in PAGES.get(os.path.splitext(last)[1], [name]):
        return False
    pages = getattr(command.about, "formats", ())
    if first == "--to" and not (report_format(last, pages) if pages else f".{last}" in _FORMATS):
        return False
    return all(word in command.option_of for word in words if word[0] == "-")


def _line_of_pair(words: Sequence[str]) -> str:
    """Return the line that verifies answers in an argument or file of their own; empty if there are none."""
    of = dict(pairwise(words))
    puzzles, answers = ([of[flag] for flag in flags & of.keys()] for flags in (_PUZZLES, _ANSWERS))
    if not (puzzles and answers and _is_input(answers[0])):
        return ""
    if os.path.lexists(answers[0]):
        return f"paste -d, {shlex.quote(puzzles[0])} {shlex.quote(answers[0])} | unidoku verify"
    return f"echo {puzzles[0]},{answers[0]} | unidoku verify"
