# The minlex form of a full grid.
#
# The first three lines of the least image are the least of the forms of the grid's six bands.  Every band of that
# class, under every automorphism of the form, gives one candidate, because the first three lines determine the
# others.  The candidates with the least fourth line are compared completely; the number of equal ones is the number
# of automorphisms.

cdef enum:
    CANDIDATES = 6 * 216  # bands times the largest number of automorphisms of a form
    BLOCK = 32            # grids that are read before the first of them is moved

cdef struct FullGrid:
    Bands bands
    uint32_t least  # the least class of the bands, times 8, plus the band
    bint whole      # false: it is not a full grid
    bint several    # its least image has several candidates

cdef struct Candidate:
    const Automorphism* automorphism
    uint8_t band  # index of the transformed band


cdef inline void turn_to_form(const Tables* t, const Bands* bands, int band, Turned* turned) noexcept nogil:
    """Apply the order of rows and columns that maps a band to the least form of its class."""
    cdef uint16_t turn = t.turn[bands.index[band]]
    band_turn(bands, band, order3[turn >> 11][0],
              bytes_shuffle(bytes_load(COLUMN_ORDER[bands.order[band]]), bytes_load(line_orders[turn & 2047])), turned)


cdef inline void write_move(const Tables* t, const Bands* bands, int band, const Turned* turned,
                            const Automorphism* a, const uint8_t* order, Move* move) noexcept nogil:
    """Write the element that maps the grid to the image."""
    cdef const uint8_t* rows = order3[t.turn[bands.index[band]] >> 11]
    cdef uint8_t digit[16]
    cdef int k
    cdef int first = 3 * (band % 3)
    spoil(move, sizeof(Move))
    memset(move.row, 0, 16)
    for k in range(3):
        move.row[k] = first + rows[a.row[k]]
    for k in range(6):
        move.row[3 + k] = OTHER_LINE[band % 3][order[k]]
    bytes_store(move.column, bytes_shuffle(turned.column, a.column))
    bytes_store(digit, bytes_shuffle(a.digit, turned.name))
    move.digit[0] = 0
    memcpy(move.digit + 1, digit, 9)
    memset(move.digit + 10, 0, 6)
    move.transposed = band >= 3


cdef int least_of_several(const Tables* t, const Bands* bands, int klass, uint8_t* rest, Move* moves,
                          int most) noexcept nogil:
    """Find the least image as `least_grid` does, for several candidates."""
    cdef Turned turned[6]
    cdef int band_at[6]
    cdef Candidate found[CANDIDATES]
    cdef uint8_t line[6][16]
    cdef uint8_t order[6]
    cdef uint8_t image[54]
    cdef int count = 0, candidates = 0, equal = 0, k, n, way
    cdef uint64_t key, least = ~<uint64_t> 0
    cdef const Automorphism* a
    for k in range(6):
        if t.klass[bands.index[k]] == klass:
            turn_to_form(t, bands, k, &turned[count])
            band_at[count] = k
            for n in range(t.first[klass], t.first[klass + 1]):
                a = &t.automorphism[n]
                key = fourth_line(&turned[count], (<const uint8_t*> &a.column)[0], a.two, a.rest, a.digit)
                if key <= least:
                    candidates = candidates if key == least else 0
                    least = key
                    found[candidates].automorphism = a
                    found[candidates].band = count
                    candidates += 1
            count += 1
    for k in range(candidates):
        a = found[k].automorphism
        lines_turn(&turned[found[k].band], a.column, a.digit, line)
        line_order(line, order)
        lines_put(line, order, image)
        way = memcmp(image, rest, 54) if equal else -1
        if way > 0:
            continue
        if way < 0:
            memcpy(rest, image, 54)
            equal = 0
        if equal < most:
            write_move(t, bands, band_at[found[k].band], &turned[found[k].band], a, order, &moves[equal])
        equal += 1
    return equal


cdef inline void read_block(const Tables* t, const uint8_t* text, const int64_t* starts, int zero, int count,
                            FullGrid* grids, uint8_t* order) noexcept nogil:
    """Read grids, and order them: those with one candidate come first.

    In a random order, the branch on it cannot be predicted, and costs more than the order.
    """
    cdef FullGrid* grid
    cdef uint32_t here[6]
    cdef uint32_t klass
    cdef int k, band, same, front = 0, back = count
    for k in range(count):
        grid = &grids[k]
        spoil(grid, sizeof(FullGrid))
        grid.whole = bands_read(text + starts[k], zero, &grid.bands)
        grid.several = True
        if grid.whole:
            grid.least = ~<uint32_t> 0
            for band in range(6):
                here[band] = t.klass[grid.bands.index[band]] * 8 + band
                grid.least = here[band] if here[band] < grid.least else grid.least
            klass = grid.least >> 3
            same = 0
            for band in range(6):
                same += here[band] >> 3 == klass
            grid.several = same * (t.first[klass + 1] - t.first[klass]) > 1
        order[front] = order[back - 1] = k
        front += not grid.several
        back -= grid.several


cdef inline int least_grid(const Tables* t, const FullGrid* grid, uint8_t* image, Move* moves, int most) noexcept nogil:
    """Find the least image of a full grid.

    Write its 81 cells to `image`, and at most `most` of the elements that lead to it to `moves`.  Return the number
    of these elements, which is the number of automorphisms of the grid.
    """
    cdef Turned turned
    cdef uint8_t order[6]
    cdef uint32_t klass = grid.least >> 3
    memcpy(image, t.form[klass], 32)
    if grid.several:
        return least_of_several(t, &grid.bands, klass, image + 27, moves, most)
    turn_to_form(t, &grid.bands, grid.least & 7, &turned)
    line_order(turned.line, order)
    lines_put(turned.line, order, image + 27)
    if most:
        write_move(t, &grid.bands, grid.least & 7, &turned, &t.automorphism[t.first[klass]], order, moves)
    return 1
