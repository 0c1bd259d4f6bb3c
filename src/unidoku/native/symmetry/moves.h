/* Apply an element of the symmetry group to 81 cells. */
#ifndef UNIDOKU_SYMMETRY_MOVES_H
#define UNIDOKU_SYMMETRY_MOVES_H

#include "bytes.h"

/* Cell (i, j) of the image is digit[source(row[i], column[j])], the source transposed first if `transposed`.
   digit[0] is 0 and digits 1 to 9 are at their own places; bytes after the ninth are zero. */
typedef struct {
  uint8_t row[16], column[16], digit[16];
  int transposed;
} Move;

#if WIDE

static __m512i MOVE_ROW[2], MOVE_COLUMN[2]; /* row and column of each of the 81 places */

static void moves_prepare(void) {
  uint8_t row[128] = {0}, column[128] = {0};
  for (int cell = 0; cell < 81; cell++) {
    row[cell] = (uint8_t)(cell / 9);
    column[cell] = (uint8_t)(cell % 9);
  }
  for (int half = 0; half < 2; half++) {
    MOVE_ROW[half] = _mm512_loadu_si512(row + 64 * half);
    MOVE_COLUMN[half] = _mm512_loadu_si512(column + 64 * half);
  }
}

INLINE void move_cells(const uint8_t *text, int zero, const Move *move, uint8_t *image) {
  const __m512i base = _mm512_set1_epi8((char)zero), nine = _mm512_set1_epi8(9);
  __m512i low = _mm512_sub_epi8(_mm512_loadu_si512(text), base);
  __m512i high = _mm512_sub_epi8(_mm512_maskz_loadu_epi8(0x1ffff, text + 64), base);
  low = _mm512_maskz_mov_epi8(_mm512_cmple_epu8_mask(low, nine), low);
  high = _mm512_maskz_mov_epi8(_mm512_cmple_epu8_mask(high, nine), high);
  __m128i row = _mm_loadu_si128((const __m128i *)move->row), column = _mm_loadu_si128((const __m128i *)move->column);
  /* nine times the line that is a row of the source; no byte is more than 72 */
  if (move->transposed)
    column = _mm_add_epi8(column, _mm_slli_epi16(column, 3));
  else
    row = _mm_add_epi8(row, _mm_slli_epi16(row, 3));
  __m512i of_row = _mm512_broadcast_i32x4(row), of_column = _mm512_broadcast_i32x4(column);
  __m512i digit = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)move->digit));
  __m512i at0 = _mm512_add_epi8(_mm512_shuffle_epi8(of_row, MOVE_ROW[0]), _mm512_shuffle_epi8(of_column, MOVE_COLUMN[0]));
  __m512i at1 = _mm512_add_epi8(_mm512_shuffle_epi8(of_row, MOVE_ROW[1]), _mm512_shuffle_epi8(of_column, MOVE_COLUMN[1]));
  _mm512_storeu_si512(image, _mm512_shuffle_epi8(digit, _mm512_permutex2var_epi8(low, at0, high)));
  _mm512_mask_storeu_epi8(image + 64, 0x1ffff, _mm512_shuffle_epi8(digit, _mm512_permutex2var_epi8(low, at1, high)));
}

#else

static void moves_prepare(void) {}

INLINE void move_cells(const uint8_t *text, int zero, const Move *move, uint8_t *image) {
  uint8_t cells[96] = {0}, turned[96] = {0};
  for (int cell = 0; cell < 81; cell++) {
    uint8_t value = (uint8_t)(text[cell] - zero);
    cells[cell] = value <= 9 ? value : 0;
  }
  const uint8_t *source = cells;
  if (move->transposed) {
    for (int row = 0; row < 9; row++)
      for (int column = 0; column < 9; column++) turned[9 * row + column] = cells[9 * column + row];
    source = turned;
  }
#if HAS_SHUFFLE
  bytes16 column = bytes_load(move->column), digit = bytes_load(move->digit), line;
  for (int row = 0; row < 8; row++) /* the next row overwrites the bytes after a row */
    bytes_store(image + 9 * row, bytes_shuffle(digit, bytes_shuffle(bytes_load(source + 9 * move->row[row]), column)));
  line = bytes_shuffle(digit, bytes_shuffle(bytes_load(source + 9 * move->row[8]), column));
  memcpy(image + 72, &line, 9);
#else
  for (int row = 0; row < 9; row++)
    for (int k = 0; k < 9; k++) image[9 * row + k] = move->digit[source[9 * move->row[row] + move->column[k]]];
#endif
}

#endif
#endif
