// Charts: made once, and asked in each search.

#include "sim/contact/chart_laying.h"

#include <math.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------------- making

static bool laying_init(struct sim_laying *laying, uint32_t rows)
{
    const size_t elements = laying->features->count, nodes = 2 * (size_t)laying->features->leaf_count;
    laying->rest = malloc(rows * sizeof *laying->rest);
    laying->places = malloc(rows * sizeof *laying->places);
    laying->keys = malloc(3 * elements * sizeof *laying->keys);
    laying->order = malloc(3 * elements * sizeof *laying->order);
    laying->borders = calloc(elements, 1);
    laying->firsts = calloc((size_t)rows + 1, sizeof *laying->firsts);
    laying->heads = malloc(elements * sizeof *laying->heads);
    laying->pieces = calloc(nodes, sizeof *laying->pieces);
    laying->bordered = calloc(nodes, 1);
    laying->rectangles = malloc(nodes * sizeof *laying->rectangles);
    laying->heights = malloc(nodes * sizeof *laying->heights);
    struct sim_chart *chart = laying->chart = calloc(1, sizeof *laying->chart);
    if (chart) {
        chart->inverse = calloc(laying->features->leaf_count, sizeof *chart->inverse);
        chart->spreads = calloc(nodes, sizeof *chart->spreads);
        chart->pair_first = calloc(nodes + 1, sizeof *chart->pair_first);
    }
    return laying->rest && laying->places && laying->keys && laying->order && laying->borders &&
           laying->firsts && laying->heads && laying->pieces && laying->bordered && laying->rectangles &&
           laying->heights && chart && chart->inverse && chart->spreads && chart->pair_first;
}

static void laying_deinit(struct sim_laying *laying)
{
    void *arrays[] = {laying->rest,     laying->places,     laying->keys,   laying->order,
                      laying->borders,  laying->firsts,     laying->heads,  laying->pieces,
                      laying->bordered, laying->rectangles, laying->heights};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
}

void sim_chart_destroy(struct sim_chart *chart)
{
    if (!chart) {
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
    struct sim_laying laying = {.features = features};
    *chart = NULL;
    if (!are_triangles(features)) {
        return true;
    }
    bool laid = false;
    bool fits = laying_init(&laying, body->count) && sim_laying_lay(&laying, body, &laid) &&
                (!laid || sim_laying_aim(&laying));
    if (laid && fits) {
        *chart = laying.chart;
    } else {
        sim_chart_destroy(laying.chart);
    }
    laying_deinit(&laying);
    return fits;
}

void sim_chart_gather(struct sim_features *features, bool all)
{
    struct sim_spread *spreads = features->chart->spreads;
    for (uint32_t node = features->leaf_count - 1; node > 0; node--) {
        if (all || features->moved[node] != 0) {
            spreads[node] = spreads[2 * node];
            sim_spread_take(&spreads[node], &spreads[2 * node + 1]);
        }
    }
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
    if (!(stretch_of(&spread) * chart->height[target] > limit->reach)) {
        return false; // one part alone is bent too much: most targets of a crumpled surface end here
    }
    for (uint32_t i = first + 1; i < end; i++) {
        sim_spread_take(&spread, &chart->spreads[chart->regions[i]]);
    }
    float moves = 0;
    for (int axis = 0; axis < 3 && limit->moving; axis++) {
        float way = spread.to[axis] - spread.from[axis];
        moves += way * way;
    }
    // A number that is not finite clears nothing.
    return (stretch_of(&spread) - 1e-3f) * chart->height[target] >
           (limit->reach + sqrtf(moves)) * (1 + 1e-3f) + 64;
}

bool sim_chart_clears_node(const struct sim_features *features, uint32_t node,
                           const struct sim_chart_limit *limit)
{
    return features->chart && clears(features->chart, node, limit);
}

bool sim_chart_clears_leaves(const struct sim_features *features, uint32_t a, uint32_t b,
                             const struct sim_chart_limit *limit)
{
    const struct sim_chart *chart = features->chart;
    if (!chart) {
        return false;
    }
    for (uint32_t i = chart->pair_first[a]; i < chart->pair_first[a + 1]; i++) {
        if (chart->pair_other[i] == b) {
            return clears(chart, 2 * features->leaf_count + i, limit);
        }
    }
    return false;
}
