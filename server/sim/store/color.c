// Places of a body's constraints: which tile, and which colour in it.
//
//   rows   0 ............ 1007 | 1008 ........ 2015 | ...
//   tiles       tile 0         |      tile 1        |        a constraint belongs to the tile of its lowest
//   row
//
// Constraints of one colour in a tile share no particle: in order of id, each gets the lowest colour that is free,
// and where there is none the serial one. tile_color.c gives colours to tiles.

#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <stdlib.h>

void sim_coloring_deinit(struct sim_coloring *coloring)
{
    free(coloring->tile_colors);
    free(coloring->tiles);
    free(coloring->colors);
    free(coloring->starts);
    free(coloring->list);
    *coloring = (struct sim_coloring){0};
}

static void list_by_tile(struct sim_coloring *coloring, uint32_t count)
{
    uint32_t *starts = coloring->starts;
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
        coloring->list[starts[coloring->tiles[c]]++] = c;
    }
    for (uint32_t t = coloring->tile_count; t > 0; t--) {
        starts[t] = starts[t - 1];
    }
    starts[0] = 0;
}

static void color_in_tiles(struct sim_coloring *coloring, uint32_t stencil, const uint32_t *rows,
                           uint64_t *used)
{
    const uint32_t *starts = coloring->starts, *list = coloring->list;
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

bool sim_color(uint32_t stencil, uint32_t count, const uint32_t *rows, uint32_t row_count,
               struct sim_coloring *coloring)
{
    uint32_t tile_count = sim_tiles_of(row_count), tile_rows = sim_tile_rows(row_count);
    *coloring = (struct sim_coloring){
        .tile_count = tile_count,
        .tile_colors = calloc((size_t)tile_count + 1, sizeof(uint16_t)),
        .tiles = malloc(((size_t)count + 1) * sizeof(uint32_t)),
        .colors = malloc((size_t)count + 1),
        .starts = malloc(((size_t)tile_count + 2) * sizeof(uint32_t)),
        .list = malloc(((size_t)count + 1) * sizeof(uint32_t)),
    };
    uint64_t *used = calloc((size_t)row_count + 1, sizeof *used);
    bool done = coloring->tile_colors && coloring->tiles && coloring->colors && coloring->starts &&
                coloring->list && used;
    if (done) {
        for (uint32_t c = 0; c < count; c++) {
            uint32_t lowest = UINT32_MAX;
            for (uint32_t k = 0; k < stencil; k++) {
                uint32_t row = rows[(size_t)c * stencil + k];
                lowest = row < lowest ? row : lowest;
            }
            coloring->tiles[c] = lowest / tile_rows;
        }
        list_by_tile(coloring, count);
        color_in_tiles(coloring, stencil, rows, used);
        done = sim_color_tiles(coloring, stencil, rows, row_count);
    }
    free(used);
    if (!done) {
        sim_coloring_deinit(coloring);
    }
    return done;
}
