// The envelope. A stream that breaks its rules cannot be answered request by request, so the caller ends it;
// wrong parameters are an answer like any other.
#include "protocol/message.h"

#include <string.h>

static bool broken(struct protocol_error *error, const char *text)
{
    protocol_error_set(error, PROTOCOL_CODE_PROTOCOL, NULL, "no MessagePack-RPC: %s", text);
    return false;
}

static bool take_method(const msgpack_object *value, struct protocol_string *method)
{
    if (value->type != MSGPACK_OBJECT_STR) {
        return false;
    }
    *method = (struct protocol_string){.data = value->via.str.ptr, .size = value->via.str.size};
    return true;
}

static bool take_msgid(const msgpack_object *value, uint32_t *msgid)
{
    if (value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > UINT32_MAX) {
        return false;
    }
    *msgid = (uint32_t)value->via.u64;
    return true;
}

bool protocol_message_parse(const msgpack_object *root, struct protocol_message *message,
                            struct protocol_error *error)
{
    memset(message, 0, sizeof *message);
    if (root->type != MSGPACK_OBJECT_ARRAY || root->via.array.size < 1) {
        return broken(error, "a message is an array [0, msgid, method, params], [1, msgid, error, result] or "
                             "[2, method, params]");
    }
    const msgpack_object *items = root->via.array.ptr;
    uint32_t count = root->via.array.size;
    uint64_t kind = items[0].type == MSGPACK_OBJECT_POSITIVE_INTEGER ? items[0].via.u64 : UINT64_MAX;
    if (kind > PROTOCOL_NOTIFICATION) {
        return broken(error, "a message begins with 0 (request), 1 (response) or 2 (notification)");
    }
    message->kind = (enum protocol_message_kind)kind;
    if (count != (message->kind == PROTOCOL_NOTIFICATION ? 3 : 4)) {
        return broken(error, "requests and responses have 4 elements, notifications 3");
    }
    if (message->kind == PROTOCOL_NOTIFICATION) {
        if (!take_method(&items[1], &message->method)) {
            return broken(error, "the method of a notification is a string");
        }
        message->params = &items[2];
        return true;
    }
    if (!take_msgid(&items[1], &message->msgid)) {
        return broken(error, "msgid is an integer from 0 to 4294967295");
    }
    if (message->kind == PROTOCOL_RESPONSE) {
        message->error = &items[2];
        message->result = &items[3];
        return true;
    }
    if (!take_method(&items[2], &message->method)) {
        return broken(error, "the method of a request is a string");
    }
    message->params = &items[3];
    return true;
}

// An integer or the length of a string, from `least` on for the bytes after a `wide` tag. False at the end.
static bool peek_number(const uint8_t **at, const uint8_t *end, uint8_t wide, uint32_t *out)
{
    uint8_t tag = *(*at)++;
    if (tag < wide || tag > wide + 2) {
        return false;
    }
    size_t size = (size_t)1 << (tag - wide);
    if ((size_t)(end - *at) < size) {
        return false;
    }
    for (*out = 0; size > 0; size--) {
        *out = *out << 8 | *(*at)++;
    }
    return true;
}

static bool peek_integer(const uint8_t **at, const uint8_t *end, uint32_t *out)
{
    if (*at < end && **at < 0x80) {
        *out = *(*at)++;
        return true;
    }
    return *at < end && peek_number(at, end, 0xcc, out);
}

static bool peek_string(const uint8_t **at, const uint8_t *end, struct protocol_string *out)
{
    if (*at < end && (**at & 0xe0) == 0xa0) {
        out->size = *(*at)++ & 0x1f;
    } else if (*at == end || !peek_number(at, end, 0xd9, &out->size)) {
        return false;
    }
    out->data = (const char *)*at;
    return out->size <= (size_t)(end - *at);
}

bool protocol_message_peek(const uint8_t *bytes, size_t size, struct protocol_message *message)
{
    const uint8_t *at = bytes, *end = bytes + size;
    uint32_t kind;
    memset(message, 0, sizeof *message);
    if (at == end || (*at++ & 0xf0) != 0x90 || !peek_integer(&at, end, &kind) ||
        kind > PROTOCOL_NOTIFICATION) {
        return false;
    }
    message->kind = (enum protocol_message_kind)kind;
    return (message->kind == PROTOCOL_NOTIFICATION || peek_integer(&at, end, &message->msgid)) &&
           (message->kind == PROTOCOL_RESPONSE || peek_string(&at, end, &message->method));
}

bool protocol_message_fields(const msgpack_object *params, const msgpack_object **map,
                             struct protocol_error *error)
{
    *map = NULL;
    if (params->type == MSGPACK_OBJECT_ARRAY && params->via.array.size == 0) {
        return true;
    }
    if (params->type == MSGPACK_OBJECT_ARRAY && params->via.array.size == 1 &&
        params->via.array.ptr[0].type == MSGPACK_OBJECT_MAP) {
        *map = &params->via.array.ptr[0];
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_INVALID, NULL,
                       "params must be an array that holds one map of named fields: [{...}], or [] for none");
    return false;
}

static void pack_text(msgpack_packer *packer, const char *text)
{
    msgpack_pack_str_with_body(packer, text, strlen(text));
}

void protocol_pack_request(msgpack_packer *packer, uint32_t msgid, const char *method)
{
    msgpack_pack_array(packer, 4);
    msgpack_pack_int(packer, PROTOCOL_REQUEST);
    msgpack_pack_uint32(packer, msgid);
    pack_text(packer, method);
    msgpack_pack_array(packer, 1);
}

void protocol_pack_notification(msgpack_packer *packer, const char *method)
{
    msgpack_pack_array(packer, 3);
    msgpack_pack_int(packer, PROTOCOL_NOTIFICATION);
    pack_text(packer, method);
    msgpack_pack_array(packer, 1);
}

void protocol_pack_result(msgpack_packer *packer, uint32_t msgid)
{
    msgpack_pack_array(packer, 4);
    msgpack_pack_int(packer, PROTOCOL_RESPONSE);
    msgpack_pack_uint32(packer, msgid);
    msgpack_pack_nil(packer);
}

size_t protocol_result_cut(uint8_t *bytes, size_t size, uint32_t entries, size_t cut)
{
    static const uint8_t head[] = {0x94, PROTOCOL_RESPONSE};
    enum { NIL = 0xc0, FIXMAP = 0x80, MAP16 = 0xde };
    // [1, msgid, nil, {: an id of one byte, or of as many as the byte before it says
    size_t at = sizeof head;
    if (size < 16 || memcmp(bytes, head, sizeof head) != 0) {
        return size;
    }
    at += bytes[at] < 0x80 ? 1 : bytes[at] == 0xcc ? 2 : bytes[at] == 0xcd ? 3 : bytes[at] == 0xce ? 5 : 0;
    if (bytes[at++] != NIL || at + 1 + cut > size) {
        return size;
    }
    const bool small = (bytes[at] & 0xf0) == FIXMAP;
    const uint32_t count = small ? bytes[at] & 0x0f
                           : bytes[at] == MAP16 && at + 3 + cut <= size
                               ? (uint32_t)bytes[at + 1] << 8 | bytes[at + 2]
                               : 0;
    if (count < entries) {
        return size;
    }
    const uint32_t left = count - entries;
    if (small) {
        bytes[at] = (uint8_t)(FIXMAP | left);
    } else {
        bytes[at + 1] = (uint8_t)(left >> 8);
        bytes[at + 2] = (uint8_t)left;
    }
    return size - cut;
}

void protocol_pack_failure(msgpack_packer *packer, uint32_t msgid, const struct protocol_error *error,
                           enum protocol_errors_mode mode, const char *user)
{
    msgpack_pack_array(packer, 4);
    msgpack_pack_int(packer, PROTOCOL_RESPONSE);
    msgpack_pack_uint32(packer, msgid);
    protocol_error_pack(error, mode, user, packer);
    msgpack_pack_nil(packer);
}
