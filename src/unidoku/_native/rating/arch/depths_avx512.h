/* Numbers of nodes with AVX-512: rows of 64 bytes at once. */
#ifndef UNIDOKU_RATING_DEPTHS_AVX512_H
#define UNIDOKU_RATING_DEPTHS_AVX512_H

REACH_INLINE void depths_of_layers(depths_t *row, const uint64_t bits[LAYER_BITS], int first)
{
    __m512i layer = _mm512_setzero_si512(), nodes;
    for (int bit = 0; bit < LAYER_BITS; bit++)
        layer = _mm512_mask_add_epi8(layer, bits[bit], layer, _mm512_set1_epi8((char)(1 << bit)));
    nodes = _mm512_add_epi8(layer, _mm512_add_epi8(layer, _mm512_set1_epi8((char)(first - 2))));
    nodes = _mm512_min_epu8(nodes, _mm512_set1_epi8(MOST_DEPTH_NODES));
    __mmask64 reached = _mm512_test_epi8_mask(layer, layer);
    *row = (depths_t)_mm512_mask_mov_epi8(_mm512_set1_epi8((char)DEPTH_NEVER), reached, nodes);
}

REACH_INLINE void turn_words(uint64_t row[8][8])
{
    __m512i pair[8];
    for (int k = 0; k < 8; k += 2) { /* [half][rows k, k + 1] */
        __m512i one = _mm512_load_si512(row[k]), two = _mm512_load_si512(row[k + 1]);
        pair[k / 2] = _mm512_unpacklo_epi64(one, two);
        pair[4 + k / 2] = _mm512_unpackhi_epi64(one, two);
    }
    for (int half = 0; half < 2; half++) {
        const __m512i *from = &pair[4 * half];
        __m512i even[2], odd[2];
        for (int k = 0; k < 2; k++) {
            even[k] = _mm512_shuffle_i64x2(from[2 * k], from[2 * k + 1], 0x88);
            odd[k] = _mm512_shuffle_i64x2(from[2 * k], from[2 * k + 1], 0xDD);
        }
        _mm512_store_si512(row[half], _mm512_shuffle_i64x2(even[0], even[1], 0x88));
        _mm512_store_si512(row[2 + half], _mm512_shuffle_i64x2(odd[0], odd[1], 0x88));
        _mm512_store_si512(row[4 + half], _mm512_shuffle_i64x2(even[0], even[1], 0xDD));
        _mm512_store_si512(row[6 + half], _mm512_shuffle_i64x2(odd[0], odd[1], 0xDD));
    }
}

REACH_INLINE depths_t depths_without(depths_t sum, depths_t one)
{
    __m512i all = (__m512i)sum, never = _mm512_set1_epi8((char)DEPTH_NEVER);
    return (depths_t)_mm512_mask_sub_epi8(never, _mm512_cmpneq_epi8_mask(all, never), all, (__m512i)one);
}

#endif
