#include "relay/wire.h"

#include "base/buffer.h"
#include "protocol/bytes.h"
#include "protocol/frame.h"
#include "protocol/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Values, one after the other

enum kind { KIND_NUMBER, KIND_TEXT, KIND_ARRAY, KIND_MAP, KIND_NIL, KIND_OTHER };

// A scalar whole, or the head of a container.
struct value {
    enum kind kind;
    uint64_t number; // of KIND_NUMBER; of containers: how many items or pairs
    const char *text;
    size_t text_size;
    size_t size; // bytes
};

static uint64_t load(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static bool counted(const uint8_t *at, size_t left, size_t head, size_t extra, struct value *value)
{
    if (left < 1 + head) {
        return false;
    }
    const uint64_t length = load(at + 1, head);
    if (length > left - 1 - head || left - 1 - head - length < extra) {
        return false;
    }
    value->text = (const char *)at + 1 + head;
    value->text_size = (size_t)length;
    value->size = 1 + head + extra + (size_t)length;
    return true;
}

static bool container(const uint8_t *at, size_t left, enum kind kind, size_t head, struct value *value)
{
    if (left < 1 + head) {
        return false;
    }
    *value = (struct value){.kind = kind, .number = load(at + 1, head), .size = 1 + head};
    return true;
}

static bool fixed(size_t left, size_t size, struct value *value)
{
    value->size = size;
    return size <= left;
}

// Numbers that may be ids: what clients send as such may also be a float, or of a type with a sign.
static bool number(const uint8_t *at, size_t left, size_t size, struct value *value)
{
    if (left < 1 + size) {
        return false;
    }
    *value = (struct value){.kind = KIND_NUMBER, .number = load(at + 1, size), .size = 1 + size};
    return true;
}

static bool whole(const uint8_t *at, size_t left, struct value *value)
{
    const size_t size = *at == 0xca ? 4 : 8;
    if (!number(at, left, size, value)) {
        return false;
    }
    double real;
    if (size == 4) {
        const uint32_t bits = (uint32_t)value->number;
        float single;
        memcpy(&single, &bits, sizeof single);
        real = (double)single;
    } else {
        memcpy(&real, &value->number, sizeof real);
    }
    value->kind = KIND_OTHER;
    if (!(real >= 0 && real < 0x1p32) || (double)(uint32_t)real != real) {
        return true;
    }
    value->kind = KIND_NUMBER;
    value->number = (uint32_t)real;
    return true;
}

static bool signed_number(const uint8_t *at, size_t left, struct value *value)
{
    const size_t size = (size_t)1 << (*at - 0xd0);
    if (!number(at, left, size, value)) {
        return false;
    }
    if ((at[1] & 0x80) != 0) {
        value->kind = KIND_OTHER;
    }
    return true;
}

static bool tagged(const uint8_t *at, size_t left, struct value *value)
{
    const uint8_t tag = *at;
    switch (tag) {
    case 0xc0:
        value->kind = KIND_NIL;
        return fixed(left, 1, value);
    case 0xc2:
    case 0xc3:
        return fixed(left, 1, value);
    case 0xc4:
    case 0xc5:
    case 0xc6:
        return counted(at, left, (size_t)1 << (tag - 0xc4), 0, value);
    case 0xc7:
    case 0xc8:
    case 0xc9:
        return counted(at, left, (size_t)1 << (tag - 0xc7), 1, value);
    case 0xca:
    case 0xcb:
        return whole(at, left, value);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        return number(at, left, (size_t)1 << (tag - 0xcc), value);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return signed_number(at, left, value);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
        return fixed(left, 2 + ((size_t)1 << (tag - 0xd4)), value);
    case 0xd9:
    case 0xda:
    case 0xdb:
        value->kind = KIND_TEXT;
        return counted(at, left, (size_t)1 << (tag - 0xd9), 0, value);
    case 0xdc:
    case 0xdd:
        return container(at, left, KIND_ARRAY, (size_t)2 << (tag - 0xdc), value);
    case 0xde:
    case 0xdf:
        return container(at, left, KIND_MAP, (size_t)2 << (tag - 0xde), value);
    default:
        return false;
    }
}

static bool value_read(const uint8_t *at, const uint8_t *end, struct value *value)
{
    const size_t left = (size_t)(end - at);
    *value = (struct value){.kind = KIND_OTHER, .size = 1};
    if (left == 0) {
        return false;
    }
    const uint8_t tag = *at;
    if (tag < 0x80) {
        *value = (struct value){.kind = KIND_NUMBER, .number = tag, .size = 1};
    } else if (tag < 0xa0) {
        *value = (struct value){.kind = tag < 0x90 ? KIND_MAP : KIND_ARRAY, .number = tag & 0x0f, .size = 1};
    } else if (tag < 0xc0) {
        const size_t size = tag & 0x1f;
        *value = (struct value){
            .kind = KIND_TEXT, .text = (const char *)at + 1, .text_size = size, .size = 1 + size};
        return value->size <= left;
    } else if (tag < 0xe0) {
        return tagged(at, left, value);
    }
    return true;
}

// The place of the next value in nested containers.
struct place {
    uint64_t left[PROTOCOL_SCAN_DEPTH_MAX]; // values to come, of a map keys and what they name
    bool map[PROTOCOL_SCAN_DEPTH_MAX];
    uint32_t depth;
};

static bool is_key(const struct place *place)
{
    return place->depth > 0 && place->map[place->depth - 1] && place->left[place->depth - 1] % 2 == 0;
}

// False: it is nested deeper than any message.
static bool pass(struct place *place, const struct value *value)
{
    if (place->depth > 0) {
        place->left[place->depth - 1]--;
    }
    if ((value->kind == KIND_ARRAY || value->kind == KIND_MAP) && value->number > 0) {
        if (place->depth == PROTOCOL_SCAN_DEPTH_MAX) {
            return false;
        }
        place->left[place->depth] = value->kind == KIND_MAP ? 2 * value->number : value->number;
        place->map[place->depth++] = value->kind == KIND_MAP;
    }
    while (place->depth > 0 && place->left[place->depth - 1] == 0) {
        place->depth--;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Envelopes

bool relay_envelope_read(const uint8_t *bytes, size_t size, struct relay_envelope *envelope)
{
    const uint8_t *end = bytes + size;
    struct value value;
    *envelope = (struct relay_envelope){0};
    if (!protocol_message_peek(bytes, size, &envelope->message)) {
        return false;
    }
    const bool has_id = envelope->message.kind != PROTOCOL_NOTIFICATION;
    if (bytes[0] != (has_id ? 0x94 : 0x93) || !value_read(bytes + 1, end, &value) ||
        value.kind != KIND_NUMBER) {
        return false;
    }
    envelope->id = envelope->rest = 1 + value.size;
    if (has_id) {
        if (!value_read(bytes + envelope->id, end, &value) || value.kind != KIND_NUMBER) {
            return false;
        }
        envelope->rest += value.size;
    }
    if (envelope->message.kind == PROTOCOL_RESPONSE) {
        if (!value_read(bytes + envelope->rest, end, &value)) {
            return false;
        }
        envelope->failed = value.kind != KIND_NIL;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Ids

enum names { NAMES_NOTHING, NAMES_SESSION, NAMES_STREAM, NAMES_USER, NAMES_FRAME };

enum { UNNAMED_SIZE = 32 };
#define UNNAMED "session-%" PRIu32 // host/session.c

static bool is(const struct value *value, const char *name)
{
    return value->text_size == strlen(name) && memcmp(value->text, name, value->text_size) == 0;
}

static enum names names_of(const struct value *key)
{
    if (key->kind != KIND_TEXT) {
        return NAMES_NOTHING;
    }
    if (is(key, "session") || is(key, "asking") || is(key, "held_by") || is(key, "to")) {
        return NAMES_SESSION;
    }
    if (is(key, "user") || is(key, "asking_user")) {
        return NAMES_USER;
    }
    if (is(key, "seq")) {
        return NAMES_FRAME;
    }
    return is(key, "stream") ? NAMES_STREAM : NAMES_NOTHING;
}

static uint64_t exchanged(enum names names, uint64_t number, const struct relay_ids *ids)
{
    if (names == NAMES_STREAM) {
        return ids->stream != 0 ? ids->stream : number;
    }
    if (names == NAMES_FRAME && (ids->before == 0 || number > UINT32_MAX)) {
        return number;
    }
    if (names == NAMES_FRAME) {
        return number > ids->before ? number - ids->before : 0;
    }
    return number == ids->sessions[0]   ? ids->sessions[1]
           : number == ids->sessions[1] ? ids->sessions[0]
                                        : number;
}

static void put(struct protocol_bytes *out, const uint8_t *from, const uint8_t *to)
{
    if (to > from) {
        protocol_bytes_write(out, (const char *)from, (size_t)(to - from));
    }
}

static void put_number(struct protocol_bytes *out, uint32_t number)
{
    uint8_t bytes[5] = {0xce};
    relay_store32(bytes + 1, number);
    put(out, bytes, bytes + sizeof bytes);
}

// A user without a name is called by the session, which has another id here. 0: it is somebody's name.
static uint32_t unnamed(const struct value *user, const struct relay_ids *ids)
{
    char name[UNNAMED_SIZE];
    for (int i = 0; i < 2 && user->kind == KIND_TEXT; i++) {
        snprintf(name, sizeof name, UNNAMED, ids->sessions[i]);
        if (is(user, name)) {
            return ids->sessions[1 - i];
        }
    }
    return 0;
}

static void put_unnamed(struct protocol_bytes *out, uint32_t session)
{
    char name[UNNAMED_SIZE];
    const int size = snprintf(name + 1, sizeof name - 1, UNNAMED, session);
    name[0] = (char)(0xa0 | size);
    put(out, (const uint8_t *)name, (const uint8_t *)name + 1 + size);
}

// Writes what takes the place of the value of such a name, behind everything from kept on that stays as it is. False: nothing does.
static bool put_other(struct protocol_bytes *out, const uint8_t *kept, const uint8_t *at, enum names names,
                      const struct value *value, const struct relay_ids *ids)
{
    if (names == NAMES_USER) {
        const uint32_t session = unnamed(value, ids);
        if (session == 0) {
            return false;
        }
        put(out, kept, at);
        put_unnamed(out, session);
        return true;
    }
    const uint64_t other = value->kind == KIND_NUMBER ? exchanged(names, value->number, ids) : value->number;
    if (names == NAMES_NOTHING || other == value->number) {
        return false;
    }
    put(out, kept, at);
    put_number(out, (uint32_t)other);
    return true;
}

// Copies what does not change as it is, in one piece from one change to the next.
static bool put_exchanged(struct protocol_bytes *out, const uint8_t *at, const uint8_t *end,
                          const struct relay_ids *ids)
{
    struct place place = {0};
    const uint8_t *kept = at;
    enum names names = NAMES_NOTHING;
    while (at < end) {
        struct value value;
        if (!value_read(at, end, &value)) {
            return false;
        }
        const bool key = is_key(&place);
        if (!key && put_other(out, kept, at, names, &value, ids)) {
            kept = at + value.size;
        }
        names = key ? names_of(&value) : NAMES_NOTHING;
        if (!pass(&place, &value)) {
            return false;
        }
        at += value.size;
    }
    put(out, kept, end);
    return true;
}

static bool changes(const struct relay_ids *ids)
{
    return ids && (ids->sessions[0] != ids->sessions[1] || ids->stream != 0);
}

struct base_buffer *relay_rewrite(const uint8_t *bytes, size_t size, const struct relay_envelope *envelope,
                                  uint32_t msgid, const struct relay_ids *ids, struct base_budget *budget)
{
    struct protocol_bytes out = {0};
    struct base_buffer *buffer = NULL;
    const uint8_t *rest = bytes + envelope->rest, *end = bytes + size;
    put(&out, bytes, bytes + envelope->id);
    if (envelope->rest > envelope->id) {
        put_number(&out, msgid);
    }
    bool good = true;
    if (changes(ids)) {
        good = put_exchanged(&out, rest, end, ids);
    }
    const size_t left = changes(ids) ? 0 : (size_t)(end - rest);
    if (good && !out.failed) {
        buffer = base_buffer_create(out.size + left, budget);
    }
    if (buffer) {
        memcpy(buffer->data, out.data, out.size);
        memcpy(buffer->data + out.size, rest, left);
    }
    protocol_bytes_deinit(&out);
    return buffer;
}

uint64_t relay_number64(const uint8_t *bytes, size_t size, const struct relay_envelope *envelope,
                        const char *name)
{
    const uint8_t *at = bytes + envelope->rest, *end = bytes + size;
    // nil and the result; or the method and [{…}]
    const uint32_t map_at = envelope->message.kind == PROTOCOL_RESPONSE ? 1 : 2;
    struct place place = {0};
    struct value value;
    bool named = false;
    for (uint32_t i = 0; i < map_at; i++) {
        if (!value_read(at, end, &value)) {
            return 0;
        }
        at += value.size;
    }
    if (!value_read(at, end, &value) || value.kind != KIND_MAP || !pass(&place, &value)) {
        return 0;
    }
    at += value.size;
    while (place.depth > 0) {
        if (!value_read(at, end, &value)) {
            return 0;
        }
        const bool key = place.depth == 1 && is_key(&place);
        if (named && !key && value.kind == KIND_NUMBER) {
            return value.number;
        }
        named = key && value.kind == KIND_TEXT && is(&value, name);
        if (!pass(&place, &value)) {
            return 0;
        }
        at += value.size;
    }
    return 0;
}

uint32_t relay_number(const uint8_t *bytes, size_t size, const struct relay_envelope *envelope,
                      const char *name)
{
    const uint64_t number = relay_number64(bytes, size, envelope, name);
    return number <= UINT32_MAX ? (uint32_t)number : 0;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

uint32_t relay_load32(const uint8_t *bytes)
{
    return (uint32_t)load(bytes, 4);
}

void relay_store32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

// envelope · count of keys, two bytes · A6 "stream" CE · id
static size_t stream_behind(const uint8_t *bytes, size_t size, const uint8_t *head, size_t head_size,
                            size_t keys)
{
    enum { NAME = 8 };
    if (size < head_size || memcmp(bytes, head, keys) != 0 ||
        memcmp(bytes + keys + 2, head + keys + 2, NAME) != 0) {
        return 0;
    }
    return keys + 2 + NAME;
}

// CE ....   A3 "seq" CE ....
size_t relay_frame_seq(size_t stream)
{
    return stream + sizeof(uint32_t) + 5;
}

size_t relay_frame_stream(const uint8_t *bytes, size_t size)
{
    // 93 02 AC "stream.frame" 91 DE nn nn, 93 02 AE "stream.records" 91 DE nn nn
    enum { FRAME_KEYS = 17, RECORDS_KEYS = 19 };
    uint8_t head[PROTOCOL_FRAME_HEAD_SIZE];
    protocol_frame_head(head, PROTOCOL_FRAME_HEAD_KEYS, 0, 0, 0);
    const size_t at = stream_behind(bytes, size, head, PROTOCOL_FRAME_HEAD_SIZE, FRAME_KEYS);
    if (at != 0) {
        return at;
    }
    protocol_records_head(head, PROTOCOL_RECORDS_HEAD_KEYS, 0, 0);
    return stream_behind(bytes, size, head, PROTOCOL_RECORDS_HEAD_SIZE, RECORDS_KEYS);
}
