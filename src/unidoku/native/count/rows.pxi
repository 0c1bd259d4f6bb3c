# Tables of a band: the number of its fillings for given column partitions of its boxes.
#
# A *row* of a table belongs to one partition in stack 1, and has one vector for each partition in stack 2.  The
# lanes of a vector are configurations of stack 0.  A filling is a configuration of the band whose row partitions
# cross the three column partitions.

cdef extern from "count.h" nogil:
    enum:
        COUNT_LANES
        COUNT_PAIRS

    # Vector types of GCC and Clang, declared as integers so that Cython accepts +.
    ctypedef unsigned short vec "count_vec"
    ctypedef unsigned int vec_sum "count_sum"
    ctypedef struct count_total:
        pass

    vec_sum sum_products(vec_sum sum, vec a, vec b)
    void total_add(count_total* total, vec_sum sum, vec first, uint32_t weight)
    uint64_t total_of_pair(const count_total* total, int pair)
    vec vec_zero()
    vec_sum sum_zero()
    vec vec_max(vec a, vec b)
    bint vec_any_lane(vec v)


cdef void mark_lanes(const Band* band, const uint16_t* column, vec* crossing) noexcept nogil:
    """Set for each row partition in stack 0: 1 in the lanes whose column partition it crosses, else 0.

    column[lane]: number of the lane's column partition, NOWHERE for an empty lane.
    """
    cdef int lane, k
    memset(crossing, 0, band.partitions[0] * sizeof(vec))
    for lane in range(COUNT_LANES):
        if column[lane] != NOWHERE:
            for k in range(band.cross_start[0][column[lane]], band.cross_start[0][column[lane] + 1]):
                (<uint16_t*> &crossing[band.crossing[0][k]])[lane] = 1


cdef void make_row(const Band* band, int columns, int first, const vec* crossing, vec* ways, vec* row,
                   vec* most) noexcept nogil:
    """Count the fillings for column partition `first` in stack 1 and each of `columns` partitions in stack 2.

    `ways` is a buffer of one vector for each row partition in stack 2; `most` is raised to the largest numbers.
    """
    cdef int k, t, b
    cdef vec sum
    cdef vec other
    cdef vec top = most[0]
    cdef const uint16_t* here
    cdef const uint16_t* end
    memset(ways, 0, band.partitions[2] * sizeof(vec))
    for k in range(band.cross_start[1][first], band.cross_start[1][first + 1]):
        t = band.crossing[1][k]
        here = band.pair[band.start[t]]
        end = band.pair[band.start[t + 1]]
        while here < end:
            ways[here[0]] = ways[here[0]] + crossing[here[1]]
            here += 2
    for b in range(columns):
        here = &band.crossing[2][band.cross_start[2][b]]
        end = &band.crossing[2][band.cross_start[2][b + 1]]
        sum = other = vec_zero()
        while here + 1 < end:
            sum = sum + ways[here[0]]
            other = other + ways[here[1]]
            here += 2
        if here < end:
            sum = sum + ways[here[0]]
        sum = sum + other
        row[b] = sum
        top = vec_max(top, sum)
    most[0] = top
