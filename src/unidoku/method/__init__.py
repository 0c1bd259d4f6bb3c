"""The numerical-analysis method of Jin Jianming (2012): expansion, zeroing, value conversion, with every reason.

    >>> from unidoku import method
    >>> record = method.explain("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
"""

from __future__ import annotations

from unidoku.method.checker import CheckError, check
from unidoku.method.classes import Classification, classify_many
from unidoku.method.events import Event
from unidoku.method.record import Record, Replay
from unidoku.method.rules import Order, explain
from unidoku.method.state import State

__all__ = [
    "CheckError",
    "Classification",
    "Event",
    "Order",
    "Record",
    "Replay",
    "State",
    "check",
    "classify_many",
    "explain",
]
