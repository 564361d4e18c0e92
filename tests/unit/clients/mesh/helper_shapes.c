#include "helper_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mesh shape_new(uint32_t vertices, uint32_t triangles, uint32_t tets)
{
    struct mesh mesh = {.vertex_count = vertices,
                        .triangle_count = triangles,
                        .tet_count = tets,
                        .file_vertex_count = vertices};
    mesh.positions = calloc(3 * (size_t)vertices + 1, sizeof *mesh.positions);
    mesh.triangles = calloc(3 * (size_t)triangles + 1, sizeof *mesh.triangles);
    mesh.tets = calloc(4 * (size_t)tets + 1, sizeof *mesh.tets);
    mesh.vertex_of = calloc((size_t)vertices + 1, sizeof *mesh.vertex_of);
    assert_true(mesh.positions && mesh.triangles && mesh.tets && mesh.vertex_of);
    for (uint32_t i = 0; i < vertices; i++) {
        mesh.vertex_of[i] = i;
    }
    return mesh;
}

struct mesh shape_box(const double low[3], const double high[3])
{
    static const uint32_t faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    struct mesh mesh = shape_new(8, 12, 0);
    for (size_t i = 0; i < 8; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            mesh.positions[3 * i + axis] = i >> axis & 1 ? high[axis] : low[axis];
        }
    }
    memcpy(mesh.triangles, faces, sizeof faces);
    return mesh;
}

struct mesh shape_ball(double radius, const double middle[3], uint32_t rings)
{
    const uint32_t around = 2 * rings;
    struct mesh mesh = shape_new(2 + (rings - 1) * around, 2 * around * (rings - 1), 0);
    const double pi = acos(-1);
    for (uint32_t ring = 1; ring < rings; ring++) {
        for (uint32_t k = 0; k < around; k++) {
            double *p = mesh.positions + 3 * (size_t)((ring - 1) * around + k);
            p[0] = sin(pi * ring / rings) * cos(2 * pi * k / around);
            p[1] = cos(pi * ring / rings);
            p[2] = -sin(pi * ring / rings) * sin(2 * pi * k / around);
        }
    }
    const uint32_t top = mesh.vertex_count - 2, bottom = top + 1;
    mesh.positions[3 * (size_t)top + 1] = 1;
    mesh.positions[3 * (size_t)bottom + 1] = -1;
    uint32_t *out = mesh.triangles;
    for (uint32_t k = 0; k < around; k++) {
        const uint32_t next = (k + 1) % around, last = (rings - 2) * around;
        const uint32_t caps[6] = {top, k, next, bottom, last + next, last + k};
        memcpy(out, caps, sizeof caps);
        out += 6;
        for (uint32_t ring = 0; ring + 2 < rings; ring++) {
            const uint32_t a = ring * around + k, b = ring * around + next, c = a + around, d = b + around;
            const uint32_t quad[6] = {a, c, d, a, d, b};
            memcpy(out, quad, sizeof quad);
            out += 6;
        }
    }
    assert_int_equal(out - mesh.triangles, 3 * (size_t)mesh.triangle_count);
    for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count; i++) {
        mesh.positions[i] = middle[i % 3] + radius * mesh.positions[i];
    }
    return mesh;
}

struct mesh shape_sheet(uint32_t columns, uint32_t rows, double spacing)
{
    struct mesh mesh = shape_new(columns * rows, 2 * (columns - 1) * (rows - 1), 0);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[3 * (size_t)i] = spacing * (i % columns);
        mesh.positions[3 * (size_t)i + 1] = spacing * (i / columns);
    }
    uint32_t *out = mesh.triangles;
    for (uint32_t row = 0; row + 1 < rows; row++) {
        for (uint32_t column = 0; column + 1 < columns; column++) {
            const uint32_t a = row * columns + column, c = a + columns;
            const uint32_t quad[6] = {a, a + 1, c + 1, a, c + 1, c};
            memcpy(out, quad, sizeof quad);
            out += 6;
        }
    }
    return mesh;
}

struct mesh shape_both(const struct mesh *a, const struct mesh *b)
{
    struct mesh mesh = shape_new(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count, 0);
    memcpy(mesh.positions, a->positions, 3 * (size_t)a->vertex_count * sizeof(double));
    memcpy(mesh.positions + 3 * (size_t)a->vertex_count, b->positions,
           3 * (size_t)b->vertex_count * sizeof(double));
    memcpy(mesh.triangles, a->triangles, 3 * (size_t)a->triangle_count * sizeof(uint32_t));
    for (size_t i = 0; i < 3 * (size_t)b->triangle_count; i++) {
        mesh.triangles[3 * (size_t)a->triangle_count + i] = b->triangles[i] + a->vertex_count;
    }
    return mesh;
}

void shape_turn(struct mesh *mesh, uint32_t triangle)
{
    uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const uint32_t second = corners[1];
    corners[1] = corners[2];
    corners[2] = second;
}

struct mesh shape_soup(const struct mesh *mesh)
{
    struct mesh soup = shape_new(3 * mesh->triangle_count, mesh->triangle_count, 0);
    for (uint32_t i = 0; i < soup.vertex_count; i++) {
        memcpy(soup.positions + 3 * (size_t)i, mesh->positions + 3 * (size_t)mesh->triangles[i],
               3 * sizeof(double));
        soup.triangles[i] = i;
    }
    return soup;
}

static double six_volume(const double *a, const double *b, const double *c, const double *d)
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = d[k] - a[k];
    }
    return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
           (u[0] * v[1] - u[1] * v[0]) * w[2];
}

double shape_volume(const struct mesh *mesh)
{
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
        sum += six_volume(mesh->positions, mesh->positions + 3 * (size_t)corners[0],
                          mesh->positions + 3 * (size_t)corners[1], mesh->positions + 3 * (size_t)corners[2]);
    }
    return sum / 6;
}

double shape_tets_volume(const struct mesh *mesh, double *least)
{
    double sum = 0;
    *least = INFINITY;
    for (uint32_t t = 0; t < mesh->tet_count; t++) {
        const uint32_t *corners = mesh->tets + 4 * (size_t)t;
        const double volume =
            six_volume(mesh->positions + 3 * (size_t)corners[0], mesh->positions + 3 * (size_t)corners[1],
                       mesh->positions + 3 * (size_t)corners[2], mesh->positions + 3 * (size_t)corners[3]) /
            6;
        *least = fmin(*least, volume);
        sum += volume;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------------
// Files

static char folder[] = "/tmp/weft-mesh-XXXXXX";
static char paths[64][96];
static int path_count;

char *shape_file(const char *name, const void *bytes, size_t size)
{
    if (path_count == 0) {
        assert_non_null(mkdtemp(folder));
    }
    assert_true(path_count < 64);
    char *path = paths[path_count++];
    snprintf(path, sizeof paths[0], "%s/%.60s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

void shape_files_remove(void)
{
    for (int i = 0; i < path_count; i++) {
        unlink(paths[i]);
    }
    if (path_count) {
        rmdir(folder);
    }
}
