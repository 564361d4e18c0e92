#include "document/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool document_reader_refuse(const struct document_reader *reader, enum protocol_code code, const char *field,
                            const char *format, ...)
{
    char text[PROTOCOL_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    protocol_error_set(reader->error, code, field, "%s%s%s", field ? field : "", field ? ": " : "", text);
    if (reader->locate) {
        reader->locate(reader);
    }
    return false;
}

bool document_reader_memory(const struct document_reader *reader)
{
    protocol_error_set(reader->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for %s; nothing changed",
                       reader->subject);
    return false;
}

void *document_reader_alloc(const struct document_reader *reader, size_t count, size_t item_size)
{
    size_t size;
    void *memory = NULL;
    if (!__builtin_mul_overflow(count, item_size, &size) && size < SIZE_MAX / 4) {
        size = size > 0 ? size : 1;
        memory = reader->zone ? msgpack_zone_malloc(reader->zone, size) : malloc(size);
    }
    if (!memory) {
        document_reader_memory(reader);
        return NULL;
    }
    return memset(memory, 0, size);
}

bool document_reader_count(const struct document_reader *reader, const char *field, uint32_t count,
                           uint32_t want, const char *per)
{
    if (count == want) {
        return true;
    }
    return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, field, "length %u; must be %u%s%s%s", count,
                                  want, per ? " (" : "", per ? per : "", per ? ")" : "");
}

bool document_reader_u32s(const struct document_reader *reader, const char *field,
                          const struct protocol_array *array, const uint32_t **out)
{
    uint32_t bad = 0, *copy = document_reader_alloc(reader, array->count, sizeof *copy);
    *out = copy;
    if (copy && !protocol_array_copy_u32(array, copy, &bad)) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, field,
                                      "element %u must be an integer from 0 to 4294967295", bad);
    }
    return copy != NULL;
}

bool document_reader_f64s(const struct document_reader *reader, const char *field,
                          const struct protocol_array *array, uint32_t count, const char *per,
                          const double **out)
{
    bool scalar = protocol_array_is_one(array);
    if (!scalar && !document_reader_count(reader, field, array->count, count, per)) {
        return false;
    }
    double *copy = document_reader_alloc(reader, count, sizeof *copy);
    *out = copy;
    if (copy && !scalar) {
        protocol_array_copy_f64(array, copy);
    }
    for (uint32_t i = 0; copy && scalar && i < count; i++) {
        copy[i] = protocol_array_f64_at(array, 0);
    }
    return copy != NULL;
}

bool document_reader_f32s(const struct document_reader *reader, const char *field,
                          const struct protocol_array *array, uint32_t count, const char *per,
                          const float **out)
{
    bool scalar = protocol_array_is_one(array);
    if (!scalar && !document_reader_count(reader, field, array->count, count, per)) {
        return false;
    }
    float *copy = document_reader_alloc(reader, count, sizeof *copy);
    *out = copy;
    for (uint32_t i = 0; copy && i < count; i++) {
        double value = protocol_array_f64_at(array, scalar ? 0 : i);
        copy[i] = (float)value;
        if (!isfinite(copy[i])) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, field,
                                          "element %u is %g; must fit a 32-bit float", i, value);
        }
    }
    return copy != NULL;
}

bool document_reader_poses(const struct document_reader *reader, const struct protocol_array *array,
                           uint32_t particles, uint32_t keys, const float **out)
{
    const uint64_t want = 3 * (uint64_t)particles * keys;
    if (array->count != want) {
        return document_reader_refuse(
            reader, PROTOCOL_CODE_INVALID, "poses",
            "length %u; must be %llu (three for each of %u particles at each of %u times)", array->count,
            (unsigned long long)want, particles, keys);
    }
    return document_reader_f32s(reader, "poses", array, array->count, NULL, out);
}
