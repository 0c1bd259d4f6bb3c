# Techniques 13 and 14: XY-wing and XYZ-wing.

cdef bint find_wing(const Board* board, Step* step, bint three) noexcept nogil:
    """A pivot of two (``three``: three) candidates and two cells of two that leave a digit no other way."""
    cdef int pivot, i, j, one, two, digit
    cdef unsigned int digits, first, second
    cdef cells_t gone
    for pivot in range(81):
        digits = board.cand[pivot]
        if digits_count(digits) != 2 + three:
            continue
        for i in range(19):
            one = PEER[pivot][i]
            first = board.cand[one]
            if digits_count(first) != 2 or digits_count(first & digits) != 1 + three:
                continue
            for j in range(i + 1, 20):
                two = PEER[pivot][j]
                second = board.cand[two]
                if (digits_count(second) != 2 or digits_count(first & second) != 1
                        or (first | second) & digits != digits or digits_count(first | second | digits) != 3
                        or (not three and first & second & digits)):
                    continue
                digit = digits_first(first & second)
                gone = PEERS[one] & PEERS[two] & board.digit[digit]
                gone &= PEERS[pivot] if three else ~ONE[pivot]
                if cells_any(gone):
                    step_start(step, XYZ_WING if three else XY_WING, 44 if three else 42)
                    step.removed[digit] = gone
                    step.cells = ONE[pivot] | ONE[one] | ONE[two]
                    step.digits = 1 << digit
                    if ends_search(board, step):
                        return True
    return False
