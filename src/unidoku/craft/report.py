"""Describe a diagnosis in words; all sentences come from the method's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.method.pictures import ASCII, UNICODE, values_picture
from unidoku.method.proof import needed
from unidoku.method.report import Line, Words, report as method_report
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unidoku.craft.diagnose import Diagnosis

__all__ = ["report"]

_BETWEEN = "   "  # between two grids


def report(
    diagnosis: Diagnosis,
    *,
    lang: str = "en",
    ascii_only: bool = False,
    names: str = "numbers",
    chain: bool = True,
) -> Iterator[Line]:
    """Describe a diagnosis.

    Parameters
    ----------
    diagnosis : Diagnosis
        As `diagnose` returns it.
    lang : {"en", "zh"}
        English or Chinese.
    ascii_only : bool
        Use ASCII for marks and drawn lines.
    chain : bool
        Add the steps of the method that lead to a contradiction, under a title.

    Yields
    ------
    Line
        In the picture of two solutions, ``emphasis`` holds the cells where they differ.

    Examples
    --------
    >>> from unidoku.craft.diagnose import diagnose
    >>> for line in report(diagnose("11" + 79 * "."), ascii_only=True):
    ...     if line.kind != "picture":
    ...         print(line.text)
    No solution.
    These 2 clues contradict each other; without any one of them there is a solution: cell 1 = 1, cell 2 = 1.
    Cells 1 and 2 both hold 1 in row 1.
    """
    words = Words(lang, ascii_only=ascii_only, names=names)
    if diagnosis.verdict is Verdict.UNIQUE:
        return _unique(diagnosis, words)
    if diagnosis.verdict is Verdict.MULTIPLE:
        return _multiple(diagnosis, words)
    return _none(diagnosis, words, lang, chain=chain)


def _unique(diagnosis: Diagnosis, words: Words) -> Iterator[Line]:
    yield Line("title", words.say("diagnose.unique"))
    key = "diagnose.minimal" if diagnosis.minimal else "diagnose.redundant"
    yield Line("", words.say(key, cells=words.cells(diagnosis.redundant)))


def _multiple(diagnosis: Diagnosis, words: Words) -> Iterator[Line]:
    count = str(diagnosis.count)
    if not diagnosis.count_is_exact:
        count = words.say("diagnose.more", count=count)
    yield Line("title", words.say("diagnose.multiple", count=count))
    differing = diagnosis.differing_cells
    yield Line("", words.say("diagnose.two", n=len(differing), cells=words.cells(differing)))
    drawing = ASCII if words.ascii_only else UNICODE
    yield from _side_by_side([values_picture(grid.cells, drawing) for grid in diagnosis.solutions], differing)
    cells = diagnosis.unavoidable_set
    yield Line("", words.say("diagnose.unhit", n=len(cells), cells=words.cells(cells)))
    clues = words.join(
        words.say("diagnose.clue", cell=words.cell(c), digit=d) for c, d in diagnosis.deciding_clues
    )
    yield Line("end", words.say("diagnose.deciding", clues=clues))


def _none(diagnosis: Diagnosis, words: Words, lang: str, *, chain: bool) -> Iterator[Line]:
    """Describe the clues that contradict each other, and the reason."""
    yield Line("title", words.say("diagnose.none"))
    alone = diagnosis.conflict_puzzle()
    clues = words.join(
        words.say("diagnose.clue", cell=words.cell(cell), digit=alone.cells[cell - 1])
        for cell in diagnosis.conflict
    )
    yield Line("", words.say("diagnose.conflict", n=len(diagnosis.conflict), clues=clues))
    drawing = ASCII if words.ascii_only else UNICODE
    yield from (Line("picture", line) for line in values_picture(alone.cells, drawing))
    for clash in alone.clashes()[:1]:
        kind, number = clash.house.split()
        unit = words.say(kind, n=number)
        first, second = words.cell(clash.first + 1), words.cell(clash.second + 1)
        text = words.say("diagnose.givens", first=first, second=second, digit=clash.digit, unit=unit)
        yield Line("contradiction", text)
        return
    record = diagnosis.chain
    if not chain or record is None:
        return
    yield Line("title", words.say("diagnose.chain"))
    lines = method_report(
        record, lang=lang, ascii_only=words.ascii_only, names=words.names, needed=needed(record)
    )
    yield from (line for line in lines if line.kind not in {"title", "order"})


def _side_by_side(pictures: list[list[str]], differing: Iterable[int]) -> Iterator[Line]:
    """Draw two grids next to each other, with the cells 1 to 81 where they differ emphasized."""
    places = set()
    for cell in differing:
        row, column = divmod(cell - 1, 9)
        places.add((1 + row + row // 3, 2 + 2 * column + column // 3 * 2))
    for number, lines in enumerate(zip(*pictures, strict=True)):
        starts = [k * (len(lines[0]) + len(_BETWEEN)) for k in range(len(lines))]
        emphasis = sorted(start + column for start in starts for row, column in places if row == number)
        yield Line("picture", _BETWEEN.join(lines).rstrip(), tuple(emphasis))
