// Approximate convex decomposition: cuts a solid into pieces that are nearly convex, and takes their hulls.
//
//     pieces = the solid
//     while a piece is far from its hull, and there are not too many:     by volume, or by depth
//         cut it where the hulls of both sides hold least that is not of the solid
//     while there are too many, or two make one without much loss:
//         merge the two hulls that add the least volume
//
// Cuts are along three axes, as those of V-HACD (Mamou, Lengyel, Peters 2016) and CoACD (Wei, Liu, Ling, Su 2022) are, but the surface
// itself is cut, and not a grid of voxels. The axes are those of the largest flat faces, so that a box that stands askew is cut along its
// sides. The hull of what a solid has in a box is that of its surface there and of the corners of the box that are inside of the
// solid, so no cut has to be filled.
#include "convex.h"
#include "internal.h"

#include "protocol/array/reserve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 2 * MESH_HULLS_MAX };
static const double NEAR = 2e-4;   // of the extent: what hulls may leave out
static const double TINY = 1e-9;   // of the extent: what is no farther from a plane lies in it
static const double BULK = 5e-3;   // of the volume: what the hull of a piece may hold too much
static const double DEEP = 1e-2;   // of the extent: how far the surface of a piece may be inside its hull
static const double LOSS = 1e-3;   // of the volume: what a hull that replaces two may hold more than both
static const double THIN = 2e-3;   // of the farthest vertex: how near to a face the middle of a hull may be
static const double SPECK = 1e-7;  // of the volume: what is less is no piece
static const double GAIN = 0.2;    // of what a hull holds too much: a cut that gains less is no good one
static const double SAME = 0.9999; // cosine: normals of one direction
enum { DIRECTIONS = 64 };

struct state {
    double axes[3][3]; // of the cuts, as rows
    struct mesh_winding *winding;
    double centre[3]; // the origin of pieces
    struct mesh_piece pieces[PIECES_MAX];
    uint32_t count;
    double volume, extent; // m^3 and m, of the solid
    uint32_t most;         // hulls that are wanted
    const struct mesh_watch *watch;
    struct fault *fault;
};

// ---------------------------------------------------------------------------------------------------------
// The frame

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// The area vector of a triangle, twice as long, and its length.
static double area_vector(const struct mesh *mesh, size_t triangle, double n[3])
{
    const uint32_t *c = mesh->triangles + 3 * triangle;
    const double *p = mesh->positions + 3 * (size_t)c[0], *q = mesh->positions + 3 * (size_t)c[1],
                 *r = mesh->positions + 3 * (size_t)c[2];
    const double u[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]},
                 v[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    cross(u, v, n);
    return sqrt(dot(n, n));
}

// The direction that the greatest area faces, either way, among those at a right angle to `to` (NULL: among all). The first DIRECTIONS
// ones that triangles have are told apart. False if none has a tenth of the area.
static bool direction_find(const struct mesh *mesh, const double *to, double out[3])
{
    struct {
        double normal[3], area;
    } found[DIRECTIONS];
    uint32_t count = 0;
    double total = 0, best = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double n[3];
        const double area = area_vector(mesh, t, n);
        total += area;
        if (!(area > 0) || (to && fabs(dot(n, to)) > sqrt(1 - SAME * SAME) * area)) {
            continue;
        }
        uint32_t i = 0;
        while (i < count && fabs(dot(found[i].normal, n)) < SAME * area) {
            i++;
        }
        if (i == count && count < DIRECTIONS) {
            for (int axis = 0; axis < 3; axis++) {
                found[i].normal[axis] = n[axis] / area;
            }
            found[i].area = 0;
            count++;
        }
        if (i < count) {
            found[i].area += area;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (found[i].area > best) {
            best = found[i].area;
            memcpy(out, found[i].normal, sizeof found[i].normal);
        }
    }
    return best >= 0.1 * total;
}

static void axes_find(const struct mesh *mesh, double axes[3][3])
{
    static const double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(axes, own, sizeof own);
    double first[3], second[3];
    if (!direction_find(mesh, NULL, first) || !direction_find(mesh, first, second)) {
        return;
    }
    const double part = dot(first, second); // made a right angle
    for (int axis = 0; axis < 3; axis++) {
        second[axis] -= part * first[axis];
    }
    const double length = sqrt(dot(second, second));
    for (int axis = 0; axis < 3; axis++) {
        axes[0][axis] = first[axis];
        axes[1][axis] = second[axis] / length;
    }
    cross(axes[0], axes[1], axes[2]);
}

static bool is_inside(const void *context, const double point[3])
{
    const struct state *state = context;
    double p[3];
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = state->centre[axis] + point[0] * state->axes[0][axis] + point[1] * state->axes[1][axis] +
                  point[2] * state->axes[2][axis];
    }
    return mesh_winding_at(state->winding, p) > 0.5;
}

// ---------------------------------------------------------------------------------------------------------
// Cutting

static bool whole_take(struct state *state, const struct mesh *mesh)
{
    struct mesh_piece *piece = &state->pieces[0];
    const size_t count = 3 * (size_t)mesh->triangle_count;
    piece->own.corners = malloc((3 * count + 1) * sizeof *piece->own.corners);
    if (!piece->own.corners) {
        return false;
    }
    state->count = 1;
    piece->own.count = mesh->triangle_count;
    piece->own.capacity = 3 * count + 1;
    for (int axis = 0; axis < 3; axis++) {
        piece->low[axis] = INFINITY;
        piece->high[axis] = -INFINITY;
    }
    for (size_t i = 0; i < count; i++) {
        const double *p = mesh->positions + 3 * (size_t)mesh->triangles[i];
        const double d[3] = {p[0] - state->centre[0], p[1] - state->centre[1], p[2] - state->centre[2]};
        for (size_t axis = 0; axis < 3; axis++) {
            const double at = dot(state->axes[axis], d);
            piece->own.corners[3 * i + axis] = at;
            piece->low[axis] = fmin(piece->low[axis], at);
            piece->high[axis] = fmax(piece->high[axis], at);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        state->extent = fmax(state->extent, piece->high[axis] - piece->low[axis]);
    }
    return true;
}

// Above 1 the piece is to be cut.
static double badness(const struct state *state, const struct mesh_piece *piece)
{
    return fmax((piece->hull.volume - piece->volume) / (BULK * state->volume),
                piece->depth / (DEEP * state->extent));
}

static void drop(struct state *state, uint32_t i)
{
    mesh_piece_deinit(&state->pieces[i]);
    memmove(&state->pieces[i], &state->pieces[i + 1], (--state->count - i) * sizeof state->pieces[i]);
}

// The cost of cutting here and then each side where that is best. False if memory runs out.
static bool cost_of_three(const struct state *state, const struct mesh_piece *piece, struct mesh_cut cut,
                          double *cost)
{
    const struct mesh_inside inside = {is_inside, state};
    const double near = NEAR * state->extent, tiny = TINY * state->extent;
    struct mesh_piece sides[2];
    bool good = mesh_piece_cut(piece, cut, tiny, &sides[0], &sides[1]);
    *cost = 0;
    for (int side = 0; side < 2 && good; side++) {
        struct mesh_cut next;
        double least = 0;
        good = mesh_piece_measure(&sides[side], &inside, near) &&
               mesh_piece_best(&sides[side], &inside, near, tiny, &next, &least);
        *cost += fmin(least, fmax(0, sides[side].hull.volume - sides[side].volume));
    }
    mesh_piece_deinit(&sides[0]);
    mesh_piece_deinit(&sides[1]);
    return good;
}

// Finds where to cut a piece. Where one cut gains little, as of a ring, cuts through the middle are tried with a second one.
static bool cut_find(const struct state *state, const struct mesh_piece *piece, struct mesh_cut *cut)
{
    const struct mesh_inside inside = {is_inside, state};
    const double excess = piece->hull.volume - piece->volume;
    double least;
    if (!mesh_piece_best(piece, &inside, NEAR * state->extent, TINY * state->extent, cut, &least)) {
        return false;
    }
    if (cut->axis < 0 || excess - least >= GAIN * excess) {
        return true;
    }
    for (int axis = -1; axis < 3; axis++) {
        const struct mesh_cut first =
            axis < 0 ? *cut : (struct mesh_cut){axis, mesh_piece_middle(piece, axis)};
        double cost;
        if (!cost_of_three(state, piece, first, &cost)) {
            return false;
        }
        if (axis < 0 || cost < least) {
            least = cost;
            *cut = first;
        }
    }
    return true;
}

// Cuts a piece; what has no volume to speak of is left out. False if memory runs out. *whole: nothing is to be cut there.
static bool divide(struct state *state, uint32_t i, bool *whole)
{
    const struct mesh_inside inside = {is_inside, state};
    struct mesh_piece *piece = &state->pieces[i], below = {0}, above = {0};
    struct mesh_cut cut;
    const double near = NEAR * state->extent, tiny = TINY * state->extent;
    if (!cut_find(state, piece, &cut)) {
        return false;
    }
    *whole = cut.axis < 0;
    if (*whole) {
        return true;
    }
    if (!mesh_piece_cut(piece, cut, tiny, &below, &above) || !mesh_piece_measure(&below, &inside, near) ||
        !mesh_piece_measure(&above, &inside, near)) {
        mesh_piece_deinit(&below);
        mesh_piece_deinit(&above);
        return false;
    }
    mesh_piece_deinit(piece);
    *piece = below;
    state->pieces[state->count++] = above;
    for (uint32_t k = state->count; k-- > 0;) {
        if ((k == i || k == state->count - 1) && state->pieces[k].volume < SPECK * state->volume) {
            drop(state, k);
        }
    }
    return true;
}

static bool cut_all(struct state *state)
{
    const struct mesh_inside inside = {is_inside, state};
    const uint32_t most = state->most == 1 ? 1 : 2 * state->most;
    bool settled[PIECES_MAX] = {false};
    if (!mesh_piece_measure(&state->pieces[0], &inside, NEAR * state->extent)) {
        return mesh_fail_memory(state->fault);
    }
    while (state->count < most) {
        double worst = 1;
        uint32_t at = MESH_NONE;
        for (uint32_t i = 0; i < state->count; i++) {
            const double bad = badness(state, &state->pieces[i]);
            if (!settled[i] && bad > worst) {
                worst = bad;
                at = i;
            }
        }
        if (at == MESH_NONE) {
            break;
        }
        if (!mesh_report(state->watch, "cutting into hulls", (double)state->count / most, state->fault)) {
            return false;
        }
        const uint32_t before = state->count;
        if (!divide(state, at, &settled[at])) {
            return mesh_fail_memory(state->fault);
        }
        if (state->count < before) { // both sides were specks
            memmove(&settled[at], &settled[at + 1], state->count - at);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Merging

static bool is_thin(const struct mesh_hull *hull)
{
    return hull->count < 4 || hull->inner < THIN * hull->most;
}

static bool hull_of_both(const struct mesh_hull *a, const struct mesh_hull *b, double near,
                         struct mesh_hull *out)
{
    double points[2 * MESH_HULL_MAX][3];
    memcpy(points, a->points, a->count * sizeof points[0]);
    memcpy(points + a->count, b->points, b->count * sizeof points[0]);
    return mesh_hull_make(points[0], a->count + b->count, MESH_HULL_MAX, near, out);
}

// The volume that a hull which replaces two holds more than both.
static bool losses_find(const struct state *state, uint32_t i, double (*losses)[PIECES_MAX])
{
    for (uint32_t k = 0; k < state->count; k++) {
        struct mesh_hull both;
        if (k == i) {
            continue;
        }
        if (!hull_of_both(&state->pieces[i].hull, &state->pieces[k].hull, NEAR * state->extent, &both)) {
            return false;
        }
        losses[i][k] = losses[k][i] =
            both.volume - state->pieces[i].hull.volume - state->pieces[k].hull.volume;
    }
    return true;
}

// Whether the surface of both pieces stays near to the hull that replaces theirs.
static bool is_shallow(const struct state *state, const struct mesh_piece *a, const struct mesh_piece *b,
                       const struct mesh_hull *both)
{
    const double deepest = fmax(fmax(a->depth, b->depth), DEEP * state->extent);
    return mesh_hull_depth(both, a->own.corners, (uint32_t)(3 * a->own.count)) <= deepest &&
           mesh_hull_depth(both, b->own.corners, (uint32_t)(3 * b->own.count)) <= deepest;
}

static bool soup_append(struct mesh_soup *soup, const struct mesh_soup *more)
{
    if (!array_reserve(&soup->corners, &soup->capacity, 9 * (soup->count + more->count))) {
        return false;
    }
    if (more->count > 0) {
        memcpy(soup->corners + 9 * soup->count, more->corners, 9 * more->count * sizeof *soup->corners);
    }
    soup->count += more->count;
    return true;
}

static bool merge(struct state *state, uint32_t i, uint32_t k, const struct mesh_hull *both,
                  double (*losses)[PIECES_MAX])
{
    struct mesh_piece *a = &state->pieces[i], *b = &state->pieces[k];
    if (!soup_append(&a->own, &b->own)) {
        return false;
    }
    a->hull = *both;
    a->volume += b->volume;
    a->depth = mesh_hull_depth(both, a->own.corners, (uint32_t)(3 * a->own.count));
    for (uint32_t row = 0; row < state->count; row++) {
        memmove(&losses[row][k], &losses[row][k + 1], (state->count - 1 - k) * sizeof losses[row][k]);
    }
    memmove(&losses[k], &losses[k + 1], (state->count - 1 - k) * sizeof losses[k]);
    drop(state, k);
    return losses_find(state, i, losses);
}

// The two that lose least as one: of a thin one and any other if there are thin ones.
static bool pair_find(const struct state *state, double (*losses)[PIECES_MAX], bool thin, uint32_t *i,
                      uint32_t *k)
{
    double least = INFINITY;
    for (uint32_t a = 0; a < state->count; a++) {
        for (uint32_t b = a + 1; b < state->count; b++) {
            const bool meant = !thin || is_thin(&state->pieces[a].hull) || is_thin(&state->pieces[b].hull);
            if (meant && losses[a][b] < least) {
                least = losses[a][b];
                *i = a;
                *k = b;
            }
        }
    }
    return least < INFINITY;
}

static bool merge_all(struct state *state)
{
    double(*losses)[PIECES_MAX] = calloc(PIECES_MAX, sizeof *losses);
    bool good = losses != NULL;
    for (uint32_t i = 0; good && i < state->count; i++) {
        good = losses_find(state, i, losses);
    }
    for (uint32_t i = 0, k = 0; good;) {
        bool thin = false;
        struct mesh_hull both;
        for (uint32_t p = 0; p < state->count; p++) {
            thin = thin || is_thin(&state->pieces[p].hull);
        }
        if (!pair_find(state, losses, thin, &i, &k)) {
            break;
        }
        const bool has_to = thin || state->count > state->most;
        if (!has_to && losses[i][k] > LOSS * state->volume) {
            break;
        }
        good = hull_of_both(&state->pieces[i].hull, &state->pieces[k].hull, NEAR * state->extent, &both);
        if (good && !has_to && !is_shallow(state, &state->pieces[i], &state->pieces[k], &both)) {
            losses[i][k] = losses[k][i] = INFINITY;
            continue;
        }
        good = good && merge(state, i, k, &both, losses);
    }
    free(losses);
    return good || mesh_fail_memory(state->fault);
}

// ---------------------------------------------------------------------------------------------------------

static bool give(const struct state *state, struct mesh_hulls *hulls)
{
    hulls->points = malloc(3 * MESH_HULL_MAX * (size_t)state->count * sizeof *hulls->points);
    if (!hulls->points) {
        return mesh_fail_memory(state->fault);
    }
    for (uint32_t i = 0, to = 0; i < state->count; i++) {
        const struct mesh_hull *hull = &state->pieces[i].hull;
        for (uint32_t v = 0; v < hull->count; v++, to++) {
            for (size_t axis = 0; axis < 3; axis++) {
                hulls->points[3 * (size_t)to + axis] = hull->points[v][0] * state->axes[0][axis] +
                                                       hull->points[v][1] * state->axes[1][axis] +
                                                       hull->points[v][2] * state->axes[2][axis];
            }
        }
        hulls->firsts[i + 1] = to;
        hulls->volume += hull->volume;
    }
    hulls->count = state->count;
    return true;
}

static bool check(const struct state *state)
{
    const struct mesh_hull *hull = &state->pieces[0].hull;
    if (state->count > 0 && !is_thin(hull)) {
        return true;
    }
    return fault_set(
        state->fault, FAULT_INVALID, NULL,
        "it is too thin for a rigid body: the middle of its hull is %.3g m from a face, and %.3g m from the "
        "farthest vertex; must be at least %g of that",
        state->count > 0 ? hull->inner : 0, state->count > 0 ? hull->most : 0, THIN);
}

bool mesh_hulls(const struct mesh *mesh, const struct mesh_solid *solid, uint32_t most,
                const struct mesh_watch *watch, struct mesh_hulls *hulls, struct fault *fault)
{
    memset(hulls, 0, sizeof *hulls);
    if (mesh->triangle_count > MESH_HULL_TRIANGLES_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "it has %u triangles; at most %u are cut into hulls",
                         mesh->triangle_count, MESH_HULL_TRIANGLES_MAX);
    }
    struct state *state = calloc(1, sizeof *state);
    bool good = state != NULL;
    if (good) {
        state->volume = solid->volume;
        state->most = most;
        state->watch = watch;
        state->fault = fault;
        memcpy(state->centre, solid->centre, sizeof state->centre);
        axes_find(mesh, state->axes);
        state->winding = mesh_winding_create(mesh);
        good = state->winding && whole_take(state, mesh);
    }
    good = good ? cut_all(state) && merge_all(state) && check(state) && give(state, hulls)
                : mesh_fail_memory(fault);
    for (uint32_t i = 0; state && i < state->count; i++) {
        mesh_piece_deinit(&state->pieces[i]);
    }
    if (state) {
        mesh_winding_destroy(state->winding);
    }
    free(state);
    return good;
}

void mesh_hulls_deinit(struct mesh_hulls *hulls)
{
    free(hulls->points);
    memset(hulls, 0, sizeof *hulls);
}
