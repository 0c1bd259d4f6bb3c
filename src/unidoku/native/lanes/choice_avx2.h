/* Which cell to guess in, AVX2 form.  The rule is in search.pxi; all forms choose the same cell.
 *
 * As on AVX-512 in two stages over up to eight frames: 27-bit boards per third and digit (by movemask, a
 * bit at a time), then eight listed cells at once, counted by nibble tables.
 */
#ifndef UNIDOKU_CHOICE_H
#define UNIDOKU_CHOICE_H

#include "choice_cells.h"

/* A listed cell: its peers in each third; its candidates | place << 16, in the table without the candidates. */
typedef uint32_t Listed[4] __attribute__((aligned(16)));
static Listed listed_cell[FRAME];

static void choice_prepare(void) {
  for (int a = 0; a < FRAME; a++)
    if (place_is_cell(a)) {
      for (int b = 0; b < FRAME; b++)
        if (place_is_cell(b)) listed_cell[a][b / THIRD] |= (uint32_t)places_are_peers(a, b) << b % THIRD;
      listed_cell[a][3] = (uint32_t)a << 16;
    }
}

typedef struct {
  uint32_t board[3][9]; /* per third: 27-bit boards of the digits */
  uint32_t bivalue[3];
  uint32_t narrow[3];   /* three candidates at most */
  Listed list[32];      /* the first 16 are scored */
  int count;
} Choice;

INLINE uint32_t byte_signs(__m256i a, __m256i b) { return (uint32_t)_mm256_movemask_epi8(_mm256_packs_epi16(a, b)); }

INLINE void choice_list(Choice *choice, int at, const uint16_t *frame, uint64_t place) {
  const __m128i cell = _mm_load_si128((const __m128i *)listed_cell[place]);
  _mm_store_si128((__m128i *)choice->list[at], _mm_insert_epi16(cell, frame[place], 6));
}

INLINE void choice_boards(const uint16_t *frame, Choice *choice) {
  const __m256i low_byte = _mm256_set1_epi16(255);
  UNROLL for (int i = 0; i < 3; i++) {
    /* words 0..7 and 16..23, and the others, so that packing restores their order */
    const __m128i *from = (const __m128i *)(frame + THIRD * i);
    __m256i v0 = _mm256_inserti128_si256(_mm256_castsi128_si256(from[0]), from[2], 1);
    __m256i v1 = _mm256_inserti128_si256(_mm256_castsi128_si256(from[1]), from[3], 1);
    __m256i bytes = _mm256_packus_epi16(_mm256_and_si256(v0, low_byte), _mm256_and_si256(v1, low_byte));
    choice->bivalue[i] = byte_signs((__m256i)vec_has((lanes_vec)v0, 2), (__m256i)vec_has((lanes_vec)v1, 2)) & THIRD_CELLS;
    choice->narrow[i] = byte_signs((__m256i)vec_narrow((lanes_vec)v0), (__m256i)vec_narrow((lanes_vec)v1));
    choice->board[i][8] = byte_signs(_mm256_slli_epi16(v0, 7), _mm256_slli_epi16(v1, 7));
    UNROLL for (int digit = 7; digit >= 0; digit--) {
      choice->board[i][digit] = (uint32_t)_mm256_movemask_epi8(bytes);
      bytes = _mm256_add_epi8(bytes, bytes);
    }
  }
  const uint32_t *two = choice->bivalue;
  Cells cells = {two[0] | (uint64_t)two[1] << 32, two[2]};
  if (__builtin_expect(!(cells.low | cells.high), 0)) cells = wider_cells(frame);
  /* in groups of eight, without a branch inside a group; bits of the padding end each word */
  const int first = __builtin_popcountll(cells.low), rest = __builtin_popcountll(cells.high);
  choice->count = first + rest;
#define LIST_EIGHT(at, word, base, end) \
  UNROLL for (int k = 0; k < 8; k++, word &= word - 1) \
    choice_list(choice, (at) + k, frame, (base) + (uint64_t)__builtin_ctzll(word | 1ull << end))
  LIST_EIGHT(0, cells.low, 0, 63);
  if (first > 8) LIST_EIGHT(8, cells.low, 0, 63);
  if (first < 16 && rest) {
    LIST_EIGHT(first, cells.high, 64, 31);
    if (first < 8 && rest > 8) LIST_EIGHT(first + 8, cells.high, 64, 31);
  }
#undef LIST_EIGHT
}

/* Number of bits of each byte, by a table of nibbles, which may have weights. */
INLINE __m256i count_bits(__m256i bits, __m256i table) {
  const __m256i nibble = _mm256_set1_epi8(15);
  return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(bits, nibble)),
                         _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi32(bits, 4), nibble)));
}
/* The same of three words together. */
INLINE __m256i count_three(const __m256i *words, __m256i table) {
  const __m256i differ = _mm256_xor_si256(words[0], words[1]);
  const __m256i odd = _mm256_xor_si256(differ, words[2]);
  const __m256i carry = _mm256_or_si256(_mm256_and_si256(words[0], words[1]), _mm256_and_si256(differ, words[2]));
  return _mm256_add_epi8(count_bits(odd, table), count_bits(carry, _mm256_add_epi8(table, table)));
}
/* Sum of the four bytes of each double word. */
INLINE __m256i add_bytes(__m256i bytes) {
  return _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1));
}
/* Index of the highest bit minus 1 modulo 8, by the exponent of a float (127 + index). */
INLINE __m256i exponents(__m256i bits) { return _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(bits)), 23); }

/* score << 8 | choice of eight entries of the list; zero for none. */
INLINE __m256i choice_scores(const Choice *choice, int from) {
  const __m256i weigh1 = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i weigh2 = _mm256_add_epi8(weigh1, weigh1);
  const __m256i weigh5 = _mm256_add_epi8(weigh1, _mm256_add_epi8(weigh2, weigh2));
  __m256i list[4];
  UNROLL for (int k = 0; k < 4; k++) { /* in halves as they were stored */
    const __m128i *two = (const __m128i *)choice->list[from + 2 * k];
    list[k] = _mm256_inserti128_si256(_mm256_castsi128_si256(two[0]), two[1], 1);
  }
  const __m256i a = _mm256_unpacklo_epi32(list[0], list[1]), b = _mm256_unpacklo_epi32(list[2], list[3]);
  const __m256i c = _mm256_unpackhi_epi32(list[0], list[1]), d = _mm256_unpackhi_epi32(list[2], list[3]);
  const __m256i peers[3] = {_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b), _mm256_unpacklo_epi64(c, d)};
  const __m256i tagged = _mm256_unpackhi_epi64(c, d), set = _mm256_and_si256(tagged, _mm256_set1_epi32(511));
  const __m256i number = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7); /* of the cells in these words */
  /* the lowest digit of a cell is one of 1..8, the highest one of 2..9 */
  const __m256i low = _mm256_add_epi32(exponents(_mm256_and_si256(set, _mm256_sub_epi32(_mm256_setzero_si256(), set))), _mm256_set1_epi32(1));
  const __m256i high = exponents(set);
  __m256i low_words[3][3], high_words[3][3]; /* peers with the digit: all of them, narrow, bivalue; per third */
  UNROLL for (int i = 0; i < 3; i++) {
    const __m256i from1 = _mm256_loadu_si256((const __m256i *)choice->board[i]), from2 = _mm256_loadu_si256((const __m256i *)(choice->board[i] + 1));
    const __m256i bivalue = _mm256_set1_epi32((int)choice->bivalue[i]), narrow = _mm256_set1_epi32((int)choice->narrow[i]);
    __m256i x = _mm256_and_si256(_mm256_permutevar8x32_epi32(from1, low), peers[i]);
    __m256i y = _mm256_and_si256(_mm256_permutevar8x32_epi32(from2, high), peers[i]);
    low_words[0][i] = x;
    low_words[1][i] = _mm256_and_si256(x, narrow);
    low_words[2][i] = _mm256_and_si256(x, bivalue);
    high_words[0][i] = y;
    high_words[1][i] = _mm256_and_si256(y, narrow);
    high_words[2][i] = _mm256_and_si256(y, bivalue);
  }
  __m256i low_points = _mm256_setzero_si256(), high_points = low_points; /* in each byte of the words */
  const __m256i weigh[3] = {weigh1, weigh2, weigh5};
  UNROLL for (int k = 0; k < 3; k++) {
    low_points = _mm256_add_epi8(low_points, count_three(low_words[k], weigh[k]));
    high_points = _mm256_add_epi8(high_points, count_three(high_words[k], weigh[k]));
  }
  low_points = add_bytes(low_points);
  high_points = add_bytes(high_points);
  const __m256i score = _mm256_add_epi32(low_points, high_points);
  const __m256i found = _mm256_sub_epi32(_mm256_srli_epi32(tagged, 15), _mm256_cmpgt_epi32(high_points, low_points));
  return _mm256_and_si256(_mm256_or_si256(_mm256_slli_epi32(score, 8), found),
                          _mm256_cmpgt_epi32(_mm256_set1_epi32(choice->count - from), number));
}

INLINE int choice_best(const Choice *choice) {
  __m256i best = choice_scores(choice, 0);
  if (choice->count > 8) best = _mm256_max_epu32(best, choice_scores(choice, 8));
  __m128i half = _mm_max_epu32(_mm256_castsi256_si128(best), _mm256_extracti128_si256(best, 1));
  half = _mm_max_epu32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_max_epu32(half, _mm_shuffle_epi32(half, 0xB1));
  return _mm_cvtsi128_si32(half) & 255;
}

#endif
