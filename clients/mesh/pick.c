// Vertices by a text: boxes, spheres, lists of indices, edges of the mesh.
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Numbers between commas, exactly so many. *text moves past them.
static bool take_numbers(const char *text, int count, double *numbers)
{
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text || !isfinite(numbers[i]) || *end != (i + 1 < count ? ',' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

static const double *position(const struct mesh *mesh, uint32_t vertex)
{
    return mesh->positions + 3 * (size_t)vertex;
}

static bool pick_box(const struct mesh *mesh, const char *text, uint8_t *marked, struct fault *fault)
{
    double b[6];
    if (!take_numbers(text, 6, b)) {
        return fault_set(fault, FAULT_INVALID, NULL, "'box:%s' needs two corners: box:x0,y0,z0,x1,y1,z1",
                         text);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const double *p = position(mesh, i);
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            inside = inside && p[axis] >= fmin(b[axis], b[axis + 3]) && p[axis] <= fmax(b[axis], b[axis + 3]);
        }
        marked[i] |= inside;
    }
    return true;
}

static bool pick_sphere(const struct mesh *mesh, const char *text, uint8_t *marked, struct fault *fault)
{
    double s[4];
    if (!take_numbers(text, 4, s) || s[3] < 0) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "'sphere:%s' needs a centre and a radius: sphere:x,y,z,r", text);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const double *p = position(mesh, i);
        const double d[3] = {p[0] - s[0], p[1] - s[1], p[2] - s[2]};
        marked[i] |= d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= s[3] * s[3];
    }
    return true;
}

// A, A-B, ... between commas.
static bool pick_index(const struct mesh *mesh, const char *text, uint8_t *marked, struct fault *fault)
{
    const uint32_t count = mesh->file_vertex_count ? mesh->file_vertex_count : mesh->vertex_count;
    const char *at = text;
    for (;;) {
        unsigned long range[2];
        for (int i = 0; i < 2; i++) {
            char *end;
            if (*at < '0' || *at > '9') {
                return fault_set(fault, FAULT_INVALID, NULL,
                                 "'index:%s' needs numbers from 0 and ranges: index:0,5-9", text);
            }
            range[i] = strtoul(at, &end, 10);
            at = end;
            if (i == 0 && *at != '-') {
                range[1] = range[0];
                break;
            }
            at += i == 0;
        }
        if (range[1] < range[0] || range[1] >= count) {
            return fault_set(fault, FAULT_INVALID, NULL, "'index:%s': the file has vertices 0 to %u", text,
                             count ? count - 1 : 0);
        }
        for (unsigned long i = range[0]; i <= range[1]; i++) {
            const uint32_t vertex =
                mesh->vertex_of && mesh->file_vertex_count ? mesh->vertex_of[i] : (uint32_t)i;
            if (vertex == MESH_NONE) {
                return fault_set(fault, FAULT_INVALID, NULL,
                                 "'index:%s': vertex %lu belongs to no triangle or tetrahedron", text, i);
            }
            marked[vertex] = 1;
        }
        if (*at == '\0') {
            return true;
        }
        if (*at++ != ',') {
            return fault_set(fault, FAULT_INVALID, NULL,
                             "'index:%s' needs numbers from 0 and ranges: index:0,5-9", text);
        }
    }
}

// Half of a middling edge, so that a row of vertices is taken and the one next to it is not.
static double half_edge(const struct mesh *mesh)
{
    double sum = 0;
    size_t count = 0;
    const uint32_t *elements = mesh->triangle_count ? mesh->triangles : mesh->tets;
    const size_t corners = mesh->triangle_count ? 3 : 4;
    const size_t elements_count = mesh->triangle_count ? mesh->triangle_count : mesh->tet_count;
    for (size_t e = 0; e < elements_count; e++) {
        for (size_t k = 0; k < corners; k++) {
            const double *a = position(mesh, elements[corners * e + k]);
            const double *b = position(mesh, elements[corners * e + (k + 1) % corners]);
            const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
            sum += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            count++;
        }
    }
    return count ? 0.5 * sum / (double)count : 0;
}

// The vertices that lie farthest along an axis: within 2 % of the extent, and half an edge.
static bool pick_edge(const struct mesh *mesh, int axis, double sign, uint8_t *marked, struct fault *fault)
{
    struct mesh_bounds bounds;
    mesh_bounds(mesh, &bounds);
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, bounds.high[k] - bounds.low[k]);
    }
    const double extent = bounds.high[axis] - bounds.low[axis];
    if (!(extent > 1e-6 * size)) {
        return fault_set(
            fault, FAULT_INVALID, NULL,
            "the mesh is level along %c: it has no edge there; pick one with edge:+x, -x, +z, -z or a box",
            "xyz"[axis]);
    }
    const double limit = (sign > 0 ? bounds.high[axis] : -bounds.low[axis]) -
                         fmin(0.02 * extent, 0.5 * half_edge(mesh) + 1e-9 * size);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        marked[i] |= sign * position(mesh, i)[axis] >= limit;
    }
    return true;
}

// The two ends of the top edge along the level direction in which the mesh is longest.
static bool pick_top_corners(const struct mesh *mesh, uint8_t *marked, struct fault *fault)
{
    struct mesh_bounds bounds;
    uint8_t *top = calloc((size_t)mesh->vertex_count + 1, 1);
    if (!top) {
        return mesh_fail_memory(fault);
    }
    if (!pick_edge(mesh, 1, 1, top, fault)) {
        free(top);
        return false;
    }
    mesh_bounds(mesh, &bounds);
    const int along = bounds.high[0] - bounds.low[0] >= bounds.high[2] - bounds.low[2] ? 0 : 2;
    uint32_t low = MESH_NONE, high = MESH_NONE;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        if (!top[i]) {
            continue;
        }
        if (low == MESH_NONE || position(mesh, i)[along] < position(mesh, low)[along]) {
            low = i;
        }
        if (high == MESH_NONE || position(mesh, i)[along] > position(mesh, high)[along]) {
            high = i;
        }
    }
    free(top);
    marked[low] = marked[high] = 1;
    return true;
}

static bool pick(const struct mesh *mesh, const char *text, uint8_t *marked, struct fault *fault)
{
    if (strncmp(text, "box:", 4) == 0) {
        return pick_box(mesh, text + 4, marked, fault);
    }
    if (strncmp(text, "sphere:", 7) == 0) {
        return pick_sphere(mesh, text + 7, marked, fault);
    }
    if (strncmp(text, "index:", 6) == 0) {
        return pick_index(mesh, text + 6, marked, fault);
    }
    if (strcmp(text, "top-edge") == 0) {
        return pick_edge(mesh, 1, 1, marked, fault);
    }
    if (strcmp(text, "top-corners") == 0) {
        return pick_top_corners(mesh, marked, fault);
    }
    if (strncmp(text, "edge:", 5) == 0 && strlen(text) == 7 && strchr("+-", text[5]) &&
        strchr("xyz", text[6])) {
        return pick_edge(mesh, text[6] - 'x', text[5] == '+' ? 1 : -1, marked, fault);
    }
    if (strcmp(text, "all") == 0) {
        memset(marked, 1, mesh->vertex_count);
        return true;
    }
    return fault_set(
        fault, FAULT_INVALID, NULL,
        "'%.100s' picks nothing; say box:x0,y0,z0,x1,y1,z1, sphere:x,y,z,r, index:0,5-9, top-edge, "
        "top-corners, edge:+x (-x, +y, ...) or all",
        text);
}

bool mesh_pick(const struct mesh *mesh, const char *text, uint8_t *marked, struct fault *fault)
{
    bool ok = false;
    uint8_t *picked = calloc((size_t)mesh->vertex_count + 1, 1);
    if (!picked) {
        return mesh_fail_memory(fault);
    }
    if (pick(mesh, text, picked, fault)) {
        ok = memchr(picked, 1, mesh->vertex_count) ||
             fault_set(fault, FAULT_INVALID, NULL, "'%.100s' picks no vertex", text);
        for (uint32_t i = 0; ok && i < mesh->vertex_count; i++) {
            marked[i] |= picked[i];
        }
    }
    free(picked);
    return ok;
}
