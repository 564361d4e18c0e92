// Halfedges: how they are made of triangles, and the three changes of a surface.
#include "edges.h"
#include "halves.h"
#include "protocol/array/reserve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Making

static bool check_finite(const struct mesh *mesh, struct fault *fault)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        if (!isfinite(mesh->positions[i])) {
            return fault_set(fault, FAULT_INVALID, "positions",
                             "vertex %zu is not finite; it must be to be remeshed", i / 3);
        }
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        const uint32_t *corner = mesh->triangles + (i - i % 3);
        if (mesh->triangles[i] >= mesh->vertex_count || mesh->triangles[i] == corner[(i + 1) % 3]) {
            return fault_set(fault, FAULT_INVALID, "triangles",
                             "triangle %zu needs three different vertices below %u to be remeshed", i / 3,
                             mesh->vertex_count);
        }
    }
    return true;
}

static uint32_t half_of(const struct remesh *r, const struct mesh_side *side)
{
    const uint32_t from = side->upward ? side->low : side->high, first = 3 * side->triangle;
    return r->halves[first].from == from ? first : r->halves[first + 1].from == from ? first + 1 : first + 2;
}

static bool find_twins(struct remesh *r, const struct mesh *mesh, struct fault *fault)
{
    struct mesh_side *sides = mesh_sides(mesh);
    uint32_t crowded = 0, against = 0;
    size_t bad = SIZE_MAX;
    if (!sides) {
        return mesh_fail_memory(fault);
    }
    for (size_t i = 0, n; i < r->half_count; i += n) {
        n = mesh_sides_of_edge(sides, r->half_count, i);
        const bool same = n == 2 && sides[i].upward == sides[i + 1].upward;
        crowded += n > 2;
        against += same;
        bad = (n > 2 || same) && bad == SIZE_MAX ? i : bad;
        if (n == 2 && !same) {
            const uint32_t a = half_of(r, &sides[i]), b = half_of(r, &sides[i + 1]);
            r->halves[a].twin = b;
            r->halves[b].twin = a;
        }
    }
    const double *at = mesh->positions + (bad != SIZE_MAX ? 3 * (size_t)sides[bad].low : 0);
    free(sides);
    if (bad != SIZE_MAX) {
        return fault_set(
            fault, FAULT_INVALID, "triangles",
            "%u edges %s, the first of them at %.4g, %.4g, %.4g m; a surface is remeshed only if each edge "
            "has one or two triangles that face the same way",
            crowded ? crowded : against,
            crowded ? "have more than two triangles" : "have two triangles that face opposite ways", at[0],
            at[1], at[2]);
    }
    return true;
}

// The first halfedge of the fan that this one is in.
static uint32_t fan_start(const struct remesh *r, uint32_t half)
{
    for (uint32_t h = half;;) {
        const uint32_t twin = r->halves[h].twin;
        if (twin == MESH_NONE) {
            return h;
        }
        h = remesh_next(twin);
        if (h == half) {
            return half;
        }
    }
}

static bool add_vertex(struct remesh *r, const struct remesh_vertex *vertex)
{
    if (!array_reserve(&r->vertices, &r->vertex_capacity, r->vertex_count + 1) ||
        !array_reserve(&r->marks, &r->mark_capacity, r->vertex_count + 1)) {
        return false;
    }
    r->marks[r->vertex_count] = 0;
    r->vertices[r->vertex_count++] = *vertex;
    return true;
}

// Names a vertex for a fan, the given one if no fan has it yet. False if memory runs out.
static bool name_fan(struct remesh *r, uint32_t given, uint32_t start, uint32_t *name)
{
    struct remesh_vertex *vertex = &r->vertices[given];
    *name = given;
    if (vertex->out == MESH_NONE) {
        vertex->out = start;
        return true;
    }
    const struct remesh_vertex copy = {
        .at = {vertex->at[0], vertex->at[1], vertex->at[2]}, .out = start, .hint = MESH_NONE};
    *name = r->vertex_count;
    r->original[*name] = given;
    return add_vertex(r, &copy);
}

// Gives each fan of triangles a vertex of its own. There is room in `original` for one at each halfedge.
static bool find_fans(struct remesh *r)
{
    uint8_t *seen = calloc((size_t)r->half_count + 1, 1);
    bool good = seen != NULL;
    for (uint32_t h = 0; good && h < r->half_count; h++) {
        uint32_t name = 0, start = seen[h] ? MESH_NONE : fan_start(r, h);
        if (start == MESH_NONE) {
            continue;
        }
        good = name_fan(r, r->halves[h].from, start, &name);
        for (uint32_t g = start; good && g != MESH_NONE;) {
            seen[g] = 1;
            r->halves[g].from = name;
            g = remesh_around(r, g);
            g = g == start ? MESH_NONE : g;
        }
    }
    free(seen);
    r->first_count = r->vertex_count;
    return good;
}

bool remesh_init(struct remesh *r, const struct mesh *mesh, struct fault *fault)
{
    const uint32_t halves = 3 * mesh->triangle_count;
    *r = (struct remesh){.first_count = mesh->vertex_count};
    if (!check_finite(mesh, fault)) {
        return false;
    }
    r->original = malloc(((size_t)mesh->vertex_count + halves + 1) * sizeof *r->original);
    bool good = r->original && array_reserve(&r->halves, &r->half_capacity, halves + 1) &&
                array_reserve(&r->patches, &r->patch_capacity, mesh->triangle_count + 1);
    for (uint32_t v = 0; good && v < mesh->vertex_count; v++) {
        const double *p = mesh->positions + 3 * (size_t)v;
        r->original[v] = v;
        good = add_vertex(
            r, &(struct remesh_vertex){.at = {p[0], p[1], p[2]}, .out = MESH_NONE, .hint = MESH_NONE});
    }
    if (!good) {
        return mesh_fail_memory(fault);
    }
    for (uint32_t h = 0; h < halves; h++) {
        r->halves[h] = (struct remesh_half){.from = mesh->triangles[h], .twin = MESH_NONE};
    }
    r->half_count = halves;
    return find_twins(r, mesh, fault) && (find_fans(r) || mesh_fail_memory(fault));
}

void remesh_deinit(struct remesh *r)
{
    free(r->vertices);
    free(r->halves);
    free(r->patches);
    free(r->marks);
    free(r->original);
    memset(r, 0, sizeof *r);
}

// ---------------------------------------------------------------------------------------------------------
// Changing

uint32_t remesh_valence(const struct remesh *r, uint32_t vertex, bool *border)
{
    const uint32_t first = r->vertices[vertex].out;
    uint32_t count = 0, h = first;
    *border = false;
    do {
        count++;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    *border = h == MESH_NONE;
    return count + *border;
}

static void join(struct remesh *r, uint32_t a, uint32_t b)
{
    if (a != MESH_NONE) {
        r->halves[a].twin = b;
    }
    if (b != MESH_NONE) {
        r->halves[b].twin = a;
    }
}

// One side of a split: the triangle of `half` becomes two, at the vertex `middle`. The new one begins at `fresh`.
static void split_side(struct remesh *r, uint32_t half, uint32_t middle, uint32_t fresh)
{
    const uint32_t next = remesh_next(half), prev = remesh_prev(half), end = r->halves[next].from;
    const uint32_t outside = r->halves[next].twin;
    r->halves[fresh] =
        (struct remesh_half){.from = middle, .twin = MESH_NONE, .curve = r->halves[half].curve};
    r->halves[fresh + 1] = (struct remesh_half){.from = end, .twin = outside, .curve = r->halves[next].curve};
    r->halves[fresh + 2] = (struct remesh_half){.from = r->halves[prev].from, .twin = next};
    r->halves[next] = (struct remesh_half){.from = middle, .twin = fresh + 2};
    join(r, outside, fresh + 1);
    r->patches[fresh / 3] = r->patches[half / 3];
    if (r->vertices[end].out == next) {
        r->vertices[end].out = fresh + 1;
    }
}

bool remesh_split(struct remesh *r, uint32_t half)
{
    const uint32_t twin = r->halves[half].twin, middle = r->vertex_count, fresh = r->half_count;
    const uint32_t sides = twin == MESH_NONE ? 1 : 2;
    const struct remesh_vertex *a = &r->vertices[remesh_from(r, half)], *b = &r->vertices[remesh_to(r, half)];
    struct remesh_vertex vertex = {.out = fresh, .hint = MESH_NONE, .curve = r->halves[half].curve};
    for (int i = 0; i < 3; i++) {
        vertex.at[i] = 0.5 * (a->at[i] + b->at[i]);
    }
    vertex.kind = vertex.curve ? REMESH_CURVE : REMESH_INNER;
    if (!array_reserve(&r->halves, &r->half_capacity, fresh + 3 * sides) ||
        !array_reserve(&r->patches, &r->patch_capacity, fresh / 3 + sides) || !add_vertex(r, &vertex)) {
        return false;
    }
    r->half_count += 3 * sides;
    split_side(r, half, middle, fresh);
    if (twin != MESH_NONE) {
        split_side(r, twin, middle, fresh + 3);
        join(r, half, fresh + 3);
        join(r, fresh, twin);
    }
    return true;
}

// Checks one side of an edge that is to collapse.
static bool side_may_collapse(const struct remesh *r, uint32_t half)
{
    const uint32_t next = remesh_next(half), prev = remesh_prev(half);
    bool border;
    if ((r->halves[next].twin == MESH_NONE && r->halves[prev].twin == MESH_NONE) ||
        (r->halves[next].curve && r->halves[prev].curve)) {
        return false;
    }
    const uint32_t valence = remesh_valence(r, r->halves[prev].from, &border);
    return border || valence > 3;
}

// Marks the neighbours of a vertex, or counts those that are marked.
static uint32_t mark_around(struct remesh *r, uint32_t vertex, bool counts)
{
    const uint32_t first = r->vertices[vertex].out;
    uint32_t count = 0, h = first, last;
    do {
        const uint32_t neighbor = remesh_to(r, h);
        count += r->marks[neighbor] == r->mark;
        r->marks[neighbor] = counts ? r->marks[neighbor] : r->mark;
        last = h;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    if (h == MESH_NONE) {
        const uint32_t neighbor = r->halves[remesh_prev(last)].from;
        count += r->marks[neighbor] == r->mark;
        r->marks[neighbor] = counts ? r->marks[neighbor] : r->mark;
    }
    return count;
}

bool remesh_may_collapse(struct remesh *r, uint32_t half)
{
    const uint32_t twin = r->halves[half].twin, sides = twin == MESH_NONE ? 1 : 2;
    const uint32_t a = remesh_from(r, half), b = remesh_to(r, half);
    if (!side_may_collapse(r, half) || (twin != MESH_NONE && !side_may_collapse(r, twin))) {
        return false;
    }
    r->mark++;
    mark_around(r, a, false);
    return mark_around(r, b, true) == sides;
}

// One side of a collapse: its triangle goes, and the two triangles beyond it become neighbours. Returns a halfedge that leaves
// the vertex that stays.
static uint32_t collapse_side(struct remesh *r, uint32_t half)
{
    const uint32_t next = remesh_next(half), prev = remesh_prev(half), across = r->halves[prev].from;
    const uint32_t coming = r->halves[next].twin, going = r->halves[prev].twin;
    const uint32_t curve = r->halves[next].curve ? r->halves[next].curve : r->halves[prev].curve;
    join(r, coming, going);
    if (coming != MESH_NONE) {
        r->halves[coming].curve = curve;
    }
    if (going != MESH_NONE) {
        r->halves[going].curve = curve;
    }
    if (r->vertices[across].out == prev) {
        r->vertices[across].out = coming;
    }
    r->halves[half].from = r->halves[next].from = r->halves[prev].from = MESH_NONE;
    return going != MESH_NONE ? going : remesh_next(coming);
}

void remesh_collapse(struct remesh *r, uint32_t half, bool back)
{
    const uint32_t twin = r->halves[half].twin, a = remesh_from(r, half), b = remesh_to(r, half);
    const uint32_t gone = back ? b : a, stays = back ? a : b;
    uint32_t h = r->vertices[gone].out;
    const uint32_t first = h;
    do {
        r->halves[h].from = stays;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    const uint32_t leaves = collapse_side(r, half);
    if (twin != MESH_NONE) {
        collapse_side(r, twin);
    }
    r->vertices[stays].out = fan_start(r, leaves);
    r->vertices[gone].out = MESH_NONE;
}

bool remesh_may_flip(const struct remesh *r, uint32_t half)
{
    const uint32_t twin = r->halves[half].twin;
    if (r->halves[half].curve || twin == MESH_NONE) {
        return false;
    }
    const uint32_t c = r->halves[remesh_prev(half)].from, d = r->halves[remesh_prev(twin)].from;
    const uint32_t first = r->vertices[c].out;
    uint32_t h = first, last;
    do {
        if (remesh_to(r, h) == d) {
            return false;
        }
        last = h;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    return c != d && (h != MESH_NONE || r->halves[remesh_prev(last)].from != d);
}

void remesh_flip(struct remesh *r, uint32_t half)
{
    const uint32_t twin = r->halves[half].twin;
    const uint32_t hn = remesh_next(half), hp = remesh_prev(half), gn = remesh_next(twin),
                   gp = remesh_prev(twin);
    const struct remesh_half bc = r->halves[hn], ca = r->halves[hp], ad = r->halves[gn], db = r->halves[gp];
    const uint32_t a = ad.from, b = bc.from, c = ca.from, d = db.from;
    r->halves[half].from = c;
    r->halves[hn] = db;
    r->halves[hp] = bc;
    r->halves[twin].from = d;
    r->halves[gn] = ca;
    r->halves[gp] = ad;
    join(r, hn, db.twin);
    join(r, hp, bc.twin);
    join(r, gn, ca.twin);
    join(r, gp, ad.twin);
    struct remesh_vertex *v = r->vertices;
    v[a].out = v[a].out == half || v[a].out == gn ? gp : v[a].out;
    v[b].out = v[b].out == twin || v[b].out == hn ? hp : v[b].out;
    v[c].out = v[c].out == hp ? gn : v[c].out;
    v[d].out = v[d].out == gp ? hn : v[d].out;
}
