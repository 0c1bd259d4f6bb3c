"""Count what is hard to read in pages, help, messages and docstrings: ``python tools/prose.py`` (lint).

Pages must have none; the places of `PENDING` are a to-do list with counts (``-v`` lists them).  It finds

- sentences of more than 40 words, or with two semicolons: write two sentences, or a list;
- paragraphs of more than 80 words: split them, add a heading, or move exceptions into a table;
- expressions of `PATTERNS`, which are German syntax with English words, and says what to write instead.

It skips code, quotations (`> …`) and generated figures.  A cell of a table counts as a paragraph, and may
have semicolons.  If an expression is right where you use it, add its sentence to `ALLOWED`.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CATALOG = ROOT / "src/unidoku/locale/zh/LC_MESSAGES/unidoku.po"
PENDING = ("help and messages",)
LONGEST_SENTENCE, LONGEST_PARAGRAPH = 40, 80  # words; aim at 20 and 60
ALLOWED: tuple[str, ...] = (  # sentences whose expression is meant
    "Order of work: theorems X; X; X; X.",  # a list, whose items have commas
)
PATTERNS = {
    r"^What\b.*[^?]$": "begin with the thing: 'Anything that is not text is read as cells'",
    r"(?<!there )\b(?:is|are|be|was) no\b(?! longer| more)": "negate the verb: 'is not a puzzle', 'does not'",
    r"\bbeside\b": "next to, besides, in addition to, other than",
    r"\bbehind\b": "after",
    r"\bstands?\b(?! for| out)": "is; or leave it out",
    r"(?<!one )\bof (?:which|(?:these|those)(?! [a-z]+s\b))\b|\b(?:those|that) of\b": "repeat the noun",
    r"(?<!stand)\balone\b": "only",
    r"\b(?:ones|others)\b": "the noun",
    r"\btoo(?=[.,;:)]|$)": "also, before the verb",
    r"\b(?:that|where) there (?:is|are)\b(?! no| a| an| one| several)": "an adjective: 'an unknown option'",
    r";.*;": "two sentences, or a list",
}


class Paragraph(NamedTuple):
    """A paragraph, an item of a list or a cell of a table, and where it begins."""

    where: str
    words: str
    in_table: bool = False


def markdown(name: str, text: str) -> Iterator[Paragraph]:
    """Yield each paragraph, item and cell of a page, without code."""
    skipped = r"(?ms)^ *(`{3,}).*?^ *\1$|<!-- figures.*?end of figures -->|<!--.*?-->|^(>|    ).*?$"
    text = re.sub(skipped, lambda match: "\n" * match[0].count("\n"), text)
    for match in re.finditer(r"(?:^(?!#|\s*\||\s*$).+\n?)+|^\s*\|.*$", text, re.MULTILINE):
        line, block = text.count("\n", 0, match.start()) + 1, match[0].strip("| \n")
        is_table = match[0].lstrip().startswith("|")
        for part in re.split(r" \| " if is_table else r"(?m)^ *(?:[-*]|\d+\.) ", block):
            words = re.sub(r"(`+).+?\1", "CODE", part, flags=re.DOTALL)
            words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|<[^>]+>|[*_]{2}", r"\1", words)
            where = f"{name}:{line + block.count(chr(10), 0, block.find(part))}"
            yield Paragraph(where, " ".join(words.split()), is_table)


def docstrings(name: str, code: str) -> Iterator[Paragraph]:
    """Yield each paragraph, item and description of docstrings, without examples, tables and types."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                for words in _parts(inspect.cleandoc(text)):
                    yield Paragraph(f"{name}:{node.lineno}", " ".join(words.split()))


def _parts(text: str) -> Iterator[str]:
    """Split a docstring at blank lines, at items, and where a description begins or ends."""
    text = re.sub(r"(?m)^\S.*\n-{3,}$|^\w+(?:, \w+)* : .*$", "", text)
    for block in re.split(r"\n\s*\n", text):
        if ">>>" not in block and "=====" not in block:
            lines, last = list[str](), 0
            for line in block.splitlines():
                indent = len(line) - len(line.lstrip())
                is_next = indent % 4 == 0 and indent != last
                lines.append("\0" * is_next + line)
                last = indent
            yield from re.split(r"\0|\n(?= *(?:- |\d+\. ))", "\n".join(lines))


def findings(words: str, *, is_table: bool) -> Iterator[tuple[str, str]]:
    """Yield ``sentences`` for each sentence, and the kind of each finding with a text."""
    if not is_table and (number := len(words.split())) > LONGEST_PARAGRAPH:
        yield "paragraphs", f"paragraph of {number} words: {words[:60]}…"
    for sentence in re.split(r"(?<=[.!?])['\")]* +(?=[A-Z(\"'`])", words):
        yield "sentences", ""
        if (number := len(sentence.split())) > LONGEST_SENTENCE:
            yield "long", f"sentence of {number} words: {sentence[:60]}…"
        for pattern, instead in PATTERNS.items():
            match = None if sentence in ALLOWED else re.search(pattern, sentence)
            if match and not (is_table and ";" in pattern):
                yield "expressions", f"{match[0][:40]!r} in '{sentence[:60]}…': {instead}"


def places() -> Iterator[tuple[str, list[Paragraph]]]:
    """Yield each page, the help with the messages, and the docstrings."""
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
        if path.name not in {"commands.md", "zh.md"}:
            name = path.relative_to(ROOT).as_posix()
            yield name, [*markdown(name, path.read_text(encoding="utf-8"))]
    entries = re.findall(r'(?m)^msgid ((?:".*"\n)+)', CATALOG.read_text(encoding="utf-8"))
    messages = ["".join(re.findall(r'"(.*)"\n', entry)).replace("\\n", " ") for entry in entries]
    messages = [re.sub(r"\{[^}]*\}", "X", message) for message in messages]  # a value, whatever its name
    yield "help and messages", [Paragraph("message", message) for message in messages]
    found = list[Paragraph]()
    for path in sorted((ROOT / "src").rglob("*.py")):
        found += docstrings(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    yield "docstrings", found


def main() -> None:
    """Print the counts of all places and what is found; fail if a page that is not pending has findings."""
    failed = False
    print(f"{'':28} sentences  > {LONGEST_SENTENCE} words  paragraphs > {LONGEST_PARAGRAPH}  expressions")
    for place, paragraphs in places():
        found = [
            (paragraph.where, *finding)
            for paragraph in paragraphs
            for finding in findings(paragraph.words, is_table=paragraph.in_table)
        ]
        kinds = Counter(kind for _, kind, _ in found)
        counts = (kinds[kind] for kind in ("sentences", "long", "paragraphs", "expressions"))
        print("{:28} {:9} {:11} {:15} {:12}".format(place, *counts))
        shown = [f"  {where}: {text}" for where, _, text in found if text]
        if place not in PENDING or "-v" in sys.argv:
            print(*shown, sep="\n", end="\n" if shown else "")
        failed |= place not in PENDING and bool(shown)
    sys.exit(failed)


if __name__ == "__main__":
    main()
