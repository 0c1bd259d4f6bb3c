/* The operations of the lanes kernel: a lanes_vec (vectors.h) has a word for each of LANES puzzles.
 *
 * The width follows from the flags a module is compiled with: 32 lanes with AVX-512 (Ice Lake's set),
 * 16 with AVX2, 8 anywhere else.  A header of arch/ has all that an instruction set has of its own:
 *
 *     FEW, AT_REST, SIMPLE_FIRST, GRIDS_FROM_LANES
 *     ARCH_ONE                      the header of the kernel for one puzzle (one.h)
 *     vec_any … vec_of_lanes        operations on words
 *     frames_out, frames_in         lanes to frames (places.h), frames to lanes
 *     text_has_only, frame_read, frame_write
 *     places_with, choice_prepare, choose_one or choice_boards and choice_best
 *
 * Code that several of them share is in arch/shared.h, which has the table.
 */
#ifndef UNIDOKU_LANES_H
#define UNIDOKU_LANES_H

#include <stddef.h>

#include "../vectors.h"

INLINE void prefetch(const void *address) { __builtin_prefetch(address); }

#include "places.h"

/* Up to FEW puzzles are solved one after the other by the kernel for one puzzle.  A puzzle with more than HARD
 * branches searched is continued by all lanes.  At both limits the two kernels take the same time, measured
 * with puzzles of 17 clues and with one hard puzzle (docs/kernel.md). */
#define HARD 16
/* Lanes are served when AT_REST of LANES are at rest.  SIMPLE_FIRST: those that choose simply are served first.
 * GRIDS_FROM_LANES: a grid is written from its lane, not from a frame. */

/* text_has_only(text, empty): whether 81 bytes are digits and this sign for an empty cell.
 * frame_read(text, zero, frame): 81 bytes (zero + 1 .. zero + 9: a clue, any other: empty) to a frame.
 * frame_write(frame, zero, text): a frame of 81 single candidates as 81 bytes zero + 1 .. zero + 9.
 * vec_after_singles(cell, hidden, naked, single): a cell of a box after its singles: `hidden` are the digits with one
 * place in the box, `naked` those of its naked singles, and `single` is this cell if it is one.
 * places_with(frame, number): the cells with exactly `number` candidates (2 or 3), or with at least four (4). */

typedef uint16_t eight_words __attribute__((vector_size(16)));

/* Whether each of eight sets has all digits. */
INLINE int are_full(eight_words sets) {
  uint64_t half[2];
  memcpy(half, &sets, sizeof(sets));
  return (half[0] & half[1]) == 0x01FF01FF01FF01FFull;
}

/* Whether the columns of a frame have each digit once; all boxes have.  So the last column is right if the first
   eight are. */
INLINE int columns_fit(const uint16_t *frame) {
  eight_words seen = {0};
  UNROLL for (int row = 0; row < 9; row++) {
    eight_words cells;
    memcpy(&cells, frame + cell_place(9 * row), sizeof(cells));
    seen |= cells;
  }
  return are_full(seen);
}

/* A frame into a lane: with few lanes in a register as fast as any other way. */
INLINE void frame_in(lanes_vec *cells, int lane, const uint16_t *frame) {
  uint16_t *to = (uint16_t *)cells + lane;
  UNROLL_ALL for (int k = 0; k < 81; k++) to[k * LANES] = frame[cell_place(k)];
}

#include ARCH /* of the folder arch/ next to this file */

/* Whether 81 bytes are digits and another sign than . and 0, one of * _ - x X ?, and there is a digit. */
static __attribute__((noinline)) int text_has_other_sign(const uint8_t *text) {
  int first = 0, digits = 0;
  while (first < 81 && (uint8_t)(text[first] - '1') < 9) first++;
  if (first == 81 || !memchr("*_-xX?", text[first], 6)) return 0;
  for (int k = 0; k < 81; k++) digits |= text[k] != text[first];
  return digits && text_has_only(text, text[first]);
}

/* Whether 81 bytes are a puzzle, as is_puzzle() of _native/text. */
INLINE int text_is_puzzle(const uint8_t *text) {
  return text_has_only(text, '.') || text_has_only(text, '0') || text_has_other_sign(text);
}

#ifndef IN_STEPS /* as with AVX2 and Clang */
#define IN_STEPS 0
INLINE void vec_step(void) {}
INLINE lanes_vec vec_now(lanes_vec v) { return v; }
#endif

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

/* The full grid of a lane as 81 bytes zero + 1 .. zero + 9; 0 if a column lacks a digit.  All boxes have each digit
 * once, so the last column is right if the first eight are.  With AVX2 the grid is read from the lane, elsewhere from
 * its frame. */
#if !GRIDS_FROM_LANES
INLINE int grid_write(const lanes_vec *cells, int lane, const uint16_t *frame, uint8_t zero, uint8_t *text) {
  (void)cells, (void)lane;
  if (!columns_fit(frame)) return 0;
  frame_write(frame, zero, text);
  return 1;
}
#endif

#include "choice.h"

#endif
