/* The least numbers of nodes of dynamic chains: found for all starts at once, before any ordered run. */
#ifndef UNIDOKU_RATING_DEPTHS_H
#define UNIDOKU_RATING_DEPTHS_H

#include "reach.h"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* A start reaches in a layer exactly what its run reaches in this layer. Only the order within the layer is not known,
 * nor which nodes the chains share. So a chain to a node has at least as many nodes as the shortest path to it, and a
 * conclusion has at least the sum over its chains. A run ends in the first layer with a contradiction.
 * The numbers are bounded so that nine of them stay below "never". */
#define DEPTH_NEVER 255
#define MOST_DEPTH_NODES 28
#define LAYER_BITS 4 /* the last layer that is told apart has MOST_DEPTH_NODES nodes or more */
#define MOST_LAYER ((1 << LAYER_BITS) - 1)

/* Numbers for which the processor has operations: the least of two, and a sum of at most 255. */
typedef uint8_t depths_t __attribute__((vector_size(BLOCK_BYTES)));
#if defined(__AVX512BW__)
#define DEPTHS_LEAST(a, b) ((depths_t)_mm512_min_epu8((__m512i)(a), (__m512i)(b)))
#define DEPTHS_SUM(a, b) ((depths_t)_mm512_adds_epu8((__m512i)(a), (__m512i)(b)))
#elif defined(__AVX2__)
#define DEPTHS_LEAST(a, b) ((depths_t)_mm256_min_epu8((__m256i)(a), (__m256i)(b)))
#define DEPTHS_SUM(a, b) ((depths_t)_mm256_adds_epu8((__m256i)(a), (__m256i)(b)))
#elif defined(__SSE2__)
#define DEPTHS_LEAST(a, b) ((depths_t)_mm_min_epu8((__m128i)(a), (__m128i)(b)))
#define DEPTHS_SUM(a, b) ((depths_t)_mm_adds_epu8((__m128i)(a), (__m128i)(b)))
#else
#define DEPTHS_LEAST(a, b) (((a) & (depths_t)((a) < (b))) | ((b) & ~(depths_t)((a) < (b))))
#define DEPTHS_SUM(a, b) (((a) + (b)) | (depths_t)((depths_t)((a) + (b)) < (b)))
#endif

#define DEPTH_GROUPS (REACH_GROUPS + REACH_MOST)

/* An assumption is 2 * candidate + 1 if the candidate is on, 2 * candidate if it is off. */
typedef struct {
    depths_t depth[4 * REACH_MOST * REACH_ROWS / BLOCK_BYTES]; /* rows of candidates, for [start on][node on][start] */
    block_t layer[LAYER_BITS][2 * REACH_BLOCKS * REACH_MOST]; /* bits of the layer that reaches [node on][node], from 1 on */
    block_t before[REACH_MOST];
    int n;
    int row;                              /* vectors in a row, a multiple of 64 bytes */
    int groups;                           /* the groups of Reach, then each candidate on and off */
    uint16_t begin[DEPTH_GROUPS + 1];
    uint16_t member[6 * REACH_MOST];      /* assumptions */
    uint8_t rest[6 * REACH_MOST];         /* the least that the other members need for a common conclusion */
    uint8_t has_rest[DEPTH_GROUPS];       /* whether it is known */
    uint8_t least[DEPTH_GROUPS];          /* the least sum of a common conclusion */
    uint16_t groups_of[2 * REACH_MOST][5];
    uint16_t member_of[2 * REACH_MOST][5];
    uint8_t many[2 * REACH_MOST];         /* groups of an assumption */
    uint8_t conflict[2 * REACH_MOST];     /* the least sum of both ends of a contradiction */
    uint8_t conflict_rest[2 * REACH_MOST]; /* the least of one of them */
} Depths;

static inline depths_t *depths_row(Depths *depths, int start_on, int node_on, int start)
{
    return &depths->depth[(size_t)((2 * start_on + node_on) * depths->n + start) * depths->row];
}

/* Strong links of the groups of one size: the last one that is not off is on. */
REACH_INLINE void depths_strong_size(const Reach *reach, block_t *on, const block_t *off, int first, int last,
                                     const int size)
{
    const uint16_t *member = &reach->member[reach->begin[first]];
    for (int group = first; group < last; group++, member += size) {
        block_t rest = {0}, more = {0}, left[9];
        for (int k = 0; k < size; k++) {
            left[k] = ~off[member[k]];
            more |= rest & left[k];
            rest |= left[k];
        }
        for (int k = 0; k < size; k++)
            on[member[k]] |= ~more & (left[k] | ~rest);
    }
}

/* Write the layer of each node of a block that is new to a start; whether there is any. */
static int depths_note(Depths *depths, const block_t *now, block_t ended, int first, int layer)
{
    block_t any = {0};
    for (int k = 0; k < depths->n; k++) {
        block_t left = now[k] & ~depths->before[k] & ~ended;
        any |= left;
        for (int bit = 0; bit < LAYER_BITS; bit++)
            if (layer >> bit & 1)
                depths->layer[bit][first + k] |= left;
    }
    return block_any(any);
}

/* The nodes of 64 starts, from the bits of their layers. Layer 0 is never; later ones are two nodes apart. */
REACH_INLINE void depths_of_layers(depths_t *row, const uint64_t bits[LAYER_BITS], int first)
{
#if defined(__AVX512BW__)
    __m512i layer = _mm512_setzero_si512(), nodes;
    for (int bit = 0; bit < LAYER_BITS; bit++)
        layer = _mm512_mask_add_epi8(layer, bits[bit], layer, _mm512_set1_epi8((char)(1 << bit)));
    nodes = _mm512_add_epi8(layer, _mm512_add_epi8(layer, _mm512_set1_epi8((char)(first - 2))));
    nodes = _mm512_min_epu8(nodes, _mm512_set1_epi8(MOST_DEPTH_NODES));
    __mmask64 reached = _mm512_test_epi8_mask(layer, layer);
    *row = (depths_t)_mm512_mask_mov_epi8(_mm512_set1_epi8((char)DEPTH_NEVER), reached, nodes);
#else
    const uint64_t each = 0x0101010101010101ull;
    const uint8_t bit_of_byte[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t pattern;
    memcpy(&pattern, bit_of_byte, sizeof(pattern)); /* in the order of the machine */
    const block_t one = (block_t){0} + pattern;
    for (int part = 0; part < 64 / BLOCK_BYTES; part++) {
        depths_t layer = {0}, nodes;
        for (int bit = 0; bit < LAYER_BITS; bit++) {
            block_t spread = {0};
            for (int word = 0; word < BLOCK_WORDS; word++)
                spread[word] = (bits[bit] >> 8 * (BLOCK_WORDS * part + word) & 255) * each;
            layer |= (depths_t)((depths_t)(spread & one) == (depths_t)one) & (uint8_t)(1 << bit);
        }
        nodes = layer + layer + (uint8_t)(first - 2);
        depths_t many = (depths_t)(nodes > MOST_DEPTH_NODES);
        row[part] = (nodes & ~many) | (many & MOST_DEPTH_NODES) | (depths_t)(layer == 0);
    }
#endif
}

/* Swap rows and columns of bytes, in each word by itself, of rows that lie 64 bytes apart. */
REACH_INLINE void turn_bytes(block_t *row)
{
    static const uint64_t masks[3] = {0x00FF00FF00FF00FFull, 0x0000FFFF0000FFFFull, 0x00000000FFFFFFFFull};
    const int apart = 64 / BLOCK_BYTES;
    for (int turn = 0; turn < 3; turn++)
        for (int k = 0; k < 8; k++)
            if (!(k >> turn & 1)) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
                block_t *low = &row[(k | 1 << turn) * apart], *high = &row[k * apart];
#else
                block_t *low = &row[k * apart], *high = &row[(k | 1 << turn) * apart];
#endif
                block_t swap = (*low >> (8 << turn) ^ *high) & masks[turn];
                *low ^= swap << (8 << turn);
                *high ^= swap;
            }
}

/* Swap rows and columns of words. */
REACH_INLINE void turn_words(uint64_t row[8][8])
{
#if defined(__AVX512BW__)
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
#else
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++) {
            uint64_t word = row[i][j];
            row[i][j] = row[j][i];
            row[j][i] = word;
        }
#endif
}

/* Fill the rows of all starts, from the layers of all nodes. */
static void depths_fill(Depths *depths, int n, int blocks)
{
    for (int node_on = 0; node_on < 2; node_on++)
        for (int start_on = 0; start_on < 2; start_on++)
            for (int first = 0; first < n; first += 64)
                for (int from = 0; from < n; from += 64) {
                    union {
                        depths_t depth[64 * 64 / BLOCK_BYTES];
                        block_t block[64 * 64 / BLOCK_BYTES];
                        uint64_t word[64][8];
                    } row __attribute__((aligned(64)));
                    int at = first / 64 + (start_on ? 0 : BLOCK_WORDS * blocks / 2);
                    int starts = n - first < 64 ? n - first : 64;
                    for (int k = 0; k < 64; k++) {
                        uint64_t bits[LAYER_BITS];
                        if (from + k >= n) {
                            memset(row.word[k], DEPTH_NEVER, 64);
                            continue;
                        }
                        for (int bit = 0; bit < LAYER_BITS; bit++)
                            bits[bit] = *reach_word(&depths->layer[bit][node_on * blocks * n], n, from + k, at);
                        depths_of_layers(&row.depth[64 / BLOCK_BYTES * k], bits, 3 - node_on - start_on);
                    }
                    for (int k = 0; k < 64; k += 8)
                        for (int part = 0; part < 64 / BLOCK_BYTES; part++)
                            turn_bytes(&row.block[64 / BLOCK_BYTES * k + part]);
                    for (int k = 0; k < 8; k++) {
                        uint64_t turned[8][8] __attribute__((aligned(64)));
                        for (int part = 0; part < 8; part++)
                            memcpy(turned[part], row.word[8 * part + k], 64);
                        turn_words(turned);
                        for (int start = k; start < starts; start += 8)
                            memcpy((uint8_t *)depths_row(depths, start_on, node_on, first + start) + from,
                                   turned[start / 8], 64);
                    }
                }
}

/* Find in which layer each start of a block reaches each node. */
static void depths_block(Depths *depths, Reach *reach, Links links, int block)
{
    int n = reach->n, more = 1, layer = 0;
    size_t size = sizeof(block_t) * n;
    block_t *on = &reach->on[block * n], *off = &reach->off[block * n];
    block_t ended = {0}, unused = {0}; /* the runs that have ended with a contradiction */
    while (more) {
        layer += layer < MOST_LAYER;
        memcpy(depths->before, on, size);
        for (int kind = 0; kind < 2; kind++) {
            const int *begin = reach->size_begin[kind];
            depths_strong_size(reach, on, off, begin[2], begin[3], 2);
            depths_strong_size(reach, on, off, begin[3], begin[4], 3);
            depths_strong_size(reach, on, off, begin[4], begin[5], 4);
            for (int many = 5; many < 10; many++)
                depths_strong_size(reach, on, off, begin[many], begin[many + 1], many);
        }
        more = depths_note(depths, on, ended, (reach->blocks + block) * n, layer);
        memcpy(depths->before, off, size);
        reach_weak(reach, on, off, &unused, links);
        more |= depths_note(depths, off, ended, block * n, layer);
        for (int k = 0; k < n; k++)
            ended |= on[k] & off[k];
    }
}

/* Subtract one of the numbers from sums; 255 stays 255. */
REACH_INLINE depths_t depths_without(depths_t sum, depths_t one)
{
#if defined(__AVX512BW__)
    __m512i all = (__m512i)sum, never = _mm512_set1_epi8((char)DEPTH_NEVER);
    return (depths_t)_mm512_mask_sub_epi8(never, _mm512_cmpneq_epi8_mask(all, never), all, (__m512i)one);
#else
    return (sum - one) | (depths_t)(sum == DEPTH_NEVER);
#endif
}

/* The least of all numbers. */
REACH_INLINE int depths_minimum(depths_t numbers)
{
    typedef uint8_t bytes_t __attribute__((vector_size(16)));
    bytes_t part[BLOCK_BYTES / 16], least;
    memcpy(part, &numbers, BLOCK_BYTES);
    least = part[0];
    for (int k = 1; k < BLOCK_BYTES / 16; k++)
        least = (least & (bytes_t)(least < part[k])) | (part[k] & ~(bytes_t)(least < part[k]));
#if defined(__SSE4_1__)
    __m128i word = (__m128i)least;
    return _mm_extract_epi16(_mm_minpos_epu16(_mm_min_epu8(word, _mm_srli_epi16(word, 8))), 0);
#else
    typedef uint64_t words_t __attribute__((vector_size(16)));
    for (int bits = 64; bits >= 8; bits /= 2) {
        words_t word = (words_t)least;
        bytes_t other = (bytes_t)(bits == 64 ? (words_t){word[1], word[0]} : word >> bits);
        bytes_t less = (bytes_t)(least < other);
        least = (least & less) | (other & ~less);
    }
    return (int)(((words_t)least)[0] & 255); /* the first byte, or the last one if the order of bytes is big-endian */
#endif
}

/* The sums of the conclusions in a vector of the rows that all of a group have. */
REACH_INLINE depths_t depths_sum(Depths *depths, int group, int node_on, int at)
{
    depths_t sum = {0};
    for (int k = depths->begin[group]; k < depths->begin[group + 1]; k++) {
        int start = depths->member[k];
        sum = DEPTHS_SUM(sum, depths_row(depths, start & 1, node_on, start >> 1)[at]);
    }
    return sum;
}

/* Find the least sum of a conclusion that a whole group shares. */
static void depths_group(Depths *depths, int group)
{
    depths_t all = ~(depths_t){0};
    for (int on = 0; on < 2; on++)
        for (int at = 0; at < depths->row; at++) {
            depths_t sum = depths_sum(depths, group, on, at);
            all = DEPTHS_LEAST(all, sum);
        }
    depths->least[group] = (uint8_t)depths_minimum(all);
    depths->has_rest[group] = 0;
}

/* Find for each member of a group the least that the others need for a common conclusion. */
static void depths_rest(Depths *depths, int group)
{
    depths_t others[9];
    int begin = depths->begin[group], size = depths->begin[group + 1] - begin;
    depths->has_rest[group] = 1;
    for (int k = 0; k < size; k++)
        others[k] = ~(depths_t){0};
    for (int on = 0; on < 2; on++)
        for (int at = 0; at < depths->row; at++) {
            depths_t sum = depths_sum(depths, group, on, at);
            for (int k = 0; k < size; k++) {
                int start = depths->member[begin + k];
                depths_t rest = depths_without(sum, depths_row(depths, start & 1, on, start >> 1)[at]);
                others[k] = DEPTHS_LEAST(others[k], rest);
            }
        }
    for (int k = 0; k < size; k++)
        depths->rest[begin + k] = (uint8_t)depths_minimum(others[k]);
}

/* Add an assumption to the last group. */
static inline void depths_join(Depths *depths, int group, int start)
{
    int member = depths->begin[group + 1]++, k = depths->many[start]++;
    depths->member[member] = (uint16_t)start;
    depths->member_of[start][k] = (uint16_t)member;
    depths->groups_of[start][k] = (uint16_t)group;
}

/* Find the least complexities of all conclusions of dynamic chains. */
static void find_depths(Depths *depths, Reach *reach, Links links)
{
    int n = reach->n;
    depths->n = n;
    depths->row = (n + 63) / 64 * (64 / BLOCK_BYTES);
    reach_starts(reach);
    for (int bit = 0; bit < LAYER_BITS; bit++)
        memset(depths->layer[bit], 0, sizeof(block_t) * 2 * reach->blocks * n);
    for (int block = 0; block < reach->blocks; block++)
        depths_block(depths, reach, links, block);
    depths_fill(depths, n, reach->blocks);
    for (int start = 0; start < n; start++)
        for (int on = 0; on < 2; on++)
            ((uint8_t *)depths_row(depths, on, on, start))[start] = 1;
    depths->groups = reach->groups + n;
    depths->begin[0] = 0;
    memset(depths->many, 0, sizeof(depths->many));
    for (int group = 0; group < depths->groups; group++) {
        depths->begin[group + 1] = depths->begin[group];
        if (group < reach->groups)
            for (int k = reach->begin[group]; k < reach->begin[group + 1]; k++)
                depths_join(depths, group, 2 * reach->member[k] + 1);
        else
            for (int on = 0; on < 2; on++)
                depths_join(depths, group, 2 * (group - reach->groups) + on);
        depths_group(depths, group);
    }
    for (int start = 0; start < 2 * n; start++) {
        const depths_t *off = depths_row(depths, start & 1, 0, start >> 1);
        const depths_t *on = depths_row(depths, start & 1, 1, start >> 1);
        depths_t all = ~(depths_t){0}, one = all;
        for (int at = 0; at < depths->row; at++) {
            depths_t sum = DEPTHS_SUM(off[at], on[at]);
            depths_t without_on = depths_without(sum, on[at]), without_off = depths_without(sum, off[at]);
            all = DEPTHS_LEAST(all, sum);
            one = DEPTHS_LEAST(one, without_on);
            one = DEPTHS_LEAST(one, without_off);
        }
        depths->conflict[start] = (uint8_t)depths_minimum(all);
        depths->conflict_rest[start] = (uint8_t)depths_minimum(one);
    }
}

/* Write what the run of an assumption has found. */
static void depths_learn(Depths *depths, int start, int node_on, const uint16_t *nodes, int size, const uint16_t *count)
{
    uint8_t *row = (uint8_t *)depths_row(depths, start & 1, node_on, start >> 1);
    memset(row, DEPTH_NEVER, sizeof(depths_t) * depths->row);
    for (int k = 0; k < size; k++)
        row[nodes[k]] = (uint8_t)(count[nodes[k]] < DEPTH_NEVER ? count[nodes[k]] : DEPTH_NEVER - 1);
}

/* The first of some numbers from `first` on that is `number`; `end` if there is none. */
static inline int depths_next(const uint8_t *numbers, int first, int end, int number)
{
    const uint8_t *found = (const uint8_t *)memchr(numbers + first, number, (size_t)(end - first));
    return found ? (int)(found - numbers) : end;
}

/* The number of ancestors from which on a pending node of a run gives no conclusion of a complexity up to `most`. */
static int depths_bound(Depths *depths, int start, int most)
{
    int least = most; /* what others need */
    if (depths->conflict[start] <= most && depths->conflict_rest[start] < least)
        least = depths->conflict_rest[start];
    for (int k = 0; k < depths->many[start]; k++) {
        int group = depths->groups_of[start][k], member = depths->member_of[start][k];
        if (depths->least[group] > most)
            continue;
        if (!depths->has_rest[group])
            depths_rest(depths, group);
        if (depths->rest[member] < least)
            least = depths->rest[member];
    }
    return most - least > 2 ? most - least : 2;
}

#endif
