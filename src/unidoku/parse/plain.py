"""A text as plain characters: one sign for each cell, separator or frame; its places can be mapped back.

A table turns one character into one: digits of other kinds, dots, squares, dashes, frames, blanks. One
regular expression turns longer pieces, such as tags, entities, colours of terminals and words for an empty
cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_DOTS = "·•∙⋅◦🔲🔳\u2024\u2027\u30fb"
_BARS = "‖│┃║╎╏┆┇┊┋¦→⇒➔➜➞➡➤▶►▸"
_DASHES = "─━═╌╍┄┅┈┉−"
_QUOTES = "“”„«»"
_TICKS = "✓✔✅✗❌"
_LINE_ENDS = "\x85\u2028\u2029"
_INVISIBLE = "\u200b"
_EMPTY_NAME = re.compile(
    r"(?<!INVERTED )\b(?:SQUARE|CIRCLE|BALLOT BOX|BULLET|BLANK|QUESTION MARK|OPEN BOX|DOT)\b(?!.* WITH)"
)
_SIGNS = {
    **dict.fromkeys(_DOTS, "."),
    **dict.fromkeys(_BARS, "|"),
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_QUOTES, '"'),
    **dict.fromkeys(_TICKS, " "),
    **dict.fromkeys(_LINE_ENDS, "\n"),
}


class _Signs(dict[int, str]):
    """The sign of each character, made when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        sign = self[code] = _SIGNS.get(character) or (_sign(character, code) if code > 127 else character)
        return sign


def _sign(character: str, code: int) -> str:
    """Return the sign of a character beyond ASCII."""
    import unicodedata  # not at the top: ASCII needs none

    kind = unicodedata.category(character)
    if 0x2460 <= code < 0x2800 or 0x1D7CE <= code < 0x1D800:  # digits in circles, and of mathematics
        digit = unicodedata.digit(character, None)
        if digit is not None:
            return str(digit)
    if 0xFF01 <= code <= 0xFF5E:  # full width
        return chr(code - 0xFEE0)
    if 0xFE50 <= code <= 0xFE6B:  # small
        return unicodedata.normalize("NFKC", character)
    if 0x2500 <= code < 0x25A0:
        return "+" if code < 0x2580 else "|"
    if 0x25A0 <= code < 0x2600 or 0x2B12 <= code < 0x2B56 or 0x1F7E0 <= code < 0x1F7F0:  # squares and circles
        return "."
    if kind == "Cf" or 0x300 <= code < 0x370 or 0x20D0 <= code < 0x2100 or 0xFE00 <= code < 0xFE10:
        return _INVISIBLE  # directions and joiners; marks over and around a character
    if kind in {"So", "Po", "Lm"} and _EMPTY_NAME.search(unicodedata.name(character, "")):
        return "."
    # a vowel or an accent of other scripts is a part of a word
    return {"Zs": " ", "Pd": "-", "Mn": "a", "Mc": "a"}.get(kind, character)


_TABLE = _Signs()
_FEW_SIGNS = 32
_FOREIGN = re.compile("[^\x00-\x7f]")

_LOOK = r"(?i:b|i|u|a|p|span|strong|em|font|small|big|input)"
_LOOKS = rf"(?>(?:\s|</?{_LOOK}\b[^<>]{{0,200}}>){{0,9}})"

# What is longer than a character, by what becomes of it.  Each pattern follows the first character of a
# piece: a test of that character costs less than a pattern that begins with it.
_PIECES = {
    # a field of a table: together, for there are 81
    "field": r"""(?<=<)(?i:t[dh])\b[^<>]{0,200}>\s{0,99}+(?P<sign>[0-9.]?|&nbsp;)\s{0,99}+
        </(?i:t[dh])>\s{0,200}""",
    # of a table without the tags that end fields
    "open field": r"""(?<=<)(?i:t[dh])\b[^<>]{0,200}>\s{0,9}(?P<open_sign>[0-9.]?|&nbsp;)\s{0,200}
        (?=<(?i:t[dhr]|/t(?:r|able|body))\b)""",
    # nothing: colours, what is invisible, marks of forums, ends of fields, tags in a line, a soft line end
    "nothing": rf"""(?<=\x1b)\[[0-9;?]{{0,20}}[A-Za-z] | (?<=\x1b)\][^\x07\x1b]{{0,300}}(?:\x07|\x1b\\)
        | (?<=[{_INVISIBLE}]) | (?<=\r)(?=\n)
        | (?<=\[)/?(?i:code|quote|pre|tt|b|i|u|size|color|font|spoiler|center)\b[^\[\]\n]{{0,80}}\]
        | (?<=\[)(?i:/t[dh]|tr)\]\s{{0,200}}
        | (?<=<)(?i:/t[dh]|tr\b[^<>]{{0,200}})>\s{{0,200}}
        | (?<=<)/?(?i:b|i|u|a|strong|em|span|code|font|small|big|sup|sub|label|button)\b[^<>]{{0,300}}>
        | (?<=[0-9.]=)[ ]?\r?\n | (?<=[0-9._ -]=)20[ ]?(?=\r?\n|\Z)""",
    # an empty cell; a blank in brackets is one, too
    "cell": r"""(?<=<)NA>
        | (?<=[Nn])(?<![A-Za-z0-9_][Nn])(?:one|ull|ULL|il|aN|an|A|othing|p\.nan|p\.NaN)\b
        | (?<=")(?<![^\s,;:|\[({\u200b]")[ ]?"(?![^\s,;|\])}])
        | (?<=')(?<![^\s,;:|\[({]')[ ]?'(?![^\s,;|\])}])
        | (?<=\[)[ ]\] | (?<=\()[ ]\)""",
    # an element with a sign, or none, and perhaps elements of the look around it
    "element": rf"""(?<=<)(?!(?i:t[dhr]|p|h\d|script|style|title|iframe|canvas|option|svg|path|rect)\b)
        (?P<element_name>[A-Za-z][\w:.-]{{0,20}})(?:\s[^<>]{{0,300}})?>{_LOOKS}
        (?:[^\s<>&]|&\#?\w{{1,8}};)?{_LOOKS}</(?P=element_name)>""",
    # nine cells within it are a box, no row
    "box": r"""(?<=<)(?i:div|section|ul|table)\s[^<>]{0,200}
            \b(?i:sub-?grid|box|block|region|nonet)\b[^<>]{0,200}>
        | (?<=<)(?i:t[dh])\b[^<>]{0,200}>\s{0,200}<(?i:table)\b[^<>]{0,200}>""",
    "input": r"""(?<=<)(?i:input)\b[^<>]{0,300}>""",
    "some": r"""(?<=[SJGFCV])(?<![A-Za-z0-9_].)(?:ome|ust|iven|ixed|lue|ell|alue)
        (?:\(\s?|\ )[1-9](?:\s?\)|\b)""",
    "set": r"""(?<=\[)\s{0,9}[1-9](?:\s{0,9},\s{0,9}[1-9]){0,7}\s{0,9}\](?=\s{0,9}[,\]])
        | (?<=\{)\s{0,9}[1-9](?:\s{0,9},\s{0,9}[1-9]){0,7}\s{0,9}\}(?=\s{0,9}[,\]])""",
    "object": r"""(?<=\{)(?=\}|[^{}\[\]]{1,240}:)[^{}\[\]0-9]{0,120}[0-9]?[^{}\[\]0-9]{0,120}\}""",
    "row end": r"""(?<=<)(?i:/tr)>\s{0,200} | (?<=\[)(?i:/tr)\]\s{0,200}""",
    "escape": r"""(?<=\\)u[0-9A-Fa-f]{4}(?:\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})?""",
    "quote": r'(?<=\\)\\{0,3}"',
    # a line end: tags, `\n` as two characters, ends of rows and environments of LaTeX
    "line": r"""(?<=<)(?i:br|/?(?:p|div|li|table|tbody|thead))\b[^<>]{0,200}>\s{0,200}
        | (?<=\[)/?(?i:table)\]\s{0,200} | (?<=\\)\\*(?:r\\{1,2})?n(?![a-wyz])
        | (?<=\\)\\+(?:\[\w{1,8}\])? | (?<=&)[A-Za-z_]\w{0,20}=
        | (?<=\\)(?:begin|end|cline)\*?(?:\{[^{}\n]{0,80}\}|\[\w{0,9}\]){0,3}""",
    "bar": r"""(?<=<)(?i:t[dh])\b[^<>]{0,200}> | (?<=\[)(?i:t[dh])\]""",
    "tag": r"""(?<=<)[/!a-zA-Z|][^<>]{0,300}>""",
    "blank": r"""(?<=\\)t(?![a-wyz])
        | (?<=\\)[a-z]{0,9}color(?:box)?(?:\[\w{0,9}\])?\{[^{}\n]{0,20}\}
        | (?<=\\)[a-zA-Z]{2,20} | (?<=\\)['/]""",
    "entity": r"""(?<=&)\#?\w{1,8};""",
    "percent": r"""(?<=%)(?:0[ADad]|[2-7][0-9A-Fa-f])""",
    # a label within a line begins one
    "label": r"""(?<=[,;.|)][ ]R)ow[ ][1-9] | (?<=[0-9.,;_][ ][Rr])[1-9](?=[ ]?[:=])""",
}
# what must follow a sign that is frequent is looked at before all patterns
_FIRST = rf"""[\r\x1b<&%RrSJGFCV\\\[({{Nn"'={_INVISIBLE}]
    (?:(?<=<)(?=[/!a-zA-Z|])|(?<==)(?=[ ]?\r?\n|20)|(?<=["'])(?=[ ]?["'])|(?<=\[)(?=[\s/A-Za-z1-9])
    |(?<=\{{)(?![{{\[\]])|(?<=\()(?=[ ]\))|(?<=&)(?=[\#\w])|(?<=%)(?=[02-7])
    |(?<=[A-Za-z])(?<![A-Za-z0-9_].)|(?<=[\r\x1b\\{_INVISIBLE}]))"""
_NAMES = {name.replace(" ", "_"): name for name in _PIECES}
_NOISE = re.compile(
    _FIRST + "(?:" + "|".join(f"(?P<{name}>{_PIECES[kind]})" for name, kind in _NAMES.items()) + ")",
    re.VERBOSE,
)
_MAY_HAVE_NOISE = re.compile(_FIRST, re.VERBOSE)
_BECOMES = {
    "nothing": "",
    "cell": "_",
    "row_end": " |\n",
    "bar": "| ",
    "box": "\nBox: ",
    "blank": " ",
    "quote": '"',
}
_BEFORE_CELL = frozenset("0123456789=/")
_BEHIND_CELL = frozenset([*"0123456789%&#", ""])
_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")
_DIGIT = re.compile("[0-9]")
_TAG = re.compile("<[^<>]*>")
_NICK = re.compile(r"\d:\d\d\]?\s\Z")  # before the name in a chat
_VALUE = re.compile(r"""(?i:\bvalue\s?=\s?["']?\s?([1-9])(?![0-9]))""")
_EMPTY_OBJECT = re.compile(
    r"""\{(?:\s{0,9}["']?\w{1,20}["']?\s{0,3}:\s{0,3}(?:_|null|None|true|false|True|False|""|'')\s{0,9},?){0,9}\s{0,9}\}"""
)
_WORDS_FOR_EMPTY = ("blank", "empty")
_CELL_NAMES = ("span", "button", "label")
_FEW_WORDS = 8  # a text with more of these may have them for cells
_PROMPT = ">" * 3 + " "  # of Python; the next lines have three dots
_ITEM = re.compile(r"(?m)^ {0,9}(?:- ){1,3} {0,3}(?=\S{1,4}\r?$)")
_RUN = re.compile(r"[0-9.]{81}|S9B|\],\s?\[|(?:[0-9.],\s?){80}")


def plain(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text as plain characters, and pairs of places in it and in the text, ascending."""
    place = count = 0
    while not text.isascii() and (foreign := _FOREIGN.search(text, place)):
        character = _TABLE[ord(foreign[0])]
        place, count = foreign.end(), count + 1
        if count > _FEW_SIGNS:
            text = text.translate(_TABLE)
            break
        if character != foreign[0]:
            text = text.replace(foreign[0], character)  # of a frame; much faster
    if "\r" in text:
        text = _CARRIAGE_RETURN.sub("\n", text)
    if _PROMPT in text:
        text = text.replace("\n... ", f"\n{_PROMPT}")
    for word in _WORDS_FOR_EMPTY:
        if text.count(word) > _FEW_WORDS:
            text = text.replace(word, "_".ljust(len(word)))
    for name in _CELL_NAMES:
        if text.count(f"</{name}>") > 80 and _is_beside_own_kind(text, name):
            other = name[0].upper().ljust(len(name), "_")
            text = text.replace(f"<{name}", f"<{other}").replace(f"</{name}", f"</{other}")
    if text.count("  - ") > 71:  # a cell a line, in lists of YAML
        text = _ITEM.sub(lambda match: " " * len(match[0]), text)
    if _MAY_HAVE_NOISE.search(text) is None:
        return text.replace("->", " |").replace("=>", " |"), []
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    end = length = 0
    for match in _NOISE.finditer(text):
        sign = _becomes(match)
        if sign is None:
            continue
        pieces += text[end : match.start()], sign
        length += match.start() - end + len(sign)
        end = match.end()
        places.append((length, end))
    source = "".join((*pieces, text[end:])) if places else text
    return source.replace("->", " |").replace("=>", " |"), places


def _is_beside_own_kind(text: str, name: str) -> bool:
    """Return whether elements with a sign or none stand beside each other: they are cells."""
    element = rf"<{name}\b[^<>]{{0,300}}>[^<>]?</{name}>\s{{0,99}}"
    return re.search(element * 3, text) is not None


def _becomes(match: re.Match[str]) -> str | None:
    """Return what a piece becomes; None if it stays."""
    kind, piece = match.lastgroup or "", match[0]
    if len(piece) > 81 and _RUN.search(piece):
        return None  # the value of an attribute is a puzzle
    if kind == "field":
        return f"| {match['sign'].replace('&nbsp;', ' ')}"
    if (sign := _BECOMES.get(kind)) is not None:
        return sign
    if kind == "percent":
        if piece == "%20":  # an empty cell, beside others
            before, after = match.string[match.start() - 1], match.string[match.end() : match.end() + 1]
            return "_" if before in _BEFORE_CELL and after in _BEHIND_CELL else " "
        return chr(int(piece[1:], 16))
    if kind == "line":
        return " " if piece[:3].lower() == "<br" and _is_in_field(match) else "\n"
    if kind == "tag":
        is_name = _NICK.search(match.string, max(0, match.start() - 12), match.start())
        return " " if is_name else "\n"
    if kind == "open_field":
        sign = match["open_sign"].replace("&nbsp;", " ")
        following = match.string[match.end() + 1 : match.end() + 4].lower()
        return f"| {sign}" if following.startswith(("td", "th", "/tr")) else f"| {sign} |\n"
    if kind == "object":  # a cell of JSON
        if ":" not in piece and piece != "{}":
            return None
        digit = _DIGIT.search(piece)
        return digit[0] if digit else "." if _EMPTY_OBJECT.fullmatch(piece) else None
    if kind == "set":
        digits = "".join(_DIGIT.findall(piece))
        if piece[0] == "{":  # in any order
            digits = "".join(sorted(digits))
        return digits if len({*digits}) == len(digits) else None
    if kind == "some":
        return piece.strip(" )")[-1]
    if kind == "input":
        value = _VALUE.search(piece)
        return value[1] if value else ""
    if kind == "element":
        value = _VALUE.search(piece)
        sign = value[1] if value else _sign_of(_TAG.sub("", piece).strip())
        return f"| {sign.strip() or '_'} "
    if kind == "entity":
        return _sign_of(piece).strip(_INVISIBLE)
    if kind == "escape":  # of JSON; of a pair of surrogates one character
        character = piece.encode().decode("unicode_escape").encode("utf-16", "surrogatepass")
        return character.decode("utf-16", "replace").translate(_TABLE).strip(_INVISIBLE)
    return f"\n{piece}"  # a label


def _is_in_field(match: re.Match[str]) -> bool:
    """Return whether a piece stands alone between bars."""
    before = match.string[max(0, match.start() - 3) : match.start()]
    after = match.string[match.end() : match.end() + 3]
    return before.rstrip(" ").endswith("|") and after.lstrip(" ").startswith("|")


def _sign_of(entity: str) -> str:
    """Return the sign of an entity, or of a character; nothing if it is none."""
    import html  # not at the top: most texts have no entity

    sign = html.unescape(entity).translate(_TABLE)
    return sign if len(sign) == 1 else ""


def origin(place: int, places: list[tuple[int, int]]) -> int:
    """Return where a place of the plain text is in the text."""
    index = bisect_right(places, (place, 1 << 62)) - 1
    return place if index < 0 else place - places[index][0] + places[index][1]
