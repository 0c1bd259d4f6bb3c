"""A step or a hint as a picture; a hint as a page, and on a terminal: its board next to the sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from unidoku._words import Line, table, wrap
from unidoku.cell import HOUSES, HOUSES_OF, cell_number, thirds_of
from unidoku.rating._deduction import Deduction, Position
from unidoku.rating._steps import Hint, Step, deduction_from, position_before
from unidoku.view._svg import (
    COLORS,
    LINES,
    ROLES,
    Arrow,
    sign_of_color,
    sign_of_link,
    sign_of_removed,
    sign_of_role,
    svg,
    with_legend as add_legend,
)

MOST_LINKS = 48
"""The most links for which a picture has arrows: nobody can follow more."""

_SHAPES = {"off": "off", "on": "on", "pattern": "pattern", "subset": "pattern", "extra": "extra"}
_COLORS = {"weak": "link", "strong": "link", "inner": "purple"}
_JOINED = {"chain", "cycle"}
"""The drawn families in which one end, or one group, must hold."""


def look(
    step: Deduction, *, most_links: float = MOST_LINKS
) -> tuple[dict[int, str], dict[tuple[int, int], str], list[Arrow]]:
    """Return the colors of cells, the roles of candidates and its arrows, none if there are more."""
    is_joined = step.drawn_family in _JOINED
    cells, roles = _look_of_chain(step) if is_joined else _look_of_pattern(step)
    if len(step.links) > most_links:
        return cells, roles, []
    arrows = [
        Arrow(link.start, link.end, _COLORS[link.kind], link.kind != "strong", head=not is_joined)
        for link in step.drawn_links
    ]
    return cells, roles, arrows


def _look_of_chain(step: Deduction) -> tuple[dict[int, str], dict[tuple[int, int], str]]:
    """Return the colors and roles of a chain or cycle in which one end or one group must hold.

    Lines are between what holds together, and what the step removes is not there.
    """
    links = step.drawn_links
    nodes = [links[0].start, *(link.end for link in links)]
    roles = dict.fromkeys(nodes, "pattern")
    if step.drawn_family == "cycle":
        roles |= dict.fromkeys(nodes[1::2], "extra")
    else:
        roles |= dict.fromkeys((nodes[0], nodes[-1]), "end")
    return {cell: "blue" for cell, _ in nodes}, roles


def _look_of_pattern(step: Deduction) -> tuple[dict[int, str], dict[tuple[int, int], str]]:
    """Return the colors and roles of any other step: its houses, its cells and its candidates."""
    cells, roles = dict[int, str](), dict[tuple[int, int], str]()
    for role in ("house", "other", "base"):
        for house in step.houses.get(role, ()):
            cells.update(dict.fromkeys(HOUSES[house], "gray"))
    if step.row.around:
        lines, excluders = step.row.around(step)
        cells |= dict.fromkeys(lines, "yellow") | dict.fromkeys(excluders, "orange")
    for role, group in step.cells.items():
        cells.update(dict.fromkeys(group, step.row.colors[role]))
    for role, shape in _SHAPES.items():
        roles.update(dict.fromkeys(step.candidates.get(role, ()), shape))
    if step.name == "BUG+1":  # the digit is there three times in each house of the cell
        ((cell, digit), *_) = step.candidates["extra"]
        places = (place for house in HOUSES_OF[cell] for place in step.before.places(house, digit))
        roles |= {(place, digit): "pattern" for place in places if place != cell}
    if step.chains:  # a chain ends at the candidate that it places; other steps show the digit
        roles.update(dict.fromkeys(step.placements, "placed"))
    else:
        filled = dict(step.placements)
        cells.update(dict.fromkeys(filled, "green"))
        roles = {place: role for place, role in roles.items() if place[0] not in filled}
    return cells, roles


def legend(step: Hint | Step, lang: str, *, black: bool = False) -> list[tuple[str, str]]:
    """Return the legend of a picture: each color, shape and line of it, as SVG, and what it says."""
    if step.technique is None:
        return []
    deduction = deduction_from(step)
    words = table(lang)["steps"]
    texts = {**words, "green": words["placed"], **deduction.legend(words)}
    cells, roles, links = look(deduction)
    used = {*cells.values(), *roles.values()}
    drawn = {color: sign_of_color(color, black=black) for color in COLORS}
    drawn |= {role: sign_of_role(role, black=black) for role in ROLES}
    entries = [(sign, texts[key]) for key, sign in drawn.items() if key in used]
    for dashed, head in sorted({(link.dashed, link.head) for link in links}):
        sign = sign_of_link(dashed=dashed, head=head, black=black)
        entries.append((sign, texts[LINES[dashed, head]]))
    if step.eliminations:
        entries.append((sign_of_removed(black=black), texts["gone"]))
    return entries


def picture(
    step: Step | Hint,
    *,
    size: int | None = 400,
    lang: str = "en",
    with_legend: bool = False,
    black: bool = False,
) -> str:
    """Draw a step, or the mistakes of a hint.

    Parameters
    ----------
    step : Step or Hint
        As `unidoku.steps`, `unidoku.all_steps` or `unidoku.hint` return it.
    size : int or None
        As for `svg`.
    lang : {"en", "zh"}
        The language of the legend and of the texts for screen readers, other than the sentence of the step.
    with_legend : bool
        Say below the board what its colors, shapes and lines mean.
    black : bool
        Draw without colours, for paper.

    Returns
    -------
    str
        One ``<svg>`` element. A step shows its pattern, and what it removes or places; up to 48 links of its
        chains are arrows.
    """
    if step.technique is None:
        fill = dict.fromkeys(_mistaken(step), "red")
        look_of_board: dict[str, Any] = {"labels": "rc", "size": size, "black": black, "lang": lang}
        return svg(position_before(step), fill=fill, title=step.sentence, **look_of_board)
    deduction = deduction_from(step)
    colors, roles, links = look(deduction)
    position = deduction.before
    removed = deduction.eliminations + deduction.further_eliminations
    marked: dict[Any, str] = {**colors, **dict.fromkeys(removed, "red")}
    drawn = svg(
        position if deduction.chains else position.after(deduction.placements, ()),
        fill=marked,
        roles=roles,
        removed=removed,
        links=links,
        labels="rc",
        size=size,
        black=black,
        title=step.sentence,
        lang=lang,
    )
    return add_legend(drawn, legend(step, lang, black=black), size) if with_legend else drawn


_KINDS = {
    "placed": ("><", "black on #5faf5f"),
    "pattern": ("[]", "black on #87afff"),
    "removed": ("//", "#ffffff on #c00000"),
    "wrong": ("!!", "#ffffff on #c00000"),
    "house": ("  ", "black on #878787"),
}
"""How cells are marked, in the order of the legend: by characters around the symbol, or by a color.

The color has its ink, so that it is read on light and on dark terminals.
"""
_NARROW = 34  # with fewer columns next to the board, the sentence is below it


def hint_page(hint: Hint | Step, *, lang: str = "en", black: bool = False) -> str:
    """Write a hint as one self-contained HTML page: its picture with its sentence."""
    from unidoku.view._pages import template  # not at the top: a terminal needs no pages

    return template("hint.html").render(
        lang=lang,
        black=black,
        title=hint.sentence,
        board=picture(hint, size=None, lang=lang, black=black),
        lines=[hint.sentence, *hint.details],
        signs=legend(hint, lang, black=black),
    )


def hint_pdf(hint: Hint | Step, *, lang: str = "en", black: bool = False) -> bytes:
    """Write the same as a PDF."""
    from unidoku.view._pdf import document  # not at the top: a terminal needs no pages

    texts, board = table(lang), ("", picture(hint, size=None, lang=lang, black=black))
    title = texts["names"][hint.name] if hint.name else texts["sheets"]["title"]
    blocks: list[object] = [[board], {"signs": legend(hint, lang, black=black)}, hint.sentence, *hint.details]
    return document(title[:1].upper() + title[1:], blocks, lang, black=black)


class Exercise(NamedTuple):
    """A position to find a pattern in, and every right answer."""

    position: Position
    answers: Sequence[Hint]


def class_sheet(
    example: Hint, exercises: Sequence[Exercise], lang: str, *, black: bool = False
) -> dict[str, Any]:
    """Return the texts and pictures of a sheet for a class: an example, exercises, and the key."""
    texts, name = table(lang)["sheets"], table(lang)["names"][example.name or ""]
    title = name[:1].upper() + name[1:]
    board: dict[str, Any] = {"size": None, "lang": lang, "black": black}
    kind, key = "placed" if example.placements else "removed", []
    for number, (_, answers) in enumerate(exercises, 1):
        lines = [line for answer in answers for line in (answer.sentence, *answer.details)]
        if len(answers) > 1:
            lines.insert(0, texts["several"].format(n=len(answers)))
        key.append((str(number), picture(answers[0], **board), lines))
    return {
        "example": texts["example"].format(name=title),
        "board": picture(example, **board),
        "signs": legend(example, lang, black=black),
        "lines": [example.sentence, *example.details],
        "title": texts["exercises"].format(name=title),
        "task": texts[f"find {kind}"].format(name=name),
        "blanks": [texts["pattern"], texts[kind]],
        "boards": [
            (str(number), svg(position, labels="rc", **board))
            for number, (position, _) in enumerate(exercises, 1)
        ],
        "key": key,
        "words": {word: texts[word] for word in ("name", "date", "answers")},
    }


def class_page(example: Hint, exercises: Sequence[Exercise], *, lang: str = "en", black: bool = False) -> str:
    """Write a sheet for a class as one self-contained HTML page; a browser prints it on three sheets."""
    from unidoku.view._pages import template  # not at the top: a terminal needs no pages

    sheet = class_sheet(example, exercises, lang, black=black)
    return template("class.html").render(lang=lang, black=black, title=sheet["title"], sheet=sheet)


def class_pdf(
    example: Hint, exercises: Sequence[Exercise], *, lang: str = "en", black: bool = False
) -> bytes:
    """Write a sheet for a class as a PDF of three pages."""
    from unidoku.view._pdf import document  # not at the top: a terminal needs no pages

    sheet = class_sheet(example, exercises, lang, black=black)
    words = sheet["words"]
    blocks: list[object] = [[("", sheet["board"])], {"signs": sheet["signs"]}, *sheet["lines"]]
    if exercises:
        part = {name: sheet[name] for name in ("title", "task", "blanks", "boards", "words")}
        blocks += [None, {"exercises": part}, None, {"heading": words["answers"], "key": sheet["key"]}]
    return document(sheet["example"], blocks, lang, black=black)


def drawn_hint(hint: Hint, lines: Sequence[str], *, width: int, color: bool, lang: str = "en") -> list[Line]:
    """Draw a hint for a terminal of a width: the board, and the sentences to the right of it or below it.

    The cells of the step are marked. With characters instead of colors, only the cells of the reason and the
    cells that change are marked.
    """
    kinds, digits = _marked(hint)
    board = _board(hint, kinds, digits, width=width, color=color)
    words, kinds_shown = table(lang)["drawn"], list[Line]()
    for kind, (signs, style) in _KINDS.items():
        if kind not in kinds.values():
            continue
        if color:
            word = f" {words[kind]} "
            kinds_shown.append(Line("picture", word, spans=((0, len(word), style),)))
        elif signs.strip():
            kinds_shown.append(Line("picture", f"{' '.join(signs)} {words[kind]}"))
    blank, column = Line("picture", ""), max(len(line.text) for line in board) + 3
    is_below = width - column < _NARROW
    room = width if is_below else width - column
    text = [Line("picture", part) for sentence in lines for part in wrap(sentence, room)]
    if is_below:
        return [*board, *kinds_shown, blank, *text]
    right = [*text, blank, *kinds_shown] if kinds_shown else text
    drawn = []
    for row, beside in zip_longest(board, right, fillvalue=blank):
        shifted = ((begin + column, end + column, style) for begin, end, style in beside.spans)
        joined = f"{row.text:<{column}}{beside.text}" if beside.text else row.text
        drawn.append(Line("picture", joined, spans=(*row.spans, *shifted)))
    return drawn


def _mistaken(hint: Hint) -> list[int]:
    """Return the cells of the wrong digits, such as ``r1c3=2``, or wrong marks of a hint."""
    wrong = (*hint.wrong_digits, *hint.wrong_marks)
    return [cell_number(name[:4]) for name in wrong]


def _marked(hint: Hint) -> tuple[dict[int, str], dict[int, list[int]]]:
    """Return how the cells of a hint are marked, and in some the candidates that the step is about."""
    if hint.technique is None:
        return dict.fromkeys(_mistaken(hint), "wrong"), {}
    step = deduction_from(hint)
    fills, _, _ = look(step)
    kinds = {cell: "house" if color in {"gray", "yellow"} else "pattern" for cell, color in fills.items()}
    reason = {*chain(*step.candidates.values(), *(link[:2] for link in step.links))}
    changes = {*step.eliminations, *step.placements}
    groups = (("pattern", reason), ("removed", step.eliminations), ("placed", step.placements))
    for kind, candidates in groups:
        kinds |= {cell: kind for cell, _ in candidates}
    main = {digit for _, digit in changes}
    shown: dict[int, list[int]] = {}
    # the digit in question comes first: a narrow terminal has room for one
    for cell, digit in sorted(reason | changes, key=lambda place: (place[1] not in main, place[1])):
        if kinds[cell] == "pattern" or (cell, digit) in changes:
            shown.setdefault(cell, []).append(digit)
    return kinds, shown


def _board(
    hint: Hint, kinds: Mapping[int, str], digits: Mapping[int, Sequence[int]], *, width: int, color: bool
) -> list[Line]:
    """Return the rows of the board, with candidates in some cells and the backgrounds of the marked cells."""
    most = max(map(len, digits.values()), default=1)
    if not (9 * (most + 2) + 4 <= width):
        most = 1
    size = most + 2
    header = " ".join(map("".join, thirds_of([f"{column:^{size}}" for column in range(1, 10)])))
    rows = [Line("picture", f"  {header}".rstrip())]
    for row in range(9):
        if row in {3, 6}:
            rows.append(Line("picture", "  " + "+".join(["-" * (3 * size)] * 3)))
        texts: list[str] = []
        spans: list[tuple[int, int, str]] = []
        for column in range(9):
            cell = 9 * row + column
            kind = kinds.get(cell, "")
            symbol = hint.before[cell]
            if symbol == "." or kind == "placed":
                symbol = "".join(map(str, sorted(digits.get(cell, ())[:most]))) or "."
            signs, style = _KINDS.get(kind, ("  ", ""))
            if color:
                signs = "  "
            texts.append(f"{signs[0]}{symbol}{signs[1]}".center(size))
            if style and color:
                begin = 2 + size * column + column // 3
                spans.append((begin, begin + size, style))
        text = f"{row + 1} {'|'.join(map(''.join, thirds_of(texts)))}"
        rows.append(Line("picture", text if color else text.rstrip(), spans=(*spans,)))
    return rows
