// The bytes of stream.frame and stream.records that differ between clients; frame.h has the pictures.
#include "protocol/frame.h"

#include "protocol/assert.h"

#include <string.h>

static uint8_t *put_field(uint8_t *out, const char *name, uint32_t value)
{
    size_t size = strlen(name);
    *out++ = (uint8_t)(0xA0 | size);
    for (size_t i = 0; i < size; i++) {
        *out++ = (uint8_t)name[i];
    }
    *out++ = 0xCE;
    for (int shift = 24; shift >= 0; shift -= 8) {
        *out++ = (uint8_t)(value >> shift);
    }
    return out;
}

static uint8_t *put_envelope(uint8_t *out, const void *envelope, size_t size, uint32_t key_count)
{
    memcpy(out, envelope, size);
    out += size;
    *out++ = (uint8_t)(key_count >> 8);
    *out++ = (uint8_t)key_count;
    return out;
}

void protocol_frame_head(uint8_t head[PROTOCOL_FRAME_HEAD_SIZE], uint32_t key_count, uint32_t stream,
                         uint32_t seq, uint32_t dropped)
{
    static const uint8_t envelope[] = "\x93\x02\xACstream.frame\x91\xDE";
    PROTOCOL_ASSERT(key_count >= PROTOCOL_FRAME_HEAD_KEYS && key_count <= UINT16_MAX);
    uint8_t *out = put_envelope(head, envelope, sizeof envelope - 1, key_count);
    out = put_field(out, "stream", stream);
    out = put_field(out, "seq", seq);
    out = put_field(out, "dropped", dropped);
    static const uint8_t padding[] = {0xA1, '_', 0xC4, 7, 0, 0, 0, 0, 0, 0, 0};
    memcpy(out, padding, sizeof padding);
    PROTOCOL_ASSERT(out + sizeof padding == head + PROTOCOL_FRAME_HEAD_SIZE);
}

void protocol_records_head(uint8_t head[PROTOCOL_RECORDS_HEAD_SIZE], uint32_t key_count, uint32_t stream,
                           uint32_t seq)
{
    static const uint8_t envelope[] = "\x93\x02\xAEstream.records\x91\xDE";
    PROTOCOL_ASSERT(key_count >= PROTOCOL_RECORDS_HEAD_KEYS && key_count <= UINT16_MAX);
    uint8_t *out = put_envelope(head, envelope, sizeof envelope - 1, key_count);
    out = put_field(out, "stream", stream);
    out = put_field(out, "seq", seq);
    PROTOCOL_ASSERT(out == head + PROTOCOL_RECORDS_HEAD_SIZE);
}
