/* Vectors of bytes for the symmetry kernel.
 *
 * A line of a grid (a row or a column) is nine bytes at the start of a bytes16 (vectors.h).  A header of arch/ has what
 * depends on shuffles:
 *
 *     bytes_lookup(outer, inner, index)   byte i is byte inner[index[i]] of outer, where bytes 0, 4, 8 and 12 to 15 of index
 *                                         are 15 and those of the result may be anything
 *     bytes_regroup(v, index)             a shuffle that moves whole groups of four bytes and leaves the last one
 *     bytes_exchange(v, pair)             each four bytes with their last two exchanged (pair 0) or their middle two (pair 1)
 *     grid_permute, lines_name            lines with their cells in another order and other names
 */
#ifndef UNIDOKU_SYMMETRY_BYTES_H
#define UNIDOKU_SYMMETRY_BYTES_H

#include "../vectors.h"
#include <stdlib.h>

typedef uint32_t words4 __attribute__((vector_size(16)));

#if HAS_SHUFFLE || HIGH_BYTE_FIRST
#include "arch/shuffles.h"
#else
#include "arch/words.h"
#endif

/* bytes 0 to 7 as one number, byte 0 the highest */
INLINE uint64_t bytes_number(bytes16 v) {
  uint64_t number;
  memcpy(&number, &v, 8);
  return HIGH_BYTE_FIRST ? number : __builtin_bswap64(number);
}

/* bytes 4k to 4k + 3 as one number, the last byte the highest */
INLINE uint32_t bytes_word(bytes16 v, int k) {
  uint32_t word = ((words4)v)[k];
  return HIGH_BYTE_FIRST ? __builtin_bswap32(word) : word;
}

#endif
