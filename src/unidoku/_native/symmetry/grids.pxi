# The 416 classes of bands, computed for the first canonical form; the minlex form of a full grid.
#
# Two bands are in one class if an order of rows, boxes and columns and a relabelling map one to the other.  With the
# digits named by the first box, and the columns of the other boxes sorted, there are 72,576 bands.  The table has
# for each band its class, in the order of the least forms of the classes, and orders of rows and columns that map
# it to the least form; and for each class its least form and the automorphisms of that form.
#
#     123 456 789        the least form of class 0: a grid with such a band has it as the first band of its minlex form,
#     456 789 123        and the order of the other six rows, and of columns and digits within the automorphisms of this
#     789 123 456        form, is all that is left to try
#
# The minlex form and the 416 classes in its order are the same as in players' catalogues, as gsf's program writes
# them.

from libc.stdlib cimport calloc, free, qsort

cdef enum:
    BANDS = 72576
    CLASSES = 416
    AUTOMORPHISMS = 935  # of all least forms together

cdef struct Automorphism:
    bytes16 column
    bytes16 rest   # columns 2 to 9
    bytes16 digit  # of 1 to 9
    uint8_t row[3]
    uint8_t two    # the digit that becomes 2

cdef struct BandTables:
    uint16_t klass[BANDS]
    uint16_t turn[BANDS]          # order of rows * 2048 + orders of boxes and columns (0 to 1,295)
    uint8_t form[CLASSES][32]     # 27 digits
    uint16_t first[CLASSES + 1]   # automorphisms of each class
    Automorphism automorphism[AUTOMORPHISMS]

cdef void* tables_made  # set once
cdef uint16_t patterns[56]  # bit q: name q is in the row after its own in box 2, else in the one before


cdef void prepare_bands() noexcept:
    """Write the small tables from which the index of a band is composed."""
    cdef int pattern = 0, names, row, name, k, a, b, c, bits, arrangement
    cdef int rows[9]
    cdef uint32_t total
    for names in range(8):
        for k in range(3):
            SORTED[names][k] = k
    for k in range(6):
        # values v with v[order3[k][i]] = i are sorted by order3[k]
        bits = 0
        for a in range(3):
            if rank_of(k, a) > rank_of(k, (a + 1) % 3):
                bits |= 1 << a
        for a in range(3):
            SORTED[bits][a] = order3[k][a]
    for names in range(512):
        if bit_count(names & 7) == bit_count(names & 56) == bit_count(names & 448):
            total = 0
            for name in range(9):
                row = row_of_name(names, name)
                k = 128 >> name
                total += k & 0x1F if row == 0 else k & 0xE0 if row == 1 else 0
            PATTERN_OF[total] = pattern * 1296
            patterns[pattern] = names
            pattern += 1
    for a in range(6):
        for b in range(6):
            for c in range(6):
                # row 1 has ranks of order a in its columns, row 2 of b, row 3 of c
                bits = 0
                for k in range(3):
                    bits |= (order3[a][k] > order3[a][(k + 1) % 3]) << k
                    bits |= (order3[b][k] > order3[b][(k + 1) % 3]) << (3 + k)
                    bits |= (order3[c][k] > order3[c][(k + 1) % 3]) << (6 + k)
                arrangement = 6 * sorted_rank(a, b) + sorted_rank(a, c)
                ARRANGEMENT_OF[0][bits] = 36 * arrangement
                ARRANGEMENT_OF[1][bits] = arrangement
    for bits in range(64):
        for k in range(3):
            COLUMN_ORDER[bits][k] = k
            COLUMN_ORDER[bits][3 + k] = 3 + SORTED[bits & 7][k]
            COLUMN_ORDER[bits][6 + k] = 6 + SORTED[bits >> 3][k]

cdef inline int rank_of(int order, int value) noexcept nogil:
    cdef int k
    for k in range(2):
        if order3[order][k] == value:
            return k
    return 2


cdef inline int row_of_name(int pattern, int name) noexcept nogil:
    """Return the row of a name in box 2; in box 3 it is the row in the inverted pattern."""
    return (name // 3 + (1 if pattern >> name & 1 else 2)) % 3


cdef inline int sorted_rank(int first, int other) noexcept nogil:
    """Return the number of the order `other` after its columns are sorted by the order `first`."""
    return rank3(order3[other][rank_of(first, 0)], order3[other][rank_of(first, 1)])


cdef void band_of(uint32_t index, uint8_t* band) noexcept nogil:
    """Write the band with an index, with names as digits 0 to 8."""
    cdef int pattern = patterns[index // 1296]
    cdef int arrangement[2]
    cdef int names[3][3]
    cdef int count[3]
    cdef int box, row, name, k
    arrangement[0] = index // 36 % 36
    arrangement[1] = index % 36
    for name in range(9):
        band[9 * (name // 3) + name % 3] = name
    for box in range(2):
        memset(count, 0, sizeof(count))
        for name in range(9):
            row = row_of_name(pattern ^ (511 if box else 0), name)
            names[row][count[row]] = name
            count[row] += 1
        for k in range(3):
            band[3 + 3 * box + k] = names[0][k]
            band[12 + 3 * box + k] = names[1][order3[arrangement[box] // 6][k]]
            band[21 + 3 * box + k] = names[2][order3[arrangement[box] % 6][k]]


cdef void turn_band(const uint8_t* band, int rows, const uint8_t* column, uint8_t* image) noexcept nogil:
    cdef int row, k
    for row in range(3):
        for k in range(9):
            image[9 * row + k] = band[9 * order3[rows][row] + column[k]]


cdef inline void label_by_first_row(uint8_t* band) noexcept nogil:
    """Relabel the digits 1 to 9 in the order of the first row."""
    cdef uint8_t label[16]
    cdef int k
    for k in range(9):
        label[band[k]] = k + 1
    for k in range(27):
        band[k] = label[band[k]]


cdef void least_columns(const uint8_t* band, uint8_t* least) noexcept nogil:
    """Lower `least` to the least form of a band whose rows, boxes and columns of the first box are ordered."""
    cdef uint8_t image[32]
    cdef uint8_t column[9]
    cdef int first, second, k, here
    cdef int at[3]
    # only the orders of boxes 2 and 3 that give the second row of the first box the lowest labels: its digits,
    # from left to right, get the lowest free label of their box
    for k in range(3):
        at[k] = 0
        for here in range(3, 9):
            if band[here] == band[9 + k]:
                at[k] = here
    for k in range(3):
        column[k] = k
    for first in range(6):
        for k in range(3):
            column[3 + k] = 3 + order3[first][k]
        for second in range(6):
            for k in range(3):
                column[6 + k] = 6 + order3[second][k]
            if not names_low(column, at):
                continue
            turn_band(band, 0, column, image)
            label_by_first_row(image)
            if memcmp(image, least, 27) < 0:
                memcpy(least, image, 27)


cdef inline bint names_low(const uint8_t* column, const int* at) noexcept nogil:
    cdef int free_label[3]
    cdef int k
    free_label[1] = 3
    free_label[2] = 6
    for k in range(3):
        if column[free_label[at[k] // 3]] != at[k]:
            return False
        free_label[at[k] // 3] += 1
    return True


cdef int compare_bands(const void* a, const void* b) noexcept nogil:
    return memcmp(a, b, 27)


cdef inline void box_turn(int turn, uint8_t* column) noexcept nogil:
    """Write one of 36 orders of columns: an order of the boxes, and one of the columns of the first box."""
    memcpy(column, line_orders[turn // 6 * 216 + turn % 6 * 36], 9)


cdef BandTables* make_tables() noexcept nogil:
    """Make the tables; return NULL if out of memory, or if the counts differ from the known numbers of bands."""
    cdef BandTables* t = <BandTables*> calloc(1, sizeof(BandTables))
    cdef uint8_t* seen = <uint8_t*> calloc(BANDS, 1)
    cdef uint8_t band[32]
    cdef uint8_t image[32]
    cdef uint8_t column[16]
    cdef int classes = 0, automorphisms = 0, k
    cdef uint32_t index
    cdef bint right = t != NULL and seen != NULL
    if right:
        for index in range(<uint32_t> BANDS):
            if not seen[index] and classes < CLASSES:
                least_form(index, seen, t.form[classes])
                classes += 1
        qsort(t.form, classes, 32, compare_bands)
        memset(seen, 0, BANDS)
        for k in range(classes):
            t.first[k] = automorphisms
            automorphisms = fill_class(t, k, seen, automorphisms)
        t.first[classes] = automorphisms
        right = classes == CLASSES and automorphisms == AUTOMORPHISMS
        for index in range(<uint32_t> BANDS):
            right = right and seen[index]
    free(seen)
    if not right:
        free(t)
        return NULL
    return t


cdef void least_form(uint32_t index, uint8_t* seen, uint8_t* least) noexcept nogil:
    """Find the least form of the class of a band, and mark the bands of the class."""
    cdef uint8_t band[32]
    cdef uint8_t image[32]
    cdef uint8_t column[16]
    cdef uint8_t order
    cdef uint32_t other
    cdef int rows, turn
    band_of(index, band)
    memset(least, 255, 27)
    for rows in range(6):
        for turn in range(36):
            box_turn(turn, column)
            turn_band(band, rows, column, image)
            other = band_index(image, image + 9, image + 18, &order)
            if not seen[other]:
                seen[other] = 1
                least_columns(image, least)


cdef int fill_class(BandTables* t, int klass, uint8_t* seen, int automorphisms) noexcept nogil:
    """Add the bands and the automorphisms of a class; return the number of automorphisms so far."""
    cdef uint8_t form[32]
    cdef uint8_t image[32]
    cdef uint8_t column[16]
    cdef uint8_t own[9]  # the form's own columns, sorted
    cdef uint8_t back[9]
    cdef uint8_t to[9]
    cdef uint8_t order
    cdef uint32_t index, own_index
    cdef int rows, turn, k
    cdef Automorphism* a
    for k in range(27):
        form[k] = t.form[klass][k] - 1
    own_index = band_index(form, form + 9, form + 18, &order)
    memcpy(own, COLUMN_ORDER[order], 9)
    for rows in range(6):
        for turn in range(36):
            box_turn(turn, column)
            turn_band(form, rows, column, image)
            index = band_index(image, image + 9, image + 18, &order)
            for k in range(9):
                to[k] = column[COLUMN_ORDER[order][k]]  # sorted band's columns in the form
            if not seen[index]:
                seen[index] = 1
                t.klass[index] = klass
                for k in range(9):
                    back[to[k]] = k
                t.turn[index] = inverse_rows(rows) << 11 | rank_lines(back)
            if index == own_index:
                if automorphisms == AUTOMORPHISMS:
                    return automorphisms + 1
                a = &t.automorphism[automorphisms]
                automorphisms += 1
                fill_automorphism(a, form, rows, own, to)
    return automorphisms


cdef void fill_automorphism(Automorphism* a, const uint8_t* form, int rows, const uint8_t* own,
                            const uint8_t* to) noexcept nogil:
    """Write the automorphism of a form that maps its columns `own` to its columns `to`."""
    cdef uint8_t column[16]
    cdef uint8_t rest[16]
    cdef uint8_t digit[16]
    cdef int k
    memset(column, 0, 16)
    memset(rest, 0, 16)
    memset(digit, 0, 16)
    for k in range(9):
        column[own[k]] = to[k]
    for k in range(9):
        digit[form[9 * order3[rows][0] + column[k]] + 1] = k + 1
        if k:
            rest[k - 1] = column[k]
    for k in range(3):
        a.row[k] = order3[rows][k]
    for k in range(1, 10):
        if digit[k] == 2:
            a.two = k
    a.column = bytes_load(column)
    a.rest = bytes_load(rest)
    a.digit = bytes_load(digit)


cdef inline int inverse_rows(int rows) noexcept nogil:
    return rank3(rank_of(rows, 0), rank_of(rows, 1))


cdef const BandTables* tables() noexcept nogil:
    """Return the tables; threads may make them at the same time, and all then use those finished first."""
    cdef BandTables* made = <BandTables*> slot_read(&tables_made)
    cdef BandTables* kept
    if made == NULL:
        made = make_tables()
        if made != NULL:
            kept = <BandTables*> slot_set(&tables_made, made)
            if kept != made:
                free(made)
                made = kept
    return made


# The minlex form of a full grid.
#
# The first three lines of the least image are the least of the forms of the grid's six bands.  Every band of that
# class, under every automorphism of the form, gives one candidate, because the first three lines determine the rest.
# The candidates with the least fourth line are compared completely; the number of equal candidates is the number of
# automorphisms.

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


cdef inline void turn_to_form(const BandTables* t, const Bands* bands, int band, Turned* turned) noexcept nogil:
    """Apply the order of rows and columns that maps a band to the least form of its class."""
    cdef uint16_t turn = t.turn[bands.index[band]]
    band_turn(bands, band, order3[turn >> 11][0],
              bytes_shuffle(bytes_load(COLUMN_ORDER[bands.order[band]]), bytes_load(line_orders[turn & 2047])), turned)


cdef inline void write_move(const BandTables* t, const Bands* bands, int band, const Turned* turned,
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


cdef int least_of_several(const BandTables* t, const Bands* bands, int klass, uint8_t* rest, Move* moves,
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


cdef inline void read_block(const BandTables* t, const uint8_t* text, Py_ssize_t size, const int64_t* starts, int zero,
                            int count, FullGrid* grids, uint8_t* order) noexcept nogil:
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
        grid.whole = bands_read(text + start_of(starts + k, size), zero, &grid.bands)
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


cdef inline int least_grid(const BandTables* t, const FullGrid* grid, uint8_t* image, Move* moves,
                           int most) noexcept nogil:
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
