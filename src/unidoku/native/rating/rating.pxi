# The Python interface of the rating engine: the scale se121, Sudoku Explainer's, for many puzzles; steps of one.

include "board.pxi"
include "subsets.pxi"
include "singles.pxi"
include "subsetsteps.pxi"
include "wings.pxi"
include "unique.pxi"
include "bug.pxi"
include "exclusion.pxi"
include "closure.pxi"
include "engine.pxi"

__all__ = ["path_cells", "rate_cells"]


def rate_cells(const uint8_t[::1] text, const int64_t[::1] starts, *, int zero, int16_t[::1] er, int16_t[::1] ep,
               int16_t[::1] ed, uint8_t[::1] techniques, uint8_t[::1] outcomes, int below=200):
    """Rate puzzles.

    Parameters
    ----------
    text : bytes-like
        The cells of the puzzles, one byte each in row order: ``zero + 1`` to ``zero + 9`` is a clue, any other
        byte an empty cell.
    starts : buffer of int64, n items
        Offset of the 81 bytes of each puzzle in `text`.
    zero : int
        Code of digit 0: 48 for ASCII text, 0 for numbers.
    er, ep, ed : writable buffers of int16, n items
        Output: the ratings in tenths.
    techniques : writable buffer of n bytes
        Output: the technique of the first step with the rating `er`.
    outcomes : writable buffer of n bytes
        Output: 0 rated, 1 not a puzzle with one solution, 2 no technique finds a step, 3 rated `below` or more.
    below : int, optional
        In tenths: a higher rating is not found out.

    Raises
    ------
    ValueError
        A buffer has the wrong size, or a start is outside `text`.
    """
    cdef Py_ssize_t n = starts.shape[0], k
    cdef Board board
    cdef Progress progress
    cdef uint8_t cells[81]
    cdef int i
    cdef bint inside = True
    for k in range(n):
        inside = inside & (starts[k] >= 0) & (starts[k] <= text.shape[0] - 81)
    if not inside:
        raise ValueError("a start lies outside the text")
    if not er.shape[0] == ep.shape[0] == ed.shape[0] == techniques.shape[0] == outcomes.shape[0] == n:
        raise ValueError("the outputs must have one item per puzzle")
    with nogil:
        for k in range(n):
            read_cells(&text[starts[k]], zero, cells)
            memset(&progress, 0, sizeof(progress))
            outcomes[k] = <uint8_t> (rate_board(&board, &progress, below) if board_load(&board, cells) else CLASH)
            er[k] = <int16_t> progress.er
            ep[k] = <int16_t> progress.ep
            ed[k] = <int16_t> progress.ed
            techniques[k] = <uint8_t> progress.technique


cdef inline void read_cells(const uint8_t* text, int zero, uint8_t* cells) noexcept nogil:
    """Read the 81 cells of a puzzle as digits 0 to 9."""
    cdef int i, digit
    for i in range(81):
        digit = text[i] - zero
        cells[i] = <uint8_t> (digit if 1 <= digit <= 9 else 0)


def path_cells(const uint8_t[::1] cells):
    """Find the steps that solve a puzzle, in the order of the scale.

    Parameters
    ----------
    cells : buffer of 81 bytes
        Cells 0 to 9.

    Returns
    -------
    list of tuple
        For each step the technique, the rating in tenths, the cell that it fills or -1, its digit 1 to 9 or 0,
        and the candidates that it removes, as pairs of a cell and a digit.

    Raises
    ------
    ValueError
        There are not 81 cells, or two clues clash.
    """
    cdef Board board
    cdef Step step
    cdef int cell, digit
    cdef bint found
    if cells.shape[0] != 81:
        raise ValueError("a puzzle has 81 cells")
    if not board_load(&board, &cells[0]):
        raise ValueError("two clues clash")
    steps = []
    while cells_any(board.empty):
        with nogil:
            found = first_easy_step(&board, &step) or first_hard_step(&board, &step, 200)
        if not found:
            break
        removed = [
            (cell, digit + 1) for cell in range(81) for digit in range(9) if cells_has(step.removed[digit], cell)
        ]
        steps.append((step.technique, step.rating, step.cell, step.digit + 1, removed))
        if not board_follow(&board, &step):
            break
    return steps
