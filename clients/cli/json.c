// JSON in (jansson) and out (by hand: numbers in their shortest form, arrays straight from the message).
#include "cli.h"

#include "protocol/utf8/utf8.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 100, DEPTH_MAX = 64 };

// ---------------------------------------------------------------------------------------------------------
// In

static void add_value(struct weft_params *params, const char *key, const json_t *value)
{
    const char *name;
    json_t *item;
    size_t index;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        weft_params_map_begin(params, key);
        json_object_foreach((json_t *)value, name, item) add_value(params, name, item);
        weft_params_map_end(params);
        break;
    case JSON_ARRAY:
        weft_params_list_begin(params, key);
        json_array_foreach(value, index, item) add_value(params, NULL, item);
        weft_params_list_end(params);
        break;
    case JSON_STRING:
        weft_params_string(params, key, json_string_value(value));
        break;
    case JSON_INTEGER:
        weft_params_i64(params, key, json_integer_value(value));
        break;
    case JSON_REAL:
        weft_params_f64(params, key, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        weft_params_bool(params, key, json_is_true(value));
        break;
    case JSON_NULL:
        weft_params_nil(params, key);
        break;
    }
}

static size_t depth_of(const json_t *value, size_t limit)
{
    const char *name;
    json_t *item;
    size_t index, deepest = 0;
    if (limit == 0) {
        return 0;
    }
    if (json_is_object(value)) {
        json_object_foreach((json_t *)value, name, item)
        {
            const size_t depth = depth_of(item, limit - 1);
            deepest = depth > deepest ? depth : deepest;
        }
        return deepest + 1;
    }
    json_array_foreach(value, index, item)
    {
        const size_t depth = depth_of(item, limit - 1);
        deepest = depth > deepest ? depth : deepest;
    }
    return json_is_array(value) ? deepest + 1 : 0;
}

bool cli_json_params(const char *text, size_t size, struct weft_params *params, char *why, size_t why_size)
{
    json_error_t error;
    const size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // byte order mark of UTF-8
    json_t *root = json_loadb(text + mark, size - mark, JSON_REJECT_DUPLICATES, &error);
    bool ok = false;
    if (!root) {
        snprintf(why, why_size, "not JSON: line %d, column %d: %s", error.line, error.column, error.text);
        return false;
    }
    if (!json_is_object(root)) {
        snprintf(why, why_size, "the parameters must be a JSON object, such as {\"world\": 1}");
    } else if (depth_of(root, WEFT_PARAMS_DEPTH_MAX + 1) > WEFT_PARAMS_DEPTH_MAX) {
        snprintf(why, why_size, "objects and arrays are nested deeper than %d", WEFT_PARAMS_DEPTH_MAX);
    } else {
        const char *name;
        json_t *value;
        json_object_foreach(root, name, value) add_value(params, name, value);
        ok = true;
    }
    json_decref(root);
    return ok;
}

// ---------------------------------------------------------------------------------------------------------
// Out

void cli_number_text(double value, bool is_f32, char *out, size_t size)
{
    for (int digits = is_f32 ? 6 : 15; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, value);
        const double back = strtod(out, NULL);
        if (is_f32 ? (float)back == (float)value : back == value) {
            return;
        }
    }
}

static void write_number(FILE *out, double value, bool is_f32)
{
    char text[40];
    if (!isfinite(value)) {
        fputs("null", out);
        return;
    }
    cli_number_text(value, is_f32, text, sizeof text);
    fputs(text, out);
}

void cli_json_string(FILE *out, const char *text, size_t size)
{
    uint32_t code = 0;
    fputc('"', out);
    for (size_t i = 0; i < size;) {
        const unsigned char c = (unsigned char)text[i];
        const size_t length = protocol_utf8_character(text + i, size - i, &code);
        if (length == 0) {
            fputs("\\ufffd", out);
        } else if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c == '\n') {
            fputs("\\n", out);
        } else if (protocol_utf8_is_control(code)) { // a terminal would interpret it
            fprintf(out, "\\u%04x", (unsigned)code);
        } else {
            fwrite(text + i, 1, length, out);
        }
        i += length ? length : 1;
    }
    fputc('"', out);
}

static void newline(FILE *out, bool pretty, int depth)
{
    if (pretty) {
        fprintf(out, "\n%*s", depth * 2, "");
    }
}

static bool is_container(const msgpack_object *value)
{
    return weft_count(value) > 0;
}

// Writes numbers side by side, as many as fit on a line.
static void write_numbers(FILE *out, const struct weft_view *view, bool is_f32, bool pretty, int depth)
{
    size_t width = 0;
    fputc('[', out);
    for (size_t i = 0; i < view->count; i++) {
        char text[40] = "null";
        const double value = view->f64[i];
        if (isfinite(value)) {
            cli_number_text(value, is_f32, text, sizeof text);
        }
        if (i) {
            fputs(pretty ? ", " : ",", out);
        }
        width += strlen(text) + 2;
        if (pretty && width > LINE_WIDTH) {
            newline(out, true, depth + 1);
            width = strlen(text) + 2;
        }
        fputs(text, out);
    }
    fputc(']', out);
}

static void write_bytes(FILE *out, const void *bytes, size_t size)
{
    fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        fprintf(out, "%02x", ((const unsigned char *)bytes)[i]);
    }
    fputc('"', out);
}

static void write_value(FILE *out, const msgpack_object *value, bool pretty, int depth);

static void write_list(FILE *out, const msgpack_object *list, bool pretty, int depth)
{
    const uint32_t count = weft_count(list);
    bool nested = false;
    for (uint32_t i = 0; i < count && !nested; i++) {
        nested = is_container(weft_at(list, i));
    }
    fputc('[', out);
    for (uint32_t i = 0; i < count; i++) {
        if (i) {
            fputs(nested || !pretty ? "," : ", ", out);
        }
        if (nested) {
            newline(out, pretty, depth + 1);
        }
        write_value(out, weft_at(list, i), pretty, depth + 1);
    }
    if (nested) {
        newline(out, pretty, depth);
    }
    fputc(']', out);
}

static void write_map(FILE *out, const msgpack_object *map, bool pretty, int depth)
{
    fputc('{', out);
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object_kv *entry = &map->via.map.ptr[i];
        if (i) {
            fputc(',', out);
        }
        newline(out, pretty, depth + 1);
        size_t size;
        const char *key = weft_string(&entry->key, &size);
        if (key) {
            cli_json_string(out, key, size);
        } else {
            // JSON has only strings as keys.
            char text[40];
            snprintf(text, sizeof text, "%.17g", weft_f64(&entry->key, 0));
            cli_json_string(out, text, strlen(text));
        }
        fputs(pretty ? ": " : ":", out);
        write_value(out, &entry->val, pretty, depth + 1);
    }
    if (map->via.map.size) {
        newline(out, pretty, depth);
    }
    fputc('}', out);
}

static void write_value(FILE *out, const msgpack_object *value, bool pretty, int depth)
{
    struct weft_view view;
    size_t size;
    const char *text;
    if (depth > DEPTH_MAX) {
        fputs("null", out);
        return;
    }
    switch (value->type) {
    case MSGPACK_OBJECT_NIL:
        fputs("null", out);
        break;
    case MSGPACK_OBJECT_BOOLEAN:
        fputs(value->via.boolean ? "true" : "false", out);
        break;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        fprintf(out, "%llu", (unsigned long long)value->via.u64);
        break;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        fprintf(out, "%lld", (long long)value->via.i64);
        break;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        write_number(out, value->via.f64, value->type == MSGPACK_OBJECT_FLOAT32);
        break;
    case MSGPACK_OBJECT_STR:
        text = weft_string(value, &size);
        cli_json_string(out, text, size);
        break;
    case MSGPACK_OBJECT_ARRAY:
        write_list(out, value, pretty, depth);
        break;
    case MSGPACK_OBJECT_MAP:
        write_map(out, value, pretty, depth);
        break;
    case MSGPACK_OBJECT_BIN:
        write_bytes(out, value->via.bin.ptr, value->via.bin.size);
        break;
    case MSGPACK_OBJECT_EXT:
        if (weft_view_f64(value, &view)) {
            write_numbers(out, &view, value->via.ext.type == 0x17, pretty, depth);
        } else {
            write_bytes(out, value->via.ext.ptr, value->via.ext.size);
        }
        weft_view_deinit(&view);
        break;
    }
}

void cli_json_write(FILE *out, const msgpack_object *value, bool pretty)
{
    write_value(out, value, pretty, 0);
}
