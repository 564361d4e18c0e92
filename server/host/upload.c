#include "host/upload.h"

#include "base/buffer.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/generated/api.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct host_upload {
    struct host_upload_bytes bytes;
    struct net_timer *timer;
};

void host_upload_bytes_deinit(struct host_upload_bytes *bytes)
{
    free(bytes->data);
    if (bytes->budget) {
        base_budget_uncharge(bytes->budget, bytes->charged);
        base_budget_release(bytes->budget);
    }
    *bytes = (struct host_upload_bytes){0};
}

static void forget(struct host_upload *upload)
{
    net_timer_stop(upload->timer);
    upload->timer = NULL;
    host_upload_bytes_deinit(&upload->bytes);
}

static void on_time(void *context)
{
    forget(context);
}

struct host_upload *host_upload_create(void)
{
    return calloc(1, sizeof(struct host_upload));
}

void host_upload_destroy(struct host_upload *upload)
{
    if (upload) {
        forget(upload);
    }
    free(upload);
}

// Makes room. It doubles, so that pieces are not copied again for each that comes.
static bool reserve(struct host_upload_bytes *bytes, size_t size, struct protocol_error *error)
{
    if (size <= bytes->charged) {
        return true;
    }
    size_t room = size > 2 * bytes->charged ? size : 2 * bytes->charged;
    room = room > PROTOCOL_LIMIT_DOCUMENT_BYTES ? PROTOCOL_LIMIT_DOCUMENT_BYTES : room;
    if (!base_budget_charge(bytes->budget, room - bytes->charged)) {
        protocol_error_set(error, PROTOCOL_CODE_BUSY, NULL,
                           "too much waits in this server to be applied (limit unpacked_bytes = %" PRIu64
                           "); send it again later",
                           (uint64_t)PROTOCOL_LIMIT_UNPACKED_BYTES);
        error->limit = (double)PROTOCOL_LIMIT_UNPACKED_BYTES;
        return false;
    }
    uint8_t *data = realloc(bytes->data, room);
    if (!data) {
        base_budget_uncharge(bytes->budget, room - bytes->charged);
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the upload");
        return false;
    }
    bytes->data = data;
    bytes->charged = room;
    return true;
}

bool host_upload_add(struct host_upload *upload, const struct host_upload_place *place, uint64_t offset,
                     const void *data, size_t size, struct protocol_error *error)
{
    struct host_upload_bytes *bytes = &upload->bytes;
    if (offset != 0 && offset != bytes->size) {
        protocol_error_set(error, PROTOCOL_CODE_CONFLICT, "offset",
                           "offset: %" PRIu64 "; the upload has %zu bytes (limit upload_seconds forgets it)",
                           offset, bytes->size);
        return false;
    }
    if (size > PROTOCOL_LIMIT_DOCUMENT_BYTES - offset) {
        protocol_error_set(error, PROTOCOL_CODE_LIMIT, "data", "data: the limit document_bytes is %" PRIu64,
                           (uint64_t)PROTOCOL_LIMIT_DOCUMENT_BYTES);
        error->limit = (double)PROTOCOL_LIMIT_DOCUMENT_BYTES;
        return false;
    }
    if (!bytes->budget) {
        bytes->budget = base_budget_ref(place->budget);
    }
    if (!reserve(bytes, (size_t)offset + size, error)) {
        return false;
    }
    net_timer_stop(upload->timer);
    upload->timer = net_timer_start(place->loop, place->idle_ms, 0, on_time, upload);
    if (!upload->timer) {
        forget(upload);
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the upload");
        return false;
    }
    if (size > 0) {
        memcpy(bytes->data + offset, data, size);
    }
    bytes->size = (size_t)offset + size;
    return true;
}

uint64_t host_upload_size(const struct host_upload *upload)
{
    return upload->bytes.size;
}

bool host_upload_take(struct host_upload *upload, struct host_upload_bytes *bytes)
{
    net_timer_stop(upload->timer);
    upload->timer = NULL;
    *bytes = upload->bytes;
    upload->bytes = (struct host_upload_bytes){0};
    return bytes->size > 0;
}
