// The functions of bench/peers/native.py for QQWing.
#include "qqwing.hpp"
#include <cstdint>
#include <cstdlib>

extern "C" void peer_solve(const char *puzzles, size_t n, size_t limit, uint64_t *counts, char *grids, uint64_t *) {
    static qqwing::SudokuBoard board;
    for (size_t k = 0; k < n; k++) {
        int cells[81];
        for (int i = 0; i < 81; i++) cells[i] = puzzles[82 * k + i] == '.' ? 0 : puzzles[82 * k + i] - '0';
        bool clear = board.setPuzzle(cells);
        counts[k] = !clear ? 0 : limit == 1 ? board.solve() : board.countSolutionsLimited();
        if (limit == 1)
            for (int i = 0; i < 81; i++) grids[82 * k + i] = '0' + board.getSolution()[i];
    }
}

extern "C" void peer_generate(size_t n, int half_turn, char *puzzles) {
    using qqwing::SudokuBoard;
    static SudokuBoard board;
    for (size_t k = 0; k < n; k++) {
        board.generatePuzzleSymmetry(half_turn ? SudokuBoard::ROTATE180 : SudokuBoard::NONE);
        for (int i = 0; i < 81; i++) puzzles[82 * k + i] = board.getPuzzle()[i] ? '0' + board.getPuzzle()[i] : '.';
        puzzles[82 * k + 81] = '\n';
    }
}
