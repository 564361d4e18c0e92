// Makes the host's own messages.
#include "host/outgoing.h"

#include "base/buffer.h"
#include "host/world_internal.h"
#include "protocol/message.h"
#include "world/world.h"

#include <string.h>

void host_outgoing_init(struct host_outgoing *outgoing)
{
    outgoing->bytes = (struct protocol_bytes){0};
    msgpack_packer_init(&outgoing->packer, &outgoing->bytes, protocol_bytes_write);
}

struct base_buffer *host_outgoing_finish(struct host_outgoing *outgoing)
{
    struct base_buffer *buffer = NULL;
    if (!outgoing->bytes.failed && outgoing->bytes.size > 0) {
        buffer = base_buffer_create(outgoing->bytes.size, NULL);
    }
    if (buffer) {
        memcpy(buffer->data, outgoing->bytes.data, outgoing->bytes.size);
    }
    protocol_bytes_deinit(&outgoing->bytes);
    return buffer;
}

struct base_buffer *host_outgoing_failure(const struct world_asker *asker, uint32_t msgid,
                                          const struct protocol_error *error)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_failure(&out.packer, msgid, error, asker->errors, asker->user);
    return host_outgoing_finish(&out);
}

struct base_buffer *host_outgoing_error(const struct world_asker *asker, const struct protocol_error *error,
                                        const char *method, uint32_t method_size)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "error");
    msgpack_pack_map(&out.packer, 2);
    msgpack_pack_str_with_body(&out.packer, "error", 5);
    protocol_error_pack(error, asker->errors, asker->user, &out.packer);
    msgpack_pack_str_with_body(&out.packer, "method", 6);
    msgpack_pack_str_with_body(&out.packer, method, method_size);
    return host_outgoing_finish(&out);
}

struct base_buffer *host_outgoing_stream_closed(uint32_t stream, const char *reason,
                                                const struct protocol_home *home)
{
    struct protocol_stream_closed_notice notice = {.stream = stream, .reason = protocol_text(reason)};
    if (home) {
        notice.has = PROTOCOL_HAS_ALL;
        notice.server = protocol_text(home->server);
        notice.address = protocol_text(home->address);
        notice.web = protocol_text(home->web);
    }
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "stream.closed");
    protocol_encode(&protocol_stream_closed_notice_type, &notice, PROTOCOL_ARRAYS_EXT, &out.packer);
    return host_outgoing_finish(&out);
}

struct base_buffer *host_outgoing_moved(const struct host_world *world, const struct protocol_home *home)
{
    struct world_face face;
    world_face(world->world, &face);
    const struct protocol_world_changed_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .state = PROTOCOL_WORLD_CHANGED_NOTICE_STATE_MOVED,
        .rate = face.rate,
        .tick = face.tick,
        .server = protocol_text(home->server),
        .address = protocol_text(home->address),
        .web = protocol_text(home->web),
    };
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "world.changed");
    protocol_encode(&protocol_world_changed_notice_type, &notice, PROTOCOL_ARRAYS_EXT, &out.packer);
    return host_outgoing_finish(&out);
}

struct base_buffer *host_outgoing_stream_rate(uint32_t stream, uint32_t every)
{
    struct protocol_stream_rate_notice notice = {.has = UINT64_MAX, .stream = stream, .every = every};
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "stream.rate");
    protocol_encode(&protocol_stream_rate_notice_type, &notice, PROTOCOL_ARRAYS_EXT, &out.packer);
    return host_outgoing_finish(&out);
}

struct base_buffer *host_outgoing_stream_lagged(uint32_t stream, uint64_t dropped, const char *reason)
{
    struct protocol_stream_lagged_notice notice = {
        .has = UINT64_MAX,
        .stream = stream,
        .dropped = dropped,
        .reason = {.data = reason, .size = (uint32_t)strlen(reason)},
    };
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "stream.lagged");
    protocol_encode(&protocol_stream_lagged_notice_type, &notice, PROTOCOL_ARRAYS_EXT, &out.packer);
    return host_outgoing_finish(&out);
}
