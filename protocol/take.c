// One field at a time: what came on the wire, checked against its table entry, as what the struct holds.
#include "protocol/decode.h"

#include "protocol/error.h"
#include "protocol/internal.h"
#include "protocol/utf8/utf8.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Scalars

bool protocol_check_number(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, double number)
{
    bool is_above_min = field->exclusive_min ? number > field->min : number >= field->min;
    if (isfinite(number) && is_above_min && number <= field->max) {
        return true;
    }
    char text[32], bound[32];
    protocol_text_number(number, text, sizeof text);
    if (!isfinite(number)) {
        return protocol_refuse(decoder, place, field->name, text, "%s; must be finite", text);
    }
    protocol_text_number(is_above_min ? field->max : field->min, bound, sizeof bound);
    return protocol_refuse(decoder, place, field->name, text, "%s is %s %s", text,
                           is_above_min           ? "above"
                           : field->exclusive_min ? "not above"
                                                  : "below",
                           bound);
}

// An integer in 0 ... most, also if it came as a float.
static bool whole_number(const msgpack_object *value, uint64_t most, uint64_t *out)
{
    if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
        *out = value->via.u64;
        return *out <= most;
    }
    if (value->type != MSGPACK_OBJECT_FLOAT32 && value->type != MSGPACK_OBJECT_FLOAT64) {
        return false;
    }
    double number = value->via.f64;
    if (!(number >= 0 && number <= (double)most && (double)(uint64_t)number == number)) {
        return false;
    }
    *out = (uint64_t)number;
    return true;
}

bool protocol_take_integer(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const msgpack_object *value, uint64_t most,
                           uint64_t *out)
{
    if (!whole_number(value, most, out)) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    return protocol_check_number(decoder, place, field, (double)*out);
}

static bool take_name(const struct protocol_decoder *decoder, const struct protocol_place *place,
                      const struct protocol_field *field, const msgpack_object *value)
{
    char text[PROTOCOL_FIELD_MAX];
    protocol_text_object(value, text, sizeof text);
    const char *flaw = protocol_name_flaw(value->via.str.ptr, value->via.str.size);
    if (flaw) {
        return protocol_refuse(decoder, place, field->name, text, "%s %s", text, flaw);
    }
    if (value->via.str.size > PROTOCOL_LIMIT_NAME_BYTES) {
        protocol_refuse(decoder, place, field->name, text,
                        "%s has %" PRIu32 " bytes; the limit name_bytes is %" PRIu64, text,
                        value->via.str.size, PROTOCOL_LIMIT_NAME_BYTES);
        decoder->error->code = PROTOCOL_CODE_LIMIT;
        decoder->error->limit = (double)PROTOCOL_LIMIT_NAME_BYTES;
        return false;
    }
    return true;
}

bool protocol_take_string(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value,
                          struct protocol_string *out)
{
    if (value->type != MSGPACK_OBJECT_STR) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    if (!protocol_utf8_valid(value->via.str.ptr, value->via.str.size)) {
        char text[PROTOCOL_FIELD_MAX];
        protocol_text_object(value, text, sizeof text);
        return protocol_refuse(decoder, place, field->name, text, "%s is not UTF-8", text);
    }
    *out = (struct protocol_string){.data = value->via.str.ptr, .size = value->via.str.size};
    bool is_name = field->name_like || field->type == PROTOCOL_TYPE_REF;
    return !is_name || take_name(decoder, place, field, value);
}

bool protocol_take_ref(const struct protocol_decoder *decoder, const struct protocol_place *place,
                       const struct protocol_field *field, const msgpack_object *value,
                       struct protocol_ref *out)
{
    if (value->type == MSGPACK_OBJECT_STR && value->via.str.size > 0) {
        return protocol_take_string(decoder, place, field, value, &out->name);
    }
    uint64_t id;
    if (!whole_number(value, UINT32_MAX, &id) || id == 0) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    out->id = (uint32_t)id;
    return true;
}

static bool find_value(const struct protocol_field *field, const msgpack_object *value, uint32_t *position)
{
    for (uint32_t i = 0; value->type == MSGPACK_OBJECT_STR && i < field->value_count; i++) {
        if (strlen(field->values[i]) == value->via.str.size &&
            memcmp(field->values[i], value->via.str.ptr, value->via.str.size) == 0) {
            *position = i;
            return true;
        }
    }
    return false;
}

bool protocol_take_position(const struct protocol_decoder *decoder, const struct protocol_place *place,
                            const struct protocol_field *field, const msgpack_object *value, uint32_t *out)
{
    return find_value(field, value, out) || protocol_refuse_type(decoder, place, field, value);
}

bool protocol_take_flags(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value, uint32_t *out)
{
    if (value->type != MSGPACK_OBJECT_ARRAY) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    uint32_t flags = 0, position;
    for (uint32_t i = 0; i < value->via.array.size; i++) {
        if (!find_value(field, &value->via.array.ptr[i], &position)) {
            return protocol_refuse_type(decoder, place, field, &value->via.array.ptr[i]);
        }
        flags |= 1u << position;
    }
    *out = flags;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Arrays

static enum protocol_array_type bin_type(enum protocol_type type)
{
    return type == PROTOCOL_TYPE_U32S   ? PROTOCOL_ARRAY_U32
           : type == PROTOCOL_TYPE_F64S ? PROTOCOL_ARRAY_F64
                                        : PROTOCOL_ARRAY_F32;
}

// The value is no array of numbers: say why not.
static bool refuse_array(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value)
{
    char text[PROTOCOL_FIELD_MAX];
    if (value->type == MSGPACK_OBJECT_ARRAY) {
        uint32_t i = 0;
        while (protocol_object_is_number(&value->via.array.ptr[i])) {
            i++;
        }
        protocol_text_object(&value->via.array.ptr[i], text, sizeof text);
        return protocol_refuse(decoder, place, field->name, text,
                               "element %" PRIu32 " is %s; must be a number", i, text);
    }
    enum protocol_array_type type = 0;
    uint32_t size = 0;
    if (value->type == MSGPACK_OBJECT_BIN) {
        type = bin_type(field->type);
        size = value->via.bin.size;
    } else if (value->type == MSGPACK_OBJECT_EXT) {
        type = (uint8_t)value->via.ext.type;
        size = value->via.ext.size;
    }
    uint32_t item_size = protocol_array_item_size(type);
    if (item_size == 0) {
        return protocol_refuse_type(decoder, place, field, value);
    }
    protocol_text_object(value, text, sizeof text);
    return protocol_refuse(decoder, place, field->name, text,
                           "%" PRIu32 " bytes are no multiple of %" PRIu32 ", the size of a number", size,
                           item_size);
}

static bool check_elements(const struct protocol_decoder *decoder, const struct protocol_place *place,
                           const struct protocol_field *field, const struct protocol_array *array)
{
    uint32_t bad = 0;
    char text[32], bound[32];
    if (field->type == PROTOCOL_TYPE_U32S && !protocol_array_is_u32(array, &bad)) {
        protocol_text_number(protocol_array_f64_at(array, bad), text, sizeof text);
        return protocol_refuse(decoder, place, field->name, text,
                               "element %" PRIu32 " is %s; must be an integer from 0 to %" PRIu32, bad, text,
                               UINT32_MAX);
    }
    // A value that is held as f32 must fit it.
    bool is_f32 = field->type == PROTOCOL_TYPE_F32S;
    double lo = is_f32 && field->min < -FLT_MAX ? -FLT_MAX : field->min;
    double hi = is_f32 && field->max > FLT_MAX ? FLT_MAX : field->max;
    bool is_free = field->type == PROTOCOL_TYPE_U32S && isinf(lo) && isinf(hi);
    if (is_free || protocol_array_in_range(array, lo, hi, field->exclusive_min, &bad)) {
        return true;
    }
    double number = protocol_array_f64_at(array, bad);
    protocol_text_number(number, text, sizeof text);
    if (!isfinite(number)) {
        return protocol_refuse(decoder, place, field->name, text, "element %" PRIu32 " is %s; must be finite",
                               bad, text);
    }
    bool below = number <= lo;
    protocol_text_number(below ? lo : hi, bound, sizeof bound);
    return protocol_refuse(decoder, place, field->name, text, "element %" PRIu32 " is %s; must be %s %s", bad,
                           text,
                           !below                 ? "at most"
                           : field->exclusive_min ? "above"
                                                  : "at least",
                           bound);
}

bool protocol_take_array(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, const msgpack_object *value,
                         struct protocol_array *out)
{
    if (field->scalar && protocol_object_is_number(value)) {
        *out = (struct protocol_array){.type = PROTOCOL_ARRAY_SCALAR, .count = 1, .data = value};
        return protocol_check_number(decoder, place, field, protocol_object_f64(value)) &&
               check_elements(decoder, place, field, out);
    }
    if (!protocol_array_from(value, bin_type(field->type), out)) {
        return refuse_array(decoder, place, field, value);
    }
    if (field->multiple > 0 && out->count % field->multiple != 0) {
        char text[32];
        snprintf(text, sizeof text, "%" PRIu32, out->count);
        return protocol_refuse(decoder, place, field->name, text, "length %s is no multiple of %" PRIu32,
                               text, field->multiple);
    }
    return check_elements(decoder, place, field, out);
}

bool protocol_take_vector(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value, uint32_t count,
                          double *out)
{
    struct protocol_array array;
    if (!protocol_array_from(value, PROTOCOL_ARRAY_F32, &array)) {
        return value->type == MSGPACK_OBJECT_ARRAY && value->via.array.size == count
                   ? refuse_array(decoder, place, field, value)
                   : protocol_refuse_type(decoder, place, field, value);
    }
    if (array.count != count) {
        char text[32];
        snprintf(text, sizeof text, "%" PRIu32, array.count);
        return protocol_refuse(decoder, place, field->name, text, "length %s; must be %" PRIu32, text, count);
    }
    protocol_array_copy_f64(&array, out);
    return check_elements(decoder, place, field, &array);
}

bool protocol_check_most(const struct protocol_decoder *decoder, const struct protocol_place *place,
                         const struct protocol_field *field, uint32_t count)
{
    if (field->most == 0 || count <= field->most) {
        return true;
    }
    char text[32];
    snprintf(text, sizeof text, "%" PRIu32, count);
    protocol_refuse(decoder, place, field->name, text, "%s of them; at most %" PRIu32, text, field->most);
    decoder->error->code = PROTOCOL_CODE_LIMIT;
    decoder->error->limit = field->most;
    return false;
}
