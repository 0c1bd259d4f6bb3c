/* AVX2: 16 lanes, 16 registers. */
#ifndef UNIDOKU_LANES_AVX2_H
#define UNIDOKU_LANES_AVX2_H

#define FEW 4
#define AT_REST 3 /* each is copied by itself */
#define SIMPLE_FIRST 0
#define GRIDS_FROM_LANES 1
#define ARCH_ONE "arch/one_avx2.h"

#include "shared.h"

/* --- operations ------------------------------------------------------------------------------------- */

/* Clang begins a step of a round before the one before it has ended; with 16 registers nearly half of all stores were of
 * values that wait.  So `vec_step` ends a step, and `vec_now` makes a value before what follows. */
#ifdef __clang__
#define IN_STEPS 1
INLINE void vec_step(void) { __asm__ volatile("" ::: "memory"); }
INLINE lanes_vec vec_now(lanes_vec v) {
  __asm__ volatile("" : "+x"(v));
  return v;
}
#endif

INLINE lanes_vec vec_two(lanes_vec a, lanes_vec b, lanes_vec c) { return (a & b) | (c & (a ^ b)); }
INLINE lanes_vec vec_after_singles(lanes_vec cell, lanes_vec hidden, lanes_vec naked, lanes_vec single) {
  lanes_vec gone = cell & hidden;
  gone = (lanes_vec)_mm256_sign_epi16((__m256i)~hidden, (__m256i)gone); /* zero where the second one is */
  return (cell & ~(gone | naked)) | single;
}
INLINE lanes_vec vec_of_lanes(uint32_t lanes) {
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  return (lanes_vec)((vec_fill((uint16_t)lanes) & bits) != 0);
}

/* --- frames and text ---------------------------------------------------------------------------------- */

static void frames_out(const lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_out(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
}
static void frames_in(lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_in(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
}

static void text_prepare(void) {}

INLINE int text_has_only(const uint8_t *text, uint8_t empty) {
  const __m256i one = _mm256_set1_epi8('1'), eight = _mm256_set1_epi8(8), sign = _mm256_set1_epi8((char)empty);
  __m256i fits = _mm256_set1_epi8(-1);
  UNROLL for (int k = 0; k < 3; k++) { /* bytes 0..31, 32..63, 49..80 */
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + (k < 2 ? 32 * k : 49)));
    __m256i digit = _mm256_sub_epi8(bytes, one);
    digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digit, eight), digit);
    fits = _mm256_and_si256(fits, _mm256_or_si256(digit, _mm256_cmpeq_epi8(bytes, sign)));
  }
  return _mm256_movemask_epi8(fits) == -1;
}

INLINE void frame_read(const uint8_t *text, uint8_t zero, uint16_t *frame) {
  const uint8_t first = (uint8_t)(zero + 1);
  /* low and high byte of the set of digit 0..8, and of an empty cell (9) */
  const __m128i low = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, -1, -1, -1, -1, -1, -1, -1);
  const __m128i high = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  UNROLL for (int row = 0; row < 9; row++) {
    /* Reads the row's 9 bytes and more, of the last row those before it; writes 12 words.  The next row of the third
     * overwrites the last three; after a third they are padding. */
    uint16_t *to = frame + cell_place(9 * row);
    __m128i bytes = _mm_loadu_si128((const __m128i *)(text + (row < 8 ? 9 * row : 65)));
    if (row == 8) bytes = _mm_srli_si128(bytes, 7);
    bytes = _mm_sub_epi8(bytes, _mm_set1_epi8((char)first));
    __m128i digit = _mm_min_epu8(bytes, _mm_set1_epi8(9));
    __m128i lows = _mm_shuffle_epi8(low, digit), highs = _mm_shuffle_epi8(high, digit);
    _mm_storeu_si128((__m128i *)to, _mm_unpacklo_epi8(lows, highs));
    _mm_storel_epi64((__m128i *)(to + 8), _mm_unpackhi_epi8(lows, highs));
  }
}

/* Sixteen sets of one digit as bytes: zero plus the digit. */
INLINE __m128i digits_of(__m128i a, __m128i b, uint8_t zero) {
  /* by the two nibbles; digit 9 is in the high byte */
  const __m128i low = _mm_setr_epi8(0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0);
  const __m128i high = _mm_setr_epi8(0, 5, 6, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0);
  const __m128i nibble = _mm_set1_epi8(15), byte = _mm_set1_epi16(255);
  __m128i sets = _mm_packus_epi16(_mm_and_si128(a, byte), _mm_and_si128(b, byte));
  __m128i nine = _mm_packs_epi16(_mm_cmpgt_epi16(a, byte), _mm_cmpgt_epi16(b, byte));
  __m128i digit = _mm_or_si128(_mm_shuffle_epi8(low, _mm_and_si128(sets, nibble)),
                               _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16(sets, 4), nibble)));
  digit = _mm_or_si128(digit, _mm_and_si128(nine, _mm_set1_epi8(9)));
  return _mm_add_epi8(digit, _mm_set1_epi8((char)zero));
}

INLINE void frame_write(const uint16_t *frame, uint8_t zero, uint8_t *text) {
  __m128i bytes[6]; /* 16 of a third's 27 digits, and the other 11, for each third */
  UNROLL for (int k = 0; k < 6; k++) {
    const __m128i *words = (const __m128i *)(frame + 16 * k);
    bytes[k] = digits_of(words[0], words[1], zero);
  }
  /* each row by a store of 16 bytes, whose last bytes the next row overwrites; nothing comes after the last row */
  UNROLL for (int i = 0; i < 3; i++) _mm_storeu_si128((__m128i *)(text + 9 * i), bytes[2 * i]);
  UNROLL for (int i = 0; i < 3; i++)
    _mm_storeu_si128((__m128i *)(text + 27 + 9 * i), _mm_alignr_epi8(bytes[2 * i + 1], bytes[2 * i], 9));
  UNROLL for (int i = 0; i < 2; i++) _mm_storeu_si128((__m128i *)(text + 54 + 9 * i), _mm_srli_si128(bytes[2 * i + 1], 2));
  _mm_storel_epi64((__m128i *)(text + 72), _mm_srli_si128(bytes[5], 2));
  text[80] = (uint8_t)_mm_extract_epi8(bytes[5], 10);
}

INLINE int grid_write(const lanes_vec *cells, int lane, const uint16_t *frame, uint8_t zero, uint8_t *text) {
  (void)frame;
  const uint16_t *from = (const uint16_t *)cells + lane;
  eight_words row[9], seen = {0};
  UNROLL for (int i = 0; i < 9; i++) {
    eight_words words = {0};
    UNROLL for (int k = 0; k < 8; k++) words[k] = from[(9 * i + k) * LANES];
    row[i] = words;
    seen |= words;
  }
  UNROLL for (int i = 0; i < 9; i += 2) { /* two rows at once; the last row by itself */
    const __m128i digits = digits_of((__m128i)row[i], (__m128i)row[i < 8 ? i + 1 : i], zero);
    _mm_storel_epi64((__m128i *)(text + 9 * i), digits);
    if (i < 8) _mm_storel_epi64((__m128i *)(text + 9 * i + 9), _mm_unpackhi_epi64(digits, digits));
  }
  UNROLL for (int i = 8; i < 81; i += 9) text[i] = (uint8_t)(zero + 1 + __builtin_ctz(from[i * LANES]));
  return are_full(seen);
}

/* --- the choice ------------------------------------------------------------------------------------------ */

INLINE Cells places_with(const uint16_t *frame, int number) {
  const lanes_vec *words = (const lanes_vec *)frame;
  uint64_t bits[6];
  UNROLL for (int k = 0; k < 3; k++) {
    __m256i bytes = _mm256_packs_epi16((__m256i)vec_has(words[2 * k], number), (__m256i)vec_has(words[2 * k + 1], number));
    bits[2 * k] = (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xD8));
    bits[2 * k + 1] = 0;
  }
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){(bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48) & cells01, (bits[4] | bits[5] << 16) & THIRD_CELLS};
}

/* --- AVX2: as on AVX-512 in two stages over up to eight frames.  The first finds the points of each digit, the
 * second adds the points of the peers of eight listed cells at once.
 */

static uint64_t places_of_bits[256]; /* the numbers of the bits that are set, a byte each, the lowest first */

static __attribute__((unused)) void choice_prepare(void) {
  for (int bits = 1; bits < 256; bits++)
    places_of_bits[bits] = places_of_bits[bits & (bits - 1)] << 8 | (uint64_t)__builtin_ctz((unsigned)bits);
  peers_prepare();
}

typedef struct {
  Points points[9][4]; /* of each digit: in each third, and their sum */
  const uint16_t *frame;
  uint8_t list[FRAME]; /* places of the listed cells; the first 16 are scored */
  int count;
} Choice;

INLINE void choice_boards(const uint16_t *frame, Choice *choice) {
  /* for each nibble its number of bits, and for each number of candidates the points */
  const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i worth = _mm256_setr_epi8(0, 1, 6, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 6, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0);
  const __m256i low_byte = _mm256_set1_epi16(255), nibble = _mm256_set1_epi8(15);
  uint32_t bivalue[3];
  __m256i sum[9];
  UNROLL for (int i = 0; i < 3; i++) {
    /* words 0..7 and 16..23, then 8..15 and 24..31, so that packing restores their order */
    const __m128i *from = (const __m128i *)(frame + THIRD * i);
    const __m256i v0 = _mm256_inserti128_si256(_mm256_castsi128_si256(from[0]), from[2], 1);
    const __m256i v1 = _mm256_inserti128_si256(_mm256_castsi128_si256(from[1]), from[3], 1);
    const __m256i bytes = _mm256_packus_epi16(_mm256_and_si256(v0, low_byte), _mm256_and_si256(v1, low_byte));
    const __m256i halves = _mm256_srli_epi16(bytes, 4);
    const __m256i nine = _mm256_packus_epi16(_mm256_srli_epi16(v0, 8), _mm256_srli_epi16(v1, 8));
    const __m256i low_count = _mm256_shuffle_epi8(bits, _mm256_and_si256(bytes, nibble));
    const __m256i high_count = _mm256_shuffle_epi8(bits, _mm256_and_si256(halves, nibble));
    const __m256i count = _mm256_add_epi8(nine, _mm256_add_epi8(low_count, high_count)), given = _mm256_shuffle_epi8(worth, count);
    bivalue[i] = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(count, _mm256_set1_epi8(2))) & THIRD_CELLS;
    UNROLL for (int digit = 0; digit < 9; digit++) {
      /* positive where the cell has the digit, otherwise zero: the sign that the points get */
      const __m256i has = digit == 8   ? nine
                          : digit == 7 ? _mm256_and_si256(halves, _mm256_set1_epi8(8))
                                       : _mm256_and_si256(bytes, _mm256_set1_epi8((char)(1 << digit)));
      const __m256i points = _mm256_sign_epi8(given, has);
      _mm256_store_si256((__m256i *)choice->points[digit][i], points);
      sum[digit] = i ? _mm256_add_epi8(sum[digit], points) : points;
    }
  }
  UNROLL for (int digit = 0; digit < 9; digit++) _mm256_store_si256((__m256i *)choice->points[digit][3], sum[digit]);
  choice->frame = frame;
  Cells cells = {bivalue[0] | (uint64_t)bivalue[1] << 32, bivalue[2]};
  if (__builtin_expect(!(cells.low | cells.high), 0)) cells = wider_cells(frame);
  /* Without a branch: each eight bits write eight places, and the next store overwrites the places of bits that are
   * not set. The barrier keeps compilers from joining the stores: a load of one byte would wait for them. */
  uint8_t *to = choice->list;
  memset(to + 8, 0, 8);
  UNROLL_ALL for (int k = 0; k < FRAME / 8; k++) {
    const uint64_t bits = (k < 8 ? cells.low >> 8 * k : cells.high >> 8 * (k - 8)) & 255;
    const uint64_t places = places_of_bits[bits] + k * 0x0808080808080808ull;
    memcpy(to, &places, 8);
    __asm__ volatile("" ::: "memory");
    to += __builtin_popcount((unsigned)bits);
  }
  choice->count = (int)(to - choice->list);
}

/* The choices of eight cells of the list, with their points above: the best one, inverted, is the lowest word. */
INLINE __m128i choice_scores(const Choice *choice, int from) {
#define LOAD(points) _mm256_load_si256((const __m256i *)(points))
  __m256i parts[2][8]; /* the points of both digits of each cell, as four sums */
  UNROLL for (int k = 0; k < 8; k++) {
    const int place = choice->list[from + k];
    const uint32_t set = choice->frame[place];
    const __m256i row = LOAD(peers_of[place].row), box_column = LOAD(peers_of[place].box_column);
    UNROLL for (int i = 0; i < 2; i++) {
      const Points *points = choice->points[i ? 31 - _lzcnt_u32(set) : _tzcnt_u32(set)];
      const __m256i given = _mm256_add_epi8(_mm256_and_si256(LOAD(points[place / THIRD]), row), _mm256_and_si256(LOAD(points[3]), box_column));
      parts[i][k] = _mm256_sad_epu8(given, _mm256_setzero_si256());
    }
  }
#undef LOAD
  __m128i points[2];
  UNROLL for (int i = 0; i < 2; i++) {
    __m256i pair[4];
    UNROLL for (int k = 0; k < 4; k++) pair[k] = _mm256_packus_epi32(parts[i][2 * k], parts[i][2 * k + 1]);
    const __m256i ones = _mm256_set1_epi16(1);
    const __m256i four0 = _mm256_madd_epi16(_mm256_packus_epi32(pair[0], pair[1]), ones);
    const __m256i four1 = _mm256_madd_epi16(_mm256_packus_epi32(pair[2], pair[3]), ones);
    const __m256i sums = _mm256_packs_epi32(four0, four1);
    points[i] = _mm_add_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  }
  const __m128i place = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(choice->list + from)));
  const __m128i found = _mm_sub_epi16(_mm_add_epi16(place, place), _mm_cmpgt_epi16(points[1], points[0]));
  const __m128i score = _mm_slli_epi16(_mm_add_epi16(points[0], points[1]), 8); /* 252 at most */
  const __m128i missing = _mm_cmpgt_epi16(_mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7), _mm_set1_epi16((short)(choice->count - from - 1)));
  return _mm_minpos_epu16(_mm_or_si128(_mm_xor_si128(_mm_or_si128(score, found), _mm_set1_epi16(-1)), missing));
}

INLINE int choice_best(const Choice *choice) {
  __m128i best = choice_scores(choice, 0);
  if (choice->count > 8) best = _mm_min_epu16(best, choice_scores(choice, 8));
  return ~_mm_cvtsi128_si32(best) & 255;
}

#endif
