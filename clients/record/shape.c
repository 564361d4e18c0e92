// The meshes of colliders, in their own frame: y along a capsule or cylinder, or along a plane's normal.
//
// Balls and the ends of capsules are rings of latitude from pole to pole, each with SIDES vertices and one more, so that
// it closes; a capsule is a ball cut at its equator, which stands there twice. Boxes and planes have corners of their own on each
// side, with its normal, and so have the triangles of hulls and height fields.
#include "record/objects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 32, RINGS = 16 }; // RINGS: even

static const double half_turn = 3.14159265358979323846;

static bool make_room(struct record_object *object, uint32_t vertices, uint32_t triangles)
{
    object->shape = malloc(3 * sizeof *object->shape * vertices);
    object->shape_normals = malloc(3 * sizeof *object->shape_normals * vertices);
    object->triangles = malloc(3 * sizeof *object->triangles * triangles);
    object->point_count = vertices;
    return object->shape && object->shape_normals && object->triangles;
}

static void add_triangle(struct record_object *object, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corner = object->triangles + 3 * (size_t)object->triangle_count++;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

static void put(struct record_object *object, uint32_t vertex, const double place[3], const double normal[3])
{
    for (int axis = 0; axis < 3; axis++) {
        object->shape[3 * (size_t)vertex + (size_t)axis] = (float)place[axis];
        object->shape_normals[3 * (size_t)vertex + (size_t)axis] = (float)normal[axis];
    }
}

static bool make_round(struct record_object *object, double radius, double length)
{
    const uint32_t rows = RINGS + 1 + (length > 0);
    if (!make_room(object, rows * (SIDES + 1), 2 * SIDES * (rows - 2))) {
        return false;
    }
    for (uint32_t row = 0; row < rows; row++) {
        const bool lower = length > 0 && row > RINGS / 2;
        const double down = half_turn * (row - (lower ? 1 : 0)) / RINGS;
        const double shift = length > 0 ? (lower ? -length / 2 : length / 2) : 0;
        for (uint32_t side = 0; side <= SIDES; side++) {
            const double around = 2 * half_turn * (side % SIDES) / SIDES;
            const double normal[3] = {sin(down) * cos(around), cos(down), -sin(down) * sin(around)};
            const double place[3] = {radius * normal[0], radius * normal[1] + shift, radius * normal[2]};
            put(object, row * (SIDES + 1) + side, place, normal);
        }
    }
    for (uint32_t row = 0; row + 1 < rows; row++) {
        for (uint32_t side = 0; side < SIDES; side++) {
            const uint32_t a = row * (SIDES + 1) + side, b = a + SIDES + 1;
            if (row > 0) {
                add_triangle(object, a, b, a + 1);
            }
            if (row + 2 < rows) {
                add_triangle(object, a + 1, b, b + 1);
            }
        }
    }
    return true;
}

// A wall, and two ends with corners of their own around a middle.
static bool make_cylinder(struct record_object *object, double radius, double length)
{
    if (!make_room(object, 4 * (SIDES + 1) + 2, 4 * SIDES)) {
        return false;
    }
    const uint32_t middles = 4 * (SIDES + 1);
    for (uint32_t end = 0; end < 2; end++) {
        const double up[3] = {0, end == 0 ? 1 : -1, 0}, height = up[1] * length / 2;
        put(object, middles + end, (const double[3]){0, height, 0}, up);
        for (uint32_t side = 0; side <= SIDES; side++) {
            const double around = 2 * half_turn * (side % SIDES) / SIDES;
            const double normal[3] = {cos(around), 0, -sin(around)};
            const double place[3] = {radius * normal[0], height, radius * normal[2]};
            put(object, end * (SIDES + 1) + side, place, normal);
            put(object, (2 + end) * (SIDES + 1) + side, place, up);
        }
    }
    for (uint32_t side = 0; side < SIDES; side++) {
        const uint32_t a = side, b = a + SIDES + 1, upper = a + 2 * (SIDES + 1), lower = upper + SIDES + 1;
        add_triangle(object, a, b, a + 1);
        add_triangle(object, a + 1, b, b + 1);
        add_triangle(object, middles, upper, upper + 1);
        add_triangle(object, middles + 1, lower + 1, lower);
    }
    return true;
}

// The side of the box to which an axis points: two of its axes, whose product is the third.
static void add_side(struct record_object *object, int axis, double sign, const double half[3])
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const uint32_t first = object->triangle_count * 2;
    for (uint32_t corner = 0; corner < 4; corner++) {
        double place[3], normal[3] = {0};
        place[axis] = sign * half[axis];
        place[u] = (corner == 1 || corner == 2 ? 1 : -1) * sign * half[u];
        place[v] = (corner >= 2 ? 1 : -1) * half[v];
        normal[axis] = sign;
        put(object, first + corner, place, normal);
    }
    add_triangle(object, first, first + 1, first + 2);
    add_triangle(object, first, first + 2, first + 3);
}

static bool make_hull(struct record_object *object, const struct record_collider *collider)
{
    if (!make_room(object, 3 * collider->triangle_count, collider->triangle_count)) {
        return false;
    }
    for (uint32_t t = 0; t < collider->triangle_count; t++) {
        double at[3][3], u[3], v[3], normal[3];
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                at[k][axis] =
                    (double)collider
                        ->vertices[3 * (size_t)collider->triangles[3 * (size_t)t + (size_t)k] + (size_t)axis];
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = at[1][axis] - at[0][axis];
            v[axis] = at[2][axis] - at[0][axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            normal[axis] = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
        }
        const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int axis = 0; axis < 3; axis++) {
            normal[axis] = length > 0 ? normal[axis] / length : axis == 1;
        }
        for (uint32_t k = 0; k < 3; k++) {
            put(object, 3 * t + k, at[k], normal);
        }
        add_triangle(object, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    return true;
}

bool record_shape_make(struct record_object *object, const struct record_collider *collider,
                       const struct record_reach *reach)
{
    switch (collider->shape) {
    case RECORD_PLANE: {
        const double half[3] = {reach->half, 0, reach->half};
        if (!make_room(object, 4, 2)) {
            return false;
        }
        add_side(object, 1, 1, half);
        for (size_t i = 0; i < 4; i++) {
            object->shape[3 * i] += (float)reach->middle[0];
            object->shape[3 * i + 2] += (float)reach->middle[2];
        }
        return true;
    }
    case RECORD_SPHERE:
        return make_round(object, (double)collider->radius, 0);
    case RECORD_CAPSULE:
        return make_round(object, (double)collider->radius, (double)collider->length);
    case RECORD_CYLINDER:
        return make_cylinder(object, (double)collider->radius, (double)collider->length);
    case RECORD_CONVEX:
    case RECORD_HEIGHT_FIELD:
        return make_hull(object, collider);
    default: {
        const double half[3] = {(double)collider->half_extents[0], (double)collider->half_extents[1],
                                (double)collider->half_extents[2]};
        if (!make_room(object, 24, 12)) {
            return false;
        }
        for (int axis = 0; axis < 3; axis++) {
            add_side(object, axis, 1, half);
            add_side(object, axis, -1, half);
        }
        return true;
    }
    }
}
