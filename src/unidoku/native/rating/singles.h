/* Hidden singles of a whole board at once. */
#ifndef UNIDOKU_RATING_SINGLES_H
#define UNIDOKU_RATING_SINGLES_H

#include "board.h"

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#endif

enum { HOUSE_DIGITS = 27 * 9 };

/* Write the numbers 9 * house + digit with exactly one place, ascending; how many there are. */
static inline int find_single_places(const Board *board, uint8_t *found)
{
    const uint16_t *places = board->places[0];
    int count = 0;
#if defined(__AVX512BW__)
    for (int begin = 0; begin < HOUSE_DIGITS; begin += 32) {
        __mmask32 inside = begin + 32 <= HOUSE_DIGITS ? 0xffffffffu : (1u << (HOUSE_DIGITS - begin)) - 1;
        __m512i here = _mm512_maskz_loadu_epi16(inside, places + begin);
        __m512i less = _mm512_add_epi16(here, _mm512_set1_epi16(-1));
        uint32_t single = _mm512_test_epi16_mask(here, here) & ~_mm512_test_epi16_mask(here, less);
        for (; single; single &= single - 1)
            found[count++] = (uint8_t)(begin + __builtin_ctz(single));
    }
#elif defined(__AVX2__)
    /* The last vector reads beyond the places into the values, which are in the same struct. */
    for (int begin = 0; begin < HOUSE_DIGITS; begin += 16) {
        __m256i here = _mm256_loadu_si256((const __m256i *)(places + begin));
        __m256i rest = _mm256_and_si256(here, _mm256_add_epi16(here, _mm256_set1_epi16(-1)));
        __m256i zero = _mm256_setzero_si256();
        __m256i most_one = _mm256_andnot_si256(_mm256_cmpeq_epi16(here, zero), _mm256_cmpeq_epi16(rest, zero));
        uint32_t single = (uint32_t)_mm256_movemask_epi8(most_one) & 0x55555555u;
        if (begin + 16 > HOUSE_DIGITS)
            single &= (1u << 2 * (HOUSE_DIGITS - begin)) - 1;
        for (; single; single &= single - 1)
            found[count++] = (uint8_t)(begin + __builtin_ctz(single) / 2);
    }
#else
    for (int k = 0; k < HOUSE_DIGITS; k++)
        if (places[k] && !(places[k] & (places[k] - 1)))
            found[count++] = (uint8_t)k;
#endif
    return count;
}

#endif
