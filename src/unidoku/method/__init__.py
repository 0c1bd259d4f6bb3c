"""The numerical-analysis method of Jin Jianming (2012): expansion, zeroing, value conversion.

`explain` solves one puzzle and keeps a record of every step, and `expansion_form` draws
the form on which a puzzle is worked by hand.
"""

from __future__ import annotations

from unidoku.method.form import expansion_form, numbers_of_cells
from unidoku.method.record import Matrices, MethodEvent, Order, Record, Replay, State
from unidoku.method.rules import explain

__all__ = [
    "Matrices",
    "MethodEvent",
    "Order",
    "Record",
    "Replay",
    "State",
    "expansion_form",
    "explain",
    "numbers_of_cells",
]
