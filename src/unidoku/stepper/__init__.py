"""SudokuSolver 2.6, step by step: the session, its events, their text, the console.

The program is by readalps; its behaviour is reconstructed from a published transcript and articles:

- the transcript of 2.6: the orders and their list, the messages of the search, the states, the run time and
  the biggest level, all of them word for word
- article 1.0, part 2: ``A quiz loaded before.``, ``No quiz file specified.``, ``Fail to open quiz file …``,
  ``Invalid line …``, and how nine lines are read
- article 2.0, part 2: ply, the two policies
- article 2.1: no line ``The foremost cell …`` if that cell is [1,1]
- article 2.4: ``Working mode:…``, ``incomplete shrink met, filter again``, and the order of the filter

We read the articles in stored copies; the copy of 2.4 has only its beginning.  Where they show nothing, the
choices are unidoku's own:

1. The filter rejects a grid, without a message, if after the complete shrink of a house some digit is
   neither filled in nor a candidate anywhere in it. The transcript needs some rule of this kind at one
   point.
2. A placed value is removed from the row, the column, then the rest of the box. Only messages depend on
   it.
3. 3GW tries 2, 3, … cells up to one less than the house has empty, combinations in lexicographic order;
   1GW goes by the first cell, 2GW by the smallest digit. If a cell is the only place of two digits, the
   smaller stays.
4. The answer to a guess is moved to the front of the cell's candidates, not swapped. An answer that is
   not a candidate is refused with the candidates of the cell. ``guess-mode 0`` accepts the guess and asks
   no more.
5. "Biggest level on this run(til)" counts only levels at which this run placed a value.
6. Step 1 places nothing, even if a cell has one candidate. An empty cell without a candidate leads to the
   next guess at once, and so to ``2) No more solution``; a full valid grid is fine at step 1. Two equal
   digits in a row, column or box are refused when loading.
7. ``step`` after a solution makes the next guess; after the end it shows the end again. ``runtil`` with a
   number of steps already reached shows the state, except after a solution, where it makes the next
   guess.
8. An incomplete shrink prints one line for each removed candidate, one ``CelSet: …``, one ``ValSet: …``.
9. Ply, by article 2.0: in a row or column, digits that are placed in both other boxes of the band
   (outside the line) must go into the line's cells of the third box. So must the digits of one box, if
   the line is full in the other box. If there are as many digits as cells, the cells keep only these
   digits; if there are more digits, the grid is rejected.

   ``run-mode 2`` can differ from the original. A filter that has only removed candidates by ply restarts
   ("incomplete shrink met, filter again"). In the code of article 2.4 it restarts only if the last column
   shrank, because each line overwrites the result. With that rule, 207 of 401 puzzles have other steps in
   mode 2 (the author's quiz 376, here 380), and all have the same solutions, and the same steps in modes
   0 and 1.

10. ``runrun`` shows the grid at every solution. Before the first step ``show`` has no candidates.
    ``run-mode`` with another number works like 0, the other modes with another number like 1.
11. The original reads nine lines of a quiz file. It skips empty lines and lines that begin with ``#``,
    takes the first nine digits of each line, and calls a line of fewer than nine characters invalid.
    unidoku reads such files in the same way.

    If the original cannot have accepted a file, because a line has letters or not nine cells, or because
    something follows the quiz, the file is read as the other commands read it. If that finds no puzzle,
    the console names the first invalid line in the words of the original, and loads nothing. So unidoku
    loads one kind of file that the original refused: a short line that is not a row, such as the title
    ``Quiz 1``.

12. Orders without a quiz, unknown orders, missing numbers and arguments that an order does not take print
    one line and change nothing.
"""

from __future__ import annotations

from unidoku.stepper import events, report
from unidoku.stepper._controller import GuessError, Session, trace
from unidoku.stepper.events import Event, GuessLevel, Peak

__all__ = [
    "Event",
    "GuessError",
    "GuessLevel",
    "Peak",
    "Session",
    "events",
    "report",
    "trace",
]
