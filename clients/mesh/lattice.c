// A closed surface filled with a lattice that carries it.
//
//     cells ──▶ five tetrahedra each ──▶ particles ──▶ each vertex of the surface by the tetrahedron it lies in
//
// A cube's two ways of being cut in five are mirror images. Taken by turns, like the colours of a chessboard, the
// diagonals of neighbouring faces fall together.
#include "grid.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TETS_A_CELL = 5, CELLS_WANTED_MAX = 1000000, TRIES_MAX = 6 };
// A block over the mesh may have so many cells for each that is wanted; it is gone through cell by cell.
enum { BLOCK_MIN = 65536, BLOCK_MAX = 1 << 25, BLOCK_FOR_EACH = 2000 };
static const double HOLES_MAX = 0.01; // of the area

// Corner k of a cell lies at x = k & 1, y = k >> 1 & 1, z = k >> 2.
static const uint8_t cuts[2][TETS_A_CELL][4] = {
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}},
    {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}, {0, 5, 3, 6}},
};

static bool check_closed(const struct mesh *mesh, const struct mesh_shape *shape, struct fault *fault)
{
    if (mesh->triangle_count == 0) {
        return fault_set(fault, FAULT_INVALID, NULL, "there is no surface to fill");
    }
    if (shape->hole_area > HOLES_MAX * shape->area) {
        return fault_set(
            fault, FAULT_INVALID, NULL,
            "the surface is open: it has %u open edges, and its openings come to %.3g %% of its area; "
            "only a closed surface can be filled",
            shape->boundary_edges, 100 * shape->hole_area / shape->area);
    }
    if (!(fabs(shape->volume) > 1e-9 * shape->area * sqrt(shape->area))) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "the surface encloses no volume; only a closed surface can be filled");
    }
    return true;
}

// The grid whose count of cells comes near to what is wanted: the count goes about with 1 / cell^3.
static bool find_grid(struct mesh_grid *best, const struct mesh_grid_source *source, double volume,
                      uint32_t wanted, struct fault *fault)
{
    double cell = cbrt(volume / wanted);
    double best_miss = INFINITY;
    memset(best, 0, sizeof *best);
    for (int tries = 0; tries < TRIES_MAX && best_miss > 0.05; tries++) {
        struct mesh_grid grid;
        if (!mesh_grid_init(&grid, source, cell, fault)) {
            if (best->marks && fault->code == FAULT_LIMIT) {
                break; // a finer one would be too large: the one there is will do
            }
            mesh_grid_deinit(best);
            return false;
        }
        const double miss = fabs((double)grid.taken - wanted) / wanted;
        cell *= cbrt((double)grid.taken / wanted);
        if (miss < best_miss) {
            mesh_grid_deinit(best);
            *best = grid;
            best_miss = miss;
        } else {
            mesh_grid_deinit(&grid);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Particles and tetrahedra

static size_t corner_at(const struct mesh_grid *grid, const uint32_t cell[3], int k)
{
    const size_t x = cell[0] + (size_t)(k & 1), y = cell[1] + (size_t)(k >> 1 & 1),
                 z = cell[2] + (size_t)(k >> 2);
    return (z * (grid->size[1] + 1) + y) * (grid->size[0] + 1) + x;
}

// Particles in the order of the grid's corners. number[] is MESH_NONE where there is none.
static bool make_particles(const struct mesh_grid *grid, struct mesh *body, uint32_t *number,
                           struct fault *fault)
{
    const size_t side[3] = {(size_t)grid->size[0] + 1, (size_t)grid->size[1] + 1, (size_t)grid->size[2] + 1};
    uint32_t cell[3];
    for (size_t i = 0; i < side[0] * side[1] * side[2]; i++) {
        number[i] = MESH_NONE;
    }
    for (cell[2] = 0; cell[2] < grid->size[2]; cell[2]++) {
        for (cell[1] = 0; cell[1] < grid->size[1]; cell[1]++) {
            for (cell[0] = 0; cell[0] < grid->size[0]; cell[0]++) {
                const bool taken = grid->marks[mesh_grid_at(grid, cell[0], cell[1], cell[2])] & GRID_IN;
                for (int k = 0; taken && k < 8; k++) {
                    number[corner_at(grid, cell, k)] = 0;
                }
            }
        }
    }
    uint32_t count = 0;
    for (size_t i = 0; i < side[0] * side[1] * side[2]; i++) {
        count += number[i] == 0;
    }
    if (count > MESH_VERTICES_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "%u particles; there can be %u at most", count,
                         MESH_VERTICES_MAX);
    }
    body->positions = malloc((3 * (size_t)count + 1) * sizeof *body->positions);
    if (!body->positions) {
        return mesh_fail_memory(fault);
    }
    for (size_t i = 0; i < side[0] * side[1] * side[2]; i++) {
        if (number[i] == MESH_NONE) {
            continue;
        }
        number[i] = body->vertex_count;
        double *position = body->positions + 3 * (size_t)body->vertex_count++;
        const size_t place[3] = {i % side[0], i / side[0] % side[1], i / side[0] / side[1]};
        for (int axis = 0; axis < 3; axis++) {
            position[axis] = grid->low[axis] + (double)place[axis] * grid->cell;
        }
    }
    return true;
}

static bool make_tets(const struct mesh_grid *grid, const uint32_t *number, struct mesh *body,
                      struct fault *fault)
{
    uint32_t cell[3];
    body->tets = malloc((4 * (size_t)TETS_A_CELL * grid->taken + 1) * sizeof *body->tets);
    if (!body->tets) {
        return mesh_fail_memory(fault);
    }
    for (cell[2] = 0; cell[2] < grid->size[2]; cell[2]++) {
        for (cell[1] = 0; cell[1] < grid->size[1]; cell[1]++) {
            for (cell[0] = 0; cell[0] < grid->size[0]; cell[0]++) {
                if (!(grid->marks[mesh_grid_at(grid, cell[0], cell[1], cell[2])] & GRID_IN)) {
                    continue;
                }
                for (int t = 0; t < TETS_A_CELL; t++) {
                    const uint8_t *cut = cuts[(cell[0] + cell[1] + cell[2]) % 2][t];
                    uint32_t *tet = body->tets + 4 * (size_t)body->tet_count++;
                    for (int k = 0; k < 4; k++) {
                        tet[k] = number[corner_at(grid, cell, cut[k])];
                    }
                }
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// The surface

// Barycentric weights of a point of the unit cube in one of its tetrahedra. Returns the least of them.
static double weigh(const uint8_t cut[4], const double point[3], double weights[4])
{
    double corners[4][3], least = INFINITY;
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            corners[k][axis] = cut[k] >> axis & 1;
        }
    }
    const double whole = mesh_tet_volume(corners[0], corners[1], corners[2], corners[3]);
    for (int k = 0; k < 4; k++) {
        const double *p[4];
        for (int j = 0; j < 4; j++) {
            p[j] = j == k ? point : corners[j];
        }
        weights[k] = mesh_tet_volume(p[0], p[1], p[2], p[3]) / whole;
        least = fmin(least, weights[k]);
    }
    return least;
}

static void carry(const struct mesh_grid *grid, const uint32_t *number, const double position[3],
                  uint32_t particles[4], float kept[4])
{
    uint32_t cell[3];
    double point[3], best = -INFINITY;
    mesh_grid_cell(grid, position, cell);
    for (int axis = 0; axis < 3; axis++) {
        const double at = (position[axis] - grid->low[axis]) / grid->cell - cell[axis];
        point[axis] = fmin(1, fmax(0, at));
    }
    for (int t = 0; t < TETS_A_CELL; t++) {
        const uint8_t *cut = cuts[(cell[0] + cell[1] + cell[2]) % 2][t];
        double weights[4];
        const double least = weigh(cut, point, weights);
        if (least <= best) {
            continue;
        }
        best = least;
        for (int k = 0; k < 4; k++) {
            particles[k] = number[corner_at(grid, cell, cut[k])];
            kept[k] = (float)weights[k];
        }
    }
    kept[3] = (float)(1 - (double)kept[0] - (double)kept[1] - (double)kept[2]);
}

static bool make_skin(const struct mesh_grid *grid, const uint32_t *number, const struct mesh *mesh,
                      struct mesh_lattice *lattice, struct fault *fault)
{
    lattice->skin_particles = malloc((4 * (size_t)mesh->vertex_count + 1) * sizeof *lattice->skin_particles);
    lattice->skin_weights = malloc((4 * (size_t)mesh->vertex_count + 1) * sizeof *lattice->skin_weights);
    if (!lattice->skin_particles || !lattice->skin_weights) {
        return mesh_fail_memory(fault);
    }
    lattice->skin_vertex_count = mesh->vertex_count;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        carry(grid, number, mesh->positions + 3 * i, lattice->skin_particles + 4 * i,
              lattice->skin_weights + 4 * i);
    }
    return true;
}

void mesh_lattice_deinit(struct mesh_lattice *lattice)
{
    mesh_deinit(&lattice->body);
    free(lattice->skin_particles);
    free(lattice->skin_weights);
    memset(lattice, 0, sizeof *lattice);
}

bool mesh_fill(const struct mesh *mesh, const struct mesh_shape *shape, uint32_t cells,
               const struct mesh_watch *watch, struct mesh_lattice *lattice, struct fault *fault)
{
    struct mesh_grid grid = {0};
    uint32_t *number = NULL;
    bool ok = false;
    memset(lattice, 0, sizeof *lattice);
    if (cells == 0 || cells > CELLS_WANTED_MAX) {
        return fault_set(fault, FAULT_INVALID, NULL, "%u cells; must be 1 to %d", cells, CELLS_WANTED_MAX);
    }
    if (!check_closed(mesh, shape, fault)) {
        return false;
    }
    struct mesh_winding *winding = mesh_winding_create(mesh);
    if (!winding) {
        return mesh_fail_memory(fault);
    }
    struct mesh_grid_source source = {
        .mesh = mesh, .winding = winding, .sign = shape->volume < 0 ? -1 : 1, .watch = watch};
    source.cells_max = cells > BLOCK_MAX / BLOCK_FOR_EACH   ? BLOCK_MAX
                       : cells < BLOCK_MIN / BLOCK_FOR_EACH ? BLOCK_MIN
                                                            : cells * BLOCK_FOR_EACH;
    if (!find_grid(&grid, &source, fabs(shape->volume), cells, fault)) {
        goto cleanup;
    }
    const size_t corners =
        ((size_t)grid.size[0] + 1) * ((size_t)grid.size[1] + 1) * ((size_t)grid.size[2] + 1);
    number = malloc(corners * sizeof *number);
    if (!number) {
        mesh_fail_memory(fault);
        goto cleanup;
    }
    lattice->cell = grid.cell;
    lattice->cell_count = grid.taken;
    lattice->volume = grid.taken * grid.cell * grid.cell * grid.cell;
    ok = make_particles(&grid, &lattice->body, number, fault) &&
         make_tets(&grid, number, &lattice->body, fault) && make_skin(&grid, number, mesh, lattice, fault);

cleanup:
    mesh_winding_destroy(winding);
    mesh_grid_deinit(&grid);
    free(number);
    if (!ok) {
        mesh_lattice_deinit(lattice);
    }
    return ok;
}
