// Handles dragging: grab.begin, grab.move, grab.end. A grab belongs to the session that began it.
#include "world/edit/apply.h"

#include "document/document.h"
#include "world/answer/call.h"
#include "world/edit/strays.h"
#include "world/frames/frames.h"
#include "world/people/people.h"
#include "world/state.h"

#include <stdio.h>

// Says whose hand is in the way: the error names that person, not the caller.
static void blame(struct world_call *call, const struct world_holder *holder)
{
    call->error.names_user = true;
    snprintf(call->error.user, sizeof call->error.user, "%s", holder ? holder->user : "");
}

// Checks that nobody holds the particle. The refusal names the holder, which the document does not know.
static bool particle_free(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_grab_begin_params *params = call->params;
    uint32_t body, grab;
    if (!world_call_body(call, &params->body, &body)) {
        return false;
    }
    if (!sim_grab_of(world->document->sim, body, params->particle, &grab)) {
        return true;
    }
    struct world_holder *holder = world_holders_find(world->people, grab);
    if (world_stray_is_of(holder, &call->request->asker)) { // a person that begins again has let go
        const struct world_holder before = *holder;
        world_grab_drop(world, &before);
        world_holders_remove(world->people, grab);
        return true;
    }
    char name[80];
    world_refuse(call, PROTOCOL_CODE_CONFLICT, "particle", "particle %u of body %u is held by %s (grab %u)",
                 params->particle, body, world_holder_name(holder, name), grab);
    snprintf(call->error.value, sizeof call->error.value, "%u", params->particle);
    blame(call, holder);
    return false;
}

void world_apply_grab_begin(struct world_call *call)
{
    struct world *world = call->world;
    struct document_edit edit;
    if (!particle_free(call)) {
        return;
    }
    if (!world_holders_reserve(world->people)) {
        world_refuse_memory(call);
        return;
    }
    if (world_change(call, &edit)) {
        const struct protocol_grab_begin_result *result = edit.result;
        world_holders_add(world->people, result->grab, &call->request->asker);
        world_frames_grabs_changed(world->frames);
        world_answer(call, result);
    }
}

static bool grab_own(struct world_call *call, uint32_t grab)
{
    struct world_holder *holder = world_holders_find(call->world->people, grab);
    if (holder && world_stray_is_of(holder, &call->request->asker)) {
        world_stray_adopt(call->world, holder, &call->request->asker);
    }
    if (!holder) {
        world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "grab", "grab %u does not exist in world \"%s\"", grab,
                     call->world->document->name);
    } else if (holder->session != call->request->asker.session) {
        char name[80];
        world_refuse(call, PROTOCOL_CODE_DENIED, "grab", "grab %u belongs to %s", grab,
                     world_holder_name(holder, name));
        blame(call, holder);
    } else {
        return true;
    }
    snprintf(call->error.value, sizeof call->error.value, "%u", grab);
    return false;
}

void world_apply_grab_move(struct world_call *call)
{
    const struct protocol_grab_move_params *params = call->params;
    struct document_edit edit;
    if (grab_own(call, params->grab) && world_change(call, &edit)) {
        world_frames_grabs_changed(call->world->frames);
        world_answer(call, edit.result);
    }
}

void world_apply_grab_end(struct world_call *call)
{
    const struct protocol_grab_end_params *params = call->params;
    struct document_edit edit;
    if (grab_own(call, params->grab) && world_change(call, &edit)) {
        world_holders_remove(call->world->people, params->grab);
        world_frames_grabs_changed(call->world->frames);
        world_answer(call, edit.result);
    }
}
