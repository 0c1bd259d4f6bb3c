/* Lines without shuffles: by words, the lowest byte first, and cell by cell. */
#ifndef UNIDOKU_SYMMETRY_WORDS_H
#define UNIDOKU_SYMMETRY_WORDS_H

INLINE bytes16 bytes_lookup(const uint8_t *outer, const uint8_t *inner, const uint8_t *index) {
  /* not through memory: the processor is slow to load as one what was stored in smaller pieces */
  typedef uint64_t words2 __attribute__((vector_size(16)));
  uint64_t low = 0, high = 0;
  for (int i = 7; i > 0; i--) low = low << 8 | (i == 4 ? 0 : outer[inner[index[i]]]);
  for (int i = 11; i > 8; i--) high = high << 8 | outer[inner[index[i]]];
  return (bytes16)(words2){low << 8, high << 8};
}
INLINE bytes16 bytes_regroup(bytes16 v, const uint8_t *index) {
  words4 x = (words4)v;
  uint32_t word[4] = {x[0], x[1], x[2], x[3]};
  return (bytes16)(words4){word[index[0] / 4], word[index[4] / 4], word[index[8] / 4], word[3]};
}
INLINE bytes16 bytes_exchange(bytes16 v, int pair) {
  words4 x = (words4)v;
  words4 high = pair ? (x & 0xFF0000) : (x & 0xFF000000), low = pair ? (x & 0xFF00) : (x & 0xFF0000);
  words4 rest = pair ? (x & 0xFF0000FF) : (x & 0xFFFF);
  return (bytes16)(rest | high >> 8 | low << 8);
}

INLINE void grid_permute(const uint8_t *source, const uint8_t *row, const uint8_t *column, const uint8_t *digit, uint8_t *image) {
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) image[9 * i + j] = digit[source[9 * row[i] + column[j]]];
}

INLINE void lines_name(const uint8_t (*line)[16], const uint8_t *which, bytes16 column, bytes16 names, uint8_t (*to)[16]) {
  uint8_t at[16], name[16];
  bytes_store(at, column);
  bytes_store(name, names);
  for (int k = 0; k < 6; k++)
    for (int j = 0; j < 9; j++) to[k][j] = name[line[which[k]][at[j]]];
}

#endif
