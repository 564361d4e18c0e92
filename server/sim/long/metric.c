// The rest surface as its edges tell it.

#include "sim/long/long.h"

#include <stdlib.h>

void sim_metric_deinit(struct sim_metric *metric)
{
    free(metric->way_starts);
    free(metric->fan_starts);
    free(metric->ways);
    free(metric->fans);
    free(metric->places);
    *metric = (struct sim_metric){0};
}

// Turns counts, which stand one place further on, into the places where lists begin.
static void add_up(uint32_t *starts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        starts[i + 1] += starts[i];
    }
}

// Filling a list has moved each start to the next one's: moves them back.
static void step_back(uint32_t *starts, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--) {
        starts[i] = starts[i - 1];
    }
    starts[0] = 0;
}

static void fill_ways(struct sim_metric *metric, const uint32_t (*edges)[2], const double *lengths,
                      uint32_t edge_count)
{
    for (uint32_t e = 0; e < edge_count; e++) {
        uint32_t a = edges[e][0], b = edges[e][1];
        metric->ways[metric->way_starts[a]++] = (struct sim_way){.to = b, .length = lengths[e]};
        metric->ways[metric->way_starts[b]++] = (struct sim_way){.to = a, .length = lengths[e]};
    }
    step_back(metric->way_starts, metric->count);
}

// The length of the edge between two particles; negative: there is none.
static double length_between(const struct sim_metric *metric, uint32_t a, uint32_t b)
{
    for (uint32_t w = metric->way_starts[a]; w < metric->way_starts[a + 1]; w++) {
        if (metric->ways[w].to == b) {
            return metric->ways[w].length;
        }
    }
    return -1;
}

// Whether the triangle's sides are edges that enclose an area; sides[k] lies opposite to corner k, and cross is twice the
// area.
static bool sides_of(const struct sim_metric *metric, const uint32_t *corners, double sides[3], double *cross)
{
    for (uint32_t k = 0; k < 3; k++) {
        sides[k] = length_between(metric, corners[(k + 1) % 3], corners[(k + 2) % 3]);
        if (!(sides[k] > 0)) {
            return false;
        }
    }
    double a = sides[1] * sides[1], b = sides[2] * sides[2], dot = 0.5 * (a + b - sides[0] * sides[0]);
    double square = a * b - dot * dot;
    *cross = square > 0 ? __builtin_sqrt(square) : 0;
    return *cross > 0;
}

static void fill_fans(struct sim_metric *metric, const uint32_t *triangles, uint32_t triangle_count)
{
    for (uint32_t t = 0; t < triangle_count; t++) {
        const uint32_t *corners = triangles + 3 * (size_t)t;
        double sides[3], cross;
        bool whole = sides_of(metric, corners, sides, &cross);
        for (uint32_t k = 0; whole && k < 3; k++) {
            uint32_t one = (k + 1) % 3, other = (k + 2) % 3;
            double to_a = sides[other], to_b = sides[one];
            metric->fans[metric->fan_starts[corners[k]]++] = (struct sim_fan){
                .a = corners[one],
                .b = corners[other],
                .to_a = to_a,
                .to_b = to_b,
                .inverse_a = 1 / to_a,
                .inverse_b = 1 / to_b,
                .dot = 0.5 * (to_a * to_a + to_b * to_b - sides[k] * sides[k]),
                .cross = cross,
            };
        }
    }
    step_back(metric->fan_starts, metric->count);
}

bool sim_metric_make(struct sim_metric *metric, uint32_t count, const uint32_t (*edges)[2],
                     const double *lengths, uint32_t edge_count, const uint32_t *triangles,
                     uint32_t triangle_count)
{
    *metric = (struct sim_metric){
        .count = count,
        .way_starts = calloc((size_t)count + 1, sizeof *metric->way_starts),
        .fan_starts = calloc((size_t)count + 1, sizeof *metric->fan_starts),
        .ways = malloc((2 * (size_t)edge_count + 1) * sizeof *metric->ways),
    };
    if (!metric->way_starts || !metric->fan_starts || !metric->ways) {
        sim_metric_deinit(metric);
        return false;
    }
    double sum = 0;
    for (uint32_t e = 0; e < edge_count; e++) {
        metric->way_starts[edges[e][0] + 1]++;
        metric->way_starts[edges[e][1] + 1]++;
        sum += lengths[e];
    }
    metric->edge = edge_count > 0 ? sum / edge_count : 0;
    add_up(metric->way_starts, count);
    fill_ways(metric, edges, lengths, edge_count);
    for (uint32_t t = 0; t < triangle_count; t++) {
        double sides[3], cross;
        bool whole = sides_of(metric, triangles + 3 * (size_t)t, sides, &cross);
        for (uint32_t k = 0; whole && k < 3; k++) {
            metric->fan_starts[triangles[3 * (size_t)t + k] + 1]++;
        }
    }
    add_up(metric->fan_starts, count);
    metric->fans = malloc(((size_t)metric->fan_starts[count] + 1) * sizeof *metric->fans);
    if (!metric->fans) {
        sim_metric_deinit(metric);
        return false;
    }
    fill_fans(metric, triangles, triangle_count);
    return true;
}
