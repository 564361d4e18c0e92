// Values that a server sent: look-ups that return a default instead of failing, and views of arrays of numbers.
//
// A view copies only if it must: for other element types, plain lists and misaligned bytes.
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum array_type { I8 = 0x11, U8, I16, U16, I32, U32, F32, F64, PLAIN };

struct array {
    enum array_type type;
    size_t count;
    const char *data;           // typed
    const msgpack_object *list; // PLAIN
};

bool weft_string_is(const msgpack_object *value, const char *text)
{
    size_t size;
    const char *data = weft_string(value, &size);
    return data && size == strlen(text) && memcmp(data, text, size) == 0;
}

const msgpack_object *weft_get(const msgpack_object *map, const char *field)
{
    if (!map || map->type != MSGPACK_OBJECT_MAP) {
        return NULL;
    }
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        if (weft_string_is(&map->via.map.ptr[i].key, field)) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}

const msgpack_object *weft_at(const msgpack_object *list, uint32_t index)
{
    if (!list || list->type != MSGPACK_OBJECT_ARRAY || index >= list->via.array.size) {
        return NULL;
    }
    return &list->via.array.ptr[index];
}

uint32_t weft_count(const msgpack_object *list_or_map)
{
    if (!list_or_map) {
        return 0;
    }
    if (list_or_map->type == MSGPACK_OBJECT_ARRAY) {
        return list_or_map->via.array.size;
    }
    return list_or_map->type == MSGPACK_OBJECT_MAP ? list_or_map->via.map.size : 0;
}

static bool is_float(const msgpack_object *value)
{
    return value->type == MSGPACK_OBJECT_FLOAT32 || value->type == MSGPACK_OBJECT_FLOAT64;
}

static bool is_number(const msgpack_object *value)
{
    return is_float(value) || value->type == MSGPACK_OBJECT_POSITIVE_INTEGER ||
           value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER;
}

uint64_t weft_u64(const msgpack_object *value, uint64_t otherwise)
{
    if (!value) {
        return otherwise;
    }
    if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
        return value->via.u64;
    }
    if (is_float(value) && value->via.f64 >= 0 && value->via.f64 < 0x1p64 &&
        floor(value->via.f64) == value->via.f64) {
        return (uint64_t)value->via.f64;
    }
    return otherwise;
}

double weft_f64(const msgpack_object *value, double otherwise)
{
    if (!value) {
        return otherwise;
    }
    if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
        return (double)value->via.u64;
    }
    if (value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
        return (double)value->via.i64;
    }
    return is_float(value) ? value->via.f64 : otherwise;
}

bool weft_bool(const msgpack_object *value, bool otherwise)
{
    return value && value->type == MSGPACK_OBJECT_BOOLEAN ? value->via.boolean : otherwise;
}

const char *weft_string(const msgpack_object *value, size_t *size)
{
    *size = 0;
    if (!value || value->type != MSGPACK_OBJECT_STR) {
        return NULL;
    }
    *size = value->via.str.size;
    return *size ? value->via.str.ptr : "";
}

char *weft_string_copy(const msgpack_object *value, char *out, size_t out_size)
{
    size_t size;
    const char *text = weft_string(value, &size);
    weft_text_copy(out, out_size, text ? text : "", size);
    return out;
}

static size_t item_size(enum array_type type)
{
    switch (type) {
    case I8:
    case U8:
        return 1;
    case I16:
    case U16:
        return 2;
    case I32:
    case U32:
    case F32:
        return 4;
    case F64:
        return 8;
    case PLAIN:
        break;
    }
    return sizeof(msgpack_object);
}

static bool array_from(const msgpack_object *value, enum array_type bin_type, struct array *array)
{
    *array = (struct array){.type = PLAIN};
    if (!value) {
        return false;
    }
    size_t size;
    if (value->type == MSGPACK_OBJECT_ARRAY) {
        array->list = value->via.array.ptr;
        array->count = value->via.array.size;
        for (size_t i = 0; i < array->count; i++) {
            if (!is_number(&array->list[i])) {
                return false;
            }
        }
        return true;
    }
    if (value->type == MSGPACK_OBJECT_BIN) {
        array->type = bin_type;
        array->data = value->via.bin.ptr;
        size = value->via.bin.size;
    } else if (value->type == MSGPACK_OBJECT_EXT && value->via.ext.type >= I8 && value->via.ext.type <= F64) {
        array->type = (enum array_type)value->via.ext.type;
        array->data = value->via.ext.ptr;
        size = value->via.ext.size;
    } else {
        return false;
    }
    array->count = size / item_size(array->type);
    return size % item_size(array->type) == 0;
}

static double array_at(const struct array *array, size_t index)
{
    if (array->type == PLAIN) {
        return weft_f64(&array->list[index], 0);
    }
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } item;
    memcpy(&item, array->data + index * item_size(array->type), item_size(array->type));
    switch (array->type) {
    case I8:
        return item.i8;
    case U8:
        return item.u8;
    case I16:
        return item.i16;
    case U16:
        return item.u16;
    case I32:
        return item.i32;
    case U32:
        return item.u32;
    case F32:
        return (double)item.f32;
    case F64:
        return item.f64;
    case PLAIN:
        break;
    }
    return 0;
}

static bool store(void *out, size_t index, enum array_type type, double value)
{
    if (type == F32) {
        ((float *)out)[index] = (float)value;
    } else if (type == F64) {
        ((double *)out)[index] = value;
    } else {
        if (!(value >= 0 && value <= UINT32_MAX && floor(value) == value)) {
            return false;
        }
        ((uint32_t *)out)[index] = (uint32_t)value;
    }
    return true;
}

static bool view(const msgpack_object *value, enum array_type type, struct weft_view *view)
{
    struct array array;
    memset(view, 0, sizeof *view);
    if (!array_from(value, type, &array)) {
        return false;
    }
    if (array.count == 0) {
        return true;
    }
    const size_t size = item_size(type);
    if (array.type == type && (uintptr_t)array.data % size == 0) {
        view->data = array.data;
        view->count = array.count;
        return true;
    }
    if (array.count > SIZE_MAX / size) {
        return false;
    }
    void *copy = malloc(array.count * size);
    if (!copy) {
        return false;
    }
    if (array.type == type) {
        memcpy(copy, array.data, array.count * size);
    } else {
        for (size_t i = 0; i < array.count; i++) {
            if (!store(copy, i, type, array_at(&array, i))) {
                free(copy);
                return false;
            }
        }
    }
    view->data = view->copy = copy;
    view->count = array.count;
    return true;
}

bool weft_view_f32(const msgpack_object *value, struct weft_view *out)
{
    return view(value, F32, out);
}

bool weft_view_f64(const msgpack_object *value, struct weft_view *out)
{
    return view(value, F64, out);
}

bool weft_view_u32(const msgpack_object *value, struct weft_view *out)
{
    return view(value, U32, out);
}

void weft_view_deinit(struct weft_view *out)
{
    free(out->copy);
    memset(out, 0, sizeof *out);
}
