// Where a mesh goes: units, size, which way is up, turned about its middle, and where its underside stands.
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

static void rotate(struct mesh *mesh, const double degrees[3])
{
    struct mesh_bounds bounds;
    double rows[3][3], middle[3];
    rotation_rows(degrees, rows);
    mesh_bounds(mesh, &bounds);
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = (bounds.low[axis] + bounds.high[axis]) / 2;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->positions + 3 * (size_t)i;
        const double d[3] = {p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]};
        for (int axis = 0; axis < 3; axis++)
            p[axis] = middle[axis] + rows[axis][0] * d[0] + rows[axis][1] * d[1] + rows[axis][2] * d[2];
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
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, bounds->high[axis] - bounds->low[axis]);
    return extent;
}

bool mesh_place(struct mesh *mesh, const struct mesh_placement *placement, struct mesh_error *error)
{
    struct mesh_bounds bounds;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->positions + 3 * (size_t)i;
        if (placement->z_up) {
            const double y = p[1];
            p[1] = p[2];
            p[2] = -y;
        }
        for (int axis = 0; axis < 3; axis++)
            p[axis] *= placement->scale[axis];
    }
    // An odd number of mirrors turns everything inside out.
    if (placement->scale[0] * placement->scale[1] * placement->scale[2] < 0)
        swap_corners(mesh);
    if (placement->fit > 0) {
        mesh_bounds(mesh, &bounds);
        const double extent = greatest_extent(&bounds);
        if (!(extent > 0) || !isfinite(placement->fit / extent))
            return mesh_fail(error, "INVALID", "the mesh has no extent; it cannot be fitted to a size");
        for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
            mesh->positions[i] *= placement->fit / extent;
    }
    if (placement->rotate[0] != 0 || placement->rotate[1] != 0 || placement->rotate[2] != 0)
        rotate(mesh, placement->rotate);
    if (placement->has_at) {
        mesh_bounds(mesh, &bounds);
        const double from[3] = {(bounds.low[0] + bounds.high[0]) / 2, bounds.low[1],
                                (bounds.low[2] + bounds.high[2]) / 2};
        for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
            mesh->positions[i] += placement->at[i % 3] - from[i % 3];
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        if (!isfinite(mesh->positions[i]))
            return mesh_fail(error, "INVALID", "vertex %zu lies beyond all numbers after scaling", i / 3);
    }
    return true;
}
