"""Lists and objects as Python writes them, read without a compiler.

`ast.literal_eval` warns of escapes in texts, and also returns sets, bytes, complex numbers and ``...``.
"""

from __future__ import annotations

import json
import re
from typing import Any

_TOKEN = re.compile(
    r"""(?P<text>'(?:[^'\\]|\\.)*(?:'|\Z)|"(?:[^"\\]|\\.)*(?:"|\Z))"""
    r"|(?P<name>\b(?:None|True|False)\b)"
    r"|(?P<comma>,(?=\s*[\])}]))"  # after the last item
    r"|(?P<between>\}(?=[^\S\n]*\n\s*\{))"  # objects of an array of NumPy
    r"|(?P<bracket>[()])",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<sign>.))", re.DOTALL
)
_SIGNS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0", "\n": ""}
_SIGNS |= {sign: sign for sign in "\\'\""}
_NAMES = {"None": "null", "True": "true", "False": "false", "(": "[", ")": "]"}


def value_of_literal(text: str) -> Any:
    """Return the list or object that a text is in the notation of Python; tuples are lists.

    Anything else raises a ValueError, such as a set, bytes, ``...`` or a key that is not a text.
    """
    return json.loads(_TOKEN.sub(_as_json, text))


def _as_json(match: re.Match[str]) -> str:
    """Return a part of a Python literal as JSON has it."""
    token = match[0]
    if match["text"]:
        if len(token) < 2 or token[-1] != token[0]:
            raise ValueError(token)
        return json.dumps(_ESCAPE.sub(_character, token[1:-1]))
    if match["comma"]:
        return ""
    return "}," if match["between"] else _NAMES[token]


def _character(match: re.Match[str]) -> str:
    """Return the character of an escape; an unknown one stays as it is written."""
    digits = match["x"] or match["u"] or match["U"]
    return chr(int(digits, 16)) if digits else _SIGNS.get(match["sign"], match[0])
