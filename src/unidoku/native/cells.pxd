# Sets of cells, with the operators of integers: a & b, a & ~b, a | b.

cdef extern from "../cells.h" nogil:
    ctypedef unsigned long long cells_t  # in C it has 128 bits
    cells_t cells_of(int cell)
    bint cells_has(cells_t cells, int cell)
    bint cells_any(cells_t cells)
    int cells_count(cells_t cells)
    int cells_first(cells_t cells)
    cells_t cells_rest(cells_t cells)
