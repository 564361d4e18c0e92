// Which way round: neighbours alike, closed components outwards, cavities inwards, tetrahedra with positive volume.
//
//     sides by edge ──▶ neighbours ──▶ components, each turned with the fewest flips ──▶ closed ones by their volume
//
// A closed component that lies within another is a cavity if the file has it the other way round than what is around
// it; so a hollow ball stays hollow, also where the file has everything inside out.
#include "edges.h"
#include "internal.h"
#include "protocol/array/reserve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED_MAX = 256 }; // with more components none is looked at as a cavity

struct component {
    uint32_t first, count; // in order[]
    bool open;
    bool flip;
    double volume; // signed, as turned so far
    struct mesh_bounds bounds;
};

struct orient {
    struct mesh *mesh;
    struct mesh_shape *shape;
    struct mesh_side *sides;
    size_t side_count;
    uint32_t *neighbors; // 3 a triangle: the other one at a side; MESH_NONE
    uint8_t *against;    // 3 a triangle: that one goes along the side the same way, so one must be turned
    uint8_t *turned;
    uint32_t *component_of;
    uint32_t *order; // triangles by component
    struct component *components;
    size_t component_capacity;
};

// ---------------------------------------------------------------------------------------------------------
// Neighbours and components

static int side_of(const struct mesh *mesh, const struct mesh_side *side)
{
    const uint32_t *triangle = mesh->triangles + 3 * (size_t)side->triangle;
    for (int k = 0; k < 3; k++) {
        const uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
        if ((a == side->low && b == side->high) || (a == side->high && b == side->low)) {
            return k;
        }
    }
    return 0;
}

static void find_neighbors(struct orient *orient)
{
    for (size_t i = 0; i < orient->side_count; i++) {
        orient->neighbors[i] = MESH_NONE;
    }
    for (size_t i = 0, n; i < orient->side_count; i += n) {
        n = mesh_sides_of_edge(orient->sides, orient->side_count, i);
        if (n != 2) {
            continue;
        }
        const struct mesh_side *a = &orient->sides[i], *b = &orient->sides[i + 1];
        const size_t at_a = 3 * (size_t)a->triangle + (size_t)side_of(orient->mesh, a);
        const size_t at_b = 3 * (size_t)b->triangle + (size_t)side_of(orient->mesh, b);
        orient->neighbors[at_a] = b->triangle;
        orient->neighbors[at_b] = a->triangle;
        orient->against[at_a] = orient->against[at_b] = a->upward == b->upward;
    }
}

// The component of a triangle: all that can be reached, each turned so that it agrees with where it was reached from.
static void spread(struct orient *orient, uint32_t from, uint32_t id, uint32_t *placed)
{
    struct component *component = &orient->components[id];
    bool one_sided = false;
    uint32_t turned = 0;
    *component = (struct component){.first = *placed};
    orient->component_of[from] = id;
    orient->order[(*placed)++] = from;
    for (uint32_t at = component->first; at < *placed; at++) {
        const uint32_t triangle = orient->order[at];
        turned += orient->turned[triangle];
        for (int k = 0; k < 3; k++) {
            const size_t side = 3 * (size_t)triangle + (size_t)k;
            const uint32_t other = orient->neighbors[side];
            if (other == MESH_NONE) {
                continue;
            } else if (orient->component_of[other] == MESH_NONE) {
                orient->component_of[other] = id;
                orient->turned[other] = orient->turned[triangle] ^ orient->against[side];
                orient->order[(*placed)++] = other;
            } else if (orient->turned[other] != (orient->turned[triangle] ^ orient->against[side])) {
                one_sided = true;
            }
        }
    }
    component->count = *placed - component->first;
    orient->shape->one_sided += one_sided;
    component->open = one_sided;
    for (uint32_t at = component->first; turned > component->count / 2 && at < *placed; at++) {
        orient->turned[orient->order[at]] ^= 1;
    }
}

static bool find_components(struct orient *orient)
{
    uint32_t placed = 0;
    for (uint32_t t = 0; t < orient->mesh->triangle_count; t++) {
        orient->component_of[t] = MESH_NONE;
    }
    for (uint32_t t = 0; t < orient->mesh->triangle_count; t++) {
        if (orient->component_of[t] != MESH_NONE) {
            continue;
        }
        const uint32_t id = orient->shape->components;
        if (!array_reserve(&orient->components, &orient->component_capacity, id + 1)) {
            return false;
        }
        spread(orient, t, id, &placed);
        orient->shape->components++;
    }
    return true;
}

static void turn(struct orient *orient)
{
    for (uint32_t t = 0; t < orient->mesh->triangle_count; t++) {
        uint32_t *triangle = orient->mesh->triangles + 3 * (size_t)t;
        if (orient->turned[t]) {
            const uint32_t second = triangle[1];
            triangle[1] = triangle[2];
            triangle[2] = second;
            mesh_look_turn(orient->mesh, t);
            orient->shape->flipped++;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Inside and outside

static const double *corner(const struct mesh *mesh, uint32_t triangle, int k)
{
    return mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)k];
}

static void measure_component(const struct orient *orient, struct component *component)
{
    const struct mesh *mesh = orient->mesh;
    const double *origin = corner(mesh, orient->order[component->first], 0);
    component->volume = 0;
    component->bounds =
        (struct mesh_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t at = component->first; at < component->first + component->count; at++) {
        const uint32_t triangle = orient->order[at];
        const double volume = mesh_tet_volume(origin, corner(mesh, triangle, 0), corner(mesh, triangle, 1),
                                              corner(mesh, triangle, 2));
        component->volume += orient->turned[triangle] ? -volume : volume;
        for (int k = 0; k < 3; k++) {
            const double *point = corner(mesh, triangle, k);
            for (int axis = 0; axis < 3; axis++) {
                component->bounds.low[axis] = fmin(component->bounds.low[axis], point[axis]);
                component->bounds.high[axis] = fmax(component->bounds.high[axis], point[axis]);
            }
        }
    }
}

// Solid angle of a component seen from a point, as a share of the whole: 1 or -1 inside, 0 outside. (Van Oosterom and
// Strackee 1983.)
static double winding_of(const struct orient *orient, const struct component *component,
                         const double point[3])
{
    double sum = 0;
    for (uint32_t at = component->first; at < component->first + component->count; at++) {
        const uint32_t triangle = orient->order[at];
        double v[3][3], length[3];
        for (int k = 0; k < 3; k++) {
            const double *p = corner(orient->mesh, triangle, k);
            for (int axis = 0; axis < 3; axis++) {
                v[k][axis] = p[axis] - point[axis];
            }
            length[k] = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2]);
        }
        const double origin[3] = {0};
        const double six = 6 * mesh_tet_volume(origin, v[0], v[1], v[2]);
        double below = length[0] * length[1] * length[2];
        for (int k = 0; k < 3; k++) {
            const double *a = v[k], *b = v[(k + 1) % 3];
            below += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * length[(k + 2) % 3];
        }
        const double angle = 2 * atan2(six, below);
        sum += orient->turned[triangle] ? -angle : angle;
    }
    return sum / (4 * 3.14159265358979323846);
}

static bool lies_within(const struct orient *orient, const struct component *inner,
                        const struct component *outer)
{
    const double *point = corner(orient->mesh, orient->order[inner->first], 0);
    for (int axis = 0; axis < 3; axis++) {
        if (point[axis] < outer->bounds.low[axis] || point[axis] > outer->bounds.high[axis]) {
            return false;
        }
    }
    return fabs(winding_of(orient, outer, point)) > 0.5;
}

static int by_size(const void *left, const void *right)
{
    const struct component *a = *(struct component *const *)left, *b = *(struct component *const *)right;
    return (fabs(a->volume) < fabs(b->volume)) - (fabs(a->volume) > fabs(b->volume));
}

// Largest first, so that what is around a component has been decided before it.
static bool face_outward(struct orient *orient)
{
    const uint32_t count = orient->shape->components;
    struct component **closed = malloc(((size_t)count + 1) * sizeof(struct component *));
    uint32_t closed_count = 0;
    if (!closed) {
        return false;
    }
    for (uint32_t c = 0; c < count; c++) {
        if (!orient->components[c].open) {
            measure_component(orient, &orient->components[c]);
            closed[closed_count++] = &orient->components[c];
        }
    }
    qsort((void *)closed, closed_count, sizeof(struct component *), by_size);
    for (uint32_t i = 0; i < closed_count; i++) {
        const struct component *around = NULL;
        uint32_t depth = 0;
        for (uint32_t j = 0; j < i && closed_count <= NESTED_MAX; j++) {
            if (lies_within(orient, closed[i], closed[j])) {
                around = closed[j];
                depth++;
            }
        }
        closed[i]->flip = depth % 2 && around ? around->flip : closed[i]->volume < 0;
    }
    for (uint32_t t = 0; t < orient->mesh->triangle_count; t++) {
        orient->turned[t] ^= orient->components[orient->component_of[t]].flip;
    }
    free((void *)closed);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// What is left over

// A side that no other one answers, as its triangle goes.
struct rim {
    uint32_t from, to;
    bool used;
};

static int rim_compare(const void *left, const void *right)
{
    const struct rim *a = left, *b = right;
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

static uint32_t next_rim(const struct rim *rims, uint32_t count, uint32_t from)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rims[middle].from < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low < count && rims[low].from == from && rims[low].used) {
        low++;
    }
    return low < count && rims[low].from == from ? low : MESH_NONE;
}

// Areas of the openings: of each loop of rims the length of 1/2 sum p x q, which a crack has next to none of.
static double hole_area(const struct mesh *mesh, struct rim *rims, uint32_t count)
{
    double area = 0;
    qsort(rims, count, sizeof *rims, rim_compare);
    for (uint32_t i = 0; i < count; i++) {
        double sum[3] = {0};
        const double *origin = mesh->positions + 3 * (size_t)rims[i].from;
        for (uint32_t at = i; at != MESH_NONE && !rims[at].used; at = next_rim(rims, count, rims[at].to)) {
            const double *p = mesh->positions + 3 * (size_t)rims[at].from;
            const double *q = mesh->positions + 3 * (size_t)rims[at].to;
            const double u[3] = {p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]};
            const double v[3] = {q[0] - origin[0], q[1] - origin[1], q[2] - origin[2]};
            sum[0] += u[1] * v[2] - u[2] * v[1];
            sum[1] += u[2] * v[0] - u[0] * v[2];
            sum[2] += u[0] * v[1] - u[1] * v[0];
            rims[at].used = true;
        }
        area += 0.5 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    }
    return area;
}

static bool measure_rims(struct orient *orient)
{
    struct rim *rims = NULL;
    size_t capacity = 0;
    uint32_t count = 0;
    for (size_t i = 0, n; i < orient->side_count; i += n) {
        const struct mesh_side *side = &orient->sides[i];
        int64_t balance = 0;
        n = mesh_sides_of_edge(orient->sides, orient->side_count, i);
        for (size_t k = 0; k < n; k++) {
            balance += side[k].upward != orient->turned[side[k].triangle] ? 1 : -1;
        }
        orient->shape->boundary_edges += n == 1;
        orient->shape->nonmanifold_edges += n > 2;
        const uint64_t left = (uint64_t)(balance < 0 ? -balance : balance);
        if (!array_reserve(&rims, &capacity, count + left)) {
            free(rims);
            return false;
        }
        for (uint64_t k = 0; k < left; k++) {
            rims[count++] = (struct rim){.from = balance > 0 ? side->low : side->high,
                                         .to = balance > 0 ? side->high : side->low};
        }
    }
    orient->shape->hole_area = count ? hole_area(orient->mesh, rims, count) : 0;
    free(rims);
    return true;
}

static void measure(const struct mesh *mesh, struct mesh_shape *shape)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const double *a = corner(mesh, t, 0), *b = corner(mesh, t, 1), *c = corner(mesh, t, 2);
        const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                     v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        shape->area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        shape->volume += mesh_tet_volume(corner(mesh, 0, 0), a, b, c);
    }
}

static void orient_tets(struct mesh *mesh, struct mesh_shape *shape)
{
    for (uint32_t t = 0; t < mesh->tet_count; t++) {
        uint32_t *tet = mesh->tets + 4 * (size_t)t;
        const double volume =
            mesh_tet_volume(mesh->positions + 3 * (size_t)tet[0], mesh->positions + 3 * (size_t)tet[1],
                            mesh->positions + 3 * (size_t)tet[2], mesh->positions + 3 * (size_t)tet[3]);
        if (volume < 0) {
            const uint32_t first = tet[0];
            tet[0] = tet[1];
            tet[1] = first;
            shape->flipped++;
        }
        shape->flat_tets += volume == 0;
    }
}

bool mesh_orient(struct mesh *mesh, struct mesh_shape *shape, struct fault *fault)
{
    const size_t triangles = (size_t)mesh->triangle_count + 1;
    struct orient orient = {.mesh = mesh, .shape = shape, .side_count = 3 * (size_t)mesh->triangle_count};
    bool ok = false;
    memset(shape, 0, sizeof *shape);
    orient_tets(mesh, shape);
    orient.sides = mesh_sides(mesh);
    orient.neighbors = malloc(3 * triangles * sizeof *orient.neighbors);
    orient.against = calloc(3 * triangles, 1);
    orient.turned = calloc(triangles, 1);
    orient.component_of = malloc(triangles * sizeof *orient.component_of);
    orient.order = malloc(triangles * sizeof *orient.order);
    if (!orient.sides || !orient.neighbors || !orient.against || !orient.turned || !orient.component_of ||
        !orient.order) {
        goto cleanup;
    }
    find_neighbors(&orient);
    if (!find_components(&orient)) {
        goto cleanup;
    }
    for (size_t i = 0; i < orient.side_count; i++) {
        if (orient.neighbors[i] == MESH_NONE) {
            orient.components[orient.component_of[i / 3]].open = true;
        }
    }
    if (!face_outward(&orient) || !measure_rims(&orient)) {
        goto cleanup;
    }
    turn(&orient);
    measure(mesh, shape);
    ok = true;

cleanup:
    free(orient.sides);
    free(orient.neighbors);
    free(orient.against);
    free(orient.turned);
    free(orient.component_of);
    free(orient.order);
    free(orient.components);
    return ok || mesh_fail_memory(fault);
}
