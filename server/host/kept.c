#include "host/kept.h"

#include "protocol/array/reserve.h"
#include "protocol/generated/api.h"

#include <stdlib.h>
#include <string.h>

void host_kept_init(struct host_kept *kept, uint32_t msgid)
{
    *kept = (struct host_kept){.last = msgid};
}

void host_kept_deinit(struct host_kept *kept)
{
    for (uint32_t i = 0; i < kept->count; i++) {
        free(kept->items[i].bytes);
    }
    free(kept->items);
    *kept = (struct host_kept){0};
}

// Forgets the oldest answers until there are at most `count` requests and `bytes` bytes of answers. Requests
// that are not answered stay.
static void forget(struct host_kept *kept, uint32_t count, size_t bytes)
{
    uint32_t stay = 0, left = kept->count;
    for (uint32_t i = 0; i < kept->count; i++) {
        struct host_kept_request *request = &kept->items[i];
        if (request->answered && (left > count || kept->bytes > bytes)) {
            kept->bytes -= request->bytes ? request->size : 0;
            free(request->bytes);
            left--;
        } else {
            kept->items[stay++] = *request;
        }
    }
    kept->count = stay;
}

static bool reserve(struct host_kept *kept)
{
    const uint32_t most = PROTOCOL_LIMIT_KEPT_ANSWERS;
    if (kept->count >= most) {
        forget(kept, most - most / 4, SIZE_MAX); // several at a time, because the others are moved
    }
    return array_reserve(&kept->items, &kept->capacity, kept->count + 1);
}

bool host_kept_asked(struct host_kept *kept, uint32_t msgid, bool repeatable)
{
    if (!reserve(kept)) {
        return false;
    }
    kept->items[kept->count++] = (struct host_kept_request){.msgid = msgid, .repeatable = repeatable};
    if ((int32_t)(msgid - kept->last) > 0) {
        kept->last = msgid;
    }
    return true;
}

void host_kept_answered(struct host_kept *kept, uint32_t msgid, const uint8_t *bytes, size_t size)
{
    const size_t most = PROTOCOL_LIMIT_KEPT_ANSWER_BYTES;
    struct host_kept_request *request = NULL;
    for (uint32_t left = kept->count; left > 0 && !request; left--) {
        if (kept->items[left - 1].msgid == msgid && !kept->items[left - 1].answered) {
            request = &kept->items[left - 1];
        }
    }
    if (!request) {
        return;
    }
    request->answered = true;
    if (size > most) {
        return;
    }
    request->bytes = malloc(size);
    if (!request->bytes) {
        return;
    }
    memcpy(request->bytes, bytes, size);
    request->size = (uint32_t)size;
    kept->bytes += size;
    if (kept->bytes > most) {
        forget(kept, UINT32_MAX, most - most / 4 > size ? most - most / 4 : size);
    }
}

enum host_kept_state host_kept_look(const struct host_kept *kept, uint32_t msgid,
                                    const struct host_kept_request **request)
{
    *request = NULL;
    for (uint32_t left = kept->count; left > 0; left--) {
        const struct host_kept_request *at = &kept->items[left - 1];
        if (at->msgid != msgid) {
            continue;
        }
        if (!at->answered) {
            return HOST_KEPT_WAITS;
        }
        if (!at->bytes) {
            return at->repeatable ? HOST_KEPT_AGAIN : HOST_KEPT_FORGOTTEN;
        }
        *request = at;
        return HOST_KEPT_ANSWERED;
    }
    return (int32_t)(msgid - kept->last) > 0 ? HOST_KEPT_LOST : HOST_KEPT_FORGOTTEN;
}
