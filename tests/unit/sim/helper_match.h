// Bodies that shape matching draws to their shapes, for tests.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_MATCH_H
#define WEFT_TESTS_UNIT_SIM_HELPER_MATCH_H

#include "helper_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FIVE = 5 };
static const double q5[3 * FIVE] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0.5};
static const double x5[3 * FIVE] = {0.1, 0, 0.1, 0.9, 0.7, 0, -0.7, 0.9, 0.2, 0.1, -0.1, 1.2, 0.2, 1.5, 0.6};
static const double m5[FIVE] = {1, 2, 1, .5, 1};

static inline struct sim_matching rigid(double compliance)
{
    return (struct sim_matching){.model = SIM_MATCH_RIGID, .compliance = compliance};
}

static inline struct sim_match_told told_of(const struct sim *sim, uint32_t body)
{
    struct sim_match_told told;
    assert_true(sim_body_match(sim, body, &told));
    return told;
}

// Five particles at x that are drawn to q.
static inline uint32_t add_five(struct sim *sim, const double *x, struct sim_matching matching)
{
    struct sim_body_desc desc = scene_points(x, FIVE, m5);
    desc.matching = matching;
    desc.matching.places = q5;
    return scene_add(sim, &desc);
}

// A box of points, its least corner at `origin`. *count: how many
static inline double *box(const uint32_t sides[3], double spacing, const double origin[3], uint32_t *count)
{
    double *points = malloc(3 * (size_t)sides[0] * sides[1] * sides[2] * sizeof *points);
    *count = sides[0] * sides[1] * sides[2];
    for (uint32_t i = 0; i < *count; i++) {
        points[3 * (size_t)i] = origin[0] + spacing * (i % sides[0]);
        points[3 * (size_t)i + 1] = origin[1] + spacing * (i / sides[0] % sides[1]);
        points[3 * (size_t)i + 2] = origin[2] + spacing * (i / (sides[0] * sides[1]));
    }
    return points;
}

#endif
