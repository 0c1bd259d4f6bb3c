"""The symmetry kernel: images of many puzzles under given elements, and least images.

group.pxi has the elements and their numbers, tables.pxi and grids.pxi full grids, puzzles.pxi puzzles.
"""

from unidoku.native.garbage cimport spoil
from unidoku.native.memory cimport check_starts, make_room

include "../text/cells.pxi"
include "group.pxi"
include "tables.pxi"
include "grids.pxi"
include "puzzles.pxi"

moves_prepare()
bands_prepare()
prepare_group()
prepare_bands()
prepare_puzzles()


cdef enum:
    MOST_MOVES = 648  # automorphisms of a full grid


cdef Py_ssize_t check_buffers(const uint8_t[::1] text, const int64_t[::1] starts, const uint8_t[::1] images,
                              const int64_t[::1] numbers, const int64_t[::1] automorphisms) except -1:
    """Check the sizes of buffers; return the number of puzzles."""
    cdef Py_ssize_t n = starts.shape[0]
    check_starts(starts, text.shape[0])
    if images.shape[0] != 81 * n:
        raise ValueError("images must have 81 bytes per puzzle")
    if numbers is not None and numbers.shape[0] != n or automorphisms is not None and automorphisms.shape[0] != n:
        raise ValueError("numbers and automorphisms must have one item per puzzle")
    return n


cdef const Tables* needed_tables() except NULL:
    cdef const Tables* t
    with nogil:
        t = tables()
    if t == NULL:
        raise MemoryError
    return t


def transform(const uint8_t[::1] text, const int64_t[::1] starts, const int64_t[::1] numbers, uint8_t[::1] images, *,
              int zero=48):
    """Apply elements of the symmetry group to puzzles: one element to all of them, or one to each.

    Puzzle i is the 81 bytes of `text` from ``starts[i]`` on; ``zero + 1`` to ``zero + 9`` is a clue, any other byte
    an empty cell. `images` takes 81 cells 0 to 9 per puzzle.
    """
    cdef Py_ssize_t n = check_buffers(text, starts, images, None, None), k
    cdef bint one = numbers.shape[0] == 1
    cdef bint inside = True
    cdef Move move
    memset(&move, 0, sizeof(move))
    if not one and numbers.shape[0] != n:
        raise ValueError("numbers must have one item, or one per puzzle")
    for k in range(numbers.shape[0]):
        inside = inside & (numbers[k] >= 0) & (numbers[k] < <int64_t> 2 * ORDERS * ORDERS * LABELS)
    if not inside:
        raise ValueError("a number is not that of an element of the group")
    with nogil:
        if one:
            unrank_move(numbers[0], &move)
        for k in range(n):
            if not one:
                unrank_move(numbers[k], &move)
            move_cells(&text[starts[k]], zero, &move, &images[81 * k])


def least_through_solutions(const uint8_t[::1] text, const int64_t[::1] starts, const uint8_t[::1] solutions,
                            uint8_t[::1] images, *, int64_t[::1] numbers=None, int64_t[::1] automorphisms=None,
                            int zero=48):
    """Find the least images of puzzles under the elements that map their solutions (81 cells each) to minlex form.

    The rest is as for `least_images`, but a row that is not a puzzle, or whose solution is not a full grid, has no
    image.
    """
    cdef Py_ssize_t n = check_buffers(text, starts, images, numbers, automorphisms), k, begin = 0
    cdef const Tables* t = needed_tables()
    cdef FullGrid grids[BLOCK]
    cdef uint8_t order[BLOCK]
    cdef int64_t places[BLOCK]
    cdef Move moves[MOST_MOVES]
    cdef uint8_t grid[96]
    cdef uint8_t image[81]
    cdef int size, count, best, i, j, way, same
    if solutions.shape[0] != 81 * n:
        raise ValueError("solutions must have 81 bytes per puzzle")
    for i in range(BLOCK):
        places[i] = 81 * i
    with nogil:
        while begin < n:
            size = min(BLOCK, n - begin)
            read_block(t, &solutions[81 * begin], places, 0, size, grids, order)
            for j in range(size):
                k = begin + order[j]
                if not grids[order[j]].whole or not is_puzzle(&text[starts[k]], zero):
                    if automorphisms is not None:
                        automorphisms[k] = 0
                    continue
                count = least_grid(t, &grids[order[j]], grid, moves, MOST_MOVES)
                best = 0
                same = 1
                move_cells(&text[starts[k]], zero, &moves[0], &images[81 * k])
                for i in range(1, count):
                    move_cells(&text[starts[k]], zero, &moves[i], image)
                    way = memcmp(image, &images[81 * k], 81)
                    if way < 0:
                        memcpy(&images[81 * k], image, 81)
                        best = i
                        same = 0
                    same += way <= 0
                if numbers is not None:
                    numbers[k] = rank_move(&moves[best])
                if automorphisms is not None:
                    automorphisms[k] = same
            begin += BLOCK


def least_images(const uint8_t[::1] text, const int64_t[::1] starts, uint8_t[::1] images, *,
                 int64_t[::1] numbers=None, int64_t[::1] automorphisms=None, int zero=48):
    """Find the minlex forms of puzzles and of full grids; puzzles and images are as for `transform`.

    `numbers` takes an element that leads to each image, `automorphisms` how many do. A row that is not a puzzle, or
    has two equal clues in a house, is copied, with 0 automorphisms.
    """
    cdef Py_ssize_t n = check_buffers(text, starts, images, numbers, automorphisms), k, begin = 0
    cdef const Tables* t = needed_tables()
    cdef FullGrid grids[BLOCK]
    cdef uint8_t order[BLOCK]
    cdef Lines lines
    cdef Work work
    cdef Move move
    cdef int size, j
    cdef int64_t count = 0
    cdef int wants_move = numbers is not None
    cdef bint counted = automorphisms is not None
    memset(&work, 0, sizeof(work))
    memset(&move, 0, sizeof(move))
    with nogil:
        while begin < n and count != MEMORY:
            size = min(BLOCK, n - begin)
            read_block(t, &text[0], &starts[begin], zero, size, grids, order)
            for j in range(size):
                k = begin + order[j]
                if grids[order[j]].whole:
                    count = least_grid(t, &grids[order[j]], &images[81 * k], &move, wants_move)
                elif is_puzzle(&text[starts[k]], zero) and read_lines(&text[starts[k]], zero, &lines):
                    count = least_puzzle(&lines, &work, &images[81 * k], &move if wants_move else NULL)
                    if count == MEMORY:
                        break
                else:
                    count = 0
                    unrank_move(0, &move)
                    move_cells(&text[starts[k]], zero, &move, &images[81 * k])
                if wants_move:
                    numbers[k] = rank_move(&move)
                if counted:
                    automorphisms[k] = count
            begin += BLOCK
        free(work.states[0])
        free(work.states[1])
    if count == MEMORY:
        raise MemoryError
