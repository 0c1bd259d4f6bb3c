"""Rows of every kind, puzzles or not: what one gets must not depend on its neighbours."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from example_puzzles import SOLUTION, UNIQUE

from unidoku import Grid

CELLS = [*Grid(UNIQUE).cells]
CODES = [*UNIQUE.encode()]
GRID = [*Grid(SOLUTION).cells]


class Foreign:
    """An object of another program that fails wherever it is asked."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def __array__(self, *_: object, **__: object) -> Any:
        raise self.error("array")

    def __len__(self) -> int:
        raise self.error("length")

    def __iter__(self) -> Any:
        raise self.error("items")

    def __getitem__(self, _: object) -> Any:
        raise self.error("item")

    def __arrow_c_stream__(self, _: object = None) -> Any:
        raise self.error("stream")


class Lonely:
    """A cell that has neither a hash nor a text."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, _: object) -> bool:
        raise RuntimeError("no cell")

    def __repr__(self) -> str:
        raise KeyError("no text")


def replaced(cells: list[Any], value: Any, place: int = 7) -> list[Any]:
    """Return cells with another value in one place."""
    return [*cells[:place], value, *cells[place + 1 :]]


NUMBERS: dict[str, list[Any]] = {
    "digits": CELLS,
    "solution": GRID,
    "codes": CODES,
    "codes with 0": [code if code != 46 else 0 for code in CODES],
    "codes with blanks": [code if code != 46 else 32 for code in CODES],
    "codes of few clues": [0] * 60 + [49] + [0] * 20,
    "codes and digits": [*CODES[:40], *CELLS[40:]],
    "codes and a sign": replaced(CODES, 35),
    "digits and a code": replaced(CELLS, 35),
    "digits and 10": replaced(CELLS, 10),
    "digits and 255": replaced(CELLS, 255),
    "digits and 256": replaced(CELLS, 256),
    "digits and -1": replaced(CELLS, -1),
    "-1 for empty": [cell or -1 for cell in CELLS],
    "codes and -1": replaced(CODES, -1),
    "digits and 1.5": replaced(CELLS, 1.5),
    "codes and 1.5": replaced(CODES, 1.5),
    "digits and NaN": replaced(CELLS, float("nan")),
    "codes and NaN": replaced(CODES, float("nan")),
    "infinity": replaced(CELLS, float("inf")),
    "only NaN": [float("nan")] * 81,
    "only 0": [0] * 81,
    "only blanks": [32] * 81,
    "only tabs": [9] * 81,
    "large": replaced(CELLS, 2**62 + 5),
}
"""Rows of numbers, for arrays of each type."""

OBJECTS: dict[str, Callable[[], Any]] = {
    "text": lambda: UNIQUE,
    "solution": lambda: SOLUTION,
    "blanks": lambda: UNIQUE.replace(".", " "),
    "bytes": UNIQUE.encode,
    "bytes with blanks": UNIQUE.replace(".", " ").encode,
    "bytes with NUL": UNIQUE.replace(".", "\0").encode,
    "bytes of Windows": lambda: UNIQUE.replace(".", "\x95").encode("latin-1"),
    "bytes of a dash": lambda: UNIQUE.replace(".", "\x96", 1).encode("latin-1"),
    "bytes of dots": lambda: UNIQUE.replace(".", "\xb7").encode("latin-1"),
    "bytes of UTF-8": lambda: UNIQUE.replace("5", "５").encode(),
    "bytes of UTF-16": lambda: UNIQUE.encode("utf-16"),
    "bytes of 82": lambda: b"x" * 82,
    "bytes of 80": UNIQUE[:80].encode,
    "numbers in bytes": lambda: bytes(CELLS),
    "numbers in bytes and 10": lambda: bytes(replaced(CELLS, 10)),
    "no bytes": bytes,
    "text with NUL": lambda: UNIQUE.replace(".", "\0"),
    "text of 80": lambda: UNIQUE[:80],
    "text of 82": lambda: f"{UNIQUE}1",
    "full-width": lambda: UNIQUE.replace("5", "５"),
    "wrong text": lambda: f"{UNIQUE[:80]}!",
    "no text": str,
    "drawing": lambda: str(Grid(UNIQUE)),
    "words": lambda: f"The answer is:\n{Grid(SOLUTION)}\nDone.",
    "digits cut": lambda: UNIQUE.replace(".", "0")[3:],
    "NumPy text": lambda: np.str_(UNIQUE),
    "NumPy bytes": lambda: np.bytes_(UNIQUE.encode()),
    "bytearray": lambda: bytearray(CELLS),
    "view": lambda: memoryview(UNIQUE.encode()),
    "view of numbers": lambda: memoryview(array("i", CELLS)),
    "grid": lambda: Grid(UNIQUE),
    "None": lambda: None,
    "NaN": lambda: float("nan"),
    "integer": lambda: int(f"1{UNIQUE.replace('.', '0')[1:]}"),
    "integer of 65 digits": lambda: int(UNIQUE.replace(".", "0")[16:]) % 10**65,
    "small integer": lambda: 5,
    "huge integer": lambda: 10**5000,
    "float": lambda: 5.3e80,
    "bool": lambda: True,
    "characters": lambda: [*UNIQUE],
    "characters and numbers": lambda: [5, *UNIQUE[1:]],
    "characters and floats": lambda: [5.0, *UNIQUE[1:]],
    "characters of bytes": lambda: [UNIQUE[k : k + 1].encode() for k in range(81)],
    "characters of codes": lambda: [chr(cell) for cell in CELLS],
    "blank characters": lambda: ["" if cell == "." else cell for cell in UNIQUE],
    "numbers and None": lambda: [cell or None for cell in CELLS],
    "only None": lambda: [None] * 81,
    "numbers and bool": lambda: replaced(CELLS, True),
    "only bool": lambda: [True] * 81,
    "complex": lambda: [complex(cell) for cell in CELLS],
    "decimals": lambda: [Decimal(cell) for cell in CELLS],
    "fractions": lambda: [Fraction(cell) for cell in CELLS],
    "NumPy numbers": lambda: [*np.array(CELLS)],
    "NumPy bool": lambda: [*(np.array(CELLS) > 0)],
    "rows": lambda: [CELLS[k : k + 9] for k in range(0, 81, 9)],
    "rows in tuples": lambda: tuple(tuple(UNIQUE[k : k + 9]) for k in range(0, 81, 9)),
    "rows of text": lambda: [UNIQUE[k : k + 9] for k in range(0, 81, 9)],
    "uneven rows": lambda: [CELLS[:8], CELLS[8:18], *(CELLS[k : k + 9] for k in range(18, 81, 9))],
    "80 numbers": lambda: CELLS[:80],
    "82 numbers": lambda: [*CELLS, 0],
    "empty list": list,
    "dict": dict,
    "lists as cells": lambda: replaced(CELLS, [1, 2]),
    "objects as cells": lambda: replaced(CELLS, Lonely()),
    "tuple": lambda: tuple(CELLS),
    "masked": lambda: np.ma.masked_array(CELLS, [cell == 0 for cell in CELLS]),
    "masked constant": lambda: np.ma.masked,
    "dates": lambda: np.zeros(81, "M8[D]"),
    "records": lambda: np.zeros(81, [("a", "i4")]),
    "array of bool": lambda: np.array(CELLS) > 0,
    "array of complex": lambda: np.array(CELLS, complex),
    "array of shape (9, 9, 1)": lambda: np.array(CELLS).reshape(9, 9, 1),
    "array of characters": lambda: np.array([*UNIQUE]),
    "array of bytes": lambda: np.array([*UNIQUE], "S1"),
    "array of rows of text": lambda: np.array([UNIQUE[k : k + 9] for k in range(0, 81, 9)]),
    "array without a dimension": lambda: np.array(UNIQUE),
    "array of Python": lambda: array("i", CELLS),
    "foreign": lambda: Foreign(OverflowError),
}
"""Rows of other kinds."""
for _type in "i1 u1 i2 >i4 <u4 i8 >u8 f2 f4 >f8 g".split():
    OBJECTS[f"array {_type}"] = lambda type_=_type: np.array(CELLS, type_)
    OBJECTS[f"codes {_type}"] = lambda type_=_type: np.array(CODES, type_)
for _name, _cells in NUMBERS.items():
    OBJECTS[f"list of {_name}"] = lambda cells=_cells: [*cells]
OBJECTS |= {
    "Arrow text": lambda: pa.scalar(UNIQUE),
    "Arrow bytes": lambda: pa.scalar(bytes(CELLS)),
    "Arrow null": lambda: pa.scalar(None, pa.string()),
    "Arrow cells": lambda: pa.scalar(CELLS),
    "Arrow array": lambda: pa.array([cell or None for cell in CELLS]),
    "NA": lambda: pd.NA,
    "NaT": lambda: pd.NaT,
    "Series": lambda: pd.Series(CELLS),
    "Polars": lambda: pl.Series(CELLS),
}
