// Finds what a search may leave out if it is bent little enough, nodes and pairs of neighbouring leaves, and what lies about each.

#include "sim/contact/chart_laying.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------------- pairs

static int by_number(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

enum { NEIGHBOURS = 64 }; // of a leaf; those beyond are no targets

// Leaves after it that share a row with it. Returns how many.
static uint32_t neighbours_find(const struct sim_laying *laying, uint32_t leaf, uint32_t found[NEIGHBOURS])
{
    uint32_t count = 0;
    for (uint32_t e = leaf * SIM_LANES; e < sim_leaf_end(laying->features, leaf); e++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t row = sim_laying_row(laying, e, k), end = laying->firsts[row + 1];
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

static bool pairs_find(struct sim_laying *laying)
{
    const uint32_t leaves = laying->features->leaf_count;
    struct sim_chart *chart = laying->chart;
    uint32_t found[NEIGHBOURS], count = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        count = 0;
        for (uint32_t l = 0; l < leaves; l++) {
            chart->pair_first[l] = count;
            uint32_t here = neighbours_find(laying, l, found);
            if (pass == 1) {
                memcpy(chart->pair_other + count, found, here * sizeof *found);
            }
            count += here;
        }
        if (pass == 0 && !(chart->pair_other = malloc(((size_t)count + 1) * sizeof(uint32_t)))) {
            return false;
        }
    }
    chart->pair_first[leaves] = count;
    return true;
}

// ----------------------------------------------------------------------------------------------------- regions

static bool is_apart(const struct sim_rectangle *a, const struct sim_rectangle *b)
{
    return a->least.u > b->most.u || b->least.u > a->most.u || a->least.v > b->most.v ||
           b->least.v > a->most.v;
}

static bool is_inside(const struct sim_rectangle *a, const struct sim_rectangle *b)
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
static bool enters(const struct sim_rectangle *rectangle, struct sim_place a, struct sim_place b)
{
    const struct sim_place size = sim_place_minus(rectangle->most, rectangle->least),
                           by = sim_place_minus(b, a);
    double skin = 1e-6 * (size.u + size.v), t[2] = {0, 1};
    part_cut(a.u, by.u, rectangle->least.u + skin, rectangle->most.u - skin, t);
    part_cut(a.v, by.v, rectangle->least.v + skin, rectangle->most.v - skin, t);
    return t[0] < t[1];
}

static bool border_enters(const struct sim_laying *laying, uint32_t leaf,
                          const struct sim_rectangle *rectangle)
{
    for (uint32_t e = leaf * SIM_LANES; e < sim_leaf_end(laying->features, leaf); e++) {
        for (uint32_t k = 0; k < 3; k++) {
            if ((laying->borders[e] >> k & 1) != 0 &&
                enters(rectangle, laying->places[sim_laying_row(laying, e, k)],
                       laying->places[sim_laying_row(laying, e, k + 1)])) {
                return true;
            }
        }
    }
    return false;
}

static bool region_put(struct sim_laying *laying, uint32_t node)
{
    struct sim_chart *chart = laying->chart;
    if (!array_reserve(&chart->regions, &laying->region_capacity, laying->region_count + 1)) {
        return false;
    }
    chart->regions[laying->region_count++] = node;
    return true;
}

struct region {
    struct sim_rectangle rectangle;
    double height;
    bool covered, fits; // nothing but surface lies in the rectangle; there was memory
};

// The nodes that hold what lies in the rectangle.
static void region_find(struct sim_laying *laying, struct region *region,
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

static bool target_make(struct sim_laying *laying, uint32_t target, const struct sim_rectangle *rectangle,
                        bool whole)
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

static bool targets_make(struct sim_laying *laying)
{
    const uint32_t leaves = laying->features->leaf_count;
    struct sim_chart *chart = laying->chart;
    const uint32_t targets = 2 * leaves + chart->pair_first[leaves];
    chart->region_first = calloc((size_t)targets + 1, sizeof *chart->region_first);
    chart->height = calloc((size_t)targets + 1, sizeof *chart->height);
    if (!chart->region_first || !chart->height) {
        return false;
    }
    bool fits = true;
    for (uint32_t node = 1; node < 2 * leaves && fits; node++) {
        fits = target_make(laying, node, &laying->rectangles[node], laying->pieces[node] == 1);
    }
    for (uint32_t a = 0; a < leaves; a++) {
        for (uint32_t i = chart->pair_first[a]; i < chart->pair_first[a + 1] && fits; i++) {
            const uint32_t one = leaves + a, other = leaves + chart->pair_other[i];
            struct sim_rectangle both = laying->rectangles[one];
            sim_rectangle_take(&both, laying->rectangles[other].least, laying->rectangles[other].most);
            fits = target_make(laying, 2 * leaves + i, &both,
                               laying->pieces[one] == 1 && laying->pieces[other] == 1);
        }
    }
    chart->region_first[targets] = laying->region_count;
    return fits;
}

bool sim_laying_aim(struct sim_laying *laying)
{
    return pairs_find(laying) && targets_make(laying);
}
