/* The board of candidates and a step of the rating engine. Digits are 0 to 8 here, cells 0 to 80. */
#ifndef UNIDOKU_RATING_BOARD_H
#define UNIDOKU_RATING_BOARD_H

#include <stdlib.h>

#include "../cells.h"

static inline int digits_count(unsigned int set) { return __builtin_popcount(set); }

/* The first digit of a set that is not empty. */
static inline int digits_first(unsigned int set) { return __builtin_ctz(set); }

/* What a step concludes, and what a hint says about it. */
typedef struct {
    cells_t removed[9];      /* for each digit the cells that lose the candidate */
    cells_t cells;           /* cells of the pattern */
    cells_t others;          /* the cells of a subset that the pattern needs beside them */
    double sum;              /* rating as a sum of doubles: the key by which chains are sorted */
    int rating;              /* in tenths */
    int technique;           /* one of Technique */
    int complexity;          /* of a chain, else 0 */
    int kind;                /* of a chain: double 1, X 2, Y 3, XY 4, cell 5, region 6, contradiction 7; of a loop or
                                BUG its type; else 0 */
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
    uint8_t value[81];       /* 0 empty, else digit + 1 */
    uint8_t empties[27];     /* empty cells of a house */
    uint32_t houses_touched; /* the houses of cells that lost a candidate, bit h for house h */
    uint16_t digits_touched; /* the digits that they lost */
    Steps *all;              /* list every step here; NULL: the first step ends a search */
} Board;

/* Whether a step that was found ends the search. */
static inline int ends_search(const Board *board, const Step *step)
{
    if (!board->all)
        return 1;
    steps_add(board->all, step);
    return 0;
}

#endif
