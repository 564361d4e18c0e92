// Bodies with pressure inside: a large balloon of gas that is inflated while it lies on the ground, a bag whose volume is kept,
// which falls onto it, and a small balloon on a string that is let out. Some of them fall asleep.

#include "scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 20, SMALL = 6, TICKS = 120 };

const uint32_t scene_inside_ticks = TICKS;

// A cube of n x n squares a side, drawn onto a ball. Its corners and edges are those of the lattice, so each particle is there once.
static struct scene_mesh ball(uint32_t n, double radius, const double centre[3])
{
    const uint32_t side = n + 1, all = side * side * side;
    struct scene_mesh mesh = {.particle_count = 6 * n * n + 2, .element_count = 12 * n * n};
    uint32_t *numbers = scene_array(all, sizeof *numbers), count = 0, faces = 0;
    mesh.positions = scene_array(3 * (uint64_t)mesh.particle_count, sizeof *mesh.positions);
    mesh.elements = scene_array(3 * (uint64_t)mesh.element_count, sizeof *mesh.elements);
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t at[3] = {i % side, i / side % side, i / (side * side)};
        bool outside = false;
        double x[3], length = 0;
        for (int axis = 0; axis < 3; axis++) {
            outside = outside || at[axis] == 0 || at[axis] == n;
            x[axis] = 2.0 * at[axis] / n - 1;
            length += x[axis] * x[axis];
        }
        for (int axis = 0; outside && axis < 3; axis++) {
            mesh.positions[3 * (size_t)count + axis] = centre[axis] + radius * (x[axis] / sqrt(length));
        }
        numbers[i] = count;
        count += outside;
    }
    static const uint32_t turns[6][4][3] = {
        // of each face, so that it looks outwards; 1: the far side
        {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}},
        {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}, {{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}},
        {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
    for (uint32_t f = 0; f < 6; f++) {
        const uint32_t normal = f / 2, u = (normal + 1) % 3, v = (normal + 2) % 3;
        for (uint32_t square = 0; square < n * n; square++) {
            uint32_t corner[4];
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t at[3];
                at[normal] = f % 2 == 0 ? 0 : n;
                at[u] = square % n + turns[f][k][u];
                at[v] = square / n + turns[f][k][v];
                corner[k] = numbers[at[0] + side * (at[1] + side * at[2])];
            }
            const uint32_t two[6] = {corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]};
            memcpy(mesh.elements + 3 * (size_t)faces, two, sizeof two);
            faces += 2;
        }
    }
    free(numbers);
    return mesh;
}

static uint32_t add(struct sim *sim, const struct sim_limits *limits, uint32_t n, double radius,
                    const double centre[3], struct sim_pressure pressure)
{
    struct scene_mesh mesh = ball(n, radius, centre);
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &mesh);
    desc.density = 0.2;
    desc.stretch.compliance = 0.01;
    desc.thickness = 0.004;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = 0.3};
    desc.pressure = pressure;
    const uint32_t body = scene_add(sim, &desc, limits).body;
    scene_mesh_deinit(&mesh);
    return body;
}

static void edit(struct sim *sim, uint32_t tick, const uint32_t bodies[3])
{
    const struct sim_pressure out = {
        .model = SIM_PRESSURE_GAS, .now = 1000, .end = -2000, .ambient = 101325, .seconds = 0.5};
    const struct sim_pressure more = {.model = SIM_PRESSURE_VOLUME, .end = 1.2};
    if (tick == 30) {
        MUST(sim_body_set(sim, bodies[2], &(struct sim_body_change){.pressure = &out}, &scene_fault));
    }
    if (tick == 40) {
        MUST(sim_body_set(sim, bodies[1], &(struct sim_body_change){.pressure = &more}, &scene_fault));
    }
}

int scene_inside(const struct scene_options *options)
{
    const struct sim_limits limits = {
        .bodies = 8, .particles = 10000, .constraints = 40000, .colliders = 4, .grabs = 4};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 8,
                                          .iterations = 2,
                                          .damping = 0.5,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .sleep = true};
    const struct sim_pressure gas = {
        .model = SIM_PRESSURE_GAS, .now = 0, .end = 2000, .ambient = 101325, .seconds = 0.7};
    const struct sim_pressure kept = {.model = SIM_PRESSURE_VOLUME, .end = 1, .compliance = 1e-8};
    const struct sim_pressure small = {.model = SIM_PRESSURE_GAS, .end = 1000, .ambient = 101325};
    const struct sim_collider ground = {.kind = SIM_PLANE,
                                        .position = {0, 0, 0},
                                        .normal = {0, 1, 0},
                                        .rotation = {0, 0, 0, 1},
                                        .friction = 0.5};
    static const double places[3][3] = {{0, 0.31, 0}, {0.05, 0.75, 0.02}, {0.8, 1, 0}};
    struct sim *sim = sim_create(&settings, &limits);
    if (sim == NULL) {
        return 2;
    }
    const uint32_t bodies[3] = {add(sim, &limits, LARGE, 0.3, places[0], gas),
                                add(sim, &limits, SMALL, 0.1, places[1], kept),
                                add(sim, &limits, SMALL, 0.1, places[2], small)};
    uint32_t id;
    MUST(sim_collider_add(sim, &ground, &id, &scene_fault));
    const struct sim_constraint_values values = {0};
    const uint32_t of[2] = {bodies[2], bodies[0]}, particles[2] = {0, 7};
    MUST(sim_constraints_add(sim, SIM_DISTANCE, 1, of, particles, &values, &id, &scene_fault));
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(sim, tick, bodies);
        if (!scene_tick(sim, options, tick)) {
            return 2;
        }
    }
    for (int b = 0; b < 3; b++) {
        struct sim_pressure_told told;
        sim_body_pressure(sim, bodies[b], &told);
        fprintf(stderr, "body %u: %g of its volume, %g Pa\n", bodies[b], told.volume / told.reference,
                told.pressure);
    }
    printf("final %016" PRIx64 "\n", sim_hash(sim));
    sim_destroy(sim);
    return 0;
}
