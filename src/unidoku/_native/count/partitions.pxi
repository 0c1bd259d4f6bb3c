# The 280 partitions of nine digits into three triples, their relations, and those that the clues of a puzzle allow.
#
# The rows of a filled box partition the nine digits into three triples, and so do its columns.  The order of the
# three triples does not matter here: rows of a band and columns of a stack without clues can be permuted freely,
# and clues fix the order of the other lines.
#
# Two partitions *cross* if each triple of one has one digit in common with each triple of the other: then they are
# the rows and the columns of a box.  Three partitions *fit* if their triples can be joined to three lines of nine
# different digits: then they are the rows of the three boxes of a band, or the columns of the three boxes of a
# stack.  Such a way to join them is a *configuration* of the band or stack.
#
#     1 2 3   4 5 6   7 8 9      rows of box 1:  123|456|789      its columns: 147|258|369, which cross them
#     4 5 6   7 8 9   1 2 3      rows of box 2:  456|789|123      the same partition, as are the rows of
#     7 8 9   1 2 3   4 5 6      rows of box 3:  789|123|456      this box; they fit: 123 456 789, ...
#
# Felgenhauer and Jarvis counted all grids by the triples of a band (2005).

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from unidoku._native.bits cimport bit_count

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


cdef struct PartitionTables:
    uint16_t digits[TRIPLES]
    uint8_t triple_of[512]  # by digits
    uint8_t triple[PARTITIONS][3]
    uint16_t partition_of[TRIPLES][TRIPLES]  # by any two of its triples
    Fit fit[PARTITIONS][FITS]
    uint16_t crossing[PARTITIONS][CROSSINGS]
    # Ways to assign three triples to three places; bits 3 k to 3 k + 2 of the index are the set of places of
    # triple k.
    uint8_t orders[512]


cdef PartitionTables tables


cdef inline uint16_t partition_with(uint16_t first, uint16_t second) noexcept nogil:
    """Return the partition that has two triples, given as sets of digits."""
    return tables.partition_of[tables.triple_of[first]][tables.triple_of[second]]


cdef bint cross(const uint8_t* p, const uint8_t* q) noexcept nogil:
    cdef int i, j
    for i in range(3):
        for j in range(3):
            if bit_count(tables.digits[p[i]] & tables.digits[q[j]]) != 1:
                return False
    return True


cdef void list_triples(PartitionTables* t) noexcept nogil:
    cdef int n = 0
    cdef int digits
    for digits in range(512):
        if bit_count(digits) == 3:
            t.triple_of[digits] = n
            t.digits[n] = digits
            n += 1


cdef void list_partitions(PartitionTables* t) noexcept nogil:
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


cdef void list_fits(PartitionTables* t, int first) noexcept nogil:
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
    cdef PartitionTables* t = &tables
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


# The partitions and configurations of bands and stacks that the clues allow.
#
# A *group* is a band or a stack, with three boxes and three lines, which are its rows or columns.  A clue only
# restricts its digit to one line of a band and one line of a stack: a row partition and a column partition that
# cross and both agree with the clues make a box that agrees with the clues.  A configuration of a group agrees
# with the clues if its three lines can be ordered; the number of orders is then (3 - lines with clues)!.

cdef enum:  # the two kinds of groups
    BANDS
    STACKS


cdef struct Configuration:
    # Partitions of a group's boxes, the leading one first.
    uint16_t partition[3]
    uint8_t fit  # number among the fits of the leading partition


cdef struct Group:
    # places[b][t]: set of the lines that may contain triple t in box b.
    uint8_t places[3][TRIPLES]
    # Whether a filling of the grid may have a partition in box b.
    uint8_t allowed[3][PARTITIONS]
    int allowed_count[3]
    int free_lines  # lines without clues
    # Configurations, in the order of the partition of box `leading`.
    int leading
    int size
    Configuration* configuration


cdef void set_clues(Group* group, uint16_t[3][3] clues) noexcept nogil:
    """Set the places of all triples from the clues: clues[b][k] is the set of digits in line k of box b."""
    cdef int b, k, t, p
    cdef uint16_t own, other, digits
    cdef uint8_t* triple
    group.free_lines = 0
    for k in range(3):
        group.free_lines += (clues[0][k] | clues[1][k] | clues[2][k]) == 0
    for b in range(3):
        for t in range(TRIPLES):
            digits = tables.digits[t]
            group.places[b][t] = 0
            for k in range(3):
                own = clues[b][k]
                other = clues[b][(k + 1) % 3] | clues[b][(k + 2) % 3]
                other |= clues[(b + 1) % 3][k] | clues[(b + 2) % 3][k]
                if own & ~digits == 0 and other & digits == 0:
                    group.places[b][t] |= <uint8_t> (1 << k)
        for p in range(PARTITIONS):
            triple = tables.triple[p]
            group.allowed[b][p] = tables.orders[
                group.places[b][triple[0]] | group.places[b][triple[1]] << 3 | group.places[b][triple[2]] << 6
            ] != 0


cdef void list_configurations(Group* group, int leading) noexcept nogil:
    """List the configurations of possible partitions, ordered by the partition of box `leading`."""
    cdef int second = (leading + 1) % 3
    cdef int third = (leading + 2) % 3
    cdef int p, k, m, index
    cdef uint8_t first[3]
    cdef const uint8_t* places_2 = group.places[second]
    cdef const uint8_t* places_3 = group.places[third]
    cdef const Fit* fit
    cdef Configuration* here = group.configuration
    for p in range(PARTITIONS):
        if not group.allowed[leading][p]:
            continue
        for m in range(3):
            first[m] = group.places[leading][tables.triple[p][m]]
        for k in range(FITS):
            fit = &tables.fit[p][k]
            if not group.allowed[second][fit.second] or not group.allowed[third][fit.third]:
                continue
            index = 0
            for m in range(3):
                index |= (first[m] & places_2[fit.second_triple[m]] & places_3[fit.third_triple[m]]) << (3 * m)
            if tables.orders[index]:
                here.partition[0] = p
                here.partition[1] = fit.second
                here.partition[2] = fit.third
                here.fit = k
                here += 1
    group.leading = leading
    group.size = <int> (here - group.configuration)


cdef int leading_box(Group* group) noexcept nogil:
    """Return the box with the fewest possible partitions."""
    cdef int best = 0
    cdef int b, p
    for b in range(3):
        group.allowed_count[b] = 0
        for p in range(PARTITIONS):
            group.allowed_count[b] += group.allowed[b][p]
    for b in range(1, 3):
        if group.allowed_count[b] < group.allowed_count[best]:
            best = b
    return best


cdef bint keep_configured(Group* group) noexcept nogil:
    """Remove configurations with impossible partitions, then partitions without a configuration."""
    cdef uint8_t found[3][PARTITIONS]
    cdef bint changed = False
    cdef Configuration* here = group.configuration
    cdef Configuration* kept = group.configuration
    cdef Configuration* end = group.configuration + group.size
    cdef int leading = group.leading
    cdef int second = (leading + 1) % 3
    cdef int third = (leading + 2) % 3
    cdef int b, p
    memset(found, 0, sizeof(found))
    while here < end:
        if (group.allowed[leading][here.partition[0]] and group.allowed[second][here.partition[1]]
                and group.allowed[third][here.partition[2]]):
            found[leading][here.partition[0]] = True
            found[second][here.partition[1]] = True
            found[third][here.partition[2]] = True
            kept[0] = here[0]
            kept += 1
        here += 1
    group.size = <int> (kept - group.configuration)
    for b in range(3):
        for p in range(PARTITIONS):
            changed |= group.allowed[b][p] != found[b][p]
            group.allowed[b][p] = found[b][p]
    return changed


cdef bint keep_crossed(uint8_t* rows, uint8_t* columns) noexcept nogil:
    """Remove the row partitions of a box that cross none of its column partitions."""
    cdef bint changed = False
    cdef int p, k
    for p in range(PARTITIONS):
        if rows[p]:
            for k in range(CROSSINGS):
                if columns[tables.crossing[p][k]]:
                    break
            else:
                rows[p] = False
                changed = True
    return changed


cdef bint make_consistent(Group[2][3] groups) noexcept nogil:
    """Remove partitions and configurations that single groups and boxes exclude.

    Return false if a box has no partition left, so that the puzzle has no solution.
    """
    cdef bint changed = True
    cdef int kind, g, b
    for kind in range(2):
        for g in range(3):
            list_configurations(&groups[kind][g], leading_box(&groups[kind][g]))
    while changed:
        changed = False
        for kind in range(2):
            for g in range(3):
                changed |= keep_configured(&groups[kind][g])
        for g in range(3):
            for b in range(3):
                changed |= keep_crossed(groups[BANDS][g].allowed[b], groups[STACKS][b].allowed[g])
                changed |= keep_crossed(groups[STACKS][b].allowed[g], groups[BANDS][g].allowed[b])
    for kind in range(2):
        for g in range(3):
            leading_box(&groups[kind][g])
            if groups[kind][g].size == 0:
                return False
    return True
