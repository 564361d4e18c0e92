// Splits a stream of bytes into messages.
//
//     data ─▶ scan: where does this message end? ─▶ gathered in bytes ─▶ unpacked ─▶ on_message
//
// The scanner bounds bytes, depth and values before msgpack-c sees the message, because msgpack-c allocates what a
// header claims. One message is held at a time. A callee that keeps the message takes over its memory; otherwise the
// memory is used again.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { ZONE_CHUNK_SIZE = 8192, DEPTH_MAX = 30, NODES_MAX = 4194304, BYTES_KEPT_MAX = 1 << 20 };

void weft_inbox_init(struct weft_inbox *inbox)
{
    memset(inbox, 0, sizeof *inbox);
    inbox->limits =
        (struct protocol_scan_limits){.bytes = UINT64_C(1) << 28, .depth = DEPTH_MAX, .nodes = NODES_MAX};
    protocol_scan_init(&inbox->scan, &inbox->limits);
}

void weft_inbox_reset(struct weft_inbox *inbox)
{
    inbox->size = 0;
    protocol_scan_init(&inbox->scan, &inbox->limits);
}

void weft_inbox_deinit(struct weft_inbox *inbox)
{
    free(inbox->bytes);
    memset(inbox, 0, sizeof *inbox);
}

static bool gather(struct weft_inbox *inbox, const uint8_t *data, size_t size)
{
    if (size > inbox->capacity - inbox->size) {
        // The announced lengths are within the limits, but memory is only taken for bytes that really came.
        const size_t need = inbox->size + size;
        const uint64_t announced = protocol_scan_expected(&inbox->scan);
        size_t capacity = need > SIZE_MAX / 2 ? need : need * 2;
        if (announced < capacity) {
            capacity = announced > need ? (size_t)announced : need;
        }
        uint8_t *bytes = realloc(inbox->bytes, capacity);
        if (!bytes) {
            return false;
        }
        inbox->bytes = bytes;
        inbox->capacity = capacity;
    }
    if (size) {
        memcpy(inbox->bytes + inbox->size, data, size);
    }
    inbox->size += size;
    return true;
}

static bool fail_scan(enum protocol_scan_status status, struct weft_error *error)
{
    const char *what = "is not MessagePack";
    if (status == PROTOCOL_SCAN_TOO_LARGE) {
        what = "is larger than this client takes";
    } else if (status == PROTOCOL_SCAN_TOO_DEEP) {
        what = "is nested too deep";
    } else if (status == PROTOCOL_SCAN_TOO_WIDE) {
        what = "has more values than this client takes";
    }
    return weft_fail(error, WEFT_KIND_TRANSPORT, "PROTOCOL", "what the server sends %s", what);
}

// Unpacks the gathered message and hands it up. *go_on is the callee's answer.
static bool deliver(struct weft_inbox *inbox, weft_message_fn *on_message, void *context, bool *go_on,
                    struct weft_error *error)
{
    struct weft_message message = {.bytes = inbox->bytes, .size = inbox->size, .capacity = inbox->capacity};
    bool ok = false;
    *go_on = false;
    inbox->bytes = NULL;
    inbox->size = inbox->capacity = 0;
    protocol_scan_init(&inbox->scan, &inbox->limits);
    message.zone = msgpack_zone_new(ZONE_CHUNK_SIZE);
    if (!message.zone) {
        weft_fail_memory(error);
        goto cleanup;
    }
    size_t end = 0;
    const msgpack_unpack_return status =
        msgpack_unpack((const char *)message.bytes, message.size, &end, message.zone, &message.root);
    if (status == MSGPACK_UNPACK_NOMEM_ERROR) {
        weft_fail_memory(error);
        goto cleanup;
    }
    if (status != MSGPACK_UNPACK_SUCCESS || end != message.size) {
        fail_scan(PROTOCOL_SCAN_BAD, error);
        goto cleanup;
    }
    *go_on = on_message(context, &message);
    ok = true;

cleanup:
    if (message.zone) {
        msgpack_zone_free(message.zone);
    }
    if (message.bytes && !inbox->bytes && message.capacity <= BYTES_KEPT_MAX) {
        inbox->bytes = message.bytes;
        inbox->capacity = message.capacity;
    } else {
        free(message.bytes);
    }
    return ok;
}

bool weft_inbox_feed(struct weft_inbox *inbox, const uint8_t *data, size_t size, weft_message_fn *on_message,
                     void *context, struct weft_error *error)
{
    while (size) {
        size_t consumed = 0;
        const enum protocol_scan_status status = protocol_scan_feed(&inbox->scan, data, size, &consumed);
        if (status != PROTOCOL_SCAN_MORE && status != PROTOCOL_SCAN_DONE) {
            return fail_scan(status, error);
        }
        if (!gather(inbox, data, consumed)) {
            return weft_fail_memory(error);
        }
        data += consumed;
        size -= consumed;
        if (status == PROTOCOL_SCAN_DONE) {
            bool go_on;
            if (!deliver(inbox, on_message, context, &go_on, error)) {
                return false;
            }
            if (!go_on) {
                return true;
            }
        }
    }
    return true;
}
