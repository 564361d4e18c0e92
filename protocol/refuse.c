// Refusals of parameters: "path: value; what would be right".
#include "protocol/decode.h"

#include "protocol/error.h"
#include "protocol/internal.h"
#include "protocol/utf8/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static size_t append(char *out, size_t size, size_t at, const char *text)
{
    int written = at < size ? snprintf(out + at, size - at, "%s", text) : 0;
    return at + (size_t)written;
}

static size_t write_place(const struct protocol_place *place, char *out, size_t size)
{
    if (!place || !place->field) {
        return 0;
    }
    char index[16] = "";
    size_t at = write_place(place->up, out, size);
    at = append(out, size, at, place->field->name);
    if (place->in_list) {
        snprintf(index, sizeof index, "[%" PRIu32 "]", place->index);
    }
    at = append(out, size, at, index);
    return append(out, size, at, ".");
}

static void write_path(const struct protocol_place *place, const char *name, char *out, size_t size)
{
    out[0] = 0;
    append(out, size, write_place(place, out, size), name);
}

// Refuses: "path: detail".
bool protocol_refuse(const struct protocol_decoder *decoder, const struct protocol_place *place,
                     const char *name, const char *value, const char *format, ...)
{
    char path[PROTOCOL_FIELD_MAX], detail[PROTOCOL_TEXT_MAX];
    write_path(place, name, path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    protocol_error_set(decoder->error, PROTOCOL_CODE_INVALID, path, "%s: %s", path, detail);
    snprintf(decoder->error->value, sizeof decoder->error->value, "%s", !value ? "" : value);
    return false;
}

bool protocol_refuse_type(const struct protocol_decoder *decoder, const struct protocol_place *place,
                          const struct protocol_field *field, const msgpack_object *value)
{
    char text[PROTOCOL_FIELD_MAX], expected[PROTOCOL_TEXT_MAX];
    protocol_text_object(value, text, sizeof text);
    protocol_text_expected(field, expected, sizeof expected);
    return protocol_refuse(decoder, place, field->name, text, "%s; must be %s", text, expected);
}

bool protocol_refuse_memory(const struct protocol_decoder *decoder)
{
    protocol_error_set(decoder->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the parameters");
    return false;
}

bool protocol_refuse_unknown(const struct protocol_decoder *decoder, const struct protocol_place *place,
                             const struct protocol_struct *type, const msgpack_object *key)
{
    char name[PROTOCOL_FIELD_MAX], path[PROTOCOL_FIELD_MAX], quoted[2 * PROTOCOL_FIELD_MAX];
    char text[PROTOCOL_FIELD_MAX], known[PROTOCOL_TEXT_MAX] = "";
    size_t at = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        at = append(known, sizeof known, at, i > 0 ? ", " : "");
        at = append(known, sizeof known, at, type->fields[i].name);
    }
    size_t name_size = protocol_utf8_cut(key->via.str.ptr, key->via.str.size, 40);
    snprintf(name, sizeof name, "%.*s", (int)name_size, key->via.str.ptr);
    write_path(place, name, path, sizeof path);
    quoted[0] = '"'; // and the path of the map, and the key after its own quote
    const size_t begin = 1 + write_place(place, quoted + 1, sizeof quoted - 1);
    protocol_text_object(key, text, sizeof text);
    append(quoted, sizeof quoted, begin, text + 1);
    protocol_error_set(decoder->error, PROTOCOL_CODE_INVALID, path, "unknown field %s; %s takes %s", quoted,
                       type->name, type->field_count > 0 ? known : "no fields");
    return false;
}
