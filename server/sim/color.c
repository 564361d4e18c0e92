// Places of a body's constraints: which tile, and which colour in it.
//
//   rows   0 ............ 1023 | 1024 ........ 2047 | ...
//   tiles       tile 0         |      tile 1        |        a constraint belongs to the tile of its lowest
//   row
//
// Constraints of one colour in a tile share no particle. Tiles that share a particle get different tile
// colours, so that all tiles of one tile colour may run at the same time. Both are greedy, in order of id and of
// tile: a constraint gets the lowest free colour, and where there is none the serial one. A tile gets the free
// colour that fewest tiles have; where tiles are few, colours are then exchanged so that they leave no thread
// without work.

#include "base/assert.h"
#include "sim/internal.h"

#include <stdlib.h>

void sim_coloring_deinit(struct sim_coloring *coloring)
{
    free(coloring->tile_colors);
    free(coloring->tiles);
    free(coloring->colors);
    *coloring = (struct sim_coloring){0};
}

// Lists constraints by tile, in order of id within each: starts[tile] ... starts[tile + 1] of list.
static void list_by_tile(const struct sim_coloring *coloring, uint32_t count, uint32_t *starts,
                         uint32_t *list)
{
    for (uint32_t t = 0; t <= coloring->tile_count; t++) {
        starts[t] = 0;
    }
    for (uint32_t c = 0; c < count; c++) {
        starts[coloring->tiles[c] + 1]++;
    }
    for (uint32_t t = 0; t < coloring->tile_count; t++) {
        starts[t + 1] += starts[t];
    }
    for (uint32_t c = 0; c < count; c++) {
        list[starts[coloring->tiles[c]]++] = c;
    }
    for (uint32_t t = coloring->tile_count; t > 0; t--) {
        starts[t] = starts[t - 1];
    }
    starts[0] = 0;
}

static void color_in_tiles(struct sim_coloring *coloring, uint32_t stencil, const uint32_t *rows,
                           const uint32_t *starts, const uint32_t *list, uint64_t *used)
{
    for (uint32_t t = 0; t < coloring->tile_count; t++) {
        for (uint32_t i = starts[t]; i < starts[t + 1]; i++) {
            const uint32_t *corner = rows + (size_t)list[i] * stencil;
            uint64_t taken = 0;
            for (uint32_t k = 0; k < stencil; k++) {
                taken |= used[corner[k]];
            }
            uint32_t color = ~taken == 0 ? SIM_SERIAL : (uint32_t)__builtin_ctzll(~taken);
            coloring->colors[list[i]] = (uint8_t)color;
            for (uint32_t k = 0; color < SIM_SERIAL && k < stencil; k++) {
                used[corner[k]] |= UINT64_C(1) << color;
            }
        }
        for (uint32_t i = starts[t]; i < starts[t + 1]; i++) {
            for (uint32_t k = 0; k < stencil; k++) {
                used[rows[(size_t)list[i] * stencil + k]] = 0;
            }
        }
    }
}

// Which tiles touch each row: a chain of links, newest (greatest tile) first.
struct touch {
    uint32_t tile, next;
};

enum { EVEN_TILES = 64 }; // what a mask holds; beyond them choosing well is even enough

struct tile_graph {
    uint64_t near[EVEN_TILES];    // by tile: tiles that share a row with it
    uint64_t members[EVEN_TILES]; // by colour
};

// Rounds that 2, 4 and 8 threads need for so many tiles at the same time; fewer threads are the commoner.
static uint32_t cost_of(uint32_t tiles)
{
    return 4 * ((tiles + 1) / 2) + 2 * ((tiles + 3) / 4) + (tiles + 7) / 8;
}

static uint32_t how_many(uint64_t tiles)
{
    return (uint32_t)__builtin_popcountll(tiles);
}

// The tiles of two colours that hang together with one of them: they may exchange their colours.
static uint64_t chain_of(const struct tile_graph *graph, uint32_t tile, uint64_t both)
{
    uint64_t chain = 0, found = UINT64_C(1) << tile;
    while (found != chain) {
        uint64_t fresh = found & ~chain;
        chain = found;
        for (; fresh != 0; fresh &= fresh - 1) {
            found |= graph->near[__builtin_ctzll(fresh)] & both;
        }
    }
    return chain;
}

// Exchanges colours a and b in the first chain where that costs less. False if there is none.
static bool exchange(struct tile_graph *graph, uint32_t a, uint32_t b)
{
    uint64_t both = graph->members[a] | graph->members[b];
    uint32_t cost = cost_of(how_many(graph->members[a])) + cost_of(how_many(graph->members[b]));
    for (uint64_t left = graph->members[a]; left != 0; left &= left - 1) {
        uint64_t chain = chain_of(graph, (uint32_t)__builtin_ctzll(left), both);
        uint64_t new_a = graph->members[a] ^ chain, new_b = graph->members[b] ^ chain;
        if (cost_of(how_many(new_a)) + cost_of(how_many(new_b)) < cost) {
            graph->members[a] = new_a;
            graph->members[b] = new_b;
            return true;
        }
    }
    return false;
}

// Few tiles: two threads that share colours of 3, 2, 2, 2 and 1 tiles need six rounds, with 2 each five. Every
// exchange costs less than what was before, so that it ends.
static void even_out(struct sim_coloring *coloring, struct tile_graph *graph, uint32_t color_count)
{
    for (uint32_t t = 0; t < coloring->tile_count; t++) {
        graph->members[coloring->tile_colors[t]] |= UINT64_C(1) << t;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pair = 0; pair < color_count * color_count; pair++) {
            uint32_t a = pair / color_count, b = pair % color_count;
            changed = (a != b && exchange(graph, a, b)) || changed;
        }
    }
    for (uint32_t color = 0; color < color_count; color++) {
        for (uint64_t left = graph->members[color]; left != 0; left &= left - 1) {
            coloring->tile_colors[__builtin_ctzll(left)] = (uint16_t)color;
        }
    }
}

// Colours of tiles so far.
struct tile_colors {
    uint32_t count;
    uint32_t *stamp; // by colour: the last tile that saw it at a neighbour
    uint32_t *tiles; // by colour: how many have it
};

// The colour of fewest tiles that no neighbour has; a new one only if there is none.
static uint16_t tile_color(struct tile_colors *colors, uint32_t tile)
{
    uint32_t color = colors->count;
    for (uint32_t c = 0; c < colors->count; c++) {
        if (colors->stamp[c] != tile + 1 &&
            (color == colors->count || colors->tiles[c] < colors->tiles[color])) {
            color = c;
        }
    }
    colors->count += color == colors->count;
    colors->tiles[color]++;
    BASE_ASSERT(color <= UINT16_MAX);
    return (uint16_t)color;
}

// Tile after tile; those that share a row with earlier ones are found by the links of their rows.
static bool color_tiles(struct sim_coloring *coloring, uint32_t stencil, const uint32_t *rows,
                        const uint32_t *starts, const uint32_t *list, uint32_t *head, uint32_t row_count,
                        uint32_t corner_count)
{
    struct touch *touches = malloc(((size_t)corner_count + 1) * sizeof *touches);
    struct tile_colors colors = {
        .stamp = calloc((size_t)coloring->tile_count + 1, sizeof *colors.stamp),
        .tiles = calloc((size_t)coloring->tile_count + 1, sizeof *colors.tiles),
    };
    struct tile_graph graph = {0};
    uint32_t touch_count = 0;
    bool few = coloring->tile_count <= EVEN_TILES;
    bool done = touches != NULL && colors.stamp != NULL && colors.tiles != NULL;
    for (uint32_t r = 0; done && r < row_count; r++) {
        head[r] = UINT32_MAX;
    }
    for (uint32_t t = 0; done && t < coloring->tile_count; t++) {
        for (uint32_t i = starts[t] * stencil; i < starts[t + 1] * stencil; i++) {
            uint32_t row = rows[(size_t)list[i / stencil] * stencil + i % stencil];
            if (head[row] != UINT32_MAX && touches[head[row]].tile == t) {
                continue;
            }
            for (uint32_t link = head[row]; link != UINT32_MAX; link = touches[link].next) {
                uint32_t other = touches[link].tile;
                colors.stamp[coloring->tile_colors[other]] = t + 1;
                if (few) {
                    graph.near[t] |= UINT64_C(1) << other;
                    graph.near[other] |= UINT64_C(1) << t;
                }
            }
            touches[touch_count] = (struct touch){t, head[row]};
            head[row] = touch_count++;
        }
        coloring->tile_colors[t] = tile_color(&colors, t);
    }
    if (done && few) {
        even_out(coloring, &graph, colors.count);
    }
    free(touches);
    free(colors.stamp);
    free(colors.tiles);
    return done;
}

bool sim_color(uint32_t stencil, uint32_t count, const uint32_t *rows, uint32_t row_count,
               struct sim_coloring *coloring)
{
    uint32_t tile_count = (row_count + SIM_TILE_ROWS - 1) / SIM_TILE_ROWS;
    *coloring = (struct sim_coloring){
        .tile_count = tile_count,
        .tile_colors = calloc((size_t)tile_count + 1, sizeof(uint16_t)),
        .tiles = malloc(((size_t)count + 1) * sizeof(uint32_t)),
        .colors = malloc((size_t)count + 1),
    };
    uint32_t *starts = malloc(((size_t)tile_count + 2) * sizeof *starts);
    uint32_t *list = malloc(((size_t)count + 1) * sizeof *list);
    uint64_t *used = calloc((size_t)row_count + 1, sizeof *used);
    uint32_t *head = malloc(((size_t)row_count + 1) * sizeof *head);
    bool done = coloring->tile_colors != NULL && coloring->tiles != NULL && coloring->colors != NULL &&
                starts != NULL && list != NULL && used != NULL && head != NULL;
    if (done) {
        for (uint32_t c = 0; c < count; c++) {
            uint32_t lowest = UINT32_MAX;
            for (uint32_t k = 0; k < stencil; k++) {
                uint32_t row = rows[(size_t)c * stencil + k];
                lowest = row < lowest ? row : lowest;
            }
            coloring->tiles[c] = lowest / SIM_TILE_ROWS;
        }
        list_by_tile(coloring, count, starts, list);
        color_in_tiles(coloring, stencil, rows, starts, list, used);
        done = color_tiles(coloring, stencil, rows, starts, list, head, row_count, count * stencil);
    }
    free(starts);
    free(list);
    free(used);
    free(head);
    if (!done) {
        sim_coloring_deinit(coloring);
    }
    return done;
}
