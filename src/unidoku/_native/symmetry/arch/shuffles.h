/* Lines by shuffles; where they are loops, they do not depend on the order of bytes. */
#ifndef UNIDOKU_SYMMETRY_SHUFFLES_H
#define UNIDOKU_SYMMETRY_SHUFFLES_H

INLINE bytes16 bytes_lookup(const uint8_t *outer, const uint8_t *inner, const uint8_t *index) {
  return bytes_shuffle(bytes_load(outer), bytes_shuffle(bytes_load(inner), bytes_load(index)));
}
INLINE bytes16 bytes_regroup(bytes16 v, const uint8_t *index) { return bytes_shuffle(v, bytes_load(index)); }
INLINE bytes16 bytes_exchange(bytes16 v, int pair) {
  static const uint8_t exchange[2][16] = {{0, 1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14},
                                          {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15}};
  return bytes_shuffle(v, bytes_load(exchange[pair]));
}

/* Cell (i, j) of the image is digit[cell (row[i], column[j]) of the source]; 15 bytes follow the source. */
INLINE void grid_permute(const uint8_t *source, const uint8_t *row, const uint8_t *columns, const uint8_t *digits, uint8_t *image) {
  bytes16 column = bytes_load(columns), digit = bytes_load(digits), line;
  for (int i = 0; i < 8; i++) /* the next row overwrites the bytes after a row */
    bytes_store(image + 9 * i, bytes_shuffle(digit, bytes_shuffle(bytes_load(source + 9 * row[i]), column)));
  line = bytes_shuffle(digit, bytes_shuffle(bytes_load(source + 9 * row[8]), column));
  memcpy(image + 72, &line, 9);
}

/* The six lines that `which` names, with their cells in the order `column`, and names for digits. */
INLINE void lines_name(const uint8_t (*line)[16], const uint8_t *which, bytes16 column, bytes16 name, uint8_t (*to)[16]) {
  for (int k = 0; k < 6; k++)
    bytes_store(to[k], bytes_shuffle(name, bytes_shuffle(bytes_load(line[which[k]]), column)));
}

#endif
