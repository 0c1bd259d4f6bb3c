// The functions of bench/peers/native.py for tdoku.
#include "tdoku.h"

extern "C" void peer_solve(const char *puzzles, size_t n, size_t limit, uint64_t *counts, char *grids,
                           uint64_t *guesses) {
    size_t of_puzzle;
    *guesses = 0;
    for (size_t k = 0; k < n; k++) {
        counts[k] = TdokuSolverDpllTriadSimd(puzzles + 82 * k, limit, 0, grids + 82 * k, &of_puzzle);
        *guesses += of_puzzle;
    }
}

extern "C" void peer_minimize(char *puzzles, size_t n) {
    for (size_t k = 0; k < n; k++) TdokuMinimize(false, false, puzzles + 82 * k);
}
