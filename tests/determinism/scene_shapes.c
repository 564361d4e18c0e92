// Bodies that are drawn to their shapes at rest: a block of points as one region, a bar of many regions that is held at an end, a
// sheet that keeps a bowl as its shape and falls onto the ground, and a rope. Shapes change on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, TICKS = 90 };

const uint32_t scene_shapes_ticks = TICKS;

static uint32_t add_box(struct sim *sim, const struct sim_limits *limits, const uint32_t sides[3],
                        const double origin[3], struct sim_matching matching, const uint32_t *pins,
                        uint32_t pin_count)
{
    const uint32_t count = sides[0] * sides[1] * sides[2];
    struct scene_mesh mesh = {.particle_count = count};
    mesh.positions = scene_array(3 * (uint64_t)count, sizeof *mesh.positions);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at[3] = {i % sides[0], i / sides[0] % sides[1], i / (sides[0] * sides[1])};
        for (uint32_t axis = 0; axis < 3; axis++) {
            mesh.positions[3 * (size_t)i + axis] = origin[axis] + 0.04 * at[axis];
        }
    }
    struct sim_body_desc desc = scene_desc(SIM_POINTS, &mesh);
    desc.density = 0.01;
    desc.matching = matching;
    desc.pins = pins;
    desc.pin_count = pin_count;
    const uint32_t body = scene_add(sim, &desc, limits).body;
    scene_mesh_deinit(&mesh);
    return body;
}

static uint32_t add_bowl(struct sim *sim, const struct sim_limits *limits)
{
    struct scene_mesh mesh = scene_sheet(SIDE, 0.03);
    double *bowl = scene_array(3 * (uint64_t)mesh.particle_count, sizeof *bowl);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        const double *x = mesh.positions + 3 * (size_t)i;
        memcpy(bowl + 3 * (size_t)i, x, 3 * sizeof *x);
        bowl[3 * (size_t)i + 1] += 0.4 * (x[0] * x[0] + x[2] * x[2]);
    }
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &mesh);
    desc.stretch.compliance = 1e-3;
    desc.matching = (struct sim_matching){
        .model = SIM_MATCH_RIGID, .compliance = 1e-4, .radius = 0.3, .spacing = 0.2, .places = bowl};
    const uint32_t body = scene_add(sim, &desc, limits).body;
    free(bowl);
    scene_mesh_deinit(&mesh);
    return body;
}

static void edit(struct sim *sim, uint32_t tick, const uint32_t bodies[4])
{
    const struct sim_rest_shape here = {.places = true};
    const struct sim_matching softer = {.model = SIM_MATCH_RIGID, .compliance = 2e-3, .radius = 0.12},
                              none = {0};
    if (tick == 10) {
        MUST(sim_body_set(sim, bodies[0], &(struct sim_body_change){.matching = &softer}, &scene_fault));
    }
    if (tick == 30) {
        MUST(sim_body_set(sim, bodies[1], &(struct sim_body_change){.rest = &here}, &scene_fault));
    }
    if (tick == 50) {
        MUST(sim_body_set(sim, bodies[2], &(struct sim_body_change){.matching = &none}, &scene_fault));
    }
}

int scene_shapes(const struct scene_options *options)
{
    const struct sim_limits limits = {
        .bodies = 8, .particles = 10000, .constraints = 40000, .colliders = 4, .grabs = 4};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 8,
                                          .iterations = 2,
                                          .damping = 0.1,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .sleep = true};
    const struct sim_collider ground = {
        .kind = SIM_PLANE, .position = {0, 0, 0}, .normal = {0.1, 1, 0}, .friction = 0.5};
    const struct sim_matching whole = {.model = SIM_MATCH_RIGID},
                              parts = {.model = SIM_MATCH_RIGID, .compliance = 1e-4, .radius = 0.11};
    struct sim *sim = sim_create(&settings, &limits);
    if (sim == NULL) {
        return 2;
    }
    struct scene_mesh line = scene_rope(60);
    struct sim_body_desc desc = scene_desc(SIM_ROPE, &line);
    desc.matching = parts;
    const uint32_t pins[3] = {0, 30, 150};
    const uint32_t bodies[4] = {
        add_box(sim, &limits, (const uint32_t[3]){14, 10, 14}, (const double[3]){2, 0.3, 0}, whole, NULL, 0),
        add_box(sim, &limits, (const uint32_t[3]){30, 5, 4}, (const double[3]){-3, 1, 0}, parts, pins, 3),
        add_bowl(sim, &limits), scene_add(sim, &desc, &limits).body};
    scene_mesh_deinit(&line);
    uint32_t id;
    MUST(sim_collider_add(sim, &ground, &id, &scene_fault));
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(sim, tick, bodies);
        if (!scene_tick(sim, options, tick)) {
            return 2;
        }
    }
    for (int b = 0; b < 4; b++) {
        struct sim_match_told told;
        if (sim_body_match(sim, bodies[b], &told)) {
            fprintf(stderr, "body %u: %u regions, %g m off\n", bodies[b], told.regions, told.distance);
        }
    }
    printf("final %016" PRIx64 "\n", sim_hash(sim));
    sim_destroy(sim);
    return 0;
}
