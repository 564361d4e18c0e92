// Vertices of an object: corners that differ become different vertices.
//
// Corners are sorted by point, given normal and uv. Runs of equal ones are one vertex; runs that differ only in the uv
// share a normal. A corner whose normal has no direction counts as one without a normal.
#include "record/objects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct corner {
    uint32_t point;
    float normal[3], uv[2];
    uint32_t at; // index into corners
};

static int compare_floats(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (a[i] < b[i] || a[i] > b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int same_normal(const struct corner *a, const struct corner *b)
{
    if (a->point != b->point) {
        return a->point < b->point ? -1 : 1;
    }
    return compare_floats(a->normal, b->normal, 3);
}

static int by_what_they_are(const void *left, const void *right)
{
    const struct corner *a = left, *b = right;
    int order = same_normal(a, b);
    order = order != 0 ? order : compare_floats(a->uv, b->uv, 2);
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

// Normals are rounded, so that directions written with six digits stay equal.
static void take_normal(const float *from, float out[3])
{
    const double length = sqrt((double)from[0] * (double)from[0] + (double)from[1] * (double)from[1] +
                               (double)from[2] * (double)from[2]);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = length > 0 ? (float)nearbyint(1024 * (double)from[axis] / length) + 0.0F : 0;
    }
}

// Orders triangles by their materials; order[i] is the i-th triangle.
static bool make_parts(struct record_object *object, const struct record_body *body, uint32_t *order)
{
    const uint32_t materials = body->material_count > 0 ? body->material_count : 1;
    uint32_t at = 0;
    object->parts = calloc(materials, sizeof *object->parts);
    uint32_t *next = calloc((size_t)materials + 1, sizeof *next);
    if (!object->parts || !next) {
        free(next);
        return false;
    }
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        next[(body->material_count > 0 ? body->triangle_materials[t] : 0) + 1]++;
    }
    for (uint32_t m = 0; m < materials; m++) {
        const uint32_t count = next[m + 1];
        next[m + 1] += next[m];
        if (count == 0) {
            continue;
        }
        object->parts[object->part_count++] =
            (struct record_part){body->material_count > 0 ? &body->materials[m] : NULL, next[m], count};
    }
    for (; at < body->triangle_count; at++) {
        order[next[body->material_count > 0 ? body->triangle_materials[at] : 0]++] = at;
    }
    free(next);
    return true;
}

static void number_corners(struct record_object *object, const struct corner *corners, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool other_normal = i == 0 || same_normal(&corners[i - 1], &corners[i]) != 0;
        if (other_normal) {
            object->normal_count++;
        }
        if (other_normal || compare_floats(corners[i - 1].uv, corners[i].uv, 2) != 0) {
            const uint32_t vertex = object->vertex_count++;
            object->vertex_point[vertex] = corners[i].point;
            object->vertex_normal[vertex] = object->normal_count - 1;
            if (object->uvs) {
                memcpy(object->uvs + 2 * (size_t)vertex, corners[i].uv, sizeof corners[i].uv);
            }
        }
        object->corners[corners[i].at] = object->vertex_count - 1;
    }
}

bool record_object_split(struct record_object *object, const struct record_body *body)
{
    const size_t count = 3 * (size_t)body->triangle_count;
    struct corner *corners = calloc(count + 1, sizeof *corners);
    uint32_t *order = malloc((count + 1) * sizeof *order),
             *triangles = malloc((count + 1) * sizeof *triangles);
    object->vertex_point = malloc((count + 1) * sizeof *object->vertex_point);
    object->vertex_normal = malloc((count + 1) * sizeof *object->vertex_normal);
    object->corners = malloc((count + 1) * sizeof *object->corners);
    object->uvs = body->uvs ? malloc((2 * count + 1) * sizeof *object->uvs) : NULL;
    bool done = corners && order && triangles && object->vertex_point && object->vertex_normal &&
                object->corners && (!body->uvs || object->uvs) && make_parts(object, body, order);
    for (size_t i = 0; done && i < count; i++) {
        const size_t from = 3 * (size_t)order[i / 3] + i % 3;
        triangles[i] = object->triangles[from];
        corners[i] = (struct corner){.point = triangles[i], .at = (uint32_t)i};
        if (body->uvs) {
            memcpy(corners[i].uv, body->uvs + 2 * from, sizeof corners[i].uv);
        }
        if (body->normals) {
            take_normal(body->normals + 3 * from, corners[i].normal);
        }
    }
    if (done) {
        memcpy(object->triangles, triangles, count * sizeof *triangles);
        qsort(corners, count, sizeof *corners, by_what_they_are);
        number_corners(object, corners, count);
    }
    free(corners);
    free(order);
    free(triangles);
    return done;
}
