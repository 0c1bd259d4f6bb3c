# The geometry of the 9 x 9 grid, as inline functions, and sets of cells.
#
# Cells are 0..80 row by row. The 27 houses are 0..8 rows, 9..17 columns, 18..26 boxes, each from
# left to right and top to bottom; the nine places of a house are counted in the same order.
# All functions are arithmetic that the C compiler folds; there are no tables and no state.

# Sets of cells, with the operators of integers: a & b, a & ~b, a | b.

cdef extern from * nogil:
    """
    #include <stdint.h>

    /* Bit c is cell c. */
    typedef unsigned __int128 cells_t;

    /* Faster than a shift of 128 bits. */
    static inline __attribute__((unused)) cells_t cells_of(int cell)
    {
        uint64_t bit = (uint64_t)1 << (cell & 63);
        return cell & 64 ? (cells_t)bit << 64 : bit;
    }

    static inline __attribute__((unused)) int cells_has(cells_t set, int cell) { return (int)(set >> cell) & 1; }

    static inline __attribute__((unused)) int cells_any(cells_t set) {
        return ((uint64_t)set | (uint64_t)(set >> 64)) != 0;
    }

    static inline __attribute__((unused)) int cells_count(cells_t set)
    {
        return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
    }

    /* The first cell of a set that is not empty. */
    static inline __attribute__((unused)) int cells_first(cells_t set)
    {
        uint64_t low = (uint64_t)set;
        return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
    }

    /* The set without its first cell. */
    static inline __attribute__((unused)) cells_t cells_rest(cells_t set) { return set & (set - 1); }
    """
    # In C it has 128 bits.  Cython must see only & | ~ - == of sets and these functions: abs(), and any conversion to a
    # number or a Python object, would drop cells 64 to 80 silently.
    ctypedef unsigned long long cells_t
    cells_t cells_of(int cell)
    bint cells_has(cells_t cells, int cell)
    bint cells_any(cells_t cells)
    int cells_count(cells_t cells)
    int cells_first(cells_t cells)
    cells_t cells_rest(cells_t cells)


cdef inline int row_of(int cell) noexcept nogil:
    """Row 0..8 of a cell."""
    return cell // 9


cdef inline int column_of(int cell) noexcept nogil:
    """Column 0..8 of a cell."""
    return cell % 9


cdef inline int box_of(int cell) noexcept nogil:
    """Box 0..8 of a cell."""
    return cell // 27 * 3 + cell % 9 // 3


cdef inline int row_cell(int row, int place) noexcept nogil:
    """The cell at a place of a row."""
    return 9 * row + place


cdef inline int column_cell(int column, int place) noexcept nogil:
    """The cell at a place of a column."""
    return 9 * place + column


cdef inline int box_cell(int box, int place) noexcept nogil:
    """The cell at a place of a box."""
    return box // 3 * 27 + box % 3 * 3 + place // 3 * 9 + place % 3


cdef inline int cell_at(int house, int place) noexcept nogil:
    """The cell at a place of any of the 27 houses."""
    if house < 9:
        return row_cell(house, place)
    if house < 18:
        return column_cell(house - 9, place)
    return box_cell(house - 18, place)


cdef inline unsigned int houses_of(int cell) noexcept nogil:
    """The three houses of a cell, bit ``h`` for house ``h``."""
    return <unsigned int>1 << row_of(cell) | <unsigned int>512 << column_of(cell) | <unsigned int>262144 << box_of(cell)


cdef inline void peers_of(int cell, unsigned char* peers) noexcept nogil:
    """The 20 other cells of a cell's houses: its row, then its column, then the rest of its box."""
    cdef int place, peer, found = 0
    cdef int row = row_of(cell), column = column_of(cell)
    for place in range(9):
        if place != column:
            peers[found] = <unsigned char>row_cell(row, place)
            found += 1
    for place in range(9):
        if place != row:
            peers[found] = <unsigned char>column_cell(column, place)
            found += 1
    for place in range(9):
        peer = box_cell(box_of(cell), place)
        if row_of(peer) != row and column_of(peer) != column:
            peers[found] = <unsigned char>peer
            found += 1
