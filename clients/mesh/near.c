// The nearest place on many triangles or segments, by a tree of boxes.
//
// Items stand in the order of a curve through space (Morton). The tree is binary above leaves of eight, without pointers: node i
// has 2 i and 2 i + 1.
#include "halves.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF = 8, DEPTH_MAX = 64, STEPS = 1 << 20 }; // STEPS: of the curve, along an axis

struct near_box {
    double low[3], high[3];
};

struct near_tree {
    const double *positions;
    const uint32_t *corners, *groups;
    uint32_t *order; // items
    uint32_t count, leaf_count;
    struct near_box *nodes; // 2 leaf_count
};

struct placed {
    uint64_t code;
    uint32_t item;
};

static const double *corner(const struct near_tree *tree, uint32_t item, int k)
{
    return tree->positions + 3 * (size_t)tree->corners[3 * (size_t)item + (size_t)k];
}

static int placed_compare(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    if (a->code != b->code) {
        return a->code < b->code ? -1 : 1;
    }
    return (a->item > b->item) - (a->item < b->item);
}

static void box_grow(struct near_box *box, const double *point)
{
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = fmin(box->low[axis], point[axis]);
        box->high[axis] = fmax(box->high[axis], point[axis]);
    }
}

static const struct near_box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static uint64_t code_of(const struct near_tree *tree, uint32_t item, const struct near_box *all, double scale)
{
    uint64_t code = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double middle =
            (corner(tree, item, 0)[axis] + corner(tree, item, 1)[axis] + corner(tree, item, 2)[axis]) / 3;
        const uint64_t step = (uint64_t)((middle - all->low[axis]) * scale);
        for (unsigned bit = 0; bit < 20; bit++) {
            code |= (step >> bit & 1) << (3 * bit + (unsigned)axis);
        }
    }
    return code;
}

static bool put_in_order(struct near_tree *tree)
{
    struct placed *placed = malloc(((size_t)tree->count + 1) * sizeof *placed);
    struct near_box all = nothing;
    double size = 0;
    if (!placed) {
        return false;
    }
    for (uint32_t i = 0; i < tree->count; i++) {
        for (int k = 0; k < 3; k++) {
            box_grow(&all, corner(tree, i, k));
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, all.high[axis] - all.low[axis]);
    }
    for (uint32_t i = 0; i < tree->count; i++) {
        placed[i] = (struct placed){code_of(tree, i, &all, size > 0 ? (STEPS - 1) / size : 0), i};
    }
    qsort(placed, tree->count, sizeof *placed, placed_compare);
    for (uint32_t i = 0; i < tree->count; i++) {
        tree->order[i] = placed[i].item;
    }
    free(placed);
    return true;
}

struct near_tree *near_create(const double *positions, const uint32_t *corners, uint32_t count,
                              const uint32_t *groups)
{
    struct near_tree *tree = calloc(1, sizeof *tree);
    if (!tree) {
        return NULL;
    }
    *tree = (struct near_tree){.positions = positions, .corners = corners, .groups = groups, .count = count};
    for (tree->leaf_count = 1; (uint64_t)tree->leaf_count * LEAF < count;) {
        tree->leaf_count *= 2;
    }
    tree->order = malloc(((size_t)count + 1) * sizeof *tree->order);
    tree->nodes = malloc(2 * (size_t)tree->leaf_count * sizeof *tree->nodes);
    if (!tree->order || !tree->nodes || !put_in_order(tree)) {
        near_destroy(tree);
        return NULL;
    }
    for (uint32_t node = 2 * tree->leaf_count - 1; node > 0; node--) {
        struct near_box *box = &tree->nodes[node];
        *box = nothing;
        if (node < tree->leaf_count) {
            const struct near_box *left = &tree->nodes[2 * (size_t)node], *right = left + 1;
            for (int axis = 0; axis < 3; axis++) {
                box->low[axis] = fmin(left->low[axis], right->low[axis]);
                box->high[axis] = fmax(left->high[axis], right->high[axis]);
            }
            continue;
        }
        const size_t first = (size_t)(node - tree->leaf_count) * LEAF;
        for (size_t i = first; i < first + LEAF && i < count; i++) {
            for (int k = 0; k < 3; k++) {
                box_grow(box, corner(tree, tree->order[i], k));
            }
        }
    }
    return tree;
}

void near_destroy(struct near_tree *tree)
{
    if (tree) {
        free(tree->order);
        free(tree->nodes);
        free(tree);
    }
}

// ---------------------------------------------------------------------------------------------------------

static double square_to_box(const struct near_box *box, const double point[3])
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = fmax(fmax(box->low[axis] - point[axis], point[axis] - box->high[axis]), 0);
        square += d * d;
    }
    return square;
}

// The nearest place between two corners.
static void on_side(const struct near_tree *tree, uint32_t item, int from, const double point[3],
                    struct near_place *place)
{
    const int to = (from + 1) % 3;
    const double *a = corner(tree, item, from), *b = corner(tree, item, to);
    double d[3], w[3];
    remesh_apart(b, a, d);
    remesh_apart(point, a, w);
    const double length = remesh_dot(d, d);
    const double share = length > 0 ? fmin(fmax(remesh_dot(d, w) / length, 0), 1) : 0;
    double gap[3] = {w[0] - share * d[0], w[1] - share * d[1], w[2] - share * d[2]};
    const double square = remesh_dot(gap, gap);
    if (square < place->square) {
        place->square = square;
        place->item = item;
        place->weights[from] = 1 - share;
        place->weights[to] = share;
        place->weights[3 - from - to] = 0;
    }
}

static void on_item(const struct near_tree *tree, uint32_t item, const double point[3],
                    struct near_place *place)
{
    const double *a = corner(tree, item, 0);
    double u[3], v[3], w[3];
    remesh_apart(corner(tree, item, 1), a, u);
    remesh_apart(corner(tree, item, 2), a, v);
    remesh_apart(point, a, w);
    const double uu = remesh_dot(u, u), uv = remesh_dot(u, v), vv = remesh_dot(v, v);
    const double wu = remesh_dot(w, u), wv = remesh_dot(w, v), below = uu * vv - uv * uv;
    const double s = vv * wu - uv * wv, t = uu * wv - uv * wu;
    if (below > 0 && s >= 0 && t >= 0 && s + t <= below) {
        const double gap[3] = {w[0] - (u[0] * s + v[0] * t) / below, w[1] - (u[1] * s + v[1] * t) / below,
                               w[2] - (u[2] * s + v[2] * t) / below};
        const double square = remesh_dot(gap, gap);
        if (square < place->square) {
            place->square = square;
            place->item = item;
            place->weights[1] = s / below;
            place->weights[2] = t / below;
            place->weights[0] = 1 - place->weights[1] - place->weights[2];
        }
        return;
    }
    for (int k = 0; k < 3; k++) {
        on_side(tree, item, k, point, place);
    }
}

static bool faces_away(const struct near_tree *tree, uint32_t item, const double *normal)
{
    double own[3];
    remesh_normal(corner(tree, item, 0), corner(tree, item, 1), corner(tree, item, 2), own);
    return remesh_dot(own, normal) < 0;
}

static void search(const struct near_tree *tree, const double point[3], uint32_t group, const double *normal,
                   struct near_place *place)
{
    uint32_t stack[DEPTH_MAX], height = 0;
    stack[height++] = 1;
    while (height > 0) {
        const uint32_t node = stack[--height];
        if (square_to_box(&tree->nodes[node], point) >= place->square) {
            continue;
        }
        if (node < tree->leaf_count) {
            const uint32_t left = 2 * node;
            const bool swaps =
                square_to_box(&tree->nodes[left], point) < square_to_box(&tree->nodes[left + 1], point);
            stack[height++] = left + swaps;
            stack[height++] = left + !swaps;
            continue;
        }
        const size_t first = (size_t)(node - tree->leaf_count) * LEAF;
        for (size_t i = first; i < first + LEAF && i < tree->count; i++) {
            const uint32_t item = tree->order[i];
            if (tree->groups[item] == group && !(normal && faces_away(tree, item, normal))) {
                on_item(tree, item, point, place);
            }
        }
    }
}

void near_find(const struct near_tree *tree, const double point[3], uint32_t group, const double *normal,
               uint32_t hint, struct near_place *place)
{
    *place = (struct near_place){.item = MESH_NONE, .square = INFINITY};
    if (hint != MESH_NONE && !(normal && faces_away(tree, hint, normal))) {
        on_item(tree, hint, point, place);
    }
    search(tree, point, group, normal, place);
    if (place->item == MESH_NONE && normal) {
        search(tree, point, group, NULL, place);
    }
    for (int axis = 0; axis < 3; axis++) {
        double sum = place->item == MESH_NONE ? point[axis] : 0;
        for (int k = 0; place->item != MESH_NONE && k < 3; k++) {
            sum += place->weights[k] * corner(tree, place->item, k)[axis];
        }
        place->at[axis] = sum;
    }
}

void near_on(const struct near_tree *tree, uint32_t item, const double point[3], struct near_place *place)
{
    *place = (struct near_place){.item = MESH_NONE, .square = INFINITY};
    on_item(tree, item, point, place);
}

uint32_t near_group(const struct near_tree *tree, uint32_t item)
{
    return tree->groups[item];
}
