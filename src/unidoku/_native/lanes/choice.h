/* Which cell to guess in.  The rule is in search.pxi; all forms choose the same cell (arch/).  Included by lanes.h. */

/* The choice of the lower digit in the first cell with two candidates; -1 if there is no such cell.  If `two`, the first
 * such cell that is not a peer of this one is also chosen, if there is one: its choice is added 256 times.  It is
 * never place 0, so a result of 512 or more holds two choices. */
INLINE int choose_first(const uint16_t *frame, int two) {
  const Cells cells = places_with(frame, 2);
  const int place = first_cell(cells);
  if (place == 127) return -1;
  if (!two) return 2 * place;
  const int second = first_cell((Cells){cells.low & apart[place].low, cells.high & apart[place].high});
  return second == 127 ? 2 * place : 2 * place + 512 * second;
}

#ifdef CHOICE_IN_STAGES
/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) {
  Choice choice;
  choice_boards(frame, &choice);
  return choice_best(&choice);
}

/* The guess for each of `count` frames. */
static __attribute__((unused)) void choose_best(uint16_t *const *frame, int count, uint8_t *choices) {
  Choice choice[8];
  for (int k = 0; k < count; k += 8) {
    int some = count - k < 8 ? count - k : 8;
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++) choice_boards(frame[k + i], choice + i);
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++)
      choices[k + i] = (uint8_t)choice_best(choice + i);
  }
}
#else
/* The guess for each of `count` frames. */
static __attribute__((unused)) void choose_best(uint16_t *const *frame, int count, uint8_t *choices) {
  for (int k = 0; k < count; k++) choices[k] = (uint8_t)choose_one(frame[k]);
}
#endif
