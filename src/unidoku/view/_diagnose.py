"""Diagnoses in words, as boards and as pages, from the sentences of the method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from unidoku._words import Line, Texts, table
from unidoku.cell import candidate_of, cell_name, cell_number
from unidoku.craft._diagnosis import Diagnosis, with_clues
from unidoku.grid import Grid
from unidoku.method._report import Words, named, proof as method_proof, values_picture
from unidoku.view._pages import template
from unidoku.view._svg import svg

_BETWEEN = "   "  # between two grids


def diagnosis_lines(
    diagnosis: Diagnosis, *, lang: str = "en", names: str = "rc", proof: bool = False
) -> Iterator[Line]:
    """Describe a diagnosis.

    Parameters
    ----------
    diagnosis : Diagnosis
        As `diagnose` returns it.
    lang : {"en", "zh"}
        English or Chinese.
    names : {"rc", "numbers"}
        Call a cell ``r1c2``, or 2 as the book does.
    proof : bool
        Also show the steps of the method that lead to a contradiction, in the notation of the book.

    Returns
    -------
    iterator of Line
        In the picture of two solutions, ``emphasis`` holds the cells where they differ. The proof is
        under a second title.

    Examples
    --------
    >>> from unidoku.craft._diagnosis import diagnose
    >>> for line in diagnosis_lines(diagnose("11" + 79 * "."), names="numbers"):
    ...     if line.kind != "picture":
    ...         print(line.text)
    No solution.
    Cells 1 and 2 both hold 1 in row 1.
    """
    words, lines = Words(lang), list[Line]()

    def tell(kind: str, key: str, **fields: object) -> None:
        lines.append(words.line(kind, key, **fields))

    if diagnosis.verdict == "unique":
        tell("title", "diagnose.unique")
        key = "diagnose.minimal" if diagnosis.minimal else "diagnose.redundant"
        tell("", key, cells=words.join(clue.partition("=")[0] for clue in diagnosis.redundant))
    elif diagnosis.verdict == "multiple":
        count, differing = str(diagnosis.count), diagnosis.differing_cells
        if not diagnosis.count_is_exact:
            count = words.say("diagnose.more", count=count)
        tell("title", "diagnose.multiple", count=count)
        tell("", "diagnose.two", n=len(differing), cells=words.join(differing))
        lines += _side_by_side(diagnosis.solutions, map(cell_number, differing))
        tell("end", "diagnose.deciding", clues=_clues(words, diagnosis.deciding_clues))
        if diagnosis.deciding_sets > 1:
            tell("", "diagnose.others", n=diagnosis.deciding_sets - 1)
        symmetry = Grid(diagnosis.puzzle).clue_symmetry
        for others in diagnosis.symmetric_clues:
            tell("", "diagnose.symmetric", symmetry=symmetry, clues=_clues(words, others))
        if remainder := diagnosis.symmetric_sets - len(diagnosis.symmetric_clues):
            tell("", "diagnose.symmetrics", n=remainder)
    else:
        tell("title", "diagnose.none")
    for typo in diagnosis.typos:
        key = "diagnose.typo_or_extra" if typo.removable else "diagnose.typo"
        tell("", key, cell=typo.cell, clue=typo.clue, digit=typo.digit)
    if remainder := diagnosis.typo_count - len(diagnosis.typos):
        tell("", "diagnose.typos", n=remainder)
    if diagnosis.verdict != "none":
        return named(lines, names)
    if not diagnosis.clashes:
        conflict = diagnosis.conflict
        tell("", "diagnose.conflict", n=len(conflict), clues=_clues(words, conflict))
    wrong = with_clues(Grid("." * 81), diagnosis.wrong_clues)
    lines += [Line("picture", line) for line in values_picture(wrong.cells)]
    for clash in diagnosis.clashes:
        fields = {
            "first": cell_name(clash.first),
            "second": cell_name(clash.second),
            "digit": clash.digit,
            "unit": Texts("rating", words.lang).house(clash.house),  # the book has other words
        }
        tell("contradiction", "diagnose.givens", **fields)
    if proof and (record := diagnosis.chain) is not None:
        tell("title", "diagnose.chain")
        lines += method_proof(record, lang=words.lang)
    return named(lines, names)


def _clues(words: Words, clues: Iterable[str]) -> str:
    pairs = (clue.split("=") for clue in clues)
    return words.join(words.say("diagnose.clue", cell=cell, digit=digit) for cell, digit in pairs)


def _side_by_side(solutions: Iterable[str], differing: Iterable[int]) -> Iterator[Line]:
    """Draw two grids next to each other, with the cells where they differ emphasized."""
    places = set()
    for cell in differing:
        row, column = divmod(cell, 9)
        places.add((1 + row + row // 3, 2 + 2 * column + column // 3 * 2))
    pictures = [values_picture(Grid(solution).cells) for solution in solutions]
    for number, lines in enumerate(zip(*pictures, strict=True)):
        starts = [k * (len(lines[0]) + len(_BETWEEN)) for k in range(len(lines))]
        emphasis = sorted(start + column for start in starts for row, column in places if row == number)
        yield Line("picture", _BETWEEN.join(lines).rstrip(), tuple(emphasis))


def boards(diagnosis: Diagnosis, *, lang: str = "en", labels: str = "rc") -> Iterator[tuple[str, str]]:
    """Draw a diagnosis.

    Parameters
    ----------
    diagnosis : Diagnosis
    lang : {"en", "zh"}
        The language of the captions.
    labels : {"numbers", "rc", "both"}
        As for `unidoku.view.svg`.

    Yields
    ------
    tuple of str
        A caption, and a board as one ``<svg>`` element, as wide as its container. The boards depend on the
        puzzle:

        - Several solutions: two of them with the differing cells in yellow, and the puzzle with the deciding
          clues in green.
        - No solution: the puzzle with the contradictory clues in red, in yellow the clues whose change leaves
          one solution, and the state at the end of the chain.
        - Both: the first such change, in green.
        - One solution: the puzzle with the redundant clues in yellow, and the solution.

    Examples
    --------
    >>> from unidoku.craft._diagnosis import diagnose
    >>> [caption for caption, picture in boards(diagnose("11" + 79 * "."))]
    ['Puzzle; the clues that contradict each other are red']
    """
    words, puzzle = Words(lang), diagnosis.puzzle
    shown = list[tuple[str, Any, dict[str, Any]]]()
    if diagnosis.verdict == "unique":
        redundant = _fill_of(diagnosis.redundant, "yellow")
        shown.append(("removable" if redundant else "puzzle", puzzle, {"fill": redundant}))
        shown.append(("solution", diagnosis.solutions[0], {"givens": puzzle}))
    elif diagnosis.verdict == "multiple":
        differing = dict.fromkeys(diagnosis.differing_cells, "yellow")
        for key, solution in zip(("first", "second"), diagnosis.solutions, strict=True):
            shown.append((key, solution, {"givens": puzzle, "fill": differing}))
        added = with_clues(Grid(puzzle), diagnosis.deciding_clues)
        deciding = _fill_of(diagnosis.deciding_clues, "green")
        shown.append(("added", added, {"givens": puzzle, "fill": deciding}))
    else:
        fill = _fill_of(diagnosis.wrong_clues, "red")
        fill |= {cell_number(typo.cell): "yellow" for typo in diagnosis.typos}
        shown.append(("changeable" if diagnosis.typos else "marked", puzzle, {"fill": fill}))
    for typo in diagnosis.typos[:1]:
        correction = [f"{typo.cell}={typo.digit}"]
        fill = _fill_of(correction, "green")
        shown.append(("corrected", with_clues(Grid(puzzle), correction), {"fill": fill}))
    if (record := diagnosis.chain) is not None:
        number = max(k for k, event in enumerate(record.events) if event.kind == "contradiction")
        event = record.events[number]
        places = (event.cell,) if event.cell else event.unit_cells
        shown.append(("last", record.state(number), {"fill": {cell - 1: "red" for cell in places}}))
    for key, state, options in shown:
        caption = words.say(f"diagnose.{key}")
        yield caption, svg(state, labels=labels, size=None, title=caption, lang=lang, **options)


def _fill_of(clues: Iterable[str], color: str) -> dict[int, str]:
    """Return the colors of the cells of clues."""
    return {candidate_of(clue)[0]: color for clue in clues}


def diagnose_page(diagnosis: Diagnosis, *, lang: str = "en") -> str:
    """Write a diagnosis as one self-contained HTML page without a script.

    Parameters
    ----------
    diagnosis : Diagnosis
        As `unidoku.craft._diagnosis.diagnose` returns it.
    lang : {"en", "zh"}

    Returns
    -------
    str
        Several solutions: two of them next to each other with the differing cells marked, and the clues that
        decide. No solution: the contradictory clues, and the steps that lead to the contradiction. One
        solution: the redundant clues.
    """
    (title, *summary), chain = _paragraphs(diagnosis, lang=lang)
    return template("diagnose.html").render(
        lang=lang,
        title=f"{Words(lang).say('diagnose.title')}: {diagnosis.puzzle}",
        heading=title,
        words=table(lang)["page"],
        summary=summary,
        chain=chain,
        boards=[*boards(diagnosis, lang=lang, labels="both")],
    )


def diagnose_pdf(diagnosis: Diagnosis, *, lang: str = "en") -> bytes:
    """Write the same as a PDF."""
    from unidoku.view._pdf import document  # not at the top: a terminal needs no PDF

    paragraphs = _paragraphs(diagnosis, lang=lang, names="rc")
    (title, *summary), chain = ([line.text for line in lines] for lines in paragraphs)
    return document(title, [*summary, [*boards(diagnosis, lang=lang)], *chain], lang)


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """Return the report in English as one text."""
    return "\n".join(line.text for line in diagnosis_lines(diagnosis))


def fragment(diagnosis: Diagnosis) -> str:
    """Return the sentences and boards for a notebook, without the chain of reasons."""
    lines = "".join(f"<p>{escape(line.text)}</p>" for line in _paragraphs(diagnosis)[0])
    figures = "".join(
        f'<figure style="margin:0;width:300px"><figcaption>{escape(caption)}</figcaption>{board}</figure>'
        for caption, board in boards(diagnosis)
    )
    return f'{lines}<div style="display:flex;flex-wrap:wrap;gap:1rem">{figures}</div>'


def _paragraphs(diagnosis: Diagnosis, **options: str) -> tuple[list[Line], list[Line]]:
    """Return the sentences about a puzzle, and the chain of reasons with its title."""
    lines = [line for line in diagnosis_lines(diagnosis, proof=True, **options) if line.kind != "picture"]
    chain = [k for k, line in enumerate(lines) if line.kind == "title"][1:] or [len(lines)]
    return lines[: chain[0]], lines[chain[0] :]
