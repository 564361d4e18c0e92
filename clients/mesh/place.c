// Places a mesh: units, size, upward axis, rotation about its middle, and the position of its underside.
#include "internal.h"

#include <math.h>

// Rows of the rotation about x, then y, then z.
static void rotation_rows(const double degrees[3], double rows[3][3])
{
    double c[3], s[3];
    for (int axis = 0; axis < 3; axis++) {
        // Quarter turns are exact.
        const double quarters = degrees[axis] / 90;
        const double radians = degrees[axis] * 3.14159265358979323846 / 180;
        const bool exact = quarters == floor(quarters) && fabs(quarters) < 1e6;
        const int quarter = exact ? (int)(((int64_t)quarters % 4 + 4) % 4) : 0;
        c[axis] = exact ? (quarter == 0) - (quarter == 2) : cos(radians);
        s[axis] = exact ? (quarter == 1) - (quarter == 3) : sin(radians);
    }
    rows[0][0] = c[2] * c[1];
    rows[0][1] = c[2] * s[1] * s[0] - s[2] * c[0];
    rows[0][2] = c[2] * s[1] * c[0] + s[2] * s[0];
    rows[1][0] = s[2] * c[1];
    rows[1][1] = s[2] * s[1] * s[0] + c[2] * c[0];
    rows[1][2] = s[2] * s[1] * c[0] - c[2] * s[0];
    rows[2][0] = -s[1];
    rows[2][1] = c[1] * s[0];
    rows[2][2] = c[1] * c[0];
}

// The mesh's points, or four that tell where any goes.
struct points {
    double *positions;
    size_t count;
};

static void rotate(const struct mesh *mesh, const struct points points[2], const double degrees[3])
{
    struct mesh_bounds bounds;
    double rows[3][3], middle[3];
    rotation_rows(degrees, rows);
    mesh_bounds(mesh, &bounds);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (bounds.low[axis] + bounds.high[axis]) / 2;
    }
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; i < points[which].count; i++) {
            double *p = points[which].positions + 3 * i;
            const double d[3] = {p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]};
            for (int axis = 0; axis < 3; axis++) {
                p[axis] = middle[axis] + rows[axis][0] * d[0] + rows[axis][1] * d[1] + rows[axis][2] * d[2];
            }
        }
    }
}

static void swap_corners(struct mesh *mesh)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t second = mesh->triangles[3 * (size_t)t + 1];
        mesh->triangles[3 * (size_t)t + 1] = mesh->triangles[3 * (size_t)t + 2];
        mesh->triangles[3 * (size_t)t + 2] = second;
        mesh_look_turn(mesh, t);
    }
    for (uint32_t t = 0; t < mesh->tet_count; t++) {
        const uint32_t first = mesh->tets[4 * (size_t)t];
        mesh->tets[4 * (size_t)t] = mesh->tets[4 * (size_t)t + 1];
        mesh->tets[4 * (size_t)t + 1] = first;
    }
}

static double greatest_extent(const struct mesh_bounds *bounds)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++) {
        extent = fmax(extent, bounds->high[axis] - bounds->low[axis]);
    }
    return extent;
}

static void scale_and_raise(const struct points *points, const struct mesh_placement *placement)
{
    for (size_t i = 0; i < points->count; i++) {
        double *p = points->positions + 3 * i;
        if (placement->z_up) {
            const double y = p[1];
            p[1] = p[2];
            p[2] = -y;
        }
        for (int axis = 0; axis < 3; axis++) {
            p[axis] *= placement->scale[axis];
        }
    }
}

static bool fit(const struct mesh *mesh, const struct points points[2], double size, struct fault *fault)
{
    struct mesh_bounds bounds;
    mesh_bounds(mesh, &bounds);
    const double extent = greatest_extent(&bounds);
    if (!(extent > 0) || !isfinite(size / extent)) {
        return fault_set(fault, FAULT_INVALID, NULL, "the mesh has no extent; it cannot be fitted to a size");
    }
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; i < 3 * points[which].count; i++) {
            points[which].positions[i] *= size / extent;
        }
    }
    return true;
}

static void put(const struct mesh *mesh, const struct points points[2], const double at[3])
{
    struct mesh_bounds bounds;
    mesh_bounds(mesh, &bounds);
    const double from[3] = {(bounds.low[0] + bounds.high[0]) / 2, bounds.low[1],
                            (bounds.low[2] + bounds.high[2]) / 2};
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; i < 3 * points[which].count; i++) {
            points[which].positions[i] += at[i % 3] - from[i % 3];
        }
    }
}

bool mesh_place_mapped(struct mesh *mesh, const struct mesh_placement *placement, double map[3][4],
                       struct fault *fault)
{
    double probe[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const struct points points[2] = {{mesh->positions, mesh->vertex_count}, {probe, 4}};
    scale_and_raise(&points[0], placement);
    scale_and_raise(&points[1], placement);
    // An odd number of mirrors turns everything inside out.
    if (placement->scale[0] * placement->scale[1] * placement->scale[2] < 0) {
        swap_corners(mesh);
    }
    if (placement->fit > 0 && !fit(mesh, points, placement->fit, fault)) {
        return false;
    }
    if (placement->rotate[0] != 0 || placement->rotate[1] != 0 || placement->rotate[2] != 0) {
        rotate(mesh, points, placement->rotate);
    }
    if (placement->has_at) {
        put(mesh, points, placement->at);
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        if (!isfinite(mesh->positions[i])) {
            return fault_set(fault, FAULT_INVALID, NULL, "vertex %zu lies beyond all numbers after scaling",
                             i / 3);
        }
    }
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            map[row][column] = probe[3 * column + row] - (column < 3 ? probe[9 + row] : 0);
        }
    }
    return true;
}

bool mesh_place(struct mesh *mesh, const struct mesh_placement *placement, struct fault *fault)
{
    double map[3][4];
    return mesh_place_mapped(mesh, placement, map, fault);
}
