/* Which cell to guess in.  The rule is in search.pxi; all forms choose the same cell.  Included by lanes.h. */

/* --- Lists of the possible places of a guess, as two words of bits: places 0..63 and 64..95. */

typedef struct {
  uint64_t low, high;
} Cells;

/* all ones where a word has exactly `number` bits (2 or 3), or at least four (4) */
INLINE lanes_vec vec_has(lanes_vec word, int number) {
  lanes_vec rest = word & (word - 1);
  for (int k = 2; k < number; k++) rest &= rest - 1;
  const lanes_vec enough = (lanes_vec)(rest != 0);
  return number < 4 ? enough & (lanes_vec)((rest & (rest - 1)) == 0) : enough;
}

/* The cells with exactly `number` candidates (2 or 3), or with at least four (4). */
INLINE Cells places_with(const uint16_t *frame, int number) {
#if LANES == 32
  uint64_t bits[3];
  UNROLL for (int i = 0; i < 3; i++) {
    const __m512i count = _mm512_popcnt_epi16(_mm512_load_si512(frame + THIRD * i)), wanted = _mm512_set1_epi16((short)number);
    bits[i] = (number < 4 ? _mm512_cmpeq_epi16_mask(count, wanted) : _mm512_cmpge_epi16_mask(count, wanted)) & THIRD_CELLS;
  }
  return (Cells){bits[0] | bits[1] << 32, bits[2]};
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint64_t eight = 0x8040201008040201ull;
  const uint8x16_t *words = (const uint8x16_t *)frame, place = (uint8x16_t)vdupq_n_u64(eight), wanted = vdupq_n_u8((uint8_t)number);
  uint8x16_t bit[6];
  UNROLL for (int k = 0; k < 6; k++) { /* candidates: the bits of the low byte, and the high one for the last digit */
    const uint8x16_t low = vuzp1q_u8(words[2 * k], words[2 * k + 1]), high = vuzp2q_u8(words[2 * k], words[2 * k + 1]);
    const uint8x16_t count = vaddq_u8(vcntq_u8(low), high);
    bit[k] = vandq_u8(number < 4 ? vceqq_u8(count, wanted) : vcgeq_u8(count, wanted), place);
  }
  const uint8x16_t fours = vpaddq_u8(vpaddq_u8(bit[0], bit[1]), vpaddq_u8(bit[2], bit[3])), last = vpaddq_u8(bit[4], bit[5]);
  const uint64x2_t all = (uint64x2_t)vpaddq_u8(fours, vpaddq_u8(last, last));
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){all[0] & cells01, all[1] & THIRD_CELLS};
#else
  const lanes_vec *words = (const lanes_vec *)frame;
  uint64_t bits[6];
#if LANES == 16
  UNROLL for (int k = 0; k < 3; k++) {
    __m256i bytes = _mm256_packs_epi16((__m256i)vec_has(words[2 * k], number), (__m256i)vec_has(words[2 * k + 1], number));
    bits[2 * k] = (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xD8));
    bits[2 * k + 1] = 0;
  }
#elif defined(__SSE2__) || defined(_M_X64)
  UNROLL for (int k = 0; k < 6; k++) {
    __m128i bytes = _mm_packs_epi16((__m128i)vec_has(words[2 * k], number), (__m128i)vec_has(words[2 * k + 1], number));
    bits[k] = (uint32_t)_mm_movemask_epi8(bytes);
  }
#else
  UNROLL for (int k = 0; k < 6; k++)
    bits[k] = vec_lanes(vec_has(words[2 * k], number)) | vec_lanes(vec_has(words[2 * k + 1], number)) << 8;
#endif
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){(bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48) & cells01, (bits[4] | bits[5] << 16) & THIRD_CELLS};
#endif
}

#if LANES != 32
/* Where no cell has two candidates: those with three; if there are none, those with more. */
static __attribute__((noinline)) Cells wider_cells(const uint16_t *frame) {
  const Cells three = places_with(frame, 3);
  return three.low | three.high ? three : places_with(frame, 4);
}
#endif

static Cells apart[FRAME]; /* of each cell: the others that are not its peers */

static void cells_prepare(void) {
  for (int a = 0; a < FRAME; a++)
    for (int b = 0; b < FRAME; b++)
      if (place_is_cell(b) && a != b && !places_are_peers(a, b)) *(b < 64 ? &apart[a].low : &apart[a].high) |= 1ull << b % 64;
}

/* The place of the first one, or 127. */
INLINE int first_cell(Cells cells) {
  const int in_high = 64 + __builtin_ctzll(cells.high | 1ull << 63);
  return cells.low ? __builtin_ctzll(cells.low) : in_high;
}

/* The choice of the lower digit in the first cell with two candidates; -1 if there is no such cell.  If `two`, the first
 * such cell that is not a peer of this one is chosen too, where there is one: its choice is added 256 times.  It is never
 * place 0, so a result of 512 or more holds two choices. */
INLINE int choose_first(const uint16_t *frame, int two) {
  const Cells cells = places_with(frame, 2);
  const int place = first_cell(cells);
  if (place == 127) return -1;
  if (!two) return 2 * place;
  const int second = first_cell((Cells){cells.low & apart[place].low, cells.high & apart[place].high});
  return second == 127 ? 2 * place : 2 * place + 512 * second;
}

#if LANES == 16 || (LANES == 8 && defined(__ARM_NEON) && defined(__aarch64__))
/* --- AVX2 and NEON: the points of a digit in each third: a byte for each cell that has the digit, and the sum of the three
 * thirds.  The peers of a cell are the six cells of the row outside the box, all in the cell's own third, and the box and
 * the column, which are the same five places of each third.  The cell itself is among these, but each listed cell gives
 * itself as many points as any other.
 */

typedef uint8_t Points[THIRD] __attribute__((aligned(32))); /* of the cells of a third; or all ones for some, zero for others */

static struct {
  Points row, box_column;
} peers_of[FRAME];

static void peers_prepare(void) {
  for (int a = 0; a < FRAME; a++)
    for (int b = 0; b < 27; b++) {
      const int place = a % THIRD, same_band = place / 9 == b / 9, same_stack = place % 9 / 3 == b % 9 / 3;
      peers_of[a].row[b] = (uint8_t)-(same_band && !same_stack);
      peers_of[a].box_column[b] = (uint8_t)-((same_band && same_stack) || place % 9 == b % 9);
    }
}
#endif

#if LANES == 32
/* --- AVX-512: two stages over up to eight frames, so that the frames hide each other's latencies.  The first turns a
 * frame into 27-bit boards: for each third and digit the cells of the third that have the digit (words to
 * bytes by permutes, then 8 x 8 bit transposes by GFNI).  The second scores 16 listed cells at once: it
 * masks each cell's peers in each third out of its two digits' boards and counts.
 */

static uint8_t bytes_thirds01[64]; /* low bytes of the cells of thirds 0 and 1, in the order the transpose wants */
static uint8_t bytes_third2[64];   /* and of third 2 */
static uint8_t board_bytes[2][64]; /* gathers a digit's four bytes after the transpose, per half register */
static uint16_t place_tags[FRAME]; /* place << 9 */
static uint32_t peers_own[32];     /* peers of a word inside its own third */
static uint32_t peers_other[32];   /* and in each of the other two */

static void choice_prepare(void) {
  for (int k = 0; k < 64; k++) {
    int word = (k & 31) ^ 7;
    bytes_thirds01[k] = (uint8_t)(2 * word + (k >= 32 ? 64 : 0));
    bytes_third2[k] = (uint8_t)(2 * word);
    board_bytes[0][k] = (uint8_t)(k / 4 % 8 + k % 4 * 8);
    board_bytes[1][k] = (uint8_t)(32 + board_bytes[0][k]);
  }
  for (int place = 0; place < FRAME; place++) place_tags[place] = (uint16_t)(place << 9);
  for (int a = 0; a < 27; a++)
    for (int b = 0; b < 27; b++) {
      peers_own[a] |= (uint32_t)places_are_peers(a, b) << b;
      peers_other[a] |= (uint32_t)places_are_peers(a, THIRD + b) << b;
    }
}

typedef struct {
  __m512i board[3];     /* per third: 27-bit boards of the nine digits */
  __m256i list;         /* the first 16 listed cells: candidates | place << 9 */
  uint32_t bivalue[3];  /* per third: the cells with two candidates */
  uint32_t narrow[3];   /* and those with three at most, which may be padding too */
  uint32_t count;       /* of listed cells */
} Choice;

INLINE void choice_boards(const uint16_t *frame, Choice *choice) {
  const __m512i third[3] = {_mm512_load_si512(frame), _mm512_load_si512(frame + THIRD), _mm512_load_si512(frame + 2 * THIRD)};
  __m512i number[3]; /* of candidates */
  uint32_t listed[3], nine[3];
  UNROLL for (int i = 0; i < 3; i++) {
    number[i] = _mm512_popcnt_epi16(third[i]);
    listed[i] = _mm512_cmpeq_epi16_mask(number[i], _mm512_set1_epi16(2)) & THIRD_CELLS;
    choice->bivalue[i] = listed[i];
    choice->narrow[i] = _mm512_cmple_epu16_mask(number[i], _mm512_set1_epi16(3));
    nine[i] = _mm512_movepi16_mask(_mm512_slli_epi16(third[i], 7));
  }
  if (__builtin_expect(!(listed[0] | listed[1] | listed[2]), 0)) {
    UNROLL for (int i = 0; i < 3; i++) listed[i] = _mm512_cmpeq_epi16_mask(number[i], _mm512_set1_epi16(3)) & THIRD_CELLS;
    if (!(listed[0] | listed[1] | listed[2]))
      UNROLL for (int i = 0; i < 3; i++) listed[i] = _mm512_cmpgt_epi16_mask(number[i], _mm512_set1_epi16(3)) & THIRD_CELLS;
  }
  __m512i list = _mm512_setzero_si512();
  uint32_t count = 0;
  UNROLL for (int i = 0; i < 3; i++) { /* those of each third after those of the previous one */
    __m512i tagged = _mm512_or_si512(third[i], _mm512_loadu_si512(place_tags + THIRD * i));
    tagged = _mm512_maskz_compress_epi16(listed[i], tagged);
    list = i ? _mm512_mask_expand_epi16(list, (uint32_t)(~0ull << count), tagged) : tagged;
    count += (uint32_t)__builtin_popcount(listed[i]);
  }
  choice->list = _mm512_castsi512_si256(list);
  choice->count = count;

  /* digits 1..8 by the transpose of the low bytes, digit 9 from bit 8 of the words */
  const __m512i identity = _mm512_set1_epi64(0x8040201008040201ll);
  __m512i thirds01 = _mm512_permutex2var_epi8(third[0], _mm512_loadu_si512(bytes_thirds01), third[1]);
  __m512i third2 = _mm512_permutexvar_epi8(_mm512_loadu_si512(bytes_third2), third[2]);
  thirds01 = _mm512_gf2p8affine_epi64_epi8(identity, thirds01, 0);
  third2 = _mm512_gf2p8affine_epi64_epi8(identity, third2, 0);
  const __m512i first = _mm512_loadu_si512(board_bytes[0]), second = _mm512_loadu_si512(board_bytes[1]);
  choice->board[0] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(first, thirds01), 0x100, (int)nine[0]);
  choice->board[1] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(second, thirds01), 0x100, (int)nine[1]);
  choice->board[2] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(first, third2), 0x100, (int)nine[2]);
}

INLINE int choice_best(const Choice *choice) {
  const __m512i tagged = _mm512_cvtepu16_epi32(choice->list);
  const __m512i place = _mm512_srli_epi32(tagged, 9), set = _mm512_and_si512(tagged, _mm512_set1_epi32(511));
  /* lowest and highest digit */
  const __m512i below = _mm512_andnot_si512(set, _mm512_add_epi32(set, _mm512_set1_epi32(-1)));
  const __m512i low = _mm512_popcnt_epi32(below), high = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(set));
  /* the tables take the last five bits of a place; its third is in bits 14 and 15 of the tagged word */
  const __m512i own = _mm512_permutex2var_epi32(_mm512_loadu_si512(peers_own), place, _mm512_loadu_si512(peers_own + 16));
  const __m512i other = _mm512_permutex2var_epi32(_mm512_loadu_si512(peers_other), place, _mm512_loadu_si512(peers_other + 16));
  const __mmask16 in1 = _mm512_movepi32_mask(_mm512_slli_epi32(tagged, 17)), in2 = _mm512_movepi32_mask(_mm512_slli_epi32(tagged, 16));
  const __mmask16 in[3] = {(__mmask16)_knot_mask16(_kor_mask16(in1, in2)), in1, in2};
  __m512i points[2]; /* of the lowest and of the highest digit */
  UNROLL for (int k = 0; k < 2; k++) {
    const __m512i digit = k ? high : low;
    __m512i all = _mm512_setzero_si512(), three = all, two = all;
    UNROLL for (int i = 0; i < 3; i++) {
      const __m512i bivalue = _mm512_set1_epi32((int)choice->bivalue[i]), narrow = _mm512_set1_epi32((int)choice->narrow[i]);
      const __m512i peers = _mm512_mask_mov_epi32(other, in[i], own);
      const __m512i x = _mm512_and_si512(_mm512_permutexvar_epi32(digit, choice->board[i]), peers);
      all = _mm512_add_epi32(all, _mm512_popcnt_epi32(x));
      three = _mm512_add_epi32(three, _mm512_popcnt_epi32(_mm512_and_si512(x, narrow)));
      two = _mm512_add_epi32(two, _mm512_popcnt_epi32(_mm512_and_si512(x, bivalue)));
    }
    points[k] = _mm512_add_epi32(_mm512_add_epi32(all, three), _mm512_slli_epi32(two, 2));
  }
  const __m512i score = _mm512_add_epi32(points[0], points[1]), both = _mm512_add_epi32(place, place);
  const __m512i found = _mm512_mask_add_epi32(both, _mm512_cmpgt_epi32_mask(points[1], points[0]), both, _mm512_set1_epi32(1));
  const __mmask16 there = (__mmask16)_bzhi_u32(0xFFFF, choice->count < 16 ? choice->count : 16);
  return (int)_mm512_mask_reduce_max_epu32(there, _mm512_or_si512(_mm512_slli_epi32(score, 8), found)) & 255;
}

#elif LANES == 16
/* --- AVX2: as on AVX-512 in two stages over up to eight frames.  The first finds the points of each digit, the second adds
 * those of the peers of eight listed cells at once.
 */

static uint64_t places_of_bits[256]; /* the numbers of the bits that are set, a byte each, the lowest first */

static void choice_prepare(void) {
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
    /* words 0..7 and 16..23, and the others, so that packing restores their order */
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
  /* Without a branch: for each eight bits eight places, of which the next store overwrites those of bits that are not set.
   * The barrier keeps compilers from joining the stores: a load of one byte would wait for them. */
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

#elif defined(__ARM_NEON) && defined(__aarch64__)
/* --- NEON: the points as on AVX2, one frame after the other. */

static void choice_prepare(void) { peers_prepare(); }

/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) {
  Cells cells = places_with(frame, 2);
  if (__builtin_expect(!(cells.low | cells.high), 0)) cells = wider_cells(frame);
  const uint8x16_t worth = {0, 1, 6, 2, 1, 1, 1, 1, 1, 1}; /* the points by the number of candidates */
  const uint8x16_t *words = (const uint8x16_t *)frame;
  uint8x16_t low[6], high[6], given[6]; /* candidates, the last digit's, points */
  UNROLL for (int k = 0; k < 6; k++) {
    low[k] = vuzp1q_u8(words[2 * k], words[2 * k + 1]);
    high[k] = vuzp2q_u8(words[2 * k], words[2 * k + 1]);
    given[k] = vqtbl1q_u8(worth, vaddq_u8(vcntq_u8(low[k]), high[k]));
  }
  Points points[9][4]; /* of each digit: in each third, and their sum */
  UNROLL for (int digit = 0; digit < 9; digit++) {
    uint8x16_t part[6];
    UNROLL for (int k = 0; k < 6; k++) {
      part[k] = vandq_u8(given[k], digit < 8 ? vtstq_u8(low[k], vdupq_n_u8((uint8_t)(1 << digit % 8))) : vtstq_u8(high[k], high[k]));
      vst1q_u8(points[digit][k / 2] + 16 * (k % 2), part[k]);
    }
    UNROLL for (int k = 0; k < 2; k++)
      vst1q_u8(points[digit][3] + 16 * k, vaddq_u8(vaddq_u8(part[k], part[2 + k]), part[4 + k]));
  }
  int best = 0, left = 16;
  for (int half = 0; half < 2; half++)
    for (uint64_t some = half ? cells.high : cells.low; some && left; some &= some - 1, left--) {
      const int place = half * 64 + __builtin_ctzll(some);
      const uint32_t set = frame[place];
      const uint8_t *row = peers_of[place].row, *box_column = peers_of[place].box_column;
      int sum[2]; /* of the lowest and of the highest digit */
      UNROLL for (int i = 0; i < 2; i++) {
        const Points *of_digit = points[i ? 31 - __builtin_clz(set) : __builtin_ctz(set)];
        uint8x16_t part[2];
        UNROLL for (int k = 0; k < 2; k++)
          part[k] = vaddq_u8(vandq_u8(vld1q_u8(of_digit[place / THIRD] + 16 * k), vld1q_u8(row + 16 * k)),
                             vandq_u8(vld1q_u8(of_digit[3] + 16 * k), vld1q_u8(box_column + 16 * k)));
        sum[i] = vaddvq_u8(vaddq_u8(part[0], part[1]));
      }
      const int score = (sum[0] + sum[1]) << 8 | place << 1 | (sum[1] > sum[0]);
      if (score > best) best = score;
    }
  return best & 255;
}

#else
/* --- SSE2 and anything else: a cell gives points to each of its candidates: a vector of bytes, one for each
 * digit, from a table.  The points of three cells in a row or column of a box are added once; those of the peers of a
 * cell are the sum of the two other such triples of its row, the two of its column, and its box without the cell: 20
 * peers with 6 points at most.
 */

typedef uint8_t points __attribute__((vector_size(16))); /* of digit d in byte d - 1 */

static points points_of_set[512];
static struct {
  uint8_t box, across[2], down[2]; /* numbers of the box and of the other triples in the row and the column */
} around[FRAME];

static void choice_prepare(void) {
  for (int place = 0; place < FRAME; place++) {
    const int row = cell_of_place[place] / 9, column = cell_of_place[place] % 9;
    around[place].box = (uint8_t)(row / 3 * 3 + column / 3);
    for (int k = 0; k < 2; k++) {
      around[place].across[k] = (uint8_t)(row * 3 + (column / 3 + k + 1) % 3);
      around[place].down[k] = (uint8_t)((row / 3 + k + 1) % 3 * 9 + column);
    }
  }
  for (int set = 0; set < 512; set++) {
    const int count = __builtin_popcount((unsigned)set);
    for (int digit = 0; digit < 9; digit++)
      if (set >> digit & 1) points_of_set[set][digit] = count == 2 ? 6 : count == 3 ? 2 : 1;
  }
}

/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) {
  Cells cells = places_with(frame, 2);
  if (__builtin_expect(!(cells.low | cells.high), 0)) cells = wider_cells(frame);
  points across[27], down[27], box[9];
  _Pragma("GCC unroll 1") for (int b = 0; b < 9; b++) {
    const uint16_t *corner = frame + b / 3 * 9 + b % 3 * 3;
    points *to = across + b / 3 * 9 + b % 3, w[9];
    UNROLL for (int k = 0; k < 9; k++) w[k] = points_of_set[corner[k / 3 * THIRD + k % 3]];
    UNROLL for (int k = 0; k < 3; k++) {
      to[3 * k] = w[3 * k] + w[3 * k + 1] + w[3 * k + 2];
      down[3 * b + k] = w[k] + w[k + 3] + w[k + 6];
    }
    box[b] = to[0] + to[3] + to[6];
  }
  int best = 0, left = 16;
  for (int half = 0; half < 2; half++)
    for (uint64_t some = half ? cells.high : cells.low; some && left; some &= some - 1, left--) {
      const int place = half * 64 + __builtin_ctzll(some);
      const uint32_t set = frame[place];
      const points peers = across[around[place].across[0]] + across[around[place].across[1]] + down[around[place].down[0]] +
                           down[around[place].down[1]] + (box[around[place].box] - points_of_set[set]);
      uint8_t of_digit[16];
      memcpy(of_digit, &peers, 16);
      const int low = of_digit[__builtin_ctz(set)], high = of_digit[31 - __builtin_clz(set)];
      const int score = (low + high) << 8 | place << 1 | (high > low);
      if (score > best) best = score;
    }
  return best & 255;
}

#endif

#if LANES == 8
/* The guess for each of `count` frames. */
static void choose_best(uint16_t *const *frame, int count, uint8_t *choices) {
  for (int k = 0; k < count; k++) choices[k] = (uint8_t)choose_one(frame[k]);
}
#else
/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) {
  Choice choice;
  choice_boards(frame, &choice);
  return choice_best(&choice);
}

/* The guess for each of `count` frames. */
static void choose_best(uint16_t *const *frame, int count, uint8_t *choices) {
  Choice choice[8];
  for (int k = 0; k < count; k += 8) {
    int some = count - k < 8 ? count - k : 8;
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++) choice_boards(frame[k + i], choice + i);
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++)
      choices[k + i] = (uint8_t)choice_best(choice + i);
  }
}
#endif
