// Vertices that lie together become one.
//
// Space is cut into cells a little wider than the distance, so that whoever is that close lies in one of the 27 around,
// and those that are kept, none within the distance of another, are few in each. Cells are found by sorting, not by
// hashing: no mesh can be made for which that is slow.
//
//     cells in order of x, y, z:   ... | x-1, y, z | x-1, y, z+1 | ... | x, y, z-1 | x, y, z | x, y, z+1 | ...
//
// The 27 around are nine runs of up to three in that order, and each of the nine moves on with its cell.

#include "sim/body/mesh.h"
#include "sim/ground/ground.h"
#include "sim/state/state.h"

#include <stdlib.h>

enum {
    RUNS = 9,
    RUN_CELLS = 3,
};

#define WIDTH_EXACT 1e-6            // m: from here on a cell is exactly as wide as the distance
#define WIDTH_LEAST 0x1p-536        // m: wider than differences whose square is 0
#define CELL_MAX 9007199254740992.0 // 2^53: beyond it neighbouring doubles are more than the distance apart

struct cell {
    int64_t at[3];
    uint32_t runs[RUNS]; // where each begins
    uint32_t run_cells;  // two bits a run: how many cells it has
    uint32_t newest;     // kept vertex; UINT32_MAX: none
};

// Powers of two below WIDTH_EXACT, so that dividing by them is exact.
static double width_of(double distance)
{
    double least = 1.5 * distance > WIDTH_LEAST ? 1.5 * distance : WIDTH_LEAST, width = 0x1p-19;
    if (distance >= WIDTH_EXACT) {
        return distance;
    }
    while (width / 2 >= least) {
        width /= 2;
    }
    return width;
}

// Far out, where doubles are farther apart than the distance, each is a cell of its own: its bits, which are above
// all other cells.
static int64_t cell_of(double x, double width)
{
    double cell = x / width;
    if (cell < CELL_MAX && cell > -CELL_MAX) {
        return sim_cell(cell);
    }
    int64_t bits;
    double far = x < 0 ? -x : x;
    memcpy(&bits, &far, sizeof bits);
    return x < 0 ? -bits : bits;
}

// Vertices in order of their cells, those of one cell in order of their numbers: malloc'd.
static uint32_t *sort_by_cell(const int64_t (*cells)[3], uint32_t count)
{
    uint64_t *keys = malloc(((size_t)count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    bool done = keys && order;
    for (uint32_t i = 0; done && i < count; i++) {
        order[i] = i;
    }
    for (int axis = 2; done && axis >= 0; axis--) {
        int64_t least = INT64_MAX;
        for (uint32_t i = 0; i < count; i++) {
            least = cells[i][axis] < least ? cells[i][axis] : least;
        }
        for (uint32_t i = 0; i < count; i++) {
            keys[i] = (uint64_t)cells[order[i]][axis] - (uint64_t)least;
        }
        done = sim_sort(keys, order, count);
    }
    free(keys);
    if (!done) {
        free(order);
        order = NULL;
    }
    return order;
}

static int compare(const int64_t a[3], const int64_t b[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis] ? -1 : 1;
        }
    }
    return 0;
}

// Cells in order, and which each vertex lies in.
static uint32_t list_cells(const int64_t (*places)[3], const uint32_t *order, uint32_t count,
                           struct cell *cells, uint32_t *cell_of_vertex)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (used == 0 || compare(cells[used - 1].at, places[order[i]]) != 0) {
            cells[used] = (struct cell){.newest = UINT32_MAX};
            memcpy(cells[used++].at, places[order[i]], sizeof cells->at);
        }
        cell_of_vertex[order[i]] = used - 1;
    }
    return used;
}

static void find_runs(struct cell *cells, uint32_t count)
{
    for (int run = 0; run < RUNS; run++) {
        for (uint32_t c = 0, first = 0; c < count; c++) {
            int64_t low[3] = {cells[c].at[0] + run / 3 - 1, cells[c].at[1] + run % 3 - 1, cells[c].at[2] - 1};
            int64_t high[3] = {low[0], low[1], cells[c].at[2] + 1};
            while (first < count && compare(cells[first].at, low) < 0) {
                first++;
            }
            uint32_t size = 0;
            while (size < RUN_CELLS && first + size < count && compare(cells[first + size].at, high) <= 0) {
                size++;
            }
            cells[c].runs[run] = first;
            cells[c].run_cells |= size << 2 * run;
        }
    }
}

// The least of the kept vertices within the distance; UINT32_MAX: none.
static uint32_t find_kept(const struct cell *cells, const struct cell *around, const uint32_t *next,
                          const double *kept, const double x[3], double distance)
{
    uint32_t found = UINT32_MAX;
    for (int run = 0; run < RUNS; run++) {
        uint32_t end = around->runs[run] + (around->run_cells >> 2 * run & 3);
        for (uint32_t c = around->runs[run]; c < end; c++) {
            for (uint32_t k = cells[c].newest; k != UINT32_MAX; k = next[k]) {
                const double *y = kept + 3 * (size_t)k;
                double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
                if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= distance * distance && k < found) {
                    found = k;
                }
            }
        }
    }
    return found;
}

bool sim_mesh_weld(const double *positions, uint32_t count, double distance, uint32_t *welded, uint32_t *kept)
{
    size_t room = (size_t)count + 1;
    int64_t(*places)[3] = malloc(room * sizeof *places);
    double *kept_positions = malloc(room * 3 * sizeof *kept_positions), width = width_of(distance);
    uint32_t *cell_of_vertex = malloc(room * sizeof *cell_of_vertex), *next = malloc(room * sizeof *next);
    uint32_t *order = NULL;
    struct cell *cells = NULL;
    bool done = places && kept_positions && cell_of_vertex && next;
    *kept = 0;
    for (size_t i = 0; done && i < (size_t)count * 3; i++) {
        places[i / 3][i % 3] = cell_of(positions[i], width);
    }
    done = done && (order = sort_by_cell((const int64_t(*)[3])places, count)) &&
           (cells = malloc(room * sizeof *cells));
    if (done) {
        find_runs(cells, list_cells((const int64_t(*)[3])places, order, count, cells, cell_of_vertex));
    }
    for (uint32_t i = 0; done && i < count; i++) {
        const double *x = positions + 3 * (size_t)i;
        struct cell *own = &cells[cell_of_vertex[i]];
        welded[i] = find_kept(cells, own, next, kept_positions, x, distance);
        if (welded[i] == UINT32_MAX) {
            welded[i] = (*kept)++;
            memcpy(kept_positions + 3 * (size_t)welded[i], x, 3 * sizeof *x);
            next[welded[i]] = own->newest;
            own->newest = welded[i];
        }
    }
    free(places);
    free(kept_positions);
    free(cell_of_vertex);
    free(next);
    free(order);
    free(cells);
    return done;
}
