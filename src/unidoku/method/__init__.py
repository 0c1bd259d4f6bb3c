"""The numerical-analysis method of Jin Jianming (2012): expansion, zeroing, value conversion.

`explain` solves one puzzle and keeps a record of every step, `classify_many` rates many puzzles, `check`
verifies a record, `library_lines` writes its singles and locked candidates in the format of HoDoKu's library,
`expansion_form` draws the form on which a puzzle is worked by hand, `text_form` writes it as text, and
`check_form` names the first wrong mark of one that was filled in.
"""

from __future__ import annotations

from unidoku.method.checker import CheckError, check
from unidoku.method.form import expansion_form, numbers_of_cells
from unidoku.method.paper import WrongMark, check_form, text_form
from unidoku.method.record import Matrices, Order, Record, Replay, library_lines
from unidoku.method.rules import Classification, classify_many, explain
from unidoku.method.state import Event, State

__all__ = [
    "CheckError",
    "Classification",
    "Event",
    "Matrices",
    "Order",
    "Record",
    "Replay",
    "State",
    "WrongMark",
    "check",
    "check_form",
    "classify_many",
    "expansion_form",
    "explain",
    "library_lines",
    "numbers_of_cells",
    "text_form",
]
