# The data of the third part: positions, hints, the nodes of chains, runs, and the memory of a search.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from unidoku._native.cells cimport cells_t
from unidoku._native.rating.board cimport Board, Step

cdef enum:
    MOST_CANDIDATES = 729
    MOST_LINKS = 28       # weak links of a candidate
    SET_WORDS = 12        # words of a set of candidates

cdef struct Position:
    int n
    bint linked                              # the weak links of all digits are listed
    int blocks                               # of a set of ancestors
    int16_t number[81 * 9]                   # of the candidate of a cell and a digit, or -1
    uint8_t cell[MOST_CANDIDATES]
    uint8_t digit[MOST_CANDIDATES]
    uint32_t weak_begin[MOST_CANDIDATES + 1]
    uint32_t weak_houses[MOST_CANDIDATES]    # the links in houses come after those in the cell
    uint16_t weak[MOST_CANDIDATES * MOST_LINKS]

cdef enum:
    MOST_HINTS = 4096  # of an inner search, before hints that are the best for no candidate are dropped

    MOST_HINT_PARENTS = 2 * MOST_CANDIDATES * MOST_CANDIDATES  # twice the parents of the best hints of all candidates

# Candidates that the outer chain removed, without which an inner hint does not hold; each once, in order.
cdef struct Parents:
    int size
    uint16_t item[MOST_CANDIDATES]
    uint64_t has[SET_WORDS]

# The order of hints: the easiest comes first.
cdef struct HintKey:
    double sum
    int complexity
    int kind

# An inner hint, and its part of the outer chain.
cdef struct Hint:
    HintKey key
    int technique
    int parents_begin            # in the parents of all hints
    int parents
    uint64_t identity            # equal for hints whose chains are equal lists of nodes

cdef struct Hints:
    const Position* position
    const Board* grid
    const Board* source     # the grid at the start of the outer chain; NULL: not an inner search
    # of the search in the position itself:
    Step* step
    HintKey key
    int start               # of the cycle that is the step; its last meeting, and why it closes
    int last
    int last_cause
    int tied                # a chain from this start is the step: cycles from starts up to it come before; or -1
    # of an inner search:
    int size
    int16_t best[MOST_CANDIDATES]  # the hint that removes a candidate, or -1
    Hint hint[MOST_HINTS]
    int parents
    uint16_t parent[MOST_HINT_PARENTS]

# The nodes of all chains of a step, each as: number of the chain, node, why, number of parents, parents. A node is
# twice the number of its candidate (9 * cell + digit), and 1 more if it is on.
cdef struct Trace:
    int size
    int room
    bint failed   # there was no memory
    int32_t* item

cdef extern from "reach.h" nogil:
    ctypedef struct block_t:
        pass
    void ancestors_clear(block_t* set, int blocks)
    void ancestors_join(block_t* set, const block_t* other, int blocks)
    void ancestors_add(block_t* set, int bit)
    int ancestors_count(const block_t* set, int blocks)
    void* allocate_lines(size_t size)
    void free_lines(void* aligned)
    enum:
        REACH_NEVER
    ctypedef struct Links:
        int first_weak
        int first_strong
        int last_strong
    ctypedef struct Reach:
        int n
        int blocks
        int groups
        int size_begin[2][11]
        uint16_t begin[81 + 243 + 1]
        uint16_t source[81 + 243]
        uint16_t member[4 * MOST_CANDIDATES]
        bint complete
        uint8_t cell_matters[81]
        uint8_t house_matters[27][9]
        uint8_t both_matter[MOST_CANDIDATES]
        uint64_t lengths[MOST_CANDIDATES]
        uint64_t row[2][768][12]
        uint8_t layer[2][MOST_CANDIDATES]
    int reach_blocks(int n)
    int reach_run(Reach* reach, Links links, int most, const uint8_t* window)
    uint64_t reach_common(const Reach* reach, int group, int word)
    bint reach_singles(Reach* reach)
    uint64_t reach_rows_common(const Reach* reach, int group, int word)
    enum:
        LEFT_BLOCKS
    ctypedef struct Assumed:
        block_t left[2][MOST_CANDIDATES][LEFT_BLOCKS]
        uint8_t state[2][MOST_CANDIDATES]
    bint left_within(const block_t* bits, const block_t* left)
    bint left_equal(const block_t* left, const uint16_t* candidates, const uint8_t* values)
    bint assumed_meet(const block_t* all, const block_t** left, int count)
    void reach_lengths(Reach* reach, Links links, int least, int longest)
    bint nishio_contradiction(const uint16_t (*places)[9], const uint8_t (*cells)[9], int digit)

cdef enum:
    PASS_X = 0
    PASS_Y = 1
    PASS_XY = 2
    CAUSE_NONE = 0
    CAUSE_CELL = 1
    CAUSE_HOUSE = 2  # box; 3: row, 4: column

    MOST_OFFS = MOST_CANDIDATES * MOST_LINKS
    MOST_PORTS = 62       # candidates of cells with two that may be in a Y-cycle: bits of a word

# The candidates of the cells that may be in a Y-cycle, numbered; the numbers of the two candidates of a cell differ
# in one bit. A port is on, after the other one was off.
cdef struct Ports:
    int n
    uint8_t cell[MOST_PORTS]
    uint8_t digit[MOST_PORTS]
    uint64_t after[MOST_PORTS]               # the ports next to a port
    uint64_t within[MOST_PORTS][MOST_PORTS + 1]  # the ports that a port reaches over so many strong links
    int depth[MOST_PORTS]                    # how many links are in its ``within``
    uint64_t closed[MOST_PORTS]              # bit k: a cycle of k strong links closes at the port

# The strong links of a grid and the work of one search.
cdef struct Unary:
    const Position* position
    const Board* grid
    uint8_t here[MOST_CANDIDATES]        # the candidate is in the grid
    uint8_t strong_size[MOST_CANDIDATES]
    int16_t strong[MOST_CANDIDATES][4]   # partners: in the cell, then in houses, each once
    uint8_t cause[MOST_CANDIDATES][4]
    # forcing chains: the first reasons
    int16_t on_parent[MOST_CANDIDATES]   # -2: not on, -1: the start
    int16_t off_parent[MOST_CANDIDATES]
    uint8_t on_cause[MOST_CANDIDATES]
    uint16_t queue[2][MOST_OFFS]
    # cycles: an "off" can be met several times
    int32_t on_reason[MOST_CANDIDATES]   # the meeting that turned it on; -2: not on, -1: the start
    uint16_t met[MOST_OFFS]              # the "off" candidate of a meeting
    uint16_t met_parent[MOST_OFFS]       # the "on" before it
    int32_t round[MOST_CANDIDATES]       # the meetings of a cycle, from its start
    Ports ports

cdef enum:
    MOST_LAYERS = 250

cdef enum:
    NO_PARENTS = 0xFFFF
    MOST_SLOTS = 2 * MOST_CANDIDATES + 2
    MOST_PARENTS = (MOST_CANDIDATES + 9) * MOST_CANDIDATES
    KEPT_BLOCK = (1 << 20) + (1 << 17)  # more than the largest run takes
    KEPT_BLOCKS = 4096

    MOST_NODES = 1 << 16

    STATE_ON = 1
    STATE_OFF = 2
    STATE_GONE = 4  # not in the grid at the start

# The nodes of a run: by candidate, and in order.
cdef struct Found:
    int n_on
    int n_off
    int n_nested
    int n_parents
    uint16_t* on                 # in order
    uint16_t* off
    uint16_t* count_on           # by candidate: ancestors, 0: not on
    uint16_t* count_off
    uint8_t* cause               # of an "on": CAUSE_
    uint32_t* on_parents         # where its parents begin in `parents`
    uint16_t* on_many            # how many
    uint32_t* off_parents        # the "on" parent if off_many is 0, else where the "off" parents begin
    uint16_t* off_many           # NO_PARENTS: the start
    int16_t* off_nested          # the nested chain that gave it, or -1
    uint8_t* off_technique       # the inner technique that gave it, if its parents are "off"
    uint16_t* parents
    uint64_t* nested_identity    # of nested chains
    int32_t* nested_complexity
    # A contradiction: a candidate is on and off. One end is a node of the run, the other one has its reason here.
    int end                      # the candidate, or -1
    bint end_on                  # the state of the new end
    int end_complexity           # of both ends together
    int end_cause
    uint32_t end_parents
    int end_many                 # 0 if the new end is off: end_parents is its parent

# The work of the present run.
cdef struct Run:
    const Position* position
    Board board
    const Board* source          # the grid at the start
    bint dynamic
    bint one_digit               # Nishio: links in houses only
    int next_on
    int next_off
    int slots
    int bound                    # nodes with as many ancestors are of no use
    int useful                   # pending nodes with fewer
    Found found
    uint8_t state[MOST_CANDIDATES]
    uint16_t slot_on[MOST_CANDIDATES]
    uint16_t slot_off[MOST_CANDIDATES]  # of an "off" without an "on" parent
    block_t* slot            # sets of ancestors, `blocks` each
    # memory of `found`
    uint16_t on[MOST_CANDIDATES]
    uint16_t off[MOST_CANDIDATES + 1]    # one more is written, not counted
    uint16_t count_on[MOST_CANDIDATES]
    uint16_t count_off[MOST_CANDIDATES]
    uint8_t cause[MOST_CANDIDATES]
    uint32_t on_parents[MOST_CANDIDATES]
    uint16_t on_many[MOST_CANDIDATES]
    uint32_t off_parents[MOST_CANDIDATES]
    uint16_t off_many[MOST_CANDIDATES]
    int16_t off_nested[MOST_CANDIDATES]
    uint8_t off_technique[MOST_CANDIDATES]
    uint64_t nested_identity[MOST_CANDIDATES]
    int32_t nested_complexity[MOST_CANDIDATES]
    uint16_t parents[MOST_PARENTS]

cdef enum ChainKind:
    UNARY             # cycles and forcing chains: one start
    NISHIO_CHAINS     # one digit, in a dynamic grid
    STATIC            # multiple forcing chains: the grid stays as it is
    DYNAMIC           # candidates that are off leave the grid, which gives new links

# The inner rules of dynamic chains: links, and the first other rule that finds something.
cdef enum Nesting:
    NEST_NOTHING
    NEST_SIMPLE           # locked candidates, pairs, X-wings
    NEST_UNARY            # then cycles and forcing chains
    NEST_STATIC           # then multiple forcing chains
    NEST_DYNAMIC          # after the simple rules: dynamic chains
    NEST_DYNAMIC_UNARY    # then dynamic chains that nest cycles and forcing chains

cdef enum:
    MOST_DEPTH = 3       # the position's chains, inner chains, chains within these
    MOST_TARGETS = 9
    MOST_ASSUMED = NEST_DYNAMIC  # the nestings that are searched without order, from NEST_SIMPLE on

cdef extern from "depths.h" nogil:
    enum:
        DEPTH_NEVER
    ctypedef struct Depths:
        int groups
        uint16_t begin[81 + 243 + MOST_CANDIDATES + 1]
        uint16_t member[6 * MOST_CANDIDATES]
        uint8_t least[81 + 243 + MOST_CANDIDATES]
        uint8_t conflict[2 * MOST_CANDIDATES]
    void find_depths(Depths* depths, Reach* reach, Links links)
    void depths_group(Depths* depths, int group)
    void depths_learn(Depths* depths, int start, bint on, const uint16_t* nodes, int size, const uint16_t* count)
    int depths_next(const uint8_t* numbers, int first, int end, int number)
    int depths_bound(Depths* depths, int start, int most)

# One chain of a hint: a node of a run, or the new end of its contradiction.
cdef struct Target:
    const Found* found
    int candidate
    bint on
    bint end

# The work of one depth of nesting.
cdef struct Level:
    Run run
    Unary unary
    Hints hints
    uint8_t gone[MOST_CANDIDATES]    # STATE_GONE for candidates of the position that the grid does not have
    uint8_t has[2][MOST_CANDIDATES]  # the run that starts with the candidate off, on is kept
    Found kept[2][MOST_CANDIDATES]
    # the walk through the chains of a hint
    uint64_t seen[2][SET_WORDS]
    uint16_t queue[2 * MOST_CANDIDATES]
    Parents parents
    int n_nested
    uint64_t nested_identity[MOST_TARGETS * MOST_CANDIDATES]
    int nested_complexity

# The memory of kept runs, in blocks that are filled one after the other.
cdef struct Blocks:
    char* item[KEPT_BLOCKS]
    int count
    int now
    size_t used

# The memory of the chains of one thread.
ctypedef struct Scratch:
    Position position
    Reach* reach
    Reach* inner_reach
    Depths* depths
    Assumed* assumed                 # for each nesting, the closures of assumptions in the positions of this puzzle
    Board last                       # the board of `position`
    cells_t free[9]                  # for each digit places that are known to lead to no contradiction (Nishio)
    Level* level[MOST_DEPTH]
    Blocks blocks[MOST_DEPTH]
    const uint8_t* cancel            # not 0: stop; may be NULL
    Trace* trace                     # write the nodes of the step's chains here; NULL: nowhere
    Trace nodes                      # of the cycle or forcing chain that is named
    bint stopped                     # by `cancel` or for want of memory
    bint failed                      # there was no memory; the call ends with an error

# The search for chains of one kind and nesting.
cdef struct ChainSearch:
    Scratch* scratch
    Hints* hints
    const Board* grid
    int depth
    int chain_kind
    int nesting
    int technique
    double base
    unsigned int digits              # whose candidates are starts
    const Reach* filter              # the starts that matter; NULL: all
    Depths* depths                   # bounds on the complexity of chains; NULL: not known
    int most                         # the best hint has at most this complexity

# A step whose name is asked for when its puzzle is solved.
cdef struct Hardest:
    Board board  # before it; set if it is a cycle or forcing chain
    Step step
    int start    # of a cycle

# The states of an assumption at a nesting, in addition to 0: not found yet.
cdef enum:
    CLOSED = 1
    CONFLICT = 2
