"""The effort of many puzzles: how much looking they ask of a person, as one whole number.

The engine goes over the grid in passes. A pass writes all hidden singles that there are at its start. If there are
none, it writes all naked singles. Without any single, it removes candidates: by locked candidates, else by pairs, else
every candidate that singles drive to a contradiction.

A pass costs its empty cells: once for hidden singles, twice for naked singles, four times for locked candidates and for
pairs, eight times for contradictions. The order of the cells does not matter.

boards.h has the boards, the singles and the locked candidates. Each pass finds what follows from the grid at its start,
and is checked: a puzzle that the passes fill has only that solution.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t

from unidoku._native.bits cimport bit_count, lowest_bit, set_size
from unidoku._native.cells cimport cell_at
from unidoku._native.memory cimport check_starts, start_of
from unidoku._native.stop cimport flag_of, is_set

cdef extern from "boards.h" nogil:
    ctypedef struct Boards:
        pass
    ctypedef struct Position:
        Boards on
        uint32_t filled[3]
    ctypedef struct Found:
        Boards hidden
        uint32_t naked[3]
        bint broken
    const uint32_t ALL_CELLS
    uint32_t board_word(const Boards* boards, int digit, int band)
    void board_put(Boards* boards, int digit, int band, uint32_t cells)
    void boards_clear(Boards* boards)
    bint has_any(const Boards* boards)
    void look(const Position* now, Found* found)
    bint put_digits(Position* now, const Boards* digits)
    void add_candidates(const Position* now, const uint32_t* cells, Boards* boards)
    void find_locked(const Position* now, Boards* gone)
    void strike(Position* now, const Boards* gone)

cdef enum:
    NO_EFFORT = -1
    # what a pass costs for each empty cell
    HIDDEN = 1
    NAKED = 2
    LOCKED = 4
    PAIRS = 4
    REFUTED = 8


cdef inline int place_of(int cell) noexcept nogil:
    """The place of a cell in the word of its band."""
    return cell % 27 // 9 * 10 + cell % 9


cdef inline bint has_cells(const uint32_t* cells) noexcept nogil:
    return (cells[0] | cells[1] | cells[2]) != 0


cdef void find_pairs(const Position* now, Boards* gone) noexcept nogil:
    """The candidates that pairs remove: two cells of a house with two candidates, or two digits with two places."""
    cdef uint16_t candidates[81]
    cdef uint16_t out[81]
    cdef uint16_t sets[9]
    cdef uint16_t once, twice, thrice, both, bit
    cdef uint32_t cells
    cdef int cell, digit, band, house, i, j, k
    for cell in range(81):
        candidates[cell] = out[cell] = 0
    for digit in range(9):
        bit = <uint16_t> (1 << digit)
        for band in range(3):
            cells = board_word(&now.on, digit, band) & ~now.filled[band]
            while cells:
                i = lowest_bit(cells)
                candidates[27 * band + i - i // 10] |= bit
                cells &= cells - 1
    for house in range(27):
        once = twice = thrice = 0
        for i in range(9):
            sets[i] = candidates[cell_at(house, i)]
            thrice |= twice & sets[i]
            twice |= once & sets[i]
            once |= sets[i]
        twice &= ~thrice
        for i in range(8):
            if set_size(sets[i]) == 2:
                for j in range(i + 1, 9):
                    if sets[j] == sets[i]:
                        for k in range(9):
                            if k != i and k != j:
                                out[cell_at(house, k)] |= sets[i]
            if set_size(sets[i] & twice) >= 2:
                for j in range(i + 1, 9):
                    both = sets[i] & sets[j] & twice
                    if set_size(both) == 2:
                        out[cell_at(house, i)] |= ~both
                        out[cell_at(house, j)] |= ~both
    boards_clear(gone)
    for cell in range(81):
        out[cell] &= candidates[cell]
        while out[cell]:
            board_put(gone, lowest_bit(out[cell]), cell // 27, <uint32_t> 1 << place_of(cell))
            out[cell] &= out[cell] - 1


cdef bint is_refuted(const Position* start, int digit, int band, uint32_t cell, Boards* alive) noexcept nogil:
    """Whether a candidate leads to a contradiction only by singles; if not, add what it leads to to ``alive``."""
    cdef Position now = start[0]
    cdef Boards digits
    cdef Found found
    boards_clear(&digits)
    board_put(&digits, digit, band, cell)
    while put_digits(&now, &digits):
        look(&now, &found)
        if found.broken:
            return True
        digits = found.hidden
        add_candidates(&now, found.naked, &digits)
        if not has_any(&digits):
            add_candidates(&now, now.filled, alive)
            return False
    return True


cdef void find_refuted(const Position* now, Boards* gone) noexcept nogil:
    """The candidates that lead to a contradiction only by singles.

    Where one is not refuted, nor is any that it leads to: that leads to less.
    """
    cdef Boards alive
    cdef uint32_t cells, cell
    cdef int digit, band
    boards_clear(gone)
    boards_clear(&alive)
    for band in range(3):
        for digit in range(9):
            cells = board_word(&now.on, digit, band) & ~now.filled[band]
            while cells:
                cell = cells & (~cells + 1)
                cells ^= cell
                if not board_word(&alive, digit, band) & cell and is_refuted(now, digit, band, cell, &alive):
                    board_put(gone, digit, band, cell)


cdef inline int open_cells(const Position* now) noexcept nogil:
    return 81 - bit_count(now.filled[0]) - bit_count(now.filled[1]) - bit_count(now.filled[2])


cdef int effort_of(const uint8_t* text, int zero) noexcept nogil:
    """The effort of a puzzle; `NO_EFFORT` if the passes do not fill it."""
    cdef Position now
    cdef Boards digits
    cdef Found found
    cdef int cell, digit, left, effort = 0
    boards_clear(&digits)
    boards_clear(&now.on)
    for cell in range(81):
        digit = text[cell] - zero - 1
        if 0 <= digit < 9:
            board_put(&digits, digit, cell // 27, <uint32_t> 1 << place_of(cell))
    for digit in range(9):
        for cell in range(3):
            board_put(&now.on, digit, cell, ALL_CELLS)
    now.filled[0] = now.filled[1] = now.filled[2] = 0
    if not put_digits(&now, &digits):
        return NO_EFFORT
    while True:
        look(&now, &found)
        if found.broken:
            return NO_EFFORT
        left = open_cells(&now)
        if not left:
            return effort
        if has_any(&found.hidden):
            effort += HIDDEN * left
            if not put_digits(&now, &found.hidden):
                return NO_EFFORT
            continue
        if has_cells(found.naked):
            effort += NAKED * left
            boards_clear(&digits)
            add_candidates(&now, found.naked, &digits)
            if not put_digits(&now, &digits):
                return NO_EFFORT
            continue
        find_locked(&now, &digits)
        if has_any(&digits):
            effort += LOCKED * left
        else:
            find_pairs(&now, &digits)
            if has_any(&digits):
                effort += PAIRS * left
            else:
                find_refuted(&now, &digits)
                if not has_any(&digits):
                    return NO_EFFORT
                effort += REFUTED * left
        strike(&now, &digits)


def efforts(const uint8_t[::1] text, const int64_t[::1] starts, int16_t[::1] out, *, int zero,
            const uint8_t[::1] stop=None):
    """Write the effort of each puzzle, or -1 if it has none; the GIL is released.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte an
    empty cell. A puzzle that does not have exactly one solution has no effort. False if `stop` ended the call.
    """
    cdef Py_ssize_t n = starts.shape[0], k
    cdef const uint8_t* flag = flag_of(stop)
    if out.shape[0] != n:
        raise ValueError("the output must have one item per puzzle")
    check_starts(&starts[0], n, text.shape[0])
    if n == 0:
        return True
    with nogil:
        for k in range(n):
            if is_set(flag):
                n = k
                break
            out[k] = <int16_t> effort_of(&text[start_of(&starts[k], text.shape[0])], zero)
    return n == starts.shape[0]
