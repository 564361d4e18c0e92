// How the parts of a document are read (document_make.c): refusals with their place, arrays, names.
//
// The decoder has checked types and ranges; what an array must have as many of as another one is checked here.
#include "world/document_maker.h"

#include "protocol/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Refusals

// Puts where it is before what the error says of a field there; the field's name begins the text, or comes to.
bool world_maker_place(const struct world_maker *maker, const char *list, uint32_t index)
{
    struct protocol_error inner = *maker->error;
    char place[PROTOCOL_FIELD_MAX], path[PROTOCOL_FIELD_MAX];
    size_t size = strlen(inner.field);
    const char *text = inner.text;
    if (list) {
        snprintf(place, sizeof place, "%s%s[%u]%s", maker->prefix, list, index, size > 0 ? "." : "");
    } else {
        snprintf(place, sizeof place, "%s", maker->prefix);
    }
    snprintf(path, sizeof path, "%.40s%.50s", place, inner.field);
    if (size > 0 && strncmp(text, inner.field, size) == 0) {
        text += size + strspn(text + size, ": ");
    }
    protocol_error_set(maker->error, inner.code, path, "%s%s%s", path, path[0] != '\0' ? ": " : "", text);
    maker->error->limit = inner.limit;
    memcpy(maker->error->value, inner.value, sizeof inner.value);
    return false;
}

bool world_maker_refuse(const struct world_maker *maker, const char *list, uint32_t index,
                        enum protocol_code code, const char *field, const char *format, ...)
{
    char text[PROTOCOL_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    protocol_error_set(maker->error, code, field, "%s", text);
    return world_maker_place(maker, list, index);
}

void *world_maker_alloc(const struct world_maker *maker, size_t count, size_t item_size)
{
    size_t size;
    void *memory = NULL;
    if (!__builtin_mul_overflow(count, item_size, &size) && size < SIZE_MAX / 4) {
        memory = msgpack_zone_malloc(maker->zone, size > 0 ? size : 1);
    }
    if (memory) {
        memset(memory, 0, size);
    } else {
        protocol_error_set(maker->error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the document; nothing changed");
    }
    return memory;
}
// ---------------------------------------------------------------------------------------------------------
// Arrays, each of a thing: list[index].field

bool world_maker_count(const struct world_maker_at *place, const char *field, uint32_t count, uint32_t want)
{
    return count == want || world_maker_refuse(place->maker, place->list, place->index, PROTOCOL_CODE_INVALID,
                                               field, "length %u; must be %u", count, want);
}

bool world_maker_u32s(const struct world_maker_at *place, const char *field,
                      const struct protocol_array *array, const uint32_t **out)
{
    uint32_t bad = 0, *copy = world_maker_alloc(place->maker, array->count, sizeof *copy);
    *out = copy;
    if (copy && !protocol_array_copy_u32(array, copy, &bad)) {
        return world_maker_refuse(place->maker, place->list, place->index, PROTOCOL_CODE_INVALID, field,
                                  "element %u must be an integer from 0 to 4294967295", bad);
    }
    return copy != NULL;
}

bool world_maker_f32s(const struct world_maker_at *place, const char *field,
                      const struct protocol_array *array, uint32_t count, const float **out)
{
    if (!world_maker_count(place, field, array->count, count)) {
        return false;
    }
    float *copy = world_maker_alloc(place->maker, count, sizeof *copy);
    if (copy) {
        protocol_array_copy_f32(array, copy);
    }
    *out = copy;
    return copy != NULL;
}

// One number, alone or in an array, stands for all.
bool world_maker_f64s(const struct world_maker_at *place, const char *field,
                      const struct protocol_array *array, uint32_t count, const double **out)
{
    bool scalar = protocol_array_is_one(array);
    if (!scalar && !world_maker_count(place, field, array->count, count)) {
        return false;
    }
    double *copy = world_maker_alloc(place->maker, count, sizeof *copy);
    if (copy && scalar) {
        for (uint32_t i = 0; i < count; i++) {
            copy[i] = protocol_array_f64_at(array, 0);
        }
    } else if (copy) {
        protocol_array_copy_f64(array, copy);
    }
    *out = copy;
    return copy != NULL;
}

// Metres, and what their doubles have lost, as quanta.
bool world_maker_quantum(const struct world_maker_at *place, const char *field, double metres,
                         double remainder, int64_t *out)
{
    double quanta = nearbyint(metres / place->maker->resolution);
    if (!(fabs(metres) <= 1e9) || !(fabs(remainder) <= 1024) || nearbyint(remainder) != remainder) {
        return world_maker_refuse(
            place->maker, place->list, place->index, PROTOCOL_CODE_INVALID, field,
            "%g m and %g quanta; must be at most 1e+09 m, and a whole number of quanta up to 1024", metres,
            remainder);
    }
    *out = (int64_t)quanta + (int64_t)remainder;
    return true;
}

bool world_maker_quanta(const struct world_maker_at *place, const char *field,
                        const struct protocol_array *metres, const struct protocol_array *remainders,
                        uint32_t count, const int64_t **out)
{
    if (!world_maker_count(place, field, metres->count, count) ||
        (remainders->count > 0 && !world_maker_count(place, field, remainders->count, count))) {
        return false;
    }
    int64_t *copy = world_maker_alloc(place->maker, count, sizeof *copy);
    double *doubles = world_maker_alloc(place->maker, count, sizeof *doubles);
    if (!copy || !doubles) {
        return false;
    }
    protocol_array_copy_f64(metres, doubles);
    for (uint32_t i = 0; i < count; i++) {
        double remainder = remainders->count > 0 ? protocol_array_f64_at(remainders, i) : 0;
        if (!world_maker_quantum(place, field, doubles[i], remainder, &copy[i])) {
            return false;
        }
    }
    *out = copy;
    return true;
}
// ---------------------------------------------------------------------------------------------------------
// Names. Ids are settled here, so that what refers to a thing by name finds it.

bool world_maker_add(struct world_maker *maker, struct world_things *things, const char *list, uint32_t index,
                     uint32_t id, const struct protocol_string *name, uint32_t particle_count, uint32_t *own)
{
    uint32_t last = things->count > 0 ? things->items[things->count - 1].id : 0;
    if (id == 0 && last < UINT32_MAX - 1) {
        id = last + 1;
    }
    if (id <= last || id == UINT32_MAX) {
        return world_maker_refuse(maker, list, index, PROTOCOL_CODE_INVALID, things->noun,
                                  "%u; must be above %u, the one before it", id, last);
    }
    const struct world_thing *other = world_things_by_name(things, name);
    if (other) {
        return world_maker_refuse(maker, list, index, PROTOCOL_CODE_CONFLICT, "name",
                                  "\"%.*s\" is the name of %s[%u] already", (int)name->size, name->data, list,
                                  (unsigned)(other - things->items));
    }
    if (!world_things_reserve(things)) {
        protocol_error_set(maker->error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the document; nothing changed");
        return false;
    }
    world_things_add(things, id, name, particle_count);
    *own = id;
    return true;
}

bool world_maker_find(const struct world_maker_at *place, const struct world_things *things,
                      const struct protocol_ref *ref, uint32_t *id)
{
    const struct world_thing *thing =
        ref->id != 0 ? world_things_by_id(things, ref->id) : world_things_by_name(things, &ref->name);
    if (!thing && ref->id != 0) {
        return world_maker_refuse(place->maker, place->list, place->index, PROTOCOL_CODE_NOT_FOUND,
                                  things->noun, "%u; the document has no %s of this id", ref->id,
                                  things->noun);
    }
    if (!thing) {
        return world_maker_refuse(place->maker, place->list, place->index, PROTOCOL_CODE_NOT_FOUND,
                                  things->noun, "\"%.*s\"; the document has no %s of this name",
                                  (int)ref->name.size, ref->name.data, things->noun);
    }
    *id = thing->id;
    return true;
}

// Names are looked for one after another, so lists are bounded before.
bool world_maker_length(const struct world_maker *maker, const char *list, uint32_t count, uint64_t most)
{
    if (count <= most) {
        return true;
    }
    protocol_error_set(maker->error, PROTOCOL_CODE_LIMIT, list, "%u entries; at most %u", count,
                       (unsigned)most);
    world_maker_place(maker, NULL, 0);
    maker->error->limit = (double)most;
    return false;
}
