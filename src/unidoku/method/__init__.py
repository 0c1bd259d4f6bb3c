"""The numerical-analysis method of Jin Jianming (2012): expansion, zeroing, value conversion.

`explain` solves one puzzle and keeps a record of every step, and `expansion_form` draws
the form on which a puzzle is worked by hand.

Where the book leaves something open, these points are unidoku's own:

1. The order of work: The book says what each theorem does and roughly when it is used (1.6.5). It does
   not say in which order cells are zeroed and conversions are searched for, nor where the search
   continues after a conversion.
2. Two shared units: If the cell with the value shares two units with the zeroed cell, the mark names the
   row or column, not the box.
3. Theorem 4's mark: The book has marks for theorems 1 to 3 only; ``④I``, ``④J``, ``④G``, ``X…``, ``S``,
   ``P…`` and ``R…`` are ours.
4. Big units and extended zeroing (3.1, 3.2; only the titles are known): locked candidates, pointing and
   claiming, within a band or stack. Subsets have a separate switch, because 3.2 may mean more.
5. Difficulty classes (3.4): 1 needs theorems 1 to 4 only, 2 extended zeroing, 3 subsets, 4 presets.
6. Presets (3.5; only the title is known): the cell with the fewest components gets its smallest one. A
   contradiction (a cell without components, a unit without a place for a digit) retracts the preset: the
   state before it is restored, and its component is zeroed. ``record.presets`` counts the presets on the
   way to the result, kept or retracted; those made inside a retracted preset do not count.
7. Several solutions: the record ends before the first preset. No solution: it ends with the
   contradiction.
8. Zeros without events: A given has no other components from the start (1.4.1c), so no event zeroes them.
   A conversion or preset gives the cell its value and zeroes its other components in one event. Their
   mark is ``*``.

Section 1.6.4 names the theorems. Theorem 2 is self-cell conversion (自格转化), because the eight other
components of the cell itself are zero. Theorem 3 is unit-cell conversion (单元格转化), because the component
is zero in the eight other cells of a unit. Section 2.2 contradicts this: it calls two conversions by
theorems 3 and 2 self-cell conversions, and one by theorem 3 an other-cell conversion (异格转化). unidoku uses
the names of 1.6.4; the marks are the same in both sections.
"""

from __future__ import annotations

from unidoku.method._form import expansion_form, numbers_of_cells
from unidoku.method._record import Matrices, MethodEvent, Order, Record, Replay, State
from unidoku.method._rules import explain

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
