"""Compare predicted solutions with puzzles."""

from libc.stdint cimport uint8_t, uint16_t

cdef extern from "solution.h" nogil:
    int is_solution(const uint8_t* puzzle, const uint8_t* grid, int* opens)


cdef struct Errors:
    # Whether the prediction is a solution, -1 if a cell is above 9. Then its missing clues, its houses without all
    # nine digits, and its empty cells. Then the open cells of the puzzle, and how many of them it fills.
    int solved
    int changed
    int broken
    int empty
    int opens
    int filled


cdef Errors errors_of(const uint8_t* puzzle, const uint8_t* grid) noexcept nogil:
    """Compare a prediction with the rules and the clues of its puzzle."""
    cdef Errors found
    found.changed = found.broken = found.empty = found.opens = 0
    found.solved = is_solution(puzzle, grid, &found.opens)
    found.filled = found.opens
    if found.solved == 0:
        add_errors(puzzle, grid, &found)
    return found


cdef void add_errors(const uint8_t* puzzle, const uint8_t* grid, Errors* found) noexcept nogil:
    """Count the errors of a prediction that is not a solution."""
    cdef uint16_t row, bit
    cdef uint16_t column[9]
    cdef uint16_t box[9]
    cdef int j, k, cell
    found.filled = 0
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


def compare(const uint8_t[::1] puzzles, const uint8_t[::1] predictions, uint8_t[:, ::1] outputs):
    """Compare n predictions with the rules and the clues of their puzzles, rows of 81 cells 0 to 9.

    The outputs have six rows, with a number for each prediction:

    - whether it is a solution of the puzzle
    - houses without all nine digits, of 27
    - clues that it lacks
    - cells that it leaves empty
    - open cells of the puzzle
    - open cells that it fills
    """
    cdef Py_ssize_t n = outputs.shape[1], i
    cdef Errors found
    cdef bint is_wrong = False
    if puzzles.shape[0] != 81 * n or predictions.shape[0] != 81 * n:
        raise ValueError("puzzles and predictions must have 81 bytes per row")
    if outputs.shape[0] != 6:
        raise ValueError("results must have six rows")
    with nogil:
        for i in range(n):
            found = errors_of(&puzzles[81 * i], &predictions[81 * i])
            is_wrong |= found.solved < 0
            outputs[0, i] = found.solved == 1
            outputs[1, i] = found.broken
            outputs[2, i] = found.changed
            outputs[3, i] = found.empty
            outputs[4, i] = found.opens
            outputs[5, i] = found.filled
    if is_wrong:
        raise ValueError("a cell must be 0 to 9")


def compare_one(bytes puzzle, bytes prediction):
    """Compare one prediction: solved, changed, broken, empty, filled, as `compare`; 81 cells 0 to 9 each."""
    cdef Errors found
    if len(puzzle) == len(prediction) == 81:
        found = errors_of(<const uint8_t*> puzzle, <const uint8_t*> prediction)
    if not len(puzzle) == len(prediction) == 81 or found.solved < 0:
        raise ValueError("a puzzle and a prediction must have 81 cells 0 to 9")
    return found.solved == 1, found.changed, found.broken, found.empty, found.filled


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
