// Builds the map of named parameters.
//
// Headers of maps and lists are written in their 32-bit form and patched with each entry. So the bytes are whole at any
// moment and nothing has to count entries beforehand. The first mistake is kept in `fault`.
#include "internal.h"

#include <string.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "typed arrays are little-endian and copied as they lie");

enum { EXT_U32 = 0x16, EXT_F32 = 0x17, EXT_F64 = 0x18, MAP32 = 0xdf, LIST32 = 0xdd };

static void fault(struct weft_params *params, const char *what)
{
    if (!params->fault) {
        params->fault = what;
    }
}

static void append(struct weft_params *params, const void *data, size_t size)
{
    if (!params->fault && size && msgpack_sbuffer_write(&params->buffer, data, size) != 0) {
        fault(params, "out of memory");
    }
}

static int append_packed(void *context, const char *data, size_t size)
{
    append((struct weft_params *)context, data, size);
    return 0;
}

static msgpack_packer packer(struct weft_params *params)
{
    msgpack_packer result;
    msgpack_packer_init(&result, params, append_packed);
    return result;
}

static void open_container(struct weft_params *params, bool is_map)
{
    if (params->depth == WEFT_PARAMS_DEPTH_MAX) {
        fault(params, "maps and lists are nested too deep");
        return;
    }
    const uint8_t header[5] = {is_map ? MAP32 : LIST32};
    params->open[params->depth].at = params->buffer.size;
    params->open[params->depth].count = 0;
    params->open[params->depth].is_map = is_map;
    params->depth++;
    append(params, header, sizeof header);
}

static void close_container(struct weft_params *params, bool is_map)
{
    if (params->fault) {
        return;
    }
    if (params->depth <= 1 || params->open[params->depth - 1].is_map != is_map) {
        fault(params, "a map or list is ended that was not begun");
        return;
    }
    params->depth--;
}

// Counts an entry of the innermost container and writes its key. False if nothing should be written.
static bool entry(struct weft_params *params, const char *key)
{
    if (params->fault) {
        return false;
    }
    const uint32_t top = params->depth - 1;
    if (params->open[top].is_map != (key != NULL)) {
        fault(params, key ? "an element of a list was given a key" : "an entry of a map has no key");
        return false;
    }
    const uint32_t count = ++params->open[top].count;
    const uint8_t bytes[4] = {(uint8_t)(count >> 24), (uint8_t)(count >> 16), (uint8_t)(count >> 8),
                              (uint8_t)count};
    memcpy(params->buffer.data + params->open[top].at + 1, bytes, sizeof bytes);
    if (key) {
        msgpack_packer p = packer(params);
        msgpack_pack_str_with_body(&p, key, strlen(key));
    }
    return !params->fault;
}

void weft_params_init(struct weft_params *params)
{
    memset(params, 0, sizeof *params);
    msgpack_sbuffer_init(&params->buffer);
    open_container(params, true);
}

void weft_params_deinit(struct weft_params *params)
{
    msgpack_sbuffer_destroy(&params->buffer);
    memset(params, 0, sizeof *params);
    params->fault = "the parameters were not initialised";
}

void weft_params_clear(struct weft_params *params)
{
    msgpack_sbuffer_clear(&params->buffer);
    params->fault = NULL;
    params->depth = 0;
    open_container(params, true);
}

const char *weft_params_fault(const struct weft_params *params)
{
    if (params->fault) {
        return params->fault;
    }
    return params->depth == 1 ? NULL : "a map or list was begun and not ended";
}

void weft_params_nil(struct weft_params *params, const char *key)
{
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    msgpack_pack_nil(&p);
}

void weft_params_bool(struct weft_params *params, const char *key, bool value)
{
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    if (value) {
        msgpack_pack_true(&p);
    } else {
        msgpack_pack_false(&p);
    }
}

void weft_params_u64(struct weft_params *params, const char *key, uint64_t value)
{
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    msgpack_pack_uint64(&p, value);
}

void weft_params_i64(struct weft_params *params, const char *key, int64_t value)
{
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    msgpack_pack_int64(&p, value);
}

void weft_params_f64(struct weft_params *params, const char *key, double value)
{
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    msgpack_pack_double(&p, value);
}

void weft_params_string(struct weft_params *params, const char *key, const char *value)
{
    if (!value) {
        fault(params, "a string is NULL");
        return;
    }
    if (strlen(value) > UINT32_MAX) {
        fault(params, "a string is too long");
        return;
    }
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    msgpack_pack_str_with_body(&p, value, strlen(value));
}

void weft_params_ref(struct weft_params *params, const char *key, const char *id_or_name)
{
    static const char mark[] = "name:";
    uint64_t id = 0;
    const char *c = id_or_name ? id_or_name : "";
    if (strncmp(c, mark, sizeof mark - 1) == 0) {
        weft_params_string(params, key, c + sizeof mark - 1);
        return;
    }
    while (*c >= '0' && *c <= '9' && id <= UINT32_MAX) {
        id = id * 10 + (uint64_t)(*c++ - '0');
    }
    if (*c == '\0' && id >= 1 && id <= UINT32_MAX) {
        weft_params_u64(params, key, id);
    } else {
        weft_params_string(params, key, id_or_name);
    }
}

void weft_params_vec3(struct weft_params *params, const char *key, double x, double y, double z)
{
    weft_params_list_begin(params, key);
    weft_params_f64(params, NULL, x);
    weft_params_f64(params, NULL, y);
    weft_params_f64(params, NULL, z);
    weft_params_list_end(params);
}

static void typed_array(struct weft_params *params, const char *key, int8_t ext, const void *items,
                        size_t item_size, size_t count)
{
    if (count > UINT32_MAX / item_size) {
        fault(params, "an array is too long");
        return;
    }
    if (!items && count) {
        fault(params, "an array is NULL");
        return;
    }
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    msgpack_pack_ext(&p, count * item_size, ext);
    append(params, items, count * item_size);
}

void weft_params_f32_array(struct weft_params *params, const char *key, const float *items, size_t count)
{
    typed_array(params, key, EXT_F32, items, sizeof *items, count);
}

void weft_params_f64_array(struct weft_params *params, const char *key, const double *items, size_t count)
{
    typed_array(params, key, EXT_F64, items, sizeof *items, count);
}

void weft_params_u32_array(struct weft_params *params, const char *key, const uint32_t *items, size_t count)
{
    typed_array(params, key, EXT_U32, items, sizeof *items, count);
}

void weft_params_map_begin(struct weft_params *params, const char *key)
{
    if (entry(params, key)) {
        open_container(params, true);
    }
}

void weft_params_map_end(struct weft_params *params)
{
    close_container(params, true);
}

void weft_params_list_begin(struct weft_params *params, const char *key)
{
    if (entry(params, key)) {
        open_container(params, false);
    }
}

void weft_params_list_end(struct weft_params *params)
{
    close_container(params, false);
}

void weft_params_object(struct weft_params *params, const char *key, const msgpack_object *value)
{
    if (!entry(params, key)) {
        return;
    }
    msgpack_packer p = packer(params);
    if (msgpack_pack_object(&p, *value) != 0) {
        fault(params, "a value cannot be packed");
    }
}

void weft_params_raw(struct weft_params *params, const char *key, const void *packed, size_t size)
{
    if (entry(params, key)) {
        append(params, packed, size);
    }
}
