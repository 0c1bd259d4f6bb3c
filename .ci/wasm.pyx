"""The kernels of unidoku.native.lanes without Python, for WebAssembly: two functions over the module's memory."""

include "round.pxi"
include "search.pxi"
include "one.pxi"

from libc.stdlib cimport calloc

cdef enum:
    MOST = 5000  # puzzles a call

# What the caller reads and writes.
cdef public:
    uint8_t puzzles[81 * MOST]
    uint8_t solutions[81 * MOST]
    uint64_t counts[MOST]

cdef Solver* solver = NULL


cdef void make_request(Request* request, size_t count, uint64_t limit) noexcept nogil:
    memset(request, 0, sizeof(request[0]))
    request.text, request.stride, request.count = puzzles, 81, count
    request.zero = request.zero_out = 48
    request.limit = limit
    request.counts, request.solutions = counts, solutions


cdef public void prepare() noexcept nogil:
    """Make the tables and the solver; call it once, first."""
    global solver
    frames_prepare()
    cells_prepare()
    choice_prepare()
    one_prepare()
    solver = <Solver*> ((<size_t> calloc(1, sizeof(Solver) + 64) + 63) & ~<size_t> 63)


cdef public void solve_many(size_t count, uint64_t limit) noexcept nogil:
    """Solve the first `count` puzzles on all lanes."""
    cdef Request request
    make_request(&request, count, limit)
    begin(solver, &request)
    while not search(solver, 1 << 20):
        pass


cdef public void solve_each(size_t count, uint64_t limit) noexcept nogil:
    """Solve the first `count` puzzles with the kernel for one puzzle."""
    cdef One s
    cdef Request request
    cdef size_t p
    make_request(&request, count, limit)
    for p in range(count):
        one_start(&s, &request, p)
        s.turns = 1 << 40
        one_search(&s)
        counts[p] = s.found
        write_answer(&request, p, s.guesses, False)
