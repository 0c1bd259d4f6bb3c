# Invariants of the engines, checked in the builds of `.ci/sanitize`: one that fails ends the process with its place.
# In any other build `invariant` is nothing.
#
# In such a build a debugger prints boards and sets. `call show_board(board->value, board->cand)` takes bytes 1 to 9,
# and words with bit d - 1 for candidate d; either can be 0. `call show_set(cells)` takes a set of cells.

from libc.stdint cimport uint8_t, uint16_t

cdef extern from * nogil:
    """
    #ifndef UNIDOKU_CHECKS_H
    #define UNIDOKU_CHECKS_H
    #ifdef UNIDOKU_CHECKS
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>

    /* Print a board: its digits, and the candidates of empty cells. */
    __attribute__((used)) static void show_board(const uint8_t *values, const uint16_t *candidates) {
      for (int cell = 0; cell < 81; cell++) {
        char text[10] = ".";
        int size = 0;
        if (values && values[cell])
          snprintf(text, sizeof text, "=%d", values[cell]);
        else if (candidates)
          for (int digit = 0; digit < 9; digit++)
            if (candidates[cell] >> digit & 1) text[size++] = (char)('1' + digit), text[size] = 0;
        fprintf(stderr, "%-10s%s", text, cell % 9 == 8 ? "\\n" : cell % 3 == 2 ? "| " : "");
      }
    }

    /* Print a set of cells, bit c for cell c. */
    __attribute__((used)) static void show_set(unsigned __int128 cells) {
      for (int cell = 0; cell < 81; cell++)
        fprintf(stderr, "%c%s", (int)(cells >> cell) & 1 ? 'x' : '.', cell % 9 == 8 ? "\\n" : cell % 3 == 2 ? " " : "");
    }

    __attribute__((noreturn, unused)) static void invariant_fails(const char *file, int line, const char *condition) {
      fprintf(stderr, "%s:%d: invariant: %s\\n", file, line, condition);
      abort();
    }

    #define invariant(condition) ((condition) ? (void)0 : invariant_fails(__FILE__, __LINE__, #condition))
    #define board_invariant(condition, values, candidates) \\
      ((condition) ? (void)0 : (show_board(values, candidates), invariant_fails(__FILE__, __LINE__, #condition)))
    #else
    #define invariant(condition) ((void)0)
    #define board_invariant(condition, values, candidates) ((void)0)
    #endif
    #endif
    """
    void invariant(bint condition)
    void board_invariant(bint condition, const uint8_t* values, const uint16_t* candidates)
