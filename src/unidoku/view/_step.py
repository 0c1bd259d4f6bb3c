"""A step or a hint as a picture; a hint as a page, and on a terminal: its board next to the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from unidoku._words import Line, table, wrap
from unidoku.cell import HOUSES, HOUSES_OF, candidate_of, cell_number
from unidoku.rating._crosshatch import crosshatch
from unidoku.rating._deduction import ALTERNATING, SINGLES, Deduction, Link as DeductionLink, Position
from unidoku.rating._names import FAMILIES
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

_CELLS = {
    **dict.fromkeys(("pattern", "loop", "start", "pivot", "base"), "blue"),
    **dict.fromkeys(("wings", "subset", "excluders"), "purple"),
    "extra": "yellow",
}
_COLORS = {"weak": "link", "strong": "link", "inner": "purple"}


def look(
    step: Deduction, *, most_links: int = MOST_LINKS
) -> tuple[dict[int, str], dict[tuple[int, int], str], list[Arrow]]:
    """Return the colors of cells, the roles of candidates and its arrows, none if there are more."""
    if _is_joined(step):
        return _look_of_joined(step, most_links)
    cells: dict[int, str] = {}
    for role in ("house", "other", "base"):
        for house in step.houses.get(role, ()):
            cells.update(dict.fromkeys(HOUSES[house], "gray"))
    if step.technique in SINGLES:
        lines, excluders = crosshatch(step)
        cells |= dict.fromkeys(lines, "yellow") | dict.fromkeys(excluders, "orange")
    for role, group in step.cells.items():
        cells.update(dict.fromkeys(group, _CELLS[role]))
    roles: dict[tuple[int, int], str] = {}
    for role in ("off", "on", "pattern", "subset", "extra"):
        shape = "pattern" if role == "subset" else role
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
    arrows = [
        Arrow(link.start, link.end, _COLORS[link.kind], link.kind != "strong") for link in drawn_links(step)
    ]
    return cells, roles, arrows if len(step.links) <= most_links else []


def _is_joined(step: Deduction) -> bool:
    """Test whether one end of a chain, or one group of a chain or ring, must hold."""
    family = FAMILIES[step.technique]
    if family == "cycle":
        return True
    if family != "chain":
        return False
    if step.placements:
        return False
    return bool(step.chains)


def drawn_links(step: Deduction) -> list[DeductionLink]:
    """Return the links that a picture shows: of a chain with two ends not those to what it removes."""
    links = [link for link in step.links if link.start != link.end]
    if _is_joined(step) and FAMILIES[step.technique] == "chain":
        return links[1:-1]
    return links


def _look_of_joined(
    step: Deduction, most_links: int
) -> tuple[dict[int, str], dict[tuple[int, int], str], list[Arrow]]:
    """Return the look of such a step: lines between what holds together, without what it removes."""
    links = drawn_links(step)
    nodes = [links[0].start, *(link.end for link in links)]
    roles = dict.fromkeys(nodes, "pattern")
    if FAMILIES[step.technique] == "cycle":
        roles.update(dict.fromkeys(step.candidates["off"], "extra"))
    elif step.name in ALTERNATING:
        roles.update(dict.fromkeys(nodes[1::2], "extra"))
    else:
        roles.update(dict.fromkeys((nodes[0], nodes[-1]), "end"))
    lines = [Arrow(link.start, link.end, "link", link.kind != "strong", head=False) for link in links]
    cells = dict.fromkeys((cell for cell, _ in nodes), "blue")
    return cells, roles, lines if len(lines) <= most_links else []


_LEGENDS = {
    "chain": {"pattern": "pattern of a chain"},
    "groups": {"pattern": "pattern of groups", "extra": "extra of groups"},
    "chains": {"blue": "blue of chains"},
    "wing": {f"{sign}": f"{sign} of a wing" for sign in ("blue", "purple", "pattern", "extra")},
    "loop": {"blue": "blue of a loop", "pattern": "pattern of a loop", "purple": "purple of a subset"},
    "exclusion": {f"{sign}": f"{sign} of an exclusion" for sign in ("blue", "purple")},
    "BUG": {"pattern": "pattern of a grave", "purple": "purple of a subset"},
}
"""The keys of texts for the colors and shapes of some families, in place of the usual texts."""


def legend(step: Deduction, words: Mapping[str, str]) -> dict[str, str]:
    """Return the meaning of colors and shapes in the picture of a step, if it is not the usual text."""
    if step.technique in SINGLES:
        ((_, digit),) = step.placements
        keys = {color: f"{color} of a {step.technique}" for color in ("gray", "yellow", "orange")}
        return {color: words[key].format(digit=digit) for color, key in keys.items()}
    family = FAMILIES[step.technique]
    if _is_joined(step):
        family = "groups" if family == "cycle" or step.name in ALTERNATING else "chain"
    elif step.chains:
        family = "chains"
    elif "pivot" in step.cells:
        family = "wing"
    return {sign: words[key] for sign, key in _LEGENDS.get(family, {}).items()}


def signs(step: Hint | Step, lang: str, *, black: bool = False) -> list[tuple[str, str]]:
    """Return the legend of a picture: each color, shape and line of it, as SVG, and what it says."""
    if step.technique is None:
        return []
    deduction = deduction_from(step)
    words = table(lang)["steps"]
    texts = {**words, "green": words["placed"], **legend(deduction, words)}
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
        cells = [*(candidate_of(name)[0] for name in step.wrong_digits), *map(cell_number, step.wrong_marks)]
        fill = dict.fromkeys(cells, "red")
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
    return add_legend(drawn, signs(step, lang, black=black)) if with_legend else drawn


_SIGNS = {"placed": "><", "pattern": "[]", "removed": "//", "wrong": "!!"}
"""The characters left and right of the symbol of a cell without colors, in the order of the legend."""
_STYLES = {
    "placed": "black on #5faf5f",
    "pattern": "black on #87afff",
    "removed": "#ffffff on #c00000",
    "wrong": "#ffffff on #c00000",
    "house": "black on #878787",
}
"""The colors of cells instead, each with its ink, so that they are read on light and on dark terminals."""
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
        signs=signs(hint, lang, black=black),
    )


def hint_pdf(hint: Hint | Step, *, lang: str = "en", black: bool = False) -> bytes:
    """Write the same as a PDF."""
    from unidoku.view._pdf import document  # not at the top: a terminal needs no pages

    texts, board = table(lang), ("", picture(hint, size=None, lang=lang, black=black))
    title = texts["names"][hint.name] if hint.name else texts["sheets"]["title"]
    blocks: list[object] = [[board], {"signs": signs(hint, lang, black=black)}, hint.sentence, *hint.details]
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
    key = []
    for number, (_, answers) in enumerate(exercises, 1):
        lines = [line for answer in answers for line in (answer.sentence, *answer.details)]
        if len(answers) > 1:
            several = [texts["several"].format(n=len(answers))]
        else:
            several = []
        key.append((str(number), picture(answers[0], **board), [*several, *lines]))
    return {
        "example": texts["example"].format(name=title),
        "board": picture(example, **board),
        "signs": signs(example, lang, black=black),
        "lines": [example.sentence, *example.details],
        "title": texts["exercises"].format(name=title),
        "task": texts["find placed" if example.placements else "find"].format(name=name),
        "blanks": [texts["pattern"], texts["placed" if example.placements else "removed"]],
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
    kinds = _kinds(hint)
    if not color:
        kinds = {cell: kind for cell, kind in kinds.items() if kind in _SIGNS}
    board = _board(hint, kinds, _digits(hint, kinds), width=width, color=color)
    words, shown = table(lang)["drawn"], {*kinds.values()}
    order: Iterable[str] = _STYLES if color else _SIGNS
    legend = [_legend(words[kind], kind, color=color) for kind in order if kind in shown]
    extent, blank = max(len(line.text) for line in board), Line("picture", "")
    beside = width - extent - 3
    if beside < _NARROW:
        text = _wrapped(lines, width)
        return [*board, *legend, blank, *text]
    right = _wrapped(lines, beside)
    if legend:
        right += [blank, *legend]
    return [_join(row, extent + 3, line) for row, line in zip_longest(board, right)]


def _wrapped(sentences: Iterable[str], width: int) -> list[Line]:
    """Return sentences as lines of a width."""
    return [Line("picture", part) for sentence in sentences for part in wrap(sentence, width)]


def _legend(word: str, kind: str, *, color: bool) -> Line:
    """Return the line of the legend for a kind of cell."""
    if color:
        return Line("picture", f" {word} ", spans=((0, len(word) + 2, _STYLES[kind]),))
    return Line("picture", f"{' '.join(_SIGNS[kind])} {word}")


def _join(left: Line | None, column: int, right: Line | None) -> Line:
    """Return two lines next to each other, the second from a column on."""
    left, right = left or Line("picture", ""), right or Line("picture", "")
    shifted = ((begin + column, end + column, style) for begin, end, style in right.spans)
    text = left.text
    if right.text:
        text = f"{text:<{column}}{right.text}"
    return Line("picture", text, spans=(*left.spans, *shifted))


def _kinds(hint: Hint) -> dict[int, str]:
    """Return how the cells of a hint are marked."""
    if hint.technique is None:
        cells = [*(candidate_of(name)[0] for name in hint.wrong_digits), *map(cell_number, hint.wrong_marks)]
        return dict.fromkeys(cells, "wrong")
    step = deduction_from(hint)
    fills, _, _ = look(step)
    kinds = {cell: "house" if color in {"gray", "yellow"} else "pattern" for cell, color in fills.items()}
    roles = (place for role in step.candidates.values() for place in role)
    ends = (place for link in step.links for place in (link.start, link.end))
    marks = [
        ("pattern", roles),
        ("pattern", ends),
        ("removed", step.eliminations),
        ("placed", step.placements),
    ]
    return kinds | {cell: kind for kind, places in marks for cell, _ in places}


def _digits(hint: Hint, kinds: Mapping[int, str]) -> dict[int, list[int]]:
    """Return the candidates that are shown in marked cells: those that the step is about."""
    if hint.technique is None:
        return {}
    step = deduction_from(hint)
    links = (place for link in step.links for place in (link.start, link.end))
    reason = {place for role in step.candidates.values() for place in role}.union(links)
    shown: dict[int, set[int]] = {}
    for cell, digit in reason:
        if kinds.get(cell) == "pattern":
            shown.setdefault(cell, set()).add(digit)
    for cell, digit in (*step.eliminations, *step.placements):
        shown.setdefault(cell, set()).add(digit)
    main = {digit for _, digit in (*step.eliminations, *step.placements)}
    # The digit in question comes first: a narrow terminal has room for one.
    return {cell: sorted(digits, key=lambda d: (d not in main, d)) for cell, digits in shown.items()}


def _board(
    hint: Hint, kinds: Mapping[int, str], digits: Mapping[int, Sequence[int]], *, width: int, color: bool
) -> list[Line]:
    """Return the rows of the board, with candidates in some cells and the backgrounds of the marked cells."""
    most = max(map(len, digits.values()), default=1)
    if not (9 * (most + 2) + 4 <= width):
        most = 1
    size = most + 2
    header = " ".join(_groups([f"{column:^{size}}" for column in range(1, 10)]))
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
            signs = "  " if color else _SIGNS.get(kind, "  ")
            texts.append(f"{signs[0]}{symbol}{signs[1]}".center(size))
            if kind and color:
                begin = 2 + size * column + column // 3
                spans.append((begin, begin + size, _STYLES[kind]))
        text = f"{row + 1} {'|'.join(_groups(texts))}"
        rows.append(Line("picture", text if color else text.rstrip(), spans=(*spans,)))
    return rows


def _groups(texts: list[str]) -> list[str]:
    """Join the cells of a row by box."""
    return ["".join(texts[k : k + 3]) for k in (0, 3, 6)]
