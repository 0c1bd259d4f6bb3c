# Sets of k among nine masks whose union has exactly k bits: naked and hidden subsets, fish.

cdef inline int find_subsets(const uint16_t* masks, int size, uint16_t* found) noexcept nogil:
    """Write the sets of ``size`` (2 to 4) masks of 2 bits or more whose union has ``size`` bits; how many there are.

    They come in ascending order as binary numbers; ``found`` has room for 126.
    """
    cdef int fit[9]
    cdef int count = 0, last = 0, i, j, k, m, bits
    cdef unsigned int two, three
    for i in range(9):
        bits = digits_count(masks[i])
        if 2 <= bits <= size:
            fit[last] = i
            last += 1
    for m in range(size - 1, last):  # the highest member comes first: this gives the ascending order
        for k in range(size - 2, m):
            two = masks[fit[m]] | masks[fit[k]]
            if digits_count(two) > size:
                continue
            if size == 2:
                found[count] = <uint16_t> (1 << fit[m] | 1 << fit[k])
                count += 1
                continue
            for j in range(size - 3, k):
                three = two | masks[fit[j]]
                if digits_count(three) > size:
                    continue
                if size == 3:
                    found[count] = <uint16_t> (1 << fit[m] | 1 << fit[k] | 1 << fit[j])
                    count += 1
                    continue
                for i in range(j):
                    if digits_count(three | masks[fit[i]]) == size:
                        found[count] = <uint16_t> (1 << fit[m] | 1 << fit[k] | 1 << fit[j] | 1 << fit[i])
                        count += 1
    return count


cdef inline unsigned int union_of(const uint16_t* masks, unsigned int members) noexcept nogil:
    """The union of some of the masks."""
    cdef unsigned int joint = 0
    while members:
        joint |= masks[digits_first(members)]
        members &= members - 1
    return joint
