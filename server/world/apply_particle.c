// Particles: particle.set, particle.pin, particle.unpin.
#include "world/world_internal.h"

static const char *const per_axis = "x, y, z of each particle";

void world_apply_particle_set(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_particle_set_params *params = call->params;
    uint32_t body, count = params->particles.count;
    const uint32_t *particles;
    const double *positions = NULL;
    const float *velocities = NULL, *inverse_masses = NULL;
    struct sim_fault fault;
    if (!world_call_body(call, &params->body, &body) ||
        !world_call_u32s(call, "particles", &params->particles, &particles) ||
        ((params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_POSITIONS) &&
         !world_call_f64s(call, "positions", &params->positions, 3 * count, per_axis, &positions)) ||
        ((params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_VELOCITIES) &&
         !world_call_f32s(call, "velocities", &params->velocities, 3 * count, per_axis, &velocities)) ||
        ((params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_INVERSE_MASSES) &&
         !world_call_f32s(call, "inverse_masses", &params->inverse_masses, count, "one a particle",
                          &inverse_masses))) {
        return;
    }
    if (sim_particles_set(world->sim, body, particles, count, positions, velocities, inverse_masses,
                          &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    struct protocol_particle_set_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

void world_apply_particle_pin(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_particle_pin_params *params = call->params;
    uint32_t body, count = params->particles.count;
    const uint32_t *particles;
    const double *positions = NULL;
    struct sim_fault fault;
    if (!world_call_body(call, &params->body, &body) ||
        !world_call_u32s(call, "particles", &params->particles, &particles) ||
        ((params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_POSITIONS) &&
         !world_call_f64s(call, "positions", &params->positions, 3 * count, per_axis, &positions))) {
        return;
    }
    if (sim_particles_pin(world->sim, body, particles, count, positions, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    struct protocol_particle_pin_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

void world_apply_particle_unpin(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_particle_unpin_params *params = call->params;
    uint32_t body;
    const uint32_t *particles;
    struct sim_fault fault;
    if (!world_call_body(call, &params->body, &body) ||
        !world_call_u32s(call, "particles", &params->particles, &particles)) {
        return;
    }
    if (sim_particles_unpin(world->sim, body, particles, params->particles.count, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    struct protocol_particle_unpin_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}
