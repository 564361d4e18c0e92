// Values and expectations in words, for error texts.
#include "protocol/internal.h"

#include "protocol/utf8/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED_MAX = 40 };

void protocol_text_number(double value, char *out, size_t size)
{
    if (isnan(value)) {
        snprintf(out, size, "NaN");
        return;
    }
    if (isinf(value)) {
        snprintf(out, size, value < 0 ? "-infinity" : "infinity");
        return;
    }
    if (value > -0x1p53 && value < 0x1p53 && (double)(int64_t)value == value) {
        snprintf(out, size, "%.0f", value);
        return;
    }
    char text[32];
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    snprintf(out, size, "%s", text);
}

static void quote(const char *data, uint32_t data_size, char *out, size_t size)
{
    char text[QUOTED_MAX];
    size_t cut = protocol_utf8_cut(data, data_size, sizeof text);
    if (cut > 0) {
        memcpy(text, data, cut);
    }
    protocol_utf8_clean(text, cut);
    snprintf(out, size, "\"%.*s%s\"", (int)cut, text, cut < data_size ? "…" : "");
}

void protocol_text_object(const msgpack_object *value, char *out, size_t size)
{
    switch (value->type) {
    case MSGPACK_OBJECT_NIL:
        snprintf(out, size, "nil");
        break;
    case MSGPACK_OBJECT_BOOLEAN:
        snprintf(out, size, value->via.boolean ? "true" : "false");
        break;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        snprintf(out, size, "%" PRIu64, value->via.u64);
        break;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        snprintf(out, size, "%" PRId64, value->via.i64);
        break;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        protocol_text_number(value->via.f64, out, size);
        break;
    case MSGPACK_OBJECT_STR:
        quote(value->via.str.ptr, value->via.str.size, out, size);
        break;
    case MSGPACK_OBJECT_ARRAY:
        snprintf(out, size, "array of %" PRIu32, value->via.array.size);
        break;
    case MSGPACK_OBJECT_MAP:
        snprintf(out, size, "map of %" PRIu32, value->via.map.size);
        break;
    case MSGPACK_OBJECT_BIN:
        snprintf(out, size, "bin of %" PRIu32 " bytes", value->via.bin.size);
        break;
    case MSGPACK_OBJECT_EXT:
        snprintf(out, size, "ext 0x%02x of %" PRIu32 " bytes", (unsigned)(uint8_t)value->via.ext.type,
                 value->via.ext.size);
        break;
    }
}

static void expect_values(const struct protocol_field *field, char *out, size_t size)
{
    int at = snprintf(out, size, field->type == PROTOCOL_TYPE_ENUM ? "one of " : "an array of some of ");
    for (uint32_t i = 0; i < field->value_count && at < (int)size; i++) {
        at += snprintf(out + at, size - (size_t)at, "%s\"%s\"", i > 0 ? ", " : "", field->values[i]);
    }
}

static void expect_number(const struct protocol_field *field, char *out, size_t size)
{
    char least[32], most[32];
    const char *what = field->type == PROTOCOL_TYPE_FLOAT ? "a number" : "an integer";
    double lo = field->min, hi = field->max;
    if (field->type != PROTOCOL_TYPE_FLOAT) {
        double greatest =
            field->type == PROTOCOL_TYPE_U32 ? (double)UINT32_MAX : (double)PROTOCOL_INTEGER_MAX;
        lo = lo < 0 ? 0 : lo;
        hi = hi > greatest ? greatest : hi;
    }
    protocol_text_number(lo, least, sizeof least);
    protocol_text_number(hi, most, sizeof most);
    const char *from = field->exclusive_min ? "above" : "from";
    if (isinf(lo) && isinf(hi)) {
        snprintf(out, size, "%s", what);
    } else if (isinf(hi)) {
        snprintf(out, size, "%s %s %s", what, from, least);
    } else if (isinf(lo)) {
        snprintf(out, size, "%s up to %s", what, most);
    } else {
        snprintf(out, size, "%s %s %s to %s", what, from, least, most);
    }
}

void protocol_text_expected(const struct protocol_field *field, char *out, size_t size)
{
    switch (field->type) {
    case PROTOCOL_TYPE_BOOL:
        snprintf(out, size, "true or false");
        return;
    case PROTOCOL_TYPE_U32:
    case PROTOCOL_TYPE_U64:
    case PROTOCOL_TYPE_FLOAT:
        expect_number(field, out, size);
        return;
    case PROTOCOL_TYPE_STRING:
        snprintf(out, size, "a string");
        return;
    case PROTOCOL_TYPE_ENUM:
    case PROTOCOL_TYPE_FLAGS:
        expect_values(field, out, size);
        return;
    case PROTOCOL_TYPE_REF:
        snprintf(out, size, "an id (integer from 1 to %" PRIu32 ") or a name", UINT32_MAX);
        return;
    case PROTOCOL_TYPE_VEC3:
        snprintf(out, size, "an array of 3 numbers");
        return;
    case PROTOCOL_TYPE_VEC4:
        snprintf(out, size, "an array of 4 numbers");
        return;
    case PROTOCOL_TYPE_NUMBERS:
    case PROTOCOL_TYPE_F32S:
        snprintf(out, size, "an array of numbers%s: plain, typed (ext 0x11 to 0x18) or bin of f32",
                 field->scalar ? ", or one number" : "");
        return;
    case PROTOCOL_TYPE_F64S:
        snprintf(out, size, "an array of numbers: plain, typed (ext 0x11 to 0x18) or bin of f64");
        return;
    case PROTOCOL_TYPE_U32S:
        snprintf(out, size, "an array of integers: plain, typed (ext 0x11 to 0x18) or bin of u32");
        return;
    case PROTOCOL_TYPE_MAP:
        snprintf(out, size, "a map");
        return;
    case PROTOCOL_TYPE_LIST:
        snprintf(out, size, "an array of maps");
        return;
    case PROTOCOL_TYPE_ANY:
        snprintf(out, size, "a value");
        return;
    case PROTOCOL_TYPE_CALLS:
        snprintf(out, size, "an array of edits, each an array of a method and the map of its parameters");
        return;
    case PROTOCOL_TYPE_ANSWERS:
        snprintf(out, size, "an array of maps");
        return;
    }
}
