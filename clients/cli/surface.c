// The surface of a mesh of tetrahedra, for drawing: the faces that belong to only one tetrahedron.
//
// All faces are listed with their corners in ascending order and sorted, so that equal faces are next to each other.
#include "scene.h"

#include <stdlib.h>
#include <string.h>

struct face {
    uint32_t sorted[3];
    uint32_t corners[3]; // wound so that the normal leaves the tetrahedron
};

static int compare(const void *a, const void *b)
{
    const uint32_t *x = ((const struct face *)a)->sorted, *y = ((const struct face *)b)->sorted;
    for (int i = 0; i < 3; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static void swap(uint32_t *a, uint32_t *b)
{
    const uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

static struct face face_of(const uint32_t tet[4], uint32_t opposite, const struct vec3 *positions)
{
    struct face face;
    for (uint32_t i = 0, j = 0; i < 4; i++) {
        if (i != opposite) {
            face.corners[j++] = tet[i];
        }
    }
    const struct vec3 a = positions[face.corners[0]];
    const struct vec3 normal =
        vec3_cross(vec3_sub(positions[face.corners[1]], a), vec3_sub(positions[face.corners[2]], a));
    if (vec3_dot(normal, vec3_sub(positions[tet[opposite]], a)) > 0) {
        swap(&face.corners[1], &face.corners[2]);
    }
    uint32_t *s = face.sorted;
    memcpy(s, face.corners, sizeof face.sorted);
    if (s[0] > s[1]) {
        swap(&s[0], &s[1]);
    }
    if (s[1] > s[2]) {
        swap(&s[1], &s[2]);
    }
    if (s[0] > s[1]) {
        swap(&s[0], &s[1]);
    }
    return face;
}

bool cli_surface(const uint32_t *tets, uint32_t tet_count, const struct vec3 *positions, uint32_t **out,
                 uint32_t *out_count)
{
    const size_t count = 4 * (size_t)tet_count;
    struct face *faces = malloc((count + 1) * sizeof *faces);
    uint32_t *triangles = malloc((count + 1) * 3 * sizeof *triangles);
    *out = NULL;
    *out_count = 0;
    if (!faces || !triangles) {
        free(faces);
        free(triangles);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        faces[i] = face_of(tets + 4 * (i / 4), (uint32_t)(i % 4), positions);
    }
    qsort(faces, count, sizeof *faces, compare);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare(&faces[i], &faces[end]) == 0;) {
            end++;
        }
        if (end - i == 1) {
            memcpy(triangles + 3 * (size_t)*out_count, faces[i].corners, 3 * sizeof *triangles);
            ++*out_count;
        }
    }
    free(faces);
    *out = triangles;
    return true;
}
