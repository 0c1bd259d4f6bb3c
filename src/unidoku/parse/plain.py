"""A text as plain signs: one for each cell, separator or frame, at its own place.

Reads any text that a person pastes or a program prints: other digits and squares of Unicode, tags of HTML and
BBCode, colours of terminals, escapes of JSON and LaTeX, quotes and brackets of source code. The result is as
long as the text: what is longer than a sign is filled with a sign that nobody sees, so that there is no map
of places.
"""

from __future__ import annotations

import re

SKIP = "\u200b"
"""What is left of a sign that nobody sees; no column of a line."""
MINUS = "\u2212"
"""The sign of an empty cell that is written as -1; the dash of Unicode is made a hyphen before."""
MARKED = "０１２３４５６７８９"
"""The signs of digits that have a mark, such as ``5!``, ``[5]`` or ``**5**``; the first one is of ``" "``."""
UNMARKED = str.maketrans(MARKED, "0123456789")
"""The digits of these signs."""
DIGITS = frozenset("123456789" + MARKED[1:])

SETS = frozenset("".join(d for d in "123456789" if mask >> int(d) - 1 & 1) for mask in range(1, 512))
"""The candidates that a cell may have, as digits that ascend."""

_GROUPS = {
    "|": "‖│┃║╎╏┆┇┊┋¦→⇒➔➜➞➡➤▶►▸",
    "-": "─━═╌╍┄┅┈┉−",
    ".": "·•∙⋅◦🔲🔳\u2024\u2027\u30fb",
    '"': "“”„«»",
    " ": "✓✔✅✗❌",
    "\n": "\x85\u2028\u2029",
}
_SIGNS = {sign: becomes for becomes, signs in _GROUPS.items() for sign in signs}
_EMPTY_NAME = re.compile(
    r"(?<!INVERTED )\b(?:SQUARE|CIRCLE|BALLOT BOX|BULLET|BLANK|QUESTION MARK|OPEN BOX|DOT)\b(?!.* WITH)"
)


class _Table(dict[int, str]):
    """The sign of each character, made when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        sign = self[code] = character if code < 128 else _SIGNS.get(character) or _sign(character, code)
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
    if 0x2500 <= code < 0x25A0:
        return "+" if code < 0x2580 else "|"
    if 0x25A0 <= code < 0x2600 or 0x2B12 <= code < 0x2B56 or 0x1F7E0 <= code < 0x1F7F0:
        return "."  # squares and circles
    if kind == "Cf" or 0x300 <= code < 0x370 or 0x20D0 <= code < 0x2100 or 0xFE00 <= code < 0xFE10:
        return SKIP  # directions and joiners; marks over and around a character
    if kind in {"So", "Po", "Lm"} and _EMPTY_NAME.search(unicodedata.name(character, "")):
        return "."
    # a vowel or an accent of other scripts is a part of a word
    return {"Zs": " ", "Pd": "-", "Mn": "a", "Mc": "a"}.get(kind, character)


_TABLE = _Table()
_LOOK = "b|i|u|a|strong|em|span|code|font|small|big|sup|sub|label"
# What is longer than a sign, by what it becomes; the rest of its length is skipped.
_PIECES = {
    "mark": r"""(?<![\w.*])\*\*[1-9]\*\*(?![\w.*]) | <(?P<tag>b|strong|em|mark)>[1-9]</(?P=tag)>
        | (?<![^\s,;|])[1-9][!+*](?![^\s,;|]) | \([0-9._ ]\) | \[[0-9._ ]\] | \{[0-9._ ]\}""",
    "bold": r"(?<![\w.*])\*\*[^\s*](?:[^*\n]{0,90}[^\s*])?\*\*(?![\w.*])",
    "cell": r"<t[dh]\b[^<>]{0,200}>\s{0,99}+(?P<content>[0-9.]?)\s{0,99}+</t[dh]>\s{0,200}+(?![0-9.])",
    "!": r"</t[dh]>\s{0,200}+(?=[0-9.])",  # a sign outside of cells
    # colours, ends of lines, marks of forums, ends of fields, tags of the look, floats, dots of MATLAB
    "": rf"""\x1b\[[0-9;?]{{0,20}}[A-Za-z] | \r(?=\n) | {SKIP}
        | \[/?(?:code|quote|pre|tt|b|i|u|size|color|font|spoiler|center)\b(?![ ]\d\])[^\[\]\n]{{0,80}}\]
        | (?:</t[dh]>|<tr\b[^<>]{{0,200}}>|<t(?:able|body|head)\b[^<>]{{0,200}}>|</t(?:body|head)>)\s{{0,200}}
        | </?(?:{_LOOK})\b(?![^<>]{{0,99}}\bid=)[^<>]{{0,300}}>
        | (?<=\d)\.0(?<![^\s,;\[(]\d\.0)(?=[\s\],;)]|$) | (?:(?<=[;\[])|(?<=[;\[][ ]))\.\.\.(?=[ ]*[\r\n])""",
    "_": r"""(?<![A-Za-z0-9_])(?:None|null|NULL|nil|NaN|nan|<NA>|np\.nan|NA)(?![A-Za-z0-9_])
        | (?<![^\s,;|\[({])(?:""|'')(?=[\s,;|\])}]|$)""",
    MARKED[0]: r"""(?<![^\s,;|\[({])(?:"[ ]"|'[ ]')(?=[\s,;|\])}]|$)""",
    "some": r"(?<![A-Za-z])Some\([1-9]\)",  # Debug of Option of Rust
    "quote": r"""(?P<sign>["'])[0-9.*_xX?-](?P=sign)""",
    MINUS: r"(?<![\w.*?-])-1(?=[\s,\]|;})]|$)",
    "|": r"<t[dh]\b[^<>]{0,200}>\s{0,200}",
    "|\n": r"</tr>\s{0,200}",
    "escape": r"(?:\\u[0-9a-f]{4}){1,2}",
    "\n": r"""</table>\s{0,200} | <[bh]r\b[^<>]{0,200}>[ \t]{0,9}\n?
        | </?(?:p|div|li|ul|ol|h\d|body|html|style|script)\b[^<>]{0,200}>
        | \\{1,4}n(?![a-wyz]) | \\\\(?!["'])(?:\[\w{1,8}\])? | \r
        | </[!a-zA-Z|][^<>]{0,300}>""",
    # a blank alone: fmt.Println of Go, and Lisp
    "row end": r"""[\])}]\s{0,9}[,;][ \t]{0,99}(?=(?:["']\w{1,20}["']\s{0,9}:\s{0,9})?[\[({])
        | (?<=[0-9])(?:\][ ](?=\[[0-9])|\)[ ](?=\([0-9]))""",
    ">": r"<[a-z_|@+-]{1,30}> | <![^<>]{0,300}>",  # a name in a chat; another tag may be a label
    '"': r"""\\{1,3}["']""",
    ".": r"\\(?:cdot|bullet|circ|square|Box)(?![A-Za-z])",
    " ": r"""\\(?:begin|end|cline)\*?(?:\{[^{}\n]{0,80}\}|\[\w{0,9}\]){0,3}
        | \\[a-zA-Z]{2,20}""",
    "entity": r"&(?:[a-z]{2,8}|\#\d{2,6}|\#x[0-9a-f]{2,5});",  # of HTML
    # a cell of JSON: at most one digit, and words without a meaning for it
    "object": r"""\{(?:\s{0,9}["']?[a-z_]\w{0,20}["']?\s{0,9}[:=]\s{0,9}
        (?:[0-9]|_|null|true|false|"[0-9]?")\s{0,9},?){0,9}\s{0,9}\}""",
    "numeral": "(?<=第)[一二三四五六七八九](?=行)",
}
_NUMERALS = "一二三四五六七八九"
# a test of it costs less than all pieces
_FIRST = rf"""(?=[\x1b\r<\\&{{\[(*"'1-9\-.\])}}NnSs{SKIP}{_NUMERALS}])"""
_PIECE = re.compile(
    _FIRST
    + "(?:"
    + "|".join(f"(?P<p{number}>{piece})" for number, piece in enumerate(_PIECES.values()))
    + ")",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_BECOMES = [*_PIECES]
# between rows on one line, before a label
_ROW = re.compile(r"(?i) (?=R(?:ow)? ?[1-9]\s?[:=])(?<=[0-9.,;|)_*] )")
# no piece is without one of these; nearly all texts have none, and the first signs alone are found fast
_NEEDS = re.compile(
    rf"""[Nn(\[第.!+\x1b\r<\\&{{{SKIP}*"'1\])}}](?:(?<=[Nn])(?:one|ull|il|aN|an)|(?<=N)(?:ULL|A)
        |(?<=\()[0-9._ ]\)|(?<=\[)(?:[0-9._ ]\]|/?[A-Za-z])|(?<=\.)(?:\.\.\s|0)
        |(?<=[第\x1b\r<\\&{{{SKIP}])|(?<=[1-9][!+*])(?:[\s,;|]|$)
        |(?<=\*)\*|(?<=["']).?["']|(?<=-1)|(?<=[\])}}])(?:\s*[,;]|[ ][\[(]))""",
    re.VERBOSE,
)
# the prompts of Python's interpreter (sys.ps1, sys.ps2), in doctests too: dots before each line of a text
_PROMPTS = re.compile(r"^>>> [^\n]*(?:\n\.\.\. [^\n]*){9,}", re.MULTILINE)
_NUMERAL = frozenset("0123456789")
_CELL = frozenset("0123456789.*_xX?-")
_FLOAT = re.compile(r"\.(?<=[\s\[][0-9]\.)(?=[\s\],]|$)")
_WIDE_BLANK = "\u3000"
# nine digits and blanks of full width, of which a blank may have half of it: that is another sign
_WIDE_ROW = re.compile(rf"^(?=.*{_WIDE_BLANK})[０-９{_WIDE_BLANK} ]{{9}}$", re.MULTILINE)
_LONE_DOT = re.compile(r"[\s\[]\.[\s\],]")
_FLOATS = 12  # more of them are no full stops
_QUOTED = re.compile(rf"""(["'])(?<![^\s,;:=+|\[({{{SKIP}]["'])([^"'\n\[\](){{}}]{{5,40}})\1""")
_QUOTED_ROW = _CELL | {*f",;| {SKIP}{MARKED}"}
_LIST = re.compile(r"(?<!\\)[\[({]([^\[\](){}]{9,2000})[\])}]")  # not the formula of LaTeX
_NO_TOKENS = str.maketrans(dict.fromkeys(",;|\"'", " "))
_RUN = re.compile(r"[0-9.*_xX?-]{81}")
_STARS, _ROW_SIGNS = frozenset("123456789*"), "123456789* \t|,;"
_NO_FRAME = str.maketrans(dict.fromkeys(" \t|,;", None))


def plain(text: str) -> str:
    """Return a text of the same length, with one sign for each cell, separator or frame."""
    text = signs_of(text)
    if "\n... " in text and ">>> " in text:
        text = _PROMPTS.sub(lambda match: match[0].replace("\n... ", f"\n{SKIP * 4}"), text)
    if match := _NEEDS.search(text):
        begin = text.rfind("\n", 0, match.start()) + 1  # most of a long answer is words before it
        text = text[:begin] + _PIECE.sub(_becomes, text[begin:])
    if (" R" in text or " r" in text) and (":" in text or "=" in text):
        text = _ROW.sub("\n", text)
    if len(_FLOAT.findall(text)) > _FLOATS and _LONE_DOT.search(text) is None:
        text = _FLOAT.sub(SKIP, text)  # of NumPy
    if '"' in text or "'" in text:
        text = _QUOTED.sub(_in_quotes, text)
    if "[" in text or "{" in text or "(" in text:
        text = _LIST.sub(_in_list, text)
    return text


def signs_of(text: str) -> str:
    """Return a text with the signs of ASCII for other digits, squares, frames and blanks."""
    if text.isascii():
        return text
    if _WIDE_BLANK in text:
        text = _WIDE_ROW.sub(lambda row: row[0].replace(" ", "_"), text)
    return text.translate(_TABLE)


def _becomes(match: re.Match[str]) -> str:
    """Return what a piece becomes, in its length."""
    piece = match[0]
    kind = _BECOMES[int((match.lastgroup or "p0")[1:])]
    size = len(piece)
    if size > 81 and kind != "bold" and _RUN.search(piece):
        return piece  # the value of an attribute is a puzzle
    if piece[:2] == "**" and _is_row_of_stars(match):
        return piece
    if kind == "mark":
        digit = next(filter(DIGITS.__contains__, piece), "")
        sign = MARKED[int(digit)] if digit else piece[1].replace(" ", "_")
        return f" {sign} " if piece[0] in "[({" else sign.ljust(size, SKIP)
    if kind == "cell":
        return f"|{match['content']}".ljust(size, SKIP)
    if kind == "row end":
        return f"{piece[0]}\n".ljust(size, SKIP)
    if kind in {"quote", "bold"}:
        edge = 1 if kind == "quote" else 2
        return piece[edge:-edge].center(size, SKIP)
    if kind == "some":
        return piece[5].ljust(size, SKIP)
    if kind == "numeral":
        return str(_NUMERALS.index(piece) + 1)
    if kind == "object":  # a cell of JSON
        digits = [*filter(_NUMERAL.__contains__, piece)]
        return piece if len(digits) > 1 else (digits[0] if digits else "_").ljust(size, SKIP)
    if kind == "entity":
        import html  # not at the top: few texts have one

        return signs_of(html.unescape(piece)).ljust(size, SKIP)
    if kind == "escape":  # of JSON; of a pair of surrogates one character
        units = bytes.fromhex(piece.replace("\\u", "").replace("\\U", ""))
        return units.decode("utf-16-be", "replace").translate(_TABLE).ljust(size, SKIP)
    if kind == '"':
        return piece[-1].rjust(size, SKIP)
    if kind[-1:] == "\n" and "\n" in piece:  # the line of the text ends where it does
        return kind[:-1].ljust(piece.rindex("\n"), SKIP) + "\n".ljust(size - piece.rindex("\n"), SKIP)
    return kind.ljust(size, SKIP)


def _is_row_of_stars(match: re.Match[str]) -> bool:
    """Return whether a piece, alone or with what is beside it, is 9 or 81 cells with stars for empty ones."""
    begin, end = match.span()
    before, after = match.string[max(0, begin - 200) : begin], match.string[end : end + 200]
    beside = before[len(before.rstrip(_ROW_SIGNS)) :], after[: len(after) - len(after.lstrip(_ROW_SIGNS))]
    rows = (row.translate(_NO_FRAME) for row in (match[0], match[0].join(beside)))
    return any(len(row) in {9, 81} and _STARS.issuperset(row) for row in rows)


def _in_quotes(match: re.Match[str]) -> str:
    """Return a text in quotes as a line of its own, if it is like a row."""
    inner = match[2]
    signs = inner.replace(SKIP, "")
    is_near = 7 < len(signs) < 11 and sum(map(_CELL.__contains__, signs)) > 6
    if len(signs) < 5 or signs in SETS or not (is_near or _QUOTED_ROW.issuperset(inner)):
        return match[0]
    is_drawn = " " in inner and len(inner.split()) < 9 and {*"123456789 "}.issuperset(inner)
    edge = "\n" if is_drawn else match[1]  # a drawing has no quote
    is_end = match.string[match.end() : match.end() + 1] in {"", "\n"}
    return f"{edge}{inner}{SKIP if is_end else chr(10)}"


def _in_list(match: re.Match[str]) -> str:
    """Return a list that goes over lines on one line, if it is a row or 81 cells; rows in it as lines."""
    inner = match[1].replace(SKIP, "")
    tokens = inner.translate(_NO_TOKENS).split()
    if "\n" in inner and all(len(token) == 1 for token in tokens):
        sizes = {len(part.translate(_NO_TOKENS).split()) for part in inner.split("\n") if part.strip()}
        is_whole = len(tokens) == 81 and sizes == {9} and {*"|\"'"}.isdisjoint(inner)  # of R
        if is_whole:
            return f"\n{match[1]}\n"
        if len(tokens) in {8, 9, 10} or (len(tokens) > 60 and 9 not in sizes):
            return match[0].replace("\n", " ")
    return match[0]
