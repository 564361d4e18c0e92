// Meshes from a few numbers. Only + - * / and square roots go into them, and cosines of our own (turn.h), so that a
// scene is the same world on every machine.
//
//   grid    rows of particles, row 0 the top one; two triangles a cell, the diagonals crosswise in turn
//   disc    rings around a centre, ring k of 6 k particles; all triangles nearly even
//   rope    particles on a line, one edge after another
//   box     a lattice of cells of six tetrahedra each, from the least corner to the greatest
//   sphere  such a lattice drawn to a ball
#include "protocol/scene/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const scene_generators[] = {"grid", "disc", "rope", "box", "sphere", NULL};

enum { CELLS_MAX = 2048, SEGMENTS_MAX = 1000000, RINGS_MAX = 1000, SOLID_CELLS_MAX = 128 };

static bool reserve(struct scene_reader *reader, struct scene_body *body, uint64_t particles,
                    uint64_t elements)
{
    const uint64_t all = particles + reader->particles;
    if (all > PROTOCOL_LIMIT_PARTICLES) {
        return scene_refuse(reader, "would have %llu particles%s; a world may hold %llu",
                            (unsigned long long)all, reader->particles > 0 ? " with those before it" : "",
                            (unsigned long long)PROTOCOL_LIMIT_PARTICLES);
    }
    body->positions = malloc((size_t)particles * 3 * sizeof *body->positions);
    body->elements = malloc((size_t)elements * body->corners * sizeof *body->elements);
    body->count = (uint32_t)particles;
    body->element_count = (uint32_t)elements;
    body->made = true;
    return (body->positions && body->elements) || scene_refuse_memory(reader);
}

static uint32_t *triangle(uint32_t *out, uint32_t a, uint32_t b, uint32_t c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return out + 3;
}

static bool whole_pair(struct scene_reader *reader, const json_t *spec, uint32_t most, uint32_t count,
                       uint32_t *cells)
{
    const json_t *list = json_object_get(spec, "cells");
    size_t before = scene_enter(reader, "cells");
    bool done = json_is_array(list) && json_array_size(list) == count;
    if (!done) {
        scene_refuse(reader, "must be a list of %u whole numbers", count);
    }
    for (uint32_t i = 0; done && i < count; i++) {
        done = scene_whole(reader, json_array_get(list, i), 1, most, &cells[i]);
    }
    scene_leave(reader, before);
    return done;
}

// m, of each side
static bool read_size(struct scene_reader *reader, const json_t *spec, uint32_t count, double *size)
{
    size_t before = scene_enter(reader, "size");
    const json_t *value = json_object_get(spec, "size");
    bool done = !value || scene_vector(reader, value, count, size);
    for (uint32_t i = 0; done && value && i < count; i++) {
        done = scene_number(reader, json_array_get(value, i), 1e-6, 1e6, &size[i]);
    }
    scene_leave(reader, before);
    return done;
}

static bool grid(struct scene_reader *reader, const json_t *spec, struct scene_body *body)
{
    static const char *const members[] = {"size", "cells", "upright", NULL};
    double size[2] = {1, 1};
    uint32_t cells[2];
    const json_t *standing = json_object_get(spec, "upright");
    bool upright = json_is_true(standing);
    body->corners = 3;
    if (standing && !json_is_boolean(standing)) {
        scene_enter(reader, "upright");
        return scene_refuse(reader, "must be true or false");
    }
    if (!scene_check_members(reader, spec, members, NULL) || !read_size(reader, spec, 2, size) ||
        !whole_pair(reader, spec, CELLS_MAX, 2, cells) ||
        !reserve(reader, body, (uint64_t)(cells[0] + 1) * (cells[1] + 1),
                 (uint64_t)cells[0] * cells[1] * 2)) {
        return false;
    }
    uint32_t columns = cells[0] + 1, *out = body->elements;
    body->columns = columns;
    body->rows = cells[1] + 1;
    for (uint32_t i = 0; i < body->count; i++) {
        uint32_t column = i % columns, row = i / columns;
        double *x = body->positions + 3 * (size_t)i;
        double across = size[0] * column / cells[0] - size[0] / 2,
               down = size[1] * row / cells[1] - size[1] / 2;
        x[0] = across;
        x[1] = upright ? -down : 0;
        x[2] = upright ? 0 : down;
        if (column < cells[0] && row < cells[1]) {
            uint32_t a = i, b = i + 1, c = i + columns, d = i + columns + 1;
            bool turned = (column + row) % 2 != 0;
            out = triangle(out, a, c, turned ? d : b);
            out = triangle(out, turned ? a : b, turned ? d : c, turned ? b : d);
        }
    }
    return true;
}

static bool disc(struct scene_reader *reader, const json_t *spec, struct scene_body *body)
{
    static const char *const members[] = {"radius", "rings", NULL};
    double radius = 1;
    uint32_t rings = 16;
    body->corners = 3;
    if (!scene_check_members(reader, spec, members, NULL) ||
        !scene_member_number(reader, spec, "radius", 1e-6, 1e6, &radius) ||
        !scene_member_whole(reader, spec, "rings", 1, RINGS_MAX, &rings) ||
        !reserve(reader, body, 1 + 3 * (uint64_t)rings * (rings + 1), 6 * (uint64_t)rings * rings)) {
        return false;
    }
    uint32_t *out = body->elements, first = 1, inner = 0; // of ring k, and of the one inside it
    memset(body->positions, 0, 3 * sizeof *body->positions);
    for (uint32_t k = 1; k <= rings; k++) {
        for (uint32_t j = 0; j < 6 * k; j++) {
            double *x = body->positions + 3 * (size_t)(first + j), cosine, sine;
            scene_turn(60.0 * j / k, &cosine, &sine);
            x[0] = radius * k / rings * cosine;
            x[1] = 0;
            x[2] = -radius * k / rings * sine;
            // Each of six sides has k steps here and k - 1 inside.
            uint32_t side = j / k, step = j % k, below = k == 1 ? 0 : side * (k - 1) + step;
            uint32_t ring = k == 1 ? 1 : 6 * (k - 1), a = first + j, b = first + (j + 1) % (6 * k);
            out = triangle(out, a, b, inner + below % ring);
            if (step + 1 < k) {
                out = triangle(out, b, inner + (below + 1) % ring, inner + below % ring);
            }
        }
        inner = first;
        first += 6 * k;
    }
    return true;
}

static bool rope(struct scene_reader *reader, const json_t *spec, struct scene_body *body)
{
    static const char *const members[] = {"from", "to", "segments", NULL};
    double from[3] = {0, 0, 0}, to[3] = {0, -1, 0};
    uint32_t segments = 20;
    body->corners = 2;
    if (!scene_check_members(reader, spec, members, NULL) ||
        !scene_member_vector(reader, spec, "from", 3, from) ||
        !scene_member_vector(reader, spec, "to", 3, to) ||
        !scene_member_whole(reader, spec, "segments", 1, SEGMENTS_MAX, &segments) ||
        !reserve(reader, body, (uint64_t)segments + 1, segments)) {
        return false;
    }
    for (uint32_t i = 0; i <= segments; i++) {
        for (int axis = 0; axis < 3; axis++) {
            body->positions[3 * (size_t)i + axis] = from[axis] + (to[axis] - from[axis]) * i / segments;
        }
        if (i < segments) {
            body->elements[2 * (size_t)i] = i;
            body->elements[2 * (size_t)i + 1] = i + 1;
        }
    }
    return true;
}

// Six tetrahedra a cell: from its least corner to its greatest, along the axes in each of their orders.
static uint32_t *cell(uint32_t *out, uint32_t least, const uint32_t strides[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    for (int i = 0; i < 6; i++) {
        uint32_t path[4] = {least};
        for (int j = 0; j < 3; j++) {
            path[j + 1] = path[j] + strides[orders[i][j]];
        }
        // An odd order would turn the tetrahedron inside out.
        *out++ = path[i < 3 ? 0 : 1];
        *out++ = path[i < 3 ? 1 : 0];
        *out++ = path[2];
        *out++ = path[3];
    }
    return out;
}

static bool lattice(struct scene_reader *reader, const double size[3], const uint32_t cells[3],
                    struct scene_body *body)
{
    uint64_t particles = (uint64_t)(cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
    body->corners = 4;
    if (!reserve(reader, body, particles, (uint64_t)cells[0] * cells[1] * cells[2] * 6)) {
        return false;
    }
    uint32_t strides[3] = {1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)}, *out = body->elements;
    for (uint32_t i = 0; i < body->count; i++) {
        uint32_t at[3] = {i % strides[1], i / strides[1] % (cells[1] + 1), i / strides[2]};
        for (int axis = 0; axis < 3; axis++) {
            body->positions[3 * (size_t)i + axis] = size[axis] * at[axis] / cells[axis] - size[axis] / 2;
        }
        if (at[0] < cells[0] && at[1] < cells[1] && at[2] < cells[2]) {
            out = cell(out, i, strides);
        }
    }
    return true;
}

static bool box(struct scene_reader *reader, const json_t *spec, struct scene_body *body)
{
    static const char *const members[] = {"size", "cells", NULL};
    double size[3] = {1, 1, 1};
    uint32_t cells[3];
    return scene_check_members(reader, spec, members, NULL) && read_size(reader, spec, 3, size) &&
           whole_pair(reader, spec, SOLID_CELLS_MAX, 3, cells) && lattice(reader, size, cells, body);
}

static bool sphere(struct scene_reader *reader, const json_t *spec, struct scene_body *body)
{
    static const char *const members[] = {"radius", "cells", NULL}; // cells across
    double radius = 1;
    uint32_t across = 8;
    if (!scene_check_members(reader, spec, members, NULL) ||
        !scene_member_number(reader, spec, "radius", 1e-6, 1e6, &radius) ||
        !scene_member_whole(reader, spec, "cells", 2, SOLID_CELLS_MAX, &across) ||
        !lattice(reader, (const double[3]){2, 2, 2}, (const uint32_t[3]){across, across, across}, body)) {
        return false;
    }
    for (uint32_t i = 0; i < body->count; i++) {
        double *x = body->positions + 3 * (size_t)i, greatest = 0;
        double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (int axis = 0; axis < 3; axis++) {
            greatest = fabs(x[axis]) > greatest ? fabs(x[axis]) : greatest;
        }
        // Shells of the cube become shells of the ball.
        for (int axis = 0; length > 0 && axis < 3; axis++) {
            x[axis] *= radius * greatest / length;
        }
    }
    return true;
}

bool scene_generate(struct scene_reader *reader, const char *generator, const json_t *spec,
                    struct scene_body *body)
{
    static const struct {
        const char *name;
        bool (*make)(struct scene_reader *reader, const json_t *spec, struct scene_body *body);
    } generators[] = {{"grid", grid}, {"disc", disc}, {"rope", rope}, {"box", box}, {"sphere", sphere}};
    if (!json_is_object(spec)) {
        return scene_refuse(reader, "must be an object, such as {\"size\": [1, 1], \"cells\": [20, 20]}");
    }
    for (size_t g = 0; g < sizeof generators / sizeof generators[0]; g++) {
        if (strcmp(generators[g].name, generator) == 0) {
            return generators[g].make(reader, spec, body);
        }
    }
    return scene_refuse(reader, "there is no generator of this name");
}
