// Lists the fields of force of a world.
#include "world/edit/apply.h"

#include "document/document.h"
#include "world/answer/call.h"
#include "world/state.h"

void world_apply_force_list(struct world_call *call)
{
    const struct document *document = call->world->document;
    struct protocol_force_field *items = world_call_alloc(call, SIM_FORCES_MAX, sizeof *items);
    struct protocol_force_fields all;
    if (!items) {
        return;
    }
    document_forces_fill(&sim_settings_of(document->sim)->forces, items, &all);
    struct protocol_force_list_result result = {
        .has = PROTOCOL_HAS_ALL,
        .fields = all.fields,
        .revision = document->revision,
        .tick = document->tick,
    };
    world_answer(call, &result);
}
