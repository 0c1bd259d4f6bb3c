/* Grids elsewhere: line by line. */
#ifndef UNIDOKU_SYMMETRY_GRIDS_OTHER_H
#define UNIDOKU_SYMMETRY_GRIDS_OTHER_H

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
  grid_permute(source, move->row, move->column, move->digit, image);
}

typedef struct {
  uint32_t index[6];
  uint8_t order[6]; /* index into COLUMN_ORDER */
  uint8_t line[2][9][16]; /* rows, then columns, of digits 0 to 8 */
} Bands;

static void bands_prepare(void) {}

/* Read a full grid; return false if it is not one. */
INLINE int bands_read(const uint8_t *text, int zero, Bands *bands) {
  uint32_t columns[9] = {0}, all = 511;
  for (int row = 0; row < 9; row++) {
    uint32_t here = 0;
    for (int column = 0; column < 9; column++) {
      uint8_t digit = (uint8_t)(text[9 * row + column] - zero - 1);
      if (digit > 8) return 0;
      uint32_t bit = 1u << digit;
      bands->line[0][row][column] = bands->line[1][column][row] = digit;
      here |= bit;
      columns[column] |= bit;
    }
    all &= here;
    if (row % 3 == 2) /* columns of 3, 6 and 9 digits: boxes are full too if these are all different */
      for (int stack = 0; stack < 9; stack += 3) {
        uint32_t box = 0;
        for (int k = 0; k < 9; k++) box |= 1u << bands->line[0][row - k / 3][stack + k % 3];
        all &= box;
      }
  }
  for (int column = 0; column < 9; column++) all &= columns[column];
  if (all != 511) return 0;
  for (int band = 0; band < 6; band++) {
    const uint8_t(*line)[16] = (const uint8_t(*)[16])bands->line[band / 3] + 3 * (band % 3);
    bands->index[band] = band_index(line[0], line[1], line[2], &bands->order[band]);
  }
  return 1;
}

/* Apply an order of columns to a band, and move its row `first` to the top. */
INLINE void band_turn(const Bands *bands, int band, int first, bytes16 column, Turned *turned) {
  const uint8_t(*line)[16] = (const uint8_t(*)[16])bands->line[band / 3];
  uint8_t at[16], name[16] = {0};
  bytes_store(at, column);
  for (int k = 0; k < 9; k++) name[line[3 * (band % 3) + first][at[k]]] = (uint8_t)(k + 1);
  turned->column = column;
  turned->name = bytes_load(name);
  lines_name(line, OTHER_LINE[band % 3], column, turned->name, turned->line);
}

INLINE void lines_turn(const Turned *turned, bytes16 column, bytes16 digit, uint8_t (*line)[16]) {
  for (int k = 0; k < 6; k++)
    bytes_store(line[k], bytes_shuffle(digit, bytes_shuffle(bytes_load(turned->line[k]), column)));
}

INLINE uint64_t fourth_line(const Turned *turned, int front, uint8_t two, bytes16 rest, bytes16 digit) {
  int k = 0;
  for (int j = 1; j < 6; j++) k = turned->line[j][front] == two ? j : k;
  return bytes_number(bytes_shuffle(digit, bytes_shuffle(bytes_load(turned->line[k]), rest)));
}

#endif
