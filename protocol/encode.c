// Encoding: the struct that a table describes into a map of named fields.
//
// A map's head says how many pairs follow, so each struct is walked twice: once to count, once to write.
// Which fields are written is decided in one place, goes_out.
#include "protocol/params.h"

#include "protocol/array.h"
#include "protocol/assert.h"
#include "protocol/generated/api.h"
#include "protocol/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_MAX_BYTES = 128 };

struct encoder {
    enum protocol_arrays_mode mode;
    msgpack_packer *packer;
    size_t limit;            // bytes of an array that may go out
    msgpack_packer *omitted; // names of those that do not
    uint32_t omitted_count;
    uint64_t told[64];    // hashes of those names: a field of many in a list is named once
    const char *left_out; // a field of one map that is not written; NULL: none
    const char *left_at;  // path of that map
};

static bool is_array(enum protocol_type type)
{
    return type == PROTOCOL_TYPE_NUMBERS || type == PROTOCOL_TYPE_U32S || type == PROTOCOL_TYPE_F32S ||
           type == PROTOCOL_TYPE_F64S;
}

static bool is_too_large(const struct encoder *encoder, const struct protocol_field *field, const void *value)
{
    if (!is_array(field->type)) {
        return false;
    }
    const struct protocol_array *array = value;
    size_t item_size = protocol_array_item_size(protocol_array_outgoing(field->type, array));
    return (size_t)array->count * item_size > encoder->limit;
}

static uint64_t bits_of(const void *in)
{
    uint64_t has;
    memcpy(&has, in, sizeof has);
    return has;
}

static bool goes_out(const struct protocol_struct *type, uint32_t position, const void *in, bool partial)
{
    return (!partial && !type->fields[position].optional) || (bits_of(in) & UINT64_C(1) << position) != 0;
}

static void pack_string(msgpack_packer *packer, const char *data, size_t size)
{
    msgpack_pack_str(packer, size);
    if (size > 0) {
        msgpack_pack_str_body(packer, data, size);
    }
}

static void encode_map(struct encoder *encoder, const struct protocol_struct *type, const void *in,
                       bool partial, const char *path);

static void encode_flags(struct encoder *encoder, const struct protocol_field *field, uint32_t flags)
{
    msgpack_pack_array(encoder->packer, (size_t)__builtin_popcount(flags));
    for (uint32_t i = 0; i < field->value_count; i++) {
        if ((flags & 1u << i) != 0) {
            pack_string(encoder->packer, field->values[i], strlen(field->values[i]));
        }
    }
}

static void encode_ref(struct encoder *encoder, const struct protocol_ref *ref)
{
    if (ref->id != 0) {
        msgpack_pack_uint32(encoder->packer, ref->id);
    } else {
        pack_string(encoder->packer, ref->name.data, ref->name.size);
    }
}

static void encode_array(struct encoder *encoder, const struct protocol_field *field,
                         const struct protocol_array *array)
{
    if (array->type == PROTOCOL_ARRAY_SCALAR) {
        msgpack_pack_double(encoder->packer, protocol_array_f64_at(array, 0));
        return;
    }
    enum protocol_array_type type = protocol_array_outgoing(field->type, array);
    // bin says nothing of its type: number[] goes as what every reader takes it for.
    if (field->type == PROTOCOL_TYPE_NUMBERS && encoder->mode == PROTOCOL_ARRAYS_BIN) {
        type = PROTOCOL_ARRAY_F32;
    }
    protocol_array_pack_as(encoder->packer, encoder->mode, type, array);
}

static void encode_list(struct encoder *encoder, const struct protocol_field *field,
                        const struct protocol_list *list, const char *path)
{
    msgpack_pack_array(encoder->packer, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        encode_map(encoder, field->of, (const uint8_t *)list->items + i * field->of->size, false, path);
    }
}

// Each by the table of its method; its parameters without the world, which is that of the whole.
static void encode_calls(struct encoder *encoder, const struct protocol_field *field,
                         const struct protocol_list *list, const char *path)
{
    const struct protocol_call *calls = list->items;
    struct encoder inner = *encoder;
    msgpack_pack_array(encoder->packer, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        char place[PATH_MAX_BYTES];
        snprintf(place, sizeof place, "%.*s.%" PRIu32, PATH_MAX_BYTES - 16, path, i);
        if (calls[i].method < 0) { // as it came
            msgpack_pack_object(encoder->packer, *(const msgpack_object *)calls[i].unread);
            continue;
        }
        const struct protocol_method_info *method = &protocol_methods[calls[i].method];
        if (field->type == PROTOCOL_TYPE_ANSWERS) {
            encode_map(&inner, method->result, calls[i].value, false, place);
            continue;
        }
        inner.left_out = "world";
        inner.left_at = place;
        msgpack_pack_array(encoder->packer, 2);
        pack_string(encoder->packer, method->name, strlen(method->name));
        encode_map(&inner, method->params, calls[i].value, false, place);
    }
    encoder->omitted_count = inner.omitted_count;
}

static void encode_raw(struct encoder *encoder, const struct protocol_raw *raw)
{
    if (raw->size == 0) {
        msgpack_pack_nil(encoder->packer);
    } else {
        encoder->packer->callback(encoder->packer->data, raw->data, raw->size);
    }
}

static void encode_value(struct encoder *encoder, const struct protocol_field *field, const void *value,
                         bool partial, const char *path)
{
    msgpack_packer *packer = encoder->packer;
    switch (field->type) {
    case PROTOCOL_TYPE_BOOL:
        if (*(const bool *)value) {
            msgpack_pack_true(packer);
        } else {
            msgpack_pack_false(packer);
        }
        return;
    case PROTOCOL_TYPE_U32:
        msgpack_pack_uint32(packer, *(const uint32_t *)value);
        return;
    case PROTOCOL_TYPE_U64:
        PROTOCOL_ASSERT(*(const uint64_t *)value <= PROTOCOL_INTEGER_MAX);
        msgpack_pack_uint64(packer, *(const uint64_t *)value);
        return;
    case PROTOCOL_TYPE_FLOAT:
        msgpack_pack_double(packer, *(const double *)value);
        return;
    case PROTOCOL_TYPE_STRING: {
        const struct protocol_string *string = value;
        pack_string(packer, string->data, string->size);
        return;
    }
    case PROTOCOL_TYPE_ENUM: {
        int position = *(const int *)value;
        PROTOCOL_ASSERT(position >= 0 && (uint32_t)position < field->value_count);
        pack_string(packer, field->values[position], strlen(field->values[position]));
        return;
    }
    case PROTOCOL_TYPE_FLAGS:
        encode_flags(encoder, field, *(const uint32_t *)value);
        return;
    case PROTOCOL_TYPE_REF:
        encode_ref(encoder, value);
        return;
    case PROTOCOL_TYPE_VEC3:
    case PROTOCOL_TYPE_VEC4:
        // A few numbers are no bulk: every client gets them as a plain array.
        protocol_array_pack(packer, PROTOCOL_ARRAYS_PLAIN, PROTOCOL_ARRAY_F64, value,
                            field->type == PROTOCOL_TYPE_VEC3 ? 3 : 4);
        return;
    case PROTOCOL_TYPE_NUMBERS:
    case PROTOCOL_TYPE_U32S:
    case PROTOCOL_TYPE_F32S:
    case PROTOCOL_TYPE_F64S:
        encode_array(encoder, field, value);
        return;
    case PROTOCOL_TYPE_MAP:
        encode_map(encoder, field->of, value, partial || field->partial, path);
        return;
    case PROTOCOL_TYPE_LIST:
        encode_list(encoder, field, value, path);
        return;
    case PROTOCOL_TYPE_ANY:
        encode_raw(encoder, value);
        return;
    case PROTOCOL_TYPE_CALLS:
    case PROTOCOL_TYPE_ANSWERS:
        encode_calls(encoder, field, value, path);
        return;
    }
}

static void omit(struct encoder *encoder, const char *name)
{
    enum { TOLD_MAX = sizeof encoder->told / sizeof encoder->told[0] };
    const uint32_t told = encoder->omitted_count < TOLD_MAX ? encoder->omitted_count : TOLD_MAX;
    uint64_t hash = 0xcbf29ce484222325;
    for (const char *at = name; *at != 0; at++) {
        hash = (hash ^ (uint8_t)*at) * 0x100000001b3;
    }
    for (uint32_t i = 0; i < told; i++) {
        if (encoder->told[i] == hash) {
            return;
        }
    }
    if (encoder->omitted_count < TOLD_MAX) {
        encoder->told[encoder->omitted_count] = hash;
    }
    pack_string(encoder->omitted, name, strlen(name));
    encoder->omitted_count++;
}

static bool is_left_out(const struct encoder *encoder, const struct protocol_field *field, const char *path)
{
    return encoder->left_out && strcmp(path, encoder->left_at) == 0 &&
           strcmp(field->name, encoder->left_out) == 0;
}

static void encode_map(struct encoder *encoder, const struct protocol_struct *type, const void *in,
                       bool partial, const char *path)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const void *value = (const uint8_t *)in + type->fields[i].offset;
        count += goes_out(type, i, in, partial) && !is_left_out(encoder, &type->fields[i], path) &&
                 !is_too_large(encoder, &type->fields[i], value);
    }
    msgpack_pack_map(encoder->packer, count);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const struct protocol_field *field = &type->fields[i];
        const void *value = (const uint8_t *)in + field->offset;
        if (!goes_out(type, i, in, partial) || is_left_out(encoder, field, path)) {
            continue;
        }
        char inner[PATH_MAX_BYTES];
        snprintf(inner, sizeof inner, "%s%s%s", path, path[0] != 0 ? "." : "", field->name);
        if (is_too_large(encoder, field, value)) {
            omit(encoder, inner);
            continue;
        }
        pack_string(encoder->packer, field->name, strlen(field->name));
        encode_value(encoder, field, value, partial, inner);
    }
}

void protocol_encode(const struct protocol_struct *type, const void *in, enum protocol_arrays_mode mode,
                     msgpack_packer *packer)
{
    struct encoder encoder = {.mode = mode, .packer = packer, .limit = SIZE_MAX};
    encode_map(&encoder, type, in, false, "");
}

void protocol_encode_without(const struct protocol_struct *type, const char *name, const void *in,
                             enum protocol_arrays_mode mode, msgpack_packer *packer)
{
    struct encoder encoder = {
        .mode = mode, .packer = packer, .limit = SIZE_MAX, .left_out = name, .left_at = ""};
    encode_map(&encoder, type, in, false, "");
}

uint32_t protocol_encode_bounded(const struct protocol_struct *type, const void *in,
                                 enum protocol_arrays_mode mode, size_t limit, msgpack_packer *packer,
                                 msgpack_packer *omitted)
{
    struct encoder encoder = {.mode = mode, .packer = packer, .limit = limit, .omitted = omitted};
    encode_map(&encoder, type, in, false, "");
    return encoder.omitted_count;
}
