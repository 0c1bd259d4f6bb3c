# Techniques 7 to 12 and 16 to 18: naked subsets, hidden subsets, fish.

cdef bint find_naked_subset(const Board* board, Step* step, int size, uint32_t houses) noexcept nogil:
    """Cells of one of the houses that have together as many candidates as they are."""
    cdef uint16_t found[126]
    cdef uint16_t masks[9]
    cdef int i, j, house, place, digit
    cdef unsigned int joint
    cdef cells_t cells, others
    for i in range(27):
        house = SCAN[i]
        if not houses >> house & 1 or board.empties[house] < 2 * size:
            continue
        for place in range(9):
            masks[place] = board.cand[CELL[house][place]]
        for j in range(find_subsets(masks, size, found)):
            joint = union_of(masks, found[j])
            cells = house_cells(house, found[j])
            others = HOUSE[house] & ~cells
            step_start(step, NAKED_PAIR if size == 2 else NAKED_TRIPLET if size == 3 else NAKED_QUAD,
                       30 if size == 2 else 36 if size == 3 else 50)
            for digit in range(9):
                if joint >> digit & 1:
                    step.removed[digit] = others & board.digit[digit]
            if step_removes(step):
                step.house = house
                step.cells = cells
                step.digits = joint
                if ends_search(board, step):
                    return True
    return False


cdef bint find_hidden_subset(const Board* board, Step* step, int size, uint32_t houses) noexcept nogil:
    """Digits that have together as many places in one of the houses as they are."""
    cdef uint16_t found[126]
    cdef int i, j, house, digit
    cdef cells_t cells
    for i in range(27):
        house = SCAN[i]
        if not houses >> house & 1 or board.empties[house] <= 2 * size:
            continue
        for j in range(find_subsets(board.places[house], size, found)):
            cells = house_cells(house, union_of(board.places[house], found[j]))
            step_start(step, HIDDEN_PAIR if size == 2 else HIDDEN_TRIPLET if size == 3 else HIDDEN_QUAD,
                       34 if size == 2 else 40 if size == 3 else 54)
            for digit in range(9):
                if not found[j] >> digit & 1:
                    step.removed[digit] = cells & board.digit[digit]
            if step_removes(step):
                step.house = house
                step.cells = cells
                step.digits = found[j]
                if ends_search(board, step):
                    return True
    return False


cdef bint find_fish(const Board* board, Step* step, int size, uint32_t digits) noexcept nogil:
    """Lines in which one of the digits has together as many places across as they are; columns, then rows."""
    cdef uint16_t found[9][127]
    cdef uint16_t masks[9]
    cdef int count[9]
    cdef int at[9]
    cdef int base, digit, line, best
    cdef cells_t lines, across
    cdef unsigned int joint
    for base in range(COLUMNS, -1, -9):
        for digit in range(9):
            for line in range(9):
                masks[line] = board.places[base + line][digit]
            count[digit] = find_subsets(masks, size, found[digit]) if digits >> digit & 1 else 0
            found[digit][count[digit]] = 512  # beyond all
            at[digit] = 0
        while True:  # sets of lines ascending, then digits
            best = 0
            for digit in range(1, 9):
                if found[digit][at[digit]] < found[best][at[best]]:
                    best = digit
            if found[best][at[best]] == 512:
                break
            joint = 0
            lines = 0
            for line in range(9):
                if found[best][at[best]] >> line & 1:
                    joint |= board.places[base + line][best]
                    lines |= HOUSE[base + line]
            at[best] += 1
            across = 0
            for line in range(9):
                if joint >> line & 1:
                    across |= HOUSE[9 - base + line]
            if cells_any(across & ~lines & board.digit[best]):
                step_start(step, X_WING if size == 2 else SWORDFISH if size == 3 else JELLYFISH,
                           32 if size == 2 else 38 if size == 3 else 52)
                step.removed[best] = across & ~lines & board.digit[best]
                step.cells = lines & board.digit[best]
                step.digits = 1 << best
                step.house = base
                if ends_search(board, step):
                    return True
    return False
