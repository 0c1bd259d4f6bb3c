/* The vector type of the lanes kernel and its operations.
 *
 * A lanes_vec holds one 16-bit word for each of LANES puzzles, as many as a native register
 * holds.  Plain & | ~ + - work on it through the compilers' vector extensions.  Each function below
 * needs more than one operator, or is a single instruction on some processors.  None of them moves
 * a word from one lane to another.
 *
 * The width follows from the flags a module is compiled with: 32 lanes with AVX-512 (Ice Lake's set),
 * 16 with AVX2, 8 anywhere else.  A header of arch/ has all that an instruction set has of its own:
 *
 *     LANES, FEW, AT_REST, SIMPLE_FIRST, GRIDS_FROM_LANES
 *     vec_any … vec_some            operations on words
 *     frames_out, frames_in         lanes to frames (places.h), frames to lanes
 *     text_is_puzzle, frame_read, frame_write
 *     places_with, choice_prepare, choose_one or choice_boards and choice_best
 *
 *                 logic.h  wide.h  eight.h  wider.h  points.h  tables.h    what they share
 *     avx512.h               x
 *     avx2.h         x       x                 x        x
 *     sse2.h         x                x        x                  x
 *     neon.h         x                x        x        x
 *     plain.h        x                x        x                  x
 */
#ifndef UNIDOKU_LANES_H
#define UNIDOKU_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../bits.h"

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 9")
#define UNROLL_ALL _Pragma("GCC unroll 81")

INLINE void prefetch(const void *address) { __builtin_prefetch(address); }

#include "places.h"

/* Up to FEW puzzles are solved one after the other by the kernel for one puzzle.  A puzzle of which more than HARD
 * branches were searched is continued by all lanes.  At both limits the two kernels take the same time, measured
 * with puzzles of 17 clues and with one hard puzzle (docs/kernel.md). */
#define HARD 16
/* Lanes are served when AT_REST of LANES are at rest.  SIMPLE_FIRST: those that choose simply are served before the others.
 * GRIDS_FROM_LANES: a grid is written from its lane, not from a frame. */

/* Whether 81 bytes are digits and signs for an empty cell, 0 . * _ - x X ?: as all_cells() of native/text, at once.
 * A code is known by its two halves: each has a bit for every row of the ASCII table that it may be in. */
#define HIGH_HALVES 0, 0, 1, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0
#define LOW_HALVES 2, 2, 2, 2, 2, 2, 2, 2, 2 | 4 | 8, 2, 1, 0, 0, 1, 1, 2 | 4

/* text_is_puzzle(text): whether that is so.
 * frame_read(text, zero, frame): 81 bytes (zero + 1 .. zero + 9: a clue, any other: empty) to a frame.
 * frame_write(frame, zero, text): a frame of 81 single candidates as 81 bytes zero + 1 .. zero + 9.
 * vec_after_singles(cell, hidden, naked, single): a cell of a box after its singles: `hidden` are the digits with one
 * place in the box, `naked` those of its naked singles, and `single` is this cell if it is one.
 * places_with(frame, number): the cells with exactly `number` candidates (2 or 3), or with at least four (4). */

#if defined(__AVX512VBMI2__) && defined(__AVX512BITALG__) && defined(__GFNI__)
#include "arch/avx512.h"
#elif defined(__AVX2__)
#include "arch/avx2.h"
#elif defined(__SSE2__) || defined(_M_X64)
#include "arch/sse2.h"
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include "arch/neon.h"
#else
#include "arch/plain.h"
#endif

#ifndef IN_STEPS /* as with AVX2 and Clang */
#define IN_STEPS 0
INLINE void vec_step(void) {}
INLINE lanes_vec vec_now(lanes_vec v) { return v; }
#endif

/* Cell where it has one candidate, otherwise zero.  With lowest candidate L, the two words are 2 L - 1 and cell - 1, and the
 * first one is larger only if L is the cell. */
INLINE lanes_vec vec_single(lanes_vec cell) { return vec_minus(cell ^ (cell - 1), cell - 1); }

/* Fills the tables; once, while the module is imported. */
static void frames_prepare(void) {
  for (int place = 0; place < FRAME; place++) cell_of_place[place] = (uint8_t)(place_is_cell(place) ? place_cell(place) : 0);
  text_prepare();
}

/* Whether 81 bytes are numbers from 0 to 9. */
INLINE int numbers_are_puzzle(const uint8_t *numbers) {
  const uint64_t ones = 0x0101010101010101ull;
  uint64_t wrong = numbers[80] > 9;
  for (int k = 0; k < 80; k += 8) {
    uint64_t eight;
    memcpy(&eight, numbers + k, 8);
    wrong |= (eight | (eight + 0x76 * ones)) & 0x80 * ones; /* 10 and more reach the highest bit */
  }
  return !wrong;
}

/* The full grid of a lane as 81 bytes zero + 1 .. zero + 9; 0 if a column lacks a digit.  All boxes have each digit once, so
 * the last column is right if the others are.  With AVX2 the grid is read from the lane, elsewhere from its frame. */
#ifndef WRITES_FROM_LANES
INLINE int grid_write(const lanes_vec *cells, int lane, const uint16_t *frame, uint8_t zero, uint8_t *text) {
  (void)cells, (void)lane;
  if (!columns_fit(frame)) return 0;
  frame_write(frame, zero, text);
  return 1;
}
#endif

#include "choice.h"

#endif
