// Handles the world itself: world.get, world.join, world.leave, world.hash, world.measure, world.save.
#include "world/edit/apply.h"

#include "document/document.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/edit/costly.h"
#include "world/frames/frames.h"
#include "world/frames/stream.h"
#include "world/frames/summary.h"
#include "world/keep/durable.h"
#include "world/keep/image.h"
#include "world/keep/journal.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/time/convergence.h"
#include "world/time/pace.h"
#include "world/time/view.h"
#include "world/twins/twins.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)PROTOCOL_WORLD_GET_RESULT_STATE_PAUSED == (int)WORLD_PAUSED &&
                   (int)PROTOCOL_WORLD_GET_RESULT_STATE_PLAYING == (int)WORLD_PLAYING &&
                   (int)PROTOCOL_WORLD_GET_RESULT_STATE_FAILED == (int)WORLD_FAILED &&
                   (int)PROTOCOL_WORLD_CHANGED_NOTICE_STATE_FAILED == (int)WORLD_FAILED,
               "states stand in the same order everywhere");

// Fields that are set only for a world that another solver has replayed.
static const uint64_t exact_get =
    PROTOCOL_HAS_WORLD_GET_RESULT_EXACT_TICK | PROTOCOL_HAS_WORLD_GET_RESULT_EXACT_SOLVER;
static const uint64_t exact_join =
    PROTOCOL_HAS_WORLD_JOIN_RESULT_EXACT_TICK | PROTOCOL_HAS_WORLD_JOIN_RESULT_EXACT_SOLVER;

static struct protocol_string read_only_text(const struct world *world)
{
    const char *text = world_read_only(world);
    return protocol_text(text ? text : "");
}

void world_get_fill(const struct world *world, struct protocol_world_get_result *out)
{
    const struct sim_settings *settings = sim_settings_of(world->document->sim);
    const struct world_pace *pace = world_pace_of(world->time);
    *out = (struct protocol_world_get_result){
        .has =
            world_journal_exact(world->keep).solver != 0 ? PROTOCOL_HAS_ALL : PROTOCOL_HAS_ALL & ~exact_get,
        .world = world->id,
        .name = protocol_text(world->document->name),
        .state = world_state(world->time),
        .reason = protocol_text(world_state(world->time) == WORLD_FAILED ? world->document->reason : ""),
        .rate = world_rate(world->time),
        .tick = world->document->tick,
        .time = (double)world->document->tick / settings->tick_rate,
        .revision = world->document->revision,
        .tick_rate = settings->tick_rate,
        .substeps = settings->substeps,
        .iterations = settings->iterations,
        .damping = settings->damping,
        .resolution = settings->resolution,
        .extent = settings->extent,
        .contact_quality = (int)settings->contact_quality,
        .untangle = settings->untangle,
        .long_edges = settings->long_edges,
        .bending = settings->bending_solved ? PROTOCOL_WORLD_GET_RESULT_BENDING_SOLVED
                                            : PROTOCOL_WORLD_GET_RESULT_BENDING_SWEPT,
        .loads = settings->loads_solved ? PROTOCOL_WORLD_GET_RESULT_LOADS_SOLVED
                                        : PROTOCOL_WORLD_GET_RESULT_LOADS_SWEPT,
        .sleep = settings->sleep,
        .calm = settings->calm,
        .bodies = sim_body_count(world->document->sim),
        .particles = sim_particle_count(world->document->sim),
        .constraints = sim_constraint_count(world->document->sim),
        .colliders = sim_collider_count(world->document->sim),
        .grabs = sim_grab_count(world->document->sim),
        .people = world_people_count(world->people),
        .streams = world_streams_of(world->frames)->count + world_twins_count(world->twins),
        .ticks_late = pace->late,
        .lateness_us = pace->lateness_us,
        .lateness_max_us = pace->lateness_max_us,
        .time_lost_us = pace->lost_us,
        .tick_us = world_times_of(world->time)->tick_us,
        .frames_dropped = world_frames_dropped(world->frames),
        .read_only = read_only_text(world),
        .view_of = world_view_of(world->time),
        .slowed = world_is_slowed(world->time),
        .hold = world_holding_of(world->time)->allowed,
        .held_by = world_holding_of(world->time)->by,
        .epoch = world_journal_epoch(world->keep),
        .exact = world_journal_exact(world->keep).solver == 0,
        .exact_tick = world_journal_exact(world->keep).tick,
        .exact_solver = world_journal_exact(world->keep).solver,
    };
    memcpy(out->gravity, settings->gravity, sizeof out->gravity);
    document_wind_fill(settings, &out->wind);
}

void world_apply_world_get(struct world_call *call)
{
    struct protocol_world_get_result result;
    world_get_fill(call->world, &result);
    world_answer(call, &result);
}

void world_apply_world_join(struct world_call *call)
{
    struct world *world = call->world;
    const struct sim_settings *settings = sim_settings_of(world->document->sim);
    struct protocol_world_join_result result = {
        .has =
            world_journal_exact(world->keep).solver != 0 ? PROTOCOL_HAS_ALL : PROTOCOL_HAS_ALL & ~exact_join,
        .world = world->id,
        .name = protocol_text(world->document->name),
        .state = world_state(world->time),
        .rate = world_rate(world->time),
        .tick = world->document->tick,
        .revision = world->document->revision,
        .tick_rate = settings->tick_rate,
        .substeps = settings->substeps,
        .iterations = settings->iterations,
        .damping = settings->damping,
        .resolution = settings->resolution,
        .extent = settings->extent,
        .contact_quality = (int)settings->contact_quality,
        .untangle = settings->untangle,
        .long_edges = settings->long_edges,
        .bending = settings->bending_solved ? PROTOCOL_WORLD_JOIN_RESULT_BENDING_SOLVED
                                            : PROTOCOL_WORLD_JOIN_RESULT_BENDING_SWEPT,
        .loads = settings->loads_solved ? PROTOCOL_WORLD_JOIN_RESULT_LOADS_SOLVED
                                        : PROTOCOL_WORLD_JOIN_RESULT_LOADS_SWEPT,
        .sleep = settings->sleep,
        .calm = settings->calm,
        .read_only = read_only_text(world),
        .view_of = world_view_of(world->time),
        .slowed = world_is_slowed(world->time),
        .hold = world_holding_of(world->time)->allowed,
        .held_by = world_holding_of(world->time)->by,
        .epoch = world_journal_epoch(world->keep),
        .exact = world_journal_exact(world->keep).solver == 0,
        .exact_tick = world_journal_exact(world->keep).tick,
        .exact_solver = world_journal_exact(world->keep).solver,
    };
    memcpy(result.gravity, settings->gravity, sizeof result.gravity);
    document_wind_fill(settings, &result.wind);
    struct protocol_force_fields forces;
    struct protocol_force_field *fields = world_call_alloc(call, SIM_FORCES_MAX, sizeof *fields);
    struct protocol_surface_pair *rows = world_call_alloc(call, SIM_SURFACES_MAX, sizeof *rows);
    if (!fields || !rows) {
        return;
    }
    document_forces_fill(&settings->forces, fields, &forces);
    result.forces = forces.fields;
    document_surfaces_fill(&settings->surfaces, rows, &result.surfaces);
    if (!world_bodies_list(call, &result.bodies) || !world_colliders_list(call, &result.colliders) ||
        !world_grabs_list(call, &result.grabs)) {
        return;
    }
    const bool renamed = world_people_renamed(world->people, &call->request->asker);
    if (!world_people_join(world->people, &call->request->asker)) {
        world_refuse_memory(call);
        return;
    }
    if (!world_people_list(call, &result.people)) {
        world_people_leave(world->people, call->request->asker.session);
        return;
    }
    world_answer(call, &result);
    if (renamed) {
        world_notice_person(world, &call->request->asker);
    }
}

void world_apply_world_leave(struct world_call *call)
{
    struct world *world = call->world;
    world_people_leave(world->people, call->request->asker.session);
    struct protocol_world_leave_result result = {.has = PROTOCOL_HAS_ALL,
                                                 .revision = world->document->revision};
    world_answer(call, &result);
    if (world_view_of(world->time) != 0) {
        world_view_end(world, &call->request->asker);
    }
}

void world_apply_world_hash(struct world_call *call)
{
    struct world *world = call->world;
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)document_hash(world->document));
    struct protocol_world_hash_result result = {
        .has = PROTOCOL_HAS_ALL,
        .tick = world->document->tick,
        .revision = world->document->revision,
        .hash = protocol_text(digits),
    };
    world_answer(call, &result);
}

// Counts the triangles that contact looks at.
static uint64_t meeting_triangles(const struct sim *sim)
{
    uint64_t count = 0;
    for (uint32_t b = 0; b < sim_body_count(sim); b++) {
        struct sim_body_info info;
        sim_body_info(sim, sim_body_id_at(sim, b), &info);
        count += sim_meets(&info.meeting) ? info.surface_count : 0;
    }
    return count;
}

// Counts crossings exactly, however long that takes.
static bool count_crossings(struct world_call *call, uint64_t *crossings, double *wait_ms)
{
    const struct sim *sim = call->world->document->sim;
    const uint64_t triangles = meeting_triangles(sim);
    if (triangles > PROTOCOL_LIMIT_CROSSING_TRIANGLES) {
        world_refuse(
            call, PROTOCOL_CODE_LIMIT, "crossings",
            "crossings: %llu triangles; crossings of at most %u are counted (limit crossing_triangles)",
            (unsigned long long)triangles, (unsigned)PROTOCOL_LIMIT_CROSSING_TRIANGLES);
        call->error.limit = (double)PROTOCOL_LIMIT_CROSSING_TRIANGLES;
        return false;
    }
    *crossings = sim_crossings(sim);
    *wait_ms = world_costly_charge(call, triangles * WORLD_PRICE_CROSSING);
    return *crossings != UINT64_MAX || world_refuse_memory(call);
}

void world_apply_world_measure(struct world_call *call)
{
    const struct protocol_world_measure_params *params = call->params;
    struct world *world = call->world;
    struct protocol_world_measure_result result = {
        .has = PROTOCOL_HAS_ALL, .tick = world->document->tick, .revision = world->document->revision};
    if (!params->crossings) {
        result.has &= ~(uint64_t)(PROTOCOL_HAS_WORLD_MEASURE_RESULT_CROSSINGS |
                                  PROTOCOL_HAS_WORLD_MEASURE_RESULT_PIERCED);
    } else if (!count_crossings(call, &result.crossings, &result.wait_ms)) {
        return;
    } else {
        result.pierced = sim_pierced(world->document->sim);
    }
    if (!(result.wait_ms > 0)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_WORLD_MEASURE_RESULT_WAIT_MS;
    }
    if (!world_convergence_list(call, &result.convergence) ||
        !world_pressures_list(call, &result.pressures) || !world_shapes_list(call, &result.shapes) ||
        (!world_warnings(world, &result.warnings) && !world_refuse_memory(call))) {
        return;
    }
    world_measures_fill(world->document->sim, world_times_of(world->time), &result.measures);
    document_contact_fill(world->document->sim, &result.contact);
    world_answer(call, &result);
}

void world_apply_world_save(struct world_call *call)
{
    struct world *world = call->world;
    struct sim_image image;
    char digits[17];
    if (world_state(world->time) == WORLD_FAILED) {
        world_refuse(call, document_failed_code(world->document), NULL, "world \"%s\" failed: %.144s; %s",
                     world->document->name, world->document->reason, document_mended_by(world->document));
        return;
    }
    if (!call->request->answer) {
        world_answer(call, NULL); // the session is gone and needs no answer
        return;
    }
    if (world_saves_beside(world)) {
        world_image_start(call);
        return;
    }
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sim_hash_ungrabbed(world->document->sim));
    struct protocol_world_save_result result = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .name = protocol_text(world->document->name),
        .revision = world->document->revision,
        .tick = world->document->tick,
        .hash = protocol_text(digits),
        .sequence = world_journal_sequence(world->keep),
    };
    if (!document_save(world->document, &call->request->packet->zone, &image, &result.document)) {
        world_refuse_memory(call);
        return;
    }
    world_answer(call, &result);
    sim_image_deinit(&image);
}
