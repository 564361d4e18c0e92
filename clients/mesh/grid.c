// Which cubes of a block are taken.
//
//     near    cells in the boxes around triangles: each is asked by its winding number
//     others  the surface does not come through: of a row of them only the first is asked
//
// Then what hangs together is labelled. A thin part may have lost the cells in its middle: where the corners of a
// triangle lie in different groups, all cells that the triangle comes through are taken.
#include "grid.h"

#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t mesh_grid_at(const struct mesh_grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * grid->size[1] + y) * grid->size[0] + x;
}

void mesh_grid_cell(const struct mesh_grid *grid, const double point[3], uint32_t cell[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double at = floor((point[axis] - grid->low[axis]) / grid->cell);
        const uint32_t last = grid->size[axis] - 1;
        cell[axis] = at > 0 ? (at < last ? (uint32_t)at : last) : 0;
    }
}

void mesh_grid_deinit(struct mesh_grid *grid)
{
    free(grid->marks);
    free(grid->label);
    memset(grid, 0, sizeof *grid);
}

// In the middle over the mesh.
static bool lay_out(struct mesh_grid *grid, const struct mesh_grid_source *source, double cell,
                    struct fault *fault)
{
    struct mesh_bounds bounds;
    double cells = 1;
    mesh_bounds(source->mesh, &bounds);
    memset(grid, 0, sizeof *grid);
    grid->cell = cell;
    for (int axis = 0; axis < 3; axis++) {
        const double extent = bounds.high[axis] - bounds.low[axis];
        const double size = fmax(1, ceil(extent / cell));
        cells *= size;
        if (!(cells <= source->cells_max)) {
            return fault_set(
                fault, FAULT_LIMIT, NULL,
                "the mesh is too thin to be filled with so many cells: those of %g m would make a "
                "block of more than %u over it",
                cell, source->cells_max);
        }
        grid->size[axis] = (uint32_t)size;
        grid->low[axis] = (bounds.low[axis] + bounds.high[axis]) / 2 - size * cell / 2;
    }
    grid->marks = calloc((size_t)cells, 1);
    grid->label = malloc((size_t)cells * sizeof *grid->label);
    return (grid->marks && grid->label) || mesh_fail_memory(fault);
}

static const double *corner(const struct mesh *mesh, uint32_t triangle, int k)
{
    return mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)k];
}

// The box of cells around a triangle.
static void box_of(const struct mesh_grid *grid, const struct mesh *mesh, uint32_t triangle, uint32_t low[3],
                   uint32_t high[3])
{
    double least[3], most[3];
    for (int axis = 0; axis < 3; axis++) {
        const double a = corner(mesh, triangle, 0)[axis], b = corner(mesh, triangle, 1)[axis],
                     c = corner(mesh, triangle, 2)[axis];
        // A triangle in the wall between two cells is near both.
        least[axis] = fmin(a, fmin(b, c)) - 1e-9 * grid->cell;
        most[axis] = fmax(a, fmax(b, c)) + 1e-9 * grid->cell;
    }
    mesh_grid_cell(grid, least, low);
    mesh_grid_cell(grid, most, high);
}

static void mark_near(struct mesh_grid *grid, const struct mesh *mesh)
{
    uint32_t low[3], high[3], cell[3];
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        box_of(grid, mesh, t, low, high);
        for (uint32_t z = low[2]; z <= high[2]; z++) {
            for (uint32_t y = low[1]; y <= high[1]; y++) {
                for (uint32_t x = low[0]; x <= high[0]; x++) {
                    grid->marks[mesh_grid_at(grid, x, y, z)] |= GRID_NEAR;
                }
            }
        }
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        mesh_grid_cell(grid, mesh->positions + 3 * (size_t)i, cell);
        grid->marks[mesh_grid_at(grid, cell[0], cell[1], cell[2])] |= GRID_IN | GRID_NEAR;
    }
}

static bool mark_inside(struct mesh_grid *grid, const struct mesh_grid_source *source, struct fault *fault)
{
    for (uint32_t z = 0; z < grid->size[2]; z++) {
        if (!mesh_report(source->watch, "filling", (double)z / grid->size[2], fault)) {
            return false;
        }
        for (uint32_t y = 0; y < grid->size[1]; y++) {
            bool known = false, inside = false;
            for (uint32_t x = 0; x < grid->size[0]; x++) {
                uint8_t *mark = &grid->marks[mesh_grid_at(grid, x, y, z)];
                if ((*mark & GRID_NEAR) || !known) {
                    const double middle[3] = {grid->low[0] + (x + 0.5) * grid->cell,
                                              grid->low[1] + (y + 0.5) * grid->cell,
                                              grid->low[2] + (z + 0.5) * grid->cell};
                    inside = source->sign * mesh_winding_at(source->winding, middle) > 0.5;
                }
                known = !(*mark & GRID_NEAR);
                *mark |= inside ? GRID_IN : 0;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// What hangs together

static bool label_groups(struct mesh_grid *grid, uint32_t *groups, struct fault *fault)
{
    const size_t cells = (size_t)grid->size[0] * grid->size[1] * grid->size[2];
    const size_t steps[3] = {1, grid->size[0], (size_t)grid->size[0] * grid->size[1]};
    uint32_t *waiting = malloc((cells + 1) * sizeof *waiting);
    if (!waiting) {
        return mesh_fail_memory(fault);
    }
    for (size_t i = 0; i < cells; i++) {
        grid->label[i] = MESH_NONE;
    }
    *groups = 0;
    grid->taken = 0;
    for (size_t i = 0; i < cells; i++) {
        size_t count = 0;
        if (!(grid->marks[i] & GRID_IN) || grid->label[i] != MESH_NONE) {
            continue;
        }
        grid->label[i] = *groups;
        waiting[count++] = (uint32_t)i;
        while (count > 0) {
            const size_t at = waiting[--count];
            const uint32_t place[3] = {(uint32_t)(at % grid->size[0]),
                                       (uint32_t)(at / steps[1] % grid->size[1]), (uint32_t)(at / steps[2])};
            grid->taken++;
            for (int axis = 0; axis < 3; axis++) {
                for (int side = 0; side < 2; side++) {
                    if (side ? place[axis] + 1 == grid->size[axis] : place[axis] == 0) {
                        continue;
                    }
                    const size_t other = side ? at + steps[axis] : at - steps[axis];
                    if ((grid->marks[other] & GRID_IN) && grid->label[other] == MESH_NONE) {
                        grid->label[other] = *groups;
                        waiting[count++] = (uint32_t)other;
                    }
                }
            }
        }
        ++*groups;
    }
    free(waiting);
    return true;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Whether the shadows of a triangle and of a cube of half edge h about the origin on an axis lie apart.
static bool apart(const double v[3][3], const double axis[3], double h)
{
    const double a = dot(v[0], axis), b = dot(v[1], axis), c = dot(v[2], axis);
    const double reach = h * (fabs(axis[0]) + fabs(axis[1]) + fabs(axis[2])) * (1 + 1e-9);
    return fmin(a, fmin(b, c)) > reach || fmax(a, fmax(b, c)) < -reach;
}

// Separating axes: the triangle's normal, and edges against the cube's axes. (Akenine-Moeller 2001. The cube's own
// three are the box of cells that one comes from.)
static bool comes_through(const struct mesh_grid *grid, const struct mesh *mesh, uint32_t triangle,
                          const uint32_t cell[3])
{
    double v[3][3], edges[3][3];
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            v[k][axis] =
                corner(mesh, triangle, k)[axis] - (grid->low[axis] + (cell[axis] + 0.5) * grid->cell);
        }
    }
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            edges[k][axis] = v[(k + 1) % 3][axis] - v[k][axis];
        }
    }
    const double normal[3] = {edges[0][1] * edges[1][2] - edges[0][2] * edges[1][1],
                              edges[0][2] * edges[1][0] - edges[0][0] * edges[1][2],
                              edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0]};
    if (apart(v, normal, grid->cell / 2)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        const double *e = edges[k];
        const double axes[3][3] = {{0, -e[2], e[1]}, {e[2], 0, -e[0]}, {-e[1], e[0], 0}};
        for (int axis = 0; axis < 3; axis++) {
            if (apart(v, axes[axis], grid->cell / 2)) {
                return false;
            }
        }
    }
    return true;
}

// Takes what is between the corners of triangles that reach from group to group. True if there was one.
static bool join_groups(struct mesh_grid *grid, const struct mesh *mesh)
{
    bool any = false;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t low[3], high[3], cell[3], label[3];
        for (int k = 0; k < 3; k++) {
            mesh_grid_cell(grid, corner(mesh, t, k), cell);
            label[k] = grid->label[mesh_grid_at(grid, cell[0], cell[1], cell[2])];
        }
        if (label[0] == label[1] && label[1] == label[2]) {
            continue;
        }
        any = true;
        box_of(grid, mesh, t, low, high);
        for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
            for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
                for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
                    if (comes_through(grid, mesh, t, cell)) {
                        grid->marks[mesh_grid_at(grid, cell[0], cell[1], cell[2])] |= GRID_IN;
                    }
                }
            }
        }
    }
    return any;
}

bool mesh_grid_init(struct mesh_grid *grid, const struct mesh_grid_source *source, double cell,
                    struct fault *fault)
{
    uint32_t groups;
    bool ok = lay_out(grid, source, cell, fault);
    if (ok) {
        mark_near(grid, source->mesh);
        ok = mark_inside(grid, source, fault) && label_groups(grid, &groups, fault);
    }
    if (ok && groups > 1 && join_groups(grid, source->mesh)) {
        ok = label_groups(grid, &groups, fault);
    }
    if (!ok) {
        mesh_grid_deinit(grid);
    }
    return ok;
}
