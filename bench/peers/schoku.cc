// The function of bench/peers/native.py for Schoku, which is one file with a main().
#include <condition_variable>
#include <cstdlib>
#include <x86intrin.h>
template <typename Word> static inline unsigned char reset(Word *word, int bit) {
    unsigned char before = (*word >> bit) & 1;
    *word &= ~(Word(1) << bit);
    return before;
}
#define _bittestandreset64(word, bit) reset((unsigned long long *) (word), bit) // these three are of Windows
#define _bittestandreset(word, bit) reset((unsigned *) (word), bit)
#define __popcnt16(x) __builtin_popcount((unsigned short) (x))
#define main schoku_main
#define exit(code) throw code // where a puzzle takes more than 32 guesses in a row
#include "schoku.cpp"
#undef main
#undef exit

extern "C" void peer_solve(const char *puzzles, size_t n, size_t limit, uint64_t *counts, char *grids, uint64_t *) {
    using namespace Schoku;
    static GridState *stack = nullptr;
    if (!stack) {
        stack = (GridState *) aligned_alloc(64, sizeof(GridState) * GRIDSTATE_MAX);
        memset((void *) stack, 0, sizeof(GridState) * GRIDSTATE_MAX);
        bmi2_support = pext_support = __builtin_cpu_supports("bmi2");
    }
    rules = limit == 1 ? FindOne : Multiple;
    signed char pair[164]; // the puzzle, and 82 behind it the grid: solve() expects both so
    for (size_t k = 0; k < n; k++) {
        memcpy(pair, puzzles + 82 * k, 81);
        stack[0].initialize<VNone>(pair, global_counters);
        try {
            Status status = solve<VNone>(pair + 82, stack, 1, global_counters);
            counts[k] = !status.solved ? 0 : status.unique || limit == 1 ? 1 : 2;
        } catch (int) {
            counts[k] = 0; // it gives the puzzle up: a wrong answer
        }
        memcpy(grids + 82 * k, pair + 82, 81);
    }
}
