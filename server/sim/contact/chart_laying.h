// A surface while its chart is made: laid out, cut into pieces, and made into targets. Only for chart*.c.
#ifndef WEFT_SIM_CONTACT_CHART_LAYING_H
#define WEFT_SIM_CONTACT_CHART_LAYING_H

#include "sim/contact/chart.h"

struct sim_place {
    double u, v;
};

struct sim_rectangle {
    struct sim_place least, most;
};

struct sim_laying {
    const struct sim_features *features;
    double (*rest)[3];        // by row, from the first one's place
    struct sim_place *places; // by row
    uint64_t *keys;           // 3 by element
    uint32_t *order;
    uint8_t *borders;                 // by element: bit k: side k is one of the surface's border
    uint32_t *firsts;                 // by row, and one more: its elements in order begin there
    uint32_t *heads;                  // by element: one of the same piece, itself at the end
    uint32_t *pieces;                 // by node
    struct sim_rectangle *rectangles; // by node
    double *heights;                  // by node: least of a triangle
    uint8_t *bordered;                // by node: there is a border in it
    struct sim_chart *chart;
    uint32_t region_count, region_capacity;
};

static inline double sim_place_cross(struct sim_place a, struct sim_place b)
{
    return a.u * b.v - a.v * b.u;
}

static inline struct sim_place sim_place_minus(struct sim_place a, struct sim_place b)
{
    return (struct sim_place){a.u - b.u, a.v - b.v};
}

static inline uint32_t sim_laying_row(const struct sim_laying *laying, uint32_t element, uint32_t k)
{
    return laying->features->corners[element][k % 3];
}

static inline uint32_t sim_leaf_end(const struct sim_features *features, uint32_t leaf)
{
    uint32_t end = (leaf + 1) * SIM_LANES;
    return end < features->count ? end : features->count;
}

static inline void sim_rectangle_take(struct sim_rectangle *to, struct sim_place least, struct sim_place most)
{
    to->least.u = least.u < to->least.u ? least.u : to->least.u;
    to->least.v = least.v < to->least.v ? least.v : to->least.v;
    to->most.u = most.u > to->most.u ? most.u : to->most.u;
    to->most.v = most.v > to->most.v ? most.v : to->most.v;
}

// chart_lay.c
// Lays the surface out; false without memory. *laid: it lies over a plane, without folds and overlap.
bool sim_laying_lay(struct sim_laying *laying, const struct sim_body *body, bool *laid);

// chart_target.c
// Targets of what is laid, and their regions. False without memory.
bool sim_laying_aim(struct sim_laying *laying);

#endif
