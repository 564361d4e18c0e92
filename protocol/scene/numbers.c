// Numbers in a scene: alone, in lists, in lists of lists, or in files beside it.
#include "protocol/scene/internal.h"

#include "protocol/array.h"

#include <math.h>
#include <stdlib.h>

static const double VECTOR_MOST = 1e9; // m: beyond what any world holds

static bool is_u32(double number)
{
    return number >= 0 && number <= (double)UINT32_MAX && (double)(uint32_t)number == number;
}

static bool check_row(struct scene_reader *reader, bool is_row, size_t size, uint32_t columns, size_t index)
{
    return !is_row || columns < 2 || (size > 0 && size % columns == 0) ||
           scene_refuse(reader, "row %zu has %zu numbers; must have %u", index, size, columns);
}

// Numbers alone, or rows of them; both in one list would shift what comes after.
static bool count_of(struct scene_reader *reader, const json_t *list, uint32_t columns, size_t *count)
{
    size_t index;
    json_t *item;
    const bool rows = json_is_array(json_array_get(list, 0));
    *count = 0;
    json_array_foreach(list, index, item)
    {
        if (json_is_array(item) != rows) {
            return scene_refuse(reader, "element %zu is %s list; the first is %s", index, rows ? "no" : "a",
                                rows ? "one" : "none");
        }
        if (!check_row(reader, rows, json_array_size(item), columns, index)) {
            return false;
        }
        *count += rows ? json_array_size(item) : 1;
    }
    return true;
}

static bool take(struct scene_reader *reader, const json_t *item, double *out, size_t at, bool *integers)
{
    if (!json_is_number(item)) {
        return scene_refuse(reader, "element %zu is no number", at);
    }
    out[at] = json_number_value(item);
    *integers = *integers && json_is_integer(item) && is_u32(out[at]);
    return true;
}

static bool from_file(struct scene_reader *reader, const char *path, uint32_t columns, double **numbers,
                      size_t *count, bool *integers)
{
    void *bytes;
    size_t size;
    if (!scene_ends_with(path, ".npy")) {
        return scene_refuse(reader, "\"%.100s\"; must be a list of numbers, or the name of a .npy file",
                            path);
    }
    if (!scene_file_read(reader, path, &bytes, &size)) {
        return false;
    }
    bool done = scene_npy_parse(reader, path, bytes, size, columns, numbers, count);
    free(bytes);
    *integers = done;
    for (size_t i = 0; done && i < *count && *integers; i++) {
        *integers = is_u32((*numbers)[i]);
    }
    return done;
}

bool scene_numbers(struct scene_reader *reader, const json_t *value, uint32_t columns, double **numbers,
                   size_t *count, bool *integers)
{
    *numbers = NULL;
    *count = 0;
    if (json_is_string(value)) {
        return from_file(reader, json_string_value(value), columns, numbers, count, integers);
    }
    if (!json_is_array(value)) {
        return scene_refuse(reader, "must be a list of numbers, or the name of a .npy file");
    }
    bool done = true;
    if (!count_of(reader, value, columns, count)) {
        return false;
    }
    *numbers = malloc((*count + 1) * sizeof **numbers);
    *integers = true;
    if (!*numbers) {
        return scene_refuse_memory(reader);
    }
    size_t at = 0, index, inner_index;
    json_t *item, *inner;
    json_array_foreach(value, index, item)
    {
        if (!json_is_array(item)) {
            done = done && take(reader, item, *numbers, at++, integers);
            continue;
        }
        json_array_foreach(item, inner_index, inner)
        {
            done = done && take(reader, inner, *numbers, at++, integers);
        }
    }
    if (!done) {
        free(*numbers);
        *numbers = NULL;
    }
    return done;
}

bool scene_number(struct scene_reader *reader, const json_t *value, double least, double most, double *number)
{
    double given = json_number_value(value);
    if (!json_is_number(value) || !(given >= least && given <= most)) {
        return scene_refuse(reader, "must be a number from %g to %g", least, most);
    }
    *number = given;
    return true;
}

bool scene_whole(struct scene_reader *reader, const json_t *value, uint32_t least, uint32_t most,
                 uint32_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < (json_int_t)least ||
        json_integer_value(value) > (json_int_t)most) {
        return scene_refuse(reader, "must be a whole number from %u to %u", least, most);
    }
    *number = (uint32_t)json_integer_value(value);
    return true;
}

bool scene_vector(struct scene_reader *reader, const json_t *value, uint32_t count, double *out)
{
    if (!json_is_array(value) || json_array_size(value) != count) {
        return scene_refuse(reader, "must be a list of %u numbers", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(value, i);
        out[i] = json_number_value(item);
        if (!json_is_number(item) || !(fabs(out[i]) <= VECTOR_MOST)) {
            return scene_refuse(reader, "must be a list of %u numbers from %g to %g", count, -VECTOR_MOST,
                                VECTOR_MOST);
        }
    }
    return true;
}

bool scene_member_number(struct scene_reader *reader, const json_t *object, const char *key, double least,
                         double most, double *out)
{
    const json_t *value = json_object_get(object, key);
    size_t before = scene_enter(reader, "%s", key);
    bool done = !value || scene_number(reader, value, least, most, out);
    scene_leave(reader, before);
    return done;
}

bool scene_member_whole(struct scene_reader *reader, const json_t *object, const char *key, uint32_t least,
                        uint32_t most, uint32_t *out)
{
    const json_t *value = json_object_get(object, key);
    size_t before = scene_enter(reader, "%s", key);
    bool done = !value || scene_whole(reader, value, least, most, out);
    scene_leave(reader, before);
    return done;
}

bool scene_member_vector(struct scene_reader *reader, const json_t *object, const char *key, uint32_t count,
                         double *out)
{
    const json_t *value = json_object_get(object, key);
    size_t before = scene_enter(reader, "%s", key);
    bool done = !value || scene_vector(reader, value, count, out);
    scene_leave(reader, before);
    return done;
}

void scene_pack_numbers(msgpack_packer *packer, const double *numbers, size_t count, bool integers)
{
    enum protocol_array_type type = integers ? PROTOCOL_ARRAY_U32 : PROTOCOL_ARRAY_F64;
    if (!integers) {
        protocol_array_pack(packer, PROTOCOL_ARRAYS_EXT, type, numbers, (uint32_t)count);
        return;
    }
    uint32_t *whole = malloc((count + 1) * sizeof *whole);
    if (!whole) {
        ((struct protocol_bytes *)packer->data)->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        whole[i] = (uint32_t)numbers[i];
    }
    protocol_array_pack(packer, PROTOCOL_ARRAYS_EXT, type, whole, (uint32_t)count);
    free(whole);
}
