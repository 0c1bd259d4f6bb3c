/* Whether a grid is a solution of a puzzle, asked at once: most predictions are right. */
#ifndef UNIDOKU_SOLUTION_H
#define UNIDOKU_SOLUTION_H

#include "../vectors.h"

enum { CELLS = 81, LAST = CELLS - 16, CODES = 128 };

/* Digits 1 to 8 are a bit each, 9 is none.  The codes of nine digits cancel to 255 under exclusive or only if all
 * nine are different: each of the eight bits must occur an odd number of times in nine cells. */
INLINE bytes16 codes_of_digits(bytes16 digits) {
  const bytes16 code_of_digit = {0, 1, 2, 4, 8, 16, 32, 64, 128};
  if (HAS_SHUFFLE) return bytes_shuffle(code_of_digit, digits);
  bytes16 codes = {0};
  UNROLL for (int digit = 1; digit < 9; digit++) codes |= bytes_equal(digits, bytes_fill((uint8_t)digit)) & (uint8_t)(1 << (digit - 1));
  return codes;
}

INLINE int bytes_some(bytes16 v) {
  uint64_t half[2];
  memcpy(half, &v, sizeof(v));
  return (half[0] | half[1]) != 0;
}

/* Exclusive or of the bytes at k, k + apart and k + 2 apart, for all k below `end`. */
INLINE void add_three(const uint8_t *from, int apart, int end, uint8_t *to) {
  UNROLL for (int k = 0; k < end; k += 16)
    bytes_store(to + k, bytes_load(from + k) ^ bytes_load(from + k + apart) ^ bytes_load(from + k + 2 * apart));
}

/* Cells are bytes 0 to 9; -1 if one is more.  `opens` becomes the number of empty cells of the puzzle. */
INLINE int is_solution(const uint8_t *puzzle, const uint8_t *grid, int *opens) {
  static const bytes16 last = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255}, line = {255, 255, 255, 255, 255, 255, 255, 255, 255};
  uint8_t code[CODES] = {0}, three[CODES] = {0}, sum[CODES];
  bytes16 most = {0}, open_cells = {0}, wrong = {0}, column = {0};
  UNROLL for (int k = 0; k < CELLS; k += 16) {
    const int begin = k < LAST ? k : LAST; /* the last sixteen cells; one of them is new */
    const bytes16 clue = bytes_load(puzzle + begin), digit = bytes_load(grid + begin);
    const bytes16 is_open = bytes_equal(clue, bytes_fill(0));
    most = bytes_max(most, bytes_max(clue, digit));
    open_cells -= begin < LAST ? is_open : is_open & last;
    wrong |= ~(is_open | bytes_equal(clue, digit)) | bytes_equal(digit, bytes_fill(0));
    bytes_store(code + begin, codes_of_digits(digit));
  }
  if (bytes_some(~bytes_equal(bytes_min(most, bytes_fill(9)), most))) return -1;
  uint64_t half[2]; /* each byte is six at most, so the sum of eight fits into one */
  memcpy(half, &open_cells, 16);
  *opens = (int)(half[0] * 0x0101010101010101ull >> 56) + (int)(half[1] * 0x0101010101010101ull >> 56);
  add_three(code, 1, CELLS, three);
  UNROLL for (int row = 0; row < 9; row++) column ^= bytes_load(code + 9 * row);
  wrong |= ~column & line;
  if (bytes_some(wrong)) return 0;
  uint8_t all = 255;
  add_three(three, 3, CELLS, sum);
  UNROLL for (int row = 0; row < 9; row++) all &= sum[9 * row];
  add_three(three, 9, 64, sum);
  UNROLL for (int box = 0; box < 9; box++) all &= sum[27 * (box / 3) + 3 * (box % 3)];
  return all == 255;
}

#endif
