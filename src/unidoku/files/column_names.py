"""The names of columns, and what they declare: puzzles, solutions, answers, ratings or remarks.

A name counts in any case, with an ``s``, and with its words in any style (``Model Output``, ``modelOutput``).
If no table has a name of several words, its last word says what it is, and words such as ``gold`` or ``llm``
say whose text it is: ``gpt4_output`` and ``llm_text`` are answers, ``gold_answer`` is a solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from unidoku.files.paths import ASKERS, THOUGHTS

PUZZLE_NAMES = (
    *("puzzle", "quizzes", "question", "sudoku", "initial_board", "grid", "quiz", "puzzles", "board", "q"),
)
"""Names of the puzzle's column in well-known data sets."""
SOLUTION_NAMES = (
    *("solution", "second_solution", "solution_grid", "solution_board", "sol", "solved", "solved_board"),
    *("answer", "a", "expected", "expected_count", "expected_solution", "expected_output"),
    *("gold", "ground_truth", "truth", "gt", "target", "label", "reference", "reference_answer", "ideal"),
)
"""Names of columns of solutions in well-known data sets."""
ANSWER_NAMES = (
    *("prediction", "predicted", "predicted_solution", "response", "completion", "output", "resp"),
    *("generated_text", "generation", "generated", "model_answer", "model_output", "reply", "predict"),
    *("pred", "filtered_resp", "samples", "sampled", "rollout", "chosen", "rejected", "out"),
)
"""Names of columns of answers to compare: predictions of programs and models."""
_CHOICES = ("choice", "candidate", "message", "submission", "attempt")
"""Names of columns of answers if no column has one of those above; of several messages without ``s``."""
_CONVERSATIONS = ("messages", "conversation", "contents", "trajectory", "dialog", "dialogue", "chat", "body")
"""Names of columns of answers if no column has one of those above."""
RATING_NAMES = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "card", "rating", "ratings", "effort"),
    *("steps", "search_steps", "search_level", "search_level_step", "book_class"),
    *("search_first_steps", "search_first_level", "search_first_level_step"),
    *("level", "level_step", "first_steps", "first_level", "first_level_step", "class"),  # of version 1.0
)
"""Names of columns that may differ for images: of several steps a search takes the first one."""
_SHORT_REMARKS = (
    *("key", "number", "no", "line", "row", "title", "author", "description", "comment", "note", "page"),
    *("clues", "givens", "symmetry", "verdict", "complete", "minimal", "unique", "nodes", "techniques"),
    *("uses", "sentence", "rules", "split", "refusal", "set", "reward_model", "store", "event", "filter"),
    "argument",
)
"""Names of columns that are neither solutions nor answers, if they are the whole name."""
_REMARKS = (
    *("id", "uuid", "hash", "index", "idx", "file", "seed", "name", "source", "date", "at", "by", "time"),
    *("timestamp", "created", "latency", "tag", "url", "path", "count", "reason", "error", "status"),
    *("version", "category", "type", "kind", "language", "metadata", "meta", "info", "score", "reward"),
    *("metric", "difficulty", "rating", "level", "format", "schema", "rationale"),
    *("prompt", "system", "instruction", "input", "context", "template", "problem", "query", "request"),
    *("tool", "model", "generator", "provider", "dataset", "task", "usage", "token", "logprobs", "cost"),
    *("config", "chain_of_thought", "cot", *THOUGHTS),
)
"""Names of columns that are neither solutions nor answers, also as the last word of a name."""
_GOLD_WORDS = frozenset(
    ("gold", "golden", "expected", "correct", "true", "truth", "reference", "ref", "target", "gt", "ideal")
)
"""Words that say that a text is a solution: ``correct_grid``."""
_MODEL_WORDS = frozenset(
    (
        *("model", "llm", "ai", "assistant", "bot", "agent"),
        *("predicted", "prediction", "pred", "generated", "generation", "sampled"),
    )
)
"""Words that say that a text is a model's: ``llm_text``."""
_FORMS = ("text", "string", "str", "content", "raw", "body", "value", "data")
"""Last words that say how a text is written, not what it is."""
_SAID = ("output", "response", "completion", "prediction", "generation", "reply")
"""Last words of names of answers, whatever is in front: ``gpt4_output``."""
_OTHERS = frozenset(("input", *ASKERS))
"""First words of names of texts that no model wrote: ``user_reply``, ``input_output``."""
_TEXTS = frozenset(
    name
    for name in (*SOLUTION_NAMES, *ANSWER_NAMES, *_CHOICES, *PUZZLE_NAMES, *_CONVERSATIONS, *_FORMS)
    if "_" not in name and len(name) > 1
)
"""Last words of names of texts."""
BEFORE = "input_"
"""The prefix of columns that describe the puzzle before a change, not the puzzle next to them."""
OUTER = "outer_"
"""The prefix of values above a record that has a value of the same name."""

_TABLES = {
    "solution": SOLUTION_NAMES,
    "answer": ANSWER_NAMES,
    "conversation": _CONVERSATIONS,
    "choice": _CHOICES,
    "remark": frozenset((*PUZZLE_NAMES, *RATING_NAMES, *_SHORT_REMARKS, *_REMARKS)),
}
_BETWEEN_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")


def role_of(name: str) -> str:
    """Return what a name declares, or nothing.

    It is ``solution`` or ``conversation``, or one of ``answer``, ``model text``, ``choice`` and ``output``,
    which all are answers.
    """
    return _meaning_of(name).replace("remark", "")


def is_answer(name: str) -> bool:
    """Return whether a name declares that a program or a model wrote the text."""
    return role_of(name) in ("answer", "model text", "output")


def is_known(name: str) -> bool:
    """Return whether a name means puzzles, ratings, ids or remarks, perhaps of an input (law 5)."""
    for prefix in (BEFORE, OUTER):
        if name.lower().startswith(prefix):
            name = name[len(prefix) :]
    return _meaning_of(name) == "remark"


@lru_cache(1000)
def _meaning_of(name: str) -> str:
    """Return the role that a name declares, ``remark``, or nothing."""
    words = [word.lower() for word in _BETWEEN_WORDS.split(name) if word]
    whole = "_".join(words)
    for meaning, names in _TABLES.items():
        if _is_in(whole, names):
            return meaning
    if len(words) < 2:
        return ""
    return _meaning_of_words(words)


def _meaning_of_words(words: list[str]) -> str:
    """Return what a name of several words declares that is in no table."""
    last = words[-1]
    if _is_in(last, _REMARKS):
        return "remark"
    if words[0] in _OTHERS:
        return ""
    if last in _FORMS and _MODEL_WORDS.issuperset(words[:-1]):
        return "model text"
    if last in _FORMS or last.isdecimal():
        meaning = _meaning_of("_".join(words[:-1]))
        if meaning:
            return meaning
    if not _is_in(last, _TEXTS):
        return ""
    return _meaning_of_text(words)


def _meaning_of_text(words: list[str]) -> str:
    """Return whether a name of several words declares a solution, a model's text, an output or nothing."""
    is_gold, is_by_model = not _GOLD_WORDS.isdisjoint(words), not _MODEL_WORDS.isdisjoint(words)
    if is_gold and is_by_model:
        return ""
    if is_gold:
        return "solution"
    if is_by_model:
        return "model text"
    if _is_in(words[-1], _SAID):
        return "output"
    is_about_run = words[-1] == "message" and words[-2] in _REMARKS
    return "remark" if is_about_run else ""


def _is_in(word: str, names: Iterable[str]) -> bool:
    """Return whether a table has a word, perhaps without its ``s``."""
    return word in names or word.removesuffix("s") in names


def ratings_in(names: Iterable[str]) -> list[str]:
    """Return the columns of ratings; a name next to a technique belongs to a step, as `rate` writes it."""
    given = {name: name.lower() for name in names}
    ratings = (*RATING_NAMES, "name") if "technique" in given.values() else RATING_NAMES
    return [name for name, known in given.items() if known in ratings]
