// Handles time: world.play, world.pause, world.hold, world.step, world.delete.
//
//              play                step
//     paused ◀──────▶ playing     paused ──▶ stepping ──▶ paused      "stepping" is shown as paused
//        ▲     pause     │                      │
//        └──── reset ── failed ◀── a tick ──────┘
#include "world/edit/apply.h"

#include "base/assert.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/edit/part.h"
#include "world/keep/image.h"
#include "world/keep/journal.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/time/pace.h"
#include "world/time/step.h"

#include <stdio.h>

static bool mended(struct world_call *call)
{
    const struct world *world = call->world;
    if (world_state(world->time) != WORLD_FAILED) {
        return true;
    }
    return world_refuse(call, document_failed_code(world->document), NULL, "world \"%s\" failed: %.144s; %s",
                        world->document->name, world->document->reason, document_mended_by(world->document));
}

static bool not_stepping(struct world_call *call)
{
    const struct world *world = call->world;
    const struct world_request *step = world_step_request(world->time);
    if (!step) {
        return true;
    }
    const char *user = step->asker.user;
    world_refuse(call, PROTOCOL_CODE_CONFLICT, NULL, "world \"%s\" is stepping%s%s; pause it first",
                 world->document->name, user[0] != '\0' ? " for " : "", user);
    call->error.names_user = true;
    snprintf(call->error.user, sizeof call->error.user, "%s", user);
    return false;
}

void world_apply_world_play(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_world_play_params *params = call->params;
    if (!mended(call) || !not_stepping(call)) {
        return;
    }
    if (params->rate > 0 && params->rate < WORLD_RATE_MIN) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "rate", "rate: %g; must be 0 or in [%g, 1000]",
                     params->rate, WORLD_RATE_MIN);
        snprintf(call->error.value, sizeof call->error.value, "%.17g", params->rate);
        return;
    }
    struct world_pace *pace = world_pace_of(world->time);
    bool changed = true;
    if (world_state(world->time) != WORLD_PLAYING) {
        world_pace_start(pace, params->rate, world_now_ns(world->time));
        world_state_set(world->time, WORLD_PLAYING);
    } else if (params->rate < pace->rate || params->rate > pace->rate) {
        world_pace_change(pace, params->rate, world_now_ns(world->time));
    } else {
        changed = false;
    }
    if (changed) {
        world_journal_mark(world, PAST_MARK_PLAYING, &call->request->asker);
    }
    struct protocol_world_play_result result = {.has = PROTOCOL_HAS_ALL, .tick = world->document->tick};
    world_answer(call, &result);
    if (changed) {
        world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PLAYING, &call->request->asker);
    }
}

void world_apply_world_pause(struct world_call *call)
{
    struct world *world = call->world;
    bool changed = world_state(world->time) == WORLD_PLAYING;
    world_step_cut(world);
    if (changed) {
        world_state_set(world->time, WORLD_PAUSED);
        world_journal_mark(world, PAST_MARK_PAUSED, &call->request->asker);
    }
    struct protocol_world_pause_result result = {.has = PROTOCOL_HAS_ALL, .tick = world->document->tick};
    world_answer(call, &result);
    if (changed) {
        world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PAUSED, &call->request->asker);
    }
}

void world_apply_world_hold(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_world_hold_params *params = call->params;
    struct world_holding *holding = world_holding_of(world->time);
    const bool changed = holding->allowed != params->allow;
    holding->allowed = params->allow;
    struct protocol_world_hold_result result = {.has = PROTOCOL_HAS_ALL, .tick = world->document->tick};
    world_answer(call, &result);
    if (changed) {
        world_notice_changed(world, world_state(world->time), &call->request->asker);
    }
}

void world_apply_world_step(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_world_step_params *params = call->params;
    if (!mended(call) || !not_stepping(call)) {
        return;
    }
    if (world_state(world->time) == WORLD_PLAYING) {
        world_refuse(call, PROTOCOL_CODE_CONFLICT, NULL, "world \"%s\" is playing; pause it first",
                     world->document->name);
        return;
    }
    BASE_ASSERT(params->ticks > 0);
    world_step_begin(world->time, call->request, params->ticks);
    call->deferred = true;
}

void world_apply_world_delete(struct world_call *call)
{
    struct world *world = call->world;
    world_step_cut(world);
    world_image_cut(world, PROTOCOL_CODE_NOT_FOUND, "world \"%s\" (%u) was deleted", world->document->name,
                    world->id);
    world_journal_mark(world, PAST_MARK_DELETED, &call->request->asker);
    struct protocol_world_delete_result result = {.has = PROTOCOL_HAS_ALL, .tick = world->document->tick};
    world_answer(call, &result);
    world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_DELETED, &call->request->asker);
    world_delete(world->time);
    world_quota_match(world); // before members are told, because what the world had is free now
}
