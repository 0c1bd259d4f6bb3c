# The codes and the rows that the rating engine shares with Python, which derives its words from them.

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint64_t

# The techniques, numbered from 1, in the order in which they are tried.
cpdef enum:
    NO_TECHNIQUE
    HIDDEN_SINGLE
    DIRECT_POINTING
    DIRECT_CLAIMING
    DIRECT_HIDDEN_PAIR
    NAKED_SINGLE
    DIRECT_HIDDEN_TRIPLET
    POINTING
    CLAIMING
    NAKED_PAIR
    X_WING
    HIDDEN_PAIR
    NAKED_TRIPLET
    SWORDFISH
    HIDDEN_TRIPLET
    XY_WING
    XYZ_WING
    UNIQUE_RECTANGLE
    UNIQUE_LOOP
    NAKED_QUAD
    JELLYFISH
    HIDDEN_QUAD
    BUG
    ALIGNED_PAIR_EXCLUSION
    X_CYCLE
    Y_CYCLE
    FORCING_X_CHAIN
    XY_CYCLE
    FORCING_CHAIN
    ALIGNED_TRIPLET_EXCLUSION
    NISHIO
    MULTIPLE_FORCING_CHAINS
    DYNAMIC_FORCING_CHAINS
    DYNAMIC_PLUS
    DYNAMIC_FORCING_CHAINS_PLUS
    DYNAMIC_MULTIPLE_PLUS
    DYNAMIC_DYNAMIC_PLUS
    DYNAMIC_DYNAMIC_FORCING_CHAINS_PLUS
    TECHNIQUES

cpdef enum:
    UNBOUNDED = 200  # the rating of a puzzle that no technique solves, in tenths: none is higher

# The kinds of hidden singles, of loops and BUGs, and of chains.
cpdef enum:
    NO_KIND
    KIND_FULL_HOUSE
    KIND_TYPE_1
    KIND_TYPE_2
    KIND_TYPE_3
    KIND_TYPE_4
    KIND_DOUBLE
    KIND_X
    KIND_Y
    KIND_XY
    KIND_CELL
    KIND_HOUSE
    KIND_CONTRADICTION
    KINDS  # how many

# The names that people give a step, numbered from 1, in the order in which they are tried.
cpdef enum:
    NO_NAME
    NAME_FULL_HOUSE
    NAME_HIDDEN_SINGLE
    NAME_DIRECT_POINTING
    NAME_DIRECT_CLAIMING
    NAME_DIRECT_HIDDEN_PAIR
    NAME_NAKED_SINGLE
    NAME_DIRECT_HIDDEN_TRIPLE
    NAME_POINTING
    NAME_CLAIMING
    NAME_NAKED_PAIR
    NAME_X_WING
    NAME_HIDDEN_PAIR
    NAME_NAKED_TRIPLE
    NAME_SWORDFISH
    NAME_HIDDEN_TRIPLE
    NAME_XY_WING
    NAME_XYZ_WING
    NAME_RECTANGLE_1  # types 1 to 4
    NAME_RECTANGLE_4 = NAME_RECTANGLE_1 + 3
    NAME_UNIQUE_LOOP
    NAME_NAKED_QUADRUPLE
    NAME_JELLYFISH
    NAME_HIDDEN_QUADRUPLE
    NAME_BUG_1  # types 1 to 4
    NAME_BUG_4 = NAME_BUG_1 + 3
    NAME_ALIGNED_PAIR
    NAME_SKYSCRAPER
    NAME_KITE
    NAME_TURBOT_FISH
    NAME_SIMPLE_COLORS
    NAME_X_CHAIN
    NAME_X_CHAIN_LOOP
    NAME_REMOTE_PAIR
    NAME_XY_CHAIN
    NAME_XY_CHAIN_LOOP
    NAME_W_WING
    NAME_AIC
    NAME_NICE_LOOP
    NAME_DISCONTINUOUS_LOOP
    NAME_ALIGNED_TRIPLET
    NAME_NISHIO
    NAME_CELL_CHAINS
    NAME_HOUSE_CHAINS
    NAME_DYNAMIC_DOUBLE  # then of a cell, of a house, by contradiction; nested chains in the same order
    NAME_NESTED_DOUBLE = NAME_DYNAMIC_DOUBLE + 4
    NAMES = NAME_NESTED_DOUBLE + 4  # how many

# The links of a chain.
cpdef enum:
    LINK_WEAK
    LINK_STRONG
    LINK_INNER

# Why a node of a chain holds.
cpdef enum:
    WHY_LINK = 0       # "off": a candidate that is on excludes it; for the start: no reason
    WHY_CELL = 1       # "on": the last candidate of its cell
    WHY_HOUSE = 2      # the last place in its box; 3: row, 4: column
    WHY_INNER = 5      # "off": an inner technique, whose number is added

# How the work on a puzzle ends.
cpdef enum:
    RATED
    IMPROPER     # two equal clues in a house, or a cell without candidates
    STUCK        # no technique finds a step
    AT_LEAST     # the rating is ``below`` or more
    STOPPED      # the stop flag ended the work

# A step, and the position before it. Lists are in one array for all steps; each begins where that before it ends.
cdef struct StepRow:
    uint64_t cells[2]         # cells of the pattern: bit c of 128
    uint64_t others[2]
    int64_t placements_end
    int64_t eliminations_end
    int64_t links_end
    int64_t nodes_end
    uint16_t digits
    int16_t placement         # 9 * cell + digit - 1, or -1
    uint8_t before[81]        # the digits before the step
    uint8_t technique
    uint8_t rating            # in tenths
    uint8_t kind
    uint8_t name
    int8_t house
    int8_t other
