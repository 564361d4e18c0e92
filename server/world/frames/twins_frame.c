#include "world/frames/twins_frame.h"

#include "base/buffer.h"
#include "protocol/frame.h"
#include "protocol/generated/api.h"
#include "world/answer/event.h"

#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bytes of the fields of stream.records besides `image`, with the head of its bin.
enum { FIELDS_MAX = 256, PIECE_BYTES = (int)PROTOCOL_LIMIT_FRAME_PART_BYTES - FIELDS_MAX };

_Static_assert((int)PROTOCOL_STREAM_RECORDS_NOTICE_STATE_PAUSED == (int)WORLD_PAUSED &&
                   (int)PROTOCOL_STREAM_RECORDS_NOTICE_STATE_PLAYING == (int)WORLD_PLAYING &&
                   (int)PROTOCOL_STREAM_RECORDS_NOTICE_STATE_FAILED == (int)WORLD_FAILED,
               "states are told by their place");
static const char *const states[] = {"paused", "playing", "failed"};

static void pack_text(msgpack_packer *packer, const char *text)
{
    msgpack_pack_str_with_body(packer, text, strlen(text));
}

static uint32_t pack_moment(msgpack_packer *packer, const struct world_twins_moment *moment, bool says_state)
{
    pack_text(packer, "tick");
    msgpack_pack_uint64(packer, moment->tick);
    pack_text(packer, "at");
    msgpack_pack_uint64(packer, moment->at_us);
    if (!says_state) {
        return 2;
    }
    pack_text(packer, "state");
    pack_text(packer, states[moment->state]);
    pack_text(packer, "rate");
    msgpack_pack_double(packer, moment->rate);
    return 4;
}

static uint32_t pack_hash(msgpack_packer *packer, uint64_t hash)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    pack_text(packer, "hash");
    pack_text(packer, digits);
    return 1;
}

// Makes a part of the buffer, and takes it.
static bool part_of(struct base_frame_part *part, struct base_buffer *buffer)
{
    part->buffers = buffer ? malloc(sizeof(struct base_buffer *)) : NULL;
    if (!part->buffers) {
        base_buffer_unref(buffer);
        return false;
    }
    part->buffers[0] = buffer;
    part->buffer_count = 1;
    part->size = buffer->size;
    return true;
}

static struct base_frame *frame_create(uint32_t parts, uint32_t keys)
{
    struct base_frame *frame = base_frame_create(parts);
    if (frame) {
        frame->records = true;
        frame->key_count = PROTOCOL_RECORDS_HEAD_KEYS + keys;
    }
    return frame;
}

struct base_frame *world_twins_message(const struct world_twins_message *message,
                                       struct protocol_bytes *scratch, struct base_budget *budget)
{
    msgpack_packer packer;
    protocol_bytes_clear(scratch);
    msgpack_packer_init(&packer, scratch, protocol_bytes_write);
    uint32_t keys = pack_moment(&packer, &message->moment, message->says_state);
    if (message->record_count > 0) {
        pack_text(&packer, "records");
        msgpack_pack_array(&packer, message->record_count);
        protocol_bytes_write(scratch, (const char *)message->records->data, message->records->size);
        keys++;
    }
    if (message->hashed) {
        keys += pack_hash(&packer, message->hash);
    }
    struct base_frame *frame = frame_create(1, keys);
    if (frame && !part_of(&frame->parts[0], world_share_bytes(scratch, budget))) {
        base_frame_unref(frame);
        return NULL;
    }
    if (frame) {
        frame->size = frame->parts[0].size;
    }
    return frame;
}

// ---------------------------------------------------------------------------------------------------------
// Images

// Packs a piece of an image. All parts have the same number of keys, since they have one head, so the fields
// of the whole image are in each.
static uint32_t pack_piece(const struct world_twins_moment *moment, size_t size, uint64_t hash, uint32_t part,
                           uint32_t parts, struct protocol_bytes *out)
{
    msgpack_packer packer;
    protocol_bytes_clear(out);
    msgpack_packer_init(&packer, out, protocol_bytes_write);
    uint32_t keys = pack_moment(&packer, moment, true) + pack_hash(&packer, hash);
    pack_text(&packer, "part");
    msgpack_pack_uint32(&packer, part);
    pack_text(&packer, "parts");
    msgpack_pack_uint32(&packer, parts);
    pack_text(&packer, "size");
    msgpack_pack_uint64(&packer, size);
    pack_text(&packer, "sequence");
    msgpack_pack_uint64(&packer, moment->sequence);
    pack_text(&packer, "image");
    return keys + 5;
}

struct base_frame *world_twins_image(const struct world_twins_moment *moment,
                                     const struct protocol_bytes *bytes, uint64_t hash,
                                     struct base_budget *budget)
{
    struct protocol_bytes piece = {0};
    const size_t size = bytes->size;
    const uint32_t parts = (uint32_t)((size + PIECE_BYTES - 1) / PIECE_BYTES);
    struct base_frame *frame = frame_create(parts, pack_piece(moment, size, hash, 0, parts, &piece));
    bool done = frame != NULL;
    for (uint32_t part = 0; done && part < parts; part++) {
        const size_t first = (size_t)part * PIECE_BYTES;
        const size_t count = size - first < PIECE_BYTES ? size - first : PIECE_BYTES;
        msgpack_packer packer;
        pack_piece(moment, size, hash, part, parts, &piece);
        msgpack_packer_init(&packer, &piece, protocol_bytes_write);
        msgpack_pack_bin_with_body(&packer, bytes->data + first, count);
        done = part_of(&frame->parts[part], world_share_bytes(&piece, budget));
        frame->size += done ? frame->parts[part].size : 0;
    }
    protocol_bytes_deinit(&piece);
    if (!done) {
        base_frame_unref(frame);
        return NULL;
    }
    return frame;
}
