# The 280 partitions of nine digits into three triples, and their relations.
#
# The rows of a filled box partition the nine digits into three triples, and so do its columns.  The order of the
# three triples does not matter here: rows of a band and columns of a stack without clues can be permuted freely,
# and clues fix the order of the others.
#
# Two partitions *cross* if each triple of one has one digit in common with each triple of the other: then they are
# the rows and the columns of a box.  Three partitions *fit* if their triples can be joined to three lines of nine
# different digits: then they are the rows of the three boxes of a band, or the columns of the three boxes of a
# stack.  Such a way to join them is a *configuration* of the band or stack.

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    ALL_DIGITS = 0x1FF
    TRIPLES = 84
    PARTITIONS = 280
    FITS = 56  # pairs of partitions that fit one partition
    CROSSINGS = 36  # partitions that cross one partition
    CONFIGURATIONS = PARTITIONS * FITS


cdef struct Fit:
    # Two partitions that fit a first one, with their triples in the order of its triples.
    uint16_t second
    uint16_t third
    uint8_t second_triple[3]
    uint8_t third_triple[3]


cdef struct Tables:
    uint16_t digits[TRIPLES]
    uint8_t triple_of[512]  # by digits
    uint8_t triple[PARTITIONS][3]
    uint16_t partition_of[TRIPLES][TRIPLES]  # by any two of its triples
    Fit fit[PARTITIONS][FITS]
    uint16_t crossing[PARTITIONS][CROSSINGS]
    # Ways to assign three triples to three places; bits 3 k to 3 k + 2 of the index are the set of places of
    # triple k.
    uint8_t orders[512]


cdef Tables tables


cdef inline int digit_count(uint16_t digits) noexcept nogil:
    cdef int n = 0
    while digits:
        digits &= digits - 1
        n += 1
    return n


cdef inline uint16_t partition_with(uint16_t first, uint16_t second) noexcept nogil:
    """Return the partition that has two triples, given as sets of digits."""
    return tables.partition_of[tables.triple_of[first]][tables.triple_of[second]]


cdef bint cross(const uint8_t* p, const uint8_t* q) noexcept nogil:
    cdef int i, j
    for i in range(3):
        for j in range(3):
            if digit_count(tables.digits[p[i]] & tables.digits[q[j]]) != 1:
                return False
    return True


cdef void list_triples(Tables* t) noexcept nogil:
    cdef int n = 0
    cdef int digits
    for digits in range(512):
        if digit_count(digits) == 3:
            t.triple_of[digits] = n
            t.digits[n] = digits
            n += 1


cdef void list_partitions(Tables* t) noexcept nogil:
    cdef int n = 0
    cdef int i, j, a, b
    cdef uint8_t* p
    for i in range(TRIPLES):
        for j in range(i + 1, TRIPLES):
            if t.digits[i] & t.digits[j] == 0:
                p = t.triple[n]
                p[0] = i
                p[1] = j
                p[2] = t.triple_of[ALL_DIGITS & ~(t.digits[i] | t.digits[j])]
                if p[2] < j:
                    continue
                for a in range(3):
                    for b in range(3):
                        t.partition_of[p[a]][p[b]] = n
                n += 1


cdef void list_fits(Tables* t, int first) noexcept nogil:
    """List the 56 pairs that fit a partition; the triples of the third contain the remaining digits of each line."""
    cdef uint16_t x[3]
    cdef uint16_t z[3]
    cdef uint16_t y
    cdef Fit* fit = t.fit[first]
    cdef int i, j, k
    for k in range(3):
        x[k] = t.digits[t.triple[first][k]]
    for i in range(TRIPLES):
        if t.digits[i] & x[0]:
            continue
        z[0] = ALL_DIGITS & ~(t.digits[i] | x[0])
        for j in range(TRIPLES):
            if t.digits[j] & (x[1] | t.digits[i]):
                continue
            y = ALL_DIGITS & ~(t.digits[i] | t.digits[j])
            if y & x[2]:
                continue
            z[1] = ALL_DIGITS & ~(t.digits[j] | x[1])
            z[2] = ALL_DIGITS & ~(y | x[2])
            fit.second_triple[0] = i
            fit.second_triple[1] = j
            fit.second_triple[2] = t.triple_of[y]
            for k in range(3):
                fit.third_triple[k] = t.triple_of[z[k]]
            fit.second = t.partition_of[i][j]
            fit.third = partition_with(z[0], z[1])
            fit += 1


cdef void prepare_tables() noexcept nogil:
    cdef Tables* t = &tables
    cdef int p, q, n, index
    list_triples(t)
    list_partitions(t)
    for p in range(PARTITIONS):
        list_fits(t, p)
        n = 0
        for q in range(PARTITIONS):
            if cross(t.triple[p], t.triple[q]):
                t.crossing[p][n] = q
                n += 1
    for index in range(512):
        n = 0
        for p in range(3):
            for q in range(3):
                if p != q:
                    n += (index >> p) & (index >> (3 + q)) & (index >> (9 - p - q)) & 1
        t.orders[index] = n


prepare_tables()
