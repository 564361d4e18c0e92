// The passes of remeshing (M. Botsch, L. Kobbelt, "A Remeshing Approach to Multiresolution Modeling", Symposium on Geometry
// Processing 2004): long edges are split, short ones collapse, edges are flipped towards six at each vertex, and vertices move
// along the surface. All go by number, so the result depends on nothing but the mesh.
#include "halves.h"

#include <math.h>

static const double AGREES = 0.5; // the cosine between a triangle's normal before a change and after
static const double FLAT = 0.02;  // twice an area, over the square of the longest side: less is a sliver
static const double MOVES = 0.9;  // of the way to the middle of the neighbours
enum { WIDE = 512 };              // edges at a vertex that a change may make

// ---------------------------------------------------------------------------------------------------------
// Splitting and collapsing

static double square_of(const struct remesh *r, uint32_t half)
{
    return remesh_square(remesh_at(r, remesh_from(r, half)), remesh_at(r, remesh_to(r, half)));
}

static bool is_longest_side(const struct remesh *r, uint32_t half)
{
    const double square = square_of(r, half);
    return square >= square_of(r, remesh_next(half)) && square >= square_of(r, remesh_prev(half));
}

// Only an edge that is the longest side of both its triangles is split (M.-C. Rivara 1997): what comes of others may stay as long.
static bool may_split(const struct remesh *r, uint32_t half, double longest)
{
    const uint32_t twin = r->halves[half].twin;
    return r->halves[half].from != MESH_NONE && (twin == MESH_NONE || half < twin) &&
           square_of(r, half) > longest * longest && is_longest_side(r, half) &&
           (twin == MESH_NONE || is_longest_side(r, twin));
}

bool remesh_split_long(struct remesh *r, double longest, uint32_t vertices_max, struct fault *fault)
{
    for (uint32_t before = 0; before != r->half_count;) {
        before = r->half_count;
        for (uint32_t h = 0; h < r->half_count; h++) {
            if (!may_split(r, h, longest)) {
                continue;
            }
            if (r->vertex_count >= vertices_max) {
                return fault_set(
                    fault, FAULT_LIMIT, "length",
                    "edges of %.3g m need more than %u vertices here; a length of %.3g m needs fewer",
                    r->length, vertices_max, 2 * r->length);
            }
            if (!remesh_split(r, h)) {
                return mesh_fail_memory(fault);
            }
        }
    }
    return true;
}

// Whether the triangles about a vertex keep their sides, and its edges their bounds, if it moves to a place. The triangles that
// have `gone` are left out.
static bool fan_may_move(const struct remesh *r, uint32_t vertex, const double to[3], uint32_t gone,
                         double longest)
{
    const uint32_t first = r->vertices[vertex].out;
    uint32_t h = first, edges = 0;
    do {
        const uint32_t next = remesh_to(r, h), last = r->halves[remesh_prev(h)].from;
        const double *b = remesh_at(r, next), *c = remesh_at(r, last);
        h = remesh_around(r, h);
        if (next == gone || last == gone) {
            continue;
        }
        double before[3], after[3];
        remesh_normal(remesh_at(r, vertex), b, c, before);
        remesh_normal(to, b, c, after);
        const double was = sqrt(remesh_dot(before, before)), is = sqrt(remesh_dot(after, after));
        const double ab = remesh_square(to, b), ac = remesh_square(to, c);
        const double side = fmax(fmax(ab, ac), remesh_square(b, c));
        const double side_was =
            fmax(fmax(remesh_square(remesh_at(r, vertex), b), remesh_square(remesh_at(r, vertex), c)),
                 remesh_square(b, c));
        const bool sliver = is < FLAT * side && is * side_was <= was * side;
        if (sliver || ab > longest * longest || ac > longest * longest ||
            (was > FLAT * FLAT * side_was && remesh_dot(before, after) < AGREES * was * is)) {
            return false;
        }
    } while (h != MESH_NONE && h != first && ++edges < WIDE);
    return edges < WIDE;
}

// The edge becomes one vertex, the one that stays. False if that one cannot, or may not.
static bool collapse_one(struct remesh *r, uint32_t half, bool back)
{
    const uint32_t from = remesh_from(r, half), to = remesh_to(r, half);
    const uint32_t gone = back ? to : from, stays = back ? from : to;
    const struct remesh_vertex *a = &r->vertices[gone], *b = &r->vertices[stays];
    if (a->kind == REMESH_CORNER || (a->kind == REMESH_CURVE && !r->halves[half].curve)) {
        return false;
    }
    double place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = a->kind == b->kind ? 0.5 * (a->at[i] + b->at[i]) : b->at[i];
    }
    if (!remesh_may_collapse(r, half) || !fan_may_move(r, gone, place, stays, r->longest) ||
        !fan_may_move(r, stays, place, gone, r->longest)) {
        return false;
    }
    remesh_collapse(r, half, back);
    for (int i = 0; i < 3; i++) {
        r->vertices[stays].at[i] = place[i];
    }
    return true;
}

uint32_t remesh_collapse_short(struct remesh *r)
{
    uint32_t count = 0;
    for (uint32_t h = 0; h < r->half_count; h++) {
        const uint32_t twin = r->halves[h].twin;
        if (r->halves[h].from != MESH_NONE && (twin == MESH_NONE || h < twin) &&
            square_of(r, h) < r->shortest * r->shortest &&
            (collapse_one(r, h, false) || collapse_one(r, h, true))) {
            count++;
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------
// Flipping

static int off_by(int valence, bool border)
{
    const int off = valence - (border ? 4 : 6);
    return off * off;
}

// How much nearer to six edges the four vertices come.
static int valence_gain(const struct remesh *r, const uint32_t v[4])
{
    static const int change[4] = {-1, -1, 1, 1};
    int gain = 0;
    for (int i = 0; i < 4; i++) {
        bool border;
        const int valence = (int)remesh_valence(r, v[i], &border);
        gain += off_by(valence, border) - off_by(valence + change[i], border);
    }
    return gain;
}

static bool shapes_allow(const struct remesh *r, const uint32_t v[4], bool *repairs)
{
    const double *a = remesh_at(r, v[0]), *b = remesh_at(r, v[1]), *c = remesh_at(r, v[2]),
                 *d = remesh_at(r, v[3]);
    double n[4][3], length[4];
    remesh_normal(a, b, c, n[0]);
    remesh_normal(b, a, d, n[1]);
    remesh_normal(c, d, b, n[2]);
    remesh_normal(d, c, a, n[3]);
    double worst[2] = {INFINITY, INFINITY};
    for (int i = 0; i < 4; i++) {
        length[i] = sqrt(remesh_dot(n[i], n[i]));
        const double *p = i < 2 ? a : c, *q = i < 2 ? b : d, *s = i == 0 ? c : i == 1 ? d : i == 2 ? b : a;
        const double side = fmax(fmax(remesh_square(p, q), remesh_square(p, s)), remesh_square(q, s));
        worst[i / 2] = fmin(worst[i / 2], side > 0 ? length[i] / side : 0);
    }
    const double sum[3] = {n[0][0] + n[1][0], n[0][1] + n[1][1], n[0][2] + n[1][2]};
    const double whole = sqrt(remesh_dot(sum, sum));
    *repairs = worst[0] < 0.2 && worst[1] > 1.5 * worst[0];
    return worst[1] > fmin(FLAT, worst[0]) && remesh_dot(n[2], sum) > AGREES * length[2] * whole &&
           remesh_dot(n[3], sum) > AGREES * length[3] * whole;
}

static bool flip_helps(const struct remesh *r, uint32_t half)
{
    const uint32_t twin = r->halves[half].twin;
    const uint32_t v[4] = {remesh_from(r, half), remesh_to(r, half), r->halves[remesh_prev(half)].from,
                           r->halves[remesh_prev(twin)].from};
    bool repairs;
    if (!shapes_allow(r, v, &repairs)) {
        return false;
    }
    const int gain = valence_gain(r, v);
    const double now = sqrt(square_of(r, half)),
                 then = sqrt(remesh_square(remesh_at(r, v[2]), remesh_at(r, v[3])));
    const bool fits = fabs(then - r->length) < 0.9 * fabs(now - r->length);
    return then <= fmax(now, r->longest) && (repairs || gain > 0 || (gain == 0 && fits));
}

void remesh_flip_edges(struct remesh *r)
{
    for (uint32_t h = 0; h < r->half_count; h++) {
        if (r->halves[h].from != MESH_NONE && r->halves[h].twin != MESH_NONE && h < r->halves[h].twin &&
            remesh_may_flip(r, h) && flip_helps(r, h)) {
            remesh_flip(r, h);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Smoothing

// The middle of the triangles about a vertex, by area, and their normal. The first weight of each is its area.
static void middle_of(const struct remesh *r, uint32_t vertex, double middle[3], double normal[3])
{
    const uint32_t first = r->vertices[vertex].out;
    const double *p = remesh_at(r, vertex);
    double areas = 0, sum[3] = {0};
    uint32_t h = first;
    normal[0] = normal[1] = normal[2] = 0;
    do {
        const double *b = remesh_at(r, remesh_to(r, h)), *c = remesh_at(r, r->halves[remesh_prev(h)].from);
        double n[3];
        remesh_normal(p, b, c, n);
        const double area = sqrt(remesh_dot(n, n));
        for (int i = 0; i < 3; i++) {
            sum[i] += area * (p[i] + b[i] + c[i]) / 3;
            normal[i] += n[i];
        }
        areas += area;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    for (int i = 0; i < 3; i++) {
        middle[i] = areas > 0 ? sum[i] / areas : p[i];
    }
}

static void move_inner(struct remesh *r, uint32_t v, const struct near_tree *surface)
{
    struct remesh_vertex *vertex = &r->vertices[v];
    double middle[3], normal[3], to[3];
    struct near_place place;
    middle_of(r, v, middle, normal);
    const double square = remesh_dot(normal, normal);
    double way[3];
    remesh_apart(middle, vertex->at, way);
    const double out = square > 0 ? remesh_dot(way, normal) / square : 0;
    for (int part = 0; part < 3; part++) {
        const double share = part == 2 ? 0 : part == 1 ? 0.5 * MOVES : MOVES;
        for (int i = 0; i < 3; i++) {
            to[i] = vertex->at[i] + share * (way[i] - out * normal[i]);
        }
        near_find(surface, to, r->patches[vertex->out / 3], square > 0 ? normal : NULL, vertex->hint, &place);
        if (place.item != MESH_NONE && fan_may_move(r, v, place.at, MESH_NONE, INFINITY)) {
            vertex->hint = place.item;
            for (int i = 0; i < 3; i++) {
                vertex->at[i] = place.at[i];
            }
            return;
        }
    }
}

static void move_curve(struct remesh *r, uint32_t v, const struct near_tree *curves)
{
    struct remesh_vertex *vertex = &r->vertices[v];
    const uint32_t first = vertex->out;
    uint32_t h = first, last, count = 0;
    double sum[3] = {0};
    do {
        for (int i = 0; r->halves[h].curve && i < 3; i++) {
            sum[i] += remesh_at(r, remesh_to(r, h))[i];
        }
        count += r->halves[h].curve != 0;
        last = h;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    for (int i = 0; h == MESH_NONE && i < 3; i++) {
        sum[i] += remesh_at(r, r->halves[remesh_prev(last)].from)[i];
    }
    count += h == MESH_NONE;
    for (int part = 0; count == 2 && part < 3; part++) {
        const double share = part == 2 ? 0 : part == 1 ? 0.5 * MOVES : MOVES;
        struct near_place place;
        double to[3];
        for (int i = 0; i < 3; i++) {
            to[i] = vertex->at[i] + share * (0.5 * sum[i] - vertex->at[i]);
        }
        near_find(curves, to, vertex->curve, NULL, vertex->hint, &place);
        if (place.item != MESH_NONE && fan_may_move(r, v, place.at, MESH_NONE, INFINITY)) {
            vertex->hint = place.item;
            for (int i = 0; i < 3; i++) {
                vertex->at[i] = place.at[i];
            }
            return;
        }
    }
}

void remesh_smooth(struct remesh *r, const struct near_tree *surface, const struct near_tree *curves)
{
    for (uint32_t v = 0; v < r->vertex_count; v++) {
        if (r->vertices[v].out == MESH_NONE) {
            continue;
        }
        if (r->vertices[v].kind == REMESH_INNER) {
            move_inner(r, v, surface);
        } else if (r->vertices[v].kind == REMESH_CURVE) {
            move_curve(r, v, curves);
        }
    }
}
