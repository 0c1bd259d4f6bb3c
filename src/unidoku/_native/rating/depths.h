/* The least numbers of nodes of dynamic chains: found for all starts at once, before any ordered run. */
#ifndef UNIDOKU_RATING_DEPTHS_H
#define UNIDOKU_RATING_DEPTHS_H

#include "reach.h"

/* A start reaches in a layer exactly what its run reaches in this layer. Only the order within the layer is not known,
 * nor which nodes the chains share. So a chain to a node has at least as many nodes as the shortest path to it, and a
 * conclusion has at least the sum over its chains. A run ends in the first layer with a contradiction.
 * The numbers are bounded so that nine of them stay below "never". */
#define DEPTH_NEVER 255
#define MOST_DEPTH_NODES 28
#define LAYER_BITS 4 /* the last layer that is told apart has MOST_DEPTH_NODES nodes or more */
#define MOST_LAYER ((1 << LAYER_BITS) - 1)

/* Numbers for which the processor has operations: the least of two, and a sum of at most 255. */
typedef bytes_vec depths_t;

/* depths_of_layers(row, bits, first): the nodes of 64 starts, from the bits of their layers. Layer 0 means never, and
 * later layers are two nodes apart.
 * turn_words(row): swap rows and columns of words.
 * depths_without(sum, one): subtract one of the numbers from sums; 255 stays 255. */
#if defined(FOR_AVX512)
#include "arch/depths_avx512.h"
#else
#include "arch/depths_other.h"
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

/* Swap rows and columns of bytes, in each word by itself, of rows that lie 64 bytes apart. */
REACH_INLINE void turn_bytes(block_t *row)
{
    static const uint64_t masks[3] = {0x00FF00FF00FF00FFull, 0x0000FFFF0000FFFFull, 0x00000000FFFFFFFFull};
    const int apart = 64 / BLOCK_BYTES;
    for (int turn = 0; turn < 3; turn++)
        for (int k = 0; k < 8; k++)
            if (!(k >> turn & 1)) {
                const int other = k | 1 << turn;
                block_t *low = &row[(HIGH_BYTE_FIRST ? other : k) * apart];
                block_t *high = &row[(HIGH_BYTE_FIRST ? k : other) * apart];
                block_t swap = (*low >> (8 << turn) ^ *high) & masks[turn];
                *low ^= swap << (8 << turn);
                *high ^= swap;
            }
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

/* The least of all numbers. */
REACH_INLINE int depths_minimum(depths_t numbers)
{
    bytes16 part[BLOCK_BYTES / 16], least;
    memcpy(part, &numbers, BLOCK_BYTES);
    least = part[0];
    for (int k = 1; k < BLOCK_BYTES / 16; k++)
        least = bytes_min(least, part[k]);
    return bytes_least(least);
}

/* The sums of the conclusions in a vector of the rows that all of a group have. */
REACH_INLINE depths_t depths_sum(Depths *depths, int group, int node_on, int at)
{
    depths_t sum = {0};
    for (int k = depths->begin[group]; k < depths->begin[group + 1]; k++) {
        int start = depths->member[k];
        sum = vec_bytes_sum(sum, depths_row(depths, start & 1, node_on, start >> 1)[at]);
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
            all = vec_bytes_min(all, sum);
        }
    depths->least[group] = (uint8_t)depths_minimum(all);
    depths->has_rest[group] = 0;
}

/* Find for each member of a group the least that all other members need for a common conclusion. */
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
                others[k] = vec_bytes_min(others[k], rest);
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
            depths_t sum = vec_bytes_sum(off[at], on[at]);
            depths_t without_on = depths_without(sum, on[at]), without_off = depths_without(sum, off[at]);
            all = vec_bytes_min(all, sum);
            one = vec_bytes_min(one, without_on);
            one = vec_bytes_min(one, without_off);
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
    int least = most; /* what other members need */
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
