"""Compare predicted solutions with puzzles."""

from libc.stdint cimport uint8_t, uint16_t


def compare(const uint8_t[::1] puzzles, const uint8_t[::1] predictions, uint8_t[::1] solved, uint8_t[::1] changed,
            uint8_t[::1] broken, uint8_t[::1] empty):
    """Compare n predictions with the rules and the clues of their puzzles, rows of 81 cells 0 to 9.

    For each prediction the outputs take: whether it is a solution of the puzzle, the number of clues missing from it,
    of houses (of 27) without all nine digits, and of empty cells.
    """
    cdef Py_ssize_t n = solved.shape[0], i
    cdef const uint8_t* puzzle
    cdef const uint8_t* grid
    cdef uint16_t row, bit
    cdef uint16_t column[9]
    cdef uint16_t box[9]
    cdef int j, k, cell, wrong, gone, free, top = 0
    if puzzles.shape[0] != 81 * n or predictions.shape[0] != 81 * n:
        raise ValueError("puzzles and predictions must have 81 bytes per row")
    if changed.shape[0] != n or broken.shape[0] != n or empty.shape[0] != n:
        raise ValueError("results must have one byte per row")
    with nogil:
        for i in range(81 * n):
            top |= (predictions[i] > 9) | (puzzles[i] > 9)
        for i in range(0 if top else n):
            puzzle = &puzzles[81 * i]
            grid = &predictions[81 * i]
            gone = free = wrong = 0
            for k in range(81):
                gone += (puzzle[k] != 0) & (puzzle[k] != grid[k])
                free += grid[k] == 0
            for k in range(9):
                column[k] = box[k] = 0
            for j in range(9):
                row = 0
                for k in range(9):
                    cell = 9 * j + k
                    bit = <uint16_t> 1 << grid[cell]
                    row |= bit
                    column[k] |= bit
                    box[j // 3 * 3 + k // 3] |= bit
                wrong += row != 0x3FE
            for k in range(9):
                # a house with an empty cell has bit 0 and, of nine cells, not all digits
                wrong += (column[k] != 0x3FE) + (box[k] != 0x3FE)
            solved[i] = wrong == 0 and gone == 0
            changed[i] = gone
            broken[i] = wrong
            empty[i] = free
    if top:
        raise ValueError("a cell must be 0 to 9")
