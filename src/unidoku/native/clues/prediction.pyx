"""Compare predicted solutions with puzzles."""

from libc.stdint cimport uint8_t, uint16_t


cdef struct Errors:
    # Whether the prediction is a solution; clues missing from it, houses without all nine digits, empty cells of it,
    # and open cells of the puzzle in which it has a digit.
    bint solved
    int changed
    int broken
    int empty
    int filled


cdef Errors errors_of(const uint8_t* puzzle, const uint8_t* grid) noexcept nogil:
    """Compare a prediction with the rules and the clues of its puzzle."""
    cdef Errors found
    cdef uint16_t row, bit
    cdef uint16_t column[9]
    cdef uint16_t box[9]
    cdef int j, k, cell
    found.changed = found.broken = found.empty = found.filled = 0
    for k in range(81):
        found.changed += (puzzle[k] != 0) & (puzzle[k] != grid[k])
        found.empty += grid[k] == 0
        found.filled += (puzzle[k] == 0) & (grid[k] != 0)
    for k in range(9):
        column[k] = box[k] = 0
    for j in range(9):
        row = 0
        for k in range(9):
            cell = 9 * j + k
            bit = <uint16_t> 1 << (grid[cell] & 15)  # checked, but another thread may change it
            row |= bit
            column[k] |= bit
            box[j // 3 * 3 + k // 3] |= bit
        found.broken += row != 0x3FE
    for k in range(9):
        # a house with an empty cell has bit 0 and, of nine cells, not all digits
        found.broken += (column[k] != 0x3FE) + (box[k] != 0x3FE)
    found.solved = found.broken == 0 and found.changed == 0
    return found


def compare(const uint8_t[::1] puzzles, const uint8_t[::1] predictions, uint8_t[::1] solved, uint8_t[::1] changed,
            uint8_t[::1] broken, uint8_t[::1] empty, uint8_t[::1] filled):
    """Compare n predictions with the rules and the clues of their puzzles, rows of 81 cells 0 to 9.

    For each prediction the outputs take: whether it is a solution of the puzzle, the number of clues missing from it,
    of houses (of 27) without all nine digits, of empty cells, and of open cells of the puzzle that it fills.
    """
    cdef Py_ssize_t n = solved.shape[0], i
    cdef Errors found
    cdef int top = 0
    if puzzles.shape[0] != 81 * n or predictions.shape[0] != 81 * n:
        raise ValueError("puzzles and predictions must have 81 bytes per row")
    if changed.shape[0] != n or broken.shape[0] != n or empty.shape[0] != n or filled.shape[0] != n:
        raise ValueError("results must have one byte per row")
    with nogil:
        for i in range(81 * n):
            top |= (predictions[i] > 9) | (puzzles[i] > 9)
        for i in range(0 if top else n):
            found = errors_of(&puzzles[81 * i], &predictions[81 * i])
            solved[i] = found.solved
            changed[i] = found.changed
            broken[i] = found.broken
            empty[i] = found.empty
            filled[i] = found.filled
    if top:
        raise ValueError("a cell must be 0 to 9")


def compare_one(bytes puzzle, bytes prediction):
    """Compare one prediction: solved, changed, broken, empty, filled, as `compare`; 81 cells 0 to 9 each."""
    cdef Errors found
    if len(puzzle) != 81 or len(prediction) != 81 or max(puzzle) > 9 or max(prediction) > 9:
        raise ValueError("a puzzle and a prediction must have 81 cells 0 to 9")
    found = errors_of(<const uint8_t*> puzzle, <const uint8_t*> prediction)
    return found.solved, found.changed, found.broken, found.empty, found.filled


def agree_one(bytes puzzle, bytes prediction, bytes solution):
    """Count the cells in which a prediction differs from a solution, and open cells of the puzzle that agree."""
    cdef const uint8_t* clue = puzzle
    cdef const uint8_t* given = prediction
    cdef const uint8_t* right = solution
    cdef int wrong = 0
    cdef int correct = 0
    cdef int k
    if len(puzzle) != 81 or len(prediction) != 81 or len(solution) != 81:
        raise ValueError("a puzzle, a prediction and a solution must have 81 cells")
    for k in range(81):
        wrong += given[k] != right[k]
        correct += (clue[k] == 0) & (given[k] == right[k])
    return wrong, correct
