# Subset and single rules of one house over candidate bitboards.
#
# Shared by the step engine (levels) and the numerical-analysis method: both pass a grid as two flat
# arrays, ``values`` (81 bytes, 0 empty) and ``candidates`` (81 words of 16 bits, bit d-1 for digit d),
# and apply the results themselves. Nothing in this file changes a grid.
#
# Subsets run over plain arrays of bit sets, so that one function finds both kinds: with the candidates
# of the cells it finds naked subsets (k cells, k digits), and with ``digit_places`` hidden subsets (k digits, k
# cells). Combinations come in lexicographic order; the caller chooses the sizes. Everything is inline, without the
# GIL, on structs of the caller.

from unidoku._native.bits cimport lowest_bit, set_size
from unidoku._native.cells cimport cell_at, houses_of

ctypedef unsigned short digits_t  # bit d-1 is digit d
ctypedef unsigned short places_t  # bit i is the i-th empty cell of a house

cdef struct House:
    int index               # 0..26
    int size                # number of empty cells
    digits_t filled         # digits filled in in the house
    digits_t open           # digits that are a candidate of one of its empty cells
    unsigned char cells[9]  # its empty cells in house order
    digits_t sets[9]        # their candidates

cdef struct Subset:
    int size         # k
    int depth        # -1 before the first, else k - 1
    int pick[9]      # the k chosen sets, ascending
    digits_t joint[10]  # unions of the first 0, 1, ... k chosen; joint[k] is the union of all


cdef inline void gather_house(House* house, int index, const unsigned char* values,
                              const digits_t* candidates) noexcept nogil:
    """Read house ``index`` of the grid: its empty cells in order and their candidates."""
    cdef int place, cell, size = 0
    cdef digits_t filled = 0, seen = 0
    for place in range(9):
        cell = cell_at(index, place)
        if values[cell]:
            filled |= <digits_t>(1 << (values[cell] - 1))
        else:
            house.cells[size] = <unsigned char>cell
            house.sets[size] = candidates[cell]
            seen |= candidates[cell]
            size += 1
    house.index = index
    house.size = size
    house.filled = filled
    house.open = seen


cdef inline digits_t hidden_singles(const House* house) noexcept nogil:
    """Return the digits that are a candidate of exactly one empty cell of the house."""
    cdef digits_t once = 0, twice = 0
    cdef int i
    for i in range(house.size):
        twice |= once & house.sets[i]
        once |= house.sets[i]
    return once & ~twice


cdef inline digits_t missing(const House* house) noexcept nogil:
    """Return the digits that are neither filled in nor a candidate of a cell of the house."""
    return 511 & ~(house.filled | house.open)


cdef inline void digit_places(const House* house, places_t* places) noexcept nogil:
    """Write for each of the nine digits the empty cells with this candidate (bit i: ``cells[i]``)."""
    cdef int digit, i
    for digit in range(9):
        places[digit] = 0
    for i in range(house.size):
        for digit in range(9):
            places[digit] |= <places_t>((house.sets[i] >> digit & 1) << i)


cdef inline unsigned int confining_houses(const House* house, int digit) noexcept nogil:
    """Return the other houses that contain all places of this house for digit 0..8, bit ``h`` for house ``h``."""
    cdef unsigned int shared = 0x7FFFFFF & ~(<unsigned int>1 << house.index)
    cdef int i
    for i in range(house.size):
        if house.sets[i] >> digit & 1:
            shared &= houses_of(house.cells[i])
    return shared if house.open >> digit & 1 else 0


cdef inline void start_subsets(Subset* subset, int size) noexcept nogil:
    """Initialise the search for subsets of ``size`` sets."""
    subset.size = size
    subset.depth = -1
    subset.joint[0] = 0


cdef inline bint next_subset(Subset* subset, const unsigned short* sets, int count) noexcept nogil:
    """Find the next ``size`` of the ``count`` sets whose union has exactly ``size`` elements.

    Empty sets are skipped. The result is in ``pick`` and ``joint[size]``; false at the end.
    """
    cdef int size = subset.size, depth, i
    cdef digits_t joint
    if subset.depth < 0:
        depth = 0
        i = 0
    else:
        depth = size - 1
        i = subset.pick[depth] + 1
    while True:
        if i > count - (size - depth):
            depth -= 1
            if depth < 0:
                return False
            i = subset.pick[depth] + 1
            continue
        joint = subset.joint[depth] | sets[i]
        if not sets[i] or set_size(joint) > size:
            i += 1
            continue
        subset.pick[depth] = i
        subset.joint[depth + 1] = joint
        if depth < size - 1:
            depth += 1
        elif set_size(joint) == size:
            subset.depth = depth
            return True
        i += 1


cdef inline places_t members(const Subset* subset) noexcept nogil:
    """Return the chosen sets of a subset as bits."""
    cdef places_t chosen = 0
    cdef int i
    for i in range(subset.size):
        chosen |= <places_t>(1 << subset.pick[i])
    return chosen


cdef inline places_t others_with(const House* house, places_t chosen, digits_t digits) noexcept nogil:
    """Return the empty cells outside ``chosen`` with any of the digits as a candidate."""
    cdef places_t others = 0
    cdef int i
    for i in range(house.size):
        if not chosen >> i & 1 and house.sets[i] & digits:
            others |= <places_t>(1 << i)
    return others
