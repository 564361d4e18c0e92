// Lays surfaces on a plane.
//
// Three things make sure that nothing overlaps: all triangles are laid out the same way round, no two have a side in the same
// direction, and no particle has triangles all around it twice. A piece of surface that lies within a box which no border of the
// surface enters then covers the box once. So the region of a target is all surface in the box around it.

#include "sim/contact/chart_laying.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <math.h>

// The least area that a triangle must have on the chart, as a part of its area at rest.
#define LEAST_AREA 0.1

// ------------------------------------------------------------------------------------------------------ laying

static void rest_read(struct sim_laying *laying, const struct sim_body *body)
{
    int64_t first[3], x[3];
    sim_rest_of(body, 0, first);
    for (uint32_t i = 0; i < body->count; i++) {
        sim_rest_of(body, i, x);
        for (int axis = 0; axis < 3; axis++) {
            laying->rest[body->row_of[i]][axis] = (double)(x[axis] - first[axis]);
        }
    }
}

// Twice the area of a triangle, along its normal.
static void normal_of(const struct sim_laying *laying, uint32_t element, double n[3])
{
    const double *x = laying->rest[sim_laying_row(laying, element, 0)];
    double a[3], b[3];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = laying->rest[sim_laying_row(laying, element, 1)][axis] - x[axis];
        b[axis] = laying->rest[sim_laying_row(laying, element, 2)][axis] - x[axis];
    }
    sim_cross(a, b, n);
}

static bool unit_make(double n[3])
{
    double length = sqrt(sim_dot(n, n));
    for (int axis = 0; axis < 3; axis++) {
        n[axis] /= length;
    }
    return length > 0;
}

static bool sides_sort(struct sim_laying *laying)
{
    const uint32_t count = 3 * laying->features->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = sim_laying_row(laying, i / 3, i % 3), b = sim_laying_row(laying, i / 3, i % 3 + 1);
        laying->keys[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        laying->order[i] = i;
    }
    return sim_sort(laying->keys, laying->order, count);
}

// Sides that no other triangle has in the other direction, once they are sorted. False: some side has more than two triangles, or
// two that have it in one direction.
static bool borders_find(struct sim_laying *laying)
{
    const uint32_t count = 3 * laying->features->count;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && laying->keys[end] == laying->keys[i]; end++) {
        }
        const uint32_t *side = laying->order + i;
        if (end - i == 1) {
            laying->borders[side[0] / 3] |= (uint8_t)(1U << side[0] % 3);
        } else if (end - i > 2 || sim_laying_row(laying, side[0] / 3, side[0] % 3) ==
                                      sim_laying_row(laying, side[1] / 3, side[1] % 3)) {
            return false;
        }
    }
    return true;
}

// The first side of the border, across n: sheets have straight ones, and boxes along them hold nothing beyond.
static void along_border(const struct sim_laying *laying, const double n[3], double u[3])
{
    uint32_t element = 0, k = 0;
    while (element + 1 < laying->features->count && laying->borders[element] == 0) {
        element++;
    }
    while (k < 2 && (laying->borders[element] >> k & 1) == 0) {
        k++;
    }
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = laying->rest[sim_laying_row(laying, element, k + 1)][axis] -
                  laying->rest[sim_laying_row(laying, element, k)][axis];
    }
    double along = sim_dot(u, n);
    for (int axis = 0; axis < 3; axis++) {
        u[axis] -= along * n[axis];
    }
}

// On the plane across the mean normal.
static bool places_make(struct sim_laying *laying, uint32_t rows)
{
    double n[3] = {0}, u[3], one[3];
    for (uint32_t e = 0; e < laying->features->count; e++) {
        normal_of(laying, e, one);
        for (int axis = 0; axis < 3; axis++) {
            n[axis] += one[axis];
        }
    }
    if (!unit_make(n)) {
        return false;
    }
    along_border(laying, n, u);
    if (!unit_make(u)) {
        return false;
    }
    const double v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    for (uint32_t row = 0; row < rows; row++) {
        laying->places[row] =
            (struct sim_place){sim_dot(laying->rest[row], u), sim_dot(laying->rest[row], v)};
    }
    return true;
}

// No triangle is folded over, and none is so steep that it is all but lost.
static bool is_laid_flat(const struct sim_laying *laying)
{
    for (uint32_t e = 0; e < laying->features->count; e++) {
        const struct sim_place x = laying->places[sim_laying_row(laying, e, 0)];
        double n[3], area = sim_place_cross(sim_place_minus(laying->places[sim_laying_row(laying, e, 1)], x),
                                            sim_place_minus(laying->places[sim_laying_row(laying, e, 2)], x));
        normal_of(laying, e, n);
        if (!(area > LEAST_AREA * sqrt(sim_dot(n, n)))) {
            return false;
        }
    }
    return true;
}

// Whether at most one of the triangles about each particle has the first axis within: then they do not go around it twice.
static bool is_laid_once(const struct sim_laying *laying)
{
    for (uint32_t e = 0; e < laying->features->count; e++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t row = sim_laying_row(laying, e, k);
            const struct sim_place from = laying->places[row],
                                   a = sim_place_minus(laying->places[sim_laying_row(laying, e, k + 1)],
                                                       from),
                                   b = sim_place_minus(laying->places[sim_laying_row(laying, e, k + 2)],
                                                       from);
            if (a.v <= 0 && b.v > 0 && ++laying->firsts[row] > 1) {
                return false;
            }
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- nodes

static double length_of(struct sim_place a)
{
    return sqrt(a.u * a.u + a.v * a.v);
}

// Twice the area by the longest side.
static double height_of(const struct sim_place at[3])
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double side = length_of(sim_place_minus(at[(k + 1) % 3], at[k]));
        longest = side > longest ? side : longest;
    }
    return sim_place_cross(sim_place_minus(at[1], at[0]), sim_place_minus(at[2], at[0])) / longest;
}

// Elements by row: those of a row begin at order[firsts[row]].
static void elements_by_row(struct sim_laying *laying, uint32_t rows)
{
    const uint32_t count = 3 * laying->features->count;
    memset(laying->firsts, 0, rows * sizeof *laying->firsts);
    for (uint32_t i = 0; i < count; i++) {
        laying->firsts[sim_laying_row(laying, i / 3, i % 3)]++;
    }
    for (uint32_t row = 1; row < rows; row++) {
        laying->firsts[row] += laying->firsts[row - 1];
    }
    laying->firsts[rows] = count;
    for (uint32_t i = count; i > 0; i--) {
        laying->order[--laying->firsts[sim_laying_row(laying, (i - 1) / 3, (i - 1) % 3)]] = (i - 1) / 3;
    }
}

static uint32_t head_of(uint32_t *heads, uint32_t element)
{
    while (heads[element] != element) {
        heads[element] = heads[heads[element]];
        element = heads[element];
    }
    return element;
}

static void leaf_lay(struct sim_laying *laying, uint32_t leaf)
{
    const struct sim_features *features = laying->features;
    const uint32_t first = leaf * SIM_LANES, end = sim_leaf_end(features, leaf),
                   node = features->leaf_count + leaf;
    float(*inverse)[SIM_LANES] = laying->chart->inverse[leaf];
    laying->rectangles[node] = (struct sim_rectangle){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    laying->heights[node] = INFINITY;
    for (uint32_t e = first; e < first + SIM_LANES && first < end; e++) {
        struct sim_place at[3];
        for (uint32_t k = 0; k < 3; k++) {
            at[k] = laying->places[sim_laying_row(laying, e < end ? e : first, k)];
            sim_rectangle_take(&laying->rectangles[node], at[k], at[k]);
        }
        const struct sim_place a = sim_place_minus(at[1], at[0]), b = sim_place_minus(at[2], at[0]);
        double area = sim_place_cross(a, b), height = height_of(at);
        const double of[4] = {b.v / area, -b.u / area, -a.v / area, a.u / area};
        for (int i = 0; i < 4; i++) {
            inverse[i][e - first] = (float)of[i];
        }
        laying->heights[node] = height < laying->heights[node] ? height : laying->heights[node];
        laying->bordered[node] |= e < end && laying->borders[e] != 0;
    }
}

// The level of the least node that has both leaves; that of leaves is 0.
static uint32_t level_of(uint64_t key)
{
    uint32_t differ = (uint32_t)(key >> 32) / SIM_LANES ^ (uint32_t)key / SIM_LANES;
    return differ == 0 ? 0 : 32 - (uint32_t)__builtin_clz(differ);
}

// Elements that come one after the other at a row, by the level where they meet. Returns how many.
static uint32_t joints_list(struct sim_laying *laying, uint32_t rows, uint32_t ends[33])
{
    memset(ends, 0, 33 * sizeof *ends);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t row = 0; row < rows; row++) {
            for (uint32_t i = laying->firsts[row] + 1; i < laying->firsts[row + 1]; i++) {
                uint64_t key = (uint64_t)laying->order[i - 1] << 32 | laying->order[i];
                if (pass == 0) {
                    ends[level_of(key)]++;
                } else {
                    laying->keys[ends[level_of(key)]++] = key;
                }
            }
        }
        for (uint32_t level = 0, sum = 0; pass == 0 && level < 33; level++) {
            uint32_t here = ends[level];
            ends[level] = sum;
            sum += here;
        }
    }
    return ends[32];
}

// Counts the pieces of each node. Elements that share a row are in one piece. It goes bottom up, and elements that were joined
// below stay joined.
static void pieces_count(struct sim_laying *laying, uint32_t rows)
{
    const struct sim_features *features = laying->features;
    const uint32_t leaves = features->leaf_count;
    uint32_t ends[33], count = joints_list(laying, rows, ends);
    for (uint32_t e = 0; e < features->count; e++) {
        laying->heads[e] = e;
        laying->pieces[leaves + e / SIM_LANES]++;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t one = (uint32_t)(laying->keys[i] >> 32), other = (uint32_t)laying->keys[i];
        uint32_t level = level_of(laying->keys[i]);
        uint32_t a = head_of(laying->heads, one), b = head_of(laying->heads, other);
        laying->pieces[(leaves + one / SIM_LANES) >> level] -= a != b;
        laying->heads[b] = a;
    }
    for (uint32_t node = leaves - 1; node > 0; node--) {
        laying->pieces[node] += laying->pieces[2 * node] + laying->pieces[2 * node + 1];
    }
}

static void nodes_lay(struct sim_laying *laying)
{
    const uint32_t leaves = laying->features->leaf_count;
    for (uint32_t l = 0; l < leaves; l++) {
        leaf_lay(laying, l);
    }
    for (uint32_t node = leaves - 1; node > 0; node--) {
        const uint32_t a = 2 * node, b = a + 1;
        laying->rectangles[node] = laying->rectangles[a];
        sim_rectangle_take(&laying->rectangles[node], laying->rectangles[b].least,
                           laying->rectangles[b].most);
        laying->heights[node] =
            laying->heights[a] < laying->heights[b] ? laying->heights[a] : laying->heights[b];
        laying->bordered[node] = laying->bordered[a] | laying->bordered[b];
    }
}

bool sim_laying_lay(struct sim_laying *laying, const struct sim_body *body, bool *laid)
{
    if (!sides_sort(laying)) {
        return false;
    }
    rest_read(laying, body);
    *laid = borders_find(laying) && places_make(laying, body->count) && is_laid_flat(laying) &&
            is_laid_once(laying);
    if (*laid) {
        elements_by_row(laying, body->count);
        pieces_count(laying, body->count);
        nodes_lay(laying);
    }
    return true;
}
