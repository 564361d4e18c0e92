// The look of triangles, kept in step with them.
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mesh_look_move(struct mesh *mesh, uint32_t to, uint32_t from, uint32_t count)
{
    if (mesh->uvs) {
        memmove(mesh->uvs + 6 * (size_t)to, mesh->uvs + 6 * (size_t)from, 6 * sizeof *mesh->uvs * count);
    }
    if (mesh->normals) {
        memmove(mesh->normals + 9 * (size_t)to, mesh->normals + 9 * (size_t)from,
                9 * sizeof *mesh->normals * count);
    }
    if (mesh->materials) {
        memmove(mesh->materials + to, mesh->materials + from, sizeof *mesh->materials * count);
    }
}

static void exchange(float *a, float *b, int count)
{
    for (int i = 0; i < count; i++) {
        const float kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

// The second and the third corner change places.
void mesh_look_turn(struct mesh *mesh, uint32_t triangle)
{
    if (mesh->uvs) {
        exchange(mesh->uvs + 6 * (size_t)triangle + 2, mesh->uvs + 6 * (size_t)triangle + 4, 2);
    }
    if (mesh->normals) {
        exchange(mesh->normals + 9 * (size_t)triangle + 3, mesh->normals + 9 * (size_t)triangle + 6, 3);
    }
}

void mesh_look_drop(struct mesh *mesh)
{
    free(mesh->uvs);
    free(mesh->normals);
    free(mesh->materials);
    mesh->uvs = mesh->normals = NULL;
    mesh->materials = NULL;
}

bool mesh_has_edges(const struct mesh *mesh, bool *has_edges)
{
    static const double NEAR = 0.999; // the cosine of 2.5 degrees
    float *first = calloc(3 * (size_t)mesh->vertex_count + 1, sizeof *first);
    *has_edges = false;
    if (!first) {
        return false;
    }
    for (size_t i = 0; mesh->normals && !*has_edges && i < 3 * (size_t)mesh->triangle_count; i++) {
        const float *normal = mesh->normals + 3 * i;
        float *seen = first + 3 * (size_t)mesh->triangles[i];
        double along = 0, length = 0, seen_length = 0;
        for (int axis = 0; axis < 3; axis++) {
            along += (double)normal[axis] * (double)seen[axis];
            length += (double)normal[axis] * (double)normal[axis];
            seen_length += (double)seen[axis] * (double)seen[axis];
        }
        if (!(seen_length > 0)) {
            memcpy(seen, normal, 3 * sizeof *seen);
        } else {
            *has_edges = length > 0 && along < NEAR * sqrt(length * seen_length);
        }
    }
    free(first);
    return true;
}

bool mesh_file_use_materials(struct mesh_file *file)
{
    struct mesh *mesh = &file->mesh;
    uint32_t *number = calloc((size_t)file->material_count + 1, sizeof *number), kept = 0;
    if (!number) {
        return false;
    }
    for (uint32_t t = 0; mesh->materials && t < mesh->triangle_count; t++) {
        number[mesh->materials[t]] = 1;
    }
    for (uint32_t m = 0; m < file->material_count; m++) {
        if (!number[m]) {
            continue;
        }
        file->materials[kept] = file->materials[m];
        number[m] = kept++;
    }
    for (uint32_t t = 0; mesh->materials && t < mesh->triangle_count; t++) {
        mesh->materials[t] = number[mesh->materials[t]];
    }
    file->material_count = kept == 1 && strcmp(file->materials[0].name, MESH_MATERIAL_NONE) == 0 ? 0 : kept;
    if (file->material_count == 0) {
        free(mesh->materials);
        mesh->materials = NULL;
    }
    free(number);
    return true;
}
