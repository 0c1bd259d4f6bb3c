"""JSON values as text: of any kind, and lists of cells; the JSON schema of a class."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, NamedTuple

NO_VALUE = object()
"""Stands for the value of a name that a JSON object does not have."""


class JsonLiteral(NamedTuple):
    """A JSON value as it is written: numbers of any precision and size."""

    text: str


def json_text(value: Any) -> str:
    """Return a value as JSON; a number that JSON lacks by its name."""
    if isinstance(value, JsonLiteral):
        return value.text
    if isinstance(value, int):  # faster for whole numbers, true and false
        return str(value).lower()
    if isinstance(value, float) and isfinite(value):
        return float.__repr__(value)
    from json import dumps  # not at the top: a check of lines starts faster

    try:
        return dumps(value, default=as_text, allow_nan=not is_json(value))
    except ValueError:  # such a number is in a list or an object
        return dumps(_with_null(value), default=as_text)


def as_text(value: object) -> str:
    """Return a value without a JSON type as text: a date, or bytes, perhaps not valid UTF-8."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value)


def is_json(value: object) -> bool:
    """Return whether JSON has a value: not if it is NaN or infinite."""
    return not isinstance(value, float) or isfinite(value)


def _with_null(value: Any) -> Any:
    """Return a list or an object with null for the numbers that JSON lacks."""
    if isinstance(value, list | tuple):
        return [*map(_with_null, value)]
    if isinstance(value, dict):
        return {name: _with_null(element) for name, element in value.items()}
    if is_json(value):
        return value
    return None


def _schema_of(cls: type, core: Any, handler: Any) -> dict[str, Any]:
    """Return the JSON schema of a class, by which pydantic calls it: its docstring, without marks of reST."""
    from inspect import cleandoc  # not at the top: few programs ask for schemas

    schema: dict[str, Any] = handler.resolve_ref_schema(handler(core))
    docstring = cleandoc(re.sub("`+", "", cls.__doc__ or "")) + "\n"
    text, *_ = re.split(r"\n\n[A-Z]\w+\n---", docstring, maxsplit=1)
    fields = docstring.partition("\n\nAttributes\n----------\n")[2]
    schema["description"] = "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
    for names, about in re.findall(r"^(\w+(?:, \w+)*) : .*\n((?: {4}.*\n|\n)+)", fields, re.MULTILINE):
        for name in names.split(", "):
            schema["properties"][name]["description"] = " ".join(about.split())
    return schema


json_schema: Any = classmethod(_schema_of)
"""The method of a class by which pydantic makes its schema."""
