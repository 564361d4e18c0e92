// Results of edits in a list: what they are depends on the methods of the edits, which stand elsewhere.
#include "protocol/error.h"
#include "protocol/params.h"

#include <inttypes.h>

bool protocol_answers_read(const struct protocol_list *calls, const struct protocol_list *answers,
                           msgpack_zone *zone, struct protocol_error *error)
{
    const struct protocol_call *edits = calls->items;
    struct protocol_call *items = (struct protocol_call *)answers->items;
    if (calls->count != answers->count) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "results",
                           "results: %" PRIu32 " of them; must be one an edit (%" PRIu32 ")", answers->count,
                           calls->count);
        return false;
    }
    for (uint32_t i = 0; i < answers->count; i++) {
        const struct protocol_struct *type = protocol_methods[edits[i].method].result;
        if (items[i].method >= 0) {
            continue;
        }
        items[i].value = msgpack_zone_malloc(zone, type->size);
        if (!items[i].value) {
            protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for results");
            return false;
        }
        if (!protocol_decode(type, items[i].unread, zone, items[i].value, error)) {
            return false;
        }
        items[i].method = edits[i].method;
    }
    return true;
}
