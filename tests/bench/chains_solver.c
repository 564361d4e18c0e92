// weft's ropes as `weft-bench chains` runs them, and the table of all solvers.
#include "chains_solver.h"

#include "scene.h"

#include <stdio.h>

static void *weft_create(enum chain_solver_id id, const struct chain *chain, uint32_t substeps)
{
    static const uint32_t pin = 0;
    uint32_t edges[2 * CHAIN_PARTICLES_MAX];
    float velocities[3 * CHAIN_PARTICLES_MAX];
    for (uint32_t j = 0; j < chain->link_count; j++) {
        chain_link(chain, j, edges + 2 * (size_t)j);
    }
    for (uint32_t i = 0; i < 3 * chain->count; i++) {
        velocities[i] = (float)chain->velocities[i];
    }
    const struct sim_settings settings = {
        .gravity = {0, -CHAIN_GRAVITY, 0},
        .tick_rate = CHAIN_TICK_RATE,
        .substeps = substeps,
        .iterations = 1,
        .resolution = 1.0 / (1 << 27),
        .extent = 1e6,
        .wind = {.drag = 1},
        .long_edges = id == CHAIN_WEFT,
    };
    const struct sim_body_desc desc = {
        .kind = SIM_ROPE,
        .particle_count = chain->count,
        .positions = chain->positions,
        .velocities = velocities,
        .edges = edges,
        .edge_count = chain->link_count,
        .masses = chain->masses,
        .stretch = {.stiffness = -1},
        .bend = {.stiffness = -1},
        .volume = {.stiffness = -1},
        .pins = &pin,
        .pin_count = 1,
    };
    const struct sim_limits limits = {
        .bodies = 4, .particles = 1000, .constraints = 10000, .colliders = 4, .grabs = 4};
    struct fault fault = {0};
    struct sim_body_added added;
    struct sim *sim = sim_create(&settings, &limits);
    struct sim_body_plan *plan =
        sim ? sim_body_prepare(&desc, settings.resolution, settings.extent, &limits, &fault) : NULL;
    if (plan && sim_body_attach(sim, plan, &added, &fault) == FAULT_NONE) {
        return sim;
    }
    fprintf(stderr, "weft-bench: the rope was refused: %s\n", fault.text);
    sim_body_plan_destroy(plan);
    sim_destroy(sim);
    return NULL;
}

static void weft_destroy(void *world)
{
    sim_destroy(world);
}

static bool weft_tick(void *world, const double hand[3])
{
    static const uint32_t pin = 0;
    struct fault fault = {0};
    struct sim_failure failure = {0};
    if (sim_particles_pin(world, sim_body_id_at(world, 0), &pin, 1, hand, &fault) != FAULT_NONE) {
        return false;
    }
    sim_step(world, NULL, NULL, &failure);
    return !failure.failed;
}

static void weft_read(void *world, double *positions, double *velocities)
{
    const uint32_t body = sim_body_id_at(world, 0), count = sim_particle_count(world);
    float read[3 * CHAIN_PARTICLES_MAX];
    sim_body_positions64(world, body, 0, count, positions);
    sim_body_velocities(world, body, 0, count, read);
    for (uint32_t i = 0; i < 3 * count; i++) {
        velocities[i] = (double)read[i];
    }
}

#define WEFT weft_create, weft_destroy, weft_tick, weft_read
#define DIRECT chain_direct_create, chain_direct_destroy, chain_direct_tick, chain_direct_read

const struct chain_solver chain_solvers[CHAIN_SOLVERS] = {
    [CHAIN_SWEPT] = {"swept", "weft with long_edges off", WEFT},
    [CHAIN_WEFT] = {"long", "weft with long_edges on", WEFT},
    [CHAIN_DIRECT] = {"direct", "all links at once, twice a substep, in double", DIRECT},
    [CHAIN_RAISED] = {"raised", "the same with raised masses, which one to three probes find", DIRECT},
    [CHAIN_STRINGS] = {"strings", "as raised, and links that would push are left out", DIRECT},
    [CHAIN_NEWTON] = {"newton", "four steps of Newton with the stiffness that tension gives, in double",
                      DIRECT},
};
