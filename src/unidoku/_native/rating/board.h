/* The board of candidates and a step of the rating engine. Digits are 0 to 8 here, cells 0 to 80. */
#ifndef UNIDOKU_RATING_BOARD_H
#define UNIDOKU_RATING_BOARD_H

#include "../bits.h"
#include "../vectors.h"
#include <stdlib.h>

/* cells_t, a set of cells, is in _native/cells.pxd. */

/* A step: its conclusion and its pattern. */
typedef struct {
    cells_t removed[9];      /* for each digit the cells that lose the candidate */
    cells_t cells;           /* cells of the pattern */
    cells_t others;          /* further cells of a subset that the pattern needs */
    int rating;              /* in tenths */
    int technique;           /* one of Technique */
    int complexity;          /* of a chain; otherwise 0 */
    int kind;                /* one of Kind */
    int cell;                /* the cell that is filled, or -1 */
    int digit;               /* its digit, or -1 */
    int house;               /* house of the pattern, or -1 */
    int other;               /* second house of the pattern, or -1 */
    unsigned int digits;     /* digits of the pattern */
} Step;

/* A list of steps. */
typedef struct {
    int size;
    int room;
    int failed; /* there was no memory */
    Step *step;
} Steps;

static inline void steps_add(Steps *steps, const Step *step)
{
    if (steps->size == steps->room) {
        int room = 2 * steps->room + 64;
        Step *more = (Step *)realloc(steps->step, (size_t)room * sizeof(Step));
        if (!more) {
            steps->failed = 1;
            return;
        }
        steps->step = more;
        steps->room = room;
    }
    steps->step[steps->size++] = *step;
}

/* Houses: 0 to 8 rows, 9 to 17 columns, 18 to 26 boxes; places in a house are counted from 0 to 8. */
typedef struct {
    cells_t digit[9];        /* the cells that have the candidate */
    cells_t empty;           /* the empty cells */
    cells_t touched;         /* cells that lost a candidate since this was last cleared */
    uint16_t cand[81];       /* candidates of a cell, bit d for digit d; 0 when filled */
    uint16_t places[27][9];  /* places of a digit in a house; 0 when it is filled in there */
    uint8_t value[81];       /* 0 if empty, otherwise digit + 1 */
    uint8_t empties[27];     /* empty cells of a house */
    uint32_t houses_touched; /* the houses of cells that lost a candidate, bit h for house h */
    uint16_t digits_touched; /* the digits that they lost */
    Steps *all;              /* list every step here; NULL: the first step ends a search */
    uint64_t barred;         /* techniques that are not used, bit t for technique t */
} Board;

/* Whether a step that was found ends the search. */
static inline int ends_search(const Board *board, const Step *step)
{
    if (board->barred >> step->technique & 1)
        return 0;
    if (!board->all)
        return 1;
    steps_add(board->all, step);
    return 0;
}

enum { HOUSE_DIGITS = 27 * 9 };

/* Whether a cell or a digit in a house has two candidates left that had more on another board. */
static inline int new_pair(const Board *board, const Board *other)
{
    const uint16_t *now[2] = {board->cand, board->places[0]}, *old[2] = {other->cand, other->places[0]};
    unsigned found = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < (kind ? HOUSE_DIGITS : 81); k++) {
            unsigned rest = now[kind][k] & (now[kind][k] - 1u), two = rest && !(rest & (rest - 1));
            found |= two & (now[kind][k] != old[kind][k]);
        }
    return (int)found;
}

/* The numbers 9 * house + digit with exactly one place, as bits: hidden singles. */
static inline void mark_single_places(const Board *board, uint64_t marked[4])
{
    const uint16_t *places = board->places[0];
    memset(marked, 0, 4 * sizeof(uint64_t));
    /* The last vector reads beyond the places into the values, which are in the same struct. */
    for (int begin = 0; begin < HOUSE_DIGITS; begin += LANES) {
        uint64_t single = vec_lanes(vec_single(vec_load(places + begin)));
        if (begin + LANES > HOUSE_DIGITS)
            single &= (1u << (HOUSE_DIGITS - begin)) - 1;
        marked[begin / 64] |= single << begin % 64;
    }
}

/* Write the marked numbers from ``first`` up to ``end`` in ascending order; return how many there are. */
static inline int take_marked(const uint64_t marked[4], int first, int end, uint8_t *found)
{
    int count = 0;
    for (int word = first / 64; 64 * word < end; word++) {
        uint64_t left = marked[word];
        if (64 * word < first)
            left &= ~(uint64_t)0 << first % 64;
        if (64 * word + 64 > end)
            left &= ((uint64_t)1 << end % 64) - 1;
        for (; left; left &= left - 1)
            found[count++] = (uint8_t)(64 * word + __builtin_ctzll(left));
    }
    return count;
}

/* Hidden singles: write the numbers 9 * house + digit with exactly one place, ascending; return how many there are. */
static inline int find_single_places(const Board *board, uint8_t *found)
{
    uint64_t marked[4];
    mark_single_places(board, marked);
    return take_marked(marked, 0, HOUSE_DIGITS, found);
}

/* The same in the order of scans: boxes, columns, rows. */
static inline int scan_single_places(const Board *board, uint8_t *found)
{
    uint64_t marked[4];
    mark_single_places(board, marked);
    int count = take_marked(marked, 2 * 81, HOUSE_DIGITS, found);
    count += take_marked(marked, 81, 2 * 81, found + count);
    return count + take_marked(marked, 0, 81, found + count);
}

#endif
