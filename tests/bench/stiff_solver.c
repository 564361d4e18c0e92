// weft's solver with and without long edges, with and without solved bending; and Jolt's, if the build has it.

#include "stiff_solver.h"

#include "jolt_cloth.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------ weft

static bool supports_add(struct sim *sim, const struct stiff_body *body, struct fault *fault)
{
    static const enum sim_collider_kind kinds[] = {
        [STIFF_CYLINDER] = SIM_CYLINDER, [STIFF_CAPSULE] = SIM_CAPSULE, [STIFF_BOX] = SIM_BOX};
    for (uint32_t s = 0; s < body->support_count; s++) {
        const struct stiff_support *support = &body->supports[s];
        struct sim_collider collider = {.kind = kinds[support->kind],
                                        .radius = support->radius,
                                        .length = support->length,
                                        .friction = 0.5};
        memcpy(collider.position, support->position, sizeof collider.position);
        memcpy(collider.rotation, support->rotation, sizeof collider.rotation);
        memcpy(collider.half_extents, support->half_extents, sizeof collider.half_extents);
        uint32_t id;
        if (sim_collider_add(sim, &collider, &id, fault) != FAULT_NONE) {
            return false;
        }
    }
    return true;
}

static struct sim *sim_of(const struct stiff_body *body, const struct sim_settings *settings)
{
    static const struct sim_limits limits = {
        .bodies = 1, .particles = UINT32_MAX, .constraints = UINT32_MAX, .colliders = STIFF_SUPPORTS_MAX};
    const bool rope = body->kind == STIFF_ROPE, bends = body->rigidity > 0;
    const struct sim_body_desc desc = {
        .kind = rope ? SIM_ROPE : SIM_CLOTH,
        .particle_count = body->particle_count,
        .positions = body->positions,
        .triangles = body->triangles,
        .triangle_count = body->triangle_count,
        .edges = rope ? body->edges[0] : NULL,
        .edge_count = rope ? body->edge_count : 0,
        .masses = rope ? body->masses : NULL,
        .density = body->density,
        .stretch = {.stiffness = -1},
        .bend_model = bends ? SIM_BEND_QUADRATIC : SIM_BEND_NONE,
        // Squares crosswise have B = 2.5 k_b along their sides, and the compliance is 1 / k_b.
        .bend = {.compliance = bends ? 2.5 / body->rigidity : 0, .stiffness = -1},
        .volume = {.stiffness = -1},
        .thickness = body->support_count > 0 ? STIFF_THICKNESS : 0,
        .pins = body->pins,
        .pin_count = body->pin_count,
    };
    struct fault fault = {.text = "no memory"};
    struct sim_body_added added;
    struct sim *sim = sim_create(settings, &limits);
    struct sim_body_plan *plan =
        sim ? sim_body_prepare(&desc, settings->resolution, settings->extent, &limits, &fault) : NULL;
    if (plan && sim_body_attach(sim, plan, &added, &fault) == FAULT_NONE) {
        if (supports_add(sim, body, &fault)) {
            return sim;
        }
        plan = NULL; // the sim has it
    }
    fprintf(stderr, "weft-bench: the body was refused: %s\n", fault.text);
    sim_body_plan_destroy(plan);
    sim_destroy(sim);
    return NULL;
}

// These are the defaults of a scene, so that one with the same body comes to the same hash.
static struct sim_settings settings_of(const struct stiff_world *world)
{
    return (struct sim_settings){
        .gravity = {0, -9.81, 0},
        .tick_rate = STIFF_TICK_RATE,
        .substeps = world->substeps,
        .iterations = world->iterations,
        .damping = world->damping,
        .resolution = 1.0 / (1 << 27),
        .extent = 1e6,
        .wind = {.drag = 1},
    };
}

static void *before_create(const struct stiff_body *body, const struct stiff_world *world)
{
    const struct sim_settings settings = settings_of(world);
    return sim_of(body, &settings);
}

static void *long_create(const struct stiff_body *body, const struct stiff_world *world)
{
    struct sim_settings settings = settings_of(world);
    settings.long_edges = true;
    return sim_of(body, &settings);
}

static void *alone_create(const struct stiff_body *body, const struct stiff_world *world)
{
    struct sim_settings settings = settings_of(world);
    settings.bending_solved = true;
    return sim_of(body, &settings);
}

static void *solved_create(const struct stiff_body *body, const struct stiff_world *world)
{
    struct sim_settings settings = settings_of(world);
    settings.long_edges = settings.bending_solved = true;
    return sim_of(body, &settings);
}

static void weft_destroy(void *world)
{
    sim_destroy(world);
}

static bool weft_tick(void *world, char reason[STIFF_REASON_SIZE])
{
    struct sim_failure failure = {0};
    sim_step(world, NULL, NULL, &failure);
    if (failure.failed) {
        snprintf(reason, STIFF_REASON_SIZE, "%s", failure.text);
    }
    return !failure.failed;
}

static void weft_positions(void *world, double *out)
{
    sim_body_positions64(world, sim_body_id_at(world, 0), 0, sim_particle_count(world), out);
}

static void weft_velocities(void *world, float *out)
{
    sim_body_velocities(world, sim_body_id_at(world, 0), 0, sim_particle_count(world), out);
}

static uint64_t weft_hash(void *world)
{
    return sim_hash(world);
}

// ------------------------------------------------------------------------------------------------------ Jolt

#ifdef WEFT_BENCH_JOLT

static void *jolt_create(const struct stiff_body *body, const struct stiff_world *world)
{
    float *inverse_masses = malloc(body->particle_count * sizeof *inverse_masses);
    struct bench_jolt *jolt = NULL;
    for (uint32_t i = 0; inverse_masses && i < body->particle_count; i++) {
        inverse_masses[i] = (float)(1 / body->masses[i]);
    }
    for (uint32_t p = 0; inverse_masses && p < body->pin_count; p++) {
        inverse_masses[body->pins[p]] = 0;
    }
    if (inverse_masses) {
        jolt = bench_jolt_create(&(struct bench_jolt_desc){
            .particle_count = body->particle_count,
            .triangle_count = body->triangle_count,
            .edge_count = body->edge_count,
            .positions = body->positions,
            .inverse_masses = inverse_masses,
            .triangles = body->triangles,
            .edges = (const uint32_t(*)[2])body->edges,
            // Squares crosswise take 0.75 / B in all directions.
            .bend_compliance = body->rigidity > 0 ? 0.75 / body->rigidity : -1,
            .damping = world->damping,
            .substeps = world->substeps,
        });
    }
    free(inverse_masses);
    if (!jolt) {
        fprintf(stderr, "weft-bench: Jolt could not make the body\n");
    }
    return jolt;
}

static void jolt_destroy(void *world)
{
    bench_jolt_destroy(world);
}

static bool jolt_tick(void *world, char reason[STIFF_REASON_SIZE])
{
    bool good = bench_jolt_step(world, 1.0 / STIFF_TICK_RATE);
    if (!good) {
        snprintf(reason, STIFF_REASON_SIZE, "Jolt reports an error");
    }
    return good;
}

static void jolt_positions(void *world, double *out)
{
    bench_jolt_positions(world, out);
}

static void jolt_velocities(void *world, float *out)
{
    bench_jolt_velocities(world, out);
}

#endif

const struct stiff_solver stiff_solvers[STIFF_SOLVERS] = {
    [STIFF_BEFORE] = {"before", "weft with long_edges off", before_create, weft_destroy, weft_tick,
                      weft_positions, weft_velocities, weft_hash},
    [STIFF_WEFT] = {"long", "weft with long_edges on", long_create, weft_destroy, weft_tick, weft_positions,
                    weft_velocities, weft_hash},
    [STIFF_ALONE] = {"alone", "weft with solved bending and long_edges off, where something bends",
                     alone_create, weft_destroy, weft_tick, weft_positions, weft_velocities, weft_hash},
    [STIFF_SOLVED] = {"solved", "weft with long_edges on and solved bending, where something bends",
                      solved_create, weft_destroy, weft_tick, weft_positions, weft_velocities, weft_hash},
#ifdef WEFT_BENCH_JOLT
    [STIFF_JOLT] = {"jolt", "Jolt's soft body with its long range attachments", jolt_create, jolt_destroy,
                    jolt_tick, jolt_positions, jolt_velocities, NULL},
#else
    [STIFF_JOLT] = {.name = "jolt",
                    .what = "Jolt's soft body; this build has none (scripts/jolt.sh builds it)"},
#endif
};
