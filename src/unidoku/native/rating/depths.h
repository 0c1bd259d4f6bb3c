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

typedef uint8_t depths_t __attribute__((vector_size(64)));

#define DEPTH_GROUPS (REACH_GROUPS + REACH_MOST)

/* An assumption is 2 * candidate + 1 if the candidate is on, 2 * candidate if it is off. */
typedef struct {
    depths_t depth[4 * REACH_MOST * REACH_ROWS / 64]; /* rows of candidates, for [start on][node on][start] */
    ancestors_t layer[LAYER_BITS][2 * 3 * REACH_MOST]; /* bits of the layer that reaches [node on][node], from 1 on */
    ancestors_t before[3 * REACH_MOST];
    int n;
    int row;                              /* vectors in a row */
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
REACH_INLINE void depths_strong_size(Reach *reach, int first, int last, const int size, const int blocks)
{
    const uint16_t *member = &reach->member[reach->begin[first]];
    for (int group = first; group < last; group++, member += size)
        for (int block = 0; block < blocks; block++) {
            ancestors_t rest = {0}, more = {0}, left[9];
            for (int k = 0; k < size; k++) {
                left[k] = ~reach->off[blocks * member[k] + block];
                more |= rest & left[k];
                rest |= left[k];
            }
            for (int k = 0; k < size; k++)
                reach->on[blocks * member[k] + block] |= ~more & (left[k] | ~rest);
        }
}

/* Numbers for which the processor has operations: the least of two, and a sum of at most 255. */
#if defined(__AVX512BW__)
typedef __m512i part_t;
#define PART_LEAST(a, b) _mm512_min_epu8(a, b)
#define PART_SUM(a, b) _mm512_adds_epu8(a, b)
#elif defined(__AVX2__)
typedef __m256i part_t;
#define PART_LEAST(a, b) _mm256_min_epu8(a, b)
#define PART_SUM(a, b) _mm256_adds_epu8(a, b)
#elif defined(__SSE2__)
typedef __m128i part_t;
#define PART_LEAST(a, b) _mm_min_epu8(a, b)
#define PART_SUM(a, b) _mm_adds_epu8(a, b)
#else
typedef uint8_t part_t __attribute__((vector_size(16)));
#define PART_LEAST(a, b) (((a) & (part_t)((a) < (b))) | ((b) & ~(part_t)((a) < (b))))
#define PART_SUM(a, b) (((a) + (b)) | (part_t)((part_t)((a) + (b)) < (b)))
#endif
#define PARTS ((int)(sizeof(depths_t) / sizeof(part_t)))

/* Write the layer of each node that is new to a start; whether there is any. */
REACH_INLINE int depths_note(Depths *depths, const Reach *reach, const ancestors_t *now, const ancestors_t *ended,
                             int node_on, int layer, const int blocks)
{
    ancestors_t any = {0};
    int first = node_on * reach->n * blocks;
    for (int k = 0; k < blocks * reach->n; k += blocks)
        for (int block = 0; block < blocks; block++) {
            ancestors_t left = now[k + block] & ~depths->before[k + block] & ~ended[block];
            any |= left;
            for (int bit = 0; bit < LAYER_BITS; bit++)
                if (layer >> bit & 1)
                    depths->layer[bit][first + k + block] |= left;
        }
    return ancestors_count(&any, 1) != 0;
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
    typedef uint8_t bytes_t __attribute__((vector_size(16)));
    typedef uint64_t words_t __attribute__((vector_size(16)));
    const uint64_t each = 0x0101010101010101ull;
    const bytes_t one = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    for (int part = 0; part < 4; part++) {
        bytes_t layer = {0}, nodes;
        for (int bit = 0; bit < LAYER_BITS; bit++) {
            words_t spread = {(bits[bit] >> 16 * part & 255) * each, (bits[bit] >> (16 * part + 8) & 255) * each};
            layer |= (bytes_t)(((bytes_t)spread & one) == one) & (uint8_t)(1 << bit);
        }
        nodes = layer + layer + (uint8_t)(first - 2);
        bytes_t many = (bytes_t)(nodes > MOST_DEPTH_NODES);
        ((bytes_t *)row)[part] = (nodes & ~many) | (many & MOST_DEPTH_NODES) | (bytes_t)(layer == 0);
    }
#endif
}

/* Swap rows and columns of bytes, in each word by itself. */
REACH_INLINE void turn_bytes(ancestors_t row[8])
{
    static const uint64_t masks[3] = {0x00FF00FF00FF00FFull, 0x0000FFFF0000FFFFull, 0x00000000FFFFFFFFull};
    for (int turn = 0; turn < 3; turn++)
        for (int k = 0; k < 8; k++)
            if (!(k >> turn & 1)) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
                ancestors_t *low = &row[k | 1 << turn], *high = &row[k];
#else
                ancestors_t *low = &row[k], *high = &row[k | 1 << turn];
#endif
                ancestors_t swap = (*low >> (8 << turn) ^ *high) & masks[turn];
                *low ^= swap << (8 << turn);
                *high ^= swap;
            }
}

/* Swap rows and columns of words. */
REACH_INLINE void turn_words(ancestors_t row[8])
{
#if defined(__AVX512BW__)
    __m512i pair[8];
    for (int k = 0; k < 8; k += 2) { /* [half][rows k, k + 1] */
        pair[k / 2] = _mm512_unpacklo_epi64((__m512i)row[k], (__m512i)row[k + 1]);
        pair[4 + k / 2] = _mm512_unpackhi_epi64((__m512i)row[k], (__m512i)row[k + 1]);
    }
    for (int half = 0; half < 2; half++) {
        const __m512i *from = &pair[4 * half];
        __m512i even[2], odd[2];
        for (int k = 0; k < 2; k++) {
            even[k] = _mm512_shuffle_i64x2(from[2 * k], from[2 * k + 1], 0x88);
            odd[k] = _mm512_shuffle_i64x2(from[2 * k], from[2 * k + 1], 0xDD);
        }
        row[half] = (ancestors_t)_mm512_shuffle_i64x2(even[0], even[1], 0x88);
        row[2 + half] = (ancestors_t)_mm512_shuffle_i64x2(odd[0], odd[1], 0x88);
        row[4 + half] = (ancestors_t)_mm512_shuffle_i64x2(even[0], even[1], 0xDD);
        row[6 + half] = (ancestors_t)_mm512_shuffle_i64x2(odd[0], odd[1], 0xDD);
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
    depths_t never = ~(depths_t){0};
    for (int node_on = 0; node_on < 2; node_on++)
        for (int start_on = 0; start_on < 2; start_on++)
            for (int first = 0; first < n; first += 64)
                for (int from = 0; from < n; from += 64) {
                    ancestors_t row[64];
                    int word = first / 64 + (start_on ? 0 : 4 * blocks), starts = n - first < 64 ? n - first : 64;
                    for (int k = 0; k < 64; k++) {
                        uint64_t bits[LAYER_BITS];
                        int node = (node_on * n + from + k) * blocks;
                        if (from + k >= n) {
                            row[k] = (ancestors_t)never;
                            continue;
                        }
                        for (int bit = 0; bit < LAYER_BITS; bit++)
                            bits[bit] = ((const uint64_t *)&depths->layer[bit][node])[word];
                        depths_of_layers((depths_t *)&row[k], bits, 3 - node_on - start_on);
                    }
                    for (int k = 0; k < 64; k += 8)
                        turn_bytes(&row[k]);
                    for (int k = 0; k < 8; k++) {
                        ancestors_t turned[8];
                        for (int part = 0; part < 8; part++)
                            turned[part] = row[8 * part + k];
                        turn_words(turned);
                        for (int start = k; start < starts; start += 8) {
                            depths_t *to = depths_row(depths, start_on, node_on, first + start);
                            to[from / 64] = (depths_t)turned[start / 8];
                        }
                    }
                }
}

REACH_INLINE void depths_blocks(Depths *depths, Reach *reach, Links links, const int blocks)
{
    size_t size = sizeof(ancestors_t) * blocks * reach->n;
    ancestors_t ended[3], unused[3]; /* the runs that have ended with a contradiction */
    int more = 1, layer = 0;
    ancestors_clear(ended, blocks);
    ancestors_clear(unused, blocks);
    reach_starts(reach, blocks);
    for (int bit = 0; bit < LAYER_BITS; bit++)
        memset(depths->layer[bit], 0, 2 * size);
    while (more) {
        layer += layer < MOST_LAYER;
        memcpy(depths->before, reach->on, size);
        for (int kind = 0; kind < 2; kind++) {
            const int *begin = reach->size_begin[kind];
            depths_strong_size(reach, begin[2], begin[3], 2, blocks);
            depths_strong_size(reach, begin[3], begin[4], 3, blocks);
            depths_strong_size(reach, begin[4], begin[5], 4, blocks);
            for (int many = 5; many < 10; many++)
                depths_strong_size(reach, begin[many], begin[many + 1], many, blocks);
        }
        more = depths_note(depths, reach, reach->on, ended, 1, layer, blocks);
        memcpy(depths->before, reach->off, size);
        reach_weak(reach, reach->on, reach->off, unused, links, blocks);
        more |= depths_note(depths, reach, reach->off, ended, 0, layer, blocks);
        for (int k = 0; k < blocks * reach->n; k++)
            ended[k % blocks] |= reach->on[k] & reach->off[k];
    }
    depths_fill(depths, reach->n, blocks);
    for (int start = 0; start < reach->n; start++)
        for (int on = 0; on < 2; on++)
            ((uint8_t *)depths_row(depths, on, on, start))[start] = 1;
}

REACH_INLINE void depths_add(depths_t *sum, const depths_t *other)
{
    for (int k = 0; k < PARTS; k++)
        ((part_t *)sum)[k] = PART_SUM(((part_t *)sum)[k], ((const part_t *)other)[k]);
}

/* Keep the least numbers. */
REACH_INLINE void depths_least(depths_t *least, const depths_t *other)
{
    for (int k = 0; k < PARTS; k++)
        ((part_t *)least)[k] = PART_LEAST(((part_t *)least)[k], ((const part_t *)other)[k]);
}

/* Subtract one of the numbers from sums; 255 stays 255. */
REACH_INLINE void depths_without(depths_t *rest, const depths_t *sum, const depths_t *one)
{
#if defined(__AVX512BW__)
    __m512i all = (__m512i)*sum, never = _mm512_set1_epi8((char)DEPTH_NEVER);
    *rest = (depths_t)_mm512_mask_sub_epi8(never, _mm512_cmpneq_epi8_mask(all, never), all, (__m512i)*one);
#else
    typedef uint8_t bytes_t __attribute__((vector_size(sizeof(part_t))));
    for (int k = 0; k < PARTS; k++) {
        bytes_t all = ((const bytes_t *)sum)[k];
        ((bytes_t *)rest)[k] = (all - ((const bytes_t *)one)[k]) | (bytes_t)(all == DEPTH_NEVER);
    }
#endif
}

/* The least of all numbers. */
REACH_INLINE int depths_minimum(const depths_t *numbers)
{
#if defined(__SSE4_1__)
    const __m128i *part = (const __m128i *)numbers;
    __m128i least = _mm_min_epu8(_mm_min_epu8(part[0], part[1]), _mm_min_epu8(part[2], part[3]));
    return _mm_extract_epi16(_mm_minpos_epu16(_mm_min_epu8(least, _mm_srli_epi16(least, 8))), 0);
#else
    typedef uint8_t bytes_t __attribute__((vector_size(16)));
    typedef uint64_t words_t __attribute__((vector_size(16)));
    const bytes_t *part = (const bytes_t *)numbers;
    bytes_t least = part[0];
    for (int k = 1; k < 8; k++) {
        words_t word = (words_t)least;
        words_t folded = k == 4 ? (words_t){word[1], word[0]} : word >> (1024 >> k & 63);
        bytes_t other = k < 4 ? part[k] : (bytes_t)folded;
        bytes_t less = (bytes_t)(least < other);
        least = (least & less) | (other & ~less);
    }
    return (int)(((words_t)least)[0] & 255); /* the first byte, or the last one if the order of bytes is big-endian */
#endif
}

/* The sums of the conclusions in a word of the rows that all of a group have. */
REACH_INLINE void depths_sum(depths_t *sum, Depths *depths, int group, int node_on, int word)
{
    *sum = (depths_t){0};
    for (int k = depths->begin[group]; k < depths->begin[group + 1]; k++) {
        int start = depths->member[k];
        depths_add(sum, depths_row(depths, start & 1, node_on, start >> 1) + word);
    }
}

/* Find the least sum of a conclusion that a whole group shares. */
static void depths_group(Depths *depths, int group)
{
    depths_t all = ~(depths_t){0};
    for (int on = 0; on < 2; on++)
        for (int word = 0; word < depths->row; word++) {
            depths_t sum;
            depths_sum(&sum, depths, group, on, word);
            depths_least(&all, &sum);
        }
    depths->least[group] = (uint8_t)depths_minimum(&all);
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
        for (int word = 0; word < depths->row; word++) {
            depths_t sum, rest;
            depths_sum(&sum, depths, group, on, word);
            for (int k = 0; k < size; k++) {
                int start = depths->member[begin + k];
                depths_without(&rest, &sum, depths_row(depths, start & 1, on, start >> 1) + word);
                depths_least(&others[k], &rest);
            }
        }
    for (int k = 0; k < size; k++)
        depths->rest[begin + k] = (uint8_t)depths_minimum(&others[k]);
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
    depths->row = (n + 63) / 64;
    if (reach->blocks == 1)
        depths_blocks(depths, reach, links, 1);
    else if (reach->blocks == 2)
        depths_blocks(depths, reach, links, 2);
    else
        depths_blocks(depths, reach, links, 3);
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
        for (int word = 0; word < depths->row; word++) {
            depths_t sum = off[word], rest;
            depths_add(&sum, &on[word]);
            depths_least(&all, &sum);
            depths_without(&rest, &sum, &on[word]);
            depths_least(&one, &rest);
            depths_without(&rest, &sum, &off[word]);
            depths_least(&one, &rest);
        }
        depths->conflict[start] = (uint8_t)depths_minimum(&all);
        depths->conflict_rest[start] = (uint8_t)depths_minimum(&one);
    }
}

/* Write what the run of an assumption has found. */
static void depths_learn(Depths *depths, int start, int node_on, const uint16_t *nodes, int size, const uint16_t *count)
{
    uint8_t *row = (uint8_t *)depths_row(depths, start & 1, node_on, start >> 1);
    memset(row, DEPTH_NEVER, (size_t)64 * depths->row);
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
