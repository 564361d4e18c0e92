// Functions that the whole module uses: errors, memory, bounds.
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mesh_fail_memory(struct fault *fault)
{
    return fault_set(fault, FAULT_MEMORY, NULL, "there is no memory for the mesh");
}

bool mesh_report(const struct mesh_watch *watch, const char *stage, double share, struct fault *fault)
{
    if (!watch || !watch->report || watch->report(watch->context, stage, share)) {
        return true;
    }
    return fault_set(fault, FAULT_CANCELLED, NULL, "stopped while %s", stage);
}

void mesh_deinit(struct mesh *mesh)
{
    free(mesh->positions);
    free(mesh->triangles);
    free(mesh->tets);
    free(mesh->lines);
    free(mesh->uvs);
    free(mesh->normals);
    free(mesh->materials);
    free(mesh->vertex_of);
    memset(mesh, 0, sizeof *mesh);
}

void mesh_file_deinit(struct mesh_file *file)
{
    mesh_deinit(&file->mesh);
    free(file->parts);
    free(file->materials);
    free(file->frames);
    free(file->times);
    memset(file, 0, sizeof *file);
}

bool mesh_number(struct mesh *mesh)
{
    mesh->vertex_of = malloc(((size_t)mesh->vertex_count + 1) * sizeof *mesh->vertex_of);
    if (!mesh->vertex_of) {
        return false;
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        mesh->vertex_of[i] = i;
    }
    mesh->file_vertex_count = mesh->vertex_count;
    return true;
}

void mesh_bounds(const struct mesh *mesh, struct mesh_bounds *bounds)
{
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            low = fmin(low, mesh->positions[3 * (size_t)i + (size_t)axis]);
            high = fmax(high, mesh->positions[3 * (size_t)i + (size_t)axis]);
        }
        bounds->low[axis] = mesh->vertex_count ? low : 0;
        bounds->high[axis] = mesh->vertex_count ? high : 0;
    }
}

double mesh_tet_volume(const double *a, const double *b, const double *c, const double *d)
{
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double w[3] = {d[0] - a[0], d[1] - a[1], d[2] - a[2]};
    return ((u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
            (u[0] * v[1] - u[1] * v[0]) * w[2]) /
           6;
}
