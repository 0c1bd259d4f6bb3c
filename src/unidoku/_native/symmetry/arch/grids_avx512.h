/* Grids with AVX-512: all cells in two registers, whose bytes can be permuted freely. */
#ifndef UNIDOKU_SYMMETRY_GRIDS_AVX512_H
#define UNIDOKU_SYMMETRY_GRIDS_AVX512_H

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

typedef struct {
  uint32_t index[6];
  uint8_t order[6]; /* index into COLUMN_ORDER */
  __m512i low, high; /* the 81 digits, 0 to 8, then bytes 128 */
} Bands;

static __m512i FIRST_BOXES;             /* eight places of the first boxes of bands 0 1 2 3 4 5 4 5 */
static __m512i OTHER_BOXES[3];          /* as BOX_AT says */
static __m512i FIRST_LINES[6], LAST_LINES[6][3]; /* four of the other lines; two, and one of the band's own */
static __m512i THIRDS[3], HOUSES[3];    /* cells of each third of a house; thirds of each house */

static const uint8_t BOX_AT[3][4][2] = {/* band and box */
                                        {{0, 1}, {2, 1}, {4, 1}, {4, 2}},
                                        {{1, 1}, {3, 1}, {5, 1}, {5, 2}},
                                        {{0, 2}, {2, 2}, {1, 2}, {3, 2}}};

static int cell_of_band(int band, int row, int column) {
  return band < 3 ? 27 * band + 9 * row + column : 9 * column + 3 * (band - 3) + row;
}

static void bands_prepare(void) {
  static const uint8_t first_box_of[8] = {0, 1, 2, 3, 4, 5, 4, 5};
  uint8_t at[128];
  memset(at, 127, sizeof at);
  for (int k = 0; k < 8; k++)
    for (int name = 0; name < 8; name++) at[8 * k + name] = (uint8_t)cell_of_band(first_box_of[k], name / 3, name % 3);
  FIRST_BOXES = _mm512_loadu_si512(at);
  for (int k = 0; k < 3; k++) {
    memset(at, 127, sizeof at);
    for (int quarter = 0; quarter < 4; quarter++)
      for (int place = 0; place < 9; place++)
        at[16 * quarter + place] =
            (uint8_t)cell_of_band(BOX_AT[k][quarter][0], place / 3, 3 * BOX_AT[k][quarter][1] + place % 3);
    OTHER_BOXES[k] = _mm512_loadu_si512(at);
  }
  for (int band = 0; band < 6; band++) {
    memset(at, 127, sizeof at);
    for (int k = 0; k < 6; k++)
      for (int column = 0; column < 9; column++) {
        int line = OTHER_LINE[band % 3][k];
        at[16 * k + column] = (uint8_t)(band < 3 ? 9 * line + column : 9 * column + line);
      }
    FIRST_LINES[band] = _mm512_loadu_si512(at);
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 9; column++) at[96 + column] = (uint8_t)cell_of_band(band, row, column);
      LAST_LINES[band][row] = _mm512_loadu_si512(at + 64);
    }
  }
  for (int k = 0; k < 3; k++) {
    memset(at, 127, sizeof at);
    for (int third = 0; third < 27; third++) {
      at[third] = (uint8_t)(3 * third + k);
      at[32 + third] = (uint8_t)(27 * (third / 9) + 9 * k + third % 9);
    }
    THIRDS[k] = _mm512_loadu_si512(at);
    for (int house = 0; house < 9; house++) {
      at[house] = (uint8_t)(3 * house + k);
      at[9 + house] = (uint8_t)(9 * (house / 3) + house % 3 + 3 * k);
      at[18 + house] = (uint8_t)(32 + house + 9 * k);
    }
    HOUSES[k] = _mm512_loadu_si512(at);
  }
}

/* Read a full grid; return false if it is not one.  Codes of nine digits cancel to 255 under exclusive or only if all
   nine are different: each of eight bits must occur an odd number of times in nine places. */
INLINE int bands_read(const uint8_t *text, int zero, Bands *bands) {
  const __m512i base = _mm512_set1_epi8((char)(zero + 1)), most = _mm512_set1_epi8(8);
  const __m512i bits = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m512i none = _mm512_setzero_si512();
  __m512i low = _mm512_sub_epi8(_mm512_loadu_si512(text), base);
  __m512i high = _mm512_mask_sub_epi8(_mm512_set1_epi8((char)128), 0x1ffff, _mm512_maskz_loadu_epi8(0x1ffff, text + 64), base);
  __mmask64 wrong = _mm512_cmpgt_epu8_mask(low, most) | _mm512_mask_cmpgt_epu8_mask(0x1ffff, high, most);
  if (wrong) return 0;
  __m512i code_low = _mm512_shuffle_epi8(bits, low), code_high = _mm512_shuffle_epi8(bits, high);
  __m512i thirds = _mm512_ternarylogic_epi64(_mm512_permutex2var_epi8(code_low, THIRDS[0], code_high),
                                             _mm512_permutex2var_epi8(code_low, THIRDS[1], code_high),
                                             _mm512_permutex2var_epi8(code_low, THIRDS[2], code_high), 0x96);
  __m512i houses = _mm512_ternarylogic_epi64(_mm512_permutexvar_epi8(HOUSES[0], thirds), _mm512_permutexvar_epi8(HOUSES[1], thirds),
                                             _mm512_permutexvar_epi8(HOUSES[2], thirds), 0x96);
  if (_mm512_mask_cmpneq_epu8_mask(0x7ffffff, houses, _mm512_set1_epi8((char)255))) return 0;
  bands->low = low;
  bands->high = high;
  /* eight bytes with one bit each are a permutation matrix; its transpose is the inverse permutation */
  __m512i first = _mm512_shuffle_epi8(bits, _mm512_permutex2var_epi8(low, FIRST_BOXES, high));
  __m512i code = _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201ull), first, 0);
  /* digit 8 has the code that the other digits lack */
  __m512i last = _mm512_xor_si512(_mm512_sad_epu8(code, none), _mm512_set1_epi64(255));
  __m512i codes[3];
  codes[0] = _mm512_unpacklo_epi64(code, last); /* bands 0 2 4 4 */
  codes[1] = _mm512_unpackhi_epi64(code, last); /* bands 1 3 5 5 */
  codes[2] = _mm512_shuffle_i64x2(codes[0], codes[1], 0x44); /* bands 0 2 1 3 */
  const __m512i next = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 0, 4, 5, 3, 7, 8, 6, 15, 15, 15, 15, 15, 15, 15));
  const __m512i counted = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0x1F, 0x1F, 0x1F, (char)0xE0, (char)0xE0, (char)0xE0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  uint64_t compared[3];
  uint8_t sum[2][64];
  for (int k = 0; k < 3; k++) {
    __m512i box = _mm512_shuffle_epi8(codes[k], _mm512_permutex2var_epi8(low, OTHER_BOXES[k], high));
    compared[k] = _mm512_cmplt_epu8_mask(box, _mm512_shuffle_epi8(box, next));
    if (k < 2) _mm512_storeu_si512(sum[k], _mm512_sad_epu8(_mm512_and_si512(box, counted), none));
  }
#define BAND(band, register2, quarter2, register3, quarter3)                                  \
  {                                                                                           \
    uint32_t two = (uint32_t)(compared[register2] >> (16 * (quarter2))) & 511;                \
    uint32_t three = (uint32_t)(compared[register3] >> (16 * (quarter3))) & 511;              \
    bands->index[band] = PATTERN_OF[sum[register2][16 * (quarter2)]] + ARRANGEMENT_OF[0][two] + \
                         ARRANGEMENT_OF[1][three];                                            \
    bands->order[band] = (uint8_t)((two & 7) | (three & 7) << 3);                             \
  }
  BAND(0, 0, 0, 2, 0)
  BAND(1, 1, 0, 2, 2)
  BAND(2, 0, 1, 2, 1)
  BAND(3, 1, 1, 2, 3)
  BAND(4, 0, 2, 0, 3)
  BAND(5, 1, 2, 1, 3)
#undef BAND
  return 1;
}

/* Apply an order of columns to a band, and move its row `first` to the top. */
INLINE void band_turn(const Bands *bands, int band, int first, bytes16 column, Turned *turned) {
  const __m128i bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m128i name_of_bits = _mm_setr_epi8(8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0, 0, 0, 0, 0, 0);
  __m512i lines = _mm512_permutex2var_epi8(bands->low, FIRST_LINES[band], bands->high);
  __m512i more = _mm512_permutex2var_epi8(bands->low, LAST_LINES[band][first], bands->high);
  __m128i digit = _mm_shuffle_epi8(_mm512_extracti32x4_epi32(more, 2), (__m128i)column);
  /* the inverse permutation again; the code of name q is 128 >> q, less 1 it has 7 - q bits, or 8 for q = 8 */
  __m128i code = _mm_gf2p8affine_epi64_epi8(_mm_set1_epi64x((long long)0x8040201008040201ull), _mm_shuffle_epi8(bits, digit), 0);
  __m128i last = _mm_xor_si128(_mm_sad_epu8(code, _mm_setzero_si128()), _mm_set1_epi64x(255));
  code = _mm_unpacklo_epi64(code, last);
  __m128i name = _mm_shuffle_epi8(name_of_bits, _mm_popcnt_epi8(_mm_add_epi8(code, _mm_set1_epi8(-1))));
  __m512i names = _mm512_broadcast_i32x4(name), columns = _mm512_broadcast_i32x4((__m128i)column);
  _mm512_storeu_si512(turned->line[0], _mm512_shuffle_epi8(names, _mm512_shuffle_epi8(lines, columns)));
  _mm256_storeu_si256((__m256i *)turned->line[4],
                      _mm256_shuffle_epi8(_mm512_castsi512_si256(names),
                                          _mm256_shuffle_epi8(_mm512_castsi512_si256(more), _mm512_castsi512_si256(columns))));
  turned->column = column;
  turned->name = (bytes16)name;
}

INLINE void lines_turn(const Turned *turned, bytes16 column, bytes16 digit, uint8_t (*line)[16]) {
  __m512i columns = _mm512_broadcast_i32x4((__m128i)column), digits = _mm512_broadcast_i32x4((__m128i)digit);
  _mm512_storeu_si512(line[0], _mm512_shuffle_epi8(digits, _mm512_shuffle_epi8(_mm512_loadu_si512(turned->line[0]), columns)));
  _mm256_storeu_si256((__m256i *)line[4], _mm256_shuffle_epi8(_mm512_castsi512_si256(digits), _mm256_shuffle_epi8(
      _mm256_loadu_si256((const __m256i *)turned->line[4]), _mm512_castsi512_si256(columns))));
}

INLINE uint64_t fourth_line(const Turned *turned, int front, uint8_t two, bytes16 rest, bytes16 digit) {
  __m512i wanted = _mm512_set1_epi8((char)two);
  uint64_t at = (_mm512_cmpeq_epi8_mask(_mm512_loadu_si512(turned->line[0]), wanted) >> front) & 0x0001000100010001ull;
  uint32_t more = (_mm256_cmpeq_epi8_mask(_mm256_loadu_si256((const __m256i *)turned->line[4]), _mm512_castsi512_si256(wanted)) >> front) & 0x00010001u;
  int k = at ? __builtin_ctzll(at) >> 4 : 4 + (int)(more >> 16);
  return bytes_number(bytes_shuffle(digit, bytes_shuffle(bytes_load(turned->line[k]), rest)));
}

#endif
