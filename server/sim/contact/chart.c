// Surfaces laid on a plane, and what of them may be left alone.
//
// What makes sure that nothing overlaps: all triangles are laid out the same way round, no two have a side in the same direction,
// and no particle has triangles all around it twice. What is in one piece and lies within a box that no border of the
// surface enters then covers the box once: so the region of a target is what lies in the box around it.

#include "sim/contact/chart.h"

#include "sim/ground/ground.h"

#include <math.h>
#include <stdlib.h>

// Of a triangle's area at rest: the least that it must have on the chart.
#define LEAST_AREA 0.1

struct place {
    double u, v;
};

struct rectangle {
    struct place least, most;
};

// Who had a row last.
struct stamp {
    uint32_t number, element;
};

struct laying {
    const struct sim_features *features;
    double (*rest)[3];    // by row, from the first one's place
    struct place *places; // by row
    uint64_t *keys;       // 3 by element
    uint32_t *order;
    uint8_t *borders;             // by element: bit k: side k is one of the surface's border
    struct stamp *stamps;         // by row
    uint32_t stamp;               // the last number
    uint32_t *firsts;             // by row
    uint32_t *heads;              // by element: one of the same piece, itself at the end
    struct rectangle *rectangles; // by node
    double *heights;              // by node: least of a triangle
    uint8_t *bordered;            // by node: there is a border in it
    struct sim_chart *chart;
    uint32_t region_count, region_capacity;
};

static double cross(struct place a, struct place b)
{
    return a.u * b.v - a.v * b.u;
}

static struct place minus(struct place a, struct place b)
{
    return (struct place){a.u - b.u, a.v - b.v};
}

static uint32_t row_at(const struct laying *laying, uint32_t element, uint32_t k)
{
    return laying->features->corners[element][k % 3];
}

static uint32_t leaf_end(const struct sim_features *features, uint32_t leaf)
{
    uint32_t end = (leaf + 1) * SIM_LANES;
    return end < features->count ? end : features->count;
}

// ------------------------------------------------------------------------------------------------------ laying

static void rest_read(struct laying *laying, const struct sim_body *body)
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
static void normal_of(const struct laying *laying, uint32_t element, double n[3])
{
    const double *x = laying->rest[row_at(laying, element, 0)];
    double a[3], b[3];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = laying->rest[row_at(laying, element, 1)][axis] - x[axis];
        b[axis] = laying->rest[row_at(laying, element, 2)][axis] - x[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        n[axis] = a[next] * b[last] - a[last] * b[next];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool unit_make(double n[3])
{
    double length = sqrt(dot(n, n));
    for (int axis = 0; axis < 3; axis++) {
        n[axis] /= length;
    }
    return length > 0;
}

// Sides that no other triangle has in the other direction. False: some side has more than two, or two in one direction.
static bool borders_find(struct laying *laying)
{
    const uint32_t count = 3 * laying->features->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = row_at(laying, i / 3, i % 3), b = row_at(laying, i / 3, i % 3 + 1);
        laying->keys[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        laying->order[i] = i;
    }
    if (!sim_sort(laying->keys, laying->order, count)) {
        return false;
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && laying->keys[end] == laying->keys[i]; end++) {
        }
        const uint32_t *side = laying->order + i;
        if (end - i == 1) {
            laying->borders[side[0] / 3] |= (uint8_t)(1U << side[0] % 3);
        } else if (end - i > 2 ||
                   row_at(laying, side[0] / 3, side[0] % 3) == row_at(laying, side[1] / 3, side[1] % 3)) {
            return false;
        }
    }
    return true;
}

// The first side of the border, across n: sheets have straight ones, and boxes along them hold nothing beyond.
static void along_border(const struct laying *laying, const double n[3], double u[3])
{
    uint32_t element = 0, k = 0;
    while (element + 1 < laying->features->count && laying->borders[element] == 0) {
        element++;
    }
    while (k < 2 && (laying->borders[element] >> k & 1) == 0) {
        k++;
    }
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = laying->rest[row_at(laying, element, k + 1)][axis] -
                  laying->rest[row_at(laying, element, k)][axis];
    }
    double along = dot(u, n);
    for (int axis = 0; axis < 3; axis++) {
        u[axis] -= along * n[axis];
    }
}

// On the plane across the mean normal.
static bool places_make(struct laying *laying, uint32_t rows)
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
        laying->places[row] = (struct place){dot(laying->rest[row], u), dot(laying->rest[row], v)};
    }
    return true;
}

// No triangle is folded over, and none is so steep that it is all but lost.
static bool is_laid_flat(const struct laying *laying)
{
    for (uint32_t e = 0; e < laying->features->count; e++) {
        const struct place x = laying->places[row_at(laying, e, 0)];
        double n[3], area = cross(minus(laying->places[row_at(laying, e, 1)], x),
                                  minus(laying->places[row_at(laying, e, 2)], x));
        normal_of(laying, e, n);
        if (!(area > LEAST_AREA * sqrt(dot(n, n)))) {
            return false;
        }
    }
    return true;
}

// Of the triangles about a particle, at most one has the first axis within: they do not go around it twice.
static bool is_laid_once(const struct laying *laying)
{
    for (uint32_t e = 0; e < laying->features->count; e++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t row = row_at(laying, e, k);
            const struct place from = laying->places[row],
                               a = minus(laying->places[row_at(laying, e, k + 1)], from),
                               b = minus(laying->places[row_at(laying, e, k + 2)], from);
            if (a.v <= 0 && b.v > 0 && ++laying->firsts[row] > 1) {
                return false;
            }
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- nodes

static void rectangle_take(struct rectangle *to, struct place least, struct place most)
{
    to->least.u = least.u < to->least.u ? least.u : to->least.u;
    to->least.v = least.v < to->least.v ? least.v : to->least.v;
    to->most.u = most.u > to->most.u ? most.u : to->most.u;
    to->most.v = most.v > to->most.v ? most.v : to->most.v;
}

static double length_of(struct place a)
{
    return sqrt(a.u * a.u + a.v * a.v);
}

// Twice the area by the longest side.
static double height_of(const struct place at[3])
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double side = length_of(minus(at[(k + 1) % 3], at[k]));
        longest = side > longest ? side : longest;
    }
    return cross(minus(at[1], at[0]), minus(at[2], at[0])) / longest;
}

// Counts pieces: elements that share a row hang together, and so on. seen: a number that no row has been stamped with.
struct piecing {
    uint32_t seen, elements, joined;
};

static uint32_t head_of(uint32_t *heads, uint32_t element)
{
    while (heads[element] != element) {
        heads[element] = heads[heads[element]];
        element = heads[element];
    }
    return element;
}

static void piece_take(struct laying *laying, struct piecing *piecing, uint32_t element)
{
    laying->heads[element] = element;
    piecing->elements++;
    for (uint32_t k = 0; k < 3; k++) {
        struct stamp *stamp = &laying->stamps[row_at(laying, element, k)];
        if (stamp->number == piecing->seen) {
            uint32_t a = head_of(laying->heads, stamp->element), b = head_of(laying->heads, element);
            piecing->joined += a != b;
            laying->heads[b] = a;
        }
        *stamp = (struct stamp){piecing->seen, element};
    }
}

static void leaf_take(struct laying *laying, struct piecing *piecing, uint32_t leaf)
{
    for (uint32_t e = leaf * SIM_LANES; e < leaf_end(laying->features, leaf); e++) {
        piece_take(laying, piecing, e);
    }
}

static bool is_one(const struct piecing *piecing)
{
    return piecing->elements == piecing->joined + 1;
}

static void leaf_lay(struct laying *laying, uint32_t leaf)
{
    const struct sim_features *features = laying->features;
    const uint32_t first = leaf * SIM_LANES, end = leaf_end(features, leaf),
                   node = features->leaf_count + leaf;
    float(*inverse)[SIM_LANES] = laying->chart->inverse[leaf];
    laying->rectangles[node] = (struct rectangle){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    laying->heights[node] = INFINITY;
    for (uint32_t e = first; e < first + SIM_LANES && first < end; e++) {
        struct place at[3];
        for (uint32_t k = 0; k < 3; k++) {
            at[k] = laying->places[row_at(laying, e < end ? e : first, k)];
            rectangle_take(&laying->rectangles[node], at[k], at[k]);
        }
        const struct place a = minus(at[1], at[0]), b = minus(at[2], at[0]);
        double area = cross(a, b), height = height_of(at);
        const double of[4] = {b.v / area, -b.u / area, -a.v / area, a.u / area};
        for (int i = 0; i < 4; i++) {
            inverse[i][e - first] = (float)of[i];
        }
        laying->heights[node] = height < laying->heights[node] ? height : laying->heights[node];
        laying->bordered[node] |= e < end && laying->borders[e] != 0;
    }
}

static bool node_is_one(struct laying *laying, uint32_t node)
{
    const uint32_t leaves = laying->features->leaf_count;
    struct piecing piecing = {.seen = ++laying->stamp};
    uint32_t first = node, count = 1;
    for (; first < leaves; first *= 2) {
        count *= 2;
    }
    for (uint32_t l = first - leaves; l < first - leaves + count; l++) {
        leaf_take(laying, &piecing, l);
    }
    return is_one(&piecing);
}

static bool leaves_are_one(struct laying *laying, uint32_t a, uint32_t b)
{
    struct piecing piecing = {.seen = ++laying->stamp};
    leaf_take(laying, &piecing, a);
    leaf_take(laying, &piecing, b);
    return is_one(&piecing);
}

static void nodes_lay(struct laying *laying)
{
    const uint32_t leaves = laying->features->leaf_count;
    for (uint32_t l = 0; l < leaves; l++) {
        leaf_lay(laying, l);
    }
    for (uint32_t node = leaves - 1; node > 0; node--) {
        const uint32_t a = 2 * node, b = a + 1;
        laying->rectangles[node] = laying->rectangles[a];
        rectangle_take(&laying->rectangles[node], laying->rectangles[b].least, laying->rectangles[b].most);
        laying->heights[node] =
            laying->heights[a] < laying->heights[b] ? laying->heights[a] : laying->heights[b];
        laying->bordered[node] = laying->bordered[a] | laying->bordered[b];
    }
}

// ------------------------------------------------------------------------------------------------------- pairs

static int by_number(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

// Elements by row: those of a row begin at order[firsts[row]].
static void elements_by_row(struct laying *laying, uint32_t rows)
{
    const uint32_t count = 3 * laying->features->count;
    memset(laying->firsts, 0, rows * sizeof *laying->firsts);
    for (uint32_t i = 0; i < count; i++) {
        laying->firsts[row_at(laying, i / 3, i % 3)]++;
    }
    for (uint32_t row = 1; row < rows; row++) {
        laying->firsts[row] += laying->firsts[row - 1];
    }
    for (uint32_t i = count; i > 0; i--) {
        laying->order[--laying->firsts[row_at(laying, (i - 1) / 3, (i - 1) % 3)]] = (i - 1) / 3;
    }
}

enum { NEIGHBOURS = 64 }; // of a leaf; those beyond are no targets

// Leaves after it that share a row with it. Returns how many.
static uint32_t neighbours_find(const struct laying *laying, uint32_t leaf, uint32_t rows,
                                uint32_t found[NEIGHBOURS])
{
    uint32_t count = 0;
    for (uint32_t e = leaf * SIM_LANES; e < leaf_end(laying->features, leaf); e++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t row = row_at(laying, e, k),
                     end = row + 1 < rows ? laying->firsts[row + 1] : 3 * laying->features->count;
            for (uint32_t i = laying->firsts[row]; i < end; i++) {
                uint32_t other = laying->order[i] / SIM_LANES, at = 0;
                while (at < count && found[at] != other) {
                    at++;
                }
                if (other > leaf && at == count && count < NEIGHBOURS) {
                    found[count++] = other;
                }
            }
        }
    }
    qsort(found, count, sizeof *found, by_number);
    return count;
}

static bool pairs_find(struct laying *laying, uint32_t rows)
{
    const uint32_t leaves = laying->features->leaf_count;
    struct sim_chart *chart = laying->chart;
    uint32_t found[NEIGHBOURS], count = 0;
    elements_by_row(laying, rows);
    for (uint32_t pass = 0; pass < 2; pass++) {
        count = 0;
        for (uint32_t l = 0; l < leaves; l++) {
            chart->pair_first[l] = count;
            uint32_t here = neighbours_find(laying, l, rows, found);
            if (pass == 1) {
                memcpy(chart->pair_other + count, found, here * sizeof *found);
            }
            count += here;
        }
        if (pass == 0 && (chart->pair_other = malloc(((size_t)count + 1) * sizeof(uint32_t))) == NULL) {
            return false;
        }
    }
    chart->pair_first[leaves] = count;
    return true;
}

// ----------------------------------------------------------------------------------------------------- regions

static bool is_apart(const struct rectangle *a, const struct rectangle *b)
{
    return a->least.u > b->most.u || b->least.u > a->most.u || a->least.v > b->most.v ||
           b->least.v > a->most.v;
}

static bool is_inside(const struct rectangle *a, const struct rectangle *b)
{
    return a->least.u >= b->least.u && a->most.u <= b->most.u && a->least.v >= b->least.v &&
           a->most.v <= b->most.v;
}

// Cuts the part [t[0], t[1]] of the way from `from` by `by` to what lies between least and most.
static void part_cut(double from, double by, double least, double most, double t[2])
{
    if (by == 0) {
        t[1] = from > least && from < most ? t[1] : -1;
        return;
    }
    double enter = ((by > 0 ? least : most) - from) / by, leave = ((by > 0 ? most : least) - from) / by;
    t[0] = enter > t[0] ? enter : t[0];
    t[1] = leave < t[1] ? leave : t[1];
}

// A border along the rectangle's own sides does not enter it.
static bool enters(const struct rectangle *rectangle, struct place a, struct place b)
{
    const struct place size = minus(rectangle->most, rectangle->least), by = minus(b, a);
    double skin = 1e-6 * (size.u + size.v), t[2] = {0, 1};
    part_cut(a.u, by.u, rectangle->least.u + skin, rectangle->most.u - skin, t);
    part_cut(a.v, by.v, rectangle->least.v + skin, rectangle->most.v - skin, t);
    return t[0] < t[1];
}

static bool border_enters(const struct laying *laying, uint32_t leaf, const struct rectangle *rectangle)
{
    for (uint32_t e = leaf * SIM_LANES; e < leaf_end(laying->features, leaf); e++) {
        for (uint32_t k = 0; k < 3; k++) {
            if ((laying->borders[e] >> k & 1) != 0 && enters(rectangle, laying->places[row_at(laying, e, k)],
                                                             laying->places[row_at(laying, e, k + 1)])) {
                return true;
            }
        }
    }
    return false;
}

static bool region_put(struct laying *laying, uint32_t node)
{
    struct sim_chart *chart = laying->chart;
    if (laying->region_count == laying->region_capacity) {
        uint32_t capacity = 2 * laying->region_capacity + 1024;
        uint32_t *grown = realloc(chart->regions, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        chart->regions = grown;
        laying->region_capacity = capacity;
    }
    chart->regions[laying->region_count++] = node;
    return true;
}

struct region {
    struct rectangle rectangle;
    double height;
    bool covered, fits; // nothing but surface lies in the rectangle; there was memory
};

// The nodes that hold what lies in the rectangle.
static void region_find(struct laying *laying, struct region *region,
                        uint32_t node) // NOLINT(misc-no-recursion)
{
    const uint32_t leaves = laying->features->leaf_count;
    if (!region->covered || !region->fits || is_apart(&laying->rectangles[node], &region->rectangle)) {
        return;
    }
    const bool inside = is_inside(&laying->rectangles[node], &region->rectangle);
    if (node >= leaves || (inside && laying->bordered[node] == 0)) {
        region->covered =
            laying->bordered[node] == 0 || !border_enters(laying, node - leaves, &region->rectangle);
        region->height = laying->heights[node] < region->height ? laying->heights[node] : region->height;
        region->fits = !region->covered || region_put(laying, node);
        return;
    }
    const uint32_t first = laying->region_count;
    region_find(laying, region, 2 * node);
    region_find(laying, region, 2 * node + 1);
    if (inside && region->covered && region->fits) {
        laying->region_count = first;
        region->fits = region_put(laying, node);
    }
}

static bool target_make(struct laying *laying, uint32_t target, const struct rectangle *rectangle, bool whole)
{
    struct region region = {*rectangle, INFINITY, whole, true};
    laying->chart->region_first[target] = laying->region_count;
    region_find(laying, &region, 1);
    if (!region.covered) {
        laying->region_count = laying->chart->region_first[target];
    }
    laying->chart->height[target] = (float)region.height * (1 - 0x1p-20f);
    return region.fits;
}

static bool targets_make(struct laying *laying)
{
    const uint32_t leaves = laying->features->leaf_count;
    struct sim_chart *chart = laying->chart;
    const uint32_t targets = 2 * leaves + chart->pair_first[leaves];
    chart->region_first = calloc((size_t)targets + 1, sizeof *chart->region_first);
    chart->height = calloc((size_t)targets + 1, sizeof *chart->height);
    if (chart->region_first == NULL || chart->height == NULL) {
        return false;
    }
    bool fits = true;
    for (uint32_t node = 1; node < 2 * leaves && fits; node++) {
        fits = target_make(laying, node, &laying->rectangles[node], node_is_one(laying, node));
    }
    for (uint32_t a = 0; a < leaves; a++) {
        for (uint32_t i = chart->pair_first[a]; i < chart->pair_first[a + 1] && fits; i++) {
            const uint32_t one = leaves + a, other = leaves + chart->pair_other[i];
            struct rectangle both = laying->rectangles[one];
            rectangle_take(&both, laying->rectangles[other].least, laying->rectangles[other].most);
            fits =
                target_make(laying, 2 * leaves + i, &both, leaves_are_one(laying, a, chart->pair_other[i]));
        }
    }
    chart->region_first[targets] = laying->region_count;
    return fits;
}

// ------------------------------------------------------------------------------------------------------- making

static bool laying_init(struct laying *laying, uint32_t rows)
{
    const size_t elements = laying->features->count, nodes = 2 * (size_t)laying->features->leaf_count;
    laying->rest = malloc(rows * sizeof *laying->rest);
    laying->places = malloc(rows * sizeof *laying->places);
    laying->keys = malloc(3 * elements * sizeof *laying->keys);
    laying->order = malloc(3 * elements * sizeof *laying->order);
    laying->borders = calloc(elements, 1);
    laying->firsts = calloc(rows, sizeof *laying->firsts);
    laying->heads = malloc(elements * sizeof *laying->heads);
    laying->bordered = calloc(nodes, 1);
    laying->stamps = calloc(rows, sizeof *laying->stamps);
    laying->rectangles = malloc(nodes * sizeof *laying->rectangles);
    laying->heights = malloc(nodes * sizeof *laying->heights);
    struct sim_chart *chart = laying->chart = calloc(1, sizeof *laying->chart);
    if (chart != NULL) {
        chart->inverse = calloc(laying->features->leaf_count, sizeof *chart->inverse);
        chart->spreads = calloc(nodes, sizeof *chart->spreads);
        chart->pair_first = calloc(nodes + 1, sizeof *chart->pair_first);
    }
    return laying->rest != NULL && laying->places != NULL && laying->keys != NULL && laying->order != NULL &&
           laying->borders != NULL && laying->firsts != NULL && laying->heads != NULL &&
           laying->bordered != NULL && laying->stamps != NULL && laying->rectangles != NULL &&
           laying->heights != NULL && chart != NULL && chart->inverse != NULL && chart->spreads != NULL &&
           chart->pair_first != NULL;
}

static void laying_deinit(struct laying *laying)
{
    void *arrays[] = {laying->rest,    laying->places,     laying->keys,   laying->order,
                      laying->borders, laying->firsts,     laying->heads,  laying->bordered,
                      laying->stamps,  laying->rectangles, laying->heights};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
}

void sim_chart_destroy(struct sim_chart *chart)
{
    if (chart == NULL) {
        return;
    }
    free(chart->inverse);
    free(chart->spreads);
    free(chart->pair_first);
    free(chart->pair_other);
    free(chart->region_first);
    free(chart->regions);
    free(chart->height);
    free(chart);
}

static bool are_triangles(const struct sim_features *features)
{
    bool all = features->count > 0;
    for (uint32_t e = 0; e < features->count; e++) {
        all &= (features->owns[e] & SIM_ELEMENT_TRIANGLE) != 0;
    }
    return all;
}

bool sim_chart_make(const struct sim_features *features, const struct sim_body *body,
                    struct sim_chart **chart)
{
    struct laying laying = {.features = features};
    *chart = NULL;
    if (!are_triangles(features)) {
        return true;
    }
    bool fits = laying_init(&laying, body->count), laid = false;
    if (fits) {
        rest_read(&laying, body);
        laid = borders_find(&laying) && places_make(&laying, body->count) && is_laid_flat(&laying) &&
               is_laid_once(&laying);
    }
    if (laid) {
        nodes_lay(&laying);
        fits = pairs_find(&laying, body->count) && targets_make(&laying);
    }
    if (laid && fits) {
        *chart = laying.chart;
    } else {
        sim_chart_destroy(laying.chart);
    }
    laying_deinit(&laying);
    return fits;
}

// ----------------------------------------------------------------------------------------------------- clearing

// s - e of the region, less what rounding may add: 2^-20 of the derivatives are far more than that.
static float stretch_of(const struct sim_spread *spread)
{
    float middle[6], squared = 0;
    for (int i = 0; i < 6; i++) {
        float half = 0.5f * (spread->most[i] - spread->least[i]);
        middle[i] = spread->least[i] + half;
        squared += half * half;
    }
    float aa = 0, bb = 0, ab = 0;
    for (int axis = 0; axis < 3; axis++) {
        aa += middle[2 * axis] * middle[2 * axis];
        bb += middle[2 * axis + 1] * middle[2 * axis + 1];
        ab += middle[2 * axis] * middle[2 * axis + 1];
    }
    float apart = 0.5f * (aa - bb);
    float least = (0.5f * (aa + bb) - sqrtf(apart * apart + ab * ab)) - 0x1p-18f * (aa + bb);
    return least > 0 ? sqrtf(least) - sqrtf(squared) * (1 + 0x1p-18f) : -1;
}

static bool clears(const struct sim_chart *chart, uint32_t target, const struct sim_chart_limit *limit)
{
    const uint32_t first = chart->region_first[target], end = chart->region_first[target + 1];
    if (first == end) {
        return false;
    }
    struct sim_spread spread = chart->spreads[chart->regions[first]];
    for (uint32_t i = first + 1; i < end; i++) {
        sim_spread_take(&spread, &chart->spreads[chart->regions[i]]);
    }
    float moves = 0;
    for (int axis = 0; axis < 3 && limit->moving; axis++) {
        float way = spread.to[axis] - spread.from[axis];
        moves += way * way;
    }
    // What is not finite clears nothing.
    return (stretch_of(&spread) - 1e-3f) * chart->height[target] >
           (limit->reach + sqrtf(moves)) * (1 + 1e-3f) + 64;
}

bool sim_chart_clears_node(const struct sim_features *features, uint32_t node,
                           const struct sim_chart_limit *limit)
{
    return features->chart != NULL && clears(features->chart, node, limit);
}

bool sim_chart_clears_leaves(const struct sim_features *features, uint32_t a, uint32_t b,
                             const struct sim_chart_limit *limit)
{
    const struct sim_chart *chart = features->chart;
    if (chart == NULL) {
        return false;
    }
    for (uint32_t i = chart->pair_first[a]; i < chart->pair_first[a + 1]; i++) {
        if (chart->pair_other[i] == b) {
            return clears(chart, 2 * features->leaf_count + i, limit);
        }
    }
    return false;
}
