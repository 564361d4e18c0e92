#include "helper_wire.h"

#include "base/buffer.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "protocol/unpack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void wire_begin(struct wire *wire, struct helper *helper, uint32_t session)
{
    *wire = (struct wire){.stream = helper->stream, .twin = twin_create(NULL)};
    assert_non_null(wire->twin);
    helper_post(helper, session, "stream.subscribe", "{'world': 1, 'encoding': 'records'}");
}

void wire_end(struct wire *wire)
{
    twin_destroy(wire->twin);
    wire->twin = NULL;
}

void wire_bytes(const struct base_frame *frame, uint32_t part, uint32_t stream, uint32_t seq,
                msgpack_sbuffer *out)
{
    uint8_t head[PROTOCOL_RECORDS_HEAD_SIZE];
    assert_true(frame->records);
    protocol_records_head(head, frame->key_count, stream, seq);
    msgpack_sbuffer_write(out, (const char *)head, sizeof head);
    for (uint32_t i = 0; i < frame->parts[part].buffer_count; i++) {
        const struct base_buffer *buffer = frame->parts[part].buffers[i];
        msgpack_sbuffer_write(out, (const char *)buffer->data, buffer->size);
    }
}

static void take_part(struct wire *wire, const struct helper *helper, const struct base_frame *frame,
                      uint32_t part)
{
    msgpack_sbuffer bytes;
    msgpack_zone zone;
    msgpack_object root;
    const msgpack_object *map = NULL;
    struct protocol_message message;
    struct protocol_error error = {0};
    msgpack_sbuffer_init(&bytes);
    wire_bytes(frame, part, wire->stream, wire->seq, &bytes);
    msgpack_zone_init(&zone, 4096);
    assert_true(bytes.size <= PROTOCOL_LIMIT_FRAME_PART_BYTES);
    assert_true(protocol_unpack(bytes.data, bytes.size, &zone, &root));
    assert_true(protocol_message_parse(&root, &message, &error));
    assert_true(protocol_message_fields(message.params, &map, &error));
    if (!twin_take(wire->twin, map, helper->now_ns / 1000, &error)) {
        fail_msg("stream %u, message %u: %s", wire->stream, wire->seq, error.text);
    }
    wire->messages++;
    wire->bytes += bytes.size;
    msgpack_zone_destroy(&zone);
    msgpack_sbuffer_destroy(&bytes);
}

void wire_take(struct wire *wire, const struct helper *helper)
{
    for (uint32_t i = 0; wire->twin && i < helper->event_count; i++) {
        const struct world_event *event = helper->events[i];
        for (uint32_t b = 0; event->kind == WORLD_RECORDS && b < event->batch_count; b++) {
            const struct base_batch *batch = event->batches[b];
            for (uint32_t f = 0; batch->stream == wire->stream && f < batch->frame_count; f++) {
                wire->seq++;
                for (uint32_t part = 0; part < batch->frames[f]->part_count; part++) {
                    take_part(wire, helper, batch->frames[f], part);
                }
            }
        }
    }
    while (wire->twin && twin_step(wire->twin, UINT64_MAX, NULL, NULL)) {
    }
}
