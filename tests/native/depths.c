/* The functions of depths.h that look at single bytes, against plain loops: the number of those that are wrong. */
#include <stdio.h>

#include "depths.h"

static uint64_t state = 88172645463325252ull;

static uint64_t random_word(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int layer_at(const uint64_t *word[LAYER_BITS], int start)
{
    int layer = 0;
    for (int bit = 0; bit < LAYER_BITS; bit++)
        layer |= (int)(*word[bit] >> start & 1) << bit;
    return layer;
}

static int nodes_of(int layer, int first)
{
    int nodes = 2 * layer + first - 2;
    return layer == 0 ? DEPTH_NEVER : nodes < MOST_DEPTH_NODES ? nodes : MOST_DEPTH_NODES;
}

static int wrong_minimum(void)
{
    depths_t numbers;
    int least = 255;
    for (int k = 0; k < 64; k++) {
        uint8_t number = (uint8_t)(random_word() | (random_word() & 128));
        ((uint8_t *)&numbers)[k] = number;
        least = number < least ? number : least;
    }
    return depths_minimum(&numbers) != least;
}

static int wrong_row(void)
{
    uint64_t bits[LAYER_BITS];
    const uint64_t *word[LAYER_BITS];
    depths_t row;
    int wrong = 0;
    for (int bit = 0; bit < LAYER_BITS; bit++) {
        bits[bit] = random_word();
        word[bit] = &bits[bit];
    }
    depths_of_layers(&row, bits, 2);
    for (int start = 0; start < 64; start++)
        wrong |= ((uint8_t *)&row)[start] != nodes_of(layer_at(word, start), 2);
    return wrong;
}

static Depths depths;

static int wrong_rows(void)
{
    int n = 1 + (int)(random_word() % 250), wrong = 0;
    depths.n = n;
    depths.row = (n + 63) / 64;
    for (int bit = 0; bit < LAYER_BITS; bit++)
        for (int k = 0; k < 2 * n; k++)
            for (int word = 0; word < 8; word++)
                depths.layer[bit][k][word] = random_word();
    depths_fill(&depths, n, 1);
    for (int kind = 0; kind < 4; kind++)
        for (int start = 0; start < n; start++)
            for (int node = 0; node < n; node++) {
                int start_on = kind & 1, node_on = kind >> 1;
                const uint64_t *word[LAYER_BITS];
                for (int bit = 0; bit < LAYER_BITS; bit++)
                    word[bit] = (uint64_t *)&depths.layer[bit][node_on * n + node] + start / 64 + (start_on ? 0 : 4);
                wrong |= ((uint8_t *)depths_row(&depths, start_on, node_on, start))[node]
                    != nodes_of(layer_at(word, start % 64), 3 - node_on - start_on);
            }
    return wrong;
}

int main(void)
{
    int minimum = 0, row = 0, rows = 0;
    for (int k = 0; k < 2000; k++) {
        minimum += wrong_minimum();
        row += wrong_row();
    }
    for (int k = 0; k < 10; k++)
        rows += wrong_rows();
    printf("%d %d %d\n", minimum, row, rows);
    return 0;
}
