"""SVG pictures of a diagnosis, with captions, for pages and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unidoku.board import Cage, board
from unidoku.method.report import Words
from unidoku.method.state import UNITS
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unidoku.craft.diagnose import Diagnosis
    from unidoku.method.record import Record

__all__ = ["Drawn", "boards"]


class Drawn(NamedTuple):
    """A board and its caption.

    Attributes
    ----------
    caption : str
        Plain text.
    svg : str
        One ``<svg>`` element, as wide as its container.
    """

    caption: str
    svg: str


def boards(diagnosis: Diagnosis, *, lang: str = "en", labels: str = "numbers") -> Iterator[Drawn]:
    """Draw a diagnosis.

    Parameters
    ----------
    diagnosis : Diagnosis
    lang : {"en", "zh"}
        The language of the captions.
    labels : {"numbers", "rc", "both"}
        As for `unidoku.board.board`.

    Yields
    ------
    Drawn
        Several solutions: two of them with the differing cells in yellow, and the puzzle with the deciding
        clues in green. No solution: the puzzle with the contradictory clues in red, and the state at the end
        of the chain. One solution: the puzzle with the redundant clues in yellow, and the solution.
    """
    words = Words(lang)
    clues = diagnosis.puzzle.cells

    def drawn(
        key: str,
        values: bytes,
        givens: bytes = clues,
        *,
        fill: dict[int, str] | None = None,
        marks: dict[int, tuple[int, ...]] | None = None,
        cages: Sequence[Cage] = (),
    ) -> Drawn:
        caption = words.say(key)
        cells: dict[int | tuple[int, int], str] = {cell - 1: color for cell, color in (fill or {}).items()}
        picture = board(
            values, givens, candidates=marks, fill=cells, cages=cages, labels=labels, title=caption
        )
        return Drawn(caption, picture)

    if diagnosis.verdict is Verdict.UNIQUE:
        redundant = dict.fromkeys(diagnosis.redundant, "yellow")
        yield drawn("diagnose.removable" if redundant else "diagnose.puzzle", clues, fill=redundant)
        yield drawn("diagnose.solution", diagnosis.solutions[0].cells)
    elif diagnosis.verdict is Verdict.MULTIPLE:
        differing = dict.fromkeys(diagnosis.differing_cells, "yellow")
        first, second = diagnosis.solutions
        unhit = [Cage((cell - 1,)) for cell in diagnosis.unavoidable_set]
        yield drawn("diagnose.first", first.cells, fill=differing, cages=unhit)
        yield drawn("diagnose.second", second.cells, fill=differing)
        more = bytearray(clues)
        for cell, digit in diagnosis.deciding_clues:
            more[cell - 1] = digit
        deciding = dict.fromkeys((cell for cell, _ in diagnosis.deciding_clues), "green")
        yield drawn("diagnose.added", bytes(more), fill=deciding)
    else:
        yield drawn("diagnose.marked", clues, fill=dict.fromkeys(diagnosis.conflict, "red"))
        if diagnosis.chain is not None:
            values, givens, marks, fill = _last_state(diagnosis.chain)
            yield drawn("diagnose.last", values, givens, fill=fill, marks=marks)


def _last_state(record: Record) -> tuple[bytes, bytes, dict[int, tuple[int, ...]], dict[int, str]]:
    """Return values, clues, candidates and fills of the contradiction at the end of a record."""
    number = max(k for k, event in enumerate(record.events) if event.kind == "contradiction")
    event = record.events[number]
    values, givens, marks = record.state(number).drawn_state()
    places = (event.cell,) if event.cell else UNITS[event.unit - 1]
    return values, givens, marks, dict.fromkeys(places, "red")
