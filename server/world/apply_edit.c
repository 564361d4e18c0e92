// Edits and inputs: what a request asks of the document, and what comes of it here.
#include "world/apply.h"

#include "base/assert.h"
#include "document/document.h"
#include "world/call.h"
#include "world/notice.h"
#include "world/people.h"
#include "world/records.h"
#include "world/state.h"
#include "world/undo.h"

#include <string.h>

static void edit_init(struct world_call *call, struct document_edit *edit)
{
    *edit = (struct document_edit){
        .method = call->request->method,
        .params = call->params,
        .plans = call->request->plans,
        .session = call->request->asker.session,
        .person = call->request->asker.user,
        .zone = &call->request->packet->zone,
        .wants_inverse = protocol_methods[call->request->method].class_ == PROTOCOL_CLASS_EDIT,
    };
}

bool world_change(struct world_call *call, struct document_edit *edit)
{
    edit_init(call, edit);
    if (!document_apply(call->world->document, edit)) {
        call->error = edit->error;
        return false;
    }
    if (world_record(call->world, edit, &call->request->asker)) {
        return true;
    }
    call->world->changed = true;
    return world_refuse(
        call, PROTOCOL_CODE_INTERNAL, NULL,
        "%s is done, but there was no memory to keep it: the world takes no more edits, and a "
        "restart goes back to before this one",
        protocol_methods[call->request->method].name);
}

void world_apply_edit(struct world_call *call)
{
    struct world *world = call->world;
    struct document_edit edit;
    const bool again = call->request->method == PROTOCOL_METHOD_EDIT_UNDO ||
                       call->request->method == PROTOCOL_METHOD_EDIT_REDO;
    if ((again && !world_undo_find(call)) || !world_change(call, &edit)) {
        return;
    }
    world_undo_keep(call, &edit);
    world->changed = true;
    world_holders_match(&world->people, world->document->sim);
    const bool mended = world->state == WORLD_FAILED && !world->document->failed;
    if (mended) {
        world->state = WORLD_PAUSED;
    }
    world_accept(call, &edit);
    if (mended) {
        world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PAUSED, &call->request->asker);
    }
}

void world_grab_drop(struct world *world, const struct world_holder *holder)
{
    const uint32_t grab = holder->grab;
    struct world_asker asker = {.session = holder->session};
    memcpy(asker.user, holder->user, sizeof asker.user);
    const struct protocol_grab_end_params params = {.has = PROTOCOL_HAS_ALL, .grab = grab};
    struct document_edit edit = {.method = PROTOCOL_METHOD_GRAB_END,
                                 .params = &params,
                                 .session = asker.session,
                                 .zone = &world->zone};
    bool dropped = document_apply(world->document, &edit);
    BASE_ASSERT(dropped);
    (void)world_record(world, &edit, &asker); // nobody waits for it
    msgpack_zone_clear(&world->zone);
}
