// The world itself: world.get, world.set, world.join, world.leave, world.reset, world.hash, world.measure.
#include "world/world_internal.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)PROTOCOL_WORLD_GET_RESULT_STATE_PAUSED == (int)WORLD_PAUSED &&
                   (int)PROTOCOL_WORLD_GET_RESULT_STATE_PLAYING == (int)WORLD_PLAYING &&
                   (int)PROTOCOL_WORLD_GET_RESULT_STATE_FAILED == (int)WORLD_FAILED &&
                   (int)PROTOCOL_WORLD_CHANGED_NOTICE_STATE_FAILED == (int)WORLD_FAILED,
               "states stand in the same order everywhere");

void world_get_fill(const struct world *world, struct protocol_world_get_result *out)
{
    const struct sim_settings *settings = sim_settings_of(world->sim);
    *out = (struct protocol_world_get_result){
        .has = WORLD_HAS_ALL,
        .world = world->id,
        .name = world_string(world->name),
        .state = world->state,
        .reason = world_string(world->state == WORLD_FAILED ? world->reason : ""),
        .rate = world->pace.rate,
        .tick = world->tick,
        .time = (double)world->tick / settings->tick_rate,
        .revision = world->revision,
        .tick_rate = settings->tick_rate,
        .substeps = settings->substeps,
        .iterations = settings->iterations,
        .damping = settings->damping,
        .resolution = settings->resolution,
        .extent = settings->extent,
        .bodies = sim_body_count(world->sim),
        .particles = sim_particle_count(world->sim),
        .constraints = sim_constraint_count(world->sim),
        .colliders = sim_collider_count(world->sim),
        .grabs = sim_grab_count(world->sim),
        .people = world->people.member_count,
        .streams = world->streams.count,
        .ticks_late = world->pace.late,
        .lateness_us = world->pace.lateness_us,
        .lateness_max_us = world->pace.lateness_max_us,
        .time_lost_us = world->pace.lost_us,
        .tick_us = world->times.tick_us,
        .frames_dropped = world->frames_dropped,
    };
    memcpy(out->gravity, settings->gravity, sizeof out->gravity);
    world_wind_fill(settings, &out->wind);
}

void world_apply_world_get(struct world_call *call)
{
    struct protocol_world_get_result result;
    world_get_fill(call->world, &result);
    world_answer(call, &result);
}

void world_apply_world_set(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_world_set_params *params = call->params;
    struct sim_settings settings = *sim_settings_of(world->sim);
    bool name = params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME;
    if (name && params->name.size == 0) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "name", "name: empty; a world needs one");
        return;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_GRAVITY) {
        memcpy(settings.gravity, params->gravity, sizeof settings.gravity);
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_SUBSTEPS) {
        settings.substeps = params->substeps;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_ITERATIONS) {
        settings.iterations = params->iterations;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_DAMPING) {
        settings.damping = params->damping;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_WIND) {
        world_wind_merge(&params->wind, &settings.wind);
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_EXTENT) {
        settings.extent = params->extent;
    }
    struct sim_fault fault;
    if (sim_settings_set(world->sim, &settings, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    if (name) {
        // That nobody else has the name is the loop's to know: it reserved it before posting this.
        memset(world->name, 0, sizeof world->name);
        memcpy(world->name, params->name.data, params->name.size);
        call->effect = WORLD_EFFECT_RENAMED;
    }
    struct protocol_world_set_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

void world_apply_world_join(struct world_call *call)
{
    struct world *world = call->world;
    const struct sim_settings *settings = sim_settings_of(world->sim);
    struct protocol_world_join_result result = {
        .has = WORLD_HAS_ALL,
        .world = world->id,
        .name = world_string(world->name),
        .state = world->state,
        .rate = world->pace.rate,
        .tick = world->tick,
        .revision = world->revision,
        .tick_rate = settings->tick_rate,
        .substeps = settings->substeps,
        .iterations = settings->iterations,
        .damping = settings->damping,
        .resolution = settings->resolution,
        .extent = settings->extent,
    };
    memcpy(result.gravity, settings->gravity, sizeof result.gravity);
    world_wind_fill(settings, &result.wind);
    if (!world_bodies_list(call, &result.bodies) || !world_colliders_list(call, &result.colliders) ||
        !world_grabs_list(call, &result.grabs)) {
        return;
    }
    const bool renamed = world_people_renamed(&world->people, &call->request->asker);
    if (!world_people_join(&world->people, &call->request->asker)) {
        world_refuse_memory(call);
        return;
    }
    if (!world_people_list(call, &result.people)) {
        world_people_leave(&world->people, call->request->asker.session);
        return;
    }
    call->effect = WORLD_EFFECT_JOINED;
    world_answer(call, &result);
    if (renamed) {
        world_notice_person(world, &call->request->asker);
    }
}

void world_apply_world_leave(struct world_call *call)
{
    struct world *world = call->world;
    world_people_leave(&world->people, call->request->asker.session);
    call->effect = WORLD_EFFECT_LEFT;
    struct protocol_world_leave_result result = {.has = WORLD_HAS_ALL, .revision = world->revision};
    world_answer(call, &result);
}

void world_apply_world_reset(struct world_call *call)
{
    struct world *world = call->world;
    bool mended = world->state == WORLD_FAILED;
    sim_reset(world->sim);
    if (mended) {
        world->state = WORLD_PAUSED;
        world->reason[0] = '\0';
    }
    struct protocol_world_reset_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
    if (mended) {
        world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PAUSED, &call->request->asker);
    }
}

void world_apply_world_hash(struct world_call *call)
{
    struct world *world = call->world;
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sim_hash(world->sim));
    struct protocol_world_hash_result result = {
        .has = WORLD_HAS_ALL,
        .tick = world->tick,
        .revision = world->revision,
        .hash = world_string(digits),
    };
    world_answer(call, &result);
}

void world_apply_world_measure(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_world_measure_result result = {
        .has = WORLD_HAS_ALL, .tick = world->tick, .revision = world->revision};
    world_measures_fill(world->sim, &world->times, &result.measures);
    world_answer(call, &result);
}
