/* Sets of the cells 0 to 80. */
#ifndef UNIDOKU_CELLS_H
#define UNIDOKU_CELLS_H

#include <stdint.h>

/* Bit c is cell c. */
typedef unsigned __int128 cells_t;

/* Faster than a shift of 128 bits. */
static inline cells_t cells_of(int cell)
{
    uint64_t bit = (uint64_t)1 << (cell & 63);
    return cell & 64 ? (cells_t)bit << 64 : bit;
}

static inline int cells_has(cells_t set, int cell) { return (int)(set >> cell) & 1; }

static inline int cells_any(cells_t set) { return ((uint64_t)set | (uint64_t)(set >> 64)) != 0; }

static inline int cells_count(cells_t set)
{
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* The first cell of a set that is not empty. */
static inline int cells_first(cells_t set)
{
    uint64_t low = (uint64_t)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

/* The set without its first cell. */
static inline cells_t cells_rest(cells_t set) { return set & (set - 1); }

#endif
