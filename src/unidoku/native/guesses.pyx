"""Count the guesses that the solver tdoku makes, by a search with the same rules in the same order.

The rules are those of tdoku's search on bands, boxes and triads (T. Dillon, BSD-2-Clause); this is a scalar program
of our own.  A *triad* is the three cells that a row or a column has in a box.  In a *band* (three boxes side by
side, or above each other) a digit is in one triad of each box, in a different line in each: six *arrangements*.
The number of guesses depends on the order of all eliminations, because rules are applied once where repeating them
would find more; so the order here must not be changed.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from unidoku.native.stop cimport is_set

cdef enum:
    ALL_DIGITS = 0x1FF
    BANDS = 6  # three horizontal ones, then three vertical ones
    DEEPEST = 55  # a guess settles a digit of a band, and there are 54 of these
    PATIENCE = 1 << 10  # guesses between two looks at the stop flag


cdef struct Box:
    # A 4 x 4 matrix of sets of digits: the candidates of the nine cells; to the right of each row, and below each
    # column, the digits that may be missing in that triad.  The last entry is not used.
    uint16_t part[16]


cdef struct Band:
    # Digits by arrangement: those that may have it, and those to be removed from it.
    uint16_t possible[6]
    uint16_t removed[6]


cdef struct State:
    Band band[BANDS]
    Box box[9]


# The line in which a box, first to third, has a digit of each arrangement.
cdef int LINE[3][6]
LINE[0][:] = [0, 1, 2, 2, 0, 1]
LINE[1][:] = [1, 2, 0, 1, 2, 0]
LINE[2][:] = [2, 0, 1, 0, 1, 2]


cdef uint8_t COUNT[512]  # digits in a set; the instruction for it is not on every processor
for _set in range(512):
    COUNT[_set] = _set.bit_count()


cdef inline void settle(uint16_t* removed, int place, int line, uint16_t digits) noexcept nogil:
    """Remove digits from the arrangements in which they are in another line of a box of the band."""
    cdef int k
    for k in range(6):
        if LINE[place][k] != line:
            removed[k] |= digits


cdef inline void exclude(uint16_t* removed, int place, int line, uint16_t digits) noexcept nogil:
    """Remove digits from the arrangements in which they are in this line of a box of the band."""
    cdef int k
    for k in range(6):
        if LINE[place][k] == line:
            removed[k] |= digits


cdef inline void assert_single(const uint16_t* part, uint16_t* asserted, int first, int step) noexcept nogil:
    """Assert the digits that are in exactly one of the three cells of a triad, or missing in it."""
    cdef uint16_t once = 0, twice = 0
    cdef int k
    for k in range(4):
        twice |= once & part[first + step * k]
        once |= part[first + step * k]
    for k in range(4):
        asserted[first + step * k] |= part[first + step * k] & ~twice


cdef void triads_of(const Band* band, uint16_t triads[3][3]) noexcept nogil:
    """Find the digits that each line of each box of a band can have."""
    cdef int place, k
    memset(triads, 0, 9 * sizeof(uint16_t))
    for place in range(3):
        for k in range(6):
            triads[place][LINE[place][k]] |= band.possible[k]


cdef bint reduce_band(State* state, int number, int from_place) noexcept nogil:
    """Apply what is to be removed from a band, and tell its boxes, the one at `from_place` last.

    Returns false if there is a contradiction.
    """
    cdef Band* band = &state.band[number]
    cdef uint16_t triads[3][3]
    cdef uint16_t allowed[16]
    cdef uint16_t gone[6]
    cdef uint16_t some = 0
    cdef uint16_t others
    cdef bint vertical = number >= 3
    cdef int k, place, line, turn, i, box
    for k in range(6):
        some |= band.possible[k] & band.removed[k]
    if not some:
        return True
    for k in range(6):
        band.possible[k] &= ~band.removed[k]
        gone[k] = 0
    triads_of(band, triads)
    # a triad with three digits has these in its line
    for place in range(3):
        for line in range(3):
            if COUNT[triads[place][line]] == 3:
                settle(gone, place, line, triads[place][line])
    for k in range(6):
        band.possible[k] &= ~gone[k]
    triads_of(band, triads)  # the boxes get this, even if the band is changed by one of them
    for turn in range(1, 4):
        place = (from_place + turn) % 3
        for i in range(16):
            allowed[i] = ALL_DIGITS
        for line in range(3):
            others = triads[place][(line + 1) % 3] | triads[place][(line + 2) % 3]
            for i in range(3):
                allowed[4 * i + line if vertical else 4 * line + i] = triads[place][line]
            allowed[12 + line if vertical else 4 * line + 3] = others
        box = 3 * place + number - 3 if vertical else 3 * number + place
        if not reduce_box(state, box, allowed, vertical):
            return False
    return True


cdef bint reduce_box(State* state, int number, const uint16_t* allowed, bint from_vertical) noexcept nogil:
    """Restrict a box to the allowed digits, apply its rules, and tell its bands; false for a contradiction."""
    cdef uint16_t* part = state.box[number].part
    cdef uint16_t removed[16]
    cdef uint16_t asserted[16]
    cdef uint16_t in_row[3]
    cdef uint16_t in_column[3]
    cdef uint16_t anywhere
    cdef uint16_t some = 0
    cdef int i, j, k, least, count
    cdef int row = number // 3
    cdef int column = number % 3
    cdef uint16_t* across = state.band[row].removed
    cdef uint16_t* down = state.band[3 + column].removed
    for k in range(15):
        removed[k] = part[k] & ~allowed[k]
        some |= removed[k]
    if not some:
        return True
    while some:
        for k in range(15):
            part[k] &= ~removed[k]
        # a cell has at least one digit, a triad lacks at least six; what is left with so few is certain
        for k in range(15):
            least = 6 if k % 4 == 3 or k >= 12 else 1
            count = COUNT[part[k]]
            if count < least:
                return False
            asserted[k] = part[k] if count == least else 0
        for i in range(3):
            assert_single(part, asserted, 4 * i, 1)
            assert_single(part, asserted, i, 4)
        anywhere = 0
        for i in range(3):
            in_row[i] = asserted[4 * i] | asserted[4 * i + 1] | asserted[4 * i + 2]
            in_column[i] = asserted[i] | asserted[4 + i] | asserted[8 + i]
            anywhere |= in_row[i]
        for i in range(3):
            for j in range(3):
                k = 4 * i + j
                removed[k] |= (ALL_DIGITS if asserted[k] else anywhere) & ~asserted[k]
            removed[4 * i + 3] |= in_row[i]
            removed[12 + i] |= in_column[i]
            settle(across, column, i, in_row[i])
            settle(down, row, i, in_column[i])
            exclude(across, column, i, asserted[4 * i + 3])
            exclude(down, row, i, asserted[12 + i])
        some = 0
        for k in range(15):
            some |= removed[k] & part[k]
    if from_vertical:
        return reduce_band(state, row, column) and reduce_band(state, 3 + column, row)
    return reduce_band(state, 3 + column, row) and reduce_band(state, row, column)


cdef bint load(State* state, const uint8_t* cells) noexcept nogil:
    """Set the clues of a puzzle, and apply the rules; false if there is a contradiction."""
    cdef int cell, i, j, k, row, column, box
    cdef uint16_t digit
    cdef uint16_t* part
    memset(state, 0, sizeof(State))
    for i in range(BANDS):
        for k in range(6):
            state.band[i].possible[k] = ALL_DIGITS
    for i in range(9):
        for k in range(16):
            state.box[i].part[k] = ALL_DIGITS
    for cell in range(81):
        if cells[cell] == 0:
            continue
        digit = <uint16_t> (1 << (cells[cell] - 1))
        row = cell // 9
        column = cell % 9
        box = row // 3 * 3 + column // 3
        part = state.box[box].part
        i = row % 3
        j = column % 3
        for k in range(15):
            if k == 4 * i + j:
                part[k] &= digit
            elif (k < 12 and k % 4 < 3) or k == 4 * i + 3 or k == 12 + j:
                part[k] &= ~digit
        settle(state.band[row // 3].removed, column // 3, i, digit)
        settle(state.band[3 + column // 3].removed, row // 3, j, digit)
    for i in range(3):
        if not (reduce_band(state, i, (i + 1) % 3) and reduce_band(state, 3 + i, (i + 1) % 3)):
            return False
    return True


cdef int choose(const State* state, uint16_t* chosen) noexcept nogil:
    """Choose the band and the digit of the next guess; -1 if every digit has one arrangement in every band.

    The band is the first of those with the fewest possible arrangements of all digits. The digit has two arrangements
    in it; if no digit has two, it has three; otherwise it is the first with more.
    """
    cdef int band, k, count, best = -1
    cdef int fewest = 1000
    cdef uint16_t word, one = 0
    cdef uint16_t two = 0
    cdef uint16_t three = 0
    cdef uint16_t four = 0
    for band in range(BANDS):
        count = 0
        for k in range(6):
            count += COUNT[state.band[band].possible[k]]
        if 10 <= count < fewest:
            fewest = count
            best = band
    if best < 0:
        return -1
    for k in range(6):
        word = state.band[best].possible[k]
        four |= three & word
        three |= two & word
        two |= one & word
        one |= word
    word = two & ~three
    if not word:
        word = three & ~four
    if not word:
        word = four
    chosen[0] = word & (~word + 1)
    return best


cdef uint64_t search(const uint8_t* cells, State* stack, uint64_t budget, const uint8_t* stop,
                     bint* complete) noexcept nogil:
    """Count the guesses to the first solution, or to the proof that there is none."""
    cdef State* state = stack
    cdef Band* band
    cdef uint64_t guesses = 0
    cdef uint16_t digit = 0
    cdef int number, k, first, depth = 0
    cdef bint alive = load(state, cells)
    complete[0] = True
    while True:
        if not alive:
            if depth == 0:
                return guesses
            depth -= 1
            state = &stack[depth]
            alive = True
            # the entry is the state before the guess, whose first arrangement is refuted
            number = choose(state, &digit)
            band = &state.band[number]
            first = 0
            while not band.possible[first] & digit:
                first += 1
            band.removed[first] |= digit
            alive = reduce_band(state, number, 0)
            continue
        number = choose(state, &digit)
        if number < 0:
            return guesses
        if budget and guesses == budget:
            complete[0] = False
            return guesses
        if guesses % PATIENCE == 0 and is_set(stop):
            complete[0] = False
            return guesses
        guesses += 1
        stack[depth + 1] = state[0]
        depth += 1
        state = &stack[depth]
        band = &state.band[number]
        first = 0
        while not band.possible[first] & digit:
            first += 1
        for k in range(first + 1, 6):
            band.removed[k] |= band.possible[k] & digit
        alive = reduce_band(state, number, 0)


def count_guesses(const uint8_t[::1] cells, uint64_t[::1] guesses, uint8_t[::1] complete, uint64_t budget=0,
                  const uint8_t[::1] stop=None):
    """Count the guesses of n puzzles, rows of 81 cells 0 to 9, to the first solution; a budget of 0 is none.

    `complete` is 0 where the budget or the stop flag ended the search.
    """
    cdef Py_ssize_t n = guesses.shape[0], i
    cdef State stack[DEEPEST + 1]
    cdef const uint8_t* flag = NULL if stop is None else &stop[0]
    cdef bint whole = True
    cdef uint8_t most = 0
    if cells.shape[0] != 81 * n or complete.shape[0] != n:
        raise ValueError("cells must have 81 bytes per puzzle, complete one")
    with nogil:
        for i in range(81 * n):
            most = max(most, cells[i])
        for i in range(0 if most > 9 else n):
            guesses[i] = 0
            whole = not is_set(flag)
            if whole:
                guesses[i] = search(&cells[81 * i], stack, budget, flag, &whole)
            complete[i] = whole
    if most > 9:
        raise ValueError("a cell must be 0 to 9")
