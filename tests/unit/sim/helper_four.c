// Worlds of four particles and one constraint between them.
#include "helper_four.h"
#include "sim/state/fixed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

const enum sim_kind four_kinds[FOUR_KINDS] = {SIM_DIHEDRAL, SIM_ISOMETRIC, SIM_QUADRATIC, SIM_VOLUME};
#define NAME_OF(NAME, name) #name,
const char *const four_names[SIM_KIND_COUNT] = {SIM_KINDS(NAME_OF)};

static const uint32_t all[4] = {0, 1, 2, 3};

struct four_world four_create(struct sim_settings settings, const struct twin_four *four,
                              const double flat[4][3], const double w[4])
{
    struct four_world world = {.sim = scene_create(settings)};
    struct fault fault = {0};
    double masses[4];
    for (int k = 0; k < 4; k++) {
        masses[k] = w[k] > 0 ? 1 / w[k] : 0;
    }
    struct sim_body_desc desc = scene_points(&flat[0][0], 4, masses);
    world.body = scene_add(world.sim, &desc);
    uint32_t bodies[4];
    for (int k = 0; k < 4; k++) {
        bodies[k] = world.body;
    }
    bool flat_rest = four->kind == SIM_ISOMETRIC || four->kind == SIM_QUADRATIC, stiff = four->stiffness >= 0;
    const struct sim_constraint_values values = {
        .rest = flat_rest ? NULL : &four->rest,
        .compliance = stiff ? NULL : &four->compliance,
        .damping = stiff ? NULL : &four->damping,
        .stiffness = stiff ? &four->stiffness : NULL,
    };
    if (sim_constraints_add(world.sim, four->kind, 1, bodies, all, &values, &world.id, &fault) !=
        FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    assert_int_equal(sim_multipliers_keep(world.sim, true, &fault), FAULT_NONE);
    return world;
}

void four_place(const struct four_world *world, const double previous[4][3], const double x[4][3])
{
    const struct sim_settings *settings = sim_settings_of(world->sim);
    double rate = (double)settings->tick_rate * settings->substeps;
    float velocities[4][3];
    struct fault fault;
    for (int k = 0; k < 12; k++) {
        velocities[k / 3][k % 3] = (float)((x[k / 3][k % 3] - previous[k / 3][k % 3]) * rate);
    }
    assert_int_equal(
        sim_particles_set(world->sim, world->body, all, 4, &previous[0][0], &velocities[0][0], NULL, &fault),
        FAULT_NONE);
}

void four_positions(const struct four_world *world, double x[4][3])
{
    sim_body_positions64(world->sim, world->body, 0, 4, &x[0][0]);
}

void four_multiplier(const struct four_world *world, double lambda[3])
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(world->sim, world->id, &constraint));
    memcpy(lambda, constraint.multiplier, sizeof constraint.multiplier);
}

void four_snap(double x[4][3])
{
    for (int k = 0; k < 12; k++) {
        x[k / 3][k % 3] = (double)sim_quantize(x[k / 3][k % 3], 1 / SCENE_Q) * SCENE_Q;
    }
}

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * scene_uniform(seed);
}

struct four_sample four_sample(enum sim_kind kind, uint64_t *seed)
{
    struct four_sample sample = {.four = {.kind = kind, .p = {0, 1, 2, 3}, .stiffness = -1}};
    for (int k = 0; k < 4; k++) {
        sample.w[k] = between(seed, 0.2, 3);
    }
    if (kind == SIM_VOLUME) {
        const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int k = 0; k < 12; k++) {
            sample.rest[k / 3][k % 3] = corner[k / 3][k % 3] + between(seed, -0.15, 0.15);
        }
        sample.four.rest = between(seed, 0.05, 0.3);
    } else {
        const double flat[4][3] = {{0, 0, 0},
                                   {between(seed, 0.6, 1.2), 0, 0},
                                   {between(seed, -0.2, 1.2), between(seed, 0.3, 1), 0},
                                   {between(seed, -0.2, 1.2), -between(seed, 0.3, 1), 0}};
        memcpy(sample.rest, flat, sizeof flat);
        sample.four.rest = kind == SIM_DIHEDRAL ? between(seed, -2, 2) : 0;
    }
    four_snap(sample.rest);
    if (kind == SIM_ISOMETRIC || kind == SIM_QUADRATIC) {
        twin_four_flatten(&sample.four, (const double(*)[3])sample.rest);
    }
    memcpy(sample.x, sample.rest, sizeof sample.x);
    if (kind != SIM_VOLUME) {
        double angle = between(seed, -2.5, 2.5), y = sample.x[3][1];
        sample.x[3][1] = y * cos(angle);
        sample.x[3][2] = y * sin(angle);
    }
    for (int k = 0; k < 12; k++) {
        sample.x[k / 3][k % 3] += between(seed, -0.05, 0.05);
    }
    four_snap(sample.x);
    return sample;
}
