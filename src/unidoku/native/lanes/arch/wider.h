/* The cells to choose from where none has two candidates: all but AVX-512, which does without a branch. */
#ifndef UNIDOKU_LANES_WIDER_H
#define UNIDOKU_LANES_WIDER_H

/* Where no cell has two candidates: those with three; if there are none, those with more. */
static __attribute__((noinline)) Cells wider_cells(const uint16_t *frame) {
  const Cells three = places_with(frame, 3);
  return three.low | three.high ? three : places_with(frame, 4);
}

#endif
