// Handles world.records.
#include "world/edit/apply.h"

#include "document/document.h"
#include "protocol/bytes.h"
#include "world/answer/call.h"
#include "world/keep/journal.h"
#include "world/keep/records.h"
#include "world/state.h"

void world_apply_world_records(struct world_call *call)
{
    struct world *world = call->world;
    const struct world_records *records = world_records_of(world->keep);
    const struct protocol_world_records_params *params = call->params;
    struct protocol_world_records_result result = {
        .has = PROTOCOL_HAS_ALL & ~PROTOCOL_HAS_WORLD_RECORDS_RESULT_FIRST,
        .tick = world->document->tick,
        .revision = world->document->revision,
        .sequence = records->next,
    };
    if (params->after > records->next) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "after", "after: %llu; the last record is %llu",
                     (unsigned long long)params->after, (unsigned long long)records->next);
        return;
    }
    if (params->after < records->first) {
        world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "after",
                     "after: %llu; records up to %llu are no longer kept; begin with world.save",
                     (unsigned long long)params->after, (unsigned long long)records->first);
        return;
    }
    const uint64_t left = records->next - params->after;
    struct protocol_bytes *bytes = &call->world->scratch[1]; // the answer is packed into another
    if (!world_records_pack(records, params->after, left < params->limit ? (uint32_t)left : params->limit,
                            bytes)) {
        world_refuse_memory(call);
        return;
    }
    result.records = (struct protocol_raw){.data = bytes->data, .size = bytes->size};
    world_answer(call, &result);
}
