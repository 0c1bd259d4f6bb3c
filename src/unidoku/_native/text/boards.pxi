# Whether 81 cells of a text are surely a board, as `unidoku._parse.forms` judges the cells of a form that it knows.

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef enum:
    DOT = 46

cdef uint64_t EIGHT_DOTS = 0x2E2E2E2E2E2E2E2E


cdef bint _has_row_twice(const byte *cells) noexcept nogil:
    """Whether two of the nine rows have the same cells, among them digits."""
    cdef int r, other
    cdef uint64_t rows[9]
    for r in range(9):
        memcpy(&rows[r], cells + 9 * r, 8)
        if rows[r] == EIGHT_DOTS and cells[9 * r + 8] == DOT:
            continue
        for other in range(r):
            if rows[r] == rows[other] and cells[9 * r + 8] == cells[9 * other + 8]:
                return True
    return False


cdef bint _are_labels(const byte *cells) noexcept nogil:
    """Whether the column that begins here counts, but for two cells at most, or is alike, with few empty cells."""
    cdef int r, empty = 0, alike = 0, up = 0, late = 0, down = 0
    for r in range(9):
        empty += cells[9 * r] == DOT
        alike += cells[9 * r] == cells[0]
        up += cells[9 * r] == 49 + r
        late += cells[9 * r] == (48 + r if r else DOT)
        down += cells[9 * r] == 57 - r
    return empty <= 3 and (alike == 9 or up > 6 or late > 6 or down > 6)


cdef bint _is_clear(const byte *cells) noexcept nogil:
    """Whether 81 cells of a text are surely a board, as `unidoku._parse.forms` judges the cells of a form that it
    knows."""
    cdef int k, run = 0, empty = 0, last = 0
    for k in range(81):
        empty += cells[k] == DOT
        run = run + 1 if cells[k] == 49 + run else cells[k] == 49
        if run == 8:  # 12345678, of a heading
            return False
    for k in range(8, 81, 9):
        last += cells[k] == DOT
    if empty == 0:
        return True
    return not (empty == last == 9 or _has_row_twice(cells) or _are_labels(cells) or _are_labels(cells + 8))
