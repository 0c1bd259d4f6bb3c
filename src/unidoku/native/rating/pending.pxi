# What a technique has to look at: only where something has changed can it find something new.

# What has changed since a technique looked last.
cdef struct Pending:
    uint32_t pointing       # boxes
    uint32_t claiming       # houses
    uint32_t direct[4]      # houses, for direct hidden subsets of 2 and 3
    uint32_t naked[5]       # houses, for subsets of 2 to 4
    uint32_t hidden[5]
    uint32_t fish[5]        # digits, for fish of 2 to 4
    cells_t singles         # cells
    cells_t wings[2]
    cells_t pairs
    cells_t triplets
    cells_t no_loop[9][9]   # not empty: all cells on which it depends that loops of two digits give no hint


cdef inline void pending_start(Pending* pending) noexcept nogil:
    """Set every field: nothing has been looked at, and the board will say what there is."""
    memset(pending, 0, sizeof(Pending))


cdef inline void pending_collect(Pending* pending, Board* board) noexcept nogil:
    """Add what the board has lost since the last time."""
    cdef uint32_t houses = board.houses_touched
    cdef int size
    if not houses:
        return
    pending.pointing |= houses >> BOXES
    pending.claiming |= houses
    pending.direct[2] |= houses
    pending.direct[3] |= houses
    for size in range(2, 5):
        pending.naked[size] |= houses
        pending.hidden[size] |= houses
        pending.fish[size] |= board.digits_touched
    pending.singles |= board.touched
    pending.wings[0] |= board.touched
    pending.wings[1] |= board.touched
    forget_loops(pending, board.touched)
    pending.pairs |= board.touched
    pending.triplets |= board.touched
    board.touched = 0
    board.houses_touched = 0
    board.digits_touched = 0


cdef inline void pending_closed(Pending* pending, Board* board) noexcept nogil:
    """The techniques up to 4.4 find nothing on the board."""
    pending_collect(pending, board)
    pending.pointing = pending.claiming = 0
    pending.direct[2] = pending.direct[3] = 0
    pending.naked[2] = pending.naked[3] = pending.hidden[2] = pending.hidden[3] = 0
    pending.fish[2] = pending.fish[3] = 0
    pending.singles = pending.wings[0] = pending.wings[1] = 0


cdef void forget_loops(Pending* pending, cells_t cells) noexcept nogil:
    """Loops of two digits must be looked for again if one of their cells has changed."""
    cdef int one, two
    for one in range(8):
        for two in range(one + 1, 9):
            if cells_any(pending.no_loop[one][two] & cells):
                pending.no_loop[one][two] = 0
