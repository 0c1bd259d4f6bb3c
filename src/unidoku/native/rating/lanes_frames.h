/* Puzzles into lanes and out of them.  A frame (native/lanes/frames.h) holds for each cell its candidates, or its digit
 * and the bit FILLED. */
#ifndef UNIDOKU_RATING_LANES_FRAMES_H
#define UNIDOKU_RATING_LANES_FRAMES_H

#include "lanes_round.h"

enum { FILLED = 0x8000, QUEUE = 512 };

/* Puzzles on their way to a stage: the last one in is the first one out. */
typedef struct {
  uint16_t word[QUEUE][FRAME] __attribute__((aligned(64))); /* written by aligned stores */
  int id[QUEUE];
  uint8_t level[QUEUE];
  int count;
} Frames;

/* Frames into these lanes; frame[l] is that of lane l.  `clues`: a single candidate is a clue. */
static __attribute__((noinline)) void board_in(LanesBoard *board, uint32_t lanes, uint16_t *const *frame, int clues) {
  lanes_vec word[81];
  const lane_set in = set_of(lanes);
  frames_in(word, lanes, frame);
  for (int cell = 0; cell < 81; cell++) {
    lanes_vec set = word[cell] & vec_fill(0x1FF);
    lane_set filled = clues ? vec_has_at_most_one(set) : vec_meet(word[cell], vec_fill(FILLED));
    board->marks[cell] = set_pick(in, set_keep(~filled, set), board->marks[cell]);
    board->digit[cell] = set_pick(in, set_keep(filled, set), board->digit[cell]);
  }
}
/* The same backwards; the lanes are empty then. */
static __attribute__((noinline)) void board_out(LanesBoard *board, uint32_t lanes, uint16_t *const *frame) {
  lanes_vec word[81];
  const lanes_vec stay = vec_of_lanes(~lanes & ALL_LANES);
  for (int cell = 0; cell < 81; cell++) {
    lanes_vec x = board->marks[cell];
    word[cell] = set_pick(vec_is_zero(x), board->digit[cell] | vec_fill(FILLED), x);
    board->marks[cell] = x & stay;
  }
  frames_out(word, lanes, frame);
}

#endif
