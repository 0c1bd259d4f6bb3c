/* The vectors of the counting kernel.
 *
 * A lanes_vec (vectors.h) holds one number for each of LANES configurations of a stack.  Two adjacent lanes belong to
 * configurations with the same partition in the first band, so a product of two vectors is summed in pairs. A
 * pairs_vec holds one 32-bit sum for each pair. A count_total holds two vectors of 64-bit sums, one for even and one
 * for odd pairs.
 */
#ifndef UNIDOKU_COUNT_H
#define UNIDOKU_COUNT_H

#include "../vectors.h"

#define PAIRS (LANES / 2)

typedef struct {
  fours_vec even, odd; /* pairs 0, 2, 4 … and 1, 3, 5 … */
} count_total;

INLINE lanes_vec vec_zero(void) { return (lanes_vec){0}; }
INLINE pairs_vec sum_zero(void) { return (pairs_vec){0}; }

/* sum + a[0] * b[0] + a[1] * b[1], and so on for each pair; numbers are below 2^15 */
INLINE pairs_vec sum_products(pairs_vec sum, lanes_vec a, lanes_vec b) { return sum + vec_products(a, b); }
INLINE pairs_vec odd_numbers(pairs_vec v) { return (pairs_vec)((fours_vec)v >> 32); }

/* total += sum * first * weight, pair by pair; `first` is the same in both lanes of a pair */
INLINE void total_add(count_total *total, pairs_vec sum, lanes_vec first, uint32_t weight) {
  pairs_vec factor = ((pairs_vec)first & 0xFFFF) * weight;
  total->even += pairs_products(sum, factor);
  total->odd += pairs_products(odd_numbers(sum), odd_numbers(factor));
}
INLINE uint64_t total_of_pair(const count_total *total, int pair) {
  return pair % 2 ? total->odd[pair / 2] : total->even[pair / 2];
}

#endif
